/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The fields that generate_drainage is made from, at any place of the world: control (below 0 lies
 * the sea), uplift over erodibility, hardness, and the height from which strata are counted.
 *
 * They are smooth, so a level samples them on a lattice of 8 cells, from level 3 on of 2 cells of
 * the level, and goes straight between samples. Octaves shorter than two spacings are left out:
 * their mean is 0. Everything about fields is in this file, so that maps of the user's can take
 * the noise's place here. */

#include <string.h>

#include "base/math.h"
#include "generate/drainage.h"
#include "vector/random.h"

/* Octaves' lattices are turned and scaled by whole numbers, so that places stay exact: to
 * (x a + y b, y a - x b), where sqrt(a^2 + b^2) is 5 or sqrt 5 and the lattice's spacing is larger by
 * 4 or 2. */
static const struct {
    int32_t a, b;
    uint32_t shift;
} drainage_turns[4] = {{4, 3, 2}, {1, 2, 1}, {2, -1, 1}, {3, -4, 2}};

static int64_t drainage_floor_shift(int64_t value, uint32_t shift)
{
    return value >= 0 ? value >> shift : ~(~value >> shift);
}

void terrain__drainage_lattice_place(struct drainage_lattice *lattice, uint32_t level, int64_t x,
                                     int64_t y, uint32_t width, uint32_t height)
{
    lattice->level = level;
    lattice->spacing = level + 1 > 3 ? level + 1 : 3;
    lattice->shift = lattice->spacing - level;
    lattice->x = drainage_floor_shift(x, lattice->shift);
    lattice->y = drainage_floor_shift(y, lattice->shift);
    lattice->width =
        (uint32_t)(drainage_floor_shift(x + width - 1, lattice->shift) + 2 - lattice->x);
    lattice->height =
        (uint32_t)(drainage_floor_shift(y + height - 1, lattice->shift) + 2 - lattice->y);
    lattice->stride = (lattice->width + 15) / 16 * 16 + 16;
}

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

/* The octaves that the lattice can show. x, y: the first sample, in spacings. */
static void drainage_add_noise(const struct drainage_plan *plan, const struct drainage_noise *noise,
                               float *sum, int64_t x, int64_t y, uint32_t spacing, uint32_t count)
{
    for (uint32_t k = 0; k < noise->octaves && noise->period - k > spacing; k++) {
        drainage_add_octave(plan, noise, k, sum, (uint64_t)x << (spacing + 1),
                            (uint64_t)y << (spacing + 1), (int32_t)(1u << (spacing + 1)), count);
    }
}

/* The plates around one square of their lattice; x, y: the first sample in it. */
static void drainage_set_plates(struct drainage_plates *plates, const struct drainage_plan *plan,
                                int64_t x, int64_t y, uint32_t spacing)
{
    uint32_t shift = plan->plate_period - spacing;
    int64_t column = drainage_floor_shift(x, shift);
    int64_t row = drainage_floor_shift(y, shift);
    float unit = 1 / (float)(int32_t)(1u << shift);
    for (int32_t k = 0; k < DRAINAGE_PLATES; k++) {
        int32_t i = k % 5 - 2, j = k / 5 - 2;
        uint64_t bits = terrain__mix(terrain__mix(plan->plate_stream, (uint64_t)(row + j)),
                                     (uint64_t)(column + i));
        float u = (float)(int32_t)(bits & 0xFFF) * 0x1p-12F;
        float v = (float)(int32_t)(bits >> 12 & 0xFFF) * 0x1p-12F;
        double angle = (double)(bits >> 24 & 0xFFF) * (TERRAIN__PI / 2048) - TERRAIN__PI;
        double speed = 0.5 + 0.5 * ((double)(bits >> 36 & 0xFF) / 255);
        plates->x[k] = (float)i + 0.1F + 0.8F * u;
        plates->y[k] = (float)j + 0.1F + 0.8F * v;
        plates->east[k] = (float)(speed * terrain__cos(angle));
        plates->south[k] = (float)(speed * terrain__sin(angle));
        plates->fold[k] = (float)(int32_t)(bits >> 44 & 0xFF) * (1 / 255.0F);
        plates->base[k] = (float)(int32_t)(bits >> 52 & 0xFF) * (1 / 255.0F) - 0.5F;
    }
    plates->first = (int32_t)(x - column * ((int64_t)1 << shift));
    plates->row = (float)(int32_t)(y - row * ((int64_t)1 << shift)) * unit;
    plates->step = unit;
    plates->sharpness = plan->plate_sharpness;
}

/* Samples x to x + count - 1 of row y, in one square of plates. */
static void drainage_fill_run(const struct drainage_fields *to, const struct drainage_plan *plan,
                              float *work, int64_t x, int64_t y, uint32_t spacing, uint32_t count)
{
    float *rows[DRAINAGE_ROWS];
    struct drainage_plates plates;
    for (uint32_t k = 0; k < DRAINAGE_ROWS; k++) {
        rows[k] = work + k * (DRAINAGE_SAMPLES + 64);
        memset(rows[k], 0, count * sizeof(float));
    }
    for (uint32_t k = 0; k < DRAINAGE_NOISES; k++) {
        if (plan->noises[k].amplitude != 0) {
            drainage_add_noise(plan, &plan->noises[k], rows[plan->noises[k].row], x, y, spacing,
                               count);
        }
    }
    drainage_set_plates(&plates, plan, x, y, spacing);
    plan->fields->plates(rows, &plates, count);
    plan->fields->world(to, rows, &plan->world, count);
}

