#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against tests that notice nothing: makes small random mistakes in lib and tools, one at a
time, and runs the tests that can notice.

Works in a copy of the tracked files, which it configures and builds once; a mutant then costs one
recompiled file, or three for a kernel, and the tests up to the first that fails. Tests that walk
over all operations are first told to try those that the file belongs to, which takes a second.
The same seed gives the same mutants of the same sources, so a run that was stopped goes on where it
was. Each mutant is

    killed      a test failed, crashed, or took several times as long as it should
    equivalent  the compiler made the same code of it
    invalid     it does not compile
    survived    no test noticed: a hole in the tests, or a change that changes nothing

usage: mutate.py [--count N] [--seed S] [--work FOLDER] [--only PREFIX] [--list]
"""

import argparse
import collections
import difflib
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# ---- Mistakes ------------------------------------------------------------------------------------

Mutant = collections.namedtuple("Mutant", "file kind begin end text")
Token = collections.namedtuple("Token", "kind begin end text")

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|",
             "|": "&", "^": "|", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "+=",
             "/=": "*=", "|=": "&=", "&=": "|=", "++": "--", "--": "++"}
KEYWORDS = {"break", "case", "const", "continue", "default", "do", "else", "enum", "extern", "for",
            "goto", "if", "return", "sizeof", "static", "struct", "switch", "typedef", "union",
            "volatile", "while", "_Static_assert"}


def tokens_of(source):
    return [Token(match.lastgroup, match.start(), match.end(), match.group())
            for match in TOKEN.finditer(source) if match.lastgroup != "skip"]


def closing(tokens, opening):
    """The index of the bracket that closes the one at index `opening`."""
    depth = 0
    for i in range(opening, len(tokens)):
        depth += tokens[i].text in "([{"
        depth -= tokens[i].text in ")]}"
        if depth == 0:
            return i
    return opening


def arguments_of(tokens, opening, end):
    """The first and last token of each argument between two parentheses."""
    arguments, depth, begin = [], 0, opening + 1
    for i in range(opening + 1, end + 1):
        if i == end or (tokens[i].text == "," and depth == 0):
            if i > begin:
                arguments.append((begin, i - 1))
            begin = i + 1
        depth += tokens[i].text in "([{"
        depth -= tokens[i].text in ")]}"
    return arguments


def is_declared(tokens, first, last):
    """Whether an argument is that of a declaration: `float x`, `const map *map`."""
    words = [token for token in tokens[first:last + 1] if token.text != "*"]
    return any(a.kind == b.kind == "name" for a, b in zip(words, words[1:]))


def swaps_in(source, tokens, i):
    arguments = arguments_of(tokens, i + 1, closing(tokens, i + 1))
    if any(is_declared(tokens, *argument) for argument in arguments):
        return
    for left, right in zip(arguments, arguments[1:]):
        a = source[tokens[left[0]].begin:tokens[left[1]].end]
        b = source[tokens[right[0]].begin:tokens[right[1]].end]
        between = source[tokens[left[1]].end:tokens[right[0]].begin]
        if a != b:
            yield "swap", tokens[left[0]].begin, tokens[right[1]].end, b + between + a


def is_binary(source, tokens, i):
    token = tokens[i]
    spaced = source[token.begin - 1].isspace() and source[token.end].isspace()
    before = tokens[i - 1]
    return i > 0 and spaced and (before.kind in ("name", "number") or before.text in (")", "]"))


def statement_end(tokens, i):
    """The semicolon of the assignment or call that begins at i, or None."""
    before = tokens[i - 1].text if i > 0 else ""
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if before not in (";", "{", "}") or tokens[i].kind != "name" or tokens[i].text in KEYWORDS:
        return None
    if after not in ("(", "=", "->", ".", "[", "++", "--") and not (after in OPERATORS and
                                                                    after.endswith("=")):
        return None
    depth = 0
    for k in range(i, len(tokens)):
        depth += tokens[k].text in "([{"
        depth -= tokens[k].text in ")]}"
        if depth < 0 or (depth == 0 and tokens[k].text == "}"):
            return None
        if depth == 0 and tokens[k].text == ";":
            return k
    return None


def mistakes_in(source):
    """Every (kind, begin, end, text): what stands from begin to end, and the text instead."""
    tokens = tokens_of(source)
    for i, token in enumerate(tokens):
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.text in COMPARISONS and is_binary(source, tokens, i):
            yield "comparison", token.begin, token.end, COMPARISONS[token.text]
        elif token.text in OPERATORS and (is_binary(source, tokens, i) or
                                          token.text in ("++", "--")):
            yield "operator", token.begin, token.end, OPERATORS[token.text]
        elif token.kind == "number" and not (tokens[i - 1].text == "{" and after == "}"):
            whole = not re.search(r"[.pP]|^\d+[eE]", token.text)
            zero = not token.text.strip("0.fFuUlL")
            change = " + 1" if whole or zero else " * 2"
            yield "constant", token.begin, token.end, f"({token.text}{change})"
            if whole and not zero:
                yield "constant", token.begin, token.end, f"({token.text} - 1)"
        elif token.text in ("true", "false"):
            yield "constant", token.begin, token.end, "false" if token.text == "true" else "true"
        elif token.text in ("if", "while") and after == "(":
            end = tokens[closing(tokens, i + 1)].end
            condition = source[tokens[i + 1].begin:end]
            yield "condition", tokens[i + 1].begin, end, f"(!{condition})"
        elif token.kind == "name" and token.text not in KEYWORDS and after == "(":
            yield from swaps_in(source, tokens, i)
        end = statement_end(tokens, i)
        if end is not None:
            yield "statement", token.begin, tokens[end].end, ";"


def all_mutants(root, files):
    """By kind, so that the many constants do not crowd out the few statements."""
    kinds = collections.defaultdict(list)
    for file in files:
        for kind, begin, end, text in mistakes_in((root / file).read_text()):
            kinds[kind].append(Mutant(file, kind, begin, end, text))
    return kinds


def choose(kinds, seed):
    """An endless row of different mutants, each kind as likely as another."""
    chance = random.Random(seed)
    left = {kind: list(kinds[kind]) for kind in sorted(kinds)}
    while any(left.values()):
        kind = chance.choice([kind for kind in left if left[kind]])
        yield left[kind].pop(chance.randrange(len(left[kind])))


# ---- Tests ---------------------------------------------------------------------------------------

# Tests that can notice, by folder: suites and names.
OPERATION = ["operations", "recipe", "world", "manual", "oracle", "golden"]
NOTICE = {
    "lib/mesh": ["mesh", "tools"],
    "lib/measure": ["core", "measure", "score", "theory", "tools"],
    "lib/recipe": ["recipe", "operations", "theory", "world", "tools", "fuzz"],
    "lib/world": ["world", "recipe", "tools"],
    "lib/stitch": ["stitch", "tools"] + OPERATION,
    "tools": ["tools", "manual", "fuzz"],
}
VERBS = ["analyze", "blur", "combine", "erode", "generate", "shape"]
ENGINE = (["core", "vector", "keys", "operations", "mesh", "score", "measure", "recipe"] + VERBS +
          ["stitch", "world", "theory", "manual", "oracle", "golden"])
LEFT_OUT = ("mistakes",) # about the oracles

# Tests that ask TEST_OPERATIONS, in the order of what they cost and notice.
BY_OPERATION = ["golden", "oracle", "operations/table", "operations/bad_input",
                "operations/failures", "operations/bits", "operations/tiles", "recipe/plan"]

# Stand for all where a file belongs to the whole library; golden and oracle follow with all.
SAMPLE = ["analyze_flow", "blur_box", "combine_blend", "erode_hydraulic", "erode_thermal",
          "generate_fault_lines", "generate_noise", "shape_resample", "stitch_blend",
          "test_every_type"]

Step = collections.namedtuple("Step", "test operations")


def is_in(groups, name, test):
    return name not in LEFT_OUT and (name in groups or test["suite"] in groups)


def owner_of(file, operations):
    """The operation that a file is named after: lib/erode/thermal_kernels.c is erode_thermal's."""
    path = pathlib.PurePath(file)
    own = path.parent.name + "_" + path.stem
    names = [name for name in operations if own == name or own.startswith(name + "_")]
    return max(names, key=len, default=None)


