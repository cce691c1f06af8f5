"""The index of one package: graphs read, variants selected, bytes hashed and interfaces merged, each once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, Step
from interlock.errors import InterlockError, WorkExceededError
from interlock.package.container import ContainerError
from interlock.package.entries import GraphEntry, Selected, Unresolved, VariantEntry, candidates, runs_of
from interlock.package.merge import merge

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from execgraph.v1 import graph_pb2, package_pb2
    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.diagnostic import Path
    from interlock.limits import Limits
    from interlock.package.container import Container
    from interlock.package.facts import ModuleFacts
    from interlock.package.knowledge import VariantInterface


__all__ = ["NO_CONTAINER", "GraphEntry", "PackageIndex", "Selected", "Unresolved", "VariantEntry"]

MOST_NAMED = 10
"""How many targets a sentence names."""
NO_CONTAINER = "no container was named in which its bytes could be"


class PackageIndex:
    """Everything about a package that rules ask for.

    Attributes:
        message: The package.
        container: Where its blobs are; None if nobody said.
        asked: The targets that were asked for; None, which no target means too, for all there are.
        assembler: The program that may assemble SPIR-V assembly; empty for none.
    """

    def __init__(
        self,
        message: package_pb2.Package,
        container: Container | None,
        asked: Collection[str] | None,
        limits: Limits,
        assembler: str = "",
    ) -> None:
        self.message = message
        self.container = container
        self.asked = asked or None
        self.assembler = assembler
        self._limits = limits
        self._work = limits.proof_work
        self._blobs: dict[tuple[str, int, str], ContainerError | None] = {}
        self._interfaces: dict[tuple[str, str, str], VariantInterface] = {}
        self._by_target: dict[str, Mapping[str, list[int]]] = {}
        self._targets: dict[str, tuple[str, ...]] = {}
        self._selected: dict[tuple[str, str, str], VariantEntry | Unresolved] = {}
        self._pins: dict[str, Mapping[str, tuple[int, Mapping[str, graph_pb2.ArtifactPin]]]] = {}
        self._read_failures: dict[tuple[str, str, str], InterlockError] = {}

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The targets to judge, sorted."""
        return self.all_targets if self.asked is None else tuple(sorted(set(self.asked)))

    @cached_property
    def all_targets(self) -> tuple[str, ...]:
        """The targets that any variant is for, sorted."""
        return tuple(sorted({v.target for artifact in self.message.artifacts for v in artifact.variants}))

    @cached_property
    def artifacts(self) -> Mapping[str, tuple[int, package_pb2.Artifact]]:
        """The artifacts by id, with their positions."""
        found: dict[str, tuple[int, package_pb2.Artifact]] = {}
        for position, artifact in enumerate(self.message.artifacts):
            found.setdefault(artifact.id, (position, artifact))
        return found

    # Graphs.

    @cached_property
    def graphs(self) -> tuple[GraphEntry, ...]:
        """The graphs, read once."""
        return tuple(self._graph(position, entry) for position, entry in enumerate(self.message.graphs))

    def targets_of(self, graph: GraphEntry) -> tuple[str, ...]:
        """Return the targets on which a graph is judged, sorted.

        Those that were asked for; else all that any artifact of the graph has a variant for, since a package
        may hold graphs for different targets.
        """
        if self.asked is not None:
            return self.targets
        if graph.id not in self._targets:
            used = (self.artifacts[name][1] for name in self.used[graph.id] if name in self.artifacts)
            found = {variant.target for artifact in used for variant in artifact.variants}
            self._targets[graph.id] = tuple(sorted(found)) or self.targets
        return self._targets[graph.id]

    def _graph(self, position: int, entry: package_pb2.PackagedGraph) -> GraphEntry:
        from interlock.api import loads  # noqa: PLC0415  (graphs only)
        from interlock.codec.encoding import Encoding  # noqa: PLC0415

        arm = entry.source.WhichOneof("source")
        path = ROOT.extended(Step("graphs", position, entry.id), Step("source"))
        path = path if arm is None else path.field(arm)
        if arm is None or (arm == "reference" and self.container is None):
            return GraphEntry(entry.id, path, None)
        try:
            data = entry.source.embedded if arm == "embedded" else self.read(entry.source.reference)
            document = loads(data, encoding=Encoding.BINARY, kind="ExecutionGraph", limits=self._limits)
        except InterlockError as error:
            return GraphEntry(entry.id, path, None, error)
        return GraphEntry(entry.id, path, document)

    # Blobs.

    def read(self, reference: BlobReference) -> bytes:
        """Return the bytes of a blob.

        Raises:
            ContainerError: They are not there, or are others.
        """
        if self.container is None:
            raise ContainerError("container.missing-blob", NO_CONTAINER)
        return self.container.blobs.read(reference)

    def damage(self, reference: BlobReference) -> ContainerError | None:
        """Return what is wrong with the bytes of a blob; None if they are those that are referred to.

        Each blob is read once, however often somebody asks.
        """
        key = reference.digest, reference.size, reference.location
        if key not in self._blobs:
            try:
                self._hash(reference)
            except ContainerError as error:
                self._blobs[key] = error
            else:
                self._blobs[key] = None
        return self._blobs[key]

    def _hash(self, reference: BlobReference) -> None:
        if self.container is None:
            raise ContainerError("container.missing-blob", NO_CONTAINER)
        for _ in self.container.blobs.chunks(reference):
            pass

    def _bytes(self, reference: BlobReference) -> bytes | None:
        """Return the bytes of a blob; None if they are damaged, which `damage` then tells."""
        key = reference.digest, reference.size, reference.location
        if self._blobs.get(key) is not None:
            return None
        try:
            data = self.read(reference)
        except ContainerError as error:
            self._blobs[key] = error
            return None
        self._blobs[key] = None
        return data

    # Variants.

    def pins(self, graph: GraphEntry) -> Mapping[str, tuple[int, Mapping[str, graph_pb2.ArtifactPin]]]:
        """Return the artifact table of a graph by id: the position, and the pins by target."""
        if graph.id not in self._pins:
            table = () if graph.graph is None else graph.graph.artifacts
            self._pins[graph.id] = {
                artifact.id: (position, {pin.target: pin for pin in artifact.pins})
                for position, artifact in enumerate(table)
            }
        return self._pins[graph.id]

    @cached_property
    def runs(self) -> Mapping[str, frozenset[tuple[str, str]]]:
        """What the dispatches of each graph run, by graph: artifacts with logical entries."""
        return {
            graph.id: frozenset(() if graph.graph is None else runs_of(graph.graph)) for graph in self.graphs
        }

    @cached_property
    def used(self) -> Mapping[str, frozenset[str]]:
        """The artifacts that the dispatches of each graph name, by graph."""
        return {graph: frozenset(artifact for artifact, _ in runs) for graph, runs in self.runs.items()}

    def select(self, graph: GraphEntry, artifact: str, target: str) -> VariantEntry | Unresolved:
        """Return the variant of an artifact that a graph runs on a target."""
        key = graph.id, artifact, target
        if key not in self._selected:
            self._selected[key] = self._select(graph, artifact, target)
        return self._selected[key]

    def row(self, graph: GraphEntry, artifact: str) -> Path:
        """Return the path of an artifact in the table of a graph; that of the graph if it is not there."""
        table = self.pins(graph)
        if artifact not in table:
            return graph.path
        return graph.path.extended(Step("artifacts", table[artifact][0], artifact))

    def pin(self, graph: GraphEntry, artifact: str, target: str) -> graph_pb2.ArtifactPin | None:
        """Return the pin of an artifact for a target."""
        table = self.pins(graph)
        return table[artifact][1].get(target) if artifact in table else None

    def pin_path(self, graph: GraphEntry, artifact: str, target: str) -> Path:
        """Return the path of the pin of an artifact for a target, which is there."""
        targets = list(self.pins(graph)[artifact][1])
        return self.row(graph, artifact).extended(Step("pins", targets.index(target), target))

    def _select(self, graph: GraphEntry, artifact: str, target: str) -> VariantEntry | Unresolved:
        position, found = self.artifacts.get(artifact, (-1, None))
        if found is None:
            message = f"the package holds no artifact `{artifact}`"
            return Unresolved("artifact.not-packaged", message, self.row(graph, artifact))
        path = ROOT.extended(Step("artifacts", position, artifact))
        variants = self._variants(found)
        if target not in variants:
            there = ", ".join(f"`{name}`" for name in sorted(variants)[:MOST_NAMED]) or "none"
            message = f"`{artifact}` has no variant for `{target}`; it has {there}"
            return Unresolved("artifact.missing-variant", message, path)
        pin = self.pin(graph, artifact, target)
        fitting, is_pinned = candidates(found.variants, variants[target], pin.digest if pin else "")
        if len(fitting) > 1:
            names = ", ".join(f"`{found.variants[number].name}`" for number in fitting)
            reason = "they have the bytes that are pinned" if is_pinned else "no pin tells which"
            message = f"`{artifact}` has several variants for `{target}`, {names}, and {reason}"
            return Unresolved("artifact.ambiguous-variant", message, self.row(graph, artifact))
        number = fitting[0]
        return VariantEntry(found, found.variants[number], path.extended(Step("variants", number)))

    def _variants(self, artifact: package_pb2.Artifact) -> Mapping[str, list[int]]:
        """Return the positions of the variants of an artifact, by target."""
        if artifact.id not in self._by_target:
            found: dict[str, list[int]] = {}
            for number, variant in enumerate(artifact.variants):
                found.setdefault(variant.target, []).append(number)
            self._by_target[artifact.id] = found
        return self._by_target[artifact.id]

    @cached_property
    def selections(self) -> tuple[Selected, ...]:
        """Every artifact of every graph on each of its targets: by graph, target, then artifact.

        Raises:
            WorkExceededError: There are more than `Limits.proof_work`.
        """
        if sum(len(self.targets_of(each)) * len(self.used[each.id]) for each in self.graphs) > self._work:
            raise WorkExceededError(self._work)
        return tuple(
            Selected(graph, artifact, target, self.select(graph, artifact, target))
            for graph in self.graphs
            for target in self.targets_of(graph)
            for artifact in sorted(self.used[graph.id])
        )

    @property
    def variants(self) -> Iterator[VariantEntry]:
        """Every variant of the package, in the order of the document."""
        for position, artifact in enumerate(self.message.artifacts):
            path = ROOT.extended(Step("artifacts", position, artifact.id))
            for number, variant in enumerate(artifact.variants):
                yield VariantEntry(artifact, variant, path.extended(Step("variants", number)))

    @cached_property
    def used_variants(self) -> tuple[tuple[str, VariantEntry], ...]:
        """The variants that graphs run on the targets, each once with its target, in document order.

        Raises:
            WorkExceededError: As for `selections`.
        """
        found: dict[tuple[str, str, str], tuple[str, VariantEntry]] = {}
        for each in self.selections:
            if isinstance(each.variant, VariantEntry):
                found.setdefault(each.variant.key, (each.target, each.variant))
        return tuple(sorted(found.values(), key=lambda each: _position(each[1].path)))

    @cached_property
    def used_entries(self) -> Mapping[tuple[str, str, str], tuple[str, ...]]:
        """The logical entries that graphs run of each variant, by `VariantEntry.key`.

        Raises:
            WorkExceededError: As for `selections`.
        """
        found: dict[tuple[str, str, str], set[str]] = {}
        entries: dict[str, dict[str, set[str]]] = {}
        for graph, runs in self.runs.items():
            for artifact, entry in runs:
                entries.setdefault(graph, {}).setdefault(artifact, set()).add(entry)
        for each in self.selections:
            if isinstance(each.variant, VariantEntry):
                found.setdefault(each.variant.key, set()).update(entries[each.graph.id][each.artifact])
        return {key: tuple(sorted(names)) for key, names in found.items()}

    def interface(self, entry: VariantEntry) -> VariantInterface:
        """Return what is known about a variant."""
        key = entry.key
        if key not in self._interfaces:
            interface = entry.artifact.interface if entry.artifact.HasField("interface") else None
            self._interfaces[key] = merge(interface, entry.variant, self._modules(entry, key))
        return self._interfaces[key]

    def is_readable(self, entry: VariantEntry) -> bool:
        """Tell whether something can be read from bytes of the content type of a variant."""
        from interlock.package.readers import is_readable  # noqa: PLC0415  (packages only)

        return is_readable(entry.variant.content_type.identity, assembler=self.assembler)

    def read_failure(self, entry: VariantEntry) -> InterlockError | None:
        """Return why the bytes of a variant are no module of their type; None if they are one or not read."""
        self.interface(entry)
        return self._read_failures.get(entry.key)

    def _modules(self, entry: VariantEntry, key: tuple[str, str, str]) -> list[ModuleFacts]:
        from interlock.package.readers import facts_of_bytes  # noqa: PLC0415  (packages only)

        blob = entry.variant.blob
        found = list(self.container.declared.get(blob.digest, ())) if self.container is not None else []
        content = entry.variant.content_type.identity
        data = self._bytes(blob) if self.is_readable(entry) else None
        if data is not None:
            try:
                facts = facts_of_bytes(content, data, assembler=self.assembler)
            except InterlockError as error:
                self._read_failures[key] = error
            else:
                found += [facts] if facts is not None else []
        return found


def _position(path: Path) -> tuple[int, ...]:
    return tuple(step.index or 0 for step in path.steps)
