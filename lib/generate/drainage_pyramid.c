/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The levels of generate_drainage. Each is made from the next coarser one:
 *
 *     refine      every cell becomes 2 by 2, every river a path through them
 *     relax       slopes by discharge and rock, cliffs fall back
 *     flood       rivers spread floodplains
 *     settle      relax again
 *     receivers, areas
 *     smooth      (the finest level)
 *
 * A step needs one row more of the step before it on either side, so all steps run at once, each
 * some rows behind the one before it; what they touch stays in the second-level cache:
 *
 *     row        0 1 2 3 4 5 6 7 8 9
 *     costs      . . . . . . . . . o
 *     relax      . . . . . . . o
 *     relax      . . . . . . o               o: the row that is made next
 *     relax      . . . . . o                 .: made
 *     receivers  . . . . o
 *     areas      . . o
 *
 * Each step spoils one cell at the rim of the window, where it lacks neighbours. A level's window
 * is larger than what is wanted of it by the number of steps, so every cell that is wanted is the
 * same as in any other window.
 *
 * Why no water is ever caught. Say that a cell drains if a neighbour lies lower by `least` at
 * least, or if it is an outlet. Refining gives paths that fall. Relaxing and flooding only lower
 * cells: a cell that stays keeps its lower neighbour, and a cell that sinks ends above its lowest
 * neighbour by `least`. Floats round monotonically: where neighbour + least <= cell holds as
 * rounded, it holds after the neighbour sank. So at any time every cell drains, however few steps
 * are made. */

#include <string.h>

#include "generate/drainage.h"
#include "vector/random.h"

/* ---- Windows and memory ----------------------------------------------------------------------- */

static int64_t drainage_half(int64_t value)
{
    return value >= 0 ? value / 2 : ~(~value / 2);
}

/* How far a wanted cell's steps reach. */
static uint32_t drainage_reach_of(const struct drainage_steps *s)
{
    return s->relax + s->flood + s->settle + 2 + 2 + s->areas + s->smooth;
}

enum {
    DRAINAGE_BASIN = 8, /* top cells: each square of so many has a lake, or an outflow */
    DRAINAGE_TOP_RELAX = 12,
    DRAINAGE_TOP_AREAS = 12,
    DRAINAGE_TOP_HALO = DRAINAGE_BASIN + 2 * (DRAINAGE_TOP_RELAX + 4) + DRAINAGE_TOP_AREAS
};

struct drainage_cursor {
    float *base; /* NULL: only measure */
    size_t used;
};

static void *drainage_take(struct drainage_cursor *cursor, size_t count, size_t size)
{
    size_t floats = (count * size + 63) / 64 * 16 + 2 * DRAINAGE_MARGIN;
    float *at = cursor->base == NULL ? NULL : cursor->base + cursor->used + DRAINAGE_MARGIN;
    cursor->used += floats;
    return at;
}

/* Memory for making one level. */
struct drainage_work {
    float *heights, *discharge, *cost, *cap, *reach[2]; /* as large as the level */
    uint8_t *keep, *donors;
    uint8_t *node, *exit, *code, *open; /* as large as the coarse level */
    uint8_t *shore;                     /* a row of it */
    uint8_t *banks;                     /* of each row of the level: it lies at a closed lake */
    float *child_heights, *child_areas; /* four rows each */
    uint8_t *child_receivers;
    float *base, *leave, *enter;
    struct drainage_lattice lattice;
    struct drainage_fields rows; /* of the lattice, stretched */
    float *noise, *row, *leaf_cost[2], *control[2], *area, *low, *gathered;
    uint32_t *bits;
    float *samples; /* for the lattice */
};

static void drainage_layout(struct drainage_cursor *cursor, const struct drainage_pyramid *p,
                            const struct drainage_level *level, const struct drainage_level *coarse,
                            struct drainage_work *work)
{
    size_t cells = level->stride * level->height;
    size_t blocks = coarse == NULL ? 0 : (size_t)coarse->width * coarse->height;
    size_t row = level->width + 64;
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
    work->shore = drainage_take(cursor, row, 1);
    work->banks = drainage_take(cursor, level->height, 1);
    work->child_heights = drainage_take(cursor, 4 * row, sizeof(float));
    work->child_areas = drainage_take(cursor, 4 * row, sizeof(float));
    work->child_receivers = drainage_take(cursor, 4 * row, 1);
    work->base = drainage_take(cursor, blocks, sizeof(float));
    work->leave = drainage_take(cursor, blocks, sizeof(float));
    work->enter = drainage_take(cursor, blocks, sizeof(float));
    terrain__drainage_lattice_place(&work->lattice, level->level, level->x, level->y, level->width,
                                    level->height);
    float **fields[] = {&work->lattice.fields.control, &work->lattice.fields.uplift,
                        &work->lattice.fields.hardness, &work->lattice.fields.strata};
    for (int k = 0; k < 4; k++) {
        *fields[k] =
            drainage_take(cursor, work->lattice.stride * work->lattice.height, sizeof(float));
    }
    float **rows[] = {&work->rows.control, &work->rows.uplift,  &work->rows.hardness,
                      &work->rows.strata,  &work->noise,        &work->row,
                      &work->leaf_cost[0], &work->leaf_cost[1], &work->control[0],
                      &work->control[1],   &work->area,         &work->low,
                      &work->gathered};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        *rows[k] = drainage_take(cursor, row, sizeof(float));
    }
    work->bits = drainage_take(cursor, row, sizeof(uint32_t));
    work->samples = drainage_take(cursor, DRAINAGE_ROWS * (DRAINAGE_SAMPLES + 64), sizeof(float));
}

