/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_shear: cracks run downhill from random cells, and what they reach breaks away.
 *
 * P. de Byl: Procedural terrain generation with Unity ("rivers"); ckempke: Implementing erosion.
 * They recurse, each drop on what the one before left. Here drops come in batches that read a
 * frozen map, so that a cell depends on nothing farther away than the batches reach, and their
 * order does not matter: the lowest of what they give is the same in any. A drop's cracks are
 * followed in the order of their discovery and no cell is visited twice, which bounds the work.
 *
 * Bands of rows run at once: a band follows the drops of its neighbours' rims too, and writes its
 * own rows alone. */

#include <math.h>
#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "core/operation.h"
#include "erode/extent.h"
#include "erode/shear_kernels.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_params shear_params;

enum {
    SHEAR_BLOCK = 16,        /* cells across the blocks that drops are counted by */
    SHEAR_MOST_VISITS = 512, /* four bytes each on the stack */
    SHEAR_MOST_REACH = 31,   /* a row of what a drop may discover fits 64 bits */
    SHEAR_MOST_BATCHES = 4,  /* the halo is then at most eight times the reach */
    SHEAR_OVERLAP = 12       /* the rims that a band follows too: at most 2 / 12 of its drops */
};

static const char *const shear_mode_names[] = {"drained", "fixed"};
static const char *const shear_mode_docs[] = {
    "by strength, but not below the lowest cell that it reaches",
    "by strength alone, as the method is usually described",
};

static const terrain_parameter shear_parameters[] = {
    TERRAIN__SEED(shear_params),
    TERRAIN__FLOAT(shear_params, density, "drops per cell", 0.04, 0, 1,
                   "How many drops fall, each of which breaks out a scoop.",
                   .scaling = TERRAIN_SCALING_RATE),
    TERRAIN__FLOAT(shear_params, strength, "height", 8, 0, 1e6, "How deep a drop digs at most."),
    TERRAIN__UINT32(shear_params, rivulets, "", 4, 1, 8, "How many cracks leave each cell.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__UINT32(shear_params, reach, "cells", 12, 1, SHEAR_MOST_REACH,
                    "How far cracks run from the drop's cell."),
    TERRAIN__UINT32(shear_params, visits, "cells", 96, 1, SHEAR_MOST_VISITS,
                    "The most cells that a drop lowers."),
    TERRAIN__UINT32(shear_params, batches, "", 4, 1, SHEAR_MOST_BATCHES,
                    "Drops fall in so many batches; those of a batch see the heights that the "
                    "batch before left.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__ENUM(
        shear_params, mode, TERRAIN_ERODE_SHEAR_MODE_DRAINED, shear_mode,
        "How deep a drop digs: never below the lowest cell it reaches, or by strength alone."),
    TERRAIN__FLOAT(
        shear_params, least_slope, "slope", 0.1, 0, 100,
        "Drops on land less steep than this do nothing; on land twice as steep they dig in full."),
    TERRAIN__MASK(shear_params),
};

/* A cell that a drop discovers: 2^16 times the steps from the drop's own cell, and its place
 * 64 (y + SHEAR_MOST_REACH) + x + SHEAR_MOST_REACH, x and y counted from there. */
typedef uint32_t shear_visit;

enum { SHEAR_STEP = 1 << 16, SHEAR_DOWN = 64, SHEAR_CENTRE = (SHEAR_DOWN + 1) * SHEAR_MOST_REACH };

/* What a visit is more at each neighbour, in the order of their bits. */
static const int32_t shear_steps[8] = {
    SHEAR_STEP - SHEAR_DOWN - 1,
    SHEAR_STEP - SHEAR_DOWN,
    SHEAR_STEP - SHEAR_DOWN + 1,
    SHEAR_STEP - 1,
    SHEAR_STEP + 1,
    SHEAR_STEP + SHEAR_DOWN - 1,
    SHEAR_STEP + SHEAR_DOWN,
    SHEAR_STEP + SHEAR_DOWN + 1,
};

