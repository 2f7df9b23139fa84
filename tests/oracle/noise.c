/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_noise_params noise_params;

static uint64_t stream_of(const noise_params *p, uint32_t draw)
{
    return terrain__random_stream(p->seed, TERRAIN__KEY_generate_noise, draw);
}

static double fraction_of(uint64_t stream, int64_t index)
{
    return (double)terrain__mix(stream, (uint64_t)index) * 0x1p-64;
}

static int64_t modulo(int64_t i, int64_t count)
{
    return count > 0 ? (i % count + count) % count : i;
}

/* One octave's lattice, and the place on it of which the noise is wanted. */
typedef struct {
    uint32_t octave;
    uint32_t draw; /* what its draws come after */
    double step_x; /* lattice cells a cell */
    double step_y;
    int64_t count_x; /* lattice points in a repeat, 0 without one */
    int64_t count_y;
    double x, y; /* cells */
} lattice;

static uint32_t bits_of(const noise_params *p, const lattice *l, int64_t k, int64_t j)
{
    uint64_t stream = stream_of(p, l->draw + TERRAIN__DRAW_NOISE_NODE + l->octave);
    return terrain__random_cell(stream, modulo(k, l->count_x), modulo(j, l->count_y));
}

/* The gradient's slope at (x, y) from the point. */
static double slope(uint32_t bits, double x, double y)
{
    double turn = (double)(bits >> 12) * 0x1p-20 * 6.283185307179586;
    return cos(turn) * x + sin(turn) * y;
}

static double corner(const noise_params *p, const lattice *l, int64_t k, int64_t j, double u,
                     double v)
{
    uint32_t bits = bits_of(p, l, k, j);
    double value = (2.0 * (double)(bits & 0xFFF) + 1) / 4096 - 1;
    double c = sqrt(2) * slope(bits, u, v);
    if (p->basis == TERRAIN_GENERATE_NOISE_BASIS_VALUE) {
        return value;
    }
    return p->basis == TERRAIN_GENERATE_NOISE_BASIS_PERLIN ? c : 2 * c / 3 + value / 3;
}

