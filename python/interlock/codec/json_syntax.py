"""The syntax of strict JSON, and the first thing that is wrong with an input.

This reader keeps the byte offset of each value and names what it refuses. It is not fast and need not be:
inputs that are fine are read by orjson (``json_read``). Nesting costs it no recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

from interlock.codec.encoding import BYTE_ORDER_MARK
from interlock.codec.unicode import NONCHARACTER, describe, has_noncharacter
from interlock.diagnostic import ROOT, Path, Step
from interlock.errors import CodecError

if TYPE_CHECKING:
    from collections.abc import Callable

SPACE: Final = re.compile(rb"[ \t\n\r]*")
INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")
"""The one spelling of an integer."""

_NUMBER: Final = re.compile(rb"[A-Za-z0-9+.\-]*")
_WORD: Final = re.compile(rb"[A-Za-z0-9_]*")
_SIMPLE: Final = re.compile(rb'"([ !#-\[\]-~]*)"')
_PLAIN: Final = re.compile(rb'[^"\\\x00-\x1f]*')
_HEXADECIMAL: Final = re.compile(rb"[0-9A-Fa-f]{0,4}")
_SHOWN_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,64}")
_ESCAPES: Final = {
    0x22: '"',
    0x5C: "\\",
    0x2F: "/",
    0x62: "\b",
    0x66: "\f",
    0x6E: "\n",
    0x72: "\r",
    0x74: "\t",
}
_LITERALS: Final = {b"true": True, b"false": False, b"null": None}
_LETTERS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_DIGITS: Final = frozenset(b"0123456789")
_LAST_SPACE: Final = 0x20
_END: Final = -1


@dataclass(slots=True)
class Number:
    """A number, as it is spelled."""

    text: str


@dataclass(slots=True)
class Member:
    """A member of an object."""

    name: str
    name_offset: int
    value: Value


@dataclass(slots=True)
class Value:
    """A value and where it starts: an object, an array, a string, a number, or True, False, None."""

    offset: int
    content: list[Member] | list[Value] | str | Number | bool | None
    is_object: bool = False

    @property
    def members(self) -> list[Member] | None:
        """The members, if this is an object."""
        return self.content if self.is_object else None  # type: ignore[return-value]

    @property
    def elements(self) -> list[Value] | None:
        """The elements, if this is an array."""
        return self.content if isinstance(self.content, list) and not self.is_object else None  # type: ignore[return-value]

    @property
    def type_name(self) -> str:
        """What this is, for a sentence."""
        if isinstance(self.content, list):
            return "an object" if self.is_object else "an array"
        if isinstance(self.content, str):
            return "a string"
        if self.content is None:
            return "null"
        return "a number" if isinstance(self.content, Number) else "a boolean"


def parse_json(data: bytes, maximum_depth: int) -> Value:
    """Parse a whole input.

    Args:
        data: The input.
        maximum_depth: How deep objects and arrays may nest.

    Raises:
        CodecError: A code that starts with ``json.``, or ``limit.json-depth``.
    """
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise CodecError("json.invalid-utf8", "the input is not UTF-8 here", ROOT, error.start) from None
    if data.startswith(BYTE_ORDER_MARK):
        raise CodecError(
            "json.byte-order-mark", "the input starts with a byte order mark; leave it out", ROOT, 0
        )
    return _Parser(data, maximum_depth).parse()


@dataclass(slots=True)
class _Frame:
    """An object or array that is open."""

    value: Value
    name: str = ""
    """The name of the member that is being read."""
    names: set[str] = field(default_factory=set)


class _Parser:
    def __init__(self, data: bytes, maximum_depth: int) -> None:
        self._data = data
        self._maximum_depth = maximum_depth
        self._at = 0
        self._open: list[_Frame] = []

    def parse(self) -> Value:
        root = self._value()
        while self._open:
            self._step(self._open[-1])
        if self._next() != _END:
            self._refuse(
                "json.trailing-bytes", "something follows the value, which has to be all of the input"
            )
        return root

    def _next(self) -> int:
        """Skip white space and return the byte after it, or _END."""
        if self._at < len(self._data) and self._data[self._at] > _LAST_SPACE:
            return self._data[self._at]
        match = SPACE.match(self._data, self._at)
        self._at = match.end() if match else self._at
        return self._data[self._at] if self._at < len(self._data) else _END

    def _step(self, frame: _Frame) -> None:
        """Read one member or element and the value in it, or the end of the container."""
        is_object = frame.value.is_object
        content: list[object] = frame.value.content  # type: ignore[assignment]
        closer = 0x7D if is_object else 0x5D
        byte = self._next()
        if byte == closer:
            self._at += 1
            self._open.pop()
            return
        if content:
            if byte != 0x2C:
                self._refuse_byte(byte, f"`,` or `{chr(closer)}`")
            comma = self._at
            self._at += 1
            if self._next() in {0x7D, 0x5D}:
                self._refuse("json.trailing-comma", "a comma stands before the closing bracket", offset=comma)
        if is_object:
            name_offset = self._name(frame)
            content.append(Member(frame.name, name_offset, self._value()))
        else:
            content.append(None)
            content[-1] = self._value()

    def _name(self, frame: _Frame) -> int:
        """Read a name and its colon; return where the name starts."""
        byte = self._next()
        offset = self._at
        if byte == 0x27:
            self._refuse("json.single-quote", "a name starts with `'`; names stand in double quotes")
        if byte in _LETTERS or byte in _DIGITS or byte in {0x5F, 0x24}:
            self._refuse("json.unquoted-key", "a name stands without quotes; names stand in double quotes")
        if byte != 0x22:
            self._refuse_byte(byte, "a name in double quotes")
        frame.name = self._string(self._path)
        if frame.name in frame.names:
            message = f"the name `{frame.name[:80]}` stands in this object a second time"
            self._refuse("json.duplicate-key", message, offset=offset)
        frame.names.add(frame.name)
        byte = self._next()
        if byte != 0x3A:
            self._refuse_byte(byte, "`:`")
        self._at += 1
        return offset

    def _value(self) -> Value:
        """Read a scalar, or the opening bracket of a container."""
        byte = self._next()
        offset = self._at
        if byte in {0x7B, 0x5B}:
            if len(self._open) >= self._maximum_depth:
                message = (
                    f"objects and arrays nest deeper than {self._maximum_depth} here, which is the limit"
                )
                self._refuse("limit.json-depth", message, self._value_path())
            self._at += 1
            value = Value(offset, [], is_object=byte == 0x7B)
            self._open.append(_Frame(value))
            return value
        if byte == 0x22:
            return Value(offset, self._string(self._value_path))
        if byte == 0x27:
            message = "a string starts with `'`; strings stand in double quotes"
            self._refuse("json.single-quote", message, self._value_path())
        if byte in _DIGITS or byte in {0x2B, 0x2D, 0x2E}:
            return Value(offset, self._number())
        if byte not in _LETTERS:
            self._refuse_byte(byte, "a value")
        return Value(offset, self._literal())

    def _number(self) -> Number:
        text = self._token(_NUMBER).decode()
        if not INTEGER.fullmatch(text):
            message = (
                f"`{text[:80]}` is no integer in its one spelling: "
                "no fraction, exponent, plus sign or leading zero"
            )
            self._refuse("json.number-spelling", message, self._value_path())
        self._at += len(text)
        return Number(text)

    def _literal(self) -> bool | None:
        word = self._token(_WORD)
        if word not in _LITERALS:
            message = f"`{word[:80].decode()}` is no value; the words are true, false and null"
            self._refuse("json.invalid-literal", message, self._value_path())
        self._at += len(word)
        return _LITERALS[word]

    def _token(self, pattern: re.Pattern[bytes]) -> bytes:
        match = pattern.match(self._data, self._at)
        return match.group() if match else b""

    def _string(self, path: Callable[[], Path]) -> str:
        """Read a string from its opening quote to its closing one."""
        data = self._data
        simple = _SIMPLE.match(data, self._at)
        if simple:
            self._at = simple.end()
            return simple.group(1).decode()
        parts: list[str] = []
        self._at += 1
        while True:
            plain = self._token(_PLAIN)
            parts.append(self._plain(plain, path))
            self._at += len(plain)
            if self._at == len(data):
                self._refuse_end(path())
            byte = data[self._at]
            if byte == 0x22:
                self._at += 1
                return "".join(parts)
            if byte != 0x5C:
                message = f"the string holds the control character U+{byte:04X}, which has to be escaped"
                self._refuse("json.control-character", message, path())
            parts.append(self._escape(path))

    def _plain(self, raw: bytes, path: Callable[[], Path]) -> str:
        text = raw.decode()
        if has_noncharacter(text):
            match = NONCHARACTER.search(text)
            before = text[: match.start()].encode() if match else b""
            message = f"the string holds the noncharacter `{describe(text)}`"
            self._refuse("json.noncharacter", message, path(), self._at + len(before))
        return text

    def _escape(self, path: Callable[[], Path]) -> str:
        """Read an escape, or both of a surrogate pair."""
        start = self._at
        if start + 1 == len(self._data):
            self._refuse_end(path())
        simple = _ESCAPES.get(self._data[start + 1])
        if simple is not None:
            self._at += 2
            return simple
        code = self._unit(path)
        if 0xD800 <= code < 0xDC00 and self._data.startswith(b"\\u", self._at):
            low = self._unit(path)
            # Any other second half leaves the first one alone.
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) if 0xDC00 <= low < 0xE000 else code
        if 0xD800 <= code < 0xE000:
            self._refuse(
                "json.lone-surrogate", f"the surrogate U+{code:04X} lacks its other half", path(), start
            )
        text = chr(code)
        if has_noncharacter(text):
            message = f"the string holds the noncharacter `{describe(text)}`"
            self._refuse("json.noncharacter", message, path(), start)
        return text

    def _unit(self, path: Callable[[], Path]) -> int:
        r"""Read the UTF-16 code unit of a `\u` escape."""
        match = _HEXADECIMAL.match(self._data, self._at + 2) if self._data[self._at + 1] == 0x75 else None
        digits = match.group() if match else b""
        if len(digits) < 4:
            if match and match.end() == len(self._data):
                self._refuse_end(path())
            self._refuse("json.invalid-escape", "a backslash starts no escape that JSON knows", path())
        self._at += 6
        return int(digits, 16)

    def _path(self) -> Path:
        """Return the path of the innermost open container."""
        return _path_of(self._open[:-1])

    def _value_path(self) -> Path:
        """Return the path of the value that is being read."""
        return _path_of(self._open)

    def _refuse_byte(self, byte: int, expected: str) -> NoReturn:
        """Refuse a byte that is not what has to stand here, or the end of the input."""
        if byte == _END:
            self._refuse_end(self._path())
        if byte == 0x2F:
            self._refuse("json.comment", f"a `/` stands where {expected} has to be; JSON has no comments")
        found = f"`{chr(byte)}`" if 0x20 < byte < 0x7F else f"the byte 0x{byte:02X}"
        self._refuse("json.syntax", f"{found} stands where {expected} has to be")

    def _refuse_end(self, path: Path) -> NoReturn:
        raise CodecError("json.truncated", "the input ends before its value does", path, len(self._data))

    def _refuse(
        self, code: str, message: str, path: Path | None = None, offset: int | None = None
    ) -> NoReturn:
        raise CodecError(
            code, message, self._path() if path is None else path, self._at if offset is None else offset
        )


def _path_of(frames: list[_Frame]) -> Path:
    """Return the path of the value that is being read in the innermost of some open containers."""
    steps: list[Step] = []
    for frame in frames:
        if frame.value.is_object:
            steps.append(Step(frame.name if _SHOWN_NAME.fullmatch(frame.name) else "?"))
            continue
        index = len(frame.value.content) - 1  # type: ignore[arg-type]
        above = steps.pop() if steps else Step("")
        # Arrays within arrays are no field of anything: their positions follow each other in one step.
        steps.append(Step(above.field, index) if above.index is None else Step(str(above), index))
    return Path(tuple(steps))
