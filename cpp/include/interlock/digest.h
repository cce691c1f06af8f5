// Digests, as documents spell them.

#ifndef INTERLOCK_DIGEST_H
#define INTERLOCK_DIGEST_H

#include "interlock/error.h"

#include <string>
#include <string_view>

namespace google::protobuf {
class Message;
}

namespace interlock {

/// `sha256:` and the lower-case hexadecimal SHA-256 of the bytes. Of the canonical binary of a document, it
/// is the document's digest.
[[nodiscard]] std::string digest(std::string_view bytes);

/// Whether the text is spelled like a digest.
[[nodiscard]] bool isDigest(std::string_view text);

/// The digest of the document without the fields that tell who made it and from what, its header's minor and
/// features computed anew.
/// \param message the root message of a document; it does not change.
/// \returns the digest, or the error with which `encode` refuses the message.
[[nodiscard]] Result<std::string> semanticDigest(const google::protobuf::Message &message);

} // namespace interlock

#endif // INTERLOCK_DIGEST_H
