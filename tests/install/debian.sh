#!/usr/bin/env bash
# Installs packages of Debian's, unless they are there: debian.sh PACKAGE…
# A test finds the programs of these packages only, in $FRANK_PROGRAMS.
set -euo pipefail
. "$(dirname "$0")/common.sh"

missing=()
for package in "$@"; do
  status=$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) || status=unknown
  [ "$status" = installed ] || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  echo "installing ${missing[*]}" >&2
  advice="Needed are the Debian packages ${missing[*]}: apt-get's sources have to lead to Debian 12"
  command -v apt-get >/dev/null || fail "there is no apt-get. $advice"
  # What packages do when they are installed may need any program of the system's.
  system=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  quietly as_root env "$system" apt-get update
  quietly as_root env "$system" DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
fi
[ -z "${FRANK_PROGRAMS:-}" ] || "$here/programs.sh" "$FRANK_PROGRAMS" "$@"
