#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes Libterrain/Operations.cs from the operation table: a method for each operation, an enum for each choice.

    write_operations.py TERRAIN            writes the file
    write_operations.py TERRAIN --check    changes nothing; fails if the file is not up to date

TERRAIN is the program.
"""

import json
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "bindings/csharp/Libterrain/Operations.cs"
WIDTH = 120
HEAD = """// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Written from the operation table by write_operations.py.

namespace Libterrain
{
"""
VERBS = {
    "generate": "Makes land from nothing. Each writes every cell of the map that it is given, and returns it.",
    "erode": "Wears land. Each changes the map.",
    "blur": "Smooths land. Each changes the map.",
    "shape": "Changes heights one by one, or by what lies around them.",
    "combine": "Makes one map of two. Each changes the first.",
    "analyze": "Measures land, cell by cell. Each returns the map with the result, which is new if none is given.",
    "stitch": "Makes maps fit that are neighbours: maps[row, column]. Each changes all of them.",
}
# Enums that operations share, as in C; some take only the first values.
SHARED = {"border": "Border", "metric": "Metric", "rim": "Rim", "routing": "FlowRouting", "stitch curve": "StitchCurve"}
TYPES = {"float": "float", "int32": "int", "int64": "long", "uint64": "ulong", "bool": "bool", "map_in": "Heightmap",
         "map_out": "Heightmap", "float_array": "float[]"}
PORTS = {"read": "A map that is read.", "write": "The map that is written.", "change": "The map that is changed."}


def pascal(name):
    text = "".join(word[0].upper() + word[1:] for word in name.split("_"))
    return "N" + text if text[0].isdigit() else text


def camel(name):
    text = pascal(name)
    return text[0].lower() + text[1:]


def algorithm(operation):
    return operation["name"][len(operation["verb"]) + 1:]


def enum_name(operation, parameter):
    name = parameter["name"]
    return SHARED.get(f"{operation['verb']} {name}") or SHARED.get(name) or pascal(f"{algorithm(operation)}_{name}")


def number(value):
    value = float(value) if isinstance(value, float) else int(value)
    for power in (32, 62, 64):
        for sign, offset in ((1, 0), (-1, 0), (1, -1)):
            if value == sign * 2 ** power + offset:
                return f"{'-' if sign < 0 else ''}2^{power}{' - 1' if offset else ''}"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else str(value)


def type_of(operation, parameter):
    if parameter["type"] == "enum":
        return enum_name(operation, parameter)
    if parameter["type"] == "uint32":  # as .NET counts, unless that is too little
        return "int" if int(parameter["max"]) < 2 ** 31 else "uint"
    return TYPES[parameter["type"]]


def default(operation, parameter):
    kind, value = parameter["type"], parameter["default"]
    if kind == "float" and value is None:
        return {"inf": "float.PositiveInfinity", "-inf": "float.NegativeInfinity"}[parameter["default_text"]]
    if kind == "float":
        return f"{value}" if value == int(value) and abs(value) < 1e9 else f"{value}f"
    if kind == "enum":
        return f"{type_of(operation, parameter)}.{pascal(value)}"
    if kind == "bool":
        return str(bool(value)).lower()
    return "null" if value is None else str(value)


def parameter_doc(operation, parameter):
    text, kind = parameter["doc"], parameter["type"]
    if kind in ("float", "int32", "uint32", "int64", "float_array"):
        low = "-infinity" if parameter["min"] is None else number(parameter["min"])
        high = "infinity" if parameter["max"] is None else number(parameter["max"])
        limits = f"{low} to {high}"
        unit = f"{parameter['unit'][0].upper()}{parameter['unit'][1:]}, " if parameter["unit"] else ""
        count = f", at most {parameter['count_max']} of them" if kind == "float_array" else ""
        text += f" {unit}{limits}{count}."
    when = parameter["when"]
    if when is not None:
        other = camel(when["parameter"])
        names = [pascal(value) for value in when["values"] if not isinstance(value, bool)]
        condition = f"is {' or '.join(names)}" if names else "is given" if when["values"] == [True] else "is not given"
        text += f" Counts only where {other} {condition}."
    port = next((each for each in operation["ports"] if each["parameter"] and each["name"] == parameter["name"]), None)
    if port is not None and port["lattice"] == "coarse":
        text += f" Its cell (i, j) is the world's point (i, j) times {camel(port['spacing'])}."
    if kind == "enum" and int(len(parameter["values"])) < LONGEST[type_of(operation, parameter)]:
        text += f" {', '.join(map(pascal, parameter['values'][:-1]))} or {pascal(parameter['values'][-1])}."
    return text


def comment(tag, text, indent, attributes=""):
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # The words of a tag stay together.
    lines = textwrap.wrap(f"<{tag}{attributes.replace(' ', chr(0))}>{text}</{tag}>", WIDTH - len(indent) - 4,
                          break_long_words=False, break_on_hyphens=False)
    return "".join(f"{indent}/// {line}\n" for line in lines).replace("\0", " ")


LONGEST = {}


def enums(operations):
    """Each enum with the longest list of its values, and their sentences."""
    found = {}
    for operation in operations:
        for parameter in operation["parameters"]:
            if parameter["type"] != "enum":
                continue
            name, values = enum_name(operation, parameter), list(zip(parameter["values"], parameter["value_docs"]))
            known = found.setdefault(name, (name in SHARED.values(), parameter["doc"], values))
            longest = max(known[2], values, key=len)
            names = [[value for value, _ in each] for each in (known[2], values)]
            if names[0][:len(names[1])] != names[1][:len(names[0])] or known[2] is not values and not known[0]:
                sys.exit(f"two enums would be called {name}")
            found[name] = (known[0], known[1], longest)
    LONGEST.update((name, len(values)) for name, (_, _, values) in found.items())
    return found


def enum_code(name, doc, values):
    code = comment("summary", doc, "    ") + f"    public enum {name}\n    {{\n"
    code += "\n".join(comment("summary", text, " " * 8) + f"        {pascal(value)} = {index},\n"
                      for index, (value, text) in enumerate(values))
    return code + "    }\n"


def method(operation):
    signature, arguments = operation["signature"], [port for port in operation["ports"] if not port["parameter"]]
    kind = "Heightmap[,]" if signature == "grid" else "Heightmap"
    returns = signature in ("generate", "result")
    given = [(kind, port["name"], None, PORTS[port["role"]]) for port in arguments]
    if signature == "result":
        given[1] = ("Heightmap", "result", "null", "The map that is written; without one, a new map.")
    if signature == "grid":
        given[0] = (kind, "maps", None, "Neighbours of equal size, all of which are changed.")
    given += [(type_of(operation, p), p["name"], default(operation, p), parameter_doc(operation, p))
              for p in operation["parameters"]]
    given.append(("Context", "context", "null", "Threads, progress and cancelling."))
    code = comment("summary", operation["summary"], " " * 8)
    if operation["reference"]:
        code += comment("remarks", operation["reference"], " " * 8)
    for _, name, _, doc in given:
        code += comment("param", doc, " " * 8, f' name="{camel(name)}"')
    code += f"        public static {'Heightmap' if returns else 'void'} {pascal(algorithm(operation))}(\n"
    code += ",\n".join(f"            {kind} {camel(name)}{f' = {value}' if value else ''}"
                       for kind, name, value, _ in given)
    names = ", ".join(camel(port["name"]) for port in arguments)
    checks = "".join(f"            Check.NotNull({camel(name)}, nameof({camel(name)}));\n"
                     for kind, name, value, _ in given if kind.startswith("Heightmap") and value is None)
    run = {"result": "RunResult", "grid": "RunGrid"}.get(signature, "Run") + f"(context, {names})"
    code += f")\n        {{\n{checks}"
    code += f'            using (var call = new Operation.Call("{operation["name"]}"))\n            {{\n'
    for p in operation["parameters"]:
        cast, usual = "(long)" if p["type"] == "enum" else "", default(operation, p)
        code += f'                call.Set("{p["name"]}", {cast}{camel(p["name"])}'
        code += ");\n" if usual == "null" else f", {cast}{usual});\n"
    code += f"                {'return ' if signature == 'result' else ''}call.{run};\n            }}\n"
    if signature == "generate":
        code += f"            return {names};\n"
    return code + "        }\n"


def source(operations):
    operations = [each for each in operations if each["signature"] != "other"]
    code = [enum_code(name, doc, values) for name, (_, doc, values) in sorted(enums(operations).items())]
    for verb, doc in VERBS.items():
        methods = [method(each) for each in operations if each["verb"] == verb]
        code.append(comment("summary", doc, "    ") + f"    public static class {pascal(verb)}\n    {{\n" +
                    "\n".join(methods) + "    }\n")
    if {each["verb"] for each in operations} != set(VERBS):
        sys.exit(f"the table has other verbs than {', '.join(VERBS)}")
    return HEAD + "\n".join(code) + "}\n"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    terrain = str(pathlib.Path(sys.argv[1]).resolve())
    printed = subprocess.run([terrain, "ops", "--json"], check=True, stdout=subprocess.PIPE).stdout
    code = source(json.loads(printed))
    if not sys.argv[2:]:
        OUTPUT.write_text(code, encoding="utf-8")
    elif code != OUTPUT.read_text(encoding="utf-8"):
        sys.exit(f"{OUTPUT.name} is not up to date: run bindings/csharp/write_operations.py")


main()
