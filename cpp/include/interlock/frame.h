// Reading and writing sealed frames: bundles, payloads and envelopes with their blobs.
// `docs/target-modules.md` says what a frame is made of.
//
// This library knows no rules. A frame that it reads is intact and canonical: every digest fits its bytes,
// every document in it has its one spelling, every blob is there, and nothing else is. Whether what the
// documents say is true of each other, such as a stage or a binding of the graph, is for `interlock verify`
// to say. So look-ups here promise to find what is stated, and no more.

#ifndef INTERLOCK_FRAME_H
#define INTERLOCK_FRAME_H

#include "interlock/blobs.h"
#include "interlock/document.h"
#include "interlock/error.h"
#include "interlock/limits.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace execgraph::v1 {
class BlobReference;
class ContentType;
class TargetEntry;
class TargetModule;
class TargetModuleBundle;
class TargetPayload;
} // namespace execgraph::v1

namespace interlock {

/// A blob of a frame.
struct FrameBlob {
  std::string digest;
  /// The first place in the document that refers to it, such as `modules[0].code.blob`.
  std::string path;
  /// Its bytes, a part of those that were given to `readFrame`.
  std::string_view bytes;
};

/// A bundle, as it is found in a frame. It refers to the document, which has to outlive it.
class FrameBundle {
public:
  /// \param document of kind `TargetModuleBundle`.
  explicit FrameBundle(const Document &document);

  [[nodiscard]] const Document &document() const { return *document_; }
  [[nodiscard]] const execgraph::v1::TargetModuleBundle &message() const;

  /// The module of a launch group; null if there is none. Of several, the first.
  [[nodiscard]] const execgraph::v1::TargetModule *module(std::string_view group) const;

private:
  const Document *document_;
  std::map<std::string_view, const execgraph::v1::TargetModule *> modules_;
};

/// A payload, as it is found in a frame. It refers to documents, which have to outlive it.
class FramePayload {
public:
  /// \param document of kind `TargetPayload`.
  /// \param format by which it is found.
  /// \param bundle of the payload; null if it states none.
  FramePayload(const Document &document, const execgraph::v1::ContentType &format, const Document *bundle);

  [[nodiscard]] const Document &document() const { return *document_; }
  [[nodiscard]] const execgraph::v1::TargetPayload &message() const;

  /// The format that the document around the payload states, or that of the payload itself where it stands
  /// alone.
  [[nodiscard]] const execgraph::v1::ContentType &format() const { return *format_; }

  /// The bundle; null if the payload states none.
  [[nodiscard]] const FrameBundle *bundle() const { return bundle_ ? &*bundle_ : nullptr; }

  /// How a launch group runs; null if the payload does not say.
  [[nodiscard]] const execgraph::v1::TargetEntry *entry(std::string_view group) const;

  /// The module of a launch group; null if there is none.
  [[nodiscard]] const execgraph::v1::TargetModule *module(std::string_view group) const;

private:
  const Document *document_;
  const execgraph::v1::ContentType *format_;
  std::optional<FrameBundle> bundle_;
};

/// A sealed frame that was read. It can be moved and not changed.
///
/// Documents are copies and live as long as the frame. Blobs are not copied: they live as long as the bytes
/// that were given to `readFrame`, which must stay as they are.
class Frame {
public:
  Frame(Frame &&) noexcept;
  Frame &operator=(Frame &&) noexcept;
  ~Frame();

  /// The kind of the document: `TargetModuleBundle`, `TargetPayload` or `Envelope`.
  [[nodiscard]] std::string_view kind() const;

  /// The outermost document.
  [[nodiscard]] const Document &document() const;

  /// The digest of the outermost document, which the frame states.
  [[nodiscard]] const std::string &digest() const;

  /// The blobs, each once, in ascending order of digest.
  [[nodiscard]] const std::vector<FrameBlob> &blobs() const;

  /// The bytes of a blob, a part of those that were given to `readFrame`.
  /// \returns them, or `container.missing-blob` or `container.size-mismatch`.
  [[nodiscard]] Result<std::string_view> blob(std::string_view digest, std::uint64_t size) const;
  [[nodiscard]] Result<std::string_view> blob(const execgraph::v1::BlobReference &reference) const;

  /// The graph of an envelope; null in other frames.
  [[nodiscard]] const Document *graph() const;

  /// The payloads of an envelope, in its order; the one of a frame that is a payload.
  [[nodiscard]] const std::vector<FramePayload> &payloads() const;

  /// The payload of exactly that format.
  /// \returns it, never null, or `envelope.unknown-format-version` if there is one of that identity in
  /// another version, else `envelope.unknown-format`. Nothing else is offered in its place.
  [[nodiscard]] Result<const FramePayload *> payload(std::string_view identity, std::uint32_t version) const;

  /// The bundle of a frame that is a bundle; null in other frames.
  [[nodiscard]] const FrameBundle *bundle() const;

private:
  friend class FrameReader;
  struct State;
  explicit Frame(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// How a frame is read.
struct FrameOptions {
  /// The kind of document that the frame has to hold, such as `Envelope`. Absent: any.
  std::optional<std::string> expectedKind;
  /// Upper bounds.
  Limits limits;
};

/// Whether bytes start as a frame of any version does. No document starts like this.
[[nodiscard]] bool looksLikeFrame(std::string_view bytes);

/// Reads a sealed frame strictly, all of it but the rules.
/// \param bytes the whole frame. They have to outlive the blobs of what is returned.
/// \returns the frame, or the first error in the order that `docs/target-modules.md` defines, with its offset
/// from the first byte of the frame.
[[nodiscard]] Result<Frame> readFrame(std::string_view bytes, const FrameOptions &options = {});

/// Writes a sealed frame. Its body is what `encode` writes; nested documents stay as they are given.
/// \param message a bundle, a payload or an envelope; it does not change.
/// \param blobs asked once for each distinct blob, in ascending order of digest.
/// \param limits bound the nested documents, the blobs and the frame; the document itself is bound as
/// `encode` bounds it.
/// \returns the frame, which `readFrame` accepts; or what `encode` or `readFrame` refuses it for, without an
/// offset; `frame.unknown-kind` for any other message; or the error of the source.
[[nodiscard]] Result<std::string> writeFrame(const google::protobuf::Message &message,
                                             const BlobSource &blobs, const Limits &limits = {});

} // namespace interlock

#endif // INTERLOCK_FRAME_H
