/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the files of generate_drainage share: the plan that follows from the params, the fields of
 * the world, the levels of the pyramid, and the lakes that rivers flow through. */

#ifndef TERRAIN_GENERATE_DRAINAGE_H
#define TERRAIN_GENERATE_DRAINAGE_H

#include "core/operation.h"
#include "generate/drainage_kernels.h"

enum {
    DRAINAGE_TOP = 9,       /* the coarsest level: cells of 512 */
    DRAINAGE_SEA_LEVEL = 5, /* the finest on which the sea spreads as far as this… */
    DRAINAGE_SEA_STEPS = 8, /* …in cells */
    DRAINAGE_OCTAVES = 20,
    DRAINAGE_NOISES = 10,
    DRAINAGE_REFINE_MARGIN = 4, /* blocks of the coarse level that refining spoils at the rim */
    DRAINAGE_REFINE_RIM = 2 * DRAINAGE_REFINE_MARGIN /* the same in cells of the level itself */
};

/* A fractal sum of octaves. `amplitude` is the sum of all octaves' amplitudes. */
struct drainage_noise {
    uint32_t row; /* DRAINAGE_CONTROL … */
    uint32_t octaves;
    uint32_t period; /* of the first octave: 2^period cells */
    uint32_t turn;   /* which way the first octave's lattice is turned */
    float gain;
    float amplitude;
    struct drainage_octave octave[DRAINAGE_OCTAVES]; /* x, y: the lattice's origin */
};

/* What one level does, and how often. */
struct drainage_steps {
    uint32_t relax;  /* before the floods */
    uint32_t flood;  /* 0: no floods */
    uint32_t settle; /* relaxing again after the floods */
    bool capture;    /* lower land may capture rivers while they settle */
    uint32_t areas;
    bool smooth;
    float pin; /* rivers that drain more cells of the level than this keep their way */
};

/* All that follows from the params, and the coarse maps of a call. */
struct drainage_plan {
    struct drainage_world world;
    struct drainage_noise noises[DRAINAGE_NOISES];
    uint64_t plate_stream, node_stream, detour_stream, rock_stream, lake_stream, seat_stream;
    uint32_t plate_period;
    float plate_sharpness;
    struct drainage_law law;
    float pin_area; /* rivers that drain fewer cells than this may always change their way */
    float least_slope[DRAINAGE_TOP + 1];
    float river_width, river_area; /* of floodplains */
    float sea_depth, river_depth;
    float flood_slope;
    float raise, wear; /* how far hollows and crests of the finest level are smoothed */
    /* The surface of a closed lake is lake_level * control / (1 + lake_bend * control) high. */
    float lake_level;
    float lake_bend;
    float lake_depth; /* of lakes with an outflow; 0: there are none */
    float lake_rise;  /* lakes with an outflow flood ground up to this far above their surface */
    struct drainage_steps steps[DRAINAGE_TOP + 1];
    /* The caller's maps; one that the caller did not give has no cells. */
    terrain__coarse control, uplift, hardness, rain, ceiling;
    float control_scale, ceiling_scale; /* multiply the heights in these maps */
    bool ceiling_is_control;            /* as only the ceiling was given */
    const struct drainage_fields_kernels *fields;
    const struct drainage_relax_kernels *relax;
    const struct drainage_flow_kernels *flow;
    const struct drainage_refine_kernels *refine;
};

/* ---- The world ------------------------------------------------------------------------------- */

struct drainage_plate {
    float x, y;        /* place in its square, in plate spacings from (0.1, 0.1) */
    float east, south; /* velocity */
    float fold, base;  /* random numbers */
};

/* The plates of the squares that a window's samples lie in, and of two squares around these. */
struct drainage_plate_grid {
    int64_t column, row; /* of the first square */
    uint32_t width, height;
    struct drainage_plate *plates;
};

