/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_recipe_format: a recipe as text. What is written is what terrain_recipe_parse wants to
 * read: only values other than the defaults, and no parameter without effect. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "core/context.h"
#include "core/params.h"
#include "recipe/recipe.h"

/* A buffer that may be too small: what does not fit is only counted. */
struct format_text {
    char *text;
    size_t size, used;
};

struct format_state {
    struct format_text to;
    const terrain__recipe_step *step;
    char fault[TERRAIN__FAULT_SIZE]; /* what the text can't say; "": nothing yet */
};

static void format_put(struct format_text *to, const char *text)
{
    const size_t size = strlen(text);
    if (to->used < to->size && size < to->size - to->used) {
        memcpy(to->text + to->used, text, size);
    }
    to->used += size;
}

static void format_put_all(struct format_text *to, const char *first, const char *second,
                           const char *third)
{
    format_put(to, first);
    format_put(to, second);
    format_put(to, third);
}

/* ---- Parameters ------------------------------------------------------------------------------ */

/* Whether the text is read as this value, bit for bit. */
static bool format_is_read(const terrain_parameter *parameter, const char *text,
                           const terrain_value *value)
{
    terrain_value back = {.u = 0};
    if (terrain_parameter_parse(parameter, text, &back) != TERRAIN_SUCCESS) {
        return false;
    }
    if (parameter->type == TERRAIN_TYPE_FLOAT || parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        const float read = (float)back.f, given = (float)value->f;
        return memcmp(&read, &given, sizeof read) == 0;
    }
    return back.u == value->u;
}

/* A value, or an array's element. */
static void format_value(struct format_state *format, const terrain_parameter *parameter,
                         const terrain_value *value)
{
    char text[TERRAIN_PARAMETER_TEXT_SIZE] = "";
    if (terrain_parameter_format(parameter, value, text, sizeof text) != TERRAIN_SUCCESS ||
        !format_is_read(parameter, text, value)) {
        snprintf(format->fault, sizeof format->fault, "%s.%s is %s, which text can't say exactly",
                 format->step->statement.operation->name, parameter->name, text);
    }
    format_put(&format->to, text);
}

static void format_array(struct format_state *format, const terrain_parameter *parameter)
{
    uint32_t count;
    const float *array = terrain__params_array(format->step->statement.params, parameter, &count);
    for (uint32_t i = 0; i < count; i++) {
        const terrain_value value = {.f = (double)array[i]};
        if (i == 0) {
            format_put_all(&format->to, " ", parameter->name, "=");
        } else {
            format_put(&format->to, ",");
        }
        format_value(format, parameter, &value);
    }
}

/* A parameter that is no map. */
static void format_parameter(struct format_state *format, const terrain_parameter *parameter,
                             const terrain__params *defaults)
{
    terrain_value value = {.u = 0}, standard = {.u = 0};
    if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        format_array(format, parameter);
        return;
    }
    terrain_parameter_get(parameter, format->step->statement.params, &value);
    terrain_parameter_get(parameter, defaults->bytes, &standard);
    if (value.u != standard.u) {
        format_put_all(&format->to, " ", parameter->name, "=");
        format_value(format, parameter, &value);
    }
}

static void format_parameters(struct format_state *format)
{
    const terrain_recipe_statement *statement = &format->step->statement;
    const terrain_operation *operation = statement->operation;
    bool given[TERRAIN__MOST_PARAMETERS] = {false};
    const char *maps[TERRAIN__MOST_PARAMETERS] = {NULL};
    terrain__params defaults;
    terrain_operation_params_init(operation, defaults.bytes, operation->params_size);
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        for (uint32_t k = 0; k < statement->map_count; k++) {
            if (strcmp(statement->map_parameters[k], parameter->name) == 0) {
                maps[i] = statement->maps[k];
            }
        }
        if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            uint32_t count;
            terrain__params_array(statement->params, parameter, &count);
            given[i] = count > 0;
        } else {
            given[i] = maps[i] != NULL;
        }
    }
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        const bool counts = terrain__params_counts(operation, parameter, statement->params, given);
        if (counts && maps[i] != NULL) {
            format_put_all(&format->to, " ", parameter->name, "=");
            format_put(&format->to, maps[i]);
        } else if (counts && parameter->port == NULL) {
            format_parameter(format, parameter, &defaults);
        }
    }
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* Before several names these words begin another kind of line. */
static bool format_is_word(const char *name)
{
    return strcmp(name, "input") == 0 || strcmp(name, "results") == 0;
}

