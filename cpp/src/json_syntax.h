// The syntax of JSON input, judged before anything is made of it.

#ifndef INTERLOCK_SRC_JSON_SYNTAX_H
#define INTERLOCK_SRC_JSON_SYNTAX_H

#include "interlock/limits.h"
#include "place.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace interlock::detail {

/// What the syntax pass learned about an input that is well-formed.
struct JsonShape {
  std::size_t root = 0;              // The offset of the root value.
  std::optional<std::size_t> header; // The offset of the value of the root's member `header`.
};

/// Judges the syntax of the whole input, in the order of the bytes. Needs memory for open levels and member
/// names only.
/// \returns false after it reported an error.
[[nodiscard]] bool checkJsonSyntax(std::string_view text, const Limits &limits, JsonShape &shape,
                                   ErrorSlot &errors);

/// The string whose opening quote is the first of `text`, unescaped into `scratch` if need be.
/// \param text well-formed JSON; moved past the string.
[[nodiscard]] std::string_view readJsonString(std::string_view &text, std::string &scratch);

/// Whether the token is `0`, or a minus sign at will, a digit from 1 to 9, and digits.
[[nodiscard]] bool isPlainInteger(std::string_view token);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_JSON_SYNTAX_H
