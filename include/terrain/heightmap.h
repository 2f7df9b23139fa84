/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The heightmap: one channel of float on a regular grid.
 *
 * Rows run from north to south and cells from west to east: x grows to the right, y downwards. Cell
 * (x, y) is at data[y * stride + x]. Heights and cell_size share one unit, of the host's choice;
 * slopes are rise over run. A map may have any width and height of at least 1; operations take at
 * most 2^31 columns and rows.
 *
 * A map knows where it lies in an endless world: its origin is the world coordinates of its first
 * cell, in cells, within +-2^62. Random numbers, blocks and lattices depend on world coordinates,
 * so neighbouring maps fit. The origin of a new map is (0, 0).
 *
 * Thread-safety: calls that only read a map may run at the same time; a call that writes one needs
 * it for itself. */

#ifndef TERRAIN_HEIGHTMAP_H
#define TERRAIN_HEIGHTMAP_H

#include <terrain/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_context terrain_context;
typedef struct terrain_heightmap terrain_heightmap;

/** World coordinates stay within this distance of the origin. */
#define TERRAIN_WORLD_LIMIT (INT64_C(1) << 62)

/** A rectangle of world cells: x to x + width - 1, y to y + height - 1. */
typedef struct terrain_window {
    int64_t x;
    int64_t y;
    uint32_t width;
    uint32_t height;
} terrain_window;

/** Creates a map that owns its memory: zero-filled, stride == width, cell size 1, origin (0, 0).
 * Memory comes from the context's allocator, aligned to 64 bytes; the map copies the allocator, so
 * the map may outlive the context.
 * Errors: ARGUMENT if width or height is 0 or out is NULL; MEMORY, also where the size overflows;
 * BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_heightmap_create(terrain_context *context, uint32_t width,
                                                    uint32_t height, terrain_heightmap **out);

/** Makes a map of the host's memory, without a copy. `data` must stay valid until the map is
 * destroyed; the library never frees it. stride is the distance from row to row in floats, at least
 * width. The floats between width and stride are neither read nor written.
 * Errors: ARGUMENT if data or out is NULL, width or height is 0, stride is below width, data is
 * not aligned to 4 bytes, or height * stride overflows; MEMORY; BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_heightmap_wrap(terrain_context *context, float *data,
                                                  uint32_t width, uint32_t height, size_t stride,
                                                  terrain_heightmap **out);

/** As terrain_heightmap_wrap, for memory that must not be written: operations refuse to write the
 * map (ARGUMENT). */
TERRAIN_API terrain_status terrain_heightmap_wrap_const(terrain_context *context, const float *data,
                                                        uint32_t width, uint32_t height,
                                                        size_t stride, terrain_heightmap **out);

/** Makes a map of a rectangle of another map's cells, without a copy: `width` by `height` cells
 * from cell (x, y) of `map` on. The view has the map's cell size, and its origin is the world
 * position of its first cell. Writing to the view writes to the map, which must outlive the view;
 * the view of a const map is const. Use views that don't overlap as the tiles of one buffer.
 * Errors: ARGUMENT if map or out is NULL, or width or height is 0; RANGE if the rectangle does not
 * lie within the map; MEMORY; BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_heightmap_view(terrain_context *context, terrain_heightmap *map,
                                                  uint32_t x, uint32_t y, uint32_t width,
                                                  uint32_t height, terrain_heightmap **out);

/** Creates an owned map with the cells, cell size and origin of source; its stride is its width.
 * Errors: ARGUMENT if source or out is NULL; MEMORY; BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_heightmap_clone(terrain_context *context,
                                                   const terrain_heightmap *source,
                                                   terrain_heightmap **out);

/** Copies cells, cell size and origin. Errors: ARGUMENT if either is NULL, the sizes differ or
 * target is const; ALIAS if the two maps overlap without being the same cells; BUSY. On error
 * target is what it was. */
TERRAIN_API terrain_status terrain_heightmap_copy(terrain_context *context,
                                                  const terrain_heightmap *source,
                                                  terrain_heightmap *target);

/** Frees the map, and its cells if it owns them. NULL is fine. */
TERRAIN_API void terrain_heightmap_destroy(terrain_heightmap *map);

/** The first cell. NULL for a map of const memory, and for NULL. */
TERRAIN_API float *terrain_heightmap_data(terrain_heightmap *map);
/** The first cell, of any map. NULL for NULL. */
TERRAIN_API const float *terrain_heightmap_const_data(const terrain_heightmap *map);

/** Size, stride and cell size; 0 for NULL. */
TERRAIN_API uint32_t terrain_heightmap_width(const terrain_heightmap *map);
TERRAIN_API uint32_t terrain_heightmap_height(const terrain_heightmap *map);
TERRAIN_API size_t terrain_heightmap_stride(const terrain_heightmap *map);
TERRAIN_API float terrain_heightmap_cell_size(const terrain_heightmap *map);

/** Sets the distance between neighbouring cells, in the unit of the heights; from 1e-6 to 1e9.
 * Errors: ARGUMENT, RANGE. */
TERRAIN_API terrain_status terrain_heightmap_set_cell_size(terrain_heightmap *map, float cell_size);

/** Sets the world coordinates of the first cell. The whole map must lie within +-2^62. Errors:
 * ARGUMENT, RANGE. */
TERRAIN_API terrain_status terrain_heightmap_set_origin(terrain_heightmap *map, int64_t x,
                                                        int64_t y);
/** Gets the world coordinates of the first cell. x and y may be NULL. Writes 0 for a NULL map. */
TERRAIN_API void terrain_heightmap_origin(const terrain_heightmap *map, int64_t *x, int64_t *y);

/** A fingerprint of size and cells: XXH64 with seed 0 over width and height (32 bits each, little
 * endian), then the cells row by row as their 32 bits, little endian, every NaN as 0x7FC00000.
 * The sign of zero counts; stride, origin and cell size don't. The hash is the same on every
 * machine.
 * A map of a single cell of height 0 has the hash 0xD412325F5A0A99AC. 0 for NULL. */
TERRAIN_API uint64_t terrain_heightmap_hash(const terrain_heightmap *map);

#ifdef __cplusplus
}
#endif

#endif
