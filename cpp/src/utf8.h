// UTF-8: well-formedness and noncharacters.

#ifndef INTERLOCK_SRC_UTF8_H
#define INTERLOCK_SRC_UTF8_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace interlock::detail {

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// What a scan found.
struct Utf8Scan {
  std::size_t illFormed =
      kNowhere; // The first byte of the first ill-formed sequence. Nothing after it was looked at.
  std::size_t noncharacter = kNowhere; // The first byte of the first noncharacter.
};

[[nodiscard]] Utf8Scan scanUtf8(std::string_view text);

/// Whether the code point is one that Unicode sets apart for internal use.
[[nodiscard]] constexpr bool isNoncharacter(std::uint32_t codePoint) {
  return (codePoint & 0xFFFE) == 0xFFFE || (codePoint >= 0xFDD0 && codePoint <= 0xFDEF);
}

/// Appends the code point, which is no surrogate, in UTF-8.
void appendUtf8(std::uint32_t codePoint, std::string &out);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_UTF8_H
