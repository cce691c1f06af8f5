// The command-line tool as a process: exit codes, output, and what it leaves behind.

#include "frame_support.h"
#include "support.h"

#include "execgraph/v1/package.pb.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace interlock {
namespace {

namespace eg = execgraph::v1;
namespace fs = std::filesystem;
using tests::readFile;

const fs::path kGolden = fs::path(INTERLOCK_CASES) / "encode/graph/two_dispatch";

class Tool : public testing::Test {
protected:
  Tool() {
    const testing::TestInfo &info = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(INTERLOCK_SCRATCH) / (std::string("tool_") + info.name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  // Runs the tool in the test's folder. \returns its exit code.
  int run(const std::string &arguments) {
    const std::string command =
        "cd '" + folder_.string() + "' && '" INTERLOCK_TOOL "' " + arguments + " > stdout.tmp 2> stderr.tmp";
    const int status = std::system(command.c_str());
    out_ = readFile(folder_ / "stdout.tmp");
    err_ = readFile(folder_ / "stderr.tmp");
    fs::remove(folder_ / "stdout.tmp");
    fs::remove(folder_ / "stderr.tmp");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void write(const std::string &name, const std::string &bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  static std::string golden(const std::string &name) { return '\'' + (kGolden / name).string() + '\''; }

  fs::path folder_;
  std::string out_;
  std::string err_;
};

TEST_F(Tool, ConvertsBothWays) {
  ASSERT_EQ(run("convert " + golden("document.binpb") + " --to json -o out.json"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "out.json"), readFile(kGolden / "document.json"));
  ASSERT_EQ(run("convert " + golden("document.json") + " --to binary -o out.binpb"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "out.binpb"), readFile(kGolden / "document.binpb"));
  ASSERT_EQ(run("convert --to binary - < " + golden("document.txtpb")), 0) << err_;
  EXPECT_EQ(out_, readFile(kGolden / "document.binpb"));
}

TEST_F(Tool, WritesTextThatReadsBack) {
  ASSERT_EQ(run("convert " + golden("document.binpb") + " --to text -o out.txtpb"), 0) << err_;
  ASSERT_EQ(run("convert out.txtpb --to binary"), 0) << err_;
  EXPECT_EQ(out_, readFile(kGolden / "document.binpb"));
}

TEST_F(Tool, PrintsDigests) {
  const std::string binary = readFile(kGolden / "document.binpb");
  ASSERT_EQ(run("digest " + golden("document.json")), 0) << err_;
  EXPECT_EQ(out_, digest(binary) + "  " + (kGolden / "document.json").string() + '\n');
  write("copy.binpb", binary);
  ASSERT_EQ(run("digest --semantic copy.binpb - < copy.binpb"), 0) << err_;
  const std::string semantic = decode(binary)->semanticDigest();
  EXPECT_EQ(out_, semantic + "  copy.binpb\n" + semantic + "  -\n");
}

TEST_F(Tool, PrintsTheDigestsOfAllInputsThatCanBeRead) {
  const std::string binary = readFile(kGolden / "document.binpb");
  write("good.binpb", binary);
  write("bad.json", "{");
  EXPECT_EQ(run("digest missing bad.json good.binpb"), 2);
  EXPECT_EQ(out_, digest(binary) + "  good.binpb\n");
  EXPECT_NE(err_.find("error[input.unreadable]"), std::string::npos) << err_;
  EXPECT_EQ(std::ranges::count(err_, '\n'), 2) << err_;
  EXPECT_EQ(run("digest good.binpb -o out"), 2);
  EXPECT_EQ(run("digest - - < good.binpb"), 2);
  EXPECT_EQ(out_, "");
}

TEST_F(Tool, Canonicalizes) {
  const std::string canonical = tests::graphHeader() + tests::field(2, "g");
  write("in.binpb", tests::graphHeader() + std::string("\x12\x81\x00g", 4));
  EXPECT_EQ(run("digest in.binpb"), 2);
  ASSERT_EQ(run("canonicalize in.binpb -o out.binpb"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "out.binpb"), canonical);
}

TEST_F(Tool, ExplainsARefusalAndLeavesNoFile) {
  write("in.binpb", tests::graphHeader() + tests::field(2, "g") + tests::field(2, "g"));
  write("out.json", "before");
  EXPECT_EQ(run("convert in.binpb --to json -o out.json"), 2);
  EXPECT_EQ(err_, "id (byte 18): error[canonical.duplicate-field] a second value; the field has one\n");
  EXPECT_EQ(out_, "");
  EXPECT_EQ(readFile(folder_ / "out.json"), "before");
  EXPECT_EQ(run("convert " + golden("document.binpb") + " --to json -o missing/out.json"), 2);
  EXPECT_NE(err_.find("error[output.unwritable]"), std::string::npos) << err_;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(Tool, LeavesNoTemporaryFileBehind) {
  fs::create_directories(folder_ / "taken/inside");
  EXPECT_EQ(run("convert " + golden("document.binpb") + " --to json -o taken"), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Tool, RefusesWrongUsage) {
  for (const char *arguments :
       {"", "fly", "convert", "convert x", "convert x --to", "convert x --to xml", "digest", "digest a b",
        "convert a b --to json", "digest --fast a", "canonicalize --semantic a", "digest missing"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_NE(err_, "") << arguments;
  }
}

TEST_F(Tool, SaysWhatItIs) {
  EXPECT_EQ(run("--version"), 0);
  EXPECT_EQ(out_, "interlock-cpp " + std::string(version()) + ", schema 1.0 (draft-1)\n");
  std::ifstream source(INTERLOCK_VERSION_SOURCE);
  const std::string text{std::istreambuf_iterator<char>(source), {}};
  EXPECT_NE(text.find("__version__ = \"" + std::string(version()) + "\"\n"), std::string::npos) << text;
  EXPECT_EQ(run("--help"), 0);
  EXPECT_EQ(out_.substr(0, 6), "usage:");
  const std::string help = out_;
  EXPECT_EQ(run("-h"), 0);
  EXPECT_EQ(out_, help);
}

class PackageTool : public Tool {
protected:
  // A document with one variant, whose bytes are in the folder `blobs`.
  PackageTool() {
    eg::Package package;
    package.set_id("p");
    eg::Variant &variant = *package.add_artifacts()->add_variants();
    package.mutable_artifacts(0)->set_id("k");
    variant.set_target("vulkan");
    variant.mutable_content_type()->set_identity("spirv");
    variant.mutable_content_type()->set_version(1);
    variant.mutable_blob()->set_digest(digest(code_));
    variant.mutable_blob()->set_size(code_.size());
    write("package.json", *encodeJson(package));
    document_ = *encode(package);
    fs::create_directories(folder_ / "blobs/deep");
    write("blobs/other", "data");
    write("blobs/deep/code.spv", code_);
  }

  std::string code_ = "code";
  std::string document_;
};

TEST_F(PackageTool, PacksListsChecksAndUnpacks) {
  ASSERT_EQ(run("package pack package.json --blobs blobs -o made.tar --tag v1"), 0) << err_;
  const std::string manifest = out_;
  EXPECT_TRUE(isDigest(manifest.substr(0, 71))) << manifest;
  ASSERT_EQ(run("package unpack made.tar -o made"), 0) << err_;
  EXPECT_EQ(out_, manifest);
  ASSERT_EQ(run("package unpack made -o again.tar --tag v1"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "again.tar"), readFile(folder_ / "made.tar"));
  ASSERT_EQ(run("package list made"), 0) << err_;
  EXPECT_EQ(out_, "package   p  tag v1\nmanifest  " + manifest + "document  " + digest(document_) + "  " +
                      std::to_string(document_.size()) + " bytes\nvariant   k  vulkan  spirv 1  " +
                      digest(code_) + "  4 bytes\n");
  ASSERT_EQ(run("package check made"), 0) << err_;
  EXPECT_EQ(out_, digest(document_) + "  1 blobs, 4 bytes\n");
  ASSERT_EQ(run("package cat made " + digest(code_)), 0) << err_;
  EXPECT_EQ(out_, code_);
  ASSERT_EQ(run("package cat made.tar " + digest(document_) + " -o document"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "document"), document_);
}

TEST_F(PackageTool, ReportsDamage) {
  ASSERT_EQ(run("package pack package.json --blobs blobs -o made"), 0) << err_;
  const std::string name = "blobs/sha256/" + digest(code_).substr(7);
  write("made/" + name, "CODE");
  EXPECT_EQ(run("package check made"), 1);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(err_.find("container.digest-mismatch " + name + " the bytes have the digest `"), 0U) << err_;
  EXPECT_EQ(run("package cat made " + digest(code_)), 2);
  EXPECT_EQ(out_, "");
  write("made/index.json", "");
  EXPECT_EQ(run("package check made"), 1);
  EXPECT_EQ(err_, "container.malformed index.json the input ends before the document does\n");
  EXPECT_EQ(run("package list made"), 2);
  EXPECT_EQ(run("package check missing"), 2);
  EXPECT_EQ(err_.find("container.unreadable - "), 0U) << err_;
}

TEST_F(PackageTool, ReplacesOnlyIfAsked) {
  write("made.tar", "mine");
  EXPECT_EQ(run("package pack package.json --blobs blobs -o made.tar --force"), 2);
  EXPECT_NE(err_.find("error[output.exists]"), std::string::npos) << err_;
  EXPECT_EQ(readFile(folder_ / "made.tar"), "mine");
  ASSERT_EQ(run("package pack package.json --blobs blobs -o made"), 0) << err_;
  EXPECT_EQ(run("package pack package.json --blobs blobs -o made"), 2);
  EXPECT_EQ(run("package pack package.json --blobs blobs -o made --force"), 0) << err_;
  EXPECT_EQ(run("package pack package.json -o other"), 2);
  EXPECT_EQ(err_.find("artifacts[\"k\"].variants[0].blob: error[container.missing-blob] "), 0U) << err_;
  EXPECT_FALSE(fs::exists(folder_ / "other"));
}

TEST_F(PackageTool, RefusesWrongUsage) {
  for (const char *arguments :
       {"", "fly x", "list", "list a b", "list a --force", "check a -o b", "cat a", "pack package.json",
        "pack package.json -o", "unpack a", "unpack a --blobs b -o c"}) {
    EXPECT_EQ(run("package " + std::string(arguments)), 2) << arguments;
    EXPECT_EQ(err_.find("interlock-cpp: "), 0U) << err_;
  }
}

TEST_F(Tool, AnswersConformanceRequestsToTheEnd) {
  EXPECT_EQ(run("conformance < /dev/null"), 0);
  EXPECT_EQ(out_, "");
  write("empty_request", std::string(4, '\0'));
  EXPECT_EQ(run("conformance < empty_request"), 0);
  EXPECT_NE(out_.find("header.missing"), std::string::npos);
  write("cut", "\x05");
  EXPECT_EQ(run("conformance < cut"), 2);
  write("huge", "\xff\xff\xff\xff");
  EXPECT_EQ(run("conformance < huge"), 2);
}

// A message field in binary form, of any length.
std::string longField(unsigned number, const std::string &bytes) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  std::size_t length = bytes.size();
  for (; length >= 128; length >>= 7)
    out += static_cast<char>(length | 128);
  return out + static_cast<char>(length) + bytes;
}

// Far deeper than a stack could follow, in each encoding.
TEST_F(Tool, SurvivesDeepNesting) {
  std::string region = tests::field(1, tests::field(1, "n"));
  for (int i = 0; i < 5'000; ++i) // A repeat within a repeat: four messages for each.
    region = longField(1, tests::field(1, "n") + longField(3, longField(6, longField(1, region))));
  write("deep.binpb", tests::graphHeader() + longField(8, region));
  EXPECT_EQ(run("digest deep.binpb"), 2);
  EXPECT_NE(err_.find("error[limit.message-depth]"), std::string::npos) << err_;
  write("deep.json", std::string("{\"a\":") + std::string(1'000'000, '['));
  EXPECT_EQ(run("digest deep.json"), 2);
  EXPECT_NE(err_.find("error[limit.json-depth]"), std::string::npos) << err_;
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "body{nodes{";
  write("deep.txtpb", text);
  EXPECT_EQ(run("digest deep.txtpb"), 2);
  EXPECT_NE(err_.find("error[limit.message-depth]"), std::string::npos) << err_;
}

TEST_F(Tool, SealsChecksAndTakesApartFrames) {
  const std::string bundle = tests::canonical(tests::exampleBundle());
  write("bundle.binpb", bundle);
  fs::create_directories(folder_ / "blobs/deep");
  write("blobs/deep/a", "code of a");
  write("blobs/b", "code of b");
  write("blobs/c", "what a means");
  write("blobs/d", "");
  ASSERT_EQ(run("frame seal bundle.binpb --blobs blobs -o out.frame"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "out.frame"),
            tests::sealed('B', bundle, tests::joined(tests::exampleBlobs())));
  ASSERT_EQ(run("frame check out.frame"), 0) << err_;
  EXPECT_EQ(out_, digest(bundle) + "  4 blobs, 30 bytes\n");
  ASSERT_EQ(run("frame cat out.frame " + digest("code of a")), 0) << err_;
  EXPECT_EQ(out_, "code of a");
  ASSERT_EQ(run("frame cat - " + digest(bundle) + " -o copy < out.frame"), 0) << err_;
  EXPECT_EQ(readFile(folder_ / "copy"), bundle);
  ASSERT_EQ(run("frame list out.frame"), 0) << err_;
  EXPECT_NE(out_.find("  module    stage 1  a  `main`\n"), std::string::npos) << out_;
  fs::remove(folder_ / "blobs/b");
  EXPECT_EQ(run("frame seal bundle.binpb --blobs blobs -o other.frame"), 2);
  EXPECT_TRUE(err_.starts_with("modules[0].code.blob: error[frame.missing-blob] ")) << err_;
  EXPECT_FALSE(fs::exists(folder_ / "other.frame"));
}

TEST_F(Tool, PrintsTheDamageOfAFrame) {
  write("damaged.frame", "\x89XGF\x01");
  EXPECT_EQ(run("frame check damaged.frame"), 1);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(err_, "frame.truncated - 5 the frame is 5 bytes long; its header alone has 48\n");
  EXPECT_EQ(run("frame list damaged.frame"), 2);
  EXPECT_EQ(err_,
            "document (byte 5): error[frame.truncated] the frame is 5 bytes long; its header alone has 48\n");
  EXPECT_EQ(run("frame check missing.frame"), 2);
}

TEST_F(Tool, ExplainsWrongUseOfFrames) {
  for (const auto &[words, problem] : std::vector<std::pair<std::string, std::string>>{
           {"frame", "a command of `frame` is missing"},
           {"frame verify x", "`verify` is not a command of `frame`"},
           {"frame check", "`frame check` takes 1 input"},
           {"frame cat x", "`frame cat` takes 2 inputs"},
           {"frame check x -o y", "`-o` is not an option of `frame check`"},
           {"frame seal x", "`-o` is missing"},
           {"frame seal x -o", "`-o` needs a value"},
       }) {
    EXPECT_EQ(run(words), 2);
    EXPECT_EQ(err_, "interlock-cpp: " + problem + "; see interlock-cpp --help\n");
  }
}

} // namespace
} // namespace interlock
