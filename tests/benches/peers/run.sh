#!/bin/sh
# Runs the programs of one peer: `run.sh ocaml|effekt|chez|python|autograd`. Each line of the output has
# the name of a workload, the nanoseconds of an operation or a run, and the value. `autograd` reads what
# it computes from standard input.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
peers=$(cd "$here/../../.." && pwd)/target/peers
# Deep recursion needs a deep stack where the stack is the system's.
ulimit -s unlimited 2> /dev/null || true

case "$1" in
  ocaml)
    mkdir -p "$peers/out/ocaml"
    cp "$here/derivatives.ml" "$peers/out/ocaml"
    cd "$peers/out/ocaml"
    "$peers/ocaml/bin/ocamlc" -o derivatives derivatives.ml
    OCAMLRUNPARAM=l=1G exec "$peers/ocaml/bin/ocamlrun" derivatives
    ;;
  effekt)
    mkdir -p "$peers/out/effekt"
    cd "$here"
    "$peers/node_modules/.bin/effekt" --build --backend js -o "$peers/out/effekt" derivatives.effekt >&2
    exec "$peers/out/effekt/derivatives"
    ;;
  chez)
    exec scheme --script "$here/derivatives.ss"
    ;;
  python)
    exec python3 "$here/derivatives.py"
    ;;
  autograd)
    exec "$peers/venv/bin/python" "$here/../../gradbench/peer.py" --time
    ;;
  *)
    echo "run: there is no peer $1" >&2
    exit 1
    ;;
esac
