# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against recipes, plans, worlds, figures, meshes and pictures that are not the library's."""

import contextlib
import pickle
import threading
import zlib

import numpy as np
import pytest

import golden
import libterrain as terrain

TEXT = "land = generate_noise seed=25\nhills = erode_thermal land talus=0.6\n"


def test_recipe_is_the_operations():
    recipe = terrain.Recipe(TEXT)
    assert (recipe.inputs, recipe.maps, recipe.result) == ((), ("land", "hills"), "hills")
    land, hills = recipe.run((60, 70), outputs=["land", "hills"])
    assert (land == terrain.generate.noise((60, 70), seed=25)).all()
    assert (hills == terrain.erode.thermal(land, talus=0.6)).all()
    assert (recipe.run((60, 70)) == hills).all() and (recipe.run((60, 70), outputs="land") == land).all()
    assert (recipe.run((60, 70), seed=5) != hills).any()
    out = np.empty((70, 60), np.float32).T
    assert recipe.run((60, 70), out=out) is out and (out == hills).all()


def test_inputs():
    recipe = terrain.Recipe("input land\nworn = erode_thermal land\n")
    land = golden.heights((50, 60), origin=(10, 20))
    assert (recipe.run((50, 60), inputs={"land": land[::-1][::-1]}) == terrain.erode.thermal(land)).all()
    plan = recipe.plan((20, 20), origin=(30, 40), world=True)
    (x, y), (height, width) = plan.window("land")
    assert x < 30 and y < 40 and height > 20 and width > 20
    big = golden.heights((200, 200), origin=(-50, -40))
    tile = recipe.run((20, 20), origin=(30, 40), world=True, inputs={"land": (big, (-50, -40))})
    assert (tile == terrain.erode.thermal(big)[80:100, 80:100]).all()


def test_inputs_that_are_not_needed():
    land = golden.heights((30, 40))
    plan = terrain.Recipe("input a\ninput b\nc = shape_clamp a\n").plan((30, 40), world=True)
    assert plan.window("b") == ((0, 0), (0, 0))
    assert (plan.run({"a": land}) == terrain.shape.clamp(land)).all()
    with pytest.raises(terrain.ArgumentError, match="input 'a' is missing"):
        plan.run({"b": land})


def test_size_of_a_bounded_run():
    """What is made of inputs has their size, whatever is asked for."""
    land = golden.heights((48, 64))
    recipe = terrain.Recipe("input dem\nworn = erode_thermal dem\nnoise = generate_noise\n"
                            "sum = combine_blend worn noise\n")
    assert recipe.run(inputs={"dem": land}).shape == recipe.plan(inputs={"dem": land}).shape == (48, 64)
    plan = recipe.plan((30, 20), inputs={"dem": land}, outputs=["worn", "noise"])
    assert plan.shape == (48, 64) and repr(plan).startswith("<plan of worn, noise, shape (48, 64): ")
    assert [each.shape for each in plan.run({"dem": land})] == [(48, 64), (30, 20)]
    assert recipe.plan(world=True).shape == terrain.Recipe(TEXT).plan().shape == (512, 512)


def test_plan():
    plan = terrain.Recipe(TEXT).plan((512, 512))
    assert plan.cells == 2 * 512 * 512 and 4 * 512 * 512 <= plan.bytes < 2**24
    assert plan.window() == ((0, 0), (512, 512)) and (plan.run() == plan.run()).all()
    assert repr(plan) == f"<plan of {plan.outputs[0]}, shape (512, 512): {plan.bytes} bytes>"


def test_world():
    world = terrain.World(TEXT, seed=3)
    whole = world[-40:60, -30:70]
    assert (world.tile(-30, -40, (50, 20)) == whole[:50, :20]).all()
    assert (world[np.int8(-40):np.int8(100), np.uint8(0):np.uint8(70)] == world[-40:100, 0:70]).all()
    out = np.zeros((30, 50), np.float32)[:, 10:40]
    assert world.tile(0, 0, out=out) is out and (out == whole[40:70, 30:60]).all()
    again = pickle.loads(pickle.dumps(world))
    assert (again[-40:60, -30:70] == whole).all()
    assert pickle.loads(pickle.dumps(terrain.Recipe(TEXT))).text == TEXT
    deep = terrain.World("a = generate_noise\nb = erode_thermal a iterations=80\nc = erode_thermal b iterations=80\n")
    deep.prepare(0, 0, (100, 200))
    kept = deep.cache_size
    assert kept > 0
    deep.tile(0, 0, (100, 200))
    assert deep.cache_size == kept
    deep.trim()
    assert deep.cache_size == 0
    with pytest.raises(MemoryError):
        deep.prepare(0, 0, (20000, 20000))


