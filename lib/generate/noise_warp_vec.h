/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the kernels of warped noise share: a piece of a tile, an octave of it, and the noise of a
 * vector of cells from the numbers of their lattice points. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_VEC_H

#include <stdbool.h>

#include "generate/noise_warp_kernels.h"

#include "generate/noise_lattice_vec.h"

/* Part of a tile, in whole strips: the cells by which the last strips hang over are not written. */
struct noise_warp_piece {
    struct noise_warp_workspace *work;
    int64_t x, y;
    uint32_t width, height;
};

/* An octave of a piece, and the table of the lattice points around it. */
struct noise_warp_run {
    const struct noise_plan *plan;
    const struct noise_octave *octave;
    const struct noise_warp_piece *piece;
    float *sums;                     /* to which the octave's noise is added */
    float step_x, step_y;            /* lattice cells a cell */
    int64_t first_column, first_row; /* of the table, on the lattice */
    int32_t column, row;    /* the same, from the lattice cell of the piece's first cell on */
    uint32_t columns, rows; /* of the table */
    bool fits;              /* there is a table */
    bool is_plain;          /* points can be hashed lane for lane */
    bool is_crowded;        /* each cell's points are hashed; there is no table */
    bool has_planes;        /* of it, since there are strips that need them */
    bool has_records;       /* of it, since there are others */
};

/* Where a vector of cells lies by a lattice row. */
struct noise_warp_place {
    vfloat u;
    vint column;
};

/* The six numbers of a lattice point and the point to its right: h0, b, g0, and d, or g1 with
 * SIMPLEX. */
struct noise_warp_parts {
    vfloat value, change, x, y, other_x, other_y;
};

/* Strips of cells, from column x and row y of the piece on, that are treated alike. */
struct noise_warp_block {
    uint32_t x, y, height;
    int32_t row, rows; /* of the table, above the cells */
    int32_t column;    /* lattice column to the left of the first cell */
    /* By the lattice rows above and below, if all cells lie within one lattice cell. */
    int32_t columns[2];
};

/* ---- Places ---------------------------------------------------------------------------------- */

static float noise_warp_shift(const struct noise_warp_run *run, int64_t row)
{
    int64_t number = noise_wrap(&run->octave->y, row);
    return terrain__unit_float((uint32_t)(noise_row_origin(run->plan, run->octave, number) >> 32));
}

/* The numbers of lattice row `row` of the table, from a column on. */
static inline const float *noise_warp_planes(const struct noise_warp_run *run, uint32_t row,
                                             uint32_t column)
{
    return run->piece->work->planes[0] + (size_t)row * run->columns + column;
}

static inline float noise_warp_floor(float v)
{
    float whole = (float)(int32_t)v;
    return whole - (v < whole ? 1.0f : 0.0f);
}

/* `at`: the columns' place in lattice cells from `columns` on. */
static inline struct noise_warp_place noise_warp_locate(vfloat at, vint columns, vfloat shift)
{
    vfloat sum = at + shift, whole = vf_floor_loose(sum);
    struct noise_warp_place place = {sum - whole, columns + vi_from_float(whole)};
    return place;
}

/* How the points of a block are kept: the first column's, and how far rows and columns are
 * apart. */
struct noise_warp_layout {
    int32_t column, row_step, column_step;
};

/* table[rows], number by number. */
static vfloat noise_warp_pick_each(const float *table, vint rows)
{
    int32_t lanes[VEC_LANES];
    float values[VEC_LANES];
    vi_store(lanes, rows);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        values[i] = table[lanes[i]];
    }
    return vf_load(values);
}

/* table[rows], of a table of `vectors` vectors; 0: longer ones. */
TERRAIN__INLINE vfloat noise_warp_pick(const float *table, vint rows, int vectors)
{
    return vectors == 0 ? noise_warp_pick_each(table, rows)
                        : vf_lookup_of(table, vu_from_bits(rows), vectors);
}

/* Places of `height` strips of the block from row y on. `vectors` hold the shifts of the block's
 * lattice rows, of one more as well; 0: they may be more. */
