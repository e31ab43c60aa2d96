#!/usr/bin/env bash
# Helix, which Debian has from the suite `trixie` on: that suite's files are unpacked beside the system,
# and the program runs with that suite's own C library. Prints a command that starts it.
set -euo pipefail
. "$(dirname "$0")/common.sh"

suite=trixie
home=$cache/helix-$suite
if [ ! -e "$home/complete" ]; then
  echo "installing Helix from $suite" >&2
  rm -rf "$home"
  mkdir -p "$home"/{lists/partial,archives/partial,root}
  # From wherever this machine gets its own packages, which it may never have asked for a list.
  mirror() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian' |
      awk '$2 !~ /-/ && !found { found = $1 } END { print found }'
  }
  mirror=$(mirror)
  if [ -z "$mirror" ]; then
    quietly as_root apt-get update
    mirror=$(mirror)
  fi
  [ -n "$mirror" ] || fail 'apt-get has no source of Debian packages: /etc/apt/sources.list.d is to name one'
  advice="Needed is Helix from $suite: the source of this machine's Debian packages has to have that suite"
  echo "deb $mirror $suite main" >"$home/sources.list"
  # A package manager with no packages, so that it takes all that Helix needs.
  apt=(apt-get
    -o "Dir::Etc::sourcelist=$home/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$home/lists" -o Dir::State::status=/dev/null
    -o "Dir::Cache=$home" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
    -o Acquire::Languages=none -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=true)
  quietly "${apt[@]}" update
  quietly "${apt[@]}" install --download-only -y --no-install-recommends hx
  for package in "$home"/archives/*.deb; do
    quietly dpkg-deb -x "$package" "$home/root"
  done
  rm -rf "$home/lists" "$home/archives"
  libraries=$(dirname "$(find "$home/root" -name 'ld-linux-*.so.*' | head -n 1)")
  loader=$(basename "$(find "$libraries" -name 'ld-linux-*.so.*' | head -n 1)")
  cat >"$home/hx" <<EOF
#!/bin/sh
export HELIX_RUNTIME="\${HELIX_RUNTIME:-$home/root/usr/lib/hx/runtime}"
exec "$libraries/$loader" --library-path "$libraries" "$home/root/usr/lib/hx/hx" "\$@"
EOF
  chmod +x "$home/hx"
  touch "$home/complete"
fi
"$home/hx" --version | grep -q '^helix' || fail "$home/hx does not run"
echo "$home/hx"
