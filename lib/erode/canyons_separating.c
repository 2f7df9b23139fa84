/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_canyons_separating: a net of canyons that cuts land into mesas.
 *
 * ckempke: Implementing erosion, "Separator canyons": canyons whose floors are about as high at
 * both ends, the deeper the longer they are, and that separate the land between them. There they
 * are walks that end where they meet another one. Here they are the borders of a partition of the
 * plane that any window of the world can compute by itself. That makes them a net: where a border
 * ends, three mesas meet.
 *
 *     +---+---+-       bricks of a lattice of hexagons, whose corners are displaced; each is
 *     | a   a | b      part of a mesa of level 1, which is the nearest of jittered sites, that of
 *     +-+---+-+-       one of level 2, and so on. A mesa is cut into those of the level below it
 *      a| b   |        or not (`share`). Two bricks in different mesas have a canyon between them,
 *     +-+---+-+-       whose level is the highest on which they differ: the higher, the longer.
 *
 *   bricks    finds the mesas of each brick
 *   borders   sets levels and depths of the canyons along each side of a brick
 *   relax     moves corners towards the middle of the two that follow and precede them along their
 *             longest canyon
 *   draw      from the middle of a side to that of the next, a parabola around the corner between,
 *             whose points noise displaces; floors are `depth` below the ground around
 *   carve     erode/canyons.h
 *
 * Places are whole numbers of 2^-8 cells, and curves are sums of them with weights that are powers
 * of two, so that they are the same in any window. */

#include "erode/canyons_separating.h"

#include "base/math.h"

static const terrain_parameter separating_parameters[] = {
    TERRAIN__SEED(separating_params),
    TERRAIN__UINT32(separating_params, spacing, "cells", 192, 8, 8192,
                    "The mean distance between the longest canyons.",
                    .scaling = TERRAIN_SCALING_LATTICE),
    TERRAIN__UINT32(separating_params, levels, "", 3, 1, SEPARATING_LEVELS,
                    "How many levels of canyons there are, each half as long as the one before.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(separating_params, share, "", 0.6, 0, 1,
                   "The share of mesas that shorter canyons cut further."),
    TERRAIN__FLOAT(
        separating_params, blind, "", 0, 0, 1,
        "The share of shorter canyons that are dead ends, so that the land stays connected."),
    TERRAIN__FLOAT(
        separating_params, depth, "height", 24, 0, 1e6,
        "How deep the longest canyons are; those of the next level have 0.71 of that depth."),
    TERRAIN__FLOAT(
        separating_params, width, "cells", 3, 0, 256,
        "Half the width of the longest canyons' floors; the next levels shrink like depth."),
    TERRAIN__FLOAT(separating_params, vary, "", 0.4, 0, 1,
                   "How much depths and widths differ from canyon to canyon."),
    TERRAIN__FLOAT(separating_params, bank, "slope", 1.2, 0.001, 100, "The slope of the walls."),
    TERRAIN__UINT32(separating_params, reach, "cells", 48, 1, 512,
                    "Cells farther than this from the middle line of a canyon don't change."),
    TERRAIN__FLOAT(separating_params, jitter, "", 0.8, 0, 1, "How irregular the net is."),
    TERRAIN__FLOAT(separating_params, meander, "", 0.18, 0, 0.5, "How much the canyons wind."),
    TERRAIN__MAP_OUT(separating_params, floors,
                     "Gets the level of the canyon whose floor covers the cell, 1 for the "
                     "shortest; 0 elsewhere."),
    TERRAIN__MASK(separating_params),
};

static const char *separating_check(const void *params)
{
    const separating_params *p = params;
    return p->spacing >> p->levels < 4 ? "spacing must be at least 4 * 2^levels" : NULL;
}

/* ---- Plan ------------------------------------------------------------------------------------ */

static int64_t separating_unit(const separating_params *p)
{
    return p->spacing >> p->levels;
}

/* The farthest that a point of the canyons around a corner can be from the corner's place in the
 * regular lattice, in cells along either axis. Corners are at most a unit from it. Middles of sides
 * are half-way to a neighbour that is two units away, and at most one unit from there. Noise
 * displaces both. */
static int64_t separating_stray(const separating_params *p)
{
    const int64_t unit = separating_unit(p);
    return 2 * unit + (int64_t)(8 * (double)p->meander * (double)unit) + 2;
}

static uint32_t separating_halo(const void *params)
{
    const separating_params *p = params;
    return p->reach + (uint32_t)(2 * separating_stray(p) + separating_unit(p) / 2 + 2);
}

