// Reading sealed frames: every code, at its place, and what is found in them.

#include "frame_support.h"
#include "support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <string>
#include <utility>

namespace interlock {
namespace {

namespace eg = execgraph::v1;
using namespace tests;

const std::string kBundle = canonical(exampleBundle());
const std::string kFrame = sealed('B', kBundle, joined(exampleBlobs()));

// A frame with other bytes from an offset on.
std::string changed(std::size_t at, const std::string &bytes, const std::string &frame = kFrame) {
  return frame.substr(0, at) + bytes + frame.substr(at + bytes.size());
}

FrameOptions expecting(const std::string &kind) {
  FrameOptions options;
  options.expectedKind = kind;
  return options;
}

TEST(Frame, HoldsABundleAndItsBlobs) {
  const Result<Frame> frame = readFrame(kFrame, expecting("TargetModuleBundle"));
  ASSERT_TRUE(frame) << frame.error().toString();
  EXPECT_EQ(frame->kind(), "TargetModuleBundle");
  EXPECT_EQ(frame->digest(), digest(kBundle));
  EXPECT_EQ(frame->document().binary(), kBundle);
  EXPECT_EQ(frame->graph(), nullptr);
  EXPECT_TRUE(frame->payloads().empty());
  ASSERT_NE(frame->bundle(), nullptr);
  EXPECT_EQ(&frame->bundle()->document(), &frame->document());
  ASSERT_NE(frame->bundle()->module("a"), nullptr);
  EXPECT_EQ(frame->bundle()->module("a")->stage(), 1U);
  EXPECT_EQ(frame->bundle()->module("c"), nullptr);
  EXPECT_EQ(frame->bundle()->module(""), nullptr);
}

TEST(Frame, GivesBlobsAsPartsOfTheInput) {
  const Result<Frame> frame = readFrame(kFrame);
  ASSERT_TRUE(frame);
  const Result<std::string_view> code = frame->blob(digest("code of a"), 9);
  ASSERT_TRUE(code);
  EXPECT_EQ(*code, "code of a");
  EXPECT_GE(code->data(), kFrame.data());
  EXPECT_LE(code->data() + code->size(), kFrame.data() + kFrame.size());
  EXPECT_EQ(*frame->blob(frame->bundle()->module("a")->lowered().blob()), "");
  EXPECT_EQ(frame->blobs().size(), 4U);
  EXPECT_EQ(verdict(frame->blob(digest("code of a"), 8).error()), "container.size-mismatch [] -");
  EXPECT_EQ(verdict(frame->blob(digest("other"), 5).error()), "container.missing-blob [] -");
  EXPECT_EQ(verdict(frame->blob("", 0).error()), "container.missing-blob [] -");
}

TEST(Frame, KeepsItsDocumentsWhenItIsMoved) {
  Result<Frame> read =
      readFrame(sealed('E', canonical(exampleEnvelope({examplePayload(kBundle)})), joined(exampleBlobs())));
  ASSERT_TRUE(read);
  const Document *graph = read->graph();
  const Frame frame = *std::move(read);
  EXPECT_EQ(frame.graph(), graph);
  EXPECT_EQ(frame.graph()->as<eg::ExecutionGraph>()->id(), "g");
  EXPECT_EQ(frame.payloads().at(0).module("a")->entry_point(), "main");
}

TEST(Frame, FindsPayloadsByExactFormat) {
  const std::string frameBytes =
      sealed('E', canonical(exampleEnvelope({examplePayload(kBundle, 1), examplePayload(kBundle, 3)})),
             joined(exampleBlobs()));
  const Result<Frame> frame = readFrame(frameBytes, expecting("Envelope"));
  ASSERT_TRUE(frame) << frame.error().toString();
  const Result<const FramePayload *> payload = frame->payload("example", 3);
  ASSERT_TRUE(payload);
  EXPECT_EQ(*payload, &frame->payloads().at(1));
  EXPECT_EQ((*payload)->message().format().version(), 3U);
  EXPECT_EQ((*payload)->entry("b")->group(), "b");
  EXPECT_EQ((*payload)->entry("c"), nullptr);
  EXPECT_EQ((*payload)->entry("aa"), nullptr);
  EXPECT_EQ((*payload)->module("b")->stage(), 0U);
  EXPECT_EQ((*payload)->bundle()->document().binary(), kBundle);
  const Error version = frame->payload("example", 2).error();
  EXPECT_EQ(verdict(version), "envelope.unknown-format-version [payloads] -");
  EXPECT_EQ(version.message, "there is no version `2` of the format `example`, only 1, 3");
  const Error unknown = frame->payload("exampl", 1).error();
  EXPECT_EQ(verdict(unknown), "envelope.unknown-format [payloads] -");
  EXPECT_EQ(unknown.message, "there is no payload of format `exampl 1`; there are: example 1, example 3");
}

TEST(Frame, FindsThePayloadThatItIs) {
  const Result<Frame> frame =
      readFrame(sealed('P', canonical(examplePayload(kBundle)), joined(exampleBlobs())));
  ASSERT_TRUE(frame) << frame.error().toString();
  ASSERT_TRUE(frame->payload("example", 1));
  EXPECT_EQ(&(*frame->payload("example", 1))->document(), &frame->document());
  EXPECT_EQ(verdict(frame->payload("other", 1).error()), "envelope.unknown-format [] -");
  EXPECT_EQ(frame->bundle(), nullptr);
}

// The rules are not judged here: what they forbid is read, and look-ups find what is stated.
TEST(Frame, JudgesNoRule) {
  eg::TargetPayload bare;
  bare.mutable_format()->set_identity("example");
  eg::Envelope envelope = exampleEnvelope({bare});
  envelope.add_payloads()->mutable_format()->set_version(9);
  envelope.clear_graph();
  const Result<Frame> frame = readFrame(sealed('E', canonical(envelope)));
  ASSERT_TRUE(frame) << frame.error().toString();
  EXPECT_EQ(frame->graph(), nullptr);
  ASSERT_EQ(frame->payloads().size(), 1U);
  EXPECT_EQ(frame->payloads()[0].bundle(), nullptr);
  EXPECT_EQ(frame->payloads()[0].module("a"), nullptr);
  EXPECT_EQ(frame->payloads()[0].entry("a"), nullptr);
  eg::TargetModuleBundle empty;
  empty.add_modules()->set_group("a");
  EXPECT_EQ(readVerdict(sealed('B', canonical(empty))),
            "frame.blob-digest-mismatch [modules[0].code.blob] -");
}

TEST(Frame, RefusesWhatIsNoFrame) {
  EXPECT_TRUE(looksLikeFrame(kFrame));
  EXPECT_FALSE(looksLikeFrame(kBundle));
  EXPECT_FALSE(looksLikeFrame("\x89XG"));
  for (std::size_t size = 0; size < 48; ++size)
    EXPECT_EQ(readVerdict(kFrame.substr(0, size)), "frame.truncated [] " + std::to_string(size));
  for (std::size_t size = 48; size < 48 + kBundle.size(); ++size)
    EXPECT_EQ(readVerdict(kFrame.substr(0, size)), "frame.truncated [] 8");
  EXPECT_EQ(readVerdict(changed(3, "f")), "frame.unknown-magic [] 0");
  EXPECT_EQ(readVerdict(changed(4, "\x02?\n")), "frame.unknown-magic [] 6");
  EXPECT_EQ(readVerdict(changed(4, "\x02?")), "frame.unknown-version [] 4");
  EXPECT_EQ(readVerdict(changed(5, "G")), "frame.unknown-kind [] 5");
  EXPECT_EQ(readVerdict(changed(8, std::string(8, '\xFF')), expecting("Envelope")),
            "frame.kind-mismatch [] 5");
  EXPECT_EQ(readVerdict(changed(8, std::string(8, '\xFF'))), "frame.truncated [] 8");
  EXPECT_EQ(readVerdict(changed(16, std::string(32, '\0'))), "frame.digest-mismatch [] 16");
  EXPECT_EQ(readVerdict(changed(5, "P")), "header.kind-mismatch [header.kind] 50");
}

TEST(Frame, SaysWhatItFoundAndWhatItWants) {
  EXPECT_EQ(readFrame(changed(0, "\xFF")).error().message,
            "the bytes `ff 58 47 46` stand where a frame has 89 58 47 46");
  EXPECT_EQ(readFrame(changed(5, "G")).error().message,
            "`47` is no kind; there are 42 (TargetModuleBundle), 50 (TargetPayload), 45 (Envelope)");
  EXPECT_EQ(readFrame(kFrame, expecting("Envelope")).error().message,
            "the frame holds a `TargetModuleBundle`; expected is Envelope");
}

TEST(Frame, IsBoundedInclusively) {
  FrameOptions options;
  options.limits.frameBytes = kFrame.size();
  options.limits.blobBytes = 12;
  EXPECT_EQ(readVerdict(kFrame, options), "accepted");
  options.limits.blobBytes = 11;
  EXPECT_EQ(readVerdict(kFrame, options), "limit.blob-bytes [modules[1].semantic.blob] -");
  options.limits.frameBytes = kFrame.size() - 1;
  EXPECT_EQ(readVerdict(kFrame, options), "limit.frame-bytes [] -");
  EXPECT_EQ(readVerdict("nothing", {std::nullopt, {.frameBytes = 6}}), "limit.frame-bytes [] -");
  EXPECT_EQ(readVerdict(kFrame, {std::nullopt, {.documentBytes = kBundle.size() - 1}}),
            "limit.document-bytes [] -");
}

TEST(Frame, CountsOffsetsFromItsFirstByte) {
  const std::string bad = kBundle + "\xB8\x3E\x01";
  EXPECT_EQ(readVerdict(sealed('B', bad)),
            "canonical.unknown-field [] " + std::to_string(48 + kBundle.size()));
  const std::string payload = sealed('P', canonical(examplePayload(bad)));
  EXPECT_EQ(readVerdict(payload),
            "canonical.unknown-field [bundle.body] " + std::to_string(payload.find("\xB8\x3E\x01")));
  const std::string envelope =
      sealed('E', canonical(exampleEnvelope({examplePayload(kBundle), examplePayload(bad, 2)})));
  EXPECT_EQ(readVerdict(envelope), "canonical.unknown-field [payloads[1].payload.body.bundle.body] " +
                                       std::to_string(envelope.find("\xB8\x3E\x01")));
}

TEST(Frame, ReadsNestedDocumentsFromTheOuterToTheInner) {
  eg::Envelope envelope = exampleEnvelope({examplePayload(kBundle), examplePayload(kBundle, 2)});
  const std::string blobs = joined(exampleBlobs());
  const auto judge = [&] { return readVerdict(sealed('E', canonical(envelope), blobs)); };
  EXPECT_EQ(judge(), "accepted");
  envelope.mutable_payloads(1)->mutable_payload()->set_digest("");
  EXPECT_EQ(judge(), "nested.digest-mismatch [payloads[1].payload.digest] -");
  eg::TargetPayload inner = examplePayload(kBundle);
  inner.mutable_bundle()->set_digest(digest(""));
  *envelope.mutable_payloads(0)->mutable_payload() = nested(canonical(inner));
  EXPECT_EQ(judge(), "nested.digest-mismatch [payloads[0].payload.body.bundle.digest] -");
  *envelope.mutable_payloads(0)->mutable_payload() = nested(kBundle);
  const std::string body = canonical(envelope);
  EXPECT_EQ(judge(), "header.kind-mismatch [payloads[0].payload.body.header.kind] " +
                         std::to_string(48 + body.find(kBundle) + 2));
  envelope.mutable_graph()->set_digest("sha256:");
  EXPECT_EQ(judge(), "nested.digest-mismatch [graph.digest] -");
}

// It is not written, so that there is no byte to point at.
TEST(Frame, RefusesAnEmptyNestedDocumentWithoutAnOffset) {
  EXPECT_EQ(readVerdict(sealed('P', canonical(examplePayload("")))), "header.missing [bundle.body.header] -");
}

TEST(Frame, SeparatesBlobsBySizeBeforeItHashesThem) {
  const std::size_t behind = 48 + kBundle.size();
  const Blobs blobs = exampleBlobs();
  const std::map<std::string, std::string> places = {{"code of b", "[modules[0].code.blob] -"},
                                                     {"code of a", "[modules[1].code.blob] -"},
                                                     {"what a means", "[modules[1].semantic.blob] -"},
                                                     {"", "[modules[1].lowered.blob] -"}};
  EXPECT_EQ(readVerdict(kFrame + '\0'), "frame.trailing-bytes [] -");
  EXPECT_EQ(readVerdict(changed(behind, "?") + '\0'), "frame.trailing-bytes [] -");
  std::size_t at = behind;
  for (const auto &[digest, blob] : blobs) {
    for (std::size_t size = at; size < at + blob.size(); ++size)
      EXPECT_EQ(readVerdict(kFrame.substr(0, size)), "frame.missing-blob " + places.at(blob));
    if (!blob.empty()) {
      EXPECT_EQ(readVerdict(changed(at, "?")), "frame.blob-digest-mismatch " + places.at(blob));
    }
    at += blob.size();
  }
}

TEST(Frame, RefusesASizeThatNoBytesHave) {
  eg::TargetModuleBundle bundle = exampleBundle();
  bundle.mutable_modules(1)->mutable_code()->mutable_blob()->set_digest(digest("code of b"));
  bundle.mutable_modules(1)->mutable_code()->mutable_blob()->set_size(1);
  EXPECT_EQ(readVerdict(sealed('B', canonical(bundle))), "frame.blob-size-conflict [modules[1].code.blob] -");
  bundle = exampleBundle();
  FrameOptions unbounded;
  unbounded.limits.blobBytes = ~std::uint64_t{0};
  for (eg::TargetModule &module : *bundle.mutable_modules())
    module.mutable_code()->mutable_blob()->set_size(~std::uint64_t{0});
  EXPECT_TRUE(readVerdict(sealed('B', canonical(bundle)), unbounded).starts_with("frame.missing-blob "));
  EXPECT_TRUE(readVerdict(sealed('B', canonical(bundle))).starts_with("limit.blob-bytes "));
}

TEST(Frame, ReadsVeryManyPayloadsInLinearTime) {
  eg::Envelope envelope = exampleEnvelope({});
  eg::TargetPayload payload = examplePayload(canonical(eg::TargetModuleBundle()));
  for (std::uint32_t version = 1; version <= 4000; ++version) {
    payload.mutable_format()->set_version(version);
    eg::EnvelopePayload &held = *envelope.add_payloads();
    *held.mutable_format() = payload.format();
    *held.mutable_payload() = nested(canonical(payload));
  }
  const std::string frame = sealed('E', canonical(envelope));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(readVerdict(frame), "accepted");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Frame, CostsLittleMoreToReadThanToHash) {
  const std::string code(std::size_t{16} << 20, 'c');
  eg::TargetModuleBundle bundle;
  addModule(bundle, "a", 0, code);
  const std::string frame = sealed('B', canonical(bundle), code);
  const auto fastest = [](const auto &work) {
    std::clock_t best = std::numeric_limits<std::clock_t>::max();
    for (int i = 0; i < 5; ++i) {
      const std::clock_t start = std::clock();
      work();
      best = std::min(best, std::clock() - start);
    }
    return best;
  };
  const std::clock_t hashing = fastest([&] { EXPECT_TRUE(isDigest(digest(frame))); });
  const std::clock_t reading = fastest([&] { EXPECT_TRUE(readFrame(frame)); });
  EXPECT_LT(reading, 2 * hashing + CLOCKS_PER_SEC / 100);
}

TEST(Frame, RefusesEveryFlippedBit) {
  for (std::size_t at = 0; at < kFrame.size() * 8; ++at) {
    std::string flipped = kFrame;
    flipped[at / 8] = static_cast<char>(flipped[at / 8] ^ 1 << at % 8);
    const std::string said = readVerdict(flipped);
    const bool refused = said.starts_with("frame.") || said == "header.kind-mismatch [header.kind] 50";
    EXPECT_TRUE(refused) << at << ": " << said;
  }
}

// Hostile bytes below digests that fit: no crash, and never two spellings.
TEST(Frame, RefusesOrKeepsEveryByteThatIsSealedAnew) {
  const std::string graph = exampleEnvelope({}).graph().body();
  const std::string blobs = joined(exampleBlobs());
  const auto judge = [&](const eg::Envelope &envelope) {
    const std::string bytes = sealed('E', canonical(envelope), blobs);
    const Result<Frame> frame = readFrame(bytes);
    if (frame) {
      const Result<std::string> again = writeFrame(frame->document().message(), tests::blobsOf(*frame));
      EXPECT_TRUE(again && *again == bytes);
    }
    return verdict(frame);
  };
  for (std::size_t at = 0; at < kBundle.size() * 8; at += 3) {
    std::string flipped = kBundle;
    flipped[at / 8] = static_cast<char>(flipped[at / 8] ^ 1 << at % 8);
    EXPECT_FALSE(judge(exampleEnvelope({examplePayload(flipped)})).empty());
  }
  for (std::size_t size = 0; size < kBundle.size(); ++size)
    EXPECT_NE(judge(exampleEnvelope({examplePayload(kBundle.substr(0, size))})), "accepted");
}

} // namespace
} // namespace interlock
