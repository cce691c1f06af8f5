// One input for each code of the codec. The conformance cases hold many more; these show each in one line.

#include "support.h"

#include "execgraph/v1/graph.pb.h"
#include "execgraph/v1/package.pb.h"

#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include <string>

namespace interlock {
namespace {

namespace eg = execgraph::v1;
using tests::field;
using tests::graphHeader;
using tests::varintField;
using tests::verdict;

// What reading a graph with this content says. The header takes the first 15 bytes.
std::string content(const std::string &bytes, const DecodeOptions &options = {}) {
  return verdict(decodeBinary(graphHeader() + bytes, options));
}

// What reading a graph with these members says. The header takes the first 100 bytes.
std::string json(const std::string &members, const DecodeOptions &options = {}) {
  return verdict(
      decodeJson(R"(  {"header":{"kind":"DOCUMENT_KIND_EXECUTION_GRAPH","requiredFeatures":["draft-1"],)"
                 R"("schemaMajor":1},)" +
                     members + "}",
                 options));
}

std::string text(const std::string &bytes, const DecodeOptions &options = {}) {
  return verdict(decodeText(bytes, options));
}

std::string header(const std::string &bytes, const DecodeOptions &options = {}) {
  return verdict(decodeBinary(field(1, bytes), options));
}

const std::string kKind = varintField(1, "\x01");
const std::string kMajor = varintField(2, "\x01");
const std::string kFeature = field(5, "draft-1");

std::string resource(const std::string &bytes) { return field(5, field(1, "r") + bytes); }
std::string view(const std::string &bytes) { return field(6, field(1, "v") + bytes); }

TEST(Wire, CallsEveryFaultByItsName) {
  EXPECT_EQ(content("\x12"), "wire.truncated [id] 15");
  EXPECT_EQ(content("\x12\x02g"), "wire.truncated [id] 15");
  EXPECT_EQ(content("\x80"), "wire.truncated [] 15");
  EXPECT_EQ(content(std::string(10, '\xff')), "wire.varint-overflow [] 15");
  EXPECT_EQ(content(std::string(1, '\0')), "wire.invalid-tag [] 15");
  EXPECT_EQ(content("\x16"), "wire.invalid-tag [] 15");
  EXPECT_EQ(content("\x13"), "wire.group [] 15");
  EXPECT_EQ(content(std::string("\x10\x00", 2)), "wire.wrong-type [id] 15");
  EXPECT_EQ(content(resource("\x18\x02")), "wire.value-out-of-range [resources[0].consumed] 20");
  EXPECT_EQ(content(field(2, "\xff")), "wire.invalid-utf8 [id] 15");
  EXPECT_EQ(content(field(2, "\uffff")), "wire.noncharacter [id] 15");
}

TEST(Canonical, CallsEveryFaultByItsName) {
  EXPECT_EQ(content(std::string("\x12\x81\x00g", 4)), "canonical.overlong-varint [id] 15");
  EXPECT_EQ(content("\x9a\x06\x01x"), "canonical.unknown-field [] 15");
  EXPECT_EQ(content(view("\x30\x01")), "canonical.unpacked-list [views[0].byte_strides] 20");
  EXPECT_EQ(content(view("\x32\x01\x01\x32\x01\x01")), "canonical.split-list [views[0].byte_strides] 23");
  EXPECT_EQ(content(view(std::string("\x32\x00", 2))), "canonical.empty-list [views[0].byte_strides] 20");
  EXPECT_EQ(content(resource("") + field(2, "g")), "canonical.field-order [id] 20");
  EXPECT_EQ(content(field(2, "g") + field(2, "g")), "canonical.duplicate-field [id] 18");
  EXPECT_EQ(content(resource(field(7, field(2, "") + field(3, "")))),
            "canonical.duplicate-oneof [resources[0].layout.opaque] 24");
  EXPECT_EQ(content(resource("\x10\x63")), "canonical.unknown-enum-value [resources[0].role] 20");
  EXPECT_EQ(content(field(2, "")), "canonical.default-value [id] 15");
  EXPECT_EQ(content(field(8, "")), "canonical.empty-message [body] 15");
  EXPECT_EQ(content(field(3, field(1, "b")) + field(3, field(1, "a"))),
            "canonical.unsorted-set [parameters[1]] 20");
  EXPECT_EQ(content(field(3, field(1, "a")) + field(3, field(1, "a"))),
            "canonical.duplicate-key [parameters[1]] 20");
  EXPECT_EQ(header(kKind + kMajor), "canonical.required-features [header.required_features] 0");
}

TEST(Header, CallsEveryFaultByItsName) {
  EXPECT_EQ(verdict(decodeBinary("")), "header.missing [header] 0");
  EXPECT_EQ(content(graphHeader()), "header.duplicate [header] 15");
  EXPECT_EQ(header(kMajor + kFeature), "header.unknown-kind [header.kind] 0");
  EXPECT_EQ(header(varintField(1, "\x63") + kMajor + kFeature), "header.unknown-kind [header.kind] 2");
  EXPECT_EQ(header(kKind + varintField(2, "\x02") + kFeature),
            "version.unknown-major [header.schema_major] 4");
  EXPECT_EQ(header(kKind + kMajor + varintField(3, "\x01") + kFeature),
            "version.newer-minor [header.schema_minor] 6");
  EXPECT_EQ(header(kKind + kMajor + kFeature + field(5, "x")),
            "version.unknown-feature [header.required_features[1]] 15");
  DecodeOptions package;
  package.expectedKind = "Package";
  EXPECT_EQ(header(kKind + kMajor + kFeature, package), "header.kind-mismatch [header.kind] 2");
}

TEST(LimitsOfReading, AreEnforced) {
  DecodeOptions options;
  options.limits.documentBytes = 15;
  EXPECT_EQ(content("", options), "accepted");
  EXPECT_EQ(content("x", options), "limit.document-bytes [] -");
  options = {};
  options.limits.messageDepth = 2;
  EXPECT_EQ(content(field(8, field(1, field(1, "n"))), options), "limit.message-depth [body.nodes[0]] 17");
  EXPECT_EQ(json(R"("body":{"nodes":[{"id":"n"}]})", options), "limit.message-depth [body.nodes[0]] 117");
  EXPECT_EQ(text("body { nodes { id: 'n' } }", options), "limit.message-depth [] -");
  options = {};
  options.limits.stringBytes = 7;
  EXPECT_EQ(content(field(2, "12345678"), options), "limit.string-bytes [id] 15");
  EXPECT_EQ(json(R"("id":"12345678")", options), "limit.string-bytes [id] 105");
  options = {};
  options.limits.repeatedElements = 1;
  EXPECT_EQ(content(field(3, field(1, "a")) + field(3, field(1, "b")), options),
            "limit.repeated-elements [parameters[1]] 20");
  EXPECT_EQ(content(view("\x32\x02\x01\x01"), options), "limit.repeated-elements [views[0].byte_strides] 20");
  EXPECT_EQ(json(R"("parameters":[{"id":"a"},0])", options), "limit.repeated-elements [parameters[1]] 125");
  options = {};
  options.limits.jsonDepth = 3;
  EXPECT_EQ(json(R"("body":{"nodes":[{"id":"n"}]})", options), "limit.json-depth [body.nodes[0]] 117");
}

TEST(Json, CallsEveryFaultOfContentByItsName) {
  EXPECT_EQ(json(R"("visibility_model":"")"), "json.proto-name [] 100");
  EXPECT_EQ(json(R"("other":1)"), "json.unknown-field [] 100");
  EXPECT_EQ(json(R"("id":null)"), "json.null [id] 105");
  EXPECT_EQ(json(R"("id":1)"), "json.wrong-type [id] 105");
  EXPECT_EQ(json(R"("maximumNodeExecutions":"01")"), "json.number-spelling [maximum_node_executions] 124");
  EXPECT_EQ(json(R"("maximumNodeExecutions":"-1")"),
            "json.number-out-of-range [maximum_node_executions] 124");
  EXPECT_EQ(json(R"("maximumNodeExecutions":1)"), "json.wrong-type [maximum_node_executions] 124");
  EXPECT_EQ(json(R"("visibilityModel":"NONE")"), "json.unknown-enum-value [visibility_model] 118");
  EXPECT_EQ(json(R"("resources":[{"id":"r","layout":{"packed":{},"opaque":0}}])"),
            "json.duplicate-oneof [resources[0].layout.opaque] 145");
  EXPECT_EQ(json(R"("body":{"nodes":[]})"), "canonical.empty-message [body] 107");
  EXPECT_EQ(json(R"("parameters":[{"id":"a"},{"id":"a"}])"), "canonical.duplicate-key [parameters[1]] 125");
  EXPECT_EQ(verdict(decodeJson("[]")), "json.wrong-type [] 0");
  EXPECT_EQ(verdict(decodeJson("{}")), "header.missing [header] 0");
}

TEST(Json, RefusesBase64ThatIsNotTheOnlySpelling) {
  const auto pattern = [](const std::string &bits) {
    return json(R"("body":{"nodes":[{"id":"n","operation":{"fill":{"pattern":{"bits":")" + bits +
                R"("}}}}]})");
  };
  const std::string refused = "json.invalid-base64 [body.nodes[0].operation.fill.pattern.bits] 166";
  EXPECT_EQ(pattern("AAA="), "accepted");
  EXPECT_EQ(pattern("AA=="), "accepted");
  for (const char *bits :
       {"AAA", "AA", "A===", "AB==", "AAB=", "A-__", "AA=A", "====", "AAAA====", "AA=", "AAA\\u003d="})
    EXPECT_EQ(pattern(bits), refused) << bits;
}

