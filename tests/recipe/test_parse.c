/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The text of recipes: what is read, and what is refused with line, column and expectation. */

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/recipe.h"
#include "terrain/shape.h"

static terrain_recipe *parse_good(const char *text)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    terrain_status status = terrain_recipe_parse(context, text, strlen(text), &recipe);
    if (status != TERRAIN_SUCCESS) {
        print_error("%s\n", terrain_context_message(context));
    }
    assert_int_equal(status, TERRAIN_SUCCESS);
    terrain_context_destroy(context);
    return recipe;
}

/* A reader that trips over blanks, comments, line ends or a missing one at the end. */
static void test_words(void **state)
{
    static const char *const texts[] = {
        "input land\nout = shape_clamp land low=-1.5 high=2e3\n",
        "input land\nout = shape_clamp land low=-1.5 high=2e3",
        "\r\n  \n# x = y\ninput land#\r\n\tout=shape_clamp\tland low = -1.5 high=2e3\r\n",
        "results 2\ninput land\nout = shape_clamp land high=+2000.000 low=-.15e1#",
        "\xEF\xBB\xBFinput land\r\nout = shape_clamp land low=-1.5 high=2e3\r\n",
        "# x = y\rinput land\r\rout = shape_clamp land low=-1.5 high=2e3\r",
        "# x = y\r\n\rinput land\n\rout = shape_clamp land low=-1.5 high=2e3# x\r",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        terrain_recipe *recipe = parse_good(texts[i]);
        const terrain_recipe_statement *statement = terrain_recipe_statement_at(recipe, 0);
        const terrain_shape_clamp_params *params = statement->params;
        assert_int_equal(terrain_recipe_statement_count(recipe), 1);
        assert_int_equal(terrain_recipe_input_count(recipe), 1);
        assert_string_equal(terrain_recipe_input_at(recipe, 0), "land");
        assert_string_equal(terrain_recipe_result(recipe), "out");
        assert_string_equal(statement->name, "out");
        assert_string_equal(statement->inputs[0], "land");
        assert_ptr_equal(statement->operation, terrain_operation_find("shape_clamp"));
        assert_true(params->low == -1.5f && params->high == 2000);
        assert_int_equal(terrain_recipe_results_version(recipe), i == 3 ? 2 : 0);
        terrain_recipe_destroy(recipe);
    }
}

/* A name that is replaced must appear once, where it first did, and input and results are names too
 * before '='. */
static void test_names(void **state)
{
    terrain_recipe *recipe = parse_good("input a\na = shape_clamp a\ninput = shape_clamp a mask=a\n"
                                        "results = shape_clamp input\na = shape_clamp results\n");
    assert_int_equal(terrain_recipe_map_count(recipe), 3);
    assert_string_equal(terrain_recipe_map_at(recipe, 0), "a");
    assert_string_equal(terrain_recipe_map_at(recipe, 1), "input");
    assert_string_equal(terrain_recipe_map_at(recipe, 2), "results");
    assert_null(terrain_recipe_map_at(recipe, 3));
    assert_string_equal(terrain_recipe_statement_at(recipe, 1)->maps[0], "a");
    assert_string_equal(terrain_recipe_statement_at(recipe, 1)->map_parameters[0], "mask");
    assert_int_equal(terrain_recipe_statement_at(recipe, 3)->line, 5);
    terrain_recipe_destroy(recipe);
}

/* Word `number` of all that are made of three letters, up to four of them: "b", "bZb", "__b", … */
static const char *word_of(uint32_t number, char word[8])
{
    static const char letters[] = "b_Z";
    uint32_t size = 0;
    for (number++; number > 0; number = (number - 1) / 3) {
        word[size++] = letters[(number - 1) % 3];
    }
    word[size] = '\0';
    return word;
}

