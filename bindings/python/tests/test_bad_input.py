# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against crashes, silence and half-written arrays: whatever is wrong is a clear exception of Python's own
kind, and every array is what it was."""

import collections.abc
import gc
import pickle
import threading

import numpy as np
import pytest

import golden
import libterrain as terrain

SHAPE = (30, 40)
OPERATIONS = list(terrain.operations.values())
TAKES_ONE = [each for each in OPERATIONS if each.signature in ("in_place", "result")]


def arguments_of(operation, shape=SHAPE):
    land = golden.heights(shape)
    return {"generate": [shape], "combine": [land, golden.heights(shape, 2)],
            "grid": [[[land, golden.heights(shape, 2)]]]}.get(operation.signature, [land])


def refused(kind, text, function, *arguments, **values):
    arrays = [each for each in [*arguments, *values.values()] if isinstance(each, np.ndarray)]
    before = [each.copy() for each in arrays]
    with pytest.raises(kind) as caught:
        function(*arguments, **values)
    assert text in str(caught.value), caught.value
    for array, copy in zip(arrays, before):
        assert array.tobytes() == copy.tobytes()


# ---- Arrays --------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "uint8", "bool", "complex64", ">f4", "object", "S4"])
def test_wrong_dtype(dtype):
    wrong = np.zeros(SHAPE, dtype)
    for each in TAKES_ONE:
        refused(TypeError, "must be an array of float32, not", each.function, wrong)
    refused(TypeError, "float32", terrain.erode.thermal, golden.heights(SHAPE), out=wrong)
    refused(TypeError, "float32", terrain.generate.noise, SHAPE, out=wrong)
    refused(TypeError, "float32", terrain.blur.gaussian, golden.heights(SHAPE), mask=wrong)
    for function in (terrain.hash, terrain.measure, terrain.score, terrain.landform, terrain.mesh, terrain.view,
                     terrain.Tally().add, terrain.ScoreTally().add):
        refused(TypeError, "float32", function, wrong)
    refused(TypeError, "float32", terrain.Recipe("input a\nb = erode_fir a").run, SHAPE, inputs={"a": wrong})


@pytest.mark.parametrize("wrong", [[[1.0, 2.0]], "land", None, 3, 2.5, object(), {}])
def test_no_array(wrong):
    for each in TAKES_ONE:
        refused(TypeError, "map must be an array of float32", each.function, wrong)
    if wrong is not None:
        refused(TypeError, "out must be a NumPy array", terrain.erode.thermal, golden.heights(SHAPE), out=wrong)


def test_wrong_dimensions():
    for shape in ((), (5,), (2, 3, 4)):
        refused(terrain.ArgumentError, "must have two dimensions", terrain.erode.thermal, np.zeros(shape, np.float32))
    for shape in ((0, 5), (5, 0), (0, 0)):
        refused(terrain.ArgumentError, "no cells", terrain.erode.thermal, np.zeros(shape, np.float32))


def test_histogram_range():
    for low, high in ((5, 5), (5, 1), (float("nan"), 1), (0, 1e31)):
        refused(terrain.RangeError, "must be -1e+30 <= low < high <= 1e+30", terrain.measure, golden.heights(SHAPE),
                bins=3, low=low, high=high)
    refused(TypeError, "low must be a number, not str", terrain.measure, golden.heights(SHAPE), bins=3, low="1")
    for ends in ({"low": 1}, {"high": 1}):
        refused(terrain.ArgumentError, "give bins", terrain.measure, golden.heights(SHAPE), **ends)
        refused(terrain.ArgumentError, "give bins", terrain.Tally, **ends)
        refused(terrain.ArgumentError, "give low and high", terrain.Tally, bins=3, **ends)
    refused(terrain.RangeError, "must be -1e+30 <= low < high <= 1e+30", terrain.Tally, bins=3, low=1, high=1)
    refused(terrain.RangeError, "bins", terrain.Tally, bins=0, low=0, high=1)


def test_masked_array():
    refused(TypeError, "lose its mask", terrain.erode.thermal, np.ma.masked_array(golden.heights(SHAPE), mask=False))
    refused(TypeError, "not bool: mask.astype", terrain.erode.thermal, golden.heights(SHAPE),
            mask=np.ones(SHAPE, bool))
    refused(TypeError, "not an array of float32, (30, 40)", terrain.generate.noise, golden.heights(SHAPE))


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (-1, 5), (5, -2**70), (2**32, 1), (1, 2**40)])
def test_sizes_that_there_are_not(shape):
    refused(terrain.RangeError, "shape is", terrain.generate.noise, shape)
    refused(terrain.RangeError, "shape is", terrain.Recipe("a = generate_noise").run, shape)
    refused(terrain.RangeError, "shape is", terrain.World("a = generate_noise").tile, 0, 0, shape)


@pytest.mark.parametrize("shape", [None, 5, (5,), (5, 5, 5), "55", (5.0, 5), ("a", "b"), [5, None]])
def test_no_size(shape):
    refused(TypeError, "shape", terrain.generate.noise, shape)


def test_too_large_for_memory():
    for shape in ((2**23, 2**23), (2**31, 2**31)):
        for function in (terrain.generate.noise, terrain.Recipe("a = generate_noise").run):
            refused(terrain.MemoryError, "", function, shape)
        refused(terrain.MemoryError, f"no memory for {shape[0]} x {shape[1]} cells", terrain.generate.noise, shape)
    with pytest.raises(terrain.MemoryError, match="no memory for"):
        terrain.erode.thermal(np.broadcast_to(np.float32(1), (2**23, 2**23)))


def test_read_only():
    land = golden.heights(SHAPE)
    locked = golden.heights(SHAPE)
    locked.flags.writeable = False
    refused(terrain.ArgumentError, "out is read-only", terrain.erode.thermal, land, out=locked)
    refused(terrain.ArgumentError, "out is read-only", terrain.erode.thermal, locked, out=locked)
    refused(terrain.ArgumentError, "out is read-only", terrain.generate.noise, SHAPE, out=locked)
    refused(terrain.ArgumentError, "depth is read-only", terrain.shape.fill, land, depth=locked)
    refused(terrain.ArgumentError, "read-only", terrain.Recipe("a = generate_noise").run, SHAPE, out=locked)
    refused(terrain.ArgumentError, "read-only", terrain.World("a = generate_noise").tile, 0, 0, out=locked)
    refused(terrain.ArgumentError, "read-only", terrain.erode.thermal, land, out=np.broadcast_to(np.float32(1), SHAPE))


def test_overlapping():
    room = golden.heights((60, 40))
    refused(terrain.AliasError, "overlaps", terrain.erode.thermal, room[:30], out=room[:30], mask=room[10:40])
    refused(terrain.AliasError, "overlaps", terrain.analyze.slope, room[:30], out=room[1:31])
    refused(terrain.AliasError, "overlaps", terrain.shape.fill, room[:30], depth=room[20:50], lakes=room[25:55])
    refused(terrain.AliasError, "", terrain.stitch.edges, [[room[:30], room[20:50]]], out=[[room[:30], room[20:50]]])
    refused(terrain.AliasError, "", terrain.Recipe("a = generate_noise\nb = erode_fir a").run, (30, 40),
            outputs=["a", "b"], out=[room[:30], room[20:50]])


def test_two_results_in_one_array():
    """The library does not see it where it is given copies, and one result would be lost."""
    land, other = golden.heights(SHAPE), golden.heights(SHAPE, 2)
    room, turned = golden.heights((60, 80)), np.asfortranarray(golden.heights(SHAPE))
    for out, second in ((other, other), (room[:30, :40], room[29:59, :40]), (turned, turned), (room[::2, ::2],) * 2,
                        (room[:30, :40], room[:60:2, :40]), (other, other[::-1])):
        refused(terrain.AliasError, "shape_fill: depth overlaps out", terrain.shape.fill, land, out=out, depth=second)
        refused(terrain.AliasError, "eroded overlaps out", terrain.erode.hydraulic, land, out=out, eroded=second)
        refused(terrain.AliasError, "overlaps", terrain.analyze.flow, land, out=out, direction=second)
        refused(terrain.AliasError, "out[0][1] overlaps out[0][0]", terrain.stitch.edges, [[land, land]],
                out=[[out, second]])
        refused(terrain.AliasError, "overlaps", terrain.Recipe("a = generate_noise\nb = erode_fir a").run, SHAPE,
                outputs=["a", "b"], out=[out, second])
    refused(terrain.AliasError, "lakes overlaps depth", terrain.shape.fill, land, depth=turned, lakes=turned)
    refused(terrain.AliasError, "depth overlaps out", terrain.shape.fill, turned, out=turned, depth=turned)
    filled, depth = terrain.shape.fill(land, depth=True)
    # Side by side, or between each other's rows or columns, they share nothing.
    for out, second in ((room[:30, :40], room[:30, 40:]), (room[::2, :40], room[1::2, :40]),
                        (room[:30, ::2], room[:30, 1::2])):
        terrain.shape.fill(land, out=out, depth=second)
        assert (out == filled).all() and (second == depth).all()
    # What is read before it is written may be it.
    again = turned.copy(order="F")
    terrain.erode.thermal(again, out=again)
    assert (again == terrain.erode.thermal(turned)).all()
    mask = np.asfortranarray(golden.heights(SHAPE, 3))
    expected = terrain.erode.thermal(land, mask=mask)
    terrain.erode.thermal(land, out=mask, mask=mask)
    assert (mask == expected).all()


def test_unequal_sizes():
    land = golden.heights(SHAPE)
    refused(terrain.ArgumentError, "sizes must be equal", terrain.combine.blend, land, land[1:])
    refused(terrain.ArgumentError, "mask", terrain.blur.gaussian, land, mask=land[:, 1:])
    refused(terrain.ArgumentError, "out is", terrain.blur.gaussian, land, out=golden.heights((30, 41)))
    refused(terrain.ArgumentError, "out is", terrain.analyze.slope, land, out=golden.heights((30, 41)))
    refused(terrain.ArgumentError, "out is", terrain.shape.resample, land, step=0.5, out=golden.heights(SHAPE))
    refused(terrain.ArgumentError, "eroded", terrain.erode.hydraulic, land, eroded=land[1:].copy())
    refused(terrain.ArgumentError, "equally many", terrain.stitch.edges, [[land, land], [land]])
    refused(terrain.ArgumentError, "equally many", terrain.stitch.edges, [])
    refused(TypeError, "rows of arrays", terrain.stitch.edges, 5)


def test_array_that_is_freed_or_resized():
    """The call keeps what it works on: others may forget it, and can't take its memory away."""
    holder = [golden.heights((300, 300))]
    expected = terrain.hash(terrain.erode.thermal(holder[0], iterations=400))
    found = []

    def work(land=holder[0]):
        found.append(terrain.hash(terrain.erode.thermal(land, out=land, iterations=400)))

    thread = threading.Thread(target=work)
    thread.start()
    land = holder.pop()
    work.__defaults__ = None
    del land
    gc.collect()
    thread.join()
    assert found == [expected]

    land, resized = golden.heights((300, 300)), []

    def report(_share):
        try:
            land.resize((3, 3))
        except (ValueError, BufferError) as error:
            resized.append(error)

    result = terrain.erode.thermal(land, out=land, iterations=2500, progress=report)
    assert resized and result.shape == (300, 300)


