// The strict reader of the binary form.

#ifndef INTERLOCK_SRC_BINARY_READER_H
#define INTERLOCK_SRC_BINARY_READER_H

#include "header.h"
#include "interlock/limits.h"
#include "keys.h"
#include "place.h"
#include "schema.h"
#include "wire.h"

#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <vector>

namespace interlock::detail {

/// Reads one document's content in one pass, in the order of the bytes, and stops at the first thing that is
/// wrong.
class BinaryReader {
public:
  /// \param mend whether to accept what is not canonical but says one thing only; the message read is
  /// canonical.
  BinaryReader(std::string_view bytes, const Limits &limits, bool mend, ErrorSlot &errors);

  /// Reads the whole input into `message`, which has to be empty.
  /// \returns false after it reported an error.
  [[nodiscard]] bool read(const MessagePlan &plan, google::protobuf::Message &message);

  /// What the document uses.
  [[nodiscard]] const Usage &usage() const { return usage_; }

private:
  struct Frame;

  bool readMessage(Frame &frame);
  bool readTag(const Frame &frame, std::uint64_t &tag);
  bool readField(Frame &frame, std::uint64_t tag);
  bool checkOrder(Frame &frame, const FieldPlan &field, const Place &place);
  bool readNumberField(Frame &frame, const FieldPlan &field, const Place &place);
  bool readNumber(const FieldPlan &field, const char *end, const Place &place, std::uint64_t &value);
  bool narrow(const FieldPlan &field, const Place &place, std::uint64_t &value);
  bool readPacked(Frame &frame, const FieldPlan &field, const Place &place);
  bool readString(Frame &frame, const FieldPlan &field, const Place &place);
  bool readSubmessage(Frame &frame, const FieldPlan &field, const Place &place);
  bool readLength(const char *end, const Place &place, std::uint64_t &length);
  bool checkVarint(VarintStatus status, const Place &place, std::uint64_t value);
  bool readVarint(const char *end, const Place &place, std::uint64_t &value);
  bool checkCount(const Frame &frame, const FieldPlan &field, const Place &place);
  bool followSet(Frame &frame, const FieldPlan &field, const Place &place);

  bool fail(std::string_view code, const Place &place, std::string message);

  const char *base_;
  const char *at_;
  const char *end_;
  const char *tag_; // Of the field that is being read, innermost.
  Limits limits_;
  bool mend_;
  ErrorSlot &errors_;
  Usage usage_;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_BINARY_READER_H
