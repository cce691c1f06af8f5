#include "frame.h"

#include "blob_folder.h"
#include "execgraph/v1/envelope.pb.h"
#include "execgraph/v1/graph.pb.h"
#include "files.h"
#include "interlock/interlock.h"
#include "reporting.h"

#include <cstdint>
#include <cstdio>
#include <map>

namespace interlock::tools {

namespace eg = execgraph::v1;

const std::string_view kFrameHelp =
    R"(  frame list FILE                              print what a sealed frame holds
  frame check FILE                             read and hash everything but judge no rule; print what is damaged to
                                               standard error: the code, the place, the byte, what is wrong
  frame cat FILE DIGEST [-o OUTPUT]            write a document or a blob of a frame
  frame seal INPUT --blobs FOLDER -o OUTPUT    make a frame of a document and the files of a folder, found by digest
)";

namespace {

struct Arguments {
  std::vector<std::string> inputs;
  std::optional<std::string> output;
  std::optional<std::string> blobs;
};

std::string describe(const Document &document) {
  return document.digest() + "  " + inBytes(document.binary().size()) + '\n';
}

std::string describe(std::string_view role, const eg::TypedBlob &typed) {
  return "    " + std::string(role) + inWords(typed.content_type()) + "  " + typed.blob().digest() + "  " +
         inBytes(typed.blob().size()) + '\n';
}

std::string describe(const FrameBundle &bundle) {
  std::string out = "bundle    " + describe(bundle.document());
  for (const eg::TargetModule &module : bundle.message().modules()) {
    out += "  module    stage " + std::to_string(module.stage()) + "  " + module.group() + "  `" +
           module.entry_point() + "`\n";
    out += describe("code      ", module.code());
    if (module.has_semantic())
      out += describe("semantic  ", module.semantic());
    if (module.has_lowered())
      out += describe("lowered   ", module.lowered());
  }
  return out;
}

int list(const Arguments &, const Frame &frame) {
  std::string out;
  if (frame.document().as<eg::Envelope>() != nullptr)
    out += "envelope  " + describe(frame.document());
  if (frame.graph() != nullptr)
    out += "graph     " + frame.graph()->as<eg::ExecutionGraph>()->id() + "  " + describe(*frame.graph());
  for (const FramePayload &payload : frame.payloads()) {
    const eg::TargetProfile &profile = payload.message().profile();
    out += "payload   " + inWords(payload.format()) + "  for " + profile.identity() + ' ' +
           std::to_string(profile.generation()) + " (" + profile.target() + ")  " +
           describe(payload.document());
    if (payload.bundle() != nullptr)
      out += describe(*payload.bundle());
  }
  if (frame.bundle() != nullptr)
    out += describe(*frame.bundle());
  return write("-", out);
}

int check(const Arguments &, const Frame &frame) {
  std::uint64_t total = 0;
  for (const FrameBlob &blob : frame.blobs())
    total += blob.bytes.size();
  return write("-", frame.digest() + "  " + std::to_string(frame.blobs().size()) + " blobs, " +
                        inBytes(total) + '\n');
}

// Prints one damage.
int report(const Error &error) {
  std::fprintf(stderr, "%s %s %s %s\n", error.code.c_str(), error.path.empty() ? "-" : error.path.c_str(),
               error.offset ? std::to_string(*error.offset).c_str() : "-", error.message.c_str());
  return kDamaged;
}

// The outermost document and those within it.
std::vector<const Document *> documentsOf(const Frame &frame) {
  std::vector<const Document *> documents = {&frame.document()};
  if (frame.graph() != nullptr)
    documents.push_back(frame.graph());
  for (const FramePayload &payload : frame.payloads()) {
    documents.push_back(&payload.document());
    if (payload.bundle() != nullptr)
      documents.push_back(&payload.bundle()->document());
  }
  return documents;
}

int cat(const Arguments &arguments, const Frame &frame) {
  const std::string &wanted = arguments.inputs[1];
  const std::string output = arguments.output.value_or("-");
  for (const FrameBlob &blob : frame.blobs())
    if (blob.digest == wanted)
      return write(output, blob.bytes);
  for (const Document *document : documentsOf(frame))
    if (document->digest() == wanted)
      return write(output, document->binary());
  return refuse(frame.blob(wanted, 0).error());
}

int seal(const Arguments &arguments) {
  const Result<std::string> bytes = readFile(arguments.inputs[0], Limits().documentBytes);
  if (!bytes)
    return refuse(bytes.error());
  const Result<Document> document = decode(*bytes);
  if (!document)
    return refuse(document.error());
  BlobFolder folder;
  if (arguments.blobs)
    if (const std::optional<Error> failure = folder.list(*arguments.blobs))
      return refuse(*failure);
  const auto blobs = [&folder](const eg::BlobReference &reference,
                               const BlobSink &sink) -> std::optional<Error> {
    const Result<std::optional<std::string>> found = folder.find(reference.digest(), reference.size());
    if (!found)
      return found.error();
    return found->has_value() ? sink(**found) : std::nullopt;
  };
  const Result<std::string> frame = writeFrame(document->message(), blobs);
  return frame ? write(*arguments.output, *frame) : refuse(frame.error());
}

// Reads the frame that a command is about.
template <int (*Command)(const Arguments &, const Frame &)> int reading(const Arguments &arguments) {
  const FrameOptions options;
  const Result<std::string> bytes = readFile(arguments.inputs[0], options.limits.frameBytes);
  if (!bytes)
    return refuse(bytes.error());
  const Result<Frame> frame = readFrame(*bytes, options);
  if (!frame)
    return Command == check ? report(frame.error()) : refuse(frame.error());
  return Command(arguments, *frame);
}

struct Command {
  int (*run)(const Arguments &);
  std::size_t inputs;
  std::string_view options; // Those that may be there.
  bool needsOutput = false;
};

const std::map<std::string, Command, std::less<>> kCommands = {
    {"list", {reading<list>, 1, ""}},
    {"check", {reading<check>, 1, ""}},
    {"cat", {reading<cat>, 2, " -o "}},
    {"seal", {seal, 1, " --blobs -o ", true}},
};

std::optional<std::string> parse(const std::vector<std::string> &words, const Command &command,
                                 Arguments &arguments) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      arguments.inputs.push_back(word);
      continue;
    }
    if (command.options.find(' ' + word + ' ') == std::string_view::npos)
      return "`" + word + "` is not an option of `frame " + words[0] + "`";
    if (++i == words.size())
      return "`" + word + "` needs a value";
    (word == "-o" ? arguments.output : arguments.blobs) = words[i];
  }
  if (arguments.inputs.size() != command.inputs)
    return "`frame " + words[0] + "` takes " + std::to_string(command.inputs) +
           (command.inputs == 1 ? " input" : " inputs");
  if (command.needsOutput && !arguments.output)
    return "`-o` is missing";
  return std::nullopt;
}

} // namespace

int runFrame(const std::vector<std::string> &words, std::optional<std::string> &problem) {
  const auto command = words.empty() ? kCommands.end() : kCommands.find(words[0]);
  if (command == kCommands.end()) {
    problem =
        words.empty() ? "a command of `frame` is missing" : "`" + words[0] + "` is not a command of `frame`";
    return kUnusable;
  }
  Arguments arguments;
  problem = parse(words, command->second, arguments);
  return problem ? kUnusable : command->second.run(arguments);
}

} // namespace interlock::tools
