"""`python -m frank` is the program `frank`."""

import os
import subprocess
import sys

from frank import find_frank


def main() -> int:
    try:
        program = find_frank()
    except FileNotFoundError as error:
        print(f"frank: {error}", file=sys.stderr)
        return 2
    if os.name != "nt":
        os.execv(program, [program, *sys.argv[1:]])
    # Windows has no other program in the same process.
    try:
        return subprocess.run([program, *sys.argv[1:]]).returncode
    except KeyboardInterrupt:
        return 130


sys.exit(main())
