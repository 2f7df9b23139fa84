#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT

"""The program as its users meet it: what it prints, writes, refuses, and leaves behind.

Usage: test_terrain.py PROGRAM SOURCE_ROOT [TEST]...
"""

import fcntl
import json
import lzma
import math
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

with open(PROGRAM, "rb") as binary:
    SANITIZED = re.search(rb"__[at]san_init", binary.read()) is not None

CHAIN = "d = generate_diamond_square seed=3\nt = erode_thermal d iterations=5\nb = shape_clamp t\n"


def png(width, height, depth, color, rows, chunks=(), interlace=0):
    """A PNG file; rows are bytes without their filter byte."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    data = b"".join(b"\0" + row for row in rows)
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)
    middle = b"".join(chunk(kind, body) for kind, body in chunks)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + middle
            + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def pixels(data):
    """Of a picture of 8 bits, RGB or RGBA, a list of rows."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert depth == 8, depth
    count = {2: 3, 6: 4}[kind]
    packed, at = b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    raw = zlib.decompress(packed)
    size = count * width
    above, rows = bytes(size), []
    for y in range(height):
        line = bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        how = raw[y * (size + 1)]
        for i in range(size):
            left, corner = (line[i - count], above[i - count]) if i >= count else (0, 0)
            up = above[i]
            near = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, near)[how]) % 256
        above = bytes(line)
        rows.append([tuple(above[count * x:count * (x + 1)]) for x in range(width)])
    return rows


