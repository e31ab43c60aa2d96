#!/usr/bin/env python3
"""What CHANGELOG.md says.

    changelog.py check              whether it has the form that others rely on
    changelog.py notes VERSION      what is new in a version, or in what is not released yet if it is not there
    changelog.py released VERSION   whether the version has a section, with a date
    changelog.py changed BASE       whether a change since BASE that users may notice is in it

The file begins with `## Unreleased`; each release has `## VERSION, DATE`, the newest first. A change of what users get
stands in the file, unless a commit says in a line `Changelog: none, REASON` why there is nothing to notice.
"""

import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
UNRELEASED = "Unreleased"
# What users get, without the tests in it.
NOTICED = re.compile(r"^(server/(?!web/)[^/]+/src|server/library|server/web/src|syntax/(src|grammar\.js|queries)|editors/[^/]+/"
                     r"(src|lua|plugin|lsp|queries|.*\.el|package\.json)|action|dist/(npm|python|recipes))")


def sections() -> dict[str, str]:
    """The text of each section by its title."""
    parts = re.split(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], (text.strip() for text in parts[2::2])))


def check() -> None:
    titles = list(sections())
    if titles[:1] != [UNRELEASED]:
        sys.exit(f"CHANGELOG.md: the first section is to be “{UNRELEASED}”, and is “{titles[0] if titles else ''}”")
    versions = []
    for title in titles[1:]:
        found = re.fullmatch(r"(\d+)\.(\d+)\.(\d+), (\d{4}-\d\d-\d\d)", title)
        if not found:
            sys.exit(f"CHANGELOG.md: a section is called `VERSION, DATE`, such as “0.2.0, 2026-12-24”, and not “{title}”")
        try:
            datetime.date.fromisoformat(found[4])
        except ValueError:
            sys.exit(f"CHANGELOG.md: “{title}” has no date that there is")
        versions.append(tuple(map(int, found.groups()[:3])))
    if versions != sorted(versions, reverse=True) or len(set(versions)) != len(versions):
        sys.exit("CHANGELOG.md: the newest version comes first, and each of them once")


def of_version(version: str) -> str | None:
    return next((text for title, text in sections().items() if title.startswith(f"{version}, ")), None)


def notes(version: str) -> None:
    text = of_version(version)
    text = sections().get(UNRELEASED, "") if text is None else text
    if not text:
        sys.exit(f"CHANGELOG.md: there is nothing new in {version}")
    print(text)


def released(version: str) -> None:
    if of_version(version) is None:
        sys.exit(f"CHANGELOG.md has no section “{version}, DATE”: give “{UNRELEASED}” that title, and begin a new one above it")


def changed(base: str) -> None:
    def git(*arguments: str) -> list[str]:
        return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout.splitlines()

    files = git("diff", "--name-only", f"{base}...HEAD")
    noticed = [file for file in files if NOTICED.match(file)]
    said = any(re.match(r"Changelog: none, \S", line) for line in git("log", "--format=%B", f"{base}..HEAD"))
    if noticed and "CHANGELOG.md" not in files and not said:
        sys.exit(f"{noticed[0]} and what else is changed may be noticed by users: say how in CHANGELOG.md, under “{UNRELEASED}”, or "
                 "say in a commit `Changelog: none, REASON`")


{"check": check, "notes": notes, "released": released, "changed": changed}[sys.argv[1]](*sys.argv[2:])
