/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Canyons along lines: see canyons.h. A task copies areas of the map into its canyons_work, finds
 * the pieces that matter there, and lets the kernels carve each patch with those. */

#include "erode/canyons.h"

#include <math.h>
#include <string.h>

#include "base/math.h"

enum {
    CANYONS_BIN = 32,   /* cells on a side of a bin */
    CANYONS_AREA = 32,  /* cells on a side of an area */
    CANYONS_PATCHES = 4 /* patches on a side of an area */
};

/* A piece whose floor falls nearly as steeply as walls, or more steeply, is nowhere lower than the
 * cone of its last point, so only that point counts. */
#define CANYONS_STEEP 0.999f

/* The numbers of a piece, in the order of the columns of canyons_cones. */
enum {
    CANYONS_X,
    CANYONS_Y,
    CANYONS_EAST,
    CANYONS_SOUTH,
    CANYONS_LENGTH,
    CANYONS_HIGH,
    CANYONS_FALL,
    CANYONS_LEAD,
    CANYONS_HALF_WIDTH,
    CANYONS_MARK,
    CANYONS_NUMBERS
};

_Static_assert((int)CANYONS_NUMBERS == (int)TERRAIN__CANYONS_NUMBERS, "a column for each");

/* The area that a task works on. */
struct canyons_work {
    const struct canyons *canyons;
    const struct canyons_kernels *kernels;
    struct canyons_walls walls;
    int64_t x, y;           /* its first cell */
    uint32_t width, height; /* its cells on the map */
    bool covers;            /* whether marks are wanted */
    uint32_t count;         /* pieces in `all` */
    struct canyons_cones all, near;
    struct canyons_weights weights, corner;
    uint32_t kept[TERRAIN__CANYONS_BATCH];
    float ground[CANYONS_AREA * CANYONS_AREA]; /* patch by patch */
    float heights[CANYONS_AREA * CANYONS_AREA];
    float marks[CANYONS_AREA * CANYONS_AREA];
};

/* Bands of rows of areas. */
static terrain__bands canyons_bands(const terrain__call *call)
{
    return terrain__bands_of((call->target.height - 1) / CANYONS_AREA + 1, 1);
}

uint32_t terrain__canyons_tasks(const terrain__call *call)
{
    return canyons_bands(call).count;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

terrain_status terrain__canyons_prepare(terrain__call *call, struct canyons *canyons, size_t most,
                                        float bank, uint32_t reach)
{
    struct canyons_columns *sorted = &canyons->sorted;
    if (call->target.width > TERRAIN__CANYONS_MOST_CELLS ||
        call->target.height > TERRAIN__CANYONS_MOST_CELLS) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "the map is %lux%lu, must have at most 2^30 columns and rows",
                             (unsigned long)call->target.width, (unsigned long)call->target.height);
    }
    if ((uint64_t)most > UINT32_MAX) { /* `starts` has numbers of pieces */
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "the map is %lux%lu, must have less than 2^32 pieces of canyons",
                             (unsigned long)call->target.width, (unsigned long)call->target.height);
    }
    canyons->bank = (float)((double)bank * (double)call->cell_size);
    canyons->reach = (float)reach;
    canyons->most = most;
    canyons->pieces = terrain__scratch(call, most, sizeof *canyons->pieces);
    sorted->x = terrain__scratch(call, most, sizeof *sorted->x);
    sorted->y = terrain__scratch(call, most, sizeof *sorted->y);
    for (uint32_t i = 0; i < CANYONS_NUMBERS; i++) {
        sorted->numbers[i] = terrain__scratch(call, most, sizeof *sorted->numbers[i]);
    }
    canyons->work = terrain__scratch(call, terrain__canyons_tasks(call), sizeof *canyons->work);
    canyons->margin = (int64_t)reach / CANYONS_BIN + 1;
    canyons->columns = call->target.width / CANYONS_BIN + 1 + 2 * canyons->margin;
    canyons->rows = call->target.height / CANYONS_BIN + 1 + 2 * canyons->margin;
    canyons->starts = terrain__scratch(call, (size_t)(canyons->columns * canyons->rows) + 2,
                                       sizeof *canyons->starts);
    return TERRAIN_SUCCESS;
}

