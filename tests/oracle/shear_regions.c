/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "core/random.h"
#include "oracle/oracle.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_regions_params regions_params;

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static uint32_t bits_of(const regions_params *p, uint32_t pass, uint32_t draw, int64_t x, int64_t y)
{
    uint64_t seed = terrain__mix(p->seed, pass);
    return terrain__random_cell(
        terrain__random_stream(seed, TERRAIN__KEY_ERODE_SHEAR_REGIONS, draw), x, y);
}

/* u(n) */
static float u_of(uint32_t n)
{
    return (float)(2 * n + 1) / 65536.0f - 1.0f;
}

/* An octave of the warp at a world cell: bilinear between nodes that are `step` cells apart. */
static double octave_at(const regions_params *p, uint32_t o, int64_t step, int64_t x, int64_t y,
                        int axis)
{
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_ERODE_SHEAR_REGIONS,
                                             TERRAIN__DRAW_SHEAR_REGIONS_WARP + o);
    int64_t i = floor_div(x, step);
    int64_t j = floor_div(y, step);
    double tx = (double)(x - i * step) / (double)step;
    double ty = (double)(y - j * step) / (double)step;
    double v[2][2];
    for (int64_t r = 0; r < 2; r++) {
        for (int64_t c = 0; c < 2; c++) {
            uint32_t bits = terrain__random_cell(stream, i + c, j + r);
            uint32_t n = axis == 0 ? bits >> 25 : bits >> 18 & 127;
            v[r][c] = (2 * (double)n + 1) / 128 - 1;
        }
    }
    return (1 - ty) * ((1 - tx) * v[0][0] + tx * v[0][1]) +
           ty * ((1 - tx) * v[1][0] + tx * v[1][1]);
}

static float warp_at(const regions_params *p, int64_t x, int64_t y, int axis)
{
    int64_t q = 1;
    while (2 * q <= p->size / 16) {
        q *= 2;
    }
    double sum = 4 * octave_at(p, 2, 4 * q, x, y, axis) + 2 * octave_at(p, 1, 2 * q, x, y, axis) +
                 octave_at(p, 0, q, x, y, axis);
    return (p->warp * (float)p->size / 7.0f) * (float)sum;
}

/* The square whose site is nearest to a world cell. */
static void owner_of(const regions_params *p, uint32_t pass, int64_t x, int64_t y, int64_t owner[2])
{
    int64_t s = p->size;
    int64_t x0 = pass * (3 * s / 8);
    int64_t y0 = pass * (5 * s / 8);
    int64_t i = floor_div(x - x0, s);
    int64_t j = floor_div(y - y0, s);
    float px = (float)(x - x0 - i * s) + warp_at(p, x, y, 0);
    float py = (float)(y - y0 - j * s) + warp_at(p, x, y, 1);
    float best = INFINITY;
    for (int64_t dj = -1; dj <= 1; dj++) {
        for (int64_t di = -1; di <= 1; di++) {
            uint32_t bits = bits_of(p, pass, TERRAIN__DRAW_SHEAR_REGIONS_SITE, i + di, j + dj);
            float a = pass % 2 == 0 ? ((j + dj) % 2 == 0 ? 0.25f : 0.75f) : 0.5f;
            float b = pass % 2 == 1 ? ((i + di) % 2 == 0 ? 0.25f : 0.75f) : 0.5f;
            float sx = (float)s * (a + 0.5f * p->jitter * u_of(bits >> 16));
            float sy = (float)s * (b + 0.5f * p->jitter * u_of(bits & 0xFFFF));
            float dx = px - (sx + (float)(di * s));
            float dy = py - (sy + (float)(dj * s));
            float d = p->metric == TERRAIN_SHEAR_REGIONS_EUCLIDEAN ? dx * dx + dy * dy
                                                                   : fmaxf(fabsf(dx), fabsf(dy));
            if (d < best) {
                best = d;
                owner[0] = i + di;
                owner[1] = j + dj;
            }
        }
    }
}

static double cut_of(const double *d, size_t count, double share)
{
    double cut = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += share * d[i];
    }
    for (int step = 0; step < 6; step++) {
        double sum = 0;
        double above = 0;
        for (size_t i = 0; i < count; i++) {
            sum += d[i] > cut ? d[i] - cut : 0;
            above += d[i] > cut;
        }
        cut += above > 0 ? (sum - total) / above : 0;
    }
    return cut;
}

