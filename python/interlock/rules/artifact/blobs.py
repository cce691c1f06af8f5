"""Rules about the bytes of artifacts: they are there, they are the right ones, and nothing leads astray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.diagnostic import NamedElement, Severity
from interlock.package.container import ContainerError
from interlock.package.contents import KNOWN_TARGETS, TARGETS_OF
from interlock.package.index import NO_CONTAINER
from interlock.package.paths import safe_parts
from interlock.package.references import blob_uses
from interlock.rules.model import PACKAGE, Finding, Gap, rule
from interlock.rules.uses import blocked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from execgraph.v1.blob_pb2 import BlobReference
    from interlock.errors import InterlockError
    from interlock.rules.context import Context


def _named(artifact: str) -> tuple[NamedElement, ...]:
    return (NamedElement("artifact", artifact),)


_CODES = {
    "container.missing-blob": "artifact.missing-blob",
    "container.size-mismatch": "artifact.size-mismatch",
    "container.digest-mismatch": "artifact.digest-mismatch",
    "container.unsafe-path": "artifact.unsafe-location",
}
"""What the bytes of a variant are called that are not there or are others. The rest is unreadable."""


def damage_code(error: InterlockError) -> str:
    """Return the code of the rule that speaks about damage to the bytes of a variant."""
    return _CODES.get(error.code, "artifact.unreadable-blob")


def _damaged(context: Context, code: str) -> Iterator[Finding | Gap]:
    """Yield the variants that graphs run and whose bytes are damaged in one way."""
    package = context.package
    for target, entry in package.used_variants:
        path = entry.path.field("blob")
        if package.container is None:
            yield Gap(NO_CONTAINER, path, target)
            continue
        error = package.damage(entry.variant.blob)
        if error is None:
            continue
        if damage_code(error) != code:
            yield blocked(damage_code(error), path, target)
            continue
        said = error.diagnostics[0]
        cause = f" (`{said.code}`)" if code == "artifact.unreadable-blob" else ""
        yield Finding(path, f"{entry}: {said.message}{cause}", _named(entry.artifact.id), target=target)


@rule("artifact.foreign-content-type", kinds=PACKAGE)
def foreign_content_type(context: Context) -> Iterator[Finding]:
    """A variant is for a target that does not take bytes of its form.

    What it checks:
        The content type of every variant that a graph runs is one that its target takes: SPIR-V for Vulkan,
        OpenGL and OpenCL, DXIL for DirectX, and so on, source text where a usual compiler of the target
        reads it. Content types and targets that are not in the list of the contract are not judged.

    Why:
        An interface that is proven by the bytes means nothing where the bytes cannot be loaded.

    Bad example:
        variants { target: "metal" content_type { identity: "spirv" version: 1 } }

    Good example:
        variants { target: "metal" content_type { identity: "metallib" version: 1 } }
    """
    for target, entry in context.package.used_variants:
        identity = entry.variant.content_type.identity
        taking = TARGETS_OF.get(identity)
        if taking is None or target in taking or target not in KNOWN_TARGETS:
            continue
        names = ", ".join(f"`{name}`" for name in sorted(taking))
        yield Finding(
            entry.path.field("content_type"),
            f"{entry}: its bytes are `{identity}`, which is for {names}",
            _named(entry.artifact.id),
            target=target,
        )


@rule("artifact.missing-blob", kinds=PACKAGE)
def missing_blob(context: Context) -> Iterator[Finding | Gap]:
    """The bytes of a variant are not in the container.

    What it checks:
        The container has the bytes of every variant that a graph runs. The location is a hint where they
        may be; they may lie anywhere else under their digest.

    Why:
        Without the bytes there is nothing to run, and nothing to compare with what is said about them.

    Bad example:
        # there is no file sum.spv
        blob { size: 1024 location: "sum.spv" }

    Good example:
        # the file sum.spv has 1024 bytes and that digest
        blob { size: 1024 location: "sum.spv" }
    """
    return _damaged(context, "artifact.missing-blob")


@rule("artifact.size-mismatch", kinds=PACKAGE)
def size_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """The bytes of a variant are more or fewer than stated.

    What it checks:
        The container has exactly as many bytes for every variant that a graph runs as the variant states.

    Why:
        Bytes that were cut off or added are not those that the package was made with.

    Bad example:
        # the file has 1020 bytes
        blob { size: 1024 location: "sum.spv" }

    Good example:
        # the file has 1024 bytes
        blob { size: 1024 location: "sum.spv" }
    """
    return _damaged(context, "artifact.size-mismatch")


@rule("artifact.digest-mismatch", kinds=PACKAGE)
def digest_mismatch(context: Context) -> Iterator[Finding | Gap]:
    """The bytes of a variant have another digest than stated.

    What it checks:
        The bytes of every variant that a graph runs are hashed and have the digest that the variant states.

    Why:
        They are damaged or somebody has replaced them. Nothing that is said about them holds.

    Bad example:
        # one bit of the file was changed
        blob { size: 1024 location: "sum.spv" }

    Good example:
        # the file is as the package was made
        blob { size: 1024 location: "sum.spv" }
    """
    return _damaged(context, "artifact.digest-mismatch")


@rule("artifact.unreadable-blob", kinds=PACKAGE)
def unreadable_blob(context: Context) -> Iterator[Finding | Gap]:
    """The bytes of a variant are there, and cannot be used.

    What it checks:
        The bytes of every variant that a graph runs are a plain file, not behind a link, that the system
        lets be read and that is no larger than the limit `blob_bytes`.

    Why:
        A link can lead out of the container, and what cannot be read cannot be hashed.

    Bad example:
        # sum.spv is a link to a file elsewhere
        blob { size: 1024 location: "sum.spv" }

    Good example:
        # sum.spv is a file
        blob { size: 1024 location: "sum.spv" }
    """
    return _damaged(context, "artifact.unreadable-blob")


@rule("artifact.unsafe-location", kinds=PACKAGE)
def unsafe_location(context: Context) -> Iterator[Finding]:
    """A location leads out of the container, or could.

    What it checks:
        The location of every blob of the package, used or not, is a relative path with `/` between its
        parts: not absolute, without `..`, empty parts, backslashes, drives or control characters.

    Why:
        A reader that follows the location would read, and one that unpacks it would write, what does not
        belong to the package.

    Bad example:
        blob { location: "../sum.spv" }

    Good example:
        blob { location: "vulkan/sum.spv" }
    """
    for use in blob_uses(context.package.message):
        error = _danger(use.reference)
        if error is not None:
            yield Finding(use.path.field("location"), error.diagnostics[0].message)


def _danger(reference: BlobReference) -> ContainerError | None:
    if reference.location:
        try:
            safe_parts(reference.location)
        except ContainerError as error:
            return error
    return None


@rule("artifact.malformed-module", kinds=PACKAGE)
def malformed_module(context: Context) -> Iterator[Finding | Gap]:
    """The bytes of a variant are no module of their content type.

    What it checks:
        Where the content type is one that can be read, such as `spirv`, the bytes of every variant that a
        graph runs are a module of it.

    Why:
        No driver takes such bytes, and nothing can be read from them.

    Bad example:
        # the file holds text
        content_type { identity: "spirv" version: 1 }

    Good example:
        # the file holds text
        content_type { identity: "glsl" version: 1 }
    """
    package = context.package
    for target, entry in package.used_variants:
        path = entry.path.field("blob")
        failure = package.read_failure(entry)
        if failure is not None:
            said = failure.diagnostics[0]
            message = f"{entry} is no `{entry.variant.content_type.identity}`: {said.message} (`{said.code}`)"
            yield Finding(path, message, _named(entry.artifact.id), target=target)
        elif not package.is_readable(entry):
            continue
        elif package.container is None:
            yield Gap(NO_CONTAINER, path, target)
        elif (error := package.damage(entry.variant.blob)) is not None:
            yield blocked(damage_code(error), path, target)


@rule("artifact.damaged-unused", severity=Severity.WARNING, kinds=PACKAGE)
def damaged_unused(context: Context) -> Iterator[Finding]:
    """The bytes of a variant that no graph runs are missing or of another size.

    What it checks:
        Of every variant that no graph runs on the targets that are judged, the container has bytes of the
        stated size. They are not read.

    Why:
        No verdict rests on them, but the package is not what it was made as.

    Bad example:
        # no graph runs "spare", and there is no file spare.spv
        artifacts { id: "spare" variants { target: "vulkan" blob { size: 1024 location: "spare.spv" } } }

    Good example:
        # no graph runs "spare", and the file has 1024 bytes
        artifacts { id: "spare" variants { target: "vulkan" blob { size: 1024 location: "spare.spv" } } }
    """
    package = context.package
    if package.container is None:
        return
    used = {entry.key for _, entry in package.used_variants}
    for entry in package.variants:
        if entry.key not in used:
            try:
                package.container.blobs.probe(entry.variant.blob)
            except ContainerError as error:
                said = error.diagnostics[0]
                message = f"{entry}, which no graph runs: {said.message} (`{said.code}`)"
                path = entry.path.field("blob")
                yield Finding(path, message, _named(entry.artifact.id), target=entry.variant.target)


RULES = (
    foreign_content_type,
    unsafe_location,
    missing_blob,
    size_mismatch,
    digest_mismatch,
    unreadable_blob,
    malformed_module,
    damaged_unused,
)
