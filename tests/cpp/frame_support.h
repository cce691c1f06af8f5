// What the tests of sealed frames share.

#ifndef INTERLOCK_TESTS_FRAME_SUPPORT_H
#define INTERLOCK_TESTS_FRAME_SUPPORT_H

#include "interlock/interlock.h"

#include "execgraph/v1/envelope.pb.h"
#include "execgraph/v1/graph.pb.h"
#include "execgraph/v1/module.pb.h"
#include "execgraph/v1/payload.pb.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace interlock::tests {

/// Bytes by their digests.
using Blobs = std::map<std::string, std::string>;

Blobs blobsOf(std::initializer_list<std::string> contents);

/// Gives blobs from memory, in two pieces; nothing for those that are not there.
BlobSource sourceOf(const Blobs &blobs);

/// A digest as the 32 bytes that it spells.
std::string rawDigest(const std::string &digest);

/// A frame around a body, written byte by byte. \param behind what follows the body.
std::string sealed(char letter, const std::string &body, const std::string &behind = "");

/// The bytes of blobs in ascending order of digest.
std::string joined(const Blobs &blobs);

/// The canonical binary of a message.
std::string canonical(const google::protobuf::Message &message);

/// A module of one member named like its group.
execgraph::v1::TargetModule &addModule(execgraph::v1::TargetModuleBundle &bundle, const std::string &group,
                                       std::uint32_t stage, const std::string &code);

/// Two modules: `b` of stage 0, `a` of stage 1 with all three blobs.
execgraph::v1::TargetModuleBundle exampleBundle();
Blobs exampleBlobs();

/// Bytes as a document within another one, with the right digest.
execgraph::v1::NestedDocument nested(const std::string &body);

/// A payload around a bundle, with entries for `a` and `b`.
execgraph::v1::TargetPayload examplePayload(const std::string &bundle, std::uint32_t version = 1);

/// An envelope around a graph and payloads of the format `example`, with the versions that they state.
execgraph::v1::Envelope exampleEnvelope(const std::vector<execgraph::v1::TargetPayload> &payloads);

/// What became of reading a frame.
std::string verdict(const Result<Frame> &frame);
std::string readVerdict(const std::string &bytes, const FrameOptions &options = {});

} // namespace interlock::tests

#endif // INTERLOCK_TESTS_FRAME_SUPPORT_H
