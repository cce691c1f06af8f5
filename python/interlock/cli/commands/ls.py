"""`interlock ls`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import click

from interlock.cli.failure import EXIT_ERRORS, EXIT_OK
from interlock.cli.files import print_report
from interlock.cli.options import FileType, format_option
from interlock.cli.packaging import limit_option, tag_option
from interlock.cli.products import report_refusal
from interlock.cli.reporting import emit_findings
from interlock.cli.settings import limits_from
from interlock.diagnostic import Severity
from interlock.errors import InterlockError
from interlock.report.style import plural, printable

if TYPE_CHECKING:
    from execgraph.v1.package_pb2 import Package
    from interlock.diagnostic import Diagnostic

EPILOG = """\b
Examples:
  interlock ls sum.tar
  interlock ls sum --check
  interlock ls --format json sum.tar | python3 -m json.tool

Exit code 1 means that the container is not as its format demands, or that `--check` found blobs missing or
damaged. `interlock verify` judges what a package says.
"""


@click.command(short_help="List what a package holds; hash every blob.", epilog=EPILOG)
@click.argument("package", type=FileType())
@click.option("--check", is_flag=True, help="Hash every blob, and report those that are missing or damaged.")
@tag_option
@format_option
@limit_option
def command(
    package: str,
    check: bool,  # noqa: FBT001  (as click calls it)
    tag: str | None,
    format_: str,
    limit: tuple[tuple[str, int], ...],
) -> int:
    """List what a package holds: its digest, graphs, artifacts with their variants, and sizes."""
    from interlock.package.listing import damage, listing, plain_finding  # noqa: PLC0415  (start-up)
    from interlock.package.opening import open_container  # noqa: PLC0415

    try:
        container = open_container(package, tag=tag, limits=limits_from(limit))
        held = listing(container)
        document = container.document
        found = list(damage(cast("Package", document.message), container.blobs)) if check and document else []
    except InterlockError as error:
        return report_refusal(package, format_, error, readable=False)
    if format_ == "json":
        if check:
            held["damage"] = [plain_finding(one) for one in found]
        print_report(json.dumps(held, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n")
    else:
        print_report("".join(f"{line}\n" for line in _lines(held, found if check else None)))
        emit_findings((*container.diagnostics, *found), package)
    errors = [one for one in (*container.diagnostics, *found) if one.severity is Severity.ERROR]
    return EXIT_ERRORS if errors else EXIT_OK


def _lines(held: dict[str, Any], found: list[Diagnostic] | None) -> list[str]:
    lines = [
        f"{printable(held['source'])}: package `{printable(held['id'])}` ({held['format']})",
        f"  digest    {held['digest']}",
    ]
    for what in ("artifacts", "graphs", "payloads"):
        lines += ["", f"{what} ({len(held[what])})", *_table(_rows(what, held[what]))]
    if found is not None:
        lines += ["", "every blob was hashed" + (f": {plural(len(found), 'error')}" if found else "")]
    return lines


def _rows(what: str, items: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    rows: list[tuple[str, str, str, str]] = []
    for item in items:
        if what == "graphs":
            rows.append((item["id"], "embedded" if item["embedded"] else "", *_bytes(item)))
        elif what == "payloads":
            rows.append((item["graph"], _form(item["format"]), *_bytes(item)))
        else:
            rows.extend((item["id"], *_variant(variant)) for variant in item["variants"] or [{}])
    return rows


def _variant(variant: dict[str, Any]) -> tuple[str, str, str]:
    if not variant:
        return "no variants", "", ""
    name = f" {variant['name']}" if variant["name"] else ""
    return f"{variant['target']}{name}, {_form(variant['contentType'])}", *_bytes(variant)


def _form(form: dict[str, Any]) -> str:
    return f"{form['identity']} {form['version']}"


def _bytes(item: dict[str, Any]) -> tuple[str, str]:
    return f"{item['size']} bytes", item["digest"]


def _table(rows: list[tuple[str, str, str, str]]) -> list[str]:
    shown = [tuple(printable(cell) for cell in row) for row in rows]
    widths = [max((len(row[at]) for row in shown), default=0) for at in range(3)]
    return [
        f"  {row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}".rstrip()
        for row in shown
    ]
