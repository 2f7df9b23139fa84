/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_spectral_params spectral_params;

typedef struct wave {
    int64_t u, v;
    double a, b; /* with f */
} wave;

static double bell(const spectral_params *p, uint32_t part, int64_t u, int64_t v)
{
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_generate_spectral,
                                             TERRAIN__DRAW_SPECTRAL_WAVE + part);
    uint32_t bits = terrain__random_cell(stream, u, v);
    return (double)(bits >> 24) + (double)(bits >> 16 & 255) + (double)(bits >> 8 & 255) +
           (double)(bits & 255) - 510;
}

/* All of them; returns their power. */
static double make_waves(const spectral_params *p, wave *waves, size_t *count)
{
    int64_t half = p->repeat / 2;
    double flat = (double)p->repeat / (double)p->period, power = 0;
    *count = 0;
    for (int64_t v = 1 - half; v < half; v++) {
        for (int64_t u = v > 0 ? 0 : 1; u < half; u++) {
            wave *w = &waves[(*count)++];
            double f = pow((double)(u * u + v * v) + flat * flat, -(double)p->beta / 4);
            w->u = u;
            w->v = v;
            w->a = f * bell(p, 0, u, v);
            w->b = f * bell(p, 1, u, v);
            power += w->a * w->a + w->b * w->b;
        }
    }
    return power;
}

/* The sum of all waves, one by one, with angles that are reduced in integers. */
static void compute(oracle_call *call)
{
    const spectral_params *p = call->params;
    const int64_t repeat = p->repeat;
    wave *waves = calloc((size_t)(repeat * repeat), sizeof *waves);
    double *cosine = calloc((size_t)repeat, sizeof *cosine);
    size_t count;
    if (waves == NULL || cosine == NULL) {
        abort();
    }
    double s = (double)p->amplitude / sqrt(make_waves(p, waves, &count) / 2);
    for (int64_t i = 0; i < repeat; i++) {
        cosine[i] = cos(2 * acos(-1) * (double)i / (double)repeat);
    }
    for (int64_t i = 0; i < call->result.width * call->result.height; i++) {
        int64_t x = (call->map.x + i % call->result.width) & (repeat - 1);
        int64_t y = (call->map.y + i / call->result.width) & (repeat - 1);
        double sum = 0;
        for (size_t k = 0; k < count; k++) {
            int64_t turn = (waves[k].u * x + waves[k].v * y) & (repeat - 1);
            sum +=
                waves[k].a * cosine[turn] - waves[k].b * cosine[(turn - repeat / 4) & (repeat - 1)];
        }
        call->result.cells[i] = (double)p->offset + s * sum;
    }
    free(waves);
    free(cosine);
}

/* What the header promises is 1e-5 of the amplitude; these are 8e-7 of it. */
static const oracle_case cases[] = {
    {"repeat=32", 37, 70, 0, 0, 1.2e-5},
    {"repeat=64 seed=3 beta=2 period=20 amplitude=1000", 67, 41, -7, -100, 8e-4},
    {"repeat=128 seed=9 beta=0 amplitude=-4", 33, 21, 1000, INT64_C(4611686018427387800), 3.2e-6},
    {"repeat=256 beta=8 period=1000000 amplitude=100", 21, 9, INT64_C(-4611686018427387904), 77,
     8e-5},
    {"repeat=512 seed=1", 23, 5, 500, 510, 1.2e-5},
    {"repeat=32 offset=300", 37, 7, -5, 1, 3e-5},
    {"amplitude=0 repeat=32", 9, 9, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_spectral = {"generate_spectral", compute, cases, 0};
