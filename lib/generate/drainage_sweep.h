/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The steps that make a level of generate_drainage: drainage_sweep.c runs them, drainage_refine.c
 * makes what they start from, drainage_pyramid.c says which there are. */

#ifndef TERRAIN_GENERATE_DRAINAGE_SWEEP_H
#define TERRAIN_GENERATE_DRAINAGE_SWEEP_H

#include "generate/drainage.h"

/* Memory for making one level. */
struct drainage_work {
    /* Planes as large as the level; heights and discharge change places with the level's own. */
    float *heights, *discharge, *cost, *cap, *reach[2];
    uint8_t *keep, *donors;
    /* Planes as large as the coarse level, whose rows begin at terrain__drainage_block_row: see
     * struct drainage_blocks. */
    uint8_t *node, *exit, *code, *open;
    float *base, *leave, *enter;
    uint8_t *banks; /* of each row of the level: whether it lies at a closed lake */
    struct drainage_lattice lattice;
    uint32_t width; /* of the level */
    float *rooms;   /* memory for the rows of each task… */
    uint64_t room;  /* …and how many floats a task has */

    /* The rows of a task, set by drainage_work_of in drainage_pyramid.c. */
    uint8_t *shore;              /* of the coarse level */
    struct drainage_fields rows; /* of the lattice, stretched */
    float *noise, *row, *leaf_cost[2];
    uint32_t *bits;
    float *samples; /* for the lattice */
};

enum drainage_kind {
    DRAINAGE_KEEP,
    DRAINAGE_COSTS,
    DRAINAGE_LOW_COSTS, /* costs of rivers that must not stand above the land beside them */
    DRAINAGE_RELAX,
    DRAINAGE_SETTLE, /* relaxing that may capture kept rivers */
    DRAINAGE_REACH,  /* how far rivers flood */
    DRAINAGE_FLOOD,
    DRAINAGE_FLOODED, /* marks floodplains */
    DRAINAGE_RECEIVERS,
    DRAINAGE_DONORS,
    DRAINAGE_AREAS,
    DRAINAGE_RAISE, /* smooths hollows */
    DRAINAGE_WEAR   /* smooths crests */
};

struct drainage_step {
    enum drainage_kind kind;
    uint32_t lag;   /* rows behind the first step; at each rim as many, and columns, are spoilt */
    uint32_t reach; /* how far it looks in the step before */
    const float *from;
    float *to;
    uint32_t turn; /* which of the two reach planes a flood reads */
};

enum { DRAINAGE_MOST_STEPS = 64 };

/* The steps of a level over a window of it. */
struct drainage_sweep {
    const struct drainage_plan *plan;
    struct drainage_work *work;
    struct drainage_level level; /* the window, with the heights and discharge of the last step */
    struct drainage_law law;
    float cell, least, own, pin;
    uint64_t rock_stream;
    /* The planes of work, from the window's first cell on. */
    float *other_heights, *other_discharge, *cost, *cap, *reach[2];
    uint8_t *keep, *donors;
    const uint8_t *banks; /* by rows */
    uint32_t left, width; /* the columns that the present step makes */
    struct drainage_step steps[DRAINAGE_MOST_STEPS];
    uint32_t count;
};

/* The part of a level that the window `wanted` covers. */
struct drainage_level terrain__drainage_part(const struct drainage_level *made,
                                             const struct drainage_level *wanted);

/* The least fall: every cell of land lies so far above some neighbour. 2^-12 cells at the finest
 * level. One at the next coarser level is enough for two, and for what rounding takes of heights
 * below 2048 cells. */
float terrain__drainage_least(uint32_t level);

/* Where row y of the coarse level begins in the planes of that size. Kernels read beyond a row, and
 * another thread may be writing the next one. */
static inline uint64_t terrain__drainage_block_row(const struct drainage_level *coarse, uint32_t y)
{
    return y * ((uint64_t)coarse->width + DRAINAGE_TAIL);
}

/* Begins a sweep without steps over a level less a rim. */
void terrain__drainage_sweep_begin(struct drainage_sweep *sweep, const struct drainage_plan *plan,
                                   struct drainage_work *work, const struct drainage_level *made,
                                   uint32_t rim);
/* Adds a step that reads `reach` rows below its own, and above, of what the step before made. */
struct drainage_step *terrain__drainage_add(struct drainage_sweep *sweep, enum drainage_kind kind,
                                            uint32_t reach);
/* Adds steps that make new heights of old ones; the two planes change places each time. */
void terrain__drainage_add_heights(struct drainage_sweep *sweep, enum drainage_kind kind,
                                   uint32_t times);
/* Adds steps of areas, which read donors. */
void terrain__drainage_add_areas(struct drainage_sweep *sweep, uint32_t times);
/* How many rows the last step lies behind the first. */
uint32_t terrain__drainage_sweep_lag(const struct drainage_sweep *sweep);
/* Runs all steps at the rows of a band, except at rows that need a neighbouring band's. Costs and
 * floods read first_discharge, the discharge before areas are counted. */
void terrain__drainage_sweep_band(const struct drainage_sweep *sweep, struct drainage_work *work,
                                  const terrain__bands *bands, uint32_t index,
                                  float *first_discharge);
/* Runs, when all bands are done, the steps that are left around the seam below band `index`. */
void terrain__drainage_sweep_seam(const struct drainage_sweep *sweep, struct drainage_work *work,
                                  const terrain__bands *bands, uint32_t index,
                                  float *first_discharge);
/* Fills sweep->work with the uplift, hardness, strata and noise of a row; `fields` gets where they
 * lie. */
void terrain__drainage_rock_row(const struct drainage_sweep *sweep, uint32_t y,
                                struct drainage_fields *fields);

/* Makes the cells of a level from those of the next coarser one. First `begin`, last `end`; between
 * them nodes, then entries, then children, each of all coarse rows but the first and the last, in
 * any parts: rows y to end - 1. */
struct drainage_refining {
    const struct drainage_pyramid *pyramid;
    const struct drainage_level *made, *coarse;
    uint8_t *sea; /* of each coarse row: whether there is sea or a closed lake */
    /* Of each cell of the level: whether the sea has spread to it. It lies in work->cost, which
     * refining does not use. NULL: the level is fine, or there is no sea. */
    const uint8_t *spread;
};
typedef void terrain__drainage_refine_rows(const struct drainage_refining *r,
                                           struct drainage_work *work, uint32_t y, uint32_t end);
void terrain__drainage_refine_begin(struct drainage_refining *r, struct drainage_work *work);
terrain__drainage_refine_rows terrain__drainage_refine_nodes;
terrain__drainage_refine_rows terrain__drainage_refine_entries;
terrain__drainage_refine_rows terrain__drainage_refine_children;
void terrain__drainage_refine_end(const struct drainage_refining *r, struct drainage_work *work);

#endif
