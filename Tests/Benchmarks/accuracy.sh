#!/bin/bash
# accuracy.sh: the tables of Docs/Accuracy.md on simulated days. `waymark simulate` makes worlds, every
# decision replays them, and `waymark score` scores them. Prints the tables; with --write it puts them
# and the charts into Docs. Takes about a quarter of an hour of one core and 1 GB of disk.
#
# SEEDS, DEVICES, DAYS and OTHERS (how many devices of each other kind, and of worlds without fields)
# make it smaller or larger; the defaults are those of the document. None of the worlds took part in
# the search for constants. `make accuracy` prints the tables that need no
# worlds; they go into the document, too, when its binary is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
waymark=${WAYMARK:-$PWD/.build/release/waymark}
decisions='balanced eager strict naive apple'
noises='normal hard'
seeds=${SEEDS:-21 22 23}
devices=${DEVICES:-72}
days=${DAYS:-1}
others=${OTHERS:-36}
bench=$PWD/.build/release/accuracy-bench
document=Docs/Accuracy.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tables"

# replay WORLD DECISION: all its devices, one log.
replay() {
  local config name
  mkdir -p "$1/events"
  for config in "$1"/config/*.yaml; do
    name=$(basename "$config" .yaml)
    sed "s/^    radius: .*/&\n    decision: $2/" "$config" >"$work/config.yaml"
    "$waymark" replay "$1/fixes/$name.csv" --config "$work/config.yaml" --format jsonl
  done 2>>"$work/log" >"$1/events/$2.jsonl"
}

# score WORLD EVENTS KIND [OPTION...]: as a table.
score() {
  local world=$1 events=$2 kind=$3
  shift 3
  "$waymark" score --truth "$world" --events "$world/events/$events.jsonl" --what "$kind" "$@"
}

# thin WORLD: every tenth fix of the devices with a fix a minute, as another world, replayed.
# A stay that cannot hold two such fixes is not required.
thin() {
  local name thin=$1-600
  mkdir -p "$thin"/{fixes,events,truth/track}
  for name in $(cd "$1/fixes" && ls | sed -n 's/\(.*-s60-.*\)\.csv/\1/p'); do
    awk 'NR % 10 == 1 || NR == 2' "$1/fixes/$name.csv" >"$thin/fixes/$name.csv"
    cp "$1/truth/track/$name.csv" "$thin/truth/track/"
  done
  cp -r "$1/fences" "$1/config" "$thin"
  find "$thin/config" ! -name '*-s60-*' -type f -delete
  for name in visits fences; do
    grep -e '-s60-' "$1/truth/$name.jsonl" | awk '
      match($0, /"fixes": *[0-9]+/) && substr($0, RSTART + 8, RLENGTH - 8) + 0 < 20 {
        sub(/"required": *true/, "\"required\": false")
      }
      { print }' >"$thin/truth/$name.jsonl"
  done
  sed -n '/-s60-/{s/,$//;p}' "$1/devices.json" | sed '1s/^/[\n/; $!s/$/,/; $s/$/\n]/' >"$thin/devices.json"
  replay "$thin" balanced
}

