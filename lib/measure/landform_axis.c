/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Whether a terrain favours the lattice's directions: its spectrum, of a square of any size. A
 * transform of n numbers is a convolution (L. Bluestein, 1970), since j k = (j^2 + k^2 - (k - j)^2)
 * / 2, and a convolution is three transforms of a power of two (Cooley and Tukey, 1965). */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "measure/landform_parts.h"

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

static double axis_height(const terrain__ground *ground, uint32_t x, uint32_t y, double none)
{
    const double height = ground->heights[(size_t)y * ground->width + x];
    return height == height ? height : none;
}

static struct axis_plane axis_find_plane(const terrain__ground *ground, uint32_t size)
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
static terrain_status axis_make_spectrum(const terrain__ground *ground, const struct axis *axis)
{
    const uint32_t size = axis->size;
    const double half = (size - 1) / 2.0;
    const struct axis_plane plane = axis_find_plane(ground, size);
    for (uint32_t y = 0; y < size; y++) {
        if (y % 64 == 0 && !terrain__ground_goes_on(ground, 0.4 + 0.3 * y / size)) {
            return TERRAIN_ERROR_CANCELLED;
        }
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
    return TERRAIN_SUCCESS;
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

terrain_status terrain__landform_axis(const terrain__ground *ground, terrain_landform *land)
{
    terrain__arena *arena = ground->arena;
    struct axis axis = {0};
    double *rings;
    axis.size = ground->width < ground->height ? ground->width : ground->height;
    axis.size = axis.size < AXIS_MOST ? axis.size / 2 * 2 : AXIS_MOST;
    land->axis = (double)NAN;
    if (axis.size < AXIS_LEAST) {
        return TERRAIN_SUCCESS;
    }
    axis.kept = axis.size / 4 + 2;
    for (axis.padded = 1; axis.padded < 2 * axis.size - 1;) {
        axis.padded *= 2;
    }
    axis.turn = terrain__arena_take(arena, axis.padded / 2 * sizeof *axis.turn);
    axis.chirp = terrain__arena_take(arena, axis.size * sizeof *axis.chirp);
    axis.kernel = terrain__arena_take(arena, axis.padded * sizeof *axis.kernel);
    axis.line = terrain__arena_take(arena, axis.padded * sizeof *axis.line);
    axis.rows = terrain__arena_take(arena, (size_t)axis.size * axis.kept * sizeof *axis.rows);
    axis.window = terrain__arena_take(arena, axis.size * sizeof *axis.window);
    rings = terrain__arena_take(arena, 4 * (size_t)axis.size * sizeof *rings);
    if (axis.turn == NULL || axis.chirp == NULL || axis.kernel == NULL || axis.line == NULL ||
        axis.rows == NULL || axis.window == NULL || rings == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    axis_make_tables(&axis);
    terrain_status status = axis_make_spectrum(ground, &axis);
    if (status == TERRAIN_SUCCESS) {
        land->axis = axis_compare(&axis, rings, rings + 2 * (size_t)axis.size);
    }
    return status;
}
