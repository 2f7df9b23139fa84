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
    /** to the steepest of the eight neighbours */
    TERRAIN_ERODE_CANYONS_DRAINING_METHOD_D8 = 0,
    /** to one of the lower neighbours, at random, by slope */
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
    /** Multiplies the depth at each cell, 0 (hard rock) to 1 (soft rock); 1 without it. NULL:
     * none. */
    const terrain_heightmap *softness;
    TERRAIN_POINTER_PAD(softness_pad)
    /** Discharge of known rivers, in cells; without this map it is computed. NULL: none. */
    const terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Gets the catchment area, in cells, of the canyon whose floor covers the cell; 0 elsewhere.
     * NULL: not wanted. */
    terrain_heightmap *floors;
    TERRAIN_POINTER_PAD(floors_pad)
    /** The catchment area at which a canyon begins. Cells, 1 to 1e9; default 300. */
    float threshold;
    /** How deep a canyon is on gentle slopes, where its catchment area is twice the threshold.
     * Height, 0 to 1e6; default 6. */
    float depth;
    /** Half the width of a canyon's floor, at its head. Cells, 0 to 64; default 0.4. */
    float width;
    /** The slope of the walls. Slope, 0.001 to 100; default 1.2. */
    float bank;
    /** The least slope of a canyon's floor. Slope, 0 to 10; default 0.004. */
    float fall;
    /** Land less steep than this has no canyons; land twice as steep has them in full depth. Slope,
     * 0 to 100; default 0.03. */
    float toe;
    /** On land as steep as this a canyon has half its depth. Slope, 0.001 to 1e6; default 1. */
    float gentle;
    /** Cells farther than this from the middle line of a canyon don't change. Cells, 1 to 512;
     * default 48. */
    uint32_t reach;
    /** Where a cell's water goes: to the steepest neighbour, or to a random lower one. Default
     * RHO8. */
    terrain_erode_canyons_draining_method method;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
} terrain_erode_canyons_draining_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_canyons_draining_params_init(
    terrain_erode_canyons_draining_params *params, size_t size);

/** Cuts canyons down the slopes of a map, where its water gathers. A canyon is shallow where it
 * begins, gets deeper and wider downhill, and fades out at the foot of the slope. Canyons join, and
 * every floor falls all the way to an outlet: the edge of the map (unless rim is CLOSED), NaN (the
 * sea, say), or the lowest cell of a closed map without NaN. Canyons cut through whatever would dam
 * them.
 *
 * Useful values: threshold decides how many canyons there are: 50 covers every slope with gullies,
 * 3000 leaves a few large canyons. depth and bank decide their character: a depth of 3 with a bank
 * of 0.8 makes valleys, 10 with 2 makes slot canyons. softness says where rock gives way: use
 * noise, or 1 minus the layer_hardness of shape_strata. Where softness is 0, canyons have no depth,
 * and only cut through what would dam them. toe 0.1 keeps canyons to steep flanks; toe 0 lets them
 * cross plains. `floors` gets the catchment area, in cells, of the largest canyon whose floor
 * covers the cell: use it to draw rivers, or as a mask. If the map's rivers are known, give their
 * discharge, for example the output of generate_drainage: then flow directions follow it, and
 * method and seed have no effect.
 *
 * In endless worlds, with `discharge` and a reach of at most 256, the result is computed on regions
 * of 1024 x 1024 cells, and tiles fit to the last bit. Floors fall all the way, except where they
 * depend on the ground more than 256 cells away along the canyon; that happens where the map falls
 * by less than `fall`, or rises.
 *
 * Reads and writes `map`, in place. Every cell may depend on every other. Heights never rise; cells
 * farther than reach from all canyons keep their heights to the last bit. Depressions beside the
 * canyons stay: remove them before, by shape_breach or shape_fill. NaN and infinity stay. Memory:
 * up to 202 bytes a cell, 5 KiB for each row and column, and 160 KiB; more with a mask. At most
 * 2^30 cells. params may be NULL for the defaults. Errors: those of terrain_operation_apply;
 * UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Flow directions and catchment areas A are computed as by terrain_analyze_flow with
 * routing CARVE and this method (with other random numbers r). With `discharge` each cell flows to
 * the lower neighbour, NaN among them, with the greatest discharge, the first clockwise from the
 * east if several have it; A is the discharge, 0 to 2e9 and rounded down, NaN as 0, or the next
 * whole number from the threshold on where it is less and a canyon flows here. Canyon cells are
 * those with A >= threshold and a height within +-1e30. Let l be the distance from a canyon cell to
 * the next one downstream, 1 or sqrt(2) cells, c the cell_size, and b the bank. A cell's main donor
 * is, of the canyon cells that flow to it, the one with the largest A; the first in row order where
 * several have it. The following is computed upstream first. The ground g is the minimum of h and
 * of g - fall l c of all donors. The slope S of a canyon's first cell is the slope of g to the next
 * cell; the slope of any other cell is s + (l / 24) (S' - s), where s is the slope S of its main
 * donor, S' the slope of g between the two, and l the distance between them in cells. The half
 * width w is the greatest of 0.75, width sqrt(A / threshold), and the w of all donors. Then,
 * outlets first,
 *
 *     D = depth softness (A / threshold - 1)^(3/8) min(1, (S - toe) / toe) gentle / (gentle + S)
 *     d = max(D, d of the next cell - b l c / 3)
 *     z = max(g - d, z of the next cell + fall l c)
 *
 * where D is at most 0.4 bank c reach. A cell without a next cell has no such terms; but one that
 * flows to what is no canyon cell, NaN say, has d = 0 and z = g. No factor of D is below 0, and
 * softness counts as at most 1; toe 0 makes its factor 1 where S > 0.
 *
 * The canyons' middle lines begin as the centres of their cells, in whole numbers of 2^-8 cells,
 * and are relaxed 12 times, all points at once: a point P with a main donor and a next cell becomes
 * (2 P + the donor's point + the next cell's point) / 4, rounded down. A segment leads from each
 * cell to the next one. It leads on to the cell after that if the next cell has only one donor and
 * its z is below the mean z of the two ends by no more than fall c / 4. This is decided from the
 * first cell of a canyon on, and the cell that was passed over gets no segment. A segment has the w
 * of the cell where it begins. Segments cut canyons as in terrain_erode_canyons_separating;
 * `floors` is the greatest A of the beginnings of segments with t <= w.
 *
 * In a world regions lie as in terrain_shape_fill, and heights are combined as there; `floors` is
 * that of the region whose core holds the cell. */
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
    /** Gets the level of the canyon whose floor covers the cell, 1 for the shortest; 0 elsewhere.
     * NULL: not wanted. */
    terrain_heightmap *floors;
    TERRAIN_POINTER_PAD(floors_pad)
    /** The mean distance between the longest canyons. Cells, 8 to 8192; default 192. */
    uint32_t spacing;
    /** How many levels of canyons there are, each half as long as the one before. 1 to 5; default
     * 3. */
    uint32_t levels;
    /** The share of mesas that shorter canyons cut further. 0 to 1; default 0.6. */
    float share;
    /** The share of shorter canyons that are dead ends, so that the land stays connected. 0 to 1;
     * default 0. */
    float blind;
    /** How deep the longest canyons are; those of the next level have 0.71 of that depth. Height, 0
     * to 1e6; default 24. */
    float depth;
    /** Half the width of the longest canyons' floors; the next levels shrink like depth. Cells, 0
     * to 256; default 3. */
    float width;
    /** How much depths and widths differ from canyon to canyon. 0 to 1; default 0.4. */
    float vary;
    /** The slope of the walls. Slope, 0.001 to 100; default 1.2. */
    float bank;
    /** Cells farther than this from the middle line of a canyon don't change. Cells, 1 to 512;
     * default 48. */
    uint32_t reach;
    /** How irregular the net is. 0 to 1; default 0.8. */
    float jitter;
    /** How much the canyons wind. 0 to 0.5; default 0.18. */
    float meander;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_canyons_separating_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_canyons_separating_params_init(
    terrain_erode_canyons_separating_params *params, size_t size);

