/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MEASURE_PI 3.14159265358979323846

/* With what windows of real land measure, of some 400 cells a side. */
static void measure_put_real(measure_numbers *numbers, const char *name, double value,
                             const char *real, const char *meaning)
{
    const measure_number number = {name, value, real, meaning};
    if (numbers->count < MEASURE_MOST) {
        numbers->items[numbers->count++] = number;
    }
}

static void measure_put(measure_numbers *numbers, const char *name, double value,
                        const char *meaning)
{
    measure_put_real(numbers, name, value, "", meaning);
}

static int measure_compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float measure_cell(const terrain_heightmap *map, uint32_t x, uint32_t y)
{
    return terrain_heightmap_const_data(map)[y * terrain_heightmap_stride(map) + x];
}

/* ---- Heights and the score ------------------------------------------------------------------- */

static terrain_status measure_heights(terrain_context *context, const terrain_heightmap *map,
                                      measure_numbers *numbers)
{
    terrain_statistics *statistics = NULL;
    terrain_status status = terrain_statistics_create(context, &statistics);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_statistics_add(context, statistics, map);
    }
    if (status == TERRAIN_SUCCESS) {
        measure_put(numbers, "minimum", (double)terrain_statistics_minimum(statistics), "height");
        measure_put(numbers, "maximum", (double)terrain_statistics_maximum(statistics), "height");
        measure_put(numbers, "mean", terrain_statistics_mean(statistics), "height");
        measure_put(numbers, "deviation", terrain_statistics_standard_deviation(statistics),
                    "standard deviation of the heights");
    }
    terrain_statistics_destroy(statistics);
    return status;
}

static terrain_status measure_score(terrain_context *context, const terrain_heightmap *map,
                                    measure_numbers *numbers)
{
    terrain_score *score = NULL;
    terrain_status status = terrain_score_create(context, NULL, &score);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_score_add(context, score, map, NULL);
    }
    if (status == TERRAIN_SUCCESS && terrain_score_count(score) > 0) {
        double count = (double)terrain_score_count(score);
        measure_put_real(numbers, "erosion_score", terrain_score_erosion(score), "0.31 to 0.59",
                         "deviation of slopes divided by their mean; noise 0.4, exponential 1");
        measure_put(numbers, "reachable", (double)terrain_score_reachable(score) / count,
                    "share of cells that hang together by slopes up to 0.5");
        measure_put(numbers, "buildable", (double)terrain_score_buildable(score) / count,
                    "share that hangs together, within 9 x 9 cells with slopes up to 0.125");
    }
    terrain_score_destroy(score);
    return status;
}

/* ---- Slopes ---------------------------------------------------------------------------------- */

static double measure_mean(const float *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)values[i];
    }
    return sum / (double)count;
}

/* The largest difference of the slopes' distribution from the exponential one of their mean (the
 * distance of Kolmogorov and Smirnov). Parberry (Modeling Real-World Terrain with Exponentially
 * Distributed Noise, 2015) found gradients of real land to be exponential. */
static double measure_exponential(const float *sorted, size_t count)
{
    const double mean = measure_mean(sorted, count);
    double most = 0;
    for (size_t i = 0; i < count && mean > 0; i++) {
        double wanted = 1 - exp(-(double)sorted[i] / mean);
        double above = fabs(wanted - (double)i / (double)count);
        double below = fabs(wanted - (double)(i + 1) / (double)count);
        most = above > most ? above : most;
        most = below > most ? below : most;
    }
    return mean > 0 ? most : 1;
}

/* How much heights rise from cell to cell at one of `size` cells that are `step` apart: the mean of
 * both sides, at either end that of the one side. */
static double measure_rise(const float *cell, size_t step, uint32_t at, uint32_t size)
{
    const bool before = at > 0, after = at + 1 < size;
    const double low = (double)(before ? cell[-(ptrdiff_t)step] : *cell);
    const double high = (double)(after ? cell[step] : *cell);
    return before && after ? (high - low) / 2 : high - low;
}