def test_tile_bytes():
    text = "a = generate_noise\nb = erode_thermal a iterations=80\nc = erode_thermal b iterations=80\n"
    kept, needed = terrain.World(text).tile_bytes(-50, 70, (100, 200))
    world = terrain.World(text, cache_bytes=kept, memory_limit=needed)
    world.prepare(-50, 70, (100, 200))
    world.tile(-50, 70, (100, 200))
    assert 4 * 100 * 200 < world.cache_size <= kept < needed
    assert world.tile_bytes(-50, 70, (100, 200)) == (kept, needed)  # whatever is kept by now
    with pytest.raises(MemoryError):
        terrain.World(text, cache_bytes=kept - 1).prepare(-50, 70, (100, 200))
    with pytest.raises(terrain.RangeError):
        world.tile_bytes(2**62, 0)


def test_maps_of_a_tile():
    """Each is that map of the run's window, together or alone."""
    recipe = terrain.Recipe(TEXT + "slope = analyze_slope hills\nunused = erode_thermal hills iterations=70\n")
    names = ["slope", "land", "hills"]
    window = recipe.run((40, 50), seed=3, origin=(-30, -40), world=True, outputs=names)
    world = terrain.World(recipe, outputs=names, seed=3)
    assert world.outputs == tuple(names) and repr(world) == "<world of slope, land, hills, seed 3>"
    for each in (world, pickle.loads(pickle.dumps(world))):
        for tile in (each.tile(-30, -40, (40, 50)), each[-40:0, -30:20]):
            assert isinstance(tile, tuple) and len(tile) == 3
            assert all((map == expected).all() for map, expected in zip(tile, window))
    for name, expected in zip(names, window):
        assert (world.tile(-30, -40, (40, 50), outputs=name) == expected).all()
        assert (terrain.World(recipe, outputs=name, seed=3).tile(-30, -40, (40, 50)) == expected).all()
    hills, slope = world.tile(-30, -40, (40, 50), outputs=["hills", "slope"])
    assert (hills == window[2]).all() and (slope == window[0]).all()
    one, = terrain.World(recipe, outputs=["land"], seed=3).tile(-30, -40, (40, 50))
    assert (one == window[1]).all()
    out = [np.empty((40, 50), np.float32), np.empty((50, 40), np.float32).T, np.empty((40, 50), np.float32)]
    tile = world.tile(-30, -40, out=out)
    assert all(map is target and (map == expected).all() for map, target, expected in zip(tile, out, window))
    assert world.tile(-30, -40, outputs="land", out=out[2]) is out[2] and (out[2] == window[1]).all()
    assert world._repr_png_()[:4] == b"\x89PNG"


def test_maps_that_nobody_asks_for():
    """They are not computed: the input that they alone read may end before the tile."""
    land = golden.heights((4, 4))
    recipe = terrain.Recipe("input land\nnoise = generate_noise\nsum = combine_blend noise land\n")
    world = terrain.World(recipe, inputs={"land": land}, outputs=["noise", "sum"])
    with pytest.raises(terrain.RangeError):
        world.tile(0, 0, (30, 40))
    assert (world.tile(0, 0, (30, 40), outputs="noise") == terrain.generate.noise((30, 40))).all()


def test_inputs_of_a_world():
    """The world's maps are what they were, whatever becomes of the arrays."""
    recipe = terrain.Recipe("input hill\ninput rough\nnoise = generate_noise seed=3\n"
                            "sum = combine_blend hill noise mode=add\nworn = erode_thermal sum iterations=40 mask=rough\n")
    place = (-150, 0)
    hill, rough = golden.heights((300, 400), 1, place), golden.shares((300, 400), 5, place)
    inputs = {"rough": (rough, place), "hill": (hill, place)}
    whole = recipe.run((128, 256), seed=8, origin=(-100, 50), world=True, inputs=inputs)
    world = terrain.World(recipe, seed=8, inputs=inputs)
    view = rough[:]
    view.flags.writeable = False  # rough itself is not
    inputs = {"rough": (view, place), "hill": (hill.T.copy().T, place)}
    plain = terrain.World(recipe, seed=8, cache_bytes=0, inputs=inputs)
    again = pickle.loads(pickle.dumps(world))
    hill[...], rough[...] = 7, 0.5
    for each in (world, plain, again):
        for x in (-100, 28):
            assert (each[50:178, x:x + 128] == whole[:, x + 100:x + 228]).all()
    assert world._repr_png_() is None


