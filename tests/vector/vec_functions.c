/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Calls every function of vector/vec.h. VEC_TEST_NAME is the object's name. */

#include "vector/vec_functions.h"

#include "vector/vec.h"

static inline float *floats(struct vec_test_words *words, int result)
{
    return (float *)(void *)words->of[result];
}

static inline int32_t *ints(struct vec_test_words *words, int result)
{
    return (int32_t *)(void *)words->of[result];
}

#define PUT(name, v) vf_store(floats(words, VEC_TEST_##name) + at, v)
#define PUT_INT(name, v) vi_store(ints(words, VEC_TEST_##name) + at, v)
#define PUT_BITS(name, v) PUT_INT(name, vi_from_bits(v))
#define PUT_MASK(name, v) PUT_INT(name, vi_select(v, vi_set(1), vi_set(0)))

static void arithmetic(struct vec_test_words *words, const struct vec_test_numbers *from, size_t at)
{
    vfloat a = vf_load(from->a + at), b = vf_load(from->b + at), near = vf_load(from->near + at);
    vfloat less = near * vf_set(0x1p-11f), rest;
    vuint u = vf_bits(a), w = vf_bits(b);
    PUT(vf_plus, a + b);
    PUT(vf_minus, a - b);
    PUT(vf_times, a * b);
    PUT(vf_over, a / b);
    PUT(vf_negative, -a);
    PUT(vf_min, vf_min(a, b));
    PUT(vf_max, vf_max(a, b));
    PUT(vf_excess, vf_excess(a, vf_load(from->limit + at)));
    PUT(vf_sqrt, vf_sqrt(a));
    PUT(vf_abs, vf_abs(a));
    PUT(vf_flip_sign, vf_flip_sign(a, w));
    PUT(vf_floor, vf_floor(near));
    PUT(vf_floor_loose, vf_floor_loose(near) + vf_set(0));
    PUT_INT(vi_floor, vi_floor(less));
    PUT(vf_base, vf_base(vi_from_float(-less)));
    PUT(vf_floor_onto, vf_floor_onto(vf_base(vi_from_float(-less)), less, &rest));
    PUT(vf_floor_rest, rest + vf_set(0));
    PUT_BITS(vu_plus, u + w);
    PUT_BITS(vu_minus, u - w);
    PUT_BITS(vu_times, u * w);
    PUT_BITS(vu_and, u & w);
    PUT_BITS(vu_or, u | w);
    PUT_BITS(vu_xor, u ^ w);
    PUT_BITS(vu_up, u << 7);
    PUT_BITS(vu_down, u >> 7);
    PUT_INT(vi_down, vi_load(from->i + at) >> 7);
}

static void conversion(struct vec_test_words *words, const struct vec_test_numbers *from, size_t at)
{
    vint i = vi_load(from->i + at);
    PUT(vf_load, vf_load(from->a + at));
    PUT_INT(vi_load, i);
    PUT_BITS(vu_load, vu_load(from->i + at));
    PUT(vf_set, vf_set(from->a[at / 16]));
    PUT_INT(vi_set, vi_set(from->i[at / 16]));
    PUT_BITS(vu_set, vu_set((uint32_t)from->i[at / 16]));
    PUT_BITS(vu_lane, vu_lane() + vu_set((uint32_t)at));
    PUT_INT(vi_from_bits, vi_from_bits(vu_load(from->i + at)));
    PUT_BITS(vu_from_bits, vu_from_bits(i));
    PUT(vf_from_bits, vf_from_bits(vu_load(from->i + at)));
    PUT_BITS(vf_bits, vf_bits(vf_load(from->a + at)));
    PUT(vf_from_int, vf_from_int(i));
    PUT_INT(vi_from_float, vi_from_float(vf_load(from->near + at)));
    PUT_INT(vi_load_bytes, vi_load_bytes(from->bytes + at));
    vi_store_bytes((uint8_t *)words->of[VEC_TEST_vi_store_bytes] + at,
                   vi_load(from->i + at) & vi_set(255));
    vf_stream(floats(words, VEC_TEST_vf_stream) + at, vf_load(from->b + at));
}

