/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The text of a recipe: what an editor saves must be read as what it was. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/check.h"
#include "terrain/erode.h"
#include "terrain/recipe.h"

enum { MOST_MAPS = 16, SEEDS = 40 };

/* For the caller to free; NULL if the text can't say the recipe. */
static char *text_of(terrain_context *context, const terrain_recipe *recipe)
{
    size_t needed = 0, again = 0;
    if (terrain_recipe_format(context, recipe, NULL, 0, &needed) == TERRAIN_ERROR_UNSUPPORTED) {
        return NULL;
    }
    char *text = malloc(needed);
    assert_non_null(text);
    memset(text, 'x', needed);
    assert_int_equal(terrain_recipe_format(context, recipe, text, needed, &again), TERRAIN_SUCCESS);
    assert_true(again == needed && strlen(text) == needed - 1);
    return text;
}

static terrain_recipe *parsed(terrain_context *context, const char *text)
{
    terrain_recipe *recipe = NULL;
    if (terrain_recipe_parse(context, text, strlen(text), &recipe) != TERRAIN_SUCCESS) {
        fail_msg("%s in\n%s", terrain_context_message(context), text);
    }
    return recipe;
}

static const char *map_of(const terrain_recipe_statement *statement, const char *parameter)
{
    for (uint32_t i = 0; i < statement->map_count; i++) {
        if (strcmp(statement->map_parameters[i], parameter) == 0) {
            return statement->maps[i];
        }
    }
    return NULL;
}

/* Whether the parameter has an effect in a statement, whose maps are given by name. */
static bool counts(const terrain_recipe_statement *statement, const terrain_parameter *parameter)
{
    terrain_value value = {.u = 0};
    if (parameter->when == NULL) {
        return true;
    }
    const terrain_parameter *other =
        terrain_operation_parameter_find(statement->operation, parameter->when);
    if (other->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        uint32_t count;
        memcpy(&count, (const char *)statement->params + other->count_offset, sizeof count);
        value.u = count > 0;
    } else if (other->port != NULL) {
        value.u = map_of(statement, other->name) != NULL;
    } else {
        assert_int_equal(terrain_parameter_get(other, statement->params, &value), 0);
    }
    return (parameter->when_values >> value.u & 1) != 0 && counts(statement, other);
}

static void expect_same_array(const terrain_recipe_statement *a, const terrain_recipe_statement *b,
                              const terrain_parameter *parameter)
{
    const float *arrays[2];
    uint32_t sizes[2];
    for (int k = 0; k < 2; k++) {
        const char *params = k == 0 ? a->params : b->params;
        memcpy(&arrays[k], params + parameter->offset, sizeof arrays[k]);
        memcpy(&sizes[k], params + parameter->count_offset, sizeof sizes[k]);
    }
    assert_int_equal(sizes[0], sizes[1]);
    for (uint32_t i = 0; i < sizes[0]; i++) {
        assert_true(arrays[0][i] == arrays[1][i]);
    }
}

static void expect_same_statement(const terrain_recipe_statement *a,
                                  const terrain_recipe_statement *b)
{
    assert_string_equal(a->name, b->name);
    assert_ptr_equal(a->operation, b->operation);
    assert_int_equal(a->input_count, b->input_count);
    for (uint32_t i = 0; i < a->input_count; i++) {
        assert_string_equal(a->inputs[i], b->inputs[i]);
        assert_true((a->names == NULL) == (b->names == NULL));
        assert_true(a->names == NULL || strcmp(a->names[i], b->names[i]) == 0);
    }
    assert_int_equal(a->columns, b->columns);
    for_each_parameter(a->operation, parameter) {
        terrain_value values[2];
        if (!counts(a, parameter)) {
            continue;
        }
        if (parameter->port != NULL) {
            const char *map = map_of(a, parameter->name), *found = map_of(b, parameter->name);
            assert_true(map == NULL ? found == NULL : found != NULL && strcmp(map, found) == 0);
        } else if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            expect_same_array(a, b, parameter);
        } else {
            assert_int_equal(terrain_parameter_get(parameter, a->params, &values[0]), 0);
            assert_int_equal(terrain_parameter_get(parameter, b->params, &values[1]), 0);
            assert_true(values[0].u == values[1].u);
        }
    }
}

