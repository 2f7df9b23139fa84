/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_coast: waves cut the land back, far where rock is soft and hardly at all where it is hard.
 *
 * A cell's way is the cost of its cheapest path from the open sea (E. Dijkstra: A note on two
 * problems in connexion with graphs, Numerische Mathematik 1, 1959), where a step costs more the
 * harder the rock. The open sea is more than `shelter` cells from land; its ways start at -shelter,
 * so that they are 0 where they arrive at the coast. Costs are integers, so that a way does not
 * depend on the order in which paths are found. A profile, a beach and then a cliff, gives the
 * greatest height for each way:
 *
 *     height                    land before ....          profile ____
 *        |                  ......|  /
 *        |             .....      | /   the cliff ends where it reaches the land
 *        |     ........           |/
 *     sea |====___________________/          -> way
 *
 * Why no pits form: the path to a lowered cell comes from a neighbour whose way is shorter by at
 * least a unit. That neighbour is sea or at most as high as its own profile, which is strictly
 * lower. A cell that was not lowered keeps the lower neighbour that it had, as no cell rises.
 *
 * First, each row's cells are sorted into land and sea. Patches that have land, and sea within
 * reach, find what steps cost. Then they find their ways: they sweep down and up over the rows
 * whose neighbours have changed, until nothing changes. Last, land is cut. */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "erode/coast_kernels.h"
#include "rows/rows.h"
#include "terrain/erode.h"
#include "vector/lattice.h"

typedef terrain_erode_coast_params coast_params;

enum {
    COAST_PATCH_WIDTH = 512,
    COAST_PATCH_HEIGHT = 512,
    COAST_BAND = 256,      /* with several threads: rows of a task, at least */
    COAST_COST_BAND = 128, /* with several threads: rows whose costs a task finds, at least */
    COAST_STRIP = 16,      /* rows whose noise is made together */
    COAST_LEAST_PERIOD = 3 /* cells; finer octaves are left out */
};

static const terrain_parameter coast_parameters[] = {
    TERRAIN__SEED(coast_params),
    TERRAIN__MASK(coast_params),
    TERRAIN__MAP_IN(coast_params, hardness,
                    "How hard the rock is, 0 to 1; without it, noise of `period` and `seed`."),
    TERRAIN__FLOAT(coast_params, sea, "height", 0, -1e9, 1e9,
                   "Cells at or below this height are sea."),
    TERRAIN__UINT32(coast_params, reach, "cells", 32, 2, COAST_MOST_REACH,
                    "How far from the sea waves cut the softest rock."),
    TERRAIN__UINT32(
        coast_params, shelter, "cells", 12, 0, COAST_MOST_SHELTER,
        "Waves come from where no land is nearer than this: inlets and lakes are spared."),
    TERRAIN__FLOAT(coast_params, beach_width, "cells", 14, 0, COAST_MOST_REACH,
                   "How wide a beach is in the softest rock."),
    TERRAIN__FLOAT(coast_params, beach_slope, "slope", 0.03, 1.0 / 65536, 100,
                   "The slope of a beach in the softest rock."),
    TERRAIN__FLOAT(coast_params, cliff_slope, "slope", 1, 1.0 / 65536, 100,
                   "The slope of a cliff's foot in the softest rock; it gets steeper upwards."),
    TERRAIN__FLOAT(coast_params, contrast, "", 10, 1, COAST_MOST_CONTRAST,
                   "How many times as much of the hardest rock withstands as of the softest."),
    TERRAIN__UINT32(coast_params, period, "cells", 64, 1, 65536,
                    "How far it is from soft rock to soft rock, where noise says it.",
                    .scaling = TERRAIN_SCALING_LATTICE, TERRAIN__WITHOUT(hardness)),
};

/* The cells that decide how a patch's land is cut. Boxes count from the map's first cell. */
struct coast_reach {
    terrain__box cut;  /* the patch's cells that may be cut; may be empty */
    terrain__box land; /* the cells of paths to them */
    terrain__box sea;  /* the cells that decide where these paths find open sea */
};

