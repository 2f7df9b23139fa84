/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <stdlib.h>

#include "core/keys.h"
#include "oracle/canyons.h"
#include "terrain/erode.h"
#include "vector/random.h"

typedef struct net {
    const oracle_call *call;
    const terrain_erode_canyons_separating_params *p;
    int64_t unit;
    int64_t x, y; /* of the map's first cell */
} net;

typedef struct point {
    int64_t x, y; /* in 2^-8 cells, from the map's first */
} point;

/* A mesa, or a brick, which is a mesa of level 0. */
typedef struct mesa {
    int64_t i, j;
} mesa;

/* A canyon: from corner (i, j) to the east or to the south. */
typedef struct canyon {
    int64_t i, j;
    int south;
    int level; /* -1: none */
    bool reaches[2];
    double depth, half;
} canyon;

static int64_t down(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static bool even(int64_t i, int64_t j)
{
    return ((uint64_t)(i + j) & 1) == 0;
}

static uint32_t draw(const net *n, uint32_t stream, int64_t i, int64_t j)
{
    return terrain__random_cell(
        terrain__random_stream(n->p->seed, TERRAIN__KEY_erode_canyons_separating, stream), i, j);
}

/* ---- Mesas ---- */

/* In units of 2^-16 of a cell of the lattice of level 0: a square of level k has a side of 2^(k +
 * 17). All numbers are odd times 2^k, and far below 2^62 in the tests. */
static point site(const net *n, int level, mesa m)
{
    uint32_t bits = draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_SITE + (uint32_t)level, m.i, m.j);
    int64_t part = (int64_t)1 << level;
    point s;
    s.x = (m.i * 0x20000 + 2 * (int64_t)(bits >> 16) + 1) * part;
    s.y = (m.j * 0x20000 + 2 * (int64_t)(bits & 0xFFFF) + 1) * part;
    return s;
}

static mesa above(const net *n, int level, mesa m)
{
    /* Relative to the square, places are whole numbers divided by 2: rounded down. */
    const int64_t side = (int64_t)0x20000 << level;
    point from, square;
    mesa best = {0, 0};
    double least = (double)INFINITY;
    if (level == 1) {
        from.x = (m.i + 1) * 0x10000;
        from.y = m.j * 0x20000 + 0x10000;
    } else {
        from = site(n, level - 1, m);
    }
    square.x = down(from.x, side);
    square.y = down(from.y, side);
    from.x = down(from.x, (int64_t)1 << level) << level;
    from.y = down(from.y, (int64_t)1 << level) << level;
    for (int k = 0; k < 9; k++) {
        mesa other = {square.x + k % 3 - 1, square.y + k / 3 - 1};
        point s = site(n, level, other);
        double away = hypot((double)(s.x - from.x), (double)(s.y - from.y));
        if (away < least) {
            least = away;
            best = other;
        }
    }
    return best;
}

static mesa mesa_of(const net *n, mesa brick, int level)
{
    for (int k = 1; k <= level; k++) {
        brick = above(n, k, brick);
    }
    return brick;
}

/* ---- Canyons ---- */

static mesa brick_at(int64_t i, int64_t j)
{
    mesa m = {even(i, j) ? i : i - 1, j};
    return m;
}

static canyon canyon_at(const net *n, int64_t i, int64_t j, int south)
{
    canyon c = {i, j, south, -1, {true, true}, 0, 0};
    mesa a = south ? brick_at(i - 2, j) : brick_at(i, j - 1), b = brick_at(i, j);
    for (int level = (int)n->p->levels - 1; level >= 0; level--) {
        mesa of_a = mesa_of(n, a, level), of_b = mesa_of(n, b, level);
        if (of_a.i != of_b.i || of_a.j != of_b.j) {
            uint32_t stream = TERRAIN__DRAW_CANYONS_SEPARATING_DEPTH + (uint32_t)level;
            double r = (double)terrain__signed_float(draw(n, stream, of_a.i, of_a.j) ^
                                                     draw(n, stream, of_b.i, of_b.j));
            double q = pow(0.5, 0.5 * ((int)n->p->levels - 1 - level));
            uint32_t chance = draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_BLIND, 2 * i + south, j);
            c.level = level;
            c.depth = (double)n->p->depth * q * (1 + (double)n->p->vary * r);
            c.half = (double)n->p->width * q * (1 + (double)n->p->vary * r);
            if (level + 1 < (int)n->p->levels && terrain__unit_float(chance) < n->p->blind) {
                c.reaches[1 - chance % 2] = false;
            }
            break;
        }
        if (terrain__unit_float(draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_SHARE + (uint32_t)level,
                                     of_a.i, of_a.j)) >= n->p->share) {
            break;
        }
    }
    return c;
}

