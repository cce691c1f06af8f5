// What the tests share.

#ifndef INTERLOCK_TESTS_SUPPORT_H
#define INTERLOCK_TESTS_SUPPORT_H

#include "interlock/interlock.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace interlock::tests {

/// The bytes of a file; a failure of the test if it cannot be read.
std::string readFile(const std::filesystem::path &path);

/// The three parts of an error that are the same in every implementation, in one line: `code path offset`.
std::string verdict(const Error &error);
std::string verdict(const Result<Document> &document);

/// Gives the blobs of a frame, which has to outlive what is returned.
BlobSource blobsOf(const Frame &frame);

/// A message field in binary form: its tag, length and bytes.
std::string field(unsigned number, std::string_view bytes);

/// A varint field in binary form.
std::string varintField(unsigned number, std::string_view varint);

/// The header of a graph, as a field.
std::string graphHeader();

} // namespace interlock::tests

#endif // INTERLOCK_TESTS_SUPPORT_H
