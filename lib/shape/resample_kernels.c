/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Neighbouring columns of the target read neighbouring cells of a row. So the cells of a vector of
 * columns are looked up in a few vectors of the row, in registers:
 *
 *     row     ... h h h h h h h h h h h h h h h h ...     from the first column's cell on
 *     index       0 0 1 1 2 2 3 3 ...                     each column's cell, counted from there
 *
 * A table that begins one cell later holds h(cell + 1), and so on. */

#include "shape/resample_kernels.h"

#include "base/cache.h"
#include "vector/vec.h"

/* ---- Down ------------------------------------------------------------------------------------ */

static inline float resample_bilinear(float h1, float h2, float b)
{
    return h1 + (h2 - h1) * b;
}

/* A sum of weighted differences, which keeps a constant exactly. */
static inline float resample_bicubic(float h0, float h1, float h2, float h3, float a, float b,
                                     float d)
{
    return h1 + (((h0 - h1) * a + (h3 - h1) * d) + (h2 - h1) * b);
}

static void resample_bilinear_rows(float *target, const float *r1, const float *r2, float b,
                                   uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = resample_bilinear(r1[i], r2[i], b);
    }
}

static void resample_bicubic_rows(float *target, const float *const rows[4], float a, float b,
                                  float d, uint32_t width)
{
    const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    for (uint32_t i = 0; i < width; i++) {
        target[i] = resample_bicubic(r0[i], r1[i], r2[i], r3[i], a, b, d);
    }
}

static void resample_add_row(double *sum, const float *source, double weight, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        sum[i] += (double)source[i] * weight;
    }
}

/* The mean of three cells by a step of 2. A sum of differences would take half as long again. */
static inline float resample_half_mean(float before, float centre, float behind)
{
    return centre * 0.5f + (before * 0.25f + behind * 0.25f);
}

/* resample_half_mean, lane by lane. */
static inline vfloat resample_half_means(vfloat before, vfloat centre, vfloat behind)
{
    const vfloat quarter = vf_set(0.25f);
    return centre * vf_set(0.5f) + (before * quarter + behind * quarter);
}

/* The mean of five cells, the middle one of which is the centre: its difference from itself adds
 * nothing. If it is not finite, neither are the differences from it. */
static inline vfloat resample_means_of_five(const vfloat h[5], const vfloat weights[5])
{
    vfloat sum = vf_set(0);
    for (uint32_t k = 0; k < 5; k++) {
        sum = k == 2 ? sum : sum + (h[k] - h[2]) * weights[k];
    }
    return h[2] + sum;
}

static void resample_half_rows(float *target, const float *const *rows, uint32_t width)
{
    const float *above = rows[0], *centre = rows[1], *below = rows[2];
    size_t i = 0;
    for (; i + 2 * VEC_LANES <= width; i += 2 * VEC_LANES) {
        for (size_t k = i; k < i + 2 * VEC_LANES; k += VEC_LANES) {
            vf_store(target + k, resample_half_means(vf_load(above + k), vf_load(centre + k),
                                                     vf_load(below + k)));
        }
    }
    for (; i < width; i++) {
        target[i] = resample_half_mean(above[i], centre[i], below[i]);
    }
}

/* If row `middle` is the centre, its differences from itself add nothing. */
TERRAIN__INLINE void resample_area_sums(float *target, const float *centre,
                                        const float *const *rows, const float *weights,
                                        uint32_t count, uint32_t middle, uint32_t width)
{
    size_t i = 0;
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        vfloat h = vf_load(centre + i), sum = vf_set(0);
        for (uint32_t k = 0; k < count; k++) {
            sum = k == middle ? sum : sum + (vf_load(rows[k] + i) - h) * vf_set(weights[k]);
        }
        vf_store(target + i, h + sum);
    }
    for (; i < width; i++) {
        float sum = 0;
        for (uint32_t k = 0; k < count; k++) {
            sum += (rows[k][i] - centre[i]) * weights[k];
        }
        target[i] = centre[i] + sum;
    }
}

