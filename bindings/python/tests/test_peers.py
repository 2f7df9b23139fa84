# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against operations that mean something else than their names do elsewhere: SciPy, OpenCV and fastscapelib
beside ours, where the meaning is the same."""

import numpy as np
import pytest

import golden
import libterrain as terrain

ndimage = pytest.importorskip("scipy.ndimage")


@pytest.fixture(scope="module")
def land():
    return golden.heights((300, 280))


@pytest.mark.parametrize("sigma", [1, 2, 6.5, 20])
def test_gaussian(land, sigma):
    """Ours ends where it has faded to some 1e-4: 0.0013 at most where heights span 42."""
    ours = terrain.blur.gaussian(land, sigma=sigma)
    theirs = ndimage.gaussian_filter(land.astype(float), sigma, mode="nearest", truncate=8)
    assert np.abs(ours - theirs).max() < 2e-3
    cv2 = pytest.importorskip("cv2")
    size = 2 * int(8 * sigma) + 1
    assert np.abs(ours - cv2.GaussianBlur(land, (size, size), sigma, borderType=cv2.BORDER_REPLICATE)).max() < 2e-3


@pytest.mark.parametrize("border, mode", [("clamp", "nearest"), ("mirror", "reflect"), ("wrap", "wrap")])
def test_box_and_its_borders(land, border, mode):
    ours = terrain.blur.box(land, radius=3, border=border)
    assert np.abs(ours - ndimage.uniform_filter(land.astype(float), 7, mode=mode)).max() < 1e-5


def test_slope(land):
    """Horn's, as Sobel's."""
    cv2 = pytest.importorskip("cv2")
    right, down = (cv2.Sobel(land, cv2.CV_32F, *axis, borderType=cv2.BORDER_REPLICATE) / 8 for axis in ((1, 0), (0, 1)))
    assert np.abs(terrain.analyze.slope(land) - np.hypot(right, down))[1:-1, 1:-1].max() < 1e-5


def test_distance(land):
    chosen = (land >= 15) & (land <= 100)
    theirs = np.minimum(ndimage.distance_transform_edt(~chosen), 32)
    assert np.abs(terrain.analyze.distance(land, low=15, high=100, reach=32) - theirs).max() < 1e-5


def test_resample(land):
    ours = terrain.shape.resample(land, step=0.37, filter="bilinear")
    rows, columns = np.indices(ours.shape) * float(np.float32(0.37))
    theirs = ndimage.map_coordinates(land.astype(float), [rows, columns], order=1, mode="nearest")
    assert np.abs(ours - theirs).max() < 1e-4


def test_pointwise(land):
    other = golden.heights(land.shape, 2)
    assert (terrain.shape.clamp(land, low=-3, high=5) == np.clip(land, -3, 5)).all()
    assert (terrain.combine.blend(land, other, mode="maximum") == np.maximum(land, other)).all()
    assert (terrain.combine.blend(land, other, mode="multiply") == land * other).all()


def test_fill_and_flow():
    """Barnes's filling, and catchments by D8, cell for cell."""
    fastscapelib = pytest.importorskip("fastscapelib")
    land = terrain.generate.noise((300, 280), seed=5)
    grid = fastscapelib.RasterGrid.from_length([300, 280], [299.0, 279.0], fastscapelib.NodeStatus.FIXED_VALUE)
    graph = fastscapelib.FlowGraph(grid, [fastscapelib.PFloodSinkResolver(), fastscapelib.SingleFlowRouter()])
    filled = terrain.shape.fill(land)
    assert (filled != land).mean() > 0.2
    assert np.abs(graph.update_routes(land.astype(float)) - filled).max() < 1e-9
    sloping = terrain.shape.fill(land, slope=0.001)  # without flats, on which ways differ
    graph.update_routes(sloping.astype(float))
    areas = graph.accumulate(1.0)
    assert areas.max() > 20000 and (areas == terrain.analyze.flow(sloping)).all()
