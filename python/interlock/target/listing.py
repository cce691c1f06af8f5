"""What a sealed frame holds, in lines for people: payloads, launch groups, modules."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from execgraph.v1 import interface_pb2
from interlock.target.sealed import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from execgraph.v1 import module_pb2
    from interlock.rules.held import PayloadView
    from interlock.target.sealed import SealedDocument


def listing(sealed: SealedDocument) -> tuple[str, ...]:
    """Return the payloads of a frame with their modules, or the modules of a bundle, one line each."""
    if sealed.kind == BUNDLE:
        return (f"modules ({len(sealed.message.modules)})", *_modules(sealed.message.modules, "  "))
    lines = [f"payloads ({len(sealed.context.payloads)})"]
    for view in sealed.context.payloads:
        lines += _payload(view)
    return tuple(lines)


def _payload(view: PayloadView) -> Iterator[str]:
    message, profile = view.message, view.message.profile
    by = message.header.producer
    made = f", by {by.name} {by.version}".rstrip() if by.name else ""
    yield (
        f"  {message.format.identity} {message.format.version}  for `{profile.identity}`, generation "
        f"{profile.generation} ({profile.target}){made}"
    )
    yield f"    {len(message.groups)} launch groups"
    yield from _modules(view.bundle.modules if view.bundle is not None else (), "    ")


def _modules(modules: Iterable[module_pb2.TargetModule], indent: str) -> Iterator[str]:
    for module in modules:
        code = module.code
        members = "" if list(module.members) == [module.group] else f" of {', '.join(module.members)}"
        yield (
            f"{indent}stage {module.stage}  {module.group}{members}: `{module.entry_point}`, "
            f"{code.content_type.identity} {code.content_type.version}, {code.blob.size:,} bytes, "
            f"{_slots(module.slots)}"
        )


def _slots(slots: Iterable[module_pb2.ModuleSlot]) -> str:
    """Return how many slots there are, and how well they are known."""
    counts = Counter(
        interface_pb2.Evidence.Name(each.slot.evidence).removeprefix("EVIDENCE_").lower() for each in slots
    )
    total = counts.total()
    known = ", ".join(f"{counts[name]} {_WORDS.get(name, name)}" for name in sorted(counts))
    return f"{total} slot{'' if total == 1 else 's'}" + (f" ({known})" if total else "")


_WORDS = {"unspecified": "asserted"}