/** Cuts the land into mesas by a network of canyons. Longer canyons are deeper and wider; a
 * canyon's floor is about as high at one end as at the other; and a canyon ends only where it meets
 * another (unless blind > 0). On a plateau this makes canyon country, on rough land the valleys
 * between mountains. Afterwards shape_strata puts steps into the walls, and erode_canyons_draining
 * lets water out.
 *
 * Useful values: spacing is the distance between the longest canyons; each further level halves it,
 * and has 0.71 of the depth and width. share 1 cuts all mesas down to spacing / 2^(levels - 1)
 * cells, share 0 leaves the large ones whole. blind 0.3 leaves bridges between mesas for players to
 * walk on. depth 24 with bank 1.2 makes walls 20 cells wide. reach should be twice that width, 2
 * depth / (bank cell_size), or canyons in high land become shallower. meander 0 draws smooth
 * curves. `floors` gets the level of the canyon whose floor covers the cell: use it for roads and
 * rivers, or as a mask.
 *
 * Reads and writes `map`, in place. Floors follow the ground around them, so a cell depends on
 * others as far away as the halo that terrain_operation_halo reports, about reach + (5 + 16
 * meander) spacing / 2^levels. The operation works in endless worlds. On a bounded map the ground
 * beyond the edge is as high as the nearest cell. Heights never rise; cells farther than reach from
 * all canyons keep their heights to the last bit. Where the land is lower than the floor would be,
 * there is no canyon. NaN and infinity stay, and don't count for floors; where there is nothing
 * else, nothing is cut. Memory: about 100 KB for each of at most 64 tasks, and 9 KB for each
 * (spacing / 2^levels)^2 cells, but at most 18 KB. At most 2^30 columns and rows, and less than
 * 2^32 straight pieces of canyons, at most one for ten cells. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply; RANGE if spacing is below 4 2^levels; UNSUPPORTED if
 * there are more columns, rows or pieces. Since 0.2.
 *
 * Definition. Lengths are in cells, positions are whole numbers of 2^-8 cells, and quotients are
 * rounded down. u = spacing / 2^levels, rounded down. Corner (i, j) of the network lies at u (i, 2
 * j), moved by u jitter / 2 times random numbers in (-1, 1), and moved by u / 3: down where i + j
 * is even, up where it is odd. From each corner a side goes to (i + 1, j), and where i + j is even
 * another one to (i, j + 1). The sides bound bricks (i, j) with i + j even, from corner (i, j) to
 * (i + 2, j + 1). Brick (i, j) is a mesa of level 0; its site is its middle, u (i + 1, 2 j + 1).
 * For k > 0 each square with a side of 2^(k + 1) u has one random site, which is a mesa of level k.
 * A mesa of level k - 1 belongs to the mesa of level k with the nearest site, among the 3 x 3
 * squares around its own site. A mesa of level k > 0 is cut if its random number from 0 to 1 is
 * below share. The side between two bricks is a canyon of the highest level on which their mesas
 * differ; but it is no canyon if on a higher level the mesa that they share is not cut. A random
 * share `blind` of the canyons below the highest level reaches only one of its two corners.
 *
 * Corners then relax 3 times, all at once. A corner P whose two canyons of the highest level lead
 * to corners A and B becomes (2 P + A + B) / 4; where three canyons of one level meet, (P + A + B +
 * C) / 4. Then it is clamped to u from u (i, 2 j) in x and in y. From the middle of one of the two
 * canyons to the middle of the other the line is a parabola with the control point P; where three
 * of one level meet, the two are the pair that is nearest to a straight line. A third canyon joins
 * by a parabola with the control point P, from its own middle to the middle of the first. The half
 * of a canyon that ends at a corner is divided into n segments of equal length in the parabola's
 * parameter: n = 1 if u < 8, 2 if u < 16, 4 if u < 32, 8 if u < 64, else 16. The ends of segments
 * are moved by noise: the sum of meander p N(position / p), for p = 4 u, 2 u, ... u / 4 as long as
 * p >= 8, rounded to 0. N has random numbers in (-1, 1) at whole positions, for x and for y, and is
 * interpolated between them by t^3 (t (6 t - 15) + 10).
 *
 * A canyon of level k, with q = 2^(-(levels - 1 - k) / 2), has the depth d = depth q (1 + vary r)
 * and the half width w = width q (1 + vary r), with a random number r of the two mesas. In the
 * canyon's middle the floor is d below G, which is the mean of the heights within +-1e30 of 5 x 5
 * cells around that point, u / 4 apart; its half width there is w (1 + vary r' / 2), with a random
 * number r' of the side. At a corner the same formulas have the greatest d and w of its canyons,
 * and a random number r' of the corner. In the middle of a blind canyon, and at a corner that only
 * one canyon reaches, d = w = 0. Heights are linear along segments; a segment has one half width w,
 * that of its middle, but at most reach. With b = bank cell_size, for each segment, at a cell whose
 * distance from it is t < reach:
 *
 *     wall = the minimum of floor + b max(0, distance - w) over all points of the segment
 *     h'   = the minimum of h and max(wall, h - b (reach^2 - t^2) / (2 reach)) over all segments
 *
 * Of a segment that falls by 0.999 b a cell or more, only the lower end counts. `floors` is 1 + the
 * highest level of the segments with t <= w. So on level land floors and walls are nowhere steeper
 * than bank. */
TERRAIN_API terrain_status
terrain_erode_canyons_separating(terrain_context *context, terrain_heightmap *map,
                                 const terrain_erode_canyons_separating_params *params);

/* ---- erode_coast --------------------------------------------------------------------------- */

typedef struct terrain_erode_coast_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How hard the rock is, 0 to 1; without it, noise of `period` and `seed`. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** Cells at or below this height are sea. Height, -1e9 to 1e9; default 0. */
    float sea;
    /** How far from the sea waves cut the softest rock. Cells, 2 to 255; default 32. */
    uint32_t reach;
    /** Waves come from where no land is nearer than this: inlets and lakes are spared. Cells, 0 to
     * 64; default 12. */
    uint32_t shelter;
    /** How wide a beach is in the softest rock. Cells, 0 to 255; default 14. */
    float beach_width;
    /** The slope of a beach in the softest rock. Slope, 1.5258789e-05 to 100; default 0.03. */
    float beach_slope;
    /** The slope of a cliff's foot in the softest rock; it gets steeper upwards. Slope,
     * 1.5258789e-05 to 100; default 1. */
    float cliff_slope;
    /** How many times as much of the hardest rock withstands as of the softest. 1 to 64; default
     * 10. */
    float contrast;
    /** How far it is from soft rock to soft rock, where noise says it. Cells, 1 to 65536; default
     * 64. */
    uint32_t period;
} terrain_erode_coast_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_coast_params_init(terrain_erode_coast_params *params,
                                                           size_t size);

/** Waves cut the land back to a beach along the open sea, wide where rock is soft, a step where it
 * is hard, with a cliff behind it where land is higher. Inlets, sheltered bays and small lakes are
 * spared; headlands, which stand nearest to the open sea, are cut back most. Use it after the
 * operations that make the land and its rivers.
 *
 * Useful values: beach_width is how far the sea has advanced, and so decides how high cliffs are:
 * as high as the land was at the back of the beach. A reach of twice that lets cliffs grow upwards;
 * time grows with it, and with shelter. A contrast of 1 makes all coasts alike, and cliffs run
 * along them like a fence; at 10 beaches come and go. With `hardness`, the rock that steers other
 * operations, such as strata and rivers, also steers coasts. A shelter of 0 cuts the shores of
 * every lake.
 *
 * Reads and writes `map`, in place; reads hardness, below 0 or NaN as 0, above 1 as 1. Land only
 * sinks, and stays above the sea, whose cells stay as they are. Without a mask, a second
 * call changes nothing, and every cell of land that had a strictly lower neighbour still has one:
 * no pit arises, and land that drained to the sea still does. With a mask, land that is cut may lie
 * below all neighbours that are cut less, and be a pit.
 * A surface of water on the land, as generate_drainage's `water`, is cut by the same call with the
 * same parameters. It then still lies nowhere below the land, has a lower neighbour wherever it had
 * one, and where it was at the height of the sea, stays there.
 * Borders: what lies outside a map is neither land nor sea. Halo: reach - 1 + 2 * shelter.
 * NaN and infinity: a NaN height is land, and stays; behind it a pit may arise, as ways lead
 * through it. Infinite heights are like any others.
 * Memory: one and a quarter other maps; for each band of 256 rows, on one thread 512, 2 bytes for
 * each cell of up to 512 of its columns and of the halo around them; and for each 128 rows, on one
 * thread 512, 192 bytes for each of these columns. Errors: those of terrain_operation_apply. Since
 * 0.2.
 * Not promised: where the cliffs of another scale are, to the cell.
 *
 * Definition. Cells with h <= sea are sea. A step into a cell takes c from a neighbour at one
 * of its four sides, and c + floor(c / 4) + floor(c / 8) from one at a corner. A way is as long as
 * its steps together, in 64ths of a cell.
 *   1. In the sea c is 64. Cells of the sea are open if every way to them from land is at least
 *      64 (shelter + 1) long, steps on land taking 64, too.
 *   2. On land c = floor(64 (1 + (contrast - 1) e^2) + 0.5), in float, e being the hardness within
 *      0 and 1.
 *      n is the length of the shortest way to a cell from any open cell, less 64 * shelter.
 *   3. With t = n / 64, b = t - beach_width and r = reach - beach_width, a coast rises
 *         P = beach_slope * t                                             where b <= 0,
 *         P = beach_slope * beach_width + cliff_slope * b / (1 - b / r)   elsewhere,
 *      and S(n) is sea + cell_size * P, computed in double and rounded to float; but where
 *      that is not above S(n - 64), the next float above S(n - 64) is. S below 64 is sea.
 *   4. Land with n < 64 * reach becomes min(h, S(n)).
 * Without a map, e is 0.3 + 0.9 n0 + 0.63 n1 + 0.441 n2, where nk is noise of the period
 * p = floor(period / 4^k) cells; of p < 3 it is 0, but for n0. Nodes of its lattice lie on cells
 * (i p, j p). Each has a plane value + east * u + south * v at (u, v) periods from it, and between
 * four nodes their planes are interpolated by 6 t^5 - 15 t^4 + 10 t^3, down and across. Node (i, j)
 * has the bits B of a hash of seed, k, i and j: value = (2 (B >> 20) + 1) / 2^12 - 1, east =
 * (2 (B >> 10 & 1023) + 1) / 2^10 - 1, south = (2 (B & 1023) + 1) / 2^10 - 1. */
TERRAIN_API terrain_status terrain_erode_coast(terrain_context *context, terrain_heightmap *map,
                                               const terrain_erode_coast_params *params);

/* ---- erode_drainage ------------------------------------------------------------------------ */

