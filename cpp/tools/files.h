// Reading and writing whole files.

#ifndef INTERLOCK_TOOLS_FILES_H
#define INTERLOCK_TOOLS_FILES_H

#include "interlock/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interlock::tools {

/// Reads a file, or standard input for `-`, but no more than one byte past `most`.
/// \returns the bytes, or an error of code `input.unreadable`.
[[nodiscard]] Result<std::string> readFile(const std::string &name, std::uint64_t most);

/// Writes a file, or standard output for `-`. A file appears whole or not at all.
/// \returns an error of code `output.unwritable`, or nothing.
[[nodiscard]] std::optional<Error> writeFile(const std::string &name, std::string_view bytes);

} // namespace interlock::tools

#endif // INTERLOCK_TOOLS_FILES_H
