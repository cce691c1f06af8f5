"""Minor versions and features, on a schema that has some: the real one is still at minor 0."""

from __future__ import annotations

import pytest
from google.protobuf import descriptor_pb2, text_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from execgraph.options.v1 import options_pb2
from interlock.codec import Encoding, binary, decode_with
from interlock.codec.binary import encode_binary
from interlock.codec.json_write import write_json
from interlock.codec.schema import Schema
from interlock.errors import CodecError
from wire_bytes import number, text

FIELD = descriptor_pb2.FieldDescriptorProto
PROTO = """
name: "future.proto" package: "future" syntax: "proto3"
enum_type { name: "Kind" value { name: "KIND_UNSPECIFIED" number: 0 } value { name: "KIND_ROOT" number: 1 } }
enum_type {
  name: "Mode"
  value { name: "MODE_UNSPECIFIED" number: 0 }
  value { name: "MODE_OLD" number: 1 }
  value { name: "MODE_NEW" number: 2 }
}
message_type {
  name: "Header"
  field { name: "kind" number: 1 type: TYPE_ENUM type_name: ".future.Kind" label: LABEL_OPTIONAL
          json_name: "kind" }
  field { name: "schema_major" number: 2 type: TYPE_UINT32 label: LABEL_OPTIONAL json_name: "schemaMajor" }
  field { name: "schema_minor" number: 3 type: TYPE_UINT32 label: LABEL_OPTIONAL json_name: "schemaMinor" }
  field { name: "required_features" number: 5 type: TYPE_STRING label: LABEL_REPEATED
          json_name: "requiredFeatures" }
}
message_type {
  name: "Root"
  field { name: "header" number: 1 type: TYPE_MESSAGE type_name: ".future.Header" label: LABEL_OPTIONAL
          json_name: "header" }
  field { name: "id" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL json_name: "id" }
  field { name: "newer" number: 3 type: TYPE_UINT32 label: LABEL_OPTIONAL json_name: "newer" }
  field { name: "leaves" number: 4 type: TYPE_MESSAGE type_name: ".future.Leaf" label: LABEL_REPEATED
          json_name: "leaves" }
  field { name: "narrow" number: 5 type: TYPE_INT32 label: LABEL_REPEATED json_name: "narrow" }
  field { name: "zigzag" number: 6 type: TYPE_SINT32 label: LABEL_OPTIONAL json_name: "zigzag" }
  field { name: "wide" number: 7 type: TYPE_INT64 label: LABEL_OPTIONAL json_name: "wide" }
  field { name: "children" number: 8 type: TYPE_MESSAGE type_name: ".future.Root" label: LABEL_REPEATED
          json_name: "children" }
  field { name: "flags" number: 9 type: TYPE_BOOL label: LABEL_REPEATED json_name: "flags" }
  field { name: "blobs" number: 10 type: TYPE_BYTES label: LABEL_REPEATED json_name: "blobs" }
}
message_type {
  name: "Leaf"
  field { name: "mode" number: 1 type: TYPE_ENUM type_name: ".future.Mode" label: LABEL_OPTIONAL
          json_name: "mode" }
  field { name: "special" number: 2 type: TYPE_BOOL label: LABEL_OPTIONAL json_name: "special" }
  field { name: "modes" number: 3 type: TYPE_ENUM type_name: ".future.Mode" label: LABEL_REPEATED
          json_name: "modes" }
}
"""


def declare() -> Schema:
    file = text_format.Parse(PROTO, descriptor_pb2.FileDescriptorProto())
    fields = {
        f"{message.name}.{field.name}": field for message in file.message_type for field in message.field
    }
    rules = {
        "Header.required_features": options_pb2.FieldRules(collection=options_pb2.COLLECTION_SET),
        "Root.newer": options_pb2.FieldRules(since_minor=2),
        "Root.leaves": options_pb2.FieldRules(collection=options_pb2.COLLECTION_ORDERED),
        "Root.narrow": options_pb2.FieldRules(collection=options_pb2.COLLECTION_SET),
        "Root.children": options_pb2.FieldRules(collection=options_pb2.COLLECTION_SET, keys=["id"]),
        "Root.flags": options_pb2.FieldRules(collection=options_pb2.COLLECTION_SET),
        "Root.blobs": options_pb2.FieldRules(collection=options_pb2.COLLECTION_SET),
        "Leaf.special": options_pb2.FieldRules(since_minor=1, feature="special-leaf"),
        "Leaf.modes": options_pb2.FieldRules(collection=options_pb2.COLLECTION_ORDERED),
    }
    for name, rule in rules.items():
        fields[name].options.Extensions[options_pb2.field].CopyFrom(rule)
    new = file.enum_type[1].value[2].options.Extensions[options_pb2.value]
    new.since_minor, new.feature = 3, "new-mode"
    file.enum_type[0].value[1].options.Extensions[options_pb2.value].root_message = "future.Root"
    pool = DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    root, header = (pool.FindMessageTypeByName(f"future.{name}") for name in ("Root", "Header"))
    return Schema((root,), header, major=4, minor=3, base_features=frozenset({"base"}))


SCHEMA = declare()
ROOT = SCHEMA.root(SCHEMA.kinds[0])
Root = GetMessageClass(ROOT.descriptor)


@pytest.fixture(params=["small", "large"], autouse=True)
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    if request.param == "large":
        monkeypatch.setattr(binary, "SMALL", 0)
        monkeypatch.setattr("interlock.codec.json_read.SMALL", 0)
        monkeypatch.setattr("interlock.codec.json_write.SMALL", 0)


