"""Options and arguments that several commands share."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from interlock.cli.files import STANDARD
from interlock.cli.settings import ENCODINGS, EVIDENCE, KINDS
from interlock.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = TypeVar("Command", bound=Callable[..., object])


class FileType(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases only
    """The name of a file, or `-`. Whether it can be read is found out by reading it."""

    name = "path"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell to complete the names of files."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


class LimitType(click.ParamType):  # type: ignore[type-arg]  # as above
    """``name=value`` with the name of a limit and a whole number.

    Such as ``nodes=1000`` or ``document_bytes=1_000``.
    """

    name = "name=value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Return the name and the value of a limit."""
        if isinstance(value, tuple):
            return value
        name, separator, number = str(value).partition("=")
        name = name.strip().replace("-", "_")
        known = [field.name for field in fields(Limits)]
        if not separator or name not in known:
            self.fail(f"`{value}` is not NAME=VALUE with a limit's name: {', '.join(known)}", param, ctx)
        try:
            bound = int(number)
        except ValueError:
            bound = -1
        if bound < 0:
            self.fail(f"`{number}` is not a whole number of at least 0", param, ctx)
        return name, bound

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the names of limits."""
        del ctx, param
        return [
            CompletionItem(f"{field.name}=")
            for field in fields(Limits)
            if field.name.startswith(incomplete.replace("-", "_"))
        ]


def file_argument(command: Command) -> Command:
    """One input."""
    return click.argument("file", type=FileType())(command)


def files_argument(command: Command) -> Command:
    """One input or more."""
    return click.argument("files", nargs=-1, required=True, type=FileType(), metavar="FILE...")(command)


def reading_options(command: Command) -> Command:
    """How an input is read: ``encoding``, ``kind``, ``limit``."""
    command = click.option(
        "--limit",
        multiple=True,
        type=LimitType(),
        metavar="NAME=VALUE",
        help="Raise or lower a limit, such as `nodes=1000`. May be given several times.",
    )(command)
    command = click.option(
        "--kind",
        type=click.Choice(KINDS),
        help="The kind the document has to have. Default: whatever it states; for text without a header, "
        "ExecutionGraph.",
    )(command)
    return click.option(
        "--from",
        "encoding",
        type=click.Choice(ENCODINGS),
        help="The encoding of the input. Default: detected from the content.",
    )(command)


def format_option(command: Command) -> Command:
    """The form of reports: ``format_``."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        help="Reports and errors as text for people, or as JSON, one report a line, on standard output.",
    )(command)


def product_options(command: Command) -> Command:
    """Where a document goes, and in which encoding: ``output``, ``target``."""
    command = click.option(
        "--to",
        "target",
        type=click.Choice(ENCODINGS),
        help="The encoding of the output. Default: as the suffix of the file says (.json, .binpb, .txtpb).",
    )(command)
    return click.option(
        "-o",
        "--output",
        type=FileType(),
        default=STANDARD,
        show_default=True,
        help="The file to write, complete or not at all; `-` is standard output.",
    )(command)


def judging_options(command: Command) -> Command:
    """What is offered, which evidence is enough, where the report goes, and how much of it is shown."""
    command = click.option(
        "-v",
        "--verbose",
        is_flag=True,
        help="Show every assumption and every gap, not the first few of each kind.",
    )(command)
    command = click.option(
        "-o",
        "--output",
        type=FileType(),
        default=STANDARD,
        show_default=True,
        help="The file the report goes to, complete or not at all; `-` is standard output.",
    )(command)
    command = click.option(
        "--require",
        type=click.Choice(EVIDENCE, case_sensitive=False),
        default=EVIDENCE[0],
        show_default=True,
        help="The weakest evidence to accept for what a verdict rests on. An assumption with less is "
        "unverified, and what holds under assumption only is an error.",
    )(command)
    return click.option(
        "--offer",
        multiple=True,
        metavar="CAPABILITY",
        shell_complete=_complete_capability,
        help="A capability that whoever runs the graph offers, such as `repeat`; `none` for none. May be "
        "given several times. Default: nobody asks.",
    )(command)


def package_options(command: Command) -> Command:
    """What a package is judged against: ``container``, ``targets``, ``profiles`` and so on."""
    command = click.option(
        "--allow-unverified",
        is_flag=True,
        help="Exit with 0 instead of 3 where there are no errors but something required is unverified.",
    )(command)
    command = click.option(
        "--assembler",
        default="",
        metavar="PROGRAM",
        help="The program that assembles SPIR-V assembly so that its interface can be read, such as "
        "`spirv-as`. Default: none, and the interface is what the package declares.",
    )(command)
    command = click.option(
        "--profile",
        "profiles",
        multiple=True,
        metavar="PROFILE",
        help="The limits of a target: a name of `interlock profiles`, or a file. May be given once for each "
        "target. Default: the least that each target guarantees.",
    )(command)
    command = click.option(
        "--target",
        "targets",
        multiple=True,
        metavar="TARGET",
        help="A target to judge a package for, such as `vulkan`. May be given several times. Default: every "
        "target that the package has a variant for.",
    )(command)
    return click.option(
        "--container",
        type=FileType(),
        help="Where the blobs of a package document are, or the package that a graph runs with: an OCI image "
        "layout, a CrossGL or CrossTL package, a folder. Default: the folder of the package document.",
    )(command)


def _complete_capability(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from interlock.graph.capabilities import capabilities, short_name  # noqa: PLC0415  (only while completing)

    names = ["none", *map(short_name, capabilities())]
    return [name for name in names if name.startswith(incomplete.lower())]
