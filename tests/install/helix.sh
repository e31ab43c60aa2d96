#!/usr/bin/env bash
# Helix, which Debian has from the suite `trixie` on: that suite's files are unpacked beside the system,
# and the program runs with that suite's own C library. Prints a command that starts it.
set -euo pipefail
. "$(dirname "$0")/common.sh"

root=$("$here/suite.sh" trixie "$(dpkg --print-architecture)" hx)
home=$(dirname "$root")
libraries=$(dirname "$(find "$root" -name 'ld-linux-*.so.*' | head -n 1)")
loader=$(basename "$(find "$libraries" -name 'ld-linux-*.so.*' | head -n 1)")
cat >"$home/hx" <<EOF
#!/bin/sh
export HELIX_RUNTIME="\${HELIX_RUNTIME:-$root/usr/lib/hx/runtime}"
exec "$libraries/$loader" --library-path "$libraries" "$root/usr/lib/hx/hx" "\$@"
EOF
chmod +x "$home/hx"
"$home/hx" --version | grep -q '^helix' || fail "$home/hx does not run"
echo "$home/hx"
