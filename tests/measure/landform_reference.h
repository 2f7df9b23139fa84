/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The figures of land in the plainest way: one heap for all cells, sorting for all percentiles, one
 * line of sight, and one number of a transform, after the other. What the library computes must
 * have the same bits. */

#ifndef TEST_MEASURE_LANDFORM_REFERENCE_H
#define TEST_MEASURE_LANDFORM_REFERENCE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "terrain/heightmap.h"
#include "terrain/landform.h"

/* Heights divided by the cell size, NaN where they are not finite. */
struct reference_ground {
    double *heights;
    uint32_t width, height;
};

static void *reference_take(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static int reference_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that index n has once they are sorted, which they are afterwards. */
static double reference_select(double *values, size_t count, size_t n)
{
    qsort(values, count, sizeof *values, reference_compare);
    return values[n];
}

/* y = slope * x + ..., by least squares. */
struct reference_line {
    double count, x, y, xx, xy;
};

static void reference_line_add(struct reference_line *line, double x, double y)
{
    line->count += 1;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static double reference_line_slope(const struct reference_line *line)
{
    const double spread = line->count * line->xx - line->x * line->x;
    return spread > 0 ? (line->count * line->xy - line->x * line->y) / spread : (double)NAN;
}

/* ---- Skewness -------------------------------------------------------------------------------- */

enum { SKEWNESS_RIM = 3 };

/* NaN if one of the five is. */
static double skewness_laplacian(const struct reference_ground *ground, uint32_t x, uint32_t y)
{
    const double *h = ground->heights + (size_t)y * ground->width + x;
    const size_t width = ground->width;
    return (h[-(ptrdiff_t)width] + h[width]) + (h[-1] + h[1]) - 4 * h[0];
}

/* Sums of three passes: the mean, the deviation, the third power of what is left. */
static double landform_skewness(const struct reference_ground *ground)
{
    double mean = 0, deviation = 0, result = (double)NAN;
    for (int pass = 0; pass < 3; pass++) {
        double sum = 0, count = 0;
        for (uint32_t y = SKEWNESS_RIM; y + SKEWNESS_RIM < ground->height; y++) {
            for (uint32_t x = SKEWNESS_RIM; x + SKEWNESS_RIM < ground->width; x++) {
                double value = skewness_laplacian(ground, x, y);
                if (value != value) {
                    continue;
                }
                value -= mean;
                if (pass == 1) {
                    value *= value;
                } else if (pass == 2) {
                    value /= deviation;
                    value = value < -6 ? -6 : value > 6 ? 6 : value;
                    value *= value * value;
                }
                sum += value;
                count++;
            }
        }
        if (count == 0) {
            return (double)NAN;
        }
        if (pass == 0) {
            mean = sum / count;
        } else if (pass == 1) {
            deviation = terrain__sqrt(sum / count);
            deviation = deviation > 1e-12 ? deviation : 1e-12;
        } else {
            result = sum / count;
        }
    }
    return result;
}

/* ---- Landforms ------------------------------------------------------------------------------- */

/* J. Jasiewicz, T. F. Stepinski: Geomorphons, a pattern recognition approach to classification and
 * mapping of landforms, Geomorphology 182, 2013. Along each of eight lines of sight the ground is
 * higher, lower or level; the numbers of higher and of lower ones make the form. */

enum { FORMS_REACH = 20, FORMS_MOST = 8 };

/* tan 1 degree. */
#define FORMS_FLAT 0.017455064928217585

/* The form's number; rows: how many directions are lower, columns: how many are higher. */
static const char forms_table[FORMS_MOST + 1][FORMS_MOST + 2] = {
    "000778889", "007778882", "035566822", "335556222", "334552222",
    "224422222", "222222222", "222222222", "122222222"};

/* The shares of the forms in the Jacksboro map, in thousandths: flat, peak, ridge, shoulder, spur,
 * slope, hollow, footslope, valley, pit. */
static const double forms_land[TERRAIN_LANDFORM_COUNT] = {0, 42, 146, 1, 173, 298, 137, 3, 144, 56};

/* For each cell of a row: the highest and the lowest slope along a line of sight, and how many
 * lines are higher and lower. */
struct forms_row {
    double *up, *down;
    unsigned char *higher, *lower;
};

/* Looks along one line of sight from each cell of a row. */
static void forms_look(const struct reference_ground *ground, uint32_t y, int dx, int dy,
                       double scale, const struct forms_row *row)
{
    const ptrdiff_t step = dy * (ptrdiff_t)ground->width + dx;
    const double unit = dx != 0 && dy != 0 ? 1.4142135623730951 : 1;
    const int reach = (int)(FORMS_REACH / unit);
    const uint32_t count = ground->width - 2 * FORMS_REACH;
    const double *centre = ground->heights + (size_t)y * ground->width + FORMS_REACH;
    for (uint32_t x = 0; x < count; x++) {
        row->up[x] = (double)-INFINITY;
        row->down[x] = (double)INFINITY;
    }
    for (int k = 1; k <= reach; k++) {
        const double *far = centre + k * step;
        const double factor = scale / (k * unit);
        for (uint32_t x = 0; x < count; x++) {
            const double slope = (far[x] - centre[x]) * factor; /* NaN changes nothing */
            row->up[x] = slope > row->up[x] ? slope : row->up[x];
            row->down[x] = slope < row->down[x] ? slope : row->down[x];
        }
    }
    for (uint32_t x = 0; x < count; x++) {
        /* arctan a + arctan b > t, without an arctan: a + b > tan t (1 - a b), while t less the
         * lower angle is below a right one. */
        const double a = row->up[x], b = row->down[x];
        const double least = FORMS_FLAT * (1 - a * b);
        row->higher[x] += (1 + b * FORMS_FLAT > 0) & (a + b > least);
        row->lower[x] += (1 - a * FORMS_FLAT > 0) & (0 - (a + b) > least);
    }
}

/* The factor that makes the mean slope 0.4, from differences across two cells, or one at the
 * rim. */
static double forms_scale(const struct reference_ground *ground)
{
    const uint32_t width = ground->width, height = ground->height;
    double sum = 0, count = 0;
    for (uint32_t y = 0; y < height; y++) {
        const uint32_t north = y > 0 ? y - 1 : 0, south = y + 1 < height ? y + 1 : y;
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t west = x > 0 ? x - 1 : 0, east = x + 1 < width ? x + 1 : x;
            const double *row = ground->heights + (size_t)y * width;
            const double gx = (row[east] - row[west]) / (east - west);
            const double gy = (ground->heights[(size_t)south * width + x] -
                               ground->heights[(size_t)north * width + x]) /
                              (south - north);
            const double slope = terrain__sqrt(gx * gx + gy * gy);
            if (slope == slope) {
                sum += slope;
                count++;
            }
        }
    }
    const double mean = count > 0 ? sum / count : 0;
    return 0.4 / (mean > 1e-12 ? mean : 1e-12);
}

static double forms_log2(double value)
{
    return terrain__log(value) / TERRAIN__LN2;
}

/* The root of the divergence of Jensen and Shannon, whose logarithms are to the base of 2. */
static double forms_distance(const double *forms)
{
    double sum = 0;
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        const double p = forms[i], q = forms_land[i] / 1000, middle = 0.5 * (p + q);
        sum += p > 0 ? p * forms_log2(p / middle) : 0;
        sum += q > 0 ? q * forms_log2(q / middle) : 0;
    }
    return terrain__sqrt(sum > 0 ? 0.5 * sum : 0);
}