def test_world_outlives_what_it_is_made_of():
    def make():
        return terrain.World(terrain.Recipe("a = generate_noise seed=3\nb = erode_thermal a iterations=2"))

    world = make()
    plan = terrain.Recipe("a = generate_noise seed=3\nb = erode_thermal a iterations=2").plan((40, 40), world=True)
    gc.collect()
    assert (world.tile(0, 0, (40, 40)) == plan.run()).all()

    def of_input():
        locked = golden.heights((300, 400))
        locked.flags.writeable = False
        return terrain.World("input a\nb = erode_thermal a iterations=2", inputs={"a": locked})

    world = of_input()
    gc.collect()
    golden.heights((300, 400), 2)  # in memory that was freed
    expected = terrain.erode.thermal(golden.heights((300, 400)), iterations=2)
    assert (world[2:298, 2:398] == expected[2:298, 2:398]).all()


# ---- Keywords and values -------------------------------------------------------------------------

@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_unknown_keyword(operation):
    refused(TypeError, f"{operation.name}: no parameter 'quite_unlike'", operation.function,
            *arguments_of(operation), quite_unlike=3)
    for name in operation.parameters:
        if len(name) > 4:
            wrong = name[:2] + name[3:]
            if wrong not in operation.parameters:
                refused(TypeError, "did you mean", operation.function, *arguments_of(operation), **{wrong: 3})


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_values_out_of_range(operation):
    given = arguments_of(operation)
    for parameter in operation.parameters.values():
        name = parameter.name
        if parameter.type in ("int32", "uint32", "int64", "uint64"):
            for wrong in (parameter.minimum - 1, parameter.maximum + 1, 2**80, -2**80):
                refused(terrain.RangeError, f"{operation.name}: {name} is", operation.function, *given, **{name: wrong})
            for wrong in (1.5, "3", None, [1]):
                refused(TypeError, f"{name} must be a whole number", operation.function, *given, **{name: wrong})
        elif parameter.type == "float":
            wrongs = [float("nan")]
            if parameter.minimum > -np.inf:
                wrongs.append(float(np.nextafter(np.float32(parameter.minimum), np.float32(-np.inf))))
            if parameter.maximum < np.inf:
                wrongs.append(float(np.nextafter(np.float32(parameter.maximum), np.float32(np.inf))))
            for wrong in (*wrongs, 1e300):
                if wrong < 1e300 or np.isnan(wrong) or parameter.maximum < np.inf:
                    refused(terrain.RangeError, name, operation.function, *given, **{name: wrong})
            for wrong in ("3", None, [1.0], 1j):
                refused(TypeError, f"{name} must be a number", operation.function, *given, **{name: wrong})
        elif parameter.type == "enum":
            refused(terrain.ArgumentError, "did you mean", operation.function, *given,
                    **{name: list(parameter.values)[-1] + "x"})
            for wrong in (0, None, 1.5):
                refused(TypeError, "must be one of", operation.function, *given, **{name: wrong})
        elif parameter.type == "bool":
            refused(terrain.RangeError, f"{name} is 2", operation.function, *given, **{name: 2})
            for wrong in ("yes", None):
                refused(TypeError, "must be True or False", operation.function, *given, **{name: wrong})
        elif parameter.type == "float_array":
            refused(terrain.RangeError, "at most", operation.function, *given,
                    **{name: np.arange(parameter.count_maximum + 1)})
            refused(TypeError, "must be numbers", operation.function, *given, **{name: "abc"})
        elif parameter.type == "map_in":
            refused(TypeError, name, operation.function, *given, **{name: 0.5})
        elif parameter.type == "map_out":
            refused(TypeError, name, operation.function, *given, **{name: "yes"})


