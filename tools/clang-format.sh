#!/usr/bin/env bash
# clang-format.sh OPTION...: run the pinned clang-format over every C++ file of the tree.
set -euo pipefail

find cpp tests -type f \( -name '*.h' -o -name '*.cc' \) -print0 | sort -z |
  xargs -0 --no-run-if-empty .tools/venv/bin/clang-format "$@"
