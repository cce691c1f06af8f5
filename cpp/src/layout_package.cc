#include "container_path.h"
#include "interlock/digest.h"
#include "layout.h"
#include "place.h"

#include <map>
#include <utility>

namespace interlock::detail {

namespace {

// What an index or a manifest says of a blob.
struct Descriptor {
  std::string digest;
  std::uint64_t size = 0;
  std::string mediaType;
  std::string artifactType;
  std::optional<std::string> tag;
};

std::optional<Error> requireText(const Record &record, std::string_view member, std::string_view value) {
  const Result<std::string> found = record.text(member);
  if (!found)
    return found.error();
  if (*found == value)
    return std::nullopt;
  return malformed(record.place(member),
                   detail::quoted(*found) + " stands where " + detail::quoted(value) + " is required");
}

std::optional<Error> requireSchemaVersion(const Record &record) {
  const Result<std::uint64_t> found = record.count("schemaVersion");
  if (!found)
    return found.error();
  if (*found == kOciSchemaVersion)
    return std::nullopt;
  return malformed(record.place("schemaVersion"), '`' + std::to_string(*found) + "` stands where `" +
                                                      std::to_string(kOciSchemaVersion) + "` is required");
}

Result<std::optional<std::string>> readTag(const Record &record) {
  const Result<std::optional<Record>> annotations = record.optionalRecord("annotations");
  if (!annotations)
    return annotations.error();
  if (!*annotations || !(*annotations)->has(kTagKey))
    return std::optional<std::string>();
  Result<std::string> tag = (*annotations)->text(kTagKey);
  if (!tag)
    return std::move(tag).error();
  return std::optional(*std::move(tag));
}

Result<Descriptor> readDescriptor(const Record &record) {
  Result<std::string> digest = record.text("digest");
  if (!digest)
    return std::move(digest).error();
  if (!isDigest(*digest))
    return malformed(record.place("digest"),
                     detail::quoted(*digest) +
                         " is no digest; `sha256:` and 64 hexadecimal digits are required");
  Result<std::optional<std::string>> tag = readTag(record);
  if (!tag)
    return std::move(tag).error();
  const Result<std::uint64_t> size = record.count("size");
  if (!size)
    return size.error();
  Result<std::string> artifactType = record.optionalText("artifactType");
  if (!artifactType)
    return std::move(artifactType).error();
  Result<std::string> mediaType = record.text("mediaType");
  if (!mediaType)
    return std::move(mediaType).error();
  return Descriptor{*std::move(digest), *size, *std::move(mediaType), *std::move(artifactType),
                    *std::move(tag)};
}

Result<std::string> readManifest(const LayoutFiles &files, const Descriptor &descriptor,
                                 const Limits &limits) {
  if (descriptor.size > limits.metadataBytes)
    return tooLarge(descriptor.size, blobName(descriptor.digest), limits);
  return files.blob(descriptor.digest, descriptor.size, limits);
}

// Whether the member is a string of that value.
bool says(const Record &record, std::string_view member, std::string_view value) {
  const Result<std::string> text = record.text(member);
  return text && *text == value;
}

bool isPackage(const Record &manifest) {
  const Result<Record> config = manifest.record("config");
  return says(manifest, "artifactType", kPackageType) ||
         (config && says(*config, "mediaType", kDocumentType));
}

// Looks for the manifests of packages among the descriptors of an index.
class ManifestSearch {
public:
  ManifestSearch(const LayoutFiles &files, const OpenOptions &options) : files_(files), options_(options) {}

  // The index is judged to its end, whatever is found. \returns what ends the search.
  std::optional<Error> visit(const Record &record) {
    Result<Descriptor> descriptor = readDescriptor(record);
    if (!descriptor)
      return std::move(descriptor).error();
    const bool named = !options_.tag || descriptor->tag == options_.tag;
    const bool stated = !descriptor->artifactType.empty();
    if (!named || descriptor->mediaType != kManifestType ||
        (stated && descriptor->artifactType != kPackageType))
      return std::nullopt;
    candidates_.push_back(*std::move(descriptor));
    return std::nullopt;
  }

