# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a package that a type checker does not know: a user's program passes mypy --strict, and its mistakes
are found. The stubs are there where the package is installed."""

import os
import pathlib
import subprocess
import sys

import pytest

import libterrain as terrain

pytest.importorskip("mypy")

PROGRAM = """
from collections.abc import Callable
from typing import Any, Optional

import dask.array as da
import libterrain as terrain
import libterrain.dask
import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

Map = NDArray[np.float32]

land: Map = terrain.generate.noise((64, 64), seed=3)
assert_type(terrain.erode.thermal(land, mask=land, out=land), Map)
assert_type(terrain.erode.thermal(land, progress=lambda share: None), Map)
assert_type(terrain.analyze.flow(land), Map)
assert_type(terrain.analyze.flow(land, direction=True), tuple[Map, ...])
flow, direction = terrain.analyze.flow(land, direction=True)
assert_type(direction, Map)

recipe = terrain.Recipe("input a\\nb = erode_thermal a")
assert_type(recipe.result, Optional[str])
assert_type(recipe.inputs, tuple[str, ...])
assert_type(recipe.run(inputs={"a": (land, (0, 0))}, scale=1 / 4), Map)
assert_type(recipe.run((4, 4), outputs=["a", "b"], inputs={"a": land}), tuple[Map, ...])
plan = recipe.plan((4, 4), world=True)
assert_type(plan, terrain.Plan)
assert_type(plan.window("a"), tuple[tuple[int, int], tuple[int, int]])
assert_type(plan.bytes + plan.cells, int)
with open("a.terrain") as file:
    world = terrain.World(file.read(), seed=1)
assert_type(world.tile(0, 0, (4, 4)), Map)
assert_type(world[0:4, 0:4], Map)
both = terrain.World(recipe, outputs=["a", "b"], inputs={"a": land})
assert_type(both.tile(0, 0, out=[land, land]), tuple[Map, ...])
assert_type(both[0:4, 0:4], tuple[Map, ...])
assert_type(both.tile(0, 0, outputs="b", out=land), Map)
assert_type(both.tile(0, 0, outputs=["b"]), tuple[Map, ...])
plain: terrain.World = terrain.World(recipe, outputs="b")
assert_type(plain.tile(0, 0), Map)
libterrain.dask.world(recipe, (4, 4), inputs={"a": (land, (0, 0))})
assert_type(libterrain.dask.world(recipe, (4, 4), outputs="b", inputs={"a": land}), da.Array)
assert_type(libterrain.dask.world(recipe, (4, 4), outputs=["a", "b"], inputs={"a": land}), tuple[da.Array, ...])
libterrain.dask.map_overlap(terrain.blur.gaussian, libterrain.dask.world(recipe, (4, 4)), sigma=3)

assert_type(terrain.measure(land).mean, float)
assert_type(terrain.score(land).reachable, int)
assert_type(terrain.landform(land).forms, dict[str, float])
assert_type(terrain.mesh(land, axes="z_up").triangles, NDArray[np.uint32])
assert_type(terrain.hash(land), str)
assert_type(terrain.view(land, sea=0).png(), bytes)
terrain.view(land).save("land.png")
terrain.set_threads(2)
assert_type(terrain.threads(), int)

thermal = terrain.operations["erode_thermal"]
assert_type(thermal.parameters["talus"].name, str)
assert_type(thermal.parameters["talus"].slider, Optional[tuple[float, float]])
assert_type(thermal.ports[0].role, str)
assert_type(thermal.halo(iterations=3), Optional[int])
assert_type(thermal.function, Callable[..., Any])

# NumPy's numbers, as the cells of an array are.
four = np.uint8(4)
terrain.erode.thermal(land, talus=np.float32(0.6), iterations=four, cell_size=four, origin=(four, np.int64(-1)))
terrain.shape.terrace(land, levels=np.linspace(0, 1, 4))
terrain.shape.terrace(land, levels=[np.float32(1), 2, four])
terrain.generate.drainage((four, 4), map_spacing=four, control=(land, (four, 4)))
recipe.run((four, four), seed=four, scale=np.float32(0.5), cell_size=four, inputs={"a": (land, (four, 0))})
terrain.World(recipe, inputs={"a": (land, (four, 0)), "c": land}).tile(0, 0)
terrain.World(recipe, cache_bytes=four).tile(four, four, (four, four))
terrain.measure(land, bins=four, low=land[0, 0], high=land[0, 1])
terrain.score(land, unit_size=four, unit_slope=land[0, 0])
tally, ground = terrain.Tally(bins=four, low=land[0, 0], high=1), terrain.ScoreTally(unit_size=four)
tally.add(land, progress=lambda share: None)
tally.merge(terrain.Tally())
assert_type(tally.statistics, terrain.Statistics)
ground.add(land, window=np.s_[1:-1, 1:-1], origin=(four, 4), cell_size=four)
assert_type(ground.score, terrain.Score)
assert_type(terrain.seams([[land, land]], overlap=four).ratio, float)
terrain.view(terrain.analyze.hillshade(land, azimuth=land[0, 0]), sea=land[0, 0])
terrain.set_threads(four)
terrain.operations["blur_box"].window(four, four, (four, four), port=four)

world.tile("a", None)  # type: ignore[call-overload]
terrain.World(3)  # type: ignore[call-overload]
terrain.World(recipe, seeed=3)  # type: ignore[call-overload]
terrain.World(recipe, inputs=[land])  # type: ignore[call-overload]
terrain.World(recipe, name="a", outputs=["b"])  # type: ignore[call-overload]
libterrain.dask.world(recipe, (4, 4), name="a", outputs=["b"])  # type: ignore[call-overload]
recipe.run((4, 4), sclae=3)  # type: ignore[call-overload]
tally.merge(ground)  # type: ignore[arg-type]
terrain.mesh(land, axes="up")  # type: ignore[arg-type]
terrain.erode.thermal(land, mode="flx")  # type: ignore[call-overload]
terrain.blur.gaussian(land, sigme=3)  # type: ignore[call-arg]
terrain.blur.gaussian(land, sigma="3")  # type: ignore[arg-type]
terrain.shape.terrace(land, levels="abc")  # type: ignore[arg-type]
"""


STARS = """
from libterrain import *

hash("a")
MemoryError("a").characters_written  # type: ignore[attr-defined]
World("a = generate_noise")
generate.noise((4, 4))
"""


@pytest.mark.parametrize("program", [PROGRAM, STARS], ids=["program", "stars"])
def test_a_users_program(program, tmp_path):
    if not pathlib.Path(terrain.__file__).with_suffix(".pyi").exists():
        pytest.skip("the package is not installed")
    (tmp_path / "program.py").write_text(program)
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "program.py"], cwd=tmp_path, env=environment,
                          text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