static void reference_forms(const struct reference_ground *ground, terrain_landform *land)
{
    static const signed char ways[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                           {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const uint32_t width = ground->width, height = ground->height;
    uint64_t counts[TERRAIN_LANDFORM_COUNT] = {0}, all = 0;
    struct forms_row row;
    land->forms_distance = (double)NAN;
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        land->forms[i] = (double)NAN;
    }
    if (width <= 2 * FORMS_REACH || height <= 2 * FORMS_REACH) {
        return;
    }
    row.up = reference_take(width * sizeof *row.up);
    row.down = reference_take(width * sizeof *row.down);
    row.higher = reference_take(2 * (size_t)width);
    row.lower = row.higher + width;
    double scale = forms_scale(ground);
    for (uint32_t y = FORMS_REACH; y < height - FORMS_REACH; y++) {
        memset(row.higher, 0, 2 * (size_t)width);
        for (int i = 0; i < 8; i++) {
            forms_look(ground, y, ways[i][0], ways[i][1], scale, &row);
        }
        for (uint32_t x = 0; x < width - 2 * FORMS_REACH; x++) {
            const double centre = ground->heights[(size_t)y * width + x + FORMS_REACH];
            if (centre == centre) {
                counts[forms_table[row.lower[x]][row.higher[x]] - '0']++;
                all++;
            }
        }
    }
    if (all > 0) {
        for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
            land->forms[i] = (double)counts[i] / (double)all;
        }
        land->forms_distance = forms_distance(land->forms);
    }
    free(row.up);
    free(row.down);
    free(row.higher);
}