def operations_of(root, file, operations):
    """Those that a file belongs to, or whose files include its header. [] for all."""
    own = owner_of(file, operations)
    if own:
        return [own]
    folder = pathlib.PurePath(file).parent.name
    stem = re.sub(r"_kernels$", "", pathlib.PurePath(file).stem)
    header = re.compile(rf'#include "({folder}/{stem}(_kernels)?|{folder}/{folder})\.h"')
    users = {owner_of(other, operations) for other in sources(root, "lib")
             if header.search((root / other).read_text())} - {None}
    return sorted(users) if len(users) <= 12 else []


def steps_for(file, tests, concerned):
    """Which tests to run, in order: those of the file's own name; those that can be told its
    operations; then all that may notice, cheap ones first."""
    path = pathlib.PurePath(file)
    verb = path.parent.name
    stem = re.sub(r"_kernels$", "", path.stem)
    groups = NOTICE.get(str(path.parent), [verb] + OPERATION if verb in VERBS else ENGINE)
    names = [name for name, test in tests.items() if is_in(groups, name, test)]

    def is_own(name):
        return (name.split("/")[-1] == stem or name.startswith(f"{verb}/{stem}_") or
                name.replace("/", "_", 1) in concerned)

    names.sort(key=lambda name: tests[name]["seconds"])
    own = [Step(name, []) for name in names if is_own(name)]
    some = [Step(name, concerned or SAMPLE) for name in BY_OPERATION if name in names]
    # Nothing but recipes, worlds and the program can notice what an operation's file breaks of
    # others.
    again = [] if len(concerned) == 1 else ["golden", "oracle"]
    whole = [Step(name, []) for name in names
             if not is_own(name) and (name in again or name not in BY_OPERATION)]
    return own + some + whole


