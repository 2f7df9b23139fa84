/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The fields that generate_drainage is made from, at any place of the world: control (below 0 lies
 * the sea), uplift over erodibility, hardness, and the height from which strata are counted.
 *
 * They are smooth, so a level samples them on a lattice of 8 cells, from level 3 on of 2 cells of
 * the level, and goes straight between samples. The top decides where seas are, and samples each of
 * its cells' corners. Octaves shorter than two spacings are left out: their mean is 0.
 *
 * The caller's maps take the noise's place, as cubic B-splines: control, to which octaves of
 * periods up to two of the map's spacings are added; uplift in place of the belts; hardness and
 * rain as factors of rock and of water; the ceiling as the height from which strata are
 * counted.
 *
 * A closed lake has a control of its own: a cell is lake where the place that noise moves its
 * middle to is nearer to one of 25 discs than the disc's radius. */

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "generate/drainage.h"
#include "vector/random.h"

/* Octaves' lattices are turned and scaled by whole numbers, so that places stay exact: to (x a + y
 * b, y a - x b), where sqrt(a^2 + b^2) is 5 or sqrt 5 and the lattice's spacing is larger by 4 or
 * 2. */
static const struct {
    int32_t a, b;
    uint32_t shift;
} drainage_turns[4] = {{4, 3, 2}, {1, 2, 1}, {2, -1, 1}, {3, -4, 2}};

void terrain__drainage_lattice_place(struct drainage_lattice *lattice, uint32_t level, int64_t x,
                                     int64_t y, uint32_t width, uint32_t height)
{
    lattice->level = level;
    lattice->spacing = level < 2 ? 3 : level < DRAINAGE_TOP ? level + 1 : DRAINAGE_TOP;
    lattice->shift = lattice->spacing - level;
    lattice->x = terrain__floor_shift(x, lattice->shift);
    lattice->y = terrain__floor_shift(y, lattice->shift);
    lattice->width =
        (uint32_t)(terrain__floor_shift(x + width - 1, lattice->shift) + 2 - lattice->x);
    lattice->height =
        (uint32_t)(terrain__floor_shift(y + height - 1, lattice->shift) + 2 - lattice->y);
    lattice->stride = terrain__whole_lines(lattice->width) + 16;
}

/* Samples x to x + count - 1 of row y, 2^spacing cells apart. */
struct drainage_run {
    int64_t x, y;
    uint32_t spacing, count;
};

/* Adds octave k along a row. x, y: the first sample, in half cells; step: to the next one. */
static void drainage_add_octave(const struct drainage_plan *plan,
                                const struct drainage_noise *noise, uint32_t k, float *sum,
                                uint64_t x, uint64_t y, int32_t step, uint32_t count)
{
    struct drainage_octave octave = noise->octave[k];
    int32_t a = drainage_turns[(k + noise->turn) % 4].a;
    int32_t b = drainage_turns[(k + noise->turn) % 4].b;
    octave.x += x * (uint64_t)(int64_t)a + y * (uint64_t)(int64_t)b;
    octave.y += y * (uint64_t)(int64_t)a - x * (uint64_t)(int64_t)b;
    octave.dx = a * step;
    octave.dy = -b * step;
    octave.shift = noise->period - k + 1 + drainage_turns[(k + noise->turn) % 4].shift;
    plan->fields->octave(sum, &octave, count);
}

/* The first octave of a noise that is added: with a map for the control, only those that the map
 * can't have itself. */
static uint32_t drainage_first_octave(const struct drainage_plan *plan,
                                      const struct drainage_noise *noise)
{
    uint32_t first = 0;
    if (noise->row == DRAINAGE_CONTROL && plan->ceiling_is_control) {
        return noise->octaves;
    }
    if (noise->row == DRAINAGE_CONTROL && plan->control.view.cells != NULL) {
        while (first < noise->octaves && noise->period - first < 31 &&
               1u << (noise->period - first) > 2 * plan->control.spacing) {
            first++;
        }
    }
    return first;
}

/* The octaves that the lattice can show: longer than two spacings; of control on the finest
 * lattice, longer than four, or the sea's bed would have facets. Coasts get the shorter ones
 * later. */
