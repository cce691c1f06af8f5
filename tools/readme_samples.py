"""Write what the commands print, and the example that the C++ tests run, into README.md.

    readme_samples.py            rewrite the samples
    readme_samples.py --check    fail if a sample is out of date

A block marked `console` starts with a command. Where it ends with `...` it shows as many paragraphs of the
output as it has. The block marked `cpp` is the part of the quickstart that reads a graph.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
QUICKSTART = ROOT / "cpp" / "examples" / "quickstart.cc"
CPP_START, CPP_END = "  // Read. ", "  // Build and write. "
MORE = "...\n"


def output(command: str) -> str:
    """Return what a command prints on standard output."""
    words = command.split()
    if words[:2] != ["$", "interlock"]:
        sys.exit(f"`{command}` is not `$ interlock ...`")
    done = subprocess.run(
        [sys.executable, "-m", "interlock", *words[2:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.stderr:
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout


def console(sample: str) -> str:
    """Return a sample with what its command prints today."""
    command, _, shown = sample.partition("\n")
    printed = output(command)
    if shown.endswith(MORE):
        paragraphs = shown.removesuffix(MORE).count("\n\n") + 1
        printed = "\n\n".join(printed.split("\n\n")[:paragraphs]) + "\n" + MORE
    return f"{command}\n{printed}"


def example() -> str:
    """Return the part of the quickstart that README.md shows."""
    source = QUICKSTART.read_text(encoding="utf-8")
    return textwrap.dedent(source[source.index(CPP_START) : source.index(CPP_END)]).rstrip() + "\n"


def refreshed(text: str) -> str:
    """Return README.md with its samples as they are today."""
    text = re.sub(
        r"^```console\n(.*?)^```$",
        lambda block: f"```console\n{console(block[1])}```",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    return re.sub(
        r"^```cpp\n.*?^```$", lambda _: f"```cpp\n{example()}```", text, flags=re.MULTILINE | re.DOTALL
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    checking = parser.parse_args().check
    text = README.read_text(encoding="utf-8")
    fresh = refreshed(text)
    if not checking:
        README.write_text(fresh, encoding="utf-8")
    elif fresh != text:
        sys.exit("README.md shows what no longer is; run tools/readme_samples.py")


if __name__ == "__main__":
    main()
