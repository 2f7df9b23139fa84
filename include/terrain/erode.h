/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode: moves or removes material. */

#ifndef TERRAIN_ERODE_H
#define TERRAIN_ERODE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- erode_canyons_draining ----------------------------------------------------------------- */

/** Where a cell's water goes. */
typedef uint32_t terrain_erode_canyons_draining_method;
enum {
    /** the steepest of eight ways */
    TERRAIN_ERODE_CANYONS_DRAINING_METHOD_D8 = 0,
    /** one of eight, by slope and chance */
    TERRAIN_ERODE_CANYONS_DRAINING_METHOD_RHO8 = 1
};

typedef struct terrain_erode_canyons_draining_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** A share of depth for each cell, 0 to 1: hard rock has less; 1 without it. NULL: none. */
    const terrain_heightmap *softness;
    TERRAIN_POINTER_PAD(softness_pad)
    /** The catchment of the canyon whose floor a cell is on, 0 elsewhere. NULL: not wanted. */
    terrain_heightmap *floors;
    TERRAIN_POINTER_PAD(floors_pad)
    /** The catchment from which on there is a canyon. Cells, 1 to 1e9; default 300. */
    float threshold;
    /** How deep a canyon is where its catchment is twice that, on gentle slopes. Height, 0 to 1e6;
     * default 6. */
    float depth;
    /** Half of how wide its floor is at its head. Cells, 0 to 64; default 0.4. */
    float width;
    /** How steep walls are. Slope, 0.001 to 100; default 1.2. */
    float bank;
    /** What its floor falls by at least. Slope, 0 to 10; default 0.004. */
    float fall;
    /** On land less steep than this canyons fade; twice as steep, they have their depth. Slope, 0
     * to 100; default 0.03. */
    float toe;
    /** On land as steep as this they have half of it. Slope, 0.001 to 1e6; default 1. */
    float gentle;
    /** No cell farther from a canyon's floor line changes. Cells, 1 to 512; default 48. */
    uint32_t reach;
    /** Down the steepest of eight ways, or down one of them by chance and slope. Default RHO8. */
    terrain_erode_canyons_draining_method method;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
} terrain_erode_canyons_draining_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_canyons_draining_params_init(
    terrain_erode_canyons_draining_params *params, size_t size);

/** Cuts canyons down the slopes of a map, where its water runs together: shallow where they begin,
 * deeper and wider downhill, and fading at the foot of the slope. Canyons join, and every floor
 * falls all the way, to the edge of the map (unless rim is CLOSED), to NaN (the sea, say), or on a
 * closed map without NaN to its lowest cell. What dams a canyon is cut through.
 *
 * threshold decides how many canyons there are; 50 makes gullies of every slope, 3000 leaves a few
 * large ones. depth and bank make their character: 3 and 0.8 valleys, 10 and 2 slots. softness says
 * where rock gives way: a noise, or what shape_strata tells of its layers. Where it is 0, canyons
 * have no depth, and only what dams them is cut. toe 0.1 keeps canyons to steep flanks; 0 lets them
 * cross plains. `floors` gets the catchment, in cells, of the largest canyon whose floor covers a
 * cell: for rivers, or as a mask.
 *
 * Reads and writes `map`, in place; every cell may depend on every other, so that it needs a
 * bounded map. Heights never rise; those of cells farther than reach from all canyons keep their
 * bits. Hollows beside the canyons stay: shape_breach or shape_fill comes first. NaN and infinity
 * stay. Memory: up to 230 bytes a cell. At most 2^30 cells. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply; UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Ways and areas A are those of terrain_analyze_flow with routing CARVE and this method
 * (with other random numbers r). Cells with A >= threshold whose height is finite, at most 1e30,
 * are canyons; l is the way from one to the next, 1 or sqrt(2) cells, c is cell_size, b is bank.
 * The main one of those that flow to a cell is that with the largest A, the first in rows where
 * several are. Upstream first, the ground is g = the least of h and, for all that flow here, their
 * g - fall l c. The slope S of a canyon's first cell is that of g to the next one; of others s + (l
 * / 24) (S' - s), from the slope s of their main one to that of g between these two, S', l cells
 * apart. w = the greatest of 0.75, width sqrt(A / threshold), and the w of all that flow here.
 * Outlets first,
 *
 *     D = depth softness (A / threshold - 1)^(3/8) min(1, (S - toe) / toe) gentle / (gentle + S)
 *     d = the greater of D and the next one's d - b l c / 3
 *     z = the greater of g - d and the next one's z + fall l c
 *
 * with D cut to 0.4 bank c reach, and without the terms of a next one where there is none; but d =
 * 0 and z = g if it flows to NaN. Nothing in D is below 0, softness is cut to 1, S to 0; toe 0
 * makes its factor 1 where S > 0.
 *
 * Canyons' lines go through the middles of cells, in whole numbers of 2^-8 cells, and are relaxed
 * 12 times, all at once: P becomes (2 P + the main one's + the next one's) / 4, rounded down, where
 * there are both. A piece leads from each cell to the next one; or over that to the one after,
 * where but one canyon flows to the next and its z is not below the mean of theirs by more than
 * fall c / 4: from the first cell on, all these pieces and no other. Its w is that of where it
 * begins. Then pieces cut canyons as in terrain_erode_canyons_separating; `floors` is the greatest
 * A of where pieces begin with t <= w. */
TERRAIN_API terrain_status
terrain_erode_canyons_draining(terrain_context *context, terrain_heightmap *map,
                               const terrain_erode_canyons_draining_params *params);

/* ---- erode_canyons_separating --------------------------------------------------------------- */

typedef struct terrain_erode_canyons_separating_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** The level of the canyon whose floor a cell is on, 1 for the shortest; else 0. NULL: not
     * wanted. */
    terrain_heightmap *floors;
    TERRAIN_POINTER_PAD(floors_pad)
    /** The distance between the longest canyons. Cells, 8 to 8192; default 192. */
    uint32_t spacing;
    /** How many lengths of canyons there are, each half of the one before. 1 to 5; default 3. */
    uint32_t levels;
    /** The share of mesas that shorter canyons cut further. 0 to 1; default 0.6. */
    float share;
    /** The share of shorter canyons that end blind, so that land stays joined. 0 to 1; default
     * 0. */
    float blind;
    /** How deep the longest canyons are; half as long ones have 0.71 of it. Height, 0 to 1e6;
     * default 24. */
    float depth;
    /** Half of how wide the floors of the longest canyons are; others as depth. Cells, 0 to 256;
     * default 3. */
    float width;
    /** How much depths and widths differ from canyon to canyon. 0 to 1; default 0.4. */
    float vary;
    /** How steep walls are. Slope, 0.001 to 100; default 1.2. */
    float bank;
    /** No cell farther from a canyon's floor line changes. Cells, 1 to 512; default 48. */
    uint32_t reach;
    /** How irregular the net is. 0 to 1; default 0.8. */
    float jitter;
    /** How much canyons wind. 0 to 0.5; default 0.18. */
    float meander;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_canyons_separating_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_canyons_separating_params_init(
    terrain_erode_canyons_separating_params *params, size_t size);

