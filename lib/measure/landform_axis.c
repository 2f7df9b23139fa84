/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Whether a terrain favours the lattice's directions: its spectrum, of a square of any size. */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "measure/landform_axis_kernels.h"
#include "measure/landform_parts.h"

enum { AXIS_LEAST = 64, AXIS_MOST = 4096 };

/* tan 5 and tan 40 degrees: between them from an axis, a direction is far from all of them. */
#define AXIS_TAN_5 0.08748866352592401
#define AXIS_TAN_40 0.8390996311772800

struct axis {
    const terrain__ground *ground;
    const struct landform_axis_kernels *kernels;
    struct axis_tables tables;
    uint32_t size;     /* of the square */
    uint32_t kept;     /* frequencies along x that are looked at: 0 to kept - 1 */
    axis_number *rows; /* size rows of kept frequencies; in the end their energies are in re */
    double *window;
    double *rings; /* two figures each */
    double *lines; /* of each task */
    struct axis_plane {
        double middle, x, y;
    } plane;        /* the square's mean plane: height in the middle, slope along x and along y */
    uint32_t first; /* of the lines of a run of tasks */
};

static axis_number axis_turn(uint64_t numerator, uint64_t denominator)
{
    const double angle = -2 * TERRAIN__PI * (double)numerator / (double)denominator;
    const axis_number turn = {terrain__cos(angle), terrain__sin(angle)};
    return turn;
}

static void axis_make_tables(struct axis *axis)
{
    const struct axis_tables *tables = &axis->tables;
    const uint64_t size = axis->size;
    const uint32_t padded = tables->padded, lanes = axis->kernels->lanes;
    double *lines = axis->lines;
    tables->places[0] = 0;
    for (uint32_t k = 1; k < padded; k++) {
        tables->places[k] = tables->places[k / 2] / 2 + k % 2 * (padded / 2);
    }
    for (uint32_t k = 0; k < padded / 2; k++) {
        tables->turn[k] = axis_turn(k, padded);
    }
    memset(lines, 0, 2 * (size_t)lanes * padded * sizeof *lines);
    for (uint32_t j = 0; j < size; j++) {
        /* The angle repeats after 2 size. */
        const axis_number turn = axis_turn((uint64_t)j * j % (2 * size), 2 * size);
        const size_t back = (padded - j) % padded;
        tables->chirp[j] = turn;
        lines[2 * (size_t)lanes * j] = lines[2 * lanes * back] = turn.re;
        lines[2 * (size_t)lanes * j + lanes] = lines[2 * lanes * back + lanes] = 0 - turn.im;
        axis->window[j] = 0.5 - 0.5 * terrain__cos(2 * TERRAIN__PI * j / (double)(size - 1));
    }
    axis->kernels->transform(tables, lines);
    for (size_t j = 0; j < padded; j++) {
        tables->kernel[j].re = lines[2 * lanes * j];
        tables->kernel[j].im = lines[2 * lanes * j + lanes];
    }
}

/* Cells without a height lie in the mean plane. */
static double axis_height(const terrain__ground *ground, uint32_t x, uint32_t y, double none)
{
    const double height = ground->heights[(size_t)y * ground->width + x];
    return height == height ? height : none;
}

static terrain_status axis_find_plane(struct axis *axis)
{
    const terrain__ground *ground = axis->ground;
    const uint32_t size = axis->size;
    const double half = (size - 1) / 2.0, n = size;
    struct axis_plane plane = {0, 0, 0};
    double sum = 0, count = 0, squares = 0;
    for (uint32_t i = 0; i < size; i++) {
        terrain_status status = terrain__ground_poll_row(ground, i, size, 0, 0.05);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        squares += (i - half) * (i - half);
        for (uint32_t x = 0; x < size; x++) {
            const double height = ground->heights[(size_t)i * ground->width + x];
            sum += height == height ? height : 0;
            count += height == height;
        }
    }
    plane.middle = count > 0 ? sum / count : 0;
    for (uint32_t y = 0; y < size; y++) {
        terrain_status status = terrain__ground_poll_row(ground, y, size, 0.05, 0.05);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t x = 0; x < size; x++) {
            const double height = axis_height(ground, x, y, plane.middle) - plane.middle;
            plane.x += height * (x - half);
            plane.y += height * (y - half);
        }
    }
    plane.x /= squares * n;
    plane.y /= squares * n;
    axis->plane = plane;
    return TERRAIN_SUCCESS;
}

/* ---- The spectrum ---------------------------------------------------------------------------- */

