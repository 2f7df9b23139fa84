/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the two files of erode_canyons_separating share: canyons_separating.c, which tells how it
 * works and makes the net, and canyons_separating_draw.c, which draws the net's canyons. */

#ifndef TERRAIN_ERODE_CANYONS_SEPARATING_H
#define TERRAIN_ERODE_CANYONS_SEPARATING_H

#include "erode/canyons.h"
#include "terrain/erode.h"

typedef terrain_erode_canyons_separating_params separating_params;

enum {
    SEPARATING_LEVELS = 5,
    SEPARATING_RELAX = 3,
    /* Corners needed around those that are drawn. The places of a drawn corner and of its
     * neighbours come from corners up to SEPARATING_RELAX + 1 ways away, and of two ways in
     * succession at most one leads to another row. A side in the west needs one more brick, and one
     * above. */
    SEPARATING_WEST = SEPARATING_RELAX + 2,
    SEPARATING_EAST = SEPARATING_RELAX + 1,
    SEPARATING_ROWS = SEPARATING_RELAX,
    SEPARATING_SHIFT = 4,
    SEPARATING_STEPS =
        1 << SEPARATING_SHIFT, /* the most pieces from the middle of a side to its corner */
    SEPARATING_PLACE = TERRAIN__CANYONS_PLACES
};

/* The mesa of each level that a brick is part of, by the square of its site. */
struct separating_brick {
    int64_t x[SEPARATING_LEVELS];
    int64_t y[SEPARATING_LEVELS];
    int32_t whole; /* the highest level whose mesa is not cut; 0 if all are */
};

/* A canyon along a side of a brick. */
struct separating_side {
    int32_t level; /* -1: there is none */
    uint32_t ends; /* bit 0: it reaches its first corner, bit 1: its last */
    float depth;
    float half_width;
};

/* A corner, with the sides to its east and to its south. */
struct separating_corner {
    int64_t places[2][2]; /* before and after it relaxes, by turns */
    struct separating_side east, south;
};

/* A side as one of its corners sees it. */
struct separating_way {
    const struct separating_side *side;
    const int64_t *place; /* of the other corner */
    int64_t x, y;         /* the first corner, whose random number is the side's */
    uint32_t down;        /* 1: south */
};

/* The sites in the squares of a level that any brick may ask for. */
struct separating_sites {
    int64_t x, y; /* the first square's numbers */
    int64_t width, height;
    uint32_t *bits;
};

struct separating_job {
    struct canyons canyons;
    int64_t unit;          /* cells between corners, half as many as between rows of bricks */
    int64_t x, y;          /* the first corner's numbers */
    int64_t width, height; /* corners */
    uint32_t steps, shift; /* pieces from the middle of a side to its corner: 2^shift */
    float shrink[SEPARATING_LEVELS];    /* of each level's depth and width */
    uint64_t shares[SEPARATING_LEVELS]; /* streams of each level */
    uint64_t depths[SEPARATING_LEVELS];
    uint64_t blinds, widths, broads;                  /* more streams */
    struct separating_sites sites[SEPARATING_LEVELS]; /* from level 1 on */
    struct separating_brick
        *bricks; /* of each corner: the brick that has it left on its upper side */
    struct separating_corner *corners;
    uint32_t relaxed; /* how many times corners were relaxed; its last bit selects their places */
};

static inline uint64_t separating_stream(const terrain__call *call, uint32_t draw)
{
    const separating_params *p = call->params;
    return terrain__random_stream(p->seed, call->operation->key, draw);
}

/* Clamps a place to at most `most` from the middle. */
static inline int64_t separating_within(int64_t place, int64_t middle, int64_t most)
{
    return place < middle - most ? middle - most : place > middle + most ? middle + most : place;
}

/* Lists the ways from corner (i, j) along canyons that reach it. Returns how many: at most
 * three. */
uint32_t terrain__separating_ways(const struct separating_job *job, int64_t i, int64_t j,
                                  struct separating_way ways[3]);

/* Puts the two of three ways first that make one canyon: those of the highest levels or, if all
 * have the same level, those that are most nearly in line. */
void terrain__separating_sort_ways(const int64_t place[2], struct separating_way ways[3]);

/* Task, by rows of relaxed corners: writes the pieces of the canyons around them. */
void terrain__separating_draw_row(terrain__call *call, uint32_t task, uint32_t row);

#endif
