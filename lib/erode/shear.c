/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_shear: cracks run downhill from random cells, and the cells that they reach break away.
 *
 * P. de Byl: Procedural terrain generation with Unity ("rivers"); ckempke: Implementing erosion.
 * What is computed (tests/oracle/shear.c, in plain C), for a drop on cell c:
 *
 *     level = h[c] - strength
 *     visit c, then the cells that cracks lead to, in the order of their discovery, up to `visits`
 *         cells and `reach` steps; from each cell above the level, `rivulets` cracks lead to random
 *         lower neighbours
 *     DRAINED: level = max(level, the lowest height visited)
 *     on slopes between least_slope and twice that, level rises towards h[c]
 *     h'[v] = min(h'[v], level) for all cells v visited
 *
 * The published methods recurse, each drop on what the one before left. Here drops come in batches
 * that read a frozen map h, so that a cell depends on nothing farther away than the batches reach,
 * and the order of drops does not matter, as the minimum is the same in any order. No drop visits a
 * cell twice, which bounds the work.
 *
 * Bands of rows run at once: a band follows the drops near its neighbours' rims too, and writes its
 * own rows alone. */

#include <math.h>
#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "core/operation.h"
#include "erode/extent.h"
#include "erode/shear_kernels.h"
#include "rows/rows.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_params shear_params;