/* The window that is made for what is wanted of a level. */
static struct drainage_level drainage_made(const struct drainage_pyramid *p, uint32_t level)
{
    struct drainage_level made = p->wanted[level];
    if (level == DRAINAGE_TOP) {
        made.x -= DRAINAGE_TOP_HALO;
        made.y -= DRAINAGE_TOP_HALO;
        made.width += 2 * DRAINAGE_TOP_HALO;
        made.height += 2 * DRAINAGE_TOP_HALO;
    } else {
        const struct drainage_level *coarse = &p->wanted[level + 1];
        made.x = 2 * coarse->x;
        made.y = 2 * coarse->y;
        made.width = 2 * coarse->width;
        made.height = 2 * coarse->height;
    }
    made.level = level;
    made.stride = (made.width + 15) / 16 * 16 + 16;
    made.stride += made.stride % 128 == 0 ? 16 : 0;
    return made;
}

/* Hands out memory for the planes of a level. Steps exchange heights with the other heights, and
 * discharges likewise. */
static void drainage_take_planes(struct drainage_cursor *cursor, struct drainage_level *level,
                                 struct drainage_work *work)
{
    size_t cells = level->stride * level->height;
    level->heights = drainage_take(cursor, cells, sizeof(float));
    level->discharge = drainage_take(cursor, cells, sizeof(float));
    work->heights = drainage_take(cursor, cells, sizeof(float));
    work->discharge = drainage_take(cursor, cells, sizeof(float));
    level->receiver = drainage_take(cursor, cells, 1);
    level->traits = drainage_take(cursor, cells, 1);
}

/* What is wanted, as a part of what was made. */
static struct drainage_level drainage_part(const struct drainage_level *made,
                                           const struct drainage_level *wanted)
{
    struct drainage_level part = *made;
    size_t skip = (size_t)(wanted->y - made->y) * made->stride + (size_t)(wanted->x - made->x);
    part.x = wanted->x;
    part.y = wanted->y;
    part.width = wanted->width;
    part.height = wanted->height;
    part.heights += skip;
    part.discharge += skip;
    part.receiver += skip;
    part.traits += skip;
    return part;
}

void terrain__drainage_pyramid_want(struct drainage_pyramid *pyramid,
                                    const struct drainage_steps *steps, uint32_t top,
                                    uint32_t bottom, const struct drainage_level *wanted)
{
    struct drainage_level next = *wanted;
    pyramid->top = top;
    pyramid->bottom = bottom;
    next.level = bottom;
    for (uint32_t level = bottom; level <= top + 1; level++) {
        int64_t reach = drainage_reach_of(&steps[level <= DRAINAGE_TOP ? level : 0]);
        int64_t x1 = next.x + next.width - 1 + reach;
        int64_t y1 = next.y + next.height - 1 + reach;
        pyramid->wanted[level] = next;
        next.level = level + 1;
        next.x = drainage_half(next.x - reach) - DRAINAGE_REFINE_MARGIN;
        next.y = drainage_half(next.y - reach) - DRAINAGE_REFINE_MARGIN;
        next.width = (uint32_t)(drainage_half(x1) + DRAINAGE_REFINE_MARGIN + 1 - next.x);
        next.height = (uint32_t)(drainage_half(y1) + DRAINAGE_REFINE_MARGIN + 1 - next.y);
    }
}

