/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/box_kernels.h"

#include <stdbool.h>

#include "base/cache.h"
#include "base/math.h"
#include "vector/vec.h"

/* ---- Narrow windows -------------------------------------------------------------------------- */

/* The vectors of BOX_GROUP cells. */
enum { BOX_VECTORS = BOX_GROUP / VEC_LANES };

/* The cells of a window along one axis: v[BOX_CENTRE] is its centre. */
enum { BOX_CENTRE = BOX_DIRECT + 1, BOX_SIDE = 2 * BOX_CENTRE + 1 };

struct box_side {
    vfloat v[BOX_SIDE];
};

/* The sum of both cells at distance k from the centre. */
static inline vfloat box_both(const struct box_side *cells, uint32_t k)
{
    return cells->v[BOX_CENTRE - k] + cells->v[BOX_CENTRE + k];
}

/* The mean as the centre plus the mean difference from it. Sums of 2 and of 4 equal cells are
 * exact, so that level ground stays level to the last bit. Mirrored cells give the same sums. */
TERRAIN__INLINE vfloat box_direct_mean(const struct box_side *cells, uint32_t half, bool ends,
                                       const struct box_window *window)
{
    vfloat centre = cells->v[BOX_CENTRE];
    vfloat two = centre + centre;
    vfloat sum = vf_set(0);
    if (half == 1) {
        sum = box_both(cells, 1) - two;
    } else if (half == 2) {
        sum = (box_both(cells, 1) + box_both(cells, 2)) - (two + two);
    } else if (half == 3) {
        sum =
            (box_both(cells, 1) - two) + ((box_both(cells, 2) + box_both(cells, 3)) - (two + two));
    }
    if (ends) {
        sum += (box_both(cells, half + 1) - two) * vf_set(window->fraction);
    }
    return centre + sum * vf_set(window->inverse);
}

/* Loads cells i of `count` rows, the first of which is `reach` before the centre. */
TERRAIN__INLINE struct box_side box_load_side(const float *const *rows, size_t i, uint32_t reach,
                                              uint32_t count)
{
    struct box_side side;
    for (uint32_t k = 0; k < count; k++) {
        side.v[BOX_CENTRE - reach + k] = vf_load(rows[k] + i);
    }
    return side;
}

TERRAIN__INLINE void box_direct_row(float *target, const float *const *cells, uint32_t width,
                                    uint32_t half, bool ends, const struct box_window *window)
{
    /* Local copies, which no store to the target can change, stay in registers. */
    const uint32_t reach = ends ? half + 1 : half;
    const struct box_window own_window = *window;
    const float *own[BOX_SIDE];
    uint32_t i = 0;
    for (uint32_t k = 0; k < 2 * reach + 1; k++) {
        own[k] = cells[k];
    }
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        const struct box_side side = box_load_side(own, i, reach, 2 * reach + 1);
        vf_store(target + i, box_direct_mean(&side, half, ends, &own_window));
    }
    if (i < width) {
        const struct box_side side = box_load_side(own, i, reach, 2 * reach + 1);
        vf_store_first(target + i, box_direct_mean(&side, half, ends, &own_window), width - i);
    }
}

/* Averages a vector of columns across, and with the rows before it down. `cells` is where the
 * first of them lies, `at` its column. */
TERRAIN__INLINE vfloat box_narrow_vector(float *newest, const float *cells,
                                         const float *const *rows, size_t at, uint32_t half,
                                         bool ends, const struct box_window *window)
{
    const uint32_t reach = ends ? half + 1 : half;
    struct box_side across, down = box_load_side(rows, at, reach, 2 * reach);
    for (uint32_t k = 0; k < 2 * reach + 1; k++) {
        across.v[BOX_CENTRE - reach + k] = vf_load(cells + k - reach);
    }
    down.v[BOX_CENTRE + reach] = box_direct_mean(&across, half, ends, window);
    vf_store(newest + at, down.v[BOX_CENTRE + reach]);
    return box_direct_mean(&down, half, ends, window);
}

/* A vector is stored once the cells of the next one have been read: these may lie a multiple of
 * 4 KiB from it, and processors would take some of them for the cells just stored. */
