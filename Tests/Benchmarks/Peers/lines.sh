#!/bin/sh
# lines.sh gpsbabel|ogr2ogr FORMAT FILE: the points of a file as CSV, of which the lines are counted.
set -eu
case $1 in
gpsbabel) gpsbabel -t -i "$2" -f "$3" -o unicsv -F - ;;
ogr2ogr)
  case $2 in
  gpx) ogr2ogr -f CSV /vsistdout/ "$3" track_points -lco GEOMETRY=AS_XY ;;
  *) ogr2ogr -f CSV /vsistdout/ "$3" -lco GEOMETRY=AS_XY ;;
  esac
  ;;
esac | awk 'END {print NR - 1, "points"}'