static int32_t shear_x(shear_visit visit)
{
    return (int32_t)(visit % SHEAR_DOWN) - SHEAR_MOST_REACH;
}

static int32_t shear_y(shear_visit visit)
{
    return (int32_t)(visit % SHEAR_STEP / SHEAR_DOWN) - SHEAR_MOST_REACH;
}

struct shear_job {
    uint32_t batch;
    terrain__bands bands;
    terrain__plane planes[2]; /* the map with a rim of infinity, which no crack enters */
    uint8_t *lower; /* of the frozen plane: which neighbours of a cell are lower, a bit for each */
    size_t lower_stride;
    uint64_t counts; /* streams */
    uint64_t drops;
    /* Of each set of neighbours, what a visit is more at those in it, one after the other, and how
     * many they are. */
    int32_t steps[256][8];
    uint8_t sizes[256];
};

static terrain__plane shear_frozen(const struct shear_job *job)
{
    return job->planes[job->batch & 1];
}

static terrain__plane shear_next(const struct shear_job *job)
{
    return job->planes[(job->batch & 1) ^ 1];
}

/* A row of the map in a plane, at its first cell; -1 is the rim above. */
static float *shear_row(terrain__plane plane, int64_t row)
{
    return plane.cells + (size_t)(row + 1) * plane.stride + 1;
}

static void shear_list_sets(struct shear_job *job)
{
    for (uint32_t set = 0; set < 256; set++) {
        uint8_t size = 0;
        for (uint32_t k = 0; k < 8; k++) {
            job->steps[set][size] = shear_steps[k];
            size = (uint8_t)(size + (set >> k & 1));
        }
        job->sizes[set] = size;
    }
}

static terrain_status shear_prepare(terrain__call *call)
{
    const shear_params *p = call->params;
    struct shear_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    job->bands = terrain__bands_of(height, SHEAR_OVERLAP * p->reach);
    for (uint32_t i = 0; i < 2; i++) {
        job->planes[i] = terrain__scratch_plane(call, width + 2 + SHEAR_OVERHANG, height + 2);
    }
    job->lower_stride = terrain__padded_stride(width + SHEAR_OVERHANG);
    job->lower = terrain__scratch(call, height, job->lower_stride);
    shear_list_sets(job);
    job->counts = terrain__random_stream(p->seed, call->operation->key, TERRAIN__DRAW_SHEAR_COUNT);
    job->drops = terrain__random_stream(p->seed, call->operation->key, TERRAIN__DRAW_SHEAR_DROP);
    terrain__expect_passes(call, 2 * p->batches + 2);
    return TERRAIN_SUCCESS;
}

/* ---- One drop -------------------------------------------------------------------------------- */

struct shear_drop {
    int64_t x, y;                              /* its cell on the map */
    uint64_t random;                           /* d */
    uint32_t count;                            /* of discovered cells */
    shear_visit visits[SHEAR_MOST_VISITS + 1]; /* the last is written, and never read */
    uint64_t seen[2 * SHEAR_MOST_REACH + 1];   /* a bit for each place */
};

/* Fills the drop's visits. Returns the lowest among them, the first of several. */
static shear_visit shear_follow(struct shear_drop *drop, const terrain__call *call,
                                const float *centre, size_t stride, float level)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const uint32_t reach = p->reach, rivulets = p->rivulets, most = p->visits;
    float lowest = *centre;
    uint32_t at = 0, found = 1;
    memset(drop->seen, 0, sizeof drop->seen);
    drop->visits[0] = SHEAR_CENTRE;
    drop->seen[SHEAR_CENTRE / SHEAR_DOWN] = (uint64_t)1 << SHEAR_CENTRE % SHEAR_DOWN;
    for (uint32_t n = 0; n < found; n++) {
        const shear_visit visit = drop->visits[n];
        const float *cell = centre + shear_y(visit) * (ptrdiff_t)stride + shear_x(visit);
        at = *cell < lowest ? n : at;
        lowest = *cell < lowest ? *cell : lowest;
        if (!(*cell > level) || visit / SHEAR_STEP >= reach || found >= most) {
            continue;
        }
        const uint32_t set = job->lower[(size_t)(drop->y + shear_y(visit)) * job->lower_stride +
                                        (size_t)(drop->x + shear_x(visit))];
        const uint32_t size = job->sizes[set];
        const int32_t *steps = job->steps[set];
        const uint64_t bits = terrain__mix(drop->random, n + 1);
        for (uint32_t k = 0; size != 0 && k < rivulets; k++) {
            const uint32_t to = (uint32_t)(bits >> 8 * k & 255) * size >> 8;
            const shear_visit next = visit + (uint32_t)steps[to];
            uint64_t *row = &drop->seen[next % SHEAR_STEP / SHEAR_DOWN];
            /* Without a branch, which would be taken every other time: a cell is written in any
             * case, and counted if it is new. */
            drop->visits[found] = next;
            found += (uint32_t)(~*row >> next % SHEAR_DOWN & 1) & (found < most);
            *row |= (uint64_t)1 << next % SHEAR_DOWN;
        }
    }
    drop->count = found;
    return drop->visits[at];
}

