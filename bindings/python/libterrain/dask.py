# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Terrain larger than a machine: dask arrays whose chunks are computed alone and fit to the last bit.

    import libterrain.dask
    land = libterrain.dask.world(recipe, (1_000_000, 1_000_000), chunks=4096, seed=42)
    land = libterrain.dask.map_overlap(libterrain.blur.gaussian, land, sigma=3)
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any, Callable, overload

import dask
import dask.array as da
import numpy as np

from ._arrays import FLOAT, Pair, Real, Whole, as_map, origin_of, shape_of
from ._errors import ArgumentError, UnsupportedError
from ._operations import operations
from ._recipes import MIB, Inputs, Recipe, World, check_generator, lasting

__all__ = ["generate", "map_overlap", "world"]


def _starts(sizes):
    return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)


def _chunks(shape, chunks):
    return da.core.normalize_chunks(chunks, shape_of(shape), dtype=FLOAT)


def _blocks(function, title, *arrays, names=None, **options):
    """An array of what the function gives for each chunk; dask shows it by the title. With names it gives tuples of so
    many, and there is an array of each of their places: those that are computed together share the tuples."""
    made = da.map_blocks(function, *arrays, token=title, dtype=FLOAT, meta=np.empty((0, 0), FLOAT), **options)
    if names is None:
        return made
    return tuple(_blocks(operator.itemgetter(index), name, made) for index, name in enumerate(names))


def _place(function, x, y, edges, block_id=None, **options):
    (top, bottom), (left, right) = (map(int, along[i:i + 2]) for along, i in zip(edges, block_id))
    return function(origin=(x + left, y + top), shape=(bottom - top, right - left), **options)


def _of_places(function, title, shape, chunks, origin, names=None, sent=None, **options):
    """As _blocks, for each chunk's origin and shape. `sent` are arguments that tasks make. dask's own block_info would
    tell both, by a dictionary for each task, in which planning looks for other tasks: most of its time."""
    chunks = _chunks(shape, chunks)
    edges = [np.cumsum([0, *sizes], dtype=np.int64) for sizes in chunks]
    place = functools.partial(_place, function, *origin_of(origin), edges, **options)
    return _blocks(place, title, names=names, chunks=chunks, **(sent or {}))


class _Inputs:
    """A world's inputs as the result of one task, which is sent to each process once; known by a hash of all that they
    hold. The worlds of a process read them where they are."""

    def __init__(self, arrays, token=None):
        self.arrays = {name: (lasting(array, own=True), origin) for name, (array, origin) in arrays.items()}
        self.token = token or dask.base.tokenize(self.arrays)

    def __reduce__(self):
        return _Inputs, (self.arrays, self.token)

    def __eq__(self, other):
        return self.token == other.token

    def __hash__(self):
        return hash(self.token)

    def __dask_tokenize__(self):
        return self.token

    def __sizeof__(self):
        return sum(array.nbytes for array, _origin in self.arrays.values())


@functools.lru_cache(maxsize=8)
def _world(text, options, inputs):
    """One of each world in a process: its threads share what is kept between tiles."""
    return World(Recipe(text), **dict(options), inputs=inputs and inputs.arrays)


def _tile(text, options, origin, shape, inputs=None):
    return _world(text, options, inputs).tile(*origin, shape)


@overload
def world(recipe: Recipe | str, shape: Pair, chunks: Any = 1024, *, origin: Pair = (0, 0),
          seed: Whole = 0, cell_size: Real = 1.0, name: str | None = None, outputs: str | None = None,
          cache_bytes: Whole = 64 * MIB, memory_limit: Whole = 0, scale: Real = 1.0,
          inputs: Inputs | None = None) -> da.Array: ...


@overload
def world(recipe: Recipe | str, shape: Pair, chunks: Any = 1024, *, origin: Pair = (0, 0),
          seed: Whole = 0, cell_size: Real = 1.0, outputs: Sequence[str],
          cache_bytes: Whole = 64 * MIB, memory_limit: Whole = 0, scale: Real = 1.0,
          inputs: Inputs | None = None) -> tuple[da.Array, ...]: ...


def world(recipe, shape, chunks=1024, *, origin=(0, 0), seed=0, cell_size=1.0, name=None, outputs=None,
          cache_bytes=64 * MIB, memory_limit=0, scale=1.0, inputs=None):
    """That window of the recipe's endless world. Each process that computes chunks keeps a World of its own, with so
    many bytes between tiles. An error of the recipe is raised here, not where a chunk is computed.

    `outputs`, in the place of `name`, names the maps: one name gives an array, several a tuple. Where these are
    computed together, a chunk of all of them is made at once, and what they have in common once:

        land, hills = libterrain.dask.world(recipe, (4000, 6000), outputs=["land", "hills"])
        dask.array.store([land, hills], [first, second])

    An array that is computed without the others makes their chunks too: if no other is wanted, name it alone.

    `inputs` are a World's, and sent to each process once. A chunk that reads beyond them is a RangeError where it is
    computed."""
    recipe = recipe if isinstance(recipe, Recipe) else Recipe(recipe)
    options = dict(name=name, outputs=outputs, seed=seed, cell_size=cell_size, cache_bytes=cache_bytes,
                   memory_limit=memory_limit, scale=scale)
    one = World(recipe, **options, inputs=inputs)
    title, names = one.outputs[0], None
    if outputs is not None and not isinstance(outputs, str):
        title, names = "tile", one.outputs
        options["outputs"] = names
    sent = {"inputs": dask.delayed(_Inputs(one.inputs), pure=True, traverse=False)} if one.inputs else {}
    return _of_places(_tile, title, shape, chunks, origin, names, sent, text=recipe.text,
                      options=tuple(options.items()))


