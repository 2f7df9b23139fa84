/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/shear_regions_kernels.h"

#include <math.h>

#include "base/cache.h"
#include "terrain/erode.h"
#include "vector/random.h"
#include "vector/random_vec.h"
#include "vector/vec.h"

enum {
    REGIONS_COUNT = TERRAIN__REGION_SITES,
    REGIONS_PATCH_WIDTH = TERRAIN__REGION_PATCH_WIDTH,
    REGIONS_PATCH_HEIGHT = TERRAIN__REGION_PATCH_HEIGHT,
    REGIONS_PARTS = REGIONS_PATCH_WIDTH / VEC_LANES /* vectors in a row of a patch */
};

/* ---- The warp -------------------------------------------------------------------------------- */

/* Seven bits as an odd number of 128ths between -1 and 1. */
static inline vfloat regions_node_value(vuint bits)
{
    vint n = vi_from_bits(bits & vu_set(127));
    return vf_from_int(n + n - vi_set(127)) * vf_set(0x1p-7f);
}

/* Adds to the first `left` cells only: adding to those behind them would add twice. */
static inline void regions_add(float *to, vfloat v, uint32_t left)
{
    if (left < VEC_LANES) {
        vf_store_first(to, vf_load_first(to, left) + v, left);
    } else {
        vf_store(to, vf_load(to) + v);
    }
}

/* Adds nodes whose numbers have the same high word. */
static void regions_add_run(float *x, float *y, const uint64_t columns[2], vfloat between,
                            vfloat weight, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vuint node = vu_set(first + i) + vu_lane();
        vuint above = vu_random_bits(columns[0], node);
        vuint below = vu_random_bits(columns[1], node);
        vfloat x0 = regions_node_value(above >> 25), x1 = regions_node_value(below >> 25);
        vfloat y0 = regions_node_value(above >> 18), y1 = regions_node_value(below >> 18);
        regions_add(x + i, weight * (x0 + between * (x1 - x0)), count - i);
        regions_add(y + i, weight * (y0 + between * (y1 - y0)), count - i);
    }
}

static void regions_add_nodes(float *x, float *y, const uint64_t rows[2], float between,
                              float weight, int64_t first, uint32_t count)
{
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        int64_t node = first + begin;
        uint64_t columns[2] = {terrain__random_column(rows[0], node),
                               terrain__random_column(rows[1], node)};
        end = begin + terrain__random_run(node, count - begin);
        regions_add_run(x + begin, y + begin, columns, vf_set(between), vf_set(weight),
                        (uint32_t)node, end - begin);
    }
}

static void regions_refine(float *out, const float *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vfloat here = vf_load(in + i);
        vf_store_pairs(out + 2 * (size_t)i, here, vf_set(0.5f) * (here + vf_load(in + i + 1)));
    }
}

/* ---- Patches --------------------------------------------------------------------------------- */

/* Numbers of the bits that are set. */
struct regions_list {
    uint32_t count;
    uint32_t items[REGIONS_COUNT];
};

static inline struct regions_list regions_list_of(uint32_t bits)
{
    struct regions_list list;
    list.count = 0;
    for (uint32_t k = 0; k < REGIONS_COUNT && bits >> k != 0; k++) {
        list.items[list.count] = k;
        list.count += bits >> k & 1;
    }
    return list;
}

/* Sites that may own a cell of a patch, in the order of their labels. */
struct regions_owners {
    float x[REGIONS_COUNT];
    float y[REGIONS_COUNT];
    uint32_t label[REGIONS_COUNT];
    uint32_t count;
    struct regions_list chosen;
};

struct regions_patch {
    uint32_t left, top, width, height; /* cells of the square */
};

/* Lowest and highest height of each site's cells, lane by lane. */
struct regions_extremes {
    vfloat low[REGIONS_COUNT];
    vfloat high[REGIONS_COUNT];
};

/* The warp in x at the knot row above a row of the square, from its first column on. */
static inline const float *regions_warp_at(const struct shear_regions_square *square, uint32_t row)
{
    return square->warp + ((square->phase + row) >> square->halvings) * 2 * square->warp_stride;
}

