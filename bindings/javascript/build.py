#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Makes what the npm package has beside src/: the licence, and dist/, which is the library as WebAssembly with SIMD, by
emscripten, and, from the operation table that it holds, the package's entry and its TypeScript types.

usage: build.py [PACKAGE]     PACKAGE: a copy of this folder to work in; otherwise this one"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Without SLP vectors: clang 14 reads what goes into one at its end, behind calls that have overwritten it.
FLAGS = ["-O3", "-msimd128", "-ffp-contract=off", "-fno-slp-vectorize", "-w"]
LINK = ["--no-entry", "-sSTANDALONE_WASM=1", "-sWASM_BIGINT=1", "-sALLOW_MEMORY_GROWTH=1", "-sMAXIMUM_MEMORY=4GB",
        "-sTOTAL_STACK=1MB", "-sFILESYSTEM=0", "-sERROR_ON_UNDEFINED_SYMBOLS=0"]  # one is JavaScript's: binding.report


def run(command, **options):
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        sys.exit(f"FAILED {shlex.join(map(str, command))}\n{result.stdout}")


def main():
    package = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    dist = package / "dist"
    dist.mkdir(exist_ok=True)
    scripts = "".join(path.read_text() for path in sorted((package / "src").glob("*.js")))
    # What the scripts call is what the library exports.
    functions = sorted({"malloc", "free", "stackSave", "stackRestore", *re.findall(r"\bc\.((?:terrain|binding)_\w+)", scripts)})
    with tempfile.TemporaryDirectory() as directory:
        single = pathlib.Path(directory) / "single"
        version = re.search(r"version: '([0-9.]+)'", (ROOT / "meson.build").read_text())[1]
        run([sys.executable, ROOT / "packaging/single.py", ROOT, single, version, *sorted(ROOT.glob("lib/*/*.c"))])
        run(["emcc", *FLAGS, single / "terrain.c", HERE / "binding.c", f"-I{single}", *LINK,
             f"-sEXPORTED_FUNCTIONS={','.join('_' + name for name in functions)}", "-o", dist / "terrain.wasm"],
            env={**os.environ, "NODE_PATH": "/usr/share/nodejs"})  # where Debian has what emcc runs
    run(["node", HERE / "write_types.js", package])
    shutil.copy(ROOT / "LICENSE", package)  # npm takes no link


main()
