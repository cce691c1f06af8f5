#include "json_syntax.h"

#include "json_number.h"
#include "utf8.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace interlock::detail {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isWord(char c) { return isLetter(c) || isDigit(c) || c == '_'; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool isHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool isLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

std::uint32_t joinSurrogates(std::uint32_t high, std::uint32_t low) {
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

class SyntaxChecker {
public:
  SyntaxChecker(std::string_view text, const Limits &limits, JsonShape &shape, ErrorSlot &errors,
                JsonDialect dialect)
      : text_(text), limits_(limits), shape_(shape), errors_(errors), dialect_(dialect) {}

  bool check() {
    const Utf8Scan scan = scanUtf8(text_);
    if (scan.illFormed != kNowhere)
      return errors_.fail("json.invalid-utf8", "", scan.illFormed, "the input is not well-formed UTF-8");
    if (text_.starts_with("\xEF\xBB\xBF"))
      return errors_.fail("json.byte-order-mark", "", 0,
                          "the input begins with a byte order mark; it has to be left out");
    if (dialect_ == JsonDialect::Document)
      noncharacter_ = scan.noncharacter;
    skipSpace();
    shape_.root = at_;
    if (!value())
      return false;
    while (!levels_.empty())
      if (!(levels_.back().array ? arrayStep() : objectStep()))
        return false;
    skipSpace();
    return at_ == text_.size() || failHere("json.trailing-bytes", "the document ends before these bytes");
  }

private:
  // Few names are compared one by one; more are looked up.
  static constexpr std::size_t kFewNames = 16;

  struct Level {
    bool array = false;
    bool begun = false;                               // Whether a value or name was looked for.
    std::uint64_t index = 0;                          // Of the current element.
    std::size_t firstName = 0;                        // In `names_`.
    std::string_view name;                            // Of the current member.
    std::unique_ptr<std::set<std::string_view>> many; // All names, once there are many.
  };

  // The path of the innermost open value, or of the value in it that is being read.
  [[nodiscard]] std::string path(bool ofValue) const {
    std::string text;
    for (std::size_t i = 0; i + (ofValue ? 0 : 1) < levels_.size(); ++i) {
      const Level &level = levels_[i];
      if (level.array) {
        text += '[' + std::to_string(level.index) + ']';
        continue;
      }
      if (!text.empty())
        text += '.';
      const bool plain = !level.name.empty() && level.name.size() <= 64 &&
                         std::all_of(level.name.begin(), level.name.end(), isWord);
      text += plain ? level.name : "?";
    }
    return text;
  }

  bool fail(std::string_view code, std::size_t offset, std::string message, bool ofValue = false) {
    return errors_.fail(code, path(ofValue), offset, std::move(message));
  }
  bool failHere(std::string_view code, std::string message) { return fail(code, at_, std::move(message)); }
  bool failTruncated(bool ofValue = false) {
    return fail("json.truncated", text_.size(), "the input ends before the document does", ofValue);
  }

  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_]))
      ++at_;
  }

  // Reports what stands where something else should, after everything that is allowed there was ruled out.
  bool failUnexpected(const std::string &wanted) {
    if (text_[at_] == '/')
      return failHere("json.comment", "a comment; JSON has none");
    return failHere("json.syntax", "the byte does not belong here; " + wanted + " is required");
  }

  bool value() {
    if (at_ == text_.size())
      return failTruncated();
    const char c = text_[at_];
    if (c == '{' || c == '[')
      return open(c == '[');
    if (c == '"')
      return string(true);
    if (isDigit(c) || c == '-' || c == '+' || c == '.')
      return number();
    if (isLetter(c))
      return word();
    if (c == '\'')
      return fail("json.single-quote", at_, "a string in single quotes; double quotes are required", true);
    return failUnexpected("a value");
  }

  bool open(bool array) {
    if (levels_.size() >= limits_.jsonDepth)
      return fail("limit.json-depth", at_,
                  "objects and arrays nest deeper than `" + std::to_string(limits_.jsonDepth) +
                      "`, which is the limit",
                  true);
    ++at_;
    Level &level = levels_.emplace_back();
    level.array = array;
    level.firstName = names_.size();
    return true;
  }

  bool close() {
    ++at_;
    names_.resize(levels_.back().firstName);
    levels_.pop_back();
    return true;
  }

  // What stands before an element or a name: nothing at first, then a comma. Sets `closed` at the end of the
  // level.
  bool separator(char closing, bool &closed) {
    Level &level = levels_.back();
    skipSpace();
    if (at_ == text_.size())
      return failTruncated();
    closed = text_[at_] == closing;
    if (closed)
      return close();
    if (!level.begun) {
      level.begun = true;
      return true;
    }
    if (text_[at_] != ',')
      return failUnexpected("a comma or the end of the object or array");
    const std::size_t comma = at_++;
    skipSpace();
    if (at_ < text_.size() && (text_[at_] == '}' || text_[at_] == ']'))
      return fail("json.trailing-comma", comma, "a comma after the last element");
    ++level.index;
    return true;
  }

  bool arrayStep() {
    bool closed = false;
    return separator(']', closed) && (closed || value());
  }

  bool objectStep() {
    bool closed = false;
    if (!separator('}', closed) || closed)
      return closed;
    if (at_ == text_.size())
      return failTruncated();
    if (!name())
      return false;
    skipSpace();
    if (at_ == text_.size())
      return failTruncated();
    if (text_[at_] != ':')
      return failUnexpected("a colon");
    ++at_;
    skipSpace();
    if (levels_.size() == 1 && levels_[0].name == "header")
      shape_.header = at_;
    return value();
  }

  bool name() {
    const char c = text_[at_];
    if (isWord(c) || c == '$')
      return failHere("json.unquoted-key", "a member name without quotes");
    if (c == '\'')
      return failHere("json.single-quote", "a member name in single quotes; double quotes are required");
    if (c != '"')
      return failUnexpected("a member name");
    const std::size_t begin = at_;
    if (!string(false))
      return false;
    std::string_view name = text_.substr(begin + 1, at_ - begin - 2);
    if (name.find('\\') != std::string_view::npos) {
      std::string_view rest = text_.substr(begin);
      std::string scratch;
      name = unescaped_.emplace_back(readJsonString(rest, scratch));
    }
    levels_.back().name = name;
    return addName(name) || fail("json.duplicate-key", begin, "a second member of the same name");
  }

  bool addName(std::string_view name) {
    Level &level = levels_.back();
    if (level.many)
      return level.many->insert(name).second;
    const auto first = names_.begin() + static_cast<std::ptrdiff_t>(level.firstName);
    if (std::find(first, names_.end(), name) != names_.end())
      return false;
    names_.push_back(name);
    if (names_.size() - level.firstName >= kFewNames)
      level.many = std::make_unique<std::set<std::string_view>>(
          names_.begin() + static_cast<std::ptrdiff_t>(level.firstName), names_.end());
    return true;
  }

  // A string; `ofValue` tells whether it is a value or a name.
  bool string(bool ofValue) {
    ++at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20)
        return fail("json.control-character", at_, "a control character in a string; it has to be escaped",
                    ofValue);
      if (at_ == noncharacter_)
        return fail("json.noncharacter", at_, "a noncharacter in a string", ofValue);
      if (c == '\\' && !escape(ofValue))
        return false;
    }
    return failTruncated(ofValue);
  }

  // An escape; leaves `at_` at its last byte.
  bool escape(bool ofValue) {
    const std::size_t begin = at_++;
    if (at_ == text_.size())
      return failTruncated(ofValue);
    if (text_[at_] != 'u')
      return std::string_view("\"\\/bfnrt").find(text_[at_]) != std::string_view::npos ||
             fail("json.invalid-escape", begin, "an escape that JSON does not have", ofValue);
    std::uint32_t unit = 0;
    if (!hexUnit(begin, ofValue, unit))
      return false;
    if (isHighSurrogate(unit)) {
      if (!text_.substr(at_ + 1).starts_with("\\u"))
        return failSurrogate(begin, ofValue);
      const std::size_t second = at_ + 1;
      at_ += 2;
      std::uint32_t low = 0;
      if (!hexUnit(second, ofValue, low))
        return false;
      if (!isLowSurrogate(low))
        return failSurrogate(begin, ofValue);
      unit = joinSurrogates(unit, low);
    } else if (isLowSurrogate(unit)) {
      return failSurrogate(begin, ofValue);
    }
    return dialect_ == JsonDialect::Foreign || !isNoncharacter(unit) ||
           fail("json.noncharacter", begin, "a noncharacter in a string", ofValue);
  }

  bool failSurrogate(std::size_t begin, bool ofValue) {
    return fail("json.lone-surrogate", begin, "half of a surrogate pair without the other half", ofValue);
  }

  // The four digits behind a `u`, at which `at_` is; leaves `at_` at the last of them.
  bool hexUnit(std::size_t begin, bool ofValue, std::uint32_t &unit) {
    for (int i = 0; i < 4; ++i) {
      if (++at_ == text_.size())
        return failTruncated(ofValue);
      const int digit = hexDigit(text_[at_]);
      if (digit < 0)
        return fail("json.invalid-escape", begin, "an escape with fewer than four hexadecimal digits",
                    ofValue);
      unit = unit << 4 | static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  bool number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]) || text_[at_] == '+' ||
                                  text_[at_] == '-' || text_[at_] == '.'))
      ++at_;
    const std::string_view token = text_.substr(begin, at_ - begin);
    if (dialect_ == JsonDialect::Foreign)
      return isNumber(token) || fail("json.syntax", begin, quoted(token) + " is not a number", true);
    return isPlainInteger(token) || fail("json.number-spelling", begin,
                                         quoted(token) + " is not an integer in its shortest spelling", true);
  }

  bool word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isWord(text_[at_]))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    return word == "true" || word == "false" || word == "null" ||
           fail("json.invalid-literal", begin, quoted(word) + " is not `true`, `false` or `null`", true);
  }

  std::string_view text_;
  const Limits &limits_;
  JsonShape &shape_;
  ErrorSlot &errors_;
  JsonDialect dialect_;
  std::size_t at_ = 0;
  std::size_t noncharacter_ = kNowhere;
  std::vector<Level> levels_;
  std::vector<std::string_view> names_; // Of all open objects, innermost last.
  std::deque<std::string> unescaped_;   // Names that `names_` cannot view in the input.
};

} // namespace