/* With steps up to 3 the compiler knows the number of rows. */
static void resample_area_rows(float *target, const float *centre, const float *const *rows,
                               const float *weights, uint32_t count, uint32_t width)
{
    if (count == 3) {
        const float *const three[3] = {rows[0], rows[1], rows[2]};
        const float shares[3] = {weights[0], weights[1], weights[2]};
        if (three[1] == centre) {
            resample_area_sums(target, centre, three, shares, 3, 1, width);
        } else {
            resample_area_sums(target, centre, three, shares, 3, 3, width);
        }
    } else if (count == 5) {
        const float *const five[5] = {rows[0], rows[1], rows[2], rows[3], rows[4]};
        const float shares[5] = {weights[0], weights[1], weights[2], weights[3], weights[4]};
        if (five[2] == centre) {
            resample_area_sums(target, centre, five, shares, 5, 2, width);
        } else {
            resample_area_sums(target, centre, five, shares, 5, 5, width);
        }
    } else {
        resample_area_sums(target, centre, rows, weights, count, count, width);
    }
}

/* ---- Along a row ----------------------------------------------------------------------------- */

/* How many cells of the row VEC_LANES columns span. */
static float resample_table_size(float step)
{
    return (float)(VEC_LANES - 1) * step + 2;
}

/* How many vectors hold these cells, as vf_lookup_of takes it; 0 if too many. */
static int resample_table(float step)
{
    int vectors = 1;
    while (vectors <= 8 && (float)(vectors * VEC_LANES) < resample_table_size(step)) {
        vectors *= 2;
    }
    return vectors <= 8 ? vectors : 0;
}

/* h(cell + k) of each column; `near` if the first vector of the row holds cell - 1 to cell + 2. */
TERRAIN__INLINE vfloat resample_look_up(const float *table, vuint index, int k, int vectors,
                                        bool near)
{
    uint32_t places[VEC_LANES];
    float found[VEC_LANES];
    if (near) {
        return vf_lookup(table - 1, index + vu_set((uint32_t)(k + 1)));
    }
    table += k;
    if (vectors > 0) {
        return vf_lookup_of(table, index, vectors);
    }
    vi_store((int32_t *)places, vi_from_bits(index));
    for (uint32_t lane = 0; lane < VEC_LANES; lane++) {
        found[lane] = table[places[lane]];
    }
    return vf_load(found);
}

enum { RESAMPLE_NEAREST, RESAMPLE_BILINEAR, RESAMPLE_BICUBIC };

/* h(cell - 1) to h(cell + 2), of which a filter uses what it needs. */
TERRAIN__INLINE void resample_four(vfloat h[4], const float *row, const int32_t *cells, int filter,
                                   int vectors, bool near)
{
    const bool few = VEC_LANES <= 4 || vectors == 0; /* then records of four are faster */
    if (filter == RESAMPLE_BICUBIC && few) {
        vf_load_quads(h, row - 1, cells);
        return;
    }
    const float *table = row + cells[0];
    vuint index = vu_from_bits(vi_load(cells) - vi_set(cells[0]));
    h[1] = resample_look_up(table, index, 0, vectors, near);
    if (filter != RESAMPLE_NEAREST) {
        h[2] = resample_look_up(table, index, 1, vectors, near);
    }
    if (filter == RESAMPLE_BICUBIC) {
        h[0] = resample_look_up(table, index, -1, vectors, near);
        h[3] = resample_look_up(table, index, 2, vectors, near);
    }
}

/* h(cell) + what the weights make of the differences from it. */
TERRAIN__INLINE vfloat resample_sum(const vfloat h[4], vfloat a, vfloat b, vfloat d, int filter)
{
    vfloat change = (h[2] - h[1]) * b;
    if (filter == RESAMPLE_BICUBIC) {
        change = ((h[0] - h[1]) * a + (h[3] - h[1]) * d) + change;
    }
    return h[1] + change;
}

/* Whether every other column lies on a cell, with a step of 1/2. As no column's cell is farther
 * from the one before than the step, the first and the last column decide for all. */
