/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_midpoint: midpoint displacement between heights that are given.
 *
 * F. Belhadj, P. Audibert: Modeling landscapes with ridges and rivers: bottom up approach, GRAPHITE
 * 2005, for midpoint displacement whose coarse points are estimated from their descendants first
 * ("inverse"). S. J. Gortler, R. Grzeszczuk, R. Szeliski, M. F. Cohen: The Lumigraph, SIGGRAPH
 * 1996, for pull and push on a pyramid.
 *
 * A level has a point every s cells, s = spacing at level 0 and 1 at the last. The known points of
 * each level come from the level below, from the finest upwards; heights then come from the
 * coarsest downwards:
 *
 *     constraints -> known        known        known        known: heights and weights
 *                    level 3  ->  level 2  ->  level 1  ->  level 0
 *                       |            |            |            |
 *     the map     <- heights  <-  heights  <-  heights  <-  heights
 *
 * and going down, in each level
 *
 *     between    a point becomes the mean of the points of the level above around it
 *     relax      some times, each point becomes the mean of its neighbours: the creases go
 *     hold       what is known draws the point to it, after each of these
 *     displace   at random, where nothing is known
 *
 * A level's box is larger than what the next one needs, by one point for each time that it is
 * relaxed: so the map's edge leaves no trace. generate_diamond_square's edge2 is this without
 * constraints, all levels at once and row by row; its random numbers are used here, and its
 * kernel for them. */

#include <string.h>

#include "base/math.h"
#include "generate/diamond_square.h"
#include "generate/diamond_square_kernels.h"
#include "generate/midpoint_kernels.h"
#include "rows/rows.h"
#include "terrain/generate.h"

typedef terrain_generate_midpoint_params midpoint_params;
typedef struct midpoint_kernels midpoint_kernels;

enum {
    MIDPOINT_LEVELS = 31, /* spacing is at most 2^30 */
    MIDPOINT_BAND = 8     /* rows */
};

static const char *const midpoint_mode_names[] = {"none", "recursive", "pull_push"};
static const char *const midpoint_mode_docs[] = {
    "only from constraints on their own points: others stand out as spikes",
    "from the mean of neighbouring known points, level by level: plateaus",
    "from all constraints around, weighted by distance: soft slopes",
};