struct coast_job {
    const struct coast_kernels *kernels;
    terrain__lattice octaves[COAST_OCTAVES];
    float weights[COAST_OCTAVES]; /* 0: the octave is left out */
    float *profile;               /* the greatest height of a cell, by its way */
    uint8_t *sea;                 /* 1 where a cell is sea, else 0 */
    uint8_t *flags;               /* COAST_LAND and COAST_SEA, for each stretch of each row */
    uint32_t stretches;           /* of a row */
    int16_t open;                 /* the least way from land to the open sea */
    int16_t begin;                /* the way of the open sea: -shelter, in units */
    int16_t unreached;            /* the way to a cell out of reach */
    terrain__box wanted;          /* the cells of the map that are wanted */
    terrain__bands bands;
    uint32_t across, down;       /* patches of a band */
    struct coast_reach *reaches; /* of each patch */
    int16_t *found;              /* the way of each cell that may be cut */
    int16_t *cost;               /* of a step into each cell that paths may take */
    size_t cost_stride;
    int16_t *units; /* a row of the sea's costs */
    terrain__bands cost_bands;
    /* Scratch of tasks: each has room for a patch and all within its reach. */
    uint32_t rows; /* of a task, at most */
    size_t stride;
    int16_t *ways;  /* of each cell, with a row above and one below; before them a row `between` */
    uint8_t *stale; /* whether ways beside a row have changed, with a row above and one below */
    float *noise;   /* of each of the cost_bands: a strip of rows of each octave */
};

/* The cells for which a task finds ways, and its scratch. */
struct coast_place {
    terrain__box box;
    int16_t *between; /* scratch row of the `shorten` kernel */
    int16_t *ways;    /* of the first cell */
    const int16_t *cost;
    size_t cost_stride;
    uint8_t *stale; /* of the first row */
};

/* A way starts at -shelter units, each step costs at least one, and a way of `reach` units is out
 * of reach. So a path that counts has fewer than reach + shelter steps. Whether the sea is open
 * where it starts depends on land up to `shelter` steps farther away. */
static uint32_t coast_halo(const void *params)
{
    const coast_params *p = params;
    return p->reach - 1 + 2 * p->shelter;
}

/* ---- Plan ------------------------------------------------------------------------------------ */

/* The height of the profile above the sea, in cells, for a way of that many cells. */
static double coast_rise(const coast_params *p, double way)
{
    const double width = (double)p->beach_width, back = way - width;
    if (back <= 0) {
        return (double)p->beach_slope * way;
    }
    return (double)p->beach_slope * width +
           (double)p->cliff_slope * back / (1 - back / ((double)p->reach - width));
}

/* Sets the profile, for ways from `begin` to `unreached`. It rises strictly with each step of a
 * way, even where heights are so large that a float cannot hold the rise. Ways shorter than a step
 * are those of the sea, which is not cut. */
static void coast_make_profile(const struct coast_job *job, const coast_params *p, float cell_size)
{
    float *profile = job->profile;
    for (int32_t way = job->begin; way < COAST_UNIT; way++) {
        profile[way] = INFINITY;
    }
    for (int32_t way = COAST_UNIT; way < job->unreached; way++) {
        double rise = coast_rise(p, (double)way / COAST_UNIT);
        float height = (float)((double)p->sea + (double)cell_size * rise);
        float before = way < 2 * COAST_UNIT ? p->sea : profile[way - COAST_UNIT];
        profile[way] = before < height ? height : terrain__next_above(before);
    }
    profile[job->unreached] = INFINITY;
}

static void coast_make_octaves(terrain__call *call)
{
    static const float weights[COAST_OCTAVES] = {0.9f, 0.63f, 0.441f}; /* 0.9 times 0.7^k */
    const coast_params *p = call->params;
    struct coast_job *job = call->job;
    for (uint32_t k = 0; k < COAST_OCTAVES; k++) {
        uint32_t period = p->period >> 2 * k;
        job->octaves[k].isa = call->isa;
        job->octaves[k].period = period;
        job->octaves[k].stream =
            terrain__random_stream(p->seed, TERRAIN__KEY_erode_coast, TERRAIN__DRAW_COAST_ROCK + k);
        job->weights[k] = k == 0 || period >= COAST_LEAST_PERIOD ? weights[k] : 0;
    }
}

static void coast_fill(int16_t *to, size_t count, int16_t value)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = value;
    }
}