static inline bool resample_is_double(const struct resample_taps *taps, uint32_t width)
{
    const uint32_t between = taps->b[0] != 0;
    return taps->step == 0.5f &&
           taps->cell[width - 1] == taps->cell[0] + (int32_t)((width - 1 + between) / 2);
}

/* Then the columns between cells all have the same weights, and nothing is looked up. */
TERRAIN__INLINE void resample_double(float *target, const float *row,
                                     const struct resample_taps *taps, uint32_t width, int filter)
{
    const bool between = taps->b[0] != 0; /* the first column */
    const vfloat a = vf_set(taps->a[!between]), b = vf_set(taps->b[!between]);
    const vfloat d = vf_set(taps->d[!between]);
    row += taps->cell[0];
    for (uint32_t i = 0; i < width; i += 2 * VEC_LANES, row += VEC_LANES) {
        const uint32_t left = width - i;
        float last[2 * VEC_LANES];
        float *to = left < 2 * VEC_LANES ? last : target + i;
        const vfloat h[4] = {vf_load(row - 1), vf_load(row), vf_load(row + 1), vf_load(row + 2)};
        const vfloat sum = resample_sum(h, a, b, d, filter);
        vf_store_pairs(to, between ? sum : h[1], between ? h[2] : sum);
        if (left < 2 * VEC_LANES) {
            memcpy(target + i, last, left * sizeof *target);
        }
    }
}

/* The choice at b = 0 keeps infinities, whose differences are NaN. */
TERRAIN__INLINE void resample_points(float *target, const float *row,
                                     const struct resample_taps *taps, uint32_t width, int filter,
                                     int vectors, bool near)
{
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        vfloat h[4], result;
        resample_four(h, row, taps->cell + i, filter, vectors, near);
        result = h[1];
        if (filter != RESAMPLE_NEAREST) {
            vfloat b = vf_load(taps->b + i);
            vfloat sum = resample_sum(h, vf_load(taps->a + i), b, vf_load(taps->d + i), filter);
            result = vf_select(vi_equal(vi_from_bits(vf_bits(b)), vi_set(0)), h[1], sum);
        }
        vf_store_up_to(target + i, result, width - i);
    }
}

/* One loop for steps of 1/2, and one for each size of table. */
TERRAIN__INLINE void resample_cells(float *target, const float *row,
                                    const struct resample_taps *taps, uint32_t width, int filter)
{
    const int vectors = resample_table(taps->step);
    if (filter != RESAMPLE_NEAREST && resample_is_double(taps, width)) {
        resample_double(target, row, taps, width, filter);
    } else if (resample_table_size(taps->step) + 3 <= VEC_LANES) {
        resample_points(target, row, taps, width, filter, 1, true);
    } else if (vectors == 1) {
        resample_points(target, row, taps, width, filter, 1, false);
    } else if (vectors == 2) {
        resample_points(target, row, taps, width, filter, 2, false);
    } else if (vectors == 4) {
        resample_points(target, row, taps, width, filter, 4, false);
    } else {
        resample_points(target, row, taps, width, filter, 0, false);
    }
}

static void resample_nearest_cells(float *target, const float *row,
                                   const struct resample_taps *taps, uint32_t width)
{
    resample_cells(target, row, taps, width, RESAMPLE_NEAREST);
}

static void resample_bilinear_cells(float *target, const float *row,
                                    const struct resample_taps *taps, uint32_t width)
{
    resample_cells(target, row, taps, width, RESAMPLE_BILINEAR);
}

static void resample_bicubic_cells(float *target, const float *row,
                                   const struct resample_taps *taps, uint32_t width)
{
    resample_cells(target, row, taps, width, RESAMPLE_BICUBIC);
}

