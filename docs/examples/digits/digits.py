"""Writes digits.txt: the first 1,200 of scikit-learn's small images of digits, one a line.

    python3 digits.py > digits.txt

A line has the digit, a blank, and 64 characters, row by row: how dark each of 8 by 8 points is, from `0` to `9` and
from `a` to `g`, which is 16.
"""

from sklearn.datasets import load_digits

images, digits = load_digits(return_X_y=True)
for image, digit in zip(images[:1200], digits[:1200]):
    print(digit, "".join("0123456789abcdefg"[int(dark)] for dark in image))