/* The lengths of all finite gradients by differences of the two neighbours in each direction, with
 * which the windows of real land were measured. Horn's eight neighbours smooth more. Returns how
 * many there are. */
static size_t measure_gradients(const terrain_heightmap *map, float *lengths)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    const size_t stride = terrain_heightmap_stride(map);
    const double cell_size = (double)terrain_heightmap_cell_size(map);
    size_t count = 0;
    for (uint32_t y = 0; y < height; y++) {
        const float *row = terrain_heightmap_const_data(map) + y * stride;
        for (uint32_t x = 0; x < width; x++) {
            const double east = measure_rise(row + x, 1, x, width);
            const double south = measure_rise(row + x, stride, y, height);
            lengths[count] = (float)(hypot(east, south) / cell_size);
            count += isfinite(lengths[count]) != 0;
        }
    }
    return count;
}

static void measure_sorted_slopes(const float *sorted, size_t count, measure_numbers *numbers)
{
    measure_put(numbers, "slope_mean", measure_mean(sorted, count), "rise over run, Horn's");
    measure_put(numbers, "slope_10", (double)sorted[count / 10], "a tenth of the cells is gentler");
    measure_put(numbers, "slope_50", (double)sorted[count / 2], "half of them");
    measure_put(numbers, "slope_90", (double)sorted[count - 1 - count / 10], "all but a tenth");
    measure_put(numbers, "slope_99", (double)sorted[count - 1 - count / 100],
                "all but a hundredth");
}

/* The mean and shares of all finite slopes. `cells` has room for the map. */
static terrain_status measure_slopes(terrain_context *context, const terrain_heightmap *map,
                                     float *cells, measure_numbers *numbers)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    terrain_heightmap *slope = NULL;
    size_t count = 0;
    terrain_status status = terrain_heightmap_wrap(context, cells, width, height, width, &slope);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_analyze_slope(context, map, slope, NULL);
    }
    terrain_heightmap_destroy(slope);
    for (size_t i = 0; i < (size_t)width * height && status == TERRAIN_SUCCESS; i++) {
        cells[count] = cells[i];
        count += isfinite(cells[i]) != 0;
    }
    if (status == TERRAIN_SUCCESS && count > 0) {
        qsort(cells, count, sizeof *cells, measure_compare);
        measure_sorted_slopes(cells, count, numbers);
    }
    count = status == TERRAIN_SUCCESS ? measure_gradients(map, cells) : 0;
    if (count > 0) {
        qsort(cells, count, sizeof *cells, measure_compare);
        measure_put_real(numbers, "exponential_distance", measure_exponential(cells, count),
                         "0.11 to 0.30",
                         "of the gradients' distribution from an exponential one; 0: none");
    }
    return status;
}

/* ---- Spikes and pits ------------------------------------------------------------------------- */

/* The lowest and the highest of the eight heights around a cell. */
static void measure_around(const terrain_heightmap *map, uint32_t x, uint32_t y, float *low,
                           float *high)
{
    *low = *high = measure_cell(map, x - 1, y - 1);
    for (uint32_t k = 1; k < 9; k++) {
        float height = measure_cell(map, x + k % 3 - 1, y + k / 3 - 1);
        *low = k != 4 && height < *low ? height : *low;
        *high = k != 4 && height > *high ? height : *high;
    }
}

/* A spike, or a hole, is a cell that sticks out from the heights around it by more than these
 * differ among themselves, and by a twentieth of the cell size at least. */
static void measure_spikes(const terrain_heightmap *map, measure_numbers *numbers)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    const float least = 0.05f * terrain_heightmap_cell_size(map);
    double spikes = 0, pits = 0, peaks = 0, thousands = 1e-3 * (width - 2.0) * (height - 2.0);
    for (uint32_t y = 1; y + 1 < height; y++) {
        for (uint32_t x = 1; x + 1 < width; x++) {
            float here = measure_cell(map, x, y), low, high;
            measure_around(map, x, y, &low, &high);
            float margin = high - low > least ? high - low : least;
            pits += here < low;
            peaks += here > high;
            spikes += here < low - margin || here > high + margin;
        }
    }
    if (width > 2 && height > 2) {
        measure_put(numbers, "spikes", spikes / thousands,
                    "per thousand cells: out of line with all eight around");
        measure_put(numbers, "pits", pits / thousands, "lower than all eight");
        measure_put(numbers, "peaks", peaks / thousands, "higher than all eight");
    }
}

