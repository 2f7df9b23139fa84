/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Parameters for those who know none of them by name: editors, bindings, tools. Numbers are
 * converted in the library's floating-point mode, whatever the host's is. */

#include <math.h>
#include <string.h>

#include "core/params.h"
#include "core/type.h"

/* How many times its default a slider shows, and how many times it the whole range may be. */
#define PARAMETER_SLIDER 4.0
#define PARAMETER_SMALL_RANGE 20.0
/* The end of a slider for a number whose default says nothing of its size: 0, or infinite. */
#define PARAMETER_SLIDER_OF_ZERO 100.0
#define PARAMETER_SLIDER_OF_ZERO_SLOPE 2.0

static bool parameter_has_text(const terrain_parameter *parameter)
{
    return parameter != NULL && terrain__element_type_of(parameter)->print != NULL;
}

static terrain_status parameter_format(const terrain_parameter *parameter,
                                       const terrain_value *value, char *text, size_t size)
{
    char number[TERRAIN__NUMBER_SIZE];
    const char *printed = number;
    if (!parameter_has_text(parameter) || value == NULL || text == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (parameter->type == TERRAIN_TYPE_ENUM) {
        if (value->u > parameter->maximum.u) {
            return TERRAIN_ERROR_ARGUMENT;
        }
        printed = parameter->value_names[value->u];
    } else if (parameter->type == TERRAIN_TYPE_BOOL) {
        printed = value->u != 0 ? "true" : "false";
    } else {
        terrain__element_type_of(parameter)->print(value, number);
    }
    if (strlen(printed) >= size) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    memcpy(text, printed, strlen(printed) + 1);
    return TERRAIN_SUCCESS;
}

terrain_status terrain_parameter_format(const terrain_parameter *parameter,
                                        const terrain_value *value, char *text, size_t size)
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    terrain_status status = parameter_format(parameter, value, text, size);
    terrain__float_leave(&host);
    return status;
}

uint64_t terrain__params_named(const terrain_parameter *parameter, const char *text)
{
    uint64_t i = 0;
    if (parameter->type == TERRAIN_TYPE_BOOL) {
        return strcmp(text, "true") == 0 || strcmp(text, "1") == 0    ? 1
               : strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ? 0
                                                                      : 2;
    }
    while (i <= parameter->maximum.u && strcmp(text, parameter->value_names[i]) != 0) {
        i++;
    }
    return i;
}

static terrain_status parameter_parse(const terrain_parameter *parameter, const char *text,
                                      terrain_value *value)
{
    terrain_value read = {.u = 0};
    if (!parameter_has_text(parameter) || text == NULL || value == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    const terrain__type *type = terrain__element_type_of(parameter);
    if (parameter->type == TERRAIN_TYPE_ENUM || parameter->type == TERRAIN_TYPE_BOOL) {
        read.u = terrain__params_named(parameter, text);
        if (read.u > parameter->maximum.u) {
            return TERRAIN_ERROR_ARGUMENT;
        }
    } else if (!type->parse(text, strlen(text), &read)) {
        return TERRAIN_ERROR_ARGUMENT;
    } else if (!type->fits(&read, &parameter->minimum, &parameter->maximum)) {
        return TERRAIN_ERROR_RANGE;
    }
    *value = read;
    return TERRAIN_SUCCESS;
}

terrain_status terrain_parameter_parse(const terrain_parameter *parameter, const char *text,
                                       terrain_value *value)
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    terrain_status status = parameter_parse(parameter, text, value);
    terrain__float_leave(&host);
    return status;
}

/* 0 for a struct that was not initialised. */
static size_t parameter_params_size(const void *params)
{
    terrain__head head;
    memcpy(&head, params, sizeof head);
    return head.struct_size;
}

/* The default where the struct is an older one, which lacks the parameter. */
static void parameter_load(const terrain_parameter *parameter, const void *params,
                           terrain_value *value)
{
    const terrain__type *type = terrain__type_of(parameter);
    uint64_t field = 0;
    if (terrain__params_hold(parameter, parameter_params_size(params))) {
        type->load(terrain__params_const_field(params, parameter), value);
    } else {
        type->store(&field, &parameter->default_value);
        type->load(&field, value);
    }
}

