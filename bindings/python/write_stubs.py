# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes the type stubs of the modules that are made from the operation table, from the extension module that was
just built, and that of the package itself. usage: write_stubs.py SOURCES NATIVE __init__.pyi VERB.pyi..."""

import ast
import importlib.machinery
import importlib.util
import pathlib
import sys
import types


def load(name, path):
    if str(path).endswith(".py"):
        loader = importlib.machinery.SourceFileLoader(name, str(path))
    else:
        loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def package_stub(source, verbs):
    """What __init__.py imports, the modules that it makes, and what it gives to `import *`."""
    lines = ["# Written when the package was built."]
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            lines += [f"from .{node.module} import {each.name} as {each.name}" for each in node.names
                      if each.asname is None]
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            everything = [*ast.literal_eval(node.value), *verbs]
    lines += [f"from . import {verb} as {verb}" for verb in verbs]
    return "\n".join([*lines, "", f"__all__ = {everything}", "__version__: str", "results_version: int", ""])


def main():
    sources, native = pathlib.Path(sys.argv[1]), sys.argv[2]
    package_output, *outputs = map(pathlib.Path, sys.argv[3:])
    # The package's own __init__ needs NumPy, which is not there while it is built.
    package = sys.modules["libterrain"] = types.ModuleType("libterrain")
    package.__path__ = []
    load("libterrain._native", native)
    load("libterrain._errors", sources / "_errors.py")
    operations = load("libterrain._operations", sources / "_operations.py").operations
    describe = load("libterrain._describe", sources / "_describe.py")
    for output in outputs:
        verb = output.stem
        output.write_text(describe.stub([each for each in operations.values() if each.verb == verb]))
    verbs = dict.fromkeys(each.verb for each in operations.values())
    if set(verbs) != {output.stem for output in outputs}:
        sys.exit(f"the table has the verbs {list(verbs)}")
    package_output.write_text(package_stub((sources / "__init__.py").read_text(), verbs))


main()