# Simulates one world, replays it, and adds it to the pool of its noise under other device names.
world() { # NOISE SEED
  local world="$work/$1-$2" pool="$work/$1" file decision
  "$waymark" simulate --out "$world" --noise "$1" --seed "$2" --devices "$devices" --days "$days" \
    --format csv 2>>"$work/log"
  for decision in $decisions; do replay "$world" "$decision"; done
  if [ "$1 $2" = "normal ${seeds%% *}" ]; then thin "$world"; fi
  rm -r "$world/fixes"
  mkdir -p "$pool"/{fences,truth/track,events}
  for file in truth/visits.jsonl truth/fences.jsonl $(cd "$world" && ls events/*); do
    sed "s/\"device\": *\"/&$2-/" "$world/$file" >>"$pool/$file"
  done
  # A JSON array with an object a line.
  touch "$pool/devices.json"
  cat "$pool/devices.json" <(sed "s/\"device\": *\"/&$2-/" "$world/devices.json") |
    sed -n '/^{/{s/,$//;p}' | sed '1s/^/[\n/; $!s/$/,/; $s/$/\n]/' >"$work/devices.json"
  mv "$work/devices.json" "$pool/devices.json"
  for file in "$world"/fences/* "$world"/truth/track/*; do
    cp "$file" "$pool/$(realpath --relative-to="$world" "$(dirname "$file")")/$2-$(basename "$file")"
  done
}

# understate WORLD SHARE: its devices claim so much of the accuracy that they claimed.
understate() {
  local file
  for file in "$1"/fixes/*.csv; do
    awk -F, -v OFS=, -v share="$2" '
      NR == 1 { for (i = 1; i <= NF; i++) if ($i == "accuracy") column = i }
      NR > 1 && column && $column != "" { $column = sprintf("%.2f", $column * share) }
      { print }' "$file" >"$work/understated"
    mv "$work/understated" "$file"
  done
}

# other NAME OPTION...: a world of one seed, replayed by `balanced`; SHARE of the claimed accuracies is left.
other() {
  local world=$work/$1
  shift
  "$waymark" simulate --out "$world" --seed "${seeds%% *}" --devices "$others" --format csv "$@" \
    2>>"$work/log"
  if [ -n "${SHARE:-}" ]; then understate "$world" "$SHARE"; fi
  replay "$world" balanced
  rm -r "$world/fixes"
}

# cell SCORES FIGURE [GROUP] [DECIMALS]: one figure of a table of scores.
cell() {
  awk -v figure="$2" -v group="${3:-all}" -v decimals="${4:-}" '
    NR == 1 { for (i = 2; i <= NF; i++) if ($i == group) column = i }
    $1 == figure {
      print column && $column != "-" ? (decimals == "" ? $column : sprintf("%." decimals "f", $column)) : "–"
      exit
    }' "$1"
}
# sum SCORES FIGURE FIGURE [GROUP]: of two figures.
sum() { awk -v a="$(cell "$1" "$2" "${4:-all}")" -v b="$(cell "$1" "$3" "${4:-all}")" 'BEGIN { printf "%.4f", a + b }'; }

fenceHead='required | precision | recall | F1 | false events a fence-day | time error, s: median / p95 | delay, s: median / p95 | within 1 σ / 2 σ'
fenceCells() { # SCORES [GROUP]
  local g=${2:-all}
  echo "$(cell "$1" required "$g") | $(cell "$1" P "$g" 3) | $(cell "$1" R "$g" 3) | $(cell "$1" F1 "$g" 3) |" \
    "$(sum "$1" false_enter_per_fence_day false_exit_per_fence_day "$g") |" \
    "$(cell "$1" time_err_med "$g") / $(cell "$1" time_err_p95 "$g") |" \
    "$(cell "$1" latency_med "$g") / $(cell "$1" latency_p95 "$g") |" \
    "$(cell "$1" within_1_sigma "$g" 2) / $(cell "$1" within_2_sigma "$g" 2) |"
}
visitHead='required | precision | recall | F1 | arrival error, s: median / p95 | departure error, s: median / p95 | reported after, s: median'
visitCells() {
  local g=${2:-all}
  echo "$(cell "$1" required "$g") | $(cell "$1" P "$g" 3) | $(cell "$1" R "$g" 3) | $(cell "$1" F1 "$g" 3) |" \
    "$(cell "$1" arr_med "$g") / $(cell "$1" arr_p95 "$g") | $(cell "$1" dep_med "$g") / $(cell "$1" dep_p95 "$g") |" \
    "$(cell "$1" lat_arr_med "$g") |"
}
changeHead='events | false share | reported after, s: median / p95 | missed of needed | stale share of the time'
changeCells() {
  local g=${2:-all}
  echo "$(cell "$1" events "$g") | $(cell "$1" false_rate "$g") |" \
    "$(cell "$1" latency_med "$g") / $(cell "$1" latency_p95 "$g") |" \
    "$(cell "$1" missed "$g") of $(cell "$1" needed "$g") | $(cell "$1" stale_share "$g") |"
}
top() { # FIRST COLUMNS
  echo "| $1 | $2 |"
  echo "| $1 | $2 |" | sed 's/[^|]\+/ --- /g'
}
regimes='s1 s5 s10 s30 s60 adaptive'
regimeName() { case $1 in s*) echo "${1#s} s" ;; *) echo "$1" ;; esac; }

# table NAME: keeps its input under this name.
table() { tee "$work/tables/$1"; echo; }

for noise in $noises; do
  for seed in $seeds; do world "$noise" "$seed"; done
done

{
  top 'noise | decision' "$fenceHead"
  for noise in $noises; do
    for decision in $decisions; do
      score "$work/$noise" "$decision" fences >"$work/scores"
      echo "| $noise | \`$decision\` | $(fenceCells "$work/scores")"
    done
  done
} | table decisions

{
  top 'noise | what' 'precision | recall | how soon, and how exactly (medians)'
  for noise in $noises; do
    score "$work/$noise" balanced visits >"$work/scores"
    echo "| $noise | visits | $(cell "$work/scores" P all 3) | $(cell "$work/scores" R all 3) |" \
      "reported $(cell "$work/scores" lat_arr_med) s after the arrival; arrival off by" \
      "$(cell "$work/scores" arr_med) s, departure by $(cell "$work/scores" dep_med) s |"
    score "$work/$noise" balanced significant >"$work/scores"
    awk -v noise="$noise" '
      { figure[$1] = $2 }
      END {
        printf "| %s | significant changes | %.3f | %.3f | reported %s s after it was due |\n",
          noise, 1 - figure["false_rate"], 1 - figure["missed"] / (figure["needed"] ? figure["needed"] : 1),
          figure["latency_med"]
      }' "$work/scores"
  done
} | table promises

{
  top 'noise | seed' "$fenceHead"
  for noise in $noises; do
    for seed in $seeds; do
      score "$work/$noise-$seed" balanced fences >"$work/scores"
      echo "| $noise | $seed | $(fenceCells "$work/scores")"
    done
  done
} | table seeds

# grouped KIND HEAD CELLS DECISION: by sampling.
grouped() {
  local noise regime
  top 'noise | sampling' "$2"
  for noise in $noises; do
    score "$work/$noise" "$4" "$1" --by regime >"$work/scores"
    for regime in $regimes; do
      echo "| $noise | $(regimeName "$regime") | $($3 "$work/scores" "$regime")"
    done
  done
}
grouped fences "$fenceHead" fenceCells balanced | table sampling

{
  top 'noise | fences' "$fenceHead"
  for noise in $noises; do
    score "$work/$noise" balanced fences --by why >"$work/scores"
    for why in place edge pass nearmiss; do
      echo "| $noise | \`$why\` | $(fenceCells "$work/scores" "$why")"
    done
  done
} | table reasons

{
  top 'noise | seed' "$visitHead"
  for noise in $noises; do
    for seed in $seeds; do
      score "$work/$noise-$seed" balanced visits >"$work/scores"
      echo "| $noise | $seed | $(visitCells "$work/scores")"
    done
  done
} | table visits
{
  grouped visits "$visitHead" visitCells balanced
  score "$work/normal-${seeds%% *}-600" balanced visits >"$work/scores"
  echo "| normal | 600 s (every tenth of 60 s) | $(visitCells "$work/scores")"
} | table visit-sampling

{
  top 'noise | seed' "$changeHead"
  for noise in $noises; do
    for seed in $seeds; do
      score "$work/$noise-$seed" balanced significant >"$work/scores"
      echo "| $noise | $seed | $(changeCells "$work/scores")"
    done
  done
} | table changes
grouped significant "$changeHead" changeCells balanced | table change-sampling

kinds='duty-cycled collar boat network stale'
for noise in $noises; do
  for kind in $kinds; do other "$kind-$noise" --device "$kind" --noise "$noise"; done
  other "bare-all-$noise" --noise "$noise"
  SHARE=0.4 other "bare-claims-$noise" --noise "$noise"
  other "bare-accuracy-$noise" --noise "$noise" --without accuracy
  other "bare-motion-$noise" --noise "$noise" --without speed,course
  other "bare-both-$noise" --noise "$noise" --without accuracy,speed,course
done

# ofWorlds FIRST PREFIX KIND HEAD CELLS NAME...: a row for each world PREFIX NAME and noise.
ofWorlds() {
  local first=$1 prefix=$2 kind=$3 head=$4 cells=$5 noise name
  shift 5
  top "noise | $first" "$head"
  for noise in $noises; do
    for name; do
      score "$work/$prefix$name-$noise" balanced "$kind" >"$work/scores"
      echo "| $noise | $(worldName "$name") | $($cells "$work/scores")"
    done
  done
}
worldName() {
  case $1 in
    all) echo nothing ;;
    claims) echo 'nothing; claims × 0.4' ;;
    motion) echo 'speed, course' ;;
    both) echo 'accuracy, speed, course' ;;
    accuracy) echo accuracy ;;
    *) echo "\`$1\`" ;;
  esac
}
ofWorlds device '' fences "$fenceHead" fenceCells $kinds | table devices
ofWorlds device '' visits "$visitHead" visitCells $kinds | table device-visits
fields='all claims accuracy motion both'
ofWorlds 'left out' bare- fences "$fenceHead" fenceCells $fields | table fields
ofWorlds 'left out' bare- visits "$visitHead" visitCells $fields | table field-visits

# calibration NOISE DECISION KIND NAME: the bins with events.
calibration() {
  score "$work/$1" "$2" "$3" | awk -v start="| $1 | $4 | " '
    $1 == "confidence" { on = 1; next }
    $1 == "calibration_error" { print start "mean error | " all " | | " $2 " |"; next }
    on && $2 > 0 { print start $1 " | " $2 " | " $3 " | " $4 " |"; all += $2 }'
}
{
  top 'noise | events' 'confidence | number | claimed | right'
  for noise in $noises; do
    for decision in balanced eager strict; do
      calibration "$noise" "$decision" fences "\`$decision\`"
    done
    calibration "$noise" balanced visits visits
  done
} | table calibration

if [ -x "$bench" ]; then
  {
    echo '```text'
    "$bench" | sed 1d
    echo '```'
  } | table scenarios
fi

if [ "${1:-}" = --write ]; then
  mkdir -p "$work/charts"
  score "$work/normal" balanced fences --svg "$work/charts" >"$work/scores"
  mkdir -p Docs/Accuracy
  cp "$work/charts"/*.svg Docs/Accuracy/
  for name in $(ls "$work/tables"); do
    awk -v name="$name" -v table="$work/tables/$name" '
      $0 == "<!-- table " name " -->" {
        print $0 "\n"
        while ((getline line < table) > 0) print line
        print ""
        skip = 1
      }
      $0 == "<!-- end -->" { skip = 0 }
      !skip { print }
      ' "$document" >"$work/document"
    cp "$work/document" "$document"
  done
fi
