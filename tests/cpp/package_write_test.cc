// Packages as they are written: the bytes, and everything that is not written.

#include "package_support.h"
#include "tar.h"

#include "execgraph/v1/graph.pb.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace interlock {
namespace {

namespace eg = execgraph::v1;
namespace fs = std::filesystem;
using tests::blobName;
using tests::examplePackage;
using tests::graphBytes;
using tests::MadePackage;
using tests::PackageTest;
using tests::readFile;
using tests::verdict;

TEST_F(PackageTest, IsWrittenInOneWay) {
  MadePackage made;
  made.message.set_id("p");
  made.addVariant("k", "vulkan", "", "code");
  const fs::path layout = write(made, "layout");
  const std::string document = *encode(made.message);
  const std::string manifest =
      R"({"artifactType":"application/vnd.execgraph.package.v1","config":{"digest":")" + digest(document) +
      R"(","mediaType":"application/vnd.execgraph.package.v1+protobuf","size":)" +
      std::to_string(document.size()) + R"(},"layers":[{"digest":")" + digest("code") +
      R"(","mediaType":"application/vnd.execgraph.artifact.v1","size":4}],)"
      R"("mediaType":"application/vnd.oci.image.manifest.v1+json","schemaVersion":2})";
  const std::string index =
      R"({"manifests":[{"artifactType":"application/vnd.execgraph.package.v1","digest":")" +
      digest(manifest) + R"(","mediaType":"application/vnd.oci.image.manifest.v1+json","size":)" +
      std::to_string(manifest.size()) +
      R"(}],"mediaType":"application/vnd.oci.image.index.v1+json","schemaVersion":2})";
  const std::map<std::string, std::string> expected = {{blobName("code"), "code"},
                                                       {blobName(document), document},
                                                       {blobName(manifest), manifest},
                                                       {"index.json", index},
                                                       {"oci-layout", R"({"imageLayoutVersion":"1.0.0"})"}};
  std::map<std::string, std::string> found;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(layout))
    if (entry.is_regular_file())
      found[fs::relative(entry.path(), layout).string()] = readFile(entry.path());
  EXPECT_EQ(found, expected);

  std::string tar;
  for (const auto &[name, bytes] : expected)
    tar +=
        detail::tarHeader(name, bytes.size()) + bytes + std::string(detail::tarPadding(bytes.size()), '\0');
  EXPECT_EQ(readFile(write(made, "layout.tar")), tar + std::string(1024, '\0'));
}

TEST_F(PackageTest, StatesEachBlobOnceInItsFirstRole) {
  MadePackage made;
  made.message.set_id("p");
  made.addVariant("k", "a", "", graphBytes("g"));
  made.addVariant("k", "b", "", "sealed");
  made.addVariant("k", "c", "", "code");
  *made.addGraph("g").mutable_reference() = made.refer(graphBytes("g"));
  eg::PackagedPayload &payload = *made.message.add_payloads();
  payload.set_graph("g");
  *payload.mutable_frame() = made.refer("sealed");
  const Result<std::vector<PackageBlob>> blobs = packageBlobs(made.message);
  ASSERT_TRUE(blobs);
  std::map<std::string, std::pair<std::string_view, std::string>> found;
  for (const PackageBlob &blob : *blobs)
    found[made.contents[blob.digest]] = {blob.mediaType(), blob.path};
  const std::map<std::string, std::pair<std::string_view, std::string>> expected = {
      {graphBytes("g"), {"application/vnd.execgraph.graph.v1+protobuf", R"(graphs["g"].source.reference)"}},
      {"sealed", {"application/vnd.execgraph.payload.v1", "payloads[0].frame"}},
      {"code", {"application/vnd.execgraph.artifact.v1", R"(artifacts["k"].variants[2].blob)"}}};
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(std::ranges::is_sorted(*blobs, {}, &PackageBlob::digest));
}

