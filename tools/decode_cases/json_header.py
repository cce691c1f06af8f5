"""The header of JSON documents: found, read, judged."""

from __future__ import annotations

from decode_cases.model import Group, Refused

KIND = '"kind":"DOCUMENT_KIND_EXECUTION_GRAPH"'
MAJOR = '"schemaMajor":1'
FEATURES = '"requiredFeatures":["draft-1"]'


def headed(header: str, members: str = ',"id":"g"') -> str:
    """Return a document with these members of the header."""
    return f'{{"header":{{{header}}}{members}}}'


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("json/header")
    add = group.add
    wrong, missing = "json.wrong-type", Refused("header.missing", "header")
    for name, text in {
        "array": "[]",
        "string": '"graph"',
        "number": "1",
        "null": "null",
        "true": "true",
    }.items():
        add(f"root_{name}", f"The document is `{text}`.", f" ◆{text}", Refused(wrong, ""))
    add("missing", "No header.", '◆{"id":"g"}', missing)
    add("missing_all", "An empty object.", "◆{}", missing)
    add("null", "A header of null.", '◆{"header":null}', missing)
    add("array", "A header in an array.", '◆{"header":[{}]}', missing)
    add(
        "kind_number",
        "The kind by its number.",
        headed(f'"kind":◆1,{MAJOR},{FEATURES}'),
        Refused(wrong, "header.kind"),
    )
    add(
        "kind_null",
        "A kind of null.",
        headed(f'"kind":◆null,{MAJOR},{FEATURES}'),
        Refused(wrong, "header.kind"),
    )
    add(
        "major_string",
        "The major version in quotes.",
        headed(f'{KIND},"schemaMajor":◆"1",{FEATURES}'),
        Refused(wrong, "header.schema_major"),
    )
    add(
        "minor_string",
        "The minor version in quotes.",
        headed(f'{KIND},{MAJOR},"schemaMinor":◆"0",{FEATURES}'),
        Refused(wrong, "header.schema_minor"),
    )
    add(
        "features_string",
        "A feature that is in no array.",
        headed(f'{KIND},{MAJOR},"requiredFeatures":◆"draft-1"'),
        Refused(wrong, "header.required_features"),
    )
    add(
        "features_number",
        "A number among the features.",
        headed(f'{KIND},{MAJOR},"requiredFeatures":["draft-1",◆1]'),
        Refused(wrong, "header.required_features[1]"),
    )
    add(
        "wrong_types_in_order",
        "The kind is looked at before the major version, wherever it stands.",
        headed(f'"schemaMajor":"1",{FEATURES},"kind":◆1'),
        Refused(wrong, "header.kind"),
    )
    add(
        "future_major",
        "Major version 2.",
        headed(f'{KIND},"schemaMajor":◆2,{FEATURES}'),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "huge_major",
        "A major version of five thousand digits.",
        headed(f'{KIND},"schemaMajor":◆{"9" * 5000},{FEATURES}'),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "negative_major",
        "Major version -1.",
        headed(f'{KIND},"schemaMajor":◆-1,{FEATURES}'),
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "no_major",
        "No major version.",
        f'{{"id":"g","header":◆{{{KIND},{FEATURES}}}}}',
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "empty", "An empty header.", '{"header":◆{}}', Refused("version.unknown-major", "header.schema_major")
    )
    add(
        "future_feature",
        "An unknown feature.",
        headed(f'{KIND},{MAJOR},"requiredFeatures":["draft-1",◆"host-callbacks"]'),
        Refused("version.unknown-feature", "header.required_features[1]"),
    )
    add(
        "future_minor",
        "Minor version 1.",
        headed(f'{KIND},{MAJOR},"schemaMinor":◆1,{FEATURES}'),
        Refused("version.newer-minor", "header.schema_minor"),
    )
    add(
        "future_kind",
        "An unknown kind.",
        headed(f'"kind":◆"DOCUMENT_KIND_PLAN",{MAJOR},{FEATURES}'),
        Refused("header.unknown-kind", "header.kind"),
    )
    add(
        "unspecified_kind",
        "The kind that is no kind.",
        headed(f'"kind":◆"DOCUMENT_KIND_UNSPECIFIED",{MAJOR},{FEATURES}'),
        Refused("header.unknown-kind", "header.kind"),
    )
    add(
        "no_kind",
        "No kind.",
        f'{{"header":◆{{{MAJOR},{FEATURES}}},"id":"g"}}',
        Refused("header.unknown-kind", "header.kind"),
    )
    add(
        "another_kind",
        "The caller expects an envelope.",
        headed(f'"kind":◆"DOCUMENT_KIND_EXECUTION_GRAPH",{MAJOR},{FEATURES}'),
        Refused("header.kind-mismatch", "header.kind"),
        expected_kind="Envelope",
    )
    add(
        "judged_before_content",
        "Unknown members of a future document are not looked at.",
        f'{{"future":[null],"header":{{"new":{{}},{KIND},"schemaMajor":◆2}}}}',
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "proto_names",
        "The header with the names of the `.proto` file has no major version.",
        f'{{"header":◆{{{KIND},"schema_major":1,"required_features":["draft-1"]}}}}',
        Refused("version.unknown-major", "header.schema_major"),
    )
    add(
        "proto_name_twin",
        "The major version under both names.",
        headed(f'{KIND},{MAJOR},{FEATURES},◆"schema_major":1'),
        Refused("json.proto-name", "header"),
    )
    add(
        "unknown_member",
        "A member of the header that nobody knows.",
        headed(f'{KIND},{MAJOR},{FEATURES},◆"checksum":"x"'),
        Refused("json.unknown-field", "header"),
    )
    add(
        "negative_minor",
        "Minor version -1 is not newer, and no number of this field.",
        headed(f'{KIND},{MAJOR},"schemaMinor":◆-1,{FEATURES}'),
        Refused("json.number-out-of-range", "header.schema_minor"),
    )
    add(
        "no_features",
        "The draft feature is used and not required.",
        f'{{"id":"g","header":◆{{{KIND},{MAJOR}}}}}',
        Refused("canonical.required-features", "header.required_features"),
    )
    add(
        "feature_twice",
        "The draft feature is required twice.",
        headed(f'{KIND},{MAJOR},"requiredFeatures":["draft-1",◆"draft-1"]'),
        Refused("canonical.duplicate-key", "header.required_features[1]"),
    )
    return group
