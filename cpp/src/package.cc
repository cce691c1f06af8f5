#include "interlock/package.h"

#include "interlock/codec.h"
#include "layout.h"
#include "package_paths.h"
#include "place.h"

#include "execgraph/v1/graph.pb.h"
#include "execgraph/v1/package.pb.h"

#include <algorithm>
#include <utility>

namespace interlock {

namespace eg = execgraph::v1;
using namespace detail;

struct Package::State {
  LayoutFiles files;
  Limits limits;
  std::string manifestDigest;
  std::optional<std::string> tag;
  Document document;
};

Package::Package(std::unique_ptr<State> state) : state_(std::move(state)) {}
Package::Package(Package &&) noexcept = default;
Package &Package::operator=(Package &&) noexcept = default;
Package::~Package() = default;

Result<Package> Package::open(const std::filesystem::path &path, const OpenOptions &options) {
  Result<LayoutFiles> files = LayoutFiles::open(path, options.limits);
  if (!files)
    return std::move(files).error();
  Result<FoundPackage> found = findPackage(*files, options);
  if (!found)
    return std::move(found).error();
  DecodeOptions decoding;
  decoding.expectedKind = "Package";
  decoding.limits = options.limits;
  Result<Document> document = decodeBinary(found->binary, decoding);
  if (!document)
    return std::move(document).error();
  return Package(
      std::make_unique<State>(State{*std::move(files), options.limits, std::move(found->manifestDigest),
                                    std::move(found->tag), *std::move(document)}));
}

const Document &Package::document() const { return state_->document; }

const eg::Package &Package::message() const { return *state_->document.as<eg::Package>(); }

const std::string &Package::manifestDigest() const { return state_->manifestDigest; }

const std::optional<std::string> &Package::tag() const { return state_->tag; }

Result<std::string> Package::blob(const eg::BlobReference &reference) const {
  return state_->files.blob(reference.digest(), reference.size(), state_->limits);
}

std::optional<Error> Package::readBlob(const eg::BlobReference &reference, const BlobSink &sink) const {
  return state_->files.readBlob(reference.digest(), reference.size(), state_->limits, sink);
}

Result<Document> Package::graph(std::string_view id) const {
  const auto &graphs = message().graphs();
  const auto packaged = std::ranges::find(graphs, id, &eg::PackagedGraph::id);
  if (packaged == graphs.end())
    return Error{"package.unknown-graph", "graphs", std::nullopt,
                 "the package holds no graph " + detail::quoted(id)};
  const bool embedded = packaged->source().has_embedded();
  const std::string path = elementPath("graphs", id) + ".source." + (embedded ? "embedded" : "reference");
  Result<std::string> referred = embedded ? std::string() : blob(packaged->source().reference());
  if (!referred)
    return std::move(referred).error();
  DecodeOptions options;
  options.expectedKind = "ExecutionGraph";
  options.limits = state_->limits;
  Result<Document> document = decodeBinary(embedded ? packaged->source().embedded() : *referred, options);
  if (!document)
    return Error{"package.unreadable-graph", path, document.error().offset,
                 "the graph " + detail::quoted(id) + " cannot be read: " + document.error().toString()};
  const std::string &own = document->as<eg::ExecutionGraph>()->id();
  if (own != id)
    return Error{"package.graph-id-mismatch", path, std::nullopt,
                 "the graph is named " + detail::quoted(own) + ", and the package calls it " +
                     detail::quoted(id)};
  return document;
}

Result<const eg::Variant *> Package::variant(std::string_view artifact, std::string_view target,
                                             std::optional<std::string_view> name) const {
  const auto &artifacts = message().artifacts();
  const auto found = std::ranges::find(artifacts, artifact, &eg::Artifact::id);
  if (found == artifacts.end())
    return Error{"artifact.not-packaged", "artifacts", std::nullopt,
                 "the package holds no artifact " + detail::quoted(artifact)};
  const eg::Variant *chosen = nullptr;
  std::size_t fitting = 0;
  for (const eg::Variant &variant : found->variants()) {
    if (variant.target() != target || (name && variant.name() != *name))
      continue;
    if (variant.name().empty() || name) // At most one, for both are the key of the set.
      return &variant;
    chosen = &variant;
    ++fitting;
  }
  if (fitting == 1)
    return chosen;
  const std::string which = detail::quoted(artifact) +
                            (fitting == 0 ? " has no variant" : " has several variants") +
                            (name ? ' ' + detail::quoted(*name) : "") + " for " + detail::quoted(target);
  return Error{fitting == 0 ? "artifact.missing-variant" : "artifact.ambiguous-variant",
               elementPath("artifacts", artifact), std::nullopt,
               fitting == 0 ? which : which + "; the name of one is required"};
}

Result<std::string> Package::artifact(std::string_view id, std::string_view target,
                                      std::optional<std::string_view> name) const {
  const Result<const eg::Variant *> found = variant(id, target, name);
  return found ? blob((*found)->blob()) : found.error();
}

std::vector<std::string> Package::graphIds() const {
  std::vector<std::string> ids;
  for (const eg::PackagedGraph &graph : message().graphs())
    ids.push_back(graph.id());
  return ids;
}

std::vector<std::string> Package::artifactIds() const {
  std::vector<std::string> ids;
  for (const eg::Artifact &artifact : message().artifacts())
    ids.push_back(artifact.id());
  return ids;
}

} // namespace interlock
