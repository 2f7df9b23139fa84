/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the two files of erode_stream_power share: stream_power.c, which tells how it works, and
 * stream_power_levels.c, which makes the pyramid of levels. */

#ifndef TERRAIN_ERODE_STREAM_POWER_H
#define TERRAIN_ERODE_STREAM_POWER_H

#include "erode/stream_power_kernels.h"
#include "flow/flow.h"
#include "terrain/erode.h"

typedef terrain_erode_stream_power_params power_params;

enum {
    POWER_MOST_LEVELS = 28, /* a side of 2^31 cells, halved down to POWER_COARSEST */
    POWER_TRUNK = 8,  /* cells with more than 1 / POWER_TRUNK of the map upstream are the trunk */
    POWER_MARKED = 4, /* sweeps that share the same marks */
    POWER_PAD = 16,   /* cells on each side of the rows to relax */
    POWER_BEYOND = 64 /* places past the last that kernels may touch: the tree's, and a vector */
};

/* One resolution of the land. Level 0 is the map's; each further level is half as fine. */
struct power_level {
    uint32_t width, height;
    float *base;     /* the map's heights; on coarse levels, the rivers' where they run */
    float *rivers;   /* the heights of rivers, NaN on land; NULL: there are no rivers */
    float *uplift;   /* NULL: 1 everywhere */
    float *hardness; /* NULL: 1 everywhere */
    float *rain;     /* NULL: 1 everywhere */
};

struct power_job {
    struct flow flow; /* first: terrain__flow_run_… */
    const struct stream_power_kernels *kernels;
    struct power_level levels[POWER_MOST_LEVELS];
    uint32_t level_count;
    uint32_t level; /* the current one */
    float share;    /* how far a sweep moves heights towards the steady state: 1 all the way */
    bool first;     /* whether this is the level's first sweep */
    bool last;      /* whether it is the last one */
    bool marks;     /* whether it marks the trunk of later sweeps */
    bool marked;    /* whether the coarser level's trunk is marked */

    /* For each cell of the level. */
    float *heights;  /* NaN: water ends here, at the height in `base` */
    float *coarser;  /* the coarser level's heights */
    float *rates;    /* steady: uplift * hardness; NULL: 1 */
    float *product;  /* memory for rates, if neither of the two is 1 everywhere */
    float *spread;   /* steady: slopes of the last sweep, NaN at outlets; at the end: discharge */
    uint64_t *areas; /* in 1 / TERRAIN__FLOW_UNIT of a cell's rain; NULL without rain */
    /* For levels with even and with odd numbers, since a level is made from the coarser one. */
    float *planes[2];
    uint8_t *directions[2];
    uint8_t *trunks[2]; /* marks of the trunk, by an earlier sweep */

    /* For each place of the tree of receivers. */
    uint32_t *counts; /* areas in cells */
    float *powers;    /* steady: slopes; transient: erosion_rate * area^concavity */
    float *ascended;  /* heights */

    /* For relaxing: rows with POWER_PAD more cells on each side. */
    float *relaxed[2]; /* heights; each step reads one and writes the other */
    float *costs;      /* how much the land should rise from cell to cell */
    uint32_t turn;     /* which of `relaxed` is read */
};

static inline size_t power_cells(const struct power_level *level)
{
    return (size_t)level->width * level->height;
}

/* Whether the level starts with the coarser level's receivers, as the map itself does. */
static inline bool power_inherits(const struct power_job *job)
{
    return job->level == 0 && job->level_count > 1;
}

/* Whether the level also starts with the coarser level's trunk. */
static inline bool power_knows_trunk(const struct power_job *job)
{
    return power_inherits(job) && job->marked;
}

/* Allocates a float for each cell, and POWER_BEYOND more; NULL if it is not wanted. */
static inline float *power_plane(terrain__call *call, size_t cells, bool wanted)
{
    return wanted ? terrain__scratch(call, cells + POWER_BEYOND, sizeof(float)) : NULL;
}

/* In prepare: plans the levels, and allocates their memory. */
void terrain__power_prepare_levels(terrain__call *call, struct power_job *job);

/* Tasks of two passes: the first reads the maps, in bands of pairs of rows; the second makes the
 * coarser levels, in one task. */
terrain__bands terrain__power_read_bands(const struct power_job *job);
void terrain__power_read_band(terrain__call *call, uint32_t index);
void terrain__power_read_coarser(terrain__call *call, uint32_t index);

/* Task, for a band of job->level (terrain__flow_bands): sets what each of its cells starts with. */
void terrain__power_enter_band(terrain__call *call, uint32_t index);

/* Task, for a band of rows of the coarser level (POWER_INHERIT_ROWS): sets receivers on
 * job->level. */
enum { POWER_INHERIT_ROWS = 8 };
void terrain__power_inherit_band(terrain__call *call, uint32_t index);

#endif
