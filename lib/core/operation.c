/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The operation table, and questions to it. */

#include "core/operation.h"

#include <string.h>

#include "base/math.h"
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
    const uint32_t count = operation != NULL ? terrain__argument_count(operation) : 0;
    const terrain_port *first, *second;
    if (count == 0) {
        return TERRAIN_SIGNATURE_GENERATE;
    }
    first = &operation->arguments[0];
    second = &operation->arguments[1];
    if (count == 1) {
        return first->grid != 0                          ? TERRAIN_SIGNATURE_GRID
               : first->role == TERRAIN_PORT_ROLE_WRITE  ? TERRAIN_SIGNATURE_GENERATE
               : first->role == TERRAIN_PORT_ROLE_CHANGE ? TERRAIN_SIGNATURE_IN_PLACE
                                                         : TERRAIN_SIGNATURE_OTHER;
    }
    if (count == 2 && first->role == TERRAIN_PORT_ROLE_CHANGE &&
        second->role == TERRAIN_PORT_ROLE_READ) {
        return TERRAIN_SIGNATURE_COMBINE;
    }
    if (count == 2 && first->role == TERRAIN_PORT_ROLE_READ &&
        second->role == TERRAIN_PORT_ROLE_WRITE) {
        return TERRAIN_SIGNATURE_RESULT;
    }
    return TERRAIN_SIGNATURE_OTHER;
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

/* ---- Ports ---------------------------------------------------------------------------------- */

uint32_t terrain__argument_count(const terrain_operation *operation)
{
    uint32_t count = 0;
    while (operation->arguments[count].name != NULL) {
        count++;
    }
    return count;
}

uint32_t terrain__source_count(const terrain_operation *operation)
{
    uint32_t count = 0;
    for (const terrain_port *port = operation->arguments; port->name != NULL; port++) {
        count += port->role != TERRAIN_PORT_ROLE_WRITE;
    }
    return count;
}

bool terrain__is_grid(const terrain_operation *operation)
{
    return operation->arguments[0].grid != 0;
}

bool terrain__resizes(const terrain_operation *operation)
{
    return operation->result_box != NULL;
}

uint32_t terrain_operation_port_count(const terrain_operation *operation)
{
    if (operation == NULL) {
        return 0;
    }
    uint32_t count = terrain__argument_count(operation);
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        count += operation->parameters[i].port != NULL;
    }
    return count;
}

const terrain_port *terrain_operation_port_at(const terrain_operation *operation, uint32_t index)
{
    if (operation == NULL) {
        return NULL;
    }
    uint32_t count = terrain__argument_count(operation);
    if (index < count) {
        return &operation->arguments[index];
    }
    index -= count;
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_port *port = operation->parameters[i].port;
        if (port != NULL && index-- == 0) {
            return port;
        }
    }
    return NULL;
}

const terrain_port *terrain__port_find(const terrain_operation *operation, const char *name,
                                       uint32_t *index)
{
    const terrain_port *port;
    for (*index = terrain__argument_count(operation);
         (port = terrain_operation_port_at(operation, *index)) != NULL; ++*index) {
        if (strcmp(port->name, name) == 0) {
            return port;
        }
    }
    return NULL;
}

uint32_t terrain__port_spacing(const terrain_port *port, const terrain__checked *params)
{
    uint32_t spacing = 1;
    if (port->lattice == TERRAIN_PORT_LATTICE_COARSE && port->spacing_offset > 0) {
        memcpy(&spacing, (const char *)(const void *)params + port->spacing_offset, sizeof spacing);
    }
    return spacing;
}

/* ---- Windows -------------------------------------------------------------------------------- */

uint32_t terrain__halo(const terrain_operation *operation, const terrain__checked *params)
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

void terrain__port_box(const terrain_operation *operation, const terrain__checked *params,
                       uint32_t port, const terrain__box *out, terrain__box *in)
{
    const terrain_port *asked = terrain_operation_port_at(operation, port);
    const uint32_t halo = terrain__halo(operation, params);
    const int64_t reach = halo != TERRAIN__GLOBAL ? halo : 0;
    if (asked->offset > 0 && asked->lattice == TERRAIN_PORT_LATTICE_CALL &&
        operation->arguments[0].role != TERRAIN_PORT_ROLE_WRITE) {
        port = 0; /* map parameters cover what the map covers */
    }
    if (operation->window != NULL && halo != TERRAIN__GLOBAL) {
        terrain__float_environment host;
        terrain__float_enter(&host);
        operation->window(params, port, out, in);
        terrain__float_leave(&host);
        return;
    }
    in->x0 = out->x0 - reach;
    in->y0 = out->y0 - reach;
    in->x1 = out->x1 + reach;
    in->y1 = out->y1 + reach;
    if (asked->lattice == TERRAIN_PORT_LATTICE_COARSE) {
        terrain__box_coarsen(in, terrain__port_spacing(asked, params));
    }
}

