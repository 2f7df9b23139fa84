#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a library that can't be got: somebody else's programs are built by each way to it, and run.
The programs are consumer.c, consumer.cpp and those of docs/examples; what an example prints must be what is
in the .txt file beside it.

    consumer.py installed    through pkg-config and CMake's find_package, shared and static
    consumer.py subproject   as a subproject of a meson project, by terrain.wrap from a git repository
    consumer.py fetch        by CMake's FetchContent, and by Conan where it is installed
    consumer.py single       as one file, by all compilers that are here; golden hashes
    consumer.py wasm         as WebAssembly, by emscripten, under node; golden hashes
    consumer.py release      the tarball of meson dist is whole, and the version one
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from common import CC, CXX, ROOT, check_output, cpp_standard, needs_shared, programs, run

# The plain kernels of a debug build give the same results, and compile in a tenth of the time.
QUICK = ["-Disa=baseline", "-Dbuildtype=debug"]
CMAKE_QUICK = {"terrain_has_avx2": "OFF"} # Conan's static package has them all


def project_files(target):
    """The files of the repository as they lie here; a release has no .git."""
    if (ROOT / ".git").exists():
        names = run(["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-co", "--exclude-standard"]).splitlines()
        for name in names:
            if (ROOT / name).is_file():
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, target / name)
    else:
        shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns("build*"), dirs_exist_ok=True)


def repository(work):
    """A git repository of them."""
    target = work / "repository"
    target.mkdir()
    project_files(target)
    git = ["git", "-C", target, "-c", "user.name=consumer", "-c", "user.email=consumer@localhost"]
    run(["git", "init", "-q", target])
    run([*git, "add", "-A"])
    run([*git, "commit", "-q", "-m", "all"])
    return target


# ---- pkg-config and find_package -----------------------------------------------------------------

def installed(work):
    stage = work / "stage"
    run(["meson", "setup", work / "build", ROOT, "-Ddefault_library=both", "-Dtools=disabled",
         "-Dtests=disabled", "-Dbench=false", *QUICK])
    run(["meson", "install", "-C", work / "build", "--destdir", stage])
    print(run([sys.executable, ROOT / "pkgconfig/check.py", stage]), end="")
    if shutil.which("cmake"):
        find_package(work, next(stage.rglob("include")).parent)
        cmake_installed(work)


def cmake_installed(work):
    """Installed by CMake itself, which builds one kind of library."""
    for how in ("shared", "static"):
        build, prefix = work / f"by-cmake-{how}", work / f"by-cmake-{how}-prefix"
        run(["cmake", "-S", ROOT, "-B", build, f"-DBUILD_SHARED_LIBS={'ON' if how == 'shared' else 'OFF'}",
             f"-DCMAKE_INSTALL_PREFIX={prefix}", *(f"-D{name}={value}" for name, value in CMAKE_QUICK.items())],
            env=dict(os.environ, CC=" ".join(CC)))
        run(["cmake", "--build", build, "--parallel", "2", "--target", "install"])
        cmake_project(work / f"by-cmake-{how}-project", how, "find_package(terrain CONFIG REQUIRED)",
                      [f"-DCMAKE_PREFIX_PATH={prefix}"])


def find_package(work, prefix):
    for how in ("shared", "static"):
        cmake_project(work / f"cmake-{how}", how,
                      "find_package(terrain 0.1 CONFIG REQUIRED)",
                      [f"-DCMAKE_PREFIX_PATH={prefix}",
                       f"-DTERRAIN_USE_STATIC_LIBS={'ON' if how == 'static' else 'OFF'}"])
    refused = subprocess.run(["cmake", "-S", work / "cmake-static", "-B", work / "refused",
                              f"-DCMAKE_PREFIX_PATH={prefix}", "-DVERSION=0.2"],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False)
    if refused.returncode == 0 or "version: 0.1.0" not in refused.stdout:
        sys.exit(f"FAILED find_package(terrain 0.2) was content with 0.1.0\n{refused.stdout}")


