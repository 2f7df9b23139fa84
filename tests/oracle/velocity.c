/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_velocity: particles of water, one for each cell, scattered to the four cells that they come
 * to lie over. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

/* What a cell has, in cells. */
typedef struct {
    double ground, water, sediment, v[3];
} particle;

typedef struct {
    int64_t width, height;
    particle *cells;
} field;

static int is_land(const field *f, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < f->width && y < f->height &&
           isfinite(f->cells[y * f->width + x].ground);
}

/* How much higher a neighbour's ground is, or its surface; 0 of a wall. */
static double rise(const field *f, int64_t x, int64_t y, int dx, int dy, int surface)
{
    const particle *here = &f->cells[y * f->width + x];
    const particle *there = &f->cells[(y + dy) * f->width + x + dx];
    if (!is_land(f, x + dx, y + dy)) {
        return 0;
    }
    return there->ground - here->ground + (surface ? there->water - here->water : 0);
}

static double slope(const field *f, int64_t x, int64_t y, int along_x)
{
    double sum = 0;
    for (int side = -1; side <= 1; side++) {
        for (int end = -1; end <= 1; end += 2) {
            const double d = along_x ? rise(f, x, y, end, side, 1) : rise(f, x, y, side, end, 1);
            sum += end * d * (side == 0 ? 0.25 : 0.125);
        }
    }
    return fmax(fmin(sum, 0x1p20), -0x1p20);
}

static int sign_of(double v)
{
    return (v > 0) - (v < 0);
}

/* Steps 2 to 5; returns e. */
static double accelerate(const field *f, int64_t x, int64_t y, double water, double *v,
                         const terrain_erode_velocity_params *p)
{
    const double gx = slope(f, x, y, 1), gy = slope(f, x, y, 0), q = 1 + gx * gx + gy * gy;
    const double c = fmin((v[2] - v[0] * gx - v[1] * gy) / q, 0);
    const double kept = 1 - (double)p->friction,
                 pull = (double)p->gravity / (1 + 8 * water) / sqrt(q);
    double most;
    v[0] = kept * (v[0] + c * gx - pull * gx);
    v[1] = kept * (v[1] + c * gy - pull * gy);
    if (!is_land(f, x + sign_of(v[0]), y)) {
        v[0] = 0;
    }
    if (!is_land(f, x, y + sign_of(v[1]))) {
        v[1] = 0;
    }
    if (v[0] != 0 && v[1] != 0 && !is_land(f, x + sign_of(v[0]), y + sign_of(v[1]))) {
        v[0] = v[1] = 0;
    }
    most = fmax(fmax(fabs(v[0]), fabs(v[1])), 1);
    v[0] /= most;
    v[1] /= most;
    v[2] = v[0] * gx + v[1] * gy;
    return q * c * c / 2;
}

/* Step 6: the sediment that has spread. */
static double spread(const field *f, int64_t x, int64_t y)
{
    const double own = f->cells[y * f->width + x].sediment;
    double sum = own;
    for (int n = 0; n < 4; n++) {
        const int64_t col = x + (n % 2 ? n - 2 : 0), row = y + (n % 2 ? 0 : n - 1);
        if (is_land(f, col, row)) {
            sum += (f->cells[row * f->width + col].sediment - own) / 8;
        }
    }
    return sum;
}

/* Step 7: what the ground gives. */
static double given(const field *f, int64_t x, int64_t y, const particle *here, double e,
                    double left, const terrain_erode_velocity_params *p)
{
    const double square = here->v[0] * here->v[0] + here->v[1] * here->v[1];
    const double room =
        (double)p->capacity * left * pow(here->water * sqrt(square), 1.5) - here->sediment;
    double drop = 0, mean = 0;
    for (int n = 0; n < 9; n++) {
        const int dx = n % 3 - 1, dy = n / 3 - 1;
        const double d = n == 4 ? 0 : rise(f, x, y, dx, dy, 0);
        drop = fmax(drop, -d);
        mean += d / (dx != 0 && dy != 0 ? 12 : 6);
    }
    return room > 0
               ? fmin(fmin(here->water * ((double)p->wear * square / 2 + (double)p->impact * e),
                           room),
                      fmin(drop / 4, fmax((double)p->bank - mean, 0) / 2))
               : -fmin((double)p->settling * -room, fmax((double)p->bank + mean, 0) / 2);
}