void terrain__drainage_pyramid_place(struct drainage_pyramid *pyramid,
                                     const struct drainage_plan *plan, uint32_t top,
                                     uint32_t bottom, const struct drainage_level *wanted)
{
    struct drainage_cursor cursor = {NULL, 0};
    size_t largest = 0;
    terrain__drainage_pyramid_want(pyramid, plan->steps, top, bottom, wanted);
    pyramid->plan = plan;
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

void terrain__drainage_pyramid_reach(const struct drainage_pyramid *pyramid, terrain__box *seen)
{
    for (uint32_t level = pyramid->bottom; level <= pyramid->top; level++) {
        struct drainage_level made = drainage_made(pyramid, level);
        struct drainage_lattice lattice;
        terrain__drainage_lattice_place(&lattice, level, made.x, made.y, made.width, made.height);
        int64_t spacing = (int64_t)1 << lattice.spacing;
        int64_t x0 = lattice.x * spacing, x1 = (lattice.x + lattice.width - 1) * spacing;
        int64_t y0 = lattice.y * spacing, y1 = (lattice.y + lattice.height - 1) * spacing;
        seen->x0 = x0 < seen->x0 ? x0 : seen->x0;
        seen->y0 = y0 < seen->y0 ? y0 : seen->y0;
        seen->x1 = x1 > seen->x1 ? x1 : seen->x1;
        seen->y1 = y1 > seen->y1 ? y1 : seen->y1;
    }
}

/* ---- Steps ------------------------------------------------------------------------------------ */

enum drainage_kind {
    DRAINAGE_KEEP,
    DRAINAGE_COSTS,
    DRAINAGE_RELAX,
    DRAINAGE_SETTLE, /* relaxing that may capture kept rivers */
    DRAINAGE_REACH,
    DRAINAGE_FLOOD,
    DRAINAGE_FLOODED,
    DRAINAGE_RECEIVERS,
    DRAINAGE_DONORS,
    DRAINAGE_AREAS,
    DRAINAGE_SMOOTH
};

struct drainage_step {
    enum drainage_kind kind;
    uint32_t lag; /* rows behind the first step */
    const float *from;
    float *to;
    uint32_t turn; /* of floods: which reach is read; of costs: whether rivers can be captured */
};

enum { DRAINAGE_MOST_STEPS = 64 };

/* The steps of a level over a window of it. */
struct drainage_sweep {
    const struct drainage_plan *plan;
    struct drainage_work *work;
    struct drainage_level level; /* what the steps work on */
    struct drainage_law law;
    float cell, least, own, pin;
    uint64_t rock_stream;
    /* The planes of work, from the window's first cell on. */
    float *other_heights, *other_discharge, *cost, *cap, *reach[2];
    uint8_t *keep, *donors;
    const uint8_t *banks; /* of rows */
    struct drainage_step steps[DRAINAGE_MOST_STEPS];
    uint32_t count;
};

/* 2^-12 cells at the finest level; a fall at the next coarser one is enough for two, and for what
 * rounding takes of heights below 2048 cells. */
static float drainage_least(uint32_t level)
{
    float least = 0x1p-12F;
    for (uint32_t k = 0; k < level; k++) {
        least *= 2.2F;
    }
    return least;
}

static void drainage_sweep_begin(struct drainage_sweep *sweep, const struct drainage_plan *plan,
                                 struct drainage_work *work, const struct drainage_level *made,
                                 uint32_t rim)
{
    uint32_t level = made->level;
    struct drainage_level window = *made;
    size_t skip = rim * made->stride + rim;
    window.x += rim;
    window.y += rim;
    window.width -= 2 * rim;
    window.height -= 2 * rim;
    sweep->level = drainage_part(made, &window);
    sweep->plan = plan;
    sweep->work = work;
    sweep->cell = (float)(int32_t)(1u << level);
    sweep->own = sweep->cell * sweep->cell;
    sweep->least = drainage_least(level);
    sweep->law = plan->law;
    sweep->law.least = plan->least_slope[level];
    sweep->law.fresh = level < 3 ? 0.2F : 1.1F;
    sweep->pin = plan->steps[level].pin * sweep->own;
    sweep->pin = sweep->pin > plan->pin_area ? sweep->pin : plan->pin_area;
    sweep->rock_stream = terrain__mix(plan->rock_stream, level);
    sweep->other_heights = work->heights + skip;
    sweep->other_discharge = work->discharge + skip;
    sweep->cost = work->cost + skip;
    sweep->cap = work->cap == NULL ? NULL : work->cap + skip;
    for (int k = 0; k < 2; k++) {
        sweep->reach[k] = work->reach[k] == NULL ? NULL : work->reach[k] + skip;
    }
    sweep->keep = work->keep + skip;
    sweep->donors = work->donors + skip;
    sweep->banks = work->banks + rim;
    sweep->count = 0;
}

/* `reach` is how many rows below its own a step needs of the step before. */
static struct drainage_step *drainage_add(struct drainage_sweep *sweep, enum drainage_kind kind,
                                          uint32_t reach)
{
    struct drainage_step *step = &sweep->steps[sweep->count];
    step->kind = kind;
    step->lag = (sweep->count == 0 ? 0 : step[-1].lag) + reach;
    step->turn = 0;
    step->from = sweep->level.heights;
    step->to = sweep->level.heights;
    sweep->count++;
    return step;
}

/* A step that makes new heights of old ones; they change places. */
static void drainage_add_heights(struct drainage_sweep *sweep, enum drainage_kind kind,
                                 uint32_t times)
{
    for (uint32_t k = 0; k < times; k++) {
        struct drainage_step *step = drainage_add(sweep, kind, 1);
        step->to = sweep->other_heights;
        step->turn = k & 1;
        sweep->other_heights = sweep->level.heights;
        sweep->level.heights = step->to;
    }
}

static void drainage_add_areas(struct drainage_sweep *sweep, uint32_t times)
{
    drainage_add(sweep, DRAINAGE_RECEIVERS, 1);
    drainage_add(sweep, DRAINAGE_DONORS, 1);
    for (uint32_t k = 0; k < times; k++) {
        struct drainage_step *step = drainage_add(sweep, DRAINAGE_AREAS, 1);
        step->from = sweep->level.discharge;
        step->to = sweep->other_discharge;
        sweep->other_discharge = sweep->level.discharge;
        sweep->level.discharge = step->to;
    }
}

/* uplift, hardness, strata and noise of a row, in work. */
static void drainage_rock_row(const struct drainage_sweep *sweep, uint32_t y,
                              struct drainage_fields *fields)
{
    const struct drainage_level *level = &sweep->level;
    *fields = sweep->work->rows;
    terrain__drainage_lattice_row(&sweep->work->lattice, sweep->plan, fields, level->x,
                                  level->y + y, level->width, DRAINAGE_WANT_ROCK, sweep->work->row);
    sweep->plan->relax->noise(sweep->work->noise,
                              terrain__random_row(sweep->rock_stream, level->y + y), level->x,
                              level->width);
}

static void drainage_costs_row(const struct drainage_sweep *sweep, const struct drainage_step *step,
                               uint32_t y)
{
    const struct drainage_level *level = &sweep->level;
    size_t row = y * level->stride;
    struct drainage_slope_row slopes = {
        .cost = sweep->cost + row,
        .cap = sweep->cap == NULL ? NULL : sweep->cap + row,
        .above = step->from + row - (y > 0 ? level->stride : 0),
        .here = step->from + row,
        .below = step->from + row + (y + 1 < level->height ? level->stride : 0),
        .discharge = level->discharge + row,
        .keep = sweep->keep + row,
        .receiver = level->receiver + row,
        .traits = level->traits + row,
        .noise = sweep->work->noise,
        .cell = sweep->cell,
        .cliff = step->turn != 0 ? sweep->plan->capture[level->level] : 1,
    };
    drainage_rock_row(sweep, y, &slopes.fields);
    sweep->plan->relax->costs(&slopes, &sweep->law, level->width);
}

/* Rivers above a size keep their way. */
static void drainage_keep_row(const struct drainage_sweep *sweep, uint32_t y)
{
    size_t row = y * sweep->level.stride;
    const uint8_t *receiver = sweep->level.receiver + row;
    const float *discharge = sweep->level.discharge + row;
    uint8_t *keep = sweep->keep + row;
    for (uint32_t i = 0; i < sweep->level.width; i++) {
        bool kept = receiver[i] == DRAINAGE_OUTLET || discharge[i] > sweep->pin;
        keep[i] = kept ? receiver[i] : DRAINAGE_FREE;
    }
}

/* Of free cells, whose way may be new, the area is counted anew; what kept its way brings what is
 * farther upstream. On the finest levels free water gathers from farther away than areas are
 * counted: there it brings what it had before. */
static void drainage_forget_row(const struct drainage_sweep *sweep, float *discharge, uint32_t y)
{
    const uint8_t *keep = sweep->keep + y * sweep->level.stride;
    for (uint32_t i = 0; i < sweep->level.width; i++) {
        discharge[i] = keep[i] == DRAINAGE_FREE ? sweep->own : discharge[i];
    }
}

static void drainage_relax_row_of(const struct drainage_sweep *sweep,
                                  const struct drainage_step *step, uint32_t y)
{
    size_t stride = sweep->level.stride, row = y * stride;
    struct drainage_relax_row cells = {
        .to = step->to + row,
        .above = step->from + row - stride,
        .here = step->from + row,
        .below = step->from + row + stride,
        .cost = sweep->cost + row,
        .cap = sweep->cap == NULL ? NULL : sweep->cap + row,
        .keep = step->kind == DRAINAGE_RELAX ? sweep->keep + row : NULL,
        .least = sweep->least,
        .cap_slope = sweep->law.plateau_slope,
    };
    sweep->plan->relax->relax(&cells, sweep->level.width);
}

static void drainage_flood_row_of(const struct drainage_sweep *sweep,
                                  const struct drainage_step *step, uint32_t y)
{
    size_t stride = sweep->level.stride, row = y * stride;
    const float *reach = sweep->reach[step->turn] + row;
    struct drainage_flood_row cells = {
        .to = step->to + row,
        .reach_to = sweep->reach[step->turn ^ 1] + row,
        .height = {step->from + row - stride, step->from + row, step->from + row + stride},
        .reach = {reach - stride, reach, reach + stride},
        .keep = sweep->keep + row,
        .step = sweep->plan->flood_slope * sweep->cell,
    };
    sweep->plan->relax->flood(&cells, sweep->level.width);
}

static void drainage_flooded_row(const struct drainage_sweep *sweep,
                                 const struct drainage_step *step, uint32_t y)
{
    size_t row = y * sweep->level.stride;
    const float *reach = sweep->reach[step->turn] + row;
    uint8_t *traits = sweep->level.traits + row;
    for (uint32_t i = 0; i < sweep->level.width; i++) {
        uint8_t plain = reach[i] > 0 ? DRAINAGE_PLAIN : 0;
        traits[i] = (uint8_t)((traits[i] & DRAINAGE_LAKE) | plain);
    }
}

static void drainage_smooth_row_of(const struct drainage_sweep *sweep,
                                   const struct drainage_step *step, uint32_t y)
{
    size_t stride = sweep->level.stride, row = y * stride;
    struct drainage_smooth_row cells = {
        .to = step->to + row,
        .above = step->from + row - stride,
        .here = step->from + row,
        .below = step->from + row + stride,
        .receiver = sweep->level.receiver + row,
        .donors = sweep->donors + row,
        .least = sweep->least,
        .up = sweep->plan->up,
        .down = sweep->plan->down,
    };
    sweep->plan->relax->smooth(&cells, sweep->level.width);
}

/* The first and the last row lack neighbours: they stay as they are. */
static void drainage_rim_row(const struct drainage_sweep *sweep, const struct drainage_step *step,
                             uint32_t y)
{
    size_t row = y * sweep->level.stride;
    size_t floats = sweep->level.width * sizeof(float);
    switch (step->kind) {
    case DRAINAGE_FLOOD:
        memcpy(sweep->reach[step->turn ^ 1] + row, sweep->reach[step->turn] + row, floats);
        memcpy(step->to + row, step->from + row, floats);
        break;
    case DRAINAGE_DONORS:
        memset(sweep->donors + row, 0, sweep->level.width);
        break;
    case DRAINAGE_RELAX:
    case DRAINAGE_SETTLE:
    case DRAINAGE_AREAS:
    case DRAINAGE_SMOOTH:
        memcpy(step->to + row, step->from + row, floats);
        break;
    default:
        break;
    }
}

/* Land beside a closed lake sinks no deeper than `least` above it. Where it may, kernels need not
 * know: max(min(z, v), min(z, bank)) is min(z, max(v, bank)). */
static void drainage_hold_banks(const struct drainage_sweep *sweep,
                                const struct drainage_step *step, uint32_t y)
{
    const struct drainage_level *level = &sweep->level;
    for (uint32_t x = 1; x + 1 < level->width; x++) {
        size_t at = y * level->stride + x;
        float bank = 0;
        for (uint32_t k = 0; k < 9; k++) {
            size_t beside = at + (k / 3) * level->stride + k % 3 - level->stride - 1;
            if (level->receiver[beside] == DRAINAGE_OUTLET &&
                (level->traits[beside] & DRAINAGE_LAKE) != 0) {
                float surface = step->from[beside] + sweep->least;
                bank = surface > bank ? surface : bank;
            }
        }
        bank = bank < step->from[at] ? bank : step->from[at];
        step->to[at] = step->to[at] > bank ? step->to[at] : bank;
    }
}

static void drainage_step_row(const struct drainage_sweep *sweep, const struct drainage_step *step,
                              uint32_t y)
{
    const struct drainage_plan *plan = sweep->plan;
    const struct drainage_level *level = &sweep->level;
    size_t stride = level->stride, row = y * stride;
    const float *rows[3] = {step->from + row - stride, step->from + row, step->from + row + stride};
    const uint8_t *receivers[3] = {level->receiver + row - stride, level->receiver + row,
                                   level->receiver + row + stride};
    switch (step->kind) {
    case DRAINAGE_RELAX:
    case DRAINAGE_SETTLE:
        drainage_relax_row_of(sweep, step, y);
        break;
    case DRAINAGE_FLOOD:
        drainage_flood_row_of(sweep, step, y);
        break;
    case DRAINAGE_RECEIVERS:
        plan->flow->receivers(level->receiver + row, rows, sweep->keep + row, sweep->least,
                              level->width);
        if (level->level >= 2) {
            drainage_forget_row(sweep, level->discharge + row, y);
        }
        break;
    case DRAINAGE_DONORS:
        plan->flow->donors(sweep->donors + row, receivers, level->width);
        break;
    case DRAINAGE_AREAS:
        plan->flow->areas(step->to + row, rows, sweep->donors + row, sweep->own, level->width);
        break;
    default:
        drainage_smooth_row_of(sweep, step, y);
        break;
    }
    bool lowers = step->kind == DRAINAGE_RELAX || step->kind == DRAINAGE_SETTLE ||
                  step->kind == DRAINAGE_FLOOD || step->kind == DRAINAGE_SMOOTH;
    if (lowers && sweep->banks[y] != 0) {
        drainage_hold_banks(sweep, step, y);
    }
}

/* Runs the steps, each behind the one before. Discharges of the sweep are those that costs and
 * floods see: the ones before the areas are counted. */
static void drainage_sweep_run(struct drainage_sweep *sweep, float *first_discharge)
{
    uint32_t height = sweep->level.height;
    uint32_t last = sweep->steps[sweep->count - 1].lag;
    float *discharge = sweep->level.discharge;
    sweep->level.discharge = first_discharge;
    for (uint32_t row = 0; row < height + last; row++) {
        for (uint32_t k = 0; k < sweep->count; k++) {
            const struct drainage_step *step = &sweep->steps[k];
            uint32_t y = row - step->lag;
            if (row < step->lag || y >= height) {
                continue;
            }
            if (step->kind == DRAINAGE_KEEP) {
                drainage_keep_row(sweep, y);
            } else if (step->kind == DRAINAGE_COSTS) {
                drainage_costs_row(sweep, step, y);
            } else if (step->kind == DRAINAGE_REACH) {
                size_t at = y * sweep->level.stride;
                sweep->plan->relax->reach(sweep->reach[0] + at, first_discharge + at,
                                          sweep->level.receiver + at, sweep->plan->river_width,
                                          sweep->plan->river_area, 1 / sweep->cell,
                                          sweep->level.width);
            } else if (step->kind == DRAINAGE_FLOODED) {
                drainage_flooded_row(sweep, step, y);
            } else if (y == 0 || y == height - 1) {
                drainage_rim_row(sweep, step, y);
            } else {
                drainage_step_row(sweep, step, y);
            }
        }
    }
    sweep->level.discharge = discharge;
    sweep->count = 0;
}

/* ---- The top ---------------------------------------------------------------------------------- */

/* In each square of 8 by 8 cells without sea the cell of the lowest control starts as a lake. */
static void drainage_start_lakes(const struct drainage_level *level, const float *control,
                                 float lake_level)
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
                level->heights[lowest] = lake_level * control[lowest] + 0.5F;
                level->traits[lowest] = DRAINAGE_LAKE;
            }
        }
    }
}