/* Plans the squares of each level in which bricks may have the sites of their mesas: those around
 * the squares of the level below. Bricks are numbered as squares of 2 units. */
static void separating_prepare_sites(terrain__call *call)
{
    const separating_params *p = call->params;
    struct separating_job *job = call->job;
    int64_t x0 = terrain__floor_div(job->x + 1, 2), y0 = job->y;
    int64_t x1 = terrain__floor_div(job->x + job->width, 2), y1 = job->y + job->height - 1;
    for (uint32_t level = 1; level < p->levels; level++) {
        struct separating_sites *sites = &job->sites[level];
        x0 = sites->x = terrain__floor_div(x0, 2) - 1;
        y0 = sites->y = terrain__floor_div(y0, 2) - 1;
        x1 = terrain__floor_div(x1, 2) + 1;
        y1 = terrain__floor_div(y1, 2) + 1;
        sites->width = x1 - x0 + 1;
        sites->height = y1 - y0 + 1;
        sites->bits = terrain__scratch(call, (size_t)sites->width * (size_t)sites->height,
                                       sizeof *sites->bits);
    }
}

static terrain_status separating_prepare(terrain__call *call)
{
    const separating_params *p = call->params;
    struct separating_job *job = call->job;
    const int64_t unit = separating_unit(p);
    const int64_t away = (int64_t)p->reach + separating_stray(p);
    terrain_status status;
    job->unit = unit;
    /* Rounded up, and then down: corners that are not farther away. */
    job->x = -terrain__floor_div(away - call->x, unit) - SEPARATING_WEST;
    job->y = -terrain__floor_div(away - call->y, 2 * unit) - SEPARATING_ROWS;
    job->width = terrain__floor_div(call->x + call->target.width - 1 + away, unit) - job->x + 1 +
                 SEPARATING_EAST;
    job->height = terrain__floor_div(call->y + call->target.height - 1 + away, 2 * unit) - job->y +
                  1 + SEPARATING_ROWS;
    job->shift = unit < 8 ? 0 : unit < 16 ? 1 : unit < 32 ? 2 : unit < 64 ? 3 : SEPARATING_SHIFT;
    job->steps = 1u << job->shift;
    for (uint32_t level = p->levels; level-- > 0;) {
        const double half = 0.70710678118654752;
        job->shrink[level] =
            level + 1 == p->levels ? 1 : (float)(half * (double)job->shrink[level + 1]);
    }
    const size_t corners = (size_t)job->width * (size_t)job->height;
    const size_t drawn = (size_t)(job->width - SEPARATING_WEST - SEPARATING_EAST) *
                         (size_t)(job->height - 2 * SEPARATING_ROWS);
    status =
        terrain__canyons_prepare(call, &job->canyons, drawn * 3 * job->steps, p->bank, p->reach);
    job->bricks = terrain__scratch(call, corners, sizeof *job->bricks);
    job->corners = terrain__scratch(call, corners, sizeof *job->corners);
    separating_prepare_sites(call);
    terrain__commit_cost(call, 10);
    terrain__expect_passes(call, 5 + SEPARATING_RELAX);
    return status;
}

/* ---- Mesas ----------------------------------------------------------------------------------- */

static void separating_draw_sites(terrain__call *call)
{
    const separating_params *p = call->params;
    struct separating_job *job = call->job;
    job->blinds = separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_BLIND);
    job->widths = separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_WIDTH);
    job->broads = separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_BROAD);
    for (uint32_t level = 0; level < p->levels; level++) {
        const struct separating_sites *sites = &job->sites[level];
        const uint64_t stream =
            separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_SITE + level);
        job->shares[level] =
            separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_SHARE + level);
        job->depths[level] =
            separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_DEPTH + level);
        for (int64_t j = 0; j < sites->height; j++) {
            for (int64_t i = 0; i < sites->width; i++) {
                sites->bits[j * sites->width + i] =
                    terrain__random_cell(stream, sites->x + i, sites->y + j);
            }
        }
    }
}

/* The place of a mesa's site in its square, which measures 2^17 by 2^17. */
static void separating_site(const struct separating_sites *sites, int64_t x, int64_t y,
                            int64_t place[2])
{
    const uint32_t bits = sites->bits[(y - sites->y) * sites->width + (x - sites->x)];
    place[0] = 2 * (int64_t)(bits >> 16) + 1;
    place[1] = 2 * (int64_t)(bits & 0xFFFF) + 1;
}

/* Finds the mesa of a level whose site is nearest to a place in square (x, y), among the sites of
 * the nine squares around; if several are, the first one row by row. */
