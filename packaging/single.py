#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Makes the library one file: terrain.c, and terrain.h and, for C++, terrain.hpp beside it.

Headers and sources are written one after the other, each once. Kernel files come once for each instruction
set, between pragmas that make gcc and clang compile for it; there all names that a kernel file or a vector
header defines get the set's name as their end, since they share one file now.

usage: single.py SOURCE_ROOT OUTPUT_DIRECTORY VERSION FILE...     FILE: all of lib/*/*.c that are compiled

"dist" as the output directory is single/ in the release that meson dist packs.
"""

import os
import pathlib
import re
import sys

# Name, TERRAIN_KERNEL_LEVEL, and what the compiler is told.
SETS = [("avx2", 1, "avx2,no-avx512f"), ("avx512", 2, "avx512f,avx512bw,avx512dq,avx512vl")]

START = """\
/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* libterrain {version} in one file, made from its sources. Compile it as C11 beside your own files:
 *
 *     cc -O3 -ffp-contract=off -pthread -c terrain.c
 *
 * That compiles the plain kernels. With -DTERRAIN_EVERY_ISA, gcc and clang on x86-64 add those for
 * AVX2 and AVX-512, and the processor chooses: several times faster, with the same bits. On Windows
 * nothing but the system's own libraries is needed, elsewhere threads. */

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#ifndef _ISOC11_SOURCE
#define _ISOC11_SOURCE
#endif

#if defined(TERRAIN_EVERY_ISA) && defined(__GNUC__) && defined(__x86_64__)
#define TERRAIN_HAVE_AVX2
#define TERRAIN_HAVE_AVX512
#include <immintrin.h>
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function" /* of the vectors, not all that each has */
#endif

/* Products and sums are rounded one by one, whatever the compiler would do by itself. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "terrain.h"
"""

ENTER = """
/* ==== The kernels, for {name} ===================================================================== */

