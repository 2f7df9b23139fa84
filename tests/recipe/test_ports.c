/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against recipes that lose a map of a grid, or take a coarse map for a fine one. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/terrain.h"

static terrain_recipe *parse(terrain_context *context, const char *text)
{
    terrain_recipe *recipe = NULL;
    terrain_status status = terrain_recipe_parse(context, text, strlen(text), &recipe);
    if (status != TERRAIN_SUCCESS) {
        fail_msg("%s", terrain_context_message(context));
    }
    return recipe;
}

/* ---- Grids ----------------------------------------------------------------------------------- */

enum { SIDE = 40, GRID = 4 };

static terrain_heightmap *tile_of(uint32_t index)
{
    terrain_window window = {(int64_t)(index % 2) * (SIDE - 1), (int64_t)(index / 2) * (SIDE - 1),
                             SIDE, SIDE};
    terrain_heightmap *map = test_map(&window);
    test_fill_heights(map, 7 + index);
    return map;
}

/* Runs a recipe of four inputs, a to d, into four maps of these names. */
static void run_grid(terrain_context *context, const terrain_recipe *recipe,
                     const char *const *outputs, terrain_heightmap **results)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const terrain_heightmap *inputs[GRID];
    terrain_recipe_run_desc desc;
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    for (uint32_t i = 0; i < GRID; i++) {
        inputs[i] = tile_of(i);
        results[i] = test_map(&(terrain_window){0, 0, SIDE, SIDE});
    }
    desc.input_names = names;
    desc.inputs = inputs;
    desc.input_count = GRID;
    desc.output_names = outputs;
    desc.outputs = results;
    desc.output_count = GRID;
    if (terrain_recipe_run(context, recipe, &desc) != TERRAIN_SUCCESS) {
        fail_msg("%s", terrain_context_message(context));
    }
    for (uint32_t i = 0; i < GRID; i++) {
        terrain_heightmap_destroy((terrain_heightmap *)inputs[i]);
    }
}

/* The grid as a call stitches it, 2 x 2 or in one row, must be what the recipe's maps are. */
static void expect_stitched(terrain_heightmap *const *results, uint32_t columns)
{
    terrain_heightmap *maps[GRID];
    for (uint32_t i = 0; i < GRID; i++) {
        maps[i] = tile_of(i);
    }
    assert_int_equal(terrain_stitch_match(NULL, maps, columns, GRID / columns, NULL),
                     TERRAIN_SUCCESS);
    for (uint32_t i = 0; i < GRID; i++) {
        assert_true(terrain_heightmap_hash(maps[i]) == terrain_heightmap_hash(results[i]));
        terrain_heightmap_destroy(maps[i]);
        terrain_heightmap_destroy(results[i]);
    }
}