static void iterate(field *now, field *next, double left, const terrain_erode_velocity_params *p)
{
    for (int64_t i = 0; i < now->width * now->height; i++) {
        particle *here = &now->cells[i];
        const double water = here->water + (isfinite(here->ground) ? (double)p->rain * left : 0);
        for (int axis = 0; axis < 3; axis++) {
            here->v[axis] *= water > 0x1p-100 ? here->water / water : 0;
        }
        here->water = water;
    }
    for (int64_t i = 0; i < now->width * now->height; i++) {
        const particle none = {.ground = now->cells[i].ground};
        next->cells[i] = none;
    }
    for (int64_t y = 0; y < now->height; y++) {
        for (int64_t x = 0; x < now->width; x++) {
            particle here = now->cells[y * now->width + x];
            double e, gives;
            if (!is_land(now, x, y)) {
                continue;
            }
            e = accelerate(now, x, y, here.water, here.v, p);
            here.sediment = spread(now, x, y);
            gives = given(now, x, y, &here, e, left, p);
            here.sediment += gives;
            next->cells[y * now->width + x].ground -= gives;
            for (int n = 0; n < 4; n++) {
                const int64_t to_x = x + (n % 2 ? sign_of(here.v[0]) : 0);
                const int64_t to_y = y + (n / 2 ? sign_of(here.v[1]) : 0);
                const double part_x = n % 2 ? fabs(here.v[0]) : 1 - fabs(here.v[0]);
                const double part_y = n / 2 ? fabs(here.v[1]) : 1 - fabs(here.v[1]);
                if (part_x * part_y > 0) {
                    particle *to = &next->cells[to_y * now->width + to_x];
                    to->water += part_x * part_y * here.water;
                    to->sediment += part_x * part_y * here.sediment;
                    for (int axis = 0; axis < 3; axis++) {
                        to->v[axis] += part_x * part_y * here.water * here.v[axis];
                    }
                }
            }
        }
    }
    for (int64_t i = 0; i < now->width * now->height; i++) {
        particle *to = &next->cells[i];
        for (int axis = 0; axis < 3; axis++) {
            to->v[axis] = to->water > 0 ? to->v[axis] / to->water : 0;
        }
        to->water *= 1 - (double)p->evaporation;
    }
}

static void compute(oracle_call *call)
{
    const terrain_erode_velocity_params *p = call->params;
    const int64_t count = call->map.width * call->map.height;
    const double cell_size = call->map.cell_size;
    const oracle_map eroded = oracle_output(call, "eroded");
    const oracle_map deposited = oracle_output(call, "deposited");
    const oracle_map water = oracle_output(call, "water");
    field fields[2];
    for (int i = 0; i < 2; i++) {
        fields[i].width = call->map.width;
        fields[i].height = call->map.height;
        fields[i].cells = calloc((size_t)count, sizeof *fields[i].cells);
        if (fields[i].cells == NULL) {
            abort();
        }
    }
    for (int64_t i = 0; i < count; i++) {
        fields[0].cells[i].ground = call->map.cells[i] / cell_size;
    }
    for (uint32_t k = 0; k < p->iterations; k++) {
        iterate(&fields[k % 2], &fields[(k + 1) % 2], 1 - (double)k / p->iterations, p);
    }
    for (int64_t i = 0; i < count; i++) {
        const particle *last = &fields[p->iterations % 2].cells[i];
        const double before = call->map.cells[i];
        const double h = cell_size * (last->ground + last->sediment);
        call->result.cells[i] = h;
        if (eroded.cells != NULL) {
            eroded.cells[i] = fmax(before - h, 0);
        }
        if (deposited.cells != NULL) {
            deposited.cells[i] = fmax(h - before, 0);
        }
        if (water.cells != NULL) {
            water.cells[i] = cell_size * last->water;
        }
    }
    free(fields[0].cells);
    free(fields[1].cells);
}

/* The choice between wearing and settling, and that of a side, are continuous: no case needs a wide
 * bound for them. */
static const oracle_case cases[] = {
    {"iterations=1 rain=1 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 2e-5},
    {"iterations=2 rain=1 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 4e-5},
    {"iterations=12 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 4e-5},
    {"eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 4e-4},
    {"iterations=30 rain=0.1 gravity=0.2 friction=0.3 capacity=1 bank=0.02 water=yes", 64, 32, -9,
     3, 2e-4},
    {"iterations=25 rain=0.02 impact=0 wear=4 settling=1 evaporation=0.05 deposited=yes", 35, 50, 0,
     0, 1e-4},
    {"iterations=25 rain=0.02 impact=100 wear=0 settling=0.1 friction=0 bank=1 eroded=yes", 35, 50,
     0, 0, 4e-4},
    {"iterations=9 friction=1 rain=1 water=yes", 20, 20, 0, 0, 2e-5},
    {"iterations=9 gravity=0 rain=1 water=yes", 20, 20, 0, 0, 2e-5},
    {"iterations=9 evaporation=1 rain=1 capacity=20 water=yes", 20, 20, 0, 0, 2e-5},
    {"iterations=9 rain=0 water=yes", 20, 20, 0, 0, 2e-5},
    {"iterations=6 rain=0.3 mask=yes deposited=yes eroded=yes water=yes", 33, 20, 0, 0, 4e-5},
    {"iterations=6 rain=0.3 water=yes", 1, 33, 0, 0, 4e-5},
    {"iterations=6 rain=0.3 water=yes", 33, 1, 0, 0, 4e-5},
    {"iterations=4 rain=0.3 water=yes", 2, 2, 0, 0, 2e-5},
    {"iterations=3", 1, 1, 0, 0, 0},
    {"iterations=0 water=yes eroded=yes", 5, 5, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_velocity = {"erode_velocity", compute, cases, 1.25f};
