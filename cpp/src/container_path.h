// Names of members of a container, and the errors about them.

#ifndef INTERLOCK_SRC_CONTAINER_PATH_H
#define INTERLOCK_SRC_CONTAINER_PATH_H

#include "interlock/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace interlock::detail {

/// Judges a name by which a container knows a member.
/// \returns `container.unsafe-path` if it is empty or absolute, is no UTF-8, or has a part that is empty, `.`
/// or
/// `..`, a backslash, a drive or a control character.
[[nodiscard]] std::optional<Error> checkName(std::string_view name);

/// The name of the blob of that digest in an OCI image layout. Empty if it is not spelled like a digest.
[[nodiscard]] std::string blobName(std::string_view digest);

// What a place that is named turns out to be. An empty name is the container itself.
[[nodiscard]] Error isUnreadable(const std::string &name, const std::string &reason);
[[nodiscard]] Error isLink(const std::string &name);
[[nodiscard]] Error isFolder(const std::string &name);
[[nodiscard]] Error isDevice(const std::string &name);
[[nodiscard]] Error isNoContainer();

} // namespace interlock::detail

#endif // INTERLOCK_SRC_CONTAINER_PATH_H
