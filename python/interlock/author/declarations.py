"""The messages of what a graph declares, from what a builder's methods take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from execgraph.v1 import blob_pb2, header_pb2, provenance_pb2, resource_pb2, type_pb2
from interlock.author.listing import extents_of, id_of, ids_of, numbers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.author.affine import AffineLike
    from interlock.author.handles import Named
    from interlock.author.listing import Nodes, Numbers, Shape
    from interlock.author.resolver import Resolver
    from interlock.diagnostic import Path


class ResourceOptions(TypedDict, total=False):
    """What a resource may state beside its type and shape.

    ``allocation`` and ``offset`` place it, in bytes; ``byte_strides`` has one stride an axis; ``size`` is in
    bytes and follows from type and shape where they are packed; ``begins`` and ``ends`` are the first span of
    its lifetime.
    """

    allocation: Named | str
    offset: AffineLike
    byte_strides: Numbers
    layout: resource_pb2.PhysicalLayout
    size: AffineLike
    alignment: int
    consumed: bool
    begins: Nodes
    ends: Nodes
    content: blob_pb2.BlobReference


def resource(
    resolver: Resolver,
    path: Path,
    element: type_pb2.ElementType,
    shape: Shape,
    options: ResourceOptions,
) -> resource_pb2.Resource:
    """Return the message of a resource, without id and role."""
    shape = extents_of(shape)
    message = resource_pb2.Resource(
        type=type_pb2.ValueType(element=element),
        shape=_shape(resolver, shape, path),
        consumed=options.get("consumed", False),
        alignment=resolver.unsigned(options.get("alignment", 0), 64, path.field("alignment")),
        content=options.get("content"),
        layout=_layout(resolver, path.field("layout"), options),
    )
    size = options.get("size")
    if size is None:
        size = _derived_size(resolver, path.field("size"), element, shape, message)
    extent = None if size is None else resolver.extent(size, path.field("size"))
    if extent is not None:
        message.size.CopyFrom(extent)
    if "allocation" in options:
        message.placement.allocation = id_of(options["allocation"])
        offset = resolver.extent(options.get("offset", 0), path.field("placement").field("offset"))
        if offset is not None:
            message.placement.offset.CopyFrom(offset)
    elif "offset" in options:
        resolver.report(
            "offset-without-allocation", path.field("placement"), "an `offset` needs an `allocation`"
        )
    begins, ends = ids_of(options.get("begins", ())), ids_of(options.get("ends", ()))
    if begins or ends:
        message.lifetime.spans.add(begins=begins, ends=ends)
    return message


def _derived_size(
    resolver: Resolver,
    path: Path,
    element: type_pb2.ElementType,
    shape: Shape,
    message: resource_pb2.Resource,
) -> AffineLike | None:
    if message.HasField("layout") and message.layout.WhichOneof("layout") != "packed":
        resolver.report(
            "missing-size",
            path,
            "only packed elements have a size that follows from their shape; give `size`",
        )
        return None
    return resolver.packed_size(element, extents_of(shape), path)


def _layout(resolver: Resolver, path: Path, options: ResourceOptions) -> resource_pb2.PhysicalLayout | None:
    if "byte_strides" not in options:
        return options.get("layout")
    if "layout" in options:
        resolver.report("conflicting-layout", path, "`layout` and `byte_strides` exclude each other")
    given = _strides(resolver, options["byte_strides"], path.field("strided"))
    strides = resource_pb2.StridedLayout(byte_strides=given)
    return resource_pb2.PhysicalLayout(strided=strides)


def _strides(resolver: Resolver, strides: Numbers, path: Path) -> list[int]:
    numbers = numbers_of(strides)
    return [resolver.signed(stride, path.element("byte_strides", i)) for i, stride in enumerate(numbers)]


def _shape(resolver: Resolver, shape: Shape, path: Path) -> list[type_pb2.Extent]:
    extents = extents_of(shape)
    return [resolver.element_extent(extent, path.element("shape", i)) for i, extent in enumerate(extents)]


def view(
    resolver: Resolver,
    path: Path,
    element: type_pb2.ElementType | None,
    shape: Shape,
    offset: AffineLike,
    byte_strides: Numbers,
) -> resource_pb2.View:
    """Return the message of a view, without id and resource."""
    return resource_pb2.View(
        offset=resolver.extent(offset, path.field("offset")),
        type=None if element is None else type_pb2.ValueType(element=element),
        shape=_shape(resolver, shape, path),
        byte_strides=_strides(resolver, byte_strides, path),
    )


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A file.

    As a URI or relative path, with its digest, its revision and an inclusive span of lines, counted from 1.
    """

    uri: str
    digest: str = ""
    revision: str = ""
    lines: tuple[int, int] | None = None


def provenance(
    tool: tuple[str, str] | None, source: SourceLocation | str | None, attributes: Mapping[str, str]
) -> provenance_pb2.Provenance:
    """Return a provenance. ``tool`` is a name and a version; a string is the URI of a source."""
    message = provenance_pb2.Provenance(
        attributes=[provenance_pb2.Attribute(key=key, value=value) for key, value in attributes.items()]
    )
    if tool is not None:
        message.tool.CopyFrom(header_pb2.Producer(name=tool[0], version=tool[1]))
    if source is not None:
        place = SourceLocation(source) if isinstance(source, str) else source
        message.source.uri, message.source.digest, message.source.revision = (
            place.uri,
            place.digest,
            place.revision,
        )
        if place.lines is not None:
            message.source.lines.first, message.source.lines.last = place.lines
    return message
