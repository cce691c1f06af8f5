"""`interlock compile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from interlock.cli.failure import ToolFailure
from interlock.cli.frames import as_tool_failure, frame_lines, is_refusal, write_frame
from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import Made, destination_option, limit_option, perform
from interlock.cli.products import check_destination, refuse_input_as_output
from interlock.cli.settings import limits_from
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from execgraph.v1.profile_pb2 import TargetProfile
    from interlock.document import Document
    from interlock.limits import Limits
    from interlock.package.container import Container
    from interlock.target.compiler import KernelPackage, TargetCompiler

EPILOG = """\b
Examples:
  interlock compile graph.json --container kernels.tar --target vulkan -o sum.envelope
  interlock compile package.tar --graph sum --target metal -o sum.envelope
  interlock compile graph.json --container kernels.tar --target vulkan \\
      --profile vulkan-1.2-minimum --variant scale=fast -o sum.envelope
  interlock verify sum.envelope

glslang compiles GLSL for `vulkan`; CrossTL translates for `directx`, `metal`, `opengl` and `vulkan`. The
sources are variants of the package, and everything that comes out is held against the graph. Exit code 1
means that a kernel was refused, or does not fit; every reason is printed.
"""

COMPILERS = ("glslang", "crosstl")
_TARGETS = ("vulkan", "directx", "metal", "opengl")


class _Request(NamedTuple):
    """The options."""

    container: str | None
    graph_id: str | None
    tag: str | None
    target: str
    compiler: str | None
    profile: str | None
    variants: tuple[str, ...]
    program: str | None
    seconds: int | None
    keep_sources: bool
    output: str


@click.command(short_help="Compile the kernels of a graph for a target.", epilog=EPILOG)
@click.argument("graph", type=FileType())
@click.option(
    "--container",
    type=FileType(),
    help="The package with the kernels, where the graph is a document of its own.",
)
@click.option("--graph", "graph_id", metavar="ID", help="Which graph of a package. Default: the only one.")
@click.option("--tag", metavar="TAG", help="Which package, where an OCI image layout holds several.")
@click.option("--target", type=click.Choice(_TARGETS), required=True, help="The target to compile for.")
@click.option(
    "--compiler",
    type=click.Choice(COMPILERS),
    help="Who compiles. Default: glslang for `vulkan`, else crosstl.",
)
@click.option(
    "--profile",
    metavar="PROFILE",
    help="The limits of the target: a name of `interlock profiles`, or a file. Default: the least that the "
    "target guarantees.",
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="ARTIFACT=NAME",
    help="The variant to compile, where an artifact has several sources. May be given several times.",
)
@click.option(
    "--program",
    metavar="PROGRAM",
    help="The program: `glslangValidator` or one like it; for CrossTL the assembler, such as `spirv-as`.",
)
@click.option("--seconds", type=click.IntRange(1, 86400), help="How long one kernel may take.")
@click.option("--keep-sources", is_flag=True, help="Keep the sources of the kernels in the envelope.")
@destination_option("The envelope to write.")
@format_option
@limit_option
def command(
    graph: str,
    format_: str,
    limit: tuple[tuple[str, int], ...],
    **options: object,
) -> int:
    """Compile the kernels of a graph for a target, and seal them with the graph in an envelope.

    GRAPH is a graph, with `--container`, or a package that holds it.
    """
    request = _Request(**options)  # type: ignore[arg-type]  # click gives each option the type it declares
    check_destination(request.output, format_)
    refuse_input_as_output(request.output, graph, request.container)
    limits = limits_from(limit)

    def make() -> Made:
        from interlock.target.compiler import compile_target  # noqa: PLC0415  (start-up)

        try:
            document, package = _inputs(graph, request, limits)
            envelope = compile_target(document, package, _compiler(request, limits))
        except InterlockError as error:
            raise as_tool_failure(error) from None
        write_frame(request.output, envelope)
        return Made(envelope.document, () if request.output == "-" else frame_lines(envelope, request.output))

    return perform(graph, format_, make, is_refusal)


def _compiler(request: _Request, limits: Limits) -> TargetCompiler:
    profile = _profile(request)
    name = request.compiler or ("glslang" if request.target == "vulkan" else "crosstl")
    chosen: dict[str, Any] = {"keep_sources": request.keep_sources, "limits": limits}
    chosen["variants"] = dict(_pair(each) for each in request.variants)
    if request.seconds is not None:
        chosen["seconds"] = float(request.seconds)
    if name == "glslang":
        from interlock.target.glslang import GlslangCompiler  # noqa: PLC0415  (the one that is asked for)

        if request.program is not None:
            chosen["program"] = request.program
        return GlslangCompiler(profile, **chosen)
    from interlock.target.crosstl import CrosstlCompiler  # noqa: PLC0415  (the one that is asked for)

    if request.program is not None:
        chosen["assembler"] = request.program
    return CrosstlCompiler(profile, **chosen)


def _profile(request: _Request) -> TargetProfile:
    from interlock.package.profiles import default_for, profile  # noqa: PLC0415  (start-up)

    found = default_for(request.target) if request.profile is None else profile(request.profile)
    if found is None or found.target != request.target:
        stated = "no target" if found is None else f"`{found.target}`"
        message = f"the profile `{request.profile}` is for {stated}; required is one for {request.target}"
        raise ToolFailure("usage.conflict", message)
    return found


def _pair(text: str) -> tuple[str, str]:
    artifact, separator, name = text.partition("=")
    if not separator or not artifact:
        raise ToolFailure("usage.invalid-value", f"`{text}` of `--variant` is not ARTIFACT=NAME")
    return artifact, name


def _inputs(name: str, request: _Request, limits: Limits) -> tuple[Document, KernelPackage]:
    """Return the graph and the package with its kernels."""
    from interlock.cli.subjects import read_subject  # noqa: PLC0415  (start-up)
    from interlock.target.compiler import Kernels  # noqa: PLC0415

    if request.container is not None:
        from interlock.cli.judging import read_document  # noqa: PLC0415  (start-up)
        from interlock.package.opening import open_container  # noqa: PLC0415

        _refuse_id(request)
        graph = read_document(name, encoding=None, kind="ExecutionGraph", limits=limits)
        return graph, open_container(request.container, tag=request.tag, limits=limits)
    document: Document | None
    around: Container | None
    if request.tag is not None:
        from interlock.package.opening import open_container  # noqa: PLC0415  (start-up)

        around = open_container(name, tag=request.tag, limits=limits)
        document = around.document
    else:
        subject = read_subject(name, encoding=None, kind=None, limits=limits, container=None)
        document, around = subject.document, subject.container
    if document is None or document.kind != "Package" or around is None:
        kind = "folder" if document is None else document.kind
        message = f"`{name}` is of the kind `{kind}`; required is a package, or a graph with `--container`"
        raise ToolFailure("usage.missing-argument", message, name)
    return _graph_of(name, document, around, request.graph_id, limits), Kernels(document, around.blobs)


def _refuse_id(request: _Request) -> None:
    if request.graph_id is not None:
        raise ToolFailure("usage.conflict", "`--graph` names a graph of a package; here the graph is a file")


def _graph_of(
    name: str, package: Document, around: Container, wanted: str | None, limits: Limits
) -> Document:
    """Return a graph of a package: the one of an id, or the only one."""
    from interlock.package.index import PackageIndex  # noqa: PLC0415  (start-up)

    index = PackageIndex(package.message, around, None, limits)  # type: ignore[arg-type]  # a package
    ids = [each.id for each in package.message.graphs]  # type: ignore[attr-defined]  # a package
    chosen = wanted if wanted is not None or len(ids) != 1 else ids[0]
    if chosen not in ids:
        there = ", ".join(f"`{each}`" for each in ids[:10]) or "none"
        what = "`--graph` has to say which" if wanted is None else f"there is no graph `{wanted}`"
        raise ToolFailure("usage.invalid-value", f"{what}; `{name}` holds {there}", name)
    entry = next(each for each in index.graphs if each.id == chosen)
    if entry.failure is not None:
        raise entry.failure
    if entry.document is None:
        raise ToolFailure("input.no-document", f"`{name}` does not say where the graph `{chosen}` is", name)
    return entry.document