def header(minor: int, *features: str, major: int = 4) -> bytes:
    content = number(1, 1) + number(2, major) + (number(3, minor) if minor else b"")
    return text(1, content + b"".join(text(5, feature) for feature in features))


def encoded(**fields) -> bytes:
    return encode_binary(Root(**fields), ROOT, SCHEMA)


def refused(data: bytes, **options) -> tuple[str, str, int | None]:
    with pytest.raises(CodecError) as caught:
        decode_with(SCHEMA, data, **options)
    return caught.value.code, str(caught.value.path), caught.value.byte_offset


@pytest.mark.parametrize(
    ("fields", "minor", "features"),
    [
        ({"id": "r"}, 0, ("base",)),
        ({"newer": 1}, 2, ("base",)),
        ({"newer": 0}, 0, ("base",)),
        ({"leaves": [{"mode": 1}]}, 0, ("base",)),
        ({"leaves": [{}, {"special": True}]}, 1, ("base", "special-leaf")),
        ({"leaves": [{"mode": 2}]}, 3, ("base", "new-mode")),
        ({"leaves": [{"modes": [0, 2]}], "newer": 1}, 3, ("base", "new-mode")),
        ({"children": [{"id": "c", "children": [{"id": "d", "newer": 1}]}]}, 2, ("base",)),
    ],
)
def test_a_document_states_the_smallest_minor_and_the_features_it_uses(
    fields: dict[str, object], minor: int, features: tuple[str, ...]
):
    data = encoded(**fields)
    assert data.startswith(header(minor, *features))
    document = decode_with(SCHEMA, data)
    assert (document.message.header.schema_minor, tuple(document.message.header.required_features)) == (
        minor,
        features,
    )
    assert decode_with(SCHEMA, write_json(data, ROOT)).binary == data


@pytest.mark.parametrize(
    ("stated", "content", "code", "field"),
    [
        (header(3, "base"), number(3, 1), "canonical.schema-minor", "schema_minor"),
        (header(1, "base"), number(3, 1), "canonical.schema-minor", "schema_minor"),
        (header(2, "base", "new-mode"), number(3, 1), "canonical.required-features", "required_features"),
        (header(2), number(3, 1), "canonical.required-features", "required_features"),
        (header(0, "base"), text(4, number(2, 1)), "canonical.schema-minor", "schema_minor"),
        (header(1, "base"), text(4, number(2, 1)), "canonical.required-features", "required_features"),
    ],
)
def test_another_header_is_not_canonical_and_can_be_mended(
    stated: bytes, content: bytes, code: str, field: str
):
    assert refused(stated + content) == (code, f"header.{field}", 0)
    mended = decode_with(SCHEMA, stated + content, canonicalize=True)
    assert mended.binary == decode_with(SCHEMA, mended.binary).binary
    assert mended.binary.endswith(content)


def test_json_does_not_mend_a_header():
    data = b'{"newer":1,"header":{"kind":"KIND_ROOT","schemaMajor":4,"requiredFeatures":["base"]}}'
    assert refused(data) == ("canonical.schema-minor", "header.schema_minor", data.index(b'{"kind"'))
    assert refused(data, canonicalize=True)[0] == "canonical.schema-minor"


def test_versions_and_features_are_known_up_to_the_schema():
    assert refused(header(4, "base")) == ("version.newer-minor", "header.schema_minor", 6)
    assert refused(header(0, "base", "draft-1"))[:2] == (
        "version.unknown-feature",
        "header.required_features[1]",
    )
    assert refused(header(0, "base", major=1)) == ("version.unknown-major", "header.schema_major", 4)
    assert SCHEMA.features == {"base", "special-leaf", "new-mode"}


def test_negative_numbers_have_one_spelling():
    data = encoded(id="r", narrow=[5, -1, -(1 << 31)], zigzag=-(1 << 31), wide=-(1 << 63))
    assert list(decode_with(SCHEMA, data).message.narrow) == [-(1 << 31), -1, 5]
    short = text(5, b"\xff\xff\xff\xff\x0f")
    at = len(header(0, "base"))
    assert refused(header(0, "base") + short) == ("wire.value-out-of-range", "narrow", at)
    assert refused(header(0, "base") + number(6, 1 << 32)) == ("wire.value-out-of-range", "zigzag", at)
    written = write_json(data, ROOT)
    assert b'"narrow":[-2147483648,-1,5]' in written
    assert b'"wide":"-9223372036854775808","zigzag":-2147483648' in written
    assert decode_with(SCHEMA, written).binary == data


def test_sets_of_every_kind_of_value_are_ordered():
    data = encoded(flags=[True, False], blobs=[b"b", b"", b"\xff", b"ab"], narrow=[3, 1, 2])
    message = decode_with(SCHEMA, data).message
    assert list(message.flags) == [False, True]
    assert list(message.blobs) == [b"", b"ab", b"b", b"\xff"]
    assert decode_with(SCHEMA, write_json(data, ROOT)).binary == data
    start = header(0, "base")
    assert refused(start + text(9, b"\1\0"), encoding=Encoding.BINARY)[0] == "canonical.unsorted-set"
    assert refused(start + text(9, b"\1\1"), encoding=Encoding.BINARY)[0] == "canonical.duplicate-key"
    assert refused(start + text(10, b"b") + text(10, b"a"))[:2] == ("canonical.unsorted-set", "blobs[1]")
