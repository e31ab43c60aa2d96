#!/usr/bin/env bash
# cargo-zigbuild, which links for other systems and for an old glibc, with the compiler that it calls. Prints the
# directory where the programs are.
set -euo pipefail
. "$(dirname "$0")/common.sh"

dirname "$("$here/python.sh" cargo-zigbuild 0.24.1 ziglang==0.17.1)"
