# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against an accessor that loses coordinates, gets cell sizes wrong, or takes the south for the north."""

import warnings

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


def test_what_a_result_is_called(elevation):
    """Heights stay what they are; what is measured has its own name, and neither the heights' unit nor the way that a
    file had them: slopes as integers would all be 0."""
    elevation = elevation.assign_coords(spatial_ref=4326).assign_attrs(standard_name="surface_altitude", source="SRTM")
    elevation.encoding = {"dtype": np.dtype("int16"), "_FillValue": -32768, "grid_mapping": "spatial_ref"}
    worn = elevation.terrain.erode.thermal()
    slope = elevation.terrain.analyze.slope()
    filled, lakes = elevation.terrain.shape.fill(depth=np.zeros((60, 80), np.float32), lakes=True)
    flow, direction = elevation.terrain.analyze.flow(direction=True)
    for result in (worn, filled):
        assert result.name == "elevation" and result.attrs == elevation.attrs
    for result, name in ((slope, "slope"), (lakes, "lakes"), (flow, "flow"), (direction, "direction")):
        assert result.name == name and result.attrs == {"source": "SRTM"} and result.spatial_ref == 4326
    for result in (worn, slope, filled, lakes, flow, direction):
        assert result.encoding == {"grid_mapping": "spatial_ref"}
    assert elevation.attrs["units"] == "m" and elevation.encoding["dtype"] == "int16"


def test_cell_size_that_is_given(elevation):
    """Where coordinates don't tell a length, it can be given."""
    narrow = elevation.assign_coords(x=8.0 * np.arange(80))
    with pytest.raises(ValueError, match="8 by 10; project the data first, or give cell_size"):
        narrow.terrain.analyze.slope()
    expected = terrain.analyze.slope(elevation.values, cell_size=9)
    assert (narrow.terrain.analyze.slope(cell_size=9).values == expected).all()
    assert narrow.terrain.score(cell_size=9) == terrain.score(elevation.values, cell_size=9)
    assert (elevation.terrain.analyze.slope(cell_size=None) == elevation.terrain.analyze.slope()).all()


@pytest.mark.parametrize("change", [
    lambda array: array.rename(y="lat", x="lon"),
    lambda array: array.assign_coords(x=array.x.assign_attrs(units="degrees_east")),
    lambda array: array.assign_coords(y=array.y.assign_attrs(standard_name="latitude"))])
def test_degrees_are_no_lengths(elevation, change):
    degrees = change(elevation.assign_coords(y=36.0 - np.arange(60) / 1200, x=-84.0 + np.arange(80) / 1200))
    for call in (degrees.terrain.analyze.slope, degrees.terrain.score, degrees.terrain.landform):
        with pytest.warns(UserWarning, match="cells of 0.000833333 degrees") as caught:
            call()
        assert [each.filename for each in caught] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(cell_size=83)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        degrees.terrain.view()
        elevation.assign_coords(x=elevation.x.assign_attrs(units="m")).terrain.analyze.slope()


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
    assert bare.equals(xarray.DataArray(elevation.values, dims=("y", "x")).terrain.shape.resample(step=4, origin=None))
    assert bare.terrain.cell_size == 4 and (bare.x == 4 * np.arange(20)).all()


TURNS = {"northings rise": lambda array: array.isel(y=slice(None, None, -1)),
         "eastings fall": lambda array: array.isel(x=slice(None, None, -1)),
         "transposed": lambda array: array.transpose("x", "y"),
         "all": lambda array: array.isel(y=slice(None, None, -1), x=slice(None, None, -1)).transpose("x", "y")}


@pytest.fixture(params=TURNS)
def turn(request):
    return TURNS[request.param]


def _same(found, expected):
    """Same values at the same places, in the same order."""
    xarray.testing.assert_identical(found, expected)


