/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Lakes that rivers of generate_drainage flow through.
 *
 * A lake lies behind a sill, a cell of a river. It takes in what drains to the sill over at most
 * `reach` cells and lies little above it, and its surface is the sill's height:
 *
 *     heights before    . . . . - - _ _              the sill is S; water comes from the left,
 *     surface           . . . ~ ~ ~ ~ S _            and goes on to the right
 *     ground            . . . - - _ _ S _
 *
 * Receivers stay as they are, so the way through the lake leads to the sill, and discharge is what
 * it was. No cell of a lake but the sill has a neighbour below its surface: that is asked of each
 * cell before it is taken in. Other cells keep the lower neighbours that they had, which have only
 * sunk.
 *
 * Sills are found from afar: of each square of 64 by 64 cells one cell of level 3 may have one. The
 * sill is where a river leaves that cell, on each finer level. Two sills are 33 cells apart at
 * least, so lakes never touch. */

#include "base/math.h"
#include "generate/drainage_sweep.h"
#include "vector/random.h"

void terrain__drainage_seat_lakes(const struct drainage_level *level,
                                  const struct drainage_plan *plan)
{
    const int64_t side = 8; /* of a square, in cells of the level */
    int64_t first = terrain__floor_div(level->x, side);
    int64_t last = terrain__floor_div(level->x + level->width - 1, side);
    int64_t end = terrain__floor_div(level->y + level->height - 1, side);
    for (int64_t row = terrain__floor_div(level->y, side); row <= end; row++) {
        for (int64_t column = first; column <= last; column++) {
            uint32_t bits = terrain__random_cell(plan->seat_stream, column, row);
            int64_t x = column * side + 2 + (bits & 3) - level->x;
            int64_t y = row * side + 2 + (bits >> 2 & 3) - level->y;
            if (x >= 0 && y >= 0 && x < level->width && y < level->height) {
                level->traits[(size_t)y * level->stride + (size_t)x] |= DRAINAGE_SEAT;
            }
        }
    }
}

/* Whether a cell may be part of the lake: it lies not far above the surface, and no neighbour but
 * the sill lies below. */
static bool drainage_floods(const struct drainage_level *level, ptrdiff_t at, ptrdiff_t sill,
                            float rise, float least)
{
    const float *z = level->heights;
    const float surface = z[sill];
    if (z[at] > surface + rise) {
        return false;
    }
    for (ptrdiff_t k = 0; k < 9; k++) {
        ptrdiff_t beside = at + (k / 3 - 1) * (ptrdiff_t)level->stride + k % 3 - 1;
        bool outlet = level->receiver[beside] == DRAINAGE_OUTLET;
        if (beside != sill && (outlet || z[beside] < surface + least)) {
            return false;
        }
    }
    return true;
}

static void drainage_fill_lake(const struct drainage_level *level, const struct drainage_plan *plan,
                               ptrdiff_t sill, float *depth)
{
    const ptrdiff_t stride = (ptrdiff_t)level->stride;
    const ptrdiff_t steps[8] = {1,  stride + 1,  stride,  stride - 1,
                                -1, -stride - 1, -stride, -stride + 1};
    const uint32_t reach = DRAINAGE_LAKE_REACH >> level->level;
    const float surface = level->heights[sill];
    int32_t cells[(2 * DRAINAGE_LAKE_REACH + 1) * (2 * DRAINAGE_LAKE_REACH + 1)];
    uint32_t count = 1, begin = 0;
    cells[0] = (int32_t)sill;
    /* Upstream: the cells of one step after those of the step before. */
    for (uint32_t step = 0; step < reach; step++) {
        uint32_t end = count;
        for (; begin < end; begin++) {
            for (uint32_t d = 0; d < 8; d++) {
                ptrdiff_t from = cells[begin] - steps[d];
                if (level->receiver[from] == d &&
                    drainage_floods(level, from, sill, plan->lake_rise,
                                    terrain__drainage_least(level->level))) {
                    cells[count++] = (int32_t)from;
                }
            }
        }
    }
    for (uint32_t k = 1; k < count; k++) {
        float *z = &level->heights[cells[k]];
        depth[cells[k]] = plan->lake_depth - (*z - surface);
        *z = surface;
        level->traits[cells[k]] |= DRAINAGE_POOL;
    }
}

void terrain__drainage_fill_lakes(const struct drainage_level *level,
                                  const struct drainage_plan *plan, float *depth)
{
    const ptrdiff_t reach = DRAINAGE_LAKE_REACH >> level->level;
    for (ptrdiff_t y = -reach; y < (ptrdiff_t)level->height + reach; y++) {
        for (ptrdiff_t x = -reach; x < (ptrdiff_t)level->width + reach; x++) {
            ptrdiff_t at = y * (ptrdiff_t)level->stride + x;
            if ((level->traits[at] & DRAINAGE_SEAT) != 0 &&
                level->receiver[at] != DRAINAGE_OUTLET) {
                drainage_fill_lake(level, plan, at, depth);
            }
        }
    }
}
