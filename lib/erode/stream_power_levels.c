/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The levels of erode_stream_power: reads the maps, makes them coarser from level to level, and
 * makes from each level what the finer one starts with. stream_power.c tells why. */

#include <string.h>

#include "base/math.h"
#include "erode/stream_power.h"

enum { POWER_COARSEST = 16 }; /* levels are halved as long as both sides are longer */

#define POWER_MOST_FACTOR 1e6f
#define POWER_NOISE 0.3f /* by how much heights are raised or lowered at most, in cells */

/* ---- The maps -------------------------------------------------------------------------------- */

void terrain__power_prepare_levels(terrain__call *call, struct power_job *job)
{
    const power_params *p = call->params;
    struct power_level size = {.width = call->target.width, .height = call->target.height};
    for (bool more = true; more; job->level_count++) {
        struct power_level *level = &job->levels[job->level_count];
        *level = size;
        level->base = power_plane(call, power_cells(level), true);
        level->rivers = power_plane(call, power_cells(level), p->rivers != NULL);
        level->uplift = power_plane(call, power_cells(level), p->uplift != NULL);
        level->hardness = power_plane(call, power_cells(level), p->hardness != NULL);
        level->rain = power_plane(call, power_cells(level), p->rain != NULL);
        more = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY && p->iterations > 0 &&
               size.width > POWER_COARSEST && size.height > POWER_COARSEST;
        size.width = size.width / 2 + size.width % 2;
        size.height = size.height / 2 + size.height % 2;
    }
}

/* Copies rows of a map parameter, clamped to 0 to POWER_MOST_FACTOR; NaN becomes 0. */
static void power_read(float *to, terrain__view map, uint32_t begin, uint32_t end)
{
    for (uint32_t y = begin; to != NULL && y < end; y++) {
        const float *from = map.cells + y * map.stride;
        for (uint32_t x = 0; x < map.width; x++) {
            const float v = from[x] > 0 ? from[x] : 0;
            to[(size_t)y * map.width + x] = v < POWER_MOST_FACTOR ? v : POWER_MOST_FACTOR;
        }
    }
}

/* Sets each cell in rows of `to` to the mean of those of its 2 x 2 cells of `from` that are not
 * NaN. */
static void power_halve(float *to, const float *from, const struct power_level *fine,
                        uint32_t begin, uint32_t end)
{
    const uint32_t width = fine->width / 2 + fine->width % 2;
    for (uint32_t y = begin; to != NULL && y < end; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t right = 2 * x + (2 * x + 1 < fine->width);
            const uint32_t below = 2 * y + (2 * y + 1 < fine->height);
            const float four[4] = {from[(size_t)2 * y * fine->width + 2 * x],
                                   from[(size_t)2 * y * fine->width + right],
                                   from[(size_t)below * fine->width + 2 * x],
                                   from[(size_t)below * fine->width + right]};
            float sum = 0, count = 0;
            for (int k = 0; k < 4; k++) {
                const bool there = four[k] == four[k];
                sum += there ? four[k] : 0;
                count += there ? 1 : 0;
            }
            to[(size_t)y * width + x] = count > 0 ? sum / count : NAN;
        }
    }
}

/* Makes rows of level k from the finer level. */
static void power_halve_rows(const struct power_job *job, uint32_t k, uint32_t begin, uint32_t end)
{
    const struct power_level *fine = &job->levels[k - 1], *coarse = &job->levels[k];
    power_halve(coarse->base, fine->base, fine, begin, end);
    power_halve(coarse->rivers, fine->rivers, fine, begin, end);
    power_halve(coarse->uplift, fine->uplift, fine, begin, end);
    power_halve(coarse->hardness, fine->hardness, fine, begin, end);
    power_halve(coarse->rain, fine->rain, fine, begin, end);
}

/* The lowest of the neighbours that are below a river's cell; the cell itself if there is none, or
 * if the river meets another one, the sea or NaN here. */
