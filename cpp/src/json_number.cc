#include "json_number.h"

#include <algorithm>

namespace interlock::detail {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

} // namespace

bool isPlainInteger(std::string_view token) {
  if (token == "0")
    return true;
  if (token.starts_with('-'))
    token.remove_prefix(1);
  return !token.empty() && token[0] != '0' && std::all_of(token.begin(), token.end(), isDigit);
}

bool isNumber(std::string_view token) {
  // Takes the digits at the start away. \returns whether there are any.
  const auto takeDigits = [&token] {
    const auto end = std::find_if_not(token.begin(), token.end(), isDigit);
    const auto count = static_cast<std::size_t>(end - token.begin());
    token.remove_prefix(count);
    return count > 0;
  };
  if (token.starts_with('-'))
    token.remove_prefix(1);
  if (token.starts_with('0'))
    token.remove_prefix(1);
  else if (!takeDigits())
    return false;
  if (token.starts_with('.')) {
    token.remove_prefix(1);
    if (!takeDigits())
      return false;
  }
  if (token.starts_with('e') || token.starts_with('E')) {
    token.remove_prefix(1);
    if (token.starts_with('+') || token.starts_with('-'))
      token.remove_prefix(1);
    if (!takeDigits())
      return false;
  }
  return token.empty();
}

} // namespace interlock::detail
