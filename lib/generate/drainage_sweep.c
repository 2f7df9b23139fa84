/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The steps of a level of generate_drainage.
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

#include "generate/drainage_sweep.h"
#include "vector/random.h"

struct drainage_level terrain__drainage_part(const struct drainage_level *made,
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

float terrain__drainage_least(uint32_t level)
{
    float least = 0x1p-12F;
    for (uint32_t k = 0; k < level; k++) {
        least *= 2.2F;
    }
    return least;
}

/* How much single cells vary in hardness, log2. Where cells of 4 cells and more are soft, the water
 * of a slope gathers, and cuts valleys between spurs; on even rock it would run down side by side.
 * The map's own cells vary least, for valleys are wider than one of them. */
static const float drainage_grain[] = {0.2F, 0.5F, 1.2F};

void terrain__drainage_sweep_begin(struct drainage_sweep *sweep, const struct drainage_plan *plan,
                                   struct drainage_work *work, const struct drainage_level *made,
                                   uint32_t rim)
{
    uint32_t level = made->level;
    const struct drainage_level window = terrain__drainage_around(made, -(int32_t)rim);
    size_t skip = rim * made->stride + rim;
    sweep->level = terrain__drainage_part(made, &window);
    sweep->plan = plan;
    sweep->work = work;
    sweep->cell = (float)(int32_t)(1u << level);
    sweep->own = sweep->cell * sweep->cell;
    sweep->least = terrain__drainage_least(level);
    sweep->law = plan->law;
    sweep->law.least = plan->least_slope[level];
    sweep->law.grain = drainage_grain[level < 2 ? level : 2];
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
    sweep->left = 0;
    sweep->width = sweep->level.width;
    sweep->count = 0;
}

struct drainage_step *terrain__drainage_add(struct drainage_sweep *sweep, enum drainage_kind kind,
                                            uint32_t reach)
{
    struct drainage_step *step = &sweep->steps[sweep->count];
    step->kind = kind;
    step->reach = reach;
    step->lag = (sweep->count == 0 ? 0 : step[-1].lag) + reach;
    step->turn = 0;
    step->from = sweep->level.heights;
    step->to = sweep->level.heights;
    sweep->count++;
    return step;
}

void terrain__drainage_add_heights(struct drainage_sweep *sweep, enum drainage_kind kind,
                                   uint32_t times)
{
    for (uint32_t k = 0; k < times; k++) {
        struct drainage_step *step = terrain__drainage_add(sweep, kind, 1);
        step->to = sweep->other_heights;
        step->turn = k & 1;
        sweep->other_heights = sweep->level.heights;
        sweep->level.heights = step->to;
    }
}

void terrain__drainage_add_areas(struct drainage_sweep *sweep, uint32_t times)
{
    for (uint32_t k = 0; k < times; k++) {
        struct drainage_step *step = terrain__drainage_add(sweep, DRAINAGE_AREAS, 1);
        step->from = sweep->level.discharge;
        step->to = sweep->other_discharge;
        sweep->other_discharge = sweep->level.discharge;
        sweep->level.discharge = step->to;
    }
}

void terrain__drainage_rock_row(const struct drainage_sweep *sweep, uint32_t y,
                                struct drainage_fields *fields)
{
    const struct drainage_level *level = &sweep->level;
    *fields = sweep->work->rows;
    terrain__drainage_lattice_row(&sweep->work->lattice, sweep->plan, fields,
                                  level->x + sweep->left, level->y + y, sweep->width,
                                  DRAINAGE_WANT_ROCK, sweep->work->row);
    sweep->plan->relax->noise(sweep->work->noise,
                              terrain__random_row(sweep->rock_stream, level->y + y),
                              level->x + sweep->left, sweep->width);
}

/* How far kept rivers may stand above the land beside them, as a part of S(1) * cell, S(q) being
 * the slope of drainage_law: S(1) times a cell of the map; but on coarse levels, where that would
 * make rivers too gentle, 0.12 S(1) times their own cell. */
static float drainage_stand(const struct drainage_sweep *sweep)
{
    float part = 1 / sweep->cell;
    return part > 0.12F ? part : 0.12F;
}

static void drainage_costs_row(const struct drainage_sweep *sweep, const struct drainage_step *step,
                               uint32_t y)
{
    const struct drainage_level *level = &sweep->level;
    size_t row = y * level->stride + sweep->left;
    struct drainage_slope_row slopes = {
        .cost = sweep->cost + row,
        .cap = sweep->cap == NULL ? NULL : sweep->cap + row,
        .here = step->from + row,
        .discharge = level->discharge + row,
        .keep = sweep->keep + row,
        .receiver = level->receiver + row,
        .traits = level->traits + row,
        .noise = sweep->work->noise,
        .cell = sweep->cell,
        .stand = step->kind == DRAINAGE_LOW_COSTS ? drainage_stand(sweep) : 1,
    };
    terrain__drainage_rock_row(sweep, y, &slopes.fields);
    sweep->plan->relax->costs(&slopes, &sweep->law, sweep->width);
}

static void drainage_keep_row(const struct drainage_sweep *sweep, uint32_t y)
{
    const size_t row = y * sweep->level.stride + sweep->left;
    sweep->plan->flow->keep(sweep->keep + row, sweep->level.receiver + row,
                            sweep->level.discharge + row, sweep->pin, sweep->width);
}

/* Cells that are free to find a new way forget their area, which is then counted anew; kept rivers
 * bring what comes from farther upstream than areas are counted. The finest levels don't forget:
 * there water that is free, too, comes from farther upstream. */
static void drainage_forget_row(const struct drainage_sweep *sweep, uint32_t y)
{
    const size_t row = y * sweep->level.stride + sweep->left;
    sweep->plan->flow->forget(sweep->level.discharge + row, sweep->keep + row, sweep->own,
                              sweep->width);
}

static void drainage_step_relax(const struct drainage_sweep *sweep,
                                const struct drainage_step *step, uint32_t y)
{
    size_t stride = sweep->level.stride, row = y * stride + sweep->left;
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
    sweep->plan->relax->relax(&cells, sweep->width);
}

/* How far each river floods. */
static void drainage_reach_row(const struct drainage_sweep *sweep, uint32_t y)
{
    const size_t row = y * sweep->level.stride + sweep->left;
    sweep->plan->relax->reach(sweep->reach[0] + row, sweep->level.discharge + row,
                              sweep->level.receiver + row, sweep->plan->river_width,
                              sweep->plan->river_area, 1 / sweep->cell, sweep->width);
}

static void drainage_step_flood(const struct drainage_sweep *sweep,
                                const struct drainage_step *step, uint32_t y)
{
    size_t stride = sweep->level.stride, row = y * stride + sweep->left;
    const float *reach = sweep->reach[step->turn] + row;
    struct drainage_flood_row cells = {
        .to = step->to + row,
        .reach_to = sweep->reach[step->turn ^ 1] + row,
        .height = {step->from + row - stride, step->from + row, step->from + row + stride},
        .reach = {reach - stride, reach, reach + stride},
        .keep = sweep->keep + row,
        .step = sweep->plan->flood_slope * sweep->cell,
    };
    sweep->plan->relax->flood(&cells, sweep->width);
}

static void drainage_flooded_row(const struct drainage_sweep *sweep,
                                 const struct drainage_step *step, uint32_t y)
{
    const size_t row = y * sweep->level.stride + sweep->left;
    sweep->plan->flow->flooded(sweep->level.traits + row, sweep->reach[step->turn] + row,
                               sweep->width);
}

static void drainage_step_smooth(const struct drainage_sweep *sweep,
                                 const struct drainage_step *step, uint32_t y)
{
    size_t stride = sweep->level.stride, row = y * stride + sweep->left;
    struct drainage_smooth_row cells = {
        .to = step->to + row,
        .above = step->from + row - stride,
        .here = step->from + row,
        .below = step->from + row + stride,
        .receiver = sweep->level.receiver + row,
        .donors = sweep->donors + row,
        .least = sweep->least,
        .rate = step->kind == DRAINAGE_RAISE ? sweep->plan->raise : sweep->plan->wear,
    };
    (step->kind == DRAINAGE_RAISE ? sweep->plan->relax->raise
                                  : sweep->plan->relax->wear)(&cells, sweep->width);
}

/* The first and the last row lack neighbours: they stay as they are. Of other levels than the top
 * they are spoilt, and the top is neither flooded nor smoothed. */
static void drainage_rim_row(const struct drainage_sweep *sweep, const struct drainage_step *step,
                             uint32_t y)
{
    size_t row = y * sweep->level.stride + sweep->left;
    if (step->kind == DRAINAGE_RELAX || step->kind == DRAINAGE_SETTLE ||
        step->kind == DRAINAGE_AREAS) {
        memcpy(step->to + row, step->from + row, sweep->width * sizeof(float));
    }
}

/* Raises land beside a closed lake, which may sink no deeper than `least` above it, after a step
 * that did not know of the lake: max(min(z, v), min(z, bank)) is min(z, max(v, bank)). */
static void drainage_hold_banks(const struct drainage_sweep *sweep,
                                const struct drainage_step *step, uint32_t y)
{
    const struct drainage_level *level = &sweep->level;
    for (uint32_t x = 1; x + 1 < sweep->width; x++) {
        size_t at = y * level->stride + sweep->left + x;
        float bank = 0;
        for (uint32_t k = 0; k < 9; k++) {
            size_t beside = at + (k / 3) * level->stride + k % 3 - level->stride - 1;
            if ((level->traits[beside] & DRAINAGE_LAKE) != 0) {
                float surface = step->from[beside] + sweep->least;
                bank = surface > bank ? surface : bank;
            }
        }
        bank = bank < step->from[at] ? bank : step->from[at];
        step->to[at] = step->to[at] > bank ? step->to[at] : bank;
    }
}

/* A row of a step that looks at the rows above and below. */
static void drainage_inner_row(const struct drainage_sweep *sweep, const struct drainage_step *step,
                               uint32_t y)
{
    const struct drainage_plan *plan = sweep->plan;
    const struct drainage_level *level = &sweep->level;
    size_t stride = level->stride, row = y * stride + sweep->left;
    const float *rows[3] = {step->from + row - stride, step->from + row, step->from + row + stride};
    const uint8_t *receivers[3] = {level->receiver + row - stride, level->receiver + row,
                                   level->receiver + row + stride};
    switch (step->kind) {
    case DRAINAGE_RELAX:
    case DRAINAGE_SETTLE:
        drainage_step_relax(sweep, step, y);
        break;
    case DRAINAGE_FLOOD:
        drainage_step_flood(sweep, step, y);
        break;
    case DRAINAGE_RECEIVERS:
        plan->flow->receivers(level->receiver + row, rows, sweep->keep + row, sweep->least,
                              sweep->width);
        if (level->level >= 2 && level->level < DRAINAGE_TOP) {
            drainage_forget_row(sweep, y);
        }
        break;
    case DRAINAGE_DONORS:
        plan->flow->donors(sweep->donors + row, receivers, sweep->width);
        break;
    case DRAINAGE_AREAS:
        plan->flow->areas(step->to + row, rows, sweep->donors + row, sweep->own, sweep->width);
        break;
    default: /* DRAINAGE_RAISE, DRAINAGE_WEAR */
        drainage_step_smooth(sweep, step, y);
        break;
    }
    bool lowers = step->kind == DRAINAGE_RELAX || step->kind == DRAINAGE_SETTLE ||
                  step->kind == DRAINAGE_FLOOD || step->kind == DRAINAGE_WEAR;
    if (lowers && sweep->banks[y] != 0) {
        drainage_hold_banks(sweep, step, y);
    }
}

/* Sets the columns that a step makes: those that are not spoilt, and to the right as many more as
 * fill the kernels' last vectors. A step that looks at neighbours gets one more at either end,
 * which kernels leave as it is. */
static void drainage_set_columns(struct drainage_sweep *sweep, const struct drainage_step *step,
                                 uint32_t spoilt)
{
    enum { LANES = 16 };
    const uint32_t width = sweep->level.width, ends = spoilt > 0 ? step->reach : 0;
    const uint32_t whole = (width - 2 * spoilt + LANES - 1) / LANES * LANES + 2 * ends;
    sweep->left = spoilt - ends;
    sweep->width = whole < width - sweep->left ? whole : width - sweep->left;
}

/* Makes a row of a step, unless it is spoilt: nobody reads spoilt rows and columns. The top, which
 * is swept several times, is made whole. */
static void drainage_make_row(struct drainage_sweep *sweep, const struct drainage_step *step,
                              int64_t row)
{
    const uint32_t height = sweep->level.height;
    const uint32_t spoilt = sweep->level.level < DRAINAGE_TOP ? step->lag : 0;
    if (row < spoilt || row + spoilt >= height) {
        return;
    }
    const uint32_t y = (uint32_t)row;
    drainage_set_columns(sweep, step, spoilt);
    switch (step->kind) {
    case DRAINAGE_KEEP:
        drainage_keep_row(sweep, y);
        break;
    case DRAINAGE_COSTS:
    case DRAINAGE_LOW_COSTS:
        drainage_costs_row(sweep, step, y);
        break;
    case DRAINAGE_REACH:
        drainage_reach_row(sweep, y);
        break;
    case DRAINAGE_FLOODED:
        drainage_flooded_row(sweep, step, y);
        break;
    default: /* looks at the rows above and below */
        if (y == 0 || y == height - 1) {
            drainage_rim_row(sweep, step, y);
        } else {
            drainage_inner_row(sweep, step, y);
        }
        break;
    }
}

uint32_t terrain__drainage_sweep_lag(const struct drainage_sweep *sweep)
{
    return sweep->steps[sweep->count - 1].lag;
}

/* A task's copy of the sweep: with its own rows of work, and the discharge before areas are counted
 * where costs and floods look for it. */
static struct drainage_sweep drainage_sweep_of(const struct drainage_sweep *sweep,
                                               struct drainage_work *work, float *first_discharge)
{
    struct drainage_sweep own = *sweep;
    own.work = work;
    own.level.discharge = first_discharge;
    return own;
}

/* At a seam a step leaves `lag` rows on each side until both bands are done: rows/wave.h has a
 * drawing. */
void terrain__drainage_sweep_band(const struct drainage_sweep *sweep, struct drainage_work *work,
                                  const terrain__bands *bands, uint32_t index,
                                  float *first_discharge)
{
    struct drainage_sweep own = drainage_sweep_of(sweep, work, first_discharge);
    const bool above = index > 0, below = index + 1 < bands->count;
    const int64_t begin = terrain__band_begin(bands, index);
    const int64_t end = terrain__band_end(bands, index);
    for (int64_t front = begin; front < end + terrain__drainage_sweep_lag(sweep); front++) {
        for (uint32_t k = 0; k < own.count; k++) {
            const struct drainage_step *step = &own.steps[k];
            const int64_t row = front - step->lag, margin = step->lag;
            if (row >= begin + (above ? margin : 0) && row < end - (below ? margin : 0)) {
                drainage_make_row(&own, step, row);
            }
        }
    }
}

void terrain__drainage_sweep_seam(const struct drainage_sweep *sweep, struct drainage_work *work,
                                  const terrain__bands *bands, uint32_t index,
                                  float *first_discharge)
{
    struct drainage_sweep own = drainage_sweep_of(sweep, work, first_discharge);
    const int64_t middle = terrain__band_end(bands, index);
    for (uint32_t k = 0; k < own.count; k++) {
        const struct drainage_step *step = &own.steps[k];
        const int64_t margin = step->lag;
        const int64_t end = middle + margin < bands->rows ? middle + margin : bands->rows;
        for (int64_t row = middle - margin; row < end; row++) {
            drainage_make_row(&own, step, row);
        }
    }
}
