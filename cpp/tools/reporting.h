// What the commands of the tool say and end with.

#ifndef INTERLOCK_TOOLS_REPORTING_H
#define INTERLOCK_TOOLS_REPORTING_H

#include "execgraph/v1/blob.pb.h"
#include "interlock/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace interlock::tools {

/// The exit codes: fine, damaged input, unreadable input or wrong usage.
inline constexpr int kOk = 0;
inline constexpr int kDamaged = 1;
inline constexpr int kUnusable = 2;

/// Prints an error to standard error.
/// \returns `kUnusable`.
int refuse(const Error &error);

/// Writes a product to a file, or to standard output for `-`.
/// \returns `kOk`, or what `refuse` returns.
[[nodiscard]] int write(const std::string &output, std::string_view bytes);

/// A size with its unit, such as `1 byte`.
[[nodiscard]] std::string inBytes(std::uint64_t size);

/// A content type in words, such as `spirv 1`.
[[nodiscard]] std::string inWords(const execgraph::v1::ContentType &type);

} // namespace interlock::tools

#endif // INTERLOCK_TOOLS_REPORTING_H
