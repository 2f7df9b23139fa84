/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Parts of generate_drainage: the world's fields, and the levels of its pyramid. */

#ifndef TERRAIN_GENERATE_DRAINAGE_H
#define TERRAIN_GENERATE_DRAINAGE_H

#include "core/operation.h"
#include "generate/drainage_kernels.h"

enum {
    DRAINAGE_TOP = 9, /* the coarsest level: cells of 512 */
    DRAINAGE_OCTAVES = 20,
    DRAINAGE_NOISES = 10,
    /* Blocks of the coarse level that refining spoils at the rim, and cells of the finer level that
     * it does not make. */
    DRAINAGE_REFINE_MARGIN = 4,
    DRAINAGE_REFINE_RIM = 2 * (DRAINAGE_REFINE_MARGIN - 1)
};

/* A fractal sum of octaves; its amplitude is that of all octaves together. */
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
    uint32_t flood;  /* 0: none */
    uint32_t settle; /* relaxing again behind them */
    bool capture;    /* then lower land may capture rivers */
    uint32_t areas;
    bool smooth;
    float pin; /* rivers of more than so many cells' area keep their way */
};

/* All that follows from the params. */
struct drainage_plan {
    struct drainage_world world;
    struct drainage_noise noises[DRAINAGE_NOISES];
    uint64_t plate_stream, node_stream, detour_stream, rock_stream, lake_stream, seat_stream;
    uint32_t plate_period;
    float plate_sharpness;
    struct drainage_law law;
    float talus;
    float pin_area;
    float least_slope[DRAINAGE_TOP + 1];
    float river_width, river_area; /* of floodplains */
    float sea_depth, river_depth;
    float flood_slope;
    float raise, wear; /* how far hollows and crests of the finest level are smoothed */
    float lake_level;  /* of a closed lake, over its control */
    float lake_depth;  /* of lakes with an outflow; 0: there are none */
    float lake_rise;   /* how far above their surface ground may lie that they flood */
    struct drainage_steps steps[DRAINAGE_TOP + 1];
    /* Maps of the caller's; cells are NULL where there is none. */
    terrain__coarse control, uplift, hardness, rain, ceiling;
    float control_scale, ceiling_scale; /* multiply what these maps' cells hold */
    bool coast;                         /* control is the ceiling */
    const struct drainage_fields_kernels *fields;
    const struct drainage_relax_kernels *relax;
    const struct drainage_flow_kernels *flow;
    const struct drainage_refine_kernels *refine;
};

/* ---- The world ------------------------------------------------------------------------------- */

/* A plate: where it lies, in plate spacings from 0.1 behind its square's corner, how it moves, and
 * two random numbers. */
struct drainage_plate {
    float x, y, east, south, fold, base;
};

/* The plates of a lattice's squares and of two more around. */
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

/* Samples that cover cells x <= i < x + width, y <= j < y + height of a level. The memory for the
 * fields, stride * height floats each, is the caller's: sized by _place, filled by _fill. */
void terrain__drainage_lattice_place(struct drainage_lattice *lattice, uint32_t level, int64_t x,
                                     int64_t y, uint32_t width, uint32_t height);
/* Places the grid of plates around it. Their memory, width * height plates, is the caller's. */
void terrain__drainage_lattice_place_grid(struct drainage_lattice *lattice,
                                          const struct drainage_plan *plan);
/* The plates; then the rows of samples from `row` to end - 1.
 * work: DRAINAGE_ROWS * (DRAINAGE_SAMPLES + 64) floats. */
void terrain__drainage_lattice_begin(const struct drainage_lattice *lattice,
                                     const struct drainage_plan *plan);
void terrain__drainage_lattice_fill(const struct drainage_lattice *lattice,
                                    const struct drainage_plan *plan, uint32_t row, uint32_t end,
                                    float *work);
/* a / b, rounded down; b > 0. */
static inline int64_t terrain__drainage_floor(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -1 - (-1 - a) / b;
}
/* Which fields of a row of cells are wanted; the rest is left alone. */
enum { DRAINAGE_WANT_CONTROL = 1, DRAINAGE_WANT_ROCK = 2 };
/* Row y of the level, cells x to x + width - 1. `rows` is work of width + 64 floats each, and gets
 * where the fields begin. */
void terrain__drainage_lattice_row(const struct drainage_lattice *lattice,
                                   const struct drainage_plan *plan, struct drainage_fields *rows,
                                   int64_t x, int64_t y, uint32_t width, uint32_t wanted,
                                   float *work);
