#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a binary interface that changes, and against headers and sources that need more than
they say.

    abi.py symbols  SOURCE_ROOT LIBRARY          exported names against symbols.txt; what it links to
    abi.py layout   SOURCE_ROOT LAYOUT_PROGRAM   params structs against layout.txt, 64 and 32 bits
    abi.py headers  SOURCE_ROOT                  each public header alone, C99, C11, C++11
    abi.py dialects SOURCE_ROOT                  what clang-format can't see, wide comments among it; which folder
                                                 includes which
    abi.py keys     SOURCE_ROOT                  random keys and draws against keys.txt, which only grows
    abi.py release  SOURCE_ROOT FILE...          by abidiff, where it is: nothing that the last release had is gone or
                                                 changed, except that structs grow; --update at a release, or when
                                                 the interface is broken on purpose
    abi.py programs SOURCE_ROOT LIBRARY          programs built with older and newer headers (structs shorter and
                                                 longer) run with this library
    abi.py sources  SOURCE_ROOT FILE...          all of the library by a bare compiler over the list of
                                                 files: the same golden hashes (consumer.py has the
                                                 one file)

--update before the first argument rewrites symbols.txt, layout.txt, keys.txt or release.abi.xz. The compiler is $CC, or cc.
"""

import lzma
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

CC = shlex.split(os.environ.get("CC", "cc"))
CXX = shlex.split(os.environ.get("CXX", "c++"))
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
FAILURES = []


def fail(text):
    FAILURES.append(text)
    print("FAILED", text)


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def succeeds(command, what, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        fail(f"{what}: {shlex.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.returncode == 0


def compare(found, path, update):
    """Lines of text against a checked-in file."""
    if update:
        path.write_text("".join(line + "\n" for line in found))
    wanted = path.read_text().splitlines()
    for line in sorted(set(wanted) - set(found)):
        fail(f"{path.name} has \"{line}\", which is gone")
    for line in sorted(set(found) - set(wanted)):
        fail(f"\"{line}\" is not in {path.name}: add it on purpose, with abi.py --update")


def symbols(root, arguments, update):
    library = arguments[0]
    names = []
    for line in output(["nm", "-D", "--defined-only", library]).splitlines():
        kind, name = line.split()[-2:]
        name = name.split("@")[0]
        if kind == "A":
            continue  # the version node itself
        if not re.fullmatch(r"terrain_[a-z0-9][a-z0-9_]*", name) or name.startswith("terrain__"):
            fail(f"exports {name}")
        names.append(name)
    compare(sorted(names), root / "tests/abi/symbols.txt", update)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output(["readelf", "-d", library]))
    for name in needed:
        if not re.match(r"(libc|libpthread|ld-linux.*)\.so", name):
            fail(f"needs {name}")
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", output(["readelf", "-d", library]))
    if soname != ["libterrain.so.0"]:
        fail(f"soname is {soname}")
    print(f"{len(names)} symbols, needs {', '.join(needed)}")


def layout_assertions(lines):
    """A C file that does not compile unless every params struct is laid out as listed."""
    yield "#include <terrain/terrain.h>"
    for line in lines:
        words = line.split()
        if len(words) == 2:
            struct = f"terrain_{words[0]}_params"
            yield f"_Static_assert(sizeof({struct}) == {words[1]}, \"{line}\");"
            yield f"_Static_assert(offsetof({struct}, struct_size) == 0, \"{struct}\");"
            yield f"_Static_assert(offsetof({struct}, flags) == 4, \"{struct}\");"
        else:
            operation, field = words[0].split(".")
            struct = f"terrain_{operation}_params"
            yield f"_Static_assert(offsetof({struct}, {field}) == {words[2]}, \"{line}\");"


def layout(root, arguments, update):
    path = root / "tests/abi/layout.txt"
    compare(sorted(output([arguments[0]]).splitlines()), path, update)
    checks = "\n".join(layout_assertions(path.read_text().splitlines())) + "\n"
    # Freestanding: the headers need no C library, and the 32-bit one may not be installed.
    targets = [CC, CC + ["-m32"]]
    targets += [[name] for name in ("aarch64-linux-gnu-gcc", "s390x-linux-gnu-gcc",
                                    "arm-linux-gnueabihf-gcc") if shutil.which(name)]
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / "layout.c"
        source.write_text(checks)
        for compiler in targets:
            if "-m32" in compiler and os.uname().machine != "x86_64":
                continue
            for file in (source, root / "tests/abi/structs.c"):
                succeeds(compiler + ["-std=c11", "-ffreestanding", "-fsyntax-only",
                                     f"-I{root}/include", str(file)], "layout")
        print(f"{len(checks.splitlines())} assertions by {len(targets)} compilers")


# Which folders of lib a folder of the lower floors may include, beside the public headers.
FLOORS = {"base": {"base"}, "vector": {"base", "vector"}, "core": {"base", "vector", "core"},
          "rows": {"base", "vector", "core", "rows"}}


def floors(root):
    """The engine knows no operation, and what lies below it no engine."""
    for folder, known in FLOORS.items():
        for path in sorted((root / "lib" / folder).glob("*.[ch]")):
            for name in re.findall(r'^\s*#\s*include "(\w+)/', path.read_text(), re.MULTILINE):
                if name not in known | {"terrain"}:
                    fail(f"lib/{folder}/{path.name} includes {name}/")


def dialects(root, _arguments, _update):
    """What clang-format can't see: comments wider than the page, files that don't say what they are
    for, tests that don't say what they guard against, tables of operations in orders of their own, a
    variable that is declared on one line and set on the next, loads that gcc takes for those of an
    aligned double."""
    floors(root)
    declared = re.compile(r"^    (?!return |goto )[\w ]+[ *](\w+);\n    \1 = ", re.MULTILINE)
    tests = re.compile(r"^static void (test_\w+)\(void \*\*state\)\n\{", re.MULTILINE)
    table = re.compile(r"^const terrain_operation \w+ = \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
    field = re.compile(r"^    (?:\.(\w+) = |(TERRAIN__\w+)\()", re.MULTILINE)
    loads = re.compile(r"\b_mm_(?:load|store)_sd(?=\()")
    struct = re.search(r"^struct terrain_operation \{(.*?)^\};",
                       (root / "lib/core/operation.h").read_text(), re.MULTILINE | re.DOTALL)[1]
    order = ["TERRAIN__IDENTITY", *re.findall(r"(\w+)(?:\)\(.*|\[.*|);", struct)]
    order[order.index("parameters")] = "TERRAIN__PARAMETERS"
    for folder in ("include", "lib", "tools", "bench", "tests", "bindings/python"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            text, name = path.read_text(encoding="utf-8"), path.relative_to(root)
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > 100:
                    fail(f"{name}:{number}: {len(line)} columns, more than 100")
            # What a .c is for may stand in its .h.
            if (folder in ("lib", "tools", "bench") and not path.with_suffix(".h").exists() or
                    path.suffix == ".h" and "cross" not in path.parts):
                if not re.match(r"(/\* SPDX.*\n)+\n*/\*(?! SPDX)", text):
                    fail(f"{name}: doesn't begin with what it is for")
            for match in tests.finditer(text):
                if not text[:match.start()].endswith("*/\n") and not text[match.end():].startswith("\n    /*"):
                    fail(f"{name}: {match[1]} doesn't say what it guards against")
            for match in declared.finditer(text):
                fail(f"{name}: {match[1]} is declared, and set on the next line")
            for match in loads.finditer(text) if folder == "lib" else ():
                fail(f"{name}: {match[0]} is for memory that holds doubles: copy by memcpy")
            for match in table.finditer(text) if folder == "lib" else ():
                found = [order.index(a or b) for a, b in field.findall(match[1])]
                if found != sorted(found):
                    fail(f"{name}: the table's fields are not in the order of struct terrain_operation")


def headers(root, _arguments, _update):
    allowed = re.compile(r"#\s*include <(stddef\.h|stdint\.h|terrain/[a-z_]+\.h)>")
    names = sorted(path.name for path in (root / "include/terrain").glob("*.h"))
    with tempfile.TemporaryDirectory() as directory:
        for name in names:
            for line in (root / "include/terrain" / name).read_text().splitlines():
                if re.match(r"\s*#\s*include", line) and not allowed.match(line):
                    fail(f"{name}: {line}")
            source = pathlib.Path(directory) / "alone.c"
            source.write_text(f"#include <terrain/{name}>\n#include <terrain/{name}>\n"
                              "extern int not_empty;\n")
            for compiler in (CC, ["gcc"], ["clang"]):
                if shutil.which(compiler[0]):
                    for standard in ("c99", "c11"):
                        succeeds(compiler + [f"-std={standard}", "-Wstrict-prototypes", "-Wundef",
                                             *STRICT, f"-I{root}/include", str(source)], name)
            cplusplus_header(root, name, source, [])
        source.write_text("#include <terrain/terrain.hpp>\n#include <terrain/terrain.hpp>\n")
        for standard in ("c++11", "c++17", "c++20"):
            cplusplus_header(root, "terrain.hpp", source, [f"-std={standard}", "-Weffc++", "-Wshadow", "-Dcheck(x)=#x"])
            cplusplus_header(root, "terrain.hpp", source, [f"-std={standard}", "-Weffc++", "-fno-exceptions", "-fno-rtti"])
        source.write_text(ROWS)
        for standard in ("c++11", "c++17", "c++20"):
            cplusplus_header(root, "terrain.hpp", source, [f"-std={standard}", *CONVERSIONS])
        exceptions(root, pathlib.Path(directory))
        print(f"{len(names) + 1} headers")


# Of hosts that are strict about conversions, and whose rows become spans.
CONVERSIONS = ["-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wold-style-cast"]
ROWS = """
#include <terrain/terrain.hpp>
float first(terrain::heightmap &map);
float first(terrain::heightmap &map)
{
    const terrain::heightmap &fixed = map;
    float total = map(0, 1) + fixed(1, 0);
#if defined(TERRAIN_CPP_SPAN)
    std::span<float> row = map.row(0);
    std::span<const float> read = map.row(0), copy = fixed.row(1), same(map.row(1));
    total += row[0] + read[1] + copy[0] + same[1];
#endif
    for (float height : fixed.row(0)) {
        total += height;
    }
    return total;
}
"""

MODULE = """
#include <terrain/terrain.hpp>
#include <memory_resource>
#include <string>
void module_(terrain_recipe_run_desc run, terrain_world_desc desc, terrain_context_desc own)
{
    own.allocator = terrain::allocator_of(*std::pmr::get_default_resource());
    auto context = terrain::make_context(own), other = terrain::make_context();
    auto pool = terrain::make_pool(1);
    auto map = terrain::make_heightmap(context, 2, 2);
    float cells[4];
    auto wrapped = terrain::wrap(context, cells, 2, 2, 2);
    auto fixed = terrain::wrap_const(context, cells, 2, 2, 2);
    auto part = terrain::view(context, map, 0, 0, 1, 1);
    auto copy = terrain::clone(context, map);
    auto recipe = terrain::make_recipe(context, std::string("a = generate_noise"));
    auto plan = terrain::make_plan(context, recipe, run);
    auto statistics = terrain::make_statistics(context);
    auto score = terrain::make_score(context);
    auto world = terrain::make_world(context, desc);
}
"""
# Functions that throw, or return nothing, by whether there are exceptions.
BY_EXCEPTIONS = ["allocator_of", "clone", "made", "make_context", "make_heightmap", "make_plan", "make_pool", "make_recipe",
                 "make_score", "make_statistics", "make_world", "view", "wrap", "wrap_const"]


def exceptions(root, directory):
    """Modules with and without exceptions in one program: no function that differs has one name for both."""
    source, made = directory / "module.cpp", directory / "module.o"
    source.write_text(MODULE)
    for option, kind in (("-fexceptions", "with_exceptions"), ("-fno-exceptions", "without_exceptions")):
        if succeeds([*CXX, "-std=c++17", "-O0", option, f"-I{root}/include", "-c", str(source), "-o", str(made)], option):
            symbols = output(["nm", "-C", str(made)])
            found = set(re.findall(rf" W (?:[\w:<>, ]+ )?terrain::{kind}::(\w+)[(<]", symbols))
            if found != set(BY_EXCEPTIONS):
                fail(f"terrain.hpp, {option}: {sorted(found ^ set(BY_EXCEPTIONS))}")


def cplusplus_header(root, name, source, options):
    for compiler in (CXX, ["g++"], ["clang++"]):
        if shutil.which(compiler[0]):
            succeeds(compiler + ["-std=c++11", "-Wundef", *options, *STRICT, f"-I{root}/include",
                                 "-x", "c++", str(source)], name)


def keys(root, _arguments, update):
    """Numbers that are part of results: keys.txt only ever grows, and no key stands for two operations."""
    operations = re.findall(r"^OPERATION\((\d+), (\w+), (\w+)\)",
                            (root / "lib/core/operations.h").read_text(), re.MULTILINE)
    draws = re.findall(r"TERRAIN__DRAW_(\w+) = (\d+)", (root / "lib/core/keys.h").read_text())
    now = [f"key {verb}_{algorithm} {key}" for key, verb, algorithm in operations]
    now += [f"draw {name} {number}" for name, number in draws]
    path = root / "tests/abi/keys.txt"
    kept = path.read_text().splitlines()
    taken = {line.split()[2]: line for line in kept if line.startswith("key ")}
    numbers = {line.rsplit(" ", 1)[0]: line for line in kept}
    for line in now:
        if line in kept:
            continue
        kind, name, number = line.split()
        if f"{kind} {name}" in numbers or (kind == "key" and number in taken):
            fail(f"{line}: taken by {numbers.get(f'{kind} {name}', taken.get(number))}")
        elif update:
            kept.append(line)
            taken[number] = line
        else:
            fail(f"{line} is not in keys.txt: abi.py --update keys {root}")
    if update and not FAILURES:
        path.write_text("\n".join(kept) + "\n")
    print(f"{len(now)} keys and draws")


GROWTH = re.compile(r"'struct terrain_\w+' changed:\n"
                    r"  type size changed from (?P<size>\d+) to \d+ \(in bits\)\n"
                    r"  \d+ data member insertions?:\n"
                    r"(?P<members>(?:    '[^']+', at offset \d+ \(in bits\)\n)+)")


def grows(change):
    """Whether a struct only got members behind its last one."""
    match = GROWTH.fullmatch(change.strip() + "\n")
    offsets = re.findall(r"at offset (\d+) \(in bits\)$", match["members"], re.M) if match else []
    return match and all(int(offset) >= int(match["size"]) for offset in offsets)


def release(root, arguments, update):
    """The whole interface, types and all, as the compiler tells debuggers of it."""
    if not shutil.which("abidw"):
        print("!!! RELEASE was not compared: abidiff is not here (abigail-tools)")
        return
    path = root / "tests/abi/release.abi.xz"
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        library, now, before = (folder / name for name in ("libterrain.so", "now.abi", "release.abi"))
        command = ["gcc", "-g", "-O0", "-std=c11", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off",
                   "-DTERRAIN_BUILDING", f"-I{root}/include", f"-I{root}/lib", *arguments,
                   f"-Wl,--version-script={root}/lib/terrain.map", "-lpthread", "-o", str(library)]
        if not succeeds(command, "a library with debug information"):
            return
        output(["abidw", "--headers-dir", str(root / "include"), "--drop-private-types", "--no-corpus-path",
                "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash", "--no-elf-needed",
                "--no-architecture", "--out-file", str(now), str(library)])
        if update:
            path.write_bytes(lzma.compress(now.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
        before.write_bytes(lzma.decompress(path.read_bytes()))
        # abidw keeps what is opaque if a header of lib has the name of the public one.
        headers = "".join(header.read_text() for header in (root / "include/terrain").glob("*.h"))
        opaque = re.findall(r"^typedef struct (\w+) \1;", headers, re.M)
        (folder / "opaque.ini").write_text(f"[suppress_type]\nname_regexp = ^({'|'.join(opaque)}|terrain__.*)$\n")
        result = subprocess.run(["abidiff", "--leaf-changes-only", "--suppressions", str(folder / "opaque.ini"),
                                 "--no-added-syms", str(before), str(now)], capture_output=True, text=True)
        summary, *changes = re.split(r"\n\n+", result.stdout.strip())
        changes = [change for change in changes if not grows(change)]
        if changes or (result.returncode != 0 and not summary):
            report = "\n\n".join([summary, *changes])
            fail(f"the interface of the last release is not kept. Until 1.0 that may be meant: then it is a line under ABI "
                 f"in the changelog, and abi.py --update release ...\n{report}\n{result.stderr}")
        print("not as the last release" if changes else "as the last release, and more")


def older_and_newer(root, folder):
    """Two sets of the public headers: each struct that a host fills lacks its last 8 bytes, where the programs below
    don't use them, or has 16 bytes more."""
    used = "".join(source.read_text() for source in (root / "docs/examples").glob("*.c"))
    fields = {}
    for line in (root / "tests/abi/layout.txt").read_text().splitlines():
        words = line.split()
        if len(words) == 2:
            fields[f"terrain_{words[0]}_params"] = (int(words[1]), [])
        else:
            name, field = words[0].split(".")
            fields[f"terrain_{name}_params"][1].append((field, int(words[-1])))
    cut = longer = 0
    for header in (root / "include/terrain").glob("*.h"):
        text = older = header.read_text()
        for struct in re.findall(r"^typedef struct (terrain_\w+) \{\n    uint32_t struct_size;", text, re.M):
            body = re.search(rf"^typedef struct {struct} \{{\n(.*?)\n\}} {struct};", text, re.M | re.S)[0]
            size, members = fields.get(struct, (0, []))
            last = [name for name, offset in members if offset >= size - 8]
            if struct.endswith("_desc") and re.search(r"double\s+scale;", body):
                last = ["scale"]
            shorter = body
            for name in last:
                shorter = re.sub(rf"\n    \w+\s+{name};", "\n", shorter)
            if last and not any(re.search(rf"\b{name}\b", used) for name in last) and not any(
                    re.search(rf"\b{name};", shorter) for name in last):
                older = older.replace(body, shorter)
                cut += 1
            text = text.replace(body, re.sub(r"\n\}", "\n    uint64_t later[2];\n}", body))
            longer += 1
        (folder / "older/terrain" / header.name).write_text(older)
        (folder / "newer/terrain" / header.name).write_text(text)
    return cut, longer


