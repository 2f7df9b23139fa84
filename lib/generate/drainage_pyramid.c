/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The levels of generate_drainage. Each is made from the next coarser one:
 *
 *     refine      every cell becomes 2 by 2, every river a path through them
 *     relax       slopes by discharge and rock, cliffs fall back
 *     flood       rivers spread floodplains
 *     settle      relax again
 *     receivers
 *     smooth      (the finest level)
 *     areas
 *
 * The steps are in drainage_sweep.c, refining in drainage_refine.c. Each step spoils one cell at
 * the rim of the window, where it lacks neighbours, so a level's window is larger than what is
 * wanted of it. */

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "generate/drainage_sweep.h"

/* ---- Windows and memory ---------------------------------------------------------------------- */

/* How many cells around it the steps of a wanted cell read. The sea spreads before refining, and is
 * right from 2 + DRAINAGE_SEA_STEPS cells off the rim on, not from 2: refining spoils as many cells
 * more. */
static uint32_t drainage_reach_of(const struct drainage_steps *s, uint32_t level)
{
    const uint32_t sea =
        level >= DRAINAGE_SEA_LEVEL && level < DRAINAGE_TOP ? DRAINAGE_SEA_STEPS : 0;
    return sea + s->relax + s->flood + s->settle + 2 + s->areas + (s->smooth ? 2 : 0);
}

enum {
    DRAINAGE_BASIN = 8, /* each square of 8 by 8 top cells has sea or starts with a lake */
    DRAINAGE_TOP_RELAX = 12,
    DRAINAGE_TOP_AREAS = 12,
    DRAINAGE_TOP_HALO = DRAINAGE_BASIN + 2 * (DRAINAGE_TOP_RELAX + 4 + DRAINAGE_TOP_AREAS)
};

/* Above all land: the height of land at the top before it is relaxed. */
#define DRAINAGE_UNRELAXED 1e8F

/* Hands out memory piece by piece. */
struct drainage_cursor {
    float *base;   /* NULL: pieces are only counted */
    uint64_t used; /* floats, of which a machine of 32 bits may not have so many */
};

static void *drainage_take(struct drainage_cursor *cursor, uint64_t count, uint64_t size)
{
    uint64_t floats = (count * size + 63) / 64 * 16 + 2 * DRAINAGE_MARGIN;
    float *at = cursor->base == NULL ? NULL : cursor->base + cursor->used + DRAINAGE_MARGIN;
    cursor->used += floats;
    return at;
}

/* Hands out the rows of a task. */
static void drainage_layout_rows(struct drainage_cursor *cursor, struct drainage_work *work)
{
    const size_t row = work->width + DRAINAGE_MARGIN; /* up to 14 more are stretched */
    work->shore = drainage_take(cursor, row, 1);
    float **rows[] = {&work->rows.control, &work->rows.uplift, &work->rows.hardness,
                      &work->rows.strata,  &work->noise,       &work->row,
                      &work->leaf_cost[0], &work->leaf_cost[1]};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        *rows[k] = drainage_take(cursor, row, sizeof(float));
    }
    work->bits = drainage_take(cursor, row, sizeof(uint32_t));
    work->samples = drainage_take(cursor, DRAINAGE_ROWS * DRAINAGE_ROOM, sizeof(float));
}

/* The work, with the rows of a task. */
static struct drainage_work drainage_work_of(const struct drainage_work *work, uint32_t task)
{
    struct drainage_work own = *work;
    struct drainage_cursor cursor = {work->rooms, task * work->room};
    drainage_layout_rows(&cursor, &own);
    return own;
}

