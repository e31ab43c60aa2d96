# Read by the scripts of `dist`: where things are, and what there is for which platform.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
[[ $target == /* || $target == ?:* ]] || target=$PWD/$target
out=$target/dist
features=native,mcp,plot,kernel
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
# The same source gives the same bytes: every time in an archive is that of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH

# What C is compiled with: no notes for debuggers, and nothing of the time, which the allocator would have in it.
timeless='-g0 -Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__=""'

# What is built from now on is not optimised: for trying what is done with it.
without_optimisation() {
    export CARGO_PROFILE_PUBLISHED_OPT_LEVEL=0 CARGO_PROFILE_PUBLISHED_LTO=off CARGO_PROFILE_PUBLISHED_CODEGEN_UNITS=16
}

# Ends the script with a sentence.
fail() {
    printf '%s: %s\n' "$0" "$*" >&2
    exit 1
}

# A column of a platform's line in targets.tsv: platform NAME COLUMN
platform() {
    awk -F '\t' -v name="$1" -v column="$2" '$1 == name { print $column; found = 1 } END { exit !found }' \
        "$root/dist/lib/targets.tsv" || fail "there is no platform $1; dist/lib/targets.tsv lists them"
}

# The names of the platforms that are built somewhere, `here` or on the `service`'s machines: platforms_of WHERE
platforms_of() {
    awk -F '\t' -v where="$1" '!/^#/ && $7 == where { print $1 }' "$root/dist/lib/targets.tsv"
}

# The name of the platform that this machine is.
this_platform() {
    local name
    name=$(uname -s)-$(uname -m)
    case "$name" in
        Linux-x86_64) echo linux-x64 ;;
        Linux-aarch64) echo linux-arm64 ;;
        Darwin-x86_64) echo darwin-x64 ;;
        Darwin-arm64) echo darwin-arm64 ;;
        MINGW*-x86_64 | MSYS*-x86_64) echo win32-x64 ;;
        MINGW*-aarch64 | MSYS*-aarch64) echo win32-arm64 ;;
        *) fail "$name is no platform of dist/lib/targets.tsv" ;;
    esac
}

# What the program is called on a platform: program_of NAME
program_of() {
    case "$1" in win32-*) echo frank.exe ;; *) echo frank ;; esac
}

# The folder of the program in target/dist that runs on this machine.
folder_that_runs() {
    local name
    for name in "$(this_platform)" "$(this_platform)-musl"; do
        if [ -x "$out/programs/$name/$(program_of "$name")" ]; then
            echo "$out/programs/$name"
            return
        fi
    done
    fail "there is no program that runs on $(this_platform) in $out/programs"
}