void terrain__canyons_add(struct canyons_piece *piece, const int64_t from[2], const int64_t to[2],
                          float first, float last, float half_width, float mark)
{
    const float most = TERRAIN__CANYONS_MOST_HEIGHT;
    const float part = 1.0f / TERRAIN__CANYONS_PLACES;
    const int64_t x = terrain__floor_div(from[0], TERRAIN__CANYONS_PLACES);
    const int64_t y = terrain__floor_div(from[1], TERRAIN__CANYONS_PLACES);
    const bool there = first >= -most && first <= most && last >= -most && last <= most;
    piece->x = (int32_t)x;
    piece->y = (int32_t)y;
    piece->part_x = (float)(from[0] - x * TERRAIN__CANYONS_PLACES) * part;
    piece->part_y = (float)(from[1] - y * TERRAIN__CANYONS_PLACES) * part;
    piece->east = (float)(to[0] - from[0]) * part;
    piece->south = (float)(to[1] - from[1]) * part;
    piece->first = first;
    piece->last = last;
    piece->half_width = there ? half_width : -1;
    piece->mark = mark;
}

/* ---- Sort ------------------------------------------------------------------------------------ */

/* The bin of a cell; cells outside all bins belong to the nearest one. */
static int64_t canyons_bin(int64_t cell, int64_t margin, int64_t count)
{
    const int64_t bin = terrain__floor_div(cell, CANYONS_BIN) + margin;
    return bin < 0 ? 0 : bin < count ? bin : count - 1;
}

static size_t canyons_bin_of(const struct canyons *canyons, const struct canyons_piece *piece)
{
    const int64_t x = piece->x + (int64_t)(0.5f * piece->east);
    const int64_t y = piece->y + (int64_t)(0.5f * piece->south);
    return (size_t)(canyons_bin(y, canyons->margin, canyons->rows) * canyons->columns +
                    canyons_bin(x, canyons->margin, canyons->columns));
}

/* Turns a piece so that it falls, and computes the numbers that kernels read. */
static void canyons_place(const struct canyons *canyons, const struct canyons_piece *piece,
                          size_t at)
{
    const struct canyons_columns *to = &canyons->sorted;
    const bool turned = piece->last > piece->first;
    const float high = turned ? piece->last : piece->first;
    const float low = turned ? piece->first : piece->last;
    const float squares = piece->east * piece->east + piece->south * piece->south;
    const float length = terrain__sqrtf(squares);
    const float ratio = length > 0 ? (high - low) / (length * canyons->bank) : 1;
    const bool point = !(ratio < CANYONS_STEEP);
    const float sign = turned ? -1.0f : 1.0f;
    /* From the first point to the one at which the piece now starts. */
    const bool end = point ? !turned : turned;
    to->x[at] = piece->x;
    to->y[at] = piece->y;
    to->numbers[CANYONS_X][at] = piece->part_x + (end ? piece->east : 0);
    to->numbers[CANYONS_Y][at] = piece->part_y + (end ? piece->south : 0);
    to->numbers[CANYONS_EAST][at] = point ? 1 : sign * piece->east / length;
    to->numbers[CANYONS_SOUTH][at] = point ? 0 : sign * piece->south / length;
    to->numbers[CANYONS_LENGTH][at] = point ? 0 : length;
    to->numbers[CANYONS_HIGH][at] = point ? low : high;
    to->numbers[CANYONS_FALL][at] = point ? 0 : (high - low) / length;
    to->numbers[CANYONS_LEAD][at] = point ? 0 : ratio / terrain__sqrtf(1 - ratio * ratio);
    to->numbers[CANYONS_HALF_WIDTH][at] =
        piece->half_width < canyons->reach ? piece->half_width : canyons->reach;
    to->numbers[CANYONS_MARK][at] = piece->mark;
}

