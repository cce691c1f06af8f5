"""`interlock verify`."""

from __future__ import annotations

import click

from interlock.cli.judging import Judging, verify_files
from interlock.cli.options import (
    files_argument,
    format_option,
    judging_options,
    package_options,
    reading_options,
)

EPILOG = """\b
Examples:
  interlock verify graph.json
  interlock verify --offer repeat --offer atomic_int32 graph.binpb
  interlock verify --require declared graph.binpb
  interlock verify --format json graphs/*.json > reports.jsonl
  interlock import crosstl runtime_graph.json | interlock verify -

With several files the exit code is the gravest one: 2, then 1, then 3, then 0.
"""


@click.command(epilog=EPILOG)
@files_argument
@format_option
@judging_options
@package_options
@reading_options
def command(files: tuple[str, ...], **options: object) -> int:
    """Judge documents and report everything that is found.

    Every finding has a code, a place and a sentence. What could not be verified is listed with the reason,
    and never counts as passed.
    """
    return verify_files(files, Judging(**options))  # type: ignore[arg-type]  # click types each option