/* A name that is lost among others that begin as it does, or found though nobody made it. */
static void test_many_names(void **state)
{
    enum { WORDS = 3 + 9 + 27 + 81 };
    static char text[WORDS * 40];
    terrain_context *context = test_plain_context();
    size_t size = (size_t)snprintf(text, sizeof text, "input in\n");
    for (uint32_t i = 0; i < WORDS; i++) {
        char word[8];
        const uint32_t scrambled = i * 77 % WORDS;
        if (scrambled % 5 < 3) {
            size += (size_t)snprintf(text + size, sizeof text - size, "%s = shape_clamp in\n",
                                     word_of(scrambled, word));
        }
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        char word[8];
        terrain_recipe *recipe = NULL;
        snprintf(text + size, sizeof text - size, "out = shape_clamp %s\n", word_of(i, word));
        const terrain_status status = terrain_recipe_parse(context, text, strlen(text), &recipe);
        assert_int_equal(status, i % 5 < 3 ? TERRAIN_SUCCESS : TERRAIN_ERROR_SYNTAX);
        assert_int_equal(terrain_recipe_map_count(recipe), i % 5 < 3 ? 2 + WORDS * 3 / 5 : 0);
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

/* A message without its place, or with the wrong one, or none at all. */
static void test_refusals(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *expected; /* and what the message begins with behind it */
    } bad[] = {
        {"", 1, 1, "a statement"},
        {"# nothing\n", 2, 1, "a statement"},
        {"input a\n", 2, 1, "a statement"},
        {"\x01", 1, 1, "a statement: NAME = OPERATION ..., or input NAME, found the byte 0x01"},
        {"input a\nb = shape_clmp a", 2, 5,
         "an operation, found 'shape_clmp' (did you mean 'shape_clamp'?)"},
        {"input a\nb = ", 2, 5, "an operation, found the end"},
        {"input a\nb shape_clamp a", 2, 3, "'=' after the name"},
        {"b = shape_clamp a", 1, 17, "a map made above, found 'a'"},
        {"input hills\nb = shape_clamp hils", 2, 17,
         "a map made above, found 'hils' (did you mean 'hills'?)"},
        {"input a\nb = shape_clamp\n", 2, 16, "a map for shape_clamp, found the end of the line"},
        {"input a\nb = shape_clamp low=3", 2, 17, "a map for shape_clamp"},
        {"input a\nb = shape_clamp a a", 2, 19, "PARAMETER=VALUE"},
        {"input a\nb = shape_clamp a hihg=3", 2, 19,
         "a parameter of shape_clamp, found 'hihg' (did you mean 'high'?)"},
        {"input a\nb = shape_clamp a low=x", 2, 23, "a number"},
        {"input a\nb = shape_clamp a low=", 2, 23, "a number"},
        {"input a\nb = shape_clamp a low=1,2", 2, 24, "PARAMETER=VALUE"},
        {"input a\nb = shape_clamp a low=nan", 2, 23, "a number"},
        {"input a\nb = shape_clamp a low=1e37", 2, 23, "a number"},
        {"input a\nb = shape_clamp a low=1.000000000000001", 2, 23,
         "a number (at most 15 significant"},
        {"input a\nb = shape_clamp a low=1 low=1", 2, 25, "each parameter once, found 'low' again"},
        {"input a\nb = shape_clamp a mask=", 2, 24, "the name of a map"},
        {"input a\nb = combine_blend a c", 2, 21, "a map made above, found 'c'"},
        {"input a\nb = shape_clamp a mask=c", 2, 24, "a map made above"},
        {"input a\nb = shape_clamp a mask=b", 2, 24, "a map made above"},
        {"input a\ninput a\n", 2, 7, "a new name, found 'a'"},
        {"input\n", 1, 6, "the name of an input"},
        {"input 3\n", 1, 7, "a name"},
        {"input a b\n", 1, 9, "the end of the line"},
        {"3 = shape_clamp a", 1, 1, "a name"},
        {"input a\n3 = shape_clamp a", 2, 1, "a name"},
        {"input a\nb-c = shape_clamp a", 2, 1, "a name"},
        {"input a\nresults 2\n", 2, 9, "the version before every other"},
        {"results 999\n", 1, 9, "2, the version of this library's results, found '999'"},
        {"results 1\n", 1, 9,
         "2, the version of this library's results, found '1': see Changed output in CHANGELOG.md"},
        {"results\n", 1, 8, "2, the version"},
        {"\xEF\xBB\xBFinput a\nb = shape_clmp a", 2, 5, "an operation, found 'shape_clmp'"},
        {"\xEF\xBB\xBF\n", 2, 1, "a statement"},
        {"# x\rinput a\r\rb = shape_clmp a", 4, 5, "an operation, found 'shape_clmp'"},
        {"# x\r\ninput a\r\n\r\nb = shape_clmp a", 4, 5, "an operation, found 'shape_clmp'"},
        {"input a\rb = shape_clamp\r", 2, 16, "a map for shape_clamp, found the end of the line"},
        {"\xEF\xBB\xBF\xEF\xBB\xBFinput a", 1, 1,
         "a statement: NAME = OPERATION ..., or input NAME, found the byte 0xEF"},
        {"input a\n\xC3\xA4 = shape_clamp a", 2, 1,
         "a statement: NAME = OPERATION ..., or input NAME, found the byte 0xC3"},
        {"input aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, 7,
         "the name of an input"},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        terrain_recipe *recipe = (terrain_recipe *)&recipe;
        terrain_status status =
            terrain_recipe_parse(context, bad[i].text, strlen(bad[i].text), &recipe);
        const char *message = terrain_context_message(context);
        char wanted[200];
        snprintf(wanted, sizeof wanted, "line %d, column %d: expected %s", bad[i].line,
                 bad[i].column, bad[i].expected);
        if (strncmp(message, wanted, strlen(wanted)) != 0) {
            fail_msg("%s\n  gives    %s\n  expected %s", bad[i].text, message, wanted);
        }
        assert_int_equal(status, TERRAIN_ERROR_SYNTAX);
        assert_null(recipe);
    }
    terrain_context_destroy(context);
}

/* Parameters that don't go together: the operation says why, and the place is its name's. */
static void test_rules(void **state)
{
    static const char text[] = "input a\nb = shape_clamp a low=2 high=1";
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    assert_int_equal(terrain_recipe_parse(context, text, sizeof text - 1, &recipe),
                     TERRAIN_ERROR_SYNTAX);
    assert_string_equal(terrain_context_message(context),
                        "line 2, column 5: shape_clamp: low must not be above high");
    terrain_context_destroy(context);
}

/* Text is counted, not terminated: a reader that stops at a zero byte, or runs past the end. */
static void test_null_and_zero_bytes(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    assert_int_equal(terrain_recipe_parse(context, NULL, 3, &recipe), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_recipe_parse(context, "x", 1, NULL), TERRAIN_ERROR_ARGUMENT);
    expect_refused(terrain_recipe_parse(context, "input a\0b", 9, &recipe), TERRAIN_ERROR_SYNTAX,
                   context, "line 1, column 8");
    assert_int_equal(terrain_recipe_parse(context, "input a\nb = shape_clamp abc", 25, &recipe),
                     TERRAIN_SUCCESS);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A name of the most characters that is refused, or cut, or one of more that is taken. */
static void test_longest_name(void **state)
{
    char text[6 + TERRAIN_RECIPE_NAME_MAXIMUM + 2] = "input ";
    terrain_recipe *recipe = NULL;
    memset(text + 6, 'n', TERRAIN_RECIPE_NAME_MAXIMUM + 1);
    assert_int_equal(terrain_recipe_parse(NULL, text, 6 + TERRAIN_RECIPE_NAME_MAXIMUM + 1, &recipe),
                     TERRAIN_ERROR_SYNTAX);
    text[6 + TERRAIN_RECIPE_NAME_MAXIMUM] = '\0';
    char both[300];
    int size = snprintf(both, sizeof both, "%s\nb = shape_clamp %s", text, text + 6);
    assert_int_equal(terrain_recipe_parse(NULL, both, (size_t)size, &recipe), TERRAIN_SUCCESS);
    assert_string_equal(terrain_recipe_map_at(recipe, 0), text + 6);
    terrain_recipe_destroy(recipe);
}

/* A text of `count` statements. */
static char *long_text(uint32_t count, size_t *size)
{
    char *text = malloc(32 * ((size_t)count + 1));
    *size = (size_t)sprintf(text, "input a\n");
    for (uint32_t i = 0; i < count; i++) {
        *size += (size_t)sprintf(text + *size, "b%u = shape_clamp a\n", (unsigned)i);
    }
    return text;
}

/* Hostile text must not take unbounded memory or time. */
static void test_bounds(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    size_t size;
    char *text = long_text(TERRAIN_RECIPE_STATEMENT_MAXIMUM, &size);
    assert_int_equal(terrain_recipe_parse(context, text, size, &recipe), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_map_count(recipe), TERRAIN_RECIPE_STATEMENT_MAXIMUM + 1);
    terrain_recipe_destroy(recipe);
    free(text);
    text = long_text(TERRAIN_RECIPE_STATEMENT_MAXIMUM + 1, &size);
    expect_refused(terrain_recipe_parse(context, text, size, &recipe), TERRAIN_ERROR_SYNTAX,
                   context, "line 4098, column 1");
    free(text);
    size = TERRAIN_RECIPE_TEXT_MAXIMUM + 1;
    text = malloc(size);
    memset(text, ' ', size);
    assert_int_equal(terrain_recipe_parse(context, text, size, &recipe), TERRAIN_ERROR_SYNTAX);
    memset(text, 'a', size);
    assert_int_equal(terrain_recipe_parse(context, text, size - 1, &recipe), TERRAIN_ERROR_SYNTAX);
    free(text);
    terrain_context_destroy(context);
}

static const char mutated_text[] = "results 2\ninput land # real\nridge = shape_clamp land "
                                   "low=0 high=1.5e2\nland = shape_clamp land mask=ridge\n";

/* Every way of damaging a text gives a recipe, or a refusal with its place; never anything else. */
static void test_garbage(void **state)
{
    terrain_context *context = test_plain_context();
    test_random random = {5};
    char text[sizeof mutated_text];
    for (int i = 0; i < 20000; i++) {
        size_t size = test_below(&random, sizeof text);
        terrain_recipe *recipe = NULL;
        terrain_status status;
        memcpy(text, mutated_text, sizeof text);
        for (uint64_t k = test_below(&random, 4); k > 0; k--) {
            static const char bytes[] = "= ,#\n\t.-+e01a_\x7F\x80";
            text[test_below(&random, sizeof text)] = bytes[test_below(&random, sizeof bytes)];
        }
        status = terrain_recipe_parse(context, text, size, &recipe);
        if (status == TERRAIN_SUCCESS) {
            assert_non_null(recipe);
            assert_true(terrain_recipe_statement_count(recipe) > 0);
        } else {
            const char *message = terrain_context_message(context);
            assert_int_equal(status, TERRAIN_ERROR_SYNTAX);
            assert_null(recipe);
            assert_true(strncmp(message, "line ", 5) == 0);
            assert_true(strstr(message, ": expected ") != NULL ||
                        strstr(message, ": shape_clamp: low must not be above high") != NULL);
        }
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

/* What stands behind a text that is cut anywhere, read as if it were the text's. */
static void test_beyond_the_end(void **state)
{
    static const char behind[] = "=#1a/ ";
    terrain_context *context = test_plain_context();
    char text[sizeof mutated_text], message[300] = "";
    for (size_t size = 0; size < sizeof text - 1; size++) {
        terrain_status expected = TERRAIN_SUCCESS;
        for (size_t i = 0; i < sizeof behind - 1; i++) {
            terrain_recipe *recipe = NULL;
            memset(text, behind[i], sizeof text);
            memcpy(text, mutated_text, size);
            const terrain_status status = terrain_recipe_parse(context, text, size, &recipe);
            if (i == 0) {
                expected = status;
                snprintf(message, sizeof message, "%s", terrain_context_message(context));
            }
            assert_int_equal(status, expected);
            assert_string_equal(terrain_context_message(context), message);
            terrain_recipe_destroy(recipe);
        }
    }
    terrain_context_destroy(context);
}

static void expect_no_memory(const char *text, size_t size)
{
    uint64_t calls = UINT64_MAX;
    for (uint64_t n = 0; n <= calls; n++) {
        test_allocator allocator = {.fail_at = 0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
        uint64_t before = allocator.calls;
        terrain_recipe *recipe = NULL;
        terrain_status status;
        allocator.fail_at = n == 0 ? 0 : before + n;
        status = terrain_recipe_parse(context, text, size, &recipe);
        if (n == 0) {
            calls = allocator.calls - before;
        }
        assert_int_equal(status, n == 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY);
        assert_true((recipe != NULL) == (n == 0));
        terrain_context_destroy(context);
        terrain_recipe_destroy(recipe); /* after its context */
        assert_int_equal(allocator.live, 0);
        assert_int_equal(allocator.faults, 0);
    }
    assert_true(calls >= 2);
}

/* A recipe that leaks, crashes or appears half made when memory ends: at its first maps, or where
 * so many long names are made that their letters need memory of their own. */
static void test_no_memory(void **state)
{
    char text[8 + 100 * 80];
    size_t size = (size_t)sprintf(text, "input a\n");
    expect_no_memory(mutated_text, sizeof mutated_text - 1);
    for (unsigned i = 0; i < 100; i++) {
        size += (size_t)sprintf(text + size, "b%u_%050u = shape_clamp a\n", i, 0u);
    }
    expect_no_memory(text, size);
}

/* Numbers read under the host's rounding mode would differ from machine to machine. */
static void test_rounding_mode(void **state)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        terrain_recipe *recipe;
        const terrain_shape_clamp_params *params;
        fesetround(modes[i]);
        recipe = parse_good("input a\nb = shape_clamp a low=0.1 high=0.123456789012345");
        fesetround(FE_TONEAREST);
        params = terrain_recipe_statement_at(recipe, 0)->params;
        assert_true(params->low == 0.1f && params->high == 0.123456789012345f);
        terrain_recipe_destroy(recipe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),        cmocka_unit_test(test_names),
        cmocka_unit_test(test_many_names),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_rules),        cmocka_unit_test(test_null_and_zero_bytes),
        cmocka_unit_test(test_longest_name), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_garbage),      cmocka_unit_test(test_beyond_the_end),
        cmocka_unit_test(test_no_memory),    cmocka_unit_test(test_rounding_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
