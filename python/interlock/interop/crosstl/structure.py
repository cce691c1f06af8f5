"""The structure of a CrossTL graph document: which members each object has, and how they are normalised.

A document in normal form has its members in CrossTL's own order, no nulls, the defaults that CrossTL writes,
and free values sorted by member. Reading collects every violation; meaning is judged elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from interlock.diagnostic import ROOT, Diagnostic, Path, Severity, Step
from interlock.interop.crosstl.json_text import DuplicateMembers, JsonValue
from interlock.limits import DEFAULT_LIMITS

DOCUMENT_KIND = "crosstl-runtime-execution-graph"
SCHEMA_VERSION = 1

_SURROGATE = re.compile("[\ud800-\udfff]")
_ABSENT = object()


@dataclass(slots=True)
class Findings:
    """The findings of one reading, and how deep its values may nest."""

    json_depth: int
    errors: list[Diagnostic] = field(default_factory=list)

    def malformed(self, path: Path, message: str) -> None:
        """Report a violation of the structure."""
        self.add("crosstl.malformed", path, message)

    def add(self, code: str, path: Path, message: str) -> None:
        """Report an error."""
        self.errors.append(Diagnostic(code, Severity.ERROR, path, message))


class Shape(Protocol):
    """What a value has to be."""

    def read(self, value: JsonValue, path: Path, findings: Findings) -> JsonValue:
        """Return the value in normal form.

        What does not fit is reported, and replaced by anything that does.
        """


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    def read(self, value: JsonValue, path: Path, findings: Findings) -> str:
        """See `Shape`."""
        if not isinstance(value, str):
            findings.malformed(path, f"{_kind(value)} where a string is required")
            return ""
        if _SURROGATE.search(value):
            findings.add("json.lone-surrogate", path, "a string with half of a surrogate pair")
        return value


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer. JSON does not tell `1.0` from `1`, so both are one."""

    def read(self, value: JsonValue, path: Path, findings: Findings) -> int:
        """See `Shape`."""
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        findings.malformed(path, f"{_kind(value)} where an integer is required")
        return 0


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array."""

    element: Shape

    def read(self, value: JsonValue, path: Path, findings: Findings) -> list[JsonValue]:
        """See `Shape`."""
        if not isinstance(value, list | tuple):
            findings.malformed(path, f"{_kind(value)} where an array is required")
            return []
        return [self.element.read(item, _indexed(path, i), findings) for i, item in enumerate(value)]


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object whose members have free names, in order of their names."""

    element: Shape

    def read(self, value: JsonValue, path: Path, findings: Findings) -> dict[str, JsonValue]:
        """See `Shape`."""
        if not _is_object(value, path, findings):
            return {}
        for name in value:
            Text().read(name, path, findings)
        return {
            name: self.element.read(value[name], keyed(path, i, name), findings)
            for i, name in enumerate(sorted(name for name in value if isinstance(name, str)))
        }


