"""Options and arguments that several commands share."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

import click

from interlock.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.codec import Encoding

    Command = TypeVar("Command", bound=Callable[..., object])

KINDS = ("ExecutionGraph", "Package", "TargetModuleBundle", "TargetPayload", "Envelope")
ENCODINGS = ("binary", "json", "text")


class LimitType(click.ParamType):
    """``name=value`` with the name of a limit and a whole number, such as ``nodes=1000`` or ``document_bytes=1_000``."""

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
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete the names of limits."""
        del ctx, param
        from click.shell_completion import CompletionItem  # noqa: PLC0415  (only while completing)

        return [
            CompletionItem(f"{field.name}=")
            for field in fields(Limits)
            if field.name.startswith(incomplete.replace("-", "_"))
        ]


def limits_from(overrides: tuple[tuple[str, int], ...]) -> Limits:
    """Return the default limits with some replaced."""
    return replace(DEFAULT_LIMITS, **dict(overrides)) if overrides else DEFAULT_LIMITS


def encoding_from(name: str | None) -> Encoding | None:
    """Return the encoding of that name."""
    if name is None:
        return None
    from interlock.codec import Encoding  # noqa: PLC0415  (start-up)

    return Encoding[name.upper()]


def file_argument(command: Command) -> Command:
    """One input."""
    return click.argument("file", type=click.Path(allow_dash=True))(command)


def files_argument(command: Command) -> Command:
    """One input or more."""
    return click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")(
        command
    )


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
        help="The encoding of the output. Default: as the suffix of OUTPUT says (.json, .binpb or .pb, .txtpb).",
    )(command)
    return click.option(
        "-o",
        "--output",
        type=click.Path(allow_dash=True),
        default="-",
        show_default=True,
        help="The file to write, complete or not at all; `-` is standard output.",
    )(command)
