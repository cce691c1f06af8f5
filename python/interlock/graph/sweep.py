"""What the options of the schema say about a document of any kind.

Required fields, the spelling of ids and digests, ids and the references to them: all of it is derived from
the schema, and no message is known by name. A large document is first judged as a whole; only one that is not
clean is visited message by message. Messages that can hold themselves (regions) are put in a queue instead of
being entered, so that nesting costs no stack.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from interlock.diagnostic import ROOT, Path
from interlock.graph.plans import Child, Plan, is_id, plan_of
from interlock.hashing import is_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message

SMALL = 1 << 16
"""Up to this many bytes, a visit costs less than making ready to judge a document as a whole."""
CHUNK = 1 << 10
"""As many elements of a list are judged together before one of them is visited."""


class Place(NamedTuple):
    """A place that is not as it should be, and what stands there or should."""

    path: Path
    text: str


class Declaration(NamedTuple):
    """An id that a document declares, the space of names it is declared in, and where."""

    space: str
    id: str
    path: Path


class Clash(NamedTuple):
    """Two declarations that get in each other's way, the earlier one first."""

    first: Declaration
    second: Declaration


@dataclass(slots=True)
class Sweep:
    """What one pass over a document found, in the order of the pass.

    Attributes:
        missing: Required fields that are absent; the text is the field's name.
        choiceless: Messages that are a choice, and none was made; the text lists what there is to choose
            from.
        malformed_ids: Ids that are not spelled like one.
        malformed_digests: Digests that are not spelled like one.
        unordered_pairs: Second fields of pairs that are not greater than the first.
        duplicates: Ids declared again in one space of names.
        case_twins: Ids that differ in case only from an earlier one of their space.
        unresolved: References that no declaration answers, by space of names; spaces that this kind of
            document cannot declare names in are left out.
    """

    missing: list[Place] = field(default_factory=list)
    choiceless: list[Place] = field(default_factory=list)
    malformed_ids: list[Place] = field(default_factory=list)
    malformed_digests: list[Place] = field(default_factory=list)
    unordered_pairs: list[Place] = field(default_factory=list)
    duplicates: list[Clash] = field(default_factory=list)
    case_twins: list[Clash] = field(default_factory=list)
    unresolved: dict[str, list[Place]] = field(default_factory=dict)


def sweep(root: Message) -> Sweep:
    """Look at every field of a document once."""
    found = Sweep()
    if root.ByteSize() > SMALL:
        from interlock.graph.columns import is_clean  # noqa: PLC0415  (large documents only)

        if is_clean(root, plan_of(root.DESCRIPTOR)):
            return found
    visit = _Visit(root, found)
    visit.declare()
    visit.check()
    return found


class _Visit:
    """A visit to every message of a document."""

    def __init__(self, root: Message, found: Sweep) -> None:
        self._root = root
        self._plan = plan_of(root.DESCRIPTOR)
        self._found = found
        self._declared: dict[str, set[str]] = {}
        self._encoded: dict[str, set[bytes]] = {}

    # Ids

    def declare(self) -> None:
        ids: dict[str, list[str]] = {space: [] for space in self._plan.spaces}
        for message, plan, _ in self._everything():
            for name, space in plan.ids:
                value = getattr(message, name)
                if value:
                    ids[space].append(value)
        self._declared = {space: set(names) for space, names in ids.items()}
        self._encoded = {space: {name.encode() for name in names} for space, names in self._declared.items()}
        if any(len(names) != len({name.lower() for name in names}) for names in ids.values()):
            self._clashes()

    def _clashes(self) -> None:
        exact: dict[tuple[str, str], Declaration] = {}
        folded: dict[tuple[str, str], Declaration] = {}
        for message, plan, path in self._everything():
            for name, space in plan.ids:
                value = getattr(message, name)
                if not value:
                    continue
                declaration = Declaration(space, value, path.field(name))
                first = exact.setdefault((space, value), declaration)
                if first is not declaration:
                    self._found.duplicates.append(Clash(first, declaration))
                    continue
                twin = folded.setdefault((space, value.lower()), declaration)
                if twin is not declaration:
                    self._found.case_twins.append(Clash(twin, declaration))

    def _everything(self) -> Iterator[tuple[Message, Plan, Path]]:
        """Yield every message that may declare an id, with its path."""
        waiting: deque[tuple[Message, Plan, Path]] = deque([(self._root, self._plan, ROOT)])
        while waiting:
            message, plan, path = waiting.popleft()
            yield message, plan, path
            waiting.extend(
                (inner, child.plan, place)
                for child in plan.children
                if child.plan.declares
                for inner, place in child.messages(message, path)
            )

    # Everything else

    def check(self) -> None:
        waiting: deque[tuple[Message, Plan, Path]] = deque([(self._root, self._plan, ROOT)])
        while waiting:
            pending = [waiting.popleft()]
            while pending:
                message, plan, path = pending.pop()
                if not self._is_clean(message, plan):
                    self._report(message, plan, path)
                for child in reversed(plan.children):
                    below = [
                        (inner, child.plan, place) for inner, place in self._suspects(child, message, path)
                    ]
                    if child.plan.queued:
                        waiting.extend(below)
                    else:
                        pending.extend(reversed(below))

    def _suspects(self, child: Child, message: Message, path: Path) -> Iterable[tuple[Message, Path]]:
        """Return the messages of a field in which something may be wrong; of a long list, whole chunks."""
        elements = getattr(message, child.name) if child.repeated else ()
        if len(elements) <= CHUNK:
            return child.messages(message, path)
        from interlock.graph.columns import are_clean  # noqa: PLC0415  (large documents only)

        return [
            (element, child.path(path, start + offset, element))
            for start in range(0, len(elements), CHUNK)
            if not are_clean(child.plan, elements[start : start + CHUNK], self._encoded)
            for offset, element in enumerate(elements[start : start + CHUNK])
        ]

    def _is_clean(self, message: Message, plan: Plan) -> bool:
        """Tell whether nothing is wrong with the fields of a message itself."""
        if plan.choice and message.WhichOneof(plan.choice) is None:
            return False
        if plan.filled is not None and not all(plan.filled(message)):
            return False
        for name in plan.present:
            if not message.HasField(name):
                return False
        for name, _ in plan.ids:
            value = getattr(message, name)
            if value and not is_id(value):
                return False
        for reference in plan.references:
            declared = self._declared.get(reference.space)
            if declared is not None and not reference.resolves(message, declared):
                return False
        for name in plan.digests:
            value = getattr(message, name)
            if value and not is_digest(value):
                return False
        return not plan.pair or plan.ordered(message)

    def _report(self, message: Message, plan: Plan, path: Path) -> None:
        found = self._found
        if plan.choice and message.WhichOneof(plan.choice) is None:
            found.choiceless.append(Place(path, ", ".join(f"`{arm}`" for arm in plan.choices)))
        for name in plan.required:
            if not plan.has(message, name):
                found.missing.append(Place(path.field(name), name))
        for name, _ in plan.ids:
            value = getattr(message, name)
            if value and not is_id(value):
                found.malformed_ids.append(Place(path.field(name), value))
        for reference in plan.references:
            declared = self._declared.get(reference.space)
            if declared is not None:
                found.unresolved.setdefault(reference.space, []).extend(
                    Place(place, value)
                    for value, place in reference.values(message, path)
                    if value not in declared
                )
        for name in plan.digests:
            value = getattr(message, name)
            if value and not is_digest(value):
                found.malformed_digests.append(Place(path.field(name), value))
        if plan.pair and not plan.ordered(message):
            found.unordered_pairs.append(Place(path.field("second"), plan.pair))
