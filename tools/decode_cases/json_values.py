"""Values of JSON documents that are not what their fields hold."""

from __future__ import annotations

from decode_cases.json_content import node, operation
from decode_cases.json_syntax import graph
from decode_cases.model import Group, Refused


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("json/values")
    _types(group)
    _integers(group)
    _enums_and_bytes(group)
    return group


def _types(group: Group) -> None:
    add = group.add
    wrong, path = "json.wrong-type", "body.nodes[0]"
    add("null_string", "An id of null.", graph('"id":◆null'), Refused("json.null", "id"))
    add("null_message", "A body of null.", graph('"body":◆null'), Refused("json.null", "body"))
    add("null_list", "Parameters of null.", graph('"parameters":◆null'), Refused("json.null", "parameters"))
    add(
        "null_element",
        "An element of null.",
        graph('"parameters":[{"id":"p"},◆null]'),
        Refused("json.null", "parameters[1]"),
    )
    add(
        "null_arm",
        "An arm of null.",
        operation('"barrier":◆null'),
        Refused("json.null", f"{path}.operation.barrier"),
    )
    for name, text in {"number": "1", "true": "true", "array": '["g"]', "object": "{}"}.items():
        add(f"string_is_{name}", f"A string written `{text}`.", graph(f'"id":◆{text}'), Refused(wrong, "id"))
    for name, text in {"string": '"n"', "number": "0", "array": "[]", "false": "false"}.items():
        add(
            f"message_is_{name}",
            f"A message written `{text}`.",
            graph(f'"body":◆{text}'),
            Refused(wrong, "body"),
        )
    for name, text in {"object": "{}", "string": '"p"', "number": "0"}.items():
        add(
            f"list_is_{name}",
            f"A list written `{text}`.",
            graph(f'"parameters":◆{text}'),
            Refused(wrong, "parameters"),
        )
    add(
        "element_is_string",
        "An element that is a string.",
        graph('"parameters":[◆"p"]'),
        Refused(wrong, "parameters[0]"),
    )
    add(
        "element_is_list",
        "A list within a list.",
        node('"dependsOn":[◆["m"]]'),
        Refused(wrong, f"{path}.depends_on[0]"),
    )
    for name, text in {"string": '"true"', "number": "1", "array": "[true]"}.items():
        add(
            f"bool_is_{name}",
            f"A boolean written `{text}`.",
            operation(f'"dispatch":{{"geometry":{{"exactThreads":◆{text}}}}}'),
            Refused(wrong, f"{path}.operation.dispatch.geometry.exact_threads"),
        )
    for name, text in {"number": "1", "true": "true", "array": '["RESOURCE_ROLE_STATE"]'}.items():
        add(
            f"enum_is_{name}",
            f"An enum value written `{text}`.",
            graph(f'"resources":[{{"id":"r","role":◆{text}}}]'),
            Refused(wrong, "resources[0].role"),
        )
    for name, text in {"number": "0", "array": "[0]"}.items():
        add(
            f"bytes_is_{name}",
            f"Bytes written `{text}`.",
            operation(f'"fill":{{"pattern":{{"bits":◆{text}}}}}'),
            Refused(wrong, f"{path}.operation.fill.pattern.bits"),
        )


def _integers(group: Group) -> None:
    add = group.add
    wrong, spelling, out = "json.wrong-type", "json.number-spelling", "json.number-out-of-range"
    executions = "maximum_node_executions"
    add(
        "uint64_is_number",
        "A 64-bit number without quotes.",
        graph('"maximumNodeExecutions":◆7'),
        Refused(wrong, executions),
    )
    add(
        "uint64_is_true",
        "A 64-bit number written `true`.",
        graph('"maximumNodeExecutions":◆true'),
        Refused(wrong, executions),
    )
    size = "body.nodes[0].operation.dispatch.geometry.workgroup_size"

    def axes(text: str) -> str:
        return operation(f'"dispatch":{{"geometry":{{"workgroupSize":[1,{text}]}}}}')

    add("uint32_is_string", "A 32-bit number in quotes.", axes('◆"64"'), Refused(wrong, f"{size}[1]"))
    add("uint32_too_great", "2^32 in a 32-bit field.", axes("◆4294967296"), Refused(out, f"{size}[1]"))
    add("uint32_negative", "-1 in an unsigned field.", axes("◆-1"), Refused(out, f"{size}[1]"))
    add(
        "uint32_huge", "A number of five thousand digits.", axes("◆" + "9" * 5000), Refused(out, f"{size}[1]")
    )
    for name, text in {
        "empty": "",
        "leading_zero": "01",
        "plus": "+1",
        "minus_zero": "-0",
        "fraction": "1.0",
        "exponent": "1e3",
        "space_before": " 1",
        "space_after": "1 ",
        "hexadecimal": "0x1",
        "word": "NaN",
        "arabic": "\u0661",
        "separator": "1_000",
    }.items():
        add(
            f"uint64_{name}",
            f"A 64-bit number written `{text}`.",
            graph(f'"maximumNodeExecutions":◆"{text}"'),
            Refused(spelling, executions),
        )
    add(
        "uint64_too_great",
        "2^64.",
        graph('"maximumNodeExecutions":◆"18446744073709551616"'),
        Refused(out, executions),
    )
    add(
        "uint64_negative",
        "-1 in an unsigned field.",
        graph('"maximumNodeExecutions":◆"-1"'),
        Refused(out, executions),
    )
    add(
        "uint64_huge",
        "A number of five thousand digits, in quotes.",
        graph(f'"maximumNodeExecutions":◆"{"9" * 5000}"'),
        Refused(out, executions),
    )
    for name, text in {"great": "9223372036854775808", "small": "-9223372036854775809"}.items():
        add(
            f"sint64_too_{name}",
            f"{text} in a signed field.",
            graph(f'"parameters":[{{"id":"p","minimum":◆"{text}"}}]'),
            Refused(out, "parameters[0].minimum"),
        )


def _enums_and_bytes(group: Group) -> None:
    add = group.add
    unknown = Refused("json.unknown-enum-value", "resources[0].role")
    for name, text in {
        "future": "RESOURCE_ROLE_SHARED",
        "short": "STATE",
        "lower": "resource_role_state",
        "number": "5",
        "empty": "",
        "of_another": "MEMORY_CLASS_DEVICE",
    }.items():
        add(
            f"enum_{name}",
            f"An enum value written `{text}`.",
            graph(f'"resources":[{{"id":"r","role":◆"{text}"}}]'),
            unknown,
        )
    bits = Refused("json.invalid-base64", "body.nodes[0].operation.fill.pattern.bits")
    for name, text in {
        "url_alphabet": "-_8=",
        "no_padding": "AAA",
        "short_padding": "AA=",
        "long_padding": "AAAA====",
        "padding_only": "====",
        "padding_within": "AA==AAAA",
        "unused_bits": "AB==",
        "unused_bits_of_two": "AAB=",
        "one_character": "A",
        "space": "AA AA",
        "newline": "AAAA\\n",
        "five_characters": "0x000",
        "letter": "ÄÄÄÄ",
    }.items():
        add(
            f"base64_{name}",
            f"Bytes written `{text}`.",
            operation(f'"fill":{{"pattern":{{"bits":◆"{text}"}}}}'),
            bits,
        )