def read_tests(build):
    """Name -> suite, command, environment and targets, as meson knows them."""
    def ask(what):
        out = subprocess.run(["meson", "introspect", str(build), what], check=True,
                             stdout=subprocess.PIPE).stdout
        return json.loads(out)
    outputs = {target["id"]: target["filename"] for target in ask("--targets")}
    return {test["name"]: {
        "suite": test["suite"][0].split(":")[-1],
        "command": test["cmd"],
        "environment": test["env"],
        "targets": [str(pathlib.Path(file).relative_to(build)) for name in test["depends"]
                    for file in outputs[name]],
    } for test in ask("--tests")}


def run(command, seconds=None, **options):
    """The exit code; None where time ran out. Ends the command's children with it.

    seconds are of processor time, for neighbours may take most of the clock's; a test that sleeps
    for ever is given up after a minute and eight times as many of the clock's."""
    def limit(): # a mutant may ask for all memory, write for ever, or run for ever
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))

    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               preexec_fn=limit, **options)
    try:
        return process.wait(None if seconds is None else 60 + 8 * seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Tree:
    """A copy of the sources, and its build."""

    def __init__(self, work):
        self.pristine = work / "pristine"
        self.source = work / "source"
        self.build = work / "build"
        self.results = work / "results.jsonl"
        self.facts = work / "tests.json"

    def prepare(self):
        if not (self.build / "build.ninja").exists():
            listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True,
                                    stdout=subprocess.PIPE, text=True).stdout
            for name in filter(None, listed.split("\0")):
                (self.pristine / name).parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / name).exists():
                    shutil.copy2(ROOT / name, self.pristine / name)
            shutil.copytree(self.pristine, self.source, dirs_exist_ok=True)
            # A cache of compiled files makes a mutant's way back to the original free.
            compilers = {"CC": "ccache gcc", "CXX": "ccache g++"} if shutil.which("ccache") else {}
            subprocess.run(["meson", "setup", "-Dbench=false", "-Ddefault_library=static",
                            str(self.build), str(self.source)], check=True,
                           stdout=subprocess.DEVNULL, env=dict(compilers, **os.environ))
        if not self.facts.exists():
            print("building, and timing the tests", flush=True)
            if self.make([]) != 0:
                sys.exit("the sources do not build")
            self.time_tests()
        self.tests = json.loads(self.facts.read_text())
        listed = (self.pristine / "lib/core/operations.h").read_text()
        self.operations = ["_".join(names) for names in
                           re.findall(r"^OPERATION\(\d+, (\w+), (\w+)\)", listed, re.MULTILINE)]
        for file in sources(self.pristine, ""): # a run that was killed leaves its last mutant
            if (self.pristine / file).read_bytes() != (self.source / file).read_bytes():
                (self.source / file).write_bytes((self.pristine / file).read_bytes())

    def make(self, targets):
        return run(["ninja", "-C", str(self.build)] + targets)

    def time_tests(self):
        tests = read_tests(self.build)
        groups = ENGINE + sum(NOTICE.values(), [])
        for name, test in sorted(tests.items()):
            if not is_in(groups, name, test) or not self.makes(test):
                continue
            begin = resource.getrusage(resource.RUSAGE_CHILDREN)
            code = self.try_test(test, 1200)
            if name in BY_OPERATION: # which must not fail for want of the others
                code = code or self.try_test(test, 1200, SAMPLE)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            test["seconds"] = (end.ru_utime + end.ru_stime) - (begin.ru_utime + begin.ru_stime)
            print(f"{name}: {test['seconds']:.1f} s, exit code {code}", flush=True)
            if code != 0:
                print(f"{name} fails as things are: it can notice nothing, and is left out")
                test["suite"] = "broken"
        tests = {name: test for name, test in tests.items() if "seconds" in test}
        self.facts.write_text(json.dumps(tests, indent=1))

    def makes(self, test):
        return not test["targets"] or self.make(test["targets"]) == 0

    def try_test(self, test, seconds, operations=()):
        """The exit code; None where time ran out. 77 means that the test could not run."""
        environment = dict(os.environ, **test["environment"])
        if operations:
            environment["TEST_OPERATIONS"] = ",".join(operations)
        code = run(test["command"], seconds, cwd=self.build, env=environment)
        return 0 if code == 77 else code

    def compile(self, file):
        """What the compiler makes of a source: a hash for each object, of a header for all that may
        include it. None if it does not compile."""
        commands = json.loads((self.build / "compile_commands.json").read_text())
        folders = (self.source / "lib", self.source / "tools")
        outputs = []
        for command in commands:
            path = (self.build / command["file"]).resolve()
            if path == (self.source / file).resolve() or (
                    file.endswith(".h") and any(folder in path.parents for folder in folders)):
                outputs.append(command["output"])
        if self.make(outputs) != 0:
            return None
        return [hashlib.sha256((self.build / name).read_bytes()).hexdigest() for name in outputs]

    def judge(self, mutant):
        """(verdict, by whom)"""
        path = self.source / mutant.file
        original = (self.pristine / mutant.file).read_text()
        before = self.compile(mutant.file)
        try:
            path.write_text(original[:mutant.begin] + mutant.text + original[mutant.end:])
            after = self.compile(mutant.file)
            if after is None:
                return "invalid", ""
            if after == before:
                return "equivalent", ""
            concerned = operations_of(self.pristine, mutant.file, self.operations)
            return self.judge_by_tests(steps_for(mutant.file, self.tests, concerned))
        finally:
            path.write_text(original)

    def judge_by_tests(self, steps):
        for step in steps:
            test = self.tests[step.test]
            if not self.makes(test):
                return "invalid", ""
            code = self.try_test(test, 5 + 4 * test["seconds"], step.operations)
            if code != 0:
                how = "time" if code in (None, -signal.SIGXCPU, -signal.SIGKILL) else \
                    f"exit code {code}"
                return "killed", f"{step.test} ({how})"
        return "survived", ""


