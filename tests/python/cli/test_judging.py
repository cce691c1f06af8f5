"""verify and inspect: exit codes, text, JSON, several files."""

from __future__ import annotations

import json
import pathlib
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
    Evidence,
    Fix,
    NamedElement,
    Path,
    Related,
    Severity,
    Unverified,
)
from interlock.report.finding import diagnostic_lines
from interlock.report.json import report_json
from interlock.report.model import Outcome, Report, RuleOutcome, Subject
from interlock.report.style import Style
from interlock.report.text import report_text
from interlock.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

    Run = Callable[..., Ran]

ROOT = pathlib.Path(__file__).resolve().parents[3]
TWO_STAGE = ROOT / "tests" / "fixtures" / "two_stage_sum" / "two_stage_sum.json"
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
            "what an assertion answers",
            holds_under_assumption=True,
        ),
        Diagnostic("access.coverage-of-read", Severity.WARNING, Path(), "a\x1b[2Jtrick\nof lines"),
    ),
    assumptions=tuple(
        Assumption("assumption.full-coverage", Path().element("x", n), f"claim {n}", evidence)
        for n, evidence in enumerate((*Evidence, None, Evidence.ASSERTED))
    ),
    unverified=(
        Unverified("visibility", "not built"),
        Unverified("order", "a cycle", Path().field("body"), required=False),
    ),
    rules=(RuleOutcome("a.b", Outcome.PASSED), RuleOutcome("hazard.unordered-access", Outcome.FAILED, 2)),
    rule_set=7,
    required_evidence=Evidence.DECLARED,
)
FULL_TEXT = """\
g.json: UNSOUND: 1 error, 1 warning, 1 held under assumption
  document  ExecutionGraph `g`, schema 1.0 (draft-1)
  digest    sha256:0000000000000000000000000000000000000000000000000000000000000000

errors (1)
  body.nodes["b"]: error[hazard.unordered-access] `b` reads what `a` writes, and neither comes first
      at most bytes 64 to 1087 of `heap`
      see body.nodes["a"]: the write
      fix: order the nodes
          `b` depends on `a`
          from `a` to `b`: `x`, available from A WRITE, visible to B READ, A
          to `r`: `y`, available from FILL WRITE, visible to TRANSFER READ

warnings (1)
  document: warning[access.coverage-of-read] a\\x1b[2Jtrick\\nof lines

holds under assumption (1)
  body.nodes[2]: held[hazard.unordered-access] what an assertion answers

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
    assert [held.evidence for held in message.assumptions] == [
        report_pb2.EVIDENCE_ASSERTED,
        report_pb2.EVIDENCE_DECLARED,
        report_pb2.EVIDENCE_PROVEN,
        report_pb2.EVIDENCE_UNSPECIFIED,
        report_pb2.EVIDENCE_ASSERTED,
    ]
    assert message.required_evidence == report_pb2.EVIDENCE_DECLARED
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


def test_what_a_sentence_says_is_not_repeated_below_it():
    spans = (ByteSpan("heap", 0, 4), ByteSpan("heap", 8, 1))
    fix = Fix("let `b` depend on `a`", (AddedDependency("b", "a"), AddedDependency("c", "a")))
    finding = Diagnostic("x.y", Severity.ERROR, Path(), "on bytes 0 to 3 of `heap`", (), spans, fix=fix)
    assert diagnostic_lines(finding) == [
        "document: error[x.y] on bytes 0 to 3 of `heap`",
        "    byte 8 of `heap`",
        "    fix: let `b` depend on `a`",
        "        `c` depends on `a`",
    ]


def test_verify_says_that_a_graph_is_proven(run: Run, documents: pathlib.Path):
    digest = interlock.load(documents / "tiny.json").digest
    done = run("verify", "tiny.json")
    on_graphs = [rule for rule in RULES if "ExecutionGraph" in rule.kinds]
    asked = len([rule for rule in on_graphs if not rule.code.startswith("capability.")])
    assert (done.code, done.err) == (0, b"")
    assert done.text.splitlines() == [
        "tiny.json: SOUND: no errors, and every required check was made",
        "  document  ExecutionGraph `tiny`, schema 1.0 (draft-1)",
        f"  digest    {digest}",
        "",
        f"{len(on_graphs)} rules: {asked} passed, {len(on_graphs) - asked} not asked",
    ]


def test_verify_says_what_is_not_verified(run: Run):
    done = run("verify", "partial.json")
    assert (done.code, done.err) == (3, b"")
    lines = done.text.splitlines()
    assert lines[0] == "partial.json: UNVERIFIED: no errors, but 1 required check not made"
    place, _, reason = lines[5].partition(": ")
    assert lines[3:5] == ["", "unverified (1)"]
    assert place == '  initialisation.output-not-covered at resources["x"]'
    assert reason == (
        "the writes to an output may leave out some of bytes 0 to 15 of `x`; if a kernel that runs for "
        "certain overwrites every byte of its binding, claim coverage FULL there"
    )


def test_evidence_below_the_floor_is_unverified(run: Run):
    place = 'body.nodes["zero"].operation.dispatch.bindings["out"].coverage'
    for words in ((), ("--require", "asserted"), ("--require", "ASSERTED")):
        assert run("verify", "dispatch.json", *words).code == 0
    for floor in ("declared", "proven"):
        done = run("verify", "dispatch.json", "--require", floor)
        assert done.code == 3
        assert done.text.startswith("dispatch.json: UNVERIFIED: no errors, but 1 required check not made\n")
        assert (
            "\nunverified (1)\n"
            f"  assumption.full-coverage at {place}: it is only asserted, and {floor} evidence is required\n"
        ) in done.text
    found = json.loads(run("verify", "dispatch.json", "--require", "proven", "--format", "json").out)
    assert found["requiredEvidence"] == "EVIDENCE_PROVEN"
    assert [(held["code"], held["evidence"]) for held in found["assumptions"]] == [
        ("assumption.full-coverage", "EVIDENCE_ASSERTED")
    ]
    assert [(gap["check"], gap["path"], gap["required"]) for gap in found["unverified"]] == [
        ("assumption.full-coverage", place, True)
    ]
    assert run("inspect", "dispatch.json", "--require", "proven").code == 3


def test_a_floor_that_is_none_is_refused(run: Run):
    done = run("verify", "dispatch.json", "--require", "guessed")
    assert (done.code, done.out) == (2, b"")
    assert done.errors.startswith("interlock: error[usage.invalid-value] ")
    assert all(f"`{name}`" in done.errors for name in ("asserted", "declared", "proven"))


def test_what_holds_under_assumption_stands_apart_and_is_an_error_above_assertions(run: Run):
    done = run("verify", "race.json")
    assert done.code == 0
    assert done.text.startswith(
        "race.json: SOUND: no errors, 1 held under assumption, and every required check was made\n"
    )
    place = 'body.nodes["zero"].operation.dispatch.bindings["out"]'
    assert f"\nholds under assumption (1)\n  {place}: held[hazard.unordered-access] " in done.text
    assert "errors" not in done.text.partition("\n")[2]
    above = run("verify", "race.json", "--require", "declared")
    assert above.code == 1
    assert above.text.startswith("race.json: UNSOUND: 1 error\n")
    assert f"\nerrors (1)\n  {place}: error[hazard.unordered-access] " in above.text
    assert "holds under assumption" not in above.text
    assert "\n  assumption.disjoint-accesses at disjointness_assertions[0]: " in above.text


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
        (("tiny.json", "tiny.binpb"), 0),
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
    assert done.code == 0
    assert done.text.startswith("-: SOUND: ")


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
    assert run("verify", "tiny.json", "--kind", "ExecutionGraph").code == 0
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


def test_inspect_of_a_real_graph_says_that_it_is_proven(run: Run):
    done = run("inspect", str(TWO_STAGE))
    assert done.code == 0
    lines = done.text.splitlines()
    assert lines[0] == f"{TWO_STAGE}: SOUND: no errors, and every required check was made"
    for line in (
        "  dispatch                          2",
        "  temporary                         1",
        "assumptions (3)",
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


def test_checks_that_wait_for_others_are_counted_last():
    waiting = [
        Unverified("layout.too-small", f"`{code}` has to find nothing here first")
        for code in ("interface.missing", "interface.unmapped", "interface.missing")
    ]
    report = Report(
        Subject(kind="Package"), unverified=(*waiting, Unverified("artifact.unpinned", "any bytes"))
    )
    assert report.text().splitlines()[3:] == [
        "unverified (4)",
        "  artifact.unpinned: any bytes",
        "  2 checks not made: `interface.missing` has to find nothing here first",
        "  1 check not made: `interface.unmapped` has to find nothing here first",
    ]
    assert report.text(everything=True).count("has to find nothing here first") == 3
