# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""The accessor `.terrain` of xarray's DataArrays; importing this module registers it.

    import libterrain.xarray
    worn = elevation.terrain.erode.thermal(talus=0.6)

The cell size and the place in the world come from the coordinates; the result has them again. Arrays of dask are
computed by chunks, through libterrain.dask.map_overlap.

The library's rows go from north to south, its columns from west to east. An array that lies another way, by its
coordinates, is turned before a call, and the result is turned back: each place gets what it would get any way."""

import math
import warnings

import numpy as np
import xarray

from . import _measures, _mesh, _pictures
from ._arrays import origin_of
from ._native import result_window
from ._operations import operations

# Coordinates that rise to the east and to the north: their names, and standard names of the CF conventions.
_EAST = ("x", "lon", "longitude", "easting", "projection_x_coordinate", "grid_longitude")
_NORTH = ("y", "lat", "latitude", "northing", "projection_y_coordinate", "grid_latitude")

_TOLERANCE = 1e-3  # of a cell

_ANGLES = ("lon", "lat", "longitude", "latitude", "grid_longitude", "grid_latitude")

# Attributes of heights, which maps of other things don't have; and what stays of how a file had the heights: integers,
# for example, would be the end of slopes.
_OF_HEIGHTS = ("units", "standard_name", "long_name")
_ENCODING = ("grid_mapping", "coordinates")


def _rises_to(array, name, axis, words):
    """Whether a dimension is such a one, by the attributes of its coordinate or by its name."""
    attrs = array.coords[name].attrs if name in array.coords else {}
    return attrs.get("axis") == axis or attrs.get("standard_name") in words or str(name).lower() in words


def _places(array, name):
    places = np.asarray(array.coords[name])
    if places.dtype.kind not in "iuf":
        raise ValueError(f"the coordinate {name!r} must be numbers, not {places.dtype}")
    return places.astype(float)


def _step(array, name):
    """From one coordinate to the next; None where there is no next one."""
    if name not in array.coords or array.sizes[name] < 2:
        return None
    places = _places(array, name)
    step = (places[-1] - places[0]) / (len(places) - 1)
    if step == 0 or not np.allclose(np.diff(places), step, rtol=_TOLERANCE, atol=0):
        raise ValueError(f"the coordinate {name!r} is not evenly spaced")
    return step


class _Turn:
    """How an array is turned to lie as the library's do, and back: its dimensions down and to the right, and slices
    that turn over those that count the other way."""

    def __init__(self, array):
        if array.ndim != 2:
            raise ValueError(f"a terrain has two dimensions, rows and columns, not {array.dims}")
        down, right = array.dims
        if _rises_to(array, down, "X", _EAST) or _rises_to(array, right, "Y", _NORTH):
            down, right = right, down
        south, east = _step(array, down) or -1, _step(array, right) or 1
        if south > 0 and not _rises_to(array, down, "Y", _NORTH):
            raise ValueError(f"the coordinate {down!r} rises: to the north, then name it 'y' or give it the attribute "
                             "axis='Y', or to the south, then drop it")
        self._array = array
        self._dims = (down, right)
        self._flips = {name: slice(None, None, -1) for name, flips in ((down, south > 0), (right, east < 0)) if flips}

    def turned(self, array):
        return array.isel(self._flips).transpose(*self._dims)

    def back(self, array):
        return array.isel(self._flips).transpose(*self._array.dims)

    def map(self, value, name):
        """The cells of another map, turned: by their coordinates, or, without any, as those of the array."""
        array = self._array
        if not isinstance(value, xarray.DataArray):
            if getattr(value, "ndim", 0) != 2 or isinstance(value, np.ma.MaskedArray):
                return value  # None, True, or refused
            value = xarray.DataArray(value, dims=array.dims)
        if set(value.dims) != set(array.dims):
            raise ValueError(f"{name} has the dimensions {value.dims}, must have the map's, {array.dims}")
        for dim in array.dims:
            if dim in value.coords and dim in array.coords and value.sizes[dim] == array.sizes[dim]:
                near = _TOLERANCE * abs(_step(array, dim) or 1)
                own, its = _places(array, dim), _places(value, dim)
                if not np.allclose(its, own, 0, near):
                    if not np.allclose(its[::-1], own, 0, near):
                        raise ValueError(f"{name} lies elsewhere than the map, by the coordinate {dim!r}: "
                                         "reindex_like or interp_like fits one to the other")
                    value = value.isel({dim: slice(None, None, -1)})
        return self.turned(value).data


class _Verb:
    """The operations of one verb, for one array."""

    def __init__(self, accessor, verb):
        self._accessor, self._verb = accessor, verb

    def __dir__(self):
        return [each.algorithm for each in operations.values() if each.verb == self._verb]

    def __getattr__(self, algorithm):
        operation = operations.get(f"{self._verb}_{algorithm}")
        if operation is None:
            raise AttributeError(f"no operation {self._verb}_{algorithm}")

        def call(*others, **values):
            return self._accessor._apply(operation, others, values)

        call.__doc__, call.__name__ = operation.function.__doc__, algorithm
        return call


@xarray.register_dataarray_accessor("terrain")
class TerrainAccessor:
    def __init__(self, array):
        self._array = array

    @property
    def _land(self):
        """The array, turned to lie as the library's do."""
        return _Turn(self._array).turned(self._array)

    @property
    def cell_size(self):
        """The distance of neighbouring cells, from the coordinates; 1 without them."""
        return _cell_size(self._land)

    @property
    def origin(self):
        """(x, y) of the north-western cell, in cells. Rows count southwards, from the northing 0."""
        return _origin(self._land)

    def _apply(self, operation, others, values):
        turn = _Turn(self._array)
        land = turn.turned(self._array)
        values = {"origin": _origin(land), **_sized(land, values, 4)}
        values = {key: _value(operation, turn, key, value) for key, value in values.items()}
        given = [land.data, *(turn.map(other, "other") for other in others)]
        if hasattr(given[0], "dask"):
            from . import dask
            result = dask.map_overlap(operation.function, *given, **values)
        else:
            result = operation.function(*given, **values)
        if operation.arguments[-1].lattice == "own":
            return turn.back(_resized(operation, land, result, values))
        first = operation.algorithm if operation.verb == "analyze" else None
        if not isinstance(result, tuple):
            return turn.back(_like(land, result, first))
        names = first, *(key for key, each in operation.parameters.items()
                         if each.type == "map_out" and values.get(key) is True)
        return tuple(turn.back(_like(land, each, name)) for each, name in zip(result, names))

    def measure(self, **options):
        return _measures.measure(self._array.to_numpy(), **options)

    def score(self, **options):
        return _measures.score(self._land.to_numpy(), **_sized(self._land, options, 3))

    def landform(self, **options):
        return _measures.landform(self._land.to_numpy(), **_sized(self._land, options, 3))

    def mesh(self, **options):
        return _mesh.mesh(self._land.to_numpy(), **_sized(self._land, options, 3))

    def view(self, **options):
        return _pictures.view(self._land.to_numpy(), **_sized(self._land, options, None))

    def hash(self):
        return _measures.hash(self._array.to_numpy())


