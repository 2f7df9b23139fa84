# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against seams: what dask computes by chunks, in processes of their own, has the bits of one window."""

import numpy as np
import pytest

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

import golden  # noqa: E402
import libterrain as terrain  # noqa: E402
import libterrain.dask  # noqa: E402

RECIPE = """
    hills = generate_noise seed=3 period=150
    worn  = erode_thermal hills talus=0.5 iterations=20
    soft  = blur_gaussian worn sigma=3
"""


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        yield client


def test_two_processes(client):
    whole = terrain.Recipe(RECIPE).run((700, 900), seed=9, origin=(-300, 2**33), world=True)
    lazy = terrain.dask.world(RECIPE, (700, 900), chunks=(256, 300), seed=9, origin=(-300, 2**33))
    assert (lazy.compute() == whole).all()
    assert len(set(client.run(lambda: __import__("os").getpid()).values())) == 2
    # Both of them made tiles.
    assert all(client.run(lambda: __import__("libterrain.dask", fromlist=["x"])._world.cache_info().currsize > 0)
               .values())


PAINTED = """
    input hill
    rough = generate_noise seed=3 period=150
    land  = combine_blend rough hill mode=add
    worn  = erode_thermal land talus=0.5 iterations=20
"""


def test_inputs_in_two_processes(client):
    """Which have them as they were when the array was made, once and for all chunks, and copy them no more."""
    hill = golden.heights((900, 1000))
    whole = terrain.World(PAINTED, inputs={"hill": (hill, (-450, -500))}, seed=9).tile(-200, -150, (300, 400))
    lazy = terrain.dask.world(PAINTED, (300, 400), 150, origin=(-200, -150), seed=9,
                              inputs={"hill": (hill, (-450, -500))})
    again = terrain.dask.world(PAINTED, (300, 400), 150, origin=(-200, -150), seed=9,
                               inputs={"hill": (hill.copy(), (-450, -500))})
    other = terrain.dask.world(PAINTED, (300, 400), 150, origin=(-200, -150), seed=9,
                               inputs={"hill": (hill + 1, (-450, -500))})
    assert lazy.name == again.name != other.name
    hill[:] = 0
    assert (lazy.compute() == whole).all()
    assert (lazy.compute(scheduler="sync") == whole).all()
    assert (other.compute(scheduler="sync") != whole).any()

    def worlds_share_what_was_sent():
        import gc
        kept = [each for each in gc.get_objects() if type(each).__name__ == "_Inputs"]
        worlds = [each for each in gc.get_objects() if isinstance(each, terrain.World) and each.inputs]
        return worlds and all(any(world.inputs["hill"][0] is sent.arrays["hill"][0] for sent in kept)
                              for world in worlds)

    assert all(client.run(worlds_share_what_was_sent).values())


OUTPUTS = ["worn", "soft"]


def test_outputs_in_two_processes(client):
    options = dict(seed=9, outputs=["land", "worn"], inputs={"hill": (golden.heights((900, 1000)), (-450, -500))})
    land, worn = terrain.dask.world(PAINTED, (300, 400), (128, 150), origin=(-70, 5), **options)
    whole = terrain.World(PAINTED, **options).tile(-70, 5, (300, 400))
    assert all((found == wanted).all() for found, wanted in zip(dask.compute(land, worn), whole))
    assert (worn.compute() == whole[1]).all()


def test_outputs_share_their_chunks(monkeypatch):
    """Whatever is computed together is made once a chunk, and no chunk without need."""
    tiles, plain = [], terrain.World.tile

    def counted(self, x, y, *arguments, **options):
        tiles.append((x, y))
        return plain(self, x, y, *arguments, **options)

    monkeypatch.setattr(terrain.World, "tile", counted)
    worn, soft = terrain.dask.world(RECIPE, (300, 400), 100, seed=9, outputs=OUTPUTS)
    heights = [np.zeros((300, 400), np.float32) for _ in OUTPUTS]
    for compute in (lambda: da.store([worn, soft], heights, scheduler="sync"),
                    lambda: dask.compute(worn.mean(), soft, worn[:, ::2], scheduler="threads"),
                    lambda: terrain.dask.map_overlap(terrain.blur.box, worn, mask=soft).compute(scheduler="sync")):
        tiles.clear()
        compute()
        assert len(tiles) == len(set(tiles)) == 12
    tiles.clear()
    (worn - soft)[100:200, 50:250].compute(scheduler="sync")
    assert set(tiles) == {(0, 100), (100, 100), (200, 100)} and len(tiles) == 3
    whole = terrain.World(RECIPE, seed=9, outputs=OUTPUTS).tile(0, 0, (300, 400))
    assert all((found == wanted).all() for found, wanted in zip(heights, whole))