def cmake_project(project, how, get, options):
    """A CMake project that gets terrain::terrain by one line, and builds all programs."""
    project.mkdir()
    lines = ["cmake_minimum_required(VERSION 3.16)", "project(consumer C CXX)",
             "set(CMAKE_C_STANDARD 11)", "set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)",
             f"add_library(terrain STATIC {ROOT}/tests/consumer/engine.c) # an engine's own",
             "if(VERSION)\n  find_package(terrain ${VERSION} CONFIG REQUIRED)\nendif()", get,
             f"add_executable(by_kind {ROOT}/docs/examples/start.c)",
             f"target_link_libraries(by_kind terrain::{how} m)"]
    for source in programs():
        lines += [f"add_executable({source.stem}{source.suffix[1:]} {source})",
                  f"target_link_libraries({source.stem}{source.suffix[1:]} terrain::terrain m)",
                  f"set_target_properties({source.stem}{source.suffix[1:]} PROPERTIES"
                  f" CXX_STANDARD {cpp_standard(source)})"]
    (project / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    environment = dict(os.environ, CC=" ".join(CC), CXX=" ".join(CXX))
    run(["cmake", "-S", project, "-B", project / "build", *options], env=environment)
    run(["cmake", "--build", project / "build", "--parallel", "2"])
    for source in programs():
        program = project / "build" / f"{source.stem}{source.suffix[1:]}"
        if needs_shared(program) != (how == "shared"):
            sys.exit(f"FAILED {program} is not linked as asked for")
        check_output(source, program, f"CMake, {how}")


# ---- A meson subproject --------------------------------------------------------------------------

def subproject(work):
    origin = repository(work)
    wrap = (ROOT / "subprojects/terrain.wrap").read_text().splitlines()
    wrap = [f"url = {origin.as_uri()}" if line.startswith("url") else line for line in wrap]
    for how in ("shared", "static"):
        project = work / how
        (project / "subprojects").mkdir(parents=True)
        (project / "subprojects/terrain.wrap").write_text("\n".join(wrap) + "\n")
        lines = ["project('consumer', 'c', 'cpp')",
                 f"terrain = dependency('terrain', static: {str(how == 'static').lower()})"]
        for source in programs():
            name = source.name.replace(".", "_")
            shutil.copy(source, project / source.name)
            lines.append(f"executable('{name}', '{source.name}', dependencies: terrain, "
                         f"override_options: ['cpp_std=c++{cpp_standard(source)}'])")
        (project / "meson.build").write_text("\n".join(lines) + "\n")
        run(["meson", "setup", project / "build", project, "--force-fallback-for=terrain",
             "-Dterrain:isa=baseline"])
        run(["meson", "compile", "-C", project / "build"])
        for source in programs():
            program = project / "build" / source.name.replace(".", "_")
            if needs_shared(program) != (how == "shared"):
                sys.exit(f"FAILED {program} is not linked as asked for")
            check_output(source, program, f"subproject, {how}")
        built = project / "build/subprojects/terrain"
        for folder in ("tools", "tests", "bench"):
            if list((built / folder).rglob("*.o")):
                sys.exit(f"FAILED the subproject builds {folder}")


# ---- FetchContent and Conan ----------------------------------------------------------------------

def fetch(work):
    origin = repository(work)
    cmake_project(work / "fetch", "static", "\n".join([
        "include(FetchContent)",
        f"FetchContent_Declare(terrain GIT_REPOSITORY {origin.as_uri()} GIT_TAG HEAD)",
        "FetchContent_MakeAvailable(terrain)"]),
        [f"-D{name}={value}" for name, value in CMAKE_QUICK.items()])
    if shutil.which("conan"):
        conan(work)


def conan(work):
    """The recipe, and a project that finds what it made."""
    # It looks at the name of a compiler, not of a launcher, and does not know "cc".
    names = {"cc": "gcc", "c++": "g++"}
    environment = dict(os.environ, CONAN_HOME=str(work / "conan"), CC=names.get(CC[-1], CC[-1]),
                       CXX=names.get(CXX[-1], CXX[-1]))
    run(["conan", "profile", "detect"], env=environment)
    for how, build_type, kernels in (("static", "Release", {}), ("shared", "Debug", CMAKE_QUICK)):
        options = ["-o", f"terrain/*:shared={how == 'shared'}", "-s", f"build_type={build_type}"]
        run(["conan", "create", ROOT / "packaging/conan", *options, "-c",
             f"tools.cmake.cmaketoolchain:extra_variables={kernels}"], env=environment)
        folder = work / f"conan-{how}"
        run(["conan", "install", "--requires=terrain/0.1.0", *options, "-g", "CMakeDeps",
             f"--output-folder={folder}-files"], env=environment)
        cmake_project(folder, how, "find_package(terrain CONFIG REQUIRED)",
                      [f"-DCMAKE_PREFIX_PATH={folder}-files", f"-DCMAKE_BUILD_TYPE={build_type}"])


# ---- One file ------------------------------------------------------------------------------------

def single(work):
    run(["meson", "setup", work / "build", ROOT, "-Dtools=disabled", "-Dtests=disabled",
         "-Dbench=false"])
    run(["ninja", "-C", work / "build", "single"])
    folder = work / "build/single"
    (folder / "terrain").mkdir()
    for name in ("terrain.h", "terrain.hpp"):
        shutil.copy(folder / name, folder / "terrain" / name)

    clang, tcc, musl, i686 = (shutil.which(name) for name in (
        "clang", "tcc", "musl-gcc", "i686-linux-gnu-gcc"))
    native = ["-march=native"] if os.uname().machine == "x86_64" else []
    builds = [("every instruction set", [*CC, "-O1", "-DTERRAIN_EVERY_ISA"], CC, []),
              ("this processor's", [*CC, "-O1", *native], CC, [])]
    if clang:
        builds.append(("clang", [clang, "-O1", "-DTERRAIN_EVERY_ISA"], [clang], []))
    if tcc:
        libraries = run([tcc, "-print-search-dirs"]).splitlines()
        archive = next(line.strip() for line in libraries if line.strip().endswith("libtcc1.a"))
        builds.append(("tcc", [tcc], CC, [archive]))
    if musl:
        builds.append(("musl", [musl, "-O1", "-static"], [musl, "-static"], []))
    if i686:
        flags = [i686, "-msse2", "-mfpmath=sse", "-static"]
        builds.append(("i686", [*flags, "-O1"], flags, []))
    for how, target, emulator in (("ARM of 64 bits, clang", "aarch64-linux-gnu", "qemu-aarch64"),
                                  ("ARM of 32 bits, clang", "arm-linux-gnueabihf", "qemu-arm")):
        if clang and shutil.which(f"{target}-gcc") and shutil.which(emulator):
            flags = [clang, f"--target={target}", "-static"]
            builds.append((how, [*flags, "-O1"], flags, [], emulator))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for line in workers.map(lambda build: single_golden(folder, *build), builds):
            print(line)
    if clang:
        single_msvc(folder)
    single_programs(folder)


def single_msvc(folder):
    """For MSVC's target by clang-cl, with headers that declare what Microsoft's do: objects, which nobody links."""
    clang_cl = ["clang", "--driver-mode=cl", "--target=x86_64-pc-windows-msvc", "/WX", "-imsvc", ROOT / "tests/cross/msvc"]
    run([*clang_cl, "/std:c11", "/W3", "/c", "-Wno-pass-failed", "-Wno-braced-scalar-init",
         "-Wno-bitwise-conditional-parentheses", f"/Fo{folder}/terrain.obj", "--", folder / "terrain.c"])
    for language in (["/std:c11"], ["/TP", "/std:c++14"]):
        run([*clang_cl, *language, "/W4", "/Zs", f"-I{ROOT}/include", "--", ROOT / "include/terrain/terrain.h"])
    print("ok one file, clang-cl")


def single_golden(folder, how, compiler, tests_compiler, libraries, *emulator):
    """terrain.c by one compiler; the golden program, which reaches inside, by another."""
    library, program = folder / f"{how}.o", folder / how
    run([*compiler, "-w", "-c", folder / "terrain.c", "-o", library])
    run([*tests_compiler, "-w", "-O1", f"-I{ROOT}/include", f"-I{ROOT}/lib", f"-I{ROOT}/tests",
         ROOT / "tests/golden/golden.c", *sorted((ROOT / "tests/support").glob("*.c")), library,
         *libraries, "-lpthread", "-lm", "-o", program])
    result = run([*emulator, program, ROOT / "tests/golden/hashes.txt"], env=dict(os.environ, TEST_HOSTS="serial"))
    return f"ok one file, {how}: {result.splitlines()[-1]}"


def single_programs(folder):
    """Without warnings; and programs in C and C++ that see only its header."""
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wno-psabi", "-Werror", "-fsyntax-only"]
    for compiler in (CC, ["clang"]):
        if shutil.which(compiler[0]):
            run([*compiler, "-std=c11", "-DTERRAIN_EVERY_ISA", *strict, folder / "terrain.c"])
    library = folder / "every instruction set.o"
    for source in programs():
        if source.suffix == ".cpp":
            program = folder / source.stem
            run([*CXX, f"-std=c++{cpp_standard(source)}", f"-I{folder}", source, library, "-lpthread", "-lm",
                 "-o", program])
            check_output(source, program, "one file, C++")
        else:
            for language in ([*CC, "-std=c11"], [*CXX, "-x", "c++", "-std=c++11"]):
                if "c++" in language and source.stem != "consumer":
                    continue
                program = folder / f"{source.stem}-{language[-1]}"
                run([*language, f"-I{folder}", source, "-x", "none", library, "-lpthread", "-lm",
                     "-o", program])
                check_output(source, program, f"one file, {language[-1]}")


# ---- WebAssembly ---------------------------------------------------------------------------------

def wasm(work):
    """The one file by emscripten, without SIMD and with it, under node: the golden hashes, threads and all."""
    run(["meson", "setup", work / "build", ROOT, "-Dtools=disabled", "-Dtests=disabled", "-Dbench=false"])
    run(["ninja", "-C", work / "build", "single"])
    environment = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}  # where Debian has what emcc runs
    # Without fetch, which emcc's older output would take for the way to a file; node 18 and on have it.
    has_fetch = int(re.search(r"v(\d+)", run(["node", "--version"]))[1]) >= 18
    for how, options in (("plain", []), ("SIMD", ["-msimd128"])):
        program = work / f"{how}.js"
        run(["emcc", "-O1", "-ffp-contract=off", "-pthread", *options, "-w", f"-I{ROOT}/include",
             f"-I{ROOT}/lib", f"-I{ROOT}/tests", ROOT / "tests/golden/golden.c",
             *sorted((ROOT / "tests/support").glob("*.c")), work / "build/single/terrain.c", "-sNODERAWFS=1",
             "-sINITIAL_MEMORY=512MB", "-sTOTAL_STACK=1MB", "-sEXIT_RUNTIME=1", "-sPTHREAD_POOL_SIZE=4",
             "-o", program], env=environment)
        printed = run(["node", *(["--no-experimental-fetch"] if has_fetch else []), program,
                       ROOT / "tests/golden/hashes.txt"], env=environment)
        print(f"ok WebAssembly, {how}: {printed.splitlines()[-1]}")


