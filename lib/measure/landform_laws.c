/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The laws that rivers follow: how they get longer, and flatter, as their catchments grow. Sums of
 * the first are taken in the order of the filled surface, from the rim inwards: cells are sorted by
 * their levels, the lower digits first (H. H. Seward, 1954), so that equal ones stay in rows. */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "base/memory.h"
#include "measure/landform_parts.h"
#include "vector/random.h"

enum { LAWS_CLASSES = 11, LAWS_LEAST_CELLS = 20, LAWS_DIGIT = 11, LAWS_DIGITS = 6 };

#define LAWS_LEAST_SLOPE 1e-4

/* The cells with large areas, row by row. Their areas and lengths are in draining->drained. */
struct laws {
    const terrain__draining *draining;
    size_t count;
    uint64_t *keys; /* of their levels, in the same order */
    double *slopes; /* logarithms; NaN where the cell does not count */
};

/* ---- Lines ----------------------------------------------------------------------------------- */

/* y = slope * x + …, by least squares. */
struct laws_line {
    double count, x, y, xx, xy;
};

static void laws_add(struct laws_line *line, double x, double y)
{
    line->count += 1;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

/* NaN if all x are one. */
static double laws_slope(const struct laws_line *line)
{
    const double spread = line->count * line->xx - line->x * line->x;
    return spread > 0 ? (line->count * line->xy - line->x * line->y) / spread : (double)NAN;
}

/* ---- Finding the cells ----------------------------------------------------------------------- */

/* Keys in the levels' order. -0 is no level of its own. */
static uint64_t laws_key(double level)
{
    uint64_t bits;
    level += 0.0;
    memcpy(&bits, &level, sizeof bits);
    return (bits & UINT64_C(1) << 63) != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

/* The logarithm of the filled surface's slope, NaN where it is no river's. */
static double laws_log_slope(const terrain__draining *draining, size_t cell)
{
    const uint32_t way = draining->ways[cell];
    if (20.0 * draining->drained[cell].flow.area >= (double)draining->count ||
        way == TERRAIN__DRAINED_OUT) {
        return (double)NAN;
    }
    const double *here = draining->filled + cell;
    const double slope = (*here - here[draining->steps[way]]) / terrain__draining_lengths[way];
    return slope > LAWS_LEAST_SLOPE ? terrain__log(slope) : (double)NAN;
}

static terrain_status laws_find(struct laws *laws)
{
    const terrain__draining *draining = laws->draining;
    const uint32_t width = draining->ground->width, height = draining->ground->height;
    for (uint32_t y = 0; y < height; y++) {
        const size_t first = (size_t)y * width;
        for (size_t cell = first; cell < first + width; cell++) {
            const terrain__drained here = draining->drained[cell];
            if (here.flow.area > TERRAIN__DRAINED_LEAST) {
                terrain__drained *found = &draining->drained[laws->count]; /* cell or before it */
                laws->keys[laws->count] = laws_key(draining->filled[cell]);
                laws->slopes[laws->count++] = laws_log_slope(draining, cell);
                found->logarithm.area = terrain__log(here.flow.area);
                found->logarithm.length = terrain__log(here.flow.length);
            }
        }
        terrain_status status = terrain__ground_poll_row(draining->ground, y, height, 0.9, 0.04);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Concavity ------------------------------------------------------------------------------- */

/* C. A. R. Hoare: Algorithm 65, Find, 1961: the value that index n has once they are sorted from
 * the lowest to the highest, and none after it is lower. Pivots are drawn, so that no order is a
 * bad one. */
static double laws_select(double *values, size_t count, size_t n)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1;
    while (low < high) {
        const uint64_t draw = terrain__mix((uint64_t)low, (uint64_t)high);
        const double pivot = values[low + (ptrdiff_t)(draw % (uint64_t)(high - low + 1))];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) {
                i++;
            }
            while (pivot < values[j]) {
                j--;
            }
            if (i <= j) {
                const double moved = values[i];
                values[i++] = values[j];
                values[j--] = moved;
            }
        }
        low = j < (ptrdiff_t)n ? i : low;
        high = i > (ptrdiff_t)n ? j : high;
    }
    return values[n];
}

static double laws_median(double *values, size_t count)
{
    const double lower = laws_select(values, count, (count - 1) / 2);
    double upper = count % 2 == 0 ? (double)INFINITY : lower;
    for (size_t i = count / 2; i < count && count % 2 == 0; i++) {
        upper = values[i] < upper ? values[i] : upper;
    }
    return 0.5 * (lower + upper);
}

/* The classes begin at bounds[0] to bounds[LAWS_CLASSES - 1]; cells at or above the last bound are
 * in none, as those below the first. */
static uint32_t laws_class_of(const double *bounds, double area)
{
    uint32_t found = 0;
    for (int k = 0; k <= LAWS_CLASSES; k++) {
        found += bounds[k] <= area;
    }
    return found;
}

/* Equal widths of the range of the areas that count. */
static void laws_find_bounds(const struct laws *laws, double *bounds)
{
    const terrain__drained *cells = laws->draining->drained;
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t i = 0; i < laws->count; i++) {
        if (laws->slopes[i] == laws->slopes[i]) {
            const double area = cells[i].logarithm.area;
            low = area < low ? area : low;
            high = area > high ? area : high;
        }
    }
    for (int k = 0; k <= LAWS_CLASSES; k++) {
        bounds[k] = low + (high - low) * k / LAWS_CLASSES;
    }
}

