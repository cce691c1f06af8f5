#include "schema.h"

#include "execgraph/options/v1/options.pb.h"
#include "execgraph/v1/envelope.pb.h"
#include "execgraph/v1/graph.pb.h"
#include "execgraph/v1/header.pb.h"
#include "execgraph/v1/module.pb.h"
#include "execgraph/v1/package.pb.h"
#include "execgraph/v1/payload.pb.h"
#include "interlock/version.h"

#include <algorithm>
#include <cstdlib>

namespace interlock::detail {

namespace pb = google::protobuf;
namespace options = execgraph::options::v1;

namespace {

// A file of the schema is part of a program only if something of it is used. The constructor below aborts if
// a root is missing here.
void linkRoots() {
  static_cast<void>(execgraph::v1::Envelope::descriptor());
  static_cast<void>(execgraph::v1::ExecutionGraph::descriptor());
  static_cast<void>(execgraph::v1::Package::descriptor());
  static_cast<void>(execgraph::v1::TargetModuleBundle::descriptor());
  static_cast<void>(execgraph::v1::TargetPayload::descriptor());
}

// Whether the field is an arm of a oneof that is written as one, which the oneof of a proto3 `optional` is
// not.
const pb::OneofDescriptor *writtenOneof(const pb::FieldDescriptor *field) {
  return field->real_containing_oneof();
}

void setType(const pb::FieldDescriptor *descriptor, FieldPlan &field) {
  using pb::FieldDescriptor;
  const FieldDescriptor::Type type = descriptor->type();
  switch (type) {
  case FieldDescriptor::TYPE_BOOL:
    field.type = FieldType::Bool;
    return;
  case FieldDescriptor::TYPE_ENUM:
    field.type = FieldType::Enum;
    return;
  case FieldDescriptor::TYPE_STRING:
    field.type = FieldType::String;
    field.wireType = WireType::Len;
    return;
  case FieldDescriptor::TYPE_BYTES:
    field.type = FieldType::Bytes;
    field.wireType = WireType::Len;
    return;
  case FieldDescriptor::TYPE_MESSAGE:
    field.type = FieldType::Message;
    field.wireType = WireType::Len;
    return;
  case FieldDescriptor::TYPE_FLOAT:
  case FieldDescriptor::TYPE_DOUBLE:
  case FieldDescriptor::TYPE_GROUP:
    std::abort(); // The schema has no such field: a test holds it to that.
  default:
    break;
  }
  field.type = FieldType::Integer;
  field.zigzag = type == FieldDescriptor::TYPE_SINT32 || type == FieldDescriptor::TYPE_SINT64;
  const FieldDescriptor::CppType cpp = descriptor->cpp_type();
  field.wide = cpp == FieldDescriptor::CPPTYPE_INT64 || cpp == FieldDescriptor::CPPTYPE_UINT64;
  field.isSigned = cpp == FieldDescriptor::CPPTYPE_INT64 || cpp == FieldDescriptor::CPPTYPE_INT32;
  if (type == FieldDescriptor::TYPE_FIXED32 || type == FieldDescriptor::TYPE_SFIXED32)
    field.wireType = WireType::Fixed32;
  if (type == FieldDescriptor::TYPE_FIXED64 || type == FieldDescriptor::TYPE_SFIXED64)
    field.wireType = WireType::Fixed64;
}

} // namespace

const EnumValuePlan *EnumPlan::find(std::uint64_t bits) const {
  if (bits < values.size() && static_cast<std::uint64_t>(values[bits].number) == bits)
    return &values[bits];
  const auto wanted = static_cast<std::int64_t>(bits);
  const auto found =
      std::lower_bound(values.begin(), values.end(), wanted,
                       [](const EnumValuePlan &value, std::int64_t n) { return value.number < n; });
  return found != values.end() && found->number == wanted ? &*found : nullptr;
}

const EnumValuePlan *EnumPlan::find(std::string_view name) const {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const auto &value) { return value.name == name; });
  return found != values.end() ? &*found : nullptr;
}

const FieldPlan *MessagePlan::findJson(std::string_view jsonName, std::size_t &hint) const {
  for (std::size_t step = 0; step < byJsonName.size(); ++step) {
    const std::size_t at = (hint + step) % byJsonName.size();
    if (byJsonName[at]->jsonName == jsonName) {
      hint = at + 1;
      return byJsonName[at];
    }
  }
  return nullptr;
}

const FieldPlan *MessagePlan::findName(std::string_view name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const auto &field) { return field.name == name; });
  return found != fields.end() ? &*found : nullptr;
}

const Schema &Schema::get() {
  static const Schema schema;
  return schema;
}

Schema::Schema() {
  linkRoots();
  features_.emplace_back(kDraftFeature);
  const pb::EnumDescriptor *kinds = execgraph::v1::DocumentKind_descriptor();
  kinds_ = enumPlan(kinds);
  for (int i = 0; i < kinds->value_count(); ++i) {
    const std::string &root = kinds->value(i)->options().GetExtension(options::value).root_message();
    if (root.empty())
      continue;
    const pb::Descriptor *descriptor = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(root);
    if (descriptor == nullptr)
      std::abort(); // The option names a message that the schema lacks.
    roots_.push_back({std::string(descriptor->name()), kinds->value(i)->number(), messagePlan(descriptor)});
  }
  propagate();
  std::sort(features_.begin(), features_.end());
  features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
}

