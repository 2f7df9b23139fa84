# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""The calls of tests/golden/hashes.txt, made from Python: the maps that tests/support makes, and the words of a line."""

import os
import pathlib

import numpy as np

import libterrain as terrain

ROOT = pathlib.Path(os.environ.get("TERRAIN_SOURCE") or pathlib.Path(__file__).resolve().parents[3])
_U = np.uint64


def _bits(state):
    """SplitMix64."""
    z = state + _U(0x9E3779B97F4A7C15)
    z = (z ^ z >> _U(30)) * _U(0xBF58476D1CE4E5B9)
    z = (z ^ z >> _U(27)) * _U(0x94D049BB133111EB)
    return z ^ z >> _U(31)


def _hash_cell(seed, x, y):
    with np.errstate(over="ignore"):
        state = _bits(_U(seed % 2**64) ^ x.astype(_U) * _U(0xD6E8FEB86659FD93))
        return _bits(state ^ y.astype(_U) * _U(0xA0761D6478BD642F))


def _places(shape, origin):
    y, x = np.indices(shape, dtype=np.int64)
    return x + origin[0], y + origin[1]


def heights(shape, seed=1, origin=(0, 0)):
    x, y = _places(shape, origin)
    parts = [_hash_cell(seed + 1, x >> 4, y >> 4) >> _U(48), _hash_cell(seed + 2, x >> 2, y >> 2) >> _U(50),
             _hash_cell(seed, x, y) >> _U(52)]
    return sum(parts).astype(np.float32) * np.float32(2.0**-11) - np.float32(21)


def shares(shape, seed, origin=(0, 0)):
    x, y = _places(shape, origin)
    bits = (_hash_cell(seed, x, y) >> _U(48)).astype(np.int64)
    part = (bits & 0x3FFF).astype(np.float32) * np.float32(2.0**-14)
    return np.choose(np.minimum(bits >> 14, 2), [np.float32(0), np.float32(1), part])


def points(shape, seed, origin=(0, 0)):
    """Heights of one cell in 16."""
    known = _hash_cell(seed + 3, *_places(shape, origin)) % _U(16) == 0
    return np.where(known, heights(shape, seed, origin), np.float32(np.nan))


def sprinkle(land, seed, rarity, origin=(0, 0)):
    special = np.array([np.nan, np.inf, -np.inf, 3.0e38, -3.0e38, 1.0e-42, -0.0, 16777217.0], np.float32)
    bits = _hash_cell(seed ^ 0x5EED, *_places(land.shape, origin))
    chosen = (bits >> _U(8)) % _U(rarity) == 0
    land[chosen] = special[(bits % _U(8)).astype(int)][chosen]


def lines():
    for line in (ROOT / "tests/golden/hashes.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


class Call:
    """One line: `run` makes the call and returns the hash."""

    def __init__(self, line):
        name, *words, size, self.expected = line.split()
        self.operation = terrain.operations[name]
        width, height = map(int, size.split("x"))
        self.shape, self.origin, self.cell_size, self.special = (height, width), (0, 0), None, False
        self.values, self.attached = {}, []
        for word in words:
            key, _, value = word.partition("=")
            if key == "@special":
                self.special = True
            elif key == "@origin":
                self.origin = tuple(map(int, value.split(",")))
            elif key == "@cell_size":
                self.cell_size = float(value)
            elif self.operation.parameters[key].port is not None:
                self.attached.append(self.operation.parameters[key])
            else:
                self.values[key] = self._value(self.operation.parameters[key], value)
        if self.operation.signature == "grid":
            least = self.values.get("overlap", self.operation.parameters["overlap"].default
                                    if "overlap" in self.operation.parameters else 4)
            least = 4 if not 4 <= least <= 256 else least
            larger = tuple(max(side, least) for side in self.shape)
            self.origin = tuple(place - (larger[1 - i] - self.shape[1 - i] if place > 0 else 0)
                                for i, place in enumerate(self.origin))
            self.shape = larger

    @staticmethod
    def _value(parameter, text):
        if parameter.type == "float_array":
            return [float(each) for each in text.split(",")]
        if parameter.type == "enum":
            return text
        if parameter.type == "bool":
            return bool(int(text))
        return float(text) if parameter.type == "float" else int(text)

    def run(self, layout=np.ascontiguousarray):
        """`layout` makes of an array one with the same cells."""
        def first(seed):
            land = heights(self.shape, seed, self.origin)
            if self.special and seed == 1:
                sprinkle(land, 1, 40, self.origin)
            return layout(land)

        values = dict(self.values, origin=self.origin, cell_size=self.cell_size)
        for parameter in self.attached:
            fill = points if parameter.name == "constraints" else shares
            if parameter.port.role == "write":
                values[parameter.name] = True
            elif parameter.port.lattice == "coarse":
                index = [port.name for port in self.operation.ports].index(parameter.port.name)
                place, shape = self.operation.window(*self.origin, self.shape, index, **self.values)
                values[parameter.name] = (layout(fill(shape, 201 + parameter.offset, place)), place)
            else:
                values[parameter.name] = layout(fill(self.shape, 201 + parameter.offset, self.origin))
        signature = self.operation.signature
        if signature == "grid":
            seeds = [1, 101, 102, 103]
            result = self.operation.function([[first(seeds[0]), first(seeds[1])], [first(seeds[2]), first(seeds[3])]],
                                             **values)
            hashes = [int(terrain.hash(each), 16) for row in result for each in row]
        else:
            given = [self.shape] if signature == "generate" else [first(1)]
            if signature == "combine":
                given.append(first(101))
            result = self.operation.function(*given, **values)
            asked = [each.name for each in self.operation.parameters.values()
                     if each in self.attached and each.port.role == "write"]
            if not asked:
                result = (result,)
            else:  # in the order of the line
                named = dict(zip(asked, result[1:]))
                result = (result[0], *(named[each.name] for each in self.attached if each.name in named))
            hashes = [int(terrain.hash(each), 16) for each in result]
        combined = hashes[0]
        for each in hashes[1:]:
            combined = (combined * 0x9E3779B97F4A7C15 ^ each) % 2**64
        return f"{combined:016x}"
