#include "interlock/digest.h"

#include "sha256.h"

namespace interlock {

using detail::kDigestPrefix;
using detail::kHexDigits;

std::string digest(std::string_view bytes) {
  detail::Sha256 hash;
  hash.update(bytes);
  return hash.digest();
}

bool isDigest(std::string_view text) {
  return text.size() == kDigestPrefix.size() + 64 && text.starts_with(kDigestPrefix) &&
         text.find_first_not_of(kHexDigits, kDigestPrefix.size()) == std::string_view::npos;
}

} // namespace interlock
