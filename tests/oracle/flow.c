/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/land.h"
#include "terrain/analyze.h"

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Which triangle is steepest is decided in floats, as which neighbour is. */
static void share_facets(const double *slope, double *share)
{
    float most = 0;
    for (int f = 0; f < 8; f++) {
        int side = (f + 1) / 2 * 2 % 8 + 1, corner = f / 2 * 2 + 2;
        float a = (float)slope[side], b = (float)slope[corner] * 1.41421356f - a;
        float steep = b <= 0 ? a : b >= a ? (float)slope[corner] : sqrtf(a * a + b * b);
        double part = b <= 0 ? 0 : b >= a ? 1 : atan((double)b / (double)a) / atan(1.0);
        if (steep > most) {
            most = steep;
            for (int d = 0; d < 9; d++) {
                share[d] = d == side ? 1 - part : d == corner ? part : 0;
            }
        }
    }
}

static void set_shares(land *l, const terrain_analyze_flow_params *p)
{
    for (int64_t i = 0; i < l->cells; i++) {
        double slope[9] = {0}, most = 0, sum = 0;
        for (int d = 0; d < 9; d++) {
            l->share[i][d] = d > 0 && d == l->code[i];
        }
        for (int d = 1; d < 9 && l->code[i] > 0; d++) {
            slope[d] = slope_to(l, i, d);
            most = slope[d] > most ? slope[d] : most;
        }
        if (most <= 0 || most > 1e18 || p->method < TERRAIN_ANALYZE_FLOW_METHOD_DINF) {
            continue;
        }
        if (p->method == TERRAIN_ANALYZE_FLOW_METHOD_DINF) {
            share_facets(slope, l->share[i]);
            continue;
        }
        for (int d = 1; d < 9; d++) {
            sum += slope[d] > 0 ? pow(slope[d] / most, (double)p->exponent) : 0;
        }
        for (int d = 1; d < 9; d++) {
            l->share[i][d] = slope[d] > 0 ? pow(slope[d] / most, (double)p->exponent) / sum : 0;
        }
    }
}

/* Every cell sends its rain on its way, part by part, until less than 1e-9 of it is left. */
static void send(land *l, int64_t cell, double water)
{
    l->water[cell] += water;
    for (int d = 1; d < 9; d++) {
        if (l->share[cell][d] * water > 1e-9) {
            send(l, neighbour(l, cell, d), l->share[cell][d] * water);
        }
    }
}

static void compute(oracle_call *call)
{
    const terrain_analyze_flow_params *p = call->params;
    const int64_t cells = call->map.width * call->map.height;
    oracle_map weights = oracle_input(call, "weights");
    oracle_map direction = oracle_output(call, "direction");
    land l = land_of(&call->map, p->rim == TERRAIN_RIM_OPEN, p->routing);
    set_shares(&l, p);
    for (int64_t i = 0; i < cells; i++) {
        double w = weights.cells == NULL ? 1 : fmin(fmax(weights.cells[i], 0), 65536);
        w = floor(w * 65536 + 0.5) / 65536;
        if (!isnan(call->map.cells[i])) {
            send(&l, i, w);
        }
        if (direction.cells != NULL) {
            direction.cells[i] = l.code[i] < 0 ? 0 : l.code[i];
        }
    }
    for (int64_t i = 0; i < cells; i++) {
        call->result.cells[i] = l.water[i];
    }
    land_free(&l);
    free(weights.cells);
}

/* Numbers of cells are exact. Of shares, each is off by 2e-5 at most, and some ten follow each
 * other. */
static const oracle_case cases[] = {
    {"direction=yes", 67, 41, 0, 0, 0},
    {"direction=yes routing=carve", 61, 70, -1000, 77, 0},
    {"direction=yes routing=carve rim=closed", 45, 63, 0, 0, 0},
    {"direction=yes routing=none", 97, 83, 0, 0, 0},
    {"routing=fill rim=closed direction=yes", 40, 66, 5, -3, 0},
    {"weights=yes routing=carve", 40, 50, 0, 0, 1e-3},
    {"method=dinf direction=yes", 40, 37, 0, 0, 0.02},
    {"method=dinf routing=none rim=closed", 50, 37, 0, 0, 0.01},
    {"method=mfd direction=yes", 23, 29, 0, 0, 0.02},
    {"method=mfd exponent=4 routing=none weights=yes", 33, 29, 0, 0, 0.05},
    {"", 1, 77, 0, 0, 0},
    {"routing=carve", 133, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_flow = {"analyze_flow", compute, cases, 1.25f};