/* The level of a drop from height `from` that would sink to `level`, if its cracks fall to `lowest`
 * at that visit. */
static float shear_level(const terrain__call *call, float from, float level, float lowest,
                         shear_visit visit)
{
    const shear_params *p = call->params;
    const int32_t x = shear_x(visit), y = shear_y(visit);
    const float run = terrain__sqrtf((float)(x * x + y * y));
    float extent = 1;
    if (p->least_slope > 0) {
        extent = erode_extent((from - lowest) / (run * call->cell_size), p->least_slope);
    }
    if (p->mode == TERRAIN_ERODE_SHEAR_MODE_DRAINED && lowest > level) {
        level = lowest;
    }
    float higher = from - extent * (from - level);
    return extent < 1 && higher > level ? higher : level;
}

/* Lowers what the drop discovered, within rows begin to end - 1. */
static void shear_break(terrain__call *call, struct shear_drop *drop, int64_t begin, int64_t end)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const terrain__plane frozen = shear_frozen(job);
    const terrain__plane next = shear_next(job);
    const float *centre = shear_row(frozen, drop->y) + drop->x;
    float level = *centre - p->strength;
    if (!(*centre == *centre)) {
        return;
    }
    shear_visit lowest = shear_follow(drop, call, centre, frozen.stride, level);
    level =
        shear_level(call, *centre, level,
                    centre[shear_y(lowest) * (ptrdiff_t)frozen.stride + shear_x(lowest)], lowest);
    if (!(level < *centre)) {
        return;
    }
    for (uint32_t i = 0; i < drop->count; i++) {
        int64_t y = drop->y + shear_y(drop->visits[i]);
        if (y >= begin && y < end) {
            float *cell = shear_row(next, y) + drop->x + shear_x(drop->visits[i]);
            *cell = level < *cell ? level : *cell;
        }
    }
}

/* ---- A batch --------------------------------------------------------------------------------- */

/* The batch's drops of a block. */
static void shear_block(terrain__call *call, int64_t x, int64_t y, int64_t begin, int64_t end)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const float chance = terrain__unit_float(terrain__random_cell(job->counts, x, y));
    const uint32_t count = (uint32_t)(256.0f * p->density + chance);
    const uint64_t word = terrain__mix(terrain__mix(job->drops, (uint64_t)y), (uint64_t)x);
    for (uint32_t i = job->batch; i < count; i += p->batches) {
        struct shear_drop drop;
        uint64_t place;
        drop.random = terrain__mix(word, i);
        place = terrain__mix(drop.random, 0);
        drop.x = x * SHEAR_BLOCK - call->x + (int64_t)(place & 15);
        drop.y = y * SHEAR_BLOCK - call->y + (int64_t)(place >> 4 & 15);
        if (drop.x >= 0 && drop.x < call->target.width && drop.y >= 0 &&
            drop.y < call->target.height && drop.y >= begin - (int64_t)p->reach &&
            drop.y < end + (int64_t)p->reach) {
            shear_break(call, &drop, begin, end);
        }
    }
}