/* New names and old ones, in any order; rows by slashes. */
static void test_grids(void **state)
{
    static const char inputs[] = "input a\ninput b\ninput c\ninput d\n";
    static const struct {
        const char *text;
        const char *outputs[GRID];
        uint32_t columns;
    } cases[] = {
        {"a b c d = stitch_match a b / c d", {"a", "b", "c", "d"}, 2},
        {"p q r s = stitch_match a b / c d", {"p", "q", "r", "s"}, 2},
        {"p q r s = stitch_match a b c d", {"p", "q", "r", "s"}, 4},
        {"d c b a = stitch_match a / b / c / d", {"d", "c", "b", "a"}, 1},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        terrain_heightmap *results[GRID];
        snprintf(text, sizeof text, "%s%s\n", inputs, cases[i].text);
        terrain_recipe *recipe = parse(context, text);
        assert_string_equal(terrain_recipe_result(recipe), cases[i].outputs[0]);
        const terrain_recipe_statement *told = terrain_recipe_statement_at(recipe, 0);
        assert_int_equal(told->columns, cases[i].columns);
        assert_string_equal(told->names[GRID - 1], cases[i].outputs[GRID - 1]);
        run_grid(context, recipe, cases[i].outputs, results);
        expect_stitched(results, cases[i].columns);
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

/* By a call: without names the maps keep theirs; the inputs must be left alone, and one of them is
 * read again. */
static void test_grid_by_call(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    terrain_recipe_statement statement;
    terrain_heightmap *results[GRID];
    assert_int_equal(terrain_recipe_create(context, &recipe), TERRAIN_SUCCESS);
    for (int i = 0; i < GRID; i++) {
        assert_int_equal(terrain_recipe_add_input(context, recipe, names[i]), TERRAIN_SUCCESS);
    }
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.operation = terrain_operation_find("stitch_match");
    statement.inputs = names;
    statement.input_count = GRID;
    statement.inputs = NULL;
    assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_ERROR_ARGUMENT);
    statement.inputs = names;
    statement.columns = 3;
    assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_ERROR_ARGUMENT);
    statement.columns = 2;
    assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_map_count(recipe), GRID);
    run_grid(context, recipe, names, results);
    expect_stitched(results, 2);
    assert_int_equal(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_ERROR_UNSUPPORTED);
    /* One name for an operation that makes one map. */
    statement.operation = terrain_operation_find("shape_clamp");
    statement.input_count = 1;
    statement.columns = 0;
    statement.name = "e";
    statement.names = names;
    assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_ERROR_ARGUMENT);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Guards against grids with too few or too many names, and messages that don't say where. */
static void test_grid_refusals(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"input a\ninput b\nc = stitch_match a b",
         "line 3, column 1: expected 2 names before '=' for stitch_match, found 1"},
        {"input a\ninput b\nc d e = stitch_match a b",
         "line 3, column 5: expected 2 names before '=' for stitch_match, found 3"},
        {"input a\nc d = shape_clamp a",
         "line 2, column 3: expected 1 name before '=' for shape_clamp, found 2"},
        {"input a\ninput b\nc c = stitch_match a b",
         "line 3, column 3: expected another name: the statement already makes 'c'"},
        {"input a\ninput b\nc d e = stitch_match a b / a",
         "line 3, column 28: expected rows of 2 maps, found one of 1"},
        {"input a\nc d = stitch_match a b", "line 2, column 22: expected a map made above"},
        {"input a\nc = stitch_match a /\n", "line 2, column 21: expected a map for stitch_match"},
        {"input a\nc = stitch_match / a\n", "line 2, column 18: expected a map for stitch_match"},
        {"input a\nc = stitch_match\n", "line 2, column 17: expected a map for stitch_match"},
        {"input a\nc = shape_clamp a / a\n", "line 2, column 19: expected PARAMETER=VALUE"},
        {"input a\nc d stitch_match a a\n", "line 2, column 3: expected '=' after the name"},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        terrain_recipe *recipe = NULL;
        assert_int_equal(terrain_recipe_parse(context, bad[i].text, strlen(bad[i].text), &recipe),
                         TERRAIN_ERROR_SYNTAX);
        if (strstr(terrain_context_message(context), bad[i].message) == NULL) {
            fail_msg("%s: %s", bad[i].text, terrain_context_message(context));
        }
    }
    terrain_context_destroy(context);
}

/* Guards against names of a large grid, which are not compared pair by pair, that pass though they
 * are not all different. */