/* The lowest height beside a cell, with or without that of closed lakes. */
static float drainage_lowest_beside(const struct drainage_level *level, size_t at, bool lakes)
{
    float low = 1e8F;
    for (size_t k = 0; k < 9; k++) {
        size_t beside = at + (k / 3) * level->stride + k % 3 - level->stride - 1;
        float z = level->heights[beside];
        bool counts = k != 4 && (lakes || level->traits[beside] != DRAINAGE_LAKE);
        low = counts && z < low ? z : low;
    }
    return low;
}

/* A lake with a lower neighbour has an outflow, and is land. A closed one lies below all land around
 * it, by `least` at least. What the steps must keep is written to `keep`. */
static void drainage_open_lakes(const struct drainage_level *level, uint8_t *keep, float least)
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
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            size_t i = y * level->stride + x;
            bool closed = level->receiver[i] == DRAINAGE_OUTLET;
            bool inner = x > 0 && y > 0 && x + 1 < level->width && y + 1 < level->height;
            keep[i] = closed ? DRAINAGE_OUTLET : DRAINAGE_FREE;
            if (level->traits[i] == DRAINAGE_LAKE && closed && inner) {
                float ceiling = drainage_lowest_beside(level, i, false) - 2 * least;
                level->heights[i] = ceiling < level->heights[i] ? ceiling : level->heights[i];
            }
        }
    }
    for (size_t i = 0; i < level->stride * level->height; i++) {
        level->traits[i] = level->receiver[i] == DRAINAGE_OUTLET ? level->traits[i] : 0;
    }
}

