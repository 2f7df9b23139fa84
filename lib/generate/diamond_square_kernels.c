/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/diamond_square_kernels.h"

#include <stdbool.h>

#include "base/math.h"
#include "terrain/generate.h"
#include "vector/random.h"
#include "vector/random_vec.h"
#include "vector/vec.h"

/* ---- Random numbers -------------------------------------------------------------------------- */

/* Numbers of points in columns x, x + stride, …, which share their high word. */
struct diamond_square_cells {
    uint64_t column;
    vuint at; /* low words of the next vector's columns */
    vuint step;
    vfloat amplitude;
};

static inline struct diamond_square_cells
diamond_square_cells_of(const struct diamond_square_noise *noise, uint32_t i)
{
    int64_t x = noise->x + (int64_t)noise->stride * i;
    struct diamond_square_cells cells;
    cells.column =
        (uint64_t)x >> 32 == noise->high ? noise->column : terrain__random_column(noise->row, x);
    cells.at = vu_set((uint32_t)x) + vu_lane() * vu_set(noise->stride);
    cells.step = vu_set(noise->stride * VEC_LANES);
    cells.amplitude = vf_set(noise->amplitude);
    return cells;
}

/* Vectors of random numbers that are made at once. The hash is one long chain: a processor can't
 * hold enough of them at once if one stands after the other. */
enum { DIAMOND_SQUARE_GROUP = 4 };

/* The next vectors of numbers: vu_random_bits step by step for all of them. */
TERRAIN__INLINE void diamond_square_next(struct diamond_square_cells *cells, vfloat numbers[],
                                         int group, bool gaussian)
{
    vuint h[DIAMOND_SQUARE_GROUP];
    for (int k = 0; k < group; k++) {
        h[k] = cells->at ^ vu_set((uint32_t)cells->column);
        h[k] ^= h[k] >> 16;
        cells->at += cells->step;
    }
    for (int k = 0; k < group; k++) {
        h[k] *= vu_set(UINT32_C(0x7FEB352D));
    }
    for (int k = 0; k < group; k++) {
        h[k] = (h[k] ^ h[k] >> 15) + vu_set((uint32_t)(cells->column >> 32));
    }
    for (int k = 0; k < group; k++) {
        h[k] *= vu_set(UINT32_C(0x846CA68B));
    }
    for (int k = 0; k < group; k++) {
        h[k] ^= h[k] >> 16;
    }
    for (int k = 0; k < group; k++) {
        numbers[k] =
            cells->amplitude * (gaussian ? vf_bell(h[k]) * vf_set(0x1p-8f) : vf_signed(h[k]));
    }
}

/* The end of the run of points from i on that share their columns' high word, or the row's. */
static inline uint32_t diamond_square_run_end(const struct diamond_square_noise *noise, uint32_t i,
                                              uint32_t count)
{
    const uint32_t stride = noise->stride, columns = stride * (count - i);
    const uint32_t run = terrain__random_run(noise->x + (int64_t)stride * i, columns);
    return run == columns ? count : i + terrain__divide_up(run, stride);
}

TERRAIN__INLINE void diamond_square_noise_run(float *out, const struct diamond_square_noise *noise,
                                              uint32_t begin, uint32_t end, bool gaussian)
{
    struct diamond_square_cells cells = diamond_square_cells_of(noise, begin);
    vfloat numbers[DIAMOND_SQUARE_GROUP];
    uint32_t i = begin;
    while (i + DIAMOND_SQUARE_GROUP * VEC_LANES <= end) {
        diamond_square_next(&cells, numbers, DIAMOND_SQUARE_GROUP, gaussian);
        for (int k = 0; k < DIAMOND_SQUARE_GROUP; k++, i += VEC_LANES) {
            vf_store(out + i, numbers[k]);
        }
    }
    for (; i < end; i += VEC_LANES) {
        diamond_square_next(&cells, numbers, 1, gaussian);
        vf_store(out + i, numbers[0]);
    }
}

