# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""NumPy arrays as heightmaps. Rows may lie any distance apart, as in a view of a larger array: such arrays are used
where they are. Others (transposed, turned over, every second cell) are copied to be read, and written through a copy."""

from __future__ import annotations

import builtins
import itertools
import math
import operator
from typing import Callable, SupportsFloat, SupportsIndex, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import AliasError, ArgumentError, MemoryError, RangeError
from ._native import ffi, use

Map = NDArray[np.float32]
# NumPy's numbers are taken as Python's are.
Whole = SupportsIndex
Real = Union[SupportsFloat, SupportsIndex]
Pair = tuple[Whole, Whole]  # (height, width) or (x, y)
Progress = Union[bool, Callable[[float], object], None]

FLOAT = np.dtype(np.float32)
_ndarray, _empty = np.ndarray, np.empty
_from_buffer, _cast = ffi.from_buffer, ffi.cast

# Vectors are read and written faster where they don't lie across two cache lines, of 64 bytes. Smaller arrays gain less
# than that costs, half a microsecond. Results of more cells are written past the caches: that is faster where both maps
# lie alike in their pages, as those do that NumPy makes for other arguments of a call.
_LINE, _LEAST, _MOST = 64, 1 << 17, 1 << 22


def _own(name):
    """The argument's name, of "operation: argument"."""
    return name.rpartition(": ")[2]


def _shown(value):
    """A value for a message: arrays by their kind, not their cells."""
    return f"an array of {value.dtype}, {value.shape}" if isinstance(value, np.ndarray) else repr(value)


def new_map(shape):
    """An array that is all written before it is read."""
    cells = shape[0] * shape[1]
    try:
        if not _LEAST <= cells < _MOST:
            return _empty(shape, FLOAT)
        memory = _empty(cells + _LINE // 4 - 1, FLOAT)
    except (builtins.MemoryError, ValueError):  # ValueError: more bytes than can be addressed
        raise MemoryError(f"no memory for {shape[0]} x {shape[1]} cells") from None
    return _ndarray(shape, FLOAT, memory, -int(_cast("uintptr_t", _from_buffer(memory))) % _LINE)


def copy_of(array):
    """A map with the same cells."""
    if array.size < _LEAST:
        return array.copy()
    copy = new_map(array.shape)
    copy[...] = array
    return copy


use(_ndarray, _empty, FLOAT, new_map, copy_of, _LEAST)


def as_map(value, name):
    """The value as an array of heights. Nothing is converted in silence: float64 loses digits, and integers are
    seldom heights."""
    if type(value) is not _ndarray:
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(f"{name}: a masked array would lose its mask; fill it: {_own(name)}.filled(numpy.nan)")
        if not hasattr(value, "__array__") and not isinstance(value, _ndarray):
            raise TypeError(f"{name} must be an array of float32, not {type(value).__name__}")
        value = np.asarray(value)
    if value.dtype is not FLOAT and value.dtype != FLOAT:
        raise TypeError(f"{name} must be an array of float32, not {value.dtype}: "
                        f"{_own(name)}.astype('float32') makes one")
    if value.ndim != 2:
        raise ArgumentError(f"{name} must have two dimensions, (height, width), not {value.ndim}: {value.shape}")
    if value.size == 0:
        raise ArgumentError(f"{name} has no cells: {value.shape}")
    return value


def as_target(value, name):
    """An array that can be written."""
    if not isinstance(value, _ndarray):
        raise TypeError(f"{name} must be a NumPy array of float32, not {type(value).__name__}")
    value = as_map(value, name)
    if not value.flags.writeable:
        raise ArgumentError(f"{name} is read-only")
    return value


def grid_of(rows, what, check_one):
    """Rows of arrays that are neighbours, each checked by a function of it and its name."""
    try:
        rows = [list(row) for row in rows]
    except TypeError:
        raise TypeError(f"{what} must be rows of arrays, [[north_west, north_east], [south_west, ...]]") from None
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise ArgumentError(f"{what} must be rows of equally many arrays, one at least")
    return [[check_one(array, f"{what}[{y}][{x}]") for x, array in enumerate(row)] for y, row in enumerate(rows)]


def check_apart(title, targets):
    """Refuses arrays to be written, (name, array), of which two share a cell. The library sees that only where it is
    given the arrays themselves, not copies. Views side by side in one array share none."""
    for (other, before), (name, array) in itertools.combinations(targets, 2):
        try:
            shared = np.shares_memory(array, before, max_work=1 << 20)
        except RuntimeError:  # numpy.TooHardError, which newer versions keep elsewhere
            shared = True
        if shared:
            raise AliasError(f"{title}: {name} overlaps {other}")


def shape_of(value):
    """(height, width) as a caller gave it."""
    try:
        height, width = value
        height, width = operator.index(height), operator.index(width)
    except (TypeError, ValueError):
        raise TypeError(f"shape must be two whole numbers, (height, width), not {_shown(value)}") from None
    if not (1 <= height < 2**32 and 1 <= width < 2**32):
        raise RangeError(f"shape is ({height}, {width}), both numbers must be in [1, {2**32 - 1}]")
    return height, width


def origin_of(value):
    """(x, y) of the first cell."""
    try:
        x, y = value
        x, y = operator.index(x), operator.index(y)
    except (TypeError, ValueError):
        raise TypeError(f"origin must be two whole numbers, (x, y) of the first cell, not {_shown(value)}") from None
    if not (-2**62 <= x <= 2**62 and -2**62 <= y <= 2**62):
        raise RangeError(f"origin is ({x}, {y}), the world ends at plus and minus 2**62")
    return x, y


def set_window(native, window, shape, place=(0, 0)):
    """Rows and columns of an array, as numpy.s_ makes them, as the library's window of the world."""
    def span(part, length):
        start, stop, step = part.indices(length) if isinstance(part, slice) else (0, 0, 0)
        if step != 1 or stop <= start:
            raise ArgumentError(
                f"window must be rows and columns as numpy.s_[1:-1, 1:-1], not {part!r} of {length} cells")
        return start, stop - start

    rows, columns = window if isinstance(window, tuple) and len(window) == 2 else (window, None)
    (down, native.height), (right, native.width) = span(rows, shape[0]), span(columns, shape[1])
    native.x, native.y = place[0] + right, place[1] + down


def float_of(value, name):
    """A number; text that could be read as one is none."""
    try:
        return float(None if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None


def cell_size_of(value):
    value = float_of(value, "cell_size")
    if not 1e-6 <= value <= 1e9:
        raise RangeError(f"cell_size is {value}, must be in [1e-06, 1e+09]")
    return value


def finite_of(value, name):
    value = float_of(value, name)
    if not math.isfinite(value):
        raise RangeError(f"{name} is {value}, must be finite")
    return value


def number(value, name, least, most):
    """A whole number as C takes it."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}")
    value = value.__index__()
    if not least <= value <= most:
        raise RangeError(f"{name} is {value}, must be in [{least}, {most}]")
    return value
