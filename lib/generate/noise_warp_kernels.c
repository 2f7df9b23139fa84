/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Lattice noise at places that form no grid: each cell is moved by a displacement of its own.
 *
 * What is computed (tests/oracle/noise.c, in plain C):
 *
 *     for each octave, for each cell (x, y):
 *         (px, py) = (x + east[x, y], y + south[x, y]) * frequency
 *         sum += amplitude * n(px, py)
 *
 * With (u, v) the place of a cell right of lattice point 0 and below its lattice row, that row's
 * share is
 *
 *     row(u, v) = (h0 + g0.x u + g0.y v) + s(u) (b + d.x u + d.y v),  b = h1 - h0 - g1.x,
 *                                                                     d = g1 - g0
 *
 * and n = row0(u0, v) + s(v) (row1(u1, v - 1) - row0(u0, v)). Six numbers are kept for each
 * lattice point: h0, b, g0 and d.
 *
 * The way through the map: pieces of 64 cells by the height of a tile, octave by octave.
 *
 *     a piece of cells, 32 of a row        the table: the lattice points among which the piece's
 *     make a strip                         moved cells lie, each hashed once
 *     +----------------+-------------+         o     o     o     o     o
 *     | strip          | strip       |             . . .   .  .              . : a strip's cells
 *     +----------------+-------------+         o     o  .  o .   o     o         where they went
 *     | strip          | strip       |
 *
 * How a strip finds its points: all of its cells within one lattice cell, as most strips lie in
 * long waves: one point in each lattice row, for all. All near few points, of some lattice rows by
 * some columns: vectors of points, permuted. Any other strip: a record of its points is gathered
 * for each cell. Where the table would have more points than there are cells, or they don't fit
 * into it, each cell's four points are hashed instead: lane for lane, from two words of each
 * lattice row; one by one where a torus begins again between them, or the columns' high word
 * changes, as it does at column 0.
 *
 * Noise is added to the sums, or to a map of its own where the octave's term is another function of
 * it: noise_warp_fold then makes the terms. */

#include <math.h>
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

/* ---- The table ------------------------------------------------------------------------------- */

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

static inline struct noise_node noise_warp_node_at(const struct noise_nodes *nodes, uint32_t at)
{
    return (struct noise_node){vf_load(nodes->gradient_x + at), vf_load(nodes->gradient_y + at),
                               vf_load(nodes->value + at)};
}

static inline void noise_warp_store_planes(float *planes, size_t stride,
                                           const struct noise_warp_parts *parts)
{
    vf_store(planes, parts->x);
    vf_store(planes + stride, parts->y);
    vf_store(planes + 2 * stride, parts->other_x);
    vf_store(planes + 3 * stride, parts->other_y);
    vf_store(planes + 4 * stride, parts->value);
    vf_store(planes + 5 * stride, parts->change);
}

static inline void noise_warp_store_records(float *records, const struct noise_warp_parts *parts)
{
    const vfloat gradients[4] = {parts->x, parts->y, parts->other_x, parts->other_y};
    const vfloat values[4] = {parts->value, parts->change, parts->value, parts->change};
    vf_store_quads(records, NOISE_WARP_RECORD, gradients);
    vf_store_quads(records + 4, NOISE_WARP_RECORD, values);
}

static float noise_warp_shift(const struct noise_warp_run *run, int64_t row)
{
    int64_t number = noise_wrap(&run->octave->y, row);
    return terrain__unit_float((uint32_t)(noise_row_origin(run->plan, run->octave, number) >> 32));
}

/* The numbers of lattice row `row` of the table, from a column on. */
static inline float *noise_warp_planes(const struct noise_warp_run *run, uint32_t row,
                                       uint32_t column)
{
    return run->piece->work->planes + (size_t)row * run->columns * NOISE_WARP_PARTS + column;
}

static void noise_warp_fill_row(const struct noise_warp_run *run, uint32_t row)
{
    enum { STEP = NOISE_TILE_WIDTH / 2 };
    struct noise_warp_workspace *work = run->piece->work;
    float *records = work->records + (size_t)row * run->columns * NOISE_WARP_RECORD;
    for (uint32_t i = 0; i < run->columns; i += STEP) {
        uint32_t left = run->columns - i;
        uint32_t count = left < STEP ? left : STEP;
        noise_hash_nodes(&work->nodes, run->octave, work->hashes[row], run->first_column + i,
                         count + 1);
        for (uint32_t k = 0; k < count; k += VEC_LANES) {
            const struct noise_warp_parts parts =
                noise_warp_parts_of(noise_warp_node_at(&work->nodes, k),
                                    noise_warp_node_at(&work->nodes, k + 1), run->plan->basis);
            if (run->has_planes) {
                noise_warp_store_planes(noise_warp_planes(run, row, i + k), run->columns, &parts);
            }
            if (run->has_records) {
                noise_warp_store_records(records + (i + k) * NOISE_WARP_RECORD, &parts);
            }
        }
    }
}

/* Whether all points are hashed from their lattice row's two words and the low word of their
 * column, which a vector of rows can look up. Vectors of fewer lanes look up a number at a time
 * anyway. */
static bool noise_warp_is_plain(const struct noise_warp_run *run)
{
    const struct noise_axis *x = &run->octave->x;
    return VEC_LANES >= 8 && run->rows <= NOISE_WARP_HASHES &&
           noise_node_run(x, noise_wrap(x, run->first_column), run->columns + 1) > run->columns;
}

