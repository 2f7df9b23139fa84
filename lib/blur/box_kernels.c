/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/box_kernels.h"

#include <stdbool.h>

#include "vector/vec.h"

/* ---- Few cells ---------------------------------------------------------------------------- */

/* The cells at distance k from the centre. */
static inline vfloat box_both(const float *const *cells, uint32_t half, uint32_t k, size_t i)
{
    return vf_load(cells[half - k] + i) + vf_load(cells[half + k] + i);
}

/* The mean as the centre plus the mean difference from it. Sums of 2 and of 4 equal cells are
 * exact, so that what is level stays level to the last bit; and they are the same for mirrored
 * cells. */
TERRAIN__INLINE vfloat box_direct_mean(const float *const *cells, size_t i, uint32_t half,
                                       bool ends, const struct box_window *window)
{
    vfloat centre = vf_load(cells[half] + i);
    vfloat two = centre + centre;
    vfloat sum = vf_set(0);
    if (half == 1) {
        sum = box_both(cells, half, 1, i) - two;
    } else if (half == 2) {
        sum = (box_both(cells, half, 1, i) + box_both(cells, half, 2, i)) - (two + two);
    } else if (half == 3) {
        sum = (box_both(cells, half, 1, i) - two) +
              ((box_both(cells, half, 2, i) + box_both(cells, half, 3, i)) - (two + two));
    }
    if (ends) {
        vfloat beside = vf_load(cells[-1] + i) + vf_load(cells[2 * half + 1] + i);
        sum += (beside - two) * vf_set(window->fraction);
    }
    return centre + sum * vf_set(window->inverse);
}

TERRAIN__INLINE void box_direct_row(float *target, const float *const *cells, uint32_t width,
                                    uint32_t half, bool ends, const struct box_window *window)
{
    /* Its own, which no store to the target can change, so that they stay in registers. */
    const float *own[2 * BOX_DIRECT + 3];
    const float *const *from = own + 1;
    uint32_t i = 0;
    for (uint32_t k = ends ? 0 : 1; k < 2 * half + (ends ? 3 : 2); k++) {
        own[k] = cells[(ptrdiff_t)k - 1];
    }
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        vf_store(target + i, box_direct_mean(from, i, half, ends, window));
    }
    if (i < width) {
        vf_store_first(target + i, box_direct_mean(from, i, half, ends, window), width - i);
    }
}

static void box_direct(float *target, const float *const *cells, uint32_t width,
                       const struct box_window *window)
{
    bool ends = window->fraction != 0;
    switch (window->half) {
    case 0:
        box_direct_row(target, cells, width, 0, true, window);
        break;
    case 1:
        if (ends) {
            box_direct_row(target, cells, width, 1, true, window);
        } else {
            box_direct_row(target, cells, width, 1, false, window);
        }
        break;
    case 2:
        if (ends) {
            box_direct_row(target, cells, width, 2, true, window);
        } else {
            box_direct_row(target, cells, width, 2, false, window);
        }
        break;
    default:
        if (ends) {
            box_direct_row(target, cells, width, 3, true, window);
        } else {
            box_direct_row(target, cells, width, 3, false, window);
        }
    }
}

/* ---- Across ---------------------------------------------------------------------------------- */

/* Vectors that hold a column of turned rows. */
enum { BOX_VECTORS = BOX_GROUP / VEC_LANES };

struct box_column {
    vfloat v[BOX_VECTORS];
};

static inline struct box_column box_load(const float *from)
{
    struct box_column column;
    for (uint32_t k = 0; k < BOX_VECTORS; k++) {
        column.v[k] = vf_load(from + k * VEC_LANES);
    }
    return column;
}

static inline void box_store(float *to, const struct box_column *column)
{
    for (uint32_t k = 0; k < BOX_VECTORS; k++) {
        vf_store(to + k * VEC_LANES, column->v[k]);
    }
}

/* Adds the difference of a cell from the reference. */
static inline void box_add_cell(struct box_column *sum, const float *cell,
                                const struct box_column *reference)
{
    for (uint32_t k = 0; k < BOX_VECTORS; k++) {
        sum->v[k] -= reference->v[k] - vf_load(cell + k * VEC_LANES);
    }
}

static inline bool box_counts(const struct box_across *across, int64_t i)
{
    return i >= across->first && i <= across->last;
}

