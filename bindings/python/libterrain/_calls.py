# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""A Python function for each operation of the table."""

import warnings

import numpy as np

from . import _sessions
from ._arrays import (FLOAT, as_map, as_target, origin_of, pointer_of, rows_of, same_cells, shape_of)
from ._describe import describe, shown
from ._errors import ArgumentError, RangeError, check
from ._native import ffi, lib
from ._operations import set_value

_empty, _from_buffer = np.empty, ffi.from_buffer
_map, _place, _forget, _apply = (lib.binding_session_map, lib.binding_session_place, lib.binding_session_forget,
                                 lib.binding_session_apply)
_CONST, _OWN = lib.BINDING_CONST, lib.BINDING_OWN
_take, _give = _sessions.take, _sessions.give
# Scratch memory of calls on larger maps is not kept: 16 MiB of cells.
_LARGE = 1 << 22


def _run_one(pointer, params, array, origin, cell_size):
    """A call with a single map, which it writes: the short way for most."""
    height, width = array.shape
    if array.flags.c_contiguous:
        stride, data = width, _from_buffer(array)
    else:
        stride, data = rows_of(array), pointer_of(array)
    session = _take()
    try:
        session.listen()
        if origin is not None or cell_size is not None:
            place(session, origin, cell_size)
        status = _apply(session.native, pointer, _from_buffer(params), 0, data, width, height, stride, 0)
        if status != 0 or session.failure is not None:
            raise session.error(status)
        if width * height > _LARGE:
            lib.terrain_context_trim(session.context)
    finally:
        _give(session)


def place(session, origin, cell_size):
    """Where the maps of the coming call lie."""
    x, y = origin_of(origin) if origin is not None else (0, 0)
    cell_size = 1.0 if cell_size is None else cell_size_of(cell_size)
    _place(session.native, cell_size, x, y)


class _Call:
    """The maps of one call as they are given to the library."""

    __slots__ = ("maps", "later", "places")

    def __init__(self):
        self.maps = []   # (array, flags, offset of its parameter)
        self.later = []  # (target, array): copied once the call has succeeded
        self.places = {}

    def read(self, array, offset, place=None):
        """`place`: where its first cell lies, if not where the call's does."""
        self.maps.append((array if rows_of(array) else array.copy(), _CONST, offset))
        if place is not None:
            self.places[len(self.maps) - 1] = place

    def write(self, array, offset, own=False):
        """An array whose cells are all written; `own`: its place is its own."""
        if not rows_of(array):
            target, array = array, _empty(array.shape, FLOAT)
            self.later.append((target, array))
        self.maps.append((array, _OWN if own else 0, offset))

    def change(self, source, target):
        """A copy of the source; or the target itself where it is the source. Another target stays as it is until the
        call has succeeded."""
        if target is None:
            array = target = source.copy()
        elif same_cells(source, target) and rows_of(target):
            array = target
        elif source.shape != target.shape:
            raise ArgumentError(f"out is {target.shape}, must be {source.shape} as the map")
        else:
            array = source.copy()
            self.later.append((target, array))
        self.maps.append((array, 0, 0))
        return target

    def run(self, operation, params, columns, origin, cell_size, progress):
        if progress:
            with _sessions.session_for(operation.name, progress) as session:
                self._run(session, operation, params, columns, origin, cell_size)
        else:
            session = _take()
            try:
                self._run(session, operation, params, columns, origin, cell_size)
            finally:
                _give(session)
        for target, array in self.later:
            np.copyto(target, array)

    def _run(self, session, operation, params, columns, origin, cell_size):
        held = []  # pins the arrays' memory until the call is over
        try:
            for array, flags, offset in self.maps:
                height, width = array.shape
                held.append((pointer_of(array), width, height, rows_of(array), flags))
                if len(held) > 1:
                    status = _map(session.native, *held[-1], offset)
                    if status == 0 and len(held) - 1 in self.places:
                        status = lib.binding_session_map_at(session.native, *self.places[len(held) - 1])
                    if status != 0:
                        check(status)
            if origin is not None or cell_size is not None:
                place(session, origin, cell_size)
            session.listen()
            status = _apply(session.native, operation.pointer, _from_buffer(params), columns, *held[0])
            if status != 0 or session.failure is not None:
                raise session.error(status)
        except BaseException:
            _forget(session.native)
            raise
        if height * width > _LARGE:
            lib.terrain_context_trim(session.context)


def cell_size_of(value):
    try:
        value = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"cell_size must be a number, not {type(value).__name__}") from None
    if not 1e-6 <= value <= 1e9:
        raise RangeError(f"cell_size is {value}, must be in [1e-06, 1e+09]")
    return value


def warn_of_idle(operation, values):
    """A value that changes nothing is a mistake of the caller's."""
    for key, value in values.items():
        parameter = operation.parameters.get(key)
        if parameter is not None and not parameter.counts(values, operation.parameters):
            if value is not None and value is not False and not (isinstance(value, (str, int, float))
                                                                 and value == parameter.default):
                name, counting = parameter.when
                warnings.warn(f"{operation.name}: {key} does not count: it does where {name} is "
                              f"{' or '.join(map(shown, counting))}", stacklevel=4)