static void drainage_make_top(const struct drainage_pyramid *p, struct drainage_level *made,
                              struct drainage_work *work)
{
    const struct drainage_plan *plan = p->plan;
    struct drainage_sweep sweep;
    float *control = work->cost; /* its first use is over before costs are made */
    float own = (float)(int32_t)(1u << DRAINAGE_TOP) * (float)(int32_t)(1u << DRAINAGE_TOP);
    for (uint32_t y = 0; y < made->height; y++) {
        struct drainage_fields rows = work->rows;
        size_t row = y * made->stride;
        terrain__drainage_lattice_row(&work->lattice, plan, &rows, made->x, made->y + y,
                                      made->width, DRAINAGE_WANT_CONTROL, work->row);
        for (uint32_t x = 0; x < made->width; x++) {
            bool sea = rows.control[x] < 0;
            control[row + x] = rows.control[x];
            made->heights[row + x] = sea ? 0 : 1e8F;
            made->receiver[row + x] = sea ? DRAINAGE_OUTLET : 0;
            made->discharge[row + x] = own;
            made->traits[row + x] = 0;
        }
    }
    drainage_start_lakes(made, control, plan->lake_level);
    drainage_sweep_begin(&sweep, plan, work, made, 0);
    memset(work->keep, DRAINAGE_FREE, made->stride * made->height);
    memset(work->banks, 0, made->height);
    drainage_add(&sweep, DRAINAGE_COSTS, 0);
    drainage_add_heights(&sweep, DRAINAGE_RELAX, DRAINAGE_TOP_RELAX);
    drainage_sweep_run(&sweep, made->discharge);
    made->heights = sweep.level.heights;
    drainage_open_lakes(made, work->keep, sweep.least);
    drainage_add_areas(&sweep, DRAINAGE_TOP_AREAS);
    drainage_sweep_run(&sweep, made->discharge);
    made->discharge = sweep.level.discharge;
    drainage_add(&sweep, DRAINAGE_COSTS, 0);
    drainage_add_heights(&sweep, DRAINAGE_RELAX, DRAINAGE_TOP_RELAX);
    drainage_sweep_run(&sweep, made->discharge);
    made->heights = sweep.level.heights;
    /* Slopes of more water are gentler: the land beside a lake may have sunk. */
    drainage_open_lakes(made, work->keep, sweep.least);
    drainage_add(&sweep, DRAINAGE_RECEIVERS, 1);
    drainage_sweep_run(&sweep, made->discharge);
}

