#!/bin/bash
# debian.sh DIST VERSION: lints the package in DIST, and installs, upgrades, downgrades, removes and
# purges it in a Debian of its own, made by debootstrap (needs root). SUITE=trixie takes another Debian.
set -euo pipefail
dist=$(readlink -f "$1") version=$2
suite=${SUITE:-bookworm}
package=waymark_${version}_$(dpkg --print-architecture).deb
project=$(readlink -f "$(dirname "$0")/../..")
work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
  echo "debian: $*" >&2
  exit 1
}
step() { echo "debian: $*"; }

step "lintian finds no error"
lintian --allow-root --fail-on error "$dist/$package"

step "the same files give the same bytes"
SOURCE_DATE_EPOCH=$(git -C "$project" log -1 --format=%ct) \
  "$project/Sources/Packaging/dist.sh" "$project/.build/dist-root" "$version" "$work/again"
diff -r "$dist" "$work/again" || fail "two packages of the same files differ"
(cd "$dist" && sha256sum --check --quiet SHA256SUMS)

step "who builds a package is its maintainer"
DEBFULLNAME="Ida Moß" DEBEMAIL=ida@boats.example SOURCE_DATE_EPOCH=0 \
  "$project/Sources/Packaging/package.sh" "$project/.build/dist-root" "$version" "$work/ida.deb"
[ "$(dpkg-deb --field "$work/ida.deb" Maintainer)" = "Ida Moß <ida@boats.example>" ] ||
  fail "the maintainer is $(dpkg-deb --field "$work/ida.deb" Maintainer)"
! DEBEMAIL='ida|boats' SOURCE_DATE_EPOCH=0 "$project/Sources/Packaging/package.sh" \
  "$project/.build/dist-root" "$version" "$work/bad.deb" 2>"$work/log" || fail "a bad address was taken"
grep -q "expected a name and an address" "$work/log" || fail "a bad address: $(cat "$work/log")"

step "a fresh $suite"
base=$project/.build/debian-$suite.tar
if [ ! -s "$base" ]; then
  debootstrap --variant=minbase "$suite" "$work/base" http://deb.debian.org/debian >"$work/log" 2>&1 ||
    fail "debootstrap: $(tail -3 "$work/log")"
  chroot "$work/base" apt-get -qq update
  tar -C "$work/base" -cf "$base.new" .
  mv "$base.new" "$base"
fi
mkdir "$root"
tar -C "$root" -xf "$base"
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"
# A release of the same program under a lower number stands for the one before.
SOURCE_DATE_EPOCH=0 "$project/Sources/Packaging/package.sh" "$project/.build/dist-root" 0.0.1 \
  "$root/old.deb"
cp "$dist/$package" "$root/new.deb"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
add() { inside apt-get -qq install --no-install-recommends --allow-downgrades "$1" >"$work/log" 2>&1; }

step "install the release before, and watch the first half of a story"
add /old.deb || fail "apt-get: $(tail -5 "$work/log")"
story=traces/commute
cp "$project/$story/track.gpx" "$root/"
cp "$project/$story/waymark.yaml" "$root/etc/waymark/watch.yaml"
echo "store: /var/lib/waymark/events.gpkg" >>"$root/etc/waymark/watch.yaml"
mkdir -p -m 0750 "$root/var/lib/private/waymark"
ln -s private/waymark "$root/var/lib/waymark"
inside waymark replay track.gpx --include fix --format jsonl >"$root/fixes.ndjson" 2>/dev/null
half=$(($(wc -l <"$root/fixes.ndjson") / 2))
head -n $half "$root/fixes.ndjson" >"$root/first.ndjson"
tail -n +$((half + 1)) "$root/fixes.ndjson" >"$root/second.ndjson"
# watch FIXES NAME: watches a feed of the fixes until its end, with state, output and store.
watch() {
  inside waymark feed "$1" --listen 127.0.0.1:0 --speed max 2>"$work/feed" >/dev/null &
  local feed=$! port=
  for _ in $(seq 600); do
    port=$(sed -n 's/.*127\.0\.0\.1:\([1-9][0-9]*\).*/\1/p' "$work/feed" | head -n 1)
    [ -z "$port" ] || break
    sleep 0.2
  done
  local code=0
  inside waymark watch "gpsd://127.0.0.1:$port" --no-reconnect --config /etc/waymark/watch.yaml \
    --state "/var/lib/waymark/$2.state" --output "/var/lib/waymark/$2.jsonl" --format jsonl \
    --store "/var/lib/waymark/$2.gpkg" 2>"$work/watch" || code=$?
  wait $feed || true
  # The feed is over, so gpsd is unavailable.
  [ $code = 69 ] || fail "watch ended with $code: $(tail -3 "$work/watch")"
}
watch /first.ndjson events
before=$(wc -l <"$root/var/lib/private/waymark/events.jsonl")
[ "$before" -gt 0 ] || fail "no event in the first half"

