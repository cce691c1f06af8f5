"""The laws of the schema, each a function from a set of file descriptors to sentences about what breaks it.

The laws hold for every package but `execgraph.options.v1`, which declares the options themselves. They read
descriptor protos, so that a test can hand them a file no compiler would write for us.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from google.protobuf import descriptor_pb2

from execgraph.options.v1 import options_pb2

Field = descriptor_pb2.FieldDescriptorProto
DOCUMENTS = "execgraph.v1"
OPTIONS = "execgraph.options.v1"

# What the codecs of both languages read and write: no floats, no groups, one spelling of a negative number.
SUPPORTED = {
    Field.TYPE_UINT32,
    Field.TYPE_UINT64,
    Field.TYPE_SINT32,
    Field.TYPE_SINT64,
    Field.TYPE_BOOL,
    Field.TYPE_ENUM,
    Field.TYPE_STRING,
    Field.TYPE_BYTES,
    Field.TYPE_MESSAGE,
}


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its full name and its place in the source info of its file."""

    name: str
    proto: descriptor_pb2.DescriptorProto
    file: descriptor_pb2.FileDescriptorProto
    place: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum with its full name and its place in the source info of its file."""

    name: str
    proto: descriptor_pb2.EnumDescriptorProto
    file: descriptor_pb2.FileDescriptorProto
    place: tuple[int, ...]


class Schema:
    """All files that the laws judge, flattened."""

    def __init__(self, files: descriptor_pb2.FileDescriptorSet) -> None:
        self.files = [file for file in files.file if not file.package.startswith("google.")]
        self.messages: list[Message] = []
        self.enums: list[Enum] = []
        for file in self.files:
            for position, enum in enumerate(file.enum_type):
                self.enums.append(Enum(f"{file.package}.{enum.name}", enum, file, (5, position)))
            for position, message in enumerate(file.message_type):
                self._enter(file.package, message, file, (4, position))
        self.by_name = {message.name: message for message in self.messages}

    def _enter(
        self,
        scope: str,
        proto: descriptor_pb2.DescriptorProto,
        file: descriptor_pb2.FileDescriptorProto,
        place: tuple[int, ...],
    ) -> None:
        name = f"{scope}.{proto.name}"
        self.messages.append(Message(name, proto, file, place))
        for position, enum in enumerate(proto.enum_type):
            self.enums.append(Enum(f"{name}.{enum.name}", enum, file, (*place, 4, position)))
        for position, nested in enumerate(proto.nested_type):
            self._enter(name, nested, file, (*place, 3, position))

    def fields(self) -> Iterator[tuple[Message, Field, options_pb2.FieldRules]]:
        """Yield every field of every classified message, with its classification."""
        for message in self.messages:
            if message.file.package != OPTIONS:
                for field in message.proto.field:
                    yield message, field, field.options.Extensions[options_pb2.field]


Law = Callable[[Schema], Iterator[str]]


def where(message: Message, field: Field) -> str:
    """Name a field in a sentence."""
    return f"{message.name}.{field.name}"


def repeated(field: Field) -> bool:
    return field.label == Field.LABEL_REPEATED


def only_proto3(schema: Schema) -> Iterator[str]:
    for file in schema.files:
        if file.syntax != "proto3":
            yield f"{file.name} is `{file.syntax or 'proto2'}`; proto3 is required"


def no_maps(schema: Schema) -> Iterator[str]:
    for message in schema.messages:
        if message.proto.options.map_entry:
            yield f"{message.name} is the entry of a map; a SET with a key is required"


def only_supported_types(schema: Schema) -> Iterator[str]:
    for message, field, _ in schema.fields():
        if field.type not in SUPPORTED:
            yield f"{where(message, field)} has the unsupported type {Field.Type.Name(field.type)}"


def only_own_types(schema: Schema) -> Iterator[str]:
    """Neither `Any` nor `Struct` nor any other type whose content this schema does not describe."""
    own = {f".{name}" for name in schema.by_name} | {f".{enum.name}" for enum in schema.enums}
    for message, field, _ in schema.fields():
        if field.type_name and field.type_name not in own:
            yield f"{where(message, field)} holds the foreign type {field.type_name.lstrip('.')}"


def no_extensions(schema: Schema) -> Iterator[str]:
    for file in schema.files:
        if file.package != OPTIONS:
            yield from (f"{file.name} extends {extension.extendee}" for extension in file.extension)
    for message in schema.messages:
        if message.proto.extension or message.proto.extension_range:
            yield f"{message.name} takes or declares extensions"


def default_spelling(schema: Schema) -> Iterator[str]:
    """JSON names and packing are those the codecs derive; a schema that overrides them has two truths."""
    for message, field, _ in schema.fields():
        head, *rest = field.name.split("_")
        if field.HasField("json_name") and field.json_name != head + "".join(map(str.capitalize, rest)):
            yield f"{where(message, field)} renames itself in JSON to {field.json_name}"
        if field.options.HasField("packed"):
            yield f"{where(message, field)} states how it is packed"


def ascending_fields(schema: Schema) -> Iterator[str]:
    for message in schema.messages:
        numbers = [field.number for field in message.proto.field]
        if numbers != sorted(numbers):
            yield f"{message.name} does not declare its fields in ascending order"


def prefixed_enums(schema: Schema) -> Iterator[str]:
    for enum in schema.enums:
        prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.proto.name).upper() + "_"
        zero = enum.proto.value[0]
        if (zero.name, zero.number) != (prefix + "UNSPECIFIED", 0):
            yield f"{enum.name} does not start with {prefix}UNSPECIFIED = 0"
        if enum.proto.options.allow_alias:
            yield f"{enum.name} allows two names for one number"
        for value in enum.proto.value:
            if not value.name.startswith(prefix):
                yield f"{enum.name} has the value {value.name} without the prefix {prefix}"


def classified_collections(schema: Schema) -> Iterator[str]:
    for message, field, rules in schema.fields():
        if repeated(field) and rules.collection == options_pb2.COLLECTION_UNSPECIFIED:
            yield f"{where(message, field)} is repeated and neither ORDERED nor SET"
        if not repeated(field) and rules.collection != options_pb2.COLLECTION_UNSPECIFIED:
            yield f"{where(message, field)} is not repeated and has a collection"


def usable_keys(schema: Schema) -> Iterator[str]:
    for message, field, rules in schema.fields():
        if not rules.keys:
            continue
        element = schema.by_name.get(field.type_name.lstrip("."))
        if rules.collection != options_pb2.COLLECTION_SET or element is None:
            yield f"{where(message, field)} has keys and is no SET of messages"
            continue
        fields = {candidate.name: candidate for candidate in element.proto.field}
        for key, count in Counter(rules.keys).items():
            if count > 1:
                yield f"{where(message, field)} names the key {key} twice"
            if key not in fields:
                yield f"{where(message, field)} has the key {key}, which {element.name} lacks"
            elif repeated(fields[key]):
                yield f"{where(message, field)} has the key {key}, which is repeated"


def classified_strings(schema: Schema) -> Iterator[str]:
    for message, field, rules in schema.fields():
        is_string = field.type == Field.TYPE_STRING
        is_classified = rules.string_kind != options_pb2.STRING_KIND_UNSPECIFIED
        if is_string and not is_classified:
            yield f"{where(message, field)} is a string without a kind"
        if is_classified and not is_string:
            yield f"{where(message, field)} has a string kind and is no string"


def spaced_ids(schema: Schema) -> Iterator[str]:
    spaced = {options_pb2.STRING_KIND_ID, options_pb2.STRING_KIND_REFERENCE}
    declared = {
        rules.id_space for _, _, rules in schema.fields() if rules.string_kind == options_pb2.STRING_KIND_ID
    }
    for message, field, rules in schema.fields():
        if rules.string_kind in spaced and not rules.id_space:
            yield f"{where(message, field)} is an id or a reference without an id space"
        if rules.string_kind not in spaced and rules.id_space:
            yield f"{where(message, field)} has an id space and is neither id nor reference"
        if rules.string_kind == options_pb2.STRING_KIND_REFERENCE and rules.id_space not in declared:
            yield f"{where(message, field)} refers to the id space `{rules.id_space}`, which nothing declares"


def lonely_oneofs(schema: Schema) -> Iterator[str]:
    """Encoders disagree where to write a later arm of a oneof that stands before other fields."""
    for message in schema.messages:
        arms = [
            field
            for field in message.proto.field
            if field.HasField("oneof_index") and not field.proto3_optional
        ]
        groups = {field.oneof_index for field in arms}
        if arms and (len(groups) > 1 or len(arms) != len(message.proto.field)):
            yield f"{message.name} has a oneof that is not alone in its message"


def known_capabilities(schema: Schema) -> Iterator[str]:
    names = {
        value.name
        for enum in schema.enums
        if enum.name == f"{DOCUMENTS}.Capability"
        for value in enum.proto.value[1:]
    }
    for message, field, rules in schema.fields():
        if rules.capability and rules.capability not in names:
            yield f"{where(message, field)} needs the unknown capability {rules.capability}"
    for enum in schema.enums:
        for value in enum.proto.value:
            needed = value.options.Extensions[options_pb2.value].capability
            if needed and needed not in names:
                yield f"{value.name} needs the unknown capability {needed}"


def headed_documents(schema: Schema) -> Iterator[str]:
    """Every kind names a root message that starts with a header, and nothing else holds a header."""
    roots: list[str] = []
    for enum in schema.enums:
        if enum.name == f"{DOCUMENTS}.DocumentKind":
            for value in enum.proto.value[1:]:
                root = value.options.Extensions[options_pb2.value].root_message
                roots.append(root)
                if root not in schema.by_name:
                    yield f"{value.name} names the root message `{root}`, which does not exist"
    for root, count in Counter(roots).items():
        if count > 1:
            yield f"{root} is the root message of {count} kinds"
    for message in schema.messages:
        headers = [field for field in message.proto.field if field.type_name == f".{DOCUMENTS}.Header"]
        if message.name in roots:
            spelled = [(field.name, field.number, field.label) for field in headers]
            if spelled != [("header", 1, Field.LABEL_OPTIONAL)]:
                yield f"{message.name} is a root message whose field 1 is not its header"
        elif headers:
            yield f"{message.name} holds a header and is no root message"


def commented_elements(schema: Schema) -> Iterator[str]:
    for file in schema.files:
        comments = {
            tuple(place.path): place.leading_comments.strip() for place in file.source_code_info.location
        }
        places = [
            *(((*m.place,), m.name) for m in schema.messages if m.file is file),
            *(((*e.place,), e.name) for e in schema.enums if e.file is file),
        ]
        for message in (m for m in schema.messages if m.file is file):
            places += [((*message.place, 2, i), where(message, f)) for i, f in enumerate(message.proto.field)]
            places += [
                ((*message.place, 8, i), f"{message.name}.{oneof.name}")
                for i, oneof in enumerate(message.proto.oneof_decl)
                if not oneof.name.startswith("_")
            ]
        for enum in (e for e in schema.enums if e.file is file):
            places += [((*enum.place, 2, i), value.name) for i, value in enumerate(enum.proto.value)]
        places += [((7, i), extension.name) for i, extension in enumerate(file.extension)]
        yield from (f"{name} has no comment" for place, name in places if not comments.get(place))


LAWS: tuple[Law, ...] = (
    only_proto3,
    no_maps,
    only_supported_types,
    only_own_types,
    no_extensions,
    default_spelling,
    ascending_fields,
    prefixed_enums,
    classified_collections,
    usable_keys,
    classified_strings,
    spaced_ids,
    lonely_oneofs,
    known_capabilities,
    headed_documents,
    commented_elements,
)