void terrain__canyons_sort(struct canyons *canyons)
{
    const size_t bins = (size_t)(canyons->columns * canyons->rows);
    float extent = 0;
    memset(canyons->starts, 0, (bins + 2) * sizeof *canyons->starts);
    for (size_t i = 0; i < canyons->count; i++) {
        const struct canyons_piece *piece = &canyons->pieces[i];
        if (piece->half_width >= 0) {
            const float east = terrain__absolutef(piece->east),
                        south = terrain__absolutef(piece->south);
            const float longest = east > south ? east : south;
            extent = longest > extent ? longest : extent;
            canyons->starts[canyons_bin_of(canyons, piece) + 2]++;
        }
    }
    canyons->extent = (int64_t)(0.5f * extent) + 2;
    for (size_t bin = 0; bin < bins; bin++) {
        canyons->starts[bin + 2] += canyons->starts[bin + 1];
    }
    for (size_t i = 0; i < canyons->count; i++) {
        const struct canyons_piece *piece = &canyons->pieces[i];
        if (piece->half_width >= 0) {
            canyons_place(canyons, piece, canyons->starts[canyons_bin_of(canyons, piece) + 1]++);
        }
    }
}

/* ---- Areas and patches ----------------------------------------------------------------------- */

/* A column of a batch, by its number. */
static float *canyons_column(struct canyons_cones *cones, uint32_t number)
{
    float *const columns[CANYONS_NUMBERS] = {
        cones->x,    cones->y,    cones->east, cones->south,      cones->length,
        cones->high, cones->fall, cones->lead, cones->half_width, cones->mark};
    return columns[number];
}

/* Adds consecutive sorted pieces to the batch, with places relative to the area's first cell. */
static void canyons_gather(struct canyons_work *work, uint32_t from, uint32_t count)
{
    const struct canyons_columns *sorted = &work->canyons->sorted;
    struct canyons_cones *cones = &work->all;
    const uint32_t at = work->count;
    for (uint32_t k = 0; k < CANYONS_NUMBERS; k++) {
        memcpy(canyons_column(cones, k) + at, sorted->numbers[k] + from, count * sizeof(float));
    }
    for (uint32_t i = 0; i < count; i++) {
        cones->x[at + i] += (float)(sorted->x[from + i] - (int32_t)work->x);
        cones->y[at + i] += (float)(sorted->y[from + i] - (int32_t)work->y);
    }
    work->count += count;
}

static float canyons_highest(const float *heights, uint32_t count)
{
    float highest = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        highest = heights[i] > highest ? heights[i] : highest;
    }
    return highest;
}

static float canyons_height_error(float wall)
{
    return terrain__absolutef(wall) * TERRAIN__CANYONS_HEIGHT_ERROR;
}

/* Finds the pieces that may be lowest somewhere in a square of `side` cells, whose ground is
 * nowhere above `highest`. Leaves out pieces that are everywhere higher than the one that is lowest
 * in the middle. That one must show its walls in the whole square: where it is only as deep as its
 * reach permits (`least`), a nearer one may be deeper. */
static uint32_t canyons_sift_square(struct canyons_work *work, const struct canyons_cones *cones,
                                    uint32_t count, float x, float y, uint32_t side, float highest)
{
    const struct canyons_kernels *kernels = work->kernels;
    const float half = 0.5f * (float)(side - 1);
    /* A little more than sqrt(2) half, because of rounding. */
    const float radius = 1.42f * half + 0.0625f;
    const float bank = work->walls.bank, reach = work->canyons->reach;
    const float rise_error = bank * radius * TERRAIN__CANYONS_RISE_ERROR;
    const float slack = rise_error + canyons_height_error(highest);
    struct canyons_weights *weights = &work->weights;
    struct canyons_bounds bounds;
    uint32_t lowest = 0;
    kernels->weigh(cones, 0, count, x + half, y + half, bank, weights);
    for (uint32_t i = 1; i < count; i++) {
        lowest = weights->wall[i] < weights->wall[lowest] ? i : lowest;
    }
    float wall = weights->wall[lowest];
    const float far = terrain__sqrtf(weights->square[lowest]) + radius;
    const float left = work->walls.square - far * far;
    bounds.half = half;
    bounds.ground = highest + slack;
    bounds.square = (reach + radius) * (reach + radius);
    bounds.beaten = (far + radius) * (far + radius);
    if (left > 0 && wall - bank * radius - canyons_height_error(wall) >=
                        highest - work->walls.limit * left + slack) {
        bounds.beaten = -1;
    }
    for (uint32_t k = 0; k < 4; k++) {
        const float east = k % 2 == 0 ? -half : half, south = k < 2 ? -half : half;
        kernels->weigh(cones, lowest, 1, x + half + east, y + half + south, bank, &work->corner);
        wall = work->corner.wall[0];
        bounds.corner[k] = wall + canyons_height_error(wall) + rise_error;
    }
    return kernels->sift(weights, count, &bounds, work->kept);
}

