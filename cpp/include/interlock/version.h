// The versions of the library and of the schema it knows.

#ifndef INTERLOCK_VERSION_H
#define INTERLOCK_VERSION_H

#include <cstdint>
#include <string_view>

namespace interlock {

/// The major version of the schema that this library reads and writes.
inline constexpr std::uint32_t kSchemaMajor = 1;

/// The newest minor version of the schema that this library reads.
inline constexpr std::uint32_t kSchemaMinor = 0;

/// The feature that every document requires until the schema is frozen.
inline constexpr std::string_view kDraftFeature = "draft-1";

/// The version of the library as the Python package spells it, such as `0.1.0` or `0.2.0.dev0`.
[[nodiscard]] std::string_view version();

} // namespace interlock

#endif // INTERLOCK_VERSION_H
