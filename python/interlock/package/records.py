"""Members of foreign manifests, in which null stands for what is not there, and names are never empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlock.package.metadata import malformed

if TYPE_CHECKING:
    from interlock.package.metadata import Record

LARGEST_INDEX = (1 << 32) - 1
"""The largest index, size of an axis or number of a constant."""


def optional(record: Record, name: str) -> Any:  # noqa: ANN401  (any JSON value)
    """Return a member; None where it is null or not there."""
    return record.members.get(name)


def optional_text(record: Record, name: str) -> str | None:
    """Return a string; None where it is null or not there."""
    return None if optional(record, name) is None else record.text(name)


def optional_count(record: Record, name: str, largest: int | None = None) -> int | None:
    """Return a number from 0 to ``largest``; None where it is null or not there."""
    if optional(record, name) is None:
        return None
    number = record.count(name)
    if largest is not None and number > largest:
        raise malformed(f"`{number}`, where at most {largest} is possible", record.place(name))
    return number


def optional_record(record: Record, name: str) -> Record | None:
    """Return an object; None where it is null or not there."""
    return None if optional(record, name) is None else record.record(name)


def optional_records(record: Record, name: str) -> tuple[Record, ...]:
    """Return an array of objects; an empty one where it is null or not there."""
    return () if optional(record, name) is None else record.records(name)


def some_text(record: Record, name: str) -> str:
    """Return a string that is not empty."""
    text = record.text(name)
    if not text:
        raise malformed("a string that is not empty is required", record.place(name))
    return text


def new_name(record: Record, known: set[str], name: str = "name") -> str:
    """Return a name that none of its siblings has, and remember it."""
    text = some_text(record, name)
    if text in known:
        raise malformed(f"the name `{text[:200]}` is listed twice", record.place(name))
    known.add(text)
    return text