static uint32_t drainage_end_octave(const struct drainage_noise *noise, uint32_t spacing)
{
    bool finest = noise->row == DRAINAGE_CONTROL && spacing == 3;
    uint32_t shortest = finest ? spacing + 1 : spacing;
    uint32_t end = noise->period > shortest ? noise->period - shortest : 0;
    return end < noise->octaves ? end : noise->octaves;
}

static void drainage_add_noise(const struct drainage_plan *plan, const struct drainage_noise *noise,
                               const struct drainage_run *run, float *const *rows)
{
    const uint32_t half_cells = run->spacing + 1; /* 2^this to a spacing */
    const uint32_t end = drainage_end_octave(noise, run->spacing);
    for (uint32_t k = drainage_first_octave(plan, noise); k < end; k++) {
        bool detail = noise->row == DRAINAGE_CONTROL && noise->period - k < DRAINAGE_FINE;
        float *sum = rows[detail ? DRAINAGE_DETAIL : noise->row];
        drainage_add_octave(plan, noise, k, sum, (uint64_t)run->x << half_cells,
                            (uint64_t)run->y << half_cells, (int32_t)(1u << half_cells),
                            run->count);
    }
}

void terrain__drainage_lattice_place_grid(struct drainage_lattice *lattice,
                                          const struct drainage_plan *plan)
{
    const uint32_t shift = plan->plate_period - lattice->spacing;
    struct drainage_plate_grid *grid = &lattice->grid;
    grid->column = terrain__floor_shift(lattice->x, shift) - 2;
    grid->row = terrain__floor_shift(lattice->y, shift) - 2;
    grid->width =
        (uint32_t)(terrain__floor_shift(lattice->x + lattice->width - 1, shift) + 3 - grid->column);
    grid->height =
        (uint32_t)(terrain__floor_shift(lattice->y + lattice->height - 1, shift) + 3 - grid->row);
}

/* Samples that span n squares cross at most n borders of squares, rounded up; plates of two squares
 * on both sides are needed, too. */
uint64_t terrain__drainage_most_plates(const struct drainage_lattice *lattice,
                                       const struct drainage_plan *plan)
{
    const uint32_t shift = plan->plate_period - lattice->spacing;
    const uint64_t up = (UINT64_C(1) << shift) - 1;
    return (((lattice->width - 1 + up) >> shift) + 5) * (((lattice->height - 1 + up) >> shift) + 5);
}

static void drainage_draw_plates(const struct drainage_plate_grid *grid, uint64_t stream)
{
    for (uint32_t j = 0; j < grid->height; j++) {
        const uint64_t row = terrain__mix(stream, (uint64_t)(grid->row + j));
        for (uint32_t i = 0; i < grid->width; i++) {
            struct drainage_plate *plate = &grid->plates[j * grid->width + i];
            uint64_t bits = terrain__mix(row, (uint64_t)(grid->column + i));
            double angle = (double)(bits >> 24 & 0xFFF) * (TERRAIN__PI / 2048) - TERRAIN__PI;
            double speed = 0.5 + 0.5 * ((double)(bits >> 36 & 0xFF) / 255);
            plate->x = 0.8F * ((float)(int32_t)(bits & 0xFFF) * 0x1p-12F);
            plate->y = 0.8F * ((float)(int32_t)(bits >> 12 & 0xFFF) * 0x1p-12F);
            double east, south;
            terrain__sine_cosine(angle, &south, &east);
            plate->east = (float)(speed * east);
            plate->south = (float)(speed * south);
            plate->fold = (float)(int32_t)(bits >> 44 & 0xFF) * (1 / 255.0F);
            plate->base = (float)(int32_t)(bits >> 52 & 0xFF) * (1 / 255.0F) - 0.5F;
        }
    }
}