static void comparison(struct vec_test_words *words, const struct vec_test_numbers *from, size_t at)
{
    vfloat a = vf_load(from->a + at), b = vf_load(from->b + at);
    vint i = vi_load(from->i + at), j = vi_load(from->j + at);
    uint32_t bits = vm_bits(vf_less(a, b));
    PUT_MASK(vf_less, vf_less(a, b));
    PUT_MASK(vf_less_equal, vf_less_equal(a, b));
    PUT_MASK(vi_less, vi_less(i, j));
    PUT_MASK(vi_equal, vi_equal(i, j));
    PUT_MASK(vm_and, vm_and(vf_less(a, b), vi_less(i, j)));
    PUT_MASK(vm_or, vm_or(vf_less(a, b), vi_less(i, j)));
    PUT_MASK(vm_not, vm_not(vf_less(a, b)));
    PUT(vf_select, vf_select(vi_less(i, j), a, b));
    PUT(vf_where, vf_where(vi_less(i, j), a));
    PUT(vf_where_not, vf_where_not(vi_less(i, j), a));
    PUT(vf_add_where, vf_add_where(vi_less(i, j), a, b));
    PUT(vf_subtract_where, vf_subtract_where(vi_less(i, j), a, b));
    PUT_BITS(vu_count, vu_count(vf_less(a, b), vu_from_bits(i)));
    PUT_INT(vi_select, vi_select(vf_less(a, b), i, j));
    PUT_INT(vi_min, vi_min(i, j));
    PUT_INT(vi_max, vi_max(i, j));
    for (size_t lane = 0; lane < VEC_LANES; lane++) {
        words->of[VEC_TEST_vm_bits][at + lane] = bits >> lane & 1;
    }
    words->of[VEC_TEST_vm_bits][VEC_TEST_CELLS + at] = VEC_LANES < 32 ? bits >> VEC_LANES : 0;
}

/* Of each 16 cells. */
static void least_of_all(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    for (size_t first = 0; first < VEC_TEST_CELLS; first += 16) {
        int32_t least = INT32_MAX;
        for (size_t at = first; at < first + 16; at += VEC_LANES) {
            vint v = vi_load(from->i + at);
            least = vi_least(v) < least ? vi_least(v) : least;
        }
        words->of[VEC_TEST_vi_least][first] = (uint32_t)least;
    }
}

/* A table of 16, by as many lookups as that takes. */
static vfloat look_up(const float *table, vuint index)
{
    vfloat found = vf_set(0);
    for (uint32_t first = 0; first < 16; first += VEC_LANES) {
        vint here = vi_from_bits(index & vu_set(~(uint32_t)(VEC_LANES - 1)));
        vfloat v = vf_lookup(table + first, index & vu_set(VEC_LANES - 1));
        found = vf_select(vi_equal(here, vi_set((int32_t)first)), v, found);
    }
    return found;
}

/* A table of 128, by as many lookups in tables of n vectors as that takes. */
#define LOOK_UP_OF(name, n)                                                                        \
    static vfloat name(const float *table, vuint index)                                            \
    {                                                                                              \
        vfloat found = vf_set(0);                                                                  \
        for (uint32_t first = 0; first < 128; first += n * VEC_LANES) {                            \
            vint here = vi_from_bits(index & vu_set(~(uint32_t)(n * VEC_LANES - 1)));              \
            vfloat v = vf_lookup_of(table + first, index & vu_set(n * VEC_LANES - 1), n);          \
            found = vf_select(vi_equal(here, vi_set((int32_t)first)), v, found);                   \
        }                                                                                          \
        return found;                                                                              \
    }
LOOK_UP_OF(look_up_of_2, 2)
LOOK_UP_OF(look_up_of_4, 4)
LOOK_UP_OF(look_up_of_8, 8)

/* A table of 16 in halves that lie apart, each of as many vectors as that takes. */
static vfloat look_up_two(const float *a, const float *b, vuint index)
{
    vfloat found = vf_set(0);
    for (uint32_t first = 0; first < 8; first += VEC_LANES) {
        const vuint half = index >> 3 & vu_set(1), place = (index & vu_set(7)) - vu_set(first);
        const vmask here = vm_and(vi_less(vi_set(-1), vi_from_bits(place)),
                                  vi_less(vi_from_bits(place), vi_set(VEC_LANES)));
        const vuint at = (place & vu_set(VEC_LANES - 1)) + half * vu_set(VEC_LANES);
        found = vf_select(here, vf_lookup_two(a + first, b + first, at), found);
    }
    return found;
}