/* A task's lines. Where tasks follow each other, all use the first's, which stay in the caches. */
static double *axis_lines_of(const terrain__call *call, const struct axis *axis, uint32_t index)
{
    const size_t numbers = (size_t)axis->kernels->lanes * axis->tables.padded;
    return axis->lines + (terrain__is_alone(call) ? 0 : index) * 2 * numbers;
}

/* Transforms some of the square's rows, of which only the low frequencies are kept. */
static void axis_rows_task(terrain__call *call, uint32_t index)
{
    const struct axis *axis = call->job;
    const terrain__ground *ground = axis->ground;
    const struct axis_plane *plane = &axis->plane;
    const uint32_t lanes = axis->kernels->lanes, size = axis->size;
    const uint32_t first = axis->first + index * lanes;
    const double half = (size - 1) / 2.0;
    double *lines = axis_lines_of(call, axis, index);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const uint32_t y = terrain__lesser(first + lane, size - 1);
        for (uint32_t x = 0; x < size; x++) {
            const double lies = plane->middle + plane->x * (x - half) + plane->y * (y - half);
            const double height = axis_height(ground, x, y, lies) - lies;
            double *number = lines + 2 * (size_t)lanes * x + lane;
            number[0] = height * axis->window[y] * axis->window[x];
            number[lanes] = 0;
        }
    }
    axis->kernels->transform_lines(&axis->tables, lines);
    for (uint32_t lane = 0; lane < lanes && first + lane < size; lane++) {
        axis_number *row = axis->rows + (size_t)(first + lane) * axis->kept;
        for (uint32_t k = 0; k < axis->kept; k++) {
            row[k].re = lines[2 * (size_t)lanes * k + lane];
            row[k].im = lines[2 * (size_t)lanes * k + lanes + lane];
        }
    }
}

/* Transforms some of the kept frequencies down the columns, and puts their energies into re. */
static void axis_columns_task(terrain__call *call, uint32_t index)
{
    const struct axis *axis = call->job;
    const uint32_t lanes = axis->kernels->lanes, size = axis->size;
    const uint32_t first = axis->first + index * lanes;
    const uint32_t count = terrain__lesser(lanes, axis->kept - first);
    double *lines = axis_lines_of(call, axis, index);
    for (uint32_t y = 0; y < size; y++) {
        const axis_number *row = axis->rows + (size_t)y * axis->kept + first;
        double *numbers = lines + 2 * (size_t)lanes * y;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            numbers[lane] = lane < count ? row[lane].re : 0;
            numbers[lanes + lane] = lane < count ? row[lane].im : 0;
        }
    }
    axis->kernels->transform_lines(&axis->tables, lines);
    for (uint32_t y = 0; y < size; y++) {
        axis_number *row = axis->rows + (size_t)y * axis->kept + first;
        const double *numbers = lines + 2 * (size_t)lanes * y;
        for (uint32_t lane = 0; lane < count; lane++) {
            const double re = numbers[lane], im = numbers[lanes + lane];
            row[lane].re = re * re + im * im;
        }
    }
}

