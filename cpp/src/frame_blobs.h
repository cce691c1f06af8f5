// The blobs that the document of a frame refers to.

#ifndef INTERLOCK_SRC_FRAME_BLOBS_H
#define INTERLOCK_SRC_FRAME_BLOBS_H

#include "frame_documents.h"
#include "interlock/error.h"
#include "interlock/limits.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace interlock::detail {

/// A blob that a document refers to, and the first place that does.
struct BlobUse {
  std::string digest;
  std::uint64_t size = 0;
  std::string path;
};

/// Every distinct blob that a document reaches, once, in ascending order of digest.
/// \returns them, or `frame.blob-size-conflict`.
[[nodiscard]] Result<std::vector<BlobUse>> usedBlobs(const FrameDocuments &documents);

/// Checks that a blob is not larger than it may be. \returns `limit.blob-bytes`, or nothing.
[[nodiscard]] std::optional<Error> checkBlobSize(const BlobUse &blob, const Limits &limits);

/// Checks the digest of the bytes of a blob. \returns `frame.blob-digest-mismatch`, or nothing.
[[nodiscard]] std::optional<Error> checkBlobDigest(const BlobUse &blob, const std::string &actual);

/// Finds the blobs in what follows the body of a frame, and proves them: all by size, then all by digest.
[[nodiscard]] Result<std::vector<FrameBlob>> splitBlobs(std::vector<BlobUse> blobs, std::string_view rest,
                                                        const Limits &limits);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_FRAME_BLOBS_H
