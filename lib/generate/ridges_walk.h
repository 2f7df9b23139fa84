/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the files of generate_ridges share: ridges.c, which tells how it works and sets particles on
 * peaks, ridges_bands.c, which deals them to threads, and ridges_walk.c, where particles walk. */

#ifndef TERRAIN_GENERATE_RIDGES_WALK_H
#define TERRAIN_GENERATE_RIDGES_WALK_H

#include "core/operation.h"
#include "generate/ridges_kernels.h"
#include "terrain/generate.h"

typedef terrain_generate_ridges_params ridges_params;

enum {
    RIDGES_LEVELS = 3,  /* main lines, branches, and their branches */
    RIDGES_OCTAVES = 3, /* of turns by noise */
    RIDGES_AHEAD = 32,  /* the most steps of a stretch */
    RIDGES_BANDS = 8    /* the most bands */
};

/* A planned step is a byte. The lowest five bits are its index in the job's table of leaps, the
 * next two the number of cells that it enters, 0 to 2; the highest says that the particle then
 * stops. */
enum {
    RIDGES_LEAPS = 18, /* changes of column and row, 3 by 3, and which comes first */
    RIDGES_CELL = 32,
    RIDGES_LAST = 128
};

/* How a particle fares in a stretch. */
enum { RIDGES_WALKS, RIDGES_WAITS, RIDGES_STOPPED };

/* What a particle needs to look and to draw; it fills a cache line. */
struct ridges_particle {
    double height;              /* above the plain, at its start */
    uint32_t cell;              /* index of the cell where it is */
    uint32_t number;            /* in the order of birth, from 1 */
    uint32_t kin;               /* its parent's or twin's number */
    uint8_t level;              /* 0: a main line */
    uint8_t state;              /* RIDGES_WALKS or its like */
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

/* Cells in which a stretch of a course lies, all within. */
struct ridges_box {
    int32_t left, top, right, bottom;
};

/* Rows of the frame, and the particles in them. */
struct ridges_band {
    uint32_t top, end;     /* its rows */
    uint32_t begin, count; /* in `dealt` and `boxes` */
};

struct ridges_job {
    const ridges_params *params;
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
    uint32_t stretch; /* steps that come next, with no births before the last */
    uint32_t undivided; /* stretches for which there is one band, since too many would wait */
    struct ridges_band bands[RIDGES_BANDS];
    uint32_t band_count;
    uint8_t *lanes;           /* in which those in `order` are: see ridges_bands.c */
    uint32_t *dealt;          /* indices of particles, by bands, then by their numbers */
    struct ridges_box *boxes; /* of these particles */
    uint32_t *waits;          /* those of a band that wait, counted from the band's first */
    bool endless;             /* peaks of the world */
    uint64_t places, turns;   /* streams: of peaks, of turns */
};

/* Adds a particle behind all others, if there is room. Its first cell must have an owner. */
void terrain__ridges_add(struct ridges_job *job, const struct ridges_particle *particle,
                         const struct ridges_course *course);

/* Adds two branches of particle i. */
void terrain__ridges_branch(struct ridges_job *job, uint32_t i);

/* Prepares the first step: the table of leaps, and the first steps of the profiles. */
void terrain__ridges_begin(struct ridges_job *job);

/* Extends the profiles to all steps of the next stretch. */
void terrain__ridges_profile(struct ridges_job *job);

/* Plans a stretch of particle i. */
void terrain__ridges_plan(const struct ridges_job *job, uint32_t i);

/* Plans a stretch of particle i, and finds the cells within which it lies. */
void terrain__ridges_plan_within(const struct ridges_job *job, uint32_t i, struct ridges_box *box);

/* Takes a stretch of these particles, as planned. Returns how many go on: they are then at the
 * front of the list, in their order, and those that have stopped behind them. */
uint32_t terrain__ridges_walk(const struct ridges_job *job, uint32_t *list, uint32_t count);

/* ---- ridges_bands.c -------------------------------------------------------------------------- */

/* Chooses the next stretch, and deals the particles to bands: to one if they are few, or if all
 * tasks run on this thread (`alone`). */
void terrain__ridges_deal(struct ridges_job *job, bool alone);

/* Takes the stretch of a band's particles, but for those that wait. */
void terrain__ridges_walk_band(const struct ridges_job *job, uint32_t index);

/* Takes the stretch of all particles, where there is one band. */
void terrain__ridges_walk_all(struct ridges_job *job);

/* Takes the stretch of those that wait; then branches are born. */
void terrain__ridges_gather(struct ridges_job *job);

#endif