/* sums from the end of a block: turned[i] becomes the sum of the cells from i to `last`, the
 * reference. */
TERRAIN__INLINE void box_across_back(float *turned, int64_t first, int64_t last, bool open,
                                     const struct box_column *reference,
                                     const struct box_across *across)
{
    struct box_column sum = {{{0}}};
    box_store(turned + last * BOX_GROUP, &sum);
    for (int64_t i = last - 1; i >= first; i--) {
        float *cell = turned + i * BOX_GROUP;
        if (!open || box_counts(across, i)) {
            box_add_cell(&sum, cell, reference);
        }
        box_store(cell, &sum);
    }
}

/* The means of the windows that begin with columns `first` to `end` - 1 of a block whose last one,
 * the reference, is `last`. */
TERRAIN__INLINE void box_across_ahead(float *turned, int64_t first, int64_t end, int64_t last,
                                      bool open, bool ends, const struct box_column *reference,
                                      const struct box_across *across)
{
    const int64_t reach = across->reach;
    const vfloat fraction = vf_set(across->fraction);
    struct box_column sum = {{{0}}};
    int64_t next = last + 1;
    for (; next < first + 2 * reach; next++) {
        if (!open || box_counts(across, next)) {
            box_add_cell(&sum, turned + next * BOX_GROUP, reference);
        }
    }
    for (int64_t i = first; i < end; i++) {
        float *cell = turned + i * BOX_GROUP;
        const float *inner = cell + (i < last ? BOX_GROUP : 0);
        const vfloat inverse = vf_set(across->inverse[i]);
        const struct box_column before = sum;
        const int64_t enters = i + 2 * reach;
        if (enters > last && (!open || box_counts(across, enters))) {
            box_add_cell(&sum, turned + enters * BOX_GROUP, reference);
        }
        for (uint32_t k = 0; k < BOX_VECTORS; k++) {
            vfloat all = vf_load(cell + k * VEC_LANES) + sum.v[k];
            if (ends) {
                vfloat within = vf_load(inner + k * VEC_LANES) + before.v[k];
                all = within + (all - within) * fraction;
            }
            vf_store(cell + k * VEC_LANES, reference->v[k] + all * inverse);
        }
    }
}

TERRAIN__INLINE void box_across_blocks(float *turned, uint32_t width, bool open, bool ends,
                                       const struct box_across *across)
{
    const int64_t reach = across->reach;
    int64_t first = 0;
    int64_t last = 2 * reach - across->phase;
    for (; first < width; first = last + 1, last = first + 2 * reach) {
        int64_t counts = !open                  ? last
                         : last < across->first ? across->first
                         : last > across->last  ? across->last
                                                : last;
        const struct box_column reference = box_load(turned + counts * BOX_GROUP);
        int64_t end = last + 1 < width ? last + 1 : width;
        box_across_back(turned, first, last, open, &reference, across);
        box_across_ahead(turned, first, end, last, open, ends, &reference, across);
    }
}

