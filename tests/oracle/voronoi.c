/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_voronoi_params voronoi_params;

/* Squares around a cell's own among which its nearest three points are: three of the points of the
 * 3 by 3 squares around it are nearer than 3 squares, by any metric. */
enum { REACH = 4 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Of a square's coordinate, counted around the world if that repeats. */
static int64_t counted(int64_t i, uint32_t repeat, uint32_t spacing)
{
    int64_t count = (int64_t)(repeat / spacing);
    return count == 0 ? i : i - floor_div(i, count) * count;
}

/* The random bits of square (i, j). */
static uint32_t bits_of(const voronoi_params *p, uint32_t draw, int64_t i, int64_t j)
{
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_generate_voronoi, draw);
    return terrain__random_cell(stream, counted(i, p->repeat_width, p->spacing),
                                counted(j, p->repeat_height, p->spacing));
}

/* A point's place along one axis, from where its square begins. */
static double place(const voronoi_params *p, uint32_t u)
{
    double grain = 1;
    double jitter;
    while ((double)p->spacing * 2 / grain <= 65536) {
        grain /= 2;
    }
    jitter = floor((double)p->spacing * (double)p->jitter / grain) * grain;
    return floor((p->spacing * 0.5 + jitter * (u / 65536.0 - 0.5)) / grain) * grain;
}

static double distance(const voronoi_params *p, double dx, double dy)
{
    dx = fabs(dx) / p->spacing;
    dy = fabs(dy) / p->spacing;
    switch (p->metric) {
    case TERRAIN_METRIC_EUCLIDEAN:
        return sqrt(dx * dx + dy * dy);
    case TERRAIN_METRIC_SQUARED:
        return dx * dx + dy * dy;
    case TERRAIN_METRIC_MANHATTAN:
        return dx + dy;
    default:
        return fmax(dx, dy);
    }
}

/* The distances of the nearest three, and the nearest one's id; squares come by rows, so that the
 * first of equally near points is the one that counts. */
static void nearest(const voronoi_params *p, int64_t x, int64_t y, double d[3], double *id)
{
    int64_t i0 = floor_div(x, p->spacing), j0 = floor_div(y, p->spacing);
    d[0] = d[1] = d[2] = 1e9;
    for (int64_t j = j0 - REACH; j <= j0 + REACH; j++) {
        for (int64_t i = i0 - REACH; i <= i0 + REACH; i++) {
            uint32_t bits = bits_of(p, TERRAIN__DRAW_VORONOI_PLACE, i, j);
            double found = distance(p, (double)(x - i * p->spacing) - place(p, bits >> 16),
                                    (double)(y - j * p->spacing) - place(p, bits & 65535));
            if (found < d[0]) {
                *id = (bits_of(p, TERRAIN__DRAW_VORONOI_ID, i, j) >> 8) / 16777216.0;
            }
            for (int k = 0; k < 3; k++) {
                double farther = fmax(d[k], found);
                d[k] = fmin(d[k], found);
                found = farther;
            }
        }
    }
}

static void compute(oracle_call *call)
{
    const voronoi_params *p = call->params;
    oracle_map ids = oracle_output(call, "id");
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            double d[3], id = 0;
            nearest(p, call->result.x + x, call->result.y + y, d, &id);
            double s = (double)p->c1 * d[0] + (double)p->c2 * d[1] + (double)p->c3 * d[2];
            *oracle_at(&call->result, x, y) =
                (double)p->offset + (double)p->amplitude * (1 - (double)p->variation * id) *
                                        ((double)p->linear * s + (double)p->quadratic * s * s);
            if (ids.cells != NULL) {
                *oracle_at(&ids, x, y) = id;
            }
        }
    }
}

/* Distances up to 2, of a relative error of 2^-22, times amplitude and weights; the squared
 * metric's up to 4. */
static const oracle_case cases[] = {
    {"variation=0.5", 67, 41, 0, 0, 1e-4},
    {"seed=3 id=yes spacing=17 c3=0.5 quadratic=0.3 jitter=0.8 variation=0.5", 67, 61, -40, 12,
     4e-4},
    {"id=yes spacing=8 c1=1 c2=0 variation=1", 97, 61, -40, -70, 2e-4},
    {"metric=squared id=yes spacing=32 seed=9 variation=0.5", 67, 41, 1000, -7, 3e-4},
    {"metric=manhattan id=yes spacing=24 seed=8 c2=-0.3 c3=0.7 variation=0.5", 97, 51, -100, 5,
     3e-4},
    /* Here the third nearest point is three squares away, which is rare. */
    {"metric=manhattan c1=0 c2=0 c3=1 spacing=64 seed=1", 40, 9, 896446 * 64 + 20, 39 * 64, 3e-4},
    {"metric=chebyshev id=yes spacing=20 seed=7 variation=0.5", 97, 51, -100, 5, 2e-4},
    {"spacing=2 id=yes seed=6 variation=0.5", 41, 67, -10, -10, 3e-4},
    {"spacing=3 metric=chebyshev jitter=0.01 id=yes variation=0.5", 41, 67, -10, -10, 3e-4},
    {"jitter=0 spacing=10 id=yes variation=0.5", 37, 41, -10, -10, 1e-4},
    {"jitter=0.3 spacing=65536 id=yes variation=0.5", 37, 41, 32750, 98290, 1e-4},
    {"spacing=1000 id=yes seed=4 variation=0.5", 67, 41, -4321, 8765, 1e-4},
    {"spacing=14 repeat_width=14 repeat_height=42 id=yes variation=0.5", 67, 61, -40, -30, 1e-4},
    {"spacing=9 repeat_width=27 id=yes offset=-300 amplitude=-40 variation=0.5", 67, 61, -40, -30,
     2e-4},
    {"spacing=12 id=yes seed=18446744073709551615 variation=0.5", 67, 41,
     INT64_C(4611686018427387000), INT64_C(-4611686018427387000), 2e-4},
    {"spacing=65536 amplitude=10000 variation=0.5", 67, 41, 65500, -20, 1e-2},
    {"c1=0.5 c2=-1 c3=2 linear=0.5 quadratic=-0.25 spacing=10 variation=0.5", 67, 41, 0, 0, 4e-4},
    {"id=yes variation=0.5", 1, 1, 0, 0, 1e-4},
    {"spacing=20 c1=1 c2=0", 41, 30, 3, -60, 1e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_voronoi = {"generate_voronoi", compute, cases, 0};