def test_any_way_it_lies(elevation, turn):
    """Each place gets what it gets any way."""
    mask = elevation.copy(data=golden.shares((60, 80), 5))
    other, turned = elevation.copy(data=golden.heights((60, 80), 7)), turn(elevation)
    assert (turned.terrain.cell_size, turned.terrain.origin) == (10, (30, -500))
    for operation in terrain.operations.values():
        if operation.signature in ("in_place", "combine", "result"):
            def call(array, second):
                function = getattr(getattr(array.terrain, operation.verb), operation.algorithm)
                return function(*[second] * (operation.signature == "combine"))
            _same(call(turned, turn(other)), turn(call(elevation, other)))
            _same(call(turned, other), turn(call(elevation, other)))  # by labels, whatever way the other one lies
    blurred = elevation.terrain.blur.gaussian(mask=mask)
    for each in (mask, turn(mask), turn(mask).copy(data=turn(mask).values)):
        _same(turned.terrain.blur.gaussian(mask=each), turn(blurred))
    _same(turned.terrain.blur.gaussian(mask=turn(mask).values), turn(blurred))  # an array lies as the map does
    for found, expected in zip(turned.terrain.analyze.normals(normal_y=True, normal_z=True),
                               elevation.terrain.analyze.normals(normal_y=True, normal_z=True)):
        _same(found, turn(expected))
    assert (turned.terrain.view().rgb == elevation.terrain.view().rgb).all()
    assert (turned.terrain.mesh().positions == elevation.terrain.mesh().positions).all()
    assert repr(turned.terrain.landform()) == repr(elevation.terrain.landform())  # NaN is not NaN
    assert turned.terrain.score() == elevation.terrain.score()


def test_turned_targets(elevation, turn):
    turned = turn(elevation).copy(deep=True)
    filled, depth = elevation.terrain.shape.fill(depth=True)
    out, second = turn(elevation * 0).copy(deep=True), np.zeros(turned.shape, np.float32)
    _same(turned.terrain.shape.fill(out=out, depth=second), turn(filled))
    assert (out.values == turn(filled).values).all() and (second == turn(depth).values).all()
    turned.terrain.shape.fill(out=turned)
    _same(turned, turn(filled))
    small = np.zeros(turn(elevation[::2, ::2]).shape, np.float32)
    _same(turned.terrain.shape.resample(step=2, out=small), turn(filled.terrain.shape.resample(step=2)))
    with pytest.raises(TypeError, match="cells of its own"):
        elevation.terrain.shape.resample(step=2, out=elevation)


def test_turned_for_dask(elevation, turn):
    da = pytest.importorskip("dask.array")
    lazy = turn(elevation.copy(data=da.from_array(elevation.values, chunks=30))).terrain.analyze.hillshade()
    assert hasattr(lazy.data, "dask")
    _same(lazy.compute(), turn(elevation.terrain.analyze.hillshade()))


def test_which_way_it_lies(elevation):
    shade = elevation.terrain.analyze.hillshade().values
    # By attributes, whatever the names are.
    named = elevation[::-1].rename(y="v", x="u").transpose("u", "v")
    named.u.attrs["axis"], named.v.attrs["standard_name"] = "X", "projection_y_coordinate"
    assert (named.terrain.analyze.hillshade().values == shade[::-1].T).all()
    # Without coordinates, the first row is the north, and names tell rows from columns.
    bare = xarray.DataArray(elevation.values, dims=("y", "x"))
    flat = terrain.analyze.hillshade(elevation.values)
    assert (bare.terrain.analyze.hillshade().values == flat).all()
    assert (bare.T.terrain.analyze.hillshade().values == flat.T).all()
    assert bare.T.terrain.shape.resample(step=2).terrain.origin == (0, 0)
    other = xarray.DataArray(elevation.values, dims=("i", "j"), coords={"i": np.arange(60)})
    with pytest.raises(ValueError, match="'i' rises: to the north, then"):
        other.terrain.analyze.hillshade()
    assert (other.drop_vars("i").terrain.analyze.hillshade().values == flat).all()
    assert (other.assign_coords(i=-np.arange(60)).terrain.analyze.hillshade().values == flat).all()


