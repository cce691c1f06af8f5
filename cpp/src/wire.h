// The smallest parts of the binary form.

#ifndef INTERLOCK_SRC_WIRE_H
#define INTERLOCK_SRC_WIRE_H

#include <cstdint>

namespace interlock::detail {

enum class VarintStatus : std::uint8_t { Minimal, Overlong, Truncated, Overflow };

/// Reads a varint and moves `at` past it.
inline VarintStatus readVarint(const char *&at, const char *end, std::uint64_t &value) {
  if (at < end && static_cast<unsigned char>(*at) < 0x80) {
    value = static_cast<unsigned char>(*at++);
    return VarintStatus::Minimal;
  }
  value = 0;
  for (unsigned shift = 0; at < end; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    if (shift == 63 && byte > 1)
      return VarintStatus::Overflow;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80)
      return byte == 0 ? VarintStatus::Overlong : VarintStatus::Minimal; // Shorter ones were handled above.
  }
  return VarintStatus::Truncated;
}

/// Reads `size` bytes, which have to be there, as a little-endian number and moves `at` past them.
inline std::uint64_t readFixed(const char *&at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  at += size;
  return value;
}

} // namespace interlock::detail

#endif // INTERLOCK_SRC_WIRE_H
