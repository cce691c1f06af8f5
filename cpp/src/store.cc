#include "store.h"

#include <utility>

namespace interlock::detail {

namespace pb = google::protobuf;

namespace {

void storeInteger(pb::Message &message, const FieldPlan &field, std::uint64_t bits) {
  const pb::Reflection &reflection = *message.GetReflection();
  const pb::FieldDescriptor *descriptor = field.descriptor;
  if (field.wide && field.isSigned) {
    const auto value = static_cast<std::int64_t>(bits);
    field.repeated ? reflection.AddInt64(&message, descriptor, value)
                   : reflection.SetInt64(&message, descriptor, value);
  } else if (field.wide) {
    field.repeated ? reflection.AddUInt64(&message, descriptor, bits)
                   : reflection.SetUInt64(&message, descriptor, bits);
  } else if (field.isSigned) {
    const auto value = static_cast<std::int32_t>(bits);
    field.repeated ? reflection.AddInt32(&message, descriptor, value)
                   : reflection.SetInt32(&message, descriptor, value);
  } else {
    const auto value = static_cast<std::uint32_t>(bits);
    field.repeated ? reflection.AddUInt32(&message, descriptor, value)
                   : reflection.SetUInt32(&message, descriptor, value);
  }
}

} // namespace

void storeNumber(pb::Message &message, const FieldPlan &field, std::uint64_t bits) {
  const pb::Reflection &reflection = *message.GetReflection();
  const pb::FieldDescriptor *descriptor = field.descriptor;
  if (field.type == FieldType::Integer) {
    storeInteger(message, field, bits);
  } else if (field.type == FieldType::Bool) {
    field.repeated ? reflection.AddBool(&message, descriptor, bits != 0)
                   : reflection.SetBool(&message, descriptor, bits != 0);
  } else {
    const auto value = static_cast<int>(bits);
    field.repeated ? reflection.AddEnumValue(&message, descriptor, value)
                   : reflection.SetEnumValue(&message, descriptor, value);
  }
}

void storeString(pb::Message &message, const FieldPlan &field, std::string value) {
  const pb::Reflection &reflection = *message.GetReflection();
  field.repeated ? reflection.AddString(&message, field.descriptor, std::move(value))
                 : reflection.SetString(&message, field.descriptor, std::move(value));
}

pb::Message &storeMessage(pb::Message &message, const FieldPlan &field) {
  const pb::Reflection &reflection = *message.GetReflection();
  return field.repeated ? *reflection.AddMessage(&message, field.descriptor)
                        : *reflection.MutableMessage(&message, field.descriptor);
}

} // namespace interlock::detail