typedef struct terrain_erode_drainage_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Gets how many cells drain through each cell, including itself. NULL: not wanted. */
    terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1: nowhere. NULL: not
     * wanted. */
    terrain_heightmap *receiver;
    TERRAIN_POINTER_PAD(receiver_pad)
    /** Gets the height of the water's surface, or of the land where it is dry. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** Gets the distance to the nearest river or lake with an outflow, at most 64 cell sizes. NULL:
     * not wanted. */
    terrain_heightmap *river_distance;
    TERRAIN_POINTER_PAD(river_distance_pad)
    /** Where sea is, in place of the ceiling: below 0 is sea, 0.1 is well inland; finer noise is
     * added. NULL: none. */
    const terrain_heightmap *control;
    TERRAIN_POINTER_PAD(control_pad)
    /** Replaces the random plates' borders: multiplies ranges; 0 to 1, or more. NULL: none. */
    const terrain_heightmap *uplift;
    TERRAIN_POINTER_PAD(uplift_pad)
    /** Factor of the rock's hardness: above 0; 1 is mean rock. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** Factor of the water that slopes depend on: above 0; 1 is mean rain. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** The map's own heights as they look from far away; without it, rivers ignore the map. NULL:
     * none. */
    const terrain_heightmap *ceiling;
    TERRAIN_POINTER_PAD(ceiling_pad)
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Distance between the points of these maps; a power of two. Cells, 8 to 1048576; default
     * 64. */
    uint32_t map_spacing;
    /** Size of continents and seas; a power of two. Cells, 1024 to 1048576; default 8192. */
    uint32_t period;
    /** Size of the plates, between which ranges rise; a power of two. Cells, 2048 to 1048576;
     * default 8192. */
    uint32_t plate_spacing;
    /** Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea. -1 to 1;
     * default 0.04. */
    float base_level;
    /** Uplift of open country; it varies from place to place. 0 to 64; default 30. */
    float hills;
    /** Uplift where plates collide. 0 to 64; default 0. */
    float ranges;
    /** The least uplift of land. 0.0001 to 64; default 10. */
    float plains;
    /** By what part coasts rise more slowly. 0 to 1; default 0. */
    float coast;
    /** How sharp the plates' borders are; a large number makes narrow ranges. 0.5 to 16; default
     * 7. */
    float belt_sharpness;
    /** K: slopes are uplift / K * area^-concavity. 0.001 to 1000; default 0.15. */
    float erodibility;
    /** m: how much gentler rivers are than brooks. 0.1 to 1; default 0.35. */
    float concavity;
    /** The steepest slope of rock of mean hardness. Slope, 0.05 to 8; default 1.1. */
    float talus;
    /** Where fewer cells drain through a cell, slopes are straight. Cells, 0 to 4096; default
     * 20. */
    float channel_area;
    /** Where fewer cells drain through a cell, slopes are gentle: rounded crests. Cells, 1 to 4096;
     * default 1. */
    float crest_area;
    /** How much the rock's hardness varies from place to place. 0 to 4; default 0.5. */
    float hardness_contrast;
    /** How much the hardness varies from layer to layer. 0 to 8; default 0. */
    float strata_contrast;
    /** Thickness of the layers. Cells, 1 to 4096; default 40. */
    float strata_thickness;
    /** Rivers with more cells upstream cut through all layers alike. Cells, 1 to 1e9; default
     * 3000. */
    float strata_area;
    /** How much the layers rise and sink. Cells, 0 to 4096; default 0. */
    float dip;
    /** Height of folds, which run along belts. Cells, 0 to 4096; default 0. */
    float fold_height;
    /** How close together the folds are. 0 to 16; default 0.5. */
    float fold_frequency;
    /** Height of a plateau over the sea; 0: none. Cells, 0 to 4096; default 0. */
    float plateau;
    /** How much the plateau and the layers rise inland. Cells, 0 to 4096; default 0. */
    float plateau_rise;
    /** How far above the ceiling the land between rivers may stand. Cells, 0 to 4096; default
     * 20. */
    float clearance;
    /** How far below the ceiling rivers lie whose discharge is far above strata_area. Cells, 0 to
     * 4096; default 10. */
    float incision;
    /** Half the width of the floodplain of a river with 2000 cells upstream. Cells, 0 to 16;
     * default 2. */
    float valley_width;
    /** How fast the sea floor falls away from coasts. Cells, 0 to 1e5; default 0. */
    float sea_depth;
    /** Depth of a river with 2000 cells upstream. Cells, 0 to 16; default 0. */
    float river_depth;
    /** Depth of lakes that rivers flow through, up to 31 cells wide; 0: none. Cells, 0 to 16;
     * default 0. */
    float lake_depth;
    /** How much the finest level is smoothed. 0 to 1; default 0.2. */
    float smoothing;
    /** A cell is 2^level cells wide, as other lengths count them: the same land from farther away.
     * 0 to 8; default 0. */
    uint32_t level;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_drainage_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_drainage_params_init(terrain_erode_drainage_params *params,
                                                              size_t size);

/** Carves valleys with rivers into any map: noise, a painting, a recipe's own land. The rivers are
 * those of generate_drainage: they have no end, they join and grow from tile to tile, and any
 * window, computed alone, has the same bits as that window of a larger map. Use it where the land
 * is as you want it and only lacks water. Where water may shape the land itself, use
 * generate_drainage.
 *
 * Give `ceiling`: the map's own heights on a coarse lattice, whose cell (i, j) is the world point
 * (i, j) * map_spacing. It must cover the window that terrain_operation_window reports, about
 * 52,000 cells beyond the map on each side. In a recipe it is the statement that makes the map,
 * with its lengths divided by map_spacing: for generate_noise period=2048, period=32 at a
 * map_spacing of 64. Rivers then follow the map's valleys and go round its mountains, as far as
 * these are wider than two points of the lattice; they cut through smaller hills. There is sea
 * where the ceiling is below -300 base_level cells, which is -12 by default, or where `control`
 * says so; there the map is cut off at 0. Without a ceiling the rivers ignore the map.
 *
 * Useful values: large rivers lie `incision` cells or more below the ceiling, but across its
 * hollows. Between rivers the map stays as it is up to about `clearance` cells above the ceiling:
 * set it to the height of the hills that the lattice cannot show. By default hills and plains are
 * so much uplift that only the ceiling limits the land: valleys are cut, with sides as steep as
 * talus, and the rest of the map stays. With less uplift, such as hills=6 plains=0.3, rivers lower
 * the land around them, too, which makes mountains and leaves less of the map. The other
 * parameters are those of generate_drainage and mean what they mean there. Their defaults differ
 * where a map should be left alone: no sea floor, no lakes, no river beds below the water, no
 * layers.
 *
 * The outputs, each optional: discharge, receiver and river_distance are those that
 * generate_drainage has for the same params, to the bit; water is the lower of its water and the
 * map.
 *
 * What is guaranteed, for heights below 2048 cells:
 *     - no height rises, and a cell that is not above the carved land stays as it is;
 *     - without a mask, and with lake_depth and river_depth 0, each cell of land that was lowered
 *       has a lower one among its eight neighbours, so carving makes no pits. Water on lowered
 *       cells runs down along receivers until it reaches the sea, a lake without an outflow, or a
 *       cell that was not lowered;
 *     - windows agree to the last bit, anywhere within +-2^62 / 2^level cells, in whatever order
 *       they are computed.
 * Not promised: that every pit is opened. The map's own pits stay where the carved land lies above
 * them. No operation that sees only a limited distance can do better on every map;
 * docs/drainage.md says why, and why the lower of two heights is taken. On bounded maps, and on
 * regions of a world, shape_breach and shape_fill open pits.
 *
 * Reads and writes `map`, in place. Borders: none; no cell reads its neighbours in the map. NaN
 * stays NaN; in the ceiling it counts as 0. Local: it works in endless worlds, which keep its
 * coarse levels. Time and memory are those of generate_drainage. Errors: those of
 * terrain_operation_apply; RANGE if period, plate_spacing or map_spacing is no power of two, a
 * coarse map too small, or the map beyond 2^62 / 2^level. Since 0.2.
 *
 * Definition. Each height becomes the lower of itself and the height that
 * terrain_generate_drainage has for the same params. */
TERRAIN_API terrain_status terrain_erode_drainage(terrain_context *context, terrain_heightmap *map,
                                                  const terrain_erode_drainage_params *params);

/* ---- erode_fir ----------------------------------------------------------------------------- */

/** What a cell takes over from the cell before it. */
typedef uint32_t terrain_erode_fir_mode;
enum {
    /** all heights, higher and lower: a blur with a memory */
    TERRAIN_ERODE_FIR_MODE_SMEAR = 0,
    /** only from a higher cell: hollows fill, no cell is lowered */
    TERRAIN_ERODE_FIR_MODE_DOWNHILL = 1,
    /** only from a higher cell, which loses as much: the sum stays */
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
    /** What a cell takes over from the cell before: all heights, or falls alone. Default SMEAR. */
    terrain_erode_fir_mode mode;
} terrain_erode_fir_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_fir_params_init(terrain_erode_fir_params *params,
                                                         size_t size);

/** Smears heights from west to east, then from east to west, north to south, and south to north;
 * each pass works on the result of the one before. This is the usual filter for fault-line
 * terrains: it takes the edges off cliffs and noise. (The literature calls it a FIR filter, but it
 * is recursive, an IIR filter.)
 *
 * Useful values: an erosion of 0.3 to 0.6; 0 changes nothing. SMEAR has a standard deviation of
 * sqrt(2 e) / (1 - e) cells (1.5 at 0.4) and keeps the mean; at 1 it gives a plain at the mean of
 * the corners. DOWNHILL, the rule as it is usually described, fills hollows and never lowers a
 * cell; at 1 it gives a plain at the highest height. No single direction is preferred, but the
 * order of the passes shows in the result. CONSERVING keeps the sum of all heights, but for
 * rounding. Time grows above an erosion of about 0.8.
 *
 * Reads and writes `map`, in place. A line of equal heights stays as it is to the last bit, and,
 * but for rounding, no height leaves the range that the heights had before. Mirrored or rotated
 * maps give the mirrored or rotated result only within rounding (SMEAR), or not at all.
 * Borders: cells beyond the edge are as high as the edge. Halo: 63 + warm (see below), and 1 more
 * if CONSERVING; 82 for the defaults. Above an erosion of 0.983 SMEAR and DOWNHILL are global.
 * NaN and infinity: SMEAR spreads NaN within the halo. In DOWNHILL and CONSERVING NaN stays where
 * it is and acts as a wall. Infinity becomes NaN.
 * Memory: 2 warm rows for each task, and with the defaults 0.4 MB more; above an erosion of 0.6
 * that grows with the square of warm. Errors: those of terrain_operation_apply. Since 0.1.
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
 * The pass restarts for each block of 64 world cells (64 k to 64 k + 63): the recursion starts
 * `warm` cells before the block's first cell, or at the first cell of the line if that is nearer,
 * with p = the height of the cell where it starts. q_(i+1) comes from the recursion of the block
 * that holds cell i + 1, so that both sides of a block's edge agree. warm is the smallest number
 * with r^warm < 2^-25, where r is e, or e/2 if CONSERVING: cells farther back would change the
 * result by less than rounding does, so blocks don't show. Where warm would exceed 1024, the whole
 * line is one block, and p starts with the line's first cell. There is one exception: where SMEAR
 * turns back at the end of a line, p starts with x + (w - x) / (1 + e), where x and w are the
 * heights of the last cell before and after the first of the two passes. */
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
    /** How many times each slope is levelled. 0 to 1e5; default 128. */
    uint32_t iterations;
    /** The steepest slope that is levelled. Slope, 0 to 100; default 0.75. */
    float talus;
} terrain_erode_flatten_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_flatten_params_init(terrain_erode_flatten_params *params,
                                                             size_t size);

