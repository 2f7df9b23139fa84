/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against structs that can't grow: each struct that a host fills, as an older and as a newer
 * program has it, must be taken, completed, and refused where it says what this library can't
 * know. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/given.h"
#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/terrain.h"

/* ---- Calls that take each struct ------------------------------------------------------------- */

static terrain_heightmap *some_map(void)
{
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_create(NULL, 8, 8, &map), TERRAIN_SUCCESS);
    return map;
}

static terrain_recipe *some_recipe(void)
{
    static const char text[] = "a = generate_noise\n";
    terrain_recipe *recipe = NULL;
    assert_int_equal(terrain_recipe_parse(NULL, text, sizeof text - 1, &recipe), TERRAIN_SUCCESS);
    return recipe;
}

static terrain_status take_context(void *given)
{
    terrain_context *context = NULL;
    terrain_status status = terrain_context_create(given, &context);
    assert_true((status == TERRAIN_SUCCESS) == (context != NULL));
    terrain_context_destroy(context);
    return status;
}

static terrain_status take_statement(void *given)
{
    terrain_recipe *recipe = NULL;
    terrain_recipe_statement *statement = given;
    terrain_status status;
    assert_int_equal(terrain_recipe_create(NULL, &recipe), TERRAIN_SUCCESS);
    statement->name = "a";
    statement->operation = terrain_operation_find("generate_noise");
    status = terrain_recipe_add(NULL, recipe, statement);
    terrain_recipe_destroy(recipe);
    return status;
}

/* Takes the window, whose size a short struct has no room for, from the defaults. */
static terrain_status take_run(void *given)
{
    terrain_recipe *recipe = some_recipe();
    terrain_window window;
    terrain_status status = terrain_recipe_output_window(NULL, recipe, given, NULL, &window);
    if (status == TERRAIN_SUCCESS) {
        assert_true(window.width == 512 && window.height == 512);
    }
    terrain_recipe_destroy(recipe);
    return status;
}

/* A desc without a cell size makes a world of cells of size 1. */
static terrain_status take_world(void *given)
{
    terrain_recipe *recipe = some_recipe();
    terrain_world_desc *desc = given;
    terrain_world *world = NULL;
    terrain_status status;
    desc->recipe = recipe;
    status = terrain_world_create(NULL, desc, &world);
    if (status == TERRAIN_SUCCESS) {
        terrain_heightmap *map = some_map();
        assert_int_equal(terrain_world_tile(NULL, world, 0, 0, map), TERRAIN_SUCCESS);
        assert_true(terrain_heightmap_cell_size(map) == 1);
        terrain_heightmap_destroy(map);
    }
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
    return status;
}

/* A desc without sizes counts units of one cell. */
static terrain_status take_score(void *given)
{
    terrain_score *score = NULL;
    terrain_status status = terrain_score_create(NULL, given, &score);
    assert_true((status == TERRAIN_SUCCESS) == (score != NULL));
    terrain_score_destroy(score);
    return status;
}

static terrain_status take_mesh(void *given)
{
    terrain_heightmap *map = some_map();
    uint32_t vertices = 0, indices = 0;
    terrain_status status = terrain_mesh_size(NULL, map, given, &vertices, &indices);
    assert_true(status != TERRAIN_SUCCESS || vertices == 64);
    terrain_heightmap_destroy(map);
    return status;
}

static terrain_status take_seams(void *given)
{
    terrain_heightmap *maps[2] = {some_map(), some_map()};
    terrain_status status = terrain_seams_measure(NULL, (const terrain_heightmap *const *)maps, 2,
                                                  1, 1, (terrain_seams *)given);
    terrain_heightmap_destroy(maps[0]);
    terrain_heightmap_destroy(maps[1]);
    return status;
}

static terrain_status take_landform(void *given)
{
    terrain_heightmap *map = some_map();
    terrain_status status = terrain_landform_measure(NULL, map, (terrain_landform *)given);
    terrain_heightmap_destroy(map);
    return status;
}