/** Cuts land into mesas by a net of canyons: longer ones are deeper and wider, each is about as
 * high at one end as at the other, and no canyon ends but where it meets another (unless blind >
 * 0). On a plateau it makes canyon country, on rough land the valleys between mountains;
 * shape_strata afterwards puts steps into the walls, erode_canyons_draining lets water out.
 *
 * spacing is how far apart the longest canyons are; each further level halves it, with 0.71 of
 * depth and width. share 1 cuts all mesas down to spacing / 2^(levels - 1) cells, 0 leaves the
 * large ones whole. blind 0.3 leaves ways between mesas for whoever walks there. depth 24 with bank
 * 1.2 makes walls of 20 cells; reach should be twice as much, 2 depth / (bank cell_size), or
 * canyons in land that stands high become less deep. meander 0 draws smooth curves. `floors` gets
 * the level of the canyon whose floor a cell lies on: for roads, rivers, or as a mask.
 *
 * Reads and writes `map`, in place. Floors follow the ground around them, so a cell depends on
 * others up to the halo that terrain_operation_halo tells, about reach + (5 + 16 meander) spacing /
 * 2^levels; in an endless world tiles agree. On a bounded map the ground beyond the edge is that of
 * the nearest cells. Heights never rise; those of cells farther than reach from all canyons keep
 * their bits. Where land is lower than the floor would be, there is no canyon. NaN and infinity
 * stay, and floors don't count them; where there is nothing else, nothing is cut. Memory: about 100
 * KB for each of at most 64 tasks, 9 KB for each (spacing / 2^levels)^2 cells, but at most 18 KB.
 * At most 2^30 columns and rows. params may be NULL for the defaults. Errors: those of
 * terrain_operation_apply; RANGE if spacing is below 4 2^levels; UNSUPPORTED if there are more
 * columns or rows. Since 0.2.
 *
 * Definition. Lengths are in cells, places are whole numbers of 2^-8 cells, and what is divided is
 * rounded down. u = spacing / 2^levels, rounded down. Corner (i, j) of the net lies at u (i, 2 j),
 * moved by u jitter / 2 times random numbers in (-1, 1), and down by u / 3 where i + j is even,
 * else up. From it sides go to (i + 1, j), and where i + j is even to (i, j + 1): they bound bricks
 * (i, j) with i + j even, from corner (i, j) to (i + 2, j + 1). Brick (i, j) is a mesa of level 0,
 * with the middle u (i + 1, 2 j + 1). It belongs to the mesa of level k whose site is the nearest
 * to that of its mesa of level k - 1 (its middle, for k = 1), among those in the 3 x 3 squares
 * around that: a square of level k has a side of 2^(k + 1) u and a random site. A mesa of level k >
 * 0 is cut if its random number from 0 to 1 is below share. The side between two bricks is a canyon
 * of the highest level on which their mesas differ; but there is none if on a higher level their
 * mesa is not cut. Of canyons below the highest level a random share `blind` reaches only one of
 * its corners.
 *
 * Corners then relax 3 times, all at once: with the places A, B of its neighbours along the two
 * canyons of the highest level at it, P becomes (2 P + A + B) / 4; where three of one level meet (P
 * + A + B + C) / 4; then it is cut to u from u (i, 2 j) in x and in y. From the middle of one of
 * the two to that of the other the canyon is a parabola around P (where three of one level meet, of
 * those two that are the nearest to a line); from the middle of the third a parabola around P goes
 * to the first one's middle. The half of a canyon that ends at a corner has n pieces, each with as
 * much of the parabola's parameter: 1 if u < 8, 2 if u < 16, 4 if u < 32, 8 if u < 64, else 16.
 * Their ends are moved by noise: sum of meander p N(place / p), for p = 4 u, 2 u, ... u / 4 as long
 * as p >= 8, rounded to 0, where N has random numbers in (-1, 1) at whole places, for x and for y,
 * and between them goes with t^3 (t (6 t - 15) + 10).
 *
 * A canyon of level k, with q = 2^(-(levels - 1 - k) / 2), is d = depth q (1 + vary r) deep and its
 * floor w = width q (1 + vary r) wide on either side, with a random number r of the two mesas. In
 * its middle its floor is d below G, the mean of the finite heights (of at most 1e30) of 5 x 5
 * cells around the place, u / 4 apart, and the half of its width is w (1 + vary r' / 2); at a
 * corner likewise with the greatest d and w there, with r' of the side and of the corner; in the
 * middle of a blind one, and at a corner that only one reaches, with d = w = 0. Along pieces
 * heights go in equal steps; each has one width w, that of its middle, but at most reach. With b =
 * bank cell_size, for each piece, at a cell whose distance from it is t < reach:
 *
 *     wall = the least of floor + b max(0, distance - w), for all points of the piece
 *     h'   = the least of h and max(wall, h - b (reach^2 - t^2) / (2 reach)), for all pieces
 *
 * A piece that falls by 0.999 b a cell or more is its lower end alone. `floors` is 1 + the highest
 * level of pieces with t <= w. So floors and walls are nowhere steeper than bank, on level land. */
TERRAIN_API terrain_status
terrain_erode_canyons_separating(terrain_context *context, terrain_heightmap *map,
                                 const terrain_erode_canyons_separating_params *params);

/* ---- erode_fir ----------------------------------------------------------------------------- */

/** What a cell takes over from the cell before it. */
typedef uint32_t terrain_erode_fir_mode;
enum {
    /** all heights, higher and lower: a blur with a memory */
    TERRAIN_ERODE_FIR_MODE_SMEAR = 0,
    /** falls alone: hollows fill, nothing is lowered */
    TERRAIN_ERODE_FIR_MODE_DOWNHILL = 1,
    /** falls, and what is passed on is taken away: the sum stays */
    TERRAIN_ERODE_FIR_MODE_CONSERVING = 2
};

typedef struct terrain_erode_fir_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** The share of each height that comes from the cell before: 0 changes nothing. 0 to 1; default
     * 0.4. */
    float erosion;
    /** What is passed on: all heights, falls that fill, or falls that move material. Default
     * SMEAR. */
    terrain_erode_fir_mode mode;
} terrain_erode_fir_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_fir_params_init(terrain_erode_fir_params *params,
                                                         size_t size);

/** The filter of fault-line terrains: smears heights from west to east, then from east to west,
 * north to south, south to north, each pass over the result of the one before. It takes the edges
 * off cliffs and noise. (Literature calls it a FIR filter; it is a recursion.)
 *
 * Useful values: an erosion of 0.3 to 0.6; 0 changes nothing. SMEAR has a standard deviation of
 * sqrt(2 e) / (1 - e) cells (1.5 at 0.4) and keeps the mean; at 1 it gives a plain at the mean of
 * the corners. DOWNHILL, the rule as it is usually told, never lowers a cell: it fills; at 1 it
 * gives a plain at the highest height. Its passes prefer no direction, but their order shows in the
 * result. CONSERVING keeps the sum of all heights, but for rounding. Time grows above an erosion of
 * about 0.8.
 *
 * Reads and writes `map`, in place. A line of equal heights stays as it is to the last bit, and,
 * but for rounding, no height leaves the range of those before. Mirrored or turned maps give the
 * mirrored or turned result only within rounding (SMEAR), or not at all.
 * Borders: beyond the edge lie cells like the edge's. Halo: 63 + warm (see below), and 1 more if
 * CONSERVING; 82 for the defaults. Above an erosion of 0.983 the operation is global.
 * NaN and infinity: SMEAR spreads NaN within the halo. DOWNHILL and CONSERVING compare false with
 * NaN, which stays alone, like a wall. Infinity becomes NaN.
 * Memory: for each task about 64 + 2 warm rows. Errors: those of terrain_operation_apply. Since
 * 0.1.
 *
 * Definition. A pass runs along a line of cells; let x_0, x_1, … be their heights before it, in its
 * direction, and e the erosion. It computes, from p_0 = x_0 on:
 *
 *     SMEAR        p_i = p_(i-1) + (1 - e) (x_i - p_(i-1)), which is e p_(i-1) + (1 - e) x_i
 *     DOWNHILL     the same where p_(i-1) > x_i, otherwise p_i = x_i
 *     CONSERVING   p_i = x_i + q_i, with q_i = e/2 max(p_(i-1) - x_i, 0)
 *
 * and a cell's new height is p_i, or p_i - q_(i+1) if CONSERVING.
 *
 * The pass restarts for each block of 64 world cells (64 k to 64 k + 63): p begins `warm` cells
 * before the block's first one, or at the first cell of the line if that is nearer, and where it
 * begins it is the cell's height. For q_(i+1) the recursion of the block of cell i + 1 counts, so
 * that both sides of a block's edge agree. warm is the smallest number with r^warm < 2^-25, where r
 * is e, or e/2 if CONSERVING: what lies farther back would not change the result beyond rounding,
 * and so blocks don't show. Where warm would exceed 1024, the line is one block. p begins with the
 * first cell; only where SMEAR turns back at the end of a line it begins with x + (w - x) / (1 +
 * e), where x and w are the last cell before and after the first of both passes. */
TERRAIN_API terrain_status terrain_erode_fir(terrain_context *context, terrain_heightmap *map,
                                             const terrain_erode_fir_params *params);

/* ---- erode_flatten ------------------------------------------------------------------------- */

typedef struct terrain_erode_flatten_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How often slopes are levelled. 0 to 1e5; default 128. */
    uint32_t iterations;
    /** The steepest slope that is levelled. Slope, 0 to 100; default 0.75. */
    float talus;
} terrain_erode_flatten_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_flatten_params_init(terrain_erode_flatten_params *params,
                                                             size_t size);

