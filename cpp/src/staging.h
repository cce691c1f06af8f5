// Files and folders that appear under their name only when they are complete.

#ifndef INTERLOCK_SRC_STAGING_H
#define INTERLOCK_SRC_STAGING_H

#include "interlock/error.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace interlock::detail {

/// `output.unwritable`.
[[nodiscard]] Error unwritable(const std::filesystem::path &path, const std::string &reason);

/// A free name beside a target. What is made there becomes the target when it is published, and is removed if
/// it is not.
class Staging {
public:
  /// \param replace whether what is there already, and may be replaced, is.
  /// \param mayReplace tells whether what is there may be replaced at all.
  Staging(const std::filesystem::path &target, bool replace,
          std::function<bool(const std::filesystem::path &)> mayReplace);
  Staging(const Staging &) = delete;
  Staging &operator=(const Staging &) = delete;
  ~Staging();

  /// The free name.
  [[nodiscard]] const std::filesystem::path &path() const { return temporary_; }

  /// \returns `output.exists` if the target is there and is not to be replaced.
  [[nodiscard]] std::optional<Error> checkFree() const;

  /// Gives what was made its name. \returns `output.exists`, `output.unwritable`, or nothing.
  [[nodiscard]] std::optional<Error> publish();

private:
  std::filesystem::path target_;
  bool replace_;
  std::function<bool(const std::filesystem::path &)> mayReplace_;
  std::filesystem::path temporary_;
};

} // namespace interlock::detail

#endif // INTERLOCK_SRC_STAGING_H
