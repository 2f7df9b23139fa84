/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Statistics of heights: counts, extremes, sum, mean, variance, histogram.
 *
 * Sums are exact: they are kept in wide integers. So the statistics of a terrain are the same, to
 * the last bit, whatever tiles it was added or merged from, and in whatever order.
 *
 *     terrain_statistics *statistics = NULL;
 *     terrain_statistics_create(NULL, &statistics);
 *     terrain_statistics_add(context, statistics, map);
 *     … terrain_statistics_mean(statistics) …
 *     terrain_statistics_destroy(statistics);
 *
 * NaN and infinite cells are counted and left out of everything else.
 *
 * Thread-safety: one thread at a time for each object; give each thread its own, and merge them. */

#ifndef TERRAIN_STATISTICS_H
#define TERRAIN_STATISTICS_H

#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_statistics terrain_statistics;

/** Creates an object without cells. Memory, some 400 bytes, comes from the context's allocator; the
 * object copies the allocator, so it may outlive the context.
 * Errors: ARGUMENT if out is NULL; MEMORY; BUSY. On error *out is NULL. Since 0.1. */
TERRAIN_API terrain_status terrain_statistics_create(terrain_context *context,
                                                     terrain_statistics **out);

/** Frees the object, but not the histogram's bins, which belong to the caller. NULL is fine. */
TERRAIN_API void terrain_statistics_destroy(terrain_statistics *statistics);

/** Forgets all cells, and zeroes the histogram's bins. NULL is fine. */
TERRAIN_API void terrain_statistics_reset(terrain_statistics *statistics);

/** Sets a histogram: zeroes the caller's `bins`, in which later calls count finite cells. bins must
 * stay valid until the object is destroyed or gets another histogram. Bin i counts the heights with
 *
 *     floor((h - low) * (count / (high - low))) == i,
 *
 * where the quotient is rounded to float and the rest is computed in float; high itself belongs to
 * the last bin; heights outside [low, high] belong to none. If bins is NULL, later calls count in
 * no histogram. Cells that were added before are not counted.
 * Errors: ARGUMENT if statistics is NULL or bins are given and count is 0 or above 2^20; RANGE
 * unless -1e30 <= low < high <= 1e30. Since 0.1. */
TERRAIN_API terrain_status terrain_statistics_set_histogram(terrain_statistics *statistics,
                                                            float low, float high, uint64_t *bins,
                                                            uint32_t count);

/** Adds all cells of a map, on the context's threads. Needs at most 32 KiB. Errors: ARGUMENT if
 * statistics or map is NULL; MEMORY; BUSY; CANCELLED; RUNNER. On error the object is what it was.
 * Since 0.1. */
TERRAIN_API terrain_status terrain_statistics_add(terrain_context *context,
                                                  terrain_statistics *statistics,
                                                  const terrain_heightmap *map);

/** Adds the cells of `from` to `into`; `from` stays as it is. Both must have a histogram with the
 * same range and count, or both none.
 * Errors: ARGUMENT if either is NULL, both are the same, or their histograms differ. Since 0.1. */
TERRAIN_API terrain_status terrain_statistics_merge(terrain_statistics *into,
                                                    const terrain_statistics *from);

/** The numbers of finite, NaN and infinite cells. 0 for NULL. */
TERRAIN_API uint64_t terrain_statistics_count(const terrain_statistics *statistics);
TERRAIN_API uint64_t terrain_statistics_nan_count(const terrain_statistics *statistics);
TERRAIN_API uint64_t terrain_statistics_infinite_count(const terrain_statistics *statistics);

/** The lowest and the highest finite height; NaN if there is none, and for NULL. A zero has no
 * sign. */
TERRAIN_API float terrain_statistics_minimum(const terrain_statistics *statistics);
TERRAIN_API float terrain_statistics_maximum(const terrain_statistics *statistics);

/** The exact sum, rounded once to the nearest double. 0 without cells and for NULL. */
TERRAIN_API double terrain_statistics_sum(const terrain_statistics *statistics);

/** The mean, the variance of the whole population (the mean of the squared differences from the
 * mean), and the standard deviation. Mean and variance are the exact values, rounded once. The
 * standard deviation is the square root of the rounded variance, rounded. NaN without finite cells
 * and for NULL. */
TERRAIN_API double terrain_statistics_mean(const terrain_statistics *statistics);
TERRAIN_API double terrain_statistics_variance(const terrain_statistics *statistics);
TERRAIN_API double terrain_statistics_standard_deviation(const terrain_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
