#!/usr/bin/env bash
# Installs what Debian has, unless it is there: a browser, editors, a terminal without a screen.
set -euo pipefail
. "$(dirname "$0")/common.sh"

missing=()
want() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
}
# The `neovim` here is the old one; the new one comes with `neovim.sh`.
want chromium ripgrep tmux neovim emacs-nox elpa-eglot fonts-dejavu-core pngquant gcc g++ make
if [ "${#missing[@]}" -gt 0 ]; then
  echo "installing ${missing[*]}"
  command -v apt-get >/dev/null || fail "needed: ${missing[*]}; this script knows apt-get only"
  quietly as_root apt-get update
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
fi
command -v node >/dev/null || fail 'Node.js 20 is needed'
case $(node --version) in
  v20.*) ;;
  *) fail "Node.js 20 is needed, whose native modules code-server 4.100 has; found $(node --version)" ;;
esac
