/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Fields ---------------------------------------------------------------------------------- */

static void type_load_float(const void *field, terrain_value *value)
{
    float f;
    memcpy(&f, field, sizeof f);
    value->f = (double)f;
}

static void type_store_float(void *field, const terrain_value *value)
{
    const float f = (float)value->f;
    memcpy(field, &f, sizeof f);
}

static void type_load_int32(const void *field, terrain_value *value)
{
    int32_t i;
    memcpy(&i, field, sizeof i);
    value->i = i;
}

static void type_store_int32(void *field, const terrain_value *value)
{
    const int32_t i = (int32_t)value->i;
    memcpy(field, &i, sizeof i);
}

static void type_load_uint32(const void *field, terrain_value *value)
{
    uint32_t u;
    memcpy(&u, field, sizeof u);
    value->u = u;
}

static void type_store_uint32(void *field, const terrain_value *value)
{
    const uint32_t u = (uint32_t)value->u;
    memcpy(field, &u, sizeof u);
}

static void type_load_wide(const void *field, terrain_value *value)
{
    memcpy(value, field, sizeof *value);
}

static void type_store_wide(void *field, const terrain_value *value)
{
    memcpy(field, value, sizeof *value);
}

/* ---- Ranges: NaN is in none ------------------------------------------------------------------ */

static bool type_fits_real(const terrain_value *value, const terrain_value *low,
                           const terrain_value *high)
{
    return (float)value->f >= (float)low->f && (float)value->f <= (float)high->f;
}

static bool type_fits_signed(const terrain_value *value, const terrain_value *low,
                             const terrain_value *high)
{
    return value->i >= low->i && value->i <= high->i;
}

static bool type_fits_unsigned(const terrain_value *value, const terrain_value *low,
                               const terrain_value *high)
{
    return value->u >= low->u && value->u <= high->u;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void type_print_real(const terrain_value *value, char text[TERRAIN__NUMBER_SIZE])
{
    terrain__format_float(text, (float)value->f);
}

static void type_print_signed(const terrain_value *value, char text[TERRAIN__NUMBER_SIZE])
{
    snprintf(text, TERRAIN__NUMBER_SIZE, "%" PRId64, value->i);
}

static void type_print_unsigned(const terrain_value *value, char text[TERRAIN__NUMBER_SIZE])
{
    snprintf(text, TERRAIN__NUMBER_SIZE, "%" PRIu64, value->u);
}

/* Numbers that are read lie below 1e37, so no finite number becomes infinite. */
static bool type_parse_real(const char *text, size_t size, terrain_value *value)
{
    double number;
    if (!terrain__parse_double(text, size, &number)) {
        return false;
    }
    value->f = (double)(float)number;
    return true;
}

static bool type_parse_signed(const char *text, size_t size, terrain_value *value)
{
    return terrain__parse_int64(text, size, &value->i);
}

static bool type_parse_unsigned(const char *text, size_t size, terrain_value *value)
{
    return terrain__parse_uint64(text, size, &value->u);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define TYPE_REAL type_fits_real, type_print_real, type_parse_real
#define TYPE_SIGNED type_fits_signed, type_print_signed, type_parse_signed
#define TYPE_UNSIGNED type_fits_unsigned, type_print_unsigned, type_parse_unsigned
#define TYPE_POINTER                                                                               \
    {                                                                                              \
        sizeof(void *), NULL, NULL, NULL, NULL, NULL                                               \
    }

static const terrain__type type_table[] = {
    [TERRAIN_TYPE_FLOAT] = {4, type_load_float, type_store_float, TYPE_REAL},
    [TERRAIN_TYPE_INT32] = {4, type_load_int32, type_store_int32, TYPE_SIGNED},
    [TERRAIN_TYPE_UINT32] = {4, type_load_uint32, type_store_uint32, TYPE_UNSIGNED},
    [TERRAIN_TYPE_INT64] = {8, type_load_wide, type_store_wide, TYPE_SIGNED},
    [TERRAIN_TYPE_UINT64] = {8, type_load_wide, type_store_wide, TYPE_UNSIGNED},
    [TERRAIN_TYPE_BOOL] = {4, type_load_uint32, type_store_uint32, TYPE_UNSIGNED},
    [TERRAIN_TYPE_ENUM] = {4, type_load_uint32, type_store_uint32, TYPE_UNSIGNED},
    [TERRAIN_TYPE_MAP_IN] = TYPE_POINTER,
    [TERRAIN_TYPE_MAP_OUT] = TYPE_POINTER,
    [TERRAIN_TYPE_FLOAT_ARRAY] = TYPE_POINTER,
};

const terrain__type *terrain__type_of(const terrain_parameter *parameter)
{
    return &type_table[parameter->type];
}

const terrain__type *terrain__element_type_of(const terrain_parameter *parameter)
{
    return parameter->type == TERRAIN_TYPE_FLOAT_ARRAY ? &type_table[TERRAIN_TYPE_FLOAT]
                                                       : terrain__type_of(parameter);
}

double terrain__number_of(const terrain_parameter *parameter, const terrain_value *value)
{
    switch (parameter->type) {
    case TERRAIN_TYPE_FLOAT:
    case TERRAIN_TYPE_FLOAT_ARRAY:
        return value->f;
    case TERRAIN_TYPE_INT32:
    case TERRAIN_TYPE_INT64:
        return (double)value->i;
    default:
        return (double)value->u;
    }
}
