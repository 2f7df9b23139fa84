/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Params at another scale, by the laws of terrain_scaling. */

#include <stdio.h>
#include <string.h>

#include "base/math.h"
#include "base/number.h"
#include "core/params.h"
#include "core/type.h"

/* The law of a number, by its unit. */
static terrain_scaling scale_by_unit(const terrain_parameter *parameter)
{
    static const char *const fixed[] = {"height", "slope", "degrees", "spacings"};
    if (strcmp(parameter->unit, "cells") == 0) {
        return TERRAIN_SCALING_LENGTH;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (strcmp(parameter->unit, fixed[i]) == 0) {
            return TERRAIN_SCALING_FIXED;
        }
    }
    return parameter->unit[0] == 0 && parameter->type == TERRAIN_TYPE_FLOAT ? TERRAIN_SCALING_FIXED
                                                                            : TERRAIN_SCALING_NONE;
}

terrain_scaling terrain_parameter_scaling(const terrain_parameter *parameter)
{
    if (parameter == NULL || parameter->scaling != TERRAIN_SCALING_NONE) {
        return parameter != NULL ? parameter->scaling : TERRAIN_SCALING_NONE;
    }
    switch (parameter->type) {
    case TERRAIN_TYPE_FLOAT:
    case TERRAIN_TYPE_INT32:
    case TERRAIN_TYPE_UINT32:
    case TERRAIN_TYPE_INT64:
    case TERRAIN_TYPE_UINT64:
        return parameter->role == TERRAIN_PARAMETER_ROLE_SEED ? TERRAIN_SCALING_FIXED
                                                              : scale_by_unit(parameter);
    case TERRAIN_TYPE_FLOAT_ARRAY:
        return strcmp(parameter->unit, "cells") == 0 ? TERRAIN_SCALING_NONE : TERRAIN_SCALING_FIXED;
    default:
        return TERRAIN_SCALING_FIXED;
    }
}

uint32_t terrain__scaled_spacing(const terrain_parameter *parameter, uint32_t spacing, double scale)
{
    const double scaled = (double)spacing * scale;
    uint32_t power = spacing < 2 ? 1 : 2;
    while (power < parameter->minimum.u ||
           ((double)power * 2 <= scaled && power <= parameter->maximum.u / 2)) {
        power *= 2;
    }
    return power;
}

/* ---- One value ------------------------------------------------------------------------------- */

/* A number clamped to the range; for integers, whose ranges lie below 2^63, the nearest one. */
static terrain_value scale_value(const terrain_parameter *parameter, double number)
{
    terrain_value value;
    if (number <= terrain__number_of(parameter, &parameter->minimum)) {
        return parameter->minimum;
    }
    if (number >= terrain__number_of(parameter, &parameter->maximum)) {
        return parameter->maximum;
    }
    switch (parameter->type) {
    case TERRAIN_TYPE_FLOAT:
        value.f = number;
        break;
    case TERRAIN_TYPE_INT32:
    case TERRAIN_TYPE_INT64:
        value.i = (int64_t)terrain__floor(number + 0.5);
        break;
    default:
        value.u = (uint64_t)terrain__floor(number + 0.5);
        break;
    }
    return value;
}

/* A place of the world times the scale. Its two halves are scaled apart, so that scales that are
 * powers of two give exact places. */
static int64_t scale_place(int64_t place, double scale)
{
    const int64_t high = terrain__floor_div(place, INT64_C(1) << 32);
    const int64_t low = place - high * (INT64_C(1) << 32);
    const double whole = terrain__floor((double)high * scale);
    const double rest = (double)high * scale - whole;
    return (int64_t)whole * (INT64_C(1) << 32) +
           (int64_t)terrain__floor(rest * 0x1p32 + (double)low * scale + 0.5);
}

static double scale_factor(terrain_scaling law, double scale)
{
    switch (law) {
    case TERRAIN_SCALING_AREA:
        return scale * scale;
    case TERRAIN_SCALING_RATE:
        return 1 / scale;
    default:
        return scale;
    }
}

