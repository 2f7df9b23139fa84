/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every cell with its eight neighbours, for the operations that look at slopes.
 *
 * Outside the map the surface goes on straight: a neighbour beyond an edge is h + (h - o), of the
 * cell h at the edge and the cell o opposite; beyond a corner it is (a + b) - h, of the two
 * neighbours a and b beyond the edges. A plane keeps its slope up to the last cell. Where the map
 * is one cell wide there is no opposite cell, and the neighbour is h. */

#ifndef TERRAIN_ANALYZE_STENCIL_H
#define TERRAIN_ANALYZE_STENCIL_H

#include "analyze/stencil_kernels.h"
#include "core/reader.h"

enum { TERRAIN__STENCIL_RUN = 128 }; /* cells that are copied at a time, along the map's edges */

/* The halo of these operations: 1. */
uint32_t terrain__stencil_halo(const void *params);

/* Writes `count` cells, at least TERRAIN__STENCIL_LEAST, of each output. Outputs that the caller
 * does not want are NULL. `scale` makes a slope of Horn's gradient: 1 / (8 cell sizes). */
typedef void terrain__stencil_run(const terrain__call *call, float *const *outputs,
                                  const struct terrain__stencil *cells, size_t count, float scale);

/* The call's last pass: the run for all of the map, into planes whose cells may be NULL. */
terrain_status terrain__stencil_commit(terrain__call *call,
                                       const terrain__plane planes[TERRAIN__STENCIL_OUTPUTS],
                                       terrain__stencil_run *run);

/* Writes `count` cells of the first output, between 0 and 1, as bytes, 0 to 255. */
typedef void terrain__stencil_pack_run(const terrain__call *call, uint8_t *target,
                                       const struct terrain__stencil *cells, size_t count);

/* The first output for all of the reader's map, as bytes: `run` is what `pack` packs.
 * reader->job is the run's call->job. */
void terrain__stencil_pack(terrain__reader *reader, uint8_t *bytes, size_t stride,
                           terrain__stencil_run *run, terrain__stencil_pack_run *pack);

/* Copies of cells with all of their neighbours. */
struct terrain__stencil_copy {
    float north[TERRAIN__STENCIL_RUN + 2];
    float here[TERRAIN__STENCIL_RUN + 2];
    float south[TERRAIN__STENCIL_RUN + 2];
};

/* Copies the cells x to x + count - 1 of row y, count at most TERRAIN__STENCIL_RUN, and their
 * neighbours. */
void terrain__stencil_copy_cells(struct terrain__stencil_copy *copy, const terrain__view *map,
                                 uint32_t x, uint32_t y, uint32_t count);

#endif
