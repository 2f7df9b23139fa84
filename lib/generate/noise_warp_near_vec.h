/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: strips whose cells share so few lattice points that these stay in
 * registers. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_NEAR_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_NEAR_VEC_H

#include <math.h>

#include "generate/noise_warp_vec.h"

/* ---- Within a lattice cell ------------------------------------------------------------------- */

/* Takes as many strips as lie within the first one's lattice cell, which may be none. The margin of
 * the strips' bounds is more than any rounding here. */
static bool noise_warp_make_within(struct noise_warp_block *block, const struct noise_warp_run *run)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const struct noise_warp_strips *strips = &work->strips;
    uint32_t k = block->x / NOISE_WARP_STRIP, y = block->y;
    const int32_t *rows = strips->first_row[k], *last_rows = strips->last_row[k];
    const float *wests = strips->west[k], *easts = strips->east[k];
    int32_t row = rows[y];
    float least = -INFINITY, most = INFINITY;
    block->row = row - run->row;
    for (int i = 0; i < 2; i++) {
        float shift = work->shifts[block->row + i], column = noise_warp_floor(wests[y] + shift);
        block->columns[i] = (int32_t)column - run->column;
        least = column - shift > least ? column - shift : least;
        most = column + 1 - shift < most ? column + 1 - shift : most;
    }
    while (y < run->piece->height && rows[y] == row && last_rows[y] == row && wests[y] >= least &&
           easts[y] < most) {
        y++;
    }
    block->height = y - block->y;
    return block->height != 0;
}

/* ---- Near few points ------------------------------------------------------------------------- */

/* Takes as many strips as have so few lattice rows and columns together; returns whether there is
 * one. */
static bool noise_warp_make_near(struct noise_warp_block *block, const struct noise_warp_run *run,
                                 int32_t most_rows, int32_t most_columns)
{
    const struct noise_warp_strips *strips = &run->piece->work->strips;
    const uint32_t k = block->x / NOISE_WARP_STRIP;
    int32_t first = INT32_MAX, last = INT32_MIN, west = INT32_MAX, east = INT32_MIN;
    uint32_t y = block->y;
    for (; y < run->piece->height; y++) {
        int32_t low = strips->first_row[k][y], high = strips->last_row[k][y];
        int32_t left = strips->first_column[k][y], right = strips->last_column[k][y];
        low = low < first ? low : first;
        high = high > last ? high : last;
        left = left < west ? left : west;
        right = right > east ? right : east;
        if (high - low >= most_rows || right - left >= most_columns) {
            break;
        }
        first = low;
        last = high;
        west = left;
        east = right;
    }
    block->height = y - block->y;
    if (block->height == 0) {
        return false;
    }
    block->row = first - run->row;
    block->rows = last - first + 1;
    block->column = west - run->column;
    return true;
}

/* ---- Noise ----------------------------------------------------------------------------------- */

/* How a block's cells find their points in the window. `vectors`: how many of each plane hold them,
 * `width` from lattice row to lattice row; 1: all cells lie between the same two lattice rows, of
 * which each has its own vector; 0: all lie within one lattice cell, and need no window. */
struct noise_warp_mode {
    uint32_t width;
    int vectors;
};

/* Vectors of cells that are treated together, as far as there are registers: two go on at a time
 * where one would wait for itself. */
enum { NOISE_WARP_BESIDE = VEC_LANES == 16 ? 2 : 1 };

/* Vectors of cells side by side: their places, and their points in the window, by the lattice
 * rows above and below. */
struct noise_warp_pair {
    vfloat v[NOISE_WARP_BESIDE], u[2][NOISE_WARP_BESIDE];
    vuint at[2][NOISE_WARP_BESIDE];
};

/* What pairs below each other share. The bases, by lattice row, are for vf_floor_onto, from lattice
 * columns to points of the window; within one lattice cell they are its columns. */
struct noise_warp_column {
    uint32_t x;
    vfloat across[NOISE_WARP_BESIDE], bases[2][NOISE_WARP_BESIDE];
    vint first_row;
};

TERRAIN__INLINE struct noise_warp_column noise_warp_column_at(const struct noise_warp_run *run,
                                                              const struct noise_warp_block *block,
                                                              uint32_t x,
                                                              struct noise_warp_mode mode)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const int32_t below = mode.vectors > 1 ? (int32_t)mode.width : 0;
    struct noise_warp_column column;
    column.x = x;
    column.first_row = vi_set(run->row + block->row);
    for (uint32_t i = 0; i < NOISE_WARP_BESIDE; i++) {
        const vint columns = vi_load(work->columns + x + i * VEC_LANES) - vi_set(run->column);
        column.across[i] = vf_load(work->across + x + i * VEC_LANES);
        for (int k = 0; k < 2; k++) {
            column.bases[k][i] = mode.vectors == 0
                                     ? vf_from_int(vi_set(block->columns[k]) - columns)
                                     : vf_base(columns - vi_set(block->column - k * below));
        }
    }
    return column;
}

