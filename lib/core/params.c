/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/params.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/math.h"
#include "base/number.h"
#include "core/type.h"

bool terrain__params_hold(const terrain_parameter *parameter, size_t size)
{
    bool whole = parameter->offset + terrain__type_of(parameter)->size <= size;
    if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        whole = whole && parameter->count_offset + sizeof(uint32_t) <= size;
    }
    return whole;
}

/* Maps and arrays have none. */
static void params_write_default(const terrain_parameter *parameter, void *params)
{
    const terrain__type *type = terrain__type_of(parameter);
    if (type->store != NULL) {
        type->store(terrain__params_field(params, parameter), &parameter->default_value);
    }
}

/* Their defaults and reserved fields follow from the table. */
static terrain__given params_given(const terrain_operation *operation)
{
    terrain__given kind = {
        .subject = "params are",
        .name = operation->name,
        .suffix = "_params",
        .tag = TERRAIN__TAG_PARAMS + 256 * operation->key,
        .size = operation->params_size,
    };
    return kind;
}

terrain_status terrain_operation_params_init(const terrain_operation *operation, void *params,
                                             size_t size)
{
    terrain__float_environment host;
    if (operation == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain__given kind = params_given(operation);
    if (terrain__given_init(&kind, params, size) != TERRAIN_SUCCESS) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain__float_enter(&host); /* the table's doubles are rounded to float */
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        if (terrain__params_hold(&operation->parameters[i], size)) {
            params_write_default(&operation->parameters[i], params);
        }
    }
    terrain__float_leave(&host);
    return TERRAIN_SUCCESS;
}

/* ---- Checks --------------------------------------------------------------------------------- */

/* "talus is -1, must be in [0, 100]"; `element` is "[3]" for an array's. */
static terrain_status params_check_range(const terrain_parameter *parameter, const char *element,
                                         const terrain_value *value, char *fault)
{
    const terrain__type *type = terrain__element_type_of(parameter);
    char is[TERRAIN__NUMBER_SIZE], low[TERRAIN__NUMBER_SIZE], high[TERRAIN__NUMBER_SIZE];
    if (type->fits(value, &parameter->minimum, &parameter->maximum)) {
        return TERRAIN_SUCCESS;
    }
    type->print(value, is);
    type->print(&parameter->minimum, low);
    type->print(&parameter->maximum, high);
    snprintf(fault, TERRAIN__FAULT_SIZE, "%s%s is %s, must be in [%s, %s]", parameter->name,
             element, is, low, high);
    return TERRAIN_ERROR_RANGE;
}

static terrain_status params_check_array(const terrain_parameter *parameter, const void *params,
                                         char *fault)
{
    uint32_t count;
    const float *elements = terrain__params_array(params, parameter, &count);
    if (count > parameter->count_maximum) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "%s_count is %" PRIu32 ", must be in [0, %" PRIu32 "]",
                 parameter->name, count, parameter->count_maximum);
        return TERRAIN_ERROR_RANGE;
    }
    if (count > 0 && elements == NULL) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "%s is NULL, but %s_count is %" PRIu32,
                 parameter->name, parameter->name, count);
        return TERRAIN_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; i++) {
        char element[TERRAIN__NUMBER_SIZE];
        const terrain_value value = {.f = (double)elements[i]};
        terrain_status status;
        snprintf(element, sizeof element, "[%" PRIu32 "]", i);
        status = params_check_range(parameter, element, &value, fault);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

/* Maps are checked by the call. */
static terrain_status params_check_value(const terrain_parameter *parameter, const void *params,
                                         char *fault)
{
    const terrain__type *type = terrain__type_of(parameter);
    terrain_value value;
    if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        return params_check_array(parameter, params, fault);
    }
    if (type->load == NULL) {
        return TERRAIN_SUCCESS;
    }
    type->load(terrain__params_const_field(params, parameter), &value);
    return params_check_range(parameter, "", &value, fault);
}

