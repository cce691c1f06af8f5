#include "container_path.h"
#include "layout.h"
#include "place.h"
#include "sha256.h"

#include <algorithm>
#include <utility>

namespace interlock::detail {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

Error wrongSize(std::string name, std::uint64_t found, std::uint64_t stated) {
  return {"container.size-mismatch", std::move(name), std::nullopt,
          '`' + std::to_string(found) + "` bytes are there; `" + std::to_string(stated) + "` are required"};
}

} // namespace

Result<LayoutFiles> LayoutFiles::open(const std::filesystem::path &path, const Limits &limits) {
  Result<InputRoot> root = openRoot(path);
  if (!root)
    return std::move(root).error();
  LayoutFiles files;
  files.root_ = *std::move(root);
  if (files.root_.folder)
    return files;
  const InputFile &archive = *files.root_.file;
  std::string start(kTarBlock, '\0');
  const Result<std::size_t> got = archive.readAt(0, start.data(), start.size());
  if (!got)
    return got.error();
  if (!looksLikeTar(std::string_view(start).substr(0, *got)))
    return Error{"container.unknown-format", "", std::nullopt, "the file is no tar file"};
  Result<TarMembers> members = readTarMembers(archive, limits);
  if (!members)
    return std::move(members).error();
  files.members_ = *std::move(members);
  return files;
}

Result<LayoutFiles::Extent> LayoutFiles::find(const std::string &name) const {
  if (root_.folder) {
    Result<std::shared_ptr<const InputFile>> file = root_.folder->openFile(name);
    if (!file)
      return std::move(file).error();
    const std::uint64_t size = *file ? (*file)->size() : 0;
    return Extent{*std::move(file), 0, size};
  }
  const auto member = members_.find(name);
  if (member == members_.end())
    return Extent{};
  return Extent{root_.file, member->second.offset, member->second.size};
}

Result<std::string> LayoutFiles::readMetadata(const std::string &name, const Limits &limits) const {
  const Result<Extent> found = find(name);
  if (!found)
    return found.error();
  if (!found->file)
    return malformed(name, "the file " + detail::quoted(name) + " is missing");
  if (found->size > limits.metadataBytes)
    return tooLarge(found->size, name, limits);
  std::string bytes(static_cast<std::size_t>(found->size), '\0');
  const Result<std::size_t> got = found->file->readAt(found->offset, bytes.data(), bytes.size());
  if (!got)
    return got.error();
  bytes.resize(*got);
  return bytes;
}

std::optional<Error> LayoutFiles::readBlob(std::string_view digest, std::uint64_t size, const Limits &limits,
                                           const BlobSink &sink) const {
  const std::string name = blobName(digest);
  if (size > limits.blobBytes)
    return Error{"limit.blob-bytes", name, std::nullopt,
                 "the blob has `" + std::to_string(size) + "` bytes; the limit is `" +
                     std::to_string(limits.blobBytes) + '`'};
  const Result<Extent> found = name.empty() ? Extent{} : find(name);
  if (!found)
    return found.error();
  if (!found->file)
    return Error{"container.missing-blob", name, std::nullopt,
                 "no bytes of the digest " + detail::quoted(digest) + " are there"};
  if (found->size != size)
    return wrongSize(name, found->size, size);
  Sha256 hash;
  std::string piece(static_cast<std::size_t>(std::min<std::uint64_t>(size, kPiece)), '\0');
  for (std::uint64_t done = 0; done < size;) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, kPiece));
    const Result<std::size_t> got = found->file->readAt(found->offset + done, piece.data(), wanted);
    if (!got)
      return got.error();
    if (*got < wanted)
      return wrongSize(name, done + *got, size);
    const std::string_view bytes = std::string_view(piece).substr(0, wanted);
    hash.update(bytes);
    done += wanted;
    if (std::optional<Error> error = sink(bytes))
      return error;
  }
  if (const std::string actual = hash.digest(); actual != digest)
    return Error{"container.digest-mismatch", name, std::nullopt,
                 "the bytes have the digest " + detail::quoted(actual) + "; " + detail::quoted(digest) +
                     " is required"};
  return std::nullopt;
}

Result<std::string> LayoutFiles::blob(std::string_view digest, std::uint64_t size,
                                      const Limits &limits) const {
  std::string bytes;
  const auto append = [&](std::string_view piece) -> std::optional<Error> {
    if (bytes.empty()) // The first piece: by now the size is proven to be there.
      bytes.reserve(static_cast<std::size_t>(size));
    bytes.append(piece);
    return std::nullopt;
  };
  if (std::optional<Error> error = readBlob(digest, size, limits, append))
    return *std::move(error);
  return bytes;
}

} // namespace interlock::detail
