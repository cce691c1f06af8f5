"""The codes of reading and writing documents, with what each means and what to do about it.

The order in which a reader looks for them is in `docs/canonical-form.md`.
"""

from __future__ import annotations

_MENDED = " `interlock canonicalize` mends it."

READING_CODES: dict[str, str] = {
    "canonical.default-value": (
        "A field is written although it holds its default, which is said by leaving it out." + _MENDED
    ),
    "canonical.duplicate-field": "A field that exists once is written twice.",
    "canonical.duplicate-key": (
        "Two elements of a set have the same key. Elements with an id are told apart by it; the others "
        "by all they hold."
    ),
    "canonical.duplicate-oneof": (
        "Two alternatives of one choice are written; a reader would have to guess which counts."
    ),
    "canonical.empty-list": (
        "A list is written although it has no elements; it is said by leaving it out." + _MENDED
    ),
    "canonical.empty-message": (
        "A message is written although nothing is in it. Only an alternative of a choice and an element "
        "of an ordered list may be empty; anything else is said by leaving it out."
    ),
    "canonical.field-order": "Fields do not ascend by number." + _MENDED,
    "canonical.overlong-varint": "A number takes more bytes than it needs." + _MENDED,
    "canonical.required-features": (
        "The header does not list exactly the features that the document uses. They are computed, never "
        "chosen." + _MENDED
    ),
    "canonical.schema-minor": (
        "The header states another minor version than the smallest that defines what the document uses. "
        "It is computed, never chosen." + _MENDED
    ),
    "canonical.split-list": "A list of numbers is written in several pieces." + _MENDED,
    "canonical.unknown-enum-value": (
        "An enum holds a number that this reader does not know. The document is damaged, or newer than "
        "it says."
    ),
    "canonical.unknown-field": (
        "A message holds a field that this reader does not know. The document is damaged, or newer than "
        "it says."
    ),
    "canonical.unpacked-list": "A list of numbers is written with a tag for each." + _MENDED,
    "canonical.unsorted-set": "The elements of a set do not ascend by key." + _MENDED,
    "header.duplicate": "The header is written twice.",
    "header.kind-mismatch": "The document is of another kind than the one that was asked for.",
    "header.missing": "The document does not start with a header, so it is not known what it is.",
    "header.unknown-kind": "The header names a kind of document that this reader does not know.",
    "json.byte-order-mark": "The input starts with a byte order mark, which JSON does not have.",
    "json.comment": "The input has a comment, which JSON does not have.",
    "json.control-character": "A string holds a control character as it is; it has to be escaped.",
    "json.duplicate-key": (
        "An object has two members of one name. Readers disagree about which one counts, so none does."
    ),
    "json.duplicate-oneof": (
        "Two alternatives of one choice are there; a reader would have to guess which counts."
    ),
    "json.invalid-base64": "Bytes are not spelled in padded base64 of the standard alphabet.",
    "json.invalid-escape": "A backslash in a string is followed by something that is no escape sequence.",
    "json.invalid-literal": "A word stands where a value should be, and it is not `true`, `false` or `null`.",
    "json.invalid-utf8": "The input is not UTF-8.",
    "json.lone-surrogate": "A string holds half of a surrogate pair, which is no character.",
    "json.noncharacter": "A string holds a code point that Unicode reserves for no character.",
    "json.null": "A member is `null`. What is not there is left out.",
    "json.number-out-of-range": "A number does not fit the type of its field.",
    "json.number-spelling": (
        "A number is not spelled as a whole number in plain digits: no fraction, exponent, plus sign or "
        "leading zero. 64-bit integers are spelled so in a string."
    ),
    "json.proto-name": "A member is named as in the `.proto` file; in JSON names are lowerCamelCase.",
    "json.single-quote": "A string or a name stands in single quotes; JSON has double quotes.",
    "json.syntax": "The input is not JSON.",
    "json.trailing-bytes": "Something follows the document.",
    "json.trailing-comma": "A comma stands before the end of an object or array.",
    "json.truncated": "The input ends in the middle of a value.",
    "json.unknown-enum-value": "An enum is not spelled with the full name of a value that this reader knows.",
    "json.unknown-field": "An object has a member that this reader does not know.",
    "json.unquoted-key": "A name of a member stands without quotes.",
    "json.wrong-type": "A value is of another JSON type than its field demands.",
    "limit.document-bytes": "The input is larger than the limit `document_bytes`. It was not read further.",
    "limit.json-depth": "Objects and arrays nest deeper than the limit `json_depth`.",
    "limit.message-depth": "Messages nest deeper than the limit `message_depth`.",
    "limit.repeated-elements": "A repeated field has more elements than the limit `repeated_elements`.",
    "limit.string-bytes": "A string or bytes field is longer than the limit `string_bytes`.",
    "text.malformed": "The input is not a message of the schema in protobuf's text format.",
    "version.newer-minor": (
        "The document uses a newer minor version of the schema than this reader knows. Update the "
        "reader; the bytes may be hashed, stored and forwarded meanwhile."
    ),
    "version.unknown-feature": (
        "The document requires a feature that this reader does not know. Update the reader, or make the "
        "document without it."
    ),
    "version.unknown-major": "The document is of another major version of the schema.",
    "wire.group": "A field has the wire type of a group, which the schema never uses.",
    "wire.invalid-tag": "The bytes where a field should start are no tag of one.",
    "wire.invalid-utf8": "A string is not UTF-8.",
    "wire.noncharacter": "A string holds a code point that Unicode reserves for no character.",
    "wire.truncated": "The input ends in the middle of a field, or a field is longer than what holds it.",
    "wire.value-out-of-range": "A number does not fit the type of its field.",
    "wire.varint-overflow": "A number has more than 64 bits.",
    "wire.wrong-type": "A field has another wire type than the schema gives it.",
}
"""Code to meaning. Every one of them ends reading, at the first place where it occurs."""
