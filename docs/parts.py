# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""What the scripts that renew pages share: the program, the marked parts of a page, and PNG files."""

import os
import re
import shutil
import struct
import sys
import zlib

PART = re.compile(r"(<!-- (\w+)(?: (\w+))? -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
GREY, RGB = 0, 2  # colour types of PNG


def program(path):
    """Where it is, for calls from any folder. Ends where there is none."""
    found = shutil.which(path)
    if found is None:
        sys.exit(f"{path}: there is no such program")
    return os.path.abspath(found)


def renewed(text, made):
    """A page whose parts, each from <!-- KIND --> or <!-- KIND NAME --> to <!-- end -->, are made anew.

    made(kind, name, old) is the text of one; None leaves it as it is.
    """
    def part(match):
        begin, kind, name, old, end = match.groups()
        new = made(kind, name, old)
        return match[0] if new is None else begin + "\n" + new.strip("\n") + "\n\n" + end

    return PART.sub(part, text)


def write_png(path, width, colour_type, rows):
    """A file of 8 bits a channel. Each row begins with its filter's number and is filtered."""
    header = struct.pack(">IIBBBBB", width, len(rows), 8, colour_type, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks))
