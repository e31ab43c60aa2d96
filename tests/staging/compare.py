"""Compares emitted Python, WebAssembly, Frank and JSON with the interpreter, at a thousand points and at the edges of floats.

`+ - * /` and `sqrt` have to agree to the last bit, in values and in derivatives; the values of other functions within a
unit in the last place, those of hyperbolic ones within two.
"""

import json
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


def point_terms():
    return ", ".join(f"[{term(x)}, {term(y)}]" for x, y in points())


def printed_rows(directory, file):
    """What a program prints that gives a list of lists of floats."""
    text = frank(directory, "run", file).strip().strip("[]")
    return [[float(x) for x in row.split(", ")] for row in text.split("], [")]


def interpreted(directory):
    rows = point_terms()
    scalars = "".join(
        f"evaluate (case (valueGradList {{[x, y] -> {name} x y}} xs) {{(pair y dy) -> y :: dy}}), " for name in EXACT
    )
    main = (
        "\nmain : [RefState] (List (List Float))\n"
        f"main! = map {{xs -> concat [{scalars}case xs {{[x, y] -> evaluate (functions x y)}}]}} [{rows}]\n"
    )
    (directory / "main.fk").write_text(PROGRAM + main)
    return printed_rows(directory, "main.fk")


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


def as_frank(directory):
    """The emitted programs, which the interpreter runs like others."""
    includes, calls = [], []
    for i, (name, suffix) in enumerate([*((name, "StagedDerivatives") for name in EXACT), ("functions", "Staged")]):
        text = frank(directory, "derive", "functions.fk", name, "--emit", "frank")
        (directory / f"staged-{'abcd'[i]}.fk").write_text(text)
        includes.append(f"include staged-{'abcd'[i]}\n")
        calls.append(f"evaluate ({name}{suffix} xs)")
    main = f"\nmain : {{List (List Float)}}\nmain! = map {{xs -> concat [{', '.join(calls)}]}} [{point_terms()}]\n"
    (directory / "staged.fk").write_text("".join(includes) + main)
    return printed_rows(directory, "staged.fk")


def divided(x, y):
    if y != 0:
        return x / y
    return math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


def lesser(x, y):
    return x if x < y else y if x >= y else x + y


def greater(x, y):
    return x if x > y else y if x <= y else x + y


def power(x, y):
    return guarded(math.pow, infinite=lambda x, y: -math.inf if x < 0 and y % 2 == 1 else math.inf)(x, y)


ONE = {
    "negate": lambda x: -x,
    "recip": lambda x: divided(1.0, x),
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "relu": lambda x: 0.0 if x <= 0 else x,
    "abs": abs,
    "sign": lambda x: math.copysign(1.0, x) if x > 0 or x < 0 else x,
    "step": lambda x: 1.0 if x > 0 else 0.0 if x <= 0 else x,
    "positive": lambda x: 1.0 if x == 0 else x,
    "sinh": guarded(math.sinh, infinite=lambda x: math.copysign(math.inf, x)),
    **{name: guarded(getattr(math, name)) for name in "exp log sin cos tan asin acos atan cosh tanh".split()},
}
TWO = {
    "plus": lambda x, y: x + y,
    "minus": lambda x, y: x - y,
    "times": lambda x, y: x * y,
    "divide": divided,
    "pow": power,
    "min": lesser,
    "max": greater,
    "above": lambda x, y: 1.0 if x > y else 0.0 if x < y else 0.5 if x == y else x + y,
    "scale": lambda x, y: 0.0 if x == 0 else x * y,
}


def as_json(directory):
    """The emitted graphs, computed as the documentation says: an operation is one of the library `ad`."""
    graphs = []
    for name in [*EXACT, "functions"]:
        unit = json.loads(frank(directory, "derive", "functions.fk", name, "--emit", "json"))
        graphs.append(unit["functions"][0 if name == "functions" else 1])

    def computed(graph, point):
        lines = []

        def value(operand):
            if isinstance(operand, list):
                return (point if operand[0] == "input" else lines)[operand[1]]
            return float(operand)

        for line in graph["lines"]:
            operands = [value(operand) for operand in line["operands"]]
            if "exponent" in line:
                lines.append(power(*operands, value(line["exponent"])))
            else:
                lines.append((ONE if len(operands) == 1 else TWO)[line["operation"]](*operands))
        return [value(result) for result in graph["results"]]

    return [[y for graph in graphs for y in computed(graph, point)] for point in points()]


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "functions.fk").write_text(PROGRAM)
        expected = interpreted(directory)
        compare("Python", python(directory), expected)
        compare("WebAssembly", webassembly(directory), expected)
        compare("Frank", as_frank(directory), expected)
        compare("JSON", as_json(directory), expected)


main()
