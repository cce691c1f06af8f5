// Tar files: the one way they are written here (POSIX ustar), and strict reading of what other tools write.

#ifndef INTERLOCK_SRC_TAR_H
#define INTERLOCK_SRC_TAR_H

#include "input_file.h"
#include "interlock/error.h"
#include "interlock/limits.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace interlock::detail {

/// Bytes of a header, and what everything is padded to.
inline constexpr std::size_t kTarBlock = 512;

/// Bytes of the largest member that a header can state.
inline constexpr std::uint64_t kLargestTarMember = (std::uint64_t{8} << 30) - 1;

/// Where the bytes of a member are.
struct TarExtent {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The regular files of a tar file, by name.
using TarMembers = std::map<std::string, TarExtent, std::less<>>;

/// Whether the first block of a file is the header of a member.
[[nodiscard]] bool looksLikeTar(std::string_view start);

/// Reads the headers. A leading `./` is dropped from names, as tools write it for the content of a folder.
[[nodiscard]] Result<TarMembers> readTarMembers(const InputFile &file, const Limits &limits);

/// The one header of a regular file: mode 0644, owner and group 0 without names, time 0.
/// \param name of at most 100 bytes of ASCII.
[[nodiscard]] std::string tarHeader(std::string_view name, std::uint64_t size);

/// How many zeros follow a member of that size.
[[nodiscard]] std::size_t tarPadding(std::uint64_t size);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_TAR_H