/* Prefetches what will be needed 32 columns later: rows are too far apart for the processor to
 * predict it. Without this a map of 1024x1024 takes three times as long. */
static inline void regions_prefetch_cells(const struct shear_regions_square *square,
                                          const struct regions_patch *patch)
{
    const uint32_t left = patch->left + 2 * REGIONS_PATCH_WIDTH;
    for (uint32_t row = patch->top; row < patch->top + patch->height; row++) {
        terrain__prefetch_far(square->heights + row * square->height_stride + left, 1);
        terrain__prefetch_far(square->labels + row * square->label_stride + left, 1);
    }
}

static inline void regions_prefetch_warp(const struct shear_regions_square *square,
                                         const struct regions_patch *patch)
{
    const uint32_t left = patch->left + 2 * REGIONS_PATCH_WIDTH;
    const float *last = regions_warp_at(square, patch->top + patch->height - 1) + left;
    const float *row = regions_warp_at(square, patch->top) + left;
    do {
        terrain__prefetch_far(row, 1);
        terrain__prefetch_far(row + square->warp_stride, 1);
        row += 2 * square->warp_stride;
    } while (square->warp_stride > 0 && row <= last);
}

TERRAIN__INLINE vfloat regions_distance(vfloat dx, vfloat dy, uint32_t metric)
{
    return metric == TERRAIN_METRIC_EUCLIDEAN ? dx * dx + dy * dy : vf_max(vf_abs(dx), vf_abs(dy));
}

/* Leaves out each site that is farther than the one nearest to the middle of the patch, from all
 * places to which the patch's cells may be warped. The squared distances to two sites differ by a
 * linear function of the place; any other distance changes by no more than the place does. */
TERRAIN__INLINE uint32_t regions_find_owners(struct regions_owners *owners,
                                             const struct shear_regions_square *square,
                                             const struct regions_patch *patch, uint32_t metric)
{
    const float half_x = 0.5f * (float)(int32_t)(patch->width - 1);
    const float half_y = 0.5f * (float)(int32_t)(patch->height - 1);
    const float x = (float)(int32_t)(square->left + patch->left) + half_x;
    const float y = (float)(int32_t)(square->top + patch->top) + half_y;
    const float reach_x = half_x + square->reach;
    const float reach_y = half_y + square->reach;
    float distance[16], spare[16];
    uint32_t nearest = 0;
    uint32_t chosen = 0;
    for (uint32_t k = 0; k < 16; k += VEC_LANES) {
        vfloat dx = vf_set(x) - vf_load(square->site_x + k);
        vfloat dy = vf_set(y) - vf_load(square->site_y + k);
        vf_store(distance + k, regions_distance(dx, dy, metric));
    }
    for (uint32_t k = 1; k < REGIONS_COUNT; k++) {
        nearest = distance[k] < distance[nearest] ? k : nearest;
    }
    for (uint32_t k = 0; k < 16; k += VEC_LANES) {
        vfloat dx = vf_abs(vf_load(square->site_x + k) - vf_set(square->site_x[nearest]));
        vfloat dy = vf_abs(vf_load(square->site_y + k) - vf_set(square->site_y[nearest]));
        vfloat change = metric == TERRAIN_METRIC_EUCLIDEAN
                            ? dx * vf_set(reach_x) + dy * vf_set(reach_y)
                            : vf_set(reach_x > reach_y ? reach_x : reach_y);
        vf_store(spare + k, (vf_load(distance + k) - vf_set(distance[nearest] + square->margin)) -
                                (change + change));
    }
    owners->count = 0;
    for (uint32_t k = 0; k < REGIONS_COUNT; k++) {
        bool may = !(spare[k] > 0);
        owners->x[owners->count] = square->site_x[k];
        owners->y[owners->count] = square->site_y[k];
        owners->label[owners->count] = k;
        owners->count += may;
        chosen |= (uint32_t)may << k;
    }
    chosen &= square->chosen;
    owners->chosen = regions_list_of(chosen);
    return chosen;
}