def test_outputs_are_those_of_a_world():
    alone = terrain.dask.world(RECIPE, (100, 90), 50, outputs="worn")
    assert isinstance(alone, da.Array) and alone.name.startswith("worn-")  # as dask's pages show it
    assert (alone.compute(scheduler="sync") == terrain.World(RECIPE, name="worn").tile(0, 0, (100, 90))).all()
    only, = terrain.dask.world(RECIPE, (100, 90), 50, outputs=iter(["worn"]))
    assert only.name.startswith("worn-")
    assert (only.compute(scheduler="sync") == alone.compute(scheduler="sync")).all()
    with pytest.raises(terrain.ArgumentError, match="both given"):
        terrain.dask.world(RECIPE, (100, 90), name="worn", outputs=OUTPUTS)
    with pytest.raises(terrain.ArgumentError, match="did you mean 'worn'"):
        terrain.dask.world(RECIPE, (100, 90), outputs=["soft", "wron"])
    with pytest.raises(terrain.ArgumentError, match="no map"):
        terrain.dask.world(RECIPE, (100, 90), outputs=[])


def test_maps_beside_the_result():
    """Those that an operation can give; False asks for none."""
    shape, origin = (200, 300), (-7, 90)
    lazy = terrain.dask.generate(terrain.generate.drainage, shape, 128, origin=origin, water=True, discharge=True,
                                 receiver=False)
    land, *maps = terrain.generate.drainage(shape, origin=origin, discharge=True, water=True)
    assert all((found == wanted).all() for found, wanted in zip(dask.compute(*lazy, scheduler="sync"), (land, *maps)))
    mask = golden.shares(shape, 5)
    lazy = terrain.dask.map_overlap(terrain.erode.rain, da.from_array(land, chunks=70), iterations=5, eroded=True,
                                    deposited=True, mask=da.from_array(mask, chunks=90))
    whole = terrain.erode.rain(land, iterations=5, eroded=True, deposited=True, mask=mask)
    assert [each.chunks for each in lazy] == [lazy[0].chunks] * 3
    assert terrain.dask.generate(terrain.generate.noise, shape).name.startswith("generate_noise-")
    assert all((found == wanted).all() for found, wanted in zip(dask.compute(*lazy, scheduler="sync"), whole))


def test_operation_in_two_processes(client):
    land = golden.heights((500, 620), origin=(70, -9))
    mask = golden.shares(land.shape, 5)
    lazy = terrain.dask.map_overlap(terrain.erode.thermal, da.from_array(land, chunks=(200, 310)), iterations=30,
                                    mask=da.from_array(mask, chunks=250), origin=(70, -9), cell_size=2)
    assert (lazy.compute() == terrain.erode.thermal(land, iterations=30, mask=mask, origin=(70, -9), cell_size=2)).all()


@pytest.mark.parametrize("name", [name for name, each in terrain.operations.items()
                                  if each.signature in ("in_place", "combine", "result", "generate")])
def test_each_operation(name):
    """What is local equals the whole; what isn't is refused by name."""
    operation = terrain.operations[name]
    shape, origin = (330, 410), (-77, 1001)
    land, other = golden.heights(shape, 1, origin), golden.heights(shape, 2, origin)
    sparse = {"erode_hydraulic": {"iterations": 5}, "erode_rain": {"iterations": 5}, "erode_thermal": {"iterations": 9},
              "erode_flatten": {"iterations": 9}, "erode_velocity": {"iterations": 9}}.get(name, {})
    try:
        if operation.signature == "generate":
            lazy = terrain.dask.generate(operation.function, shape, chunks=(150, 200), origin=origin, **sparse)
            whole = operation.function(shape, origin=origin, **sparse)
        else:
            arrays = [land, other][:2 if operation.signature == "combine" else 1]
            lazy = terrain.dask.map_overlap(operation.function, *(da.from_array(each, chunks=(150, 200))
                                                                  for each in arrays), origin=origin, **sparse)
            whole = operation.function(*arrays, origin=origin, **sparse)
    except terrain.UnsupportedError as error:
        assert name in str(error)
        assert operation.halo(**sparse) is None or name == "shape_resample" or "frame_width" in str(error)
        return
    assert np.array_equal(lazy.compute(scheduler="sync"), whole, equal_nan=True)


def test_thin_chunks():
    """Chunks that are thinner than the halo are joined."""
    land = golden.heights((200, 300))
    lazy = terrain.dask.map_overlap(terrain.blur.gaussian, da.from_array(land, chunks=(7, 300)), sigma=9)
    assert (lazy.compute(scheduler="sync") == terrain.blur.gaussian(land, sigma=9)).all()


