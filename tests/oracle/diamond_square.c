/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

/* Point by point, by recursion to its parents, without remembering anything. */

static double number(const terrain_generate_diamond_square_params *p, int level, int64_t x,
                     int64_t y)
{
    uint32_t draw = level == 0 ? TERRAIN__DRAW_DIAMOND_SQUARE_LATTICE
                               : TERRAIN__DRAW_DIAMOND_SQUARE_LEVEL + (uint32_t)level;
    int64_t s = (int64_t)(p->spacing >> level);
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_generate_diamond_square, draw);
    uint32_t bits = terrain__random_cell(stream, x / s, y / s);
    if (p->distribution == TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM) {
        return (double)terrain__signed_float(bits);
    }
    return ((double)((bits & 255) + (bits >> 8 & 255) + (bits >> 16 & 255) + (bits >> 24)) - 510) /
           256;
}

/* The height of a point of the lattice of `level`, after that level. `displaced` is 0 for the
 * height before old points are displaced. */
static double height(const terrain_generate_diamond_square_params *p, int level, int64_t x,
                     int64_t y, int displaced)
{
    double a = (double)p->amplitude * pow((double)p->gain, level);
    int64_t s = (int64_t)(p->spacing >> level);
    int odd_x = (x / s) % 2 != 0;
    int odd_y = (y / s) % 2 != 0;
    if (level == 0) {
        return (double)p->offset + a * number(p, 0, x, y);
    }
    if (!odd_x && !odd_y) {
        double h = height(p, level - 1, x, y, 1);
        return displaced && p->displace_all ? h + a * number(p, level, x, y) : h;
    }
    if (odd_x && odd_y) {
        double sum = height(p, level - 1, x - s, y - s, 1) + height(p, level - 1, x + s, y - s, 1) +
                     height(p, level - 1, x - s, y + s, 1) + height(p, level - 1, x + s, y + s, 1);
        return sum / 4 + a * number(p, level, x, y);
    }
    int64_t dx = odd_x ? s : 0;
    int64_t dy = odd_x ? 0 : s;
    double ends = height(p, level, x - dx, y - dy, 0) + height(p, level, x + dx, y + dy, 0);
    double mean = ends / 2;
    if (p->mode == TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_DIAMOND4) {
        mean =
            (ends + height(p, level, x - dy, y - dx, 0) + height(p, level, x + dy, y + dx, 0)) / 4;
    }
    return mean + a * sqrt((double)p->gain) * number(p, level, x, y);
}

static void compute(oracle_call *call)
{
    const terrain_generate_diamond_square_params *p = call->params;
    int levels = 0;
    while (p->spacing >> levels > 1) {
        levels++;
    }
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            *oracle_at(&call->result, x, y) =
                height(p, levels, call->result.x + x, call->result.y + y, 1);
        }
    }
}

/* A few roundings a level of heights up to about 100. */
static const oracle_case cases[] = {
    {"spacing=8", 37, 21, 0, 0, 5e-5},
    {"spacing=8 mode=edge2 seed=7", 37, 21, -13, -50, 5e-5},
    {"spacing=16 displace_all=1 gain=0.6", 21, 19, 1000, -3, 1e-4},
    {"spacing=8 distribution=gaussian amplitude=10 seed=18446744073709551615", 21, 19, 5, 5, 1e-5},
    {"spacing=8 mode=edge2 displace_all=1", 21, 19, 4294967290, -4294967300, 5e-5},
    {"spacing=16 offset=-500 seed=2", 21, 19, -9, 40, 2e-4}, /* a float is 6e-5 long there */
    {"spacing=1", 21, 19, -5, -6, 1e-5},
    {"spacing=32", 6, 5, 29, 61, 5e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_diamond_square = {"generate_diamond_square", compute, cases, 0};
