/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Prints the operation table, a word and a value a line, for terrain/build.rs:
 *
 *     operation NAME VERB SIGNATURE
 *     summary TEXT
 *     reference TEXT
 *     parameter NAME TYPE
 *     doc TEXT
 *     unit TEXT
 *     range LOW HIGH DEFAULT          a float as the bits of its double, the rest as whole numbers
 *     value NAME TEXT                 of an enum
 *
 * It may run on another kind of machine than the library will, so no offset in a struct is among
 * that. */

#include <inttypes.h>
#include <stdio.h>

#include "terrain.h"

static void print_value(terrain_type type, terrain_value value)
{
    if (type == TERRAIN_TYPE_INT32 || type == TERRAIN_TYPE_INT64) {
        printf(" %" PRId64, value.i);
    } else {
        printf(" %" PRIu64, value.u);
    }
}

static void print_parameter(const terrain_parameter *p)
{
    printf("parameter %s %u\ndoc %s\nunit %s\nrange", p->name, (unsigned)p->type, p->doc, p->unit);
    print_value(p->type, p->minimum);
    print_value(p->type, p->maximum);
    print_value(p->type, p->default_value);
    printf("\n");
    for (uint64_t k = 0; p->type == TERRAIN_TYPE_ENUM && k <= p->maximum.u; k++) {
        printf("value %s %s\n", p->value_names[k], p->value_docs[k]);
    }
}

int main(void)
{
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const terrain_operation *operation = terrain_operation_at(i);
        printf("operation %s %s %u\n", terrain_operation_name(operation),
               terrain_operation_verb(operation), (unsigned)terrain_operation_signature(operation));
        printf("summary %s\nreference %s\n", terrain_operation_summary(operation),
               terrain_operation_reference(operation));
        for (uint32_t k = 0; k < terrain_operation_parameter_count(operation); k++) {
            print_parameter(terrain_operation_parameter(operation, k));
        }
    }
    return 0;
}