TEST(Text, CallsEveryFaultByItsName) {
  EXPECT_EQ(text("id: "), "text.malformed [] -");
  EXPECT_EQ(text("id: '\\377'"), "text.malformed [] -");
  EXPECT_EQ(text("\xff"), "text.malformed [] -");
  EXPECT_EQ(text("# proto-message: execgraph.v1.Node\n"), "header.unknown-kind [header.kind] -");
  EXPECT_EQ(text("resources { id: 'r' role: 99 }"), "canonical.unknown-enum-value [resources[0].role] -");
  EXPECT_EQ(text("body {}"), "canonical.empty-message [body] -");
  EXPECT_EQ(text("parameters { id: 'a' } parameters { id: 'b' } parameters { id: 'a' }"),
            "canonical.duplicate-key [parameters[2]] -");
  EXPECT_EQ(text("id: '\\357\\277\\277'"), "wire.noncharacter [id] -");
}

TEST(Text, TakesItsRootFromTheCallerOrFromAComment) {
  const Result<Document> named =
      decodeText("# A package.\n\n# proto-message: execgraph.v1.Package\nid: 'p'\n");
  ASSERT_TRUE(named) << named.error().toString();
  EXPECT_EQ(named->kind(), "Package");
  DecodeOptions options;
  options.rootMessage = "execgraph.v1.Envelope";
  const Result<Document> stated = decodeText("# proto-message: execgraph.v1.Package\n", options);
  ASSERT_TRUE(stated) << stated.error().toString();
  EXPECT_EQ(stated->kind(), "Envelope");
  EXPECT_EQ(decodeText("id: 'g'")->kind(), "ExecutionGraph");
}

