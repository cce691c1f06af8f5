"""Files and folders that appear under their name only when they are complete."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def staged(target: str, *, replace: bool, is_ours: Callable[[str], bool] = os.path.isfile) -> Iterator[str]:
    """Yield a free name beside the target; what is made there becomes the target if nothing is raised.

    Whatever was made is removed if something is raised, and the target stays as it was. An empty folder
    counts as nothing.

    Args:
        target: The name of the product.
        replace: Whether something that is there may be replaced.
        is_ours: Tells whether what is there is something that may be replaced at all.

    Raises:
        FileExistsError: Something is there, and is not to be replaced.
        OSError: The system refuses.
    """
    if not target:
        raise FileNotFoundError(errno.ENOENT, "the name is empty", target)
    target = os.path.abspath(target)  # noqa: PTH100  (pathlib costs start-up time)
    _check_free(target, replace=replace, is_ours=is_ours)
    temporary = _free_name(target)
    try:
        yield temporary
        _check_free(target, replace=replace, is_ours=is_ours)
        _publish(temporary, target)
    finally:
        _remove(temporary)


@contextmanager
def exclusive(target: str) -> Iterator[None]:
    """Wait for others that change a product, so that what one of them adds is not lost to another.

    The folder of the product is locked, which needs no file of its own. Where the system cannot lock, nobody
    waits.

    Args:
        target: The name of the product.
    """
    import fcntl  # noqa: PLC0415  (only where a product is changed)

    folder = os.path.dirname(os.path.abspath(target))  # noqa: PTH100, PTH120
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:  # whoever writes there says why that is impossible
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _check_free(target: str, *, replace: bool, is_ours: Callable[[str], bool]) -> None:
    if not os.path.lexists(target) or _is_empty_folder(target):
        return
    if not replace:
        raise FileExistsError(errno.EEXIST, "it exists already", target)
    if not is_ours(target):
        raise FileExistsError(errno.EEXIST, "what is there is nothing that may be replaced", target)


def _is_empty_folder(name: str) -> bool:
    if os.path.islink(name) or not os.path.isdir(name):  # noqa: PTH112, PTH114
        return False
    with os.scandir(name) as entries:
        return next(entries, None) is None


def _free_name(target: str) -> str:
    folder, base = os.path.split(target)
    return os.path.join(folder, f".{base[:64]}.{secrets.token_hex(8)}.part")  # noqa: PTH118


def _publish(temporary: str, target: str) -> None:
    if not os.path.isdir(target) and not os.path.isdir(temporary):  # noqa: PTH112
        os.replace(temporary, target)  # noqa: PTH105
        return
    if not os.path.lexists(target) or _is_empty_folder(target):
        os.rename(temporary, target)  # noqa: PTH104
        return
    # A folder that is not empty cannot be replaced in one step: it moves away first, and back if need be.
    aside = _free_name(target)
    os.rename(target, aside)  # noqa: PTH104
    try:
        os.rename(temporary, target)  # noqa: PTH104
    except BaseException:
        if os.path.lexists(target):  # another process was faster, and what moved away is replaced already
            _remove(aside)
        else:
            os.rename(aside, target)  # noqa: PTH104
        raise
    _remove(aside)


def _remove(name: str) -> None:
    if os.path.isdir(name) and not os.path.islink(name):  # noqa: PTH112, PTH114
        shutil.rmtree(name, ignore_errors=True)
    elif os.path.lexists(name):
        os.unlink(name)  # noqa: PTH108
