/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a tile of generate_drainage or erode_drainage writes: heights with the beds of rivers, lakes
 * and the sea, and the maps beside them. */

#include <string.h>

#include "base/math.h"
#include "generate/drainage_call.h"
#include "rows/rows.h"

/* Beds of lakes with an outflow, in a row that begins at cell `row`. */
static void drainage_pool_beds(const struct drainage_level *level, const float *depth, float *bed,
                               size_t row)
{
    uint8_t traits = 0;
    for (uint32_t i = 0; i < level->width; i++) {
        traits |= level->traits[row + i];
    }
    for (uint32_t i = 0; i < level->width && (traits & DRAINAGE_POOL) != 0; i++) {
        if ((level->traits[row + i] & DRAINAGE_POOL) != 0) {
            bed[i] = level->heights[row + i] - depth[row + i];
        }
    }
}

/* Beds of the sea and of closed lakes in row y. The sea falls away from a shelf, d^2 / (d + 0.02),
 * where d is how far control lies below 0. */
static void drainage_outlet_beds(const struct drainage_plan *plan,
                                 const struct drainage_level *level, struct drainage_ground *ground,
                                 float *bed, uint32_t y)
{
    const size_t row = y * level->stride;
    float *control = ground->rows.control;
    struct drainage_lake shape = {.column = INT64_MIN};
    terrain__drainage_lattice_bed(&ground->lattice, control, level->x, level->y + y, level->width,
                                  ground->work);
    for (uint32_t i = 0; i < level->width; i++) {
        float c = control[i] < -0.001F ? -control[i] : 0.001F;
        float depth = c * c / (c + 0.02F);
        if ((level->traits[row + i] & DRAINAGE_LAKE) != 0) {
            c = terrain__drainage_lake_at(&shape, plan, level->x + i, level->y + y, level->level);
            depth = c < 0 ? -c : 0.002F;
        }
        if (level->receiver[row + i] == DRAINAGE_OUTLET) {
            bed[i] = level->heights[row + i] - depth * plan->sea_depth;
        }
    }
}

/* Heights of the ground in row y: beds of rivers, of lakes with an outflow, of the sea and closed
 * lakes. */
static void drainage_bed_row(const struct drainage_plan *plan, const struct drainage_level *level,
                             struct drainage_ground *ground, float *bed, uint32_t y)
{
    const size_t row = y * level->stride;
    plan->relax->bed(bed, level->heights + row, level->discharge + row, plan->river_depth,
                     plan->river_area, level->width);
    drainage_pool_beds(level, ground->depth, bed, row);
    if (memchr(level->receiver + row, DRAINAGE_OUTLET, level->width) != NULL) {
        drainage_outlet_beds(plan, level, ground, bed, y);
    }
}

/* A row of a result in units of height; of erode_drainage, no higher than the map. The comparison
 * is false for NaN, which therefore stays. */
static void drainage_put_row(float *to, const float *land, float unit, const float *map,
                             uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        float height = land[i] * unit;
        to[i] = map == NULL || height < map[i] ? height : map[i];
    }
}

void terrain__drainage_put(const terrain__call *call, const struct drainage_level *level,
                           struct drainage_ground *ground)
{
    const struct drainage_job *job = call->job;
    uint32_t x = (uint32_t)(level->x - call->x), y = (uint32_t)(level->y - call->y);
    terrain__plane discharge = terrain__output(call, offsetof(drainage_params, discharge));
    terrain__plane receiver = terrain__output(call, offsetof(drainage_params, receiver));
    terrain__plane water = terrain__output(call, offsetof(drainage_params, water));
    for (uint32_t j = 0; j < level->height; j++) {
        size_t from = j * level->stride;
        const float *map = job->carve ? terrain__map_row(call, y + j) + x : NULL;
        float bed[DRAINAGE_TILE];
        drainage_bed_row(&job->plan, level, ground, bed, j);
        if (water.cells != NULL) {
            drainage_put_row(water.cells + (y + j) * water.stride + x, level->heights + from,
                             job->unit, map, level->width);
        }
        drainage_put_row(call->target.cells + (y + j) * call->target.stride + x, bed, job->unit,
                         map, level->width);
        if (discharge.cells != NULL) {
            memcpy(discharge.cells + (y + j) * discharge.stride + x, level->discharge + from,
                   level->width * sizeof(float));
        }
        for (uint32_t i = 0; i < level->width && receiver.cells != NULL; i++) {
            uint8_t r = level->receiver[from + i];
            receiver.cells[(y + j) * receiver.stride + x + i] =
                r == DRAINAGE_OUTLET ? -1.0F : (float)(int32_t)r;
        }
    }
}

