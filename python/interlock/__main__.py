"""`python -m interlock`: the command line."""

from __future__ import annotations

from interlock.cli import program

if __name__ == "__main__":
    program()
