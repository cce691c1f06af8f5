"""Authoring graphs in Python: `GraphBuilder` and the small functions that say what its arguments mean."""

from interlock.author.affine import Affine, Parameter
from interlock.author.builder import BuildFailure, ConditionalArms, GraphBuilder, Loop
from interlock.author.declarations import SourceLocation
from interlock.author.handles import (
    Allocation,
    Artifact,
    Bytes,
    Computed,
    Condition,
    Node,
    Resource,
    Slot,
    Typed,
    View,
    bound,
    full,
    partial,
    typed,
    when,
)
from interlock.author.operations import DEVICE_READS, DEVICE_WRITES

__all__ = [
    "DEVICE_READS",
    "DEVICE_WRITES",
    "Affine",
    "Allocation",
    "Artifact",
    "BuildFailure",
    "Bytes",
    "Computed",
    "Condition",
    "ConditionalArms",
    "GraphBuilder",
    "Loop",
    "Node",
    "Parameter",
    "Resource",
    "Slot",
    "SourceLocation",
    "Typed",
    "View",
    "bound",
    "full",
    "partial",
    "typed",
    "when",
]
