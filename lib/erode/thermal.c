/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_thermal: weathered material slides down slopes that are too steep to hold it.
 *
 * F. K. Musgrave, C. E. Kolb, R. S. Mace: The synthesis and rendering of eroded fractal terrains,
 * SIGGRAPH 1989. J. Olsen: Realtime procedural terrain generation, 2004, for the neighbourhoods.
 *
 * An iteration, for all cells at once (FLUX; the other modes are in terrain/erode.h):
 *
 *     for each neighbour n:  d = h[n] - h
 *                            excess[n] = d - clamp(d, -limit[n], limit[n])
 *     h = h + rate * the sum of excess
 *
 * tests/oracle/thermal.c says it in plain C for every mode. The kernels compute one row from three.
 *
 * A sweep takes several iterations through the map at once, as its levels. Level 0 is the map;
 * level k makes row y as soon as level k - 1 has made row y + 1:
 *
 *     rows of the map     level 0    1    2    3
 *     y                       .    .    .    #     made last, and written to the map
 *     y + 1                   .    .    #    .     #: the row that each level makes next
 *     y + 2                   .    #    .    .
 *     y + 3                   #    .    .    .     read from the map
 *
 * Each level keeps its last rows in a ring, and all rings fit into the second-level cache, so that
 * a sweep reads and writes the map in memory only once. Where rows are short, levels are one row
 * farther apart. How iterations are shared out among sweeps, and rows among bands, changes no bit
 * of the result. */

#include <string.h>

#include "base/math.h"
#include "erode/thermal_kernels.h"
#include "rows/rows.h"
#include "terrain/erode.h"

typedef terrain_erode_thermal_params thermal_params;

enum {
    /* More levels bring no more speed once a sweep's memory traffic is hidden. */
    THERMAL_MOST_LEVELS = 12,
    THERMAL_LEFT_PAD = 16, /* floats: keeps a row's first cell at a cache line's start */
    /* A band computes rows of its neighbours again, about as many as a sweep reaches. It has at
     * least this many times as many rows of its own. */
    THERMAL_OVERLAP = 12,
    /* Cells of a row so short that its last stores may not have completed when the next level loads
     * them: levels keep two rows apart, so that none waits for the one before. */
    THERMAL_SHORT_ROW = 64
};

static const char *const thermal_neighbourhood_names[] = {"moore", "von_neumann", "rotated"};
static const char *const thermal_neighbourhood_docs[] = {
    "all eight neighbours",
    "the four neighbours that share an edge: half the time",
    "the four neighbours that share a corner (Olsen 2004)",
};
static const char *const thermal_mode_names[] = {"flux", "musgrave", "quantum", "layers"};
static const char *const thermal_mode_docs[] = {
    "a part of the excess between each two neighbours",
    "from each cell, divided among its lower neighbours (Musgrave 1989)",
    "a small fixed amount between each two neighbours: the classic landslide",
    "only debris slides; rock weathers to debris",
};

#define THERMAL_MOST_ITERATIONS 100000

