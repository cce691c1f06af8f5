#!/usr/bin/env bash
# step.sh [--tail N] LABEL COMMAND...: run one step of a build and say in one line how it went.
#
# The output of the command goes to build/log/LABEL.log. It is shown when the command fails, and its last N lines
# are shown when it succeeds, for the closing line of a test runner.
set -euo pipefail

tail_lines=0
if [ "$1" = --tail ]; then
  tail_lines=$2
  shift 2
fi
label=$1
shift

mkdir -p build/log
log=build/log/${label//[^A-Za-z0-9._-]/-}.log
[ -t 1 ] && printf '  ..    %s\r' "$label"
started=$(date +%s%N)
status=0
"$@" >"$log" 2>&1 </dev/null || status=$?
tenths=$((($(date +%s%N) - started) / 100000000))
took=$((tenths / 10)).$((tenths % 10))

if [ "$status" -eq 0 ]; then
  printf '  ok    %-34s %6s s\n' "$label" "$took"
  [ "$tail_lines" -eq 0 ] || tail -n "$tail_lines" "$log"
else
  printf '  FAIL  %-34s %6s s   exit %s: %s\n' "$label" "$took" "$status" "$*"
  cat "$log"
  exit "$status"
fi
