// The documents within the document of a frame.

#ifndef INTERLOCK_SRC_FRAME_DOCUMENTS_H
#define INTERLOCK_SRC_FRAME_DOCUMENTS_H

#include "interlock/document.h"
#include "interlock/frame.h"
#include "interlock/limits.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace interlock::detail {

/// What a document holds, by what it is. Everything refers to the outermost document, or into `nested`.
struct FrameDocuments {
  std::deque<Document> nested; // Which never moves its elements when it grows.
  const Document *graph = nullptr;
  std::vector<FramePayload> payloads;
  std::vector<std::string> bundlePaths; // Of the bundle of each payload.
  std::optional<FrameBundle> bundle;
};

/// Reads every nested document, outer before inner: its digest, then its canonical form.
/// \param root of a kind that is sealed; it has to outlive what is read.
/// \param start the offset of its first byte, from which errors count. Absent: errors have no offset.
/// \returns what is there; what is absent is left to the rules.
[[nodiscard]] Result<FrameDocuments> readNested(const Document &root, const Limits &limits,
                                                std::optional<std::uint64_t> start);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_FRAME_DOCUMENTS_H
