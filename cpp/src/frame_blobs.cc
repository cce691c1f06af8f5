#include "frame_blobs.h"

#include "interlock/digest.h"
#include "place.h"

#include "execgraph/v1/module.pb.h"

#include <map>
#include <optional>
#include <utility>

namespace interlock::detail {

namespace eg = execgraph::v1;

namespace {

std::string inTicks(std::uint64_t number) { return '`' + std::to_string(number) + '`'; }

// Collects references, each digest once.
class BlobUses {
public:
  std::optional<Error> addAll(const FrameBundle &bundle, const std::string &prefix) {
    const eg::TargetModuleBundle &message = bundle.message();
    for (int i = 0; i < message.modules_size(); ++i) {
      const eg::TargetModule &module = message.modules(i);
      const std::string path = prefix + "modules[" + std::to_string(i) + "].";
      std::optional<Error> error = add(module.code(), path + "code.blob");
      if (!error && module.has_semantic())
        error = add(module.semantic(), path + "semantic.blob");
      if (!error && module.has_lowered())
        error = add(module.lowered(), path + "lowered.blob");
      if (error)
        return error;
    }
    return std::nullopt;
  }

  std::vector<BlobUse> take() {
    std::vector<BlobUse> blobs;
    blobs.reserve(blobs_.size());
    for (auto &[digest, blob] : blobs_)
      blobs.push_back(std::move(blob));
    return blobs;
  }

private:
  std::optional<Error> add(const eg::TypedBlob &typed, std::string path) {
    const eg::BlobReference &reference = typed.blob();
    const auto [known, isNew] = blobs_.try_emplace(reference.digest());
    if (isNew)
      known->second = {reference.digest(), reference.size(), std::move(path)};
    else if (known->second.size != reference.size())
      return Error{"frame.blob-size-conflict", std::move(path), std::nullopt,
                   quoted(reference.digest()) + " is stated to be " + inTicks(reference.size()) +
                       " bytes here, elsewhere " + std::to_string(known->second.size)};
    return std::nullopt;
  }

  std::map<std::string, BlobUse> blobs_;
};

} // namespace

Result<std::vector<BlobUse>> usedBlobs(const FrameDocuments &documents) {
  BlobUses uses;
  if (documents.bundle)
    if (std::optional<Error> error = uses.addAll(*documents.bundle, ""))
      return *std::move(error);
  for (std::size_t i = 0; i < documents.payloads.size(); ++i)
    if (const FrameBundle *bundle = documents.payloads[i].bundle())
      if (std::optional<Error> error = uses.addAll(*bundle, documents.bundlePaths[i] + '.'))
        return *std::move(error);
  return uses.take();
}

std::optional<Error> checkBlobSize(const BlobUse &blob, const Limits &limits) {
  if (blob.size <= limits.blobBytes)
    return std::nullopt;
  return Error{"limit.blob-bytes", blob.path, std::nullopt,
               "the blob is " + inTicks(blob.size) + " bytes long; the limit is " +
                   std::to_string(limits.blobBytes)};
}

std::optional<Error> checkBlobDigest(const BlobUse &blob, const std::string &actual) {
  if (blob.digest == actual)
    return std::nullopt;
  return Error{"frame.blob-digest-mismatch", blob.path, std::nullopt,
               "the digest is stated as " + quoted(blob.digest) + "; that of the bytes is " + actual};
}

Result<std::vector<FrameBlob>> splitBlobs(std::vector<BlobUse> blobs, std::string_view rest,
                                          const Limits &limits) {
  std::uint64_t end = 0;
  for (const BlobUse &blob : blobs) {
    if (std::optional<Error> error = checkBlobSize(blob, limits))
      return *std::move(error);
    if (blob.size > rest.size() - end)
      return Error{"frame.missing-blob", blob.path, std::nullopt,
                   "the blob " + quoted(blob.digest) + " takes " + std::to_string(blob.size) +
                       " bytes, and the frame ends before"};
    end += blob.size;
  }
  if (end < rest.size())
    return Error{"frame.trailing-bytes", "", std::nullopt,
                 std::to_string(rest.size() - end) + " bytes follow the last blob; nothing may"};
  std::vector<FrameBlob> found;
  found.reserve(blobs.size());
  for (BlobUse &blob : blobs) {
    const std::string_view bytes = rest.substr(0, blob.size);
    rest.remove_prefix(blob.size);
    if (std::optional<Error> error = checkBlobDigest(blob, interlock::digest(bytes)))
      return *std::move(error);
    found.push_back({std::move(blob.digest), std::move(blob.path), bytes});
  }
  return found;
}

} // namespace interlock::detail