TERRAIN__INLINE void box_narrow_row(float *target, const float *const *rows,
                                    const struct box_narrow_cells *cells, uint32_t half, bool ends,
                                    const struct box_window *window)
{
    const struct box_narrow_cells own = *cells;
    const struct box_window own_window = *window;
    const uint32_t reach = ends ? half + 1 : half;
    const uint32_t last = own.columns / BOX_GROUP * BOX_GROUP - BOX_GROUP;
    const float *own_rows[BOX_SIDE];
    size_t x = 0;
    for (uint32_t k = 0; k < 2 * reach; k++) {
        own_rows[k] = rows[k];
    }
    vfloat means = box_narrow_vector(own.newest, own.begin, own_rows, x, half, ends, &own_window);
#define BOX_NEXT(cells)                                                                            \
    do {                                                                                           \
        const vfloat before = means;                                                               \
        means = box_narrow_vector(own.newest, cells, own_rows, x, half, ends, &own_window);        \
        vf_store(target + x - VEC_LANES, before);                                                  \
    } while (0)
    for (x += VEC_LANES; x < BOX_GROUP; x += VEC_LANES) {
        BOX_NEXT(own.begin + x);
    }
    while (x < last) {
        terrain__prefetch_far(own.next + x, BOX_GROUP * sizeof(float));
        for (uint32_t k = 0; k < BOX_VECTORS; k++, x += VEC_LANES) {
            BOX_NEXT(own.inner + x);
        }
    }
    for (; x < own.columns; x += VEC_LANES) {
        BOX_NEXT(own.end + (x - last));
    }
#undef BOX_NEXT
    x -= VEC_LANES;
    vf_store_first(target + x, means, (uint32_t)(own.columns - x));
}

/* Calls a function for the window's half, and for whether its ends count in part: as constants. */
#define BOX_NARROW(function, ...)                                                                  \
    do {                                                                                           \
        const bool ends = window->fraction != 0;                                                   \
        if (window->half == 0) {                                                                   \
            function(__VA_ARGS__, 0, true, window);                                                \
        } else if (window->half == 1 && ends) {                                                    \
            function(__VA_ARGS__, 1, true, window);                                                \
        } else if (window->half == 1) {                                                            \
            function(__VA_ARGS__, 1, false, window);                                               \
        } else if (window->half == 2 && ends) {                                                    \
            function(__VA_ARGS__, 2, true, window);                                                \
        } else if (window->half == 2) {                                                            \
            function(__VA_ARGS__, 2, false, window);                                               \
        } else if (ends) {                                                                         \
            function(__VA_ARGS__, 3, true, window);                                                \
        } else {                                                                                   \
            function(__VA_ARGS__, 3, false, window);                                               \
        }                                                                                          \
    } while (0)

static void box_direct(float *target, const float *const *cells, uint32_t width,
                       const struct box_window *window)
{
    BOX_NARROW(box_direct_row, target, cells, width);
}

static void box_narrow(float *target, const float *const *rows,
                       const struct box_narrow_cells *cells, const struct box_window *window)
{
    BOX_NARROW(box_narrow_row, target, rows, cells);
}

/* ---- Across ---------------------------------------------------------------------------------- */

struct box_column {
    vfloat v[BOX_VECTORS];
};

static inline struct box_column box_zeros(void)
{
    struct box_column column;
    for (uint32_t k = 0; k < BOX_VECTORS; k++) {
        column.v[k] = vf_set(0);
    }
    return column;
}

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

/* Adds the difference of a column's cells from the reference. */
static inline void box_add_cell(struct box_column *sum, const float *cell,
                                const struct box_column *reference)
{
    for (uint32_t k = 0; k < BOX_VECTORS; k++) {
        sum->v[k] -= reference->v[k] - vf_load(cell + k * VEC_LANES);
    }
}

static inline bool box_counts(const struct box_across *walk, int64_t column)
{
    return column >= walk->first && column <= walk->last;
}

/* Replaces the `count` columns before column `column`, which lies in slot `slot`, by the sums from
 * each of them to the block's end. */
TERRAIN__INLINE void box_sum_back(const struct box_across *walk, struct box_column *sum,
                                  const struct box_column *reference, uint32_t slot, int64_t column,
                                  uint32_t count, bool open)
{
    float *cell = walk->ring + slot * BOX_GROUP;
    for (uint32_t i = 1; i <= count; i++) {
        cell -= BOX_GROUP;
        if (!open || box_counts(walk, column - i)) {
            box_add_cell(sum, cell, reference);
        }
        box_store(cell, sum);
    }
}

/* Completes the block that ends with the next column: sums back from its end replace its columns
 * since the walk began. */
