"""The syntax of JSON documents: everything that is no JSON, or JSON in another spelling."""

from __future__ import annotations

from decode_cases.model import Group, Refused

HEADER = '"header":{"kind":"DOCUMENT_KIND_EXECUTION_GRAPH","requiredFeatures":["draft-1"],"schemaMajor":1}'


def graph(members: str) -> str:
    """Return an execution graph with these members after its header."""
    return f"{{{HEADER},{members}}}"


def cases() -> Group:
    """Return the cases of this group."""
    group = Group("json/syntax")
    _bytes(group)
    _structure(group)
    _truncation(group)
    _names(group)
    return group


def _bytes(group: Group) -> None:
    add = group.add
    bad = Refused("json.invalid-utf8", "")
    start = f'{{{HEADER},"id":"a◆'.encode()
    for name, data, description in (
        ("stray_byte", b"\xff", "The byte FF in a string."),
        ("cut_short", b"\xe2\x82", "A character of three bytes that ends after two."),
        ("surrogate", b"\xed\xa0\x80", "The bytes of a surrogate in a string."),
        ("overlong", b"\xc0\xaf", "A slash in two bytes."),
        ("beyond_unicode", b"\xf4\x90\x80\x80", "U+110000."),
    ):
        add(f"utf8_{name}", description, start + data + b'"}', bad)
    add(
        "utf8_before_all_else",
        "A bad byte at the very end of an input that is no JSON either.",
        b"{'a': /" + "◆".encode() + b"\x80",
        bad,
    )
    add(
        "byte_order_mark",
        "A byte order mark.",
        "◆\ufeff" + graph('"id":"g"'),
        Refused("json.byte-order-mark", ""),
    )
    add(
        "two_documents",
        "Two documents.",
        graph('"id":"g"') + "◆" + graph('"id":"g"'),
        Refused("json.trailing-bytes", ""),
    )
    add(
        "trailing_brace",
        "A bracket too many.",
        graph('"id":"g"') + "\n◆}",
        Refused("json.trailing-bytes", ""),
    )
    add(
        "trailing_comma_root",
        "A comma after the document.",
        graph('"id":"g"') + "◆,",
        Refused("json.trailing-bytes", ""),
    )
    add(
        "trailing_nul",
        "A NUL after the document.",
        graph('"id":"g"') + "◆\0",
        Refused("json.trailing-bytes", ""),
    )
    add(
        "trailing_comment",
        "A comment after the document.",
        graph('"id":"g"') + " ◆// end",
        Refused("json.trailing-bytes", ""),
    )
    add(
        "form_feed",
        "A form feed between two tokens is no white space.",
        f'{{{HEADER},◆\f"id":"g"}}',
        Refused("json.syntax", ""),
    )
    add(
        "no_break_space",
        "A no-break space between two tokens is no white space.",
        f'{{{HEADER}◆\u00a0,"id":"g"}}',
        Refused("json.syntax", ""),
    )