/* ---- Spectrum -------------------------------------------------------------------------------- */

/* In place, of `size` complex numbers that lie `step` apart; size is a power of two. (Cooley and
 * Tukey, 1965.) */
static void measure_transform(double *values, size_t size, size_t step)
{
    for (size_t i = 1, k = 0; i < size; i++) {
        size_t bit = size / 2;
        for (; (k & bit) != 0; bit /= 2) {
            k ^= bit;
        }
        k ^= bit;
        for (size_t part = 0; i < k && part < 2; part++) {
            double kept = values[2 * step * i + part];
            values[2 * step * i + part] = values[2 * step * k + part];
            values[2 * step * k + part] = kept;
        }
    }
    for (size_t half = 1; half < size; half *= 2) {
        for (size_t j = 0; j < half; j++) {
            const double angle = -MEASURE_PI * (double)j / (double)half;
            const double c = cos(angle), s = sin(angle);
            for (size_t i = j; i < size; i += 2 * half) {
                double *a = values + 2 * step * i, *b = values + 2 * step * (i + half);
                double re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
        }
    }
}

/* The middle of the map less its mean plane, faded to 0 at the edges, as complex numbers. The
 * window is Hann's squared: what leaks from hills along the axes then stays below the detail of
 * smooth land. */
static void measure_window(const terrain_heightmap *map, uint32_t size, double *values)
{
    const uint32_t left = (terrain_heightmap_width(map) - size) / 2;
    const uint32_t top = (terrain_heightmap_height(map) - size) / 2;
    const double middle = ((double)size - 1) / 2;
    double sum = 0, sum_x = 0, sum_y = 0, squares = 0;
    for (uint32_t i = 0; i < size * size; i++) {
        float height = measure_cell(map, left + i % size, top + i / size);
        values[2 * i] = isfinite(height) ? (double)height : 0;
        sum += values[2 * i];
        sum_x += values[2 * i] * (i % size - middle);
        sum_y += values[2 * i] * (i / size - middle);
        squares += (i % size - middle) * (i % size - middle);
    }
    for (uint32_t i = 0; i < size * size; i++) {
        double x = i % size - middle, y = i / size - middle;
        double fade = (1 - cos(2 * MEASURE_PI * (i % size + 0.5) / size)) *
                      (1 - cos(2 * MEASURE_PI * (i / size + 0.5) / size));
        double plane = sum / ((double)size * size) + (sum_x * x + sum_y * y) / squares;
        values[2 * i] = (values[2 * i] - plane) * fade * fade;
        values[2 * i + 1] = 0;
    }
}

enum { MEASURE_SECTORS = 16 };

/* The energy of one ring of frequencies, by direction, in sectors of 11.25 degrees over half a
 * turn: sector 0 is along x, 4 and 12 are the diagonals, and 8 is along y. */
struct measure_ring {
    double energy[MEASURE_SECTORS];
    double count[MEASURE_SECTORS];
};

static void measure_collect(const double *values, uint32_t size, struct measure_ring *rings)
{
    for (uint32_t i = 1; i < size * size; i++) {
        double u = (double)(i % size), v = (double)(i / size);
        u -= u > size / 2 ? size : 0;
        v -= v > size / 2 ? size : 0;
        /* Rounded: the energy falls within a ring, and points on the axes must not lie at its
         * rim. */
        uint32_t radius = (uint32_t)(sqrt(u * u + v * v) + 0.5);
        if (radius < size / 2) {
            double turn = atan2(v, u) / MEASURE_PI * MEASURE_SECTORS + 0.5;
            int sector = (int)floor(turn + 2 * MEASURE_SECTORS) % MEASURE_SECTORS;
            rings[radius].energy[sector] +=
                values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
            rings[radius].count[sector]++;
        }
    }
}

/* A ring's mean energy. */
static double measure_ring_energy(const struct measure_ring *ring)
{
    double energy = 0, count = 0;
    for (int k = 0; k < MEASURE_SECTORS; k++) {
        energy += ring->energy[k];
        count += ring->count[k];
    }
    return count > 0 ? energy / count : 0;
}

/* The mean energy of two sectors divided by the mean energy of the whole ring; over wavelengths of
 * 4 to 32 cells, all rings of equal weight. Rings that are so weak that they show the window's
 * leaks are left out. */
static double measure_direction(const struct measure_ring *rings, uint32_t size, int first,
                                int second)
{
    double sum = 0, weight = 0, strongest = 0;
    for (uint32_t radius = 1; radius < size / 4; radius++) {
        double energy = measure_ring_energy(&rings[radius]);
        strongest = energy > strongest ? energy : strongest;
    }
    for (uint32_t radius = size / 32; radius < size / 4; radius++) {
        const struct measure_ring *ring = &rings[radius];
        double energy = measure_ring_energy(ring);
        double count = ring->count[first] + ring->count[second];
        if (energy > 1e-8 * strongest && count > 0) {
            sum += (ring->energy[first] + ring->energy[second]) / count / energy;
            weight++;
        }
    }
    return weight > 0 ? sum / weight : 1;
}

/* How steeply the energy falls with the frequency: the exponent, by least squares of logarithms. */
static double measure_fall(const struct measure_ring *rings, uint32_t size)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (uint32_t radius = 4; radius < size / 4; radius++) {
        double energy = measure_ring_energy(&rings[radius]);
        if (energy > 0) {
            /* Each ring as often as its logarithm is wide, so that high frequencies don't
             * decide. */
            double x = log(radius), y = log(energy), w = 1.0 / radius;
            n += w;
            sx += w * x;
            sy += w * y;
            sxx += w * x * x;
            sxy += w * x * y;
        }
    }
    double spread = n * sxx - sx * sx;
    return spread > 0 ? -(n * sxy - sx * sy) / spread : 0;
}

