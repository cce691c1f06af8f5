#include "json_reader.h"

#include "interlock/version.h"
#include "json_number.h"
#include "keys.h"
#include "store.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <limits>
#include <utility>

namespace interlock::detail {

namespace pb = google::protobuf;

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::array<signed char, 256> makeBase64Values() {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<signed char, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
  return values;
}

constexpr std::array<signed char, 256> kBase64Values = makeBase64Values();

// Decodes padded base64 whose unused bits are zero.
bool decodeBase64(std::string_view text, std::string &out) {
  if (text.size() % 4 != 0)
    return false;
  std::size_t size = text.size();
  for (int i = 0; i < 2 && size > 0 && text[size - 1] == '='; ++i)
    --size;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const signed char value = kBase64Values[static_cast<unsigned char>(text[i])];
    if (value < 0)
      return false;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count);
      bits &= (1U << count) - 1;
    }
  }
  return bits == 0;
}

// Parses an integer in its shortest spelling. \returns false if it does not fit the field.
bool parseInteger(std::string_view token, const FieldPlan &field, std::uint64_t &bits) {
  const char *end = token.data() + token.size();
  if (!field.isSigned) {
    const auto result = std::from_chars(token.data(), end, bits);
    return result.ec == std::errc() && result.ptr == end &&
           (field.wide || bits <= std::numeric_limits<std::uint32_t>::max());
  }
  std::int64_t value = 0;
  const auto result = std::from_chars(token.data(), end, value);
  bits = static_cast<std::uint64_t>(value);
  return result.ec == std::errc() && result.ptr == end &&
         (field.wide || value == static_cast<std::int32_t>(value));
}

} // namespace

// One message that is being read.
struct JsonReader::Frame {
  const MessagePlan &plan;
  pb::Message &message;
  const Place &place;
  std::uint32_t depth;
  std::size_t nameHint = 0;
  std::bitset<kMostFields> seenOneofs;
  bool holdsAnything = false; // Other than defaults.
};

JsonReader::JsonReader(std::string_view text, const JsonShape &shape, const Limits &limits, ErrorSlot &errors)
    : text_(text), rest_(text), shape_(shape), limits_(limits), errors_(errors) {
  limits_.messageDepth = std::min(limits_.messageDepth, kDeepestMessage);
}

bool JsonReader::fail(std::string_view code, const Place &place, std::uint64_t offset, std::string message) {
  return errors_.fail(code, place, offset, std::move(message));
}

bool JsonReader::failType(const Place &place, std::string_view wanted) {
  return fail("json.wrong-type", place, offset(),
              "the value is of another type; " + std::string(wanted) + " is required");
}

void JsonReader::skipSpace() {
  std::size_t count = 0;
  while (count < rest_.size() && isSpace(rest_[count]))
    ++count;
  rest_.remove_prefix(count);
}

// Moves to the next name or element of an object or array, or past its end.
bool JsonReader::nextInLevel(char closing) {
  skipSpace();
  const char c = rest_[0];
  if (c == closing || c == ',')
    rest_.remove_prefix(1);
  if (c == ',')
    skipSpace();
  return c != closing;
}

void JsonReader::skipValue() {
  std::size_t depth = 0;
  do {
    skipSpace();
    const char c = rest_[0];
    if (c == '"') {
      std::size_t end = 1;
      while (rest_[end] != '"')
        end += rest_[end] == '\\' ? 2 : 1;
      rest_.remove_prefix(end + 1);
      continue;
    }
    if (c == '{' || c == '[')
      ++depth;
    else if (c == '}' || c == ']')
      --depth;
    else if (c != ',' && c != ':') {
      rest_.remove_prefix(std::min(rest_.find_first_of(" \t\n\r,:]}"), rest_.size()));
      continue;
    }
    rest_.remove_prefix(1);
  } while (depth > 0);
}

bool JsonReader::seekHeaderMember(std::string_view name) {
  rest_ = text_.substr(*shape_.header + 1);
  while (nextInLevel('}')) {
    const bool found = readJsonString(rest_, scratch_) == name;
    skipSpace();
    rest_.remove_prefix(1);
    skipSpace();
    if (found)
      return true;
    skipValue();
  }
  return false;
}

bool JsonReader::readHeaderNumber(std::string_view name, std::string &text, std::uint64_t &where) {
  if (!seekHeaderMember(name))
    return true;
  const std::size_t size = std::min(rest_.find_first_of(" \t\n\r,]}"), rest_.size());
  if (rest_[0] != '-' && (rest_[0] < '0' || rest_[0] > '9'))
    return errors_.fail("json.wrong-type",
                        name == "schemaMajor" ? "header.schema_major" : "header.schema_minor", offset(),
                        "the value is of another type; a number is required");
  text = rest_.substr(0, size);
  where = offset();
  return true;
}

