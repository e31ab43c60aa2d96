#!/usr/bin/env bash
# The program that makes JavaScript for a module of WebAssembly, of the version that Cargo.lock names. Prints where
# it is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=$(awk '$0 == "name = \"wasm-bindgen\"" { getline; gsub(/[^0-9.]/, ""); print }' "$project/Cargo.lock")
[ -n "$version" ] || fail "Cargo.lock names no version of wasm-bindgen"
home=$cache/wasm-bindgen-cli-$version
program=$home/bin/wasm-bindgen
if [ "$("$program" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
  echo "installing wasm-bindgen $version" >&2
  advice="Needed is wasm-bindgen-cli $version from cargo's registry; see the settings in ~/.cargo/config.toml"
  quietly cargo install --root "$home" "wasm-bindgen-cli@$version"
fi
echo "$program"
