# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Status codes as exceptions. Each is also the exception of Python's that a program would look for."""

import builtins
import difflib

from ._native import ffi, lib


class Error(Exception):
    """What the library refused or could not do. Every array is what it was before the call."""


class ArgumentError(Error, ValueError):
    """An array of the wrong size, a map that does not exist, two sizes that differ."""


class RangeError(Error, ValueError):
    """A value outside the range that the operation's description gives."""


class AliasError(Error, ValueError):
    """An array that is written shares memory with another one of the call."""


class MemoryError(Error, builtins.MemoryError):  # noqa: A001 - libterrain.MemoryError is Python's as well
    """No memory, or more than memory_limit."""


class BusyError(Error, RuntimeError):
    """The object is in use further up in this thread's calls, or, as a tally, in another thread."""


class CancelledError(Error, RuntimeError):
    """The call was cancelled."""


class UnsupportedError(Error, NotImplementedError):
    """The operation can't do this: a global operation in an endless world, for example."""


class RecipeError(Error, ValueError):
    """A recipe's text is wrong; the message has line, column and what was expected."""


class SystemError(Error, OSError):  # noqa: A001
    """The operating system refused something: a thread, for example."""


_BY_STATUS = {-1: ArgumentError, -2: RangeError, -3: AliasError, -4: MemoryError, -5: BusyError,
              -6: CancelledError, -8: UnsupportedError, -10: RecipeError, -11: SystemError}


def error_of(status, context=ffi.NULL):
    """The exception for a status, with the context's sentence about it."""
    message = ffi.string(lib.terrain_context_message(context)).decode("utf-8", "replace")
    if not message:
        message = ffi.string(lib.terrain_status_name(status)).decode()
    return _BY_STATUS.get(status, Error)(message)


def check(status, context=ffi.NULL):
    if status != 0:
        raise error_of(status, context)


def nearest(word, words):
    """' (did you mean ...?)', or nothing."""
    found = difflib.get_close_matches(str(word), words, 1, 0.5)
    return f" (did you mean {found[0]!r}?)" if found else ""