@dataclass(frozen=True, slots=True)
class Free:
    """Any JSON value without NaN and infinity. ``members`` asks for an object."""

    members: bool = False

    def read(self, value: JsonValue, path: Path, findings: Findings) -> JsonValue:
        """See `Shape`."""
        if self.members and not isinstance(value, Mapping):
            findings.malformed(path, f"{_kind(value)} where an object is required")
            return {}
        enclosing = sum(1 if step.index is None else 2 for step in path.steps)
        return self._sorted(value, path, findings, enclosing)

    def _sorted(self, value: JsonValue, path: Path, findings: Findings, depth: int) -> JsonValue:
        if isinstance(value, str):
            return Text().read(value, path, findings)
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float):
            if not math.isfinite(value):
                findings.add("json.number-out-of-range", path, f"`{value}` is no finite number")
            return value
        if depth >= findings.json_depth:
            findings.add("limit.json-depth", path, f"values nested deeper than `{findings.json_depth}`")
            return None
        if isinstance(value, list | tuple):
            return [
                self._sorted(item, _indexed(path, i), findings, depth + 1) for i, item in enumerate(value)
            ]
        if not _is_object(value, path, findings):
            return None
        names = sorted(name for name in value if isinstance(name, str))
        return {
            Text().read(name, path, findings): self._sorted(
                value[name], path.field(name), findings, depth + 1
            )
            for name in names
        }


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object with a closed list of members."""

    name: str
    shape: Shape
    required: bool = False
    default: Callable[[], JsonValue] | None = None
    """What the normal form writes where the member is absent."""
    drop_empty: bool = False
    """Whether the normal form leaves an empty value out."""


@dataclass(frozen=True, slots=True)
class Object:
    """An object with a closed list of members, in the order of the normal form."""

    members: tuple[Member, ...]

    def read(self, value: JsonValue, path: Path, findings: Findings) -> dict[str, JsonValue]:
        """See `Shape`."""
        if not _is_object(value, path, findings):
            return {}
        known = {member.name for member in self.members}
        for name in value:
            if name not in known:
                findings.malformed(path, f"the member `{name}` is unknown here")
        result: dict[str, JsonValue] = {}
        for member in self.members:
            item = value.get(member.name, _ABSENT)
            if item is None and not member.required and member.shape != Free():
                item = (
                    _ABSENT  # null means that an optional member is absent, except where any value may stand
                )
            if item is _ABSENT:
                if member.required:
                    findings.malformed(path, f"the member `{member.name}` is missing")
                elif member.default is not None:
                    result[member.name] = member.default()
                continue
            read = member.shape.read(item, path.field(member.name), findings)
            if read or not member.drop_empty:
                result[member.name] = read
        return result


def keyed(path: Path, index: int, key: str) -> Path:
    """Return the path of a member with a free name, of the object at ``path``."""
    last = path.steps[-1]
    return Path((*path.steps[:-1], Step(last.field, index, key)))


def _indexed(path: Path, index: int) -> Path:
    if not path.steps:
        return path
    last = path.steps[-1]
    if last.index is None:
        return Path((*path.steps[:-1], Step(last.field, index)))
    return path.element("", index)


def _is_object(value: JsonValue, path: Path, findings: Findings) -> bool:
    if not isinstance(value, Mapping):
        findings.malformed(path, f"{_kind(value)} where an object is required")
        return False
    if isinstance(value, DuplicateMembers):
        for name in value.names:
            findings.add("json.duplicate-key", path, f"the member `{name}` is written twice")
    if not all(isinstance(name, str) for name in value):
        findings.malformed(path, "an object with a member whose name is no string")
    return True


def _kind(value: JsonValue) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "an array"}
    return names.get(
        type(value), "an object" if isinstance(value, Mapping) else f"a `{type(value).__name__}`"
    )


def _optional(name: str, shape: Shape) -> Member:
    return Member(name, shape)


def _required(name: str, shape: Shape) -> Member:
    return Member(name, shape, required=True)


_TEXT, _INTEGER = Text(), Integer()
_PROVENANCE = Member("provenance", Free(members=True), drop_empty=True)
_VECTOR = ListOf(_INTEGER)

_LAYOUT = Object(
    (
        Member("byteOffset", _INTEGER, default=int),
        _optional("storageLayout", _TEXT),
        _optional("elementSizeBytes", _INTEGER),
        _optional("elementStrideBytes", _INTEGER),
        _optional("byteLength", _INTEGER),
        _optional("allocationByteLength", _INTEGER),
        _optional("alignmentBytes", _INTEGER),
        Member("metadata", Free(members=True), drop_empty=True),
    )
)
LIFETIME = Object((_required("firstNode", _TEXT), _required("lastNode", _TEXT)))
RESOURCE = Object(
    (
        _required("id", _TEXT),
        _required("role", _TEXT),
        Member("kind", _TEXT, default=lambda: "buffer"),
        Member("dtype", _TEXT),
        _required("shape", _VECTOR),
        _required("physicalLayout", _LAYOUT),
        _optional("allocationId", _TEXT),
        _optional("lifetime", LIFETIME),
        _PROVENANCE,
    )
)
SELECTOR = Object(
    tuple(_optional(name, _TEXT) for name in ("id", "source", "target", "variant", "stage", "path"))
)
GEOMETRY = Object(
    tuple(
        Member(name, _VECTOR, drop_empty=True)
        for name in ("workgroupSize", "workgroupCount", "globalSize", "gridSize")
    )
)
_DISPATCH = Object(
    (
        Member("artifactSelector", SELECTOR, default=dict),
        Member(
            "bindings",
            MapOf(Object((_required("resource", _TEXT), _optional("access", _TEXT)))),
            default=dict,
        ),
        Member("constants", Free(members=True), default=dict),
        Member("geometry", GEOMETRY, default=dict),
        _optional("entryPoint", _TEXT),
        _optional("targetProfile", _TEXT),
        _optional("validationStatus", _TEXT),
        _PROVENANCE,
    )
)
_RANGE = Object((_required("byteOffset", _INTEGER), _required("byteLength", _INTEGER)))
_NODE = Object(
    (
        _required("id", _TEXT),
        _required("kind", _TEXT),
        Member("dependsOn", ListOf(_TEXT), default=list),
        Member("dispatch", _DISPATCH),
        Member(
            "copy",
            Object(
                (
                    _required("source", _TEXT),
                    _required("destination", _TEXT),
                    _required("sourceRange", _RANGE),
                    _required("destinationRange", _RANGE),
                )
            ),
        ),
        Member(
            "fill",
            Object((_required("resource", _TEXT), _required("range", _RANGE), _required("value", Free()))),
        ),
        Member(
            "barrier",
            Object(
                (
                    Member("resources", ListOf(_TEXT), default=list),
                    _optional("beforeAccess", _TEXT),
                    _optional("afterAccess", _TEXT),
                )
            ),
        ),
        Member(
            "repeat",
            Object(
                (
                    _optional("count", _INTEGER),
                    _optional("controlInput", _TEXT),
                    _optional("maxIterations", _INTEGER),
                )
            ),
        ),
        Member(
            "condition",
            Object(
                (
                    Member("equals", Free(), default=lambda: True),
                    _optional("controlInput", _TEXT),
                    _optional("maxEvaluations", _INTEGER),
                )
            ),
        ),
        _PROVENANCE,
    )
)
GRAPH = Object(
    (
        _required("kind", _TEXT),
        _required("schemaVersion", _INTEGER),
        _required("id", _TEXT),
        _required("resources", ListOf(RESOURCE)),
        _required("nodes", ListOf(_NODE)),
        _PROVENANCE,
    )
)


def has_structure(value: JsonValue, shape: Shape) -> bool:
    """Tell whether a value that comes from elsewhere is one of the format."""
    findings = Findings(DEFAULT_LIMITS.json_depth)
    shape.read(value, ROOT, findings)
    return not findings.errors


def normal_form(document: JsonValue, json_depth: int) -> tuple[dict[str, JsonValue], list[Diagnostic]]:
    """Return a document in normal form, and everything that keeps it from being one.

    The first is meaningful only where the second is empty.
    """
    findings = Findings(json_depth)
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if kind != DOCUMENT_KIND and not isinstance(document, DuplicateMembers):
        stated = f"its `kind` is `{kind}`" if isinstance(kind, str) else "it has no `kind` of its own"
        message = f"this is no graph of CrossTL: {stated}, where `{DOCUMENT_KIND}` is required"
        findings.add("crosstl.unknown-kind", ROOT.field("kind"), message)
        return {}, findings.errors
    graph = GRAPH.read(document, ROOT, findings)
    if not findings.errors and graph["schemaVersion"] != SCHEMA_VERSION:
        message = f"schema version `{graph['schemaVersion']}`; version `{SCHEMA_VERSION}` is known"
        findings.add("crosstl.unsupported-version", ROOT.field("schemaVersion"), message)
    return graph, findings.errors
