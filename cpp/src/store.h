// Writing values into messages by their plans.

#ifndef INTERLOCK_SRC_STORE_H
#define INTERLOCK_SRC_STORE_H

#include "schema.h"

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>

namespace interlock::detail {

/// Sets a singular field, or appends to a repeated one, of type bool, integer or enum.
/// \param bits the value, sign extended to 64 bits.
void storeNumber(google::protobuf::Message &message, const FieldPlan &field, std::uint64_t bits);

/// Sets a singular field, or appends to a repeated one, of type string or bytes.
void storeString(google::protobuf::Message &message, const FieldPlan &field, std::string value);

/// The message of a singular field, made if it is not there, or a new element of a repeated one.
[[nodiscard]] google::protobuf::Message &storeMessage(google::protobuf::Message &message,
                                                      const FieldPlan &field);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_STORE_H
