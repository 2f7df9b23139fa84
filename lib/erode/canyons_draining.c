/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_canyons_draining: canyons that run down slopes where water gathers.
 *
 * ckempke: Implementing erosion, "Drainage canyons": only on slopes, shallow at the head, deeper
 * and wider downhill, fading at the foot; deeper in soft rock, and on gentle slopes.
 *
 *   receivers  where each cell's water goes, and catchments (flow/flow.h, routing carve)
 *   profile    upstream first: the ground along each canyon, cut through all that dams it, and its
 *              slope over some distance
 *   beds       outlets first: below the profile by as much as catchment, slope and rock allow, but
 *              never below the bed downstream: where a canyon ends, the beds upstream rise to it
 *   relax      smooths the lines of canyons, which go from cell to cell in eight directions
 *   carve      erode/canyons.h
 *
 * All that flows to a canyon is in the same half of the tree of receivers: two threads plan a half
 * each. */

#include <string.h>

#include "base/math.h"
#include "core/choices.h"
#include "erode/canyons.h"
#include "erode/extent.h"
#include "flow/flow.h"
#include "terrain/erode.h"

typedef terrain_erode_canyons_draining_params draining_params;

enum { DRAINING_RELAX = 12 };

#define DRAINING_NONE UINT32_MAX

/* Known discharge of more cells counts as this, which a uint32_t holds. */
#define DRAINING_MOST_WATER 2e9f
#define DRAINING_LENGTH 24.0f /* cells over which slopes are measured */
/* Half the width of the narrowest floor: more than half the diagonal of a cell, so that no cell of
 * wall interrupts it. */
#define DRAINING_NARROWEST 0.75f
/* The greatest depth, times bank * reach. Reach permits 0.5 in the middle of a canyon, and still
 * 0.4 at 0.44 reach from it (`least` in canyons.h). */
#define DRAINING_DEEPEST 0.4f

static const char *const draining_method_names[] = {"d8", "rho8"};
static const char *const draining_method_docs[] = {
    "to the steepest of the eight neighbours",
    "to one of the lower neighbours, at random, by slope",
};

