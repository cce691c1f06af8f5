#include "header.h"

#include "execgraph/v1/header.pb.h"
#include "interlock/version.h"
#include "utf8.h"
#include "wire.h"

#include <algorithm>

namespace interlock::detail {

namespace pb = google::protobuf;
using execgraph::v1::Header;

namespace {

constexpr const char *kMajorPath = "header.schema_major";
constexpr const char *kMinorPath = "header.schema_minor";
constexpr const char *kFeaturesPath = "header.required_features";
constexpr const char *kKindPath = "header.kind";

const Header &headerOf(const pb::Message &message) {
  const pb::FieldDescriptor *field = message.GetDescriptor()->FindFieldByNumber(1);
  return static_cast<const Header &>(message.GetReflection()->GetMessage(message, field));
}

Header &mutableHeaderOf(pb::Message &message) {
  const pb::FieldDescriptor *field = message.GetDescriptor()->FindFieldByNumber(1);
  return static_cast<Header &>(*message.GetReflection()->MutableMessage(&message, field));
}

// Reads the fields of a header that are judged, and skips the others.
class HeaderReader {
public:
  HeaderReader(std::string_view bytes, StatedHeader &header, ErrorSlot &errors)
      : base_(bytes.data()), at_(base_), end_(base_ + bytes.size()), header_(header), errors_(errors) {}

  bool read() {
    std::uint64_t tag = 0;
    const VarintStatus status = readVarint(at_, end_, tag);
    const bool readable = status == VarintStatus::Minimal || status == VarintStatus::Overlong;
    if (!readable || tag != (1 << 3 | 2))
      return errors_.fail("header.missing", "header", 0,
                          "the first field is not the header, which every document begins with");
    std::uint64_t length = 0;
    if (!varint("header", length) || !fits(length, "header"))
      return false;
    end_ = at_ + length;
    while (at_ < end_)
      if (!readField())
        return false;
    return true;
  }

private:
  [[nodiscard]] std::uint64_t offset() const { return static_cast<std::uint64_t>(tag_ - base_); }

  bool varint(const std::string &path, std::uint64_t &value) {
    switch (readVarint(at_, end_, value)) {
    case VarintStatus::Truncated:
      return errors_.fail("wire.truncated", path, offset(), "the bytes end within a varint");
    case VarintStatus::Overflow:
      return errors_.fail("wire.varint-overflow", path, offset(), "a varint holds more than 64 bits");
    case VarintStatus::Minimal:
    case VarintStatus::Overlong:
      break;
    }
    return true;
  }

  bool fits(std::uint64_t length, const std::string &path) {
    if (length <= static_cast<std::uint64_t>(end_ - at_))
      return true;
    return errors_.fail("wire.truncated", path, offset(),
                        quoted(std::to_string(length)) + " bytes are announced and `" +
                            std::to_string(end_ - at_) + "` are left");
  }

  bool expect(WireType found, WireType wanted, const std::string &path) {
    return found == wanted || errors_.fail("wire.wrong-type", path, offset(),
                                           "wire type `" + std::to_string(static_cast<int>(found)) +
                                               "` is not the one of the field, `" +
                                               std::to_string(static_cast<int>(wanted)) + "`");
  }

  bool readField() {
    tag_ = at_;
    std::uint64_t tag = 0;
    if (!varint("header", tag))
      return false;
    const std::uint64_t number = tag >> 3;
    const auto type = static_cast<WireType>(tag & 7);
    if (number == 0 || tag > 0xFFFFFFFF || (tag & 7) > 5)
      return errors_.fail("wire.invalid-tag", "header", offset(), quoted(std::to_string(tag)) + " is no tag");
    if (type == WireType::StartGroup || type == WireType::EndGroup)
      return errors_.fail("wire.group", "header", offset(), "a group; groups are not part of the format");
    switch (number) {
    case Header::kKindFieldNumber:
      return readKind(type);
    case Header::kSchemaMajorFieldNumber:
      return readVersion(type, kMajorPath, kSchemaMajor, header_.major, header_.majorOffset,
                         header_.majorKnown);
    case Header::kSchemaMinorFieldNumber:
      return readVersion(type, kMinorPath, std::nullopt, header_.minor, header_.minorOffset,
                         header_.minorKnown);
    case Header::kRequiredFeaturesFieldNumber:
      return readFeature(type);
    default:
      return skip(type);
    }
  }

  bool readKind(WireType type) {
    std::uint64_t value = 0;
    if (!expect(type, WireType::Varint, kKindPath) || !varint(kKindPath, value))
      return false;
    header_.kind = std::to_string(static_cast<std::int64_t>(value));
    header_.kindOffset = offset();
    header_.root = Schema::get().findKind(value);
    return true;
  }

  // A major has to be equal to the known one; a minor must not be greater.
  bool readVersion(WireType type, const std::string &path, std::optional<std::uint32_t> exactly,
                   std::string &text, std::uint64_t &where, bool &known) {
    std::uint64_t value = 0;
    if (!expect(type, WireType::Varint, path) || !varint(path, value))
      return false;
    if (value > 0xFFFFFFFF)
      return errors_.fail("wire.value-out-of-range", path, offset(),
                          quoted(std::to_string(value)) + " does not fit into 32 bits");
    text = std::to_string(value);
    where = offset();
    known = exactly ? value == *exactly : value <= kSchemaMinor;
    return true;
  }