static void separating_nearest(const struct separating_sites *sites, int64_t x, int64_t y,
                               const int64_t place[2], int64_t mesa[2])
{
    int64_t least = INT64_MAX;
    mesa[0] = x;
    mesa[1] = y;
    for (int64_t j = y - 1; j <= y + 1; j++) {
        for (int64_t i = x - 1; i <= x + 1; i++) {
            int64_t site[2], east, south, square;
            separating_site(sites, i, j, site);
            east = site[0] + (i - x) * 0x20000 - place[0];
            south = site[1] + (j - y) * 0x20000 - place[1];
            square = east * east + south * south;
            if (square < least) {
                least = square;
                mesa[0] = i;
                mesa[1] = j;
            }
        }
    }
}

/* Finds the mesas of bricks, level by level: the first from the brick's middle, each further one
 * from the site of the one before. Squares of the next level have sides twice as long. */
static void separating_bricks_row(terrain__call *call, uint32_t task, uint32_t row)
{
    const separating_params *p = call->params;
    struct separating_job *job = call->job;
    const int64_t y = job->y + row;
    (void)task;
    for (int64_t i = (job->x + y) & 1; i < job->width; i += 2) {
        struct separating_brick *brick = &job->bricks[row * job->width + i];
        const int64_t x = job->x + i;
        /* Its middle is at the end of unit x. */
        int64_t square[2] = {terrain__floor_div(x + 1, 2), y};
        int64_t place[2] = {terrain__floor_mod(x + 1, 2) * 0x10000, 0x10000};
        brick->x[0] = x;
        brick->y[0] = y;
        for (uint32_t level = 1; level < p->levels; level++) {
            const struct separating_sites *sites = &job->sites[level];
            const int64_t parent[2] = {terrain__floor_div(square[0], 2),
                                       terrain__floor_div(square[1], 2)};
            int64_t in[2], mesa[2];
            for (int axis = 0; axis < 2; axis++) {
                in[axis] = (place[axis] + (square[axis] - 2 * parent[axis]) * 0x20000) / 2;
            }
            separating_nearest(sites, parent[0], parent[1], in, mesa);
            brick->x[level] = square[0] = mesa[0];
            brick->y[level] = square[1] = mesa[1];
            separating_site(sites, mesa[0], mesa[1], place);
        }
        brick->whole = 0;
        for (uint32_t level = p->levels; level-- > 1 && brick->whole == 0;) {
            const uint32_t bits =
                terrain__random_cell(job->shares[level], brick->x[level], brick->y[level]);
            brick->whole = terrain__unit_float(bits) < p->share ? 0 : (int32_t)level;
        }
    }
}

/* ---- Borders --------------------------------------------------------------------------------- */

/* The highest level on which two bricks are in different mesas, if mesas are cut down to that
 * level; else -1. */
static int32_t separating_level(const terrain__call *call, const struct separating_brick *a,
                                const struct separating_brick *b)
{
    const separating_params *p = call->params;
    int32_t level = (int32_t)p->levels - 1;
    while (level > 0 && a->x[level] == b->x[level] && a->y[level] == b->y[level]) {
        level--;
    }
    return level < a->whole ? -1 : level;
}

/* A random number in [-1, 1) of two mesas with a canyon between them, the same in either order. */
static float separating_of_pair(uint64_t stream, const struct separating_brick *a,
                                const struct separating_brick *b, int32_t level)
{
    return terrain__signed_float(terrain__random_cell(stream, a->x[level], a->y[level]) ^
                                 terrain__random_cell(stream, b->x[level], b->y[level]));
}

/* (x, y) selects the side's random numbers. Only sides that are drawn get a depth and a width. */
static void separating_set_side(const terrain__call *call, struct separating_side *side,
                                const struct separating_brick *a, const struct separating_brick *b,
                                int64_t x, int64_t y, bool drawn)
{
    const separating_params *p = call->params;
    const struct separating_job *job = call->job;
    side->level = separating_level(call, a, b);
    side->ends = 3;
    if (side->level >= 0 && side->level + 1 < (int32_t)p->levels && p->blind > 0) {
        const uint32_t bits = terrain__random_cell(job->blinds, x, y);
        side->ends = terrain__unit_float(bits) < p->blind ? 1 + (bits & 1) : 3;
    }
    if (side->level >= 0 && drawn) {
        const uint64_t stream = job->depths[side->level];
        const float shrink = job->shrink[side->level];
        const float vary = 1 + p->vary * separating_of_pair(stream, a, b, side->level);
        side->depth = p->depth * shrink * vary;
        side->half_width = p->width * shrink * vary;
    }
}

