"""Provenance as CrossTL's free values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf import json_format

from execgraph.v1 import provenance_pb2
from interlock.interop.crosstl.hints import PREFIX, Hints, object_hint

if TYPE_CHECKING:
    from interlock.diagnostic import Path
    from interlock.interop.crosstl.model import FreeObject
    from interlock.interop.crosstl.structure import Findings

MEMBER = "execgraph"
"""The member of a free `provenance` that holds what the contract's provenance says beside hints."""


def own_provenance(provenance: provenance_pb2.Provenance) -> dict[str, Any]:
    """Return a provenance without its hints as ProtoJSON."""
    own = provenance_pb2.Provenance()
    own.CopyFrom(provenance)
    del own.attributes[:]
    own.attributes.extend(item for item in provenance.attributes if not item.key.startswith(PREFIX))
    result: dict[str, Any] = json_format.MessageToDict(own)
    return result


def free_provenance(
    provenance: provenance_pb2.Provenance, hints: Hints, path: Path, findings: Findings
) -> FreeObject:
    """Return the free provenance of an element."""
    return merged(object_hint(hints, "provenance"), own_provenance(provenance), path, findings)


def merged(foreign: FreeObject, own: dict[str, Any], path: Path, findings: Findings) -> FreeObject:
    """Return a free provenance with what the contract adds to it."""
    if not own:
        return foreign
    if MEMBER in foreign:
        text = f"a provenance of both formats, where `{MEMBER}` is taken"
        findings.add("crosstl.not-expressible", path.field("provenance"), text)
    return foreign | {MEMBER: own}