/* Whether to hash each cell's points. */
static bool noise_warp_is_crowded(const struct noise_warp_run *run)
{
    const uint64_t cells = (uint64_t)run->piece->width * run->piece->height;
    return !run->fits ||
           (run->is_plain && (uint64_t)run->rows * run->columns > NOISE_WARP_CROWD * cells);
}

static struct noise_warp_line noise_warp_line_at(const struct noise_warp_run *run, int64_t row)
{
    const struct noise_octave *octave = run->octave;
    const int64_t column = noise_wrap(&octave->x, run->first_column);
    const uint64_t hash = terrain__random_row(octave->stream, noise_wrap(&octave->y, row));
    return (struct noise_warp_line){
        {terrain__random_column(hash, column),
         run->is_plain ? 0 : terrain__random_column(hash, column + (INT64_C(1) << 32))},
        noise_warp_shift(run, row)};
}

/* What the points of lattice row `row` of the table are hashed from. */
static void noise_warp_hash_row(const struct noise_warp_run *run, uint32_t row)
{
    struct noise_warp_workspace *work = run->piece->work;
    const struct noise_warp_line line = noise_warp_line_at(run, run->first_row + row);
    const uint32_t low = (uint32_t)line.columns[0], high = (uint32_t)(line.columns[0] >> 32);
    if (run->is_plain) {
        memcpy(work->lows + row, &low, sizeof low);
        memcpy(work->highs + row, &high, sizeof high);
        work->shifts[row] = line.shift;
    } else {
        work->lines[row] = line;
    }
}

static inline float noise_warp_floor(float v)
{
    float whole = (float)(int32_t)v;
    return whole - (v < whole ? 1.0f : 0.0f);
}

/* Lattice rows and columns of strips, lane for lane, counted as in struct noise_warp_strips;
 * whether all are near few points, and whether any is: 0 or -1. */
struct noise_warp_extent {
    vint first_row, last_row, first_column, last_column, near, any;
};

/* Whether strips with one more than so many lattice rows and columns have few enough points to be
 * permuted: of three lattice rows by sixteen columns, or of seven by eight; of one row by as many
 * columns as a shorter vector has. */
static inline vint noise_warp_near_of(vint rows, vint columns)
{
    const vint no = vi_set(0), yes = vi_set(-1);
    const int32_t most_rows = VEC_LANES == 16 ? 3 : 1;
    vmask few = vm_and(vi_less(rows, vi_set(most_rows)), vi_less(columns, vi_set(VEC_LANES)));
    vmask square = vm_and(vi_less(rows, vi_set(7)), vi_less(columns, vi_set(8)));
    if (VEC_LANES < 8) {
        return no;
    }
    return VEC_LANES == 16 ? vi_select(square, yes, vi_select(few, yes, no))
                           : vi_select(few, yes, no);
}

/* Finds what the cells of strips have in common. The rows are exact, since what is rounded keeps
 * its order; the columns have a margin. */
static void noise_warp_find_strips(const struct noise_warp_run *run, struct noise_warp_extent *all,
                                   uint32_t x)
{
    struct noise_warp_workspace *work = run->piece->work;
    struct noise_warp_strips *strips = &work->strips;
    uint32_t k = x / NOISE_WARP_STRIP, end = x + NOISE_WARP_STRIP - 1;
    const float *norths = work->ranges.least_south[k], *souths = work->ranges.most_south[k];
    const float *wests = work->ranges.least_east[k], *easts = work->ranges.most_east[k];
    vfloat step_x = vf_set(run->step_x), step_y = vf_set(run->step_y);
    vfloat begin = vf_set((float)work->columns[x] + work->across[x] - 0.01f);
    vfloat last = vf_set((float)work->columns[end] + work->across[end] + 0.01f);
    for (uint32_t y = 0; y < run->piece->height; y += VEC_LANES) {
        vfloat down = vf_load(work->down + y);
        vint row = vi_load(work->rows + y);
        vfloat low = vf_floor_loose(down + vf_load(norths + y) * step_y);
        vfloat high = vf_floor_loose(down + vf_load(souths + y) * step_y);
        vfloat west = begin + vf_load(wests + y) * step_x;
        vfloat east = last + vf_load(easts + y) * step_x;
        vint first_row = vi_from_float(low) + row, last_row = vi_from_float(high) + row;
        vint first_column = vi_from_float(vf_floor_loose(west));
        vint last_column = vi_from_float(vf_floor_loose(east + vf_set(1)));
        vint near = noise_warp_near_of(last_row - first_row, last_column - first_column);
        vf_store(strips->whole[k] + y, low);
        vf_store(strips->west[k] + y, west);
        vf_store(strips->east[k] + y, east);
        vi_store(strips->first_row[k] + y, first_row);
        vi_store(strips->last_row[k] + y, last_row);
        vi_store(strips->first_column[k] + y, first_column);
        vi_store(strips->last_column[k] + y, last_column);
        vi_store(strips->near[k] + y, near);
        all->first_row = vi_min(all->first_row, first_row);
        all->last_row = vi_max(all->last_row, last_row);
        all->first_column = vi_min(all->first_column, first_column);
        all->last_column = vi_max(all->last_column, last_column);
        all->near = vi_max(all->near, near);
        all->any = vi_min(all->any, near);
    }
}

