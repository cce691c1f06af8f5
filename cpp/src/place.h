// Where a reader is, kept as a chain on the stack and spelled out only for an error.

#ifndef INTERLOCK_SRC_PLACE_H
#define INTERLOCK_SRC_PLACE_H

#include "interlock/error.h"
#include "schema.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace interlock::detail {

/// One step of a path, and the step before it.
struct Place {
  const Place *parent = nullptr; // Null: the root, which is no step.
  const FieldPlan *field = nullptr;
  std::int64_t index = -1; // Of the element; negative: without.

  [[nodiscard]] std::string toString() const;
};

/// The text as a message can hold it: well-formed UTF-8 without control characters, cut after a line's worth.
[[nodiscard]] std::string printable(std::string_view text);

/// The text in backticks, printable.
[[nodiscard]] inline std::string quoted(std::string_view text) { return '`' + printable(text) + '`'; }

/// The first error of a reader. Its functions return false, for `return errors.fail(...)`.
class ErrorSlot {
public:
  bool fail(std::string_view code, std::string path, std::optional<std::uint64_t> offset,
            std::string message) {
    error_ = Error{std::string(code), std::move(path), offset, std::move(message)};
    return false;
  }
  bool fail(std::string_view code, const Place &place, std::optional<std::uint64_t> offset,
            std::string message) {
    return fail(code, place.toString(), offset, std::move(message));
  }
  [[nodiscard]] Error take() { return std::move(error_); }

private:
  Error error_;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_PLACE_H
