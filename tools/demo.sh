#!/usr/bin/env bash
# demo.sh: verify a real two-dispatch graph and say what the verdict means. Run through `make demo`.
set -euo pipefail

interlock=.venv/bin/interlock
graph=${1:-tests/fixtures/two_stage_sum/two_stage_sum.json}

echo "\$ interlock verify $graph"
status=0
"$interlock" verify "$graph" || status=$?
echo
case $status in
  0) echo "Exit 0: proven. Every check this graph requires has passed." ;;
  3) echo "Exit 3: no errors, but parts of the proof are not built yet; the report names them as unverified." ;;
  *)
    echo "Exit $status: the demo failed." >&2
    exit "$status"
    ;;
esac
