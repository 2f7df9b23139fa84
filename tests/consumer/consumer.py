#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a library that can't be used once it is installed: builds programs through pkg-config,
against the shared and the static library, and with the library as a meson subproject, and runs them.
The programs are consumer.c, consumer.cpp and those of docs/examples; what an example prints must be what is
in the .txt file beside it.

usage: consumer.py SOURCE_ROOT BUILD_DIRECTORY
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

CC = shlex.split(os.environ.get("CC", "cc"))
CXX = shlex.split(os.environ.get("CXX", "c++"))


def run(command, **options):
    """Runs a command; its output is shown only if it fails."""
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        print(f"FAILED {shlex.join(map(str, command))}\n{result.stdout}")
        sys.exit(1)
    return result.stdout


def programs(root):
    yield root / "tests/consumer/consumer.c"
    yield root / "tests/consumer/consumer.cpp"
    yield from sorted((root / "docs/examples").glob("*.c*"))


def compiler_for(source):
    if source.suffix == ".cpp":
        return CXX + ["-std=c++11"]
    return CC + ["-std=c99" if source.stem == "consumer" else "-std=c11"]


def installed(root, build, work):
    """Through pkg-config."""
    stage = work / "stage"
    run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", stage])
    pkgconfig = next(stage.rglob("terrain.pc"))
    library = next(stage.rglob("libterrain.so"))
    archive = next(stage.rglob("libterrain.a"))
    environment = dict(os.environ, PKG_CONFIG_PATH=str(pkgconfig.parent),
                       LD_LIBRARY_PATH=str(library.parent))

    # The prefix is where the stage stands in for the root.
    prefix = next(stage.rglob("include")).parent

    def flags(*options):
        return shlex.split(run(["pkg-config", f"--define-variable=prefix={prefix}", *options,
                                "terrain"], env=environment))

    shared = flags("--cflags", "--libs")
    # The archive instead of the name, and what it needs besides.
    static = [str(archive) if part == "-lterrain" else part
              for part in flags("--static", "--cflags", "--libs")]
    for source in programs(root):
        for how, options in (("shared", shared), ("static", static)):
            program = work / f"{source.stem}-{how}"
            run(compiler_for(source) + ["-Wall", "-Wextra", "-Wpedantic", "-Werror", source]
                + options + ["-lm", "-o", program])
            home = work / "home"
            home.mkdir(exist_ok=True)
            output = run([program], env=environment if how == "shared" else None, cwd=home)
            expected = source.with_suffix(".txt")
            if expected.exists() and output != expected.read_text():
                print(f"FAILED {source.name}, {how} printed\n{output}instead of {expected.name}")
                sys.exit(1)
            print(f"ok {source.name}, {how}: {(output.splitlines() or [''])[-1]}")


def subproject(root, work):
    """As subprojects/terrain of another meson project."""
    project = work / "project"
    (project / "subprojects").mkdir(parents=True)
    ignored = shutil.ignore_patterns(".git", "build*")
    shutil.copytree(root, project / "subprojects/terrain", ignore=ignored, symlinks=True)
    lines = ["project('consumer', 'c', 'cpp', default_options: ['cpp_std=c++11'])",
             "terrain = dependency('terrain', fallback: ['terrain', 'terrain_dep'])"]
    for source in programs(root):
        name = source.name.replace(".", "_")
        shutil.copy(source, project / source.name)
        lines.append(f"test('{name}', executable('{name}', '{source.name}', "
                     "dependencies: terrain))")
    (project / "meson.build").write_text("\n".join(lines) + "\n")
    # Without optimisation: that takes a quarter of the time, and must print the same.
    run(["meson", "setup", project / "build", project, "--force-fallback-for=terrain",
         "-Dbuildtype=debug"])
    run(["meson", "compile", "-C", project / "build"])
    run(["meson", "test", "-C", project / "build", "--suite", "consumer", "--print-errorlogs"])
    print("ok as a meson subproject")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    build = pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as directory:
        installed(root, build, pathlib.Path(directory))
        subproject(root, pathlib.Path(directory))


main()
