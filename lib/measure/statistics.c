/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Statistics of heights.
 *
 * The sum is a whole number of 2^-149, the smallest float; the sum of squares one of 2^-298. Blocks
 * of 1024 cells are summed in double, exactly: of each block only the cells of one slice of 19
 * binades are taken at a time, those with 2^(e - 18) <= |h| < 2^(e + 1). Such heights are whole
 * numbers of 2^(e - 41), and their sum, below 2^(e + 11), has 52 bits. Their squares, below 2^(2e +
 * 2), are split at 2^(2e - 41): the upper parts sum up below 2^(2e + 12), 53 bits; the lower ones,
 * at most 2^(2e - 42) each and whole numbers of 2^(2e - 82), below 2^(2e - 32), 50 bits. Blocks of
 * one slice are the rule; what lies lower is done again with the next slice. */

#include "terrain/statistics.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/math.h"
#include "base/wide.h"
#include "core/context.h"
#include "core/heightmap.h"
#include "core/reader.h"
#include "measure/statistics_kernels.h"
#include "measure/statistics_parts.h"

enum { SUM_UNIT = 149, SQUARES_UNIT = 298, MOST_BINS = 1 << 20, STATISTICS_TASK_CELLS = 1 << 16 };

struct histogram {
    uint64_t *bins; /* the caller's; NULL for none */
    uint32_t count;
    float low;
    float high;
};

struct terrain_statistics {
    terrain_allocator allocator;
    const struct statistics_kernels *kernels;
    int32_t minimum; /* keys: see struct statistics_scan */
    int32_t maximum;
    uint64_t count;
    uint64_t nan;
    uint64_t infinite;
    terrain__wide sum;
    terrain__wide squares;
    struct histogram histogram;
};

/* ---- Life ----------------------------------------------------------------------------------- */

static void statistics_clear(terrain_statistics *statistics)
{
    statistics->minimum = INT32_MAX;
    statistics->maximum = INT32_MIN;
    statistics->count = statistics->nan = statistics->infinite = 0;
    memset(&statistics->sum, 0, sizeof statistics->sum);
    memset(&statistics->squares, 0, sizeof statistics->squares);
    if (statistics->histogram.bins != NULL) {
        memset(statistics->histogram.bins, 0,
               statistics->histogram.count * sizeof *statistics->histogram.bins);
    }
}

terrain_statistics *terrain__statistics_new(terrain_context *context)
{
    const terrain_allocator *allocator = terrain__context_allocator(context);
    terrain_statistics *statistics =
        terrain__allocate(allocator, sizeof *statistics, sizeof(void *));
    if (statistics != NULL) {
        memset(statistics, 0, sizeof *statistics);
        statistics->allocator = *allocator;
        statistics->kernels = terrain__statistics_kernels(terrain_context_isa(context));
        statistics_clear(statistics);
    }
    return statistics;
}

terrain_status terrain_statistics_create(terrain_context *context, terrain_statistics **out)
{
    terrain_status status = terrain__context_enter_making(context, "statistics_create", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    *out = terrain__statistics_new(context);
    if (*out == NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "statistics_create: no memory");
    }
    terrain__context_leave(context);
    return status;
}

void terrain_statistics_destroy(terrain_statistics *statistics)
{
    if (statistics != NULL) {
        terrain_allocator allocator = statistics->allocator;
        terrain__free(&allocator, statistics, sizeof *statistics);
    }
}

void terrain_statistics_reset(terrain_statistics *statistics)
{
    if (statistics != NULL) {
        statistics_clear(statistics);
    }
}