enum { DRAINAGE_FAR = DRAINAGE_BANK + 1 }; /* cells to a river that does not count */

/* Counts the cells of each column since its last river on by a row, whose cells begin at `row`. */
static void drainage_count_on(uint8_t *run, const struct drainage_level *level, float river_area,
                              size_t row)
{
    const uint8_t *receiver = level->receiver + row, *traits = level->traits + row;
    const float *discharge = level->discharge + row;
    for (uint32_t x = 0; x < level->width; x++) {
        bool river = (discharge[x] > river_area) & (receiver[x] < DRAINAGE_OUTLET);
        bool pool = (traits[x] & DRAINAGE_POOL) != 0;
        uint8_t next = (uint8_t)(run[x] + (run[x] < DRAINAGE_FAR));
        run[x] = (river | pool) ? 0 : next;
    }
}

/* Distances along columns, of the tile's rows and all columns: those to the last river above, then
 * the lesser of them and of those to the last river below. `run` is work of a row. */
static void drainage_measure_columns(const struct drainage_level *level, float river_area,
                                     uint8_t *columns, uint8_t *run)
{
    const uint32_t width = level->width, height = level->height;
    for (uint32_t pass = 0; pass < 2; pass++) {
        memset(run, DRAINAGE_FAR, width);
        for (uint32_t k = 0; k < height; k++) {
            const uint32_t y = pass == 0 ? k : height - 1 - k;
            drainage_count_on(run, level, river_area, y * level->stride);
            if (y >= DRAINAGE_BANK && y + DRAINAGE_BANK < height) {
                uint8_t *to = columns + (size_t)(y - DRAINAGE_BANK) * width;
                for (uint32_t x = 0; x < width; x++) {
                    to[x] = pass == 0 || run[x] < to[x] ? run[x] : to[x];
                }
            }
        }
    }
}

/* Distances of a row, times cell_size, from those along the columns within DRAINAGE_BANK cells. */
static void drainage_measure_row(float *to, const uint8_t *columns, uint32_t width, float cell_size)
{
    int32_t nearest[DRAINAGE_TILE];
    for (uint32_t x = 0; x < width; x++) {
        nearest[x] = DRAINAGE_BANK * DRAINAGE_BANK;
    }
    for (int32_t dx = -DRAINAGE_BANK; dx <= DRAINAGE_BANK; dx++) {
        const uint8_t *column = columns + DRAINAGE_BANK + dx;
        for (uint32_t x = 0; x < width; x++) {
            int32_t square = dx * dx + column[x] * column[x];
            nearest[x] = square < nearest[x] ? square : nearest[x];
        }
    }
    for (uint32_t x = 0; x < width; x++) {
        to[x] = terrain__sqrtf((float)nearest[x]) * cell_size;
    }
}

/* Distance to the nearest river, in two steps: along columns, then of each row the least of
 *
 *     dx^2 + distance along the column dx cells away ^2,    |dx| <= DRAINAGE_BANK. */
void terrain__drainage_put_distance(const terrain__call *call, const struct drainage_level *level,
                                    uint8_t *columns)
{
    const struct drainage_job *job = call->job;
    const terrain__plane plane = terrain__output(call, offsetof(drainage_params, river_distance));
    const uint32_t width = level->width - 2 * DRAINAGE_BANK;
    const uint32_t height = level->height - 2 * DRAINAGE_BANK;
    const size_t x0 = (size_t)(level->x + DRAINAGE_BANK - call->x);
    const size_t y0 = (size_t)(level->y + DRAINAGE_BANK - call->y);
    drainage_measure_columns(level, job->plan.river_area, columns,
                             columns + (size_t)level->width * height);
    for (uint32_t y = 0; y < height; y++) {
        drainage_measure_row(plane.cells + (y0 + y) * plane.stride + x0,
                             columns + (size_t)y * level->width, width, call->cell_size);
    }
}
