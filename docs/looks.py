#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Measures windows of the endless recipes that nobody chose, and writes the tables of looks.md.

    looks.py TERRAIN                 all recipes whose head has a line "# world:"; rewrites docs/looks.md
    looks.py TERRAIN --check         writes nothing; names what of docs/looks.md is stale: lists, counts, two rows, and of
                                     every other recipe a window that lies outside its row
    looks.py TERRAIN RECIPE.terrain… only these, to the terminal; --windows N: fewer of them
    looks.py TERRAIN ELEVATION.tif:CELL…
                                     windows side by side of real land; cells are CELL units of height wide

TERRAIN is the program. Windows of 512 x 512 cells lie where a hash of the recipe's name, the world's seed
and a number says; those with any sea are left out (of archipelago's, those with
more than a fiftieth). Twelve have the recipe's own seed, and each of three other seeds has four.
"""

import array
import hashlib
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import parts

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
SIZE = 512
SEEDS = ((0, 12), (101, 4), (102, 4), (103, 4))  # the world's seed (0: the recipe's own) and windows
REACH = 1 << 40  # windows lie so far around the origin at most
LEAST_LAND = {"archipelago": 0.98}  # of a window; all of it elsewhere
PAINTED = (60000, 200000)  # a painted map has an end
ANEW = ("alps", "carved")  # the rows of the two tables that --check makes anew: few of their windows are sea
# Names of `terrain measure`, and the windows of real land; of forms' distances what is wanted of a median.
FIGURES = {"undrained": (0, 0.002), "trunk": (0.28, 0.83), "concavity": (0.21, 0.60), "hack": (0.44, 0.56),
           "exponential_distance": (0.11, 0.30), "hypsometric": (0.24, 0.54), "axis": (0.95, 1.05),
           "skewness": (-0.22, 0.05), "forms_distance": (0, 0.12), "erosion_score": (0.31, 0.59),
           "grain": (0.04, 0.21)}
WORST = {**FIGURES, "forms_distance": (0, 0.19)}  # of single windows
# Of these and of windows of land elsewhere, as looks.md lists them.
ELSEWHERE = {"undrained": (0, 0.23), "trunk": (0.23, 0.83), "concavity": (0.03, 0.60), "hack": (0.44, 0.56),
             "exponential_distance": (0.08, 0.30), "hypsometric": (0.24, 0.79), "axis": (0.92, 1.27),
             "skewness": (-0.55, 0.24), "forms_distance": (0, 0.24), "erosion_score": (0.31, 0.76),
             "grain": (0.04, 0.21)}


def call(*arguments):
    return subprocess.run([str(a) for a in arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def inputs(recipe):
    """The options of `terrain run` in the recipe's line "# world:"."""
    found = re.search(r"^# world: (\S+)(.*)$", recipe.read_text(), re.MULTILINE)
    words = found[2].split("|")[1].split() if found and "|" in found[2] else []
    return [re.sub(r"=(?=recipes/)", f"={ROOT}/", word) for word in words]


def place(recipe, seed, number):
    digest = hashlib.sha256(f"{recipe.stem} {seed} {number}".encode()).digest()
    x, y = (int.from_bytes(digest[i:i + 8], "little") for i in (0, 8))
    low, high = PAINTED if inputs(recipe) else (-REACH, REACH)
    return low + x % (high - low), low + y % (high - low)


def land(path):
    cells = array.array("f")
    cells.frombytes(path.read_bytes())
    return sum(z > 0 for z in cells) / len(cells)


def has_sea(recipe):
    return "_drainage" in recipe.read_text()


def window(terrain, recipe, seed, number, folder):
    """The window's figures, or None if it is sea."""
    x, y = place(recipe, seed, number)
    path = folder / "window.r32"
    run = [terrain, "run", recipe, "--world", "--seed", seed, "--threads", 1, "-o", path, *inputs(recipe)]
    if has_sea(recipe) and not inputs(recipe):  # a small preview saves most of the windows in the sea
        call(*run, "--scale", "1/64", "--origin", f"{x // 64},{y // 64}", "--size", "8x8")
        if land(path) < 0.9:
            return None
    call(*run, "--origin", f"{x},{y}", "--size", f"{SIZE}x{SIZE}")
    if has_sea(recipe) and land(path) < LEAST_LAND.get(recipe.stem, 1):
        return None
    return measured(terrain, path, 1) | {"at": (x, y)}


def measured(terrain, path, cell):
    lines = call(terrain, "measure", path, "--size", f"{SIZE}x{SIZE}", "--cell-size", cell).splitlines()
    found = {words[0]: float(words[1]) for words in map(str.split, lines)}
    found["hypsometric"] = (found["mean"] - found["minimum"]) / (found["maximum"] - found["minimum"])
    return {name: found[name] for name in FIGURES}