/** Olsen's fast erosion: thermal erosion with its test reversed. Slopes gentler than talus are
 * levelled, steeper ones stay: the land becomes flats between cliffs, good ground for games to play
 * on.
 *
 * Useful values: a larger talus levels more. Olsen's choice for iterations is a quarter of the
 * map's width: 128 for 512 cells. His erosion score is the standard deviation of slopes divided by
 * their mean. It rises here to between 3/4 and 5/6 of the score that his own order of work reaches,
 * which goes row by row and drags material along (measured at 128 and 512 cells).
 *
 * Reads and writes `map`, in place. No height leaves the range that the heights had before, and a
 * level map stays as it is, both to the last bit. The sum of all heights changes only by rounding:
 * each move changes two heights, each by at most half a unit in the last place of the largest
 * height. A mirrored or rotated map gives another result of the same kind, since the colours (see
 * below) belong to world positions.
 * Borders: closed; nothing leaves the map. Halo: 5 * iterations.
 * NaN and infinity: stay where they are, like walls: they neither give nor receive.
 * Memory: another map, about a quarter larger than this one.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. Let T = talus * cell_size (computed in double, rounded to float). At a cell's turn
 * let h be its height, l the lowest height of its four neighbours at the edges, and d = h - l, all
 * in single precision. If 0 < d <= T, then d / 2 moves from the cell to that neighbour at once:
 * both then have the same height, but for rounding. Of equally low neighbours the first in the
 * order north (y - 1), west (x - 1), east, south receives. So a cell with a drop of more than T to
 * any of the four gives nothing.
 *
 * In an iteration each cell has one turn. The cells of a colour c = (x + 2 y) mod 5, in world
 * coordinates (the remainder is never negative), have their turns together: no two of them are
 * neighbours or share a neighbour. The order of colours is 0, 1, 3, 2, 4 in iterations 0, 2, 4, …
 * and 4, 2, 3, 1, 0 in iterations 1, 3, 5, … So the last colour of an iteration is the first of the
 * next one, and has two turns in a row. The first colour of the first iteration and the last colour
 * of the last iteration would have only one turn; these turns are left out, which keeps the halo at
 * 5 cells an iteration. */
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
    /** The distance to the nearest river, as analyze_distance measures it: river beds are left
     * alone. NULL: none. */
    const terrain_heightmap *river_distance;
    TERRAIN_POINTER_PAD(river_distance_pad)
    /** The distance between neighbouring gullies of the largest size. Cells, 0.0009765625 to 4096;
     * default 24. */
    float size;
    /** How many sizes of gullies there are, each half the one before; none below 3 cells. 1 to 8;
     * default 4. */
    uint32_t octaves;
    /** Depth of each octave as a part of the depth of the octave before. 0 to 1; default 0.4. */
    float gain;
    /** Depth of the largest gullies, as a part of the land's rise over their size. 0 to 4; default
     * 0.4. */
    float depth;
    /** How far small gullies turn on the flanks of larger ones: by up to 2 atan(branching). 0 to 1;
     * default 0.5. */
    float branching;
    /** Nothing changes up to this distance from a river. Cells, 0 to 65536; default 1. */
    float floor;
    /** The distance beyond the floor over which gullies reach their full depth. Cells, 0.5 to
     * 65536; default 6. */
    float bank;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_gullies_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_gullies_params_init(terrain_erode_gullies_params *params,
                                                             size_t size);

/** Carves gullies that run down the slopes, with smaller ones running into their sides: the look of
 * erosion for some ten nanoseconds a cell, without simulating water. Each cell is computed by
 * itself from the slope of the land around it, so it works in endless worlds too. Use it last, on
 * land that has its valleys already, or on smooth noise, which it gives ridges and spurs.
 *
 * Useful values: a size of 16 to 48 cells on smooth land; 8 to 12, with 2 or 3 octaves, on land
 * from generate_drainage or erode_stream_power, which has brooks instead of the larger gullies.
 * depth 0.2 looks worn, 0.4 fresh, 0.8 like badlands. With branching 0 gullies of all sizes run
 * straight down. Time grows only with octaves. Gullies cut below whatever they cross, rivers
 * included. To keep rivers, give river_distance: analyze_distance of a discharge, with low at the
 * least discharge of a river. Then the land up to `floor` cells from rivers stays as it is, to the
 * last bit, and the gullies deepen over the next `bank` cells.
 *
 * Reads and writes `map`, in place. No height rises; none falls by more than depth * size * slope *
 * (1 + gain + gain^2 + …), where slope is the slope of the smoothed land in height per cell. Level
 * land, where all heights within the halo are equal, stays as it is, to the last bit. Gullies scale
 * with the heights, whatever the cell size: a map twice as high gets gullies twice as deep. Sizes
 * and depths are the same in all directions.
 * Borders: cells beyond the edge are as high as the edge. Halo: 2^L (see below); 8 for the
 * defaults.
 * NaN and infinity: NaN within the halo. A river_distance of NaN counts as 0.
 * Memory: two maps, each larger than this one by twice the halo both ways, and 75 KiB for each
 * task.
 * Errors: those of terrain_operation_apply. Since 0.2.
 * Not promised: that water can follow the gullies everywhere. A few end in depressions, mostly
 * where the slope changes within a gully's size; shape_breach opens them.
 *
 * Definition. L is the largest integer with 3 * 2^L <= size, or 0. For l = 0 to L - 1 the map is
 * smoothed by (1 2 1; 2 4 2; 1 2 1) / 16 over cells that are 2^l apart; in the result, (gx, gy) is
 * half the difference of the cells to the east and west, and to the south and north; s = |(gx,
 * gy)|, and u = (-gy, gx) / s.
 *
 * Octave i, for i = 0 to octaves - 1 and while its wavelength v = size / 2^i is at least 3 cells,
 * has a triangular lattice: rows are 1.5 v apart, points sqrt(3) v apart in a row, and odd rows are
 * shifted by half of that. A cell's x in the lattice is x * step + o(0), where step is 2^64 /
 * (sqrt(3) v) rounded down; its y has 1.5 v and o(1) instead; both are in 2^-64 of a lattice cell,
 * and o(k) = mix(stream(8 + i), k). Row j has point k at k + (j odd ? 1/2 : 0). A point's phase q
 * is its random number in [0, 1), of draw i. With the vectors d = (cell - point) / v from the
 * points,
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
 * and the map is lowered by cut. Where there is a river_distance, cut is multiplied by t^2 (3 - 2
 * t), with t = (river_distance / cell_size - floor) / bank clamped to 0 … 1. */
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
    /** Gets how much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *eroded;
    TERRAIN_POINTER_PAD(eroded_pad)
    /** Gets how much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *deposited;
    TERRAIN_POINTER_PAD(deposited_pad)
    /** Gets the depth of the water after the last iteration. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** How many times rain falls, flows and evaporates. 0 to 1e5; default 200. */
    uint32_t iterations;
    /** Depth of the rain that falls in an iteration. Cell sizes, 0 to 100; default 0.0005. */
    float rain;
    /** The part of the water that evaporates in an iteration; valleys are about 1 / evaporation
     * long. 0 to 1; default 0.005. */
    float evaporation;
    /** How much ground the water carries for its flow and slope: how fast valleys deepen. 0 to
     * 1000; default 10. */
    float capacity;
} terrain_erode_hydraulic_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_erode_hydraulic_params_init(terrain_erode_hydraulic_params *params, size_t size);

/** Hydraulic erosion: in each iteration rain falls, flows downhill and takes ground along. The more
 * water gathers and the steeper it runs, the more ground it moves: valleys deepen and branch
 * upwards, and where a slope ends the ground is left as an alluvial fan. Use it on noise or fault
 * lines that need valleys. The result has fans and filled depressions, but no continuous rivers.
 *
 * Useful values: water runs about 1 / evaporation cells, and valleys of that length take as many
 * iterations to form. An evaporation of 0.005 with 200 iterations makes long valleys, 0.02 with 100
 * iterations makes short ones. iterations and capacity decide how old the land looks: a high
 * capacity soon makes wide valleys with fans, a low one finer valleys. A rain of more than 0.01
 * floods the land that it should shape. Time and halo grow with iterations.
 *
 * Reads and writes `map`, in place; writes eroded = max(h before - h after, 0), deposited = max(h
 * after - h before, 0), both 0 where a height is NaN, and water, the depth after the last
 * iteration. The mask acts on the map alone: these three outputs are as without it. The sum of all
 * heights changes by rounding alone: by at most two units in the last place of the largest height
 * for each cell and iteration. A flat map stays flat, and while water flows a cell's surface never
 * leaves the range of its own and its neighbours' surfaces. Mirrored or rotated maps give the
 * mirrored or rotated result to the last bit.
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
 *      where the drops are large enough, all of it runs off.
 *   4. Erosion: let q = c D / cell_size be how much flows away, in cells, and e = min(1/16,
 *      capacity * q * sqrt(q)). Neighbour n also gets e v_n d_n of the ground.
 *   5. Evaporation: w -= evaporation * w. */
TERRAIN_API terrain_status terrain_erode_hydraulic(terrain_context *context, terrain_heightmap *map,
                                                   const terrain_erode_hydraulic_params *params);

/* ---- erode_rain ---------------------------------------------------------------------------- */

/** Where water flows to, and what ground goes with it. */
typedef uint32_t terrain_erode_rain_mode;
enum {
    /** to the lowest of four neighbours; water always carries all it can */
    TERRAIN_ERODE_RAIN_MODE_FAST = 0,
    /** to all lower ones of eight neighbours; sediment moves with the water */
    TERRAIN_ERODE_RAIN_MODE_REFERENCE = 1
};

