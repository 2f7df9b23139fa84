/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: a table of the lattice points that a piece's cells may need in an
 * octave, and its squares sorted by how they find their points in it. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_TABLE_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_TABLE_VEC_H

#include "generate/noise_warp_hash_vec.h"

/* ---- Squares --------------------------------------------------------------------------------- */

/* The kind of squares that span `rows` + 1 lattice rows and `columns` + 1 columns, unless all their
 * cells lie within one lattice cell. */
static inline vint noise_warp_kind_of(vint rows, vint columns)
{
    const vmask near = vi_less(columns, vi_set(NOISE_WARP_COLUMNS)),
                few = vi_less(columns, vi_set(8));
    const vmask line = vm_and(vi_less(rows, vi_set(1)), near);
    const vmask pair = vm_and(vi_less(rows, vi_set(2)), near);
    const vmask block = vm_and(vi_less(rows, vi_set(NOISE_WARP_BLOCK_ROWS - 1)), few);
    const vmask field = vm_and(vi_less(rows, vi_set(NOISE_WARP_FIELD_ROWS - 1)), few);
    vint kind = vi_set(NOISE_WARP_APART);
    if (VEC_LANES == 16) {
        kind = vi_select(field, vi_set(NOISE_WARP_FIELD), kind);
        kind = vi_select(block, vi_set(NOISE_WARP_BLOCK), kind);
    }
    if (VEC_LANES >= 8) {
        kind = vi_select(pair, vi_set(NOISE_WARP_PAIR), kind);
        kind = vi_select(line, vi_set(NOISE_WARP_LINE), kind);
    }
    return kind;
}

/* table[row], in a table of a number for each of the octave's lattice rows, of which there are at
 * most eight vectors if VEC_LANES >= 8. */
static inline vfloat noise_warp_pick_row(const struct noise_warp_run *run, const float *table,
                                         vint row)
{
    if (VEC_LANES < 8) {
        return noise_warp_pick(table, row, 0);
    }
    return run->rows <= 2 * VEC_LANES ? noise_warp_pick(table, row, 2)
                                      : noise_warp_pick(table, row, 8);
}

/* The bounds of a vector of squares. */
struct noise_warp_bounds {
    vfloat west, east; /* in a lattice row that is not shifted */
    vint first_row, last_row;
};

static inline struct noise_warp_bounds noise_warp_bounds_of(const struct noise_warp_run *run,
                                                            uint32_t square)
{
    const struct noise_warp_workspace *work = run->work;
    const struct noise_warp_ranges *east = &work->ranges[0], *south = &work->ranges[1];
    const vfloat step_x = vf_set(run->step_x), step_y = vf_set(run->step_y);
    const uint32_t x = square % NOISE_WARP_ACROSS, y = square / NOISE_WARP_ACROSS;
    vfloat top = vf_set(work->tops[y]) + vf_load(south->least + square) * step_y;
    vfloat bottom = vf_set(work->bottoms[y]) + vf_load(south->most + square) * step_y;
    struct noise_warp_bounds bounds;
    bounds.west = vf_load(work->begins + x) + vf_load(east->least + square) * step_x;
    bounds.east = vf_load(work->ends + x) + vf_load(east->most + square) * step_x;
    bounds.first_row = vi_floor(top);
    bounds.last_row = vi_floor(bottom);
    return bounds;
}

/* Squares that lie within one lattice cell become NOISE_WARP_WITHIN, and get the columns of their
 * points above and below. */
static inline void noise_warp_find_within(const struct noise_warp_run *run,
                                          const struct noise_warp_bounds *bounds, vint *kind,
                                          vint columns[2])
{
    const float *shifts = run->work->shifts;
    vmask within = vi_equal(bounds->first_row, bounds->last_row);
    vint found[2];
    for (int k = 0; k < 2; k++) {
        vint row = bounds->first_row - vi_set(run->row);
        vfloat shift = noise_warp_pick_row(run, shifts + k, row);
        vfloat column = vf_floor_loose(bounds->west + shift);
        found[k] = vi_from_float(column);
        within = vm_and(within, vf_less(bounds->east + shift, column + vf_set(1)));
    }
    for (int k = 0; k < 2; k++) {
        columns[k] = vi_select(within, found[k], columns[k]);
    }
    *kind = vi_select(within, vi_set(NOISE_WARP_WITHIN), *kind);
}