TERRAIN__INLINE void box_sum_block(const struct box_across *walk,
                                   const struct box_column *reference, bool open)
{
    const uint32_t length = 2 * walk->reach;
    const uint32_t count = walk->column < length ? (uint32_t)walk->column : length;
    const uint32_t here = count < walk->slot ? count : walk->slot;
    struct box_column sum = box_zeros();
    box_store(walk->ring + walk->slot * BOX_GROUP, &sum);
    box_sum_back(walk, &sum, reference, walk->slot, walk->column, here, open);
    box_sum_back(walk, &sum, reference, walk->slots, walk->column - here, count - here, open);
}

/* The windows that end with the columns of a stretch. */
struct box_windows {
    float *means; /* NULL: not wanted */
    const float *inverse;
    const float *sums;  /* from the first window's first column on */
    const float *inner; /* from its second column on */
    vfloat fraction;
};

/* The mean of window i, whose last column has just been added to the sum; `before` is the sum
 * without it. */
TERRAIN__INLINE void box_across_mean(const struct box_windows *windows, uint32_t i,
                                     const struct box_column *before, const struct box_column *sum,
                                     const struct box_column *reference, bool ends)
{
    const vfloat inverse = vf_set(windows->inverse[i]);
    for (uint32_t k = 0; k < BOX_VECTORS; k++) {
        const size_t at = (size_t)i * BOX_GROUP + k * VEC_LANES;
        vfloat all = vf_load(windows->sums + at) + sum->v[k];
        if (ends) {
            vfloat within = vf_load(windows->inner + at) + before->v[k];
            all = within + (all - within) * windows->fraction;
        }
        vf_store(windows->means + at, reference->v[k] + all * inverse);
    }
}

/* Adds `count` columns, none of which is a block's last one, and makes their windows' means. */
TERRAIN__INLINE void box_across_stretch(const struct box_across *walk,
                                        const struct box_windows *windows, struct box_column *sum,
                                        const struct box_column *reference, uint32_t count,
                                        bool open, bool ends)
{
    const float *cells = walk->ring + walk->slot * BOX_GROUP;
    for (uint32_t i = 0; i < count; i++) {
        const struct box_column before = *sum;
        if (!open || box_counts(walk, walk->column + i)) {
            box_add_cell(sum, cells + (size_t)i * BOX_GROUP, reference);
        }
        if (windows->means != NULL) {
            box_across_mean(windows, i, &before, sum, reference, ends);
        }
    }
}

/* Goes in stretches, up to the last column of a block, which is a stretch of its own, and up to
 * where the ring starts over. With ends, the window that starts with a block's last column is also
 * a stretch of its own, as its block has no sums after that column. */
TERRAIN__INLINE void box_across_columns(struct box_across *walk, float *means, const float *inverse,
                                        uint32_t count, bool open, bool ends)
{
    const uint32_t length = 2 * walk->reach, slots = walk->slots;
    const struct box_windows none = {.means = NULL};
    struct box_windows windows = {.inverse = inverse, .fraction = vf_set(walk->fraction)};
    struct box_column sum = box_load(walk->sum), reference = box_load(walk->reference);
    while (count > 0) {
        const uint32_t slot = walk->slot, left = length - walk->place;
        const uint32_t from = (slot >= length ? slot : slot + slots) - length;
        const uint32_t inner = left == 1 ? from : from + 1 < slots ? from + 1 : 0;
        uint32_t stretch = terrain__lesser(count, slots - (slot > from ? slot : from));
        stretch = terrain__lesser(stretch, ends && left > 1 ? left - 1 : left);
        stretch = terrain__lesser(stretch, ends ? slots - inner : stretch);
        windows.means = means;
        windows.sums = walk->ring + from * BOX_GROUP;
        windows.inner = walk->ring + inner * BOX_GROUP;
        if (left == 0) {
            stretch = 1;
            sum = box_zeros();
            reference = box_load(walk->ring + slot * BOX_GROUP);
            box_sum_block(walk, &reference, open);
            walk->begun = true;
            if (means != NULL) {
                box_across_mean(&windows, 0, &sum, &sum, &reference, ends);
            }
        } else if (walk->begun && means == NULL) {
            box_across_stretch(walk, &none, &sum, &reference, stretch, open, ends);
        } else if (walk->begun) {
            box_across_stretch(walk, &windows, &sum, &reference, stretch, open, ends);
        }
        count -= stretch;
        walk->column += stretch;
        walk->place = left > 0 ? walk->place + stretch : 0;
        walk->slot = slot + stretch < slots ? slot + stretch : 0;
        if (means != NULL) {
            means += stretch * BOX_GROUP;
            windows.inverse += stretch;
        }
    }
    box_store(walk->sum, &sum);
    box_store(walk->reference, &reference);
}

