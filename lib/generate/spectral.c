/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_spectral: spectral synthesis, waves of all directions whose power falls with their
 * frequency.
 *
 * D. Saupe in H.-O. Peitgen, D. Saupe (editors): The Science of Fractal Images, 1988, chapter 2
 * (his SpectralSynthesisFM2D). The spectrum is von Karman's ("Progress in the statistical theory of
 * turbulence", 1948), flat for waves longer than `period`; the transform is Stockham's ("High-speed
 * convolution and correlation", 1966) in floats, sixteen side by side, so that its order is the
 * same whatever the vectors.
 *
 * The first pass makes half of the spectrum, which is all that a real map needs, and transforms its
 * columns. The second one transforms rows, two as the parts of one complex row. */

#include <string.h>

#include "base/math.h"
#include "core/operation.h"
#include "generate/spectral_kernels.h"
#include "terrain/generate.h"
#include "vector/transpose_kernels.h"

typedef terrain_generate_spectral_params spectral_params;

enum {
    SPECTRAL_LEAST = 32, /* a column of waves in each lane, and a pair of rows */
    SPECTRAL_MOST = 4096,
    SPECTRAL_TASKS = 16, /* each has two buffers */
    SPECTRAL_ROWS = 2 * SPECTRAL_LANES,
    SPECTRAL_PAD = 16, /* floats, so that rows in a buffer are no power of two apart */
    SPECTRAL_PATCH = SPECTRAL_LANES * SPECTRAL_LANES
};

