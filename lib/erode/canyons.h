/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Canyons along lines, as erode_canyons_separating and erode_canyons_draining carve them.
 *
 * A canyon is a chain of straight pieces, each with a floor of constant width that falls from one
 * end to the other. Walls rise from the floor with the slope `bank`. At a cell at the distance t
 * from a piece (tests/oracle/canyons.h, in plain C):
 *
 *     wall   = the least, over all points c of the piece, of floor(c) + bank max(0, |cell - c|
 *            - half)
 *     least  = ground - bank (reach^2 - t^2) / (2 reach), or the ground where t >= reach
 *     height = min(ground, max(wall, least)), and the least of these over all pieces
 *
 * Walls are a minimum of cones, hence nowhere steeper than `bank`. A minimum doesn't depend on the
 * order of pieces, and two chains that meet at a point make one canyon at any angle. `least` limits
 * the depth of a canyon of limited reach: walls fade out where the ground is too high for them.
 *
 * The map is carved in areas of 32 x 32 cells, which consist of 16 patches of 8 x 8 cells, each by
 * the few pieces that matter to it.
 *
 *   sort    puts pieces into bins of 32 x 32 cells, by their middles
 *   weigh   computes, at an area's middle, wall and distance of the pieces in the bins around it,
 *           and leaves out pieces that another one beats in all cells, which changes no bit; then
 *           does so for each patch
 *   carve   carves the pieces that are left, in any order */

#ifndef TERRAIN_ERODE_CANYONS_H
#define TERRAIN_ERODE_CANYONS_H

#include "erode/canyons_kernels.h"
#include "rows/rows.h"

/* No floor is above this or below its negative, as differences of floors could be NaN. */
#define TERRAIN__CANYONS_MOST_HEIGHT 1e30f

/* Places are whole numbers of 2^-8 cells, from the map's first cell. */
enum { TERRAIN__CANYONS_PLACES = 256 };

/* Columns or rows of a map, so that places stay below 2^31 cells. */
#define TERRAIN__CANYONS_MOST_CELLS ((uint32_t)1 << 30)

struct canyons_piece {
    int32_t x, y;         /* the cell of its first point */
    float part_x, part_y; /* from there to the point, 0 to 1 */
    float east, south;    /* from the first point to the last, in cells */
    float first, last;    /* the floor's height at both */
    float half_width;     /* of the floor, in cells; below 0: the piece carves nothing */
    float mark;           /* the value of its cells in the map of floors */
};

/* Many pieces, as arrays of each of their numbers. */
struct canyons_columns {
    int32_t *x, *y;                           /* the cell of the first point */
    float *numbers[TERRAIN__CANYONS_NUMBERS]; /* the columns of canyons_cones; x, y: from there */
};

struct canyons_work;

struct canyons {
    float bank;  /* height per cell */
    float reach; /* cells */
    struct canyons_piece *pieces;
    size_t count;
    size_t most; /* pieces that there is memory for */

    /* The pieces that carve, by bins. */
    struct canyons_columns sorted;
    uint32_t *starts; /* each bin's first piece; one more at the end */
    int64_t margin;   /* bins beyond the map, on each side */
    int64_t columns, rows;
    int64_t extent; /* no piece leads farther than twice this to the east or south, in cells */
    struct canyons_work *work; /* one for each task */
};

/* In prepare: allocates memory for `most` pieces. */
terrain_status terrain__canyons_prepare(terrain__call *call, struct canyons *canyons, size_t most,
                                        float bank, uint32_t reach);

/* Writes the piece between two places. It carves nothing if a height is too large, or NaN. */
void terrain__canyons_add(struct canyons_piece *piece, const int64_t from[2], const int64_t to[2],
                          float first, float last, float half_width, float mark);

/* Puts the pieces into bins, in one task, when all of them are written. */
void terrain__canyons_sort(struct canyons *canyons);

/* The commit, by tasks: carves the target, and marks floors in `floors`, if that has cells. */
uint32_t terrain__canyons_tasks(const terrain__call *call);
void terrain__canyons_carve(terrain__call *call, const struct canyons *canyons,
                            terrain__plane floors, uint32_t index);

#endif