def programs(root, arguments, _update):
    library = pathlib.Path(arguments[0]).resolve()
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        for age in ("older", "newer"):
            (folder / age / "terrain").mkdir(parents=True)
        cut, longer = older_and_newer(root, folder)
        if cut < 20 or longer < 50:
            fail(f"only {cut} structs could be made shorter, {longer} longer")
        ran = 0
        for age in ("older", "newer"):
            for source in sorted((root / "docs/examples").glob("*.c")):
                program = folder / f"{source.stem}-{age}"
                if succeeds([*CC, "-std=c11", "-w", f"-I{folder / age}", str(source), str(library),
                             f"-Wl,-rpath,{library.parent}", "-lpthread", "-lm", "-o", str(program)], f"{age} headers"):
                    printed = subprocess.run([program], cwd=folder, capture_output=True, text=True).stdout
                    if printed != source.with_suffix(".txt").read_text():
                        fail(f"{source.name} with {age} headers printed\n{printed}")
                    ran += 1
        print(f"{ran} programs; {cut} structs shorter, {longer} longer")


def sources(root, arguments, _update):
    files = [pathlib.Path(name).resolve() for name in arguments]
    golden = [root / "tests/golden/golden.c", *sorted((root / "tests/support").glob("*.c"))]
    # What a vendored build must set by itself: no contraction.
    common = ["-std=c11", "-O1", "-ffp-contract=off", f"-I{root}/include", f"-I{root}/lib",
              f"-I{root}/tests", "-pthread"]
    with tempfile.TemporaryDirectory() as directory:
        program = pathlib.Path(directory) / "golden"
        command = CC + common + list(map(str, [*files, *golden])) + ["-lm", "-o", str(program)]
        if succeeds(command, "by a bare compiler"):
            succeeds([str(program), str(root / "tests/golden/hashes.txt")], "golden by a bare compiler",
                     env=dict(os.environ, TEST_HOSTS="serial"))
        wrong_builds(root, common, pathlib.Path(directory))
    print(f"{len(files)} files")


