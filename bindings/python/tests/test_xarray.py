# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against an accessor that loses coordinates or gets cell sizes wrong."""

import numpy as np
import pytest

xarray = pytest.importorskip("xarray")

import golden  # noqa: E402
import libterrain as terrain  # noqa: E402
import libterrain.xarray  # noqa: E402,F401


@pytest.fixture
def elevation():
    """10 m cells; northings fall from row to row."""
    return xarray.DataArray(golden.heights((60, 80)), dims=("y", "x"), name="elevation", attrs={"units": "m"},
                            coords={"y": 5000.0 - 10 * np.arange(60), "x": 300.0 + 10 * np.arange(80)})


def test_accessor(elevation):
    assert elevation.terrain.cell_size == 10 and elevation.terrain.origin == (30, -500)
    worn = elevation.terrain.erode.thermal(talus=0.3)
    expected = terrain.erode.thermal(elevation.values, talus=0.3, cell_size=10, origin=(30, -500))
    assert (worn.values == expected).all() and worn.attrs == {"units": "m"} and worn.name == "elevation"
    assert (worn.x == elevation.x).all() and (worn.y == elevation.y).all()
    filled, depth = elevation.terrain.shape.fill(depth=True)
    assert filled.dims == depth.dims == ("y", "x")
    assert elevation.terrain.combine.blend(worn, weight=0.5).shape == (60, 80)
    assert elevation.terrain.blur.gaussian(mask=elevation * 0).equals(elevation)
    assert elevation.terrain.measure().count == 4800 and len(elevation.terrain.hash()) == 16
    assert "gaussian" in dir(elevation.terrain.blur)


@pytest.mark.parametrize("step", [2, 0.3, 1.01])  # the last gives as many cells
def test_another_size(elevation, step):
    """The next call would take 1 for the cell size, without a word."""
    elevation = elevation.assign_coords(spatial_ref=4326)
    elevation.x.attrs["units"] = "metre"
    smaller = elevation.terrain.shape.resample(step=step)
    step = np.float32(step)
    assert (smaller.values == terrain.shape.resample(elevation.values, step=step, origin=(30, -500))).all()
    assert (smaller.name, smaller.attrs, smaller.spatial_ref) == ("elevation", {"units": "m"}, 4326)
    assert smaller.x.attrs == {"units": "metre"}
    assert smaller.terrain.cell_size == pytest.approx(10 * step, rel=1e-6)
    x, y = np.meshgrid(np.arange(80) * 10.0 + 300, 5000 - np.arange(60) * 10.0)
    plane = elevation.copy(data=(x - 2 * y).astype(np.float32)).terrain.shape.resample(step=step)
    inner = plane.isel(x=slice(8, -8), y=slice(8, -8))  # bicubic goes beyond the edge
    assert np.allclose(inner, (inner.x - 2 * inner.y).T, rtol=0, atol=0.02)
    # Without coordinates, cells count from 0, one apart.
    bare = xarray.DataArray(elevation.values, dims=("y", "x")).terrain.shape.resample(step=4)
    assert bare.terrain.cell_size == 4 and (bare.x == 4 * np.arange(20)).all()


def test_dask(elevation):
    da = pytest.importorskip("dask.array")
    lazy = elevation.copy(data=da.from_array(elevation.values, chunks=30)).terrain.erode.thermal(iterations=5)
    assert hasattr(lazy.data, "dask")
    assert (lazy.compute() == elevation.terrain.erode.thermal(iterations=5)).all()


def test_what_is_no_terrain(elevation):
    with pytest.raises(ValueError, match="two dimensions"):
        elevation.expand_dims("time").terrain.erode.thermal()
    with pytest.raises(ValueError, match="not square"):
        elevation.assign_coords(x=np.arange(80) * 3.0).terrain.erode.thermal()
    for places in (np.arange(80) ** 2.0, np.full(80, 7.0)):
        with pytest.raises(ValueError, match="evenly"):
            elevation.assign_coords(x=places).terrain.erode.thermal()
    with pytest.raises(AttributeError, match="erode_thermic"):
        elevation.terrain.erode.thermic()
