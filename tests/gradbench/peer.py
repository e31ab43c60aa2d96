"""The evaluations of GradBench that scalars can do, by autograd (https://github.com/HIPS/autograd), and
those without loops that end by what was computed by JAX (https://github.com/jax-ml/jax), too.

Reads cases from standard input, a line each, as `Case::line` in tests/support/gradbench.rs writes
them: the evaluation, the functions that are asked for, its whole numbers, its other numbers,
between tabs. Writes for each function a line: the case and the function, the nanoseconds that it
took (the best of some runs; 0 without `--time`), and its values, between tabs.

    peer.py < cases           values alone: what references.txt keeps
    peer.py --time < cases    times, too
    peer.py --jax < cases     by JAX, compiled before it is timed
"""

import math
import sys
import time

if "--jax" in sys.argv[1:]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as np
    from jax import grad, jit as compiled

    def repeat(times, step, y):
        return jax.lax.fori_loop(0, times, lambda _, y: step(y), y)

    def finished(values):
        return jax.block_until_ready(values)

    def prepare(function):
        finished(function())

else:
    import autograd.numpy as np
    from autograd import grad, make_jvp

    def compiled(function):
        return function

    def repeat(times, step, y):
        for _ in range(times):
            y = step(y)
        return y

    def finished(values):
        return values

    def prepare(function):
        pass

# How long a function is repeated for its best time, in nanoseconds, and how often at least.
PATIENCE = 1_500_000_000
LEAST = 3


def reverse(function):
    """The gradient by reverse mode."""
    return grad(function)


def forward(function):
    """The gradient by forward mode: a run for each variable."""

    def gradient(xs):
        along = make_jvp(function)(xs)
        return np.array([along(e)[1] for e in np.eye(len(xs))])

    return gradient


# Gradient descent, as in docs/examples/gradbench/descent.fk.


def argmin(function, gradient_of, xs):
    gradient = gradient_of(function)
    size, taken = 1e-5, 0
    y, slopes = function(xs), gradient(xs)
    while True:
        if taken == 10:
            size, taken = 2 * size, 0
        # `norm` has no derivative at 0, and none is asked for.
        steep = math.sqrt(number(np.dot(slopes, slopes)))
        if steep <= 1e-5 or steep * size <= 1e-5:
            return xs
        further = xs - size * slopes
        z = function(further)
        if z < y:
            xs, y, slopes, taken = further, z, gradient(further), taken + 1
        else:
            size, taken = size / 2, 0


def number(x):
    """The number behind a box."""
    while hasattr(x, "_value"):
        x = x._value
    return x


# The evaluations: each a function from the whole numbers and the others to its functions by name.


def smooth(primal, x, scalar=None):
    """A function at a place and its gradient, or that of a part of it."""
    value, gradient = compiled(primal), compiled(grad(scalar or primal))
    return {"primal": lambda: value(x), "gradient": lambda: gradient(x)}


def hello(whole, x):
    return smooth(lambda x: x[0] * x[0], x)


def llsq(whole, x):
    n, _ = whole
    places = -1 + np.arange(n) * (2 / (n - 1))
    targets = np.sign(places)
    powers = places[:, None] ** np.arange(len(x))

    def primal(x):
        errors = targets - np.dot(powers, x)
        return 0.5 * np.dot(errors, errors)

    return smooth(primal, x)


def log_sum_exp(x, axis=None):
    greatest = np.max(x, axis=axis, keepdims=True)
    sums = np.sum(np.exp(x - greatest), axis=axis, keepdims=True)
    return np.squeeze(greatest + np.log(sums), axis=axis)


def lse(whole, x):
    return smooth(log_sum_exp, x)


def det(whole, x):
    (n,) = whole

    def minors(rows):
        if len(rows) == 1:
            return rows[0][0]
        total = 0.0
        for i, row in enumerate(rows):
            others = rows[:i] + rows[i + 1 :]
            part = row[0] * minors([other[1:] for other in others])
            total = total + part if i % 2 == 0 else total - part
        return total

    def primal(x):
        return minors([[x[i * n + j] for j in range(n)] for i in range(n)])

    return smooth(primal, x)


def ode(whole, x):
    (steps,) = whole

    def primal(x):
        def slopes(y):
            return x * np.concatenate((np.ones(1), y[:-1]))

        h = 2 / steps

        def step(y):
            k1 = slopes(y)
            k2 = slopes(y + h / 2 * k1)
            k3 = slopes(y + h / 2 * k2)
            k4 = slopes(y + h * k3)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

        return repeat(steps, step, np.zeros(len(x)))

    return smooth(primal, x, lambda x: primal(x)[-1])