/* The plates around one square of their lattice; x, y: the first sample in it. */
static void drainage_set_plates(struct drainage_plates *plates, const struct drainage_plan *plan,
                                const struct drainage_lattice *lattice, int64_t x, int64_t y)
{
    const struct drainage_plate_grid *grid = &lattice->grid;
    const uint32_t shift = plan->plate_period - lattice->spacing;
    int64_t column = terrain__floor_shift(x, shift);
    int64_t row = terrain__floor_shift(y, shift);
    float unit = 1 / (float)(int32_t)(1u << shift);
    const struct drainage_plate *from = &grid->plates[(size_t)(row - 2 - grid->row) * grid->width +
                                                      (size_t)(column - 2 - grid->column)];
    for (int32_t k = 0; k < DRAINAGE_PLATES; k++) {
        const int32_t i = k % 5, j = k / 5;
        const struct drainage_plate *plate = &from[(size_t)j * grid->width + (size_t)i];
        plates->x[k] = (float)(i - 2) + 0.1F + plate->x;
        plates->y[k] = (float)(j - 2) + 0.1F + plate->y;
        plates->east[k] = plate->east;
        plates->south[k] = plate->south;
        plates->fold[k] = plate->fold;
        plates->base[k] = plate->base;
    }
    plates->first = (int32_t)(x - column * ((int64_t)1 << shift));
    plates->row = (float)(int32_t)(y - row * ((int64_t)1 << shift)) * unit;
    plates->step = unit;
    plates->sharpness = plan->plate_sharpness;
}

/* What the plates give to a run: from square to square of theirs. */
static void drainage_add_plates(const struct drainage_plan *plan,
                                const struct drainage_lattice *lattice,
                                const struct drainage_run *run, float *const *rows)
{
    const uint32_t shift = plan->plate_period - lattice->spacing;
    for (uint32_t i = 0, count; i < run->count; i += count) {
        const int64_t x = run->x + i, square = terrain__floor_shift(x, shift);
        const int64_t left = (square + 1) * ((int64_t)1 << shift) - x;
        struct drainage_plates plates;
        float *part[DRAINAGE_ROWS];
        count = left < run->count - i ? (uint32_t)left : run->count - i;
        for (uint32_t k = 0; k < DRAINAGE_ROWS; k++) {
            part[k] = rows[k] + i;
        }
        drainage_set_plates(&plates, plan, lattice, x, run->y);
        plan->fields->plates(part, &plates, count);
    }
}

/* ---- The caller's maps ----------------------------------------------------------------------- */

/* How a coarse map's cells are read: what is no number, or far off, gets a value that it may
 * have. */
struct drainage_reading {
    float low, high, none; /* none: in place of NaN */
    bool logarithm;        /* to base 2 */
    float scale;           /* multiplies what a cell holds */
};

/* The weights of a cubic B-spline at t from the second of four points: it goes near them, not
 * through them, and has no corners. */
static void drainage_spline(float t, float weights[4])
{
    float s = 1 - t;
    weights[0] = s * s * s * (1 / 6.0F);
    weights[1] = (4 + t * t * (3 * t - 6)) * (1 / 6.0F);
    weights[2] = (4 + s * s * (3 * s - 6)) * (1 / 6.0F);
    weights[3] = t * t * t * (1 / 6.0F);
}

static float drainage_read(const struct drainage_reading *reading, float value)
{
    float v = value == value ? value * reading->scale : reading->none;
    v = v > reading->low ? v : reading->low;
    v = v < reading->high ? v : reading->high;
    return reading->logarithm ? (float)(terrain__log((double)v) / TERRAIN__LN2) : v;
}

/* to[i] = the map at sample i of a run. */
static void drainage_sample_map(float *to, const terrain__coarse *map,
                                const struct drainage_reading *reading,
                                const struct drainage_run *run)
{
    const int64_t apart = map->spacing, step = (int64_t)1 << run->spacing;
    const float unit = 1 / (float)map->spacing;
    const int64_t line = terrain__floor_div(run->y * step, apart);
    const float *cells = map->view.cells + (size_t)(line - 1 - map->y) * map->view.stride;
    float down[4], column[4] = {0};
    int64_t held = INT64_MIN;
    drainage_spline((float)(int32_t)(run->y * step - line * apart) * unit, down);
    for (uint32_t i = 0; i < run->count; i++) {
        int64_t at = (run->x + i) * step, first = terrain__floor_div(at, apart);
        float across[4];
        for (uint32_t k = 0; k < 4 && first != held; k++) {
            if (first == held + 1 && k < 3) { /* one column on: three are known */
                column[k] = column[k + 1];
                continue;
            }
            const float *cell = cells + (size_t)(first - 1 + k - map->x);
            float sum = 0;
            for (uint32_t j = 0; j < 4; j++) {
                sum += down[j] * drainage_read(reading, cell[j * map->view.stride]);
            }
            column[k] = sum;
        }
        held = first;
        drainage_spline((float)(int32_t)(at - first * apart) * unit, across);
        to[i] = (across[0] * column[0] + across[1] * column[1]) +
                (across[2] * column[2] + across[3] * column[3]);
    }
}

