"""Composes binary documents, right and wrong ones, and tracks the place an error points at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from execgraph.options.v1 import options_pb2
from execgraph.v1 import envelope_pb2, graph_pb2, module_pb2, package_pb2, payload_pb2

if TYPE_CHECKING:
    from google.protobuf.message import Message

VARINT, I64, LEN, START_GROUP, END_GROUP, I32 = range(6)

_ROOTS: tuple[type[Message], ...] = (
    graph_pb2.ExecutionGraph,
    package_pb2.Package,
    module_pb2.TargetModuleBundle,
    payload_pb2.TargetPayload,
    envelope_pb2.Envelope,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes, and the offset in them that is marked."""

    data: bytes
    mark: int | None = None


HERE = Piece(b"", 0)
"""Marks the byte that follows: the place an error points at."""

Part = Piece | bytes


def join(*parts: Part) -> Piece:
    """Put parts after each other.

    Raises:
        ValueError: Two of them are marked.
    """
    data, mark = b"", None
    for part in parts:
        piece = part if isinstance(part, Piece) else Piece(part)
        if piece.mark is not None:
            if mark is not None:
                raise ValueError("two marks")
            mark = len(data) + piece.mark
        data += piece.data
    return Piece(data, mark)


def varint(value: int, width: int = 0) -> bytes:
    """Encode an unsigned integer, at least `width` bytes long: longer than minimal is overlong."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < width:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    """Map a signed integer of at most 64 bits to an unsigned one, small for small magnitudes."""
    return value << 1 if value >= 0 else ~(value << 1)


def tag(number: int, wire_type: int, width: int = 0) -> bytes:
    """Encode a tag."""
    return varint(number << 3 | wire_type, width)


def delimited(number: int, *parts: Part, claim: int | None = None) -> Piece:
    """Encode a length-delimited field; `claim` is the length to state instead of the true one."""
    body = join(*parts)
    length = len(body.data) if claim is None else claim
    return join(tag(number, LEN), varint(length), body)


def _message(name: str) -> Descriptor:
    return descriptor_pool.Default().FindMessageTypeByName(f"execgraph.v1.{name}")


def _find(name: str) -> FieldDescriptor:
    message, field = name.split(".")
    return _message(message).fields_by_name[field]


def number_of(name: str) -> int:
    """Return the number of a field such as `Node.id`."""
    return _find(name).number


def field(name: str, *values: Part | str | int, claim: int | None = None) -> Piece:
    """Encode a field such as `Node.id`: a string, parts of a message, a number, or a packed list."""
    descriptor = _find(name)
    number = descriptor.number
    signed = descriptor.type in (FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64)
    numbers = [zigzag(value) if signed else value for value in values if isinstance(value, int)]
    if descriptor.message_type is None and numbers:
        scalars = b"".join(map(varint, numbers))
        packed = _is_list(descriptor)
        return delimited(number, scalars, claim=claim) if packed else join(tag(number, VARINT), scalars)
    parts = [
        value.encode() if isinstance(value, str) else value for value in values if not isinstance(value, int)
    ]
    return delimited(number, *parts, claim=claim)


def _is_list(descriptor: FieldDescriptor) -> bool:
    """Tell whether a field is repeated, by the law that exactly these are classified as collections."""
    options: Any = descriptor.GetOptions()
    return bool(options.Extensions[options_pb2.field].collection)


def nest(path: str, *parts: Part, root: str = "ExecutionGraph") -> Piece:
    """Encode parts within the messages of a path such as `body.nodes.operation`, which hold nothing else."""
    descriptor = _message(root)
    numbers = []
    for name in path.split(".") if path else []:
        step = descriptor.fields_by_name[name]
        numbers.append(step.number)
        descriptor = cast("Descriptor", step.message_type)
    piece = join(*parts)
    for number in reversed(numbers):
        piece = delimited(number, piece)
    return piece


KINDS = {root.DESCRIPTOR.name: kind for kind, root in enumerate(_ROOTS, start=1)}


def header(*parts: Part, kind: str = "ExecutionGraph", features: tuple[str, ...] = ("draft-1",)) -> Piece:
    """Encode a header: kind, major version and features; `parts` stand between major and features."""
    return delimited(
        1,
        field("Header.kind", KINDS[kind]),
        field("Header.schema_major", 1),
        *parts,
        *(field("Header.required_features", feature) for feature in features),
    )


def graph(*parts: Part) -> Piece:
    """Encode an execution graph: its header, then the parts."""
    return join(header(), *parts)


def graph_id(name: str = "g") -> Piece:
    """Encode the id of a graph."""
    return field("ExecutionGraph.id", name)


def node(*parts: Part) -> Piece:
    """Encode an element of a region's nodes."""
    return field("Region.nodes", *parts)


def body(*parts: Part) -> Piece:
    """Encode the body of a graph."""
    return field("ExecutionGraph.body", *parts)


def parameter(name: str, *parts: Part) -> Piece:
    """Encode a parameter of a graph."""
    return field("ExecutionGraph.parameters", field("Parameter.id", name), *parts)


def dispatch(*parts: Part) -> Piece:
    """Encode a graph whose only node is a dispatch with these fields."""
    return graph(nest("body.nodes.operation.dispatch", *parts))


def geometry(*parts: Part) -> Piece:
    """Encode a graph whose only node is a dispatch with this geometry."""
    return dispatch(field("Dispatch.geometry", *parts))
