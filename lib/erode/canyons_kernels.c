/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/canyons_kernels.h"

#include <math.h>

#include "base/math.h"

/* A piece seen from a cell: where its lowest cone is, and how near it is. */
struct canyons_sight {
    float lowest; /* along the piece, from its first point to the lowest cone's */
    float behind; /* along the piece, from the cell's foot to the lowest cone's point */
    float across; /* from the piece's line to the cell, to the left */
    float away;   /* from the cone's point to the cell, less the floor's half width */
    float square; /* of the distance from the piece */
};

/* The floor falls by m and walls rise by b a cell. For a cell at the distance a from the line,
 * whose foot on it is at t0, the cone of the point at t is as high as -m t + b max(0, sqrt((t -
 * t0)^2 + a^2) - half), which is convex in t. It is least where the root's derivative is m / b, at
 * a lead = a (m / b) / sqrt(1 - (m / b)^2) ahead of t0; or, if the cell is still on the floor
 * there, where the floor leaves it behind, at sqrt(half^2 - a^2) ahead. It is the farther of the
 * two. */
TERRAIN__INLINE struct canyons_sight canyons_see(float x, float y, float east, float south,
                                                 float length, float lead, float half)
{
    struct canyons_sight sight;
    float along = x * east + y * south;
    float across = x * south - y * east;
    float a = across < 0 ? -across : across;
    float within = half * half - a * a;
    float ahead = terrain__sqrtf(within > 0 ? within : 0);
    float slanted = lead * a;
    float foot = along > 0 ? along : 0, behind, t;
    ahead = ahead > slanted ? ahead : slanted;
    foot = foot < length ? foot : length;
    t = along + ahead;
    t = t > 0 ? t : 0;
    t = t < length ? t : length;
    behind = t - along;
    foot = foot - along;
    sight.lowest = t;
    sight.behind = behind;
    sight.across = across;
    sight.square = foot * foot + a * a;
    sight.away = terrain__sqrtf(behind * behind + a * a) - half;
    return sight;
}

static void canyons_weigh(const struct canyons_cones *cones, uint32_t from, uint32_t count, float x,
                          float y, float bank, struct canyons_weights *weights)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = from + i;
        const float east = cones->east[k], south = cones->south[k], half = cones->half_width[k];
        struct canyons_sight sight = canyons_see(x - cones->x[k], y - cones->y[k], east, south,
                                                 cones->length[k], cones->lead[k], half);
        /* Times the vector from the cone's point, this is the cone's gradient. */
        float steep = bank / (sight.away > 0 ? sight.away + half : 1);
        float rise_east = steep * (sight.across * south - sight.behind * east);
        float rise_south = steep * (-sight.across * east - sight.behind * south);
        float away = sight.away > 0 ? sight.away : 0;
        weights->wall[i] = cones->high[k] - cones->fall[k] * sight.lowest + bank * away;
        weights->rise_east[i] = sight.away > 0 ? rise_east : INFINITY;
        weights->rise_south[i] = rise_south;
        weights->square[i] = sight.square;
    }
}

/* A piece's walls are convex, as the least over t of a function that is convex in place and t. So
 * they are nowhere below the plane that touches them in the middle of a square. How far another
 * piece's walls, convex too, are above that plane is greatest in one of the corners. If they are
 * below the plane in all four, that other piece is lower everywhere. */
static uint32_t canyons_sift(const struct canyons_weights *weights, uint32_t count,
                             const struct canyons_bounds *bounds, uint32_t *kept)
{
    const struct canyons_bounds b = *bounds;
    uint32_t keep[TERRAIN__CANYONS_BATCH];
    uint32_t found = 0;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float size = weights->wall[i] < 0 ? -weights->wall[i] : weights->wall[i];
        float wall = weights->wall[i] - size * TERRAIN__CANYONS_HEIGHT_ERROR;
        float east = weights->rise_east[i] * b.half, south = weights->rise_south[i] * b.half;
        float least = wall - (east < 0 ? -east : east) - (south < 0 ? -south : south);
        uint32_t above =
            ((wall - east) - south > b.corner[0]) & ((wall + east) - south > b.corner[1]) &
            ((wall - east) + south > b.corner[2]) & ((wall + east) + south > b.corner[3]);
        uint32_t beaten = above & (weights->square[i] > b.beaten);
        keep[i] = (least <= b.ground) & (weights->square[i] < b.square) & (beaten ^ 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        kept[found] = i;
        found += keep[i];
    }
    return found;
}

/* Columns and rows of a patch's cells. */
static const float canyons_east[TERRAIN__CANYONS_CELLS] = {
    0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
    0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
static const float canyons_south[TERRAIN__CANYONS_CELLS] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7};

/* The comparisons are false for NaN, which therefore stays. */
static void canyons_carve(float *heights, const float *ground, const struct canyons_cones *cones,
                          uint32_t piece, float x, float y, const struct canyons_walls *walls)
{
    const float east = cones->east[piece], south = cones->south[piece];
    const float length = cones->length[piece], lead = cones->lead[piece];
    const float high = cones->high[piece], fall = cones->fall[piece];
    const float half = cones->half_width[piece];
    const float left_of = cones->x[piece] - x, above = cones->y[piece] - y;
    const struct canyons_walls w = *walls;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < TERRAIN__CANYONS_CELLS; i++) {
        struct canyons_sight sight = canyons_see(
            canyons_east[i] - left_of, canyons_south[i] - above, east, south, length, lead, half);
        float away = sight.away > 0 ? sight.away : 0;
        float wall = high - fall * sight.lowest + w.bank * away;
        float left = w.square - sight.square;
        float least = ground[i] - w.limit * (left > 0 ? left : 0);
        wall = least > wall ? least : wall;
        heights[i] = wall < heights[i] ? wall : heights[i];
    }
}

static void canyons_cover(float *marks, const struct canyons_cones *cones, uint32_t piece, float x,
                          float y)
{
    const float half = cones->half_width[piece], mark = cones->mark[piece];
    const float left_of = cones->x[piece] - x, above = cones->y[piece] - y;
    for (uint32_t i = 0; i < TERRAIN__CANYONS_CELLS; i++) {
        struct canyons_sight sight =
            canyons_see(canyons_east[i] - left_of, canyons_south[i] - above, cones->east[piece],
                        cones->south[piece], cones->length[piece], cones->lead[piece], half);
        float here = sight.square <= half * half ? mark : 0;
        marks[i] = here > marks[i] ? here : marks[i];
    }
}

const struct canyons_kernels TERRAIN__KERNELS(canyons) = {
    .weigh = canyons_weigh,
    .sift = canyons_sift,
    .carve = canyons_carve,
    .cover = canyons_cover,
};
