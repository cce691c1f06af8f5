#include "interlock/version.h"

namespace interlock {

std::string_view version() { return INTERLOCK_VERSION; }

} // namespace interlock
