#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against declarations of the crate terrain-sys that are not the headers': its structs and functions against
bindgen's, which are kept in bindings/rust/terrain-sys/bindgen.txt. Where bindgen is installed, that file is compared
with the headers as well.

usage: bindgen.py SOURCE_ROOT [--update]"""

import pathlib
import re
import shutil
import subprocess
import sys


def words(text):
    """A type or signature without what says the same in two ways: paths, Option around functions, names of a
    function type's parameters, the type of an array's length, spaces."""
    text = re.sub(r"\s+", " ", text).replace("->", "=")
    text = re.sub(r"(?:::)?(?:std|core)::(?:os::raw|ffi|option)::|unsafe ", "", text)
    text = re.sub(r"; (\d+)usize", r"; \1", text)
    text = text.replace("terrain_task", 'extern "C" fn(*mut c_void, u32)')
    while re.search(r"Option< ?[^<>]*>", text):
        text = re.sub(r"Option< ?([^<>]*?),? ?>", r"\1", text)
    text = re.sub(r"(?<=[(,] )\w+: |(?<=\()\w+: ", "", text)
    return re.sub(r",? ?([()]) ?", r"\1", text).replace("=", "->").strip()


def declarations(text):
    """A line for each struct's field and each function, without tests."""
    text = re.sub(r"//[^\n]*", "", text.split("#[cfg(test)]")[0])
    found = []
    for name, body in re.findall(r"pub struct (\w+) \{(.*?)\n\}", text, re.S):
        fields = re.findall(r"pub (\w+): (.*?),\n(?=    pub|$)", body + "\n", re.S)
        found += [f"{name}.{field}: {words(kind)}" for field, kind in fields]
    for name, given, result in re.findall(r"pub fn (\w+)\((.*?)\)( -> [^;]*?)?;", text, re.S):
        found.append(f"{name}{words('(' + given + ')' + result)}")
    return found


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--update"]):
        sys.exit(__doc__)
    root, update = pathlib.Path(sys.argv[1]), "--update" in sys.argv
    crate = root / "bindings/rust/terrain-sys"
    ours = declarations((crate / "src/lib.rs").read_text())
    functions = [line.split("(")[0] for line in ours if "." not in line.split("(")[0]]
    structs = sorted({line.split(".")[0] for line in ours if "." in line.split(":")[0]})
    if shutil.which("bindgen"):
        made = subprocess.run(
            ["bindgen", root / "include/terrain/terrain.h", "--allowlist-function", "|".join(functions), "--allowlist-type",
             "|".join(structs), "--no-layout-tests", "--no-doc-comments", "--", f"-I{root}/include"],
            check=True, capture_output=True, text=True).stdout
        theirs = "".join(line + "\n" for line in declarations(made))
        if update:
            (crate / "bindgen.txt").write_text(theirs)
        elif theirs != (crate / "bindgen.txt").read_text():
            sys.exit("FAILED the headers' declarations are not those of bindgen.txt: bindgen.py --update writes them")
    elif update:
        sys.exit("bindgen is not here: cargo install bindgen-cli")
    wanted = (crate / "bindgen.txt").read_text().splitlines()
    wrong = [f"{line}\n    is not bindgen's" for line in ours if line not in wanted]
    wrong += [f"{line}\n    of the headers is missing" for line in wanted if line.split(".")[0] in structs and line not in ours]
    for each in structs:  # in their order
        mine, headers = ([line for line in lines if line.startswith(f"{each}.")] for lines in (ours, wanted))
        wrong += [f"{each}: the fields are in another order"] if mine != headers and not wrong else []
    if wrong or not functions or len(functions) + len(structs) < 40:
        sys.exit("FAILED (with bindgen installed, bindgen.py --update writes bindgen.txt)\n" + "\n".join(wrong))
    print(f"{len(functions)} functions, {len(structs)} structs")


main()
