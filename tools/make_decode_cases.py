"""Write tests/conformance/decode from the descriptions in tools/decode_cases.

make_decode_cases.py            write the folder, and remove what does not belong there
make_decode_cases.py --check    name every file that differs from what would be written
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from decode_cases import (
    accepted,
    binary_fields,
    binary_header,
    binary_order,
    binary_sets,
    binary_text,
    binary_truncation,
    binary_unknown,
    binary_values,
    frames,
    json_content,
    json_header,
    json_syntax,
    json_tokens,
    json_values,
)

if TYPE_CHECKING:
    from decode_cases.model import DecodeCase, Group

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "conformance" / "decode"


def groups() -> tuple[Group, ...]:
    """Return all groups of cases."""
    return (
        binary_header.cases(),
        binary_fields.cases(),
        binary_values.cases(),
        binary_order.cases(),
        binary_sets.cases(),
        *binary_text.cases(),
        *binary_truncation.cases(),
        binary_unknown.cases(),
        json_syntax.cases(),
        json_tokens.cases(),
        json_header.cases(),
        json_content.cases(),
        json_values.cases(),
        *accepted.cases(),
        frames.cases(),
    )


def files() -> dict[str, bytes]:
    """Return every file of the folder by its path in it.

    Raises:
        ValueError: Two cases have one id.
    """
    cases: dict[str, DecodeCase] = {}
    for group in groups():
        for case in group.cases:
            if case.id in cases:
                raise ValueError(f"two cases are called {case.id}")
            cases[case.id] = case
    return {f"{case.id}/{name}": data for case in cases.values() for name, data in case.files().items()}


def differences(expected: dict[str, bytes]) -> list[str]:
    """Return one sentence for every file that is not as expected."""
    present = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()
    }
    return [
        *(f"{name} is missing" for name in sorted(expected.keys() - present.keys())),
        *(f"{name} does not belong there" for name in sorted(present.keys() - expected.keys())),
        *(
            f"{name} is out of date"
            for name in sorted(expected.keys() & present.keys())
            if expected[name] != present[name]
        ),
    ]


def write(expected: dict[str, bytes]) -> None:
    """Make the folder hold these files and no others."""
    for path in sorted(FOLDER.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(FOLDER).as_posix() not in expected:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for name, data in expected.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    expected = files()
    if not parser.parse_args().check:
        write(expected)
        return
    findings = differences(expected)
    if findings:
        sys.exit("\n".join([*findings, "Run tools/make_decode_cases.py and commit what it writes."]))


if __name__ == "__main__":
    main()
