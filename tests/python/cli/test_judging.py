"""verify and inspect: exit codes, text, JSON, several files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from google.protobuf import json_format

import interlock
from execgraph.report.v1 import report_pb2
from interlock.diagnostic import (
    AddedDependency,
    AddedStatement,
    Assumption,
    ByteSpan,
    Diagnostic,
    Fix,
    NamedElement,
    Path,
    Related,
    Severity,
    Unverified,
)
from interlock.report.json import report_json
from interlock.report.model import Outcome, Report, RuleOutcome, Subject
from interlock.report.style import Style
from interlock.report.text import report_text
from interlock.rules.pending import pending_of

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable

    from conftest import Ran

    Run = Callable[..., Ran]

FULL_REPORT = Report(
    Subject("g.json", "ExecutionGraph", "g", "sha256:" + "0" * 64, "sha256:" + "1" * 64, "1.0", ("draft-1",)),
    diagnostics=(
        Diagnostic(
            "hazard.unordered-access",
            Severity.ERROR,
            Path().field("body").element("nodes", 1, "b"),
            "`b` reads what `a` writes, and neither comes first",
            (NamedElement("node", "a"), NamedElement("node", "b")),
            (ByteSpan("heap", 64, 1024, upper_bound=True),),
            (Related(Path().field("body").element("nodes", 0, "a"), "the write"),),
            Fix(
                "order the nodes",
                (AddedDependency("b", "a"),),
                (
                    AddedStatement("b", "a", "x", ("A WRITE",), ("B READ", "A")),
                    AddedStatement("r", "", "y", ("FILL WRITE",), ("TRANSFER READ",)),
                ),
            ),
        ),
        Diagnostic(
            "hazard.unordered-access",
            Severity.ERROR,
            Path().field("body").element("nodes", 2),
            "held",
            holds_under_assumption=True,
        ),
        Diagnostic("access.coverage-of-read", Severity.WARNING, Path(), "a\x1b[2Jtrick\nof lines"),
    ),
    assumptions=tuple(
        Assumption("assumption.full-coverage", Path().element("x", n), f"claim {n}") for n in range(5)
    ),
    unverified=(
        Unverified("visibility", "not built"),
        Unverified("order", "a cycle", Path().field("body"), required=False),
    ),
    rules=(RuleOutcome("a.b", Outcome.PASSED), RuleOutcome("hazard.unordered-access", Outcome.FAILED, 2)),
    rule_set=7,
)
FULL_TEXT = """\
g.json: UNSOUND: 1 error, 1 warning, 1 held under assumption
  document  ExecutionGraph `g`, schema 1.0 (draft-1)
  digest    sha256:0000000000000000000000000000000000000000000000000000000000000000

errors (2)
  body.nodes["b"]: error[hazard.unordered-access] `b` reads what `a` writes, and neither comes first
      bytes 64 to 1,088 (exclusive) of `heap` at most
      see body.nodes["a"]: the write
      fix: order the nodes
          add `a` to the dependencies of `b`
          add to the edge from `a` to `b` a statement on `x`: available from A WRITE, visible to B READ, A
          add to what `r` carries a statement on `y`: available from FILL WRITE, visible to TRANSFER READ
  body.nodes[2]: error[hazard.unordered-access] held (holds under assumption)

