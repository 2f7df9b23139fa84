#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Makes one searchable site of the manual, the operations' pages and a reference of all headers.

    site.py FOLDER

FOLDER/site is the site, FOLDER/pages what it is made of: pages lie as in the repository, so that links
between them hold, and each header becomes a page. MkDocs makes it, and fails if a link leads nowhere. The
playground is part of it where bindings/javascript/build.py has made the library for it.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERBS = ("generate", "erode", "blur", "shape", "combine", "analyze", "stitch")
PLAYGROUND = "bindings/javascript/playground/index.html"
COMMENT = re.compile(r"/\*+(.*?)\*/", re.DOTALL)
DECLARED = re.compile(r"\b(?:typedef (?:struct|union|enum) )?(terrain_\w+|TERRAIN_\w+)\b")
# Links to what is part of the repository, not of the site.
OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)*(?:lib|tests|packaging|subprojects|tools|bench|bindings|data)\b[^)]*)\)")


# ---- Headers -------------------------------------------------------------------------------------


def prose(comment):
    """A comment's text as Markdown: what is indented is code, the rest paragraphs."""
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.strip().split("\n")]
    out, code = [], []
    for line in lines + [""]:
        if line.startswith("    ") or (code and not line):
            code.append(line)
            continue
        if any(code):
            out += ["", "```text", *"\n".join(code).rstrip().split("\n"), "```", ""]
        code = []
        escaped = re.sub(r"([\\*<>|\[\]]|\b_|_\b)(?=[^`]*(?:`[^`]*`[^`]*)*$)", r"\\\1", line)
        out.append(re.sub(r"^(Definition\.|Errors:|Since(?= ))", r"**\1**", escaped))
    return "\n".join(out)


def declarations(text):
    """What a header declares: (heading or None, comment, code) in its order."""
    text = re.sub(r"#ifdef __cplusplus\n(?:extern \"C\" \{|\})\n#endif\n", "", text)
    text = re.sub(r"^#(?:ifndef|define) TERRAIN_\w+_H\n|^#endif\n\Z|^#include.*\n", "", text, flags=re.MULTILINE)
    for block in re.split(r"\n\n+", text):
        block = block.strip()
        heading = re.fullmatch(r"/\* ---- ([\w -]+?) -+ \*/", block)
        if heading is not None:
            yield heading.group(1), "", ""
        elif block and "SPDX-" not in block:
            comment = COMMENT.match(block)
            code = block[comment.end():].strip() if comment is not None else block
            yield None, comment.group(1) if comment is not None else "", code


def reference(header):
    out, about = [f"# terrain/{header.name}"], True
    text = header.read_text(encoding="utf-8")
    # A comment may have empty lines: they would part it from its declaration.
    text = COMMENT.sub(lambda match: match.group(0).replace("\n *\n", "\n * \n"), text)
    for heading, comment, code in declarations(text):
        if heading is not None:
            out += ["", f"## {heading}"]
            continue
        name = DECLARED.search(re.sub(r"TERRAIN_API|\bterrain_status\s+(?=terrain_)|/\*.*?\*/", "", code, flags=re.DOTALL))
        if code and name is not None and not about:
            out += ["", f"### {name.group(1)}"]
        out += ["", prose(comment)]
        if code:
            out += ["", "```c", code, "```"]
        about = about and not code
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)) + "\n"


# ---- Pages ---------------------------------------------------------------------------------------


def page(text):
    text = OUTSIDE.sub(r"\1 (`\2`)", text)
    text = re.sub(r"\]\(((?:\.\./)*include/terrain/\w+)\.h(pp)?\)", r"](\1\2.md)", text)
    return re.sub(r"\]\(((?:\.\./)*include/terrain)\)", r"](\1/README.md)", text)


def title(path):
    return re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE).group(1)


def copy_pages(pages):
    for source in [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((ROOT / "docs").rglob("*.md")):
        target = pages / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(source.read_text(encoding="utf-8")), encoding="utf-8")
    pictures = [path for kind in ("png", "svg") for path in (ROOT / "docs").rglob(f"*.{kind}")]
    for source in [*pictures, *(ROOT / "recipes").glob("*.terrain"), ROOT / "LICENSE"]:
        if source.exists():
            target = pages / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def copy_headers(pages):
    folder = pages / "include/terrain"
    folder.mkdir(parents=True)
    lines = ["# The headers", "", "`#include <terrain/terrain.h>` is all of them.", ""]
    for header in sorted((ROOT / "include/terrain").glob("*.h*")):
        name = header.stem + header.suffix[2:]
        (folder / f"{name}.md").write_text(reference(header), encoding="utf-8")
        lines.append(f"- [terrain/{header.name}]({name}.md)")
    (folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def copy_playground(pages):
    """The page, and the package that it loads; the recipes are there already."""
    package = ROOT / "bindings/javascript"
    for name in ("dist", "src", "playground") if (package / "dist/terrain.wasm").exists() else ():
        shutil.copytree(package / name, pages / "bindings/javascript" / name)


def navigation(pages):
    manual = re.findall(r"^\d+\. \[[^\]]+\]\((\w+\.md)\)", (ROOT / "docs/README.md").read_text(encoding="utf-8"), re.MULTILINE)
    others = sorted(path.name for path in (ROOT / "docs").glob("*.md") if path.name not in [*manual, "README.md"])
    operations = sorted(path.name for path in (ROOT / "docs/operations").glob("*.md"))
    headers = sorted(path.name for path in (pages / "include/terrain").glob("*.md"))
    playground = [{"Playground": PLAYGROUND}] if (pages / PLAYGROUND).exists() else []
    return [
        {"Home": "README.md"}, *playground,
        {"Manual": ["docs/README.md", *({title(pages / "docs" / name): f"docs/{name}"} for name in manual + others)]},
        {"Operations": [{verb: [{name[:-3]: f"docs/operations/{name}"} for name in operations if name.startswith(verb + "_")]}
                        for verb in VERBS]},
        {"Headers": [{title(pages / "include/terrain" / name): f"include/terrain/{name}"} for name in headers]},
        {"Changelog": "CHANGELOG.md"}, {"Contributing": "CONTRIBUTING.md"}, {"Security": "SECURITY.md"},
    ]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    copy_pages(pages)
    copy_headers(pages)
    copy_playground(pages)
    config = {
        "site_name": "libterrain", "docs_dir": str(pages), "site_dir": str(folder / "site"), "strict": True,
        "use_directory_urls": False, "theme": {"name": "readthedocs", "highlightjs": True, "hljs_languages": ["c", "cpp"]},
        "plugins": ["search"], "markdown_extensions": ["tables", "fenced_code", "toc"], "nav": navigation(pages),
    }
    (folder / "mkdocs.yml").write_text(json.dumps(config, indent=2), encoding="utf-8")  # JSON is YAML too
    sys.exit(subprocess.run(["mkdocs", "build", "--config-file", str(folder / "mkdocs.yml")]).returncode)


main()