static const terrain_parameter midpoint_parameters[] = {
    TERRAIN__SEED(midpoint_params),
    TERRAIN__MAP_IN(midpoint_params, constraints,
                    "Heights that the land keeps; cells with NaN are free."),
    TERRAIN__ENUM(midpoint_params, mode, TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH, midpoint_mode,
                  "How coarse levels learn of the constraints."),
    TERRAIN__UINT32(midpoint_params, spacing, "cells", 128, 1, 1u << 30,
                    "Distance between the coarsest level's points; a power of two.",
                    .scaling = TERRAIN_SCALING_LATTICE, TERRAIN__POWER_OF_TWO),
    TERRAIN__FLOAT(midpoint_params, amplitude, "height", 85, 0, 1e9,
                   "The coarsest level's displacements are random within plus or minus this."),
    TERRAIN__FLOAT(midpoint_params, gain, "", 0.5, 0, 1,
                   "Factor of the displacements from level to level: 2^-H; rougher towards 1."),
    TERRAIN__UINT32(
        midpoint_params, relaxation, "", 2, 0, 64,
        "How many times each level is smoothed before it is displaced; 0 leaves creases.",
        .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(midpoint_params, offset, "height", 0, -1e9, 1e9,
                   "Mean height of the land where no constraint is near."),
};

/* Points x, y and on of a level, with rows of a padded plane for each map. x and width are even. */
struct midpoint_level {
    int64_t x, y;
    uint32_t width, height;
    terrain__plane heights[2]; /* of this time and of the last, by turns */
    terrain__plane known, weights;
    terrain__plane given; /* RECURSIVE: what is known before neighbours are estimated */
    struct diamond_square_level random;
};

struct midpoint_job {
    uint32_t last; /* level */
    struct midpoint_level levels[MIDPOINT_LEVELS];
    float *empty;    /* a row of NaN: heights where nothing is known */
    float *nothing;  /* a row of 0: weights where nothing is known */
    size_t stride;   /* of a row in scratch */
    float *scratch;  /* MIDPOINT_LINES for each task */
    uint32_t level;  /* the pass works on this one */
    uint32_t sweeps; /* how often that level has been relaxed */
};

/* A task's rows of scratch: a row of the map; random numbers of even and of odd points, and of all.
 * Going up, the sums are two rows. */
enum {
    MIDPOINT_RESULT,
    MIDPOINT_EVEN,
    MIDPOINT_ODD,
    MIDPOINT_NUMBERS,
    MIDPOINT_LINES,
    MIDPOINT_SUMS = MIDPOINT_RESULT
};

static float *midpoint_line(const struct midpoint_job *job, uint32_t task, uint32_t index)
{
    return job->scratch + (MIDPOINT_LINES * (size_t)task + index) * job->stride + MIDPOINT_BEFORE;
}

static terrain__bands midpoint_bands(const struct midpoint_level *level)
{
    return terrain__bands_of(level->height, MIDPOINT_BAND);
}

/* ---- Up: what is known ----------------------------------------------------------------------- */

/* Row y of a plane, or `otherwise` outside the level. */
static float *midpoint_row(const struct midpoint_level *level, const terrain__plane *plane,
                           int64_t y, float *otherwise)
{
    const bool inside = y >= level->y && y < level->y + (int64_t)level->height;
    return inside ? terrain__plane_row(plane, y - level->y) : otherwise;
}

static void midpoint_fill(float *row, float value, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        row[i] = value;
    }
}

/* The last level's row y: constraints, and NaN around them. */
static void midpoint_take_row(const terrain__call *call, const struct midpoint_level *level,
                              float *row, int64_t y)
{
    const midpoint_params *p = call->params;
    const terrain__view constraints = terrain__view_of(p->constraints);
    const int64_t begin = call->x - level->x, end = begin + call->target.width;
    if (y < call->y || y >= call->y + (int64_t)call->target.height) {
        midpoint_fill(row, NAN, -1, (int64_t)level->width + 1);
        return;
    }
    midpoint_fill(row, NAN, -1, begin);
    terrain__midpoint_kernels(call->isa)->take(
        row + begin, terrain__view_row(&constraints, y - call->y), call->target.width);
    midpoint_fill(row, NAN, end, (int64_t)level->width + 1);
}

/* Every other point of every other row of the finer level. */
static void midpoint_part_row(const struct midpoint_job *job, uint32_t k, float *row, int64_t y)
{
    const struct midpoint_level *level = &job->levels[k], *finer = &job->levels[k + 1];
    const float *from = midpoint_row(finer, &finer->known, 2 * y, job->empty);
    const int64_t begin = finer->x / 2 - level->x;
    const uint32_t pairs = finer->width / 2;
    midpoint_fill(row, NAN, -1, begin);
    for (uint32_t i = 0; i < pairs; i++) {
        row[begin + i] = from[2 * i];
    }
    midpoint_fill(row, NAN, begin + pairs, (int64_t)level->width + 1);
}

