"""The garbage collector, kept from walking large trees while they grow."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def paused_collector() -> Iterator[None]:
    """Switch the cyclic garbage collector off for a while, and back on if it was on.

    Millions of dictionaries that hold no cycles would be walked again and again while they are built.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