/* The label of the owner nearest to each place; the first one if several are. */
TERRAIN__INLINE vint regions_nearest(vfloat x, vfloat y, const struct regions_owners *owners,
                                     uint32_t metric)
{
    vfloat nearest = regions_distance(x - vf_set(owners->x[0]), y - vf_set(owners->y[0]), metric);
    vint label = vi_set((int32_t)owners->label[0]);
    for (uint32_t k = 1; k < owners->count; k++) {
        vfloat d = regions_distance(x - vf_set(owners->x[k]), y - vf_set(owners->y[k]), metric);
        vmask nearer = vf_less(d, nearest);
        nearest = vf_select(nearer, d, nearest);
        label = vi_select(nearer, vi_set((int32_t)owners->label[k]), label);
    }
    return label;
}

/* NaN where there are no more cells: it counts for neither lowest nor highest. */
static inline vfloat regions_heights(const float *from, uint32_t left)
{
    vint lane = vi_from_bits(vu_lane());
    return left < VEC_LANES ? vf_select(vi_less(lane, vi_set((int32_t)left)),
                                        vf_load_first(from, left), vf_set(NAN))
                            : vf_load(from);
}

static inline void regions_extend(struct regions_extremes *extremes, uint32_t k, vfloat h)
{
    extremes->low[k] = vf_min(h, extremes->low[k]);
    extremes->high[k] = vf_max(h, extremes->high[k]);
}

/* Interpolates between the knot rows above and below. */
static inline vfloat regions_mix(const float *above, size_t step, vfloat between)
{
    vfloat from = vf_load(above);
    return from + between * (vf_load(above + step) - from);
}

/* Labels a row of a patch. */
TERRAIN__INLINE void regions_label_row(const struct shear_regions_square *square, uint32_t row,
                                       const struct regions_patch *patch,
                                       const struct regions_owners *owners,
                                       struct regions_extremes *extremes, uint32_t metric)
{
    const uint32_t beyond = (square->phase + row) & ((1u << square->halvings) - 1);
    const size_t step = 2 * square->warp_stride;
    const float *warp_x = regions_warp_at(square, row) + patch->left;
    const float *warp_y = warp_x + square->warp_stride;
    const float *heights = square->heights + row * square->height_stride + patch->left;
    uint8_t *labels = square->labels + row * square->label_stride + patch->left;
    const vfloat between = vf_set((float)(int32_t)beyond * square->part);
    const vfloat scale = vf_set(square->scale);
    const vfloat y = vf_set((float)(int32_t)(square->top + row));
    const vint column = vi_set((int32_t)(square->left + patch->left)) + vi_from_bits(vu_lane());
    for (uint32_t i = 0; i < patch->width; i += VEC_LANES) {
        vfloat x = vf_from_int(column + vi_set((int32_t)i));
        vfloat h = regions_heights(heights + i, patch->width - i);
        vint label =
            regions_nearest(x + scale * regions_mix(warp_x + i, step, between),
                            y + scale * regions_mix(warp_y + i, step, between), owners, metric);
        vi_store_bytes(labels + i, label);
        for (uint32_t n = 0; n < owners->chosen.count; n++) {
            uint32_t k = owners->chosen.items[n];
            vmask of = vi_equal(label, vi_set((int32_t)k));
            regions_extend(extremes, k, vf_select(of, h, vf_set(NAN)));
        }
    }
}

/* Labels a patch all of whose cells are those of site k. */
static void regions_label_whole(const struct shear_regions_square *square,
                                const struct regions_patch *patch, uint32_t k,
                                struct regions_extremes *extremes)
{
    for (uint32_t row = patch->top; row < patch->top + patch->height; row++) {
        const float *heights = square->heights + row * square->height_stride + patch->left;
        memset(square->labels + row * square->label_stride + patch->left, (int)k, patch->width);
        for (uint32_t i = 0; i < patch->width; i += VEC_LANES) {
            regions_extend(extremes, k, regions_heights(heights + i, patch->width - i));
        }
    }
}