/* A canyon that reaches a corner, and the corner at its other end. */
typedef struct way {
    canyon c;
    int64_t i, j;
} way;

static int ways_of(const net *n, int64_t i, int64_t j, way ways[3])
{
    way all[3] = {{canyon_at(n, i - 1, j, 0), i - 1, j}, {canyon_at(n, i, j, 0), i + 1, j}};
    int count = 0;
    all[2].i = i;
    all[2].j = even(i, j) ? j + 1 : j - 1;
    all[2].c = canyon_at(n, i, even(i, j) ? j : j - 1, 1);
    for (int k = 0; k < 3; k++) {
        int end = k == 0 || (k == 2 && !even(i, j));
        if (all[k].c.level >= 0 && all[k].c.reaches[end]) {
            ways[count++] = all[k];
        }
    }
    return count;
}

/* ---- Corners ---- */

static point relaxed(const net *n, int64_t i, int64_t j, int times);

static double cosine(point p, point a, point b)
{
    double ax = (double)(a.x - p.x), ay = (double)(a.y - p.y);
    double bx = (double)(b.x - p.x), by = (double)(b.y - p.y);
    return (ax * bx + ay * by) / sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
}

/* Of three ways the one that joins the other two comes last. */
static void sort_ways(const net *n, point p, way ways[3], int times)
{
    int third = 2;
    if (ways[0].c.level == ways[1].c.level && ways[0].c.level == ways[2].c.level) {
        double least = 2;
        for (int k = 2; k >= 0; k--) {
            way a = ways[(k + 1) % 3], b = ways[(k + 2) % 3];
            double c = cosine(p, relaxed(n, a.i, a.j, times), relaxed(n, b.i, b.j, times));
            if (c < least) {
                least = c;
                third = k;
            }
        }
    } else {
        for (int k = 0; k < 3; k++) {
            third = ways[k].c.level < ways[third].c.level ? k : third;
        }
    }
    way last = ways[third];
    ways[third] = ways[2];
    ways[2] = last;
}

static int64_t cut(int64_t a, int64_t middle, int64_t most)
{
    return a < middle - most ? middle - most : a > middle + most ? middle + most : a;
}

static point relaxed(const net *n, int64_t i, int64_t j, int times)
{
    point p = {(i * n->unit - n->x) * 256, (j * 2 * n->unit - n->y) * 256}, regular = p;
    if (times == 0) {
        uint32_t bits = draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_CORNER, i, j);
        double jitter = floor((double)n->p->jitter * 4096) / 4096;
        double half = (double)n->unit * 256 * 0.5 * jitter;
        p.x += (int64_t)floor(half * (2 * (double)(bits >> 16) - 65535) / 65536);
        p.y += (int64_t)floor(half * (2 * (double)(bits & 0xFFFF) - 65535) / 65536);
        p.y += even(i, j) ? n->unit * 256 / 3 : -(n->unit * 256 / 3);
    } else {
        way ways[3];
        int count = ways_of(n, i, j, ways);
        p = relaxed(n, i, j, times - 1);
        if (count == 3) {
            sort_ways(n, p, ways, times - 1);
            count = ways[2].c.level == ways[0].c.level ? 3 : 2;
        }
        if (count >= 2) {
            point a = relaxed(n, ways[0].i, ways[0].j, times - 1);
            point b = relaxed(n, ways[1].i, ways[1].j, times - 1);
            point c = count == 3 ? relaxed(n, ways[2].i, ways[2].j, times - 1) : p;
            p.x = down(p.x + a.x + b.x + c.x, 4);
            p.y = down(p.y + a.y + b.y + c.y, 4);
        }
        p.x = cut(p.x, regular.x, n->unit * 256);
        p.y = cut(p.y, regular.y, n->unit * 256);
    }
    return p;
}