def test_inputs_that_a_world_does_not_need():
    land = golden.heights((30, 40))
    for inputs in ({"a": land}, {"a": land, "b": None}, {"a": land, "b": land[:3]}):
        world = terrain.World("input a\ninput b\nc = shape_clamp a\n", inputs=inputs)
        assert (world.tile(0, 0, (30, 40)) == terrain.shape.clamp(land)).all()


def test_scale():
    recipe = terrain.Recipe("a = generate_noise period=80 octaves=3\n")
    expected = terrain.generate.noise((30, 40), period=20, octaves=3, origin=(7, -2))
    assert (recipe.run((30, 40), scale=0.25, origin=(7, -2)) == expected).all()
    assert (recipe.plan((30, 40), scale=0.25, origin=(7, -2)).run() == expected).all()
    world = terrain.World(recipe, scale=1 / 4)
    assert (world.tile(7, -2, (30, 40)) == expected).all()
    assert (pickle.loads(pickle.dumps(world)).tile(7, -2, (30, 40)) == expected).all()
    # An input's cells are the run's, so as far apart as those of generated maps.
    slopes = terrain.Recipe("input land\nslope = analyze_slope land\n")
    land = golden.heights((30, 40))
    steep = terrain.analyze.slope(land, cell_size=2)
    assert (slopes.run((30, 40), inputs={"land": land}, scale=0.5) == steep).all()
    assert (terrain.World(slopes, inputs={"land": land}, scale=0.5)[1:29, 1:39] == steep[1:29, 1:39]).all()


def test_world_from_many_threads():
    world = terrain.World("a = generate_noise\nb = erode_thermal a iterations=70\n", seed=8)
    whole = world[0:256, 0:256]
    world.trim()
    wrong = []

    def work(start):
        for index in range(start, start + 16):
            y, x = 64 * (index % 4), 64 * (index // 4 % 4)
            if (world[y:y + 64, x:x + 64] != whole[y:y + 64, x:x + 64]).any():
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(3 * start,)) for start in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_figures():
    land = golden.heights((80, 90))
    land[3, 4], land[5, 6] = np.nan, np.inf
    found = terrain.measure(land, bins=10)
    finite = land[np.isfinite(land)].astype(np.float64)
    assert (found.count, found.nan_count, found.infinite_count) == (7198, 1, 1)
    assert found.minimum == finite.min() and found.maximum == finite.max()
    assert found.mean == pytest.approx(finite.mean(), rel=1e-12)
    assert found.standard_deviation == pytest.approx(finite.std(), rel=1e-12)
    assert (found.histogram == np.histogram(finite, 10, (found.minimum, found.maximum))[0]).sum() >= 8
    assert found.histogram.sum() == 7198
    for level in (0.0, -3.0, 1e8):  # whose least height is its greatest
        land = np.full((8, 9), level, np.float32)
        assert list(terrain.measure(land, bins=3).histogram) == [0, 72, 0]
    assert list(terrain.measure(np.full((4, 4), np.nan, np.float32), bins=2).histogram) == [0, 0]
    score = terrain.score(terrain.generate.noise((200, 200)), unit_slope=1.0)
    assert score.count == 40000 and 0 < score.accessible < 40000
    landform = terrain.landform(terrain.generate.noise((200, 200)))
    assert landform.undrained > 0.3 and sum(landform.forms.values()) == pytest.approx(1)


def rough_land():
    land = terrain.erode.thermal(terrain.generate.noise((150, 200), seed=3, period=60, origin=(-70, 1000)), iterations=3)
    land[5, 70], land[5, 71] = np.nan, -np.inf
    return land