def test_place():
    noise = terrain.generate.noise
    for wrong in (5, (1,), (1, 2, 3), "ab", (0.5, 1), (None, None)):
        refused(TypeError, "origin", noise, SHAPE, origin=wrong)
    for wrong in ((2**62 + 1, 0), (0, -2**62 - 1), (2**80, 0)):
        refused(terrain.RangeError, "origin", noise, SHAPE, origin=wrong)
    refused(terrain.RangeError, "leaves the world", noise, SHAPE, origin=(2**62, 0))
    refused(terrain.RangeError, "leaves the world", terrain.combine.blend, golden.heights(SHAPE), golden.heights(SHAPE),
            origin=(0, 2**62))
    for wrong in (0, -1, 1e-7, 1e10, float("nan"), float("inf")):
        refused(terrain.RangeError, "cell_size", noise, SHAPE, cell_size=wrong)
    refused(TypeError, "cell_size", noise, SHAPE, cell_size="wide")
    assert noise(SHAPE, seed=3).tobytes() == noise(SHAPE, seed=3, origin=(0, 0), cell_size=1).tobytes()


def test_place_of_a_coarse_map():
    """It comes from the call's, whatever whole number the spacing is."""
    for spacing in (64, np.uint8(64)):
        refused(terrain.RangeError, "control covers x 109 to 112 and y -141 to -138", terrain.erode.drainage,
                golden.heights(SHAPE), origin=(7000, -9000), map_spacing=spacing, control=golden.shares((4, 4), 3))


