/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "oracle/lattice.h"
#include "oracle/oracle.h"
#include "terrain/shape.h"

typedef terrain_shape_strata_params strata_params;

/* The layers of one period. */
typedef struct {
    double thickness[64];
    double hardness[64];
    uint32_t count;
    double total;
} layers;

static layers layers_of(const strata_params *p)
{
    static const float thickness[] = {14, 6, 9, 4};
    static const float hardness[] = {0.1f, 0.9f, 0.3f, 1};
    const float *t = p->thickness_count > 0 ? p->thickness : thickness;
    const float *k = p->hardness_count > 0 ? p->hardness : hardness;
    uint32_t hardness_count = p->hardness_count > 0 ? p->hardness_count : 4;
    layers all = {{0}, {0}, p->thickness_count > 0 ? p->thickness_count : 4, 0};
    for (uint32_t i = 0; i < all.count; i++) {
        all.thickness[i] = (double)t[i];
        all.hardness[i] = (double)k[i % hardness_count];
        all.total += all.thickness[i];
    }
    return all;
}

/* What the layers rise in `cells` cells of `rise` each, modulo 2^64, in 2^-64 of `total`: rise /
 * total is divided out bit by bit, so that no distance loses any. */
static uint64_t phase_of(double rise, double total, int64_t cells)
{
    double rest = fmod(fabs(rise), total);
    uint64_t step = 0;
    for (int bit = 0; bit < 64; bit++) {
        rest *= 2;
        step = step << 1 | (rest >= total);
        rest -= rest >= total ? total : 0;
    }
    step += 2 * rest >= total;
    return (rise < 0 ? 0 - step : step) * (uint64_t)cells;
}

/* Where in a period of the layers h lies at a world cell: 0 to below total. */
static double place_of(const strata_params *p, const layers *all, double cell_size, int64_t x,
                       int64_t y, double h)
{
    uint64_t stream =
        terrain__random_stream(p->seed, TERRAIN__KEY_shape_strata, TERRAIN__DRAW_STRATA_FOLDS);
    uint64_t tilted = phase_of((double)p->tilt_x * cell_size, all->total, x) +
                      phase_of((double)p->tilt_y * cell_size, all->total, y);
    double above = h - (double)p->offset - (double)tilted * 0x1p-64 * all->total -
                   (double)p->fold_amplitude * oracle_lattice(stream, p->fold_period, x, y);
    return above - floor(above / all->total) * all->total;
}

static uint32_t layer_at(const layers *all, double place, double *foot)
{
    uint32_t i = 0;
    *foot = 0;
    while (i + 1 < all->count && place >= *foot + all->thickness[i]) {
        *foot += all->thickness[i++];
    }
    return i;
}

static void compute(oracle_call *call)
{
    const strata_params *p = call->params;
    layers all = layers_of(p);
    oracle_map ids = oracle_output(call, "layer_id");
    oracle_map hardness = oracle_output(call, "layer_hardness");
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            double h = *oracle_at(&call->map, x, y), foot;
            double place =
                place_of(p, &all, call->map.cell_size, call->map.x + x, call->map.y + y, h);
            uint32_t i = layer_at(&all, place, &foot);
            double t = all.thickness[i], u = (place - foot) / t;
            double g = pow((double)p->sharpness, 2 * all.hardness[i] - 1);
            *oracle_at(&call->result, x, y) =
                h + (double)p->strength * t * (g * u / (1 + (g - 1) * u) - u);
            if (ids.cells != NULL) {
                *oracle_at(&ids, x, y) = i;
            }
            if (hardness.cells != NULL) {
                *oracle_at(&hardness, x, y) = all.hardness[i];
            }
        }
    }
}

/* Results are rounded by 2^-20. n is exact to some 2^-22 of the folds' amplitude, which sharpness
 * multiplies at a layer's end. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 2e-5},
    {"layer_id=yes layer_hardness=yes", 67, 41, -300, 77, 2e-5},
    {"seed=5 fold_period=13 fold_amplitude=9 strength=1 sharpness=20 layer_id=yes", 67, 41, -300,
     77, 4e-4},
    {"fold_amplitude=0 tilt_x=0.313 tilt_y=-0.17 thickness=2,0.5,1 hardness=0,1 layer_id=yes "
     "layer_hardness=yes",
     67, 41, 0, 0, 2e-6},
    {"fold_amplitude=0 tilt_x=-3.3 tilt_y=1.7 thickness=7 hardness=0.8 offset=2.5", 67, 41,
     INT64_C(1099511627776), INT64_C(-4294967300), 2e-6},
    {"tilt_x=1.1 tilt_y=-0.013 offset=-100 layer_id=yes", 67, 41, INT64_C(4611686018427387000),
     INT64_C(-4611686018427387000), 2e-5},
    {"thickness=1000 hardness=0.2,0.7 offset=-300 fold_amplitude=100 fold_period=65536", 67, 41, 0,
     0, 2e-3},
    {"fold_period=1 fold_amplitude=30", 67, 41, -9, -9, 2e-6},
    {"strength=0", 67, 41, 0, 0, 0},
    {"sharpness=1 mask=yes", 9, 1, 0, 0, 2e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_strata = {"shape_strata", compute, cases, 2.5f};