def _structure(group: Group) -> None:
    add = group.add
    syntax = "json.syntax"
    add("missing_colon", "A name without colon.", f'{{{HEADER},"id"◆"g"}}', Refused(syntax, ""))
    add("missing_comma", "Two members without comma.", f'{{{HEADER}◆"id":"g"}}', Refused(syntax, ""))
    add("two_commas", "Two commas.", f'{{{HEADER},◆,"id":"g"}}', Refused(syntax, ""))
    add("leading_comma", "A comma before the first member.", f"{{◆,{HEADER}}}", Refused(syntax, ""))
    add("missing_value", "A name, a colon and no value.", f'{{{HEADER},"id":◆}}', Refused(syntax, ""))
    add("equals_sign", "An equals sign for a colon.", f'{{{HEADER},"id"◆="g"}}', Refused(syntax, ""))
    add(
        "wrong_bracket",
        "An array that ends as an object.",
        graph('"parameters":[◆}'),
        Refused(syntax, "parameters"),
    )
    add(
        "wrong_bracket_object",
        "An object that ends as an array.",
        graph('"body":{◆]'),
        Refused(syntax, "body"),
    )
    add(
        "wrong_bracket_element",
        "An array that ends as an object after its first element.",
        graph('"parameters":[{"id":"p"}◆}'),
        Refused(syntax, "parameters"),
    )
    add(
        "missing_comma_array",
        "Two elements without comma.",
        graph('"parameters":[{"id":"p"}◆{"id":"q"}]'),
        Refused(syntax, "parameters"),
    )
    add(
        "trailing_comma",
        "A comma after the last member.",
        f'{{{HEADER},"id":"g"◆,}}',
        Refused("json.trailing-comma", ""),
    )
    add(
        "trailing_comma_array",
        "A comma after the last element.",
        graph('"body":{"nodes":[{"id":"n","dependsOn":["m"◆, ]}]}'),
        Refused("json.trailing-comma", "body.nodes[0].dependsOn"),
    )
    add(
        "comment_first",
        "A comment before the document.",
        f"◆/* one */{{{HEADER}}}",
        Refused("json.comment", ""),
    )
    add(
        "comment_name",
        "A comment where a name should be.",
        f'{{{HEADER},\n◆// the id\n"id":"g"}}',
        Refused("json.comment", ""),
    )
    add(
        "comment_colon",
        "A comment where a colon should be.",
        f'{{{HEADER},"id"◆/**/:"g"}}',
        Refused("json.comment", ""),
    )
    add(
        "comment_comma",
        "A comment where a comma should be.",
        f'{{{HEADER} ◆/* , */,"id":"g"}}',
        Refused("json.comment", ""),
    )
    add(
        "comment_array",
        "A comment in an array.",
        graph('"parameters":[◆/* none */]'),
        Refused("json.comment", "parameters"),
    )
    add(
        "comment_value",
        "A comment where a value should be.",
        graph('"id":◆/**/"g"'),
        Refused("json.comment", ""),
    )
    add("comment_hash", "A comment as in a shell.", f'{{{HEADER},◆# id\n"id":"g"}}', Refused(syntax, ""))
    add(
        "slash_in_string",
        "Slashes in a string are no comment, but this one does not end.",
        graph('"id":"//g')[:-1] + "◆",
        Refused("json.truncated", "id"),
    )


def _truncation(group: Group) -> None:
    add = group.add
    cut = Refused("json.truncated", "")
    add("cut_nothing", "Nothing at all.", "◆", cut)
    add("cut_white_space", "White space only.", " \n\t◆", cut)
    add("cut_open", "An opening bracket.", "{◆", cut)
    add(
        "cut_header",
        "The end within the header.",
        '{"header":{"kind":"DOCUMENT_KIND_EXECUTION_GRAPH"◆',
        Refused("json.truncated", "header"),
    )
    add("cut_after_member", "The end after a member.", f"{{{HEADER}◆", cut)
    add("cut_after_comma", "The end after a comma.", f"{{{HEADER},◆", cut)
    add("cut_in_name", "The end within a name.", f'{{{HEADER},"i◆', cut)
    add("cut_after_name", "The end after a name.", f'{{{HEADER},"id"◆', cut)
    add("cut_after_colon", "The end after a colon.", f'{{{HEADER},"id":◆', cut)
    add("cut_in_string", "The end within a string.", f'{{{HEADER},"id":"g◆', Refused("json.truncated", "id"))
    add(
        "cut_after_backslash",
        "The end after a backslash.",
        f'{{{HEADER},"id":"g\\◆',
        Refused("json.truncated", "id"),
    )
    add(
        "cut_in_escape",
        "The end within an escape.",
        f'{{{HEADER},"id":"\\u00◆',
        Refused("json.truncated", "id"),
    )
    add(
        "cut_between_surrogates",
        "The end between two halves of a character: the first is alone.",
        f'{{{HEADER},"id":"◆\\ud83d',
        Refused("json.lone-surrogate", "id"),
    )
    add(
        "cut_in_second_surrogate",
        "The end within the second half of a character.",
        f'{{{HEADER},"id":"\\ud83d\\ude◆',
        Refused("json.truncated", "id"),
    )
    add("cut_after_string", "The end after a string.", f'{{{HEADER},"id":"g"◆', cut)
    add(
        "cut_array",
        "The end within an array.",
        f'{{{HEADER},"parameters":[◆',
        Refused("json.truncated", "parameters"),
    )
    add(
        "cut_array_comma",
        "The end after a comma of an array.",
        f'{{{HEADER},"parameters":[{{}},◆',
        Refused("json.truncated", "parameters"),
    )
    add(
        "cut_element",
        "The end within an element.",
        f'{{{HEADER},"parameters":[{{}},{{"id":"p"◆',
        Refused("json.truncated", "parameters[1]"),
    )
    add(
        "cut_word",
        "The end within a word, which is judged as it stands.",
        f'{{{HEADER},"body":◆tru',
        Refused("json.invalid-literal", "body"),
    )
    add(
        "cut_number",
        "The end within a number, which is judged as it stands.",
        f'{{{HEADER},"body":◆1.',
        Refused("json.number-spelling", "body"),
    )
    add("cut_after_number", "The end after a number that is one.", f'{{{HEADER},"body":12◆', cut)