/* ---- Refining --------------------------------------------------------------------------------- */

static struct drainage_blocks drainage_blocks_of(const struct drainage_level *coarse,
                                                 const struct drainage_work *work, uint32_t y,
                                                 float least)
{
    struct drainage_blocks blocks = {.least = least};
    for (uint32_t k = 0; k < 3; k++) {
        size_t row = (y + k - 1) * coarse->stride;
        size_t dense = (size_t)(y + k - 1) * coarse->width;
        blocks.height[k] = coarse->heights + row;
        blocks.receiver[k] = coarse->receiver + row;
        blocks.discharge[k] = coarse->discharge + row;
        blocks.node[k] = work->node + dense;
        blocks.exit[k] = work->exit + dense;
        blocks.base[k] = work->base + dense;
        blocks.code[k] = work->code + dense;
        blocks.leave[k] = work->leave + dense;
        blocks.enter[k] = work->enter + dense;
    }
    return blocks;
}

/* Blocks that the sea may move to, in `shore`: they are outlets or have one beside them, but no closed
 * lake, which would lie over it. Whether there are any outlets in row y or beside it. */
static bool drainage_find_shore(const struct drainage_level *coarse, uint8_t *shore, uint32_t y)
{
    enum { SEA = 1, LAKE = 2 };
    bool any = false;
    memset(shore, 0, coarse->width);
    for (uint32_t k = 0; k < 3; k++) {
        size_t row = (y + k - 1) * coarse->stride;
        const uint8_t *receiver = coarse->receiver + row, *traits = coarse->traits + row;
        if (memchr(receiver, DRAINAGE_OUTLET, coarse->width) != NULL) {
            any = true;
            for (uint32_t x = 1; x + 1 < coarse->width; x++) {
                for (uint32_t i = x - 1; i <= x + 1; i++) {
                    uint8_t water = (traits[i] & DRAINAGE_LAKE) != 0 ? LAKE : SEA;
                    shore[x] |= receiver[i] == DRAINAGE_OUTLET ? water : 0;
                }
            }
        }
    }
    for (uint32_t x = 0; x < coarse->width && any; x++) {
        shore[x] = shore[x] == SEA;
    }
    return any;
}

/* The control of the two rows of children of block row y, in work->control; false: there is no sea.
 * Within closed lakes it is the lake's. The sea only moves to blocks beside it: a new one inland
 * would be a hole that slopes have no time to reach. */
static bool drainage_control_rows(const struct drainage_pyramid *p,
                                  const struct drainage_level *made,
                                  const struct drainage_level *coarse, struct drainage_work *work,
                                  uint32_t y)
{
    const uint8_t *traits = coarse->traits + y * coarse->stride;
    const uint8_t *receiver = coarse->receiver + y * coarse->stride;
    uint8_t *shore = work->shore;
    struct drainage_lake shape = {.column = INT64_MIN};
    if (!drainage_find_shore(coarse, shore, y)) {
        return false;
    }
    for (uint32_t k = 0; k < 2; k++) {
        struct drainage_fields rows = work->rows;
        float *control = work->control[k];
        terrain__drainage_lattice_row(&work->lattice, p->plan, &rows, made->x, made->y + 2 * y + k,
                                      made->width, DRAINAGE_WANT_CONTROL, work->row);
        for (uint32_t x = 0; x < made->width; x++) {
            control[x] = shore[x / 2] || rows.control[x] > 0 ? rows.control[x] : 0;
            if ((traits[x / 2] & DRAINAGE_LAKE) != 0) {
                float lake = terrain__drainage_lake_at(&shape, p->plan, made->x + x,
                                                       made->y + 2 * y + k, made->level);
                control[x] = lake > 0 || receiver[x / 2] == DRAINAGE_OUTLET ? lake : 0;
            }
        }
    }
    return true;
}

/* Outlets: their node is the child of the lowest control. Open blocks: the node is below 0. */
static void drainage_open_row(const struct drainage_level *coarse, struct drainage_work *work,
                              uint32_t y)
{
    const uint8_t *receiver = coarse->receiver + y * coarse->stride;
    size_t row = (size_t)y * coarse->width;
    for (uint32_t x = 0; x < coarse->width; x++) {
        const float *upper = work->control[0] + 2 * x, *lower = work->control[1] + 2 * x;
        float control[4] = {upper[0], upper[1], lower[0], lower[1]};
        uint8_t *node = &work->node[row + x];
        if (receiver[x] == DRAINAGE_OUTLET) {
            *node = 0;
            for (uint8_t k = 1; k < 4; k++) {
                *node = control[k] < control[*node] ? k : *node;
            }
            work->exit[row + x] = *node;
        }
        bool open = receiver[x] == DRAINAGE_OUTLET || control[*node] < 0;
        work->open[row + x] = open;
        work->code[row + x] = open ? 255 : 0;
        work->base[row + x] =
            open && receiver[x] != DRAINAGE_OUTLET ? 0 : coarse->heights[y * coarse->stride + x];
    }
}