/* A column that has fewer cells than others doesn't read theirs, which may be NaN. */
TERRAIN__INLINE void resample_areas(float *target, const float *row,
                                    const struct resample_area *area, uint32_t width, int vectors,
                                    uint32_t most, uint32_t always)
{
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        const int32_t first = area->first[i], middle = area->centre[i];
        vuint index = vu_from_bits(vi_load(area->first + i) - vi_set(first));
        vuint centres = vu_from_bits(vi_load(area->centre + i) - vi_set(middle));
        vfloat centre = resample_look_up(row + middle, centres, 0, vectors, false);
        vfloat sum = vf_set(0);
        for (uint32_t k = 0; k < most; k++) {
            vfloat weight = vf_load(area->weights + k * area->stride + i);
            vfloat h = resample_look_up(row + first, index, (int)k, vectors, false);
            vfloat part = (h - centre) * weight;
            if (k >= always) {
                part = vf_select(vf_less(vf_set(0), weight), part, vf_set(0));
            }
            sum += part;
        }
        vf_store_up_to(target + i, centre + sum, width - i);
    }
}

/* With a step of 2, every other cell is a centre. */
static void resample_half(float *target, const float *row, const struct resample_area *area,
                          uint32_t width)
{
    const float *cells = row + area->first[0];
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        const float *from = cells + 2 * i;
        vfloat left, centre, right, unused;
        vf_part(vf_load(from), vf_load(from + VEC_LANES), &left, &unused);
        vf_part(vf_load(from + 1), vf_load(from + 1 + VEC_LANES), &centre, &right);
        vf_store_up_to(target + i, resample_half_means(left, centre, right), width - i);
    }
}

/* As resample_half, where columns lie outside the row: their cells are in its padding. */
static void resample_half_outside(float *target, const float *row, const struct resample_area *area,
                                  uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        const float *cells = row + area->first[i];
        target[i] = resample_half_mean(cells[0], cells[1], cells[2]);
    }
}

/* With a step of 3, every third cell is a centre. */
static void resample_third(float *target, const float *row, const struct resample_area *area,
                           uint32_t width)
{
    const float *cells = row + area->first[0];
    const vuint lane = vu_lane(), places = lane + lane + lane;
    vfloat weights[5];
    for (uint32_t k = 0; k < 5; k++) {
        weights[k] = vf_set(area->weights[k * area->stride]);
    }
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        vfloat h[5];
        for (uint32_t k = 0; k < 5; k++) {
            h[k] = vf_lookup_of(cells + 3 * (size_t)i, places + vu_set(k), 4);
        }
        vf_store_up_to(target + i, resample_means_of_five(h, weights), width - i);
    }
}

#if defined(VEC_HAS_SLIDE)
/* The mean down a column, or down the nearest one of the row. */
static inline float resample_half_down(const float *const rows[3], ptrdiff_t cell, uint32_t count)
{
    const ptrdiff_t at = cell < 0 ? 0 : cell < (ptrdiff_t)count ? cell : (ptrdiff_t)count - 1;
    return resample_half_mean(rows[0][at], rows[1][at], rows[2][at]);
}

/* Makes whole vectors of columns, `from` to `to` - 1, of one or two target rows. A column's first
 * cell is the third one of the column before, which vf_slide takes from registers; with loads from
 * memory this would be no faster than resample_half. */
TERRAIN__INLINE void resample_half_vectors(const struct resample_halves *halves,
                                           const struct resample_area *area, uint32_t count,
                                           size_t from, size_t to, int lines)
{
    const struct resample_halves h = *halves; /* a copy that no store can change */
    const size_t first = (size_t)area->centre[0];
    vfloat left[2];
    for (int y = 0; y < lines; y++) {
        const ptrdiff_t cell = (ptrdiff_t)(first + 2 * from) - 1;
        left[y] = vf_set(resample_half_down(halves->rows + 2 * y, cell, count));
    }
    for (size_t i = from; i < to; i += VEC_LANES) {
        const size_t at = first + 2 * i;
        vfloat mean[2][2];
        for (int y = 3; y < 5 && lines == 1; y++) {
            terrain__prefetch_far(h.rows[y] + at, 1);
            terrain__prefetch_far(h.rows[y] + at + VEC_LANES, 1);
        }
        for (int y = 5; y < 9 && lines == 2; y++) {
            terrain__prefetch(h.rows[y] + at, 2 * VEC_LANES * sizeof(float));
        }
        for (int k = 0; k < 2 * lines; k++) {
            const size_t cell = at + (k & 1) * VEC_LANES;
            const float *const *rows = h.rows + (k & ~1);
            mean[k / 2][k & 1] = resample_half_means(vf_kept(vf_load(rows[0] + cell)),
                                                     vf_kept(vf_load(rows[1] + cell)),
                                                     vf_kept(vf_load(rows[2] + cell)));
        }
        for (int y = 0; y < lines; y++) {
            vfloat centre, right;
            vf_part(mean[y][0], mean[y][1], &centre, &right);
            vf_store(h.targets[y] + i,
                     resample_half_means(vf_slide(left[y], right, VEC_LANES - 1), centre, right));
            left[y] = right;
        }
    }
}

