# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Libraries without Python functions, for image_peers.py: built from their sources into build-peers, or installed by
pip as they are, and called by ctypes. Each function raises ImportError where what it needs is not there; otherwise
it yields cases: a name, and what fills `out` from `land`."""

import ctypes
import importlib.metadata
import pathlib
import shutil
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-peers"


def run(*command, **options):
    """Runs a tool whose output counts only if it fails."""
    if shutil.which(command[0]) is None:
        raise ImportError(f"there is no {command[0]}")
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise ImportError(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def cells_of(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_float))


# ---- Crates --------------------------------------------------------------------------------------


def crates(wanted):
    """libblur and fast_image_resize, by cargo."""
    if not wanted:
        raise ImportError("it is built with --crates")
    folder = ROOT / "bench" / "crates"
    run("cargo", "rustc", "--release", "--target-dir", BUILD / "crates", "--", "-C", "target-cpu=native", cwd=folder)
    library = ctypes.CDLL(str(BUILD / "crates" / "release" / "libpeers.so"))
    for name in ("peer_blur_gaussian", "peer_blur_box", "peer_resize"):
        getattr(library, name).restype = None
    return library


def libblur_cases(wanted):
    library = crates(wanted)

    def gaussian(land, out, sigma):
        height, width = land.shape
        library.peer_blur_gaussian(cells_of(land), cells_of(out), width, height, ctypes.c_double(sigma))
        return out

    def box(land, out, radius):
        height, width = land.shape
        library.peer_blur_box(cells_of(land), cells_of(out), width, height, radius)
        return out

    for radius in (1, 16, 100):
        yield f"box, radius {radius}", lambda land, out, radius=radius: box(land, out, radius)
    for sigma in (1, 2, 4, 16):
        yield f"Gaussian, sigma {sigma}", lambda land, out, sigma=sigma: gaussian(land, out, sigma)


def resize_cases(wanted):
    library = crates(wanted)

    def resize(land, factor, cubic):
        height, width = land.shape
        out = np.empty((int(height * factor), int(width * factor)), np.float32)
        library.peer_resize(
            cells_of(land), width, height, cells_of(out), out.shape[1], out.shape[0], ctypes.c_bool(cubic)
        )
        return out

    yield "half, area", lambda land, out: resize(land, 0.5, False)
    yield "third, area", lambda land, out: resize(land, 1 / 3, False)
    yield "double, bicubic", lambda land, out: resize(land, 2, True)


def crate_version(name):
    """What cargo chose."""
    lock = (ROOT / "bench" / "crates" / "Cargo.lock").read_text()
    return lock.split(f'name = "{name}"\nversion = "')[1].split('"')[0]


# ---- IPP -----------------------------------------------------------------------------------------


class Size(ctypes.Structure):
    """IppiSize, and IppiPoint, which looks the same."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


IPP_FLOAT, IPP_BORDER_REPLICATED, IPP_CUBIC, IPP_SUPER = 13, 1, 6, 8


