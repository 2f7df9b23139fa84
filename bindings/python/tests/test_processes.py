# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against what only a process of its own shows: Ctrl-C, forks, leaks."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest


def python(text, **options):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([os.path.dirname(__file__), *sys.path]))
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment, timeout=300, check=False, **options)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_control_c():
    """A call that would run for minutes ends, and its array is what it was."""
    done = python("""
        import signal, os, time
        import golden, libterrain as terrain
        land = golden.heights((300, 300))
        before = land.copy()
        signal.signal(signal.SIGINT, signal.default_int_handler) # what runs in the background ignores it
        signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
        for how in (dict(out=land), dict(out=land, progress=lambda share: None)):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            start = time.perf_counter()
            try:
                terrain.erode.thermal(land, iterations=100000, **how)
                print("not interrupted")
            except KeyboardInterrupt:
                print("interrupted", time.perf_counter() - start < 20, (land == before).all())
        world = terrain.World("a = generate_noise\\nb = erode_thermal a iterations=5000\\n")
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            world.tile(0, 0, out=land)
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted", True, (land == before).all())
        """)
    assert done.stdout == "interrupted True True\n" * 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork():
    """A child has none of its parent's threads, and goes on without."""
    done = python("""
        import os
        import golden, libterrain as terrain
        land = golden.heights((600, 600))
        terrain.set_threads(3)
        expected = terrain.hash(terrain.erode.thermal(land))
        child = os.fork()
        if child == 0:
            good = terrain.hash(terrain.erode.thermal(land)) == expected and terrain.threads() == 1
            terrain.set_threads(2)
            good = good and terrain.hash(terrain.erode.thermal(land)) == expected
            os._exit(0 if good else 1)
        print(os.waitpid(child, 0)[1])
        """)
    assert done.stdout == "0\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_beside_threads():
    """Nor does a child touch threads of the library that other threads of Python still had."""
    done = python("""
        import os, threading
        import golden, libterrain as terrain
        land = golden.heights((300, 300))
        expected = terrain.hash(terrain.erode.thermal(land))
        called, done = threading.Event(), threading.Event()
        def work():
            terrain.erode.thermal(land)
            called.set()
            done.wait()
        terrain.set_threads(3)
        thread = threading.Thread(target=work)
        thread.start()
        called.wait()
        terrain.set_threads(2)
        child = os.fork()
        if child == 0:
            good = terrain.hash(terrain.erode.thermal(land)) == expected and terrain.threads() == 1
            os._exit(0 if good else 1)
        print(os.waitpid(child, 0)[1])
        done.set()
        thread.join()
        terrain.set_threads(3)
        print(terrain.hash(terrain.erode.thermal(land)) == expected)
        """)
    assert done.stdout == "0\nTrue\n"


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_no_leak():
    """Calls of each kind, failed and cancelled ones among them, keep no memory."""
    done = python("""
        import numpy, os
        import golden, libterrain as terrain

        land = golden.heights((128, 128))
        def stop(share):
            raise RuntimeError
        def attempt(function, *arguments, **options):
            try:
                function(*arguments, **options)
            except (RuntimeError, ValueError, TypeError):
                pass
        def round():
            terrain.erode.hydraulic(land, iterations=3, eroded=True, mask=land)
            attempt(terrain.erode.thermal, land, talus=-1)
            attempt(terrain.erode.thermal, land, mask=land[1:])
            attempt(terrain.erode.thermal, land, mask=land, out=land)
            attempt(terrain.stitch.edges, [[land, land]], out=[[land, land]])
            attempt(terrain.shape.terrace, land, levels=[3.0, 1.0])
            attempt(terrain.Recipe, "a = generate_nois")
            recipe = terrain.Recipe("input a\\nb = erode_fir a\\n")
            recipe.run((128, 128), inputs={"a": land})
            attempt(recipe.run, (128, 128))
            world = terrain.World("a = generate_noise octaves=1\\n")
            world.tile(0, 0, (64, 64))
            reader = terrain.World("input a\\nb = shape_clamp a\\n", inputs={"a": land})
            reader.tile(0, 0, (64, 64))
            attempt(reader.tile, 100, 0, (64, 64))
            attempt(terrain.World, reader.recipe, inputs={"a": land}, name="c")
            terrain.measure(land, bins=10), terrain.score(land), terrain.mesh(land)
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
        for _ in range(150):
            round()
        before = resident()
        for _ in range(300):
            round()
        print((resident() - before) // 1024, "KiB")
        big = golden.heights((300, 300))
        attempt(terrain.erode.thermal, big, iterations=20000, progress=stop)
        before = resident()
        for _ in range(8):
            attempt(terrain.erode.thermal, big, iterations=20000, progress=stop)
        print((resident() - before) // 1024, "KiB")
        """)
    # One map of 128 x 128 a round would be 19 MiB.
    assert [int(line.split()[0]) < 1500 for line in done.stdout.splitlines()] == [True, True], done.stdout
