#include "reporting.h"

#include "files.h"

#include <cstdio>
#include <optional>

namespace interlock::tools {

int refuse(const Error &error) {
  std::fprintf(stderr, "%s\n", error.toString().c_str());
  return kUnusable;
}

int write(const std::string &output, std::string_view bytes) {
  const std::optional<Error> failure = writeFile(output, bytes);
  return failure ? refuse(*failure) : kOk;
}

std::string inBytes(std::uint64_t size) { return std::to_string(size) + (size == 1 ? " byte" : " bytes"); }

std::string inWords(const execgraph::v1::ContentType &type) {
  return type.identity() + ' ' + std::to_string(type.version());
}

} // namespace interlock::tools