/* Whether it is worth looking if strips lie within one lattice cell. */
static bool noise_warp_is_coarse(const struct noise_warp_run *run)
{
    return run->step_x * NOISE_WARP_STRIP < 0.5f;
}

/* The table of the lattice points that the piece needs. */
static void noise_warp_bound(struct noise_warp_run *run)
{
    const vint most = vi_set(INT32_MAX);
    struct noise_warp_extent all = {most, -most, most, -most, vi_set(-1), vi_set(0)};
    for (uint32_t x = 0; x < run->piece->width; x += NOISE_WARP_STRIP) {
        noise_warp_find_strips(run, &all, x);
    }
    run->row = vi_least(all.first_row);
    run->rows = (uint32_t)(vi_most(all.last_row) - run->row) + 2;
    run->column = vi_least(all.first_column);
    run->columns =
        ((uint32_t)(vi_most(all.last_column) - run->column) + VEC_LANES) / VEC_LANES * VEC_LANES;
    run->fits = run->rows <= NOISE_WARP_ROWS && run->columns <= NOISE_WARP_NODES &&
                run->rows * run->columns <= NOISE_WARP_NODES;
    run->has_planes = vi_least(all.any) != 0 || noise_warp_is_coarse(run);
    run->has_records = vi_most(all.near) == 0;
}

/* Where a torus begins again shortly before the last place, the end of its vector is not
 * written. */
static void noise_warp_complete(int32_t *nodes, float *between, uint32_t count)
{
    for (uint32_t i = count; i % VEC_LANES != 0; i++) {
        nodes[i] = nodes[count - 1];
        between[i] = between[count - 1];
    }
}

static struct noise_warp_run noise_warp_begin(const struct noise_plan *plan,
                                              const struct noise_warp_piece *piece, uint32_t index)
{
    struct noise_warp_workspace *work = piece->work;
    const struct noise_octave *octave = &plan->octaves[index];
    struct noise_warp_run run = {.plan = plan, .octave = octave, .piece = piece};
    run.sums = plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_FBM ? work->sums : work->values;
    int64_t column =
        noise_find_places(work->columns, work->across, &octave->x, 0, piece->x, piece->width);
    int64_t row = noise_find_places(work->rows, work->down, &octave->y, octave->y.origin, piece->y,
                                    piece->height);
    noise_warp_complete(work->columns, work->across, piece->width);
    noise_warp_complete(work->rows, work->down, piece->height);
    run.step_x = (float)((double)octave->x.step * 0x1p-64);
    run.step_y = (float)((double)octave->y.step * 0x1p-64);
    noise_warp_bound(&run);
    run.first_column = column + run.column;
    run.first_row = row + run.row;
    run.is_plain = noise_warp_is_plain(&run);
    run.is_crowded = noise_warp_is_crowded(&run);
    for (uint32_t i = 0; i < run.rows && i < NOISE_WARP_LINES && run.is_crowded; i++) {
        noise_warp_hash_row(&run, i);
    }
    /* In a loop of its own: each hash is a long chain, of which several go on at a time. */
    for (uint32_t i = 0; i < run.rows && !run.is_crowded; i++) {
        const int64_t number = noise_wrap(&octave->y, run.first_row + i);
        work->hashes[i] = terrain__random_row(octave->stream, number);
        work->shifts[i] = noise_warp_shift(&run, run.first_row + i);
    }
    for (uint32_t i = 0; i < run.rows && !run.is_crowded; i++) {
        noise_warp_fill_row(&run, i);
    }
    return run;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* `at`: the columns' place in lattice cells from `columns` on. */
static inline struct noise_warp_place noise_warp_locate(vfloat at, vint columns, vfloat shift)
{
    vfloat sum = at + shift, whole = vf_floor_loose(sum);
    struct noise_warp_place place = {sum - whole, columns + vi_from_float(whole)};
    return place;
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

/* The noise, from the places by lattice rows 0 and 1. */
TERRAIN__INLINE vfloat noise_warp_value(const struct noise_warp_parts parts[2], vfloat u0,
                                        vfloat u1, vfloat v, uint32_t basis)
{
    vfloat above, below;
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        return noise_warp_discs(&parts[0], u0, v) + noise_warp_discs(&parts[1], u1, v - vf_set(1));
    }
    above = noise_warp_row(&parts[0], u0, v);
    below = noise_warp_row(&parts[1], u1, v - vf_set(1));
    return above + noise_fade(v) * (below - above);
}

/* Strips of cells, from column x and row y of the piece on, that are treated alike. */
struct noise_warp_block {
    uint32_t x, y, height;
    int32_t row, rows; /* of the table, above the cells */
    int32_t column;    /* lattice column to the left of the first cell */
    int32_t
        columns[2]; /* by the lattice rows above and below, if cells lie within one lattice cell */
};

static inline struct noise_warp_parts noise_warp_look_up(const float *planes, size_t stride,
                                                         vuint index)
{
    struct noise_warp_parts parts;
    parts.x = vf_lookup(planes, index);
    parts.y = vf_lookup(planes + stride, index);
    parts.other_x = vf_lookup(planes + 2 * stride, index);
    parts.other_y = vf_lookup(planes + 3 * stride, index);
    parts.value = vf_lookup(planes + 4 * stride, index);
    parts.change = vf_lookup(planes + 5 * stride, index);
    return parts;
}

/* Adds the octave's noise for a vector of cells. */
static inline void noise_warp_add(float *to, vfloat value)
{
    vf_store(to, vf_load(to) + value);
}

/* One point, for all cells. */
static inline struct noise_warp_parts noise_warp_repeat(const float *planes, size_t stride)
{
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
        noise_warp_repeat(noise_warp_planes(run, row, (uint32_t)points[0]), run->columns),
        noise_warp_repeat(noise_warp_planes(run, row + 1, (uint32_t)points[1]), run->columns)};
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

/* Cells that all lie between the same two lattice rows and near points of one vector. */
TERRAIN__INLINE void noise_warp_in_line(const struct noise_warp_run *run,
                                        const struct noise_warp_block *block, uint32_t basis)
{
    const struct noise_warp_workspace *work = run->piece->work;
    size_t stride = run->columns;
    const float *upper = noise_warp_planes(run, (uint32_t)block->row, (uint32_t)block->column);
    const float *lower = upper + stride * NOISE_WARP_PARTS;
    const float *wholes = work->strips.whole[block->x / NOISE_WARP_STRIP];
    const float *easts = work->east, *souths = work->south;
    float *sums = run->sums;
    float shift0 = work->shifts[block->row], shift1 = work->shifts[block->row + 1];
    for (uint32_t x = block->x; x < block->x + NOISE_WARP_STRIP; x += VEC_LANES) {
        vfloat across = vf_load(work->across + x);
        vint columns = vi_load(work->columns + x) - vi_set(block->column + run->column);
        for (uint32_t y = block->y; y < block->y + block->height; y++) {
            size_t at = (size_t)y * NOISE_WARP_STRIDE + x;
            vfloat east = vf_load(easts + at) * vf_set(run->step_x);
            vfloat south = vf_load(souths + at) * vf_set(run->step_y);
            vfloat v = (vf_set(work->down[y]) + south) - vf_set(wholes[y]);
            struct noise_warp_place above =
                noise_warp_locate(across + east, columns, vf_set(shift0));
            struct noise_warp_place below =
                noise_warp_locate(across + east, columns, vf_set(shift1));
            struct noise_warp_parts parts[2];
            parts[0] = noise_warp_look_up(upper, stride, vu_from_bits(above.column));
            parts[1] = noise_warp_look_up(lower, stride, vu_from_bits(below.column));
            noise_warp_add(sums + (size_t)y * NOISE_WARP_WIDTH + x,
                           noise_warp_value(parts, above.u, below.u, v, basis));
        }
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
            const float *from = planes + part * run->columns;
            float *to = work->window[part] + row * width;
            if (width == VEC_LANES) {
                vf_store(to, vf_load(from));
            } else {
                memcpy(to, from, 8 * sizeof *to);
            }
        }
    }
}

