// The header of a document: what a reader may go on to read, and what a document has to say about itself.

#ifndef INTERLOCK_SRC_HEADER_H
#define INTERLOCK_SRC_HEADER_H

#include "place.h"
#include "schema.h"

#include <google/protobuf/message.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace interlock::detail {

/// What a header states, before the document is read. Offsets are those to report.
struct StatedHeader {
  std::string major = "0"; // As written, since it may be any number.
  std::uint64_t majorOffset = 0;
  bool majorKnown = false;
  std::string minor = "0";
  std::uint64_t minorOffset = 0;
  bool minorKnown = true;
  std::optional<std::string> unknownFeature; // The first.
  std::size_t unknownFeatureIndex = 0;
  std::uint64_t unknownFeatureOffset = 0;
  std::string kind = "0"; // As written.
  std::uint64_t kindOffset = 0;
  const RootPlan *root = nullptr; // Null: an unknown kind.
};

/// Judges a header: major, features, minor, kind.
/// \returns the root message, or null after it reported an error.
[[nodiscard]] const RootPlan *judgeHeader(const StatedHeader &header,
                                          const std::optional<std::string> &expectedKind, ErrorSlot &errors);

/// The header of a document in binary form, read tolerantly.
/// \returns false after it reported an error.
[[nodiscard]] bool readBinaryHeader(std::string_view bytes, StatedHeader &header, ErrorSlot &errors);

/// What a document uses of the schema, and so what its header has to state.
class Usage {
public:
  Usage();
  void add(const Demands &demands) {
    if (demands.any()) [[unlikely]]
      addDemands(demands);
  }
  [[nodiscard]] std::uint32_t minor() const { return minor_; }
  [[nodiscard]] const std::set<std::string> &features() const { return features_; }

private:
  void addDemands(const Demands &demands);

  std::uint32_t minor_ = 0;
  std::set<std::string> features_; // In canonical order.
};

/// What the message uses, at every level.
[[nodiscard]] Usage usageOf(const google::protobuf::Message &message, const MessagePlan &plan);

/// Sets kind, versions and features of the header of a root message.
void completeHeader(google::protobuf::Message &message, const RootPlan &root, const Usage &usage);

/// Checks that the header of a root message states exactly what the document uses.
/// \param offset of the header.
[[nodiscard]] bool checkHeader(const google::protobuf::Message &message, const Usage &usage,
                               std::uint64_t offset, ErrorSlot &errors);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_HEADER_H
