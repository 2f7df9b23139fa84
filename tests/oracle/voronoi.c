/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "core/random.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"

typedef terrain_generate_voronoi_params voronoi_params;

/* How far the search goes: in squares, from the cell's own. */
enum { REACH = 4 };

typedef struct point {
    double distance; /* in units of spacing */
    double id;
} point;

static int64_t square_of(int64_t cell, int64_t spacing)
{
    return (cell - ((cell % spacing) + spacing) % spacing) / spacing;
}

static int64_t modulo(int64_t i, uint32_t repeat, uint32_t spacing)
{
    int64_t count = repeat / spacing;
    return count > 0 ? (i % count + count) % count : i;
}

static uint32_t bits_of(const voronoi_params *p, uint32_t draw, int64_t i, int64_t j)
{
    return terrain__random_cell(
        terrain__random_stream(p->seed, TERRAIN__KEY_GENERATE_VORONOI, draw),
        modulo(i, p->repeat_width, p->spacing), modulo(j, p->repeat_height, p->spacing));
}

/* Cells from the square's edge to its point. */
static double place_of(const voronoi_params *p, uint32_t bits)
{
    double spacing = p->spacing;
    double grain = exp2(-floor(log2(65536 / spacing)));
    double range = floor(spacing * (double)p->jitter / grain) * grain;
    return floor((spacing / 2 + range * (bits / 65536.0 - 0.5)) / grain) * grain;
}

static double distance_of(const voronoi_params *p, double dx, double dy)
{
    dx = fabs(dx) / p->spacing;
    dy = fabs(dy) / p->spacing;
    switch (p->metric) {
    case TERRAIN_VORONOI_EUCLIDEAN:
        return hypot(dx, dy);
    case TERRAIN_VORONOI_SQUARED:
        return dx * dx + dy * dy;
    case TERRAIN_VORONOI_MANHATTAN:
        return dx + dy;
    default:
        return fmax(dx, dy);
    }
}

/* Puts the point in its place among the nearest three; behind those that are as near. */
static void insert(point *nearest, point new)
{
    for (uint32_t k = 0; k < 3; k++) {
        if (new.distance < nearest[k].distance) {
            point old = nearest[k];
            nearest[k] = new;
            new = old;
        }
    }
}

static void search(const voronoi_params *p, int64_t x, int64_t y, point *nearest)
{
    int64_t column = square_of(x, p->spacing);
    int64_t row = square_of(y, p->spacing);
    for (uint32_t k = 0; k < 3; k++) {
        nearest[k] = (point){HUGE_VAL, 0};
    }
    for (int64_t j = row - REACH; j <= row + REACH; j++) {
        for (int64_t i = column - REACH; i <= column + REACH; i++) {
            uint32_t bits = bits_of(p, TERRAIN__DRAW_VORONOI_PLACE, i, j);
            double dx = (double)(i * p->spacing - x) + place_of(p, bits >> 16);
            double dy = (double)(j * p->spacing - y) + place_of(p, bits & 0xFFFF);
            uint32_t name = bits_of(p, TERRAIN__DRAW_VORONOI_ID, i, j) >> 8;
            insert(nearest, (point){distance_of(p, dx, dy), name / 16777216.0});
        }
    }
}

static void compute(oracle_call *call)
{
    const voronoi_params *p = call->params;
    oracle_map ids = oracle_output(call, "id");
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            point d[3];
            double s;
            search(p, call->result.x + x, call->result.y + y, d);
            s = (double)p->c1 * d[0].distance + (double)p->c2 * d[1].distance +
                (double)p->c3 * d[2].distance;
            *oracle_at(&call->result, x, y) =
                (double)p->offset + (double)p->amplitude * (1 - (double)p->variation * d[0].id) *
                                        ((double)p->linear * s + (double)p->quadratic * s * s);
            if (ids.cells != NULL) {
                *oracle_at(&ids, x, y) = d[0].id;
            }
        }
    }
}

/* Distances have relative errors of 2^-22, are below 3 and have weights of about 1; heights of the
 * default amplitude of 100 come to 2e-4. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 1e-4},
    {"id=yes spacing=9 seed=4", 67, 41, -1000, 77, 1e-4},
    {"c1=1 c2=0 variation=0 spacing=21", 67, 41, 50, -300, 1e-4},
    {"c1=0.5 c2=-1 c3=2 linear=0.5 quadratic=-0.25 spacing=10 offset=7", 67, 41, 0, 0, 4e-4},
    {"metric=squared c3=-0.5 jitter=0.6 spacing=17", 67, 41, 11, 12, 4e-4},
    {"metric=manhattan c3=0.7 spacing=14 id=yes", 67, 41, -3, -4, 4e-4},
    {"metric=chebyshev spacing=14 jitter=0.3 id=yes variation=1", 67, 41, 9, -4, 1e-4},
    {"spacing=2 c3=1 variation=0", 40, 20, 0, 0, 4e-4},
    {"spacing=16 jitter=0 variation=0", 67, 41, 3, 4, 1e-4},
    {"spacing=12 repeat_width=24 repeat_height=12 c3=-0.1", 67, 41, -50, 20, 2e-4},
    {"spacing=65536 amplitude=10000", 67, 41, 65500, -20, 1e-2},
    {"id=yes", 1, 1, -1, -1, 1e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_voronoi = {"generate_voronoi", compute, cases, 0};
