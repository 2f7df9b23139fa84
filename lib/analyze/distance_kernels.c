/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/distance_kernels.h"

#include <string.h>

#include "vector/vec.h"

/* ---- Along columns --------------------------------------------------------------------------- */

static void distance_down(uint16_t *steps, const uint16_t *above, const float *heights,
                          uint32_t width, float low, float high, uint32_t most)
{
    const uint16_t last = (uint16_t)most;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        uint16_t next = (uint16_t)(above[i] + 1);
        uint16_t inside = (uint16_t)((heights[i] >= low) & (heights[i] <= high));
        next = next < last ? next : last;
        steps[i] = inside != 0 ? 0 : next;
    }
}

static void distance_up(uint16_t *steps, const uint16_t *below, uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        uint16_t next = (uint16_t)(below[i] + 1);
        steps[i] = next < steps[i] ? next : steps[i];
    }
}

/* ---- Along rows ------------------------------------------------------------------------------ */

/* The squared distance of a cell at x to what is nearest in column i is columns[i] + (x - i)^2. */
static void distance_columns(const struct distance_row *row)
{
    const float none = (float)(row->reach * row->reach);
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < row->width; i++) {
        float steps = (float)row->steps[i];
        row->columns[i] = steps * steps;
    }
    for (uint32_t i = 0; i < TERRAIN__DISTANCE_PAD; i++) {
        row->columns[row->width + i] = none;
    }
}

/* The first of the columns from..to that is nearest to the cell at x. Columns after `to` do no
 * harm: none of them is nearer than the nearest up to `to`. */
static uint32_t distance_nearest(const struct distance_row *row, uint32_t x, uint32_t from,
                                 uint32_t to)
{
    const float *squares = row->squares + ((int64_t)from - (int64_t)x);
    const float *columns = row->columns + from;
    const uint32_t count = to - from + 1;
    vint lane = vi_from_bits(vu_lane());
    vint place = lane;
    vfloat least = vf_load(columns) + vf_load(squares);
    float distances[VEC_LANES];
    int32_t places[VEC_LANES];
    uint32_t best = 0;
    for (uint32_t k = VEC_LANES; k < count; k += VEC_LANES) {
        vfloat d = vf_load(columns + k) + vf_load(squares + k);
        vmask less = vf_less(d, least);
        lane += vi_set(VEC_LANES);
        place = vi_select(less, lane, place);
        least = vf_min(d, least);
    }
    vf_store(distances, least);
    vi_store(places, place);
    for (uint32_t k = 1; k < VEC_LANES; k++) {
        bool less = distances[k] < distances[best];
        bool first = distances[k] == distances[best] && places[k] < places[best];
        best = less || first ? k : best;
    }
    return from + (uint32_t)places[best];
}

/* nearest[p], for the cell at x = p * PATCH or the row's last one, among columns from..to. Columns
 * that are farther away than what is nearest in its own don't count. */
static void distance_place(const struct distance_row *row, uint32_t p, uint32_t from, uint32_t to)
{
    uint32_t x = p * TERRAIN__DISTANCE_PATCH;
    uint32_t steps;
    x = x < row->width ? x : row->width - 1;
    steps = row->steps[x];
    if (steps == 0) {
        row->nearest[p] = x;
        return;
    }
    from = from + steps < x ? x - steps : from;
    to = to > x + steps ? x + steps : to;
    row->nearest[p] = distance_nearest(row, x, from, to);
}

/* The farther right a cell is, the farther right is its nearest column. So what is known at two
 * cells bounds it for those between: by halving, all cells at one step of the halving together look
 * at each column about once. */
static void distance_places(const struct distance_row *row, uint32_t patches)
{
    uint32_t step = 1;
    distance_place(row, 0, 0, row->width - 1);
    distance_place(row, patches, 0, row->width - 1);
    while (step < patches) {
        step *= 2;
    }
    for (step /= 2; step > 0; step /= 2) {
        for (uint32_t p = step; p < patches; p += 2 * step) {
            uint32_t right = p + step < patches ? p + step : patches;
            distance_place(row, p, row->nearest[p - step], row->nearest[right]);
        }
    }
}

static inline vfloat distance_finish(const struct distance_row *row, vfloat square)
{
    const vfloat one = vf_set(1);
    vfloat t = vf_sqrt(square) * vf_set(row->scale);
    if (!row->mask) {
        return t;
    }
    t = vf_min(t, one); /* which rounding may pass */
    return one - t * t * (vf_set(3) - (t + t));
}

/* Whether a whole patch of cells is in the range. */
static inline bool distance_is_inside(const struct distance_row *row, uint32_t x)
{
    uint64_t steps[TERRAIN__DISTANCE_PATCH / 4];
    uint64_t any = 0;
    if (row->width - x < TERRAIN__DISTANCE_PATCH) {
        return false;
    }
    memcpy(steps, row->steps + x, sizeof steps);
    for (uint32_t i = 0; i < TERRAIN__DISTANCE_PATCH / 4; i++) {
        any |= steps[i];
    }
    return any == 0;
}

/* A patch's cells, whose nearest columns lie between its first cell's and the next patch's. */
static void distance_patch(float *target, const struct distance_row *row, uint32_t patch)
{
    enum { VECTORS = TERRAIN__DISTANCE_PATCH / VEC_LANES };
    const uint32_t x = patch * TERRAIN__DISTANCE_PATCH;
    const uint32_t left = row->width - x;
    const uint32_t end = distance_is_inside(row, x) ? 0 : row->nearest[patch + 1] + 1;
    vfloat least[VECTORS];
    for (uint32_t v = 0; v < VECTORS; v++) {
        least[v] = vf_load(row->columns + x + v * VEC_LANES);
    }
    for (uint32_t i = row->nearest[patch]; i < end; i++) {
        const float *squares = row->squares + ((int64_t)x - (int64_t)i);
        const vfloat column = vf_set(row->columns[i]);
        for (uint32_t v = 0; v < VECTORS; v++) {
            least[v] = vf_min(column + vf_load(squares + v * VEC_LANES), least[v]);
        }
    }
    for (uint32_t v = 0; v < VECTORS; v++) {
        vfloat result = distance_finish(row, least[v]);
        if ((v + 1) * VEC_LANES <= left) {
            vf_store(target + x + v * VEC_LANES, result);
        } else if (v * VEC_LANES < left) {
            vf_store_first(target + x + v * VEC_LANES, result, left - v * VEC_LANES);
        }
    }
}

static void distance_across(float *target, const struct distance_row *row)
{
    const uint32_t patches = (row->width - 1) / TERRAIN__DISTANCE_PATCH + 1;
    distance_columns(row);
    distance_places(row, patches);
    for (uint32_t patch = 0; patch < patches; patch++) {
        distance_patch(target, row, patch);
    }
}

const struct distance_kernels TERRAIN__KERNELS(distance) = {
    .down = distance_down,
    .up = distance_up,
    .across = distance_across,
};