#if defined(TERRAIN_HAVE_{upper})
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("{target}"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("{target}")
#endif
#undef TERRAIN_KERNEL_LEVEL
#define TERRAIN_KERNEL_LEVEL {level}
#undef TERRAIN__KERNELS
#define TERRAIN__KERNELS(name) terrain__##name##_kernels_{name}
"""

LEAVE = """
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
"""

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"([^"]+)"|<(terrain/[^>]+)>)[^\n]*$', re.M)


def code(text):
    """Without comments and the contents of strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def body(path):
    """A file without its licence lines and, if it is a header, its guard."""
    text = re.sub(r"\A(?:/\* SPDX-[^\n]*\n)+\n*", "", path.read_text())
    guard = re.search(r"^#ifndef (TERRAIN_\w+_H)\n#define \1\n", text, re.M)
    if guard:
        end = text.rstrip().rfind("#endif")
        text = text[:guard.start()] + text[guard.end():end]
    return re.sub(r"^#define _(DEFAULT|ISOC11)_SOURCE\n", "", text, flags=re.M).strip() + "\n"


class Writer:
    def __init__(self, root, folder):
        self.root = root
        self.folder = folder  # what includes are relative to
        self.parts = []

    def find(self, name):
        for base in (self.folder, self.root / "include"):
            if (base / name).is_file():
                return base / name
        sys.exit(f"single.py: no file {name}")

    def write(self, path, seen, skip):
        """A file, with what it includes in the place of the include; `skip` says which files are there."""
        if path in seen or skip(path):
            return
        if path.suffix == ".c" or "#ifndef TERRAIN_" in path.read_text():
            seen.add(path)  # lists without a guard are there to be included again
        self.parts.append(f"\n/* ---- {path.relative_to(self.root)} ---- */\n\n")
        text, at = body(path), 0
        for match in INCLUDE.finditer(text):
            self.parts.append(text[at:match.start()])
            self.write(self.find(match[1] or match[2]), seen, skip)
            at = match.end() + 1
        self.parts.append(text[at:])


def is_vector_header(writer, path, known):
    """Whether a header means other things for other instruction sets."""
    if path not in known:
        text = code(path.read_text())
        known[path] = path.name != "kernels.h" and (
            re.search(r"\b(VEC_LANES|TERRAIN_KERNEL_LEVEL|vfloat|vint|vuint)\b", text) is not None
            or any(is_vector_header(writer, writer.find(match[1] or match[2]), known)
                   for match in INCLUDE.finditer(path.read_text())))
    return known[path]


def top_level(text):
    """Declarations at file scope: what stands before a semicolon or a body, and the body."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", code(text), flags=re.M)
    depth, start, head, bodies = 0, 0, "", []
    for i, character in enumerate(text):
        if character == "{":
            if depth == 0:
                head, start = head + text[start:i], i + 1
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                bodies.append(text[start:i])
                start = i + 1
                if head.rstrip().endswith(")"):  # a function: no semicolon follows
                    yield head, bodies
                    head, bodies = "", []
                else:
                    head += " {} "
        elif character == ";" and depth == 0:
            yield head + text[start:i], bodies
            head, bodies, start = "", [], i + 1


def names_defined(text):
    """Functions, types, tags, constants and tables of a file, and macros."""
    macros = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M))
    names, tags = set(), set()
    for head, bodies in top_level(text):
        head = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", head).strip()
        while re.match(r"[A-Z]\w*\s*\([^()]*\)\s*\w", head):  # what macros made without a semicolon
            head = re.sub(r"^[A-Z]\w*\s*\([^()]*\)\s*", "", head)
        if "TERRAIN__KERNELS" in head or "TERRAIN__DECLARE_KERNELS" in head:
            continue
        tag = re.match(r"(?:typedef\s+|static\s+|const\s+)*(struct|union|enum)\s*(\w*)\s*\{\}", head)
        if tag:
            tags.add(tag[2])
            if tag[1] == "enum":
                names.update(re.findall(r"(?:^|,)\s*(\w+)", bodies[0]))
            head = ("typedef " if head.startswith("typedef") else "") + "x " + head[tag.end():]
        pointer = re.match(r"[^(]*\(\s*\*\s*(?:const\s+)?(\w+)", head)
        plain = re.search(r"(\w+)\s*(?:\(|\[|=|$)", head)
        found = pointer if head.startswith("typedef") or plain and plain[1] == "void" else plain
        found = found or plain
        if found and head.strip() not in ("x", "typedef x"):
            names.add(found[1])
    keywords = {"", "struct", "static", "const", "inline", "typedef", "x", "extern", "void", "enum",
                "_Static_assert"}
    return names - keywords, tags - keywords, macros


def rename_pasted(text, names, tags, name):
    """Names that macros put together (noise_##kind##_row): the set's name becomes their last piece, if what
    comes out is defined here. Adds to `names` what macros define."""
    chain = re.compile(r"\b\w+(?:[ \t]*##[ \t]*\w+)+")

    def in_macro(define):
        parameters = re.findall(r"\w+", define[2])
        for i, parameter in enumerate(parameters):  # a function whose name is an argument
            if re.search(rf"\b(static|TERRAIN__INLINE)\b[^;{{}}()]*[ *]{parameter}\(", define[0]):
                for use in re.findall(rf"^{define[1]}\(([^)]*)\)", text, re.M):
                    names.add(re.split(r"\s*,\s*", use.strip())[i])

        def in_chain(match):
            pieces = re.split(r"\s*##\s*", match[0])
            pattern = re.compile("".join(r"\w+" if piece in parameters else piece for piece in pieces))
            before = re.split(r"[;{}]", define[0][:match.start()])[-1]
            if re.search(r"\b(static|TERRAIN__INLINE)\b", before) and "(" not in before[-40:]:
                names.update(token for token in re.findall(r"(?!terrain__)\b\w+", text) if pattern.fullmatch(token))
            elif not any(pattern.fullmatch(known) for known in names | tags):
                return match[0]
            return f"{match[0]}##_{name}"

        pasted = chain.sub(in_chain, define[0])
        for parameter in parameters:
            pasted = re.sub(rf"\b(struct|union|enum) +{parameter}\b(?! *##)", rf"\g<0>##_{name}", pasted)
        return pasted

    return re.sub(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)(?:[^\n]*\\\n)*[^\n]*", in_macro, text,
                  flags=re.M)


def kernels_for(writer, kernels, name, vector_headers, common):
    """The kernel files, as they are for one instruction set; names end in the set's."""
    section = Writer(writer.root, writer.folder)
    seen = set()
    for path in kernels:
        section.write(path, seen, lambda other: other in common)
    text = "".join(section.parts)
    names, tags, macros = names_defined(text)
    names -= macros
    text = rename_pasted(text, names, tags, name)

    def renamed(match):
        known = tags if match[1] else names
        return f"{match[0]}_{name}" if match[2] in known else match[0]

    # Not the fields of structs, what follows a point or an arrow; nor the name of the file's table, which a
    # function of the file may have, too.
    text = re.sub(r"(?<![\w.>])(?<!->)(?<!TERRAIN__KERNELS\()((?:struct|union|enum)\s+)?\b([A-Za-z_]\w*)\b", renamed, text)
    return text, macros


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    root, version = pathlib.Path(sys.argv[1]).resolve(), sys.argv[3]
    output = (pathlib.Path(os.environ["MESON_DIST_ROOT"]) / "single" if sys.argv[2] == "dist"
              else pathlib.Path(sys.argv[2]))
    files = [pathlib.Path(name).resolve() for name in sys.argv[4:]]
    output.mkdir(parents=True, exist_ok=True)

    public = Writer(root, root / "include")
    public.write(root / "include/terrain/terrain.h", set(), lambda path: False)
    (output / "terrain.h").write_text(
        f"/* SPDX-FileCopyrightText: The libterrain authors */\n/* SPDX-License-Identifier: MIT */\n\n"
        f"/* libterrain {version}: all of its headers in one. */\n\n"
        "#ifndef TERRAIN_TERRAIN_H\n#define TERRAIN_TERRAIN_H\n" + "".join(public.parts) + "\n#endif\n")

    handles = (root / "include/terrain/terrain.hpp").read_text()
    (output / "terrain.hpp").write_text(handles.replace("#include <terrain/terrain.h>", '#include "terrain.h"'))

    writer = Writer(root, root / "lib")
    include = root / "include"
    vector_headers, common = {}, set()
    kernels = sorted(path for path in files if path.name.endswith("_kernels.c"))
    plain = sorted(path for path in files if path not in kernels)
    plain.sort(key=lambda path: path.name == "thread.c")  # <windows.h> and its macros come last

    def elsewhere(path):
        return include in path.parents or is_vector_header(writer, path, vector_headers)

    for path in plain + kernels:  # the kernels' own files give only their headers here
        if path in kernels:
            for match in INCLUDE.finditer(path.read_text()):
                writer.write(writer.find(match[1] or match[2]), common, elsewhere)
        elif path.name != "thread.c":
            writer.write(path, common, lambda other: include in other.parents)
    parts = [START.format(version=version), *writer.parts]

    public_and_common = common | set((include / "terrain").glob("*.h"))
    text, macros = kernels_for(writer, kernels, "plain", vector_headers, public_and_common)
    parts.append("\n/* ==== The plain kernels "
                 "========================================================================= */\n")
    parts.append(text)
    for name, level, target in SETS:
        parts.append(ENTER.format(name=name, upper=name.upper(), target=target, level=level))
        parts += [f"#undef {macro}\n" for macro in sorted(macros)]
        text, macros = kernels_for(writer, kernels, name, vector_headers, public_and_common)
        parts += [text, LEAVE]
    for path in plain:
        if path.name == "thread.c":
            writer.parts = []
            writer.write(path, common, lambda other: include in other.parents)
            parts += writer.parts
    (output / "terrain.c").write_text("".join(parts))


main()
