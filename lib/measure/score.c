/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Scores of a terrain as ground to play on.
 *
 * Jacob Olsen: Realtime Procedural Terrain Generation. University of Southern Denmark, 2004. */

#include "terrain/score.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/math.h"
#include "base/number.h"
#include "core/context.h"
#include "core/given.h"
#include "core/reader.h"
#include "measure/score_kernels.h"
#include "measure/score_sets.h"
#include "measure/statistics_parts.h"
#include "terrain/statistics.h"

enum {
    SCORE_LARGEST = 64, /* of squares, in cells: what a byte can count */
    SCORE_STEEPEST = 1000000,
    SCORE_TASK_CELLS = 1 << 15
};

/* What share of a call is done after each of its steps. The last step finds sets. */
#define SCORE_LOOKED 0.3
#define SCORE_PASSABLE 0.55
#define SCORE_BUILDABLE 0.75

/* Over all cells that were added. */
struct score_sums {
    uint64_t accessible;
    uint64_t flat;
    terrain_statistics *slopes;
};

struct terrain_score {
    terrain_allocator allocator;
    terrain_score_desc desc;
    const struct score_kernels *kernels;
    struct score_sums sums;
    terrain__score_sets sets;
};

static const terrain_score_desc score_defaults = {
    .unit_slope = 0.5f,
    .building_slope = 0.125f,
    .unit_size = 1,
    .building_size = 9,
};

static const terrain__given score_given = {
    .subject = "desc is",
    .name = "score_desc",
    .suffix = "",
    .tag = TERRAIN__TAG_SCORE,
    .size = sizeof(terrain_score_desc),
    .defaults = &score_defaults,
};

terrain_status terrain_score_desc_init(terrain_score_desc *desc, size_t size)
{
    return terrain__given_init(&score_given, desc, size);
}

/* ---- Life ----------------------------------------------------------------------------------- */

static terrain_status score_take_desc(terrain_context *context, const terrain_score_desc *given,
                                      terrain_score_desc *desc)
{
    char fault[TERRAIN__FAULT_SIZE];
    terrain_status status = terrain__given_take(&score_given, given, desc, fault);
    if (status != TERRAIN_SUCCESS) {
        return terrain__context_fail(context, status, "score_create: %s", fault);
    }
    char building[TERRAIN__NUMBER_SIZE], unit[TERRAIN__NUMBER_SIZE];
    if (!(desc->building_slope >= 0 && desc->building_slope <= desc->unit_slope &&
          desc->unit_slope <= SCORE_STEEPEST)) {
        return terrain__context_fail(context, TERRAIN_ERROR_RANGE,
                                     "score_create: building_slope is %s and unit_slope %s, must "
                                     "be 0 <= building_slope <= unit_slope <= 1e6",
                                     terrain__format_number(building, (double)desc->building_slope),
                                     terrain__format_number(unit, (double)desc->unit_slope));
    }
    if (desc->unit_size < 1 || desc->unit_size > desc->building_size ||
        desc->building_size > SCORE_LARGEST) {
        return terrain__context_fail(context, TERRAIN_ERROR_RANGE,
                                     "score_create: unit_size is %lu and building_size %lu, must "
                                     "be 1 <= unit_size <= building_size <= 64",
                                     (unsigned long)desc->unit_size,
                                     (unsigned long)desc->building_size);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status score_new(terrain_context *context, const terrain_score_desc *desc,
                                terrain_score **out)
{
    const terrain_allocator *allocator = terrain__context_allocator(context);
    terrain_score *score = terrain__allocate(allocator, sizeof *score, sizeof(uint64_t));
    if (score == NULL) {
        return terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "score_create: no memory");
    }
    memset(score, 0, sizeof *score);
    score->allocator = score->sets.allocator = *allocator;
    score->desc = *desc;
    score->kernels = terrain__score_kernels(terrain_context_isa(context));
    score->sums.slopes = terrain__statistics_new(context);
    if (score->sums.slopes == NULL) {
        terrain_score_destroy(score);
        return terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "score_create: no memory");
    }
    *out = score;
    return TERRAIN_SUCCESS;
}

