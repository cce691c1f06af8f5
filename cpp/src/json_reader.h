// The reader of JSON whose syntax was found to be good.

#ifndef INTERLOCK_SRC_JSON_READER_H
#define INTERLOCK_SRC_JSON_READER_H

#include "header.h"
#include "interlock/limits.h"
#include "json_syntax.h"
#include "place.h"
#include "schema.h"

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace interlock::detail {

/// Reads one document in JSON. Call `readHeader`, then `read`.
class JsonReader {
public:
  /// \param shape what `checkJsonSyntax` learned about `text`.
  JsonReader(std::string_view text, const JsonShape &shape, const Limits &limits, ErrorSlot &errors);

  /// What the header states. \returns false after it reported an error.
  [[nodiscard]] bool readHeader(StatedHeader &header);

  /// Reads the whole document into `message`, which has to be empty; the message read is canonical.
  /// \returns false after it reported an error.
  [[nodiscard]] bool read(const MessagePlan &plan, google::protobuf::Message &message);

  /// What the document uses.
  [[nodiscard]] const Usage &usage() const { return usage_; }

  /// The offset of the value of the header.
  [[nodiscard]] std::uint64_t headerOffset() const { return *shape_.header; }

private:
  struct Frame;

  bool readMessage(Frame &frame);
  bool readMember(Frame &frame);
  bool readArray(Frame &frame, const FieldPlan &field, const Place &place);
  bool readValue(Frame &frame, const FieldPlan &field, const Place &place);
  bool readSubmessage(Frame &frame, const FieldPlan &field, const Place &place);
  bool readString(Frame &frame, const FieldPlan &field, const Place &place);
  bool readEnum(Frame &frame, const FieldPlan &field, const Place &place);
  bool readInteger(Frame &frame, const FieldPlan &field, const Place &place);
  bool storeUnlessDefault(Frame &frame, const FieldPlan &field, std::uint64_t bits);
  bool readHeaderNumber(std::string_view name, std::string &text, std::uint64_t &offset);
  bool readHeaderFeatures(StatedHeader &header);

  [[nodiscard]] std::uint64_t offset() const {
    return static_cast<std::uint64_t>(text_.size() - rest_.size());
  }
  void skipSpace();
  [[nodiscard]] bool nextInLevel(char closing);
  void skipValue();
  [[nodiscard]] bool seekHeaderMember(std::string_view name);
  bool fail(std::string_view code, const Place &place, std::uint64_t offset, std::string message);
  bool failType(const Place &place, std::string_view wanted);

  std::string_view text_;
  std::string_view rest_; // What is left to read.
  JsonShape shape_;
  Limits limits_;
  ErrorSlot &errors_;
  Usage usage_;
  std::string scratch_;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_JSON_READER_H
