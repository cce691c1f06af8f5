#include "interlock/document.h"

#include "document_builder.h"
#include "header.h"
#include "interlock/digest.h"
#include "json_writer.h"
#include "message_judge.h"

#include <google/protobuf/text_format.h>

#include <limits>
#include <utility>

namespace interlock {

namespace pb = google::protobuf;

namespace {

// Large first blocks, since a document is either tiny or has many messages.
std::unique_ptr<pb::Arena> makeArena() {
  pb::ArenaOptions options;
  options.start_block_size = 4096;
  options.max_block_size = std::size_t{1} << 20;
  return std::make_unique<pb::Arena>(options);
}

} // namespace

DocumentBuilder::DocumentBuilder(const detail::RootPlan &root) : root_(root), arena_(makeArena()) {
  const pb::Message *prototype = pb::MessageFactory::generated_factory()->GetPrototype(root.plan->descriptor);
  message_ = prototype->New(arena_.get());
}

bool DocumentBuilder::serialize(std::string &binary) const {
  return message_->ByteSizeLong() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
         message_->SerializeToString(&binary);
}

Document DocumentBuilder::finish(std::string binary) && {
  return {root_.kind, std::move(arena_), *message_, std::move(binary)};
}

std::string Document::json() const {
  const detail::RootPlan *root =
      detail::Schema::get().findRoot(std::string(message_->GetDescriptor()->full_name()));
  return detail::writeJson(binary_, *root->plan);
}

std::string Document::text() const {
  pb::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  std::string body;
  static_cast<void>(printer.PrintToString(*message_, &body)); // It fails only where a stream does.
  return "# proto-message: " + std::string(message_->GetDescriptor()->full_name()) + '\n' + body;
}

std::string Document::digest() const { return interlock::digest(binary_); }

std::string Document::semanticDigest() const {
  const detail::RootPlan *root =
      detail::Schema::get().findRoot(std::string(message_->GetDescriptor()->full_name()));
  DocumentBuilder cleared(*root);
  cleared.message().CopyFrom(*message_);
  detail::clearProvenance(cleared.message(), *root->plan);
  detail::completeHeader(cleared.message(), *root, detail::usageOf(cleared.message(), *root->plan));
  std::string binary;
  static_cast<void>(cleared.serialize(binary)); // It is smaller than the document's own binary.
  return interlock::digest(binary);
}

} // namespace interlock