step "upgrade, and watch the second half: no event is lost or doubled"
echo "# changed by the administrator" >>"$root/etc/waymark/waymark.yaml"
add /new.deb || fail "the upgrade: $(tail -5 "$work/log")"
inside waymark --version | grep -q "^waymark $version" || fail "not version $version"
grep -q "changed by the administrator" "$root/etc/waymark/waymark.yaml" ||
  fail "the upgrade replaced a changed config"
watch /second.ndjson events
watch /fixes.ndjson whole
# id and revision name an event for ever. Each connection to gpsd has a status of its own.
events() {
  python3 -c 'import json, sys
for event in map(json.loads, sys.stdin):
    if event["type"] != "status": print(event["id"], event.get("revision", 0))' \
    <"$root/var/lib/private/waymark/$1.jsonl"
}
[ "$(events events | sort | uniq -d)" = "" ] || fail "an event was doubled"
diff <(events whole | sort) <(events events | sort) || fail "events of the upgraded run differ"
[ "$(events events | wc -l)" -gt "$before" ] || fail "no event in the second half"
inside waymark doctor --config /etc/waymark/watch.yaml >"$work/doctor" || true
grep -q '^ok .* store' "$work/doctor" || fail "doctor: $(cat "$work/doctor")"

step "the demo, the example config, the manual, and the units"
inside waymark demo --format jsonl 2>/dev/null |
  cmp - "$project/traces/out-and-back/events.jsonl" || fail "the demo has other events"
inside waymark check /etc/waymark/waymark.yaml >/dev/null || fail "the example config"
for command in demo init doctor watch; do
  [ -s "$root/usr/share/man/man1/waymark-$command.1.gz" ] || fail "no page waymark-$command"
done
for unit in waymark.service waymark@van.service waymark-record.service; do
  # 1.5 times ten. What is not offline is not seen: the unit is the same.
  systemd-analyze security --offline=yes --threshold=15 --root="$root" $unit >"$work/security" ||
    fail "$unit: $(tail -1 "$work/security")"
  tail -1 "$work/security"
done

step "a downgrade is refused, and says why"
! add /old.deb || fail "the downgrade was accepted"
grep -q "version $version is installed, which is newer than 0.0.1" "$work/log" ||
  fail "the downgrade: $(tail -5 "$work/log")"
inside waymark --version >/dev/null || fail "the downgrade broke the installation"

step "remove keeps events and config, purge leaves nothing"
inside apt-get -qq remove waymark >"$work/log" 2>&1 || fail "remove: $(tail -5 "$work/log")"
[ ! -e "$root/usr/bin/waymark" ] || fail "the program is still there"
[ -s "$root/var/lib/private/waymark/events.jsonl" ] || fail "remove deleted the events"
[ -s "$root/etc/waymark/waymark.yaml" ] || fail "remove deleted the config"
rm "$root/etc/waymark/watch.yaml"
inside apt-get -qq purge waymark >"$work/log" 2>&1 || fail "purge: $(tail -5 "$work/log")"
left=$(cd "$root" && find etc var usr -path '*waymark*' -not -path 'var/cache/*' -not -path 'var/log/*')
[ -z "$left" ] || fail "purge left: $left"
step "all is well"
