# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against functions that don't do what their documentation says: results, out=, maps, progress, threads."""

import builtins
import copy
import inspect
import keyword
import pickle
import sys
import threading
import time
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest

import golden
import libterrain as terrain
from libterrain import _native, _pictures, _sessions


@pytest.fixture
def land():
    return golden.heights((67, 45))


def test_new_array_and_in_place(land):
    before = land.copy()
    new = terrain.erode.thermal(land, talus=0.6)
    assert new is not land and (land == before).all() and (new != before).any()
    same = terrain.erode.thermal(land, talus=0.6, out=land)
    assert same is land and (land == new).all()


def test_out(land):
    for out in (np.empty_like(land), np.empty((67, 60), np.float32)[:, 3:48], np.empty((45, 67), np.float32).T):
        assert terrain.blur.gaussian(land, out=out) is out
        assert (out == terrain.blur.gaussian(land)).all()
        assert terrain.analyze.slope(land, out=out) is out
        assert (out == terrain.analyze.slope(land)).all()
        assert terrain.generate.noise(out=out, seed=4) is out
        assert (out == terrain.generate.noise(out.shape, seed=4)).all()


def test_out_that_overlaps_the_source():
    """As NumPy's own functions: as if the result came first."""
    room = golden.heights((40, 41))
    expected = terrain.blur.gaussian(room[:, :40])
    assert (terrain.blur.gaussian(room[:, :40], out=room[:, 1:]) == expected).all()
    assert (room[:, 1:] == expected).all()


def test_import_star():
    """The names of Python's own functions and exceptions stay what they are."""
    names = {}
    exec("from libterrain import *", names)
    assert names["erode"] is terrain.erode and names["AliasError"] is terrain.AliasError
    assert not [name for name in names if hasattr(builtins, name)]
    assert len(terrain.hash(golden.heights((4, 4)))) == 16 and issubclass(terrain.MemoryError, MemoryError)


def test_stride_leaves_the_rest_alone():
    room = np.full((9, 20), 7, np.float32)
    terrain.generate.noise(out=room[:, 4:10])
    assert (room[:, :4] == 7).all() and (room[:, 10:] == 7).all() and (room[:, 4:10] != 7).all()


def test_maps_that_are_given_and_asked_for(land):
    mask = np.zeros_like(land)
    assert (terrain.blur.gaussian(land, mask=mask) == land).all()
    filled, depth = terrain.shape.fill(land, depth=True)
    assert (depth >= 0).all() and np.allclose(filled - depth, land)
    own = np.empty_like(land)
    again = terrain.shape.fill(land, depth=own)
    assert (again == filled).all() and (own == depth).all()
    result = terrain.analyze.normals(land, normal_z=True, normal_y=True)
    assert len(result) == 3 and np.allclose(sum(each.astype(float) ** 2 for each in result), 1, atol=1e-5)


def test_read_only_source(land):
    land.flags.writeable = False
    assert (terrain.erode.thermal(land) == terrain.erode.thermal(land.copy())).all()
    assert (terrain.combine.blend(land, land) == land).all()


def test_origin():
    """A tile is the crop of the whole."""
    whole = terrain.generate.noise((60, 80), seed=3, origin=(-30, 2**40))
    assert (terrain.generate.noise((20, 10), seed=3, origin=(-10, 2**40 + 7)) == whole[7:27, 20:30]).all()


def test_cell_size(land):
    assert np.allclose(terrain.analyze.slope(land, cell_size=2), terrain.analyze.slope(land) / 2)


def test_result_of_another_size(land):
    assert terrain.shape.resample(land, step=0.5).shape == (134, 90)
    assert terrain.shape.resample(land, step=2, origin=(1, 1)).shape == (33, 22)


def test_grid():
    maps = [[golden.heights((32, 48), seed) for seed in row] for row in ((1, 2, 3), (4, 5, 6))]
    made = terrain.stitch.edges(maps, width=8)
    assert np.isclose(made[0][0][:, -1], made[0][1][:, 0]).all()
    assert all(a is not b for row, others in zip(made, maps) for a, b in zip(row, others))
    before = [[each.copy() for each in row] for row in maps]
    assert (maps[1][2] == before[1][2]).all()
    terrain.stitch.edges(maps, width=8, out=maps)
    assert all((a == b).all() for row, others in zip(made, maps) for a, b in zip(row, others))


def test_every_operation_is_told():
    assert len(terrain.operations) >= 38
    for operation in terrain.operations.values():
        function = getattr(getattr(terrain, operation.verb), operation.algorithm)
        assert function.operation is operation
        signature = inspect.signature(function)
        assert not any(keyword.iskeyword(name) for name in operation.parameters)
        assert not {"out", "origin", "cell_size", "progress"} & set(operation.parameters)
        for parameter in operation.parameters.values():
            assert signature.parameters[parameter.name].default == parameter.default
            assert f"\n{parameter.name} : " in function.__doc__ and parameter.doc.split()[0] in function.__doc__


def plain_arguments(operation):
    return {"combine": [golden.heights((40, 40), 1), golden.heights((40, 40), 2)]}.get(
        operation.signature, [golden.heights((40, 40))])