/* Hands out all memory of a level but its planes. coarse: NULL at the top. */
static void drainage_layout(struct drainage_cursor *cursor, const struct drainage_pyramid *p,
                            const struct drainage_level *level, const struct drainage_level *coarse,
                            struct drainage_work *work)
{
    uint64_t cells = (uint64_t)level->stride * level->height;
    uint64_t blocks = coarse == NULL ? 0 : terrain__drainage_block_row(coarse, coarse->height);
    work->cost = drainage_take(cursor, cells, sizeof(float));
    work->cap =
        p->plan->law.plateau_slope == 1 ? NULL : drainage_take(cursor, cells, sizeof(float));
    for (int k = 0; k < 2; k++) {
        work->reach[k] = p->plan->steps[level->level].flood == 0
                             ? NULL
                             : drainage_take(cursor, cells, sizeof(float));
    }
    work->keep = drainage_take(cursor, cells, 1);
    work->donors = drainage_take(cursor, cells, 1);
    work->node = drainage_take(cursor, blocks, 1);
    work->exit = drainage_take(cursor, blocks, 1);
    work->code = drainage_take(cursor, blocks, 1);
    work->open = drainage_take(cursor, blocks, 1);
    work->banks = drainage_take(cursor, level->height, 1);
    work->base = drainage_take(cursor, blocks, sizeof(float));
    work->leave = drainage_take(cursor, blocks, sizeof(float));
    work->enter = drainage_take(cursor, blocks, sizeof(float));
    terrain__drainage_lattice_place(&work->lattice, level->level, level->x, level->y, level->width,
                                    level->height);
    terrain__drainage_lattice_place_grid(&work->lattice, p->plan);
    work->lattice.grid.plates =
        drainage_take(cursor, terrain__drainage_most_plates(&work->lattice, p->plan),
                      sizeof(struct drainage_plate));
    float **fields[] = {&work->lattice.fields.control, &work->lattice.fields.uplift,
                        &work->lattice.fields.hardness, &work->lattice.fields.strata};
    for (int k = 0; k < 4; k++) {
        *fields[k] = drainage_take(cursor, (uint64_t)work->lattice.stride * work->lattice.height,
                                   sizeof(float));
    }
    struct drainage_cursor rows = {NULL, 0};
    work->width = level->width;
    drainage_layout_rows(&rows, work);
    work->room = rows.used;
    work->rooms = cursor->base == NULL ? NULL : cursor->base + cursor->used;
    cursor->used += p->team * work->room;
}

/* The window of a level that must be made for the wanted one. */
static struct drainage_level drainage_made(const struct drainage_pyramid *p, uint32_t level)
{
    struct drainage_level made = p->wanted[level];
    if (level == DRAINAGE_TOP) {
        made = terrain__drainage_around(&made, DRAINAGE_TOP_HALO);
    } else {
        const struct drainage_level *coarse = &p->wanted[level + 1];
        made.x = 2 * coarse->x;
        made.y = 2 * coarse->y;
        made.width = 2 * coarse->width;
        made.height = 2 * coarse->height;
    }
    made.level = level;
    /* What is read beyond a row lies before the next, and no eight rows lie in one line's place in
     * the cache. */
    made.stride = terrain__whole_lines(made.width) + DRAINAGE_TAIL;
    made.stride += made.stride % 128 == 0 ? 16 : 0;
    return made;
}

/* Hands out the planes of a level: heights and discharge are there twice, since steps make new ones
 * of old ones. */
static void drainage_take_planes(struct drainage_cursor *cursor, struct drainage_level *level,
                                 struct drainage_work *work)
{
    uint64_t cells = (uint64_t)level->stride * level->height;
    level->heights = drainage_take(cursor, cells, sizeof(float));
    level->discharge = drainage_take(cursor, cells, sizeof(float));
    work->heights = drainage_take(cursor, cells, sizeof(float));
    work->discharge = drainage_take(cursor, cells, sizeof(float));
    level->receiver = drainage_take(cursor, cells, 1);
    level->traits = drainage_take(cursor, cells, 1);
}

void terrain__drainage_pyramid_windows(struct drainage_pyramid *pyramid,
                                       const struct drainage_steps *steps, uint32_t top,
                                       uint32_t bottom, const struct drainage_level *wanted)
{
    struct drainage_level next = *wanted;
    pyramid->top = top;
    pyramid->bottom = bottom;
    next.level = bottom;
    pyramid->wanted[bottom] = next;
    for (uint32_t level = bottom; level <= top; level++) {
        int64_t reach = drainage_reach_of(&steps[level], level);
        int64_t x1 = next.x + next.width - 1 + reach;
        int64_t y1 = next.y + next.height - 1 + reach;
        next.level = level + 1;
        next.x = terrain__floor_shift(next.x - reach, 1) - DRAINAGE_REFINE_MARGIN;
        next.y = terrain__floor_shift(next.y - reach, 1) - DRAINAGE_REFINE_MARGIN;
        next.width = (uint32_t)(terrain__floor_shift(x1, 1) + DRAINAGE_REFINE_MARGIN + 1 - next.x);
        next.height = (uint32_t)(terrain__floor_shift(y1, 1) + DRAINAGE_REFINE_MARGIN + 1 - next.y);
        pyramid->wanted[level + 1] = next;
    }
}