/* ---- Curves ---- */

static double node(const net *n, uint32_t octave, int64_t i, int64_t j, int axis)
{
    uint32_t bits = draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_MEANDER + octave, i, j);
    return (2 * (double)(axis == 0 ? bits >> 16 : bits & 0xFFFF) - 65535) / 65536;
}

static double smooth(double t)
{
    return t * t * t * (t * (6 * t - 15) + 10);
}

static point displaced(const net *n, point p)
{
    double by[2] = {0, 0};
    for (uint32_t octave = 0; octave < 5 && (4 * n->unit) >> octave >= 8; octave++) {
        int64_t period = (4 * n->unit) >> octave;
        int64_t wx = p.x + n->x * 256, wy = p.y + n->y * 256;
        int64_t i = down(wx, period * 256), j = down(wy, period * 256);
        double s = smooth((double)(wx - i * period * 256) / (double)(period * 256));
        double t = smooth((double)(wy - j * period * 256) / (double)(period * 256));
        for (int axis = 0; axis < 2; axis++) {
            double v =
                (node(n, octave, i, j, axis) * (1 - s) + node(n, octave, i + 1, j, axis) * s) *
                    (1 - t) +
                (node(n, octave, i, j + 1, axis) * (1 - s) +
                 node(n, octave, i + 1, j + 1, axis) * s) *
                    t;
            by[axis] += (double)n->p->meander * (double)period * v;
        }
    }
    p.x += (int64_t)(by[0] * 256);
    p.y += (int64_t)(by[1] * 256);
    return p;
}

typedef struct bed {
    double height, half;
} bed;

static bed bed_at(const net *n, point p, double depth, double half, uint32_t bits)
{
    const oracle_map *map = &n->call->map;
    double sum = 0, count = 0;
    bed b;
    p = displaced(n, p);
    for (int k = 0; k < 25; k++) {
        int64_t x = down(p.x, 256) + (k % 5 - 2) * (n->unit / 4);
        int64_t y = down(p.y, 256) + (k / 5 - 2) * (n->unit / 4);
        x = x < 0 ? 0 : x >= map->width ? map->width - 1 : x;
        y = y < 0 ? 0 : y >= map->height ? map->height - 1 : y;
        if (fabs(map->cells[y * map->width + x]) <= 1e30) {
            sum += map->cells[y * map->width + x];
            count++;
        }
    }
    b.height = sum / count - depth;
    b.half = half * (1 + 0.5 * (double)n->p->vary * (double)terrain__signed_float(bits));
    return b;
}

static point middle_of(point a, point b)
{
    point m = {down(a.x + b.x, 2), down(a.y + b.y, 2)};
    return m;
}

static point on_parabola(point a, point b, point c, int64_t t, int64_t all)
{
    int64_t u = all - t;
    point p = {down(u * u * a.x + 2 * t * u * b.x + t * t * c.x, all * all),
               down(u * u * a.y + 2 * t * u * b.y + t * t * c.y, all * all)};
    return p;
}