/* The share that waves of 2 to 4 cells have in the slopes, whose energy is that of the heights
 * times the frequency squared. Waves longer than 128 cells, a few in the window, are chance: left
 * out. */
static double measure_grain(const struct measure_ring *rings, uint32_t size)
{
    double fine = 0, all = 0;
    for (uint32_t radius = size > 128 ? size / 128 : 1; radius < size / 2; radius++) {
        double energy = 0;
        for (int k = 0; k < MEASURE_SECTORS; k++) {
            energy += rings[radius].energy[k];
        }
        energy *= (double)radius * radius;
        all += energy;
        fine += radius >= size / 4 ? energy : 0;
    }
    return all > 0 ? fine / all : 0;
}

static void measure_spectrum_of(const terrain_heightmap *map, uint32_t size, double *values,
                                struct measure_ring *rings, measure_numbers *numbers)
{
    measure_window(map, size, values);
    for (uint32_t i = 0; i < size; i++) {
        measure_transform(values + 2 * (size_t)i * size, size, 1);
    }
    for (uint32_t i = 0; i < size; i++) {
        measure_transform(values + 2 * (size_t)i, size, size);
    }
    memset(rings, 0, size * sizeof *rings);
    measure_collect(values, size, rings);
    measure_put(numbers, "spectrum_axes", measure_direction(rings, size, 0, MEASURE_SECTORS / 2),
                "energy along x and y divided by that of all directions; 1: none is favoured");
    measure_put(numbers, "spectrum_diagonals",
                measure_direction(rings, size, MEASURE_SECTORS / 4, 3 * MEASURE_SECTORS / 4),
                "the same along both diagonals");
    measure_put(numbers, "spectrum_fall", measure_fall(rings, size),
                "energy goes with frequency to the power of minus this");
    measure_put_real(numbers, "grain", measure_grain(rings, size), "0.04 to 0.21",
                     "share of the slopes in waves of 2 to 4 cells");
}