static terrain_status scale_check_lattice(const terrain_parameter *parameter, double number,
                                          double scale, double scaled,
                                          char fault[TERRAIN__FAULT_SIZE])
{
    const double low = terrain__number_of(parameter, &parameter->minimum);
    const double high = terrain__number_of(parameter, &parameter->maximum);
    if (scaled == terrain__floor(scaled) && scaled >= low && scaled <= high) {
        return TERRAIN_SUCCESS;
    }
    char there[TERRAIN__NUMBER_SIZE], factor[TERRAIN__NUMBER_SIZE];
    snprintf(fault, TERRAIN__FAULT_SIZE,
             "%s is %.0f, and %s at a scale of %s: must be a whole number from %.0f to %.0f there, "
             "too",
             parameter->name, number, terrain__format_number(there, scaled),
             terrain__format_number(factor, scale), low, high);
    return TERRAIN_ERROR_RANGE;
}

static terrain_status scale_parameter(const terrain_parameter *parameter, void *params,
                                      double scale, char fault[TERRAIN__FAULT_SIZE])
{
    const terrain_scaling law = terrain_parameter_scaling(parameter);
    const terrain__type *type = terrain__type_of(parameter);
    terrain_value value;
    double number, scaled;
    if (law == TERRAIN_SCALING_FIXED || law == TERRAIN_SCALING_OWN) {
        return TERRAIN_SUCCESS;
    }
    type->load(terrain__params_field(params, parameter), &value);
    number = terrain__number_of(parameter, &value);
    if (number == 0) {
        return TERRAIN_SUCCESS;
    }
    scaled = number * scale_factor(law, scale);
    if (law == TERRAIN_SCALING_LATTICE) {
        terrain_status status = scale_check_lattice(parameter, number, scale, scaled, fault);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    if (law == TERRAIN_SCALING_SPACING) {
        value.u = terrain__scaled_spacing(parameter, (uint32_t)value.u, scale);
    } else if (parameter->type == TERRAIN_TYPE_INT64) {
        const double limit = 0x1p62;
        value.i = scaled >= limit    ? parameter->maximum.i
                  : scaled <= -limit ? parameter->minimum.i
                                     : scale_place(value.i, scale);
    } else {
        const bool least_one = law == TERRAIN_SCALING_EXTENT || law == TERRAIN_SCALING_STEPS;
        value = scale_value(parameter, least_one && scaled < 1 ? 1 : scaled);
    }
    type->store(terrain__params_field(params, parameter), &value);
    return TERRAIN_SUCCESS;
}

/* A parameter as the operation's own rule has changed it, clamped to its range. */
static void scale_clamp(const terrain_parameter *parameter, void *params)
{
    const terrain__type *type = terrain__type_of(parameter);
    terrain_value value;
    type->load(terrain__params_field(params, parameter), &value);
    if (!type->fits(&value, &parameter->minimum, &parameter->maximum)) {
        value = scale_value(parameter, terrain__number_of(parameter, &value));
        type->store(terrain__params_field(params, parameter), &value);
    }
}

static terrain_status scale_params(const terrain_operation *operation,
                                   const terrain__checked *params, double scale,
                                   terrain__params *room, char fault[TERRAIN__FAULT_SIZE])
{
    const terrain__checked *checked;
    terrain_status status = TERRAIN_SUCCESS;
    memcpy(room->bytes, params, operation->params_size);
    for (uint32_t i = 0; i < operation->parameter_count && status == TERRAIN_SUCCESS; i++) {
        status = scale_parameter(&operation->parameters[i], room->bytes, scale, fault);
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    const char *reason =
        operation->scale != NULL ? operation->scale(room->bytes, params, scale) : NULL;
    if (reason != NULL) {
        char number[TERRAIN__NUMBER_SIZE];
        snprintf(fault, TERRAIN__FAULT_SIZE, "at a scale of %s %s",
                 terrain__format_number(number, scale), reason);
        return TERRAIN_ERROR_RANGE;
    }
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        if (terrain_parameter_scaling(&operation->parameters[i]) == TERRAIN_SCALING_OWN) {
            scale_clamp(&operation->parameters[i], room->bytes);
        }
    }
    status = terrain__params_check_rules(operation, room, &checked, fault);
    if (status != TERRAIN_SUCCESS) {
        char rule[TERRAIN__FAULT_SIZE], number[TERRAIN__NUMBER_SIZE];
        memcpy(rule, fault, sizeof rule);
        snprintf(fault, TERRAIN__FAULT_SIZE, "at a scale of %s: %.200s",
                 terrain__format_number(number, scale), rule);
    }
    return status;
}

terrain_status terrain__params_scale(const terrain_operation *operation,
                                     const terrain__checked *params, double scale,
                                     terrain__params *room, char fault[TERRAIN__FAULT_SIZE])
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    terrain_status status = scale_params(operation, params, scale, room, fault);
    terrain__float_leave(&host);
    return status;
}