/* Samples of the fields around a window of a level, 2^spacing cells of the map apart. */
struct drainage_lattice {
    uint32_t level;
    int64_t x, y; /* of the first sample, in spacings */
    uint32_t width, height;
    uint32_t spacing;
    uint32_t shift; /* 2^shift cells of the level lie between two samples */
    size_t stride;
    struct drainage_fields fields;
    struct drainage_plate_grid grid;
};

/* Finds which samples cover cells x to x + width - 1 and y to y + height - 1 of a level. Then the
 * caller gives memory for each of the fields, stride * height floats. */
void terrain__drainage_lattice_place(struct drainage_lattice *lattice, uint32_t level, int64_t x,
                                     int64_t y, uint32_t width, uint32_t height);
/* Finds which plates the samples need. Then the caller gives memory for them. */
void terrain__drainage_lattice_place_grid(struct drainage_lattice *lattice,
                                          const struct drainage_plan *plan);
/* The most plates that a lattice of this size needs, wherever it lies. */
uint64_t terrain__drainage_most_plates(const struct drainage_lattice *lattice,
                                       const struct drainage_plan *plan);
/* Draws the plates. */
void terrain__drainage_lattice_begin(const struct drainage_lattice *lattice,
                                     const struct drainage_plan *plan);
/* Computes the rows of samples from `row` to end - 1, when the plates are drawn.
 * work: DRAINAGE_ROWS * DRAINAGE_ROOM floats. */
void terrain__drainage_lattice_fill(const struct drainage_lattice *lattice,
                                    const struct drainage_plan *plan, uint32_t row, uint32_t end,
                                    float *work);
/* Interpolates the wanted fields of cells x to x + width - 1 of row y of the level. `rows` brings
 * work of width + 64 floats for each field, and gets where in it the first cell lies. */
enum { DRAINAGE_WANT_CONTROL = 1, DRAINAGE_WANT_ROCK = 2 };
void terrain__drainage_lattice_row(const struct drainage_lattice *lattice,
                                   const struct drainage_plan *plan, struct drainage_fields *rows,
                                   int64_t x, int64_t y, uint32_t width, uint32_t wanted,
                                   float *work);
/* Interpolates the control of cells x to x + width - 1 of row y by splines, for the bed of the sea:
 * straight lines between samples would give it edges. Reads one more sample on each side. */
void terrain__drainage_lattice_bed(const struct drainage_lattice *lattice, float *control,
                                   int64_t x, int64_t y, uint32_t width, float *work);

/* The shape of the closed lake in a top cell: discs along a bent line, in places that noise moves.
 * Lengths are in half top cells from the cell's middle. */
enum { DRAINAGE_DISCS = 25, DRAINAGE_LAKE_OCTAVES = 5 };
struct drainage_lake {
    int64_t column, row; /* of the top cell */
    uint64_t bits;       /* its own */
    float x[DRAINAGE_DISCS], y[DRAINAGE_DISCS];
    float inverse_square[DRAINAGE_DISCS]; /* of the radius */
    float depth[DRAINAGE_DISCS];          /* of the middle */
};

/* The control that a closed lake gives to cell (x, y) of a level: below 0 on the lake. `lake` keeps
 * the shape of one top cell's lake; .column = INT64_MIN: of none yet. */
float terrain__drainage_lake_at(struct drainage_lake *lake, const struct drainage_plan *plan,
                                int64_t x, int64_t y, uint32_t level);

/* ---- The levels ------------------------------------------------------------------------------ */

/* A window of a level. */
struct drainage_level {
    uint32_t level;
    int64_t x, y; /* of its first cell, in cells of the level */
    uint32_t width, height;
    size_t stride;
    float *heights; /* of the water's surface; 0 on the sea */
    float *discharge;
    uint8_t *receiver;
    uint8_t *traits;
};

/* The window with `rim` cells more on each side, or fewer if it is negative. */
static inline struct drainage_level terrain__drainage_around(const struct drainage_level *window,
                                                             int32_t rim)
{
    struct drainage_level around = *window;
    around.x -= rim;
    around.y -= rim;
    around.width += 2 * (uint32_t)rim;
    around.height += 2 * (uint32_t)rim;
    return around;
}

