# Read by the scripts beside it: where things are kept, and how to say what is missing.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
editors_tests=$(dirname "$here")
project=$(cd "$editors_tests/../.." && pwd)
cache=${FRANK_EDITORS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/frank-editors}
mkdir -p "$cache"
code_server_version=4.100.3

# Ends the run with a sentence.
fail() {
  printf 'tests/editors: %s\n' "$*" >&2
  exit 1
}

# Runs a command quietly; its output is shown if it fails.
quietly() {
  local log
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then
    rm -f "$log"
  else
    local code=$?
    tail -n 60 "$log" >&2
    rm -f "$log"
    fail "\`$*\` ended with exit code $code"
  fi
}

# As the administrator, who may be who runs this already.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "\`$*\` needs to be run by root, and there is no sudo"
  fi
}
