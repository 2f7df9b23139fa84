/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The operation table, and questions to it. */

#include "core/operation.h"

#include <string.h>

#include "core/params.h"

#define OPERATION(key, verb, algorithm)                                                            \
    extern const terrain_operation terrain__##verb##_##algorithm;
#include "core/operations.h"
#undef OPERATION

static const terrain_operation *const operation_table[] = {
#define OPERATION(key, verb, algorithm) &terrain__##verb##_##algorithm,
#include "core/operations.h"
#undef OPERATION
};

enum { OPERATION_COUNT = sizeof operation_table / sizeof operation_table[0] };

uint32_t terrain_operation_count(void)
{
    return OPERATION_COUNT;
}

const terrain_operation *terrain_operation_at(uint32_t index)
{
    return index < OPERATION_COUNT ? operation_table[index] : NULL;
}

const terrain_operation *terrain_operation_find(const char *name)
{
    for (uint32_t i = 0; name != NULL && i < OPERATION_COUNT; i++) {
        if (strcmp(operation_table[i]->name, name) == 0) {
            return operation_table[i];
        }
    }
    return NULL;
}

const char *terrain_operation_name(const terrain_operation *operation)
{
    return operation != NULL ? operation->name : "";
}

const char *terrain_operation_verb(const terrain_operation *operation)
{
    return operation != NULL ? operation->verb : "";
}

const char *terrain_operation_summary(const terrain_operation *operation)
{
    return operation != NULL ? operation->summary : "";
}

const char *terrain_operation_reference(const terrain_operation *operation)
{
    return operation != NULL ? operation->reference : "";
}

terrain_signature terrain_operation_signature(const terrain_operation *operation)
{
    return operation != NULL ? operation->signature : 0;
}

uint32_t terrain_operation_result_version(const terrain_operation *operation)
{
    return operation != NULL ? operation->result_version : 0;
}

size_t terrain_operation_params_size(const terrain_operation *operation)
{
    return operation != NULL ? operation->params_size : 0;
}

uint32_t terrain_operation_parameter_count(const terrain_operation *operation)
{
    return operation != NULL ? operation->parameter_count : 0;
}

const terrain_parameter *terrain_operation_parameter(const terrain_operation *operation,
                                                     uint32_t index)
{
    return operation != NULL && index < operation->parameter_count ? &operation->parameters[index]
                                                                   : NULL;
}

const terrain_parameter *terrain_operation_parameter_find(const terrain_operation *operation,
                                                          const char *name)
{
    for (uint32_t i = 0; operation != NULL && name != NULL && i < operation->parameter_count; i++) {
        if (strcmp(operation->parameters[i].name, name) == 0) {
            return &operation->parameters[i];
        }
    }
    return NULL;
}

/* ---- Windows -------------------------------------------------------------------------------- */

uint32_t terrain__map_inputs(const terrain_operation *operation)
{
    switch (operation->signature) {
    case TERRAIN_SIGNATURE_GENERATE:
        return 0;
    case TERRAIN_SIGNATURE_COMBINE:
        return 2;
    default:
        return 1;
    }
}

uint32_t terrain_operation_input_count(const terrain_operation *operation)
{
    uint32_t count;
    if (operation == NULL) {
        return 0;
    }
    count = terrain__map_inputs(operation);
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        count += operation->parameters[i].type == TERRAIN_TYPE_MAP_IN;
    }
    return count;
}

static uint32_t operation_halo(const terrain_operation *operation, const void *params)
{
    terrain__float_environment host;
    uint32_t halo;
    if (operation->halo == NULL) {
        return 0;
    }
    terrain__float_enter(&host);
    halo = operation->halo(params);
    terrain__float_leave(&host);
    return halo;
}

static bool operation_box_of(const terrain_window *window, terrain__box *box)
{
    if (window->width == 0 || window->height == 0 ||
        !terrain__window_in_world(window->x, window->y, window->width, window->height)) {
        return false;
    }
    box->x0 = window->x;
    box->y0 = window->y;
    box->x1 = window->x + (int64_t)window->width;
    box->y1 = window->y + (int64_t)window->height;
    return true;
}