terrain_status terrain_operation_window(const terrain_operation *operation, const void *params,
                                        uint32_t port, const terrain_window *out,
                                        terrain_window *in)
{
    const terrain_port *asked = terrain_operation_port_at(operation, port);
    terrain__params room;
    const terrain__checked *checked;
    char fault[TERRAIN__FAULT_SIZE];
    terrain__box out_box, in_box;
    if (asked == NULL || asked->role == TERRAIN_PORT_ROLE_WRITE || out == NULL || in == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain_status status = terrain__params_complete(operation, params, &room, &checked, fault);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (terrain__halo(operation, checked) == TERRAIN__GLOBAL) {
        return TERRAIN_ERROR_UNSUPPORTED;
    }
    if (!terrain__window_box(out, &out_box)) {
        return TERRAIN_ERROR_RANGE;
    }
    terrain__port_box(operation, checked, port, &out_box, &in_box);
    return terrain__box_window(&in_box, in) ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE;
}

terrain_status terrain_operation_halo(const terrain_operation *operation, const void *params,
                                      uint32_t *cells)
{
    terrain__params room;
    const terrain__checked *checked;
    char fault[TERRAIN__FAULT_SIZE];
    if (operation == NULL || cells == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain_status status = terrain__params_complete(operation, params, &room, &checked, fault);
    if (status == TERRAIN_SUCCESS) {
        *cells = terrain__halo(operation, checked);
    }
    return status;
}

terrain_tiling terrain_operation_tiling(const terrain_operation *operation)
{
    uint32_t halo = TERRAIN__GLOBAL;
    if (operation != NULL && operation->regions != NULL) {
        return TERRAIN_TILING_REGIONS;
    }
    (void)terrain_operation_halo(operation, NULL, &halo);
    return halo == TERRAIN__GLOBAL ? TERRAIN_TILING_NONE : TERRAIN_TILING_WINDOWS;
}

void terrain__result_box(const terrain_operation *operation, const terrain__checked *params,
                         const terrain__box *in, terrain__box *out)
{
    terrain__float_environment host;
    *out = *in;
    if (operation->result_box != NULL) {
        terrain__float_enter(&host);
        operation->result_box(params, in, out);
        terrain__float_leave(&host);
    }
}

terrain_status terrain_operation_result_window(const terrain_operation *operation,
                                               const void *params, const terrain_window *in,
                                               terrain_window *out)
{
    terrain__params room;
    const terrain__checked *checked;
    char fault[TERRAIN__FAULT_SIZE];
    terrain__box in_box, out_box;
    if (operation == NULL || in == NULL || out == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain_status status = terrain__params_complete(operation, params, &room, &checked, fault);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (!terrain__window_box(in, &in_box)) {
        return TERRAIN_ERROR_RANGE;
    }
    terrain__result_box(operation, checked, &in_box, &out_box);
    return terrain__box_window(&out_box, out) ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE;
}

uint32_t terrain__global_halo(const void *params)
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
                                       terrain_heightmap *const *ports, uint32_t port_count,
                                       const void *params)
{
    terrain__argument arguments[TERRAIN__MOST_ARGUMENTS] = {{NULL, NULL}};
    if (operation != NULL && terrain__is_grid(operation)) {
        return terrain__apply_grid(context, operation, ports, port_count, 1, params);
    }
    for (uint32_t i = 0; operation != NULL && i < port_count && i < TERRAIN__MOST_ARGUMENTS; i++) {
        if (operation->arguments[i].role == TERRAIN_PORT_ROLE_READ) {
            arguments[i].read = ports != NULL ? ports[i] : NULL;
        } else {
            arguments[i].written = ports != NULL ? ports[i] : NULL;
        }
    }
    return terrain__apply(context, operation, arguments, port_count, params);
}
