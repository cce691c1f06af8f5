"""Putting an execution graph into a copy of a CrossGL package.

One file is added, and one string key to the manifest, in its own formatting; every other byte stays as it is.
Readers of such packages that know all keys by name refuse the copy; a graph that lies beside a package and
pins its artifacts needs no change to it.
"""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from typing import TYPE_CHECKING, Final

from interlock.codec.json_syntax import Value, parse_json
from interlock.diagnostic import Diagnostic, Path, Severity
from interlock.errors import TransformFailure
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.cglb import GRAPH_KEY, read_cglb
from interlock.package.cglb_files import MANIFEST, ArchiveFiles, Files, FolderFiles, open_files
from interlock.package.container import ContainerError
from interlock.package.metadata import malformed, parse_metadata, place_of
from interlock.package.staging import staged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.document import Document

GRAPH_FILE: Final = "metadata/execution-graph.json"
"""Where an embedded graph lies in a package."""

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of an added member of an archive: the first that a zip file can state."""

_CHUNK: Final = 1 << 20


def embed_graph(
    document: Document,
    package: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    replace: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> None:
    """Write a copy of a CrossGL package that holds a graph.

    Args:
        document: The graph.
        package: The package, a directory or a stored zip file; the copy is the same.
        out: The copy. It appears complete or not at all, and must not exist.
        replace: Whether the graph takes the place of one that is in the package already.
        limits: What reading the package may cost.

    Raises:
        ContainerError: The package cannot be read.
        TransformFailure: It holds a graph already (`embed.existing-graph`), the document is no graph
            (`embed.wrong-kind`), or the package has errors of its own.
        OSError: The copy cannot be written; `FileExistsError` if something is there.
    """
    if document.kind != "ExecutionGraph":
        message = f"a document of the kind `{document.kind}`, where an `ExecutionGraph` is required"
        raise _refusal("embed.wrong-kind", Path(), message)
    container = read_cglb(package, limits)
    known = [finding for finding in container.diagnostics if finding.code != "package.unreadable-graph"]
    if known:
        raise TransformFailure(*known)
    files = open_files(package, limits)
    manifest = files.read(MANIFEST, limits)
    if manifest is None:
        raise malformed("the manifest was removed meanwhile", place_of(MANIFEST))
    held = parse_metadata(manifest, MANIFEST, limits)["artifacts"].get(GRAPH_KEY)
    changed = {held or GRAPH_FILE: document.json()}
    if held is None:
        if files.holds(GRAPH_FILE):
            message = "a file is there already that the manifest does not declare"
            raise _refusal("embed.existing-graph", place_of(GRAPH_FILE), message)
        changed[MANIFEST] = with_graph_key(manifest, limits)
    elif not replace:
        message = f"the package holds a graph already, as `{held}`"
        raise _refusal(
            "embed.existing-graph", place_of(MANIFEST).field("artifacts").field(GRAPH_KEY), message
        )
    with staged(os.fspath(out), replace=False) as product:
        _copy(files, product, changed, limits)
        _check(product, document, limits)


def with_graph_key(manifest: bytes, limits: Limits) -> bytes:
    """Return a manifest with the key of an embedded graph, first of its artifacts and spaced like the next.

    Raises:
        ContainerError: `container.malformed`: it lists no artifacts.
    """
    root = parse_json(manifest, limits.json_depth)
    artifacts = next((each.value for each in root.members or () if each.name == "artifacts"), None)
    if artifacts is None or not artifacts.members:
        raise malformed("no artifacts are listed", place_of(MANIFEST).field("artifacts"))
    first = artifacts.members[0]
    space = manifest[artifacts.offset + 1 : first.name_offset]
    between = _between(manifest, first.name_offset, first.value)
    added = f'"{GRAPH_KEY}"'.encode() + between + f'"{GRAPH_FILE}",'.encode()
    start = first.name_offset
    result = manifest[:start] + added + (space or _after_comma(manifest, artifacts)) + manifest[start:]
    before, after = (parse_metadata(data, MANIFEST, limits) for data in (manifest, result))
    before["artifacts"][GRAPH_KEY] = GRAPH_FILE
    if before != after:
        raise malformed("the key cannot be added without changing something else", place_of(MANIFEST))
    return result


def _between(manifest: bytes, name_offset: int, value: Value) -> bytes:
    """Return what stands between the name of a member and its value: the colon and the space around it."""
    position = name_offset + 1
    while manifest[position : position + 1] != b'"':
        position += 2 if manifest[position : position + 1] == b"\\" else 1
    return manifest[position + 1 : value.offset]


def _after_comma(manifest: bytes, artifacts: Value) -> bytes:
    """Return the space between the first two members of an object whose first has none before it."""
    members = artifacts.members or []
    if len(members) < 2:
        return b""
    gap = manifest[members[0].value.offset : members[1].name_offset]
    return gap[len(gap.rstrip(b" \t\r\n")) :]


def _check(product: str, document: Document, limits: Limits) -> None:
    """Read the copy as anybody would. What is wrong with it now was changed while it was copied."""
    container = read_cglb(product, limits)
    graphs = container.document.message.graphs if container.document is not None else ()  # type: ignore[attr-defined]
    if container.diagnostics or [graph.source.embedded for graph in graphs] != [document.binary]:
        raise ContainerError("container.unreadable", "the package changed while it was copied")


def _refusal(code: str, path: Path, message: str) -> TransformFailure:
    return TransformFailure(Diagnostic(code, Severity.ERROR, path, message))


# Copying.


def _copy(files: Files, out: str, changed: dict[str, bytes], limits: Limits) -> None:
    if isinstance(files, FolderFiles):
        _copy_folder(files.root.folder, out, changed, limits)
    elif isinstance(files, ArchiveFiles):
        _copy_archive(files, out, changed)


def _copy_folder(source: str, out: str, changed: dict[str, bytes], limits: Limits) -> None:
    os.mkdir(out)  # noqa: PTH102  (pathlib costs start-up time)
    left = limits.archive_members
    for relative, mode in _walk(source):
        left -= 1
        if left < 0:
            message = f"the folder has more than {limits.archive_members} files, the limit"
            raise ContainerError("limit.archive-members", message)
        name = "/".join(relative)
        target = os.path.join(out, *relative)  # noqa: PTH118
        if stat.S_ISDIR(mode):
            os.mkdir(target)  # noqa: PTH102
        elif stat.S_ISREG(mode):
            _copy_file(os.path.join(source, *relative), target)  # noqa: PTH118
        elif stat.S_ISLNK(mode):
            raise ContainerError("container.link", "a symbolic link is not copied", place_of(name))
        else:
            message = "a device, pipe or socket stands where a file is required"
            raise ContainerError("container.unsupported-member", message, place_of(name))
    for name, data in changed.items():
        target = os.path.join(out, *name.split("/"))  # noqa: PTH118
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
        with open(target, "wb") as stream:  # noqa: PTH123
            stream.write(data)


def _walk(source: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield what is below a folder, folders before what they hold: the parts of its name, and its mode."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        parts = waiting.pop()
        for name in sorted(os.listdir(os.path.join(source, *parts))):  # noqa: PTH118, PTH208
            inner = (*parts, name)
            mode = os.lstat(os.path.join(source, *inner)).st_mode  # noqa: PTH118
            if stat.S_ISDIR(mode):
                waiting.append(inner)
            yield inner, mode


def _copy_file(source: str, target: str) -> None:
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream, open(target, "xb") as copy:  # noqa: PTH123
        shutil.copyfileobj(stream, copy, _CHUNK)
        os.fchmod(copy.fileno(), stat.S_IMODE(os.fstat(descriptor).st_mode) | stat.S_IWUSR)


def _copy_archive(files: ArchiveFiles, out: str, changed: dict[str, bytes]) -> None:
    """Write the members in their order, and a new one last. Reading has shown that all of them are stored."""
    waiting = {files.prefix + name: data for name, data in changed.items()}
    with zipfile.ZipFile(files.archive) as source, zipfile.ZipFile(out, "x", zipfile.ZIP_STORED) as copy:
        for member in source.infolist():
            info = _same_member(member)
            data = waiting.pop(member.filename, None)
            if member.is_dir():
                copy.writestr(info, b"")
            elif data is not None:
                copy.writestr(info, data)
            else:
                with source.open(member) as stream, copy.open(info, "w", force_zip64=False) as target:
                    shutil.copyfileobj(stream, target, _CHUNK)
        for name, data in sorted(waiting.items()):
            copy.writestr(zipfile.ZipInfo(name, _EARLIEST), data)


def _same_member(member: zipfile.ZipInfo) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(member.filename, member.date_time)
    info.create_system, info.external_attr = member.create_system, member.external_attr
    info.extra, info.comment, info.file_size = member.extra, member.comment, member.file_size
    return info
