/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Row kernels of generate_drainage. Heights are in cells of the map; level L has cells of 2^L. */

#ifndef TERRAIN_GENERATE_DRAINAGE_KERNELS_H
#define TERRAIN_GENERATE_DRAINAGE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    DRAINAGE_OUTLET = 8, /* a receiver that is none: sea, or a closed lake */
    DRAINAGE_FREE = 9,   /* `keep` of a cell that is not pinned */

    /* Traits of a cell. */
    DRAINAGE_PLAIN = 1, /* part of a floodplain: slopes are a quarter */
    DRAINAGE_LAKE = 2,  /* an outlet that is a closed lake */
    DRAINAGE_SEAT = 4,  /* where a river leaves it may be the sill of a lake */
    DRAINAGE_POOL = 8,  /* part of a lake with an outflow */

    DRAINAGE_FINE = 8,      /* octaves of control shorter than 2^8 cells make coasts ragged */
    DRAINAGE_SAMPLES = 256, /* of the world's fields, in a call at most */
    DRAINAGE_PLATES = 25
};

/* Kernels read up to DRAINAGE_TAIL elements behind a row's end, the longest vector, and of its
 * costs `children` twice as many; none before the row. What they read there is not used. They write
 * there only where it is said below that a row has so much room. Planes lie DRAINAGE_MARGIN
 * apart.
 *
 * Kernels that look at rows above and below make neither the first nor the last cell of a row:
 * these stay as they are, but get no donors and no flood. */
enum { DRAINAGE_TAIL = 16, DRAINAGE_MARGIN = 64 };

/* Floats that a row of samples takes. */
enum { DRAINAGE_ROOM = DRAINAGE_SAMPLES + DRAINAGE_TAIL };

/* ---- The world's fields ---------------------------------------------------------------------- */

/* What the land is made of at a place. */
struct drainage_fields {
    float *control;  /* below 0: sea */
    float *uplift;   /* log2 of uplift over erodibility */
    float *hardness; /* log2 */
    float *strata;   /* height that strata are counted from, cells */
};

/* Samples along a row through a lattice of random values that may be turned against the world's.
 * Positions are in half cells, modulo 2^64. */
struct drainage_octave {
    uint64_t x, y;         /* of the first sample, on the lattice's own axes */
    int32_t dx, dy;        /* from sample to sample */
    uint32_t shift;        /* the lattice's spacing is 2^shift half cells */
    uint32_t key_x, key_y; /* of the random numbers */
    float amplitude;
};

/* The plates around the samples: where they lie, in plate spacings from the corner of the samples'
 * square, how they move, and two random numbers each. */
struct drainage_plates {
    float x[DRAINAGE_PLATES], y[DRAINAGE_PLATES];
    float east[DRAINAGE_PLATES], south[DRAINAGE_PLATES];
    float fold[DRAINAGE_PLATES], base[DRAINAGE_PLATES];
    float row;     /* the samples' y */
    int32_t first; /* sample i lies at x = (first + i) step */
    float step;
    float sharpness; /* of the borders */
};

/* The rows that become fields: sums of octaves, all about 0; then what the plates give. */
enum {
    DRAINAGE_CONTROL,
    DRAINAGE_DETAIL, /* octaves of control of less than 2^DRAINAGE_FINE cells */
    DRAINAGE_RAGGED, /* how much of them there is */
    DRAINAGE_UPLIFT,
    DRAINAGE_HARDNESS,
    DRAINAGE_DIP,
    DRAINAGE_PHASE,  /* displaces folds */
    DRAINAGE_ALONG,  /* where along a fold */
    DRAINAGE_WARP_X, /* displaces plates' borders */
    DRAINAGE_WARP_Y,
    DRAINAGE_SUMS,
    DRAINAGE_BELT = DRAINAGE_SUMS, /* how fast plates collide */
    DRAINAGE_FOLD,
    DRAINAGE_BASE,
    DRAINAGE_ROWS
};

/* How ragged coasts are: what short octaves of control are multiplied by. The kernel `world` has it
 * by vectors. */
static inline float drainage_ragged(float noise)
{
    float share = 0.6F + noise;
    share = share > 0.3F ? share : 0.3F;
    return share < 1 ? share : 1;
}

