# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Recipes, plans and worlds."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, Union, overload

import numpy as np

from . import _sessions
from ._arrays import (Map, Pair, Progress, Real, Whole, as_map, as_target, cell_size_of, check_apart, copy_of, float_of,
                      new_map, number, origin_of, shape_of)
from ._errors import ArgumentError, RangeError, RecipeError, check, nearest
from ._native import ffi, in_rows, lib, wrap

MIB = 1 << 20

Inputs = Mapping[str, Union[Map, tuple[Map, Pair], None]]

if TYPE_CHECKING:  # where a World without more is one of single maps
    import typing_extensions
    Tile = typing_extensions.TypeVar("Tile", default=Map)
else:
    Tile = TypeVar("Tile")

_needed = {}  # by plans and worlds


def _made_of(needed, native, destroy):
    """A plan or a world, which what it needs outlives. Python frees in any order what becomes garbage at once, so that
    a reference would not do."""
    key, kept = object(), _needed  # a name that lives on while Python ends
    kept[key] = needed

    def destroy_before_needed(native):
        destroy(native)
        del kept[key]

    return ffi.gc(native, destroy_before_needed)


class Wrapped:
    """An array as a heightmap of the library, for as long as this lives."""

    def __init__(self, array, constant, origin=(0, 0), cell_size=1.0):
        self.array = array
        self.native = ffi.gc(ffi.cast("terrain_heightmap *", wrap(array, constant)), lib.terrain_heightmap_destroy)
        check(lib.terrain_heightmap_set_cell_size(self.native, cell_size_of(cell_size)))
        check(lib.terrain_heightmap_set_origin(self.native, *origin))


def reading(array, name, origin=(0, 0), cell_size=1.0):
    array = as_map(array, name)
    return Wrapped(array if in_rows(array) else copy_of(array), True, origin, cell_size)


def writing(array):
    """A map to write, and the array that its cells are to be copied to then, or None."""
    if in_rows(array):
        return Wrapped(array, False), None
    return Wrapped(new_map(array.shape), False), array


def scale_of(value):
    """Cells of a run for one of the recipe."""
    value = float_of(value, "scale")
    if not 2**-16 <= value <= 2**16:
        raise RangeError(f"scale is {value}, must be in [2**-16, 2**16]")
    return value


def _bytes_of(text):
    """UTF-8, and half a pair of UTF-16 as if it were a letter: the library refuses it where it refuses letters."""
    return text.encode("utf-8", "surrogatepass")


def _encoded(text):
    return ffi.new("char[]", _bytes_of(text))