static terrain_status take_params(void *given)
{
    terrain_heightmap *map = some_map();
    terrain_status status = terrain_blur_gaussian(NULL, map, given);
    terrain_heightmap_destroy(map);
    return status;
}

/* ---- The list -------------------------------------------------------------------------------- */

typedef terrain_status init_function(void *out, size_t size);

#define INIT(name, type, function)                                                                 \
    static terrain_status name(void *out, size_t size)                                             \
    {                                                                                              \
        return function((type *)out, size);                                                        \
    }
INIT(init_context, terrain_context_desc, terrain_context_desc_init)
INIT(init_statement, terrain_recipe_statement, terrain_recipe_statement_init)
INIT(init_run, terrain_recipe_run_desc, terrain_recipe_run_desc_init)
INIT(init_world, terrain_world_desc, terrain_world_desc_init)
INIT(init_score, terrain_score_desc, terrain_score_desc_init)
INIT(init_mesh, terrain_mesh_desc, terrain_mesh_desc_init)
INIT(init_seams, terrain_seams, terrain_seams_init)
INIT(init_landform, terrain_landform, terrain_landform_init)
INIT(init_params, terrain_blur_gaussian_params, terrain_blur_gaussian_params_init)

static const struct kind {
    const char *name;
    size_t size;
    init_function *init;
    terrain_status (*take)(void *given);
} kinds[] = {
    {"context", sizeof(terrain_context_desc), init_context, take_context},
    {"statement", sizeof(terrain_recipe_statement), init_statement, take_statement},
    {"run", sizeof(terrain_recipe_run_desc), init_run, take_run},
    {"world", sizeof(terrain_world_desc), init_world, take_world},
    {"score", sizeof(terrain_score_desc), init_score, take_score},
    {"mesh", sizeof(terrain_mesh_desc), init_mesh, take_mesh},
    {"seams", sizeof(terrain_seams), init_seams, take_seams},
    {"landform", sizeof(terrain_landform), init_landform, take_landform},
    {"params", sizeof(terrain_blur_gaussian_params), init_params, take_params},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A struct with room behind it, filled with what an init function must not leave. */
static void *struct_of(const struct kind *kind, size_t size)
{
    unsigned char *bytes = malloc(1024);
    assert_non_null(bytes);
    memset(bytes, 0xAA, 1024);
    assert_int_equal(kind->init(bytes, size), TERRAIN_SUCCESS);
    for (size_t i = size; i < 1024; i++) {
        assert_int_equal(bytes[i], 0xAA);
    }
    return bytes;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* A program that was compiled with the version before: eight bytes are missing, and behind them
 * lies something else. */
static void test_older(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        void *given = struct_of(&kinds[i], kinds[i].size - 8);
        if (kinds[i].take(given) != TERRAIN_SUCCESS) {
            fail_msg("an older %s is refused", kinds[i].name);
        }
        free(given);
    }
}

/* A program that was compiled with the next version: what is new is zero, then it is not. The first
 * and the last of the unknown bytes count. */
static void test_newer(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        for (size_t more = 8; more <= 24; more += 8) {
            unsigned char *given = struct_of(&kinds[i], kinds[i].size + more);
            if (kinds[i].take(given) != TERRAIN_SUCCESS) {
                fail_msg("a newer %s is refused", kinds[i].name);
            }
            for (size_t at = 0; at < more; at++) {
                given[kinds[i].size + at] = 1;
                if (kinds[i].take(given) != TERRAIN_ERROR_ARGUMENT) {
                    fail_msg("a newer %s with byte %zu set is taken", kinds[i].name, at);
                }
                given[kinds[i].size + at] = 0;
            }
            free(given);
        }
    }
}

