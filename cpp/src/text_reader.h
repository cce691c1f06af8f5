// The reader of the text form.

#ifndef INTERLOCK_SRC_TEXT_READER_H
#define INTERLOCK_SRC_TEXT_READER_H

#include "place.h"
#include "schema.h"

#include <google/protobuf/message.h>

#include <cstdint>
#include <string_view>

namespace interlock::detail {

/// The root message that a text is of, which has to be UTF-8: the stated one, else the one that its leading
/// comments name.
/// \returns null after it reported an error.
[[nodiscard]] const RootPlan *textRoot(std::string_view text, std::string_view stated, ErrorSlot &errors);

/// Parses a text into `message`, which has to be empty.
/// \param deepest how deep messages may nest, the root being 1.
/// \returns false after it reported an error.
[[nodiscard]] bool parseText(std::string_view text, std::uint32_t deepest, google::protobuf::Message &message,
                             ErrorSlot &errors);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_TEXT_READER_H
