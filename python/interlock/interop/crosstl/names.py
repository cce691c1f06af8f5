"""What CrossTL and the contract call the same things, and ids that nothing else has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import access_pb2, resource_pb2, type_pb2
from interlock.author.literals import storage_bits
from interlock.package.crosstl_names import file_stem, fresh_id, is_id
from interlock.package.literals import ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

ELEMENT_TYPES: Mapping[str, type_pb2.ElementType] = ELEMENTS
"""The name of each element type that CrossTL has. Other spellings of the same type are in `element_type`."""

DTYPE_NAMES = {element: name for name, element in ELEMENT_TYPES.items()}

_SYNONYMS = {
    "char": "int8",
    "uchar": "uint8",
    "int": "int32",
    "uint": "uint32",
    "half": "float16",
    "float": "float32",
    "double": "float64",
}

ROLES = {
    "external-input": resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT,
    "external-output": resource_pb2.RESOURCE_ROLE_EXTERNAL_OUTPUT,
    "external-input-output": resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT_OUTPUT,
    "temporary": resource_pb2.RESOURCE_ROLE_TEMPORARY,
}
ROLE_NAMES = {role: name for name, role in ROLES.items()}

ACCESS_MODES = {
    "read": access_pb2.ACCESS_MODE_READ,
    "write": access_pb2.ACCESS_MODE_WRITE,
    "read-write": access_pb2.ACCESS_MODE_READ_WRITE,
}
ACCESS_NAMES = {mode: name for name, mode in ACCESS_MODES.items()}
_ACCESS_SYNONYMS = {"readwrite": "read-write", "write-read": "read-write"}


def element_type(dtype: str) -> type_pb2.ElementType | None:
    """Return the element type of a dtype in any of its spellings, or None."""
    name = dtype.strip().lower()
    if name.endswith("_t") and name.removesuffix("_t") in ELEMENT_TYPES and "int" in name:
        name = name.removesuffix("_t")
    return ELEMENT_TYPES.get(_SYNONYMS.get(name, name))


def element_bytes(element: type_pb2.ElementType) -> int:
    """Return the size of an element that CrossTL has a dtype for."""
    return storage_bits(element) // 8


def access_mode(spelling: str) -> access_pb2.AccessMode | None:
    """Return the access mode of any spelling, or None."""
    name = spelling.strip().lower().replace("_", "-")
    return ACCESS_MODES.get(_ACCESS_SYNONYMS.get(name, name))


def inner_ids(nodes: Collection[str], controlled: Iterable[str]) -> dict[str, str]:
    """Return, for each controlled node, the id of the node inside it."""
    taken, ids = set(nodes), {}
    for name in sorted(set(controlled)):
        ids[name] = fresh_id(f"{name}.body", taken)
        taken.add(ids[name])
    return ids


def artifact_ids(selectors: Iterable[tuple[str, dict[str, str]]]) -> dict[str, str]:
    """Return a logical id for each distinct selector, given as (canonical text, selector).

    The wish is the selector's own id, else the stem of its source or path, else one of its other parts. It
    depends on the set of selectors only, not on the order of their nodes.
    """
    ids: dict[str, str] = {}
    taken: set[str] = set()
    distinct = sorted(dict(selectors).items())
    for stated in (True, False):
        for text, selector in distinct:
            if is_id(selector.get("id", "")) == stated:
                ids[text] = fresh_id(_wish(selector), taken)
                taken.add(ids[text])
    return ids


def _wish(selector: dict[str, str]) -> str:
    if selector.get("id", "").strip():
        return selector["id"]
    for name in ("source", "path"):
        stem = file_stem(selector.get(name, ""))
        if stem:
            return stem
    return next((part for part in selector.values() if part.strip()), "")
