/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/land.h"
#include "terrain/erode.h"

/* All rain walks down to its outlet. */
static void gather(land *l, const oracle_map *rain)
{
    for (int64_t i = 0; i < l->cells; i++) {
        double w = rain->cells == NULL ? 1 : fmin(fmax(rain->cells[i], 0), 65536);
        w = isnan(l->surface.cells[i]) ? 0 : floor(w * 65536 + 0.5) / 65536;
        for (int64_t c = i; c >= 0; c = l->code[c] > 0 ? neighbour(l, c, l->code[c]) : -1) {
            l->water[c] += w;
        }
    }
}

/* The bed of a cell by those of all that flow to it; NaN where there is no river. */
static double bed_of(const land *l, int64_t cell, const terrain_erode_rivers_params *p)
{
    double ratio = l->water[cell] / (double)p->threshold;
    double bed = l->surface.cells[cell] - (double)p->depth * pow(ratio, 0.375);
    if (ratio < 1) {
        return (double)NAN;
    }
    for (int d = 1; d < 9; d++) {
        int64_t from = neighbour(l, cell, d);
        if (from >= 0 && l->code[from] > 0 && neighbour(l, from, l->code[from]) == cell) {
            double fall = (double)p->fall * l->surface.cell_size * (d % 2 == 1 ? 1 : sqrt(2.0));
            double on = bed_of(l, from, p) - fall;
            bed = on < bed ? on : bed;
        }
    }
    return bed;
}

/* ---- VELOCITY -------------------------------------------------------------------------------- */

typedef struct {
    double height;
    int64_t cell;
} rank;

static int falling(const void *a, const void *b)
{
    const rank *p = a, *q = b;
    return p->height != q->height ? (p->height < q->height ? 1 : -1) : 0;
}

typedef struct {
    double place[2], speed[2], water;
} particle;