/* Allocates the scratch of all tasks. */
static void coast_prepare_tasks(terrain__call *call)
{
    struct coast_job *job = call->job;
    const uint32_t halo = coast_halo(call->params), tasks = job->bands.count;
    const uint32_t patch_height = terrain__lesser(job->bands.rows_per_band, COAST_PATCH_HEIGHT);
    const uint32_t columns = terrain__lesser(call->target.width, COAST_PATCH_WIDTH + 2 * halo);
    job->rows = terrain__lesser(call->target.height, patch_height + 2 * halo);
    job->stride = ((size_t)columns + COAST_PAD - 1) / COAST_PAD * COAST_PAD + 2 * COAST_PAD;
    job->ways =
        terrain__scratch(call, tasks * ((size_t)job->rows + 3), job->stride * sizeof(int16_t));
    job->noise = terrain__scratch(call, job->cost_bands.count * (size_t)COAST_OCTAVES,
                                  COAST_STRIP * job->stride * sizeof(float));
    job->stale = terrain__scratch(call, tasks, (size_t)job->rows + 2);
}

static terrain_status coast_prepare(terrain__call *call)
{
    struct coast_job *job = call->job;
    const coast_params *p = call->params;
    const uint32_t width = call->target.width, height = call->target.height;
    job->kernels = terrain__coast_kernels(call->isa);
    job->wanted.x0 = call->wanted.x0 - call->x;
    job->wanted.x1 = call->wanted.x1 - call->x;
    job->wanted.y0 = call->wanted.y0 - call->y;
    job->wanted.y1 = call->wanted.y1 - call->y;
    job->open = (int16_t)((p->shelter + 1) * COAST_UNIT);
    job->begin = (int16_t)(COAST_UNIT - job->open);
    job->unreached = (int16_t)(p->reach * COAST_UNIT);
    coast_make_octaves(call);
    job->profile = terrain__scratch(call, (p->shelter + p->reach) * COAST_UNIT + 1, sizeof(float));
    if (job->profile != NULL) {
        job->profile -= job->begin;
        coast_make_profile(job, p, call->cell_size);
    }
    job->stretches = (width - 1) / COAST_STRETCH + 1;
    job->sea = terrain__scratch(call, height, width);
    job->flags = terrain__scratch(call, height, job->stretches);
    job->bands = terrain__bands_of((uint32_t)(job->wanted.y1 - job->wanted.y0),
                                   terrain__is_alone(call) ? COAST_PATCH_HEIGHT : COAST_BAND);
    job->across = (uint32_t)(job->wanted.x1 - job->wanted.x0 - 1) / COAST_PATCH_WIDTH + 1;
    job->down = (job->bands.rows_per_band - 1) / COAST_PATCH_HEIGHT + 1;
    job->reaches = terrain__scratch(call, (size_t)job->bands.count * job->down,
                                    job->across * sizeof *job->reaches);
    job->found = terrain__scratch(call, height, width * sizeof *job->found);
    job->cost_bands =
        terrain__bands_of(height, terrain__is_alone(call) ? COAST_PATCH_HEIGHT : COAST_COST_BAND);
    job->cost_stride = 2 * terrain__padded_stride(width / 2 + 1);
    job->cost = terrain__scratch(call, height, job->cost_stride * sizeof *job->cost);
    coast_prepare_tasks(call);
    job->units = terrain__scratch(call, job->stride, sizeof *job->units);
    if (job->units != NULL) {
        coast_fill(job->units, job->stride, COAST_UNIT);
    }
    terrain__expect_passes(call, 5);
    return TERRAIN_SUCCESS;
}

/* ---- Where the sea is ------------------------------------------------------------------------ */

static const uint8_t *coast_sea_row(const terrain__call *call, int64_t y)
{
    const struct coast_job *job = call->job;
    return job->sea + (size_t)y * call->map.width;
}

static void coast_sort_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct coast_job *job = call->job;
    const coast_params *p = call->params;
    (void)task;
    job->kernels->sort(job->sea + (size_t)y * call->map.width,
                       job->flags + (size_t)y * job->stretches, terrain__map_row(call, y),
                       call->map.width, p->sea);
}

/* Shrinks the box to the stretches with that flag; false if none has it. */
static bool coast_shrink(const struct coast_job *job, terrain__box *box, uint8_t flag)
{
    const int64_t begin = box->x0 / COAST_STRETCH, end = (box->x1 - 1) / COAST_STRETCH + 1;
    terrain__box found = {0, 0, 0, 0};
    for (int64_t y = box->y0; y < box->y1; y++) {
        const uint8_t *flags = job->flags + y * job->stretches;
        int64_t first = begin, last = end;
        while (first < end && (flags[first] & flag) == 0) {
            first++;
        }
        if (first < end) {
            while ((flags[last - 1] & flag) == 0) {
                last--;
            }
            const terrain__box row = {first * COAST_STRETCH, y, last * COAST_STRETCH, y + 1};
            terrain__box_unite(&found, &row);
        }
    }
    *box = terrain__box_common(box, &found);
    return !terrain__box_is_empty(box);
}

