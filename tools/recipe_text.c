/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "recipe_text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "image.h"
#include "tool.h"

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Puts text into the recipe's, before its byte `at`. */
static int recipe_insert(recipe_text *recipe, size_t at, const char *text)
{
    const size_t size = strlen(text);
    char *grown = realloc(recipe->text, recipe->size + size);
    if (grown == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    memmove(grown + at + size, grown + at, recipe->size - at);
    memcpy(grown + at, text, size);
    recipe->text = grown;
    recipe->size += size;
    return TOOL_SUCCESS;
}

int recipe_take_text(recipe_text *recipe, const char *text)
{
    recipe->path = "-e";
    const int code = recipe_insert(recipe, recipe->size, text);
    return code == TOOL_SUCCESS ? recipe_insert(recipe, recipe->size, "\n") : code;
}

/* Takes a name from the text's beginning. Returns what follows, or NULL if there is no name. */
static const char *recipe_take_name(const char *text, char name[RECIPE_WORD_SIZE])
{
    const size_t size = strspn(text, TOOL_NAME_BYTES);
    if (size == 0 || size >= RECIPE_WORD_SIZE) {
        return NULL;
    }
    memcpy(name, text, size);
    name[size] = '\0';
    return text + size;
}

int recipe_take_set(recipe_text *recipe, const char *text)
{
    recipe_set *set = &recipe->sets[recipe->set_count];
    if (recipe->set_count == RECIPE_MOST_SETS) {
        return tool_fail(TOOL_BAD_INPUT, "expected at most %d times --set", RECIPE_MOST_SETS);
    }
    const char *at = recipe_take_name(text, set->name);
    at = at != NULL && *at == '.' ? at + 1 : NULL;
    set->text = text;
    set->change = at;
    at = at != NULL ? recipe_take_name(at, set->parameter) : NULL;
    /* One value and nothing else: no text makes a statement of it. */
    const size_t size = at != NULL && *at == '=' ? strspn(at + 1, TOOL_NAME_BYTES ".+-,") : 0;
    if (size == 0 || at[1 + size] != '\0' || at[size] == ',') {
        return tool_fail_usage("--set is '%s', expected NAME.PARAM=VALUE, without blanks, as "
                               "land.seed=7 or land.mask=rock",
                               text);
    }
    recipe->set_count++;
    return TOOL_SUCCESS;
}

int recipe_take_path(recipe_text *recipe, int argc, char **argv)
{
    const int count = argc - optind;
    if (recipe->path != NULL) {
        return count == 0
                   ? TOOL_SUCCESS
                   : tool_fail_usage("terrain %s: expected a recipe or -e, found both", argv[0]);
    }
    if (count != 1) {
        return tool_fail_usage("terrain %s: expected one recipe, found %d", argv[0], count);
    }
    recipe->path = argv[optind];
    return recipe->path[0] != '\0'
               ? TOOL_SUCCESS
               : tool_fail_usage("terrain %s: expected a recipe, found ''", argv[0]);
}

/* ---- What --set names ------------------------------------------------------------------------ */

static bool recipe_makes(const terrain_recipe_statement *statement, const char *name)
{
    bool makes = strcmp(statement->name, name) == 0;
    for (uint32_t i = 0; statement->names != NULL && i < statement->input_count && !makes; i++) {
        makes = strcmp(statement->names[i], name) == 0;
    }
    return makes;
}

/* The names that there are, as many as there is room for: " (a, b, ...". */
struct recipe_names {
    tool_nearest nearest;
    char text[256];
    size_t size;
};

static void recipe_add_name(struct recipe_names *names, const char *name)
{
    const size_t room = sizeof names->text - names->size;
    const char *before = names->size == 0 ? " (" : ", ";
    tool_near(&names->nearest, name, name);
    if (strlen(name) + sizeof ", , ..." <= room) {
        names->size += (size_t)snprintf(names->text + names->size, room, "%s%s", before, name);
    } else if (names->text[names->size - 1] != '.') {
        names->size += (size_t)snprintf(names->text + names->size, room, ", ...");
    }
}

/* "--set <text>: expected <what> (<names>), found '<word>'", or the name that is nearest. */
static int recipe_fail_name(const recipe_set *set, const char *what, const char *of,
                            struct recipe_names *names)
{
    char hint[TOOL_HINT_SIZE];
    tool_near_text(&names->nearest, "", hint);
    return tool_fail(TOOL_BAD_INPUT, "--set %s: expected a %s of %s%s%s, found '%s'%s", set->text,
                     what, of, hint[0] == '\0' ? names->text : "",
                     hint[0] == '\0' && names->size > 0 ? ")" : "", names->nearest.word, hint);
}

static int recipe_fail_unknown(const recipe_text *recipe, const recipe_set *set,
                               const terrain_recipe *parsed)
{
    struct recipe_names names = {{set->name, NULL, 0}, "", 0};
    for (uint32_t i = 0; i < terrain_recipe_statement_count(parsed); i++) {
        const char *name = terrain_recipe_statement_at(parsed, i)->name;
        bool is_known = false;
        for (uint32_t k = 0; k < i && !is_known; k++) {
            is_known = strcmp(terrain_recipe_statement_at(parsed, k)->name, name) == 0;
        }
        if (!is_known) {
            recipe_add_name(&names, name);
        }
    }
    return recipe_fail_name(set, "statement", recipe->path, &names);
}

static int recipe_fail_parameter(const recipe_set *set, const terrain_recipe *parsed)
{
    struct recipe_names names = {{set->parameter, NULL, 0}, "", 0};
    for (uint32_t k = 0; k < terrain_recipe_statement_count(parsed); k++) {
        const terrain_recipe_statement *statement = terrain_recipe_statement_at(parsed, k);
        const terrain_operation *operation = statement->operation;
        const bool makes = recipe_makes(statement, set->name);
        for (uint32_t i = 0; makes && i < terrain_operation_parameter_count(operation); i++) {
            recipe_add_name(&names, terrain_operation_parameter(operation, i)->name);
        }
    }
    return recipe_fail_name(set, "parameter", set->name, &names);
}

/* Finds the line of the statement that makes the map, and has the parameter. */
static int recipe_find_line(const recipe_text *recipe, recipe_set *set,
                            const terrain_recipe *parsed)
{
    bool is_known = false;
    set->line = 0;
    for (uint32_t i = 0; i < terrain_recipe_statement_count(parsed); i++) {
        const terrain_recipe_statement *statement = terrain_recipe_statement_at(parsed, i);
        if (!recipe_makes(statement, set->name)) {
            continue;
        }
        is_known = true;
        if (terrain_operation_parameter_find(statement->operation, set->parameter) == NULL) {
            continue;
        }
        if (set->line != 0) {
            return tool_fail(TOOL_BAD_INPUT,
                             "--set %s: lines %" PRIu32 " and %" PRIu32
                             " of %s both make '%s' with '%s'; give one of them another name",
                             set->text, set->line, statement->line, recipe->path, set->name,
                             set->parameter);
        }
        set->line = statement->line;
    }
    return set->line != 0 ? TOOL_SUCCESS
           : is_known     ? recipe_fail_parameter(set, parsed)
                          : recipe_fail_unknown(recipe, set, parsed);
}

/* ---- Changing the text ----------------------------------------------------------------------- */

/* Where a line begins, and where its comment or its end does. What ends a line, terrain/recipe.h
 * says. */
static size_t recipe_line(const recipe_text *recipe, uint32_t line, size_t *end)
{
    const char *text = recipe->text;
    size_t at = recipe->size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (; line > 1; at++) {
        const bool pair = text[at] == '\r' && at + 1 < recipe->size && text[at + 1] == '\n';
        line -= text[at] == '\n' || (text[at] == '\r' && !pair);
    }
    *end = at;
    while (*end < recipe->size && strchr("\r\n#", text[*end]) == NULL) {
        ++*end;
    }
    return at;
}

static size_t recipe_skip(const char *text, size_t at, size_t end, const char *bytes)
{
    while (at < end && text[at] != '\0' && strchr(bytes, text[at]) != NULL) {
        at++;
    }
    return at;
}

/* Blanks out PARAM=VALUE, if it stands there, so that everything else keeps its column. */
static void recipe_clear(char *text, size_t at, size_t end, const char *parameter)
{
    const size_t size = strlen(parameter);
    while (at < end && text[at] != '=') {
        at++;
    }
    while (at < end) {
        const size_t word = at;
        at = recipe_skip(text, at, end, TOOL_NAME_BYTES ".+-");
        const size_t equals = recipe_skip(text, at, end, " \t");
        if (at == word) {
            at++;
        } else if (at - word == size && memcmp(text + word, parameter, size) == 0 && equals < end &&
                   text[equals] == '=') {
            size_t comma = equals;
            do { /* one value, or some with commas between them */
                at = recipe_skip(text, comma + 1, end, " \t");
                at = recipe_skip(text, at, end, TOOL_NAME_BYTES ".+-");
                comma = recipe_skip(text, at, end, " \t");
            } while (comma < end && text[comma] == ',');
            memset(text + word, ' ', at - word);
        }
    }
}

/* Parameters may stand in any order: what is set goes to the end of its statement. */
static int recipe_change(recipe_text *recipe, recipe_set *set)
{
    size_t end;
    const size_t begin = recipe_line(recipe, set->line, &end);
    recipe_clear(recipe->text, begin, end, set->parameter);
    set->column = end + 1 - begin + 1; /* behind a blank, and from 1 */
    const int code = recipe_insert(recipe, end, set->change);
    return code == TOOL_SUCCESS ? recipe_insert(recipe, end, " ") : code;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Complains of the changed text: of what was set, if the fault lies there. */
static int recipe_fail_change(const recipe_text *recipe, const terrain_context *context,
                              terrain_status status)
{
    const char *message = terrain_context_message(context);
    uint32_t line, column;
    int size = 0;
    if (sscanf(message, "line %" SCNu32 ", column %" SCNu32 ": %n", &line, &column, &size) < 2) {
        return tool_fail_status(context, status, recipe->path);
    }
    for (uint32_t i = recipe->set_count; i-- > 0;) { /* the last wins, as in the text */
        const recipe_set *set = &recipe->sets[i];
        if (line == set->line && column >= set->column &&
            column < set->column + strlen(set->change)) {
            return tool_fail(TOOL_BAD_INPUT, "--set %s: %s", set->text, message + size);
        }
    }
    return tool_fail(TOOL_BAD_INPUT, "%s with --set: %s", recipe->path, message);
}

int recipe_read(recipe_text *recipe, terrain_context *context, terrain_recipe **out)
{
    const bool is_file = recipe->text == NULL;
    if (is_file && image_is_named(recipe->path)) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: is a map, expected a recipe; a map goes to a recipe's input by "
                         "--input NAME=%s",
                         recipe->path, recipe->path);
    }
    int code = is_file ? file_read_all(recipe->path, TERRAIN_RECIPE_TEXT_MAXIMUM, &recipe->text,
                                       &recipe->size)
                       : TOOL_SUCCESS;
    if (code != TOOL_SUCCESS) {
        return code;
    }
    terrain_status status = terrain_recipe_parse(context, recipe->text, recipe->size, out);
    if (status != TERRAIN_SUCCESS) {
        return tool_fail_status(context, status, recipe->path);
    }
    for (uint32_t i = 0; i < recipe->set_count && code == TOOL_SUCCESS; i++) {
        code = recipe_find_line(recipe, &recipe->sets[i], *out);
    }
    for (uint32_t i = 0; i < recipe->set_count && code == TOOL_SUCCESS; i++) {
        code = recipe_change(recipe, &recipe->sets[i]);
    }
    if (code == TOOL_SUCCESS && recipe->set_count > 0) {
        terrain_recipe_destroy(*out);
        status = terrain_recipe_parse(context, recipe->text, recipe->size, out);
        code =
            status == TERRAIN_SUCCESS ? TOOL_SUCCESS : recipe_fail_change(recipe, context, status);
    }
    return code;
}

void recipe_free(recipe_text *recipe)
{
    free(recipe->text);
}
