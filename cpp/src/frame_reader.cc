#include "frame_blobs.h"
#include "frame_documents.h"
#include "frame_format.h"
#include "interlock/codec.h"
#include "interlock/digest.h"
#include "interlock/frame.h"
#include "place.h"
#include "sha256.h"
#include "wire.h"

#include "execgraph/v1/blob.pb.h"
#include "execgraph/v1/module.pb.h"
#include "execgraph/v1/payload.pb.h"

#include <algorithm>
#include <utility>

namespace interlock {

namespace eg = execgraph::v1;
using namespace detail;

namespace {

// Bytes as two hexadecimal digits each.
std::string hex(std::string_view bytes, std::string_view separator = "") {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty())
      text += separator;
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

std::string shown(std::string_view identity, std::uint32_t version) {
  return std::string(identity) + ' ' + std::to_string(version);
}

// The name of the kind of a frame, or null after it reported an error.
const FrameKind *readMagic(std::string_view bytes, const std::optional<std::string> &expected,
                           ErrorSlot &errors) {
  const auto check = [&](std::size_t at, std::string_view wanted) {
    const std::string_view found = bytes.substr(at, wanted.size());
    return found == wanted ||
           errors.fail("frame.unknown-magic", "", at,
                       "the bytes `" + hex(found, " ") + "` stand where a frame has " + hex(wanted, " "));
  };
  if (!check(0, kFrameStart) || !check(kFrameLineEndAt, kFrameLineEnd))
    return nullptr;
  const auto version = static_cast<unsigned char>(bytes[kFrameVersionAt]);
  if (version != kFrameVersion) {
    errors.fail("frame.unknown-version", "", kFrameVersionAt,
                "the frame is of version `" + std::to_string(version) + "`; this reader knows version " +
                    std::to_string(kFrameVersion));
    return nullptr;
  }
  const auto kind = std::ranges::find(kFrameKinds, bytes[kFrameKindAt], &FrameKind::letter);
  if (kind == kFrameKinds.end()) {
    std::string known;
    for (const FrameKind &each : kFrameKinds)
      known += (known.empty() ? "" : ", ") + hex({&each.letter, 1}) + " (" + std::string(each.name) + ')';
    errors.fail("frame.unknown-kind", "", kFrameKindAt,
                '`' + hex(bytes.substr(kFrameKindAt, 1)) + "` is no kind; there are " + known);
    return nullptr;
  }
  if (expected && kind->name != *expected) {
    errors.fail("frame.kind-mismatch", "", kFrameKindAt,
                "the frame holds a `" + std::string(kind->name) + "`; expected is " + printable(*expected));
    return nullptr;
  }
  return &*kind;
}

// What stands before the blobs.
struct Opened {
  const FrameKind *kind = nullptr;
  std::string_view body;
  std::string digest;
};

bool openFrame(std::string_view bytes, const FrameOptions &options, Opened &opened, ErrorSlot &errors) {
  const std::uint64_t size = bytes.size();
  if (size > options.limits.frameBytes)
    return errors.fail("limit.frame-bytes", "", std::nullopt,
                       "the frame is " + std::to_string(size) + " bytes long; the limit is " +
                           std::to_string(options.limits.frameBytes));
  if (size < kBodyAt)
    return errors.fail("frame.truncated", "", size,
                       "the frame is " + std::to_string(size) + " bytes long; its header alone has " +
                           std::to_string(kBodyAt));
  opened.kind = readMagic(bytes, options.expectedKind, errors);
  if (opened.kind == nullptr)
    return false;
  const char *at = bytes.data() + kBodyLengthAt;
  const std::uint64_t length = readFixed(at, 8);
  if (length > size - kBodyAt)
    return errors.fail("frame.truncated", "", kBodyLengthAt,
                       "the body is `" + std::to_string(length) + "` bytes long, but only " +
                           std::to_string(size - kBodyAt) + " follow");
  opened.body = bytes.substr(kBodyAt, length);
  opened.digest = interlock::digest(opened.body);
  const std::string stated = hex(bytes.substr(kBodyDigestAt, kBodyAt - kBodyDigestAt));
  const std::string_view actual = std::string_view(opened.digest).substr(kDigestPrefix.size());
  return actual == stated ||
         errors.fail("frame.digest-mismatch", "", kBodyDigestAt,
                     "the digest is `" + stated + "`; that of the body is " + std::string(actual));
}

} // namespace

struct Frame::State {
  Document document;
  std::string digest;
  FrameDocuments documents;
  std::vector<FrameBlob> blobs;
};

// Makes frames; the documents refer to the outermost one, which has its place before they are read.
class FrameReader {
public:
  static Result<Frame> read(std::string_view bytes, const FrameOptions &options) {
    ErrorSlot errors;
    Opened opened;
    if (!openFrame(bytes, options, opened, errors))
      return errors.take();
    DecodeOptions decoding;
    decoding.expectedKind = std::string(opened.kind->name);
    decoding.limits = options.limits;
    Result<Document> document = decodeBinary(opened.body, decoding);
    if (!document) {
      Error error = std::move(document).error();
      if (error.offset)
        *error.offset += kBodyAt;
      return error;
    }
    auto state =
        std::make_unique<Frame::State>(Frame::State{*std::move(document), std::move(opened.digest), {}, {}});
    Result<FrameDocuments> documents = readNested(state->document, options.limits, kBodyAt);
    if (!documents)
      return std::move(documents).error();
    Result<std::vector<BlobUse>> uses = usedBlobs(*documents);
    if (!uses)
      return std::move(uses).error();
    Result<std::vector<FrameBlob>> blobs =
        splitBlobs(*std::move(uses), bytes.substr(kBodyAt + opened.body.size()), options.limits);
    if (!blobs)
      return std::move(blobs).error();
    state->documents = *std::move(documents);
    state->blobs = *std::move(blobs);
    return Frame(std::move(state));
  }
};

bool looksLikeFrame(std::string_view bytes) { return bytes.starts_with(kFrameStart); }

Result<Frame> readFrame(std::string_view bytes, const FrameOptions &options) {
  return FrameReader::read(bytes, options);
}

FrameBundle::FrameBundle(const Document &document) : document_(&document) {
  for (const eg::TargetModule &module : message().modules())
    modules_.try_emplace(module.group(), &module);
}

const eg::TargetModuleBundle &FrameBundle::message() const {
  return *document_->as<eg::TargetModuleBundle>();
}

const eg::TargetModule *FrameBundle::module(std::string_view group) const {
  const auto found = modules_.find(group);
  return found == modules_.end() ? nullptr : found->second;
}

FramePayload::FramePayload(const Document &document, const eg::ContentType &format, const Document *bundle)
    : document_(&document), format_(&format) {
  if (bundle != nullptr)
    bundle_.emplace(*bundle);
}

const eg::TargetPayload &FramePayload::message() const { return *document_->as<eg::TargetPayload>(); }

const eg::TargetEntry *FramePayload::entry(std::string_view group) const {
  // The canonical order is that of the groups' bytes.
  const auto &entries = message().entries();
  const auto found = std::ranges::lower_bound(
      entries, group, {}, [](const eg::TargetEntry &each) { return std::string_view(each.group()); });
  return found == entries.end() || found->group() != group ? nullptr : &*found;
}

const eg::TargetModule *FramePayload::module(std::string_view group) const {
  return bundle_ ? bundle_->module(group) : nullptr;
}

Frame::Frame(std::unique_ptr<State> state) : state_(std::move(state)) {}
Frame::Frame(Frame &&) noexcept = default;
Frame &Frame::operator=(Frame &&) noexcept = default;
Frame::~Frame() = default;

std::string_view Frame::kind() const { return state_->document.kind(); }

const Document &Frame::document() const { return state_->document; }

const std::string &Frame::digest() const { return state_->digest; }

const std::vector<FrameBlob> &Frame::blobs() const { return state_->blobs; }

Result<std::string_view> Frame::blob(std::string_view digest, std::uint64_t size) const {
  const auto found = std::ranges::lower_bound(
      state_->blobs, digest, {}, [](const FrameBlob &each) { return std::string_view(each.digest); });
  if (found == state_->blobs.end() || found->digest != digest)
    return Error{"container.missing-blob", "", std::nullopt,
                 "there are no bytes of digest " + quoted(digest)};
  if (found->bytes.size() != size)
    return Error{"container.size-mismatch", "", std::nullopt,
                 "the blob is " + std::to_string(found->bytes.size()) + " bytes long; `" +
                     std::to_string(size) + "` are stated"};
  return found->bytes;
}

Result<std::string_view> Frame::blob(const eg::BlobReference &reference) const {
  return blob(reference.digest(), reference.size());
}

const Document *Frame::graph() const { return state_->documents.graph; }

const std::vector<FramePayload> &Frame::payloads() const { return state_->documents.payloads; }

Result<const FramePayload *> Frame::payload(std::string_view identity, std::uint32_t version) const {
  std::string versions;
  std::string formats;
  const auto list = [](std::string &listed, const std::string &item) {
    listed += (listed.empty() ? "" : ", ") + item;
  };
  for (const FramePayload &payload : payloads()) {
    const eg::ContentType &format = payload.format();
    if (format.identity() == identity && format.version() == version)
      return &payload;
    if (format.identity() == identity)
      list(versions, std::to_string(format.version()));
    list(formats, printable(shown(format.identity(), format.version())));
  }
  const std::string path = kind() == "Envelope" ? "payloads" : "";
  if (!versions.empty())
    return Error{"envelope.unknown-format-version", path, std::nullopt,
                 "there is no version `" + std::to_string(version) + "` of the format " + quoted(identity) +
                     ", only " + versions};
  return Error{"envelope.unknown-format", path, std::nullopt,
               "there is no payload of format " + quoted(shown(identity, version)) +
                   "; there are: " + (formats.empty() ? "none" : formats)};
}

const FrameBundle *Frame::bundle() const {
  return state_->documents.bundle ? &*state_->documents.bundle : nullptr;
}

} // namespace interlock
