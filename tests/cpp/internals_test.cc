// The parts that the public functions are made of, where a fault would be hard to see from outside.

#include "container_path.h"
#include "header.h"
#include "interlock/digest.h"
#include "json_number.h"
#include "keys.h"
#include "place.h"
#include "schema.h"
#include "sha256.h"
#include "utf8.h"
#include "wire.h"

#include "execgraph/v1/graph.pb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace interlock::detail {
namespace {

namespace eg = execgraph::v1;
using namespace std::string_literals;

TEST(Utf8, FindsTheStartOfTheFirstIllFormedSequence) {
  EXPECT_EQ(scanUtf8("ascii only, and long").illFormed, kNowhere);
  EXPECT_EQ(scanUtf8("\u00e9\u20ac\U0001f600").illFormed, kNowhere);
  EXPECT_EQ(scanUtf8("ab\x80").illFormed, 2U);           // A continuation alone.
  EXPECT_EQ(scanUtf8("\xc0\x80").illFormed, 0U);         // Overlong.
  EXPECT_EQ(scanUtf8("\xe0\x9f\xbf").illFormed, 0U);     // Overlong.
  EXPECT_EQ(scanUtf8("\xf0\x8f\xbf\xbf").illFormed, 0U); // Overlong.
  EXPECT_EQ(scanUtf8("\xed\xa0\x80").illFormed, 0U);     // A surrogate.
  EXPECT_EQ(scanUtf8("\xf4\x90\x80\x80").illFormed, 0U); // Past the last code point.
  EXPECT_EQ(scanUtf8("abcdefgh\xe2\x82").illFormed, 8U); // Cut short.
}

TEST(Utf8, FindsNoncharactersOnly) {
  EXPECT_EQ(scanUtf8("a\ufdd0").noncharacter, 1U);
  EXPECT_EQ(scanUtf8("\ufdef").noncharacter, 0U);
  EXPECT_EQ(scanUtf8("\U0010ffff").noncharacter, 0U);
  EXPECT_EQ(scanUtf8("\U0001fffe").noncharacter, 0U);
  EXPECT_EQ(scanUtf8("\ufdcf\ufdf0\ufffd\ue000").noncharacter, kNowhere);
}

TEST(Sha256, IsTheSameWithTheInstructionsOfTheProcessor) {
  const CompressBlocks native = nativeCompression();
  if (native == nullptr)
    return; // There is but one.
  std::string bytes;
  for (std::uint32_t i = 0; i < 64 * 64; ++i)
    bytes += static_cast<char>(i * 2654435761U >> 24);
  const auto *blocks = reinterpret_cast<const unsigned char *>(bytes.data());
  for (std::size_t count = 0; count <= 60; ++count) {
    Sha256State one{1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF};
    Sha256State other = one;
    compressPortably(one, blocks + count, count); // Not aligned either.
    native(other, blocks + count, count);
    EXPECT_EQ(one, other) << count;
  }
}

TEST(Sha256, IsTheSameHoweverTheBytesCome) {
  std::string bytes;
  for (int i = 0; i < 300; ++i)
    bytes += static_cast<char>(i * 7);
  for (const std::size_t piece : {1U, 3U, 55U, 56U, 63U, 64U, 65U, 119U, 128U, 299U}) {
    Sha256 hash;
    for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min(piece, rest.size())))
      hash.update(rest.substr(0, piece));
    EXPECT_EQ(hash.digest(), digest(bytes)) << piece;
  }
  EXPECT_EQ(Sha256().digest(), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Number, IsThatOfJson) {
  for (const char *number : {"0", "-0", "10", "1.5", "0.0", "1e5", "1E+05", "-1.5e-10"})
    EXPECT_TRUE(isNumber(number)) << number;
  for (const char *other :
       {"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1x", "0x1", "1.5.5", "1e5.5"})
    EXPECT_FALSE(isNumber(other)) << other;
}

TEST(ContainerPath, RefusesNamesThatLeadElsewhere) {
  for (const char *name : {"a", "a/b", "..a/b..", "ab:c", "a b", "\u00a0"})
    EXPECT_FALSE(checkName(name)) << name;
  for (const char *name : {"", "/", "/a", "a/", "a//b", ".", "./a", "a/.", "..", "a/../b", "a\\b",
                           "c:", "C:/a", "a\n", "a\x7f", "\u0080", "\xff"}) {
    const std::optional<Error> error = checkName(name);
    EXPECT_TRUE(error && error->code == "container.unsafe-path") << name;
  }
}

TEST(Varint, IsReadWithItsFaults) {
  const auto read = [](const std::string &bytes) {
    const char *at = bytes.data();
    std::uint64_t value = 0;
    return readVarint(at, bytes.data() + bytes.size(), value);
  };
  EXPECT_EQ(read("\0"s), VarintStatus::Minimal);
  EXPECT_EQ(read("\x80\x01"), VarintStatus::Minimal);
  EXPECT_EQ(read("\x80\0"s), VarintStatus::Overlong);
  EXPECT_EQ(read(""), VarintStatus::Truncated);
  EXPECT_EQ(read("\xff"), VarintStatus::Truncated);
  EXPECT_EQ(read(std::string(9, '\xff') + "\x01"), VarintStatus::Minimal);
  EXPECT_EQ(read(std::string(9, '\xff') + "\x02"), VarintStatus::Overflow);
  EXPECT_EQ(read(std::string(9, '\x80') + "\0"s), VarintStatus::Overlong);
  EXPECT_EQ(read(std::string(10, '\x80')), VarintStatus::Overflow);
}