static void format_statement(struct format_state *format)
{
    const terrain_recipe_statement *statement = &format->step->statement;
    struct format_text *to = &format->to;
    if (statement->names != NULL && statement->input_count > 1 &&
        format_is_word(statement->names[0])) {
        snprintf(format->fault, sizeof format->fault,
                 "the first of several maps is called '%s', which is a word of recipes",
                 statement->names[0]);
    }
    for (uint32_t i = 0; statement->names != NULL && i < statement->input_count; i++) {
        format_put_all(to, statement->names[i], " ", "");
    }
    if (statement->names == NULL) {
        format_put_all(to, statement->name, " ", "");
    }
    format_put_all(to, "= ", statement->operation->name, "");
    for (uint32_t i = 0; i < statement->input_count; i++) {
        const bool begins_row = i > 0 && statement->columns > 0 && i % statement->columns == 0;
        format_put_all(to, begins_row ? " /" : "", " ", statement->inputs[i]);
    }
    format_parameters(format);
    format_put(to, "\n");
}

/* Inputs and statements in the order in which their maps appeared. */
static void format_recipe(struct format_state *format, const terrain_recipe *recipe)
{
    char line[32];
    uint32_t next = 0;
    if (recipe->results_version > 0) {
        snprintf(line, sizeof line, "results %" PRIu32 "\n", recipe->results_version);
        format_put(&format->to, line);
    }
    for (uint32_t i = 0; i < recipe->value_count && format->fault[0] == '\0'; i++) {
        const terrain__recipe_value *value = &recipe->values[i];
        if (value->statement == TERRAIN__RECIPE_NONE) {
            format_put_all(&format->to, "input ", value->name, "\n");
        } else if (value->statement == next) {
            format->step = recipe->steps[next++];
            format_statement(format);
        }
    }
}

/* Writes what fits, and counts all of it. */
static terrain_status format_run(terrain_context *context, struct format_state *format,
                                 const terrain_recipe *recipe)
{
    terrain__float_environment host;
    if (recipe->step_count == 0) {
        return terrain__context_fail(context, TERRAIN_ERROR_UNSUPPORTED,
                                     "recipe_format: the recipe has no statement, and a text must "
                                     "have one");
    }
    terrain__float_enter(&host);
    format_recipe(format, recipe);
    terrain__float_leave(&host);
    if (format->fault[0] != '\0') {
        return terrain__context_fail(context, TERRAIN_ERROR_UNSUPPORTED,
                                     "recipe_format: statement %" PRIu32 ": %s",
                                     format->step->number + 1, format->fault);
    }
    if (format->to.used > TERRAIN_RECIPE_TEXT_MAXIMUM) {
        return terrain__context_fail(context, TERRAIN_ERROR_UNSUPPORTED,
                                     "recipe_format: the text has %zu bytes, must have at most %d",
                                     format->to.used, TERRAIN_RECIPE_TEXT_MAXIMUM);
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain_recipe_format(terrain_context *context, const terrain_recipe *recipe,
                                     char *text, size_t size, size_t *needed)
{
    struct format_state format = {.to = {text, text != NULL ? size : 0, 0}};
    size_t length = 0; /* of the text that is whole */
    if (needed != NULL) {
        *needed = 0;
    }
    terrain_status status = terrain__context_enter(context);
    const bool entered = status == TERRAIN_SUCCESS;
    if (entered && (recipe == NULL || needed == NULL)) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "recipe_format: %s is NULL",
                                       recipe == NULL ? "recipe" : "needed");
    }
    if (status == TERRAIN_SUCCESS) {
        status = format_run(context, &format, recipe);
    }
    if (status == TERRAIN_SUCCESS) {
        *needed = format.to.used + 1;
    }
    if (status == TERRAIN_SUCCESS && text != NULL && size < *needed) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT,
                                       "recipe_format: size is %zu, must be at least %zu", size,
                                       *needed);
    }
    if (status == TERRAIN_SUCCESS) {
        length = format.to.used;
    }
    if (format.to.size > 0) {
        text[length] = '\0';
    }
    if (entered) {
        terrain__context_leave(context);
    }
    return status;
}
