/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "rows/wave.h"

#include "base/cache.h"

terrain__wave terrain__wave_of(uint32_t rows, size_t row_bytes, uint32_t iterations, uint32_t each,
                               uint32_t skew, uint32_t most)
{
    terrain__wave wave = {.iterations = iterations, .each = each, .skew = skew, .fused = most};
    while (wave.fused > 1 && row_bytes > TERRAIN__CACHE_BYTES / (skew * each * wave.fused)) {
        wave.fused--;
    }
    wave.bands = terrain__bands_of(rows, 3 * skew * each * wave.fused + 8);
    return wave;
}

uint32_t terrain__wave_passes(const terrain__wave *wave)
{
    return 2 * (wave->iterations / wave->fused + 1);
}

struct wave_pass {
    const terrain__wave *wave;
    terrain__wave_step *step;
    uint32_t steps;      /* that run at once */
    uint64_t steps_done; /* before them */
};

/* How many rows beside a seam a step leaves to the second pass. */
static int64_t wave_margin(const terrain__wave *wave, uint32_t step)
{
    return (int64_t)wave->skew * step + 1;
}

/* The first pass: a task for each band. When the first step would be at row `front`, step t is at
 * row front - skew t, which must lie within the band, less a margin at each seam:
 *
 *     begin, or begin + skew t + 1   <=   front - skew t   <   end, or end - skew t - 1 */
static void wave_band(terrain__call *call, uint32_t index)
{
    const struct wave_pass *pass = call->pass;
    const terrain__wave *wave = pass->wave;
    const int64_t skew = wave->skew, steps = pass->steps;
    const bool above = index > 0, below = index + 1 < wave->bands.count;
    const int64_t begin = (int64_t)terrain__band_begin(&wave->bands, index) + above;
    const int64_t end = (int64_t)terrain__band_end(&wave->bands, index) - below;
    const int64_t last = below ? end : end + skew * (steps - 1);
    for (int64_t front = begin; front < last; front++) {
        const int64_t most = (front - begin) / (above ? 2 * skew : skew) + 1;
        const int64_t to = most < steps ? most : steps;
        for (int64_t t = front < end ? 0 : (front - end) / skew + 1; t < to; t++) {
            pass->step(call, pass->steps_done + (uint64_t)t, (uint32_t)(front - skew * t));
        }
    }
}

/* The second pass: a task for each seam between bands. */
static void wave_seam(terrain__call *call, uint32_t index)
{
    const struct wave_pass *pass = call->pass;
    const terrain__wave *wave = pass->wave;
    const int64_t middle = terrain__band_end(&wave->bands, index);
    for (uint32_t t = 0; t < pass->steps; t++) {
        int64_t to = middle + wave_margin(wave, t);
        to = to < wave->bands.rows ? to : wave->bands.rows;
        for (int64_t row = middle - wave_margin(wave, t); row < to; row++) {
            pass->step(call, pass->steps_done + t, (uint32_t)row);
        }
    }
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