/* Bytes that belong to no parameter are reserved, and must be zero. */
static bool params_reserved_is_zero(const terrain_operation *operation, const unsigned char *bytes,
                                    size_t size)
{
    unsigned char rest[TERRAIN__MOST_PARAMS];
    size_t known = size < operation->params_size ? size : operation->params_size;
    memcpy(rest, bytes, known);
    memset(rest, 0, sizeof(terrain__head));
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        if (terrain__params_hold(parameter, known)) {
            memset(rest + parameter->offset, 0, terrain__type_of(parameter)->size);
            if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                memset(rest + parameter->count_offset, 0, sizeof(uint32_t));
            }
        }
    }
    return terrain__is_zero(rest, 0, known);
}

static terrain_status params_check_head(const terrain_operation *operation,
                                        const unsigned char *bytes, terrain__head *head,
                                        char *fault)
{
    const terrain__given kind = params_given(operation);
    terrain_status status = terrain__given_check(&kind, bytes, fault);
    memcpy(head, bytes, sizeof *head);
    if (status == TERRAIN_SUCCESS &&
        !params_reserved_is_zero(operation, bytes, head->struct_size)) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "reserved fields must be zero");
        status = TERRAIN_ERROR_ARGUMENT;
    }
    return status;
}

static terrain_status params_check_powers(const terrain_operation *operation,
                                          const unsigned char *params, char *fault)
{
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        uint32_t value;
        if (!parameter->power_of_two) {
            continue;
        }
        memcpy(&value, params + parameter->offset, sizeof value);
        if (!terrain__is_power_of_two(value)) {
            snprintf(fault, TERRAIN__FAULT_SIZE, "%s is %" PRIu32 ", must be a power of two",
                     parameter->name, value);
            return TERRAIN_ERROR_RANGE;
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain_status params_complete(const terrain_operation *operation, const void *given,
                                      terrain__params *full, char *fault)
{
    terrain_operation_params_init(operation, full->bytes, operation->params_size);
    if (given != NULL) {
        terrain__head head;
        terrain_status status = params_check_head(operation, given, &head, fault);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t i = 0; i < operation->parameter_count; i++) {
            const terrain_parameter *parameter = &operation->parameters[i];
            if (!terrain__params_hold(parameter, head.struct_size)) {
                continue;
            }
            memcpy(full->bytes + parameter->offset, (const char *)given + parameter->offset,
                   terrain__type_of(parameter)->size);
            if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                memcpy(full->bytes + parameter->count_offset,
                       (const char *)given + parameter->count_offset, sizeof(uint32_t));
            }
            status = params_check_value(parameter, full->bytes, fault);
            if (status != TERRAIN_SUCCESS) {
                return status;
            }
        }
    }
    return TERRAIN_SUCCESS;
}

/* Checks what the table's ranges don't say: powers of two, and the operation's own rules. */
static terrain_status params_check_rules(const terrain_operation *operation,
                                         const terrain__params *room, char *fault)
{
    const terrain_status status = params_check_powers(operation, room->bytes, fault);
    const char *broken = status == TERRAIN_SUCCESS && operation->check != NULL
                             ? operation->check(room->bytes)
                             : NULL;
    if (broken != NULL) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "%s", broken);
        return TERRAIN_ERROR_RANGE;
    }
    return status;
}

terrain_status terrain__params_check_rules(const terrain_operation *operation,
                                           const terrain__params *room,
                                           const terrain__checked **checked,
                                           char fault[TERRAIN__FAULT_SIZE])
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    terrain_status status = params_check_rules(operation, room, fault);
    terrain__float_leave(&host);
    *checked = status == TERRAIN_SUCCESS ? terrain__params_as_checked(room) : NULL;
    return status;
}

terrain_status terrain__params_complete(const terrain_operation *operation, const void *given,
                                        terrain__params *room, const terrain__checked **checked,
                                        char fault[TERRAIN__FAULT_SIZE])
{
    terrain__float_environment host;
    terrain__float_enter(&host);
    terrain_status status = params_complete(operation, given, room, fault);
    terrain__float_leave(&host);
    *checked = NULL;
    return status == TERRAIN_SUCCESS ? terrain__params_check_rules(operation, room, checked, fault)
                                     : status;
}

terrain_heightmap *terrain__params_map(const void *params, const terrain_parameter *parameter)
{
    terrain_heightmap *map;
    memcpy(&map, terrain__params_const_field(params, parameter), sizeof map);
    return map;
}