static void box_across(struct box_across *walk, float *means, const float *inverse, uint32_t count)
{
    if (walk->open && walk->fraction != 0) {
        box_across_columns(walk, means, inverse, count, true, true);
    } else if (walk->open) {
        box_across_columns(walk, means, inverse, count, true, false);
    } else if (walk->fraction != 0) {
        box_across_columns(walk, means, inverse, count, false, true);
    } else {
        box_across_columns(walk, means, inverse, count, false, false);
    }
}

static void box_repeat(float *columns, const float *column, uint32_t count)
{
    const struct box_column repeated = box_load(column);
    for (uint32_t i = 0; i < count; i++) {
        box_store(columns + i * BOX_GROUP, &repeated);
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

/* Rows that are added together, and how many of their columns before the next rows follow. Long
 * stretches of few rows are faster than short ones of many: the processor predicts their cells. */
enum { BOX_ROWS = 2, BOX_COLUMNS = 1024 };

/* Adds rows `first` to first + rows - 1 in columns `begin` to end - 1: whole vectors, or the part
 * of one at the end of a row. The targets of the rows that follow are asked for: processors predict
 * what a short row reads, but stores to lines that are not in the fastest cache wait for each
 * other. */
TERRAIN__INLINE void box_add_vectors(const struct box_batch *batch, size_t first, uint32_t rows,
                                     size_t begin, size_t end, bool whole, bool targets, bool ends)
{
    const vfloat fraction = vf_set(batch->fraction);
    const float *cells[BOX_ROWS], *sums[BOX_ROWS], *inner[BOX_ROWS];
    float *target[BOX_ROWS];
    const float *soon[BOX_ROWS];
    vfloat inverse[BOX_ROWS];
    for (uint32_t k = 0; k < rows; k++) {
        cells[k] = batch->cells[first + k];
        sums[k] = targets ? batch->sums[first + k] : NULL;
        inner[k] = ends ? batch->inner[first + k] : NULL;
        target[k] = targets ? batch->targets[first + k] : NULL;
        soon[k] = targets ? batch->targets[terrain__lesser(first + rows + k, batch->last)] : NULL;
        inverse[k] = vf_set(targets ? batch->inverse[first + k] : 0);
    }
    for (size_t column = begin; column < end; column += VEC_LANES) {
        const vfloat centre = vf_load(batch->reference + column);
        vfloat sum = vf_load(batch->prefix + column);
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
                terrain__prefetch_far(soon[k] + column, VEC_LANES * sizeof(float));
                vf_store(target[k] + column, all);
            } else {
                vf_store_first(target[k] + column, all, end - column);
            }
        }
        vf_store(batch->prefix + column, sum);
    }
}

TERRAIN__INLINE void box_add_part(const struct box_batch *batch, size_t first, uint32_t rows,
                                  size_t begin, size_t end, bool targets, bool ends)
{
    const size_t whole = begin + (end - begin) / VEC_LANES * VEC_LANES;
    box_add_vectors(batch, first, rows, begin, whole, true, targets, ends);
    box_add_vectors(batch, first, rows, whole, end, false, targets, ends);
}

TERRAIN__INLINE void box_add_lines(const struct box_batch *batch, bool targets, bool ends)
{
    const struct box_batch own = *batch;
    for (uint32_t begin = 0; begin < own.columns; begin += BOX_COLUMNS) {
        const uint32_t end = begin + terrain__lesser(own.columns - begin, BOX_COLUMNS);
        size_t i = 0;
        for (; i + BOX_ROWS <= own.count; i += BOX_ROWS) {
            box_add_part(&own, i, BOX_ROWS, begin, end, targets, ends);
        }
        for (; i < own.count; i++) {
            box_add_part(&own, i, 1, begin, end, targets, ends);
        }
    }
}

static void box_add(const struct box_batch *batch)
{
    if (batch->targets == NULL) {
        box_add_lines(batch, false, false);
    } else if (batch->fraction != 0) {
        box_add_lines(batch, true, true);
    } else {
        box_add_lines(batch, true, false);
    }
}

/* Vectors side by side, whose sums stay in registers. */
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

const struct box_kernels TERRAIN__KERNELS(box) = {box_direct, box_narrow, box_across,
                                                  box_repeat, box_add,    box_fold};
