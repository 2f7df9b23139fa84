# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""What the tests of all routes share: compilers, commands, and the programs with what they must print."""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
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


def programs():
    """Sources of programs of somebody else; what one prints is in the .txt file beside it, if there is one."""
    yield ROOT / "tests/consumer/consumer.c"
    yield ROOT / "tests/consumer/consumer.cpp"
    yield ROOT / "tests/consumer/consumer20.cpp"
    yield from sorted((ROOT / "docs/examples").glob("*.c*"))


def cpp_standard(source):
    return "20" if source.stem == "consumer20" else "11"


def compiler_for(source):
    if source.suffix == ".cpp":
        return CXX + [f"-std=c++{cpp_standard(source)}"]
    return CC + ["-std=c99" if source.stem == "consumer" else "-std=c11"]


def check_output(source, program, how, environment=None, wrapper=()):
    """Runs a program in an empty folder beside it."""
    home = pathlib.Path(program).parent / "home"
    home.mkdir(exist_ok=True)
    output = run([*wrapper, program], env=environment, cwd=home)
    expected = source.with_suffix(".txt")
    if expected.exists() and output != expected.read_text():
        print(f"FAILED {source.name}, {how} printed\n{output}instead of {expected.name}")
        sys.exit(1)
    print(f"ok {source.name}, {how}: {(output.splitlines() or [''])[-1]}")


def needs_shared(program):
    """Whether the program asks the system for a shared libterrain."""
    return "libterrain" in run(["readelf", "-d", program])


def work_in_folder(main, usage):
    """Runs main in the folder that the command names, which must be new or empty, or in a temporary one."""
    if len(sys.argv) == 1:
        with tempfile.TemporaryDirectory() as directory:
            main(pathlib.Path(directory))
    elif len(sys.argv) > 2 or sys.argv[1].startswith("-"):
        sys.exit(usage)
    else:
        folder = pathlib.Path(sys.argv[1]).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            sys.exit(f"FAILED {folder} is not empty")
        main(folder)
