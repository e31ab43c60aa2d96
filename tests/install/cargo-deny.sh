#!/usr/bin/env bash
# cargo-deny, built from its sources unless there is one of that version. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.20.2
home=$cache/cargo-deny-$version
for program in cargo-deny "$home/bin/cargo-deny"; do
  if [ "$("$program" --version 2>/dev/null)" = "cargo-deny $version" ]; then
    command -v "$program"
    exit
  fi
done
echo "installing cargo-deny $version" >&2
advice="Needed is cargo-deny $version, in PATH or from cargo's registry; see the settings in ~/.cargo/config.toml"
quietly cargo install --locked --root "$home" "cargo-deny@$version"
echo "$home/bin/cargo-deny"
