"""Rules about the modules of a bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlock.diagnostic import ROOT, NamedElement, Path, Related
from interlock.errors import WorkExceededError
from interlock.graph.modules import bound_slots, node_of, place, shown, slot_name
from interlock.rules.model import Finding, Gap, rule
from interlock.rules.nested import REALIZED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1 import module_pb2
    from interlock.rules.context import Context

BUNDLE = frozenset({"TargetModuleBundle"})
ENVELOPE = frozenset({"Envelope"})


def _modules(context: Context) -> Iterator[tuple[Path, module_pb2.TargetModule]]:
    bundle: Any = context.message
    for index, module in enumerate(bundle.modules):
        yield ROOT.element("modules", index), module


def _group(module: module_pb2.TargetModule) -> tuple[NamedElement, ...]:
    return (NamedElement("launch-group", module.group),)


@rule("module.repeated-group", kinds=BUNDLE)
def repeated_group(context: Context) -> Iterator[Finding]:
    """Two modules realize the same launch group.

    What it checks:
        Every launch group has at most one module in a bundle, whatever the stages say.

    Why:
        Modules are found by their group. With two of them, a runtime would have to pick.

    Bad example:
        modules { stage: 0 group: "sum" members: "a" entry_point: "main" }
        modules { stage: 1 group: "sum" members: "b" entry_point: "main" }

    Good example:
        modules { stage: 0 group: "first" members: "a" entry_point: "main" }
        modules { stage: 1 group: "second" members: "b" entry_point: "main" }
    """
    first: dict[str, Path] = {}
    for path, module in _modules(context):
        if module.group in first:
            yield Finding(
                path.field("group"),
                f"the launch group `{module.group}` has a module already",
                _group(module),
                related=(Related(first[module.group], f"the first module of `{module.group}`"),),
            )
        first.setdefault(module.group, path)


@rule("module.repeated-member", kinds=BUNDLE)
def repeated_member(context: Context) -> Iterator[Finding]:
    """A dispatch is in two modules.

    What it checks:
        No node is a member of two modules of a bundle.

    Why:
        A dispatch is realized by one launch. In two modules it would run twice.

    Bad example:
        modules { group: "first" members: "sum" entry_point: "main" }
        modules { group: "second" members: "sum" entry_point: "main" }

    Good example:
        modules { group: "first" members: "sum" entry_point: "main" }
        modules { group: "second" members: "total" entry_point: "main" }
    """
    first: dict[str, Path] = {}
    for path, module in _modules(context):
        for index, member in enumerate(module.members):
            here = path.element("members", index)
            if member in first:
                yield Finding(
                    here,
                    f"`{member}` is a member of another module already",
                    (NamedElement("node", member),),
                    related=(Related(first[member], f"`{member}` is a member here"),),
                )
            first.setdefault(member, here)


@rule("module.empty-blob", kinds=BUNDLE)
def empty_blob(context: Context) -> Iterator[Finding]:
    """A module has code without a byte in it.

    What it checks:
        The code of a module, and the semantic and the lowered form where they are there, are at least one
        byte long.

    Why:
        No content type has a form of no bytes; it is what is left of code that was lost on the way.

    Bad example:
        code { content_type { identity: "spirv" version: 1 } blob { size: 0 } }

    Good example:
        code { content_type { identity: "spirv" version: 1 } blob { size: 1024 } }
    """
    for path, module in _modules(context):
        for name in ("code", "semantic", "lowered"):
            if module.HasField(name) and not getattr(module, name).blob.size:
                yield Finding(
                    path.field(name), "the blob is empty; required is at least 1 byte", _group(module)
                )


@rule("module.misnamed-slot", kinds=BUNDLE)
def misnamed_slot(context: Context) -> Iterator[Finding]:
    """The name of a slot does not say whose it is.

    What it checks:
        A slot has the name of the logical slot in it; in a module of several members, that name prefixed by
        the member and a slash.

    Why:
        Slots are paired with what the graph binds by node and logical slot, never by position. Two members
        may have slots of one name.

    Bad example:
        modules { group: "sum" members: "stage-one" slots { name: "x" slot { name: "partials" } } }

    Good example:
        modules { group: "sum" members: "stage-one" slots { name: "partials" slot { name: "partials" } } }
    """
    for path, module in _modules(context):
        members = set(module.members)
        for index, slot in enumerate(module.slots):
            if members and node_of(slot, members) is None:
                wanted = slot_name("<member>", slot.slot.name, members)
                yield Finding(
                    path.element("slots", index, slot.name or None).field("name"),
                    f"the slot is named `{slot.name}`; required is `{wanted}`",
                    _group(module),
                )


@rule("module.unplaced-slot", kinds=BUNDLE)
def unplaced_slot(context: Context) -> Iterator[Finding]:
    """A slot that takes bytes has no coordinate.

    What it checks:
        Every slot that the graph binds bytes to states where the module takes it. Slots of shared or scratch
        memory, inline constants, samplers and those of the runtime need not.

    Why:
        Without a coordinate a runtime would have to guess where to bind.

    Bad example:
        slots { name: "x" slot { name: "x" kind: SLOT_KIND_STORAGE_BUFFER } }

    Good example:
        slots { name: "x" coordinate { index: 0 } slot { name: "x" kind: SLOT_KIND_STORAGE_BUFFER } }
    """
    for path, module in _modules(context):
        for slot in bound_slots(module):
            if not slot.message.HasField("coordinate"):
                yield Finding(
                    path.element("slots", slot.position, slot.message.name or None),
                    f"the slot `{slot.message.name}` takes bytes, but has no coordinate",
                    _group(module),
                )


@rule("module.repeated-coordinate", kinds=BUNDLE)
def repeated_coordinate(context: Context) -> Iterator[Finding]:
    """Two slots of a module lie at one coordinate.

    What it checks:
        No two slots of a module state the same group, index and array element. One resource at two slots is
        legal: each slot has a coordinate of its own.

    Why:
        What is bound at a coordinate would have to be two things.

    Bad example:
        slots { name: "x" coordinate { index: 0 } slot { name: "x" } }
        slots { name: "y" coordinate { index: 0 } slot { name: "y" } }

    Good example:
        slots { name: "x" coordinate { index: 0 } slot { name: "x" } }
        slots { name: "y" coordinate { index: 1 } slot { name: "y" } }
    """
    for path, module in _modules(context):
        first: dict[tuple[int, int, int], Path] = {}
        for index, slot in enumerate(module.slots):
            if not slot.HasField("coordinate"):
                continue
            here = path.element("slots", index, slot.name or None)
            at = place(slot.coordinate)
            if at in first:
                yield Finding(
                    here.field("coordinate"),
                    f"`{slot.name}` lies at {shown(slot.coordinate)}, where another slot lies already",
                    _group(module),
                    related=(Related(first[at], "the other slot"),),
                )
            first.setdefault(at, here)


@rule("module.foreign-pair", kinds=BUNDLE)
def foreign_pair(context: Context) -> Iterator[Finding]:
    """A module keeps a dependency inside whose nodes are not two of its members.

    What it checks:
        Both nodes of every internalized dependency are members of the module, and they differ.

    Why:
        A module can order what it runs itself, and nothing else.

    Bad example:
        modules { group: "sum" members: "a" internalized { from_node: "a" to_node: "b" } }

    Good example:
        modules { group: "sum" members: "a" members: "b" internalized { from_node: "a" to_node: "b" } }
    """
    for path, module in _modules(context):
        members = set(module.members)
        for index, pair in enumerate(module.internalized):
            if pair.from_node == pair.to_node or not {pair.from_node, pair.to_node} <= members:
                yield Finding(
                    path.element("internalized", index),
                    f"`{pair.from_node}` and `{pair.to_node}` are not two members of `{module.group}`",
                    _group(module),
                )


@rule("module.dependency-not-internalized", kinds=ENVELOPE, needs=REALIZED)
def dependency_not_internalized(context: Context) -> Iterator[Finding | Gap]:
    """A launch group holds a dependent pair that its module does not keep in order.

    What it checks:
        Where a member of a group depends on another one, directly or through barriers only, the module of the
        group lists the pair as internalized, with evidence. Chains follow from their links.

    Why:
        All members run in one launch, so the edge between them exists no more. Either the module orders them
        and makes the writes of the first visible to the second, or they race.

    Bad example:
        modules { group: "fused" members: "a" members: "b" entry_point: "main" }

    Good example:
        modules {
          group: "fused"
          members: "a"
          members: "b"
          entry_point: "main"
          internalized { from_node: "a" to_node: "b" evidence: EVIDENCE_ASSERTED }
        }
    """
    for path, group, missing, _ in _internalized(context):
        if isinstance(missing, Gap):
            yield missing
            continue
        for source, target in missing:
            yield Finding(
                path,
                f"`{target}` depends on `{source}` within the launch group `{group}`; the module has to list "
                "the pair as internalized",
                (NamedElement("node", source), NamedElement("node", target)),
            )


@rule("module.internalized-independent-pair", kinds=ENVELOPE, needs=REALIZED)
def internalized_independent_pair(context: Context) -> Iterator[Finding | Gap]:
    """A module claims to keep a dependency inside that the graph does not have.

    What it checks:
        Every pair that a module lists as internalized is one of which the second depends on the first,
        directly or through barriers only.

    Why:
        The list has one spelling: exactly the dependencies that vanish in the launch. Anything else speaks of
        another graph.

    Bad example:
        internalized { from_node: "b" to_node: "a" evidence: EVIDENCE_ASSERTED }

    Good example:
        internalized { from_node: "a" to_node: "b" evidence: EVIDENCE_ASSERTED }
    """
    for path, group, missing, surplus in _internalized(context):
        if isinstance(missing, Gap):
            yield missing
            continue
        for index, source, target in surplus:
            yield Finding(
                path.element("internalized", index),
                f"`{target}` does not depend on `{source}` in the graph, but the module of `{group}` lists "
                "the pair",
                (NamedElement("node", source), NamedElement("node", target)),
            )


_Found = tuple[Path, str, "list[tuple[str, str]] | Gap", list[tuple[int, str, str]]]


def _internalized(context: Context) -> Iterator[_Found]:
    """Yield for each module what it fails to list, and what it lists in vain."""
    for each in context.realizations:
        ids, modules = each.graph.nodes.ids, each.payload.modules
        for number, (_, group, members) in enumerate(each.members):
            index, module = modules.get(group, (0, None))
            if module is None or (len(members) < 2 and not module.internalized):
                continue
            path = each.payload.module_path(index)
            if each.order is None:
                yield path, group, Gap("the graph has a cycle", path), []
                continue
            try:
                pairs = each.order.dependent_pairs(number)
            except WorkExceededError as error:
                yield path, group, Gap(str(error), path), []
                continue
            real = [(ids[source], ids[target]) for source, target in pairs]
            stated = [(at, pair.from_node, pair.to_node) for at, pair in enumerate(module.internalized)]
            listed, known = {(source, target) for _, source, target in stated}, set(real)
            yield (
                path,
                group,
                [pair for pair in real if pair not in listed],
                [pair for pair in stated if pair[1:] not in known],
            )


RULES = (
    repeated_group,
    repeated_member,
    empty_blob,
    misnamed_slot,
    unplaced_slot,
    repeated_coordinate,
    foreign_pair,
    dependency_not_internalized,
    internalized_independent_pair,
)