/* `slopes` gets those of each class after those of the class before. */
static terrain_status laws_concavity(const struct laws *laws, double *slopes, double *concavity)
{
    const terrain__drained *cells = laws->draining->drained;
    double bounds[LAWS_CLASSES + 1];
    size_t ends[LAWS_CLASSES + 3] = {0}; /* of those below the first, of each class, of the rest */
    struct laws_line line = {0, 0, 0, 0, 0};
    laws_find_bounds(laws, bounds);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < laws->count; i++) {
            if (laws->slopes[i] == laws->slopes[i]) {
                size_t *end = &ends[laws_class_of(bounds, cells[i].logarithm.area) + (pass == 0)];
                if (pass == 1) {
                    slopes[*end] = laws->slopes[i];
                }
                ++*end;
            }
        }
        for (int k = 1; k < LAWS_CLASSES + 3 && pass == 0; k++) {
            ends[k] += ends[k - 1]; /* until the second pass: where the class begins */
        }
    }
    for (int k = 0; k < LAWS_CLASSES; k++) {
        const size_t members = ends[k + 1] - ends[k];
        terrain_status status =
            terrain__ground_poll(laws->draining->ground, 0.94 + 0.03 * k / LAWS_CLASSES);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        if (members > LAWS_LEAST_CELLS) {
            laws_add(&line, 0.5 * (bounds[k] + bounds[k + 1]),
                     laws_median(slopes + ends[k], members));
        }
    }
    *concavity = line.count > 3 ? 0 - laws_slope(&line) : (double)NAN;
    return TERRAIN_SUCCESS;
}

/* ---- Hack's law ------------------------------------------------------------------------------ */

/* How many keys have each value of each digit. */
typedef uint32_t laws_counts[LAWS_DIGITS][1 << LAWS_DIGIT];

static uint32_t laws_digit(uint64_t key, int digit)
{
    return (uint32_t)(key >> digit * LAWS_DIGIT) & ((1u << LAWS_DIGIT) - 1);
}

static void laws_count_digits(const uint64_t *keys, size_t count, laws_counts counts)
{
    memset(counts, 0, sizeof(laws_counts));
    for (size_t i = 0; i < count; i++) {
        for (int digit = 0; digit < LAWS_DIGITS; digit++) {
            counts[digit][laws_digit(keys[i], digit)]++;
        }
    }
}

/* Keys and the numbers of their cells, which are sorted from one place to another and back. */
struct laws_sorted {
    uint64_t *keys;
    uint32_t *cells;
};

static void laws_sort_digit(const struct laws_sorted *from, const struct laws_sorted *to,
                            size_t count, int digit, uint32_t *counts)
{
    uint32_t begin = 0;
    for (uint32_t k = 0; k < 1u << LAWS_DIGIT; k++) {
        const uint32_t members = counts[k];
        counts[k] = begin;
        begin += members;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t place = counts[laws_digit(from->keys[i], digit)]++;
        to->keys[place] = from->keys[i];
        to->cells[place] = from->cells[i];
    }
}

/* `keys` and `numbers` have room for as many keys and twice as many numbers. */
static terrain_status laws_hack(const struct laws *laws, uint64_t *keys, uint32_t *numbers,
                                laws_counts counts, double *hack)
{
    const terrain__drained *cells = laws->draining->drained;
    const struct laws_sorted places[2] = {{laws->keys, numbers}, {keys, numbers + laws->count}};
    struct laws_line line = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < laws->count; i++) {
        numbers[i] = (uint32_t)i;
    }
    laws_count_digits(laws->keys, laws->count, counts);
    for (int digit = 0; digit < LAWS_DIGITS; digit++) {
        terrain_status status =
            terrain__ground_poll(laws->draining->ground, 0.97 + 0.03 * digit / LAWS_DIGITS);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        laws_sort_digit(&places[digit % 2], &places[1 - digit % 2], laws->count, digit,
                        counts[digit]);
    }
    _Static_assert(LAWS_DIGITS % 2 == 0 && LAWS_DIGITS * LAWS_DIGIT >= 64, "back in `numbers`");
    for (size_t i = 0; i < laws->count; i++) {
        laws_add(&line, cells[numbers[i]].logarithm.area, cells[numbers[i]].logarithm.length);
    }
    *hack = line.count > TERRAIN__DRAINED_LEAST ? laws_slope(&line) : (double)NAN;
    return TERRAIN_SUCCESS;
}

/* ---- All of it ------------------------------------------------------------------------------- */

terrain_status terrain__landform_laws(const terrain__draining *draining, terrain_landform *land)
{
    terrain__arena *arena = draining->ground->arena;
    struct laws laws = {draining, 0, NULL, NULL};
    laws.keys = terrain__arena_take(arena, draining->large * sizeof *laws.keys);
    laws.slopes = terrain__arena_take(arena, draining->large * sizeof *laws.slopes);
    uint32_t(*counts)[1 << LAWS_DIGIT] = terrain__arena_take(arena, sizeof(laws_counts));
    if (laws.keys == NULL || laws.slopes == NULL || counts == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    terrain_status status = laws_find(&laws);
    if (status == TERRAIN_SUCCESS) {
        status = laws_concavity(&laws, draining->filled, &land->concavity);
    }
    if (status == TERRAIN_SUCCESS) {
        status = laws_hack(&laws, (uint64_t *)(void *)draining->filled,
                           (uint32_t *)(void *)laws.slopes, counts, &land->hack);
    }
    return status;
}