def test_plain_calls_are_as_others():
    """Guards against a shortcut for plain calls, which are those without an origin, that does something else."""
    for operation in terrain.operations.values():
        if operation.signature in ("generate", "grid"):
            continue
        arguments = plain_arguments(operation)
        before = [each.copy() for each in arguments]
        plain = operation.function(*arguments)
        assert np.array_equal(plain, operation.function(*arguments, origin=(0, 0)), equal_nan=True)
        assert all((a == b).all() for a, b in zip(arguments, before)) and type(plain) is np.ndarray
        out = np.empty_like(plain)
        assert operation.function(*arguments, out=out) is out and np.array_equal(out, plain, equal_nan=True)
        assert np.array_equal(operation.function(*(each.T.copy().T for each in arguments)), plain, equal_nan=True)
        if operation.signature != "result":
            assert operation.function(*arguments, out=arguments[0]) is arguments[0]
            assert np.array_equal(arguments[0], plain, equal_nan=True)


def test_calls_keep_nothing():
    """Guards against references to arrays that stay after a call, or are lost by it."""
    land = golden.heights((40, 40))
    for function, values in ((terrain.blur.box, {"radius": 1}), (terrain.blur.box, {"out": land}),
                             (terrain.shape.resample, {"step": 2, "filter": "area"}),
                             (terrain.shape.resample, {"step": 2, "origin": (1, 1)}),
                             (terrain.analyze.slope, {"cell_size": 2})):
        before = sys.getrefcount(land)
        results = [function(land, **values) for _ in range(20)]
        kept = weakref.ref(results[0])
        del results
        after = sys.getrefcount(land)
        assert after == before and kept() is (land if "out" in values else None)
    for wrong in ({"radius": -1}, {"radius": "wide"}, {"radios": 1}, {"radius": 10**400}, {"out": land[:3]},
                  {"mask": land[:3]}):
        before = sys.getrefcount(land)
        for _ in range(20):
            with pytest.raises((ValueError, TypeError)):
                terrain.blur.box(land, **wrong)
        assert sys.getrefcount(land) == before


def test_every_default_can_be_given():
    """What the table says that a call takes by itself, a caller may say."""
    for operation in terrain.operations.values():
        given = {"generate": [(40, 40)], "combine": [golden.heights((40, 40))] * 2,
                 "grid": [[[golden.heights((40, 40), 1), golden.heights((40, 40), 2)]]]}
        arguments = given.get(operation.signature, [golden.heights((40, 40))])
        defaults = {name: each.default for name, each in operation.parameters.items()}
        plain, told = operation.function(*arguments), operation.function(*arguments, **defaults)
        assert np.array_equal(plain, told, equal_nan=True)


