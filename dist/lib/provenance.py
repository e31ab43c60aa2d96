#!/usr/bin/env python3
"""Says what files were made of, and with what: provenance.py COMMIT RUSTC FILE…

Prints a statement of in-toto's with SLSA's provenance about the files, whose sums are in it. It is not signed: the
workflow that makes a release has the service attest the same.
"""

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = "https://github.com/frank-tools/frank"


def sha256(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def main() -> None:
    commit, rustc, files = sys.argv[1], sys.argv[2], [Path(name) for name in sys.argv[3:]]
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": file.name, "digest": {"sha256": sha256(file)}} for file in sorted(files)],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{SOURCE}/blob/main/dist/build",
                "externalParameters": {"repository": SOURCE, "revision": commit},
                "resolvedDependencies": [
                    {"uri": f"git+{SOURCE}", "digest": {"gitCommit": commit}},
                    {"uri": "Cargo.lock", "digest": {"sha256": sha256(ROOT / "Cargo.lock")}},
                    {"name": "rustc", "annotations": {"version": rustc}},
                ],
            },
            "runDetails": {"builder": {"id": f"{SOURCE}/blob/main/dist/build"}},
        },
    }
    print(json.dumps(statement, indent=2))


main()
