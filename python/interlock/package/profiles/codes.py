"""The codes of target profiles, with what each means and what to do about it."""

from __future__ import annotations

PROFILE_CODES: dict[str, str] = {
    "profile.malformed": (
        "The file is no target profile, or one that contradicts itself. The sentence names the field and what"
        " it must hold."
    ),
    "profile.unknown": (
        "There is no profile of that name. `interlock profiles` lists them all; the path of a file ends"
        " in `.txtpb` or holds a slash."
    ),
    "profile.unreadable": (
        "The system could not read the file of a profile; the sentence says what it answered."
    ),
}
"""Code to meaning."""
