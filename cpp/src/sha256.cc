#include "sha256.h"

#include <algorithm>
#include <cstring>

namespace interlock::detail {

namespace {

void compress(Sha256State &state, const unsigned char *blocks, std::size_t count) {
  static const CompressBlocks native = nativeCompression();
  (native != nullptr ? native : compressPortably)(state, blocks, count);
}

} // namespace

void Sha256::update(std::string_view bytes) {
  total_ += bytes.size();
  if (pending_ > 0) {
    const std::size_t taken = std::min(bytes.size(), block_.size() - pending_);
    std::memcpy(block_.data() + pending_, bytes.data(), taken);
    pending_ += taken;
    bytes.remove_prefix(taken);
    if (pending_ < block_.size())
      return;
    compress(state_, block_.data(), 1);
    pending_ = 0;
  }
  const std::size_t blocks = bytes.size() / block_.size();
  compress(state_, reinterpret_cast<const unsigned char *>(bytes.data()), blocks);
  bytes.remove_prefix(blocks * block_.size());
  if (!bytes.empty())
    std::memcpy(block_.data(), bytes.data(), bytes.size());
  pending_ = bytes.size();
}

std::string Sha256::digest() {
  const std::uint64_t bits = total_ * 8;
  block_[pending_++] = 0x80;
  if (pending_ > block_.size() - 8) {
    std::memset(block_.data() + pending_, 0, block_.size() - pending_);
    compress(state_, block_.data(), 1);
    pending_ = 0;
  }
  std::memset(block_.data() + pending_, 0, block_.size() - pending_);
  for (std::size_t i = 0; i < 8; ++i)
    block_[block_.size() - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  compress(state_, block_.data(), 1);
  std::string text(kDigestPrefix);
  for (const std::uint32_t word : state_)
    for (unsigned shift = 32; shift > 0; shift -= 4)
      text += kHexDigits[word >> (shift - 4) & 15];
  return text;
}

} // namespace interlock::detail
