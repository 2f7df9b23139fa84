# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Pictures are drawn as `terrain view` draws them."""

import re

import golden
from libterrain import _pictures


def _tints(source, begin):
    """Shares and colours from a table of draw.c, its first seven rows."""
    text = source[source.index(begin) + len(begin):]
    rows = re.findall(r"\{([\d.]+)f, (\d+), (\d+), (\d+)\}", text)[:7]
    return tuple(float(row[0]) for row in rows), tuple(tuple(map(int, row[1:])) for row in rows)


def test_colours():
    """Guards against colours that change in the program and not here."""
    source = (golden.ROOT / "tools/draw.c").read_text()
    assert (_pictures._AT, _pictures._LAND) == _tints(source, "[DRAW_LAND] = ")
    assert (_pictures._DEPTHS_AT, _pictures._DEPTHS) == _tints(source, "draw_depths[DRAW_TINTS] = ")