void terrain__drainage_pyramid_place(struct drainage_pyramid *pyramid,
                                     const struct drainage_plan *plan, uint32_t team, uint32_t top,
                                     uint32_t bottom, const struct drainage_level *wanted)
{
    struct drainage_cursor cursor = {NULL, 0};
    uint64_t largest = 0;
    terrain__drainage_pyramid_windows(pyramid, plan->steps, top, bottom, wanted);
    pyramid->plan = plan;
    pyramid->team = team;
    for (uint32_t level = bottom; level <= top; level++) {
        struct drainage_level made = drainage_made(pyramid, level);
        struct drainage_cursor scratch = {NULL, 0};
        struct drainage_work work;
        drainage_take_planes(&cursor, &made, &work);
        drainage_layout(&scratch, pyramid, &made,
                        level == DRAINAGE_TOP ? NULL : &pyramid->wanted[level + 1], &work);
        largest = scratch.used > largest ? scratch.used : largest;
    }
    pyramid->floats = cursor.used + largest;
}

void terrain__drainage_pyramid_samples(const struct drainage_pyramid *pyramid, uint32_t unit,
                                       terrain__box *seen)
{
    for (uint32_t level = pyramid->bottom; level <= pyramid->top; level++) {
        struct drainage_level made = drainage_made(pyramid, level);
        struct drainage_lattice lattice;
        terrain__drainage_lattice_place(&lattice, level, made.x, made.y, made.width, made.height);
        int64_t spacing = (int64_t)1 << (lattice.spacing - unit);
        const terrain__box samples = {lattice.x * spacing, lattice.y * spacing,
                                      (lattice.x + lattice.width - 1) * spacing,
                                      (lattice.y + lattice.height - 1) * spacing};
        terrain__box_unite(seen, &samples);
    }
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* What the tasks of a pass at a level share. */
struct drainage_making {
    terrain__call *call; /* NULL: there are no passes, only this thread */
    const struct drainage_pyramid *pyramid;
    struct drainage_level *made;
    struct drainage_work *work;
    struct drainage_refining refining;
    struct drainage_sweep sweep;
    float *discharge;                    /* before areas are counted */
    terrain__bands bands;                /* of rows, one for each task */
    terrain__drainage_refine_rows *rows; /* the present part of refining */
    void (*part)(const struct drainage_making *making, struct drainage_work *own, uint32_t index);
};

enum { DRAINAGE_LEVEL_PASSES = 6, DRAINAGE_TOP_PASSES = 9 };

uint32_t terrain__drainage_pyramid_passes(const struct drainage_pyramid *pyramid)
{
    const uint32_t tops = pyramid->top == DRAINAGE_TOP;
    return tops * DRAINAGE_TOP_PASSES +
           (pyramid->top + 1 - pyramid->bottom - tops) * DRAINAGE_LEVEL_PASSES;
}

static void drainage_part(const struct drainage_making *making, uint32_t index)
{
    struct drainage_work own = drainage_work_of(making->work, index);
    making->part(making, &own, index);
}

static void drainage_part_task(terrain__call *call, uint32_t index)
{
    drainage_part(call->pass, index);
}

static terrain_status drainage_run_parts(struct drainage_making *making, uint32_t count)
{
    terrain__call *call = making->call;
    if (call != NULL) {
        call->pass = making;
        terrain_status status = terrain__run(call, count, drainage_part_task);
        call->pass = NULL;
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        drainage_part(making, i);
    }
    return TERRAIN_SUCCESS;
}

/* Runs a part for bands of at least `least` rows. */
static terrain_status drainage_run_bands(struct drainage_making *making, uint32_t rows,
                                         uint32_t least,
                                         void (*part)(const struct drainage_making *making,
                                                      struct drainage_work *own, uint32_t index))
{
    const uint32_t even = rows / making->pyramid->team + 1;
    making->bands = terrain__bands_of(rows, even > least ? even : least);
    making->part = part;
    return drainage_run_parts(making, making->bands.count);
}

static void drainage_fill_part(const struct drainage_making *making, struct drainage_work *own,
                               uint32_t index)
{
    terrain__drainage_lattice_fill(&own->lattice, making->pyramid->plan,
                                   terrain__band_begin(&making->bands, index),
                                   terrain__band_end(&making->bands, index), own->samples);
}

static void drainage_refine_part(const struct drainage_making *making, struct drainage_work *own,
                                 uint32_t index)
{
    making->rows(&making->refining, own, 1 + terrain__band_begin(&making->bands, index),
                 1 + terrain__band_end(&making->bands, index));
}

static void drainage_band_part(const struct drainage_making *making, struct drainage_work *own,
                               uint32_t index)
{
    terrain__drainage_sweep_band(&making->sweep, own, &making->bands, index, making->discharge);
}

static void drainage_seam_part(const struct drainage_making *making, struct drainage_work *own,
                               uint32_t index)
{
    terrain__drainage_sweep_seam(&making->sweep, own, &making->bands, index, making->discharge);
}

/* Runs all steps of the sweep and takes them out of it. Bands are so high that the rows around two
 * seams don't meet. */
static terrain_status drainage_run_sweep(struct drainage_making *making, float *discharge)
{
    const uint32_t least = 2 * terrain__drainage_sweep_lag(&making->sweep) + 8;
    making->discharge = discharge;
    terrain_status status =
        drainage_run_bands(making, making->sweep.level.height, least, drainage_band_part);
    if (status == TERRAIN_SUCCESS) {
        making->part = drainage_seam_part;
        status = drainage_run_parts(making, making->bands.count - 1);
    }
    making->sweep.count = 0;
    return status;
}

/* ---- The top --------------------------------------------------------------------------------- */

/* Starts a lake in each square of 8 by 8 cells without sea, at the cell of the lowest control. */
static void drainage_start_lakes(const struct drainage_plan *plan,
                                 const struct drainage_level *level, const float *control)
{
    int64_t mask = DRAINAGE_BASIN - 1;
    uint32_t x0 = (uint32_t)(-level->x & mask), y0 = (uint32_t)(-level->y & mask);
    for (uint32_t y = y0; y + DRAINAGE_BASIN <= level->height; y += DRAINAGE_BASIN) {
        for (uint32_t x = x0; x + DRAINAGE_BASIN <= level->width; x += DRAINAGE_BASIN) {
            size_t lowest = y * level->stride + x;
            for (uint32_t k = 0; k < DRAINAGE_BASIN * DRAINAGE_BASIN; k++) {
                size_t i = (y + k / DRAINAGE_BASIN) * level->stride + x + k % DRAINAGE_BASIN;
                lowest = control[i] < control[lowest] ? i : lowest;
            }
            if (control[lowest] >= 0) {
                const float c = control[lowest];
                level->heights[lowest] = plan->lake_level * c / (1 + plan->lake_bend * c) + 0.5F;
                level->traits[lowest] = DRAINAGE_LAKE;
            }
        }
    }
}

/* The lowest height beside a cell; closed lakes count if `lakes`. */
static float drainage_lowest_beside(const struct drainage_level *level, size_t at, bool lakes)
{
    float low = DRAINAGE_UNRELAXED;
    for (size_t k = 0; k < 9; k++) {
        size_t beside = at + (k / 3) * level->stride + k % 3 - level->stride - 1;
        float z = level->heights[beside];
        bool counts = k != 4 && (lakes || level->traits[beside] != DRAINAGE_LAKE);
        low = counts && z < low ? z : low;
    }
    return low;
}

/* Whether each lake is closed: it has no lower neighbour, which would be its outflow. */
static void drainage_close_lakes(const struct drainage_level *level, float least)
{
    for (uint32_t y = 1; y + 1 < level->height; y++) {
        for (uint32_t x = 1; x + 1 < level->width; x++) {
            size_t i = y * level->stride + x;
            if (level->traits[i] == DRAINAGE_LAKE) {
                bool closed = drainage_lowest_beside(level, i, true) + least > level->heights[i];
                level->receiver[i] = closed ? DRAINAGE_OUTLET : 0;
            }
        }
    }
}

/* Closed lakes are sea if a corner of their cell lies below 0: finer levels have sea there, which a
 * lake would keep away, along the straight sides of its cell. */
static void drainage_drown_lakes(const struct drainage_level *level,
                                 const struct drainage_lattice *lattice)
{
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            const float *upper = lattice->fields.control + y * lattice->stride + x;
            const float *lower = upper + lattice->stride;
            bool sea = upper[0] < 0 || upper[1] < 0 || lower[0] < 0 || lower[1] < 0;
            size_t i = y * level->stride + x;
            if (level->traits[i] == DRAINAGE_LAKE && level->receiver[i] == DRAINAGE_OUTLET && sea) {
                level->heights[i] = 0;
                level->traits[i] = 0;
            }
        }
    }
}

