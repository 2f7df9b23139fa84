#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Fills depressions and counts catchments with other libraries beside ours, in one process: whether the results are
equal, and how long each takes.

usage: peers.py [--size N] [--seconds S] [--markdown]

    pip install . numpy pillow richdem2 fastscapelib pysheds whitebox-workflows
    taskset -c 0 python3 bench/peers.py

What is not installed is skipped with a line. Three maps: the real landscape of data/jacksboro.png, random heights of
fractal noise, and white noise. Each gets a rim that is lower than all else, because peers differ in whether water may
run along the edge of a map.

fill    depressions filled level. The result is the least surface that drains, so that there is only one: all cells
        must be equal.
areas   catchments by D8 on a surface without level ground, which shape_fill makes with a slope. Where two ways down
        are equally steep (within 1e-6 of the slope, as some count in floats and some in doubles) each may be taken.
        Catchments are checked as sums: a cell's own water and that of all neighbours that flow to it.

Times are processor time, the least of several runs, each of them after ours; the ratio is theirs to ours. They hold
what a call needs to start from an array and to end with one, without the making of that array."""

import argparse
import contextlib
import importlib.metadata
import os
import pathlib
import sys
import tempfile
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("RAYON_NUM_THREADS", "1")

import numpy as np

import libterrain as terrain

ROOT = pathlib.Path(__file__).resolve().parent.parent

# (row, column) of the neighbour in each of our directions, 1 to 8, clockwise from the east.
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


# ---- Libraries -----------------------------------------------------------------------------------
#
# Each is made from nothing, or raises ImportError. `take` turns an array of float32 into what the library works on,
# untimed; `fill` and `areas` return something that `give` turns into an array, untimed.


class Ours:
    name = "libterrain"
    package = "libterrain"

    def take(self, heights):
        return heights

    def give(self, result):
        return np.asarray(result)

    def fill(self, heights):
        return terrain.shape.fill(heights)

    def areas(self, heights):
        return terrain.analyze.flow(heights, routing="none")


class RichDEM:
    name = "RichDEM"
    package = "richdem2"
    corner = 1  # its D8 goes to the lowest of the eight, wherever that is

    def __init__(self):
        import richdem

        self.library = richdem

    def take(self, heights):
        return self.library.rdarray(heights.copy(), no_data=-1e9, geotransform=(0, 1, 0, 0, 0, -1))

    def give(self, result):
        return np.array(result)

    def fill(self, heights):
        return self.library.FillDepressions(heights, in_place=False)

    def areas(self, heights):
        return self.library.FlowAccumulation(heights, method="D8")


class Fastscapelib:
    name = "fastscapelib"
    package = "fastscapelib"

    def __init__(self):
        import fastscapelib

        self.library = fastscapelib
        self.graphs = {}

    def take(self, heights):
        """A graph is made once for all maps of a size, as its users do."""
        if heights.shape not in self.graphs:
            grid = self.library.RasterGrid.from_length(
                list(heights.shape), [float(n - 1) for n in heights.shape], self.library.NodeStatus.FIXED_VALUE
            )
            fills = [self.library.PFloodSinkResolver(), self.library.SingleFlowRouter()]
            routes = [self.library.SingleFlowRouter()]
            # All of them are kept: graphs don't keep what they are made of.
            self.graphs[heights.shape] = (
                self.library.FlowGraph(grid, fills),
                self.library.FlowGraph(grid, routes),
                (grid, fills, routes),
            )
        return heights.astype(float)

    def give(self, result):
        return np.asarray(result)

    def fill(self, heights):
        """With routing, which the library can't fill without."""
        return self.graphs[heights.shape][0].update_routes(heights)

    def areas(self, heights):
        graph = self.graphs[heights.shape][1]
        graph.update_routes(heights)
        return graph.accumulate(1.0)


class Pysheds:
    name = "pysheds"
    package = "pysheds"

    def __init__(self):
        if not hasattr(np, "in1d"):
            np.in1d = np.isin  # which it still asks for, and NumPy has no more
        import affine
        import pyproj
        from pysheds import grid, view

        self.grid = grid
        self.raster = view.Raster
        self.finder = view.ViewFinder
        self.affine = affine.Affine(1, 0, 0, 0, -1, 0)
        self.crs = pyproj.Proj("epsg:3857", preserve_units=True)

    def take(self, heights):
        finder = self.finder(shape=heights.shape, nodata=np.float64(-1e9), affine=self.affine, crs=self.crs)
        raster = self.raster(heights.astype(float), viewfinder=finder)
        return self.grid.Grid.from_raster(raster), raster

    def give(self, result):
        return np.asarray(result)

    def fill(self, taken):
        grid, raster = taken
        return grid.fill_depressions(raster)

    def areas(self, taken):
        grid, raster = taken
        return grid.accumulation(grid.flowdir(raster))


class Whitebox:
    name = "Whitebox"
    package = "whitebox-workflows"

    def __init__(self):
        import whitebox_workflows

        self.library = whitebox_workflows
        self.environment = whitebox_workflows.WbEnvironment()
        self.environment.max_procs = 1
        self.folder = tempfile.TemporaryDirectory()

    def take(self, heights):
        """A raster needs another one to be like, which can only be read from a file, and is written beside it."""
        rows, columns = heights.shape
        path = pathlib.Path(self.folder.name, f"like_{columns}x{rows}.asc")  # read once for each name
        path.write_text(
            f"ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -32768\n"
            + (" ".join(["1.5"] * columns) + "\n") * rows
        )
        like = self.environment.read_raster(str(path))
        return self.library.Raster.from_numpy(heights.astype(float), like, output_path=f"{self.folder.name}/map.tif")

    def give(self, result):
        return np.asarray(result.to_numpy())

    def fill(self, raster):
        return self.environment.hydrology.fill_depressions_wang_and_liu(dem=raster, fix_flats=False)

    def areas(self, raster):
        return self.environment.hydrology.d8_flow_accum(input=raster, out_type="cells")