/* ---- Axis ------------------------------------------------------------------------------------ */

enum { AXIS_LEAST = 64, AXIS_MOST = 4096 };

/* tan 5 and tan 40 degrees: between them from an axis, a direction is far from all of them. */
#define AXIS_TAN_5 0.08748866352592401
#define AXIS_TAN_40 0.8390996311772800

typedef struct axis_number {
    double re, im;
} axis_number;

struct axis {
    uint32_t size;     /* of the square */
    uint32_t padded;   /* a power of two, 2 * size - 1 at least */
    uint32_t kept;     /* frequencies along x that are looked at: 0 to kept - 1 */
    axis_number *turn; /* exp(-2 pi i k / padded), half of them */
    axis_number *chirp, *kernel, *line;
    axis_number *rows; /* size rows of kept frequencies */
    double *window;
};

static axis_number axis_times(axis_number a, axis_number b)
{
    const axis_number product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return product;
}

/* In place; of `padded` numbers. */
static void axis_transform(const struct axis *axis, axis_number *values)
{
    const uint32_t size = axis->padded;
    for (uint32_t i = 1, k = 0; i < size; i++) {
        uint32_t bit = size / 2;
        for (; (k & bit) != 0; bit /= 2) {
            k ^= bit;
        }
        k ^= bit;
        if (i < k) {
            const axis_number kept = values[i];
            values[i] = values[k];
            values[k] = kept;
        }
    }
    for (uint32_t half = 1; half < size; half *= 2) {
        const uint32_t step = size / (2 * half);
        for (uint32_t begin = 0; begin < size; begin += 2 * half) {
            for (uint32_t j = 0; j < half; j++) {
                axis_number *a = values + begin + j, *b = a + half;
                const axis_number turned = axis_times(*b, axis->turn[j * step]);
                b->re = a->re - turned.re;
                b->im = a->im - turned.im;
                a->re += turned.re;
                a->im += turned.im;
            }
        }
    }
}

/* The transform of the line's first `size` numbers, in place. */
static void axis_transform_line(const struct axis *axis)
{
    axis_number *line = axis->line;
    const double scale = 1.0 / axis->padded;
    for (uint32_t j = 0; j < axis->size; j++) {
        line[j] = axis_times(line[j], axis->chirp[j]);
    }
    memset(line + axis->size, 0, (axis->padded - axis->size) * sizeof *line);
    axis_transform(axis, line);
    for (uint32_t j = 0; j < axis->padded; j++) {
        /* The conjugate, so that the same transform leads back. */
        const axis_number product = axis_times(line[j], axis->kernel[j]);
        line[j].re = product.re;
        line[j].im = 0 - product.im;
    }
    axis_transform(axis, line);
    for (uint32_t k = 0; k < axis->size; k++) {
        const axis_number back = {line[k].re * scale, 0 - line[k].im * scale};
        line[k] = axis_times(back, axis->chirp[k]);
    }
}

static axis_number axis_turn(uint64_t numerator, uint64_t denominator)
{
    const double angle = -2 * TERRAIN__PI * (double)numerator / (double)denominator;
    const axis_number turn = {terrain__cos(angle), terrain__sin(angle)};
    return turn;
}

