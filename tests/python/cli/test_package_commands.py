"""pack, unpack, ls, add, pin, push and pull: what they make, print and refuse."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import interlock
from interlock.hashing import sha256_digest
from package_support import (
    KERNEL,
    KERNEL_DIGEST,
    SOURCE,
    SOURCE_DIGEST,
    files_below,
    small_package,
    write_small,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

    Run = Callable[..., Ran]

PACKAGE = """\
id: "small"
artifacts {
  id: "k"
  variants {
    target: "metal"
    content_type { identity: "msl" version: 1 }
    blob { location: "kernels/k.metal" }
  }
  variants {
    target: "vulkan"
    content_type { identity: "spirv" version: 1 }
    blob { location: "kernels/k.spv" }
  }
}
"""
DIGEST = small_package().digest
LISTING = f"""\
small.tar: package `small` (oci-layout)
  digest    {DIGEST}

artifacts (1)
  k  metal, msl 1     14 bytes  {SOURCE_DIGEST}
  k  vulkan, spirv 1   7 bytes  {KERNEL_DIGEST}

graphs (0)

payloads (0)
"""


@pytest.fixture
def sources(documents: Path) -> Path:
    """The folder of the small documents, with a package to be packed as well."""
    (documents / "kernels").mkdir()
    (documents / "kernels" / "k.spv").write_bytes(KERNEL)
    (documents / "kernels" / "k.metal").write_bytes(SOURCE)
    (documents / "package.txtpb").write_text(PACKAGE)
    return documents


@pytest.fixture
def packed(sources: Path) -> Path:
    """The same folder, with the package packed."""
    write_small(sources / "small.tar", "1.0")
    return sources


def test_pack_makes_a_layout_and_prints_its_digest(run: Run, sources: Path):
    done = run("pack", "package.txtpb", "-o", "small.tar", "--tag", "1.0")
    assert (done.code, done.text, done.errors) == (0, f"{DIGEST}  small.tar\n", "")
    write_small(sources / "other.tar", "1.0")
    assert (sources / "small.tar").read_bytes() == (sources / "other.tar").read_bytes()
    done = run("pack", "package.txtpb", "-o", "small", "--tag", "1.0")
    with tarfile.open(sources / "small.tar") as archive:
        held = {one.name: archive.extractfile(one).read() for one in archive}  # type: ignore[union-attr]
    assert files_below(sources / "small") == held


def test_pack_reads_standard_input_and_another_folder(run: Run, sources: Path):
    (sources / "elsewhere").mkdir()
    (sources / "kernels").rename(sources / "elsewhere" / "kernels")
    done = run("pack", "-", "--blobs", "elsewhere", "-o", "small.tar", stdin=PACKAGE.encode())
    assert (done.code, done.text) == (0, f"{DIGEST}  small.tar\n")


def test_pack_says_what_it_made_as_json(run: Run, sources: Path):
    done = run("pack", "package.txtpb", "-o", "small.tar", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, done.errors, report["verdict"]) == (0, "", "VERDICT_NOT_JUDGED")
    assert report["subject"]["digest"] == DIGEST
    assert report["subject"]["source"] == "package.txtpb"
    del sources


def test_pack_leaves_nothing_where_a_blob_is_missing(run: Run, sources: Path):
    (sources / "kernels" / "k.spv").unlink()
    before = sorted(path.name for path in sources.iterdir())
    done = run("pack", "package.txtpb", "-o", "small.tar")
    place = 'artifacts["k"].variants[1].blob'
    assert (done.code, done.text) == (2, "")
    assert done.errors == (
        f"package.txtpb: {place}: error[container.missing-blob] there is no file `kernels/k.spv`\n"
    )
    done = run("pack", "package.txtpb", "-o", "small.tar", "--format", "json")
    (found,) = json.loads(done.out)["diagnostics"]
    assert (done.code, found["code"], found["path"]) == (2, "container.missing-blob", place)
    assert sorted(path.name for path in sources.iterdir()) == before


def test_pack_replaces_a_layout_only_with_force(run: Run, packed: Path):
    done = run("pack", "package.txtpb", "-o", "small.tar")
    assert (done.code, done.text) == (2, "")
    assert done.errors == (
        "interlock: error[output.exists] cannot write `small.tar`: it exists already\n"
        "`--force` replaces a product of the same kind\n"
    )
    assert run("pack", "package.txtpb", "-o", "small.tar", "--force").code == 0
    assert run("pack", "package.txtpb", "-o", "kernels", "--force").code == 2
    assert sorted(files_below(packed / "kernels")) == ["k.metal", "k.spv"]
    assert "output.not-found" in run("pack", "package.txtpb", "-o", "gone/small.tar").errors


def test_pack_pins_the_graphs_inside(run: Run, packed: Path):
    assert run("add", "small.tar", "--artifact", "kernel", "--target", "vulkan", "--content-type", "spirv",
               "kernels/k.spv", "--graph", "dispatch.json", "--embed").code == 0  # fmt: skip
    assert run("unpack", "small.tar", "-o", "out").code == 0
    assert run("pack", "out/package.json", "-o", "pinned", "--pin").code == 0
    document = interlock.open_container(packed / "pinned").document
    assert document is not None
    graph = interlock.loads(document.message.graphs[0].source.embedded)  # type: ignore[attr-defined]
    (pin,) = graph.message.artifacts[0].pins  # type: ignore[attr-defined]
    assert (pin.target, pin.digest, pin.size) == ("vulkan", KERNEL_DIGEST, len(KERNEL))


def test_unpack_writes_a_folder_that_packs_to_the_same(run: Run, packed: Path):
    done = run("unpack", "small.tar", "-o", "out")
    assert (done.code, done.text, done.errors) == (0, f"{DIGEST}  out\n", "")
    assert sorted(files_below(packed / "out")) == [
        "artifacts/k/metal.metal",
        "artifacts/k/vulkan.spv",
        "package.json",
    ]
    assert run("pack", "out/package.json", "-o", "again.tar", "--tag", "1.0").text == f"{DIGEST}  again.tar\n"
    assert (packed / "again.tar").read_bytes() == (packed / "small.tar").read_bytes()
    assert "output.exists" in run("unpack", "small.tar", "-o", "out").errors
    assert run("unpack", "small.tar", "-o", "out", "--force").code == 0


def test_ls_lists(run: Run, packed: Path):
    done = run("ls", "small.tar")
    assert (done.code, done.text, done.errors) == (0, LISTING, "")
    done = run("ls", "small.tar", "--check")
    assert (done.code, done.text, done.errors) == (0, LISTING + "\nevery blob was hashed\n", "")
    del packed


def test_ls_lists_for_programs(run: Run, packed: Path):
    done = run("ls", "small.tar", "--format", "json", "--check")
    assert json.loads(done.out) == {
        "artifacts": [
            {
                "id": "k",
                "variants": [
                    {
                        "contentType": {"identity": "msl", "version": 1},
                        "digest": SOURCE_DIGEST,
                        "name": "",
                        "size": 14,
                        "target": "metal",
                    },
                    {
                        "contentType": {"identity": "spirv", "version": 1},
                        "digest": KERNEL_DIGEST,
                        "name": "",
                        "size": 7,
                        "target": "vulkan",
                    },
                ],
            }
        ],
        "damage": [],
        "diagnostics": [],
        "digest": DIGEST,
        "format": "oci-layout",
        "graphs": [],
        "id": "small",
        "payloads": [],
        "source": "small.tar",
    }
    assert "damage" not in json.loads(run("ls", "small.tar", "--format", "json").out)
    del packed


def test_ls_checks(run: Run, packed: Path):
    data = (packed / "small.tar").read_bytes()
    (packed / "small.tar").write_bytes(data.replace(KERNEL, KERNEL.upper()))
    assert run("ls", "small.tar").code == 0
    done = run("ls", "small.tar", "--check")
    place = 'artifacts["k"].variants[1].blob'
    assert (done.code, done.text) == (1, LISTING + "\nevery blob was hashed: 1 error\n")
    assert done.errors == (
        f"small.tar: {place}: error[container.digest-mismatch] the bytes have the digest "
        f"`{sha256_digest(KERNEL.upper())}`; `{KERNEL_DIGEST}` is required\n"
    )
    done = run("ls", "small.tar", "--check", "--format", "json")
    (found,) = json.loads(done.out)["damage"]
    assert (done.code, done.errors) == (1, "")
    assert (found["code"], found["path"]) == ("container.digest-mismatch", place)


def test_ls_shows_graphs_and_what_is_no_package(run: Run, packed: Path):
    run("add", "small.tar", "--graph", "tiny.json")
    assert "graphs (1)\n  tiny" in run("ls", "small.tar").text
    done = run("ls", "kernels")
    assert (done.code, done.text) == (2, "")
    assert done.errors.startswith("kernels: document: error[container.unknown-format] a plain folder")
    report = json.loads(run("ls", "gone", "--format", "json").out)
    assert report["verdict"] == "VERDICT_UNREADABLE"
    assert [found["code"] for found in report["diagnostics"]] == ["container.unreadable"]
    del packed


@pytest.mark.parametrize("name", ["small.tar", "small", "small.oci"])
def test_add_rewrites_a_package_in_its_place_and_keeps_form_and_tag(run: Run, packed: Path, name: str):
    (packed / "small.tar").rename(packed / "small.oci")
    write_small(packed / "small", "1.0")
    write_small(packed / "small.tar", "1.0")
    (packed / "fast.spv").write_bytes(b"fast")
    words = ("--artifact", "k", "--target", "vulkan", "--content-type", "spirv:1", "--name", "fast")
    done = run("add", name, *words, "fast.spv")
    assert (done.code, done.errors) == (0, "")
    document = interlock.open_container(packed / name, tag="1.0").document
    assert document is not None
    assert done.text == f"{document.digest}  {name}\n"
    assert (packed / name).is_dir() == (name == "small")
    assert run("ls", name, "--check").text.count("\n  k  ") == 3
    (packed / "fast.spv").write_bytes(b"faster")
    done = run("add", name, *words, "fast.spv")
    assert (done.code, done.text) == (2, "")
    assert "error[canonical.duplicate-key]" in done.errors
    assert run("add", name, *words, "fast.spv", "--force").code == 0
    assert "6 bytes" in run("ls", name, "--check").text


def test_add_creates_and_writes_elsewhere(run: Run, sources: Path):
    words = ("--artifact", "k", "--target", "metal", "--content-type", "msl", "kernels/k.metal")
    assert run("add", "new.tar", "--create", "small", *words).code == 0
    before = (sources / "new.tar").read_bytes()
    words = ("--artifact", "k", "--target", "vulkan", "--content-type", "spirv", "kernels/k.spv")
    done = run("add", "new.tar", *words, "-o", "both")
    assert (done.code, done.text) == (0, f"{DIGEST}  both\n")
    assert (sources / "new.tar").read_bytes() == before
    assert "output.exists" in run("add", "new.tar", "--create", "small", *words).errors
    assert "output.exists" in run("add", "new.tar", *words, "-o", "both").errors


def test_add_takes_an_interface(run: Run, packed: Path):
    (packed / "interface.txtpb").write_text('entries { name: "main" stage: STAGE_COMPUTE }')
    words = ("--artifact", "i", "--target", "vulkan", "--content-type", "spirv", "kernels/k.spv")
    assert run("add", "small.tar", *words, "--interface", "interface.txtpb").code == 0
    document = interlock.open_container(packed / "small.tar").document
    assert document is not None
    assert document.message.artifacts[0].interface.entries[0].name == "main"  # type: ignore[attr-defined]
    (packed / "interface.txtpb").write_text("entry")
    done = run("add", "small.tar", *words, "--interface", "interface.txtpb", "--force")
    assert (done.code, "error[text.malformed]" in done.errors) == (2, True)


def test_add_does_not_lose_what_else_an_index_holds(run: Run, packed: Path):
    write_small(packed / "small", "1.0")
    index = json.loads((packed / "small" / "index.json").read_bytes())
    index["manifests"].append({"mediaType": "other", "digest": KERNEL_DIGEST, "size": 7})
    (packed / "small" / "index.json").write_text(json.dumps(index))
    done = run("add", "small", "--graph", "tiny.json")
    assert (done.code, "error[usage.conflict]" in done.errors) == (2, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("add", "small.tar"), "usage.missing-argument"),
        (("add", "small.tar", "kernels/k.spv"), "usage.missing-argument"),
        (("add", "small.tar", "--artifact", "k"), "usage.missing-argument"),
        (("add", "small.tar", "--graph", "tiny.json", "--name", "x"), "usage.conflict"),
        (
            ("add", "small.tar", "--embed", "--artifact", "k", "--target", "t", "--content-type", "c", "f"),
            "usage.conflict",
        ),
        (
            ("add", "small.tar", "--artifact", "k", "--target", "t", "--content-type", "c:0", "tiny.json"),
            "usage.invalid-value",
        ),
        (
            ("add", "small.tar", "--artifact", "k", "--target", "t", "--content-type", "c:x", "tiny.json"),
            "usage.invalid-value",
        ),
        (
            ("add", "small.tar", "--artifact", "k", "--target", "t", "--content-type", "c", "gone"),
            "input.not-found",
        ),
        (("pack", "package.txtpb"), "usage.missing-argument"),
        (("pack", "-", "-o", "x.tar"), "usage.missing-argument"),
        (("pack", "package.txtpb", "-o", "x.tar", "--tag", "a b"), "usage.invalid-value"),
        (("pack", "gone", "-o", "x.tar"), "input.not-found"),
        (("pin", "tiny.json"), "usage.missing-argument"),
        (("push", "small.tar"), "usage.missing-argument"),
        (("push", "small.tar", "no-registry"), "usage.invalid-value"),
        (("push", "small.tar", "--", "-rf/x"), "usage.invalid-value"),
        (("pull", "a/b", "-o", "x", "--client", "curl"), "usage.invalid-value"),
        (("pull", "-o", "x", "--", "--all/x"), "usage.invalid-value"),
        (("pull", "a/b", "-o", "small.tar"), "output.exists"),
    ],
)
def test_wrong_usage(
    run: Run, packed: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: str
):
    fake = packed / "skopeo"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(packed))
    before = sorted(path.name for path in packed.iterdir())
    done = run(*words)
    if code == "input.not-found" and words[0] == "pack":
        assert "error[input.not-found]" in done.errors
    else:
        assert done.errors.startswith(f"interlock: error[{code}] ")
    assert (done.code, done.text) == (2, "")
    assert sorted(path.name for path in packed.iterdir()) == before


def test_pin_writes_the_variants_into_a_graph(run: Run, packed: Path):
    run("add", "small.tar", "--artifact", "kernel", "--target", "vulkan", "--content-type", "spirv",
        "kernels/k.spv")  # fmt: skip
    done = run("pin", "dispatch.json", "--package", "small.tar", "-o", "pinned.json")
    assert (done.code, done.text, done.errors) == (0, "", "")
    graph = interlock.load(packed / "pinned.json").message
    (pin,) = graph.artifacts[0].pins  # type: ignore[attr-defined]
    assert (pin.target, pin.digest, pin.size) == ("vulkan", KERNEL_DIGEST, len(KERNEL))
    assert run("pin", "dispatch.json", "--package", "small.tar").out == (packed / "pinned.json").read_bytes()


def test_pin_refuses_what_the_package_does_not_say(run: Run, packed: Path):
    done = run("pin", "dispatch.json", "--package", "small.tar", "-o", "pinned.json")
    assert (done.code, done.text) == (1, "")
    assert done.errors == (
        'dispatch.json: artifacts["kernel"]: error[pin.missing-artifact] the package has no artifact '
        "`kernel`\n"
    )
    assert not (packed / "pinned.json").exists()
    assert run("pin", "dispatch.json", "--package", "gone").code == 2


def test_push_and_pull_without_a_client(run: Run, packed: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(packed))
    for words in (("push", "small.tar", "registry.example/k:1"), ("pull", "registry.example/k:1", "-o", "x")):
        done = run(*words)
        assert (done.code, done.text) == (2, "")
        assert done.errors == (
            "interlock: error[tool.missing-client] `skopeo` or `oras` is not on the PATH; install it "
            "(Debian has `skopeo`: apt-get install skopeo)\n"
        )
        report = json.loads(run(*words, "--format", "json").out)
        assert report["verdict"] == "VERDICT_NOT_JUDGED"
        assert [found["code"] for found in report["diagnostics"]] == ["tool.missing-client"]


def test_push_and_pull_print_both_digests(run: Run, packed: Path, monkeypatch: pytest.MonkeyPatch):
    fake = packed / "bin" / "skopeo"
    fake.parent.mkdir()
    fake.write_text(
        '#!/bin/sh\nfor last in "$@"; do :; done\n[ -z "$COPY" ] || cp "$COPY" "${last#oci-archive:}"\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
    manifest = write_small(packed / "other", "1.0")
    lines = f"package   {DIGEST}\nmanifest  {manifest}\n"
    assert run("push", "small.tar", "registry.example/k:1").text == lines
    monkeypatch.setenv("COPY", str(packed / "small.tar"))
    assert run("pull", "registry.example/k:1", "-o", "back.tar").text == lines
    assert (packed / "back.tar").read_bytes() == (packed / "small.tar").read_bytes()


def test_ls_of_a_container_with_errors_ends_with_1(run: Run, tmp_path: Path):
    fixture = Path(__file__).resolve().parents[2] / "fixtures" / "packages" / "crosstl_two_stage"
    folder = tmp_path / "package"
    shutil.copytree(fixture, folder)
    manifest = folder / "runtime-package.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"success": true', '"success": false'), "utf-8")
    done = run("ls", str(folder))
    assert done.code == 1
    assert b"error[container." in done.err
