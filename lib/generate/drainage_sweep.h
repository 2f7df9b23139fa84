/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The steps that make a level of generate_drainage: drainage_sweep.c runs them, drainage_refine.c
 * makes what they start from, drainage_pyramid.c says which there are. */

#ifndef TERRAIN_GENERATE_DRAINAGE_SWEEP_H
#define TERRAIN_GENERATE_DRAINAGE_SWEEP_H

#include "generate/drainage.h"

/* Memory for making one level. */
struct drainage_work {
    float *heights, *discharge, *cost, *cap, *reach[2]; /* as large as the level */
    uint8_t *keep, *donors;
    uint8_t *node, *exit, *code, *open; /* as large as the coarse level */
    uint8_t *shore;                     /* a row of it */
    uint8_t *banks;                     /* of each row of the level: it lies at a closed lake */
    float *child_heights, *child_areas; /* four rows each */
    uint8_t *child_receivers;
    float *base, *leave, *enter;
    struct drainage_lattice lattice;
    struct drainage_fields rows; /* of the lattice, stretched */
    float *noise, *row, *leaf_cost[2], *control[2], *area, *low, *gathered;
    uint32_t *bits;
    float *samples; /* for the lattice */
};

enum drainage_kind {
    DRAINAGE_KEEP,
    DRAINAGE_COSTS,
    DRAINAGE_LOW_COSTS, /* costs of rivers that must not stand above the land beside them */
    DRAINAGE_RELAX,
    DRAINAGE_SETTLE, /* relaxing that may capture kept rivers */
    DRAINAGE_REACH,
    DRAINAGE_FLOOD,
    DRAINAGE_FLOODED,
    DRAINAGE_RECEIVERS,
    DRAINAGE_DONORS,
    DRAINAGE_AREAS,
    DRAINAGE_RAISE, /* smoothing: hollows */
    DRAINAGE_WEAR   /* and crests */
};

struct drainage_step {
    enum drainage_kind kind;
    uint32_t lag;    /* rows behind the first step */
    uint32_t reach;  /* how far it looks in the step before */
    uint32_t spoilt; /* rows and columns at each rim that lack what it reads */
    const float *from;
    float *to;
    uint32_t turn; /* of floods: which reach is read */
};

enum { DRAINAGE_MOST_STEPS = 64 };

/* The steps of a level over a window of it. */
struct drainage_sweep {
    const struct drainage_plan *plan;
    struct drainage_work *work;
    struct drainage_level level; /* what the steps work on */
    struct drainage_law law;
    float cell, least, own, pin;
    uint64_t rock_stream;
    /* The planes of work, from the window's first cell on. */
    float *other_heights, *other_discharge, *cost, *cap, *reach[2];
    uint8_t *keep, *donors;
    const uint8_t *banks; /* of rows */
    /* The columns of the level that the step at hand makes. */
    uint32_t left, width;
    struct drainage_step steps[DRAINAGE_MOST_STEPS];
    uint32_t count;
};

/* The part of a level that is wanted. */
struct drainage_level terrain__drainage_part(const struct drainage_level *made,
                                             const struct drainage_level *wanted);

/* By how much each cell of a level lies above some neighbour: 2^-12 cells at the finest level; a
 * fall at the next coarser one is enough for two, and for what rounding takes of heights below 2048
 * cells. */
float terrain__drainage_least(uint32_t level);

/* A sweep over what was made, less a rim, without steps. */
void terrain__drainage_sweep_begin(struct drainage_sweep *sweep, const struct drainage_plan *plan,
                                   struct drainage_work *work, const struct drainage_level *made,
                                   uint32_t rim);
/* Adds a step. `reach` is how many rows below its own it needs of the step before. */
struct drainage_step *terrain__drainage_add(struct drainage_sweep *sweep, enum drainage_kind kind,
                                            uint32_t reach);
/* Steps that make new heights of old ones; they change places. */
void terrain__drainage_add_heights(struct drainage_sweep *sweep, enum drainage_kind kind,
                                   uint32_t times);
/* Receivers, donors, and so many steps of areas. */
void terrain__drainage_add_areas(struct drainage_sweep *sweep, uint32_t times);
/* Runs the steps, each behind the one before. Costs and floods see first_discharge: what was before
 * the areas are counted. */
void terrain__drainage_sweep_run(struct drainage_sweep *sweep, float *first_discharge);
/* uplift, hardness, strata and noise of a row, in work. */
void terrain__drainage_rock_row(const struct drainage_sweep *sweep, uint32_t y,
                                struct drainage_fields *fields);

/* The cells of a level from those of the next coarser one. `sea` is work: a byte for each coarse
 * row. */
void terrain__drainage_refine(const struct drainage_pyramid *p, const struct drainage_level *made,
                              const struct drainage_level *coarse, struct drainage_work *work,
                              uint8_t *sea);

#endif
