#!/bin/sh
# Packages the extension: ./package.sh [FRANK]
#
# With the path of a program `frank`, that becomes part of the package, which then is for this
# platform only. Needs `npm ci` to have been run; needs no network.
set -eu
cd "$(dirname "$0")"
# What belongs into a package and lies elsewhere in the project.
rm -rf server LICENSE.txt ./*.vsix
cat ../../LICENSE-MIT ../../LICENSE-APACHE >LICENSE.txt
trap 'rm -rf server LICENSE.txt' EXIT
target=
if [ $# -gt 0 ]; then
  case "$1" in *.exe) name=frank.exe ;; *) name=frank ;; esac
  mkdir server
  cp "$1" "server/$name"
  chmod +x "server/$name"
  target="--target $(node -p 'process.platform + "-" + process.arch')"
fi
# shellcheck disable=SC2086
./node_modules/.bin/vsce package --no-dependencies $target