def _name_of(value):
    """A map's name as C takes it, or NULL for None."""
    if value is None:
        return ffi.NULL
    if not isinstance(value, str):
        raise TypeError(f"name must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise ArgumentError(f"no map {value!r}")
    return _encoded(value)


def _outputs_of(recipe, outputs):
    """(the names, whether it is one name and no sequence) of the maps that `outputs` asks for; None: the result."""
    if isinstance(outputs, Set):
        raise TypeError("outputs must be a name, or a sequence of names: a set has no order")
    single = outputs is None or isinstance(outputs, str)
    names = ((recipe.result if outputs is None else outputs),) if single else tuple(outputs)
    if not names:
        raise ArgumentError("outputs names no map")
    return names, single


def _check_known(names, maps):
    for name in names:
        if name not in maps:
            raise ArgumentError(f"no map {name!r}{nearest(name, maps)}")


def _targets(title, out, single, count):
    """The arrays of `out`."""
    arrays = [out] if single else list(out)
    if len(arrays) != count:
        raise ArgumentError(f"out has {len(arrays)} arrays, must have {count}")
    arrays = [as_target(array, "out") for array in arrays]
    check_apart(title, [(f"out[{index}]", array) for index, array in enumerate(arrays)])
    return arrays


def _pointers(kept, kind, items):
    array = ffi.new(f"{kind}[]", [getattr(item, "native", item) for item in items])
    kept.append((items, array))
    return array


def _given(recipe, inputs, origin):
    """By the names of the inputs that are given: (array, place of its first cell)."""
    inputs = {} if inputs is None else inputs
    if not isinstance(inputs, Mapping):
        raise TypeError(f"inputs must be a dict of arrays by name, not {type(inputs).__name__}")
    names = list(inputs)
    for name in names:
        if name not in recipe.inputs:
            raise ArgumentError(f"no input {name!r}{nearest(name, recipe.inputs)}")
        if names.count(name) > 1:  # which some mappings allow
            raise ArgumentError(f"the input {name!r} is given twice")
    given = {}
    for name in recipe.inputs:
        value, place = inputs.get(name), origin
        if value is None:
            continue
        if isinstance(value, (tuple, list)):
            if not isinstance(value, tuple) or len(value) != 2:
                raise TypeError(f"{name} must be an array of float32, or a tuple of it and its (x, y)")
            value, place = value[0], origin_of(value[1])
        given[name] = as_map(value, name), place
    return given


def _may_change(array):
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    return False


def lasting(array, own=False):
    """An array of rows that nobody writes any more: a copy, unless it can't be written as it is, or nobody else has
    it."""
    if not own and _may_change(array) or not in_rows(array):
        array, own = copy_of(array), True
    base = array
    while own and isinstance(base, np.ndarray):
        base.flags.writeable = False
        base = base.base
    return array


class Recipe:
    """A graph of operations over named maps, as text:

        recipe = terrain.Recipe('''
            land  = generate_noise seed=25
            hills = erode_thermal land talus=0.6
        ''')
        hills = recipe.run((512, 512))

    `inputs` are the names of the maps from outside, `maps` all names, `result` that of the last statement. A recipe
    never changes: any number of threads may run it."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}: Recipe.open reads a file")
        data = _bytes_of(text)
        out = ffi.new("terrain_recipe **")
        try:
            with _sessions.take() as session:
                session.run(lib.terrain_recipe_parse, session.context, data, len(data), out)
        except RecipeError as error:
            if not text or "=" in text or "\n" in text:
                raise
            raise RecipeError(f"{error} (Recipe.open reads a file)") from None
        self.native = ffi.gc(out[0], lib.terrain_recipe_destroy)
        self.text = text
        self.inputs = self._names(lib.terrain_recipe_input_count, lib.terrain_recipe_input_at)
        self.maps = self._names(lib.terrain_recipe_map_count, lib.terrain_recipe_map_at)
        result = lib.terrain_recipe_result(self.native)
        self.result: str | None = ffi.string(result).decode() if result else None

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Recipe:
        """The recipe of a file."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def _names(self, count: Any, at: Any) -> tuple[str, ...]:
        return tuple(ffi.string(at(self.native, index)).decode() for index in range(count(self.native)))

    def __repr__(self) -> str:
        return f"<recipe of {lib.terrain_recipe_statement_count(self.native)} statements: {self.result}>"

    def __reduce__(self):
        return Recipe, (self.text,)

    def check_world(self, name: str | None = None) -> None:
        """Raises UnsupportedError, which names the statement, if the map (None: the result) can't be had for any
        window of an endless world."""
        with _sessions.take() as session:
            session.run(lib.terrain_recipe_check_world, session.context, self.native, _name_of(name))

    def map_scale(self, name: str | None = None, *, scale: Real) -> float:
        """The scale that the map (None: the result) has in a run of a scale, at which an input must be given: the run's,
        but for coarse maps, whose spacing takes all that it can."""
        out = ffi.new("double *")
        with _sessions.take() as session:
            session.run(lib.terrain_recipe_map_scale, session.context, self.native, _name_of(name), scale_of(scale),
                        out)
        return out[0]

    @overload
    def run(self, shape: Pair | None = None, *, seed: Whole = 0, origin: Pair = (0, 0),
            cell_size: Real = 1.0, world: bool = False, inputs: Inputs | None = None, outputs: str | None = None,
            out: Map | None = None, memory_limit: Whole = 0, scale: Real = 1.0, progress: Progress = None) -> Map: ...

    @overload
    def run(self, shape: Pair | None = None, *, seed: Whole = 0, origin: Pair = (0, 0),
            cell_size: Real = 1.0, world: bool = False, inputs: Inputs | None = None, outputs: Sequence[str],
            out: Sequence[Map] | None = None, memory_limit: Whole = 0, scale: Real = 1.0,
            progress: Progress = None) -> tuple[Map, ...]: ...

    def run(self, shape=None, *, seed=0, origin=(0, 0), cell_size=1.0, world=False, inputs=None, outputs=None,
            out=None, memory_limit=0, scale=1.0, progress=None):
        """Computes the result, or the maps that `outputs` names: one name gives an array, several a tuple.

        `shape` is that of the maps that are generated, and of a window of the world. None: the first input's, or
        (512, 512) in a world or without inputs. Otherwise, maps that are made of inputs have the inputs' sizes.

        `inputs` has an array for each input's name, or (array, (x, y)) with the place of its first cell, which
        otherwise is `origin`. `world` computes a window of the endless world, without an edge. `out` receives the
        result, or is a sequence of arrays for several. memory_limit, in bytes, refuses a run that would take more.
        `scale` shows the same land in so many cells for one: 0.25 is a preview, whose shape, origin and inputs are in
        its own cells, and whose cells are four times as large."""
        plan = Plan(self, shape, seed=seed, origin=origin, cell_size=cell_size, world=world, inputs=inputs,
                    outputs=outputs, memory_limit=memory_limit, scale=scale)
        return plan.run(inputs, out=out, progress=progress)

    def plan(self, shape: Pair | None = None, **options: Any) -> Plan:
        """A run that is checked and planned, to be asked what it will take, and run, once or often. The options are
        those of run but `out` and `progress`; in a world, an input may be missing, to be asked for its window."""
        return Plan(self, shape, **options)

    def _repr_png_(self):
        from ._pictures import view
        return view(self.run((512, 512)))._repr_png_() if not self.inputs and self.result else None


def check_generator(operation, values):
    """Raises UnsupportedError if a generator can't be had for any window of an endless world."""
    params, _maps, _kept = operation.params(values)
    text = _encoded("a")
    statement, out = ffi.new("terrain_recipe_statement *"), ffi.new("terrain_recipe **")
    check(lib.terrain_recipe_statement_init(statement, ffi.sizeof("terrain_recipe_statement")))
    statement.name, statement.operation, statement.params = text, operation.pointer, ffi.from_buffer(params)
    with _sessions.take() as session:
        session.run(lib.terrain_recipe_create, session.context, out)
        native = ffi.gc(out[0], lib.terrain_recipe_destroy)
        session.run(lib.terrain_recipe_add, session.context, native, statement)
        session.run(lib.terrain_recipe_check_world, session.context, native, ffi.NULL)


class Plan:
    """What Recipe.plan returns. It never changes: any number of threads may run it. `shape` is its first output's."""

    def __init__(self, recipe: Recipe, shape: Pair | None = None, *, seed: Whole = 0,
                 origin: Pair = (0, 0), cell_size: Real = 1.0, world: bool = False,
                 inputs: Inputs | None = None, outputs: str | Sequence[str] | None = None, memory_limit: Whole = 0,
                 scale: Real = 1.0) -> None:
        self.recipe = recipe
        self.origin = origin_of(origin)
        self.cell_size, self.scale = cell_size_of(cell_size), scale_of(scale)
        names, self._single = _outputs_of(recipe, outputs)
        self.outputs: tuple[str, ...] = names
        kept = self._kept = []
        maps = self._input_maps(inputs, world)
        if shape is None:
            shape = maps[0].array.shape if maps and not world else (512, 512)
        height, width = shape_of(shape)
        desc = ffi.new("terrain_recipe_run_desc *")
        check(lib.terrain_recipe_run_desc_init(desc, ffi.sizeof("terrain_recipe_run_desc")))
        desc.seed = number(seed, "seed", 0, 2**64 - 1)
        desc.x, desc.y = self.origin
        desc.width, desc.height = width, height
        desc.cell_size, desc.scale = self.cell_size, self.scale
        desc.flags |= 1 if world else 0
        desc.memory_limit = number(memory_limit, "memory_limit", 0, 2**64 - 1)
        _check_known(self.outputs, recipe.maps)
        desc.output_names = _pointers(kept, "char *", [_encoded(name) for name in self.outputs])
        desc.output_count = len(self.outputs)
        desc.input_names = _pointers(kept, "char *", [_encoded(name) for name in recipe.inputs])
        desc.inputs = _pointers(kept, "terrain_heightmap *", maps)
        desc.input_count = len(recipe.inputs)
        self._desc = desc
        out = ffi.new("terrain_recipe_plan **")
        with _sessions.take() as session:
            session.run(lib.terrain_recipe_plan_create, session.context, recipe.native, desc, out)
        self.native = _made_of(recipe.native, out[0], lib.terrain_recipe_plan_destroy)
        self.shape: tuple[int, int] = self.window()[1]

    def __repr__(self) -> str:
        return f"<plan of {', '.join(self.outputs)}, shape {self.shape}: {self.bytes} bytes>"

    def __reduce__(self):
        raise TypeError("a plan can't be pickled: pickle its recipe, and plan again")

    def _input_maps(self, inputs, may_miss):
        given, maps = _given(self.recipe, inputs, self.origin), []
        for name in self.recipe.inputs:
            if name in given:
                array, origin = given[name]
                maps.append(reading(array, name, origin, self.cell_size / self.scale))
            elif may_miss:
                maps.append(ffi.NULL)
            else:
                raise ArgumentError(f"the input {name!r} is missing")
        return maps

    @property
    def bytes(self) -> int:
        """The most bytes that a run holds at a time, beside the arrays that it is given."""
        return lib.terrain_recipe_plan_bytes(self.native)

    @property
    def cells(self) -> int:
        """The cells that all statements compute together."""
        return lib.terrain_recipe_plan_cells(self.native, 0xFFFFFFFF)

    def window(self, name: str | None = None) -> tuple[tuple[int, int], tuple[int, int]]:
        """((x, y), (height, width)) of an output (None: the first), or, in a world, what an input must cover: (0, 0)
        cells if it is not needed, and then run does without."""
        window = ffi.new("terrain_window *")
        if lib.terrain_recipe_plan_window(self.native, _name_of(name), window) != 0:
            known = [*self.outputs, *self.recipe.inputs]
            raise ArgumentError(f"{name!r} is no output or input of the plan{nearest(name, known)}")
        return (window.x, window.y), (window.height, window.width)

    def run(self, inputs: Inputs | None = None, *, out: Map | Sequence[Map] | None = None,
            progress: Progress = None) -> Any:
        """Computes the outputs: an array, or a tuple of as many as were planned by name."""
        kept, later = [], []
        if out is None:
            arrays = [new_map(self.window(name)[1]) for name in self.outputs]
        else:
            arrays = _targets("recipe_run", out, self._single, len(self.outputs))
        maps = []
        for array in arrays:
            wrapped, target = writing(array)
            maps.append(wrapped)
            if target is not None:
                later.append((target, wrapped.array))
        outputs = _pointers(kept, "terrain_heightmap *", maps)
        given = _pointers(kept, "terrain_heightmap *", self._input_maps(inputs, True))
        with _sessions.session_for(self.outputs[0], progress) as session:
            session.run(lib.terrain_recipe_plan_run, session.context, self.native, given, outputs)
            lib.terrain_context_trim(session.context)
        for target, array in later:
            np.copyto(target, array)
        return arrays[0] if self._single else tuple(arrays)


class TileBytes(NamedTuple):
    """`kept` for what stays in the cache, a cache_bytes that prepare takes; `needed` in all but for the tile's own maps,
    a memory_limit that allows it."""
    kept: int
    needed: int


def _window_of(x, y, shape):
    x, y = origin_of((x, y))
    height, width = shape_of(shape)
    return ffi.new("terrain_window *", {"x": x, "y": y, "width": width, "height": height})


class World(Generic[Tile]):
    """An endless terrain, given out in tiles from any thread, in any order:

        world = terrain.World(recipe, seed=42)
        tile = world[0:512, -512:0]         # rows, then columns, of the world's cells
        tile = world.tile(-512, 0)          # x, y of its first cell; (512, 512) cells

    Tiles fit to the last bit. Between them up to cache_bytes of intermediate maps are kept: that decides about time,
    never about results. memory_limit, in bytes, refuses a tile that would take more. `scale` is a run's: 1/16 shows the
    same world from afar, in a sixteenth of the cells each way.

    `outputs`, in the place of `name`, names the maps that tiles show: one name gives an array, several a tuple, which
    are made together:

        world = terrain.World(recipe, outputs=["land", "hills"])
        land, hills = world[0:512, 0:512]

    `inputs` has an array for each input of the recipe, or (array, (x, y)) with the place of its first cell, which
    otherwise is (0, 0). There are tiles only where it covers all that they read of it: others are a RangeError, which
    says what is needed. The world copies what could be changed later; arrays that nobody can write, as
    numpy.memmap(mode="r") makes them, it reads where they are."""

    @overload
    def __init__(self: World[Map], recipe: Recipe | str, *, name: str | None = None, outputs: str | None = None,
                 seed: Whole = 0, cell_size: Real = 1.0, cache_bytes: Whole = 64 * MIB, memory_limit: Whole = 0,
                 scale: Real = 1.0, inputs: Inputs | None = None) -> None: ...

    @overload
    def __init__(self: World[tuple[Map, ...]], recipe: Recipe | str, *, outputs: Sequence[str],
                 seed: Whole = 0, cell_size: Real = 1.0, cache_bytes: Whole = 64 * MIB, memory_limit: Whole = 0,
                 scale: Real = 1.0, inputs: Inputs | None = None) -> None: ...

    def __init__(self, recipe, *, name=None, outputs=None, seed=0, cell_size=1.0, cache_bytes=64 * MIB, memory_limit=0,
                 scale=1.0, inputs=None):
        recipe = recipe if isinstance(recipe, Recipe) else Recipe(recipe)
        if name is not None and outputs is not None:
            raise ArgumentError("name and outputs are both given")
        text = _name_of(name)
        names, self._single = ((name,), True) if name is not None else _outputs_of(recipe, outputs)
        self.recipe: Recipe = recipe
        self.name: str | None = name
        self.outputs: tuple[str, ...] = names
        self.seed: int = number(seed, "seed", 0, 2**64 - 1)
        self.cell_size, self.scale = cell_size_of(cell_size), scale_of(scale)
        given = {name: (lasting(array), origin) for name, (array, origin) in _given(recipe, inputs, (0, 0)).items()}
        self.inputs = given
        self._options = dict(name=name, outputs=outputs if self._single else names, seed=self.seed,
                             cell_size=self.cell_size, scale=self.scale, inputs=given,
                             cache_bytes=number(cache_bytes, "cache_bytes", 0, 2**64 - 1),
                             memory_limit=number(memory_limit, "memory_limit", 0, 2**64 - 1))
        desc = ffi.new("terrain_world_desc *")
        check(lib.terrain_world_desc_init(desc, ffi.sizeof("terrain_world_desc")))
        desc.recipe, desc.name, desc.cell_size, desc.scale = recipe.native, text, self.cell_size, self.scale
        desc.seed, desc.cache_bytes = self.seed, self._options["cache_bytes"]
        desc.memory_limit = self._options["memory_limit"]
        kept, cell_size = [], self.cell_size / self.scale
        maps = [Wrapped(array, True, origin, cell_size) for array, origin in given.values()]
        desc.input_names = _pointers(kept, "char *", [_encoded(name) for name in given])
        desc.inputs = _pointers(kept, "terrain_heightmap *", maps)
        desc.input_count = len(maps)
        if outputs is not None:
            _check_known(names, recipe.maps)
            desc.output_names = _pointers(kept, "char *", [_encoded(name) for name in names])
            desc.output_count = len(names)
        out = ffi.new("terrain_world **")
        with _sessions.take() as session:
            session.run(lib.terrain_world_create, session.context, desc, out)
        self.native = _made_of((recipe.native, maps), out[0], lib.terrain_world_destroy)

    def __repr__(self) -> str:
        return f"<world of {', '.join(self.outputs)}, seed {self.seed}>"

    def __reduce__(self):
        return _world_again, (self.recipe.text, self._options)

    def _places(self, names):
        """Where the world's outputs have those that a tile is asked for."""
        for name in names:
            if name not in self.outputs:
                raise ArgumentError(f"the world shows no map {name!r}{nearest(name, self.outputs)}")
            if names.count(name) > 1:
                raise ArgumentError(f"outputs names {name!r} twice")
        return [self.outputs.index(name) for name in names]

    @overload
    def tile(self, x: Whole, y: Whole, shape: Pair = (512, 512), *, outputs: None = None,
             out: Map | Sequence[Map] | None = None, progress: Progress = None) -> Tile: ...

    @overload
    def tile(self, x: Whole, y: Whole, shape: Pair = (512, 512), *, outputs: str, out: Map | None = None,
             progress: Progress = None) -> Map: ...

    @overload
    def tile(self, x: Whole, y: Whole, shape: Pair = (512, 512), *, outputs: Sequence[str],
             out: Sequence[Map] | None = None, progress: Progress = None) -> tuple[Map, ...]: ...

    def tile(self, x, y, shape=(512, 512), *, outputs=None, out=None, progress=None):
        """The window whose first cell is (x, y). `out` receives it, or is a sequence of arrays for several, and gives
        the size. `outputs` names those of the world's that are wanted: one gives an array, a sequence a tuple. Nothing
        is computed that only others need."""
        x, y = origin_of((x, y))
        if outputs is None:
            single, places = self._single, range(len(self.outputs))
        else:
            names, single = _outputs_of(self.recipe, outputs)
            places = self._places(names)
        if out is None:
            shape = shape_of(shape)
            arrays = [new_map(shape) for _ in places]
        else:
            arrays = _targets("tile", out, single, len(places))
        kept, written = [], [writing(array) for array in arrays]
        maps = [ffi.NULL] * len(self.outputs)
        for place, (wrapped, _target) in zip(places, written):
            maps[place] = wrapped
        pointers = _pointers(kept, "terrain_heightmap *", maps)
        with _sessions.session_for("tile", progress) as session:
            session.run(lib.terrain_world_tile_maps, session.context, self.native, x, y, pointers, len(maps))
        for wrapped, target in written:
            if target is not None:
                np.copyto(target, wrapped.array)
        return arrays[0] if single else tuple(arrays)

    def prepare(self, x: Whole, y: Whole, shape: Pair = (512, 512), *, progress: Progress = None) -> None:
        """Computes what tiles of that window will read from the cache, so that none of them takes long. Raises
        MemoryError where it would keep more than cache_bytes."""
        window = _window_of(x, y, shape)
        with _sessions.session_for("prepare", progress) as session:
            session.run(lib.terrain_world_prepare, session.context, self.native, window)

    def tile_bytes(self, x: Whole, y: Whole, shape: Pair = (512, 512)) -> TileBytes:
        """What a tile takes at most, before anything is computed: with all of the world's maps, and nothing kept
        yet."""
        kept, needed = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        with _sessions.take() as session:
            session.run(lib.terrain_world_tile_bytes, session.context, self.native, _window_of(x, y, shape), kept,
                        needed)
        return TileBytes(kept[0], needed[0])

    def __getitem__(self, window: tuple[slice, slice]) -> Tile:
        try:
            rows, columns = window
            if rows.step not in (None, 1) or columns.step not in (None, 1):
                raise TypeError
            # Python's integers: differences of NumPy's may overflow.
            top, bottom, left, right = map(operator.index, (rows.start, rows.stop, columns.start, columns.stop))
        except (TypeError, ValueError, AttributeError):
            raise TypeError("a world is asked for a window: world[y0:y1, x0:x1]") from None
        return self.tile(left, top, (bottom - top, right - left))

    @property
    def cache_size(self) -> int:
        """Bytes that are kept now."""
        return lib.terrain_world_cache_size(self.native)

    def trim(self) -> None:
        """Frees what is kept."""
        lib.terrain_world_trim(self.native)

    def _repr_png_(self):
        from ._pictures import view
        return view(self.tile(0, 0, outputs=self.outputs[0]))._repr_png_() if not self.recipe.inputs else None


def _world_again(text, options):
    inputs = {name: (lasting(array, own=True), origin) for name, (array, origin) in options["inputs"].items()}
    return World(Recipe(text), **{**options, "inputs": inputs})
