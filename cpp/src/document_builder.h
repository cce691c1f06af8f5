// Making documents.

#ifndef INTERLOCK_SRC_DOCUMENT_BUILDER_H
#define INTERLOCK_SRC_DOCUMENT_BUILDER_H

#include "interlock/document.h"
#include "schema.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>

namespace interlock {

/// A document that is being made: an empty root message in an arena of its own.
class DocumentBuilder {
public:
  explicit DocumentBuilder(const detail::RootPlan &root);

  [[nodiscard]] google::protobuf::Message &message() { return *message_; }

  /// Serializes the message, which has to be canonical. \returns false if it is larger than protobuf can
  /// write.
  [[nodiscard]] bool serialize(std::string &binary) const;

  /// The document, with the given canonical binary of the message.
  [[nodiscard]] Document finish(std::string binary) &&;

private:
  const detail::RootPlan &root_;
  std::unique_ptr<google::protobuf::Arena> arena_;
  google::protobuf::Message *message_;
};

} // namespace interlock

#endif // INTERLOCK_SRC_DOCUMENT_BUILDER_H
