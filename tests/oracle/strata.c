/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "oracle/lattice.h"
#include "oracle/oracle.h"
#include "terrain/shape.h"

typedef terrain_shape_strata_params strata_params;

static const float standard_thickness[] = {14, 6, 9, 4};
static const float standard_hardness[] = {0.1f, 0.9f, 0.3f, 1};

/* Where the layers lie in a cell. Long double and modulo T, for origins far away; good to a multiple of
 * about 1e-3 at 2^62 if tilts are not binary fractions of T. */
static double foot_of(const oracle_call *call, int64_t x, int64_t y, double total)
{
    const strata_params *p = call->params;
    uint64_t stream =
        terrain__random_stream(p->seed, TERRAIN__KEY_SHAPE_STRATA, TERRAIN__DRAW_STRATA_FOLDS);
    long double east = (long double)((double)p->tilt_x * call->map.cell_size);
    long double south = (long double)((double)p->tilt_y * call->map.cell_size);
    long double tilt = fmodl(east * (long double)x, (long double)total) +
                       fmodl(south * (long double)y, (long double)total);
    return (double)tilt + (double)p->offset +
           (double)p->fold_amplitude * oracle_lattice(stream, p->fold_period, x, y);
}

static void compute(oracle_call *call)
{
    const strata_params *p = call->params;
    const float *thickness = p->thickness_count > 0 ? p->thickness : standard_thickness;
    const float *hardness = p->hardness_count > 0 ? p->hardness : standard_hardness;
    uint32_t layers = p->thickness_count > 0 ? p->thickness_count : 4;
    uint32_t hardnesses = p->hardness_count > 0 ? p->hardness_count : 4;
    oracle_map ids = oracle_output(call, "layer_id");
    oracle_map ranks = oracle_output(call, "layer_hardness");
    double total = 0;
    for (uint32_t i = 0; i < layers; i++) {
        total += (double)thickness[i];
    }
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            double h = *oracle_at(&call->map, x, y);
            double rest = fmod(h - foot_of(call, call->map.x + x, call->map.y + y, total), total);
            uint32_t i = 0;
            rest = rest < 0 ? rest + total : rest;
            while (i + 1 < layers && rest >= (double)thickness[i]) {
                rest -= (double)thickness[i++];
            }
            double k = (double)hardness[i % hardnesses], t = (double)thickness[i];
            double g = pow((double)p->sharpness, 2 * k - 1), u = rest / t;
            *oracle_at(&call->result, x, y) =
                h + (double)p->strength * t * (g * u / (1 + (g - 1) * u) - u);
            if (ids.cells != NULL) {
                *oracle_at(&ids, x, y) = i;
            }
            if (ranks.cells != NULL) {
                *oracle_at(&ranks, x, y) = k;
            }
        }
    }
}

/* A unit in the last place of 21; with folds, times the slope; far away, the tilt is rounded. */
static const oracle_case cases[] = {
    {"fold_amplitude=0", 67, 41, 0, 0, 2e-6},
    {"", 67, 41, -300, 77, 2e-5},
    {"seed=9 fold_period=13 fold_amplitude=3 sharpness=3 strength=1", 67, 41, -7, -100, 2e-5},
    {"tilt_x=0.3 tilt_y=-0.7 fold_amplitude=0 offset=3.5", 67, 41, 1000, -2000, 2e-5},
    {"thickness=3,5,1 hardness=1,0 fold_amplitude=0 layer_id=yes layer_hardness=yes", 67, 41, 0, 0,
     2e-6},
    {"thickness=7 hardness=0.75 tilt_x=-1.25 fold_amplitude=0 layer_id=yes", 67, 41, 1234567,
     987654321, 1e-4},
    {"strength=0", 9, 9, 0, 0, 0},
    {"sharpness=1", 9, 1, 0, 0, 2e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_strata = {"shape_strata", compute, cases, 1.5f};