terrain_status terrain_score_create(terrain_context *context, const terrain_score_desc *desc,
                                    terrain_score **out)
{
    terrain_score_desc full;
    terrain_status status = terrain__context_enter_making(context, "score_create", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain__float_environment host; /* may take small slopes for 0, or trap on NaN */
    terrain__float_enter(&host);
    status = score_take_desc(context, desc, &full);
    terrain__float_leave(&host);
    if (status == TERRAIN_SUCCESS) {
        status = score_new(context, &full, out);
    }
    terrain__context_leave(context);
    return status;
}

void terrain_score_destroy(terrain_score *score)
{
    if (score != NULL) {
        terrain_allocator allocator = score->allocator;
        terrain_statistics_destroy(score->sums.slopes);
        terrain__score_sets_free(&score->sets);
        terrain__free(&allocator, score, sizeof *score);
    }
}

/* ---- Slopes --------------------------------------------------------------------------------- */

/* Marks of a cell, beside those of score_sets.h. */
enum { SCORE_ACCESSIBLE = 4, SCORE_FLAT = 8, SCORE_CORNER = 16 };

/* One tile: the part of the map that is looked at, its slopes row by row, and its marks. Places are
 * those in the map. */
struct score_tile {
    const terrain_heightmap *map;
    uint32_t x0, y0, x1, y1;                /* the window … */
    uint32_t from_x, from_y, width, height; /* … and the part around it */
    float *slopes;                          /* a row of the part */
    uint8_t *marks;                         /* the part */
    uint8_t *counts;                        /* a row of the part, for squares */
};

/* The row's first or last cell, which has one neighbour beside it or none: a row of three. */
static float score_end_slope(const terrain_score *score, const float *north, const float *here,
                             const float *south, uint32_t x, uint32_t width, float cell_size)
{
    const float row[3] = {here[x > 0 ? x - 1 : x], here[x], here[x + 1 < width ? x + 1 : x]};
    float slope;
    score->kernels->slopes(&slope, north + x, row + 1, south + x, 1, cell_size);
    return slope;
}

/* Slopes of the part's columns, in row y of the map. */
static void score_slope_row(const terrain_score *score, const struct score_tile *tile, uint32_t y)
{
    const terrain_heightmap *map = tile->map;
    const float *here = map->data + y * map->stride;
    const float *north = y > 0 ? here - map->stride : here;
    const float *south = y < map->height - 1 ? here + map->stride : here;
    const uint32_t end = tile->from_x + tile->width;
    uint32_t first = tile->from_x, last = end;
    if (first == 0) {
        tile->slopes[0] =
            score_end_slope(score, north, here, south, first++, map->width, map->cell_size);
    }
    if (last == map->width && last > first) {
        last--;
        tile->slopes[last - tile->from_x] =
            score_end_slope(score, north, here, south, last, map->width, map->cell_size);
    }
    score->kernels->slopes(tile->slopes + (first - tile->from_x), north + first, here + first,
                           south + first, last - first, map->cell_size);
}

/* A call: each band of the part's rows has a row of slopes and sums of its own. */
struct score_job {
    const terrain_score *score;
    struct score_tile tile; /* all bands share its slopes */
    uint32_t from_row;
    terrain__bands bands; /* of the rows from from_row on that are looked at before the next poll */
    struct score_counts {
        uint64_t accessible, flat;
    } * counts;
    void *slopes; /* parts of statistics, and after them their sum */
    struct score_counts sums;
    terrain_statistics *slope_sums;
};

/* Adds the row's cells inside the window to the sums. */
static void score_sum_row(const struct score_tile *tile, const uint8_t *marks,
                          struct score_counts *counts, terrain_statistics *slopes)
{
    const uint32_t skipped = tile->x0 - tile->from_x, count = tile->x1 - tile->x0;
    terrain__statistics_add_cells(slopes, tile->slopes + skipped, count);
    for (uint32_t x = skipped; x < skipped + count; x++) {
        counts->accessible += (marks[x] & SCORE_ACCESSIBLE) != 0;
        counts->flat += (marks[x] & SCORE_FLAT) != 0;
    }
}

static void score_look(terrain__call *call, uint32_t index)
{
    const struct score_job *job = call->job;
    const terrain_score *score = job->score;
    struct score_tile tile = job->tile;
    struct score_counts *counts = &job->counts[index];
    terrain_statistics *slopes = terrain__statistics_part(job->slopes, index, score->sums.slopes);
    tile.slopes += (size_t)index * tile.width;
    counts->accessible = counts->flat = 0;
    for (uint32_t row = job->from_row + terrain__band_begin(&job->bands, index);
         row < job->from_row + terrain__band_end(&job->bands, index); row++) {
        const uint32_t y = tile.from_y + row;
        uint8_t *marks = tile.marks + (size_t)row * tile.width;
        score_slope_row(score, &tile, y);
        for (uint32_t x = 0; x < tile.width; x++) {
            marks[x] = (uint8_t)((tile.slopes[x] <= score->desc.unit_slope) * SCORE_ACCESSIBLE +
                                 (tile.slopes[x] <= score->desc.building_slope) * SCORE_FLAT);
        }
        if (y >= tile.y0 && y < tile.y1) {
            score_sum_row(&tile, marks, counts, slopes);
        }
    }
}

/* The bands of the rows from from_row on, as many as are looked at before the next poll. */
static terrain__bands score_bands(const struct score_tile *tile, uint32_t from_row)
{
    const uint32_t most = terrain__reader_rows(tile->width);
    return terrain__bands_of(terrain__lesser(most, tile->height - from_row),
                             SCORE_TASK_CELLS / tile->width + 1);
}

/* All rows of the part; their sums go to the job. */
static terrain_status score_look_at_all(terrain__reader *reader, struct score_job *job)
{
    const struct score_tile *tile = &job->tile;
    job->slope_sums =
        terrain__statistics_part(job->slopes, job->bands.count, job->score->sums.slopes);
    for (; job->from_row < tile->height; job->from_row += job->bands.rows) {
        terrain_status status = terrain__reader_poll_row(reader, tile->width, job->from_row,
                                                         tile->height, 0, SCORE_LOOKED);
        job->bands = score_bands(tile, job->from_row);
        if (status == TERRAIN_SUCCESS) {
            status = terrain__reader_run(reader, job->bands.count, score_look);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t i = 0; i < job->bands.count; i++) {
            job->sums.accessible += job->counts[i].accessible;
            job->sums.flat += job->counts[i].flat;
        }
        terrain__statistics_add_parts(job->slope_sums, job->slopes, job->bands.count);
    }
    return TERRAIN_SUCCESS;
}

/* ---- Squares -------------------------------------------------------------------------------- */

/* Marks the south-eastern corners of size x size cells that all have `mark`: counts[x] is how many
 * of them, up to `size`, end a run of as many cells one above the other. */
static terrain_status score_find_corners(const terrain__reader *reader,
                                         const struct score_tile *tile, uint8_t mark, uint32_t size,
                                         double done, double end)
{
    memset(tile->counts, 0, tile->width);
    for (uint32_t row = 0; row < tile->height; row++) {
        terrain_status status =
            terrain__reader_poll_row(reader, tile->width, row, tile->height, done, end);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        uint8_t *marks = tile->marks + (size_t)row * tile->width;
        uint32_t run = 0;
        for (uint32_t x = 0; x < tile->width; x++) {
            uint32_t column = tile->counts[x];
            run = (marks[x] & mark) != 0 ? run + 1 : 0;
            column = run < size ? 0 : column < size ? column + 1 : size;
            tile->counts[x] = (uint8_t)column;
            marks[x] = (uint8_t)((marks[x] & ~SCORE_CORNER) | (column == size ? SCORE_CORNER : 0));
        }
    }
    return TERRAIN_SUCCESS;
}

/* Gives `given` to all cells of the squares that have a corner marked: counts[x] is in how many
 * more rows northwards squares of this column lie. */
static terrain_status score_fill_squares(const terrain__reader *reader,
                                         const struct score_tile *tile, uint8_t given,
                                         uint32_t size, double done, double end)
{
    memset(tile->counts, 0, tile->width);
    for (uint32_t row = tile->height; row-- > 0;) {
        terrain_status status = terrain__reader_poll_row(
            reader, tile->width, tile->height - 1 - row, tile->height, done, end);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        uint8_t *marks = tile->marks + (size_t)row * tile->width;
        uint32_t run = 0;
        for (uint32_t x = tile->width; x-- > 0;) {
            uint32_t column = tile->counts[x];
            column = (marks[x] & SCORE_CORNER) != 0 ? size : column - (column > 0);
            run = column > 0 ? size : run - (run > 0);
            tile->counts[x] = (uint8_t)column;
            marks[x] = (uint8_t)(marks[x] | (run > 0 ? given : 0));
        }
    }
    return TERRAIN_SUCCESS;
}

/* Gives `given` to all cells of size x size cells that all have `mark`. */
static terrain_status score_give_squares(const terrain__reader *reader,
                                         const struct score_tile *tile, uint8_t mark, uint8_t given,
                                         uint32_t size, double done, double end)
{
    const double middle = (done + end) / 2;
    terrain_status status = score_find_corners(reader, tile, mark, size, done, middle);
    return status == TERRAIN_SUCCESS ? score_fill_squares(reader, tile, given, size, middle, end)
                                     : status;
}

/* Passable and buildable cells. A square of flat cells is no smaller than one of accessible cells,
 * and hangs together: it lies in one set of passable cells. */
static terrain_status score_find_squares(const terrain__reader *reader, const terrain_score *score,
                                         const struct score_tile *tile)
{
    terrain_status status =
        score_give_squares(reader, tile, SCORE_ACCESSIBLE, TERRAIN__SCORE_MEMBER,
                           score->desc.unit_size, SCORE_LOOKED, SCORE_PASSABLE);
    return status == TERRAIN_SUCCESS
               ? score_give_squares(reader, tile, SCORE_FLAT, TERRAIN__SCORE_BUILDING,
                                    score->desc.building_size, SCORE_PASSABLE, SCORE_BUILDABLE)
               : status;
}

/* ---- Adding --------------------------------------------------------------------------------- */

/* The window's place in the map; false if it doesn't lie within. */
static bool score_place(const terrain_heightmap *map, const terrain_window *window,
                        struct score_tile *tile)
{
    if (!terrain__heightmap_place(map, window, &tile->x0, &tile->y0)) {
        return false;
    }
    tile->map = map;
    tile->x1 = tile->x0 + window->width;
    tile->y1 = tile->y0 + window->height;
    return true;
}

/* The part that squares which reach into the window may cover. */
static void score_surround(struct score_tile *tile, uint32_t reach)
{
    uint32_t left_x = tile->map->width - tile->x1, left_y = tile->map->height - tile->y1;
    tile->from_x = tile->x0 - (tile->x0 < reach ? tile->x0 : reach);
    tile->from_y = tile->y0 - (tile->y0 < reach ? tile->y0 : reach);
    tile->width = tile->x1 + (left_x < reach ? left_x : reach) - tile->from_x;
    tile->height = tile->y1 + (left_y < reach ? left_y : reach) - tile->from_y;
}

/* Nothing of the score is written before the last step has succeeded. */
static terrain_status score_add_tile(terrain__reader *reader, terrain_score *score,
                                     struct score_job *job, const terrain_window *window)
{
    const struct score_tile *tile = &job->tile;
    terrain_status status = score_look_at_all(reader, job);
    if (status == TERRAIN_SUCCESS) {
        status = score_find_squares(reader, score, tile);
    }
    if (status == TERRAIN_SUCCESS) {
        status =
            terrain__score_sets_add(&score->sets, reader, SCORE_BUILDABLE, window,
                                    tile->marks + (size_t)(tile->y0 - tile->from_y) * tile->width +
                                        (tile->x0 - tile->from_x),
                                    tile->width);
    }
    if (status == TERRAIN_ERROR_MEMORY) {
        terrain__reader_fail(reader, status, "no memory");
    }
    if (status == TERRAIN_SUCCESS) {
        score->sums.accessible += job->sums.accessible;
        score->sums.flat += job->sums.flat;
        terrain__statistics_add_parts(score->sums.slopes, job->slope_sums, 1);
    }
    return status;
}

/* Gets memory, adds, and frees it. */
static terrain_status score_add(terrain__reader *reader, terrain_score *score,
                                struct score_job *job, const terrain_window *window)
{
    terrain__shelf *shelf = terrain__context_shelf(reader->context);
    struct score_tile *tile = &job->tile;
    const uint32_t bands = job->bands.count;
    terrain_status status;
    size_t size;
    job->counts = terrain__shelf_take(shelf, bands * sizeof *job->counts);
    job->slopes = terrain__shelf_take(shelf, (bands + 1) * terrain__statistics_size());
    tile->slopes = terrain__shelf_take(shelf, (size_t)bands * tile->width * sizeof(float));
    tile->counts = terrain__shelf_take(shelf, tile->width);
    tile->marks = terrain__multiply_size(tile->width, tile->height, &size)
                      ? terrain__shelf_take(shelf, size)
                      : NULL;
    reader->map = tile->map;
    reader->job = job;
    status = job->counts != NULL && job->slopes != NULL && tile->slopes != NULL &&
                     tile->counts != NULL && tile->marks != NULL
                 ? score_add_tile(reader, score, job, window)
                 : terrain__reader_fail(reader, TERRAIN_ERROR_MEMORY, "no memory");
    terrain__shelf_give(shelf, job->counts);
    terrain__shelf_give(shelf, job->slopes);
    terrain__shelf_give(shelf, tile->slopes);
    terrain__shelf_give(shelf, tile->counts);
    terrain__shelf_give(shelf, tile->marks);
    return status;
}

static terrain_status score_check(const terrain__reader *reader, const terrain_score *score,
                                  const terrain_heightmap *map, const terrain_window *window,
                                  struct score_job *job)
{
    if (!score_place(map, window, &job->tile)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "the window must lie within the map");
    }
    if (terrain__score_sets_overlap(&score->sets, window)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "the window overlaps one that was added before");
    }
    score_surround(&job->tile, score->desc.building_size - 1);
    job->score = score;
    job->bands = score_bands(&job->tile, 0); /* never more later: bands are equally high */
    return TERRAIN_SUCCESS;
}

