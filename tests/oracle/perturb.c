/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/shape.h"
#include "vector/random.h"

typedef terrain_shape_perturb_params perturb_params;

/* i / 2, rounded down. */
static int64_t half_of(int64_t i)
{
    return (i - (i % 2 != 0 && i < 0 ? 1 : 0)) / 2;
}

/* The number of square (i, j) of a level, by recursion: each asks four squares of the level
 * above. */
static double number_of(const perturb_params *p, uint32_t level, int axis, int64_t i, int64_t j)
{
    double number = 0;
    if (level > 0) {
        int64_t a = half_of(i), b = half_of(j);
        int64_t across = i - 2 * a == 0 ? a - 1 : a + 1, down = j - 2 * b == 0 ? b - 1 : b + 1;
        number = (9 * number_of(p, level - 1, axis, a, b) +
                  3 * number_of(p, level - 1, axis, across, b) +
                  3 * number_of(p, level - 1, axis, a, down) +
                  number_of(p, level - 1, axis, across, down)) /
                 16;
    }
    if (level < p->octaves) {
        uint32_t bits =
            terrain__random_cell(terrain__random_stream(p->seed, TERRAIN__KEY_shape_perturb,
                                                        TERRAIN__DRAW_PERTURB_LEVEL + level),
                                 i, j);
        double b = axis == 0 ? (double)(bits >> 16) : (double)(bits & 65535);
        number += pow((double)p->gain, (double)level) * ((2 * b + 1) / 65536 - 1);
    }
    return number;
}

static double shift_of(const oracle_call *call, const oracle_map given[2], int axis, int64_t x,
                       int64_t y)
{
    const perturb_params *p = call->params;
    double reach = (double)p->reach, sum = 0, t;
    uint32_t last = (uint32_t)(log2((double)p->period) + 0.5);
    if (given[0].cells != NULL || given[1].cells != NULL) {
        double s = given[axis].cells != NULL ? *oracle_at(&given[axis], x, y) : 0;
        return isnan(s) ? 0 : fmax(-reach, fmin(reach, s));
    }
    for (uint32_t k = 0; k <= last && k < p->octaves; k++) {
        sum += pow((double)p->gain, (double)k);
    }
    t = 1.5 * number_of(p, last, axis, call->map.x + x, call->map.y + y) / sum;
    t = fmax(-1, fmin(1, t));
    return reach * t * (3 - t * t) / 2;
}

/* The cell that stands for cell i of `count`, or -1. */
static int64_t inside(int64_t i, int64_t count, terrain_border border)
{
    while (i < 0 || i >= count) {
        if (border == TERRAIN_BORDER_OPEN) {
            return -1;
        }
        if (border == TERRAIN_BORDER_CLAMP) {
            return i < 0 ? 0 : count - 1;
        }
        if (border == TERRAIN_BORDER_MIRROR) {
            i = i < 0 ? -1 - i : 2 * count - 1 - i;
        } else {
            i += i < 0 ? count : -count;
        }
    }
    return i;
}

static double height_at(const oracle_call *call, int64_t x, int64_t y)
{
    const perturb_params *p = call->params;
    int64_t column = inside(x, call->map.width, p->border);
    int64_t row = inside(y, call->map.height, p->border);
    return column < 0 || row < 0 ? 0 : *oracle_at(&call->map, column, row);
}

/* Between h[1] and h[2]. */
static double between(const double h[4], double t, terrain_shape_perturb_filter kind)
{
    double low = fmin(h[1], h[2]), high = fmax(h[1], h[2]), result;
    if (t == 0) {
        return h[1];
    }
    if (kind == TERRAIN_SHAPE_PERTURB_FILTER_BILINEAR) {
        return h[1] + t * (h[2] - h[1]);
    }
    result = h[1] + (-t + 2 * t * t - t * t * t) / 2 * (h[0] - h[1]) +
             (t + 4 * t * t - 3 * t * t * t) / 2 * (h[2] - h[1]) +
             (-t * t + t * t * t) / 2 * (h[3] - h[1]);
    return kind == TERRAIN_SHAPE_PERTURB_FILTER_BICUBIC ? result : fmax(low, fmin(high, result));
}

static void compute(oracle_call *call)
{
    const perturb_params *p = call->params;
    const oracle_map given[2] = {oracle_input(call, "shift_x"), oracle_input(call, "shift_y")};
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            double sx = shift_of(call, given, 0, x, y), sy = shift_of(call, given, 1, x, y);
            int64_t left = (int64_t)floor(sx), above = (int64_t)floor(sy);
            double rows[4];
            for (int k = 0; k < 4; k++) {
                double row[4];
                for (int i = 0; i < 4; i++) {
                    row[i] = height_at(call, x + left + i - 1, y + above + k - 1);
                }
                rows[k] = between(row, sx - (double)left, p->filter);
            }
            *oracle_at(&call->result, x, y) = between(rows, sy - (double)above, p->filter);
        }
    }
    free(given[0].cells);
    free(given[1].cells);
}

/* Shifts are off by a few units in the last place of the reach, times slopes of up to 20 a cell;
 * given ones by nothing, and heights by units in the last place of 21. */
static const oracle_case cases[] = {
    {"", 37, 29, -300, 77, 1.5e-4},
    {"filter=bilinear period=16 octaves=3 reach=9.5 seed=7", 37, 29, -7, -30, 8e-5},
    {"filter=bicubic period=8 octaves=17 reach=3 gain=0.8 border=wrap", 37, 29, -7,
     INT64_C(4611686018427387000), 1.5e-5},
    {"period=4 octaves=1 reach=20 border=open gain=1", 21, 33, INT64_C(4294967290),
     INT64_C(-2147483660), 1.5e-4},
    {"period=2 octaves=2 reach=1 border=clamp filter=bilinear", 35, 9, 5, 5, 6e-6},
    {"reach=200 border=wrap", 9, 5, 0, 0, 1.5e-4},
    {"reach=6 shift_x=yes shift_y=yes filter=bicubic", 67, 21, 0, 0, 8e-6},
    {"reach=6 shift_y=yes filter=bilinear border=open", 67, 21, 0, 0, 4e-6},
    {"reach=0", 9, 9, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_perturb = {"shape_perturb", compute, cases, 1.5f};
