"""Rules about element types and literals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execgraph.v1 import type_pb2
from interlock.diagnostic import NamedElement, Step
from interlock.graph.accesses import ATOMIC
from interlock.graph.capabilities import ATOMIC_CAPABILITIES
from interlock.graph.extents import bounds, is_bounded
from interlock.graph.types import BLOCK, BOOL, INTEGER_RANGES, WHOLE_BYTE_INTEGERS, element_name, storage_bits
from interlock.rules.model import Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.diagnostic import Path
    from interlock.graph.operations import Literal
    from interlock.rules.context import Context


@rule("type.block-format-mismatch")
def block_format_mismatch(context: Context) -> Iterator[Finding]:
    """A type of blocks has no block format, or another type has one.

    What it checks:
        The types of resources and views have a block format exactly if their element type is BLOCK.

    Why:
        Only the block format says how large a block is. Beside any other type it would state a second size.

    Bad example:
        resources { id: "weights" type { element: ELEMENT_TYPE_BLOCK } }

    Good example:
        resources {
          id: "weights"
          type { element: ELEMENT_TYPE_BLOCK block { format: "q4_0" block_elements: 32 block_bytes: 18 } }
        }
    """
    graph = context.graph
    message = graph.message
    typed = [*zip(message.resources, graph.elements.resources, strict=True)]
    viewed = [
        (declared, view)
        for declared, view in zip(message.views, graph.elements.views, strict=True)
        if view.own_type
    ]
    for space, pairs in (("resource", typed), ("view", viewed)):
        for declared, fact in pairs:
            has_format = declared.type.HasField("block")
            if has_format == (fact.type.element == BLOCK):
                continue
            said = "has a block format, which belongs to BLOCK only" if has_format else "needs a block format"
            yield Finding(
                fact.path.field("type").field("block"),
                f"the type `{element_name(fact.type.element)}` {said}",
                elements=(NamedElement(space, fact.id),),
            )


def _literal_places(context: Context, bad: dict[int, str]) -> Iterator[Finding]:
    """Yield the given sentence at every place where one of the literals stands."""
    nodes = context.graph.nodes
    for use in context.graph.operations.literal_uses if bad else ():
        if use.literal in bad:
            yield Finding(
                nodes.path(use.node, (*use.place, Step("bits"))),
                bad[use.literal],
                elements=(NamedElement("node", nodes.ids[use.node]),),
            )


def _literal_bytes(literal: Literal) -> int:
    """Return the bytes that one element of a literal takes, or 0 if its type cannot have literals."""
    return -(-storage_bits(literal.element) // 8)


@rule("type.unsupported-literal-type")
def unsupported_literal_type(context: Context) -> Iterator[Finding]:
    r"""A literal is of a type that has no literals.

    What it checks:
        The type of every literal is an element type other than BLOCK.

    Why:
        The bits of a block mean something to its kernels only, so nobody could say how many belong to it.

    Bad example:
        pattern { element: ELEMENT_TYPE_BLOCK bits: "\000\000" }

    Good example:
        pattern { element: ELEMENT_TYPE_F16 bits: "\000\000" }
    """
    nodes, operations = context.graph.nodes, context.graph.operations
    bad = {number for number, literal in enumerate(operations.literals) if literal.element == BLOCK}
    for use in operations.literal_uses if bad else ():
        if use.literal in bad:
            yield Finding(
                nodes.path(use.node, (*use.place, Step("element"))),
                "`BLOCK` has no literals; required is the type of one element",
                elements=(NamedElement("node", nodes.ids[use.node]),),
            )


@rule("type.literal-size")
def literal_size(context: Context) -> Iterator[Finding]:
    r"""A literal has more or fewer bytes than its type.

    What it checks:
        The bits of a specialization value and of a predicate's literal are those of exactly one element,
        those of a pattern or of an inline constant a whole number of elements. A type of 4 bits takes one
        byte.

    Why:
        A reader that pads or cuts would change the value without a word.

    Bad example:
        pattern { element: ELEMENT_TYPE_F32 bits: "\000\000" }

    Good example:
        pattern { element: ELEMENT_TYPE_F32 bits: "\000\000\200\377" }
    """
    bad = {}
    for number, literal in enumerate(context.graph.operations.literals):
        size, found = _literal_bytes(literal), len(literal.bits)
        if size and found and (found != size if literal.single else found % size):
            required = f"{size}" if literal.single else f"a multiple of {size}"
            bad[number] = f"{found} bytes for `{element_name(literal.element)}`; required are {required}"
    yield from _literal_places(context, bad)


@rule("type.literal-out-of-range")
def literal_out_of_range(context: Context) -> Iterator[Finding]:
    r"""The bits of a literal are no value of its type.

    What it checks:
        The bytes of a BOOL are 0 or 1, and the upper half of each byte of a 4-bit type is 0.

    Why:
        Such bits are read differently by different targets, and two spellings of one value would have two
        digests.

    Bad example:
        literal { element: ELEMENT_TYPE_BOOL bits: "\002" }

    Good example:
        literal { element: ELEMENT_TYPE_BOOL bits: "\001" }
    """
    bad = {}
    for number, literal in enumerate(context.graph.operations.literals):
        highest = 1 if literal.element == BOOL else 15 if storage_bits(literal.element) == 4 else 255
        worst = max(literal.bits, default=0)
        if worst > highest:
            bad[number] = (
                f"byte {worst} is no `{element_name(literal.element)}`; required is at most {highest}"
            )
    yield from _literal_places(context, bad)


@rule("type.unsupported-inline-type")
def unsupported_inline_type(context: Context) -> Iterator[Finding]:
    """An inline value computed from parameters has a type that is no integer type of 8 to 64 bits.

    What it checks:
        The type of every computed inline value is one of I8, U8, I16, U16, I32, U32, I64 and U64.

    Why:
        The value is an integer. How it would become another type, and with which rounding, is said nowhere.

    Bad example:
        value { parametric { element: ELEMENT_TYPE_F32 value { terms { parameter: "n" coefficient: 1 } } } }

    Good example:
        value { parametric { element: ELEMENT_TYPE_U32 value { terms { parameter: "n" coefficient: 1 } } } }
    """
    nodes = context.graph.nodes
    for use in context.graph.operations.parametric_uses:
        if use.element and use.element not in WHOLE_BYTE_INTEGERS:
            yield Finding(
                nodes.path(use.node, (*use.place, Step("element"))),
                f"`{element_name(use.element)}` is no integer type of 8 to 64 bits",
                elements=(NamedElement("node", nodes.ids[use.node]),),
            )


@rule("type.inline-value-out-of-range")
def inline_value_out_of_range(context: Context) -> Iterator[Finding | Gap]:
    """An inline value computed from parameters does not fit its type.

    What it checks:
        For every value of its parameters, a computed inline value lies within its type.

    Why:
        The kernel would see it cut to the type's width: a wrong number, and no error.

    Bad example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 maximum: 1000 }
        value { parametric { element: ELEMENT_TYPE_U8 value { terms { parameter: "n" coefficient: 1 } } } }

    Good example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 maximum: 1000 }
        value { parametric { element: ELEMENT_TYPE_U16 value { terms { parameter: "n" coefficient: 1 } } } }
    """
    nodes, domains = context.graph.nodes, context.graph.elements.domains
    for use in context.graph.operations.parametric_uses:
        limits = INTEGER_RANGES.get(use.element)
        path: Path = nodes.path(use.node, (*use.place, Step("value")))
        if limits is None or use.value is None or not is_bounded(use.value, domains):
            yield Gap("its type or a parameter in it has no bounds", path)
            continue
        high = bounds(use.value, domains).high
        if high > limits[1]:
            yield Finding(
                path,
                f"the value reaches {high}; `{element_name(use.element)}` ends at {limits[1]}",
                elements=(NamedElement("node", nodes.ids[use.node]),),
            )


@rule("type.unsupported-atomic")
def unsupported_atomic(context: Context) -> Iterator[Finding | Gap]:
    """An atomic access updates elements of a type that has no atomic operations.

    What it checks:
        The type that an atomic access states, or else that of its target, is one of I32, U32, I64, U64,
        F16, BF16, F32 and F64. A byte range has no type of its own, so the access states one.

    Why:
        No target updates other types atomically; the update would be a race within one dispatch.

    Bad example:
        bindings {
          slot: "bins"
          target { resource: "bins" }
          access: ACCESS_MODE_ATOMIC
          atomic_type: ELEMENT_TYPE_U8
        }

    Good example:
        bindings {
          slot: "bins"
          target { resource: "bins" }
          access: ACCESS_MODE_ATOMIC
          atomic_type: ELEMENT_TYPE_U32
        }
    """
    graph, accesses = context.graph, context.graph.accesses
    for access, mode in enumerate(accesses.mode):
        if mode != ATOMIC:
            continue
        selection = graph.selections[accesses.selection[access]]
        stated = accesses.atomic[access]
        element = stated or (selection.type.element if selection.type else type_pb2.ELEMENT_TYPE_UNSPECIFIED)
        path = accesses.path(access, graph.nodes, Step("atomic_type"))
        if element in ATOMIC_CAPABILITIES:
            continue
        if not element and selection.resource is None:
            yield Gap("what it accesses is missing", path)
            continue
        found = (
            f"`{element_name(element)}` has no atomic operations" if element else "a byte range has no type"
        )
        yield Finding(
            path,
            f"{found}; required is one of I32, U32, I64, U64, F16, BF16, F32 and F64",
            elements=(NamedElement("node", graph.nodes.ids[accesses.node[access]]),),
        )


RULES = (
    block_format_mismatch,
    unsupported_literal_type,
    literal_size,
    literal_out_of_range,
    unsupported_inline_type,
    inline_value_out_of_range,
    unsupported_atomic,
)
