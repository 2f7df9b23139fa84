#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against a table that a language binding can't live on: calls every operation through it, by
cffi, knowing no operation by name. usage: every_operation.py LIBRARY"""

import sys

try:
    import cffi
except ImportError:
    print("cffi is not installed")
    sys.exit(77)

MAP_IN, MAP_OUT = 7, 8
COMBINE, RESULT, GRID = 2, 3, 4

ffi = cffi.FFI()
ffi.cdef("""
typedef ... terrain_context; typedef ... terrain_heightmap; typedef ... terrain_operation;
typedef union { double f; int64_t i; uint64_t u; } terrain_value;
typedef struct { const char *name, *unit, *doc; uint32_t type, offset, count_offset, count_maximum;
    terrain_value minimum, maximum, default_value; const char *const *value_names; } terrain_parameter;
int32_t terrain_context_create(const void *, terrain_context **);
void terrain_context_destroy(terrain_context *);
const char *terrain_context_message(const terrain_context *);
int32_t terrain_heightmap_create(terrain_context *, uint32_t, uint32_t, terrain_heightmap **);
void terrain_heightmap_destroy(terrain_heightmap *);
uint64_t terrain_heightmap_hash(const terrain_heightmap *);
uint32_t terrain_operation_count(void);
const terrain_operation *terrain_operation_at(uint32_t);
const char *terrain_operation_name(const terrain_operation *);
uint32_t terrain_operation_signature(const terrain_operation *);
size_t terrain_operation_params_size(const terrain_operation *);
uint32_t terrain_operation_parameter_count(const terrain_operation *);
const terrain_parameter *terrain_operation_parameter(const terrain_operation *, uint32_t);
int32_t terrain_operation_params_init(const terrain_operation *, void *, size_t);
int32_t terrain_operation_apply(terrain_context *, const terrain_operation *, terrain_heightmap *,
    terrain_heightmap *const *, uint32_t, const void *);
int32_t terrain_operation_apply_grid(terrain_context *, const terrain_operation *,
    terrain_heightmap *const *, uint32_t, uint32_t, const void *);
""")
library = ffi.dlopen(sys.argv[1])


def made(function, *arguments):
    """What a create function puts into its last argument."""
    out = ffi.new("void **")
    assert function(*arguments, ffi.cast(ffi.typeof(function).args[-1], out)) == 0
    return ffi.cast(ffi.typeof(function).args[-1].item, out[0])


context = made(library.terrain_context_create, ffi.NULL)
for index in range(library.terrain_operation_count()):
    operation = library.terrain_operation_at(index)
    name = ffi.string(library.terrain_operation_name(operation)).decode()
    size = library.terrain_operation_params_size(operation)
    params = ffi.new("uint64_t[]", size // 8)
    assert library.terrain_operation_params_init(operation, params, size) == 0
    maps = [made(library.terrain_heightmap_create, context, 64, 48) for _ in range(2)]
    others = ffi.new("terrain_heightmap *[]", maps[1:])
    signature = library.terrain_operation_signature(operation)
    other_count = int(signature in (COMBINE, RESULT))
    for i in range(library.terrain_operation_parameter_count(operation)):
        parameter = library.terrain_operation_parameter(operation, i)
        field = ffi.cast("char *", params) + parameter.offset
        if parameter.type in (MAP_IN, MAP_OUT):
            maps.append(made(library.terrain_heightmap_create, context, 64, 48))
            ffi.cast("terrain_heightmap **", field)[0] = maps[-1]
    if signature == GRID:
        grid = ffi.new("terrain_heightmap *[]", maps[:2])
        status = library.terrain_operation_apply_grid(context, operation, grid, 2, 1, params)
    else:
        status = library.terrain_operation_apply(context, operation, maps[0], others, other_count,
                                                 params)
    message = ffi.string(library.terrain_context_message(context)).decode()
    assert status == 0, message
    print(f"{name:28} {library.terrain_heightmap_hash(maps[other_count == 1]):016x}")
    for each in maps:
        library.terrain_heightmap_destroy(each)
library.terrain_context_destroy(context)
