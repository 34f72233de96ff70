#!/bin/bash
# fetch.sh FOLDER: the C sources of nanoarrow and flatcc in FOLDER/CNanoarrow, as SwiftPM builds them.
#
# They come with nanoarrow's source distribution on PyPI, of a fixed version and checksum. Nothing is done
# when they are there already.
set -euo pipefail
version=0.9.0
checksum=1ce15bbed8532839347faa78824c5dbd3769bff60661003e34c6fba5dd881bd3
here=$(dirname "$(readlink -f "$0")")
folder=$1 target=$1/CNanoarrow
[ "$(cat "$target/fetched" 2>/dev/null)" = "$version $checksum" ] && exit

echo "fetching nanoarrow $version"
mkdir -p "$folder"
scratch=$(mktemp -d "$folder/fetching.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
echo "nanoarrow==$version --hash=sha256:$checksum" >"$scratch/requirements"
# pip asks the build system of a source distribution for its name before it saves it. mesonpy.py answers
# in its place: the real one would fetch meson, ninja and Cython for that.
PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 NANOARROW=$version "$scratch/venv/bin/pip" download --quiet \
  --disable-pip-version-check --no-deps --no-binary nanoarrow --no-build-isolation \
  --requirement "$scratch/requirements" --dest "$scratch"
tar --extract --gzip --file "$scratch/nanoarrow-$version.tar.gz" --directory "$scratch"

from=("$scratch/nanoarrow-$version/subprojects"/{arrow-nanoarrow/src/nanoarrow,flatcc-*})
nanoarrow=${from[0]} flatcc=${from[1]} made=$scratch/CNanoarrow
mkdir -p "$made"/{nanoarrow,flatcc,include/nanoarrow/common,private/nanoarrow/ipc}
cp "$nanoarrow"/common/{array,array_stream,schema,utils}.c \
  "$nanoarrow"/ipc/{codecs,decoder,encoder,writer}.c "$made/nanoarrow"
cp "$flatcc"/src/runtime/{builder,emitter,refmap,verifier}.c "$flatcc"/{LICENSE,NOTICE} "$made/flatcc"
cp "$nanoarrow"/{nanoarrow,nanoarrow_ipc}.h "$made/include/nanoarrow"
cp "$nanoarrow"/common/inline_*.h "$made/include/nanoarrow/common"
cp "$nanoarrow/ipc/flatcc_generated.h" "$made/private/nanoarrow/ipc"
cp -r "$flatcc/include/flatcc" "$made/private"
IFS=. read -r major minor patch <<<"$version"
sed -e "s/@NANOARROW_VERSION_MAJOR@/$major/; s/@NANOARROW_VERSION_MINOR@/$minor/" \
  -e "s/@NANOARROW_VERSION_PATCH@/$patch/; s/@NANOARROW_VERSION@/$version/" \
  -e 's/@NANOARROW_NAMESPACE_DEFINE@//' \
  "$nanoarrow/nanoarrow_config.h.in" >"$made/include/nanoarrow/nanoarrow_config.h"
cp "$here/module.modulemap" "$made/include"
echo "$version $checksum" >"$made/fetched"
rm -rf "$target"
mv "$made" "$target"
