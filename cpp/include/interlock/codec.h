// Reading and writing documents. `docs/canonical-form.md` says what is accepted and what is written.

#ifndef INTERLOCK_CODEC_H
#define INTERLOCK_CODEC_H

#include "interlock/document.h"
#include "interlock/error.h"
#include "interlock/limits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace google::protobuf {
class Message;
}

namespace interlock {

/// The encoding of an input.
enum class Encoding : std::uint8_t {
  /// The canonical binary form.
  Binary,
  /// JSON.
  Json,
  /// The protobuf text format.
  Text,
};

/// How an input is read.
struct DecodeOptions {
  /// The encoding. Absent: detected from the bytes.
  std::optional<Encoding> encoding;
  /// The kind that the caller expects, such as `ExecutionGraph`. Absent: any.
  std::optional<std::string> expectedKind;
  /// Whether binary input that is not canonical, but says one thing only, is accepted and made canonical.
  bool canonicalize = false;
  /// Upper bounds.
  Limits limits;
  /// For text: the full name of the root message, such as `execgraph.v1.ExecutionGraph`. Empty: as the text
  /// says.
  std::string rootMessage;
};

/// The encoding of the bytes, judged by how they begin.
[[nodiscard]] Encoding detectEncoding(std::string_view bytes);

/// Reads a document in any encoding.
/// \returns the document, or the first error in the order that `docs/canonical-form.md` defines.
[[nodiscard]] Result<Document> decode(std::string_view bytes, const DecodeOptions &options = {});

/// Reads a document in binary form; `options.encoding` is not looked at.
[[nodiscard]] Result<Document> decodeBinary(std::string_view bytes, const DecodeOptions &options = {});

/// Reads a document in JSON; `options.encoding` is not looked at.
[[nodiscard]] Result<Document> decodeJson(std::string_view bytes, const DecodeOptions &options = {});

/// Reads a document in text form; `options.encoding` is not looked at.
[[nodiscard]] Result<Document> decodeText(std::string_view bytes, const DecodeOptions &options = {});

/// Writes the canonical binary of a document and proves it by reading it back.
/// \param message the root message; it does not change. Kind, versions and features of its header need not be
/// set, and its sets need not be sorted.
/// \returns the bytes, or why the message is no document.
[[nodiscard]] Result<std::string> encode(const google::protobuf::Message &message);

/// Writes the canonical JSON of a document; otherwise like `encode`.
[[nodiscard]] Result<std::string> encodeJson(const google::protobuf::Message &message);

/// Makes a document of a message; otherwise like `encode`.
[[nodiscard]] Result<Document> makeDocument(const google::protobuf::Message &message);

} // namespace interlock

#endif // INTERLOCK_CODEC_H