def test_value_that_does_not_count(land):
    with pytest.warns(UserWarning, match="erode_thermal: quantum does not count: it does where mode is quantum"):
        terrain.erode.thermal(land, quantum=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        terrain.erode.thermal(land, quantum=0.1, mode="quantum")
    assert terrain.operations["erode_thermal"].parameters["quantum"].when == ("mode", ("quantum",))
    parameters = terrain.operations["generate_drainage"].parameters.values()
    assert [p.name for p in parameters if p.is_power_of_two] == ["map_spacing", "period", "plate_spacing"]
    low, high = terrain.operations["erode_thermal"].parameters["iterations"].slider
    assert 0 <= low < 50 < high < 10000
    assert all(terrain.operations["erode_thermal"].parameters["mode"].values.values())


def test_copies_of_an_operation():
    """As of its function: what a task that is sent to another process holds."""
    for each in terrain.operations.values():
        assert pickle.loads(pickle.dumps(each)) is copy.deepcopy(each) is copy.copy(each) is each
        assert pickle.loads(pickle.dumps(each.function)) is each.function


def test_view_in_bands(monkeypatch):
    """The picture of a large map takes little beside it, and has no seams."""
    land = terrain.generate.noise((700, 900), seed=2, amplitude=90)
    land[300:320, 40:60] = np.nan
    pictures = []
    for cells in (1 << 16, 1 << 30, 1):  # the last: row by row
        monkeypatch.setattr(_pictures, "_BAND", cells)
        pictures.append(terrain.view(land, sea=-10).rgb)
    assert (pictures[0] == pictures[1]).all() and (pictures[0] == pictures[2]).all()
    monkeypatch.undo()
    tracemalloc.start()
    terrain.view(land)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 32 * land.size


def test_halo_and_window():
    assert terrain.operations["shape_clamp"].halo() == 0
    assert terrain.operations["shape_fill"].halo() is None
    tilings = [terrain.operations[name].tiling for name in ("shape_clamp", "shape_fill", "analyze_basins", "stitch_edges")]
    assert tilings == ["windows", "regions", "none", "none"]
    halo = terrain.operations["erode_thermal"].halo(iterations=7)
    assert 7 <= halo <= 14
    (x, y), (height, width) = terrain.operations["erode_thermal"].window(100, 50, (20, 30), iterations=7)
    assert x >= 100 - halo and y >= 50 - halo and height <= 20 + 2 * halo and width <= 30 + 2 * halo


# ---- Progress, threads, signals ------------------------------------------------------------------

def test_progress(land):
    seen = []
    big = golden.heights((400, 400))
    result = terrain.erode.thermal(big, iterations=2000, progress=seen.append)
    assert len(seen) > 1 and seen == sorted(seen) and 0 <= seen[0] and seen.count(1.0) == 1 == seen[-1]
    assert (result == terrain.erode.thermal(big, iterations=2000)).all()


def test_progress_ends_at_one(land):
    """However short the call."""
    recipe = terrain.Recipe("a = generate_noise")
    for function in (lambda progress: terrain.erode.thermal(land, progress=progress),
                     lambda progress: terrain.erode.thermal(land, out=land, progress=progress),
                     lambda progress: terrain.generate.noise((4, 4), progress=progress),
                     lambda progress: terrain.stitch.edges([[land, land]], progress=progress),
                     lambda progress: terrain.measure(land, progress=progress),
                     lambda progress: recipe.run((4, 4), progress=progress),
                     lambda progress: recipe.plan((4, 4)).run(progress=progress),
                     lambda progress: terrain.World(recipe).tile(0, 0, (4, 4), progress=progress)):
        seen = []
        function(seen.append)
        assert seen.count(1.0) == 1 == seen[-1]
    seen = []
    with pytest.raises(terrain.RangeError):
        terrain.erode.thermal(land, talus=-1, progress=seen.append)
    assert 1.0 not in seen


def test_bar(capsys):
    terrain.erode.thermal(golden.heights((256, 256)), iterations=500, progress=True)
    shown = capsys.readouterr().err
    assert "erode_thermal" in shown and "100%" in shown


def test_progress_may_use_the_library():
    big = golden.heights((300, 300))
    small = golden.heights((20, 20))
    inner = []

    def report(_share):
        inner.append(terrain.hash(terrain.erode.thermal(small)))

    result = terrain.erode.thermal(big, iterations=15000, progress=report)
    assert (result == terrain.erode.thermal(big, iterations=15000)).all()
    assert set(inner) == {terrain.hash(terrain.erode.thermal(small))}


def test_exception_in_progress():
    big = golden.heights((300, 300))
    before = big.copy()

    class Stop(Exception):
        pass

    def report(_share):
        raise Stop("enough")

    with pytest.raises(Stop, match="enough"):
        terrain.erode.thermal(big, iterations=5000, out=big, progress=report)
    assert (big == before).all()
    assert (terrain.erode.thermal(big, iterations=3) == terrain.erode.thermal(before, iterations=3)).all()


def test_lock_is_released():
    """Another thread of Python runs while a call does."""
    big = golden.heights((500, 500))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    terrain.erode.thermal(big, iterations=1500)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(start < each < end for each in ticks) > 5


def test_threads_at_once():
    """Each thread has its own context."""
    lands = [golden.heights((120, 130), seed) for seed in range(8)]
    expected = [terrain.hash(terrain.erode.hydraulic(land)) for land in lands]
    found = {}

    def work(index):
        for _ in range(3):
            found[index] = terrain.hash(terrain.erode.hydraulic(lands[index]))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[index] for index in range(8)] == expected


def test_set_threads():
    land = golden.heights((700, 700))
    expected = terrain.hash(terrain.erode.thermal(land))
    terrain.set_threads(np.int64(3))
    try:
        assert terrain.threads() == 3
        assert terrain.hash(terrain.erode.thermal(land)) == expected
    finally:
        terrain.set_threads(1)
    for wrong, error in ((0, terrain.RangeError), (257, terrain.RangeError), (1.5, TypeError), ("2", TypeError),
                         (True, TypeError)):
        with pytest.raises(error, match="threads"):
            terrain.set_threads(wrong)


def test_set_threads_while_a_session_is_made(monkeypatch):
    """A session that keeps other threads than it uses would use them after they have ended."""
    class Library:
        def __getattr__(self, name):
            return getattr(_native.lib, name)

        def binding_session_create(self, pool, out):
            used.append(pool)
            status = _native.lib.binding_session_create(pool, out)
            terrain.set_threads(2)
            return status

    used = []
    monkeypatch.setattr(_sessions, "lib", Library())
    terrain.set_threads(3)
    try:
        assert _sessions.Session().pool.native == used[0]
    finally:
        terrain.set_threads(1)


@pytest.mark.parametrize("shape", [(3, 5), (361, 363), (256, 512), (233, 1021), (1, 140001)])
def test_new_arrays(shape):
    """Results that lie across cache lines, are smaller or larger than asked for, or share memory."""
    land = terrain.generate.noise(shape, seed=2)
    made = [land, terrain.blur.box(land), terrain.analyze.slope(land), *terrain.shape.fill(land, depth=True),
            terrain.shape.remap(land[::-1]), terrain.Recipe("a = generate_noise").run(shape)]
    for k, array in enumerate(made):
        assert array.shape == shape and array.dtype == np.float32
        assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
        assert not 2**17 <= array.size < 2**22 or array.ctypes.data % 64 == 0
        assert not any(np.shares_memory(array, other) for other in made[:k])
