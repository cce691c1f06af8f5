"""Strings, words, numbers and brackets of JSON documents."""

from __future__ import annotations

from decode_cases.json_syntax import graph
from decode_cases.model import Group, Refused


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("json/tokens")
    _strings(group)
    _words(group)
    _depth(group)
    return group


def _strings(group: Group) -> None:
    add = group.add
    for name, text, code, description in (
        ("newline", "a◆\nb", "json.control-character", "A newline."),
        ("nul", "a◆\0b", "json.control-character", "NUL."),
        (
            "unit_separator",
            "a◆\x1fb",
            "json.control-character",
            "The last of the control characters, U+001F.",
        ),
        ("escape_x", "a◆\\x41", "json.invalid-escape", "A hexadecimal escape of another language."),
        ("escape_quote", "a◆\\'", "json.invalid-escape", "An escaped single quote."),
        ("escape_zero", "◆\\0", "json.invalid-escape", "An escaped zero."),
        ("escape_newline", "a◆\\\nb", "json.invalid-escape", "An escaped newline."),
        ("escape_upper_u", "◆\\U0041", "json.invalid-escape", "A capital U."),
        ("escape_digits", "◆\\u00g0", "json.invalid-escape", "A letter that is no digit."),
        ("escape_short", "◆\\u004", "json.invalid-escape", "Three digits."),
        ("escape_sign", "◆\\u+041", "json.invalid-escape", "A sign among the digits."),
        ("lone_high", "a◆\\ud800", "json.lone-surrogate", "A high half at the end."),
        ("lone_high_then_text", "◆\\ud800b", "json.lone-surrogate", "A high half before a letter."),
        ("lone_high_then_escape", "◆\\ud800\\n", "json.lone-surrogate", "A high half before another escape."),
        ("lone_high_twice", "◆\\ud800\\ud800\\udc00", "json.lone-surrogate", "Two high halves."),
        ("lone_high_then_short", "\\ud800◆\\u12", "json.invalid-escape", "A high half before two digits."),
        ("lone_low", "a◆\\udc00", "json.lone-surrogate", "A low half."),
        ("lone_swapped", "◆\\udc00\\ud800", "json.lone-surrogate", "The two halves in the wrong order."),
        ("noncharacter", "a◆\uffff", "json.noncharacter", "The noncharacter U+FFFF."),
        ("noncharacter_fdd0", "a◆\ufdd0", "json.noncharacter", "The noncharacter U+FDD0."),
        ("noncharacter_escaped", "a◆\\ufffe", "json.noncharacter", "The noncharacter U+FFFE, escaped."),
        (
            "noncharacter_pair",
            "a◆\\ud83f\\udfff",
            "json.noncharacter",
            "The noncharacter U+1FFFF, as two escapes.",
        ),
        ("noncharacter_plane", "a◆\U0010ffff", "json.noncharacter", "The noncharacter U+10FFFF."),
    ):
        add(
            f"string_{name}", f"{description[:-1]} in a string.", graph(f'"id":"{text}"'), Refused(code, "id")
        )
    add(
        "name_control",
        "A tab in a name.",
        graph('"body":{"a◆\tb":1}'),
        Refused("json.control-character", "body"),
    )
    add(
        "name_surrogate",
        "Half a character in a name.",
        graph('"body":{"◆\\ud800":1}'),
        Refused("json.lone-surrogate", "body"),
    )
    add(
        "name_noncharacter",
        "A noncharacter in a name.",
        graph('"body":{"◆\ufffe":1}'),
        Refused("json.noncharacter", "body"),
    )
    add(
        "name_escape",
        "A wrong escape in a name.",
        graph('"body":{"a◆\\q":1}'),
        Refused("json.invalid-escape", "body"),
    )


def _words(group: Group) -> None:
    add = group.add
    path = "maximumNodeExecutions"
    for name, text in {
        "fraction": "1.0",
        "fraction_only": ".5",
        "fraction_empty": "1.",
        "exponent": "1e2",
        "exponent_upper": "1E2",
        "minus_zero": "-0",
        "leading_zero": "01",
        "minus_leading_zero": "-01",
        "plus": "+1",
        "hexadecimal": "0x10",
        "minus_only": "-",
        "two_signs": "--1",
        "minus_infinity": "-Infinity",
        "minus_nan": "-NaN",
        "unit": "12px",
        "zeros": "00",
    }.items():
        add(
            f"number_{name}",
            f"The number `{text}`.",
            graph(f'"{path}":◆{text}'),
            Refused("json.number-spelling", path),
        )
    add(
        "number_separator",
        "A number with a separator of digits.",
        graph(f'"{path}":1◆_000'),
        Refused("json.syntax", ""),
    )
    add(
        "number_in_array",
        "A wrong number in an array.",
        graph('"parameters":[1,◆1.0]'),
        Refused("json.number-spelling", "parameters[1]"),
    )
    for text in ("NaN", "Infinity", "True", "FALSE", "None", "undefined", "nul", "truee", "true1", "null_"):
        add(
            f"word_{text}",
            f"The word `{text}`.",
            graph(f'"{path}":◆{text}'),
            Refused("json.invalid-literal", path),
        )
    add(
        "word_in_array",
        "A wrong word in an array.",
        graph('"parameters":[◆nil]'),
        Refused("json.invalid-literal", "parameters[0]"),
    )
    add("word_root", "A word for a document.", "◆NaN", Refused("json.invalid-literal", ""))
    add(
        "word_dollar",
        "A value that begins with a dollar sign.",
        graph('"id":◆$x'),
        Refused("json.syntax", ""),
    )


def _depth(group: Group) -> None:
    add = group.add
    code = "limit.json-depth"
    region = '{"nodes":[{"id":"n","operation":{"conditional":{"thenRegion":'
    add(
        "depth_arrays",
        "300 arrays within each other, where 256 levels are allowed.",
        "[" * 256 + "◆" + "[" * 44,
        Refused(code, "[0]" * 256),
    )
    add(
        "depth_million",
        "A hundred thousand brackets.",
        "[" * 256 + "◆" + "[" * 99_744,
        Refused(code, "[0]" * 256),
    )
    # The root is level 1; each conditional adds five: region, nodes, node, operation, conditional.
    add(
        "depth_regions",
        "Regions within each other down to level 257.",
        graph('"body":' + region * 51 + "◆{"),
        Refused(code, "body" + ".nodes[0].operation.conditional.thenRegion" * 51),
    )
    add(
        "depth_lowered",
        "Level 4 where 3 are allowed.",
        graph('"body":{"nodes":[◆{"id":"n"}]}'),
        Refused(code, "body.nodes[0]"),
        json_depth=3,
    )
    add(
        "depth_in_string",
        "Brackets in a string are no levels; the object after it is.",
        graph('"id":"[[[[[[","body":◆{}'),
        Refused("canonical.empty-message", "body"),
        json_depth=3,
    )
