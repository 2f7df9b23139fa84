# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Figures of a terrain: statistics, scores of ground to play on, landforms; and the hash of its cells."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from . import _sessions
from ._arrays import Map, Progress, Real, Whole, float_of, number
from ._errors import ArgumentError, RangeError, check
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


def measure(land: Map, *, bins: Whole | None = None, low: Real | None = None, high: Real | None = None,
            progress: Progress = None) -> Statistics:
    """Statistics of the heights. `bins` counts them in so many equal parts of [low, high], which are the least and
    the greatest height if they are not given, or, where these are equal, half a unit or more below and above."""
    wrapped = reading(land, "land")
    histogram = None
    if bins is None and (low is not None or high is not None):
        raise ArgumentError("low and high are the histogram's: give bins, too")
    if bins is not None:
        bins = number(bins, "bins", 1, 1 << 20)
        if low is None or high is None:
            least, greatest = _range(measure(land))
            low, high = least if low is None else low, greatest if high is None else high
        low, high = np.float32(float_of(low, "low")), np.float32(float_of(high, "high"))
        if not -1e30 <= low < high <= 1e30:
            raise RangeError(f"low is {low} and high {high}, must be -1e+30 <= low < high <= 1e+30")
        histogram = np.zeros(bins, np.uint64)
    out = ffi.new("terrain_statistics **")
    check(lib.terrain_statistics_create(ffi.NULL, out))
    native = ffi.gc(out[0], lib.terrain_statistics_destroy)
    if histogram is not None:
        check(lib.terrain_statistics_set_histogram(native, low, high, ffi.from_buffer("uint64_t[]", histogram), bins))
    with _sessions.session_for("measure", progress) as session:
        session.run(lib.terrain_statistics_add, session.context, native, wrapped.native)
    return Statistics(**_figures(Statistics, "terrain_statistics_", native), histogram=histogram)


def score(land: Map, *, unit_slope: Real = 0.5, building_slope: Real = 0.125, unit_size: Whole = 1,
          building_size: Whole = 9, cell_size: Real = 1.0, progress: Progress = None) -> Score:
    """How much of the land units can reach and build on. Slopes are rise over run, sizes in cells."""
    wrapped = reading(land, "land", cell_size=cell_size)
    desc = ffi.new("terrain_score_desc *")
    check(lib.terrain_score_desc_init(desc, ffi.sizeof("terrain_score_desc")))
    desc.unit_slope, desc.building_slope = float_of(unit_slope, "unit_slope"), float_of(building_slope, "building_slope")
    desc.unit_size = number(unit_size, "unit_size", 1, 64)
    desc.building_size = number(building_size, "building_size", 1, 64)
    out = ffi.new("terrain_score **")
    with _sessions.session_for("score", progress) as session:
        session.run(lib.terrain_score_create, session.context, desc, out)
        native = ffi.gc(out[0], lib.terrain_score_destroy)
        session.run(lib.terrain_score_add, session.context, native, wrapped.native, ffi.NULL)
    return Score(**_figures(Score, "terrain_score_", native))


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
