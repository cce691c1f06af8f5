"""The command `interlock`: its subcommands, each imported only when it runs."""

from __future__ import annotations

from importlib import import_module

import click

from interlock._version import __version__
from interlock.cli.failure import ToolFailure

COMMANDS = {
    "verify": "interlock.cli.commands.verify",
    "inspect": "interlock.cli.commands.inspect",
    "convert": "interlock.cli.commands.convert",
    "canonicalize": "interlock.cli.commands.canonicalize",
    "digest": "interlock.cli.commands.digest",
    "import": "interlock.cli.commands.import_",
    "export": "interlock.cli.commands.export",
    "profiles": "interlock.cli.commands.profiles",
    "pack": "interlock.cli.commands.pack",
    "unpack": "interlock.cli.commands.unpack",
    "ls": "interlock.cli.commands.ls",
    "add": "interlock.cli.commands.add",
    "pin": "interlock.cli.commands.pin",
    "wrap": "interlock.cli.commands.wrap",
    "embed": "interlock.cli.commands.embed",
    "push": "interlock.cli.commands.push",
    "pull": "interlock.cli.commands.pull",
    "compile": "interlock.cli.commands.compile",
    "attach": "interlock.cli.commands.attach",
    "explain": "interlock.cli.commands.explain",
    "completion": "interlock.cli.commands.completion",
}
"""Name to module; the module's `command` is the command. In the order in which help lists them."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        del ctx
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest the one that was probably meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            import difflib  # noqa: PLC0415  (only after a typing error)

            near = difflib.get_close_matches(name, COMMANDS, n=1)
            meant = f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"no such command `{name}`{meant}", ctx)
        return super().resolve_command(ctx, args)


def _print_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if not value or context.resilient_parsing:
        return
    from interlock.codec.schema import (  # noqa: PLC0415  (start-up)
        DRAFT_FEATURE,
        SCHEMA_MAJOR,
        SCHEMA_MINOR,
    )
    from interlock.report.message import REPORT_SCHEMA  # noqa: PLC0415
    from interlock.rules.model import RULE_SET  # noqa: PLC0415

    click.echo(f"interlock {__version__}")
    click.echo(f"schema    execgraph.v{SCHEMA_MAJOR} {SCHEMA_MAJOR}.{SCHEMA_MINOR} ({DRAFT_FEATURE})")
    click.echo(f"rules     set {RULE_SET}")
    click.echo(f"reports   execgraph.report.v1 {REPORT_SCHEMA[0]}.{REPORT_SCHEMA[1]}")
    context.exit()


EPILOG = """\b
Exit codes:
  0  fine
  1  errors
  2  wrong usage, or an input that cannot be read
  3  no errors, but something that is required was not verified

\b
Examples:
  interlock verify graph.json
  interlock verify --format json build/*.json > reports.jsonl
  interlock import crosstl runtime_graph.json -o graph.json
  interlock explain order.dependency-cycle
"""


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the release, and the versions of the schema, the rules and the reports.",
)
@click.pass_context
def application(context: click.Context) -> None:
    """Prove multi-dispatch execution graphs safe before anything runs.

    Interlock reads documents of the schema `execgraph.v1` as canonical binary, JSON or text, and tells them
    apart by their content. `-` stands for standard input and standard output. It is metadata and verification
    only: no scheduler, no executor, no device.
    """
    if context.invoked_subcommand is None:
        raise ToolFailure("usage.missing-argument", f"a command is needed: {', '.join(COMMANDS)}")
