# Read by the scripts beside it and by the tests in other programs (../editors, ../action): where things are
# kept, and how to say what is missing.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(dirname "$here")
editors_tests=$tests/editors
project=$(dirname "$tests")
cache=${FRANK_TESTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/frank-tests}
mkdir -p "$cache"
code_server_version=4.100.3

# Ends the run with a sentence.
fail() {
  printf 'tests: %s\n' "$*" >&2
  exit 1
}

# What to do when something cannot be installed; each script that installs says it.
advice=

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
    fail "\`$*\` ended with exit code $code${advice:+. $advice}"
  fi
}

# As the administrator, who may be who runs this already.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif [ -x /usr/bin/sudo ]; then
    /usr/bin/sudo "$@"
  else
    fail "\`$*\` needs to be run by root, and there is no sudo"
  fi
}

# Prints where a program of the registry's is, built from its sources unless there is one of that version:
# crate NAME VERSION WHAT-IT-SAYS-OF-ITS-VERSION [PROGRAM]
crate() {
  local name=$1 version=$2 says=$3 called=${4:-$1} program
  local home=$cache/$name-$version
  for program in "$called" "$home/bin/$called"; do
    if [ "$("$program" --version 2>/dev/null)" = "$says" ]; then
      command -v "$program"
      return
    fi
  done
  echo "installing $name $version" >&2
  advice="Needed is $name $version, in PATH or from cargo's registry; see the settings in ~/.cargo/config.toml"
  quietly cargo install --locked --root "$home" "$name@$version"
  echo "$home/bin/$called"
}

# Lets commands find Node.js, npm and what it installs.
with_node() {
  local programs
  programs=$("$here/node.sh")
  export PATH=$programs:$PATH
}

# Prints a block of a page of the docs, without its fence: block PAGE FENCE NUMBER
# The first block with that fence has the number 1.
block() {
  awk -v fence="\`\`\`$2" -v number="$3" '
    inside && $0 == "```" { exit }
    inside { print }
    $0 == fence && ++count == number { inside = found = 1 }
    END { exit !found }
  ' "$project/docs/$1" || fail "docs/$1 has no block $3 of “$2”"
}

# Runs tests, one folder with a program `run` for each: run_tests FOLDER NAMES… Each test has a scratch
# directory of its own, and the server under test is target/debug/frank or $FRANK_SERVER. It finds those
# programs that every Debian has and those that it installs itself, so that it does not depend on others
# that happen to be there.
run_tests() {
  local folder=$1 name began
  shift
  FRANK_SERVER=$(realpath "${FRANK_SERVER:-$project/target/debug/frank}")
  [ -x "$FRANK_SERVER" ] || fail "there is no program $FRANK_SERVER; \`cargo build -p frank-cli\` makes it"
  export FRANK_SERVER FRANK_PROJECT=$project
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  for name in "$@"; do
    [ -x "$folder/$name/run" ] || fail "there is no $folder/$name/run"
  done
  for name in "$@"; do
    began=$SECONDS
    mkdir "$scratch/$name"
    export FRANK_SCRATCH=$scratch/$name FRANK_PROGRAMS=$scratch/$name.programs
    "$here/programs.sh" "$FRANK_PROGRAMS"
    PATH=$FRANK_PROGRAMS "$folder/$name/run" || fail "$name: failed${FRANK_PICTURES:+; pictures are in $FRANK_PICTURES}"
    echo "$name: passed in $((SECONDS - began)) s"
  done
}

# What a folder's package-lock.json names, into that folder, which is then the current one.
install_locked() {
  cd "$1"
  if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    quietly npm ci --ignore-scripts --no-audit --no-fund
    touch node_modules/.package-lock.json
  fi
}
