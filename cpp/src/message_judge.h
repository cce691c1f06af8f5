// Judging and sorting messages that were not read from bytes.

#ifndef INTERLOCK_SRC_MESSAGE_JUDGE_H
#define INTERLOCK_SRC_MESSAGE_JUDGE_H

#include "place.h"
#include "schema.h"

#include <google/protobuf/message.h>

#include <cstdint>

namespace interlock::detail {

/// Sorts the sets of the message at every level and refuses, by path, what has no canonical form.
/// \param deepest how deep messages may nest, the root being 1.
/// \returns false after it reported an error.
[[nodiscard]] bool judgeMessage(google::protobuf::Message &message, const MessagePlan &plan,
                                std::uint32_t deepest, ErrorSlot &errors);

/// Whether every string of the message, at every level, is well-formed UTF-8.
[[nodiscard]] bool holdsOnlyUtf8(const google::protobuf::Message &message, const MessagePlan &plan);

/// Clears every field that tells who made the document and from what, at every level.
void clearProvenance(google::protobuf::Message &message, const MessagePlan &plan);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_MESSAGE_JUDGE_H