/* Labels a patch; returns which chosen sites may own cells of it. */
TERRAIN__INLINE uint32_t regions_label_patch(const struct shear_regions_square *square,
                                             const struct regions_patch *patch,
                                             struct regions_extremes *extremes, uint32_t metric)
{
    struct regions_owners owners;
    regions_prefetch_cells(square, patch);
    regions_prefetch_warp(square, patch);
    uint32_t chosen = regions_find_owners(&owners, square, patch, metric);
    if (chosen != 0 && owners.count == 1) {
        regions_label_whole(square, patch, owners.label[0], extremes);
    } else if (chosen != 0) {
        for (uint32_t row = patch->top; row < patch->top + patch->height; row++) {
            regions_label_row(square, row, patch, &owners, extremes, metric);
        }
    }
    return chosen;
}

static void regions_gather(struct shear_regions_part *part, const struct regions_extremes *extremes,
                           uint32_t chosen)
{
    for (uint32_t k = 0; k < REGIONS_COUNT; k++) {
        float low[VEC_LANES], high[VEC_LANES];
        part->low[k] = INFINITY;
        part->high[k] = -INFINITY;
        if ((chosen >> k & 1) != 0) {
            vf_store(low, extremes->low[k]);
            vf_store(high, extremes->high[k]);
            for (uint32_t i = 0; i < VEC_LANES; i++) {
                part->low[k] = low[i] < part->low[k] ? low[i] : part->low[k];
                part->high[k] = high[i] > part->high[k] ? high[i] : part->high[k];
            }
        }
    }
}

static struct regions_patch regions_patch_at(const struct shear_regions_square *square,
                                             uint32_t left, uint32_t top)
{
    struct regions_patch patch = {
        left, top, shear_regions_patch(left, square->width, square->left, REGIONS_PATCH_WIDTH),
        shear_regions_patch(top, square->height, square->top, REGIONS_PATCH_HEIGHT)};
    return patch;
}

/* The next patch in a row, or the first in the next row; false after the last. */
static bool regions_next_patch(const struct shear_regions_square *square,
                               struct regions_patch *patch)
{
    uint32_t left = patch->left + patch->width;
    uint32_t top = patch->top;
    if (left == square->width) {
        left = 0;
        top += patch->height;
    }
    if (top == square->height) {
        return false;
    }
    *patch = regions_patch_at(square, left, top);
    return true;
}

TERRAIN__INLINE void regions_label(const struct shear_regions_square *square,
                                   struct shear_regions_part *part, uint32_t metric)
{
    struct regions_patch patch = regions_patch_at(square, 0, 0);
    struct regions_extremes extremes;
    uint16_t *owners = square->owners;
    uint32_t chosen = 0;
    for (uint32_t k = 0; k < REGIONS_COUNT; k++) {
        extremes.low[k] = vf_set(INFINITY);
        extremes.high[k] = vf_set(-INFINITY);
    }
    do {
        uint32_t found = regions_label_patch(square, &patch, &extremes, metric);
        chosen |= found;
        *owners++ = (uint16_t)found;
    } while (regions_next_patch(square, &patch));
    regions_gather(part, &extremes, chosen);
}

static void regions_label_euclidean(const struct shear_regions_square *square,
                                    struct shear_regions_part *part)
{
    regions_label(square, part, TERRAIN_METRIC_EUCLIDEAN);
}

static void regions_label_chebyshev(const struct shear_regions_square *square,
                                    struct shear_regions_part *part)
{
    regions_label(square, part, TERRAIN_METRIC_CHEBYSHEV);
}

/* ---- Heaps ----------------------------------------------------------------------------------- */

/* Sums over a site's cells, by columns of patches. */
struct regions_sums {
    vfloat sum[REGIONS_PARTS];
    vint count[REGIONS_PARTS];
};

/* The rows of a patch in full width. Columns that belong to other squares have bits in `outside`
 * that no label has. */