static const terrain_parameter draining_parameters[] = {
    TERRAIN__FLOAT(draining_params, threshold, "cells", 300, 1, 1e9,
                   "The catchment area at which a canyon begins.", .scaling = TERRAIN_SCALING_AREA),
    TERRAIN__FLOAT(
        draining_params, depth, "height", 6, 0, 1e6,
        "How deep a canyon is on gentle slopes, where its catchment area is twice the threshold."),
    TERRAIN__FLOAT(draining_params, width, "cells", 0.4, 0, 64,
                   "Half the width of a canyon's floor, at its head."),
    TERRAIN__FLOAT(draining_params, bank, "slope", 1.2, 0.001, 100, "The slope of the walls."),
    TERRAIN__FLOAT(draining_params, fall, "slope", 0.004, 0, 10,
                   "The least slope of a canyon's floor."),
    TERRAIN__FLOAT(
        draining_params, toe, "slope", 0.03, 0, 100,
        "Land less steep than this has no canyons; land twice as steep has them in full depth."),
    TERRAIN__FLOAT(draining_params, gentle, "slope", 1, 0.001, 1e6,
                   "On land as steep as this a canyon has half its depth."),
    TERRAIN__UINT32(draining_params, reach, "cells", 48, 1, 512,
                    "Cells farther than this from the middle line of a canyon don't change."),
    TERRAIN__ENUM(draining_params, method, TERRAIN_ERODE_CANYONS_DRAINING_METHOD_RHO8,
                  draining_method,
                  "Where a cell's water goes: to the steepest neighbour, or to a random lower one.",
                  TERRAIN__WITHOUT(discharge)),
    TERRAIN__ENUM(draining_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, or only at NaN."),
    TERRAIN__SEED(draining_params),
    TERRAIN__MAP_IN(
        draining_params, softness,
        "Multiplies the depth at each cell, 0 (hard rock) to 1 (soft rock); 1 without it."),
    TERRAIN__MAP_IN(draining_params, discharge,
                    "Discharge of known rivers, in cells; without this map it is computed."),
    TERRAIN__MAP_OUT(draining_params, floors,
                     "Gets the catchment area, in cells, of the canyon whose floor covers the "
                     "cell; 0 elsewhere."),
    TERRAIN__MASK(draining_params),
};

/* A cell of a canyon. Nodes are numbered upstream first. */
struct draining_node {
    uint32_t cell;
    uint32_t area;
    uint32_t next;   /* the node downstream, or DRAINING_NONE */
    uint32_t main;   /* the node upstream with the largest catchment, or DRAINING_NONE */
    uint32_t donors; /* how many nodes flow here */
    float way;       /* cells to the next node */
    float ground;    /* the profile's height */
    float slope;     /* of the profile, over some distance upstream */
    float depth;     /* of the bed below the profile */
    float bed;
    float half_width;
    uint32_t place[2]; /* x and y of the line, in 2^-8 cells, modulo 2^32 */
};

/* The nodes of a half of the flow's tree, and the pieces that are drawn between them. */
struct draining_half {
    uint32_t begin, end; /* nodes */
    uint32_t pieces;     /* from number `begin` on */
};

struct draining_job {
    struct flow flow; /* first: terrain__flow_run_… */
    struct canyons canyons;
    uint32_t *areas;   /* of each place of the flow's tree: catchments */
    uint32_t *numbers; /* of each place of the flow's tree: its node */
    struct draining_node *nodes;
    uint32_t (*places)[2]; /* of each node, between steps; then whether a piece passes it by */
    struct draining_half halves[2];
};

/* ---- Plan ------------------------------------------------------------------------------------ */

static terrain_status draining_prepare(terrain__call *call)
{
    const draining_params *p = call->params;
    struct draining_job *job = call->job;
    const size_t cells = (size_t)call->target.width * call->target.height;
    terrain_status status = terrain__flow_prepare_map(
        call, &job->flow, TERRAIN__FLOW_NEEDS_BASINS | TERRAIN__FLOW_NEEDS_TREE, p->rim);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    job->flow.known = terrain__view_of(p->discharge);
    if (p->method == TERRAIN_ERODE_CANYONS_DRAINING_METHOD_RHO8 && p->discharge == NULL) {
        terrain__flow_prepare_dither(call, &job->flow, p->seed,
                                     TERRAIN__DRAW_CANYONS_DRAINING_DITHER);
    }
    job->areas = terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->areas);
    job->numbers = terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->numbers);
    job->nodes = terrain__scratch(call, cells, sizeof *job->nodes);
    job->places = terrain__scratch(call, cells, sizeof *job->places);
    status = terrain__canyons_prepare(call, &job->canyons, cells, p->bank, p->reach);
    terrain__commit_cost(call, 10);
    terrain__expect_passes(
        call, 5 + terrain__flow_prepare_routing(call, &job->flow, TERRAIN__FLOW_CARVE));
    return status;
}

/* ---- Profile --------------------------------------------------------------------------------- */

/* Adds the cells of a half with a large catchment. All cells downstream of one have a large one,
 * too. */
static void draining_list(struct draining_job *job, const draining_params *p, uint32_t index)
{
    const struct flow *flow = &job->flow;
    const struct flow_half *half = &flow->halves[index];
    uint32_t count = job->halves[index].begin;
    for (size_t i = half->count; i-- > 0;) {
        const size_t place = terrain__flow_place(half, i);
        const uint32_t cell = flow->tree.cells[place];
        const float height = terrain__flow_height(flow, cell);
        job->numbers[place] = DRAINING_NONE;
        if ((float)job->areas[place] >= p->threshold && height >= -TERRAIN__CANYONS_MOST_HEIGHT &&
            height <= TERRAIN__CANYONS_MOST_HEIGHT) {
            struct draining_node *node = &job->nodes[count];
            node->cell = cell;
            node->area = job->areas[place];
            node->next = flow->tree.parents[place]; /* until draining_join makes it a node */
            node->main = DRAINING_NONE;
            node->donors = 0;
            node->way =
                terrain__flow_is_straight(flow->directions[cell]) ? 1 : (float)TERRAIN__FLOW_CORNER;
            node->ground = height;
            node->half_width = DRAINING_NARROWEST;
            node->place[0] = cell % flow->width * TERRAIN__CANYONS_PLACES;
            node->place[1] = cell / flow->width * TERRAIN__CANYONS_PLACES;
            job->numbers[place] = count++;
        }
    }
    job->halves[index].end = count;
}

