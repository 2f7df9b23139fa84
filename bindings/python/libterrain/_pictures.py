# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Shaded relief, for looking: in notebooks, and as PNG files. The program `terrain view` draws the same way."""

from __future__ import annotations

import os
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from ._arrays import Map, Real, as_map, finite_of
from ._operations import operations

_AT = (0.0, 0.15, 0.35, 0.55, 0.72, 0.86, 1.0)
_LAND = ((92, 132, 88), (132, 164, 104), (188, 196, 132), (208, 184, 132), (178, 142, 106), (176, 164, 156),
         (248, 248, 250))
_DEPTHS_AT = (0.0, 0.04, 0.12, 0.3, 0.55, 0.8, 1.0)
_DEPTHS = ((150, 202, 210), (126, 186, 202), (98, 162, 192), (70, 132, 174), (50, 104, 152), (36, 82, 130),
           (26, 64, 110))
# Most of the light comes from the north-west, the rest from both sides of it (after Mark, 1992).
_LIGHTS = ((315, 0.6), (255, 0.2), (15, 0.2))
_LEVEL = 0.70710678
_MEAN_SLOPE = 0.45
_BAND = 1 << 16  # cells


class Picture:
    """An RGB picture, (height, width, 3) of uint8; a notebook shows it."""

    def __init__(self, rgb: NDArray[np.uint8]) -> None:
        self.rgb = rgb

    def __repr__(self) -> str:
        height, width, _ = self.rgb.shape
        return f"<picture of {width} x {height} pixels>"

    def png(self) -> bytes:
        """The bytes of a PNG file."""
        height, width, _ = self.rgb.shape
        rows = np.zeros((height, 1 + 3 * width), np.uint8)
        rows[:, 1:] = self.rgb.reshape(height, 3 * width)
        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file."""
        with open(path, "wb") as file:
            file.write(self.png())

    _repr_png_ = png


def _tinted(at, tints, share):
    return np.stack([np.interp(share, at, [tint[i] for tint in tints]) for i in range(3)], axis=-1)


def view(land: Map, *, cell_size: Real = 1.0, sea: Real | None = None, exaggeration: Real | None = None) -> Picture:
    """Shaded relief with altitude tints. `sea` is the height of the water's surface, None for no water. Slopes are
    stretched to a mean of 0.45 unless `exaggeration` says otherwise."""
    land = as_map(land, "land")
    sea = None if sea is None else finite_of(sea, "sea")
    finite = np.isfinite(land)
    low, high = (float(land[finite].min()), float(land[finite].max())) if finite.any() else (0.0, 0.0)
    water = (land < sea) if sea is not None else np.zeros(land.shape, bool)
    if exaggeration is None:
        surface = np.maximum(land, np.float32(sea)) if sea is not None else land
        slopes = operations["analyze_slope"].function(surface, cell_size=cell_size)[finite & ~water]
        slopes = slopes[np.isfinite(slopes)]
        mean = float(slopes.mean()) if slopes.size else 0.0
        exaggeration = min(_MEAN_SLOPE / mean, 1000.0) if mean > 0 else 1.0
    hillshade = operations["analyze_hillshade"].function
    rgb = np.empty((*land.shape, 3), np.uint8)
    rows = max(1, _BAND // land.shape[1])
    for top in range(0, len(land), rows):
        # A band of rows, and one beyond each end, which shading looks at: all at once take a hundred bytes a cell.
        first, last = max(top - 1, 0), min(top + rows, len(land))
        around, band = land[first:last + 1], slice(top - first, last - first)
        shade = sum(weight * hillshade(around, azimuth=azimuth, exaggeration=exaggeration, cell_size=cell_size)[band]
                    for azimuth, weight in _LIGHTS) / _LEVEL
        rgb[top:last] = _coloured(around[band], shade, sea, low, high)
    return Picture(rgb)


def _coloured(land, shade, sea, low, high):
    """The colours of cells of a land from `low` to `high`."""
    finite = np.isfinite(land)
    water = (land < sea) if sea is not None else np.zeros(land.shape, bool)
    factor = np.where(shade < 1, 0.25 + 0.75 * shade, 1 + 0.45 * (shade - 1))
    factor = np.where(np.isfinite(factor), factor, 1)
    factor = np.where(water, 1 + 0.25 * (factor - 1), factor)
    base = low if sea is None else sea
    heights = np.where(finite, land, low)
    rgb = _tinted(_AT, _LAND, (heights - base) / (high - base if high > base else 1))
    if sea is not None:
        deep = base - low if low < base else 1
        rgb = np.where(water[..., None], _tinted(_DEPTHS_AT, _DEPTHS, (base - heights) / deep), rgb)
    rgb[~finite] = 128
    cool = np.where(factor < 1, 10 * (1 - factor), 0)[..., None] * np.array([-1, 0, 1])
    return np.clip(rgb * factor[..., None] + cool + 0.5, 0, 255).astype(np.uint8)
