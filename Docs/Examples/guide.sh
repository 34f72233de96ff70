#!/bin/bash
# Follows the five minutes of ../CoreLocation.md in an empty folder: guide.sh SCRATCH-DIRECTORY
#
# The commands, the package, the program and its Info.plist are those of the guide. The build uses the
# scratch directory, where the modules of this package may be built already.
set -euo pipefail
scratch=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

block() { # language, number
  awk -v start="\`\`\`$1" -v n="$2" '
    $0 == start { on = ++count == n; next } /^```$/ { on = 0 } on' "$root/Docs/CoreLocation.md"
}
fail() {
  echo "examples: the guide does not work: $*"
  exit 1
}

# The first block of commands installs packages, which the build has already.
block sh 2 >commands.sh
block sh 3 >run.sh
source commands.sh >/dev/null
block swift 1 | sed "s|\.\./waymark|$root|" >Package.swift
block swift 2 >Sources/van/main.swift
block xml 1 >Info.plist
ENGINE= swift build --scratch-path "$scratch" >log 2>&1 || fail "$(grep error log)"

# The second command plays a recording. Lines come as they are printed, and the first one is enough.
variables=$(sed -n '2s/ swift run van$//p' ../run.sh | sed "s|\.\./waymark|$root|")
[ "$variables" ] || fail "found no command with a recording"
eval "export $variables"
line=$(timeout 300 stdbuf -oL "$scratch/debug/van" | head -1) || true
[[ $line = "<+"* ]] || fail "van prints '$line'"
echo "examples: the guide works in an empty folder"
