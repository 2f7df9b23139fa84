# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""A Python function for each operation of the table."""

import operator
import warnings

from ._arrays import as_map, as_target, cell_size_of, check_apart, copy_of, grid_of, new_map, origin_of, shape_of
from ._describe import describe, shown
from ._errors import ArgumentError
from ._native import apply, apply_plainly, in_rows, result_window, same_cells
from ._sessions import session_for, take


def _changed(source, target, later):
    """The target itself where it is the source, otherwise a copy of the source: another target stays as it is until the
    call has succeeded."""
    if source.shape != target.shape:
        raise ArgumentError(f"out is {target.shape}, must be {source.shape} as the map")
    if same_cells(source, target):
        return target
    array = copy_of(source)
    later.append((target, array))
    return array


def _in_rows(operation, maps, later):
    """The maps that apply refused, with copies of arrays that are not made of rows."""
    for index, entry in enumerate(maps):
        array, port, *place = entry if type(entry) is tuple else (entry, min(index, len(operation.arguments) - 1))
        if not in_rows(array):
            copy = copy_of(array)
            if operation.ports[port].role != "read":
                later.append((array, copy))
            array = copy
        yield array, port, *place


def _run(operation, params, maps, later, columns, place, cell_size, progress):
    """Calls the operation with maps, as apply takes them; what is in `later`, (target, array), is copied once the call
    has succeeded."""
    cell_size = 1.0 if cell_size is None else cell_size_of(cell_size)
    with session_for(operation.name, progress) if progress else take() as session:
        status = apply(session.address, operation.address, params, maps, columns, cell_size, place)
        if status is None:
            maps = list(_in_rows(operation, maps, later))
            status = apply(session.address, operation.address, params, maps, columns, cell_size, place)
        if status != 0 or session.failure is not None:
            raise session.error(status)
    for target, array in later:
        target[...] = array


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
    name, parameters = operation.name, operation.parameters
    address, defaults, indices = operation.address, operation.defaults, operation.indices
    inputs = [port.name for port in operation.arguments if port.role != "write" and not port.grid]
    outs = [each.name for each in parameters.values() if each.type == "map_out"]
    conditional = frozenset(each.name for each in parameters.values() if each.when)
    generates = operation.signature == "generate"
    takes = 1 if generates else len(inputs)
    # The map that is changed is the first argument, a map that is written the last.
    changes, last = operation.arguments[0].role == "change", operation.arguments[-1]
    resizes = last.lattice == "own"

    def params_that_count(values):
        if not conditional.isdisjoint(values):
            warn_of_idle(operation, values)
        return operation.params(values)

    params_of = params_that_count if conditional else operation.params

    def attach(maps, targets, waiting, shape, values, place):
        """The maps among the parameters; returns those that were asked for by True. Targets are what the caller gave to
        be written, (name, array)."""
        asked, targets = {}, [*targets]
        for parameter, value in waiting:
            port, title = parameter.port, f"{name}: {parameter.name}"
            if port.role == "read":
                its = ()
                if type(value) is tuple and len(value) == 2:
                    value, its = value[0], origin_of(value[1])
                elif port.lattice == "coarse":
                    spacing = operator.index(values.get(port.spacing, parameters[port.spacing].default))
                    its = (place[0] // spacing, place[1] // spacing)
                maps.append((as_map(value, title), port.index, *its))
            else:
                if value is True:
                    value = asked[parameter.name] = new_map(shape)
                else:
                    targets.append((parameter.name, as_target(value, title)))
                maps.append((value, port.index))
        check_apart(name, targets)
        return asked

    def function(*given, out=None, origin=None, cell_size=None, progress=None, **values):
        # Most calls are plain, and then one step into C does all that follows.
        if origin is cell_size is progress is None and len(given) == takes and not generates:
            with take() as session:
                result = apply_plainly(session.address, address, defaults.copy(), indices, given, out, values)
                if type(result) is int or session.failure is not None:
                    raise session.error(result)
            if result is not None:
                return result
        params, waiting, kept = params_of(values) if values else (None, (), ())
        target = None if out is None else as_target(out, "out")
        if generates and not given and out is not None:
            given = (target.shape,)
        if len(given) != takes:
            raise wrong_count(given)
        maps, later = [] if generates else [*map(as_map, given, inputs)], []
        shape = shape_of(given[0]) if generates else maps[0].shape
        place = (0, 0) if origin is None else origin_of(origin)
        if changes:
            result = maps[0] = copy_of(maps[0]) if out is None else _changed(maps[0], target, later)
        else:
            size, corner = resizes and result_window(address, params, shape, place) or (shape, place)
            if out is None:
                result = new_map(size)
            elif target.shape != size:
                raise ArgumentError(f"{name}: out is {target.shape}, must be {size}")
            else:
                result = target
            maps.append((result, last.index, *corner) if resizes else result)
        targets = [] if out is None else [("out", target)]
        asked = attach(maps, targets, waiting, shape, values, place) if waiting else None
        _run(operation, params, maps, later, 0, place, cell_size, progress)
        if out is not None:
            result = out
        if asked:
            return (result, *(asked[key] for key in outs if key in asked))
        return result

    def grid(rows, /, *, out=None, origin=None, cell_size=None, progress=None, **values):
        params, waiting, kept = params_of(values)
        sources = grid_of(rows, "maps", as_map)
        if out is None:
            targets = [[copy_of(each) for each in row] for row in sources]
        else:
            targets = grid_of(out, "out", as_target)
            check_apart(name, [(f"out[{y}][{x}]", array) for y, row in enumerate(targets)
                               for x, array in enumerate(row)])
        if [len(row) for row in targets] != [len(row) for row in sources]:
            raise ArgumentError("out must be rows of as many arrays as maps")
        place = (0, 0) if origin is None else origin_of(origin)
        later = []
        maps = [target if out is None else _changed(source, target, later)
                for pair in zip(sources, targets) for source, target in zip(*pair)]
        attach(maps, (), waiting, sources[0][0].shape, values, place)
        _run(operation, params, maps, later, len(sources[0]), place, cell_size, progress)
        return targets

    def wrong_count(given):
        wanted = "shape, or out=" if generates else ", ".join(inputs)
        return TypeError(f"{name} takes {takes} positional argument{'s' * (takes != 1)} ({wanted}), "
                         f"{len(given)} given")

    made = grid if operation.signature == "grid" else function
    made.operation = operation
    made.__name__ = operation.algorithm
    made.__qualname__ = operation.algorithm
    made.__module__ = f"libterrain.{operation.verb}"
    made.__signature__, made.__doc__ = describe(operation)
    return made
