#!/usr/bin/env bash
# A package of Python's in a virtual environment of its own: python.sh PACKAGE VERSION [WITH]…
# WITH are packages that it wants beside it. Prints where that environment's Python is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

home=$cache/$1-$2
advice="Needed is $1==$2: pip's index has to have it, and \`index-url\` in /etc/pip.conf says which that is"
"$here/debian.sh" python3-venv
if [ ! -e "$home/complete" ]; then
  echo "installing $1 $2" >&2
  rm -rf "$home"
  # Debian's own, which has what makes environments, whatever other Python is in PATH.
  quietly /usr/bin/python3 -m venv "$home"
  quietly "$home/bin/python" -m pip install --quiet "$1==$2" "${@:3}"
  touch "$home/complete"
fi
echo "$home/bin/python"
