#include "container_path.h"
#include "interlock/package.h"
#include "package_paths.h"
#include "place.h"

#include "execgraph/v1/package.pb.h"

#include <map>
#include <utility>

namespace interlock {

namespace eg = execgraph::v1;
using namespace detail;

namespace {

// Collects references, each digest once.
class BlobCollector {
public:
  // \returns an error if the reference cannot be one to a blob of a container.
  std::optional<Error> add(const eg::BlobReference &reference, BlobRole role, std::string path) {
    if (blobName(reference.digest()).empty())
      return Error{"container.missing-blob", std::move(path), std::nullopt,
                   detail::quoted(reference.digest()) + " is no digest, so no bytes can have it"};
    PackageBlob blob{reference.digest(), reference.size(), role, std::move(path)};
    const auto [known, isNew] = blobs_.try_emplace(blob.digest, blob);
    if (isNew)
      return std::nullopt;
    if (known->second.size != blob.size)
      return Error{"container.size-mismatch", std::move(blob.path), std::nullopt,
                   '`' + std::to_string(blob.size) + "` bytes are stated for " + detail::quoted(blob.digest) +
                       "; another place states `" + std::to_string(known->second.size) + '`'};
    if (role < known->second.role)
      known->second = std::move(blob);
    return std::nullopt;
  }

  std::vector<PackageBlob> take() {
    std::vector<PackageBlob> blobs;
    blobs.reserve(blobs_.size());
    for (auto &[digest, blob] : blobs_)
      blobs.push_back(std::move(blob));
    return blobs;
  }

private:
  std::map<std::string, PackageBlob> blobs_;
};

// In the order of the document.
std::optional<Error> addAll(const eg::Package &package, BlobCollector &blobs) {
  for (const eg::Artifact &artifact : package.artifacts())
    for (int i = 0; i < artifact.variants_size(); ++i) {
      std::string path =
          elementPath("artifacts", artifact.id()) + ".variants[" + std::to_string(i) + "].blob";
      if (auto error = blobs.add(artifact.variants(i).blob(), BlobRole::Artifact, std::move(path)))
        return error;
    }
  for (const eg::PackagedGraph &graph : package.graphs())
    if (graph.source().has_reference()) {
      std::string path = elementPath("graphs", graph.id()) + ".source.reference";
      if (auto error = blobs.add(graph.source().reference(), BlobRole::Graph, std::move(path)))
        return error;
    }
  for (int i = 0; i < package.payloads_size(); ++i) {
    std::string path = "payloads[" + std::to_string(i) + "].frame";
    if (auto error = blobs.add(package.payloads(i).frame(), BlobRole::Payload, std::move(path)))
      return error;
  }
  return std::nullopt;
}

} // namespace

std::string_view PackageBlob::mediaType() const {
  switch (role) {
  case BlobRole::Graph:
    return "application/vnd.execgraph.graph.v1+protobuf";
  case BlobRole::Payload:
    return "application/vnd.execgraph.payload.v1";
  case BlobRole::Artifact:
    break;
  }
  return "application/vnd.execgraph.artifact.v1";
}

Result<std::vector<PackageBlob>> packageBlobs(const eg::Package &package) {
  BlobCollector blobs;
  if (std::optional<Error> error = addAll(package, blobs))
    return *std::move(error);
  return blobs.take();
}

} // namespace interlock
