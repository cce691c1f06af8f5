"""Rules about specialization constants: values are for one that is there, fit it, and none is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import Step
from interlock.graph.types import INTEGER_RANGES, storage_bits
from interlock.rules.interface.words import listed, word
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import blocked_by, entered_uses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.dispatch_pb2 import SpecializationValue
    from execgraph.v1.type_pb2 import TypedBits
    from interlock.package.knowledge import Facts, VariantInterface
    from interlock.rules.context import Context
    from interlock.rules.uses import Use

_FIELD = "specialization"


def constant_of(interface: VariantInterface, value: SpecializationValue) -> Facts | None:
    """Return what is known about the constant that a value is for: by its name, or else by its number."""
    if value.name:
        return interface.constants.get(value.name)
    if not value.HasField("constant_id"):
        return None
    return interface.constants.get(interface.numbers.get(value.constant_id, ""))


def _called(value: SpecializationValue) -> str:
    if value.name:
        return f"`{value.name}`"
    return f"number {value.constant_id}" if value.HasField("constant_id") else "of no name and no number"


def _values(context: Context) -> Iterator[tuple[Use, int, SpecializationValue] | Gap]:
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
        else:
            for index, value in enumerate(entered.use.dispatch.specialization):
                yield entered.use, index, value


@rule("specialization.unknown-constant", kinds=PACKAGE)
def unknown_constant(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch sets a constant that its artifact does not have.

    What it checks:
        Every specialization value names a constant of the interface, by its logical name or by its number,
        and by the same one where it states both. The variant has the constant too, where all of its
        constants are known.

    Why:
        The value would have no effect, and the kernel would not be the one that the graph means.

    Bad example:
        constants { name: "TILE" element: ELEMENT_TYPE_U32 }
        specialization { name: "TILES" }

    Good example:
        constants { name: "TILE" element: ELEMENT_TYPE_U32 }
        specialization { name: "TILE" }
    """
    for each in _values(context):
        if isinstance(each, Gap):
            yield each
            continue
        use, index, value = each
        place, interface = (Step(_FIELD, index),), use.interface
        constant = constant_of(interface, value)
        if constant is None and not interface.knows_constants:
            yield from use.gaps(place, f"nothing says which constants {use.variant} has")
        elif constant is None:
            there = listed(interface.constants)
            yield from use.findings(place, f"{use.variant} has no constant {_called(value)}; it has {there}")
        elif constant.name in interface.unmapped_constants:
            source = interface.unmapped_constants[constant.name]
            message = (
                f"constant {_called(value)} is `{constant.target_name}` in {use.variant}, which {source} "
                f"does not have"
            )
            yield from use.findings(place, message)
        elif value.name and value.HasField("constant_id"):
            number = constant.known.get("constant_id")
            if number is None:
                yield from use.gaps(place, f"nothing says which number `{value.name}` has in {use.variant}")
            elif number.value != value.constant_id:
                message = (
                    f"`{value.name}` is stated to be number {value.constant_id}; in {use.variant} it is "
                    f"number {number.value}, as {number.source} says"
                )
                yield from use.findings((*place, Step("constant_id")), message)


