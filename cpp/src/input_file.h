// Reading files of a container, through no link.

#ifndef INTERLOCK_SRC_INPUT_FILE_H
#define INTERLOCK_SRC_INPUT_FILE_H

#include "interlock/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

// Where the operating system has `openat` and `O_NOFOLLOW`, no link can be put in the way between the look
// and the use. Elsewhere each step of a name is looked at before the file is opened, which somebody who may
// write to the folder at that moment can defeat; what is read is hashed in either case.
#if !defined(INTERLOCK_PORTABLE_FILES)
#if defined(_WIN32)
#define INTERLOCK_PORTABLE_FILES 1
#else
#define INTERLOCK_PORTABLE_FILES 0
#endif
#endif

namespace interlock::detail {

/// A regular file that is open. Several threads may read it at once.
class InputFile {
public:
  InputFile() = default;
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  virtual ~InputFile() = default;

  /// The size when it was opened.
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// Reads bytes into `out`. \returns how many there were; fewer than asked for only at the end of the file.
  [[nodiscard]] virtual Result<std::size_t> readAt(std::uint64_t offset, char *out,
                                                   std::size_t size) const = 0;
};

/// A folder that is open.
class InputFolder {
public:
  InputFolder() = default;
  InputFolder(const InputFolder &) = delete;
  InputFolder &operator=(const InputFolder &) = delete;
  virtual ~InputFolder() = default;

  /// Opens the file of that name.
  /// \param name relative, with `/`, and safe.
  /// \returns null if there is none; `container.link`, `container.unsupported-member` or
  /// `container.malformed` for what is no file, else `container.unreadable`.
  [[nodiscard]] virtual Result<std::shared_ptr<const InputFile>> openFile(const std::string &name) const = 0;
};

/// What a path leads to: one of the two is set.
struct InputRoot {
  std::shared_ptr<const InputFile> file;
  std::shared_ptr<const InputFolder> folder;
};

/// Opens a file or a folder that the caller named, be it through links.
[[nodiscard]] Result<InputRoot> openRoot(const std::filesystem::path &path);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_INPUT_FILE_H
