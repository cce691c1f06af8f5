#include "binary_reader.h"

#include "store.h"
#include "utf8.h"

#include <algorithm>
#include <bitset>

namespace interlock::detail {

namespace pb = google::protobuf;

// One message that is being read.
struct BinaryReader::Frame {
  Frame(const MessagePlan &plan, pb::Message &message, const char *end, const Place &place,
        std::uint32_t depth)
      : plan(plan), message(message), end(end), place(place), depth(depth) {}

  SetFollower &follower(const FieldPlan &set) {
    for (SetFollower &candidate : followers)
      if (&candidate.set() == &set)
        return candidate;
    return followers.emplace_back(set);
  }

  const MessagePlan &plan;
  pb::Message &message;
  const char *end;
  const Place &place;
  std::uint32_t depth;
  std::uint32_t previousNumber = 0;
  std::bitset<kMostFields> seen;       // By index of the field.
  std::bitset<kMostFields> seenOneofs; // By index of the oneof.
  bool holdsAnything = false;          // Other than defaults.
  std::vector<SetFollower> followers;
};

BinaryReader::BinaryReader(std::string_view bytes, const Limits &limits, bool mend, ErrorSlot &errors)
    : base_(bytes.data()), at_(base_), end_(base_ + bytes.size()), tag_(base_), limits_(limits), mend_(mend),
      errors_(errors) {
  limits_.messageDepth = std::min(limits_.messageDepth, kDeepestMessage);
}

bool BinaryReader::fail(std::string_view code, const Place &place, std::string message) {
  return errors_.fail(code, place, static_cast<std::uint64_t>(tag_ - base_), std::move(message));
}

bool BinaryReader::read(const MessagePlan &plan, pb::Message &message) {
  const Place root;
  Frame frame(plan, message, end_, root, 1);
  return readMessage(frame);
}

bool BinaryReader::readMessage(Frame &frame) {
  while (at_ < frame.end) {
    tag_ = at_;
    std::uint64_t tag = 0;
    if (!readTag(frame, tag) || !readField(frame, tag))
      return false;
  }
  for (const SetFollower &follower : frame.followers)
    if (follower.unsorted())
      sortSet(frame.message, follower.set());
  return true;
}

bool BinaryReader::readTag(const Frame &frame, std::uint64_t &tag) {
  if (!readVarint(frame.end, frame.place, tag))
    return false;
  if (tag > 0xFFFFFFFF || (tag >> 3) == 0 || (tag & 7) > 5)
    return fail("wire.invalid-tag", frame.place, quoted(std::to_string(tag)) + " is no tag of a field");
  const auto type = static_cast<WireType>(tag & 7);
  if (type == WireType::StartGroup || type == WireType::EndGroup)
    return fail("wire.group", frame.place, "a group; groups are not part of the format");
  return true;
}

bool BinaryReader::readField(Frame &frame, std::uint64_t tag) {
  const FieldPlan *found = frame.plan.find(static_cast<std::uint32_t>(tag >> 3));
  if (found == nullptr)
    return fail("canonical.unknown-field", frame.place,
                "field number `" + std::to_string(tag >> 3) + "` is not defined in " +
                    quoted(std::string(frame.plan.descriptor->full_name())));
  const FieldPlan &field = *found;
  Place place{&frame.place, &field, -1};
  if (field.repeated && !field.packed())
    place.index = frame.message.GetReflection()->FieldSize(frame.message, field.descriptor);
  if (frame.depth == 1 && field.number == 1 && frame.seen.test(field.index))
    return fail("header.duplicate", place, "a second header; a document has one");

  const auto type = static_cast<WireType>(tag & 7);
  const bool unpacked = field.packed() && type == field.wireType;
  const WireType wanted = field.packed() ? WireType::Len : field.wireType;
  if (unpacked && !mend_)
    return fail("canonical.unpacked-list", place, "the elements stand alone; they have to be packed");
  if (!unpacked && type != wanted)
    return fail("wire.wrong-type", place,
                "wire type `" + std::to_string(static_cast<int>(type)) + "` is not the one of the field, `" +
                    std::to_string(static_cast<int>(wanted)) + "`");
  if (!checkOrder(frame, field, place))
    return false;
  if (field.repeated && (unpacked || !field.packed()) && !checkCount(frame, field, place))
    return false;
  if (field.packed() && !unpacked)
    return readPacked(frame, field, place);
  if (field.wireType != WireType::Len)
    return readNumberField(frame, field, place);
  if (field.type == FieldType::Message)
    return readSubmessage(frame, field, place);
  return readString(frame, field, place);
}

bool BinaryReader::checkOrder(Frame &frame, const FieldPlan &field, const Place &place) {
  if (field.number < frame.previousNumber && !mend_)
    return fail("canonical.field-order", place,
                "field number `" + std::to_string(field.number) + "` stands after `" +
                    std::to_string(frame.previousNumber) + "`; fields have to ascend");
  if (frame.seen.test(field.index)) {
    if (!field.repeated)
      return fail("canonical.duplicate-field", place, "a second value; the field has one");
    if (field.packed() && !mend_)
      return fail("canonical.split-list", place,
                  "a second piece of a packed list; it has to be in one piece");
  }
  if (field.oneof >= 0) {
    const auto oneof = static_cast<std::size_t>(field.oneof);
    if (frame.seenOneofs.test(oneof))
      return fail("canonical.duplicate-oneof", place, "a second arm of a oneof; one can be set");
    frame.seenOneofs.set(oneof);
  }
  frame.seen.set(field.index);
  frame.previousNumber = field.number;
  return true;
}

bool BinaryReader::checkCount(const Frame &frame, const FieldPlan &field, const Place &place) {
  const auto count =
      static_cast<std::uint64_t>(frame.message.GetReflection()->FieldSize(frame.message, field.descriptor));
  return count < limits_.repeatedElements ||
         fail("limit.repeated-elements", place,
              "more than `" + std::to_string(limits_.repeatedElements) + "` elements, which is the limit");
}

// Judges a varint that was read. \param value of the varint.
bool BinaryReader::checkVarint(VarintStatus status, const Place &place, std::uint64_t value) {
  switch (status) {
  case VarintStatus::Minimal:
    return true;
  case VarintStatus::Overlong:
    return mend_ || fail("canonical.overlong-varint", place,
                         quoted(std::to_string(value)) + " is written with more bytes than it needs");
  case VarintStatus::Truncated:
    return fail("wire.truncated", place, "the bytes end within a varint");
  case VarintStatus::Overflow:
    break;
  }
  return fail("wire.varint-overflow", place, "a varint holds more than 64 bits");
}

bool BinaryReader::readVarint(const char *end, const Place &place, std::uint64_t &value) {
  return checkVarint(detail::readVarint(at_, end, value), place, value);
}

bool BinaryReader::readLength(const char *end, const Place &place, std::uint64_t &length) {
  const VarintStatus status = detail::readVarint(at_, end, length);
  const auto left = static_cast<std::uint64_t>(end - at_);
  const bool readable = status == VarintStatus::Minimal || status == VarintStatus::Overlong;
  if (readable && length > left)
    return fail("wire.truncated", place,
                quoted(std::to_string(length)) + " bytes are announced and `" + std::to_string(left) +
                    "` are left");
  return checkVarint(status, place, length);
}

// Reads the value of a number and checks that it is one of the field's type.
bool BinaryReader::readNumber(const FieldPlan &field, const char *end, const Place &place,
                              std::uint64_t &value) {
  if (field.wireType != WireType::Varint) {
    const unsigned size = field.wireType == WireType::Fixed32 ? 4 : 8;
    if (static_cast<std::uint64_t>(end - at_) < size)
      return fail("wire.truncated", place, "the bytes end within a number");
    value = readFixed(at_, size);
    if (field.isSigned && size == 4)
      value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
    return true;
  }
  return readVarint(end, place, value) && narrow(field, place, value);
}

bool BinaryReader::narrow(const FieldPlan &field, const Place &place, std::uint64_t &value) {
  const auto outOfRange = [&] {
    return fail("wire.value-out-of-range", place,
                quoted(std::to_string(value)) + " does not fit into " +
                    (field.type == FieldType::Bool ? "a boolean" : "32 bits"));
  };
  switch (field.type) {
  case FieldType::Bool:
    return value <= 1 || outOfRange();
  case FieldType::Enum: {
    const EnumValuePlan *known = field.enumeration->find(value);
    if (known == nullptr)
      return fail("canonical.unknown-enum-value", place,
                  quoted(std::to_string(static_cast<std::int64_t>(value))) + " is not a value of " +
                      quoted(std::string(field.descriptor->enum_type()->full_name())));
    if (value != 0 || !field.implicitPresence)
      usage_.add(known->demands);
    return true;
  }
  default:
    break;
  }
  if (!field.wide) {
    const auto asSigned = static_cast<std::int64_t>(value);
    const bool fits = field.isSigned && !field.zigzag ? asSigned == static_cast<std::int32_t>(asSigned)
                                                      : value <= 0xFFFFFFFF;
    if (!fits)
      return outOfRange();
  }
  if (field.zigzag)
    value = (value >> 1) ^ (~(value & 1) + 1);
  return true;
}

bool BinaryReader::readNumberField(Frame &frame, const FieldPlan &field, const Place &place) {
  std::uint64_t value = 0;
  if (!readNumber(field, frame.end, place, value))
    return false;
  if (field.implicitPresence && value == 0)
    return mend_ || fail("canonical.default-value", place, "the default is written; it has to be left out");
  storeNumber(frame.message, field, value);
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return !field.isSet || followSet(frame, field, place);
}

bool BinaryReader::readPacked(Frame &frame, const FieldPlan &field, const Place &place) {
  std::uint64_t length = 0;
  if (!readLength(frame.end, place, length))
    return false;
  if (length == 0)
    return mend_ || fail("canonical.empty-list", place, "an empty list is written; it has to be left out");
  const char *end = at_ + length;
  while (at_ < end) {
    std::uint64_t value = 0;
    if (!checkCount(frame, field, place) || !readNumber(field, end, place, value))
      return false;
    storeNumber(frame.message, field, value);
    if (field.isSet && !followSet(frame, field, place))
      return false;
  }
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return true;
}

bool BinaryReader::readString(Frame &frame, const FieldPlan &field, const Place &place) {
  std::uint64_t length = 0;
  if (!readLength(frame.end, place, length))
    return false;
  if (field.implicitPresence && length == 0)
    return mend_ || fail("canonical.default-value", place, "the default is written; it has to be left out");
  if (length > limits_.stringBytes)
    return fail("limit.string-bytes", place,
                quoted(std::to_string(length)) + " bytes exceed the limit of `" +
                    std::to_string(limits_.stringBytes) + "`");
  const std::string_view text(at_, length);
  if (field.type == FieldType::String) {
    const Utf8Scan scan = scanUtf8(text);
    if (scan.illFormed != kNowhere)
      return fail("wire.invalid-utf8", place, "the string is not well-formed UTF-8");
    if (scan.noncharacter != kNowhere)
      return fail("wire.noncharacter", place, "the string holds a noncharacter");
  }
  at_ += length;
  storeString(frame.message, field, std::string(text));
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return !field.isSet || followSet(frame, field, place);
}

bool BinaryReader::readSubmessage(Frame &frame, const FieldPlan &field, const Place &place) {
  const char *tag = tag_;
  std::uint64_t length = 0;
  if (!readLength(frame.end, place, length))
    return false;
  if (length == 0 && !field.mayBeEmpty)
    return fail("canonical.empty-message", place, "an empty message; the field has to be left out");
  if (frame.depth >= limits_.messageDepth)
    return fail("limit.message-depth", place,
                "messages nest deeper than `" + std::to_string(limits_.messageDepth) +
                    "`, which is the limit");
  Frame inner(*field.message, storeMessage(frame.message, field), at_ + length, place, frame.depth + 1);
  if (!readMessage(inner))
    return false;
  tag_ = tag;
  if (!inner.holdsAnything && !field.mayBeEmpty)
    return fail("canonical.empty-message", place,
                "a message with nothing but defaults in it; the field has to be left out");
  usage_.add(field.demands);
  frame.holdsAnything = true;
  return !field.isSet || followSet(frame, field, place);
}

bool BinaryReader::followSet(Frame &frame, const FieldPlan &field, const Place &place) {
  const int index = frame.message.GetReflection()->FieldSize(frame.message, field.descriptor) - 1;
  SetFollower &follower = frame.follower(field);
  const SetFollower::Found found =
      mend_ ? follower.follow(frame.message, index) : follower.followSorted(frame.message, index);
  if (found == SetFollower::Found::Duplicate)
    return fail("canonical.duplicate-key", place,
                "an element with the same key stands before; keys are unique in a set");
  if (found == SetFollower::Found::Descending && !mend_)
    return fail("canonical.unsorted-set", place,
                "the key is smaller than the one before; keys have to ascend");
  return true;
}

} // namespace interlock::detail