static void expect_same(const terrain_recipe *a, const terrain_recipe *b)
{
    const uint32_t statements = terrain_recipe_statement_count(a);
    assert_int_equal(terrain_recipe_statement_count(b), statements);
    assert_int_equal(terrain_recipe_input_count(b), terrain_recipe_input_count(a));
    assert_int_equal(terrain_recipe_map_count(b), terrain_recipe_map_count(a));
    assert_int_equal(terrain_recipe_results_version(b), terrain_recipe_results_version(a));
    for (uint32_t i = 0; i < terrain_recipe_input_count(a); i++) {
        assert_string_equal(terrain_recipe_input_at(a, i), terrain_recipe_input_at(b, i));
    }
    for (uint32_t i = 0; i < terrain_recipe_map_count(a); i++) {
        assert_string_equal(terrain_recipe_map_at(a, i), terrain_recipe_map_at(b, i));
    }
    for (uint32_t i = 0; i < statements; i++) {
        expect_same_statement(terrain_recipe_statement_at(a, i), terrain_recipe_statement_at(b, i));
    }
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Maps, rows or values that get lost, and what should not be there. */
static void test_texts(void **state)
{
    static const struct {
        const char *text, *wanted; /* NULL: the same */
    } cases[] = {
        {"input land\ninput rain\nb = blur_box rain\n", NULL},
        {"x = generate_noise\ny = shape_clamp x low=-0\n", NULL},
        {"input = generate_noise\nresults = shape_clamp input\n", NULL},
        {"a = generate_noise\n", NULL},
        {"# a comment\n a=generate_noise seed = 3 period=90 # and one\n\n",
         "a = generate_noise seed=3 period=90\n"},
        {"a = generate_noise octaves=8 seed=18446744073709551615 fractal=ridged\n",
         "a = generate_noise seed=18446744073709551615 fractal=ridged\n"},
        {"a = generate_noise\ninput b\na = combine_blend a b weight=0.25 mask=a\n", NULL},
        {"input a\ninput b\ninput c\ninput d\na b c d = stitch_edges a b / c d width=7\n", NULL},
        {"input a\ninput b\na c = stitch_edges a b\n", NULL},
        {"a = generate_noise\nn = analyze_normals a normal_y=south normal_z=up\nb = blur_box "
         "south\n",
         NULL},
        {"input h\nd = generate_midpoint constraints=h\n", NULL},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        terrain_recipe *recipe = parsed(context, cases[i].text);
        char *text = text_of(context, recipe);
        assert_string_equal(text, cases[i].wanted != NULL ? cases[i].wanted : cases[i].text);
        terrain_recipe *again = parsed(context, text);
        expect_same(recipe, again);
        terrain_recipe_destroy(again);
        terrain_recipe_destroy(recipe);
        free(text);
    }
    terrain_context_destroy(context);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* A statement of an operation with random params, and maps for some of its map parameters. */
static terrain_recipe *random_recipe(terrain_context *context, const terrain_operation *operation,
                                     uint64_t seed)
{
    static const char *const inputs[] = {"a", "b", "c", "d"};
    static const char *const names[] = {"r", "s", "t", "u"};
    static char made[MOST_MAPS][8];
    const terrain_window place = {3, -7, 40, 40};
    const bool grid = terrain_operation_signature(operation) == TERRAIN_SIGNATURE_GRID;
    const char *map_parameters[MOST_MAPS], *maps[MOST_MAPS];
    test_random random = {seed};
    test_call call = test_call_of(operation);
    terrain_recipe *recipe = NULL;
    terrain_recipe_statement statement;
    test_call_randomize(&call, &random, &place);
    assert_int_equal(terrain_recipe_create(context, &recipe), TERRAIN_SUCCESS);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(terrain_recipe_add_input(context, recipe, inputs[i]), TERRAIN_SUCCESS);
    }
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = "r";
    statement.operation = operation;
    statement.params = call.params;
    statement.inputs = inputs;
    statement.names = grid && seed % 2 == 1 ? names : NULL;
    statement.map_parameters = map_parameters;
    statement.maps = maps;
    statement.input_count = grid ? 4 : 0;
    statement.columns = grid ? 2 : 0;
    for (uint32_t i = 0; i < terrain_operation_port_count(operation) && !grid; i++) {
        const terrain_port *port = terrain_operation_port_at(operation, i);
        statement.input_count += port->offset == 0 && port->role != TERRAIN_PORT_ROLE_WRITE;
    }
    for_each_parameter(operation, parameter) {
        if (parameter->port != NULL && test_below(&random, 2) == 0) {
            const uint32_t k = statement.map_count++;
            snprintf(made[k], sizeof made[k], "m%u", (unsigned)k);
            map_parameters[k] = parameter->name;
            maps[k] = parameter->type == TERRAIN_TYPE_MAP_OUT ? made[k] : inputs[k % 4];
        }
    }
    if (terrain_recipe_add(context, recipe, &statement) != TERRAIN_SUCCESS) {
        terrain_recipe_destroy(recipe); /* maps that don't go together */
        recipe = NULL;
    }
    test_call_destroy(&call);
    return recipe;
}

/* A version that gets lost: bits change without a word. */
static void test_results(void **state)
{
    char text[64];
    terrain_context *context = test_plain_context();
    snprintf(text, sizeof text, "results %u\na = generate_noise\n",
             (unsigned)terrain_results_version());
    terrain_recipe *recipe = parsed(context, text);
    char *found = text_of(context, recipe);
    assert_string_equal(found, text);
    free(found);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A parameter of any operation that is not written, or is written where it has no effect, which no
 * parser takes. */
static void test_every_operation(void **state)
{
    terrain_context *context = test_plain_context();
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        uint32_t compared = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            terrain_recipe *recipe = random_recipe(context, terrain_operation_at(i), seed);
            char *text = recipe != NULL ? text_of(context, recipe) : NULL;
            if (text != NULL) {
                terrain_recipe *again = parsed(context, text);
                char *second = text_of(context, again);
                assert_string_equal(second, text);
                expect_same(recipe, again);
                free(second);
                terrain_recipe_destroy(again);
                compared++;
            }
            free(text);
            terrain_recipe_destroy(recipe);
        }
        if (compared < SEEDS / 8) {
            fail_msg("%s: %u of %d compared", terrain_operation_name(terrain_operation_at(i)),
                     (unsigned)compared, SEEDS);
        }
    }
    terrain_context_destroy(context);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

/* Text that is cut, or read as another value. */
static void test_refusals(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = parsed(context, "a = generate_noise\n");
    const char *input = "a";
    terrain_recipe_statement statement;
    terrain_erode_thermal_params params;
    char text[64];
    size_t needed = 0;
    terrain_recipe *empty = NULL;
    assert_int_equal(terrain_recipe_create(context, &empty), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_format(context, empty, text, sizeof text, &needed),
                     TERRAIN_ERROR_UNSUPPORTED);
    assert_string_equal(text, "");
    terrain_recipe_destroy(empty);
    assert_int_equal(terrain_recipe_format(context, NULL, NULL, 0, &needed),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_recipe_format(context, recipe, NULL, 0, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context), "recipe_format: needed is NULL");
    memset(text, 'x', sizeof text);
    assert_int_equal(terrain_recipe_format(context, recipe, text, 19, &needed),
                     TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context),
                        "recipe_format: size is 19, must be at least 20");
    assert_true(needed == 20 && text[0] == '\0');
    for (size_t i = 19; i < sizeof text; i++) {
        assert_int_equal(text[i], 'x');
    }
    assert_int_equal(terrain_recipe_format(NULL, recipe, text, 20, &needed), TERRAIN_SUCCESS);
    assert_string_equal(text, "a = generate_noise\n");

    terrain_recipe_statement_init(&statement, sizeof statement);
    terrain_erode_thermal_params_init(&params, sizeof params);
    statement.name = "b";
    statement.operation = terrain_operation_find("erode_thermal");
    statement.inputs = &input;
    statement.input_count = 1;
    statement.params = &params;
    params.talus = 1.2345e-20f;
    assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_SUCCESS);
    expect_refused(terrain_recipe_format(context, recipe, text, sizeof text, &needed),
                   TERRAIN_ERROR_UNSUPPORTED, context,
                   "recipe_format: statement 2: erode_thermal.talus is 1.23");
    assert_string_equal(text, "");
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Two maps whose first has the name of a word: read as another kind of line. */
static void test_words(void **state)
{
    static const char *const words[] = {"input", "results"};
    terrain_context *context = test_plain_context();
    for (int i = 0; i < 2; i++) {
        char text[64], wanted[64];
        size_t needed = 7;
        snprintf(text, sizeof text, "input %s\ninput b\na = blur_box b\n", words[i]);
        terrain_recipe *recipe = parsed(context, text);
        const char *maps[] = {words[i], "b"};
        terrain_recipe_statement grid;
        terrain_recipe_statement_init(&grid, sizeof grid);
        grid.operation = terrain_operation_find("stitch_edges");
        grid.inputs = maps;
        grid.input_count = 2;
        assert_int_equal(terrain_recipe_add(context, recipe, &grid), TERRAIN_SUCCESS);
        assert_int_equal(terrain_recipe_format(context, recipe, NULL, 0, &needed),
                         TERRAIN_ERROR_UNSUPPORTED);
        snprintf(wanted, sizeof wanted, "the first of several maps is called '%s'", words[i]);
        expect_message(context, wanted);
        assert_true(needed == 0);
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),           cmocka_unit_test(test_results),
        cmocka_unit_test(test_every_operation), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