static void axis_make_tables(struct axis *axis)
{
    const uint64_t size = axis->size;
    for (uint32_t k = 0; k < axis->padded / 2; k++) {
        axis->turn[k] = axis_turn(k, axis->padded);
    }
    memset(axis->kernel, 0, axis->padded * sizeof *axis->kernel);
    for (uint32_t j = 0; j < size; j++) {
        /* exp(-pi i j^2 / size), whose angle repeats after 2 size. */
        const axis_number turn = axis_turn((uint64_t)j * j % (2 * size), 2 * size);
        axis->chirp[j] = turn;
        axis->kernel[j].re = axis->kernel[(axis->padded - j) % axis->padded].re = turn.re;
        axis->kernel[j].im = axis->kernel[(axis->padded - j) % axis->padded].im = 0 - turn.im;
        axis->window[j] = 0.5 - 0.5 * terrain__cos(2 * TERRAIN__PI * j / (double)(size - 1));
    }
    axis_transform(axis, axis->kernel);
}

/* The square's mean plane: height in the middle, slope along x and along y. Cells without a height
 * lie in it. */
struct axis_plane {
    double middle, x, y;
};

static double axis_height(const struct reference_ground *ground, uint32_t x, uint32_t y,
                          double none)
{
    const double height = ground->heights[(size_t)y * ground->width + x];
    return height == height ? height : none;
}

static struct axis_plane axis_find_plane(const struct reference_ground *ground, uint32_t size)
{
    const double half = (size - 1) / 2.0, n = size;
    struct axis_plane plane = {0, 0, 0};
    double sum = 0, count = 0, squares = 0, mean;
    for (uint32_t i = 0; i < size; i++) {
        squares += (i - half) * (i - half);
        for (uint32_t x = 0; x < size; x++) {
            const double height = ground->heights[(size_t)i * ground->width + x];
            sum += height == height ? height : 0;
            count += height == height;
        }
    }
    mean = count > 0 ? sum / count : 0;
    for (uint32_t y = 0; y < size; y++) {
        for (uint32_t x = 0; x < size; x++) {
            const double height = axis_height(ground, x, y, mean) - mean;
            plane.x += height * (x - half);
            plane.y += height * (y - half);
        }
    }
    plane.middle = mean;
    plane.x /= squares * n;
    plane.y /= squares * n;
    return plane;
}

/* Rows first; only their low frequencies are kept; then each of these down the columns. */
static void axis_make_spectrum(const struct reference_ground *ground, const struct axis *axis)
{
    const uint32_t size = axis->size;
    const double half = (size - 1) / 2.0;
    const struct axis_plane plane = axis_find_plane(ground, size);
    for (uint32_t y = 0; y < size; y++) {
        for (uint32_t x = 0; x < size; x++) {
            const double lies = plane.middle + plane.x * (x - half) + plane.y * (y - half);
            const double height = axis_height(ground, x, y, lies) - lies;
            axis->line[x].re = height * axis->window[y] * axis->window[x];
            axis->line[x].im = 0;
        }
        axis_transform_line(axis);
        memcpy(axis->rows + (size_t)y * axis->kept, axis->line, axis->kept * sizeof *axis->rows);
    }
    for (uint32_t k = 0; k < axis->kept; k++) {
        for (uint32_t y = 0; y < size; y++) {
            axis->line[y] = axis->rows[(size_t)y * axis->kept + k];
        }
        axis_transform_line(axis);
        for (uint32_t y = 0; y < size; y++) {
            axis->rows[(size_t)y * axis->kept + k] = axis->line[y];
        }
    }
}

/* ---- Directions ------------------------------------------------------------------------------ */

/* A frequency of the half plane, whose other half mirrors it. */
struct axis_wave {
    double energy;
    double radius;
    uint32_t ring;
    bool near;
};

/* False for those that the other half has. */
static bool axis_wave_of(const struct axis *axis, uint32_t k, uint32_t row, struct axis_wave *wave)
{
    const axis_number value = axis->rows[(size_t)row * axis->kept + k];
    const double x = k;
    const double y = row < axis->size / 2 ? row : (double)row - axis->size;
    const double up = y < 0 ? -y : y;
    const double more = x > up ? x : up, less = x > up ? up : x;
    wave->energy = value.re * value.re + value.im * value.im;
    wave->radius = terrain__sqrt(x * x + y * y);
    wave->ring = (uint32_t)(wave->radius + 0.5);
    wave->near = less < AXIS_TAN_5 * more || less > AXIS_TAN_40 * more;
    return k > 0 || y > 0;
}

