#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes what a shell wants to know of the program: terrain.1, its manual page, and completions for
bash, zsh and fish. All of it comes from the program's own help and from its operation table.

    shell.py TERRAIN FOLDER

TERRAIN is the program. FOLDER gets terrain.1, terrain (for bash), _terrain (zsh) and terrain.fish.
"""

import json
import pathlib
import re
import subprocess
import sys

COMMAND = re.compile(r"^  terrain (\w+) (.*)$")
# What a command takes, in its usage: FILE, -o, [--size WxH], [OPTION]...
ARGUMENT = re.compile(r"(?:\[?(?:--?[a-z]|[A-Z])\S*|WxH\]) *")
OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)(?: ((?=[\[A-Z])(?:[^\s\[\]]|\[[^\s\]]*\])+))?")
# What follows an option: words of its own, or a file of some kind; otherwise nothing can be guessed.
WORDS = {
    "--isa": ["baseline", "avx2", "avx512"],
    "--palette": ["land", "desert", "grey", "mask"],
    "--method": ["edges", "match", "blend"],
    "--curve": ["smoother", "smooth", "linear"],
}
FILES = ("-o", "--mask", "--input", "--over")
ZSH_FILES = '{compset -P "*="; _files}'  # FILE or NAME=FILE
RECIPE_COMMANDS = ("run", "tiles")


class Help:
    """The program's help: `usage` by command (what follows the name, and a sentence), `options` by
    command (name, value, sentence), `notes`, the other sentences by command, and `types` of files."""

    def __init__(self, ask):
        self.usage, self.options, self.notes = {}, {}, {}
        usage, _, self.types = ask("--help").strip().split("\n\n")
        for line in usage.splitlines()[1:]:
            match = COMMAND.match(line)
            if match is not None:
                name = match.group(1)
                self.usage.setdefault(name, []).append(match.group(2).strip())
            else:
                self.usage[name][-1] += " " + line.strip()
        for name, lines in self.usage.items():
            parts = [re.match(f"((?:{ARGUMENT.pattern})*)(.*)", line).groups() for line in lines]
            self.usage[name] = [(arguments.strip(), sentence.strip()) for arguments, sentence in parts]
            self.options[name], self.notes[name] = {}, ""
            if name != "ops":
                self.read_options(name, ask(name, "--help").split("\n\n")[1])

    def read_options(self, name, text):
        options, last, notes = self.options[name], None, []
        for line in text.splitlines():
            if line.startswith("  -"):
                flags, _, sentence = line.strip().partition("  ")
                last, value = OPTION.match(flags).groups("")
                before = f"{options[last][1]}; " if last in options else ""
                options[last] = value, before + sentence.strip()
            elif line.startswith("  "):
                options[last] = options[last][0], f"{options[last][1]} {line.strip()}".strip()
            else:
                notes.append(line.strip())
        self.notes[name] = " ".join(notes)


def short(sentence):
    """A sentence for a completion's menu."""
    return re.split(r"[;:.](?:\s|$)", sentence)[0].rstrip(",")


# ---- The manual page -----------------------------------------------------------------------------


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE).replace("…", "...")


def manual_page(help_, operations, version):
    out = [f'.TH TERRAIN 1 "" "libterrain {version}" "User Commands"', ".SH NAME",
           roff("terrain - makes, erodes, measures and draws terrain"), ".SH SYNOPSIS"]
    for name, lines in help_.usage.items():
        for arguments, _ in lines:
            out += [".B terrain " + name, roff(arguments), ".br"]
    out += [".SH DESCRIPTION",
            roff("Procedural terrain as heightmaps: a recipe, a text of one statement a line, says which operations "
                 "make a map. The result has the same bits on every machine."), ".SH COMMANDS"]
    for name, lines in help_.usage.items():
        for arguments, sentence in lines:
            arguments = re.sub(r" *\[OPTION\]\.\.\.", "", arguments)
            out += [".TP", f".B {name} {roff(arguments)}", roff(sentence)]
    for name, options in help_.options.items():
        if name == "ops" or not options:
            continue
        out += [f".SH OPTIONS OF TERRAIN {name.upper()}"]
        for option, (value, sentence) in options.items():
            out += [".TP", f"\\fB{roff(option)}\\fR \\fI{roff(value)}\\fR", roff(sentence)]
        if help_.notes[name]:
            out += [".PP", roff(help_.notes[name])]
    out += [".SH OPERATIONS"]
    for operation in operations:
        out += [".TP", f".B {roff(operation['name'])}", roff(operation["summary"])]
    out += [".PP", roff("terrain ops NAME describes one with its parameters."), ".SH FILES",
            roff(" ".join(help_.types.split())), ".SH EXIT STATUS",
            ".TP", ".B 0", "It worked.", ".TP", ".B 1", roff("Something can't be written, or there is no memory."),
            ".TP", ".B 2", roff("Bad input: arguments, a recipe, a file that can't be read."),
            ".TP", ".B 130", "Interrupted."]
    return "\n".join(line for line in out if line) + "\n"


# ---- Completions -----------------------------------------------------------------------------------


