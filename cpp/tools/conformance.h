// The conformance protocol.

#ifndef INTERLOCK_TOOLS_CONFORMANCE_H
#define INTERLOCK_TOOLS_CONFORMANCE_H

#include <cstdio>
#include <string>

namespace interlock::tools {

/// Answers requests, each and each answer a little-endian 32-bit length and a message, until the input ends.
/// \returns false, with the reason in `problem`, if the input is no sequence of requests or the output cannot
/// be written.
[[nodiscard]] bool answerConformanceRequests(std::FILE *in, std::FILE *out, std::string &problem);

} // namespace interlock::tools

#endif // INTERLOCK_TOOLS_CONFORMANCE_H
