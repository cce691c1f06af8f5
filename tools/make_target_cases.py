"""Writes the verify cases of target code, from the faults that the tests list.

Nested documents are bytes, which nobody writes by hand. So each case is one of the sample documents of
`tests/python/target_faults.py`, as it is or with one fault. `make goldens` does not run this: run it when
samples, faults or rules change, and read what it wrote before you commit it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "python")]

from interlock.document import Document  # noqa: E402 - the path comes first
from interlock.verification import verify  # noqa: E402
from target_faults import FAULTS, Fault, Parts  # type: ignore[import-not-found]  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

VERIFY = ROOT / "tests" / "conformance" / "verify"
_FILES = {"TargetModuleBundle": "module", "TargetPayload": "payload", "Envelope": "envelope"}


class Names(NamedTuple):
    """The two cases of a rule: what is wrong and what is right, each with a description."""

    bad: str
    wrong: str
    good: str
    right: str


NAMES = {
    "group.dependency-cycle": Names(
        "out_and_back",
        "The first and the last dispatch of a chain as one launch group.",
        "one_each",
        "A chain with one launch group for each dispatch.",
    ),
    "group.not-a-dispatch": Names(
        "barrier",
        "A launch group of a barrier.",
        "dispatches",
        "Launch groups of dispatches.",
    ),
    "group.repeated-member": Names(
        "in_two_groups",
        "A dispatch that is in two launch groups.",
        "in_one_group",
        "Every dispatch is in one launch group.",
    ),
    "group.several-regions": Names(
        "in_and_out_of_a_loop",
        "A launch group of a dispatch in a loop and one before it.",
        "in_one_region",
        "A dispatch in a loop in a launch group of its own.",
    ),
    "group.uncovered-dispatch": Names(
        "left_out",
        "A dispatch that no launch group has.",
        "covered",
        "Every dispatch is in a launch group.",
    ),
    "group.unknown-member": Names(
        "nowhere",
        "A launch group of a node that the graph does not have.",
        "dispatches",
        "Launch groups of nodes of the graph.",
    ),
    "group.wrong-stage": Names(
        "too_late",
        "A launch group that depends on nothing, at stage 1.",
        "levels",
        "Stages as the graph has them.",
    ),
    "module.dependency-not-internalized": Names(
        "not_listed",
        "A group of two dispatches, of which one depends on the other through a barrier, and nothing listed.",
        "listed",
        "The same pair, listed with evidence.",
    ),
    "module.empty-blob": Names(
        "no_code",
        "A module whose code has no bytes.",
        "some_code",
        "Every module has code.",
    ),
    "module.foreign-pair": Names(
        "other_group",
        "A module that claims to order a node of another group.",
        "own_members",
        "A module without internalized dependencies.",
    ),
    "module.internalized-independent-pair": Names(
        "backwards",
        "A pair that is listed the wrong way round.",
        "forwards",
        "A pair that is listed as the graph has it.",
    ),
    "module.misnamed-slot": Names(
        "another_name",
        "A slot that is not named like the logical slot in it.",
        "logical_name",
        "Slots named like the logical slots in them.",
    ),
    "module.repeated-coordinate": Names(
        "one_place",
        "Two slots at one coordinate.",
        "apart",
        "Two slots at two coordinates.",
    ),
    "module.repeated-group": Names(
        "two_stages",
        "One launch group in two stages.",
        "one_module_a_group",
        "Every launch group has one module.",
    ),
    "module.repeated-member": Names(
        "in_two_modules",
        "A dispatch that two modules realize.",
        "in_one_module",
        "Every dispatch is in one module.",
    ),
    "module.unplaced-slot": Names(
        "no_coordinate",
        "A slot that takes bytes, without a coordinate.",
        "placed",
        "Every slot has a coordinate.",
    ),
    "nested.digest-mismatch": Names(
        "another_digest",
        "A bundle beside the digest of something else.",
        "own_digest",
        "A bundle beside its own digest.",
    ),
    "nested.unreadable": Names(
        "no_document",
        "A bundle that is no document.",
        "document",
        "A bundle that is one.",
    ),
    "payload.access-mismatch": Names(
        "writes_too",
        "A kernel that also writes what the graph declares as read.",
        "as_declared",
        "Accesses as the graph declares them.",
    ),
    "payload.binding-beyond-profile": Names(
        "too_large",
        "Buffers of one byte more than the profile allows.",
        "within",
        "Buffers within the profile.",
    ),
    "payload.binding-mismatch": Names(
        "another_place",
        "A binding at another coordinate than its slot.",
        "same_place",
        "Bindings at the coordinates of their slots.",
    ),
    "payload.binding-without-slot": Names(
        "elsewhere",
        "A binding of a slot that the module does not have.",
        "own_slots",
        "Bindings of the module's slots.",
    ),
    "payload.capability-not-offered": Names(
        "no_dynamic_memory",
        "A graph that needs dynamic shared memory, and a profile that does not offer it.",
        "offered",
        "The same graph, and a profile that offers it.",
    ),
    "payload.element-count-mismatch": Names(
        "one_too_many",
        "An entry that covers one element more than its dispatch writes.",
        "written",
        "Entries that cover what their dispatches write.",
    ),
    "payload.foreign-module": Names(
        "left_over",
        "A module of no launch group of the payload.",
        "own_groups",
        "Modules of the payload's launch groups.",
    ),
    "payload.format-mismatch": Names(
        "another_version",
        "A payload under another version of its format.",
        "own_format",
        "A payload under its own format.",
    ),
    "payload.geometry-mismatch": Names(
        "more_workgroups",
        "An entry of more workgroups than its dispatch.",
        "realized",
        "Entries with the geometry of their dispatches.",
    ),
    "payload.graph-mismatch": Names(
        "another_graph",
        "A payload of another graph.",
        "same_graph",
        "A payload of the graph beside it.",
    ),
    "payload.grid-beyond-profile": Names(
        "too_many",
        "More workgroups than the profile allows.",
        "within",
        "Grids within the profile.",
    ),
    "payload.inline-constants-beyond-profile": Names(
        "one_byte_too_many",
        "Four bytes where the profile allows three.",
        "within",
        "Four bytes where the profile allows more.",
    ),
    "payload.malformed-profile": Names(
        "three_lanes",
        "A subgroup size that is no power of two.",
        "powers",
        "Subgroup sizes that are powers of two.",
    ),
    "payload.missing-binding": Names(
        "left_out",
        "A slot that the dispatch binds and the entry does not.",
        "all",
        "Everything that the dispatches bind.",
    ),
    "payload.missing-entry": Names(
        "no_entry",
        "A launch group without an entry.",
        "an_entry_each",
        "Every launch group has an entry.",
    ),
    "payload.missing-module": Names(
        "no_module",
        "A launch group whose module is not in the bundle.",
        "a_module_each",
        "Every launch group has a module.",
    ),
    "payload.module-mismatch": Names(
        "another_stage",
        "A module of another stage than its launch group.",
        "same_stage",
        "Modules of the stages of their launch groups.",
    ),
    "payload.resource-mismatch": Names(
        "another_resource",
        "A binding of another resource than the graph binds.",
        "same_resource",
        "Bindings of the resources of the graph.",
    ),
    "payload.shared-memory-beyond-profile": Names(
        "one_byte_more",
        "One byte of shared memory more than the profile allows.",
        "within",
        "No shared memory.",
    ),
    "payload.shared-memory-understated": Names(
        "one_byte_less",
        "One byte less than the dispatch asks for.",
        "enough",
        "As many bytes as the dispatch asks for.",
    ),
    "payload.slot-without-binding": Names(
        "unbound",
        "A slot that the entry does not bind.",
        "bound",
        "Every slot is bound.",
    ),
    "payload.storage-class-mismatch": Names(
        "not_constant",
        "An input in constant memory, which is no constant.",
        "global",
        "Inputs and outputs in global memory.",
    ),
    "payload.subgroup-beyond-profile": Names(
        "another_size",
        "A subgroup size that the profile does not have.",
        "any_size",
        "No subgroup size.",
    ),
    "payload.unknown-binding": Names(
        "not_bound_there",
        "A binding of a slot that the dispatch does not bind.",
        "bound_there",
        "Bindings of slots that the dispatches bind.",
    ),
    "payload.unrealized-geometry": Names(
        "two_axes",
        "A workgroup size of two axes.",
        "three_axes",
        "Workgroup sizes of three axes.",
    ),
    "payload.workgroup-beyond-profile": Names(
        "too_many_invocations",
        "More invocations than the profile allows, along no axis too many.",
        "within",
        "Workgroups within the profile.",
    ),
    "reference.missing-launch-group": Names(
        "unknown",
        "An entry of a group that the payload does not declare.",
        "declared",
        "Entries of groups of the payload.",
    ),
}
"""By code."""


def _unreadable(parts: Parts) -> None:
    parts.bundle_body = b"\0"


def _unknown_group(parts: Parts) -> None:
    parts.payload.entries[2].group = "scan"


_ALL = [
    *FAULTS,
    Fault("nested.unreadable", "payload", "bundle.body", _unreadable),
    Fault("reference.missing-launch-group", "payload", 'entries["scan"].group', _unknown_group),
]


def cases() -> Iterator[tuple[Path, str]]:
    """Yield every file with its content."""
    for fault in _ALL:
        names = NAMES[fault.code]
        parts = fault.make()
        yield from _case(fault, names.good, names.right, parts.message(fault.level))
        fault.change(parts)
        yield from _case(fault, names.bad, names.wrong, parts.message(fault.level))


def _case(fault: Fault, name: str, description: str, message: Message) -> Iterator[tuple[Path, str]]:
    family, _, slug = fault.code.partition(".")
    folder = VERIFY / family / slug / name
    document = Document.from_message(message)
    kind = document.kind
    bare = type(message).FromString(document.binary)
    bare.ClearField("header")
    head = f"# proto-file: execgraph/v1/{_FILES[kind]}.proto\n# proto-message: execgraph.v1.{kind}\n\n"
    yield folder / "document.txtpb", head + _text(bare)
    yield folder / "case.txtpb", _expectation(fault.code, description, document)


def _text(message: Message) -> str:
    from google.protobuf import text_format  # noqa: PLC0415 - beside its one user

    return text_format.MessageToString(message)


def _expectation(code: str, description: str, document: Document) -> str:
    report = verify(document)
    lines = [
        "# proto-file: execgraph/conformance/v1/conformance.proto",
        "# proto-message: execgraph.conformance.v1.Case",
        "",
        f'description: "{description}"',
        "body {",
        "  verify {",
        f"    verdict: VERDICT_{report.verdict.name}",
    ]
    for found in report.diagnostics:
        path = str(found.path).replace('"', '\\"')
        lines += [
            "    diagnostics {",
            f'      code: "{found.code}"',
            f"      severity: SEVERITY_{found.severity.name}",
        ]
        lines += [f'      path: "{path}"', "    }"]
    if not report.diagnostics:
        lines.append(f'    passes: "{code}"')
    for gap in report.unverified:
        if gap.required and not gap.reason.startswith("`"):
            lines += ["    unverified {", f'      check: "{gap.check}"', "    }"]
    return "\n".join([*lines, "  }", "}", ""])


def main() -> None:
    """Write all files."""
    for path, content in cases():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
