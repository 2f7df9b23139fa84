# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Sessions: each call has a context of the library for itself. They are kept by thread and used again, so that their
scratch memory is; a call within a callback of another one gets its own."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref

from ._arrays import Whole, number
from ._errors import RangeError, check, error_of
from ._native import ffi, lib

_SILENT, _SIGNALS, _PROGRESS = lib.BINDING_SILENT, lib.BINDING_SIGNALS, lib.BINDING_PROGRESS


class _Local(threading.local):
    def __init__(self):
        self.free = []


_local = _Local()


class _Pool:
    """Threads of the library; `native` is NULL for none but the caller's."""

    def __init__(self, threads):
        self.threads = threads
        self.native = ffi.NULL
        if threads > 1:
            out = ffi.new("terrain_pool **")
            check(lib.terrain_pool_create(threads, out))
            self.native = ffi.gc(out[0], lib.terrain_pool_destroy)
        _pools.add(self)


# The current one, and all that sessions of other threads still use. The lock is held while a pool is made.
_pools = weakref.WeakSet()
_pool = _Pool(1)
_pool_lock = threading.RLock()


# Sessions by their addresses, for the callback.
_all = weakref.WeakValueDictionary()


class Session:
    """`report` is a function of the share that is done, or None. `failure` is what it, or Ctrl-C, raised."""

    __slots__ = ("native", "address", "context", "pool", "report", "failure", "__weakref__")

    def __init__(self):
        out = ffi.new("binding_session **")
        self.pool = _pool  # which outlives its sessions; another thread may set another one at any time
        check(lib.binding_session_create(self.pool.native, out))
        self.native = ffi.gc(out[0], lib.binding_session_destroy)
        self.address = _address(self.native)
        self.context = lib.binding_session_context(self.native)
        self.failure = None
        self.listen(None)
        _all[self.address] = self

    def listen(self, report):
        """Whom its calls report to from now on. Python runs handlers of signals on its main thread alone."""
        self.report = report
        is_main = threading.get_ident() == threading.main_thread().ident
        lib.binding_session_listen(self.native, _PROGRESS if report is not None else _SIGNALS if is_main else _SILENT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _local.free.append(self)

    def error(self, status):
        """What the call that just ended is to raise: what Ctrl-C or the progress callback have raised in it, or the
        library's error."""
        failure, self.failure = self.failure, None
        if failure is not None:
            return failure
        if status == 2:
            return RangeError("the map leaves the world, which ends at plus and minus 2**62 cells")
        return error_of(status, self.context) if status < 0 else error_of(-status)

    def run(self, function, *arguments):
        """Calls a function of the library that uses the context."""
        lib.binding_session_begin(self.native)
        status = function(*arguments)
        if status != 0 or self.failure is not None:
            raise self.error(status)


def _address(native):
    return int(ffi.cast("uintptr_t", native))


def take():
    """A session that nobody uses, for a `with` statement."""
    free = _local.free
    session = free.pop() if free else Session()
    return session if session.pool is _pool else Session()


def session_for(title, progress):
    """A session with a progress: None, True for a bar, or a function of the share that is done."""
    return _reporting(title, progress) if progress else take()


@contextlib.contextmanager
def _reporting(title, progress):
    if progress is not True and not callable(progress):
        raise TypeError(f"progress must be True or a function, not {type(progress).__name__}")
    bar = _bar(title) if progress is True else None
    report = progress if bar is None else bar.report
    try:
        with take() as session:
            session.listen(report)
            try:
                yield session
            finally:
                session.listen(None)
        report(1.0)  # the library's own last report is not passed on: that call can't be cancelled any more
    finally:
        if bar is not None:
            bar.close()


def _bar(title):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from None

    class Bar(tqdm):
        def report(self, fraction):
            self.update(fraction - self.n)

    return Bar(total=1.0, desc=title, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")


def _keep(_kind, value, traceback):
    _all[_address(traceback.tb_frame.f_locals["native"])].failure = value


@ffi.def_extern(error=1, onerror=_keep)
def binding_report(native, fraction):
    report = _all[_address(native)].report
    if report is not None:
        report(fraction)
    return 0  # having come here, Python has run the handlers of signals


# ---- Threads -----------------------------------------------------------------------------------

def set_threads(count: Whole) -> None:
    """How many threads a call uses, from 1, which it begins with, to 256. The results do not depend on it. Calls that
    run at the same time share these threads: only one of them has them."""
    global _pool
    count = number(count, "threads", 1, 256)
    with _pool_lock:
        if count != _pool.threads:
            _pool = _Pool(count)
            _local.free = []


def threads() -> int:
    """How many threads a call uses."""
    return _pool.threads


# Threads are not copied into a child process: it begins without, and leaves what was copied alone. Python frees what
# other threads had before it calls _after_fork_in_child, so that pools are kept from before the fork.
_kept = []


def _before_fork():
    _pool_lock.acquire()
    _kept.extend(_pools)


def _after_fork():
    _kept.clear()
    _pool_lock.release()


def _after_fork_in_child():
    global _pool, _local
    for pool in _kept:
        if pool.native:
            ffi.gc(pool.native, None)
    _pool, _local = _Pool(1), _Local()
    _after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)
