/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the parts of generate_ridges share: ridges.c, which tells how it works and sets particles on
 * peaks, and ridges_walk.c, where they walk. */

#ifndef TERRAIN_GENERATE_RIDGES_WALK_H
#define TERRAIN_GENERATE_RIDGES_WALK_H

#include "core/operation.h"
#include "terrain/generate.h"

typedef terrain_generate_ridges_params ridges_params;

enum {
    RIDGES_LEVELS = 3, /* main lines, branches, and their branches */
    RIDGES_OCTAVES = 3 /* of turns by noise */
};

/* What a step enters. */
struct ridges_way {
    uint32_t cells[2];
    uint32_t count;
    float height;
    bool ends; /* the particle goes no farther */
};

struct ridges_particle {
    int32_t column, row; /* the cell of the frame, or of what is around the map, from which… */
    double x, y;         /* …it counts cells: the first one, or its peak's */
    int64_t in_x, in_y;  /* x and y, rounded down */
    double dx, dy;       /* where it goes; FBM: where it went at first */
    double step_x, step_y;
    double height;  /* above the plain, at its start */
    uint64_t turns; /* its random numbers, of which `index` is a part */
    uint32_t index;
    uint32_t number; /* by its birth, from 1 */
    uint32_t kin;    /* its parent's or twin's number */
    uint32_t steps;
    uint32_t level;
    struct ridges_way way;
    /* FBM: the piece of each octave's noise that it is on, and the noise at its two ends. */
    uint32_t pieces[RIDGES_OCTAVES];
    double ends[RIDGES_OCTAVES][2];
};

struct ridges_job {
    /* The frame; with peaks of the world, what lies within reach of the map. */
    int64_t frame_x, frame_y;
    uint32_t frame_width, frame_height;
    uint32_t *owners; /* of each of the frame's cells: a particle's number; 0 for none */
    float *heights;   /* of the cells that have an owner */
    /* Of each level, after each number of steps from 1 on; they end with the longest line. */
    double *profiles[RIDGES_LEVELS];
    uint32_t profile_steps;
    uint32_t reach; /* steps until the last line has stopped, at most */
    struct ridges_particle *particles;
    uint32_t *order; /* of `particles`: those that walk, by their numbers, then those to use next */
    uint32_t walking; /* how many walk */
    uint32_t born;
    uint32_t most;  /* particles: in a frame that are born, else that walk */
    uint32_t mains; /* pairs in a frame */
    uint32_t steps; /* taken so far */
    bool endless;
    uint64_t places, turns;
};

/* Adds a particle as the last one, if there is room. Its first cell has an owner. */
void terrain__ridges_add(struct ridges_job *job, const struct ridges_particle *particle);

/* A step of all particles. */
void terrain__ridges_step(const ridges_params *params, struct ridges_job *job);

#endif