/* What is sent here, and gains speed; then the way. */
static void send(land *l, particle *particles, int64_t cell, double rain,
                 const terrain_erode_rivers_params *p)
{
    const double *h = l->surface.cells;
    particle here = {{0, 0}, {0, 0}, rain};
    double longest, nearest = (double)INFINITY;
    const int way = l->code[cell];
    for (int d = 1; d < 9; d++) {
        const int64_t n = neighbour(l, cell, d);
        if (n >= 0 && h[n] > h[cell] && l->code[n] > 0 && neighbour(l, n, l->code[n]) == cell) {
            here.water += particles[n].water;
            for (int axis = 0; axis < 2; axis++) {
                here.place[axis] += particles[n].water * particles[n].place[axis];
                here.speed[axis] += particles[n].water * particles[n].speed[axis];
            }
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        here.place[axis] /= here.water > 0 ? here.water : 1;
        here.speed[axis] *= (1 - (double)p->friction) / (here.water > 0 ? here.water : 1);
    }
    for (int d = 1; d < 9; d++) {
        const int64_t n = neighbour(l, cell, d);
        if (n >= 0 && h[n] < h[cell]) {
            const double length = sqrt((double)(east[d] * east[d] + south[d] * south[d]));
            const double slope = fmin((h[cell] - h[n]) / length / l->surface.cell_size, 0x1p20);
            here.speed[0] += east[d] * slope / length / 2;
            here.speed[1] += south[d] * slope / length / 2;
        }
    }
    longest = fmax(fabs(here.speed[0]), fabs(here.speed[1]));
    for (int axis = 0; axis < 2 && longest > 0; axis++) {
        here.place[axis] += here.speed[axis] / longest;
    }
    for (int d = 1; d < 9 && way > 0 && h[neighbour(l, cell, way)] < h[cell]; d++) {
        const int64_t n = neighbour(l, cell, d);
        const double distance = hypot(here.place[0] - east[d], here.place[1] - south[d]);
        if (n >= 0 && h[n] < h[cell] && distance < nearest) {
            nearest = distance;
            l->code[cell] = d;
        }
    }
    if (l->code[cell] > 0) {
        here.place[0] = fmax(fmin(here.place[0] - east[l->code[cell]], 0.5), -0.5);
        here.place[1] = fmax(fmin(here.place[1] - south[l->code[cell]], 0.5), -0.5);
    }
    particles[cell] = here;
}

/* All cells, from the highest down. */
static void swing(land *l, const oracle_map *rain, const terrain_erode_rivers_params *p)
{
    rank *ranks = calloc((size_t)l->cells, sizeof *ranks);
    particle *particles = calloc((size_t)l->cells, sizeof *particles);
    for (int64_t i = 0; i < l->cells; i++) {
        ranks[i].height = l->surface.cells[i];
        ranks[i].cell = i;
    }
    qsort(ranks, (size_t)l->cells, sizeof *ranks, falling);
    for (int64_t i = 0; i < l->cells; i++) {
        const double w = rain->cells == NULL ? 1 : fmin(fmax(rain->cells[ranks[i].cell], 0), 65536);
        send(l, particles, ranks[i].cell, floor(w * 65536 + 0.5) / 65536, p);
    }
    free(ranks);
    free(particles);
}

static void compute(oracle_call *call)
{
    const terrain_erode_rivers_params *p = call->params;
    oracle_map rain = oracle_input(call, "rain"), rivers = oracle_output(call, "rivers");
    oracle_map discharge = oracle_input(call, "discharge");
    const int64_t width = call->map.width, cells = width * call->map.height;
    const double reach = p->reach;
    const bool swings = p->method == TERRAIN_ERODE_RIVERS_METHOD_VELOCITY;
    land l = land_of(&call->map, p->rim == TERRAIN_RIM_OPEN, swings ? 2 : 1);
    if (swings) {
        swing(&l, &rain, p);
        carve(&l);
    }
    if (discharge.cells != NULL) {
        follow(&l, &discharge);
        for (int64_t i = 0; i < cells; i++) {
            l.water[i] = floor(fmin(fmax(discharge.cells[i], 0), 1e12) * 65536 + 0.5) / 65536;
        }
        run_on(&l, (double)p->threshold);
    } else {
        gather(&l, &rain);
    }
    for (int64_t i = 0; i < cells; i++) {
        call->result.cells[i] = call->map.cells[i];
        if (rivers.cells != NULL) {
            rivers.cells[i] = 0;
        }
    }
    for (int64_t i = 0; i < cells; i++) {
        double bed = bed_of(&l, i, p);
        double half = (double)p->width * sqrt(l.water[i] / (double)p->threshold);
        half = half < reach - 0.5 ? half : reach - 0.5;
        double bank = (double)p->bank;
        if (l.code[i] > 0) {
            double way = call->map.cell_size * (l.code[i] % 2 == 1 ? 1 : sqrt(2.0));
            double slope = (bed - bed_of(&l, neighbour(&l, i, l.code[i]), p)) / way;
            bank = 2 * slope > bank ? 2 * slope : bank;
        }
        for (int64_t k = 0; !isnan(bed) && k < cells; k++) {
            double dx = (double)(k % width - i % width), dy = (double)(k / width - i / width);
            double t = sqrt(dx * dx + dy * dy);
            if (t < reach) {
                double rise = bank * call->map.cell_size / (1 - t * t / reach / reach);
                double level = bed + rise * (sqrt(t * t + half * half) - half);
                call->result.cells[k] =
                    level < call->result.cells[k] ? level : call->result.cells[k];
                if (rivers.cells != NULL && t <= half && l.water[i] > rivers.cells[k]) {
                    rivers.cells[k] = l.water[i];
                }
            }
        }
    }
    land_free(&l);
    free(rain.cells);
    free(discharge.cells);
}

/* Heights are within +-30. Beds are sums of up to some hundred falls, each rounded by up to 2^-20,
 * and the differences of two that banks follow are multiplied by up to some ten cells. */
static const oracle_case cases[] = {
    {"method=d8 threshold=30 rivers=yes", 67, 41, 0, 0, 2e-4},
    {"method=d8 threshold=9 depth=0.4 bank=0.1 reach=24", 60, 71, -1000, 77, 2e-4},
    {"method=d8 threshold=40 rim=closed width=2.6 reach=5", 61, 70, 0, 0, 2e-4},
    {"method=d8 threshold=25 rain=yes fall=0.3", 50, 66, 0, 0, 2e-4},
    {"method=d8 threshold=1 reach=1", 66, 30, 0, 0, 2e-4},
    {"method=d8 threshold=20", 1, 77, 0, 0, 2e-4},
    {"method=d8 threshold=20 rim=closed", 133, 1, 0, 0, 2e-4},
    {"method=d8 threshold=20 mask=yes", 40, 40, 0, 0, 2e-4},
    {"method=velocity threshold=30 rivers=yes", 67, 41, 0, 0, 2e-4},
    {"method=velocity threshold=15 friction=0.02 rim=closed reach=5", 61, 70, 0, 0, 2e-4},
    {"method=velocity threshold=25 friction=1 rain=yes", 50, 66, 0, 0, 2e-4},
    {"method=velocity threshold=20 friction=0", 1, 77, 0, 0, 2e-4},
    {"discharge=yes threshold=1 rivers=yes", 67, 41, 0, 0, 2e-4},
    {"discharge=yes threshold=1 rim=closed depth=0.3", 50, 60, 9, -7, 2e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_rivers = {"erode_rivers", compute, cases, 1.25f};