static terrain_status measure_spectrum(const terrain_heightmap *map, measure_numbers *numbers)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    uint32_t size = 1;
    while (size <= 2048 && 2 * size <= width && 2 * size <= height) {
        size *= 2;
    }
    if (size < 64) {
        return TERRAIN_SUCCESS; /* too small to tell */
    }
    double *values = malloc((size_t)size * size * 2 * sizeof *values);
    struct measure_ring *rings = malloc(size * sizeof *rings);
    terrain_status status =
        values != NULL && rings != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY;
    if (status == TERRAIN_SUCCESS) {
        measure_spectrum_of(map, size, values, rings, numbers);
    }
    free(values);
    free(rings);
    return status;
}

/* ---- Land ------------------------------------------------------------------------------------ */

/* Measures for which the map is too small are left out. */
static void measure_put_land(measure_numbers *numbers, const char *name, double value,
                             const char *real, const char *meaning)
{
    if (isfinite(value)) {
        measure_put_real(numbers, name, value, real, meaning);
    }
}

static terrain_status measure_land(terrain_context *context, const terrain_heightmap *map,
                                   measure_numbers *numbers)
{
    static const struct {
        const char *name, *real, *meaning;
    } forms[TERRAIN_LANDFORM_COUNT] = {
        {"flats", "", "share of the cells, by geomorphons of 20 cells' reach"},
        {"tops", "", "share of peaks, lower ground all around"},
        {"ridges", "0.08 to 0.16", "share of them"},
        {"shoulders", "", "share of them, between a slope and a flat above"},
        {"spurs", "", "share of them, slopes that bulge"},
        {"slopes", "", "share of them, even ones"},
        {"hollows", "", "share of them, slopes that are dented"},
        {"footslopes", "", "share of them, between a slope and a flat below"},
        {"valleys", "0.09 to 0.18", "share of them"},
        {"bottoms", "", "share of them, higher ground all around"},
    };
    terrain_landform land;
    terrain_status status = terrain_landform_init(&land, sizeof land);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_landform_measure(context, map, &land);
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    measure_put_land(numbers, "undrained", land.undrained, "0 to 0.002",
                     "share of cells whose water crosses a closed bowl; noise 0.65");
    measure_put_land(numbers, "trunk", land.trunk, "0.28 to 0.83",
                     "share that the largest river drains");
    measure_put_land(numbers, "concavity", land.concavity, "0.21 to 0.60",
                     "slope falls with the area upstream to the power of this");
    measure_put_land(numbers, "hack", land.hack, "0.44 to 0.56",
                     "rivers' lengths grow with the area to the power of this");
    measure_put_land(numbers, "skewness", land.skewness, "-0.22 to 0.05",
                     "of the curvature; crests sharper than hollows are below 0");
    measure_put_land(numbers, "axis", land.axis, "0.95 to 1.05",
                     "energy near axes and diagonals divided by that of other directions");
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        measure_put_land(numbers, forms[i].name, land.forms[i], forms[i].real, forms[i].meaning);
    }
    measure_put_land(numbers, "forms_distance", land.forms_distance, "0 to 0.19",
                     "of these shares from those of land around Jacksboro");
    return TERRAIN_SUCCESS;
}

/* ---- All of them ----------------------------------------------------------------------------- */

terrain_status measure_map(terrain_context *context, const terrain_heightmap *map,
                           measure_numbers *numbers)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    float *cells = calloc((size_t)width * height, sizeof *cells);
    terrain_status status = cells != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY;
    numbers->count = 0;
    if (status == TERRAIN_SUCCESS) {
        status = measure_heights(context, map, numbers);
    }
    if (status == TERRAIN_SUCCESS) {
        status = measure_score(context, map, numbers);
    }
    if (status == TERRAIN_SUCCESS) {
        status = measure_slopes(context, map, cells, numbers);
    }
    if (status == TERRAIN_SUCCESS) {
        measure_spikes(map, numbers);
        status = measure_spectrum(map, numbers);
    }
    if (status == TERRAIN_SUCCESS) {
        status = measure_land(context, map, numbers);
    }
    free(cells);
    return status;
}