/* The numbers by which sums become fields. */
struct drainage_world {
    float base_level, plate_base, plate_belt;
    float rolling, belts, least_uplift, inverse_erodibility, coast;
    float hardness;
    float dip, dip_control, fold, fold_frequency;
    uint32_t fold_key_x, fold_key_y;
};

/* Sums and rows have DRAINAGE_ROOM, and what lies behind the last sample may change. */
struct drainage_fields_kernels {
    /* sum[i] += the octave at sample i, within plus or minus its amplitude. */
    void (*octave)(float *sum, const struct drainage_octave *octave, uint32_t count);
    /* rows[BELT], [FOLD], [BASE] from the plates and rows[WARP_X], [WARP_Y]. */
    void (*plates)(float *const *rows, const struct drainage_plates *plates, uint32_t count);
    /* Writes `count` samples alone. */
    void (*world)(const struct drainage_fields *to, float *const *rows,
                  const struct drainage_world *world, uint32_t count);
    /* to = upper + t * (lower - upper). What lies behind the last may change, here and below. */
    void (*between)(float *to, const float *upper, const float *lower, float t, uint32_t count);
    /* 2^shift cells between each two of pairs + 1 samples, in a straight line; shift is 0 to 3. The
     * first cell lies half a cell behind the first sample. */
    void (*stretch)(float *to, const float *samples, uint32_t shift, uint32_t pairs);
};

/* ---- Slopes ---------------------------------------------------------------------------------- */

/* The slope that water of discharge q keeps over rock of a hardness:
 *
 *     f  = hardness * 2^(strata * (g((z - offset) / thickness) - 1/2) / (1 + q / strata_area))
 *     s  = uplift / erodibility * f * (q + channel_area)^-concavity
 *     t  = talus * f^0.7 * ((q + channel_area) / (1 + channel_area))^-0.2
 *     S  = max(least, s t / sqrt(s^2 + t^2) * min(1, 0.35 + 0.65 q / crest_area))
 *
 * g, 0 to 1, tells soft layers from hard ones: drainage_layers in drainage_relax_kernels.c. */
struct drainage_law {
    float concavity;
    float log2_talus; /* talus (1 + channel_area)^0.2 */
    float channel_area;
    float inverse_crest;
    float least;
    float strata, inverse_thickness, inverse_strata_area;
    float plateau, plateau_slope; /* 1: none */
    float plateau_rise;           /* how far it lies higher where much water flows */
    float grain;                  /* amplitude of the random hardness of single cells, log2 */
};

/* A row of cells of one level. */
struct drainage_slope_row {
    float *cost;       /* gets the fall over one cell */
    float *cap;        /* gets the height of the plateau; NULL: none */
    const float *here; /* heights */
    const float *discharge;
    const uint8_t *keep;
    const uint8_t *receiver; /* NULL, as keep and traits: children that no river passes */
    const uint8_t *traits;
    struct drainage_fields fields;
    const float *noise; /* -1 to 1 */
    float cell;         /* cells of the map */
    float stand;        /* multiplies the cost of kept cells, which is that of an area of 1 */
};

struct drainage_relax_row {
    float *to;
    const float *above, *here, *below;
    const float *cost;
    const float *cap;    /* NULL: none */
    const uint8_t *keep; /* kept rivers don't sink below their receivers; NULL: they may */
    float least;         /* every cell falls at least so far to some neighbour */
    float cap_slope;
};

struct drainage_flood_row {
    float *to, *reach_to;
    const float *height[3], *reach[3];
    const uint8_t *keep;
    float step; /* rise from cell to cell */
};

struct drainage_smooth_row {
    float *to;
    const float *above, *here, *below;
    const uint8_t *receiver;
    const uint8_t *donors;
    float least;
    float rate; /* how far towards the mean of 3 by 3 */
};

struct drainage_relax_kernels {
    /* noise[i] = -1 to 1, of cell x + i of the row. Noise, cost and cap have room for
     * DRAINAGE_TAIL cells behind the last. */
    void (*noise)(float *noise, uint64_t row, int64_t x, uint32_t count);
    void (*costs)(const struct drainage_slope_row *row, const struct drainage_law *law,
                  uint32_t count);
    void (*relax)(const struct drainage_relax_row *row, uint32_t width);
    /* reach[i] = cells that the river floods on each side, or -1. */
    void (*reach)(float *reach, const float *discharge, const uint8_t *receiver, float width,
                  float area, float inverse_cell, uint32_t count);
    void (*flood)(const struct drainage_flood_row *row, uint32_t width);
    void (*raise)(const struct drainage_smooth_row *row, uint32_t width);
    void (*wear)(const struct drainage_smooth_row *row, uint32_t width);
    /* bed[i] = height less the depth of a river of this discharge. */
    void (*bed)(float *bed, const float *heights, const float *discharge, float depth, float area,
                uint32_t count);
};

