// A document that was read and found to be canonical, or was made so.

#ifndef INTERLOCK_DOCUMENT_H
#define INTERLOCK_DOCUMENT_H

#include "interlock/error.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace interlock {

/// A document: its message and its canonical bytes, which always agree. It can be moved and not changed.
class Document {
public:
  /// The kind, the name of the root message, such as `ExecutionGraph`.
  [[nodiscard]] std::string_view kind() const { return kind_; }

  /// The root message. It lives as long as the document.
  [[nodiscard]] const google::protobuf::Message &message() const { return *message_; }

  /// The root message as `T`, such as `execgraph::v1::ExecutionGraph`, or null if the document is of another
  /// kind.
  template <typename T> [[nodiscard]] const T *as() const {
    return message_->GetDescriptor() == T::descriptor() ? static_cast<const T *>(message_) : nullptr;
  }

  /// The canonical binary.
  [[nodiscard]] const std::string &binary() const { return binary_; }

  /// The canonical JSON, written anew by each call.
  [[nodiscard]] std::string json() const;

  /// The document in text form, with its type in the first line, for people to read and edit.
  [[nodiscard]] std::string text() const;

  /// The digest, computed anew by each call.
  [[nodiscard]] std::string digest() const;

  /// The digest without producer and provenance, computed anew by each call.
  [[nodiscard]] std::string semanticDigest() const;

private:
  friend class DocumentBuilder;

  Document(std::string kind, std::unique_ptr<google::protobuf::Arena> arena,
           const google::protobuf::Message &message, std::string binary)
      : kind_(std::move(kind)), arena_(std::move(arena)), message_(&message), binary_(std::move(binary)) {}

  std::string kind_;
  std::unique_ptr<google::protobuf::Arena> arena_;
  const google::protobuf::Message *message_; // Owned by the arena.
  std::string binary_;
};

} // namespace interlock

#endif // INTERLOCK_DOCUMENT_H