/* Makes land of each lake with an outflow. Each closed one sinks below all land around it, by
 * `least` at least. Writes to `keep` what the steps must keep. */
static void drainage_sink_lakes(const struct drainage_level *level, uint8_t *keep, float least)
{
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            size_t i = y * level->stride + x;
            bool closed = level->receiver[i] == DRAINAGE_OUTLET;
            keep[i] = closed ? DRAINAGE_OUTLET : DRAINAGE_FREE;
            if (level->traits[i] == DRAINAGE_LAKE && closed) {
                float ceiling = drainage_lowest_beside(level, i, false) - 2 * least;
                level->heights[i] = ceiling < level->heights[i] ? ceiling : level->heights[i];
            }
        }
    }
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            size_t i = y * level->stride + x;
            level->traits[i] = level->receiver[i] == DRAINAGE_OUTLET ? level->traits[i] : 0;
        }
    }
}

static void drainage_begin_top(const struct drainage_plan *plan, struct drainage_level *made,
                               struct drainage_work *work)
{
    float *control = work->cost; /* costs are made later */
    float own = (float)(int32_t)(1u << DRAINAGE_TOP) * (float)(int32_t)(1u << DRAINAGE_TOP);
    for (uint32_t y = 0; y < made->height; y++) {
        struct drainage_fields rows = work->rows;
        size_t row = y * made->stride;
        terrain__drainage_lattice_row(&work->lattice, plan, &rows, made->x, made->y + y,
                                      made->width, DRAINAGE_WANT_CONTROL, work->row);
        for (uint32_t x = 0; x < made->width; x++) {
            bool sea = rows.control[x] < 0;
            control[row + x] = rows.control[x];
            made->heights[row + x] = sea ? 0 : DRAINAGE_UNRELAXED;
            made->receiver[row + x] = sea ? DRAINAGE_OUTLET : 0;
            made->discharge[row + x] = own;
            made->traits[row + x] = 0;
        }
    }
    drainage_start_lakes(plan, made, control);
    memset(work->keep, DRAINAGE_FREE, made->stride * made->height);
    memset(work->banks, 0, made->height);
}

