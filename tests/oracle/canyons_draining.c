/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/canyons.h"
#include "oracle/land.h"
#include "terrain/erode.h"

typedef struct reach {
    bool canyon, skipped;
    int64_t next, main, donors; /* cells; -1: none */
    double way, ground, slope, half, depth, bed;
    int64_t place[2], moved[2];
} reach;

static int64_t receiver(const land *l, int64_t cell)
{
    return l->code[cell] > 0 ? neighbour(l, cell, l->code[cell]) : -1;
}

/* Cells by how much flows through them: upstream first. */
static int64_t *upstream_first(const land *l)
{
    int64_t *order = calloc((size_t)l->cells, sizeof *order), count = 0;
    for (int64_t a = 1; a <= l->cells; a++) {
        for (int64_t i = 0; i < l->cells; i++) {
            if (l->water[i] == (double)a) {
                order[count++] = i;
            }
        }
    }
    return order;
}

static void find_reaches(const land *l, reach *r, const terrain_erode_canyons_draining_params *p)
{
    for (int64_t i = 0; i < l->cells; i++) {
        r[i].next = r[i].main = -1;
        r[i].canyon = l->water[i] >= (double)p->threshold && fabs(l->surface.cells[i]) <= 1e30;
        r[i].way = l->code[i] % 2 == 0 ? sqrt(2.0) : 1;
        r[i].ground = l->surface.cells[i];
        r[i].half = fmax(0.75, (double)p->width * sqrt(l->water[i] / (double)p->threshold));
        r[i].place[0] = i % l->surface.width * 256;
        r[i].place[1] = i / l->surface.width * 256;
    }
    for (int64_t i = 0; i < l->cells; i++) {
        int64_t to = receiver(l, i);
        if (r[i].canyon && to >= 0 && r[to].canyon) {
            r[i].next = to;
            r[to].donors++;
            if (r[to].main < 0 || l->water[i] > l->water[r[to].main]) {
                r[to].main = i;
            }
        }
    }
}

static void sink_reaches(const land *l, const int64_t *order, reach *r,
                         const terrain_erode_canyons_draining_params *p, const oracle_map *softness)
{
    const double c = l->surface.cell_size;
    for (int64_t k = 0; k < l->cells; k++) {
        reach *here = &r[order[k]], *next = here->next >= 0 ? &r[here->next] : NULL;
        if (here->canyon && next != NULL) {
            next->ground = fmin(next->ground, here->ground - (double)p->fall * here->way * c);
            next->half = fmax(next->half, here->half);
        }
    }
    for (int64_t k = 0; k < l->cells; k++) {
        reach *here = &r[order[k]];
        if (here->canyon && here->main >= 0) {
            const reach *from = &r[here->main];
            double s = (from->ground - here->ground) / (from->way * c);
            here->slope = from->slope + from->way / 24 * (s - from->slope);
        } else if (here->canyon && here->next >= 0) {
            here->slope = (here->ground - r[here->next].ground) / (here->way * c);
        }
    }
    for (int64_t k = l->cells - 1; k >= 0; k--) {
        const int64_t i = order[k];
        reach *here = &r[i];
        double q = l->water[i] / (double)p->threshold - 1, s = here->slope;
        double share = p->toe > 0 ? (s - (double)p->toe) / (double)p->toe : s > 0 ? 1 : 0;
        double soft = softness->cells == NULL ? 1 : fmin(fmax(softness->cells[i], 0), 1);
        if (!here->canyon) {
            continue;
        }
        here->depth = (double)p->depth * pow(fmax(q, 0), 0.375) * fmin(fmax(share, 0), 1) * soft *
                      (double)p->gentle / ((double)p->gentle + fmax(s, 0));
        here->depth = fmin(here->depth, 0.4 * (double)p->bank * c * p->reach);
        if (here->next >= 0) {
            const reach *next = &r[here->next];
            here->depth = fmax(here->depth, next->depth - (double)p->bank * here->way * c / 3);
            here->bed =
                fmax(here->ground - here->depth, next->bed + (double)p->fall * here->way * c);
        } else {
            here->depth = receiver(l, i) >= 0 ? 0 : here->depth;
            here->bed = here->ground - here->depth;
        }
    }
}

