#include "text_reader.h"

#include "utf8.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/stubs/common.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace interlock::detail {

namespace pb = google::protobuf;

namespace {

constexpr std::string_view kDefaultRoot = "execgraph.v1.ExecutionGraph";
constexpr std::string_view kSpace = " \t\r";

// Keeps the first thing that the parser says, which would otherwise go to stderr.
class FirstError final : public pb::io::ErrorCollector {
public:
#if GOOGLE_PROTOBUF_VERSION >= 4022000
  void RecordError(int line, pb::io::ColumnNumber column, absl::string_view message) override {
    keep(line, column, std::string(message));
  }
#else
  void AddError(int line, pb::io::ColumnNumber column, const std::string &message) override {
    keep(line, column, message);
  }
  void AddWarning(int, pb::io::ColumnNumber, const std::string &) override {}
#endif

  [[nodiscard]] const std::string &text() const { return text_; }

private:
  void keep(int line, int column, const std::string &message) {
    if (text_.empty())
      text_ = "line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1) + ": " + message;
  }

  std::string text_;
};

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

std::string_view trim(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kSpace);
  if (begin == std::string_view::npos)
    return {};
  return line.substr(begin, line.find_last_not_of(kSpace) - begin + 1);
}

// The message that a line `# proto-message: NAME` among the leading comment lines names; empty without one.
std::string_view namedRoot(std::string_view text) {
  constexpr std::string_view label = "proto-message:";
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    std::string_view line = trim(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
    if (line.empty())
      continue;
    if (line[0] != '#')
      break;
    line = trim(line.substr(1));
    if (!line.starts_with(label))
      continue;
    const std::string_view name = trim(line.substr(label.size()));
    if (!name.empty() && name.find_first_of(kSpace) == std::string_view::npos)
      return name;
  }
  return {};
}

// How deep braces and angle brackets nest, outside strings and comments. The parser recurses that deep.
std::int64_t nesting(std::string_view text) {
  std::int64_t depth = 0;
  std::int64_t deepest = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote || c == '\n')
        quote = 0;
      else if (c == '\\' && !text.substr(i + 1).starts_with('\n'))
        ++i;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '{' || c == '<') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == '>') {
      --depth;
    }
  }
  return deepest;
}

} // namespace

const RootPlan *textRoot(std::string_view text, std::string_view stated, ErrorSlot &errors) {
  if (scanUtf8(text).illFormed != kNowhere || text.starts_with("\xEF\xBB\xBF") ||
      std::any_of(text.begin(), text.end(), isControl)) {
    errors.fail("text.malformed", "", std::nullopt,
                "the text is not well-formed UTF-8 without byte order mark and control characters");
    return nullptr;
  }
  const std::string_view named = stated.empty() ? namedRoot(text) : stated;
  const std::string_view name = named.empty() ? kDefaultRoot : named;
  const RootPlan *root = Schema::get().findRoot(name);
  if (root == nullptr)
    errors.fail("header.unknown-kind", "header.kind", std::nullopt,
                quoted(name) + " is not the root message of a document kind that this reader knows");
  return root;
}

bool parseText(std::string_view text, std::uint32_t deepest, pb::Message &message, ErrorSlot &errors) {
  if (nesting(text) >= std::int64_t{deepest})
    return errors.fail("limit.message-depth", "", std::nullopt,
                       "messages nest deeper than `" + std::to_string(deepest) + "`, which is the limit");
  FirstError first;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&first);
  parser.SetRecursionLimit(static_cast<int>(deepest));
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !parser.ParseFromString(std::string(text), &message))
    return errors.fail("text.malformed", "", std::nullopt, printable(first.text()));
  return true;
}

} // namespace interlock::detail