bool JsonReader::readHeaderFeatures(StatedHeader &header) {
  const std::string path = "header.required_features";
  if (!seekHeaderMember("requiredFeatures"))
    return true;
  if (rest_[0] != '[')
    return errors_.fail("json.wrong-type", path, offset(),
                        "the value is of another type; an array is required");
  rest_.remove_prefix(1);
  for (std::size_t i = 0; nextInLevel(']'); ++i) {
    if (rest_[0] != '"')
      return errors_.fail("json.wrong-type", path + '[' + std::to_string(i) + ']', offset(),
                          "the value is of another type; a string is required");
    const std::uint64_t where = offset();
    const std::string_view feature = readJsonString(rest_, scratch_);
    if (!header.unknownFeature && !Schema::get().knowsFeature(feature)) {
      header.unknownFeature = feature;
      header.unknownFeatureIndex = i;
      header.unknownFeatureOffset = where;
    }
  }
  return true;
}

bool JsonReader::readHeader(StatedHeader &header) {
  if (text_[shape_.root] != '{')
    return errors_.fail("json.wrong-type", "", shape_.root, "the document is not an object");
  if (!shape_.header || text_[*shape_.header] != '{')
    return errors_.fail("header.missing", "header", 0, "the document has no object `header`");
  header.majorOffset = header.minorOffset = header.kindOffset = headerOffset();
  if (seekHeaderMember("kind")) {
    if (rest_[0] != '"')
      return errors_.fail("json.wrong-type", "header.kind", offset(),
                          "the value is of another type; a string is required");
    header.kindOffset = offset();
    header.kind = readJsonString(rest_, scratch_);
    header.root = Schema::get().findKindName(header.kind);
  }
  if (!readHeaderNumber("schemaMajor", header.major, header.majorOffset) ||
      !readHeaderNumber("schemaMinor", header.minor, header.minorOffset) || !readHeaderFeatures(header))
    return false;
  header.majorKnown = header.major == std::to_string(kSchemaMajor);
  std::uint64_t minor = 0;
  const std::string &text = header.minor;
  const bool parsed = std::from_chars(text.data(), text.data() + text.size(), minor).ec == std::errc();
  header.minorKnown = text.starts_with('-') || (parsed && minor <= kSchemaMinor);
  return true;
}

bool JsonReader::read(const MessagePlan &plan, pb::Message &message) {
  rest_ = text_.substr(shape_.root);
  const Place root;
  Frame frame{plan, message, root, 1, 0, {}, false};
  return readMessage(frame);
}

bool JsonReader::readMessage(Frame &frame) {
  rest_.remove_prefix(1); // The brace.
  while (nextInLevel('}'))
    if (!readMember(frame))
      return false;
  return true;
}

bool JsonReader::readMember(Frame &frame) {
  const std::uint64_t nameOffset = offset();
  const std::string_view name = readJsonString(rest_, scratch_);
  const FieldPlan *field = frame.plan.findJson(name, frame.nameHint);
  if (field == nullptr) {
    const FieldPlan *twin = frame.plan.findName(name);
    if (twin != nullptr)
      return fail("json.proto-name", frame.place, nameOffset,
                  quoted(name) + " is the name in the schema; in JSON it is " + quoted(twin->jsonName));
    return fail("json.unknown-field", frame.place, nameOffset,
                quoted(name) + " is not a field of " +
                    quoted(std::string(frame.plan.descriptor->full_name())));
  }
  skipSpace();
  rest_.remove_prefix(1); // The colon.
  skipSpace();
  const Place place{&frame.place, field, -1};
  if (field->oneof >= 0) {
    const auto oneof = static_cast<std::size_t>(field->oneof);
    if (frame.seenOneofs.test(oneof))
      return fail("json.duplicate-oneof", place, nameOffset, "a second arm of a oneof; one can be set");
    frame.seenOneofs.set(oneof);
  }
  return field->repeated ? readArray(frame, *field, place) : readValue(frame, *field, place);
}

bool JsonReader::readArray(Frame &frame, const FieldPlan &field, const Place &place) {
  if (rest_[0] == 'n')
    return fail("json.null", place, offset(), "`null`; a field without a value has to be left out");
  if (rest_[0] != '[')
    return failType(place, "an array");
  rest_.remove_prefix(1);
  SetFollower follower(field);
  Place element{place.parent, &field, 0};
  for (int i = 0; nextInLevel(']'); ++i) {
    element.index = i;
    const std::uint64_t begin = offset();
    if (static_cast<std::uint64_t>(i) >= limits_.repeatedElements)
      return fail("limit.repeated-elements", element, begin,
                  "more than `" + std::to_string(limits_.repeatedElements) +
                      "` elements, which is the limit");
    if (!readValue(frame, field, element))
      return false;
    if (field.isSet && follower.follow(frame.message, i) == SetFollower::Found::Duplicate)
      return fail("canonical.duplicate-key", element, begin,
                  "an element with the same key stands before; keys are unique in a set");
    usage_.add(field.demands);
    frame.holdsAnything = true;
  }
  if (follower.unsorted())
    sortSet(frame.message, field);
  return true;
}