static void midpoint_pull_row(const terrain__call *call, uint32_t task, uint32_t k, int64_t y)
{
    const struct midpoint_job *job = call->job;
    const struct midpoint_level *level = &job->levels[k], *finer = &job->levels[k + 1];
    float *heights = terrain__plane_row(&level->known, y - level->y);
    float *weights = terrain__plane_row(&level->weights, y - level->y);
    const int64_t begin = finer->x / 2 - level->x;
    const uint32_t pairs = finer->width / 2;
    const bool weighted = finer->weights.cells != NULL;
    struct midpoint_known rows[3];
    for (int64_t i = 0; i < 3; i++) {
        const int64_t at = 2 * y + i - 1;
        rows[i].heights =
            midpoint_row(finer, &finer->known, at, weighted ? job->nothing : job->empty);
        rows[i].weights = weighted ? midpoint_row(finer, &finer->weights, at, job->nothing) : NULL;
    }
    terrain__midpoint_kernels(call->isa)->pull(heights + begin, weights + begin, rows,
                                               midpoint_line(job, task, MIDPOINT_SUMS), job->stride,
                                               pairs);
    midpoint_fill(heights, 0, 0, begin);
    midpoint_fill(weights, 0, 0, begin);
    midpoint_fill(heights, 0, begin + pairs + 1, level->width);
    midpoint_fill(weights, 0, begin + pairs + 1, level->width);
}

/* Makes a level's known points from the finer level. */
static void midpoint_up(terrain__call *call, uint32_t index)
{
    const midpoint_params *p = call->params;
    const struct midpoint_job *job = call->job;
    const struct midpoint_level *level = &job->levels[job->level];
    const terrain__bands bands = midpoint_bands(level);
    const terrain__plane *plane = level->given.cells != NULL ? &level->given : &level->known;
    for (uint32_t i = terrain__band_begin(&bands, index); i < terrain__band_end(&bands, index);
         i++) {
        if (job->level == job->last) {
            midpoint_take_row(call, level, terrain__plane_row(plane, i), level->y + i);
        } else if (p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH) {
            midpoint_pull_row(call, index, job->level, level->y + i);
        } else {
            midpoint_part_row(job, job->level, terrain__plane_row(plane, i), level->y + i);
        }
    }
}

/* ---- Random numbers -------------------------------------------------------------------------- */

static void midpoint_numbers(const terrain__call *call, const struct midpoint_level *level,
                             float *out, int64_t x, int64_t y, uint32_t stride, float amplitude,
                             uint32_t count)
{
    const uint64_t row = terrain__random_row(level->random.stream, y);
    const struct diamond_square_noise noise = {
        .row = row,
        .column = terrain__random_column(row, x),
        .high = (uint64_t)x >> 32,
        .x = x,
        .stride = stride,
        .distribution = TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM,
        .amplitude = amplitude,
    };
    terrain__diamond_square_kernels(call->isa)->noise(out, &noise, count);
}

/* RECURSIVE: points beside known ones become known. */
static void midpoint_estimate_band(terrain__call *call, uint32_t index)
{
    const struct midpoint_job *job = call->job;
    const struct midpoint_level *level = &job->levels[job->level];
    const terrain__bands bands = midpoint_bands(level);
    float *numbers = midpoint_line(job, index, MIDPOINT_NUMBERS);
    for (uint32_t i = terrain__band_begin(&bands, index); i < terrain__band_end(&bands, index);
         i++) {
        const int64_t y = level->y + i;
        midpoint_numbers(call, level, numbers, level->x, y, 1, level->random.centre, level->width);
        terrain__midpoint_kernels(call->isa)->estimate(
            terrain__plane_row(&level->known, i),
            midpoint_row(level, &level->given, y - 1, job->empty),
            terrain__plane_row(&level->given, i),
            midpoint_row(level, &level->given, y + 1, job->empty), numbers, level->width);
    }
}

/* ---- Down: heights --------------------------------------------------------------------------- */

/* Where known heights reach level 0, they are its heights. */
static void midpoint_first_row(const terrain__call *call, const struct midpoint_known *known,
                               float *out, uint32_t width)
{
    const midpoint_params *p = call->params;
    for (uint32_t i = 0; i < width; i++) {
        out[i] = known->weights != NULL && known->weights[i] > 0 ? known->heights[i] : p->offset;
    }
}

