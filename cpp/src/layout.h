// The files of an OCI image layout, be it a directory or a tar file, and the package that its metadata names.

#ifndef INTERLOCK_SRC_LAYOUT_H
#define INTERLOCK_SRC_LAYOUT_H

#include "input_file.h"
#include "interlock/error.h"
#include "interlock/limits.h"
#include "interlock/package.h"
#include "metadata.h"
#include "tar.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace interlock::detail {

inline constexpr std::string_view kLayoutFile = "oci-layout";
inline constexpr std::string_view kIndexFile = "index.json";
inline constexpr std::string_view kLayoutVersion = "1.0.0";
inline constexpr std::string_view kPackageType = "application/vnd.execgraph.package.v1";
inline constexpr std::string_view kDocumentType = "application/vnd.execgraph.package.v1+protobuf";
inline constexpr std::string_view kManifestType = "application/vnd.oci.image.manifest.v1+json";
inline constexpr std::string_view kIndexType = "application/vnd.oci.image.index.v1+json";
inline constexpr std::string_view kEmptyType = "application/vnd.oci.empty.v1+json";
inline constexpr std::string_view kTagKey = "org.opencontainers.image.ref.name";
inline constexpr std::uint64_t kOciSchemaVersion = 2;

/// The files of a layout. Several threads may read it at once.
class LayoutFiles {
public:
  [[nodiscard]] static Result<LayoutFiles> open(const std::filesystem::path &path, const Limits &limits);

  /// Reads a metadata file, which has to be there.
  [[nodiscard]] Result<std::string> readMetadata(const std::string &name, const Limits &limits) const;

  /// Gives the bytes of a blob to a sink, and proves its size and digest.
  [[nodiscard]] std::optional<Error> readBlob(std::string_view digest, std::uint64_t size,
                                              const Limits &limits, const BlobSink &sink) const;

  /// Reads a blob into memory; like `readBlob`.
  [[nodiscard]] Result<std::string> blob(std::string_view digest, std::uint64_t size,
                                         const Limits &limits) const;

private:
  // Where the bytes of a file are.
  struct Extent {
    std::shared_ptr<const InputFile> file;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  // \returns an extent without a file if there is none of that name.
  [[nodiscard]] Result<Extent> find(const std::string &name) const;

  InputRoot root_;
  TarMembers members_; // If the root is a file.
};

/// The package of a layout.
struct FoundPackage {
  std::string manifestDigest;
  std::optional<std::string> tag;
  std::string binary; // The document, proven to have its digest.
};

/// Reads the metadata and the document of a package.
[[nodiscard]] Result<FoundPackage> findPackage(const LayoutFiles &files, const OpenOptions &options);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_LAYOUT_H