def test_arguments():
    land = golden.heights(SHAPE)
    refused(TypeError, "takes 1 positional argument", terrain.erode.thermal)
    refused(TypeError, "takes 1 positional argument", terrain.erode.thermal, land, 50)
    refused(TypeError, "takes 2 positional arguments (map, other)", terrain.combine.blend, land)
    refused(TypeError, "shape, or out=", terrain.generate.noise)
    refused(TypeError, "progress", terrain.erode.thermal, land, progress=5)


def test_levels():
    refused(terrain.RangeError, "levels", terrain.shape.terrace, golden.heights(SHAPE), levels=[3.0, 1.0])
    for wrong in (["1", "2"], np.array([1, 2j], np.complex64), [b"1", b"2"]):
        refused(TypeError, "levels must be numbers", terrain.shape.terrace, golden.heights(SHAPE), levels=wrong)
    refused(terrain.ArgumentError, "levels must have one dimension, not 2", terrain.shape.terrace,
            golden.heights(SHAPE), levels=[[0, 1], [2, 3]])
    refused(TypeError, "lose its mask", terrain.shape.terrace, golden.heights(SHAPE),
            levels=np.ma.masked_array([1.0, 2, 3], [0, 1, 0]))


def test_windows():
    window = terrain.operations["blur_box"].window
    assert window(0, 0, (np.int64(4), 5), port=np.int64(0)) == window(0, 0, (4, 5))
    for wrong in ((0, 5), (-1, 5), (5, 2**32)):
        refused(terrain.RangeError, "shape is", window, 0, 0, wrong)
    refused(TypeError, "shape must be", window, 0, 0, 5)
    refused(TypeError, "origin must be", window, "a", 0, (4, 5))
    for wrong in (1, 9, -1, "map", None):  # the first of them is written
        refused(terrain.ArgumentError, "is no map that it reads", terrain.operations["analyze_slope"].window, 0, 0,
                (4, 5), wrong)