/* How squares that aren't NOISE_WARP_WITHIN find their points, and the column where vectors of
 * points begin. */
struct noise_warp_way {
    vint kind, column;
    bool near; /* all are NOISE_WARP_LINE or NOISE_WARP_PAIR */
};

/* Loads across cache lines take twice as long. So a square's first column moves left to a multiple
 * of the width of its vectors of points, if these then still hold all its points. Where the table
 * is one such vector of 16 wide, this is its first column. */
static inline struct noise_warp_way noise_warp_way_of(const struct noise_warp_run *run,
                                                      const struct noise_warp_bounds *bounds)
{
    const vint rows = bounds->last_row - bounds->first_row;
    struct noise_warp_way way = {vi_set(NOISE_WARP_APART), vi_set(run->column), false};
    if (run->fits && VEC_LANES == 16 && run->columns == VEC_LANES &&
        vm_bits(vi_less(vi_set(1), rows)) == 0) {
        way.kind = rows + vi_set(NOISE_WARP_LINE);
        way.near = true;
        return way;
    }
    /* However a lattice row is shifted. */
    const vint first = vi_floor(bounds->west), last = vi_floor(bounds->east + vf_set(1));
    if (run->fits) {
        way.kind = noise_warp_kind_of(rows, last - first);
    }
    const vmask narrow = vi_less(vi_set(NOISE_WARP_PAIR), way.kind);
    const vint width = vi_select(narrow, vi_set(8), vi_set(NOISE_WARP_COLUMNS));
    const vint aligned = first - ((first - vi_set(run->column)) & (width - vi_set(1)));
    way.column = vi_select(vi_less(last - aligned, width), aligned, first);
    return way;
}

/* Appends each of a vector of squares to the list of its kind. */
static inline void noise_warp_list(struct noise_warp_squares *squares, uint32_t square, vint kind,
                                   bool near, uint32_t counts[NOISE_WARP_KINDS])
{
    const vuint numbers = vu_set(square) + vu_lane();
    for (int k = 0; k < NOISE_WARP_KINDS; k++) {
        if (near && k > NOISE_WARP_PAIR) {
            break;
        }
        const vmask mask = vi_equal(kind, vi_set(k));
        if (VEC_LANES == 16 || vm_bits(mask) != 0) {
            counts[k] += vf_store_where(squares->lists[k] + counts[k], vf_from_bits(numbers), mask);
        }
    }
}

/* Whether lattice cells are large enough that some squares may lie within one. */
static bool noise_warp_is_coarse(const struct noise_warp_run *run)
{
    return run->fits && run->step_x * NOISE_WARP_SIDE < 0.5f &&
           (VEC_LANES < 8 || run->rows <= 8 * VEC_LANES);
}

/* Sorts squares by how they find their points, and finds their first points. The struct is copied
 * because for all the compiler knows `squares` points into it. */
