#!/bin/sh
# Runs the programs of one peer, as below. Each line of the output has
# the name of a workload, the nanoseconds of an operation or a run, and the value. `autograd` reads what
# it computes from standard input.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
peers=$(cd "$here/../../.." && pwd)/target/peers
# Deep recursion needs a deep stack where the stack is the system's.
ulimit -s unlimited 2> /dev/null || true

# effekt BACKEND [OPTION...]: compiles Effekt's program with a back end, and runs it.
effekt() {
  mkdir -p "$peers/out/effekt-$1"
  cd "$here"
  "$peers/node_modules/.bin/effekt" --build --backend "$@" -o "$peers/out/effekt-$1" derivatives.effekt >&2
  exec "$peers/out/effekt-$1/derivatives"
}

case "$1" in
  ocaml)
    mkdir -p "$peers/out/ocaml"
    cp "$here/derivatives.ml" "$peers/out/ocaml"
    cd "$peers/out/ocaml"
    "$peers/ocaml/bin/ocamlc" -o derivatives derivatives.ml
    OCAMLRUNPARAM=l=1G exec "$peers/ocaml/bin/ocamlrun" derivatives
    ;;
  ocaml-native)
    mkdir -p "$peers/out/ocaml-native"
    cp "$here/derivatives.ml" "$peers/out/ocaml-native"
    cd "$peers/out/ocaml-native"
    "$peers/ocaml/bin/ocamlopt" -O3 -unsafe -inline 200 -o derivatives derivatives.ml 2> /dev/null
    OCAMLRUNPARAM=l=1G exec ./derivatives
    ;;
  effekt)
    effekt js
    ;;
  effekt-llvm)
    effekt llvm --llvm-version 19
    ;;
  effekt-chez)
    effekt chez-cps
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
  jax)
    exec "$peers/venv/bin/python" "$here/../../gradbench/peer.py" --time --jax
    ;;
  *)
    echo "run: there is no peer $1" >&2
    exit 1
    ;;
esac