TEST(Canonicalize, MendsWhatSaysOneThingOnly) {
  DecodeOptions options;
  options.canonicalize = true;
  const std::string id = field(2, "g");
  const auto mended = [&](const std::string &bytes) {
    const Result<Document> document = decodeBinary(bytes, options);
    return document ? document->binary().substr(graphHeader().size()) : verdict(document);
  };
  EXPECT_EQ(mended(graphHeader() + resource("") + id), id + resource(""));
  EXPECT_EQ(mended(graphHeader() + field(2, "")), "");
  EXPECT_EQ(mended(graphHeader() + std::string("\x12\x81\x00g", 4)), id);
  EXPECT_EQ(mended(graphHeader() + view("\x30\x01\x32\x02\x02\x03\x30\x04")),
            view("\x32\x04\x01\x02\x03\x04"));
  EXPECT_EQ(mended(graphHeader() + view(std::string("\x32\x00", 2))), view(""));
  EXPECT_EQ(mended(graphHeader() + field(3, field(1, "b")) + field(3, field(1, "a"))),
            field(3, field(1, "a")) + field(3, field(1, "b")));
  EXPECT_EQ(mended(field(1, kKind + kMajor) + id), id);
}

TEST(Canonicalize, RefusesTheRestAtTheSamePlace) {
  DecodeOptions options;
  options.canonicalize = true;
  EXPECT_EQ(content(field(2, "g") + field(2, "g"), options), "canonical.duplicate-field [id] 18");
  EXPECT_EQ(content("\x9a\x06\x01x", options), "canonical.unknown-field [] 15");
  EXPECT_EQ(content(field(3, field(1, "b")) + field(3, field(1, "a")) + field(3, field(1, "b")), options),
            "canonical.duplicate-key [parameters[2]] 25");
  EXPECT_EQ(content(field(12, field(1, field(1, ""))), options),
            "canonical.empty-message [provenance.tool] 17");
}

