#!/usr/bin/env bash
# VS Code's own workbench as a web server, from the npm package `code-server`.
#
# Its scripts for installation expect to be allowed to download things; the few steps of them that
# matter are done here one by one. Prints nothing when all is there.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=$code_server_version
home=$cache/code-server-$version
server=$home/node_modules/code-server
vscode=$server/lib/vscode
"$here/debian.sh" gcc g++ make python3 ripgrep
with_node
[ -e "$home/complete" ] && exit 0

echo "installing code-server $version"
advice="Needed is code-server@$version: npm's registry has to have it, and \`registry\` in ~/.npmrc says which that is"
npm_install=(npm install --ignore-scripts --no-audit --no-fund)
# npm's own copy of the builder of native modules, and Node's headers.
prefix=$(node -p 'path.dirname(path.dirname(process.execPath))')
gyp=$prefix/lib/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js
[ -e "$gyp" ] || fail "npm has no node-gyp where it was expected: $gyp"
[ -e "$prefix/include/node/node.h" ] || fail "Node.js has no headers where they were expected: $prefix/include/node"
build=(node "$gyp" rebuild "--nodedir=$prefix")
export npm_config_nodedir=$prefix

rm -rf "$home"
mkdir -p "$home"
cd "$home"
quietly "${npm_install[@]}" --prefix . "code-server@$version"
# Built in a way of its own; code-server loads it even where it asks for no password.
quietly npm rebuild --prefix . argon2
for folder in "$vscode" "$vscode/extensions"; do
  cd "$folder"
  quietly "${npm_install[@]}" --omit=dev
done
# Reading logs, terminals (tasks run in one), noticing that the parent is gone.
for module in "$vscode/node_modules"/{@vscode/spdlog,node-pty,native-watchdog}; do
  cd "$module"
  quietly "${build[@]}"
done
ln -sfn node_modules "$vscode/node_modules.asar"
mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
ln -sf /usr/bin/rg "$vscode/node_modules/@vscode/ripgrep/bin/rg"
ln -sf code-linux.sh "$vscode/bin/remote-cli/code-server"
ln -sf browser-linux.sh "$vscode/bin/helpers/browser.sh"
touch "$home/complete"
