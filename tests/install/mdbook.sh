#!/usr/bin/env bash
# mdbook, built from its sources unless there is one of that version. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.5.4
home=$cache/mdbook-$version
for program in mdbook "$home/bin/mdbook"; do
  if [ "$("$program" --version 2>/dev/null)" = "mdbook v$version" ]; then
    command -v "$program"
    exit
  fi
done
echo "installing mdbook $version" >&2
advice="Needed is mdbook $version, in PATH or from cargo's registry; see the settings in ~/.cargo/config.toml"
quietly cargo install --locked --root "$home" "mdbook@$version"
echo "$home/bin/mdbook"
