#!/usr/bin/env bash
# Packages of another suite of Debian's, or for another architecture, with all that they need, unpacked beside the system:
# suite.sh SUITE ARCHITECTURE PACKAGE…
# Prints the folder that they are unpacked in.
set -euo pipefail
. "$(dirname "$0")/common.sh"

suite=$1 architecture=$2
shift 2
home=$cache/$suite-$architecture-$1
if [ ! -e "$home/complete" ]; then
  echo "installing $* from $suite for $architecture" >&2
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
  advice="Needed is $* from $suite for $architecture: the source of this machine's Debian packages has to have that suite"
  echo "deb $mirror $suite main" >"$home/sources.list"
  # A package manager with no packages, so that it takes all that these need.
  apt=(apt-get
    -o "Dir::Etc::sourcelist=$home/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$home/lists" -o Dir::State::status=/dev/null
    -o "Dir::Cache=$home" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
    -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
    -o Acquire::Languages=none -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=true)
  quietly "${apt[@]}" update
  quietly "${apt[@]}" install --download-only -y --no-install-recommends "$@"
  for package in "$home"/archives/*.deb; do
    quietly dpkg-deb -x "$package" "$home/root"
  done
  rm -rf "$home/lists" "$home/archives"
  touch "$home/complete"
fi
echo "$home/root"
