"""Wrong usage and unreadable input: a code, a sentence, exit code 2, and never a traceback."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import interlock.api
import interlock.cli
from interlock.cli.app import COMMANDS
from interlock.report.tool_codes import TOOL_CODES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

    Run = Callable[..., Ran]

WRONG = [
    ((), "usage.missing-argument"),
    (("frobnicate",), "usage.unknown-command"),
    (("convrt", "x"), "usage.unknown-command"),
    (("verify",), "usage.missing-argument"),
    (("verify", "--frmat", "json", "tiny.json"), "usage.unknown-option"),
    (("verify", "tiny.json", "--format", "yaml"), "usage.invalid-value"),
    (("verify", "tiny.json", "--kind", "Graph"), "usage.invalid-value"),
    (("verify", "tiny.json", "--limit", "nodes"), "usage.invalid-value"),
    (("verify", "tiny.json", "--limit", "knots=3"), "usage.invalid-value"),
    (("verify", "tiny.json", "--limit", "nodes=-1"), "usage.invalid-value"),
    (("verify", "tiny.json", "--limit"), "usage.missing-argument"),
    (("verify", "tiny.json", "--offer", "telepathy"), "usage.invalid-value"),
    (("verify", "tiny.json", "--offer", "none", "--offer", "repeat"), "usage.conflict"),
    (("verify", "-", "-"), "usage.conflict"),
    (("digest", "-", "-"), "usage.conflict"),
    (("convert", "tiny.json", "tiny.binpb"), "usage.unexpected-argument"),
    (("digest", "tiny.json", "--semantic=yes"), "usage.unexpected-argument"),
    (("import",), "usage.missing-argument"),
    (("import", "onnx", "tiny.json"), "usage.unknown-command"),
    (("explain",), "usage.missing-argument"),
    (("explain", "--list", "json.syntax"), "usage.missing-argument"),
    (("explain", "json.sintax"), "usage.unknown-code"),
    (("completion", "tcsh"), "usage.invalid-value"),
    (("convert", "gone.json"), "input.not-found"),
    (("convert", "tiny.json/x"), "input.not-found"),
    (("convert", "nul\0l"), "input.not-found"),
    (("convert", "."), "input.is-directory"),
    (("convert", "/proc/self/mem"), "input.unreadable"),
]


@pytest.mark.parametrize(("words", "code"), WRONG)
def test_it_is_said_on_standard_error(run: Run, words: tuple[str, ...], code: str):
    done = run(*words)
    assert (done.code, done.out) == (2, b"") or code.startswith("input.")
    assert done.code == 2
    assert done.errors.startswith(f"interlock: error[{code}] ")
    assert "Traceback" not in done.errors


@pytest.mark.parametrize(("words", "code"), [(words, code) for words, code in WRONG if words])
def test_it_is_said_as_json_where_json_was_asked_for(run: Run, words: tuple[str, ...], code: str):
    output = ("-o", "out") if words[0] in {"convert", "import"} else ()
    if code == "usage.missing-argument" and words[-1] == "--limit":
        words, output = ("verify", "--format", "json", "tiny.json", "--limit"), ()
    done = run(words[0], "--format", "json", *words[1:], *output)
    if words[0] == "completion" or words[:1] == ("import",) or words[0] not in COMMANDS:
        return  # these have no reports of their own; the option itself is wrong
    report = json.loads(done.out)
    assert (done.code, done.err) == (2, b"")
    unreadable = code.startswith("input.")
    assert report["verdict"] == ("VERDICT_UNREADABLE" if unreadable else "VERDICT_NOT_JUDGED")
    assert ("could not be read" in done.text) == unreadable
    assert next(finding["code"] for finding in report["diagnostics"]) in {code, "usage.invalid-value"}
    assert report["diagnostics"][0]["severity"] == "SEVERITY_ERROR"


def test_every_code_of_the_tool_has_a_meaning():
    assert {code for _, code in WRONG} <= set(TOOL_CODES)


def test_a_file_without_permission_is_said(run: Run, documents: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    done = run("convert", str(documents / "tiny.json"))
    assert done.code == 2
    assert b"error[input.permission-denied]" in done.err


def test_suggestions(run: Run):
    assert "did you mean `convert`?" in run("convrt").errors
    assert "`canonical.unsorted-set`" in run("explain", "canonical.unsorted").errors
    assert run("verify", "--frmat", "json", "x").errors == (
        "interlock: error[usage.unknown-option] no such option `--frmat`; "
        "did you mean `--format` or `--from`?\n"
        "`interlock verify --help` shows how it is used\n"
    )
    assert "did you mean" not in run("verify", "--zzz", "x").errors


@pytest.mark.parametrize(
    "command", [(), *((name,) for name in COMMANDS), ("import", "crosstl"), ("export", "crosstl")]
)
def test_help_is_complete(run: Run, command: tuple[str, ...]):
    done = run(*command, "--help")
    assert (done.code, done.err) == (0, b"")
    assert done.text.startswith(f"Usage: interlock {' '.join(command)}".rstrip())
    if command in {("import",), ("export",)}:
        assert "crosstl" in done.text
    else:
        assert "Examples:" in done.text
    assert run(*command, "-h").out == done.out


def test_version_names_release_schema_rules_and_reports(run: Run):
    done = run("--version")
    assert done.code == 0
    assert done.text.splitlines() == [
        f"interlock {interlock.__version__}",
        "schema    execgraph.v1 1.0 (draft-1)",
        f"rules     set {__import__('interlock.rules.model').rules.model.RULE_SET}",
        "reports   execgraph.report.v1 1.0",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(run: Run, shell: str):
    done = run("completion", shell)
    assert (done.code, done.err) == (0, b"")
    assert f"_INTERLOCK_COMPLETE={shell}_complete" in done.text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("interlock ver", ["verify"]),
        ("interlock verify --off", ["--offer"]),
        ("interlock verify --offer rep", ["repeat"]),
        ("interlock verify --limit nod", ["nodes=", "node_executions="]),
        ("interlock explain json.tr", ["json.trailing-bytes", "json.trailing-comma", "json.truncated"]),
    ],
)
def test_completion_completes(process: Run, words: str, expected: list[str]):
    done = process(
        _INTERLOCK_COMPLETE="bash_complete",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split()) - 1),
    )
    assert [line.split(",")[-1] for line in done.text.splitlines()] == expected


def test_the_bash_script_is_accepted_by_bash(run: Run):
    script = run("completion", "bash").out
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_defect_is_one_line_with_its_own_code(run: Run, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("two definitions disagree")

    monkeypatch.setattr(interlock.api, "loads", fail)
    done = run("convert", "tiny.json")
    assert (done.code, done.out) == (2, b"")
    assert (
        done.errors
        == "interlock: error[internal.error] interlock failed: RuntimeError: two definitions disagree\n"
    )
    as_json = run("digest", "--format=json", "tiny.json")
    assert json.loads(as_json.out)["diagnostics"][0]["code"] == "internal.error"
    monkeypatch.setenv("INTERLOCK_DEBUG", "1")
    assert "Traceback" in run("convert", "tiny.json").errors


@pytest.mark.parametrize(
    ("raised", "code"),
    [(MemoryError(), "internal.out-of-memory"), (RecursionError("deep"), "internal.error")],
)
def test_exhaustion_is_no_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: str
):
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(interlock.api, "loads", fail)
    done = run("convert", "tiny.json")
    assert done.code == 2
    assert done.errors.startswith(f"interlock: error[{code}] ")


def test_an_interrupt_is_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(interlock.api, "loads", fail)
    done = run("convert", "tiny.json")
    assert (done.code, done.out) == (130, b"")
    assert b"Traceback" not in done.err


def test_an_interrupt_while_the_command_starts_is_no_traceback(monkeypatch: pytest.MonkeyPatch):
    class Interrupting:
        @property
        def run(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "interlock.cli.run", Interrupting())
    assert interlock.cli.main(["digest", "tiny.json"]) == 130


def test_a_reader_that_closes_early_does_not_change_the_exit_code(documents: Path):
    words = [sys.executable, "-m", "interlock", "verify", *["tiny.json"] * 400]
    running = subprocess.Popen(words, cwd=documents, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.read(10)
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    assert (running.wait(), errors) == (0, b"")


def test_a_closed_standard_input_or_output_is_no_traceback(documents: Path):
    for redirect, code in (("<&-", 2), (">&-", 0), ("2>&-", 0)):
        name = "-" if redirect == "<&-" else "tiny.json"
        done = subprocess.run(
            ["bash", "-c", f'"$0" -m interlock verify {name} {redirect}', sys.executable],
            cwd=documents,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False), redirect


def on_terminal(documents: Path, *words: str, **environment: str) -> tuple[int, bytes]:
    """Run the command with a terminal as its standard output and error."""
    leader, follower = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "interlock", *words],
        cwd=documents,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    return running.wait(), shown


def test_binary_is_not_written_to_a_terminal(documents: Path):
    code, shown = on_terminal(documents, "convert", "tiny.json", "--to", "binary", NO_COLOR="1")
    assert code == 2
    assert shown.startswith(b"interlock: error[output.terminal] ")


def test_json_on_a_terminal_ends_its_line(documents: Path):
    code, shown = on_terminal(documents, "convert", "tiny.binpb")
    assert (code, shown) == (0, (documents / "tiny.json").read_bytes() + b"\r\n")


def test_colours_are_for_terminals_only_and_not_against_no_color(documents: Path, process: Run):
    _, coloured = on_terminal(documents, "verify", "cycle.json")
    _, plain = on_terminal(documents, "verify", "cycle.json", NO_COLOR="1")
    _, dumb = on_terminal(documents, "verify", "cycle.json", TERM="dumb")
    assert b"\x1b[" in coloured
    assert b"\x1b" not in plain
    assert plain == dumb
    assert process("verify", "cycle.json").out == plain.replace(b"\r\n", b"\n")
    stripped = coloured
    for number in ("1;31", "1;32", "1;33", "0", "1", "2", "31", "32", "33", "34"):
        stripped = stripped.replace(f"\x1b[{number}m".encode(), b"")
    assert stripped == plain


def test_explain_on_a_terminal_shows_the_page(documents: Path):
    code, shown = on_terminal(documents, "explain", "json.syntax")
    assert code == 0
    assert b"The input is not JSON." in shown