struct regions_columns {
    const float *heights;
    const uint8_t *labels;
    size_t height_stride;
    size_t label_stride;
    vint outside[REGIONS_PARTS];
};

/* A copy of the heights for a patch that reaches over the map's edge. */
struct regions_copy {
    float heights[REGIONS_PATCH_HEIGHT * REGIONS_PATCH_WIDTH];
    uint8_t labels[REGIONS_PATCH_HEIGHT * REGIONS_PATCH_WIDTH];
};

static void regions_copy_columns(const struct shear_regions_square *square,
                                 const struct regions_patch *patch, uint32_t slot,
                                 struct regions_copy *copy)
{
    memset(copy, 0, sizeof *copy);
    for (uint32_t row = 0; row < patch->height; row++) {
        uint32_t at = row * REGIONS_PATCH_WIDTH + slot;
        size_t from = patch->top + row;
        memcpy(copy->heights + at, square->heights + from * square->height_stride + patch->left,
               patch->width * sizeof(float));
        memcpy(copy->labels + at, square->labels + from * square->label_stride + patch->left,
               patch->width);
    }
}

static inline struct regions_columns regions_columns_of(const struct shear_regions_square *square,
                                                        const struct regions_patch *patch,
                                                        struct regions_copy *copy)
{
    const uint32_t slot = (square->left + patch->left) % REGIONS_PATCH_WIDTH;
    const uint32_t end = patch->left + REGIONS_PATCH_WIDTH - slot; /* of the full width */
    struct regions_columns columns;
    if (slot <= square->before + patch->left && end <= square->width + square->after) {
        columns.heights = square->heights + patch->top * square->height_stride + patch->left - slot;
        columns.labels = square->labels + patch->top * square->label_stride + patch->left - slot;
        columns.height_stride = square->height_stride;
        columns.label_stride = square->label_stride;
    } else {
        regions_copy_columns(square, patch, slot, copy);
        columns.heights = copy->heights;
        columns.labels = copy->labels;
        columns.height_stride = columns.label_stride = REGIONS_PATCH_WIDTH;
    }
    for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
        vint column = vi_from_bits(vu_lane()) + vi_set((int32_t)(i * VEC_LANES));
        vint none = vi_set(256);
        vint within =
            vi_select(vi_less(column, vi_set((int32_t)(slot + patch->width))), vi_set(0), none);
        columns.outside[i] = vi_select(vi_less(column, vi_set((int32_t)slot)), none, within);
    }
    return columns;
}

TERRAIN__INLINE void regions_heap_patch(const struct regions_columns *columns, uint32_t height,
                                        vint k, vfloat low, vfloat cut, struct regions_sums *sums)
{
    for (uint32_t row = 0; row < height; row++) {
        const float *heights = columns->heights + row * columns->height_stride;
        const uint8_t *labels = columns->labels + row * columns->label_stride;
        for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
            vfloat above = (vf_load(heights + i * VEC_LANES) - low) - cut;
            vint label = vi_load_bytes(labels + i * VEC_LANES) | columns->outside[i];
            vmask counts = vm_and(vi_equal(label, k), vf_less(vf_set(0), above));
            sums->sum[i] += vf_select(counts, above, vf_set(0));
            sums->count[i] += vi_select(counts, vi_set(1), vi_set(0));
        }
    }
}

/* Adds columns in their order, which is the same for any number of lanes. */
static void regions_add_heap(struct shear_regions_heap *heap, const struct regions_sums *sums)
{
    for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
        float sum[VEC_LANES];
        int32_t count[VEC_LANES];
        vf_store(sum, sums->sum[i]);
        vi_store(count, sums->count[i]);
        for (uint32_t j = 0; j < VEC_LANES; j++) {
            heap->sum += (double)sum[j];
            heap->count += (uint32_t)count[j];
        }
    }
}

static inline struct regions_sums regions_no_sums(void)
{
    struct regions_sums sums;
    for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
        sums.sum[i] = vf_set(0);
        sums.count[i] = vi_set(0);
    }
    return sums;
}

