"""Rules about a package as a whole: its graphs can be read, and the targets that were asked for are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import ROOT, NamedElement
from interlock.package.index import NO_CONTAINER
from interlock.rules.model import PACKAGE, Finding, Gap, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context


@rule("package.unreadable-graph", kinds=PACKAGE)
def unreadable_graph(context: Context) -> Iterator[Finding | Gap]:
    r"""A graph of the package cannot be read.

    What it checks:
        The bytes of every graph, embedded or in the container, are the canonical binary of an execution
        graph, with the digest and size of the reference.

    Why:
        What cannot be read cannot be judged, so that no target is ready for it.

    Bad example:
        graphs { id: "sum" source { embedded: "\n" } }

    Good example:
        graphs { id: "sum" source { embedded: "\n\r\010\001\020\001*\007draft-1" } }
    """
    for graph in context.package.graphs:
        if graph.failure is not None:
            cause = graph.failure.diagnostics[0]
            place = f" at `{cause.path}`" if cause.path.steps else ""
            yield Finding(
                graph.path,
                f"`{graph.id}` cannot be read: {cause.message}{place} (`{cause.code}`)",
                (NamedElement("graph", graph.id),),
            )
        elif graph.document is None:
            is_said = graph.path.steps[-1].field == "reference"
            yield Gap(NO_CONTAINER if is_said else "the package does not say where the graph is", graph.path)


@rule("package.graph-id-mismatch", kinds=PACKAGE)
def graph_id_mismatch(context: Context) -> Iterator[Finding]:
    """A graph has another id than the package says.

    What it checks:
        The id of every graph in the package is that of the document it holds or refers to.

    Why:
        Payloads and people name a graph by its id. With two ids it is not known which graph is meant.

    Bad example:
        # the document inside has the id "product"
        graphs { id: "sum" }

    Good example:
        # the document inside has the id "sum"
        graphs { id: "sum" }
    """
    for graph in context.package.graphs:
        if graph.graph is not None and graph.graph.id != graph.id:
            yield Finding(
                graph.path,
                f"the document has the id `{graph.graph.id}`; the package calls it `{graph.id}`",
                (NamedElement("graph", graph.id),),
            )


@rule("package.missing-target", kinds=PACKAGE)
def missing_target(context: Context) -> Iterator[Finding]:
    """A target is asked for that nothing in the package is for.

    What it checks:
        For every target that the caller names, some artifact has a variant.

    Why:
        A misspelled name of a target would otherwise read like artifacts that are missing one by one.

    Bad example:
        # verified for the target "vulcan"
        variants { target: "vulkan" }

    Good example:
        # verified for the target "vulkan"
        variants { target: "vulkan" }
    """
    package = context.package
    there = {variant.target for artifact in package.message.artifacts for variant in artifact.variants}
    names = ", ".join(f"`{name}`" for name in sorted(there)) or "none"
    for target in sorted(set(package.asked or ()) - there):
        message = f"no variant is for the target `{target}`; the package has variants for {names}"
        yield Finding(ROOT, message, target=target)


RULES = (unreadable_graph, graph_id_mismatch, missing_target)
