# Read by the tests beside it, after install/common.sh.

"$here/debian.sh" git

# The author of commits, wherever this runs.
export GIT_AUTHOR_NAME=tests GIT_AUTHOR_EMAIL=tests@example.org
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL

# A repository with a program that is right, in the directory that is given.
repository() {
  git init --quiet --initial-branch main "$1"
  cat >"$1/answer.fk" <<'FRANK'
-- > answer!
-- = 42
answer : {Int}
answer! = 6 * 7
FRANK
}

# Runs a command whose exit code is to be: ends_with CODE WHAT COMMAND…
# Its output is in $FRANK_SCRATCH/output.
ends_with() {
  local wanted=$1 what=$2 code=0
  shift 2
  "$@" >"$FRANK_SCRATCH/output" 2>&1 </dev/null || code=$?
  if [ "$code" != "$wanted" ]; then
    cat "$FRANK_SCRATCH/output" >&2
    fail "$what: exit code $wanted was expected, and it is $code"
  fi
  echo "  ok   $what"
}

# The output of the last command has a line like that: says PATTERN
says() {
  grep -Eq -- "$1" "$FRANK_SCRATCH/output" || {
    cat "$FRANK_SCRATCH/output" >&2
    fail "there is no $1 in the output above"
  }
}
