/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "fuzz/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t take(struct bytes *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count && bytes->left > 0; i++, bytes->left--) {
        value |= (uint64_t)*bytes->data++ << 8 * i;
    }
    return value;
}

void require(bool condition, const char *what, const char *message)
{
    if (!condition) {
        printf("FAILED %s: %s\n", what, message);
        fflush(stdout);
        abort();
    }
}

static terrain_value any_value(struct bytes *bytes, const terrain_parameter *p)
{
    terrain_value value = p->default_value;
    test_random random;
    uint32_t bits;
    float f;
    switch (take(bytes, 1) % 8) {
    case 4:
    case 5:
        random.state = take(bytes, 8);
        return test_random_value(p, &random, 0);
    case 6:
        return take(bytes, 1) % 2 == 0 ? p->minimum : p->maximum;
    case 7:
        value.u = take(bytes, 8);
        if (p->type == TERRAIN_TYPE_FLOAT) {
            bits = (uint32_t)value.u;
            memcpy(&f, &bits, sizeof f);
            value.f = (double)f;
        }
        return value;
    default:
        return value;
    }
}

static void any_array(struct bytes *bytes, test_call *call, const terrain_parameter *p)
{
    char text[400] = "";
    size_t used = 0;
    uint64_t count = take(bytes, 1) % 12;
    for (uint64_t i = 0; i < count; i++) {
        double value = p->minimum.f + (double)take(bytes, 1) / 128 * (p->maximum.f - p->minimum.f);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.9g", i > 0 ? "," : "",
                                 isfinite(value) ? value : (double)i);
    }
    if (count > 0) {
        test_call_set_text(call, p->name, text);
    }
}

void take_params(struct bytes *bytes, test_call *call)
{
    for_each_parameter(call->operation, p) {
        if (test_is_number(p)) {
            test_set(call->params, p, any_value(bytes, p));
        } else if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            any_array(bytes, call, p);
        }
    }
}