# ---- Recipes and worlds --------------------------------------------------------------------------

def test_recipe_text():
    for text, told in (("a = generate_nois", "did you mean 'generate_noise'"), ("a = erode_fir b", "line 1"),
                       ("a = generate_noise seed=x", "line 1, column"), ("\0", "line 1"), ("a =", "expected")):
        refused(terrain.RecipeError, told, terrain.Recipe, text)
    for text, told in (("a\udc80", "line 1, column 2"), ("\ud800 = generate_noise", "line 1, column 1")):
        refused(terrain.RecipeError, told, terrain.Recipe, text)
    assert terrain.Recipe("# \udc80, as surrogateescape reads bytes\na = generate_noise").maps == ("a",)
    refused(TypeError, "str", terrain.Recipe, b"a = generate_noise")
    refused(terrain.RecipeError, "", terrain.Recipe, "x" * 2_000_000)


class Pairs(collections.abc.Mapping):
    """A mapping that may have a key twice."""

    def __init__(self, pairs):
        self.pairs = pairs

    def __getitem__(self, key):
        return dict(self.pairs)[key]

    def __iter__(self):
        return (key for key, _ in self.pairs)

    def __len__(self):
        return len(self.pairs)


def test_runs():
    land = golden.heights(SHAPE)
    recipe = terrain.Recipe("input land\nworn = erode_thermal land\n")
    refused(terrain.ArgumentError, "the input 'land' is missing", recipe.run, SHAPE)
    refused(terrain.ArgumentError, "did you mean 'land'", recipe.run, SHAPE, inputs={"lamd": land})
    refused(terrain.ArgumentError, "did you mean 'worn'", recipe.run, SHAPE, inputs={"land": land}, outputs="wron")
    for wrong in (land, [land], "land"):
        refused(TypeError, "inputs must be a dict of arrays by name", recipe.run, SHAPE, inputs=wrong)
    for wrong in ([land, (0, 0)], (land,), (land, 0, 0)):
        refused(TypeError, "land must be an array of float32, or a tuple of it", recipe.run, inputs={"land": wrong})
    twice, plan = Pairs([("land", land), ("land", 2 * land)]), recipe.plan(SHAPE, inputs={"land": land})
    for function in (recipe.run, recipe.plan):
        refused(terrain.ArgumentError, "the input 'land' is given twice", function, SHAPE, inputs=twice)
    refused(terrain.ArgumentError, "the input 'land' is given twice", plan.run, twice)
    refused(terrain.ArgumentError, "input 'land' is missing", plan.run)  # a plan keeps none
    refused(terrain.RecipeError, "line 2, column 7", terrain.Recipe, "input land\ninput land\nworn = erode_fir land")
    refused(terrain.ArgumentError, "no map ''", recipe.run, SHAPE, inputs={"land": land}, outputs="")
    refused(TypeError, "a set has no order", recipe.run, SHAPE, inputs={"land": land}, outputs={"land", "worn"})
    refused(terrain.ArgumentError, "outputs names no map", recipe.run, SHAPE, inputs={"land": land}, outputs=[])
    refused(terrain.ArgumentError, "", recipe.run, SHAPE, inputs={"land": land}, out=golden.heights((3, 3)))
    refused(terrain.ArgumentError, "out has 1 arrays", recipe.run, SHAPE, inputs={"land": land},
            outputs=["land", "worn"], out=[land.copy()])
    refused(terrain.RangeError, "seed", recipe.run, SHAPE, inputs={"land": land}, seed=-1)
    refused(terrain.RangeError, "seed", recipe.run, SHAPE, inputs={"land": land}, seed=2**64)
    refused(TypeError, "seed", recipe.run, SHAPE, inputs={"land": land}, seed=1.5)
    refused(terrain.RangeError, "cell_size", recipe.run, SHAPE, inputs={"land": land}, cell_size=0)
    for wrong in (0, -1, 2**17, float("nan"), float("inf")):
        refused(terrain.RangeError, "scale", recipe.run, SHAPE, inputs={"land": land}, scale=wrong)
        refused(terrain.RangeError, "scale", terrain.World, "a = generate_noise", scale=wrong)
    refused(TypeError, "scale", recipe.run, SHAPE, inputs={"land": land}, scale="1/4")
    refused(terrain.MemoryError, "", terrain.Recipe("a = generate_noise\nb = erode_thermal a").run, (500, 500),
            memory_limit=1000)
    refused(terrain.ArgumentError, "did you mean 'worn'", recipe.plan(SHAPE, inputs={"land": land}).window, "wor")


