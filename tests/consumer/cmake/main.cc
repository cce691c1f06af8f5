// Reads a graph, and takes it through JSON and through its message and back.

#include <execgraph/v1/graph.pb.h>
#include <interlock/interlock.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const interlock::Result<interlock::Document> document = interlock::decode(bytes);
  if (!document) {
    std::fprintf(stderr, "%s\n", document.error().toString().c_str());
    return 1;
  }
  const auto *graph = document->as<execgraph::v1::ExecutionGraph>();
  if (graph == nullptr || document->binary() != bytes)
    return 1;
  const interlock::Result<interlock::Document> fromJson = interlock::decodeJson(document->json());
  if (!fromJson || fromJson->binary() != bytes)
    return 1;
  const interlock::Result<std::string> encoded = interlock::encode(*graph);
  if (!encoded || *encoded != bytes)
    return 1;
  std::printf("%s %s\n", std::string(interlock::version()).c_str(), document->digest().c_str());
  return 0;
}
