/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every function of vector/vec.h, called by vec_functions.c, which is compiled once for each of its
 * files. What depends on the number of lanes is put together so that the words are the same. */

#ifndef TEST_VECTOR_VEC_FUNCTIONS_H
#define TEST_VECTOR_VEC_FUNCTIONS_H

#include <stdint.h>

/* A multiple of four vectors of sixteen, and how many of them end within a vector. */
enum { VEC_TEST_CELLS = 1024, VEC_TEST_SHORT = 37, VEC_TEST_SIDE = 16, VEC_TEST_QUADS = 16 };

struct vec_test_numbers {
    float a[VEC_TEST_CELLS], b[VEC_TEST_CELLS]; /* any, NaN and infinity too */
    float near[VEC_TEST_CELLS];                 /* |v| < 2^31 */
    float limit[VEC_TEST_CELLS];                /* not negative */
    int32_t i[VEC_TEST_CELLS], j[VEC_TEST_CELLS];
    int32_t small[VEC_TEST_CELLS]; /* 0 to 15 */
    uint8_t bytes[VEC_TEST_CELLS];
    uint64_t longs[VEC_TEST_CELLS];
    double doubles[VEC_TEST_CELLS];
    int32_t which[VEC_TEST_CELLS]; /* 0 or 1 */
};

/* Names of results: floats, where one NaN is as good as another, then integers. */
#define VEC_TEST_FLOATS(of)                                                                        \
    of(vf_load), of(vf_load_first), of(vf_store_first), of(vf_load_up_to), of(vf_store_up_to),     \
        of(vf_store_filled), of(vf_store_pairs), of(vf_store_triples), of(vf_slide),               \
        of(vf_part_even), of(vf_part_odd), of(vf_store_where), of(vf_load_squares),                \
        of(vf_load_quads), of(vf_load_octets), of(vf_store_quads), of(vf_store_octets),            \
        of(vf_transpose), of(vf_turn_quads), of(vf_stream), of(vf_set), of(vf_from_bits),          \
        of(vf_from_int), of(vf_select), of(vf_where), of(vf_where_not), of(vf_add_where),          \
        of(vf_subtract_where), of(vf_min), of(vf_max), of(vf_excess), of(vf_sqrt), of(vf_abs),     \
        of(vf_flip_sign), of(vf_floor), of(vf_floor_loose), of(vf_base), of(vf_floor_onto),        \
        of(vf_floor_rest), of(vf_lookup), of(vf_lookup_2), of(vf_lookup_4), of(vf_lookup_8),       \
        of(vf_lookup_two), of(vf_lookup_four), of(vf_lookup_fours), of(vf_lookup_rows),            \
        of(vf_lookup_rows_8), of(vf_plus), of(vf_minus), of(vf_times), of(vf_over),                \
        of(vf_negative), of(vf_from_doubles)
#define VEC_TEST_INTEGERS(of)                                                                      \
    of(vi_load), of(vu_load), of(vi_load_bytes), of(vi_store_bytes), of(vi_store_bytes_up_to),     \
        of(vf_store_rounded), of(vi_set), of(vu_set), of(vu_lane), of(vi_from_bits),               \
        of(vu_from_bits), of(vf_bits), of(vi_from_float), of(vi_floor), of(vf_less),               \
        of(vf_less_equal), of(vi_less), of(vi_equal), of(vm_and), of(vm_or), of(vm_not),           \
        of(vm_bits), of(vi_select), of(vi_min), of(vi_max), of(vi_least), of(vi_scan),             \
        of(vu_plus), of(vu_minus), of(vu_times), of(vu_and), of(vu_or), of(vu_xor), of(vu_up),     \
        of(vu_down), of(vi_down), of(vl_store), of(vl_plus), of(vl_set), of(vd_load_floats),       \
        of(vd_from_long), of(vd_store), of(vd_pick), of(vd_over), of(vd_min), of(vd_max),          \
        of(vl_scan), of(vi_least_beside), of(vu_count)

#define VEC_TEST_ENUM(name) VEC_TEST_##name
enum {
    VEC_TEST_FLOATS(VEC_TEST_ENUM),
    VEC_TEST_FIRST_INTEGER,
    VEC_TEST_BEFORE_INTEGERS = VEC_TEST_FIRST_INTEGER - 1,
    VEC_TEST_INTEGERS(VEC_TEST_ENUM),
    VEC_TEST_RESULTS
};
#undef VEC_TEST_ENUM

struct vec_test_words {
    _Alignas(64) uint32_t of[VEC_TEST_RESULTS][3 * VEC_TEST_CELLS];
};

struct vec_test {
    const char *name;
    uint32_t lanes;
    void (*run)(struct vec_test_words *words, const struct vec_test_numbers *numbers);
};

#endif
