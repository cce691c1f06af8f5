"""Bundles: all modules of one payload, sealed together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import header_pb2, module_pb2
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.target.sealed import BUNDLE, decode_sealed, make_sealed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlock.target.blobs import BlobStore, Bytes
    from interlock.target.sealed import SealedDocument

Producer = tuple[str, str]
"""The name and the version of a tool."""


def header_of(producer: Producer | None) -> header_pb2.Header | None:
    """Return a header that states a producer; the rest is computed. None where there is nothing to state."""
    if producer is None:
        return None
    return header_pb2.Header(producer=header_pb2.Producer(name=producer[0], version=producer[1]))


def make_bundle(
    modules: Iterable[module_pb2.TargetModule],
    blobs: BlobStore | Iterable[Bytes] = (),
    *,
    producer: Producer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> SealedDocument:
    """Make a bundle. Modules are put in the order of stage and group; the same ones make the same bytes.

    Args:
        modules: The modules; the messages are copied.
        blobs: The bytes that they refer to; others are left out.
        producer: The tool that made it, by name and version.
        limits: Bounds on what may be judged.

    Raises:
        CodecError: A module holds what no document may hold, or two have one stage and one group.
        BundleError: A rule does not hold.
        FrameError: Bytes are missing.
    """
    message = module_pb2.TargetModuleBundle(header=header_of(producer), modules=modules)
    return make_sealed(message, blobs, limits)


def decode_bundle(data: Bytes, *, limits: Limits = DEFAULT_LIMITS) -> SealedDocument:
    """Read a sealed bundle. See `decode_sealed`."""
    return decode_sealed(data, kind=BUNDLE, limits=limits)
