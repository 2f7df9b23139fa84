/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_rivers: cuts river beds where water runs together, and valleys around them.
 *
 * Rivers are the cells with a large catchment, on flow paths that all reach an outlet (flow/flow.h,
 * routing carve). Their width grows with the square root of the discharge and their depth with its
 * power of 0.4 (here 3/8, which takes only square roots): L. B. Leopold, T. Maddock, The hydraulic
 * geometry of stream channels, USGS Professional Paper 252, 1953. F. Belhadj, P. Audibert, Modeling
 * landscapes with ridges and rivers, 2005, make rivers a step of their own, with particles in the
 * velocity field of N. Chiba and others, 1998 (VELOCITY).
 *
 *   receivers   where each cell's water goes, and from that the catchments
 *   beds        upstream first: each below the ground, and below the beds that flow to it
 *   valleys     around each cell of a river, the minimum of the ground and of banks that rise from
 *               the bed: hyperbolas, which are round over the bed's width
 *
 * A minimum doesn't depend on the order of rivers, so bands of rows are carved in parallel, each
 * with all rivers near it. */

#include <string.h>

#include "base/math.h"
#include "core/choices.h"
#include "erode/rivers_kernels.h"
#include "flow/flow.h"
#include "rows/rows.h"
#include "terrain/erode.h"

typedef terrain_erode_rivers_params rivers_params;

/* Known discharge of more cells counts as this, which is far below 2^64 in units. */
#define RIVERS_MOST_WATER 1e12f

/* VELOCITY: steeper slopes pull no more than this one. */
#define RIVERS_STEEPEST 0x1p20

static const char *const rivers_method_names[] = {"d8", "rho8", "velocity"};
static const char *const rivers_method_docs[] = {
    "to the steepest of the eight neighbours",
    "to one of the lower neighbours, at random, by slope: rivers wander",
    "on with its velocity, as particles do: rivers meander",
};