static void diamond_square_noise_row(float *out, const struct diamond_square_noise *noise,
                                     uint32_t count)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        end = diamond_square_run_end(noise, i, count);
        if (noise->distribution == TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM) {
            diamond_square_noise_run(out, noise, i, end, false);
        } else {
            diamond_square_noise_run(out, noise, i, end, true);
        }
    }
}

/* ---- Means ----------------------------------------------------------------------------------- */

static inline vfloat diamond_square_mean2(vfloat a, vfloat b)
{
    return (a + b) * vf_set(0.5f);
}

/* Opposite points come in pairs, so that flips and quarter turns change no bit. */
static inline vfloat diamond_square_mean4(vfloat a, vfloat b, vfloat c, vfloat d)
{
    return ((a + b) + (c + d)) * vf_set(0.25f);
}

static inline void diamond_square_centre(float *out, const float *upper, const float *lower,
                                         uint32_t i, vfloat number)
{
    vfloat mean = diamond_square_mean4(vf_load(upper + i), vf_load(lower + i + 1),
                                       vf_load(upper + i + 1), vf_load(lower + i));
    vf_store(out + i, mean + number);
}

TERRAIN__INLINE void diamond_square_centres_run(float *out, const float *upper, const float *lower,
                                                const struct diamond_square_noise *noise,
                                                uint32_t begin, uint32_t end, bool gaussian)
{
    struct diamond_square_cells cells = diamond_square_cells_of(noise, begin);
    vfloat numbers[DIAMOND_SQUARE_GROUP];
    uint32_t i = begin;
    while (i + DIAMOND_SQUARE_GROUP * VEC_LANES <= end) {
        diamond_square_next(&cells, numbers, DIAMOND_SQUARE_GROUP, gaussian);
        for (int k = 0; k < DIAMOND_SQUARE_GROUP; k++, i += VEC_LANES) {
            diamond_square_centre(out, upper, lower, i, numbers[k]);
        }
    }
    for (; i < end; i += VEC_LANES) {
        diamond_square_next(&cells, numbers, 1, gaussian);
        diamond_square_centre(out, upper, lower, i, numbers[0]);
    }
}

static void diamond_square_centres(float *out, const float *upper, const float *lower,
                                   const struct diamond_square_noise *noise, uint32_t count)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        end = diamond_square_run_end(noise, i, count);
        if (noise->distribution == TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM) {
            diamond_square_centres_run(out, upper, lower, noise, i, end, false);
        } else {
            diamond_square_centres_run(out, upper, lower, noise, i, end, true);
        }
    }
}

/* Pairs into a row of `width` floats, which may end with the map's; but not if all are known to
 * fit. */
TERRAIN__INLINE void diamond_square_put(float *out, uint32_t i, uint32_t width, bool fit,
                                        vfloat even, vfloat odd)
{
    if (fit || width - 2 * i >= 2 * VEC_LANES) {
        vf_store_pairs(out + 2 * (size_t)i, even, odd);
    } else {
        float line[2 * VEC_LANES];
        vf_store_pairs(line, even, odd);
        memcpy(out + 2 * (size_t)i, line, (width - 2 * i) * sizeof *out);
    }
}

TERRAIN__INLINE void diamond_square_odd_pairs(float *out, const struct diamond_square_odd *from,
                                              uint32_t i, bool fit, bool edge2, vfloat number)
{
    vfloat up = vf_load(from->upper + i);
    vfloat down = vf_load(from->lower + i);
    vfloat right = vf_load(from->centres + i + 1);
    vfloat mean = edge2 ? diamond_square_mean2(up, down)
                        : diamond_square_mean4(up, down, vf_load(from->centres + i), right);
    diamond_square_put(out, i, from->width, fit, mean + number, right);
}

