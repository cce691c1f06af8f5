"""Which usages and directions of access occur in a graph."""

from __future__ import annotations

from execgraph.v1 import access_pb2, node_pb2
from interlock.interop.crosstl.scopes import READ, WRITE, Scope

_KINDS = {
    access_pb2.ACCESS_MODE_READ: (READ,),
    access_pb2.ACCESS_MODE_WRITE: (WRITE,),
}


def occurring_scopes(region: node_pb2.Region) -> set[Scope]:
    """Return every (usage, kind) of an access of the region's nodes, at any depth."""
    scopes: set[Scope] = set()
    for node in region.nodes:
        operation = node.operation
        kind = operation.WhichOneof("kind")
        if kind == "dispatch":
            for binding in operation.dispatch.bindings:
                usage = binding.usage or access_pb2.USAGE_SHADER_STORAGE
                scopes |= {(usage, direction) for direction in _KINDS.get(binding.access, (READ, WRITE))}
        elif kind == "copy":
            scopes |= {(access_pb2.USAGE_TRANSFER, READ), (access_pb2.USAGE_TRANSFER, WRITE)}
        elif kind == "fill":
            scopes.add((access_pb2.USAGE_FILL, WRITE))
        elif kind == "conditional":
            scopes.add((access_pb2.USAGE_CONTROL, READ))
            scopes |= occurring_scopes(operation.conditional.then_region)
            scopes |= occurring_scopes(operation.conditional.else_region)
        elif kind == "repeat":
            scopes.add((access_pb2.USAGE_CONTROL, READ))
            scopes |= occurring_scopes(operation.repeat.body)
    return scopes
