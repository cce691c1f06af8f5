#include "keys.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace interlock::detail {

namespace pb = google::protobuf;

namespace {

constexpr char kAbsent = 0;
constexpr char kPresent = 1;

void appendNumber(std::uint64_t value, std::string &out) {
  for (int shift = 56; shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift);
}

// Signed numbers ascend as unsigned ones with the sign bit flipped.
void appendNumber(std::int64_t value, std::string &out) {
  appendNumber(static_cast<std::uint64_t>(value) ^ std::uint64_t{1} << 63, out);
}

// Ends with two zero bytes; a zero byte inside is followed by 0xFF, so that a prefix comes first.
void appendBytes(std::string_view bytes, std::string &out) {
  for (std::size_t zero = bytes.find('\0'); zero != std::string_view::npos; zero = bytes.find('\0')) {
    out.append(bytes.substr(0, zero + 1));
    out += '\xFF';
    bytes.remove_prefix(zero + 1);
  }
  out.append(bytes);
  out.append(2, '\0');
}

void appendMessage(const pb::Message &message, const MessagePlan &plan, std::string &out);

void appendSingular(const pb::Message &message, const FieldPlan &field, std::string &out) {
  const pb::Reflection &reflection = *message.GetReflection();
  const pb::FieldDescriptor *descriptor = field.descriptor;
  std::string scratch;
  switch (field.type) {
  case FieldType::Bool:
    return appendNumber(std::uint64_t{reflection.GetBool(message, descriptor)}, out);
  case FieldType::Enum:
    return appendNumber(std::int64_t{reflection.GetEnumValue(message, descriptor)}, out);
  case FieldType::String:
  case FieldType::Bytes:
    return appendBytes(reflection.GetStringReference(message, descriptor, &scratch), out);
  case FieldType::Message:
    return appendMessage(reflection.GetMessage(message, descriptor), *field.message, out);
  case FieldType::Integer:
    break;
  }
  if (field.isSigned)
    return appendNumber(field.wide ? std::int64_t{reflection.GetInt64(message, descriptor)}
                                   : std::int64_t{reflection.GetInt32(message, descriptor)},
                        out);
  appendNumber(field.wide ? std::uint64_t{reflection.GetUInt64(message, descriptor)}
                          : std::uint64_t{reflection.GetUInt32(message, descriptor)},
               out);
}

void appendElement(const pb::Message &message, const FieldPlan &field, int index, std::string &out) {
  const pb::Reflection &reflection = *message.GetReflection();
  const pb::FieldDescriptor *descriptor = field.descriptor;
  std::string scratch;
  switch (field.type) {
  case FieldType::Bool:
    return appendNumber(std::uint64_t{reflection.GetRepeatedBool(message, descriptor, index)}, out);
  case FieldType::Enum:
    return appendNumber(std::int64_t{reflection.GetRepeatedEnumValue(message, descriptor, index)}, out);
  case FieldType::String:
  case FieldType::Bytes:
    return appendBytes(reflection.GetRepeatedStringReference(message, descriptor, index, &scratch), out);
  case FieldType::Message:
    return appendMessage(reflection.GetRepeatedMessage(message, descriptor, index), *field.message, out);
  case FieldType::Integer:
    break;
  }
  if (field.isSigned)
    return appendNumber(field.wide ? std::int64_t{reflection.GetRepeatedInt64(message, descriptor, index)}
                                   : std::int64_t{reflection.GetRepeatedInt32(message, descriptor, index)},
                        out);
  appendNumber(field.wide ? std::uint64_t{reflection.GetRepeatedUInt64(message, descriptor, index)}
                          : std::uint64_t{reflection.GetRepeatedUInt32(message, descriptor, index)},
               out);
}

void appendField(const pb::Message &message, const FieldPlan &field, std::string &out) {
  const pb::Reflection &reflection = *message.GetReflection();
  if (field.repeated) {
    const int size = reflection.FieldSize(message, field.descriptor);
    for (int i = 0; i < size; ++i) {
      out += kPresent;
      appendElement(message, field, i, out);
    }
    out += kAbsent; // The shorter list comes first.
    return;
  }
  if (!field.implicitPresence && !reflection.HasField(message, field.descriptor)) {
    out += kAbsent;
    return;
  }
  out += kPresent;
  appendSingular(message, field, out);
}

void appendMessage(const pb::Message &message, const MessagePlan &plan, std::string &out) {
  for (const FieldPlan &field : plan.fields)
    appendField(message, field, out);
}

} // namespace

void appendKey(const pb::Message &owner, const FieldPlan &set, int index, std::string &out) {
  if (set.keys.empty())
    return appendElement(owner, set, index, out);
  const pb::Message &element = owner.GetReflection()->GetRepeatedMessage(owner, set.descriptor, index);
  for (const FieldPlan *key : set.keys)
    appendField(element, *key, out);
}

SetFollower::Found SetFollower::followSorted(const pb::Message &owner, int index) {
  current_.clear();
  appendKey(owner, *set_, index, current_);
  if (index > 0 && current_ <= previous_)
    return current_ == previous_ ? Found::Duplicate : Found::Descending;
  std::swap(current_, previous_);
  return Found::Ascending;
}

SetFollower::Found SetFollower::follow(const pb::Message &owner, int index) {
  if (!unsorted_) {
    const Found found = followSorted(owner, index);
    if (found != Found::Descending)
      return found;
    unsorted_ = true;
    for (int i = 0; i < index; ++i) {
      std::string key;
      appendKey(owner, *set_, i, key);
      earlier_.insert(earlier_.end(), std::move(key));
    }
    return earlier_.insert(std::move(current_)).second ? Found::Descending : Found::Duplicate;
  }
  std::string key;
  appendKey(owner, *set_, index, key);
  return earlier_.insert(std::move(key)).second ? Found::Descending : Found::Duplicate;
}

void sortSet(pb::Message &owner, const FieldPlan &set) {
  const pb::Reflection &reflection = *owner.GetReflection();
  const int size = reflection.FieldSize(owner, set.descriptor);
  std::vector<std::pair<std::string, int>> order(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    auto &[key, position] = order[static_cast<std::size_t>(i)];
    appendKey(owner, set, i, key);
    position = i;
  }
  std::sort(order.begin(), order.end());
  // Position i gets the element that was at `order[i]`; each swap puts one element of a cycle into its place.
  std::vector<int> from(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    from[i] = order[i].second;
  for (int i = 0; i < size; ++i) {
    int at = i;
    while (from[static_cast<std::size_t>(at)] != i) {
      const int next = from[static_cast<std::size_t>(at)];
      reflection.SwapElements(&owner, set.descriptor, at, next);
      from[static_cast<std::size_t>(at)] = at;
      at = next;
    }
    from[static_cast<std::size_t>(at)] = at;
  }
}

} // namespace interlock::detail