/** Olsen's fast erosion: thermal erosion with its test turned round. Slopes gentler than talus are
 * levelled, steeper ones stay: the land becomes flats between cliffs, ground for games.
 *
 * Useful values: a larger talus levels more. iterations: a quarter of a map's width is Olsen's
 * choice; 128 fits 512 cells. The score by which he measures erosion, the standard deviation of
 * slopes over their mean, rises to three quarters up to five sixths of what it rises to in his own
 * order of work, row by row, which drags material along (measured at 128 and 512 cells).
 *
 * Reads and writes `map`, in place. No height leaves the range of those before, and a map without
 * slopes stays as it is, both to the last bit. The sum of all heights changes by rounding alone: by
 * at most half a unit in the last place of the largest height for each of two cells, each turn that
 * moves something. A mirrored or turned map gives another result of the same kind: colours belong
 * to places.
 * Borders: closed; nothing leaves the map. Halo: 5 * iterations.
 * NaN and infinity: stay where they are, like walls: they neither give nor receive.
 * Memory: another map, about a quarter larger than this one.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. Let T = talus * cell_size (computed in double, rounded to float, at most FLT_MAX).
 * When it is a cell's turn, let h be its height, l the lowest height of its four neighbours at the
 * edges, and d = h - l, all in single precision. If 0 < d <= T, then d / 2 moves from the cell to
 * that neighbour, at once: both stand at the same height then, but for rounding. Of equally low
 * neighbours the first of north (y - 1), west (x - 1), east, south receives. A cell that drops by
 * more than T anywhere gives nothing.
 *
 * In an iteration each cell has one turn. The cells of a colour c = (x + 2 y) mod 5, in world
 * coordinates (the remainder is never negative), have their turns together: none is another's
 * neighbour, nor shares one with it. The order of colours is 0, 1, 3, 2, 4 in iterations 0, 2, 4, …
 * and 4, 2, 3, 1, 0 in iterations 1, 3, 5, … So where an iteration follows another, a colour has
 * two turns running. The very first colour's turns in the first iteration and the very last one's
 * in the last stand alone and are left out: that keeps the halo at 5 cells an iteration. */
TERRAIN_API terrain_status terrain_erode_flatten(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_erode_flatten_params *params);

/* ---- erode_gullies ------------------------------------------------------------------------- */

typedef struct terrain_erode_gullies_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How many cells it is to the nearest river, whose floors are left alone. NULL: none. */
    const terrain_heightmap *river_distance;
    TERRAIN_POINTER_PAD(river_distance_pad)
    /** Distance from one of the largest gullies to the next. Cells, 0.0009765625 to 4096; default
     * 24. */
    float size;
    /** Sizes of gullies, each half as large; those below 3 cells are left out. 1 to 8; default
     * 4. */
    uint32_t octaves;
    /** By how much each octave is less deep than the one before. 0 to 1; default 0.4. */
    float gain;
    /** Depth of the largest gullies, of the slope's rise over their size. 0 to 4; default 0.4. */
    float depth;
    /** How far gullies turn aside on the flanks of larger ones: by 2 atan of it. 0 to 1; default
     * 0.5. */
    float branching;
    /** Up to this far from a river nothing changes. Cells, 0 to 65536; default 1. */
    float floor;
    /** Over this distance beyond the floor the gullies deepen. Cells, 0.5 to 65536; default 6. */
    float bank;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_gullies_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_gullies_params_init(terrain_erode_gullies_params *params,
                                                             size_t size);

/** Gullies that run down the slopes, with smaller ones running into their sides: the look of
 * erosion for a few nanoseconds a cell, without any water. Each cell is computed by itself from the
 * slope of the land around it, so it serves worlds as well as maps. Use it last, on land whose
 * valleys are there already, or on smooth noise, to which it gives ridges and spurs.
 *
 * Useful values: a size of 16 to 48 cells on smooth land; 8 to 12, with 2 or 3 octaves, on land
 * from generate_drainage or erode_stream_power, whose own brooks are the larger gullies. depth 0.2
 * is worn, 0.4 is fresh, 0.8 are badlands. branching 0: gullies of all sizes run straight down.
 * Time grows with octaves alone. Rivers: gullies cut below whatever they cross. Give river_distance
 * (analyze_distance of a discharge, with low at the least that is a river), and the land up to
 * floor cells from rivers stays as it is, to the last bit; the gullies deepen over the bank beyond.
 *
 * Reads and writes `map`, in place. No height rises; none falls by more than depth * size * slope *
 * (1 + gain + gain^2 + …), the slope being that of the smoothed land, in height a cell. Level land
 * stays as it is, to the last bit: where all heights within the halo are equal. Slopes and cell
 * size don't count: a map that is twice as high gets gullies twice as deep. Sizes and depths are
 * alike in all directions.
 * Borders: beyond the edge lie cells like the edge's. Halo: 2^L (see below); 8 for the defaults.
 * NaN and infinity: NaN within the halo. A river_distance of NaN counts as 0.
 * Memory: two maps, each larger than this one by twice the halo both ways, and 75 KiB for each
 * task.
 * Errors: those of terrain_operation_apply. Since 0.2.
 * Not promised: that water can follow the gullies everywhere. A few end in hollows, most of all
 * where slopes change within a gully's size; shape_breach opens them.
 *
 * Definition. L is the largest integer with 3 * 2^L <= size, or 0. For l = 0 to L - 1 the map is
 * smoothed by (1 2 1; 2 4 2; 1 2 1) / 16 over cells that are 2^l apart; of the result, (gx, gy) is
 * half the difference of the cells to the east and west, and to the south and north; s = |(gx,
 * gy)|, and u = (-gy, gx) / s.
 *
 * Octave i, for i = 0 to octaves - 1 and while its wavelength v = size / 2^i is at least 3 cells,
 * has a lattice of triangles: rows 1.5 v apart, points sqrt(3) v apart in a row, every odd row
 * beginning half of that later. The x of a cell in the lattice is x * step + o(0), step being 2^64
 * / (sqrt(3) v) rounded down, y likewise with 1.5 v and o(1), both in 2^-64 of a lattice cell,
 * where o(k) = mix(stream(8 + i), k); row j has point k at k + (j odd ? 1/2 : 0). A point's phase q
 * is its random number in [0, 1), of draw i. With the ways d = (cell - point) / v from the points,
 *
 *     w = max(0, 1 - |d|^2 / 1.5^2)^3,   f = d . u + q less the nearest integer
 *     (C, S) = sum of w (c(f), s(f)),    s(f) = 16 f (1/2 - |f|),   c(f) = 16 g (1/2 - |g|)
 *
 * with g = 1/4 - |f|: parabolas for sine and cosine. Then (C, S) is divided by its length, or by
 * 0.18 if that is more, and
 *
 *     cut += depth * size * gain^i / 2 * s * (1 - C)
 *     u is turned by 2 atan(-branching * S), from x towards y
 *
 * and the map falls by cut, times t^2 (3 - 2 t) where there is a river_distance, t =
 * (river_distance - floor) / bank being cut to 0 to 1. */
TERRAIN_API terrain_status terrain_erode_gullies(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_erode_gullies_params *params);

/* ---- erode_hydraulic ----------------------------------------------------------------------- */

typedef struct terrain_erode_hydraulic_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *eroded;
    TERRAIN_POINTER_PAD(eroded_pad)
    /** How much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *deposited;
    TERRAIN_POINTER_PAD(deposited_pad)
    /** How deep the water is in the end. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** How often it rains, flows and dries. 0 to 1e5; default 200. */
    uint32_t iterations;
    /** How deep the water is that falls in an iteration. Cell sizes, 0 to 100; default 0.0005. */
    float rain;
    /** The part of the water that dries in an iteration: valleys become about 1 / evaporation cells
     * long. 0 to 1; default 0.005. */
    float evaporation;
    /** How much ground water carries for its flow and slope: how fast valleys deepen. 0 to 1000;
     * default 10. */
    float capacity;
} terrain_erode_hydraulic_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_erode_hydraulic_params_init(terrain_erode_hydraulic_params *params, size_t size);

