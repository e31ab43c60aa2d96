"""Writes what JAX makes of the primitives of the library `ad` at the edges: jax.txt, beside this.

    pip install jax==0.10.2
    python3 generate.py > jax.txt

A line has a primitive, its operands, and the columns that the first line names, between tabs: the
value, the first derivatives, the second ones. Numbers are the shortest decimals that read back as
the same number. First derivatives are `jax.grad`, second ones `jax.grad` of `jax.grad`, in 64 bits,
on the processor.
"""

import itertools
import platform

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

LEAST, NORMAL, MOST = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308
MAGNITUDES = [0.0, LEAST, NORMAL, 1e-300, 0.5, 1.0, 2.0, 1e300, MOST, np.inf]
# Where functions of one operand come near to their limits, or overflow.
MORE = [1e-8, 0.9999999999, 0.9999999999999999, 3.0, 20.0, 40.0, 700.0, 750.0]

ONE = {
    "negate": lambda x: -x,
    "recip": jnp.reciprocal,
    "square": jnp.square,
    "exp": jnp.exp,
    "log": jnp.log,
    "sqrt": jnp.sqrt,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "tan": jnp.tan,
    "asin": jnp.arcsin,
    "acos": jnp.arccos,
    "atan": jnp.arctan,
    "sinh": jnp.sinh,
    "cosh": jnp.cosh,
    "tanh": jnp.tanh,
    "sigmoid": jax.nn.sigmoid,
    "softplus": jax.nn.softplus,
    "relu": jax.nn.relu,
    "abs": jnp.abs,
    "sign": jnp.sign,
}
# The powers of one operand: those with whole exponents, and those with others.
ONE |= {f"powi {i}": lambda x, i=i: jax.lax.integer_pow(x, i) for i in range(-2, 5)}
ONE |= {
    f"powr {y}": lambda x, y=y: jnp.power(x, y)
    for y in [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
}

TWO = {
    "plus": jnp.add,
    "minus": jnp.subtract,
    "times": jnp.multiply,
    "divide": jnp.divide,
    "pow": jnp.power,
    "min": jnp.minimum,
    "max": jnp.maximum,
}
# A power of a number to itself, and others whose operands depend on each other.
ONE |= {
    "pow x x": lambda x: jnp.power(x, x),
    "divide x x": lambda x: x / x,
    "max x x": lambda x: jnp.maximum(x, x),
    "max x -x": lambda x: jnp.maximum(x, -x),
}


def signed(magnitudes):
    return [sign * x for x in magnitudes for sign in (1.0, -1.0)] + [np.nan]


def write(name, points, columns):
    for row in zip(*points, *(np.asarray(column) for column in columns)):
        print(name, *(repr(float(x)) for x in row), sep="\t")


def main():
    print(f"# jax {jax.__version__}, numpy {np.__version__}, Python {platform.python_version()}")
    print("# one operand: x, value, d/dx, d2/dx2")
    print("# two operands: x, y, value, d/dx, d/dy, d2/dx2, d2/dx dy, d2/dy2")
    xs = np.array(signed(MAGNITUDES + MORE))
    for name, f in ONE.items():
        first = jax.grad(f)
        functions = [f, first, jax.grad(first)]
        write(name, [xs], [jax.jit(jax.vmap(g))(xs) for g in functions])
    pairs = np.array(list(itertools.product(signed(MAGNITUDES), repeat=2)))
    xs, ys = pairs[:, 0], pairs[:, 1]
    for name, f in TWO.items():
        dx, dy = jax.grad(f, 0), jax.grad(f, 1)
        functions = [f, dx, dy, jax.grad(dx, 0), jax.grad(dx, 1), jax.grad(dy, 1)]
        write(name, [xs, ys], [jax.jit(jax.vmap(g))(xs, ys) for g in functions])


if __name__ == "__main__":
    main()
