# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against documentation that does not run: the manual's pages, block after block, in one namespace."""

import contextlib
import io
import re

import pytest

import golden


def run_page(name):
    names, text = {}, (golden.ROOT / name).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, name, "exec"), names)
        expected = re.search(re.escape(block) + r"```\n\nIt prints:\n\n```\n(.*?)```", text, re.S)
        if expected:
            assert printed.getvalue() == expected[1]
    return len(blocks)


def test_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page("docs/python.md") >= 3
    assert (tmp_path / "land.png").stat().st_size > 100000


def test_ray(tmp_path, monkeypatch):
    """Where it is installed: it is large."""
    pytest.importorskip("ray")
    monkeypatch.chdir(tmp_path)
    assert run_page("docs/clusters.md") == 1
