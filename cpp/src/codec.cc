#include "interlock/codec.h"

#include "binary_reader.h"
#include "document_builder.h"
#include "header.h"
#include "interlock/digest.h"
#include "json_reader.h"
#include "json_syntax.h"
#include "json_writer.h"
#include "message_judge.h"
#include "text_reader.h"
#include "wire.h"

#include <algorithm>
#include <utility>

namespace interlock {

namespace pb = google::protobuf;
using namespace detail;

namespace {

bool checkSize(std::string_view bytes, const Limits &limits, ErrorSlot &errors) {
  return bytes.size() <= limits.documentBytes ||
         errors.fail("limit.document-bytes", "", std::nullopt,
                     quoted(std::to_string(bytes.size())) + " bytes exceed the limit of `" +
                         std::to_string(limits.documentBytes) + "`");
}

bool serialize(const DocumentBuilder &builder, std::string &binary, ErrorSlot &errors) {
  return builder.serialize(binary) || errors.fail("limit.document-bytes", "", std::nullopt,
                                                  "the document is larger than protobuf can write");
}

// Makes the document of a message that was judged and sorted, with a header that says what it has to.
Result<Document> finish(DocumentBuilder builder, const RootPlan &root, const Usage &usage,
                        ErrorSlot &errors) {
  completeHeader(builder.message(), root, usage);
  std::string binary;
  if (!serialize(builder, binary, errors))
    return errors.take();
  return std::move(builder).finish(std::move(binary));
}

// Judges a message that was not read from bytes, and makes its document.
Result<Document> judgeAndFinish(DocumentBuilder builder, const RootPlan &root, std::uint32_t deepest,
                                ErrorSlot &errors) {
  // The header is never judged empty, since it is completed in any case.
  completeHeader(builder.message(), root, Usage());
  if (!judgeMessage(builder.message(), *root.plan, deepest, errors))
    return errors.take();
  const Usage usage = usageOf(builder.message(), *root.plan);
  return finish(std::move(builder), root, usage, errors);
}

} // namespace

std::string Error::toString() const {
  std::string text = path.empty() ? "document" : path;
  if (offset)
    text += " (byte " + std::to_string(*offset) + ')';
  return text + ": error[" + code + "] " + message;
}

Encoding detectEncoding(std::string_view bytes) {
  if (!bytes.empty() && bytes[0] == 0x0A) {
    const char *at = bytes.data() + 1;
    const char *end = bytes.data() + bytes.size();
    std::uint64_t length = 0;
    const VarintStatus status = readVarint(at, end, length);
    if ((status == VarintStatus::Minimal || status == VarintStatus::Overlong) && at < end && *at == 0x08)
      return Encoding::Binary;
  }
  if (bytes.starts_with("\xEF\xBB\xBF"))
    bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos)
    return Encoding::Binary;
  const char c = bytes[first];
  if (c == '{')
    return Encoding::Json;
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return c == '#' || letter ? Encoding::Text : Encoding::Binary;
}

Result<Document> decode(std::string_view bytes, const DecodeOptions &options) {
  ErrorSlot errors;
  if (!checkSize(bytes, options.limits, errors))
    return errors.take();
  switch (options.encoding.value_or(detectEncoding(bytes))) {
  case Encoding::Json:
    return decodeJson(bytes, options);
  case Encoding::Text:
    return decodeText(bytes, options);
  case Encoding::Binary:
    break;
  }
  return decodeBinary(bytes, options);
}

Result<Document> decodeBinary(std::string_view bytes, const DecodeOptions &options) {
  ErrorSlot errors;
  StatedHeader header;
  if (!checkSize(bytes, options.limits, errors) || !readBinaryHeader(bytes, header, errors))
    return errors.take();
  const RootPlan *root = judgeHeader(header, options.expectedKind, errors);
  if (root == nullptr)
    return errors.take();
  DocumentBuilder builder(*root);
  BinaryReader reader(bytes, options.limits, options.canonicalize, errors);
  if (!reader.read(*root->plan, builder.message()))
    return errors.take();
  if (options.canonicalize)
    return finish(std::move(builder), *root, reader.usage(), errors);
  std::string binary;
  if (!checkHeader(builder.message(), reader.usage(), 0, errors) || !serialize(builder, binary, errors))
    return errors.take();
  if (binary != bytes) {
    errors.fail("canonical.not-reproduced", "", std::nullopt, "writing what was read gives other bytes");
    return errors.take();
  }
  return std::move(builder).finish(std::move(binary));
}

