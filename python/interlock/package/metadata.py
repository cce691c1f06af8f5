"""The metadata of containers: strict JSON, and records whose members are read with their types.

What is not as its format demands is `container.malformed`, with the file and the place in it as the path.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

import orjson

from interlock.diagnostic import ROOT, Path, Step
from interlock.package.container import ContainerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlock.limits import Limits

LARGEST_COUNT = (1 << 63) - 1
"""The largest number of bytes, or of anything else, that metadata may state."""

_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""A string, be it cut off at the end of the input, or a bracket outside of one."""
_OPENING: Final = frozenset(b"[{")
_CLOSING: Final = frozenset(b"]}")


def place_of(name: str) -> Path:
    """Return the path of a member of a container: a file or folder by its name."""
    return Path((Step(name),))


def malformed(message: str, path: Path = ROOT, byte_offset: int | None = None) -> ContainerError:
    """Return the error that says what a format demands and was not found."""
    return ContainerError("container.malformed", message, path, byte_offset)


def check_metadata_size(size: int, path: Path, limits: Limits) -> None:
    """Refuse a metadata file before it is read.

    Raises:
        ContainerError: `limit.metadata-bytes`.
    """
    if size > limits.metadata_bytes:
        message = f"the file has {size} bytes; the limit for metadata is {limits.metadata_bytes}"
        raise ContainerError("limit.metadata-bytes", message, path)


def parse_metadata(data: bytes, name: str, limits: Limits) -> dict[str, Any]:
    """Return the JSON object that a metadata file holds: UTF-8, no name twice in an object, bounded depth.

    Integers of up to 64 bits are exact; other numbers are finite floats.

    Args:
        data: The file.
        name: Its name in the container, the path of all findings.
        limits: `metadata_bytes` and `json_depth` bound it.

    Raises:
        ContainerError: `container.malformed`, `limit.metadata-bytes` or `limit.json-depth`.
    """
    path = place_of(name)
    check_metadata_size(len(data), path, limits)
    try:
        tree = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        _check_depth(data, path, limits.json_depth)
        offset = min(error.pos, len(data))
        raise malformed(f"the file is no JSON: {error.msg}", path, offset) from None
    if data.count(b"{") + data.count(b"[") > limits.json_depth:
        _check_depth(data, path, limits.json_depth)
    if not _names_are_unique(data, tree):
        _refuse_duplicates(data, path, limits.json_depth)
    if not isinstance(tree, dict):
        raise malformed(f"an object is required, not {_type_name(tree)}", path)
    return tree


def _check_depth(data: bytes, path: Path, maximum: int) -> None:
    depth = 0
    for token in _TOKEN.finditer(data):
        byte = token.group()[0]
        if byte in _OPENING:
            depth += 1
            if depth > maximum:
                raise _too_deep(path, maximum, token.start())
        elif byte in _CLOSING:
            depth -= 1


def _too_deep(path: Path, maximum: int, offset: int | None = None) -> ContainerError:
    message = f"objects and arrays nest deeper than {maximum}, which is the limit"
    return ContainerError("limit.json-depth", message, path, offset)


def _names_are_unique(data: bytes, tree: Any) -> bool:  # noqa: ANN401  (any JSON value)
    """Tell whether no object has a name twice, as far as that is seen quickly; True is certain.

    The fast reader keeps the last of equal names. Compact JSON is simply written again; in other JSON every
    name ends with a quote before its colon, so that there are as many of these in the input as in the tree.
    """
    try:
        compact = orjson.dumps(tree)
    except orjson.JSONEncodeError:  # it writes less deep than it reads
        return False
    if compact == data:
        return True
    if b"\\" in data or any(space + b":" in data for space in (b" ", b"\t", b"\n", b"\r")):
        return False
    return data.count(b'":') == compact.count(b'":')


