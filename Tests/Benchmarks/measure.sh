#!/bin/bash
# measure.sh: the figures of Docs/Performance.md, measured on this machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
swift build -c release >/dev/null
bin=.build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

instructions() { # ROUNDS -> instructions of the whole run
  valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" \
    "$bin/engine-bench" "$1" 2>&1 | awk '/Collected/ {print $4}'
}
allocations() { # ROUNDS -> allocations of the whole run
  valgrind --tool=memcheck --leak-check=no "$bin/engine-bench" "$1" 2>&1 |
    awk '/total heap usage/ {gsub(",", "", $5); print $5}'
}

echo "== engine, 10 fences, 10 crossings a 1,000 fixes (difference of 40 and 20 rounds)"
a=$(instructions 20) b=$(instructions 40)
echo "instructions a fix: $(((b - a) / 20000))"
a=$(allocations 20) b=$(allocations 40)
echo "allocations in 20,000 fixes: $((b - a))"

echo "== replay of GPX with 10 fences, whole process"
for fence in 0 1 2 3 4 5 6 7 8 9; do
  fences+=(--fence "f$fence=52.5$fence,13.4$fence,200")
done
for points in 100000 1000000; do
  "$bin/make-stories" --points $points "$work/$points.gpx"
  for run in 1 2 3; do
    /usr/bin/time -f "$points points: %e s wall, %U s user, %M KiB peak" \
      "$bin/waymark" replay "$work/$points.gpx" "${fences[@]}" --format jsonl \
      --output /dev/null 2>"$work/log"
    tail -n 1 "$work/log"
  done
  ls -l "$work/$points.gpx" | awk '{print $5 " bytes"}'
done
