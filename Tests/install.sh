#!/bin/sh
# install.sh PACKAGE...: installs the Debian packages that are missing, and nothing when none is.
set -eu
missing=
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# Unquoted on purpose: one word a package.
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
