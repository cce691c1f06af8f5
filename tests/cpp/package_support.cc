#include "package_support.h"

#include "execgraph/v1/graph.pb.h"

#include <algorithm>
#include <fstream>

namespace interlock::tests {

namespace eg = execgraph::v1;
namespace fs = std::filesystem;

std::string verdict(const Result<Package> &package) { return package ? "opened" : verdict(package.error()); }

std::string verdict(const Result<std::string> &bytes) {
  return bytes ? "bytes " + *bytes : verdict(bytes.error());
}

std::string blobName(const std::string &bytes) { return "blobs/sha256/" + digest(bytes).substr(7); }

std::string graphBytes(const std::string &id) {
  eg::ExecutionGraph graph;
  graph.set_id(id);
  return *encode(graph);
}

eg::BlobReference MadePackage::refer(const std::string &bytes) {
  contents[digest(bytes)] = bytes;
  eg::BlobReference reference;
  reference.set_digest(digest(bytes));
  reference.set_size(bytes.size());
  return reference;
}

void MadePackage::addVariant(const std::string &artifact, const std::string &target, const std::string &name,
                             const std::string &bytes) {
  if (message.artifacts().empty() || message.artifacts().rbegin()->id() != artifact)
    message.add_artifacts()->set_id(artifact);
  eg::Variant &variant = *message.mutable_artifacts()->rbegin()->add_variants();
  variant.set_target(target);
  variant.set_name(name);
  variant.mutable_content_type()->set_identity("spirv");
  variant.mutable_content_type()->set_version(1);
  *variant.mutable_blob() = refer(bytes);
}

eg::GraphSource &MadePackage::addGraph(const std::string &id) {
  eg::PackagedGraph &graph = *message.add_graphs();
  graph.set_id(id);
  return *graph.mutable_source();
}

BlobSource MadePackage::source() const {
  return [this](const eg::BlobReference &reference, const BlobSink &sink) -> std::optional<Error> {
    const auto found = contents.find(reference.digest());
    return found != contents.end() ? sink(found->second) : Error{"test.unknown", "", std::nullopt, "unknown"};
  };
}

MadePackage examplePackage() {
  MadePackage made;
  made.message.set_id("example");
  made.addVariant("k", "metal", "a", "metal a");
  made.addVariant("k", "metal", "b", "metal b");
  made.addVariant("k", "vulkan", "", "plain");
  made.addVariant("k", "vulkan", "tuned", std::string(std::size_t{1} << 20, 'x') + "tuned");
  *made.addGraph("here").mutable_reference() = made.refer(graphBytes("here"));
  made.addGraph("inside").set_embedded(graphBytes("inside"));
  return made;
}

PackageTest::PackageTest() {
  const testing::TestInfo &info = *testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::path(INTERLOCK_SCRATCH) / (std::string("package_") + info.name());
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

fs::path PackageTest::write(const MadePackage &made, const std::string &name, const WriteOptions &options) {
  const Result<Document> document = makeDocument(made.message);
  EXPECT_TRUE(document);
  const Result<std::string> manifest = writePackage(*document, made.source(), folder_ / name, options);
  EXPECT_TRUE(manifest) << manifest.error().toString();
  return folder_ / name;
}

std::string PackageTest::refusal(const MadePackage &made, const std::string &name,
                                 const WriteOptions &options) {
  return verdict(writePackage(*makeDocument(made.message), made.source(), folder_ / name, options));
}

void PackageTest::put(const std::string &name, const std::string &bytes) {
  std::ofstream(folder_ / name, std::ios::binary) << bytes;
}

std::vector<std::string> PackageTest::names() const {
  std::vector<std::string> found;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder_))
    found.push_back(entry.path().filename().string());
  std::ranges::sort(found);
  return found;
}

} // namespace interlock::tests