/* The brick on whose upper side corner (x, y) is the first or the second one. */
static const struct separating_brick *separating_brick_at(const struct separating_job *job,
                                                          int64_t x, int64_t y)
{
    const int64_t left = ((x + y) & 1) == 0 ? x : x - 1;
    return &job->bricks[(y - job->y) * job->width + (left - job->x)];
}

/* Sets corners' places, and the canyons to their east and south. Corners at the edge of the known
 * part have no canyons; these are never read, or only while corners relax. */
static void separating_corners_row(terrain__call *call, uint32_t task, uint32_t row)
{
    const separating_params *p = call->params;
    struct separating_job *job = call->job;
    const uint64_t places = separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_CORNER);
    const int64_t y = job->y + row;
    const int64_t full = job->unit * SEPARATING_PLACE;
    const int64_t jitter = (int64_t)(p->jitter * 0x1p12f);
    (void)task;
    for (int64_t i = 0; i < job->width; i++) {
        struct separating_corner *corner = &job->corners[row * job->width + i];
        const int64_t x = job->x + i;
        const bool down = ((x + y) & 1) == 0;
        /* Drawn around this corner, or around the next one to the east or to the south. */
        const bool drawn = i >= SEPARATING_WEST - 1 && i + SEPARATING_EAST < job->width &&
                           row >= SEPARATING_ROWS - 1 && row + SEPARATING_ROWS < job->height;
        const uint32_t bits = terrain__random_cell(places, x, y);
        const int64_t east = 2 * (int64_t)(bits >> 16) - 0xFFFF;
        const int64_t south = 2 * (int64_t)(bits & 0xFFFF) - 0xFFFF;
        int64_t *place = corner->places[0];
        place[0] = (x * job->unit - call->x) * SEPARATING_PLACE;
        place[1] = (y * 2 * job->unit - call->y) * SEPARATING_PLACE;
        /* Jitter is at most 2^12, and east and south are below 2^16: less than half a unit. Sides
         * of hexagons meet at 120 degrees if corners with a side to the south lie a third of a unit
         * lower, and the others as much higher. */
        place[0] += terrain__floor_div(full * jitter * east, INT64_C(1) << 29);
        place[1] += terrain__floor_div(full * jitter * south, INT64_C(1) << 29) +
                    (down ? full / 3 : -(full / 3));
        corner->east.level = corner->south.level = -1;
        corner->east.ends = corner->south.ends = 0;
        if (i > 0 && row > 0) {
            separating_set_side(call, &corner->east, separating_brick_at(job, x, y - 1),
                                separating_brick_at(job, x, y), 2 * x, y, drawn);
            if (down && i > 1) {
                separating_set_side(call, &corner->south, separating_brick_at(job, x - 2, y),
                                    separating_brick_at(job, x, y), 2 * x + 1, y, drawn);
            }
        }
    }
}

uint32_t terrain__separating_ways(const struct separating_job *job, int64_t i, int64_t j,
                                  struct separating_way ways[3])
{
    const struct separating_corner *corner = &job->corners[j * job->width + i];
    const bool down = ((job->x + i + job->y + j) & 1) == 0;
    const struct separating_corner *beyond = down ? corner + job->width : corner - job->width;
    const struct separating_corner *others[3] = {corner - 1, corner + 1, beyond};
    const struct separating_side *sides[3] = {&(corner - 1)->east, &corner->east,
                                              down ? &corner->south : &beyond->south};
    const uint32_t ends[3] = {2, 1, down ? 1 : 2};
    uint32_t count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        if (sides[k]->level >= 0 && (sides[k]->ends & ends[k]) != 0) {
            struct separating_way *way = &ways[count++];
            way->side = sides[k];
            way->place = others[k]->places[job->relaxed & 1];
            way->x = k == 0 ? i - 1 : i;
            way->y = k == 2 && !down ? j - 1 : j;
            way->down = k == 2;
        }
    }
    return count;
}

/* The cosine of the angle between two ways. */
static double separating_cosine(const int64_t from[2], const int64_t a[2], const int64_t b[2])
{
    const double ax = (double)(a[0] - from[0]), ay = (double)(a[1] - from[1]);
    const double bx = (double)(b[0] - from[0]), by = (double)(b[1] - from[1]);
    const double lengths = terrain__sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
    return lengths > 0 ? (ax * bx + ay * by) / lengths : 1;
}

