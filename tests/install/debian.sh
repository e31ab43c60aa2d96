#!/usr/bin/env bash
# Installs packages of Debian's, unless they are there: debian.sh PACKAGE…
set -euo pipefail
. "$(dirname "$0")/common.sh"

missing=()
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  echo "installing ${missing[*]}"
  command -v apt-get >/dev/null || fail "needed: ${missing[*]}; this script knows apt-get only"
  quietly as_root apt-get update
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
fi
