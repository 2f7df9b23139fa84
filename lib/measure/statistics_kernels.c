/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure/statistics_kernels.h"

#include <string.h>

#include "vector/vec.h"

enum { STATISTICS_INFINITY = 0x7F800000 };

/* One cell at a time: the end of a block, and the count of what is not finite. */
static void statistics_scan_cells(const float *cells, size_t count, struct statistics_scan *scan)
{
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, cells + i, sizeof bits);
        int32_t size = bits & 0x7FFFFFFF;
        int32_t key = bits < 0 ? bits ^ 0x7FFFFFFF : bits;
        if (size < STATISTICS_INFINITY) {
            scan->minimum = key < scan->minimum ? key : scan->minimum;
            scan->maximum = key > scan->maximum ? key : scan->maximum;
        }
        scan->nan += size > STATISTICS_INFINITY;
        scan->infinite += size == STATISTICS_INFINITY;
    }
}

/* Vectors by hand: gcc leaves a loop of this kind scalar. A block with a cell that is not finite is
 * done again, slowly. */
static void statistics_scan(const float *cells, uint32_t count, struct statistics_scan *scan)
{
    const struct statistics_scan nothing = {INT32_MAX, INT32_MIN, 0, 0};
    const vint most = vi_set(0x7FFFFFFF);
    vint minimum = vi_set(INT32_MAX), maximum = vi_set(INT32_MIN), largest = vi_set(0);
    int32_t lows[VEC_LANES], highs[VEC_LANES], sizes[VEC_LANES];
    size_t i = 0;
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        vint bits = vi_from_bits(vf_bits(vf_load(cells + i)));
        vint size = bits & most;
        vint key = bits ^ ((bits >> 31) & most);
        minimum = vi_select(vi_less(key, minimum), key, minimum);
        maximum = vi_select(vi_less(maximum, key), key, maximum);
        largest = vi_select(vi_less(largest, size), size, largest);
    }
    memcpy(lows, &minimum, sizeof lows);
    memcpy(highs, &maximum, sizeof highs);
    memcpy(sizes, &largest, sizeof sizes);
    *scan = nothing;
    for (int k = 0; k < VEC_LANES; k++) {
        if (sizes[k] >= STATISTICS_INFINITY) {
            *scan = nothing;
            i = 0;
            break;
        }
        scan->minimum = lows[k] < scan->minimum ? lows[k] : scan->minimum;
        scan->maximum = highs[k] > scan->maximum ? highs[k] : scan->maximum;
    }
    statistics_scan_cells(cells + i, count - i, scan);
}

/* Vectors of doubles, and of as many floats. */
#if VEC_LANES > 1
enum { STATISTICS_LANES = VEC_LANES / 2 };
typedef float statistics_floats __attribute__((vector_size(2 * VEC_LANES)));
typedef int32_t statistics_ints __attribute__((vector_size(2 * VEC_LANES)));
typedef double statistics_doubles __attribute__((vector_size(4 * VEC_LANES)));
#define STATISTICS_DOUBLES(floats) __builtin_convertvector(floats, statistics_doubles)
#define STATISTICS_MASK(comparison) (comparison)
#else
enum { STATISTICS_LANES = 1 };
typedef float statistics_floats;
typedef int32_t statistics_ints;
typedef double statistics_doubles;
#define STATISTICS_DOUBLES(floats) ((double)(floats))
#define STATISTICS_MASK(comparison) (-(int32_t)(comparison))
#endif

/* Sums in lanes: exact, hence the same in any order. */
struct statistics_lanes {
    statistics_doubles sum;
    statistics_doubles squares_high;
    statistics_doubles squares_low;
    statistics_ints below;
};

static inline void statistics_add_lanes(struct statistics_lanes *lanes, const float *cells,
                                        float lowest, float highest, double splitter)
{
    statistics_ints bits, size_bits;
    statistics_floats size, kept;
    memcpy(&bits, cells, sizeof bits);
    size_bits = bits & 0x7FFFFFFF;
    memcpy(&size, &size_bits, sizeof size);
    statistics_ints large = STATISTICS_MASK(size >= lowest);
    statistics_ints small = STATISTICS_MASK(size < highest);
    bits &= large & small;
    memcpy(&kept, &bits, sizeof kept);
    statistics_doubles value = STATISTICS_DOUBLES(kept);
    statistics_doubles square = value * value;
    statistics_doubles high = (square + splitter) - splitter;
    lanes->sum += value;
    lanes->squares_high += high;
    lanes->squares_low += square - high;
    lanes->below -= STATISTICS_MASK(size < lowest) & STATISTICS_MASK(size > 0);
}

static void statistics_sum(const float *cells, uint32_t count, const struct statistics_slice *slice,
                           struct statistics_sums *sums)
{
    const float lowest = slice->low, highest = slice->high;
    const double splitter = slice->splitter;
    struct statistics_lanes lanes;
    float rest[STATISTICS_LANES] = {0};
    double sum[STATISTICS_LANES], high[STATISTICS_LANES], low[STATISTICS_LANES];
    int32_t below[STATISTICS_LANES];
    memset(&lanes, 0, sizeof lanes);
    size_t i = 0;
    for (; i + STATISTICS_LANES <= count; i += STATISTICS_LANES) {
        statistics_add_lanes(&lanes, cells + i, lowest, highest, splitter);
    }
    memcpy(rest, cells + i, (count - i) * sizeof *rest);
    statistics_add_lanes(&lanes, rest, lowest, highest, splitter);
    memcpy(sum, &lanes.sum, sizeof sum);
    memcpy(high, &lanes.squares_high, sizeof high);
    memcpy(low, &lanes.squares_low, sizeof low);
    memcpy(below, &lanes.below, sizeof below);
    memset(sums, 0, sizeof *sums);
    for (int k = 0; k < STATISTICS_LANES; k++) {
        sums->sum += sum[k];
        sums->squares_high += high[k];
        sums->squares_low += low[k];
        sums->below += (uint32_t)below[k];
    }
}

const struct statistics_kernels TERRAIN__KERNELS(statistics) = {statistics_scan, statistics_sum};
