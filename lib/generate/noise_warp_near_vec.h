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
    const struct noise_warp_workspace *work = run->piece->work;
    const float *wholes = work->strips.whole[block->x / NOISE_WARP_STRIP];
    const float *easts = work->east, *souths = work->south;
    float *sums = run->sums;
    const int32_t *points = block->columns;
    uint32_t row = (uint32_t)block->row;
    vfloat shift0 = vf_set(work->shifts[row]), shift1 = vf_set(work->shifts[row + 1]);
    const struct noise_warp_parts parts[2] = {
        noise_warp_repeat(noise_warp_planes(run, row, (uint32_t)points[0])),
        noise_warp_repeat(noise_warp_planes(run, row + 1, (uint32_t)points[1]))};
    for (uint32_t x = block->x; x < block->x + NOISE_WARP_STRIP; x += VEC_LANES) {
        vfloat across = vf_load(work->across + x);
        vint columns = vi_load(work->columns + x) - vi_set(run->column);
        vfloat whole0 = vf_from_int(vi_set(points[0]) - columns);
        vfloat whole1 = vf_from_int(vi_set(points[1]) - columns);
        for (uint32_t y = block->y; y < block->y + block->height; y++) {
            size_t at = (size_t)y * NOISE_WARP_STRIDE + x;
            vfloat place = across + vf_load(easts + at) * vf_set(run->step_x);
            vfloat south = vf_load(souths + at) * vf_set(run->step_y);
            vfloat v = (vf_set(work->down[y]) + south) - vf_set(wholes[y]);
            vfloat u0 = (place + shift0) - whole0, u1 = (place + shift1) - whole1;
            noise_warp_add(sums + (size_t)y * NOISE_WARP_WIDTH + x,
                           noise_warp_value(parts, u0, u1, v, basis));
        }
    }
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

/* Points of a block, part by part: planes of so many vectors from each of the two pointers on. */
struct noise_warp_window {
    const float *rows[2]; /* for the lattice rows above and below the cells */
    size_t stride;        /* from plane to plane */
};

/* What a part is at four vectors of points: two of a row above cells, two below. */
TERRAIN__INLINE void noise_warp_look_up(vfloat to[4], const struct noise_warp_window *window,
                                        uint32_t part, const vuint node[4], int vectors)
{
    for (int k = 0; k < 4; k++) {
        to[k] = vf_lookup_of(window->rows[k / 2] + part * window->stride, node[k], vectors);
    }
}

/* Four vectors' scalar products with the gradients in two planes. */
TERRAIN__INLINE void noise_warp_dot(vfloat dot[4], const struct noise_warp_window *window,
                                    uint32_t part, const vuint node[4], const vfloat u[4],
                                    const vfloat v[4], int vectors)
{
    vfloat x[4], y[4];
    noise_warp_look_up(x, window, part, node, vectors);
    noise_warp_look_up(y, window, part + 1, node, vectors);
    for (int k = 0; k < 4; k++) {
        dot[k] = x[k] * u[k] + y[k] * v[k];
    }
}

/* Adds a part to four vectors. */
TERRAIN__INLINE void noise_warp_raise(vfloat sum[4], const struct noise_warp_window *window,
                                      uint32_t part, const vuint node[4], int vectors)
{
    vfloat values[4];
    noise_warp_look_up(values, window, part, node, vectors);
    for (int k = 0; k < 4; k++) {
        sum[k] = values[k] + sum[k];
    }
}

/* Shares of lattice rows in four vectors of cells, plane by plane. */
TERRAIN__INLINE void noise_warp_rows(vfloat row[4], const struct noise_warp_window *window,
                                     const vuint node[4], const vfloat u[4], const vfloat v[4],
                                     int vectors, uint32_t basis)
{
    vfloat other[4];
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        vfloat left[4], right[4];
        for (int k = 0; k < 4; k++) {
            left[k] = u[k] * vf_set(NOISE_EDGE);
            right[k] = left[k] - vf_set(NOISE_EDGE);
        }
        noise_warp_dot(row, window, 0, node, left, v, vectors);
        noise_warp_dot(other, window, 2, node, right, v, vectors);
        for (int k = 0; k < 4; k++) {
            row[k] = noise_warp_reach(left[k], v[k]) * row[k] +
                     noise_warp_reach(right[k], v[k]) * other[k];
        }
        return;
    }
    noise_warp_dot(row, window, 0, node, u, v, vectors);
    noise_warp_raise(row, window, 4, node, vectors);
    noise_warp_dot(other, window, 2, node, u, v, vectors);
    noise_warp_raise(other, window, 5, node, vectors);
    for (int k = 0; k < 4; k++) {
        row[k] = row[k] + noise_fade(u[k]) * other[k];
    }
}

