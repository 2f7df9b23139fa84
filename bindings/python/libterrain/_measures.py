# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Figures of a terrain: statistics, scores of ground to play on, landforms, seams; and the hash of its cells."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from . import _sessions
from ._arrays import Map, Pair, Progress, Real, Whole, as_map, float_of, grid_of, number, origin_of, set_window
from ._errors import ArgumentError, BusyError, RangeError, check
from ._native import ffi, lib
from ._recipes import reading

FORMS = ("flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope", "valley", "pit")


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Of the finite cells; sums are exact, and rounded once."""

    count: int
    nan_count: int
    infinite_count: int
    minimum: float
    maximum: float
    sum: float
    mean: float
    variance: float
    standard_deviation: float
    histogram: NDArray[np.uint64] | None = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(frozen=True)
class Score:
    """Ground to play on, after Olsen: numbers of cells, and three figures made of them."""

    count: int
    accessible: int
    flat: int
    reachable: int
    buildable: int
    erosion: float
    mean_slope: float
    playability: float


@dataclasses.dataclass(frozen=True)
class Landform:
    """Figures that tell land from noise. Of real land: undrained 0 to 0.002, trunk 0.28 to 0.83, concavity 0.21 to
    0.60, hack 0.44 to 0.56, skewness -0.22 to 0.05, axis 0.95 to 1.05, forms_distance 0 to 0.19."""

    undrained: float
    trunk: float
    concavity: float
    hack: float
    skewness: float
    axis: float
    forms_distance: float
    forms: dict[str, float]


@dataclasses.dataclass(frozen=True)
class Seams:
    """How well neighbours fit. A step is the greatest difference between two heights of one shared cell; a kink that
    between the slopes on the two sides of a line where an array ends, in height per cell. `ratio` is the mean curvature
    across those lines by that inside the arrays: 1 where seams look as all else, more where they show."""

    cells: int
    worst_step: float
    worst_kink: float
    seam_curvature: float
    inside_curvature: float
    ratio: float


def hash(land: Map) -> str:  # noqa: A001 - terrain.hash
    """The fingerprint of size and cells, 16 hexadecimal digits: the same on every machine."""
    return f"{lib.terrain_heightmap_hash(reading(land, 'land').native):016x}"


def _figures(cls, prefix, native):
    return {field.name: getattr(lib, prefix + field.name)(native) for field in dataclasses.fields(cls)
            if field.name != "histogram"}


def _range(whole):
    """A range that holds all heights."""
    if whole.count == 0:
        return 0.0, 1.0
    more = max(0.5, abs(whole.minimum) * 1e-6) if whole.minimum == whole.maximum else 0.0
    return whole.minimum - more, whole.maximum + more


class _Tally:
    """An object of the library that takes several arrays: one caller at a time has it."""

    def __init__(self, native):
        self._native = native
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def _alone(self):
        if not self._lock.acquire(blocking=False):
            raise BusyError("the tally is in use: give each thread its own, and merge them")
        try:
            yield self._native
        finally:
            self._lock.release()

    def _merge(self, other, merge, why):
        if type(other) is not type(self):
            raise TypeError(f"a {type(self).__name__} is merged with another one, not with {type(other).__name__}")
        if other is self:
            raise ArgumentError("the tally can't be merged with itself")
        with self._alone() as into, other._alone() as native:
            status = merge(into, native)
        if status == -1:
            raise ArgumentError(why)
        check(status)


class Tally(_Tally):
    """Statistics of several arrays together: whatever they are, and in whatever order they are added or merged, those
    of all cells at once, to the last bit. `bins` counts the heights in so many equal parts of [low, high]. Each thread
    that adds arrays has a tally of its own, which are merged at the end."""

    def __init__(self, *, bins: Whole | None = None, low: Real | None = None, high: Real | None = None) -> None:
        self._histogram = None
        if bins is not None:
            if low is None or high is None:
                raise ArgumentError("bins are parts of a range: give low and high, too")
            bins = number(bins, "bins", 1, 1 << 20)
            low, high = np.float32(float_of(low, "low")), np.float32(float_of(high, "high"))
            if not -1e30 <= low < high <= 1e30:
                raise RangeError(f"low is {low} and high {high}, must be -1e+30 <= low < high <= 1e+30")
            self._histogram = np.zeros(bins, np.uint64)
        elif low is not None or high is not None:
            raise ArgumentError("low and high are the histogram's: give bins, too")
        out = ffi.new("terrain_statistics **")
        check(lib.terrain_statistics_create(ffi.NULL, out))
        super().__init__(ffi.gc(out[0], lib.terrain_statistics_destroy))
        if self._histogram is not None:
            counted = ffi.from_buffer("uint64_t[]", self._histogram)
            check(lib.terrain_statistics_set_histogram(self._native, low, high, counted, bins))

    def add(self, land: Map, *, progress: Progress = None) -> None:
        """Adds all cells of an array. After an error the tally is what it was."""
        wrapped = reading(land, "land")
        with self._alone() as native, _sessions.session_for("measure", progress) as session:
            session.run(lib.terrain_statistics_add, session.context, native, wrapped.native)

    def merge(self, other: Tally) -> None:
        """Adds the cells that another tally has, which counts in the same bins, or in none as this one."""
        self._merge(other, lib.terrain_statistics_merge, "the histograms of the two tallies differ")

    def reset(self) -> None:
        """Forgets all cells."""
        with self._alone() as native:
            lib.terrain_statistics_reset(native)

    @property
    def statistics(self) -> Statistics:
        """The figures of all cells so far."""
        with self._alone() as native:
            histogram = None if self._histogram is None else self._histogram.copy()
            return Statistics(**_figures(Statistics, "terrain_statistics_", native), histogram=histogram)


def measure(land: Map, *, bins: Whole | None = None, low: Real | None = None, high: Real | None = None,
            progress: Progress = None) -> Statistics:
    """Statistics of the heights. `bins` counts them in so many equal parts of [low, high], which are the least and
    the greatest height if they are not given, or, where these are equal, half a unit or more below and above."""
    land = as_map(land, "land")
    if bins is not None and (low is None or high is None):
        least, greatest = _range(measure(land))
        low, high = least if low is None else low, greatest if high is None else high
    tally = Tally(bins=bins, low=low, high=high)
    tally.add(land, progress=progress)
    return tally.statistics


class ScoreTally(_Tally):
    """The score of a terrain that is added in parts, in any order: that of the whole, to the last bit, if each array
    has a ring of `building_size` cells around its window wherever the terrain goes on, and all have one cell size.
    Each thread that adds arrays has a tally of its own, which are merged at the end."""

    def __init__(self, *, unit_slope: Real = 0.5, building_slope: Real = 0.125, unit_size: Whole = 1,
                 building_size: Whole = 9) -> None:
        desc = ffi.new("terrain_score_desc *")
        check(lib.terrain_score_desc_init(desc, ffi.sizeof("terrain_score_desc")))
        desc.unit_slope = float_of(unit_slope, "unit_slope")
        desc.building_slope = float_of(building_slope, "building_slope")
        desc.unit_size = number(unit_size, "unit_size", 1, 64)
        desc.building_size = number(building_size, "building_size", 1, 64)
        out = ffi.new("terrain_score **")
        with _sessions.take() as session:
            session.run(lib.terrain_score_create, session.context, desc, out)
        super().__init__(ffi.gc(out[0], lib.terrain_score_destroy))

    def add(self, land: Map, *, window: tuple[slice, slice] | None = None, origin: Pair = (0, 0),
            cell_size: Real = 1.0, progress: Progress = None) -> None:
        """Adds the cells of a window, rows and columns such as numpy.s_[9:-9, 9:-9], or else all of the array's, whose
        first cell is the world's at `origin`. No other window may have the same cells of the world. Cells around the
        window are read. After an error the tally is what it was."""
        place = origin_of(origin)
        wrapped = reading(land, "land", place, cell_size)
        counted = ffi.NULL
        if window is not None:
            counted = ffi.new("terrain_window *")
            set_window(counted, window, wrapped.array.shape, place)
        with self._alone() as native, _sessions.session_for("score", progress) as session:
            session.run(lib.terrain_score_add, session.context, native, wrapped.native, counted)

    def merge(self, other: ScoreTally) -> None:
        """Adds the cells of another tally of the same parameters, whose windows are none of this one's."""
        self._merge(other, lib.terrain_score_merge,
                    "the parameters of the two tallies differ, or their windows overlap")

    @property
    def score(self) -> Score:
        """The score of all cells so far."""
        with self._alone() as native:
            return Score(**_figures(Score, "terrain_score_", native))


