"""Rules about documents of every kind, derived from the options of the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Related, Severity
from interlock.rules.model import ANY_KIND, Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("document.missing-field", kinds=ANY_KIND)
def missing_field(context: Context) -> Iterator[Finding]:
    """A field is absent that every such message must have, or a choice was not made.

    What it checks:
        Every field that the schema marks as required is set and does not hold its default; a repeated one
        has at least one element. In every message that is a choice between alternatives, one is set.

    Why:
        The wire form of protobuf cannot tell an absent field from its default. A reader that goes on would
        guess: an operation without a kind, a binding that neither reads nor writes, a factor of zero.

    Bad example:
        nodes { id: "sum" operation { dispatch { artifact: "reduce" geometry { workgroup_size: 64 } } } }

    Good example:
        nodes {
          id: "sum"
          operation {
            dispatch {
              artifact: "reduce"
              entry: "main"
              geometry { workgroup_count { extents { counts { constant: 4 } } } }
            }
          }
        }
    """
    for place in context.sweep.missing:
        yield Finding(place.path, f"`{place.text}` is absent, but required")
    for place in context.sweep.choiceless:
        yield Finding(place.path, f"nothing is chosen, but one of {place.text} is required")


@rule("document.malformed-id", kinds=ANY_KIND)
def malformed_id(context: Context) -> Iterator[Finding]:
    """An id is not spelled like one.

    What it checks:
        Every id starts with a letter, a digit or `_`, goes on with letters, digits and `_ . : / -`, all of
        them ASCII, and is at most 255 bytes long.

    Why:
        Ids stand in paths, file names, command lines and reports. White space, line feeds or look-alike
        letters in them make two names of what a person takes for one.

    Bad example:
        resources { id: "partial sums" role: RESOURCE_ROLE_TEMPORARY type { element: ELEMENT_TYPE_F32 } }

    Good example:
        resources { id: "partial-sums" role: RESOURCE_ROLE_TEMPORARY type { element: ELEMENT_TYPE_F32 } }
    """
    for place in context.sweep.malformed_ids:
        shown = place.text if len(place.text) <= 80 else place.text[:80] + "…"
        yield Finding(
            place.path,
            f"`{shown}` is no id; required are at most 255 letters, digits and `_.:/-`, the first a letter, "
            "a digit or `_`",
        )


@rule("document.malformed-digest", kinds=ANY_KIND)
def malformed_digest(context: Context) -> Iterator[Finding]:
    """A digest is not spelled like one.

    What it checks:
        Every digest is `sha256:` and 64 lower-case hexadecimal digits.

    Why:
        A digest has one spelling, so that equal bytes are found by comparing strings. Another algorithm or
        upper-case digits would never match what a reader computes.

    Bad example:
        pins { target: "vulkan" digest: "SHA256:9F86D081" size: 4 }

    Good example:
        pins {
          target: "vulkan"
          digest: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
          size: 4
        }
    """
    for place in context.sweep.malformed_digests:
        yield Finding(
            place.path,
            f"`{place.text}` is no digest; required are `sha256:` and 64 lower-case hexadecimal digits",
        )


@rule("document.ids-differ-only-in-case", kinds=ANY_KIND, severity=Severity.WARNING)
def ids_differ_only_in_case(context: Context) -> Iterator[Finding]:
    """Two ids of one space of names differ only in upper and lower case.

    What it checks:
        No two parameters, resources, nodes and so on have ids that are equal once all letters are
        lower-case.

    Why:
        It is legal, since ids are compared byte by byte. It breaks where ids become file names on a system
        that ignores case, and it misleads people.

    Bad example:
        resources { id: "Sum" role: RESOURCE_ROLE_EXTERNAL_OUTPUT type { element: ELEMENT_TYPE_F32 } }
        resources { id: "sum" role: RESOURCE_ROLE_TEMPORARY type { element: ELEMENT_TYPE_F32 } }

    Good example:
        resources { id: "partial" role: RESOURCE_ROLE_TEMPORARY type { element: ELEMENT_TYPE_F32 } }
        resources { id: "sum" role: RESOURCE_ROLE_EXTERNAL_OUTPUT type { element: ELEMENT_TYPE_F32 } }
    """
    for first, second in context.sweep.case_twins:
        yield Finding(
            second.path,
            f"`{second.id}` differs from the {second.space} `{first.id}` only in upper and lower case",
            elements=(NamedElement(second.space, second.id), NamedElement(first.space, first.id)),
            related=(Related(first.path, f"`{first.id}` is declared here"),),
        )


@rule("document.unordered-pair", kinds=ANY_KIND)
def unordered_pair(context: Context) -> Iterator[Finding]:
    """The first of an unordered pair is not smaller than the second.

    What it checks:
        In a pair of slots or accesses that has no direction, the first is bytewise smaller than the second;
        accesses compare by node, then by slot.

    Why:
        A pair has one spelling, so that it is found, compared and hashed as one. A pair of a thing with
        itself says nothing.

    Bad example:
        tolerated_aliases { first: "y" second: "x" }

    Good example:
        tolerated_aliases { first: "x" second: "y" }
    """
    for place in context.sweep.unordered_pairs:
        yield Finding(place.path, f"the second {place.text} is not greater than the first, but has to be")


RULES = (missing_field, malformed_id, malformed_digest, ids_differ_only_in_case, unordered_pair)
