/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Skirts along shared edges: see skirt.h. */

#include "stitch/skirt.h"

#include <math.h>
#include <string.h>

#include "stitch/skirt_kernels.h"

/* Heights of matched seams are rounded, each by at most 2^-24 of the greatest: |a1 + b1 - 2 m|
 * gathers four of them. Twice that is no kink. */
#define SKIRT_ROUNDING 0x1p-21

double terrain__stitch_curve(terrain_stitch_curve curve, double t)
{
    switch (curve) {
    case TERRAIN_STITCH_CURVE_SMOOTHER:
        return 1 - t * t * t * (t * (6 * t - 15) + 10);
    case TERRAIN_STITCH_CURVE_SMOOTH:
        return 1 - t * t * (3 - 2 * t);
    default:
        return 1 - t;
    }
}

/* ---- Preparing ------------------------------------------------------------------------------- */

/* Floats that a seam takes for each cell of its length. */
static uint32_t skirt_seam_lines(const terrain__skirt_job *job)
{
    return 4 * job->lines - 1;
}

static void skirt_prepare_axis(terrain__call *call, terrain__skirt_axis *axis, uint32_t length,
                               uint32_t lines, uint32_t width)
{
    uint32_t most = length > lines ? length - lines : 1;
    axis->length = length;
    axis->reach = width < most ? width : most;
    for (uint32_t i = 0; i < lines; i++) {
        axis->profile[i] = terrain__scratch(call, length, sizeof(float));
        axis->reversed[i] = terrain__scratch(call, length, sizeof(float));
    }
}

terrain_status terrain__skirt_prepare(terrain__call *call, uint32_t lines, uint32_t width)
{
    terrain__skirt_job *job = call->job;
    const uint32_t columns = call->columns, rows = call->rows;
    const terrain__view map = call->map;
    if ((columns > 1 && map.width < 2 * lines) || (rows > 1 && map.height < 2 * lines)) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "maps are %lux%lu, must be at least %lu cells where they have "
                             "neighbours",
                             (unsigned long)map.width, (unsigned long)map.height,
                             (unsigned long)(2 * lines));
    }
    job->lines = lines;
    skirt_prepare_axis(call, &job->x, map.width, lines, width);
    skirt_prepare_axis(call, &job->y, map.height, lines, width);
    job->vertical = terrain__scratch(call, (size_t)(columns - 1) * rows * skirt_seam_lines(job),
                                     map.height * sizeof(float));
    job->horizontal = terrain__scratch(call, (size_t)columns * (rows - 1) * skirt_seam_lines(job),
                                       map.width * sizeof(float));
    terrain__expect_passes(call, 2);
    return TERRAIN_SUCCESS;
}

void terrain__skirt_reverse(terrain__skirt_axis *axis, uint32_t lines)
{
    for (uint32_t i = 0; i < lines; i++) {
        for (uint32_t d = 0; d < axis->length; d++) {
            axis->reversed[i][axis->length - 1 - d] = axis->profile[i][d];
        }
    }
}

/* ---- Across a seam --------------------------------------------------------------------------- */

static double skirt_finite(double value)
{
    return isfinite(value) ? value : 0;
}

/* One NaN for all, so that shared cells are equal to the bit. */
static float skirt_round(double value)
{
    return isnan(value) ? NAN : (float)value;
}

/* The greater absolute value. */
static double skirt_greater(double a, double b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    return a > b ? a : b;
}

/* Computes the heights of the seam's lines from those of the first map's and the second map's
 * lines. `from` goes across, and holds the shared line twice. */
static void skirt_meet(const double *from, uint32_t lines, double *to)
{
    if (lines == 1) {
        to[0] = (from[0] + from[1]) * 0.5;
        return;
    }
    double middle = (from[1] + from[2]) * 0.5;
    double slope = ((from[1] - from[0]) + (from[3] - from[2])) * 0.5;
    double kink = (from[0] + from[3]) - 2 * middle;
    double none = SKIRT_ROUNDING * skirt_greater(from[0], skirt_greater(from[3], middle));
    bool matched = from[1] == from[2] && kink <= none && -kink <= none;
    to[0] = matched ? from[0] : middle - slope;
    to[1] = middle;
    to[2] = matched ? from[3] : middle + slope;
}

/* The cells around the corner at which map (column, row) meets its eastern, southern and
 * south-eastern neighbours, row by row: 2 lines - 1 each way. */
