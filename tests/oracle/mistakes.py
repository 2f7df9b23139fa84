#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against oracles that can't fail: makes each mistake of mistakes.txt in a copy of its source,
links that before the library, and expects the operation's oracle to disagree.

usage: mistakes.py SOURCE_ROOT LIBRARY_ARCHIVE SUPPORT_ARCHIVE COMPILER [ARGUMENT ...]
"""

import concurrent.futures
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


def pattern_of(text):
    """Finds the text however it is broken into lines, in macros as well."""
    tokens = re.findall(r"\w+|[^\w\s]", text)
    pattern = ""
    for before, token in zip([""] + tokens, tokens):
        words = re.match(r"\w", before) and re.match(r"\w", token)
        pattern += (r"[\s\\]+" if words else r"[\s\\]*" if before else "") + re.escape(token)
    begin = r"\b" if re.match(r"\w", tokens[0]) else ""
    end = r"\b" if re.match(r"\w", tokens[-1]) else ""
    return re.compile(begin + pattern + end)


class Trial:
    """What all mistakes share: the sources, and the oracle program's objects."""

    def __init__(self, arguments, build, workers):
        self.root = pathlib.Path(arguments[0])
        self.archives = arguments[1:3]
        self.include = [f"-I{self.root}/{folder}" for folder in ("include", "lib", "tests")]
        self.compiler = arguments[3:]
        self.build = build
        self.sources = {path: path.read_text() for path in (self.root / "lib").rglob("*")
                        if path.name.endswith((".c", "_vec.h"))}
        oracles = sorted((self.root / "tests/oracle").glob("*.c"))
        self.objects = [str(build / (source.stem + ".o")) for source in oracles]
        list(workers.map(lambda source, to: self.run(["-O1", "-c", str(source), "-o", to]), oracles, self.objects))

    def run(self, arguments, first=()):
        subprocess.run([*self.compiler, *first, *self.include, *arguments], check=True)

    def includers(self, header):
        """The sources that a header is a part of, by way of others, too."""
        line = f'#include "{header.relative_to(self.root / "lib")}"\n'
        for path, text in self.sources.items():
            if line in text:
                yield from [path] if path.suffix == ".c" else self.includers(path)

    def is_noticed(self, operation, path, source, number):
        base = str(self.build / f"mistake_{number}")
        changed = pathlib.Path(base) / path.relative_to(self.root / "lib")
        changed.parent.mkdir(parents=True)
        changed.write_text(source)
        files = [changed] if path.suffix == ".c" else sorted(set(self.includers(path)))
        objects = [f"{base}_{file.stem}.o" for file in files]
        for file, to in zip(files, objects):
            self.run(["-O1", "-c", str(file), "-o", to], first=[f"-I{base}"])
        base += ".out"
        self.run(objects + self.objects + self.archives[::-1] + ["-lm", "-lpthread", "-o", base])
        result = subprocess.run([base, "--first", operation], stdout=subprocess.PIPE, text=True,
                                env=dict(os.environ, TERRAIN_ISA="baseline"))
        os.remove(base)
        return result.returncode == 1 and "NOT OK" in result.stdout

    def judge(self, number, operation, right, wrong):
        """(whether it was noticed, what to say)"""
        pattern = pattern_of(right)
        places = [path for path, text in self.sources.items() for _ in pattern.finditer(text)]
        if len(places) != 1:
            names = ", ".join(str(path.relative_to(self.root)) for path in places) or "nowhere"
            return False, f"{right!r} must occur once in the library, occurs: {names}"
        source = pattern.sub(lambda match: wrong, self.sources[places[0]])
        noticed = self.is_noticed(operation, places[0], source, number)
        return noticed, f"{right!r} -> {wrong!r} {'noticed' if noticed else 'went unnoticed'}"


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    with (tempfile.TemporaryDirectory() as folder,
          concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers):
        trial = Trial(sys.argv[1:], pathlib.Path(folder), workers)
        mistakes = list(read_mistakes(trial.root / "tests/oracle/mistakes.txt"))
        verdicts = list(workers.map(lambda numbered: trial.judge(numbered[0], *numbered[1]),
                                    enumerate(mistakes)))
    for (operation, _, _), (noticed, text) in zip(mistakes, verdicts):
        print(f"{'ok' if noticed else 'NOT OK'} {operation}: {text}")
    for operation in operations(trial.root / "lib/core/operations.h"):
        if operation not in [mistake[0] for mistake in mistakes]:
            verdicts.append((False, ""))
            print(f"NOT OK {operation}: its oracle was never shown to fail")
    failed = sum(not noticed for noticed, _ in verdicts)
    print(f"{len(verdicts) - failed} passed, {failed} failed")
    return 1 if failed or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
