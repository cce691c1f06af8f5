"""Applies the changes that findings suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from execgraph.v1 import access_pb2, graph_pb2
from interlock.diagnostic import ROOT, Diagnostic, Fix, Path, Severity, Step
from interlock.document import Document
from interlock.errors import TransformFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
    from google.protobuf.message import Message

    from execgraph.v1 import node_pb2
    from interlock.diagnostic import AddedDependency, AddedStatement

    _Statements: TypeAlias = RepeatedCompositeFieldContainer[access_pb2.VisibilityStatement]

_USAGES = {name for name, number in access_pb2.Usage.items() if number != access_pb2.USAGE_UNSPECIFIED}
_KINDS = {"READ": access_pb2.ACCESS_KIND_READ, "WRITE": access_pb2.ACCESS_KIND_WRITE}


def apply_fix(document: Document | Message, fix: Fix) -> Document:
    """Return a graph with the dependencies and the visibility statements of a fix added.

    What the graph has already is not added twice. The document that is given stays as it is.

    Args:
        document: An execution graph, as a rule the one whose report holds the finding.
        fix: The change, as it stands on a finding.

    Raises:
        TransformFailure: The fix does not fit the graph; all reasons are given, each with a code ``fix.…``.
        TypeError: The document is no execution graph, or the fix is none, as where a finding has no fix.
    """
    document = Document.of(document)
    _check(fix)
    if not isinstance(document.message, graph_pb2.ExecutionGraph):
        raise TypeError(f"fixes apply to documents of kind `ExecutionGraph`, not `{document.kind}`")
    message = graph_pb2.ExecutionGraph()
    message.CopyFrom(document.message)
    change = _Change(message)
    for dependency in fix.dependencies:
        change.depend(dependency)
    for statement in fix.statements:
        change.state(statement)
    if change.found:
        raise TransformFailure(*change.found)
    return Document.from_message(message)


def _check(fix: object) -> None:
    if not isinstance(fix, Fix):
        hint = "; the finding suggests no change" if fix is None else ""
        raise TypeError(f"a `Fix` is required, as it stands on a finding, not `{fix!r}`{hint}")


class _Change:
    """A message that is being changed, and what stands in the way."""

    def __init__(self, message: graph_pb2.ExecutionGraph) -> None:
        self.found: list[Diagnostic] = []
        self._resources = {resource.id for resource in message.resources}
        self._nodes: dict[str, node_pb2.Node] = {}
        self._paths: dict[str, Path] = {}
        self._region_of: dict[str, Path] = {}
        for region, path, node in _walk(message.body, Path((Step("body"),))):
            self._nodes[node.id], self._paths[node.id], self._region_of[node.id] = node, path, region

    def depend(self, added: AddedDependency) -> None:
        """Add a dependency."""
        if not self._known(added.node) or not self._known(added.depends_on):
            return
        node = self._nodes[added.node]
        if added.depends_on in node.depends_on:
            return
        if added.depends_on == added.node:
            self._refuse("fix.cyclic", self._paths[added.node], f"`{added.node}` cannot depend on itself")
            return
        if self._region_of[added.node] != self._region_of[added.depends_on]:
            self._refuse(
                "fix.other-region",
                self._paths[added.node],
                f"`{added.node}` and `{added.depends_on}` are in different regions",
            )
        elif self._reaches(added.node, added.depends_on):
            self._refuse(
                "fix.cyclic",
                self._paths[added.node],
                f"`{added.node}` cannot depend on `{added.depends_on}`, which comes after it",
            )
        else:
            node.depends_on.append(added.depends_on)

    def state(self, added: AddedStatement) -> None:
        """Add a visibility statement."""
        if not self._known(added.node) or (added.source and not self._known(added.source)):
            return
        path = self._paths[added.node]
        if added.resource not in self._resources:
            self._refuse("fix.unknown-resource", path, f"there is no resource `{added.resource}`")
            return
        statement = access_pb2.VisibilityStatement()
        statement.selections.add(resource=added.resource)
        statement.available_from.extend(self._scopes(added.available_from, path))
        statement.visible_to.extend(self._scopes(added.visible_to, path))
        if (place := self._place(added)) is not None and statement not in place:
            place.append(statement)

    def _place(self, added: AddedStatement) -> _Statements | None:
        """Return the statements that a new one joins."""
        node, path = self._nodes[added.node], self._paths[added.node]
        if not added.source:
            if node.operation.HasField("repeat"):
                return node.operation.repeat.carried
            self._refuse("fix.not-a-repeat", path, f"`{added.node}` is no repeat")
            return None
        if added.source not in node.depends_on:
            self._refuse(
                "fix.missing-dependency", path, f"`{added.node}` does not depend on `{added.source}`"
            )
            return None
        for edge in node.edge_visibility:
            if edge.source == added.source:
                return edge.statements
        return node.edge_visibility.add(source=added.source).statements

    def _scopes(self, words: Iterable[str], path: Path) -> list[access_pb2.AccessScope]:
        """Return scopes in canonical order, each once, so that equal statements look equal."""
        found: list[access_pb2.AccessScope] = []
        for word in dict.fromkeys(words):
            usage, _, kind = word.partition(" ")
            if usage in _USAGES and kind in _KINDS:
                found.append(access_pb2.AccessScope(usage=usage, kind=_KINDS[kind]))
            else:
                self._refuse(
                    "fix.unknown-scope", path, f"`{word}` is not the name of a usage and READ or WRITE"
                )
        return sorted(found, key=lambda scope: (scope.usage, scope.kind))

    def _known(self, name: str) -> bool:
        if name in self._nodes:
            return True
        self._refuse("fix.unknown-node", ROOT, f"there is no node `{name}`")
        return False

    def _reaches(self, first: str, last: str) -> bool:
        """Tell whether a path of dependencies leads from one node to another one."""
        seen, waiting = {last}, [last]
        while waiting:
            name = waiting.pop()
            if name == first:
                return True
            for source in self._nodes[name].depends_on if name in self._nodes else ():
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return False

    def _refuse(self, code: str, path: Path, message: str) -> None:
        self.found.append(Diagnostic(code, Severity.ERROR, path, message))


def _walk(region: node_pb2.Region, path: Path) -> Iterator[tuple[Path, Path, node_pb2.Node]]:
    """Yield every node with the path of its region and its own."""
    for index, node in enumerate(region.nodes):
        place = path.element("nodes", index, node.id)
        yield path, place, node
        operation = place.field("operation")
        if node.operation.HasField("conditional"):
            conditional = node.operation.conditional
            if conditional.HasField("then_region"):
                yield from _walk(conditional.then_region, operation.field("conditional").field("then_region"))
            if conditional.HasField("else_region"):
                yield from _walk(conditional.else_region, operation.field("conditional").field("else_region"))
        elif node.operation.HasField("repeat"):
            yield from _walk(node.operation.repeat.body, operation.field("repeat").field("body"))