def test_names():
    """A name that C would read half of, or that is none."""
    recipe = terrain.Recipe("a = generate_noise\nb = erode_thermal a")
    plan = recipe.plan(SHAPE)
    for wrong, error in (("a\0c", terrain.ArgumentError), ("a\udc80", terrain.ArgumentError),
                         (3, TypeError), (b"a", TypeError)):
        refused(error, "name" if error is TypeError else "'a", terrain.World, recipe, name=wrong)
        refused(error, "name" if error is TypeError else "'a", recipe.check_world, wrong)
        refused(error, "name" if error is TypeError else "'a", recipe.map_scale, wrong, scale=0.5)
        refused(error, "name" if error is TypeError else "'a", plan.window, wrong)


def test_cell_sizes():
    land = golden.heights(SHAPE)
    text = "a = generate_noise"
    for function, given in ((terrain.Recipe(text).run, (SHAPE,)), (terrain.World, (text,)),
                            (terrain.score, (land,)), (terrain.landform, (land,)), (terrain.mesh, (land,))):
        refused(TypeError, "cell_size must be a number, not str", function, *given, cell_size="1")
        for wrong in (0, float("nan"), 1e10):
            refused(terrain.RangeError, "cell_size is", function, *given, cell_size=wrong)


def test_slopes_of_a_score():
    land = golden.heights(SHAPE)
    for name in ("unit_slope", "building_slope"):
        for wrong in ("1", None, land):
            refused(TypeError, f"{name} must be a number, not", terrain.score, land, **{name: wrong})
        refused(terrain.RangeError, "must be 0 <= building_slope <= unit_slope", terrain.score, land,
                **{name: float("nan")})


