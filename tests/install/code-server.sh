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
[ -e "$home/complete" ] && exit 0

command -v node >/dev/null || fail 'Node.js 20 is needed'
case $(node --version) in
  v20.*) ;;
  *) fail "Node.js 20 is needed, whose native modules code-server $version has; found $(node --version)" ;;
esac

echo "installing code-server $version"
npm_install=(npm install --ignore-scripts --no-audit --no-fund)
# npm's own copy of the builder of native modules.
gyp=$(npm root --global 2>/dev/null)/npm/node_modules/node-gyp/bin/node-gyp.js
[ -e "$gyp" ] || fail "npm has no node-gyp where it was expected: $gyp"
build=(node "$gyp" rebuild)
# Node's headers are beside it, usually; else they are downloaded.
prefix=$(node -p 'path.dirname(path.dirname(process.execPath))')
if [ -e "$prefix/include/node/node.h" ]; then
  build+=("--nodedir=$prefix")
  export npm_config_nodedir=$prefix
fi

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
ln -sf "$(command -v rg)" "$vscode/node_modules/@vscode/ripgrep/bin/rg"
ln -sf code-linux.sh "$vscode/bin/remote-cli/code-server"
ln -sf browser-linux.sh "$vscode/bin/helpers/browser.sh"
touch "$home/complete"