def gmm(whole, numbers):
    d, k, m, n = whole
    gamma = float(numbers[0])
    points = np.reshape(numbers[1 : 1 + n * d], (n, d))
    parameters = numbers[1 + n * d :]
    below = d * (d - 1) // 2
    # The places below the diagonal, column after column.
    places = [(column, row) for column in range(d) for row in range(column + 1, d)]

    def primal(xs):
        alphas = xs[:k]
        means = np.reshape(xs[k : k + k * d], (k, d))
        qs = np.reshape(xs[k + k * d : k + 2 * k * d], (k, d))
        ls = np.reshape(xs[k + 2 * k * d :], (k, below))
        total = 0.0
        inner = []
        for i in range(k):
            centred = points - means[i]
            scaled = [np.exp(qs[i, r]) * centred[:, r] for r in range(d)]
            for place, (column, row) in enumerate(places):
                scaled[row] = scaled[row] + ls[i, place] * centred[:, column]
            squares = sum(part * part for part in scaled)
            inner.append(alphas[i] + np.sum(qs[i]) - 0.5 * squares)
        total = np.sum(log_sum_exp(np.array(inner), axis=0))
        total = total - n * log_sum_exp(alphas) - 0.5 * n * d * math.log(2 * math.pi)
        freedom = d + m + 1
        constant = freedom * d * math.log(gamma / math.sqrt(2))
        constant -= d * (d - 1) / 4 * math.log(math.pi)
        constant -= sum(math.lgamma((freedom - j) / 2) for j in range(d))
        squares = np.sum(np.exp(qs) ** 2) + np.sum(ls**2)
        return total + k * constant + m * np.sum(qs) - 0.5 * gamma**2 * squares

    return smooth(primal, parameters)


MODES = {"f": forward, "r": reverse}


def saddle(whole, start):
    def function(xs, ys):
        return np.dot(xs, xs) - np.dot(ys, ys)

    def argmax(mode, xs):
        return argmin(lambda ys: -function(xs, ys), mode, start)

    def found(outer, inner):
        xs = argmin(lambda xs: function(xs, argmax(inner, xs)), outer, start)
        return np.concatenate((xs, argmax(outer, xs)))

    return modes(found)


def particle(whole, start):
    def potential(w, place):
        def distance(x, y):
            return np.sqrt((place[0] - x) ** 2 + (place[1] - y) ** 2)

        return 1 / distance(10.0, 10.0 - w) + 1 / distance(10.0, 0.0)

    def landing(inner, w):
        place, velocity = np.array([0.0, 8.0]), np.array([0.75, 0.0])
        slopes = inner(lambda place: potential(w, place))
        while True:
            further = place + 0.1 * velocity
            if further[1] > 0:
                velocity = velocity - 0.1 * slopes(place)
                place = further
            else:
                return (place[0] - place[1] / velocity[1] * velocity[0]) ** 2

    def found(outer, inner):
        return argmin(lambda ws: landing(inner, ws[0]), outer, start)

    return modes(found)


def modes(found):
    """A function for each way to choose the modes outside and inside."""
    return {
        outer + inner: lambda outer=outer, inner=inner: found(MODES[outer], MODES[inner])
        for outer in "fr"
        for inner in "fr"
    }


EVALUATIONS = {
    function.__name__: function
    for function in (hello, saddle, particle, ode, llsq, lse, det, gmm)
}


def timed(function):
    """The values of a function, and the time of the best of some runs."""
    prepare(function)
    start = time.perf_counter_ns()
    best, runs = math.inf, 0
    while runs < LEAST or time.perf_counter_ns() - start < PATIENCE:
        before = time.process_time_ns()
        values = finished(function())
        best = min(best, time.process_time_ns() - before)
        runs += 1
        if time.perf_counter_ns() - start > 10 * PATIENCE:
            break
    return values, best


def main():
    with_times = "--time" in sys.argv[1:]
    for line in sys.stdin:
        name, functions, whole, numbers = line.rstrip("\n").split("\t")
        case = f"{name} {whole or numbers}"
        whole = [int(word) for word in whole.split()]
        numbers = np.array([float(word) for word in numbers.split()])
        runs = EVALUATIONS[name](whole, numbers)
        for function in functions.split():
            run = runs[function]
            values, nanos = timed(run) if with_times else (run(), 0)
            words = " ".join(repr(float(value)) for value in np.atleast_1d(values))
            print(f"{case} {function}\t{nanos}\t{words}", flush=True)


if __name__ == "__main__":
    main()