static void relax_reaches(const land *l, reach *r)
{
    for (int times = 0; times < 12; times++) {
        for (int64_t i = 0; i < l->cells; i++) {
            for (int axis = 0; axis < 2; axis++) {
                r[i].moved[axis] = r[i].place[axis];
                if (r[i].canyon && r[i].next >= 0 && r[i].main >= 0) {
                    r[i].moved[axis] =
                        (int64_t)floor((double)(2 * r[i].place[axis] + r[r[i].next].place[axis] +
                                                r[r[i].main].place[axis]) /
                                       4);
                }
            }
        }
        for (int64_t i = 0; i < l->cells; i++) {
            r[i].place[0] = r[i].moved[0];
            r[i].place[1] = r[i].moved[1];
        }
    }
}

static void carve_reaches(oracle_call *call, oracle_map *floors, const land *l,
                          const int64_t *order, reach *r)
{
    const terrain_erode_canyons_draining_params *p = call->params;
    const canyon_walls walls = {(double)p->bank * call->map.cell_size, p->reach};
    for (int64_t k = 0; k < l->cells; k++) {
        const reach *from = &r[order[k]], *to;
        canyon_piece piece;
        if (!from->canyon || from->skipped || from->next < 0) {
            continue;
        }
        to = &r[from->next];
        if (to->donors == 1 && to->next >= 0 &&
            !(to->bed <
              (from->bed + r[to->next].bed) / 2 - (double)p->fall * call->map.cell_size / 4)) {
            r[from->next].skipped = true;
            to = &r[to->next];
        }
        for (int end = 0; end < 2; end++) {
            piece.x[end] = (double)(end == 0 ? from : to)->place[0] / 256;
            piece.y[end] = (double)(end == 0 ? from : to)->place[1] / 256;
        }
        piece.floor[0] = from->bed;
        piece.floor[1] = to->bed;
        piece.half = from->half;
        piece.mark = l->water[order[k]];
        canyon_carve(call, floors, piece, &walls);
    }
}

static void compute(oracle_call *call)
{
    const terrain_erode_canyons_draining_params *p = call->params;
    oracle_map discharge = oracle_input(call, "discharge");
    oracle_map softness = oracle_input(call, "softness"), floors = oracle_output(call, "floors");
    land l = land_of(&call->map, p->rim == TERRAIN_RIM_OPEN, 1);
    reach *r = calloc((size_t)l.cells, sizeof *r);
    int64_t *order;
    if (discharge.cells != NULL) {
        follow(&l, &discharge);
    }
    for (int64_t i = 0; i < l.cells; i++) {
        for (int64_t c = i; c >= 0; c = receiver(&l, c)) {
            l.water[c]++;
        }
    }
    order = upstream_first(&l);
    for (int64_t i = 0; discharge.cells != NULL && i < l.cells; i++) {
        l.water[i] = floor(fmin(fmax(discharge.cells[i], 0), 2e9));
    }
    if (discharge.cells != NULL) {
        run_on(&l, ceil((double)p->threshold));
    }
    canyon_begin(call, &floors);
    find_reaches(&l, r, p);
    sink_reaches(&l, order, r, p, &softness);
    relax_reaches(&l, r);
    carve_reaches(call, &floors, &l, order, r);
    free(order);
    free(r);
    land_free(&l);
    free(softness.cells);
    free(discharge.cells);
}

/* Heights are within +-30. Beds are sums of up to some hundred falls, each rounded by up to 2^-20,
 * and where a piece's floor falls nearly as steeply as its walls its lowest cone is far ahead. */
static const oracle_case cases[] = {
    {"method=d8 threshold=30 floors=yes", 67, 41, 0, 0, 1e-4},
    {"method=d8 threshold=9 depth=0.4 bank=0.3 reach=24 toe=0.4", 60, 71, -1000, 77, 1e-4},
    {"method=d8 threshold=40 rim=closed width=0.7 reach=9 floors=yes", 61, 70, 0, 0, 1e-4},
    {"method=d8 threshold=25 softness=yes fall=0.3 gentle=0.2", 50, 66, 0, 0, 1e-4},
    {"method=d8 threshold=1 reach=1 toe=0", 46, 30, 0, 0, 1e-4},
    {"method=d8 threshold=20", 1, 77, 0, 0, 1e-4},
    {"method=d8 threshold=20 rim=closed fall=0", 133, 1, 0, 0, 1e-4},
    {"method=d8 threshold=20 mask=yes", 40, 40, 0, 0, 1e-4},
    {"discharge=yes threshold=1 floors=yes depth=0", 67, 41, 0, 0, 1e-4},
    {"discharge=yes threshold=1 rim=closed fall=0.2", 40, 50, 9, -7, 1e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_canyons_draining = {"erode_canyons_draining", compute, cases, 1.25f};