static double axis_compare(const struct axis *axis, double *energies, double *counts)
{
    const uint32_t size = axis->size;
    double near = 0, near_count = 0, far = 0, far_count = 0;
    struct axis_wave wave;
    memset(energies, 0, 2 * (size_t)size * sizeof *energies);
    memset(counts, 0, 2 * (size_t)size * sizeof *counts);
    for (uint32_t row = 0; row < size; row++) {
        for (uint32_t k = 0; k < axis->kept; k++) {
            if (axis_wave_of(axis, k, row, &wave)) {
                energies[wave.ring] += wave.energy;
                counts[wave.ring]++;
            }
        }
    }
    for (uint32_t row = 0; row < size; row++) {
        for (uint32_t k = 0; k < axis->kept; k++) {
            if (axis_wave_of(axis, k, row, &wave) && 32 * wave.radius > size &&
                4 * wave.radius < size && energies[wave.ring] > 0) {
                const double share = wave.energy / (energies[wave.ring] / counts[wave.ring]);
                near += wave.near ? share : 0;
                near_count += wave.near;
                far += wave.near ? 0 : share;
                far_count += !wave.near;
            }
        }
    }
    return near_count > 0 && far > 0 ? near / near_count / (far / far_count) : (double)NAN;
}

static void reference_axis(const struct reference_ground *ground, terrain_landform *land)
{
    struct axis axis = {0};
    double *rings;
    axis.size = ground->width < ground->height ? ground->width : ground->height;
    axis.size = axis.size < AXIS_MOST ? axis.size / 2 * 2 : AXIS_MOST;
    land->axis = (double)NAN;
    if (axis.size < AXIS_LEAST) {
        return;
    }
    axis.kept = axis.size / 4 + 2;
    for (axis.padded = 1; axis.padded < 2 * axis.size - 1;) {
        axis.padded *= 2;
    }
    axis.turn = reference_take(axis.padded / 2 * sizeof *axis.turn);
    axis.chirp = reference_take(axis.size * sizeof *axis.chirp);
    axis.kernel = reference_take(axis.padded * sizeof *axis.kernel);
    axis.line = reference_take(axis.padded * sizeof *axis.line);
    axis.rows = reference_take((size_t)axis.size * axis.kept * sizeof *axis.rows);
    axis.window = reference_take(axis.size * sizeof *axis.window);
    rings = reference_take(4 * (size_t)axis.size * sizeof *rings);
    axis_make_tables(&axis);
    axis_make_spectrum(ground, &axis);
    land->axis = axis_compare(&axis, rings, rings + 2 * (size_t)axis.size);
    free(axis.turn);
    free(axis.chirp);
    free(axis.kernel);
    free(axis.line);
    free(axis.rows);
    free(axis.window);
    free(rings);
}

/* ---- Drainage -------------------------------------------------------------------------------- */

#define DRAINING_NONE UINT32_MAX

/* Flags of a cell. */
enum { DRAINING_SEEN = 1, DRAINING_BOWL = 2, DRAINING_BAD = 4 };

struct draining_entry {
    double level;
    uint32_t cell;
    uint32_t pad;
};

/* draining_concavity keeps two numbers of each cell there. */
_Static_assert(sizeof(struct draining_entry) >= 2 * sizeof(double), "the heap's entries");

struct draining {
    const struct reference_ground *ground;
    size_t cells;
    double *filled;
    uint32_t *order; /* from the rim inwards; count of them, those that have a height */
    size_t count;
    uint32_t *areas; /* cells upstream, itself included */
    uint32_t *free;  /* the upstream cells whose flow path crosses no bowl */
    double *lengths; /* of the longest path upstream */
    unsigned char *flags;
    struct draining_entry *heap; /* the lowest on top; reused when the map is filled */
    size_t heap_count;
    double relief;
};

static const double draining_steps[2] = {1, 1.4142135623730951};

