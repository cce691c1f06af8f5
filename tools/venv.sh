#!/usr/bin/env bash
# venv.sh DIRECTORY PIP-ARGUMENT...: make the virtual environment when it is missing or broken, then install into it.
set -euo pipefail

directory=$1
shift
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "$python is $("$python" -V 2>&1); Python 3.11 or newer is needed (set PYTHON to choose another)." >&2
  exit 1
}
"$directory/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear "$directory"
"$directory/bin/python" -m pip install --quiet --no-input --disable-pip-version-check "$@"
