// Errors as values.

#ifndef INTERLOCK_ERROR_H
#define INTERLOCK_ERROR_H

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace interlock {

/// Why an input is no document, or a message is not one. The first thing found to be wrong.
struct Error {
  /// The stable code, such as `canonical.unsorted-set`.
  std::string code;
  /// The place in the document, such as `body.nodes[3].operation.fill`. Empty: the document.
  std::string path;
  /// The offset of the byte of the input at which reading failed. Absent: not about a byte.
  std::optional<std::uint64_t> offset;
  /// What was found and what is required, for people.
  std::string message;

  /// The error in one line: `path (byte N): error[code] message`.
  [[nodiscard]] std::string toString() const;
};

/// A value or the error that stands in its place.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  /// Whether there is a value.
  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  [[nodiscard]] explicit operator bool() const { return ok(); }

  /// The value. Only if `ok()`.
  [[nodiscard]] T &value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T &value() const & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T &&value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] T &operator*() & { return value(); }
  [[nodiscard]] const T &operator*() const & { return value(); }
  [[nodiscard]] T &&operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T *operator->() { return &value(); }
  [[nodiscard]] const T *operator->() const { return &value(); }

  /// The error. Only if not `ok()`.
  [[nodiscard]] const Error &error() const & {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] Error &&error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

private:
  std::variant<T, Error> state_;
};

} // namespace interlock

#endif // INTERLOCK_ERROR_H