static void carve_corner(const net *n, oracle_call *call, oracle_map *floors, int64_t i, int64_t j)
{
    const canyon_walls walls = {(double)n->p->bank * call->map.cell_size, n->p->reach};
    const int64_t steps = n->unit < 8    ? 1
                          : n->unit < 16 ? 2
                          : n->unit < 32 ? 4
                          : n->unit < 64 ? 8
                                         : 16;
    way ways[3];
    point p = relaxed(n, i, j, 3), ends[3] = {{0, 0}, {0, 0}, {0, 0}}, centre = p;
    int count = ways_of(n, i, j, ways);
    double depth = 0, half = 0;
    bed corner;
    if (count == 3) {
        sort_ways(n, p, ways, 3);
    }
    for (int k = 0; k < count; k++) {
        ends[k] = middle_of(p, relaxed(n, ways[k].i, ways[k].j, 3));
        depth = fmax(depth, ways[k].c.depth);
        half = fmax(half, ways[k].c.half);
    }
    if (count >= 2) {
        centre = on_parabola(ends[0], p, ends[1], 1, 2);
    } else {
        depth = half = 0;
    }
    corner = bed_at(n, centre, depth, half, draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_BROAD, i, j));
    for (int k = 0; k < count; k++) {
        const canyon *c = &ways[k].c;
        bool blind = !c->reaches[0] || !c->reaches[1];
        bed middle =
            bed_at(n, ends[k], blind ? 0 : c->depth, blind ? 0 : c->half,
                   draw(n, TERRAIN__DRAW_CANYONS_SEPARATING_WIDTH, 2 * c->i + c->south, c->j));
        for (int64_t s = 0; s < steps; s++) {
            canyon_piece piece;
            for (int end = 0; end < 2; end++) {
                int64_t t = s + end;
                double part = (double)t / (double)steps;
                point q = k < 2 && count >= 2 ? on_parabola(ends[k], p, ends[1 - k], t, 2 * steps)
                                              : on_parabola(ends[k], p, centre, t, steps);
                q = displaced(n, q);
                piece.x[end] = (double)q.x / 256;
                piece.y[end] = (double)q.y / 256;
                piece.floor[end] = middle.height + part * (corner.height - middle.height);
            }
            piece.half =
                middle.half + ((double)s + 0.5) / (double)steps * (corner.half - middle.half);
            piece.mark = c->level + 1;
            if (!isnan(piece.floor[0]) && !isnan(piece.floor[1])) {
                canyon_carve(call, floors, piece, &walls);
            }
        }
    }
}

static void compute(oracle_call *call)
{
    const terrain_erode_canyons_separating_params *p = call->params;
    oracle_map floors = oracle_output(call, "floors");
    const int64_t unit = p->spacing >> p->levels;
    const net n = {call, p, unit, call->map.x, call->map.y};
    const int64_t away =
        (int64_t)p->reach + 2 * unit + (int64_t)(7.75 * (double)p->meander * (double)unit) + 2;
    canyon_begin(call, &floors);
    for (int64_t j = down(n.y - away, 2 * unit) - 1; j * 2 * unit <= n.y + call->map.height + away;
         j++) {
        for (int64_t i = down(n.x - away, unit) - 1; i * unit <= n.x + call->map.width + away;
             i++) {
            carve_corner(&n, call, &floors, i, j);
        }
    }
}

/* Heights are within +-30; floats of walls are rounded by some 2^-20. Places that noise moves are
 * whole numbers of 2^-8 cells: where the noise is nearly one, double may give its neighbour. */
static const oracle_case cases[] = {
    {"spacing=32 levels=2 reach=9 depth=5 floors=yes", 46, 41, 0, 0, 2e-4},
    {"spacing=64 levels=3 reach=20 share=1 vary=1 seed=3", 50, 37, -1000, 77, 2e-4},
    {"spacing=40 levels=1 reach=30 bank=0.3 jitter=1 depth=9", 44, 50, 0, 0, 2e-4},
    {"spacing=70 levels=2 meander=0.5 width=0 floors=yes", 41, 40, 5000, -999, 2e-4},
    {"spacing=128 levels=5 blind=0.6 reach=7 depth=12", 33, 40, 0, 0, 2e-4},
    {"spacing=64 levels=3 blind=1 share=1 jitter=0 meander=0", 40, 40, 4, 7, 2e-4},
    {"spacing=300 levels=2 reach=64 bank=4 depth=100", 60, 50, 0, 0, 1e-3},
    {"spacing=48 levels=2", 1, 57, 0, 0, 2e-4},
    {"spacing=48 levels=2 mask=yes", 63, 1, 0, 0, 2e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_canyons_separating = {"erode_canyons_separating", compute, cases, 1.25f};
