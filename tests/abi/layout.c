/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Prints the layout of every params struct, from the operation table: a line for its size, then one
 * for each field. abi.py compares it with layout.txt. */

#include <inttypes.h>
#include <stdio.h>

#include "terrain/operation.h"

static const char *type_name(terrain_type type)
{
    static const char *const names[] = {"float",    "int32_t",  "uint32_t", "int64_t", "uint64_t",
                                        "uint32_t", "uint32_t", "map_in",   "map_out", "floats"};
    return names[type];
}

int main(void)
{
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const terrain_operation *operation = terrain_operation_at(i);
        const char *name = terrain_operation_name(operation);
        printf("%s %lu\n", name, (unsigned long)terrain_operation_params_size(operation));
        for (uint32_t k = 0; k < terrain_operation_parameter_count(operation); k++) {
            const terrain_parameter *p = terrain_operation_parameter(operation, k);
            printf("%s.%s %s %" PRIu32 "\n", name, p->name, type_name(p->type), p->offset);
            if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                printf("%s.%s_count uint32_t %" PRIu32 "\n", name, p->name, p->count_offset);
            }
        }
    }
    return 0;
}