/* Grows the box by `by` cells on each side, within the map. */
static terrain__box coast_grown(const terrain__call *call, const terrain__box *box, int64_t by)
{
    const terrain__box map = terrain__box_at(0, 0, call->map.width, call->map.height);
    const terrain__box grown = {box->x0 - by, box->y0 - by, box->x1 + by, box->y1 + by};
    return terrain__box_common(&grown, &map);
}

/* Finds the cells that decide how the patch's land is cut. */
static void coast_find_reach(const terrain__call *call, const terrain__box *patch,
                             struct coast_reach *reach)
{
    const struct coast_job *job = call->job;
    const coast_params *p = call->params;
    const uint32_t halo = coast_halo(p);
    terrain__box land = *patch, sea, near_land, near_sea;
    memset(reach, 0, sizeof *reach);
    if (!coast_shrink(job, &land, COAST_LAND)) {
        return;
    }
    near_land = sea = coast_grown(call, &land, halo);
    if (!coast_shrink(job, &sea, COAST_SEA)) {
        return;
    }
    near_sea = coast_grown(call, &sea, halo);
    reach->sea = terrain__box_common(&near_land, &near_sea);
    near_land = coast_grown(call, &land, halo - p->shelter);
    near_sea = coast_grown(call, &sea, halo - p->shelter);
    reach->land = terrain__box_common(&near_land, &near_sea);
    reach->cut = terrain__box_common(patch, &reach->land);
    if (terrain__box_is_empty(&reach->cut)) {
        memset(reach, 0, sizeof *reach);
    }
}

/* ---- What steps cost ------------------------------------------------------------------------- */

/* Makes the hardness of a box of up to COAST_STRIP rows from noise. `to` holds the rows of each
 * octave; the hardness overwrites those of the first. */
static void coast_make_noise(const terrain__call *call, const terrain__box *box, float *to)
{
    const struct coast_job *job = call->job;
    const size_t strip = COAST_STRIP * job->stride;
    struct coast_noise noise = {.mean = 0.3f};
    memcpy(noise.weights, job->weights, sizeof noise.weights);
    for (uint32_t k = 0; k < COAST_OCTAVES; k++) {
        if (job->weights[k] > 0) {
            terrain__lattice_rows(&job->octaves[k], to + k * strip, job->stride, call->x + box->x0,
                                  call->y + box->y0, box->x1 - box->x0, box->y1 - box->y0);
        }
    }
    for (int64_t y = box->y0; y < box->y1; y++, to += job->stride) {
        for (uint32_t k = 0; k < COAST_OCTAVES; k++) {
            noise.rows[k] =
                job->weights[k] > 0 ? to + k * strip : to; /* any row: its weight is 0 */
        }
        job->kernels->mix(to, &noise, box->x1 - box->x0);
    }
}

/* Finds the costs of steps into a box of cells. */
static void coast_make_costs(const terrain__call *call, uint32_t task, const terrain__box *cells)
{
    const struct coast_job *job = call->job;
    const coast_params *p = call->params;
    const terrain__view hardness = terrain__view_of(p->hardness);
    float *noise = job->noise + (size_t)task * COAST_OCTAVES * COAST_STRIP * job->stride;
    for (int64_t begin = cells->y0; begin < cells->y1; begin += COAST_STRIP) {
        terrain__box box = *cells;
        box.y0 = begin;
        box.y1 = begin + COAST_STRIP < box.y1 ? begin + COAST_STRIP : box.y1;
        for (int64_t y = box.y0; y < box.y1; y++) {
            coast_fill(job->cost + y * job->cost_stride + box.x0, box.x1 - box.x0, COAST_UNIT);
        }
        if (!coast_shrink(job, &box, COAST_LAND)) {
            continue;
        }
        if (hardness.cells == NULL) {
            coast_make_noise(call, &box, noise);
        }
        for (int64_t y = box.y0; y < box.y1; y++) {
            job->kernels->weigh(job->cost + y * job->cost_stride + box.x0,
                                coast_sea_row(call, y) + box.x0,
                                hardness.cells == NULL ? noise + (y - box.y0) * job->stride
                                                       : terrain__view_row(&hardness, y) + box.x0,
                                box.x1 - box.x0, p->contrast);
        }
    }
}

