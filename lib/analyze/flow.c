/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_flow: how much water comes through each cell, and where it goes.
 *
 * Directions: J. F. O'Callaghan, D. M. Mark, The extraction of drainage networks from digital
 * elevation data, 1984 (D8); J. Fairfield, P. Leymarie, Drainage networks from grid digital
 * elevation models, 1991 (RHO8); D. G. Tarboton, A new method for the determination of flow
 * directions, 1997 (DINF); T. G. Freeman, Calculating catchment area with divergent flow, 1991
 * (MFD).
 *
 *   surface    the map, or the map filled                                 flow/flow.h
 *   receivers  the steepest of eight; over level ground by fewest steps   flow/flow.h
 *   carve      back from each pit to its pass                             flow/flow.h
 *   areas      cells pass on what they have once all upstream have
 *
 * Water is counted in units of 2^-16 of a cell's, in integers: no drop is lost, and the order of
 * summing is free. */

#include <string.h>

#include "base/math.h"
#include "core/choices.h"
#include "flow/flow.h"
#include "flow/flow_kernels.h"
#include "flow/patch.h"
#include "terrain/analyze.h"

/* Names begin with water_: flow_ is lib/flow's. */
typedef terrain_analyze_flow_params water_params;

_Static_assert((int)TERRAIN__FLOW_FILL == (int)TERRAIN_ANALYZE_FLOW_ROUTING_FILL &&
                   (int)TERRAIN__FLOW_CARVE == (int)TERRAIN_ANALYZE_FLOW_ROUTING_CARVE &&
                   (int)TERRAIN__FLOW_NONE == (int)TERRAIN_ANALYZE_FLOW_ROUTING_NONE,
               "lib/flow's routings are the public ones");

/* Larger maps' areas are summed by patches: 9.4 ns a cell at 4096x4096, by a tree of the whole map
 * 14.4; at 512x512 the tree takes 3.5. */
#define WATER_TREE_CELLS ((size_t)1 << 20)

static const char *const water_method_names[] = {"d8", "rho8", "dinf", "mfd"};
static const char *const water_method_docs[] = {
    "to the steepest of the eight neighbours; parallel lines on slopes",
    "to one of the lower neighbours, at random, by slope: no such lines",
    "in the steepest direction, divided between two neighbours",
    "to all lower neighbours: smooth on hills and fans",
};

static const terrain_parameter water_parameters[] = {
    TERRAIN__ENUM(water_params, method, TERRAIN_ANALYZE_FLOW_METHOD_D8, water_method,
                  "Where a cell's water goes: to one neighbour, to a random one, to two, or to all "
                  "lower ones."),
    TERRAIN__ENUM(
        water_params, routing, TERRAIN_ANALYZE_FLOW_ROUTING_FILL, terrain__routing,
        "How water leaves depressions: as if they were filled, along their beds, or not at all."),
    TERRAIN__ENUM(water_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, or only at NaN."),
    TERRAIN__FLOAT(
        water_params, exponent, "", 1.1, 0.1, 20,
        "How much more water steep neighbours get, in MFD; if large, the steepest gets nearly all.",
        TERRAIN__WHEN(method, 1u << TERRAIN_ANALYZE_FLOW_METHOD_MFD)),
    TERRAIN__SEED(water_params),
    TERRAIN__MAP_IN(water_params, weights, "How much rain falls on each cell; 1 without it."),
    TERRAIN__MAP_OUT(
        water_params, direction,
        "Gets where most of a cell's water goes: 1 to 8, clockwise from the east; 0: nowhere."),
};

/* Rows whose water one task parts, as far as it does not come from others. */
struct water_band {
    size_t begin, end; /* cells */
    uint32_t *across;  /* those that give to cells beyond */
    size_t count;      /* how many */
};

struct water_job {
    struct flow flow; /* first: terrain__flow_run_… */
    bool by_patches;  /* no tree, areas, counts and sums */
    uint64_t *areas;  /* of each cell, in 2^-16; NULL: */
    uint32_t *counts; /* in cells */
    uint32_t *sums;   /* counts by places of the tree */
    /* For DINF and MFD: */
    uint8_t *shares; /* a bit for each neighbour that gets some, by direction */
    int32_t *parts;  /* how much each of the eight gets, in 2^-24 */
    uint8_t *donors; /* how many neighbours have yet to give */
    uint32_t *ready; /* of a band, from its first cell on: those that wait for nobody */
    struct water_band bands[2];
};

static bool water_is_shared(const water_params *p)
{
    return p->method >= TERRAIN_ANALYZE_FLOW_METHOD_DINF;
}

static const char *water_check(const void *params)
{
    const water_params *p = params;
    return water_is_shared(p) && p->routing == TERRAIN_ANALYZE_FLOW_ROUTING_CARVE
               ? "routing must not be carve with method dinf or mfd, whose water could run in "
                 "circles"
               : NULL;
}

static terrain_status water_prepare(terrain__call *call)
{
    const water_params *p = call->params;
    struct water_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    const size_t cells = (size_t)width * height;
    job->by_patches = !water_is_shared(p) && cells > WATER_TREE_CELLS;
    terrain_status status = terrain__flow_prepare_map(
        call, &job->flow,
        TERRAIN__FLOW_NEEDS_BASINS |
            (job->by_patches || water_is_shared(p) ? 0 : TERRAIN__FLOW_NEEDS_TREE),
        p->rim);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (p->method == TERRAIN_ANALYZE_FLOW_METHOD_RHO8) {
        terrain__flow_prepare_dither(call, &job->flow, p->seed, TERRAIN__DRAW_FLOW_DITHER);
    }
    if (job->by_patches) {
        terrain__flow_prepare_sides(call, &job->flow, width, height);
    } else if (p->weights != NULL || water_is_shared(p)) {
        job->areas = terrain__scratch(call, cells, sizeof *job->areas);
    } else {
        job->counts = terrain__scratch(call, cells, sizeof *job->counts);
        job->sums = terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->sums);
    }
    if (water_is_shared(p)) {
        job->shares = terrain__scratch(call, cells, 1);
        job->parts = terrain__scratch(call, cells, 8 * sizeof *job->parts);
        job->donors = terrain__scratch(call, cells, 1);
        job->ready = terrain__scratch(call, cells, sizeof *job->ready);
        for (uint32_t k = 0; k < 2; k++) {
            job->bands[k].across = terrain__scratch(call, 2 * (size_t)width, sizeof(uint32_t));
        }
    }
    terrain__expect_passes(call, 3 + 2 * water_is_shared(p) +
                                     terrain__flow_prepare_routing(call, &job->flow, p->routing));
    return TERRAIN_SUCCESS;
}