static const terrain_parameter thermal_parameters[] = {
    TERRAIN__UINT32(thermal_params, iterations, "", 50, 0, THERMAL_MOST_ITERATIONS,
                    "How many times material slides.", .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(thermal_params, talus, "slope", 0.6, 0, 100, "The steepest slope that holds."),
    TERRAIN__FLOAT(thermal_params, rate, "", 0.5, 0, 1,
                   "The part of the excess height above talus that slides in an iteration.",
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__ENUM(thermal_params, neighbourhood, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE,
                  thermal_neighbourhood,
                  "Which neighbours material slides to: all eight, the four at the edges, or the "
                  "four at the corners."),
    TERRAIN__ENUM(thermal_params, mode, TERRAIN_ERODE_THERMAL_MODE_FLUX, thermal_mode,
                  "How much slides: a part of the excess, by the published rule, a fixed amount, "
                  "or debris alone."),
    TERRAIN__FLOAT(thermal_params, quantum, "cell sizes", 0.02, 0, 100,
                   "The most that slides between two cells in an iteration, in mode QUANTUM.",
                   TERRAIN__WHEN(mode, 1u << TERRAIN_ERODE_THERMAL_MODE_QUANTUM),
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(thermal_params, debris_talus, "slope", 0.6, 0, 100,
                   "The steepest slope of debris that holds; for rock it is talus.",
                   TERRAIN__WHEN(mode, 1u << TERRAIN_ERODE_THERMAL_MODE_LAYERS)),
    TERRAIN__FLOAT(thermal_params, weathering, "", 0.25, 0, 1,
                   "The part of the rock's excess height that turns to debris in an iteration.",
                   TERRAIN__WHEN(mode, 1u << TERRAIN_ERODE_THERMAL_MODE_LAYERS),
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__MAP_IN(thermal_params, debris, "Thickness of the loose debris in each height.",
                    TERRAIN__WHEN(mode, 1u << TERRAIN_ERODE_THERMAL_MODE_LAYERS)),
    TERRAIN__MAP_IN(thermal_params, hardness,
                    "How much rock resists weathering: 0 not at all, 1 entirely.",
                    TERRAIN__WHEN(mode, 1u << TERRAIN_ERODE_THERMAL_MODE_LAYERS)),
    TERRAIN__MAP_OUT(thermal_params, debris_out,
                     "Gets the thickness of the loose debris afterwards."),
    TERRAIN__MASK(thermal_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

/* The planes of a level's rows: heights, and whatever else the mode needs for a cell. */
enum {
    THERMAL_HEIGHTS = 0,
    THERMAL_LOSSES = 1, /* MUSGRAVE: what the cell gives away */
    THERMAL_SHARES = 2, /* what it gives, as a share of each height difference */
    THERMAL_DEBRIS = 1  /* LAYERS */
};

/* A map that iterations change: the heights, and for LAYERS the debris. */
struct thermal_layer {
    terrain__rows source;  /* what the current sweep reads */
    terrain__plane result; /* what it writes; cells is NULL if nobody wants it */
    terrain__plane plane;  /* what all sweeps but the last write, if there are several */
};

struct thermal_job {
    uint32_t mode;
    uint32_t neighbourhood;
    float straight, diagonal; /* the largest height differences that hold */
    float debris_straight, debris_diagonal;
    float rate;
    float most;     /* QUANTUM: the largest excess that counts */
    float softness; /* LAYERS: of rock without hardness */
    uint32_t reach; /* how many rows away an iteration looks */
    uint32_t lag;   /* rows that a level is behind the one before: 1 or 2, at least `reach` */
    uint32_t kinds; /* planes of which each level keeps rows */
    uint32_t sweeps;
    uint32_t sweep;       /* the current one's number */
    uint32_t levels;      /* of the current sweep */
    uint32_t most_levels; /* of any sweep */
    terrain__bands bands;
    uint32_t layer_count;
    struct thermal_layer layers[2]; /* THERMAL_HEIGHTS, THERMAL_DEBRIS */
    terrain__view hardness;
    terrain__plane zeroed; /* debris_out, in modes without debris */
    float *rings;          /* scratch of each task: see thermal_begin */
    uint32_t soft_rows;    /* rows of scratch for softness */
    size_t task_rows;
    size_t stride;
};

static void thermal_plan_mode(struct thermal_job *job, const thermal_params *p, float cell_size)
{
    const double size = (double)cell_size;
    const float part =
        p->neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ? 0.125f : 0.25f;
    job->straight = (float)((double)p->talus * size);
    job->diagonal = (float)((double)p->talus * size * terrain__sqrt(2));
    job->debris_straight = (float)((double)p->debris_talus * size);
    job->debris_diagonal = (float)((double)p->debris_talus * size * terrain__sqrt(2));
    job->neighbourhood = p->neighbourhood;
    job->mode = p->mode;
    job->reach = p->mode == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE ? 2 : 1;
    job->rate = p->rate;
    if (p->mode == TERRAIN_ERODE_THERMAL_MODE_FLUX ||
        p->mode == TERRAIN_ERODE_THERMAL_MODE_QUANTUM) {
        job->rate *= part;
    }
    if (job->rate > 0) {
        job->most = (float)((double)p->quantum * size / (double)job->rate);
    }
    job->softness = p->weathering * part;
}

/* Plans sweeps of as many levels as the cache has room for. */
static void thermal_plan_sweeps(struct thermal_job *job, uint32_t iterations, uint32_t width,
                                uint32_t height)
{
    const bool layers = job->mode == TERRAIN_ERODE_THERMAL_MODE_LAYERS;
    const bool musgrave = job->mode == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE;
    uint32_t most = THERMAL_MOST_LEVELS;
    job->lag = width <= THERMAL_SHORT_ROW ? 2 : job->reach;
    job->layer_count = layers ? 2 : 1;
    job->kinds = musgrave ? 3 : job->layer_count;
    job->stride = terrain__whole_lines(width) + THERMAL_LEFT_PAD + TERRAIN__THERMAL_PAD;
    size_t level_bytes = (job->kinds + layers) * (job->lag + 2) * job->stride * sizeof(float);
    while (most > 2 && level_bytes > TERRAIN__CACHE_BYTES / most) {
        most--;
    }
    job->sweeps = iterations == 0 ? 1 : terrain__divide_up(iterations, most);
    job->most_levels = terrain__divide_up(iterations, job->sweeps);
    job->bands = terrain__bands_of(height, job->reach * job->most_levels * THERMAL_OVERLAP + 16);
    job->soft_rows = layers ? job->lag * job->most_levels + 2 : 0;
    job->task_rows = 1 + job->soft_rows + (job->most_levels + 1) * job->kinds * (job->lag + 2);
}

static terrain_status thermal_prepare(terrain__call *call)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    thermal_plan_mode(job, p, call->cell_size);
    thermal_plan_sweeps(job, p->iterations, call->target.width, call->target.height);
    const uint32_t reach = job->reach * job->most_levels;
    job->rings =
        terrain__scratch(call, job->bands.count * job->task_rows, job->stride * sizeof(float));
    for (uint32_t k = 0; k < job->layer_count; k++) {
        struct thermal_layer *layer = &job->layers[k];
        if (job->sweeps > 1) {
            layer->plane = terrain__scratch_plane(call, call->target.width, call->target.height);
        }
        if (job->sweeps != 2) { /* two sweeps go from the map to the plane, and back */
            layer->source.view = call->map;
            terrain__rows_prepare(call, &layer->source, job->bands, reach);
        }
    }
    job->hardness = terrain__view_of(p->hardness);
    /* Nanoseconds a cell, measured and rounded up. */
    terrain__commit_cost(call, (p->mode == TERRAIN_ERODE_THERMAL_MODE_FLUX ? 0.6 : 1.2) * reach);
    /* Seams are saved for sweeps in place: of the map if there is one sweep, else of planes. */
    const uint32_t saved = job->sweeps > 1 ? job->layer_count * (job->sweeps - 2) : 1;
    terrain__expect_passes(call, job->sweeps + saved);
    return TERRAIN_SUCCESS;
}

/* ---- One band of a sweep --------------------------------------------------------------------- */

struct thermal_band {
    const struct thermal_job *job;
    const struct thermal_kernels *kernels;
    uint32_t index;
    uint32_t width;
    int64_t height;         /* of the map */
    float *zeros;           /* stands for the rows outside the map */
    int64_t begin, end;     /* its rows */
    float *rings;           /* of each level, one for each kind */
    terrain__ring softness; /* LAYERS: the share of a cell's excess rock that weathers */
};

/* Row y of a level's ring. */
static inline float *thermal_row(const struct thermal_band *band, uint32_t level, uint32_t kind,
                                 int64_t y)
{
    const struct thermal_job *job = band->job;
    const uint32_t count = job->lag + 2; /* 3 or 4: constants, by which compilers divide faster */
    const uint32_t slot = count == 3 ? (uint32_t)y % 3 : (uint32_t)y % 4;
    return band->rings + ((size_t)(level * job->kinds + kind) * count + slot) * job->stride;
}

static inline struct thermal_row thermal_row_of(const struct thermal_band *band, uint32_t level,
                                                uint32_t kind, int64_t y)
{
    const struct thermal_job *job = band->job;
    const bool first = y == 0, last = y + 1 == band->height;
    float *const ring = thermal_row(band, level, kind, 0);
    float *const end = ring + (job->lag + 2) * job->stride;
    float *const centre = thermal_row(band, level, kind, y);
    struct thermal_row row = {
        .north = first ? band->zeros : (centre == ring ? end : centre) - job->stride,
        .centre = centre,
        .south = last                          ? band->zeros
                 : centre + job->stride == end ? ring
                                               : centre + job->stride,
        .width = band->width,
        .first = first,
        .last = last,
        .straight = band->job->straight,
        .diagonal = band->job->diagonal,
    };
    return row;
}

static void thermal_softness(float *out, const float *hardness, uint32_t width, float softness)
{
    for (uint32_t x = 0; x < width; x++) {
        float hard = hardness != NULL ? hardness[x] : 0;
        hard = hard > 0 ? hard : 0;
        hard = hard < 1 ? hard : 1;
        out[x] = softness * (1 - hard);
    }
}

/* Copies row y of the sweep's input into level 0. */
static void thermal_enter(const struct thermal_band *band, int64_t y)
{
    const struct thermal_job *job = band->job;
    const size_t bytes = band->width * sizeof(float);
    memcpy(thermal_row(band, 0, THERMAL_HEIGHTS, y),
           terrain__rows_at(&job->layers[THERMAL_HEIGHTS].source, band->index, y), bytes);
    if (job->mode == TERRAIN_ERODE_THERMAL_MODE_LAYERS) {
        const terrain__rows *source = &job->layers[THERMAL_DEBRIS].source;
        const float *debris =
            source->view.cells == NULL ? NULL : terrain__rows_at(source, band->index, y);
        float *row = thermal_row(band, 0, THERMAL_DEBRIS, y);
        if (job->sweep > 0) {
            memcpy(row, debris, bytes);
        } else { /* the host's: only thickness above 0 counts */
            for (uint32_t x = 0; x < band->width; x++) {
                row[x] = debris != NULL && debris[x] > 0 ? debris[x] : 0;
            }
        }
        thermal_softness(terrain__ring_row(&band->softness, y),
                         job->hardness.cells == NULL ? NULL : terrain__view_row(&job->hardness, y),
                         band->width, job->softness);
    }
}

/* Makes row y of a level from rows y - 1 to y + 1 of the level below. */
static void thermal_compute(const struct thermal_band *band, uint32_t level, int64_t y)
{
    const struct thermal_job *job = band->job;
    const struct thermal_kernels *kernels = band->kernels;
    const uint32_t around = job->neighbourhood;
    const struct thermal_row heights = thermal_row_of(band, level - 1, THERMAL_HEIGHTS, y);
    float *out = thermal_row(band, level, THERMAL_HEIGHTS, y);
    if (job->mode == TERRAIN_ERODE_THERMAL_MODE_FLUX) {
        kernels->flux[around](out, &heights, job->rate);
    } else if (job->mode == TERRAIN_ERODE_THERMAL_MODE_QUANTUM) {
        kernels->quantum[around](out, &heights, job->rate, job->most);
    } else if (job->mode == TERRAIN_ERODE_THERMAL_MODE_LAYERS) {
        struct thermal_layers layers = {heights, thermal_row_of(band, level - 1, THERMAL_DEBRIS, y),
                                        terrain__ring_row(&band->softness, y)};
        layers.debris.straight = job->debris_straight;
        layers.debris.diagonal = job->debris_diagonal;
        kernels->slide[around](out, thermal_row(band, level, THERMAL_DEBRIS, y), &layers,
                               job->rate);
    } else {
        struct thermal_row shares = thermal_row_of(band, level, THERMAL_SHARES, y);
        kernels->take[around](out, &heights, &shares, thermal_row(band, level, THERMAL_LOSSES, y));
    }
}

/* The first half of an iteration of MUSGRAVE: what the cells of row y give away. */
static void thermal_compute_gifts(const struct thermal_band *band, uint32_t level, int64_t y)
{
    const struct thermal_row heights = thermal_row_of(band, level - 1, THERMAL_HEIGHTS, y);
    band->kernels->give[band->job->neighbourhood](thermal_row(band, level, THERMAL_LOSSES, y),
                                                  thermal_row(band, level, THERMAL_SHARES, y),
                                                  &heights, band->job->rate);
}

/* Copies row y of the last level into the sweep's output. */
static void thermal_leave(const struct thermal_band *band, int64_t y)
{
    const struct thermal_job *job = band->job;
    const size_t bytes = band->width * sizeof(float);
    for (uint32_t k = 0; k < job->layer_count; k++) {
        const terrain__plane *result = &job->layers[k].result;
        if (result->cells != NULL) {
            memcpy(terrain__plane_row(result, y), thermal_row(band, job->levels, k, y), bytes);
        }
    }
    if (job->zeroed.cells != NULL) {
        memset(terrain__plane_row(&job->zeroed, y), 0, bytes);
    }
}

/* A task's rows: zeros, the softness, then the rings. The cells around each row are 0, and the
 * kernels keep them 0 through all sweeps. */
static struct thermal_band thermal_begin(terrain__call *call, uint32_t index)
{
    const struct thermal_job *job = call->job;
    float *rows = job->rings + index * job->task_rows * job->stride + THERMAL_LEFT_PAD;
    struct thermal_band band = {
        .job = job,
        .kernels = terrain__thermal_kernels(call->isa),
        .index = index,
        .width = call->target.width,
        .height = call->target.height,
        .begin = terrain__band_begin(&job->bands, index),
        .end = terrain__band_end(&job->bands, index),
        .zeros = rows,
        .softness = {rows + job->stride, job->stride, job->soft_rows},
        .rings = rows + (1 + job->soft_rows) * job->stride,
    };
    if (job->sweep == 0) {
        memset(rows - THERMAL_LEFT_PAD, 0, job->task_rows * job->stride * sizeof(float));
    }
    return band;
}

/* Whether the band needs row y of a level: its own rows, `reach` more on each side for each level
 * above this one, and `more` beyond those. */
static bool thermal_needs(const struct thermal_band *band, uint32_t level, int64_t y, int64_t more)
{
    const int64_t beyond = (int64_t)band->job->reach * (band->job->levels - level) + more;
    return y >= 0 && y < band->height && y >= band->begin - beyond && y < band->end + beyond;
}

static void thermal_sweep(terrain__call *call, uint32_t index)
{
    const struct thermal_job *job = call->job;
    const struct thermal_band band = thermal_begin(call, index);
    const int64_t reach = (int64_t)job->reach * job->levels, lag = job->lag;
    for (int64_t front = band.begin - reach; front < band.end + lag * job->levels; front++) {
        if (thermal_needs(&band, 0, front, 0)) {
            thermal_enter(&band, front);
        }
        /* The levels whose row, or the row after it, is on the map. */
        const int64_t past = front - band.height;
        const uint32_t first = past < 0 ? 1 : (uint32_t)(past / lag) + 1;
        const uint32_t last = front < 0 ? 0 : (uint32_t)((front + 1) / lag);
        for (uint32_t level = first; level <= last && level <= job->levels; level++) {
            const int64_t y = front - lag * level;
            if (job->mode == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE &&
                thermal_needs(&band, level, y + 1, 1)) {
                thermal_compute_gifts(&band, level, y + 1);
            }
            if (thermal_needs(&band, level, y, 0)) {
                thermal_compute(&band, level, y);
            }
        }
        if (front - lag * job->levels >= band.begin) {
            thermal_leave(&band, front - lag * job->levels);
        }
    }
}

/* ---- All sweeps ------------------------------------------------------------------------------ */

/* Chooses what the sweep reads and writes. */
static void thermal_route(terrain__call *call)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    const bool first = job->sweep == 0, last = job->sweep + 1 == job->sweeps;
    const terrain__plane debris_out = terrain__output(call, offsetof(thermal_params, debris_out));
    const terrain__view views[2] = {call->map, terrain__view_of(p->debris)};
    const terrain__plane results[2] = {call->target, debris_out};
    for (uint32_t k = 0; k < job->layer_count; k++) {
        struct thermal_layer *layer = &job->layers[k];
        layer->source.view = first ? views[k] : terrain__as_view(layer->plane);
        layer->result = last ? results[k] : layer->plane;
        layer->source.in_place =
            layer->source.view.cells != NULL && layer->source.view.cells == layer->result.cells;
    }
    if (last && job->layer_count == 1) {
        job->zeroed = debris_out;
    }
}

static terrain_status thermal_run(terrain__call *call)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t left = p->iterations; job->sweep < job->sweeps && status == TERRAIN_SUCCESS;
         left -= job->levels, job->sweep++) {
        uint32_t sweeps_left = job->sweeps - job->sweep;
        job->levels = terrain__divide_up(left, sweeps_left);
        thermal_route(call);
        for (uint32_t k = 0; k < job->layer_count && status == TERRAIN_SUCCESS; k++) {
            status = terrain__rows_save(call, &job->layers[k].source);
        }
        if (status == TERRAIN_SUCCESS) {
            status = sweeps_left == 1 ? terrain__commit(call, job->bands.count, thermal_sweep)
                                      : terrain__run(call, job->bands.count, thermal_sweep);
        }
    }
    return status;
}

static uint32_t thermal_halo(const void *params)
{
    const thermal_params *p = params;
    return p->mode == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE ? 2 * p->iterations : p->iterations;
}

/* Excess material spreads as heat does: at scale s it takes s^2 times as many iterations to get as
 * far. If that is not a whole number, it is rounded up, and each iteration moves less. Rock stands
 * out over its neighbours by 1/s times as much, s^2 times as often, so 1/s times the part weathers
 * each time. */
static const char *thermal_scale(void *params, const void *before, double scale)
{
    thermal_params *p = params;
    const thermal_params *old = before;
    const double fine = (double)old->iterations * scale * scale;
    const double most = fine < THERMAL_MOST_ITERATIONS ? fine : THERMAL_MOST_ITERATIONS;
    uint32_t iterations = (uint32_t)most;
    iterations += (double)iterations < most;
    double share = iterations > 0 ? fine / iterations : 1;
    p->iterations = iterations;
    p->rate = (float)((double)old->rate * share);
    p->quantum = (float)((double)old->quantum * share);
    p->weathering = (float)((double)old->weathering * share / scale);
    return NULL;
}

const terrain_operation terrain__erode_thermal = {
    TERRAIN__IDENTITY(erode, thermal),
    .result_version = 1,
    .summary = "Lets material slide down slopes that are too steep to hold it.",
    .reference = "Musgrave, Kolb and Mace, SIGGRAPH 1989; Olsen, 2004",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(thermal_params),
    TERRAIN__PARAMETERS(thermal_parameters),
    .job_size = sizeof(struct thermal_job),
    .scale = thermal_scale,
    .halo = thermal_halo,
    .prepare = thermal_prepare,
    .run = thermal_run,
};

TERRAIN__PUBLIC_CHANGE(erode_thermal)