/** Hydraulic erosion: in each iteration rain falls, flows downhill and takes ground along. The more
 * water comes together and the steeper it falls, the more ground it moves: hollows deepen, valleys
 * branch upwards, and where a slope ends the ground stays as a fan. Use it on noise or on faults
 * that need valleys; the result has fans and filled hollows, but no rivers that run on.
 *
 * Useful values: water goes about 1 / evaporation cells, and as many iterations pass before valleys
 * of that length are there. 0.005 with 200 iterations makes long valleys, 0.02 with 100 short ones.
 * iterations and capacity are how old the land is; much capacity soon makes wide valleys with fans,
 * less makes finer ones. More than 0.01 of rain floods what it should shape. Time and halo grow
 * with iterations.
 *
 * Reads and writes `map`, in place; writes eroded = max(h before - h after, 0), deposited = max(h
 * after - h before, 0), both 0 where a height is NaN, and water, the depth after the last
 * iteration. The mask decides on the map alone: these three are as without it. The sum of all
 * heights changes by rounding alone: by at most two units in the last place of the largest height
 * for each cell and iteration. A flat map stays flat, and a surface never leaves the range of those
 * around it while water flows. Mirrored or turned maps give the mirrored or turned result to the
 * last bit.
 * Borders: closed; nothing leaves the map. Halo: 2 * iterations.
 * NaN and infinity: NaN stays where it is and takes no part. Infinity spreads NaN, two cells an
 * iteration.
 * Memory: six other maps. Errors: those of terrain_operation_apply. Since 0.1.
 * Not promised: the same effect on the same land at another cell size.
 *
 * Definition. A cell has ground h (its height at first) and water w (0 at first), and its surface
 * is a = h + w. Let R = rain * cell_size (computed in double, rounded to float). In an iteration
 * all cells do each step before any does the next one.
 *   1. Rain: w += R.
 *   2. Let d_n = max(a - a_n, 0) for each of the eight neighbours, v_n = 1 for the four at the
 *      edges and 1/2 for those at the corners, and D the sum of v_n d_n.
 *   3. Flow: let c = min(3/32, w / D), and 0 if D is 0. Neighbour n gets c v_n d_n of the water:
 *      all of it runs off, by the drops, where they are large enough.
 *   4. Erosion: let q = c D / cell_size be how much flows away, in cells, and e = min(1/16,
 *      capacity * q * sqrt(q)). Neighbour n also gets e v_n d_n of the ground.
 *   5. Evaporation: w -= evaporation * w. */
TERRAIN_API terrain_status terrain_erode_hydraulic(terrain_context *context, terrain_heightmap *map,
                                                   const terrain_erode_hydraulic_params *params);

/* ---- erode_rain ---------------------------------------------------------------------------- */

/** Where water flows to, and what ground goes with it. */
typedef uint32_t terrain_erode_rain_mode;
enum {
    /** to the lowest of four neighbours, always full of sediment */
    TERRAIN_ERODE_RAIN_MODE_FAST = 0,
    /** to all lower ones of eight, with its own sediment */
    TERRAIN_ERODE_RAIN_MODE_REFERENCE = 1
};

typedef struct terrain_erode_rain_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *eroded;
    TERRAIN_POINTER_PAD(eroded_pad)
    /** How much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *deposited;
    TERRAIN_POINTER_PAD(deposited_pad)
    /** How deep the water is in the end. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** How often it rains, flows and dries. 0 to 1e5; default 100. */
    uint32_t iterations;
    /** How deep the water is that falls in an iteration. Cell sizes, 0 to 100; default 0.32. */
    float rain;
    /** How much ground water dissolves, as a part of its own depth. 0 to 1; default 0.03. */
    float solubility;
    /** The part of the water that dries in an iteration. 0 to 1; default 0.5. */
    float evaporation;
    /** How much ground water can hold, as a part of its own depth. 0 to 1000; default 0.03. */
    float capacity;
    /** Water to the lowest of four neighbours, or to all lower ones of eight. Default REFERENCE. */
    terrain_erode_rain_mode mode;
} terrain_erode_rain_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_rain_params_init(terrain_erode_rain_params *params,
                                                          size_t size);

/** Hydraulic erosion as Beneš and Olsen publish it: rain dissolves ground wherever it falls,
 * carries it downhill, and leaves it where it dries. It smooths slopes and fills hollows, and
 * carves no valleys (erode_hydraulic does): use it to reproduce published results, or for soft,
 * silted land.
 *
 * Useful values: the defaults. Olsen has 0.01 for solubility and capacity, which takes three times
 * as long to be seen. FAST takes a third of REFERENCE's time and leaves streaks along the axes.
 * Both raise the standard deviation of slopes over their mean, REFERENCE by more. (Olsen reports
 * the opposite; working in place does not bring it about.)
 *
 * Reads and writes `map`, in place; writes eroded = max(h before - h after, 0), deposited = max(h
 * after - h before, 0), both 0 where a height is NaN, and water, the depth after the last
 * iteration. The mask decides on the map alone: these three are as without it. The sum of all
 * heights changes by rounding alone: by at most two units in the last place of the largest height
 * for each cell and iteration. A flat map stays flat. Ponds that get water from all sides may rise
 * above their rim for an iteration. Mirrored or turned maps give the mirrored or turned result to
 * the last bit, in FAST where no two neighbours are equally low.
 * Borders: closed; nothing leaves the map. Halo: 2 * iterations.
 * NaN and infinity: NaN stays where it is and takes no part. In FAST infinity stays, too, and
 * -infinity swallows the water that it gets; in REFERENCE infinity spreads NaN, two cells an
 * iteration.
 * Memory: four other maps for FAST, seven for REFERENCE. Errors: those of terrain_operation_apply.
 * Since 0.2, as modes of erode_hydraulic since 0.1.
 *
 * Definition. A cell has ground h (its height at first), water w and sediment m (0 at first), and
 * its surface is a = h + w. Let R = rain * cell_size (computed in double, rounded to float). In an
 * iteration all cells do each step before any does the next one.
 *
 * FAST, with K = min(solubility, capacity): water carries K times its depth, always.
 *   1. Rain: w += R and h -= K R.
 *   2. Flow: let l be the lowest surface of the four neighbours at the edges; of equally low ones
 *      the first of north (y - 1), west (x - 1), east, south. If l < a, min(w, (a - l) / 2) flows
 *      there. w becomes (w - what flows away) + ((from north + from south) + (from east + from
 *      west)).
 *   3. Evaporation: let e = evaporation * w; then w -= e and h += K e.
 * In the end h += K w.
 *
 * REFERENCE:
 *   1. Rain: w += R.
 *   2. Solution: let s = solubility * w; then h -= s and m += s.
 *   3. Flow: let S be those of the eight neighbours that have a lower surface, and D the sum of the
 *      drops a - a_n to them. Of the cell's water f = min(w, D / (1 + |S|)) flows away: D / (1 +
 *      |S|) is how far its surface stands above the mean of those of S and its own. Neighbour n
 *      gets f (a - a_n) / D of it, and with each unit of water m / w of sediment.
 *   4. Evaporation: w -= evaporation * w; the sediment above capacity * w goes from m to h.
 * In the end h += m. */
TERRAIN_API terrain_status terrain_erode_rain(terrain_context *context, terrain_heightmap *map,
                                              const terrain_erode_rain_params *params);

/* ---- erode_rivers -------------------------------------------------------------------------- */

/** Where a cell's water goes. */
typedef uint32_t terrain_erode_rivers_method;
enum {
    /** the steepest of eight ways */
    TERRAIN_ERODE_RIVERS_METHOD_D8 = 0,
    /** one of eight, by slope and chance: rivers wander */
    TERRAIN_ERODE_RIVERS_METHOD_RHO8 = 1,
    /** on with the speed that it has, as particles do: rivers swing */
    TERRAIN_ERODE_RIVERS_METHOD_VELOCITY = 2
};

typedef struct terrain_erode_rivers_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much water falls on each cell; 1 without it. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** The catchment of the river over each cell, 0 on land. NULL: not wanted. */
    terrain_heightmap *rivers;
    TERRAIN_POINTER_PAD(rivers_pad)
    /** The catchment from which on there is a river. Cells, 1 to 1e9; default 400. */
    float threshold;
    /** How deep a river is at its head, below the ground. Height, 0 to 10000; default 2. */
    float depth;
    /** Half of how wide its bed is there. Cells, 0 to 64; default 0.25. */
    float width;
    /** How steep its valley rises on either side. Slope, 0.001 to 100; default 1.5. */
    float bank;
    /** What its bed falls by at least. Slope, 0 to 10; default 0.001. */
    float fall;
    /** Where valleys end: banks become steep before that. Cells, 1 to 256; default 16. */
    uint32_t reach;
    /** Down the steepest of eight ways, one of them by chance, or on by its speed. Default RHO8. */
    terrain_erode_rivers_method method;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
    /** The part of its velocity that water loses from cell to cell. 0 to 1; default 0.2. */
    float friction;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_rivers_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_rivers_params_init(terrain_erode_rivers_params *params,
                                                            size_t size);

