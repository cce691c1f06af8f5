"""What the descriptors and the options of ``execgraph.options.v1`` say, as plain data.

Everything the codec does is derived from here; no code lists the fields of a message. A message type is
looked up when it is first met, never before: reading a small document must not pay for the whole schema.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from execgraph.options.v1 import options_pb2
from execgraph.v1 import envelope_pb2, graph_pb2, header_pb2, module_pb2, package_pb2, payload_pb2
from interlock.codec.kinds import KINDS, Collection, Dynamic, Kind, StringKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.descriptor import Descriptor, EnumDescriptor, EnumValueDescriptor
    from google.protobuf.message import Message

__all__ = [
    "DRAFT_FEATURE",
    "SCHEMA_MAJOR",
    "SCHEMA_MINOR",
    "Collection",
    "DocumentKindInfo",
    "EnumInfo",
    "EnumValueInfo",
    "FieldInfo",
    "Kind",
    "MessageInfo",
    "Schema",
    "StringKind",
    "schema",
]

Derived = TypeVar("Derived")

SCHEMA_MAJOR: Final = 1
SCHEMA_MINOR: Final = 0
DRAFT_FEATURE: Final = "draft-1"
"""The feature that every document requires until the schema is frozen."""


@dataclass(frozen=True, slots=True, eq=False)
class EnumValueInfo:
    """One value of an enum. ``capability`` and ``feature`` are None where the value needs none."""

    name: str
    number: int
    since_minor: int
    feature: str | None
    capability: str | None
    root_message: str | None
    storage_bits: int


@dataclass(frozen=True, eq=False)
class EnumInfo:
    """One enum."""

    name: str
    values: tuple[EnumValueInfo, ...]

    @cached_property
    def by_number(self) -> dict[int, EnumValueInfo]:
        """The values by number; of aliases the first."""
        return {value.number: value for value in reversed(self.values)}

    @cached_property
    def by_name(self) -> dict[str, EnumValueInfo]:
        """The values by name."""
        return {value.name: value for value in self.values}


@dataclass(frozen=True, eq=False)
class FieldInfo:
    """One field, with its classification.

    ``explicit`` tells that presence is tracked: of a singular message, an ``optional`` scalar and an arm of a
    oneof. ``oneof`` is the name of a real oneof. ``keys`` of a set are empty if its key is the whole element.
    """

    name: str
    json_name: str
    number: int
    kind: Kind
    repeated: bool
    explicit: bool
    oneof: str | None
    collection: Collection | None
    keys: tuple[str, ...]
    string_kind: StringKind | None
    id_space: str | None
    since_minor: int
    feature: str | None
    unit: str | None
    required: bool
    provenance: bool
    capability: str | None
    descriptor: FieldDescriptor = field(repr=False)
    schema: Schema = field(repr=False)

    @cached_property
    def message(self) -> MessageInfo:
        """The type of a message field."""
        return self.schema.message(cast("Descriptor", self.descriptor.message_type))

    @cached_property
    def enum(self) -> EnumInfo:
        """The type of an enum field."""
        return self.schema.enum(cast("EnumDescriptor", self.descriptor.enum_type))

    @property
    def owner(self) -> str:
        """The full name of the message type that has the field."""
        return self.descriptor.full_name.rpartition(".")[0]

    @property
    def is_set(self) -> bool:
        """Whether the field is a set."""
        return self.collection is Collection.SET

    @property
    def may_be_empty(self) -> bool:
        """Whether an empty message here says something: as an arm of a oneof, or in an ordered list."""
        return self.oneof is not None or self.collection is Collection.ORDERED

    @property
    def string_key(self) -> str | None:
        """The field that names the elements of this set, if its key is one string."""
        if not self.is_set or self.kind is not Kind.MESSAGE or len(self.keys) != 1:
            return None
        return self.keys[0] if self.message.by_name[self.keys[0]].kind is Kind.STRING else None


@dataclass(frozen=True, eq=False)
class MessageInfo:
    """One message type; ``fields`` ascend by number."""

    full_name: str
    fields: tuple[FieldInfo, ...]
    descriptor: Descriptor = field(repr=False)
    schema: Schema = field(repr=False)

    @property
    def name(self) -> str:
        """The name without its package."""
        return self.descriptor.name

    @cached_property
    def by_number(self) -> dict[int, FieldInfo]:
        """The fields by number."""
        return {info.number: info for info in self.fields}

    @cached_property
    def by_name(self) -> dict[str, FieldInfo]:
        """The fields by proto name."""
        return {info.name: info for info in self.fields}

    @cached_property
    def by_json_name(self) -> dict[str, FieldInfo]:
        """The fields by JSON name."""
        return {info.json_name: info for info in self.fields}

    @cached_property
    def in_json_order(self) -> tuple[FieldInfo, ...]:
        """The fields in the order of their members in canonical JSON: by the UTF-16 units of their names."""
        return tuple(sorted(self.fields, key=lambda item: item.json_name.encode("utf-16-be")))

    @cached_property
    def reachable(self) -> tuple[MessageInfo, ...]:
        """This type and every type of message that can lie below it, each once."""
        found: dict[str, MessageInfo] = {}
        pending = [self]
        while pending:
            info = pending.pop()
            if info.full_name not in found:
                found[info.full_name] = info
                pending.extend(item.message for item in info.fields if item.kind is Kind.MESSAGE)
        return tuple(found.values())

    @cached_property
    def message_class(self) -> type[Message]:
        """The class of the messages of this type."""
        return GetMessageClass(self.descriptor)


@dataclass(frozen=True, slots=True)
class DocumentKindInfo:
    """One kind of document. ``name`` is the short name of the root message, such as ``ExecutionGraph``."""

    number: int
    value_name: str
    name: str
    root_message: str


class Schema:
    """A set of message types and the version they make up.

    Args:
        roots: The root messages of documents, header first.
        header: The message type of the header, whose field ``kind`` lists the kinds of documents.
        major: The major version.
        minor: The newest minor version that these types define.
        base_features: Features that every document uses.
    """

    def __init__(
        self,
        roots: tuple[Descriptor, ...],
        header: Descriptor,
        major: int,
        minor: int,
        base_features: frozenset[str],
    ) -> None:
        self.major = major
        self.minor = minor
        self.base_features = base_features
        self._roots = {root.full_name: root for root in roots}
        self._header = header
        self._messages: dict[str, MessageInfo] = {}
        self._enums: dict[str, EnumInfo] = {}
        self._derived: dict[Dynamic, Dynamic] = {}

    def derived(self, make: Callable[[Schema], Derived]) -> Derived:
        """Return what ``make`` makes of this schema, made once."""
        made: Derived | None = self._derived.get(make)
        if made is None:
            made = self._derived[make] = make(self)
        return made

    def message_of(self, message: Message) -> MessageInfo:
        """Return what is known about the type of a message."""
        return self.message(cast("Descriptor", message.DESCRIPTOR))

    def message(self, descriptor: Descriptor) -> MessageInfo:
        """Return what is known about a message type."""
        info = self._messages.get(descriptor.full_name)
        if info is None:
            fields = sorted(descriptor.fields, key=lambda item: item.number)
            info = MessageInfo(descriptor.full_name, tuple(map(self._field, fields)), descriptor, self)
            self._messages[descriptor.full_name] = info
        return info

    def enum(self, descriptor: EnumDescriptor) -> EnumInfo:
        """Return what is known about an enum."""
        info = self._enums.get(descriptor.full_name)
        if info is None:
            info = EnumInfo(descriptor.full_name, tuple(_enum_value(value) for value in descriptor.values))
            self._enums[descriptor.full_name] = info
        return info

    @property
    def header(self) -> MessageInfo:
        """The header."""
        return self.message(self._header)

    @cached_property
    def kinds(self) -> tuple[DocumentKindInfo, ...]:
        """The kinds of documents, by number."""
        return tuple(
            DocumentKindInfo(
                value.number, value.name, value.root_message.rpartition(".")[2], value.root_message
            )
            for value in self.header.by_name["kind"].enum.values
            if value.root_message is not None and value.root_message in self._roots
        )

    def kind_named(self, root_message: str) -> DocumentKindInfo | None:
        """Return the kind whose root message has this full name."""
        return next((kind for kind in self.kinds if kind.root_message == root_message), None)

    def kind_of(self, info: MessageInfo) -> DocumentKindInfo:
        """Return the kind of a root message."""
        return next(kind for kind in self.kinds if kind.root_message == info.full_name)

    def root(self, kind: DocumentKindInfo) -> MessageInfo:
        """Return the root message of a kind."""
        return self.message(self._roots[kind.root_message])

    def is_document(self, info: MessageInfo) -> bool:
        """Tell whether messages of this type are documents, which have a header."""
        return info.full_name in self._roots

    def messages(self) -> Iterator[MessageInfo]:
        """Yield every message type that a document can hold, each once."""
        roots = map(self.message, self._roots.values())
        yield from {info.full_name: info for root in roots for info in root.reachable}.values()

    @cached_property
    def features(self) -> frozenset[str]:
        """Every feature that this schema defines."""
        features = set(self.base_features)
        for info in self.messages():
            for item in info.fields:
                if item.feature is not None:
                    features.add(item.feature)
                if item.kind is Kind.ENUM:
                    features.update(value.feature for value in item.enum.values if value.feature is not None)
        return frozenset(features)

    def knows_feature(self, feature: str) -> bool:
        """Tell whether this schema defines a feature; common ones are known without a look at all of it."""
        return feature in self.base_features or feature in self.features

    def _field(self, descriptor: FieldDescriptor) -> FieldInfo:
        kind = KINDS.get(descriptor.type)
        if kind is None:
            raise TypeError(f"`{descriptor.full_name}` has a type that the schema may not use")
        rules: Dynamic = descriptor.GetOptions().Extensions[options_pb2.field]  # type: ignore[index]
        oneof = descriptor.containing_oneof
        return FieldInfo(
            name=descriptor.name,
            json_name=descriptor.json_name,
            number=descriptor.number,
            kind=kind,
            repeated=is_repeated(descriptor),
            explicit=descriptor.has_presence,
            oneof=oneof.name if oneof is not None and not oneof.name.startswith("_") else None,
            collection=Collection(rules.collection) if rules.collection else None,
            keys=tuple(rules.keys),
            string_kind=StringKind(rules.string_kind) if rules.string_kind else None,
            id_space=rules.id_space or None,
            since_minor=rules.since_minor,
            feature=rules.feature or None,
            unit=rules.unit or None,
            required=rules.required,
            provenance=rules.provenance,
            capability=rules.capability or None,
            descriptor=descriptor,
            schema=self,
        )


def is_repeated(descriptor: FieldDescriptor) -> bool:
    """Tell whether a field is repeated: ``label`` goes out of use, ``is_repeated`` is younger than 5.29."""
    anything: Dynamic = descriptor
    if hasattr(descriptor, "is_repeated"):
        return bool(anything.is_repeated)
    return bool(anything.label == FieldDescriptor.LABEL_REPEATED)


def _enum_value(value: EnumValueDescriptor) -> EnumValueInfo:
    rules: Dynamic = value.GetOptions().Extensions[options_pb2.value]  # type: ignore[index]
    return EnumValueInfo(
        name=value.name,
        number=value.number,
        since_minor=rules.since_minor,
        feature=rules.feature or None,
        capability=rules.capability or None,
        root_message=rules.root_message or None,
        storage_bits=rules.storage_bits,
    )


_SCHEMA: Final = Schema(
    roots=tuple(
        cast("Descriptor", root.DESCRIPTOR)
        for root in (
            graph_pb2.ExecutionGraph,
            package_pb2.Package,
            module_pb2.TargetModuleBundle,
            payload_pb2.TargetPayload,
            envelope_pb2.Envelope,
        )
    ),
    header=cast("Descriptor", header_pb2.Header.DESCRIPTOR),
    major=SCHEMA_MAJOR,
    minor=SCHEMA_MINOR,
    base_features=frozenset({DRAFT_FEATURE}),
)


def schema() -> Schema:
    """Return the schema of ``execgraph.v1``."""
    return _SCHEMA
