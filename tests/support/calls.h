/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Calls of any operation, made from the operation table alone. */

#ifndef TEST_CALLS_H
#define TEST_CALLS_H

#include <stdbool.h>

#include "support/maps.h"
#include "support/random.h"
#include "terrain/operation.h"

/* Every operation of the library, and after them the throw-away ones of the tests. */
uint32_t test_operation_count(void);
const terrain_operation *test_operation_at(uint32_t index);

/* Each parameter of an operation. A break ends the parameter alone. */
#define for_each_parameter(operation, parameter)                                                   \
    for (uint32_t index_of_##parameter = 0;                                                        \
         index_of_##parameter < terrain_operation_parameter_count(operation);                      \
         index_of_##parameter++)                                                                   \
        for (const terrain_parameter *parameter =                                                  \
                 terrain_operation_parameter(operation, index_of_##parameter);                     \
             parameter != NULL; parameter = NULL)

/* Whether the environment leaves an operation in: TEST_OPERATIONS is names between commas, or
 * unset, for all. What a change of one operation can break is then tested in seconds. */
bool test_operation_wanted(const char *name);

/* Whether everything takes several times as long as natively, under sanitizers or where a processor
 * is emulated (TEST_SLOW is set): then tests of results that natively are tested in full repeat
 * themselves less. */
bool test_is_slow(void);

/* By how much a test steps through its trials: 1, or 3 for an operation that makes a pyramid of
 * levels, whatever the map's size, and takes a thousand times as long as another; 13 if slow. */
uint32_t test_trial_step(const terrain_operation *operation);

/* ---- Numbers in params ---------------------------------------------------------------------- */

/* Whether the parameter is a number (not a map, not an array). */
bool test_is_number(const terrain_parameter *parameter);
terrain_value test_get(const void *params, const terrain_parameter *parameter);
void test_set(void *params, const terrain_parameter *parameter, terrain_value value);
bool test_values_equal(const terrain_parameter *parameter, terrain_value a, terrain_value b);

/* A value just below the minimum, or above the maximum; false if the type has none. */
bool test_value_below(const terrain_parameter *parameter, terrain_value *value);
bool test_value_above(const terrain_parameter *parameter, terrain_value *value);

/* A value within the range and not far from the default; int64 ones are now and then near
 * `place`. */
terrain_value test_random_value(const terrain_parameter *parameter, test_random *random,
                                int64_t place);

/* ---- Calls ---------------------------------------------------------------------------------- */

enum { TEST_ATTACHMENTS = 12, TEST_ARGUMENTS = 4 };

typedef struct test_attachment {
    const terrain_parameter *parameter;
    terrain_heightmap *map;
    float *values; /* of an array */
} test_attachment;

/* An operation, its params, and all maps. Owns everything but the operation. */
typedef struct test_call {
    const terrain_operation *operation;
    void *params;
    /* The arguments in the table's order; or those of a grid, which is 2 x 2. */
    union {
        terrain_heightmap *maps[TEST_ARGUMENTS];
        struct {
            terrain_heightmap *map;
            terrain_heightmap *other;
            terrain_heightmap *below[2];
        };
    };
    uint32_t map_count;
    test_attachment attached[TEST_ATTACHMENTS];
    uint32_t attached_count;
    uint64_t seed; /* of the heights */
} test_call;

/* Default params, no maps yet. */
test_call test_call_of(const terrain_operation *operation);

/* Default params and filled maps: a call that can be made. Maps of params are not attached. */
test_call test_call_on(const terrain_operation *operation, const terrain_window *window);

/* Random params that the operation accepts: numbers and arrays, not maps. */
void test_call_randomize(test_call *call, test_random *random, const terrain_window *place);

/* As in a recipe: numbers, enums by name, arrays as "3,1,5". "name=yes" gives a map parameter its
 * map, once the maps exist. False if there is no such parameter or the value can't be read. */
bool test_call_set_text(test_call *call, const char *name, const char *value);

/* Creates the arguments' maps: one that covers `window`, and the others that belong to it. Those of
 * a grid are larger if they must be: at least four cells each way, and as large as a parameter
 * `overlap`, if that is no more than 256. */
void test_call_create_maps(test_call *call, const terrain_window *window);
/* Gives a map parameter its map, or all of them. */
void test_call_attach(test_call *call, const terrain_parameter *parameter);
void test_call_attach_all(test_call *call);

/* Writes the inputs' heights, by seed and world cell, and poison into outputs. */
void test_call_fill(test_call *call);
/* Makes about one cell in `rarity` of each input NaN, infinite, huge, subnormal or -0. */
void test_call_sprinkle(test_call *call, uint32_t rarity);

terrain_status test_call_apply(test_call *call, terrain_context *context);

/* The port of argument `index`, or of all maps of a grid. */
const terrain_port *test_call_port(const test_call *call, uint32_t index);

/* The map that the operation fills: the first that is written; its place among the arguments. */
uint32_t test_call_target_index(const test_call *call);
terrain_heightmap *test_call_target(const test_call *call);

/* A fingerprint of everything that the call writes: the target's hash if there is nothing else. */
uint64_t test_call_hash(const test_call *call);

/* The same of all maps of the call, bit by bit. */
uint64_t test_call_fingerprint(const test_call *call);

void test_call_destroy(test_call *call);

/* The params as "name=value name=value", those that differ from the default; static buffer. */
const char *test_call_text(const test_call *call);

#endif