/* Finds the costs in a band's rows, in each column of patches, where a patch needs them. */
static void coast_weigh_band(terrain__call *call, uint32_t index)
{
    const struct coast_job *job = call->job;
    const uint32_t patches = job->bands.count * job->down * job->across;
    for (uint32_t i = 0; i < job->across; i++) {
        terrain__box all = {0, 0, 0, 0}, column;
        column.x0 = i == 0 ? 0 : job->wanted.x0 + i * COAST_PATCH_WIDTH;
        column.x1 =
            i + 1 == job->across ? call->map.width : job->wanted.x0 + (i + 1) * COAST_PATCH_WIDTH;
        column.y0 = terrain__band_begin(&job->cost_bands, index);
        column.y1 = terrain__band_end(&job->cost_bands, index);
        for (uint32_t k = 0; k < patches; k++) {
            const terrain__box box = terrain__box_common(&column, &job->reaches[k].land);
            terrain__box_unite(&all, &box);
        }
        if (!terrain__box_is_empty(&all)) {
            coast_make_costs(call, index, &all);
        }
    }
}

/* ---- Ways ------------------------------------------------------------------------------------ */

/* Sets the ways of cells around the place. */
static void coast_surround(const struct coast_job *job, const struct coast_place *place,
                           int16_t way)
{
    const uint32_t width = place->box.x1 - place->box.x0, height = place->box.y1 - place->box.y0;
    coast_fill(place->between - 1, (size_t)width + 2, way);
    coast_fill(place->ways - job->stride - 1, (size_t)width + 2, way);
    coast_fill(place->ways + height * job->stride - 1, (size_t)width + 2, way);
    for (uint32_t y = 0; y < height; y++) {
        int16_t *row = place->ways + y * job->stride;
        row[-1] = row[width] = way;
    }
}

/* Shortens the ways of row y, if ways beside it have changed; returns whether any became
 * shorter. */
static bool coast_shorten_row(const struct coast_job *job, const struct coast_place *place,
                              uint32_t y)
{
    int16_t *ways = place->ways + y * job->stride;
    if (place->stale[y] == 0) {
        return false;
    }
    place->stale[y] = 0;
    if (!job->kernels->shorten(ways, place->between, ways - job->stride, ways + job->stride,
                               place->cost + y * place->cost_stride,
                               place->box.x1 - place->box.x0)) {
        return false;
    }
    memset(place->stale + y - 1, 1, 3);
    return true;
}

/* Sweeps down and up, until a sweep down changes nothing. */
static void coast_shorten_all(const struct coast_job *job, const struct coast_place *place)
{
    const uint32_t height = place->box.y1 - place->box.y0;
    memset(place->stale - 1, 1, (size_t)height + 2);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t y = 0; y < height; y++) {
            changed |= coast_shorten_row(job, place, y);
        }
        for (uint32_t y = height; changed && y-- > 0;) {
            coast_shorten_row(job, place, y);
        }
    }
}

/* Finds first the ways from land through the sea, up to `open`, then the ways from the open sea. */
static void coast_find_ways(const terrain__call *call, struct coast_place *place,
                            const struct coast_reach *reach)
{
    const struct coast_job *job = call->job;
    const terrain__box *land = &reach->land, *sea = &reach->sea;
    place->box = *sea;
    place->cost = job->units;
    place->cost_stride = 0;
    coast_surround(job, place, job->open);
    for (int64_t y = sea->y0; y < sea->y1; y++) {
        job->kernels->begin(place->ways + (y - sea->y0) * job->stride,
                            coast_sea_row(call, y) + sea->x0, sea->x1 - sea->x0, job->open);
    }
    coast_shorten_all(job, place);
    place->box = *land;
    place->ways += (land->y0 - sea->y0) * job->stride + (land->x0 - sea->x0);
    place->cost = job->cost + land->y0 * job->cost_stride + land->x0;
    place->cost_stride = job->cost_stride;
    coast_surround(job, place, job->unreached);
    for (int64_t y = 0; y < land->y1 - land->y0; y++) {
        job->kernels->turn(place->ways + y * job->stride, land->x1 - land->x0, job->open,
                           job->begin, job->unreached);
    }
    coast_shorten_all(job, place);
}

/* ---- Patches --------------------------------------------------------------------------------- */