static void skirt_corner(const terrain__call *call, uint32_t column, uint32_t row, double *corner)
{
    const terrain__skirt_job *job = call->job;
    const uint32_t lines = job->lines, across = 2 * lines - 1;
    double met[2 * TERRAIN__SKIRT_LINES][TERRAIN__SKIRT_ACROSS];
    for (uint32_t k = 0; k < 2 * lines; k++) {
        bool south = k >= lines;
        terrain__plane west = terrain__grid_plane(call, column, row + south);
        terrain__plane east = terrain__grid_plane(call, column + 1, row + south);
        uint32_t y = south ? k - lines : job->y.length - lines + k;
        double from[2 * TERRAIN__SKIRT_LINES];
        for (uint32_t i = 0; i < lines; i++) {
            from[i] = (double)west.cells[y * west.stride + job->x.length - lines + i];
            from[lines + i] = (double)east.cells[y * east.stride + i];
        }
        skirt_meet(from, lines, met[k]);
    }
    for (uint32_t p = 0; p < across; p++) {
        double from[2 * TERRAIN__SKIRT_LINES], to[TERRAIN__SKIRT_ACROSS];
        for (uint32_t k = 0; k < 2 * lines; k++) {
            from[k] = met[k][p];
        }
        skirt_meet(from, lines, to);
        for (uint32_t q = 0; q < across; q++) {
            corner[q * across + p] = to[q];
        }
    }
}

/* ---- Along a seam ---------------------------------------------------------------------------- */

/* An end of a seam at which four maps meet. */
struct skirt_end {
    bool met;
    double change[TERRAIN__SKIRT_LINES]
                 [TERRAIN__SKIRT_ACROSS]; /* beyond the mean, by line from the end */
    float height[TERRAIN__SKIRT_LINES][TERRAIN__SKIRT_ACROSS];
};

struct skirt_seam {
    uint32_t lines;
    terrain__skirt_axis axis; /* along the seam */
    /* In the first map and in the second: the edge's first cell, the way inwards, the way along. */
    const float *edge[2];
    ptrdiff_t inwards[2];
    ptrdiff_t along[2];
    float *heights;    /* 2 lines - 1 lines, each as long as the seam */
    float *changes[2]; /* `lines` lines */
    struct skirt_end ends[2];
};

/* The new heights at place t, without what the ends add. */
static void skirt_mean(const struct skirt_seam *seam, uint32_t t, double *to)
{
    const uint32_t lines = seam->lines;
    double from[2 * TERRAIN__SKIRT_LINES];
    for (uint32_t i = 0; i < lines; i++) {
        const ptrdiff_t depth = (ptrdiff_t)i;
        const ptrdiff_t place = (ptrdiff_t)t;
        from[lines - 1 - i] =
            (double)seam->edge[0][depth * seam->inwards[0] + place * seam->along[0]];
        from[lines + i] = (double)seam->edge[1][depth * seam->inwards[1] + place * seam->along[1]];
    }
    skirt_meet(from, lines, to);
}

/* corner: its cells; `step` from one line along the seam to the next, away from the corner, and
 * `across` from one line across to the next. */
static void skirt_set_end(struct skirt_seam *seam, uint32_t end, const double *corner, int32_t step,
                          int32_t across)
{
    const int32_t width = 2 * (int32_t)seam->lines - 1;
    const int32_t centre = (width / 2) * (step < 0 ? -step : step);
    struct skirt_end *e = &seam->ends[end];
    e->met = true;
    for (uint32_t j = 0; j < seam->lines; j++) {
        double mean[TERRAIN__SKIRT_ACROSS];
        skirt_mean(seam, end == 0 ? j : seam->axis.length - 1 - j, mean);
        for (int32_t p = 0; p < width; p++) {
            /* Not rounded before the difference: what heights across the seam have in common along
             * it would be lost, and a matched seam would not count as one. */
            const double height = corner[centre + (int32_t)j * step + p * across];
            e->height[j][p] = skirt_round(height);
            e->change[j][p] = skirt_finite(height - mean[p]);
        }
    }
}

/* The amount that the ends add at place t. */
static double skirt_from_ends(const struct skirt_seam *seam, uint32_t t, uint32_t p)
{
    double from[2] = {0, 0};
    for (int end = 0; end < 2; end++) {
        float *const *profile = end == 0 ? seam->axis.profile : seam->axis.reversed;
        for (uint32_t j = 0; seam->ends[end].met && j < seam->lines; j++) {
            from[end] += (double)profile[j][t] * seam->ends[end].change[j][p];
        }
    }
    return from[0] + from[1];
}