# ---- A run ---------------------------------------------------------------------------------------

def changes(root, mutant):
    """The mutant as a diff."""
    source = (root / mutant.file).read_text()
    changed = source[:mutant.begin] + mutant.text + source[mutant.end:]
    lines = difflib.unified_diff(source.splitlines(), changed.splitlines(), mutant.file,
                                 mutant.file, lineterm="", n=1)
    return "\n".join(lines)


def sources(root, only):
    files = [path.relative_to(root).as_posix() for folder in ("lib", "tools")
             for path in sorted((root / folder).rglob("*.[ch]"))]
    return [file for file in files if file.startswith(only)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=50, help="valid mutants to judge (50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path,
                        default=pathlib.Path(tempfile.gettempdir()) / "terrain-mutants",
                        help="folder of the copy, its build, and the results")
    parser.add_argument("--only", default="", metavar="PREFIX", help="files, such as lib/erode")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args()
    tree = Tree(options.work.resolve())
    if options.list:
        mutants = choose(all_mutants(ROOT, sources(ROOT, options.only)), options.seed)
        for _, mutant in zip(range(options.count), mutants):
            print(changes(ROOT, mutant))
        return 0
    tree.prepare()
    known = {}
    if tree.results.exists():
        for line in tree.results.read_text().splitlines():
            entry = json.loads(line)
            known[Mutant(*entry["mutant"])] = entry
    tally = collections.Counter()
    survivors = []
    for mutant in choose(all_mutants(tree.pristine, sources(tree.pristine, options.only)),
                         options.seed):
        if sum(tally.values()) - tally["invalid"] >= options.count:
            break
        if mutant not in known:
            begin = time.monotonic()
            verdict, by = tree.judge(mutant)
            known[mutant] = {"mutant": mutant, "verdict": verdict, "by": by}
            with tree.results.open("a") as results:
                results.write(json.dumps(known[mutant]) + "\n")
            line = (tree.pristine / mutant.file).read_text().count("\n", 0, mutant.begin) + 1
            print(f"{verdict} {mutant.file}:{line} {mutant.kind} {by} "
                  f"({time.monotonic() - begin:.0f} s)", flush=True)
        verdict = known[mutant]["verdict"]
        tally[verdict] += 1
        if verdict == "survived":
            survivors.append(mutant)
    for mutant in survivors:
        print(changes(tree.pristine, mutant))
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
