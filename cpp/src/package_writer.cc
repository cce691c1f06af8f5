#include "container_path.h"
#include "interlock/digest.h"
#include "interlock/package.h"
#include "json_writer.h"
#include "layout.h"
#include "place.h"
#include "sha256.h"
#include "staging.h"

#include "execgraph/v1/package.pb.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>
#include <variant>

namespace interlock {

namespace eg = execgraph::v1;
namespace fs = std::filesystem;
using namespace detail;

namespace {

constexpr std::string_view kEmpty = "{}";

bool isAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// As the image-spec spells names of references: letters and digits, with one of `-._:@+/`, or `--`, between
// them.
bool isTag(std::string_view tag) {
  if (tag.empty() || tag.size() > 255 || !isAlphanumeric(tag.front()) || !isAlphanumeric(tag.back()))
    return false;
  for (std::size_t i = 0; i < tag.size(); ++i) {
    if (isAlphanumeric(tag[i]))
      continue;
    if (tag.substr(i, 2) == "--")
      ++i;
    else if (std::string_view("-._:@+/").find(tag[i]) == std::string_view::npos)
      return false;
    if (!isAlphanumeric(tag[i + 1])) // There is one: the last is alphanumeric.
      return false;
  }
  return true;
}

// Canonical JSON of a descriptor, without its brackets: the names that come before and after are the
// caller's.
std::string descriptorMembers(std::string_view digest, std::string_view mediaType, std::uint64_t size) {
  std::string out = "\"digest\":";
  appendJsonString(digest, out);
  out += ",\"mediaType\":";
  appendJsonString(mediaType, out);
  return out + ",\"size\":" + std::to_string(size);
}

std::string manifestJson(const Document &document, const std::vector<PackageBlob> &blobs) {
  std::string out = "{\"artifactType\":";
  appendJsonString(kPackageType, out);
  out += ",\"config\":{" + descriptorMembers(document.digest(), kDocumentType, document.binary().size());
  out += "},\"layers\":[";
  for (const PackageBlob &blob : blobs)
    out +=
        (out.back() == '[' ? "{" : ",{") + descriptorMembers(blob.digest, blob.mediaType(), blob.size) + '}';
  if (blobs.empty())
    out += '{' + descriptorMembers(digest(kEmpty), kEmptyType, kEmpty.size()) + '}';
  out += "],\"mediaType\":";
  appendJsonString(kManifestType, out);
  return out + ",\"schemaVersion\":" + std::to_string(kOciSchemaVersion) + '}';
}

std::string indexJson(std::string_view manifest, const std::optional<std::string> &tag) {
  std::string out = "{\"manifests\":[{";
  if (tag) {
    out += "\"annotations\":{";
    appendJsonString(kTagKey, out);
    out += ':';
    appendJsonString(*tag, out);
    out += "},";
  }
  out += "\"artifactType\":";
  appendJsonString(kPackageType, out);
  out += ',' + descriptorMembers(digest(manifest), kManifestType, manifest.size()) + "}],\"mediaType\":";
  appendJsonString(kIndexType, out);
  return out + ",\"schemaVersion\":" + std::to_string(kOciSchemaVersion) + '}';
}

// The content of a member: bytes, or a blob that its source has.
using Content = std::variant<std::string, PackageBlob>;

// All members by name, which is the order of a tar file.
struct Plan {
  std::map<std::string, Content> members;
  std::string manifestDigest;
};

Result<Plan> planLayout(const Document &document, const WriteOptions &options) {
  const eg::Package *package = document.as<eg::Package>();
  if (package == nullptr)
    return Error{"header.kind-mismatch", "header.kind", std::nullopt,
                 "the document is of kind " + detail::quoted(document.kind()) + " and `Package` is expected"};
  if (options.tag && !isTag(*options.tag))
    return malformed(std::string(kIndexFile),
                     detail::quoted(*options.tag) +
                         " is no tag: letters and digits with one of `-._:@+/` between them");
  const Result<std::vector<PackageBlob>> blobs = packageBlobs(*package);
  if (!blobs)
    return blobs.error();
  Plan plan;
  std::string manifest = manifestJson(document, *blobs);
  plan.manifestDigest = digest(manifest);
  if (manifest.size() > options.limits.metadataBytes)
    return tooLarge(manifest.size(), blobName(plan.manifestDigest), options.limits);
  const auto add = [&plan](std::string name, Content content) {
    plan.members.insert_or_assign(std::move(name), std::move(content));
  };
  for (const PackageBlob &blob : *blobs)
    add(blobName(blob.digest), blob);
  if (blobs->empty())
    add(blobName(digest(kEmpty)), std::string(kEmpty));
  add(blobName(document.digest()), document.binary());
  add(std::string(kIndexFile), indexJson(manifest, options.tag));
  add(blobName(plan.manifestDigest), std::move(manifest));
  add(std::string(kLayoutFile), "{\"imageLayoutVersion\":\"" + std::string(kLayoutVersion) + "\"}");
  return plan;
}

// A file that is being made.
class OutputFile {
public:
  explicit OutputFile(const fs::path &path)
      : path_(path), stream_(path, std::ios::binary | std::ios::trunc) {}

  std::optional<Error> write(std::string_view bytes) {
    stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return failure();
  }

  std::optional<Error> close() {
    stream_.close();
    return failure();
  }

private:
  [[nodiscard]] std::optional<Error> failure() const {
    return stream_ ? std::nullopt : std::optional(unwritable(path_, std::strerror(errno)));
  }

