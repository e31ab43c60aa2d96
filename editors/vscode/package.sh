#!/bin/sh
# Packages the extension: ./package.sh [FRANK [PLATFORM]]
#
# With the path of a program `frank`, that becomes part of the package, which then is for one platform only, such as
# linux-x64: this one, or the one that is named. Without a program the server for browsers and for files that are on no disk
# is part of it, which `server/web/build` has to have made; in a package with a program it would take half of the room, and
# whoever opens such files has the other package. Needs `npm ci` to have been run; needs no network.
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
  target="--target ${2:-$(node -p 'process.platform + "-" + process.arch')}"
fi
node web.mjs
if [ $# -gt 0 ]; then
  rm -f dist/web/frank.wasm dist/web/worker.js
elif [ ! -e dist/web/frank.wasm ]; then
  echo 'package.sh: there is no server for browsers and virtual workspaces: server/web/build makes it' >&2
  exit 1
fi
# shellcheck disable=SC2086
./node_modules/.bin/vsce package --no-dependencies $target
# So that nobody waits for a page with it. A program takes most of its package.
most=8000000
[ $# -eq 0 ] || most=17000000
if [ "$(wc -c <"$(ls ./frank-*.vsix)")" -gt "$most" ] && [ -z "${FRANK_LARGE:-}" ]; then
  echo "package.sh: the package has more than $((most / 1000000)) MB; FRANK_LARGE=1 allows it, for a program that is not for users" >&2
  exit 1
fi
