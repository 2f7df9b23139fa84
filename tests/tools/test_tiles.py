#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT

"""terrain tiles, stitch and join: what they write, refuse, leave behind, and take up again.

Usage: test_tiles.py PROGRAM SOURCE_ROOT [TEST]...
"""

import os
import re
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True  # nothing beside the sources

from test_terrain import PROGRAM, Case, pixels, tiff  # noqa: E402

WORLD = "hills = generate_noise seed=3 period=90\nworn = erode_thermal hills iterations=6\n"
SLOW = "hills = generate_noise seed=3 period=90\nworn = erode_thermal hills iterations=120\n"
RANGE = ("--range", "-50,50")


class Tiles(Case):
    def setUp(self):
        super().setUp()
        self.write("w.terrain", WORLD)

    def tiles(self, *arguments, code=0):
        return self.call("tiles", "w.terrain", *arguments, code=code)

    def names(self, ending):
        return sorted(name for name in os.listdir(self.folder.name) if name.endswith(ending))

    def test_tiles_are_the_world(self):
        """Guards against tiles that are not the window that terrain run makes, or that don't fit."""
        for overlap, size in ((0, 100), (1, 101)):
            self.tiles("--tile", str(size), "--overlap", str(overlap), "--range-cells",
                       "-60,20,%d,%d" % (240, 220), "-o", "t_{x}_{y}.r32")
            self.assertEqual(self.names(".r32"), ["t_%d_%d.r32" % (x, y) for x in range(3)
                                                  for y in range(2)])
            self.call("run", "w.terrain", "--world", "--origin", "-60,20", "--size",
                      "%dx%d" % (300 + overlap, 200 + overlap), "-o", "whole.tif")
            joined = self.call("join", "t_{x}_{y}.r32", "--overlap", str(overlap), "-o", "all.tif")
            self.assertEqual(self.call("hash", "whole.tif").stdout, joined.stdout.splitlines()[-1] + "\n")
            if overlap == 1:
                self.assertIn("worst step 0,", joined.stdout)
            for name in self.names(".r32"):
                os.remove(self.path(name))

    def test_inputs(self):
        """Guards against tiles that don't read their input, that keep an older one, or that go beyond it."""
        first, rest = WORLD.split("\n", 1)
        self.write("hills.terrain", first + "\n")
        self.write("given.terrain", "input hills\n" + rest)
        self.call("run", "hills.terrain", "--world", "--size", "300x250", "-o", "hills.r32")
        given = ("--input", "hills=hills.r32", "--input-size", "300x250")
        grid = ("--tile", "64", "--range-cells", "50,40,178,168")
        self.tiles(*grid, "-o", "w_{x}_{y}.r32")
        self.call("tiles", "given.terrain", *given, *grid, "-o", "g_{x}_{y}.r32")
        for x in range(2):
            for y in range(2):
                name = "_%d_%d.r32" % (x, y)
                self.assertEqual(self.call("hash", "g" + name, "--size", "64x64").stdout,
                                 self.call("hash", "w" + name, "--size", "64x64").stdout)
        again = self.call("tiles", "given.terrain", *given, *grid, "-o", "g_{x}_{y}.r32")
        self.assertIn("all there already", again.stdout)
        self.call("run", "hills.terrain", "--world", "--seed", "2", "--size", "300x250", "-o", "hills.r32")
        again = self.call("tiles", "given.terrain", *given, *grid, "-o", "g_{x}_{y}.r32")
        self.assertNotIn("there already", again.stdout)
        for arguments, code, complaint in (
            ((), 2, "input 'hills' is missing: give --input hills=FILE"),
            ((*given, *given[:2]), 2, "input 'hills' is given twice"),
            (("--input", "hill=hills.r32"), 2, "'hill' is not an input of given.terrain (did you mean 'hills'?)"),
            (given[:2], 2, "hills.r32: has 300000 bytes, which is not a square of heights of 4 bytes each; give its size"),
            ((*given, "--range-cells", "0,0,64,64"), 2, "input 'hills' covers x 0 to 299 and y 0 to 249, but x -"),
            ((*given, "--memory", "310000"), 1, "beside the inputs"),
            ((*given, "--memory", "200000"), 1, "beside the inputs"),
        ):
            self.refuse("tiles", "given.terrain", *grid, *arguments, "-o", "n_{x}_{y}.r32", code=code,
                        says=re.escape(complaint))

    def test_join_knows_what_is_shared(self):
        """Guards against tiles of a rough world joined as if they shared cells, or none, or upside down."""
        self.write("r.terrain", "r = generate_noise seed=3 period=9\n")
        for overlap, turned in ((0, ()), (1, ()), (1, ("--y-up", "--flip")), (1, ("--y-up",)), (1, ("--flip",))):
            width, height = 3 * (40 - overlap) + overlap, 2 * (30 - overlap) + overlap
            self.call("tiles", "r.terrain", "--tile", "40x30", "--overlap", str(overlap), "--range-cells",
                      "0,0,%d,%d" % (width, height), *turned, "-o", "t_{x}_{y}.r32")
            self.assertEqual(len(self.names(".r32")), 6)
            whole = self.call("run", "r.terrain", "--world", "--size", "%dx%d" % (width, height), "-o",
                              "whole.tif").stdout.splitlines()[-1]
            joined = ("join", "t_{x}_{y}.r32", "-o", "all.tif")
            self.assertEqual(self.call(*joined).stdout.splitlines()[-1], whole)
            os.remove(self.path("t_x_y.r32.tiles"))
            size = ("--size", "40x30")
            if overlap == 0:
                self.refuse(*joined, *size, says="how many cells neighbours share: expected --overlap")
            else:
                self.assertEqual(self.call(*joined, *size, *turned).stdout.splitlines()[-1], whole)
                if len(turned) == 2:
                    self.refuse(*joined, *size, "--flip", says="expected --overlap")  # rows in the wrong order
            for name in self.names(".r32"):
                os.remove(self.path(name))
        self.tiles("--tile", "32", "--range-cells", "0,0,64,32", "-o", "t_{x}_{y}.r32")
        self.refuse("stitch", "t_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", says="share no cells")
        for x in (0, 1):
            self.write("f_%d_0.r32" % x, bytes(4 * 32 * 32))
        self.refuse("join", "f_{x}_{y}.r32", "-o", "all.tif", says="expected --overlap")  # level: any would do
        self.write("t_x_y.r32.tiles", self.read("t_x_y.r32.tiles").replace(b"tile 32 32", b"tile 33 35"))
        self.refuse("join", "t_{x}_{y}.r32", "--size", "32x32", "-o", "all.tif", says="list beside them is of 33x35")

    def test_join_misses_no_tile(self):
        """Guards against a join of fewer tiles than there were, or of old ones beside them, without a word."""
        size = ("--tile", "10", "-o", "t_{x}_{y}.r32")
        self.tiles("--range-cells", "0,0,40,30", *size)
        self.tiles("--range-cells", "0,0,30,20", *size)  # t_3_* and t_*_2 are of another job now
        self.call("run", "w.terrain", "--world", "--size", "30x20", "-o", "whole.tif")
        join = ("join", "t_{x}_{y}.r32", "-o", "all.tif")
        whole = self.call("hash", "whole.tif").stdout
        self.assertEqual(self.call(*join).stdout, whole)
        for missing in ("0_0", "0_1", "2_0", "2_1"):
            os.rename(self.path("t_%s.r32" % missing), self.path("away"))
            self.refuse(*join, says="there is no tile %s, which the list" % missing.replace("_", ", "))
            os.rename(self.path("away"), self.path("t_%s.r32" % missing))
        self.assertEqual(self.call(*join).stdout, whole)
        self.write("t_x_y.r32.tiles", "terrain tiles 2\n\nbox 0 0 9 9 tile 1 1 overlap 1 y_up 0 flip 0\n")
        self.refuse(*join, says="expected --overlap")  # a list that can't be

    def test_join_takes_no_other_run(self):
        """Guards against tiles of several worlds put together: old ones lie where a run was not completed."""
        job = ("--tile", "40", "--range-cells", "0,0,120,40", "-o", "t_{x}_{y}.r32")
        size, both = ("--size", "40x40"), (("join", "t_{x}_{y}.r32", "-o", "all.tif"),
                                           ("stitch", "t_{x}_{y}.r32", "-o", "s_{x}_{y}.r32"))
        self.tiles(*job)
        whole = self.read("t_x_y.r32.tiles")
        self.write("t_x_y.r32.tiles", b"".join(line for line in whole.splitlines(True)
                                               if not line.startswith(b"done 1 0")))
        for command in both:
            self.refuse(*command, says="t_1_0.r32: t_x_y.r32.tiles, the list beside the tiles, does not name this one, "
                        "which may be of another run; with --overlap it is not read")
        self.call(*both[0], *size, "--overlap", "0")
        # A part of another world, whose own list is not that of all.
        self.write("t_x_y.r32.tiles", whole)
        self.tiles(*job, "--seed", "1", "--part", "3/3")
        for command in both:
            self.refuse(*command, says="t_2_0.r32: t_x_y.r32.tiles, .*, names a file with other bytes")
        os.remove(self.path("t_2_0.r32"))
        self.refuse(*both[0], says="there is no tile 2, 0")

    def place(self, name):
        """The place of a file's north-western corner, its cells' width, and how far north each row goes."""
        data = self.read(name)
        at, = struct.unpack("<I", data[4:8])
        tags = {}
        for i in range(struct.unpack("<H", data[at:at + 2])[0]):
            tag, kind, count, value = struct.unpack("<HHII", data[at + 2 + 12 * i:at + 14 + 12 * i])
            if kind == 12:
                tags[tag] = struct.unpack("<%dd" % count, data[value:value + 8 * count])
            elif tag == 257:
                height = value
        if 34264 in tags:
            matrix = tags[34264]
            self.assertEqual((matrix[1:3], matrix[4], matrix[6], matrix[8:]), ((0, 0), 0, 0, (0,) * 7 + (1,)))
            return matrix[3], matrix[7] + height * max(matrix[5], 0), matrix[0], matrix[5]
        return *tags[33922][3:5], tags[33550][0], -tags[33550][1]

    def test_places_of_inputs(self):
        """Guards against tiles of a model that lie elsewhere on the Earth than it does, or where it lay before, and
        tiles whose place is that of a coarse map."""
        def model(place, size=90, cell=10.0):
            tags = [place, (34735, 3, (1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32633))]
            tags += [(33550, 12, (cell, cell, 0.0))] if place[0] == 33922 else []
            self.write("m.tif", tiff(size, size, 1, 32, 3, struct.pack("<%df" % size ** 2, *[1.0] * size ** 2), tags))

        self.write("m.terrain", "input m\nworn = blur_gaussian m\n")
        command = ("tiles", "m.terrain", "--input", "m=m.tif", "--tile", "30", "--range-cells", "20,10,80,70",
                   "-o", "m_{x}_{y}.tif")
        keys = struct.pack("<12H", 1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32633)
        tied = (33922, 12, (1.0, 2.0, 0.0, 4e5 + 10, 5e6 - 20, 0.0))
        matrix = (34264, 12, (10.0, 0.0, 0.0, 3e5, 0.0, -10.0, 0.0, 5e6) + (0.0,) * 7 + (1.0,))
        for place, moved in ((tied, (1.0 - 50, 2.0 - 40, *tied[2][2:])),
                             (matrix, (*matrix[2][:3], 3e5 + 500, *matrix[2][4:7], 5e6 - 400, *matrix[2][8:]))):
            model(place)
            self.assertEqual(self.call(*command).stdout.count("m_"), 4)
            self.call("run", "m.terrain", "--input", "m=m.tif", "--world", "--origin", "50,40", "--size", "30x30",
                      "-o", "w.tif")
            for name in ("m_1_1.tif", "w.tif"):
                self.assertIn(keys, self.read(name))
                self.assertIn(struct.pack("<%dd" % len(moved), *moved), self.read(name))
        self.call("join", "m_{x}_{y}.tif", "-o", "whole.tif")
        self.assertIn(struct.pack("<d", 3e5 + 200), self.read("whole.tif"))
        for more in ((), ("--flip",), ("--scale", "1/2"), ("-o", "larger=n{x}_{y}.tif")):
            self.write("m.terrain", "input m\nlarger = shape_resample m step=2\nworn = blur_gaussian m\n")
            to = more if "-o" in more else (*more, "-o", "n{x}_{y}.tif")
            self.call(*command[:4], "--tile", "8", "--range-cells", "16,16,24,24", *to)
            self.assertEqual(keys in self.read("n0_0.tif"), more == (), more)
        self.write("c.terrain", "input m\nland = generate_drainage control=m map_spacing=1024\n")
        model(tied, 150, 10240.0)
        self.call("tiles", "c.terrain", "--input", "m=m.tif", "--cell-size", "10", "--tile", "16",
                  "--range-cells", "73728,73728,73744,73744", "-o", "c{x}_{y}.tif")
        self.assertNotIn(keys, self.read("c0_0.tif"))

    def test_georeference(self):
        """Guards against GeoTIFF tiles that all lie at one place, or whose rows go the other way, and a whole
        that loses the size of its cells."""
        for overlap, turned in ((0, ()), (1, ("--flip", "--y-up"))):
            step = 40 - overlap
            box = "80,-40,%d,%d" % (80 + step + 40, -40 + 40 + step)
            for scale, size, ending in (("1", 5, "png"), ("1/4", 20, "r32"), ("1", 5, "tif")):
                self.tiles("--tile", "40", "--overlap", str(overlap), "--range-cells", box, "--cell-size", "5",
                           "--scale", scale, *turned, "-o", "t_{x}_{y}." + ending)
                self.call("join", "t_{x}_{y}." + ending, "-o", "all.tif")
                self.assertEqual(self.place("all.tif"), (80 * size, 40 * size, size, -size))
                told = self.call("join", "t_{x}_{y}." + ending, "--cell-size", "3", "-o", "all.tif").stderr
                self.assertEqual(told, "")
                self.assertEqual(self.place("all.tif")[2], 5 if ending == "tif" else 3)
                if overlap == 1:
                    self.call("stitch", "t_{x}_{y}." + ending, "-o", "s_{x}_{y}.tif")
            pattern = "s_%d_%d.tif" if overlap == 1 else "t_%d_%d.tif"
            for x in (0, 1):
                for y in (0, 1):
                    row = 1 - y if turned else y
                    self.assertEqual(self.place(pattern % (x, y)), (
                        (80 + step * x) * 5, (40 - step * row) * 5, 5, 5 if turned else -5))
        self.write("same.terrain", "input a\nb = shape_clamp a\n")
        told = self.call("run", "same.terrain", "--input", "a=t_1_0.tif")
        self.assertIn("t_1_0.tif: cells of 5\n", told.stdout)
        self.assertEqual(told.stderr, "")
        # Without a list the first tile is at 0,0.
        os.remove(self.path("t_x_y.r32.tiles"))
        self.call("stitch", "t_{x}_{y}.r32", "--size", "40x40", "--cell-size", "2", "-o", "n_{x}_{y}.tif")
        for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
            self.assertEqual(self.place("n_%d_%d.tif" % (x, y)), (78 * x, 0 - 78 * y, 2, -2))
        self.refuse("join", "t_{x}_{y}.r32", "--cell-size", "0", "-o", "all.tif", says="--cell-size is '0', expected")

    def contents(self, ending):
        return {name: self.read(name) for name in self.names(ending)}

    def test_parts_are_the_whole(self):
        """Guards against processes that leave out tiles, write others, or spoil each other's lists."""
        job = ("--tile", "40", "--range-cells", "-30,0,170,120", *RANGE, "-o", "t_{x}_{y}.png")
        self.tiles(*job)
        whole = self.contents(".png")
        listed = sorted(self.read("t_x_y.png.tiles").splitlines())
        self.assertEqual(len(whole), 15)
        for parts in (1, 2, 4, 15, 20):
            for name in os.listdir(self.folder.name):
                if ".png" in name:
                    os.remove(self.path(name))
            running = [subprocess.Popen([PROGRAM, "tiles", "w.terrain", *job, "--part", "%d/%d" % (i, parts)],
                                        cwd=self.folder.name, stdout=subprocess.PIPE, text=True)
                       for i in range(parts, 0, -1)]
            printed = [each.communicate()[0] for each in running]
            self.assertEqual([each.returncode for each in running], [0] * parts)
            made = [line for text in printed for line in text.splitlines() if line.startswith("t_")]
            self.assertEqual(len(made), 15)
            self.assertEqual(self.contents(".png"), whole)
            # Whichever ended last has left what one process leaves.
            self.assertEqual(sorted(self.read("t_x_y.png.tiles").splitlines()), listed)
            self.assertEqual([name for name in os.listdir(self.folder.name) if "-of-" in name], [])
            self.assertIn("all there already", self.tiles(*job).stdout)

    def test_parts_go_on(self):
        """Guards against a part that makes its tiles again, or those of others."""
        job = ("--tile", "50", "--range-cells", "0,0,200,200", *RANGE, "-o", "t_{x}_{y}.png")
        first = self.tiles(*job, "--part", "1/3").stdout
        self.assertIn("part 1 of 3 of 4 x 4 tiles", first)
        self.assertEqual(len(self.names(".png")), 5)
        self.assertEqual(self.names(".1-of-3"), ["t_x_y.png.tiles.1-of-3"])
        self.assertIn("part 1 of 3 of 4 x 4 tiles, all there already", self.tiles(*job, "--part", "1/3").stdout)
        os.remove(self.path("t_1_0.png"))
        again = self.tiles(*job, "--part", "1/3").stdout
        self.assertEqual([line.split()[0] for line in again.splitlines() if line.startswith("t_")], ["t_1_0.png"])
        self.tiles(*job, "--part", "3/3")
        self.tiles(*job, "--part", "2/3")
        self.assertIn("all there already", self.tiles(*job).stdout)
        self.assertIn("all there already", self.tiles(*job, "--part", "2/5").stdout)

    def test_part_is_told_right(self):
        """Guards against parts that there aren't, and a scale of each part's own."""
        job = ("--tile", "50", "--range-cells", "0,0,100,100", "-o", "t_{x}_{y}.png")
        for part in ("0/3", "4/3", "3", "a/3", "1/0", "1/", "/2", "1/2/3", "1/1000001", "-1/2"):
            refused = self.tiles(*job, *RANGE, "--part", part, code=2)
            self.assertIn("expected I/N", refused.stderr)
        self.assertIn("--range", self.tiles(*job, "--part", "1/2", code=2).stderr)
        self.assertEqual(self.names(".png"), [])
        self.tiles("--tile", "50", "--range-cells", "0,0,100,100", "-o", "t_{x}_{y}.r32", "--part", "1/2")

    def test_threads_and_parts(self):
        """Guards against tiles that depend on threads, or on which others were asked for."""
        parts = {}
        for threads, box in (("1", "0,0,200,200"), ("3", "0,0,200,200"), ("2", "100,0,200,100")):
            self.tiles("--tile", "100", "--threads", threads, "--range-cells", box, "-o",
                       "t" + threads + "_{x}_{y}.png", *RANGE)
        for name in self.names(".png"):
            parts[name] = self.read(name)
        for x in "01":
            for y in "01":
                self.assertEqual(parts["t1_%s_%s.png" % (x, y)], parts["t3_%s_%s.png" % (x, y)])
        self.assertEqual(parts["t1_1_0.png"], parts["t2_0_0.png"])

    def test_one_scale(self):
        """Guards against tiles that each have a scale of their own: seams in every engine."""
        self.tiles("--tile", "64", "--overlap", "1", "--range-cells", "0,0,127,127", "-o", "t_{x}_{y}.r16")
        tiles = {(x, y): struct.unpack("<4096H", self.read("t_%d_%d.r16" % (x, y)))
                 for x in (0, 1) for y in (0, 1)}
        cells = [cell for tile in tiles.values() for cell in tile]
        self.assertEqual((min(cells), max(cells)), (0, 65535))
        self.assertEqual(tiles[0, 0][63::64], tiles[1, 0][::64])
        self.assertEqual(tiles[0, 0][-64:], tiles[0, 1][:64])

    def test_several_maps(self):
        """Guards against tiles of a map that are another's, have another's scale, or lose theirs where one name is two's."""
        self.write("w.terrain", WORLD + "steep = analyze_slope worn\nrock = shape_clamp steep low=0 high=1\n"
                                        "land = blur_gaussian worn\n")
        grid = ("--tile", "50", "--overlap", "1", "--range-cells", "-20,30,79,80")
        several = ("-o", "l_{x}_{y}.png", "-o", "steep=s_{x}_{y}.png", "-o", "worn=w_{x}_{y}.r32",
                   "--mask", "rock=r_{x}_{y}.png", "--mask", "rock=b_{x}_{y}.r8")
        first = self.tiles(*grid, *several).stdout.splitlines()
        self.assertEqual(sorted(line.split(" ")[0] for line in first if "_" in line),
                         sorted(f"{name}_{x}_0.{'r32' if name == 'w' else 'r8' if name == 'b' else 'png'}"
                                for name in "lswrb" for x in "01"))
        self.assertEqual(self.tiles(*grid, *several).stdout.count("all there already"), 5)
        before = self.read("s_1_0.png")
        os.remove(self.path("s_1_0.png"))  # of one map alone: no other tile is made again
        again = self.tiles(*grid, *several).stdout
        self.assertEqual([line.split(" ")[0] for line in again.splitlines() if "_" in line], ["s_1_0.png"])
        self.assertEqual(again.count("all there already"), 4)
        self.assertEqual(self.read("s_1_0.png"), before)
        for name, wanted, options in (("l", "", ()), ("s", "steep=", ()), ("w", "worn=", ()),
                                      ("r", "rock=", ("--range", "0,1")), ("b", "rock=", ("--range", "0,1"))):
            ending = {"w": "r32", "b": "r8"}.get(name, "png")
            self.tiles(*grid, "-o", wanted + "one_{x}_{y}." + ending, *options)
            for x in "01":
                one, tile = f"one_{x}_0.{ending}", f"{name}_{x}_0.{ending}"
                if name != "r":
                    self.assertEqual(self.read(one), self.read(tile))
                else:  # 8 bits of 16
                    self.assertEqual(self.read(tile)[24], 8)
                    eight, sixteen = self.heights(tile), self.heights(one)
                    self.assertLess(max(abs(a - b) for a, b in zip(eight, sixteen)), 0.502 / 255)
        # Other bits, or another map, of the same name: made anew.
        for other in (("-o", "rock=r_{x}_{y}.png", "--range", "0,1"), ("-o", "worn=r_{x}_{y}.png", "--range", "0,1"),
                      ("--mask", "rock=r_{x}_{y}.png")):
            self.assertNotIn("already", self.tiles(*grid, *other).stdout)
        # Parts need no range of masks, and presets take them where they take no heights of 8 bits.
        self.tiles(*grid, "--mask", "rock=p_{x}_{y}.r8", "--part", "1/2")
        told = self.tiles("--preset", "godot-64", "--range-cells", "0,0,64,64", "-o", "g_{x}_{y}.r16",
                          "--mask", "rock=m_{x}_{y}.png", *RANGE).stdout
        self.assertEqual(told.count("Godot: "), 1)
        good = ("--tile", "50", "--range-cells", "0,0,100,50", "-o", "n_{x}_{y}.png")
        for arguments, says in (
                (("-o", "worn=n_{x}_{y}.png"), "differ in more than digits"),
                (("-o", "worn=n_{y}_{x}.png"), "differ in more than digits"),
                (("-o", "worn=n_1{x}_{y}.png"), "n_{x}_{y}.png and n_1{x}_{y}.png: expected names that differ in more"),
                (("-o", "worn=./n_{x}_{y}.png"), "differ in more than digits"),
                (("-o", "none=o_{x}_{y}.png"), "the recipe makes no map 'none'"),
                (("-o", "worn=o_{x}.png"), r"expected a name with \{x\} and \{y\}"),
                (("-o", "worn=o_{x}_{y}.jpg"), "expected a name that ends in"),
                (("-o", "worn=none/o_{x}_{y}.png"), "none/o_{x}_{y}.png: can't be written"),
                (("--mask", "rock=o_{x}_{y}.tif"), "o_{x}_{y}.tif: expected a name that ends in .png or .r8"),
                (("--mask", "rock="), r"expected a name with \{x\} and \{y\}"),
                (tuple(f"-oworn={i}o{{x}}_{{y}}.r8" for i in range(64)), "expected at most 64 patterns")):
            self.refuse("tiles", "w.terrain", *good, *arguments, code=1 if "none/o" in arguments[1] else 2, says=says)

    def test_splat_maps(self):
        """Guards against tiles of several masks whose colours are not the masks, or lie otherwise, or are not made again."""
        self.write("w.terrain", WORLD + "steep = analyze_slope worn\nrock = shape_clamp steep low=0 high=1\n"
                                        "land = shape_clamp worn low=0 high=1\n")
        grid = ("--tile", "50", "--range-cells", "-20,30,80,80", "--flip")
        alone = self.tiles(*grid, "--mask", "rock=r_{x}_{y}.r8", "--mask", "l_{x}_{y}.r8").stdout
        splat = ("--mask", "rock,land,rock,land=s_{x}_{y}.png", "--mask", "land,rock=t_{x}_{y}.png")
        told = self.tiles(*grid, *splat).stdout
        hashes = dict(line.split(" ", 1) for line in (alone + told).splitlines() if "_" in line)
        for x in "01":
            rock, land = (self.read(f"{name}_{x}_0.r8") for name in "rl")
            for name, channels in (("s", (rock, land, rock, land)), ("t", (land, rock, bytes(len(rock))))):
                found = [pixel for row in pixels(self.read(f"{name}_{x}_0.png")) for pixel in row]
                self.assertEqual(found, list(zip(*channels)))
            self.assertEqual(hashes[f"t_{x}_0.png"], " ".join(hashes[f"{name}_{x}_0.r8"] for name in "lr"))
        self.assertEqual(self.tiles(*grid, *splat).stdout.count("all there already"), 2)
        os.remove(self.path("s_1_0.png"))
        self.assertEqual([line.split(" ")[0] for line in self.tiles(*grid, *splat).stdout.splitlines() if "_" in line],
                         ["s_1_0.png"])
        # Other maps of the same name: made anew.
        self.assertNotIn("already", self.tiles(*grid, "--mask", "rock,land=t_{x}_{y}.png").stdout)
        self.assertNotIn("already", self.tiles(*grid, "--mask", "rock=t_{x}_{y}.png").stdout)
        self.refuse("tiles", "w.terrain", *grid, "--mask", "rock,land=q_{x}_{y}.r8", says="ends in .png$")
        self.refuse("tiles", "w.terrain", *grid, "--mask", "rock,none=q_{x}_{y}.png", says="makes no map 'none'")

    def test_presets(self):
        """Guards against sizes, directions and byte orders that engines don't take."""
        unity = self.tiles("--preset", "unity-33", "--range-cells", "0,0,65,65", "-o", "u_{x}_{y}.raw", *RANGE)
        self.assertIn("terrain width and length 32, height 100; position Y -50\n", unity.stdout)
        self.tiles("--tile", "33", "--overlap", "1", "--range-cells", "0,0,65,65", "-o",
                   "p_{x}_{y}.r16", *RANGE)
        for x in "01":
            for y in (0, 1):
                ours = self.read("u_%s_%d.raw" % (x, 1 - y))
                plain = self.read("p_%s_%d.r16" % (x, y))
                self.assertEqual(ours, b"".join(plain[66 * row:66 * row + 66] for row in range(32, -1, -1)))
        unreal = self.tiles("--preset", "unreal-127", "--range-cells", "0,0,127,127", "-o", "e_{x}_{y}.png",
                            "--range", "-100,923.984375", "--cell-size", "2")
        # By Epic's formula a Z scale of 100 spans -256 to 255.992 m.
        self.assertIn("scale X and Y 200, Z 200; location Z 41200\n", unreal.stdout)
        self.assertEqual(struct.unpack(">IIBB", self.read("e_0_0.png")[16:26]), (127, 127, 16, 0))
        # Called again, it makes nothing, but tells what to enter.
        for again in (("unity-33", "0,0,65,65", "a_{x}_{y}.raw", *RANGE), ("godot-65", "0,0,65,65", "a_{x}_{y}.r16")):
            job = ("--preset", again[0], "--range-cells", again[1], "-o", *again[2:])
            first = self.tiles(*job).stdout.splitlines()
            told = self.tiles(*job).stdout.splitlines()
            self.assertEqual(told, [first[-2].replace(" tiles", " tiles, all there already,"), first[-1]])
        self.tiles("--preset", "godot-64", "--range-cells", "0,0,128,64", "-o", "g_{x}_{y}.r32")
        self.assertEqual(len(self.names(".r32")), 2)
        self.tiles("--preset", "godot-65", "--range-cells", "0,0,129,65", "-o", "h_{x}_{y}.r32")
        self.assertEqual(len(self.names(".r32")), 4)
        joined = self.call("join", "u_{x}_{y}.raw", "--y-up", "--flip", "-o", "u.r16", "--range", "0,65535")
        self.assertIn("worst step 0,", joined.stdout)

    def test_refused(self):
        """Guards against arguments that are taken for something else, or refused without help."""
        box = ("--range-cells", "0,0,100,100")
        good = ("--tile", "50", *box, "-o", "t_{x}_{y}.png")
        for arguments, says in (
                (("--tile", "50", *box, "-o", "t_{x}.png"), r"expected a name with \{x\} and \{y\}"),
                (("--tile", "50", *box, "-o", "t.png"), r"found 't.png'"),
                (("--tile", "50", *box, "-o", "t{x}{y}.png"), "found 't{x}{y}.png': tiles would share"),
                (("--tile", "50", *box, "-o", "t{y}07{x}.png"), "expected more than digits"),
                (("--tile", "50", *box, "-o", "t{x}_{y}{x}.png"), "expected more than digits"),
                ((*good, "--range-cells", "-18446744073709551615,0,100,100"), "expected four"),
                (("--tile", "50", *box), "expected -o"),
                ((*box, "-o", "t_{x}_{y}.png"), "expected --tile SIZE or --preset"),
                (("--tile", "50", "-o", "t_{x}_{y}.png"), "--range-cells: expected X0,Y0,X1,Y1"),
                (("--tile", "0", *box, "-o", "t_{x}_{y}.png"), "--tile is '0', expected a size"),
                ((*good, "--overlap", "50"), "--overlap is 50, must be less than the tile's 50x50"),
                ((*good, "--overlap", "2"), "--overlap is 2, must be 0 or 1"),
                ((*good, "--range-cells", "0,0,0,100"), "--range-cells: expected"),
                ((*good, "--range-cells", "0,0,100"), "--range-cells is '0,0,100', expected four"),
                ((*good, "--range-cells", "0,0,1000000,1000000"), "at most 1000000 can be made"),
                ((*good, "--preset", "unreal-512"), "--preset is 'unreal-512', expected unreal-N"),
                ((*good, "--preset", "unity-512"), "expected unreal-N"),
                ((*good, "--preset", "godot-100"), "expected unreal-N"),
                ((*good, "--preset", "lumberyard"), "expected unreal-N"),
                ((*good, "--preset", "godot-65"), "expected a name that ends in .r16, .raw or .r32, since"),
                ((*box, "--preset", "unity-65", "--preset", "godot-65", "-o", "t_{x}_{y}.raw"),
                 "--preset godot-65: expected one preset, found another"),
                ((*good, "--preset", "unity-65"), "t_{x}_{y}.png: expected a name that ends in .raw"),
                ((*box, "--preset", "unreal-127", "-o", "t_{x}_{y}.tif"), "ends in .png or .r16"),
                ((*box, "--preset", "unity-65", "--tile", "64", "-o", "t_{x}_{y}.raw"), "leave out --tile"),
                ((*box, "--preset", "unity-65", "--tile", "65x33", "-o", "t_{x}_{y}.raw"), "leave out --tile"),
                ((*box, "--preset", "unreal-127", "--overlap", "0", "-o", "t_{x}_{y}.png"), "and --overlap"),
                ((*good, "--range", "5,5"), "--range is '5,5'"),
                ((*good, "extra"), "expected one recipe, found 2"),
                ((*good, "--what"), "found '--what'"),
                (("--tile", "50", *box, "-o", "t_{x}_{y}.jpg"), "expected a name that ends in")):
            self.refuse("tiles", "w.terrain", *arguments, says=says)
        self.refuse("tiles", "none.terrain", *good, says="none.terrain: can't be read")
        self.write("g.terrain", "a = generate_noise\nb = shape_remap a mode=found\n")
        self.refuse("tiles", "g.terrain", *good, says="g.terrain: .*line 2, b: shape_remap")
        self.write("f.terrain", "a = generate_fault_lines\n")
        self.refuse("tiles", "f.terrain", *good, says="f.terrain: .*frame")
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        self.refuse("tiles", "i.terrain", *good, says="i.terrain: ")
        self.refuse("tiles", "w.terrain", "--tile", "50", *RANGE, "--range-cells",
                    "4611686018427387800,0,4611686018427387900,10", "--threads", "1", "-o",
                    "none/t_{x}_{y}.png", code=1, says=r"none/t_\{x\}_\{y\}.png: can't be written")

    def test_memory(self):
        """A tile that can't be had is refused before it is tried, and leaves no file; what all
        threads take together stays within the limit, and the tiles are the same."""
        self.write("greedy.terrain", "m = generate_noise\n" + "m = blur_box m radius=1024\n" * 20)
        box = ("--range-cells", "0,0,256,128", "--tile", "128")
        self.refuse("tiles", "greedy.terrain", *box, "--memory", "2G", "-o", "t_{x}_{y}.r32", code=1,
                    says=r"m: \d+ bytes would be needed.*memory_limit is \d+")
        for memory, threads, says in (("100K", "2", "too few for 2 tiles of 128x128 heights"),
                                      ("300K", "1", "memory_limit is [0-9]+"),
                                      ("1T", "1", "expected bytes")):
            self.refuse("tiles", "w.terrain", *box, "--memory", memory, "--threads", threads, "-o",
                        "t_{x}_{y}.r32", code=2 if memory == "1T" else 1, says=says)
        self.tiles(*box, "--memory", "64M", "-o", "t_{x}_{y}.r32")
        self.tiles(*box, "--memory", "0", "-o", "u_{x}_{y}.r32")
        for x in "01":
            self.assertEqual(self.read(f"t_{x}_0.r32"), self.read(f"u_{x}_0.r32"))

    def test_resume(self):
        """Guards against tiles that are made again, and against others' tiles taken for ours."""
        arguments = ("--tile", "50", "--range-cells", "0,0,100,100", "-o", "t_{x}_{y}.png")
        first = self.tiles(*arguments).stdout
        self.assertEqual(len(first.splitlines()), 5)
        before = {name: self.read(name) for name in self.names(".png")}
        self.assertIn("all there already", self.tiles(*arguments).stdout)
        os.remove(self.path("t_1_0.png"))
        second = self.tiles(*arguments).stdout.splitlines()
        self.assertEqual(second[0], "3 tiles are there already")
        self.assertIn(second[1], first)
        self.assertEqual(before, {name: self.read(name) for name in self.names(".png")})
        # Another range, seed or recipe: all of them again.
        first = self.tiles(*arguments, "--range", "0,1").stdout
        self.assertEqual(len(first.splitlines()), 5)
        self.assertIn("tiles of 50 x 50 cells, heights from 0 to 1\n", first)
        self.assertEqual(len(self.tiles(*arguments, "--seed", "1").stdout.splitlines()), 5)
        self.write("w.terrain", WORLD + "# another one\n")
        self.assertEqual(len(self.tiles(*arguments).stdout.splitlines()), 5)
        # Another end of the range is another range.
        self.assertEqual(len(self.tiles(*arguments, "--range", "0,2").stdout.splitlines()), 5)
        self.assertEqual(len(self.tiles(*arguments, "--range", "0,3").stdout.splitlines()), 5)
        self.assertEqual(len(self.tiles(*arguments, "--range", "1,3").stdout.splitlines()), 5)
        self.assertIn("all there already", self.tiles(*arguments, "--range", "1,3").stdout)
        # Without one the heights' own is found, whatever was given before.
        found = self.tiles(*arguments).stdout.splitlines()
        self.assertEqual(len(found), 5)
        self.assertEqual(before.keys(), self.contents(".png").keys())
        self.assertNotIn("from 1 to 3", found[-1])
        self.assertIn("all there already", self.tiles(*arguments).stdout)
        self.assertEqual(len(self.tiles(*arguments, "--range", "1,3").stdout.splitlines()), 5)
        self.assertEqual(len(self.tiles(*arguments).stdout.splitlines()), 5)
        # Files that have no scale are the same with any range.
        bare = (*arguments[:-1], "t_{x}_{y}.r32")
        self.tiles(*bare, "--range", "1,3")
        self.assertIn("all there already", self.tiles(*bare).stdout)
        self.assertIn("all there already", self.tiles(*bare, "--range", "1,4").stdout)
        # A list that names tiles far away, and lines of another form.
        listed = self.read("t_x_y.png.tiles")
        self.write("t_x_y.png.tiles", listed + b"done 4000000000 0 size 1 hash 2\ndone 0 4000000000 "
                   b"size 1 hash 2\ndone 0 0\ndone\n")
        self.assertIn("all there already", self.tiles(*arguments).stdout)
        self.write("t_x_y.png.tiles", listed)
        # A list that was cut while its last line was written, and one that is none.
        listed = self.read("t_x_y.png.tiles")
        self.write("t_x_y.png.tiles", listed[:-3])
        self.assertEqual(len(self.tiles(*arguments).stdout.splitlines()), 3)
        self.write("t_x_y.png.tiles", b"\xff\0garbage")
        self.assertEqual(len(self.tiles(*arguments).stdout.splitlines()), 5)

    def test_resume_damaged(self):
        """Guards against tiles that count as done though a crash or a full disk cut them, or a byte changed."""
        for name in ("t_{x}_{y}.png", "t_{x}_{y}.r32", "t_{x}_{y}.obj"):
            arguments = ("--tile", "50", "--range-cells", "0,0,100,50", *RANGE, "-o", name)
            self.tiles(*arguments)
            first = name.format(x=0, y=0)
            good = self.read(first)
            for bad in (good[:-1], good[:100], b"", good + b"\0", good[:-8] + bytes(8), good[:200] + good[300:],
                        good[:500] + bytes([good[500] ^ 128]) + good[501:]):
                self.write(first, bad)
                self.assertEqual(len(self.tiles(*arguments).stdout.splitlines()), 3)
                self.assertEqual(self.read(first), good)
            self.assertIn("all there already", self.tiles(*arguments).stdout)

    def test_failed_rename(self):
        """Guards against a tile that counts as done though it could not be put into its place."""
        self.write("w.terrain", "a = generate_noise\n")
        arguments = ("tiles", "w.terrain", "--tile", "1000", "--range-cells", "0,0,1000,1000")
        process = subprocess.Popen([PROGRAM, *arguments, "-o", "t_{x}_{y}.obj"], cwd=self.folder.name,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(10000):  # until the tile is being written
            if [name for name in os.listdir(self.folder.name) if name.startswith("t_0_0")]:
                break
            time.sleep(0.001)
        os.mkdir(self.path("t_0_0.obj"))
        out, errors = process.communicate(timeout=50)
        self.assertEqual((process.returncode, out), (1, b""))
        self.assertRegex(errors, rb"\Aterrain: t_0_0.obj: can't be written: Is a directory\n\Z")
        self.assertEqual(self.names(""), ["t_0_0.obj", "w.terrain"])  # no list, which tells nothing

    def test_progress(self):
        """Guards against a bar that stands still, or runs backwards, while tiles are made."""
        self.write("w.terrain", "a = generate_noise\n")
        try:
            ours, theirs = os.openpty()
        except OSError as error:  # a bare chroot has no /dev/pts
            self.skipTest(f"no terminals: {error}")
        # Twice, since there is no range; the second time from the cache, which reports nothing.
        process = subprocess.Popen([PROGRAM, "tiles", "w.terrain", "--tile", "256", "--range-cells",
                                    "0,0,5120,5120", "-o", "t_{x}_{y}.png", "--threads", "1"],
                                   cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 1000)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(ours)
        self.assertEqual(process.wait(timeout=50), 0)
        percents = [int(number) for number in re.findall(rb"(\d+)%", shown)]
        self.assertGreater(len(percents), 1)
        self.assertEqual(percents, sorted(percents))
        self.assertTrue(60 < percents[-1] <= 100, percents)

    def test_interrupt(self):
        """Guards against Ctrl-C that loses finished tiles, or leaves half of one."""
        self.write("w.terrain", SLOW)
        arguments = ("--tile", "200", "--range-cells", "0,0,2000,2000", "-o", "t_{x}_{y}.r32")
        process = subprocess.Popen([PROGRAM, "tiles", "w.terrain", *arguments, "--threads", "2"],
                                   cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()  # a tile is in its place
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=50)[1]
        self.assertEqual((process.returncode, errors), (130, b"terrain: interrupted\n"))
        done = self.names(".r32")
        self.assertTrue(0 < len(done) < 100)
        self.assertEqual(self.names(""), sorted([*done, "t_x_y.r32.tiles", "w.terrain"]))
        for name in done:
            self.assertEqual(len(self.read(name)), 200 * 200 * 4)
        listed = self.read("t_x_y.r32.tiles").decode().count("done ")
        self.assertEqual(listed, len(done))

    def test_folders(self):
        """Guards against names with numbered folders that are refused, or told of too late."""
        made = ("--tile", "50", "--range-cells", "0,0,100,100", "-o", "t/{x}/{y}.r32")
        os.makedirs(self.path("t/0"))
        self.assertIn("t/1/0.r32: can't be written: No such file", self.tiles(*made, code=1).stderr)
        self.assertEqual(os.listdir(self.path("t/0")), [])
        os.mkdir(self.path("t/1"))
        self.tiles(*made)
        self.assertEqual(sorted(os.listdir(self.path("t"))), ["0", "1", "x_y.r32.tiles"])
        self.assertIn("all there already", self.tiles(*made).stdout)
        self.tiles(*made[:-1], "t_{x}_{y}.r32")
        for name in ("0_0", "0_1", "1_0", "1_1"):
            self.assertEqual(self.read("t/%s.r32" % name.replace("_", "/")), self.read("t_%s.r32" % name))
        joined = self.call("join", "t/{x}/{y}.r32", "-o", "all.tif").stdout
        self.assertEqual(joined, self.call("join", "t_{x}_{y}.r32", "-o", "all.tif").stdout)

    def test_disk_full(self):
        """Guards against half a tile, and lost ones, where the disk is full."""

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        told = self.tiles("--tile", "50", "--range-cells", "0,0,50,50", "-o", "t_{x}_{y}.r32").stdout
        self.assertIn("tiles of 50 x 50 cells\n", told)
        before = self.read("t_0_0.r32")
        result = subprocess.run(
            [PROGRAM, "tiles", "w.terrain", "--tile", "100", "--range-cells", "0,0,400,100", "-o",
             "s_{x}_{y}.r32"], cwd=self.folder.name, preexec_fn=limit, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aterrain: s_\d_0.r32: can't be written: File too large\n\Z")
        self.assertEqual(self.names(""), ["t_0_0.r32", "t_x_y.r32.tiles", "w.terrain"])
        self.assertEqual(before, self.read("t_0_0.r32"))


class Stitch(Case):
    def setUp(self):
        """Tiles that were eroded one by one: bounded maps, whose edges differ."""
        super().setUp()
        self.write("m.terrain", "a = generate_noise seed=3 period=60\nb = erode_shear_regions a\n")
        for x in range(3):
            for y in range(2):
                self.call("run", "m.terrain", "--size", "65x65", "--origin", "%d,%d" % (64 * x, 64 * y),
                          "-o", "n_%d_%d.r32" % (x, y))

    def cells(self, name, size=65):
        return struct.unpack("<%df" % (size * size), self.read(name))

    def test_methods(self):
        """Guards against edges that still differ in the files, and numbers that say otherwise."""
        for method, more in (("edges", ()), ("match", ("--bend", "5")), ("blend", ()),
                             ("edges", ("--width", "12", "--curve", "linear"))):
            out = self.call("stitch", "n_{x}_{y}.r32", "--method", method, *more, "-o", "s_{x}_{y}.r32")
            before, after = out.stdout.splitlines()
            self.assertNotIn("worst step 0,", before)
            self.assertIn("after: worst step 0,", after)
            self.assertEqual(self.cells("s_0_0.r32")[64::65], self.cells("s_1_0.r32")[::65])
            self.assertEqual(self.cells("s_1_0.r32")[-65:], self.cells("s_1_1.r32")[:65])
            again = self.call("stitch", "s_{x}_{y}.r32", "--method", method, *more, "-o", "a_{x}_{y}.r32")
            self.assertIn("after: worst step 0,", again.stdout)
            self.assertEqual(self.read("a_1_1.r32"), self.read("s_1_1.r32"))

    def test_one_scale(self):
        """Guards against files of integers that each have a scale of their own, or one that leaves
        out the highest or the lowest cell of all."""
        self.call("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.png")
        self.call("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32")
        left, right = self.heights("s_0_0.png"), self.heights("s_1_0.png")
        self.assertEqual(left[64::65], right[::65])
        tiles = ["s_%d_%d" % (x, y) for x in range(3) for y in range(2)]
        exact = [cell for tile in tiles for cell in self.cells(tile + ".r32")]
        drawn = [cell for tile in tiles for cell in self.heights(tile + ".png")]
        step = (max(exact) - min(exact)) / 65535
        self.assertLess(max(abs(a - b) for a, b in zip(exact, drawn)), step)
        # A tile without heights has no part in it: 0 is far below all others here.
        for name, height in (("v_0_0.r32", 5000), ("v_1_0.r32", float("nan"))):
            self.write(name, struct.pack("<256f", *(height + i for i in range(256))))
        self.call("stitch", "v_{x}_{y}.r32", "-o", "w_{x}_{y}.png", "--width", "2")
        self.assertGreater(min(self.heights("w_0_0.png")), 4999)

    def test_own_files(self):
        """Guards against tiles that are overwritten by others of them; in their own places they may be."""
        for pattern in ("n_{y}_{x}.r32", "./n_{y}_{x}.r32"):
            self.refuse("stitch", "n_{x}_{y}.r32", "-o", pattern, says="is one of the tiles, and would be lost; "
                        r"expected names of other files, or 'n_\{x\}_\{y\}.r32' to replace each tile")
        os.symlink("n_1_0.r32", self.path("s_0_0.r32"))
        self.refuse("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", says="s_0_0.r32: is one of the tiles")
        for x in range(3):  # one row: only the first tile has a name of both patterns
            self.write("r_%d_0.r32" % x, self.read("n_%d_0.r32" % x))
        self.refuse("stitch", "r_{x}_{y}.r32", "-o", "r_{y}_{x}.r32", says="r_0_0.r32: is one of the tiles")
        os.remove(self.path("s_0_0.r32"))
        self.call("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32")
        wanted = {name[1:]: self.read(name) for name in os.listdir(self.folder.name) if name.startswith("s_")}
        self.assertEqual(len(wanted), 6)
        self.call("stitch", "n_{x}_{y}.r32", "-o", "./n_{x}_{y}.r32")
        for name, data in wanted.items():
            self.assertEqual(self.read("n" + name), data)

    def test_folders(self):
        """Guards against a folder that is missed when all is stitched, and names that are taken for patterns."""
        os.makedirs(self.path("d/0"))
        result = self.run_program("stitch", "n_{x}_{y}.r32", "-o", "d/{x}/{y}.r32")
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (1, "", "terrain: d/1/0.r32: can't be written: No such file or directory\n"))
        os.mkdir(self.path("d{x}"))
        self.call("join", "n_{x}_{y}.r32", "--overlap", "1", "-o", "d{x}/j.r32")

    def test_places(self):
        """Guards against tiles that lose their places on the Earth, or have each other's."""
        places = []
        for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
            tags = [(33550, 12, (10.0, 10.0, 0.0)), (33922, 12, (0.0, 0.0, 0.0, 4e5 + 70 * x, 5e6 - 70 * y, 0.0))]
            heights = [float(7 * x + i % 8 + 7 * y + i // 8) for i in range(64)]
            self.write("e_%d_%d.tif" % (x, y), tiff(8, 8, 1, 32, 3, struct.pack("<64f", *heights), tags))
            places.append(struct.pack("<6d", *tags[1][2]))
        self.call("stitch", "e_{x}_{y}.tif", "-o", "f_{x}_{y}.tif", "--width", "2")
        self.call("join", "e_{x}_{y}.tif", "--overlap", "1", "-o", "all.tif")
        for k, name in enumerate(("f_0_0.tif", "f_1_0.tif", "f_0_1.tif", "f_1_1.tif")):
            self.assertIn(places[k], self.read(name))
        self.assertIn(places[0], self.read("all.tif"))
        self.call("join", "e_{x}_{y}.tif", "--overlap", "1", "--y-up", "-o", "up.tif")
        self.assertIn(places[2], self.read("up.tif"))
        self.call("join", "e_{x}_{y}.tif", "--overlap", "1", "--flip", "-o", "turned.tif")
        self.assertFalse(any(place in self.read("turned.tif") for place in places))

    def test_join(self):
        """Guards against tiles in the wrong places, and pictures of another size."""
        self.call("join", "n_{x}_{y}.r32", "--overlap", "1", "-o", "j.r32")
        whole = struct.unpack("<%df" % (193 * 129), self.read("j.r32"))
        self.assertEqual(whole[193 * 100 + 150], self.cells("n_2_1.r32")[36 * 65 + 22])
        self.call("join", "n_{x}_{y}.r32", "--overlap", "0", "-o", "k.r32")
        self.assertEqual(len(self.read("k.r32")), 195 * 130 * 4)
        for option in ("--relief", "--borders"):
            self.call("join", "n_{x}_{y}.r32", "--overlap", "1", option, "--exaggeration", "1", "-o", "p.png")
            self.assertEqual(struct.unpack(">IIBB", self.read("p.png")[16:26]), (193, 129, 8, 2))
        self.call("join", "n_{x}_{y}.r32", "--overlap", "1", "--y-up", "-o", "up.r32")
        upside = struct.unpack("<%df" % (193 * 129), self.read("up.r32"))
        self.assertEqual(upside[193 * 3 + 7], self.cells("n_0_1.r32")[3 * 65 + 7])

    def test_refused(self):
        """Guards against tiles that are no grid, and options that mean nothing."""
        for arguments, says in (
                (("stitch", "n_{x}.r32", "-o", "s_{x}_{y}.r32"), r"expected a name with \{x\} and"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s.r32"), r"expected a name with \{x\} and"),
                (("stitch", "n_{x}_{y}.r32"), "expected -o"),
                (("stitch", "q_{x}_{y}.r32", "-o", "s_{x}_{y}.r32"), "there is no tile 0, 0"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--method", "glue"), "expected edges"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--bend", "3"), "no parameter 'bend'"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--width", "0"),
                 r"width is 0, must be in \[1, 65536\]"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--overlap", "4"),
                 "must be 1 but for --method blend"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--overlap", "40", "--method", "blend"),
                 "overlap is 40, but maps are 65x65"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--overlap", "66", "--method", "blend"),
                 "overlap is 66"),
                (("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", "--relief"), "found '--relief'"),
                (("join", "n_{x}_{y}.r32", "-o", "j.r32", "--overlap", "65"),
                 "--overlap is 65, must be less than the tiles' 65x65 cells"),
                (("join", "n_{x}_{y}.r32", "--overlap", "1", "-o", "j.jpg"), "expected a name that ends in"),
                (("join", "n_{x}_{y}.r32", "-o", "n_1_1.r32"), "n_1_1.r32: is one of the tiles"),
                (("join", "n_{x}_{y}.r32", "-o", "./n_2_0.r32"), "n_2_0.r32: is one of the tiles"),
                (("join", "n_{x}_{y}.r32", "--overlap", "1", "-o", "j.r32", "--relief"), "pictures are .png files")):
            self.refuse(*arguments, says=says)
        for output in ("s_{x}_{y}.jpg", "none/s_{x}_{y}.r32"):
            code = 1 if output.startswith("none") else 2
            result = self.refuse("stitch", "n_{x}_{y}.r32", "-o", output, code=code)
            self.assertEqual(result.stdout, "")  # before all is read and stitched
        for missing in ("0_1", "1_0"):  # first of a row, first of a column
            os.rename(self.path("n_%s.r32" % missing), self.path("elsewhere.r32"))
            self.refuse("join", "n_{x}_{y}.r32", "--overlap", "1", "-o", "j.r32",
                        says="there is no tile %s, but one beyond it" % missing.replace("_", ", "))
            os.rename(self.path("elsewhere.r32"), self.path("n_%s.r32" % missing))
        os.rename(self.path("n_1_1.r32"), self.path("elsewhere.r32"))
        self.refuse("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32", says="n_1_1.r32: can't be read")
        self.write("n_1_1.r32", bytes(4 * 64 * 64))
        self.refuse("stitch", "n_{x}_{y}.r32", "-o", "s_{x}_{y}.r32",
                    says="n_1_1.r32: is 64x64, but the first tile is 65x65")
        self.refuse("join", "n_{x}_{y}.r32", "-o", "j.r32", says="tiles must be of one size")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
