// The compression function of SHA-256, in plain C++ and with the instructions that processors have for it.

#ifndef INTERLOCK_SRC_SHA256_BLOCKS_H
#define INTERLOCK_SRC_SHA256_BLOCKS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace interlock::detail {

inline constexpr std::size_t kSha256Block = 64;

using Sha256State = std::array<std::uint32_t, 8>;

/// Takes `count` blocks of 64 bytes into a state.
using CompressBlocks = void (*)(Sha256State &state, const unsigned char *blocks, std::size_t count);

/// Runs everywhere.
void compressPortably(Sha256State &state, const unsigned char *blocks, std::size_t count);

/// The one that uses the instructions of this processor; null where there are none or nobody wrote one.
[[nodiscard]] CompressBlocks nativeCompression();

} // namespace interlock::detail

#endif // INTERLOCK_SRC_SHA256_BLOCKS_H
