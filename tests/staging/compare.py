"""Compares emitted Python and WebAssembly with the interpreter, at a thousand points and at the edges of floats.

`+ - * /` and `sqrt` have to agree to the last bit, in values and in derivatives; the values of other functions within a
unit in the last place, those of hyperbolic ones within two.
"""

import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import wasmtime

FRANK = sys.argv[1]

PROGRAM = """include ad

rational : X -> X -> [Smooth X] X
rational x y = sqrtS (p (t x x) (divide (minus x (c 0.3)) (p (absS y) (c 1.5))))

corners : X -> X -> [Smooth X] X
corners x y = sumS [relu x, absS y, minS x y, maxS y x, signS x, n (t x y), recip y, powi x 2, minus (c 0) x]

-- Longer than a function of the code is.
long' : X -> X -> [Smooth X] X
long' x y = steps 700 x y

steps : Int -> X -> X -> [Smooth X] X
steps 0 x _ = x
steps i x y = steps (i - 1) (p (t (t x x) (c 0.5)) (divide y (p (c 1.1) (t x x)))) y

functions : X -> X -> [Smooth X] (List X)
functions x y = [
  expS x, logS x, sinS x, cosS x, tanS x, asinS x, acosS x, atanS x, sinhS x, coshS x, tanhS x, powS x y, powi x 3,
  powr x 1.5, powr x (-2.5)]
"""

EXACT = {"rational": "rational", "corners": "corners", "long'": "long_prime"}


def points():
    edges = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, 1e308]
    some = random.Random(1)
    between = [[some.uniform(-4, 4), some.uniform(-4, 4)] for _ in range(1000)]
    return [[x, y] for x in edges for y in edges] + between


def term(x):
    if x != x:
        return "(0.0 / 0.0)"
    if math.isinf(x):
        return "(1.0 / 0.0)" if x > 0 else "(-1.0 / 0.0)"
    text = repr(x)
    mantissa, e, exponent = text.partition("e")
    return f"({mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent.replace('+', '')})"


def frank(directory, *arguments):
    run = subprocess.run([FRANK, *arguments], cwd=directory, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"frank {' '.join(arguments)}: {run.stderr}")
    return run.stdout


def interpreted(directory):
    rows = ", ".join(f"[{term(x)}, {term(y)}]" for x, y in points())
    scalars = "".join(
        f"evaluate (case (valueGradList {{[x, y] -> {name} x y}} xs) {{(pair y dy) -> y :: dy}}), " for name in EXACT
    )
    main = (
        "\nmain : [RefState] (List (List Float))\n"
        f"main! = map {{xs -> concat [{scalars}case xs {{[x, y] -> evaluate (functions x y)}}]}} [{rows}]\n"
    )
    (directory / "main.fk").write_text(PROGRAM + main)
    text = frank(directory, "run", "main.fk").strip().strip("[]")
    return [[float(x) for x in row.split(", ")] for row in text.split("], [")]


def place(x):
    bits = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits if bits >= 0 else -(bits & (2**63 - 1)) - 1


def apart(x, y):
    if x != x or y != y:
        return 0 if x != x and y != y else math.inf
    return abs(place(x) - place(y))


def allowed(i):
    """So many units in the last place a number may be off. Libraries of C are off by two in hyperbolic functions."""
    if i < 3 * len(EXACT):
        return 0
    return 2 if i - 3 * len(EXACT) in (8, 9, 10) else 1


def compare(language, rows, expected):
    for point, row, wanted in zip(points(), rows, expected, strict=True):
        for i, (found, value) in enumerate(zip(row, wanted, strict=True)):
            if apart(found, value) > allowed(i):
                sys.exit(f"{language}: at {point}, number {i}: {found} is not {value}")
    print(f"{language}: {len(expected)} points agree")


def python(directory):
    scope = {}
    for name in [*EXACT, "functions"]:
        exec(frank(directory, "derive", "functions.fk", name, "--emit", "python"), scope)  # noqa: S102
    rows = []
    for point in points():
        row = [y for name in EXACT.values() for y in scope[f"{name}_derivatives"](point)]
        rows.append(row + scope["functions"](point))
    return rows


def guarded(function, *, infinite=lambda *_: math.inf):
    """A function of Python's as IEEE has it."""

    def computed(*arguments):
        try:
            return function(*arguments)
        except OverflowError:
            return infinite(*arguments)
        except ValueError:
            if function is math.log and arguments[0] == 0:
                return -math.inf
            if function is math.pow and arguments[0] == 0:
                return math.copysign(math.inf, arguments[0]) if arguments[1] % 2 == 1 else math.inf
            return math.nan

    return computed


def webassembly(directory):
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    float64 = wasmtime.ValType.f64()
    imported = {name: guarded(getattr(math, name)) for name in "exp log sin cos tan asin acos atan cosh tanh".split()}
    imported["sinh"] = guarded(math.sinh, infinite=lambda x: math.copysign(math.inf, x))
    imported["pow"] = guarded(math.pow, infinite=lambda x, y: -math.inf if x < 0 and y % 2 == 1 else math.inf)
    linker = wasmtime.Linker(engine)
    for name, function in imported.items():
        arguments = [float64] * (2 if name == "pow" else 1)
        linker.define_func("math", name, wasmtime.FuncType(arguments, [float64]), function)
    calls = []
    for name, own in [*EXACT.items(), ("functions", "functions")]:
        text = frank(directory, "derive", "functions.fk", name, "--emit", "wat")
        exports = linker.instantiate(store, wasmtime.Module(engine, text)).exports(store)
        suffix = "_derivatives" if name in EXACT else ""
        calls.append((exports, exports[own + suffix], 3 if name in EXACT else 15))

    def call(exports, function, results, point):
        memory, x = exports["memory"], exports["free"].value(store)
        y = x + 8 * len(point)
        memory.write(store, struct.pack(f"<{len(point)}d", *point), x)
        function(store, x, y)
        return struct.unpack(f"<{results}d", memory.read(store, y, y + 8 * results))

    return [[y for one in calls for y in call(*one, point)] for point in points()]


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "functions.fk").write_text(PROGRAM)
        expected = interpreted(directory)
        compare("Python", python(directory), expected)
        compare("WebAssembly", webassembly(directory), expected)


main()
