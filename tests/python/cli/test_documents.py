"""convert, canonicalize, digest, import, export: commands that make something."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import interlock

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

    Run = Callable[..., Ran]

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "two_stage_sum"


@pytest.mark.parametrize("source", ["tiny.binpb", "tiny.json", "tiny.txtpb"])
@pytest.mark.parametrize("target", ["binary", "json", "text"])
def test_convert_gives_the_same_canonical_bytes_from_every_encoding(
    run: Run, documents: Path, source: str, target: str
):
    document = interlock.load(documents / "tiny.binpb")
    expected = {
        "binary": document.binary,
        "json": document.json(),
        "text": interlock.encode_text(document).encode(),
    }
    done = run("convert", source, "--to", target)
    assert (done.code, done.out, done.err) == (0, expected[target], b"")


@pytest.mark.parametrize(
    ("source", "output", "encoding"),
    [
        ("tiny.json", "out.binpb", "binary"),
        ("tiny.json", "out.pb", "binary"),
        ("tiny.json", "out.txtpb", "text"),
        ("tiny.binpb", "out.JSON", "json"),
        ("tiny.json", "out", "binary"),
        ("tiny.binpb", "out", "json"),
        ("tiny.txtpb", "out", "json"),
    ],
)
def test_convert_takes_the_encoding_from_the_suffix_or_from_the_input(
    run: Run, documents: Path, source: str, output: str, encoding: str
):
    assert run("convert", source, "-o", output).code == 0
    written = (documents / output).read_bytes()
    assert written == run("convert", source, "--to", encoding).out


def test_convert_reads_standard_input(run: Run, documents: Path):
    binary = (documents / "tiny.binpb").read_bytes()
    assert run("convert", "-", stdin=binary).out == (documents / "tiny.json").read_bytes()


def test_canonicalize_mends_binary_and_keeps_the_encoding(run: Run, documents: Path):
    binary = (documents / "tiny.binpb").read_bytes()
    unsorted = binary[: 2 + binary[1]] + binary[2 + binary[1] + 6 :] + binary[2 + binary[1] :][:6]
    (documents / "unsorted.binpb").write_bytes(unsorted)
    refused = run("convert", "unsorted.binpb")
    assert refused.code == 2
    assert b"error[canonical.field-order]" in refused.err
    assert run("canonicalize", "unsorted.binpb").out == binary
    loose = json.dumps(json.loads((documents / "tiny.json").read_bytes()), indent=3).encode()
    assert run("canonicalize", "-", stdin=loose).out == (documents / "tiny.json").read_bytes()


def test_digest_is_that_of_the_canonical_binary_in_every_encoding(run: Run, documents: Path):
    digest = hashlib.sha256((documents / "tiny.binpb").read_bytes()).hexdigest()
    done = run("digest", "tiny.json", "tiny.binpb", "tiny.txtpb")
    assert done.code == 0
    assert done.text == "".join(
        f"sha256:{digest}  {name}\n" for name in ("tiny.json", "tiny.binpb", "tiny.txtpb")
    )


def test_the_semantic_digest_leaves_out_who_made_it(run: Run, documents: Path):
    message = interlock.load(documents / "tiny.binpb").message
    copy = type(message)()
    copy.CopyFrom(message)
    copy.header.producer.name = "somebody"
    (documents / "made.binpb").write_bytes(interlock.encode(copy))
    plain = {line.split()[0] for line in run("digest", "tiny.binpb", "made.binpb").text.splitlines()}
    semantic = run("digest", "--semantic", "tiny.binpb", "made.binpb").text.splitlines()
    assert len(plain) == 2
    assert len({line.split()[0] for line in semantic}) == 1


def test_digest_goes_on_after_a_file_that_cannot_be_read(run: Run):
    done = run("digest", "gone", "tiny.binpb", "not.json")
    assert done.code == 2
    assert [line.split()[1] for line in done.text.splitlines()] == ["tiny.binpb"]
    assert done.errors.splitlines() == [
        "interlock: error[input.not-found] cannot read `gone`: no such file or directory",
        "not.json: header (byte 20): error[json.duplicate-key] "
        + done.errors.splitlines()[1].partition("[json.duplicate-key] ")[2],
    ]


def test_digest_of_a_newer_minor_is_that_of_the_bytes_and_says_that_nothing_was_read(
    run: Run, documents: Path
):
    binary = (documents / "tiny.binpb").read_bytes()
    header = bytes([0x08, 1, 0x10, 1, 0x18, 9]) + binary[6 : 2 + binary[1]]
    newer = bytes([0x0A, len(header)]) + header + binary[2 + binary[1] :]
    (documents / "newer.binpb").write_bytes(newer)
    done = run("digest", "newer.binpb")
    assert (done.code, done.text) == (3, f"sha256:{hashlib.sha256(newer).hexdigest()}  newer.binpb\n")
    assert b"error[version.newer-minor]" in done.err
    assert run("digest", "--semantic", "newer.binpb").code == 2


@pytest.mark.parametrize("target", ["vulkan", "metal", "directx", "opengl"])
def test_a_crosstl_graph_is_imported_and_exported_again(run: Run, documents: Path, target: str):
    source = FIXTURE / "graphs" / f"two_stage_sum.{target}.json"
    done = run("import", "crosstl", str(source), "-o", "graph.json")
    assert (done.code, done.out) == (0, b"")
    assert interlock.load(documents / "graph.json").kind == "ExecutionGraph"
    back = run("export", "crosstl", "graph.json")
    assert back.code == 0
    assert json.loads(back.out) == json.loads(source.read_bytes())


def test_the_import_of_the_vulkan_graph_is_the_graph_of_the_demo(run: Run):
    done = run("import", "crosstl", str(FIXTURE / "graphs" / "two_stage_sum.vulkan.json"))
    assert done.out == (FIXTURE / "two_stage_sum.json").read_bytes()


def test_an_import_that_cannot_be_mapped_prints_every_reason_and_writes_nothing(run: Run, documents: Path):
    graph = json.loads((FIXTURE / "graphs" / "two_stage_sum.vulkan.json").read_bytes())
    graph["resources"][0]["dtype"] = "no-such-type"
    graph["resources"][2]["dtype"] = "neither"
    (documents / "foreign.json").write_text(json.dumps(graph))
    done = run("import", "crosstl", "foreign.json", "-o", "graph.json")
    assert (done.code, done.out) == (1, b"")
    assert done.errors.count("foreign.json: ") == 2
    assert not (documents / "graph.json").exists()
    as_json = run("import", "crosstl", "foreign.json", "-o", "graph.json", "--format", "json")
    report = json.loads(as_json.out)
    assert as_json.code == 1
    assert report["verdict"] == "VERDICT_NOT_JUDGED"
    assert len(report["diagnostics"]) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"a":1,"a":2}', b"nonsense"])
def test_an_import_of_what_is_no_json_is_unreadable(run: Run, documents: Path, content: bytes):
    (documents / "foreign.json").write_bytes(content)
    done = run("import", "crosstl", "foreign.json")
    assert (done.code, done.out) == (2, b"")
    assert done.errors.startswith("foreign.json: ")


def test_a_failure_leaves_the_old_file_and_nothing_else(run: Run, documents: Path):
    (documents / "out.json").write_text("old")
    before = sorted(documents.iterdir())
    assert run("convert", "not.json", "-o", "out.json").code == 2
    assert (documents / "out.json").read_text() == "old"
    assert sorted(documents.iterdir()) == before


def test_a_file_that_cannot_be_renamed_leaves_no_temporary_file(
    run: Run, documents: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = sorted(documents.iterdir())
    monkeypatch.setattr(os, "replace", fail)
    done = run("convert", "tiny.json", "-o", "out.binpb")
    assert done.code == 2
    assert (
        done.errors
        == "interlock: error[output.unwritable] cannot write `out.binpb`: no space left on device\n"
    )
    assert sorted(documents.iterdir()) == before


def test_a_written_file_has_the_usual_permissions_and_keeps_those_it_had(run: Run, documents: Path):
    umask = os.umask(0o027)
    try:
        run("convert", "tiny.json", "-o", "new.binpb")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((documents / "new.binpb").stat().st_mode) == 0o640
    (documents / "new.binpb").chmod(0o600)
    run("convert", "tiny.json", "-o", "new.binpb")
    assert stat.S_IMODE((documents / "new.binpb").stat().st_mode) == 0o600


def test_a_link_stays_a_link_to_what_is_written(run: Run, documents: Path):
    (documents / "real.json").write_text("old")
    (documents / "link.json").symlink_to("real.json")
    assert run("convert", "tiny.binpb", "-o", "link.json").code == 0
    assert (documents / "link.json").is_symlink()
    assert (documents / "real.json").read_bytes() == (documents / "tiny.json").read_bytes()


def test_a_device_is_written_through(run: Run):
    assert run("convert", "tiny.json", "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize(
    ("output", "code"),
    [
        (".", "output.is-directory"),
        ("gone/out.json", "output.not-found"),
        ("tiny.json/x", "output.not-found"),
    ],
)
def test_an_output_that_cannot_be_written_is_said(run: Run, output: str, code: str):
    done = run("convert", "tiny.binpb", "-o", output)
    assert (done.code, done.out) == (2, b"")
    assert done.errors.startswith(f"interlock: error[{code}] cannot write `{output}`: ")


def test_json_reports_and_documents_never_mix_on_standard_output(run: Run):
    done = run("convert", "tiny.json", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, done.err) == (2, b"")
    assert report["diagnostics"][0]["code"] == "usage.conflict"
    assert (report["verdict"], "unverified" in report) == ("VERDICT_NOT_JUDGED", False)


def test_with_format_json_the_report_names_what_was_made(run: Run, documents: Path):
    done = run("convert", "tiny.json", "-o", "out.binpb", "--format", "json")
    report = json.loads(done.out)
    assert done.code == 0
    assert report["subject"]["digest"] == interlock.load(documents / "out.binpb").digest
    assert report["subject"]["source"] == "tiny.json"


@pytest.mark.parametrize(
    "words",
    [
        ("digest", "{}"),
        ("digest", "--semantic", "{}"),
        ("convert", "{}", "-o", "out.binpb"),
        ("canonicalize", "{}", "-o", "out.binpb"),
        ("export", "crosstl", "{}", "-o", "out.json"),
    ],
)
@pytest.mark.parametrize("name", ["tiny.json", "cycle.json"])
def test_who_does_not_judge_states_no_verdict(run: Run, words: tuple[str, ...], name: str):
    report = json.loads(run(*(word.format(name) for word in words), "--format", "json").out)
    assert report["verdict"] == "VERDICT_NOT_JUDGED"
    assert "rules" not in report


def test_an_import_states_no_verdict(run: Run):
    source = str(FIXTURE / "graphs" / "two_stage_sum.vulkan.json")
    done = run("import", "crosstl", source, "-o", "graph.json", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["verdict"]) == (0, "VERDICT_NOT_JUDGED")
    assert len(report["assumptions"]) == 2


def test_what_was_hashed_unread_was_not_judged(run: Run, documents: Path):
    binary = (documents / "tiny.binpb").read_bytes()
    header = bytes([0x08, 1, 0x10, 1, 0x18, 9]) + binary[6 : 2 + binary[1]]
    (documents / "newer.binpb").write_bytes(bytes([0x0A, len(header)]) + header + binary[2 + binary[1] :])
    done = run("digest", "newer.binpb", "--format", "json")
    assert (done.code, json.loads(done.out)["verdict"]) == (3, "VERDICT_NOT_JUDGED")


def test_a_file_of_another_format_is_one_finding(run: Run):
    done = run("import", "crosstl", "tiny.json")
    assert (done.code, done.out) == (1, b"")
    assert done.errors == (
        "tiny.json: kind: error[crosstl.unknown-kind] this is no graph of CrossTL: "
        "it has no `kind` of its own, where `crosstl-runtime-execution-graph` is required\n"
    )


def test_an_empty_file_is_called_empty(run: Run, documents: Path):
    (documents / "empty.json").write_bytes(b"")
    assert "the input is empty" in run("import", "crosstl", "empty.json").errors
    assert "the input is empty" in run("convert", "empty.json").errors


def test_verify_of_a_crosstl_graph_names_the_import(run: Run):
    done = run("verify", str(FIXTURE / "graphs" / "two_stage_sum.vulkan.json"))
    assert done.code == 2
    assert "error[header.missing]" in done.text
    assert "`interlock import crosstl`" in done.text
