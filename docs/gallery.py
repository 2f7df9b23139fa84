#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Draws the gallery, and writes its numbers into docs/gallery.md.

    gallery.py TERRAIN          runs the recipes named in docs/gallery.md and the recipes of all
                                operations' pictures, draws docs/gallery/*.png, rewrites the tables
    gallery.py TERRAIN --check  changes nothing; fails if a table is not up to date or a picture is
                                missing

TERRAIN is the program. In docs/gallery.md, <!-- land --> is the real landscape, <!-- recipe NAME --> is
recipes/NAME.terrain, whose line "# gallery: MAP..." names its stages, the last one the result, and
OPTIONS of `terrain view` behind a |, if the slopes are not to be drawn twice as steep;
<!-- worlds --> is one window of each recipe with a line "# world: X,Y", and OPTIONS of `terrain run` and
`terrain view` behind it, each set after a |; <!-- tiles NAME --> is that window of recipes/NAME.terrain in tiles, each
made by a run of its own, with and without their borders; and <!-- changes --> is what each operation does to the map `before` of its
picture. Such a part ends with <!-- end -->. Everything has fixed seeds: the pictures and numbers are the same everywhere.
"""

import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import parts

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/gallery.md"
PICTURES = ROOT / "docs/gallery"
SIZE = 384
TILE, COLUMNS_OF_TILES, ROWS_OF_TILES = 192, 4, 3
EXAGGERATION = "2"  # of the slopes in pictures of recipes and of the real landscape
# Worlds that are also seen in perspective, and from where.
BLOCKS = {"archipelago": "150,30", "sierra": "205,32", "canyonland": "200,32", "painted": "160,32"}
REAL = ("data/jacksboro.png", "83")  # metres
# Names of `terrain measure`.
COLUMNS = ["erosion_score", "slope_10", "slope_50", "slope_90", "slope_99", "exponential_distance", "spikes",
           "pits", "spectrum_axes", "spectrum_diagonals", "undrained", "concavity", "hack"]


def call(*arguments):
    return subprocess.run([str(a) for a in arguments], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


# ---- Pictures ------------------------------------------------------------------------------------


def read_rgb(path):
    """Width, height and rows of an 8-bit RGB PNG, as the program writes them."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        begin = y * (3 * width + 1)
        rows.append(unfiltered(raw[begin], bytearray(raw[begin + 1:begin + 1 + 3 * width]), above))
        above = rows[-1]
    return width, height, rows


