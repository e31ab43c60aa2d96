#!/usr/bin/env bash
# Compiles the tree-sitter parser, as the pages of the docs say, to the path that is given.
set -euo pipefail
. "$(dirname "$0")/common.sh"
mkdir -p "$(dirname "$1")"
quietly cc -O2 -shared -fPIC -I "$project/syntax/src" -o "$1" "$project/syntax/src/parser.c" "$project/syntax/src/scanner.c"
