/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_strata: layers of rock, harder and softer, show in the relief. Hard layers stand as cliffs
 * with a bench on top, soft ones are hollowed out below them. The curve within a layer is Schlick's
 * bias ("Fast alternatives to Perlin's bias and gain functions", 1994), by the slope at its
 * foot. */

#include "base/math.h"
#include "rows/rows.h"
#include "shape/strata_kernels.h"
#include "terrain/shape.h"
#include "vector/lattice.h"

typedef terrain_shape_strata_params strata_params;

static const terrain_parameter strata_parameters[] = {
    TERRAIN__SEED(strata_params),
    TERRAIN__MASK(strata_params),
    TERRAIN__MAP_OUT(strata_params, layer_id, "Gets each cell's layer, counted from 0."),
    TERRAIN__MAP_OUT(strata_params, layer_hardness,
                     "Gets the hardness of each cell's layer, 0 to 1."),
    TERRAIN__FLOAT_ARRAY(
        strata_params, thickness, "height", STRATA_MOST_LAYERS, 1e-3, 1e6,
        "The thickness of each layer, from below; the layers repeat. 14, 6, 9, 4 without it."),
    TERRAIN__FLOAT_ARRAY(
        strata_params, hardness, "", STRATA_MOST_LAYERS, 0, 1,
        "The hardness of each layer, repeated as needed. 0.1, 0.9, 0.3, 1 without it."),
    TERRAIN__FLOAT(strata_params, strength, "", 0.8, 0, 1,
                   "How much the layers change the heights: 0 not at all."),
    TERRAIN__FLOAT(
        strata_params, sharpness, "", 8, 1, 1000,
        "How much steeper the foot of the hardest layer becomes, and how much flatter its top."),
    TERRAIN__FLOAT(strata_params, offset, "height", 0, -1e6, 1e6,
                   "How much all layers are lifted."),
    TERRAIN__FLOAT(strata_params, tilt_x, "slope", 0, -100, 100,
                   "How steeply the layers rise towards greater x."),
    TERRAIN__FLOAT(strata_params, tilt_y, "slope", 0, -100, 100,
                   "How steeply the layers rise towards greater y."),
    TERRAIN__FLOAT(strata_params, fold_amplitude, "height", 5, 0, 1e6,
                   "About how far folds lift and lower the layers."),
    TERRAIN__UINT32(strata_params, fold_period, "cells", 256, 1, 65536,
                    "About how far folds are apart.", .scaling = TERRAIN_SCALING_LATTICE),
};

/* In place of layers that are not given. */
enum { STRATA_STANDARD = 4 };
static const float strata_standard_thickness[STRATA_STANDARD] = {14, 6, 9, 4};
static const float strata_standard_hardness[STRATA_STANDARD] = {0.1f, 0.9f, 0.3f, 1};

/* Rows whose folds are computed together, at most, and their cells: what depends on a column alone
 * is then computed once for all of them, and they stay in the cache. */
enum { STRATA_ROWS = 16, STRATA_CELLS = 1 << 15 };

/* Rows that a task works on, at least: each has folds of its own. */
enum { STRATA_BAND = 4 * STRATA_ROWS };

struct strata_job {
    struct strata_layers layers;
    uint64_t phase_x; /* what the layers rise from cell to cell, in 2^-64 of the total */
    uint64_t phase_y;
    terrain__bands bands;
    uint32_t rows;        /* whose folds are computed together */
    terrain__plane folds; /* so many rows for each band */
};

/* rise / total without whole turns, in 2^-64, by long division: each step is exact, as a double's
 * own division would not be, whose error grows with the distance from the world's origin. */
static uint64_t strata_turn(double rise, double total)
{
    double rest = terrain__absolute(rise);
    double turns = total;
    uint64_t fraction = 0;
    while (turns <= rest) {
        turns *= 2;
    }
    while (turns > total) {
        turns *= 0.5;
        rest -= rest >= turns ? turns : 0;
    }
    for (int bit = 0; bit < 64; bit++) {
        rest *= 2;
        fraction = fraction << 1 | (rest >= total);
        rest -= rest >= total ? total : 0;
    }
    fraction += 2 * rest >= total;
    return rise < 0 ? 0 - fraction : fraction;
}