static void midpoint_between(const terrain__call *call, uint32_t k, int64_t y, float *out)
{
    const struct midpoint_job *job = call->job;
    const midpoint_params *p = call->params;
    const midpoint_kernels *kernels = terrain__midpoint_kernels(call->isa);
    const struct midpoint_level *level = &job->levels[k], *above = &job->levels[k - 1];
    const terrain__plane *parents = &above->heights[p->relaxation % 2];
    const int64_t row = terrain__floor_div(y, 2) - above->y;
    const int64_t column = level->x / 2 - above->x;
    const float *upper = terrain__plane_row(parents, row) + column;
    if (y % 2 == 0) {
        kernels->even_row(out, upper, level->width / 2);
    } else {
        kernels->odd_row(out, upper, upper + parents->stride, level->width / 2);
    }
}

static void midpoint_relax_row(const terrain__call *call, const struct midpoint_level *level,
                               const struct midpoint_known *known, uint32_t i, float *out)
{
    const struct midpoint_job *job = call->job;
    const terrain__plane *from = &level->heights[(job->sweeps - 1) % 2];
    const uint32_t above = i > 0 ? i - 1 : 0;
    const uint32_t below = i + 1 < level->height ? i + 1 : i;
    terrain__midpoint_kernels(call->isa)->relax(
        out, terrain__plane_row(from, above), terrain__plane_row(from, i),
        terrain__plane_row(from, below), known, level->width);
}

static void midpoint_displace_row(const terrain__call *call, uint32_t task,
                                  const struct midpoint_known *known, uint32_t k, int64_t y,
                                  float *row)
{
    const struct midpoint_job *job = call->job;
    const struct midpoint_level *level = &job->levels[k];
    const uint32_t pairs = level->width / 2;
    const bool old = k > 0 && y % 2 == 0; /* even points come from the level above */
    const float odd = k == 0 || y % 2 != 0 ? level->random.centre : level->random.edge;
    float *even_numbers = midpoint_line(job, task, MIDPOINT_EVEN);
    float *odd_numbers = midpoint_line(job, task, MIDPOINT_ODD);
    const struct midpoint_noise noise = {old ? NULL : even_numbers, odd_numbers};
    if (!old) {
        midpoint_numbers(call, level, even_numbers, level->x, y, 2,
                         k == 0 ? level->random.centre : level->random.edge, pairs);
    }
    midpoint_numbers(call, level, odd_numbers, level->x + 1, y, 2, odd, pairs);
    terrain__midpoint_kernels(call->isa)->displace(
        row, known, &noise, midpoint_line(job, task, MIDPOINT_NUMBERS), pairs);
}

/* Row i of the level, relaxed job->sweeps times. */
static void midpoint_make_row(const terrain__call *call, uint32_t task, uint32_t i, float *row)
{
    const midpoint_params *p = call->params;
    const struct midpoint_job *job = call->job;
    const uint32_t k = job->level;
    const struct midpoint_level *level = &job->levels[k];
    const struct midpoint_known known = {
        level->known.cells == NULL ? NULL : terrain__plane_row(&level->known, i),
        level->weights.cells == NULL ? NULL : terrain__plane_row(&level->weights, i)};
    const midpoint_kernels *kernels = terrain__midpoint_kernels(call->isa);
    if (job->sweeps > 0) {
        midpoint_relax_row(call, level, &known, i, row);
    } else if (k > 0) {
        midpoint_between(call, k, level->y + i, row);
    } else {
        midpoint_first_row(call, &known, row, level->width);
    }
    if (known.weights != NULL && job->sweeps == 0) {
        kernels->hold(row, &known, level->width);
    }
    if (job->sweeps == p->relaxation) {
        midpoint_displace_row(call, task, &known, k, level->y + i, row);
    }
    if (known.heights != NULL && known.weights == NULL) {
        kernels->hold(row, &known, level->width);
    }
}

