/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The three of stitch.h on a 2 x 2 grid: map 2 * row + column. Cells are found by their distances
 * from the edges that are shared, so that one text serves all four maps. */

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle.h"
#include "terrain/stitch.h"

static double falloff(double t, terrain_stitch_curve kind)
{
    if (kind == TERRAIN_STITCH_CURVE_LINEAR) {
        return 1 - t;
    }
    return kind == TERRAIN_STITCH_CURVE_SMOOTH ? 1 - t * t * (3 - 2 * t)
                                               : 1 - t * t * t * (t * (6 * t - 15) + 10);
}

/* The cell of map (column, row) that lies dx and dy cells inwards from the corner all four
 * share. */
static double *inward(const oracle_map maps[4], int column, int row, int64_t dx, int64_t dy)
{
    const oracle_map *map = &maps[2 * row + column];
    return oracle_at(map, column == 0 ? map->width - 1 - dx : dx,
                     row == 0 ? map->height - 1 - dy : dy);
}

static void free_grid(oracle_map before[4])
{
    for (int i = 1; i < 4; i++) {
        free(before[i].cells);
    }
}

/* ---- stitch_blend ---------------------------------------------------------------------------- */

static double weight(int64_t i, const terrain_stitch_blend_params *p)
{
    return p->overlap == 1 ? 0.5 : falloff((double)i / (double)(p->overlap - 1), p->curve);
}

/* The weight of the map on side 0 or 1 in a line that is `place` lines behind the first of the
 * overlap, which ends in side 0's last line; 1 beyond. */
static double share(int side, int64_t place, const terrain_stitch_blend_params *p)
{
    if (place < 0 || place >= p->overlap) {
        return place < 0 ? side == 0 : side == 1;
    }
    return side == 0 ? weight(place, p) : weight(p->overlap - 1 - place, p);
}

static void compute_blend(oracle_call *call)
{
    const terrain_stitch_blend_params *p = call->params;
    oracle_map before[4], after[4];
    oracle_grid(call, before, after);
    const int64_t width = before[0].width, height = before[0].height, overlap = p->overlap;
    /* Over all cells of the terrain: each map counts that has the cell. */
    for (int64_t y = 0; y < 2 * height - overlap; y++) {
        for (int64_t x = 0; x < 2 * width - overlap; x++) {
            double sum = 0;
            for (int pass = 0; pass < 2; pass++) {
                for (int i = 0; i < 4; i++) {
                    int64_t mx = x - (i % 2) * (width - overlap);
                    int64_t my = y - (i / 2) * (height - overlap);
                    if (mx < 0 || my < 0 || mx >= width || my >= height) {
                        continue;
                    }
                    if (pass == 0) {
                        sum += share(i % 2, x - (width - overlap), p) *
                               share(i / 2, y - (height - overlap), p) *
                               *oracle_at(&before[i], mx, my);
                    } else {
                        *oracle_at(&after[i], mx, my) = sum;
                    }
                }
            }
        }
    }
    free_grid(before);
}