static void draining_join(struct draining_job *job, const struct draining_half *half)
{
    for (uint32_t i = half->begin; i < half->end; i++) {
        struct draining_node *node = &job->nodes[i];
        const uint32_t receiver = terrain__flow_receiver(&job->flow, node->cell);
        node->next = receiver == node->cell ? DRAINING_NONE : job->numbers[node->next];
        if (node->next != DRAINING_NONE) {
            struct draining_node *next = &job->nodes[node->next];
            const struct draining_node *main =
                next->main == DRAINING_NONE ? NULL : &job->nodes[next->main];
            next->donors++;
            if (main == NULL || node->area > main->area ||
                (node->area == main->area && node->cell < main->cell)) {
                next->main = i;
            }
        }
    }
}

/* Upstream first. */
static void draining_profile(struct draining_job *job, const struct draining_half *half,
                             const draining_params *p, float cell_size)
{
    for (uint32_t i = half->begin; i < half->end; i++) {
        struct draining_node *node = &job->nodes[i];
        const float ratio = (float)node->area / p->threshold;
        const float wide = p->width * terrain__sqrtf(ratio);
        node->half_width = wide > node->half_width ? wide : node->half_width;
        if (node->next != DRAINING_NONE) {
            struct draining_node *next = &job->nodes[node->next];
            const float most = node->ground - p->fall * (node->way * cell_size);
            next->ground = most < next->ground ? most : next->ground;
            next->half_width =
                node->half_width > next->half_width ? node->half_width : next->half_width;
        }
    }
    for (uint32_t i = half->begin; i < half->end; i++) {
        struct draining_node *node = &job->nodes[i];
        const struct draining_node *from =
            node->main != DRAINING_NONE ? &job->nodes[node->main] : node;
        const struct draining_node *to = node->main != DRAINING_NONE   ? node
                                         : node->next != DRAINING_NONE ? &job->nodes[node->next]
                                                                       : node;
        const float slope = (from->ground - to->ground) / (from->way * cell_size);
        const float share = from->way / DRAINING_LENGTH;
        node->slope = from == node ? slope : from->slope + share * (slope - from->slope);
    }
}

/* ---- Beds ------------------------------------------------------------------------------------ */

/* Limited to the depth that reach permits: a floor cut off at that depth would not fall. */
static float draining_depth(const draining_params *p, const struct draining_node *node,
                            float softness, float cell_size)
{
    const float ratio = (float)node->area / p->threshold - 1;
    const float fourth = terrain__sqrtf(terrain__sqrtf(ratio > 0 ? ratio : 0));
    const float share = erode_extent(node->slope, p->toe);
    const float soft = softness > 1 ? 1 : softness > 0 ? softness : 0;
    const float most = DRAINING_DEEPEST * p->bank * cell_size * (float)p->reach;
    const float depth = p->depth * (fourth * terrain__sqrtf(fourth)) * share * soft * p->gentle /
                        (p->gentle + node->slope);
    return depth < most ? depth : most;
}

/* Outlets first. Upstream along a tributary, depth decreases by no more than a third of bank, so
 * that the tributary meets the larger canyon on its floor. */
