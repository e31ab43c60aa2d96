"""Derivatives written by hand in Python: floats, dual numbers, a tape; and the classical programs that
generators and exceptions express. Prints the name, the nanoseconds and the value of each."""

import gc
import sys
import time
from collections import deque
from math import isqrt

sys.setrecursionlimit(1_000_000)


def report(name, operations, work):
    least = float("inf")
    for _ in range(3):
        gc.collect()
        start = time.process_time_ns()
        value = work()
        least = min(least, time.process_time_ns() - start)
    print(f"{name}\t{least / operations:.3f}\t{float(value)!r}", flush=True)


class Dual:
    __slots__ = ("v", "dv")

    def __init__(self, v, dv):
        self.v = v
        self.dv = dv

    def __add__(self, other):
        return Dual(self.v + other.v, self.dv + other.dv)

    def __mul__(self, other):
        return Dual(self.v * other.v, other.v * self.dv + self.v * other.dv)

    def __neg__(self):
        return Dual(-self.v, -self.dv)

    def recip(self):
        r = recip(self.v)
        return Dual(r, -(r * r) * self.dv)


class Prop:
    __slots__ = ("v", "d", "tape")

    def __init__(self, v, tape):
        self.v = v
        self.d = 0.0
        self.tape = tape

    def __add__(self, other):
        r = Prop(self.v + other.v, self.tape)
        self.tape.append((r, self, 1.0, other, 1.0))
        return r

    def __mul__(self, other):
        r = Prop(self.v * other.v, self.tape)
        self.tape.append((r, self, other.v, other, self.v))
        return r

    def recip(self):
        r = Prop(1.0 / self.v, self.tape)
        self.tape.append((r, self, -(r.v * r.v), self, 0.0))
        return r


def recip(x):
    return 1.0 / x if type(x) is float else x.recip()


def loop(rounds, constant, x):
    for _ in range(rounds):
        x = recip(constant(1.3) + constant(-0.8) * x)
    return x


def plain(rounds):
    return loop(rounds, float, 0.4)


def forward(rounds):
    return loop(rounds, lambda v: Dual(v, 0.0), Dual(0.4, 1.0)).dv


def twice(rounds):
    x = Dual(Dual(0.4, 1.0), Dual(1.0, 0.0))
    return loop(rounds, lambda v: Dual(Dual(v, 0.0), Dual(0.0, 0.0)), x).dv.dv


def back(rounds, start, seed):
    tape = []
    x = Prop(start, tape)
    r = loop(rounds, lambda v: Prop(v, tape), x)
    r.d = seed
    for r, x1, d1, x2, d2 in reversed(tape):
        x1.d += d1 * r.d
        x2.d += d2 * r.d
    return x.d


def reverse(rounds):
    return back(rounds, 0.4, 1.0)


def checkpointed(rounds):
    stretches = isqrt(3 * rounds)
    each = rounds // stretches
    starts, x = [], 0.4
    for _ in range(stretches):
        starts.append(x)
        x = loop(each, float, x)
    seed = 1.0
    while starts:
        seed = back(each, starts.pop(), seed)
    return seed


def integers(n):
    x = 0
    while n != 0:
        x += n
        n -= 1
    return x


def generator(n):
    def tree(n):
        if n == 0:
            return None
        t = tree(n - 1)
        return (t, n, t)

    def walk(t):
        if t is not None:
            yield from walk(t[0])
            yield t[1]
            yield from walk(t[2])

    return sum(walk(tree(n)))


def exceptions(n):
    class Raise(Exception):
        pass

    def dig(n):
        if n == 0:
            raise Raise(1)
        return 1 + dig(n - 1)

    total = 0
    for _ in range(n):
        try:
            total += dig(1000)
        except Raise as e:
            total += e.args[0]
    return total


def iterator(n):
    def count():
        i = 1
        while i <= n:
            yield i
            i += 1

    total = 0
    for i in count():
        total += i
    return total


def scheduler(n):
    def worker():
        for _ in range(n):
            yield

    queue = deque(worker() for _ in range(100))
    steps = 0
    while queue:
        thread = queue.popleft()
        steps += 1
        for _ in thread:
            queue.append(thread)
            break
    return steps


def derivative(name, operations, mode):
    rounds = operations // 3
    report(name, 3 * rounds, lambda: mode(rounds))


derivative("plain 30k", 30_000, plain)
derivative("forward 30k", 30_000, forward)
derivative("reverse 3k", 3_000, reverse)
derivative("reverse 30k", 30_000, reverse)
derivative("reverse 300k", 300_000, reverse)
derivative("reverse 1M", 1_000_000, reverse)
derivative("twice 30k", 30_000, twice)
derivative("checkpointed 30k", 30_000, checkpointed)
report("integers", 3e6, lambda: integers(3_000_000))
report("generator", 1, lambda: generator(16))
report("exceptions", 1, lambda: exceptions(1_000))
report("iterator", 1, lambda: iterator(1_000_000))
report("scheduler", 1, lambda: scheduler(3_000))
