#!/bin/bash
# measure.sh: speed and memory of the whole command on long tracks, of the release build.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=.build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for fence in 0 1 2 3 4 5 6 7 8 9; do
  fences+=(--fence "f$fence=52.0$fence,13.0$fence,500")
done
for points in 100000 1000000; do
  track="$work/$points.gpx"
  "$bin/make-stories" --points $points "$track"
  echo "replay of $points points ($(($(stat -c %s "$track") / 1000000)) MB of GPX), 10 fences:"
  for run in 1 2 3 4 5; do
    /usr/bin/time -f "  %U s user, %S s system, %e s wall, %M KiB peak" \
      "$bin/waymark" replay "$track" "${fences[@]}" --format jsonl --output /dev/null \
      2>&1 | tail -n 1
  done
done
