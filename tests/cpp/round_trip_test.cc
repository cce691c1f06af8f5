// The golden two-dispatch graph, from file and from code, through every encoding.

#include "support.h"

#include "execgraph/v1/graph.pb.h"

#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/dynamic_message.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

namespace interlock {
namespace {

namespace eg = execgraph::v1;
namespace pb = google::protobuf;
using tests::readFile;

const std::filesystem::path kGolden = std::filesystem::path(INTERLOCK_CASES) / "encode/graph/two_dispatch";

std::string value(const Result<std::string> &result) { return result ? *result : result.error().toString(); }

TEST(TwoDispatches, ReadTheSameFromEveryEncoding) {
  const std::string binary = readFile(kGolden / "document.binpb");
  const std::string json = readFile(kGolden / "document.json");
  for (const char *name : {"document.binpb", "document.json", "document.txtpb"}) {
    const Result<Document> document = decode(readFile(kGolden / name));
    ASSERT_TRUE(document) << name << ": " << document.error().toString();
    EXPECT_EQ(document->kind(), "ExecutionGraph");
    EXPECT_EQ(document->binary(), binary) << name;
    EXPECT_EQ(document->json(), json) << name;
    EXPECT_EQ(document->digest(), digest(binary)) << name;
  }
}

TEST(TwoDispatches, HoldWhatTheyShould) {
  const Result<Document> document = decode(readFile(kGolden / "document.binpb"));
  ASSERT_TRUE(document) << document.error().toString();
  const eg::ExecutionGraph &graph = *document->as<eg::ExecutionGraph>();
  int dispatches = 0;
  for (const eg::Node &node : graph.body().nodes())
    dispatches += node.operation().has_dispatch() ? 1 : 0;
  EXPECT_EQ(dispatches, 2);
}

TEST(TwoDispatches, EncodeFromTheirMessage) {
  const std::string binary = readFile(kGolden / "document.binpb");
  eg::ExecutionGraph graph;
  ASSERT_TRUE(graph.ParseFromString(binary));
  EXPECT_EQ(value(encode(graph)), binary);
  EXPECT_EQ(value(encodeJson(graph)), readFile(kGolden / "document.json"));
  EXPECT_EQ(value(semanticDigest(graph)), decode(binary)->semanticDigest());
}

TEST(TwoDispatches, KeepTheirMeaningWhateverTheirProvenance) {
  eg::ExecutionGraph graph;
  ASSERT_TRUE(graph.ParseFromString(readFile(kGolden / "document.binpb")));
  const std::string before = value(semanticDigest(graph));
  const std::string bytes = value(encode(graph));
  graph.mutable_header()->mutable_producer()->set_name("another");
  graph.mutable_body()->mutable_nodes(0)->mutable_provenance()->mutable_source()->set_uri("file.metal");
  EXPECT_EQ(value(semanticDigest(graph)), before);
  EXPECT_NE(value(encode(graph)), bytes);
  graph.set_id("another");
  EXPECT_NE(value(semanticDigest(graph)), before);
}

// A message whose class was made at run time, from a copy of the schema.
TEST(TwoDispatches, EncodeFromADynamicMessage) {
  const std::string binary = readFile(kGolden / "document.binpb");
  pb::DescriptorPoolDatabase database(*pb::DescriptorPool::generated_pool());
  pb::DescriptorPool pool(&database);
  const pb::Descriptor *descriptor = pool.FindMessageTypeByName("execgraph.v1.ExecutionGraph");
  ASSERT_NE(descriptor, nullptr);
  pb::DynamicMessageFactory factory(&pool);
  const std::unique_ptr<pb::Message> message(factory.GetPrototype(descriptor)->New());
  ASSERT_TRUE(message->ParseFromString(binary));
  EXPECT_EQ(value(encode(*message)), binary);
}

TEST(Document, OutlivesAMove) {
  Result<Document> document = decode(readFile(kGolden / "document.binpb"));
  ASSERT_TRUE(document);
  const Document moved = *std::move(document);
  EXPECT_EQ(moved.as<eg::ExecutionGraph>()->SerializeAsString(), moved.binary());
}

} // namespace
} // namespace interlock