  fs::path path_;
  std::ofstream stream_;
};

std::uint64_t sizeOf(const Content &content) {
  const auto *bytes = std::get_if<std::string>(&content);
  return bytes != nullptr ? bytes->size() : std::get<PackageBlob>(content).size;
}

// Where the document refers to a member, or else its name.
std::string placeOf(const std::string &name, const Content &content) {
  const auto *blob = std::get_if<PackageBlob>(&content);
  return blob != nullptr ? blob->path : name;
}

class LayoutWriter {
public:
  LayoutWriter(const Plan &plan, const BlobSource &blobs, const Limits &limits)
      : plan_(plan), blobs_(blobs), limits_(limits) {}

  std::optional<Error> writeFolder(const fs::path &target) {
    std::error_code problem;
    for (const fs::path &folder : {target, target / "blobs", target / "blobs/sha256"})
      if (!fs::create_directory(folder, problem))
        return unwritable(folder, problem.message());
    for (const auto &[name, content] : plan_.members) {
      OutputFile file(target / name);
      if (std::optional<Error> error = writeContent(file, content))
        return error;
      if (std::optional<Error> error = file.close())
        return error;
    }
    return std::nullopt;
  }

  std::optional<Error> writeTar(const fs::path &target) {
    OutputFile file(target);
    for (const auto &[name, content] : plan_.members) {
      const std::uint64_t size = sizeOf(content);
      if (size > kLargestTarMember)
        return Error{"limit.blob-bytes", placeOf(name, content), std::nullopt,
                     "a tar file cannot hold a member of `" + std::to_string(size) + "` bytes"};
      if (std::optional<Error> error = file.write(tarHeader(name, size)))
        return error;
      if (std::optional<Error> error = writeContent(file, content))
        return error;
      if (std::optional<Error> error = file.write(std::string(tarPadding(size), '\0')))
        return error;
    }
    if (std::optional<Error> error = file.write(std::string(2 * kTarBlock, '\0')))
      return error;
    return file.close();
  }

private:
  std::optional<Error> writeContent(OutputFile &file, const Content &content) {
    if (const auto *bytes = std::get_if<std::string>(&content))
      return file.write(*bytes);
    return writeBlob(file, std::get<PackageBlob>(content));
  }

  // Whatever the source gives is proven.
  std::optional<Error> writeBlob(OutputFile &file, const PackageBlob &blob) {
    if (blob.size > limits_.blobBytes)
      return Error{"limit.blob-bytes", blob.path, std::nullopt,
                   "the blob has `" + std::to_string(blob.size) + "` bytes; the limit is `" +
                       std::to_string(limits_.blobBytes) + '`'};
    eg::BlobReference reference;
    reference.set_digest(blob.digest);
    reference.set_size(blob.size);
    Sha256 hash;
    std::uint64_t done = 0;
    const auto take = [&](std::string_view piece) -> std::optional<Error> {
      if (piece.size() > blob.size - done)
        return wrongSize(blob, "more than that");
      done += piece.size();
      hash.update(piece);
      return file.write(piece);
    };
    if (std::optional<Error> error = blobs_(reference, take))
      return error->code.starts_with("container.") ? retold(*std::move(error), blob) : error;
    if (done != blob.size)
      return wrongSize(blob, '`' + std::to_string(done) + '`');
    if (const std::string actual = hash.digest(); actual != blob.digest)
      return Error{"container.digest-mismatch", blob.path, std::nullopt,
                   "the bytes have the digest " + detail::quoted(actual) + "; " +
                       detail::quoted(blob.digest) + " is required"};
    return std::nullopt;
  }

  static Error wrongSize(const PackageBlob &blob, const std::string &found) {
    return {"container.size-mismatch", blob.path, std::nullopt,
            '`' + std::to_string(blob.size) + "` bytes are required; " + found + " are there"};
  }

  // What is wrong with a blob is told at the place that refers to it.
  static Error retold(Error error, const PackageBlob &blob) {
    if (!error.path.empty() && error.path != blob.path)
      error.message += " (" + detail::quoted(error.path) + ')';
    error.path = blob.path;
    return error;
  }

  const Plan &plan_;
  const BlobSource &blobs_;
  const Limits &limits_;
};

// Whether a layout is there, or an empty directory, as far as its first look goes.
bool isLayout(const fs::path &path) {
  std::error_code problem;
  const fs::file_status status = fs::symlink_status(path, problem);
  if (fs::is_directory(status))
    return fs::is_empty(path, problem) || fs::is_regular_file(path / kLayoutFile, problem);
  if (!fs::is_regular_file(status))
    return false;
  std::string start(kTarBlock, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return looksLikeTar(std::string_view(start).substr(0, static_cast<std::size_t>(file.gcount())));
}

} // namespace

Result<std::string> writePackage(const Document &document, const BlobSource &blobs, const fs::path &path,
                                 const WriteOptions &options) {
  Result<Plan> plan = planLayout(document, options);
  if (!plan)
    return std::move(plan).error();
  Staging staging(path, options.replace, isLayout);
  if (std::optional<Error> error = staging.checkFree())
    return *std::move(error);
  LayoutWriter writer(*plan, blobs, options.limits);
  const bool tar = path.string().ends_with(".tar");
  if (std::optional<Error> error = tar ? writer.writeTar(staging.path()) : writer.writeFolder(staging.path()))
    return *std::move(error);
  if (std::optional<Error> error = staging.publish())
    return *std::move(error);
  return std::move(plan->manifestDigest);
}

} // namespace interlock