/** Cuts river beds where water runs together, and valleys around them. Every river begins where
 * `threshold` cells drain through one, falls all the way, joins others, and ends at an outlet: at
 * the edge of the map unless rim is CLOSED, at NaN (the sea, say), or on a closed map without NaN
 * at its lowest cell. It gets wider with the root of its catchment and deeper with the power 3/8.
 * Where something dams it, it cuts through.
 *
 * threshold decides how many rivers there are; 50 makes gullies of every slope, 2000 leaves only
 * the large ones of a map of 1024 x 1024. bank 0.5 makes broad valleys, 4 gorges. `rivers` gets the
 * catchment, in cells, of the largest river whose bed covers a cell, and 0 elsewhere: to draw water
 * by, or as a mask. VELOCITY lets water run as particles do: it keeps a part of its velocity and
 * goes on in any direction, not in one of eight, so that rivers are straight where it is steep and
 * swing out in bends; with `rain` on crests alone, rivers start from these. Rivers are cut into the
 * land as it is, and no hollow is filled; where the land has hollows beside them, shape_breach or
 * shape_fill comes first.
 *
 * Reads and writes `map`, in place; every cell may depend on every other, so that it needs a
 * bounded map. Heights never rise. NaN stays NaN. The time grows with the number of river cells and
 * with reach^2. Memory: up to 78 bytes a cell, 119 for VELOCITY. At most 2^30 cells. params may be
 * NULL for the defaults. Errors: those of terrain_operation_apply; UNSUPPORTED if there are more
 * cells. Since 0.2.
 *
 * Definition. Ways and areas A are those of terrain_analyze_flow with routing CARVE, this method,
 * and rain for weights (with other random numbers r). VELOCITY is D8 but for cells that flow to a
 * lower one which is not NaN. From the highest cell down, the particle of a cell, which has its
 * rain of water, no velocity, and stands at its centre, unites with the particles that were sent
 * here from higher cells: velocity (u, v) and place (x, y) off the centre, in cells, become the
 * means by their water. Then (u, v) = (1 - friction)(u, v) + the sum over all lower neighbours n
 * that are not NaN of e_n min((h - h_n) / (|e_n| cell_size), 2^20) / (2 |e_n|), with the step e_n
 * to n in cells; and (x, y) += (u, v) / max(|u|, |v|). It is sent to the nearest lower neighbour,
 * the first clockwise from the east if two are, and its place is then off that one's centre, cut to
 * -1/2 ... 1/2. In double precision. Cells with q = A / threshold >= 1 that are not NaN are rivers.
 * Upstream first, a river's bed is
 *
 *     z = the least of h - depth q^(3/8) and, for each river cell that flows here, its z - fall d
 *
 * with d = cell_size to a side, sqrt(2) cell_size to a corner; half of its width is w = width
 * sqrt(q), at most reach - 1/2, in cells. Then, for all river cells at a distance t < reach, in
 * cells,
 *
 *     h' = the least of h and z + b cell_size (sqrt(t^2 + w^2) - w) / (1 - t^2 / reach^2)
 *
 * which is round for w cells and then straight; b is bank, or where the river flows on to another
 * cell of one twice the slope of its bed there, whichever is greater. `rivers` is the greatest A of
 * those with t <= w. All is in floats, roots of roots for powers.
 */
TERRAIN_API terrain_status terrain_erode_rivers(terrain_context *context, terrain_heightmap *map,
                                                const terrain_erode_rivers_params *params);

/* ---- erode_shear --------------------------------------------------------------------------- */

/** How deep a drop digs. */
typedef uint32_t terrain_erode_shear_mode;
enum {
    /** by strength, but not below the lowest cell that it reaches */
    TERRAIN_ERODE_SHEAR_MODE_DRAINED = 0,
    /** by strength, as the method is usually told */
    TERRAIN_ERODE_SHEAR_MODE_FIXED = 1
};

typedef struct terrain_erode_shear_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How many scoops. Drops per cell, 0 to 1; default 0.04. */
    float density;
    /** How deep a drop digs at most. Height, 0 to 1e6; default 8. */
    float strength;
    /** Cracks that leave a cell. 1 to 8; default 4. */
    uint32_t rivulets;
    /** How far cracks run from where the drop fell. Cells, 1 to 31; default 12. */
    uint32_t reach;
    /** The most cells that a drop lowers. Cells, 1 to 512; default 96. */
    uint32_t visits;
    /** Drops of one batch all see the heights that the batch before left. 1 to 4; default 4. */
    uint32_t batches;
    /** How deep: never below the lowest cell reached, or always by strength. Default DRAINED. */
    terrain_erode_shear_mode mode;
    /** Drops on land less steep than this do nothing; twice as steep, they dig in full. Slope, 0 to
     * 100; default 0.1. */
    float least_slope;
} terrain_erode_shear_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_shear_params_init(terrain_erode_shear_params *params,
                                                           size_t size);

/** Shearing by drops: from a random cell cracks run downhill, and what they reach breaks away down
 * to one level: many small scoops with flat floors, which turn even slopes into cliffs and steps.
 *
 * Useful values: 0.04 drops a cell are 10,000 at 512 by 512. strength is the height of the steps,
 * reach their width. Plains stay plains: drops on land less steep than least_slope do nothing. The
 * published method is FIXED, with least_slope 0. Work is bounded: visits * rivulets steps for each
 * drop. No cell rises, and none falls by more than batches * strength.
 *
 * Reads and writes `map`, in place. Borders: drops start from the map's cells alone, and stay
 * there.
 * Halo: 2 * batches * reach, 96 for the defaults and at most 8 * reach: in each batch a cell
 * depends on the drops within `reach` of it, and each of these on what it finds within that of its
 * own cell.
 * NaN and infinity: NaN is never lower than anything; no drop starts from it, none enters it.
 * Infinite heights stay, or sink to a drop's finite level.
 * Memory: two maps. Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. The world is cut into blocks of 16 by 16 cells. A block has floor(256 * density + u)
 * drops, in single precision, with u its random number in [0, 1); drop i starts from a random cell
 * of the block and belongs to batch i mod batches. The drops of a batch all see the heights that
 * the batch before left; a cell gets the lowest height that any of them gives it, or keeps its own.
 *
 * A drop at a cell of height h sinks to the level l = h - strength, a float. It visits cells in the
 * order of their discovery, beginning with its own. From each visited cell that is higher than l
 * and fewer than `reach` steps away it sends out `rivulets` cracks, each to a neighbour chosen at
 * random among those of the eight that are lower than the cell; a neighbour that was not yet
 * discovered is discovered by that. No more than `visits` cells are discovered, its own among them.
 * If DRAINED, l is then raised to the lowest height among the discovered cells, if that is higher:
 * a scoop opens downhill.
 *
 * Let m be the lowest height among the discovered cells, and k how far the first that has it lies
 * from the drop's cell, in cells, along a straight line. The drop's slope is r = (h - m) / (k *
 * cell_size). Of its depth it digs t = min((r - L) / L, 1), where L is least_slope: l becomes h - t
 * (h - l), in float. Nothing happens where r is not above L, or no lower cell was discovered. If L
 * is 0, t is 1 everywhere. All discovered cells higher than l get l.
 *
 * Random numbers: a drop's are r_n = mix(d, n) for n = 0, 1, …, with a hash d of its own. r_0 gives
 * its place, x from the lowest four bits and y from the next four. Crack k = 0, 1, … of the n-th
 * visited cell, from n = 1, takes byte k of r_n, from the lowest, and with it the lower neighbour
 * of index floor(byte * count / 256), of `count` in the order nw, n, ne, w, e, sw, s, se. */
TERRAIN_API terrain_status terrain_erode_shear(terrain_context *context, terrain_heightmap *map,
                                               const terrain_erode_shear_params *params);

