// The spelling of numbers in JSON.

#ifndef INTERLOCK_SRC_JSON_NUMBER_H
#define INTERLOCK_SRC_JSON_NUMBER_H

#include <string_view>

namespace interlock::detail {

/// Whether the token is `0`, or a minus sign at will, a digit from 1 to 9, and digits.
[[nodiscard]] bool isPlainInteger(std::string_view token);

/// Whether the token is a number of RFC 8259.
[[nodiscard]] bool isNumber(std::string_view token);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_JSON_NUMBER_H