/* Adds the sums of a row of patches to those of the square, and clears them. */
static inline void regions_end_row(struct regions_sums *row, struct regions_sums *sums)
{
    for (uint32_t i = 0; i < REGIONS_PARTS; i++) {
        sums->sum[i] += row->sum[i];
        sums->count[i] += row->count[i];
    }
    *row = regions_no_sums();
}

static void regions_heap(const struct shear_regions_square *square, uint32_t k, float low,
                         float cut, struct shear_regions_heap *heap)
{
    struct regions_patch patch = regions_patch_at(square, 0, 0);
    struct regions_sums row = regions_no_sums(), sums = regions_no_sums();
    const uint16_t *owners = square->owners;
    do {
        if ((*owners++ >> k & 1) != 0) {
            struct regions_copy copy;
            struct regions_columns columns = regions_columns_of(square, &patch, &copy);
            regions_heap_patch(&columns, patch.height, vi_set((int32_t)k), vf_set(low), vf_set(cut),
                               &row);
        }
        if (patch.left + patch.width == square->width) {
            regions_end_row(&row, &sums);
        }
    } while (regions_next_patch(square, &patch));
    regions_add_heap(heap, &sums);
}

/* ---- Pushing --------------------------------------------------------------------------------- */

/* Heights after the push. vf_max(0, d) is NaN where d is, so NaN stays. */
static inline vfloat regions_pushed(vfloat h, vint label, const struct shear_regions_push *push,
                                    const struct regions_list *pushed)
{
    vfloat low = h;
    vfloat scale = vf_set(0);
    vfloat cut = vf_set(0);
    for (uint32_t n = 0; n < pushed->count; n++) {
        uint32_t k = pushed->items[n];
        vmask of = vi_equal(label, vi_set((int32_t)k));
        low = vf_select(of, vf_set(push->low[k]), low);
        scale = vf_select(of, vf_set(push->scale[k]), scale);
        cut = vf_select(of, vf_set(push->cut[k]), cut);
    }
    vfloat lowered = low + scale * vf_max(vf_set(0), (h - low) - cut);
    return vf_min(lowered, h);
}

static void regions_push_row(float *out, const float *heights, const uint8_t *labels,
                             uint32_t count, const struct shear_regions_push *push,
                             const struct regions_list *pushed)
{
    uint32_t i = 0;
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        vfloat h = vf_load(heights + i);
        vf_store(out + i, regions_pushed(h, vi_load_bytes(labels + i), push, pushed));
    }
    if (i < count) {
        vfloat h = vf_load_first(heights + i, count - i);
        vf_store_first(out + i, regions_pushed(h, vi_load_bytes(labels + i), push, pushed),
                       count - i);
    }
}

static void regions_push(float *out, size_t stride, const struct shear_regions_square *square,
                         const struct shear_regions_push *push)
{
    struct regions_patch patch = regions_patch_at(square, 0, 0);
    const uint16_t *owners = square->owners;
    do {
        const struct regions_list pushed = regions_list_of(*owners++ & push->pushed);
        regions_prefetch_cells(square, &patch);
        /* Without pushed sites the heights are copied, or in place nothing is done. */
        for (uint32_t row = patch.top; row < patch.top + patch.height; row++) {
            const float *from = square->heights + row * square->height_stride + patch.left;
            float *to = out + row * stride + patch.left;
            terrain__prefetch_far(to + 2 * REGIONS_PATCH_WIDTH, 1);
            if (pushed.count != 0 || to != from) {
                regions_push_row(to, from, square->labels + row * square->label_stride + patch.left,
                                 patch.width, push, &pushed);
            }
        }
    } while (regions_next_patch(square, &patch));
}

const struct shear_regions_kernels TERRAIN__KERNELS(shear_regions) = {
    .label = {regions_label_euclidean, regions_label_chebyshev},
    .heap = regions_heap,
    .push = regions_push,
    .add_nodes = regions_add_nodes,
    .refine = regions_refine,
};