TEST(Printable, CutsAtACharacterAndHidesControls) {
  EXPECT_EQ(printable("a\nb\x7f"), "a?b?");
  EXPECT_EQ(printable("a\u0085b\u009fc\u00a0"), "a?b?c\u00a0");
  EXPECT_EQ(printable("\xff"), "?");
  EXPECT_EQ(printable(std::string(159, 'x') + "\u20ac"), std::string(159, 'x') + "...");
}

const FieldPlan &planOf(const MessagePlan &message, std::string_view name) { return *message.findName(name); }

const MessagePlan &graphPlan() { return *Schema::get().findRoot("execgraph.v1.ExecutionGraph")->plan; }

std::string keyOf(const google::protobuf::Message &owner, const FieldPlan &set, int index) {
  std::string key;
  appendKey(owner, set, index, key);
  return key;
}

TEST(Keys, CompareMembersInDeclaredOrder) {
  eg::Dispatch dispatch;
  const MessagePlan &region = *planOf(graphPlan(), "body").message;
  const MessagePlan &operation = *planOf(*planOf(region, "nodes").message, "operation").message;
  const FieldPlan &set = planOf(*planOf(operation, "dispatch").message, "specialization");
  // In ascending order: by name; then without an id, with the id 0, and numerically.
  static_cast<void>(dispatch.add_specialization());
  dispatch.add_specialization()->set_constant_id(0);
  dispatch.add_specialization()->set_constant_id(9);
  dispatch.add_specialization()->set_constant_id(10);
  dispatch.add_specialization()->set_name("\0"s);
  dispatch.add_specialization()->set_name("\0\0"s);
  dispatch.add_specialization()->set_name("\x01");
  dispatch.add_specialization()->set_name("a");
  dispatch.add_specialization()->set_name("ab");
  dispatch.add_specialization()->set_name("b");
  for (int i = 1; i < dispatch.specialization_size(); ++i)
    EXPECT_LT(keyOf(dispatch, set, i - 1), keyOf(dispatch, set, i)) << i;
}

TEST(Keys, CompareWholeElementsByFieldNumberAndLists) {
  eg::Lifetime lifetime;
  const FieldPlan &set =
      planOf(*planOf(*planOf(graphPlan(), "resources").message, "lifetime").message, "spans");
  const auto span = [&](const std::vector<std::string> &begins, const std::vector<std::string> &ends) {
    eg::LifetimeSpan *added = lifetime.add_spans();
    added->mutable_begins()->Assign(begins.begin(), begins.end());
    added->mutable_ends()->Assign(ends.begin(), ends.end());
  };
  span({}, {"z"});
  span({"a"}, {});
  span({"a"}, {"a"});
  span({"a", "a"}, {});
  span({"b"}, {});
  for (int i = 1; i < lifetime.spans_size(); ++i)
    EXPECT_LT(keyOf(lifetime, set, i - 1), keyOf(lifetime, set, i)) << i;
}

TEST(Keys, SortEveryPermutation) {
  const FieldPlan &set = planOf(graphPlan(), "parameters");
  std::vector<std::string> ids = {"a", "b", "c", "d", "e"};
  do {
    eg::ExecutionGraph graph;
    for (const std::string &id : ids)
      graph.add_parameters()->set_id(id);
    sortSet(graph, set);
    for (int i = 0; i < graph.parameters_size(); ++i)
      ASSERT_EQ(graph.parameters(i).id(), std::string(1, static_cast<char>('a' + i)));
  } while (std::next_permutation(ids.begin(), ids.end()));
}

TEST(Keys, FindTheFirstDuplicateInAnyOrder) {
  const FieldPlan &set = planOf(graphPlan(), "parameters");
  eg::ExecutionGraph graph;
  SetFollower follower(set);
  std::string found;
  for (const char *id : {"b", "d", "a", "c", "e", "d"}) {
    graph.add_parameters()->set_id(id);
    switch (follower.follow(graph, graph.parameters_size() - 1)) {
    case SetFollower::Found::Ascending:
      found += '<';
      break;
    case SetFollower::Found::Descending:
      found += '>';
      break;
    case SetFollower::Found::Duplicate:
      found += '=';
      break;
    }
  }
  EXPECT_EQ(found, "<<>>>=");
}

TEST(Demands, RaiseWhatTheHeaderStates) {
  Usage usage;
  usage.add({3, "second"});
  usage.add({2, ""});
  EXPECT_EQ(usage.minor(), 3U);
  EXPECT_EQ(usage.features(), (std::set<std::string>{"draft-1", "second"}));
}

TEST(Demands, AreComparedWithTheHeader) {
  eg::ExecutionGraph graph;
  graph.mutable_header()->add_required_features("draft-1");
  Usage usage;
  ErrorSlot errors;
  EXPECT_TRUE(checkHeader(graph, usage, 0, errors));
  usage.add({1, ""});
  EXPECT_FALSE(checkHeader(graph, usage, 7, errors));
  const Error error = errors.take();
  EXPECT_EQ(error.code, "canonical.schema-minor");
  EXPECT_EQ(error.path, "header.schema_minor");
  EXPECT_EQ(error.offset, 7U);
}

TEST(SchemaPlans, KnowEveryKindByNumberAndName) {
  const Schema &schema = Schema::get();
  for (const char *kind : {"ExecutionGraph", "Package", "TargetModuleBundle", "TargetPayload", "Envelope"})
    ASSERT_NE(schema.findRoot("execgraph.v1."s + kind), nullptr) << kind;
  EXPECT_EQ(schema.findKind(0), nullptr);
  EXPECT_EQ(schema.findKind((std::uint64_t{1} << 32) + 1), nullptr);
  EXPECT_EQ(schema.findKindName("DOCUMENT_KIND_UNSPECIFIED"), nullptr);
  EXPECT_EQ(schema.findKindName("DOCUMENT_KIND_PACKAGE")->kind, "Package");
}

} // namespace
} // namespace interlock::detail
