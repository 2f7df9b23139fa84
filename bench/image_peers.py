#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Makes, blurs, resamples and measures a map with other libraries beside ours, in one process: how long each takes, and
how far the results are apart.

usage: image_peers.py [--size N] [--seconds S] [--only WORD] [--crates] [--fastnoise2 FOLDER [--fastsimd FOLDER]]
                      [--markdown]

    pip install . numpy scipy opencv-python-headless edt xarray-spatial ipp
    git clone FastNoise2's repository
    taskset -c 0 python3 bench/image_peers.py --crates --fastnoise2 FastNoise2

libblur and fast_image_resize are built by cargo from bench/crates, FastNoise2 by cmake from its sources, which ask for
FastSIMD's unless --fastsimd has them; see native_peers.py. What is not there is skipped with a line. All work on one
thread, on fractal noise of float32, and write where they are told to if they can be told. Times are processor time,
the median of several runs, each of them after ours; the ratio is theirs to ours. Results are compared away from the
edges, as a share of the heights' range, where both are to compute the same thing: kernels are cut where their tails are
small, each library's at its own place."""

import argparse
import importlib.metadata
import os
import statistics
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np

import libterrain as terrain
import native_peers

EDGE = 160


def opencv_cases():
    import cv2

    cv2.setNumThreads(1)
    edge = cv2.BORDER_REPLICATE

    def blur(sigma):
        return lambda land, out: cv2.GaussianBlur(land, (0, 0), sigma, out, borderType=edge)

    def slope(land, out):
        x = cv2.Sobel(land, cv2.CV_32F, 1, 0, scale=0.125)
        y = cv2.Sobel(land, cv2.CV_32F, 0, 1, scale=0.125)
        return cv2.magnitude(x, y, out)

    for radius in (1, 16, 100):
        side = (2 * radius + 1, 2 * radius + 1)
        yield f"box, radius {radius}", lambda land, out, side=side: cv2.blur(land, side, out, borderType=edge)
    for sigma in (1, 2, 4, 16):
        yield f"Gaussian, sigma {sigma}", blur(sigma)
    yield "slope", slope
    yield "remap to 0 to 1", lambda land, out: cv2.normalize(land, out, 0, 1, cv2.NORM_MINMAX)
    yield "half, area", lambda land, out: cv2.resize(land, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    yield "double, bicubic", lambda land, out: cv2.resize(land, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    yield "distance", lambda land, out: cv2.distanceTransform((land > 0).astype(np.uint8), cv2.DIST_L2,
                                                              cv2.DIST_MASK_PRECISE, out)


def scipy_cases():
    from scipy import ndimage

    for radius in (1, 16, 100):
        side = 2 * radius + 1
        yield f"box, radius {radius}", lambda land, out, n=side: ndimage.uniform_filter(land, n, out, "nearest")
    for sigma in (1, 2, 4, 16):
        yield f"Gaussian, sigma {sigma}", lambda land, out, s=sigma: ndimage.gaussian_filter(land, s, 0, out, "nearest")
    yield "distance", lambda land, out: ndimage.distance_transform_edt(land > 0)


def edt_cases():
    import edt

    yield "distance", lambda land, out: edt.edt(land > 0, parallel=1)


def xarray_cases():
    import xarray
    import xrspatial

    yield "slope, degrees", lambda land, out: xrspatial.slope(xarray.DataArray(land, attrs={"res": 1})).data
    yield "hillshade", lambda land, out: xrspatial.hillshade(xarray.DataArray(land, attrs={"res": 1})).data


def peers(chosen):
    """Name, what tells the version, and the cases of each library."""
    of_package, of_crate = importlib.metadata.version, native_peers.crate_version
    yield "OpenCV", lambda: of_package("opencv-python-headless"), opencv_cases
    yield "SciPy", lambda: of_package("scipy"), scipy_cases
    yield "edt", lambda: of_package("edt"), edt_cases
    yield "xarray-spatial", lambda: of_package("xarray-spatial"), xarray_cases
    yield "IPP", lambda: of_package("ipp"), native_peers.ipp_cases
    yield "libblur", lambda: of_crate("libblur"), lambda: native_peers.libblur_cases(chosen.crates)
    yield (
        "fast_image_resize",
        lambda: of_crate("fast_image_resize"),
        lambda: native_peers.resize_cases(chosen.crates),
    )
    for name, strict in (("FastNoise2", False), ("FastNoise2 strict", True)):
        yield (
            name,
            lambda: native_peers.commit_of(chosen.fastnoise2),
            lambda strict=strict: native_peers.fastnoise2_cases(chosen.fastnoise2, chosen.fastsimd, strict),
        )


# Each writes `out`, which may be `land`.
OURS = {
    "slope": lambda land, out: terrain.analyze.slope(land, out=out),
    "slope, degrees": lambda land, out: terrain.analyze.slope(land, out=out, unit="degrees"),
    "hillshade": lambda land, out: terrain.analyze.hillshade(land, out=out, azimuth=225, altitude=25),
    "remap to 0 to 1": lambda land, out: terrain.shape.remap(land, out=out, mode="found"),
    "half, area": lambda land, out: terrain.shape.resample(land, step=2, filter="area"),
    "third, area": lambda land, out: terrain.shape.resample(land, step=3, filter="area"),
    "double, bicubic": lambda land, out: terrain.shape.resample(land, step=0.5),
    "distance": lambda land, out: terrain.analyze.distance(land, out=out, reach=4095),
}
for radius in (1, 16, 100):
    OURS[f"box, radius {radius}"] = lambda land, out, r=radius: terrain.blur.box(land, out=out, radius=r)
for sigma in (1, 2, 4, 16):
    OURS[f"Gaussian, sigma {sigma}"] = lambda land, out, s=sigma: terrain.blur.gaussian(land, out=out, sigma=s)
for name, params in {
    "gradient": {"period": 400},
    "1 octave": {"period": 100, "octaves": 1},
    "simplex": {"period": 400, "basis": "simplex"},
    "value": {"period": 400, "basis": "value"},
    "weak warp": {"period": 400, "warp_amplitude": 30, "warp_octaves": 1},
    "strong warp": {"period": 400, "warp_amplitude": 200, "warp_period": 100, "warp_octaves": 1},
}.items():
    OURS[f"noise, {name}"] = lambda land, out, params=params: terrain.generate.noise(out=out, **params)
for spacing in (100, 8):
    OURS[f"Voronoi, spacing {spacing}"] = lambda land, out, spacing=spacing: terrain.generate.voronoi(
        out=out, spacing=spacing, c1=1, c2=0
    )

# What is not the same formula, so that results are not compared.
OTHER = {
    "half, area": "a kernel of 2 x 2 cells, ours has 3 x 3",
    "third, area": "a kernel of 3 x 3 cells",
    "double, bicubic": "another cubic, other points",
    "hillshade": "half of the cosine, and a half",
}


def seconds_of(call, land, out):
    start = time.process_time()
    result = call(land, out)
    return time.process_time() - start, result


def compare(what, theirs, land, seconds):
    """Our and their nanoseconds a cell, the ratio, and how far the results are apart."""
    ours, ours_out, theirs_out = OURS[what], np.empty_like(land), np.empty_like(land)
    mine, other = seconds_of(ours, land, ours_out)[1], seconds_of(theirs, land, theirs_out)[1]
    apart = "other random numbers" if what.startswith(("noise", "Voronoi")) else OTHER.get(what)
    if apart is None:
        inside = (slice(EDGE, -EDGE), slice(EDGE, -EDGE))
        apart = f"{np.abs(mine - other)[inside].max() / float(mine.max() - mine.min()):.0e}"
    # In place, as far as ours can be: it reads and writes one map, peers two.
    work = ours_out if what.startswith(("box", "Gaussian", "remap")) else land
    pairs, begin = [], time.monotonic()
    while len(pairs) < 5 or time.monotonic() - begin < seconds:
        pairs.append((seconds_of(ours, work, ours_out)[0], seconds_of(theirs, land, theirs_out)[0]))
    our_time, their_time = (statistics.median(pair[i] for pair in pairs) / land.size * 1e9 for i in (0, 1))
    return our_time, their_time, statistics.median(pair[1] / pair[0] for pair in pairs), apart


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--size", type=int, action="append", help="cells on a side; 512 and 4096 unless given")
    options.add_argument("--seconds", type=float, default=1, help="for each row and size")
    options.add_argument("--only", default="", help="rows and libraries with this in their names")
    options.add_argument("--crates", action="store_true", help="builds libblur and fast_image_resize by cargo")
    options.add_argument("--fastnoise2", help="the folder of FastNoise2's sources")
    options.add_argument("--fastsimd", help="the folder of FastSIMD's sources")
    options.add_argument("--markdown", action="store_true", help="prints a table for a page")
    chosen = options.parse_args()
    terrain.set_threads(1)
    lands = [
        terrain.generate.noise((size, size), seed=1, period=size / 4, octaves=8, amplitude=100)
        for size in chosen.size or [512, 4096]
    ]
    line = "| {} | {} | {} | {} | {} | {} |" if chosen.markdown else "{:20} {:20} {:>15} {:>15} {:>13}  {}"
    print(line.format("what", "beside", "ours ns", "theirs", "ratio", "apart"))
    if chosen.markdown:
        print("|---|---|---:|---:|---:|---|")
    for name, version, cases in peers(chosen):
        try:
            rows = list(cases())
        except ImportError as error:
            print(f"{name} is skipped: {error}", file=sys.stderr)
            continue
        beside = f"{name} {version()}"
        rows = [row for row in rows if chosen.only in f"{row[0]} {beside}"]
        for what, theirs in rows:
            found = [compare(what, theirs, land, chosen.seconds) for land in lands]
            columns = [" / ".join(f"{each[i]:.{digits}f}" for each in found) for i, digits in ((0, 2), (1, 2), (2, 1))]
            print(line.format(what, beside, *columns, found[-1][3]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
