/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every parameter type in a recipe's text. The reader is compiled here once more, with a table that
 * also holds the throw-away operation, which has one parameter of each. */

#include <string.h>

#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/recipe.h"

terrain_status test_parse(terrain_context *context, const char *text, size_t size,
                          terrain_recipe **out);

static const terrain_operation *test_find(const char *name)
{
    return strcmp(name, "every") == 0 ? &test_every_type : terrain_operation_find(name);
}

#define terrain_operation_find test_find
#define terrain_recipe_parse test_parse
#include "recipe/parse.c"
#undef terrain_recipe_parse
#undef terrain_operation_find

/* Reads "input a\nb = every a <words>"; the params, or NULL and the context's message. */
static const test_every_type_params *read_words(terrain_context *context, const char *words,
                                                terrain_recipe **recipe)
{
    char text[512];
    const terrain_recipe_statement *statement;
    snprintf(text, sizeof text, "input a\nb = every a %s", words);
    test_parse(context, text, strlen(text), recipe);
    statement = terrain_recipe_statement_at(*recipe, 0);
    return statement != NULL ? statement->params : NULL;
}

/* A value that lands in another field, with another width, or a default that is lost. */
static void test_values(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    const test_every_type_params *params =
        read_words(context,
                   "place=-1099511627776 seed=18446744073709551615 weights=3,-1.5e0, 5 ,.25 "
                   "scale=0.5 shift=-10 rounds=40 negate=true form=long mask=a before=c",
                   &recipe);
    if (params == NULL) {
        fail_msg("%s", terrain_context_message(context));
    }
    assert_true(params->place == -(INT64_C(1) << 40));
    assert_true(params->seed == UINT64_MAX);
    assert_int_equal(params->weights_count, 4);
    assert_true(params->weights[0] == 3 && params->weights[1] == -1.5f);
    assert_true(params->weights[2] == 5 && params->weights[3] == 0.25f);
    assert_true(params->scale == 0.5f);
    assert_int_equal(params->shift, -10);
    assert_int_equal(params->rounds, 40);
    assert_int_equal(params->negate, 1);
    assert_int_equal(params->form, TEST_FORM_LONG);
    assert_null(params->mask);
    assert_string_equal(terrain_recipe_map_at(recipe, 1), "c");
    terrain_recipe_destroy(recipe);
    params = read_words(context, "negate=0 form=out_of_place", &recipe);
    assert_non_null(params);
    assert_int_equal(params->negate, 0);
    assert_int_equal(params->form, TEST_FORM_OUT_OF_PLACE);
    assert_true(params->shift == -1 && params->rounds == 2 && params->scale == 1.1f);
    assert_null(params->weights);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A value out of range, or of another type, that is cut, wrapped or rounded into one. */
static void test_refusals(void **state)
{
    static const struct {
        const char *words;
        const char *message;
    } bad[] = {
        {"place=1099511627777", "column 19: expected a whole number in [-1099511627776, 1099511627"
                                "776] for place, found '1099511627777'"},
        {"place=9223372036854775808", "column 19: expected a whole number"},
        {"place=1.0", "column 19: expected a whole number"},
        {"seed=+1", "column 18: expected a whole number in [0, 18446744073709551615] for seed"},
        {"shift=4294967295", "column 19: expected a whole number in [-10, 10] for shift"},
        {"rounds=4294967297", "column 20: expected a whole number in [0, 40] for rounds"},
        {"negate=2", "column 20: expected true or false for negate, found '2'"},
        {"negate=TRUE", "column 20: expected true or false for negate, found 'TRUE'"},
        {"form=2", "column 18: expected a value of form (direct, out_of_place, long), found '2'"},
        {"form=lung", "found 'lung' (did you mean 'long'?)"},
        {"scale=0.24", "column 19: expected a number"},
        {"scale=inf", "column 19: expected a number"},
        {"weights=", "column 21: expected a number"},
        {"weights=1,", "column 23: expected a number"},
        {"weights=1,,2", "column 23: expected a number"},
        {"weights=1,9", "column 23: expected a number in [-8, 8] for weights, found '9'"},
        {"weights=1,1e99", "column 23: expected a number (at most 15 significant digits, exponent "
                           "at most 22) in [-8, 8] for weights, found '1e99'"},
        {"weights=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1", "column 21: expected at most 16 numbers for "
                                                      "weights"},
        {"shift=7 negate=1", "column 5: test_every_type: shift must not be 7 upside down"},
        {"before=b", "column 20: expected another name: the statement already makes 'b'"},
        {"before=3", "column 20: expected a name"},
        {"before=", "column 20: expected the name of a map"},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        terrain_recipe *recipe = NULL;
        const char *message;
        assert_null(read_words(context, bad[i].words, &recipe));
        message = terrain_context_message(context);
        if (strstr(message, bad[i].message) == NULL || strncmp(message, "line 2, ", 8) != 0) {
            fail_msg("%s gives \"%s\" instead of \"%s\"", bad[i].words, message, bad[i].message);
        }
    }
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