def wrong_builds(root, common, directory):
    """Flags that would change results must be noticed: by the compiler, or by the canary."""
    canary = [root / "lib/base/canary.c", root / "lib/base/canary_kernels.c"]
    for flag in ("-ffast-math", "-ffinite-math-only"):
        command = CC + common + [flag, "-fsyntax-only", str(canary[0])]
        if subprocess.run(command, capture_output=True).returncode == 0:
            fail(f"compiles with {flag}")
    if "fma" not in pathlib.Path("/proc/cpuinfo").read_text():
        return
    test = directory / "canary_test.c"
    test.write_text('#include "base/canary.h"\nint main(void) { return !terrain__canary_sings(0); }\n')
    for flags, expected in (([], 0), (["-O2", "-mfma", "-ffp-contract=fast"], 1)):
        program = directory / "canary"
        if succeeds(CC + common + flags + list(map(str, [test, *canary])) + ["-o", str(program)],
                    "canary"):
            if subprocess.run([str(program)]).returncode != expected:
                fail(f"the canary is wrong about {flags}")


def main():
    arguments = sys.argv[1:]
    update = arguments[:1] == ["--update"]
    arguments = arguments[update:]
    commands = {"symbols": symbols, "layout": layout, "headers": headers, "dialects": dialects,
                "keys": keys, "release": release, "programs": programs, "sources": sources}
    if len(arguments) < 2 or arguments[0] not in commands:
        sys.exit(__doc__)
    root = pathlib.Path(arguments[1]).resolve()
    commands[arguments[0]](root, arguments[2:], update)
    sys.exit(1 if FAILURES else 0)


main()
