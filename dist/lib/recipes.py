#!/usr/bin/env python3
"""Writes what package managers take, with a version and sums in it: recipes.py VERSION SHA256SUMS OUT [--partial]

Fails if an archive that a recipe names has no sum. With --partial, which is for trying the recipes, such a sum is zeros.
"""

import re
import shutil
import sys
from pathlib import Path

RECIPES = Path(__file__).resolve().parent.parent / "recipes"
# What a recipe has of the project's, and where.
PARTS = {"syntax/queries/highlights.scm": "zed/languages/frank/highlights.scm"}


def main() -> None:
    version, sums, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    partial = sys.argv[4:] == ["--partial"]
    known = dict(reversed(line.split()) for line in sums.read_text().splitlines())

    def sum_of(found: re.Match) -> str:
        for end in ("tar.gz", "zip"):
            archive = f"frank-{version}-{found[1]}.{end}"
            if archive in known:
                return known[archive]
        if partial:
            return "0" * 64
        sys.exit(f"recipes.py: {sums} has no archive for {found[1]}")

    shutil.rmtree(out, ignore_errors=True)
    for source in sorted(RECIPES.rglob("*")):
        if not source.is_file() or source == RECIPES / "README.md":
            continue
        target = out / source.relative_to(RECIPES)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text().replace("@VERSION@", version)
        target.write_text(re.sub(r"@SHA256:([a-z0-9_-]+)@", sum_of, text))
        shutil.copymode(source, target)
    for part, place in PARTS.items():
        shutil.copy(RECIPES.parent.parent / part, out / place)


main()
