#include "files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>

namespace interlock::tools {

namespace {

struct Closer {
  void operator()(std::FILE *file) const { static_cast<void>(std::fclose(file)); }
};

Error unreadable(const std::string &name) {
  return {"input.unreadable", "", std::nullopt, '`' + name + "` cannot be read: " + std::strerror(errno)};
}

Error unwritable(const std::string &name) {
  return {"output.unwritable", "", std::nullopt, '`' + name + "` cannot be written: " + std::strerror(errno)};
}

} // namespace

Result<std::string> readFile(const std::string &name, std::uint64_t most) {
  std::unique_ptr<std::FILE, Closer> owned;
  std::FILE *file = stdin;
  if (name != "-") {
    owned.reset(std::fopen(name.c_str(), "rb"));
    file = owned.get();
    if (file == nullptr)
      return unreadable(name);
  }
  std::string bytes;
  std::error_code noSize;
  const std::uintmax_t size = name == "-" ? 0 : std::filesystem::file_size(name, noSize);
  if (!noSize && size <= most)
    bytes.reserve(size + 1);
  constexpr std::size_t piece = std::size_t{1} << 20;
  while (bytes.size() <= most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    const std::size_t got = std::fread(bytes.data() + before, 1, piece, file);
    bytes.resize(before + got);
    if (got < piece && std::ferror(file) != 0)
      return unreadable(name);
    if (got == 0)
      break;
  }
  return bytes;
}

std::optional<Error> writeFile(const std::string &name, std::string_view bytes) {
  const bool standardOutput = name == "-";
  const std::string temporary = name + '.' + std::to_string(std::random_device{}()) + ".tmp";
  std::unique_ptr<std::FILE, Closer> owned;
  std::FILE *file = stdout;
  if (!standardOutput) {
    owned.reset(std::fopen(temporary.c_str(), "wbx"));
    file = owned.get();
    if (file == nullptr)
      return unwritable(name);
  }
  const bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  if (standardOutput)
    return written ? std::nullopt : std::optional(unwritable(name));
  const bool closed = std::fclose(owned.release()) == 0;
  if (written && closed && std::rename(temporary.c_str(), name.c_str()) == 0)
    return std::nullopt;
  Error error = unwritable(name);
  static_cast<void>(std::remove(temporary.c_str()));
  return error;
}

} // namespace interlock::tools
