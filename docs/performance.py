#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Measures everything, and writes the tables and the plot of performance.md. Then run generate.py: the
operations' pages take their times from there.

    performance.py BENCH [--machine NAME] [--seconds S] [--json FILE]

BENCH is terrain-bench, built with -Dpeers=auto for the libraries that Debian has; the plot needs
matplotlib. Beside those, bench/peers.py and bench/image_peers.py are run where the Python package is
installed; else their tables stay as they are. --json takes what `terrain-bench --json --peers` has
printed instead of measuring. Takes a quarter of an hour. In performance.md each part stands between
<!-- machine -->, <!-- cases -->, <!-- plot -->, <!-- beside -->, <!-- flow --> or <!-- images --> and
<!-- end -->.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import parts

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
SIZES = (512, 4096)
PLOT = DOCS / "performance.svg"


def measure(bench, seconds):
    command = [bench, "--json", "--cpu-time", "--targets", str(ROOT / "bench/targets.txt"), "--seconds", str(seconds)]
    for size in SIZES:
        command += ["--size", f"{size}x{size}"]
    built = subprocess.run([bench, "--list", "--peers"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if built.returncode == 0:
        command.append("--peers")
    else:
        print("no peers: BENCH was built without -Dpeers=auto", file=sys.stderr)
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def processor():
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return model[1] if model else "this machine"


def machine(found, name):
    copies = [f"{copy_time(found, size):.3f} ns" for size in SIZES]
    return (f"One core of {name}, instruction set {found['isa']}, {found['time']} "
            f"time. A copy of the map takes {copies[0]} a cell at 512 × 512, and {copies[1]} at 4096 × 4096.\n")


def copy_time(found, size):
    """Nanoseconds a cell that a copy took: the median of all rows."""
    times = sorted(row["copy_median_ms"] * 1e6 / (row["width"] * row["height"]) for row in rows_of(found, size))
    return times[len(times) // 2]


def rows_of(found, size):
    return [row for row in found["results"] if row["threads"] == 1 and row["width"] // 512 * 512 == size]


def by_case(found):
    """What each case and each of its peers took: {case: {library or None: {size: row}}}."""
    cases = {}
    for size in SIZES:
        for row in rows_of(found, size):
            cases.setdefault(row["case"], {}).setdefault(row.get("peer"), {})[size] = row
    return cases


def both(rows, show):
    return " / ".join(show(rows[size]) if size in rows else "" for size in SIZES)


def settings(row):
    """What a case gives its operation: as in a recipe, without maps; "" for the defaults, pipelines, meshes and measures."""
    operation = row["case"].split("/")[0]
    recipe = row["recipe"] or ""
    words = re.sub(r"^[\w ]+ = \w+ ?(map)?( other)? ?", "", recipe)
    if operation in ("pipeline", "mesh", "measure") or (not words and "/" not in row["case"]):
        return ""
    return f"`{words}`" if words else "" if recipe else "to " + row["case"].split("/")[1].replace("_", " ")


def cases_table(found):
    lines = ["| case | settings | ns a cell | copies | goal |", "|---|---|---:|---:|---:|"]
    for case, libraries in by_case(found).items():
        ours = libraries[None]
        each = ", each iteration" if ours[512]["divisor"] > 1 else ""
        goals = both(ours, lambda row: f"{row['goal']:.1f}" if "goal" in row else "–") if any(
            "goal" in row for row in ours.values()) else ""
        lines.append(f"| `{case}`{each} | {settings(ours[512])} | "
                     f"{both(ours, lambda row: format(row['ns_per_cell'], '.2f'))} | "
                     f"{both(ours, lambda row: format(row['paired_ratio'], '.1f'))} | {goals} |")
    return "\n".join(lines) + "\n"


def peers_table(found):
    lines = ["| case | beside | ours ns | theirs | ratio |", "|---|---|---:|---:|---:|"]
    for case, libraries in by_case(found).items():
        for name, theirs in libraries.items():
            if name is not None:
                ours = libraries[None]
                ratios = " / ".join(f"{theirs[size]['minimum_ms'] / ours[size]['minimum_ms']:.1f}"
                                    for size in SIZES if size in ours and size in theirs)
                lines.append(f"| `{case}` | {name} | {both(ours, lambda row: format(row['ns_per_cell'], '.2f'))} | "
                             f"{both(theirs, lambda row: format(row['ns_per_cell'], '.2f'))} | {ratios} |")
    return "\n".join(lines) + "\n"


def plot(found):
    """A bar for each case that a peer does, too, and a mark for each peer, at 4096 x 4096."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed", file=sys.stderr)
        return
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "libterrain", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot
    size = SIZES[-1]
    cases = {case: rows for case, rows in by_case(found).items() if len(rows) > 1 and size in rows[None]}
    figure, axes = pyplot.subplots(figsize=(8, 0.26 * len(cases) + 1), layout="constrained")
    names = list(cases)[::-1]
    axes.barh(names, [cases[name][None][size]["ns_per_cell"] for name in names], color="#4a7a3d", label="libterrain")
    libraries = sorted({library.split()[0].rstrip(",") for rows in cases.values() for library in rows if library})
    for library, mark in zip(libraries, "osD^v"):
        points = [(rows[size]["ns_per_cell"], name) for name in names for full, rows in cases[name].items()
                  if full is not None and full.startswith(library) and size in rows]
        axes.plot(*zip(*points), mark, label=library)
    axes.axvline(copy_time(found, size), color="black", linewidth=0.8, linestyle=":", label="a copy of the map")
    axes.set(xscale="log", xlabel=f"ns a cell at {size} × {size}, one core")
    axes.legend(loc="lower right")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(PLOT, metadata={"Date": None})


def table_of(script):
    """What one of the scripts of bench/ prints; None where the package or its peers are missing."""
    result = subprocess.run([sys.executable, str(ROOT / "bench" / script), "--markdown"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    if result.returncode != 0 or result.stdout.count("\n") < 3:
        print(f"no table of {script}: {result.stderr.strip()[-200:]}", file=sys.stderr)
        return None
    return result.stdout


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("bench")
    options.add_argument("--machine", default=processor(), help="what to call it; else as the system does")
    options.add_argument("--seconds", type=float, default=0.3, help="for each case and size")
    options.add_argument("--json", type=pathlib.Path, help="measured before")
    chosen = options.parse_args()
    found = json.loads(chosen.json.read_text()) if chosen.json else measure(parts.program(chosen.bench), chosen.seconds)
    plot(found)
    made = {"machine": machine(found, chosen.machine), "cases": cases_table(found), "plot": f"![Times]({PLOT.name})\n",
             "beside": peers_table(found) if any("peer" in row for row in found["results"]) else None,
             "flow": table_of("peers.py"), "images": table_of("image_peers.py")}
    page = DOCS / "performance.md"
    text = page.read_text()
    missing = [kind for kind in made if f"<!-- {kind} -->" not in text]
    if missing:
        sys.exit(f"{page.name} has no part {', '.join(missing)}")
    page.write_text(parts.renewed(text, lambda kind, *_: made.get(kind)))


if __name__ == "__main__":
    main()
