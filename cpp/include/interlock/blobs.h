// How bytes beside a document are given and taken.

#ifndef INTERLOCK_BLOBS_H
#define INTERLOCK_BLOBS_H

#include "interlock/error.h"

#include <functional>
#include <optional>
#include <string_view>

namespace execgraph::v1 {
class BlobReference;
} // namespace execgraph::v1

namespace interlock {

/// Takes the bytes of a blob in pieces. \returns an error to stop with.
using BlobSink = std::function<std::optional<Error>(std::string_view)>;

/// Gives the bytes of a blob to a sink, in pieces of any size. \returns its own error, or that of the sink.
using BlobSource =
    std::function<std::optional<Error>(const execgraph::v1::BlobReference &, const BlobSink &)>;

} // namespace interlock

#endif // INTERLOCK_BLOBS_H