// Two spans of a lifetime whose node sets are the same, in different order.
TEST(Canonicalize, ComparesKeysInCanonicalForm) {
  DecodeOptions options;
  options.canonicalize = true;
  const std::string one = field(1, field(1, "a") + field(1, "b"));
  const std::string other = field(1, field(1, "b") + field(1, "a"));
  EXPECT_EQ(content(resource(field(10, one + other)), options),
            "canonical.duplicate-key [resources[0].lifetime.spans[1]] 30");
}

TEST(Encode, LeavesItsMessageAlone) {
  eg::ExecutionGraph graph;
  graph.add_parameters()->set_id("b");
  graph.add_parameters()->set_id("a");
  const Result<std::string> binary = encode(graph);
  ASSERT_TRUE(binary) << binary.error().toString();
  EXPECT_EQ(*binary, graphHeader() + field(3, field(1, "a")) + field(3, field(1, "b")));
  EXPECT_FALSE(graph.has_header());
  EXPECT_EQ(graph.parameters(0).id(), "b");
}

TEST(Encode, RefusesByPathWhatHasNoCanonicalForm) {
  const auto refused = [](auto change) {
    eg::ExecutionGraph graph;
    change(graph);
    const Result<std::string> binary = encode(graph);
    return binary ? "accepted" : verdict(binary.error());
  };
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) { static_cast<void>(graph.mutable_body()); }),
            "canonical.empty-message [body] -");
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) {
              graph.add_parameters()->set_id("a");
              graph.add_parameters()->set_id("a");
            }),
            "canonical.duplicate-key [parameters[1]] -");
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) {
              graph.set_visibility_model(static_cast<eg::VisibilityModel>(9));
            }),
            "canonical.unknown-enum-value [visibility_model] -");
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) { graph.set_id("\uffff"); }), "wire.noncharacter [id] -");
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) { graph.set_id("\xff"); }), "wire.invalid-utf8 [id] -");
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) {
              eg::Parameter *parameter = graph.add_parameters();
              parameter->set_id("a");
              parameter->GetReflection()->MutableUnknownFields(parameter)->AddVarint(99, 1);
            }),
            "canonical.unknown-field [parameters[0]] -");
  EXPECT_EQ(refused([](eg::ExecutionGraph &graph) {
              eg::Region *region = graph.mutable_body();
              for (int i = 0; i < 40; ++i) {
                eg::Node *node = region->add_nodes();
                node->set_id("n");
                region = node->mutable_operation()->mutable_repeat()->mutable_body();
              }
              region->add_nodes()->set_id("n");
            }).substr(0, 19),
            "limit.message-depth");
}

TEST(Encode, RefusesMessagesThatAreNoRoot) {
  const Result<std::string> binary = encode(eg::Node());
  ASSERT_FALSE(binary);
  EXPECT_EQ(verdict(binary.error()), "header.unknown-kind [header.kind] -");
}

TEST(DocumentType, GivesItsMessageByType) {
  const Result<Document> document = decodeText("id: 'g'");
  ASSERT_TRUE(document);
  ASSERT_NE(document->as<eg::ExecutionGraph>(), nullptr);
  EXPECT_EQ(document->as<eg::ExecutionGraph>()->id(), "g");
  EXPECT_EQ(document->as<eg::Package>(), nullptr);
}

TEST(DetectEncoding, GoesByTheFirstBytes) {
  EXPECT_EQ(detectEncoding(graphHeader()), Encoding::Binary);
  EXPECT_EQ(detectEncoding(""), Encoding::Binary);
  EXPECT_EQ(detectEncoding("\n\n {"), Encoding::Json);
  EXPECT_EQ(detectEncoding("\xEF\xBB\xBF{"), Encoding::Json);
  EXPECT_EQ(detectEncoding("\t# text"), Encoding::Text);
  EXPECT_EQ(detectEncoding("id: 'g'"), Encoding::Text);
  EXPECT_EQ(detectEncoding("[1]"), Encoding::Binary);
}

TEST(Messages, ArePrintable) {
  const Result<Document> document =
      decodeBinary(field(1, kKind + kMajor + field(5, "\x1b[31m" + std::string(90, 'x'))));
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message.find('\x1b'), std::string::npos);
}

} // namespace
} // namespace interlock
