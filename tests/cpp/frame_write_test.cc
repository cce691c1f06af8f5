// Writing sealed frames: the bytes, and everything that is refused.

#include "frame_support.h"
#include "support.h"

#include "execgraph/v1/package.pb.h"

#include <gtest/gtest.h>

#include <string>

namespace interlock {
namespace {

namespace eg = execgraph::v1;
using namespace tests;

std::string writeVerdict(const google::protobuf::Message &message, const Blobs &blobs,
                         const Limits &limits = {}) {
  const Result<std::string> frame = writeFrame(message, sourceOf(blobs), limits);
  return frame ? "accepted" : verdict(frame.error());
}

std::string written(const google::protobuf::Message &message) {
  const Result<std::string> frame = writeFrame(message, sourceOf(exampleBlobs()));
  EXPECT_TRUE(frame) << frame.error().toString();
  return *frame;
}

TEST(FrameWriting, WritesWhatIsReadBack) {
  const std::string bundle = canonical(exampleBundle());
  const std::string blobs = joined(exampleBlobs());
  EXPECT_EQ(written(exampleBundle()), sealed('B', bundle, blobs));
  const eg::TargetPayload payload = examplePayload(bundle);
  EXPECT_EQ(written(payload), sealed('P', canonical(payload), blobs));
  const eg::Envelope envelope = exampleEnvelope({payload, examplePayload(bundle, 2)});
  EXPECT_EQ(written(envelope), sealed('E', canonical(envelope), blobs));
  EXPECT_EQ(writeVerdict(exampleEnvelope({}), {}), "accepted");
}

TEST(FrameWriting, SortsModulesAndCompletesTheHeader) {
  eg::TargetModuleBundle bundle = exampleBundle();
  bundle.mutable_modules()->SwapElements(0, 1);
  EXPECT_EQ(written(bundle), written(exampleBundle()));
  EXPECT_FALSE(bundle.has_header());
}

TEST(FrameWriting, AsksOnceForEachBlobInAscendingOrder) {
  eg::TargetModuleBundle bundle = exampleBundle();
  addModule(bundle, "c", 0, "code of b");
  std::string asked;
  const Blobs blobs = exampleBlobs();
  const BlobSource source = sourceOf(blobs);
  const auto counting = [&](const eg::BlobReference &reference, const BlobSink &sink) {
    asked += reference.digest() + ' ' + std::to_string(reference.size()) + '\n';
    return source(reference, sink);
  };
  ASSERT_TRUE(writeFrame(bundle, counting));
  std::string expected;
  for (const auto &[digest, blob] : blobs)
    expected += digest + ' ' + std::to_string(blob.size()) + '\n';
  EXPECT_EQ(asked, expected);
}

TEST(FrameWriting, RefusesBytesThatAreNotThoseOfTheDocument) {
  Blobs blobs = exampleBlobs();
  blobs.erase(digest("what a means"));
  EXPECT_EQ(writeVerdict(exampleBundle(), blobs), "frame.missing-blob [modules[1].semantic.blob] -");
  for (const char *shorter : {"what a mean", "what a means!", ""}) {
    blobs[digest("what a means")] = shorter;
    EXPECT_EQ(writeVerdict(exampleBundle(), blobs), "frame.missing-blob [modules[1].semantic.blob] -");
  }
  blobs[digest("what a means")] = "what a mEans";
  EXPECT_EQ(writeVerdict(exampleBundle(), blobs), "frame.blob-digest-mismatch [modules[1].semantic.blob] -");
}

TEST(FrameWriting, GivesTheErrorOfTheSource) {
  const auto failing = [](const eg::BlobReference &, const BlobSink &) -> std::optional<Error> {
    return Error{"input.unreadable", "", std::nullopt, "gone"};
  };
  EXPECT_EQ(verdict(writeFrame(exampleBundle(), failing).error()), "input.unreadable [] -");
}

TEST(FrameWriting, RefusesWhatReadingRefuses) {
  const std::string bundle = canonical(exampleBundle());
  eg::TargetPayload payload = examplePayload(bundle + "\xB8\x3E\x01");
  EXPECT_EQ(writeVerdict(payload, exampleBlobs()), "canonical.unknown-field [bundle.body] -");
  payload = examplePayload(bundle);
  payload.mutable_bundle()->set_digest(digest("other"));
  EXPECT_EQ(writeVerdict(payload, exampleBlobs()), "nested.digest-mismatch [bundle.digest] -");
  EXPECT_EQ(writeVerdict(exampleEnvelope({payload}), exampleBlobs()),
            "nested.digest-mismatch [payloads[0].payload.body.bundle.digest] -");
  eg::TargetModuleBundle twice = exampleBundle();
  addModule(twice, "b", 0, "code of b");
  EXPECT_EQ(writeVerdict(twice, exampleBlobs()), "canonical.duplicate-key [modules[2]] -");
  eg::TargetModuleBundle sizes = exampleBundle();
  addModule(sizes, "c", 2, "code of b").mutable_code()->mutable_blob()->set_size(1);
  EXPECT_EQ(writeVerdict(sizes, exampleBlobs()), "frame.blob-size-conflict [modules[2].code.blob] -");
  EXPECT_EQ(writeVerdict(eg::ExecutionGraph(), {}), "frame.unknown-kind [] -");
  EXPECT_EQ(writeVerdict(eg::BlobReference(), {}), "header.unknown-kind [header.kind] -");
}

TEST(FrameWriting, IsBoundedInclusively) {
  const std::size_t size = written(exampleBundle()).size();
  EXPECT_EQ(writeVerdict(exampleBundle(), exampleBlobs(), {.blobBytes = 12, .frameBytes = size}), "accepted");
  EXPECT_EQ(writeVerdict(exampleBundle(), exampleBlobs(), {.blobBytes = 11}),
            "limit.blob-bytes [modules[1].semantic.blob] -");
  for (const std::size_t most : {size - 1, std::size_t{48}, std::size_t{0}})
    EXPECT_EQ(writeVerdict(exampleBundle(), exampleBlobs(), {.frameBytes = most}), "limit.frame-bytes [] -");
}

// Nothing of that size is allocated.
TEST(FrameWriting, TakesNoStatedSizeOnTrust) {
  eg::TargetModuleBundle bundle = exampleBundle();
  bundle.mutable_modules(0)->mutable_code()->mutable_blob()->set_size(std::uint64_t{1} << 62);
  Limits limits;
  limits.blobBytes = limits.frameBytes = ~std::uint64_t{0};
  Blobs blobs = exampleBlobs();
  blobs.erase(digest("code of b"));
  EXPECT_EQ(writeVerdict(bundle, blobs, limits), "frame.missing-blob [modules[0].code.blob] -");
}

} // namespace
} // namespace interlock
