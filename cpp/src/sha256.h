// SHA-256, of bytes that come in pieces.

#ifndef INTERLOCK_SRC_SHA256_H
#define INTERLOCK_SRC_SHA256_H

#include "sha256_blocks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace interlock::detail {

inline constexpr std::string_view kDigestPrefix = "sha256:";
inline constexpr std::string_view kHexDigits = "0123456789abcdef";

/// SHA-256 as FIPS 180-4 defines it.
class Sha256 {
public:
  /// Adds the next bytes.
  void update(std::string_view bytes);

  /// Ends the input. \returns its hash as documents spell digests. Called once.
  [[nodiscard]] std::string digest();

private:
  Sha256State state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, kSha256Block> block_{};
  std::size_t pending_ = 0;
  std::uint64_t total_ = 0;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_SHA256_H