/* ---- Water ----------------------------------------------------------------------------------- */

static void water_begin_band(terrain__call *call, uint32_t index)
{
    const water_params *p = call->params;
    struct water_job *job = call->job;
    terrain__flow_find_donors(call, index);
    if (job->areas != NULL) {
        terrain__flow_fill_rain(call, index, terrain__view_of(p->weights), job->areas);
    }
}

static void water_gather_half(terrain__call *call, uint32_t index)
{
    struct water_job *job = call->job;
    const struct flow_half *half = &job->flow.halves[index];
    terrain__flow_grow(&job->flow, index);
    if (job->counts != NULL) {
        terrain__flow_catchments(&job->flow, half, job->sums);
        for (size_t i = 0; i < half->count; i++) {
            const size_t place = terrain__flow_place(half, i);
            job->counts[job->flow.tree.cells[place]] = job->sums[place];
        }
    } else {
        terrain__flow_areas(&job->flow, half, job->areas);
    }
}

/* ---- Water by patches ------------------------------------------------------------------------ */

static void water_rain_patch(terrain__call *call, const struct flow_patch *patch, uint64_t *water)
{
    const water_params *p = call->params;
    const terrain__view weights = terrain__view_of(p->weights);
    for (uint32_t y = 0; y < patch->height; y++) {
        const size_t row = patch->y0 + y;
        const float *heights = call->map.cells + row * call->map.stride + patch->x0;
        uint64_t *units = water + (size_t)y * FLOW_PATCH;
        for (uint32_t x = 0; x < patch->width; x++) {
            units[x] = heights[x] == heights[x];
        }
        for (uint32_t x = 0; x < patch->width && weights.cells != NULL; x++) {
            units[x] *= terrain__flow_units(weights.cells[row * weights.stride + patch->x0 + x],
                                            TERRAIN__FLOW_MOST_RAIN);
        }
    }
}