enum {
    SHEAR_BLOCK = 16, /* side of the blocks by which drops are counted, in cells */
    SHEAR_MOST_VISITS = 512,
    SHEAR_MOST_RIVULETS = 8, /* a byte of 64 random bits for each */
    SHEAR_MOST_REACH = 31,   /* 2 reach + 1 cells fit into a row of SHEAR_DOWN */
    SHEAR_MOST_BATCHES = 4,  /* the halo is then at most eight times the reach */
    SHEAR_OVERLAP = 12       /* reaches in a band: at most 2 / 12 more drops, of its rims */
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
    TERRAIN__UINT32(shear_params, rivulets, "", 4, 1, SHEAR_MOST_RIVULETS,
                    "How many cracks leave each cell.", .scaling = TERRAIN_SCALING_FIXED),
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

/* A cell that a drop discovers, at (x, y) from the drop's own cell. The upper 32 bits are its
 * offset in a plane from there, the next 16 the steps from there, and the lowest 16 are its square,
 * SHEAR_DOWN (y + SHEAR_MOST_REACH) + x + SHEAR_MOST_REACH. */
typedef uint64_t shear_visit;

/* A plane's stride exceeds the map's width by less: its rim, SHEAR_OVERHANG, and padding. */
enum { SHEAR_BESIDE = 64 };

enum { SHEAR_STEP = 1 << 16, SHEAR_DOWN = 64, SHEAR_CENTRE = (SHEAR_DOWN + 1) * SHEAR_MOST_REACH };

static ptrdiff_t shear_place(shear_visit visit)
{
    return (ptrdiff_t)((int64_t)visit >> 32);
}

static uint32_t shear_square(shear_visit visit)
{
    return (uint32_t)visit % SHEAR_STEP;
}

static int32_t shear_x(shear_visit visit)
{
    return (int32_t)(shear_square(visit) % SHEAR_DOWN) - SHEAR_MOST_REACH;
}

static int32_t shear_y(shear_visit visit)
{
    return (int32_t)(shear_square(visit) / SHEAR_DOWN) - SHEAR_MOST_REACH;
}

/* Scratch of a band, for one drop after another. */
struct shear_cracks {
    uint32_t count; /* of discovered cells */
    /* The last SHEAR_MOST_RIVULETS are written but never read. */
    shear_visit visits[SHEAR_MOST_VISITS + SHEAR_MOST_RIVULETS];
    uint8_t unseen[SHEAR_DOWN * SHEAR_DOWN]; /* 0 for the squares of discovered cells, else 1 */
};

struct shear_job {
    uint32_t batch;
    terrain__bands bands;
    terrain__plane planes[2]; /* the map with a rim of infinity, which no crack enters */
    /* Which neighbours of a cell are lower in the frozen plane, a bit each. The stride is that of
     * the planes. */
    uint8_t *lower;
    struct shear_cracks *cracks; /* for each band */
    uint64_t counts;             /* streams */
    uint64_t drops;
    /* What a step to each neighbour, in the order of their bits, or to none adds to a visit. */
    shear_visit steps[9];
    /* The members of each set of neighbours, as numbers of steps, and how many there are. The empty
     * set has the cell itself. */
    uint8_t members[256][8];
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

/* A row of the map in a plane, at its first cell; row -1 is the rim above. */
static float *shear_row(terrain__plane plane, int64_t row)
{
    return plane.cells + (size_t)(row + 1) * plane.stride + 1;
}

static void shear_list_steps(struct shear_job *job)
{
    static const int32_t x[9] = {-1, 0, 1, -1, 1, -1, 0, 1, 0};
    static const int32_t y[9] = {-1, -1, -1, 0, 0, 1, 1, 1, 0};
    for (uint32_t k = 0; k < 9; k++) {
        const int64_t place = y[k] * (int64_t)job->planes[0].stride + x[k];
        job->steps[k] = (uint64_t)place << 32;
        job->steps[k] += (uint64_t)(SHEAR_STEP + SHEAR_DOWN * y[k] + x[k]);
    }
    for (uint32_t set = 0; set < 256; set++) {
        uint8_t size = 0;
        job->members[set][0] = 8;
        for (uint8_t k = 0; k < 8; k++) {
            job->members[set][size] = set >> k & 1 ? k : job->members[set][size];
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
    if ((p->reach + 1) * ((uint64_t)width + SHEAR_BESIDE) > UINT64_C(1) << 31) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "the map has %lu columns, must have at most 2^31 / (reach + 1) - %d",
                             (unsigned long)width, SHEAR_BESIDE);
    }
    job->bands = terrain__bands_of(height, SHEAR_OVERLAP * p->reach);
    for (uint32_t i = 0; i < 2; i++) {
        job->planes[i] = terrain__scratch_plane(call, width + 2 + SHEAR_OVERHANG, height + 2);
    }
    job->lower = terrain__scratch(call, height, job->planes[0].stride);
    job->cracks = terrain__scratch(call, job->bands.count, sizeof *job->cracks);
    shear_list_steps(job);
    job->counts = terrain__random_stream(p->seed, call->operation->key, TERRAIN__DRAW_SHEAR_COUNT);
    job->drops = terrain__random_stream(p->seed, call->operation->key, TERRAIN__DRAW_SHEAR_DROP);
    terrain__expect_passes(call, 2 * p->batches + 2);
    return TERRAIN_SUCCESS;
}

/* ---- One drop -------------------------------------------------------------------------------- */

struct shear_drop {
    int64_t x, y;    /* its cell on the map */
    uint64_t random; /* from which its cracks are hashed */
};

/* Finds the cells that the drop's cracks reach. Returns the lowest visit, the first one if there
 * are several.
 *
 * Visits come in the order of their steps: after the first that is `reach` steps away, cracks lead
 * nowhere. There are no branches that the processor could not predict: from a cell without lower
 * neighbours cracks lead to the cell itself, which was seen; and each crack writes a visit, which
 * counts only if its cell is new. */
TERRAIN__INLINE shear_visit shear_follow_by(struct shear_cracks *cracks,
                                            const struct shear_job *job, const shear_params *p,
                                            const struct shear_drop *drop, const float *centre,
                                            float level, uint32_t rivulets)
{
    const uint8_t *lower =
        job->lower + (size_t)drop->y * shear_frozen(job).stride + (size_t)drop->x;
    const uint64_t random = drop->random;
    const uint32_t most = p->visits, farthest = p->reach * SHEAR_STEP;
    shear_visit *visits = cracks->visits;
    float lowest = *centre;
    uint32_t at = 0, n = 0, found = 1;
    visits[0] = SHEAR_CENTRE;
    cracks->unseen[SHEAR_CENTRE] = 0;
    for (; n < found && found < most && (uint32_t)visits[n] < farthest; n++) {
        const shear_visit visit = visits[n];
        const float height = centre[shear_place(visit)];
        const uint32_t set = height > level ? lower[shear_place(visit)] : 0;
        const uint32_t size = job->sizes[set];
        uint64_t bits = terrain__mix(random, n + 1);
        at = height < lowest ? n : at;
        lowest = height < lowest ? height : lowest;
        for (uint32_t k = 0; k < rivulets; k++) {
            const uint32_t to = (uint32_t)(bits & 255) * size >> 8;
            const shear_visit next = visit + job->steps[job->members[set][to]];
            uint8_t *unseen = &cracks->unseen[shear_square(next)];
            visits[found] = next;
            found += *unseen;
            *unseen = 0;
            bits >>= 8;
        }
    }
    for (uint32_t i = 0; i < found; i++) {
        cracks->unseen[shear_square(visits[i])] = 1;
    }
    cracks->count = found < most ? found : most;
    for (; n < cracks->count; n++) {
        const float height = centre[shear_place(visits[n])];
        at = height < lowest ? n : at;
        lowest = height < lowest ? height : lowest;
    }
    return visits[at];
}

/* The default of 4 rivulets is a constant, so that the loop over them unrolls. */
static shear_visit shear_follow(struct shear_cracks *cracks, const terrain__call *call,
                                const struct shear_drop *drop, const float *centre, float level)
{
    const shear_params *p = call->params;
    return p->rivulets == 4
               ? shear_follow_by(cracks, call->job, p, drop, centre, level, 4)
               : shear_follow_by(cracks, call->job, p, drop, centre, level, p->rivulets);
}

/* The level of a drop that would dig from height `from` down to `level`, and whose lowest cell, of
 * height `lowest`, is at that visit. */
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

/* Lowers the cells that the drop discovers, within rows begin to end - 1. */
static void shear_break(terrain__call *call, struct shear_cracks *cracks,
                        const struct shear_drop *drop, int64_t begin, int64_t end)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const float *centre = shear_row(shear_frozen(job), drop->y) + drop->x;
    float *target = shear_row(shear_next(job), drop->y) + drop->x;
    float level = *centre - p->strength;
    if (!(*centre == *centre)) {
        return;
    }
    shear_visit lowest = shear_follow(cracks, call, drop, centre, level);
    level = shear_level(call, *centre, level, centre[shear_place(lowest)], lowest);
    if (!(level < *centre)) {
        return;
    }
    const bool within = drop->y - p->reach >= begin && drop->y + p->reach < end;
    for (uint32_t i = 0; i < cracks->count; i++) {
        const int64_t y = drop->y + shear_y(cracks->visits[i]);
        if (within || (y >= begin && y < end)) {
            float *cell = target + shear_place(cracks->visits[i]);
            *cell = level < *cell ? level : *cell;
        }
    }
}

/* ---- A batch --------------------------------------------------------------------------------- */

/* Lets the batch's drops of a block fall. */
static void shear_block(terrain__call *call, struct shear_cracks *cracks, int64_t x, int64_t y,
                        int64_t begin, int64_t end)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const float chance = terrain__unit_float(terrain__random_cell(job->counts, x, y));
    const uint32_t count = (uint32_t)((float)(SHEAR_BLOCK * SHEAR_BLOCK) * p->density + chance);
    const uint64_t word = terrain__mix(terrain__mix(job->drops, (uint64_t)y), (uint64_t)x);
    for (uint32_t i = job->batch; i < count; i += p->batches) {
        struct shear_drop drop;
        uint64_t place;
        drop.random = terrain__mix(word, i);
        place = terrain__mix(drop.random, 0);
        drop.x = x * SHEAR_BLOCK - call->x + (int64_t)(place % SHEAR_BLOCK);
        drop.y = y * SHEAR_BLOCK - call->y + (int64_t)(place / SHEAR_BLOCK % SHEAR_BLOCK);
        if (drop.x >= 0 && drop.x < call->target.width && drop.y >= 0 &&
            drop.y < call->target.height && drop.y >= begin - (int64_t)p->reach &&
            drop.y < end + (int64_t)p->reach) {
            shear_break(call, cracks, &drop, begin, end);
        }
    }
}