static size_t power_next_of_river(const power_params *p, const struct power_level *level,
                                  size_t cell)
{
    const terrain__view rivers = terrain__view_of(p->rivers);
    const uint32_t x = (uint32_t)(cell % level->width), y = (uint32_t)(cell / level->width);
    size_t lowest = cell;
    for (uint32_t way = TERRAIN__FLOW_E; way <= TERRAIN__FLOW_NE; way++) {
        const uint32_t col = x + (uint32_t)terrain__flow_x[way];
        const uint32_t row = y + (uint32_t)terrain__flow_y[way];
        if (col >= level->width || row >= level->height) { /* -1 wraps to UINT32_MAX */
            continue;
        }
        const size_t other = (size_t)row * level->width + col;
        if (!(level->base[other] >= level->base[cell]) &&
            (!(level->base[other] > p->sea) ||
             rivers.cells[row * rivers.stride + col] >= p->river_discharge)) {
            return cell;
        }
        lowest = level->base[other] < level->base[lowest] ? other : lowest;
    }
    return lowest;
}

/* Finds the rivers and their heights. A river that ends on land goes on down its lowest neighbours
 * to the next river. */
static void power_read_rivers(const power_params *p, const struct power_level *level)
{
    const terrain__view rivers = terrain__view_of(p->rivers);
    for (size_t i = 0; i < power_cells(level); i++) {
        level->rivers[i] = NAN;
    }
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            size_t cell = (size_t)y * level->width + x, last;
            if (!(rivers.cells[y * rivers.stride + x] >= p->river_discharge)) {
                continue;
            }
            do {
                level->rivers[cell] = level->base[cell];
                last = cell;
                cell = power_next_of_river(p, level, last);
            } while (cell != last && !(level->rivers[cell] == level->rivers[cell]));
        }
    }
}

/* Whether water ends at a cell, apart from the map's edge. */
static bool power_ends(const power_params *p, const struct power_level *level, size_t cell)
{
    return !(level->base[cell] > p->sea) ||
           (level->rivers != NULL && level->rivers[cell] == level->rivers[cell]);
}

terrain__bands terrain__power_read_bands(const struct power_job *job)
{
    const uint32_t height = job->levels[0].height;
    return terrain__bands_of(height / 2 + height % 2, 8);
}

void terrain__power_read_band(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    const struct power_job *job = call->job;
    const struct power_level *level = &job->levels[0];
    const terrain__bands bands = terrain__power_read_bands(job);
    const uint32_t first = terrain__band_begin(&bands, index);
    const uint32_t last = terrain__band_end(&bands, index), begin = 2 * first;
    const uint32_t end = 2 * last < level->height ? 2 * last : level->height;
    for (uint32_t y = begin; y < end; y++) {
        memcpy(level->base + (size_t)y * level->width, call->map.cells + y * call->map.stride,
               level->width * sizeof(float));
    }
    power_read(level->uplift, terrain__view_of(p->uplift), begin, end);
    power_read(level->hardness, terrain__view_of(p->hardness), begin, end);
    power_read(level->rain, terrain__view_of(p->rain), begin, end);
    if (level->rivers == NULL && job->level_count > 1) {
        power_halve_rows(job, 1, first, last);
    }
}

/* On coarse levels a cell that a river crosses is as high as the river. */
void terrain__power_read_coarser(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    const bool rivers = job->levels[0].rivers != NULL;
    (void)index;
    if (rivers) {
        power_read_rivers(call->params, &job->levels[0]);
    }
    for (uint32_t k = rivers ? 1 : 2; k < job->level_count; k++) {
        const struct power_level *level = &job->levels[k];
        power_halve_rows(job, k, 0, level->height);
        for (size_t i = 0; rivers && i < power_cells(level); i++) {
            level->base[i] =
                level->rivers[i] == level->rivers[i] ? level->rivers[i] : level->base[i];
        }
    }
}

/* ---- From level to level -------------------------------------------------------------------- */

/* The height of a cell of the coarser level; beyond the edge, of the nearest cell. */
static float power_coarse(const struct power_job *job, int64_t x, int64_t y)
{
    const struct power_level *level = &job->levels[job->level + 1];
    const int64_t right = (int64_t)level->width - 1, bottom = (int64_t)level->height - 1;
    const int64_t row = y < 0 ? 0 : y < bottom ? y : bottom;
    const size_t i = (size_t)row * level->width + (size_t)(x < 0 ? 0 : x < right ? x : right);
    return job->coarser[i] == job->coarser[i] ? job->coarser[i] : level->base[i];
}