/* A table of `n` rows of eight, in any order. */
static vfloat look_up_rows(const float *table, vuint index, int n, uint32_t which)
{
    const float *rows[8];
    vfloat v[2];
    for (int i = 0; i < n; i++) {
        rows[i] = table + 8 * (n - 1 - i);
    }
    index = index & vu_set((uint32_t)(8 * n - 1));
    vf_lookup_rows(
        v, rows, 5, n,
        (const vuint[2]){which == 0 ? index : vu_set(0), which == 1 ? index : vu_set(0)});
    return v[which];
}

static void across(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    vint before = vi_set(0);
    for (size_t at = 0; at < VEC_TEST_CELLS; at += VEC_LANES) {
        vint sums = vi_scan(vi_load(from->small + at));
        PUT_INT(vi_scan, before + sums);
        before += vi_last(sums);
        vuint index = vu_load(from->bytes + at * 4 % VEC_TEST_CELLS) & vu_set(127);
        PUT(vf_lookup_2, look_up_of_2(from->a, index));
        PUT(vf_lookup_4, look_up_of_4(from->a, index));
        PUT(vf_lookup_8, look_up_of_8(from->a, index));
        PUT(vf_lookup_two, look_up_two(from->a, from->b, index));
        PUT(vf_lookup_four, vf_lookup_four(from->a, index & vu_set(3)));
        PUT(vf_lookup_fours, vf_lookup_fours(from->a, from->b, index & vu_set(7)));
        PUT(vf_lookup_rows, look_up_rows(from->near, index, 4, at / 16 % 2));
        PUT(vf_lookup_rows_8, look_up_rows(from->near, index, 8, at / 16 % 2));
        PUT(vf_lookup, look_up(from->near, vu_load(from->small + at)));
        vf_store_pairs(floats(words, VEC_TEST_vf_store_pairs) + 2 * at, vf_load(from->a + at),
                       vf_load(from->b + at));
        vf_store_triples(floats(words, VEC_TEST_vf_store_triples) + 3 * at, vf_load(from->a + at),
                         vf_load(from->b + at), vf_load(from->near + at));
    }
    for (size_t at = 0; at < VEC_TEST_CELLS / 2; at += VEC_LANES) {
        vfloat even, odd;
        vf_part(vf_load(from->a + 2 * at), vf_load(from->a + 2 * at + VEC_LANES), &even, &odd);
        PUT(vf_part_even, even);
        PUT(vf_part_odd, odd);
    }
    for (size_t at = 0; at < VEC_TEST_CELLS; at += 4 * VEC_LANES) {
        vfloat v[4];
        for (size_t k = 0; k < 4; k++) {
            v[k] = vf_load(from->a + at + k * VEC_LANES);
        }
        vf_store_rounded((uint8_t *)words->of[VEC_TEST_vf_store_rounded] + at, v);
    }
}

/* The cells from the k-th on, for each k below 16. */
static void slides(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    for (size_t k = 1; k < 16; k++) {
        const int rest = (int)(k % VEC_LANES);
        for (size_t at = 0; at < 64; at += VEC_LANES) {
            const float *a = from->a + at + (k - (size_t)rest);
            vfloat v = vf_load(a);
            v = rest != 0 ? vf_slide(v, vf_load(a + VEC_LANES), rest) : v;
            vf_store(floats(words, VEC_TEST_vf_slide) + 64 * k + at, v);
        }
    }
}

static void where(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    float *to = floats(words, VEC_TEST_vf_store_where);
    uint32_t count = 0;
    for (size_t at = 0; at < VEC_TEST_CELLS; at += VEC_LANES) {
        vfloat a = vf_load(from->a + at), b = vf_load(from->b + at);
        count += vf_store_where(to + count, a, vf_less(a, b));
    }
    /* What else the last one wrote. */
    memset(to + count, 0, VEC_LANES * sizeof *to);
    to[2 * VEC_TEST_CELLS] = (float)count;
}