static void water_write_patch(terrain__call *call, const struct flow_patch *patch, uint64_t *water)
{
    const water_params *p = call->params;
    const struct water_job *job = call->job;
    const terrain__plane direction =
        terrain__output(call, (uint32_t)offsetof(water_params, direction));
    for (uint32_t y = 0; y < patch->height; y++) {
        const size_t row = patch->y0 + y;
        const uint8_t *codes = job->flow.directions + row * job->flow.width + patch->x0;
        const uint64_t *units = water + (size_t)y * FLOW_PATCH;
        float *target = call->target.cells + row * call->target.stride + patch->x0;
        for (uint32_t x = 0; x < patch->width && p->weights == NULL; x++) {
            target[x] = (float)(int32_t)units[x]; /* at most 2^30 */
        }
        for (uint32_t x = 0; x < patch->width && p->weights != NULL; x++) {
            target[x] = (float)((double)units[x] * (1 / TERRAIN__FLOW_UNIT));
        }
        for (uint32_t x = 0; x < patch->width && direction.cells != NULL; x++) {
            direction.cells[row * direction.stride + patch->x0 + x] =
                codes[x] == TERRAIN__FLOW_OUTLET ? 0 : (float)codes[x];
        }
    }
}

static void water_sum_patches(terrain__call *call, uint32_t index)
{
    const struct water_job *job = call->job;
    terrain__flow_sum_patches(call, &job->flow, index, water_rain_patch, NULL);
}

static void water_sum_ways(terrain__call *call, uint32_t index)
{
    const struct water_job *job = call->job;
    (void)index;
    terrain__flow_sum_ways(&job->flow);
}

static void water_write_patches(terrain__call *call, uint32_t index)
{
    const struct water_job *job = call->job;
    terrain__flow_sum_patches(call, &job->flow, index, water_rain_patch, water_write_patch);
}

static terrain_status water_run_patches(terrain__call *call)
{
    const struct water_job *job = call->job;
    const uint32_t rows = terrain__flow_patches(&job->flow).count;
    terrain_status status;
    terrain__flow_clear_sides(&job->flow);
    status = terrain__run(call, rows, water_sum_patches);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, water_sum_ways);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, rows, water_write_patches) : status;
}

/* ---- Water that parts ------------------------------------------------------------------------ */

/* Slopes to the eight neighbours by direction - 1, of a cell that is not at the rim of an open map;
 * beyond a closed one's, uphill. */
static void water_slopes(const struct flow *flow, uint32_t cell, float slopes[8])
{
    const uint32_t x = cell % flow->width, y = cell / flow->width;
    const float *centre = flow->heights + (size_t)y * flow->stride + x;
    for (uint32_t d = TERRAIN__FLOW_E; d <= TERRAIN__FLOW_NE; d++) {
        const bool inside = terrain__flow_has_neighbour(flow, x, y, d);
        const float h = inside ? centre[flow->height_steps[d]] : INFINITY;
        const float drop = *centre - (h == h ? h : -INFINITY);
        slopes[d - 1] = terrain__flow_is_straight(d) ? drop : drop * TERRAIN__FLOW_DIAGONAL;
    }
}

/* atan(x) / (pi / 4) for 0 <= x <= 1, with an error below 1.3e-5: C. Hastings, Approximations for
 * digital computers, 1955. */
static float water_angle(float x)
{
    const float s = x * x;
    const float angle =
        x * (0.999866f + s * (-0.3302995f + s * (0.180141f + s * (-0.085133f + s * 0.0208351f))));
    return angle * 1.27323954f;
}

/* Facets: the triangles between a cell, a neighbour straight beside it, and one at a corner beside
 * that. The steepest one's direction says which two get how much. */
static void water_share_facets(const float slopes[8], float shares[8])
{
    float most = 0, part = 0;
    int side = 0, corner = 0;
    for (int f = 0; f < 8; f++) {
        const int straight = (f + 1) / 2 * 2 % 8, diagonal = f / 2 * 2 + 1;
        const float s1 = slopes[straight];
        const float s2 =
            slopes[diagonal] * (float)TERRAIN__FLOW_CORNER - s1; /* on from there to the corner */
        float steepness, share;
        if (s2 <= 0) {
            steepness = s1;
            share = 0;
        } else if (s2 >= s1) {
            steepness = slopes[diagonal];
            share = 1;
        } else {
            steepness = terrain__sqrtf(s1 * s1 + s2 * s2);
            share = water_angle(s2 / s1);
            share = share < 1 ? share : 1;
        }
        if (steepness > most) {
            most = steepness;
            part = share;
            side = straight;
            corner = diagonal;
        }
    }
    memset(shares, 0, 8 * sizeof *shares);
    shares[side] = most > 0 ? 1 - part : 0;
    shares[corner] = most > 0 ? part : 0;
}

/* Parts of a cell's water by the steepest facet. None on level ground, and where a slope is
 * infinite: all goes to the receiver. */
