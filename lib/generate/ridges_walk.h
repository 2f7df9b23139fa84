/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the two files of generate_ridges share: ridges.c, which tells how it works and sets
 * particles on peaks, and ridges_walk.c, where particles walk. */

#ifndef TERRAIN_GENERATE_RIDGES_WALK_H
#define TERRAIN_GENERATE_RIDGES_WALK_H

#include "core/operation.h"
#include "generate/ridges_kernels.h"
#include "terrain/generate.h"

typedef terrain_generate_ridges_params ridges_params;

enum {
    RIDGES_LEVELS = 3,  /* main lines, branches, and their branches */
    RIDGES_OCTAVES = 3, /* of turns by noise */
    RIDGES_AHEAD = 32,  /* the most steps that are planned before they are taken */
    RIDGES_WALK = 8     /* the fewest steps between two passes that plan */
};

/* A planned step is a byte. The lowest five bits are its index in the job's table of leaps, the
 * next two the number of cells that it enters, 0 to 2; the highest says that the particle then
 * stops. */
enum {
    RIDGES_LEAPS = 18, /* changes of column and row, 3 by 3, and which comes first */
    RIDGES_CELL = 32,
    RIDGES_LAST = 128
};

/* What a particle needs to look and to draw; it fills a cache line. */
struct ridges_particle {
    double height;              /* above the plain, at its start */
    uint32_t cell;              /* index of the cell where it is */
    uint32_t number;            /* in the order of birth, from 1 */
    uint32_t kin;               /* its parent's or twin's number */
    uint16_t level;             /* 0: a main line */
    uint16_t seen;              /* as a planned step: the part of the next one that it can take */
    uint32_t steps;             /* how many it has taken */
    uint32_t planned;           /* how many are planned, those taken included */
    uint8_t plan[RIDGES_AHEAD]; /* step t is plan[t % RIDGES_AHEAD] */
};

struct ridges_place {
    double x, y;
    double in_x, in_y; /* rounded down */
};

/* A particle's course up to the last step that is planned, whatever it may meet. */
struct ridges_course {
    int32_t column, row; /* the job's cell from which `at` counts: the first, or the peak's */
    struct ridges_place at;
    double dx, dy;         /* its direction; FBM: its direction at the start */
    double step_x, step_y; /* its next step */
    double sine, cosine;   /* ALTERNATING: of the next turn */
    uint64_t turns;        /* stream of its random numbers */
    uint32_t index;        /* part of their index in it */
    /* FBM: in each octave, the piece of the noise that it is on, and the noise at the piece's
     * ends. */
    uint32_t pieces[RIDGES_OCTAVES];
    double ends[RIDGES_OCTAVES][2];
};

struct ridges_job {
    /* The frame; with peaks of the world, the map and all within reach of it. */
    int64_t frame_x, frame_y;
    uint32_t frame_width, frame_height;
    struct ridges_cell *cells;
    /* What a leap adds to the index of a cell: to the first cell it enters, and to the last. */
    uint32_t leaps[RIDGES_LEAPS][2];
    /* By level and steps taken, from 1 on: the height left, as a part of that at the start. */
    double *profiles[RIDGES_LEVELS];
    uint32_t profile_steps, profiled; /* steps that there is room for, and that are computed */
    uint32_t reach;                   /* steps until the last line has stopped, at most */
    struct ridges_particle *particles;
    struct ridges_course *courses; /* of each particle */
    uint32_t *order;  /* indices of particles: those that walk, by their numbers, then free ones */
    uint32_t used;    /* entries of `order` that are set */
    uint32_t walking; /* how many walk */
    uint32_t born;    /* how many were born */
    uint32_t most;    /* particles: in a frame the most that are born, else the most that walk */
    uint32_t mains;   /* peaks in a frame */
    uint32_t steps;   /* taken so far */
    uint32_t ahead;   /* the most steps that are planned before they are taken */
    bool endless;     /* peaks of the world */
    uint64_t places, turns; /* streams: of peaks, of turns */
};

/* Adds a particle behind all others, if there is room. Its first cell must have an owner. */
void terrain__ridges_add(struct ridges_job *job, const struct ridges_particle *particle,
                         const struct ridges_course *course);

/* Prepares the first step: the table of leaps, and the first steps of the profiles. */
void terrain__ridges_begin(const ridges_params *params, struct ridges_job *job);

/* Plans steps of particle i, as many as can be known yet. */
void terrain__ridges_plan(const ridges_params *params, const struct ridges_job *job, uint32_t i);

/* Takes RIDGES_WALK steps of all particles, and more while few particles are born: those have no
 * steps planned. */
void terrain__ridges_walk(const ridges_params *params, struct ridges_job *job);

#endif
