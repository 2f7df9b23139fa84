#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against oracles that can't fail: makes each mistake of mistakes.txt in a copy of the kernel,
links it before the library, and expects the operation's oracle to disagree.

usage: mistakes.py SOURCE_ROOT LIBRARY_ARCHIVE SUPPORT_ARCHIVE COMPILER [ARGUMENT ...]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def read_mistakes(path):
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield [part.strip() for part in line.split(" | ")]


def operations(path):
    return [f"{verb}_{algorithm}" for verb, algorithm in
            re.findall(r"^OPERATION\(\d+, (\w+), (\w+)\)", path.read_text(), re.MULTILINE)]


def compile_objects(root, build, compiler):
    """The oracle program's objects, compiled once."""
    include = [f"-I{root}/include", f"-I{root}/lib", f"-I{root}/tests"]
    objects = []
    for source in sorted((root / "tests/oracle").glob("*.c")):
        target = build / (source.stem + ".o")
        subprocess.run(compiler + include + ["-O1", "-c", str(source), "-o", str(target)], check=True)
        objects.append(str(target))
    return include, objects


def main():
    root = pathlib.Path(sys.argv[1])
    archives = sys.argv[2:4]
    compiler = sys.argv[4:]
    environment = dict(os.environ, TERRAIN_ISA="baseline")
    mistakes = list(read_mistakes(root / "tests/oracle/mistakes.txt"))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        build = pathlib.Path(folder)
        include, objects = compile_objects(root, build, compiler)
        for operation, file, right, wrong in mistakes:
            text = (root / "lib" / file).read_text()
            if text.count(right) != 1:
                print(f"NOT OK {operation}: {right!r} occurs {text.count(right)} times in {file}")
                failed += 1
                continue
            (build / "mistake.c").write_text(text.replace(right, wrong))
            subprocess.run(compiler + include + ["-O2", "-c", str(build / "mistake.c"), "-o",
                                                 str(build / "mistake.o")], check=True)
            subprocess.run(compiler + [str(build / "mistake.o")] + objects + archives[::-1] +
                           ["-lm", "-lpthread", "-o", str(build / "oracle")], check=True)
            result = subprocess.run([str(build / "oracle"), operation], env=environment,
                                    stdout=subprocess.PIPE, text=True)
            noticed = result.returncode == 1 and "NOT OK" in result.stdout
            print(f"{'ok' if noticed else 'NOT OK'} {operation}: {right!r} -> {wrong!r}",
                  "noticed" if noticed else "went unnoticed")
            passed += noticed
            failed += not noticed
    for operation in operations(root / "lib/core/operations.h"):
        if operation not in [mistake[0] for mistake in mistakes]:
            print(f"NOT OK {operation}: its oracle was never shown to fail")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
