/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/erode.h"
#include "vector/random.h"

typedef terrain_erode_gullies_params gullies_params;

static double clamped(const oracle_map *map, int64_t x, int64_t y)
{
    x = x < 0 ? 0 : x >= map->width ? map->width - 1 : x;
    y = y < 0 ? 0 : y >= map->height ? map->height - 1 : y;
    return *oracle_at(map, x, y);
}

/* The map with `pad` cells more on each side. */
static oracle_map padded(const oracle_map *map, int64_t pad)
{
    oracle_map wide = {.width = map->width + 2 * pad, .height = map->height + 2 * pad};
    wide.cells = malloc((size_t)(wide.width * wide.height) * sizeof *wide.cells);
    if (wide.cells == NULL) {
        abort();
    }
    for (int64_t i = 0; i < wide.width * wide.height; i++) {
        wide.cells[i] = clamped(map, i % wide.width - pad, i / wide.width - pad);
    }
    return wide;
}

/* What lies beyond the padding does not reach the map. */
static oracle_map smoothed(oracle_map from, int64_t step)
{
    oracle_map to = padded(&from, 0);
    for (int64_t i = 0; i < to.width * to.height; i++) {
        double sum = 0;
        for (int64_t dy = -1; dy <= 1; dy++) {
            for (int64_t dx = -1; dx <= 1; dx++) {
                double weight = (double)((2 - llabs(dx)) * (2 - llabs(dy))) / 16;
                sum += weight * clamped(&from, i % to.width + dx * step, i / to.width + dy * step);
            }
        }
        to.cells[i] = sum;
    }
    free(from.cells);
    return to;
}

static double parabola(double g)
{
    return 16 * g * (0.5 - fabs(g));
}

/* Where the cell of number `cell` lies in lattice cells; the lattice row's or point's number is
 * taken off. */
static double place(int64_t cell, double distance, uint64_t origin, double half, int64_t *number)
{
    double at = (double)cell / distance + (double)origin * 0x1p-64 - half;
    *number = (int64_t)floor(at);
    return at - floor(at);
}

struct wave {
    double cosine, sine;
};

/* The sums of all points that may reach the cell, and of some that don't. */
static struct wave wave_of(const gullies_params *p, uint32_t octave, double size, int64_t x,
                           int64_t y, double across_x, double across_y)
{
    uint64_t origins = terrain__random_stream(p->seed, TERRAIN__KEY_erode_gullies,
                                              TERRAIN__DRAW_GULLIES_ORIGIN + octave);
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_erode_gullies,
                                             TERRAIN__DRAW_GULLIES_POINT + octave);
    struct wave sum = {0, 0};
    int64_t row;
    double v = place(y, 1.5 * size, terrain__mix(origins, 1), 0, &row);
    double length;
    for (int64_t j = -1; j <= 2; j++) {
        /* An odd row's point k lies at k + 1/2, and as a cell's place in an odd row wraps into the
         * number after it, so does the point's. */
        bool odd = ((row + j) & 1) != 0;
        int64_t first;
        double u = place(x, sqrt(3) * size, terrain__mix(origins, 0), odd ? -0.5 : 0, &first);
        if (odd && terrain__mix(origins, 0) >= UINT64_C(1) << 63) {
            first--; /* the origin's half edge wraps around */
        }
        for (int64_t k = -2; k <= 3; k++) {
            double dx = (u - (double)k) * sqrt(3), dy = (v - (double)j) * 1.5;
            double weight = pow(fmax(0, 1 - (dx * dx + dy * dy) / 2.25), 3);
            double phase =
                (double)terrain__unit_float(terrain__random_cell(stream, first + k, row + j));
            double f = dx * across_x + dy * across_y + phase;
            f -= floor(f + 0.5);
            sum.cosine += weight * parabola(0.25 - fabs(f));
            sum.sine += weight * parabola(f);
        }
    }
    length = fmax(0.18, sqrt(sum.cosine * sum.cosine + sum.sine * sum.sine));
    sum.cosine /= length;
    sum.sine /= length;
    return sum;
}

static double cut_at(const gullies_params *p, int64_t x, int64_t y, double gx, double gy)
{
    double slope = sqrt(gx * gx + gy * gy);
    double ux = slope > 0 ? -gy / slope : 0, uy = slope > 0 ? gx / slope : 0;
    double size = (double)p->size, depth = (double)p->depth * (double)p->size / 2 * slope;
    double cut = 0;
    for (uint32_t i = 0; i < p->octaves && size >= 3; i++) {
        struct wave wave = wave_of(p, i, size, x, y, ux, uy);
        double angle = 2 * atan(-(double)p->branching * wave.sine);
        double turned = ux * cos(angle) - uy * sin(angle);
        cut += depth * (1 - wave.cosine);
        uy = uy * cos(angle) + ux * sin(angle);
        ux = turned;
        size /= 2;
        depth *= (double)p->gain;
    }
    return cut;
}

static void compute(oracle_call *call)
{
    const gullies_params *p = call->params;
    oracle_map distance = oracle_input(call, "river_distance");
    int64_t levels = 0, pad;
    oracle_map smooth;
    while (3 * (INT64_C(2) << levels) <= (int64_t)p->size) {
        levels++;
    }
    pad = (INT64_C(1) << levels) + 1;
    smooth = padded(&call->map, pad);
    for (int64_t l = 0; l < levels; l++) {
        smooth = smoothed(smooth, INT64_C(1) << l);
    }
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        int64_t x = i % call->map.width, y = i / call->map.width;
        const double *at = oracle_at(&smooth, x + pad, y + pad);
        double cut = cut_at(p, call->map.x + x, call->map.y + y, (at[1] - at[-1]) / 2,
                            (at[smooth.width] - at[-smooth.width]) / 2);
        if (distance.cells != NULL) {
            double t =
                (distance.cells[i] / call->map.cell_size - (double)p->floor) / (double)p->bank;
            t = fmin(fmax(t, 0), 1);
            cut *= t * t * (3 - 2 * t);
        }
        call->result.cells[i] = call->map.cells[i] - cut;
    }
    free(smooth.cells);
}

static const oracle_case cases[] = {
    /* Where the land is nearly level, rounding turns the slope's direction. */
    {"", 131, 67, 0, 0, 1e-3},
    {"size=17.3 octaves=3 gain=0.7 depth=0.25 branching=1 seed=9", 67, 141, -1000, 7000, 1e-3},
    {"size=4 octaves=8", 67, 41, 33, -90, 1e-4},
    {"size=300 octaves=8 branching=0", 90, 80, -10, -10, 2e-3},
    {"octaves=2 river_distance=yes floor=0.25 bank=0.5", 67, 41, 5, 5, 2e-4},
    {"mask=yes", 33, 35, 0, 0, 1e-3},
    {"size=6 octaves=1 gain=0 depth=4", 1, 9, 0, 0, 1e-3},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_gullies = {"erode_gullies", compute, cases, 2.5f};