static void test_many_names(void **state)
{
    enum { COUNT = 50 };
    static const struct {
        int twice, first; /* the maps that get one name; -1: none */
    } cases[] = {{-1, 0}, {49, 0}, {1, 0}, {49, 48}, {30, 7}};
    terrain_context *context = test_plain_context();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        terrain_recipe *recipe = NULL;
        char text[2048], message[128];
        int size = snprintf(text, sizeof text, "input land\n");
        for (int i = 0; i < COUNT; i++) {
            const int name = i == cases[k].twice ? cases[k].first : i;
            size += snprintf(text + size, sizeof text - (size_t)size, "map%02d ", 7 * name % COUNT);
        }
        size += snprintf(text + size, sizeof text - (size_t)size, "= stitch_edges");
        for (int i = 0; i < COUNT; i++) {
            size += snprintf(text + size, sizeof text - (size_t)size, " land");
        }
        const terrain_status status = terrain_recipe_parse(context, text, (size_t)size, &recipe);
        if (cases[k].twice < 0) {
            assert_int_equal(status, TERRAIN_SUCCESS);
        } else {
            snprintf(message, sizeof message,
                     "line 2, column %d: expected another name: the "
                     "statement already makes 'map%02d'",
                     1 + 6 * cases[k].twice, 7 * cases[k].first % COUNT);
            assert_int_equal(status, TERRAIN_ERROR_SYNTAX);
            assert_string_equal(terrain_context_message(context), message);
        }
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

/* ---- Coarse maps ----------------------------------------------------------------------------- */

static void add(terrain_recipe *recipe, const char *name, const terrain_operation *operation,
                const char *input, const char *control, const void *params)
{
    static const char *const parameter[] = {"control"};
    terrain_recipe_statement statement;
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = name;
    statement.operation = operation;
    statement.inputs = &input;
    statement.input_count = input != NULL;
    statement.map_parameters = parameter;
    statement.maps = &control;
    statement.map_count = control != NULL;
    statement.params = params;
    assert_int_equal(terrain_recipe_add(NULL, recipe, &statement), TERRAIN_SUCCESS);
}

/* painted = noise; soft = blur of that; land = test_coarse of soft; worn = blur of that. */
static terrain_recipe *coarse_recipe(uint32_t spacing)
{
    terrain_recipe *recipe = NULL;
    test_coarse_params params;
    terrain_blur_box_params box;
    assert_int_equal(terrain_recipe_create(NULL, &recipe), TERRAIN_SUCCESS);
    terrain_operation_params_init(&test_coarse, &params, sizeof params);
    params.control_spacing = spacing;
    terrain_blur_box_params_init(&box, sizeof box);
    box.radius = 3;
    add(recipe, "painted", terrain_operation_find("generate_noise"), NULL, NULL, NULL);
    add(recipe, "soft", terrain_operation_find("blur_box"), "painted", NULL, &box);
    add(recipe, "land", &test_coarse, NULL, "soft", &params);
    add(recipe, "worn", terrain_operation_find("blur_box"), "land", NULL, &box);
    return recipe;
}

static terrain_heightmap *window_of(const terrain_recipe *recipe, const char *name,
                                    const terrain_window *window)
{
    terrain_heightmap *map = test_map(window);
    terrain_context *context = test_plain_context();
    terrain_recipe_run_desc desc = test_run_of_world(window);
    desc.output_names = &name;
    desc.outputs = &map;
    desc.output_count = 1;
    if (terrain_recipe_run(context, recipe, &desc) != TERRAIN_SUCCESS) {
        fail_msg("%s", terrain_context_message(context));
    }
    terrain_context_destroy(context);
    return map;
}

static float height_at(const terrain_heightmap *map, int64_t x, int64_t y)
{
    int64_t map_x, map_y;
    terrain_heightmap_origin(map, &map_x, &map_y);
    return terrain_heightmap_const_data(
        map)[(size_t)(y - map_y) * terrain_heightmap_stride(map) + (size_t)(x - map_x)];
}

/* At a point of the lattice the land is what an endless map, blurred on its own lattice, has at
 * that cell: the recipe must not blur or generate at the wrong scale. */
static void test_coarse_points(void **state)
{
    static const terrain_window lattice = {-20, -20, 40, 40};
    const terrain_window land_window = {-64, -48, 130, 100};
    terrain_recipe *recipe = coarse_recipe(16);
    terrain_heightmap *land = window_of(recipe, "land", &land_window);
    terrain_heightmap *soft = test_map(&lattice);
    terrain_blur_box_params box;
    terrain_heightmap_set_cell_size(soft, 16);
    terrain_blur_box_params_init(&box, sizeof box);
    box.radius = 3;
    assert_int_equal(terrain_generate_noise(NULL, soft, NULL), TERRAIN_SUCCESS);
    assert_int_equal(terrain_blur_box(NULL, soft, &box), TERRAIN_SUCCESS);
    for (int64_t j = -3; j <= 3; j++) {
        for (int64_t i = -4; i <= 4; i++) {
            assert_true(height_at(land, i * 16, j * 16) == height_at(soft, i, j));
        }
    }
    assert_true(terrain_heightmap_cell_size(land) == 1);
    terrain_heightmap_destroy(soft);
    terrain_heightmap_destroy(land);
    terrain_recipe_destroy(recipe);
}

/* Two windows, and a tile of a world, must agree where they meet. */
static void test_coarse_windows(void **state)
{
    static const uint32_t spacings[] = {1, 4, 64, 1024};
    for (int k = 0; k < 4; k++) {
        const terrain_window large = {-90, 40, 200, 150}, small = {-7, 61, 31, 40};
        terrain_recipe *recipe = coarse_recipe(spacings[k]);
        terrain_heightmap *all = window_of(recipe, NULL, &large);
        terrain_heightmap *part = window_of(recipe, NULL, &small);
        terrain_heightmap *tile = test_map(&small);
        terrain_world_desc desc;
        terrain_world *world = NULL;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
        assert_int_equal(terrain_world_tile(NULL, world, small.x, small.y, tile), TERRAIN_SUCCESS);
        assert_true(terrain_heightmap_hash(tile) == terrain_heightmap_hash(part));
        for (int64_t y = small.y; y < small.y + (int64_t)small.height; y++) {
            for (int64_t x = small.x; x < small.x + (int64_t)small.width; x++) {
                assert_true(height_at(all, x, y) == height_at(part, x, y));
            }
        }
        terrain_world_destroy(world);
        terrain_heightmap_destroy(tile);
        terrain_heightmap_destroy(part);
        terrain_heightmap_destroy(all);
        terrain_recipe_destroy(recipe);
    }
}

/* Bounded: the coarse maps are as large as the land needs, and the host is told how large. */
static void test_coarse_bounded(void **state)
{
    static const char *const names[] = {"land", "soft"};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = coarse_recipe(16);
    const terrain_window place = {-40, 8, 100, 70};
    terrain_recipe_run_desc desc = test_run_of(&place);
    terrain_window window;
    terrain_heightmap *maps[2];
    assert_int_equal(terrain_recipe_output_window(context, recipe, &desc, "soft", &window),
                     TERRAIN_SUCCESS);
    assert_true(window.x == -3 && window.y == 0 && window.width == 8 && window.height == 6);
    maps[0] = test_map(&place);
    maps[1] = test_map(&window);
    desc.output_names = names;
    desc.outputs = maps;
    desc.output_count = 2;
    assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
    assert_true(height_at(maps[0], -32, 16) == height_at(maps[1], -2, 1));
    assert_true(height_at(maps[0], 48, 64) == height_at(maps[1], 3, 4));
    assert_true(terrain_heightmap_cell_size(maps[1]) == 16);
    terrain_heightmap_destroy(maps[0]);
    terrain_heightmap_destroy(maps[1]);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* One map on two lattices is refused; so is a coarse map that does not reach, and a spacing that is
 * no power of two. */
static void test_coarse_refusals(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = coarse_recipe(16);
    terrain_recipe_run_desc desc;
    terrain_window window;
    test_coarse_params params;
    terrain_heightmap *land = test_map(&(terrain_window){-40, 8, 100, 70});
    terrain_heightmap *control = test_map(&(terrain_window){-3, 0, 8, 6});
    add(recipe, "other", terrain_operation_find("shape_clamp"), "soft", NULL, NULL);
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    expect_refused(terrain_recipe_output_window(context, recipe, &desc, "worn", &window),
                   TERRAIN_ERROR_ARGUMENT, context, "make two maps");

    terrain_operation_params_init(&test_coarse, &params, sizeof params);
    params.control = control;
    assert_int_equal(terrain_operation_apply(context, &test_coarse, &land, 1, &params),
                     TERRAIN_SUCCESS);
    terrain_heightmap_set_origin(control, -2, 0);
    expect_refused(terrain_operation_apply(context, &test_coarse, &land, 1, &params),
                   TERRAIN_ERROR_RANGE, context, "control covers x -2 to 5");
    terrain_heightmap_set_origin(control, -3, -1);
    assert_int_equal(terrain_operation_apply(context, &test_coarse, &land, 1, &params),
                     TERRAIN_ERROR_RANGE);
    params.control_spacing = 24;
    expect_refused(terrain_operation_apply(context, &test_coarse, &land, 1, &params),
                   TERRAIN_ERROR_RANGE, context, "must be a power of two");
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(control);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A map of a map of a map, whose lattice has 2^30 cells, and one that is too coarse, of 2^40. */
static void test_coarsest(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    terrain_recipe_run_desc desc;
    test_coarse_params params;
    terrain_window window;
    assert_int_equal(terrain_recipe_create(NULL, &recipe), TERRAIN_SUCCESS);
    terrain_operation_params_init(&test_coarse, &params, sizeof params);
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    params.control_spacing = 1024;
    add(recipe, "map", terrain_operation_find("generate_noise"), NULL, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        add(recipe, "map", &test_coarse, NULL, "map", &params);
        assert_int_equal(terrain_recipe_output_window(context, recipe, &desc, NULL, &window),
                         i < 3 ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE);
    }
    assert_string_equal(terrain_context_message(context),
                        "statement 2, map: 'map' would lie on a lattice of more than 2^32 cells");
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A table whose ports don't say what the signature, the parameters and the windows say. */
static void test_port_tables(void **state)
{
    for (uint32_t k = 0; k < test_operation_count(); k++) {
        const terrain_operation *operation = test_operation_at(k);
        const uint32_t count = terrain_operation_port_count(operation);
        uint32_t written = 0, arguments = 0, parameters = 0;
        assert_in_range(count, 1, 16);
        assert_null(terrain_operation_port_at(operation, count));
        for (uint32_t i = 0; i < count; i++) {
            const terrain_port *port = terrain_operation_port_at(operation, i);
            const terrain_parameter *parameter =
                terrain_operation_parameter_find(operation, port->name);
            assert_true(port->role <= TERRAIN_PORT_ROLE_CHANGE && port->spacing != NULL);
            if (port->offset == 0) {
                assert_int_equal(parameters, 0); /* arguments come first */
                arguments++;
                written += port->role != TERRAIN_PORT_ROLE_READ;
                assert_int_equal(port->optional, 0);
                continue;
            }
            parameters++;
            assert_ptr_equal(parameter->port, port);
            assert_int_equal(parameter->offset, port->offset);
            assert_int_equal(parameter->type, port->role == TERRAIN_PORT_ROLE_READ
                                                  ? TERRAIN_TYPE_MAP_IN
                                                  : TERRAIN_TYPE_MAP_OUT);
            assert_int_equal(port->mask != 0, strcmp(port->name, "mask") == 0);
            if (port->lattice == TERRAIN_PORT_LATTICE_COARSE) {
                const terrain_parameter *spacing =
                    terrain_operation_parameter_find(operation, port->spacing);
                assert_true(spacing->type == TERRAIN_TYPE_UINT32 &&
                            spacing->offset == port->spacing_offset);
            }
        }
        assert_int_equal(written, 1);
        for_each_parameter(operation, parameter) {
            assert_int_equal(parameter->role == TERRAIN_PARAMETER_ROLE_SEED,
                             strcmp(parameter->name, "seed") == 0);
            parameters -=
                parameter->type == TERRAIN_TYPE_MAP_IN || parameter->type == TERRAIN_TYPE_MAP_OUT;
        }
        assert_int_equal(parameters, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids),          cmocka_unit_test(test_grid_by_call),
        cmocka_unit_test(test_grid_refusals),  cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_coarse_points),  cmocka_unit_test(test_coarse_windows),
        cmocka_unit_test(test_coarse_bounded), cmocka_unit_test(test_coarse_refusals),
        cmocka_unit_test(test_coarsest),       cmocka_unit_test(test_port_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