static void noise_warp_sort(const struct noise_warp_run *pointer)
{
    const struct noise_warp_run copy = *pointer, *run = &copy;
    struct noise_warp_squares *squares = &run->work->squares;
    const uint32_t across = run->piece->width / NOISE_WARP_SIDE;
    const uint32_t end = noise_warp_square_of(0, run->piece->height);
    const int32_t line_step = run->fits ? (int32_t)run->columns : 0;
    const bool is_coarse = noise_warp_is_coarse(run);
    uint32_t counts[NOISE_WARP_KINDS] = {0};
    for (uint32_t square = 0; square < end; square += VEC_LANES) {
        const uint32_t x = square % NOISE_WARP_ACROSS;
        if (x >= across) {
            continue;
        }
        const struct noise_warp_bounds bounds = noise_warp_bounds_of(run, square);
        const struct noise_warp_way way = noise_warp_way_of(run, &bounds);
        const vmask single = vi_equal(bounds.first_row, bounds.last_row);
        const vint lanes = vi_from_bits(vu_lane()) + vi_set((int32_t)x);
        vint kind = way.kind;
        vint first_row = bounds.first_row - vi_set(run->row);
        vint line = first_row * vi_set(line_step) - vi_set(run->column);
        vint from[2] = {way.column, way.column};
        if (is_coarse && (VEC_LANES == 16 || vm_bits(single) != 0)) {
            noise_warp_find_within(run, &bounds, &kind, from);
        }
        const vmask within = vi_equal(kind, vi_set(NOISE_WARP_WITHIN));
        const vmask one_row = vi_less(kind, vi_set(NOISE_WARP_PAIR));
        vi_store(squares->first_row + square, first_row);
        vi_store(squares->last_row + square, bounds.last_row - vi_set(run->row));
        vf_store(squares->rows + square,
                 vf_select(one_row, vf_from_int(bounds.first_row), vf_base(-bounds.first_row)));
        for (int k = 0; k < 2; k++) {
            vf_store(squares->columns[k] + square,
                     vf_select(within, vf_from_int(from[k]), vf_base(-from[k])));
        }
        vi_store(squares->at[0] + square, line + from[0]);
        vi_store(squares->at[1] + square, line + from[1] + vi_set(line_step));
        kind = vi_select(vi_less(lanes, vi_set((int32_t)across)), kind, vi_set(NOISE_WARP_KINDS));
        noise_warp_list(squares, square, kind, way.near, counts);
    }
    for (int k = 0; k < NOISE_WARP_KINDS; k++) {
        float *list_end = squares->lists[k] + counts[k];
        for (int i = 0; i < NOISE_WARP_AHEAD && counts[k] != 0; i++) {
            memcpy(list_end + i, list_end - 1, sizeof *list_end);
        }
        squares->counts[k] = counts[k];
    }
}

/* ---- Points ---------------------------------------------------------------------------------- */

static inline struct noise_node noise_warp_node_at(const struct noise_warp_workspace *work,
                                                   size_t at)
{
    return (struct noise_node){vf_load(work->planes[0] + at), vf_load(work->planes[1] + at),
                               vf_load(work->planes[4] + at)};
}

static inline void noise_warp_store_records(float *records, const struct noise_warp_parts *parts)
{
    const vfloat numbers[NOISE_WARP_RECORD] = {parts->x,       parts->y,     parts->other_x,
                                               parts->other_y, parts->value, parts->change,
                                               parts->value,   parts->change};
    vf_store_octets(records, numbers);
}

/* Finds the numbers of `count` points of the table, and of their right neighbours, from `at` on. A
 * row's last point has no neighbour there; no cell needs its numbers. */
static void noise_warp_fill_parts(const struct noise_warp_run *run, size_t at, uint32_t count)
{
    struct noise_warp_workspace *work = run->work;
    for (const size_t end = at + count; at < end; at += VEC_LANES) {
        const struct noise_warp_parts parts = noise_warp_parts_of(
            noise_warp_node_at(work, at), noise_warp_node_at(work, at + 1), run->plan->basis);
        if (run->has_planes) {
            vf_store(work->planes[2] + at, parts.other_x);
            vf_store(work->planes[3] + at, parts.other_y);
            vf_store(work->planes[5] + at, parts.change);
        }
        if (run->has_records) {
            noise_warp_store_records(work->records + at * NOISE_WARP_RECORD, &parts);
        }
    }
}

/* Hashes the table's points, and finds their numbers, a few rows at a time, which stay in the
 * fastest cache. */
static void noise_warp_fill(const struct noise_warp_run *run)
{
    struct noise_warp_workspace *work = run->work;
    const uint32_t together = run->columns < NOISE_WARP_CHUNK ? NOISE_WARP_CHUNK / run->columns : 1;
    for (uint32_t row = 0, end = 0; row < run->rows; row = end) {
        const size_t at = (size_t)row * run->columns;
        const struct noise_node_row nodes = {work->planes[0] + at, work->planes[1] + at,
                                             work->planes[4] + at};
        end = run->rows - row < together ? run->rows : row + together;
        const uint32_t count = (end - row) * run->columns;
        for (uint32_t i = row; i < end; i++) {
            noise_hash_row(work->planes[4] + (size_t)i * run->columns, run->octave, work->hashes[i],
                           run->first_column, run->columns);
        }
        noise_find_nodes(&nodes, run->octave, count);
        if (!run->octave->sloped) {
            memset(nodes.gradient_x, 0, (count + NOISE_LANES) * sizeof(float));
            memset(nodes.gradient_y, 0, (count + NOISE_LANES) * sizeof(float));
        }
        noise_warp_fill_parts(run, at, count);
    }
}

