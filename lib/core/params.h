/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Params structs of any version, completed and checked by the table. */

#ifndef TERRAIN_CORE_PARAMS_H
#define TERRAIN_CORE_PARAMS_H

#include <string.h>

#include "core/given.h"
#include "core/operation.h"

/* The largest params struct. */
enum {
    TERRAIN__MOST_PARAMS = 512,
    TERRAIN__MOST_PARAMETERS = TERRAIN__MOST_PARAMS / 4 /* no field is smaller */
};

/* Room for params. */
typedef union terrain__params {
    uint64_t align;
    unsigned char bytes[TERRAIN__MOST_PARAMS];
} terrain__params;

/* Copies the caller's params into `room`, with the table's default for what they lack (or for all
 * of it, if given is NULL), and checks every value: then *checked is that copy. On failure fault
 * says what is wrong, as the rest of a sentence after the operation's name. */
terrain_status terrain__params_complete(const terrain_operation *operation, const void *given,
                                        terrain__params *room, const terrain__checked **checked,
                                        char fault[TERRAIN__FAULT_SIZE]);

/* For params that an init function made and whose every value is known to be in range: checks the
 * operation's rules between them, and makes them checked. */
terrain_status terrain__params_check_rules(const terrain_operation *operation,
                                           const terrain__params *room,
                                           const terrain__checked **checked,
                                           char fault[TERRAIN__FAULT_SIZE]);

/* Writes into `room` a copy of checked params at another scale, a positive number. The copy is
 * checked, too: see terrain__params_as_checked. On failure, RANGE, fault says what is wrong. */
terrain_status terrain__params_scale(const terrain_operation *operation,
                                     const terrain__checked *params, double scale,
                                     terrain__params *room, char fault[TERRAIN__FAULT_SIZE]);

/* TERRAIN_SCALING_SPACING. */
uint32_t terrain__scaled_spacing(const terrain_parameter *parameter, uint32_t spacing,
                                 double scale);

/* Takes a copy of checked params, into which maps or another seed may have been put, for checked.
 */
static inline const terrain__checked *terrain__params_as_checked(const terrain__params *room)
{
    return (const terrain__checked *)(const void *)room->bytes;
}

/* Whether the first `size` bytes of a struct hold the parameter whole. */
bool terrain__params_hold(const terrain_parameter *parameter, size_t size);

/* The field of a parameter in a struct. */
static inline void *terrain__params_field(void *params, const terrain_parameter *parameter)
{
    return (char *)params + parameter->offset;
}

static inline const void *terrain__params_const_field(const void *params,
                                                      const terrain_parameter *parameter)
{
    return (const char *)params + parameter->offset;
}

/* A float array, and how many elements it has. */
static inline const float *
terrain__params_array(const void *params, const terrain_parameter *parameter, uint32_t *count)
{
    const float *elements;
    memcpy(&elements, terrain__params_const_field(params, parameter), sizeof elements);
    memcpy(count, (const char *)params + parameter->count_offset, sizeof *count);
    return elements;
}

/* The value of a bool or an enum that is called so; one above all that there are for a name that is
 * none of them. */
uint64_t terrain__params_named(const terrain_parameter *parameter, const char *text);

/* Whether a parameter counts: see terrain_operation_parameter_counts. Whether maps and arrays are
 * given is taken from `given`, by the table's order, if it is not NULL. */
bool terrain__params_counts(const terrain_operation *operation, const terrain_parameter *parameter,
                            const void *params, const bool *given);

/* A map parameter's value. */
terrain_heightmap *terrain__params_map(const void *params, const terrain_parameter *parameter);

#endif