static const terrain_parameter rivers_parameters[] = {
    TERRAIN__FLOAT(rivers_params, threshold, "cells", 400, 1, 1e9,
                   "The catchment area at which a river begins.", .scaling = TERRAIN_SCALING_AREA),
    TERRAIN__FLOAT(rivers_params, depth, "height", 2, 0, 10000,
                   "How deep a river's bed is below the ground, at its head."),
    TERRAIN__FLOAT(rivers_params, width, "cells", 0.25, 0, 64,
                   "Half the width of a river's bed, at its head."),
    TERRAIN__FLOAT(rivers_params, bank, "slope", 1.5, 0.001, 100,
                   "The slope of the valley on either side of a river."),
    TERRAIN__FLOAT(rivers_params, fall, "slope", 0.001, 0, 10, "The least slope of a river's bed."),
    TERRAIN__UINT32(
        rivers_params, reach, "cells", 16, 1, 256,
        "Valleys end at this distance from the river; close to it their banks steepen."),
    TERRAIN__ENUM(rivers_params, method, TERRAIN_ERODE_RIVERS_METHOD_RHO8, rivers_method,
                  "Where a cell's water goes: to the steepest neighbour, to a random lower one, or "
                  "on with its velocity.",
                  TERRAIN__WITHOUT(discharge)),
    TERRAIN__FLOAT(rivers_params, friction, "", 0.2, 0, 1,
                   "The part of its velocity that the water loses from cell to cell.",
                   TERRAIN__WHEN(method, 1u << TERRAIN_ERODE_RIVERS_METHOD_VELOCITY),
                   .scaling = TERRAIN_SCALING_RATE),
    TERRAIN__ENUM(rivers_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, or only at NaN."),
    TERRAIN__SEED(rivers_params),
    TERRAIN__MAP_IN(rivers_params, rain, "How much rain falls on each cell; 1 without it.",
                    TERRAIN__WITHOUT(discharge)),
    TERRAIN__MAP_IN(rivers_params, discharge,
                    "Discharge of known rivers, in cells; without this map it is computed."),
    TERRAIN__MAP_OUT(
        rivers_params, rivers,
        "Gets the catchment area, in cells, of the river that covers the cell; 0 on land."),
    TERRAIN__MASK(rivers_params),
};

struct rivers_bed {
    uint32_t x;
    float height;
    float steepness; /* of its banks, as a multiple of `bank` */
    float half_width;
    float area;
};

/* VELOCITY: all the water that leaves a cell, as one particle. */
struct rivers_particle {
    double x, y; /* its place, from the centre of the cell that it goes to, in cells */
    double speed_x, speed_y;
    double water;
};

struct rivers_job {
    struct flow flow;                  /* first: terrain__flow_run_… */
    struct rivers_particle *particles; /* VELOCITY: of each cell */
    uint32_t *order;                   /* VELOCITY: cells, each after all higher neighbours */
    uint8_t *higher;          /* VELOCITY: higher neighbours of each cell that are yet to come */
    uint64_t *water;          /* through each place of the tree, in 2^-16 of a cell's rain */
    uint64_t *areas;          /* the rain on each cell; later, in rivers, the water through it */
    float *levels;            /* the height of each cell's bed; infinite without a river */
    float straight, diagonal; /* the least fall of a bed from cell to cell */
    struct rivers_bed *beds;  /* of all cells of rivers, row by row */
    size_t *rows;             /* each row's first bed; one more at the end */
    /* Tables by distance from a bed: rows 0 to reach, columns -reach to reach. */
    float *squares; /* squared distances */
    float *rises;   /* how far banks rise */
    size_t pitch;   /* floats in a row of a table */
};

/* ---- Plan ------------------------------------------------------------------------------------ */

/* Fills the tables. Banks rise by `bank`, and steepen without bound towards the distance
 * `reach`. */
static void rivers_fill_tables(struct rivers_job *job, const rivers_params *p, float cell_size)
{
    const int64_t reach = p->reach;
    const float rise = (float)((double)p->bank * (double)cell_size);
    for (int64_t y = 0; y <= reach; y++) {
        for (int64_t x = -reach; x <= reach; x++) {
            const float square = (float)(x * x + y * y);
            const float left = 1 - square / (float)(reach * reach);
            const size_t i = (size_t)y * job->pitch + (size_t)(x + reach);
            job->squares[i] = square;
            job->rises[i] = left > 0 ? rise / left : INFINITY;
        }
    }
}

static terrain_status rivers_prepare(terrain__call *call)
{
    const rivers_params *p = call->params;
    struct rivers_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    const size_t cells = (size_t)width * height;
    const double fall = (double)p->fall * (double)call->cell_size;
    terrain_status status = terrain__flow_prepare_map(
        call, &job->flow, TERRAIN__FLOW_NEEDS_BASINS | TERRAIN__FLOW_NEEDS_TREE, p->rim);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    job->flow.known = terrain__view_of(p->discharge);
    if (p->method == TERRAIN_ERODE_RIVERS_METHOD_RHO8 && p->discharge == NULL) {
        terrain__flow_prepare_dither(call, &job->flow, p->seed, TERRAIN__DRAW_RIVERS_DITHER);
    }
    if (p->method == TERRAIN_ERODE_RIVERS_METHOD_VELOCITY && p->discharge == NULL) {
        job->particles = terrain__scratch(call, cells, sizeof *job->particles);
        job->order = terrain__scratch(call, cells, sizeof *job->order);
        job->higher = terrain__scratch(call, cells, sizeof *job->higher);
    }
    job->water = terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->water);
    job->areas = terrain__scratch(call, cells, sizeof *job->areas);
    job->levels = terrain__scratch(call, cells, sizeof *job->levels);
    job->beds = terrain__scratch(call, cells, sizeof *job->beds);
    job->rows = terrain__scratch(call, (size_t)height + 1, sizeof *job->rows);
    job->pitch = 2 * (size_t)p->reach + 1;
    job->squares = terrain__scratch(call, (size_t)p->reach + 1, job->pitch * sizeof *job->squares);
    job->rises = terrain__scratch(call, (size_t)p->reach + 1, job->pitch * sizeof *job->rises);
    if (job->squares != NULL && job->rises != NULL) {
        rivers_fill_tables(job, p, call->cell_size);
    }
    job->straight = (float)fall;
    job->diagonal = (float)(fall * TERRAIN__FLOW_CORNER);
    terrain__expect_passes(
        call, 4 + (job->particles != NULL) +
                  terrain__flow_prepare_routing(call, &job->flow, TERRAIN__FLOW_CARVE));
    return TERRAIN_SUCCESS;
}

/* ---- Water and beds -------------------------------------------------------------------------- */

