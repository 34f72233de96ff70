#!/bin/bash
# Builds a program beside a library that does not know this package, from nothing and after changes:
# portable.sh SCRATCH-DIRECTORY
#
# The scratch directory may have the modules of this package already; those that decide what
# `canImport(CoreLocation)` gives are removed first.
set -euo pipefail
scratch=$(realpath "$1")
cd "$(dirname "$0")/Portable"

build() {
  ENGINE= swift build --scratch-path "$scratch" "$@" >"$scratch/portable.log" 2>&1 || {
    grep -E 'error' "$scratch/portable.log"
    echo "examples: Portable does not build $what"
    exit 1
  }
}
check() {
  # As the guide says: first Core Location, then everything that may look for it.
  build --target CoreLocation
  build --product trip
  [ "$("$scratch/debug/trip")" = 52.55 ] || {
    echo "examples: trip prints something else $what"
    exit 1
  }
}

what="from nothing"
rm -rf "$scratch"/debug/{CoreLocation,Geometry,trip}.build \
  "$scratch"/debug/Modules/{CoreLocation,Geometry,trip}.*
check
for round in {1..10}; do
  what="after change $round"
  touch Geometry/Sources/Geometry/Geometry.swift Sources/trip/main.swift
  if [ "$round" = 5 ]; then touch ../../../Sources/CoreLocation/CLLocationCoordinate2D.swift; fi
  check
done
echo "examples: a library that does not know this package builds beside it"
