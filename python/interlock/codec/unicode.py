"""Which strings a document may hold: UTF-8 without noncharacters."""

from __future__ import annotations

import re
from typing import Final

# U+FDD0 to U+FDEF, and the last two code points of each of the 17 planes.
_NONCHARACTERS: Final = "\ufdd0-\ufdef" + "".join(
    chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
)
NONCHARACTER: Final = re.compile(f"[{_NONCHARACTERS}]")
"""Matches one noncharacter of a string."""

# The UTF-8 of noncharacters, each pattern after a first byte that is rare in documents and found at the speed
# of memchr.
_FDD0_TO_FDEF: Final = re.compile(rb"\xef\xb7[\x90-\xaf]")
_LAST_OF_A_PLANE: Final = re.compile(rb"\xbf(?<=[\xef\x8f\x9f\xaf\xbf]\xbf)[\xbe\xbf]")


def may_hold_noncharacter(data: bytes) -> bool:
    """Tell whether the UTF-8 of a noncharacter may be in these bytes, be it by chance; False is certain."""
    return _FDD0_TO_FDEF.search(data) is not None or _LAST_OF_A_PLANE.search(data) is not None


def has_noncharacter(text: str) -> bool:
    """Tell whether a string holds a noncharacter."""
    return not text.isascii() and NONCHARACTER.search(text) is not None


def describe(text: str) -> str:
    """Return the code point of the first noncharacter of a string, as `U+FFFE`."""
    match = NONCHARACTER.search(text)
    return f"U+{ord(match.group()):04X}" if match else ""
