/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What packing functions share. */

#ifndef TERRAIN_MEASURE_PACK_H
#define TERRAIN_MEASURE_PACK_H

#include "core/reader.h"

/* Whether a host's buffer, whose rows are `stride` elements of `element` bytes apart, is one that a
 * map can be packed into, with so many elements for each cell: ARGUMENT or ALIAS otherwise. */
terrain_status terrain__pack_check_buffer(const terrain__reader *reader,
                                          const terrain_heightmap *map, const void *buffer,
                                          size_t stride, size_t element, uint32_t channels);

#endif
