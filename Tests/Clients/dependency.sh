#!/bin/bash
# What a package gets that depends on the last commit by URL and uses the libraries alone: one package is
# downloaded, and the products are the libraries and `waymark`.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

git clone -q "$root" waymark
git -C waymark tag 999.0.0
mkdir -p client/Sources/client
cd client
cat >Package.swift <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  dependencies: [.package(url: "file://$folder/waymark", exact: "999.0.0", traits: [])],
  targets: [
    .executableTarget(
      name: "client", dependencies: [.product(name: "CoreLocation", package: "waymark")])
  ]
)
END
echo 'import CoreLocation' >Sources/client/main.swift
swift package resolve >log 2>&1 || { cat log && exit 1; }

failed=0
compare() { # what, expected, found
  [ "$2" = "$3" ] || { echo "clients: $1: found '$3', expected '$2'" && failed=1; }
}
compare "downloaded packages" "swift-log waymark" "$(ls .build/checkouts | xargs)"
compare "products" "CoreLocation Geocoding Tracking waymark WaymarkCoreLocation WaymarkFoundation WaymarkKit WaymarkSettings" "$(
  swift package --package-path .build/checkouts/waymark describe --type json 2>/dev/null |
    jq -r '.products[].name' | sort -f | xargs
)"
exit $failed
