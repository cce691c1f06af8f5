"""The header of binary documents: found, read, judged."""

from __future__ import annotations

from decode_cases.model import Accepted, Group, Refused
from decode_cases.wire import (
    HERE,
    I32,
    LEN,
    START_GROUP,
    VARINT,
    delimited,
    field,
    graph,
    graph_id,
    header,
    join,
    tag,
    varint,
)

KIND = field("Header.kind", 1)
MAJOR = field("Header.schema_major", 1)
DRAFT = field("Header.required_features", "draft-1")
MISSING = Refused("header.missing", "header")
TRUNCATED = Refused("wire.truncated", "header")


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("binary/header")
    _finding(group)
    _reading(group)
    _judging(group)
    _computed(group)
    return group


def _finding(group: Group) -> None:
    add = group.add
    add("empty_input", "Nothing at all has no header.", HERE, MISSING)
    add("another_field_first", "The id stands before the header.", join(HERE, graph_id(), header()), MISSING)
    add("not_length_delimited", "Field 1 is a number.", join(HERE, tag(1, VARINT), b"\x01"), MISSING)
    add("unreadable_first_tag", "The first tag ends in its first byte.", join(HERE, b"\x8a"), MISSING)
    add("overflowing_first_tag", "The first tag has eleven bytes.", join(HERE, varint(10, 11)), MISSING)
    add(
        "overlong_first_tag",
        "The first tag is that of the header, with one byte too many.",
        join(HERE, varint(0x0A, 2), header().data[1:]),
        Refused("canonical.overlong-varint", ""),
    )
    add("no_length", "The input ends after the header's tag.", join(HERE, b"\x0a"), TRUNCATED)
    add(
        "length_past_end",
        "The header claims a byte more than there is.",
        join(HERE, delimited(1, KIND, claim=3)),
        TRUNCATED,
    )
    add(
        "length_of_exabytes",
        "The header claims 2^63 bytes.",
        join(HERE, b"\x0a", varint(1 << 63), KIND),
        TRUNCATED,
    )
    add(
        "overflowing_length",
        "The length of the header takes more than 64 bits.",
        join(HERE, b"\x0a", b"\xff" * 9, b"\x02", KIND),
        Refused("wire.varint-overflow", "header"),
    )
    add(
        "overlong_length",
        "The length of the header has one byte too many.",
        join(HERE, b"\x0a", varint(13, 2), header().data[2:]),
        Refused("canonical.overlong-varint", "header"),
    )
    add(
        "duplicate",
        "The header stands there twice; merging it would hide the second.",
        graph(HERE, header()),
        Refused("header.duplicate", "header"),
    )
    add(
        "duplicate_later",
        "A second header, after other fields.",
        graph(graph_id(), HERE, header()),
        Refused("header.duplicate", "header"),
    )
    add(
        "duplicate_canonicalize",
        "Canonicalising does not merge headers.",
        graph(graph_id(), HERE, header()),
        Refused("header.duplicate", "header"),
        canonicalize=True,
    )


def _reading(group: Group) -> None:
    add = group.add
    add(
        "truncated_value",
        "The number of the kind ends with the header.",
        delimited(1, HERE, tag(1, VARINT), b"\x80"),
        Refused("wire.truncated", "header.kind"),
    )
    add(
        "truncated_tag",
        "A tag ends with the header.",
        delimited(1, KIND, HERE, b"\x80"),
        Refused("wire.truncated", "header"),
    )
    add(
        "invalid_tag",
        "Field 0 in the header.",
        delimited(1, KIND, HERE, tag(0, VARINT), b"\x01"),
        Refused("wire.invalid-tag", "header"),
    )
    add(
        "group",
        "A group in the header.",
        delimited(1, KIND, HERE, tag(9, START_GROUP)),
        Refused("wire.group", "header"),
    )
    add(
        "overflowing_number",
        "The major version takes more than 64 bits.",
        delimited(1, KIND, HERE, tag(2, VARINT), b"\xff" * 10, b"\x01"),
        Refused("wire.varint-overflow", "header.schema_major"),
    )
    add(
        "major_of_33_bits",
        "The major version is 2^32 + 1, which is no 32-bit number.",
        delimited(1, KIND, HERE, field("Header.schema_major", (1 << 32) + 1), DRAFT),
        Refused("wire.value-out-of-range", "header.schema_major"),
    )
    add(
        "kind_as_text",
        "The kind is written as a string.",
        delimited(1, HERE, delimited(1, b"\x01"), MAJOR),
        Refused("wire.wrong-type", "header.kind"),
    )
    add(
        "feature_as_number",
        "A required feature is written as a number.",
        delimited(1, KIND, MAJOR, HERE, tag(5, VARINT), b"\x01"),
        Refused("wire.wrong-type", "header.required_features[0]"),
    )
    add(
        "feature_bad_utf8",
        "A required feature is no UTF-8.",
        delimited(1, KIND, MAJOR, DRAFT, HERE, field("Header.required_features", b"\xff")),
        Refused("wire.invalid-utf8", "header.required_features[1]"),
    )
    add(
        "feature_noncharacter",
        "A required feature holds U+FFFE.",
        delimited(1, KIND, MAJOR, HERE, field("Header.required_features", "\ufffe")),
        Refused("wire.noncharacter", "header.required_features[0]"),
    )
    add(
        "skipped_field_past_end",
        "A field of the header that is skipped claims more than the header has.",
        delimited(1, KIND, MAJOR, HERE, delimited(4, b"ab", claim=9)),
        Refused("wire.truncated", "header"),
    )
    add(
        "unknown_field_first",
        "An unknown field before all others is skipped by the judgement and refused by the content.",
        join(delimited(1, HERE, delimited(15, b"new"), KIND, MAJOR, DRAFT), graph_id()),
        Refused("canonical.unknown-field", "header"),
    )
    add(
        "unknown_field_middle",
        "An unknown 32-bit field in the middle of the header.",
        join(delimited(1, KIND, HERE, tag(15, I32), b"\0\0\0\0", MAJOR, DRAFT), graph_id()),
        Refused("canonical.unknown-field", "header"),
    )
    add(
        "unknown_field_last",
        "An unknown field at the end of the header.",
        join(delimited(1, KIND, MAJOR, DRAFT, HERE, tag(15, VARINT), b"\x01"), graph_id()),
        Refused("canonical.unknown-field", "header"),
    )


