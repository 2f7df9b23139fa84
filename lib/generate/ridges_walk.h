/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the parts of generate_ridges share: ridges.c, which tells how it works and sets particles on
 * peaks, and ridges_walk.c, where they walk. */

#ifndef TERRAIN_GENERATE_RIDGES_WALK_H
#define TERRAIN_GENERATE_RIDGES_WALK_H

#include "core/operation.h"
#include "generate/ridges_kernels.h"
#include "terrain/generate.h"

typedef terrain_generate_ridges_params ridges_params;

enum {
    RIDGES_LEVELS = 3,  /* main lines, branches, and their branches */
    RIDGES_OCTAVES = 3, /* of turns by noise */
    RIDGES_AHEAD = 32,  /* steps that are planned before they are taken, at most */
    RIDGES_WALK = 8     /* steps between two times that all plan, at least */
};

/* A planned step is a byte: the place of its leap in the job's table, then how many cells it
 * enters, then whether the particle goes no farther. */
enum {
    RIDGES_LEAPS = 18,
    RIDGES_CELL = 32, /* one cell; 64: two */
    RIDGES_LAST = 128
};

/* What a particle needs to look and to draw: a cache line. */
struct ridges_particle {
    double height;              /* above the plain, at its start */
    uint32_t cell;              /* of the frame, where it is */
    uint32_t number;            /* by its birth, from 1 */
    uint32_t kin;               /* its parent's or twin's number */
    uint16_t level;             /* 0: a main line */
    uint16_t seen;              /* as a planned step: which part of the last one it can take */
    uint32_t steps;             /* taken */
    uint32_t planned;           /* steps, from the first one on */
    uint8_t plan[RIDGES_AHEAD]; /* of step t: plan[t % RIDGES_AHEAD] */
};

struct ridges_place {
    double x, y;
    double in_x, in_y; /* rounded down */
};

/* Where a particle goes, whatever it meets: it has planned this far. */
struct ridges_course {
    int32_t column, row;    /* the cell of the frame, or of what is around the map, from which… */
    struct ridges_place at; /* …it counts cells: the first one, or its peak's */
    double dx, dy;          /* where it goes; FBM: where it went at first */
    double step_x, step_y;
    double sine, cosine; /* ALTERNATING: of the next turn */
    uint64_t turns;      /* its random numbers, of which `index` is a part */
    uint32_t index;
    /* FBM: the piece of each octave's noise that it is on, and the noise at its two ends. */
    uint32_t pieces[RIDGES_OCTAVES];
    double ends[RIDGES_OCTAVES][2];
};

struct ridges_job {
    /* The frame; with peaks of the world, what lies within reach of the map. */
    int64_t frame_x, frame_y;
    uint32_t frame_width, frame_height;
    struct ridges_cell *cells;
    /* What a step adds to the number of a cell, to enter the first cell and the last. */
    uint32_t leaps[RIDGES_LEAPS][2];
    /* Of each level, after each number of steps from 1 on; they end with the longest line. */
    double *profiles[RIDGES_LEVELS];
    uint32_t profile_steps, profiled; /* how many there are, and have been computed */
    uint32_t reach;                   /* steps until the last line has stopped, at most */
    struct ridges_particle *particles;
    struct ridges_course *courses; /* of each particle */
    uint32_t *order; /* of `particles`: those that walk, by their numbers, then those to use next */
    uint32_t walking; /* how many walk */
    uint32_t born;
    uint32_t most;  /* particles: in a frame that are born, else that walk */
    uint32_t mains; /* pairs in a frame */
    uint32_t steps; /* taken so far */
    uint32_t ahead; /* steps that are planned, at most */
    bool endless;
    uint64_t places, turns;
};

/* Adds a particle as the last one, if there is room. Its first cell has an owner. */
void terrain__ridges_add(struct ridges_job *job, const struct ridges_particle *particle,
                         const struct ridges_course *course);

/* Before the first step: what steps add, and the profiles' first numbers. */
void terrain__ridges_begin(const ridges_params *params, struct ridges_job *job);

/* Plans the steps of a walking particle, as many as can be known yet. */
void terrain__ridges_plan(const ridges_params *params, const struct ridges_job *job, uint32_t i);

/* Steps of all particles, RIDGES_WALK of them or more, until many have none planned. */
void terrain__ridges_walk(const ridges_params *params, struct ridges_job *job);

#endif