terrain_status terrain_score_add(terrain_context *context, terrain_score *score,
                                 const terrain_heightmap *map, const terrain_window *window)
{
    struct score_job job = {.score = NULL};
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, "score_add");
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (score == NULL || map == NULL) {
        status = terrain__reader_fail(&reader, TERRAIN_ERROR_ARGUMENT, "%s is NULL",
                                      score == NULL ? "score" : "map");
    } else {
        const terrain_window all = {map->x, map->y, map->width, map->height};
        window = window != NULL ? window : &all;
        status = score_check(&reader, score, map, window, &job);
        if (status == TERRAIN_SUCCESS) {
            status = score_add(&reader, score, &job, window);
        }
    }
    return terrain__reader_leave(&reader, status);
}

static bool score_descs_equal(const terrain_score_desc *a, const terrain_score_desc *b)
{
    terrain__float_environment host; /* may take small slopes for 0 */
    terrain__float_enter(&host);
    const bool equal = a->unit_slope == b->unit_slope && a->building_slope == b->building_slope &&
                       a->unit_size == b->unit_size && a->building_size == b->building_size;
    terrain__float_settle(&equal);
    terrain__float_leave(&host);
    return equal;
}

terrain_status terrain_score_merge(terrain_score *into, const terrain_score *from)
{
    if (into == NULL || from == NULL || into == from ||
        !score_descs_equal(&into->desc, &from->desc)) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    for (const struct terrain__score_set_tile *tile = from->sets.tiles; tile != NULL;
         tile = tile->next) {
        if (terrain__score_sets_overlap(&into->sets, &tile->window)) {
            return TERRAIN_ERROR_ARGUMENT;
        }
    }
    terrain_status status = terrain__score_sets_merge(&into->sets, &from->sets);
    if (status == TERRAIN_SUCCESS) {
        into->sums.accessible += from->sums.accessible;
        into->sums.flat += from->sums.flat;
        terrain_statistics_merge(into->sums.slopes, from->sums.slopes);
    }
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

uint64_t terrain_score_count(const terrain_score *score)
{
    return score != NULL ? terrain_statistics_count(score->sums.slopes) : 0;
}

uint64_t terrain_score_accessible(const terrain_score *score)
{
    return score != NULL ? score->sums.accessible : 0;
}

uint64_t terrain_score_flat(const terrain_score *score)
{
    return score != NULL ? score->sums.flat : 0;
}

static void score_largest(const terrain_score *score, uint64_t *cells, uint64_t *buildings)
{
    *cells = *buildings = 0;
    if (score != NULL) {
        terrain__score_sets_largest(&score->sets, cells, buildings);
    }
}

uint64_t terrain_score_reachable(const terrain_score *score)
{
    uint64_t cells, buildings;
    score_largest(score, &cells, &buildings);
    return cells;
}

uint64_t terrain_score_buildable(const terrain_score *score)
{
    uint64_t cells, buildings;
    score_largest(score, &cells, &buildings);
    return buildings;
}

double terrain_score_mean_slope(const terrain_score *score)
{
    return score != NULL ? terrain_statistics_mean(score->sums.slopes) : (double)NAN;
}

double terrain_score_erosion(const terrain_score *score)
{
    terrain__float_environment host;
    double mean = terrain_score_mean_slope(score);
    if (!(mean > 0)) {
        return mean;
    }
    double deviation = terrain_statistics_standard_deviation(score->sums.slopes);
    terrain__float_enter(&host);
    terrain__float_settle(&deviation);
    double erosion = deviation / mean;
    terrain__float_settle(&erosion);
    terrain__float_leave(&host);
    return erosion;
}

double terrain_score_playability(const terrain_score *score)
{
    terrain__float_environment host;
    uint64_t cells, buildings, count = terrain_score_count(score);
    if (count == 0) {
        return (double)NAN;
    }
    score_largest(score, &cells, &buildings);
    terrain__float_enter(&host);
    terrain__float_settle(&count);
    double playability = (double)cells / (double)count * ((double)buildings / (double)count);
    terrain__float_settle(&playability);
    terrain__float_leave(&host);
    return playability;
}
