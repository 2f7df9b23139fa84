# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""The operation table as objects: what each operation is called, takes and gives, and how a value gets into its
params. Nothing here knows an operation by name."""

from __future__ import annotations

import math
import operator
import struct
import sys
from typing import Any, Callable, SupportsIndex

from ._errors import ArgumentError, RangeError, check, nearest
from ._native import ffi, lib, set_params

SIGNATURES = ("generate", "in_place", "combine", "result", "grid", "other")
TILINGS = ("none", "windows", "regions")
ROLES = ("read", "write", "change")
LATTICES = ("call", "own", "coarse")
TYPES = ("float", "int32", "uint32", "int64", "uint64", "bool", "enum", "map_in", "map_out", "float_array")
GLOBAL = 0xFFFFFFFF


def _text(pointer: Any) -> str:
    return ffi.string(pointer).decode("utf-8")


class Port:
    """A map that an operation takes or gives."""

    __slots__ = ("index", "name", "spacing", "role", "lattice", "offset", "optional", "mask", "grid")

    def __init__(self, index: int, port: Any) -> None:
        self.index = index
        self.name = _text(port.name)
        self.spacing = _text(port.spacing)
        self.role = ROLES[port.role]
        self.lattice = LATTICES[port.lattice]
        self.offset = port.offset
        self.optional = bool(port.optional)
        self.mask = bool(port.mask)
        self.grid = bool(port.grid)

    def __repr__(self) -> str:
        return f"<port {self.name}: {self.role}>"


class Parameter:
    """One parameter: its name, type ("float", "enum", "map_in"...), unit, range, default and doc. `values` are the
    names of an enum's, with what each does. `default` is what a call would be given: None for no map and no numbers.
    `slider` is where a slider may begin and end. `is_power_of_two` says that only powers of two are allowed. `when` is
    None, or the name of another parameter and those of its values for which this one counts."""

    __slots__ = ("name", "type", "unit", "doc", "minimum", "maximum", "default", "values", "is_seed", "is_power_of_two",
                 "port", "slider", "when", "offset", "count_offset", "count_maximum", "operation_name", "_when")

    def __init__(self, operation_name: str, parameter: Any) -> None:
        self.operation_name = operation_name
        self.name = _text(parameter.name)
        self.unit = _text(parameter.unit)
        self.doc = _text(parameter.doc)
        self.type = TYPES[parameter.type]
        self.offset = parameter.offset
        self.count_offset = parameter.count_offset
        self.count_maximum = parameter.count_maximum
        self.is_seed = parameter.role == 1
        self.is_power_of_two = parameter.power_of_two == 1
        self.port: Port | None = None  # until all ports are there
        field = {"float": "f", "float_array": "f", "int32": "i", "int64": "i"}.get(self.type, "u")
        self.minimum: float = getattr(parameter.minimum, field)
        self.maximum: float = getattr(parameter.maximum, field)
        self.default: Any = getattr(parameter.default_value, field)
        self.values: dict[str, str] = {}
        if self.type == "enum":
            self.values = {_text(parameter.value_names[i]): _text(parameter.value_docs[i])
                           for i in range(self.maximum + 1)}
            self.default = list(self.values)[self.default]
        elif self.type == "bool":
            self.default = bool(self.default)
        elif self.type in ("map_in", "map_out", "float_array"):
            self.default = None
        ends = ffi.new("double[2]")
        self.slider: tuple[float, float] | None = None
        if lib.terrain_parameter_slider(parameter, ends, ends + 1) == 0:
            self.slider = (ends[0], ends[1])
        self.when: tuple[str, tuple[Any, ...]] | None = None  # until all parameters are there
        self._when = (_text(parameter.when), parameter.when_values) if parameter.when else None

    def find_when(self, parameters):
        if self._when is not None:
            name, bits = self._when
            other = parameters[name]
            values = other.values or ((False, True) if other.type == "bool" or other.default is None
                                      else range(bits.bit_length()))
            self.when = (name, tuple(value for k, value in enumerate(values) if bits >> k & 1))

    def counts(self, given, parameters):
        """Whether its value matters beside those that are given."""
        if self.when is None:
            return True
        name, values = self.when
        other = parameters[name]
        value = given.get(name, other.default)
        if other.default is None:  # a map or an array: given or not
            value = value is not None and value is not False
        return value in values

    def __repr__(self) -> str:
        return f"<parameter {self.operation_name}.{self.name}: {self.type}>"

    def refusal(self, value):
        """The error for a value that is no map and no numbers, and that set_params could not write."""
        where = f"{self.operation_name}: {self.name}"
        if self.type == "enum":
            names = ", ".join(self.values)
            if isinstance(value, str):
                return ArgumentError(f"{where} is {value!r}, must be one of {names}{nearest(value, self.values)}")
            return TypeError(f"{where} must be one of {names}, not {_kind(value)}")
        try:
            math.isnan(value) if self.type == "float" else operator.index(value)
        except OverflowError:
            pass  # a whole number that no double holds
        except (TypeError, ValueError):
            wanted = {"float": "a number", "bool": "True or False"}.get(self.type, "a whole number")
            return TypeError(f"{where} must be {wanted}, not {_kind(value)}")
        return RangeError(f"{where} is {value}, must be in [{_number(self.minimum)}, {_number(self.maximum)}]")

    def set_numbers(self, params, value):
        """Writes an array of numbers; returns what the struct then points to."""
        import numpy as np  # which write_stubs.py does without
        where = f"{self.operation_name}: {self.name}"
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(f"{where}: a masked array would lose its mask")
        try:
            numbers = np.asarray(value)
            if numbers.dtype.kind in "SUc":  # text and complex numbers would be read as numbers
                raise TypeError
            numbers = np.ascontiguousarray(numbers, dtype=np.float32)
        except (TypeError, ValueError):
            raise TypeError(f"{where} must be numbers") from None
        if numbers.ndim > 1:
            raise ArgumentError(f"{where} must have one dimension, not {numbers.ndim}")
        if len(numbers) > self.count_maximum:
            raise RangeError(f"{where} has {len(numbers)} numbers, at most {self.count_maximum} are taken")
        struct.pack_into("P", params, self.offset, numbers.ctypes.data)
        struct.pack_into("I", params, self.count_offset, len(numbers))
        return numbers


def _number(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def _kind(value):
    return repr(value) if isinstance(value, str) else type(value).__name__


class Operation:
    """One algorithm: `name` ("erode_thermal"), `verb` ("erode"), `summary`, `reference`, `signature`, `parameters`
    and `ports`; `function` is what calls it. `tiling` says how a world computes it: "windows", tile by tile, "regions",
    each whole, or "none", not at all."""

    function: Callable[..., Any]

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer
        self.address = int(ffi.cast("uintptr_t", pointer))
        self.name = sys.intern(_text(lib.terrain_operation_name(pointer)))
        self.verb = sys.intern(_text(lib.terrain_operation_verb(pointer)))
        self.algorithm = self.name[len(self.verb) + 1:]
        self.summary = _text(lib.terrain_operation_summary(pointer))
        self.reference = _text(lib.terrain_operation_reference(pointer))
        self.signature = SIGNATURES[lib.terrain_operation_signature(pointer)]
        self.tiling = TILINGS[lib.terrain_operation_tiling(pointer)]
        self.result_version: int = lib.terrain_operation_result_version(pointer)
        self.parameters: dict[str, Parameter] = {}
        for index in range(lib.terrain_operation_parameter_count(pointer)):
            parameter = Parameter(self.name, lib.terrain_operation_parameter(pointer, index))
            self.parameters[parameter.name] = parameter
        self.ports = tuple(Port(index, lib.terrain_operation_port_at(pointer, index))
                           for index in range(lib.terrain_operation_port_count(pointer)))
        for parameter in self.parameters.values():
            parameter.find_when(self.parameters)
            parameter.port = next((port for port in self.ports if port.offset == parameter.offset), None)
        self.indices = {name: index for index, name in enumerate(self.parameters)}
        self.arguments = tuple(port for port in self.ports if port.offset == 0)
        size = lib.terrain_operation_params_size(pointer)
        defaults = bytearray(size)
        check(lib.terrain_operation_params_init(pointer, ffi.from_buffer(defaults), size))
        self.defaults = defaults

    def __repr__(self) -> str:
        return f"<operation {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Operation], tuple[str]]:
        return _operation, (self.name,)

    def params(self, values):
        """The bytes of a params struct, the maps among the values, (parameter, map), and what must be kept for as long
        as the struct is used."""
        params, maps, kept = self.defaults.copy(), [], []
        others = set_params(self.address, params, self.indices, values)
        for name, value in others.items() if others else ():
            parameter = self.parameters.get(name)
            if parameter is None:
                if name == "shape" and self.signature == "generate" or name in (port.name for port in self.arguments):
                    raise TypeError(f"{self.name}: {name} is given by its place, before the keywords, not by name")
                known = [*self.parameters, "out", "origin", "cell_size", "progress"]
                raise TypeError(f"{self.name}: no parameter {name!r}{nearest(name, known)}")
            if parameter.default is not None:
                raise parameter.refusal(value)
            if value is None or value is False:
                continue
            if parameter.port is not None:
                maps.append((parameter, value))
            else:
                kept.append(parameter.set_numbers(params, value))
        return params, maps, kept

    def halo(self, **values: Any) -> int | None:
        """How many cells beyond a cell its result depends on, at most; None if it may be every cell of the map."""
        params, _maps, _kept = self.params(values)
        cells = ffi.new("uint32_t *")
        check_named(self, lib.terrain_operation_halo(self.pointer, ffi.from_buffer(params), cells))
        return None if cells[0] == GLOBAL else cells[0]

    def window(self, x: SupportsIndex, y: SupportsIndex, shape: tuple[SupportsIndex, SupportsIndex],
               port: SupportsIndex = 0, **values: Any) -> tuple[tuple[int, int], tuple[int, int]]:
        """Which window of an input, ((x, y), (height, width)), is needed for that window of the result."""
        from ._arrays import origin_of, shape_of  # by NumPy, which write_stubs.py does without
        (x, y), (height, width) = origin_of((x, y)), shape_of(shape)
        if port not in range(len(self.ports)) or self.ports[int(port)].role == "write":
            raise ArgumentError(f"{self.name}: port {port!r} is no map that it reads")
        params, _maps, _kept = self.params(values)
        window, needed = ffi.new("terrain_window *", (x, y, width, height)), ffi.new("terrain_window *")
        check_named(self, lib.terrain_operation_window(self.pointer, ffi.from_buffer(params), int(port), window,
                                                       needed))
        return (needed.x, needed.y), (needed.height, needed.width)


def check_named(operation, status):
    """As check, for functions without a context."""
    if status == -2:
        raise RangeError(f"{operation.name}: a value is outside its range")
    if status == -8:
        from ._errors import UnsupportedError
        raise UnsupportedError(f"{operation.name} is global: any cell of its result may depend on every other")
    check(status)


def _table() -> dict[str, Operation]:
    found = (Operation(lib.terrain_operation_at(index)) for index in range(lib.terrain_operation_count()))
    return {operation.name: operation for operation in found}


operations = _table()


def _operation(name: str) -> Operation:
    return operations[name]