TERRAIN__INLINE struct noise_warp_pair noise_warp_find_pair(const struct noise_warp_run *run,
                                                            const struct noise_warp_block *block,
                                                            const struct noise_warp_column *column,
                                                            uint32_t y, struct noise_warp_mode mode)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const float *shifts = work->shifts + block->row;
    const float whole = work->strips.whole[block->x / NOISE_WARP_STRIP][y];
    const vfloat base = vf_base(vi_set(work->rows[y]) - column->first_row);
    struct noise_warp_pair pair;
    for (uint32_t i = 0; i < NOISE_WARP_BESIDE; i++) {
        const size_t from = (size_t)y * NOISE_WARP_STRIDE + column->x + i * VEC_LANES;
        const vfloat east = vf_load(work->east + from) * vf_set(run->step_x);
        const vfloat south = vf_load(work->south + from) * vf_set(run->step_y);
        const vfloat across = column->across[i] + east, down = vf_set(work->down[y]) + south;
        vuint row = vu_set(0);
        if (mode.vectors > 1) {
            row = vf_bits(vf_floor_onto(base, down, &pair.v[i]));
        } else {
            pair.v[i] = down - vf_set(whole);
        }
        for (uint32_t k = 0; k < 2; k++) {
            vfloat shift = mode.vectors > 1 ? vf_lookup(shifts + k, row) : vf_set(shifts[k]);
            vfloat at = across + shift;
            if (mode.vectors == 0) {
                pair.u[k][i] = at - column->bases[k][i];
            } else {
                at = vf_floor_onto(column->bases[k][i], at, &pair.u[k][i]);
            }
            pair.at[k][i] = vf_bits(at) + row * vu_set(mode.width);
        }
    }
    return pair;
}

/* A pair's scalar products with gradients: with x and y in one plane of the window and the next. */
TERRAIN__INLINE void noise_warp_dot(vfloat dot[], const float *plane, const vuint at[],
                                    const vfloat u[], const vfloat v[], int vectors)
{
    for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
        vfloat x = vf_lookup_of(plane, at[i], vectors);
        vfloat y = vf_lookup_of(plane + NOISE_WARP_WINDOW, at[i], vectors);
        dot[i] = x * u[i] + y * v[i];
    }
}

TERRAIN__INLINE void noise_warp_raise(vfloat sum[], const float *plane, const vuint at[],
                                      int vectors)
{
    for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
        sum[i] = vf_lookup_of(plane, at[i], vectors) + sum[i];
    }
}

/* The share of the lattice row above or below. */
TERRAIN__INLINE void noise_warp_pair_row(vfloat row[], const struct noise_warp_pair *pair, int k,
                                         const float *planes, int vectors, uint32_t basis)
{
    const vuint *at = pair->at[k];
    const vfloat *u = pair->u[k];
    const size_t plane = NOISE_WARP_WINDOW;
    vfloat v[NOISE_WARP_BESIDE], other[NOISE_WARP_BESIDE];
    for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
        v[i] = k == 0 ? pair->v[i] : pair->v[i] - vf_set(1);
    }
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        vfloat left[NOISE_WARP_BESIDE], right[NOISE_WARP_BESIDE];
        for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
            left[i] = u[i] * vf_set(NOISE_EDGE);
            right[i] = left[i] - vf_set(NOISE_EDGE);
        }
        noise_warp_dot(row, planes, at, left, v, vectors);
        noise_warp_dot(other, planes + 2 * plane, at, right, v, vectors);
        for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
            row[i] = noise_warp_reach(left[i], v[i]) * row[i] +
                     noise_warp_reach(right[i], v[i]) * other[i];
        }
        return;
    }
    noise_warp_dot(row, planes, at, u, v, vectors);
    noise_warp_raise(row, planes + 4 * plane, at, vectors);
    noise_warp_dot(other, planes + 2 * plane, at, u, v, vectors);
    noise_warp_raise(other, planes + 5 * plane, at, vectors);
    for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
        row[i] = row[i] + noise_fade(u[i]) * other[i];
    }
}

TERRAIN__INLINE void noise_warp_add_pair(float *to, const struct noise_warp_pair *pair,
                                         const float *above, const float *below, int vectors,
                                         uint32_t basis)
{
    vfloat rows[2][NOISE_WARP_BESIDE];
    noise_warp_pair_row(rows[0], pair, 0, above, vectors, basis);
    noise_warp_pair_row(rows[1], pair, 1, below, vectors, basis);
    for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
        vfloat value = basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX
                           ? rows[0][i] + rows[1][i]
                           : noise_warp_blend(rows[0][i], rows[1][i], pair->v[i]);
        noise_warp_add(to + i * VEC_LANES, value);
    }
}