static void water_part_facets(const struct flow *flow, uint32_t cell, int32_t parts[8])
{
    float slopes[8], shares[8], most = 0;
    water_slopes(flow, cell, slopes);
    for (int k = 0; k < 8; k++) {
        most = slopes[k] > most ? slopes[k] : most;
    }
    memset(parts, 0, 8 * sizeof *parts);
    if (most > 0 && most < 1e18f) { /* whose square is finite */
        water_share_facets(slopes, shares);
        for (int k = 0; k < 8; k++) {
            parts[k] = (int32_t)(shares[k] * 0x1p24f);
        }
    }
}

static void water_share_band(terrain__call *call, uint32_t index)
{
    const water_params *p = call->params;
    const struct water_job *job = call->job;
    const struct flow *flow = &job->flow;
    const terrain__bands bands = terrain__flow_bands(flow);
    const size_t end = (size_t)terrain__band_end(&bands, index) * flow->width;
    terrain__flow_fill_rain(call, index, terrain__view_of(p->weights), job->areas);
    if (p->method == TERRAIN_ANALYZE_FLOW_METHOD_MFD) {
        terrain__flow_part(flow, index, p->exponent, job->parts);
    }
    for (size_t i = (size_t)terrain__band_begin(&bands, index) * flow->width; i < end; i++) {
        const uint8_t code = flow->directions[i];
        const bool flows = code != TERRAIN__FLOW_PIT && code != TERRAIN__FLOW_OUTLET;
        int32_t *parts = job->parts + 8 * i;
        uint8_t bits = flows ? (uint8_t)(1 << (code - 1)) : 0;
        if (flows && p->method == TERRAIN_ANALYZE_FLOW_METHOD_DINF) {
            water_part_facets(flow, (uint32_t)i, parts);
        }
        for (int k = 0; flows && k < 8; k++) {
            bits |= (uint8_t)((parts[k] > 0) << k);
        }
        job->shares[i] = bits;
    }
}

/* The cell's water to those of its neighbours that are in the band, in whole units; what is left
 * over takes the steepest way. Appends the neighbours that wait for nobody now to the band's
 * `waiting` ones, and returns how many these are. */
static size_t water_give(struct water_job *job, const struct water_band *band, uint32_t cell,
                         uint32_t *ready, size_t waiting)
{
    const struct flow *flow = &job->flow;
    const int32_t *parts = job->parts + (size_t)8 * cell;
    const size_t count = band->end - band->begin;
    const size_t steepest = terrain__flow_receiver(flow, cell);
    const uint64_t water = job->areas[cell];
    uint64_t rest = water;
    for (uint32_t bits = job->shares[cell]; bits != 0; bits &= bits - 1) {
        const uint32_t k = terrain__lowest_bit(bits);
        const size_t next = (size_t)((ptrdiff_t)cell + flow->steps[k + 1]);
        const uint64_t part = (uint64_t)parts[k];
        const uint64_t gives = water >> 40 == 0
                                   ? water * part >> 24
                                   : (water >> 24) * part + ((water & 0xFFFFFF) * part >> 24);
        rest -= gives;
        if (next - band->begin < count) {
            job->areas[next] += gives;
            ready[waiting] = (uint32_t)next;
            waiting += --job->donors[next] == 0;
        }
    }
    if (steepest - band->begin < count) {
        job->areas[steepest] += rest;
    }
    return waiting;
}

/* Parts the water of the waiting cells, and of all that need wait for nobody then. */
static void water_part(struct water_job *job, struct water_band *band, uint32_t *ready,
                       size_t waiting)
{
    const uint32_t north = 0xE0, south = 0x0E;
    const uint32_t width = job->flow.width;
    while (waiting > 0) {
        const uint32_t cell = ready[--waiting], shares = job->shares[cell];
        const uint32_t across =
            (cell < band->begin + width ? north : 0) | (cell + width >= band->end ? south : 0);
        job->donors[cell] = UINT8_MAX; /* has passed on */
        if ((shares & across) != 0) {
            band->across[band->count++] = cell;
        }
        waiting = shares != 0 ? water_give(job, band, cell, ready, waiting) : waiting;
    }
}

static void water_count_donors(terrain__call *call, uint32_t index)
{
    const struct water_job *job = call->job;
    terrain__flow_count_givers(&job->flow, index, job->shares, job->donors);
}