def score(land: Map, *, unit_slope: Real = 0.5, building_slope: Real = 0.125, unit_size: Whole = 1,
          building_size: Whole = 9, cell_size: Real = 1.0, progress: Progress = None) -> Score:
    """How much of the land units can reach and build on. Slopes are rise over run, sizes in cells."""
    land = as_map(land, "land")
    tally = ScoreTally(unit_slope=unit_slope, building_slope=building_slope, unit_size=unit_size,
                       building_size=building_size)
    tally.add(land, cell_size=cell_size, progress=progress)
    return tally.score


def seams(maps: Sequence[Sequence[Map]], *, overlap: Whole = 1) -> Seams:
    """How well neighbours fit: rows of arrays of one size, [[north_west, north_east], [south_west, south_east]], that
    share `overlap` lines of cells, 1 for stitched edges."""
    rows = grid_of(maps, "maps", lambda array, name: reading(array, name))
    wrapped = [each for row in rows for each in row]
    natives = ffi.new("const terrain_heightmap *[]", [each.native for each in wrapped])
    lines = number(overlap, "overlap", 0, 2**32 - 1)
    found = ffi.new("terrain_seams *")
    check(lib.terrain_seams_init(found, ffi.sizeof("terrain_seams")))
    with _sessions.take() as session:
        session.run(lib.terrain_seams_measure, session.context, natives, len(rows[0]), len(rows), lines, found)
    return Seams(**{field.name: getattr(found, field.name) for field in dataclasses.fields(Seams)})


def landform(land: Map, *, cell_size: Real = 1.0, progress: Progress = None) -> Landform:
    """How the land drains, and which landforms it is made of; `forms` has the share of each by name."""
    wrapped = reading(land, "land", cell_size=cell_size)
    native = ffi.new("terrain_landform *")
    check(lib.terrain_landform_init(native, ffi.sizeof("terrain_landform")))
    with _sessions.session_for("landform", progress) as session:
        session.run(lib.terrain_landform_measure, session.context, wrapped.native, native)
    figures = {field.name: getattr(native, field.name) for field in dataclasses.fields(Landform)
               if field.name != "forms"}
    return Landform(**figures, forms=dict(zip(FORMS, native.forms)))