def test_tallies():
    """Guards against figures of parts, added by several threads, that are not those of the whole."""
    land = rough_land()
    west, east = (terrain.Tally(bins=9, low=-20, high=20) for _ in range(2))
    parts = (west, [land[:, :77]]), (east, [land[50:, 77:], land[:50, 77:]])
    threads = [threading.Thread(target=lambda tally, lands: [tally.add(each) for each in lands], args=part)
               for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    east_alone = east.statistics
    west.merge(east)
    whole = terrain.measure(land, bins=9, low=-20, high=20)
    assert (whole.nan_count, whole.infinite_count) == (1, 1)
    assert west.statistics == whole and list(west.statistics.histogram) == list(whole.histogram)
    assert 0 < whole.histogram.sum() < whole.count
    assert east.statistics == east_alone and west.statistics.histogram is not west.statistics.histogram
    plain = terrain.Tally()
    plain.merge(terrain.Tally())
    assert plain.statistics.count == 0 and np.isnan(plain.statistics.mean) and plain.statistics.histogram is None
    for wrong, error, why in ((plain, terrain.ArgumentError, "histograms of the two tallies differ"),
                              (terrain.Tally(bins=8, low=-20, high=20), terrain.ArgumentError, "histograms"),
                              (west, terrain.ArgumentError, "with itself"), (whole, TypeError, "not with Statistics"),
                              (terrain.ScoreTally(), TypeError, "not with ScoreTally")):
        with pytest.raises(error, match=why):
            west.merge(wrong)
    kept = west.statistics
    west.reset()
    assert west.statistics.count == 0 == west.statistics.histogram.sum() and kept.histogram.sum() > 0
    west.add(land)
    assert west.statistics == whole and list(west.statistics.histogram) == list(whole.histogram)


def test_score_tallies():
    land, ground = rough_land(), dict(unit_slope=1.6, building_slope=1.0, building_size=5)
    whole = terrain.score(land, **ground)
    assert whole.reachable > whole.buildable > 100
    north, south = terrain.ScoreTally(**ground), terrain.ScoreTally(**ground)
    north.add(land[:85, :105], window=np.s_[:80, :100], origin=(-70, 1000))
    south.add(land[75:], window=np.s_[5:, :], origin=(-70, 1075))
    with pytest.raises(terrain.RangeError):
        north.add(land[:85, :105], window=np.s_[:80, :100], origin=(-70, 2**62))
    with pytest.raises(terrain.ArgumentError, match="window"):
        north.add(land, window=np.s_[1:-1])
    with pytest.raises(terrain.ArgumentError):  # cells that it has
        north.add(land, origin=(-70, 1000))
    north.merge(south)
    assert north.score != whole, "a part is missing"
    north.add(land[:85, 95:], window=np.s_[:80, 5:], origin=(25, 1000))
    assert north.score == whole
    for wrong, why in ((south, "windows overlap"), (terrain.ScoreTally(), "parameters"), (north, "with itself")):
        with pytest.raises(terrain.ArgumentError, match=why):
            north.merge(wrong)
    assert north.score == whole
    with pytest.raises(terrain.RangeError, match="unit_size"):
        terrain.ScoreTally(unit_size=65)
    slopes = np.array([[0, 0.125, 0.25, 0.375, 0.875, 1.375, 1.875, 2.375]], np.float32)  # as tests/score has it
    known = terrain.score(slopes, building_size=1)
    assert (known.accessible, known.flat) == (8, 3)


def lands_until(reported):
    """Larger and larger ones, until a call takes so long that it reports its progress."""
    for side in (2048, 4096, 8192):
        if not reported:
            yield terrain.generate.noise((side, side))


def test_tallies_in_use():
    """Guards against two callers that have one of the library's objects."""
    other = terrain.ScoreTally()
    refused = []

    def meddle(share):
        if refused or share == 1:
            return
        for use in (lambda: tally.add(land), lambda: other.merge(tally), lambda: tally.merge(other),
                    lambda: tally.score):
            with pytest.raises(terrain.BusyError, match="each thread its own"):
                use()
            refused.append(use)

    for land in lands_until(refused):
        tally = terrain.ScoreTally()
        tally.add(land, progress=meddle)
    assert len(refused) == 4 and tally.score == terrain.score(land)


def test_tally_interrupted():
    interrupted = []

    def interrupt(share):
        if share < 1:
            interrupted.append(share)
            raise KeyboardInterrupt

    for land in lands_until(interrupted):
        tally = terrain.ScoreTally()
        with contextlib.suppress(KeyboardInterrupt):
            tally.add(land, progress=interrupt)
    assert interrupted
    tally.add(land)
    assert tally.score == terrain.score(land)


def test_seams():
    maps = [[np.full((10, 12), height, np.float32)] for height in (1, 4)]
    found = terrain.seams([[each[0] for each in maps]])  # side by side
    assert (found.cells, found.worst_step, found.seam_curvature, found.ratio) == (10, 3, 3, np.inf)
    assert terrain.seams(maps, overlap=2).cells == 24
    for wrong, error, why in ((dict(overlap=0), terrain.RangeError, "overlap"),
                              (dict(overlap=-1), terrain.RangeError, "overlap"),
                              (dict(overlap="1"), TypeError, "overlap")):
        with pytest.raises(error, match=why):
            terrain.seams(maps, **wrong)
    with pytest.raises(terrain.ArgumentError, match="equally many"):
        terrain.seams([maps[0], []])
    with pytest.raises(TypeError, match=r"maps\[1\]\[0\] must be an array of float32"):
        terrain.seams([maps[0], [None]])
    tiles = [[terrain.erode.flatten(terrain.generate.noise((129, 129), origin=(128 * x, 128 * y))) for x in range(2)]
             for y in range(2)]
    assert terrain.seams(tiles).worst_step > 0 == terrain.seams(terrain.stitch.edges(tiles)).worst_step


def test_mesh():
    land = golden.heights((5, 7))
    mesh = terrain.mesh(land, axes="z_up", cell_size=2)
    assert mesh.positions.shape == mesh.normals.shape == (35, 3) and mesh.triangles.shape == (48, 3)
    assert (mesh.positions[:, 2] == land.ravel()).all() and mesh.positions[6, 0] == 12
    assert np.allclose((mesh.normals.astype(float) ** 2).sum(axis=1), 1) and mesh.triangles.max() == 34
    assert terrain.mesh(land[:1]).triangles.shape == (0, 3)
    inner = terrain.mesh(land, window=np.s_[1:-1, 2:5])
    assert inner.positions.shape == (9, 3) and (inner.positions[:, 1] == land[1:-1, 2:5].ravel()).all()
    whole = terrain.mesh(land).normals.reshape(5, 7, 3)
    assert (inner.normals.reshape(3, 3, 3) == whole[1:-1, 2:5]).all()
    for wrong in (np.s_[1:-1], np.s_[::2, 1:3], np.s_[3:3, :], np.s_[1, :], 5):
        with pytest.raises(terrain.ArgumentError, match="window must be rows and columns"):
            terrain.mesh(land, window=wrong)
    with pytest.raises(terrain.ArgumentError, match="did you mean 'y_up'"):
        terrain.mesh(land, axes="yup")


def test_pictures(tmp_path):
    land = terrain.generate.noise((64, 96), seed=4)
    picture = terrain.view(land, sea=0)
    assert picture.rgb.shape == (64, 96, 3) and picture.rgb.std() > 20
    assert repr(picture) == "<picture of 96 x 64 pixels>"
    assert (picture.rgb[land < -5][:, 2] > picture.rgb[land < -5][:, 0]).all()  # the sea is blue
    png = picture._repr_png_()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    size = int.from_bytes(png[33:37], "big")
    rows = np.frombuffer(zlib.decompress(png[41:41 + size]), np.uint8).reshape(64, 1 + 3 * 96)
    assert (rows[:, 1:].reshape(64, 96, 3) == picture.rgb).all()
    picture.save(tmp_path / "land.png")
    assert (tmp_path / "land.png").read_bytes() == png
    assert terrain.Recipe(TEXT)._repr_png_()[:4] == terrain.World(TEXT)._repr_png_()[:4] == b"\x89PNG"
    assert terrain.Recipe("input a\nb = erode_fir a\n")._repr_png_() is None
    terrain.view(np.full((5, 5), np.nan, np.float32)), terrain.view(np.zeros((1, 1), np.float32))


def test_map_scale():
    """A coarse input that would be resampled, though its spacing takes the scale."""
    recipe = terrain.Recipe("input control\nland = generate_drainage control=control map_spacing=2048\n")
    assert recipe.map_scale("control", scale=1 / 4) == 1
    assert recipe.map_scale("control", scale=2**-10) == 1 / 4  # of a spacing of 8, which is the least
    assert recipe.map_scale(scale=1 / 4) == 1 / 4
    with pytest.raises(terrain.RangeError, match="scale is 0"):
        recipe.map_scale(scale=0)