static void squares(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    enum { STEP = 5 };
    for (size_t at = 0; at < VEC_TEST_QUADS; at += VEC_LANES) {
        vfloat quads[4], others[4], octets[8];
        vf_load_squares(quads, from->a, 5, from->small + at);
        for (size_t k = 0; k < 4; k++) {
            vf_store(floats(words, VEC_TEST_vf_load_squares) + k * VEC_TEST_QUADS + at, quads[k]);
        }
        vf_load_quads(quads, from->a, from->small + at);
        vf_load_octets(octets, from->a, from->small + at);
        for (size_t k = 0; k < 8; k++) {
            vf_store(floats(words, VEC_TEST_vf_load_octets) + k * VEC_TEST_QUADS + at, octets[k]);
        }
        for (size_t k = 0; k < 4; k++) {
            vf_store(floats(words, VEC_TEST_vf_load_quads) + k * VEC_TEST_QUADS + at, quads[k]);
            others[k] = vf_load(from->b + k * VEC_TEST_QUADS + at);
        }
        vf_store_quads(floats(words, VEC_TEST_vf_store_quads) + at * STEP, STEP, others);
        for (size_t k = 0; k < 8; k++) {
            octets[k] = vf_load(from->b + k * VEC_TEST_QUADS + at);
        }
        vf_store_octets(floats(words, VEC_TEST_vf_store_octets) + at * 8, octets);
    }
    for (size_t y = 0; y < VEC_TEST_SIDE; y += VEC_LANES) {
        for (size_t x = 0; x < VEC_TEST_SIDE; x += VEC_LANES) {
            vf_transpose(floats(words, VEC_TEST_vf_transpose) + x * (VEC_TEST_SIDE + 1) + y,
                         VEC_TEST_SIDE + 1, from->a + y * (VEC_TEST_SIDE + 3) + x,
                         VEC_TEST_SIDE + 3);
        }
    }
}

/* Four squares at a time, of 4 by 4 floats, become rows. */
static void turn_quads(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    enum { SQUARES = VEC_LANES < 4 ? 1 : VEC_LANES / 4 };
    for (size_t at = 0; at + 64 <= VEC_TEST_CELLS; at += 64) {
        float *rows = floats(words, VEC_TEST_vf_turn_quads) + at;
        for (size_t i = 0; VEC_LANES == 1 && i < 64; i++) {
            rows[i] = from->a[at + i % 16 / 4 * 16 + i / 16 * 4 + i % 4];
        }
        for (size_t x = 0; VEC_LANES != 1 && x < 16; x += VEC_LANES) {
            vfloat v[4];
            for (size_t i = 0; i < 4; i++) {
                v[i] = vf_load(from->a + at + (x / 4 + i % SQUARES) * 16 + i / SQUARES * VEC_LANES);
            }
            vf_turn_quads(v);
            for (size_t i = 0; i < 4; i++) {
                vf_store(rows + 16 * i + x, v[i]);
            }
        }
    }
}

#define PUT_LONG(name, v) vl_store(words->of[VEC_TEST_##name] + 2 * at, v)
#define PUT_DOUBLE(name, v) PUT_LONG(name, vd_bits(v))

static void longs(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    const vlong one = vl_set(1);
    double doubles[VEC_LONGS];
    vlong before = vl_set(0);
    for (size_t at = 0; at < VEC_TEST_CELLS; at += VEC_LONGS) {
        vlong v = vl_load(from->longs + at), sums = vl_scan(v);
        vdouble some, others = vd_load(from->doubles + (at + 52) % VEC_TEST_CELLS);
        vd_store(doubles, vd_load(from->doubles + at));
        some = vd_load(doubles);
        PUT_LONG(vl_store, v);
        PUT_LONG(vl_plus, v + one - vl_load(from->longs + (at + 52) % VEC_TEST_CELLS));
        PUT_LONG(vl_set, vl_set(from->longs[at / 4]));
        PUT_LONG(vl_scan, before + sums);
        before += vl_last(sums);
        PUT_DOUBLE(vd_load_floats, vd_load_floats(from->near + at));
        PUT_DOUBLE(vd_from_long, vd_from_long(v));
        PUT_DOUBLE(vd_store, some);
        PUT_DOUBLE(vd_pick, vd_pick(from->which + at, some, vd_set(3)));
        PUT_DOUBLE(vd_min, vd_min(some, others));
        PUT_DOUBLE(vd_max, vd_max(some, others));
        PUT_DOUBLE(vd_over, some / others * vd_set(3) + others);
    }
    for (size_t first = 0; first < VEC_TEST_CELLS; first += VEC_LANES) {
        enum { PARTS = VEC_LANES / VEC_LONGS };
        vdouble parts[PARTS];
        for (int part = 0; part < PARTS; part++) {
            const size_t at = first + (size_t)part * VEC_LONGS;
            parts[part] = vd_from_long(vl_load(from->longs + at)) * vd_set(0x1p-30);
        }
        vf_store(floats(words, VEC_TEST_vf_from_doubles) + first, vf_from_doubles(parts));
    }
}