def unfiltered(kind, row, above):
    for i in range(len(row)):
        a = row[i - 3] if i >= 3 else 0
        b, c = above[i], above[i - 3] if i >= 3 else 0
        if kind == 4:
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        else:
            near = (0, a, b, (a + b) // 2)[kind]
        row[i] = row[i] + near & 255
    return row


def write_rgb(path, width, rows):
    """Differences from the row above, which compress better than the colours."""
    above, filtered = bytes(3 * width), []
    for row in rows:
        filtered.append(b"\2" + bytes(p - q & 255 for p, q in zip(row, above)))
        above = row
    parts.write_png(path, width, parts.RGB, filtered)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


def halved(rows):
    """Each pixel the mean of four."""
    return [bytearray((p[i] + p[i + 3] + q[i] + q[i + 3] + 2) // 4
                      for x in range(0, len(p), 6) for i in range(x, x + 3))
            for p, q in zip(rows[::2], rows[1::2])]


def ruled(rows, step):
    """Rows with white lines every `step` pixels both ways."""
    lines = [bytearray(row) for row in rows]
    for y, row in enumerate(lines):
        for x in range(len(row) // 3):
            if (x > 0 and x % step == 0) or (y > 0 and y % step == 0):
                row[3 * x:3 * x + 3] = b"\xff\xff\xff"
    return lines


def contact_sheet(path, pictures, columns=9):
    """Pictures side by side, at half their size; as many rows as the columns make of them."""
    rows = []
    for first in range(0, len(pictures), columns):
        sheets = [halved(read_rgb(picture)[2]) for picture in pictures[first:first + columns]]
        white = [bytearray(b"\xff" * len(line)) for line in sheets[0]]
        sheets += [white] * (min(columns, len(pictures)) - len(sheets))
        lines = [bytearray(b"\xff" * 6).join(parts) for parts in zip(*sheets)]
        rows += [bytearray(b"\xff" * len(lines[0]))] * (2 if rows else 0) + lines
    write_rgb(path, len(rows[0]) // 3, rows)


# ---- Numbers -------------------------------------------------------------------------------------


def measure(terrain, path, cell_size="1"):
    lines = call(terrain, "measure", path, "--cell-size", cell_size).splitlines()
    return {words[0]: float(words[1]) for words in map(str.split, lines)}


def table(rows):
    """Rows of a label and its numbers."""
    lines = ["| | " + " | ".join(f"`{name}`" for name in COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for label, numbers in rows:
        cells = [f"{numbers[name]:.2f}" if numbers.get(name, math.nan) == numbers.get(name) else ""
                 for name in COLUMNS]
        lines.append("| " + " | ".join([label, *cells]) + " |")
    return "\n".join(lines) + "\n"


# ---- Parts ---------------------------------------------------------------------------------------


def world(path):
    """The recipe's line `# world:`: where a window lies, and options of `terrain run` and `terrain view`."""
    found = re.search(r"^# world: (\S+)(.*)$", path.read_text(), re.MULTILINE)
    if not found:
        return None
    run, view = [part.split() for part in (found[2] + " | | ").split("|")[1:3]]
    return found[1], [re.sub(r"=(?=recipes/)", f"={ROOT}/", word) for word in run], view


class Gallery:
    def __init__(self, terrain, drawing, folder):
        self.terrain, self.drawing, self.folder = terrain, drawing, pathlib.Path(folder)
        self.real = measure(terrain, ROOT / REAL[0], REAL[1])

    def run(self, recipe, maps, size):
        files = {name: self.folder / f"{recipe.stem}_{name}.tif" for name in maps}
        outputs = [word for name, file in files.items() for word in ("-o", f"{name}={file}")]
        call(self.terrain, "run", recipe, "--size", size, *outputs)
        return files

    def view(self, file, picture, *options):
        call(self.terrain, "view", file, "-o", picture, *options)
        return picture

    def land(self):
        if self.drawing:
            self.view(ROOT / REAL[0], PICTURES / "jacksboro.png",
                      "--exaggeration", float(EXAGGERATION) / float(REAL[1]))
        return f"![Jacksboro](gallery/jacksboro.png)\n\n{table([('Jacksboro', self.real)])}"

    def recipe(self, name):
        path = ROOT / f"recipes/{name}.terrain"
        line = re.search(r"^# gallery: (.*)$", path.read_text(), re.MULTILINE).group(1)
        stages, view = [part.split() for part in f"{line} |".split("|")[:2]]
        files = self.run(path, stages, f"{SIZE}x{SIZE}")
        if self.drawing:
            pictures = [self.view(file, self.folder / f"{name}_{stage}.png",
                                  *(view or ["--exaggeration", EXAGGERATION]))
                        for stage, file in files.items()]
            contact_sheet(PICTURES / f"{name}_stages.png", pictures[:-1])
            write_rgb(PICTURES / f"{name}.png", SIZE, read_rgb(pictures[-1])[2])
        rows = [(f"`{stage}`", measure(self.terrain, file)) for stage, file in files.items()]
        code = re.sub(r"^#.*\n|^results.*\n", "", path.read_text(), flags=re.MULTILINE).strip()
        return (f"![{stages[-1]}](gallery/{name}.png)\n\n![{', '.join(stages[:-1])}]"
                f"(gallery/{name}_stages.png)\n\n{table([*rows, ('Jacksboro', self.real)])}\n"
                f"```\n{code}\n```\n")

    def with_rivers(self, path):
        """The recipe, with a map `rivers` of what its last statement says of them: 1 on them, 0 on land."""
        recipe = self.folder / f"{path.stem}_rivers.terrain"
        recipe.write_text(re.sub(r"(= \w+_drainage\b.*)$", r"\1 river_distance=away", path.read_text(),
                                 flags=re.MULTILINE) +
                          "\nrivers = shape_remap away from_low=1.4 from_high=0.4 clamp=true\n")
        return recipe

    def worlds(self):
        pictures, blocks, rows, names = [], [], [], []
        for path in sorted((ROOT / "recipes").glob("*.terrain")):
            if world(path):
                origin, run, view = world(path)
                land, rivers, picture = (self.folder / f"{path.stem}{end}"
                                         for end in (".tif", "_rivers.tif", ".png"))
                call(self.terrain, "run", self.with_rivers(path), "--world", "--origin", origin,
                     "--size", "512x512", "-o", f"{path.stem}={land}", "-o", f"rivers={rivers}", *run)
                rows.append((f"[{path.stem}](../recipes/{path.name})", measure(self.terrain, land)))
                names.append(path.stem)
                if self.drawing:
                    pictures.append(self.view(land, picture, "--over", f"{rivers}=blue", *view))
                if self.drawing and path.stem in BLOCKS:
                    block = self.folder / f"{path.stem}_block.png"
                    blocks.append(self.view(land, block, "--over", f"{rivers}=blue", *view, "--shadows",
                                            "--perspective", BLOCKS[path.stem], "--pixels", "960x540"))
        if self.drawing:
            contact_sheet(PICTURES / "worlds.png", pictures, 3)
            contact_sheet(PICTURES / "blocks.png", blocks, 2)
        return (f"![{', '.join(names)}](gallery/worlds.png)\n\n![{', '.join(sorted(BLOCKS))}](gallery/blocks.png)"
                f"\n\n{table([*rows, ('Jacksboro', self.real)])}")

    def tiles(self, name):
        path = ROOT / f"recipes/{name}.terrain"
        origin, run, view = world(path)
        first = [int(word) for word in origin.split(",")]
        whole, joined = self.folder / f"{name}_whole.tif", self.folder / f"{name}_joined.tif"

        def window(file, x, y, size):
            call(self.terrain, "run", path, "--world", "--origin", f"{x},{y}", "--size", size, "-o", file, *run)

        for row in range(ROWS_OF_TILES):
            for column in range(COLUMNS_OF_TILES):
                window(self.folder / f"{name}_tile_{column}_{row}.tif", first[0] + TILE * column,
                       first[1] + TILE * row, f"{TILE}x{TILE}")
        call(self.terrain, "join", self.folder / f"{name}_tile_{{x}}_{{y}}.tif", "--overlap", 0, "-o", joined)
        window(whole, *first, f"{TILE * COLUMNS_OF_TILES}x{TILE * ROWS_OF_TILES}")
        hashes = [call(self.terrain, "hash", file).split()[0] for file in (joined, whole)]
        if hashes[0] != hashes[1]:
            sys.exit(f"the tiles of {name} are {hashes[0]}, the whole is {hashes[1]}")
        if self.drawing:
            picture = self.view(joined, self.folder / f"{name}_joined.png", *view)
            plain = halved(read_rgb(picture)[2])
            rows = [a + bytearray(b"\xff" * 6) + b for a, b in zip(plain, ruled(plain, TILE // 2))]
            write_rgb(PICTURES / f"{name}_tiles.png", len(rows[0]) // 3, rows)
        return (f"![{name}, and where its tiles meet](gallery/{name}_tiles.png)\n\n"
                f"[{name}](../recipes/{name}.terrain): the tiles' hash is `{hashes[0]}`, and so is the whole's.\n")

    def changes(self):
        text = []
        for path in sorted((ROOT / "docs/pictures").glob("*_*.terrain")):
            recipe, name = path.read_text(), path.stem
            maps = re.findall(r"^(\w+) *=", recipe, re.MULTILINE)
            if not (ROOT / f"docs/operations/{name}.md").exists():
                continue
            before = "before" in maps
            size = re.search(r"^# picture:.*size=(\S+)", recipe, re.MULTILINE)
            wanted = [*(["before"] if before else []), maps[-1]]
            images = "".join(f"![{stage}](pictures/{name}{suffix}.png) " for stage, suffix in
                             ([("before", "_before")] if before else []) + [("after", "")])
            text.append(f"### [`{name}`](operations/{name}.md)\n\n{images.strip()}\n")
            if not name.startswith(("analyze", "stitch")):  # not one map of heights
                files = self.run(path, wanted, size.group(1) if size else "240x240")
                labels = ["before", "after"] if before else ["the land"]
                text.append(table((label, measure(self.terrain, files[stage]))
                                  for label, stage in zip(labels, wanted)))
        return "\n".join(text)

    def part(self, kind, name, _):
        return getattr(self, kind)(*([name] if name else []))


def check(text):
    missing = [target for target in re.findall(r"\]\((\S+\.png)\)", text)
               if not (PAGE.parent / target).exists()]
    if missing or text != PAGE.read_text():
        sys.exit("\n".join(["docs/gallery.md is not up to date: run docs/gallery.py"] + missing))
    print("docs/gallery.md: up to date")


def main():
    checking = sys.argv[2:] == ["--check"]
    if len(sys.argv) not in (2, 3) or (len(sys.argv) == 3 and not checking):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        gallery = Gallery(parts.program(sys.argv[1]), not checking, folder)
        text = parts.renewed(PAGE.read_text(), gallery.part)
    if checking:
        check(text)
    else:
        PAGE.write_text(text)


main()
