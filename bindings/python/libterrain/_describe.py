# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Signatures, docstrings and type stubs, from the operation table."""

import inspect
import textwrap

_POSITIONAL, _KEYWORD = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY
_TYPES = {"float": "Real", "int32": "Whole", "uint32": "Whole", "int64": "Whole", "uint64": "Whole",
          "bool": "bool | numpy.bool_", "map_in": "Map | tuple[Map, Pair] | None", "map_out": "Target | bool | None",
          "float_array": "Sequence[Real] | NDArray[Any] | None"}
_OUT = {"generate": "Receives the result, and gives the shape.",
        "grid": "Rows of arrays, which receive the results. Those that were given are changed in place.",
        "result": "Receives the result: an array of its size, none that is read."}
_COMMON = (
    ("origin", "(x, y), default (0, 0)", "World coordinates of the first cell: what is random is taken from there."),
    ("cell_size", "float, default 1", "Distance of neighbouring cells, in the unit of the heights."),
    ("progress", "True or function", "True shows tqdm's bar; a function is called with the share that is done, and "
     "cancels the call by an exception."),
)


def _positional(operation):
    """(name, type for stubs, doc) of what comes without a keyword."""
    if operation.signature == "generate":
        return [("shape", "Pair", "(height, width) of the result.")]
    if operation.signature == "grid":
        return [("maps", "Sequence[Sequence[Map]]", "Rows of neighbouring maps, from north to south.")]
    return [(port.name, "Map", "Heights, read alone." if port.role == "read" else "Heights.")
            for port in operation.arguments if port.role != "write"]


def _optional_shape(operation):
    return operation.signature == "generate"


def _common(operation):
    text = _OUT.get(operation.signature, "Receives the result. The map itself is changed in place.")
    kind = "rows of arrays of float32" if operation.signature == "grid" else "array of float32"
    return (("out", kind, f"{text} After an error, or Ctrl-C, it is what it was."), *_COMMON)


def describe(operation):
    """(signature, docstring)"""
    parameters = [inspect.Parameter(name, _POSITIONAL, default=None if _optional_shape(operation) else inspect._empty)
                  for name, _, _ in _positional(operation)]
    parameters += [inspect.Parameter(each.name, _KEYWORD, default=each.default)
                   for each in operation.parameters.values()]
    parameters += [inspect.Parameter(name, _KEYWORD, default=None) for name, _, _ in _common(operation)]
    return inspect.Signature(parameters), docstring(operation)


def _range(parameter):
    if parameter.type in ("bool", "map_in", "map_out"):
        return ""
    if parameter.type == "enum":
        return ", one of " + ", ".join(parameter.values)
    return f", in [{_number(parameter.minimum)}, {_number(parameter.maximum)}]"


def _number(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def shown(value):
    return "given" if value is True else "not given" if value is False else str(value)


def _entry(name, kind, text):
    return f"{name} : {kind}\n" + textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="    ")


def _kind(parameter):
    kind = {"map_in": "array of float32", "map_out": "array of float32, or True",
            "float_array": "numbers", "enum": "str"}.get(parameter.type)
    if kind is None:
        kind = "float" if parameter.type == "float" else "bool" if parameter.type == "bool" else "int"
    unit = f" {parameter.unit}" if parameter.unit else ""
    default = f", default {parameter.default}" if parameter.default is not None else ", optional"
    return f"{kind}{_range(parameter)}{unit}{default}"


def docstring(operation):
    lines = [operation.summary, "", "Parameters", "----------"]
    lines += [_entry(name, "(height, width)" if name == "shape" else "array of float32", doc)
              for name, _, doc in _positional(operation)]
    for each in operation.parameters.values():
        text = each.doc
        if each.when:
            text += f" Counts only where {each.when[0]} is {' or '.join(map(shown, each.when[1]))}."
        if each.type == "enum":
            text += " " + "; ".join(f"{name}: {doc}" for name, doc in each.values.items()) + "."
        if each.port is not None and each.port.lattice == "coarse":
            text += (f" Its cell (i, j) is the world point (i, j) times {each.port.spacing}: an array, or "
                     "(array, (i, j)) with the place of its first cell.")
        if each.type == "map_out":
            text += " True: a new array, returned after the result."
        lines.append(_entry(each.name, _kind(each), text))
    lines += [_entry(name, kind, text) for name, kind, text in _common(operation)]
    lines += ["", "Returns", "-------"]
    if operation.signature == "grid":
        lines.append("rows of arrays of float32")
    else:
        lines.append("array of float32, or a tuple of it and the maps that were asked for by True")
    if operation.reference:
        lines += ["", "References", "----------", textwrap.fill(operation.reference, 100)]
    return "\n".join(lines) + "\n"


# ---- Type stubs --------------------------------------------------------------------------------

_STUB_HEAD = '''\
# Written from the operation table when the package was built.
from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

import numpy
from numpy.typing import NDArray

Map = NDArray[numpy.float32]
Target = NDArray[numpy.float32]
Whole = SupportsIndex
Real = SupportsFloat | SupportsIndex
Pair = tuple[Whole, Whole]
Progress = bool | Callable[[float], object] | None
'''


def _stub_type(parameter, asked):
    if parameter.type == "enum":
        return f"Literal[{', '.join(map(repr, parameter.values))}]"
    if parameter.type == "map_out" and not asked:
        return "Target | Literal[False] | None"
    return _TYPES[parameter.type]


def _stub_default(parameter):
    if isinstance(parameter.default, float):
        return "..." if parameter.default in (float("inf"), float("-inf")) else f"{parameter.default:.9g}"
    return repr(parameter.default)


def _stub(operation, asked, decorator):
    positional = [f"{name}: {kind}" + (" | None = None" if _optional_shape(operation) else "")
                  for name, kind, _ in _positional(operation)]
    keywords = [f"{each.name}: {_stub_type(each, asked)} = {_stub_default(each)}"
                for each in operation.parameters.values()]
    grid = operation.signature == "grid"
    keywords += [f"out: {'Sequence[Sequence[Target]]' if grid else 'Target'} | None = None",
                 "origin: Pair | None = None", "cell_size: Real | None = None",
                 "progress: Progress = None"]
    returns = "list[list[Map]]" if grid else "tuple[Map, ...]" if asked else "Map"
    arguments = ",\n    ".join([*positional, "/", "*", *keywords])
    body = textwrap.indent(f'"""{docstring(operation)}"""', "    ") if not asked else "    ..."
    return f"{decorator}def {operation.algorithm}(\n    {arguments},\n) -> {returns}:\n{body}\n"


def stub(operations):
    """The stub of one verb's module."""
    parts = [_STUB_HEAD]
    for operation in operations:
        if any(each.type == "map_out" for each in operation.parameters.values()):
            parts += [_stub(operation, False, "@overload\n"), _stub(operation, True, "@overload\n")]
        else:
            parts.append(_stub(operation, False, ""))
    return "\n".join(parts)