static void drainage_make_nodes(const struct drainage_pyramid *p, const struct drainage_level *made,
                                const struct drainage_level *coarse, struct drainage_work *work,
                                uint8_t *sea)
{
    uint64_t stream = terrain__mix(p->plan->node_stream, made->level);
    for (uint32_t y = 1; y + 1 < coarse->height; y++) {
        struct drainage_blocks blocks =
            drainage_blocks_of(coarse, work, y, drainage_least(made->level));
        uint64_t row = terrain__random_row(stream, coarse->y + y);
        size_t dense = (size_t)y * coarse->width;
        for (uint32_t x = 0; x < coarse->width; x++) {
            int64_t column = coarse->x + x;
            work->bits[x] =
                terrain__random_bits(terrain__random_column(row, column), (uint32_t)column);
        }
        p->plan->refine->nodes(&blocks, work->bits, coarse->width);
        sea[y] = drainage_control_rows(p, made, coarse, work, y);
        if (sea[y]) {
            drainage_open_row(coarse, work, y);
        } else {
            memset(work->open + dense, 0, coarse->width);
            memset(work->code + dense, 0, coarse->width);
            memcpy(work->base + dense, blocks.height[1], coarse->width * sizeof(float));
        }
    }
}

/* The two rows of children of block row y. */
static void drainage_make_children(const struct drainage_pyramid *p, struct drainage_sweep *sweep,
                                   const struct drainage_level *coarse, bool sea, uint32_t y)
{
    struct drainage_level *made = &sweep->level;
    struct drainage_work *work = sweep->work;
    struct drainage_blocks blocks = drainage_blocks_of(coarse, work, y, sweep->least);
    struct drainage_children children = {.own = sweep->own,
                                         .open = work->open + (size_t)y * coarse->width,
                                         .area = work->area,
                                         .low = work->low,
                                         .gathered = work->gathered};
    for (uint32_t k = 0; k < 4; k++) {
        children.heights[k] = work->child_heights + k * coarse->width;
        children.areas[k] = work->child_areas + k * coarse->width;
        children.receivers[k] = work->child_receivers + k * coarse->width;
    }
    for (uint32_t k = 0; k < 2; k++) {
        size_t row = (2 * y + k) * made->stride;
        float *heights = made->heights + row, *discharge = made->discharge + row;
        uint8_t *traits = made->traits + row;
        children.height[k] = heights;
        children.discharge[k] = discharge;
        children.receiver[k] = made->receiver + row;
        children.cost[k] = work->leaf_cost[k];
        /* Slopes of the children that no river passes: at their block's height. */
        for (uint32_t x = 0; x < coarse->width; x++) {
            heights[2 * x] = heights[2 * x + 1] = blocks.height[1][x];
            discharge[2 * x] = discharge[2 * x + 1] = sweep->own;
            traits[2 * x] = traits[2 * x + 1] = coarse->traits[y * coarse->stride + x];
        }
        struct drainage_slope_row slopes = {.cost = work->leaf_cost[k],
                                            .here = heights,
                                            .discharge = discharge,
                                            .noise = work->noise,
                                            .cell = sweep->cell};
        drainage_rock_row(sweep, 2 * y + k, &slopes.fields);
        p->plan->relax->costs(&slopes, &sweep->law, made->width);
    }
    p->plan->refine->children(&blocks, &children, coarse->width);
    if (sea) {
        drainage_control_rows(p, made, coarse, work, y);
        for (uint32_t k = 0; k < 2; k++) {
            size_t row = (2 * y + k) * made->stride;
            const uint8_t *traits = coarse->traits + y * coarse->stride;
            for (uint32_t x = 0; x < made->width; x++) {
                bool lake = (traits[x / 2] & DRAINAGE_LAKE) != 0;
                if (work->control[k][x] < 0) {
                    made->heights[row + x] = lake ? blocks.height[1][x / 2] : 0;
                    made->receiver[row + x] = DRAINAGE_OUTLET;
                }
            }
        }
    }
}

/* Rivers that cross a corner go round it by one of the two cells beside it, mostly: corners alone
 * make straight valleys. */
static void drainage_detours(const struct drainage_pyramid *p, const struct drainage_sweep *sweep,
                             const struct drainage_level *coarse, uint32_t y)
{
    static const int32_t step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int32_t step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    const struct drainage_work *work = sweep->work;
    const struct drainage_level *made = &sweep->level;
    uint64_t random =
        terrain__random_row(terrain__mix(p->plan->detour_stream, made->level), coarse->y + y);
    ptrdiff_t stride = (ptrdiff_t)made->stride, width = (ptrdiff_t)coarse->width;
    for (uint32_t x = 3; x + 3 < coarse->width; x++) {
        uint32_t r = coarse->receiver[y * coarse->stride + x];
        size_t block = (size_t)y * coarse->width + x;
        if ((r & 1) == 0 || work->open[block]) {
            continue;
        }
        int64_t column = coarse->x + x;
        uint32_t bits =
            terrain__random_bits(terrain__random_column(random, column), (uint32_t)column);
        if (bits >> 8 > UINT32_C(14260634)) { /* 0.85 * 2^24 */
            continue;
        }
        ptrdiff_t dx = step_x[r], dy = step_y[r];
        uint32_t e = work->exit[block];
        size_t from = (2 * y + (e >> 1)) * made->stride + 2 * x + (e & 1);
        size_t to = from + (size_t)(dx + dy * stride);
        if (made->receiver[from] != r) {
            continue;
        }
        for (uint32_t k = 0; k < 2; k++) {
            bool sideways = ((bits & 1) ^ k) != 0;
            size_t beside = block + (size_t)(sideways ? dx : dy * width);
            size_t via = from + (size_t)(sideways ? dx : dy * stride);
            uint32_t child = sideways ? (dx < 0 ? 1u : 0u) + (dy > 0 ? 2u : 0u)
                                      : (dx > 0 ? 1u : 0u) + (dy < 0 ? 2u : 0u);
            float z = (made->heights[from] + made->heights[to]) * 0.5F;
            if (made->receiver[via] == DRAINAGE_OUTLET || child == work->node[beside] ||
                child == work->exit[beside] || made->discharge[via] != sweep->own ||
                z + sweep->least > made->heights[from] || made->heights[to] + sweep->least > z) {
                continue;
            }
            uint8_t level = dx > 0 ? 0 : 4, upright = dy > 0 ? 2 : 6;
            made->receiver[from] = sideways ? level : upright;
            made->receiver[via] = sideways ? upright : level;
            made->heights[via] = z;
            made->discharge[via] = made->discharge[from] + sweep->own;
            break;
        }
    }
}

