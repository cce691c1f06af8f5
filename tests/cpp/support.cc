#include "support.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace interlock::tests {

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string verdict(const Error &error) {
  return error.code + " [" + error.path + "] " + (error.offset ? std::to_string(*error.offset) : "-");
}

std::string verdict(const Result<Document> &document) {
  return document ? "accepted" : verdict(document.error());
}

BlobSource blobsOf(const Frame &frame) {
  return
      [&frame](const execgraph::v1::BlobReference &reference, const BlobSink &sink) -> std::optional<Error> {
        const Result<std::string_view> bytes = frame.blob(reference);
        return bytes ? sink(*bytes) : bytes.error();
      };
}

std::string field(unsigned number, std::string_view bytes) {
  EXPECT_LT(number, 16U);
  EXPECT_LT(bytes.size(), 128U);
  std::string out{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())};
  return out.append(bytes);
}

std::string varintField(unsigned number, std::string_view varint) {
  EXPECT_LT(number, 16U);
  return static_cast<char>(number << 3) + std::string(varint);
}

std::string graphHeader() {
  return field(1, varintField(1, "\x01") + varintField(2, "\x01") + field(5, "draft-1"));
}

} // namespace interlock::tests
