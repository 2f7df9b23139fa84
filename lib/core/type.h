/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the types of parameters have in common: how a value is kept in a struct, read and printed as
 * text, and compared with its range. */

#ifndef TERRAIN_CORE_TYPE_H
#define TERRAIN_CORE_TYPE_H

#include <stdbool.h>

#include "base/number.h"
#include "terrain/operation.h"

typedef struct terrain__type {
    uint32_t size; /* of the field, which is aligned to as many bytes */
    /* The rest is NULL for maps and arrays. */
    void (*load)(const void *field, terrain_value *value);
    void (*store)(void *field, const terrain_value *value);
    bool (*fits)(const terrain_value *value, const terrain_value *low, const terrain_value *high);
    void (*print)(const terrain_value *value, char text[TERRAIN__NUMBER_SIZE]);
    bool (*parse)(const char *text, size_t size, terrain_value *value);
} terrain__type;

const terrain__type *terrain__type_of(const terrain_parameter *parameter);

/* The type of a FLOAT_ARRAY's elements; otherwise that of the parameter itself. */
const terrain__type *terrain__element_type_of(const terrain_parameter *parameter);

/* A value of a parameter that is no map, or an end of its range, as a number: exact below 2^53. */
double terrain__number_of(const terrain_parameter *parameter, const terrain_value *value);

#endif
