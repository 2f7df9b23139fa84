# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Meshes: a vertex for each cell, two triangles for each square of four."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _sessions
from ._arrays import Map, Real, set_window
from ._errors import ArgumentError, check, nearest
from ._native import ffi, lib
from ._recipes import reading

AXES = ("y_up", "z_up", "y_up_left", "z_up_left")
WINDINGS = ("anticlockwise", "clockwise")
DIAGONALS = ("fixed", "flatter")


class Mesh(NamedTuple):
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    triangles: NDArray[np.uint32]


def _index(value, names, what):
    if value not in names:
        raise ArgumentError(f"{what} is {value!r}, must be one of {', '.join(names)}{nearest(value, names)}")
    return names.index(value)


def mesh(land: Map, *, axes: Literal["y_up", "z_up", "y_up_left", "z_up_left"] = "y_up",
         winding: Literal["anticlockwise", "clockwise"] = "anticlockwise",
         diagonal: Literal["fixed", "flatter"] = "fixed", cell_size: Real = 1.0,
         window: tuple[slice, slice] | None = None) -> Mesh:
    """(positions, normals, triangles): two arrays of float32, (vertices, 3), and one of uint32, (triangles, 3).
    y_up is glTF's, OpenGL's and Blender's import's way, y_up_left Unity's, z_up_left Unreal's. `window`, rows and
    columns, are the cells that become vertices: with numpy.s_[1:-1, 1:-1] of a tile that has a ring of one cell
    around it, normals equal those of the neighbouring tiles."""
    wrapped = reading(land, "land", cell_size=cell_size)
    desc = ffi.new("terrain_mesh_desc *")
    check(lib.terrain_mesh_desc_init(desc, ffi.sizeof("terrain_mesh_desc")))
    desc.axes = _index(axes, AXES, "axes")
    desc.winding = _index(winding, WINDINGS, "winding")
    desc.diagonal = _index(diagonal, DIAGONALS, "diagonal")
    if window is not None:
        set_window(desc.window, window, land.shape)
    vertices, indices = ffi.new("uint32_t *"), ffi.new("uint32_t *")
    with _sessions.take() as session:
        context = session.context
        session.run(lib.terrain_mesh_size, context, wrapped.native, desc, vertices, indices)
        positions, normals = (np.empty((vertices[0], 3), np.float32) for _ in range(2))
        triangles = np.empty((indices[0] // 3, 3), np.uint32)
        session.run(lib.terrain_mesh_positions, context, wrapped.native, desc,
                    ffi.from_buffer("float[]", positions), 3)
        session.run(lib.terrain_mesh_normals, context, wrapped.native, desc, ffi.from_buffer("float[]", normals), 3)
        if len(triangles):
            session.run(lib.terrain_mesh_indices, context, wrapped.native, desc,
                        ffi.from_buffer("uint32_t[]", triangles))
    return Mesh(positions, normals, triangles)
