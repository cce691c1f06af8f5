"""Rules about parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement
from interlock.graph.types import WHOLE_BYTE_INTEGERS, element_name
from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("parameter.unsupported-type")
def unsupported_type(context: Context) -> Iterator[Finding]:
    """The type of a parameter is no integer type of 8 to 64 bits.

    What it checks:
        The type of every parameter is one of I8, U8, I16, U16, I32, U32, I64 and U64.

    Why:
        Extents are integers. A parameter of another type could not be a factor of one.

    Bad example:
        parameters { id: "n" type: ELEMENT_TYPE_F32 maximum: 1024 }

    Good example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 maximum: 1024 }
    """
    elements = context.graph.elements
    for message, parameter in zip(context.graph.message.parameters, elements.parameters, strict=False):
        if message.type and message.type not in WHOLE_BYTE_INTEGERS:
            yield Finding(
                parameter.path.field("type"),
                f"`{element_name(message.type)}` is no integer type of 8 to 64 bits",
                elements=(NamedElement("parameter", parameter.id),),
            )


@rule("parameter.empty-range")
def empty_range(context: Context) -> Iterator[Finding]:
    """A parameter can have no value.

    What it checks:
        Between the minimum and the maximum of every parameter, both within its type, lies at least one
        multiple of its `multiple_of`.

    Why:
        A graph whose parameter has no value can never run, and every statement about all of its values is
        true and worthless.

    Bad example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 minimum: 5 maximum: 7 multiple_of: 4 }

    Good example:
        parameters { id: "n" type: ELEMENT_TYPE_U32 minimum: 4 maximum: 8 multiple_of: 4 }
    """
    elements = context.graph.elements
    for message, parameter in zip(context.graph.message.parameters, elements.parameters, strict=False):
        if parameter.domain is not None:
            continue
        step = f" that is a multiple of {message.multiple_of}" if message.multiple_of > 1 else ""
        yield Finding(
            parameter.path,
            f"no {element_name(message.type)} from {message.minimum} to {message.maximum}{step} exists",
            elements=(NamedElement("parameter", parameter.id),),
        )


RULES = (unsupported_type, empty_range)