/* Adds the noise at places whose points are permuted from `vectors` vectors of each row's. */
TERRAIN__INLINE void noise_warp_permute(float *sums, const struct noise_warp_window *window,
                                        const struct noise_warp_places *places, uint32_t height,
                                        int vectors, uint32_t basis)
{
    for (uint32_t i = 0; i < height * NOISE_WARP_STRIP; i += 2 * VEC_LANES) {
        float *to = sums + i / NOISE_WARP_STRIP * NOISE_WARP_WIDTH + i % NOISE_WARP_STRIP;
        vuint node[4];
        vfloat u[4], v[4], row[4];
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t from = i + k * VEC_LANES;
            v[k] = vf_load(places->v + from);
            v[k + 2] = v[k] - vf_set(1);
            u[k] = vf_load(places->u[0] + from);
            u[k + 2] = vf_load(places->u[1] + from);
            node[k] = vu_from_bits(vi_load(places->at[0] + from));
            node[k + 2] = vu_from_bits(vi_load(places->at[1] + from));
        }
        noise_warp_rows(row, window, node, u, v, vectors, basis);
        for (uint32_t k = 0; k < 2; k++) {
            vfloat value = basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX
                               ? row[k] + row[k + 2]
                               : row[k] + noise_fade(v[k]) * (row[k + 2] - row[k]);
            noise_warp_add(to + k * VEC_LANES, value);
        }
    }
}

/* Cells that all lie between the same two lattice rows and near points of one vector. */
TERRAIN__INLINE void noise_warp_in_line(const struct noise_warp_run *run,
                                        const struct noise_warp_block *block, uint32_t basis)
{
    const struct noise_warp_layout layout = {block->column, 0, 1};
    const float *planes = noise_warp_planes(run, (uint32_t)block->row, (uint32_t)block->column);
    const struct noise_warp_window window = {{planes, planes + run->columns}, NOISE_WARP_PLANE};
    struct noise_warp_places *places = &run->piece->work->places;
    const uint32_t end = block->y + block->height;
    for (uint32_t y = block->y, height; y < end; y += height) {
        height = end - y < NOISE_WARP_TOGETHER ? end - y : NOISE_WARP_TOGETHER;
        noise_warp_find_places(places, run, block, y, height, layout, -1);
        noise_warp_permute(run->sums + (size_t)y * NOISE_WARP_WIDTH + block->x, &window, places,
                           height, 1, basis);
    }
}

/* Copies the planes of a block's points next to each other, `width` of each lattice row, as far as
 * the table goes. */
static void noise_warp_open_window(const struct noise_warp_run *run,
                                   const struct noise_warp_block *block, uint32_t width)
{
    struct noise_warp_workspace *work = run->piece->work;
    for (uint32_t row = 0; row <= (uint32_t)block->rows; row++) {
        const float *planes =
            noise_warp_planes(run, (uint32_t)block->row + row, (uint32_t)block->column);
        for (uint32_t part = 0; part < NOISE_WARP_PARTS; part++) {
            const float *from = planes + (size_t)part * NOISE_WARP_PLANE;
            float *to = work->window[part] + row * width;
            if (width == VEC_LANES) {
                vf_store(to, vf_load(from));
            } else {
                memcpy(to, from, 8 * sizeof *to);
            }
        }
    }
}

/* Cells near so few points that these fit into a few vectors, `width` of each lattice row. */
TERRAIN__INLINE void noise_warp_in_window(const struct noise_warp_run *run,
                                          const struct noise_warp_block *block, int32_t width,
                                          int vectors, uint32_t basis)
{
    const struct noise_warp_layout layout = {block->column, width, 1};
    const float *planes = run->piece->work->window[0];
    const struct noise_warp_window window = {{planes, planes}, 4 * NOISE_LANES};
    struct noise_warp_places *places = &run->piece->work->places;
    const uint32_t end = block->y + block->height;
    noise_warp_open_window(run, block, (uint32_t)width);
    for (uint32_t y = block->y, height; y < end; y += height) {
        height = end - y < NOISE_WARP_TOGETHER ? end - y : NOISE_WARP_TOGETHER;
        noise_warp_find_places(places, run, block, y, height, layout, 1);
        noise_warp_permute(run->sums + (size_t)y * NOISE_WARP_WIDTH + block->x, &window, places,
                           height, vectors, basis);
    }
}

TERRAIN__INLINE void noise_warp_add_near(const struct noise_warp_run *run,
                                         struct noise_warp_block *block, uint32_t basis)
{
    if (VEC_LANES < 16) {
        noise_warp_make_near(block, run, 1, VEC_LANES);
        noise_warp_in_line(run, block, basis);
    } else if (noise_warp_make_near(block, run, 1, 16)) {
        noise_warp_in_line(run, block, basis);
    } else if (noise_warp_make_near(block, run, 3, 8)) {
        noise_warp_in_window(run, block, 8, 2, basis);
    } else {
        const int32_t width = noise_warp_make_near(block, run, 3, 16) ? 16 : 8;
        if (width == 8) {
            noise_warp_make_near(block, run, 7, 8);
        }
        noise_warp_in_window(run, block, width, 4, basis);
    }
}

#endif