/* Four vectors' scalar products with the gradients in two planes. */
TERRAIN__INLINE void noise_warp_dot(vfloat dot[4], const float (*window)[4 * NOISE_LANES],
                                    const vuint node[4], const vfloat u[4], const vfloat v[4],
                                    int vectors)
{
    for (int k = 0; k < 4; k++) {
        dot[k] = vf_lookup_of(window[0], node[k], vectors) * u[k];
    }
    for (int k = 0; k < 4; k++) {
        dot[k] = dot[k] + vf_lookup_of(window[1], node[k], vectors) * v[k];
    }
}

/* Adds what a plane holds to four vectors. */
TERRAIN__INLINE void noise_warp_raise(vfloat sum[4], const float *window, const vuint node[4],
                                      int vectors)
{
    for (int k = 0; k < 4; k++) {
        sum[k] = vf_lookup_of(window, node[k], vectors) + sum[k];
    }
}

/* Shares of lattice rows in four vectors of cells, plane by plane. */
TERRAIN__INLINE void noise_warp_rows(vfloat row[4], const float (*window)[4 * NOISE_LANES],
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
        noise_warp_dot(row, window, node, left, v, vectors);
        noise_warp_dot(other, window + 2, node, right, v, vectors);
        for (int k = 0; k < 4; k++) {
            row[k] = noise_warp_reach(left[k], v[k]) * row[k] +
                     noise_warp_reach(right[k], v[k]) * other[k];
        }
        return;
    }
    noise_warp_dot(row, window, node, u, v, vectors);
    noise_warp_raise(row, window[4], node, vectors);
    noise_warp_dot(other, window + 2, node, u, v, vectors);
    noise_warp_raise(other, window[5], node, vectors);
    for (int k = 0; k < 4; k++) {
        row[k] = row[k] + noise_fade(u[k]) * other[k];
    }
}