/* Copies the planes of a block's points into the window, as far as the table goes. */
TERRAIN__INLINE void noise_warp_open_window(const struct noise_warp_run *run,
                                            const struct noise_warp_block *block,
                                            struct noise_warp_mode mode)
{
    struct noise_warp_workspace *work = run->piece->work;
    const uint32_t last = mode.vectors == 1 ? 1 : (uint32_t)block->rows;
    for (uint32_t row = 0; row <= last; row++) {
        const float *planes =
            noise_warp_planes(run, (uint32_t)block->row + row, (uint32_t)block->column);
        for (uint32_t part = 0; part < NOISE_WARP_PARTS; part++) {
            const float *from = planes + (size_t)part * NOISE_WARP_PLANE;
            float *to = work->window[part] + row * mode.width;
            if (mode.width == VEC_LANES) {
                vf_store(to, vf_load(from));
            } else {
                memcpy(to, from, 8 * sizeof *to);
            }
        }
    }
}

/* Adds the noise of cells near few points. Each pair's places are found while the pair before it
 * gets its noise: the way from a displacement to its point is a long chain. */
TERRAIN__INLINE void noise_warp_permute(const struct noise_warp_run *run,
                                        const struct noise_warp_block *block,
                                        struct noise_warp_mode mode, uint32_t basis)
{
    const float *above = run->piece->work->window[0];
    const float *below = mode.vectors > 1 ? above : above + mode.width;
    const uint32_t end = block->y + block->height;
    noise_warp_open_window(run, block, mode);
    for (uint32_t x = block->x; x < block->x + NOISE_WARP_STRIP;
         x += NOISE_WARP_BESIDE * VEC_LANES) {
        const struct noise_warp_column column = noise_warp_column_at(run, block, x, mode);
        struct noise_warp_pair next = noise_warp_find_pair(run, block, &column, block->y, mode);
        for (uint32_t y = block->y; y < end; y++) {
            const struct noise_warp_pair pair = next;
            float *to = run->sums + (size_t)y * NOISE_WARP_WIDTH + x;
            next = noise_warp_find_pair(run, block, &column, y + 1 < end ? y + 1 : y, mode);
            noise_warp_add_pair(to, &pair, above, below, mode.vectors, basis);
        }
    }
}

/* One point, for all cells. */
static inline struct noise_warp_parts noise_warp_repeat(const float *planes)
{
    const size_t stride = NOISE_WARP_PLANE;
    struct noise_warp_parts parts;
    parts.x = vf_set(planes[0]);
    parts.y = vf_set(planes[stride]);
    parts.other_x = vf_set(planes[2 * stride]);
    parts.other_y = vf_set(planes[3 * stride]);
    parts.value = vf_set(planes[4 * stride]);
    parts.change = vf_set(planes[5 * stride]);
    return parts;
}

/* Cells that all lie between the same two lattice rows, and between the same points of each. */
TERRAIN__INLINE void noise_warp_within(const struct noise_warp_run *run,
                                       const struct noise_warp_block *block, uint32_t basis)
{
    const struct noise_warp_mode mode = {0, 0};
    const uint32_t row = (uint32_t)block->row, end = block->y + block->height;
    const struct noise_warp_parts parts[2] = {
        noise_warp_repeat(noise_warp_planes(run, row, (uint32_t)block->columns[0])),
        noise_warp_repeat(noise_warp_planes(run, row + 1, (uint32_t)block->columns[1]))};
    for (uint32_t x = block->x; x < block->x + NOISE_WARP_STRIP;
         x += NOISE_WARP_BESIDE * VEC_LANES) {
        const struct noise_warp_column column = noise_warp_column_at(run, block, x, mode);
        struct noise_warp_pair next = noise_warp_find_pair(run, block, &column, block->y, mode);
        for (uint32_t y = block->y; y < end; y++) {
            const struct noise_warp_pair pair = next;
            float *to = run->sums + (size_t)y * NOISE_WARP_WIDTH + x;
            next = noise_warp_find_pair(run, block, &column, y + 1 < end ? y + 1 : y, mode);
            for (int i = 0; i < NOISE_WARP_BESIDE; i++) {
                noise_warp_add(
                    to + i * VEC_LANES,
                    noise_warp_value(parts, pair.u[0][i], pair.u[1][i], pair.v[i], basis));
            }
        }
    }
}

TERRAIN__INLINE void noise_warp_add_near(const struct noise_warp_run *run,
                                         struct noise_warp_block *block, uint32_t basis)
{
    if (VEC_LANES < 16) {
        noise_warp_make_near(block, run, 1, VEC_LANES);
        noise_warp_permute(run, block, (struct noise_warp_mode){VEC_LANES, 1}, basis);
    } else if (noise_warp_make_near(block, run, 1, 16)) {
        noise_warp_permute(run, block, (struct noise_warp_mode){16, 1}, basis);
    } else {
        noise_warp_make_near(block, run, 3, 8);
        noise_warp_permute(run, block, (struct noise_warp_mode){8, 2}, basis);
    }
}

#endif