/* The largest struct that may be, of which this library knows the least part. */
static void test_largest(void **state)
{
    enum { LARGEST = 65536 };
    for (int i = 0; i < KINDS; i++) {
        void *given = malloc(LARGEST);
        assert_non_null(given);
        assert_int_equal(kinds[i].init(given, LARGEST), TERRAIN_SUCCESS);
        assert_int_equal(kinds[i].take(given), TERRAIN_SUCCESS);
        free(given);
    }
}

/* A struct whose head, when it is taken, is still the host's: its size, and the tag among its
 * flags. */
static void test_taken_head(void **state)
{
    const terrain__given kind = {.subject = "it is",
                                 .name = "it",
                                 .suffix = "",
                                 .tag = TERRAIN__TAG_SCORE,
                                 .flags = 1,
                                 .size = 24};
    terrain__head given[2], full[3];
    char fault[TERRAIN__FAULT_SIZE];
    assert_int_equal(terrain__given_init(&kind, given, sizeof given), TERRAIN_SUCCESS);
    given[0].flags |= 1;
    assert_int_equal(terrain__given_take(&kind, given, full, fault), TERRAIN_SUCCESS);
    assert_true(full[0].struct_size == 24 && full[0].flags == 1);
}

/* No tag, another struct's tag, and sizes that no struct has. */
static void test_strangers(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        static const uint32_t sizes[] = {0, 4, 7, 9, 65544, UINT32_MAX};
        uint32_t *given = struct_of(&kinds[i], kinds[i].size);
        const uint32_t tag = given[1];
        assert_int_equal(given[0], kinds[i].size);
        given[1] = 0;
        assert_int_equal(kinds[i].take(given), TERRAIN_ERROR_ARGUMENT);
        for (int k = 0; k < KINDS; k++) {
            uint32_t other[256];
            assert_int_equal(kinds[k].init(other, kinds[k].size), TERRAIN_SUCCESS);
            given[1] = other[1];
            assert_int_equal(kinds[i].take(given),
                             k == i ? TERRAIN_SUCCESS : TERRAIN_ERROR_ARGUMENT);
        }
        given[1] = tag;
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            given[0] = sizes[k];
            assert_int_equal(kinds[i].take(given), TERRAIN_ERROR_ARGUMENT);
            assert_int_equal(kinds[i].init(given, sizes[k]), TERRAIN_ERROR_ARGUMENT);
        }
        assert_int_equal(kinds[i].init(NULL, kinds[i].size), TERRAIN_ERROR_ARGUMENT);
        free(given);
    }
}

/* A message that tells a size which is taken as the only one, or one that is not taken. */
static void test_message(void **state)
{
    terrain_heightmap *map = some_map();
    terrain_context *context = test_plain_context();
    terrain_blur_gaussian_params params;
    char wanted[128];
    snprintf(wanted, sizeof wanted,
             "blur_gaussian: struct_size is 20, must be %zu or another multiple of 8 in [8, 65536]",
             sizeof params);
    terrain_blur_gaussian_params_init(&params, sizeof params);
    params.struct_size = 20;
    assert_int_equal(terrain_blur_gaussian(context, map, &params), TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context), wanted);
    for (uint32_t size = 8; size <= sizeof params; size += 8) {
        params.struct_size = size;
        assert_int_equal(terrain_blur_gaussian(context, map, &params), TERRAIN_SUCCESS);
    }
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

/* Params of one operation, given to another. */
static void test_other_params(void **state)
{
    terrain_heightmap *map = some_map();
    terrain_blur_box_params box;
    union {
        terrain_blur_box_params box;
        terrain_blur_gaussian_params gaussian;
    } both;
    terrain_blur_box_params_init(&box, sizeof box);
    memset(&both, 0, sizeof both);
    both.box = box;
    assert_int_equal(terrain_blur_gaussian(NULL, map, &both.gaussian), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_blur_box(NULL, map, &both.box), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_older),        cmocka_unit_test(test_newer),
        cmocka_unit_test(test_strangers),    cmocka_unit_test(test_message),
        cmocka_unit_test(test_other_params), cmocka_unit_test(test_largest),
        cmocka_unit_test(test_taken_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
