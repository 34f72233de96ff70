#!/bin/bash
# make.sh WAYMARK: keeps what this release writes, and the public symbols of its libraries, in
# Tests/Releases/VERSION, for the tests of all later ones. `make symbols` comes before it. Run it with the program that is released, and never again: later programs must read these bytes.
set -euo pipefail
waymark=$(readlink -f "$1")
here=$(readlink -f "$(dirname "$0")")
story=$here/../../traces/out-and-back
version=$("$waymark" --version | cut -d ' ' -f 2)
rm -rf "${here:?}/$version"
mkdir "$here/$version"
cd "$here/$version"
umask 077

cp "$story/waymark.yaml" .
"$waymark" replay "$story/track.gpx" --include fix --format jsonl >fixes.ndjson 2>/dev/null
head -n 150 fixes.ndjson >first.ndjson
tail -n +151 fixes.ndjson >second.ndjson

"$waymark" pipe --config waymark.yaml --state pipe.state --store pipe.gpkg <first.ndjson >pipe.jsonl \
  2>/dev/null

# A killed watch leaves a checkpoint and a journal.
"$waymark" feed first.ndjson --listen 127.0.0.1:0 --speed max 2>feed.log &
feed=$!
until grep -q 'serving' feed.log; do sleep 0.1; done
"$waymark" watch "$(grep -o 'gpsd://[0-9.:]*' feed.log)" --config waymark.yaml --state watch.state \
  --output watch.jsonl --format jsonl --store watch.gpkg 2>watch.log &
watch=$!
until grep -q 'closed the connection' watch.log; do sleep 0.1; done
kill -9 $watch
wait $feed $watch || true
for store in pipe watch; do sqlite3 $store.gpkg 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM' >/dev/null; done
rm -f feed.log watch.log first.ndjson ./*-shm ./*-wal ./*-outbox ./*.lock
python3 -B "$here/../Symbols/stability.py" --write
ls -l