static void skirt_make_heights(struct skirt_seam *seam)
{
    const uint32_t across = 2 * seam->lines - 1;
    const uint32_t length = seam->axis.length;
    for (uint32_t t = 0; t < length; t++) {
        double to[TERRAIN__SKIRT_ACROSS];
        skirt_mean(seam, t, to);
        for (uint32_t p = 0; p < across; p++) {
            double more = skirt_from_ends(seam, t, p);
            seam->heights[(size_t)p * length + t] = skirt_round(more == 0 ? to[p] : to[p] + more);
        }
    }
    for (int end = 0; end < 2; end++) {
        for (uint32_t j = 0; seam->ends[end].met && j < seam->lines; j++) {
            uint32_t t = end == 0 ? j : length - 1 - j;
            for (uint32_t p = 0; p < across; p++) {
                seam->heights[(size_t)p * length + t] = seam->ends[end].height[j][p];
            }
        }
    }
}

static void skirt_make_changes(struct skirt_seam *seam)
{
    const uint32_t length = seam->axis.length;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < seam->lines; i++) {
            uint32_t p = side == 0 ? seam->lines - 1 - i : seam->lines - 1 + i;
            const float *heights = seam->heights + (size_t)p * length;
            const float *cells = seam->edge[side] + (ptrdiff_t)i * seam->inwards[side];
            float *changes = seam->changes[side] + (size_t)i * length;
            for (uint32_t t = 0; t < length; t++) {
                double change =
                    (double)heights[t] - (double)cells[(ptrdiff_t)t * seam->along[side]];
                changes[t] = (float)skirt_finite((double)(float)change);
            }
        }
    }
}

/* Takes from the changes what arrives from the skirts that cross the seam at its ends: their
 * corners would count twice. What they changed by there is what these changes are themselves. */
static void skirt_take_crossings(struct skirt_seam *seam)
{
    const uint32_t length = seam->axis.length;
    const uint32_t lines = seam->lines;
    if (!seam->ends[0].met && !seam->ends[1].met) {
        return;
    }
    for (uint32_t line = 0; line < 2 * lines; line++) {
        float *changes = seam->changes[0] + (size_t)line * length;
        double crossing[2][TERRAIN__SKIRT_LINES] = {{0}};
        for (uint32_t j = 0; j < lines; j++) {
            crossing[0][j] = seam->ends[0].met ? (double)changes[j] : 0;
            crossing[1][j] = seam->ends[1].met ? (double)changes[length - 1 - j] : 0;
        }
        for (uint32_t t = 0; t < length; t++) {
            double first = 0, last = 0;
            for (uint32_t j = 0; j < lines; j++) {
                first += (double)seam->axis.profile[j][t] * crossing[0][j];
                last += (double)seam->axis.reversed[j][t] * crossing[1][j];
            }
            changes[t] = (float)((double)changes[t] - (first + last));
        }
    }
}

/* ---- The first pass: seams ------------------------------------------------------------------- */

static float *skirt_vertical(const terrain__call *call, uint32_t column, uint32_t row)
{
    const terrain__skirt_job *job = call->job;
    size_t index = (size_t)row * (call->columns - 1) + column;
    return job->vertical + index * skirt_seam_lines(job) * job->y.length;
}

static float *skirt_horizontal(const terrain__call *call, uint32_t column, uint32_t row)
{
    const terrain__skirt_job *job = call->job;
    size_t index = (size_t)row * call->columns + column;
    return job->horizontal + index * skirt_seam_lines(job) * job->x.length;
}

static void skirt_place(struct skirt_seam *seam, float *memory)
{
    const size_t length = seam->axis.length;
    seam->heights = memory;
    seam->changes[0] = memory + (2 * seam->lines - 1) * length;
    seam->changes[1] = memory + (3 * seam->lines - 1) * length;
}

/* Between map (column, row) and its eastern neighbour (vertical), or its southern one. */
static void skirt_make_seam(const terrain__call *call, uint32_t column, uint32_t row, bool vertical)
{
    const terrain__skirt_job *job = call->job;
    const int32_t width = 2 * (int32_t)job->lines - 1;
    const int32_t step = vertical ? width : 1, across = vertical ? 1 : width;
    const ptrdiff_t last = (ptrdiff_t)(vertical ? job->x.length : job->y.length) - 1;
    struct skirt_seam seam = {.lines = job->lines, .axis = vertical ? job->y : job->x};
    double corner[TERRAIN__SKIRT_ACROSS * TERRAIN__SKIRT_ACROSS];
    for (uint32_t side = 0; side < 2; side++) {
        const terrain__plane map = vertical ? terrain__grid_plane(call, column + side, row)
                                            : terrain__grid_plane(call, column, row + side);
        const ptrdiff_t stride = (ptrdiff_t)map.stride, inwards = vertical ? 1 : stride;
        seam.edge[side] = map.cells + (side == 0 ? last * inwards : 0);
        seam.inwards[side] = side == 0 ? -inwards : inwards;
        seam.along[side] = vertical ? stride : 1;
    }
    skirt_place(&seam,
                vertical ? skirt_vertical(call, column, row) : skirt_horizontal(call, column, row));
    if (vertical ? row > 0 : column > 0) {
        skirt_corner(call, column - !vertical, row - vertical, corner);
        skirt_set_end(&seam, 0, corner, step, across);
    }
    if (vertical ? row + 1 < call->rows : column + 1 < call->columns) {
        skirt_corner(call, column, row, corner);
        skirt_set_end(&seam, 1, corner, -step, across);
    }
    skirt_make_heights(&seam);
    skirt_make_changes(&seam);
    if (vertical) {
        skirt_take_crossings(&seam);
    }
}

