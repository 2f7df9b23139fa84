#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Measures how alike runs at a scale are, and writes the tables of scale.md.

    scale.py TERRAIN             rewrites docs/scale.md
    scale.py TERRAIN --check     writes nothing; names the tables that are not the program's

TERRAIN is the program. Each recipe of docs/pictures and recipes that needs no input is run on 512 x 512
cells, and at 1/2, 1/4 and 1/8 on as many fewer. A figure is the root mean square of the difference
between that and scale 1's area means around the same places, over the standard deviation of those.
"""

import array
import difflib
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import parts

DOCS = pathlib.Path(__file__).resolve().parent
SIZE = 512
PARTS = (2, 4, 8)


def read(path):
    cells = array.array("f")
    cells.frombytes(path.read_bytes())
    return cells


def run(terrain, recipe, path, *options):
    """Whether it was; what can't be run at this size or scale is said, and no file is there."""
    path.unlink(missing_ok=True)
    result = subprocess.run([terrain, "run", str(recipe), "-o", str(path), *options], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        print(f"{recipe.stem}: {result.stderr.splitlines()[0]}", file=sys.stderr)
    return result.returncode == 0


def means(terrain, fine, divisor, folder):
    recipe = folder / "means.terrain"
    recipe.write_text(f"input a\nb = shape_resample a step={divisor} filter=area\n")
    if not run(terrain, recipe, folder / "means.r32", "--input", f"a={fine}", "--size", f"{SIZE}x{SIZE}"):
        sys.exit(1)
    return read(folder / "means.r32")


def difference(a, b):
    pairs = [(x, y) for x, y in zip(a, b) if math.isfinite(x) and math.isfinite(y)]
    mean = sum(y for _, y in pairs) / len(pairs)
    spread = sum((y - mean) ** 2 for _, y in pairs)
    return math.sqrt(sum((x - y) ** 2 for x, y in pairs) / spread) if spread > 0 else math.nan


def figures(terrain, recipe, folder):
    fine, coarse = folder / "fine.r32", folder / "coarse.r32"
    if not run(terrain, recipe, fine, "--size", f"{SIZE}x{SIZE}") or len(read(fine)) != SIZE ** 2:
        return None  # it makes a map of another size
    texts = []
    for divisor in PARTS:
        side = f"{SIZE // divisor}x{SIZE // divisor}"
        done = run(terrain, recipe, coarse, "--scale", f"1/{divisor}", "--size", side)
        expected = means(terrain, fine, divisor, folder) if done else None
        texts.append(f"{difference(read(coarse), expected):.3f}" if done else "–")
    return texts


def likeness(terrain):
    lines = ["| recipe | 1/2 | 1/4 | 1/8 |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as name:
        for folder in (DOCS / "pictures", DOCS.parent / "recipes"):
            for recipe in sorted(folder.glob("*.terrain")):
                text = recipe.read_text()
                if "grid=" in text or re.search(r"^input ", text, re.MULTILINE):
                    continue
                found = figures(terrain, recipe, pathlib.Path(name))
                if found is not None and found != ["–"] * 3:
                    link = f"`{folder.name}/{recipe.stem}`"
                    lines.append(f"| {link} | " + " | ".join(found) + " |")
    return "\n".join(lines)


def laws(terrain):
    operations = json.loads(subprocess.run([terrain, "ops", "--json"], check=True,
                                           stdout=subprocess.PIPE).stdout)
    lines = ["| operation | parameters |", "|---|---|"]
    for operation in operations:
        told = [f"`{p['name']}` {p['scaling']}" for p in operation["parameters"]
                if p["scaling"] != "fixed"]
        if told:
            lines.append(f"| [`{operation['name']}`](operations/{operation['name']}.md) | "
                         + ", ".join(told) + " |")
    return "\n".join(lines)


def main():
    checking = sys.argv[2:] == ["--check"]
    if len(sys.argv) not in (2, 3) or (len(sys.argv) == 3 and not checking):
        sys.exit(__doc__)
    page = DOCS / "scale.md"
    terrain = parts.program(sys.argv[1])
    made = {"laws": laws(terrain), "likeness": likeness(terrain)}
    old = page.read_text()
    new = parts.renewed(old, lambda kind, *_: made.get(kind))
    if not checking:
        page.write_text(new)
    elif new != old:
        changes = difflib.unified_diff(old.split("\n"), new.split("\n"), "scale.md", "anew", n=0, lineterm="")
        sys.exit("\n".join(["docs/scale.md is not up to date: run docs/scale.py", *changes]))


main()