typedef struct terrain_erode_rain_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Gets how much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *eroded;
    TERRAIN_POINTER_PAD(eroded_pad)
    /** Gets how much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *deposited;
    TERRAIN_POINTER_PAD(deposited_pad)
    /** Gets the depth of the water after the last iteration. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** How many times rain falls, flows and evaporates. 0 to 1e5; default 100. */
    uint32_t iterations;
    /** Depth of the rain that falls in an iteration. Cell sizes, 0 to 100; default 0.32. */
    float rain;
    /** How much ground the water dissolves, as a part of its own depth. 0 to 1; default 0.03. */
    float solubility;
    /** The part of the water that evaporates in an iteration. 0 to 1; default 0.5. */
    float evaporation;
    /** How much ground the water can hold, as a part of its own depth. 0 to 1000; default 0.03. */
    float capacity;
    /** Where water flows: to the lowest of four neighbours, or to all lower ones of eight. Default
     * REFERENCE. */
    terrain_erode_rain_mode mode;
} terrain_erode_rain_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_rain_params_init(terrain_erode_rain_params *params,
                                                          size_t size);

/** Hydraulic erosion as Beneš and Olsen published it: rain dissolves ground wherever it falls,
 * carries it downhill, and leaves it where it evaporates. It smooths slopes and fills depressions,
 * but carves no valleys (erode_hydraulic does). Use it to reproduce published results, or for soft,
 * silted land.
 *
 * Useful values: the defaults. Olsen has 0.01 for solubility and capacity, which takes three times
 * as many iterations to show. FAST takes a third of REFERENCE's time and leaves streaks along the
 * axes. Both raise Olsen's erosion score (see erode_flatten), REFERENCE by more. (Olsen reports
 * that FAST does; that his version works in place does not explain it.)
 *
 * Reads and writes `map`, in place; writes eroded = max(h before - h after, 0), deposited = max(h
 * after - h before, 0), both 0 where a height is NaN, and water, the depth after the last
 * iteration. The mask acts on the map alone: these three outputs are as without it. The sum of all
 * heights changes by rounding alone: by at most two units in the last place of the largest height
 * for each cell and iteration. A flat map stays flat. Ponds that get water from all sides may rise
 * above their rim for an iteration. Mirrored or rotated maps give the mirrored or rotated result to
 * the last bit; in FAST only where no two neighbours are equally low.
 * Borders: closed; nothing leaves the map. Halo: 2 * iterations.
 * NaN and infinity: NaN stays where it is and takes no part. In FAST infinity stays, too, and
 * -infinity swallows the water that flows to it; in REFERENCE infinity spreads NaN, two cells an
 * iteration.
 * Memory: four other maps for FAST, eight for REFERENCE. Errors: those of terrain_operation_apply.
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
 *   3. Flow: let S be the set of the eight neighbours that have a lower surface, and D the sum of
 *      the drops a - a_n to them. Of the cell's water f = min(w, D / (1 + |S|)) flows away, where D
 *      / (1 + |S|) is how far the cell's surface stands above the mean of its own and those in S.
 *      Neighbour n gets f (a - a_n) / D of the water, and m / w of sediment with each unit of it.
 *   4. Evaporation: w -= evaporation * w; the sediment above capacity * w goes from m to h.
 * In the end h += m. */
TERRAIN_API terrain_status terrain_erode_rain(terrain_context *context, terrain_heightmap *map,
                                              const terrain_erode_rain_params *params);

/* ---- erode_rivers -------------------------------------------------------------------------- */

/** Where a cell's water goes. */
typedef uint32_t terrain_erode_rivers_method;
enum {
    /** to the steepest of the eight neighbours */
    TERRAIN_ERODE_RIVERS_METHOD_D8 = 0,
    /** to one of the lower neighbours, at random, by slope: rivers wander */
    TERRAIN_ERODE_RIVERS_METHOD_RHO8 = 1,
    /** on with its velocity, as particles do: rivers meander */
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
    /** How much rain falls on each cell; 1 without it. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** Discharge of known rivers, in cells; without this map it is computed. NULL: none. */
    const terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Gets the catchment area, in cells, of the river that covers the cell; 0 on land. NULL: not
     * wanted. */
    terrain_heightmap *rivers;
    TERRAIN_POINTER_PAD(rivers_pad)
    /** The catchment area at which a river begins. Cells, 1 to 1e9; default 400. */
    float threshold;
    /** How deep a river's bed is below the ground, at its head. Height, 0 to 10000; default 2. */
    float depth;
    /** Half the width of a river's bed, at its head. Cells, 0 to 64; default 0.25. */
    float width;
    /** The slope of the valley on either side of a river. Slope, 0.001 to 100; default 1.5. */
    float bank;
    /** The least slope of a river's bed. Slope, 0 to 10; default 0.001. */
    float fall;
    /** Valleys end at this distance from the river; close to it their banks steepen. Cells, 1 to
     * 256; default 16. */
    uint32_t reach;
    /** Where a cell's water goes: to the steepest neighbour, to a random lower one, or on with its
     * velocity. Default RHO8. */
    terrain_erode_rivers_method method;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
    /** The part of its velocity that the water loses from cell to cell. 0 to 1; default 0.2. */
    float friction;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_rivers_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_rivers_params_init(terrain_erode_rivers_params *params,
                                                            size_t size);

/** Cuts river beds where water gathers, and valleys around them. Every river begins where
 * `threshold` cells drain through one, falls all the way, joins others, and ends at an outlet: the
 * edge of the map unless rim is CLOSED, NaN (the sea, say), or the lowest cell of a closed map
 * without NaN. Its width grows with the square root of its catchment area, its depth with the power
 * 3/8. It cuts through whatever would dam it.
 *
 * Useful values: threshold decides how many rivers there are: 50 covers every slope with gullies,
 * 2000 leaves only the large rivers of a map of 1024 x 1024 cells. bank 0.5 makes broad valleys, 4
 * makes gorges. `rivers` gets the catchment area, in cells, of the largest river whose bed covers
 * the cell, and 0 elsewhere: use it to draw water, or as a mask. With VELOCITY water moves like
 * particles: it keeps a part of its velocity and moves in any direction, not in one of eight, so
 * rivers are straight where the land is steep and swing out in bends. With `rain` on crests alone,
 * rivers start there. Rivers are cut into the land as it is, and depressions are not filled; if the
 * land has depressions beside the rivers, remove them before, by shape_breach or shape_fill. If the
 * map's rivers are known, give their discharge, for example the output of generate_drainage: then
 * flow directions follow it, and method, seed and rain have no effect.
 *
 * In endless worlds, with `discharge`, the result is computed on regions of 1024 x 1024 cells, and
 * tiles fit to the last bit. Every river falls all the way, except where its bed depends on the bed
 * more than 256 cells upstream; that happens where the map falls by less than `fall`, or rises.
 *
 * Reads and writes `map`, in place. Every cell may depend on every other. Heights never rise. NaN
 * stays NaN. The time grows with the number of river cells and with reach^2. Memory: up to 77 bytes
 * a cell, 118 for VELOCITY; 3 KiB for each row and column, 64 KiB, and 16 reach^2 bytes; more with
 * a mask. At most 2^30 cells. params may be NULL for the defaults. Errors: those of
 * terrain_operation_apply; UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Flow directions and catchment areas A are computed as by terrain_analyze_flow with
 * routing CARVE, this method, and rain for weights (with other random numbers r). VELOCITY differs
 * from D8 only at cells that flow to a lower cell which is not NaN. These cells are visited from
 * the highest down. A cell's own particle carries its rain as water, has no velocity, and stands at
 * the cell's centre. It unites with the particles that higher cells sent here: the velocity (u, v)
 * and the offset (x, y) from the centre, in cells, become means weighted by water. Then (u, v) = (1
 * - friction)(u, v) + the sum over all lower neighbours n that are not NaN of e_n min((h - h_n) /
 * (|e_n| cell_size), 2^20) / (2 |e_n|), where e_n is the step to n in cells; and (x, y) += (u, v) /
 * max(|u|, |v|). The particle is sent to the nearest lower neighbour, the first clockwise from the
 * east if two are equally near; its offset is then from that cell's centre, clamped to -1/2 ...
 * 1/2. All this is in double precision. With `discharge` each cell flows to the lower neighbour,
 * NaN among them, with the greatest discharge, the first clockwise from the east if several have
 * it; A is the discharge, 0 to 1e12, NaN as 0, or the threshold where it is less and a river flows
 * here. River cells are those with q = A / threshold >= 1 that are not NaN. Upstream first, a
 * river's bed is
 *
 *     z = the minimum of h - depth q^(3/8) and of z - fall d of each river cell that flows here
 *
 * with d = cell_size across a side, sqrt(2) cell_size across a corner; its half width is w = width
 * sqrt(q), at most reach - 1/2, in cells. Then, over all river cells at a distance t < reach, in
 * cells,
 *
 *     h' = the minimum of h and z + b cell_size (sqrt(t^2 + w^2) - w) / (1 - t^2 / reach^2)
 *
 * which is round for w cells and then straight. b is the greater of bank and, where the river flows
 * on to another river cell, twice the slope of its bed there. `rivers` is the greatest A of the
 * river cells with t <= w. All this is in floats, with square roots of square roots for powers.
 *
 * In a world regions lie as in terrain_shape_fill, and heights are combined as there; `rivers` is
 * that of the region whose core holds the cell. */
TERRAIN_API terrain_status terrain_erode_rivers(terrain_context *context, terrain_heightmap *map,
                                                const terrain_erode_rivers_params *params);

/* ---- erode_shear --------------------------------------------------------------------------- */

/** How deep a drop digs. */
typedef uint32_t terrain_erode_shear_mode;
enum {
    /** by strength, but not below the lowest cell that it reaches */
    TERRAIN_ERODE_SHEAR_MODE_DRAINED = 0,
    /** by strength alone, as the method is usually described */
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
    /** How many drops fall, each of which breaks out a scoop. Drops per cell, 0 to 1; default
     * 0.04. */
    float density;
    /** How deep a drop digs at most. Height, 0 to 1e6; default 8. */
    float strength;
    /** How many cracks leave each cell. 1 to 8; default 4. */
    uint32_t rivulets;
    /** How far cracks run from the drop's cell. Cells, 1 to 31; default 12. */
    uint32_t reach;
    /** The most cells that a drop lowers. Cells, 1 to 512; default 96. */
    uint32_t visits;
    /** Drops fall in so many batches; those of a batch see the heights that the batch before left.
     * 1 to 4; default 4. */
    uint32_t batches;
    /** How deep a drop digs: never below the lowest cell it reaches, or by strength alone. Default
     * DRAINED. */
    terrain_erode_shear_mode mode;
    /** Drops on land less steep than this do nothing; on land twice as steep they dig in full.
     * Slope, 0 to 100; default 0.1. */
    float least_slope;
} terrain_erode_shear_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_shear_params_init(terrain_erode_shear_params *params,
                                                           size_t size);

/** Shearing by drops: from a random cell cracks run downhill, and all cells that they reach break
 * away down to one level. This makes many small scoops with flat floors, which turn even slopes
 * into cliffs and steps.
 *
 * Useful values: 0.04 drops a cell are 10,000 at 512 by 512. strength is the height of the steps,
 * reach their width. Plains stay plains: drops on land less steep than least_slope do nothing. The
 * published method is FIXED, with least_slope 0. Work is bounded: visits * rivulets steps for each
 * drop. No cell rises, and none falls by more than batches * strength.
 *
 * Reads and writes `map`, in place.
 * Borders: drops start only from the map's cells, and stay there.
 * Halo: 2 * batches * reach, 96 for the defaults and at most 8 * reach: in each batch a cell
 * depends on the drops within `reach` of it, and each drop on the cells within `reach` of its own.
 * NaN and infinity: drops neither start from NaN nor enter it. Infinite heights stay, or sink to a
 * drop's finite level.
 * Memory: two maps and a byte a cell. At most 2^31 / (reach + 1) - 64 columns. Errors: those of
 * terrain_operation_apply; UNSUPPORTED if there are more columns. Since 0.1.
 *
 * Definition. The world is cut into blocks of 16 by 16 cells. A block has floor(256 * density + u)
 * drops, in single precision, with u its random number in [0, 1); drop i starts from a random cell
 * of the block and belongs to batch i mod batches. All drops of a batch see the heights that the
 * batch before left; a cell gets the lowest of the heights that drops of the batch give it, or
 * keeps its own.
 *
 * A drop at a cell of height h sinks to the level l = h - strength, a float. It visits cells in the
 * order of their discovery, beginning with its own. From each visited cell that is higher than l
 * and fewer than `reach` steps away it sends out `rivulets` cracks, each to a neighbour chosen at
 * random among those of the eight that are lower than the cell; which is then discovered, if it was
 * not yet. At most `visits` cells are discovered, the drop's own included. If DRAINED, l is then
 * raised to the lowest height among the discovered cells, if that is higher: a scoop opens
 * downhill.
 *
 * Let m be the lowest height among the discovered cells, and k the straight distance in cells from
 * the drop's cell to the first discovered cell of that height. The drop's slope is r = (h - m) / (k
 * * cell_size). It digs the part t = min((r - L) / L, 1) of its depth, where L is least_slope: l
 * becomes h - t (h - l), in float. Nothing happens where r is not above L, or no lower cell was
 * discovered. If L is 0, t is 1 everywhere. All discovered cells higher than l get l.
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
    /** spread over the region, where it came from */
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
    /** How many times the map is cut into regions, other ones each time. 1 to 16; default 3. */
    uint32_t passes;
    /** The share of regions that are pushed. 0 to 1; default 0.25. */
    float push;
    /** The share of the removed material that is put back. 0 to 1; default 0.35. */
    float debris;
    /** Regions less steep than this stay; regions twice as steep are pushed in full. Slope, 0 to
     * 100; default 0.1. */
    float least_slope;
    /** How irregular the regions are. Spacings, 0 to 0.5; default 0.4. */
    float jitter;
    /** How rough their edges are. Spacings, 0 to 0.375; default 0.1875. */
    float warp;
    /** How the distance to a site is measured; each cell belongs to the nearest site. Default
     * EUCLIDEAN. */
    terrain_metric metric;
    /** Where the debris is put: where it came from, or in a heap at the foot of the cliff. Default
     * IN_PLACE. */
    terrain_erode_shear_regions_place place;
    /** Must be 0. */
    uint32_t reserved;
} terrain_erode_shear_regions_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_erode_shear_regions_params_init(terrain_erode_shear_regions_params *params, size_t size);

