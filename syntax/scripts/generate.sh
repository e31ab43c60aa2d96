#!/bin/sh
# Generates the parser from grammar.js, and records what belongs together in src/generated.cksum.
# With --check changes nothing, and fails unless the committed parser is the grammar's. Needs the
# command-line tool: cargo install tree-sitter-cli --version 0.27.1 --locked
set -eu
cd "$(dirname "$0")/.."

if ! command -v tree-sitter >/dev/null; then
    echo "tree-sitter is not installed; see $0" >&2
    exit 1
fi

if [ "${1:-}" = --check ]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    tree-sitter generate --abi 14 --js-runtime native --output "$scratch" grammar.js
    for file in grammar.json node-types.json parser.c; do
        diff -q "$scratch/$file" "src/$file"
    done
    cksum grammar.js src/grammar.json src/node-types.json src/parser.c | diff - src/generated.cksum
    echo "the parser is the grammar's"
else
    tree-sitter generate --abi 14 --js-runtime native
    cksum grammar.js src/grammar.json src/node-types.json src/parser.c > src/generated.cksum
fi