/* Task `index` of as many as there are takes every TERRAIN__MOST_TASKS-th map, and its seams
 * with the eastern and the southern neighbour. */
static void skirt_make_seams(terrain__call *call, uint32_t index)
{
    const uint32_t count = call->columns * call->rows;
    for (uint32_t i = index; i < count; i += TERRAIN__MOST_TASKS) {
        uint32_t column = i % call->columns, row = i / call->columns;
        if (column + 1 < call->columns) {
            skirt_make_seam(call, column, row, true);
        }
        if (row + 1 < call->rows) {
            skirt_make_seam(call, column, row, false);
        }
    }
}

/* ---- The last pass: maps --------------------------------------------------------------------- */

/* A side of a map: the heights and the changes of its lines, from the edge inwards. NULL: not
 * shared. */
struct skirt_side {
    const float *heights[TERRAIN__SKIRT_LINES];
    const float *changes[TERRAIN__SKIRT_LINES];
};

struct skirt_map {
    terrain__plane plane;
    struct skirt_side west, east, north, south;
};

/* `second`: whether the map is the seam's second one. */
static struct skirt_side skirt_side_of(const float *seam, uint32_t lines, uint32_t length,
                                       bool second)
{
    struct skirt_side side = {{NULL, NULL}, {NULL, NULL}};
    for (uint32_t i = 0; i < lines; i++) {
        size_t p = second ? lines - 1 + i : lines - 1 - i;
        size_t first = second ? 3 * lines - 1 : 2 * lines - 1;
        side.heights[i] = seam + p * length;
        side.changes[i] = seam + (first + i) * length;
    }
    return side;
}

static struct skirt_map skirt_map_of(const terrain__call *call, uint32_t column, uint32_t row)
{
    const terrain__skirt_job *job = call->job;
    const uint32_t lines = job->lines;
    struct skirt_map map = {.plane = terrain__grid_plane(call, column, row)};
    if (column > 0) {
        map.west = skirt_side_of(skirt_vertical(call, column - 1, row), lines, job->y.length, true);
    }
    if (column + 1 < call->columns) {
        map.east = skirt_side_of(skirt_vertical(call, column, row), lines, job->y.length, false);
    }
    if (row > 0) {
        map.north =
            skirt_side_of(skirt_horizontal(call, column, row - 1), lines, job->x.length, true);
    }
    if (row + 1 < call->rows) {
        map.south = skirt_side_of(skirt_horizontal(call, column, row), lines, job->x.length, false);
    }
    return map;
}

static bool skirt_is_shared(const struct skirt_side *side)
{
    return side->heights[0] != NULL;
}

/* The changes that arrive in row y. */
static struct skirt_row skirt_row_of(const terrain__skirt_job *job, const struct skirt_map *map,
                                     uint32_t y)
{
    struct skirt_row row;
    for (uint32_t i = 0; i < TERRAIN__SKIRT_LINES; i++) {
        const uint32_t k = i < job->lines ? i : 0;
        const bool counts = i < job->lines;
        const float *nothing = job->x.profile[0]; /* finite, for products with 0 */
        row.west[i] = job->x.profile[k];
        row.east[i] = job->x.reversed[k];
        row.north[i] = counts && skirt_is_shared(&map->north) ? map->north.changes[i] : nothing;
        row.south[i] = counts && skirt_is_shared(&map->south) ? map->south.changes[i] : nothing;
        row.by_west[i] = counts && skirt_is_shared(&map->west) ? map->west.changes[i][y] : 0;
        row.by_east[i] = counts && skirt_is_shared(&map->east) ? map->east.changes[i][y] : 0;
        row.by_north[i] = counts && skirt_is_shared(&map->north) ? job->y.profile[i][y] : 0;
        row.by_south[i] = counts && skirt_is_shared(&map->south) ? job->y.reversed[i][y] : 0;
    }
    return row;
}

