#!/usr/bin/env bash
# A package of npm's in a folder of its own: npm.sh PACKAGE VERSION PROGRAM [WITH]…
# WITH are packages that it wants beside it. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

package=$1@$2
home=$cache/${1##*/}-$2
advice="Needed is $package: npm's registry has to have it, and \`registry\` in ~/.npmrc says which that is"
with_node
program=$home/node_modules/.bin/$3
shift 3
if [ ! -e "$home/complete" ]; then
  echo "installing $package" >&2
  rm -rf "$home"
  mkdir -p "$home"
  quietly npm install --prefix "$home" --ignore-scripts --no-audit --no-fund "$package" "$@"
  touch "$home/complete"
fi
echo "$program"