/* ---- erode_shear_regions ------------------------------------------------------------------- */

/** Where what is put back lies. */
typedef uint32_t terrain_erode_shear_regions_place;
enum {
    /** all over the region, where it came from */
    TERRAIN_ERODE_SHEAR_REGIONS_PLACE_IN_PLACE = 0,
    /** in a heap at the foot of the new cliff */
    TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT = 1
};

typedef struct terrain_erode_shear_regions_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** The mean width of a region: the larger, the higher the cliffs. Cells, 8 to 512; default
     * 32. */
    uint32_t spacing;
    /** How often, each with other regions. 1 to 16; default 3. */
    uint32_t passes;
    /** The share of regions that are pushed. 0 to 1; default 0.25. */
    float push;
    /** The share of what is taken away that is put back. 0 to 1; default 0.35. */
    float debris;
    /** Regions less steep than this stay; twice as steep ones are pushed in full. Slope, 0 to 100;
     * default 0.1. */
    float least_slope;
    /** How irregular the regions are. Spacings, 0 to 0.5; default 0.4. */
    float jitter;
    /** How rough their edges are. Spacings, 0 to 0.375; default 0.1875. */
    float warp;
    /** Which site is the nearest: along a line, or by squares. Default EUCLIDEAN. */
    terrain_metric metric;
    /** Where debris lies: where it was, or heaped at the foot of the cliff. Default IN_PLACE. */
    terrain_erode_shear_regions_place place;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_shear_regions_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_erode_shear_regions_params_init(terrain_erode_shear_regions_params *params, size_t size);

/** Shearing by regions: the map is cut into random regions, and a share of them is pushed down to
 * the lowest height that each touches. Even slopes become cliffs and benches, with ways up between
 * them; the larger the regions, the higher the cliffs. Soften the cliffs' edges with a blur that
 * varies from place to place (blur_variable).
 *
 * Useful values: spacing is the size of regions; debris 0 leaves a pushed region flat, 1 changes
 * nothing; FOOT heaps the debris against the cliff. Plains remain: regions less steep than
 * least_slope stay. The published method pushes half of the regions, with CHEBYSHEV, warp 0 and
 * least_slope 0. No cell rises; a region's lowest cells stay. Regions that are not pushed stay as
 * they are, to the last bit.
 *
 * Reads and writes `map`, in place. Borders: a region at the border takes the lowest height of the
 * cells that are on the map. Halo: for each pass how far apart cells of a region may be; 192 for
 * the defaults. NaN and infinity: NaN counts for neither m nor M, and stays. Where infinity would
 * make NaN of a height, the height stays. FOOT leaves a region whose sum of d is infinite, or
 * beyond what a float can hold.
 * Memory: a byte a cell, a part of a map for the warp, another map if there are several passes.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. Regions. Pass p = 0, 1, … has a lattice of squares of `spacing` cells, s, of which
 * square (0, 0) begins at world cell (p * floor(3 s / 8), p * floor(5 s / 8)). Square (i, j) has a
 * site at (s * (a + 0.5 * jitter * u(n)), s * (b + 0.5 * jitter * u(m))) from its corner, n being
 * the upper and m the lower 16 bits of its random number, and u(n) = (2 n + 1) / 65536 - 1. So that
 * regions are rather hexagons than squares, in even passes a is 0.25 in even rows j and 0.75 in odd
 * ones, and b is 0.5; in odd passes b is 0.25 in even columns i and 0.75 in odd ones, and a is 0.5.
 * A cell at (x, y) belongs to the site nearest to (x + wx, y + wy) among those of its own square
 * and the eight around it, the first in rows if there are several. No two cells of a region are
 * more than (1.25 + jitter + 2 warp) * s cells apart in x or in y.
 *
 * The warp, which roughens the edges, is the same for all passes: warp * s / 7 times the sum
 * 4 v2 + 2 v1 + v0 of three octaves of value noise. Let q be the largest power of two that is not
 * above s / 16, but at least 1. Octave o has a node on each (2^o q)-th world cell in x and y, that
 * at (0, 0) among them, with the values v = (2 n + 1) / 128 - 1, n being the highest seven bits of
 * its random number for wx and the next seven for wy; between nodes it is bilinear. The sum is
 * exact in float; the rest, places and distances, is computed in float, so that it decides the same
 * everywhere.
 *
 * Pushing. Let m and M be the lowest and the highest height of a region, d = h - m of a cell, and r
 * = (M - m) / (s * cell_size) the region's slope. A region is pushed where its random number is
 * below `push` and r is above least_slope, L. Its share of debris is b = debris + (1 - t)(1 -
 * debris) with t = min((r - L) / L, 1): what is not twice as steep as L is pushed in part, so that
 * plains remain. If L is 0, t is 1. The result is
 *
 *     IN_PLACE   h' = m + b d
 *     FOOT       h' = m + max(d - c, 0), with a cut c for which the sum of max(d - c, 0) over the
 *                region is b times the sum of d: as much is put back, but as a heap against the
 *                cliff. c is a float, which Newton's method finds from 0: it grows by (sum of (d -
 *                c) - b * sum of d) / (number of cells) over cells with d > c, until the heap is
 *                too large by 2^-24 of the sum of d at most. Sums are rounded: the heap is right to
 *                2^-14 of the sum of d, 0.006 %, and better for small regions; then its heights are
 *                rounded. At b = 0 the result is m.
 *
 * and never above h. Each pass reads the one before, with regions and random numbers of its own. */
TERRAIN_API terrain_status
terrain_erode_shear_regions(terrain_context *context, terrain_heightmap *map,
                            const terrain_erode_shear_regions_params *params);

/* ---- erode_stream_power -------------------------------------------------------------------- */

/** Where land and rivers are to arrive. */
typedef uint32_t terrain_erode_stream_power_mode;
enum {
    /** where rivers cut as fast as the land rises */
    TERRAIN_ERODE_STREAM_POWER_MODE_STEADY = 0,
    /** some steps of time from the map as it is */
    TERRAIN_ERODE_STREAM_POWER_MODE_TRANSIENT = 1
};

typedef struct terrain_erode_stream_power_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How fast land rises here, by uplift_rate; 1 without it. NULL: none. */
    const terrain_heightmap *uplift;
    TERRAIN_POINTER_PAD(uplift_pad)
    /** What erosion_rate is divided by; 1 without it. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** How much water falls on each cell; 1 without it. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** What flows through each cell, its own rain with it. NULL: not wanted. */
    terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Sweeps at full resolution; transient: steps of time. 0 to 10000; default 4. */
    uint32_t iterations;
    /** How much the land rises in a step; steady: by its share of erosion_rate alone. Height, 0 to
     * 1e6; default 0.04. */
    float uplift_rate;
    /** How much rivers cut in a step, where area and slope are 1. 1e-06 to 1e6; default 0.04. */
    float erosion_rate;
    /** How fast rivers become gentle as they grow: slope falls with area to this. 0.05 to 1;
     * default 0.45. */
    float concavity;
    /** 1 or 2: what erosion grows with, the slope or its square. 1 to 2; default 1. */
    uint32_t slope_exponent;
    /** The steepest slope that holds: that of hillsides. Slope, 0 to 100; default 0.9. */
    float talus;
    /** Land at or below is sea: it stays, and water ends there. Height, -infinity to infinity;
     * default -infinity. */
    float sea;
    /** The land at which uplift and rivers arrive in the end, or steps on the way. Default
     * STEADY. */
    terrain_erode_stream_power_mode mode;
    /** Whether water leaves over the edge of the map, which then stays as it is. Default OPEN. */
    terrain_rim rim;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_stream_power_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_erode_stream_power_params_init(terrain_erode_stream_power_params *params, size_t size);

