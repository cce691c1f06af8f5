#include "blob_folder.h"

#include "files.h"
#include "interlock/digest.h"
#include "interlock/limits.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace interlock::tools {

namespace fs = std::filesystem;

std::optional<Error> BlobFolder::list(const std::string &folder) {
  std::error_code problem;
  std::uint64_t members = 0;
  for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (++members > Limits().archiveMembers)
      return Error{"limit.archive-members", "", std::nullopt,
                   '`' + folder + "` has more than `" + std::to_string(Limits().archiveMembers) +
                       "` members, the limit"};
    std::error_code unknown;
    if (!at->is_symlink(unknown) && at->is_regular_file(unknown))
      unread_.emplace(at->file_size(unknown), at->path().string());
  }
  if (!problem)
    return std::nullopt;
  return Error{"input.unreadable", "", std::nullopt, '`' + folder + "` cannot be read: " + problem.message()};
}

Result<std::optional<std::string>> BlobFolder::find(const std::string &digest, std::uint64_t size) {
  hashThoseOf(size);
  const auto found = hashed_.find(digest);
  if (found == hashed_.end())
    return std::optional<std::string>();
  Result<std::string> bytes = readFile(found->second, size);
  if (!bytes)
    return std::move(bytes).error();
  return std::optional(*std::move(bytes));
}

// A file that cannot be read is none of those that are wanted, or is missed later.
void BlobFolder::hashThoseOf(std::uint64_t size) {
  const auto [begin, end] = unread_.equal_range(size);
  for (auto file = begin; file != end; ++file)
    if (const Result<std::string> bytes = readFile(file->second, size))
      hashed_.emplace(digest(*bytes), file->second);
  unread_.erase(begin, end);
}

} // namespace interlock::tools