/* Cells near so few points that these fit into a few vectors, `width` of each lattice row. */
TERRAIN__INLINE void noise_warp_in_window(const struct noise_warp_run *run,
                                          const struct noise_warp_block *block, int32_t width,
                                          int vectors, uint32_t basis)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const float(*window)[4 * NOISE_LANES] = work->window;
    const float *shifts = work->shifts + block->row;
    float *sums = run->sums;
    noise_warp_open_window(run, block, (uint32_t)width);
    for (uint32_t y = block->y; y < block->y + block->height; y++) {
        const size_t from = (size_t)y * NOISE_WARP_STRIDE + block->x;
        const vint first = vi_set(work->rows[y] - run->row - block->row);
        float *to = sums + (size_t)y * NOISE_WARP_WIDTH + block->x;
        for (uint32_t i = 0; i < NOISE_WARP_STRIP; i += 2 * VEC_LANES) {
            vuint node[4];
            vfloat u[4], v[4], row[4];
            for (uint32_t k = 0; k < 2; k++) {
                const uint32_t x = i + k * VEC_LANES;
                vfloat across = vf_load(work->across + block->x + x) +
                                vf_load(work->east + from + x) * vf_set(run->step_x);
                vfloat down =
                    vf_set(work->down[y]) + vf_load(work->south + from + x) * vf_set(run->step_y);
                vint columns =
                    vi_load(work->columns + block->x + x) - vi_set(run->column + block->column);
                vfloat whole = vf_floor_loose(down);
                vint above = vi_from_float(whole) + first;
                vint line = above * vi_set(width);
                vuint index = vu_from_bits(above);
                struct noise_warp_place upper =
                    noise_warp_locate(across, columns, vf_lookup(shifts, index));
                struct noise_warp_place lower =
                    noise_warp_locate(across, columns, vf_lookup(shifts + 1, index));
                v[k] = down - whole;
                v[k + 2] = v[k] - vf_set(1);
                u[k] = upper.u;
                u[k + 2] = lower.u;
                node[k] = vu_from_bits(line + upper.column);
                node[k + 2] = vu_from_bits(line + vi_set(width) + lower.column);
            }
            noise_warp_rows(row, window, node, u, v, vectors, basis);
            for (uint32_t k = 0; k < 2; k++) {
                vfloat value = basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX
                                   ? row[k] + row[k + 2]
                                   : row[k] + noise_fade(v[k]) * (row[k + 2] - row[k]);
                noise_warp_add(to + i + k * VEC_LANES, value);
            }
        }
    }
}

TERRAIN__INLINE struct noise_warp_parts noise_warp_gather(const float *records,
                                                          const int32_t *offsets, uint32_t basis)
{
    vfloat n[8];
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        vf_load_quads(n, records, offsets);
        return (struct noise_warp_parts){.x = n[0], .y = n[1], .other_x = n[2], .other_y = n[3]};
    }
    vf_load_octets(n, records, offsets);
    return (struct noise_warp_parts){
        .x = n[0], .y = n[1], .other_x = n[2], .other_y = n[3], .value = n[4], .change = n[5]};
}

/* Where the cells of a strip lie. */
struct noise_warp_places {
    float v[NOISE_WARP_STRIP];
    float u[2][NOISE_WARP_STRIP];
    int32_t records[2][NOISE_WARP_STRIP]; /* where the record of the point to the left begins */
};

/* The shifts of lattice rows, lane for lane. */
static vfloat noise_warp_wide_shifts(const float *shifts, vint rows)
{
    int32_t lanes[VEC_LANES];
    float values[VEC_LANES];
    vi_store(lanes, rows);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        values[i] = shifts[lanes[i]];
    }
    return vf_load(values);
}

/* table[rows], of a table of `vectors` vectors; 0: longer ones, number by number. */
TERRAIN__INLINE vfloat noise_warp_pick(const float *table, vint rows, int vectors)
{
    return vectors == 0 ? noise_warp_wide_shifts(table, rows)
                        : vf_lookup_of(table, vu_from_bits(rows), vectors);
}

/* `vectors` hold the shifts of the block's lattice rows, of one more as well; 0: they may be
 * more. */
TERRAIN__INLINE void noise_warp_find_places_of(const struct noise_warp_run *run,
                                               const struct noise_warp_block *block, uint32_t y,
                                               struct noise_warp_places *places, int vectors)
{
    const struct noise_warp_workspace *work = run->piece->work;
    size_t at = (size_t)y * NOISE_WARP_STRIDE + block->x;
    const float *east = work->east + at, *south = work->south + at;
    const float *shifts = work->shifts + block->row;
    int32_t stride = (int32_t)run->columns * NOISE_WARP_RECORD;
    vint first = vi_set(work->rows[y] - run->row - block->row);
    for (uint32_t i = 0; i < NOISE_WARP_STRIP; i += VEC_LANES) {
        vfloat x = vf_load(work->across + block->x + i) + vf_load(east + i) * vf_set(run->step_x);
        vfloat down = vf_set(work->down[y]) + vf_load(south + i) * vf_set(run->step_y);
        vint columns = vi_load(work->columns + block->x + i) - vi_set(run->column);
        vfloat whole = vf_floor_loose(down);
        vint below = vi_from_float(whole) + first;
        vint record = (below + vi_set(block->row)) * vi_set(stride);
        vf_store(places->v + i, down - whole);
        for (int k = 0; k < 2; k++) {
            vfloat shift = noise_warp_pick(shifts + k, below, vectors);
            struct noise_warp_place place = noise_warp_locate(x, columns, shift);
            vf_store(places->u[k] + i, place.u);
            vi_store(places->records[k] + i,
                     record + vi_set(k * stride) + place.column * vi_set(NOISE_WARP_RECORD));
        }
    }
}

static void noise_warp_find_places(const struct noise_warp_run *run,
                                   const struct noise_warp_block *block, uint32_t y,
                                   struct noise_warp_places *places)
{
    if (VEC_LANES >= 8 && block->rows <= VEC_LANES) {
        noise_warp_find_places_of(run, block, y, places, 1);
    } else if (VEC_LANES >= 8 && block->rows <= 4 * VEC_LANES) {
        noise_warp_find_places_of(run, block, y, places, 4);
    } else {
        noise_warp_find_places_of(run, block, y, places, 0);
    }
}