/* Marks the cells of a patch that lie on floors. */
static void canyons_cover_patch(struct canyons_work *work, float x, float y, float *marks)
{
    const float middle = 0.5f * (TERRAIN__CANYONS_PATCH - 1), radius = 1.42f * middle;
    work->kernels->weigh(&work->all, 0, work->count, x + middle, y + middle, work->walls.bank,
                         &work->weights);
    for (uint32_t i = 0; i < work->count; i++) {
        const float most = work->all.half_width[i] + radius;
        if (work->weights.square[i] <= most * most) {
            work->kernels->cover(marks, &work->all, i, x, y);
        }
    }
}

/* Carves the gathered pieces. */
static void canyons_carve_gathered(struct canyons_work *work)
{
    const uint32_t cells = CANYONS_AREA * CANYONS_AREA;
    const float highest = canyons_highest(work->ground, cells);
    const uint32_t near =
        canyons_sift_square(work, &work->all, work->count, 0, 0, CANYONS_AREA, highest);
    for (uint32_t k = 0; k < CANYONS_NUMBERS; k++) {
        float *to = canyons_column(&work->near, k);
        const float *from = canyons_column(&work->all, k);
        for (uint32_t i = 0; i < near; i++) {
            to[i] = from[work->kept[i]];
        }
    }
    for (uint32_t patch = 0; patch < CANYONS_PATCHES * CANYONS_PATCHES; patch++) {
        const float x = (float)(patch % CANYONS_PATCHES * TERRAIN__CANYONS_PATCH);
        const float y = (float)(patch / CANYONS_PATCHES * TERRAIN__CANYONS_PATCH);
        if (x >= (float)work->width || y >= (float)work->height) {
            continue; /* beyond the map */
        }
        const float *ground = work->ground + patch * TERRAIN__CANYONS_CELLS;
        const float top = canyons_highest(ground, TERRAIN__CANYONS_CELLS);
        const uint32_t count = near == 0 ? 0
                                         : canyons_sift_square(work, &work->near, near, x, y,
                                                               TERRAIN__CANYONS_PATCH, top);
        for (uint32_t i = 0; i < count; i++) {
            work->kernels->carve(work->heights + patch * TERRAIN__CANYONS_CELLS, ground,
                                 &work->near, work->kept[i], x, y, &work->walls);
        }
        if (work->covers) {
            canyons_cover_patch(work, x, y, work->marks + patch * TERRAIN__CANYONS_CELLS);
        }
    }
    work->count = 0;
}

/* Carves all pieces within reach of the area. */
static void canyons_carve_area(struct canyons_work *work)
{
    const struct canyons *c = work->canyons;
    const int64_t away = (int64_t)c->reach + c->extent;
    const int64_t left = canyons_bin(work->x - away, c->margin, c->columns);
    const int64_t right = canyons_bin(work->x + CANYONS_AREA + away, c->margin, c->columns);
    const int64_t bottom = canyons_bin(work->y + CANYONS_AREA + away, c->margin, c->rows);
    for (int64_t row = canyons_bin(work->y - away, c->margin, c->rows); row <= bottom; row++) {
        uint32_t from = c->starts[row * c->columns + left];
        const uint32_t end = c->starts[row * c->columns + right + 1];
        while (from < end) {
            const uint32_t room = TERRAIN__CANYONS_BATCH - work->count;
            const uint32_t count = end - from < room ? end - from : room;
            canyons_gather(work, from, count);
            from += count;
            if (work->count == TERRAIN__CANYONS_BATCH) {
                canyons_carve_gathered(work);
            }
        }
    }
    if (work->count > 0) {
        canyons_carve_gathered(work);
    }
}