/* Returns the thickness of a sequence. */
static double strata_set_layers(struct strata_layers *layers, const strata_params *p)
{
    const float *thickness = p->thickness_count != 0 ? p->thickness : strata_standard_thickness;
    const float *hardness = p->hardness_count != 0 ? p->hardness : strata_standard_hardness;
    uint32_t hardnesses = p->hardness_count != 0 ? p->hardness_count : STRATA_STANDARD;
    double total = 0;
    layers->count = p->thickness_count != 0 ? p->thickness_count : STRATA_STANDARD;
    for (uint32_t i = 0; i < layers->count; i++) {
        struct strata_layer *layer = &layers->layers[i];
        const double t = (double)thickness[i];
        layer->hardness = hardness[i % hardnesses];
        const double g = terrain__pow((double)p->sharpness, 2 * (double)layer->hardness - 1);
        layer->foot = (float)total;
        total += t;
        layer->top = (float)total;
        layer->bend = (float)((g - 1) / t);
    }
    layers->fold = p->fold_amplitude;
    layers->strength = p->strength;
    layers->total = (float)total;
    layers->total_high = terrain__upper_bits(total);
    layers->total_low = (float)(total - (double)layers->total_high);
    layers->inverse_total = (float)(1 / total);
    const double offset = (double)p->offset;
    layers->offset = (float)(offset - terrain__floor(offset / total) * total);
    return total;
}

static terrain_status strata_prepare(terrain__call *call)
{
    const strata_params *p = call->params;
    struct strata_job *job = call->job;
    double run = (double)call->cell_size;
    const double total = strata_set_layers(&job->layers, p);
    job->phase_x = strata_turn((double)p->tilt_x * run, total);
    job->phase_y = strata_turn((double)p->tilt_y * run, total);
    job->bands = terrain__bands_of(call->target.height, STRATA_BAND);
    job->rows = terrain__lesser(STRATA_CELLS / call->target.width + 1, STRATA_ROWS);
    if (p->fold_amplitude != 0) {
        job->folds = terrain__scratch_plane(call, call->target.width, job->bands.count * job->rows);
    }
    terrain__commit_cost(call, 1);
    return TERRAIN_SUCCESS;
}

/* Computes the folds of `count` rows, from y on, of a band. */
static void strata_fold(const terrain__call *call, uint32_t band, uint32_t y, uint32_t count)
{
    const strata_params *p = call->params;
    const struct strata_job *job = call->job;
    const terrain__lattice lattice = {
        terrain__random_stream(p->seed, TERRAIN__KEY_shape_strata, TERRAIN__DRAW_STRATA_FOLDS),
        p->fold_period, call->isa};
    terrain__lattice_rows(&lattice, terrain__plane_row(&job->folds, (int64_t)band * job->rows),
                          job->folds.stride, call->x, call->y + y, call->target.width, count);
}

static void strata_row_of(const terrain__call *call, uint32_t y, const float *folds)
{
    const struct strata_job *job = call->job;
    const int64_t world_y = call->y + y;
    /* Folds, computed now and then, make the processor forget where it was. */
    const bool far = terrain__is_far(call->map.width, call->map.height);
    const struct strata_row row = {
        .target = terrain__target_row(call, y),
        .source = terrain__map_row(call, y),
        .soon = terrain__map_row(call, far && y + 1 < call->map.height ? y + 1 : y),
        .layer_id = terrain__output_row(call, offsetof(strata_params, layer_id), y),
        .hardness = terrain__output_row(call, offsetof(strata_params, layer_hardness), y),
        .folds = folds,
        .phase = (uint64_t)call->x * job->phase_x + (uint64_t)world_y * job->phase_y,
        .phase_step = job->phase_x,
    };
    terrain__strata_kernels(call->isa)->row(&row, call->target.width, &job->layers);
}

static void strata_band(terrain__call *call, uint32_t index)
{
    const strata_params *p = call->params;
    const struct strata_job *job = call->job;
    const uint32_t begin = terrain__band_begin(&job->bands, index);
    const uint32_t end = terrain__band_end(&job->bands, index);
    for (uint32_t y = begin; y < end; y++) {
        const uint32_t k = (y - begin) % job->rows;
        if (p->fold_amplitude == 0) {
            strata_row_of(call, y, NULL);
            continue;
        }
        if (k == 0) {
            strata_fold(call, index, y, terrain__lesser(end - y, job->rows));
        }
        strata_row_of(call, y, terrain__plane_row(&job->folds, (int64_t)index * job->rows + k));
    }
}

static terrain_status strata_run(terrain__call *call)
{
    const struct strata_job *job = call->job;
    return terrain__commit(call, job->bands.count, strata_band);
}

const terrain_operation terrain__shape_strata = {
    TERRAIN__IDENTITY(shape, strata),
    .result_version = 2,
    .summary = "Lets harder and softer layers of rock show in the relief.",
    .reference = "Schlick, Fast alternatives to Perlin's bias and gain functions, 1994",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(strata_params),
    TERRAIN__PARAMETERS(strata_parameters),
    .job_size = sizeof(struct strata_job),
    .prepare = strata_prepare,
    .run = strata_run,
};

TERRAIN__PUBLIC_CHANGE(shape_strata)
