#!/usr/bin/env python3
"""Writes the folders of npm's packages: npm.py VERSION OUT NAME=PROGRAM…

NAME is a platform of targets.tsv, and PROGRAM the program for it. OUT gets a folder for each of them, and one for the
package that users name, which has all platforms of targets.tsv as optional packages.
"""

import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCOPE = "@frank-tools/frank"


def platforms() -> dict[str, list[str]]:
    """The `os`, `cpu` and `libc` of each platform, as npm calls them."""
    lines = (HERE / "targets.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {row[0]: row[3].split(",") for row in rows}


def write(folder: Path, manifest: dict, version: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    common = {
        "version": version,
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": "git+https://github.com/frank-tools/frank.git"},
    }
    (folder / "package.json").write_text(json.dumps({**manifest, **common}, indent=2) + "\n")
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, folder)


def main() -> None:
    version, out = sys.argv[1], Path(sys.argv[2])
    known = platforms()
    for pair in sys.argv[3:]:
        name, _, program = pair.partition("=")
        system, cpu, libc = known[name]
        folder = out / f"frank-{name}"
        manifest = {
            "name": f"{SCOPE}-{name}",
            "description": f"The program frank for {name}; @frank-tools/frank installs it where it belongs",
            "os": [system],
            "cpu": [cpu],
            **({"libc": [libc]} if libc != "-" else {}),
            "files": ["bin"],
            "preferUnplugged": True,
        }
        write(folder, manifest, version)
        (folder / "bin").mkdir(exist_ok=True)
        file = folder / "bin" / ("frank.exe" if system == "win32" else "frank")
        shutil.copy(program, file)
        file.chmod(0o755)
    folder = out / "frank"
    manifest = {
        "name": SCOPE,
        "description": "Tools for Frank, the language of effects and handlers",
        "keywords": ["frank", "effects", "handlers", "type checker", "language server"],
        "bin": {"frank": "bin/frank.js"},
        "files": ["bin"],
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"{SCOPE}-{name}": version for name in known},
    }
    write(folder, manifest, version)
    shutil.copy(ROOT / "dist/npm/README.md", folder)
    shutil.copytree(ROOT / "dist/npm/bin", folder / "bin", dirs_exist_ok=True)


main()
