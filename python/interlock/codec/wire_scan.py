"""The definition of canonical binary: one pass over the bytes that finds the first thing that is wrong.

This is the reader that reports. In large messages it skips what is shown to be canonical by other means
(``wire_run``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NoReturn

from interlock.codec.keys import key_function
from interlock.codec.kinds import INTEGER_RANGES, Kind
from interlock.codec.unicode import describe, has_noncharacter
from interlock.codec.varint import (
    MAXIMUM_TAG,
    VarintError,
    WireType,
    is_overlong,
    number_of,
    read_varint,
    write_varint,
)
from interlock.codec.walk import sort_sets
from interlock.diagnostic import ROOT, Path
from interlock.errors import CodecError

if TYPE_CHECKING:
    from interlock.codec.schema import FieldInfo, MessageInfo
    from interlock.codec.wire_run import Run
    from interlock.limits import Limits


LARGE: Final = 1 << 15
"""From this size in bytes on, the elements of a message are looked at in runs."""


def scan(data: bytes, info: MessageInfo, limits: Limits, *, canonicalize: bool = False) -> bytes:
    """Check that bytes are the canonical binary of a message, apart from what its header states.

    Args:
        data: The whole document.
        info: The root message.
        limits: Bounds on strings, lists and depth.
        canonicalize: Accept what can be mended without a choice.

    Returns:
        The bytes, in which varints are minimal and defaults left out; nothing else is mended.

    Raises:
        CodecError: The first deviation, with the offset of the tag of the field that is concerned.
    """
    respelled = _Scan(data, info, limits, canonicalize).message(info, 0, len(data), ROOT, 1)
    return respelled if canonicalize else data


@dataclass(slots=True)
class _Field:
    """The field that is being read: where its tag starts, and where the reader stands."""

    info: FieldInfo
    path: Path
    offset: int
    at: int
    end: int
    """The end of the enclosing message."""


@dataclass(slots=True)
class _Message:
    """What was seen of the message that is being read."""

    last_number: int = 0
    seen: set[int] = field(default_factory=set)
    oneofs: set[str] = field(default_factory=set)
    counts: dict[int, int] = field(default_factory=dict)
    previous_key: dict[int, object] = field(default_factory=dict)
    keys: dict[int, set[object]] = field(default_factory=dict)
    respelled: bytearray = field(default_factory=bytearray)
    read_up_to: int = 0
    """Where a run of elements ends that is not shown to be canonical and has to be read."""


class _Scan:
    def __init__(self, data: bytes, root: MessageInfo, limits: Limits, canonicalize: bool) -> None:  # noqa: FBT001
        self._data = data
        self._root = root
        self._limits = limits
        self._mend = canonicalize

    def message(self, info: MessageInfo, start: int, end: int, path: Path, depth: int) -> bytes:
        """Read one message; if it may be mended, return its bytes with minimal varints and no defaults."""
        state = _Message()
        at = start
        while at < end:
            if end - at > LARGE and at >= state.read_up_to:
                after = self._skip(info, at, end, state, depth)
                if after > at:
                    at = after
                    continue
            offset = at
            tag, at = self._tag(at, end, path)
            item = info.by_number.get(tag >> 3)
            if item is None:
                message = f"`{info.name}` has no field of number {tag >> 3}"
                raise CodecError("canonical.unknown-field", message, path, offset)
            count = state.counts.get(item.number, 0)
            place = (
                path.element(item.name, count)
                if item.repeated and not item.kind.is_scalar
                else path.field(item.name)
            )
            here = _Field(item, place, offset, at, end)
            if depth == 1 and item.number == 1 and not item.repeated and 1 in state.seen:
                self._refuse(
                    here, "header.duplicate", "the header stands here a second time; a document has one"
                )
            packed = self._check_wire_type(here, tag & 7)
            self._check_order(here, state, packed)
            at = self._value(here, state, depth, packed)
        return bytes(state.respelled)

    def _skip(self, info: MessageInfo, at: int, end: int, state: _Message, depth: int) -> int:
        """Return the position after a run of elements shown to be canonical together, or ``at``."""
        from interlock.codec.regular import is_canonical  # noqa: PLC0415 - not for small documents
        from interlock.codec.wire_run import find_run  # noqa: PLC0415 - as above

        run = find_run(self._data, at, end, info)
        if run is None:
            return at
        state.read_up_to = run.end
        number, count = run.info.number, state.counts.get(run.info.number, 0) + len(run.elements)
        if count > self._limits.repeated_elements or (number < state.last_number and not self._mend):
            return at
        levels = self._limits.message_depth - depth + 1
        if not is_canonical(self._data[at : run.end], info, replace(self._limits, message_depth=levels)):
            return at
        if run.info.is_set and not self._follows(run, state):
            return at
        state.last_number = number
        state.seen.add(number)
        state.counts[number] = count
        if self._mend:
            state.respelled += self._data[at : run.end]
        return run.end

    def _follows(self, run: Run, state: _Message) -> bool:
        """Tell whether a run continues its set as it has to, and if so, remember its keys."""
        number = run.info.number
        keys = run.keys(self._data, all_of_them=self._mend)
        if self._mend:
            known = state.keys.setdefault(number, set())
            if not known.isdisjoint(keys):
                return False
            known.update(keys)
        else:
            if number in state.previous_key and not state.previous_key[number] < keys[0]:  # type: ignore[operator]
                return False
            state.previous_key[number] = keys[-1]
        return True

    def _tag(self, at: int, end: int, path: Path) -> tuple[int, int]:
        try:
            tag, after = read_varint(self._data, at, end)
        except VarintError as error:
            raise CodecError(error.code, "the tag of a field is no varint", path, at) from None
        if is_overlong(self._data, at, after) and not self._mend:
            message = f"the tag takes {after - at} bytes, more than it needs"
            raise CodecError("canonical.overlong-varint", message, path, at)
        wire_type = tag & 7
        if tag < 8 or wire_type > WireType.I32 or tag > MAXIMUM_TAG:
            raise CodecError("wire.invalid-tag", f"`{tag}` is no tag of a field", path, at)
        if wire_type in {WireType.GROUP_START, WireType.GROUP_END}:
            raise CodecError("wire.group", "groups do not exist in this format", path, at)
        return tag, after

    def _check_wire_type(self, here: _Field, wire_type: int) -> bool:
        """Tell whether the field is a packed list."""
        info = here.info
        if info.repeated and info.kind.is_scalar:
            if wire_type == WireType.LEN:
                return True
            if wire_type == WireType.VARINT:
                if not self._mend:
                    self._refuse(
                        here, "canonical.unpacked-list", "the elements of this list have to be packed"
                    )
                return False
        if wire_type != (WireType.VARINT if info.kind.is_scalar else WireType.LEN):
            message = f"wire type {wire_type} is not that of a field of type {info.kind.value}"
            self._refuse(here, "wire.wrong-type", message)
        return False

    def _check_order(self, here: _Field, state: _Message, packed: bool) -> None:  # noqa: FBT001
        info = here.info
        if info.number < state.last_number and not self._mend:
            message = f"field {info.number} follows field {state.last_number}; fields ascend by number"
            self._refuse(here, "canonical.field-order", message)
        if info.number in state.seen and not info.repeated:
            self._refuse(here, "canonical.duplicate-field", f"`{info.name}` stands here a second time")
        if info.oneof is not None:
            if info.oneof in state.oneofs:
                message = f"`{info.name}` is a second arm of `{info.oneof}`, which takes one"
                self._refuse(here, "canonical.duplicate-oneof", message)
            state.oneofs.add(info.oneof)
        if packed and info.number in state.seen and not self._mend:
            self._refuse(
                here, "canonical.split-list", f"`{info.name}` goes on here; a packed list is in one piece"
            )
        state.last_number = info.number
        state.seen.add(info.number)

    def _value(self, here: _Field, state: _Message, depth: int, packed: bool) -> int:  # noqa: FBT001
        """Read a value and return the position after it."""
        info = here.info
        if packed:
            return self._packed(here, state)
        if info.repeated:
            self._count(here, state)
        if info.kind.is_scalar:
            value, after = self._scalar(here, here.end)
            if self._mend and (value or info.explicit or info.repeated):
                state.respelled += _tag_of(info, WireType.VARINT) + self._minimal(here.at, after)
            if info.is_set:
                self._place(here, state, value)
            return after
        start, after = self._extent(here)
        if info.kind is Kind.MESSAGE:
            self._submessage(here, state, depth, start, after)
        else:
            self._check_string(here, start, after)
            if self._mend and (start != after or info.explicit or info.repeated):
                state.respelled += _delimited(info, self._data[start:after])
            if info.is_set:
                self._place(here, state, self._data[start:after])
        return after

    def _packed(self, here: _Field, state: _Message) -> int:
        here.at, after = self._extent(here)
        if here.at == after and not self._mend:
            self._refuse(here, "canonical.empty-list", "a list without elements is left out")
        respelled = bytearray()
        while here.at < after:
            self._count(here, state)
            value, following = self._scalar(here, after)
            if self._mend:
                respelled += self._minimal(here.at, following)
            here.at = following
            if here.info.is_set:
                self._place(here, state, value)
        if respelled:
            state.respelled += _delimited(here.info, respelled)
        return after

    def _minimal(self, at: int, after: int) -> bytes:
        """Return the varint at a position with no more bytes than it needs."""
        return write_varint(read_varint(self._data, at, after)[0])

    def _count(self, here: _Field, state: _Message) -> None:
        count = state.counts.get(here.info.number, 0)
        if count >= self._limits.repeated_elements:
            message = f"the list has more than {count} elements, which is the limit"
            self._refuse(here, "limit.repeated-elements", message)
        state.counts[here.info.number] = count + 1

    def _varint(self, here: _Field, end: int) -> tuple[int, int]:
        try:
            return read_varint(self._data, here.at, end)
        except VarintError as error:
            self._refuse(here, error.code, "the value is no varint")

    def _check_minimal(self, here: _Field, after: int) -> None:
        if is_overlong(self._data, here.at, after) and not self._mend:
            message = f"the varint takes {after - here.at} bytes, more than it needs"
            self._refuse(here, "canonical.overlong-varint", message)

    def _extent(self, here: _Field) -> tuple[int, int]:
        """Read the length of a value; return where the value starts and ends."""
        length, start = self._varint(here, here.end)
        if length > here.end - start:
            message = (
                f"the value is `{length}` bytes long, but only {here.end - start} are left in its message"
            )
            self._refuse(here, "wire.truncated", message)
        self._check_minimal(here, start)
        return start, start + length

    def _scalar(self, here: _Field, end: int) -> tuple[int, int]:
        """Read a scalar; return its value, and the position after it."""
        info = here.info
        raw, after = self._varint(here, end)
        self._check_minimal(here, after)
        value = number_of(info.kind, raw)
        if info.kind is Kind.BOOL and value > 1:
            self._refuse(here, "wire.value-out-of-range", f"`{value}` is no boolean, which is 0 or 1")
        if info.kind is Kind.ENUM and value not in info.enum.by_number:
            message = f"`{value}` is no value of `{info.enum.name}` that this reader knows"
            self._refuse(here, "canonical.unknown-enum-value", message)
        if info.kind in INTEGER_RANGES:
            least, greatest = INTEGER_RANGES[info.kind]
            if not least <= value <= greatest:
                self._refuse(
                    here, "wire.value-out-of-range", f"`{value}` does not fit into {info.kind.value}"
                )
        if value == 0 and not info.explicit and not info.repeated and not self._mend:
            self._refuse(here, "canonical.default-value", "a field that holds its default is left out")
        return value, after

    def _check_string(self, here: _Field, start: int, end: int) -> None:
        info = here.info
        if start == end and not info.explicit and not info.repeated and not self._mend:
            self._refuse(here, "canonical.default-value", "a field that holds its default is left out")
        if end - start > self._limits.string_bytes:
            message = f"the value is {end - start} bytes long; the limit is {self._limits.string_bytes}"
            self._refuse(here, "limit.string-bytes", message)
        if info.kind is Kind.STRING:
            try:
                text = self._data[start:end].decode()
            except UnicodeDecodeError:
                self._refuse(here, "wire.invalid-utf8", "the string is not UTF-8")
            if has_noncharacter(text):
                self._refuse(
                    here, "wire.noncharacter", f"the string holds the noncharacter `{describe(text)}`"
                )

    def _submessage(self, here: _Field, state: _Message, depth: int, start: int, end: int) -> None:
        info = here.info
        if start == end and not info.may_be_empty:
            self._refuse(here, "canonical.empty-message", _EMPTY)
        if depth >= self._limits.message_depth:
            message = f"messages nest deeper than {self._limits.message_depth} here, which is the limit"
            self._refuse(here, "limit.message-depth", message)
        content = self.message(info.message, start, end, here.path, depth + 1)
        if self._mend:
            if not content and not info.may_be_empty:
                self._refuse(here, "canonical.empty-message", _EMPTY)
            state.respelled += _delimited(info, content)
        if info.is_set:
            element = info.message.message_class.FromString(content if self._mend else self._data[start:end])
            if self._mend:
                sort_sets(element, info.message)
            self._place(here, state, key_function(info)(element))

    def _place(self, here: _Field, state: _Message, key: object) -> None:
        """Check the place of an element in its set, by its key."""
        number = here.info.number
        if self._mend:
            keys = state.keys.setdefault(number, set())
            if key in keys:
                self._refuse_key(here, "canonical.duplicate-key", key)
            keys.add(key)
            return
        if number in state.previous_key:
            previous = state.previous_key[number]
            if key == previous:
                self._refuse_key(here, "canonical.duplicate-key", key)
            if key < previous:  # type: ignore[operator]
                self._refuse_key(here, "canonical.unsorted-set", key)
        state.previous_key[number] = key

    def _refuse_key(self, here: _Field, code: str, key: object) -> NoReturn:
        what = "equals an earlier one" if code == "canonical.duplicate-key" else "is less than the one before"
        keys = " and ".join(f"`{name}`" for name in here.info.keys) or "value"
        self._refuse(here, code, f"the {keys} of this element of `{here.info.name}` {what}{_shown(key)}")

    def _refuse(self, here: _Field, code: str, message: str) -> NoReturn:
        raise CodecError(code, message, here.path, here.offset)


def _tag_of(info: FieldInfo, wire_type: WireType) -> bytes:
    return write_varint(info.number << 3 | wire_type)


def _delimited(info: FieldInfo, content: bytes | bytearray) -> bytes:
    return _tag_of(info, WireType.LEN) + write_varint(len(content)) + content


_EMPTY = "an empty message says nothing here and is left out"


def _shown(key: object) -> str:
    """Return a key for a sentence, if it is a short plain value."""
    if isinstance(key, bytes):
        key = key.decode(errors="replace")
    return f": `{key}`" if isinstance(key, str | int) and len(str(key)) <= 80 else ""
