#!/usr/bin/env bash
# mdbook. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.5.4
crate mdbook "$version" "mdbook v$version"
