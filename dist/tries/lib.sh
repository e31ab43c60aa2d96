# Read by the scripts beside it: what is tried, and what holds of all that is installed.

. "$(dirname "${BASH_SOURCE[0]}")/../../tests/install/common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# Both have one; this is the one for tests.
fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the output of a command that has to end with an exit code: ends CODE COMMAND…
ends() {
    local wanted=$1 code=0
    shift
    "$@" >"$scratch/output" 2>&1 </dev/null || code=$?
    [ "$code" = "$wanted" ] || fail "\`$*\`: exit code $wanted was expected, and it is $code: $(cat "$scratch/output")"
}

# The last command's output has a text: says TEXT
says() {
    grep -Fq -- "$1" "$scratch/output" || fail "there is no “$1” in: $(cat "$scratch/output")"
}

# The examples of the book, in a folder.
examples() {
    mkdir -p "$1"
    cp -R "$root/docs/examples" "$1/"
}

# A program that is started by the words given does what it is for: works COMMAND…
# The current directory has the examples, and one of them has a mistake to look at.
works() {
    ends 0 "$@" --version
    says "frank $version"
    ends 1 "$@" check examples
    says 'error[FK0202]: `x` belongs to the outer derivative'
    ends 0 "$@" run examples/paper-nested.fk
    says 1
}

# The one file of a kind that was made: made PATTERN
made() {
    local files
    mapfile -t files < <(find "$out" -maxdepth 1 -name "$1")
    [ ${#files[@]} != 0 ] || fail "there is no $1 in $out; dist/build makes it"
    [ ${#files[@]} = 1 ] || fail "there are several: ${files[*]}"
    echo "${files[0]}"
}
