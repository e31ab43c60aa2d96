#!/bin/sh
# Gets the peers into target/peers: OCaml (bytecode and machine code, built from the npm package's sources),
# Effekt (npm, needs java; its LLVM back end needs clang, llvm and libuv, its Chez back end Chez), Chez Scheme
# (Debian's packages, if this may install them), autograd, NumPy and JAX for Python. Python is expected to be there.
# What cannot be had is left out, and said so.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
peers="$root/target/peers"
mkdir -p "$peers"

npm install --silent --no-audit --no-fund --prefix "$peers" ocaml @effekt-lang/effekt >&2 ||
  echo "install: npm could not install OCaml and Effekt" >&2

if [ ! -x "$peers/ocaml/bin/ocamlopt" ] && [ -d "$peers/node_modules/ocaml" ]; then
  echo "install: building OCaml's compilers, some minutes" >&2
  (
    cd "$peers/node_modules/ocaml" &&
      ./configure --prefix="$peers/ocaml" --disable-ocamldoc --disable-ocamltest \
        --disable-debugger --disable-instrumented-runtime &&
      make && make install
  ) > "$peers/ocaml.log" 2>&1 || echo "install: OCaml could not be built, see $peers/ocaml.log" >&2
fi

# debian COMMAND PACKAGE...: packages of Debian, where the command is missing.
debian() {
  command=$1
  shift
  if ! command -v "$command" > /dev/null && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    apt-get install -y "$@" > "$peers/$command.log" 2>&1 ||
      echo "install: $* could not be installed, see $peers/$command.log" >&2
  fi
}
debian scheme chezscheme
debian clang-19 clang-19 llvm-19 libuv1-dev

if [ ! -x "$peers/venv/bin/python" ]; then
  python3 -m venv "$peers/venv" >&2 || echo "install: python3 has no module venv" >&2
fi
"$peers/venv/bin/pip" install --quiet autograd==1.9.1 numpy==2.4.6 jax==0.7.2 >&2 ||
  echo "install: autograd, NumPy and JAX could not be installed" >&2