def _cell_size(land):
    down, right = (abs(_step(land, name) or 0) for name in land.dims)
    if down and right and not np.isclose(down, right, rtol=_TOLERANCE):
        raise ValueError(f"cells are not square: {right:g} by {down:g}; project the data first, or give cell_size")
    return float(np.float32(right or down or 1))


def _is_angle(land, name):
    attrs = land.coords[name].attrs if name in land.coords else {}
    if "units" in attrs:
        return str(attrs["units"]).lower().startswith("deg")
    return str(name).lower() in _ANGLES or attrs.get("standard_name") in _ANGLES


def _sized(land, options, level):
    """The options of a call, with a cell size; `level` is how far up the caller is, who is warned, or None."""
    if options.get("cell_size") is not None:
        return options
    size = _cell_size(land)
    if level is not None and any(_is_angle(land, name) for name in land.dims if _step(land, name)):
        warnings.warn(f"cells of {size:g} degrees count as {size:g} in the unit of the heights: project the data, or give "
                      "cell_size", stacklevel=level)
    return {**options, "cell_size": size}


def _like(land, data, name):
    """A result as the land is, or, by a name of its own, a map of something else."""
    result = land.copy(data=data)
    result.encoding = {key: value for key, value in result.encoding.items() if key in _ENCODING}
    if name is not None:
        result.name, result.attrs = name, {key: value for key, value in land.attrs.items() if key not in _OF_HEIGHTS}
    return result


def _steps(land):
    """Down and to the right. A single row or column has the other's."""
    return [_step(land, name) or sign * _cell_size(land) for name, sign in zip(land.dims, (-1, 1))]


def _origin(land):
    """A cell's place is that of its corner or of its middle: both must give the same cell."""
    y, x = (math.floor(_places(land, name)[0] / step + 0.25) if name in land.coords else 0
            for name, step in zip(land.dims, _steps(land)))
    return x, y


def _value(operation, turn, key, value):
    parameter = operation.parameters.get(key)
    port = operation.arguments[-1] if key == "out" else parameter and parameter.port
    if port is None:
        return value.data if isinstance(value, xarray.DataArray) else value
    if port.lattice == "call":
        if isinstance(value, tuple):
            raise TypeError(f"{operation.name}: {key} must be an array: a place would not count")
        return turn.map(value, key)
    if isinstance(value, xarray.DataArray):
        raise TypeError(f"{operation.name}: {key} has cells of its own, whose coordinates are not read: give a NumPy "
                        f"array{'' if key == 'out' else ', or (array, (i, j)) with the place of its first cell'}")
    return turn.map(value, key) if key == "out" else value


def _resized(operation, land, result, values):
    """A result whose cells are `step` times as far apart: its cell X lies at the map's X * step."""
    place = origin_of(values["origin"] or (0, 0))
    params, _maps, _kept = operation.params({key: values[key] for key in values if key in operation.parameters})
    corner = result_window(operation.address, params, land.shape, place)[1]
    wider = float(np.float32(values.get("step", operation.parameters["step"].default)))
    coords = {name: each for name, each in land.coords.items() if not set(each.dims) & set(land.dims)}
    for name, step, size, first, at in zip(land.dims, _steps(land), result.shape, corner[::-1], place[::-1]):
        start = _places(land, name)[0] if name in land.coords else 0.0
        places = start + ((first + np.arange(size)) * wider - at) * step
        coords[name] = (name, places, land.coords[name].attrs if name in land.coords else None)
    return xarray.DataArray(result, coords, land.dims, land.name, land.attrs)


for _verb in dict.fromkeys(each.verb for each in operations.values() if each.signature in ("in_place", "combine",
                                                                                           "result")):
    setattr(TerrainAccessor, _verb, property(lambda self, verb=_verb: _Verb(self, verb)))