/* The index of a cell of the area in the work's cells, which are stored patch by patch. */
static size_t canyons_at(uint32_t x, uint32_t y)
{
    const uint32_t patch =
        y / TERRAIN__CANYONS_PATCH * CANYONS_PATCHES + x / TERRAIN__CANYONS_PATCH;
    return (size_t)patch * TERRAIN__CANYONS_CELLS +
           (size_t)(y % TERRAIN__CANYONS_PATCH) * TERRAIN__CANYONS_PATCH +
           x % TERRAIN__CANYONS_PATCH;
}

/* Bytes of a patch's row from column x on, up to the map's edge. */
static size_t canyons_row_bytes(const struct canyons_work *work, uint32_t x)
{
    return terrain__lesser(work->width - x, TERRAIN__CANYONS_PATCH) * sizeof(float);
}

static void canyons_load(struct canyons_work *work, const float *map, size_t stride)
{
    for (uint32_t y = 0; y < work->height; y++) {
        for (uint32_t x = 0; x < work->width; x += TERRAIN__CANYONS_PATCH) {
            memcpy(work->ground + canyons_at(x, y), map + y * stride + x,
                   canyons_row_bytes(work, x));
        }
    }
}

static void canyons_store(const struct canyons_work *work, const float *cells, float *map,
                          size_t stride)
{
    for (uint32_t y = 0; y < work->height; y++) {
        for (uint32_t x = 0; x < work->width; x += TERRAIN__CANYONS_PATCH) {
            memcpy(map + y * stride + x, cells + canyons_at(x, y), canyons_row_bytes(work, x));
        }
    }
}

/* Carves an area of the map in a copy that has all of its cells; those outside the map are
 * -infinity, below which nothing is carved. */
static void canyons_do_area(terrain__call *call, struct canyons_work *work, terrain__plane floors)
{
    const size_t place = (size_t)work->y * call->map.stride + (size_t)work->x;
    for (uint32_t i = 0; i < CANYONS_AREA * CANYONS_AREA; i++) {
        work->ground[i] = -INFINITY;
        work->marks[i] = 0;
    }
    canyons_load(work, call->map.cells + place, call->map.stride);
    memcpy(work->heights, work->ground, sizeof work->heights);
    canyons_carve_area(work);
    canyons_store(work, work->heights, terrain__target_row(call, work->y) + work->x,
                  call->target.stride);
    if (floors.cells != NULL) {
        canyons_store(work, work->marks, terrain__plane_row(&floors, work->y) + work->x,
                      floors.stride);
    }
}

void terrain__canyons_carve(terrain__call *call, const struct canyons *canyons,
                            terrain__plane floors, uint32_t index)
{
    const terrain__bands bands = canyons_bands(call);
    const uint32_t end = terrain__band_end(&bands, index);
    struct canyons_work *work = &canyons->work[index];
    work->canyons = canyons;
    work->kernels = terrain__canyons_kernels(call->isa);
    work->walls.bank = canyons->bank;
    work->walls.square = canyons->reach * canyons->reach;
    work->walls.limit = canyons->bank / (2 * canyons->reach);
    work->covers = floors.cells != NULL;
    work->count = 0;
    for (uint32_t row = terrain__band_begin(&bands, index); row < end; row++) {
        for (uint32_t x = 0; x < call->target.width; x += CANYONS_AREA) {
            const uint32_t y = row * CANYONS_AREA;
            const uint32_t right = call->target.width - x, below = call->target.height - y;
            work->x = x;
            work->y = y;
            work->width = right < CANYONS_AREA ? right : CANYONS_AREA;
            work->height = below < CANYONS_AREA ? below : CANYONS_AREA;
            canyons_do_area(call, work, floors);
        }
    }
}