/* The rows of cells that lie at a closed lake. */
static void drainage_find_banks(const struct drainage_level *made, uint8_t *banks)
{
    memset(banks, 0, made->height);
    for (uint32_t y = 1; y + 1 < made->height; y++) {
        const uint8_t *receiver = made->receiver + y * made->stride;
        const uint8_t *traits = made->traits + y * made->stride;
        if (memchr(receiver, DRAINAGE_OUTLET, made->width) != NULL) {
            bool lake = false;
            for (uint32_t x = 0; x < made->width; x++) {
                lake |= receiver[x] == DRAINAGE_OUTLET && (traits[x] & DRAINAGE_LAKE) != 0;
            }
            for (uint32_t k = y - 1; k <= y + 1 && lake; k++) {
                banks[k] = 1;
            }
        }
    }
}

static void drainage_refine(const struct drainage_pyramid *p, const struct drainage_level *made,
                            const struct drainage_level *coarse, struct drainage_work *work,
                            uint8_t *sea)
{
    struct drainage_sweep sweep;
    size_t blocks = (size_t)coarse->width * coarse->height;
    drainage_sweep_begin(&sweep, p->plan, work, made, 0);
    memset(work->node, 0, blocks);
    memset(work->exit, 0, blocks);
    memset(work->code, 255, blocks);
    memset(work->open, 0, blocks);
    memset(work->base, 0, blocks * sizeof(float));
    memset(work->enter, 0, blocks * sizeof(float));
    memset(work->leave, 0, blocks * sizeof(float));
    drainage_make_nodes(p, made, coarse, work, sea);
    for (uint32_t y = 1; y + 1 < coarse->height; y++) {
        struct drainage_blocks rows = drainage_blocks_of(coarse, work, y, sweep.least);
        p->plan->refine->entries(&rows, coarse->width);
    }
    for (uint32_t y = 1; y + 1 < coarse->height; y++) {
        drainage_make_children(p, &sweep, coarse, sea[y], y);
    }
    for (uint32_t y = 3; y + 3 < coarse->height; y++) {
        drainage_detours(p, &sweep, coarse, y);
    }
    drainage_find_banks(made, work->banks);
}

/* ---- Levels ----------------------------------------------------------------------------------- */

static void drainage_make_level(const struct drainage_pyramid *p, struct drainage_level *made,
                                const struct drainage_level *coarse, struct drainage_work *work)
{
    const struct drainage_steps *steps = &p->plan->steps[made->level];
    const uint32_t rim = 2 * (DRAINAGE_REFINE_MARGIN - 1);
    struct drainage_sweep sweep;
    drainage_refine(p, made, coarse, work, work->keep);
    drainage_sweep_begin(&sweep, p->plan, work, made, rim);
    drainage_add(&sweep, DRAINAGE_KEEP, 0);
    drainage_add(&sweep, DRAINAGE_COSTS, 1);
    drainage_add_heights(&sweep, DRAINAGE_RELAX, steps->relax);
    if (steps->flood > 0) {
        drainage_add(&sweep, DRAINAGE_REACH, 0);
        drainage_add_heights(&sweep, DRAINAGE_FLOOD, steps->flood);
        drainage_add(&sweep, DRAINAGE_FLOODED, 0)->turn = steps->flood & 1;
    }
    drainage_add(&sweep, DRAINAGE_COSTS, 1)->turn = 1;
    drainage_add_heights(&sweep, DRAINAGE_SETTLE, steps->settle);
    float *discharge = sweep.level.discharge;
    drainage_add_areas(&sweep, steps->areas);
    drainage_add_heights(&sweep, DRAINAGE_SMOOTH, steps->smooth);
    drainage_sweep_run(&sweep, discharge);
    size_t skip = rim * made->stride + rim;
    made->heights = sweep.level.heights - skip;
    made->discharge = sweep.level.discharge - skip;
}

void terrain__drainage_pyramid_make(struct drainage_pyramid *pyramid,
                                    const struct drainage_level *coarse,
                                    struct drainage_level *result, struct drainage_ground *ground)
{
    struct drainage_cursor cursor = {pyramid->memory, 0};
    struct drainage_level above = {0};
    if (coarse != NULL) {
        above = drainage_part(coarse, &pyramid->wanted[pyramid->top + 1]);
    }
    for (uint32_t level = pyramid->top + 1; level-- > pyramid->bottom;) {
        struct drainage_level made = drainage_made(pyramid, level);
        struct drainage_work work;
        bool top = level == DRAINAGE_TOP;
        drainage_take_planes(&cursor, &made, &work);
        struct drainage_cursor scratch = cursor;
        drainage_layout(&scratch, pyramid, &made, top ? NULL : &pyramid->wanted[level + 1], &work);
        terrain__drainage_lattice_fill(&work.lattice, pyramid->plan, work.samples);
        if (top) {
            drainage_make_top(pyramid, &made, &work);
        } else {
            drainage_make_level(pyramid, &made, &above, &work);
        }
        above = drainage_part(&made, &pyramid->wanted[level]);
        ground->lattice = work.lattice;
        ground->rows = work.rows;
        ground->work = work.row;
    }
    *result = above;
}
