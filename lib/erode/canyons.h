/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Canyons along lines: what erode_canyons_separating and erode_canyons_draining have in common.
 *
 * A canyon is a chain of straight pieces, each with a floor of constant width that falls from one
 * end to the other. Walls rise from the floor by `bank`. What a piece does to a cell at the
 * distance t from it (tests/oracle/canyons.h has it in plain C):
 *
 *     wall   = the least, over all points c of the piece, of floor(c) + bank max(0, |cell - c|
 *            - half)
 *     least  = ground - bank (reach^2 - t^2) / (2 reach), or the ground where t >= reach
 *     height = min(ground, max(wall, least)), and the least of these over all pieces
 *
 * Walls are a minimum of cones, and thus nowhere steeper than `bank`. A minimum doesn't depend on
 * the order of pieces, and two chains that meet at a point make one canyon at any angle. `least`
 * bounds how deep a canyon of limited reach can be: walls end gently where the ground is too high
 * for them.
 *
 * The map is carved in areas of 32 x 32 cells, each of 16 blocks of 8 x 8, and each with the few
 * pieces that matter to it.
 *
 *   sort    puts pieces into bins of 32 x 32 cells, by their middles
 *   weigh   computes wall and distance of the pieces in the bins around an area, at its middle, and
 *           leaves out pieces that another one beats in all cells, which changes no bit; the same
 *           again for each block
 *   carve   the pieces that are left, in any order */

#ifndef TERRAIN_ERODE_CANYONS_H
#define TERRAIN_ERODE_CANYONS_H

#include "erode/canyons_kernels.h"
#include "rows/rows.h"

/* There are no floors above this or below its negative: their differences could be NaN. */
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
    float half_width;     /* of the floor, in cells; below 0: there is no such piece */
    float mark;           /* what cells of the floor get in the map of floors */
};

/* Many pieces, number by number. */
struct canyons_columns {
    int32_t *x, *y;         /* the cell of the first point */
    float *part_x, *part_y; /* from there to the point, 0 to 1 */
    float *numbers[8];      /* the columns of canyons_cones from `east` on */
};

struct canyons_work;

struct canyons {
    float bank;  /* height by cell */
    float reach; /* cells */
    struct canyons_piece *pieces;
    size_t count;
    size_t most; /* pieces that there is memory for */

    /* The pieces that there are, by bins. */
    struct canyons_columns sorted;
    uint32_t *starts; /* of each bin: its first piece; one more at the end */
    int64_t margin;   /* bins beyond the map, on each side */
    int64_t columns, rows;
    int64_t extent;            /* no piece is longer than twice this, in cells */
    struct canyons_work *work; /* one for each task */
};

/* In prepare: memory for `most` pieces. */
terrain_status terrain__canyons_prepare(terrain__call *call, struct canyons *canyons, size_t most,
                                        float bank, uint32_t reach);

/* Writes the piece between two places. It carves nothing if a height is too large, or NaN. */
void terrain__canyons_add(struct canyons_piece *piece, const int64_t from[2], const int64_t to[2],
                          float first, float last, float half_width, float mark);

/* Puts the pieces into bins, in one task, when all of them are written. */
void terrain__canyons_sort(struct canyons *canyons);

/* The commit, by tasks: carves the target, and marks floors in `floors` if it has cells. */
uint32_t terrain__canyons_tasks(const terrain__call *call);
void terrain__canyons_carve(terrain__call *call, const struct canyons *canyons,
                            terrain__plane floors, uint32_t index);

#endif
