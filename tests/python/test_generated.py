"""The generated code is what the pins and the schema say, and loads without a warning."""

from __future__ import annotations

import dataclasses
import importlib
import os
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
from google.protobuf import descriptor_pb2

import execgraph_model.execgraph.v1 as model
from conformance_suite import ROOT, ROOTS
from document_strategies import is_list

if TYPE_CHECKING:
    from pathlib import Path

    from google.protobuf.descriptor import Descriptor

PYTHON = ROOT / "gen" / "python"
MODULES = sorted(PYTHON.rglob("*_pb2.py"))
DESCRIPTORS = ROOT / "gen" / "descriptors"


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PYTHON).with_suffix("").parts)


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "tools" / "pins" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE))


def protobuf_range() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the oldest protobuf that is supported, and the first that is not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (requirement,) = (text for text in project["dependencies"] if text.startswith("protobuf"))
    match = re.fullmatch(r"protobuf>=([\d.]+),<([\d.]+)", requirement)
    assert match is not None
    return version(match[1]), version(match[2])


def test_every_proto_file_has_its_modules() -> None:
    sources = {path.relative_to(ROOT / "proto").with_suffix("") for path in (ROOT / "proto").rglob("*.proto")}
    assert sources
    for suffix in ("_pb2.py", "_pb2.pyi"):
        names = {str(path.relative_to(PYTHON)).removesuffix(suffix) for path in PYTHON.rglob(f"*{suffix}")}
        assert names == {str(source) for source in sources}


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_a_module_is_written_by_the_pinned_generator(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    stated = re.search(r"^# Protobuf Python Version: ([\d.]+)$", text, re.MULTILINE)
    assert stated is not None
    # grpcio-tools 1.71 carries protoc 29, which writes code for protobuf 5.29.
    assert pins("tools")["grpcio-tools"].startswith("1.71.")
    assert stated[1] == "5.29.0"


def test_the_oldest_runtime_takes_the_generated_code() -> None:
    oldest, beyond = protobuf_range()
    assert oldest >= (5, 29)
    assert oldest < beyond
    assert version(pins("floor")["protobuf"]) == oldest
    assert oldest <= version(pins("runtime")["protobuf"]) < beyond
    assert (5, 29) <= version(pins("tools")["protobuf"])[:2] < (5, 30)


def test_every_module_loads_without_a_warning() -> None:
    names = [module_name(path) for path in MODULES]
    names += ["execgraph_model.execgraph.v1", "execgraph_model.execgraph.report.v1"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "".join(f"import {name}\n" for name in names)],
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def shape(data: bytes) -> bytes:
    """Return a file descriptor without what only compilers for people keep."""
    proto = descriptor_pb2.FileDescriptorProto.FromString(data)
    proto.ClearField("source_code_info")
    for message in proto.message_type:
        _without_json_names(message)
    for extension in proto.extension:
        extension.ClearField("json_name")
    return proto.SerializeToString(deterministic=True)


def _without_json_names(message: descriptor_pb2.DescriptorProto) -> None:
    for field in message.field:
        field.ClearField("json_name")
    for nested in message.nested_type:
        _without_json_names(nested)


@pytest.mark.parametrize(
    ("name", "left_out"), [("execgraph", {"execgraph/conformance"}), ("execgraph_source", set())]
)
def test_the_descriptor_set_is_what_the_modules_hold(name: str, left_out: set[str]) -> None:
    held = descriptor_pb2.FileDescriptorSet.FromString((DESCRIPTORS / f"{name}.binpb").read_bytes())
    files = {file.name: file.SerializeToString() for file in held.file if not file.name.startswith("google/")}
    modules = {}
    for path in MODULES:
        descriptor = importlib.import_module(module_name(path)).DESCRIPTOR
        if not any(descriptor.name.startswith(folder) for folder in left_out):
            modules[descriptor.name] = descriptor.serialized_pb
    assert files.keys() == modules.keys()
    for file, data in files.items():
        assert shape(data) == shape(modules[file]), file


def messages_within(descriptor: Descriptor, seen: dict[str, Descriptor]) -> dict[str, Descriptor]:
    if descriptor.full_name not in seen:
        seen[descriptor.full_name] = descriptor
        for field in descriptor.fields:
            if field.message_type is not None:
                messages_within(field.message_type, seen)
    return seen


def test_the_dataclasses_have_the_fields_of_the_schema() -> None:
    seen: dict[str, Descriptor] = {}
    for root in ROOTS:
        messages_within(root.DESCRIPTOR, seen)
    for name, descriptor in seen.items():
        fields = dataclasses.fields(getattr(model, name.removeprefix("execgraph.v1.")))
        assert [field.name for field in fields] == [field.name for field in descriptor.fields], name
        lists = {field.name for field in descriptor.fields if is_list(field)}
        assert {field.name for field in fields if "list[" in str(field.type)} == lists, name


def test_the_betterproto_runtime_is_the_one_of_its_compiler() -> None:
    compiler, runtime = pins("tools")["betterproto2_compiler"], pins("betterproto")["betterproto2"]
    assert version(compiler)[:2] == version(runtime)[:2]
