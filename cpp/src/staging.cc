#include "staging.h"

#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace interlock::detail {

namespace fs = std::filesystem;

namespace {

fs::path freeName(const fs::path &target) {
  std::random_device random;
  std::string name = ".";
  name += target.filename().string().substr(0, 64);
  name += '.' + std::to_string(random()) + std::to_string(random()) + ".part";
  return target.parent_path() / name;
}

// Absolute, without a slash at the end.
fs::path plainTarget(const fs::path &target) {
  std::error_code problem;
  fs::path plain = fs::absolute(target, problem).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

bool isFolder(const fs::path &path) {
  std::error_code problem;
  return fs::is_directory(fs::symlink_status(path, problem));
}

bool isThere(const fs::path &path) {
  std::error_code problem;
  return fs::exists(fs::symlink_status(path, problem));
}

} // namespace

Error unwritable(const fs::path &path, const std::string &reason) {
  return {"output.unwritable", "", std::nullopt, '`' + path.string() + "` cannot be written: " + reason};
}

Staging::Staging(const fs::path &target, bool replace, std::function<bool(const fs::path &)> mayReplace)
    : target_(plainTarget(target)), replace_(replace), mayReplace_(std::move(mayReplace)),
      temporary_(freeName(target_)) {}

Staging::~Staging() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

std::optional<Error> Staging::checkFree() const {
  if (!isThere(target_))
    return std::nullopt;
  if (replace_ && mayReplace_(target_))
    return std::nullopt;
  const std::string reason = replace_ ? "what is there is nothing that may be replaced" : "it exists already";
  return Error{"output.exists", "", std::nullopt, '`' + target_.string() + "` cannot be written: " + reason};
}

std::optional<Error> Staging::publish() {
  if (std::optional<Error> error = checkFree())
    return error;
  std::error_code problem;
  const bool inOneStep = !isThere(target_) || (!isFolder(target_) && !isFolder(temporary_));
  if (inOneStep) {
    fs::rename(temporary_, target_, problem);
    return problem ? std::optional(unwritable(target_, problem.message())) : std::nullopt;
  }
  // A folder that is not empty cannot be replaced in one step: it moves away first, and back if need be.
  const fs::path aside = freeName(target_);
  fs::rename(target_, aside, problem);
  if (problem)
    return unwritable(target_, problem.message());
  fs::rename(temporary_, target_, problem);
  std::error_code ignored;
  if (problem) {
    fs::rename(aside, target_, ignored);
    return unwritable(target_, problem.message());
  }
  fs::remove_all(aside, ignored);
  return std::nullopt;
}

} // namespace interlock::detail