# ---- Maps ----------------------------------------------------------------------------------------


def maps(size):
    """Names and heights of the maps."""
    try:
        from PIL import Image

        yield "jacksboro", np.asarray(Image.open(ROOT / "data" / "jacksboro.png")).astype(np.float32)
    except ImportError:
        print("the real landscape is skipped: no module PIL", file=sys.stderr)
    yield "fractal noise", terrain.generate.noise((size, size), seed=5)
    yield "white noise", (np.random.default_rng(1).random((size, size)) * 100).astype(np.float32)


def with_moat(heights):
    """A copy whose rim lies one unit below all else."""
    moat = np.full((heights.shape[0] + 2, heights.shape[1] + 2), heights.min() - 1, np.float32)
    moat[1:-1, 1:-1] = heights
    return moat


# ---- Whether results are equal -------------------------------------------------------------------


def around(values, step):
    """The neighbour of each inner cell, in a direction."""
    down, right = step
    rows, columns = values.shape
    return values[1 + down : rows - 1 + down, 1 + right : columns - 1 + right]


def different_areas(heights, ours, theirs, corner):
    """Of the inner cells: in how many catchments differ, and how many catchments can't be of any D8: the cell and
    those neighbours for which it is the steepest way, be it one of several. `corner`: how far neighbours at the
    corners are."""
    h = heights.astype(float)
    slopes = np.full((8, *h.shape), -np.inf)
    for k, step in enumerate(STEPS):
        slopes[k, 1:-1, 1:-1] = (h[1:-1, 1:-1] - around(h, step)) / (corner if all(step) else 1)
    steepest = slopes.max(axis=0)
    takes = slopes >= steepest * (1 - 1e-6)
    ties = takes.sum(axis=0) > 1
    least = np.ones_like(h)[1:-1, 1:-1]
    most = np.ones_like(least)
    for k, step in enumerate(STEPS):
        back = (k + 4) % 8
        flows = around(takes[back], step) & (around(steepest, step) > 0)
        gives = np.where(flows, around(theirs, step), 0)
        most += gives
        least += np.where(around(ties, step), 0, gives)
    inner = theirs[1:-1, 1:-1]
    impossible = (inner < least - 0.5) | (inner > most + 0.5)
    return int((ours[1:-1, 1:-1] != inner).sum()), int(impossible.sum())


# ---- Times ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def quietly():
    """Without progress bars, which some draw."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def seconds_of(call, argument):
    with quietly():
        begin = time.process_time()
        result = call(argument)
        return time.process_time() - begin, result


def compare(ours, peer, what, heights, seconds):
    """Both results and the least time of each; theirs is run right after ours, again and again."""
    least, results = [float("inf")] * 2, [None] * 2
    end = time.monotonic() + seconds
    runs = 0
    while runs < 3 or (time.monotonic() < end and runs < 200):
        for i, library in enumerate((ours, peer)):
            # A map of its own for each run: some change it.
            took, result = seconds_of(getattr(library, what), library.take(heights))
            least[i] = min(least[i], took)
            results[i] = library.give(result)
        runs += 1
    return *results, *least


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--size", type=int, default=1024, help="cells on a side of the random maps")
    options.add_argument("--seconds", type=float, default=3, help="for each map and library")
    options.add_argument("--markdown", action="store_true", help="prints a table for a page")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")

    ours, peers = Ours(), []
    for kind in (RichDEM, Fastscapelib, Pysheds, Whitebox):
        try:
            peers.append(kind())
        except ImportError as error:
            print(f"{kind.name} is skipped: {error}", file=sys.stderr)
    line = "| {} | {} | {} | {} | {} | {} |" if chosen.markdown else "{:14} {:22} {:>8} {:>8} {:>7}  {}"
    print(line.format("map", "beside", "ours ns", "theirs", "ratio", "results"))
    if chosen.markdown:
        print("|---|---|---:|---:|---:|---|")
    failed = False
    for what in ("fill", "areas"):
        for name, heights in maps(chosen.size):
            land = with_moat(heights)
            if what == "areas":
                land = terrain.shape.fill(land, slope=0.001)
            for peer in peers:
                mine, theirs, our_time, their_time = compare(ours, peer, what, land, chosen.seconds)
                if what == "fill":
                    wrong = int((mine != theirs.astype(np.float32))[1:-1, 1:-1].sum())
                    told = "equal" if wrong == 0 else f"{wrong} cells differ"
                else:
                    corner = getattr(peer, "corner", 2**0.5)
                    differ, wrong = different_areas(land, mine, theirs, corner)
                    share = 100 * differ / land.size
                    told = "equal" if differ == 0 else f"{share:.2g} % differ, by ties alone"
                    told = "another rule: the lowest neighbour" if corner == 1 else told
                    told = f"{wrong} catchments are not D8's" if wrong > 0 else told
                failed = failed or wrong > 0
                version = importlib.metadata.version(peer.package)
                print(
                    line.format(
                        f"{what}, {name}" if chosen.markdown else f"{what} {name[:8]}",
                        f"{peer.name} {version}",
                        f"{our_time / land.size * 1e9:.1f}",
                        f"{their_time / land.size * 1e9:.1f}",
                        f"{their_time / our_time:.1f}",
                        told,
                    ),
                    flush=True,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
