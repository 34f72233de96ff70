#!/bin/bash
# Runs the programs on recordings and compares what they print with expected/, or writes it anew:
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
    echo "examples: $1 prints what it should"
  else
    failed=1
  fi
}

[ "${2:-}" != --write ] || write=1
# The second block of Swift in the guide is a program that is built here.
if awk '/^```swift$/ { n++; on = 1; next } /^```$/ { on = 0 } on && n == 2' ../CoreLocation.md |
  diff -u Sources/van/main.swift -; then
  echo "examples: the guide shows van as it is"
else
  failed=1
fi
run track out-and-back/track.gpx
run fence out-and-back/track.gpx
run visits visits/track.csv
exit $failed
