"""Launch groups: derived from a graph, one a dispatch, or checked where a producer chose them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from execgraph.v1 import module_pb2, payload_pb2
from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.graph.launch_groups import Contraction
from interlock.graph.realization import Dispatches
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.rules import document, group, limit, order, reference
from interlock.rules.context import Context
from interlock.rules.engine import run
from interlock.rules.held import PayloadView, Realization
from interlock.rules.reference import names
from interlock.target.errors import InvalidArtifactError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlock.document import Document
    from interlock.graph.index import GraphIndex
    from interlock.rules.model import Rule

_GRAPH_RULES = (*document.RULES, *reference.RULES, *order.RULES)


@dataclass(frozen=True)
class _Candidates(Context):
    """Launch groups beside a graph, before there is any payload."""

    graph_context: Context | None = None

    @cached_property
    def payloads(self) -> tuple[PayloadView, ...]:
        message: payload_pb2.TargetPayload = self.message  # type: ignore[assignment]
        return (PayloadView(ROOT, message, None),)

    @cached_property
    def realizations(self) -> tuple[Realization, ...]:
        assert self.graph_context is not None  # noqa: S101 - always given
        graph = self.graph_context.graph
        return (Realization(self.payloads[0], graph, Dispatches(graph), self.limits),)


def indexed(graph: Document, limits: Limits = DEFAULT_LIMITS) -> GraphIndex:
    """Return the index of a graph whose references resolve and in which there is no cycle.

    Raises:
        InvalidArtifactError: It is larger than the limits, or a rule about documents, references or order
            found something.
        TypeError: It is no graph.
    """
    return _sound(graph, limits).graph


def _sound(graph: Document, limits: Limits) -> Context:
    if graph.kind != "ExecutionGraph":
        raise TypeError(f"a graph is required, not a `{graph.kind}`")
    context = Context(graph.message, graph.kind, limits)
    for rules in (limit.RULES, _GRAPH_RULES):
        _raise_errors(run(context, rules).diagnostics)
    return context


def _raise_errors(found: Iterable[Diagnostic]) -> None:
    errors = [each for each in found if each.severity is Severity.ERROR]
    if errors:
        raise InvalidArtifactError(*errors)


def derive_groups(graph: Document, *, limits: Limits = DEFAULT_LIMITS) -> tuple[module_pb2.LaunchGroup, ...]:
    """Return one launch group for each dispatch, named like it, by id.

    Raises:
        InvalidArtifactError: See `indexed`.
        TypeError: It is no graph.
    """
    context = _sound(graph, limits)
    ids = context.graph.nodes.ids
    return _staged(context, {ids[node]: (ids[node],) for node in Dispatches(context.graph).numbers})


def group_by(
    graph: Document, members: Mapping[str, Sequence[str]], *, limits: Limits = DEFAULT_LIMITS
) -> tuple[module_pb2.LaunchGroup, ...]:
    """Return the launch groups of the given ids and members, by id, with their stages.

    Raises:
        InvalidArtifactError: See `indexed` and `check_groups`.
        TypeError: It is no graph.
    """
    context = _sound(graph, limits)
    groups = _staged(context, members)
    _check(context, groups)
    return groups


def check_groups(
    graph: Document, groups: Iterable[module_pb2.LaunchGroup], *, limits: Limits = DEFAULT_LIMITS
) -> tuple[module_pb2.LaunchGroup, ...]:
    """Return a producer's launch groups, by id, once nothing is wrong with them.

    Raises:
        InvalidArtifactError: A rule on launch groups found something: a group has no members or no id
            (``document.missing-field``), two have one id (``reference.duplicate-id``), or
            ``group.repeated-member``, ``group.unknown-member``, ``group.not-a-dispatch``,
            ``group.uncovered-dispatch``, ``group.several-regions``, ``group.dependency-cycle``,
            ``group.wrong-stage``. The error has all of them.
        TypeError: It is no graph.
    """
    context = _sound(graph, limits)
    listed = tuple(sorted((_copy(each) for each in groups), key=lambda each: each.id.encode()))
    _check(context, listed)
    return listed


def _copy(group: module_pb2.LaunchGroup) -> module_pb2.LaunchGroup:
    """Return a group with its members in canonical order; repetitions stay, for the rules to find."""
    members = sorted(group.members, key=str.encode)
    return module_pb2.LaunchGroup(id=group.id, stage=group.stage, members=members)


def _staged(context: Context, members: Mapping[str, Sequence[str]]) -> tuple[module_pb2.LaunchGroup, ...]:
    by_id = context.graph.nodes.by_id
    known = set(Dispatches(context.graph).numbers)
    ids = sorted(members, key=str.encode)
    taken: set[int] = set()
    numbers = []
    for name in ids:
        mine = [by_id[each] for each in members[name] if by_id.get(each) in known - taken]
        taken.update(mine)
        numbers.append(mine)
    order_ = Contraction(context.graph.nodes, context.graph.topology, numbers, context.limits.proof_work)
    return tuple(
        module_pb2.LaunchGroup(id=name, stage=stage, members=sorted(members[name], key=str.encode))
        for name, stage in zip(ids, order_.stages(), strict=True)
    )


def _check(graph: Context, groups: Sequence[module_pb2.LaunchGroup]) -> None:
    message = payload_pb2.TargetPayload(groups=groups)
    found = []
    for kind in ("TargetPayload", "Envelope"):
        context = _Candidates(message, kind, graph.limits, graph_context=graph)
        results = run(context, _RULES)
        found += [each for each in results.diagnostics if str(each.path).startswith("groups")]
        if kind == "Envelope" and not found:
            found += [
                Diagnostic("limit.proof-work", Severity.ERROR, gap.path, gap.reason)
                for gap in results.unverified
                if gap.required
            ]
    seen = dict.fromkeys((each.code, each.path) for each in found)
    _raise_errors(next(each for each in found if (each.code, each.path) == key) for key in seen)


_RULES: tuple[Rule, ...] = (
    document.missing_field,
    document.malformed_id,
    names.duplicate_id,
    *group.RULES,
)