/* ---- Lakes with an outflow ------------------------------------------------------------------- */

enum {
    DRAINAGE_SEAT_LEVEL = 3, /* where sills are found first */
    DRAINAGE_LAKE_REACH = 15 /* cells upstream from the sill */
};

/* Marks the cells of level DRAINAGE_SEAT_LEVEL in which a lake's sill may lie. */
void terrain__drainage_seat_lakes(const struct drainage_level *level,
                                  const struct drainage_plan *plan);
/* Makes the lakes that reach into a window of a level: heights sink to the lake's surface, traits
 * get DRAINAGE_POOL, and `depth`, laid out like heights, gets the depth of the ground below the
 * surface. Reads 31 cells around the window; the nearest 16 must be right. */
void terrain__drainage_fill_lakes(const struct drainage_level *level,
                                  const struct drainage_plan *plan, float *depth);

/* ---- The pyramid ----------------------------------------------------------------------------- */

/* The windows of all levels that a window of the finest one needs, and the memory to make them. */
struct drainage_pyramid {
    const struct drainage_plan *plan;
    uint32_t top, bottom; /* levels that are made; the one above top is given */
    struct drainage_level wanted[DRAINAGE_TOP + 2]; /* by level */
    uint32_t team;                                  /* tasks that may share the work at a level */
    uint64_t floats;                                /* of memory */
    float *memory;
};

/* Tasks that share the work at a level, where a tile is all there is. */
enum { DRAINAGE_TEAM = 8 };

/* Cells after which windows take as much memory again: see terrain__drainage_pyramid_place. */
enum { DRAINAGE_PHASES = 16 };

/* Finds the windows of levels bottom to top + 1 that the window `wanted` of level `bottom` needs.
 * Of `wanted` only the place and the size count. */
void terrain__drainage_pyramid_windows(struct drainage_pyramid *pyramid,
                                       const struct drainage_steps *steps, uint32_t top,
                                       uint32_t bottom, const struct drainage_level *wanted);
/* Finds the windows, too, and how much memory it takes to make them. team: 1, or DRAINAGE_TEAM.
 *
 * Of levels 3 to 0, or a single one, a window takes as much memory as another that lies a multiple
 * of DRAINAGE_PHASES cells away: then the cells of all levels, and the samples, are moved by whole
 * numbers of them. It takes no less than any window in it. */
void terrain__drainage_pyramid_place(struct drainage_pyramid *pyramid,
                                     const struct drainage_plan *plan, uint32_t team, uint32_t top,
                                     uint32_t bottom, const struct drainage_level *wanted);
/* How many passes terrain__drainage_pyramid_make runs as a team. */
uint32_t terrain__drainage_pyramid_passes(const struct drainage_pyramid *pyramid);
/* Grows `seen`, in cells of level `unit`, until it holds all samples that the levels read, none of
 * which is finer. */
void terrain__drainage_pyramid_samples(const struct drainage_pyramid *pyramid, uint32_t unit,
                                       terrain__box *seen);
/* The fields under the last level that was made, and work for those who read them. */
struct drainage_ground {
    struct drainage_lattice lattice;
    struct drainage_fields rows; /* work of terrain__drainage_lattice_row: rows… */
    float *work;                 /* …and more */
    float *depth;                /* for terrain__drainage_fill_lakes, laid out like heights */
};

/* Makes the wanted window of level `bottom` in pyramid->memory: from `coarse`, which covers the
 * wanted window of level top + 1, or from nothing, if top is DRAINAGE_TOP. A team shares the work
 * in passes of the call; without a call the calling thread does it alone, and nothing fails. */
terrain_status terrain__drainage_pyramid_make(struct drainage_pyramid *pyramid, terrain__call *call,
                                              const struct drainage_level *coarse,
                                              struct drainage_level *result,
                                              struct drainage_ground *ground);

#endif
