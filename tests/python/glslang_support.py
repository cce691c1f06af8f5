"""What the tests of the compiler for GLSL share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compiled_samples import sources
from interlock.package.profiles import profile
from interlock.target.glslang import GlslangCompiler

if TYPE_CHECKING:
    from interlock.document import Document
    from interlock.target import Kernels, SealedDocument, TargetError

VULKAN = profile("vulkan-1.1-minimum")


def compiled(graph: Document, package: Kernels, **options: object) -> SealedDocument:
    return GlslangCompiler(options.pop("profile", VULKAN), **options).compile(graph, package)


def refusal(
    kind: type[TargetError], graph: Document, package: Kernels, **options: object
) -> tuple[str, str, str]:
    with pytest.raises(kind) as refused:
        compiled(graph, package, **options)
    first = refused.value.diagnostics[0]
    assert type(refused.value) is kind
    return first.code, str(first.path), first.message


def edited(source: bytes, old: bytes, new: bytes) -> Kernels:
    assert old in source
    return sources({"scale": source.replace(old, new)})


DISPATCH = 'body.nodes["scaling"].operation.dispatch'