const EnumPlan *Schema::enumPlan(const pb::EnumDescriptor *descriptor) {
  auto &plan = enums_[descriptor];
  if (plan)
    return plan.get();
  plan = std::make_unique<EnumPlan>();
  for (int i = 0; i < descriptor->value_count(); ++i) {
    const pb::EnumValueDescriptor *value = descriptor->value(i);
    const options::EnumValueRules &rules = value->options().GetExtension(options::value);
    const std::string name(value->name());
    plan->values.push_back({value->number(), name, '"' + name + '"', {rules.since_minor(), rules.feature()}});
    if (!rules.feature().empty())
      features_.push_back(rules.feature());
  }
  std::stable_sort(plan->values.begin(), plan->values.end(),
                   [](const auto &a, const auto &b) { return a.number < b.number; });
  return plan.get();
}

void Schema::fillField(const pb::FieldDescriptor *descriptor, FieldPlan &field) {
  const options::FieldRules &rules = descriptor->options().GetExtension(options::field);
  field.descriptor = descriptor;
  field.name = std::string(descriptor->name());
  field.jsonName = std::string(descriptor->json_name());
  field.jsonPrefix = '"' + field.jsonName + "\":";
  field.number = static_cast<std::uint32_t>(descriptor->number());
  setType(descriptor, field);
  field.repeated = descriptor->is_repeated();
  field.isSet = rules.collection() == options::COLLECTION_SET;
  field.implicitPresence = !field.repeated && !descriptor->has_presence();
  const pb::OneofDescriptor *oneof = writtenOneof(descriptor);
  field.oneof = oneof != nullptr ? oneof->index() : -1;
  field.mayBeEmpty = field.oneof >= 0 || (field.repeated && !field.isSet);
  field.provenance = rules.provenance();
  field.demands = {rules.since_minor(), rules.feature()};
  if (!rules.feature().empty())
    features_.push_back(rules.feature());
  if (field.type == FieldType::Message)
    field.message = messagePlan(descriptor->message_type());
  if (field.type == FieldType::Enum)
    field.enumeration = enumPlan(descriptor->enum_type());
}

const MessagePlan *Schema::messagePlan(const pb::Descriptor *descriptor) {
  auto &entry = messages_[descriptor];
  if (entry)
    return entry.get();
  entry = std::make_unique<MessagePlan>();
  MessagePlan *plan = entry.get();
  plan->descriptor = descriptor;
  std::vector<const pb::FieldDescriptor *> ordered;
  for (int i = 0; i < descriptor->field_count(); ++i)
    ordered.push_back(descriptor->field(i));
  std::sort(ordered.begin(), ordered.end(),
            [](const auto *a, const auto *b) { return a->number() < b->number(); });
  if (ordered.size() > kMostFields)
    std::abort();
  plan->fields.resize(ordered.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    FieldPlan &field = plan->fields[i];
    fillField(ordered[i], field);
    field.index = i;
    plan->byJsonName.push_back(&field);
    plan->byNumber.resize(field.number + 1);
    plan->byNumber[field.number] = &field;
  }
  std::sort(plan->byJsonName.begin(), plan->byJsonName.end(),
            [](const auto *a, const auto *b) { return a->jsonName < b->jsonName; });
  return plan;
}

// Links keys, which may stand in messages that were being built, and passes the two flags up until nothing
// changes.
void Schema::propagate() {
  for (auto &[descriptor, plan] : messages_) {
    for (FieldPlan &field : plan->fields) {
      const options::FieldRules &rules = field.descriptor->options().GetExtension(options::field);
      for (const std::string &key : rules.keys()) {
        const FieldPlan *found = field.message != nullptr ? field.message->findName(key) : nullptr;
        if (found == nullptr)
          std::abort(); // The option names a field that the element lacks.
        field.keys.push_back(found);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[descriptor, plan] : messages_) {
      bool demands = false;
      bool provenance = false;
      for (const FieldPlan &field : plan->fields) {
        demands = demands || field.demands.any() || (field.message != nullptr && field.message->holdsDemands);
        if (field.enumeration != nullptr)
          for (const EnumValuePlan &value : field.enumeration->values)
            demands = demands || value.demands.any();
        provenance =
            provenance || field.provenance || (field.message != nullptr && field.message->holdsProvenance);
      }
      changed = changed || demands != plan->holdsDemands || provenance != plan->holdsProvenance;
      plan->holdsDemands = demands;
      plan->holdsProvenance = provenance;
    }
  }
}

const RootPlan *Schema::findKind(std::uint64_t number) const {
  for (const RootPlan &root : roots_)
    if (static_cast<std::uint64_t>(root.number) == number)
      return &root;
  return nullptr;
}

const RootPlan *Schema::findKindName(std::string_view enumValueName) const {
  const EnumValuePlan *value = kinds_->find(enumValueName);
  return value != nullptr ? findKind(static_cast<std::uint64_t>(value->number)) : nullptr;
}

const RootPlan *Schema::findRoot(std::string_view fullName) const {
  for (const RootPlan &root : roots_)
    if (fullName == std::string(root.plan->descriptor->full_name()))
      return &root;
  return nullptr;
}

bool Schema::knowsFeature(std::string_view feature) const {
  return std::find(features_.begin(), features_.end(), feature) != features_.end();
}

std::string Schema::featureList() const {
  std::string list;
  for (const std::string &feature : features_)
    list += (list.empty() ? "`" : ", `") + feature + '`';
  return list;
}

} // namespace interlock::detail