/* The neighbours of a cell by rows, fewer at the rim. Returns their number. */
static uint32_t draining_around(const struct draining *d, uint32_t cell, uint32_t near[8],
                                double steps[8])
{
    const uint32_t width = d->ground->width, height = d->ground->height;
    const uint32_t x = cell % width, y = cell / width;
    uint32_t count = 0;
    for (int k = 0; k < 9; k++) {
        const uint32_t nx = x + (uint32_t)(k % 3 - 1), ny = y + (uint32_t)(k / 3 - 1);
        if (k != 4 && nx < width && ny < height) {
            near[count] = ny * width + nx;
            steps[count++] = draining_steps[k % 2 == 0];
        }
    }
    return count;
}

/* ---- Filling --------------------------------------------------------------------------------- */

static bool draining_is_before(const struct draining_entry *a, const struct draining_entry *b)
{
    return a->level < b->level || (a->level == b->level && a->cell < b->cell);
}

static void draining_push(struct draining *d, uint32_t cell, double level)
{
    const struct draining_entry entry = {level, cell, 0};
    size_t at = d->heap_count++;
    while (at > 0 && draining_is_before(&entry, &d->heap[(at - 1) / 2])) {
        d->heap[at] = d->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    d->heap[at] = entry;
    d->filled[cell] = level;
    d->flags[cell] |= DRAINING_SEEN;
}

static struct draining_entry draining_pop(struct draining *d)
{
    const struct draining_entry first = d->heap[0], last = d->heap[--d->heap_count];
    size_t at = 0;
    for (size_t next = 1; next < d->heap_count; next = 2 * at + 1) {
        next += next + 1 < d->heap_count && draining_is_before(&d->heap[next + 1], &d->heap[next]);
        if (!draining_is_before(&d->heap[next], &last)) {
            break;
        }
        d->heap[at] = d->heap[next];
        at = next;
    }
    d->heap[at] = last;
    return first;
}

/* Whether water leaves the map at a cell, or beside it where there is no height. */
static bool draining_is_rim(const struct draining *d, uint32_t cell)
{
    uint32_t near[8];
    double steps[8];
    const uint32_t count = draining_around(d, cell, near, steps);
    for (uint32_t i = 0; i < count; i++) {
        if (d->ground->heights[near[i]] != d->ground->heights[near[i]]) {
            return true;
        }
    }
    return count < 8;
}

static void draining_fill(struct draining *d)
{
    const double *heights = d->ground->heights;
    memset(d->flags, 0, d->cells);
    for (uint32_t i = 0; i < d->cells; i++) {
        if (heights[i] != heights[i]) {
            d->flags[i] |= DRAINING_SEEN;
            d->filled[i] = (double)INFINITY; /* nothing flows there */
        } else if (draining_is_rim(d, i)) {
            draining_push(d, i, heights[i]);
        }
    }
    while (d->heap_count > 0) {
        const struct draining_entry entry = draining_pop(d);
        const double size = entry.level < 0 ? -entry.level : entry.level;
        const double least = entry.level + 1e-5 * (1 + size * 1e-3);
        uint32_t near[8];
        double steps[8];
        const uint32_t count = draining_around(d, entry.cell, near, steps);
        d->order[d->count++] = entry.cell;
        for (uint32_t i = 0; i < count; i++) {
            if (!(d->flags[near[i]] & DRAINING_SEEN)) {
                draining_push(d, near[i], heights[near[i]] > least ? heights[near[i]] : least);
            }
        }
    }
}

/* ---- Bowls ----------------------------------------------------------------------------------- */

/* The height below which a share of the cells lies, between two of them by proportion. */
static double draining_percentile(double *heights, size_t count, double share)
{
    const double at = share * (double)(count - 1);
    const size_t index = (size_t)at;
    const double below = reference_select(heights, count, index);
    const double above = reference_select(heights, count, index + (index + 1 < count));
    return below + (above - below) * (at - (double)index);
}

static void draining_find_relief(struct draining *d)
{
    double *heights = d->lengths; /* not yet needed */
    for (size_t i = 0; i < d->count; i++) {
        heights[i] = d->ground->heights[d->order[i]];
    }
    const double high = draining_percentile(heights, d->count, 0.995);
    d->relief = high - draining_percentile(heights, d->count, 0.005);
}

static bool draining_is_wet(const struct draining *d, uint32_t cell, double share)
{
    return d->filled[cell] - d->ground->heights[cell] > share * d->relief;
}

/* Marks the wet cells that are connected with a deep cell; each deep cell starts a walk. */
static void draining_mark_bowls(struct draining *d)
{
    uint32_t *stack = d->areas; /* not yet needed */
    for (size_t i = 0; i < d->count; i++) {
        size_t waiting = 0;
        if ((d->flags[d->order[i]] & DRAINING_BOWL) || !draining_is_wet(d, d->order[i], 0.05)) {
            continue;
        }
        d->flags[d->order[i]] |= DRAINING_BOWL;
        for (stack[waiting++] = d->order[i]; waiting > 0;) {
            uint32_t near[8];
            double steps[8];
            const uint32_t count = draining_around(d, stack[--waiting], near, steps);
            for (uint32_t k = 0; k < count; k++) {
                if (!(d->flags[near[k]] & DRAINING_BOWL) && draining_is_wet(d, near[k], 1e-3)) {
                    d->flags[near[k]] |= DRAINING_BOWL;
                    stack[waiting++] = near[k];
                }
            }
        }
    }
}

/* ---- Flow ------------------------------------------------------------------------------------ */

/* The slope of the filled surface from a cell to its receiver; 0 where there is none. */
static double draining_slope(const struct draining *d, uint32_t cell, uint32_t *receiver,
                             double *step)
{
    uint32_t near[8];
    double steps[8], best = 0;
    const uint32_t count = draining_around(d, cell, near, steps);
    *receiver = DRAINING_NONE;
    *step = 0;
    for (uint32_t k = 0; k < count; k++) {
        const double slope = (d->filled[cell] - d->filled[near[k]]) / steps[k];
        if (slope > best) {
            best = slope;
            *receiver = near[k];
            *step = steps[k];
        }
    }
    return best;
}

static void draining_flow(struct draining *d, terrain_landform *land)
{
    size_t bad = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < d->count; i++) {
        const uint32_t cell = d->order[i];
        uint32_t receiver;
        double step;
        draining_slope(d, cell, &receiver, &step);
        if ((d->flags[cell] & DRAINING_BOWL) ||
            (receiver != DRAINING_NONE && (d->flags[receiver] & DRAINING_BAD))) {
            d->flags[cell] |= DRAINING_BAD;
            bad++;
        }
    }
    for (size_t i = 0; i < d->cells; i++) {
        d->areas[i] = d->free[i] = 1;
        d->lengths[i] = 0;
    }
    for (size_t i = d->count; i-- > 0;) {
        const uint32_t cell = d->order[i];
        uint32_t receiver;
        double step;
        draining_slope(d, cell, &receiver, &step);
        most = d->free[cell] > most ? d->free[cell] : most;
        if (receiver != DRAINING_NONE) {
            const double length = d->lengths[cell] + step;
            d->areas[receiver] += d->areas[cell];
            d->lengths[receiver] = length > d->lengths[receiver] ? length : d->lengths[receiver];
            d->free[receiver] += d->flags[cell] & DRAINING_BOWL ? 0 : d->free[cell];
        }
    }
    land->undrained = (double)bad / (double)d->count;
    land->trunk = (double)most / (double)d->count;
}