terrain_status terrain_statistics_set_histogram(terrain_statistics *statistics, float low,
                                                float high, uint64_t *bins, uint32_t count)
{
    const struct histogram histogram = {bins, count, low, high};
    const struct histogram none = {NULL, 0, 0, 0};
    if (statistics == NULL || (bins != NULL && (count == 0 || count > MOST_BINS))) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (bins == NULL) {
        statistics->histogram = none;
        return TERRAIN_SUCCESS;
    }
    terrain__float_environment host; /* may take small bounds for equal, or trap on NaN */
    terrain__float_enter(&host);
    terrain__float_settle(&low);
    terrain__float_settle(&high);
    const bool is_range = low >= -1e30f && low < high && high <= 1e30f;
    terrain__float_settle(&is_range);
    terrain__float_leave(&host);
    if (!is_range) {
        return TERRAIN_ERROR_RANGE;
    }
    statistics->histogram = histogram;
    memset(bins, 0, count * sizeof *bins);
    return TERRAIN_SUCCESS;
}

/* ---- Adding --------------------------------------------------------------------------------- */

static float statistics_height_of(int32_t key)
{
    int32_t bits = key < 0 ? (int32_t)(key ^ 0x7FFFFFFF) : key;
    float height;
    memcpy(&height, &bits, sizeof height);
    return height + 0.0f; /* the key of -0 is below that of 0 */
}

/* The e with 2^e <= height < 2^(e + 1), for height > 0. */
static int statistics_exponent_of(float height)
{
    double wide = (double)height; /* normal, even where the float is not */
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

static void statistics_take_sums(terrain_statistics *statistics, const struct statistics_sums *sums)
{
    terrain__wide_add_double(&statistics->sum, sums->sum, SUM_UNIT);
    terrain__wide_add_double(&statistics->squares, sums->squares_high, SQUARES_UNIT);
    terrain__wide_add_double(&statistics->squares, sums->squares_low, SQUARES_UNIT);
}

/* From the slice that holds the block's largest height downwards. */
static void statistics_add_sums(terrain_statistics *statistics, const float *cells, uint32_t count,
                                float largest)
{
    const struct statistics_kernels *kernels = statistics->kernels;
    int exponent = statistics_exponent_of(largest);
    struct statistics_slice slice = terrain__statistics_slice(exponent);
    struct statistics_sums sums;
    kernels->sum(cells, count, &slice, &sums);
    statistics_take_sums(statistics, &sums);
    while (sums.below > 0) {
        float done = slice.low;
        exponent -= TERRAIN__STATISTICS_BINADES;
        slice = terrain__statistics_slice(exponent);
        slice.high = done;
        kernels->sum(cells, count, &slice, &sums);
        statistics_take_sums(statistics, &sums);
    }
}

static void statistics_count(const struct histogram *histogram, const float *cells, uint32_t count)
{
    float low = histogram->low, high = histogram->high;
    float scale = (float)(histogram->count / ((double)high - (double)low));
    for (uint32_t i = 0; i < count; i++) {
        float h = cells[i];
        if (h >= low && h <= high) {
            float place = (h - low) * scale;
            place = place < (float)histogram->count ? place : (float)(histogram->count - 1);
            histogram->bins[(uint32_t)place]++;
        }
    }
}

static void statistics_add_block(terrain_statistics *statistics, const float *cells, uint32_t count)
{
    const struct statistics_kernels *kernels = statistics->kernels;
    struct statistics_scan scan;
    kernels->scan(cells, count, &scan);
    statistics->nan += scan.nan;
    statistics->infinite += scan.infinite;
    if (scan.nan + scan.infinite == count) {
        return;
    }
    statistics->count += count - scan.nan - scan.infinite;
    statistics->minimum = scan.minimum < statistics->minimum ? scan.minimum : statistics->minimum;
    statistics->maximum = scan.maximum > statistics->maximum ? scan.maximum : statistics->maximum;
    float lowest = -statistics_height_of(scan.minimum);
    float largest = statistics_height_of(scan.maximum);
    largest = lowest > largest ? lowest : largest;
    if (largest > 0) {
        statistics_add_sums(statistics, cells, count, largest);
    }
}

void terrain__statistics_add_cells(terrain_statistics *statistics, const float *cells,
                                   uint32_t width)
{
    for (uint32_t x = 0, count; x < width; x += count) {
        count = width - x < TERRAIN__STATISTICS_BLOCK ? width - x : TERRAIN__STATISTICS_BLOCK;
        statistics_add_block(statistics, cells + x, count);
    }
}

size_t terrain__statistics_size(void)
{
    return sizeof(terrain_statistics);
}

terrain_statistics *terrain__statistics_part(void *parts, uint32_t index,
                                             const terrain_statistics *whole)
{
    terrain_statistics *part = (terrain_statistics *)parts + index;
    memset(part, 0, sizeof *part);
    part->kernels = whole->kernels;
    statistics_clear(part);
    return part;
}

/* All that merging adds, but for the histogram. */
static void statistics_add_part(terrain_statistics *into, const terrain_statistics *from)
{
    into->minimum = from->minimum < into->minimum ? from->minimum : into->minimum;
    into->maximum = from->maximum > into->maximum ? from->maximum : into->maximum;
    into->count += from->count;
    into->nan += from->nan;
    into->infinite += from->infinite;
    terrain__wide_add(&into->sum, &from->sum);
    terrain__wide_add(&into->squares, &from->squares);
}

void terrain__statistics_add_parts(terrain_statistics *into, const void *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        statistics_add_part(into, (const terrain_statistics *)parts + i);
    }
}