/* The neighbours of a cell that are on the map. */
struct rivers_around {
    uint32_t count;
    uint32_t cells[8];
    uint32_t ways[8]; /* their directions */
};

static struct rivers_around rivers_look_around(const struct flow *flow, uint32_t cell)
{
    const uint32_t x = cell % flow->width, y = cell / flow->width;
    struct rivers_around around;
    around.count = 0;
    for (uint32_t way = TERRAIN__FLOW_E; way <= TERRAIN__FLOW_NE; way++) {
        if (terrain__flow_has_neighbour(flow, x, y, way)) {
            around.cells[around.count] = (uint32_t)((ptrdiff_t)cell + flow->steps[way]);
            around.ways[around.count++] = way;
        }
    }
    return around;
}

/* Makes one particle of the cell's rain and of those that arrive in it, and lets the slopes around
 * the cell pull it. */
static struct rivers_particle rivers_merge(const rivers_params *p, const struct rivers_job *job,
                                           uint32_t cell, const struct rivers_around *around,
                                           float cell_size)
{
    const struct flow *flow = &job->flow;
    const double height = (double)terrain__flow_height(flow, cell);
    struct rivers_particle here = {.water = (double)job->areas[cell] * (1 / TERRAIN__FLOW_UNIT)};
    double pull_x = 0, pull_y = 0;
    for (uint32_t k = 0; k < around->count; k++) {
        const uint32_t way = around->ways[k];
        const struct rivers_particle *from = &job->particles[around->cells[k]];
        const double other = (double)terrain__flow_height(flow, around->cells[k]);
        if (other > height && terrain__flow_receiver(flow, around->cells[k]) == cell) {
            here.x += from->water * from->x;
            here.y += from->water * from->y;
            here.speed_x += from->water * from->speed_x;
            here.speed_y += from->water * from->speed_y;
            here.water += from->water;
        } else if (other < height) {
            const double length = terrain__flow_is_straight(way) ? 1 : TERRAIN__FLOW_CORNER;
            const double slope = (height - other) / (length * (double)cell_size);
            const double pull = (slope < RIVERS_STEEPEST ? slope : RIVERS_STEEPEST) / (2 * length);
            pull_x += pull * terrain__flow_x[way];
            pull_y += pull * terrain__flow_y[way];
        }
    }
    const double part = here.water > 0 ? 1 / here.water : 0;
    here.x *= part;
    here.y *= part;
    here.speed_x = (1 - (double)p->friction) * (here.speed_x * part) + pull_x;
    here.speed_y = (1 - (double)p->friction) * (here.speed_y * part) + pull_y;
    return here;
}

/* The direction of the lower neighbour whose centre is nearest to the particle. */
static uint32_t rivers_nearest(const struct flow *flow, uint32_t cell,
                               const struct rivers_around *around,
                               const struct rivers_particle *particle)
{
    const float height = terrain__flow_height(flow, cell);
    uint32_t best = flow->directions[cell];
    double nearest = TERRAIN__INFINITY;
    for (uint32_t k = 0; k < around->count; k++) {
        const double off_x = particle->x - terrain__flow_x[around->ways[k]];
        const double off_y = particle->y - terrain__flow_y[around->ways[k]];
        const double square = off_x * off_x + off_y * off_y;
        if (terrain__flow_height(flow, around->cells[k]) < height && square < nearest) {
            nearest = square;
            best = around->ways[k];
        }
    }
    return best;
}

static double rivers_within_cell(double place)
{
    return terrain__clamp(place, -0.5, 0.5);
}

/* Moves the cell's particle by a cell along the longer axis of its velocity, and sets the cell's
 * direction to the neighbour that it arrives in. Where D8's receiver is not lower, in a pit and on
 * level ground, the direction stays. */
static void rivers_move(const rivers_params *p, struct rivers_job *job, uint32_t cell,
                        const struct rivers_around *around, float cell_size)
{
    struct flow *flow = &job->flow;
    struct rivers_particle here = rivers_merge(p, job, cell, around, cell_size);
    const double speed_x = terrain__absolute(here.speed_x);
    const double speed_y = terrain__absolute(here.speed_y);
    const double longest = speed_y > speed_x ? speed_y : speed_x;
    uint32_t way = flow->directions[cell];
    here.x += longest > 0 ? here.speed_x / longest : 0;
    here.y += longest > 0 ? here.speed_y / longest : 0;
    if (terrain__flow_height(flow, terrain__flow_receiver(flow, cell)) <
        terrain__flow_height(flow, cell)) {
        way = rivers_nearest(flow, cell, around, &here);
    }
    here.x = rivers_within_cell(here.x - terrain__flow_x[way]);
    here.y = rivers_within_cell(here.y - terrain__flow_y[way]);
    flow->directions[cell] = (uint8_t)way;
    job->particles[cell] = here;
}

