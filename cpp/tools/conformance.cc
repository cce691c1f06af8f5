#include "conformance.h"

#include "execgraph/conformance/v1/conformance.pb.h"
#include "execgraph/v1/blob.pb.h"
#include "interlock/interlock.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace interlock::tools {

namespace eg = execgraph::v1;
namespace wire = execgraph::conformance::v1;

namespace {

enum class BodyStatus { Read, End, Broken };

BodyStatus readBody(std::FILE *in, std::string &body) {
  std::array<unsigned char, 4> prefix{};
  const std::size_t got = std::fread(prefix.data(), 1, prefix.size(), in);
  if (got != prefix.size())
    return got == 0 && std::feof(in) != 0 ? BodyStatus::End : BodyStatus::Broken;
  std::size_t left = prefix[0] | prefix[1] << 8 | prefix[2] << 16 | std::size_t{prefix[3]} << 24;
  body.clear();
  // In pieces: an announced length is no reason to allocate it.
  std::array<char, 1 << 16> piece;
  while (left > 0) {
    const std::size_t wanted = std::min(left, piece.size());
    if (std::fread(piece.data(), 1, wanted, in) != wanted)
      return BodyStatus::Broken;
    body.append(piece.data(), wanted);
    left -= wanted;
  }
  return BodyStatus::Read;
}

bool writeBody(std::FILE *out, const std::string &body) {
  if (body.size() > 0xFFFFFFFF)
    return false;
  std::array<unsigned char, 4> prefix{};
  for (std::size_t i = 0; i < prefix.size(); ++i)
    prefix[i] = static_cast<unsigned char>(body.size() >> (8 * i));
  return std::fwrite(prefix.data(), 1, prefix.size(), out) == prefix.size() &&
         std::fwrite(body.data(), 1, body.size(), out) == body.size() && std::fflush(out) == 0;
}

// Zero stands for the default.
template <typename T, typename U> void override(T &limit, U value) {
  if (value != 0)
    limit = value;
}

DecodeOptions optionsOf(const wire::Request &request) {
  DecodeOptions options;
  if (request.format() == wire::FORMAT_BINARY)
    options.encoding = Encoding::Binary;
  else if (request.format() == wire::FORMAT_JSON)
    options.encoding = Encoding::Json;
  else if (request.format() == wire::FORMAT_TEXT)
    options.encoding = Encoding::Text;
  if (!request.expected_kind().empty())
    options.expectedKind = request.expected_kind();
  options.canonicalize = request.canonicalize();
  options.rootMessage = request.root_message();
  override(options.limits.documentBytes, request.limits().document_bytes());
  override(options.limits.messageDepth, request.limits().message_depth());
  override(options.limits.jsonDepth, request.limits().json_depth());
  override(options.limits.stringBytes, request.limits().string_bytes());
  override(options.limits.repeatedElements, request.limits().repeated_elements());
  override(options.limits.frameBytes, request.limits().frame_bytes());
  override(options.limits.blobBytes, request.limits().blob_bytes());
  return options;
}

wire::Response refusal(const Error &given) {
  wire::Response response;
  wire::CodecError &error = *response.mutable_error();
  error.set_code(given.code);
  error.set_path(given.path);
  if (given.offset)
    error.set_byte_offset(*given.offset);
  error.set_message(given.message);
  return response;
}

wire::Response accepted(const Document &document) {
  wire::Response response;
  wire::EncodedDocument &encoded = *response.mutable_document();
  encoded.set_binary(document.binary());
  encoded.set_json(document.json());
  encoded.set_digest(document.digest());
  encoded.set_semantic_digest(document.semanticDigest());
  return response;
}

// Reads a frame and writes it anew.
wire::Response answerFrame(const std::string &input, const DecodeOptions &options) {
  const Result<Frame> frame = readFrame(input, {options.expectedKind, options.limits});
  if (!frame)
    return refusal(frame.error());
  const auto blobs = [&frame](const eg::BlobReference &reference,
                              const BlobSink &sink) -> std::optional<Error> {
    const Result<std::string_view> bytes = frame->blob(reference);
    return bytes ? sink(*bytes) : bytes.error();
  };
  const Result<std::string> written = writeFrame(frame->document().message(), blobs, options.limits);
  if (!written)
    return refusal(written.error());
  wire::Response response = accepted(frame->document());
  response.mutable_document()->set_frame(*written);
  return response;
}

wire::Response answer(const wire::Request &request) {
  const DecodeOptions options = optionsOf(request);
  if (request.format() == wire::FORMAT_FRAME)
    return answerFrame(request.input(), options);
  const Result<Document> document = decode(request.input(), options);
  return document ? accepted(*document) : refusal(document.error());
}

} // namespace

bool answerConformanceRequests(std::FILE *in, std::FILE *out, std::string &problem) {
  std::string body;
  for (;;) {
    switch (readBody(in, body)) {
    case BodyStatus::End:
      return true;
    case BodyStatus::Broken:
      problem = "the input ends within a frame";
      return false;
    case BodyStatus::Read:
      break;
    }
    wire::Request request;
    if (!request.ParseFromString(body)) {
      problem = "a frame holds no request";
      return false;
    }
    if (!writeBody(out, answer(request).SerializeAsString())) {
      problem = "a response cannot be written";
      return false;
    }
  }
}

} // namespace interlock::tools
