#include "frame_support.h"

#include "support.h"

#include <gtest/gtest.h>

namespace interlock::tests {

namespace eg = execgraph::v1;

namespace {

void refer(eg::TypedBlob &typed, const std::string &bytes) {
  typed.mutable_content_type()->set_identity("example-code");
  typed.mutable_content_type()->set_version(1);
  typed.mutable_blob()->set_digest(digest(bytes));
  typed.mutable_blob()->set_size(bytes.size());
}

} // namespace

Blobs blobsOf(std::initializer_list<std::string> contents) {
  Blobs blobs;
  for (const std::string &bytes : contents)
    blobs[digest(bytes)] = bytes;
  return blobs;
}

BlobSource sourceOf(const Blobs &blobs) {
  return [blobs](const eg::BlobReference &reference, const BlobSink &sink) -> std::optional<Error> {
    const auto found = blobs.find(reference.digest());
    if (found == blobs.end())
      return std::nullopt;
    const std::string_view bytes = found->second;
    if (std::optional<Error> error = sink(bytes.substr(0, bytes.size() / 2)))
      return error;
    return sink(bytes.substr(bytes.size() / 2));
  };
}

std::string rawDigest(const std::string &digest) {
  std::string bytes;
  for (std::size_t i = 7; i < digest.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digest.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string sealed(char letter, const std::string &body, const std::string &behind) {
  std::string frame = std::string("\x89XGF\x01") + letter + "\r\n";
  std::uint64_t length = body.size();
  for (int i = 0; i < 8; ++i, length >>= 8)
    frame += static_cast<char>(length & 0xFF);
  return frame + rawDigest(digest(body)) + body + behind;
}

std::string joined(const Blobs &blobs) {
  std::string bytes;
  for (const auto &[digest, blob] : blobs)
    bytes += blob;
  return bytes;
}

std::string canonical(const google::protobuf::Message &message) {
  const Result<std::string> bytes = encode(message);
  EXPECT_TRUE(bytes) << bytes.error().toString();
  return *bytes;
}

eg::TargetModule &addModule(eg::TargetModuleBundle &bundle, const std::string &group, std::uint32_t stage,
                            const std::string &code) {
  eg::TargetModule &module = *bundle.add_modules();
  module.set_stage(stage);
  module.set_group(group);
  module.add_members(group);
  module.set_entry_point("main");
  refer(*module.mutable_code(), code);
  return module;
}

eg::TargetModuleBundle exampleBundle() {
  eg::TargetModuleBundle bundle;
  addModule(bundle, "b", 0, "code of b");
  eg::TargetModule &module = addModule(bundle, "a", 1, "code of a");
  refer(*module.mutable_semantic(), "what a means");
  refer(*module.mutable_lowered(), "");
  return bundle;
}

Blobs exampleBlobs() { return blobsOf({"code of b", "code of a", "what a means", ""}); }

eg::NestedDocument nested(const std::string &body) {
  eg::NestedDocument document;
  document.set_digest(digest(body));
  document.set_body(body);
  return document;
}

eg::TargetPayload examplePayload(const std::string &bundle, std::uint32_t version) {
  eg::TargetPayload payload;
  payload.set_graph_digest(digest("the graph"));
  payload.mutable_format()->set_identity("example");
  payload.mutable_format()->set_version(version);
  payload.mutable_profile()->set_identity("device");
  for (const char *group : {"a", "b"}) {
    payload.add_groups()->set_id(group);
    payload.add_entries()->set_group(group);
  }
  *payload.mutable_bundle() = nested(bundle);
  return payload;
}

eg::Envelope exampleEnvelope(const std::vector<eg::TargetPayload> &payloads) {
  eg::ExecutionGraph graph;
  graph.set_id("g");
  eg::Envelope envelope;
  *envelope.mutable_graph() = nested(canonical(graph));
  for (const eg::TargetPayload &payload : payloads) {
    eg::EnvelopePayload &held = *envelope.add_payloads();
    *held.mutable_format() = payload.format();
    *held.mutable_payload() = nested(canonical(payload));
  }
  return envelope;
}

std::string verdict(const Result<Frame> &frame) { return frame ? "accepted" : verdict(frame.error()); }

std::string readVerdict(const std::string &bytes, const FrameOptions &options) {
  return verdict(readFrame(bytes, options));
}

} // namespace interlock::tests
