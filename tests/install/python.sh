#!/usr/bin/env bash
# pytest-lsp in a virtual environment of its own. Prints where its Python is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=1.0.1
home=$cache/pytest-lsp-$version
if [ ! -e "$home/complete" ]; then
  echo "installing pytest-lsp $version" >&2
  rm -rf "$home"
  quietly python3 -m venv "$home"
  quietly "$home/bin/python" -m pip install --quiet "pytest-lsp==$version"
  touch "$home/complete"
fi
echo "$home/bin/python"