static void draining_beds(const terrain__call *call, struct draining_job *job,
                          const struct draining_half *half)
{
    const draining_params *p = call->params;
    const terrain__view softness = terrain__view_of(p->softness);
    const float cell_size = call->cell_size;
    for (uint32_t i = half->end; i-- > half->begin;) {
        struct draining_node *node = &job->nodes[i];
        const uint32_t x = node->cell % job->flow.width, y = node->cell / job->flow.width;
        const uint32_t receiver = terrain__flow_receiver(&job->flow, node->cell);
        const float soft = softness.cells == NULL ? 1 : softness.cells[y * softness.stride + x];
        node->depth = draining_depth(p, node, soft, cell_size);
        node->bed = node->ground - node->depth;
        if (node->next != DRAINING_NONE) {
            const struct draining_node *next = &job->nodes[node->next];
            const float way = node->way * cell_size;
            const float least = next->depth - (1.0f / 3) * p->bank * way;
            const float bed = next->bed + p->fall * way;
            node->depth = least > node->depth ? least : node->depth;
            node->bed = node->ground - node->depth;
            node->bed = bed > node->bed ? bed : node->bed;
        } else if (receiver != node->cell) {
            node->depth = 0; /* into the sea */
            node->bed = node->ground;
        }
    }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* How far it is between places that are near each other, less than 2^23 cells. */
static int64_t draining_way(uint32_t from, uint32_t to)
{
    return (int32_t)(to - from);
}

static void draining_relax(struct draining_job *job, const struct draining_half *half)
{
    for (uint32_t k = 0; k < DRAINING_RELAX; k++) {
        for (uint32_t i = half->begin; i < half->end; i++) {
            const struct draining_node *node = &job->nodes[i];
            for (int axis = 0; axis < 2; axis++) {
                const uint32_t place = node->place[axis];
                int64_t ways = 0;
                if (node->next != DRAINING_NONE && node->main != DRAINING_NONE) {
                    ways = draining_way(place, job->nodes[node->next].place[axis]) +
                           draining_way(place, job->nodes[node->main].place[axis]);
                }
                job->places[i][axis] = place + (uint32_t)terrain__floor_div(ways, 4);
            }
        }
        for (uint32_t i = half->begin; i < half->end; i++) {
            job->nodes[i].place[0] = job->places[i][0];
            job->nodes[i].place[1] = job->places[i][1];
        }
    }
}

/* Draws the pieces; each skips a node if it can. No node is skipped where canyons begin, meet or
 * end, or where the bed is lower than the straight piece by more than the slack. Without slack,
 * rounding would decide on stretches that fall evenly. */
static void draining_draw(struct draining_job *job, struct draining_half *half, float slack)
{
    const uint32_t width = job->flow.width;
    struct canyons_piece *first = job->canyons.pieces + half->begin, *piece = first;
    uint32_t(*skipped)[2] = job->places;
    memset(skipped + half->begin, 0, (half->end - half->begin) * sizeof *skipped);
    for (uint32_t i = half->begin; i < half->end; i++) {
        const struct draining_node *node = &job->nodes[i];
        const struct draining_node *to;
        int64_t from[2], end[2];
        if (node->next == DRAINING_NONE || skipped[i][0] != 0) {
            continue;
        }
        to = &job->nodes[node->next];
        if (to->donors == 1 && to->next != DRAINING_NONE) {
            const struct draining_node *after = &job->nodes[to->next];
            if (!(to->bed < 0.5f * (node->bed + after->bed) - slack)) {
                skipped[node->next][0] = 1;
                to = after;
            }
        }
        for (int axis = 0; axis < 2; axis++) {
            const uint32_t line = axis == 0 ? node->cell % width : node->cell / width;
            const int64_t centre = (int64_t)line * TERRAIN__CANYONS_PLACES;
            from[axis] = centre + draining_way((uint32_t)centre, node->place[axis]);
            end[axis] = from[axis] + draining_way(node->place[axis], to->place[axis]);
        }
        terrain__canyons_add(piece++, from, end, node->bed, to->bed, node->half_width,
                             (float)node->area);
    }
    half->pieces = (uint32_t)(piece - first);
}

/* Reads the known discharge, in whole cells, by places of the tree. */
static void draining_read_areas(const draining_params *p, struct draining_job *job,
                                const struct flow_half *half)
{
    const struct flow *flow = &job->flow;
    uint32_t least = (uint32_t)p->threshold;
    least += (float)least < p->threshold;
    for (size_t i = 0; i < half->count; i++) {
        const size_t place = terrain__flow_place(half, i);
        const float w = terrain__flow_known(flow, place);
        job->areas[place] = !(w > 0)                  ? 0
                            : w < DRAINING_MOST_WATER ? (uint32_t)w
                                                      : (uint32_t)DRAINING_MOST_WATER;
    }
    terrain__flow_extend_counts(flow, half, job->areas, least);
}

static void draining_gather_half(terrain__call *call, uint32_t index)
{
    const draining_params *p = call->params;
    struct draining_job *job = call->job;
    const struct flow_half *half = &job->flow.halves[index];
    terrain__flow_grow(&job->flow, index);
    if (p->discharge != NULL) {
        draining_read_areas(p, job, half);
    } else {
        terrain__flow_catchments(&job->flow, half, job->areas);
    }
    const size_t lowest = terrain__flow_lowest_place(half);
    uint32_t most = 0;
    for (size_t place = lowest; place < lowest + half->count; place++) {
        most += (float)job->areas[place] >= p->threshold;
    }
    job->halves[index].end = most;
}

static void draining_plan_half(terrain__call *call, uint32_t index)
{
    const draining_params *p = call->params;
    struct draining_job *job = call->job;
    struct draining_half *half = &job->halves[index];
    draining_list(job, p, index);
    draining_join(job, half);
    draining_profile(job, half, p, call->cell_size);
    draining_beds(call, job, half);
    draining_relax(job, half);
    draining_draw(job, half, 0.25f * p->fall * call->cell_size);
}

static void draining_sort(terrain__call *call, uint32_t index)
{
    struct draining_job *job = call->job;
    struct canyons *canyons = &job->canyons;
    const uint32_t first = job->halves[0].pieces, second = job->halves[1].pieces;
    (void)index;
    memmove(canyons->pieces + first, canyons->pieces + job->halves[1].begin,
            second * sizeof *canyons->pieces);
    canyons->count = first + second;
    terrain__canyons_sort(canyons);
}

/* Nodes of the second half follow all those that the first may have. */
static terrain_status draining_run_plan(terrain__call *call)
{
    struct draining_job *job = call->job;
    const uint32_t halves = terrain__flow_halves(&job->flow);
    job->halves[0].begin = job->halves[1].pieces = 0;
    job->halves[1].begin = job->halves[0].end;
    terrain_status status = terrain__run(call, halves, draining_plan_half);
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, draining_sort) : status;
}

