#!/usr/bin/env bash
# cargo-deb. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=3.6.0
crate cargo-deb "$version" "cargo-deb $version"
