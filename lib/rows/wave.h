/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Many steps over a plane in place, several of them while rows are in the cache.
 *
 * A step works through all rows. Its work at a row touches rows up to 1 away, and what it does
 * there must come after the step before it at rows up to `skew` away, and no sooner than they.
 * Within a step the order of rows is free. So step t may follow at row s - skew * t when the first
 * step has reached row s. Bands run at once, in two passes:
 *
 *     band 0    \              /    first: what depends on none of a neighbour's rows, a range that
 *     . . . . .  \  first     /     shrinks by `skew` at either side with each step
 *     band 1      \__________/
 *                /  second   \      then: what is left around each seam between two bands, a range
 *               /             \     that grows
 *               -> steps ->
 *
 * No row is computed twice, and no bit depends on the bands. */

#ifndef TERRAIN_ROWS_WAVE_H
#define TERRAIN_ROWS_WAVE_H

#include "core/operation.h"

/* One step at one row, counted from the first iteration's first. */
typedef void terrain__wave_step(terrain__call *call, uint64_t step, uint32_t row);

typedef struct terrain__wave {
    terrain__bands bands;
    uint32_t iterations;
    uint32_t each; /* steps of an iteration */
    uint32_t skew;
    uint32_t fused; /* iterations that run at once, at most */
    uint32_t patch; /* rows that an iteration goes ahead of the next one */
} terrain__wave;

/* In prepare: as many iterations at once, up to `most`, as the cache holds rows of row_bytes for.
 * Bands are so high that the ranges around two seams don't meet. */
terrain__wave terrain__wave_of(uint32_t rows, size_t row_bytes, uint32_t iterations, uint32_t each,
                               uint32_t skew, uint32_t most);

/* For terrain__expect_passes: how many passes terrain__wave_run makes. */
uint32_t terrain__wave_passes(const terrain__wave *wave);

/* In run: all iterations. */
terrain_status terrain__wave_run(terrain__call *call, const terrain__wave *wave,
                                 terrain__wave_step *step);

#endif
