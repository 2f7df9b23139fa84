/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: the lattice points of an octave that a piece's cells may need. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_TABLE_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_TABLE_VEC_H

#include <math.h>

#include "generate/noise_warp_hash_vec.h"

/* ---- Strips ---------------------------------------------------------------------------------- */

/* Lattice rows and columns of strips, lane for lane, counted as in struct noise_warp_strips;
 * whether all are near few points, and whether any is: 0 or -1. */
struct noise_warp_extent {
    vint first_row, last_row, first_column, last_column, near, any;
};

/* Whether strips with one more than so many lattice rows and columns have few enough points to be
 * permuted: of one lattice row as many as a vector has; of three, eight, if two vectors hold
 * them. */
static inline vint noise_warp_near_of(vint rows, vint columns)
{
    const vint no = vi_set(0), yes = vi_set(-1);
    vmask line = vm_and(vi_less(rows, vi_set(1)), vi_less(columns, vi_set(VEC_LANES)));
    vmask square = vm_and(vi_less(rows, vi_set(3)), vi_less(columns, vi_set(8)));
    if (VEC_LANES < 8) {
        return no;
    }
    return VEC_LANES == 16 ? vi_select(square, yes, vi_select(line, yes, no))
                           : vi_select(line, yes, no);
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

/* Hashes the table's points, row by row, then finds what belongs to them and their neighbours to
 * the right: the last of a row has none, and no cell needs it. */
static void noise_warp_fill(const struct noise_warp_run *run)
{
    struct noise_warp_workspace *work = run->piece->work;
    const struct noise_node_row nodes = {work->planes[0], work->planes[1], work->planes[4]};
    const uint32_t count = run->rows * run->columns;
    for (uint32_t row = 0; row < run->rows; row++) {
        noise_hash_row(nodes.value + (size_t)row * run->columns, run->octave, work->hashes[row],
                       run->first_column, run->columns);
    }
    noise_find_nodes(&nodes, run->octave, count);
    if (!run->octave->sloped) {
        memset(nodes.gradient_x, 0, (count + NOISE_LANES) * sizeof(float));
        memset(nodes.gradient_y, 0, (count + NOISE_LANES) * sizeof(float));
    }
    for (uint32_t at = 0; at < count; at += VEC_LANES) {
        const struct noise_warp_parts parts = noise_warp_parts_of(
            noise_warp_node_at(work, at), noise_warp_node_at(work, at + 1), run->plan->basis);
        if (run->has_planes) {
            vf_store(work->planes[2] + at, parts.other_x);
            vf_store(work->planes[3] + at, parts.other_y);
            vf_store(work->planes[5] + at, parts.change);
        }
        if (run->has_records) {
            noise_warp_store_records(work->records + (size_t)at * NOISE_WARP_RECORD, &parts);
        }
    }
}

/* ---- An octave ------------------------------------------------------------------------------- */

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
    run->columns = ((uint32_t)(vi_most(all.last_column) - run->column) + 1 + VEC_LANES) /
                   VEC_LANES * VEC_LANES;
    run->fits = run->rows <= NOISE_WARP_ROWS && run->columns <= NOISE_WARP_NODES &&
                run->rows * run->columns <= NOISE_WARP_NODES;
    run->has_planes = vi_least(all.any) != 0 || noise_warp_is_coarse(run);
    run->has_records = vi_most(all.near) == 0;
}

/* Whether all points are hashed from their lattice row's two words and the low word of their
 * column, which a vector of rows can look up. Vectors of fewer lanes look up a number at a time
 * anyway. */
static bool noise_warp_is_plain(const struct noise_warp_run *run)
{
    const struct noise_axis *x = &run->octave->x;
    return VEC_LANES >= 8 && run->rows <= NOISE_WARP_HASHES &&
           noise_node_run(x, noise_wrap(x, run->first_column), run->columns) == run->columns;
}

/* Whether to hash each cell's points. */
static bool noise_warp_is_crowded(const struct noise_warp_run *run)
{
    const uint64_t cells = (uint64_t)run->piece->width * run->piece->height;
    return !run->fits ||
           (run->is_plain && (uint64_t)run->rows * run->columns > NOISE_WARP_CROWD * cells);
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
    if (!run.is_crowded) {
        noise_warp_fill(&run);
    }
    return run;
}

#endif
