# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""The operation table as objects: what each operation is called, takes and gives, and how a value gets into its
params. Nothing here knows an operation by name."""

import operator
import struct
import sys

from ._errors import ArgumentError, RangeError, check, nearest
from ._native import ffi, lib

SIGNATURES = ("generate", "in_place", "combine", "result", "grid", "other")
ROLES = ("read", "write", "change")
LATTICES = ("call", "own", "coarse")
TYPES = ("float", "int32", "uint32", "int64", "uint64", "bool", "enum", "map_in", "map_out", "float_array")
_PACK = {"float": "f", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "bool": "I", "enum": "I"}
GLOBAL = 0xFFFFFFFF


def _text(pointer):
    return ffi.string(pointer).decode("utf-8")


class Port:
    """A map that an operation takes or gives."""

    __slots__ = ("index", "name", "spacing", "role", "lattice", "offset", "optional", "mask", "grid")

    def __init__(self, index, port):
        self.index = index
        self.name = _text(port.name)
        self.spacing = _text(port.spacing)
        self.role = ROLES[port.role]
        self.lattice = LATTICES[port.lattice]
        self.offset = port.offset
        self.optional = bool(port.optional)
        self.mask = bool(port.mask)
        self.grid = bool(port.grid)

    def __repr__(self):
        return f"<port {self.name}: {self.role}>"


class Parameter:
    """One parameter: its name, type ("float", "enum", "map_in"...), unit, range, default and doc. `values` are the
    names of an enum's, with what each does. `default` is what a call would be given: None for no map and no numbers.
    `slider` is where a slider may begin and end. `when` is None, or the name of another parameter and those of its
    values for which this one counts."""

    __slots__ = ("name", "type", "unit", "doc", "minimum", "maximum", "default", "values", "is_seed", "port", "slider",
                 "when", "offset", "count_offset", "count_maximum", "operation_name", "_pack", "_when",
                 "_indices")

    def __init__(self, operation_name, parameter):
        self.operation_name = operation_name
        self.name = _text(parameter.name)
        self.unit = _text(parameter.unit)
        self.doc = _text(parameter.doc)
        self.type = TYPES[parameter.type]
        self.offset = parameter.offset
        self.count_offset = parameter.count_offset
        self.count_maximum = parameter.count_maximum
        self.is_seed = parameter.role == 1
        self.port = None  # until all ports are there
        field = {"float": "f", "float_array": "f", "int32": "i", "int64": "i"}.get(self.type, "u")
        self.minimum = getattr(parameter.minimum, field)
        self.maximum = getattr(parameter.maximum, field)
        self.default = getattr(parameter.default_value, field)
        self.values = {}
        if self.type == "enum":
            self.values = {_text(parameter.value_names[i]): _text(parameter.value_docs[i])
                           for i in range(self.maximum + 1)}
            self.default = list(self.values)[self.default]
        elif self.type == "bool":
            self.default = bool(self.default)
        elif self.type in ("map_in", "map_out", "float_array"):
            self.default = None
        self._pack = struct.Struct(_PACK[self.type]).pack_into if self.type in _PACK else None
        ends = ffi.new("double[2]")
        self.slider = tuple(ends) if lib.terrain_parameter_slider(parameter, ends, ends + 1) == 0 else None
        self.when = None  # until all parameters are there
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

    def __repr__(self):
        return f"<parameter {self.operation_name}.{self.name}: {self.type}>"

    def _range(self, value):
        return RangeError(f"{self.operation_name}: {self.name} is {value}, "
                          f"must be in [{_number(self.minimum)}, {_number(self.maximum)}]")

    def setter(self):
        """A function (params, value) that writes any value but a map. It returns what the struct then points to."""
        if self.type == "enum":
            self._indices = {name: index for index, name in enumerate(self.values)}
            return self._set_enum
        if self.type == "float":
            return self._set_float
        if self.type == "float_array":
            return self._set_array
        return self._set_integer

    def _set_float(self, params, value):
        try:
            self._pack(params, self.offset, value)
        except OverflowError:
            raise self._range(value) from None
        except struct.error:
            raise TypeError(f"{self.operation_name}: {self.name} must be a number, not {_kind(value)}") from None

    def _set_integer(self, params, value):
        try:
            value = int(value) if self.type == "bool" and value in (False, True) else operator.index(value)
        except (TypeError, ValueError):
            wanted = "True or False" if self.type == "bool" else "a whole number"
            raise TypeError(f"{self.operation_name}: {self.name} must be {wanted}, not {_kind(value)}") from None
        if not self.minimum <= value <= self.maximum:
            raise self._range(value)
        self._pack(params, self.offset, value)

    def _set_enum(self, params, value):
        try:
            self._pack(params, self.offset, self._indices[value])
        except (KeyError, TypeError):
            if not isinstance(value, str):
                raise TypeError(f"{self.operation_name}: {self.name} must be one of {', '.join(self.values)}, "
                                f"not {_kind(value)}") from None
            raise ArgumentError(f"{self.operation_name}: {self.name} is {value!r}, must be one of "
                                f"{', '.join(self.values)}{nearest(value, self.values)}") from None

    def _set_array(self, params, value):
        if value is None or value is False:
            return None
        import numpy as np  # which write_stubs.py does without
        try:
            numbers = np.ascontiguousarray(value, dtype=np.float32).ravel()
        except (TypeError, ValueError):
            raise TypeError(f"{self.operation_name}: {self.name} must be numbers") from None
        if len(numbers) > self.count_maximum:
            raise RangeError(f"{self.operation_name}: {self.name} has {len(numbers)} numbers, "
                             f"at most {self.count_maximum} are taken")
        struct.pack_into("P", params, self.offset, numbers.ctypes.data)
        struct.pack_into("I", params, self.count_offset, len(numbers))
        return numbers


def _number(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def _kind(value):
    return repr(value) if isinstance(value, str) else type(value).__name__


class Operation:
    """One algorithm: `name` ("erode_thermal"), `verb` ("erode"), `summary`, `reference`, `signature`, `parameters`
    and `ports`."""

    def __init__(self, pointer):
        self.pointer = pointer
        self.name = sys.intern(_text(lib.terrain_operation_name(pointer)))
        self.verb = sys.intern(_text(lib.terrain_operation_verb(pointer)))
        self.algorithm = self.name[len(self.verb) + 1:]
        self.summary = _text(lib.terrain_operation_summary(pointer))
        self.reference = _text(lib.terrain_operation_reference(pointer))
        self.signature = SIGNATURES[lib.terrain_operation_signature(pointer)]
        self.result_version = lib.terrain_operation_result_version(pointer)
        self.parameters = {}
        for index in range(lib.terrain_operation_parameter_count(pointer)):
            parameter = Parameter(self.name, lib.terrain_operation_parameter(pointer, index))
            self.parameters[parameter.name] = parameter
        ports = (Port(index, lib.terrain_operation_port_at(pointer, index))
                 for index in range(lib.terrain_operation_port_count(pointer)))
        self.ports = tuple(ports)
        for parameter in self.parameters.values():
            parameter.find_when(self.parameters)
            parameter.port = next((port for port in self.ports if port.offset == parameter.offset), None)
        self._setters = {name: each.setter() for name, each in self.parameters.items() if each.port is None}
        self.arguments = tuple(port for port in self.ports if port.offset == 0)
        size = lib.terrain_operation_params_size(pointer)
        defaults = bytearray(size)
        check(lib.terrain_operation_params_init(pointer, ffi.from_buffer(defaults), size))
        self.defaults = bytes(defaults)

    def __repr__(self):
        return f"<operation {self.name}>"

    def params(self, values):
        """A params struct as C takes it, the maps among the values, (parameter, map), and what must be kept for as long
        as the struct is used."""
        params, maps, kept = bytearray(self.defaults), [], []
        for name, value in values.items():
            setter = self._setters.get(name)
            if setter is not None:
                kept.append(setter(params, value))
            elif name not in self.parameters:
                known = [*self.parameters, "out", "origin", "cell_size", "progress"]
                raise TypeError(f"{self.name}: no parameter {name!r}{nearest(name, known)}")
            elif value is not None and value is not False:
                maps.append((self.parameters[name], value))
        return ffi.from_buffer(params), maps, kept

    def halo(self, **values):
        """How many cells beyond a cell its result depends on, at most; None if it may be every cell of the map."""
        params, _maps, _kept = self.params(values)
        cells = ffi.new("uint32_t *")
        check_named(self, lib.terrain_operation_halo(self.pointer, params, cells))
        return None if cells[0] == GLOBAL else cells[0]

    def window(self, x, y, shape, port=0, **values):
        """Which window of an input, ((x, y), (height, width)), is needed for that window of the result."""
        params, _maps, _kept = self.params(values)
        window, needed = ffi.new("terrain_window *", (x, y, shape[1], shape[0])), ffi.new("terrain_window *")
        check_named(self, lib.terrain_operation_window(self.pointer, params, port, window, needed))
        return (needed.x, needed.y), (needed.height, needed.width)


def check_named(operation, status):
    """As check, for functions without a context."""
    if status == -2:
        raise RangeError(f"{operation.name}: a value is outside its range")
    if status == -8:
        from ._errors import UnsupportedError
        raise UnsupportedError(f"{operation.name} is global: any cell of its result may depend on every other")
    check(status)


def _table():
    found = (Operation(lib.terrain_operation_at(index)) for index in range(lib.terrain_operation_count()))
    return {operation.name: operation for operation in found}


operations = _table()