TERRAIN__INLINE void noise_warp_find_places(struct noise_warp_places *places,
                                            const struct noise_warp_run *run,
                                            const struct noise_warp_block *block, uint32_t y,
                                            uint32_t height, struct noise_warp_layout layout,
                                            int vectors)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const float *shifts = work->shifts + block->row;
    const vfloat step_x = vf_set(run->step_x), step_y = vf_set(run->step_y);
    const vint column_step = vi_set(layout.column_step), row_step = vi_set(layout.row_step);
    for (uint32_t x = 0; x < NOISE_WARP_STRIP; x += VEC_LANES) {
        const vfloat across = vf_load(work->across + block->x + x);
        const vint columns =
            vi_load(work->columns + block->x + x) - vi_set(run->column + layout.column);
        for (uint32_t i = 0; i < height; i++) {
            const size_t from = (size_t)(y + i) * NOISE_WARP_STRIDE + block->x + x;
            const uint32_t to = i * NOISE_WARP_STRIP + x;
            vfloat place = across + vf_load(work->east + from) * step_x;
            vfloat down = vf_set(work->down[y + i]) + vf_load(work->south + from) * step_y;
            vfloat whole = vf_floor_loose(down);
            vint row = vi_from_float(whole) + vi_set(work->rows[y + i] - run->row - block->row);
            vint line = row * row_step;
            vf_store(places->v + to, down - whole);
            for (int k = 0; k < 2; k++) {
                vfloat shift = noise_warp_pick(shifts + k, row, vectors);
                struct noise_warp_place at = noise_warp_locate(place, columns, shift);
                vf_store(places->u[k] + to, at.u);
                vi_store(places->at[k] + to,
                         line + vi_set(k * layout.row_step) + at.column * column_step);
            }
        }
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

TERRAIN__INLINE struct noise_warp_parts noise_warp_parts_of(struct noise_node left,
                                                            struct noise_node right, uint32_t basis)
{
    const bool discs = basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX;
    struct noise_warp_parts parts;
    parts.x = left.x;
    parts.y = left.y;
    parts.value = left.value;
    parts.change = (right.value - left.value) - right.x;
    parts.other_x = discs ? right.x : right.x - left.x;
    parts.other_y = discs ? right.y : right.y - left.y;
    return parts;
}

TERRAIN__INLINE vfloat noise_warp_row(const struct noise_warp_parts *parts, vfloat u, vfloat v)
{
    vfloat here = parts->value + (parts->x * u + parts->y * v);
    vfloat change = parts->change + (parts->other_x * u + parts->other_y * v);
    return here + noise_fade(u) * change;
}

/* How much a point counts at a cell that is (u, v) away from it. */
static inline vfloat noise_warp_reach(vfloat u, vfloat v)
{
    vfloat t = vf_max((vf_set(1) - u * u) - v * v, vf_set(0));
    vfloat t2 = t * t;
    return t2 * t2;
}

static inline vfloat noise_warp_disc(vfloat u, vfloat v, vfloat x, vfloat y)
{
    return noise_warp_reach(u, v) * (x * u + v * y);
}

TERRAIN__INLINE vfloat noise_warp_discs(const struct noise_warp_parts *parts, vfloat between,
                                        vfloat v)
{
    vfloat u = between * vf_set(NOISE_EDGE);
    return noise_warp_disc(u, v, parts->x, parts->y) +
           noise_warp_disc(u - vf_set(NOISE_EDGE), v, parts->other_x, parts->other_y);
}

static inline vfloat noise_warp_blend(vfloat above, vfloat below, vfloat v)
{
    return above + noise_fade(v) * (below - above);
}

/* The noise, from the places by lattice rows 0 and 1. */
TERRAIN__INLINE vfloat noise_warp_value(const struct noise_warp_parts parts[2], vfloat u0,
                                        vfloat u1, vfloat v, uint32_t basis)
{
    const vfloat w = v - vf_set(1);
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        return noise_warp_discs(&parts[0], u0, v) + noise_warp_discs(&parts[1], u1, w);
    }
    return noise_warp_blend(noise_warp_row(&parts[0], u0, v), noise_warp_row(&parts[1], u1, w), v);
}

/* Adds the octave's noise for a vector of cells. */
static inline void noise_warp_add(float *to, vfloat value)
{
    vf_store(to, vf_load(to) + value);
}

#endif