/* to[i] += factor * the map at sample i of a run, if the caller gave the map. */
static void drainage_add_map(float *to, const terrain__coarse *map,
                             const struct drainage_reading *reading, const struct drainage_run *run,
                             float factor)
{
    float painted[DRAINAGE_SAMPLES];
    if (map->view.cells != NULL) {
        drainage_sample_map(painted, map, reading, run);
        for (uint32_t i = 0; i < run->count; i++) {
            to[i] += factor * painted[i];
        }
    }
}

static void drainage_fill_run(const struct drainage_fields *to,
                              const struct drainage_lattice *lattice,
                              const struct drainage_plan *plan, const struct drainage_run *run,
                              float *work)
{
    const struct drainage_reading control = {-4, 4, -0.25F, false, plan->control_scale};
    const struct drainage_reading uplift = {0, 64, 0, false, 1};
    const struct drainage_reading factor = {0x1p-6F, 0x1p6F, 1, true, 1};
    const struct drainage_reading ceiling = {-1e5F, 1e5F, 0, false, plan->ceiling_scale};
    float *rows[DRAINAGE_ROWS];
    for (uint32_t k = 0; k < DRAINAGE_ROWS; k++) {
        rows[k] = work + k * DRAINAGE_ROOM;
        memset(rows[k], 0, terrain__whole_lines(run->count) * sizeof(float));
    }
    for (uint32_t k = 0; k < DRAINAGE_NOISES; k++) {
        if (plan->noises[k].amplitude != 0) {
            drainage_add_noise(plan, &plan->noises[k], run, rows);
        }
    }
    drainage_add_plates(plan, lattice, run, rows);
    drainage_add_map(rows[DRAINAGE_CONTROL], &plan->control, &control, run, 1);
    if (plan->uplift.view.cells != NULL) {
        drainage_sample_map(rows[DRAINAGE_BELT], &plan->uplift, &uplift, run);
    }
    plan->fields->world(to, rows, &plan->world, run->count);
    drainage_add_map(to->hardness, &plan->hardness, &factor, run, 1);
    drainage_add_map(to->uplift, &plan->rain, &factor, run, -plan->law.concavity);
    if (plan->ceiling.view.cells != NULL) {
        drainage_sample_map(to->strata, &plan->ceiling, &ceiling, run);
    }
}

void terrain__drainage_lattice_begin(const struct drainage_lattice *lattice,
                                     const struct drainage_plan *plan)
{
    drainage_draw_plates(&lattice->grid, plan->plate_stream);
}

void terrain__drainage_lattice_fill(const struct drainage_lattice *lattice,
                                    const struct drainage_plan *plan, uint32_t row, uint32_t end,
                                    float *work)
{
    for (uint32_t j = row; j < end; j++) {
        for (uint32_t i = 0; i < lattice->width; i += DRAINAGE_SAMPLES) {
            const size_t k = j * lattice->stride + i;
            const struct drainage_fields to = {
                lattice->fields.control + k, lattice->fields.uplift + k,
                lattice->fields.hardness + k, lattice->fields.strata + k};
            const struct drainage_run run = {lattice->x + i, lattice->y + j, lattice->spacing,
                                             terrain__lesser(lattice->width - i, DRAINAGE_SAMPLES)};
            drainage_fill_run(&to, lattice, plan, &run, work);
        }
    }
}

/* Adds the octaves of one kind of noise to a row of cells: of control those that the lattice left
 * out, down to a period of two cells; of others those that it has. */