/* VELOCITY: moves each cell's particle after those of all its higher neighbours; apart from that
 * the order does not matter. The ways of particles take the place of D8's receivers. */
static void rivers_move_all(terrain__call *call, uint32_t index)
{
    const rivers_params *p = call->params;
    struct rivers_job *job = call->job;
    const struct flow *flow = &job->flow;
    const uint32_t cells = flow->width * flow->height, bands = terrain__flow_bands(flow).count;
    uint32_t known = 0;
    (void)index;
    for (uint32_t band = 0; band < bands; band++) {
        terrain__flow_fill_rain(call, band, terrain__view_of(p->rain), job->areas);
    }
    for (uint32_t cell = 0; cell < cells; cell++) {
        const float height = terrain__flow_height(flow, cell);
        const struct rivers_around around = rivers_look_around(flow, cell);
        job->higher[cell] = 0;
        for (uint32_t k = 0; k < around.count; k++) {
            job->higher[cell] += terrain__flow_height(flow, around.cells[k]) > height;
        }
        if (job->higher[cell] == 0) {
            job->order[known++] = cell;
        }
    }
    for (uint32_t i = 0; i < known; i++) {
        const uint32_t cell = job->order[i];
        const float height = terrain__flow_height(flow, cell);
        const struct rivers_around around = rivers_look_around(flow, cell);
        rivers_move(p, job, cell, &around, call->cell_size);
        for (uint32_t k = 0; k < around.count; k++) {
            const uint32_t next = around.cells[k];
            if (terrain__flow_height(flow, next) < height && --job->higher[next] == 0) {
                job->order[known++] = next;
            }
        }
    }
}

/* Finds the rain on each place of the tree. Without a map of rain all cells get the same, except
 * NaN cells, which are roots. */
static void rivers_take_rain(const rivers_params *p, struct rivers_job *job,
                             const struct flow_half *half)
{
    const uint32_t *tree = job->flow.tree.cells;
    const size_t looked_at = p->rain != NULL ? half->count : half->roots;
    for (size_t i = 0; i < looked_at; i++) {
        const size_t place = terrain__flow_place(half, i);
        job->water[place] = job->areas[tree[place]];
    }
    for (size_t i = looked_at; i < half->count; i++) {
        job->water[terrain__flow_place(half, i)] = (uint64_t)TERRAIN__FLOW_UNIT;
    }
}

/* The water as a multiple of the water at which a river begins; below 1 there is no river. */
static float rivers_ratio(const rivers_params *p, uint64_t water)
{
    return (float)((double)water / (TERRAIN__FLOW_UNIT * (double)p->threshold));
}

/* The least water that makes a river. */
static uint64_t rivers_least(const rivers_params *p)
{
    uint64_t least = (uint64_t)(TERRAIN__FLOW_UNIT * (double)p->threshold);
    while (rivers_ratio(p, least) >= 1) {
        least--;
    }
    while (!(rivers_ratio(p, least) >= 1)) {
        least++;
    }
    return least;
}

/* Sinks beds, upstream first, below the ground and below the beds that flow to them. Cells without
 * a river are skipped, since no river flows to them. */
