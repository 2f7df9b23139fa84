#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a terrain.pc that does not tell what a program needs: builds each program with what it says,
against the shared and the static library of an installed copy, and runs it.

usage: check.py STAGE     STAGE stands in for the root of the file system: what DESTDIR was
"""

import os
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/consumer"))
from common import check_output, compiler_for, needs_shared, programs, run  # noqa: E402


def main():
    stage = pathlib.Path(sys.argv[1]).resolve()
    description = next(stage.rglob("terrain.pc"))
    library = next(stage.rglob("libterrain.so"))
    archive = next(stage.rglob("libterrain.a"))
    prefix = next(stage.rglob("include")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(description.parent),
                       LD_LIBRARY_PATH=str(library.parent))

    def ask(*options):
        return shlex.split(run(["pkg-config", f"--define-variable=prefix={prefix}", *options,
                                "terrain"], env=environment))

    version = (pathlib.Path(__file__).parents[1] / "meson.build").read_text().split("version: '")[1]
    if ask("--modversion") != [version.split("'")[0]]:
        sys.exit(f"FAILED terrain.pc is of version {ask('--modversion')}")
    if "\nURL: http" not in description.read_text():
        sys.exit("FAILED terrain.pc has no URL")
    if "-pthread" in ask("--libs"):
        sys.exit("FAILED users of the shared library are told to link what only the static one needs")

    # The archive instead of the name, and what it needs besides.
    static = [str(archive) if part == "-lterrain" else part
              for part in ask("--static", "--cflags", "--libs")]
    for source in programs():
        for how, options in (("shared", ask("--cflags", "--libs")), ("static", static)):
            program = stage / f"{source.stem}-{how}"
            run(compiler_for(source) + ["-Wall", "-Wextra", "-Wpedantic", "-Werror", source]
                + options + ["-lm", "-o", program])
            if needs_shared(program) != (how == "shared"):
                sys.exit(f"FAILED {program} is not linked as asked for")
            check_output(source, program, f"pkg-config, {how}",
                         environment if how == "shared" else None)


main()