/* How many columns come before the first whose cells start at a cache line, at which all further
 * loads then start; 0 if rows differ in that. A map larger than the caches gains 10 % by it, a
 * smaller one less than two more vectors cost. */
static inline size_t resample_half_lead(const struct resample_halves *halves, size_t first)
{
    const uintptr_t row = (uintptr_t)(halves->rows[0] + first), next = (uintptr_t)halves->rows[1];
    const size_t cells = -row / sizeof(float) % VEC_LANES;
    return (next - (uintptr_t)halves->rows[0]) % sizeof(vfloat) == 0 ? cells / 2 : 0;
}

/* The last vector ends with the row, or before a column whose third cell is outside it. */
TERRAIN__INLINE bool resample_half_lines(const struct resample_halves *halves,
                                         const struct resample_area *area, uint32_t count,
                                         uint32_t width, int lines)
{
    const size_t first = (size_t)area->centre[0];
    const size_t whole = first + 2 * (size_t)width > count ? width - 1 : width;
    if (whole < VEC_LANES) {
        return false;
    }
    const size_t lead = lines == 1 ? resample_half_lead(halves, first) : 0;
    if (lead > 0) {
        resample_half_vectors(halves, area, count, 0, VEC_LANES, lines);
    }
    const size_t end = whole - (whole - lead) % VEC_LANES;
    resample_half_vectors(halves, area, count, lead, end, lines);
    if (end < whole) {
        resample_half_vectors(halves, area, count, whole - VEC_LANES, whole, lines);
    }
    for (int y = 0; y < lines && whole < width; y++) {
        const float *const *rows = halves->rows + 2 * y;
        const ptrdiff_t at = (ptrdiff_t)(first + 2 * whole);
        halves->targets[y][whole] = resample_half_mean(resample_half_down(rows, at - 1, count),
                                                       resample_half_down(rows, at, count),
                                                       resample_half_down(rows, at + 1, count));
    }
    return true;
}

static bool resample_half_cells(const struct resample_halves *halves,
                                const struct resample_area *area, uint32_t count, uint32_t width)
{
    return halves->targets[1] == NULL ? resample_half_lines(halves, area, count, width, 1)
                                      : resample_half_lines(halves, area, count, width, 2);
}
#endif

static void resample_area_cells(float *target, const float *row, const struct resample_area *area,
                                uint32_t width)
{
    const uint32_t most = area->most, always = area->always;
    const int vectors = resample_table(area->step);
    if (area->even == 2) {
        resample_half(target, row, area, width);
    } else if (area->step == 2) {
        resample_half_outside(target, row, area, width);
    } else if (area->even == 3 && vectors == 4) {
        resample_third(target, row, area, width);
    } else if (vectors <= 2) {
        resample_areas(target, row, area, width, 2, most, always);
    } else if (vectors == 4) {
        resample_areas(target, row, area, width, 4, most, always);
    } else {
        resample_areas(target, row, area, width, 8, most, always);
    }
}

_Static_assert((VEC_LANES - 1) * RESAMPLE_SHORT_STEP + 2 <= 8 * VEC_LANES, "tables hold all areas");

const struct resample_kernels TERRAIN__KERNELS(resample) = {
    resample_bilinear_rows,  resample_bicubic_rows,  resample_area_rows,
    resample_half_rows,      resample_add_row,       resample_nearest_cells,
    resample_bilinear_cells, resample_bicubic_cells, resample_area_cells,
#if defined(VEC_HAS_SLIDE)
    resample_half_cells,
#else
    NULL,
#endif
};
