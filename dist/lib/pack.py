#!/usr/bin/env python3
"""Packs files so that the same files give the same bytes: pack.py ARCHIVE TOP FOLDER

Everything in FOLDER is put below TOP, sorted by name, owned by nobody in particular, with the time that
SOURCE_DATE_EPOCH says. What is executable stays so. ARCHIVE ends in `.tar.gz`, `.tgz` or `.zip`.
"""

import gzip
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path


def mode(path: Path) -> int:
    return 0o755 if os.access(path, os.X_OK) else 0o644


def pack_tar(archive: Path, top: str, files: list[tuple[str, Path]], when: int) -> None:
    with archive.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, when) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, path in files:
                entry = tarfile.TarInfo(f"{top}/{name}")
                entry.size = path.stat().st_size
                entry.mode = mode(path)
                entry.mtime = when
                with path.open("rb") as content:
                    tar.addfile(entry, content)


def pack_zip(archive: Path, top: str, files: list[tuple[str, Path]], when: int) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in files:
            # The format knows no time before 1980.
            entry = zipfile.ZipInfo(f"{top}/{name}", max(time.gmtime(when)[:6], (1980, 1, 1, 0, 0, 0)))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode(path)) << 16
            packed.writestr(entry, path.read_bytes())


def main() -> None:
    archive, top, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    when = int(os.environ["SOURCE_DATE_EPOCH"])
    files = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())
    if not files:
        sys.exit(f"pack.py: {folder} has no files")
    (pack_zip if archive.suffix == ".zip" else pack_tar)(archive, top, files, when)


main()
