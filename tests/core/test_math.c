/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against elementary functions that are less exact than base/math.h says. The measure is the
 * C library's long double. */

#include <float.h>
#include <math.h>

#include "base/math.h"
#include "support/check.h"

#if LDBL_MANT_DIG > 60

static double worst;

static void note(long double found, long double exact, long double unit)
{
    double error = (double)(fabsl(found - exact) / unit);
    if (!(error <= worst)) {
        worst = error;
    }
}

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * test_unit(random);
}

/* Absolute error of sine and cosine up to 1e6. */
static void test_sin_cos(void **state)
{
    test_random random = {1};
    worst = 0;
    for (int i = 0; i < 400000; i++) {
        double reach = i % 3 == 0 ? 1e6 : i % 3 == 1 ? 10 : 1e-3;
        double x = between(&random, -reach, reach);
        double sine, cosine;
        note((long double)terrain__sin(x), sinl((long double)x), 1);
        note((long double)terrain__cos(x), cosl((long double)x), 1);
        terrain__sine_cosine(x, &sine, &cosine); /* which has a way of its own to the quadrant */
        assert_true(sine == terrain__sin(x) && cosine == terrain__cos(x));
    }
    /* Near multiples of pi / 2, where the reduction cancels. */
    for (int i = -600000; i <= 600000; i += 7) {
        double x = (double)i * (TERRAIN__PI / 2);
        note((long double)terrain__sin(x), sinl((long double)x), 1);
        note((long double)terrain__cos(x), cosl((long double)x), 1);
    }
    print_message("sin, cos: %.3g\n", worst);
    assert_true(worst < 1e-15);
    assert_true(terrain__sin(0) == 0 && terrain__cos(0) == 1);
}

/* Guards against errors beyond what math.h states, exp(0) that is not 1, and no clamping. */
static void test_exp(void **state)
{
    test_random random = {2};
    worst = 0;
    for (int i = 0; i < 400000; i++) {
        double reach = i % 2 == 0 ? 700 : 2;
        double x = between(&random, -reach, reach);
        long double exact = expl((long double)x);
        note((long double)terrain__exp(x), exact, exact * (1 + fabsl((long double)x)));
    }
    print_message("exp: %.3g\n", worst);
    assert_true(worst < 4e-16);
    assert_true(terrain__exp(0) == 1);
    assert_true(terrain__exp(1e9) == terrain__exp(700));
    assert_true(terrain__exp(-1e9) == terrain__exp(-700));
}

/* Guards against errors beyond what math.h states, and log(1) that is not 0. */
static void test_log(void **state)
{
    test_random random = {3};
    worst = 0;
    for (int i = 0; i < 400000; i++) {
        double x = i % 2 == 0 ? exp(between(&random, -700, 700)) : between(&random, 0.5, 2);
        long double exact = logl((long double)x);
        long double size = fabsl(exact) > 1 ? fabsl(exact) : 1;
        note((long double)terrain__log(x), exact, size);
    }
    print_message("log: %.3g\n", worst);
    assert_true(worst < 1e-15);
    assert_true(terrain__log(1) == 0);
}

/* Guards against errors that grow faster than the exponent's bits. */
static void test_pow(void **state)
{
    test_random random = {4};
    worst = 0;
    for (int i = 0; i < 200000; i++) {
        double x = exp(between(&random, -5, 5));
        double y = between(&random, -20, 20);
        long double exact = powl((long double)x, (long double)y);
        long double bits = 1 + fabsl((long double)y * logl((long double)x));
        note((long double)terrain__pow(x, y), exact, exact * bits);
    }
    print_message("pow: %.3g\n", worst);
    assert_true(worst < 2e-15);
}

#endif

/* Roots that are not rounded as IEEE 754 says. */
static void test_sqrt(void **state)
{
    test_random random = {5};
    for (int i = 0; i < 100000; i++) {
        double x = exp(test_unit(&random) * 200 - 100);
        assert_true(terrain__sqrt(x) == sqrt(x));
        assert_true(terrain__sqrtf((float)x) == sqrtf((float)x));
    }
}

/* A division that rounds towards zero. */
static void test_floor_division(void **state)
{
    static const int64_t divisors[] = {1, 2, 3, 7, 64, 1000, INT64_C(1) << 40};
    static const int64_t values[] = {0,
                                     1,
                                     -1,
                                     2,
                                     -2,
                                     63,
                                     64,
                                     65,
                                     -63,
                                     -64,
                                     -65,
                                     6,
                                     -6,
                                     7,
                                     -7,
                                     8,
                                     -8,
                                     -127,
                                     -128,
                                     -129,
                                     INT64_MAX,
                                     TERRAIN_WORLD_LIMIT,
                                     -TERRAIN_WORLD_LIMIT};
    for (size_t d = 0; d < sizeof divisors / sizeof divisors[0]; d++) {
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            int64_t quotient = terrain__floor_div(values[v], divisors[d]);
            int64_t rest = terrain__floor_mod(values[v], divisors[d]);
            assert_true(rest >= 0 && rest < divisors[d]);
            assert_int_equal(quotient * divisors[d] + rest, values[v]);
        }
    }
}

/* A difference of places at the world's ends that overflows, and so gets the other sign. */
static void test_difference(void **state)
{
    const int64_t end = TERRAIN_WORLD_LIMIT, far = INT64_C(1) << 48;
    const struct {
        int64_t a, b, limit, difference;
    } cases[] = {
        {5, 3, 10, 2},
        {3, 5, 10, -2},
        {-4, -4, 10, 0},
        {13, 3, 10, 10},
        {14, 3, 10, 10},
        {-8, 3, 10, -10},
        {end, end - 7, far, 7},
        {end, -end, far, far},
        {-end, end, far, -far},
        {-end - 1023, end, far, -far},
        {end, -end - 1023, far, far},
        {INT64_MIN, INT64_MAX, far, -far},
        {INT64_MAX, INT64_MIN, far, far},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(terrain__difference_within(cases[i].a, cases[i].b, cases[i].limit),
                         cases[i].difference);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if LDBL_MANT_DIG > 60
        cmocka_unit_test(test_sin_cos),
        cmocka_unit_test(test_exp),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_pow),
#endif
        cmocka_unit_test(test_sqrt),
        cmocka_unit_test(test_floor_division),
        cmocka_unit_test(test_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
