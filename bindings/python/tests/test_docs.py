# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against documentation that does not run: docs/python.md, block after block, in one namespace."""

import contextlib
import io
import re

import golden

PAGE = golden.ROOT / "docs/python.md"


def test_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, text = {}, PAGE.read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) >= 3
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, str(PAGE), "exec"), names)
        expected = re.search(re.escape(block) + r"```\n\nIt prints:\n\n```\n(.*?)```", text, re.S)
        if expected:
            assert printed.getvalue() == expected[1]
    assert (tmp_path / "land.png").stat().st_size > 100000