/* Makes heights that suit the discharge, then the discharge of these heights. */
static terrain_status drainage_relax_top(struct drainage_making *making)
{
    struct drainage_sweep *sweep = &making->sweep;
    struct drainage_level *made = making->made;
    terrain__drainage_add(sweep, DRAINAGE_COSTS, 0);
    terrain__drainage_add_heights(sweep, DRAINAGE_RELAX, DRAINAGE_TOP_RELAX);
    terrain_status status = drainage_run_sweep(making, made->discharge);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    made->heights = sweep->level.heights;
    /* Slopes of more water are gentler: the land beside a lake may have sunk. */
    drainage_close_lakes(made, sweep->least);
    drainage_drown_lakes(made, &making->work->lattice);
    drainage_close_lakes(made, sweep->least); /* some have sea beside them now */
    drainage_sink_lakes(made, making->work->keep, sweep->least);
    terrain__drainage_add(sweep, DRAINAGE_RECEIVERS, 1);
    terrain__drainage_add(sweep, DRAINAGE_DONORS, 1);
    terrain__drainage_add_areas(sweep, DRAINAGE_TOP_AREAS);
    status = drainage_run_sweep(making, made->discharge);
    made->discharge = sweep->level.discharge;
    return status;
}

static terrain_status drainage_make_top(struct drainage_making *making)
{
    drainage_begin_top(making->pyramid->plan, making->made, making->work);
    terrain__drainage_sweep_begin(&making->sweep, making->pyramid->plan, making->work, making->made,
                                  0);
    terrain_status status = drainage_relax_top(making);
    return status == TERRAIN_SUCCESS ? drainage_relax_top(making) : status;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static terrain_status drainage_refine(struct drainage_making *making)
{
    static terrain__drainage_refine_rows *const parts[3] = {terrain__drainage_refine_nodes,
                                                            terrain__drainage_refine_entries,
                                                            terrain__drainage_refine_children};
    const uint32_t rows = making->refining.coarse->height - 2;
    terrain_status status = TERRAIN_SUCCESS;
    terrain__drainage_refine_begin(&making->refining, making->work);
    for (uint32_t k = 0; k < 3 && status == TERRAIN_SUCCESS; k++) {
        making->rows = parts[k];
        status = drainage_run_bands(making, rows, 16, drainage_refine_part);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__drainage_refine_end(&making->refining, making->work);
    }
    return status;
}

static terrain_status drainage_make_level(struct drainage_making *making)
{
    const struct drainage_plan *plan = making->pyramid->plan;
    struct drainage_level *made = making->made;
    struct drainage_sweep *sweep = &making->sweep;
    const struct drainage_steps *steps = &plan->steps[made->level];
    const uint32_t rim = DRAINAGE_REFINE_RIM;
    terrain_status status = drainage_refine(making);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain__drainage_sweep_begin(sweep, plan, making->work, made, rim);
    terrain__drainage_add(sweep, DRAINAGE_KEEP, 0);
    terrain__drainage_add(sweep, DRAINAGE_COSTS, 0);
    terrain__drainage_add_heights(sweep, DRAINAGE_RELAX, steps->relax);
    if (steps->flood > 0) {
        terrain__drainage_add(sweep, DRAINAGE_REACH, 0);
        terrain__drainage_add_heights(sweep, DRAINAGE_FLOOD, steps->flood);
        terrain__drainage_add(sweep, DRAINAGE_FLOODED, 0)->turn = steps->flood & 1;
    }
    terrain__drainage_add(sweep, steps->capture ? DRAINAGE_LOW_COSTS : DRAINAGE_COSTS, 0);
    terrain__drainage_add_heights(sweep, steps->capture ? DRAINAGE_SETTLE : DRAINAGE_RELAX,
                                  steps->settle);
    float *discharge = sweep->level.discharge;
    terrain__drainage_add(sweep, DRAINAGE_RECEIVERS, 1);
    terrain__drainage_add(sweep, DRAINAGE_DONORS, 1);
    if (steps->smooth) { /* before areas, which spoil more cells: lakes need right heights */
        terrain__drainage_add_heights(sweep, DRAINAGE_RAISE, 1);
        terrain__drainage_add_heights(sweep, DRAINAGE_WEAR, 1);
    }
    terrain__drainage_add_areas(sweep, steps->areas);
    status = drainage_run_sweep(making, discharge);
    size_t skip = rim * made->stride + rim;
    made->heights = sweep->level.heights - skip;
    made->discharge = sweep->level.discharge - skip;
    return status;
}

terrain_status terrain__drainage_pyramid_make(struct drainage_pyramid *pyramid, terrain__call *call,
                                              const struct drainage_level *coarse,
                                              struct drainage_level *result,
                                              struct drainage_ground *ground)
{
    struct drainage_cursor cursor = {pyramid->memory, 0};
    struct drainage_level above = {0};
    if (coarse != NULL) {
        above = terrain__drainage_part(coarse, &pyramid->wanted[pyramid->top + 1]);
    }
    for (uint32_t level = pyramid->top + 1; level-- > pyramid->bottom;) {
        struct drainage_level made = drainage_made(pyramid, level);
        struct drainage_work work;
        struct drainage_making making = {
            .call = call,
            .pyramid = pyramid,
            .made = &made,
            .work = &work,
        };
        bool top = level == DRAINAGE_TOP;
        drainage_take_planes(&cursor, &made, &work);
        struct drainage_cursor scratch = cursor;
        drainage_layout(&scratch, pyramid, &made, top ? NULL : &pyramid->wanted[level + 1], &work);
        work = drainage_work_of(&work, 0);
        making.refining = (struct drainage_refining){pyramid, &made, &above, work.keep, NULL};
        terrain__drainage_lattice_begin(&work.lattice, pyramid->plan);
        terrain_status status =
            drainage_run_bands(&making, work.lattice.height, 8, drainage_fill_part);
        if (status == TERRAIN_SUCCESS) {
            status = top ? drainage_make_top(&making) : drainage_make_level(&making);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        above = terrain__drainage_part(&made, &pyramid->wanted[level]);
        if (pyramid->plan->lake_depth > 0 && level == DRAINAGE_SEAT_LEVEL) {
            terrain__drainage_seat_lakes(&above, pyramid->plan);
        }
        ground->depth = work.cost + (above.heights - made.heights); /* nobody reads costs again */
        ground->lattice = work.lattice;
        ground->rows = work.rows;
        ground->work = work.row;
    }
    *result = above;
    return TERRAIN_SUCCESS;
}