static void midpoint_down(terrain__call *call, uint32_t index)
{
    const struct midpoint_job *job = call->job;
    const struct midpoint_level *level = &job->levels[job->level];
    const terrain__bands bands = midpoint_bands(level);
    for (uint32_t i = terrain__band_begin(&bands, index); i < terrain__band_end(&bands, index);
         i++) {
        float *row = terrain__plane_row(&level->heights[job->sweeps % 2], i);
        midpoint_make_row(call, index, i, row);
        row[-1] = row[0];
        row[level->width] = row[level->width - 1];
    }
}

static void midpoint_commit(terrain__call *call, uint32_t index)
{
    const struct midpoint_job *job = call->job;
    const struct midpoint_level *level = &job->levels[job->last];
    const terrain__bands bands = terrain__bands_of(call->target.height, MIDPOINT_BAND);
    float *line = midpoint_line(job, index, MIDPOINT_RESULT);
    for (uint32_t y = terrain__band_begin(&bands, index); y < terrain__band_end(&bands, index);
         y++) {
        midpoint_make_row(call, index, (uint32_t)(call->y - level->y) + y, line);
        memcpy(terrain__target_row(call, y), line + (call->x - level->x),
               call->target.width * sizeof *line);
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

/* A constraint reaches two points of each level going up, and of each level going down as many as
 * it is relaxed, and one. */
static uint32_t midpoint_halo(const void *params)
{
    const midpoint_params *p = params;
    const uint64_t reach = 2 * ((uint64_t)p->relaxation + 2) * p->spacing;
    return reach < UINT32_MAX / 2 ? (uint32_t)reach : TERRAIN__GLOBAL;
}

static terrain__plane midpoint_plane(terrain__call *call, const struct midpoint_level *level)
{
    terrain__plane plane = terrain__scratch_plane(
        call, level->width + MIDPOINT_BEFORE + MIDPOINT_BEHIND, level->height);
    if (plane.cells != NULL) {
        plane.cells += MIDPOINT_BEFORE;
    }
    plane.width = level->width;
    return plane;
}

/* Points x0 to x1 - 1 are wanted. Each relaxation spoils a row of points along the box's edge; and
 * estimates run less than two points of their level ahead of the map. */
static void midpoint_set_box(struct midpoint_level *level, int64_t x0, int64_t x1, int64_t y0,
                             int64_t y1, const midpoint_params *p)
{
    const int64_t margin =
        (int64_t)p->relaxation + (p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_RECURSIVE ? 2 : 0);
    level->x = terrain__floor_div(x0 - margin, 2) * 2;
    level->width = (uint32_t)(terrain__floor_div(x1 + margin + 1, 2) * 2 - level->x);
    level->y = y0 - margin;
    level->height = (uint32_t)(y1 + margin - level->y);
}

static void midpoint_set_boxes(const terrain__call *call, struct midpoint_job *job)
{
    const midpoint_params *p = call->params;
    struct midpoint_level *level = &job->levels[job->last];
    midpoint_set_box(level, call->x, call->x + (int64_t)call->target.width, call->y,
                     call->y + (int64_t)call->target.height, p);
    for (; level > job->levels; level--) {
        midpoint_set_box(level - 1, level->x / 2, (level->x + (int64_t)level->width) / 2 + 1,
                         terrain__floor_div(level->y, 2),
                         terrain__floor_div(level->y + (int64_t)level->height - 1, 2) + 2, p);
    }
}

static void midpoint_get_planes(terrain__call *call, const midpoint_params *p,
                                struct midpoint_job *job)
{
    for (uint32_t k = 0; k <= job->last; k++) {
        struct midpoint_level *level = &job->levels[k];
        level->heights[0] = midpoint_plane(call, level);
        if (p->relaxation > 0) {
            level->heights[1] = midpoint_plane(call, level);
        }
        if (p->constraints == NULL) {
            continue;
        }
        level->known = midpoint_plane(call, level);
        if (p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH && k < job->last) {
            level->weights = midpoint_plane(call, level);
        } else if (p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_RECURSIVE) {
            level->given = midpoint_plane(call, level);
        }
    }
}

static terrain_status midpoint_prepare(terrain__call *call)
{
    const midpoint_params *p = call->params;
    struct midpoint_job *job = call->job;
    uint32_t most = 0;
    while (p->spacing >> job->last > 1) {
        job->last++;
    }
    midpoint_set_boxes(call, job);
    for (uint32_t k = 0; k <= job->last; k++) {
        job->levels[k].random = terrain__diamond_square_level(p->seed, k, p->amplitude, p->gain);
    }
    midpoint_get_planes(call, p, job);
    for (uint32_t k = 0; k <= job->last; k++) {
        most = job->levels[k].width > most ? job->levels[k].width : most;
    }
    job->stride = terrain__whole_lines(most + MIDPOINT_BEFORE + MIDPOINT_BEHIND);
    job->scratch =
        terrain__scratch(call, MIDPOINT_LINES * TERRAIN__MOST_TASKS, job->stride * sizeof(float));
    job->empty = terrain__scratch(call, 2, job->stride * sizeof(float));
    if (job->empty != NULL) {
        midpoint_fill(job->empty, NAN, 0, (int64_t)job->stride);
        memset(job->empty + job->stride, 0, job->stride * sizeof(float));
        job->nothing = job->empty + job->stride + MIDPOINT_BEFORE;
        job->empty += MIDPOINT_BEFORE;
    }
    terrain__expect_passes(call, (job->last + 1) *
                                     (p->relaxation + 1 + (p->constraints != NULL) +
                                      (p->constraints != NULL &&
                                       p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_RECURSIVE)));
    terrain__commit_cost(call, 1.5);
    return TERRAIN_SUCCESS;
}

static terrain_status midpoint_run_up(terrain__call *call)
{
    struct midpoint_job *job = call->job;
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t k = job->last + 1; k-- > 0 && status == TERRAIN_SUCCESS;) {
        const struct midpoint_level *level = &job->levels[k];
        job->level = k;
        status = terrain__run(call, midpoint_bands(level).count, midpoint_up);
        if (level->given.cells != NULL && status == TERRAIN_SUCCESS) {
            status = terrain__run(call, midpoint_bands(level).count, midpoint_estimate_band);
        }
    }
    return status;
}

static terrain_status midpoint_run(terrain__call *call)
{
    const midpoint_params *p = call->params;
    struct midpoint_job *job = call->job;
    terrain_status status = p->constraints == NULL ? TERRAIN_SUCCESS : midpoint_run_up(call);
    for (uint32_t k = 0; k <= job->last; k++) {
        job->level = k;
        for (job->sweeps = 0; job->sweeps <= p->relaxation && status == TERRAIN_SUCCESS;
             job->sweeps++) {
            if (k == job->last && job->sweeps == p->relaxation) {
                return terrain__commit(call,
                                       terrain__bands_of(call->target.height, MIDPOINT_BAND).count,
                                       midpoint_commit);
            }
            status = terrain__run(call, midpoint_bands(&job->levels[k]).count, midpoint_down);
        }
    }
    return status;
}

const terrain_operation terrain__generate_midpoint = {
    TERRAIN__IDENTITY(generate, midpoint),
    .result_version = 1,
    .summary = "Midpoint displacement between heights that are given.",
    .reference = "Belhadj and Audibert, 2005; Gortler et al., The Lumigraph, 1996",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(midpoint_params),
    TERRAIN__PARAMETERS(midpoint_parameters),
    .job_size = sizeof(struct midpoint_job),
    .halo = midpoint_halo,
    .prepare = midpoint_prepare,
    .run = midpoint_run,
};

TERRAIN__PUBLIC_CHANGE(generate_midpoint)
