#include "place.h"

#include "utf8.h"

namespace interlock::detail {

std::string Place::toString() const {
  if (field == nullptr)
    return {};
  std::string text = parent != nullptr ? parent->toString() : std::string();
  if (!text.empty())
    text += '.';
  text += field->name;
  if (index >= 0)
    text += '[' + std::to_string(index) + ']';
  return text;
}

std::string printable(std::string_view text) {
  constexpr std::size_t most = 160;
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t size = text.size();
  if (size > most)
    for (size = most; size > 0 && (byteAt(size) & 0xC0) == 0x80;)
      --size;
  const bool wellFormed = scanUtf8(text.substr(0, size)).illFormed == kNowhere;
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned char byte = byteAt(i);
    if (wellFormed && byte == 0xC2 && byteAt(i + 1) < 0xA0) { // A control character of two bytes.
      out += '?';
      ++i;
      continue;
    }
    out += byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !wellFormed) ? '?' : text[i];
  }
  return size < text.size() ? out + "..." : out;
}

} // namespace interlock::detail
