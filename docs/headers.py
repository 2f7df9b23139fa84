#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes what the public headers take from the operation table: above each field of a params struct
its sentence, unit, range and default; above each value of an enum its sentence.

    headers.py TERRAIN            rewrites params structs and enums of include/terrain/*.h
    headers.py TERRAIN --check    changes nothing; fails if a header is not up to date, if an enum's
                                  value is not named TERRAIN_<OPERATION>_<FIELD>_<VALUE> with the
                                  table's number, or if an operation's entry lacks a part

TERRAIN is the program.
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

import parts

HEADERS = pathlib.Path(__file__).resolve().parent.parent / "include/terrain"
STRUCT = re.compile(r"typedef struct terrain_(\w+)_params \{\n(.*?)\} terrain_\1_params;\n", re.DOTALL)
FIELD = re.compile(r"^    ((?:const )?\w+) (\*?)(\w+);$")
WIDTH = 100


def number(value):
    value = float(value) if isinstance(value, float) else int(value)
    for power in (62, 32, 24):
        for sign, offset in ((1, 0), (-1, 0), (1, -1)):
            if value == sign * (2 ** power) + offset:
                return f"{'-' if sign < 0 else ''}2^{power}{' - 1' if offset else ''}"
    if abs(value) >= 1e5 and value == float(f"{value:.0e}"):
        return re.sub(r"e\+?(-?)0*", r"e\1", f"{value:.0e}")
    return str(int(value)) if value == int(value) else str(value)


def limits(parameter):
    """What may stand in a field, as the end of its comment."""
    kind = parameter["type"]
    if kind == "enum":
        return f"Default {parameter['default'].upper()}."
    if kind == "bool":
        return f"0 or 1; default {int(parameter['default'])}."
    if kind == "map_in":
        return "NULL: none."
    if kind == "map_out":
        return "NULL: not wanted."
    unit = parameter["unit"][:1].upper() + parameter["unit"][1:]
    if kind == "uint64":
        return "Default 0."
    low = "-infinity" if parameter["min"] is None else number(parameter["min"])
    high = "infinity" if parameter["max"] is None else number(parameter["max"])
    range_ = f"{low} to {high}"
    text = f"{unit}, {range_}" if unit else range_
    if kind == "float_array":
        return f"{text} each; NULL for the default."
    if parameter["default"] is None:  # infinite
        return f"{text}; default {parameter['default_text']}inity."
    return f"{text}; default {number(parameter['default'])}."


def comment(text):
    # The last word and the comment's end stay together.
    lines = textwrap.wrap(f"/** {text}\0*/", WIDTH - 4, subsequent_indent=" * ")
    return "".join(f"    {line}\n" for line in lines).replace("\0", " ")


def struct(match, operations):
    """A params struct with the table's comments. Fields that are not in the table keep theirs."""
    name, body = match.groups()
    if name not in operations:
        return match.group(0)
    table = {p["name"]: p for p in operations[name]["parameters"]}
    body = re.sub(r"(\w+)\n +(\*?\w+;)", r"\1 \2", re.sub(r" *\n? */\*.*?\*/", "", body, flags=re.DOTALL))
    out = ""
    for line in body.splitlines():
        if not line.strip():
            continue
        line = re.sub(r"^ +", "    ", re.sub(r"(\S) +(\S)", r"\1 \2", line))
        line = re.sub(r" \*\s*(\w)", r" *\1", line)
        field = FIELD.match(line)
        if field is None and "TERRAIN_POINTER_PAD" not in line:
            raise SystemExit(f"terrain_{name}_params: {line!r}")
        if field is not None and field.group(3) in table:
            parameter = table[field.group(3)]
            out += comment(f"{parameter['doc']} {limits(parameter)}")
        elif field is not None and field.group(3).endswith("_count"):
            array = field.group(3)[:-len("_count")]
            out += comment(f"How many numbers {array} has, at most {table[array]['count_max']}.")
        elif field is not None and field.group(3) == "reserved":
            out += comment("Must be 0.")
        out += line + "\n"
    return f"typedef struct terrain_{name}_params {{\n{out}}} terrain_{name}_params;\n"


SHARED = {"border": "BORDER", "metric": "METRIC", "curve": "STITCH_CURVE", "rim": "RIM",
          "routing": "ANALYZE_FLOW_ROUTING"}
VALUE = re.compile(r"    /\*\*(?:[^*]|\*(?!/))*\*/\n    (TERRAIN_\w+) = (\d+)(,?)\n")


def enum_values(operations):
    """Of each enum parameter's values: operation, number, sentence, and the names that it may have:
    its own, or one that operations share."""
    for name, operation in operations.items():
        for p in operation["parameters"]:
            for i, value in enumerate(p["values"]):
                own = f"TERRAIN_{name}_{p['name']}_{value}".upper()
                yield name, i, p["value_docs"][i], (own, f"TERRAIN_{SHARED.get(p['name'], '-')}_{value}".upper())


def enum_comments(text, operations):
    """The header with the table's sentence above each value of an enum."""
    docs = {name: doc for _, _, doc, names in enum_values(operations) for name in names}

    def value(match):
        name, number, comma = match.groups()
        return match.group(0) if name not in docs else comment(docs[name]) + f"    {name} = {number}{comma}\n"

    return VALUE.sub(value, text)


def enum_faults(operations, text):
    """Values that are not named after operation, field and value, or after an enum that is shared,
    or that have another number than in the table."""
    values = {name: int(number) for name, number, _ in VALUE.findall(text)}
    for operation, i, doc, names in enum_values(operations):
        if i not in (values.get(name) for name in names):
            yield f"{operation}: no header has {names[0]} = {i} /* {doc} */"


def entry_faults(operations, text):
    """Entries that lack one of the parts that each has, or have them in another order."""
    for name in operations:
        entry = re.search(r"/\*\*((?:[^*]|\*(?!/))*)\*/\nTERRAIN_API terrain_status\s+terrain_" + name +
                          r"\(\s*terrain_context", text)
        places = [entry.group(1).find(part) if entry else -1
                  for part in ("Errors:", "Since", "Definition.")]
        if -1 in places or places != sorted(places):
            yield f"{name}: its entry must have Errors:, Since and then Definition."


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    printed = subprocess.run([parts.program(sys.argv[1]), "ops", "--json"], check=True, stdout=subprocess.PIPE).stdout
    operations = {o["name"]: o for o in json.loads(printed)}
    faults, seen, everything = [], set(), ""
    for header in sorted(HEADERS.glob("*.h")):
        text = header.read_text()
        everything += text
        seen |= {found[0] for found in STRUCT.findall(text)}
        renewed = enum_comments(STRUCT.sub(lambda match: struct(match, operations), text), operations)
        if renewed != text and sys.argv[2:]:
            faults.append(f"{header.name} is not up to date: run docs/headers.py")
        elif renewed != text:
            header.write_text(renewed)
            print(f"{header.name}: renewed")
    faults += [f"{name} has no params struct" for name in operations if name not in seen]
    faults += enum_faults(operations, everything)
    faults += entry_faults(operations, everything)
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(operations)} params structs: up to date")


main()