def test_arguments_by_name():
    """Which have a place alone."""
    land = golden.heights(SHAPE)
    refused(TypeError, "shape is given by its place", terrain.generate.noise, shape=SHAPE)
    refused(TypeError, "map is given by its place", terrain.erode.thermal, map=land)
    refused(TypeError, "other is given by its place", terrain.combine.blend, land, other=land)
    refused(TypeError, "no parameter 'shape'", terrain.erode.thermal, land, shape=SHAPE)


def test_sea():
    land = golden.heights(SHAPE)
    refused(TypeError, "sea must be a number, not str", terrain.view, land, sea="a")
    for wrong in (float("nan"), float("inf")):
        refused(terrain.RangeError, "sea is", terrain.view, land, sea=wrong)


def test_path_for_a_text():
    for path in ("land.terrain", "/home/a/land.terrain", "C:\\land.terrain"):
        for function in (terrain.Recipe, terrain.World):
            refused(terrain.RecipeError, "(Recipe.open reads a file)", function, path)
    for text in ("", "a = b", "input a\n"):
        with pytest.raises(terrain.RecipeError) as caught:
            terrain.Recipe(text)
        assert "Recipe.open" not in str(caught.value)


def test_plan_is_not_pickled():
    refused(TypeError, "pickle its recipe", pickle.dumps, terrain.Recipe("a = generate_noise").plan(SHAPE))


def test_worlds():
    refused(terrain.UnsupportedError, "analyze_basins", terrain.World, "a = generate_noise\nb = analyze_basins a\n")
    refused(terrain.ArgumentError, "", terrain.World, "a = generate_noise", name="b")
    refused(terrain.RangeError, "cache_bytes", terrain.World, "a = generate_noise", cache_bytes=-1)
    refused(terrain.RangeError, "", terrain.World, "a = generate_noise", cell_size=0)
    world = terrain.World("a = generate_noise")
    for window in (0, slice(0, 3), (0, 1), (slice(0, 3), 4), (slice(None), slice(0, 3)), (slice(0, 4, 2), slice(0, 3))):
        refused(TypeError, "world[y0:y1, x0:x1]", world.__getitem__, window)
    refused(terrain.RangeError, "shape is", world.__getitem__, (slice(5, 5), slice(0, 3)))
    refused(terrain.RangeError, "shape is (-2, 3)", world.__getitem__, (slice(np.uint8(5), np.uint8(3)), slice(0, 3)))
    refused(TypeError, "world[y0:y1, x0:x1]", world.__getitem__, (slice(0.0, 1.0), slice(0, 3)))
    refused(TypeError, "origin", world.tile, 0.5, 0)
    refused(terrain.RangeError, "", world.tile, 2**62, 0)


