/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "core/random.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"

typedef terrain_generate_noise_params noise_params;

static uint64_t stream_of(const noise_params *p, uint32_t draw)
{
    return terrain__random_stream(p->seed, TERRAIN__KEY_GENERATE_NOISE, draw);
}

static double fraction_of(uint64_t stream, int64_t index)
{
    return (double)terrain__mix(stream, (uint64_t)index) * 0x1p-64;
}

static int64_t modulo(int64_t i, int64_t count)
{
    return count > 0 ? (i % count + count) % count : i;
}

/* One octave's lattice. */
typedef struct {
    uint32_t octave;
    double step_x; /* lattice cells a cell */
    double step_y;
    int64_t count_x; /* lattice points in a repeat, 0 without one */
    int64_t count_y;
} lattice;

static double corner(const noise_params *p, const lattice *l, int64_t k, int64_t j, double u,
                     double v)
{
    uint32_t bits = terrain__random_cell(stream_of(p, TERRAIN__DRAW_NOISE_NODE + l->octave),
                                         modulo(k, l->count_x), modulo(j, l->count_y));
    double turn = (double)(bits >> 12) * 0x1p-20 * 6.283185307179586;
    double value = (2.0 * (double)(bits & 0xFFF) + 1) / 4096 - 1;
    double slope = sqrt(2) * (cos(turn) * u + sin(turn) * v);
    return p->basis == TERRAIN_NOISE_PERLIN ? slope : 2 * slope / 3 + value / 3;
}

static double fade(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Lattice row j, at cell column x, v below the row. */
static double along_row(const noise_params *p, const lattice *l, int64_t x, int64_t j, double v)
{
    double shift = p->basis == TERRAIN_NOISE_PERLIN
                       ? fraction_of(stream_of(p, TERRAIN__DRAW_NOISE_ORIGIN + l->octave), 0)
                       : fraction_of(stream_of(p, TERRAIN__DRAW_NOISE_SHIFT + l->octave),
                                     modulo(j, l->count_y));
    double at = l->step_x * (double)x + shift;
    int64_t k = (int64_t)floor(at);
    double u = at - (double)k;
    double left = corner(p, l, k, j, u, v);
    return left + fade(u) * (corner(p, l, k + 1, j, u - 1, v) - left);
}

static double octave_at(const noise_params *p, const lattice *l, int64_t x, int64_t y)
{
    double origin = fraction_of(stream_of(p, TERRAIN__DRAW_NOISE_ORIGIN + l->octave), 1);
    double at = l->step_y * (double)y + origin;
    int64_t j = (int64_t)floor(at);
    double v = at - (double)j;
    double above = along_row(p, l, x, j, v);
    return above + fade(v) * (along_row(p, l, x, j + 1, v - 1) - above);
}

static void fit_repeat(double frequency, uint32_t repeat, double *step, int64_t *count)
{
    *step = frequency;
    *count = 0;
    if (repeat > 0) {
        double whole = fmin(fmax(floor(frequency * repeat + 0.5), 1), floor((double)repeat / 2));
        *count = (int64_t)whole;
        *step = whole / repeat;
    }
}

static double height_at(const noise_params *p, int64_t x, int64_t y)
{
    double sum = (double)p->offset;
    double before = 0;
    for (uint32_t i = 0; i < p->octaves; i++) {
        double frequency = pow((double)p->lacunarity, i) / (double)p->period;
        double a = (double)p->amplitude * pow((double)p->gain, i);
        lattice l = {i, 0, 0, 0, 0};
        double n;
        if (frequency > 0.5) {
            break;
        }
        fit_repeat(frequency, p->repeat_width, &l.step_x, &l.count_x);
        fit_repeat(frequency, p->repeat_height, &l.step_y, &l.count_y);
        n = octave_at(p, &l, x, y);
        if (p->fractal == TERRAIN_NOISE_FBM) {
            sum += a * n;
        } else if (p->fractal == TERRAIN_NOISE_BILLOW) {
            sum += a * fabs(n);
        } else {
            double gate = i == 0 ? 1 : fmin(1, (double)p->feedback * before);
            before = (1 - fabs(n)) * (1 - fabs(n)) * gate;
            sum += a * before;
        }
    }
    return sum;
}

static void compute(oracle_call *call)
{
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            *oracle_at(&call->result, x, y) =
                height_at(call->params, call->result.x + x, call->result.y + y);
        }
    }
}

/* Positions are exact to 2^-24 of a lattice cell, and slopes reach 4 amplitudes a lattice cell; the terms
 * of the fade reach 15 and round by 2^-24 of that: together 2e-6 of the amplitude. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 1e-4},
    {"seed=5 octaves=1 period=31.7", 67, 41, -300, 12, 1e-4},
    {"fractal=ridged", 67, 41, 1000, -2000, 2e-4},
    {"fractal=ridged feedback=0.7 gain=0.8 lacunarity=1.7", 67, 41, 0, 0, 2e-4},
    {"fractal=billow octaves=4 offset=-20 amplitude=-30", 67, 41, 0, 0, 1e-4},
    {"basis=perlin period=20 octaves=3", 67, 41, -7, -9, 1e-4},
    {"basis=perlin period=2 octaves=32 gain=1", 67, 41, 0, 0, 1e-4},
    {"repeat_width=100 repeat_height=64 period=33", 110, 70, -5, -5, 1e-4},
    {"repeat_height=5 period=2.1 basis=perlin", 20, 70, -5, -5, 1e-4},
    {"repeat_width=7 period=1000", 20, 20, 0, 0, 1e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_noise = {"generate_noise", compute, cases, 0};