/* Row y away from the skirts in the north and south. */
static void skirt_add_side(const terrain__call *call, const struct skirt_side *side, uint32_t y,
                           float *cells, float *const profile[TERRAIN__SKIRT_LINES], uint32_t begin)
{
    const terrain__skirt_job *job = call->job;
    float by[TERRAIN__SKIRT_LINES] = {0};
    for (uint32_t i = 0; i < job->lines; i++) {
        by[i] = side->changes[i][y];
    }
    terrain__skirt_kernels(call->isa)->side[job->lines - 1](
        cells + begin, profile[0] + begin, profile[job->lines - 1] + begin, by, job->x.reach);
}

/* Row y, cells that belong to lines among them, which get their heights afterwards. */
static void skirt_add(const terrain__call *call, const struct skirt_map *map, uint32_t y)
{
    const terrain__skirt_job *job = call->job;
    const struct skirt_kernels *kernels = terrain__skirt_kernels(call->isa);
    const uint32_t width = job->x.length, reach = job->x.reach, lines = job->lines;
    const bool west = skirt_is_shared(&map->west), east = skirt_is_shared(&map->east);
    const bool near_north = skirt_is_shared(&map->north) && y < job->y.reach;
    const bool near_south = skirt_is_shared(&map->south) && job->y.length - 1 - y < job->y.reach;
    float *cells = map->plane.cells + y * map->plane.stride;
    if (near_north || near_south) {
        const struct skirt_row row = skirt_row_of(job, map, y);
        kernels->all[lines - 1](cells, &row, width);
    } else if (west && east && reach > width - reach) {
        const struct skirt_row row = skirt_row_of(job, map, y);
        kernels->sides[lines - 1](cells, &row, width);
    } else {
        if (west) {
            skirt_add_side(call, &map->west, y, cells, job->x.profile, 0);
        }
        if (east) {
            skirt_add_side(call, &map->east, y, cells, job->x.reversed, width - reach);
        }
    }
}

/* A whole row that belongs to a line, if it does. */
static bool skirt_copy_line(const terrain__skirt_job *job, const struct skirt_map *map, uint32_t y)
{
    const uint32_t from_south = job->y.length - 1 - y;
    const float *line = NULL;
    if (y < job->lines && skirt_is_shared(&map->north)) {
        line = map->north.heights[y];
    } else if (from_south < job->lines && skirt_is_shared(&map->south)) {
        line = map->south.heights[from_south];
    }
    if (line != NULL) {
        memcpy(map->plane.cells + y * map->plane.stride, line, job->x.length * sizeof(float));
    }
    return line != NULL;
}

static void skirt_change_row(const terrain__call *call, const struct skirt_map *map, uint32_t y)
{
    const terrain__skirt_job *job = call->job;
    float *cells = map->plane.cells + y * map->plane.stride;
    const bool west = skirt_is_shared(&map->west), east = skirt_is_shared(&map->east);
    const uint32_t width = job->x.length, lines = job->lines;
    if (skirt_copy_line(job, map, y)) {
        return;
    }
    skirt_add(call, map, y);
    for (uint32_t i = 0; i < lines; i++) {
        if (west) {
            cells[i] = map->west.heights[i][y];
        }
        if (east) {
            cells[width - 1 - i] = map->east.heights[i][y];
        }
    }
}

static void skirt_change_maps(terrain__call *call, uint32_t index)
{
    const terrain__skirt_job *job = call->job;
    const uint32_t height = job->y.length;
    const uint64_t rows = (uint64_t)call->columns * call->rows * height;
    const uint64_t end = rows * (index + 1) / TERRAIN__MOST_TASKS;
    uint64_t at = rows * index / TERRAIN__MOST_TASKS;
    while (at < end) {
        const uint32_t number = (uint32_t)(at / height);
        const struct skirt_map map =
            skirt_map_of(call, number % call->columns, number / call->columns);
        for (uint32_t y = (uint32_t)(at % height); y < height && at < end; y++, at++) {
            skirt_change_row(call, &map, y);
        }
    }
}

terrain_status terrain__skirt_run(terrain__call *call)
{
    const uint32_t count = call->columns * call->rows;
    terrain_status status = terrain__run(
        call, count < TERRAIN__MOST_TASKS ? count : TERRAIN__MOST_TASKS, skirt_make_seams);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    return terrain__commit(call, TERRAIN__MOST_TASKS, skirt_change_maps);
}
