"""What the contract does not mean, kept beside it: provenance attributes whose keys start with `crosstl.`.

A hint never decides what a document means. An exporter uses a hint only where it says the same as the
document; where somebody has changed the document since, the hint is passed over.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, Path
from interlock.interop.crosstl.json_text import JsonValue, canonical_text
from interlock.interop.crosstl.structure import Findings, Free

if TYPE_CHECKING:
    from execgraph.v1 import provenance_pb2

PREFIX = "crosstl."
VIEW_PREFIX = "crosstl.view."
"""Views have no provenance of their own: their hints are one object in that of the resource."""

Hints = dict[str, JsonValue]


def write_hints(provenance: provenance_pb2.Provenance, hints: Hints) -> None:
    """Add hints to a provenance."""
    for name, value in hints.items():
        provenance.attributes.add(key=PREFIX + name, value=canonical_text(value))


def read_hints(provenance: provenance_pb2.Provenance, path: Path, findings: Findings) -> Hints:
    """Return the hints of an element; one that is no JSON is a finding."""
    hints: Hints = {}
    value: JsonValue = None
    for i, attribute in enumerate(provenance.attributes):
        if not attribute.key.startswith(PREFIX):
            continue
        place = path.field("provenance").element("attributes", i, attribute.key)
        trial = Findings(findings.json_depth)
        try:
            value = Free().read(json.loads(attribute.value), ROOT, trial)
        except (ValueError, RecursionError):
            trial.malformed(place, "no JSON")
        if trial.errors:
            text = f"the value of `{attribute.key}` is no JSON that an export could restore"
            findings.add("crosstl.malformed-attribute", place, text)
        else:
            hints[attribute.key.removeprefix(PREFIX)] = value
    return hints


def text_hint(hints: Hints, name: str) -> str | None:
    """Return a hint that is a string."""
    value = hints.get(name)
    return value if isinstance(value, str) else None


def names_hint(hints: Hints, name: str) -> list[str]:
    """Return a hint that is a list of strings; anything else is an empty one."""
    value = hints.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def object_hint(hints: Hints, name: str) -> dict[str, JsonValue]:
    """Return a hint that is an object; anything else is an empty one."""
    value = hints.get(name)
    return value if isinstance(value, dict) else {}


def integer_hint(hints: Hints, name: str) -> int | None:
    """Return a hint that is an integer."""
    value = hints.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