/* ---- Flow ------------------------------------------------------------------------------------ */

struct drainage_flow_kernels {
    /* The receivers of a row, of what they were: outlets stay, as do kept ones that still lie lower
     * by `least`; else the steepest of the eight neighbours that do; else what it was. heights are
     * the rows above, here, below. */
    void (*receivers)(uint8_t *receiver, const float *const *heights, const uint8_t *keep,
                      float least, uint32_t width);
    /* donors[i]: bit d is set if the neighbour against direction d flows here. */
    void (*donors)(uint8_t *donors, const uint8_t *const *receivers, uint32_t width);
    /* One step of accumulation: own + what flows here. */
    void (*areas)(float *to, const float *const *discharges, const uint8_t *donors, float own,
                  uint32_t width);
    /* keep[i] = receiver[i] of outlets, and of rivers that drain more than `pin`. */
    void (*keep)(uint8_t *keep, const uint8_t *receiver, const float *discharge, float pin,
                 uint32_t width);
    /* discharge[i] = own, of cells that are free to find a new way. */
    void (*forget)(float *discharge, const uint8_t *keep, float own, uint32_t width);
    /* Marks as floodplain the cells that floods reached. */
    void (*flooded)(uint8_t *traits, const float *reach, uint32_t width);
};

/* ---- Refining -------------------------------------------------------------------------------- */

/* Three rows of blocks: [0] above, [1] the row, [2] below. A block is a cell of the coarse level;
 * its children are numbered x + 2 y. */
struct drainage_blocks {
    const float *height[3];
    const uint8_t *receiver[3];
    const float *discharge[3];
    uint8_t *node[3]; /* the child that stands for the block */
    uint8_t *exit[3]; /* the child that its river leaves by */
    float *base[3];   /* what rivers that enter fall to */
    uint8_t *code[3]; /* 4 * receiver + the child of the next block that the river enters by; 255:
                         open, no river leaves */
    float *leave[3];  /* height of the exit */
    float *enter[3];  /* of the child entered */
    float least;      /* fall from child to child */
};

/* The children of a row of blocks: 2 rows of cells. */
struct drainage_children {
    float *height[2];
    float *discharge[2];
    uint8_t *receiver[2];
    const float *cost[2];
    const uint8_t *open; /* of the blocks: their node is an outlet */
    float own;           /* area of a child */
};

/* A row of blocks whose rivers may go round the corners that they cross. */
struct drainage_corner_row {
    const uint8_t *receiver;
    const uint8_t *open;
    const float *discharge;
    const uint32_t *bits;  /* random */
    float large;           /* the discharge above which a river is large */
    int32_t share, seldom; /* how many do, and of large ones: times 2^-24 */
};

struct drainage_refine_kernels {
    /* bits[i] = random bits of cell x + i of the row. They have room for DRAINAGE_TAIL more. */
    void (*random)(uint32_t *bits, uint64_t row, int64_t x, uint32_t count);
    /* node and exit of row [1], from random bits. */
    void (*nodes)(const struct drainage_blocks *blocks, const uint32_t *bits, uint32_t width);
    /* code, leave, enter of row [1]. Codes that were 255, of open blocks, stay. */
    void (*entries)(const struct drainage_blocks *blocks, uint32_t width);
    void (*children)(const struct drainage_blocks *blocks, const struct drainage_children *children,
                     uint32_t width);
    /* The columns from `first` to end - 1 whose rivers cross a corner and go round it; negative
     * where a random bit is set. Returns how many; there is room for DRAINAGE_TAIL more. */
    uint32_t (*corners)(float *columns, const struct drainage_corner_row *row, uint32_t first,
                        uint32_t end);
};

TERRAIN__DECLARE_KERNELS(drainage_fields)
TERRAIN__DECLARE_KERNELS(drainage_relax)
TERRAIN__DECLARE_KERNELS(drainage_flow)
TERRAIN__DECLARE_KERNELS(drainage_refine)

#endif
