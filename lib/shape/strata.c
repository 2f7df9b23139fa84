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
    TERRAIN__MAP_OUT(strata_params, layer_hardness, "Gets the hardness of each cell's layer."),
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

static const float strata_standard_thickness[] = {14, 6, 9, 4};
static const float strata_standard_hardness[] = {0.1f, 0.9f, 0.3f, 1};

/* Tasks; each has a row of folds. */
enum { STRATA_TASKS = 64 };

struct strata_job {
    struct strata_layers layers;
    uint64_t phase_x; /* what the layers rise from cell to cell, in 2^-64 of the total */
    uint64_t phase_y;
    terrain__plane folds; /* a row for each task */
};

/* rise / total without whole turns, in 2^-64, by long division: each step is exact, as a double's
 * own division would not be, whose error grows with the distance from the world's origin. */
static uint64_t strata_turn(double rise, double total)
{
    double rest = rise < 0 ? -rise : rise;
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

/* The upper 12 bits: adding and subtracting 2^12 times the number drops the others. */
static float strata_upper_bits(double total)
{
    const double rounding = total * 0x1p41;
    return (float)((total + rounding) - rounding);
}

/* Returns the thickness of a sequence. */
static double strata_set_layers(struct strata_layers *layers, const strata_params *p)
{
    const float *thickness = p->thickness_count != 0 ? p->thickness : strata_standard_thickness;
    const float *hardness = p->hardness_count != 0 ? p->hardness : strata_standard_hardness;
    uint32_t hardnesses = p->hardness_count != 0 ? p->hardness_count : 4;
    double total = 0;
    layers->count = p->thickness_count != 0 ? p->thickness_count : 4;
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
    layers->total_high = strata_upper_bits(total);
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
    if (p->fold_amplitude != 0) {
        job->folds = terrain__scratch_plane(call, call->map.width, STRATA_TASKS);
    }
    terrain__commit_cost(call, 1);
    return TERRAIN_SUCCESS;
}

static const float *strata_folds(const terrain__call *call, float *folds, int64_t y)
{
    const strata_params *p = call->params;
    terrain__lattice lattice = {
        terrain__random_stream(p->seed, TERRAIN__KEY_shape_strata, TERRAIN__DRAW_STRATA_FOLDS),
        p->fold_period, call->isa};
    uint32_t width = call->target.width;
    terrain__lattice_rows(&lattice, folds, width, call->x, y, width, 1);
    return folds;
}

static void strata_row_of(terrain__call *call, uint32_t task, uint32_t y)
{
    const strata_params *p = call->params;
    const struct strata_job *job = call->job;
    const int64_t world_y = call->y + y;
    struct strata_row row = {
        .target = terrain__target_row(call, y),
        .source = terrain__map_row(call, y),
        .layer_id = terrain__output_row(call, offsetof(strata_params, layer_id), y),
        .hardness = terrain__output_row(call, offsetof(strata_params, layer_hardness), y),
        .phase = (uint64_t)call->x * job->phase_x + (uint64_t)world_y * job->phase_y,
        .phase_step = job->phase_x,
    };
    if (p->fold_amplitude != 0) {
        row.folds = strata_folds(call, terrain__plane_row(&job->folds, task), world_y);
    }
    terrain__strata_kernels(call->isa)->row(&row, call->target.width, &job->layers);
}

static terrain_status strata_run(terrain__call *call)
{
    return terrain__commit_rows(call, strata_row_of);
}

const terrain_operation terrain__shape_strata = {
    TERRAIN__IDENTITY(shape, strata),
    .result_version = 1,
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
