// What the codec knows about each message: derived once from the descriptors and their options.

#ifndef INTERLOCK_SRC_SCHEMA_H
#define INTERLOCK_SRC_SCHEMA_H

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace interlock::detail {

/// The most fields that a message may have, so that readers can keep what they saw in bits.
inline constexpr std::size_t kMostFields = 64;

enum class WireType : std::uint8_t {
  Varint = 0,
  Fixed64 = 1,
  Len = 2,
  StartGroup = 3,
  EndGroup = 4,
  Fixed32 = 5
};

enum class FieldType : std::uint8_t { Bool, Integer, Enum, String, Bytes, Message };

struct MessagePlan;

/// What using an element of the schema demands of a reader.
struct Demands {
  std::uint32_t sinceMinor = 0;
  std::string feature;

  [[nodiscard]] bool any() const { return sinceMinor != 0 || !feature.empty(); }
};

struct EnumValuePlan {
  std::int32_t number = 0;
  std::string name;
  std::string json; // The name in quotes.
  Demands demands;
};

struct EnumPlan {
  std::vector<EnumValuePlan> values; // By number.

  /// The value whose number is the given 64-bit pattern, sign extended; null if there is none.
  [[nodiscard]] const EnumValuePlan *find(std::uint64_t bits) const;
  [[nodiscard]] const EnumValuePlan *find(std::string_view name) const;
};

struct FieldPlan {
  const google::protobuf::FieldDescriptor *descriptor = nullptr;
  std::string name;
  std::string jsonName;
  std::string jsonPrefix; // `"jsonName":`
  std::uint32_t number = 0;
  std::size_t index = 0; // In `MessagePlan::fields`.
  FieldType type = FieldType::Bool;
  WireType wireType = WireType::Varint; // Of one element.
  bool wide = false;                    // 64-bit integer.
  bool isSigned = false;
  bool zigzag = false;
  bool repeated = false;
  bool isSet = false;            // Order means nothing.
  bool implicitPresence = false; // The default is not written.
  bool mayBeEmpty = false;       // An empty message says something here.
  bool provenance = false;
  int oneof = -1; // The index of the oneof that the field is an arm of.
  Demands demands;
  std::vector<const FieldPlan *> keys; // Empty: the whole element.
  const MessagePlan *message = nullptr;
  const EnumPlan *enumeration = nullptr;

  [[nodiscard]] bool packed() const { return repeated && wireType != WireType::Len; }
};

struct MessagePlan {
  const google::protobuf::Descriptor *descriptor = nullptr;
  std::vector<FieldPlan> fields;             // By number.
  std::vector<const FieldPlan *> byJsonName; // By bytes, which is by UTF-16 code units: names are ASCII.
  std::vector<const FieldPlan *> byNumber;   // Indexed by number.
  bool holdsDemands = false;                 // Here or below.
  bool holdsProvenance = false;              // Here or below.

  [[nodiscard]] const FieldPlan *find(std::uint32_t number) const {
    return number < byNumber.size() ? byNumber[number] : nullptr;
  }
  /// The field of that JSON name; `hint` is the position in `byJsonName` to look at first, and is moved past
  /// it.
  [[nodiscard]] const FieldPlan *findJson(std::string_view jsonName, std::size_t &hint) const;
  [[nodiscard]] const FieldPlan *findName(std::string_view name) const;
};

struct RootPlan {
  std::string kind; // Such as `ExecutionGraph`.
  int number = 0;   // Of the document kind.
  const MessagePlan *plan = nullptr;
};

class Schema {
public:
  /// The plans of everything that a document can hold. Built at the first call.
  static const Schema &get();

  [[nodiscard]] const RootPlan *findKind(std::uint64_t number) const;
  [[nodiscard]] const RootPlan *findKindName(std::string_view enumValueName) const;
  [[nodiscard]] const RootPlan *findRoot(std::string_view fullName) const;
  /// Whether this reader knows the feature.
  [[nodiscard]] bool knowsFeature(std::string_view feature) const;
  /// The known features, for messages.
  [[nodiscard]] std::string featureList() const;

private:
  Schema();
  const MessagePlan *messagePlan(const google::protobuf::Descriptor *descriptor);
  const EnumPlan *enumPlan(const google::protobuf::EnumDescriptor *descriptor);
  void fillField(const google::protobuf::FieldDescriptor *descriptor, FieldPlan &field);
  void propagate();

  std::map<const google::protobuf::Descriptor *, std::unique_ptr<MessagePlan>> messages_;
  std::map<const google::protobuf::EnumDescriptor *, std::unique_ptr<EnumPlan>> enums_;
  std::vector<RootPlan> roots_;
  const EnumPlan *kinds_ = nullptr;
  std::vector<std::string> features_;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_SCHEMA_H