class Ipp:
    """Intel's IPP, whose results are asked for with the memory that they are made in."""

    def __init__(self):
        """Takes the libraries of this processor themselves: those that choose them ask for names that the package has
        not."""
        try:
            files = importlib.metadata.files("ipp")
        except importlib.metadata.PackageNotFoundError as error:
            raise ImportError("no package ipp") from error
        wide = "k0" if " avx512vl " in pathlib.Path("/proc/cpuinfo").read_text() else "l9"

        def load(name):
            path = next(file.locate() for file in files if file.name.startswith(f"lib{name}.so"))
            return ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)

        load("ippcore")
        self.ippi, self.ippcv = load("ippi" + wide), load("ippcv" + wide)
        self.kept = {}

    def kept_for(self, key, make):
        """What was made for the key before: only results are timed, not what they need."""
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]

    def call(self, function, *arguments):
        if (code := function(*arguments)) != 0:
            raise ValueError(f"{function.__name__} failed: {code}")

    def bytes_of(self, function, *arguments, count=1):
        """Pieces of memory whose sizes the function tells."""
        sizes = [ctypes.c_int() for _ in range(count)]
        self.call(function, *arguments, *(ctypes.byref(size) for size in sizes))
        return [ctypes.create_string_buffer(max(size.value, 1)) for size in sizes]

    def box(self, land, out, radius):
        size, mask = Size(*land.shape[::-1]), Size(2 * radius + 1, 2 * radius + 1)
        (buffer,) = self.kept_for(("box", land.shape, radius), lambda: self.bytes_of(
            self.ippi.ippiFilterBoxBorderGetBufferSize, size, mask, IPP_FLOAT, 1))
        self.call(self.ippi.ippiFilterBoxBorder_32f_C1R, cells_of(land), land.strides[0], cells_of(out), out.strides[0],
                  size, mask, IPP_BORDER_REPLICATED, None, buffer)
        return out

    def gaussian(self, land, out, sigma):
        size, side = Size(*land.shape[::-1]), 2 * int(4 * sigma + 0.5) + 1

        def make():
            spec, buffer = self.bytes_of(self.ippcv.ippiFilterGaussianGetBufferSize, size, side, IPP_FLOAT, 1, count=2)
            self.call(self.ippcv.ippiFilterGaussianInit, size, side, ctypes.c_float(sigma), IPP_BORDER_REPLICATED,
                      IPP_FLOAT, 1, spec, buffer)
            return spec, buffer

        spec, buffer = self.kept_for(("gaussian", land.shape, sigma), make)
        self.call(self.ippcv.ippiFilterGaussianBorder_32f_C1R, cells_of(land), land.strides[0], cells_of(out),
                  out.strides[0], size, ctypes.c_float(0), spec, buffer)
        return out

    def resize(self, land, factor, kind):
        height, width = land.shape
        out = np.empty((int(height * factor), int(width * factor)), np.float32)
        size, wanted = Size(width, height), Size(*out.shape[::-1])

        def make():
            spec, begin = self.bytes_of(self.ippi.ippiResizeGetSize_32f, size, wanted, kind, 0, count=2)
            if kind == IPP_CUBIC:
                self.call(self.ippi.ippiResizeCubicInit_32f, size, wanted, ctypes.c_float(0), ctypes.c_float(0.5), spec,
                          begin)
            else:
                self.call(self.ippi.ippiResizeSuperInit_32f, size, wanted, spec)
            return spec, *self.bytes_of(self.ippi.ippiResizeGetBufferSize_32f, spec, wanted, 1)

        spec, buffer = self.kept_for((land.shape, factor, kind), make)
        maps = cells_of(land), land.strides[0], cells_of(out), out.strides[0], Size(0, 0), wanted
        if kind == IPP_CUBIC:
            self.call(self.ippi.ippiResizeCubic_32f_C1R, *maps, IPP_BORDER_REPLICATED, None, spec, buffer)
        else:
            self.call(self.ippi.ippiResizeSuper_32f_C1R, *maps, spec, buffer)
        return out

    def distance(self, land, out):
        solid, size = (land > 0).astype(np.uint8), Size(*land.shape[::-1])
        (buffer,) = self.kept_for(("distance", land.shape), lambda: self.bytes_of(
            self.ippcv.ippiTrueDistanceTransformGetBufferSize_8u32f_C1R, size))
        self.call(self.ippcv.ippiTrueDistanceTransform_8u32f_C1R, solid.ctypes.data_as(ctypes.c_void_p),
                  solid.strides[0], cells_of(out), out.strides[0], size, buffer)
        return out


def ipp_cases():
    ipp = Ipp()
    for radius in (1, 16, 100):
        yield f"box, radius {radius}", lambda land, out, radius=radius: ipp.box(land, out, radius)
    for sigma in (1, 2, 4, 16):
        yield f"Gaussian, sigma {sigma}", lambda land, out, sigma=sigma: ipp.gaussian(land, out, sigma)
    yield "half, area", lambda land, out: ipp.resize(land, 0.5, IPP_SUPER)
    yield "third, area", lambda land, out: ipp.resize(land, 1 / 3, IPP_SUPER)
    yield "double, bicubic", lambda land, out: ipp.resize(land, 2, IPP_CUBIC)
    yield "distance", ipp.distance


# ---- FastNoise2 ----------------------------------------------------------------------------------


def commit_of(source):
    return run("git", "-C", source, "describe", "--tags", "--always").strip()


