#include "container_path.h"

#include "interlock/digest.h"
#include "place.h"
#include "sha256.h"
#include "utf8.h"

namespace interlock::detail {

namespace {

// C0, DEL and C1, the last of which take two bytes in UTF-8.
bool hasControlCharacter(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte < 0x20 || byte == 0x7F)
      return true;
    if (byte == 0xC2 && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xA0)
      return true;
  }
  return false;
}

bool hasPart(std::string_view name, std::string_view part) {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == part)
      return true;
    begin = end + 1;
  }
  return false;
}

std::string_view dangerOf(std::string_view name) {
  if (name.empty())
    return "is empty";
  if (name[0] == '/')
    return "is absolute; it has to be relative to the container";
  if (name.find('\\') != std::string_view::npos)
    return "has a backslash; parts are separated by `/`";
  const char first = name[0];
  if (name.size() > 1 && name[1] == ':' && ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')))
    return "starts with a drive; it has to be relative to the container";
  if (scanUtf8(name).illFormed != kNowhere)
    return "is not UTF-8";
  if (hasControlCharacter(name))
    return "has a control character";
  if (hasPart(name, ".."))
    return "has `..`, which leads out of a folder";
  if (hasPart(name, "") || hasPart(name, "."))
    return "has an empty part or `.`";
  return {};
}

} // namespace

std::optional<Error> checkName(std::string_view name) {
  const std::string_view danger = dangerOf(name);
  if (danger.empty())
    return std::nullopt;
  return Error{"container.unsafe-path", printable(name), std::nullopt,
               "the name " + quoted(name) + ' ' + std::string(danger)};
}

std::string blobName(std::string_view digest) {
  if (!isDigest(digest))
    return {};
  return "blobs/sha256/" + std::string(digest.substr(kDigestPrefix.size()));
}

Error isUnreadable(const std::string &name, const std::string &reason) {
  const std::string what = name.empty() ? "the container" : quoted(name);
  return {"container.unreadable", name, std::nullopt, what + " cannot be read: " + reason};
}

Error isLink(const std::string &name) {
  return {"container.link", name, std::nullopt,
          "a symbolic link is on the way to the file; links are not followed"};
}

Error isFolder(const std::string &name) {
  return {"container.malformed", name, std::nullopt, "a folder stands where a file is required"};
}

Error isDevice(const std::string &name) {
  return {"container.unsupported-member", name, std::nullopt,
          "a device, pipe or socket stands where a file is required"};
}

Error isNoContainer() {
  return {"container.unknown-format", "", std::nullopt,
          "a device, pipe or socket stands where a container is required"};
}

} // namespace interlock::detail
