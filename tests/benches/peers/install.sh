#!/bin/sh
# Gets the peers into target/peers: OCaml (bytecode, built from the npm package's sources), Effekt (npm,
# needs java), Chez Scheme (Debian's package, if this may install it), autograd for Python. Python is
# expected to be there.
# What cannot be had is left out, and said so.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
peers="$root/target/peers"
mkdir -p "$peers"

npm install --silent --no-audit --no-fund --prefix "$peers" ocaml @effekt-lang/effekt >&2 ||
  echo "install: npm could not install OCaml and Effekt" >&2

if [ ! -x "$peers/ocaml/bin/ocamlc" ] && [ -d "$peers/node_modules/ocaml" ]; then
  echo "install: building OCaml's bytecode compiler, some minutes" >&2
  (
    cd "$peers/node_modules/ocaml" &&
      ./configure --prefix="$peers/ocaml" --disable-native-compiler --disable-ocamldoc \
        --disable-ocamltest --disable-debugger --disable-instrumented-runtime &&
      make && make install
  ) > "$peers/ocaml.log" 2>&1 || echo "install: OCaml could not be built, see $peers/ocaml.log" >&2
fi

if ! command -v scheme > /dev/null && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  apt-get install -y chezscheme > "$peers/chez.log" 2>&1 ||
    echo "install: Chez Scheme could not be installed, see $peers/chez.log" >&2
fi

if [ ! -x "$peers/venv/bin/python" ]; then
  python3 -m venv "$peers/venv" >&2 || echo "install: python3 has no module venv" >&2
fi
"$peers/venv/bin/pip" install --quiet autograd==1.9.1 numpy==2.4.6 >&2 ||
  echo "install: autograd could not be installed" >&2