def _names(group: Group) -> None:
    add = group.add
    key, single = "json.unquoted-key", "json.single-quote"
    add("unquoted_key", "A name without quotes.", f'{{{HEADER},◆id:"g"}}', Refused(key, ""))
    add("unquoted_key_digit", "A number as a name.", graph('"body":{◆1:2}'), Refused(key, "body"))
    add(
        "unquoted_key_dollar",
        "A name that begins with a dollar sign.",
        graph('"body":{◆$ref:2}'),
        Refused(key, "body"),
    )
    add(
        "unquoted_key_underscore",
        "A name that begins with an underscore.",
        graph('"body":{◆_:2}'),
        Refused(key, "body"),
    )
    add("unquoted_key_word", "A word as a name.", graph('"body":{◆null:2}'), Refused(key, "body"))
    add(
        "minus_as_key",
        "A minus sign where a name should be.",
        graph('"body":{◆-1:2}'),
        Refused("json.syntax", "body"),
    )
    add("single_quoted_key", "A name in single quotes.", f"{{{HEADER},◆'id':\"g\"}}", Refused(single, ""))
    add("single_quoted_value", "A string in single quotes.", graph("\"id\":◆'g'"), Refused(single, "id"))
    add(
        "single_quoted_element",
        "An element in single quotes.",
        graph('"body":{"nodes":[{"dependsOn":[◆\'g\']}]}'),
        Refused(single, "body.nodes[0].dependsOn[0]"),
    )
    add("duplicate_key", "The id twice.", graph('"id":"g",◆"id":"h"'), Refused("json.duplicate-key", ""))
    add(
        "duplicate_key_equal",
        "The same id twice.",
        graph('"id":"g",◆"id":"g"'),
        Refused("json.duplicate-key", ""),
    )
    add("duplicate_header", "The header twice.", f"{{{HEADER},◆{HEADER}}}", Refused("json.duplicate-key", ""))
    add(
        "duplicate_key_escaped",
        "The same name, once with an escape.",
        graph('"id":"g",◆"\\u0069d":"h"'),
        Refused("json.duplicate-key", ""),
    )
    add(
        "duplicate_key_nested",
        "A name twice in an element.",
        graph('"parameters":[{"id":"p"},{"id":"q",◆"id":"r"}]'),
        Refused("json.duplicate-key", "parameters[1]"),
    )
    add(
        "duplicate_key_unknown",
        "A name that no message has, twice: that is syntax, and comes first.",
        graph('"x y":{},◆"x y":{}'),
        Refused("json.duplicate-key", ""),
    )
    add(
        "odd_name_in_path",
        "A name that is not spelled like a field is not repeated in a path.",
        graph('"x y":{"a":1,◆"a":2}'),
        Refused("json.duplicate-key", "?"),
    )
    add(
        "long_name_in_path",
        "A name of 65 letters is not repeated in a path.",
        graph(f'"{"x" * 65}":{{"a":1,◆"a":2}}'),
        Refused("json.duplicate-key", "?"),
    )
    add(
        "longest_name_in_path",
        "A name of 64 letters is repeated in a path.",
        graph(f'"{"x" * 64}":{{"a":1,◆"a":2}}'),
        Refused("json.duplicate-key", "x" * 64),
    )
