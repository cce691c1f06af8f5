// Every case below tests/conformance, read from the folder: a case is a directory that holds `case.txtpb`.

#include "support.h"

#include "execgraph/conformance/v1/conformance.pb.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace interlock {
namespace {

namespace fs = std::filesystem;
namespace cases = execgraph::conformance::v1;
using tests::readFile;
using tests::verdict;

const fs::path kCases = INTERLOCK_CASES;

// The ids of all cases: their directories, relative to the folder, with slashes.
std::vector<std::string> walk() {
  std::vector<std::string> ids;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(kCases))
    if (entry.path().filename() == "case.txtpb")
      ids.push_back(entry.path().parent_path().lexically_relative(kCases).generic_string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> &executed() {
  static std::vector<std::string> ids;
  return ids;
}

// Writes the ids of the cases that were executed, one a line, for a comparison with the folder.
class ExecutedIds final : public testing::Environment {
public:
  void TearDown() override {
    const char *stated = std::getenv("INTERLOCK_EXECUTED_IDS");
    std::ofstream file(stated != nullptr ? stated : INTERLOCK_EXECUTED_IDS, std::ios::binary);
    std::sort(executed().begin(), executed().end());
    for (const std::string &id : executed())
      file << id << '\n';
    EXPECT_TRUE(file.flush().good());
  }
};

template <typename T, typename U> void override(T &limit, U value) {
  if (value != 0)
    limit = value;
}

DecodeOptions optionsOf(const cases::DecodeCase &decode) {
  DecodeOptions options;
  if (decode.format() == cases::FORMAT_BINARY)
    options.encoding = Encoding::Binary;
  else if (decode.format() == cases::FORMAT_JSON)
    options.encoding = Encoding::Json;
  else if (decode.format() == cases::FORMAT_TEXT)
    options.encoding = Encoding::Text;
  if (!decode.expected_kind().empty())
    options.expectedKind = decode.expected_kind();
  options.canonicalize = decode.canonicalize();
  override(options.limits.documentBytes, decode.limits().document_bytes());
  override(options.limits.messageDepth, decode.limits().message_depth());
  override(options.limits.jsonDepth, decode.limits().json_depth());
  override(options.limits.stringBytes, decode.limits().string_bytes());
  override(options.limits.repeatedElements, decode.limits().repeated_elements());
  override(options.limits.frameBytes, decode.limits().frame_bytes());
  override(options.limits.blobBytes, decode.limits().blob_bytes());
  return options;
}

// Reads the document's text form and checks that binary and JSON lead back to it, byte for byte.
Result<Document> roundTrip(const fs::path &folder, const std::string &rootMessage) {
  DecodeOptions text;
  text.encoding = Encoding::Text;
  text.rootMessage = rootMessage;
  Result<Document> document = decode(readFile(folder / "document.txtpb"), text);
  if (!document)
    return document;
  for (const std::string &bytes : {document->binary(), document->json()}) {
    const Result<Document> again = decode(bytes);
    EXPECT_EQ(verdict(again), "accepted");
    if (again) {
      EXPECT_EQ(again->binary(), document->binary());
      EXPECT_EQ(again->json(), document->json());
      EXPECT_EQ(again->semanticDigest(), document->semanticDigest());
    }
  }
  const Result<std::string> encoded = encode(document->message());
  EXPECT_TRUE(encoded && *encoded == document->binary());
  return document;
}

void runEncode(const fs::path &folder, const cases::EncodeCase &encode) {
  const Result<Document> document = roundTrip(folder, encode.root_message());
  ASSERT_TRUE(document) << document.error().toString();
  EXPECT_EQ(document->binary(), readFile(folder / "document.binpb"));
  EXPECT_EQ(document->json(), readFile(folder / "document.json"));
  EXPECT_EQ(document->digest(), encode.digest());
  EXPECT_EQ(document->semanticDigest(), encode.semantic_digest());
}

// What reading says, as cases state it.
std::string stated(const cases::Expectation &expectation) {
  if (!expectation.has_error())
    return "accepted";
  Error error{expectation.error().code(), expectation.error().path(), std::nullopt, ""};
  if (expectation.error().has_byte_offset())
    error.offset = expectation.error().byte_offset();
  return verdict(error);
}

void runFrame(const std::string &bytes, const cases::DecodeCase &expected) {
  const DecodeOptions options = optionsOf(expected);
  const Result<Frame> frame = readFrame(bytes, {options.expectedKind, options.limits});
  ASSERT_EQ(frame ? "accepted" : verdict(frame.error()), stated(expected.expectation()));
  if (frame) {
    EXPECT_EQ(frame->digest(), expected.expectation().digest());
    const Result<std::string> written = writeFrame(frame->document().message(), tests::blobsOf(*frame));
    ASSERT_TRUE(written) << written.error().toString();
    EXPECT_EQ(*written, bytes);
  }
}

void runDecode(const fs::path &folder, const cases::DecodeCase &expected) {
  const std::string bytes = readFile(folder / expected.input());
  if (expected.format() == cases::FORMAT_FRAME) {
    runFrame(bytes, expected);
    return;
  }
  const Result<Document> document = decode(bytes, optionsOf(expected));
  ASSERT_EQ(verdict(document), stated(expected.expectation()));
  if (document) {
    EXPECT_EQ(document->digest(), expected.expectation().digest());
  }
}

// What verification says of the document is for Python to check.
void runVerify(const fs::path &folder) {
  const Result<Document> document = roundTrip(folder, "");
  ASSERT_TRUE(document) << document.error().toString();
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, Case) {
  const fs::path folder = kCases / GetParam();
  cases::Case expected;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(readFile(folder / "case.txtpb"), &expected));
  switch (expected.body().kind_case()) {
  case cases::CaseBody::kEncode:
    runEncode(folder, expected.body().encode());
    break;
  case cases::CaseBody::kDecode:
    runDecode(folder, expected.body().decode());
    break;
  case cases::CaseBody::kVerify:
    runVerify(folder);
    break;
  case cases::CaseBody::KIND_NOT_SET:
    FAIL() << "the case has no kind that this runner knows";
  }
  executed().push_back(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Folder, Conformance, testing::ValuesIn(walk()), [](const auto &info) {
  std::string name;
  for (const char c : info.param)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return std::to_string(info.index) + '_' + name;
});

TEST(ConformanceWalk, FindsCases) { EXPECT_FALSE(walk().empty()) << kCases; }

} // namespace
} // namespace interlock

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new interlock::ExecutedIds);
  return RUN_ALL_TESTS();
}