/* Finds the ways of a patch's cells that may be cut. */
static void coast_find_patch(const terrain__call *call, uint32_t task,
                             const struct coast_reach *reach)
{
    const struct coast_job *job = call->job;
    const terrain__box *cut = &reach->cut, *land = &reach->land;
    struct coast_place place;
    place.between = job->ways + (size_t)task * (job->rows + 3) * job->stride + COAST_PAD;
    place.ways = place.between + 2 * job->stride;
    place.stale = job->stale + (size_t)task * (job->rows + 2) + 1;
    if (terrain__box_is_empty(cut)) {
        return;
    }
    coast_find_ways(call, &place, reach);
    for (int64_t y = cut->y0; y < cut->y1; y++) {
        memcpy(job->found + (size_t)y * call->map.width + cut->x0,
               place.ways + (y - land->y0) * job->stride + (cut->x0 - land->x0),
               (cut->x1 - cut->x0) * sizeof *job->found);
    }
}

static void coast_cut_patch(const terrain__call *call, const terrain__box *patch,
                            const terrain__box *cut)
{
    const struct coast_job *job = call->job;
    for (int64_t y = patch->y0; y < patch->y1; y++) {
        float *to = terrain__target_row(call, y) + patch->x0;
        const float *from = terrain__map_row(call, y) + patch->x0;
        if (to != from) {
            memcpy(to, from, (patch->x1 - patch->x0) * sizeof *to);
        }
    }
    for (int64_t y = cut->y0; y < cut->y1; y++) {
        job->kernels->cut(terrain__target_row(call, y) + cut->x0,
                          job->found + (size_t)y * call->map.width + cut->x0, job->profile,
                          cut->x1 - cut->x0);
    }
}

/* The i-th patch of a band; empty if it lies below the band's rows. */
static terrain__box coast_patch(const struct coast_job *job, uint32_t index, uint32_t i)
{
    const terrain__box *wanted = &job->wanted;
    const int64_t begin = wanted->y0 + terrain__band_begin(&job->bands, index);
    const int64_t end = wanted->y0 + terrain__band_end(&job->bands, index);
    const terrain__box band = {wanted->x0, begin, wanted->x1, end};
    const terrain__box patch =
        terrain__box_at(wanted->x0 + (int64_t)(i % job->across) * COAST_PATCH_WIDTH,
                        begin + (int64_t)(i / job->across) * COAST_PATCH_HEIGHT, COAST_PATCH_WIDTH,
                        COAST_PATCH_HEIGHT);
    return terrain__box_common(&patch, &band);
}

/* The reaches of a band's patches. */
static struct coast_reach *coast_reaches(const struct coast_job *job, uint32_t band)
{
    return job->reaches + (size_t)band * job->across * job->down;
}

static void coast_reach_band(terrain__call *call, uint32_t index)
{
    const struct coast_job *job = call->job;
    for (uint32_t i = 0; i < job->across * job->down; i++) {
        const terrain__box patch = coast_patch(job, index, i);
        coast_find_reach(call, &patch, coast_reaches(job, index) + i);
    }
}

static void coast_find_band(terrain__call *call, uint32_t index)
{
    const struct coast_job *job = call->job;
    for (uint32_t i = 0; i < job->across * job->down; i++) {
        coast_find_patch(call, index, coast_reaches(job, index) + i);
    }
}

static void coast_cut_band(terrain__call *call, uint32_t index)
{
    const struct coast_job *job = call->job;
    for (uint32_t i = 0; i < job->across * job->down; i++) {
        const terrain__box patch = coast_patch(job, index, i);
        coast_cut_patch(call, &patch, &coast_reaches(job, index)[i].cut);
    }
}

static terrain_status coast_run(terrain__call *call)
{
    const struct coast_job *job = call->job;
    const uint32_t bands = job->bands.count;
    terrain_status status = terrain__run_rows(call, call->map.height, coast_sort_row);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, bands, coast_reach_band);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, job->cost_bands.count, coast_weigh_band);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, bands, coast_find_band);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, bands, coast_cut_band) : status;
}

const terrain_operation terrain__erode_coast = {
    TERRAIN__IDENTITY(erode, coast),
    .result_version = 1,
    .summary = "Waves cut the land back: beaches where rock is soft, and cliffs behind them.",
    .reference = "Dijkstra, A note on two problems in connexion with graphs, 1959",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(coast_params),
    TERRAIN__PARAMETERS(coast_parameters),
    .job_size = sizeof(struct coast_job),
    .halo = coast_halo,
    .prepare = coast_prepare,
    .run = coast_run,
};

TERRAIN__PUBLIC_CHANGE(erode_coast)
