#include "package.h"

#include "blob_folder.h"
#include "execgraph/v1/package.pb.h"
#include "files.h"
#include "interlock/interlock.h"
#include "reporting.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <set>

namespace interlock::tools {

namespace eg = execgraph::v1;

const std::string_view kPackageHelp =
    R"(  package list PATH [--tag TAG]                print what a package holds
  package check PATH [--tag TAG]               read and hash everything; print what is damaged to standard error, one a
                                               line: the code, the place, what is wrong
  package cat PATH DIGEST [-o OUTPUT]          write the document or a blob of a package
  package pack INPUT --blobs FOLDER -o PATH    make a package of a document and the files of a folder, found by digest
  package unpack PATH -o PATH                  copy a package, from a directory to a tar file for one
      --tag TAG    which package is read; the tag of the one that is written
      --force    replace a package that is there already
)";

namespace {

struct Arguments {
  std::vector<std::string> inputs;
  std::optional<std::string> output;
  std::optional<std::string> blobs;
  std::optional<std::string> tag;
  bool replace = false;
};

std::string describe(const eg::BlobReference &blob) { return blob.digest() + "  " + inBytes(blob.size()); }

Result<Package> open(const Arguments &arguments) {
  OpenOptions options;
  options.tag = arguments.tag;
  return Package::open(arguments.inputs[0], options);
}

int list(const Arguments &arguments) {
  const Result<Package> package = open(arguments);
  if (!package)
    return refuse(package.error());
  const eg::Package &message = package->message();
  std::string out = "package   " + message.id() + (package->tag() ? "  tag " + *package->tag() : "") + '\n';
  out += "manifest  " + package->manifestDigest() + '\n';
  out += "document  " + package->document().digest() + "  " + inBytes(package->document().binary().size()) +
         '\n';
  for (const eg::PackagedGraph &graph : message.graphs())
    out += "graph     " + graph.id() + "  " +
           (graph.source().has_reference() ? describe(graph.source().reference())
                                           : "embedded  " + inBytes(graph.source().embedded().size())) +
           '\n';
  for (const eg::PackagedPayload &payload : message.payloads())
    out += "payload   " + payload.graph() + "  " + inWords(payload.format()) + "  " +
           describe(payload.frame()) + '\n';
  for (const eg::Artifact &artifact : message.artifacts())
    for (const eg::Variant &variant : artifact.variants())
      out += "variant   " + artifact.id() + "  " + variant.target() +
             (variant.name().empty() ? "" : " `" + variant.name() + '`') + "  " +
             inWords(variant.content_type()) + "  " + describe(variant.blob()) + '\n';
  return write("-", out);
}

// Prints one damage. \returns the exit code for it.
int report(const Error &error) {
  std::fprintf(stderr, "%s %s %s\n", error.code.c_str(), error.path.empty() ? "-" : error.path.c_str(),
               error.message.c_str());
  const bool unusable = error.code == "container.unreadable" || error.code == "container.unknown-format";
  return unusable ? kUnusable : kDamaged;
}

int check(const Arguments &arguments) {
  const Result<Package> package = open(arguments);
  if (!package)
    return report(package.error());
  const Result<std::vector<PackageBlob>> blobs = packageBlobs(package->message());
  if (!blobs)
    return report(blobs.error());
  int code = kOk;
  std::uint64_t total = 0;
  std::set<std::string> damaged;
  for (const PackageBlob &blob : *blobs) {
    eg::BlobReference reference;
    reference.set_digest(blob.digest);
    reference.set_size(blob.size);
    const auto count = [&total](std::string_view piece) -> std::optional<Error> {
      total += piece.size();
      return std::nullopt;
    };
    if (const std::optional<Error> error = package->readBlob(reference, count)) {
      report(*error);
      damaged.insert(blob.digest);
      code = kDamaged;
    }
  }
  for (const eg::PackagedGraph &graph : package->message().graphs()) {
    if (damaged.contains(graph.source().reference().digest()))
      continue;
    const Result<Document> document = package->graph(graph.id());
    if (!document)
      code = report(document.error());
  }
  if (code != kOk)
    return kDamaged;
  return write("-", package->document().digest() + "  " + std::to_string(blobs->size()) + " blobs, " +
                        inBytes(total) + '\n');
}

int cat(const Arguments &arguments) {
  const Result<Package> package = open(arguments);
  if (!package)
    return refuse(package.error());
  const std::string &wanted = arguments.inputs[1];
  const std::string output = arguments.output.value_or("-");
  if (wanted == package->document().digest())
    return write(output, package->document().binary());
  const Result<std::vector<PackageBlob>> blobs = packageBlobs(package->message());
  if (!blobs)
    return refuse(blobs.error());
  eg::BlobReference reference;
  reference.set_digest(wanted);
  for (const PackageBlob &blob : *blobs)
    if (blob.digest == wanted)
      reference.set_size(blob.size);
  const Result<std::string> bytes = package->blob(reference);
  if (!bytes)
    return refuse(bytes.error());
  return write(output, *bytes);
}

int writeContainer(const Document &document, const BlobSource &blobs, const std::optional<std::string> &tag,
                   const Arguments &arguments) {
  WriteOptions options;
  options.tag = tag;
  options.replace = arguments.replace;
  const Result<std::string> manifest = writePackage(document, blobs, *arguments.output, options);
  return manifest ? write("-", *manifest + '\n') : refuse(manifest.error());
}

int unpack(const Arguments &arguments) {
  const Result<Package> package = open(arguments);
  if (!package)
    return refuse(package.error());
  const auto blobs = [&package](const eg::BlobReference &reference, const BlobSink &sink) {
    return package->readBlob(reference, sink);
  };
  return writeContainer(package->document(), blobs, package->tag(), arguments);
}

int pack(const Arguments &arguments) {
  DecodeOptions options;
  options.expectedKind = "Package";
  const Result<std::string> bytes = readFile(arguments.inputs[0], options.limits.documentBytes);
  if (!bytes)
    return refuse(bytes.error());
  const Result<Document> document = decode(*bytes, options);
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
    if (*found)
      return sink(**found);
    return Error{"container.missing-blob", "", std::nullopt,
                 "no file has the digest `" + reference.digest() + "` and `" +
                     std::to_string(reference.size()) + "` bytes"};
  };
  return writeContainer(*document, blobs, arguments.tag, arguments);
}