static void rivers_sink(const rivers_params *p, struct rivers_job *job,
                        const struct flow_half *half, uint64_t least)
{
    const struct flow *flow = &job->flow;
    /* Reuses memory of basins, which are no longer needed: each half has as much as it has
     * cells. */
    const size_t pad = half->first > 0 ? TERRAIN__FLOW_TREE_PAD : 0;
    uint32_t *places = flow->labels + (terrain__flow_lowest_place(half) - pad);
    size_t count = 0;
    for (size_t i = half->count; i-- > 0;) { /* without a branch to mispredict */
        const size_t place = terrain__flow_place(half, i);
        places[count] = (uint32_t)place;
        count += job->water[place] >= least;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t water = job->water[places[i]];
        const uint32_t cell = flow->tree.cells[places[i]];
        const uint32_t next = terrain__flow_receiver(flow, cell);
        const float height = terrain__flow_height(flow, cell);
        if (height == height) {
            const float ratio = rivers_ratio(p, water);
            const float fourth = terrain__sqrtf(terrain__sqrtf(ratio));
            const float own = height - p->depth * (fourth * terrain__sqrtf(fourth));
            const float bed = own < job->levels[cell] ? own : job->levels[cell];
            const float on =
                bed -
                (terrain__flow_is_straight(flow->directions[cell]) ? job->straight : job->diagonal);
            job->areas[cell] = water;
            job->levels[cell] = bed;
            if (next != cell) {
                const float other = job->levels[next];
                job->levels[next] = on < other ? on : other;
            }
        } else {
            job->levels[cell] = INFINITY;
        }
    }
}

/* Banks are at least twice as steep as the bed towards the next cell. Gentler banks would vanish,
 * as the valleys of the beds downstream would be lower. (A next cell that is this one, or has no
 * bed and thus an infinite level, makes no slope.) */
static float rivers_steepness(const struct rivers_job *job, const rivers_params *p, uint32_t cell,
                              float cell_size)
{
    const struct flow *flow = &job->flow;
    const uint32_t next = terrain__flow_receiver(flow, cell);
    const bool straight = terrain__flow_is_straight(flow->directions[cell]);
    const float way = straight ? cell_size : cell_size * (float)TERRAIN__FLOW_CORNER;
    const float slope = (job->levels[cell] - job->levels[next]) / way;
    const float steepness = 2 * slope / p->bank; /* without a branch */
    return 2 * slope > p->bank ? steepness : 1;
}

/* Lists the beds, row by row: a row's columns come first, in a loop without a branch to
 * mispredict. */
static void rivers_list(terrain__call *call, uint32_t index)
{
    const rivers_params *p = call->params;
    struct rivers_job *job = call->job;
    const struct flow *flow = &job->flow;
    const float cell_size = call->cell_size;
    const float most = (float)p->reach - 0.5f;
    size_t count = 0;
    (void)index;
    for (uint32_t y = 0; y < flow->height; y++) {
        const size_t first = (size_t)y * flow->width;
        uint32_t *columns = flow->labels; /* reused: basins are not needed any more */
        uint32_t found = 0;
        for (uint32_t x = 0; x < flow->width; x++) {
            columns[found] = x;
            found += job->levels[first + x] < INFINITY;
        }
        job->rows[y] = count;
        for (uint32_t i = 0; i < found; i++, count++) {
            const size_t cell = first + columns[i];
            struct rivers_bed *bed = &job->beds[count];
            const float half = p->width * terrain__sqrtf(rivers_ratio(p, job->areas[cell]));
            bed->x = columns[i];
            bed->height = job->levels[cell];
            bed->steepness = rivers_steepness(job, p, (uint32_t)cell, cell_size);
            bed->half_width = half < most ? half : most;
            bed->area = (float)((double)job->areas[cell] * (1 / TERRAIN__FLOW_UNIT));
        }
    }
    job->rows[flow->height] = count;
}

static void rivers_begin_band(terrain__call *call, uint32_t index)
{
    const rivers_params *p = call->params;
    struct rivers_job *job = call->job;
    const terrain__bands bands = terrain__flow_bands(&job->flow);
    const size_t width = job->flow.width;
    const size_t end = terrain__band_end(&bands, index) * width;
    terrain__flow_find_donors(call, index);
    for (size_t i = terrain__band_begin(&bands, index) * width; i < end; i++) {
        job->levels[i] = INFINITY;
    }
    if (p->discharge == NULL) {
        terrain__flow_fill_rain(call, index, terrain__view_of(p->rain), job->areas);
    }
}

static void rivers_find_beds(terrain__call *call, uint32_t index)
{
    const rivers_params *p = call->params;
    struct rivers_job *job = call->job;
    const struct flow_half *half = &job->flow.halves[index];
    const uint64_t least = rivers_least(p);
    terrain__flow_grow(&job->flow, index);
    if (p->discharge != NULL) {
        for (size_t i = 0; i < half->count; i++) {
            const size_t place = terrain__flow_place(half, i);
            const float water = terrain__flow_known(&job->flow, place);
            job->water[place] = terrain__flow_units(water, RIVERS_MOST_WATER);
        }
        terrain__flow_extend_sums(&job->flow, half, job->water, least);
    } else {
        rivers_take_rain(p, job, half);
        terrain__flow_sums(&job->flow, half, job->water);
    }
    rivers_sink(p, job, half, least);
}

