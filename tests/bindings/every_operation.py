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

READ, WRITE, CHANGE = 0, 1, 2
COARSE = 2  # of lattices

ffi = cffi.FFI()
ffi.cdef("""
typedef ... terrain_context; typedef ... terrain_heightmap; typedef ... terrain_operation;
typedef union { double f; int64_t i; uint64_t u; } terrain_value;
typedef struct { const char *name, *spacing; uint32_t role, lattice, offset, spacing_offset, optional,
    mask, grid, reserved; } terrain_port;
int32_t terrain_context_create(const void *, terrain_context **);
void terrain_context_destroy(terrain_context *);
const char *terrain_context_message(const terrain_context *);
int32_t terrain_heightmap_create(terrain_context *, uint32_t, uint32_t, terrain_heightmap **);
void terrain_heightmap_destroy(terrain_heightmap *);
uint64_t terrain_heightmap_hash(const terrain_heightmap *);
uint32_t terrain_operation_count(void);
const terrain_operation *terrain_operation_at(uint32_t);
const char *terrain_operation_name(const terrain_operation *);
size_t terrain_operation_params_size(const terrain_operation *);
uint32_t terrain_operation_port_count(const terrain_operation *);
const terrain_port *terrain_operation_port_at(const terrain_operation *, uint32_t);
int32_t terrain_operation_params_init(const terrain_operation *, void *, size_t);
int32_t terrain_operation_apply(terrain_context *, const terrain_operation *,
    terrain_heightmap *const *, uint32_t, const void *);
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
    ports = [library.terrain_operation_port_at(operation, i)
             for i in range(library.terrain_operation_port_count(operation))]
    # A grid's port stands for all of its maps: two, here.
    ports = ports[:1] * (2 if ports[0].grid else 1) + ports[1:]
    maps = [made(library.terrain_heightmap_create, context, 64, 48) for _ in ports]
    arguments = [each for port, each in zip(ports, maps) if port.offset == 0]
    for port, each in zip(ports, maps):
        if port.offset > 0 and port.lattice != COARSE:  # which has a size of its own
            field = ffi.cast("char *", params) + port.offset
            ffi.cast("terrain_heightmap **", field)[0] = each
    status = library.terrain_operation_apply(context, operation,
                                             ffi.new("terrain_heightmap *[]", arguments),
                                             len(arguments), params)
    message = ffi.string(library.terrain_context_message(context)).decode()
    assert status == 0, message
    target = next(each for port, each in zip(ports, maps) if port.role != READ)
    print(f"{name:28} {library.terrain_heightmap_hash(target):016x}")
    for each in maps:
        library.terrain_heightmap_destroy(each)
library.terrain_context_destroy(context)
