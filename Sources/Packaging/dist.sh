#!/bin/bash
# dist.sh ROOT VERSION OUT: what a release publishes, in the folder OUT: the Debian package, a tarball of
# the same files, the bill of materials, and the checksums of all. ROOT is what `make install
# PREFIX=/usr` made. The same ROOT and SOURCE_DATE_EPOCH give the same bytes.
set -euo pipefail
export LC_ALL=C TZ=UTC
root=$1 version=$2 out=$3
here=$(dirname "$(readlink -f "$0")")
architecture=$(dpkg --print-architecture)
rm -rf "$out"
mkdir -p "$out"
"$here/package.sh" "$root" "$version" "$out/waymark_${version}_$architecture.deb"
tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --mode=go=rX,u+rw --transform="s|^\./usr|waymark-$version|" --directory "$root" ./usr |
  gzip -n >"$out/waymark-$version-linux-$architecture.tar.gz"
python3 -B "$here/sbom.py" "$version" "$root/usr/bin/waymark" >"$out/waymark-$version.spdx.json"
(cd "$out" && sha256sum ./* >SHA256SUMS)