/* Sets the heights that a row starts with: the coarser level's, interpolated bilinearly, plus a
 * little noise, in which finer rivers develop. Outlets have the map's height. */
static void power_refine_row(terrain__call *call, uint32_t y)
{
    const power_params *p = call->params;
    const struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const float cell_size = call->cell_size * (float)(UINT32_C(1) << job->level);
    const uint64_t stream = terrain__random_stream(p->seed, call->operation->key,
                                                   TERRAIN__DRAW_STREAM_POWER_NOISE + job->level);
    const uint64_t row = terrain__random_row(stream, terrain__floor_shift(call->y, job->level) + y);
    const int64_t cy = (int64_t)(y / 2) - (y % 2 == 0);
    const int64_t x0 = terrain__floor_shift(call->x, job->level);
    const float fy = y % 2 == 0 ? 0.75f : 0.25f;
    const bool rim = p->rim == TERRAIN_RIM_OPEN && (y == 0 || y + 1 == level->height);
    float *to = job->heights + (size_t)y * level->width;
    const float *base = level->base + (size_t)y * level->width;
    for (uint32_t x = 0; x < level->width; x++) {
        const int64_t cx = (int64_t)(x / 2) - (x % 2 == 0);
        const float fx = x % 2 == 0 ? 0.75f : 0.25f;
        const float a = power_coarse(job, cx, cy), b = power_coarse(job, cx + 1, cy);
        const float c = power_coarse(job, cx, cy + 1), d = power_coarse(job, cx + 1, cy + 1);
        const float above = a + fx * (b - a), below = c + fx * (d - c);
        const uint32_t bits =
            terrain__random_bits(terrain__random_column(row, x0 + x), (uint32_t)(x0 + x));
        const float h =
            above + fy * (below - above) + terrain__signed_float(bits) * (POWER_NOISE * cell_size);
        const bool edge = rim || (p->rim == TERRAIN_RIM_OPEN && (x == 0 || x + 1 == level->width));
        to[x] = power_ends(p, level, (size_t)y * level->width + x) ? NAN
                : edge || !(h == h)                                ? base[x]
                                                                   : h;
    }
}

/* Each cell starts with its height, NaN where water ends within the map, with its rate, and with
 * RHO8's random number, which is the same in each sweep, so that rivers stay in place. */
void terrain__power_enter_band(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const terrain__bands bands = terrain__flow_bands(&job->flow);
    const uint32_t begin = terrain__band_begin(&bands, index);
    const uint32_t end = terrain__band_end(&bands, index);
    const bool refines = job->level > 0 && job->level + 1 < job->level_count;
    for (uint32_t y = begin; refines && y < end; y++) {
        power_refine_row(call, y);
    }
    for (size_t i = (size_t)begin * level->width; i < (size_t)end * level->width; i++) {
        if (!refines) {
            job->heights[i] = power_ends(p, level, i) ? NAN : level->base[i];
        }
        if (job->product != NULL) {
            job->product[i] = level->uplift[i] * level->hardness[i];
        }
    }
    for (uint32_t y = begin; power_knows_trunk(job) && y < end; y++) {
        uint8_t *trunk = job->trunks[0] + (size_t)y * level->width;
        const uint8_t *coarser =
            job->trunks[1] + (size_t)(y / 2) * (level->width / 2 + level->width % 2);
        for (uint32_t x = 0; x < level->width; x++) {
            trunk[x] = coarser[x / 2];
        }
    }
    terrain__flow_dither(&job->flow, index, terrain__floor_shift(call->x, job->level),
                         terrain__floor_shift(call->y, job->level));
}

/* Finds the exit of the block of 2 x 2 cells in one coarse cell: the cell to which the others flow.
 * It lies in the direction in which the coarse cell flows; if two cells do, one is chosen at
 * random. Where water ends it is an outlet if there is one, or else the lowest cell. (x, y) is the
 * block's first cell. */
