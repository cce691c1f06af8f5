"""Digests, as documents spell them. Not `digest.py`: that name is a public function of the package."""

from __future__ import annotations

import hashlib
import re

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def sha256_digest(data: bytes) -> str:
    """Return ``sha256:`` and the lower-case hexadecimal SHA-256 of ``data``."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def is_digest(text: str) -> bool:
    """Tell whether ``text`` is spelled like a digest."""
    return _DIGEST.fullmatch(text) is not None