def real_windows(terrain, model, cell, folder):
    """Figures of an elevation model's windows; those with sea, or with cells that nobody measured, are left out."""
    import numpy
    import PIL.Image

    heights = numpy.asarray(PIL.Image.open(model), dtype="<f4")
    tops, lefts = (range(length % SIZE // 2, length - SIZE + 1, SIZE) for length in heights.shape)
    path = folder / "window.r32"
    found = []
    for y in tops:
        for x in lefts:
            cut = heights[y:y + SIZE, x:x + SIZE]
            if cut.min() > 0:
                cut.tofile(path)
                found.append(measured(terrain, path, cell))
    return found


def windows(terrain, recipe, seed, count, folder):
    found, number = [], 0
    while len(found) < count and number < 1000:
        figures = window(terrain, recipe, seed, number, folder)
        found += [figures] if figures else []
        number += 1
    return found


def text(name, value):
    rounded = f"{value:.2f}" if name != "forms_distance" else f"{value:.3f}"
    return rounded.replace("-", "−")


def row(label, found):
    """Medians, in bold outside real land's window; and how many figures of windows lie far outside."""
    cells = []
    for name, (low, high) in FIGURES.items():
        values = [figures[name] for figures in found]
        middle = statistics.median(values)
        cell = text(name, middle)
        if not low <= float(f"{middle:.3f}") <= high:
            cell = f"**{cell}**"
        cells.append(f"{cell} ({text(name, min(values))}–{text(name, max(values))})")
    far = [sum(outside(figures, limits) for figures in found) for limits in (WORST, ELSEWHERE)]
    return "| " + " | ".join([label, *cells, *map(str, far)]) + " |"


def outside(figures, limits):
    """How many of a window's figures lie outside by more than a fifth of the span."""
    rims = {name: 0.2 * (high - low) for name, (low, high) in limits.items()}
    return sum(not low - rims[name] <= figures[name] <= high + rims[name] for name, (low, high) in limits.items())


def head():
    limits = [f"{low} to {high}".replace("-", "−") for low, high in FIGURES.values()]
    names = " | ".join(f"`{name}`" for name in FIGURES)
    return [f"| | {names} | far outside | of all real land |", "|---" * (len(FIGURES) + 3) + "|",
            "| real land | " + " | ".join(limits) + " | | |"]


def tables(terrain, recipes, some):
    own, others = head(), head()
    with tempfile.TemporaryDirectory() as name:
        for recipe in recipes:
            link = f"[{recipe.stem}](../recipes/{recipe.name})"
            found = [windows(terrain, recipe, seed, min(count, some), pathlib.Path(name))
                     for seed, count in SEEDS]
            own.append(row(link, found[0]))
            others.append(row(link, sum(found[1:], [])))
            print(own[-1], others[-1], sep="\n", flush=True)
    return {"own": "\n".join(own), "others": "\n".join(others)}


def world_recipes():
    return [path for path in sorted((ROOT / "recipes").glob("*.terrain"))
            if re.search(r"^# world: ", path.read_text(), re.MULTILINE)]


def within(figures, line):
    """Whether a window's figures lie between the least and the greatest of a row, which are rounded."""
    spans = re.findall(r"\((\S+?)–(\S+?)\)", line.split(" | ", 1)[1].replace("−", "-"))
    return len(spans) == len(FIGURES) and all(
        float(low) <= float(text(name, value).replace("−", "-")) <= float(high)
        for (name, value), (low, high) in zip(figures.items(), spans))


def counts(page):
    """What is wrong of the numbers that the page's sentences have from its tables."""
    land = re.findall(r"\(\d+ m\), (\d+) \|.* (\d+) \| \d+ \|$", page, re.MULTILINE)
    far, all_of_them = sum(int(each[1]) for each in land), len(FIGURES) * sum(int(each[0]) for each in land)
    for sentence in (f"{far} of their {all_of_them} figures", f"of the {SEEDS[0][1] * len(FIGURES)} figures of single"):
        if sentence not in " ".join(page.split()):
            yield f"expected '{sentence}'"


def check(terrain, page):
    """Two rows anew, and of every other recipe a window; all of them would take minutes."""
    own, others = (page.split(f"<!-- {kind} -->\n\n")[1].split("\n\n")[0].splitlines() for kind in ("own", "others"))
    recipes = world_recipes()
    wrong = [f"the table '{name}' does not begin as it should" for name, lines in (("own", own), ("others", others))
             if lines[:3] != head()]
    wrong += counts(page)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, lines in ((0, own), (1, others)):
            links = [f"[{recipe.stem}](../recipes/{recipe.name})" for recipe in recipes]
            if [line.split(" | ")[0] for line in lines[3:]] != [f"| {link}" for link in links]:
                wrong.append(f"the rows are not of {', '.join(links)}")
                continue
            for recipe, link, line in zip(recipes, links, lines[3:]):
                if recipe.stem == ANEW[number]:
                    found = sum((windows(terrain, recipe, *each, folder) for each in SEEDS[number:3 * number + 1]), [])
                    anew = row(link, found)
                    wrong += [f"expected {anew}"] if anew != line else []
                elif number == 0 and not within(windows(terrain, recipe, 0, 1, folder)[0], line):
                    wrong.append(f"the first window of {recipe.stem} lies outside its row")
    return wrong


def main():
    options = sys.argv[2:]
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    terrain = parts.program(sys.argv[1])
    some = 12
    if "--windows" in options:
        at = options.index("--windows")
        some = int(options[at + 1])
        del options[at:at + 2]
    models = [option.split(":") for option in options if ".tif:" in option]
    if models:
        with tempfile.TemporaryDirectory() as name:
            for path, cell in models:
                found = real_windows(terrain, path, cell, pathlib.Path(name))
                print(row(f"{pathlib.Path(path).stem}, {len(found)}", found))
        return
    if options == ["--check"]:
        wrong = check(terrain, (DOCS / "looks.md").read_text())
        sys.exit("\n".join(["docs/looks.md is not up to date: run docs/looks.py", *wrong]) if wrong else 0)
    if options:
        tables(terrain, [pathlib.Path(option) for option in options], some)
        return
    page = DOCS / "looks.md"
    made = tables(terrain, world_recipes(), some)
    page.write_text(parts.renewed(page.read_text(), lambda kind, *_: made.get(kind)))


main()