void terrain__separating_sort_ways(const int64_t place[2], struct separating_way ways[3])
{
    uint32_t third = 2;
    if (ways[0].side->level == ways[1].side->level && ways[0].side->level == ways[2].side->level) {
        double least = 2;
        for (uint32_t k = 3; k-- > 0;) {
            const double cosine =
                separating_cosine(place, ways[(k + 1) % 3].place, ways[(k + 2) % 3].place);
            if (cosine < least) {
                least = cosine;
                third = k;
            }
        }
    } else {
        for (uint32_t k = 0; k < 3; k++) {
            third = ways[k].side->level < ways[third].side->level ? k : third;
        }
    }
    if (third != 2) {
        const struct separating_way last = ways[third];
        ways[third] = ways[2];
        ways[2] = last;
    }
}

/* ---- Relax ----------------------------------------------------------------------------------- */

/* Corners at the rim of the known part lack neighbours. With each step the rim grows by a corner on
 * the left and right, where every second way leads, and by no more than two in all above and
 * below. */
static void separating_relax_row(terrain__call *call, uint32_t task, uint32_t row)
{
    struct separating_job *job = call->job;
    const int64_t j = row, rim = job->relaxed + 1, rim_rows = rim < 2 ? rim : 2;
    (void)task;
    for (int64_t i = rim; j >= rim_rows && j + rim_rows < job->height && i + rim < job->width;
         i++) {
        struct separating_corner *corner = &job->corners[j * job->width + i];
        const int64_t *before = corner->places[job->relaxed & 1];
        int64_t *place = corner->places[~job->relaxed & 1];
        struct separating_way ways[3];
        uint32_t count = terrain__separating_ways(job, i, j, ways);
        /* If all three have the same level, each counts, in any order; else only the two of the
         * higher level. */
        if (count == 3 && (ways[0].side->level != ways[1].side->level ||
                           ways[0].side->level != ways[2].side->level)) {
            terrain__separating_sort_ways(before, ways);
            count = 2;
        }
        for (int axis = 0; axis < 2; axis++) {
            place[axis] = before[axis];
            if (count >= 2) {
                int64_t sum = ways[0].place[axis] + ways[1].place[axis];
                sum += count == 3 ? ways[2].place[axis] : before[axis];
                place[axis] = terrain__floor_div(sum + before[axis], 4);
            }
        }
        place[0] =
            separating_within(place[0], ((job->x + i) * job->unit - call->x) * SEPARATING_PLACE,
                              job->unit * SEPARATING_PLACE);
        place[1] =
            separating_within(place[1], ((job->y + j) * 2 * job->unit - call->y) * SEPARATING_PLACE,
                              job->unit * SEPARATING_PLACE);
    }
}

/* ---- Passes ---------------------------------------------------------------------------------- */

static void separating_sort(terrain__call *call, uint32_t index)
{
    struct separating_job *job = call->job;
    (void)index;
    job->canyons.count = job->canyons.most;
    terrain__canyons_sort(&job->canyons);
}

static void separating_carve_band(terrain__call *call, uint32_t index)
{
    const struct separating_job *job = call->job;
    terrain__canyons_carve(call, &job->canyons,
                           terrain__output(call, (uint32_t)offsetof(separating_params, floors)),
                           index);
}

static terrain_status separating_run(terrain__call *call)
{
    struct separating_job *job = call->job;
    const uint32_t rows = (uint32_t)job->height;
    separating_draw_sites(call);
    terrain_status status = terrain__run_rows(call, rows, separating_bricks_row);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run_rows(call, rows, separating_corners_row);
    }
    for (uint32_t k = 0; k < SEPARATING_RELAX && status == TERRAIN_SUCCESS; k++) {
        status = terrain__run_rows(call, rows, separating_relax_row);
        job->relaxed++;
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run_rows(call, rows - 2 * SEPARATING_ROWS, terrain__separating_draw_row);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, separating_sort);
    }
    return status == TERRAIN_SUCCESS
               ? terrain__commit(call, terrain__canyons_tasks(call), separating_carve_band)
               : status;
}

const terrain_operation terrain__erode_canyons_separating = {
    TERRAIN__IDENTITY(erode, canyons_separating),
    .result_version = 1,
    .summary = "A net of canyons that cuts land into mesas, the longer the deeper.",
    .reference = "ckempke, Implementing erosion",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(separating_params),
    TERRAIN__PARAMETERS(separating_parameters),
    .job_size = sizeof(struct separating_job),
    .check = separating_check,
    .halo = separating_halo,
    .prepare = separating_prepare,
    .run = separating_run,
};

TERRAIN__PUBLIC_CHANGE(erode_canyons_separating)
