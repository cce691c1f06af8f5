#!/usr/bin/env bash
# demo.sh: verify a real two-dispatch graph, then one with mistakes, and say what the verdicts mean. Run through `make demo`.
set -euo pipefail

interlock=${INTERLOCK:-.venv/bin/interlock}

# verdict GRAPH EXPECTED: verify a graph and fail unless the exit code is the expected one.
verdict() {
  local status=0
  echo "\$ $interlock verify $1"
  "$interlock" verify "$1" || status=$?
  echo
  if [ "$status" -ne "$2" ]; then
    echo "Exit $status where $2 was expected: the demo failed." >&2
    exit 1
  fi
}

verdict tests/fixtures/two_stage_sum/two_stage_sum.json 0
echo "Exit 0: proven. In every execution each access is ordered behind the writes it needs, sees them, and finds"
echo "initialised bytes. What the proof takes on trust stands under 'assumptions'."
echo

verdict docs/examples/broken.txtpb 1
echo "Exit 1: errors, as this graph was made to have. Each names both kernels, the bytes, and what is missing."

if [ "$interlock" = .venv/bin/interlock ]; then
  echo
  echo "To run it as \`interlock\`: . .venv/bin/activate"
fi