def test_maps_elsewhere(elevation):
    """By labels, within a thousandth of a cell."""
    mask = elevation.copy(data=golden.shares((60, 80), 5))
    expected = elevation.terrain.blur.gaussian(mask=mask)
    _same(elevation.terrain.blur.gaussian(mask=mask.assign_coords(x=mask.x + 0.001)), expected)
    _same(elevation.terrain.blur.gaussian(mask=mask.drop_vars(["x", "y"])), expected)
    for moved in (mask.assign_coords(x=mask.x + 10), mask.assign_coords(y=mask.y - 0.1),
                  mask.roll(x=1, roll_coords=True)):
        with pytest.raises(ValueError, match="mask lies elsewhere than the map, by the coordinate"):
            elevation.terrain.blur.gaussian(mask=moved)
        with pytest.raises(ValueError, match="other lies elsewhere"):
            elevation.terrain.combine.blend(moved)
        with pytest.raises(ValueError, match="depth lies elsewhere"):
            elevation.terrain.shape.fill(depth=moved)
    with pytest.raises(ValueError, match="mask has the dimensions"):
        elevation.terrain.blur.gaussian(mask=mask.rename(x="u"))
    with pytest.raises(ValueError, match="mask has the dimensions"):
        elevation.terrain.blur.gaussian(mask=mask.expand_dims("time"))
    with pytest.raises(ValueError, match="sizes must be equal"):
        elevation.terrain.blur.gaussian(mask=mask[1:])
    with pytest.raises(TypeError, match="lose its mask"):
        elevation.terrain.blur.gaussian(mask=np.ma.masked_array(mask.values, mask=mask.values > 0))
    with pytest.raises(TypeError, match="mask must be an array"):
        elevation.terrain.blur.gaussian(mask=(mask.values, (30, -500)))
    with pytest.raises(TypeError, match="control has cells of its own"):
        elevation.terrain.erode.drainage(control=mask)


@pytest.mark.parametrize("half", [0, 0.5])
def test_neighbouring_tiles(elevation, half):
    """Of coordinates of corners or of middles; they begin at odd and even cells."""
    whole = elevation.assign_coords(x=elevation.x + 10 * half, y=elevation.y - 10 * half)
    assert whole.terrain.origin == (30, -500)
    for row, column in ((1, 1), (2, 2), (3, 17)):
        assert whole[row:, column:].terrain.origin == (30 + column, -500 + row)
    row = whole[7:8]  # whose cell size is the columns'
    assert (row.terrain.cell_size, row.terrain.origin) == (10, (30, -493))


def test_dask(elevation):
    da = pytest.importorskip("dask.array")
    lazy = elevation.copy(data=da.from_array(elevation.values, chunks=30)).terrain.erode.thermal(iterations=5)
    assert hasattr(lazy.data, "dask")
    assert (lazy.compute() == elevation.terrain.erode.thermal(iterations=5)).all()
    lazy = elevation.copy(data=da.from_array(elevation.values, chunks=30)).terrain.analyze.normals(normal_z=True)
    for each, plain in zip(lazy, elevation.terrain.analyze.normals(normal_z=True)):
        assert hasattr(each.data, "dask")
        xarray.testing.assert_identical(each.compute(), plain)


def test_what_is_no_terrain(elevation):
    with pytest.raises(ValueError, match="two dimensions"):
        elevation.expand_dims("time").terrain.erode.thermal()
    with pytest.raises(ValueError, match="not square"):
        elevation.assign_coords(x=np.arange(80) * 3.0).terrain.erode.thermal()
    for places in (np.arange(80) ** 2.0, np.full(80, 7.0)):
        with pytest.raises(ValueError, match="evenly"):
            elevation.assign_coords(x=places).terrain.erode.thermal()
    for places in (np.arange(80).astype("M8[D]"), [str(each) for each in range(80)]):
        with pytest.raises(ValueError, match="'x' must be numbers"):
            elevation.assign_coords(x=places).terrain.erode.thermal()
    with pytest.raises(AttributeError, match="erode_thermic"):
        elevation.terrain.erode.thermic()