/* A call: one part for each band, which are added when all are there. Sums are exact, so that the
 * bands are not seen in the bits. */
struct statistics_job {
    const terrain_statistics *whole;
    void *parts;
    terrain__bands bands;
};

static void statistics_band(terrain__call *call, uint32_t index)
{
    const struct statistics_job *job = call->job;
    terrain_statistics *part = terrain__statistics_part(job->parts, index, job->whole);
    const uint32_t end = terrain__band_end(&job->bands, index);
    for (uint32_t y = terrain__band_begin(&job->bands, index); y < end; y++) {
        terrain__statistics_add_cells(part, call->map.cells + y * call->map.stride,
                                      call->map.width);
    }
}

/* On the calling thread: bins of its own for each band would take more memory than they save
 * time. */
static void statistics_count_map(const struct histogram *histogram, const terrain_heightmap *map)
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    for (uint32_t y = 0; y < map->height && histogram->bins != NULL; y++) {
        statistics_count(histogram, map->data + y * map->stride, map->width);
    }
    terrain__float_leave(&host);
}

static terrain_status statistics_add(terrain__reader *reader, terrain_statistics *statistics,
                                     const terrain_heightmap *map)
{
    terrain__shelf *shelf = terrain__context_shelf(reader->context);
    struct statistics_job job = {
        .whole = statistics,
        .bands = terrain__bands_of(map->height, STATISTICS_TASK_CELLS / map->width + 1),
    };
    terrain_status status = terrain__reader_poll(reader, 0);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    job.parts = terrain__shelf_take(shelf, job.bands.count * sizeof *statistics);
    if (job.parts == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_MEMORY, "no memory");
    }
    reader->map = map;
    reader->job = &job;
    status = terrain__reader_run(reader, job.bands.count, statistics_band);
    if (status == TERRAIN_SUCCESS) {
        terrain__statistics_add_parts(statistics, job.parts, job.bands.count);
        statistics_count_map(&statistics->histogram, map);
    }
    terrain__shelf_give(shelf, job.parts);
    return status;
}

terrain_status terrain_statistics_add(terrain_context *context, terrain_statistics *statistics,
                                      const terrain_heightmap *map)
{
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, "statistics_add");
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = statistics == NULL || map == NULL
                 ? terrain__reader_fail(&reader, TERRAIN_ERROR_ARGUMENT, "%s is NULL",
                                        statistics == NULL ? "statistics" : "map")
                 : statistics_add(&reader, statistics, map);
    return terrain__reader_leave(&reader, status);
}