void terrain__drainage_lattice_fill(const struct drainage_lattice *lattice,
                                    const struct drainage_plan *plan, float *work)
{
    uint32_t spacing = lattice->spacing;
    uint32_t shift = plan->plate_period - spacing;
    for (uint32_t j = 0; j < lattice->height; j++) {
        for (uint32_t i = 0, run; i < lattice->width; i += run) {
            int64_t x = lattice->x + i;
            int64_t square = drainage_floor_shift(x, shift);
            int64_t left = (square + 1) * ((int64_t)1 << shift) - x;
            size_t k = j * lattice->stride + i;
            struct drainage_fields to = {lattice->fields.control + k, lattice->fields.uplift + k,
                                         lattice->fields.hardness + k, lattice->fields.strata + k};
            run = lattice->width - i < DRAINAGE_SAMPLES ? lattice->width - i : DRAINAGE_SAMPLES;
            run = left < run ? (uint32_t)left : run;
            drainage_fill_run(&to, plan, work, x, lattice->y + j, spacing, run);
        }
    }
}

/* Coasts wind between samples, too: where control c is near 0, its shorter octaves, down to a period
 * of two cells, are added to a row of cells, times 2 - 100 |c|, within 0 and 1. */
static void drainage_wind_coast(const struct drainage_lattice *lattice,
                                const struct drainage_plan *plan, float *control, int64_t x,
                                int64_t y, uint32_t width)
{
    uint64_t half_y = (2 * (uint64_t)y + 1) << lattice->level;
    for (uint32_t i = 0, run; i < width; i += run) {
        float detail[DRAINAGE_SAMPLES] = {0};
        float nearest = 1;
        run = width - i < DRAINAGE_SAMPLES ? width - i : DRAINAGE_SAMPLES;
        for (uint32_t k = i; k < i + run; k++) {
            float distance = control[k] < 0 ? -control[k] : control[k];
            nearest = distance < nearest ? distance : nearest;
        }
        if (100 * nearest >= 2) {
            continue;
        }
        for (uint32_t n = 0; n < DRAINAGE_NOISES; n++) {
            const struct drainage_noise *noise = &plan->noises[n];
            uint32_t fine = noise->period - lattice->spacing;
            for (uint32_t k = fine; noise->row == DRAINAGE_CONTROL && k < noise->octaves &&
                                    noise->period - k > lattice->level;
                 k++) {
                drainage_add_octave(plan, noise, k, detail,
                                    (2 * (uint64_t)(x + i) + 1) << lattice->level, half_y,
                                    (int32_t)(2u << lattice->level), run);
            }
        }
        for (uint32_t k = 0; k < run; k++) {
            float c = control[i + k];
            float share = 2 - 100 * (c < 0 ? -c : c);
            share = share < 0 ? 0 : share > 1 ? 1 : share;
            control[i + k] = c + detail[k] * share;
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
    size_t column = (size_t)(drainage_floor_shift(x, lattice->shift) - lattice->x);
    size_t row = (size_t)(drainage_floor_shift(y, lattice->shift) - lattice->y);
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

/* ---- Closed lakes ----------------------------------------------------------------------------- */

/* 12 bits as -1 to 1. */
static float drainage_signed(uint64_t bits)
{
    return (float)(int32_t)(bits & 0xFFF) * 0x1p-11F - 1;
}

/* Disc k lies at t = k / 12 - 1 along (u, v) / 2, bent aside by 0.3 bend (t^2 - 0.4), and up to 0.2 (1 -
 * t^2 / 2) out of that line, by a random number of its own, as its radius. */
static void drainage_shape_lake(struct drainage_lake *lake, const struct drainage_plan *plan,
                                int64_t column, int64_t row)
{
    uint64_t bits = terrain__mix(terrain__mix(plan->lake_stream, (uint64_t)row), (uint64_t)column);
    float u = drainage_signed(bits), v = drainage_signed(bits >> 12);
    float bend = 0.3F * drainage_signed(bits >> 24);
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

float terrain__drainage_lake_at(struct drainage_lake *lake, const struct drainage_plan *plan,
                                int64_t x, int64_t y, uint32_t level)
{
    uint32_t shift = DRAINAGE_TOP - level;
    int64_t column = drainage_floor_shift(x, shift), row = drainage_floor_shift(y, shift);
    if (lake->column != column || lake->row != row) {
        drainage_shape_lake(lake, plan, column, row);
    }
    int64_t mask = ((int64_t)1 << shift) - 1;
    float unit = 2 / (float)(int32_t)(1u << shift);
    float u = ((float)(int32_t)(x & mask) + 0.5F) * unit - 1;
    float v = ((float)(int32_t)(y & mask) + 0.5F) * unit - 1;
    float near = level > 0 ? 0.5F * unit : 0;
    float deep = 0, far = 1e9F;
    for (uint32_t k = 0; k < DRAINAGE_DISCS; k++) {
        float dx = u - lake->x[k], dy = v - lake->y[k];
        dx = (dx < 0 ? -dx : dx) - near;
        dy = (dy < 0 ? -dy : dy) - near;
        dx = dx > 0 ? dx : 0;
        dy = dy > 0 ? dy : 0;
        float out = (dx * dx + dy * dy) * lake->inverse_square[k] - 1;
        far = out < far ? out : far;
        deep += out < 0 ? out * out * lake->depth[k] : 0;
    }
    return far < 0 ? -0.0005F - deep : 0.01F * far;
}