# ---- The release ---------------------------------------------------------------------------------

VERSIONS = {
    "meson.build": r"version: '([0-9.]+)'",
    "CMakeLists.txt": r"project\(terrain VERSION ([0-9.]+)",
    "packaging/conan/conanfile.py": r'version = "([0-9.]+)"',
    "packaging/vcpkg/terrain/vcpkg.json": r'"version": "([0-9.]+)"',
    "bindings/javascript/package.json": r'"version": "([0-9.]+)"',
    "bindings/csharp/Libterrain/Libterrain.csproj": r"<Version>([0-9.]+)</Version>",
    "bindings/csharp/Libterrain/package.json": r'"version": "([0-9.]+)"',
    "bindings/csharp/Libterrain/Library.cs": r'new Version\("([0-9.]+)"\)',
    "bindings/rust/terrain/Cargo.toml": r'\nversion = "([0-9.]+)"',
    "bindings/rust/terrain-sys/Cargo.toml": r'\nversion = "([0-9.]+)"',
}


def release(work):
    """One version everywhere; what meson dist packs builds, and has the library as one file."""
    found = {name: re.search(pattern, (ROOT / name).read_text())[1]
             for name, pattern in VERSIONS.items()}
    header = (ROOT / "include/terrain/base.h").read_text()
    found["base.h"] = ".".join(re.search(rf"TERRAIN_VERSION_{part} (\d+)", header)[1]
                               for part in ("MAJOR", "MINOR", "PATCH"))
    if len(set(found.values())) != 1:
        sys.exit(f"FAILED versions differ: {found}")
    origin = repository(work)
    run(["meson", "setup", work / "build", origin, "-Dtools=disabled", "-Dtests=disabled",
         "-Dbench=false", *QUICK])
    run(["meson", "dist", "-C", work / "build", "--no-tests", "--formats=gztar"])
    tarball = next((work / "build/meson-dist").glob("*.tar.gz"))
    run(["tar", "-xzf", tarball, "-C", work])
    folder = work / tarball.name[:-len(".tar.gz")]
    run(["meson", "setup", work / "again", folder, "-Dtools=disabled", "-Dtests=disabled",
         "-Dbench=false", *QUICK])
    run(["meson", "compile", "-C", work / "again"])
    source = ROOT / "docs/examples/start.c"
    program = work / "start"
    for name in ("terrain.c", "terrain.h", "terrain.hpp"):
        if not (folder / "single" / name).exists():
            sys.exit(f"FAILED {tarball.name} has no single/{name}")
    run([*CC, source, f"-I{folder}/include", next((work / "again/lib").glob("libterrain.so")),
         f"-Wl,-rpath,{work}/again/lib", "-o", program])
    check_output(source, program, f"from {tarball.name}")


def main():
    routes = {"installed": installed, "subproject": subproject, "fetch": fetch, "single": single,
              "wasm": wasm, "release": release}
    if len(sys.argv) != 2 or sys.argv[1] not in routes:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as directory:
        routes[sys.argv[1]](pathlib.Path(directory))


if __name__ == "__main__":
    main()
