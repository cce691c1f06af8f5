// Reading and writing packages in their container. `docs/package-container.md` says what it is made of.

#ifndef INTERLOCK_PACKAGE_H
#define INTERLOCK_PACKAGE_H

#include "interlock/blobs.h"
#include "interlock/document.h"
#include "interlock/error.h"
#include "interlock/limits.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace execgraph::v1 {
class BlobReference;
class Package;
class Variant;
} // namespace execgraph::v1

namespace interlock {

/// What a blob is to its package. One that is several of these is what comes first.
enum class BlobRole : std::uint8_t { Graph, Payload, Artifact };

/// A blob that the document of a package refers to.
struct PackageBlob {
  std::string digest;
  /// Bytes.
  std::uint64_t size = 0;
  BlobRole role = BlobRole::Artifact;
  /// The first place in the document that refers to it in this role, such as
  /// `artifacts["a"].variants[0].blob`.
  std::string path;

  /// The media type that the container states for it.
  [[nodiscard]] std::string_view mediaType() const;
};

/// The blobs that a package refers to, each once, in ascending order of digest.
/// \returns them, or `container.missing-blob` for what is not spelled like a digest, or
/// `container.size-mismatch` for a reference that states another size than one before it.
[[nodiscard]] Result<std::vector<PackageBlob>> packageBlobs(const execgraph::v1::Package &package);

/// How a container is read.
struct OpenOptions {
  /// The tag of the package. Absent: the container holds one package only.
  std::optional<std::string> tag;
  /// Upper bounds.
  Limits limits;
};

/// A package in an open container, an OCI image layout that is a directory or a tar file. Of a directory, or
/// of the tar file, a handle stays open, so that nothing depends on the current directory later. Links are
/// not followed, but for those on the way to the container itself.
///
/// Bytes are proven whenever they are read: errors have the codes `container.*` and `limit.*`, with a place
/// in the container as their path. Several threads may read one package at once.
class Package {
public:
  /// Opens a container and reads the document in it.
  /// \returns an error of a code `container.*` or `limit.*`, or that with which `decodeBinary` refuses the
  /// document.
  [[nodiscard]] static Result<Package> open(const std::filesystem::path &path,
                                            const OpenOptions &options = {});

  Package(Package &&) noexcept;
  Package &operator=(Package &&) noexcept;
  ~Package();

  /// The document, of kind `Package`. Its digest is the identity of the package.
  [[nodiscard]] const Document &document() const;

  /// The message of the document.
  [[nodiscard]] const execgraph::v1::Package &message() const;

  /// The digest of the manifest, by which registries know the package.
  [[nodiscard]] const std::string &manifestDigest() const;

  /// The tag of the package, if it has one.
  [[nodiscard]] const std::optional<std::string> &tag() const;

  /// The bytes of a blob, found by digest; the location is not looked at.
  [[nodiscard]] Result<std::string> blob(const execgraph::v1::BlobReference &reference) const;

  /// Gives the bytes of a blob to a sink, in pieces of bounded size. They are proven when this returns, not
  /// before. \returns an error, or nothing.
  [[nodiscard]] std::optional<Error> readBlob(const execgraph::v1::BlobReference &reference,
                                              const BlobSink &sink) const;

  /// The graph of that id, embedded or by reference.
  /// \returns it, or `package.unknown-graph`, `package.unreadable-graph`, `package.graph-id-mismatch`, or why
  /// its blob cannot be used.
  [[nodiscard]] Result<Document> graph(std::string_view id) const;

  /// The variant of an artifact for a target.
  /// \param name of the variant. Absent: the one without a name, or else the only one.
  /// \returns it, never null and as long-lived as the package, or `artifact.not-packaged`,
  /// `artifact.missing-variant` or `artifact.ambiguous-variant`.
  [[nodiscard]] Result<const execgraph::v1::Variant *>
  variant(std::string_view artifact, std::string_view target,
          std::optional<std::string_view> name = std::nullopt) const;

  /// The bytes of a variant, found as `variant` finds it.
  [[nodiscard]] Result<std::string> artifact(std::string_view id, std::string_view target,
                                             std::optional<std::string_view> name = std::nullopt) const;

  /// The ids of the graphs, in ascending order.
  [[nodiscard]] std::vector<std::string> graphIds() const;

  /// The ids of the artifacts, in ascending order.
  [[nodiscard]] std::vector<std::string> artifactIds() const;

private:
  struct State;
  explicit Package(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// How a container is written.
struct WriteOptions {
  /// The tag of the package, spelled as the image-spec spells names of references. Absent: none.
  std::optional<std::string> tag;
  /// Whether a layout that is there already is replaced. Anything else never is.
  bool replace = false;
  /// Upper bounds.
  Limits limits;
};

/// Writes a package with all blobs that it refers to, and proves them on the way. It appears whole or not at
/// all; the same document and blobs give the same bytes.
/// \param document of kind `Package`.
/// \param blobs asked once for each distinct blob.
/// \param path what is written: a tar file if its name ends with `.tar`, else a directory. Its parent has to
/// be there.
/// \returns the digest of the manifest; an error of a code `container.*` or `limit.*`, at the place in the
/// document that refers to the blob; `header.kind-mismatch`; `output.exists`; `output.unwritable`;
/// `container.malformed` for a malformed tag; or the error of the source.
[[nodiscard]] Result<std::string> writePackage(const Document &document, const BlobSource &blobs,
                                               const std::filesystem::path &path,
                                               const WriteOptions &options = {});

} // namespace interlock

#endif // INTERLOCK_PACKAGE_H