/* Cells whose points are in the table. */
TERRAIN__INLINE void noise_warp_apart(const struct noise_warp_run *run,
                                      const struct noise_warp_block *block, uint32_t basis)
{
    const float *records = run->piece->work->records;
    float *sums = run->sums;
    for (uint32_t y = block->y; y < block->y + block->height; y++) {
        struct noise_warp_places places;
        noise_warp_find_places(run, block, y, &places);
        for (uint32_t i = 0; i < NOISE_WARP_STRIP; i += VEC_LANES) {
            struct noise_warp_parts parts[2];
            vfloat value;
            parts[0] = noise_warp_gather(records, places.records[0] + i, basis);
            parts[1] = noise_warp_gather(records, places.records[1] + i, basis);
            value = noise_warp_value(parts, vf_load(places.u[0] + i), vf_load(places.u[1] + i),
                                     vf_load(places.v + i), basis);
            noise_warp_add(sums + (size_t)y * NOISE_WARP_WIDTH + block->x + i, value);
        }
    }
}

/* Where the cells of a strip lie, and the hashes of their lattice points to the left and right. */
struct noise_warp_hashes {
    float v[NOISE_WARP_STRIP];
    float u[2][NOISE_WARP_STRIP];
    uint32_t bits[2][2][NOISE_WARP_STRIP]; /* by lattice row and side */
};

TERRAIN__INLINE void noise_warp_find_hashes_of(const struct noise_warp_run *run, uint32_t x,
                                               uint32_t y, int32_t first_row,
                                               struct noise_warp_hashes *to, int vectors)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const size_t at = (size_t)y * NOISE_WARP_STRIDE + x;
    const vuint first = vu_set((uint32_t)noise_wrap(&run->octave->x, run->first_column));
    for (uint32_t i = 0; i < NOISE_WARP_STRIP; i += VEC_LANES) {
        vfloat east = vf_load(work->east + at + i) * vf_set(run->step_x);
        vfloat down = vf_set(work->down[y]) + vf_load(work->south + at + i) * vf_set(run->step_y);
        vfloat whole = vf_floor_loose(down);
        vint columns = vi_load(work->columns + x + i) - vi_set(run->column);
        vint row = vi_from_float(whole) + vi_set(work->rows[y] - run->row - first_row);
        vf_store(to->v + i, down - whole);
        for (int k = 0; k < 2; k++) {
            const int32_t begin = first_row + k;
            vfloat shift = noise_warp_pick(work->shifts + begin, row, vectors);
            struct noise_warp_place place =
                noise_warp_locate(vf_load(work->across + x + i) + east, columns, shift);
            vuint low = vf_bits(noise_warp_pick(work->lows + begin, row, vectors));
            vuint high = vf_bits(noise_warp_pick(work->highs + begin, row, vectors));
            vuint node = first + vu_from_bits(place.column);
            vuint left = vu_random_bits_of(low, high, node);
            vuint right = vu_random_bits_of(low, high, node + vu_set(1));
            vf_store(to->u[k] + i, place.u);
            memcpy(to->bits[k][0] + i, &left, sizeof left);
            memcpy(to->bits[k][1] + i, &right, sizeof right);
        }
    }
}

/* Hashes points of lattice rows, one of each; columns count from the table's first one. */
static vuint noise_warp_hash_points(const struct noise_warp_run *run,
                                    const struct noise_warp_line *const lines[VEC_LANES],
                                    vint columns)
{
    const uint64_t first = (uint64_t)noise_wrap(&run->octave->x, run->first_column);
    const uint32_t count = run->octave->x.count;
    int32_t column[VEC_LANES];
    uint32_t lows[VEC_LANES], highs[VEC_LANES], nodes[VEC_LANES];
    vi_store(column, columns);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        const uint64_t node = first + (uint32_t)column[i];
        const uint64_t words = lines[i]->columns[node >> 32 != first >> 32];
        lows[i] = (uint32_t)words;
        highs[i] = (uint32_t)(words >> 32);
        nodes[i] = count != 0 ? (uint32_t)node % count : (uint32_t)node;
    }
    return vu_random_bits_of(vu_load(lows), vu_load(highs), vu_load(nodes));
}

/* Where a torus or a word ends between the points, or lattice rows are too many to be looked up by
 * vectors. */
static void noise_warp_find_hashes_apart(const struct noise_warp_run *run, uint32_t x, uint32_t y,
                                         struct noise_warp_hashes *to)
{
    const struct noise_warp_workspace *work = run->piece->work;
    const size_t at = (size_t)y * NOISE_WARP_STRIDE + x;
    for (uint32_t i = 0; i < NOISE_WARP_STRIP; i += VEC_LANES) {
        vfloat east = vf_load(work->east + at + i) * vf_set(run->step_x);
        vfloat down = vf_set(work->down[y]) + vf_load(work->south + at + i) * vf_set(run->step_y);
        vfloat whole = vf_floor_loose(down);
        vint columns = vi_load(work->columns + x + i) - vi_set(run->column);
        int32_t rows[VEC_LANES];
        vi_store(rows, vi_from_float(whole) + vi_set(work->rows[y] - run->row));
        vf_store(to->v + i, down - whole);
        for (int32_t k = 0; k < 2; k++) {
            struct noise_warp_line beyond[VEC_LANES];
            const struct noise_warp_line *lines[VEC_LANES];
            float shifts[VEC_LANES];
            for (uint32_t lane = 0; lane < VEC_LANES; lane++) {
                const int32_t row = rows[lane] + k;
                if (row < NOISE_WARP_LINES) {
                    lines[lane] = work->lines + row;
                } else {
                    beyond[lane] = noise_warp_line_at(run, run->first_row + row);
                    lines[lane] = beyond + lane;
                }
                shifts[lane] = lines[lane]->shift;
            }
            const struct noise_warp_place place =
                noise_warp_locate(vf_load(work->across + x + i) + east, columns, vf_load(shifts));
            const vuint left = noise_warp_hash_points(run, lines, place.column);
            const vuint right = noise_warp_hash_points(run, lines, place.column + vi_set(1));
            vf_store(to->u[k] + i, place.u);
            memcpy(to->bits[k][0] + i, &left, sizeof left);
            memcpy(to->bits[k][1] + i, &right, sizeof right);
        }
    }
}

