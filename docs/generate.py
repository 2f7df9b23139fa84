#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes what the manual takes from elsewhere: parameter tables from the operation table, programs
from docs/examples, times from performance.md, pictures from docs/pictures/*.terrain.

    generate.py TERRAIN               rewrites the marked parts of all pages
    generate.py TERRAIN --check       changes nothing; fails if a page is not up to date, an
                                      operation has no page or no picture, a link or its #anchor
                                      leads nowhere, code has a command, an option, an operation, a
                                      parameter, a value or a recipe that there isn't
    generate.py TERRAIN --pictures    draws all pictures

TERRAIN is the program. A marked part begins with <!-- parameters -->, <!-- operations -->,
<!-- times -->, <!-- recipes -->, <!-- seams -->, <!-- example NAME --> or <!-- picture NAME --> (and the recipe that it
was drawn from; without a NAME, the page's own) on a line of its own, and ends with <!-- end -->. Rows of
the table <!-- recipes --> are kept, and each gets the parameters that the recipe it links to gives the
page's operation, but for the seed and for maps.

A picture NAME.png shows the last map of NAME.terrain, and NAME_before.png the map `before` if the
recipe has one. Its comment "# picture: ..." may say: size=WxH, scale=S, exaggeration=E (of the relief's
slopes), sea=HEIGHT, palette=NAME, grey=LOW,HIGH (heights as grey, no relief), crop=WxH+X+Y (a window of
the map), perspective=AZIMUTH,ALTITUDE (NAME_perspective.png shows the whole map from there).
recipes/NAME.terrain may have such a comment, too.
It may also ask for tiles that are put together: grid=COLUMNSxROWS and tile=CELLS. Each is a bounded map
by itself, and neighbours share their edges, or overlap=CELLS; stitch=METHOD stitches them (with
width=CELLS, if it is there), and NAME_before.png shows what was, unless before=no. With stitch=world they
are tiles of one world instead, and NAME_before.png is the same with their borders.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import parts

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LARGEST_PICTURE = 150 * 1024


def pages():
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def has_before(recipe):
    return re.search(r"^before *=|^# picture:.* stitch=", recipe, re.MULTILINE) is not None


# ---- Tables ------------------------------------------------------------------------------------

TYPES = {
    "float": "number", "int32": "integer", "uint32": "integer", "int64": "integer",
    "uint64": "integer", "bool": "yes or no", "enum": "choice", "map_in": "map, read",
    "map_out": "map, written", "float_array": "numbers",
}


def number(value):
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        value = int(value)
    return str(value)


def limits(parameter):
    kind = parameter["type"]
    if kind == "enum":
        return "; ".join(f"`{name}`: {text}" for name, text in zip(parameter["values"], parameter["value_docs"]))
    if kind in ("map_in", "map_out", "bool"):
        return ""
    low = "-∞" if parameter["min"] is None else number(parameter["min"])
    high = "∞" if parameter["max"] is None else number(parameter["max"])
    if high == "18446744073709551615":
        high = "2⁶⁴ − 1"
    low = low.replace("-4611686018427387904", "−2⁶²")
    high = high.replace("4611686018427387904", "2⁶²")
    if kind == "uint32" and high == "4294967295":
        high = "2³² − 1"
    each = f", at most {parameter['count_max']} numbers" if kind == "float_array" else ""
    return f"{low} to {high}{each}".replace("-", "−")


def default(parameter):
    kind = parameter["type"]
    value = parameter["default"]
    if kind in ("map_in", "map_out", "float_array"):
        return "none"
    if kind == "enum":
        return f"`{value}`"
    if kind == "bool":
        return "yes" if value in (True, 1) else "no"
    if value is None:  # infinite
        return parameter["default_text"].replace("inf", "∞").replace("-", "−")
    return number(value).replace("-", "−")


def doc(parameter):
    """The table's sentence, and under which choice it counts."""
    when = parameter["when"]
    if when is None:
        return parameter["doc"]
    values = [f"`{value}`" for value in when["values"] if not isinstance(value, bool)]
    condition = f"is {' or '.join(values)}" if values else "is given" if when["values"] == [True] else "is not given"
    return f"{parameter['doc']} Counts only where `{when['parameter']}` {condition}."


def parameters(operation):
    lines = ["| parameter | | unit | default | range | |", "|---|---|---|---|---|---|"]
    for p in operation["parameters"]:
        cells = [f"`{p['name']}`", TYPES[p["type"]], p["unit"], default(p), limits(p), doc(p)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    locality = operation["locality"]
    if locality == "local":
        locality += f", {operation['halo']} cells"
    world = {"windows": "", "regions": "; in a world by [regions](../tiles.md#regions)", "none": "; never in a world"}
    lines += ["", f"[Locality](../tiles.md#windows) with the defaults: {locality}{world[operation['tiling']]}."]
    return "\n".join(lines) + "\n"


def operation_list(operations, page):
    where, tiles = (os.path.relpath(DOCS / name, page.parent) for name in ("operations", "tiles.md"))
    lines = ["| operation | | ns a cell | halo |", "|---|---|---:|---:|"]
    for o in sorted(operations.values(), key=lambda o: o["name"]):
        measured = [ns.split(" / ")[0] + each.replace(", each", " an") for _, _, each, ns, _ in cases(o["name"])]
        tiling = {"windows": o["halo"], "regions": f"[regions]({tiles}#regions)", "none": "global"}
        lines.append(f"| [`{o['name']}`]({where}/{o['name']}.md) | {o['summary']} | {''.join(measured[:1])} | {tiling[o['tiling']]} |")
    return "\n".join(lines) + "\n"


def settings(recipe, operation):
    """What a recipe gives an operation, but for the seed and for maps."""
    statement = re.search(rf"^\w+ *= *{operation['name']}\b(.*)$", recipe.read_text(), re.MULTILINE)
    left_out = {"seed"} | {p["name"] for p in operation["parameters"] if p["type"] in ("map_in", "map_out")}
    return " ".join(word for word in statement[1].split() if word.split("=")[0] not in left_out)


def recipes(page, operation, old):
    def row(match):
        return f"{match[1]}`{settings((page.parent / match[2]).resolve(), operation)}` |"

    return re.sub(r"^(\| \[.*\]\((\S+\.terrain)\) \| ).*$", row, old, flags=re.MULTILINE)


# ---- Programs and times --------------------------------------------------------------------------


def example(name):
    path = next((DOCS / "examples").glob(f"{name}.c*"))
    source = re.sub(r"\A(/[/*] SPDX-.*\n)+\n", "", path.read_text())
    text = f"```{path.suffix[1:]}\n{source}```\n"
    printed = DOCS / f"examples/{name}.txt"
    if printed.exists():
        text += f"\nIt prints:\n\n```\n{printed.read_text()}```\n"
    return text


def picture(page, name):
    recipe = DOCS / f"pictures/{name}.terrain"
    where = os.path.relpath(DOCS / "pictures", page.parent)
    lines = re.sub(r"^#.*\n", "", recipe.read_text(), flags=re.MULTILINE)
    images = f"![{name}]({where}/{name}.png)"
    if has_before(recipe.read_text()):
        images = f"![before]({where}/{name}_before.png) {images}"
    return f"{images}\n\n```\n{lines.strip()}\n```\n"


def cases(operation):
    """The operation's rows of performance.md's table of cases, the defaults first: name, settings, ", each
    iteration" or "", and, at 512 x 512 / at 4096 x 4096, nanoseconds a cell and copies of the map."""
    text = (DOCS / "performance.md").read_text()
    table = re.search(r"<!-- cases -->\n(.*?)<!-- end -->\n", text, re.DOTALL)[1]
    rows = re.findall(r"^\| `(.+?)`(.*?) \| (.*?) \| (.*?) \| (.*?) \|", table, re.MULTILINE)
    return sorted(((name, settings, each, ns, copies) for name, each, settings, ns, copies in rows
                   if name.split("/")[0] == operation), key=lambda row: row[1] + row[2] != "")


def times(operation):
    rows = []
    for _, settings, each, ns, copies in cases(operation):
        cells = [f"{n} ns, {c}" for n, c in zip(ns.split(" / "), copies.split(" / "))]
        rows.append(f"| {settings or 'defaults'}{each} | {' | '.join(cells)} |")
    return "\n".join(["| | 512 × 512 | 4096 × 4096 |", "|---|---|---|", *rows]) + "\n" if rows else None


# ---- Seams ---------------------------------------------------------------------------------------


def figure(text):
    value = float(text)
    return "0" if abs(value) < 1e-5 else f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def seams(terrain):
    """What stitch and join print of the tiles of the picture stitch_edges."""
    recipe = DOCS / "pictures/stitch_edges.terrain"
    with tempfile.TemporaryDirectory() as folder:
        def told(*arguments):
            printed = call(terrain, *arguments)
            return re.findall(r"step (\S+), worst kink (\S+), curvature on seams (\S+), inside (\S+): (\S+) times", printed)

        alone, done, world = (folder + f"/{name}_{{x}}_{{y}}.tif" for name in "abw")
        make_tiles(terrain, recipe, alone)
        stitch = ["stitch", alone, "--overlap", 1, "-o", done]
        rows = [("each tile alone", told("join", alone, "--overlap", 1, "-o", folder + "/all.tif")),
                ("edges averaged", told(*stitch, "--width", 1)[1:]),
                ("edges and skirts", told(*stitch)[1:]),
                ("edges and slopes matched", told(*stitch, "--method", "match")[1:])]
        cut_world(terrain, recipe, world)
        rows.append(("one world", told("join", world, "-o", folder + "/all.tif")))
    lines = ["| | worst step | worst kink | curvature on seams | inside | ratio |", "|---|---|---|---|---|---|"]
    return "\n".join(lines + [f"| {name} | {' | '.join(map(figure, row))} |" for name, [row] in rows]) + "\n"


# ---- Pages ---------------------------------------------------------------------------------------


def renew(page, operations, terrain):
    """The text that the page should have."""

    def part(kind, name, old):
        operation = page.stem
        if kind == "example":
            return example(name)
        if kind == "picture":
            return picture(page, name or page.stem)
        if kind == "parameters" and operation in operations:
            return parameters(operations[operation])
        if kind == "recipes":
            return recipes(page, operations[operation], old)
        if kind == "operations":
            return operation_list(operations, page)
        if kind == "seams":
            return seams(terrain)
        return times(operation) or None if kind == "times" else None

    return parts.renewed(page.read_text(), part)


def prose(page):
    return re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)


def anchors(page):
    """The names that GitHub and MkDocs give headings."""
    for heading in re.findall(r"^#+ +(.*)$", prose(page), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        yield re.sub(r"[^\w -]", "", heading).replace(" ", "-")


def broken_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = target.partition("#")
        other = page.parent / path if path else page
        if re.match(r"\w+:", target):
            continue
        if not other.exists() or (anchor and other.suffix == ".md" and anchor not in anchors(other)):
            yield target


# ---- Code that pages show ------------------------------------------------------------------------


def code_of(page):
    """Blocks, and what stands between backticks; lines that go on are one."""
    text = page.read_text()
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return [re.sub(r"\\\n", " ", code) for code in [*blocks, *inline]]


def commands_of(terrain):
    """The options of each command, by their names: "run": {"--size", "-o", ...}."""

    def called(*arguments):
        return subprocess.run([terrain, *arguments, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout

    names = set(re.findall(r"^  terrain (\w+)", called(), re.MULTILINE))
    option = re.compile(r"^  (?:terrain \w+ )?(--[\w-]+|-[a-z]\b)", re.MULTILINE)
    return {name: {"--help", *option.findall(called(name))} for name in names}


def wrong_commands(code, commands, operations):
    """At the start of a line, or behind ; & |, terrain is the program; elsewhere if one of its commands follows."""
    verbs = {each["verb"] for each in operations.values()}
    calls = re.findall(r"(^ *|[;&|] *|\s)(?:build/tools/)?terrain ([\w-]+)([^;&|\n]*)", code, re.MULTILINE)
    for before, name, rest in calls:
        if name not in [*commands, "--help", "--version"] and before != " ":
            yield f"terrain {name} is no command"
        for option in re.findall(r"(?<= )--?[a-z][\w-]*", rest if name in commands else ""):
            if option not in commands[name]:
                yield f"terrain {name} has no {option}"
        for word in re.findall(r"^ ([a-z]\w*)", rest if name == "ops" else ""):
            if word not in operations and word not in verbs:
                yield f"terrain ops {word} is no operation"


def wrong_statements(code, operations):
    """Statements of recipes, NAME = OPERATION MAP... PARAMETER=VALUE..., also in strings of other languages."""
    verbs = "|".join(sorted({each["verb"] for each in operations.values()}))
    for name, rest in re.findall(rf"\b\w+ *= *((?:{verbs})_[a-z]\w*)\b([^\n#`'\"(]*)", code.replace("\\n", "\n")):
        if name not in operations:
            yield f"{name} is no operation"
            continue
        parameters = {each["name"]: each for each in operations[name]["parameters"]}
        for key, value in re.findall(r"(\w+)=(\S+)", rest):
            if key not in parameters:
                yield f"{name} has no {key}"
            elif parameters[key]["type"] == "enum" and value not in parameters[key]["values"]:
                yield f"{name} {key}={value} is no value of its"


def wrong_names(code, operations):
    """Operations that stand alone, and recipes by their paths."""
    verbs = "|".join(sorted({each["verb"] for each in operations.values()}))
    for name in re.findall(rf"^((?:{verbs})_[a-z]\w*)$", code):
        if name not in operations:
            yield f"{name} is no operation"
    for name in re.findall(r"\brecipes/(\w+)(?:\.terrain)?\b(?!/)", code):
        if not (ROOT / f"recipes/{name}.terrain").exists():
            yield f"recipes/{name}.terrain does not exist"


def wrong_code(page, commands, operations):
    for code in code_of(page):
        yield from wrong_commands(code, commands, operations)
        yield from wrong_statements(code, operations)
        yield from wrong_names(code, operations)


# ---- Whether all is up to date -------------------------------------------------------------------


def check(terrain, operations):
    faults = []
    commands = commands_of(terrain)
    printed = subprocess.run([terrain, "run", str(ROOT / "recipes/main.terrain")], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    if printed.split()[-1] not in (ROOT / "README.md").read_text():
        faults.append(f"README.md lacks the hash of recipes/main.terrain: {printed.split()[-1]}")
    for page in pages():
        name = page.relative_to(ROOT)
        if renew(page, operations, terrain) != page.read_text():
            faults.append(f"{name} is not up to date: run docs/generate.py")
    for page in [*pages(), *(ROOT / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY"))]:
        faults += [f"{page.relative_to(ROOT)}: {target} does not exist" for target in broken_links(page)]
    for page in [*pages(), ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("bindings/*/README.md"))]:
        faults += [f"{page.relative_to(ROOT)}: {fault}" for fault in wrong_code(page, commands, operations)]
    for name in operations:
        page = DOCS / f"operations/{name}.md"
        if not page.exists():
            faults.append(f"docs/operations/{name}.md is missing")
            continue
        for part in ("picture", "parameters", "times"):
            if f"<!-- {part} -->" not in page.read_text():
                faults.append(f"docs/operations/{name}.md has no part <!-- {part} -->")
    for picture in sorted((DOCS / "pictures").glob("*.png")):
        if picture.stat().st_size > LARGEST_PICTURE:
            faults.append(f"{picture.relative_to(ROOT)} is larger than {LARGEST_PICTURE} bytes")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(pages())} pages, {len(operations)} operations: up to date")