/** Shearing by regions: the map is cut into random regions, and a share of the regions is pushed
 * down, each to its lowest height. Even slopes become cliffs and benches, with ways up between
 * them; the larger the regions, the higher the cliffs. Soften the cliffs' edges with a blur that
 * varies from place to place (blur_variable).
 *
 * Useful values: spacing is the size of regions; debris 0 leaves a pushed region flat, 1 changes
 * nothing; FOOT heaps the debris against the cliff. Plains remain: regions less steep than
 * least_slope stay. The published method pushes half of the regions, with CHEBYSHEV, warp 0 and
 * least_slope 0. No cell rises; a region's lowest cells stay. Regions that are not pushed stay as
 * they are, to the last bit.
 *
 * Reads and writes `map`, in place.
 * Borders: a region at the border takes the lowest height of its cells that are on the map. Halo:
 * the greatest distance between two cells of a region, times passes; 192 for the defaults.
 * NaN and infinity: NaN counts for neither m nor M, and stays. Where infinity would turn a height
 * into NaN, the height stays. FOOT leaves a region as it is if its sum of d is infinite or beyond
 * the range of floats.
 * Memory: a byte a cell, a part of a map for the warp, and another map if there are several passes.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. Regions. Pass p = 0, 1, … has a lattice of squares with a side of s = spacing cells;
 * square (0, 0) begins at world cell (p * floor(3 s / 8), p * floor(5 s / 8)). Square (i, j) has a
 * site at (s * (a + 0.5 * jitter * u(n)), s * (b + 0.5 * jitter * u(m))) from its corner, where n
 * is the upper and m the lower 16 bits of its random number, and u(n) = (2 n + 1) / 65536 - 1. To
 * make regions hexagons rather than squares, in even passes a is 0.25 in even rows j and 0.75 in
 * odd ones, and b is 0.5; in odd passes b is 0.25 in even columns i and 0.75 in odd ones, and a is
 * 0.5. A cell at (x, y) belongs to the site nearest to (x + wx, y + wy) among the sites of its own
 * square and the eight around it; to the first in row order if several are equally near. No two
 * cells of a region are more than (1.25 + jitter + 2 warp) * s cells apart in x or in y.
 *
 * The warp, which roughens the edges, is the same for all passes: warp * s / 7 times the sum
 * 4 v2 + 2 v1 + v0 of three octaves of value noise. Let q be the largest power of two that is not
 * above s / 16, but at least 1. Octave o has a node at every world cell whose x and y are multiples
 * of 2^o q. Its values are v = (2 n + 1) / 128 - 1, where n is the highest seven bits of its random
 * number for wx and the next seven for wy; between nodes v is bilinear. The sum is exact in float.
 * Positions and distances are computed in float, so that ties are decided the same way everywhere.
 *
 * Pushing. Let m and M be the lowest and the highest height of a region, d = h - m of a cell, and r
 * = (M - m) / (s * cell_size) the region's slope. A region is pushed where its random number is
 * below `push` and r is above least_slope, L. Its share of debris is b = debris + (1 - t)(1 -
 * debris) with t = min((r - L) / L, 1): a region less than twice as steep as L is pushed in part,
 * so that plains remain. If L is 0, t is 1. The result is
 *
 *     IN_PLACE   h' = m + b d
 *     FOOT       h' = m + max(d - c, 0), with c such that the sum of max(d - c, 0) over the region
 *                is b times the sum of d: as much is put back, but as a heap against the cliff. c
 *                is a float that Newton's method finds, starting from 0: it grows by (sum of (d -
 *                c) - b * sum of d) / (number of cells) over cells with d > c, until the heap is
 *                too large by 2^-24 of the sum of d at most. Sums are rounded: the heap is right to
 *                2^-14 of the sum of d, 0.006 %, and better for small regions; then its heights are
 *                rounded. At b = 0 the result is m.
 *
 * and never above h. Each pass reads the result of the pass before, and has regions and random
 * numbers of its own. */
TERRAIN_API terrain_status
terrain_erode_shear_regions(terrain_context *context, terrain_heightmap *map,
                            const terrain_erode_shear_regions_params *params);

/* ---- erode_stream_power -------------------------------------------------------------------- */

/** Where land and rivers are to arrive. */
typedef uint32_t terrain_erode_stream_power_mode;
enum {
    /** the steady state, where rivers cut as fast as the land rises */
    TERRAIN_ERODE_STREAM_POWER_MODE_STEADY = 0,
    /** a number of time steps from the map as it is */
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
    /** Multiplies uplift_rate at each cell; 1 without it. NULL: none. */
    const terrain_heightmap *uplift;
    TERRAIN_POINTER_PAD(uplift_pad)
    /** Divides erosion_rate at each cell; 1 without it. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** How much rain falls on each cell; 1 without it. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** Discharge, in cells, of rivers that keep their heights, and that all water runs to. NULL:
     * none. */
    const terrain_heightmap *rivers;
    TERRAIN_POINTER_PAD(rivers_pad)
    /** Gets the water that flows through each cell, including its own rain. NULL: not wanted. */
    terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Sweeps at full resolution (STEADY), or time steps (TRANSIENT). 0 to 10000; default 4. */
    uint32_t iterations;
    /** How much the land rises in a time step. For STEADY only uplift_rate / erosion_rate counts.
     * Height, 0 to 1e6; default 0.04. */
    float uplift_rate;
    /** How much rivers cut in a time step, where area and slope are 1. 1e-06 to 1e6; default
     * 0.04. */
    float erosion_rate;
    /** How fast rivers become gentle as they grow: slope is in proportion to area^-concavity. 0.05
     * to 1; default 0.45. */
    float concavity;
    /** Erosion grows with the slope to this power: 1 or 2. 1 to 2; default 1. */
    uint32_t slope_exponent;
    /** The steepest slope that holds: the slope of hillsides. Slope, 0 to 100; default 0.9. */
    float talus;
    /** Land at or below this height is sea: it stays as it is, and water ends there. Height,
     * -infinity to infinity; default -infinity. */
    float sea;
    /** The discharge from which on a cell of `rivers` keeps its height. Cells, 0 to 1e9; default
     * 1000. */
    float river_discharge;
    /** The state where uplift and erosion balance, or time steps on the way to it. Default
     * STEADY. */
    terrain_erode_stream_power_mode mode;
    /** Whether water leaves over the edge of the map, which then stays as it is. Default OPEN. */
    terrain_rim rim;
} terrain_erode_stream_power_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_erode_stream_power_params_init(terrain_erode_stream_power_params *params, size_t size);