static void box_across(float *turned, uint32_t width, const struct box_across *across)
{
    /* Its own, which no store can change. */
    const struct box_across own = *across;
    if (own.open && own.fraction != 0) {
        box_across_blocks(turned, width, true, true, &own);
    } else if (own.open) {
        box_across_blocks(turned, width, true, false, &own);
    } else if (own.fraction != 0) {
        box_across_blocks(turned, width, false, true, &own);
    } else {
        box_across_blocks(turned, width, false, false, &own);
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

static inline uint32_t box_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Rows that are added together, and columns of them before the next ones follow. A long way along
 * few rows is read and written faster than a short one along many: the processor foresees it. */
enum { BOX_ROWS = 2, BOX_COLUMNS = 1024 };

/* Rows `first` to first + rows - 1, columns `begin` to end - 1: whole vectors, or the last ones. */
TERRAIN__INLINE void box_add_vectors(const struct box_run *run, size_t first, uint32_t rows,
                                     size_t begin, size_t end, bool whole, float *prefix,
                                     const float *reference, bool targets, bool ends)
{
    const vfloat fraction = vf_set(run->fraction);
    const float *cells[BOX_ROWS], *sums[BOX_ROWS], *inner[BOX_ROWS];
    float *target[BOX_ROWS];
    vfloat inverse[BOX_ROWS];
    for (uint32_t k = 0; k < rows; k++) {
        cells[k] = run->cells[first + k];
        sums[k] = targets ? run->sums[first + k] : NULL;
        inner[k] = ends ? run->inner[first + k] : NULL;
        target[k] = targets ? run->targets[first + k] : NULL;
        inverse[k] = vf_set(targets ? run->inverse[first + k] : 0);
    }
    for (size_t column = begin; column < end; column += VEC_LANES) {
        const vfloat centre = vf_load(reference + column);
        vfloat sum = vf_load(prefix + column);
        for (uint32_t k = 0; k < rows; k++) {
            vfloat within = sum;
            vfloat all;
            sum -= centre - vf_load(cells[k] + column);
            if (!targets) {
                continue;
            }
            all = vf_load(sums[k] + column) + sum;
            if (ends) {
                within = vf_load(inner[k] + column) + within;
                all = within + (all - within) * fraction;
            }
            all = centre + all * inverse[k];
            if (whole) {
                vf_store(target[k] + column, all);
            } else {
                vf_store_first(target[k] + column, all, end - column);
            }
        }
        vf_store(prefix + column, sum);
    }
}

TERRAIN__INLINE void box_add_part(const struct box_run *run, size_t first, uint32_t rows,
                                  size_t begin, size_t end, float *prefix, const float *reference,
                                  bool targets, bool ends)
{
    const size_t whole = begin + (end - begin) / VEC_LANES * VEC_LANES;
    box_add_vectors(run, first, rows, begin, whole, true, prefix, reference, targets, ends);
    box_add_vectors(run, first, rows, whole, end, false, prefix, reference, targets, ends);
}

TERRAIN__INLINE void box_add_lines(const struct box_run *run, float *prefix, const float *reference,
                                   bool targets, bool ends)
{
    const struct box_run own = *run;
    for (uint32_t begin = 0; begin < own.columns; begin += BOX_COLUMNS) {
        const uint32_t end = begin + box_least(own.columns - begin, BOX_COLUMNS);
        size_t i = 0;
        for (; i + BOX_ROWS <= own.count; i += BOX_ROWS) {
            box_add_part(&own, i, BOX_ROWS, begin, end, prefix, reference, targets, ends);
        }
        for (; i < own.count; i++) {
            box_add_part(&own, i, 1, begin, end, prefix, reference, targets, ends);
        }
    }
}

static void box_add(const struct box_run *run, float *prefix, const float *reference)
{
    if (run->targets == NULL) {
        box_add_lines(run, prefix, reference, false, false);
    } else if (run->fraction != 0) {
        box_add_lines(run, prefix, reference, true, true);
    } else {
        box_add_lines(run, prefix, reference, true, false);
    }
}

/* Vectors side by side, whose sums run on in registers. */
enum { BOX_SIDE_BY_SIDE = 4 };

TERRAIN__INLINE void box_fold_columns(float *const *sums, const float *const *cells,
                                      const float *reference, size_t count, size_t column,
                                      uint32_t vectors)
{
    vfloat sum[BOX_SIDE_BY_SIDE];
    vfloat centre[BOX_SIDE_BY_SIDE];
    for (uint32_t k = 0; k < vectors; k++) {
        sum[k] = vf_load(sums[count] + column + k * VEC_LANES);
        centre[k] = vf_load(reference + column + k * VEC_LANES);
    }
    for (size_t i = count; i-- > 0;) {
        const float *from = cells[i] + column;
        float *to = sums[i] + column;
        for (uint32_t k = 0; k < vectors; k++) {
            sum[k] -= centre[k] - vf_load(from + k * VEC_LANES);
            vf_store(to + k * VEC_LANES, sum[k]);
        }
    }
}

static void box_fold(float *const *sums, const float *const *cells, const float *reference,
                     uint32_t count, uint32_t columns)
{
    uint32_t column = 0;
    for (; column + BOX_SIDE_BY_SIDE * VEC_LANES <= columns;
         column += BOX_SIDE_BY_SIDE * VEC_LANES) {
        box_fold_columns(sums, cells, reference, count, column, BOX_SIDE_BY_SIDE);
    }
    for (; column < columns; column += VEC_LANES) {
        box_fold_columns(sums, cells, reference, count, column, 1);
    }
}

const struct box_kernels TERRAIN__KERNELS(box) = {box_direct, box_across, box_add, box_fold};
