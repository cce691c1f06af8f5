// Upper bounds on what is read from an input that nobody vouches for.

#ifndef INTERLOCK_LIMITS_H
#define INTERLOCK_LIMITS_H

#include <cstdint>

namespace interlock {

/// The limits of reading, all inclusive. Each is checked before what it bounds is allocated, and has a code
/// of its own.
struct Limits {
  /// Size of an input, in bytes. `limit.document-bytes`
  std::uint64_t documentBytes = std::uint64_t{1} << 30;
  /// Messages within messages; the root has depth 1. More than `kDeepestMessage` counts as that.
  /// `limit.message-depth`
  std::uint32_t messageDepth = 96;
  /// JSON objects and arrays within each other. `limit.json-depth`
  std::uint32_t jsonDepth = 256;
  /// Size of one string or bytes field, in bytes. `limit.string-bytes`
  std::uint64_t stringBytes = std::uint64_t{256} << 20;
  /// Elements of one repeated field of one message. `limit.repeated-elements`
  std::uint64_t repeatedElements = std::uint64_t{1} << 24;
  /// Members of an archive or of a folder of files. `limit.archive-members`
  std::uint64_t archiveMembers = std::uint64_t{1} << 20;
  /// Size of one metadata file of a container, in bytes. `limit.metadata-bytes`
  std::uint64_t metadataBytes = std::uint64_t{16} << 20;
  /// Size of one blob, in bytes. `limit.blob-bytes`
  std::uint64_t blobBytes = (std::uint64_t{8} << 30) - 1;
  /// Size of a sealed frame with all its blobs, in bytes. `limit.frame-bytes`
  std::uint64_t frameBytes = std::uint64_t{16} << 30;
};

/// The greatest message depth that a caller can ask for: reading, writing and destroying a message recurse.
inline constexpr std::uint32_t kDeepestMessage = 100;

} // namespace interlock

#endif // INTERLOCK_LIMITS_H