TERRAIN__INLINE void diamond_square_odd_run(float *out, const struct diamond_square_odd *from,
                                            uint32_t begin, uint32_t end, bool gaussian, bool edge2)
{
    struct diamond_square_cells cells = diamond_square_cells_of(&from->noise, begin);
    vfloat numbers[DIAMOND_SQUARE_GROUP];
    const uint32_t whole = end < from->width / 2 ? end : from->width / 2;
    uint32_t i = begin;
    while (i + DIAMOND_SQUARE_GROUP * VEC_LANES <= whole) {
        diamond_square_next(&cells, numbers, DIAMOND_SQUARE_GROUP, gaussian);
        for (int k = 0; k < DIAMOND_SQUARE_GROUP; k++, i += VEC_LANES) {
            diamond_square_odd_pairs(out, from, i, true, edge2, numbers[k]);
        }
    }
    for (; i < end; i += VEC_LANES) {
        diamond_square_next(&cells, numbers, 1, gaussian);
        diamond_square_odd_pairs(out, from, i, false, edge2, numbers[0]);
    }
}

static void diamond_square_odd_row(float *out, const struct diamond_square_odd *from, uint32_t mode)
{
    const uint32_t count = (from->width + 1) / 2;
    const bool edge2 = mode == TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_EDGE2;
    const struct diamond_square_odd at = *from;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = diamond_square_run_end(&at.noise, i, count);
        if (at.noise.distribution != TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM) {
            diamond_square_odd_run(out, &at, i, end, true, edge2);
        } else if (edge2) {
            diamond_square_odd_run(out, &at, i, end, false, true);
        } else {
            diamond_square_odd_run(out, &at, i, end, false, false);
        }
    }
}

TERRAIN__INLINE void diamond_square_even_pairs(float *out, const struct diamond_square_even *from,
                                               uint32_t i, bool fit, bool edge2, bool shifted,
                                               vfloat number)
{
    vfloat left = vf_load(from->corners + i);
    vfloat right = vf_load(from->corners + i + 1);
    vfloat mean = edge2 ? diamond_square_mean2(left, right)
                        : diamond_square_mean4(vf_load(from->above + i), vf_load(from->below + i),
                                               left, right);
    if (shifted) {
        left = left + vf_load(from->shift + i);
    }
    diamond_square_put(out, i, from->width, fit, left, mean + number);
}

TERRAIN__INLINE void diamond_square_even_run(float *out, const struct diamond_square_even *from,
                                             uint32_t begin, uint32_t end, bool gaussian,
                                             bool edge2, bool shifted)
{
    struct diamond_square_cells cells = diamond_square_cells_of(&from->noise, begin);
    vfloat numbers[DIAMOND_SQUARE_GROUP];
    const uint32_t whole = end < from->width / 2 ? end : from->width / 2;
    uint32_t i = begin;
    while (i + DIAMOND_SQUARE_GROUP * VEC_LANES <= whole) {
        diamond_square_next(&cells, numbers, DIAMOND_SQUARE_GROUP, gaussian);
        for (int k = 0; k < DIAMOND_SQUARE_GROUP; k++, i += VEC_LANES) {
            diamond_square_even_pairs(out, from, i, true, edge2, shifted, numbers[k]);
        }
    }
    for (; i < end; i += VEC_LANES) {
        diamond_square_next(&cells, numbers, 1, gaussian);
        diamond_square_even_pairs(out, from, i, false, edge2, shifted, numbers[0]);
    }
}

static void diamond_square_even_row(float *out, const struct diamond_square_even *from,
                                    uint32_t mode)
{
    const uint32_t count = (from->width + 1) / 2;
    const bool edge2 = mode == TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_EDGE2;
    const struct diamond_square_even at = *from;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = diamond_square_run_end(&at.noise, i, count);
        if (at.noise.distribution != TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM) {
            diamond_square_even_run(out, &at, i, end, true, edge2, at.shift != NULL);
        } else if (edge2 || at.shift != NULL) {
            diamond_square_even_run(out, &at, i, end, false, edge2, at.shift != NULL);
        } else {
            diamond_square_even_run(out, &at, i, end, false, false, false);
        }
    }
}

const struct diamond_square_kernels TERRAIN__KERNELS(diamond_square) = {
    diamond_square_noise_row,
    diamond_square_centres,
    diamond_square_odd_row,
    diamond_square_even_row,
};
