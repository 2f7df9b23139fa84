# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""The accessor `.terrain` of xarray's DataArrays; importing this module registers it.

    import libterrain.xarray
    worn = elevation.terrain.erode.thermal(talus=0.6)

The cell size and the place in the world come from the coordinates; the result has them again. Arrays of dask are
computed by chunks, through libterrain.dask.map_overlap."""

import numpy as np
import xarray

from . import _measures, _mesh, _pictures
from ._arrays import origin_of
from ._native import result_window
from ._operations import operations


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

    def _steps(self):
        if self._array.ndim != 2:
            raise ValueError(f"a terrain has two dimensions, rows and columns, not {self._array.dims}")
        steps = []
        for name in self._array.dims:
            if name not in self._array.coords or self._array.sizes[name] < 2:
                steps.append((1.0, None))
                continue
            places = np.asarray(self._array.coords[name], float)
            step = (places[-1] - places[0]) / (len(places) - 1)
            if step == 0 or not np.allclose(np.diff(places), step, rtol=1e-3, atol=0):
                raise ValueError(f"the coordinate {name!r} is not evenly spaced")
            steps.append((step, places[0]))
        return steps

    @property
    def cell_size(self):
        """The distance of neighbouring cells, from the coordinates; 1 without them."""
        (down, _), (right, _) = self._steps()
        if not np.isclose(abs(down), abs(right), rtol=1e-3):
            raise ValueError(f"cells are not square: {abs(right):g} by {abs(down):g}; project the data first")
        return float(np.float32(abs(right)))

    @property
    def origin(self):
        """(x, y) of the first cell, in cells. A second coordinate that falls, as northings do, counts backwards."""
        (down, top), (right, left) = self._steps()
        return tuple(0 if start is None else int(round(start / step)) for step, start in ((right, left), (down, top)))

    def _apply(self, operation, others, values):
        values.setdefault("cell_size", self.cell_size)
        values.setdefault("origin", self.origin)
        values = {key: _bare(value) for key, value in values.items()}
        given = [_bare(each) for each in (self._array, *others)]
        if hasattr(given[0], "dask"):
            from . import dask
            result = dask.map_overlap(operation.function, *given, **values)
        else:
            result = operation.function(*given, **values)
        if operation.arguments[-1].lattice == "own":
            return self._resized(operation, result, values)
        if isinstance(result, tuple):
            return tuple(self._array.copy(data=each) for each in result)
        return self._array.copy(data=result)

    def _resized(self, operation, result, values):
        """A result whose cells are `step` times as far apart: its cell X lies at the map's X * step."""
        place = origin_of(values["origin"])
        params, _maps, _kept = operation.params({key: values[key] for key in values if key in operation.parameters})
        corner = result_window(operation.address, params, self._array.shape, place)[1]
        wider = float(np.float32(values.get("step", operation.parameters["step"].default)))
        array = self._array
        coords = {name: each for name, each in array.coords.items() if not set(each.dims) & set(array.dims)}
        for name, (step, start), size, first, at in zip(array.dims, self._steps(), result.shape, corner[::-1],
                                                        place[::-1]):
            places = (start or 0.0) + ((first + np.arange(size)) * wider - at) * step
            coords[name] = (name, places, array.coords[name].attrs if name in array.coords else None)
        return xarray.DataArray(result, coords, array.dims, array.name, array.attrs)

    def measure(self, **options):
        return _measures.measure(self._array.to_numpy(), **options)

    def score(self, **options):
        return _measures.score(self._array.to_numpy(), **{"cell_size": self.cell_size, **options})

    def landform(self, **options):
        return _measures.landform(self._array.to_numpy(), **{"cell_size": self.cell_size, **options})

    def mesh(self, **options):
        return _mesh.mesh(self._array.to_numpy(), **{"cell_size": self.cell_size, **options})

    def view(self, **options):
        return _pictures.view(self._array.to_numpy(), **{"cell_size": self.cell_size, **options})

    def hash(self):
        return _measures.hash(self._array.to_numpy())


def _bare(value):
    return value.data if isinstance(value, xarray.DataArray) else value


for _verb in dict.fromkeys(each.verb for each in operations.values() if each.signature in ("in_place", "combine",
                                                                                           "result")):
    setattr(TerrainAccessor, _verb, property(lambda self, verb=_verb: _Verb(self, verb)))
