#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a Python package that can't be got: from a clean repository a source release, from it a wheel, from
that an environment of somebody else's, in which README's terrain has README's hash and all of the package's tests pass.
Needs the network for what the package and its tests need.

usage: python.py [FOLDER]     FOLDER: new or empty, where to work and to leave the wheel; otherwise a temporary one"""

import os
import re
import shutil
import sys
import zipfile

from common import ROOT, run, work_in_folder
from consumer import repository

MOST_BYTES = 1_000_000

HASH = """
import sys
import libterrain as terrain
print(terrain.hash(terrain.Recipe.open(sys.argv[1]).run((512, 512))))
"""


def check_wheel(wheel):
    size = wheel.stat().st_size
    names = zipfile.ZipFile(wheel).namelist()
    print(f"{wheel.name}: {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"FAILED the wheel has {size} bytes, at most {MOST_BYTES} are fine")
    if "abi3" not in wheel.name:
        sys.exit("FAILED the wheel is for one version of Python only")
    for wanted in ("libterrain/__init__.pyi", "libterrain/erode.pyi", "libterrain/py.typed", "libterrain/dask.py"):
        if wanted not in names:
            sys.exit(f"FAILED the wheel has no {wanted}")
    extra = [name for name in names if not name.startswith("libterrain") or name.endswith((".a", ".h"))]
    if extra:
        sys.exit(f"FAILED the wheel has {extra}")


def main(work):
    run([sys.executable, "-m", "venv", work / "build"])
    run([work / "build/bin/pip", "install", "--quiet", "build"])
    origin = repository(work)
    dist = work / "dist"
    print(run([work / "build/bin/python", "-m", "build", "--outdir", dist, origin]).splitlines()[-1])
    wheel = next(dist.glob("*.whl"))
    check_wheel(wheel)

    run([sys.executable, "-m", "venv", work / "user"])
    python = work / "user/bin/python"
    run([python, "-m", "pip", "install", "--quiet", f"{wheel}[test]"])
    home = work / "home"
    home.mkdir()
    expected = re.search(r"last the hash of the result, which is `([0-9a-f]{16})`",
                         (ROOT / "README.md").read_text())[1]
    found = run([python, "-c", HASH, ROOT / "recipes/main.terrain"], cwd=home).strip()
    if found != expected:
        sys.exit(f"FAILED README's terrain has the hash {found}, not {expected}")
    shutil.copytree(ROOT / "bindings/python/tests", home / "tests")
    print(run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], cwd=home,
              env=dict(os.environ, TERRAIN_SOURCE=str(ROOT))), end="")


if __name__ == "__main__":
    work_in_folder(main, __doc__)