def tiff(width, height, samples, bits, form, data, extra=(), tile=None, pages=()):
    """A little-endian TIFF file of one strip, or of tiles that lie one after another. An extra entry
    is (tag, type, value), whose value may be a tuple of numbers, or text. Each of the pages is a
    list of such entries, of a further page with the same cells."""
    numbers = {2: "s", 3: "H", 4: "I", 12: "d"}
    first = {256: (4, width), 257: (4, height), 258: (3, bits), 259: (3, 1), 262: (3, 1),
             273: (4, 8), 277: (3, samples), 278: (4, height), 279: (4, len(data)), 339: (3, form)}
    if tile:
        count = -(-width // tile) * -(-height // tile)
        size = len(data) // count
        for tag in (273, 278, 279):
            del first[tag]
        first.update({322: (4, tile), 323: (4, tile),
                      324: (4, tuple(8 + size * i for i in range(count))),
                      325: (4, (size,) * count)})
    body = struct.pack("<2sHI", b"II", 42, 8 + len(data)) + data
    for more in [extra, *pages]:
        entries = {**first, **{tag: (kind, value) for tag, kind, value in more}}
        directory = struct.pack("<H", len(entries))
        later = b""
        at = len(body) + 2 + 12 * len(entries) + 4
        for tag, (kind, value) in sorted(entries.items()):
            values = value if isinstance(value, (tuple, bytes)) else (value,)
            packed = (values if kind == 2
                      else struct.pack("<%d%s" % (len(values), numbers[kind]), *values))
            directory += struct.pack("<HHI", tag, kind, len(values))
            if len(packed) <= 4:
                directory += packed.ljust(4, b"\0")
            else:
                directory += struct.pack("<I", at + len(later))
                later += packed
        body += directory + struct.pack("<I", at + len(later)) + later
    return body[:-4 - len(later)] + b"\0\0\0\0" + later


def default_signals():
    """A process under nohup ignores SIGHUP, and so would its children."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)

    def call(self, *arguments, code=0):
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, code, (arguments, result.stdout, result.stderr))
        return result

    def refuse(self, *arguments, code=2, says="."):
        """The call fails with one sentence, and leaves the folder as it was."""
        before = {name: self.read(name) for name in os.listdir(self.folder.name)}
        result = self.call(*arguments, code=code)
        after = {name: self.read(name) for name in os.listdir(self.folder.name)}
        self.assertEqual(before.keys(), after.keys(), result.stderr)
        self.assertEqual(before, after)
        lines = result.stderr.splitlines()
        self.assertTrue(lines and lines[0].startswith("terrain: "), result.stderr)
        self.assertIn(len(lines), (1, 2), result.stderr)
        for line in lines[1:]:
            self.assertRegex(line, r"^Try 'terrain( [a-z]+)? --help'\.$")
        self.assertRegex(lines[0], says)
        return result

    def heights(self, name, *options):
        """The heights of a file, as 32-bit words."""
        self.write("same.terrain", "input a\nb = shape_clamp a\n")
        self.call("run", "same.terrain", "--input", "a=" + name, "-o", "same.r32", *options)
        data = self.read("same.r32")
        return struct.unpack("<%df" % (len(data) // 4), data)


class Operations(Case):
    def test_list(self):
        """Guards against operations that the list or their own page leaves out."""
        names = [line.split()[0] for line in self.call("ops").stdout.splitlines()]
        self.assertIn("shape_clamp", names)
        for name in names:
            page = self.call("ops", name).stdout
            self.assertTrue(page.startswith(name + ": "))
            self.assertRegex(page, rf"\n    (NAME|NAME NAME \.\.\.) = {name}\b")
            self.assertIn("Locality: ", page)
        described = self.call("ops", "generate_voronoi").stdout
        self.assertIn("metric: enum; euclidean (euclidean, chebyshev, manhattan, squared)\n", described)
        self.refuse("ops", "shape_clam", says=r"the name of an operation .*did you mean 'shape_clamp'\?")
        self.refuse("ops", "clamp", says=r"did you mean 'shape_clamp'\?")
        self.assertNotIn("mean", self.refuse("ops", "q", says="found 'q'").stderr)
        self.refuse("ops", "erodee", says=r"did you mean 'erode'\?")
        self.refuse("ops", "erosion", says=r"or a verb \(generate, erode, .*, stitch\), found 'erosion'")
        blurs = [line.split()[0] for line in self.call("ops", "blur").stdout.splitlines()]
        self.assertEqual(blurs, [name for name in names if name.startswith("blur_")])
        self.refuse("ops", "shape_clamp", "shape_clamp", says="expected: terrain ops")
        self.refuse("ops", "--jason", says=r"found '--jason' \(did you mean '--json'\?\)")

    def test_json(self):
        """Guards against JSON that other programs can't read or that lacks a member."""
        operations = json.loads(self.call("ops", "--json").stdout)
        names = [line.split()[0] for line in self.call("ops").stdout.splitlines()]
        self.assertEqual([operation["name"] for operation in operations], names)
        members = {"name", "verb", "summary", "reference", "locality", "halo", "tiling", "signature",
                   "result_version", "ports", "parameters"}
        port_columns = {"name", "role", "lattice", "spacing", "parameter", "optional", "mask", "grid"}
        columns = {"name", "type", "unit", "scaling", "min", "max", "count_max", "default", "default_text", "values",
                   "value_docs", "slider", "power_of_two", "when", "doc"}
        for operation in operations:
            self.assertEqual(set(operation), members)
            self.assertTrue(operation["name"].startswith(operation["verb"] + "_"))
            self.assertIn(operation["locality"], ("pointwise", "local", "global"))
            self.assertEqual(operation["halo"] is None, operation["locality"] == "global")
            self.assertEqual(operation["locality"] == "global", operation["tiling"] != "windows")
            maps = [p["name"] for p in operation["parameters"] if p["type"].startswith("map_")]
            self.assertEqual([p["name"] for p in operation["ports"] if p["parameter"]], maps)
            for port in operation["ports"]:
                self.assertEqual(set(port), port_columns)
                self.assertEqual(port["grid"], operation["verb"] == "stitch")
                self.assertEqual(port["mask"], port["name"] == "mask")
                self.assertIn(port["role"], ("read", "write", "change"))
                self.assertIn(port["lattice"], ("call", "own", "coarse"))
            for parameter in operation["parameters"]:
                self.assertEqual(set(parameter), columns)
                self.assertEqual(parameter["count_max"], 64 if parameter["type"] == "float_array" else None)
                if parameter["type"] == "uint64":
                    self.assertRegex(parameter["default"], "^[0-9]+$")
                    self.assertRegex(parameter["max"], "^[0-9]+$")
                if parameter["type"] == "enum":
                    self.assertIn(parameter["default"], parameter["values"])
                    self.assertEqual(len(parameter["values"]), len(parameter["value_docs"]))
                if parameter["type"] == "float":
                    self.assertEqual(len(parameter["slider"]), 2)
        clamp = next(o for o in operations if o["name"] == "shape_clamp")
        low = next(p for p in clamp["parameters"] if p["name"] == "low")
        self.assertEqual((low["min"], low["max"], low["default"], low["default_text"]), (None, None, None, "-inf"))
        remap = next(o for o in operations if o["name"] == "shape_remap")
        low = next(p for p in remap["parameters"] if p["name"] == "from_low")
        self.assertEqual(low["when"], {"parameter": "mode", "values": ["given"]})
        powers = [p["name"] for o in operations if o["name"] == "generate_drainage" for p in o["parameters"]
                  if p["power_of_two"]]
        self.assertEqual(powers, ["map_spacing", "period", "plate_spacing"])

    def test_defaults_run(self):
        """Guards against a default or a value in the JSON that the recipe reader refuses."""
        for operation in json.loads(self.call("ops", "--json").stdout):
            if operation["verb"] == "stitch":
                continue  # which takes several maps
            for pick in (0, 1):
                words, picked = [], {}
                for parameter in operation["parameters"]:
                    when = parameter["when"]
                    value = parameter["default_text"]
                    if parameter["type"] == "enum":
                        value = parameter["values"][-pick]
                    picked[parameter["name"]] = value
                    if value is not None and (parameter["type"] != "float" or pick == 0):
                        words.append((when, "%s=%s" % (parameter["name"], value)))
                # What has no default, a map, is not given.
                words = [word for when, word in words
                         if when is None or (picked[when["parameter"]] or False) in when["values"]]
                maps = {"generate": "", "combine": "a a"}.get(operation["verb"], "a")
                recipe = "input a\nb = %s %s %s\n" % (operation["name"], maps, " ".join(words))
                self.write("all.terrain", recipe)
                self.write("a.r32", struct.pack("<4f", 1, 2, 3, 4))
                self.call("run", "all.terrain", "--input", "a=a.r32")

    def test_counts(self):
        """Guards against a parameter that is written, does nothing, and nobody is told."""
        for text, message in (
                ("erode_thermal a quantum=1", "line 2, column 21: quantum counts only where mode is quantum"),
                ("combine_blend a a radius=1",
                 ": radius counts only where mode is smooth_minimum or smooth_maximum"),
                ("shape_terrace a levels=1,2 spacing=3",
                 ": spacing counts only where levels is not given"),
                ("blur_variable a amount=a period=3",
                 ": period counts only where amount is not given")):
            self.write("c.terrain", "a = generate_noise\nb = %s\n" % text)
            self.assertIn(message, self.call("run", "c.terrain", code=2).stderr)
        for text in ("erode_thermal a quantum=1 mode=quantum", "shape_terrace a spacing=3",
                     "erode_thermal a mode=layers debris=a"):
            self.write("c.terrain", "a = generate_noise\nb = %s\n" % text)
            self.call("run", "c.terrain", "--size", "9x9")


class Run(Case):
    def test_hash_is_last(self):
        """Guards against a hash that is not the last line, or not that of the written heights."""
        self.write("c.terrain", CHAIN)
        lines = self.call("run", "c.terrain", "--size", "60x50", "-o", "b.tif", "-o", "b.r32", "-o",
                          "b=b.pfm", "-o", "d=d.tiff", "-o", "b.png").stdout.splitlines()
        self.assertRegex(lines[-1], "^[0-9a-f]{16}$")
        for line, name in zip(lines, "dtb"):
            self.assertRegex(line, "^" + name + r" .* 60 x 50 .* [0-9.]+ ms$")
        self.assertTrue(any(re.match("b.png: heights from .* to ", line) for line in lines))
        for name in ("b.tif", "b.pfm"):
            self.assertEqual(self.call("hash", name).stdout, lines[-1] + "\n")
        self.assertEqual(self.call("hash", "b.r32", "--size", "60x50").stdout, lines[-1] + "\n")
        self.assertNotEqual(self.call("hash", "d.tiff").stdout, lines[-1] + "\n")
        self.write("zero.r32", b"\0\0\0\0")
        self.assertEqual(self.call("hash", "zero.r32").stdout, "d412325f5a0a99ac\n")

    def test_same_bits(self):
        """Guards against results that depend on threads, instruction sets or the window."""
        self.write("c.terrain", CHAIN)
        hashes = {self.call("run", "c.terrain", *options).stdout.splitlines()[-1]
                  for options in ((), ("--threads", "1"), ("--threads", "3"), ("--isa", "baseline"),
                                  ("--isa", "avx2"), ("--isa", "avx512"))}
        self.assertEqual(len(hashes), 1)
        self.assertNotIn(self.call("run", "c.terrain", "--seed", "1").stdout.splitlines()[-1], hashes)
        self.assertNotIn(self.call("run", "c.terrain", "--origin", "0,1").stdout.splitlines()[-1],
                         hashes)
        self.call("run", "c.terrain", "--world", "--size", "40x30", "--origin", "-20,5", "-o", "l.r32")
        self.call("run", "c.terrain", "--world", "--size", "10x8", "--origin", "-13,9", "-o", "s.r32")
        large, small = self.read("l.r32"), self.read("s.r32")
        rows = [large[4 * (40 * y + 7):][:40] for y in range(4, 12)]
        self.assertEqual(b"".join(rows), small)

    def test_inputs(self):
        """Guards against inputs that lose their size, and sizes that win over them."""
        self.write("i.terrain", "input a\nb = shape_clamp a low=2\nc = combine_blend b a\n")
        self.write("a.r32", struct.pack("<6f", 1, 2, 3, 4, 5, 6))
        self.call("run", "i.terrain", "--input", "a=a.r32", "--size", "3x2", "-o", "b=b.pfm")
        self.assertEqual(self.read("b.pfm")[:12], b"Pf\n3 2\n-1.0\n")
        self.assertEqual(self.heights("b.pfm"), (2, 2, 3, 4, 5, 6))
        self.refuse("run", "i.terrain", says="input 'a' is missing: give --input a=FILE")
        self.refuse("run", "b.pfm", says="b.pfm: is a map, expected a recipe")
        self.refuse("run", "i.terrain", "--input", "b=b.pfm", says="'b' is not an input of i.terrain")
        self.write("long.terrain", "input ground\nb = blur_box ground\n")
        self.refuse("run", "long.terrain", "--input", "grond=b.pfm", says="did you mean 'ground'")
        self.refuse("run", "i.terrain", "--input", "a=a.r32", says="has 24 bytes, which is not a sq")
        self.refuse("run", "i.terrain", "--input", "a=a.r32", "--size", "2x2",
                    says="a.r32: has 24 bytes, must have 4 for each of 2x2 heights")
        self.refuse("run", "i.terrain", "--input", "a=none.r32", says="none.r32: can't be read")
        self.refuse("run", "i.terrain", "--input", "a.r32", says="expected NAME=FILE")
        many = ["--input", "a=a.r32"] * 64
        self.refuse("run", "i.terrain", *many, "--size", "3x2", says="input 'a' is given twice")
        self.refuse("run", "i.terrain", *many, "--input", "a=a.r32", says="expected at most 64 files")

    def test_size_of_inputs(self):
        """Guards against a --size that is ignored without a word, as where all maps have the inputs' size."""
        self.write("i.terrain", "input a\nb = shape_clamp a low=2\n")
        self.write("both.terrain", "input a\nb = shape_clamp a\nc = generate_noise\n")
        self.write("on.terrain", "input a\nb = generate_noise\nc = combine_blend a b\n")
        self.call("run", "i.terrain", "--input", "a=" + self.write("a.r32", bytes(4 * 8 * 6)), "--size", "8x6",
                  "-o", "a.pfm")
        given = ("--input", "a=a.pfm")
        says = "--size is 9x6, expected 8x6, the size of a.pfm: what is made of inputs alone has theirs"
        for command, out in (("run", "b.png"), ("view", "b.png")):
            self.refuse(command, "i.terrain", *given, "--size", "9x6", "-o", out, says=says)
            self.refuse(command, "i.terrain", *given, "--size", "9x6", "--scale", "1/2", "-o", out, says=says)
            self.refuse(command, "on.terrain", *given, "--size", "9x6", "--scale", "1/2", "-o", out, says=says)
            self.call(command, "i.terrain", *given, "--size", "8x6", "-o", out)
            self.call(command, "i.terrain", *given, "--size", "8x6", "--scale", "1/2", "-o", out)
            self.call(command, "i.terrain", *given, "--size", "3x2", "--world", "-o", out)
        # Where something is generated, that has the size, and nothing else needs to.
        self.call("run", "both.terrain", *given, "--size", "9x6", "-o", "b=b.pfm", "-o", "c=c.pfm")
        self.assertEqual((self.read("b.pfm")[:6], self.read("c.pfm")[:6]), (b"Pf\n8 6", b"Pf\n9 6"))
        self.refuse("run", "on.terrain", *given, "--size", "9x6", "-o", "c.pfm", says="line 3, c: 'b' is 9x6 at .*, must be 8x6")
        # Cells and place are the run's in any case: they are never ignored.
        self.call("run", "i.terrain", *given, "--cell-size", "3", "--origin", "5,7", "-o", "c.tif")
        self.assertIn("cells of 3\n", self.call("run", "i.terrain", "--input", "a=c.tif").stdout)
        result = self.call("run", "i.terrain", "--input", "a=c.tif", "--cell-size", "2", "-o", "d.tif")
        self.assertIn("c.tif: has cells of 3, taken to be 2", result.stderr)

    def test_bad_recipes(self):
        """Guards against recipes that fail without their place, or leave a file."""
        for text, says in (
                ("a = generate_nois\n", r"line 1, column 5: expected an operation"),
                ("a = noise\n", r"line 1, column 5: .* \(did you mean 'generate_noise'\?\)"),
                ("a = generate_diamond_square\nb = shape_clamp a least=0\n",
                 r"line 2, column 19: expected a parameter of shape_clamp \(low, high, mask\), found 'least'"),
                ("a = generate_drainage zebra=0\n", r"line 1, .* generate_drainage \(seed, .*, \.\.\.\), found 'zebra'"),
                ("a = generate_diamond_square\n\nb = shape_clamp c\n", "line 3, column 17: expected a map"),
                ("a = generate_diamond_square spacing=x", "line 1, column 37: expected a whole"),
                ("a = generate_diamond_square seed=-1", r"line 1, column 34: .* for seed, found '-1'"),
                ("a = generate_diamond_square seed=18446744073709551616", "line 1, column 34: "),
                ("a = generate_diamond_square\nb = erode_thermal a neighbourhood=more",
                 r"line 2, column 35: expected a value of neighbourhood \(moore, von_neumann, rotated"
                 r"\), found 'more' \(did you mean 'moore'\?\)"),
                ("a = generate_diamond_square\nb = erode_thermal a rate=2",
                 r"line 2, column 26: .*\[0, 1\] for rate, found '2'"),
                ("results 77\n", "line 1, column 9: "),
                ("\xff\xfe\0\0", "line 1, column 1: "),
                ("", "line 1, column 1: ")):
            self.write("bad.terrain", text.encode("latin-1"))
            self.refuse("run", "bad.terrain", "-o", "out.png", says="bad.terrain: " + says)
        self.refuse("run", "none.terrain", "-o", "out.png", says="none.terrain: can't be read")
        self.refuse("run", ".", "-o", "out.png", says="can't be read: ")
        self.write("c.terrain", CHAIN)
        self.refuse("run", "c.terrain", "-o", "q=out.png", says="makes no map 'q'$")
        self.write("long.terrain", "height = generate_noise\n")
        self.refuse("run", "long.terrain", "-o", "hieght=out.png", says=r"did you mean 'height'\?")
        self.write("g.terrain", "a = generate_diamond_square\nb = shape_remap a mode=found\n")
        self.refuse("run", "g.terrain", "--world", "-o", "out.png", says="line 2, b: shape_remap")

    def test_memory(self):
        """What can't be had is told before it is tried: twenty wide blurs of a small window."""
        self.write("greedy", "m = generate_noise\n" + "m = blur_box m radius=1024\n" * 20)
        self.refuse("run", "greedy", "--world", "--size", "64x64", "--memory", "2G", code=1,
                    says=r"line 2, m: \d+ bytes would be needed here, for 41024x41024 cells.*"
                         r"memory_limit is 2147483648 \(--memory sets it\)")
        self.write("small", "a = generate_noise\nb = erode_thermal a\n")
        self.refuse("run", "small", "--memory", "1M", code=1, says="line 2, b: .* 512x512 cells")
        self.call("run", "small", "--memory", "64M")
        self.call("run", "small", "--memory", "0")
        # Maps that are read and made count, too: 4 MiB each.
        self.write("made.terrain", "".join("m%d = generate_noise\n" % i for i in range(8)))
        made = ("run", "made.terrain", "--size", "1024x1024", "--threads", "1", "--memory")
        self.call(*made, "30M")
        self.call(*made, "80M", "--verbose")
        self.refuse(*made, "40M", "--verbose", code=1,
                    says="made.terrain: [0-9]{8} bytes would be needed, and 0 for the inputs; --memory is 41943040")
        self.write("read.terrain", "input a\ninput b\nc = combine_blend a b\n")
        self.write("a.r32", bytes(4 << 20))
        read = ("--input", "a=a.r32", "--input", "b=a.r32", "--threads", "1", "--memory")
        self.call("run", "read.terrain", *read, "30M")
        self.refuse("run", "read.terrain", *read, "10M", code=1, says="bytes would be needed, and 8388608 for the inputs")
        self.refuse("run", "read.terrain", *read, "5M", code=1, says="and 8388608 for the inputs")
        self.refuse("view", "read.terrain", *read, "10M", "-o", "v.png", code=1, says="and 8388608 for the inputs")
        for wrong in ("-1", "1T", "", "1.5G", "M", "18446744073709551615K"):
            self.refuse("run", "small", "--memory=" + wrong, says="expected bytes")

    def test_bad_arguments(self):
        """Guards against arguments that are taken for something else."""
        self.write("c.terrain", CHAIN)
        for arguments in (("--size", "0x3"), ("--size", "3"), ("--size", "3x"), ("--size", "3x3x3"),
                          ("--size", "-3x3"), ("--size", "4294967296x1"), ("--size", " 3x3"),
                          ("--cell-size", "0"), ("--cell-size", "nan"), ("--cell-size", "1e10"),
                          ("--cell-size", "1x"), ("--origin", "1"), ("--origin", "1,"),
                          ("--origin", "1,2,3"), ("--origin", "9223372036854775808,0"),
                          ("--origin", "4611686018427387904,0"), ("--seed", "-1"),
                          ("--seed", "18446744073709551616"), ("--seed", ""), ("--threads", "0"),
                          ("--threads", "257"), ("--isa", "avx"), ("--range", "1"),
                          ("--range", "1,1"), ("--range", "2,1"), ("--range", "0,inf"),
                          ("-o", "out.jpg"), ("-o", "out"), ("-o", "b=.png/out"), ("extra",)):
            self.refuse("run", "c.terrain", "-o", "out.png", *arguments)
        for arguments in (("run",), ("hash",), ("view",), ("view", "a.png"), ("hash", "a", "b"),
                          ("runs",), ("view", "a.r32", "-o", "b.tif"), ("hash", "a.obj")):
            self.refuse(*arguments)
        for command in ("run", "hash", "view", "measure", "stitch", "tiles"):
            self.refuse(command, "--unknown", says="found '--unknown'")
            self.refuse(command, "--size", says=r"found '--size' \(did you mean '--tile'\?\)" if command == "tiles"
                        else "expected a value for --size")
        self.refuse("run", "c.terrain", "--sise=3x3", says=r"found '--sise=3x3' \(did you mean '--size'\?\)")
        self.refuse("run", "c.terrain", "--world=3", says="expected no value for --world=3")
        for command in ("run", "view", "stitch", "join", "tiles"):
            self.refuse(command, "c.terrain", "-o", says=f"terrain {command}: expected a value for -o")
        self.refuse("hash", "-o", says="expected an option, found '-o'")
        self.refuse("hash", "-x.tif", says="expected an option, found '-x.tif'")
        self.refuse("run", "c.terrain", "-x.tif", "-y", says="expected an option, found '-x.tif'")
        self.refuse("run", "c.terrain", "-y", "-x.tif", says="expected an option, found '-y'")
        # A dash that is missing, whatever stands before.
        for before in ((), ("--world",), ("--seed", "3"), ("-o", "out.png"), ("-oout.png",), ("--size=3x3",)):
            for word in ("-size", "-world", "-seed=3", "-output", "-input"):
                says = r"expected an option, found '%s' \(did you mean '-%s'\?\)" % (word, word.split("=")[0])
                self.refuse("run", *before, word, "3x3", "c.terrain", says=says)
                self.refuse("run", "c.terrain", *before, word, "3x3", says=says)
        for command in ("view", "stitch", "join", "tiles"):
            self.refuse(command, "c.terrain", "-output", "b.png", says=r"found '-output' \(did you mean '--output'\?\)")
        self.refuse("hash", "-size", "3x3", "a.r32", says=r"terrain hash: .* found '-size' \(did you mean '--size'\?\)")
        self.refuse("run", "--world", "--origin", "-3,17", "-y", "c.terrain", says="found '-y'")
        self.refuse("runs", says=r"found 'runs' \(did you mean 'run'\?\)")
        self.refuse("mountains", says="found 'mountains'$")  # like none of them
        self.call("--version")

    def test_help(self):
        """Guards against a command whose help lacks one of its options, or says what is another's."""
        everything = self.call("--help").stdout
        self.assertEqual(self.call("help").stdout, everything)
        self.assertEqual(self.call(code=2).stderr, everything)
        self.assertEqual(self.call("help", "--help").stdout, everything)
        self.refuse("hash", "--", "--help", says="--help: expected a name that ends in")
        # An empty name, of a map to read or to write, as of a variable that a script did not set.
        self.refuse("hash", "", says="terrain: expected the name of a file that ends in .*, .r32 or .pfm, found ''$")
        self.refuse("run", "c", "--input", "a=", says="expected the name of a file that ends in .* or .pfm, found ''$")
        for out in ("", "a="):
            self.refuse("run", "c", "-o", out, says="expected the name of a file that ends in .* or .glb, found ''$")
        self.refuse("view", "c", "-o", "", says="expected the name of a file that ends in .png, found ''$")
        self.refuse("run", "c", "--input", "a=b.obj", says="b.obj: meshes can only be written")
        self.refuse("run", "c", "--input", "a=b.terrain", says="b.terrain: is a recipe, expected a map")
        self.refuse("--hepl", says=r"found '--hepl' \(did you mean '--help'\?\)")
        self.refuse("--versoin", says=r"\(did you mean '--version'\?\)")
        self.refuse("runs", "--help", says=r"found 'runs' \(did you mean 'run'\?\)")
        for name in re.findall(r"^  terrain (\w+)", everything, re.MULTILINE):
            text = self.call(name, "--help").stdout
            self.assertEqual(self.call("help", name).stdout, text)
            self.assertEqual(set(re.findall(r"^  terrain (\w+)", text, re.MULTILINE)), {name})
            self.assertLessEqual(max(map(len, text.splitlines())), 92)
            self.assertEqual(name == "view", "--palette" in text)
            # What the program takes is what the help tells: a word that is no option is refused.
            for option in re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE):
                result = subprocess.run([PROGRAM, name, option, "1", "none"], cwd=self.folder.name, text=True,
                                        stderr=subprocess.PIPE, stdout=subprocess.PIPE, timeout=60, check=False)
                if name != "ops":
                    self.assertNotIn("expected an option", result.stderr, (name, option))

    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() != 0, "root may write everywhere")
    def test_read_only_folder(self):
        """Guards against work whose result may not be put where it shall go."""
        self.write("c.terrain", CHAIN)
        os.mkdir(self.path("closed"), 0o555)
        for command in ("run", "view"):
            result = self.call(command, "c.terrain", "-o", "closed/out.png", code=1)
            self.assertIn("closed/out.png: can't be written: Permission denied", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_no_folder(self):
        """Guards against work whose result has no place to go: nothing was computed before it is told."""
        self.write("c.terrain", CHAIN)
        for command in ("run", "view"):
            self.assertEqual(self.refuse(command, "c.terrain", "-o", "none/out.png", code=1,
                                         says="none/out.png: can't be written: No such").stdout, "")

    def test_standard_input(self):
        """Guards against recipes by standard input that are cut off, or not ended."""
        self.write("c.terrain", CHAIN)
        wanted = self.call("run", "c.terrain", "-o", "file.r32").stdout.splitlines()[-1]
        for text in (CHAIN, CHAIN + "#" * 100_000):
            result = subprocess.run([PROGRAM, "run", "-", "-o", "pipe.r32"], cwd=self.folder.name, text=True,
                                    input=text, stdout=subprocess.PIPE, timeout=60, check=True)
            self.assertEqual(result.stdout.splitlines()[-1], wanted)
        self.assertEqual(self.read("file.r32"), self.read("pipe.r32"))
        result = subprocess.run([PROGRAM, "run", "-"], cwd=self.folder.name, text=True, timeout=60,
                                input="#" * (1 << 21), stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard input: has more than", result.stderr)

    def hash_of(self, *arguments):
        return self.call("run", *arguments, "--size", "40x30").stdout.splitlines()[-1]

    def test_text(self):
        """Guards against statements of the command line that are lost, joined, or taken beside a recipe."""
        lines = CHAIN.splitlines()
        wanted = self.hash_of(self.write("c.terrain", CHAIN))
        for words in (("-e", CHAIN), [word for line in lines for word in ("-e", line)], ("--text=" + CHAIN,),
                      ("-e" + lines[0], "-e", "\n".join(lines[1:]) + "# end")):
            self.assertEqual(self.hash_of(*words), wanted)
        self.call("run", "c.terrain", "-o", "c.tif")
        self.call("view", "c.tif", "-o", "map.png")
        self.call("view", "-e", CHAIN, "-o", "text.png")
        self.assertEqual(self.read("text.png"), self.read("map.png"))
        self.refuse("run", "-e", lines[0], "-e", "b = shape_clmp d", "-o", "b.png",
                    says=r"-e: line 2, column 5: .* \(did you mean 'shape_clamp'\?\)")
        self.refuse("run", "-e", "", says="-e: line 2, column 1: expected a statement")
        self.refuse("run", "-e", CHAIN, "c.terrain", says="terrain run: expected a recipe or -e, found both")
        self.refuse("view", "-e", CHAIN, "c.tif", "-o", "x.png", says="terrain view: expected a file or -e, found both")
        self.refuse("run", "", says="terrain run: expected a recipe, found ''")
        for command in ("run", "view", "tiles"):
            self.refuse(command, "-e", says=f"terrain {command}: expected a value for -e")
        self.refuse("join", "-e", "x", says="expected an option, found '-e'")

    def test_set(self):
        """Guards against values of the command line that reach another statement, or another recipe, without a word."""
        text = ("land = generate_noise seed = 3 period=50 # seed=5\r"
                "worn = erode_thermal land mode=quantum quantum=0.1 iterations=3\r\n"
                "land = blur_gaussian worn sigma=2#period=3\n"
                "soft = blur_gaussian land\n"
                "thick = shape_strata soft thickness=1 , 2,3 strength=1")
        self.write("s.terrain", b"\xef\xbb\xbf" + text.encode())
        for sets, changes in (
                (("land.seed=4",), (("seed = 3", "seed=4"),)),
                (("land.seed=9", "land.period=60", "land.seed=4"), (("seed = 3", "seed=4"), ("=50", "=60"))),
                (("land.sigma=1.5",), (("sigma=2", "sigma=1.5"),)),
                (("worn.quantum=0.2", "worn.mask=land"), (("0.1", "0.2 mask=land"),)),
                (("worn.talus=0.25", "worn.mode=flux", "worn.quantum=1"), None),
                (("soft.sigma=3", "thick.thickness=2,5"), (("land\n", "land sigma=3\n"), ("1 , 2,3", "2,5"))),
                (("thick.strength=0.5",), (("strength=1", "strength=0.5"),))):
            words = [word for each in sets for word in ("--set", each)]
            if changes is None:
                self.refuse("run", "s.terrain", *words, says="--set worn.quantum=1: quantum counts only where mode is q")
                continue
            changed = text
            for old, new in changes:
                self.assertIn(old, changed)
                changed = changed.replace(old, new, 1)
            self.write("changed.terrain", changed.encode())
            self.assertNotEqual(self.hash_of("changed.terrain"), self.hash_of("s.terrain"))
            self.assertEqual(self.hash_of("s.terrain", *words), self.hash_of("changed.terrain"))
            self.assertEqual(self.hash_of("-e", text, *words), self.hash_of("changed.terrain"))
        self.call("view", "s.terrain", "--set=land.seed=4", "--size", "40x30", "-o", "a.png")
        self.write("changed.terrain", text.replace("seed = 3", "seed=4").encode())
        self.call("view", "changed.terrain", "--size", "40x30", "-o", "b.png")
        self.assertEqual(self.read("a.png"), self.read("b.png"))
        for value, says in (
                ("worn.talus=-1", r"--set worn.talus=-1: expected a number in \[0, 100\] for talus, found '-1'$"),
                ("worn.talus=1,2", "--set worn.talus=1,2: expected"),
                ("worn.mode=floo", r"--set worn.mode=floo: .* \(flux, .*\), found 'floo' \(did you mean 'flux'\?\)$"),
                ("worn.mask=none", "--set worn.mask=none: expected a map made above, found 'none'$"),
                ("worn.mode=flux", "s.terrain with --set: line 2, column 40: quantum counts only where mode is quantum$"),
                ("land.perod=3", r"expected a parameter of land, found 'perod' \(did you mean 'period'\?\)$"),
                ("soft.zebra=3", r"expected a parameter of soft \(mask, sigma, border\), found 'zebra'$"),
                ("lnd.seed=3", r"expected a statement of s.terrain, found 'lnd' \(did you mean 'land'\?\)$"),
                ("zebra.a=3", r"expected a statement of s.terrain \(land, worn, soft, thick\), found 'zebra'$"),
                *((bad, "--set is '.*', expected NAME.PARAM=VALUE") for bad in (
                    "", "land", "land.seed", "land.seed=", "land=3", ".seed=3", "land.=3", "land.seed=3 period=4",
                    "land.seed=3 x=y", "land.seed=3#", "thick.thickness=3,", "land." + "s" * 64 + "=3"))):
            self.refuse("run", "s.terrain", "--set", value, "-o", "x.png", says=says)
        self.refuse("run", "-e", CHAIN, "-e", "b = shape_clamp b", "--set", "b.low=1",
                    says="--set b.low=1: lines 3 and 5 of -e both make 'b' with 'low'; give one of them another name")
        self.refuse("run", "-e", CHAIN, *["--set", "d.seed=1"] * 65, says="expected at most 64 times --set")
        self.refuse("run", "-e", CHAIN, *["--set", "d.seed=x"] * 64, says="--set d.seed=x: expected a whole number")
        self.refuse("view", "s.tif", "--set", "d.seed=1", "-o", "x.png", says="--set is for recipes")
        # Names of a grid are its statement's, and a long list of names is cut.
        grid = [word for i in range(40) for word in ("-e", f"map_number_{i} = generate_noise seed={i}")]
        grid += ["-e", "p q = stitch_edges map_number_0 map_number_1"]
        self.assertNotEqual(self.hash_of(*grid, "--set", "q.width=3"), self.hash_of(*grid))
        self.refuse("run", *grid, "--set", "zebra.a=1", says=r"-e \(map_number_0, .*, \.\.\.\), found 'zebra'$")

    @unittest.skipUnless(hasattr(os, "mkfifo"), "no named pipes")
    def test_pipes(self):
        """Guards against programs that wait for ever for a map, and that no Ctrl-C ends while they wait for a recipe."""
        os.mkfifo(self.path("pipe.png"))
        os.mkfifo(self.path("pipe.terrain"))
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        self.write("n_0_0.r32", bytes(4))
        os.mkfifo(self.path("n_1_0.r32"))
        for command in (("hash", "pipe.png"), ("measure", "pipe.png"), ("view", "pipe.png", "-o", "v.png"),
                        ("view", "n_0_0.r32", "--over", "pipe.png=red", "-o", "v.png"),
                        ("run", "i.terrain", "--input", "a=pipe.png"),
                        ("join", "n_{x}_{y}.r32", "--overlap", "0", "-o", "j.r32")):
            self.assertRegex(self.call(*command, code=2).stderr, "is a pipe or a device, expected a file")
        for command in (("run", "i.terrain", "--input", "a=n_0_0.r32", "-o", "pipe.png"),
                        ("view", "n_0_0.r32", "-o", "pipe.png")):
            result = self.call(*command, code=1)
            self.assertIn("pipe.png: can't be written: it is a pipe or a device", result.stderr)
            self.assertEqual(result.stdout, "")  # nothing was computed before
        self.write("c.terrain", CHAIN)
        wanted = self.call("run", "c.terrain", "--size", "8x8").stdout.splitlines()[-1]
        process = subprocess.Popen([PROGRAM, "run", "pipe.terrain", "--size", "8x8"], cwd=self.folder.name, text=True,
                                   stdout=subprocess.PIPE)
        with open(self.path("pipe.terrain"), "w") as pipe:
            pipe.write(CHAIN)
        self.assertEqual(process.communicate(timeout=20)[0].splitlines()[-1], wanted)
        for command in (("run", "-"), ("run", "pipe.terrain"), ("view", "-", "-o", "v.png"),
                        ("tiles", "-", "--tile", "8", "--range-cells", "0,0,8,8", "-o", "t_{x}_{y}.r32")):
            process = subprocess.Popen([PROGRAM, *command], cwd=self.folder.name, stdin=subprocess.PIPE,
                                       stderr=subprocess.PIPE, preexec_fn=default_signals)
            time.sleep(0.3)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            try:
                self.assertIn(process.wait(timeout=20), (-signal.SIGINT, 130), command)
            finally:
                process.kill()
                process.communicate()

    def test_verbose(self):
        """Guards against maps that are left out, told twice, or change the result."""
        self.write("v.terrain", "input a\nu = shape_clamp a low=2\nb = combine_blend a u\n"
                                "u = shape_clamp b high=3\nc = shape_clamp b high=5\n")
        self.write("a.r32", struct.pack("<4f", -5, 0, 7, 2))
        command = ("run", "v.terrain", "--input", "a=a.r32")
        lines = self.call(*command, "--verbose", "-o", "b=b.r32").stdout.splitlines()
        told = [line.split()[0] for line in lines if " mean " in line]
        self.assertEqual(sorted(told), ["a", "b", "c", "u"])
        self.assertTrue(any(re.match(r"a +from -5 to 7, mean 1, deviation 4.30116$", line) for line in lines))
        self.assertTrue(any(re.match(r"u +from .* to 3, mean ", line) for line in lines))
        self.assertEqual(lines[-1], self.call(*command).stdout.splitlines()[-1])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.r32", "b.r32", "v.terrain"])
        self.write("many.terrain", "m0 = generate_noise\n" + "".join(
            "m%d = shape_clamp m%d\n" % (i + 1, i) for i in range(1500)))
        lines = self.call("run", "many.terrain", "--size", "4x4", "--verbose", "-o", "m7=b.r32").stdout.splitlines()
        told = [line.split()[0] for line in lines if " mean " in line]
        self.assertEqual(sorted(told), sorted("m%d" % i for i in range(1501)))

    def test_range(self):
        """Guards against heights beyond the range that wrap around, and NaN that does."""
        self.write("a.r32", struct.pack("<4f", -5, 0.25, 7, float("nan")))
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        out = self.call("run", "i.terrain", "--input", "a=a.r32", "--range", "0,1", "-o", "b.png",
                        "-o", "b.r16").stdout
        self.assertIn("b.png: heights from 0 to 1\n", out)
        self.assertEqual(struct.unpack("<4H", self.read("b.r16")), (0, 16384, 65535, 0))
        self.assertEqual(self.heights("b.png")[::2], (0, 1))
        self.call("run", "i.terrain", "--input", "a=a.r32", "-o", "b.png")
        self.assertEqual(self.heights("b.png")[0], -5)
        self.assertEqual(self.heights("b.png")[2], 7)
        self.write("a.r32", struct.pack("<4f", 7, 7, 7, 7))
        self.call("run", "i.terrain", "--input", "a=a.r32", "-o", "b.png")
        self.assertEqual(self.heights("b.png"), (7, 7, 7, 7))
        self.write("a.r32", struct.pack("<4f", 1e31, 0, 0, 0))
        self.refuse("run", "i.terrain", "--input", "a=a.r32", "-o", "b.png", says="--range")
        self.call("run", "i.terrain", "--input", "a=a.r32", "-o", "b.png", "--range", "0,1")

    def test_no_map(self):
        """Guards against advice that the command refuses: only files that it reads are named."""
        self.write("c.terrain", "a = generate_noise\n")
        for command in ("measure", "hash"):
            self.refuse(command, "c.terrain", says="c.terrain: is a recipe, expected a map: make one by terrain run")
            self.refuse(command, "c.jpg", says="in .png, .tif, .r8, .r16, .raw, .r32 or .pfm$")
            self.refuse(command, "c.obj", says="meshes can only be written")
        self.refuse("run", "c.terrain", "-o", "c.jpg", says=".obj, .ply or .glb$")

    def test_no_height(self):
        """Guards against cells without a height that get one in silence."""
        nan, inf = float("nan"), float("inf")
        self.write("a.r32", struct.pack("<6f", nan, 0.25, 7, nan, inf, -1))
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        run = ("run", "i.terrain", "--input", "a=a.r32", "--size", "3x2")
        for name, text in (("b.png", "2 cells have no height, and became -1;"), ("b.r16", "2 cells .* -1;"),
                           ("b.obj", "3 cells have no height, and became 0;"), ("b.ply", "3 cells .* 0;"),
                           ("b.glb", "3 cells .* 0;")):
            self.assertRegex(self.call(*run, "-o", name).stderr, "^terrain: " + name + ": " + text)
        self.assertIn("became 5;", self.call(*run, "--range", "5,6", "-o", "b.png").stderr)
        for name in ("b.tif", "b.r32", "b.pfm"):
            self.assertEqual(self.call(*run, "-o", name).stderr, "")
            self.assertEqual(list(map(math.isnan, self.heights(name, "--size", "3x2"))), [True, False, False] * 2)

    def test_outside_range(self):
        """Guards against summits that are cut off in silence."""
        nan, inf = float("nan"), float("inf")
        self.write("a.r32", struct.pack("<6f", inf, 0.25, 7, nan, 2, -1))
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        run = ("run", "i.terrain", "--input", "a=a.r32", "--size", "3x2")
        kept = "; .tif, .r32 and .pfm keep them as they are"
        for name in ("b.png", "b.r16", "b.raw"):
            self.assertIn("\nterrain: " + name + ": 3 cells lie outside the range from 0 to 2, and were cut to it" + kept,
                          self.call(*run, "--range", "0,2", "-o", name).stderr)
        self.assertIn(": 1 cells lie outside the range from -1 to 7,", self.call(*run, "-o", "b.png").stderr)
        self.assertNotIn("outside", self.call(*run, "--range", "0,2", "-o", "b.obj").stderr)
        for name in ("b.tif", "b.r32", "b.pfm"):
            self.assertEqual(self.call(*run, "--range", "0,2", "-o", name).stderr, "")
        self.write("a.r32", struct.pack("<6f", 0, 0.25, 2, 1, 2, 0))
        for options in ((), ("--range", "0,2")):
            self.assertEqual(self.call(*run, *options, "-o", "b.png").stderr, "")

    def test_mask(self):
        """Guards against weights that engines don't read: with 16 bits, or with a scale of their own."""
        nan = float("nan")
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        self.write("a.r32", struct.pack("<6f", 0, 0.5, 0.25, 0.002, 1.5, nan))
        given = ("run", "i.terrain", "--input", "a=a.r32", "--size", "3x2")
        result = self.call(*given, "--mask", "b=b.png", "--mask", "b.r8", "-o", "c.r8", "-o", "d.png",
                           "--range", "0,2.55")
        self.assertEqual(self.read("b.r8"), bytes((0, 128, 64, 1, 255, 0)))
        self.assertEqual(self.read("c.r8"), bytes((0, 50, 25, 0, 150, 0)))
        self.assertIn("b.png: 1 cells lie outside the range from 0 to 1, and were cut to it", result.stderr)
        self.assertIn("b.png: 1 cells have no height, and became 0;", result.stderr)
        for name, depth in (("b.png", 8), ("d.png", 16)):
            self.assertEqual(struct.unpack(">IIBB", self.read(name)[16:26]), (3, 2, depth, 0))
        self.assertEqual([round(255 * height) for height in self.heights("b.png")], [0, 128, 64, 1, 255, 0])
        self.refuse(*given, "--mask", "b=x.tif", says="x.tif: expected a name that ends in .png or .r8")
        self.refuse(*given, "--mask", "", says="expected the name of a file that ends in .png or .r8, found ''")
        self.refuse(*given, "--mask", "q=x.png", says="makes no map 'q'")
        self.refuse(*given, "--mask", "b=x.png", "-o", "x.png", says="two outputs can't be one file")
        # More rows than are packed at once, and an odd width.
        self.call("run", "-e", "a = generate_noise amplitude=3", "--size", "37x53", "--mask", "e.png", "--mask", "e.r8")
        self.assertEqual([round(255 * height) for height in self.heights("e.png")], list(self.read("e.r8")))

    def test_splat_map(self):
        """Guards against weights in another's channel, or in none: two to four masks are the colours of a picture."""
        self.write("w.terrain", "a = generate_noise seed=1 amplitude=1 offset=0.5\nb = generate_noise seed=2 amplitude=1\n"
                                "c = generate_noise seed=3 amplitude=1\nhalf = shape_resample a step=2\n")
        given = ("run", "w.terrain", "--size", "37x53")
        alone = [option for name in "abc" for option in ("--mask", f"{name}={name}.r8")]
        result = self.call(*given, *alone, "--mask", "a,b=2.png", "--mask", "c,b,a=3.png", "--mask", "a,c,b,c=4.png",
                           "--verbose")
        a, b, c = (self.read(f"{name}.r8") for name in "abc")
        for name, channels in (("2.png", (a, b, bytes(len(a)))), ("3.png", (c, b, a)), ("4.png", (a, c, b, c))):
            found = [pixel for row in pixels(self.read(name)) for pixel in row]
            self.assertEqual(found, list(zip(*channels)))
        self.assertEqual(len(re.findall("2.png: .* cells lie outside the range", result.stderr)), 2)
        for option, says in (
                ("a,b=x.r8", "x.r8: expected a name that ends in .png$"),
                ("a,b,c,a,b=x.png", "a,b,c,a,b=x.png: expected 1 to 4 names before the '='"),
                ("a,,b=x.png", "expected 1 to 4 names before the '='"),
                ("a,=x.png", "expected 1 to 4 names before the '='"),
                ("a,q=x.png", "makes no map 'q'"),
                ("a,half=x.png", "x.png: map 2 is 19x27, the first 37x53: sizes must be equal")):
            self.refuse(*given, "--mask", option, says=says)
            self.assertFalse(os.path.exists(self.path("x.png")))

    def test_all_or_nothing(self):
        """Guards against half a set of files, and against a good file lost to a failed run."""
        self.write("c.terrain", CHAIN)
        self.write("out.png", "precious")
        self.refuse("run", "c.terrain", "-o", "out.png", "-o", "none/out.png", code=1,
                    says="none/out.png: can't be written: No such file")
        os.mkdir(self.path("folder.png"))
        self.call("run", "c.terrain", "-o", "out.png", "-o", "folder.png", code=1)
        self.assertEqual(self.read("out.png"), b"precious")
        self.assertEqual(sorted(os.listdir(self.folder.name)),
                         ["c.terrain", "folder.png", "out.png"])
        os.rmdir(self.path("folder.png"))
        self.call("run", "c.terrain", "-o", "out.png")
        self.assertEqual(self.read("out.png")[:4], b"\x89PNG")
        self.refuse("run", "--memory=0", "c.terrain", "--size", "2147483648x2147483648", "-o", "out.png", code=1,
                    says="b: no memory for 2147483648x2147483648 heights, 18446744[0-9]{12} bytes")
        self.refuse("run", "c.terrain", "--size", "4294967295x1", "-o", "out.png",
                    says="its map is 4294967295x1, must have at most 2\\^31 columns and rows")
        for link in ("out.png", "./out.png", self.path("out.png")):
            self.refuse("run", "c.terrain", "-o", "out.png", "-o", "d=" + link,
                        says="two outputs can't be one file")
        os.symlink("out.png", self.path("link.png"))
        self.refuse("run", "c.terrain", "-o", "out.png", "-o", "d=link.png",
                    says="two outputs can't be one file")
        self.refuse("view", "out.png", "-o", "out.png", says="would be lost")
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        for arguments in (("i.terrain", "--input", "a=out.png", "-o", "out.png"),
                          ("d.tif", "--over", "out.png=blue", "-o", "out.png")):
            self.refuse("view", *arguments, says="out.png: would be lost under its own picture")

    def test_links(self):
        """Guards against a symbolic link that is replaced by the file that it should lead to."""
        self.write("c.terrain", CHAIN)
        os.mkdir(self.path("folder"))
        os.symlink("folder/there.r32", self.path("link.r32"))
        os.symlink(self.path("link.r32"), self.path("folder/link.r32"))
        for name in ("link.r32", "folder/link.r32"):
            self.call("run", "c.terrain", "--size", "8x8", "-o", name)
            self.assertTrue(os.path.islink(self.path(name)))
            self.assertEqual(os.listdir(self.path("folder")).count("there.r32"), 1)
            self.assertEqual(os.path.getsize(self.path("folder/there.r32")), 256)
            os.remove(self.path("folder/there.r32"))
        os.symlink("circle.r32", self.path("circle.r32"))
        self.call("run", "c.terrain", "-o", "circle.r32", code=1)

    def test_rights(self):
        """Guards against a file that others may read, or its group may no longer write, once it is replaced."""
        self.write("c.terrain", CHAIN)
        run = ("run", "c.terrain", "--size", "8x8", "-o", "b.r32")
        mask = os.umask(0o027)
        self.addCleanup(os.umask, mask)
        self.call(*run)
        self.assertEqual(os.stat(self.path("b.r32")).st_mode & 0o7777, 0o640)
        for rights in (0o600, 0o664, 0o640, 0o444):
            os.chmod(self.path("b.r32"), rights)
            self.call(*run)
            self.assertEqual(os.stat(self.path("b.r32")).st_mode & 0o7777, rights)
        try:
            os.chown(self.path("b.r32"), 12345, 23456)
        except OSError:  # we may not
            return
        self.call(*run)
        self.assertEqual(os.stat(self.path("b.r32")).st_uid, 12345)
        self.assertEqual(os.stat(self.path("b.r32")).st_gid, 23456)

    def test_output_lost(self):
        """Guards against files that stay where the rest of the output could not be written, and against files
        that are lost since nobody read it."""
        self.write("c.terrain", CHAIN)
        self.call("run", "c.terrain", "-o", "t_0_0.r32")
        before = sorted(os.listdir(self.folder.name))
        commands = (("ops",), ("run", "c.terrain", "-o", "b.png"), ("join", "t_{x}_{y}.r32", "-o", "j.r32"),
                    ("join", "t_{x}_{y}.r32", "--relief", "-o", "j.png"),
                    ("stitch", "t_{x}_{y}.r32", "-o", "s_{x}_{y}.r32"))
        for command in commands:
            if os.path.exists("/dev/full"):
                with open("/dev/full", "w") as full:
                    result = subprocess.run([PROGRAM, *command], cwd=self.folder.name, stdout=full,
                                            stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(result.returncode, 1, command)
                self.assertRegex(result.stderr, b"the output can't be written: No space left")
                self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        # Nobody reads, as after `head -1`: no complaint either, and the files are there.
        commands += (("tiles", "c.terrain", "--tile", "40", "--range-cells", "0,0,80,80", "-o", "w_{x}_{y}.png"),
                     ("view", "t_0_0.r32", "-o", "v.png"))
        for command in commands:
            reader, writer = os.pipe()
            os.close(reader)
            result = subprocess.run([PROGRAM, *command], cwd=self.folder.name, stdout=writer,
                                    stderr=subprocess.PIPE, timeout=60)
            os.close(writer)
            self.assertEqual((result.returncode, result.stderr), (0 if command[0] == "view" else 1, b""), command)
        written = ["b.png", "j.png", "j.r32", "s_0_0.r32", "v.png", "w_x_y.png.tiles"]
        written += ["w_%d_%d.png" % (x, y) for x in (0, 1) for y in (0, 1)]
        self.assertEqual(sorted(os.listdir(self.folder.name)), sorted(before + written))

    def test_scale(self):
        """Guards against previews of another land, files that are read at the wrong scale, and scales that are none."""
        self.write("noise.terrain", "a = generate_noise octaves=2\n")
        self.write("same.terrain", "input a\nb = shape_clamp a\n")

        def cells(name):
            data = self.read(name)
            return struct.unpack(f"<{len(data) // 4}f", data)

        self.call("run", "noise.terrain", "--size", "64x64", "-o", "one.r32")
        self.call("run", "noise.terrain", "--size", "64x64", "--scale", "1", "-o", "told.r32")
        self.call("run", "noise.terrain", "--size", "16x16", "--scale", "1/4", "-o", "quarter.r32")
        self.call("run", "noise.terrain", "--size", "16x16", "--scale", "0.25", "-o", "decimal.r32")
        self.assertEqual(cells("one.r32"), cells("told.r32"))
        self.assertEqual(cells("quarter.r32"), cells("decimal.r32"))
        one = cells("one.r32")
        for i, height in enumerate(cells("quarter.r32")):
            self.assertAlmostEqual(height, one[4 * (i // 16) * 64 + 4 * (i % 16)], places=3)
        # A file of scale 1 is made the run's: a plane stays one, at a fourth of the cells.
        self.write("plane.r32", struct.pack("<4096f", *(float(x) for y in range(64) for x in range(64))))
        self.call("run", "same.terrain", "--input", "a=plane.r32", "--size", "64x64", "--scale", "1/4",
                  "-o", "b.r32")
        self.assertEqual(cells("b.r32")[17:31], tuple(4.0 * x for x in range(1, 15)))
        self.write("on.terrain", "input a\nb = generate_noise\nc = combine_blend a b\n")
        self.call("run", "on.terrain", "--input", "a=plane.r32", "--size", "64x64", "--scale", "1/4",
                  "-o", "b.r32")
        self.assertEqual(len(cells("b.r32")), 16 * 16)
        # A coarse map's spacing takes the scale: the file stays as it is.
        self.write("coarse.terrain", "input a\nb = generate_drainage control=a map_spacing=2048\n")
        self.call("run", "noise.terrain", "--size", "64x64", "-o", "land.tif")
        self.call("run", "coarse.terrain", "--input", "a=land.tif", "--world", "--scale", "1/16", "--origin",
                  "4000,4000", "--size", "16x16", "-o", "b.r32")
        for bad in ("0", "-1", "1/0", "nan", "inf", "1e30", "1/65537", "a", "1/-4"):
            self.refuse("run", "noise.terrain", f"--scale={bad}", "-o", "b.r32", says="--scale")
        self.write("cells.terrain", "a = generate_voronoi spacing=50\n")
        self.refuse("run", "cells.terrain", "--scale", "1/4", "-o", "b.r32",
                    says="line 1, a: generate_voronoi: spacing is 50, and 12.5 at a scale of 0.25")

    def test_size_limit(self):
        """Guards against half a file, and a signal's death, where files may not grow so large."""
        self.write("c.terrain", CHAIN)
        result = subprocess.run(
            [PROGRAM, "run", "c.terrain", "-o", "b.r32"], cwd=self.folder.name,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((result.returncode, result.stderr),
                         (1, b"terrain: b.r32: can't be written: File too large\n"))
        self.assertEqual(os.listdir(self.folder.name), ["c.terrain"])

    @unittest.skipIf(SANITIZED, "a sanitizer takes more")
    def test_memory_is_asked_for_first(self):
        """Guards against a large map that is made, which takes long, for a run that can't be had."""
        self.write("c.terrain", CHAIN)
        limit = 3 << 29  # a map of 1 GiB fits, with what the statements take beside it not
        process = subprocess.Popen(
            [PROGRAM, "run", "c.terrain", "--size", "268435456x1", "--memory", "0", "--threads", "1"],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
            cwd=self.folder.name, stderr=subprocess.PIPE)
        with process.stderr:
            self.assertRegex(process.stderr.read(), rb"\Aterrain: c.terrain: no memory for \d+ bytes\n\Z")
        status, used = os.wait4(process.pid, 0)[1:]
        process.returncode = os.WEXITSTATUS(status)
        self.assertEqual(process.returncode, 1)
        self.assertLess(used.ru_maxrss, 200 << 10)  # KiB

    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "files that are open are not told of")
    def test_closed_streams(self):
        """Guards against messages in an output file, which opens under a closed stream's number."""
        self.write("c.terrain", CHAIN)
        self.call("run", "c.terrain", "--size", "40x30", "-o", "good.r32")
        os.mkfifo(self.path("pipe.terrain"))
        for closed in ((0,), (1,), (2,), (0, 1, 2)):
            process = subprocess.Popen(
                [PROGRAM, "run", "pipe.terrain", "--size", "40x30", "-o", "b.r32"],
                preexec_fn=lambda: [os.close(each) for each in closed], cwd=self.folder.name,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with open(self.path("pipe.terrain"), "w") as pipe:  # both have it open from here on
                for each in closed:
                    self.assertEqual(os.readlink("/proc/%d/fd/%d" % (process.pid, each)), "/dev/null")
                pipe.write(CHAIN)
            errors = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 1 if 1 in closed else 0)
            if 1 not in closed:
                self.assertEqual(self.read("b.r32"), self.read("good.r32"))
                os.remove(self.path("b.r32"))
            elif 2 not in closed:
                self.assertEqual(errors, b"terrain: the output can't be written: Bad file descriptor\n")
        self.assertNotIn("b.r32", os.listdir(self.folder.name))

    def test_interrupt(self):
        """Guards against Ctrl-C that is ignored, or that leaves a file."""
        self.write("long.terrain", "a = generate_diamond_square\n"
                                   "b = erode_thermal a iterations=100000\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([PROGRAM, "run", "long.terrain", "-o", "out.png"],
                                       cwd=self.folder.name, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, preexec_fn=default_signals)
            process.stdout.readline()  # the first statement is complete
            time.sleep(0.05)
            process.send_signal(number)
            errors = process.communicate(timeout=20)[1]
            self.assertEqual((process.returncode, errors), (130, b"terrain: interrupted\n"))
            self.assertEqual(os.listdir(self.folder.name), ["long.terrain"])

    def wait_for_temporary(self, known):
        """The first file that is being written beside those."""
        for _ in range(10000):
            names = [name for name in os.listdir(self.folder.name) if name not in known]
            if names:
                return names[0]
            time.sleep(0.001)
        self.fail("nothing is written")

    def test_interrupt_writing(self):
        """Guards against Ctrl-C that has to wait for a large file, or leaves a part of it."""
        self.write("a.terrain", "a = generate_noise period=3 octaves=1\n")
        for name in ("out.png", "out.obj", "out.tif"):
            size = "6000x6000" if name == "out.png" else "3000x3000"
            process = subprocess.Popen([PROGRAM, "run", "a.terrain", "--size", size, "-o", name],
                                       cwd=self.folder.name, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            self.wait_for_temporary(["a.terrain"])
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
            errors = process.communicate(timeout=20)[1]
            took = time.monotonic() - started
            self.assertEqual((process.returncode, errors), (130, b"terrain: interrupted\n"))
            self.assertEqual(os.listdir(self.folder.name), ["a.terrain"])
            self.assertLess(took, 5)  # a machine may be busy; idle, it is some hundredths

    def test_second_interrupt(self):
        """Guards against a program that a second Ctrl-C does not end, and files that it leaves."""
        self.write("a.terrain", "a = generate_noise\n")
        outputs = [word for i in range(60) for word in ("-o", "a=%s%02d.png" % (100 * "o", i))]
        reader, writer = os.pipe()
        fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
        process = subprocess.Popen([PROGRAM, "run", "a.terrain", "--size", "1x1", *outputs],
                                   cwd=self.folder.name, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        time.sleep(0.5)  # the pipe is full: the program waits for us to read, amid its files
        self.assertGreater(len(os.listdir(self.folder.name)), 10)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        os.close(reader)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(os.listdir(self.folder.name), ["a.terrain"])


class Images(Case):
    def test_png_kinds(self):
        """Guards against grey values that are read in the wrong order or scale."""
        self.write("8.png", png(3, 2, 8, 0, [bytes([0, 1, 255]), bytes([7, 8, 9])]))
        self.assertEqual(self.heights("8.png"), (0, 1, 255, 7, 8, 9))
        self.write("16.png", png(2, 1, 16, 0, [struct.pack(">2H", 258, 65535)]))
        self.assertEqual(self.heights("16.png"), (258, 65535))
        ranged = [(b"tEXt", b"terrain:range\0-1 3")]
        self.write("r.png", png(3, 1, 16, 0, [struct.pack(">3H", 0, 65535, 32768)], ranged))
        low, high, middle = self.heights("r.png")
        self.assertEqual((low, high), (-1, 3))
        self.assertAlmostEqual(middle, 1, 4)
        # Adam7 of a 1x1 image is its first pass alone.
        self.write("i.png", png(1, 1, 8, 0, [b"\x2a"], interlace=1))
        self.assertEqual(self.heights("i.png"), (42,))

    def test_png_nodata(self):
        """Guards against the value without data that GDAL writes, taken for a height."""
        self.write("8.png", png(3, 1, 8, 0, [bytes([7, 0, 9])], [(b"tRNS", b"\0\7")]))
        self.write("16.png", png(3, 1, 16, 0, [struct.pack(">3H", 258, 0, 513)], [(b"tRNS", b"\1\2")]))
        level = [(b"tRNS", b"\0\7"), (b"tEXt", b"terrain:range\x005 5")]
        self.write("level.png", png(3, 1, 8, 0, [bytes([7, 0, 9])], level))
        for name, wanted in (("8.png", (0, 9)), ("16.png", (0, 513)), ("level.png", (5, 5))):
            heights = self.heights(name)
            self.assertTrue(math.isnan(heights[0]), name)
            self.assertEqual(heights[1:], wanted)
        out = self.call("run", "same.terrain", "--input", "a=8.png", "-o", "b.r32").stdout
        self.assertIn("8.png: 1 cells without data\n", out)

    def test_png_refusals(self):
        """Guards against images that are taken for heights, and unsound ones that crash."""
        plte = [(b"PLTE", bytes(6))]
        for name, data, says in (
                ("palette", png(1, 1, 8, 3, [b"\0"], plte), "palette"),
                ("rgb", png(1, 1, 8, 2, [b"\0\0\0"]), "colours"),
                ("rgba", png(1, 1, 8, 6, [b"\0\0\0\0"]), "colours"),
                ("alpha", png(1, 1, 16, 4, [b"\0\0\0\0"]), "alpha"),
                ("bits", png(1, 1, 1, 0, [b"\0"]), "1-bit grey"),
                ("short", png(100000, 100000, 16, 0, [b"\0\0"]), "too short"),
                ("zero", png(0, 1, 8, 0, []), "no sound PNG file: .*IHDR"),
                ("rows", png(4, 4, 8, 0, [b"\0\0\0\0"]), "no sound PNG"),
                ("range", png(1, 1, 8, 0, [b"\0"], [(b"tEXt", b"terrain:range\0nan 1")]), "range"),
                ("range2", png(1, 1, 8, 0, [b"\0"], [(b"tEXt", b"terrain:range\x001")]), "range"),
                ("empty", b"", "no sound PNG"),
                ("text", png(1, 1, 8, 0, [b"\0"], [(b"tEXt", b"terrain:range\0-1 3")]).replace(b"-1", b"-2"),
                 "no sound PNG file: tEXt: CRC error"),
                ("last", png(1, 1, 8, 0, [b"\0"])[:-12] + b"\0\0\1\0IEND" + bytes(90), "ends too early"),
                ("jpeg", b"\xff\xd8\xff\xe0" + bytes(60), "is no PNG file"),
                ("pointer", b"version https://git-lfs.github.com/spec/v1\n", "is no PNG file"),
                ("signature", b"\x89PNG\r", "ends too early")):
            self.write(name + ".png", data)
            self.refuse("hash", name + ".png", says=name + ".png: .*" + says)

    def damage(self, name, good, count):
        """Cuts the file everywhere, and damages it in many ways: read or refused, never anything
        else."""
        choice = random.Random(7)
        for length in range(0, len(good), max(1, len(good) // count)):
            self.write(name, good[:length])
            self.assertIn(self.damaged(name), (0, 2))
        for _ in range(count):
            bad = bytearray(good)
            for _ in range(choice.randint(1, 3)):
                bad[choice.randrange(len(bad))] = choice.choice((0, 1, 127, 128, 255))
            self.write(name, bytes(bad))
            self.assertIn(self.damaged(name), (0, 2))

    def damaged(self, name):
        result = subprocess.run([PROGRAM, "hash", name], cwd=self.folder.name,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 0 if result.returncode == 0 else 1, result.stderr)
        return result.returncode

    def test_damaged(self):
        """Guards against crashes and half-read maps where files are cut or corrupt."""
        rows = [struct.pack(">5H", *(977 * (x + 5 * y) for x in range(5))) for y in range(4)]
        good = png(5, 4, 16, 0, rows, [(b"tEXt", b"terrain:range\0-1 3")])
        for length in range(len(good) - 12):
            if length % 7 == 0:
                self.write("cut.png", good[:length])
                self.refuse("hash", "cut.png", says="cut.png: is no sound PNG file")
        self.damage("d.png", good, 15)
        floats = struct.pack("<20f", *range(20))
        self.damage("d.tif", tiff(5, 4, 1, 32, 3, floats), 15)
        self.damage("d.pfm", b"Pf\n5 4\n-1.0\n" + floats, 10)

    def test_tiff(self):
        """Guards against TIFF files whose cells are not one channel of numbers."""
        floats = struct.pack("<6f", *range(6))
        self.write("f.tif", tiff(3, 2, 1, 32, 3, floats))
        self.assertEqual(self.heights("f.tif"), (0, 1, 2, 3, 4, 5))
        self.write("u.TIFF", tiff(3, 1, 1, 16, 1, struct.pack("<3H", 1, 40000, 65535)))
        self.assertEqual(self.heights("u.TIFF"), (1, 40000, 65535))
        self.write("i.tif", tiff(2, 1, 1, 16, 2, struct.pack("<2h", -3, 5)))
        self.assertEqual(self.heights("i.tif"), (-3, 5))
        for name, data, says in (
                ("rgb", tiff(1, 1, 3, 8, 1, b"\0\0\0"), "has 3 channels, must have one"),
                ("half", tiff(1, 1, 1, 16, 3, bytes(8)), "has cells of 16-bit float, must have"),
                ("long", tiff(1, 1, 1, 64, 2, bytes(8)), "has cells of 64-bit integers, must have"),
                ("palette", tiff(1, 1, 1, 8, 1, b"\0", [(262, 3, 3), (320, 3, (0,) * 768)]), "palette"),
                ("lab", tiff(1, 1, 1, 8, 1, b"\0", [(262, 3, 8)]), "has colours"),
                ("pages", tiff(1, 1, 1, 8, 1, b"\0", pages=[[]]), "has 2 pages or more"),
                ("mask", tiff(1, 1, 1, 8, 1, b"\0", pages=[[(254, 4, 4)]]), "has a mask"),
                ("short", tiff(50000, 50000, 1, 32, 3, bytes(8)), "too short"),
                ("cut", tiff(3, 2, 1, 32, 3, floats)[:-20], "no sound TIFF"),
                ("empty", b"", "no sound TIFF")):
            self.write(name + ".tif", data)
            self.refuse("hash", name + ".tif", says=name + ".tif: .*" + says)

    def test_tiff_flat(self):
        """Guards against flat land that is called too short, since LZMA, ZSTD and LERC make it so small."""
        side = 4096
        # 512 blocks, each of them 128 KiB of one byte.
        zstd = struct.pack("<IBI", 0xFD2FB528, 0xA0, 4 * side * side)
        zstd += b"".join(struct.pack("<I", (i == 511) | 1 << 1 | 1 << 17 << 3)[:3] + b"\0" for i in range(512))
        lerc = bytes.fromhex("4c6572633220" "04000000" "a1a7fca3" "00100000" "00100000" "01000000" "00000001"
                             "08000000" "46000000" "06000000" "0000000000000000" "0000000000002940"
                             "0000000000002940" "00000000")
        for name, number, data, height, extra in (
                ("lzma", 34925, lzma.compress(bytes(4 * side * side)), 0, []), ("zstd", 50000, zstd, 0, []),
                ("lerc", 34887, lerc, 12.5, [(50674, 4, (4, 0))])):
            self.write(name + ".tif", tiff(side, side, 1, 32, 3, data, [(259, 3, number), *extra]))
            self.write("same.terrain", "input a\nb = shape_resample a step=512\n")
            result = self.run_program("run", "same.terrain", "--input", "a=" + name + ".tif", "-o", "b.r32")
            if "not configured" in result.stderr:
                continue  # libtiff was built without it
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(set(struct.unpack("<64f", self.read("b.r32"))), {height}, name)

    def test_tiff_sparse(self):
        """Guards against tiles and strips without data, which GDAL leaves out, that make a file unsound or
        too short, and against heights of 0 in silence."""
        nodata = (42113, 2, b"-9999\0")
        tiles = [(324, 4, (0, 8)), (325, 4, (0, 1024))]
        strips = [(278, 4, 1), (273, 4, (0, 8, 0)), (279, 4, (0, 8, 0))]
        ones = struct.pack("<256f", *[1] * 256)
        for name, known, here, gone in (
                ("tiles", tiff(32, 16, 1, 32, 3, ones, [nodata, *tiles], tile=16), 256, 256),
                ("strips", tiff(2, 3, 1, 32, 3, ones[:8], [nodata, *strips]), 2, 4),
                ("all", tiff(800, 800, 1, 32, 3, b"", [nodata, (273, 4, 0), (279, 4, 0)]), 0, 640000)):
            self.write(name + ".tif", known)
            heights = self.heights(name + ".tif")
            self.assertEqual((heights.count(1), sum(map(math.isnan, heights))), (here, gone), name)
        for name, unknown, here, gone in (
                ("tiles", tiff(32, 16, 1, 32, 3, ones, tiles, tile=16), 256, 256),
                ("strips", tiff(2, 3, 1, 32, 3, ones[:8], strips), 2, 4)):
            self.write(name + ".tif", unknown)
            heights = self.heights(name + ".tif")
            self.assertEqual((heights.count(1), heights.count(0)), (here, gone), name)
            self.assertIn(name + ".tif: leaves out %d cells, whose value is taken for 0" % gone,
                          self.call("hash", name + ".tif").stderr)
        self.write("bad.tif", tiff(2, 3, 1, 32, 3, ones[:8], [*strips, (273, 4, (0, 8, 8))]))
        self.refuse("hash", "bad.tif", says="bad.tif: is no sound TIFF")

    def test_tiff_lost_tags(self):
        """Guards against cut files whose heights are whole, but not what says what they mean."""
        floats = struct.pack("<2f", 1, -9999)
        for tag, kind, value in ((33550, 12, (5.0, 5.0, 0.0)), (33922, 12, (0.0,) * 6), (42113, 2, b"-9999\0"),
                                 (42112, 2, b'<Item role="scale">0.1</Item>\0')):
            whole = tiff(2, 1, 1, 32, 3, floats, [(tag, kind, value)])
            self.write("w.tif", whole)
            self.call("hash", "w.tif")
            self.write("w.tif", whole[:-1])
            self.refuse("hash", "w.tif", says="w.tif: is no sound TIFF file: .*ignored")
        self.write("x.tif", tiff(2, 1, 1, 32, 3, floats, [(65000, 2, b"something else\0")])[:-1])
        self.call("hash", "x.tif")

    def test_tiff_kinds(self):
        """Guards against cells of other widths, tiles, and white at 0 that are read as something else."""
        for name, data, wanted in (
                ("i8", tiff(3, 1, 1, 8, 2, struct.pack("<3b", -128, -1, 127)), (-128, -1, 127)),
                ("i32", tiff(3, 1, 1, 32, 2, struct.pack("<3i", -2**31, -1, 2**30)), (-2**31, -1, 2**30)),
                ("u32", tiff(2, 1, 1, 32, 1, struct.pack("<2I", 2**31, 7)), (2**31, 7)),
                ("f64", tiff(3, 1, 1, 64, 3, struct.pack("<3d", 0.1, -2, 1e9)),
                 struct.unpack("<3f", struct.pack("<3f", 0.1, -2, 1e9))),
                ("white8", tiff(3, 1, 1, 8, 1, bytes([0, 1, 255]), [(262, 3, 0)]), (255, 254, 0)),
                ("white16", tiff(2, 1, 1, 16, 1, struct.pack("<2H", 0, 65000), [(262, 3, 0)]), (65535, 535)),
                ("copies", tiff(2, 1, 1, 8, 1, b"\1\2", pages=[[(254, 4, 1)], [(254, 4, 1)]]), (1, 2))):
            self.write(name + ".tif", data)
            self.assertEqual(self.heights(name + ".tif"), wanted, name)
        # 20 x 40 cells in tiles of 16 x 16: the last ones reach beyond the map.
        cells = [[100 * y + x for x in range(20)] for y in range(40)]
        for kind, bits, form in (("f", 32, 3), ("h", 16, 2), ("d", 64, 3)):
            tiles = b"".join(
                struct.pack("<" + kind, cells[y][x] if y < 40 and x < 20 else 77)
                for ty in range(3) for tx in range(2)
                for y in range(16 * ty, 16 * ty + 16) for x in range(16 * tx, 16 * tx + 16))
            self.write("tiles.tif", tiff(20, 40, 1, bits, form, tiles, tile=16))
            self.assertEqual(self.heights("tiles.tif"), tuple(sum(cells, [])))
        self.write("cut.tif", tiff(20, 40, 1, 64, 3, tiles[:9000], tile=16))
        self.refuse("hash", "cut.tif", says="cut.tif: ")
        self.damage("d.tif", tiff(20, 40, 1, 64, 3, tiles, tile=16), 15)

    def test_tiff_numbers(self):
        """Guards against numbers that no float is, which become other heights without a word."""
        self.write("i.tif", tiff(4, 1, 1, 32, 2, struct.pack("<4i", 2**24, 2**24 + 1, 1 - 2**31, -2**31)))
        self.assertIn("i.tif: has 2 integers beyond 16777216 that are rounded", self.call("hash", "i.tif").stderr)
        self.assertEqual(self.heights("i.tif"), (2**24, 2**24, -2**31, -2**31))
        far = struct.pack("<3d", 1, -1.7976931348623157e308, math.inf)
        self.write("d.tif", tiff(3, 1, 1, 64, 3, far))
        self.refuse("hash", "d.tif", says=r"d.tif: has 1 heights beyond 3.4e\+38")
        self.write("e.tif", tiff(3, 1, 1, 64, 3, far, [(42113, 2, b"-1.7976931348623157e+308\0")]))
        self.assertEqual(self.heights("e.tif")[::2], (1, math.inf))

    def test_tiff_nodata(self):
        """Guards against cells without data that become heights: cliffs of ten kilometres."""
        for name, bits, form, kind, values, text in (
                ("f", 32, 3, "f", (1, -9999, 2), b"-9999\0"), ("i", 16, 2, "h", (1, -32768, 2), b"-32768 \0"),
                ("u", 8, 1, "B", (1, 255, 2), b"255\0"), ("d", 64, 3, "d", (1, -1e38, 2), b"-1e38\0"),
                ("m", 32, 3, "f", (1, -3.4028234663852886e+38, 2), b"-3.4028234663852886e+38\0"),
                ("g", 32, 3, "f", (1, struct.unpack("<f", struct.pack("<f", 0.1))[0], 2), b"0.1\0"),
                ("n", 32, 3, "f", (1, float("nan"), 2), b"nan\0")):
            data = struct.pack("<3" + kind, *values)
            self.write(name + ".tif", tiff(3, 1, 1, bits, form, data, [(42113, 2, text)]))
            first, none, last = self.heights(name + ".tif")
            self.assertTrue((first, last) == (1, 2) and math.isnan(none), (name, first, none, last))
        self.write("same.terrain", "input a\nb = shape_clamp a\n")
        out = self.call("run", "same.terrain", "--input", "a=f.tif", "-o", "b.tif").stdout
        self.assertIn("f.tif: 1 cells without data\n", out)
        self.assertIn(b"nan\0", self.read("b.tif"))
        self.assertTrue(math.isnan(self.heights("b.tif")[1]))
        self.write("first.r32", struct.pack("<3f", float("nan"), 1, 2))
        self.call("run", "same.terrain", "--input", "a=first.r32", "--size", "3x1", "-o", "first.tif")
        self.assertIn(b"nan\0", self.read("first.tif"))

    def test_tiff_place(self):
        """Guards against a map that loses its place on the Earth on its way through a recipe, or its unit."""
        tags = [(33550, 12, (10.0, 10.0, 0.0)), (33922, 12, (0.0, 0.0, 0.0, 4e5, 5e6, 0.0)),
                (34735, 3, (1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32633)), (34736, 12, (0.25,)),
                (34737, 2, b"UTM 33N|\0")]
        self.write("here.tif", tiff(3, 2, 1, 32, 3, struct.pack("<6f", *range(6)), tags))
        self.write("same.terrain", "input a\nb = shape_clamp a low=0 high=9\nc = shape_resample a step=0.5\n")
        self.call("run", "same.terrain", "--input", "a=here.tif", "-o", "b=b.tif", "-o", "c=c.tif")
        for tag, kind, values in tags:
            values = values if kind == 2 else struct.pack({3: "<%dH", 12: "<%dd"}[kind] % len(values), *values)
            self.assertIn(values, self.read("b.tif"), tag)
        self.assertNotIn(b"UTM 33N|", self.read("c.tif"))  # other cells
        for elsewhere in (("--origin", "3,0"), ("--origin", "0,2"), ("--scale", "1/2")):
            self.call("run", "same.terrain", "--input", "a=here.tif", *elsewhere, "-o", "b=b.tif")
            self.assertNotIn(b"UTM 33N|", self.read("b.tif"), elsewhere)
        turned = [(34264, 12, tuple(float(i) for i in range(16)))]
        self.write("turned.tif", tiff(3, 2, 1, 32, 3, bytes(24), turned))
        self.assertIn("turned.tif: lies turned", self.call("measure", "turned.tif").stderr)
        self.write("mirrored.tif", tiff(1, 2, 1, 8, 1, b"\1\2", [(274, 3, 4)]))
        self.assertIn("mirrored.tif: says that it lies turned or mirrored (orientation 4)",
                      self.call("hash", "mirrored.tif").stderr)
        metadata = b'<GDALMetadata><Item name="OFFSET" sample="0" role="offset">-5</Item>' \
                   b'<Item name="SCALE" sample="0" role="scale">0.5</Item></GDALMetadata>\0'
        self.write("scaled.tif", tiff(3, 1, 1, 16, 2, struct.pack("<3h", 0, 3, -9999),
                                      [(42112, 2, metadata), (42113, 2, b"-9999\0")]))
        heights = self.heights("scaled.tif")
        self.assertEqual((heights[:2], math.isnan(heights[2])), ((-5, -3.5), True))
        self.write("bad.tif", tiff(1, 1, 1, 16, 2, b"\0\0", [(42112, 2, metadata.replace(b"0.5", b"x"))]))
        self.refuse("hash", "bad.tif", says="bad.tif: has a scale or an offset that is no number")

    def test_tiff_places(self):
        """Guards against models of different places that are compared in silence, and warnings of one place that
        two programs have written in two ways."""
        def model(*tags, width=3):
            return tiff(width, 2, 1, 32, 3, struct.pack("<%df" % (2 * width), *range(2 * width)), tags)

        size, point = (33550, 12, (10.0, 10.0, 0.0)), (34735, 3, (1, 1, 0, 1, 1025, 0, 1, 2))
        at = lambda *place: (33922, 12, (*place, 0.0))
        matrix = lambda x, y, down: (34264, 12, (10.0, 0.0, 0.0, x, 0.0, down, 0.0, y) + (0.0,) * 7 + (1.0,))
        here = model(size, at(0.0, 0.0, 0.0, 4e5, 5e6))
        self.write("here.tif", here)
        self.write("minus.terrain", "input a\ninput b\nc = combine_blend a b mode=subtract\n")
        files = ("run", "minus.terrain", "--input", "a=here.tif", "--input", "b=b.tif")
        for b in (here, model(size, at(1.0, 2.0, 0.0, 4e5 + 10, 5e6 - 20)), model(matrix(4e5, 5e6, -10.0)),
                  model(size, at(0.0, 0.0, 0.0, 4e5 + 5, 5e6 - 5), point), model(size), model(),
                  model(matrix(4e5, 5e6 - 20, 10.0)), model(matrix(4e5 + 5, 5e6 - 15, 10.0), point)):
            self.write("b.tif", b)
            self.assertEqual(self.call(*files).stderr, "")
        for b, x, y in ((model(size, at(0.0, 0.0, 0.0, 4e5 + 5, 5e6)), 400005, 5000000),
                        (model(matrix(4e5, 5e6, 10.0)), 400000, 5000020),
                        (model(size, at(0.0, 0.0, 0.0, 4e5, 5e6), point), 399995, 5000005)):
            self.write("b.tif", b)
            self.assertIn(f"b.tif: begins at {x}, {y}, but here.tif at 400000, 5000000", self.call(*files).stderr)
        self.write("b.tif", model(size, at(0.0, 0.0, 0.0, 1e5, 5e6), width=4))
        self.write("apart.terrain", "input a\ninput b\nc = shape_clamp a\n")
        self.assertEqual(self.call("run", "apart.terrain", *files[2:]).stderr, "")

    def test_tiff_from_south(self):
        """Guards against land that is read upside down in silence, or that lies elsewhere once it is turned."""
        matrix = lambda y, down: (10.0, 0.0, 0.0, 4e5, 0.0, down, 0.0, y) + (0.0,) * 7 + (1.0,)
        rows = [(0.0, 1.0, 2.0), (3.0, 4.0, 5.0), (6.0, 7.0, 8.0)]
        degrees = (34735, 3, (1, 1, 0, 1, 1024, 0, 1, 2))
        point = (34735, 3, (1, 1, 0, 1, 1025, 0, 1, 2))
        self.write("same.terrain", "input a\nb = shape_clamp a\n")
        for height in (1, 2, 3):
            for more, last in (((), height), ((degrees,), height), ((point,), height - 1)):
                stored = struct.pack("<%df" % (3 * height), *sum(rows[:height], ()))
                self.write("south.tif", tiff(3, height, 1, 32, 3, stored, [(34264, 12, matrix(5e6, 10.0)), *more]))
                turned = sum(reversed(rows[:height]), ())
                self.assertEqual(self.heights("south.tif"), turned)
                told = self.call("run", "same.terrain", "--input", "a=south.tif", "-o", "b.tif").stdout
                self.assertIn("south.tif: rows from the south, read from the north\n", told)
                self.assertEqual(self.heights("b.tif"), turned)
                self.assertIn(struct.pack("<16d", *matrix(5e6 + 10 * last, -10.0)), self.read("b.tif"))
        # Tiles that say themselves that they are turned, with the list beside them and without it.
        self.write("w.terrain", "land = generate_noise period=9 seed=3\n")
        self.call("tiles", "w.terrain", "--tile", "12", "--overlap", "1", "--range-cells", "0,0,23,23", "--flip",
                  "-o", "t_{x}_{y}.tif")
        self.call("run", "w.terrain", "--world", "--size", "23x23", "-o", "whole.tif")
        for more in ((), ("--overlap", "1"), ("--overlap", "1", "--flip")):
            self.call("join", "t_{x}_{y}.tif", *more, "-o", "joined.tif")
            self.assertEqual(self.heights("joined.tif"), self.heights("whole.tif"))
            self.call("stitch", "t_{x}_{y}.tif", *more, "-o", "s_{x}_{y}.tif")
            self.assertEqual(self.heights("s_1_0.tif"), self.heights("t_1_0.tif"))
        # A pixel height below 0 would mean the south; files that have one don't mean it.
        size, at = (33550, 12, (10.0, -10.0, 0.0)), (33922, 12, (0.0, 1.0, 0.0, 4e5, 5e6, 0.0))
        self.write("below.tif", tiff(3, 2, 1, 32, 3, struct.pack("<6f", *range(6)), [size, at]))
        self.assertEqual(self.heights("below.tif"), tuple(range(6)))
        told = self.call("run", "same.terrain", "--input", "a=below.tif", "-o", "b.tif")
        self.assertEqual(told.stderr, "terrain: below.tif: has a pixel height of -10, below 0; its rows are taken to go "
                         "from the north, as GDAL does\n")
        self.assertIn("below.tif: cells of 10\n", told.stdout)

    def test_nodata_without_a_name(self):
        """Guards against a cliff of 10 km in silence, where a file has -9999 and doesn't say what it means."""
        self.write("d.tif", tiff(3, 1, 1, 16, 2, struct.pack("<3h", 1, 3, -9999)))
        self.assertIn("d.tif: 1 cells are -9999, taken for heights", self.call("hash", "d.tif").stderr)
        self.write("e.tif", tiff(2, 2, 1, 16, 2, struct.pack("<4h", 1, -9999, 3, -9999)))
        self.assertIn("e.tif: 2 cells are -9999, taken for heights", self.call("hash", "e.tif").stderr)
        for value in (-32768, -32767, -3.40282347e+38):
            self.write("f.TIF", tiff(2, 1, 1, 32, 3, struct.pack("<2f", 1, value)))
            self.assertIn(f"f.TIF: 1 cells are {value}, taken", self.call("hash", "f.TIF").stderr)

    def test_tiff_cell_size(self):
        """Guards against a land of 10 m cells that is taken for one of 1 m: slopes ten times too steep."""
        plane = struct.pack("<4096f", *(5.0 * x for y in range(64) for x in range(64)))

        def scaled(size, *more):
            return tiff(64, 64, 1, 32, 3, plane, [(33550, 12, size), *more])

        def slope(*arguments):
            lines = self.call("measure", *arguments)
            return float(re.search(r"slope_mean +(\S+)", lines.stdout).group(1)), lines.stderr

        self.write("ten.tif", scaled((10.0, 10.0, 0.0)))
        self.assertEqual(slope("ten.tif"), (0.5, ""))
        self.assertEqual(slope("ten.tif", "--cell-size", "5"), (1, ""))
        degrees = (34735, 3, (1, 1, 0, 1, 1024, 0, 1, 2))
        self.write("degrees.tif", scaled((2.7e-4, 2.7e-4, 0.0), degrees))
        self.assertEqual(slope("degrees.tif")[0], 5)
        self.assertIn("degrees.tif: has its pixels in degrees", slope("degrees.tif")[1])
        self.assertEqual(slope("degrees.tif", "--cell-size", "10"), (0.5, "")) # what is given is not asked for
        self.write("metres.tif", scaled((10.0, 10.0, 0.0), (34735, 3, (1, 1, 0, 1, 1024, 0, 1, 1))))
        self.assertEqual(slope("metres.tif"), (0.5, ""))
        self.write("wide.tif", scaled((10.0, 20.0, 0.0)))
        self.assertEqual(slope("wide.tif")[0], 5)
        self.assertIn("10 by 20", slope("wide.tif")[1])
        # What we write, we read: the size, and where the map lies.
        self.write("same.terrain", "input a\nb = shape_clamp a\n")
        out = self.call("run", "same.terrain", "--input", "a=ten.tif", "--origin", "30,-7", "-o", "b.tif")
        self.assertIn("ten.tif: cells of 10\n", out.stdout)
        self.assertEqual(slope("b.tif"), (0.5, ""))
        self.assertIn(struct.pack("<6d", 0, 0, 0, 300, 70, 0), self.read("b.tif"))
        self.write("two.terrain", "input a\ninput b\nc = combine_blend a b\n")
        both = ("run", "two.terrain", "--input", "a=ten.tif", "--input", "b=five.tif")
        self.write("five.tif", scaled((5.0, 5.0, 0.0)))
        self.refuse(*both, says="ten.tif has cells of 10, but five.tif of 5; give --cell-size")
        told = self.call(*both, "--cell-size", "10").stderr
        self.assertEqual(told, "terrain: five.tif: has cells of 5, taken to be 10; a GeoTIFF of them keeps its place and "
                         "pixels\n")
        self.write("slope.terrain", "input a\nb = analyze_slope a\n")
        self.call("run", "slope.terrain", "--input", "a=ten.tif", "-o", "ten.r32")
        self.call("run", "slope.terrain", "--input", "a=five.tif", "--cell-size", "10", "-o", "five.r32")
        self.assertEqual(self.read("ten.r32"), self.read("five.r32"))

    def test_raw(self):
        """Guards against raw files of the wrong length, and against byte order."""
        self.write("a.r8", bytes((1, 2, 30, 255)))
        self.assertEqual(self.heights("a.r8"), (1, 2, 30, 255))
        self.write("a.r16", struct.pack("<4H", 1, 2, 300, 65535))
        self.assertEqual(self.heights("a.r16"), (1, 2, 300, 65535))
        self.write("big.pfm", b"Pf 2 1 1.0\n" + struct.pack(">2f", 1.5, -2))
        self.assertEqual(self.heights("big.pfm"), (1.5, -2))
        self.write("rows.pfm", b"Pf\n1 2\n-1\n" + struct.pack("<2f", 1, 2))
        self.assertEqual(self.heights("rows.pfm"), (2, 1))
        self.write("odd.r16", bytes(25))
        self.refuse("hash", "odd.r16", "--size", "4x3", says="odd.r16: has 25 bytes, must have 2 for")
        for name, data in (("a.r32", bytes(5)), ("b.r32", bytes(8)), ("c.r32", b""), ("d.r16", b"\0"),
                           ("e.r16", bytes(6)), ("f.pfm", b"Pf\n1 2\n-1\n" + bytes(7)),
                           ("g.pfm", b"Pf\n1 2\n-1\n" + bytes(9)), ("h.pfm", b"PF\n1 1\n-1\n" + bytes(12)),
                           ("i.pfm", b"Pf\n0 1\n-1\n"), ("j.pfm", b"Pf\n1 1\n0\n" + bytes(4)),
                           ("k.pfm", b"Pf\n99999999999 1\n-1\n"), ("l.pfm", b"Pf"),
                           ("m.pfm", b"Pf\n4294967295 4294967295\n-1\n"), ("n.pfm", b"P5\n1 1\n-1\n"),
                           ("o.pfm", b"Pf\n1 1\nnan\n" + bytes(4))):
            self.write(name, data)
            self.refuse("hash", name, says=name + ": ")

    def test_meshes(self):
        """Guards against meshes whose counts don't fit their data, or that lie upside down."""
        self.write("a.r32", struct.pack("<6f", 0, 1, 2, 3, float("inf"), 5))
        self.write("i.terrain", "input a\nb = shape_clamp a\n")
        self.call("run", "i.terrain", "--input", "a=a.r32", "--size", "3x2", "--cell-size", "10", "-o",
                  "b.obj", "-o", "b.ply", "-o", "b.glb")
        lines = self.read("b.obj").decode().splitlines()
        vertices, normals = ([tuple(map(float, line.split()[1:])) for line in lines
                              if line.startswith(kind)] for kind in ("v ", "vn "))
        faces = [tuple(map(int, re.findall(r"(\d+)//\1\b", line))) for line in lines if line[0] == "f"]
        self.assertEqual(len(normals), 6)
        for x, y, z in normals:
            self.assertGreater(y, 0)
            self.assertAlmostEqual(x * x + y * y + z * z, 1, 5)
        self.assertEqual(vertices, [(0, 0, 0), (10, 1, 0), (20, 2, 0), (0, 3, 10), (10, 0, 10),
                                    (20, 5, 10)])
        self.assertEqual([len(face) for face in faces], [3] * 4)
        for face in faces:
            a, b, c = (vertices[i - 1] for i in face)
            u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
            self.assertGreater(u[2] * v[0] - u[0] * v[2], 0)  # the normal points up
        header, body = self.read("b.ply").split(b"end_header\n")
        self.assertIn(b"element vertex 6\n", header)
        self.assertEqual(len(body), 6 * 24 + 4 * 13)
        for i, face in enumerate(faces):
            self.assertEqual(struct.unpack_from("<B3I", body, 6 * 24 + 13 * i), (3, *(k - 1 for k in face)))
        data = self.read("b.glb")
        self.assertEqual(struct.unpack("<4sII", data[:12]), (b"glTF", 2, len(data)))
        size = struct.unpack("<I", data[12:16])[0]
        scene = json.loads(data[20:20 + size])
        self.assertEqual(scene["accessors"][0]["max"], [20, 5, 10])
        start = 28 + size
        for i, (vertex, normal) in enumerate(zip(vertices, normals)):
            found = struct.unpack("<6f", data[start + 24 * i:start + 24 * i + 24])
            self.assertEqual(found[:3], vertex)
            for a, b in zip(found[3:], normal):
                self.assertAlmostEqual(a, b, 6)
        self.assertEqual(scene["accessors"][1]["byteOffset"], 12)
        self.assertEqual(scene["accessors"][2]["count"], 12)
        self.assertEqual(struct.unpack_from("<12I", data, start + 24 * 6),
                         tuple(k - 1 for face in faces for k in face))
        self.assertEqual(struct.unpack("<I", data[20 + size:24 + size])[0],
                         scene["buffers"][0]["byteLength"])
        self.assertEqual(len(data) - size - 28, scene["buffers"][0]["byteLength"])
        self.refuse("hash", "b.obj", says="meshes can only be written")

    def test_view(self):
        """Guards against pictures of another size, and maps that can't be drawn."""
        for name, width, height, cells in (
                ("one", 1, 1, [0]), ("row", 5, 1, range(5)), ("flat", 2, 2, [1] * 4),
                ("nan", 2, 2, [float("nan"), float("inf"), -float("inf"), 0]),
                ("huge", 2, 2, [3e38, -3e38, 1e-40, 0])):
            self.write(name + ".r32", struct.pack("<%df" % len(cells), *cells))
            self.call("view", name + ".r32", "--size", "%dx%d" % (width, height), "-o", "p.png")
            self.assertEqual(struct.unpack(">IIBB", self.read("p.png")[16:26]), (width, height, 8, 2))
            os.remove(self.path("p.png"))
            os.remove(self.path(name + ".r32"))
        # A hill has a bright and a dark side, and slopes of any size are made to show.
        for height in (1, 100):
            hill = [height * math.exp(-((x - 32) ** 2 + (y - 32) ** 2) / 200)
                    for y in range(65) for x in range(65)]
            self.write("h.r32", struct.pack("<4225f", *hill))
            self.call("view", "h.r32", "--size", "65x65", "-o", "%d.png" % height)
        self.assertEqual(self.read("1.png"), self.read("100.png"))
        picture = pixels(self.read("1.png"))
        self.assertGreater(sum(picture[24][24]), sum(picture[40][40]) + 100)
        self.write("a.r32", bytes(16))
        self.refuse("view", "a.r32", "-o", "p.tif", says="pictures are .png")
        self.refuse("view", "a.r32", "-o", "p.jpg", says="pictures are .png")
        self.refuse("view", "a.r32", "-o", "none/p.png", code=1, says="can't be written")

    def drawn(self, cells, width, *options):
        """The picture of a map."""
        self.write("v.r32", struct.pack("<%df" % len(cells), *cells))
        self.call("view", "v.r32", "--size", "%dx%d" % (width, len(cells) // width), "-o", "v.png", *options)
        return pixels(self.read("v.png"))

    def test_view_sea(self):
        """Guards against seas that are drawn as land, or whose floor decides how steep the land looks."""
        def coast(floor):
            return [2.0 * (x % 3) + x if x > 20 else floor * (x - 21) for _ in range(30) for x in range(60)]

        gentle, steep = (self.drawn(coast(floor), 60, "--sea", "0", "--range", "-500,80")
                         for floor in (1, 20))
        for row in (gentle[10], steep[10]):
            self.assertTrue(all(blue > red + 20 for red, _, blue in row[:20]))
            self.assertTrue(all(blue < green for _, green, blue in row[21:50]))
        self.assertTrue([row[22:] for row in gentle] == [row[22:] for row in steep])
        self.assertLess(sum(steep[10][0]), sum(gentle[10][0]))  # the deeper, the darker
        without = self.drawn(coast(1), 60)
        self.assertFalse(any(blue > red + 20 for row in without for red, _, blue in row))

    def test_view_colours(self):
        """Guards against colours that depend on what else is in the map, and masks that are lit."""
        level = ("--sea", "0", "--range", "0,100", "--exaggeration", "1")
        low, high = self.drawn([40] * 9, 3, *level)[1][1], self.drawn([40] * 8 + [90], 3, *level)[0][0]
        self.assertEqual(low, high)
        snow = self.drawn([100] * 9, 3, *level)[1][1]
        sand = self.drawn([100] * 9, 3, *level, "--palette", "desert")[1][1]
        self.assertTrue(min(snow) > 240 and sand[2] < sand[0] - 40)
        grey = self.drawn([40] * 9, 3, "--palette", "grey")[1][1]
        self.assertEqual(len(set(grey)), 1)
        mask = self.drawn([0, 0.5, 1, 7], 4, "--palette", "mask", "--range", "0,1")[0]
        self.assertEqual(mask, [(0, 0, 0), (128, 128, 128), (255, 255, 255), (255, 255, 255)])
        self.assertEqual(mask, self.drawn([5, 6, 7, 19], 4, "--palette", "mask", "--range", "5,7")[0])
        for depth in (0.1, 50, 100):  # without heights of the sea's floor, as deep as the land is high
            floor, none = (self.drawn([10 - depth] * 9, 3, "--sea", "10", "--range", "%d,110" % low,
                                      "--exaggeration", "1")[1][1] for low in (-90, 10))
            self.assertEqual(floor, none)
        hills = [math.sin(x / 3) * 4 for _ in range(20) for x in range(20)]
        tenfold = [10 * height for height in hills]
        self.assertTrue(self.drawn(hills, 20, "--exaggeration", "2")
                        == self.drawn(tenfold, 20, "--exaggeration", "2", "--cell-size", "10"))

    def test_view_recipe(self):
        """Guards against pictures of recipes that are not those of their maps."""
        self.write("c.terrain", "d = generate_diamond_square seed=3\nm = analyze_band d low=2\nt = shape_clamp d\n")
        options = ("--size", "70x50", "--seed", "7", "--cell-size", "2")
        self.call("run", "c.terrain", *options, "-o", "t.tif", "-o", "m=m.tif")
        drawn = ("--palette", "desert", "--shadows")
        self.call("view", "t.tif", "-o", "file.png", "--over", "m.tif=blue", *drawn)
        self.call("view", "c.terrain", *options, "-o", "recipe.png", "--over", "m=blue", *drawn)
        self.assertEqual(self.read("file.png"), self.read("recipe.png"))
        self.call("view", "c.terrain", *options, "-o", "recipe.png", "--over", "m.tif=blue", *drawn)
        self.assertEqual(self.read("file.png"), self.read("recipe.png"))
        self.refuse("view", "c.terrain", "-o", "p.png", "--over", "q=blue", says="makes no map 'q'")
        self.refuse("view", "c.terrain", "-o", "p.png", "--over", "none.tif=blue", says="none.tif: can't be read")
        self.refuse("view", "c.terrain", "-o", "p.png", "--seed", "-1", says="--seed is '-1'")
        self.refuse("view", "t.tif", "-o", "p.png", "--seed", "7", says="--seed is for recipes")

    def test_view_over(self):
        """Guards against maps over the land that hide it where they are 0, or are not seen where 1."""
        self.write("o.r32", struct.pack("<4f", 0, 1, 5, float("nan")))
        self.write("p.r32", struct.pack("<4f", 0, 0, 1, 0))
        plain = self.drawn([3] * 4, 2)
        over = self.drawn([3] * 4, 2, "--over", "o.r32=#10C8F0", "--over", "p.r32=white")
        self.assertEqual(over, [[plain[0][0], (0x10, 0xC8, 0xF0)], [(255, 255, 255), plain[1][1]]])
        for value, says in (("o.r32", "expected FILE=COLOUR"), ("o.r32=blau", "expected FILE=COLOUR"),
                            ("=blue", "expected FILE=COLOUR"), ("o.r32=#12345", "expected FILE=COLOUR"),
                            ("none.r32=blue", "none.r32: can't be read")):
            self.refuse("view", "v.r32", "-o", "w.png", "--over", value, says=says)
        self.write("q.pfm", b"Pf\n1 4\n-1\n" + bytes(16))
        self.refuse("view", "v.r32", "-o", "w.png", "--over", "q.pfm=red", says="is 1x4, must be 2x2 as")
        for option, value in (("--palette", "moon"), ("--sea", "nan"), ("--contours", "0"), ("--range", "1"),
                              ("--cell-size", "0"), ("--exaggeration", "0")):
            self.refuse("view", "v.r32", "-o", "w.png", option, value, says=option + " is '" + value)

    def test_view_lines(self):
        """Guards against contours at other heights, and shadows that fall towards the sun."""
        for down in (False, True):
            plane = [(y if down else x) / 10 for y in range(100) for x in range(100)]
            plain, lined = self.drawn(plane, 100), self.drawn(plane, 100, "--contours", "2")
            places = [(20, i) if down else (i, 20) for i in range(100)]
            dark = {i for i in range(1, 99) for x, y in places[i:i + 1]
                    if sum(lined[y][x]) < sum(plain[y][x]) - 5}
            self.assertEqual({20 * round(i / 20) for i in dark}, {20, 40, 60, 80})
            self.assertTrue(all(abs(i - 20 * round(i / 20)) <= 1 for i in dark), dark)
        tower = [30.0 * (x in (20, 21) and y in (20, 21)) for y in range(60) for x in range(60)]
        plain, shaded = (self.drawn(tower, 60, "--exaggeration", "1", *more) for more in ((), ("--shadows",)))
        dark = {(x, y) for y in range(60) for x in range(60) if sum(shaded[y][x]) < sum(plain[y][x])}
        self.assertIn((30, 30), dark)
        self.assertIn((55, 55), dark)  # 30 high, the sun at 30 degrees: 52 long, 36 in x and y
        self.assertNotIn((59, 59), dark)
        self.assertTrue(all(x > 20 and y > 20 and abs(x - y) <= 1 for x, y in dark), dark)

    def test_view_perspective(self):
        """Guards against views from another side, land that is seen through land, and blocks out of the picture."""
        small = ("--pixels", "90x60", "--exaggeration", "1")

        def seen(cells, width, *options):
            rows = self.drawn(cells, width, *small, *options)
            self.assertEqual((len(rows), len(rows[0])), (60, 90))
            return rows

        def reds(rows):
            return [(x, y) for y, row in enumerate(rows) for x, (r, g, _) in enumerate(row) if r > 60 and r > 2 * g]

        self.write("r.r32", struct.pack("<1200f", *(x in (19, 20) and y < 5 for y in range(30) for x in range(40))))
        marked = ("--over", "r.r32=#DC0000", "--palette", "mask")
        level = [5.0] * 1200
        sides = {}
        for azimuth in (0, 90, 180, 270, -90):
            rows = seen(level, 40, "--perspective", "%d,40" % azimuth, *marked)
            sky = [all(each == rows[y][0] for each in rows[y]) for y in (0, 59)] # above the block and below
            self.assertEqual(sky, [True, True])
            places = reds(rows)
            self.assertTrue(places)
            sides[azimuth] = [sum(each[i] for each in places) / len(places) for i in (0, 1)]
        self.assertEqual(sides[270], sides[-90])
        self.assertLess(sides[180][1], 30) # the north is far
        self.assertGreater(sides[0][1], 30)
        self.assertGreater(sides[90][0], 50) # from the east it is on the right
        self.assertLess(sides[270][0], 40)
        for wall in range(6, 30, 5): # hides what lies behind it
            cells = [40.0 * (y == wall) for y in range(30) for _ in range(40)]
            self.assertFalse(reds(seen(cells, 40, "--perspective", "180,20", *marked)))
            self.assertTrue(reds(seen(cells, 40, "--perspective", "0,20", *marked)))
        above = reds(seen(level, 40, "--perspective", "180,90", *marked))
        self.assertTrue(all(41 <= x <= 48 and y < 24 for x, y in above), above)
        hills = [[6 * math.sin(x / 2) + 5 * math.sin(y / 3) for x in range(41)] for y in range(41)] # level pieces
        turned = [list(row) for row in zip(*hills[::-1])] # clockwise
        for azimuth in (0, 33, 45, 147, 180, 201, 270, 300):
            first, second = (seen(sum(cells, []), 41, "--perspective", "%d,25" % angle, "--palette", "mask")
                             for cells, angle in ((hills, azimuth), (turned, azimuth + 90)))
            wrong = 0
            for one, other in zip(sum(first, []), sum(second, [])):
                if len(set(one)) == len(set(other)) == 1:
                    wrong += abs(one[0] - other[0]) > 3
                else: # the sky is blue; walls are brown, of several shades
                    wrong += (one[2] > one[0]) != (other[2] > other[0])
            self.assertLess(wrong, 20, azimuth) # of 5400
        hole = list(level)
        hole[15 * 40 + 20] = float("nan")
        middle = seen(hole, 40, "--perspective", "180,90")[30][45]
        self.assertEqual(middle, seen(hole, 40, "--perspective", "180,90")[30][0]) # the sky
        self.assertNotEqual(middle, seen(level, 40, "--perspective", "180,90")[30][45])
        nothing = seen([float("nan")] * 4, 2, "--perspective", "180,30")
        self.assertTrue(all(each == row[0] for row in nothing for each in row))
        deep = seen([-90.0] * 1200, 40, "--perspective", "180,30", "--sea", "0")
        self.assertGreater(sum(b > 1.5 * r for row in deep for r, _, b in row), 900)
        self.assertTrue(all(each == deep[59][0] for each in deep[59])) # the block ends above its bed
        coarse = self.drawn([1.0] * 576, 24, "--perspective", "180,90", "--pixels", "4x4") # each second cell
        self.assertEqual(coarse, [row[::-1] for row in coarse])
        seen([1e38, -3e38, 0, 3e38], 2, "--perspective", "17,5", "--exaggeration", "1000")
        wide = self.drawn([x % 7 for x in range(30000)], 15000, "--perspective", "40,30", "--pixels", "64x40")
        self.assertTrue(any(each != row[0] for row in wide for each in row))
        for option, value in (("--perspective", "200"), ("--perspective", "200,4"), ("--perspective", "200,91"),
                              ("--perspective", "nan,30"), ("--perspective", "200,30,1"), ("--pixels", "0x9"),
                              ("--pixels", "9000x9"), ("--pixels", "90")):
            self.refuse("view", "v.r32", "-o", "w.png", option, value, says=option + " is '" + value)
        self.refuse("view", "v.r32", "-o", "w.png", "--pixels", "90x60", says="--pixels is for --perspective")
        self.write("line.pfm", b"Pf\n4 1\n-1\n" + bytes(16))
        self.refuse("view", "line.pfm", "-o", "w.png", "--perspective", "0,30", says="must have two rows and two")

    def measured(self, width, height, cells, *options):
        self.write("m.r32", struct.pack("<%df" % len(cells), *cells))
        lines = self.call("measure", "m.r32", "--size", "%dx%d" % (width, height), *options).stdout
        return {words[0]: float(words[1]) for words in map(str.split, lines.splitlines())}

    def test_measure(self):
        """Guards against numbers that mean something else than their names, and maps that have none."""
        plane = [x * 3.0 + y * 4.0 for y in range(64) for x in range(96)]
        found = self.measured(96, 64, plane, "--cell-size", "10")
        for name, wanted in (("slope_mean", 0.5), ("slope_10", 0.5), ("slope_99", 0.5),
                             ("erosion_score", 0), ("pits", 0), ("spikes", 0), ("minimum", 0),
                             ("maximum", 537), ("mean", 268.5),
                             ("deviation", 111.226), ("reachable", 1), ("buildable", 0),
                             ("exponential_distance", 1 - math.exp(-1))): # of a single slope
            self.assertAlmostEqual(found[name], wanted, 5, name)
        plane[30 * 96 + 40] += 30
        plane[50 * 96 + 20] -= 30
        found = self.measured(96, 64, plane)
        cells = 62 * 94 / 1000
        for name, wanted in (("spikes", 2), ("pits", 1), ("peaks", 1)):
            self.assertAlmostEqual(found[name], wanted / cells, 4, name)
        waves = [math.sin(x * math.pi / 8) for y in range(256) for x in range(256)]
        found = self.measured(256, 256, waves)
        self.assertGreater(found["spectrum_axes"], 2)
        self.assertLess(found["spectrum_diagonals"], 0.1)
        waves = [math.sin((x + y) * math.pi / 8) for y in range(256) for x in range(256)]
        found = self.measured(256, 256, waves)
        self.assertGreater(found["spectrum_diagonals"], 2)
        self.assertLess(found["spectrum_axes"], 1e-6) # what the window leaks does not count
        self.assertLess(found["grain"], 0.001) # of waves of 11 cells
        waves = [math.sin(x * 2 * math.pi / 3) for y in range(256) for x in range(256)]
        self.assertGreater(self.measured(256, 256, waves)["grain"], 0.999)
        for beta in (2, 4):
            self.write("s.terrain", f"a = generate_spectral beta={beta}\n")
            self.call("run", "s.terrain", "--size", "512x512", "-o", "s.pfm")
            lines = self.call("measure", "s.pfm").stdout
            self.assertAlmostEqual(float(re.search(r"spectrum_fall +(\S+)", lines).group(1)), beta, delta=0.1)
        for cells in ([1], [float("nan")], [5, 6, 7]):
            self.measured(len(cells), 1, cells)
        lines = self.call("measure", os.path.join(ROOT, "data/jacksboro.png"), "--cell-size", "83").stdout
        found = {line.split()[0]: line for line in lines.splitlines()}
        for name, wanted in (("undrained", 0), ("trunk", 0.316), ("concavity", 0.344), ("hack", 0.541),
                             ("skewness", -0.055), ("axis", 1.002), ("valleys", 0.144), ("ridges", 0.146),
                             ("exponential_distance", 0.158), ("grain", 0.079)):
            value, low, high = re.search(r" (\S+) +real land (\S+) to (\S+); ", found[name]).groups()
            self.assertAlmostEqual(float(value), wanted, 3, name)
            self.assertTrue(float(low) <= float(value) <= float(high), name)
        self.assertLess(float(found["forms_distance"].split()[1]), 0.01)
        self.refuse("measure", says="expected one file")
        self.refuse("measure", "m.r32", "--cell-size", "0", says="--cell-size is '0'")


class Recipes(Case):
    def test_shipped(self):
        """Guards against recipes that rot in the repository."""
        folder = os.path.join(ROOT, "recipes")
        names = [name for name in os.listdir(folder) if name.endswith(".terrain")]
        self.assertLessEqual({"jacksboro.terrain", "main.terrain"}, set(names))
        for name in sorted(names):
            with open(os.path.join(folder, name)) as file:
                text = file.read()
            commands = re.findall(r"^#   terrain (.*)$", text, re.M)
            self.assertGreaterEqual(len(commands), 2, name)
            for command in commands:
                command = re.sub(r"\b(recipes|data)/", ROOT + r"/\1/", command)
                out = self.call(*command.split()).stdout
                if command.startswith("run"):
                    self.assertRegex(out.splitlines()[-1], "^[0-9a-f]{16}$")
                    low, high = re.search("heights from (.*) to (.*)", out).groups()
                    self.assertLess(float(low), float(high))

    def figures(self, *arguments):
        lines = self.call("measure", *arguments).stdout.splitlines()
        return {line.split()[0]: float(line.split()[1]) for line in lines}

    def within(self, recipe, windows):
        """The figures of a recipe's six seeds lie in these windows."""
        path = os.path.join(ROOT, f"recipes/{recipe}.terrain")
        for seed in range(6):
            self.call("run", path, "--seed", str(seed), "-o", "land.r32")
            found = self.figures("land.r32", "--size", "512x512")
            for name, (low, high) in windows.items():
                self.assertTrue(low <= found[name] <= high, (seed, name, found[name]))

    def test_ranges(self):
        """Guards against mountains that no longer measure like land."""
        self.within("ranges", {"undrained": (0, 0.002), "trunk": (0.28, 0.83), "concavity": (0.21, 0.6),
                               "skewness": (-0.22, 0.05), "exponential_distance": (0.11, 0.3),
                               "forms_distance": (0, 0.19), "hack": (0.44, 0.56),
                               "axis": (0.95, 1.05), "erosion_score": (0.31, 0.59)})

    def test_belhadj(self):
        """Guards against ridges, rivers or midpoints that no longer make land together. (Of real land's
        windows this leaves skewness, up to 0.26, and the erosion score, 1.1 to 1.3.)"""
        self.within("belhadj", {"undrained": (0, 0.002), "trunk": (0.28, 0.83), "axis": (0.95, 1.05),
                                "concavity": (0.21, 0.6), "exponential_distance": (0.11, 0.3),
                                "forms_distance": (0, 0.19), "hack": (0.44, 0.56)})

    def test_canyons(self):
        """Guards against canyons that dam water or repeat. (Of real land's windows this leaves
        skewness, -0.7 to -1.03: of cliffs.)"""
        self.within("canyons", {"undrained": (0, 0.002), "trunk": (0.28, 0.83), "axis": (0.95, 1.05),
                                "concavity": (0.21, 0.6), "exponential_distance": (0.11, 0.3),
                                "forms_distance": (0, 0.19), "hack": (0.44, 0.56),
                                "erosion_score": (0.31, 0.59)})

    def test_rivers_of_real_land(self):
        """Guards against steps of stream power that do not keep real land's rivers as they are: the
        land's heights are whole metres, whose level reaches measure as nothing, so smoothed before."""
        self.write("rivers.terrain",
                   "input land\nbefore = blur_gaussian land sigma=1.5\n"
                   "after = erode_stream_power before mode=transient iterations=20 "
                   "erosion_rate=0.0001 uplift_rate=0.002\n")
        self.call("run", "rivers.terrain", "--input", "land=" + os.path.join(ROOT, "data/jacksboro.png"),
                  "--cell-size", "83", "-o", "before=before.tif", "-o", "after=after.tif")
        before, after = (self.figures(f"{name}.tif", "--cell-size", "83")
                         for name in ("before", "after"))
        for name, most in {"concavity": 0.05, "hack": 0.02, "trunk": 0.02}.items():
            self.assertLess(abs(before[name] - after[name]), most, name)
        self.assertEqual(after["undrained"], 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
