"""`import interlock`: what is public, what it costs, what it takes and what it raises."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import typing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import interlock
from execgraph.report.v1 import report_pb2
from execgraph.v1 import graph_pb2, interface_pb2
from interlock.diagnostic import Fix

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

ROOT = Path(__file__).resolve().parents[3]
FIXTURE = ROOT / "tests" / "fixtures" / "two_stage_sum" / "two_stage_sum.json"


@pytest.fixture
def document() -> interlock.Document:
    return interlock.load(FIXTURE)


@pytest.mark.parametrize("name", interlock.__all__)
def test_every_public_name_is_there_and_documented(name: str):
    value = getattr(interlock, name)
    assert name in dir(interlock)
    if callable(value):
        assert value.__doc__
        assert "(" not in value.__doc__.partition("\n")[0][:2], "not the signature that dataclasses make up"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'interlock' has no attribute 'execute'"):
        interlock.execute  # noqa: B018


def test_the_lazy_names_are_those_that_type_checkers_see():
    tree = ast.parse((ROOT / "python" / "interlock" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == interlock._HOMES
    assert set(interlock.__all__) == {*seen, "__version__"}


def test_importing_the_package_loads_nothing_else():
    code = "import sys, interlock; print([n for n in sys.modules if n.startswith(('interlock', 'google'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sorted(ast.literal_eval(done.stdout)) == ["google", "interlock", "interlock._version"] or sorted(
        ast.literal_eval(done.stdout)
    ) == ["interlock", "interlock._version"]


@pytest.mark.parametrize(
    "first", ["interlock.cli", "interlock.codec", "interlock.document", "interlock.report.text"]
)
def test_functions_keep_their_names_whatever_was_imported_before(first: str):
    """A submodule of the same name would take the place of the function."""
    code = (
        f"import {first}, interlock as i; print([n for n in i.__all__ if hasattr(getattr(i, n), '__file__')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_load_takes_paths_and_streams(document: interlock.Document, tmp_path: Path):
    assert interlock.load(str(FIXTURE)) == document
    assert interlock.load(io.BytesIO(document.binary)) == document
    text = tmp_path / "graph.txtpb"
    text.write_text(interlock.encode_text(document))
    assert interlock.load(text) == document
    with pytest.raises(FileNotFoundError):
        interlock.load(tmp_path / "gone")


def test_loads_takes_bytes_and_strings(document: interlock.Document):
    assert interlock.loads(document.json()) == interlock.loads(document.json().decode()) == document
    assert interlock.loads(bytearray(document.binary)) == document
    with pytest.raises(interlock.CodecError) as refused:
        interlock.loads('{"a": "\ud800"}')
    assert refused.value.code == "json.invalid-utf8"


def test_a_kind_is_demanded(document: interlock.Document):
    assert interlock.loads(document.binary, kind="ExecutionGraph") == document
    with pytest.raises(interlock.CodecError) as refused:
        interlock.loads(document.binary, kind="Package")
    assert refused.value.code == "header.kind-mismatch"
    assert str(refused.value.path) == "header.kind"
    assert interlock.loads('id: "p"', kind="Package").kind == "Package"


def test_a_refusal_carries_its_finding():
    with pytest.raises(interlock.InterlockError) as refused:
        interlock.loads(b'{"header":1,"header":2}')
    (finding,) = refused.value.diagnostics
    assert (finding.code, str(finding.path), finding.byte_offset) == ("json.duplicate-key", "", 12)
    assert finding.severity is interlock.Severity.ERROR
    assert str(refused.value) == str(finding)


def test_load_reads_no_more_than_the_limit():
    class Endless(io.RawIOBase):
        taken = 0

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            self.taken += len(buffer)
            assert self.taken < 1 << 22, "far more than the limit was read"
            buffer[:] = b"\n" * len(buffer)
            return len(buffer)

        def readable(self) -> bool:
            return True

    endless = Endless()
    with pytest.raises(interlock.CodecError) as refused:
        interlock.load(typing.cast("typing.BinaryIO", endless), limits=interlock.Limits(document_bytes=1000))
    assert refused.value.code == "limit.document-bytes"
    assert endless.taken == 1001


def test_documents_and_messages_are_taken_alike(document: interlock.Document):
    message = document.message
    before = message.SerializeToString(deterministic=True)
    assert interlock.encode(document) == interlock.encode(message) == document.binary
    assert interlock.encode_json(document) == interlock.encode_json(message) == document.json()
    assert interlock.encode_text(document) == interlock.encode_text(message)
    assert interlock.digest(document) == interlock.digest(message) == document.digest
    assert interlock.semantic_digest(document) == interlock.semantic_digest(message)
    assert interlock.verify(document) == interlock.verify(message)
    assert interlock.inspect(document) == interlock.inspect(message)
    assert message.SerializeToString(deterministic=True) == before


def test_a_message_that_is_no_document_is_refused():
    graph = graph_pb2.ExecutionGraph(id="g")
    graph.resources.add(id="x")
    graph.resources.add(id="x")
    with pytest.raises(interlock.CodecError) as refused:
        interlock.digest(graph)
    assert refused.value.code == "canonical.duplicate-key"
    with pytest.raises(TypeError):
        interlock.digest(graph_pb2.GraphArtifact(id="a"))


def test_a_report_has_what_a_program_asks(document: interlock.Document):
    report = interlock.verify(document)
    assert report.ok is True
    assert (report.exit_code, report.verdict.name) == (0, "SOUND")
    assert (report.diagnostics, report.held, report.unverified) == ((), (), ())
    assert report.required_evidence is interlock.Evidence.ASSERTED
    assert [(held.code, held.evidence) for held in report.assumptions] == [
        ("assumption.caller-no-alias", None),
        ("assumption.full-coverage", interlock.Evidence.ASSERTED),
        ("assumption.full-coverage", interlock.Evidence.ASSERTED),
    ]


@pytest.mark.parametrize("floor", [interlock.Evidence.DECLARED, interlock.Evidence.PROVEN])
def test_a_floor_leaves_unverified_what_a_producer_only_asserts(
    document: interlock.Document, floor: interlock.Evidence
):
    report = interlock.verify(document, require=floor)
    assert (report.ok, report.exit_code, report.verdict.name) == (False, 3, "UNVERIFIED")
    assert report.required_evidence is floor
    asserted = [held for held in report.assumptions if held.evidence is interlock.Evidence.ASSERTED]
    reason = f"it is only asserted, and {floor.name.lower()} evidence is required"
    assert [(gap.check, gap.path, gap.reason, gap.required) for gap in report.unverified] == [
        (held.code, held.path, reason, True) for held in asserted
    ]
    assert len(asserted) == 2
    assert interlock.inspect(document, require=floor).report == report


@pytest.mark.parametrize("schema", [interface_pb2.Evidence, report_pb2.Evidence])
def test_evidence_has_the_names_and_numbers_of_documents_and_reports(schema: EnumTypeWrapper):
    names = {f"EVIDENCE_{evidence.name}": evidence.value for evidence in interlock.Evidence}
    assert dict(schema.items()) == {"EVIDENCE_UNSPECIFIED": 0, **names}


def test_an_inspection_counts_what_the_graph_holds(document: interlock.Document):
    inspection = interlock.inspect(document)
    assert dict(inspection.elements) == {
        "graphs": 1,
        "nodes": 3,
        "edges": 2,
        "visibility_statements": 1,
        "parameters": 0,
        "allocations": 3,
        "resources": 3,
        "views": 0,
        "artifacts": 2,
        "artifact_pins": 0,
    }
    assert inspection.nodes_by_kind == (("dispatch", 2), ("barrier", 1))
    assert inspection.resources_by_role == (("external_input", 1), ("external_output", 1), ("temporary", 1))
    assert inspection.capabilities == ()
    assert inspection.maximum_node_executions == 3
    assert inspection.report == interlock.verify(document)


def test_explain_gives_the_page_of_a_code():
    assert interlock.explain("order.dependency-cycle").startswith("# `order.dependency-cycle`\n")
    with pytest.raises(KeyError):
        interlock.explain("order.nothing")


def test_crosstl_graphs_come_and_go():
    source = (ROOT / "tests/fixtures/two_stage_sum/graphs/two_stage_sum.vulkan.json").read_bytes()
    imported = interlock.import_crosstl(source)
    assert isinstance(imported, interlock.CrossTLImport)
    assert imported.document == interlock.load(FIXTURE)
    again = interlock.import_crosstl(interlock.export_crosstl(imported.document))
    assert again.document == imported.document
    with pytest.raises(interlock.ImportFailure):
        interlock.import_crosstl(b"{}")


def test_a_report_reads_as_text_and_a_verdict_as_its_name(document: interlock.Document):
    report = interlock.verify(document)
    assert (str(report.verdict), f"{report.verdict}") == ("SOUND", "SOUND")
    assert report.verdict is interlock.Verdict.SOUND
    assert str(report).startswith("SOUND: no errors, and every required check was made\n  document  ")
    assert report.text() == f"{report}\n"
    assert len(report.text(everything=True)) >= len(report.text())


@pytest.mark.parametrize("verdict", interlock.Verdict)
def test_verdicts_have_the_names_and_numbers_of_reports(verdict: interlock.Verdict):
    assert report_pb2.Verdict.Value(f"VERDICT_{verdict.name}") == verdict.value
    assert len(report_pb2.Verdict.items()) == len(interlock.Verdict) + 1


NO_DOCUMENT = (
    "a `Document` or the message of one is required, not a `str`; "
    "`interlock.load` reads one from a file, `interlock.loads` from bytes or a string"
)


@pytest.mark.parametrize(
    "call",
    [
        interlock.verify,
        interlock.inspect,
        interlock.digest,
        interlock.semantic_digest,
        interlock.encode,
        interlock.encode_json,
        interlock.encode_text,
        interlock.export_crosstl,
        lambda path: interlock.apply_fix(path, Fix("x")),
    ],
)
def test_a_path_is_no_document(call: typing.Callable[[typing.Any], object]):
    with pytest.raises(TypeError) as refused:
        call("good.json")
    assert str(refused.value) == NO_DOCUMENT


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"require": 2},
            TypeError,
            "`require` is an `interlock.Evidence` or one of `asserted`, `declared`, `proven`, not `2`",
        ),
        (
            {"require": "sure"},
            ValueError,
            "`sure` is no evidence; there are `asserted`, `declared`, `proven`",
        ),
        (
            {"offered": "repeat"},
            TypeError,
            "`offered` is a collection of names, such as `{'repeat'}`, not `'repeat'`",
        ),
        ({"offered": 3}, TypeError, "`offered` is a collection of names, such as `{'repeat'}`, not `3`"),
        ({"offered": {3}}, TypeError, "a capability is named by a string, not by `3`"),
        (
            {"offered": {"bogus"}},
            ValueError,
            "`bogus` is no capability; there are indirect_dispatch, conditional",
        ),
    ],
)
@pytest.mark.parametrize("call", [interlock.verify, interlock.inspect])
def test_an_argument_that_is_none_is_said(
    document: interlock.Document,
    call: typing.Callable[..., object],
    arguments: dict[str, object],
    error: type[Exception],
    message: str,
):
    with pytest.raises(error) as refused:
        call(document, **arguments)
    assert str(refused.value).startswith(message)


def test_names_stand_for_evidence_and_capabilities(document: interlock.Document):
    proven = interlock.verify(document, require=interlock.Evidence.PROVEN)
    assert (
        interlock.verify(document, require="proven") == interlock.verify(document, require="PROVEN") == proven
    )
    full = interlock.verify(document, offered={"CAPABILITY_REPEAT", "CAPABILITY_ATOMIC_INT32"})
    assert interlock.verify(document, offered={"repeat", "atomic_int32"}) == full


def test_a_finding_without_a_fix_has_nothing_to_apply(document: interlock.Document):
    with pytest.raises(TypeError, match="not `None`; the finding suggests no change"):
        interlock.apply_fix(document, typing.cast("typing.Any", None))


def test_a_crosstl_graph_is_taken_as_a_string_too():
    text = (ROOT / "tests/fixtures/two_stage_sum/graphs/two_stage_sum.vulkan.json").read_text(
        encoding="utf-8"
    )
    assert interlock.import_crosstl(text).document == interlock.load(FIXTURE)
    with pytest.raises(TypeError, match="the JSON text or a mapping is required, not `int`"):
        interlock.import_crosstl(typing.cast("typing.Any", 3))


def test_a_crosstl_graph_that_is_no_document_says_what_makes_one_of_it():
    source = (ROOT / "tests/fixtures/two_stage_sum/graphs/two_stage_sum.vulkan.json").read_bytes()
    with pytest.raises(interlock.CodecError) as refused:
        interlock.loads(source)
    assert (refused.value.code, str(refused.value.path), refused.value.byte_offset) == (
        "header.missing",
        "header",
        0,
    )
    assert "`interlock import crosstl`" in refused.value.diagnostics[0].message
    with pytest.raises(interlock.CodecError) as refused:
        interlock.loads(b"{}")
    assert "crosstl" not in refused.value.diagnostics[0].message


def test_empty_input_is_called_empty():
    with pytest.raises(interlock.CodecError) as refused:
        interlock.loads(b"")
    assert refused.value.code == "header.missing"
    assert refused.value.diagnostics[0].message == "the input is empty; a document starts with its header"