static bool statistics_histograms_match(const struct histogram *a, const struct histogram *b)
{
    terrain__float_environment host; /* may take small bounds for equal */
    terrain__float_enter(&host);
    const bool match = a->count == b->count && a->low == b->low && a->high == b->high;
    terrain__float_settle(&match);
    terrain__float_leave(&host);
    return match;
}

terrain_status terrain_statistics_merge(terrain_statistics *into, const terrain_statistics *from)
{
    if (into == NULL || from == NULL || into == from ||
        !statistics_histograms_match(&into->histogram, &from->histogram)) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    statistics_add_part(into, from);
    for (uint32_t i = 0; i < into->histogram.count; i++) {
        into->histogram.bins[i] += from->histogram.bins[i];
    }
    return TERRAIN_SUCCESS;
}

/* ---- Reading -------------------------------------------------------------------------------- */

uint64_t terrain_statistics_count(const terrain_statistics *statistics)
{
    return statistics != NULL ? statistics->count : 0;
}

uint64_t terrain_statistics_nan_count(const terrain_statistics *statistics)
{
    return statistics != NULL ? statistics->nan : 0;
}

uint64_t terrain_statistics_infinite_count(const terrain_statistics *statistics)
{
    return statistics != NULL ? statistics->infinite : 0;
}

static bool statistics_is_empty(const terrain_statistics *statistics)
{
    return statistics == NULL || statistics->count == 0;
}

float terrain_statistics_minimum(const terrain_statistics *statistics)
{
    return statistics_is_empty(statistics) ? NAN : statistics_height_of(statistics->minimum);
}

float terrain_statistics_maximum(const terrain_statistics *statistics)
{
    return statistics_is_empty(statistics) ? NAN : statistics_height_of(statistics->maximum);
}

/* sum / divisor */
static double statistics_sum_over(const terrain_statistics *statistics, uint64_t divisor)
{
    enum { GUARD = 128 }; /* more than a double's bits below the divisor's */
    terrain__wide magnitude = terrain__wide_magnitude(&statistics->sum);
    magnitude = terrain__wide_shifted(&magnitude, GUARD);
    bool rest = terrain__wide_divide(&magnitude, divisor);
    double size = terrain__wide_to_double(&magnitude, rest, SUM_UNIT + GUARD);
    return terrain__wide_is_negative(&statistics->sum) ? -size : size;
}

double terrain_statistics_sum(const terrain_statistics *statistics)
{
    return statistics_is_empty(statistics) ? 0 : statistics_sum_over(statistics, 1);
}

double terrain_statistics_mean(const terrain_statistics *statistics)
{
    return statistics_is_empty(statistics) ? (double)NAN
                                           : statistics_sum_over(statistics, statistics->count);
}

/* (count * squares - sum^2) / count^2, all of it exact. */
double terrain_statistics_variance(const terrain_statistics *statistics)
{
    enum { GUARD = 192 };
    if (statistics_is_empty(statistics)) {
        return (double)NAN;
    }
    terrain__wide count = terrain__wide_of(statistics->count);
    terrain__wide sum = terrain__wide_magnitude(&statistics->sum);
    terrain__wide spread = terrain__wide_product(&statistics->squares, &count);
    sum = terrain__wide_product(&sum, &sum);
    terrain__wide_subtract(&spread, &sum);
    spread = terrain__wide_shifted(&spread, GUARD);
    bool rest = terrain__wide_divide(&spread, statistics->count);
    bool second = terrain__wide_divide(&spread, statistics->count);
    return terrain__wide_to_double(&spread, rest || second, SQUARES_UNIT + GUARD);
}

double terrain_statistics_standard_deviation(const terrain_statistics *statistics)
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    double deviation = terrain__sqrt(terrain_statistics_variance(statistics));
    terrain__float_settle(&deviation);
    terrain__float_leave(&host);
    return deviation;
}