@pytest.mark.parametrize("shape", [(40, 400), (400, 40), (40, 30), (50, 51)])
def test_maps_smaller_than_the_halo(shape):
    land, mask, values = golden.heights(shape), golden.shares(shape, 5), dict(origin=(-7, 90), iterations=50)
    lazy = terrain.dask.map_overlap(terrain.erode.thermal, da.from_array(land, chunks=20),
                                    mask=da.from_array(mask, chunks=30), **values)
    assert lazy.shape == shape
    assert (lazy.compute(scheduler="sync") == terrain.erode.thermal(land, mask=mask, **values)).all()


def test_errors_come_early():
    with pytest.raises(terrain.UnsupportedError, match="analyze_basins"):
        terrain.dask.world("a = generate_noise\nb = analyze_basins a\n", (100, 100))
    with pytest.raises(terrain.ArgumentError, match="'hill' is missing"):
        terrain.dask.world(PAINTED, (100, 100))
    with pytest.raises(terrain.ArgumentError, match="no input 'hil'"):
        terrain.dask.world(PAINTED, (100, 100), inputs={"hil": np.zeros((9, 9), np.float32)})
    beyond = terrain.dask.world(PAINTED, (100, 100), inputs={"hill": np.zeros((100, 100), np.float32)})
    with pytest.raises(terrain.RangeError, match="'hill' covers x 0 to 99"):
        beyond.compute(scheduler="sync")
    with pytest.raises(terrain.UnsupportedError, match="shape_fill is global"):
        terrain.dask.map_overlap(terrain.shape.fill, da.zeros((100, 100), dtype="float32", chunks=50))
    with pytest.raises(TypeError, match="sigma"):
        terrain.dask.map_overlap(terrain.blur.gaussian, da.zeros((100, 100), dtype="float32", chunks=50), sigme=3)
    with pytest.raises(TypeError, match="generate_noise reads no map"):
        terrain.dask.map_overlap(terrain.generate.noise, da.zeros((100, 100), dtype="float32", chunks=50))
    for wrong in (dict(progress=True), dict(out=np.zeros((100, 100), np.float32))):
        with pytest.raises(TypeError, match="is not for dask"):
            terrain.dask.map_overlap(terrain.erode.thermal, da.zeros((100, 100), dtype="float32"), **wrong)
        with pytest.raises(TypeError, match="is not for dask"):
            terrain.dask.generate(terrain.generate.noise, (100, 100), 50, **wrong)
    for refused in (lambda given: terrain.dask.generate(terrain.generate.drainage, (100, 100), 50, water=given),
                    lambda given: terrain.dask.map_overlap(terrain.erode.rain, given, water=given)):
        with pytest.raises(TypeError, match="water must be True"):
            refused(da.zeros((100, 100), dtype="float32"))
    with pytest.raises(terrain.UnsupportedError, match="constraints"):
        terrain.dask.generate(terrain.generate.midpoint, (100, 100), 50, constraints=np.zeros((100, 100), np.float32))
    land = da.zeros((9, 9), dtype="float32", chunks=5)
    for wrong, told in ((da.ma.masked_greater(land, 5), "lose its mask"), (land.astype(float), "not float64"),
                        (1.0, "not float64")):
        with pytest.raises(TypeError, match=told):
            terrain.dask.map_overlap(terrain.combine.blend, land, wrong)
        with pytest.raises(TypeError, match=told):
            terrain.dask.map_overlap(terrain.blur.box, land, mask=wrong)
    with pytest.raises(terrain.ArgumentError, match="two dimensions"):
        terrain.dask.map_overlap(terrain.blur.box, da.zeros((2, 9, 9), dtype="float32"))
    with pytest.raises(terrain.ArgumentError, match="unequal"):
        terrain.dask.map_overlap(terrain.combine.blend, da.zeros((9, 9), dtype="float32"),
                                 da.zeros((9, 8), dtype="float32"))


def test_a_planet_is_a_plan():
    """10^12 cells are planned at once; tiles of them are computed alone, and fit."""
    lazy = terrain.dask.world(RECIPE, (1_000_000, 1_000_000), chunks=8000, seed=1, origin=(-500_000, -500_000))
    assert lazy.nbytes == 4 * 10**12 and lazy.npartitions == 125**2
    recipe = terrain.Recipe(RECIPE)
    plan = recipe.plan((8000, 8000), seed=1, origin=(-500_000, -500_000), world=True)
    assert 3 * 8000**2 < plan.cells < 3.5 * 8000**2 and plan.bytes < 2**30
    window = recipe.run((64, 64), seed=1, origin=(123_456, 654_321), world=True)
    tile = terrain.dask.world(RECIPE, (64, 64), chunks=19, seed=1, origin=(123_456, 654_321))
    assert (tile.compute(scheduler="sync") == window).all()