static const oracle_case blend_cases[] = {
    {"overlap=8", 37, 29, 0, 0, 1e-5},
    {"", 5, 9, 3, 4, 1e-5},
    {"overlap=29 curve=smooth", 37, 29, 0, 0, 1e-5},
    {"overlap=2 curve=linear", 67, 33, -40, 1234567890, 1e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_stitch_blend = {"stitch_blend", compute_blend, blend_cases, 0};

/* ---- stitch_edges and stitch_match ----------------------------------------------------------- */

/* profile[i](d): what arrives of line i's change at distance d. */
struct skirts {
    int lines;
    double width, bend;
    terrain_stitch_curve kind;
};

static double fade(double t, terrain_stitch_curve kind)
{
    return t < 1 ? falloff(t, kind) : 0;
}

static double bow(double t)
{
    return t < 1 ? t * pow(1 - t, 3) * (1 + 3 * t) : 0;
}

static double profile(const struct skirts *s, int line, double d)
{
    if (s->lines == 1) {
        return fade(d / s->width, s->kind);
    }
    double p1 = bow(d / s->bend) / bow(1 / s->bend);
    return line == 1 ? p1 : fade(d / s->width, s->kind) - fade(1 / s->width, s->kind) * p1;
}

/* a1, a, b, b1 (or a, b) become what the header says. */
static void meet(const struct skirts *s, double *cells)
{
    if (s->lines == 1) {
        cells[0] = cells[1] = (cells[0] + cells[1]) / 2;
        return;
    }
    double m = (cells[1] + cells[2]) / 2;
    double slope = ((cells[1] - cells[0]) + (cells[3] - cells[2])) / 2;
    cells[0] = m - slope;
    cells[1] = cells[2] = m;
    cells[3] = m + slope;
}

/* What the cells on the lines change by, for the vertical seam in grid row `row` (across x), or the
 * horizontal one in grid column `row`: side 0 or 1, line, place (distance from the shared
 * corner). */
static double *cell_of(const oracle_map maps[4], bool vertical, int row, int side, int line,
                       int64_t place)
{
    return vertical ? inward(maps, side, row, line, place) : inward(maps, row, side, place, line);
}

/* New heights of the 2 * lines cells across a seam at one place, by the means alone. */
static void mean_across(const struct skirts *s, const oracle_map maps[4], bool vertical, int row,
                        int64_t place, double cells[4])
{
    for (int i = 0; i < s->lines; i++) {
        cells[s->lines - 1 - i] = *cell_of(maps, vertical, row, 0, i, place);
        cells[s->lines + i] = *cell_of(maps, vertical, row, 1, i, place);
    }
    meet(s, cells);
}

/* The (2 lines)^2 cells around the corner: along x, then along y. */
static void corner_block(const struct skirts *s, const oracle_map maps[4], double block[4][4])
{
    for (int k = 0; k < 2 * s->lines; k++) {
        int row = k >= s->lines;
        mean_across(s, maps, true, row, row ? k - s->lines : s->lines - 1 - k, block[k]);
    }
    for (int p = 0; p < 2 * s->lines; p++) {
        double cells[4];
        for (int k = 0; k < 2 * s->lines; k++) {
            cells[k] = block[k][p];
        }
        meet(s, cells);
        for (int k = 0; k < 2 * s->lines; k++) {
            block[k][p] = cells[k];
        }
    }
}

static void stitch_lines(const struct skirts *s, const oracle_map before[4], oracle_map after[4],
                         bool vertical, int row, double block[4][4])
{
    const int64_t length = vertical ? before[0].height : before[0].width;
    const int lines = s->lines;
    double missing[2][4]; /* by distance from the corner, and across */
    for (int j = 0; j < lines; j++) {
        double mean[4];
        mean_across(s, before, vertical, row, j, mean);
        int along = row == 0 ? lines - 1 - j : lines + j;
        for (int p = 0; p < 2 * lines; p++) {
            missing[j][p] = (vertical ? block[along][p] : block[p][along]) - mean[p];
        }
    }
    for (int64_t t = 0; t < length; t++) {
        double cells[4];
        mean_across(s, before, vertical, row, t, cells);
        for (int p = 0; p < 2 * lines; p++) {
            for (int j = 0; j < lines; j++) {
                cells[p] += profile(s, j, (double)t) * missing[j][p];
            }
            int side = p >= lines, line = side ? p - lines : lines - 1 - p;
            *cell_of(after, vertical, row, side, line, t) = cells[p];
        }
    }
}

static void stitch_inside(const struct skirts *s, const oracle_map before[4], oracle_map after[4],
                          int column, int row)
{
    const int lines = s->lines;
    for (int64_t y = lines; y < before[0].height; y++) {
        for (int64_t x = lines; x < before[0].width; x++) {
            double sum = *inward(before, column, row, x, y);
            for (int i = 0; i < lines; i++) {
                double px = profile(s, i, (double)x), py = profile(s, i, (double)y);
                sum +=
                    px * (*inward(after, column, row, i, y) - *inward(before, column, row, i, y));
                sum +=
                    py * (*inward(after, column, row, x, i) - *inward(before, column, row, x, i));
                for (int j = 0; j < lines; j++) {
                    sum -= px * profile(s, j, (double)y) *
                           (*inward(after, column, row, i, j) - *inward(before, column, row, i, j));
                }
            }
            *inward(after, column, row, x, y) = sum;
        }
    }
}

static void stitch(oracle_call *call, const struct skirts *s)
{
    oracle_map before[4], after[4];
    double block[4][4];
    oracle_grid(call, before, after);
    corner_block(s, before, block);
    for (int k = 0; k < 2; k++) {
        stitch_lines(s, before, after, true, k, block);
        stitch_lines(s, before, after, false, k, block);
    }
    for (int i = 0; i < 4; i++) {
        stitch_inside(s, before, after, i % 2, i / 2);
    }
    free_grid(before);
}

static double at_most(double value, int64_t most)
{
    return value < (double)most ? value : (double)most;
}

/* The cases' maps are as high as they are wide, or larger than the skirts. */
static void compute_edges(oracle_call *call)
{
    const terrain_stitch_edges_params *p = call->params;
    struct skirts s = {1, at_most(p->width, call->map.width - 1), 0, p->curve};
    stitch(call, &s);
}

static void compute_match(oracle_call *call)
{
    const terrain_stitch_match_params *p = call->params;
    struct skirts s = {2, at_most(p->width, call->map.width - 2),
                       at_most(p->bend, call->map.width - 2), TERRAIN_STITCH_CURVE_SMOOTHER};
    stitch(call, &s);
}

static const oracle_case edges_cases[] = {
    {"", 67, 41, 0, 0, 1e-5},
    {"", 20, 20, 0, 0, 1e-5},
    {"width=1", 9, 7, 0, 0, 1e-5},
    {"width=8 curve=linear", 37, 29, -1000, 77, 1e-5},
    {"width=28 curve=smooth", 37, 29, 5, 5, 1e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_stitch_edges = {"stitch_edges", compute_edges, edges_cases, 0};

static const oracle_case match_cases[] = {
    {"", 67, 41, 0, 0, 2e-5},
    {"bend=20", 20, 20, 0, 0, 5e-5},
    {"width=2 bend=2", 9, 7, 0, 0, 2e-5},
    {"width=8 bend=12", 37, 29, -1000, 77, 5e-5},
    {"", 4, 4, 1, 2, 2e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_stitch_match = {"stitch_match", compute_match, match_cases, 0};