/** Mountain ranges as rivers make them: the land rises, rivers cut into it by their discharge and
 * slope, and every drop runs off by valleys that join and deepen. The result has no pits: each cell
 * but an outlet has a lower neighbour. Outlets keep their heights: the edge of the map (unless rim
 * is CLOSED), land at or below `sea`, and NaN. A closed map without others drains to one cell.
 *
 * STEADY makes the land at which rivers arrive in the end, whatever stood there, but for its large
 * forms, which decide where rivers begin: give it a map of noise, or a flat one, and `uplift` for
 * where ranges stand. TRANSIENT takes steps from the map as it is: real land, or other land that is
 * to be cut by rivers and to keep its forms.
 *
 * Useful values: slopes are uplift_rate / erosion_rate * A^-concavity (A is the area upstream, in
 * the square of cell_size's unit), A^-0.45 with the defaults, up to talus: raise uplift_rate, or
 * the map uplift, for higher land. concavity is 0.35 to 0.6 in nature. 3 to 5 iterations settle
 * rivers for STEADY; 10 to 50 small steps, an erosion_rate of 0.005, say, and less uplift, let
 * valleys grow into what is there. erode_thermal afterwards rounds hillsides. hardness makes ridges
 * of hard rock; rain from one side makes one side gentler.
 *
 * Reads and writes `map`, in place; writes discharge, in cells of rain,
 * along the receivers of the last sweep. Every cell may depend on
 * every other: not for an endless world. Not promised: mirrored or turned results, since rivers
 * choose by chance among ways that are nearly equal, by place. NaN stays. Infinite heights are
 * outlets' alone.
 * Memory: about 60 bytes a cell; 5 more for each of uplift, hardness and rain, 4 more for the first
 * two together, 8 for rain's sums. At most 2^30 cells.
 * Errors: those of terrain_operation_apply; UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. A sweep at a level of cell size c:
 *   1. Receivers. The neighbour with the greatest drop, drops to corners divided by 2 - r with a
 *      random r in [0, 1) of the level and cell. The first sweep of a level: as analyze_flow's
 *      CARVE, from each cell's lowest neighbour; but on level 0, if there are others, as level 1's
 *      last ones. There the cells of a block, the 2 x 2 that a cell of level 1 stands for, flow to
 *      one of them, its exit, which flows in the direction of level 1's cell: it is the one at the
 *      corner or the first or second one at the side, by chance, that lie in that direction; where
 *      level 1's cell flows nowhere, the first outlet, or without one the lowest of the map's
 *      heights, which flows nowhere. Outlets flow nowhere.
 *   2. A: the number of cells upstream with the cell, times c^2; with rain, its sum, rounded down
 *      to a whole number, at least 1.
 *   3. From the outlets upwards, d = c across edges and 1.41421356 c across corners, h_r the
 *      receiver's new height:
 *        STEADY      s = uplift_rate / erosion_rate * uplift * hardness * A^-concavity, its root if
 *                    slope_exponent is 2; a = h_r + d min(s, talus); h' = a in the first half of
 *                    the sweeps and in the last, else h + 0.7 (a - h)
 *        TRANSIENT   y = h + uplift_rate * uplift - h_r, and if that is above 0, with e =
 *                    erosion_rate / hardness * A^concavity, y / (1 + e / d), or, if slope_exponent
 *                    is 2, 2 y / (1 + sqrt(1 + 4 e / d^2 y)); h' = h_r + min(y, d talus)
 *      and if h' is not above h_r, the next float above h_r. A cell whose receiver is NaN has the
 *      map's height.
 * After the last sweep of a level STEADY relaxes it six times, all cells at once, where k = c
 * min(s, talus) of the last sweep's A: with a the lower of the heights west and east, b that of
 * north and south, v = (a + b + sqrt(2 k^2 - (a - b)^2)) / 2 if |a - b| < k, else min(a, b) + k;
 * the same over the corners with 1.41421356 k; the lower of the two, but at least m + k / 64 with m
 * the lowest of the eight; the height becomes that where it lies above m and below the height. What
 * is beyond the edge is infinitely high; outlets stay. TRANSIENT makes `iterations` sweeps of the
 * map. STEADY begins with the coarsest level, of means of 2 x 2 cells of the one before, while both
 * sides have more than 16 cells, and makes n sweeps on level 0, n + ceil(n / 2) on level 1, and so
 * on. The first heights of the levels between are bilinear between the coarser one's, with a random
 * part of up to 0.3 c; outlets have the map's. */
TERRAIN_API terrain_status
terrain_erode_stream_power(terrain_context *context, terrain_heightmap *map,
                           const terrain_erode_stream_power_params *params);

/* ---- erode_thermal ------------------------------------------------------------------------- */

/** Which neighbours material slides to. */
typedef uint32_t terrain_erode_thermal_neighbourhood;
enum {
    /** all eight */
    TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE = 0,
    /** the four that share an edge: half the time */
    TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN = 1,
    /** the four that share a corner (Olsen 2004) */
    TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_ROTATED = 2
};

/** How much slides. */
typedef uint32_t terrain_erode_thermal_mode;
enum {
    /** between each two neighbours, by their own slope */
    TERRAIN_ERODE_THERMAL_MODE_FLUX = 0,
    /** from each cell, shared out among lower neighbours (1989) */
    TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE = 1,
    /** a little between each two neighbours: the classic landslide */
    TERRAIN_ERODE_THERMAL_MODE_QUANTUM = 2,
    /** only debris; rock weathers, and becomes debris */
    TERRAIN_ERODE_THERMAL_MODE_LAYERS = 3
};

typedef struct terrain_erode_thermal_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much of each height lies loose. NULL: none. */
    const terrain_heightmap *debris;
    TERRAIN_POINTER_PAD(debris_pad)
    /** How little rock weathers: 0 as told, 1 not at all. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** How much of each height lies loose afterwards. NULL: not wanted. */
    terrain_heightmap *debris_out;
    TERRAIN_POINTER_PAD(debris_out_pad)
    /** How often material slides. 0 to 1e5; default 50. */
    uint32_t iterations;
    /** The steepest slope that holds. Slope, 0 to 100; default 0.6. */
    float talus;
    /** How much of what is too steep slides in one iteration. 0 to 1; default 0.5. */
    float rate;
    /** Which neighbours receive: all eight, the four at the edges, the four corners. Default
     * MOORE. */
    terrain_erode_thermal_neighbourhood neighbourhood;
    /** How much slides: along each edge by its own slope, by the published rule, a little, or
     * debris alone. Default FLUX. */
    terrain_erode_thermal_mode mode;
    /** The most that slides between two cells in an iteration. Cell sizes, 0 to 100; default
     * 0.02. */
    float quantum;
    /** The steepest slope of debris that holds; talus is that of rock. Slope, 0 to 100; default
     * 0.6. */
    float debris_talus;
    /** How much of the rock that is too steep turns to debris in an iteration. 0 to 1; default
     * 0.25. */
    float weathering;
} terrain_erode_thermal_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_thermal_params_init(terrain_erode_thermal_params *params,
                                                             size_t size);