/* ---- An octave ------------------------------------------------------------------------------- */

/* The first and the last lattice cell, along an axis, in which the piece's moved cells lie; `first`
 * is where the piece's first cell lies before it is moved. */
static void noise_warp_find_ends(const struct noise_warp_run *run, uint32_t axis, float first,
                                 float step, float margin, int32_t ends[2])
{
    const float *extent = run->work->extents[axis];
    ends[0] = (int32_t)noise_warp_floor(first + extent[0] * step - margin);
    ends[1] = (int32_t)noise_warp_floor(first + extent[1] * step + margin);
}

/* Finds the extent of the table that the piece needs, and where its rows and columns of squares
 * begin and end before they are displaced. */
static void noise_warp_bound(struct noise_warp_run *run)
{
    struct noise_warp_workspace *work = run->work;
    const uint32_t last_column = run->piece->width - 1, last_row = run->piece->height - 1;
    /* More than all rounding errors of a place: eight, of half a unit in its last place. */
    const float margin_x = (work->reach[0] * run->step_x + 4) * 0x1p-20f;
    const float margin_y = (work->reach[1] * run->step_y + 4) * 0x1p-20f;
    int32_t rows[2], columns[2];
    for (uint32_t i = 0; i < NOISE_WARP_ACROSS; i++) {
        const uint32_t first = i * NOISE_WARP_SIDE, last = first + NOISE_WARP_SIDE - 1;
        const uint32_t x = last < last_column ? last : last_column;
        const uint32_t y = last < last_row ? last : last_row;
        work->begins[i] = work->columns[x - 3] + work->across[x - 3] - margin_x;
        work->ends[i] = work->columns[x] + work->across[x] + margin_x;
        work->tops[i] = work->rows[y - 3] + work->down[y - 3] - margin_y;
        work->bottoms[i] = work->rows[y] + work->down[y] + margin_y;
    }
    noise_warp_find_ends(run, 0, work->across[0], run->step_x, 2 * margin_x, columns);
    noise_warp_find_ends(run, 1, work->down[0], run->step_y, 2 * margin_y, rows);
    run->row = rows[0];
    run->rows = (uint32_t)(rows[1] - rows[0]) + 2;
    run->column = columns[0];
    /* A lattice row may be shifted by up to a lattice cell, and cells need the point to their
     * right. */
    run->columns = ((uint32_t)(columns[1] - columns[0]) + 2 + VEC_LANES) / VEC_LANES * VEC_LANES;
    run->fits = run->rows <= NOISE_WARP_ROWS && run->columns <= NOISE_WARP_NODES &&
                (run->rows + 6) * run->columns <= NOISE_WARP_NODES;
}

/* Whether points can be hashed in vectors: every point of a lattice row depends on the row's two
 * words, which vectors look up, and the low word of its column. Narrower vectors would look up
 * words one by one anyway. */
static bool noise_warp_is_plain(const struct noise_warp_run *run)
{
    const struct noise_axis *x = &run->octave->x;
    return VEC_LANES >= 8 && run->rows <= NOISE_WARP_HASHES &&
           noise_node_run(x, noise_wrap(x, run->first_column), run->columns) == run->columns;
}

/* Makes all squares NOISE_WARP_APART. */
static void noise_warp_list_all(const struct noise_warp_run *run)
{
    struct noise_warp_squares *squares = &run->work->squares;
    uint32_t count = 0;
    for (uint32_t y = 0; y < run->piece->height; y += NOISE_WARP_SIDE) {
        for (uint32_t x = 0; x < run->piece->width; x += NOISE_WARP_SIDE, count++) {
            const uint32_t square = noise_warp_square_of(x, y);
            memcpy(squares->lists[NOISE_WARP_APART] + count, &square, sizeof square);
        }
    }
    memset(squares->counts, 0, sizeof squares->counts);
    squares->counts[NOISE_WARP_APART] = count;
}

