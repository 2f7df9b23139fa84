#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against C# that can't be used: from a clean repository the shared library and, by Mono's compiler, the assembly,
all of whose tests pass; the programs of its README and of the manual's page print what stands there. The engines' examples
are compiled with stand-ins for the engines. Lines are not too wide. A library of another version is refused, and so is
what an older one lacks. Needs Mono (Debian: mono-mcs).

usage: csharp.py [FOLDER]     FOLDER: where to work, new or empty; otherwise a temporary one"""

import os
import re
import shutil
import sys

from common import CC, ROOT, run, work_in_folder
from consumer import QUICK, repository

COMPILER = ["mcs", "-langversion:7", "-warn:4", "-warnaserror"]
COLUMNS = 120
TIMES = 2  # what the first round leaves behind may harm the second
BLOCK = re.compile(r"^```csharp\n(.*?)^```\n(?:\nIt prints:\n\n```\n(.*?)```\n)?", re.DOTALL | re.MULTILINE)


def run_program(program, *arguments):
    """Memory that was freed is overwritten, so that whoever uses it is found out."""
    home = program.parent
    return run(["mono", "--debug", program, *arguments],
               env=dict(os.environ, LD_LIBRARY_PATH=str(home), MALLOC_PERTURB_="165"))


def compile_program(home, kind, name, *sources):
    run([*COMPILER, f"-target:{kind}", f"-r:{home}/Libterrain.dll", f"-out:{home}/{name}", *sources])


def check_page(home, package, page):
    """Each block of code is a program, or a class of an engine's."""
    for number, (code, printed) in enumerate(BLOCK.findall(page.read_text()), 1):
        name = f"{page.stem}{number}"
        source = home / f"{name}.cs"
        source.write_text(code)
        if "static void Main" not in code:
            compile_program(home, "library", f"{name}.dll", source, package / "tests/engines/Engines.cs")
            continue
        compile_program(home, "exe", f"{name}.exe", source)
        found = run_program(home / f"{name}.exe")
        if found != printed:
            sys.exit(f"FAILED {page.name}, block {number} printed\n{found}instead of\n{printed}")
    print(f"ok {page.name}")


OTHER_LIBRARY = """
#include <stdint.h>
uint32_t terrain_version(void)
{
    return 0 * 1000000 + 999 * 1000 + 4;
}
"""
OTHER_PROGRAM = """
using System;
using Libterrain;

static class Other
{
    static void Main()
    {
        Console.WriteLine(Library.Version);
        foreach (Action use in new Action[]
        {
            () => new Heightmap(8, 8), () => Recipe.Parse(""), () => Operation.Find("erode_thermal"),
        })
        {
            try
            {
                use();
            }
            catch (NotSupportedException exception)
            {
                Console.WriteLine(exception.Message);
            }
        }
    }
}
"""


def check_other_version(home, folder):
    """A library that has nothing but another minor version."""
    folder.mkdir()
    (folder / "other.c").write_text(OTHER_LIBRARY)
    (folder / "other.cs").write_text(OTHER_PROGRAM)
    run([*CC, "-shared", "-fPIC", folder / "other.c", "-o", folder / "libterrain.so"])
    shutil.copy(home / "Libterrain.dll", folder)
    compile_program(folder, "exe", "other.exe", folder / "other.cs")
    found = run_program(folder / "other.exe").splitlines()
    refusal = re.compile(r"the library is 0\.999\.4, the assembly is for 0\.[0-9.]+")
    if found[0] != "0.999.4" or len(found) != 4 or not all(map(refusal.fullmatch, found[1:])):
        sys.exit(f"FAILED with another version of the library: {found}")
    print("ok another version")


OLDER_PROGRAM = """
using System;
using Libterrain;

static class Older
{
    static void Main()
    {
        Heightmap land = Generate.Noise(new Heightmap(8, 8));
        Recipe recipe = Recipe.Parse("a = generate_noise");
        foreach (Action use in new Action[]
        {
            () => Heightmap.PackChannelsU8(new[] { land }, new float[1], new[] { 1f }), () => land.PackHillshadeU8(),
            () => new World(recipe, new WorldOptions { Outputs = new[] { "a" } }),
        })
        {
            try
            {
                use();
                Console.WriteLine("it is there");
            }
            catch (NotSupportedException exception)
            {
                Console.WriteLine(exception.Message);
            }
        }
        Console.WriteLine(new World(recipe).Tile(0, 0, 8, 8).Window); // what is there can be used
    }
}
"""
NEWER_FUNCTIONS = ["terrain_heightmap_pack_channels_u8", "terrain_heightmap_pack_hillshade_u8", "terrain_world_tile_maps"]


def check_older(home, folder):
    """The library without some functions, whose names are overwritten."""
    folder.mkdir()
    library = (home / "libterrain.so").read_bytes()
    for name in NEWER_FUNCTIONS:
        library = library.replace(name.encode(), name[:-1].encode() + b"_")
    (folder / "libterrain.so").write_bytes(library)
    (folder / "older.cs").write_text(OLDER_PROGRAM)
    shutil.copy(home / "Libterrain.dll", folder)
    compile_program(folder, "exe", "older.exe", folder / "older.cs")
    found = run_program(folder / "older.exe").splitlines()
    refusals = zip(NEWER_FUNCTIONS, found)
    if found[3:] != ["8x8 at (0, 0)"] or not all(f"too old: {name}" in text for name, text in refusals):
        sys.exit(f"FAILED with an older library: {found}")
    print("ok an older library")


def check_lines(package):
    wide = [f"{path.name}:{number}" for path in sorted(package.rglob("*.cs"))
            for number, line in enumerate(path.read_text().split("\n"), 1) if len(line) > COLUMNS]
    if wide:
        sys.exit(f"FAILED lines of more than {COLUMNS} columns: {' '.join(wide)}")


def main(work):
    origin = repository(work)
    package, home = origin / "bindings/csharp", work / "home"
    check_lines(package)
    home.mkdir()
    run(["meson", "setup", work / "build", origin, "-Ddefault_library=shared", "-Dtools=disabled", "-Dtests=disabled",
         "-Dbench=false", *QUICK])
    run(["meson", "compile", "-C", work / "build"])
    shutil.copy(work / "build/lib/libterrain.so", home)
    run([*COMPILER, "-target:library", f"-doc:{home}/Libterrain.xml", f"-out:{home}/Libterrain.dll",
         *sorted((package / "Libterrain").glob("*.cs"))])
    compile_program(home, "exe", "tests.exe", *sorted((package / "tests").glob("*.cs")))
    print(run_program(home / "tests.exe", ROOT, TIMES), end="")
    check_other_version(home, work / "other")
    check_older(home, work / "older")
    check_page(home, package, package / "README.md")
    check_page(home, package, origin / "docs/csharp.md")


if __name__ == "__main__":
    work_in_folder(main, __doc__)