/* The cells of the region that cell `first` belongs to, all of them on the map. */
static size_t collect(const int64_t (*owners)[2], unsigned char *done, size_t first, size_t count,
                      size_t *cells)
{
    size_t found = 0;
    for (size_t c = first; c < count; c++) {
        if (owners[c][0] == owners[first][0] && owners[c][1] == owners[first][1]) {
            done[c] = 1;
            cells[found++] = c;
        }
    }
    return found;
}

static void push_region(const oracle_map *map, const regions_params *p, const size_t *cells,
                        size_t count, double *d)
{
    double m = INFINITY;
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        m = fmin(m, map->cells[cells[i]]);
        most = fmax(most, map->cells[cells[i]]);
    }
    double slope = (most - m) / (p->size * map->cell_size);
    double least = (double)p->least_slope;
    double t = least > 0 ? fmin((slope - least) / least, 1) : 1;
    double b = (double)p->debris + (1 - t) * (1 - (double)p->debris);
    if (slope <= least) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        d[i] = map->cells[cells[i]] - m;
    }
    bool heap = p->place == TERRAIN_SHEAR_REGIONS_FOOT;
    double cut = heap && b > 0 ? cut_of(d, count, b) : 0;
    for (size_t i = 0; i < count; i++) {
        map->cells[cells[i]] = m + (heap && b > 0 ? fmax(d[i] - cut, 0) : b * d[i]);
    }
}

static void compute(oracle_call *call)
{
    const regions_params *p = call->params;
    oracle_map *map = &call->map;
    size_t count = (size_t)(map->width * map->height);
    int64_t(*owners)[2] = calloc(count, sizeof *owners);
    size_t *cells = calloc(count, sizeof *cells);
    double *d = calloc(count, sizeof *d);
    for (uint32_t pass = 0; pass < p->passes; pass++) {
        unsigned char *done = calloc(count, 1);
        for (size_t c = 0; c < count; c++) {
            owner_of(p, pass, map->x + (int64_t)c % map->width, map->y + (int64_t)c / map->width,
                     owners[c]);
        }
        for (size_t c = 0; c < count; c++) {
            if (!done[c]) {
                size_t found = collect((const int64_t(*)[2])owners, done, c, count, cells);
                uint32_t chance =
                    bits_of(p, pass, TERRAIN__DRAW_SHEAR_REGIONS_PUSH, owners[c][0], owners[c][1]);
                if (terrain__unit_float(chance) < p->push) {
                    push_region(map, p, cells, found, d);
                }
            }
        }
        free(done);
    }
    for (size_t c = 0; c < count; c++) {
        call->result.cells[c] = map->cells[c];
    }
    free(owners);
    free(cells);
    free(d);
}

/* Each pass rounds a few times, by 2^-24 of 40. */
static const oracle_case cases[] = {
    {"passes=1 push=1 debris=0 least_slope=0", 131, 67, 0, 0, 0},
    {"size=20", 131, 97, -77, 1000, 2e-5},
    {"size=17 push=0.7 jitter=0.5 warp=0.375 passes=2", 97, 131, 5, -9, 2e-5},
    {"size=48 push=0.6 metric=chebyshev warp=0 least_slope=0 debris=0.5", 131, 131, 0, 0, 2e-5},
    {"size=24 push=0.8 place=foot passes=1", 131, 67, 3, 3, 4e-5},
    {"size=24 push=0.8 place=foot passes=2 debris=0.05 least_slope=0", 67, 97, 3, 3, 4e-5},
    {"size=24 push=1 place=foot debris=0", 67, 97, 3, 3, 2e-5},
    {"size=8 push=0.9 least_slope=0.5", 67, 67, INT64_C(4611686018427380000), -40, 2e-5},
    {"size=300 push=1", 67, 67, 0, 0, 2e-5},
    {"push=1", 1, 1, 0, 0, 0},
    {"push=1 size=8", 70, 1, 0, 0, 2e-5},
    {"push=1 size=8", 1, 70, 0, 0, 2e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_shear_regions = {"erode_shear_regions", compute, cases, 1.25f};
