#!/usr/bin/env bash
# The language server for queries of tree-sitter, which checks them. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$here/debian.sh" cmake
version=3.16.0
crate ts_query_ls "$version" "ts_query_ls $version"
