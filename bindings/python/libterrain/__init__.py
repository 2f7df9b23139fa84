# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""libterrain: believable terrain, with the same bits everywhere.

    import libterrain as terrain
    land = terrain.generate.noise((512, 512), seed=3)
    land = terrain.erode.thermal(land, talus=0.6)

Heights are NumPy arrays of float32, (height, width), rows from north to south. Each operation is a function in a module
of its verb's name (terrain.generate, terrain.erode, ...); `terrain.operations` has them all, with their parameters.
"""

import sys as _sys
import types as _types

from ._calls import function_of as _function_of
from ._errors import (AliasError, ArgumentError, BusyError, CancelledError, Error, MemoryError, RangeError, RecipeError,
                      SystemError, UnsupportedError)
from ._measures import Landform, Score, ScoreTally, Seams, Statistics, Tally, hash, landform, measure, score, seams
from ._mesh import mesh
from ._native import lib as _lib
from ._operations import Operation, Parameter, Port, operations
from ._pictures import Picture, view
from ._recipes import Plan, Recipe, World
from ._sessions import set_threads, threads

# What `from libterrain import *` gives: all but hash, MemoryError and SystemError, which would hide Python's own.
__all__ = ["AliasError", "ArgumentError", "BusyError", "CancelledError", "Error", "Landform", "Operation", "Parameter",
           "Picture", "Plan", "Port", "RangeError", "Recipe", "RecipeError", "Score", "ScoreTally", "Seams",
           "Statistics", "Tally", "UnsupportedError", "World", "landform", "measure", "mesh", "operations",
           "results_version", "score", "seams", "set_threads", "threads", "view"]


def _version(number):
    return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"


__version__ = _version(_lib.terrain_version())
results_version = _lib.terrain_results_version()

for _operation in operations.values():
    _name = f"{__name__}.{_operation.verb}"
    if _name not in _sys.modules:
        _sys.modules[_name] = _types.ModuleType(_name, f"The operations that {_operation.verb}.")
        _sys.modules[_name].__all__ = []
        globals()[_operation.verb] = _sys.modules[_name]
        __all__.append(_operation.verb)
    _function = _function_of(_operation)
    setattr(_sys.modules[_name], _operation.algorithm, _function)
    _sys.modules[_name].__all__.append(_operation.algorithm)
    _operation.function = _function