bool checkJsonSyntax(std::string_view text, const Limits &limits, JsonShape &shape, ErrorSlot &errors,
                     JsonDialect dialect) {
  return SyntaxChecker(text, limits, shape, errors, dialect).check();
}

std::string_view readJsonString(std::string_view &text, std::string &scratch) {
  const auto unit = [](std::string_view digits) {
    std::uint32_t value = 0;
    for (const char digit : digits)
      value = value << 4 | static_cast<std::uint32_t>(hexDigit(digit));
    return value;
  };
  std::size_t at = text.find_first_of("\"\\", 1);
  if (text[at] == '"') {
    const std::string_view plain = text.substr(1, at - 1);
    text.remove_prefix(at + 1);
    return plain;
  }
  scratch.assign(text.substr(1, at - 1));
  while (text[at] != '"') {
    if (text[at] != '\\') {
      const std::size_t next = text.find_first_of("\"\\", at);
      scratch.append(text.substr(at, next - at));
      at = next;
      continue;
    }
    constexpr std::string_view escapes = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char letter = text[at + 1];
    if (letter != 'u') {
      scratch += meanings[escapes.find(letter)];
      at += 2;
      continue;
    }
    std::uint32_t codePoint = unit(text.substr(at + 2, 4));
    at += 6;
    if (isHighSurrogate(codePoint)) {
      codePoint = joinSurrogates(codePoint, unit(text.substr(at + 2, 4)));
      at += 6;
    }
    appendUtf8(codePoint, scratch);
  }
  text.remove_prefix(at + 1);
  return scratch;
}

} // namespace interlock::detail
