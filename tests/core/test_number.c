/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against numbers that are read or written wrongly, or as the locale wants it. The measure
 * is the C library in the "C" locale. */

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "support/check.h"

static bool read_double(const char *text, double *value)
{
    return terrain__parse_double(text, strlen(text), value);
}

/* Digits, points and exponents, against strtod. */
static void test_read_like_strtod(void **state)
{
    test_random random = {1};
    for (int i = 0; i < 200000; i++) {
        char text[64];
        uint64_t mantissa = test_bits(&random) % UINT64_C(1000000000000000);
        mantissa >>= test_below(&random, 50);
        int point = (int)test_below(&random, 8);
        int exponent = (int)test_below(&random, 29) - 14;
        double scale = 1;
        for (int k = 0; k < point; k++) {
            scale *= 10;
        }
        int sign = test_below(&random, 2) != 0;
        uint64_t whole = mantissa / (uint64_t)scale;
        uint64_t part = mantissa % (uint64_t)scale;
        if (point == 0) {
            snprintf(text, sizeof text, "%s%" PRIu64 "e%d", sign ? "-" : "", whole, exponent);
        } else {
            snprintf(text, sizeof text, "%s%" PRIu64 ".%0*" PRIu64 "e%d", sign ? "-" : "", whole,
                     point, part, exponent);
        }
        double value = 0;
        assert_true(read_double(text, &value));
        if (value != strtod(text, NULL)) {
            fail_msg("%s read as %.17g", text, value);
        }
    }
}

/* Guards against forms of numbers that are not read, read wrongly, or read though they are none. */
static void test_read_known(void **state)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},
        {"1", 1},
        {"-1", -1},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"5.", 5},
        {"0.1", 0.1},
        {"1e3", 1000},
        {"1E-3", 0.001},
        {"1e+2", 100},
        {"inf", HUGE_VAL},
        {"-inf", -HUGE_VAL},
        {"00012", 12},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"3.4e35", 3.4e35},
        {"-9e36", -9e36},
        {"123456789012345e22", 123456789012345e22},
        {"1e-22", 1e-22},
        {"1000000000000000000", 1e18},
        {"0e99999", 0},
        {"0.0000001", 1e-7},
        {"123456789012345", 123456789012345.0},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = -77;
        if (!read_double(good[i].text, &value) || value != good[i].value) {
            fail_msg("\"%s\" read as %.17g", good[i].text, value);
        }
    }
}

/* Garbage, half numbers, and numbers that double arithmetic can't read exactly. */
static void test_read_refuses(void **state)
{
    static const char *const bad[] = {
        "",
        " 1",
        "1 ",
        "-",
        "+",
        ".",
        "e5",
        "1e",
        "1e+",
        "1..2",
        "1.2.3",
        "0x1",
        "1,5",
        "nan",
        "infinity",
        "1f",
        "--1",
        "1e5.5",
        "1e37",
        "12345678901234e24",
        "1e-23",
        "1e999999999999",
        "-1e-999999999999",
        "1234567890123456",
        "0.1234567890123456",
        "1_000",
        "INF",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = 0;
        if (read_double(bad[i], &value)) {
            fail_msg("\"%s\" read as %.17g", bad[i], value);
        }
    }
    double value = 0;
    assert_false(terrain__parse_double("1\0", 2, &value));
    assert_true(terrain__parse_double("15", 1, &value) && value == 1);
}

/* Guards against integers that wrap round at the ends of their range, and text that is none. */
static void test_integers(void **state)
{
    uint64_t u = 0;
    int64_t i = 0;
    assert_true(terrain__parse_uint64("18446744073709551615", 20, &u) && u == UINT64_MAX);
    assert_false(terrain__parse_uint64("18446744073709551616", 20, &u));
    assert_false(terrain__parse_uint64("99999999999999999999", 20, &u));
    assert_false(terrain__parse_uint64("-1", 2, &u));
    assert_false(terrain__parse_uint64("", 0, &u));
    assert_false(terrain__parse_uint64("1.0", 3, &u));
    assert_true(terrain__parse_int64("-9223372036854775808", 20, &i) && i == INT64_MIN);
    assert_true(terrain__parse_int64("9223372036854775807", 19, &i) && i == INT64_MAX);
    assert_false(terrain__parse_int64("9223372036854775808", 19, &i));
    assert_false(terrain__parse_int64("-9223372036854775809", 20, &i));
    assert_false(terrain__parse_int64("-", 1, &i));
    assert_false(terrain__parse_int64("", 0, &i));
    assert_true(terrain__parse_int64("-0", 2, &i) && i == 0);
}

static void check_written(float value)
{
    char text[TERRAIN__NUMBER_SIZE];
    memset(text, 'x', sizeof text);
    size_t length = terrain__format_float(text, value);
    assert_int_equal(length, strlen(text));
    if (strtof(text, NULL) != value) {
        fail_msg("%a written as %s", (double)value, text);
    }
}

/* A text that is not read as the same float again. */
static void test_write_and_read(void **state)
{
    test_random random = {2};
    for (int i = 0; i < 300000; i++) {
        uint32_t bits = (uint32_t)test_bits(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            check_written(value);
        }
    }
    for (int i = -2000; i < 2000; i++) {
        check_written((float)i * 0.01f);
    }
    for (float value = 0x1p-149f; value < INFINITY; value *= 2) {
        check_written(value);
        check_written(nextafterf(value, 0));
        check_written(nextafterf(value, INFINITY));
    }
}

/* Guards against text that is longer than it need be, or in another form. */
static void test_write_known(void **state)
{
    static const struct {
        float value;
        const char *text;
    } known[] = {
        {0, "0"},
        {1, "1"},
        {-1, "-1"},
        {0.1f, "0.1"},
        {100, "100"},
        {0.25f, "0.25"},
        {-2.5f, "-2.5"},
        {1e9f, "1000000000"},
        {1e-7f, "1e-7"},
        {1e20f, "1e20"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {3.4028234664e38f, "3.4028235e38"},
        {16777216, "16777216"},
        {-0.0f, "-0"},
        {0.00001f, "0.00001"},
        {123.456f, "123.456"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[TERRAIN__NUMBER_SIZE];
        terrain__format_float(text, known[i].value);
        assert_string_equal(text, known[i].text);
    }
}

/* A locale with a decimal comma, if the machine has one. */
static void test_locale(void **state)
{
    char text[TERRAIN__NUMBER_SIZE];
    double value = 0;
    test_set_comma_locale();
    assert_true(read_double("1.5", &value) && value == 1.5);
    assert_false(read_double("1,5", &value));
    terrain__format_float(text, 1.5f);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_like_strtod), cmocka_unit_test(test_read_known),
        cmocka_unit_test(test_read_refuses),     cmocka_unit_test(test_integers),
        cmocka_unit_test(test_write_and_read),   cmocka_unit_test(test_write_known),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
