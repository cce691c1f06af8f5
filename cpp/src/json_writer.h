// The canonical JSON of a document.

#ifndef INTERLOCK_SRC_JSON_WRITER_H
#define INTERLOCK_SRC_JSON_WRITER_H

#include "schema.h"

#include <string>
#include <string_view>

namespace interlock::detail {

/// Writes the canonical JSON of a message straight from its bytes, without building it.
/// \param canonical the canonical binary of the message; anything else is a programming error.
[[nodiscard]] std::string writeJson(std::string_view canonical, const MessagePlan &plan);

/// Appends the string in quotes, escaped as RFC 8785 says. It has to be well-formed UTF-8.
void appendJsonString(std::string_view text, std::string &out);

/// Appends the bytes in padded base64 of the standard alphabet.
void appendBase64(std::string_view bytes, std::string &out);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_JSON_WRITER_H
