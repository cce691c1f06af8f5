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

/// Whose JSON it is.
enum class JsonDialect {
  Document, // Our documents: one spelling of each number, no noncharacters.
  Foreign,  // Of others: all that RFC 8259 allows, but for duplicate names.
};

/// Judges the syntax of the whole input, in the order of the bytes. Needs memory for open levels and member
/// names only.
/// \returns false after it reported an error.
[[nodiscard]] bool checkJsonSyntax(std::string_view text, const Limits &limits, JsonShape &shape,
                                   ErrorSlot &errors, JsonDialect dialect = JsonDialect::Document);

/// The string whose opening quote is the first of `text`, unescaped into `scratch` if need be.
/// \param text well-formed JSON; moved past the string.
[[nodiscard]] std::string_view readJsonString(std::string_view &text, std::string &scratch);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_JSON_SYNTAX_H
