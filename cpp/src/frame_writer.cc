#include "frame_blobs.h"
#include "frame_documents.h"
#include "frame_format.h"
#include "interlock/codec.h"
#include "interlock/frame.h"
#include "place.h"
#include "sha256.h"

#include "execgraph/v1/blob.pb.h"

#include <algorithm>
#include <utility>

namespace interlock {

namespace eg = execgraph::v1;
using namespace detail;

namespace {

// The bytes before a body. \param digest as documents spell it.
std::string headerOf(char letter, std::uint64_t length, std::string_view digest) {
  std::string header(kFrameStart);
  header += static_cast<char>(kFrameVersion);
  header += letter;
  header += kFrameLineEnd;
  for (unsigned shift = 0; shift < 64; shift += 8)
    header += static_cast<char>(length >> shift & 0xFF);
  for (std::size_t i = kDigestPrefix.size(); i < digest.size(); i += 2)
    header += static_cast<char>(kHexDigits.find(digest[i]) << 4 | kHexDigits.find(digest[i + 1]));
  return header;
}

// Checks the sizes of blobs and of the frame.
std::optional<Error> checkSizes(const std::vector<BlobUse> &blobs, std::uint64_t bodySize,
                                const Limits &limits) {
  for (const BlobUse &blob : blobs)
    if (std::optional<Error> error = checkBlobSize(blob, limits))
      return error;
  const std::uint64_t before = kBodyAt + bodySize;
  std::uint64_t left = limits.frameBytes - std::min(before, limits.frameBytes);
  bool fits = before <= limits.frameBytes;
  for (const BlobUse &blob : blobs) {
    fits = fits && blob.size <= left;
    left -= std::min(blob.size, left);
  }
  if (fits)
    return std::nullopt;
  return Error{"limit.frame-bytes", "", std::nullopt,
               "the frame is longer than " + std::to_string(limits.frameBytes) + " bytes, the limit"};
}

// Appends the bytes that a source gives for a blob, if they are those that are stated.
std::optional<Error> append(const BlobUse &blob, const BlobSource &blobs, std::string &frame) {
  eg::BlobReference reference;
  reference.set_digest(blob.digest);
  reference.set_size(blob.size);
  const auto missing = [&blob](const std::string &there) {
    return Error{"frame.missing-blob", blob.path, std::nullopt,
                 std::to_string(blob.size) + " bytes of digest " + quoted(blob.digest) +
                     " are required; there are " + there};
  };
  Sha256 hash;
  std::uint64_t left = blob.size;
  const auto take = [&](std::string_view piece) -> std::optional<Error> {
    if (piece.size() > left)
      return missing("more");
    if (left == blob.size) // Not before there are any: a stated size is no reason to allocate it.
      frame.reserve(frame.size() + blob.size);
    left -= piece.size();
    hash.update(piece);
    frame += piece;
    return std::nullopt;
  };
  if (std::optional<Error> error = blobs(reference, take))
    return error;
  if (left > 0)
    return missing(std::to_string(blob.size - left));
  return checkBlobDigest(blob, hash.digest());
}

} // namespace

Result<std::string> writeFrame(const google::protobuf::Message &message, const BlobSource &blobs,
                               const Limits &limits) {
  const Result<Document> document = makeDocument(message);
  if (!document)
    return document.error();
  const auto kind = std::ranges::find(kFrameKinds, document->kind(), &FrameKind::name);
  if (kind == kFrameKinds.end())
    return Error{"frame.unknown-kind", "", std::nullopt,
                 "a document of kind " + quoted(document->kind()) + " is not sealed in a frame"};
  const Result<FrameDocuments> documents = readNested(*document, limits, std::nullopt);
  if (!documents)
    return documents.error();
  const Result<std::vector<BlobUse>> uses = usedBlobs(*documents);
  if (!uses)
    return uses.error();
  const std::string &body = document->binary();
  if (std::optional<Error> error = checkSizes(*uses, body.size(), limits))
    return *std::move(error);
  std::string frame = headerOf(kind->letter, body.size(), document->digest()) + body;
  for (const BlobUse &blob : *uses)
    if (std::optional<Error> error = append(blob, blobs, frame))
      return *std::move(error);
  return frame;
}

} // namespace interlock
