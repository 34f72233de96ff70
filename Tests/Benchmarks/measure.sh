#!/bin/bash
# measure.sh: speed and memory on long tracks, of the release build, beside what C libraries do with
# the same file. CPU seconds (user and system); the runs of a round follow one another, and each
# figure is the median of its rounds.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=.build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-5}

# NAME COMMAND...: appends CPU seconds and peak KiB of one run to NAME.
run() {
  local name=$1
  shift
  /usr/bin/time -o "$work/time" -f "%U %S %M" "$@" >"$work/$name.out" 2>/dev/null
  awk '{print $1 + $2, $3}' "$work/time" >>"$work/$name"
}
median() { sort -n "$work/$1" | awk '{v[NR] = $1; m[NR] = $2} END {print v[int((NR + 1) / 2)], m[NR]}'; }
report() { # NAME POINTS BYTES: one line of figures
  median "$1" | awk -v name="$1" -v points="$2" -v bytes="$3" \
    '{printf "  %-22s %6.3f s  %7.0f MB/s  %9.0f points/s  %6d KiB\n", name, $1, bytes / $1 / 1e6, points / $1, $2}'
}

gcc -O2 Tests/Benchmarks/Peers/expat.c -o "$work/peer-expat" -lexpat
gcc -O2 -I/usr/include/libxml2 Tests/Benchmarks/Peers/libxml2.c -o "$work/peer-libxml2" -lxml2
for fence in 0 1 2 3 4 5 6 7 8 9; do
  fences+=(--fence "f$fence=52.0$fence,13.0$fence,500")
done

for points in 100000 1000000; do
  track="$work/track.gpx"
  "$bin/make-stories" --points $points "$track"
  rm -f "$work"/{read-bench,libxml2-sax2,expat,replay}
  for round in $(seq "$rounds"); do
    run read-bench "$bin/read-bench" "$track"
    run libxml2-sax2 "$work/peer-libxml2" "$track"
    run expat "$work/peer-expat" "$track"
    run replay "$bin/waymark" replay "$track" "${fences[@]}" --format jsonl
  done
  bytes=$(stat -c %s "$track")
  echo "$points points, $((bytes / 1000000)) MB of GPX with extensions; reading alone, then replay with 10 fences:"
  for name in read-bench libxml2-sax2 expat replay; do report "$name" "$points" "$bytes"; done
  ours=$(median read-bench | cut -d' ' -f1)
  for name in libxml2-sax2 expat; do
    median "$name" | awk -v name="$name" -v ours="$ours" '{printf "  times %s: %.2f\n", name, $1 / ours}'
  done
done
