/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Exact in double. */
static const double number_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { EXACT_DIGITS = 15, EXACT_POWER = 22 };
#define EXACT_MANTISSA UINT64_C(1000000000000000) /* of EXACT_DIGITS digits: below it */

struct number_scan {
    uint64_t mantissa;
    int64_t exponent;
    bool negative;
    bool fits;
};

static bool number_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits of the mantissa. Zeros at the end become part of the exponent: 1000000000000000000 has
 * one significant digit. Returns the end of what was read, NULL if there is no digit. */
static const char *number_scan_mantissa(const char *at, const char *end, struct number_scan *scan)
{
    bool any = false;
    bool point = false;
    int digits = 0;
    int zeros = 0; /* since the last other digit */
    for (; at < end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (!number_is_digit(*at)) {
            break;
        }
        any = true;
        scan->exponent -= point;
        if (*at == '0') {
            zeros += digits > 0;
            continue;
        }
        digits += zeros + 1;
        if (digits > EXACT_DIGITS) {
            scan->fits = false;
            digits = EXACT_DIGITS;
            continue;
        }
        for (; zeros > 0; zeros--) {
            scan->mantissa *= 10;
        }
        scan->mantissa = scan->mantissa * 10 + (uint64_t)(*at - '0');
    }
    scan->exponent += zeros;
    return any ? at : NULL;
}

static const char *number_scan_exponent(const char *at, const char *end, struct number_scan *scan)
{
    bool negative = false;
    int64_t value = 0;
    if (at == end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    at++;
    if (at < end && (*at == '-' || *at == '+')) {
        negative = *at == '-';
        at++;
    }
    if (at == end || !number_is_digit(*at)) {
        return NULL;
    }
    for (; at < end && number_is_digit(*at); at++) {
        value = value < 100000 ? value * 10 + (*at - '0') : value;
    }
    scan->exponent += negative ? -value : value;
    return at;
}

bool terrain__parse_double(const char *text, size_t size, double *value)
{
    const char *end = text + size;
    struct number_scan scan = {0, 0, false, true};
    if (text < end && (*text == '-' || *text == '+')) {
        scan.negative = *text == '-';
        text++;
    }
    if (end - text == 3 && memcmp(text, "inf", 3) == 0) {
        *value = scan.negative ? -1e300 * 1e300 : 1e300 * 1e300;
        return true;
    }
    text = number_scan_mantissa(text, end, &scan);
    text = text != NULL ? number_scan_exponent(text, end, &scan) : NULL;
    if (text != end || !scan.fits) {
        return false;
    }
    while (scan.mantissa != 0 && scan.exponent > EXACT_POWER &&
           scan.mantissa < EXACT_MANTISSA / 10) {
        scan.mantissa *= 10;
        scan.exponent--;
    }
    double magnitude = (double)scan.mantissa;
    if (scan.mantissa != 0) {
        if (scan.exponent < -EXACT_POWER || scan.exponent > EXACT_POWER) {
            return false;
        }
        magnitude = scan.exponent < 0 ? magnitude / number_powers[-scan.exponent]
                                      : magnitude * number_powers[scan.exponent];
    }
    *value = scan.negative ? -magnitude : magnitude;
    return true;
}

bool terrain__parse_uint64(const char *text, size_t size, uint64_t *value)
{
    uint64_t result = 0;
    for (size_t i = 0; i < size; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (!number_is_digit(text[i]) || result > (UINT64_MAX - digit) / 10) {
            return false;
        }
        result = result * 10 + digit;
    }
    *value = result;
    return size > 0;
}

bool terrain__parse_int64(const char *text, size_t size, int64_t *value)
{
    bool negative = size > 0 && text[0] == '-';
    bool sign = negative || (size > 0 && text[0] == '+');
    uint64_t magnitude;
    if (!terrain__parse_uint64(text + sign, size - sign, &magnitude) ||
        magnitude > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* value = digits * 10^exponent, with the fewest digits that give the float back. value > 0. */
static uint64_t number_shortest(float value, int *exponent)
{
    double v = (double)value;
    int magnitude = 0; /* 10^magnitude <= v < 10^(magnitude + 1) */
    double scale = 1;
    while (scale * 10 <= v) {
        scale *= 10;
        magnitude++;
    }
    while (scale > v) {
        scale /= 10;
        magnitude--;
    }
    for (int digits = 1;; digits++) {
        int power = digits - 1 - magnitude;
        double factor = 1;
        uint64_t mantissa;
        double back;
        for (int i = 0; i < (power < 0 ? -power : power); i++) {
            factor *= 10;
        }
        mantissa = (uint64_t)((power < 0 ? v / factor : v * factor) + 0.5);
        back = power < 0 ? (double)mantissa * factor : (double)mantissa / factor;
        if ((float)back == value || digits == 9) {
            *exponent = -power;
            return mantissa;
        }
    }
}

size_t terrain__format_float(char text[TERRAIN__NUMBER_SIZE], float value)
{
    char digits[24];
    int exponent = 0;
    int count, point;
    size_t length = 0;
    if (value != value) {
        return (size_t)snprintf(text, TERRAIN__NUMBER_SIZE, "nan");
    }
    if (signbit(value)) { /* of -0, too */
        text[length++] = '-';
        value = -value;
    }
    if (value > 3.4028234664e38f) {
        return length + (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "inf");
    }
    if (value == 0) {
        return length + (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "0");
    }
    count = snprintf(digits, sizeof digits, "%llu",
                     (unsigned long long)number_shortest(value, &exponent));
    for (; count > 1 && digits[count - 1] == '0'; count--) {
        exponent++;
    }
    point = count + exponent; /* digits before the decimal point */
    if (point > 15 || point < -5) {
        length += (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "%.1s", digits);
        if (count > 1) {
            length += (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, ".%.*s",
                                       count - 1, digits + 1);
        }
        return length +
               (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "e%d", point - 1);
    }
    if (point <= 0) {
        return length + (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "0.%.*s%.*s",
                                         -point, "00000", count, digits);
    }
    if (exponent >= 0) {
        return length + (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "%.*s%.*s",
                                         count, digits, exponent, "000000000000000");
    }
    return length + (size_t)snprintf(text + length, TERRAIN__NUMBER_SIZE - length, "%.*s.%.*s",
                                     point, digits, count - point, digits + point);
}

const char *terrain__format_number(char text[TERRAIN__NUMBER_SIZE], double value)
{
    terrain__format_float(text, (float)value);
    return text;
}

const char *terrain__format_bytes(char text[TERRAIN__NUMBER_SIZE], uint64_t bytes)
{
    if (bytes >= SIZE_MAX) {
        return "more bytes than can be addressed";
    }
    snprintf(text, TERRAIN__NUMBER_SIZE, "%" PRIu64 " bytes", bytes);
    return text;
}
