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
    float *base, *leave, *enter;
    uint8_t *banks; /* of each row of the level: it lies at a closed lake */
    struct drainage_lattice lattice;
    uint32_t width; /* of the level */
    float *rooms;   /* for what follows, of each task: terrain__drainage_work_of */
    size_t room;    /* floats */

    /* A task's rows. */
    uint8_t *shore;                     /* of the coarse level */
    float *child_heights, *child_areas; /* four rows each */
    uint8_t *child_receivers;
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

/* The work with the rows of a task. */
struct drainage_work terrain__drainage_work_of(const struct drainage_work *work, uint32_t task);

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
/* Rows that the last step lies behind the first. */
uint32_t terrain__drainage_sweep_lag(const struct drainage_sweep *sweep);
/* Runs the steps at the rows of a band, each behind the one before, but for those that need a
 * neighbouring band's; then, when that is done in all bands, the steps around the seam behind band
 * `index`. Costs and floods see first_discharge: what was before the areas are counted. */
void terrain__drainage_sweep_band(const struct drainage_sweep *sweep, struct drainage_work *work,
                                  const terrain__bands *bands, uint32_t index,
                                  float *first_discharge);
void terrain__drainage_sweep_seam(const struct drainage_sweep *sweep, struct drainage_work *work,
                                  const terrain__bands *bands, uint32_t index,
                                  float *first_discharge);
/* uplift, hardness, strata and noise of a row, in work. */
void terrain__drainage_rock_row(const struct drainage_sweep *sweep, uint32_t y,
                                struct drainage_fields *fields);

/* The cells of a level from those of the next coarser one, in parts that each need all of the part
 * before: `begin`; nodes, entries and children of coarse rows y to end - 1, of all but the first
 * and the last; `end`. `sea` is work: a byte for each coarse row. */
struct drainage_refining {
    const struct drainage_pyramid *pyramid;
    const struct drainage_level *made, *coarse;
    uint8_t *sea;
};
void terrain__drainage_refine_begin(const struct drainage_refining *r,
                                    const struct drainage_work *work);
void terrain__drainage_refine_nodes(const struct drainage_refining *r, struct drainage_work *work,
                                    uint32_t y, uint32_t end);
void terrain__drainage_refine_entries(const struct drainage_refining *r,
                                      const struct drainage_work *work, uint32_t y, uint32_t end);
void terrain__drainage_refine_children(const struct drainage_refining *r,
                                       struct drainage_work *work, uint32_t y, uint32_t end);
void terrain__drainage_refine_end(const struct drainage_refining *r, struct drainage_work *work);

#endif
