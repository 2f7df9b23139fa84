# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against arrays and values that nobody thought of: whatever hypothesis makes is computed as it is from a plain
copy, or refused with every array as it was."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import golden
import libterrain as terrain

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def views(draw):
    """Views of all sorts of a larger array: any step, any start, turned over and transposed."""
    room = np.full((draw(st.integers(1, 40)) + 8, draw(st.integers(1, 40)) + 8), 77, np.float32)
    height, width = draw(st.integers(1, room.shape[0] - 4)), draw(st.integers(1, room.shape[1] - 4))
    view = room[2:2 + height, 3:3 + width]
    view = view[::draw(st.sampled_from([1, 1, 2, -1, -3])), ::draw(st.sampled_from([1, 1, 1, 2, -1]))]
    if draw(st.booleans()):
        view = view.T
    view[...] = golden.heights(view.shape, draw(st.integers(0, 1000)))
    return room, view


@QUICK
@given(views(), st.sampled_from(["erode_thermal", "blur_gaussian", "shape_perturb", "erode_fir", "analyze_slope"]),
       st.booleans())
def test_any_view(made, name, in_place):
    room, view = made
    operation = terrain.operations[name]
    plain = view.copy()
    outside = room.copy()
    expected = operation.function(plain)
    if in_place and operation.signature == "in_place":
        assert operation.function(view, out=view) is view
        assert view.tobytes() == expected.tobytes()
        view[...] = plain
    else:
        assert operation.function(view).tobytes() == expected.tobytes()
    assert room.tobytes() == outside.tobytes()


def values_of(parameter):
    """Any value, most of them right."""
    junk = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3),
                     st.lists(st.integers(), max_size=2))
    if parameter.type == "enum":
        right = st.sampled_from(list(parameter.values))
    elif parameter.type == "bool":
        right = st.booleans()
    elif parameter.type == "float":
        right = st.floats(max(parameter.minimum, -20), min(parameter.maximum, max(parameter.minimum, 0) + 20))
    elif parameter.type == "float_array":
        right = st.lists(st.floats(-50, 50, width=32), max_size=5)
    elif parameter.port is not None:
        shapes = st.sampled_from([(12, 9), (12, 9), (12, 9), (9, 12), (1, 1)])
        right = st.one_of(st.just(True), st.builds(golden.heights, shapes, st.integers(0, 9)))
    else:
        least = max(parameter.minimum, -30)
        right = st.integers(least, min(parameter.maximum, least + 60))
    return st.one_of(right, right, right, right, right, junk)


@st.composite
def calls(draw):
    operation = draw(st.sampled_from(list(terrain.operations.values())))
    names = draw(st.lists(st.sampled_from(list(operation.parameters)), unique=True, max_size=5))
    values = {name: draw(values_of(operation.parameters[name])) for name in names}
    if draw(st.integers(0, 9)) == 0:
        values[draw(st.text(max_size=8))] = 1
    values["origin"] = draw(st.one_of(st.none(), st.tuples(st.integers(), st.integers())))
    values["cell_size"] = draw(st.one_of(st.none(), st.floats()))
    return operation, values


@settings(QUICK, max_examples=500)
@given(calls(), st.booleans())
def test_any_call(call, in_place):
    operation, values = call
    land = golden.heights((12, 9))
    given_maps = {"generate": [(12, 9)], "combine": [land, golden.heights((12, 9), 2)],
                  "grid": [[[land, golden.heights((12, 9), 2)]]]}.get(operation.signature, [land])
    if in_place and operation.signature == "in_place":
        values["out"] = land
    arrays = [land, *(each for each in values.values() if isinstance(each, np.ndarray))]
    before = [each.tobytes() for each in arrays]
    try:
        operation.function(*given_maps, **values)
    except (TypeError, ValueError, MemoryError):
        assert [each.tobytes() for each in arrays] == before


@QUICK
@given(st.integers(-2**40, 2**40), st.integers(-2**40, 2**40), st.integers(1, 90), st.integers(1, 90), st.integers(0, 5))
def test_any_tile(x, y, height, width, seed):
    """Tiles of a world are windows of it."""
    recipe = terrain.Recipe("a = generate_noise seed=3\nb = erode_thermal a iterations=4\nc = blur_box b radius=2\n")
    whole = recipe.run((height + 7, width + 5), seed=seed, origin=(x - 2, y - 3), world=True)
    world = terrain.World(recipe, seed=seed)
    assert (world[y:y + height, x:x + width] == whole[3:3 + height, 2:2 + width]).all()
