#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes a .meta file beside each file of Unity's package, Libterrain/. Without them Unity ignores the files of a package
that it gets by a git address. It knows a file by the GUID in them: a hash of the package's and the file's name, which is
the same for everybody and in each version.

    write_metas.py            writes the files that are missing, deletes those of files that are gone
    write_metas.py --check    changes nothing; fails where there is something to write or to delete
"""

import json
import pathlib
import sys
import uuid

PACKAGE = pathlib.Path(__file__).resolve().parent / "Libterrain"


def head(name, package):
    """How a .meta file begins. Unity adds what else it wants, where it may write."""
    return f"fileFormatVersion: 2\nguid: {uuid.uuid5(uuid.NAMESPACE_URL, f'{package}/{name}').hex}\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    package = json.loads((PACKAGE / "package.json").read_text())["name"]
    names = [path.name for path in sorted(PACKAGE.iterdir()) if path.is_file()]
    metas = {f"{name}.meta": head(name, package) for name in names if not name.endswith(".meta")}
    wrong = [name for name, text in metas.items() if name not in names or not (PACKAGE / name).read_text().startswith(text)]
    left = [name for name in names if name.endswith(".meta") and not (PACKAGE / name).with_suffix("").exists()]
    if sys.argv[1:] and wrong + left:
        sys.exit(f"not up to date: {', '.join(wrong + left)}: run bindings/csharp/write_metas.py")
    for name in wrong:
        (PACKAGE / name).write_text(metas[name])
    for name in left:
        (PACKAGE / name).unlink()


main()