# ---- Pictures ------------------------------------------------------------------------------------


def write_grey(path, raw, size, low, high):
    """An 8-bit grey PNG of a file of floats."""
    width, height = map(int, size.split("x"))
    values = struct.unpack(f"<{width * height}f", raw.read_bytes())
    rows = []
    for y in range(height):
        row = values[y * width:(y + 1) * width]
        cells = bytes(int(min(max((v - low) / (high - low), 0), 1) * 255 + 0.5) for v in row)
        # Differences of neighbours compress better.
        rows.append(b"\1" + bytes((cells[i] - (cells[i - 1] if i else 0)) & 255 for i in range(width)))
    parts.write_png(path, width, parts.GREY, rows)


def crop(raw, size, window):
    """Leaves a window of a file of floats, and returns its size."""
    map_width = int(size.split("x")[0])
    width, height, left, top = map(int, re.split(r"[x+]", window))
    cells = memoryview(raw.read_bytes()).cast("f")
    rows = (cells[y * map_width + left:][:width] for y in range(top, top + height))
    raw.write_bytes(b"".join(rows))
    return f"{width}x{height}"


def call(terrain, *arguments):
    return subprocess.run([terrain, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


def options_of(recipe):
    """What the comment "# picture: ..." says."""
    comment = re.search(r"^# picture:(.*)$", recipe.read_text(), re.MULTILINE)
    return dict(re.findall(r"(\w+)=(\S+)", comment.group(1) if comment else ""))


def make_tiles(terrain, recipe, pattern):
    """Makes each tile of a picture's grid by itself."""
    columns, rows, tile, overlap = grid_of(options_of(recipe))
    for x in range(columns):
        for y in range(rows):
            call(terrain, "run", recipe, f"--size={tile}x{tile}",
                 f"--origin={x * (tile - overlap)},{y * (tile - overlap)}", "-o", pattern.format(x=x, y=y))


def grid_of(options):
    """Columns, rows, a tile's size and by how much tiles overlap."""
    columns, rows = map(int, options["grid"].split("x"))
    return columns, rows, int(options["tile"]), int(options.get("overlap", "1"))


def cut_world(terrain, recipe, pattern):
    """Makes the tiles of a picture's grid of one world."""
    columns, rows, tile, _ = grid_of(options_of(recipe))
    box = f"0,0,{columns * (tile - 1) + 1},{rows * (tile - 1) + 1}"
    call(terrain, "tiles", recipe, "--tile", tile, "--overlap", 1, "--range-cells", box, "-o", pattern)


def draw_tiles(terrain, recipe, options):
    overlap, method = grid_of(options)[3], options.get("stitch")
    relief = ["--overlap", str(overlap), "--relief", "--exaggeration", options.get("exaggeration", "1")]
    plain, before = recipe.with_suffix(".png"), recipe.with_name(recipe.stem + "_before.png")
    with tempfile.TemporaryDirectory() as folder:
        alone, done = folder + "/a_{x}_{y}.tif", folder + "/b_{x}_{y}.tif"
        if method == "world":
            cut_world(terrain, recipe, done)
            call(terrain, "join", done, *relief, "--borders", "-o", before)
        else:
            make_tiles(terrain, recipe, alone)
            width = ["--width", options["width"]] if "width" in options else []
            call(terrain, "stitch", alone, "--method", method, "--overlap", overlap, *width, "-o",
                 done)
            call(terrain, "join", alone, *relief, "-o", before)
        call(terrain, "join", done, *relief, "-o", plain)
    if options.get("before") == "no":
        before.unlink()
    for picture in filter(pathlib.Path.exists, (plain, before)):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size} bytes")


def draw(terrain, recipe):
    text, options = recipe.read_text(), options_of(recipe)
    if "grid" in options:
        draw_tiles(terrain, recipe, options)
        return
    size = options.get("size", "240x240")
    last = re.findall(r"^(\w+) *=", text, re.MULTILINE)[-1]
    wanted = [(last, DOCS / f"pictures/{recipe.stem}.png")]
    if has_before(text):
        wanted.append(("before", DOCS / f"pictures/{recipe.stem}_before.png"))
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in wanted:
            grey = "grey" in options and name != "before"
            raw = pathlib.Path(folder) / f"{name}.{'r32' if grey or 'crop' in options else 'tif'}"
            scale = ["--scale", options["scale"]] if "scale" in options else []
            subprocess.run([terrain, "run", str(recipe), f"--size={size}", *scale, "-o", f"{name}={raw}"],
                           check=True, stdout=subprocess.DEVNULL)
            if "perspective" in options and name != "before":
                view = picture.with_stem(f"{picture.stem}_perspective")
                call(terrain, "view", raw, f"--size={size}", "-o", view, "--perspective", options["perspective"],
                     "--pixels=600x320", *(["--sea", options["sea"]] if "sea" in options else []), "--shadows")
                print(f"{view.relative_to(ROOT)}: {view.stat().st_size} bytes")
            if "crop" in options:
                size = crop(raw, size, options["crop"])
            if grey:
                low, high = map(float, options["grey"].split(","))
                write_grey(picture, raw, size, low, high)
            else:
                subprocess.run([terrain, "view", str(raw), *([f"--size={size}"] if "crop" in options else []),
                                "-o", str(picture),
                                "--exaggeration", options.get("exaggeration", "1"),
                                *(["--sea", options["sea"]] if "sea" in options else []),
                                *(["--palette", options["palette"]] if "palette" in options else [])],
                               check=True)
            print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size} bytes")


# ---- Main ----------------------------------------------------------------------------------------


def rewrite(operations, terrain):
    for page in pages():
        text = renew(page, operations, terrain)
        if text != page.read_text():
            page.write_text(text)
            print(f"{page.relative_to(ROOT)}: renewed")


def main():
    arguments = sys.argv[1:]
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--check"], ["--pictures"]):
        sys.exit(__doc__)
    terrain = parts.program(arguments[0])
    if arguments[1:] == ["--pictures"]:
        recipes = [recipe for recipe in (ROOT / "recipes").glob("*.terrain")
                   if "# picture:" in recipe.read_text()]
        for recipe in sorted([*(DOCS / "pictures").glob("*.terrain"), *recipes]):
            draw(terrain, recipe)
        return
    printed = subprocess.run([terrain, "ops", "--json"], check=True, stdout=subprocess.PIPE).stdout
    operations = {o["name"]: o for o in json.loads(printed)}
    if arguments[1:] == ["--check"]:
        check(terrain, operations)
    else:
        rewrite(operations, terrain)


main()
