"""`interlock completion`."""

from __future__ import annotations

import click

from interlock.cli.files import print_report

EPILOG = """\b
Examples:
  eval "$(interlock completion bash)"          # in ~/.bashrc
  eval "$(interlock completion zsh)"           # in ~/.zshrc
  interlock completion fish > ~/.config/fish/completions/interlock.fish
"""


@click.command(short_help="Print the completion script of a shell.", epilog=EPILOG)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the script that completes commands, options, capabilities and codes in a shell."""
    from click.shell_completion import BashComplete, FishComplete, ZshComplete  # noqa: PLC0415  (start-up)

    from interlock.cli.parsing import COMPLETION_VARIABLE, PROGRAM  # noqa: PLC0415  (it imports this group)

    root = context.find_root().command
    complete = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    made = complete(root, {}, PROGRAM, COMPLETION_VARIABLE)
    # Not `made.source()`, which starts a bash to ask for its version.
    print_report(made.source_template % made.source_vars())
    return 0