static uint32_t power_find_exit(const struct power_job *job, uint8_t coarse, uint32_t random,
                                uint32_t x, uint32_t y)
{
    const struct power_level *level = &job->levels[job->level];
    const bool right = x + 1 < level->width, below = y + 1 < level->height;
    const int8_t east = terrain__flow_x[coarse], south = terrain__flow_y[coarse];
    uint32_t lowest = 0;
    if (coarse != TERRAIN__FLOW_PIT && coarse != TERRAIN__FLOW_OUTLET) {
        return (right && (east > 0 || (east == 0 && random % 2 == 1))) +
               2 * (uint32_t)(below && (south > 0 || (south == 0 && random % 2 == 1)));
    }
    for (uint32_t k = 0; k < 4; k++) {
        const size_t cell = (size_t)(y + k / 2) * level->width + x + k % 2;
        const size_t least = (size_t)(y + lowest / 2) * level->width + x + lowest % 2;
        if ((k % 2 == 0 || right) && (k / 2 == 0 || below)) {
            if (job->flow.directions[cell] == TERRAIN__FLOW_OUTLET) {
                return k;
            }
            lowest = level->base[cell] < level->base[least] ? k : lowest;
        }
    }
    return lowest;
}

/* Sets the receivers of two rows: cells flow to their block's exit, and the exit flows as the
 * coarse cell does. */
static void power_inherit_rows(terrain__call *call, uint32_t coarse_y)
{
    /* By the exit's place: (south + 1) * 3 + east + 1. */
    static const uint8_t ways[9] = {TERRAIN__FLOW_NW, TERRAIN__FLOW_N,   TERRAIN__FLOW_NE,
                                    TERRAIN__FLOW_W,  TERRAIN__FLOW_PIT, TERRAIN__FLOW_E,
                                    TERRAIN__FLOW_SW, TERRAIN__FLOW_S,   TERRAIN__FLOW_SE};
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const struct power_level *coarse = &job->levels[job->level + 1];
    const uint8_t *from = job->directions[(job->level + 1) % 2] + (size_t)coarse_y * coarse->width;
    uint8_t *to = job->flow.directions;
    const uint64_t stream = terrain__random_stream(p->seed, call->operation->key,
                                                   TERRAIN__DRAW_STREAM_POWER_EXIT + job->level);
    const int64_t x0 = terrain__floor_shift(call->x, job->level + 1);
    const uint64_t row =
        terrain__random_row(stream, terrain__floor_shift(call->y, job->level + 1) + coarse_y);
    const uint32_t y = 2 * coarse_y, rows = y + 1 < level->height ? 2 : 1;
    for (size_t i = (size_t)y * level->width; i < ((size_t)y + rows) * level->width; i++) {
        to[i] = job->heights[i] == job->heights[i] ? TERRAIN__FLOW_PIT : TERRAIN__FLOW_OUTLET;
    }
    for (uint32_t k = y; k < y + rows; k++) {
        terrain__flow_open_row(&job->flow, k);
    }
    for (uint32_t coarse_x = 0; coarse_x < coarse->width; coarse_x++) {
        const uint32_t x = 2 * coarse_x,
                       random = terrain__random_bits(terrain__random_column(row, x0 + coarse_x),
                                                     (uint32_t)(x0 + coarse_x));
        const uint32_t exit = power_find_exit(job, from[coarse_x], random, x, y);
        for (uint32_t k = 0; k < 4; k++) {
            const size_t cell = (size_t)(y + k / 2) * level->width + x + k % 2;
            if (k / 2 < rows && x + k % 2 < level->width && to[cell] == TERRAIN__FLOW_PIT) {
                const uint8_t out =
                    from[coarse_x] == TERRAIN__FLOW_OUTLET ? TERRAIN__FLOW_PIT : from[coarse_x];
                to[cell] =
                    k == exit ? out : ways[(exit / 2 + 1 - k / 2) * 3 + exit % 2 + 1 - k % 2];
            }
        }
    }
}

void terrain__power_inherit_band(terrain__call *call, uint32_t index)
{
    const struct power_job *job = call->job;
    const terrain__bands bands =
        terrain__bands_of(job->levels[job->level + 1].height, POWER_INHERIT_ROWS);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        power_inherit_rows(call, y);
    }
}