static double fade(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double shift_of(const noise_params *p, const lattice *l, int64_t j)
{
    uint64_t origins = stream_of(p, l->draw + TERRAIN__DRAW_NOISE_ORIGIN + l->octave);
    uint64_t shifts = stream_of(p, l->draw + TERRAIN__DRAW_NOISE_SHIFT + l->octave);
    switch (p->basis) {
    case TERRAIN_GENERATE_NOISE_BASIS_PERLIN:
        return fraction_of(origins, 0);
    case TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX:
        return fmod(fraction_of(origins, 0) + 0.5 * (double)modulo(j, 2), 1);
    default:
        return fraction_of(shifts, modulo(j, l->count_y));
    }
}

/* Lattice row j, v below the row. */
static double along_row(const noise_params *p, const lattice *l, int64_t j, double v)
{
    double at = l->step_x * l->x + shift_of(p, l, j);
    int64_t k = (int64_t)floor(at);
    double u = at - (double)k;
    double left = corner(p, l, k, j, u, v);
    return left + fade(u) * (corner(p, l, k + 1, j, u - 1, v) - left);
}

/* All points of row j that may reach as far, and some that don't. */
static double discs_of_row(const noise_params *p, const lattice *l, int64_t j, double v)
{
    double at = l->step_x * l->x + shift_of(p, l, j);
    double sum = 0;
    for (int64_t k = (int64_t)floor(at) - 2; k <= (int64_t)floor(at) + 3; k++) {
        double u = (at - (double)k) * 2 / sqrt(3);
        double reach = fmax(0, 1 - u * u - v * v);
        sum += pow(reach, 4) * slope(bits_of(p, l, k, j), u, v);
    }
    return sum;
}

static double octave_at(const noise_params *p, const lattice *l)
{
    double origin = fraction_of(stream_of(p, l->draw + TERRAIN__DRAW_NOISE_ORIGIN + l->octave), 1);
    double at = l->step_y * l->y + origin;
    int64_t j = (int64_t)floor(at);
    double v = at - (double)j;
    double above;
    if (p->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        double sum = 0;
        for (int64_t i = -1; i <= 2; i++) {
            sum += discs_of_row(p, l, j + i, v - (double)i);
        }
        return 81 * sqrt(3) / 32 * sum;
    }
    above = along_row(p, l, j, v);
    return above + fade(v) * (along_row(p, l, j + 1, v - 1) - above);
}

/* The wave count is a multiple of `unit`. */
static void fit_repeat(double frequency, uint32_t repeat, int unit, double *step, int64_t *count)
{
    *step = frequency;
    *count = 0;
    if (repeat > 0) {
        double most = floor((double)repeat / 2 / unit);
        double whole = unit * fmin(fmax(floor(frequency * repeat / unit + 0.5), 1), most);
        *count = (int64_t)whole;
        *step = whole / repeat;
    }
}

static double sum_at(const noise_params *p, uint32_t draw, double x, double y)
{
    bool simplex = p->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX;
    double sum = (double)p->offset;
    double before = 0;
    for (uint32_t i = 0; i < p->octaves; i++) {
        double frequency = pow((double)p->lacunarity, i) / (double)p->period;
        double a = (double)p->amplitude * pow((double)p->gain, i);
        lattice l = {.octave = i, .draw = draw, .x = x, .y = y};
        double n;
        if (frequency > 0.5) {
            break;
        }
        fit_repeat(simplex ? frequency * sqrt(3) / 2 : frequency, p->repeat_width, 1, &l.step_x,
                   &l.count_x);
        fit_repeat(frequency, p->repeat_height, simplex ? 2 : 1, &l.step_y, &l.count_y);
        n = octave_at(p, &l);
        if (p->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_FBM) {
            sum += a * n;
        } else if (p->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_BILLOW) {
            sum += a * fabs(n);
        } else {
            double gate = i == 0 ? 1 : fmin(1, (double)p->feedback * before);
            before = (1 - fabs(n)) * (1 - fabs(n)) * gate;
            sum += a * before;
        }
    }
    return sum;
}

static double height_at(const noise_params *p, int64_t x, int64_t y)
{
    noise_params warp = {.seed = p->seed, .lacunarity = 2, .gain = 0.5f};
    double east, south;
    warp.amplitude = p->warp_amplitude;
    warp.period = p->warp_period;
    warp.octaves = p->warp_octaves;
    warp.repeat_width = p->repeat_width;
    warp.repeat_height = p->repeat_height;
    east = sum_at(&warp, TERRAIN__DRAW_NOISE_WARP_X, (double)x, (double)y);
    south = sum_at(&warp, TERRAIN__DRAW_NOISE_WARP_Y, (double)x, (double)y);
    return sum_at(p, 0, (double)x + east, (double)y + south);
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

/* Displacements of A cells have an error of 1e-6 A, which slopes of 1 to 3 turn into one of
 * heights. Positions are exact to 2^-24 of a lattice cell, and slopes reach 4 amplitudes a lattice
 * cell; the terms of the fade reach 15 and round by 2^-24 of that: together 2e-6 of the
 * amplitude. */
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
    {"basis=simplex", 67, 41, 0, 0, 1e-4},
    {"basis=simplex fractal=ridged period=30 seed=9", 67, 41, -400, 33, 3e-4},
    {"basis=simplex fractal=billow period=2 octaves=1", 67, 41, -7, -9, 1e-4},
    {"basis=simplex repeat_width=50 repeat_height=26 period=9", 110, 70, -5, -5, 2e-4},
    {"basis=simplex repeat_width=2 repeat_height=4", 20, 20, -5, -5, 2e-4},
    {"basis=value", 67, 41, 0, 0, 1e-4},
    {"basis=value fractal=ridged period=30 seed=9", 67, 41, -400, 33, 2e-4},
    {"basis=value fractal=billow repeat_width=50 period=11", 67, 41, -7, -9, 1e-4},
    {"warp_amplitude=30", 67, 41, 0, 0, 2e-4},
    {"warp_amplitude=40 warp_period=60 seed=3 period=300", 131, 97, -70, 8, 2e-4},
    {"warp_amplitude=9 warp_period=40 warp_octaves=5 fractal=ridged", 67, 41, -9, 0, 2e-4},
    {"warp_amplitude=12 warp_period=50 basis=simplex fractal=billow", 67, 41, 5, 5, 2e-4},
    {"warp_amplitude=25 basis=value warp_octaves=1", 67, 41, 0, 0, 2e-4},
    {"warp_amplitude=25 basis=perlin repeat_width=90 repeat_height=64", 110, 70, -5, -5, 2e-4},
    {"warp_amplitude=25 basis=simplex repeat_width=90 repeat_height=64", 110, 70, -5, -5, 2e-4},
    {"warp_amplitude=300 warp_period=5000 period=3000000 octaves=1 amplitude=1e6", 40, 40, 7, 7,
     0.5},
    /* Places so far apart that no table holds their lattice points. */
    {"warp_amplitude=1500 warp_period=9 octaves=3 period=60", 40, 40, -20, 0, 2e-3},
    {"warp_amplitude=1500 warp_period=9 octaves=2 period=60 basis=simplex", 40, 40, 0, 0, 4e-3},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_noise = {"generate_noise", compute, cases, 0};