bool JsonReader::readValue(Frame &frame, const FieldPlan &field, const Place &place) {
  if (rest_[0] == 'n')
    return fail("json.null", place, offset(), "`null`; a field without a value has to be left out");
  switch (field.type) {
  case FieldType::Message:
    return readSubmessage(frame, field, place);
  case FieldType::String:
  case FieldType::Bytes:
    return readString(frame, field, place);
  case FieldType::Enum:
    return readEnum(frame, field, place);
  case FieldType::Integer:
    return readInteger(frame, field, place);
  case FieldType::Bool:
    break;
  }
  if (rest_[0] != 't' && rest_[0] != 'f')
    return failType(place, "`true` or `false`");
  const bool value = rest_[0] == 't';
  rest_.remove_prefix(value ? 4 : 5);
  return storeUnlessDefault(frame, field, value);
}

bool JsonReader::storeUnlessDefault(Frame &frame, const FieldPlan &field, std::uint64_t bits) {
  if (field.implicitPresence && bits == 0)
    return true;
  storeNumber(frame.message, field, bits);
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return true;
}

bool JsonReader::readSubmessage(Frame &frame, const FieldPlan &field, const Place &place) {
  const std::uint64_t begin = offset();
  if (rest_[0] != '{')
    return failType(place, "an object");
  if (frame.depth >= limits_.messageDepth)
    return fail("limit.message-depth", place, begin,
                "messages nest deeper than `" + std::to_string(limits_.messageDepth) +
                    "`, which is the limit");
  Frame inner{*field.message, storeMessage(frame.message, field), place, frame.depth + 1, 0, {}, false};
  if (!readMessage(inner))
    return false;
  if (!inner.holdsAnything && !field.mayBeEmpty)
    return fail("canonical.empty-message", place, begin,
                "a message with nothing in it; the field has to be left out");
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return true;
}

bool JsonReader::readString(Frame &frame, const FieldPlan &field, const Place &place) {
  const std::uint64_t begin = offset();
  if (rest_[0] != '"')
    return failType(place, "a string");
  const std::string_view text = readJsonString(rest_, scratch_);
  std::string value;
  if (field.type == FieldType::String)
    value = text;
  else if (!decodeBase64(text, value))
    return fail("json.invalid-base64", place, begin,
                "the string is not padded base64 of the standard alphabet");
  if (value.size() > limits_.stringBytes)
    return fail("limit.string-bytes", place, begin,
                quoted(std::to_string(value.size())) + " bytes exceed the limit of `" +
                    std::to_string(limits_.stringBytes) + "`");
  if (field.implicitPresence && value.empty())
    return true;
  storeString(frame.message, field, std::move(value));
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return true;
}

bool JsonReader::readEnum(Frame &frame, const FieldPlan &field, const Place &place) {
  const std::uint64_t begin = offset();
  if (rest_[0] != '"')
    return failType(place, "the name of an enum value");
  const std::string_view name = readJsonString(rest_, scratch_);
  const EnumValuePlan *value = field.enumeration->find(name);
  if (value == nullptr)
    return fail("json.unknown-enum-value", place, begin,
                quoted(name) + " is not a value of " +
                    quoted(std::string(field.descriptor->enum_type()->full_name())));
  if (value->number != 0 || !field.implicitPresence)
    usage_.add(value->demands);
  return storeUnlessDefault(frame, field, static_cast<std::uint64_t>(std::int64_t{value->number}));
}

bool JsonReader::readInteger(Frame &frame, const FieldPlan &field, const Place &place) {
  const std::uint64_t begin = offset();
  std::string_view token;
  if (field.wide) {
    if (rest_[0] != '"')
      return failType(place, "an integer in a string");
    token = readJsonString(rest_, scratch_);
    if (!isPlainInteger(token))
      return fail("json.number-spelling", place, begin,
                  quoted(token) + " is not an integer in its shortest spelling");
  } else {
    if (rest_[0] != '-' && (rest_[0] < '0' || rest_[0] > '9'))
      return failType(place, "a number");
    token = rest_.substr(0, std::min(rest_.find_first_of(" \t\n\r,]}"), rest_.size()));
    rest_.remove_prefix(token.size());
  }
  std::uint64_t bits = 0;
  if (!parseInteger(token, field, bits))
    return fail("json.number-out-of-range", place, begin, quoted(token) + " does not fit the field");
  return storeUnlessDefault(frame, field, bits);
}

} // namespace interlock::detail