static void shear_find_lower(terrain__call *call, uint32_t index)
{
    const struct shear_job *job = call->job;
    const terrain__plane frozen = shear_frozen(job);
    const uint32_t end = terrain__band_end(&job->bands, index);
    for (uint32_t row = terrain__band_begin(&job->bands, index); row < end; row++) {
        terrain__shear_kernels(call->isa)->lower(job->lower + row * job->lower_stride,
                                                 shear_row(frozen, row), frozen.stride,
                                                 call->target.width);
    }
}

static void shear_band(terrain__call *call, uint32_t index)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const int64_t begin = terrain__band_begin(&job->bands, index);
    const int64_t end = terrain__band_end(&job->bands, index);
    const int64_t width = call->target.width;
    for (int64_t row = begin; row < end; row++) {
        memcpy(shear_row(shear_next(job), row), shear_row(shear_frozen(job), row),
               (size_t)width * sizeof(float));
    }
    for (int64_t y = terrain__floor_div(call->y + begin - p->reach, SHEAR_BLOCK);
         y * SHEAR_BLOCK < call->y + end + p->reach; y++) {
        for (int64_t x = terrain__floor_div(call->x, SHEAR_BLOCK);
             x * SHEAR_BLOCK < call->x + width; x++) {
            shear_block(call, x, y, begin, end);
        }
    }
}

/* ---- The map in and out ---------------------------------------------------------------------- */

static void shear_read(terrain__call *call, uint32_t index)
{
    const struct shear_job *job = call->job;
    const uint32_t width = call->target.width;
    const uint32_t begin = terrain__band_begin(&job->bands, index);
    const uint32_t end = terrain__band_end(&job->bands, index);
    for (int64_t row = (int64_t)begin - (begin == 0);
         row < (int64_t)end + (end == call->target.height); row++) {
        bool outside = row < 0 || row == (int64_t)call->target.height;
        for (uint32_t i = 0; i < 2; i++) {
            float *to = shear_row(job->planes[i], row);
            for (int64_t x = -1; outside && x <= (int64_t)width; x++) {
                to[x] = INFINITY;
            }
            to[-1] = to[width] = INFINITY;
        }
        if (!outside) {
            memcpy(shear_row(job->planes[0], row), call->map.cells + (size_t)row * call->map.stride,
                   width * sizeof(float));
        }
    }
}

static void shear_write(terrain__call *call, uint32_t index)
{
    const struct shear_job *job = call->job;
    for (uint32_t row = terrain__band_begin(&job->bands, index);
         row < terrain__band_end(&job->bands, index); row++) {
        memcpy(call->target.cells + row * call->target.stride, shear_row(shear_frozen(job), row),
               call->target.width * sizeof(float));
    }
}

static terrain_status shear_run(terrain__call *call)
{
    const shear_params *p = call->params;
    struct shear_job *job = call->job;
    terrain_status status = terrain__run(call, job->bands.count, shear_read);
    for (job->batch = 0; status == TERRAIN_SUCCESS && job->batch < p->batches; job->batch++) {
        status = terrain__run(call, job->bands.count, shear_find_lower);
        if (status == TERRAIN_SUCCESS) {
            status = terrain__run(call, job->bands.count, shear_band);
        }
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, job->bands.count, shear_write)
                                     : status;
}

/* A drop `reach` away may lower a cell, and looks at the heights `reach` farther. */
static uint32_t shear_halo(const void *params)
{
    const shear_params *p = params;
    return 2 * p->batches * p->reach;
}

const terrain_operation terrain__erode_shear = {
    TERRAIN__IDENTITY(erode, shear),
    .result_version = 1,
    .summary = "Breaks scoops out of slopes, along cracks that run downhill.",
    .reference = "de Byl, Procedural terrain generation with Unity",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(shear_params),
    TERRAIN__PARAMETERS(shear_parameters),
    .job_size = sizeof(struct shear_job),
    .halo = shear_halo,
    .prepare = shear_prepare,
    .run = shear_run,
};

TERRAIN__PUBLIC_CHANGE(erode_shear)