static void shear_find_lower(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct shear_job *job = call->job;
    const terrain__plane frozen = shear_frozen(job);
    (void)task;
    terrain__shear_kernels(call->isa)->lower(job->lower + y * frozen.stride, shear_row(frozen, y),
                                             frozen.stride, call->target.width);
}

static void shear_band(terrain__call *call, uint32_t index)
{
    const shear_params *p = call->params;
    const struct shear_job *job = call->job;
    const int64_t begin = terrain__band_begin(&job->bands, index);
    const int64_t end = terrain__band_end(&job->bands, index);
    const int64_t width = call->target.width;
    struct shear_cracks *cracks = &job->cracks[index];
    memset(cracks->unseen, 1, sizeof cracks->unseen);
    for (int64_t row = begin; row < end; row++) {
        memcpy(shear_row(shear_next(job), row), shear_row(shear_frozen(job), row),
               (size_t)width * sizeof(float));
    }
    for (int64_t y = terrain__floor_div(call->y + begin - p->reach, SHEAR_BLOCK);
         y * SHEAR_BLOCK < call->y + end + p->reach; y++) {
        for (int64_t x = terrain__floor_div(call->x, SHEAR_BLOCK);
             x * SHEAR_BLOCK < call->x + width; x++) {
            shear_block(call, cracks, x, y, begin, end);
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

static void shear_write(terrain__call *call, uint32_t task, uint32_t y)
{
    (void)task;
    memcpy(terrain__target_row(call, y), shear_row(shear_frozen(call->job), y),
           call->target.width * sizeof(float));
}

static terrain_status shear_run(terrain__call *call)
{
    const shear_params *p = call->params;
    struct shear_job *job = call->job;
    terrain_status status = terrain__run(call, job->bands.count, shear_read);
    for (job->batch = 0; status == TERRAIN_SUCCESS && job->batch < p->batches; job->batch++) {
        status = terrain__run_rows(call, call->target.height, shear_find_lower);
        if (status == TERRAIN_SUCCESS) {
            status = terrain__run(call, job->bands.count, shear_band);
        }
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, shear_write) : status;
}

/* In each batch, a drop `reach` away may lower a cell, and reads heights `reach` farther away. */
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
