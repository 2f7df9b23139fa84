# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a binding that calls something else than C does: all golden hashes, from Python."""

import re

import numpy as np
import pytest

import golden
import libterrain as terrain


@pytest.fixture(params=[1, 3], ids=["serial", "three threads"])
def threads(request):
    terrain.set_threads(request.param)
    yield
    terrain.set_threads(1)


def test_every_line(threads):
    wrong = [line for line in golden.lines() if golden.Call(line).run() != line.split()[-1]]
    assert wrong == []


def _wide(land):
    """Rows farther apart than they are long."""
    room = np.full((land.shape[0], land.shape[1] + 5), np.nan, np.float32)
    room[:, 2:-3] = land
    return room[:, 2:-3]


@pytest.mark.parametrize("layout", [_wide, np.asfortranarray, lambda land: land[::-1].copy()[::-1]],
                         ids=["stride", "fortran", "turned over"])
def test_every_layout(layout):
    """One line of each operation."""
    seen = {}
    for line in golden.lines():
        seen[line.split()[0]] = line
    assert len(seen) == len(terrain.operations)
    wrong = [line for line in seen.values() if golden.Call(line).run(layout) != line.split()[-1]]
    assert wrong == []


def test_readme():
    """The hash that README promises."""
    text = (golden.ROOT / "README.md").read_text()
    expected = re.search(r"last the hash of the result, which is `([0-9a-f]{16})`", text)[1]
    recipe = terrain.Recipe.open(golden.ROOT / "recipes/main.terrain")
    assert terrain.hash(recipe.run((512, 512))) == expected


def test_hash_of_zero():
    assert terrain.hash(np.zeros((1, 1), np.float32)) == "d412325f5a0a99ac"
