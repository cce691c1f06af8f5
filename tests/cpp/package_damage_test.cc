// Containers that are damaged or hostile, and limits.

#include "package_support.h"
#include "tar.h"

#include <sys/stat.h>

#include <string>

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

TEST_F(PackageTest, ProvesBlobsOnEveryUse) {
  const fs::path layout = write(examplePackage(), "layout");
  const Result<Package> package = Package::open(layout);
  ASSERT_TRUE(package);
  const std::string name = blobName("plain");
  const auto read = [&] { return verdict(package->artifact("k", "vulkan")); };
  EXPECT_EQ(read(), "bytes plain");
  put("layout/" + name, "plaiN");
  EXPECT_EQ(read(), "container.digest-mismatch [" + name + "] -");
  put("layout/" + name, "plain ");
  EXPECT_EQ(read(), "container.size-mismatch [" + name + "] -");
  fs::remove(layout / name);
  EXPECT_EQ(read(), "container.missing-blob [" + name + "] -");
  fs::create_directory(layout / name);
  EXPECT_EQ(read(), "container.malformed [" + name + "] -");
  fs::remove(layout / name);
  ASSERT_EQ(::mkfifo((layout / name).c_str(), 0600), 0);
  EXPECT_EQ(read(), "container.unsupported-member [" + name + "] -");
  fs::remove(layout / name);
  put("layout/plain", "plain");
  fs::create_symlink("../../plain", layout / name);
  EXPECT_EQ(read(), "container.link [" + name + "] -");
  fs::remove(layout / name);
  put("layout/" + name, "plain");
  EXPECT_EQ(read(), "bytes plain");
  fs::rename(layout / "blobs/sha256", layout / "blobs/away");
  EXPECT_EQ(read(), "container.missing-blob [" + name + "] -");
  fs::create_directory_symlink("away", layout / "blobs/sha256");
  EXPECT_EQ(read(), "container.link [" + name + "] -");
  eg::BlobReference outside;
  outside.set_digest("sha256:../../index.json");
  EXPECT_EQ(verdict(package->blob(outside)), "container.missing-blob [] -");
}

TEST_F(PackageTest, RefusesWhatIsNoContainer) {
  const auto open = [&](const std::string &name) { return verdict(Package::open(folder_ / name)); };
  EXPECT_EQ(open("missing"), "container.unreadable [] -");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(open("pipe"), "container.unknown-format [] -");
  put("empty", "");
  EXPECT_EQ(open("empty"), "container.unknown-format [] -");
  put("text", std::string(2000, 'x'));
  EXPECT_EQ(open("text"), "container.unknown-format [] -");
  fs::create_directory(folder_ / "folder");
  EXPECT_EQ(open("folder"), "container.malformed [oci-layout] -");
}

TEST_F(PackageTest, RefusesDamagedMetadata) {
  const fs::path layout = write(examplePackage(), "layout");
  const std::string index = readFile(layout / "index.json");
  const auto open = [&](const std::string &text, OpenOptions options = {}) {
    put("layout/index.json", text);
    return verdict(Package::open(layout, options));
  };
  const auto list = [](const std::string &manifests) {
    return R"({"schemaVersion":2,"manifests":[)" + manifests + "]}";
  };
  const auto descriptor = [](const std::string &members) {
    return R"({"digest":")" + digest("x") + R"(","mediaType":"application/vnd.oci.image.manifest.v1+json")" +
           members + '}';
  };
  EXPECT_EQ(open("{"), "container.malformed [index.json] 1");
  EXPECT_EQ(open("[]"), "container.malformed [index.json] -");
  EXPECT_EQ(open(R"({"a":1,"a":1})"), "container.malformed [index.json] 7");
  EXPECT_EQ(open(R"({"schemaVersion":1})"), "container.malformed [index.json.schemaVersion] -");
  EXPECT_EQ(open(R"({"schemaVersion":2})"), "container.malformed [index.json] -");
  EXPECT_EQ(open(list("")), "container.missing-manifest [index.json] -");
  EXPECT_EQ(open(list(descriptor(""))), "container.malformed [index.json.manifests[0]] -");
  EXPECT_EQ(open(list(descriptor(R"(,"size":-1)"))), "container.malformed [index.json.manifests[0].size] -");
  EXPECT_EQ(open(list(descriptor(R"(,"size":1)"))), "container.missing-blob [" + blobName("x") + "] -");
  EXPECT_EQ(open(list("{},1")), "container.malformed [index.json.manifests[0]] -");
  EXPECT_EQ(open(R"({"x":)" + std::string(300, '[')), "limit.json-depth [index.json] 260");
  OpenOptions tagged;
  tagged.tag = "v1";
  EXPECT_EQ(open(index), "opened");
  EXPECT_EQ(open(index, tagged), "container.missing-manifest [index.json] -");

  MadePackage other = examplePackage();
  other.message.set_id("other");
  const fs::path second = write(other, "second");
  fs::copy(second / "blobs", layout / "blobs", fs::copy_options::recursive | fs::copy_options::skip_existing);
  const auto manifestOf = [](const std::string &text) {
    const std::size_t begin = text.find('[') + 1;
    return text.substr(begin, text.find(']') - begin);
  };
  const std::string both = list(manifestOf(index) + ',' + manifestOf(readFile(second / "index.json")));
  EXPECT_EQ(open(both), "container.ambiguous-manifest [index.json] -");
  EXPECT_EQ(open(list(manifestOf(index) + ',' + manifestOf(index))), "opened");
  put("layout/oci-layout", R"({"imageLayoutVersion":"2.0.0"})");
  EXPECT_EQ(open(index), "container.malformed [oci-layout.imageLayoutVersion] -");
}