warnings (1)
  document: warning[access.coverage-of-read] a\\x1b[2Jtrick\\nof lines

assumptions (5)
  x[0]: [assumption.full-coverage] claim 0
  x[1]: [assumption.full-coverage] claim 1
  x[2]: [assumption.full-coverage] claim 2
  ... and 2 more like it (--verbose shows them)

unverified (1)
  visibility: not built

unverified, not required (1)
  order at body: a cycle

2 rules: 1 passed, 1 failed
`interlock explain hazard.unordered-access` says more about a code
"""
GAPS = len(pending_of("ExecutionGraph"))
"""Families of rules for graphs that are not built yet. While there are any, a clean graph exits with 3."""


def test_the_text_of_a_report_with_everything_in_it():
    assert report_text(FULL_REPORT) == FULL_TEXT
    everything = report_text(FULL_REPORT, everything=True)
    assert "  x[4]: [assumption.full-coverage] claim 4\n" in everything
    assert "more like it" not in everything


def test_colours_change_nothing_but_colours():
    coloured = report_text(FULL_REPORT, Style(color=True))
    assert coloured.startswith("g.json: \x1b[1;31mUNSOUND\x1b[0m: ")
    plain = coloured
    for code in ("\x1b[1;31m", "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"):
        plain = plain.replace(code, "")
    assert plain == FULL_TEXT


def test_the_json_of_a_report_is_its_message_in_canonical_form():
    encoded = report_json(FULL_REPORT)
    message = json_format.Parse(encoded, report_pb2.Report())
    assert json.dumps(json.loads(encoded), separators=(",", ":"), sort_keys=True).encode() == encoded
    assert message.verdict == report_pb2.VERDICT_UNSOUND
    assert message.header.rule_set == 7
    assert message.header.tool_version == interlock.__version__
    first = message.diagnostics[0]
    assert first.path == 'body.nodes["b"]'
    assert [element.field for element in first.path_elements] == ["body", "nodes"]
    assert first.path_elements[1].element.key == "b"
    assert message.diagnostics[1].path_elements[1].element.index == 2
    assert message.diagnostics[1].holds_under_assumption
    assert (first.bytes_concerned[0].offset, first.bytes_concerned[0].size) == (64, 1024)
    assert first.bytes_concerned[0].upper_bound
    assert first.fix.dependencies[0].depends_on == "a"
    assert [(gap.check, gap.required) for gap in message.unverified] == [
        ("visibility", True),
        ("order", False),
    ]
    assert [(rule.code, rule.outcome, rule.findings) for rule in message.rules] == [
        ("a.b", report_pb2.OUTCOME_PASSED, 0),
        ("hazard.unordered-access", report_pb2.OUTCOME_FAILED, 2),
    ]


def test_a_name_that_is_no_text_does_not_spoil_the_json():
    report = Report(Subject(source="a\udcff\ufffe"))
    assert json.loads(report_json(report))["subject"]["source"] == "a\ufffd\ufffd"


def test_verify_says_what_is_not_verified(run: Run, documents: pathlib.Path):
    digest = interlock.load(documents / "tiny.json").digest
    done = run("verify", "tiny.json")
    assert (done.code, done.err) == (3, b"")
    assert done.text.splitlines()[:5] == [
        f"tiny.json: UNVERIFIED: no errors, but {GAPS} required checks not made",
        "  document  ExecutionGraph `tiny`, schema 1.0 (draft-1)",
        f"  digest    {digest}",
        "",
        f"unverified ({GAPS})",
    ]


def test_verify_reports_errors(run: Run):
    done = run("verify", "cycle.json")
    assert (done.code, done.err) == (1, b"")
    assert done.text.startswith("cycle.json: UNSOUND: 1 error\n")
    assert '  body.nodes["one"].depends_on: error[order.dependency-cycle] ' in done.text
    assert done.text.endswith("`interlock explain order.dependency-cycle` says more about a code\n")


@pytest.mark.parametrize("command", ["verify", "inspect"])
def test_an_unreadable_input_is_a_report_too(run: Run, command: str):
    done = run(command, "not.json")
    assert (done.code, done.err) == (2, b"")
    assert done.text.startswith(
        "not.json: UNREADABLE: not a document that this reader can read\n\nerrors (1)\n"
        "  header (byte 20): error[json.duplicate-key] "
    )
    missing = run(command, "gone.json")
    assert missing.code == 2
    assert "error[input.not-found] cannot read `gone.json`" in missing.text


@pytest.mark.parametrize("command", ["verify", "inspect"])
@pytest.mark.parametrize("name", ["tiny.json", "cycle.json", "not.json", "gone.json", "tiny.binpb"])
def test_json_is_one_canonical_line_whatever_happens(run: Run, command: str, name: str):
    done = run(command, "--format", "json", name)
    assert done.err == b""
    assert done.out.count(b"\n") == 1
    found = json.loads(done.out)
    message = report_pb2.Report() if command == "verify" else report_pb2.Inspection()
    json_format.Parse(done.out, message)
    report = found if command == "verify" else found["report"]
    assert report["subject"]["source"] == name
    assert (
        report["verdict"]
        == {
            0: "VERDICT_SOUND",
            1: "VERDICT_UNSOUND",
            2: "VERDICT_UNREADABLE",
            3: "VERDICT_UNVERIFIED",
        }[done.code]
    )
    assert run(command, "--format", "json", name).out == done.out


def test_malformed_bytes_have_an_offset_in_json(run: Run):
    report = json.loads(run("verify", "--format", "json", "not.json").out)
    (finding,) = report["diagnostics"]
    assert (finding["code"], finding["path"], finding["byteOffset"]) == ("json.duplicate-key", "header", "20")


def test_the_same_input_gives_the_same_bytes_in_every_process(process: Run):
    first = process("verify", "--format", "json", "cycle.json", PYTHONHASHSEED="1")
    second = process("verify", "--format", "json", "cycle.json", PYTHONHASHSEED="2")
    assert (first.code, first.out) == (second.code, second.out)
    text = {process("inspect", "cycle.json", PYTHONHASHSEED=seed).out for seed in ("1", "2")}
    assert len(text) == 1


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (("tiny.json", "tiny.binpb"), 3),
        (("tiny.json", "cycle.json"), 1),
        (("cycle.json", "tiny.json"), 1),
        (("cycle.json", "not.json", "tiny.json"), 2),
    ],
)
def test_several_files_give_the_gravest_code_and_one_report_each(run: Run, files: tuple[str, ...], code: int):
    done = run("verify", "--format", "json", *files)
    assert done.code == code
    sources = [json.loads(line)["subject"]["source"] for line in done.out.splitlines()]
    assert sources == list(files)
    text = run("verify", *files)
    assert text.code == code
    assert [
        block.split(":")[0] for block in text.text.split("\n\n") if ".json: " in block or ".binpb: " in block
    ]


def test_the_quick_path_and_the_parser_say_the_same(run: Run):
    for name in ("tiny.json", "cycle.json", "not.json", "gone", "."):
        assert run("verify", name) == run("verify", "--format", "text", name)
    assert run("verify", "tiny.json", "cycle.json") == run("verify", "--", "tiny.json", "cycle.json")


def test_a_report_goes_to_a_file_complete_or_not_at_all(run: Run, documents: pathlib.Path):
    done = run("verify", "tiny.json", "cycle.json", "-o", "report.txt")
    assert (done.code, done.out, done.err) == (1, b"", b"")
    assert (documents / "report.txt").read_bytes() == run("verify", "tiny.json", "cycle.json").out
    refused = run("verify", "tiny.json", "-o", "gone/report.txt")
    assert refused.code == 2
    assert b"error[output.not-found]" in refused.err


def test_standard_input_is_named_by_its_dash(run: Run, documents: pathlib.Path):
    done = run("verify", "-", stdin=(documents / "tiny.binpb").read_bytes())
    assert done.code == 3
    assert done.text.startswith("-: UNVERIFIED: ")


def test_limits_are_lowered_and_raised(run: Run):
    refused = run("verify", "tiny.json", "--limit", "document_bytes=10")
    assert refused.code == 2
    assert "error[limit.document-bytes]" in refused.text
    found = run("verify", "cycle.json", "--limit", "nodes=1")
    assert found.code == 1
    assert "error[limit.nodes] the graph has 2 nodes; the limit is 1" in found.text
    assert (
        run("verify", "cycle.json", "--limit", "nodes=1", "--limit", "nodes=2").text.count("limit.nodes") == 0
    )


def test_a_kind_is_demanded(run: Run):
    assert run("verify", "tiny.json", "--kind", "ExecutionGraph").code == 3
    done = run("verify", "tiny.json", "--kind", "Package")
    assert done.code == 2
    assert "error[header.kind-mismatch]" in done.text


def test_an_encoding_is_stated(run: Run):
    done = run("verify", "tiny.json", "--from", "binary")
    assert done.code == 2
    assert "error[header.missing]" in done.text


@pytest.mark.parametrize("name", ["repeat", "REPEAT", "CAPABILITY_REPEAT", "Capability-Repeat"])
def test_capabilities_are_offered_by_name(run: Run, documents: pathlib.Path, name: str):
    graph = """
        id: "loop" maximum_node_executions: 3
        body { nodes { id: "r" operation { repeat {
          trips { literal: 2 } maximum_trips: 2
          body { nodes { id: "b" operation { barrier {} } } } } } } }
    """
    (documents / "loop.txtpb").write_text(graph)
    assert "capability.not-offered" not in run("verify", "loop.txtpb").text
    assert "capability.not-offered" not in run("verify", "loop.txtpb", "--offer", name).text
    for offered in ("none", "atomic-int32"):
        refused = run("verify", "loop.txtpb", "--offer", offered)
        assert refused.code == 1
        assert "error[capability.not-offered]" in refused.text


def test_inspect_shows_counts_needs_and_findings(run: Run):
    done = run("inspect", "cycle.json")
    assert done.code == 1
    lines = done.text.splitlines()
    assert "nodes by kind" in lines
    for line in (
        "  nodes                             2",
        "  edges                             2",
        "  fill                              1",
        "  barrier                           1",
        "  external output                   1",
        "  capabilities     none",
        "  node executions  at most 2 in one invocation",
        "  order.dependency-cycle            1",
    ):
        assert line in lines


def test_inspect_has_the_same_numbers_in_json(run: Run):
    found = json.loads(run("inspect", "--format", "json", "cycle.json").out)
    assert {entry["name"]: entry["count"] for entry in found["nodesByKind"]} == {"fill": "1", "barrier": "1"}
    assert {entry["name"]: entry["count"] for entry in found["diagnosticsByCode"]} == {
        "order.dependency-cycle": "1"
    }
    assert found["maximumNodeExecutions"] == "2"
    assert found["report"] == json.loads(run("verify", "--format", "json", "cycle.json").out)


@pytest.mark.parametrize(
    ("kind", "text", "counts"),
    [
        (
            "Package",
            'id: "p" artifacts { id: "a" variants { target: "t" } }',
            {"artifacts": 1, "variants": 1},
        ),
        (
            "TargetModuleBundle",
            'modules { group: "g" members: "n" }',
            {"modules": 1, "stages": 1, "members": 1},
        ),
        (
            "TargetPayload",
            'groups { id: "g" members: "n" }',
            {"launch_groups": 1, "members": 1, "bundles": 0},
        ),
        ("Envelope", 'graph { digest: "d" body: "b" }', {"graphs": 1, "payloads": 0}),
    ],
)
def test_inspect_counts_documents_of_every_kind(
    run: Run, documents: pathlib.Path, kind: str, text: str, counts: dict[str, int]
):
    (documents / "other.txtpb").write_text(text)
    done = run("inspect", "--format", "json", "--kind", kind, "other.txtpb")
    found = {entry["name"]: int(entry.get("count", "0")) for entry in json.loads(done.out)["elements"]}
    assert {name: found[name] for name in counts} == counts
    assert run("inspect", "--kind", kind, "other.txtpb").code == done.code


def test_a_graph_beyond_the_limits_is_counted_and_not_indexed(run: Run, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise AssertionError("the graph is too large for an index")

    monkeypatch.setattr("interlock.graph.index.GraphIndex.__init__", fail)
    done = run("inspect", "cycle.json", "--limit", "nodes=1")
    assert done.code == 1
    assert "  nodes                             2" in done.text.splitlines()
    assert "  node executions  not computed" in done.text
