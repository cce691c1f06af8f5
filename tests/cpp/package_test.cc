// Packages as they are read: documents, graphs, artifacts and blobs.

#include "package_support.h"

#include "execgraph/v1/graph.pb.h"

#include <string>
#include <thread>
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

TEST_F(PackageTest, IsReadFromADirectoryAndFromATarFile) {
  const MadePackage made = examplePackage();
  WriteOptions options;
  options.tag = "v1";
  for (const std::string name : {"layout", "layout.tar"}) {
    Result<Package> opened = Package::open(write(made, name, options));
    ASSERT_TRUE(opened) << opened.error().toString();
    const Package package = *std::move(opened);
    EXPECT_EQ(package.document().kind(), "Package");
    EXPECT_EQ(package.document().binary(), *encode(made.message));
    EXPECT_EQ(package.message().id(), "example");
    EXPECT_EQ(package.tag(), "v1");
    EXPECT_EQ(package.graphIds(), (std::vector<std::string>{"here", "inside"}));
    EXPECT_EQ(package.artifactIds(), std::vector<std::string>{"k"});
    EXPECT_EQ(package.graph("here")->digest(), digest(graphBytes("here")));
    EXPECT_EQ(package.graph("inside")->as<eg::ExecutionGraph>()->id(), "inside");
    for (const auto &[key, bytes] : made.contents) {
      eg::BlobReference reference;
      reference.set_digest(key);
      reference.set_size(bytes.size());
      EXPECT_EQ(verdict(package.blob(reference)), "bytes " + bytes);
    }
  }
}

TEST_F(PackageTest, DoesNotDependOnTheCurrentDirectory) {
  write(examplePackage(), "layout");
  write(examplePackage(), "layout.tar");
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const Result<Package> directory = Package::open("layout");
  const Result<Package> tar = Package::open("layout.tar");
  fs::current_path(before);
  ASSERT_TRUE(directory && tar);
  EXPECT_EQ(verdict(directory->artifact("k", "vulkan")), "bytes plain");
  EXPECT_EQ(verdict(tar->artifact("k", "vulkan")), "bytes plain");
}

TEST_F(PackageTest, IsReadByManyThreads) {
  for (const std::string name : {"layout", "layout.tar"}) {
    const Result<Package> package = Package::open(write(examplePackage(), name));
    ASSERT_TRUE(package);
    std::vector<std::thread> threads;
    std::vector<std::string> found(8);
    for (std::string &bytes : found)
      threads.emplace_back([&] { bytes = package->artifact("k", "vulkan", "tuned").value(); });
    for (std::thread &thread : threads)
      thread.join();
    for (const std::string &bytes : found)
      EXPECT_EQ(digest(bytes), digest(found[0]));
    EXPECT_TRUE(found[0].ends_with("xtuned"));
  }
}

TEST_F(PackageTest, FindsArtifactsByTargetAndName) {
  const Result<Package> package = Package::open(write(examplePackage(), "layout"));
  ASSERT_TRUE(package);
  EXPECT_EQ(verdict(package->artifact("k", "metal", "b")), "bytes metal b");
  EXPECT_EQ(verdict(package->artifact("k", "vulkan")), "bytes plain");
  EXPECT_EQ(verdict(package->artifact("k", "vulkan", "")), "bytes plain");
  EXPECT_EQ((*package->variant("k", "vulkan", "tuned"))->name(), "tuned");
  EXPECT_EQ(verdict(package->artifact("j", "vulkan")), "artifact.not-packaged [artifacts] -");
  EXPECT_EQ(verdict(package->artifact("k", "webgpu")), R"(artifact.missing-variant [artifacts["k"]] -)");
  EXPECT_EQ(verdict(package->artifact("k", "vulkan", "x")), R"(artifact.missing-variant [artifacts["k"]] -)");
  EXPECT_EQ(verdict(package->artifact("k", "metal", "")), R"(artifact.missing-variant [artifacts["k"]] -)");
  EXPECT_EQ(verdict(package->artifact("k", "metal")), R"(artifact.ambiguous-variant [artifacts["k"]] -)");
}

TEST_F(PackageTest, RefusesGraphsThatAreNotWhatTheyAreCalled) {
  MadePackage made = examplePackage();
  made.addGraph("broken").set_embedded(graphBytes("broken") + "?");
  made.addGraph("other").set_embedded(graphBytes("another"));
  eg::Package inner;
  inner.set_id("package");
  *made.addGraph("package").mutable_reference() = made.refer(*encode(inner));
  const Result<Package> package = Package::open(write(made, "layout"));
  ASSERT_TRUE(package);
  EXPECT_EQ(verdict(package->graph("none")), "package.unknown-graph [graphs] -");
  EXPECT_EQ(verdict(package->graph("broken")),
            R"(package.unreadable-graph [graphs["broken"].source.embedded] )" +
                std::to_string(graphBytes("broken").size()));
  EXPECT_EQ(verdict(package->graph("other")),
            R"(package.graph-id-mismatch [graphs["other"].source.embedded] -)");
  EXPECT_EQ(verdict(package->graph("package")),
            R"(package.unreadable-graph [graphs["package"].source.reference] 2)");
  fs::remove(folder_ / "layout" / blobName(graphBytes("here")));
  EXPECT_EQ(verdict(package->graph("here")),
            "container.missing-blob [" + blobName(graphBytes("here")) + "] -");
}

TEST_F(PackageTest, StopsWhereTheSinkDoes) {
  const Result<Package> package = Package::open(write(examplePackage(), "layout.tar"));
  ASSERT_TRUE(package);
  std::size_t calls = 0;
  const auto sink = [&](std::string_view) -> std::optional<Error> {
    ++calls;
    return Error{"test.full", "", std::nullopt, "full"};
  };
  const std::optional<Error> error =
      package->readBlob((*package->variant("k", "vulkan", "tuned"))->blob(), sink);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "test.full");
  EXPECT_EQ(calls, 1U);
}

} // namespace
} // namespace interlock