  // \returns the manifest, of which the descriptor is put into `found`.
  Result<std::string> only(Descriptor &found) {
    for (Descriptor &candidate : candidates_)
      if (std::optional<Error> error = look(std::move(candidate)))
        return *std::move(error);
    const std::string where = options_.tag ? " with the tag " + detail::quoted(*options_.tag) : "";
    if (count_ == 0 && damage_)
      return *std::move(damage_);
    if (count_ == 0)
      return Error{"container.missing-manifest", std::string(kIndexFile), std::nullopt,
                   "the index holds no manifest of a package" + where};
    if (count_ > 1)
      return Error{"container.ambiguous-manifest", std::string(kIndexFile), std::nullopt,
                   "the index holds `" + std::to_string(count_) + "` packages" + where + advice()};
    found = std::move(found_);
    return std::move(manifest_);
  }

private:
  // One descriptor. A manifest that many descriptors name is read once.
  std::optional<Error> look(Descriptor descriptor) {
    const bool stated = !descriptor.artifactType.empty();
    Seen &seen = seen_[{descriptor.digest, descriptor.size}];
    std::string manifest;
    if (!seen.read) {
      seen.read = true;
      if (std::optional<Error> error = read(descriptor, manifest, seen.package))
        seen.damage = std::move(error);
    }
    if (seen.damage) {
      if (stated) // It is said to be a package.
        return seen.damage;
      if (!damage_)
        damage_ = seen.damage;
      return std::nullopt;
    }
    if ((!stated && !seen.package) || seen.counted)
      return std::nullopt;
    seen.counted = true;
    if (descriptor.tag)
      tags_ += (tags_.empty() ? "" : ", ") + detail::quoted(*descriptor.tag);
    if (++count_ > 1)
      return std::nullopt;
    if (manifest.empty()) { // It was read for a descriptor that did not say what it is.
      if (std::optional<Error> error = read(descriptor, manifest, seen.package))
        return error;
    }
    manifest_ = std::move(manifest);
    found_ = std::move(descriptor);
    return std::nullopt;
  }

  std::optional<Error> read(const Descriptor &descriptor, std::string &manifest, bool &package) const {
    Result<std::string> bytes = readManifest(files_, descriptor, options_.limits);
    if (!bytes)
      return std::move(bytes).error();
    const Result<Record> record = Record::parse(*bytes, blobName(descriptor.digest), options_.limits);
    if (!record)
      return record.error();
    package = isPackage(*record);
    manifest = *std::move(bytes);
    return std::nullopt;
  }

  [[nodiscard]] std::string advice() const {
    return options_.tag || tags_.empty() ? "" : "; name the tag of one: " + printable(tags_);
  }

  struct Seen {
    bool read = false;
    bool package = false;
    bool counted = false;
    std::optional<Error> damage;
  };

  const LayoutFiles &files_;
  const OpenOptions &options_;
  std::vector<Descriptor> candidates_;
  std::map<std::pair<std::string, std::uint64_t>, Seen> seen_;
  std::optional<Error> damage_; // The first, of what may be a package.
  std::size_t count_ = 0;
  std::string tags_;
  std::string manifest_; // Of the first that was found, as is the descriptor.
  Descriptor found_;
};

// Reads the index. \returns the manifest of the package.
Result<std::string> findManifest(const LayoutFiles &files, const OpenOptions &options, Descriptor &found) {
  const std::string name(kIndexFile);
  const Result<std::string> text = files.readMetadata(name, options.limits);
  if (!text)
    return text.error();
  const Result<Record> index = Record::parse(*text, name, options.limits);
  if (!index)
    return index.error();
  std::optional<Error> error = requireSchemaVersion(*index);
  if (!error && index->has("mediaType"))
    error = requireText(*index, "mediaType", kIndexType);
  ManifestSearch search(files, options);
  if (!error)
    error = index->forEachRecord("manifests", [&](const Record &record) { return search.visit(record); });
  if (error)
    return *std::move(error);
  return search.only(found);
}

std::optional<Error> checkLayoutFile(const LayoutFiles &files, const Limits &limits) {
  const std::string name(kLayoutFile);
  const Result<std::string> text = files.readMetadata(name, limits);
  if (!text)
    return text.error();
  const Result<Record> record = Record::parse(*text, name, limits);
  return record ? requireText(*record, "imageLayoutVersion", kLayoutVersion) : record.error();
}

Result<Descriptor> readConfig(const Record &manifest) {
  if (std::optional<Error> error = requireSchemaVersion(manifest))
    return *std::move(error);
  const Result<Record> record = manifest.record("config");
  if (!record)
    return record.error();
  Result<Descriptor> config = readDescriptor(*record);
  if (config)
    if (std::optional<Error> error = requireText(*record, "mediaType", kDocumentType))
      return *std::move(error);
  return config;
}

} // namespace

Result<FoundPackage> findPackage(const LayoutFiles &files, const OpenOptions &options) {
  const Limits &limits = options.limits;
  if (std::optional<Error> error = checkLayoutFile(files, limits))
    return *std::move(error);
  Descriptor descriptor;
  const Result<std::string> text = findManifest(files, options, descriptor);
  if (!text)
    return text.error();
  const Result<Record> manifest = Record::parse(*text, blobName(descriptor.digest), limits);
  if (!manifest)
    return manifest.error();
  const Result<Descriptor> config = readConfig(*manifest);
  if (!config)
    return config.error();
  if (config->size > limits.documentBytes)
    return Error{"limit.document-bytes", "", std::nullopt,
                 '`' + std::to_string(config->size) + "` bytes exceed the limit of `" +
                     std::to_string(limits.documentBytes) + '`'};
  Result<std::string> binary = files.blob(config->digest, config->size, limits);
  if (!binary)
    return std::move(binary).error();
  return FoundPackage{descriptor.digest, descriptor.tag, *std::move(binary)};
}

} // namespace interlock::detail
