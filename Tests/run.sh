#!/bin/bash
# Runs every test. Whatever failed is printed once more at the end, where it is not lost among
# thousands of lines.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT

swift test --skip-build --disable-xctest "$@" 2>&1 | tee "$log"
status=$?
if [ $status != 0 ]; then
  printf '\n=== what failed\n'
  # An issue has its line and the lines of its comment; a crash has no mark of its own.
  grep -aE -A4 '^✘ .*recorded an issue|[Ff]atal error|signal code|^error:' "$log" ||
    tail -n 40 "$log"
  grep -aE '^✘ (Test|Suite) .*failed after' "$log"
fi
exit $status
