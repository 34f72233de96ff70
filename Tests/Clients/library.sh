#!/bin/bash
# Builds and runs the packages of Docs/Examples/Library as a stranger does: library.sh path|url SCRATCH
#
# `path` takes them as they are, with a dependency by path. `url` copies them, with a dependency on the last
# commit by a file:// URL and a version tag, which allows no unsafe flags.
set -euo pipefail
mode=$1
mkdir -p "$2"
scratch=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
packages=$root/Docs/Examples/Library
if [ "$mode" = url ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  git clone -q "$root" "$folder/waymark"
  git -C "$folder/waymark" tag 999.0.0
  cp -r "$packages" "$folder/packages"
  packages=$folder/packages
  sed -i "s|name: \"waymark\", path: \"../../../..\"|url: \"file://$folder/waymark\", exact: \"999.0.0\"|" \
    "$packages"/*/Package.swift
  # The clone is another one each time.
  rm -rf "$scratch"/{checkouts,repositories,workspace-state.json}
fi

run() { # what is run, in a package
  ENGINE= swift "$@" --scratch-path "$scratch" 2>"$scratch/library.log" || {
    grep -E 'error' "$scratch/library.log" || cat "$scratch/library.log"
    echo "clients: $mode: $PWD: swift $* fails"
    exit 1
  }
}
expect() { # what, expected, found
  [ "$2" = "$3" ] || { echo "clients: $mode: $1: found '$3', expected '$2'" && exit 1; }
}

# The documents show these programs.
block() { # document, number
  awk -v n="$2" '$0 == "```swift" { on = ++count == n; next } /^```$/ { on = 0 } on' "$1"
}
articles=$root/Sources/WaymarkKit/WaymarkKit.docc
diff <(block "$root/Docs/Swift.md" 2) "$packages/events/Sources/events/main.swift"
diff <(block "$articles/FirstEvents.md" 2) "$packages/events/Sources/events/main.swift"
diff <(block "$articles/Live.md" 1) "$packages/live/Sources/live/LiveEngine.swift"
diff <(block "$articles/Live.md" 2) "$packages/live/Sources/live/TrackingService.swift"

cd "$packages/events"
run build >/dev/null
cd "$root/traces/out-and-back"
events=$("$scratch/debug/events")
expect "kinds of events" "state enter exit" \
  "$(jq -r .type <<<"$events" | xargs)"
cd /
expect "a lost file" "track.gpx: no such file" "$({ "$scratch/debug/events" || true; } 2>&1 | grep -o "track.gpx: no such file" | head -1)"
expect "libraries of Foundation" "" "$(ldd "$scratch/debug/events" | grep -i foundation || true)"

cd "$packages/live"
run build >/dev/null
expect "the last event" 'van dwell(fence: "yard", inside: 0.5)' \
  "$(timeout 60 "$scratch/debug/live" | tail -1)"

cd "$packages/testing"
run test --disable-xctest >/dev/null

# SwiftPM finds the product whose modules get other names by the last part of the package's URL or path,
# and a checkout may have any name.
if [ "$mode" = url ]; then
  cd "$packages/settings"
  run build >/dev/null
  story=$root/traces/out-and-back
  expect "events of a config" '["mara"] 13 1777705583' \
    "$("$scratch/debug/settings" "$story/waymark.yaml" "$story/track.gpx" | head -1 | cut -d. -f1)"
fi
echo "clients: the packages of Docs/Examples/Library build and run, by $mode"