/* ---- Laws ------------------------------------------------------------------------------------ */

enum { LAWS_LEAST_AREA = 50, LAWS_CLASSES = 11, LAWS_LEAST_CELLS = 20 };

#define LAWS_LEAST_SLOPE 1e-4

static double draining_hack(const struct draining *d)
{
    struct reference_line line = {0};
    for (size_t i = 0; i < d->count; i++) {
        const uint32_t cell = d->order[i];
        if (d->areas[cell] > LAWS_LEAST_AREA && d->lengths[cell] > 0) {
            reference_line_add(&line, terrain__log(d->areas[cell]), terrain__log(d->lengths[cell]));
        }
    }
    return line.count > LAWS_LEAST_AREA ? reference_line_slope(&line) : (double)NAN;
}

/* The logarithms of area and slope of a cell. False if it is not one of those that count. */
static bool draining_point(const struct draining *d, uint32_t cell, double *area, double *slope)
{
    uint32_t receiver;
    double step;
    if (d->areas[cell] <= LAWS_LEAST_AREA || 20.0 * d->areas[cell] >= (double)d->count) {
        return false;
    }
    *slope = draining_slope(d, cell, &receiver, &step);
    if (*slope <= LAWS_LEAST_SLOPE) {
        return false;
    }
    *area = terrain__log(d->areas[cell]);
    *slope = terrain__log(*slope);
    return true;
}