/* The least of four numbers each, by as many of VEC_LONGS as that takes. */
static void least(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    int32_t *to = ints(words, VEC_TEST_vi_least_beside);
    for (size_t at = 0; at < VEC_TEST_CELLS; at += VEC_LANES) {
        PUT_INT(vi_least_beside, vi_least_beside(vi_load(from->i + at)));
    }
    for (size_t at = 0; at < VEC_TEST_CELLS; at += 4) {
        for (size_t k = VEC_LONGS; k < 4; k += VEC_LONGS) {
            for (size_t i = 0; i < VEC_LONGS; i++) {
                to[at + i] = to[at + k + i] < to[at + i] ? to[at + k + i] : to[at + i];
            }
        }
        for (size_t i = 1; i < 4; i++) {
            to[at] = i >= VEC_LONGS || to[at + i] == to[at] ? to[at] : -1;
            to[at + i] = 0;
        }
    }
}

static void short_row(struct vec_test_words *words, const struct vec_test_numbers *from)
{
    size_t at = 0;
    for (; at + VEC_LANES <= VEC_TEST_SHORT; at += VEC_LANES) {
        PUT(vf_load_first, vf_load(from->a + at));
        PUT(vf_store_first, vf_load(from->b + at));
    }
    PUT(vf_load_first, vf_load_first(from->a + at, (uint32_t)(VEC_TEST_SHORT - at)));
    vf_store_first(floats(words, VEC_TEST_vf_store_first) + at, vf_load(from->b + at),
                   (uint32_t)(VEC_TEST_SHORT - at));
    for (at = 0; at < VEC_TEST_SHORT; at += VEC_LANES) {
        const uint32_t left = (uint32_t)(VEC_TEST_SHORT - at);
        PUT(vf_load_up_to, vf_load_up_to(from->a + at, left));
        vf_store_up_to(floats(words, VEC_TEST_vf_store_up_to) + at, vf_load(from->b + at), left);
        vf_store_filled(floats(words, VEC_TEST_vf_store_filled) + at, vf_load(from->b + at), left,
                        0);
        vi_store_bytes_up_to((uint8_t *)words->of[VEC_TEST_vi_store_bytes_up_to] + at,
                             vi_load(from->i + at) & vi_set(255), left);
    }
}

static void run(struct vec_test_words *words, const struct vec_test_numbers *numbers)
{
    memset(words, 0, sizeof *words);
    for (size_t at = 0; at < VEC_TEST_CELLS; at += VEC_LANES) {
        arithmetic(words, numbers, at);
        conversion(words, numbers, at);
        comparison(words, numbers, at);
    }
    vf_streamed();
    across(words, numbers);
    slides(words, numbers);
    where(words, numbers);
    squares(words, numbers);
    turn_quads(words, numbers);
    least_of_all(words, numbers);
    longs(words, numbers);
    least(words, numbers);
    short_row(words, numbers);
}

#define VEC_TEST_TEXT(name) #name
#define VEC_TEST_TEXT_OF(name) VEC_TEST_TEXT(name)
extern const struct vec_test VEC_TEST_NAME;
const struct vec_test VEC_TEST_NAME = {VEC_TEST_TEXT_OF(VEC_TEST_NAME), VEC_LANES, run};
