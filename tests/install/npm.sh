#!/usr/bin/env bash
# A package of npm's in a folder of its own: npm.sh PACKAGE VERSION PROGRAM
# Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

home=$cache/$1-$2
if [ ! -e "$home/complete" ]; then
  echo "installing $1 $2" >&2
  rm -rf "$home"
  mkdir -p "$home"
  quietly npm install --prefix "$home" --ignore-scripts --no-audit --no-fund "$1@$2"
  touch "$home/complete"
fi
echo "$home/node_modules/.bin/$3"