TEST_F(PackageTest, IsNotWrittenWithOtherBytes) {
  const Result<Document> document = makeDocument(examplePackage().message);
  const std::string place = R"( [artifacts["k"].variants[2].blob] -)";
  const auto attempt = [&](const std::string &plain) {
    const BlobSource source = [&](const eg::BlobReference &reference, const BlobSink &sink) {
      MadePackage made = examplePackage();
      made.contents[digest("plain")] = plain;
      return made.source()(reference, sink);
    };
    const std::string refused = verdict(writePackage(*document, source, folder_ / "out", {}));
    EXPECT_EQ(verdict(writePackage(*document, source, folder_ / "out.tar", {})), refused);
    return refused;
  };
  EXPECT_EQ(attempt("plaiN"), "container.digest-mismatch" + place);
  EXPECT_EQ(attempt("plai"), "container.size-mismatch" + place);
  EXPECT_EQ(attempt("plains"), "container.size-mismatch" + place);
  EXPECT_EQ(attempt("plain"),
            "bytes " + *writePackage(*document, examplePackage().source(), folder_ / "third"));
  EXPECT_EQ(names(), (std::vector<std::string>{"out", "out.tar", "third"}));
}

TEST_F(PackageTest, TellsWhatItsSourceSays) {
  MadePackage made = examplePackage();
  made.contents.erase(digest("plain"));
  EXPECT_EQ(refusal(made, "out"), "test.unknown [] -");
  const fs::path layout = write(examplePackage(), "layout");
  fs::remove(layout / blobName("plain"));
  const Result<Package> package = Package::open(layout);
  const auto copy = [&](const eg::BlobReference &reference, const BlobSink &sink) {
    return package->readBlob(reference, sink);
  };
  EXPECT_EQ(verdict(writePackage(package->document(), copy, folder_ / "out")),
            R"(container.missing-blob [artifacts["k"].variants[2].blob] -)");
  EXPECT_EQ(names(), std::vector<std::string>{"layout"});
}

TEST_F(PackageTest, RefusesDocumentsThatCannotBePacked) {
  eg::ExecutionGraph graph;
  graph.set_id("g");
  EXPECT_EQ(verdict(writePackage(*makeDocument(graph), examplePackage().source(), folder_ / "out")),
            "header.kind-mismatch [header.kind] -");
  MadePackage made = examplePackage();
  made.addVariant("l", "vulkan", "", "plain");
  made.message.mutable_artifacts(1)->mutable_variants(0)->mutable_blob()->set_size(6);
  EXPECT_EQ(refusal(made, "out"), R"(container.size-mismatch [artifacts["l"].variants[0].blob] -)");
  made.message.mutable_artifacts(1)->mutable_variants(0)->mutable_blob()->set_digest("sha256:../../../x");
  EXPECT_EQ(refusal(made, "out"), R"(container.missing-blob [artifacts["l"].variants[0].blob] -)");
  WriteOptions options;
  for (const std::string tag : {"", "-a", "a-", "a b", "a..b", "a---b", "\u00e9", "a\n"}) {
    options.tag = tag;
    EXPECT_EQ(refusal(examplePackage(), "out", options), "container.malformed [index.json] -") << tag;
  }
  options.tag = std::string(256, 'a');
  EXPECT_EQ(refusal(examplePackage(), "out", options), "container.malformed [index.json] -");
  options.tag = "a--b:c/d@e+f_g.h-" + std::string(238, '1');
  EXPECT_EQ(refusal(examplePackage(), "out", options).substr(0, 12), "bytes sha256");
}

TEST_F(PackageTest, ReplacesOnlyPackagesAndOnlyIfAsked) {
  WriteOptions replacing;
  replacing.replace = true;
  MadePackage other = examplePackage();
  other.message.set_id("other");
  for (const std::string name : {"layout", "layout.tar"}) {
    write(examplePackage(), name);
    EXPECT_EQ(refusal(other, name), "output.exists [] -");
    EXPECT_EQ(Package::open(folder_ / name)->message().id(), "example");
    write(other, name, replacing);
    EXPECT_EQ(Package::open(folder_ / name)->message().id(), "other");
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"layout", "layout.tar"}));
  fs::create_directories(folder_ / "mine/inside");
  EXPECT_EQ(refusal(other, "mine", replacing), "output.exists [] -");
  put("text.tar", "text");
  EXPECT_EQ(refusal(other, "text.tar", replacing), "output.exists [] -");
  EXPECT_EQ(readFile(folder_ / "text.tar"), "text");
  fs::create_directory(folder_ / "empty");
  write(other, "empty/", replacing);
  EXPECT_TRUE(Package::open(folder_ / "empty"));
  fs::create_directory_symlink("layout", folder_ / "link");
  EXPECT_EQ(refusal(other, "link", replacing), "output.exists [] -");
  EXPECT_EQ(refusal(other, "missing/out"), "output.unwritable [] -");
  EXPECT_EQ(refusal(other, "missing/out.tar"), "output.unwritable [] -");
}

} // namespace
} // namespace interlock
