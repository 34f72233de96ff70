#!/bin/bash
# package.sh ROOT VERSION OUT: makes the Debian package OUT of what `make install PREFIX=/usr` put into
# ROOT. The bytes depend on these files, the version, SOURCE_DATE_EPOCH and the maintainer only: who builds
# a package answers for it, and gives a name and an address in DEBFULLNAME and DEBEMAIL, as for Debian's
# own tools. Without them the address is one that nobody has.
set -euo pipefail
export LC_ALL=C TZ=UTC
root=$1 version=$2 out=$3
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 0755 "$work"
umask 022
cp -R "$root/." "$work"
architecture=$(dpkg --print-architecture)
documents=$work/usr/share/doc/waymark
now=$(date -R -d "@$SOURCE_DATE_EPOCH")
maintainer="${DEBFULLNAME:-Waymark maintainers} <${DEBEMAIL:-maintainers@waymark.example}>"
case ${DEBFULLNAME:-}${DEBEMAIL:-} in
*[\<\>\|\&\\$'\n']*)
  echo "package: DEBFULLNAME and DEBEMAIL are '${DEBFULLNAME:-}' and '${DEBEMAIL:-}', expected a name and" \
    "an address without < > | & and \\" >&2
  exit 1
  ;;
esac

# Debian's names and places.
mv "$documents/NOTICE" "$documents/copyright"
rm "$documents/LICENSE"
printf '\n%s\n' "The Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0." \
  >>"$documents/copyright"
printf 'waymark (%s) unstable; urgency=medium\n\n  * See %s.\n\n -- %s  %s\n' "$version" \
  "/usr/share/doc/waymark/changelog.gz" "$maintainer" \
  "$now" >"$documents/changelog.Debian"
cp "$here/../../CHANGELOG.md" "$documents/changelog"
install -D -m 0644 "$here/debian/lintian-overrides" "$work/usr/share/lintian/overrides/waymark"
gzip -9n "$documents/changelog" "$documents/changelog.Debian" "$work"/usr/share/man/man1/*.1

# The example is what `waymark init` writes when nothing is answered.
mkdir -p "$work/etc/waymark"
"$work/usr/bin/waymark" init "$work/etc/waymark/waymark.yaml" </dev/null 2>/dev/null

# What the program is linked with, found in the packages of this machine.
mkdir -p "$work/debian"
printf 'Source: waymark\n\nPackage: waymark\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O usr/bin/waymark 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
rm -r "$work/debian"

size=$(du -k -s --apparent-size "$work" | cut -f 1)
mkdir "$work/DEBIAN"
fill() {
  sed -e "s|@VERSION@|$version|g" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@SIZE@|$size|" \
    -e "s|@DEPENDS@|$depends|" -e "s|@MAINTAINER@|$maintainer|" "$here/debian/$1" >"$work/DEBIAN/$1"
}
for script in preinst postinst prerm postrm; do
  fill $script
  chmod 0755 "$work/DEBIAN/$script"
done
fill control
echo /etc/waymark/waymark.yaml >"$work/DEBIAN/conffiles"
(cd "$work" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$work/DEBIAN/md5sums"

# Level 3 takes a third of the time of 6, and the package is a twentieth larger.
mkdir -p "$(dirname "$out")"
dpkg-deb --root-owner-group -Zxz -z3 --build "$work" "$out" >/dev/null
