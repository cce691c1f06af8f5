// Paths of places in the document of a package, as reports show them.

#ifndef INTERLOCK_SRC_PACKAGE_PATHS_H
#define INTERLOCK_SRC_PACKAGE_PATHS_H

#include <string>
#include <string_view>

namespace interlock::detail {

/// The path of an element of a set that is keyed by one string, such as `graphs["sum"]`.
[[nodiscard]] inline std::string elementPath(std::string_view field, std::string_view key) {
  std::string path = std::string(field) + "[\"";
  for (const char c : key) {
    if (c == '\\' || c == '"')
      path += '\\';
    path += c;
  }
  return path + "\"]";
}

} // namespace interlock::detail

#endif // INTERLOCK_SRC_PACKAGE_PATHS_H
