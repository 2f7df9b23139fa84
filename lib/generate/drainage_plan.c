/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What generate_drainage and erode_drainage do: all that follows from their params. */

#include "base/math.h"
#include "core/operation.h"
#include "generate/drainage_call.h"

const char *terrain__drainage_scale(uint32_t *level, uint32_t before, double scale)
{
    *level = before;
    for (; scale < 1 && *level < DRAINAGE_TOP - 1; scale *= 2) {
        ++*level;
    }
    for (; scale > 1 && *level > 0; scale /= 2) {
        --*level;
    }
    return scale == 1 ? NULL
                      : "there is no level: a scale of 1/2 adds 1 to level, a scale of 2 takes 1 "
                        "away, and level must be in [0, 8]";
}

/* ---- The world ------------------------------------------------------------------------------- */

/* 2^result cells. */
static uint32_t drainage_log(uint32_t cells)
{
    uint32_t log = 0;
    while (cells >> log > 1) {
        log++;
    }
    return log;
}

static uint64_t drainage_stream(const drainage_params *p, uint32_t draw)
{
    return terrain__random_stream(p->seed, TERRAIN__KEY_generate_drainage, draw);
}

static void drainage_set_noise(struct drainage_noise *noise, const drainage_params *p,
                               uint32_t number)
{
    uint32_t draw = TERRAIN__DRAW_DRAINAGE_NOISE + number * DRAINAGE_OCTAVES;
    double whole = 0, share = 1;
    for (uint32_t k = 0; k < noise->octaves; k++) {
        whole += share;
        share *= (double)noise->gain;
    }
    share = (double)noise->amplitude / whole;
    for (uint32_t k = 0; k < noise->octaves; k++) {
        uint64_t stream = drainage_stream(p, draw + k);
        uint64_t keys = terrain__mix(stream, 2);
        noise->octave[k].x = terrain__mix(stream, 0);
        noise->octave[k].y = terrain__mix(stream, 1);
        noise->octave[k].key_x = (uint32_t)keys;
        noise->octave[k].key_y = (uint32_t)(keys >> 32);
        noise->octave[k].amplitude = (float)share;
        bool fine = noise->row == DRAINAGE_CONTROL && noise->period - k <= DRAINAGE_FINE;
        share *= fine ? 0.6 : (double)noise->gain;
    }
}

static void drainage_set_noises(struct drainage_plan *plan, const drainage_params *p)
{
    uint32_t land = drainage_log(p->period), plates = drainage_log(p->plate_spacing);
    float folds = p->fold_height != 0 ? 1 : 0;
    const struct {
        uint32_t row, octaves, period, turn;
        float gain, amplitude;
    } noises[DRAINAGE_NOISES] = {
        {DRAINAGE_CONTROL, land - 1, land, 0, 0.68F, 0.28F},
        {DRAINAGE_CONTROL, land, land + 1, 1, 0.68F, 0.28F},
        {DRAINAGE_UPLIFT, 4, 10, 0, 0.5F, 1},
        {DRAINAGE_HARDNESS, 3, 8, 1, 0.5F, 1},
        {DRAINAGE_DIP, 4, 10, 2, 0.5F, p->dip != 0 ? 1.0F : 0.0F},
        {DRAINAGE_PHASE, 2, 10, 3, 0.5F, folds},
        {DRAINAGE_ALONG, 2, 11, 0, 0.5F, folds},
        {DRAINAGE_WARP_X, 4, plates - 1, 1, 0.5F, 0.25F},
        {DRAINAGE_WARP_Y, 4, plates - 1, 2, 0.5F, 0.25F},
        {DRAINAGE_RAGGED, 2, 11, 1, 0.5F, 1},
    };
    for (uint32_t k = 0; k < DRAINAGE_NOISES; k++) {
        struct drainage_noise *noise = &plan->noises[k];
        noise->row = noises[k].row;
        noise->octaves = noises[k].octaves;
        noise->period = noises[k].period;
        noise->turn = noises[k].turn;
        noise->gain = noises[k].gain;
        noise->amplitude = noises[k].amplitude;
        drainage_set_noise(noise, p, k);
    }
}

