// interlock-cpp: the command line of the C++ library.

#include "conformance.h"
#include "files.h"
#include "frame.h"
#include "interlock/interlock.h"
#include "package.h"
#include "reporting.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace interlock;

using tools::kOk;
using tools::kUnusable;
using tools::refuse;

constexpr std::string_view kHelpBegin = R"(usage: interlock-cpp COMMAND [OPTION...] [INPUT...]

Reads and writes execution graph documents. INPUT is a file, or - for standard input; its kind and encoding are
detected. What is written goes to standard output without -o.

  convert INPUT --to binary|json|text [-o OUTPUT]
                                               write the document in another encoding
  canonicalize INPUT [-o OUTPUT]               write the canonical binary, also of binary input that is not canonical
  digest INPUT... [--semantic]                 print digests, or those without producer and provenance, one a line:
                                               the digest, two spaces, the input
  conformance                                  answer requests of execgraph.conformance.v1 on standard input
)";

constexpr std::string_view kHelpEnd = R"(
  --timing     print the milliseconds of each step to standard error
  -h, --help   print this
  --version    print the versions of the tool and of the schema

Exit codes: 0 done, 1 damage that `package check` or `frame check` found, 2 unreadable input or wrong usage.
)";

struct Arguments {
  std::string command;
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string to;
  bool semantic = false;
  bool timing = false;
};

int complain(std::string_view message) {
  std::fprintf(stderr, "interlock-cpp: %.*s; see interlock-cpp --help\n", static_cast<int>(message.size()),
               message.data());
  return kUnusable;
}

// Prints how long the steps of one command took.
class Stopwatch {
public:
  explicit Stopwatch(bool wanted) : wanted_(wanted) {}

  void lap(const char *step) {
    const auto now = std::chrono::steady_clock::now();
    if (wanted_)
      std::fprintf(stderr, "%s: %.2f ms\n", step,
                   std::chrono::duration<double, std::milli>(now - start_).count());
    start_ = std::chrono::steady_clock::now();
  }

private:
  bool wanted_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// \returns what is wrong with the command line, or nothing.
std::optional<std::string> parse(const std::vector<std::string> &words, Arguments &arguments) {
  arguments.command = words[0];
  const bool digests = arguments.command == "digest";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (!digests && (word == "-o" || word == "--to")) {
      if (++i == words.size())
        return "`" + word + "` needs a value";
      (word == "-o" ? arguments.output : arguments.to) = words[i];
    } else if (digests && word == "--semantic") {
      arguments.semantic = true;
    } else if (word == "--timing") {
      arguments.timing = true;
    } else if (word.size() > 1 && word[0] == '-') {
      return "`" + word + "` is not an option of `" + arguments.command + "`";
    } else if (!digests && !arguments.inputs.empty()) {
      return "`" + word + "` is a second input";
    } else if (word == "-" && std::ranges::count(arguments.inputs, word) != 0) {
      return "standard input can be read once only, but `-` is named twice";
    } else {
      arguments.inputs.push_back(word);
    }
  }
  return std::nullopt;
}

int conformance() {
  std::string problem;
  return tools::answerConformanceRequests(stdin, stdout, problem) ? kOk : complain(problem);
}

Result<Document> read(const std::string &input, bool canonicalize, Stopwatch &watch) {
  DecodeOptions options;
  options.canonicalize = canonicalize;
  const Result<std::string> bytes = tools::readFile(input, options.limits.documentBytes);
  if (!bytes)
    return bytes.error();
  watch.lap("read");
  Result<Document> document = decode(*bytes, options);
  watch.lap("decode");
  return document;
}

// An input that cannot be read does not keep the others from being printed.
int printDigests(const Arguments &arguments) {
  Stopwatch watch(arguments.timing);
  int code = kOk;
  for (const std::string &input : arguments.inputs) {
    const Result<Document> document = read(input, false, watch);
    if (!document) {
      code = refuse(document.error());
      continue;
    }
    const std::string digest = arguments.semantic ? document->semanticDigest() : document->digest();
    watch.lap("digest");
    if (const std::optional<Error> failure = tools::writeFile("-", digest + "  " + input + '\n'))
      return refuse(*failure);
  }
  return code;
}

int write(const Arguments &arguments, bool canonicalize) {
  Stopwatch watch(arguments.timing);
  const Result<Document> document = read(arguments.inputs[0], canonicalize, watch);
  if (!document)
    return refuse(document.error());
  std::string out;
  if (arguments.to == "json")
    out = document->json();
  else if (arguments.to == "text")
    out = document->text();
  watch.lap("encode");
  const std::optional<Error> failure =
      tools::writeFile(arguments.output, out.empty() ? document->binary() : out);
  watch.lap("write");
  return failure ? refuse(*failure) : kOk;
}

int run(const Arguments &arguments) {
  const bool convert = arguments.command == "convert";
  const bool canonicalize = arguments.command == "canonicalize";
  if (!convert && !canonicalize && arguments.command != "digest")
    return complain("`" + arguments.command + "` is not a command");
  if (arguments.inputs.empty())
    return complain("an input is missing");
  if (convert != !arguments.to.empty() ||
      (convert && arguments.to != "binary" && arguments.to != "json" && arguments.to != "text"))
    return complain("`--to` has to be `binary`, `json` or `text`, for `convert` only");
  return convert || canonicalize ? write(arguments, canonicalize) : printDigests(arguments);
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty())
    return complain("a command is missing");
  if (words[0] == "--help" || words[0] == "-h") {
    for (const std::string_view part : {kHelpBegin, tools::kPackageHelp, tools::kFrameHelp, kHelpEnd})
      std::fwrite(part.data(), 1, part.size(), stdout);
    return kOk;
  }
  if (words[0] == "--version") {
    std::printf("interlock-cpp %s, schema %u.%u (%s)\n", std::string(version()).c_str(), kSchemaMajor,
                kSchemaMinor, std::string(kDraftFeature).c_str());
    return kOk;
  }
  if (words[0] == "package" || words[0] == "frame") {
    std::optional<std::string> problem;
    const auto run = words[0] == "package" ? tools::runPackage : tools::runFrame;
    const int code = run({words.begin() + 1, words.end()}, problem);
    return problem ? complain(*problem) : code;
  }
  Arguments arguments;
  if (const std::optional<std::string> problem = parse(words, arguments))
    return complain(*problem);
  return arguments.command == "conformance" ? conformance() : run(arguments);
}