/** Thermal erosion: loosened material slides down slopes steeper than talus and comes to rest at
 * their foot. Slopes below talus stay as they are, to the last bit.
 *
 * Useful values: a talus of 0.5 to 0.8 (27 to 39 degrees). In each iteration material slides one
 * cell: cliffs need more iterations than small steps, and time and halo grow with iterations. At
 * rate 1 heights may swing from iteration to iteration; at 0.5 they settle. FLUX is the default and
 * the fastest. MUSGRAVE, the published rule, moves more in an iteration, which takes about three
 * times as long, and may raise a pit that receives from all sides above its rim. QUANTUM is the
 * landslide as it is usually told: cliffs wear off evenly from the top and from the foot. LAYERS
 * knows rock and debris: rock wears until no slope of it, down to what lies at its foot, is steeper
 * than talus; debris comes to rest below debris_talus, and buries the foot of the rock. Where
 * shape_strata's layer_hardness is 1, the rock stays: caps and benches.
 *
 * Reads and writes `map`, in place; writes debris_out, on which the mask has no effect. Sums are
 * taken as ((n+s)+(e+w))+((ne+sw)+(nw+se)), so a mirrored or turned map gives the mirrored or
 * turned result, to the last bit. The sum of all heights changes by rounding alone: by at most half
 * a unit in the last place of the largest height for each cell and iteration (MUSGRAVE, QUANTUM and
 * LAYERS as FLUX).
 * Borders: closed; nothing leaves the map. Halo: iterations, twice that for MUSGRAVE.
 * NaN and infinity: FLUX, QUANTUM and LAYERS spread NaN to all neighbours, a cell an iteration, and
 * turn infinity into NaN or leave it. MUSGRAVE's comparisons are false for NaN, which stays where
 * it is and takes no part; infinity becomes NaN.
 * Memory: some rows for each task and, above about 12 iterations, a second map; LAYERS two.
 * Errors: those of terrain_operation_apply. Not promised: how long it takes to stop; use enough
 * iterations. Since 0.1.
 *
 * Definition. Let T = talus * cell_size for a neighbour across an edge and T = talus * cell_size *
 * sqrt(2) across a corner (computed in double, then rounded to float). Each iteration computes all
 * cells from the heights before it.
 *
 * FLUX: h' = h + k * sum over the neighbours n of x(h_n - h), where x(d) = d - min(max(d, -T), T)
 * is the part of the difference that T does not hold, and k = rate / 8 for MOORE, rate / 4
 * otherwise. What leaves a cell enters its neighbour. No iteration raises the highest height or
 * lowers the lowest, but for rounding.
 *
 * MUSGRAVE: with d_n = h - h_n and the receivers S = {n: d_n > T}, a cell gives away m = rate * max
 * over S of (d_n - T), of which receiver n gets m * d_n / (sum of d over S). Corners are held by
 * their own T; receivers and the sum's terms are the same neighbours, so that no mass is made.
 *
 * QUANTUM: h' = h + k * sum over n of min(max(x(h_n - h), -c), c), with x and k as for FLUX and c =
 * quantum * cell_size / k (in double, rounded to float; 0 if k is 0). All cells give at once, which
 * needs no random order; and where less than the quantum would be too much, FLUX's share moves, so
 * that nothing swings.
 *
 * LAYERS: a height h is rock under D of debris, which alone slides; D is `debris` at first, and 0
 * where that is not above 0. Let r = h - D, i = 1 / 8 for MOORE and 1 / 4 otherwise, and S the same
 * as T, but of debris_talus. Each iteration does both of these, from the h and D before it:
 *
 *     weathering   w = weathering * i * (1 - hardness) * sum over n of max(r - h_n - T, 0)
 *                  of the rock that stands out turns to debris where it is: D grows, h stays
 *     sliding      f = i * sum over n of max(-D, min(D_n, rate * y(h_n - h))), where y is as x, but
 *                  with S
 *
 *     h' = h + f,  D' = (D + w) + f
 *
 * with a hardness cut to 0 … 1, NaN as 0. A neighbour gets no more than its share of the debris, so
 * that D is never below 0. With all of the height loose (`debris` infinite) and a rate that is a
 * power of two this is FLUX with debris_talus. The other modes know of no rock: they don't look at
 * `debris` and `hardness`, and write 0 to debris_out. */
TERRAIN_API terrain_status terrain_erode_thermal(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_erode_thermal_params *params);

/* ---- erode_velocity ------------------------------------------------------------------------ */

typedef struct terrain_erode_velocity_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *eroded;
    TERRAIN_POINTER_PAD(eroded_pad)
    /** How much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *deposited;
    TERRAIN_POINTER_PAD(deposited_pad)
    /** How deep the water is in the end. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** How often it rains, runs and dries. 0 to 1e5; default 200. */
    uint32_t iterations;
    /** How deep the water is that falls in the first iteration; then less and less. Cell sizes, 0
     * to 100; default 0.001. */
    float rain;
    /** The part of the water that dries in an iteration. 0 to 1; default 0.005. */
    float evaporation;
    /** How much faster water becomes in an iteration where it falls freely. Cells, 0 to 1; default
     * 0.5. */
    float gravity;
    /** The part of its velocity that water loses in an iteration. 0 to 1; default 0.1. */
    float friction;
    /** How much ground water wears off by its speed. 0 to 1000; default 1. */
    float wear;
    /** How much ground it breaks off where it runs into a slope. 0 to 1000; default 10. */
    float impact;
    /** How much ground water carries for how much of it flows. 0 to 1000; default 25. */
    float capacity;
    /** The part of what it carries beyond that which settles in an iteration. 0 to 1; default
     * 0.2. */
    float settling;
    /** How far a cell is worn below the mean of those around it, or silted above. Slope, 0 to 100;
     * default 0.15. */
    float bank;
} terrain_erode_velocity_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_velocity_params_init(terrain_erode_velocity_params *params,
                                                              size_t size);

/** Erosion by a field of velocities: rain runs down the land and gains speed, wears the ground by
 * its speed, breaks ground off where it runs into a slope, and drops what it carries where it slows
 * down. Water has momentum, which erode_hydraulic's has not: it runs on where a slope ends, cuts
 * straight through what is in its way, and leaves ravines with sharp edges and fans at their feet.
 *
 * Useful values: water goes a cell an iteration at most, so that 200 iterations make ravines of up
 * to 200 cells. iterations and capacity are how old the land is. wear and impact tell how fast
 * ground comes loose where water runs, and where it runs into something; as a rule there is more of
 * both than water carries. bank is how sharp ravines are: 0.05 for soft ground, 0.5 for slots in
 * rock. Much friction, 0.5, makes water creep down the steepest way, 0.02 lets it shoot straight
 * on. Time and halo grow with iterations.
 *
 * Reads and writes `map`, in place; writes eroded = max(h before - h after, 0), deposited = max(h
 * after - h before, 0), both 0 where a height is NaN, and water, the depth after the last
 * iteration. The mask decides on the map alone: these three are as without it. The sum of all
 * heights changes by rounding alone: by at most four units in the last place of the largest height
 * for each cell and iteration. A flat map stays flat. Mirrored or turned maps give the mirrored or
 * turned result to the last bit.
 * Borders: closed; nothing leaves the map. Halo: 2 * iterations.
 * NaN and infinity: stay where they are, and are walls to the water.
 * Memory: twelve other maps. Errors: those of terrain_operation_apply. Since 0.2.
 * Not promised: the same effect on the same land at another cell size.
 *
 * Definition. All lengths are in cells here, heights too: divided by cell_size. A cell is land if
 * its height is finite, else a wall, as are all cells outside the map. A cell of land has ground h
 * (its height at first), water w, sediment m and a velocity (vx, vy, vz), all 0 at first, and its
 * surface is h + w. n iterations are numbered k = 0, 1, …; with t = 1 - k / n all cells of land do
 * each step before any does the next one.
 *   1. Rain. w' = w + rain t, and the velocity becomes w / w' of what it was; w = w'. So little
 *      water as 2^-100 has none.
 *   2. Slope. Let d and D of a neighbour be how much higher its ground and its surface are; both 0
 *      of a wall. gx = (D_e - D_w) / 4 + ((D_ne - D_nw) + (D_se - D_sw)) / 8, and gy from north to
 *      south likewise, each cut to -2^20 … 2^20, are the surface's slope; q = 1 + gx^2 + gy^2.
 *   3. Collision. c = min((vz - vx gx - vy gy) / q, 0) tells how fast the water runs into the
 *      ground;
 *      it loses that: vx += c gx, vy += c gy. Its energy was e = q c^2 / 2 for a unit of water.
 *   4. Gravity and friction. vx = (1 - friction)(vx - G gx / sqrt(q)) with G = gravity / (1 + 8 w),
 *      so that waves of deep water die down; and vy likewise.
 *   5. Walls. vx becomes 0 if the neighbour to the east (vx > 0) or else to the west is a wall, vy
 *      if that to the south or north is. If neither is 0 then and the corner between is a wall,
 *      both become 0. Both are divided by max(|vx|, |vy|, 1). Now vz = vx gx + vy gy.
 *   6. Silt spreads. m += the sum over the four sides that are land of (m_n - m) / 8.
 *   7. Ground. With v^2 = vx^2 + vy^2, let r = capacity t (w |v|)^1.5 - m be the room for sediment,
 *      and M a mean of d, to which sides add 1/6 each and corners 1/12. If r > 0, the ground gives
 *      to m the least of
 *          w (wear v^2 / 2 + impact e),  r,  max(bank - M, 0) / 2,
 *          and a quarter of the drop to the lowest of the eight neighbours' ground, if there is
 *          one;
 *      else it gets from m the lesser of -settling r and max(bank + M, 0) / 2.
 *   8. Moving. Think of a cell's water and sediment as of a square of the cell's size, moved by
 *      (vx, vy): each cell gets the part that comes to lie over it. Its velocity becomes the mean
 *      of those that arrive, by their water; 0 where there is none.
 *   9. Evaporation: w -= evaporation * w.
 * In the end h += m. */
TERRAIN_API terrain_status terrain_erode_velocity(terrain_context *context, terrain_heightmap *map,
                                                  const terrain_erode_velocity_params *params);

#ifdef __cplusplus
}
#endif

#endif
