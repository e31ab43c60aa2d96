#!/usr/bin/env bash
# The command-line tool of tree-sitter, which tests grammars. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.27.1
crate tree-sitter-cli "$version" "tree-sitter $version" tree-sitter
