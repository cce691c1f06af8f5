// Blobs that lie in a folder as files of any name.

#ifndef INTERLOCK_TOOLS_BLOB_FOLDER_H
#define INTERLOCK_TOOLS_BLOB_FOLDER_H

#include "interlock/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace interlock::tools {

/// The files of a folder by their sizes. Only those of a size that is asked for are ever read.
class BlobFolder {
public:
  /// Lists the folder and those in it. \returns why it cannot be listed.
  [[nodiscard]] std::optional<Error> list(const std::string &folder);

  /// The bytes of a blob. \returns nothing if no file has that digest and size, or an error if the one that
  /// does cannot be read.
  [[nodiscard]] Result<std::optional<std::string>> find(const std::string &digest, std::uint64_t size);

private:
  void hashThoseOf(std::uint64_t size);

  std::multimap<std::uint64_t, std::string> unread_; // Names by size.
  std::map<std::string, std::string> hashed_;        // Names by digest.
};

} // namespace interlock::tools

#endif // INTERLOCK_TOOLS_BLOB_FOLDER_H
