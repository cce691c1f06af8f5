"""What a report says beside its findings: verdict, gaps, outcomes, assumptions, order and caps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from conformance_suite import CONFORMANCE, surroundings_of, verified_document, walk
from document_strategies import documents
from execgraph.v1 import envelope_pb2, graph_pb2, module_pb2, package_pb2, payload_pb2, resource_pb2, type_pb2
from interlock import codec
from interlock.codec import Encoding
from interlock.diagnostic import (
    ROOT,
    AddedDependency,
    AddedStatement,
    Fix,
    Severity,
    Unverified,
)
from interlock.errors import CodecError
from interlock.limits import DEFAULT_LIMITS
from interlock.report.catalogue import explain
from interlock.report.json import report_json
from interlock.report.message import report_message
from interlock.report.model import Outcome, Report, Verdict
from interlock.rules import RULE_SET
from interlock.rules.assumptions import ASSUMPTIONS
from interlock.rules.pending import pending_of
from interlock.rules.registry import rules_of
from interlock.verification import unreadable_report, verify

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interlock.document import Document

INPUT = (
    'resources {{ id: "{id}" role: RESOURCE_ROLE_EXTERNAL_INPUT '
    "type {{ element: ELEMENT_TYPE_F32 }} {more} }}\n"
)


def graph(text: str = "", *, nodes: str = "", executions: int = 0) -> Document:
    body = f"body {{ {nodes} }}" if nodes else ""
    bound = f"maximum_node_executions: {executions}" if executions else ""
    return codec.decode(f'id: "graph" {text} {body} {bound}'.encode(), encoding=Encoding.TEXT)


def barrier(identity: str, *sources: str) -> str:
    depends = " ".join(f'depends_on: "{source}"' for source in sources)
    return f'nodes {{ id: "{identity}" {depends} operation {{ barrier {{}} }} }}\n'


def document_of(case: str) -> Document:
    return codec.decode((CONFORMANCE / "verify" / case / "document.txtpb").read_bytes())


def outcomes(report: Report) -> dict[str, Outcome]:
    return {rule.code: rule.outcome for rule in report.rules}


# Verdicts


def test_a_clean_graph_is_sound() -> None:
    report = verify(graph(nodes=barrier("a"), executions=1))
    assert (report.diagnostics, report.unverified, report.assumptions) == ((), (), ())
    assert report.verdict is Verdict.SOUND
    assert report.exit_code == 0
    assert report.ok


def test_what_cannot_be_proven_makes_a_graph_unverified() -> None:
    text = (
        CONFORMANCE / "verify/initialisation/output-not-covered/partial_write/document.txtpb"
    ).read_bytes()
    report = verify(codec.decode(text))
    assert report.diagnostics == ()
    assert report.verdict is Verdict.UNVERIFIED
    assert report.exit_code == 3
    assert not report.ok
    assert report.unverified == (
        Unverified(
            "initialisation.output-not-covered",
            "the writes to an output may leave out some of bytes 0 to 15 of `y`; if a kernel that runs for "
            "certain overwrites every byte of its binding, claim coverage FULL there",
            ROOT.element("resources", 0, "y"),
        ),
    )
    assert outcomes(report)["initialisation.output-not-covered"] is Outcome.UNVERIFIED


def test_a_proof_that_takes_too_long_leaves_its_rules_unverified() -> None:
    text = (CONFORMANCE / "verify/hazard/unordered-access/beyond_the_work_budget/document.txtpb").read_bytes()
    report = verify(codec.decode(text), limits=replace(DEFAULT_LIMITS, proof_work=1))
    reasons = {gap.check: (gap.reason, gap.required) for gap in report.unverified}
    assert reasons["hazard.unordered-access"] == ("it takes more than 1 steps (`limit.proof-work`)", True)
    assert reasons["initialisation.output-partly-written"][1] is False
    assert report.exit_code == 3
    assert "limit `proof_work`" in explain("limit.proof-work")


def test_an_error_makes_a_graph_unsound() -> None:
    report = verify(graph(nodes=barrier("a", "a"), executions=1))
    assert report.verdict is Verdict.UNSOUND
    assert report.exit_code == 1
    assert [str(finding) for finding in report.diagnostics] == [
        'body.nodes["a"].depends_on[0]: error[order.self-dependency] `a` depends on itself'
    ]
    assert outcomes(report)["order.self-dependency"] is Outcome.FAILED


def test_a_warning_alone_does_not() -> None:
    report = verify(graph(nodes=barrier("a") + barrier("A"), executions=2))
    assert [finding.severity for finding in report.diagnostics] == [Severity.WARNING]
    assert report.verdict is Verdict.SOUND


def test_only_what_is_required_stands_between_a_document_and_sound() -> None:
    report = verify(graph())
    assert replace(report, unverified=(Unverified("x", "why", required=False),)).ok
    assert not replace(report, unverified=(Unverified("x", "why"),)).ok
    finding = verify(graph(nodes=barrier("a", "a"), executions=1)).diagnostics[0]
    assumed = replace(finding, holds_under_assumption=True)
    assert replace(report, diagnostics=(assumed,)).verdict is Verdict.SOUND
    assert replace(report, diagnostics=(assumed,)).count(Severity.ERROR) == 0


def test_an_unreadable_input_has_its_own_verdict() -> None:
    with pytest.raises(CodecError) as caught:
        codec.decode(b"{")
    report = unreadable_report(caught.value, "graph.json")
    assert report.verdict is Verdict.UNREADABLE
    assert report.exit_code == 2
    assert report.subject.source == "graph.json"
    assert [finding.code for finding in report.diagnostics] == ["json.truncated"]


# What a report is about


def test_the_subject_names_the_document() -> None:
    document = graph(nodes=barrier("a"), executions=1)
    subject = verify(document, source="graph.txtpb").subject
    assert (subject.source, subject.kind, subject.id) == ("graph.txtpb", "ExecutionGraph", "graph")
    assert (subject.digest, subject.semantic_digest) == (document.digest, document.semantic_digest)
    assert (subject.schema_version, subject.required_features) == ("1.0", ("draft-1",))


def test_a_message_is_judged_in_canonical_order_and_stays_as_it_is() -> None:
    message = graph_pb2.ExecutionGraph(id="graph", maximum_node_executions=2)
    for identity in ("b", "a"):
        message.body.nodes.add(id=identity, depends_on=[identity]).operation.barrier.SetInParent()
    before = message.SerializeToString()
    report = verify(message)
    places = [(finding.path.steps[1].index, finding.path.steps[1].key) for finding in report.diagnostics]
    assert places == [(0, "a"), (1, "b")]
    assert message.SerializeToString() == before


def test_a_message_no_document_can_hold_is_refused() -> None:
    message = graph_pb2.ExecutionGraph(id="graph")
    message.body.nodes.add(id="a")
    message.body.nodes.add(id="a")
    with pytest.raises(CodecError) as caught:
        verify(message)
    assert caught.value.code == "canonical.duplicate-key"


def test_the_same_document_gives_the_same_report() -> None:
    text = (CONFORMANCE / "verify/capability/not-offered/every_capability/document.txtpb").read_bytes()
    reports = [verify(codec.decode(text), offered=()) for _ in range(2)]
    assert reports[0] == reports[1]


@pytest.mark.parametrize(
    ("message", "families"),
    [
        (module_pb2.TargetModuleBundle(), {"document", "reference", "module"}),
        (payload_pb2.TargetPayload(), {"document", "reference", "nested", "group", "payload"}),
        (envelope_pb2.Envelope(), {"document", "reference", "nested", "group", "module", "payload"}),
    ],
    ids=("bundle", "payload", "envelope"),
)
def test_other_kinds_are_judged_by_what_holds_for_them(message: Message, families: set[str]) -> None:
    report = verify(message)
    kind = message.DESCRIPTOR.name
    asked = {code for code, outcome in outcomes(report).items() if outcome is not Outcome.NOT_ASKED}
    assert {code.partition(".")[0] for code in asked} == families
    assert report.unverified == pending_of(kind)
    assert pending_of(kind)
    assert {finding.code for finding in report.diagnostics} <= {"document.missing-field"}


def test_a_package_is_judged_by_what_holds_for_packages() -> None:
    report = verify(package_pb2.Package(id="package"))
    asked = {code for code, outcome in outcomes(report).items() if outcome is not Outcome.NOT_ASKED}
    assert {code.partition(".")[0] for code in asked} == {
        "artifact",
        "capability",
        "document",
        "geometry",
        "interface",
        "layout",
        "package",
        "reference",
        "specialization",
    }
    assert (report.diagnostics, report.unverified, report.readiness) == ((), (), ())
    assert report.verdict is Verdict.SOUND


# Rules that did not run, or not everywhere


def test_every_rule_has_an_outcome_in_order() -> None:
    report = verify(graph())
    assert [rule.code for rule in report.rules] == sorted(rule.code for rule in rules_of("ExecutionGraph"))
    assert report.rule_set == RULE_SET


def test_capabilities_are_not_asked_unless_something_is_offered() -> None:
    document = graph()
    assert outcomes(verify(document))["capability.not-offered"] is Outcome.NOT_ASKED
    assert outcomes(verify(document, offered=()))["capability.not-offered"] is Outcome.PASSED


def test_beyond_a_limit_of_size_nothing_else_runs() -> None:
    document = graph(nodes=barrier("a", "a") + barrier("b"), executions=2)
    report = verify(document, limits=replace(DEFAULT_LIMITS, nodes=1))
    assert [finding.code for finding in report.diagnostics] == ["limit.nodes"]
    assert report.diagnostics[0].message == "the graph has 2 nodes; the limit is 1"
    ran = {code for code, outcome in outcomes(report).items() if outcome in (Outcome.PASSED, Outcome.FAILED)}
    assert ran == {"limit.nodes", "limit.edges", "limit.resources", "limit.control-nesting"}
    gap = next(gap for gap in report.unverified if gap.check == "order.self-dependency")
    assert gap == Unverified("order.self-dependency", "`limit.nodes` has to find nothing first")
    assert report.assumptions == ()


def test_a_rule_whose_facts_are_broken_is_silent_there_and_says_so() -> None:
    text = 'views { id: "a" resource: "x" } views { id: "b" resource: "x" }'
    report = verify(graph(text))
    assert {finding.code for finding in report.diagnostics} == {"reference.missing-resource"}
    gap = next(gap for gap in report.unverified if gap.check == "range.out-of-bounds")
    assert str(gap.path) == 'views["a"]'
    assert gap.reason == "its resource is missing (and 1 other place)"
    assert gap.required
    assert outcomes(report)["range.out-of-bounds"] is Outcome.UNVERIFIED


def test_findings_beyond_the_cap_are_counted_and_the_report_says_so() -> None:
    document = graph(nodes="".join(barrier(name, name) for name in "abcde"), executions=5)
    report = verify(document, limits=replace(DEFAULT_LIMITS, findings_per_rule=2))
    assert [str(finding.path) for finding in report.diagnostics] == [
        'body.nodes["a"].depends_on[0]',
        'body.nodes["b"].depends_on[0]',
    ]
    rule = next(rule for rule in report.rules if rule.code == "order.self-dependency")
    assert rule.findings == 5
    assert (
        Unverified("order.self-dependency", "it found 5 places, of which this report lists 2", required=False)
        in report.unverified
    )


def test_diagnostics_stand_in_document_order_then_by_code() -> None:
    text = INPUT.format(id="b c", more="alignment: 3")
    report = verify(graph(text, nodes=barrier("z", "z") + barrier("a", "q"), executions=1))
    assert [(finding.code, str(finding.path)) for finding in report.diagnostics] == [
        ("document.malformed-id", 'resources["b c"].id'),
        ("range.shape-exceeds-size", 'resources["b c"].size'),
        ("range.alignment-not-power-of-two", 'resources["b c"].alignment'),
        ("reference.missing-node", 'body.nodes["a"].depends_on[0]'),
        ("order.self-dependency", 'body.nodes["z"].depends_on[0]'),
        ("control.execution-bound-exceeded", "maximum_node_executions"),
    ]


def test_findings_at_one_place_stand_by_code() -> None:
    report = verify(
        graph(nodes=barrier("a", "a"), executions=1), limits=replace(DEFAULT_LIMITS, edges=0, nodes=0)
    )
    assert [(finding.code, str(finding.path)) for finding in report.diagnostics] == [
        ("limit.edges", "body"),
        ("limit.nodes", "body"),
    ]


# Sentences


def test_a_cycle_is_spelled_out() -> None:
    report = verify(graph(nodes=barrier("a", "b") + barrier("b", "c") + barrier("c", "a"), executions=3))
    (finding,) = report.diagnostics
    assert finding.message == (
        "these nodes wait for each other; the shortest cycle has 3 nodes, each needing the next: "
        "`a` -> `b` -> `c` -> `a`"
    )
    assert [element.id for element in finding.elements] == ["a", "b", "c"]
    assert [related.message for related in finding.related] == [
        "`a` depends on `b`",
        "`b` depends on `c`",
        "`c` depends on `a`",
    ]


def test_an_end_out_of_bounds_is_named_in_bytes() -> None:
    text = (
        'parameters { id: "n" type: ELEMENT_TYPE_U32 maximum: 8 } '
        + INPUT.format(id="x", more="shape { constant: 8 } size { constant: 32 }")
        + 'views { id: "v" resource: "x" offset { terms { parameter: "n" coefficient: 4 } } }'
    )
    (finding,) = verify(graph(text)).diagnostics
    assert (
        finding.message
        == "the bytes of `v` end at byte `4*n + 4`, by up to 4 bytes behind the end at `32` of `x`"
    )


# Fixes


def test_the_fix_of_a_write_that_is_not_visible_is_a_statement() -> None:
    report = verify(document_of("visibility/write-not-visible/no_statement"))
    (finding,) = report.diagnostics
    assert finding.fix == Fix(
        "add a visibility statement to the edge from `a` to `b`",
        (),
        (AddedStatement("b", "a", "s", ("USAGE_SHADER_STORAGE WRITE",), ("USAGE_SHADER_STORAGE READ",)),),
    )
    (added,) = report_message(report).diagnostics[0].fix.statements
    assert (added.node, added.source, added.resource) == ("b", "a", "s")
    assert list(added.available_from) == ["USAGE_SHADER_STORAGE WRITE"]
    assert list(added.visible_to) == ["USAGE_SHADER_STORAGE READ"]
    assert (
        b'"fix":{"description":"add a visibility statement to the edge from `a` to `b`","statements":'
        b'[{"availableFrom":["USAGE_SHADER_STORAGE WRITE"],"node":"b","resource":"s","source":"a",'
        b'"visibleTo":["USAGE_SHADER_STORAGE READ"]}]}' in report_json(report)
    )


def test_the_fix_between_iterations_is_carried() -> None:
    report = verify(document_of("visibility/write-not-visible/repeated_in_place"))
    (finding,) = report.diagnostics
    scopes = ("USAGE_SHADER_STORAGE READ", "USAGE_SHADER_STORAGE WRITE")
    assert finding.fix == Fix(
        "add a carried visibility statement to `loop`",
        (),
        (AddedStatement("loop", "", "s", ("USAGE_SHADER_STORAGE WRITE",), scopes),),
    )
    (added,) = report_message(report).diagnostics[0].fix.statements
    assert (added.node, added.source, list(added.visible_to)) == ("loop", "", list(scopes))


def test_the_fix_of_a_race_is_a_dependency() -> None:
    (finding,) = verify(document_of("hazard/unordered-access/write_and_read")).diagnostics
    assert finding.fix == Fix("let `b` depend on `a`", (AddedDependency("b", "a"),))


# Assumptions


def test_what_a_verdict_rests_on_is_listed_in_document_order() -> None:
    bindings = "".join(
        f'bindings {{ slot: "{slot}" target {{ resource: "{slot}" }} access: ACCESS_MODE_{mode} '
        f"coverage: COVERAGE_{coverage} }}"
        for slot, mode, coverage in (("x", "READ_WRITE", "PARTIAL"), ("y", "WRITE", "FULL"))
    )
    resources = "".join(
        f'resources {{ id: "{identity}" role: RESOURCE_ROLE_{role} type {{ element: ELEMENT_TYPE_U32 }} '
        "shape { constant: 3 } size { constant: 12 } }"
        for identity, role in (
            ("c", "EXTERNAL_INPUT"),
            ("x", "EXTERNAL_INPUT_OUTPUT"),
            ("y", "EXTERNAL_OUTPUT"),
        )
    )
    node = (
        f'nodes {{ id: "run" operation {{ dispatch {{ artifact: "k" entry: "main" {bindings} geometry {{ '
        'workgroup_count { indirect { source { resource: "c" } maximum_counts: 4 } } } } } }'
    )
    assertion = (
        'disjointness_assertions { first { node: "run" slot: "x" } second { node: "run" slot: "y" } '
        'justification: "rows differ" }'
    )
    report = verify(graph(f'artifacts {{ id: "k" }} {resources} {assertion}', nodes=node, executions=1))
    assert report.diagnostics == ()
    assert [(held.code, str(held.path), held.message) for held in report.assumptions] == [
        (
            "assumption.caller-no-alias",
            "resources",
            "3 external resources lie in 3 blocks of memory that share no byte",
        ),
        (
            "assumption.full-coverage",
            'body.nodes["run"].operation.dispatch.bindings["y"].coverage',
            "`run` overwrites every byte of slot `y`",
        ),
        (
            "assumption.indirect-bound",
            'body.nodes["run"].operation.dispatch.geometry.workgroup_count.indirect.maximum_counts',
            "`run` never runs more workgroups than it states",
        ),
        (
            "assumption.disjoint-accesses",
            "disjointness_assertions[0]",
            "`run` slot `x` and `run` slot `y` never touch a common byte: rows differ",
        ),
    ]


def test_a_tolerated_pair_in_use_is_assumed_to_be_harmless() -> None:
    report = verify(document_of("alias/within-node/tolerated"))
    assert [(held.code, str(held.path), held.message) for held in report.assumptions] == [
        (
            "assumption.full-coverage",
            'body.nodes["a"].operation.dispatch.bindings["out"].coverage',
            "`a` overwrites every byte of slot `out`",
        ),
        (
            "assumption.tolerated-alias",
            'body.nodes["a"].operation.dispatch.tolerated_aliases[0]',
            "`a` tolerates the same bytes in its slots `in` and `out`",
        ),
    ]


@pytest.mark.parametrize(
    ("case", "held"),
    [
        ("role/read-only-written/consumed_in_place", True),  # two resources at one place
        ("alias/within-node/tolerated_pair_of_other_bytes", False),
        ("alias/within-node/input_and_output", False),  # the same bytes, not tolerated
    ],
)
def test_only_tolerated_pairs_of_the_same_bytes_are_in_use(case: str, *, held: bool) -> None:
    codes = {assumption.code for assumption in verify(document_of(case)).assumptions}
    assert ("assumption.tolerated-alias" in codes) is held


def test_tolerated_pairs_that_share_nothing_are_not_in_use() -> None:
    message = document_of("alias/within-node/two_halves").message
    dispatch = message.body.nodes[0].operation.dispatch
    dispatch.tolerated_aliases.add(first="a", second="b")
    report = verify(message)
    assert report.ok
    assert "assumption.tolerated-alias" not in {held.code for held in report.assumptions}


def test_a_count_that_is_read_is_assumed_to_keep_its_minimum() -> None:
    report = verify(document_of("initialisation/read-before-write/at_least_one_trip"))
    assert [(held.code, str(held.path), held.message) for held in report.assumptions] == [
        (
            "assumption.caller-no-alias",
            "resources",
            "2 external resources lie in 2 blocks of memory that share no byte",
        ),
        (
            "assumption.declared-minimum",
            'body.nodes["a"].operation.repeat.minimum_trips',
            "the count that `a` reads is never less than 1",
        ),
    ]


@pytest.mark.parametrize(
    "case",
    [
        "initialisation/read-before-write/no_trip",  # a count that is read, without a minimum
        "initialisation/read-before-write/first_evaluation_after_an_iteration",  # a literal count
    ],
)
def test_no_other_minimum_is_assumed(case: str) -> None:
    codes = {held.code for held in verify(document_of(case)).assumptions}
    assert "assumption.declared-minimum" not in codes


def test_a_state_that_is_read_is_assumed_to_be_filled() -> None:
    report = verify(document_of("initialisation/read-before-write/state"))
    assert [(held.code, str(held.path), held.message) for held in report.assumptions] == [
        ("assumption.state-initialised", 'resources["s"]', "`s` holds what an earlier invocation left in it")
    ]


STATE = (
    'resources { id: "s" role: RESOURCE_ROLE_STATE type { element: ELEMENT_TYPE_U32 } shape { constant: 4 } '
    'size { constant: 16 } CONTENT } artifacts { id: "k" } visibility_model: VISIBILITY_MODEL_EDGES_CARRY_ALL'
)
FILL = (
    'nodes { id: "fill" operation { fill { destination { SELECTION } '
    'pattern { element: ELEMENT_TYPE_U32 bits: "\\000\\000\\000\\000" } } } } '
)
USE = (
    'nodes { id: "use" AFTER operation { dispatch { artifact: "k" entry: "main" bindings { slot: "s" '
    'target { resource: "s" } access: ACCESS_MODE_READ } geometry { workgroup_count { extents { counts { '
    "constant: 1 } } } workgroup_size: 64 } } } } "
)
WHOLE = 'resource: "s"'
HALF = 'byte_range { resource: "s" size { constant: 8 } }'
CONTENT = f'content {{ digest: "sha256:{"0" * 64}" size: 16 }}'


@pytest.mark.parametrize(
    ("content", "nodes", "held"),
    [
        ("", USE, True),
        (CONTENT, USE, False),
        ("", FILL.replace("SELECTION", WHOLE) + USE.replace("AFTER", 'depends_on: "fill"'), False),
        ("", FILL.replace("SELECTION", HALF) + USE.replace("AFTER", 'depends_on: "fill"'), True),
        ("", FILL.replace("SELECTION", WHOLE), False),
    ],
)
def test_a_state_rests_on_earlier_invocations_only_where_it_is_read_first(
    content: str, nodes: str, *, held: bool
) -> None:
    document = graph(STATE.replace("CONTENT", content), nodes=nodes.replace("AFTER", ""), executions=2)
    report = verify(document)
    assert not any(finding.severity is Severity.ERROR for finding in report.diagnostics)
    codes = {assumption.code for assumption in report.assumptions}
    assert ("assumption.state-initialised" in codes) is held


def test_every_assumption_is_held_by_some_case() -> None:
    cases = walk("verify")
    shown = [
        case
        for case in cases
        if case.id.split("/")[1] in ("alias", "hazard", "initialisation", "interface", "module")
    ]
    reports = [verify(verified_document(case), surroundings=surroundings_of(case)) for case in shown]
    assert {held.code for report in reports for held in report.assumptions} == set(ASSUMPTIONS)


def test_the_caller_is_assumed_to_keep_parameters_in_range() -> None:
    text = (
        'parameters { id: "n" type: ELEMENT_TYPE_U32 minimum: 1 maximum: 64 } '
        'parameters { id: "m" type: ELEMENT_TYPE_U8 maximum: 1000 multiple_of: 16 }'
    )
    report = verify(graph(text))
    assert [(held.code, str(held.path), held.message, held.evidence) for held in report.assumptions] == [
        (
            "assumption.parameter-range",
            'parameters["m"]',
            "`m` lies in 0 to 240, a multiple of 16",
            None,
        ),
        ("assumption.parameter-range", 'parameters["n"]', "`n` lies in 1 to 64", None),
    ]


def test_one_external_resource_rests_on_no_caller() -> None:
    text = INPUT.format(id="x", more="size { constant: 4 }")
    assert verify(graph(text)).assumptions == ()


# Anything


@settings(max_examples=100)
@given(documents())
def test_any_document_gets_a_report(document: Message) -> None:
    report = verify(document, offered=())
    assert report.verdict is not Verdict.UNREADABLE
    assert report_message(report).SerializeToString()
    assert all(finding.message and not finding.message.endswith(".") for finding in report.diagnostics)


# Sentences that name what is missing


def sentences(case: str) -> list[str]:
    text = (CONFORMANCE / "verify" / case / "document.txtpb").read_bytes()
    return [finding.message for finding in verify(codec.decode(text)).diagnostics]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            "after_the_end",
            (
                "`c` copies from `t` outside of its lifetime, which begins at `a` and ends at `b`: "
                "`c` is not ordered before its end `b`"
            ),
        ),
        (
            "before_the_begin",
            (
                "`a` fills `t` outside of its lifetime, which begins at `b` and ends at `b`: "
                "`a` is not ordered after its begin `b`"
            ),
        ),
        (
            "outside_of_the_home",
            (
                "`c` copies from `t` outside of its lifetime, which begins at `a` and ends at `b`: "
                "`c` is not in the region that holds these nodes"
            ),
        ),
    ],
)
def test_an_access_outside_of_a_lifetime_says_where_that_is_and_what_is_missing(
    case: str, expected: str
) -> None:
    assert sentences(f"lifetime/access-outside/{case}") == [expected]


def test_the_places_of_a_lifetime_are_related_to_an_access_outside() -> None:
    text = (CONFORMANCE / "verify/lifetime/access-outside/after_the_end/document.txtpb").read_bytes()
    (finding,) = verify(codec.decode(text)).diagnostics
    assert [(str(other.path), other.message) for other in finding.related] == [
        ('resources["t"].lifetime', "the lifetime of `t`"),
        ('body.nodes["a"]', "`a` begins it"),
        ('body.nodes["b"]', "`b` ends it"),
    ]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            "output-partly-written/first_four_bytes",
            "every execution leaves a part of an output unwritten: bytes 4 to 15 of `y`",
        ),
        (
            "output-partly-written/one_arm_writes_half",
            "some execution leaves a part of an output unwritten: bytes 8 to 15 of `y`",
        ),
        ("output-not-written/never", "every execution leaves the output `y` unwritten"),
        ("output-not-written/one_arm", "some execution leaves the output `y` unwritten"),
    ],
)
def test_an_unwritten_output_says_in_how_many_executions(case: str, expected: str) -> None:
    assert sentences(f"initialisation/{case}") == [expected]


def test_a_resource_without_a_size_is_told_so() -> None:
    graph = graph_pb2.ExecutionGraph(id="g")
    resource = graph.resources.add(id="x", role=resource_pb2.RESOURCE_ROLE_EXTERNAL_INPUT)
    resource.type.element = type_pb2.ELEMENT_TYPE_F32
    resource.shape.add(constant=4)
    messages = {finding.code: finding.message for finding in verify(graph).diagnostics}
    assert messages["range.shape-exceeds-size"] == "the elements of `x` end at byte `16`; no size is stated"


def test_a_missing_capability_is_named_as_it_is_offered() -> None:
    text = (CONFORMANCE / "verify/capability/not-offered").rglob("document.txtpb")
    found = [f for path in text for f in verify(codec.decode(path.read_bytes()), offered=()).diagnostics]
    assert found
    assert not [f.message for f in found if "CAPABILITY_" in f.message]
