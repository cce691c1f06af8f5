"""Rules about launch groups: which dispatches a target realizes together, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Path, Related, Step
from interlock.graph.nodes import NodeKind
from interlock.rules.model import Finding, Gap, rule
from interlock.rules.nested import REALIZED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context
    from interlock.rules.held import Realization

PAYLOAD = frozenset({"TargetPayload"})
ENVELOPE = frozenset({"Envelope"})
CYCLE = "the graph has a cycle"


def _element(group: str) -> tuple[NamedElement, ...]:
    return (NamedElement("launch-group", group),)


def _path(each: Realization, index: int, group: str, *steps: Step) -> Path:
    return each.payload.path(Step("groups", index, group or None), *steps)


@rule("group.repeated-member", kinds=PAYLOAD)
def repeated_member(context: Context) -> Iterator[Finding]:
    """A dispatch is in two launch groups.

    What it checks:
        No node is a member of two groups of a payload.

    Why:
        A dispatch is realized by exactly one launch. In two groups it would run twice.

    Bad example:
        groups { id: "first" members: "sum" }
        groups { id: "second" members: "sum" }

    Good example:
        groups { id: "first" members: "sum" }
        groups { id: "second" members: "total" }
    """
    for payload in context.payloads:
        first: dict[str, Path] = {}
        for index, group in enumerate(payload.message.groups):
            for position, member in enumerate(group.members):
                path = payload.path(Step("groups", index, group.id or None), Step("members", position))
                if member in first:
                    yield Finding(
                        path,
                        f"`{member}` is a member of another launch group already",
                        (NamedElement("node", member),),
                        related=(Related(first[member], f"`{member}` is a member here"),),
                    )
                first.setdefault(member, path)


@rule("group.unknown-member", kinds=ENVELOPE, needs=REALIZED)
def unknown_member(context: Context) -> Iterator[Finding]:
    """A launch group names a node that the graph does not have.

    What it checks:
        Every member of a launch group is a node of the graph.

    Why:
        A group is made of dispatches of one graph; a node from elsewhere has no geometry and no bindings.

    Bad example:
        groups { id: "sum" members: "no-such-node" }

    Good example:
        groups { id: "sum" members: "stage-one" }
    """
    for each in context.realizations:
        for index, group in enumerate(each.payload.message.groups):
            for position, member in enumerate(group.members):
                if member not in each.graph.nodes.by_id:
                    yield Finding(
                        _path(each, index, group.id, Step("members", position)),
                        f"the graph has no node `{member}`",
                        (NamedElement("node", member),),
                    )


@rule("group.not-a-dispatch", kinds=ENVELOPE, needs=REALIZED)
def not_a_dispatch(context: Context) -> Iterator[Finding]:
    """A launch group holds a node that is no dispatch.

    What it checks:
        Every member of a launch group that is a node of the graph is a dispatch.

    Why:
        Copies, fills, barriers and control nodes are the runtime's; a launch runs kernels only.

    Bad example:
        groups { id: "sum" members: "copy-result" }

    Good example:
        groups { id: "sum" members: "stage-one" }
    """
    for each in context.realizations:
        nodes = each.graph.nodes
        for index, group in enumerate(each.payload.message.groups):
            for position, member in enumerate(group.members):
                node = nodes.by_id.get(member)
                if node is not None and nodes.kind[node] != NodeKind.DISPATCH:
                    kind = NodeKind(nodes.kind[node]).name.lower()
                    yield Finding(
                        _path(each, index, group.id, Step("members", position)),
                        f"`{member}` is a {kind}; required is a dispatch",
                        (NamedElement("node", member),),
                    )


@rule("group.uncovered-dispatch", kinds=ENVELOPE, needs=REALIZED)
def uncovered_dispatch(context: Context) -> Iterator[Finding]:
    """A dispatch of the graph is in no launch group.

    What it checks:
        Every dispatch of the graph is a member of a launch group of every payload.

    Why:
        A dispatch that no launch realizes never runs on that target.

    Bad example:
        groups { id: "stage-one" members: "stage-one" }

    Good example:
        groups { id: "stage-one" members: "stage-one" }
        groups { id: "stage-two" stage: 1 members: "stage-two" }
    """
    for each in context.realizations:
        covered = {member for group in each.payload.message.groups for member in group.members}
        for node in each.dispatches.numbers:
            identity = each.graph.nodes.ids[node]
            if identity not in covered:
                yield Finding(
                    each.payload.path(Step("groups")),
                    f"the dispatch `{identity}` is in no launch group; required is exactly one",
                    (NamedElement("node", identity),),
                )


@rule("group.several-regions", kinds=ENVELOPE, needs=REALIZED)
def several_regions(context: Context) -> Iterator[Finding]:
    """A launch group takes dispatches of different regions for one launch.

    What it checks:
        All members of a launch group lie in one region of the graph.

    Why:
        A node in the body of a repeat, or in an arm of a conditional, runs as often as that does. No single
        launch runs once and several times.

    Bad example:
        groups { id: "fused" members: "before-the-loop" members: "in-the-loop" }

    Good example:
        groups { id: "fused" members: "in-the-loop" members: "in-the-loop-too" }
    """
    for each in context.realizations:
        nodes = each.graph.nodes
        for index, group, members in each.members:
            apart = [member for member in members if nodes.region[member] != nodes.region[members[0]]]
            if apart:
                yield Finding(
                    _path(each, index, group, Step("members")),
                    f"`{nodes.ids[members[0]]}` and `{nodes.ids[apart[0]]}` lie in different regions; "
                    "required is one region",
                    _element(group),
                )


@rule("group.dependency-cycle", kinds=ENVELOPE, needs=REALIZED)
def dependency_cycle(context: Context) -> Iterator[Finding | Gap]:
    """A launch group would have to run both before and after something else.

    What it checks:
        The graph stays free of cycles when the members of each group are taken for one node. Barriers that
        only stand between members do not count.

    Why:
        A launch runs at one time. Where a path leaves a group and comes back, there is no such time.

    Bad example:
        groups { id: "fused" members: "first" members: "third" }
        groups { id: "second" members: "second" }

    Good example:
        groups { id: "fused" members: "first" members: "second" }
        groups { id: "third" stage: 1 members: "third" }
    """
    for each in context.realizations:
        if each.order is None:
            yield Gap(CYCLE, each.payload.path(Step("groups")))
            continue
        for cycle in each.order.cyclic_groups:
            named = [each.members[number] for number in cycle]
            index, group, _ = named[0]
            names = ", ".join(f"`{name}`" for _, name, _ in named[:8]) + ", …" * (len(named) > 8)
            yield Finding(
                _path(each, index, group),
                f"{names} cannot be launched at one time each: a path leads out of `{group}` and back",
                tuple(NamedElement("launch-group", name) for _, name, _ in named),
            )


@rule("group.wrong-stage", kinds=ENVELOPE, needs=REALIZED)
def wrong_stage(context: Context) -> Iterator[Finding | Gap]:
    """The stage of a launch group is not its level in the graph.

    What it checks:
        The stage is the greatest number of groups on a path that leads to the group. Nodes that are no
        dispatches weigh nothing.

    Why:
        The stage is a fact of the graph, restated for those who read a bundle alone. One that is not true
        orders the modules wrongly.

    Bad example:
        groups { id: "stage-two" stage: 7 members: "stage-two" }

    Good example:
        groups { id: "stage-two" stage: 1 members: "stage-two" }
    """
    for each in context.realizations:
        if each.order is None:
            yield Gap(CYCLE, each.payload.path(Step("groups")))
            continue
        if each.order.cyclic_groups:
            continue
        for (index, group, members), stage in zip(each.members, each.order.stages(), strict=True):
            stated = each.payload.message.groups[index].stage
            if members and stated != stage:
                yield Finding(
                    _path(each, index, group, Step("stage")),
                    f"the stage of `{group}` is stated as `{stated}`; in the graph it is {stage}",
                    _element(group),
                )


RULES = (
    repeated_member,
    unknown_member,
    not_a_dispatch,
    uncovered_dispatch,
    several_regions,
    dependency_cycle,
    wrong_stage,
)