static bool operation_window_of(const terrain__box *box, terrain_window *window)
{
    if (box->x1 <= box->x0 || box->y1 <= box->y0 || box->x1 - box->x0 > UINT32_MAX ||
        box->y1 - box->y0 > UINT32_MAX) {
        return false;
    }
    window->x = box->x0;
    window->y = box->y0;
    window->width = (uint32_t)(box->x1 - box->x0);
    window->height = (uint32_t)(box->y1 - box->y0);
    return terrain__window_in_world(window->x, window->y, window->width, window->height);
}

/* The window of the map for the box `out`; every input but the map follows from it. */
static void operation_input_box(const terrain_operation *operation, const void *params,
                                uint32_t input, const terrain__box *out, terrain__box *in)
{
    int64_t halo = operation_halo(operation, params);
    if (operation->window != NULL) {
        terrain__float_environment host;
        terrain__float_enter(&host);
        operation->window(params, input, out, in);
        terrain__float_leave(&host);
        return;
    }
    in->x0 = out->x0 - halo;
    in->y0 = out->y0 - halo;
    in->x1 = out->x1 + halo;
    in->y1 = out->y1 + halo;
}

terrain_status terrain_operation_window(const terrain_operation *operation, const void *params,
                                        uint32_t input, const terrain_window *out,
                                        terrain_window *in)
{
    terrain__params full;
    char fault[TERRAIN__FAULT_SIZE];
    terrain__box out_box, in_box;
    terrain_status status;
    if (operation == NULL || out == NULL || in == NULL ||
        input >= terrain_operation_input_count(operation)) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    status = terrain__params_complete(operation, params, &full, fault);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (operation_halo(operation, full.bytes) == TERRAIN__GLOBAL) {
        return TERRAIN_ERROR_UNSUPPORTED;
    }
    if (!operation_box_of(out, &out_box)) {
        return TERRAIN_ERROR_RANGE;
    }
    /* Map parameters cover what the map covers. */
    if (input >= terrain__map_inputs(operation) && terrain__map_inputs(operation) > 0) {
        input = 0;
    }
    operation_input_box(operation, full.bytes, input, &out_box, &in_box);
    return operation_window_of(&in_box, in) ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE;
}

terrain_status terrain_operation_halo(const terrain_operation *operation, const void *params,
                                      uint32_t *cells)
{
    terrain__params full;
    char fault[TERRAIN__FAULT_SIZE];
    terrain_status status;
    if (operation == NULL || cells == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    status = terrain__params_complete(operation, params, &full, fault);
    if (status == TERRAIN_SUCCESS) {
        *cells = operation_halo(operation, full.bytes);
    }
    return status;
}

terrain_status terrain_operation_result_window(const terrain_operation *operation,
                                               const void *params, const terrain_window *in,
                                               terrain_window *out)
{
    terrain__params full;
    char fault[TERRAIN__FAULT_SIZE];
    terrain__box in_box, out_box;
    terrain_status status;
    if (operation == NULL || in == NULL || out == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    status = terrain__params_complete(operation, params, &full, fault);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (!operation_box_of(in, &in_box)) {
        return TERRAIN_ERROR_RANGE;
    }
    out_box = in_box;
    if (operation->result_box != NULL) {
        terrain__float_environment host;
        terrain__float_enter(&host);
        operation->result_box(full.bytes, &in_box, &out_box);
        terrain__float_leave(&host);
    }
    return operation_window_of(&out_box, out) ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE;
}

uint32_t terrain__grid_halo(const void *params)
{
    (void)params;
    return TERRAIN__GLOBAL;
}

terrain_status terrain_operation_apply_grid(terrain_context *context,
                                            const terrain_operation *operation,
                                            terrain_heightmap *const *maps, uint32_t columns,
                                            uint32_t rows, const void *params)
{
    return terrain__apply_grid(context, operation, maps, columns, rows, params);
}

terrain_status terrain_operation_apply(terrain_context *context, const terrain_operation *operation,
                                       terrain_heightmap *map, terrain_heightmap *const *others,
                                       uint32_t other_count, const void *params)
{
    return terrain__apply(context, operation, map, others, other_count, params);
}
