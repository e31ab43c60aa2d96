"""The programs beside this one with numpy and autograd: name, milliseconds of one repetition, value."""

import math
import pathlib
import time

import autograd.numpy as np
from autograd import grad, value_and_grad


def waves(a, *shape):
    return np.sin(a * np.arange(float(np.prod(shape)))).reshape(shape)


def product(x, y):
    z = np.dot(x, y)
    return np.sum(z * z)


def timed(name, times, work):
    work()
    start = time.perf_counter()
    for _ in range(times):
        value = work()
    took = (time.perf_counter() - start) * 1000 / times
    print(f"{name} {took:.2f} ms {float(value)!r}")


x, y = waves(0.37, 100, 100), waves(0.91, 100, 100)
gradient = grad(product, (0, 1))
timed("product", 50, lambda: sum(g.ravel()[1234] for g in gradient(x, y)))

points = 0.1 * waves(0.77, 1000, 64)
classes = np.eye(10)[np.arange(1000) % 10]


def train(steps, points, classes, weights):
    def loss(weights):
        w1, b1, w2, b2 = weights
        hidden = np.tanh(np.dot(points, w1) + b1)
        out = np.dot(hidden, w2) + b2
        return np.mean(np.log(np.sum(np.exp(out), axis=1))) - 0.001 * np.sum(out * classes)

    step = value_and_grad(loss)
    for _ in range(steps):
        value, slopes = step(weights)
        weights = [w - 0.5 * s for w, s in zip(weights, slopes)]
    return value


def random(seed):
    """The numbers of the library's `seeded`."""
    m, n = 2147483563, 2147483399
    i, j = seed % m, seed % n
    for turn in (3, 2, 1):
        i = pow(i + j + turn, 5, m)
        j = pow(j + i + turn, 5, n)
    i, j = 1 + i % (m - 1), 1 + j % (n - 1)
    while True:
        value = 0
        for _ in range(2):
            i, j = 40014 * i % m, 40692 * j % n
            value = value * (m - 1) + (i - j) % (m - 1)
        yield value // 512 / 9007198533320719.0


def normal(numbers, *shape):
    def one():
        radius = math.sqrt(-2.0 * math.log(1.0 - next(numbers)))
        return radius * math.cos(2.0 * math.pi * next(numbers))

    return np.array([0.1 * one() for _ in range(math.prod(shape))]).reshape(shape)


weights = [0.1 * waves(0.37, 64, 32), np.zeros(32), 0.1 * waves(0.91, 32, 10), np.zeros(10)]
start = time.perf_counter()
value = train(50, points, classes, weights)
print(f"network {(time.perf_counter() - start) * 20:.2f} ms {float(value)!r}")

lines = (pathlib.Path(__file__).parents[3] / "docs/examples/digits/digits.txt").read_text().splitlines()[:1000]
images = np.array([["0123456789abcdefg".index(dark) / 16.0 for dark in line[2:]] for line in lines])
digits = np.eye(10)[[int(line[0]) for line in lines]]
numbers = random(1)
weights = [normal(numbers, 64, 32), np.zeros(32), normal(numbers, 32, 10), np.zeros(10)]
start = time.perf_counter()
value = train(200, images, digits, weights)
print(f"digits {(time.perf_counter() - start) * 5:.2f} ms {float(value)!r}")
