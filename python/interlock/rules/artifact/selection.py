"""Rules about which variant of an artifact a graph runs, and whether it is the one that the graph pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, NamedElement
from interlock.package.index import VariantEntry
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import blocked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


def _named(artifact: str) -> tuple[NamedElement, ...]:
    return (NamedElement("artifact", artifact),)


def _unresolved(context: Context, code: str) -> Iterator[Finding]:
    """Yield what keeps artifacts from having a variant, each place once."""
    told = set()
    for each in context.package.selections:
        if not isinstance(each.variant, VariantEntry) and each.variant.code == code:
            where = str(each.variant.path), each.target
            if where not in told:
                told.add(where)
                found = each.variant
                yield Finding(found.path, found.message, _named(each.artifact), target=each.target)


@rule("artifact.not-packaged", kinds=PACKAGE)
def not_packaged(context: Context) -> Iterator[Finding]:
    """A graph runs an artifact that the package does not hold.

    What it checks:
        Every artifact that a dispatch names is an artifact of the package.

    Why:
        Without the artifact there is nothing to run.

    Bad example:
        # the package holds "scale" alone
        dispatch { artifact: "sum" entry: "main" }

    Good example:
        # the package holds "sum"
        dispatch { artifact: "sum" entry: "main" }
    """
    package = context.package
    for graph in package.graphs:
        for artifact in sorted(package.used[graph.id] - package.artifacts.keys()):
            message = f"the package holds no artifact `{artifact}`"
            yield Finding(package.row(graph, artifact), message, _named(artifact))


@rule("artifact.missing-variant", kinds=PACKAGE)
def missing_variant(context: Context) -> Iterator[Finding | Gap]:
    """An artifact has no variant for a target that a graph is judged on.

    What it checks:
        Every artifact of a graph has a variant for every target: those that the caller names, or else all
        that any artifact of the graph has a variant for.

    Why:
        A graph runs on a target only if all of its kernels do.

    Bad example:
        artifacts { id: "first" variants { target: "metal" } variants { target: "vulkan" } }
        artifacts { id: "second" variants { target: "vulkan" } }

    Good example:
        artifacts { id: "first" variants { target: "metal" } variants { target: "vulkan" } }
        artifacts { id: "second" variants { target: "metal" } variants { target: "vulkan" } }
    """
    package = context.package
    absent = set(package.asked or ()) - set(package.all_targets)
    for target in sorted(absent):
        yield blocked("package.missing-target", ROOT, target)
    for finding in _unresolved(context, "artifact.missing-variant"):
        if finding.target not in absent:
            yield finding
    for graph in package.graphs:
        for artifact in sorted(package.used[graph.id]) if not package.targets_of(graph) else ():
            if artifact in package.artifacts:
                path = package.row(graph, artifact)
                yield Finding(path, f"`{artifact}` has no variants at all", _named(artifact))


@rule("artifact.ambiguous-variant", kinds=PACKAGE)
def ambiguous_variant(context: Context) -> Iterator[Finding]:
    """Several variants of an artifact are for one target, and nothing tells which runs.

    What it checks:
        Of the variants for a target one has the digest that the graph pins, or else one alone has no name.

    Why:
        A reader that picks one would run something nobody has chosen.

    Bad example:
        variants { target: "vulkan" name: "fast" }
        variants { target: "vulkan" name: "small" }

    Good example:
        variants { target: "vulkan" }
        variants { target: "vulkan" name: "small" }
    """
    return _unresolved(context, "artifact.ambiguous-variant")


@rule("artifact.pin-mismatch", kinds=PACKAGE)
def pin_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """The bytes of a variant are not those that the graph pins.

    What it checks:
        Where the artifact table of a graph pins an artifact for a target, the variant has that digest and
        that size.

    Why:
        The graph was made for these bytes. Others may do anything else.

    Bad example:
        pins { target: "vulkan" size: 1024 }
        variants { target: "vulkan" blob { size: 1028 } }

    Good example:
        pins { target: "vulkan" size: 1024 }
        variants { target: "vulkan" blob { size: 1024 } }
    """
    package = context.package
    for each in package.selections:
        pin = package.pin(each.graph, each.artifact, each.target)
        if not isinstance(each.variant, VariantEntry):
            if pin is not None:
                yield blocked(each.variant.code, package.row(each.graph, each.artifact), each.target)
            continue
        blob = each.variant.variant.blob
        if pin is None or (pin.digest, pin.size) == (blob.digest, blob.size):
            continue
        different = "digest" if pin.digest != blob.digest else "size"
        wanted, there = getattr(pin, different), getattr(blob, different)
        yield Finding(
            package.pin_path(each.graph, each.artifact, each.target).field(different),
            f"the {different} `{wanted}` is pinned; {each.variant} has `{there}`",
            _named(each.artifact),
            target=each.target,
        )


@rule("artifact.unpinned", kinds=PACKAGE)
def unpinned(context: Context) -> Iterator[Gap]:
    """A graph does not pin the bytes of an artifact.

    What it checks:
        The artifact table of a graph pins the digest and the size of every artifact for every target it is
        judged on. Where it does not, the content stays unverified.

    Why:
        Without a pin, whoever replaces the bytes in the package changes what the graph does, and nobody
        sees it.

    Bad example:
        artifacts { id: "sum" }

    Good example:
        artifacts { id: "sum" pins { target: "vulkan" size: 1024 } }
    """
    package = context.package
    for each in package.selections:
        if isinstance(each.variant, VariantEntry) and not package.pin(each.graph, each.artifact, each.target):
            yield Gap(
                f"`{each.artifact}` is not pinned for `{each.target}`: any bytes could take its place",
                package.row(each.graph, each.artifact),
                each.target,
            )


RULES = (not_packaged, missing_variant, ambiguous_variant, pin_mismatch, unpinned)
