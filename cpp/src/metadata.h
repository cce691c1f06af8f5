// The metadata files of a container: JSON in any spelling, read where it lies.

#ifndef INTERLOCK_SRC_METADATA_H
#define INTERLOCK_SRC_METADATA_H

#include "interlock/error.h"
#include "interlock/limits.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace interlock::detail {

/// The error that says what a format demands and was not found.
[[nodiscard]] Error malformed(std::string path, std::string message);

/// `limit.metadata-bytes`.
[[nodiscard]] Error tooLarge(std::uint64_t size, std::string name, const Limits &limits);

/// One object of a metadata file, and where it is. It views the text, which has to outlive it. Each reader
/// gives `container.malformed` where the member is of another type, or is missing and has to be there.
class Record {
public:
  /// Judges the syntax of a whole file, which has to hold an object.
  /// \param name of the file, where the paths of errors begin.
  /// \returns the object, `container.malformed`, or a limit.
  [[nodiscard]] static Result<Record> parse(std::string_view text, std::string name, const Limits &limits);

  [[nodiscard]] const std::string &path() const { return path_; }
  [[nodiscard]] std::string place(std::string_view member) const;

  /// Whether the member is there, be it null.
  [[nodiscard]] bool has(std::string_view member) const { return !find(member).empty(); }

  [[nodiscard]] Result<std::string> text(std::string_view member) const;
  /// The empty string where there is none.
  [[nodiscard]] Result<std::string> optionalText(std::string_view member) const;
  /// An integer from 0 to 2^63 - 1.
  [[nodiscard]] Result<std::uint64_t> count(std::string_view member) const;
  [[nodiscard]] Result<Record> record(std::string_view member) const;
  /// Nothing where there is none.
  [[nodiscard]] Result<std::optional<Record>> optionalRecord(std::string_view member) const;
  /// Visits the objects of an array in turn, until the visitor returns an error.
  [[nodiscard]] std::optional<Error>
  forEachRecord(std::string_view member,
                const std::function<std::optional<Error>(const Record &)> &visit) const;

private:
  Record(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  // The text from the value of the member on. Empty: there is none.
  [[nodiscard]] std::string_view find(std::string_view member) const;
  [[nodiscard]] Result<std::string_view> require(std::string_view member) const;
  [[nodiscard]] Error refuse(std::string_view member, std::string_view required,
                             std::string_view found) const;

  std::string_view text_; // From the brace on.
  std::string path_;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_METADATA_H
