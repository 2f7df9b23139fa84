/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Many steps over a plane in place, several of them while rows are in the cache.
 *
 * A step works through all rows; its work at a row touches rows up to 1 away, and what it does
 * there must come after the step before it at rows up to `skew` away, and no sooner than they.
 * Within a step the order of rows is free. So the step t may follow at row s - skew * t when the
 * first step has reached row s. Bands run at once: first each does what depends on none of its
 * neighbours' rows, a range that shrinks by `skew` at either side with each step; then what is left
 * around each border between two bands, a range that grows. No row is computed twice, and no bit
 * depends on the bands. */

#ifndef TERRAIN_ERODE_WAVE_H
#define TERRAIN_ERODE_WAVE_H

#include "core/operation.h"

/* What the rows of all steps that run at once may take, half of a usual second-level cache. */
#define WAVE_BYTES ((size_t)512 << 10)

struct wave {
    terrain__bands bands;
    uint32_t skew;
    uint32_t each;  /* steps of an iteration */
    uint32_t fused; /* iterations that run at once, at most */
    uint32_t steps; /* of those that run now */
    uint32_t done;  /* iterations before them */
};

/* One step at one row, counted from the first iteration's first. */
typedef void wave_step(terrain__call *call, uint64_t step, uint32_t row);

/* In prepare: iterations of `each` steps, as many at once, up to `most`, as the cache holds rows of
 * row_bytes for. Bands are so high that neighbouring borders' ranges don't meet. */
static inline struct wave wave_of(uint32_t rows, size_t row_bytes, uint32_t each, uint32_t skew,
                                  uint32_t most)
{
    struct wave wave = {.skew = skew, .each = each, .fused = most};
    while (wave.fused > 1 && row_bytes > WAVE_BYTES / (skew * each * wave.fused)) {
        wave.fused--;
    }
    wave.bands = terrain__bands_of(rows, 3 * skew * each * wave.fused + 8);
    return wave;
}

/* The most passes that wave_run makes. */
static inline uint32_t wave_passes(const struct wave *wave, uint32_t iterations)
{
    return 2 * (iterations / wave->fused + 1);
}

/* Rows from the border of a band that a step leaves to the second pass. */
static inline int64_t wave_margin(const struct wave *wave, uint32_t step)
{
    return (int64_t)wave->skew * step + 1;
}

/* The first pass: a task for each band. */
static inline void wave_band(terrain__call *call, const struct wave *wave, uint32_t index,
                             wave_step *step)
{
    const int64_t begin = terrain__band_begin(&wave->bands, index);
    const int64_t end = terrain__band_end(&wave->bands, index);
    const int64_t last = end + (int64_t)wave->skew * wave->steps;
    for (int64_t front = begin; front < last; front++) {
        for (uint32_t t = 0; t < wave->steps; t++) {
            int64_t row = front - (int64_t)wave->skew * t;
            int64_t from = index == 0 ? begin : begin + wave_margin(wave, t);
            int64_t to = index + 1 == wave->bands.count ? end : end - wave_margin(wave, t);
            if (row >= from && row < to) {
                step(call, (uint64_t)wave->done * wave->each + t, (uint32_t)row);
            }
        }
    }
}

/* The second pass: a task for each border between bands, of which there are bands.count - 1. */
static inline void wave_border(terrain__call *call, const struct wave *wave, uint32_t index,
                               wave_step *step)
{
    const int64_t middle = terrain__band_end(&wave->bands, index);
    for (uint32_t t = 0; t < wave->steps; t++) {
        int64_t from = middle - wave_margin(wave, t);
        int64_t to = middle + wave_margin(wave, t);
        to = to < wave->bands.rows ? to : wave->bands.rows;
        for (int64_t row = from; row < to; row++) {
            step(call, (uint64_t)wave->done * wave->each + t, (uint32_t)row);
        }
    }
}

/* In run: all iterations. band and border are tasks that call wave_band and wave_border. */
static inline terrain_status wave_run(terrain__call *call, struct wave *wave, uint32_t iterations,
                                      terrain__task *band, terrain__task *border)
{
    terrain_status status = TERRAIN_SUCCESS;
    while (status == TERRAIN_SUCCESS && wave->done < iterations) {
        uint32_t left = iterations - wave->done;
        uint32_t fused = left < wave->fused ? left : wave->fused;
        wave->steps = wave->each * fused;
        status = terrain__run(call, wave->bands.count, band);
        if (status == TERRAIN_SUCCESS && wave->bands.count > 1) {
            status = terrain__run(call, wave->bands.count - 1, border);
        }
        wave->done += fused;
    }
    return status;
}

#endif