def test_maps_of_a_tile():
    recipe = terrain.Recipe("land = generate_noise\nworn = erode_thermal land")
    for wrong in ("wron", ["land", "wron"]):
        refused(terrain.ArgumentError, "did you mean 'worn'", terrain.World, recipe, outputs=wrong)
    refused(TypeError, "a set has no order", terrain.World, recipe, outputs={"land", "worn"})
    refused(terrain.ArgumentError, "outputs names no map", terrain.World, recipe, outputs=[])
    refused(terrain.ArgumentError, "name and outputs are both given", terrain.World, recipe, name="land", outputs="worn")
    land, worn = golden.heights(SHAPE), golden.heights(SHAPE)
    world = terrain.World(recipe, outputs=["land", "worn"])
    refused(terrain.ArgumentError, "the world shows no map 'wron' (did you mean 'worn'", world.tile, 0, 0, outputs="wron")
    refused(terrain.ArgumentError, "the world shows no map", terrain.World(recipe).tile, 0, 0, outputs=["land"])
    refused(terrain.ArgumentError, "outputs names no map", world.tile, 0, 0, outputs=[])
    refused(terrain.ArgumentError, "outputs names 'land' twice", world.tile, 0, 0, outputs=["land", "land"])
    refused(TypeError, "a set has no order", world.tile, 0, 0, outputs={"land"})
    refused(terrain.ArgumentError, "out has 1 arrays, must have 2", world.tile, 0, 0, out=[land])
    refused(terrain.ArgumentError, "out has 2 arrays, must have 1", world.tile, 0, 0, outputs=["land"], out=[land, worn])
    refused(terrain.ArgumentError, "", world.tile, 0, 0, out=[land, golden.heights((3, 3))])
    refused(terrain.AliasError, "out[1] overlaps out[0]", world.tile, 0, 0, out=[land, land])
    refused(TypeError, "float32", world.tile, 0, 0, outputs="land", out=[land])


def test_inputs_of_a_world():
    land = golden.heights(SHAPE)
    recipe = terrain.Recipe("input land\ninput other\nworn = erode_thermal land iterations=2\n")
    for inputs in (None, {}, {"land": None}, {"other": land}):
        refused(terrain.ArgumentError, "input 'land' is missing", terrain.World, recipe, inputs=inputs)
    refused(terrain.ArgumentError, "did you mean 'land'", terrain.World, recipe, inputs={"lamd": land})
    twice = Pairs([("land", land), ("land", 2 * land)])
    refused(terrain.ArgumentError, "the input 'land' is given twice", terrain.World, recipe, inputs=twice)
    for wrong in (land, [land], "land"):
        refused(TypeError, "inputs must be a dict of arrays by name", terrain.World, recipe, inputs=wrong)
    for wrong in ([land, (0, 0)], (land,), (land, 0, 0)):
        refused(TypeError, "land must be an array of float32, or a tuple of it", terrain.World, recipe,
                inputs={"land": wrong})
    refused(TypeError, "float32", terrain.World, recipe, inputs={"land": land.astype("float64")})
    refused(TypeError, "origin", terrain.World, recipe, inputs={"land": (land, (0.5, 0))})
    refused(terrain.RangeError, "", terrain.World, recipe, inputs={"land": (land, (2**62, 0))})

    shared = land[:]
    land.flags.writeable = False  # so it is read where it is
    world = terrain.World(recipe, inputs={"land": (land, (-100, 7))})
    for wrong in ((0, 9), (-99, 9), (-98, 8), (-97, 9)):
        refused(terrain.RangeError, "input 'land' covers x -100 to -61 and y 7 to 36", world.tile, *wrong, (26, 36))
    refused(terrain.RangeError, "input 'land' covers", world.prepare, 0, 0)
    refused(terrain.AliasError, "map overlaps input 'land'", world.tile, -98, 9, out=shared[:26, :36])
    assert (world.tile(-98, 9, (26, 36)) == terrain.erode.thermal(land, iterations=2)[2:28, 2:38]).all()


def test_world_within_its_own_progress():
    world = terrain.World("a = generate_noise\nb = erode_thermal a iterations=3000\n")
    seen = []

    def report(_share):
        try:
            world.tile(0, 0, (8, 8))
        except terrain.BusyError as error:
            seen.append(error)
            raise

    with pytest.raises(terrain.BusyError):
        world.tile(0, 0, (200, 200), progress=report)
    assert len(seen) == 1