def _judging(group: Group) -> None:
    add = group.add
    future = field("Header.schema_major", 2)
    minor = field("Header.schema_minor", 1)
    feature = field("Header.required_features", "host-callbacks")
    unknown_kind = field("Header.kind", 99)
    add(
        "future_major",
        "Major version 2.",
        delimited(1, KIND, HERE, future, DRAFT),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "no_major",
        "No major version, which is version 0.",
        join(HERE, delimited(1, KIND, DRAFT)),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "empty",
        "An empty header states major version 0.",
        join(HERE, delimited(1)),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "last_major_counts",
        "Of two major versions the second counts.",
        delimited(1, KIND, MAJOR, HERE, future, DRAFT),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "future_feature",
        "A feature that no reader of today knows.",
        delimited(1, KIND, MAJOR, DRAFT, HERE, feature),
        Refused("version.unknown-feature", "header.required_features[1]"),
    )
    add(
        "future_draft",
        "The next draft of the schema.",
        delimited(1, KIND, MAJOR, HERE, field("Header.required_features", "draft-2")),
        Refused("version.unknown-feature", "header.required_features[0]"),
    )
    add(
        "future_minor",
        "Minor version 1.",
        delimited(1, KIND, MAJOR, HERE, minor, DRAFT),
        Refused("version.newer-minor", "header.schema_minor"),
    )
    add(
        "future_kind",
        "A kind that no reader of today knows.",
        delimited(1, HERE, unknown_kind, MAJOR, DRAFT),
        Refused("header.unknown-kind", "header.kind"),
    )
    add(
        "kind_of_33_bits",
        "The kind is 2^32 + 1, which must not be taken for 1.",
        delimited(1, HERE, field("Header.kind", (1 << 32) + 1), MAJOR, DRAFT),
        Refused("header.unknown-kind", "header.kind"),
    )
    add(
        "no_kind",
        "No kind.",
        join(HERE, delimited(1, MAJOR, DRAFT)),
        Refused("header.unknown-kind", "header.kind"),
    )
    add(
        "another_kind",
        "The caller expects a package.",
        join(delimited(1, HERE, KIND, MAJOR, DRAFT), graph_id()),
        Refused("header.kind-mismatch", "header.kind"),
        expected_kind="Package",
    )
    add(
        "expected_kind",
        "The caller expects a graph, and it is one.",
        graph(graph_id()),
        Accepted(graph(graph_id()).data),
        expected_kind="ExecutionGraph",
    )
    add(
        "kind_of_other_content",
        "The header says bundle, the content is that of a graph.",
        # The id's text `g` is read as the tag of field 12 with wire type 7.
        join(header(kind="TargetModuleBundle"), tag(2, LEN), b"\x01", HERE, b"g"),
        Refused("wire.invalid-tag", "modules[0]"),
    )
    add(
        "major_before_all_else",
        "Everything about the header is from the future; the major version is named.",
        delimited(1, unknown_kind, HERE, future, minor, feature),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "feature_before_minor",
        "The feature is named before the minor version and the kind.",
        delimited(1, unknown_kind, MAJOR, minor, HERE, feature),
        Refused("version.unknown-feature", "header.required_features[0]"),
    )
    add(
        "minor_before_kind",
        "The minor version is named before the kind.",
        delimited(1, unknown_kind, MAJOR, HERE, minor, DRAFT),
        Refused("version.newer-minor", "header.schema_minor"),
    )
    add(
        "judged_before_content",
        "A future document is refused for its version, whatever follows.",
        join(delimited(1, KIND, HERE, future, DRAFT), b"\xff\xff\xff"),
        Refused("version.unknown-major", "header.schema_major"),
    )


def _computed(group: Group) -> None:
    add = group.add
    plain = Refused("canonical.required-features", "header.required_features")
    add(
        "feature_left_out",
        "The draft feature is used and not required.",
        join(HERE, header(features=()), graph_id()),
        plain,
    )
    add(
        "feature_left_out_canonicalize",
        "Canonicalising computes the features.",
        join(header(features=()), graph_id()),
        Accepted(graph(graph_id()).data),
        canonicalize=True,
    )
    add(
        "feature_twice",
        "The draft feature is required twice.",
        join(delimited(1, KIND, MAJOR, DRAFT, HERE, DRAFT), graph_id()),
        Refused("canonical.duplicate-key", "header.required_features[1]"),
    )
    add(
        "content_before_computed",
        "What is wrong in the content is found before a wrong list of features.",
        join(header(features=()), graph_id(), HERE, tag(99, LEN), b"\0"),
        Refused("canonical.unknown-field", ""),
    )
    add(
        "explicit_minor_zero",
        "Minor version 0 is the default, and not written.",
        join(delimited(1, KIND, MAJOR, HERE, field("Header.schema_minor", 0), DRAFT), graph_id()),
        Refused("canonical.default-value", "header.schema_minor"),
    )