def _refuse_duplicates(data: bytes, path: Path, maximum_depth: int) -> None:
    """Look at every object. The input is JSON, and as deep as it may be."""

    def checked(pairs: list[tuple[str, object]]) -> None:
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise malformed(f"the name `{name[:80]}` stands in one object a second time", path)
            names.add(name)

    try:
        json.loads(data, object_pairs_hook=checked, parse_int=len, parse_float=len)
    except RecursionError:
        raise _too_deep(path, maximum_depth) from None
    except ValueError as error:
        raise malformed(f"the file is no JSON: {error}", path) from None


def _type_name(value: object) -> str:
    if value is None:
        return "null"
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    return names.get(type(value), "a number")


@dataclass(frozen=True, slots=True)
class Record:
    """An object of a metadata file, and where it is. Each reader raises `container.malformed`."""

    members: Mapping[str, Any]
    path: Path

    @classmethod
    def parse(cls, data: bytes, name: str, limits: Limits) -> Record:
        """Read a metadata file; see `parse_metadata`."""
        return cls(parse_metadata(data, name, limits), place_of(name))

    def place(self, name: str) -> Path:
        """Return the path of a member."""
        return self.path.field(name)

    def has(self, name: str) -> bool:
        """Tell whether the member is there, be it null."""
        return name in self.members

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string. Without a default it has to be there."""
        value = self._member(name, default)
        return value if isinstance(value, str) else self._refuse(name, value, "a string")

    def count(self, name: str, default: int | None = None) -> int:
        """Return an integer from 0 to 2^63 - 1. Without a default it has to be there."""
        value = self._member(name, default)
        if type(value) is int and 0 <= value <= LARGEST_COUNT:
            return value
        return self._refuse(name, value, "an integer from 0 to 2^63 - 1")

    def flag(self, name: str, *, default: bool | None = None) -> bool:
        """Return a boolean. Without a default it has to be there."""
        value = self._member(name, default)
        return value if isinstance(value, bool) else self._refuse(name, value, "a boolean")

    def record(self, name: str) -> Record:
        """Return an object, which has to be there."""
        value = self._member(name, None)
        if isinstance(value, dict):
            return Record(value, self.place(name))
        return self._refuse(name, value, "an object")

    def optional_record(self, name: str) -> Record | None:
        """Return an object; None where there is none."""
        return self.record(name) if name in self.members else None

    def records(self, name: str, *, default: bool = False) -> tuple[Record, ...]:
        """Return an array of objects. With ``default`` it may be left out and is empty then."""
        records = []
        for index, value in enumerate(self.array(name, default=default)):
            path = self.path.element(name, index)
            if not isinstance(value, dict):
                raise malformed(f"an object is required, not {_type_name(value)}", path)
            records.append(Record(value, path))
        return tuple(records)

    def texts(self, name: str, *, default: bool = False) -> tuple[str, ...]:
        """Return an array of strings. With ``default`` it may be left out and is empty then."""
        values = self.array(name, default=default)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                path = self.path.element(name, index)
                raise malformed(f"a string is required, not {_type_name(value)}", path)
        return tuple(values)

    def array(self, name: str, *, default: bool = False) -> list[Any]:
        """Return an array. With ``default`` it may be left out and is empty then."""
        value = self._member(name, [] if default else None)
        return value if isinstance(value, list) else self._refuse(name, value, "an array")

    def require(self, name: str, value: str | int) -> None:
        """Demand that a member has one certain value."""
        found = self.text(name) if isinstance(value, str) else self.count(name)
        if found != value:
            raise malformed(f"`{found}` stands where `{value}` is required", self.place(name))

    def _member(self, name: str, default: object) -> Any:  # noqa: ANN401  (any JSON value)
        if name in self.members:
            return self.members[name]
        if default is None:
            raise malformed(f"the member `{name}` is missing", self.path)
        return default

    def _refuse(self, name: str, value: object, required: str) -> NoReturn:
        raise malformed(f"{required} is required, not {_shown(value)}", self.place(name))


def _shown(value: object) -> str:
    if type(value) is int or isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return _type_name(value)