static void drainage_add_to_cells(const struct drainage_lattice *lattice,
                                  const struct drainage_plan *plan, uint32_t kind, float *sum,
                                  int64_t x, int64_t y, uint32_t count)
{
    for (uint32_t n = 0; n < DRAINAGE_NOISES; n++) {
        const struct drainage_noise *noise = &plan->noises[n];
        bool left_out = kind == DRAINAGE_CONTROL;
        uint32_t first = drainage_first_octave(plan, noise);
        uint32_t end = drainage_end_octave(noise, lattice->spacing);
        first = left_out && end > first ? end : first;
        end = left_out ? noise->octaves : end;
        for (uint32_t k = first;
             noise->row == kind && k < end && noise->period - k > lattice->level; k++) {
            drainage_add_octave(plan, noise, k, sum, (2 * (uint64_t)x + 1) << lattice->level,
                                (2 * (uint64_t)y + 1) << lattice->level,
                                (int32_t)(2u << lattice->level), count);
        }
    }
}

/* Coasts wind between samples, too: where control c is near 0, its shorter octaves are added to a
 * row of cells, times 2 - 100 |c|, within 0 and 1, and times as much as the lattice has of them. */
static void drainage_wind_coast(const struct drainage_lattice *lattice,
                                const struct drainage_plan *plan, float *control, int64_t x,
                                int64_t y, uint32_t width)
{
    for (uint32_t i = 0, run; i < width; i += run) {
        float detail[DRAINAGE_SAMPLES] = {0}, ragged[DRAINAGE_SAMPLES] = {0};
        float nearest = 1;
        run = width - i < DRAINAGE_SAMPLES ? width - i : DRAINAGE_SAMPLES;
        for (uint32_t k = i; k < i + run; k++) {
            float distance = terrain__absolutef(control[k]);
            nearest = distance < nearest ? distance : nearest;
        }
        if (100 * nearest >= 2) {
            continue;
        }
        drainage_add_to_cells(lattice, plan, DRAINAGE_CONTROL, detail, x + i, y, run);
        drainage_add_to_cells(lattice, plan, DRAINAGE_RAGGED, ragged, x + i, y, run);
        for (uint32_t k = 0; k < run; k++) {
            float c = control[i + k];
            float share = 2 - 100 * terrain__absolutef(c);
            share = share < 0 ? 0 : share > 1 ? 1 : share;
            control[i + k] = c + detail[k] * (share * drainage_ragged(ragged[k]));
        }
    }
}

void terrain__drainage_lattice_row(const struct drainage_lattice *lattice,
                                   const struct drainage_plan *plan, struct drainage_fields *rows,
                                   int64_t x, int64_t y, uint32_t width, uint32_t wanted,
                                   float *work)
{
    uint32_t mask = (1u << lattice->shift) - 1;
    uint32_t skip = (uint32_t)((uint64_t)x & mask);
    size_t column = (size_t)(terrain__floor_shift(x, lattice->shift) - lattice->x);
    size_t row = (size_t)(terrain__floor_shift(y, lattice->shift) - lattice->y);
    uint32_t samples = ((skip + width - 1) >> lattice->shift) + 2;
    float t = ((float)(int32_t)((uint64_t)y & mask) + 0.5F) / (float)(int32_t)(mask + 1);
    float *to[4] = {rows->control, rows->uplift, rows->hardness, rows->strata};
    const float *from[4] = {lattice->fields.control, lattice->fields.uplift,
                            lattice->fields.hardness, lattice->fields.strata};
    uint32_t first = (wanted & DRAINAGE_WANT_CONTROL) != 0 ? 0 : 1;
    uint32_t end = (wanted & DRAINAGE_WANT_ROCK) != 0 ? 4 : 1;
    for (uint32_t k = first; k < end; k++) {
        const float *upper = from[k] + row * lattice->stride + column;
        plan->fields->between(work, upper, upper + lattice->stride, t, samples);
        plan->fields->stretch(to[k], work, lattice->shift, samples - 1);
    }
    rows->control += skip;
    if ((wanted & DRAINAGE_WANT_CONTROL) != 0) {
        drainage_wind_coast(lattice, plan, rows->control, x, y, width);
    }
    rows->uplift += skip;
    rows->hardness += skip;
    rows->strata += skip;
}