@rule("specialization.missing-value", kinds=PACKAGE)
def missing_value(context: Context) -> Iterator[Finding | Gap]:
    """A constant without a default gets no value.

    What it checks:
        Every specialization constant of the artifact that has no default is set by the dispatch.

    Why:
        The kernel cannot be made without it.

    Bad example:
        constants { name: "TILE" element: ELEMENT_TYPE_U32 }
        dispatch { artifact: "sum" entry: "main" }

    Good example:
        constants { name: "TILE" element: ELEMENT_TYPE_U32 }
        dispatch { artifact: "sum" entry: "main" specialization { name: "TILE" } }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, interface = entered.use, entered.use.interface
        named = (constant_of(interface, value) for value in use.dispatch.specialization)
        given = {constant.name for constant in named if constant is not None}
        for constant in interface.constants.values():
            if constant.name in given or constant.value("default_value") is not None:
                continue
            if _needs_value(interface, constant):
                own = "" if constant.target_name == constant.name else f" (`{constant.target_name}`)"
                message = f"constant `{constant.name}`{own} of {use.variant} has no default and gets no value"
                yield from use.findings((Step(_FIELD),), message)
            elif constant.known:
                reason = f"nothing says whether constant `{constant.name}` of {use.variant} has a default"
                yield from use.gaps((Step(_FIELD),), reason)


def _needs_value(interface: VariantInterface, constant: Facts) -> bool:
    """Tell whether some source that would state a default lists the constant without one."""
    if constant.is_documented:
        return True
    return any(facts.is_complete for facts in interface.modules) and bool(constant.known)


@rule("specialization.type-mismatch", kinds=PACKAGE)
def type_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """A value is of another type than its constant.

    What it checks:
        Every specialization value has the element type of the constant that it is for. Of two integer types
        of one size, signed and unsigned, either will do where the bits are the same number in both.

    Why:
        The bits would be read as something else.

    Bad example:
        constants { name: "SCALE" element: ELEMENT_TYPE_F32 }
        specialization { name: "SCALE" value { element: ELEMENT_TYPE_U32 } }

    Good example:
        constants { name: "SCALE" element: ELEMENT_TYPE_F32 }
        specialization { name: "SCALE" value { element: ELEMENT_TYPE_F32 } }
    """
    for each in _values(context):
        if isinstance(each, Gap):
            yield each
            continue
        use, index, value = each
        place = (Step(_FIELD, index), Step("value"), Step("element"))
        constant = constant_of(use.interface, value)
        element = None if constant is None else constant.known.get("element")
        if constant is None:
            yield from use.gaps(place, blocked_by("specialization.unknown-constant"))
        elif element is None:
            yield from use.gaps(place, f"nothing says of which type constant `{constant.name}` is")
        elif not _is_of(value.value, element.value):
            message = (
                f"the value is of type {word('element', value.value.element)}; constant `{constant.name}` "
                f"is of type {word('element', element.value)}, as {element.source} says"
            )
            yield from use.findings(place, message)


def _is_of(value: TypedBits, element: int) -> bool:
    """Tell whether a value is one of a type: of that very type, or the same number as an integer of it."""
    if value.element == element:
        return True
    ranges = INTEGER_RANGES.get(value.element), INTEGER_RANGES.get(element)
    if None in ranges or storage_bits(value.element) != storage_bits(element):
        return False
    return int.from_bytes(value.bits, "little") <= min(most for _, most in filter(None, ranges))


@rule("specialization.duplicate-value", kinds=PACKAGE)
def duplicate_value(context: Context) -> Iterator[Finding | Gap]:
    """A dispatch sets one constant twice.

    What it checks:
        No two specialization values of a dispatch are for the same constant, one by its name and one by its
        number.

    Why:
        Which of the two counts would be a matter of chance.

    Bad example:
        constants { name: "TILE" constant_id: 3 element: ELEMENT_TYPE_U32 }
        specialization { constant_id: 3 }
        specialization { name: "TILE" }

    Good example:
        constants { name: "TILE" constant_id: 3 element: ELEMENT_TYPE_U32 }
        specialization { name: "TILE" }
    """
    for entered in entered_uses(context):
        if isinstance(entered, Gap):
            yield entered
            continue
        use, met = entered.use, dict[str, tuple[int, str]]()
        for index, value in enumerate(use.dispatch.specialization):
            constant = constant_of(use.interface, value)
            if constant is None:
                continue
            first, called = met.setdefault(constant.name, (index, _called(value)))
            if first != index:
                message = f"constant `{constant.name}` is set as {called} already"
                yield from use.findings((Step(_FIELD, index),), message)


RULES = (unknown_constant, missing_value, type_mismatch, duplicate_value)
