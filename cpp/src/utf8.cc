#include "utf8.h"

#include <cstring>

namespace interlock::detail {

namespace {

struct Sequence {
  std::size_t length = 0; // 0: ill-formed.
  std::uint32_t codePoint = 0;
};

// The sequence at the start of `text`, whose first byte is not ASCII.
Sequence readSequence(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  std::uint32_t codePoint = 0;
  std::uint32_t smallest = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
    codePoint = first & 0x1F;
    smallest = 0x80;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    codePoint = first & 0x0F;
    smallest = 0x800;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    codePoint = first & 0x07;
    smallest = 0x10000;
  }
  if (length == 0 || text.size() < length)
    return {};
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80)
      return {};
    codePoint = codePoint << 6 | (byte & 0x3F);
  }
  const bool surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
  if (codePoint < smallest || codePoint > 0x10FFFF || surrogate)
    return {};
  return {length, codePoint};
}

} // namespace

Utf8Scan scanUtf8(std::string_view text) {
  Utf8Scan scan;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t word = 0;
    while (text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & 0x8080808080808080U) != 0)
        break;
      at += sizeof word;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80)
      ++at;
    if (at == text.size())
      break;
    const Sequence sequence = readSequence(text.substr(at));
    if (sequence.length == 0) {
      scan.illFormed = at;
      break;
    }
    if (scan.noncharacter == kNowhere && isNoncharacter(sequence.codePoint))
      scan.noncharacter = at;
    at += sequence.length;
  }
  return scan;
}

void appendUtf8(std::uint32_t codePoint, std::string &out) {
  if (codePoint < 0x80) {
    out += static_cast<char>(codePoint);
  } else if (codePoint < 0x800) {
    out += static_cast<char>(0xC0 | codePoint >> 6);
    out += static_cast<char>(0x80 | (codePoint & 0x3F));
  } else if (codePoint < 0x10000) {
    out += static_cast<char>(0xE0 | codePoint >> 12);
    out += static_cast<char>(0x80 | (codePoint >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (codePoint & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | codePoint >> 18);
    out += static_cast<char>(0x80 | (codePoint >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (codePoint >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (codePoint & 0x3F));
  }
}

} // namespace interlock::detail