/* Chooses whether there is a table, with planes for squares near few points, and with records for
 * other squares. Hashing a cell's points takes longer than looking them up by as much as two points
 * of the table, and longer than gathering their records by as much as one record. */
static void noise_warp_choose(struct noise_warp_run *run)
{
    const uint64_t cells = (uint64_t)run->piece->width * run->piece->height;
    const uint64_t apart =
        (uint64_t)run->work->squares.counts[NOISE_WARP_APART] * NOISE_WARP_SQUARE;
    const uint64_t points = (uint64_t)run->rows * run->columns;
    run->has_planes = run->fits && apart != cells;
    run->has_records = run->fits && apart != 0;
    if (run->is_plain) {
        run->has_records = run->has_records && points < apart;
        if (run->has_planes && !run->has_records && points > 2 * (cells - apart)) {
            run->has_planes = false;
            noise_warp_list_all(run);
        }
    }
}

/* Spreads the places of columns and rows over the cells of a row and of a column of squares. */
static void noise_warp_spread_places(struct noise_warp_workspace *work)
{
    for (uint32_t lane = 0; lane < NOISE_WARP_SQUARE; lane += VEC_LANES) {
        const vuint cell = vu_set(lane) + vu_lane();
        const vuint column = cell & vu_set(NOISE_WARP_SIDE - 1), row = cell >> 2;
        for (uint32_t i = 0; i < NOISE_WARP_WIDTH; i += NOISE_WARP_SIDE) {
            const uint32_t at = i * NOISE_WARP_SIDE + lane;
            vf_store(work->square_columns + at, vf_lookup(work->columns + i, column));
            vf_store(work->square_across + at, vf_lookup(work->across + i, column));
            vf_store(work->square_rows + at, vf_lookup(work->rows + i, row));
            vf_store(work->square_down + at, vf_lookup(work->down + i, row));
        }
    }
}

/* noise_find_places, with lattice cells as floats. */
static int64_t noise_warp_find_axis(float *cells, float *between, const struct noise_axis *axis,
                                    uint64_t origin, int64_t first, uint32_t count)
{
    int32_t nodes[NOISE_PLACES];
    const int64_t result = noise_find_places(nodes, between, axis, origin, first, count);
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = (float)nodes[i];
    }
    return result;
}

static struct noise_warp_run noise_warp_begin(const struct noise_plan *plan,
                                              const struct noise_warp_piece *piece, uint32_t index)
{
    struct noise_warp_workspace *work = piece->work;
    const struct noise_octave *octave = &plan->octaves[index];
    struct noise_warp_run run = {.plan = plan, .octave = octave, .piece = piece, .work = work};
    run.sums = plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_FBM ? work->sums : work->values;
    int64_t column =
        noise_warp_find_axis(work->columns, work->across, &octave->x, 0, piece->x, piece->width);
    int64_t row = noise_warp_find_axis(work->rows, work->down, &octave->y, octave->y.origin,
                                       piece->y, piece->height);
    noise_warp_spread_places(work);
    run.step_x = (float)((double)octave->x.step * 0x1p-64);
    run.step_y = (float)((double)octave->y.step * 0x1p-64);
    noise_warp_bound(&run);
    run.first_column = column + run.column;
    run.first_row = row + run.row;
    run.is_plain = noise_warp_is_plain(&run);
    /* In a loop of its own: each hash is a long chain of dependent instructions, and the processor
     * overlaps several such chains. */
    for (uint32_t i = 0; i < run.rows && (run.fits || run.is_plain); i++) {
        const int64_t number = noise_wrap(&octave->y, run.first_row + i);
        work->hashes[i] = terrain__random_row(octave->stream, number);
        work->shifts[i] = noise_warp_shift(&run, run.first_row + i);
    }
    noise_warp_sort(&run);
    noise_warp_choose(&run);
    if (run.has_planes || run.has_records) {
        noise_warp_fill(&run);
    }
    if (work->squares.counts[NOISE_WARP_APART] != 0 && !run.has_records) {
        noise_warp_hash_rows(&run);
    }
    return run;
}

#endif
