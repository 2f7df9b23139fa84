/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

enum { MOST_CELLS = 4096, BLOCK = 64 };

/* One pass along a line, in its own direction: cell i of the line is world cell first + i *
 * step. */
typedef struct {
    int64_t count;
    int64_t first;
    int64_t step;
    terrain_erode_fir_mode mode;
    double e;
    int64_t warm;
    double start; /* what p begins with at the line's first cell */
} pass;

/* The smallest number with ratio^number < 2^-25, or 1025 if it is larger. */
static int64_t warm_up(double ratio)
{
    int64_t warm = 0;
    for (double power = 1; power >= 0x1p-25 && warm <= 1024; power *= ratio) {
        warm++;
    }
    return warm;
}

/* The place in the line where the block of cell i begins. */
static int64_t block_begin(const pass *p, int64_t i)
{
    int64_t world = p->first + i * p->step;
    int64_t in_block = (world % BLOCK + BLOCK) % BLOCK;
    return i - (p->step > 0 ? in_block : BLOCK - 1 - in_block);
}

/* p_i and q_i by the recursion of the block of cell i. */
static double recurse(const pass *p, const double *x, int64_t i, double *q)
{
    int64_t begin = p->warm > 1024 ? 0 : block_begin(p, i) - p->warm;
    int64_t k = begin > 0 ? begin : 0;
    double value = k == 0 ? p->start : x[k];
    *q = 0;
    for (k++; k <= i; k++) {
        double drop = value - x[k];
        *q = 0;
        if (p->mode == TERRAIN_ERODE_FIR_MODE_SMEAR) {
            value = p->e * value + (1 - p->e) * x[k];
        } else if (p->mode == TERRAIN_ERODE_FIR_MODE_DOWNHILL) {
            value = drop > 0 ? p->e * value + (1 - p->e) * x[k] : x[k];
        } else {
            *q = p->e / 2 * fmax(drop, 0);
            value = x[k] + *q;
        }
    }
    return value;
}

static void run_pass(const pass *p, double *x)
{
    double out[MOST_CELLS];
    for (int64_t i = 0; i < p->count; i++) {
        double q;
        double given = 0;
        double value = recurse(p, x, i, &q);
        if (p->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING && i + 1 < p->count) {
            recurse(p, x, i + 1, &given);
        }
        out[i] = value - given;
    }
    memcpy(x, out, (size_t)p->count * sizeof *out);
}

static void reverse(double *x, int64_t count)
{
    for (int64_t i = 0; i < count / 2; i++) {
        double swap = x[i];
        x[i] = x[count - 1 - i];
        x[count - 1 - i] = swap;
    }
}

/* There and back. */
static void run_line(double *x, int64_t count, int64_t world,
                     const terrain_erode_fir_params *params)
{
    double e = (double)params->erosion;
    double ratio = params->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING ? e / 2 : e;
    pass p = {count, world, 1, params->mode, e, warm_up(ratio), x[0]};
    double last = x[count - 1];
    run_pass(&p, x);
    p.start = x[count - 1];
    if (p.mode == TERRAIN_ERODE_FIR_MODE_SMEAR) {
        p.start = last + (x[count - 1] - last) / (1 + e);
    }
    p.first = world + count - 1;
    p.step = -1;
    reverse(x, count);
    run_pass(&p, x);
    reverse(x, count);
}

static void compute(oracle_call *call)
{
    oracle_map *map = &call->map;
    double line[MOST_CELLS];
    for (int64_t y = 0; y < map->height; y++) {
        run_line(map->cells + y * map->width, map->width, map->x, call->params);
    }
    for (int64_t x = 0; x < map->width; x++) {
        for (int64_t y = 0; y < map->height; y++) {
            line[y] = *oracle_at(map, x, y);
        }
        run_line(line, map->height, map->y, call->params);
        for (int64_t y = 0; y < map->height; y++) {
            *oracle_at(map, x, y) = line[y];
        }
    }
    memcpy(call->result.cells, map->cells, (size_t)(map->width * map->height) * sizeof(double));
}

/* Four passes round by 2^-24 of 21 a cell, which the recursion sums up to 1 / (1 - e) times. */
static const oracle_case cases[] = {
    {"", 131, 141, 0, 0, 1e-5},
    {"erosion=0", 40, 30, 0, 0, 0},
    {"erosion=0.6", 131, 70, -33, 1000, 1e-5},
    {"erosion=0.9", 190, 70, 63, -1, 4e-5},
    {"erosion=0.99", 131, 70, 5, 5, 2e-4},
    {"erosion=1", 40, 30, 5, 5, 1e-5},
    {"mode=downhill erosion=0.5", 131, 141, -33, 7, 1e-5},
    {"mode=downhill erosion=1", 40, 30, 5, 5, 1e-5},
    {"mode=conserving", 131, 141, -100, 90, 1e-5},
    {"mode=conserving erosion=1", 131, 141, 0, 0, 2e-5},
    {"", 1, 30, 0, 0, 1e-5},
    {"mode=conserving", 30, 1, 40, 40, 1e-5},
    {"", 1, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_fir = {"erode_fir", compute, cases, 0};
