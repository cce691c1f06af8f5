#include "frame_documents.h"

#include "interlock/codec.h"
#include "interlock/digest.h"
#include "place.h"
#include "wire.h"

#include "execgraph/v1/envelope.pb.h"
#include "execgraph/v1/module.pb.h"
#include "execgraph/v1/payload.pb.h"

#include <string>
#include <utility>

namespace interlock::detail {

namespace eg = execgraph::v1;

namespace {

// One length-delimited field on the way to a nested document.
struct Step {
  int number;
  int index = 0; // Of the element.
};

// The value of a field of a canonical message; null data if it is not there.
std::string_view valueOf(std::string_view message, const Step &step) {
  const char *at = message.data();
  const char *end = at + message.size();
  for (int seen = 0; at < end;) {
    std::uint64_t tag = 0;
    std::uint64_t value = 0;
    static_cast<void>(readVarint(at, end, tag));
    static_cast<void>(readVarint(at, end, value));
    if ((tag & 7) == static_cast<std::uint64_t>(WireType::Varint))
      continue;
    if (tag >> 3 == static_cast<std::uint64_t>(step.number) && seen++ == step.index)
      return {at, value};
    at += value;
  }
  return {};
}

// A document, and the way to it from the one around it.
struct Level {
  const Level *outer;                 // Null: the outermost.
  const Document *document;           // Null until it was read.
  std::string path;                   // From the outermost document. Empty: that one itself.
  std::vector<Step> steps;            // From `outer`.
  std::optional<std::uint64_t> start; // Of the outermost.

  [[nodiscard]] std::string pathTo(std::string_view place) const {
    return path.empty() ? std::string(place) : path + '.' + std::string(place);
  }

  // The offset of the first byte; absent if there is no byte. Looked for only when something is wrong: a
  // document may hold very many.
  [[nodiscard]] std::optional<std::uint64_t> offset() const {
    if (outer == nullptr)
      return start;
    const std::optional<std::uint64_t> before = outer->offset();
    const std::string_view binary = outer->document->binary();
    std::string_view value = binary;
    for (const Step &step : steps)
      value = valueOf(value, step);
    if (!before || value.data() == nullptr)
      return std::nullopt;
    return *before + static_cast<std::uint64_t>(value.data() - binary.data());
  }
};

class NestedReader {
public:
  explicit NestedReader(const Limits &limits) : limits_(limits) {}

  std::optional<Error> read(const Document &root, std::optional<std::uint64_t> start) {
    const Level outermost{nullptr, &root, "", {}, start};
    if (root.as<eg::TargetModuleBundle>() != nullptr) {
      found_.bundle.emplace(root);
      return std::nullopt;
    }
    if (const auto *payload = root.as<eg::TargetPayload>())
      return readPayload(outermost, payload->format());
    return readEnvelope(outermost);
  }

  FrameDocuments take() { return std::move(found_); }

private:
  std::optional<Error> readEnvelope(const Level &outermost) {
    const auto &envelope = *outermost.document->as<eg::Envelope>();
    if (envelope.has_graph()) {
      const std::vector<Step> steps = {{eg::Envelope::kGraphFieldNumber}};
      Level graph{&outermost, nullptr, "graph", steps, std::nullopt};
      if (std::optional<Error> error = open(envelope.graph(), "ExecutionGraph", graph))
        return error;
      found_.graph = graph.document;
    }
    for (int i = 0; i < envelope.payloads_size(); ++i) {
      const eg::EnvelopePayload &held = envelope.payloads(i);
      if (!held.has_payload())
        continue;
      const std::vector<Step> steps = {{eg::Envelope::kPayloadsFieldNumber, i},
                                       {eg::EnvelopePayload::kPayloadFieldNumber}};
      Level payload{&outermost, nullptr, "payloads[" + std::to_string(i) + "].payload", steps, std::nullopt};
      if (std::optional<Error> error = open(held.payload(), "TargetPayload", payload))
        return error;
      if (std::optional<Error> error = readPayload(payload, held.format()))
        return error;
    }
    return std::nullopt;
  }

  std::optional<Error> readPayload(const Level &level, const eg::ContentType &format) {
    const auto &payload = *level.document->as<eg::TargetPayload>();
    const std::vector<Step> steps = {{eg::TargetPayload::kBundleFieldNumber}};
    Level bundle{&level, nullptr, level.pathTo("bundle"), steps, std::nullopt};
    if (payload.has_bundle())
      if (std::optional<Error> error = open(payload.bundle(), "TargetModuleBundle", bundle))
        return error;
    found_.payloads.emplace_back(*level.document, format, bundle.document);
    found_.bundlePaths.push_back(std::move(bundle.path));
    return std::nullopt;
  }

  // Reads one nested document. The path of `level` is that of the message that holds it, and then that into
  // it.
  std::optional<Error> open(const eg::NestedDocument &held, const char *kind, Level &level) {
    const std::string actual = interlock::digest(held.body());
    if (held.digest() != actual)
      return Error{"nested.digest-mismatch", level.pathTo("digest"), std::nullopt,
                   "the digest is " + quoted(held.digest()) + "; that of the " + kind + " beside it is " +
                       actual};
    level.path = level.pathTo("body");
    level.steps.push_back({eg::NestedDocument::kBodyFieldNumber});
    DecodeOptions options;
    options.expectedKind = kind;
    options.limits = limits_;
    Result<Document> document = decodeBinary(held.body(), options);
    if (!document) {
      Error error = std::move(document).error();
      error.path = error.path.empty() ? level.path : level.pathTo(error.path);
      const std::optional<std::uint64_t> start = error.offset ? level.offset() : std::nullopt;
      error.offset = start ? std::optional(*start + *error.offset) : std::nullopt;
      return error;
    }
    level.document = &found_.nested.emplace_back(*std::move(document));
    return std::nullopt;
  }

  const Limits &limits_;
  FrameDocuments found_;
};

} // namespace

Result<FrameDocuments> readNested(const Document &root, const Limits &limits,
                                  std::optional<std::uint64_t> start) {
  NestedReader reader(limits);
  if (std::optional<Error> error = reader.read(root, start))
    return *std::move(error);
  return reader.take();
}

} // namespace interlock::detail
