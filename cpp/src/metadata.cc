#include "metadata.h"

#include "json_number.h"
#include "json_syntax.h"
#include "place.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace interlock::detail {

namespace {

constexpr std::uint64_t kLargestCount = (std::uint64_t{1} << 63) - 1;
constexpr std::string_view kSpace = " \t\n\r";
constexpr std::string_view kTokenEnd = " \t\n\r,]}";

void skipSpace(std::string_view &text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
}

void skipString(std::string_view &text) {
  std::size_t at = text.find_first_of("\"\\", 1);
  while (text[at] == '\\')
    at = text.find_first_of("\"\\", at + 2);
  text.remove_prefix(at + 1);
}

std::string_view token(std::string_view text) { return text.substr(0, text.find_first_of(kTokenEnd)); }

// Moves `text`, which is well-formed and begins with a value, past it, however deep it is.
void skipValue(std::string_view &text) {
  std::size_t depth = 0;
  do {
    const char c = text[0];
    if (c == '"') {
      skipString(text);
    } else if (c == '{' || c == '[') {
      ++depth;
      text.remove_prefix(1);
    } else if (c == '}' || c == ']') {
      --depth;
      text.remove_prefix(1);
    } else if (c == ',' || c == ':') {
      text.remove_prefix(1);
    } else {
      text.remove_prefix(token(text).size());
    }
    if (depth > 0)
      skipSpace(text);
  } while (depth > 0);
}

// Moves past the brace or bracket that opens, or past the comma behind an element.
// \returns whether there is a next element.
bool enter(std::string_view &text) {
  const char c = text[0];
  if (c != '{' && c != '[' && c != ',')
    return false;
  text.remove_prefix(1);
  skipSpace(text);
  return text[0] != '}' && text[0] != ']';
}

std::string_view typeName(std::string_view value) {
  switch (value[0]) {
  case '{':
    return "an object";
  case '[':
    return "an array";
  case '"':
    return "a string";
  case 't':
  case 'f':
    return "a boolean";
  case 'n':
    return "null";
  default:
    return "a number";
  }
}

// A number of a magnitude that a double cannot hold means something else to every reader.
std::optional<Error> checkNumbers(std::string_view text, const std::string &name) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      std::string_view rest = text.substr(at);
      skipString(rest);
      at = text.size() - rest.size();
    } else if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
      const std::string number(token(text.substr(at)));
      if (std::isinf(std::strtod(number.c_str(), nullptr)))
        return Error{"container.malformed", name, at, "the number " + quoted(number) + " is out of range"};
      at += number.size();
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

// Counts brackets outside of strings. The text may be anything.
std::optional<Error> checkDepth(std::string_view text, const std::string &name, std::uint32_t most) {
  std::int64_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\')
          ++at;
    } else if (c == '{' || c == '[') {
      if (++depth > std::int64_t{most})
        return Error{"limit.json-depth", name, at,
                     "objects and arrays nest deeper than `" + std::to_string(most) +
                         "`, which is the limit"};
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return std::nullopt;
}

} // namespace

Error malformed(std::string path, std::string message) {
  return {"container.malformed", std::move(path), std::nullopt, std::move(message)};
}

Error tooLarge(std::uint64_t size, std::string name, const Limits &limits) {
  return {"limit.metadata-bytes", std::move(name), std::nullopt,
          "the file has `" + std::to_string(size) + "` bytes; the limit for metadata is `" +
              std::to_string(limits.metadataBytes) + '`'};
}

Result<Record> Record::parse(std::string_view text, std::string name, const Limits &limits) {
  if (text.size() > limits.metadataBytes)
    return tooLarge(text.size(), std::move(name), limits);
  // First, so that one and the same limit is named wherever something else is wrong as well.
  if (std::optional<Error> error = checkDepth(text, name, limits.jsonDepth))
    return *std::move(error);
  JsonShape shape;
  ErrorSlot errors;
  if (!checkJsonSyntax(text, limits, shape, errors, JsonDialect::Foreign)) {
    Error error = errors.take();
    error.code = "container.malformed";
    error.path = std::move(name);
    return error;
  }
  if (std::optional<Error> error = checkNumbers(text, name))
    return *std::move(error);
  text.remove_prefix(shape.root);
  if (text[0] != '{')
    return malformed(std::move(name), "an object is required, not " + std::string(typeName(text)));
  return Record(text, std::move(name));
}

std::string Record::place(std::string_view member) const { return path_ + '.' + std::string(member); }

std::string_view Record::find(std::string_view member) const {
  std::string_view text = text_;
  std::string scratch;
  while (enter(text)) {
    const bool found = readJsonString(text, scratch) == member;
    skipSpace(text);
    text.remove_prefix(1); // The colon.
    skipSpace(text);
    if (found)
      return text;
    skipValue(text);
    skipSpace(text);
  }
  return {};
}

Result<std::string_view> Record::require(std::string_view member) const {
  const std::string_view value = find(member);
  if (value.empty())
    return malformed(path_, "the member " + quoted(member) + " is missing");
  return value;
}

Error Record::refuse(std::string_view member, std::string_view required, std::string_view found) const {
  return malformed(place(member),
                   std::string(required) + " is required, not " + std::string(typeName(found)));
}

Result<std::string> Record::text(std::string_view member) const {
  Result<std::string_view> value = require(member);
  if (!value)
    return std::move(value).error();
  if ((*value)[0] != '"')
    return refuse(member, "a string", *value);
  std::string scratch;
  return std::string(readJsonString(*value, scratch));
}

Result<std::string> Record::optionalText(std::string_view member) const {
  return has(member) ? text(member) : std::string();
}

Result<std::uint64_t> Record::count(std::string_view member) const {
  const Result<std::string_view> value = require(member);
  if (!value)
    return value.error();
  const std::string_view digits = token(*value);
  if (digits == "-0")
    return std::uint64_t{0};
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (!isPlainInteger(digits) || read.ec != std::errc() || read.ptr != digits.data() + digits.size() ||
      number > kLargestCount)
    return refuse(member, "an integer from 0 to 2^63 - 1", *value);
  return number;
}

Result<Record> Record::record(std::string_view member) const {
  const Result<std::string_view> value = require(member);
  if (!value)
    return value.error();
  if ((*value)[0] != '{')
    return refuse(member, "an object", *value);
  return Record(*value, place(member));
}

Result<std::optional<Record>> Record::optionalRecord(std::string_view member) const {
  if (!has(member))
    return std::optional<Record>();
  Result<Record> found = record(member);
  if (!found)
    return std::move(found).error();
  return std::optional(*std::move(found));
}

std::optional<Error>
Record::forEachRecord(std::string_view member,
                      const std::function<std::optional<Error>(const Record &)> &visit) const {
  const Result<std::string_view> value = require(member);
  if (!value)
    return value.error();
  std::string_view text = *value;
  if (text[0] != '[')
    return refuse(member, "an array", text);
  for (std::size_t index = 0; enter(text); ++index) {
    std::string path = place(member) + '[' + std::to_string(index) + ']';
    if (text[0] != '{')
      return malformed(std::move(path), "an object is required, not " + std::string(typeName(text)));
    if (std::optional<Error> error = visit(Record(text, std::move(path))))
      return error;
    skipValue(text);
    skipSpace(text);
  }
  return std::nullopt;
}

} // namespace interlock::detail
