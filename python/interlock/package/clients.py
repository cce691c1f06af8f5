"""Registries, through a client that is installed: skopeo or oras. There is no HTTP of our own.

Arguments are passed as they are, without a shell, and none can be taken for an option.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from interlock.diagnostic import ROOT, Diagnostic, Severity
from interlock.errors import InterlockError
from interlock.limits import DEFAULT_LIMITS
from interlock.package.container import ContainerError
from interlock.package.layout import INDEX_FILE
from interlock.package.listing import damage, package_document
from interlock.package.metadata import place_of
from interlock.package.oci import is_layout, open_layout
from interlock.package.staging import staged

if TYPE_CHECKING:
    from typing import BinaryIO

    from execgraph.v1.package_pb2 import Package
    from interlock.limits import Limits
    from interlock.package.oci import OpenLayout

CLIENTS: Final = ("skopeo", "oras")
"""Those that are known, the one that is taken first at the front."""

_REFERENCE: Final = re.compile(r"[A-Za-z0-9\[][A-Za-z0-9._:/@\[\]-]*")
_SHOWN_OUTPUT: Final = 2000


class ClientError(InterlockError):
    """No client was found, or the one that was failed: exactly one finding."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(Diagnostic(code, Severity.ERROR, ROOT, message))


@dataclass(frozen=True, slots=True)
class Client:
    """A client that was found: which one, and the program."""

    name: str
    program: str


def find_client(name: str | None = None) -> Client:
    """Return a client that is on the PATH: the one of that name, or the first of those that are known.

    Raises:
        ClientError: `tool.missing-client`.
    """
    for candidate in CLIENTS if name is None else (name,):
        program = shutil.which(candidate)
        if program is not None:
            return Client(candidate, program)
    wanted = " or ".join(f"`{one}`" for one in CLIENTS) if name is None else f"`{name}`"
    advice = "Debian has `skopeo`: apt-get install skopeo" if name != "oras" else "see https://oras.land"
    raise ClientError("tool.missing-client", f"{wanted} is not on the PATH; install it ({advice})")


def is_reference(text: str) -> bool:
    """Tell whether a text may name a package in a registry, such as `registry.example/kernels/sum:1`."""
    return _REFERENCE.fullmatch(text) is not None and "/" in text


def push_package(
    path: str,
    reference: str,
    *,
    client: Client,
    tag: str | None = None,
    insecure: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> OpenLayout:
    """Copy a package from a layout to a registry, every digest as it is. Every blob is hashed before.

    Args:
        path: The OCI image layout.
        reference: Where to; see `is_reference`.
        client: Who does it.
        tag: Which package, where the layout holds several.
        insecure: Whether the registry is spoken to without TLS.
        limits: What it may cost.

    Returns:
        What was pushed.

    Raises:
        ClientError: `tool.client-failed`.
        InterlockError: The layout is refused, or blobs are missing or damaged: all of these.
        ValueError: The reference is malformed, or the path is one that the client cannot take.
    """
    source = _checked_path(path)
    _check_reference(reference)
    layout = _proven(path, tag, limits)
    if client.name == "oras":
        plain = ["--to-plain-http"] if insecure else []
        _run(client, ["cp", *plain, "--from-oci-layout", f"{source}@{layout.manifest_digest}", reference])
        return layout
    transport = "oci-archive" if layout.is_archive else "oci"
    named = f":{layout.tag}" if layout.tag is not None else ""
    tls = ["--dest-tls-verify=false"] if insecure else []
    origin = f"{transport}:{source}{named}"
    _run(client, ["copy", "--preserve-digests", *tls, origin, f"docker://{reference}"])
    return layout


def pull_package(
    reference: str,
    path: str,
    *,
    client: Client,
    replace: bool = False,
    insecure: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> OpenLayout:
    """Copy a package from a registry into a new layout, every digest as it is.

    The layout appears under its name only after every blob in it was hashed. It is a tar file if the name
    ends with `.tar`.

    Returns:
        What was pulled.

    Raises:
        ClientError: `tool.client-failed`.
        InterlockError: What came is no package, or blobs are missing or damaged.
        FileExistsError: Something of that name is there.
        OSError: The system refuses to write.
        ValueError: The reference is malformed, or the path is one that the client cannot take.
    """
    _check_reference(reference)
    archive = path.endswith(".tar")
    if archive and client.name == "oras":
        raise ValueError("`oras` pulls into directories only, not into a tar file")
    with staged(path, replace=replace, is_ours=is_layout) as temporary:
        target = _checked_path(temporary)
        if client.name == "oras":
            plain = ["--from-plain-http"] if insecure else []
            _run(client, ["cp", *plain, "--to-oci-layout", reference, target])
        else:
            transport = "oci-archive" if archive else "oci"
            tls = ["--src-tls-verify=false"] if insecure else []
            origin = f"docker://{reference}"
            _run(client, ["copy", "--preserve-digests", *tls, origin, f"{transport}:{target}"])
        layout = _proven(temporary, None, limits)
        _check_named(reference, layout)
        return layout


def _check_named(reference: str, layout: OpenLayout) -> None:
    """Refuse another manifest than the one that a reference names by its digest."""
    _, _, digest = reference.partition("@")
    if digest and digest != layout.manifest_digest:
        message = f"the manifest that came has the digest `{layout.manifest_digest}`; `{digest}` is required"
        raise ContainerError("container.digest-mismatch", message, place_of(INDEX_FILE))


def _proven(path: str, tag: str | None, limits: Limits) -> OpenLayout:
    """Open a layout and hash every blob that its document refers to."""
    layout = open_layout(path, tag=tag, limits=limits)
    package = cast("Package", package_document(layout.container).message)
    found = tuple(damage(package, layout.container.blobs))
    if found:
        raise InterlockError(*found)
    return layout


def _check_reference(reference: str) -> None:
    if not is_reference(reference):
        raise ValueError(f"`{reference}` is no reference, such as `registry.example/kernels/sum:1`")


def _checked_path(path: str) -> str:
    """Return a path as it is told to clients: absolute, and without what separates its tag."""
    absolute = os.path.abspath(path)  # noqa: PTH100  (pathlib costs start-up time)
    if ":" in absolute or "@" in absolute:
        raise ValueError(f"the path `{absolute}` has `:` or `@`, with which clients separate a tag")
    return absolute


def _run(client: Client, arguments: list[str]) -> None:
    try:
        process = subprocess.Popen(  # noqa: S603  (no shell; the arguments are checked above)
            [client.program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
        )
    except OSError as error:
        raise ClientError("tool.client-failed", f"`{client.name}` cannot be run: {error.strerror}") from error
    try:
        last = _last_output(cast("BinaryIO", process.stdout))
        status = process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    if status:
        said = last.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1] if said else "it said nothing"
        message = f"`{client.name} {arguments[0]}` failed with exit code {status}: {reason}"
        raise ClientError("tool.client-failed", message)


def _last_output(stream: BinaryIO) -> bytes:
    """Return the last of what a program prints, and keep no more of it than that."""
    last = b""
    with stream:
        while chunk := stream.read(1 << 16):
            last = (last + chunk)[-_SHOWN_OUTPUT:]
    return last
