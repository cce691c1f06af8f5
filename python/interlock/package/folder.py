"""A plain folder as a container: files by their location, and nothing that says what they are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from interlock.limits import DEFAULT_LIMITS
from interlock.package.blobs import folder_blobs
from interlock.package.container import Container, ContainerError
from interlock.package.paths import Root

if TYPE_CHECKING:
    from interlock.limits import Limits

FORMAT = "folder"


def read_folder(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Container:
    """Open a folder. Bytes are found by the location of a reference, or as `blobs/sha256/<hex>`.

    Nothing in it is looked at before it is asked for, so that its size does not matter.

    Raises:
        ContainerError: `container.unreadable`: it is no folder.
    """
    source = os.fspath(path)
    if not os.path.isdir(source):  # noqa: PTH112  (pathlib costs start-up time)
        raise ContainerError("container.unreadable", f"cannot read `{source}`: it is no folder")
    return Container(FORMAT, source, None, folder_blobs(Root.at(source), limits))
