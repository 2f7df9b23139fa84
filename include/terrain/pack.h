/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Packing: heights into the host's 8- and 16-bit buffers, and back. */

#ifndef TERRAIN_PACK_H
#define TERRAIN_PACK_H

#include <terrain/analyze.h>
#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a map into a buffer of whole numbers: low becomes 0 and high becomes m, 255 or 65535:
 *
 *     floor(min(max((h - low) * (m / (high - low)), 0), m) + 1/2)
 *
 * so halves are rounded up and heights outside the range are clamped to its ends; the product is
 * computed in float, with an error below 0.02. NaN becomes 0. If high is below low, the land is
 * turned upside down.
 *
 * Reads `map`; writes width x height elements of `buffer`, whose rows are `stride` elements apart;
 * elements between width and stride are not written. The byte order is the machine's own. Needs no
 * memory, runs on the context's threads, and cannot be cancelled. context may be NULL.
 * Errors: ARGUMENT if map or buffer is NULL, stride is below the width or too large to address, or
 * a buffer of 16 bits is not aligned to 2 bytes; RANGE if low or high is not within +-1e30 or they
 * are equal; ALIAS if the buffer overlaps the map; BUSY. Since 0.1. */
TERRAIN_API terrain_status terrain_heightmap_pack_u8(terrain_context *context,
                                                     const terrain_heightmap *map, float low,
                                                     float high, uint8_t *buffer, size_t stride);
TERRAIN_API terrain_status terrain_heightmap_pack_u16(terrain_context *context,
                                                      const terrain_heightmap *map, float low,
                                                      float high, uint16_t *buffer, size_t stride);

/** Writes up to four maps of one size into the channels of one buffer: the weights of a splat map,
 * the parts of normals, two masks side by side. Each cell has `count` bytes, and byte k is what
 * terrain_heightmap_pack_u8 makes of maps[k] with the range from lows[k] to highs[k]. Where maps[k]
 * is NULL, byte k is left as it is: an alpha that you have set, say.
 *
 * maps, lows and highs are arrays of `count`; lows and highs may be NULL: 0 and 1, the range of
 * masks. The rows of `buffer` are `stride` bytes apart; those from count x width on are not
 * written. Memory, threads and cancelling are those of terrain_heightmap_pack_u8.
 * Errors: ARGUMENT if maps or buffer is NULL, all maps are, their sizes differ or stride is below
 * count x width or too large to address; RANGE if count is not 1 to 4, or a range is none of
 * terrain_heightmap_pack_u8's; ALIAS if the buffer overlaps a map; BUSY. Since 0.2. */
TERRAIN_API terrain_status terrain_heightmap_pack_channels_u8(terrain_context *context,
                                                              const terrain_heightmap *const *maps,
                                                              const float *lows, const float *highs,
                                                              uint32_t count, uint8_t *buffer,
                                                              size_t stride);

/** Writes a shaded relief into a buffer: the same bytes as terrain_analyze_hillshade and then
 * terrain_heightmap_pack_u8 with the range 0 to 1, in one pass and without a map between.
 *
 * Reads `map` and params, which may be NULL for the defaults. Elements written, memory, threads and
 * errors are those of terrain_heightmap_pack_u8, and RANGE for params out of range. Since 0.2. */
TERRAIN_API terrain_status terrain_heightmap_pack_hillshade_u8(
    terrain_context *context, const terrain_heightmap *map,
    const terrain_analyze_hillshade_params *params, uint8_t *buffer, size_t stride);

/** Unpacks a buffer of whole numbers q into a map: h = low + q * ((high - low) / m), computed in
 * double and rounded to float. Packing the result with the same range gives the same numbers back,
 * provided that a step of the range is no smaller than 4 units in the last place of low and of
 * high.
 *
 * Writes all cells of `map`, which may be wrapped but not const, and leaves its cell size and
 * origin alone. Parameters and errors are those of packing, and ARGUMENT for a map of const memory.
 * Since 0.1. */
TERRAIN_API terrain_status terrain_heightmap_unpack_u8(terrain_context *context,
                                                       const uint8_t *buffer, size_t stride,
                                                       float low, float high,
                                                       terrain_heightmap *map);
TERRAIN_API terrain_status terrain_heightmap_unpack_u16(terrain_context *context,
                                                        const uint16_t *buffer, size_t stride,
                                                        float low, float high,
                                                        terrain_heightmap *map);

#ifdef __cplusplus
}
#endif

#endif