/* From the cells that nothing flows to, as far as no other band is needed. */
static void water_part_band(terrain__call *call, uint32_t index)
{
    struct water_job *job = call->job;
    const terrain__bands bands = terrain__flow_half_bands(&job->flow);
    const size_t width = job->flow.width;
    struct water_band *band = &job->bands[index];
    band->begin = terrain__band_begin(&bands, index) * width;
    band->end = terrain__band_end(&bands, index) * width;
    band->count = 0;
    for (size_t i = band->begin; i < band->end; i++) {
        const uint8_t *found = memchr(job->donors + i, 0, band->end - i);
        if (found == NULL) {
            break;
        }
        i = (size_t)(found - job->donors);
        job->ready[band->begin] = (uint32_t)i;
        water_part(job, band, job->ready + band->begin, 1);
    }
}

/* From the cells that give to another band. */
static void water_part_rest(terrain__call *call, uint32_t index)
{
    struct water_job *job = call->job;
    const terrain__bands bands = terrain__flow_half_bands(&job->flow);
    struct water_band all = {.end = terrain__flow_cells(&job->flow)};
    size_t waiting = 0;
    (void)index;
    for (uint32_t k = 0; k < bands.count; k++) {
        const struct water_band *band = &job->bands[k];
        const struct water_band above = {.end = band->begin};
        const struct water_band below = {.begin = band->end, .end = all.end};
        for (size_t i = 0; i < band->count; i++) {
            waiting = water_give(job, &above, band->across[i], job->ready, waiting);
            waiting = water_give(job, &below, band->across[i], job->ready, waiting);
        }
    }
    water_part(job, &all, job->ready, waiting);
}

static terrain_status water_run_shares(terrain__call *call)
{
    const struct water_job *job = call->job;
    const uint32_t bands = terrain__flow_bands(&job->flow).count;
    terrain_status status = terrain__run(call, bands, water_share_band);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, bands, water_count_donors);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_half_bands(&job->flow).count, water_part_band);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, water_part_rest) : status;
}

/* ---- Out ------------------------------------------------------------------------------------- */

static void water_write_band(terrain__call *call, uint32_t index)
{
    const struct water_job *job = call->job;
    const struct flow *flow = &job->flow;
    const terrain__plane direction =
        terrain__output(call, (uint32_t)offsetof(water_params, direction));
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        const size_t row = (size_t)y * flow->width;
        float *target = call->target.cells + y * call->target.stride;
        for (uint32_t x = 0; job->counts != NULL && x < flow->width; x++) {
            target[x] = (float)job->counts[row + x];
        }
        for (uint32_t x = 0; job->areas != NULL && x < flow->width; x++) {
            target[x] = (float)((double)job->areas[row + x] * (1 / TERRAIN__FLOW_UNIT));
        }
        for (uint32_t x = 0; direction.cells != NULL && x < flow->width; x++) {
            const uint8_t code = flow->directions[row + x];
            direction.cells[y * direction.stride + x] =
                code == TERRAIN__FLOW_OUTLET ? 0 : (float)code;
        }
    }
}

static terrain_status water_run_tree(terrain__call *call)
{
    struct water_job *job = call->job;
    terrain_status status =
        terrain__run(call, terrain__flow_bands(&job->flow).count, water_begin_band);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain__flow_deal_roots(&job->flow);
    return terrain__run(call, terrain__flow_halves(&job->flow), water_gather_half);
}

static terrain_status water_run(terrain__call *call)
{
    const water_params *p = call->params;
    const struct water_job *job = call->job;
    const uint32_t bands = terrain__flow_bands(&job->flow).count;
    terrain_status status = terrain__flow_run_routed(call, p->routing);
    if (status == TERRAIN_SUCCESS && job->by_patches) {
        return water_run_patches(call);
    }
    if (status == TERRAIN_SUCCESS) {
        status = water_is_shared(p) ? water_run_shares(call) : water_run_tree(call);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, bands, water_write_band) : status;
}

static const terrain__world_regions water_regions = {.core = 512,
                                                     .combining = TERRAIN__COMBINE_CORES};

static const char *water_endless(const void *params)
{
    return terrain__rim_endless(((const water_params *)params)->rim);
}

const terrain_operation terrain__analyze_flow = {
    TERRAIN__IDENTITY(analyze, flow),
    .result_version = 1,
    .summary = "Flow accumulation: how much water comes through each cell, and where it goes.",
    .reference = "O'Callaghan and Mark, 1984; Fairfield and Leymarie, 1991; Freeman, 1991; "
                 "Tarboton, 1997; Cordonnier, Bovy and Braun, 2019",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(water_params),
    TERRAIN__PARAMETERS(water_parameters),
    .job_size = sizeof(struct water_job),
    .check = water_check,
    .halo = terrain__global_halo,
    .endless = water_endless,
    .regions = &water_regions,
    .prepare = water_prepare,
    .run = water_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_flow)