/** Makes mountain ranges as rivers make them (the stream power law): the land rises, rivers cut
 * into it by their discharge and slope, and all water runs off through valleys that join and
 * deepen. The result has no pits: each cell but an outlet has a lower neighbour. Outlets keep their
 * heights; they are the edge of the map (unless rim is CLOSED), land at or below `sea`, NaN, and
 * `rivers`. A closed map without such cells drains to one cell.
 *
 * STEADY makes the land in its steady state, where rivers cut as fast as the land rises. Of the map
 * that you give only the large forms count, which decide where rivers begin: give it noise, or a
 * flat map, and `uplift` for where ranges stand. TRANSIENT takes time steps from the map as it is:
 * use it for real or other land that rivers should cut into but that should keep its forms.
 *
 * Useful values: slopes are uplift_rate / erosion_rate * A^-concavity (A is the area upstream, in
 * the square of cell_size's unit), A^-0.45 with the defaults, up to talus: raise uplift_rate, or
 * the map uplift, for higher land. concavity is 0.35 to 0.6 in nature. For STEADY 3 to 5 iterations
 * settle the rivers. For TRANSIENT 10 to 50 small steps, with an erosion_rate of 0.005, say, and
 * less uplift, let valleys grow into the land that is there. erode_thermal afterwards rounds
 * hillsides. hardness makes ridges of hard rock; rain from one side makes one side gentler.
 *
 * `rivers`, for example the discharge of generate_drainage, keeps large rivers in place and at
 * their heights, and the operation makes the hillsides and brooks between them. Choose uplift_rate
 * and concavity so that brooks are as steep as the rivers (0.15 and 0.35 in recipes/alps);
 * otherwise rivers stand on cliffs.
 *
 * In endless worlds, with `rivers`, or with `sea` among islands, the result is computed on regions
 * of 1024 x 1024 cells. Tiles fit to the last bit, and there are no pits except in the rivers' own
 * beds. Where all water reaches a river, the sea or NaN within 128 cells, the land is the same as
 * on one large map, apart from effects of land far upstream. Where water runs farther, crests are
 * steeper where regions meet, and land whose water reaches no river within any region keeps its
 * heights. Rivers of 1000 cells, the default, are seldom that far away. For land without rivers use
 * generate_drainage.
 *
 * Reads and writes `map`, in place; writes discharge, in cells of rain, along the receivers of the
 * last sweep, or on rivers the value of `rivers` if that is greater. Every cell may depend on every
 * other. Not promised: mirrored or rotated results, since rivers choose at random, by position,
 * among nearly equal directions. NaN stays. Only outlets and cells beside NaN keep infinite
 * heights.
 * Memory: up to 61 bytes a cell, 6 more for each of rivers, uplift, hardness and rain, 4 more for
 * uplift and hardness together, and 8 for the sums of rain; 3 KiB for each row and column, and 64
 * KiB; more with a mask. At most 2^30 cells.
 * Errors: those of terrain_operation_apply; UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Rivers are the cells where `rivers` is at least river_discharge. Where such a cell
 * has no lower neighbour that is a river or another outlet, the lowest of its lower neighbours
 * becomes a river, and so on from there. On coarser levels a cell that covers rivers is one, of
 * their mean height. What uplift, hardness and rain have counts as 0 to 1e6, NaN as 0.
 *
 * A sweep at a level of cell size c:
 *   1. Receivers. A cell's receiver is the neighbour with the greatest drop, where drops to corners
 *      are divided by 2 - r with a random r in [0, 1) of the level and cell. In the first sweep of
 *      a level receivers are found as by analyze_flow's CARVE, from each cell's lowest neighbour.
 *      But on level 0, if there are other levels, the first sweep takes over the last receivers of
 *      level 1: the 2 x 2 cells that a cell of level 1 stands for flow to one of them, their exit,
 *      and the exit flows in the direction of level 1's cell. The exit is the cell at the corner
 *      that lies in that direction, or at random one of the two cells at the side that does. Where
 *      level 1's cell flows nowhere, the exit is the first outlet among the four, or without one
 *      the lowest of the map's heights, and flows nowhere. Outlets flow nowhere.
 *   2. A: the number of cells upstream, including the cell itself, times c^2; with rain, the sum of
 *      their rain instead of the number, rounded down to a whole number, from 1 to 2^31 - 1.
 *   3. Heights, from the outlets upstream. d is c across edges and 1.41421356 c across corners, h_r
 *      the receiver's new height:
 *        STEADY      s = uplift_rate / erosion_rate * uplift * hardness * A^-concavity, its root if
 *                    slope_exponent is 2; a = h_r + d min(s, talus); h' = a in the first half of
 *                    the sweeps and in the last, else h + 0.7 (a - h)
 *        TRANSIENT   y = h + uplift_rate * uplift - h_r, and if that is above 0, with e =
 *                    erosion_rate / hardness * A^concavity, y / (1 + e / d), or, if slope_exponent
 *                    is 2, 2 y / (1 + sqrt(1 + 4 e / d^2 y)); h' = h_r + min(y, d talus)
 *      and if h' is not above h_r, it becomes the next float above h_r. A cell whose receiver is
 *      NaN keeps the map's height.
 * After the last sweep of a level STEADY relaxes the heights six times, all cells at once, with k =
 * c min(s, talus) for the A of the last sweep. Let a be the lower of the heights to the west and
 * east, b the lower of those to the north and south, and v = (a + b + sqrt(2 k^2 - (a - b)^2)) / 2
 * if |a - b| < k, else min(a, b) + k. Let v' be the same from the two diagonals, with 1.41421356 k,
 * and m the lowest of the eight neighbours. Then the height becomes max(min(v, v'), m + k / 64), if
 * that lies above m and below the height. Cells beyond the edge count as infinitely high; outlets
 * stay. TRANSIENT makes `iterations` = n sweeps of the map. STEADY has levels: level 0 is the map,
 * and each further level has the means of 2 x 2 cells of the level before, while both sides have
 * more than 16 cells. It begins with the coarsest level, and makes n sweeps on level 0, n + ceil(n
 * / 2) on level 1, and so on. On levels between the coarsest and level 0 the first heights are
 * bilinear in the heights of the coarser level, with a random part of up to 0.3 c; outlets have the
 * map's heights.
 *
 * In a world region (i, j) covers the cells from (512 i, 512 j) to before (512 i + 1024, 512 j +
 * 1024). A cell's ramp in a region is the greatest c(d) on the way of its water, where d is the
 * distance from the middle of the region, along the axis on which it is greater: c = 0 up to d =
 * 384, 128 cell_size (d - 384) / (512 - d) up to 511, infinite beyond. The way leads from each cell
 * to the lowest of its neighbours (of equally low ones to the first, clockwise from the east), if
 * that is lower, or to NaN, and ends at a river, sea or NaN; if it ends elsewhere, the ramp is
 * infinite. The height of a cell is the least sum of height and ramp among its four regions, or the
 * height before if all are infinite; its discharge is that of the same region, the first one by
 * (j, i) if several sums are equal. */
TERRAIN_API terrain_status
terrain_erode_stream_power(terrain_context *context, terrain_heightmap *map,
                           const terrain_erode_stream_power_params *params);

/* ---- erode_thermal ------------------------------------------------------------------------- */

/** Which neighbours material slides to. */
typedef uint32_t terrain_erode_thermal_neighbourhood;
enum {
    /** all eight neighbours */
    TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE = 0,
    /** the four neighbours that share an edge: half the time */
    TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN = 1,
    /** the four neighbours that share a corner (Olsen 2004) */
    TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_ROTATED = 2
};

/** How much slides. */
typedef uint32_t terrain_erode_thermal_mode;
enum {
    /** a part of the excess between each two neighbours */
    TERRAIN_ERODE_THERMAL_MODE_FLUX = 0,
    /** from each cell, divided among its lower neighbours (Musgrave 1989) */
    TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE = 1,
    /** a small fixed amount between each two neighbours: the classic landslide */
    TERRAIN_ERODE_THERMAL_MODE_QUANTUM = 2,
    /** only debris slides; rock weathers to debris */
    TERRAIN_ERODE_THERMAL_MODE_LAYERS = 3
};

typedef struct terrain_erode_thermal_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Thickness of the loose debris in each height. NULL: none. */
    const terrain_heightmap *debris;
    TERRAIN_POINTER_PAD(debris_pad)
    /** How much rock resists weathering: 0 not at all, 1 entirely. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** Gets the thickness of the loose debris afterwards. NULL: not wanted. */
    terrain_heightmap *debris_out;
    TERRAIN_POINTER_PAD(debris_out_pad)
    /** How many times material slides. 0 to 1e5; default 50. */
    uint32_t iterations;
    /** The steepest slope that holds. Slope, 0 to 100; default 0.6. */
    float talus;
    /** The part of the excess height above talus that slides in an iteration. 0 to 1; default
     * 0.5. */
    float rate;
    /** Which neighbours material slides to: all eight, the four at the edges, or the four at the
     * corners. Default MOORE. */
    terrain_erode_thermal_neighbourhood neighbourhood;
    /** How much slides: a part of the excess, by the published rule, a fixed amount, or debris
     * alone. Default FLUX. */
    terrain_erode_thermal_mode mode;
    /** The most that slides between two cells in an iteration, in mode QUANTUM. Cell sizes, 0 to
     * 100; default 0.02. */
    float quantum;
    /** The steepest slope of debris that holds; for rock it is talus. Slope, 0 to 100; default
     * 0.6. */
    float debris_talus;
    /** The part of the rock's excess height that turns to debris in an iteration. 0 to 1; default
     * 0.25. */
    float weathering;
} terrain_erode_thermal_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_thermal_params_init(terrain_erode_thermal_params *params,
                                                             size_t size);

