"""The schema keeps its laws, and each law notices when it is broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from google.protobuf import descriptor_pb2

from conformance_suite import ROOT
from execgraph.options.v1 import options_pb2
from schema_laws import LAWS, Field, Law, Schema

DESCRIPTORS = ROOT / "gen" / "descriptors" / "execgraph_source.binpb"


class Draft:
    """A copy of the schema that an example breaks."""

    def __init__(self) -> None:
        self.files = descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTORS.read_bytes())

    def file(self, name: str) -> descriptor_pb2.FileDescriptorProto:
        return next(file for file in self.files.file if file.name == f"execgraph/v1/{name}.proto")

    def message(self, name: str) -> descriptor_pb2.DescriptorProto:
        return next(
            message
            for file in self.files.file
            if file.package == "execgraph.v1"
            for message in file.message_type
            if message.name == name
        )

    def enum(self, name: str) -> descriptor_pb2.EnumDescriptorProto:
        return next(
            enum
            for file in self.files.file
            if file.package == "execgraph.v1"
            for enum in file.enum_type
            if enum.name == name
        )

    def field(self, message: str, name: str) -> Field:
        return next(field for field in self.message(message).field if field.name == name)

    def rules(self, message: str, name: str) -> options_pb2.FieldRules:
        return self.field(message, name).options.Extensions[options_pb2.field]


Break = Callable[[Draft], object]

# A law, what breaks it, and all that the law then says.
EXAMPLES: dict[str, tuple[str, Break, list[str]]] = {
    "another syntax": (
        "only_proto3",
        lambda draft: draft.file("blob").ClearField("syntax"),
        ["execgraph/v1/blob.proto is `proto2`; proto3 is required"],
    ),
    "a map": (
        "no_maps",
        lambda draft: draft.message("Region").nested_type.add(
            name="NodesEntry", options=descriptor_pb2.MessageOptions(map_entry=True)
        ),
        ["execgraph.v1.Region.NodesEntry is the entry of a map; a SET with a key is required"],
    ),
    "a float": (
        "only_supported_types",
        lambda draft: setattr(draft.field("BlobReference", "size"), "type", Field.TYPE_DOUBLE),
        ["execgraph.v1.BlobReference.size has the unsupported type TYPE_DOUBLE"],
    ),
    "a group": (
        "only_supported_types",
        lambda draft: setattr(draft.field("Region", "nodes"), "type", Field.TYPE_GROUP),
        ["execgraph.v1.Region.nodes has the unsupported type TYPE_GROUP"],
    ),
    "two spellings of negative numbers": (
        "only_supported_types",
        lambda draft: setattr(draft.field("Extent", "constant"), "type", Field.TYPE_INT64),
        ["execgraph.v1.Extent.constant has the unsupported type TYPE_INT64"],
    ),
    "Any": (
        "only_own_types",
        lambda draft: setattr(draft.field("Provenance", "tool"), "type_name", ".google.protobuf.Any"),
        ["execgraph.v1.Provenance.tool holds the foreign type google.protobuf.Any"],
    ),
    "Struct": (
        "only_own_types",
        lambda draft: setattr(draft.field("Provenance", "source"), "type_name", ".google.protobuf.Struct"),
        ["execgraph.v1.Provenance.source holds the foreign type google.protobuf.Struct"],
    ),
    "an extension": (
        "no_extensions",
        lambda draft: draft.file("blob").extension.add(name="more", extendee=".execgraph.v1.Region"),
        ["execgraph/v1/blob.proto extends .execgraph.v1.Region"],
    ),
    "room for extensions": (
        "no_extensions",
        lambda draft: draft.message("Region").extension_range.add(start=100, end=200),
        ["execgraph.v1.Region takes or declares extensions"],
    ),
    "a JSON name of its own": (
        "default_spelling",
        lambda draft: setattr(draft.field("Node", "depends_on"), "json_name", "after"),
        ["execgraph.v1.Node.depends_on renames itself in JSON to after"],
    ),
    "an unpacked list": (
        "default_spelling",
        lambda draft: setattr(draft.field("StridedLayout", "byte_strides").options, "packed", False),
        ["execgraph.v1.StridedLayout.byte_strides states how it is packed"],
    ),
    "descending fields": (
        "ascending_fields",
        lambda draft: (
            setattr(draft.field("Region", "nodes"), "number", 2)
            or draft.message("Region").field.add(name="name", number=1)
        ),
        ["execgraph.v1.Region does not declare its fields in ascending order"],
    ),
    "a zero that means something": (
        "prefixed_enums",
        lambda draft: setattr(draft.enum("MemoryClass").value[0], "name", "MEMORY_CLASS_ANY"),
        ["execgraph.v1.MemoryClass does not start with MEMORY_CLASS_UNSPECIFIED = 0"],
    ),
    "a value without prefix": (
        "prefixed_enums",
        lambda draft: setattr(draft.enum("MemoryClass").value[1], "name", "DEVICE"),
        ["execgraph.v1.MemoryClass has the value DEVICE without the prefix MEMORY_CLASS_"],
    ),
    "an alias": (
        "prefixed_enums",
        lambda draft: setattr(draft.enum("MemoryClass").options, "allow_alias", True),
        ["execgraph.v1.MemoryClass allows two names for one number"],
    ),
    "a list without meaning of position": (
        "classified_collections",
        lambda draft: draft.rules("Region", "nodes").ClearField("collection"),
        ["execgraph.v1.Region.nodes is repeated and neither ORDERED nor SET"],
    ),
    "a collection of one": (
        "classified_collections",
        lambda draft: setattr(draft.rules("Node", "operation"), "collection", options_pb2.COLLECTION_SET),
        ["execgraph.v1.Node.operation is not repeated and has a collection"],
    ),
    "a key that is missing": (
        "usable_keys",
        lambda draft: draft.rules("Region", "nodes").keys.append("name"),
        ["execgraph.v1.Region.nodes has the key name, which execgraph.v1.Node lacks"],
    ),
    "a repeated key": (
        "usable_keys",
        lambda draft: draft.rules("Region", "nodes").keys.append("depends_on"),
        ["execgraph.v1.Region.nodes has the key depends_on, which is repeated"],
    ),
    "the same key twice": (
        "usable_keys",
        lambda draft: draft.rules("Region", "nodes").keys.append("id"),
        ["execgraph.v1.Region.nodes names the key id twice"],
    ),
    "keys of an ordered list": (
        "usable_keys",
        lambda draft: setattr(draft.rules("Region", "nodes"), "collection", options_pb2.COLLECTION_ORDERED),
        ["execgraph.v1.Region.nodes has keys and is no SET of messages"],
    ),
    "keys of strings": (
        "usable_keys",
        lambda draft: draft.rules("Node", "depends_on").keys.append("id"),
        ["execgraph.v1.Node.depends_on has keys and is no SET of messages"],
    ),
    "a string of no kind": (
        "classified_strings",
        lambda draft: draft.rules("Dispatch", "entry").ClearField("string_kind"),
        ["execgraph.v1.Dispatch.entry is a string without a kind"],
    ),
    "repeated strings of no kind": (
        "classified_strings",
        lambda draft: draft.rules("TargetRequirements", "features").ClearField("string_kind"),
        ["execgraph.v1.TargetRequirements.features is a string without a kind"],
    ),
    "a kind of a number": (
        "classified_strings",
        lambda draft: setattr(
            draft.rules("BlobReference", "size"), "string_kind", options_pb2.STRING_KIND_TEXT
        ),
        ["execgraph.v1.BlobReference.size has a string kind and is no string"],
    ),
    "an id in no space": (
        "spaced_ids",
        lambda draft: draft.rules("Package", "id").ClearField("id_space"),
        ["execgraph.v1.Package.id is an id or a reference without an id space"],
    ),
    "a name in a space": (
        "spaced_ids",
        lambda draft: setattr(draft.rules("Dispatch", "entry"), "id_space", "node"),
        ["execgraph.v1.Dispatch.entry has an id space and is neither id nor reference"],
    ),
    "a reference into the void": (
        "spaced_ids",
        lambda draft: setattr(draft.rules("View", "resource"), "id_space", "buffer"),
        ["execgraph.v1.View.resource refers to the id space `buffer`, which nothing declares"],
    ),
    "a oneof among fields": (
        "lonely_oneofs",
        lambda draft: draft.message("Operation").field.add(name="label", number=7),
        ["execgraph.v1.Operation has a oneof that is not alone in its message"],
    ),
    "two oneofs": (
        "lonely_oneofs",
        lambda draft: (
            draft.message("Operation").oneof_decl.add(name="other")
            and draft.message("Operation").field.add(name="label", number=7, oneof_index=1)
        ),
        ["execgraph.v1.Operation has a oneof that is not alone in its message"],
    ),
    "a field that needs an unknown capability": (
        "known_capabilities",
        lambda draft: setattr(draft.rules("Operation", "repeat"), "capability", "CAPABILITY_LOOP"),
        ["execgraph.v1.Operation.repeat needs the unknown capability CAPABILITY_LOOP"],
    ),
    "a value that needs an unknown capability": (
        "known_capabilities",
        lambda draft: setattr(
            draft.enum("MemoryClass").value[1].options.Extensions[options_pb2.value],
            "capability",
            "CAPABILITY_UNSPECIFIED",
        ),
        ["MEMORY_CLASS_DEVICE needs the unknown capability CAPABILITY_UNSPECIFIED"],
    ),
    "a kind without a root message": (
        "headed_documents",
        lambda draft: draft.enum("DocumentKind").value.add(name="DOCUMENT_KIND_PLAN", number=6),
        ["DOCUMENT_KIND_PLAN names the root message ``, which does not exist"],
    ),
    "a header that is not first": (
        "headed_documents",
        lambda draft: setattr(draft.field("Package", "header"), "number", 7),
        ["execgraph.v1.Package is a root message whose field 1 is not its header"],
    ),
    "a header within": (
        "headed_documents",
        lambda draft: setattr(draft.field("Node", "operation"), "type_name", ".execgraph.v1.Header"),
        ["execgraph.v1.Node holds a header and is no root message"],
    ),
    "a field without a comment": (
        "commented_elements",
        lambda draft: draft.message("Region").field.add(name="label", number=2),
        ["execgraph.v1.Region.label has no comment"],
    ),
    "a oneof without a comment": (
        "commented_elements",
        lambda draft: draft.message("Region").oneof_decl.add(name="either"),
        ["execgraph.v1.Region.either has no comment"],
    ),
    "a value without a comment": (
        "commented_elements",
        lambda draft: draft.enum("MemoryClass").value.add(name="MEMORY_CLASS_MORE", number=9),
        ["MEMORY_CLASS_MORE has no comment"],
    ),
}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_schema_keeps_the_law(law: Law) -> None:
    assert list(law(Schema(Draft().files))) == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_law_notices(example: str) -> None:
    name, broken, complaints = EXAMPLES[example]
    draft = Draft()
    broken(draft)
    law = next(law for law in LAWS if law.__name__ == name)
    assert list(law(Schema(draft.files))) == complaints


def test_every_law_has_an_example() -> None:
    assert {name for name, _, _ in EXAMPLES.values()} == {law.__name__ for law in LAWS}


def test_the_laws_see_the_whole_schema() -> None:
    schema = Schema(Draft().files)
    packages = {file.package for file in schema.files}
    assert packages == {
        "execgraph.conformance.v1",
        "execgraph.options.v1",
        "execgraph.report.v1",
        "execgraph.v1",
    }
    assert len(list(schema.fields())) > 300