Result<Document> decodeJson(std::string_view bytes, const DecodeOptions &options) {
  ErrorSlot errors;
  JsonShape shape;
  if (!checkSize(bytes, options.limits, errors) || !checkJsonSyntax(bytes, options.limits, shape, errors))
    return errors.take();
  StatedHeader header;
  JsonReader reader(bytes, shape, options.limits, errors);
  if (!reader.readHeader(header))
    return errors.take();
  const RootPlan *root = judgeHeader(header, options.expectedKind, errors);
  if (root == nullptr)
    return errors.take();
  DocumentBuilder builder(*root);
  if (!reader.read(*root->plan, builder.message()) ||
      !checkHeader(builder.message(), reader.usage(), reader.headerOffset(), errors))
    return errors.take();
  return finish(std::move(builder), *root, reader.usage(), errors);
}

Result<Document> decodeText(std::string_view bytes, const DecodeOptions &options) {
  ErrorSlot errors;
  if (!checkSize(bytes, options.limits, errors))
    return errors.take();
  const RootPlan *root = textRoot(bytes, options.rootMessage, errors);
  if (root == nullptr)
    return errors.take();
  if (options.expectedKind && *options.expectedKind != root->kind)
    return Error{"header.kind-mismatch", "header.kind", std::nullopt,
                 "the document is of kind " + quoted(root->kind) + " and " + quoted(*options.expectedKind) +
                     " is expected"};
  const std::uint32_t deepest = std::min(options.limits.messageDepth, kDeepestMessage);
  DocumentBuilder builder(*root);
  if (!parseText(bytes, deepest, builder.message(), errors))
    return errors.take();
  if (!holdsOnlyUtf8(builder.message(), *root->plan))
    return Error{"text.malformed", "", std::nullopt, "a string is not well-formed UTF-8"};
  return judgeAndFinish(std::move(builder), *root, deepest, errors);
}

Result<Document> makeDocument(const pb::Message &message) {
  const std::string name(message.GetDescriptor()->full_name());
  const RootPlan *root = Schema::get().findRoot(name);
  if (root == nullptr)
    return Error{"header.unknown-kind", "header.kind", std::nullopt,
                 quoted(name) + " is not the root message of a document kind"};
  ErrorSlot errors;
  DocumentBuilder builder(*root);
  if (message.GetDescriptor() == root->plan->descriptor) {
    builder.message().CopyFrom(message);
  } else {
    // A message of a descriptor pool other than that of the generated code.
    std::string bytes;
    if (!message.SerializePartialToString(&bytes) || !builder.message().ParsePartialFromString(bytes))
      return Error{"canonical.not-reproduced", "", std::nullopt,
                   "the message does not survive being written"};
  }
  Result<Document> document = judgeAndFinish(std::move(builder), *root, Limits().messageDepth, errors);
  if (!document)
    return document;
  // The proof: what was written reads back, strictly, as itself.
  Result<Document> proof = decodeBinary(document->binary());
  return proof ? std::move(document) : std::move(proof);
}

Result<std::string> encode(const pb::Message &message) {
  Result<Document> document = makeDocument(message);
  if (!document)
    return std::move(document).error();
  return document->binary();
}

Result<std::string> encodeJson(const pb::Message &message) {
  Result<Document> document = makeDocument(message);
  if (!document)
    return std::move(document).error();
  return document->json();
}

Result<std::string> semanticDigest(const pb::Message &message) {
  Result<Document> document = makeDocument(message);
  if (!document)
    return std::move(document).error();
  return document->semanticDigest();
}

} // namespace interlock