struct Command {
  int (*run)(const Arguments &);
  std::size_t inputs;
  std::string_view options;  // Those that may be there.
  std::string_view required; // Those that have to be.
};

const std::map<std::string, Command, std::less<>> kCommands = {
    {"list", {list, 1, " --tag ", ""}},
    {"check", {check, 1, " --tag ", ""}},
    {"cat", {cat, 2, " --tag -o ", ""}},
    {"pack", {pack, 1, " --blobs --tag --force -o ", "-o"}},
    {"unpack", {unpack, 1, " --tag --force -o ", "-o"}},
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
      return "`" + word + "` is not an option of `package " + words[0] + "`";
    if (word == "--force") {
      arguments.replace = true;
      continue;
    }
    if (++i == words.size())
      return "`" + word + "` needs a value";
    (word == "-o" ? arguments.output : word == "--tag" ? arguments.tag : arguments.blobs) = words[i];
  }
  if (arguments.inputs.size() != command.inputs)
    return "`package " + words[0] + "` takes " + std::to_string(command.inputs) +
           (command.inputs == 1 ? " input" : " inputs");
  if (!command.required.empty() && !arguments.output)
    return "`-o` is missing";
  return std::nullopt;
}

} // namespace

int runPackage(const std::vector<std::string> &words, std::optional<std::string> &problem) {
  const auto command = words.empty() ? kCommands.end() : kCommands.find(words[0]);
  if (command == kCommands.end()) {
    problem = words.empty() ? "a command of `package` is missing"
                            : "`" + words[0] + "` is not a command of `package`";
    return kUnusable;
  }
  Arguments arguments;
  problem = parse(words, command->second, arguments);
  return problem ? kUnusable : command->second.run(arguments);
}

} // namespace interlock::tools