static void noise_warp_find_hashes(const struct noise_warp_run *run, uint32_t x, uint32_t y,
                                   struct noise_warp_hashes *to)
{
    const struct noise_warp_strips *strips = &run->piece->work->strips;
    const uint32_t k = x / NOISE_WARP_STRIP;
    const int32_t first = strips->first_row[k][y], rows = strips->last_row[k][y] - first + 1;
    const int32_t row = first - run->row;
    if (!run->is_plain) {
        noise_warp_find_hashes_apart(run, x, y, to);
    } else if (rows <= 2 * VEC_LANES) {
        noise_warp_find_hashes_of(run, x, y, row, to, 2);
    } else if (rows <= 4 * VEC_LANES) {
        noise_warp_find_hashes_of(run, x, y, row, to, 4);
    } else if (rows <= 8 * VEC_LANES) {
        noise_warp_find_hashes_of(run, x, y, row, to, 8);
    } else {
        noise_warp_find_hashes_of(run, x, y, row, to, 0);
    }
}

TERRAIN__INLINE struct noise_warp_parts noise_warp_hash(const struct noise_octave *octave,
                                                        const struct noise_warp_hashes *hashes,
                                                        uint32_t i, int k, uint32_t basis,
                                                        bool sloped)
{
    const struct noise_node left = noise_node_of(octave, vu_load(hashes->bits[k][0] + i), sloped);
    const struct noise_node right = noise_node_of(octave, vu_load(hashes->bits[k][1] + i), sloped);
    return noise_warp_parts_of(left, right, basis);
}

/* Cells that are moved so far apart that hardly any two have a point in common. */
TERRAIN__INLINE void noise_warp_crowded(const struct noise_warp_run *run, uint32_t x,
                                        uint32_t basis, bool sloped)
{
    float *sums = run->sums;
    const struct noise_octave octave = *run->octave;
    for (uint32_t y = 0; y < run->piece->height; y++) {
        struct noise_warp_hashes hashes;
        noise_warp_find_hashes(run, x, y, &hashes);
        for (uint32_t i = 0; i < NOISE_WARP_STRIP; i += VEC_LANES) {
            const struct noise_warp_parts parts[2] = {
                noise_warp_hash(&octave, &hashes, i, 0, basis, sloped),
                noise_warp_hash(&octave, &hashes, i, 1, basis, sloped)};
            vfloat value = noise_warp_value(parts, vf_load(hashes.u[0] + i),
                                            vf_load(hashes.u[1] + i), vf_load(hashes.v + i), basis);
            noise_warp_add(sums + (size_t)y * NOISE_WARP_WIDTH + x + i, value);
        }
    }
}

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

/* Takes as many strips that are not near few points as have a vector of lattice rows, or the first
 * one. */
static void noise_warp_make_apart(struct noise_warp_block *block, const struct noise_warp_run *run)
{
    const struct noise_warp_strips *strips = &run->piece->work->strips;
    const uint32_t k = block->x / NOISE_WARP_STRIP;
    const int32_t *rows = strips->first_row[k], *last_rows = strips->last_row[k];
    uint32_t y = block->y;
    int32_t first = rows[y], last = last_rows[y];
    while (++y < run->piece->height && strips->near[k][y] == 0) {
        int32_t low = rows[y] < first ? rows[y] : first;
        int32_t high = last_rows[y] > last ? last_rows[y] : last;
        if (high - low >= VEC_LANES) {
            break;
        }
        first = low;
        last = high;
    }
    block->height = y - block->y;
    block->row = first - run->row;
    block->rows = last - first + 1;
}