/* ---- Valleys --------------------------------------------------------------------------------- */

/* Carves all beds of one row into a row that is `away` rows from it. */
static void rivers_carve_row(const struct rivers_job *job, const struct rivers_kernels *kernels,
                             uint32_t bed_row, uint32_t away, float *heights, float *areas)
{
    const uint32_t reach = (uint32_t)(job->pitch / 2);
    const float *squares = job->squares + away * job->pitch + reach;
    const float *rises = job->rises + away * job->pitch + reach;
    uint32_t across = reach;
    while (across > 0 && squares[across] >= (float)reach * (float)reach) {
        across--;
    }
    for (size_t i = job->rows[bed_row]; i < job->rows[bed_row + 1]; i++) {
        const struct rivers_bed *bed = &job->beds[i];
        const uint32_t left = bed->x < across ? bed->x : across;
        const uint32_t right = job->flow.width - 1 - bed->x;
        const uint32_t width = left + 1 + (right < across ? right : across);
        struct rivers_point point;
        point.squares = squares - left;
        point.rises = rises - left;
        point.bed = bed->height;
        point.steepness = bed->steepness;
        point.half_width = bed->half_width;
        point.area = bed->area;
        kernels->carve(heights + bed->x - left, &point, width);
        if (areas != NULL) {
            kernels->cover(areas + bed->x - left, &point, width);
        }
    }
}

static void rivers_finish_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const rivers_params *p = call->params;
    const struct rivers_job *job = call->job;
    const struct rivers_kernels *kernels = terrain__rivers_kernels(call->isa);
    float *heights = terrain__target_row(call, y);
    float *areas = terrain__output_row(call, offsetof(rivers_params, rivers), y);
    const uint32_t from = y < p->reach ? 0 : y - p->reach + 1;
    const uint32_t below = call->target.height - 1 - y;
    const uint32_t to = y + (below < p->reach ? below : p->reach - 1);
    (void)task;
    memmove(heights, terrain__map_row(call, y), call->target.width * sizeof *heights);
    if (areas != NULL) {
        memset(areas, 0, call->target.width * sizeof *areas);
    }
    for (uint32_t row = from; row <= to; row++) {
        rivers_carve_row(job, kernels, row, row < y ? y - row : row - y, heights, areas);
    }
}

static terrain_status rivers_run(terrain__call *call)
{
    struct rivers_job *job = call->job;
    struct flow *flow = &job->flow;
    const bool moves = job->particles != NULL;
    terrain_status status =
        terrain__flow_run_routed(call, moves ? TERRAIN__FLOW_NONE : TERRAIN__FLOW_CARVE);
    if (status == TERRAIN_SUCCESS && moves) {
        status = terrain__run(call, 1, rivers_move_all);
    }
    if (status == TERRAIN_SUCCESS && moves) {
        status = terrain__flow_run_carve(call);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_bands(flow).count, rivers_begin_band);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_deal_roots(flow);
        status = terrain__run(call, terrain__flow_halves(flow), rivers_find_beds);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, rivers_list);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, rivers_finish_row) : status;
}

static const char *rivers_endless(const void *params)
{
    const rivers_params *p = params;
    return p->discharge == NULL ? "discharge must be given, say that of generate_drainage"
                                : terrain__rim_endless(p->rim);
}

const terrain_operation terrain__erode_rivers = {
    TERRAIN__IDENTITY(erode, rivers),
    .result_version = 1,
    .summary = "Cuts river beds where water runs together, and valleys around them.",
    .reference =
        "Belhadj and Audibert, 2005; Leopold and Maddock, 1953; Cordonnier, Bovy and Braun, "
        "2019",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(rivers_params),
    TERRAIN__PARAMETERS(rivers_parameters),
    .job_size = sizeof(struct rivers_job),
    .halo = terrain__global_halo,
    .endless = rivers_endless,
    .regions = &terrain__flow_regions,
    .prepare = rivers_prepare,
    .run = rivers_run,
};

TERRAIN__PUBLIC_CHANGE(erode_rivers)
