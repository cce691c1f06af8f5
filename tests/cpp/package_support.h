// What the tests of packages share.

#ifndef INTERLOCK_TESTS_PACKAGE_SUPPORT_H
#define INTERLOCK_TESTS_PACKAGE_SUPPORT_H

#include "interlock/package.h"
#include "support.h"

#include "execgraph/v1/package.pb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace interlock::tests {

/// What became of opening a package, or the bytes or the error in their place.
std::string verdict(const Result<Package> &package);
std::string verdict(const Result<std::string> &bytes);

/// The name of a blob in a container.
std::string blobName(const std::string &bytes);

/// A graph without anything in it.
std::string graphBytes(const std::string &id);

/// A package document and its blobs, all in memory.
struct MadePackage {
  execgraph::v1::Package message;
  std::map<std::string, std::string> contents; // By digest.

  execgraph::v1::BlobReference refer(const std::string &bytes);
  void addVariant(const std::string &artifact, const std::string &target, const std::string &name,
                  const std::string &bytes);
  execgraph::v1::GraphSource &addGraph(const std::string &id);
  [[nodiscard]] BlobSource source() const;
};

/// Four variants of one artifact, a graph by reference and one embedded.
MadePackage examplePackage();

/// A folder for each test.
class PackageTest : public testing::Test {
protected:
  PackageTest();

  /// Writes a package into the folder. \returns where it is.
  std::filesystem::path write(const MadePackage &made, const std::string &name,
                              const WriteOptions &options = {});

  /// What writing is refused with.
  std::string refusal(const MadePackage &made, const std::string &name, const WriteOptions &options = {});

  /// Writes a file.
  void put(const std::string &name, const std::string &bytes);

  /// The names in the folder, in order.
  [[nodiscard]] std::vector<std::string> names() const;

  std::filesystem::path folder_;
};

} // namespace interlock::tests

#endif // INTERLOCK_TESTS_PACKAGE_SUPPORT_H