TEST_F(PackageTest, ReadsAManifestThatManyDescriptorsNameOnce) {
  // Each of the descriptors alone costs nothing; reading what they name for each of them would take minutes.
  const fs::path layout = write(examplePackage(), "layout");
  const std::string foreign = R"({"x":")" + std::string(std::size_t{8} << 20, 'x') + "\"}";
  put("layout/" + blobName(foreign), foreign);
  const std::string descriptor = R"({"digest":")" + digest(foreign) +
                                 R"(","mediaType":"application/vnd.oci.image.manifest.v1+json","size":)" +
                                 std::to_string(foreign.size()) + "},";
  std::string index = R"({"schemaVersion":2,"manifests":[)";
  for (int i = 0; i < 50'000; ++i)
    index += descriptor;
  index.back() = ']';
  put("layout/index.json", index + '}');
  EXPECT_EQ(verdict(Package::open(layout)), "container.missing-manifest [index.json] -");
}

TEST_F(PackageTest, KeepsLimits) {
  const MadePackage made = examplePackage();
  const auto open = [&](const fs::path &path, const Limits &limits) {
    OpenOptions options;
    options.limits = limits;
    return Package::open(path, options);
  };
  const fs::path layout = write(made, "layout");
  const fs::path tar = write(made, "layout.tar");
  Limits limits;
  limits.archiveMembers = 9; // Six blobs, of which one is the manifest and one the document, and two files.
  EXPECT_EQ(verdict(open(tar, limits)), "opened");
  limits.archiveMembers = 8;
  EXPECT_EQ(verdict(open(tar, limits)), "limit.archive-members [] -");
  limits = {};
  limits.metadataBytes = fs::file_size(layout / "index.json") - 1;
  EXPECT_EQ(verdict(open(layout, limits)), "limit.metadata-bytes [index.json] -");
  EXPECT_EQ(verdict(open(tar, limits)), "limit.metadata-bytes [index.json] -");
  limits = {};
  limits.jsonDepth = 2;
  EXPECT_EQ(verdict(open(layout, limits)), "limit.json-depth [index.json] 14");
  limits = {};
  limits.documentBytes = encode(made.message)->size() - 1;
  EXPECT_EQ(verdict(open(layout, limits)), "limit.document-bytes [] -");
  limits = {};
  limits.blobBytes = std::size_t{1} << 20;
  const Result<Package> package = open(layout, limits);
  EXPECT_EQ(verdict(package->artifact("k", "vulkan", "tuned")),
            "limit.blob-bytes [" + blobName(std::string(std::size_t{1} << 20, 'x') + "tuned") + "] -");
  WriteOptions options;
  options.limits = limits;
  EXPECT_EQ(refusal(made, "again", options), R"(limit.blob-bytes [artifacts["k"].variants[3].blob] -)");
  options.limits = {};
  options.limits.metadataBytes = 10;
  EXPECT_EQ(refusal(made, "again", options).substr(0, 20), "limit.metadata-bytes");
}

// A tar file of one member, whose header is changed at one place.
std::string tarWith(std::size_t at, const std::string &bytes, const std::string &content = "") {
  std::string header = detail::tarHeader("x", content.size());
  header.replace(at, bytes.size(), bytes);
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char byte : header)
    sum += static_cast<unsigned char>(byte);
  for (std::size_t i = 6; i-- > 0; sum >>= 3)
    header[148 + i] = static_cast<char>('0' + (sum & 7));
  header[154] = '\0';
  return header + content + std::string(detail::tarPadding(content.size()), '\0');
}

TEST_F(PackageTest, RefusesHostileArchives) {
  const std::string end(1024, '\0');
  const auto open = [&](const std::string &bytes) {
    put("hostile.tar", bytes);
    return verdict(Package::open(folder_ / "hostile.tar"));
  };
  const std::string plain = tarWith(0, "");
  EXPECT_EQ(open(plain + end), "container.malformed [oci-layout] -");
  EXPECT_EQ(open(plain), "container.malformed [] 512");
  EXPECT_EQ(open(plain + plain + end), "container.duplicate-member [x] -");
  EXPECT_EQ(open(tarWith(156, "1") + end), "container.link [x] 0");
  EXPECT_EQ(open(tarWith(156, "2") + end), "container.link [x] 0");
  EXPECT_EQ(open(tarWith(156, "6") + end), "container.unsupported-member [x] 0");
  EXPECT_EQ(open(tarWith(0, "/etc") + end), "container.unsafe-path [/etc] -");
  EXPECT_EQ(open(tarWith(0, "../x") + end), "container.unsafe-path [../x] -");
  EXPECT_EQ(open(tarWith(0, "a\x1b[m") + end), "container.unsafe-path [a?[m] -");
  EXPECT_EQ(open(tarWith(0, "a\xc2\x9bm") + end), "container.unsafe-path [a?m] -");
  EXPECT_EQ(open(tarWith(124, "00000002001") + end), "container.malformed [] 0");
  EXPECT_EQ(open(tarWith(124, "\x80") + end), "container.malformed [] 0");
  EXPECT_EQ(open(tarWith(156, "x", "12 path=abc\n") + plain + end), "container.unsupported-member [x] 1024");
  EXPECT_EQ(open(tarWith(156, "x", "13 path=abc\n") + plain + end), "container.malformed [] 512");
  std::string damaged = plain;
  damaged[0] = 'y';
  EXPECT_EQ(open(damaged + end), "container.malformed [] 0");
  EXPECT_EQ(open(plain + end + plain), "container.malformed [] 512");
}

} // namespace
} // namespace interlock