/* The control of cells x to x + width - 1 of row y, without the edges that straight lines between
 * samples make: of the sea's bed. Reads one sample more around the cells. */
void terrain__drainage_lattice_bed(const struct drainage_lattice *lattice, float *control,
                                   int64_t x, int64_t y, uint32_t width, float *work);

/* The shape of the closed lake in a top cell: discs along a bent line. Lengths are in half top
 * cells from the cell's middle. */
enum { DRAINAGE_DISCS = 25 };
struct drainage_lake {
    int64_t column, row; /* of the top cell */
    float x[DRAINAGE_DISCS], y[DRAINAGE_DISCS];
    float inverse_square[DRAINAGE_DISCS]; /* of the radius */
    float depth[DRAINAGE_DISCS];          /* of the middle */
};

/* The control of the closed lake in cell (x, y) of a level, below 0 on the lake. Of a cell of a
 * coarse level that of the point nearest to each disc's middle: where a coarse cell is lake, one of
 * its children is. `lake` is made anew where the cell lies in another top cell. */
float terrain__drainage_lake_at(struct drainage_lake *lake, const struct drainage_plan *plan,
                                int64_t x, int64_t y, uint32_t level);

/* ---- The pyramid ----------------------------------------------------------------------------- */

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

/* ---- Lakes with an outflow ------------------------------------------------------------------- */

enum {
    DRAINAGE_SEAT_LEVEL = 3, /* where sills are found first */
    DRAINAGE_LAKE_REACH = 15 /* cells upstream from the sill */
};

/* Marks cells of level 3 that may have a lake. */
void terrain__drainage_seat_lakes(const struct drainage_level *level,
                                  const struct drainage_plan *plan);
/* Makes the lakes of a level that reach into it: heights sink to their surface, traits become
 * DRAINAGE_POOL, and depth, which lies in memory as heights do, gets how deep the ground is. Reads
 * 31 cells around the level, of which 16 must be right. */
void terrain__drainage_fill_lakes(const struct drainage_level *level,
                                  const struct drainage_plan *plan, float *depth);

/* ---- Windows and memory ---------------------------------------------------------------------- */

/* What is wanted of each level for a window of the finest, and the memory for it. */
struct drainage_pyramid {
    const struct drainage_plan *plan;
    uint32_t top, bottom; /* levels that are made; the one above top is given */
    struct drainage_level wanted[DRAINAGE_TOP + 2];
    uint32_t team; /* tasks that may share the work at a level */
    size_t floats; /* of memory */
    float *memory;
};

/* Tasks that share the work at a level, where a tile is all there is. */
enum { DRAINAGE_TEAM = 8 };

/* The windows of levels `top` to `bottom` for what is wanted of level `bottom`: its place and
 * size. */
void terrain__drainage_pyramid_want(struct drainage_pyramid *pyramid,
                                    const struct drainage_steps *steps, uint32_t top,
                                    uint32_t bottom, const struct drainage_level *wanted);
/* And their memory. team: 1, or DRAINAGE_TEAM. */
void terrain__drainage_pyramid_place(struct drainage_pyramid *pyramid,
                                     const struct drainage_plan *plan, uint32_t team, uint32_t top,
                                     uint32_t bottom, const struct drainage_level *wanted);
/* Passes that a team makes. */
uint32_t terrain__drainage_pyramid_passes(const struct drainage_pyramid *pyramid);
/* Grows `seen` to the places of all samples of its levels' fields. */
void terrain__drainage_pyramid_reach(const struct drainage_pyramid *pyramid, terrain__box *seen);
/* What the last level was made from. */
struct drainage_ground {
    struct drainage_lattice lattice;
    struct drainage_fields rows; /* and `work`: for terrain__drainage_lattice_row */
    float *work;
    float *depth; /* work, in memory as heights are: for terrain__drainage_fill_lakes */
};

/* What is wanted of level `bottom`, from `coarse`, which covers what is wanted of level top + 1, or
 * from nothing, if top is DRAINAGE_TOP. All of it lies in pyramid->memory. A team works in passes
 * of the call; where call is NULL, all is done here, and nothing fails. */
terrain_status terrain__drainage_pyramid_make(struct drainage_pyramid *pyramid, terrain__call *call,
                                              const struct drainage_level *coarse,
                                              struct drainage_level *result,
                                              struct drainage_ground *ground);

#endif