/** Thermal erosion: loose material slides down slopes steeper than talus and comes to rest at their
 * foot. Slopes below talus stay as they are, to the last bit.
 *
 * Useful values: a talus of 0.5 to 0.8 (27 to 39 degrees). In each iteration material slides one
 * cell: cliffs need more iterations than small steps, and time and halo grow with iterations. At
 * rate 1 heights may oscillate from iteration to iteration; at 0.5 they settle. FLUX is the default
 * and the fastest. MUSGRAVE, the published rule, moves more material in an iteration, takes about
 * three times as long, and may raise a pit that receives from all sides above its rim. QUANTUM is
 * the usual landslide algorithm: cliffs wear off evenly from the top and from the foot. LAYERS
 * distinguishes rock and debris: rock weathers until it is nowhere steeper than talus above the
 * ground at its foot; debris comes to rest below debris_talus, and buries the foot of the rock.
 * Give it shape_strata's layer_hardness, and rock of hardness 1 stays as caps and benches.
 *
 * Reads and writes `map`, in place; writes debris_out, on which the mask has no effect. Sums are
 * taken as ((n+s)+(e+w))+((ne+sw)+(nw+se)), so a mirrored or rotated map gives the mirrored or
 * rotated result, to the last bit. In all modes the sum of all heights changes by rounding alone:
 * by at most half a unit in the last place of the largest height for each cell and iteration.
 * Borders: closed; nothing leaves the map. Halo: iterations, twice that for MUSGRAVE.
 * NaN and infinity: FLUX, QUANTUM and LAYERS spread NaN to all neighbours, one cell an iteration,
 * and turn infinity into NaN or leave it. In MUSGRAVE NaN stays where it is and takes no part;
 * infinity becomes NaN.
 * Memory: some rows for each task and, above about 12 iterations, a second map; LAYERS two.
 * Errors: those of terrain_operation_apply. Not promised: after how many iterations nothing slides
 * any more. Since 0.1.
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
 * over S of (d_n - T), of which receiver n gets m * d_n / (sum of d over S). Neighbours across
 * corners have their own T; the receivers are exactly the neighbours in the sum, so that no mass is
 * created.
 *
 * QUANTUM: h' = h + k * sum over n of min(max(x(h_n - h), -c), c), with x and k as for FLUX and c =
 * quantum * cell_size / k (in double, rounded to float; 0 if k is 0). All cells give at once, so no
 * random order is needed; and where FLUX's share is less than the quantum, only that share moves,
 * so that nothing oscillates.
 *
 * LAYERS: a height h is rock under a thickness D of debris, and only debris slides; D is `debris`
 * at first, and 0 where that is not above 0. Let r = h - D, i = 1 / 8 for MOORE and 1 / 4
 * otherwise, and S be the same as T, but with debris_talus. Each iteration does both of these, from
 * the h and D before it:
 *
 *     weathering   w = weathering * i * (1 - hardness) * sum over n of max(r - h_n - T, 0)
 *                  of the protruding rock turns to debris where it is: D grows, h stays
 *     sliding      f = i * sum over n of max(-D, min(D_n, rate * y(h_n - h))), where y is as x, but
 *                  with S
 *
 *     h' = h + f,  D' = (D + w) + f
 *
 * with hardness clamped to 0 … 1, NaN as 0. A neighbour gets no more than its share of the debris,
 * so D is never below 0. If the whole height is debris (`debris` infinite) and rate is a power of
 * two, this is FLUX with debris_talus. The other modes don't distinguish rock: they don't read
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
    /** Gets how much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *eroded;
    TERRAIN_POINTER_PAD(eroded_pad)
    /** Gets how much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *deposited;
    TERRAIN_POINTER_PAD(deposited_pad)
    /** Gets the depth of the water after the last iteration. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** How many times rain falls, runs and evaporates. 0 to 1e5; default 200. */
    uint32_t iterations;
    /** Depth of the rain that falls in the first iteration; then less and less. Cell sizes, 0 to
     * 100; default 0.001. */
    float rain;
    /** The part of the water that evaporates in an iteration. 0 to 1; default 0.005. */
    float evaporation;
    /** How much speed water gains in an iteration where it falls freely. Cells, 0 to 1; default
     * 0.5. */
    float gravity;
    /** The part of its velocity that the water loses in an iteration. 0 to 1; default 0.1. */
    float friction;
    /** How much ground the water wears off by its speed. 0 to 1000; default 1. */
    float wear;
    /** How much ground the water breaks off where it runs into a slope. 0 to 1000; default 10. */
    float impact;
    /** How much ground the water can carry for its depth and speed. 0 to 1000; default 25. */
    float capacity;
    /** The part of the sediment beyond the capacity that settles in an iteration. 0 to 1; default
     * 0.2. */
    float settling;
    /** How far a cell may be worn below, or silted above, the mean of its neighbours. Slope, 0 to
     * 100; default 0.15. */
    float bank;
} terrain_erode_velocity_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_erode_velocity_params_init(terrain_erode_velocity_params *params,
                                                              size_t size);

/** Hydraulic erosion by water with momentum: rain runs down the land and gains speed, wears the
 * ground by its speed, breaks ground off where it runs into a slope, and drops its sediment where
 * it slows down. Unlike erode_hydraulic's, this water runs on where a slope ends and cuts straight
 * through obstacles. It leaves ravines with sharp edges, and fans at their feet.
 *
 * Useful values: water moves at most one cell an iteration, so 200 iterations make ravines of up to
 * 200 cells. iterations and capacity decide how old the land looks. wear decides how fast ground
 * comes loose where water runs, impact how fast where water runs into a slope; as a rule both
 * loosen more than the water can carry. bank decides how sharp ravines are: 0.05 for soft ground,
 * 0.5 for slots in rock. A friction of 0.5 makes water creep down the steepest slope, 0.02 lets it
 * shoot straight on. Time and halo grow with iterations.
 *
 * Reads and writes `map`, in place; writes eroded = max(h before - h after, 0), deposited = max(h
 * after - h before, 0), both 0 where a height is NaN, and water, the depth after the last
 * iteration. The mask acts on the map alone: these three outputs are as without it. The sum of all
 * heights changes by rounding alone: by at most four units in the last place of the largest height
 * for each cell and iteration. A flat map stays flat. Mirrored or rotated maps give the mirrored or
 * rotated result to the last bit.
 * Borders: closed; nothing leaves the map. Halo: 2 * iterations.
 * NaN and infinity: stay where they are, and are walls to the water.
 * Memory: twelve other maps. Errors: those of terrain_operation_apply. Since 0.2.
 * Not promised: the same effect on the same land at another cell size.
 *
 * Definition. All lengths here are in cells; heights too, divided by cell_size. A cell is land if
 * its height is finite, else a wall; all cells outside the map are walls. A cell of land has ground
 * h (its height at first), water w, sediment m and a velocity (vx, vy, vz), all 0 at first, and its
 * surface is h + w. n iterations are numbered k = 0, 1, …; with t = 1 - k / n all cells of land do
 * each step before any does the next one.
 *   1. Rain. w' = w + rain t, and the velocity is multiplied by w / w'; w = w'. Where the water is
 *      2^-100 or less, its velocity is 0.
 *   2. Slope. For a neighbour, let d and D be how much higher its ground and its surface are; both
 *      are 0 for a wall. gx = (D_e - D_w) / 4 + ((D_ne - D_nw) + (D_se - D_sw)) / 8, and gy, the
 *      same from north to south, both clamped to -2^20 … 2^20, are the surface's slope; q = 1 +
 *      gx^2 + gy^2.
 *   3. Collision. c = min((vz - vx gx - vy gy) / q, 0) is how fast the water runs into the ground.
 *      The water loses that velocity: vx += c gx, vy += c gy. The energy of the collision is e = q
 *      c^2 / 2 for a unit of water.
 *   4. Gravity and friction. vx = (1 - friction)(vx - G gx / sqrt(q)) with G = gravity / (1 + 8 w),
 *      so that waves of deep water die down; vy in the same way.
 *   5. Walls. vx becomes 0 if the neighbour to the east (vx > 0) or else to the west is a wall, vy
 *      if that to the south or north is. If neither is 0 then and the corner between is a wall,
 *      both become 0. Both are divided by max(|vx|, |vy|, 1). Now vz = vx gx + vy gy.
 *   6. Silt spreads. m += the sum over the four sides that are land of (m_n - m) / 8.
 *   7. Ground. With v^2 = vx^2 + vy^2, let r = capacity t (w |v|)^1.5 - m be the spare capacity for
 *      sediment, and M a mean of d with the weights 1/6 for sides and 1/12 for corners. If r > 0,
 *      the ground gives to m the minimum of
 *          w (wear v^2 / 2 + impact e),  r,  max(bank - M, 0) / 2,
 *          and a quarter of the drop to the lowest of the eight neighbours' ground, if there is
 *          one;
 *      else it gets from m the lesser of -settling r and max(bank + M, 0) / 2.
 *   8. Moving. A cell's water and sediment are a square of the cell's size, moved by (vx, vy): each
 *      cell gets the part that comes to lie over it. Its velocity becomes the mean of the arriving
 *      velocities, weighted by water; 0 where there is none.
 *   9. Evaporation: w -= evaporation * w.
 * In the end h += m. */
TERRAIN_API terrain_status terrain_erode_velocity(terrain_context *context, terrain_heightmap *map,
                                                  const terrain_erode_velocity_params *params);

#ifdef __cplusplus
}
#endif

#endif