  bool readFeature(WireType type) {
    const std::string path = std::string(kFeaturesPath) + '[' + std::to_string(features_) + ']';
    std::uint64_t length = 0;
    if (!expect(type, WireType::Len, path) || !varint(path, length) || !fits(length, path))
      return false;
    const std::string_view feature(at_, length);
    at_ += length;
    const Utf8Scan scan = scanUtf8(feature);
    if (scan.illFormed != kNowhere)
      return errors_.fail("wire.invalid-utf8", path, offset(), "the string is not well-formed UTF-8");
    if (scan.noncharacter != kNowhere)
      return errors_.fail("wire.noncharacter", path, offset(), "the string holds a noncharacter");
    if (!header_.unknownFeature && !Schema::get().knowsFeature(feature)) {
      header_.unknownFeature = feature;
      header_.unknownFeatureIndex = features_;
      header_.unknownFeatureOffset = offset();
    }
    ++features_;
    return true;
  }

  bool skip(WireType type) {
    std::uint64_t length = type == WireType::Fixed32 ? 4 : 8;
    if (type == WireType::Varint)
      return varint("header", length);
    if (type == WireType::Len && !varint("header", length))
      return false;
    if (!fits(length, "header"))
      return false;
    at_ += length;
    return true;
  }

  const char *base_;
  const char *at_;
  const char *end_;
  const char *tag_ = base_;
  std::size_t features_ = 0;
  StatedHeader &header_;
  ErrorSlot &errors_;
};

void addMessage(const pb::Message &message, const MessagePlan &plan, Usage &usage) {
  if (!plan.holdsDemands)
    return;
  const pb::Reflection &reflection = *message.GetReflection();
  for (const FieldPlan &field : plan.fields) {
    const int size = field.repeated ? reflection.FieldSize(message, field.descriptor)
                                    : static_cast<int>(reflection.HasField(message, field.descriptor));
    if (size == 0)
      continue;
    usage.add(field.demands);
    for (int i = 0; i < size; ++i) {
      if (field.type == FieldType::Message)
        addMessage(field.repeated ? reflection.GetRepeatedMessage(message, field.descriptor, i)
                                  : reflection.GetMessage(message, field.descriptor),
                   *field.message, usage);
      if (field.type != FieldType::Enum)
        continue;
      const int number = field.repeated ? reflection.GetRepeatedEnumValue(message, field.descriptor, i)
                                        : reflection.GetEnumValue(message, field.descriptor);
      if (const EnumValuePlan *value =
              field.enumeration->find(static_cast<std::uint64_t>(std::int64_t{number})))
        usage.add(value->demands);
    }
  }
}

} // namespace

const RootPlan *judgeHeader(const StatedHeader &header, const std::optional<std::string> &expectedKind,
                            ErrorSlot &errors) {
  if (!header.majorKnown) {
    errors.fail("version.unknown-major", kMajorPath, header.majorOffset,
                "the document is of schema major " + quoted(header.major) + " and this reader knows `" +
                    std::to_string(kSchemaMajor) + '`');
  } else if (header.unknownFeature) {
    errors.fail("version.unknown-feature",
                std::string(kFeaturesPath) + '[' + std::to_string(header.unknownFeatureIndex) + ']',
                header.unknownFeatureOffset,
                "the document requires the feature " + quoted(*header.unknownFeature) +
                    " and this reader knows " + Schema::get().featureList());
  } else if (!header.minorKnown) {
    errors.fail("version.newer-minor", kMinorPath, header.minorOffset,
                "the document is of schema minor " + quoted(header.minor) + " and this reader knows up to `" +
                    std::to_string(kSchemaMinor) + '`');
  } else if (header.root == nullptr) {
    errors.fail("header.unknown-kind", kKindPath, header.kindOffset,
                quoted(header.kind) + " is not a document kind that this reader knows");
  } else if (expectedKind && *expectedKind != header.root->kind) {
    errors.fail("header.kind-mismatch", kKindPath, header.kindOffset,
                "the document is of kind " + quoted(header.root->kind) + " and " + quoted(*expectedKind) +
                    " is expected");
  } else {
    return header.root;
  }
  return nullptr;
}

bool readBinaryHeader(std::string_view bytes, StatedHeader &header, ErrorSlot &errors) {
  return HeaderReader(bytes, header, errors).read();
}

Usage::Usage() { features_.emplace(kDraftFeature); }

void Usage::addDemands(const Demands &demands) {
  minor_ = std::max(minor_, demands.sinceMinor);
  if (!demands.feature.empty())
    features_.insert(demands.feature);
}

Usage usageOf(const pb::Message &message, const MessagePlan &plan) {
  Usage usage;
  addMessage(message, plan, usage);
  return usage;
}

void completeHeader(pb::Message &message, const RootPlan &root, const Usage &usage) {
  Header &header = mutableHeaderOf(message);
  header.set_kind(static_cast<execgraph::v1::DocumentKind>(root.number));
  header.set_schema_major(kSchemaMajor);
  header.set_schema_minor(usage.minor());
  header.clear_required_features();
  for (const std::string &feature : usage.features())
    header.add_required_features(feature);
}

bool checkHeader(const pb::Message &message, const Usage &usage, std::uint64_t offset, ErrorSlot &errors) {
  const Header &header = headerOf(message);
  if (header.schema_minor() != usage.minor())
    return errors.fail("canonical.schema-minor", kMinorPath, offset,
                       "the header states minor `" + std::to_string(header.schema_minor()) +
                           "` and the document needs `" + std::to_string(usage.minor()) + '`');
  const auto &stated = header.required_features();
  const std::set<std::string> features(stated.begin(), stated.end());
  if (features != usage.features()) {
    std::string needed;
    for (const std::string &feature : usage.features())
      needed += (needed.empty() ? "" : ", ") + quoted(feature);
    return errors.fail("canonical.required-features", kFeaturesPath, offset,
                       "the header does not state exactly the features that the document uses, " + needed);
  }
  return true;
}

} // namespace interlock::detail
