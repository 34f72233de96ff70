#!/bin/sh
# lines.sh gpsbabel|ogr2ogr FILE: the points of a GPX file as CSV, of which the lines are counted.
set -eu
case $1 in
gpsbabel) gpsbabel -t -i gpx -f "$2" -o unicsv -F - ;;
ogr2ogr) ogr2ogr -f CSV /vsistdout/ "$2" track_points -lco GEOMETRY=AS_XY ;;
esac | awk 'END {print NR - 1, "points"}'
