/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against an instruction set that means something else by a function of vector/vec.h than
 * plain C does: for NaN, infinity, both zeros and subnormal numbers, and in every lane. */

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "support/check.h"
#include "support/random.h"
#include "vector/vec_functions.h"

extern const struct vec_test vec_test_scalar, vec_test_gnu;
extern const struct vec_test vec_test_baseline, vec_test_avx2, vec_test_avx512;

static const float specials[] = {
    0,        -0.0f,     1,      -1,      0.5f,     -0.5f,       2.5f,    -2.5f,
    254.4f,   254.5f,    255.4f, 255.5f,  256,      65535.5f,    8388607, 16777216,
    2.0e9f,   -2.0e9f,   1e-40f, -1e-40f, FLT_MIN,  -FLT_MIN,    FLT_MAX, -FLT_MAX,
    INFINITY, -INFINITY, NAN,    -NAN,    0x1p-24f, 0.49999997f, -0.3f,   3.0e9f,
};

enum { SPECIALS = sizeof specials / sizeof specials[0] };
_Static_assert(SPECIALS *SPECIALS == VEC_TEST_CELLS, "every special number meets every other");

static void fill(struct vec_test_numbers *to)
{
    test_random random = {5};
    for (size_t n = 0; n < VEC_TEST_CELLS; n++) {
        to->a[n] = specials[n % SPECIALS];
        to->b[n] = specials[n / SPECIALS];
        to->near[n] =
            fabsf(to->a[n]) < 0x1p31f ? to->a[n] : (float)((test_unit(&random) - 0.5) * 4096);
        to->limit[n] = isnan(to->b[n]) ? 3 : fabsf(to->b[n]);
        to->i[n] = (int32_t)test_bits(&random);
        to->j[n] = n % 3 == 0 ? to->i[n] : (int32_t)test_bits(&random);
        to->small[n] = (int32_t)test_below(&random, 16);
        to->bytes[n] = (uint8_t)(n * 37);
        to->longs[n] = test_bits(&random) >> n % 64;
        to->longs[n] = n % 2 == 0 ? to->longs[n] : 0 - to->longs[n];
        to->doubles[n] = test_unit(&random);
        to->which[n] = (int32_t)(n / 3 % 2);
    }
}

static bool same(uint32_t a, uint32_t b, bool is_float)
{
    bool both_nan = (a & 0x7FFFFFFF) > 0x7F800000 && (b & 0x7FFFFFFF) > 0x7F800000;
    return a == b || (is_float && both_nan);
}

static void compare(const struct vec_test *test, const struct vec_test_numbers *numbers)
{
#define NAME_OF(name) #name
    static const char *const names[] = {VEC_TEST_FLOATS(NAME_OF), VEC_TEST_INTEGERS(NAME_OF)};
#undef NAME_OF
    static struct vec_test_words plain, words;
    vec_test_scalar.run(&plain, numbers);
    test->run(&words, numbers);
    for (int k = 0; k < VEC_TEST_RESULTS; k++) {
        for (size_t n = 0; n < 3 * VEC_TEST_CELLS; n++) {
            if (!same(plain.of[k][n], words.of[k][n], k < VEC_TEST_FIRST_INTEGER)) {
                fail_msg("%s, %s: word %u is 0x%08x instead of 0x%08x", test->name, names[k],
                         (unsigned)n, (unsigned)words.of[k][n], (unsigned)plain.of[k][n]);
            }
        }
    }
}

/* Guards against a vector function whose bits differ between instruction sets. */
static void test_levels(void **state)
{
    struct vec_test_numbers *numbers = malloc(sizeof *numbers);
    assert_non_null(numbers);
    fill(numbers);
    compare(&vec_test_baseline, numbers);
    compare(&vec_test_gnu, numbers);
#if defined(TERRAIN_HAVE_AVX2)
    if (terrain__best_isa() >= TERRAIN_ISA_AVX2) {
        compare(&vec_test_avx2, numbers);
    }
#endif
#if defined(TERRAIN_HAVE_AVX512)
    if (terrain__best_isa() >= TERRAIN_ISA_AVX512) {
        compare(&vec_test_avx512, numbers);
    }
#endif
    free(numbers);
}

/* What the plain functions mean, where C's operators don't say it. */
static void test_scalar(void **state)
{
    static struct vec_test_words words;
    static struct vec_test_numbers numbers;
    float v;
    fill(&numbers);
    vec_test_scalar.run(&words, &numbers);
    assert_int_equal(vec_test_scalar.lanes, 1);
    for (size_t n = 0; n < VEC_TEST_CELLS; n++) {
        float a = numbers.a[n], limit = numbers.limit[n], shade = a > 0 ? a + 0.5f : 0;
        const float less = numbers.near[n] * 0x1p-11f;
        int32_t whole;
        const uint8_t *bytes = (const uint8_t *)words.of[VEC_TEST_vf_store_rounded];
        assert_int_equal(bytes[n], shade > 255 ? 255 : (int)shade);
        memcpy(&v, &words.of[VEC_TEST_vf_floor][n], sizeof v);
        assert_true(v == floorf(numbers.near[n]) && (v != 0 || !signbit(v)));
        whole = (int32_t)floorf(less);
        assert_int_equal(words.of[VEC_TEST_vf_base][n], 0x4B400000 - (int32_t)less);
        assert_int_equal(words.of[VEC_TEST_vf_floor_onto][n], 0x4B400000 - (int32_t)less + whole);
        memcpy(&v, &words.of[VEC_TEST_vf_floor_rest][n], sizeof v);
        assert_true(v == less - (float)whole);
        memcpy(&v, &words.of[VEC_TEST_vf_excess][n], sizeof v);
        if (isfinite(a)) {
            assert_true(v == (a > limit ? a - limit : a < -limit ? a + limit : 0));
        } else {
            assert_true(isnan(a) == isnan(v) || isinf(limit));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