def bash(help_, operations):
    cases, values = [], []
    for name in help_.usage:
        words = list(help_.options.get(name, {}))
        if name == "ops":
            words = ["--json", *dict.fromkeys(o["verb"] for o in operations)] + [o["name"] for o in operations]
        files = " recipes=1" if name in RECIPE_COMMANDS else "" if name == "ops" else " files=1"
        cases.append(f"        {name}) words='{' '.join(words)}'{files} ;;")
    for option, words in WORDS.items():
        values.append(f"        {option}) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return ;;")
    values.append(f"        {'|'.join(FILES)})")
    values.append("            case $word in *=*) prefix=${word%%=*}= word=${word#*=} ;; esac")
    values.append('            _terrain_files "$prefix" "$word" -f; return ;;')
    return f"""# Completion of terrain for bash. Generated from the program's help.

# _terrain_files PREFIX WORD ...: offers what compgen finds, a name a line, with the prefix before it.
_terrain_files()
{{
    local name prefix=$1 word=${{2//\\\\/}}
    shift 2
    while IFS= read -r name; do
        COMPREPLY+=("$prefix$name")
    done < <(compgen "$@" -- "${{word#[\\"\\']}}")
}}

_terrain()
{{
    local word=${{COMP_WORDS[COMP_CWORD]}} at=$((COMP_CWORD - 1)) after='' prefix='' words='' files='' recipes=''
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{' '.join(help_.usage)} --help --version' -- "$word"))
        return
    fi
    # "=" is a word of its own: of --isa=avx2, --input a=b.png and --input=a=b.png the option is looked for.
    if [ "$word" = = ]; then
        word='' after=1
    elif [ "${{COMP_WORDS[at]}}" = = ]; then
        at=$((at - 1)) after=1
    fi
    if [ -n "$after" ] && [ "$at" -gt 1 ] && [ "${{COMP_WORDS[at]#--}}" = "${{COMP_WORDS[at]}}" ]; then
        at=$((at - 1))
        if [ "$at" -gt 1 ] && [ "${{COMP_WORDS[at]}}" = = ]; then
            at=$((at - 1))
        fi
    fi
    case ${{COMP_WORDS[at]}} in
{chr(10).join(values)}
    esac
    case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ -n "$files" ] && [ "${{word#-}}" = "$word" ]; then
        _terrain_files '' "$word" -f
    elif [ -n "$recipes" ] && [ "${{word#-}}" = "$word" ]; then
        _terrain_files '' "$word" -d
        _terrain_files '' "$word" -f -X '!*.terrain'
    fi
}}
complete -o filenames -F _terrain terrain
"""


def quoted(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''")


def zsh(help_, operations):
    def escaped(text):
        return quoted(text).replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    def described(name, text):
        return f"'{escaped(name)}:{escaped(text)}'"

    commands = [described(name, short(lines[0][1])) for name, lines in help_.usage.items()]
    names = [described(o["name"], o["summary"]) for o in operations]
    cases = []
    for name in help_.usage:
        if name == "ops":
            cases.append(f"        ops) _describe operation operations ;;")
            continue
        arguments = []
        for option, (value, sentence) in help_.options.get(name, {}).items():
            action = f"({' '.join(WORDS[option])})" if option in WORDS else ZSH_FILES if option in FILES else " "
            arguments.append(f"'*{option}[{escaped(short(sentence))}]" + (f":{value}:{action}'" if value else "'"))
        pattern = "-g \"*.terrain(-.)\"" if name in RECIPE_COMMANDS else ""
        arguments.append(f"'*:file:_files {pattern}'")
        cases.append(f"        {name}) _arguments {' '.join(arguments)} ;;")
    return f"""#compdef terrain
# Completion of terrain for zsh. Generated from the program's help.
_terrain()
{{
    local -a commands operations
    commands=({' '.join(commands)})
    operations=({' '.join(names)})
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    shift words
    (( CURRENT-- ))
    case $words[1] in
{chr(10).join(cases)}
    esac
}}
_terrain "$@"
"""


def fish(help_, operations):
    lines = ["# Completion of terrain for fish. Generated from the program's help.", "complete -c terrain -f"]
    for name, usage in help_.usage.items():
        lines.append(f"complete -c terrain -n __fish_use_subcommand -a {name} -d '{quoted(short(usage[0][1]))}'")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        if name == "ops":
            lines.append(f"complete -c terrain {seen} -l json -d 'describes all, for programs'")
            for operation in operations:
                lines.append(f"complete -c terrain {seen} -a {operation['name']} -d '{quoted(operation['summary'])}'")
            continue
        for option, (value, sentence) in help_.options.get(name, {}).items():
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            words = f" -x -a '{' '.join(WORDS[option])}'" if option in WORDS else " -r -F" if option in FILES else " -x" if value else ""
            lines.append(f"complete -c terrain {seen} {flag}{words} -d '{quoted(short(sentence))}'")
        lines.append(f"complete -c terrain {seen} -F" if name not in RECIPE_COMMANDS else
                     f"complete -c terrain {seen} -k -a '(__fish_complete_suffix .terrain)'")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)

    def ask(*arguments):
        return subprocess.run([sys.argv[1], *arguments], check=True, stdout=subprocess.PIPE,
                              encoding="utf-8").stdout

    help_ = Help(ask)
    operations = json.loads(ask("ops", "--json"))
    version = ask("--version").split()[1].rstrip(",")
    folder = pathlib.Path(sys.argv[2])
    for name, text in (("terrain.1", manual_page(help_, operations, version)), ("terrain", bash(help_, operations)),
                       ("_terrain", zsh(help_, operations)), ("terrain.fish", fish(help_, operations))):
        (folder / name).write_text(text, encoding="utf-8")


main()
