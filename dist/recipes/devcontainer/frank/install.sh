#!/bin/sh
# Installs `frank` of the version VERSION into /usr/local/bin; run as root while the container is made. FRANK_RELEASES says
# where releases are, if not in the project's own place; FRANK_ROOT what comes before /usr/local, for tests.
set -eu

version=${VERSION:-@VERSION@}
version=${version#v}
case "$(uname -m)" in
  x86_64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *)
    echo "frank: there is none for $(uname -m)" >&2
    exit 1
    ;;
esac
# Without a library of its own it runs in every container.
name=frank-$version-$machine-unknown-linux-musl
from=${FRANK_RELEASES:-https://github.com/frank-tools/frank/releases/download}/v$version
if ! command -v curl >/dev/null; then
  if command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates curl
  elif command -v apk >/dev/null; then
    apk add --no-cache curl
  fi
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
curl --fail --silent --show-error --location --remote-name "$from/SHA256SUMS"
curl --fail --silent --show-error --location --remote-name "$from/$name.tar.gz"
grep " $name.tar.gz\$" SHA256SUMS | sha256sum -c - >/dev/null || {
  echo "frank: $from/$name.tar.gz is not what was published" >&2
  exit 1
}
tar -xzf "$name.tar.gz"
mkdir -p "${FRANK_ROOT:-}/usr/local/bin"
cp "$name/frank" "${FRANK_ROOT:-}/usr/local/bin/frank"
"${FRANK_ROOT:-}/usr/local/bin/frank" --version
