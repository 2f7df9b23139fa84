/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A float is a decimal of nine digits, s = |value| * 10^k with 10^8 <= s < 10^9, in double
 * arithmetic: its error is some 1e-16 of s. Nine digits always tell floats apart: their last one is
 * at most 1e-8 of the value, and half the distance of two floats at least 2^-25, 3e-8. Fewer digits
 * do where the decimal lies nearer to the float than half that distance; a millionth of it is kept
 * as a margin for the rounding of s. */

#include "digits.h"

#include <math.h>
#include <string.h>

static const char digits_pairs[] = "00010203040506070809101112131415161718192021222324"
                                   "25262728293031323334353637383940414243444546474849"
                                   "50515253545556575859606162636465666768697071727374"
                                   "75767778798081828384858687888990919293949596979899";

/* Exactly nine digits, with zeros before. */
static void digits_put_nine(char digits[9], uint32_t value)
{
    for (int i = 7; i > 0; i -= 2, value /= 100) {
        memcpy(digits + i, digits_pairs + 2 * (value % 100), 2);
    }
    digits[0] = (char)('0' + value);
}

char *digits_put_uint(char *at, uint32_t value)
{
    char digits[10];
    uint32_t count = 10;
    while (value >= 100) {
        count -= 2;
        memcpy(digits + count, digits_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        count -= 2;
        memcpy(digits + count, digits_pairs + 2 * value, 2);
    } else {
        digits[--count] = (char)('0' + value);
    }
    memcpy(at, digits + count, 10 - count);
    return at + (10 - count);
}

/* value * 10^power. */
static double digits_scale(double value, int power)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    for (; power > 22; power -= 22) {
        value *= 1e22;
    }
    for (; power < -22; power += 22) {
        value /= 1e22;
    }
    return power < 0 ? value / tens[-power] : value * tens[power];
}

/* The nine digits of a value above 0, and the power of ten of the first of them. */
static uint32_t digits_of(double value, int *power)
{
    static const uint32_t units[] = {1000, 100, 10};
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int binary = (int)(bits >> 52) - 1023;
    const int spacing = (binary < -126 ? -126 : binary) - 24; /* half of the floats' distance */
    const uint64_t half_bits = (uint64_t)(spacing + 1023) << 52;
    double half;
    memcpy(&half, &half_bits, sizeof half);
    /* Below a power of two floats lie twice as dense. */
    if ((bits & UINT64_C(0xFFFFFFFFFFFFF)) == 0) {
        half *= 0.5;
    }

    /* 1233 / 4096 is log10 2, and 149 the least exponent: at most one too low. */
    *power = (binary + 149) * 1233 / 4096 - 45;
    double scaled = digits_scale(value, 8 - *power);
    while (scaled >= 1e9) {
        ++*power;
        scaled = digits_scale(value, 8 - *power);
    }

    const double near = scaled * (half / value) * (1 - 1e-6);
    uint32_t found = (uint32_t)(scaled + 0.5);
    for (int i = 0; i < 3; i++) {
        const uint32_t rounded = (uint32_t)(scaled + 0.5 * units[i]) / units[i] * units[i];
        if (fabs(rounded - scaled) <= near) {
            found = rounded;
            break;
        }
    }
    if (found == 1000000000) {
        ++*power;
        found = 100000000;
    }
    return found;
}

static char *digits_put_text(char *at, const char *text, int count)
{
    memcpy(at, text, (size_t)count);
    return at + count;
}

char *digits_put_float(char *at, float value)
{
    char digits[9];
    int power, count = 9;
    if (signbit(value)) {
        *at++ = '-';
    }
    if (value == 0) {
        *at++ = '0';
        return at;
    }
    digits_put_nine(digits, digits_of(fabs((double)value), &power));
    while (digits[count - 1] == '0') {
        count--;
    }
    if (power >= 9 || power < -5) {
        *at++ = digits[0];
        if (count > 1) {
            *at++ = '.';
            at = digits_put_text(at, digits + 1, count - 1);
        }
        *at++ = 'e';
        *at++ = power < 0 ? '-' : '+';
        return digits_put_uint(at, (uint32_t)(power < 0 ? -power : power));
    }
    if (power < 0) {
        at = digits_put_text(at, "0.00000", 1 - power);
        return digits_put_text(at, digits, count);
    }
    if (count <= power + 1) {
        return digits_put_text(at, digits, power + 1); /* the zeros are still there */
    }
    at = digits_put_text(at, digits, power + 1);
    *at++ = '.';
    return digits_put_text(at, digits + power + 1, count - power - 1);
}
