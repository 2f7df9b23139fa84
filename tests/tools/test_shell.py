# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""test_shell.py TERRAIN FOLDER: the manual page and the completions, as tools/shell/shell.py wrote them into
FOLDER, beside the program that they are of."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

TERRAIN, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8", timeout=60, **options).stdout


class Shell(unittest.TestCase):
    def read(self, name):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            return file.read()

    def complete(self, *words):
        """What bash offers for the last of the words."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("land.terrain", "land.png", "my land.terrain", "my map.png", "my [*].png"):
                open(os.path.join(folder, name), "w").close()
            script = 'source "%s/terrain"; COMP_WORDS=(%s); COMP_CWORD=%d; _terrain; printf "%%s\\n" "${COMPREPLY[@]}"' % (
                FOLDER, " ".join(map(shlex.quote, ("terrain", *words))), len(words))
            return output("bash", "-c", script, cwd=folder).splitlines()

    @unittest.skipIf(shutil.which("bash") is None, "no bash")
    def test_bash(self):
        """Guards against completions that offer what the program refuses, or nothing."""
        self.assertEqual(self.complete("ti"), ["tiles"])
        self.assertEqual(self.complete("run", "--me"), ["--memory"])
        self.assertEqual(self.complete("run", "--isa", "avx"), ["avx2", "avx512"])
        self.assertEqual(self.complete("run", "la"), ["land.terrain"])
        self.assertEqual(sorted(self.complete("view", "la")), ["land.png", "land.terrain"])
        self.assertEqual(self.complete("ops", "erode_the"), ["erode_thermal"])

    @unittest.skipIf(shutil.which("bash") is None, "no bash")
    def test_bash_files(self):
        """Guards against names with spaces that are cut, and files that are not found behind NAME=."""
        both = ["my [*].png", "my map.png"]
        for word in ("my", "my\\ ", '"my ', "'my "):
            self.assertEqual(self.complete("run", word), ["my land.terrain"])
            self.assertEqual(sorted(self.complete("view", word)), sorted([*both, "my land.terrain"]))
        self.assertEqual(sorted(self.complete("run", "-o", "my")), sorted([*both, "my land.terrain"]))
        # Bash makes a word of "=", unless it is told not to.
        for words in (("--input", "a", "=", "my\\ m"), ("--input", "=", "a", "=", "my\\ m"), ("-o", "a", "=", "my\\ m")):
            self.assertEqual(self.complete("run", *words), ["my map.png"])
        self.assertEqual(len(self.complete("run", "--input", "a", "=")), 5)
        self.assertEqual(self.complete("run", "--input", "a=my\\ m"), ["a=my map.png"])
        self.assertEqual(self.complete("run", "--isa", "=", "avx"), ["avx2", "avx512"])
        self.assertEqual(self.complete("run", "--isa", "=")[0], "baseline")

    @unittest.skipIf(shutil.which("zsh") is None, "no zsh")
    def test_zsh_files(self):
        """Guards against files that are not found behind NAME=; where none is, it waits in vain."""
        script = """zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PS1=; fpath=(${(q)2} \\$fpath); autoload -U compinit; compinit -u -D; echo rea''dy"
            zpty -r shell out '*ready*'
            zpty -w -n shell "terrain run $1"$'\\t'
            zpty -r shell out '*land.png*'"""
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "land.png"), "w").close()
            for words in ("-o la", "-o a=la", "--input a=la"):
                output("zsh", "-f", "-c", script, "zsh", words, FOLDER, cwd=folder)

    @unittest.skipIf(shutil.which("fish") is None, "no fish")
    def test_fish(self):
        """Guards against words and files that are not found."""
        def complete(line):
            script = f"source {shlex.quote(FOLDER)}/terrain.fish; complete -C '{line}'"
            return [each.partition("\t")[0] for each in output("fish", "-c", script, cwd=folder).splitlines()]
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "land.png"), "w").close()
            self.assertEqual(complete("terrain run --isa avx"), ["avx2", "avx512"])
            self.assertEqual(complete("terrain run -o la"), ["land.png"])
            self.assertEqual(complete("terrain run --input a=la"), ["a=land.png"])

    def test_complete(self):
        """Guards against an option, a command or an operation that was forgotten."""
        commands = set(re.findall(r"^  terrain (\w+)", output(TERRAIN, "--help"), re.MULTILINE))
        options = set(re.findall(r"(?<![\w-])--[a-z-]+", "".join(output(TERRAIN, c, "--help") for c in commands)))
        self.assertGreater(len(options), 30)
        operations = {o["name"] for o in json.loads(output(TERRAIN, "ops", "--json"))}
        page = self.read("terrain.1").replace("\\-", "-")
        for name in ("terrain", "_terrain", "terrain.fish"):
            text = self.read(name)
            for word in operations | {"run", "hash", "join"}:
                self.assertIn(word, text, name)
            for option in options - {"--json"}:
                told = "-l %s " % option[2:] if name == "terrain.fish" else option
                self.assertIn(told, text, name)
        for word in options | operations:
            self.assertIn(word, page)

    def test_refused(self):
        """Guards against an option that is offered for a command which does not know it."""
        for line in self.read("terrain").splitlines():
            match = re.match(r" +(\w+)\) words='([^']*)'", line)
            if match is None or match.group(1) == "ops":
                continue
            for option in match.group(2).split():
                result = subprocess.run([TERRAIN, match.group(1), option, "1", "no such file"], stderr=subprocess.PIPE,
                                        encoding="utf-8", timeout=60)
                self.assertNotRegex(result.stderr, "expected an option, found", (match.group(1), option))

    def test_syntax(self):
        """Guards against pages and scripts that their readers refuse."""
        for command, name in ((["bash", "-n"], "terrain"), (["zsh", "-n"], "_terrain"), (["fish", "-n"], "terrain.fish")):
            if shutil.which(command[0]) is not None:
                output(*command, os.path.join(FOLDER, name))
        if shutil.which("groff") is not None:
            result = subprocess.run(["groff", "-man", "-ww", "-z", os.path.join(FOLDER, "terrain.1")], check=True,
                                    stderr=subprocess.PIPE, encoding="utf-8", timeout=60)
            self.assertEqual(result.stderr, "")


unittest.main(argv=sys.argv[:1])