def _operation(function):
    operation = getattr(function, "operation", None) or operations.get(function)
    if operation is None:
        raise TypeError(f"expected an operation, as terrain.erode.thermal, not {function!r}")
    return operation


def _check_values(operation, values):
    """Refuses what is not for dask. Returns the names of the maps that are given to be read, and those of all arrays
    that the operation gives where further ones are asked for; otherwise None."""
    for name in ("out", "progress"):
        if name in values:
            raise TypeError(f"{operation.name}: {name} is not for dask, which makes arrays, and computes them later")
    read, written = [], [operation.name]
    for name, parameter in operation.parameters.items():
        if parameter.port is None or values.get(name) is None:
            continue
        if parameter.port.role == "read":
            read.append(name)
        elif values[name] is True:
            written.append(name)
        elif values[name] is not False:
            raise TypeError(f"{operation.name}: {name} must be True, for a further array: dask makes arrays")
    return read, written if len(written) > 1 else None


def _generate(name, values, origin, shape):
    return operations[name].function(shape, origin=origin, **values)


def generate(function: Callable[..., Any], shape: Pair, chunks: Any = 1024, *,
             origin: Pair = (0, 0), **values: Any) -> Any:
    """A generator of the library, as terrain.generate.noise, chunk by chunk. Maps that it can give beside its result,
    asked for by True, are arrays too: a tuple, as world's of several outputs."""
    operation = _operation(function)
    if operation.signature != "generate":
        raise TypeError(f"{operation.name} is no generator: map_overlap takes it")
    read, names = _check_values(operation, values)
    for name in read:
        if operation.parameters[name].port.lattice != "coarse" or type(values[name]) is not tuple:
            raise UnsupportedError(f"{operation.name}: {name} can't be cut into chunks; a coarse map is given as "
                                   "(array, (i, j)), with the place of its first cell")
    check_generator(operation, {key: value for key, value in values.items() if key != "cell_size"})
    return _of_places(_generate, operation.name, shape, chunks, origin, names, name=operation.name, values=values)


def _halo(operation, values):
    plain = {key: value for key, value in values.items() if key != "cell_size"}
    halo = operation.halo(**plain)
    if halo is None:
        raise UnsupportedError(f"{operation.name} is global: any cell of its result may depend on every other one")
    return halo


def _apply(*blocks, operation_name, read, values, origin, starts, depths, block_id=None):
    operation = operations[operation_name]
    x, y = (int(place + begins[i]) - (depth if i > 0 else 0)
            for place, begins, depth, i in zip(origin, starts[::-1], depths[::-1], block_id[::-1]))
    count = len(blocks) - len(read)
    return operation.function(*blocks[:count], **dict(zip(read, blocks[count:])), **values, origin=(x, y))


def map_overlap(function: Callable[..., Any], *arrays: Any, origin: Pair = (0, 0),
                **values: Any) -> Any:
    """Applies an operation, as terrain.erode.thermal, to dask arrays: chunks overlap by as many cells as the operation
    looks far, which the library tells, so that the result has the bits of the operation on the whole array. Masks and
    other maps among the parameters are arrays too. So are those that it can give beside its result, asked for by True:
    a tuple, as world's of several outputs. Operations that are global can't be had by chunks."""
    operation = _operation(function)
    if operation.signature == "generate":
        raise TypeError(f"{operation.name} reads no map: terrain.dask.generate takes it")
    if operation.signature == "grid" or any(port.lattice == "own" for port in operation.arguments):
        raise UnsupportedError(f"{operation.name} gives maps of other sizes than its own, which chunks can't be")
    read, names = _check_values(operation, values)
    origin = origin_of(origin)
    if any(operation.parameters[name].port.lattice == "coarse" for name in read):
        raise UnsupportedError(f"{operation.name}: coarse maps can't be cut into chunks as the others are")
    arrays = [da.asarray(array) for array in (*arrays, *(values.pop(name) for name in read))]
    for array in arrays:
        as_map(np.empty_like(array._meta, shape=(1,) * array.ndim), operation.name)  # what a chunk would be refused for
    if not arrays or any(array.shape != arrays[0].shape for array in arrays):
        raise ArgumentError(f"{operation.name}: maps of unequal sizes: {[array.shape for array in arrays]}")
    halo = _halo(operation, values)
    first = arrays[0]
    # An axis that is shorter than the halo is one chunk.
    first = first.rechunk({axis: size for axis, size in enumerate(first.shape) if size < halo})
    depths = tuple(halo if size >= halo else 0 for size in first.shape)
    arrays = [first, *(array.rechunk(first.chunks) for array in arrays[1:])]
    depth_of_axis = dict(enumerate(depths))
    around = [da.overlap.overlap(array, depth=depth_of_axis, boundary="none") for array in arrays]
    # Chunks thinner than the depth were joined.
    inner = [[size - depth * (i > 0) - depth * (i + 1 < len(sizes)) for i, size in enumerate(sizes)]
             for sizes, depth in zip(around[0].chunks, depths)]
    results = _blocks(_apply, operation.name, *around, names=names, operation_name=operation.name, read=read,
                      values=values, origin=origin, starts=[_starts(sizes) for sizes in inner], depths=depths)
    if names is None:
        return da.overlap.trim_internal(results, depth_of_axis, boundary="none")
    return tuple(da.overlap.trim_internal(result, depth_of_axis, boundary="none") for result in results)
