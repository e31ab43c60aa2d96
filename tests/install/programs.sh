#!/usr/bin/env bash
# Puts links into a directory to the programs of Debian packages, of what they depend on, and of what every
# Debian has: programs.sh DIRECTORY PACKAGE…
#
# With nothing else in PATH, what a script calls and no script installs is missing on every machine.
set -euo pipefail
. "$(dirname "$0")/common.sh"

command -v dpkg-query >/dev/null || fail 'there is no dpkg-query, which knows the programs of packages: use Debian 12'
directory=$1
shift
mkdir -p "$directory"
# Essential packages come with Debian, and so does apt. Of alternatives the first that is there counts.
packages=$(dpkg-query --show --showformat \
  '${db:Status-Status}\t${binary:Package}\t${Package}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n' |
  awk -F '\t' -v wanted="apt $*" '
    $1 == "installed" {
      depends[$2] = $6
      providers[$3] = $2
      count = split($5, virtual, /, */)
      for (i = 1; i <= count; i++) {
        sub(/ .*/, "", virtual[i])
        if (!(virtual[i] in providers)) providers[virtual[i]] = $2
      }
      if ($4 == "yes") wanted = wanted " " $3
    }
    END {
      left = split(wanted, queue, " ")
      while (left > 0) {
        package = providers[queue[left--]]
        if (package == "" || package in taken) continue
        taken[package]
        print package
        count = split(depends[package], groups, /, */)
        for (i = 1; i <= count; i++) {
          names = split(groups[i], names_of, / *\| */)
          for (j = 1; j <= names; j++) {
            sub(/[ :].*/, "", names_of[j])
            if (!(names_of[j] in providers)) continue
            queue[++left] = names_of[j]
            break
          }
        }
      }
    }
  ')
# Many a program is found by a link, such as those of Debian's alternatives.
# shellcheck disable=SC2086
mapfile -t owned < <(dpkg-query --listfiles $packages | grep -E '^(/usr)?/s?bin/[^/]+$' | xargs realpath -m | sort -u)
mapfile -t there < <(find /usr/bin /usr/sbin -mindepth 1 -maxdepth 1)
paste <(realpath -m "${there[@]}") <(printf '%s\n' "${there[@]}") |
  awk -F '\t' 'NR == FNR { owned[$0]; next } $1 in owned { print $2 }' <(printf '%s\n' "${owned[@]}") - |
  xargs ln -sf -t "$directory"