static const terrain_parameter spectral_parameters[] = {
    TERRAIN__SEED(spectral_params),
    TERRAIN__UINT32(spectral_params, repeat, "cells", 512, SPECTRAL_LEAST, SPECTRAL_MOST,
                    "The pattern repeats after so many cells in x and y; a power of two.",
                    .scaling = TERRAIN_SCALING_LATTICE, TERRAIN__POWER_OF_TWO),
    TERRAIN__FLOAT(spectral_params, period, "cells", 512, 2, 1e6,
                   "Wavelength of the largest features: waves longer than this are no higher."),
    TERRAIN__FLOAT(spectral_params, beta, "", 3.8, 0, 8,
                   "How fast power falls with frequency: 2 + 2 H, smoother towards 4."),
    TERRAIN__FLOAT(spectral_params, amplitude, "height", 12, -1e9, 1e9,
                   "Standard deviation of the heights of a whole pattern."),
    TERRAIN__FLOAT(spectral_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
};

struct spectral_job {
    uint32_t tasks;
    uint32_t strips; /* of SPECTRAL_LANES columns of waves */
    uint64_t streams[2];
    float *half;    /* the half spectrum, then columns of rows: lines of a strip together */
    float *turns;   /* cosine and sine of 2 pi i / repeat */
    double *power;  /* SPECTRAL_LANES for each strip */
    float *buffers; /* two for each task */
    size_t buffer_size;
    float scale; /* half of what the amplitudes are to be multiplied by */
};

static float *spectral_strip(const struct spectral_job *job, uint32_t repeat, uint32_t strip)
{
    return job->half + (size_t)strip * repeat * SPECTRAL_LINE;
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Whether the transform's result is in the other buffer. */
static bool spectral_moves(uint32_t repeat)
{
    uint32_t stages = 0;
    for (uint32_t left = repeat; left > 1; left /= 4) {
        stages++;
    }
    return (stages & 1) != 0;
}

/* The waves of a strip, from frequency 0 up in y, then from -repeat / 2. There are none at half of
 * repeat, and those with x = 0 and y <= 0 are the others' mirror images. */
static void spectral_make_waves(const terrain__call *call, float *lines, uint32_t strip)
{
    const spectral_params *p = call->params;
    const struct spectral_job *job = call->job;
    const struct spectral_kernels *kernels = terrain__spectral_kernels(call->isa);
    double flat = (double)p->repeat / (double)p->period;
    double *power = job->power + (size_t)strip * SPECTRAL_LANES;
    struct spectral_waves waves = {.x = strip * SPECTRAL_LANES, .exponent = p->beta * -0.25f};
    for (uint32_t i = 0; i < p->repeat; i++) {
        float *line = lines + (size_t)i * SPECTRAL_LINE;
        int64_t y = i < p->repeat / 2 ? (int64_t)i : (int64_t)i - (int64_t)p->repeat;
        if (i == p->repeat / 2) {
            memset(line, 0, SPECTRAL_LINE * sizeof *line);
            continue;
        }
        waves.y_squared = (float)((double)(y * y) + flat * flat);
        for (int k = 0; k < 2; k++) {
            uint64_t row = terrain__random_row(job->streams[k], y);
            waves.streams[k] = terrain__random_column(row, 0);
        }
        if (strip == 0 && y <= 0) {
            double first = power[0];
            kernels->amplitudes(line, power, &waves);
            power[0] = first;
            line[0] = line[SPECTRAL_LANES] = 0;
        } else {
            kernels->amplitudes(line, power, &waves);
        }
    }
}

static void spectral_columns(terrain__call *call, uint32_t index)
{
    const spectral_params *p = call->params;
    const struct spectral_job *job = call->job;
    const struct spectral_kernels *kernels = terrain__spectral_kernels(call->isa);
    float *buffer = job->buffers + index * 2 * job->buffer_size;
    for (uint32_t strip = index; strip < job->strips; strip += job->tasks) {
        float *lines = spectral_strip(job, p->repeat, strip);
        bool moves = spectral_moves(p->repeat);
        float *from = moves ? buffer : lines;
        memset(job->power + (size_t)strip * SPECTRAL_LANES, 0, SPECTRAL_LANES * sizeof(double));
        spectral_make_waves(call, from, strip);
        kernels->transform(from, moves ? lines : buffer, job->turns, p->repeat);
    }
}

/* Half of the power of all waves is the variance of the sum of their real parts. */
static float spectral_scale(const struct spectral_job *job, float amplitude)
{
    double power = 0;
    for (uint32_t i = 0; i < job->strips * SPECTRAL_LANES; i++) {
        power += job->power[i];
    }
    return (float)(0.5 * (double)amplitude / terrain__sqrt(0.5 * power));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The spectrum of SPECTRAL_LANES pairs of rows, from a strip's columns. */
static void spectral_join_strip(const terrain__call *call, float *lines, uint32_t strip,
                                uint32_t first_row)
{
    const spectral_params *p = call->params;
    const struct spectral_job *job = call->job;
    const struct spectral_kernels *kernels = terrain__spectral_kernels(call->isa);
    const struct transpose_kernels *transpose = terrain__transpose_kernels(call->isa);
    const float *from = spectral_strip(job, p->repeat, strip) + (size_t)first_row * SPECTRAL_LINE;
    float rows[2][2 * SPECTRAL_PATCH]; /* the first and the second of each pair; real, imaginary */
    for (int k = 0; k < 4; k++) {
        transpose->cells(rows[k / 2] + k % 2 * SPECTRAL_PATCH, SPECTRAL_LANES,
                         from + k / 2 * SPECTRAL_PATCH * 2 + k % 2 * SPECTRAL_LANES, SPECTRAL_LINE,
                         SPECTRAL_LANES, SPECTRAL_LANES);
    }
    for (uint32_t i = 0; i < SPECTRAL_LANES; i++) {
        uint32_t x = strip * SPECTRAL_LANES + i;
        const float *first = &rows[0][i * SPECTRAL_LANES];
        const float *second = &rows[1][i * SPECTRAL_LANES];
        float *line = lines + (size_t)x * SPECTRAL_LINE;
        if (x > 0) {
            kernels->join(line, lines + (size_t)(p->repeat - x) * SPECTRAL_LINE, first, second,
                          job->scale);
            continue;
        }
        for (uint32_t k = 0; k < SPECTRAL_LANES; k++) {
            line[k] = first[k] * (2 * job->scale);
            line[SPECTRAL_LANES + k] = second[k] * (2 * job->scale);
        }
    }
}

/* Rows first_row to first_row + SPECTRAL_ROWS - 1 of the pattern, repeat + SPECTRAL_PAD floats
 * each. */
static const float *spectral_make_rows(const terrain__call *call, float *buffers,
                                       uint32_t first_row)
{
    const spectral_params *p = call->params;
    const struct spectral_job *job = call->job;
    const struct spectral_kernels *kernels = terrain__spectral_kernels(call->isa);
    const struct transpose_kernels *transpose = terrain__transpose_kernels(call->isa);
    float *lines = buffers, *other = buffers + job->buffer_size, *result;
    for (uint32_t strip = 0; strip < job->strips; strip++) {
        spectral_join_strip(call, lines, strip, first_row);
    }
    memset(lines + (size_t)p->repeat / 2 * SPECTRAL_LINE, 0, SPECTRAL_LINE * sizeof *lines);
    result = kernels->transform(lines, other, job->turns, p->repeat);
    other = result == lines ? other : lines;
    transpose->cells(other, p->repeat + SPECTRAL_PAD, result, SPECTRAL_LINE, p->repeat,
                     SPECTRAL_ROWS);
    return other;
}

/* The first row of the map that shows row `row` of the pattern; the map's height or more if none
 * does. */
static uint32_t spectral_first(const terrain__call *call, uint32_t row)
{
    const spectral_params *p = call->params;
    return (uint32_t)terrain__floor_mod((int64_t)row - terrain__floor_mod(call->y, p->repeat),
                                        p->repeat);
}

/* The pattern's row, again and again, into the map's row. */
static void spectral_put_row(const terrain__call *call, const float *row, uint32_t y)
{
    const spectral_params *p = call->params;
    float *target = call->target.cells + (size_t)y * call->target.stride;
    uint32_t at = (uint32_t)terrain__floor_mod(call->x, p->repeat);
    for (uint32_t x = 0, count; x < call->target.width; x += count, at = 0) {
        uint32_t left = call->target.width - x;
        count = p->repeat - at < left ? p->repeat - at : left;
        memcpy(target + x, row + at, count * sizeof *row);
    }
    for (uint32_t x = 0; x < call->target.width && p->offset != 0; x++) {
        target[x] += p->offset;
    }
}

static bool spectral_shows(const terrain__call *call, uint32_t first_row)
{
    for (uint32_t i = 0; i < SPECTRAL_ROWS; i++) {
        if (spectral_first(call, first_row + i) < call->target.height) {
            return true;
        }
    }
    return false;
}

static void spectral_rows(terrain__call *call, uint32_t index)
{
    const spectral_params *p = call->params;
    const struct spectral_job *job = call->job;
    float *buffers = job->buffers + index * 2 * job->buffer_size;
    for (uint32_t row = index * SPECTRAL_ROWS; row < p->repeat; row += job->tasks * SPECTRAL_ROWS) {
        const float *rows;
        if (!spectral_shows(call, row)) {
            continue;
        }
        rows = spectral_make_rows(call, buffers, row);
        for (uint32_t i = 0; i < SPECTRAL_ROWS; i++) {
            for (uint64_t y = spectral_first(call, row + i); y < call->target.height;
                 y += p->repeat) {
                spectral_put_row(call, rows + (size_t)i * (p->repeat + SPECTRAL_PAD), (uint32_t)y);
            }
        }
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

static terrain_status spectral_prepare(terrain__call *call)
{
    const spectral_params *p = call->params;
    struct spectral_job *job = call->job;
    double cells = (double)call->target.width * (double)call->target.height;
    double pattern = (double)p->repeat * (double)p->repeat;
    job->strips = p->repeat / 2 / SPECTRAL_LANES;
    job->tasks = job->strips < SPECTRAL_TASKS ? job->strips : SPECTRAL_TASKS;
    for (uint32_t k = 0; k < 2; k++) {
        job->streams[k] = terrain__random_stream(p->seed, TERRAIN__KEY_generate_spectral,
                                                 TERRAIN__DRAW_SPECTRAL_WAVE + k);
    }
    job->buffer_size = (size_t)(p->repeat + SPECTRAL_PAD) * SPECTRAL_LINE;
    job->half =
        terrain__scratch(call, (size_t)job->strips * p->repeat * SPECTRAL_LINE, sizeof(float));
    job->turns = terrain__scratch(call, 2 * (size_t)p->repeat, sizeof(float));
    job->power = terrain__scratch(call, (size_t)job->strips * SPECTRAL_LANES, sizeof(double));
    job->buffers = terrain__scratch(call, 2 * job->tasks * job->buffer_size, sizeof(float));
    terrain__expect_passes(call, 2);
    terrain__commit_cost(call, 0.1 + (pattern < cells ? 2 : 2 * pattern / cells));
    return TERRAIN_SUCCESS;
}

static terrain_status spectral_run(terrain__call *call)
{
    const spectral_params *p = call->params;
    struct spectral_job *job = call->job;
    for (uint32_t i = 0; i < p->repeat; i++) {
        double angle = 2 * TERRAIN__PI * (double)i / (double)p->repeat;
        double sine, cosine;
        terrain__sine_cosine(angle, &sine, &cosine);
        job->turns[2 * i] = (float)cosine;
        job->turns[2 * i + 1] = (float)sine;
    }
    terrain_status status = terrain__run(call, job->tasks, spectral_columns);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    job->scale = spectral_scale(job, p->amplitude);
    return terrain__commit(call, job->tasks, spectral_rows);
}

const terrain_operation terrain__generate_spectral = {
    TERRAIN__IDENTITY(generate, spectral),
    .result_version = 1,
    .summary = "Spectral synthesis: random waves whose power falls with frequency.",
    .reference = "Saupe in Peitgen and Saupe (editors), The Science of Fractal Images, 1988",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(spectral_params),
    TERRAIN__PARAMETERS(spectral_parameters),
    .job_size = sizeof(struct spectral_job),
    .prepare = spectral_prepare,
    .run = spectral_run,
};

TERRAIN__PUBLIC_CHANGE(generate_spectral)
