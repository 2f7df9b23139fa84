/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "rows/wave.h"

#include "base/cache.h"

enum { WAVE_MOST_PATCH = 16 };

terrain__wave terrain__wave_of(uint32_t rows, size_t row_bytes, uint32_t iterations, uint32_t each,
                               uint32_t skew, uint32_t most)
{
    terrain__wave wave = {.iterations = iterations, .each = each, .skew = skew, .fused = most};
    while (wave.fused > 1 && row_bytes > TERRAIN__CACHE_BYTES / (skew * each * wave.fused)) {
        wave.fused--;
    }
    const size_t rows_at_hand = TERRAIN__CACHE_BYTES / row_bytes;
    const size_t needed = (size_t)skew * each * wave.fused;
    wave.patch = rows_at_hand > needed ? (uint32_t)(rows_at_hand - needed) : 1;
    wave.patch = wave.patch < WAVE_MOST_PATCH ? wave.patch : WAVE_MOST_PATCH;
    wave.bands = terrain__bands_of(rows, 3 * skew * each * wave.fused + 8);
    return wave;
}

uint32_t terrain__wave_passes(const terrain__wave *wave)
{
    return 2 * terrain__divide_up(wave->iterations, wave->fused);
}

struct wave_pass {
    const terrain__wave *wave;
    terrain__wave_step *step;
    uint32_t steps;      /* that run at once */
    uint64_t steps_done; /* before them */
};

/* Where a pass has its steps. When the first step would be at row `front`, which goes from `begin`
 * to `last`, step t is at row front - skew t, once it is
 *
 *     begin + grow t   <=   front   <   end + shrink t */
struct wave_range {
    int64_t begin;
    int64_t grow;
    int64_t end;
    int64_t shrink;
    int64_t last;
};

/* Patch by patch of rows, iteration by iteration: where rows are short, those that one iteration
 * touches stay in the first-level cache. */
static void wave_sweep(terrain__call *call, const struct wave_range *range)
{
    const struct wave_pass *pass = call->pass;
    const terrain__wave *wave = pass->wave;
    const int64_t skew = wave->skew, each = wave->each, last = range->last;
    for (int64_t patch = range->begin; patch < last; patch += wave->patch) {
        const int64_t patch_end = last - patch < wave->patch ? last : patch + wave->patch;
        for (int64_t first = 0; first < pass->steps; first += each) {
            for (int64_t front = patch; front < patch_end; front++) {
                for (int64_t t = first; t < first + each; t++) {
                    const int64_t row = front - skew * t;
                    if (range->begin + range->grow * t <= front &&
                        front < range->end + range->shrink * t && row < wave->bands.rows) {
                        pass->step(call, pass->steps_done + (uint64_t)t, (uint32_t)row);
                    }
                }
            }
        }
    }
}

/* The first pass: a task for each band. Its rows are those of the band, less a margin at each seam,
 * skew t + 1 for step t. */
static void wave_band(terrain__call *call, uint32_t index)
{
    const struct wave_pass *pass = call->pass;
    const terrain__wave *wave = pass->wave;
    const int64_t skew = wave->skew, steps = pass->steps;
    const bool above = index > 0, below = index + 1 < wave->bands.count;
    const int64_t end = (int64_t)terrain__band_end(&wave->bands, index) - below;
    const struct wave_range range = {
        .begin = (int64_t)terrain__band_begin(&wave->bands, index) + above,
        .grow = above ? 2 * skew : skew,
        .end = end,
        .shrink = below ? 0 : skew,
        .last = below ? end : end + skew * (steps - 1),
    };
    wave_sweep(call, &range);
}

/* The second pass: a task for each seam between bands, for the margins on both sides; the last band
 * may have fewer rows. */
static void wave_seam(terrain__call *call, uint32_t index)
{
    const struct wave_pass *pass = call->pass;
    const terrain__wave *wave = pass->wave;
    const int64_t middle = terrain__band_end(&wave->bands, index);
    const int64_t skew = wave->skew, steps = pass->steps;
    const struct wave_range range = {
        .begin = middle - 1,
        .grow = 0,
        .end = middle + 1,
        .shrink = 2 * skew,
        .last = middle + 1 + 2 * skew * (steps - 1),
    };
    wave_sweep(call, &range);
}

terrain_status terrain__wave_run(terrain__call *call, const terrain__wave *wave,
                                 terrain__wave_step *step)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t done = 0; status == TERRAIN_SUCCESS && done < wave->iterations;) {
        uint32_t left = wave->iterations - done;
        uint32_t fused = left < wave->fused ? left : wave->fused;
        const struct wave_pass pass = {wave, step, wave->each * fused, (uint64_t)done * wave->each};
        call->pass = &pass;
        status = terrain__run(call, wave->bands.count, wave_band);
        if (status == TERRAIN_SUCCESS) {
            status = terrain__run(call, wave->bands.count - 1, wave_seam);
        }
        call->pass = NULL;
        done += fused;
    }
    return status;
}