terrain_status terrain_parameter_get(const terrain_parameter *parameter, const void *params,
                                     terrain_value *value)
{
    terrain__float_environment host;
    if (parameter == NULL || params == NULL || value == NULL ||
        terrain__type_of(parameter)->load == NULL || parameter_params_size(params) == 0) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain__float_enter(&host);
    parameter_load(parameter, params, value);
    terrain__float_leave(&host);
    return TERRAIN_SUCCESS;
}

/* Whether the field has room for a whole number's bits. */
static bool parameter_fits_field(const terrain_parameter *parameter, const terrain_value *value)
{
    switch (parameter->type) {
    case TERRAIN_TYPE_INT32:
        return value->i >= INT32_MIN && value->i <= INT32_MAX;
    case TERRAIN_TYPE_UINT32:
    case TERRAIN_TYPE_BOOL:
    case TERRAIN_TYPE_ENUM:
        return value->u <= UINT32_MAX;
    default:
        return true;
    }
}

terrain_status terrain_parameter_set(const terrain_parameter *parameter, void *params,
                                     const terrain_value *value)
{
    terrain__float_environment host;
    if (parameter == NULL || params == NULL || value == NULL ||
        terrain__type_of(parameter)->store == NULL ||
        !terrain__params_hold(parameter, parameter_params_size(params))) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (!parameter_fits_field(parameter, value)) {
        return TERRAIN_ERROR_RANGE;
    }
    terrain__float_enter(&host);
    terrain__type_of(parameter)->store(terrain__params_field(params, parameter), value);
    terrain__float_leave(&host);
    return TERRAIN_SUCCESS;
}

/* ---- Sliders --------------------------------------------------------------------------------- */

static void parameter_slider(const terrain_parameter *parameter, double *low, double *high)
{
    const double standard = terrain__number_of(parameter, &parameter->default_value);
    const double least = terrain__number_of(parameter, &parameter->minimum);
    const double most = terrain__number_of(parameter, &parameter->maximum);
    double size = standard < 0 ? -standard : standard;
    if (isinf(size) || size == 0) {
        const bool slope = strcmp(parameter->unit, "slope") == 0;
        size =
            (slope ? PARAMETER_SLIDER_OF_ZERO_SLOPE : PARAMETER_SLIDER_OF_ZERO) / PARAMETER_SLIDER;
    }
    *low = least;
    *high = most;
    if (most - least > PARAMETER_SMALL_RANGE * (size > 1 ? size : 1)) {
        *low = least > -PARAMETER_SLIDER * size ? least : -PARAMETER_SLIDER * size;
        *high = most < PARAMETER_SLIDER * size ? most : PARAMETER_SLIDER * size;
    }
}

terrain_status terrain_parameter_slider(const terrain_parameter *parameter, double *low,
                                        double *high)
{
    terrain__float_environment host;
    if (parameter == NULL || low == NULL || high == NULL || parameter->type > TERRAIN_TYPE_UINT64) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain__float_enter(&host);
    parameter_slider(parameter, low, high);
    terrain__float_leave(&host);
    return TERRAIN_SUCCESS;
}

/* ---- Which count ----------------------------------------------------------------------------- */

bool terrain__params_counts(const terrain_operation *operation, const terrain_parameter *parameter,
                            const void *params, const bool *given)
{
    terrain_value value = {.u = 0};
    if (parameter->when == NULL) {
        return true;
    }
    const terrain_parameter *other = terrain_operation_parameter_find(operation, parameter->when);
    if (terrain__type_of(other)->load != NULL) {
        parameter_load(other, params, &value);
    } else if (given != NULL) {
        value.u = given[other - operation->parameters];
    } else if (terrain__params_hold(other, parameter_params_size(params))) {
        const void *pointer;
        memcpy(&pointer, terrain__params_const_field(params, other), sizeof pointer);
        value.u = pointer != NULL;
    }
    return value.u < 64 && (parameter->when_values >> value.u & 1) != 0 &&
           terrain__params_counts(operation, other, params, given);
}

uint32_t terrain_operation_parameter_counts(const terrain_operation *operation,
                                            const terrain_parameter *parameter, const void *params)
{
    return operation != NULL && parameter != NULL && params != NULL &&
           terrain_operation_parameter_find(operation, parameter->name) == parameter &&
           terrain__params_counts(operation, parameter, params, NULL);
}
