#include "message_judge.h"

#include "keys.h"
#include "utf8.h"

#include <google/protobuf/unknown_field_set.h>

#include <string>

namespace interlock::detail {

namespace pb = google::protobuf;

namespace {

// The number of values that a field holds: 0 or 1 if it is singular.
int count(const pb::Message &message, const FieldPlan &field) {
  const pb::Reflection &reflection = *message.GetReflection();
  return field.repeated ? reflection.FieldSize(message, field.descriptor)
                        : static_cast<int>(reflection.HasField(message, field.descriptor));
}

const pb::Message &child(const pb::Message &message, const FieldPlan &field, int index) {
  const pb::Reflection &reflection = *message.GetReflection();
  return field.repeated ? reflection.GetRepeatedMessage(message, field.descriptor, index)
                        : reflection.GetMessage(message, field.descriptor);
}

pb::Message &mutableChild(pb::Message &message, const FieldPlan &field, int index) {
  const pb::Reflection &reflection = *message.GetReflection();
  return field.repeated ? *reflection.MutableRepeatedMessage(&message, field.descriptor, index)
                        : *reflection.MutableMessage(&message, field.descriptor);
}

const std::string &text(const pb::Message &message, const FieldPlan &field, int index, std::string &scratch) {
  const pb::Reflection &reflection = *message.GetReflection();
  return field.repeated ? reflection.GetRepeatedStringReference(message, field.descriptor, index, &scratch)
                        : reflection.GetStringReference(message, field.descriptor, &scratch);
}

class Judge {
public:
  Judge(std::uint32_t deepest, ErrorSlot &errors) : deepest_(deepest), errors_(errors) {}

  bool visit(pb::Message &message, const MessagePlan &plan, const Place &place, std::uint32_t depth) {
    if (message.GetReflection()->GetUnknownFields(message).field_count() > 0)
      return fail("canonical.unknown-field", place,
                  "the message holds fields that are not defined in " +
                      quoted(std::string(plan.descriptor->full_name())));
    for (const FieldPlan &field : plan.fields)
      if (!visitField(message, field, place, depth))
        return false;
    return true;
  }

private:
  bool fail(std::string_view code, const Place &place, std::string message) {
    return errors_.fail(code, place, std::nullopt, std::move(message));
  }

  bool visitField(pb::Message &message, const FieldPlan &field, const Place &parent, std::uint32_t depth) {
    const int size = count(message, field);
    if (size == 0)
      return true;
    Place place{&parent, &field, -1};
    SetFollower follower(field);
    for (int i = 0; i < size; ++i) {
      place.index = field.repeated ? i : -1;
      if (!visitValue(message, field, i, place, depth))
        return false;
      if (field.isSet && follower.follow(message, i) == SetFollower::Found::Duplicate)
        return fail("canonical.duplicate-key", place,
                    "an element with the same key stands before; keys are unique in a set");
    }
    if (follower.unsorted())
      sortSet(message, field);
    return true;
  }

  bool visitValue(pb::Message &message, const FieldPlan &field, int index, const Place &place,
                  std::uint32_t depth) {
    switch (field.type) {
    case FieldType::Message:
      return visitMessage(mutableChild(message, field, index), field, place, depth);
    case FieldType::String:
      return visitString(message, field, index, place);
    case FieldType::Enum:
      return visitEnum(message, field, index, place);
    default:
      return true;
    }
  }

  bool visitMessage(pb::Message &message, const FieldPlan &field, const Place &place, std::uint32_t depth) {
    if (depth >= deepest_)
      return fail("limit.message-depth", place,
                  "messages nest deeper than `" + std::to_string(deepest_) + "`, which is the limit");
    if (!visit(message, *field.message, place, depth + 1))
      return false;
    if (field.mayBeEmpty)
      return true;
    for (const FieldPlan &inner : field.message->fields)
      if (count(message, inner) > 0)
        return true;
    return fail("canonical.empty-message", place, "an empty message; the field has to be left out");
  }

  bool visitString(const pb::Message &message, const FieldPlan &field, int index, const Place &place) {
    std::string scratch;
    const Utf8Scan scan = scanUtf8(text(message, field, index, scratch));
    if (scan.illFormed != kNowhere)
      return fail("wire.invalid-utf8", place, "the string is not well-formed UTF-8");
    return scan.noncharacter == kNowhere ||
           fail("wire.noncharacter", place, "the string holds a noncharacter");
  }

  bool visitEnum(const pb::Message &message, const FieldPlan &field, int index, const Place &place) {
    const pb::Reflection &reflection = *message.GetReflection();
    const int number = field.repeated ? reflection.GetRepeatedEnumValue(message, field.descriptor, index)
                                      : reflection.GetEnumValue(message, field.descriptor);
    return field.enumeration->find(static_cast<std::uint64_t>(std::int64_t{number})) != nullptr ||
           fail("canonical.unknown-enum-value", place,
                quoted(std::to_string(number)) + " is not a value of " +
                    quoted(std::string(field.descriptor->enum_type()->full_name())));
  }

  std::uint32_t deepest_;
  ErrorSlot &errors_;
};

} // namespace

bool judgeMessage(pb::Message &message, const MessagePlan &plan, std::uint32_t deepest, ErrorSlot &errors) {
  const Place root;
  return Judge(deepest, errors).visit(message, plan, root, 1);
}

bool holdsOnlyUtf8(const pb::Message &message, const MessagePlan &plan) {
  for (const FieldPlan &field : plan.fields) {
    if (field.type != FieldType::String && field.type != FieldType::Message)
      continue;
    const int size = count(message, field);
    for (int i = 0; i < size; ++i) {
      std::string scratch;
      if (field.type == FieldType::Message ? !holdsOnlyUtf8(child(message, field, i), *field.message)
                                           : scanUtf8(text(message, field, i, scratch)).illFormed != kNowhere)
        return false;
    }
  }
  return true;
}

void clearProvenance(pb::Message &message, const MessagePlan &plan) {
  if (!plan.holdsProvenance)
    return;
  for (const FieldPlan &field : plan.fields) {
    if (field.provenance) {
      message.GetReflection()->ClearField(&message, field.descriptor);
    } else if (field.type == FieldType::Message && field.message->holdsProvenance) {
      const int size = count(message, field);
      for (int i = 0; i < size; ++i)
        clearProvenance(mutableChild(message, field, i), *field.message);
    }
  }
}

} // namespace interlock::detail