class FastNoise2:
    """Nodes of FastNoise2 by the names of their classes and members."""

    def __init__(self, source, simd, strict):
        """`source`: its sources; `simd`: FastSIMD's, or None: its build asks for them with git; `strict`: its results
        don't depend on the compiler."""
        if source is None:
            raise ImportError("its sources are asked for with --fastnoise2")
        build = BUILD / ("fastnoise2-strict" if strict else "fastnoise2")
        options = [f"-DCPM_FastSIMD_SOURCE={pathlib.Path(simd).resolve()}"] if simd is not None else []
        if shutil.which("clang++") is not None:
            options += ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]  # its authors' choice
        run("cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON",
            "-DFASTNOISE2_TOOLS=OFF", f"-DFASTNOISE2_STRICT_FP={'ON' if strict else 'OFF'}", *options)
        run("cmake", "--build", build, "--target", "FastNoise")
        self.library = ctypes.CDLL(str(next(build.rglob("libFastNoise.so"))))
        self.library.fnNewFromMetadata.restype = ctypes.c_void_p
        for name in ("fnGetMetadataName", "fnGetMetadataVariableName", "fnGetMetadataNodeLookupName",
                     "fnGetMetadataHybridName"):
            getattr(self.library, name).restype = ctypes.c_char_p
        self.kinds = {
            self.library.fnGetMetadataName(i).decode().replace(" ", ""): i
            for i in range(self.library.fnGetMetadataCount())
        }

    def member(self, what, kind, name):
        """The index of a variable, a node or a hybrid of both; None if there is none of that name."""
        count = getattr(self.library, f"fnGetMetadata{what}Count")(kind)
        names = [getattr(self.library, f"fnGetMetadata{what}Name")(kind, i).decode() for i in range(count)]
        return names.index(name) if name in names else None

    def node(self, kind, **members):
        """Underscores stand for blanks in the members' names."""
        number = self.kinds[kind]
        node = ctypes.c_void_p(self.library.fnNewFromMetadata(number, ctypes.c_uint(0xFFFFFFFF)))
        for key, value in members.items():
            name = key.replace("_", " ")
            if isinstance(value, ctypes.c_void_p):
                done = self.library.fnSetNodeLookup(node, self.member("NodeLookup", number, name), value)
            elif isinstance(value, int):
                done = self.library.fnSetVariableIntEnum(node, self.member("Variable", number, name), value)
            elif (index := self.member("Hybrid", number, name)) is not None:
                done = self.library.fnSetHybridFloat(node, index, ctypes.c_float(value))
            else:
                index = self.member("Variable", number, name)
                done = self.library.fnSetVariableFloat(node, index, ctypes.c_float(value))
            if not done & 1:
                raise ValueError(f"{kind} takes no {name} of {value}")
        return node

    def fill(self, node):
        one, zero = ctypes.c_float(1), ctypes.c_float(0)

        def call(land, out):
            height, width = out.shape
            self.library.fnGenUniformGrid2D(node, cells_of(out), zero, zero, width, height, one, one, 1, None)
            return out

        return call


def fastnoise2_cases(source, simd, strict):
    library = FastNoise2(source, simd, strict)

    def octaves(kind, count=8, scale=400.0):
        noise = library.node(kind, Feature_Scale=scale)
        return noise if count == 1 else library.node("FractalFBm", Source=noise, Octaves=count)

    def warped(amplitude, scale):
        """By one octave, as ours is told to."""
        return library.node("DomainWarpGradient", Source=octaves("Perlin"), Warp_Amplitude=amplitude,
                            Feature_Scale=scale)

    yield "noise, gradient", library.fill(octaves("Perlin"))
    yield "noise, 1 octave", library.fill(octaves("Perlin", 1, 100.0))
    yield "noise, simplex", library.fill(octaves("Simplex"))
    yield "noise, value", library.fill(octaves("Value"))
    yield "noise, weak warp", library.fill(warped(30.0, 200.0))
    yield "noise, strong warp", library.fill(warped(200.0, 100.0))
    yield "Voronoi, spacing 100", library.fill(library.node("CellularDistance", Feature_Scale=100.0))
    yield "Voronoi, spacing 8", library.fill(library.node("CellularDistance", Feature_Scale=8.0))
