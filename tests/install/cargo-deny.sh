#!/usr/bin/env bash
# cargo-deny. Prints where the program is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

version=0.20.2
crate cargo-deny "$version" "cargo-deny $version"
