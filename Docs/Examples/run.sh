#!/bin/bash
# Runs the programs on recordings and compares their output with expected/, or updates that:
# run.sh DIRECTORY-OF-THE-PROGRAMS [--write]
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")"

failed=0
run() { # program, recording
  local expected=expected/$1.txt said
  said=$(WAYMARK_SOURCE="../../traces/$2?speed=max" WAYMARK_PURPOSES=Info.plist "$bin/$1")
  if [ "${write:-}" ]; then printf '%s\n' "$said" >"$expected"; fi
  if diff -u "$expected" <(printf '%s\n' "$said"); then
    echo "examples: $1 prints the expected output"
  else
    failed=1
  fi
}

[ "${2:-}" != --write ] || write=1
# The second Swift block in the guide is a program built here.
if awk '/^```swift$/ { n++; on = 1; next } /^```$/ { on = 0 } on && n == 2' ../CoreLocation.md |
  diff -u Sources/van/main.swift -; then
  echo "examples: the guide shows van unchanged"
else
  failed=1
fi
run track out-and-back/track.gpx
run fence out-and-back/track.gpx
run visits visits/track.csv
exit $failed