void terrain__drainage_lattice_bed(const struct drainage_lattice *lattice, float *control,
                                   int64_t x, int64_t y, uint32_t width, float *work)
{
    const uint32_t cells = 1u << lattice->shift, mask = cells - 1;
    const float unit = 1 / (float)(int32_t)cells;
    const uint32_t skip = (uint32_t)((uint64_t)x & mask);
    const size_t column = (size_t)(terrain__floor_shift(x, lattice->shift) - lattice->x) - 1;
    const size_t row = (size_t)(terrain__floor_shift(y, lattice->shift) - lattice->y) - 1;
    const float *from = lattice->fields.control + row * lattice->stride + column;
    float w[4];
    drainage_spline(((float)(int32_t)((uint64_t)y & mask) + 0.5F) * unit, w);
    for (uint32_t i = 0; i < ((skip + width - 1) >> lattice->shift) + 4; i++) {
        const float *down = from + i;
        work[i] = (w[0] * down[0] + w[1] * down[lattice->stride]) +
                  (w[2] * down[2 * lattice->stride] + w[3] * down[3 * lattice->stride]);
    }
    for (uint32_t k = 0; k < cells; k++) {
        drainage_spline(((float)(int32_t)k + 0.5F) * unit, w);
        for (uint32_t i = k < skip ? cells + k - skip : k - skip; i < width; i += cells) {
            const float *across = work + ((skip + i) >> lattice->shift);
            control[i] =
                (w[0] * across[0] + w[1] * across[1]) + (w[2] * across[2] + w[3] * across[3]);
        }
    }
}

/* ---- Closed lakes ---------------------------------------------------------------------------- */

/* 12 bits as -1 to 1. */
static float drainage_signed(uint64_t bits)
{
    return (float)(int32_t)(bits & 0xFFF) * 0x1p-11F - 1;
}

/* Disc k lies at t = k / 12 - 1 along (u, v) / 2, bent aside by 0.3 bend (t^2 - 0.4), and up to 0.2
 * (1 - t^2 / 2) out of that line, by a random number of its own, as its radius. */
static void drainage_shape_lake(struct drainage_lake *lake, const struct drainage_plan *plan,
                                int64_t column, int64_t row)
{
    uint64_t bits = terrain__mix(terrain__mix(plan->lake_stream, (uint64_t)row), (uint64_t)column);
    float u = drainage_signed(bits), v = drainage_signed(bits >> 12);
    float bend = 0.3F * drainage_signed(bits >> 24);
    lake->bits = bits;
    lake->column = column;
    lake->row = row;
    for (uint32_t k = 0; k < DRAINAGE_DISCS; k++) {
        uint64_t own = terrain__mix(bits, k);
        float t = (float)((int32_t)k - 12) * (1 / 12.0F), square = t * t;
        float aside = bend * (square - 0.4F) + 0.2F * drainage_signed(own) * (1 - 0.5F * square);
        float size = drainage_signed(own >> 12);
        float radius = 0.05F + 0.1F * size * size;
        lake->x[k] = 0.5F * u * t - v * aside;
        lake->y[k] = 0.5F * v * t + u * aside;
        lake->inverse_square[k] = 1 / (radius * radius);
        lake->depth[k] = 0.4F * radius * radius;
    }
}

/* Moves (u, v) by value noise in a lake's cell, with 8 << octave nodes along a side, turned; x, y:
 * the place, 0 to 1. */
