/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the parts of erode_stream_power share: stream_power.c, which tells how it works, and
 * stream_power_levels.c, which makes the pyramid of levels. */

#ifndef TERRAIN_ERODE_STREAM_POWER_H
#define TERRAIN_ERODE_STREAM_POWER_H

#include "erode/stream_power_kernels.h"
#include "flow/flow.h"
#include "terrain/erode.h"

typedef terrain_erode_stream_power_params power_params;

enum {
    POWER_MOST_LEVELS = 28,
    POWER_TRUNK = 8,  /* in the trunk is what has more than this part of the map upstream */
    POWER_MARKED = 4, /* sweeps that use the same marks */
    POWER_PAD = 16    /* cells beside the rows to relax */
};

/* One resolution of the land. Level 0 is the map's; each further level is half as fine. */
struct power_level {
    uint32_t width, height;
    float *base;     /* the map's heights; on coarse levels those of rivers, where there are any */
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
    uint32_t level; /* the one that is worked on */
    float share;    /* how far a sweep moves heights towards the steady state: 1 all the way */
    bool first;     /* whether this is the level's first sweep */
    bool last;      /* whether it is the last one */
    bool marks;     /* whether it marks the trunk of later ones */
    bool marked;    /* whether the coarser level's trunk is marked */

    /* For each cell of the level. */
    float *heights;  /* NaN: water ends here, at the height in `base` */
    float *coarser;  /* the coarser level's heights */
    float *rates;    /* steady: uplift * hardness; NULL: 1 */
    float *product;  /* memory for rates */
    float *spread;   /* steady: slopes of the last sweep, NaN at outlets; at the end: discharge */
    uint64_t *areas; /* in units of rain; NULL without rain */
    /* For levels with even and with odd numbers, since a level is made from the coarser one. */
    float *planes[2];
    uint8_t *directions[2];
    uint8_t *trunks[2]; /* how much comes from upstream, as an earlier sweep had it */

    /* For each place of the tree of receivers. */
    uint32_t *counts; /* areas in cells */
    float *powers;    /* steady: the land's slope; transient: erosion_rate * area^concavity */
    float *ascended;  /* heights */

    /* For relaxing: rows with POWER_PAD more cells on each side. */
    float *relaxed[2]; /* heights, from one into the other */
    float *costs;      /* how much the land should rise over a cell */
    uint32_t turn;     /* which of `relaxed` is read */
};

static inline size_t power_cells(const struct power_level *level)
{
    return (size_t)level->width * level->height;
}

/* Whether the level begins with the coarser level's receivers: the map itself does. */
static inline bool power_inherits(const struct power_job *job)
{
    return job->level == 0 && job->level_count > 1;
}

/* Whether it begins with the coarser level's trunk, too. */
static inline bool power_knows_trunk(const struct power_job *job)
{
    return power_inherits(job) && job->marked;
}

/* Memory for a float per cell, and a vector more; NULL if it is not wanted. */
static inline float *power_plane(terrain__call *call, size_t cells, bool wanted)
{
    return wanted ? terrain__scratch(call, cells + 64, sizeof(float)) : NULL;
}

/* In prepare: the levels and their memory. */
void terrain__power_prepare_levels(terrain__call *call, struct power_job *job);

/* Tasks of two passes: the maps, by bands of pairs of rows, then coarser ones, by one task. */
terrain__bands terrain__power_read_bands(const struct power_job *job);
void terrain__power_read_band(terrain__call *call, uint32_t index);
void terrain__power_read_coarser(terrain__call *call, uint32_t index);

/* Task, of a band of job->level (terrain__flow_bands): what each of its cells begins with. */
void terrain__power_enter_band(terrain__call *call, uint32_t index);

/* Task, of a band of rows of the coarser level (POWER_INHERIT_ROWS): receivers on job->level. */
enum { POWER_INHERIT_ROWS = 8 };
void terrain__power_inherit_band(terrain__call *call, uint32_t index);

#endif