/* Tasks for `count` lines, some at a time. */
static terrain_status axis_run(struct axis *axis, uint32_t count, double done, double share,
                               terrain__task *task)
{
    const uint32_t lanes = axis->kernels->lanes;
    for (axis->first = 0; axis->first < count; axis->first += lanes * TERRAIN__GROUND_TASKS) {
        const uint32_t groups = terrain__divide_up(count - axis->first, lanes);
        terrain_status status =
            terrain__ground_poll(axis->ground, done + share * axis->first / count);
        if (status == TERRAIN_SUCCESS) {
            status = terrain__ground_run(axis->ground, axis,
                                         terrain__lesser(groups, TERRAIN__GROUND_TASKS), task);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Directions ------------------------------------------------------------------------------ */

/* A frequency of the half plane, whose other half mirrors it. */
struct axis_wave {
    double energy;
    double radius;
    uint32_t ring;
    bool near;
};

/* False for those that the other half has. */
static bool axis_wave_of(const struct axis *axis, uint32_t k, uint32_t row, struct axis_wave *wave)
{
    const double x = k;
    const double y = row < axis->size / 2 ? row : (double)row - axis->size;
    const double up = y < 0 ? -y : y;
    const double more = x > up ? x : up, less = x > up ? up : x;
    wave->energy = axis->rows[(size_t)row * axis->kept + k].re;
    wave->radius = terrain__sqrt(x * x + y * y);
    wave->ring = (uint32_t)(wave->radius + 0.5);
    wave->near = less < AXIS_TAN_5 * more || less > AXIS_TAN_40 * more;
    return k > 0 || y > 0;
}

static terrain_status axis_compare(const struct axis *axis, double *found)
{
    const uint32_t size = axis->size;
    double *energies = axis->rings, *counts = axis->rings + 2 * (size_t)size;
    double near = 0, near_count = 0, far = 0, far_count = 0;
    struct axis_wave wave;
    memset(energies, 0, 4 * (size_t)size * sizeof *energies);
    for (uint32_t row = 0; row < size; row++) {
        terrain_status status = terrain__ground_poll_row(axis->ground, row, size, 0.9, 0.05);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t k = 0; k < axis->kept; k++) {
            if (axis_wave_of(axis, k, row, &wave)) {
                energies[wave.ring] += wave.energy;
                counts[wave.ring]++;
            }
        }
    }
    for (uint32_t row = 0; row < size; row++) {
        terrain_status status = terrain__ground_poll_row(axis->ground, row, size, 0.95, 0.05);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t k = 0; k < axis->kept; k++) {
            if (axis_wave_of(axis, k, row, &wave) && 32 * wave.radius > size &&
                4 * wave.radius < size && energies[wave.ring] > 0) {
                const double share = wave.energy / (energies[wave.ring] / counts[wave.ring]);
                near += wave.near ? share : 0;
                near_count += wave.near;
                far += wave.near ? 0 : share;
                far_count += !wave.near;
            }
        }
    }
    *found = near_count > 0 && far > 0 ? near / near_count / (far / far_count) : (double)NAN;
    return TERRAIN_SUCCESS;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static uint32_t axis_size_of(uint32_t width, uint32_t height)
{
    return terrain__lesser(terrain__lesser(width, height) / 2 * 2, AXIS_MOST);
}

static bool axis_take(struct axis *axis, terrain__scratchpad *pad)
{
    struct axis_tables *tables = &axis->tables;
    const size_t size = axis->size;
    tables->size = axis->size;
    axis->kept = axis->size / 4 + 2;
    for (tables->padded = 1; tables->padded < 2 * axis->size - 1;) {
        tables->padded *= 2;
    }
    tables->places = terrain__scratchpad_take(pad, tables->padded * sizeof *tables->places);
    tables->turn = terrain__scratchpad_take(pad, tables->padded / 2 * sizeof *tables->turn);
    tables->chirp = terrain__scratchpad_take(pad, size * sizeof *tables->chirp);
    tables->kernel = terrain__scratchpad_take(pad, tables->padded * sizeof *tables->kernel);
    axis->rows = terrain__scratchpad_take(pad, size * axis->kept * sizeof *axis->rows);
    axis->window = terrain__scratchpad_take(pad, size * sizeof *axis->window);
    axis->rings = terrain__scratchpad_take(pad, 4 * size * sizeof *axis->rings);
    axis->lines =
        terrain__scratchpad_take(pad, (size_t)TERRAIN__GROUND_TASKS * TERRAIN__AXIS_MOST_LANES *
                                          tables->padded * sizeof(axis_number));
    return terrain__scratchpad_fits(pad);
}

size_t terrain__landform_axis_bytes(uint32_t width, uint32_t height)
{
    terrain__scratchpad pad = {.size = 0};
    struct axis axis = {.size = axis_size_of(width, height)};
    if (axis.size < AXIS_LEAST) {
        return 0;
    }
    (void)axis_take(&axis, &pad);
    return terrain__scratchpad_block(&pad);
}

terrain_status terrain__landform_axis(const terrain__ground *ground, terrain_landform *land)
{
    struct axis axis = {
        .ground = ground,
        .kernels = terrain__landform_axis_kernels(terrain_context_isa(ground->reader->context)),
        .size = axis_size_of(ground->width, ground->height)};
    land->axis = (double)NAN;
    if (axis.size < AXIS_LEAST) {
        return TERRAIN_SUCCESS;
    }
    if (!axis_take(&axis, ground->pad)) {
        return TERRAIN_ERROR_MEMORY;
    }
    axis_make_tables(&axis);
    terrain_status status = axis_find_plane(&axis);
    if (status == TERRAIN_SUCCESS) {
        status = axis_run(&axis, axis.size, 0.1, 0.6, axis_rows_task);
    }
    if (status == TERRAIN_SUCCESS) {
        status = axis_run(&axis, axis.kept, 0.7, 0.2, axis_columns_task);
    }
    return status == TERRAIN_SUCCESS ? axis_compare(&axis, &land->axis) : status;
}
