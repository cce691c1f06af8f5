// What the bytes before the body of a sealed frame are.

#ifndef INTERLOCK_SRC_FRAME_FORMAT_H
#define INTERLOCK_SRC_FRAME_FORMAT_H

#include <array>
#include <cstddef>
#include <string_view>

namespace interlock::detail {

inline constexpr std::string_view kFrameStart = "\x89XGF";
inline constexpr std::size_t kFrameVersionAt = 4;
inline constexpr unsigned char kFrameVersion = 1;
inline constexpr std::size_t kFrameKindAt = 5;
inline constexpr std::size_t kFrameLineEndAt = 6;
inline constexpr std::string_view kFrameLineEnd = "\r\n";
inline constexpr std::size_t kBodyLengthAt = 8;
inline constexpr std::size_t kBodyDigestAt = 16;
inline constexpr std::size_t kBodyAt = 48;

struct FrameKind {
  char letter;
  std::string_view name;
};

/// The kinds of documents that are sealed.
inline constexpr std::array<FrameKind, 3> kFrameKinds = {{
    {'B', "TargetModuleBundle"},
    {'P', "TargetPayload"},
    {'E', "Envelope"},
}};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_FRAME_FORMAT_H