def function_of(operation):
    """The operation as a function, which knows its signature and its documentation."""
    name, arguments, signature = operation.name, operation.arguments, operation.signature
    setters = {each.name: each.setter() for each in operation.parameters.values()
               if each.port is None and each.type != "float_array"}
    inputs = [port.name for port in arguments if port.role != "write" and not port.grid]
    pointer, defaults = operation.pointer, operation.defaults
    outs = [each.name for each in operation.parameters.values() if each.type == "map_out"]
    conditional = frozenset(each.name for each in operation.parameters.values() if each.when)
    in_place, generates = signature == "in_place", signature == "generate"
    takes = 1 if generates else len(inputs)

    def params_of(values):
        """The params struct, the maps among the values, and what the struct points to."""
        params, waiting, kept = bytearray(defaults), [], []
        if not conditional.isdisjoint(values):
            warn_of_idle(operation, values)
        for key, value in values.items():
            setter = setters.get(key)
            if setter is not None:
                setter(params, value)
                continue
            parameter = operation.parameters.get(key)
            if parameter is None:
                raise operation.unknown([key])
            if value is None or value is False:
                continue
            if parameter.port is None:
                set_value(parameter, params, value, kept)
            else:
                waiting.append((parameter, value))
        return params, waiting, kept

    def attach(call, waiting, shape, own, values, origin):
        """The maps among the parameters; returns those that were asked for by True."""
        asked = {}
        for parameter, value in waiting:
            port = parameter.port
            if port.role == "read":
                place = None
                if type(value) is tuple and len(value) == 2:
                    value, place = value[0], origin_of(value[1])
                elif port.lattice == "coarse":
                    spacing = values.get(port.spacing, operation.parameters[port.spacing].default)
                    place = tuple(each // spacing for each in origin_of(origin or (0, 0)))
                call.read(as_map(value, f"{name}: {parameter.name}"), port.offset, place)
            elif value is True:
                asked[parameter.name] = _empty(own if port.lattice == "own" else shape, FLOAT)
                call.write(asked[parameter.name], port.offset, port.lattice == "own")
            else:
                call.write(as_target(value, f"{name}: {parameter.name}"), port.offset, port.lattice == "own")
        return asked

    def function(*given, out=None, origin=None, cell_size=None, progress=None, **values):
        params, waiting, kept = params_of(values)
        if len(given) != takes:
            if not generates or given or out is None:
                raise wrong_count(given)
            given = (as_target(out, "out").shape,)
        if in_place and not waiting and not progress:
            source = as_map(given[0], "map")
            if out is None:
                out = source.copy()
                _run_one(pointer, params, out, origin, cell_size)
                return out
            if out is source and source.flags.writeable and rows_of(source):
                _run_one(pointer, params, source, origin, cell_size)
                return source
        elif generates and out is None and not waiting and not progress:
            out = _empty(shape_of(given[0]), FLOAT)
            _run_one(pointer, params, out, origin, cell_size)
            return out
        if out is not None:
            as_target(out, "out")
        if generates:
            shape, given = shape_of(given[0]), ()
        else:
            given = [as_map(array, key) for array, key in zip(given, inputs)]
            shape = given[0].shape
        call = _Call()
        result = arguments_of(call, given, shape, out, params, origin)
        asked = attach(call, waiting, shape, result.shape, values, origin) if waiting else None
        call.run(operation, params, 0, origin, cell_size, progress)
        if asked:
            return (result, *(asked[key] for key in outs if key in asked))
        return result

    def arguments_of(call, given, shape, out, params, origin):
        """All arguments in their order; returns the one that is written."""
        rest = iter(given)
        result = None
        for port in arguments:
            if port.role == "read":
                call.read(next(rest), 0)
            elif port.role == "change":
                result = call.change(next(rest), out)
            else:
                own = shape
                if port.lattice == "own":
                    own = operation.result_shape(params, shape, origin_of(origin or (0, 0)))
                result = out if out is not None else _empty(own, FLOAT)
                if result.shape != own:
                    raise ArgumentError(f"{name}: out is {result.shape}, must be {own}")
                call.write(result, 0, port.lattice == "own")
        return result

    def grid(rows, /, *, out=None, origin=None, cell_size=None, progress=None, **values):
        call = _Call()
        params, waiting, kept = params_of(values)
        sources = grid_of(rows, "maps", as_map)
        targets = grid_of(out, "out", as_target) if out is not None else [[None] * len(row) for row in sources]
        if [len(row) for row in targets] != [len(row) for row in sources]:
            raise ArgumentError("out must be rows of as many arrays as maps")
        result = [[call.change(source, target) for source, target in zip(*pair)] for pair in zip(sources, targets)]
        attach(call, waiting, sources[0][0].shape, None, values, origin)
        call.run(operation, params, len(sources[0]), origin, cell_size, progress)
        return result

    def grid_of(rows, what, check_one):
        try:
            rows = [list(row) for row in rows]
        except TypeError:
            raise TypeError(f"{what} must be rows of arrays, [[north_west, north_east], [south_west, ...]]") from None
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise ArgumentError(f"{what} must be rows of equally many arrays, one at least")
        return [[check_one(array, f"{what}[{y}][{x}]") for x, array in enumerate(row)] for y, row in enumerate(rows)]

    def wrong_count(given):
        wanted = "shape, or out=" if generates else ", ".join(inputs)
        return TypeError(f"{name} takes {takes} positional argument{'s' * (takes != 1)} ({wanted}), "
                         f"{len(given)} given")

    made = grid if signature == "grid" else function
    made.operation = operation
    made.__name__ = operation.algorithm
    made.__qualname__ = operation.algorithm
    made.__module__ = f"libterrain.{operation.verb}"
    made.__signature__, made.__doc__ = describe(operation)
    return made