static void drainage_move_place(const struct drainage_lake *lake, uint32_t octave, float x, float y,
                                float *u, float *v)
{
    static const float turns[DRAINAGE_LAKE_OCTAVES][2] = {
        {0.8F, 0.6F}, {0.28F, 0.96F}, {0.96F, -0.28F}, {0.6F, -0.8F}, {0.96F, 0.28F}};
    const float a = turns[octave][0], b = turns[octave][1], nodes = (float)(int32_t)(8u << octave);
    const float along = (x * a + y * b + 1) * nodes, across = (y * a - x * b + 1) * nodes;
    const int32_t column = (int32_t)along, row = (int32_t)across; /* neither is below 0 */
    const float s = along - (float)column, t = across - (float)row;
    const float right = s * s * (3 - 2 * s), lower = t * t * (3 - 2 * t);
    const uint64_t stream = terrain__mix(lake->bits, DRAINAGE_DISCS + octave);
    for (int32_t j = 0; j < 2; j++) {
        const uint64_t bits = terrain__mix(stream, (uint64_t)(row + j));
        const uint64_t first = terrain__mix(bits, (uint64_t)column);
        const uint64_t second = terrain__mix(bits, (uint64_t)(column + 1));
        const float share = (j == 0 ? 1 - lower : lower) / nodes;
        *u += share * (drainage_signed(first) * (1 - right) + drainage_signed(second) * right);
        *v += share *
              (drainage_signed(first >> 12) * (1 - right) + drainage_signed(second >> 12) * right);
    }
}

/* A lake's control at a place of its cell, 0 to 1, on a level up to 3. Noise of as many octaves as
 * the level can show moves the place, since shores that are arcs look drawn. Above level 0 a point
 * that is nearer to the discs counts, or straight sides of its cells would be shores. */
static float drainage_lake_point(const struct drainage_lake *lake, float x, float y, uint32_t level)
{
    const float near = level > 0 ? 0.8F / (float)(int32_t)(512u >> level) : 0;
    float u = 2 * x - 1, v = 2 * y - 1, deep = 0, far = 1e9F;
    for (uint32_t k = 0; k < DRAINAGE_LAKE_OCTAVES && k + level < 6; k++) {
        drainage_move_place(lake, k, x, y, &u, &v);
    }
    for (uint32_t k = 0; k < DRAINAGE_DISCS; k++) {
        float dx = terrain__absolutef(u - lake->x[k]) - near;
        float dy = terrain__absolutef(v - lake->y[k]) - near;
        dx = dx > 0 ? dx : 0;
        dy = dy > 0 ? dy : 0;
        float out = (dx * dx + dy * dy) * lake->inverse_square[k] - 1;
        far = out < far ? out : far;
        deep += out < 0 ? out * out * lake->depth[k] : 0;
    }
    return far < 0 ? -0.0005F - deep : 0.01F * far;
}

/* Whether one of the side by side cells of level 3 from (x, y) on is lake; side: a power of 2. They
 * are looked at all over the square, since most squares that hold lake hold much of it. */
static bool drainage_has_lake_point(const struct drainage_lake *lake, uint32_t x, uint32_t y,
                                    uint32_t side)
{
    const float unit = 1 / (float)(int32_t)(1u << (DRAINAGE_TOP - 3));
    for (uint32_t k = 0; k < side * side; k++) {
        const uint32_t at = k * 40503 & (side * side - 1);
        const float u = ((float)(int32_t)(x + at % side) + 0.5F) * unit;
        const float v = ((float)(int32_t)(y + at / side) + 0.5F) * unit;
        if (drainage_lake_point(lake, u, v, 3) < 0) {
            return true;
        }
    }
    return false;
}

float terrain__drainage_lake_at(struct drainage_lake *lake, const struct drainage_plan *plan,
                                int64_t x, int64_t y, uint32_t level)
{
    const uint32_t shift = DRAINAGE_TOP - level, mask = (1u << shift) - 1;
    const int64_t column = terrain__floor_shift(x, shift), row = terrain__floor_shift(y, shift);
    const uint32_t i = (uint32_t)x & mask, j = (uint32_t)y & mask;
    if (lake->column != column || lake->row != row) {
        drainage_shape_lake(lake, plan, column, row);
    }
    if (level > 3) { /* where a coarse cell is lake, a child is; of middling depth */
        const uint32_t side = 1u << (level - 3);
        return drainage_has_lake_point(lake, i * side, j * side, side) ? -0.004F : 1;
    }
    const float unit = 1 / (float)(int32_t)(1u << shift);
    return drainage_lake_point(lake, ((float)(int32_t)i + 0.5F) * unit,
                               ((float)(int32_t)j + 0.5F) * unit, level);
}
