/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the kernels of warped noise share: the piece of the map that they compute, one octave of it,
 * and the noise of a vector of cells from the numbers of their lattice points. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_VEC_H

#include <stdbool.h>

#include "generate/noise_warp_kernels.h"

#include "generate/noise_lattice_vec.h"

/* A patch rounded up to whole squares. Cells beyond the patch are computed but not written. */
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
    struct noise_warp_workspace *work;
    float *sums;                     /* get the octave's noise added */
    float step_x, step_y;            /* lattice cells a cell */
    int64_t first_column, first_row; /* of the table, on the lattice */
    int32_t column, row;    /* the same, relative to the lattice cell of the piece's first cell */
    uint32_t columns, rows; /* of the table */
    bool fits;              /* the table fits its space */
    bool is_plain;          /* points can be hashed in vectors: see noise_warp_is_plain */
    bool has_planes;        /* some squares read the table's planes */
    bool has_records;       /* NOISE_WARP_APART read the table's records, and hash nothing */
};

/* The lattice columns in which NOISE_WARP_LINE and NOISE_WARP_PAIR look up points: a vector, but
 * with AVX2 half of one, since a lookup among eight floats takes as long as two among four. Nearly
 * all squares that have their points in eight columns have them in four. */
enum { NOISE_WARP_COLUMNS = VEC_LANES == 8 ? 4 : VEC_LANES };

/* The lattice rows in which a NOISE_WARP_BLOCK and a NOISE_WARP_FIELD look up points. */
enum { NOISE_WARP_BLOCK_ROWS = 4, NOISE_WARP_FIELD_ROWS = 8 };

/* Where a vector of cells lies along a lattice row: lattice cell and fraction. */
struct noise_warp_place {
    vfloat u;
    vint column;
};

/* The six numbers of a lattice point and its right neighbour: h0, b, g0, and d, or g1 for
 * SIMPLEX. */
struct noise_warp_parts {
    vfloat value, change, x, y, other_x, other_y;
};

/* ---- Places ---------------------------------------------------------------------------------- */

/* Where the world's column 0 lies in a lattice row, in [0, 1). */
static float noise_warp_shift(const struct noise_warp_run *run, int64_t row)
{
    int64_t number = noise_wrap(&run->octave->y, row);
    return terrain__unit_float((uint32_t)(noise_row_origin(run->plan, run->octave, number) >> 32));
}

static inline float noise_warp_floor(float v)
{
    float whole = (float)(int32_t)v;
    return whole - (v < whole ? 1.0f : 0.0f);
}

/* The square of the piece whose first cell is (x, y). */
static inline uint32_t noise_warp_square_of(uint32_t x, uint32_t y)
{
    return y / NOISE_WARP_SIDE * NOISE_WARP_ACROSS + x / NOISE_WARP_SIDE;
}

static inline uint32_t noise_warp_listed(const float *list, uint32_t i)
{
    uint32_t square;
    memcpy(&square, list + i, sizeof square);
    return square;
}

/* Where a vector of cells of a square lies, from cell `lane` on. `columns` and `rows` are lattice
 * cells before the cells are moved, counted from that of the piece's first cell; `across` and
 * `down` are the fractions, plus the displacement. */
struct noise_warp_cells {
    vfloat across, down, columns, rows;
};

TERRAIN__INLINE struct noise_warp_cells noise_warp_cells_at(const struct noise_warp_run *run,
                                                            uint32_t square, uint32_t lane)
{
    const struct noise_warp_workspace *work = run->work;
    const size_t at = (size_t)square * NOISE_WARP_SQUARE + lane;
    const uint32_t x = square % NOISE_WARP_ACROSS * NOISE_WARP_SQUARE + lane;
    const uint32_t y = square / NOISE_WARP_ACROSS * NOISE_WARP_SQUARE + lane;
    struct noise_warp_cells cells;
    cells.across =
        vf_load(work->square_across + x) + vf_load(work->east + at) * vf_set(run->step_x);
    cells.down = vf_load(work->square_down + y) + vf_load(work->south + at) * vf_set(run->step_y);
    cells.columns = vf_load(work->square_columns + x);
    cells.rows = vf_load(work->square_rows + y);
    return cells;
}

/* The place of cells that lie `at` lattice cells to the right of `columns`, in a lattice row in
 * which the world's column 0 lies at `shift`. */
static inline struct noise_warp_place noise_warp_locate(vfloat at, vfloat columns, vfloat shift)
{
    vfloat sum = at + shift, whole = vf_floor_loose(sum);
    struct noise_warp_place place = {sum - whole, vi_from_float(columns + whole)};
    return place;
}

/* table[rows], lane by lane. */
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

/* table[rows], in a table of `vectors` vectors; 0: of any length. */
TERRAIN__INLINE vfloat noise_warp_pick(const float *table, vint rows, int vectors)
{
    return vectors == 0 ? noise_warp_pick_each(table, rows)
                        : vf_lookup_of(table, vu_from_bits(rows), vectors);
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

/* A point's weight at a cell that is (u, v) away from it. */
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

/* The noise, from the numbers of the points in lattice rows 0 and 1, and the places along these. */
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