static void draining_carve_band(terrain__call *call, uint32_t index)
{
    const struct draining_job *job = call->job;
    terrain__canyons_carve(call, &job->canyons,
                           terrain__output(call, (uint32_t)offsetof(draining_params, floors)),
                           index);
}

static terrain_status draining_run(terrain__call *call)
{
    struct draining_job *job = call->job;
    struct flow *flow = &job->flow;
    terrain_status status = terrain__flow_run_routed(call, TERRAIN__FLOW_CARVE);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_bands(flow).count, terrain__flow_find_donors);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_deal_roots(flow);
        status = terrain__run(call, terrain__flow_halves(flow), draining_gather_half);
    }
    if (status == TERRAIN_SUCCESS) {
        status = draining_run_plan(call);
    }
    return status == TERRAIN_SUCCESS
               ? terrain__commit(call, terrain__canyons_tasks(call), draining_carve_band)
               : status;
}

static const char *draining_endless(const void *params)
{
    const draining_params *p = params;
    return p->discharge == NULL ? "discharge must be given, say that of generate_drainage"
           : p->reach > 256     ? "reach must be at most 256"
                                : terrain__rim_endless(p->rim);
}

const terrain_operation terrain__erode_canyons_draining = {
    TERRAIN__IDENTITY(erode, canyons_draining),
    .result_version = 1,
    .summary = "Canyons down slopes: shallow heads, deeper and wider downhill, fading at the foot.",
    .reference = "ckempke, Implementing erosion",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(draining_params),
    TERRAIN__PARAMETERS(draining_parameters),
    .job_size = sizeof(struct draining_job),
    .halo = terrain__global_halo,
    .endless = draining_endless,
    .regions = &terrain__flow_regions,
    .prepare = draining_prepare,
    .run = draining_run,
};

TERRAIN__PUBLIC_CHANGE(erode_canyons_draining)