TERRAIN__INLINE void noise_warp_add_near(const struct noise_warp_run *run,
                                         struct noise_warp_block *block, uint32_t basis)
{
    if (VEC_LANES < 16) {
        noise_warp_make_near(block, run, 1, VEC_LANES);
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

TERRAIN__INLINE void noise_warp_add_block(const struct noise_warp_run *run,
                                          struct noise_warp_block *block, uint32_t basis)
{
    if (run->piece->work->strips.near[block->x / NOISE_WARP_STRIP][block->y] != 0) {
        noise_warp_add_near(run, block, basis);
    } else {
        noise_warp_make_apart(block, run);
        noise_warp_apart(run, block, basis);
    }
}

TERRAIN__INLINE void noise_warp_add_octave(const struct noise_warp_run *run, uint32_t basis)
{
    const bool coarse = noise_warp_is_coarse(run);
    for (uint32_t x = 0; x < run->piece->width; x += NOISE_WARP_STRIP) {
        struct noise_warp_block block = {.x = x};
        if (run->is_crowded) {
            if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX || run->octave->sloped) {
                noise_warp_crowded(run, x, basis, true);
            } else {
                noise_warp_crowded(run, x, basis, false);
            }
            continue;
        }
        for (; block.y < run->piece->height; block.y += block.height) {
            if (coarse && noise_warp_make_within(&block, run)) {
                noise_warp_within(run, &block, basis);
            } else {
                noise_warp_add_block(run, &block, basis);
            }
        }
    }
}

static void noise_warp_add_slopes(const struct noise_warp_run *pointer)
{
    const struct noise_warp_run run = *pointer;
    noise_warp_add_octave(&run, TERRAIN_GENERATE_NOISE_BASIS_GRADIENT);
}

static void noise_warp_add_discs(const struct noise_warp_run *pointer)
{
    const struct noise_warp_run run = *pointer;
    noise_warp_add_octave(&run, TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX);
}

/* Adds the octave's term, of its noise, and makes place for the next octave's. */
TERRAIN__INLINE void noise_warp_fold(struct noise_warp_workspace *work, float weight,
                                     float feedback, uint32_t fractal)
{
    for (uint32_t i = 0; i < NOISE_WARP_CELLS; i += VEC_LANES) {
        vfloat value = vf_load(work->values + i);
        vfloat term = fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED
                          ? noise_ridged(value, weight, feedback, work->gates + i)
                          : noise_billow(value, weight, feedback, work->gates + i);
        vf_store(work->sums + i, vf_load(work->sums + i) + term);
        vf_store(work->values + i, vf_set(0));
    }
}

static void noise_warp_add_octave_at(const struct noise_plan *plan,
                                     const struct noise_warp_piece *piece, uint32_t index)
{
    struct noise_warp_workspace *work = piece->work;
    const struct noise_warp_run run = noise_warp_begin(plan, piece, index);
    const float weight = run.octave->weight;
    if (plan->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        noise_warp_add_discs(&run);
    } else {
        noise_warp_add_slopes(&run);
    }
    if (plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED) {
        noise_warp_fold(work, weight, plan->feedback, TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED);
    } else if (plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_BILLOW) {
        noise_warp_fold(work, weight, plan->feedback, TERRAIN_GENERATE_NOISE_FRACTAL_BILLOW);
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

/* The ranges of displacements in the strips from a column on; the last strip's range is repeated to
 * the end of a vector. */
static void noise_warp_find_ranges(float *least, float *most, const float *cells, uint32_t height)
{
    for (uint32_t y = 0; y < height; y += VEC_LANES) {
        int32_t offsets[VEC_LANES];
        vfloat low = vf_set(INFINITY), high = -low;
        for (uint32_t i = 0; i < VEC_LANES; i++) {
            offsets[i] = (int32_t)((y + i < height ? y + i : height - 1) * NOISE_WARP_STRIDE);
        }
        for (uint32_t x = 0; x < NOISE_WARP_STRIP; x += 4) {
            vfloat quads[4];
            vf_load_quads(quads, cells + x, offsets);
            for (int i = 0; i < 4; i++) {
                low = vf_min(low, quads[i]);
                high = vf_max(high, quads[i]);
            }
        }
        vf_store(least + y, low);
        vf_store(most + y, high);
    }
}

static void noise_warp_begin_piece(const struct noise_warp_piece *piece,
                                   const struct noise_plan *plan)
{
    struct noise_warp_workspace *work = piece->work;
    struct noise_warp_ranges *ranges = &work->ranges;
    for (uint32_t x = 0, k = 0; x < piece->width; x += NOISE_WARP_STRIP, k++) {
        noise_warp_find_ranges(ranges->least_east[k], ranges->most_east[k], work->east + x,
                               piece->height);
        noise_warp_find_ranges(ranges->least_south[k], ranges->most_south[k], work->south + x,
                               piece->height);
    }
    memset(&work->nodes, 0, sizeof work->nodes); /* VALUE writes no gradients */
    for (uint32_t i = 0; i < NOISE_WARP_CELLS; i++) {
        work->sums[i] = plan->offset;
    }
    if (plan->fractal != TERRAIN_GENERATE_NOISE_FRACTAL_FBM) {
        memset(work->values, 0, sizeof work->values);
        for (uint32_t i = 0; i < NOISE_WARP_CELLS; i++) {
            work->gates[i] = 1;
        }
    }
}

static void noise_warp_tile(const struct noise_plan *plan, const struct noise_tile *tile,
                            struct noise_warp_workspace *work)
{
    struct noise_warp_piece piece = {work, tile->x, tile->y, tile->width, tile->height};
    piece.width = (tile->width + NOISE_WARP_STRIP - 1) / NOISE_WARP_STRIP * NOISE_WARP_STRIP;
    noise_warp_begin_piece(&piece, plan);
    for (uint32_t i = 0; i < plan->octave_count; i++) {
        noise_warp_add_octave_at(plan, &piece, i);
    }
    for (uint32_t i = 0; i < tile->height; i++) {
        noise_write_row(tile->cells + i * tile->stride, work->sums + i * NOISE_WARP_WIDTH,
                        tile->width, tile->stream);
    }
    if (tile->stream) {
        vf_streamed();
    }
}

const struct noise_warp_kernels TERRAIN__KERNELS(noise_warp) = {noise_warp_tile};