static double draining_concavity(struct draining *d)
{
    double *slopes = d->lengths; /* no longer needed */
    double low = (double)INFINITY, high = -(double)INFINITY;
    double *found = (double *)(void *)d->heap; /* pairs of area and slope */
    size_t count = 0;
    struct reference_line line = {0};
    for (size_t i = 0; i < d->count; i++) {
        double area, slope;
        if (draining_point(d, d->order[i], &area, &slope)) {
            low = area < low ? area : low;
            high = area > high ? area : high;
            found[2 * count] = area;
            found[2 * count++ + 1] = slope;
        }
    }
    for (int k = 0; k < LAWS_CLASSES && count > 0; k++) {
        const double begin = low + (high - low) * k / LAWS_CLASSES;
        const double end = low + (high - low) * (k + 1) / LAWS_CLASSES;
        size_t members = 0;
        for (size_t i = 0; i < count; i++) {
            if (found[2 * i] >= begin && found[2 * i] < end) {
                slopes[members++] = found[2 * i + 1];
            }
        }
        if (members > LAWS_LEAST_CELLS) {
            const double lower = reference_select(slopes, members, (members - 1) / 2);
            const double upper = reference_select(slopes, members, members / 2);
            reference_line_add(&line, 0.5 * (begin + end), 0.5 * (lower + upper));
        }
    }
    return line.count > 3 ? 0 - reference_line_slope(&line) : (double)NAN;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void reference_drainage(const struct reference_ground *ground, terrain_landform *land)
{
    struct draining d = {.ground = ground, .cells = (size_t)ground->width * ground->height};
    const size_t n = d.cells;
    land->undrained = land->trunk = land->hack = land->concavity = (double)NAN;
    d.filled = reference_take(n * sizeof *d.filled);
    d.order = reference_take(n * sizeof *d.order);
    d.areas = reference_take(n * sizeof *d.areas);
    d.free = reference_take(n * sizeof *d.free);
    d.lengths = reference_take(n * sizeof *d.lengths);
    d.flags = reference_take(n);
    d.heap = reference_take(n * sizeof *d.heap);
    draining_fill(&d);
    if (d.count > 0) {
        draining_find_relief(&d);
        draining_mark_bowls(&d);
        draining_flow(&d, land);
        land->hack = draining_hack(&d);
        land->concavity = draining_concavity(&d);
    }
    free(d.filled);
    free(d.order);
    free(d.areas);
    free(d.free);
    free(d.lengths);
    free(d.flags);
    free(d.heap);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void landform_reference(const terrain_heightmap *map, terrain_landform *land)
{
    const float *cells = terrain_heightmap_const_data(map);
    const size_t stride = terrain_heightmap_stride(map);
    const double cell_size = (double)terrain_heightmap_cell_size(map);
    struct reference_ground ground = {NULL, terrain_heightmap_width(map),
                                      terrain_heightmap_height(map)};
    ground.heights = reference_take((size_t)ground.width * ground.height * sizeof *ground.heights);
    for (uint32_t y = 0; y < ground.height; y++) {
        for (uint32_t x = 0; x < ground.width; x++) {
            const float height = cells[y * stride + x];
            ground.heights[(size_t)y * ground.width + x] =
                height - height == 0 ? (double)height / cell_size : (double)NAN;
        }
    }
    land->skewness = landform_skewness(&ground);
    reference_drainage(&ground, land);
    reference_axis(&ground, land);
    reference_forms(&ground, land);
    free(ground.heights);
}

#endif