static void drainage_set_world(struct drainage_plan *plan, const drainage_params *p)
{
    uint64_t folds = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_FOLD);
    drainage_set_noises(plan, p);
    plan->plate_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_PLATE);
    plan->node_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_NODE);
    plan->detour_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_DETOUR);
    plan->rock_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_ROCK);
    plan->lake_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_LAKE);
    plan->seat_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_SEAT);
    plan->plate_period = drainage_log(p->plate_spacing);
    plan->plate_sharpness = p->belt_sharpness;
    plan->world = (struct drainage_world){
        .base_level = p->base_level,
        .plate_base = 0.15F,
        .plate_belt = 0.2F,
        .rolling = p->hills,
        .belts = p->ranges,
        .least_uplift = p->plains,
        .inverse_erodibility = 1 / p->erodibility,
        .coast = p->coast,
        .hardness = 2.885F * p->hardness_contrast,
        .dip = p->dip,
        .dip_control = p->plateau_rise,
        .fold = p->fold_height,
        .fold_frequency = p->fold_frequency,
        .fold_key_x = (uint32_t)folds,
        .fold_key_y = (uint32_t)(folds >> 32),
    };
}

/* ---- Steps and slopes ------------------------------------------------------------------------ */

void terrain__drainage_set_steps(struct drainage_steps *steps, const drainage_params *p)
{
    for (uint32_t k = 0; k <= DRAINAGE_TOP; k++) {
        steps[k] = (struct drainage_steps){
            .relax = 6,
            .flood = k >= 1 && k <= 4 && p->valley_width > 0 ? 4 : 0,
            .settle = 4,
            .capture = k >= 2,
            .areas = k == 1 ? 10 : 16,
            .smooth = k == 0 && p->smoothing > 0,
            .pin = k < 5 ? 8 : 3,
        };
    }
}

void terrain__drainage_set_plan(struct drainage_plan *plan, const drainage_params *p, uint32_t isa)
{
    drainage_set_world(plan, p);
    plan->law = (struct drainage_law){
        .concavity = p->concavity,
        .log2_talus = (float)((terrain__log((double)p->talus) +
                               0.2 * terrain__log(1 + (double)p->channel_area)) /
                              TERRAIN__LN2),
        .channel_area = p->channel_area,
        .inverse_crest = 1 / p->crest_area,
        .strata = p->strata_contrast,
        .inverse_thickness = 1 / p->strata_thickness,
        .inverse_strata_area = 1 / p->strata_area,
        .plateau = p->ceiling != NULL ? p->clearance : p->plateau,
        .plateau_rise = p->ceiling != NULL ? -(p->clearance + p->incision) : 0,
        .plateau_slope = p->ceiling != NULL || p->plateau > 0 ? 0.1F : 1.0F,
    };
    plan->pin_area = 4 * p->channel_area;
    for (uint32_t k = 0; k <= DRAINAGE_TOP; k++) {
        /* Paths get longer from level to level. */
        plan->least_slope[k] = k == 0 ? 0.0008F : 1.12F * plan->least_slope[k - 1];
    }
    plan->river_width = p->valley_width;
    plan->river_area = 2000;
    plan->river_depth = p->river_depth;
    plan->flood_slope = 0.03F;
    plan->raise = 5 * p->smoothing < 1 ? 5 * p->smoothing : 1;
    plan->wear = p->smoothing * p->smoothing;
    plan->sea_depth = p->sea_depth;
    /* So steep that most of the lakes spill into others, and below 1500 cells; but a plateau or a
     * ceiling, that is 300 control cells high itself, must not lie below its lakes. */
    const bool covered = p->ceiling != NULL || p->plateau > 0;
    plan->lake_level = covered ? 300 : 3750;
    plan->lake_bend = covered ? 0 : 2.5F;
    plan->lake_depth = p->lake_depth;
    plan->lake_rise = 0.8F * p->lake_depth;
    terrain__drainage_set_steps(plan->steps, p);
    plan->fields = terrain__drainage_fields_kernels(isa);
    plan->relax = terrain__drainage_relax_kernels(isa);
    plan->flow = terrain__drainage_flow_kernels(isa);
    plan->refine = terrain__drainage_refine_kernels(isa);
}
