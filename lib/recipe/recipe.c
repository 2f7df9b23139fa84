/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Making a recipe statement by statement, and asking it. */

#include "recipe/recipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "core/context.h"
#include "core/given.h"
#include "core/params.h"

static const terrain__given recipe_statement_given = {
    .subject = "the statement is",
    .name = "recipe_statement",
    .suffix = "",
    .tag = TERRAIN__TAG_STATEMENT,
    .size = sizeof(terrain_recipe_statement),
};

/* ---- Memory and names ------------------------------------------------------------------------ */

bool terrain__recipe_reserve(terrain_recipe *recipe, void *array_pointer, uint32_t count,
                             uint32_t more, uint32_t *capacity, size_t size)
{
    void *old;
    uint32_t wanted = *capacity == 0 ? 16 : *capacity;
    while (wanted < count + more) {
        wanted *= 2;
    }
    if (wanted == *capacity) {
        return true;
    }
    void *grown = terrain__arena_take(&recipe->arena, wanted * size);
    if (grown == NULL) {
        return false;
    }
    memcpy(&old, array_pointer, sizeof old);
    if (count > 0) {
        memcpy(grown, old, count * size);
    }
    memcpy(array_pointer, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

static void *recipe_keep(terrain_recipe *recipe, const void *data, size_t size)
{
    void *copy = terrain__arena_take(&recipe->arena, size);
    if (copy != NULL && size > 0) {
        memcpy(copy, data, size);
    }
    return copy;
}

static const char *recipe_keep_name(terrain_recipe *recipe, const char *name)
{
    return recipe_keep(recipe, name, strlen(name) + 1);
}

static bool recipe_is_name(const char *name)
{
    size_t size;
    for (size = 0; name[size] != '\0'; size++) {
        char c = name[size];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool digit = c >= '0' && c <= '9' && size > 0;
        if (!(letter || digit) || size == TERRAIN_RECIPE_NAME_MAXIMUM) {
            return false;
        }
    }
    return size > 0;
}

uint32_t terrain__recipe_find(const terrain_recipe *recipe, const char *name)
{
    if (name == NULL) {
        return recipe->step_count > 0 ? recipe->steps[recipe->step_count - 1]->value
                                      : TERRAIN__RECIPE_NONE;
    }
    uint32_t at = recipe->letter_count > 0 ? 1 : 0;
    while (at != 0) {
        const terrain__recipe_letter *node = &recipe->letters[at - 1];
        if (*name != node->letter) {
            at = *name < node->letter ? node->lower : node->higher;
        } else if (name[1] == '\0') {
            return node->value;
        } else {
            at = node->next;
            name++;
        }
    }
    return TERRAIN__RECIPE_NONE;
}

/* The node at which the name ends. There is room for its letters. */
static terrain__recipe_letter *recipe_add_letters(terrain_recipe *recipe, const char *name)
{
    uint32_t root = recipe->letter_count > 0 ? 1 : 0;
    uint32_t *at = &root;
    for (;;) {
        if (*at == 0) {
            recipe->letters[recipe->letter_count] = (terrain__recipe_letter){
                .value = TERRAIN__RECIPE_NONE,
                .letter = *name,
            };
            *at = ++recipe->letter_count;
        }
        terrain__recipe_letter *node = &recipe->letters[*at - 1];
        if (*name != node->letter) {
            at = *name < node->letter ? &node->lower : &node->higher;
        } else if (name[1] == '\0') {
            return node;
        } else {
            at = &node->next;
            name++;
        }
    }
}

/* ---- Making ---------------------------------------------------------------------------------- */

terrain_status terrain__recipe_new(const terrain_allocator *allocator, terrain_recipe **out)
{
    terrain_recipe *recipe = terrain__allocate(allocator, sizeof *recipe, TERRAIN__ALIGNMENT);
    *out = recipe;
    if (recipe == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memset(recipe, 0, sizeof *recipe);
    recipe->arena.allocator = *allocator;
    return TERRAIN_SUCCESS;
}

terrain_status terrain_recipe_create(terrain_context *context, terrain_recipe **out)
{
    terrain_status status = terrain__context_enter_making(context, "recipe_create", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = terrain__recipe_new(terrain__context_allocator(context), out);
    if (status != TERRAIN_SUCCESS) {
        terrain__context_fail(context, status, "recipe_create: no memory");
    }
    terrain__context_leave(context);
    return status;
}

void terrain_recipe_destroy(terrain_recipe *recipe)
{
    if (recipe != NULL) {
        terrain_allocator allocator = recipe->arena.allocator;
        terrain__arena_free(&recipe->arena);
        terrain__free(&allocator, recipe, sizeof *recipe);
    }
}

terrain_status terrain_recipe_statement_init(terrain_recipe_statement *statement, size_t size)
{
    return terrain__given_init(&recipe_statement_given, statement, size);
}

/* Room for `count` values more, whose names have `letters` letters in all. */
static bool recipe_reserve_values(terrain_recipe *recipe, uint32_t count, uint32_t letters)
{
    return terrain__recipe_reserve(recipe, &recipe->values, recipe->value_count, count,
                                   &recipe->value_capacity, sizeof *recipe->values) &&
           terrain__recipe_reserve(recipe, &recipe->maps, recipe->map_count, count,
                                   &recipe->map_capacity, sizeof *recipe->maps) &&
           terrain__recipe_reserve(recipe, &recipe->letters, recipe->letter_count, letters,
                                   &recipe->letter_capacity, sizeof *recipe->letters);
}

/* Appends a value of that name, for which there is room. */
static uint32_t recipe_add_value(terrain_recipe *recipe, const char *name, uint32_t statement)
{
    terrain__recipe_letter *end = recipe_add_letters(recipe, name);
    const uint32_t map =
        end->value != TERRAIN__RECIPE_NONE ? recipe->values[end->value].map : recipe->map_count++;
    end->value = recipe->value_count;
    recipe->maps[map] = recipe->value_count;
    recipe->values[recipe->value_count] = (terrain__recipe_value){name, statement, map};
    return recipe->value_count++;
}

static terrain_status recipe_check_name(const char *name, terrain__recipe_fault *fault)
{
    if (name != NULL && recipe_is_name(name)) {
        return TERRAIN_SUCCESS;
    }
    snprintf(fault->text, sizeof fault->text,
             "expected a name (a letter or '_', then letters, digits and '_', at most %d), found "
             "'%.70s'",
             TERRAIN_RECIPE_NAME_MAXIMUM, name != NULL ? name : "");
    return TERRAIN_ERROR_ARGUMENT;
}

static terrain_status recipe_out_of_memory(terrain__recipe_fault *fault)
{
    snprintf(fault->text, sizeof fault->text, "no memory");
    return TERRAIN_ERROR_MEMORY;
}

terrain_status terrain__recipe_append_input(terrain_recipe *recipe, const char *name,
                                            terrain__recipe_fault *fault)
{
    terrain_status status = recipe_check_name(name, fault);
    fault->part = TERRAIN__RECIPE_AT_NAME;
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (terrain__recipe_find(recipe, name) != TERRAIN__RECIPE_NONE) {
        snprintf(fault->text, sizeof fault->text, "expected a new name, found '%s', which exists",
                 name);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (recipe->input_count == TERRAIN_RECIPE_STATEMENT_MAXIMUM) {
        snprintf(fault->text, sizeof fault->text, "expected at most %d inputs",
                 TERRAIN_RECIPE_STATEMENT_MAXIMUM);
        return TERRAIN_ERROR_RANGE;
    }
    name = recipe_keep_name(recipe, name);
    if (name == NULL ||
        !terrain__recipe_reserve(recipe, &recipe->inputs, recipe->input_count, 1,
                                 &recipe->input_capacity, sizeof *recipe->inputs) ||
        !recipe_reserve_values(recipe, 1, (uint32_t)strlen(name))) {
        return recipe_out_of_memory(fault);
    }
    recipe->inputs[recipe->input_count++] = name;
    recipe_add_value(recipe, name, TERRAIN__RECIPE_NONE);
    return TERRAIN_SUCCESS;
}

/* ---- Appending a statement: resolve and check everything, then copy, then link --------------- */

/* A statement that is being appended: what is resolved and checked of it so far. */
struct recipe_draft {
    terrain__recipe_step step; /* its statement's names and params are the caller's, till kept */
    uint32_t argument_count;   /* of the step's links: the others are parameters */
    bool differ;               /* all arguments' names are known to differ */
    const terrain__params *ranged; /* NULL: the statement's params are a host's */
    terrain__params room;
    const terrain__checked *params;
};

static terrain_status recipe_resolve(const terrain_recipe *recipe, const char *name,
                                     uint32_t *value, terrain__recipe_fault *fault)
{
    terrain__recipe_nearest nearest = {name, NULL, 0};
    char near[TERRAIN_RECIPE_NAME_MAXIMUM + 32];
    *value = name != NULL ? terrain__recipe_find(recipe, name) : TERRAIN__RECIPE_NONE;
    if (*value != TERRAIN__RECIPE_NONE) {
        return TERRAIN_SUCCESS;
    }
    if (name == NULL) {
        snprintf(fault->text, sizeof fault->text, "expected a map's name, found NULL");
        return TERRAIN_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < recipe->value_count; i++) {
        terrain__recipe_near(&nearest, recipe->values[i].name, recipe->values[i].name);
    }
    terrain__recipe_near_text(&nearest, near, sizeof near);
    snprintf(fault->text, sizeof fault->text, "expected a map made above, found '%.70s'%s", name,
             near);
    return TERRAIN_ERROR_ARGUMENT;
}

/* The name that a link of the statement makes; NULL: it only reads. */
static const char *recipe_made_name(const struct recipe_draft *draft, uint32_t link)
{
    const terrain_recipe_statement *statement = &draft->step.statement;
    if (draft->step.links[link].port->role == TERRAIN_PORT_ROLE_READ) {
        return NULL;
    }
    if (link >= draft->argument_count) {
        return statement->maps[link - draft->argument_count];
    }
    return statement->names != NULL ? statement->names[link] : statement->name;
}

/* Checks the name that link `link` makes: the links before it must make others. */
static terrain_status recipe_check_made(const struct recipe_draft *draft, uint32_t link,
                                        terrain__recipe_fault *fault)
{
    const char *name = recipe_made_name(draft, link);
    const bool differs = draft->differ && link < draft->argument_count;
    terrain_status status = recipe_check_name(name, fault);
    for (uint32_t i = 0; i < link && !differs && status == TERRAIN_SUCCESS; i++) {
        const char *other = recipe_made_name(draft, i);
        if (other != NULL && strcmp(name, other) == 0) {
            snprintf(fault->text, sizeof fault->text,
                     "expected another name: the statement already makes '%s'", name);
            status = TERRAIN_ERROR_ARGUMENT;
        }
    }
    return status;
}

/* With more names than this, comparing all pairs takes longer than sorting. */
enum { RECIPE_FEW_NAMES = 32 };

static bool recipe_name_comes_before(const void *a, const void *b)
{
    return strcmp(a, b) < 0;
}

/* Whether the names of a large grid all differ. False also where that is not known, so that all
 * pairs must tell: for a small grid, where a name is missing, and for want of memory. */
static bool recipe_names_differ(terrain_recipe *recipe, const char *const *names, uint32_t count)
{
    const void **sorted = count > RECIPE_FEW_NAMES
                              ? terrain__arena_take(&recipe->arena, count * sizeof *sorted)
                              : NULL;
    bool differ = sorted != NULL;
    for (uint32_t i = 0; i < count && differ; i++) {
        sorted[i] = names[i];
        differ = names[i] != NULL;
    }
    if (differ) {
        terrain__sort(sorted, count, recipe_name_comes_before);
    }
    for (uint32_t i = 1; i < count && differ; i++) {
        differ = strcmp(sorted[i - 1], sorted[i]) != 0;
    }
    terrain__arena_give_back(&recipe->arena, sorted);
    return differ;
}

/* Names and maps of a grid: one name for each map, and whole rows. */
static terrain_status recipe_check_grid(struct recipe_draft *draft, terrain__recipe_fault *fault)
{
    terrain_recipe_statement *statement = &draft->step.statement;
    fault->part = TERRAIN__RECIPE_AT_OPERATION;
    if (statement->input_count == 0 || statement->inputs == NULL) {
        snprintf(fault->text, sizeof fault->text, "expected maps for %s",
                 statement->operation->name);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (statement->input_count > TERRAIN_GRID_MAXIMUM) {
        snprintf(fault->text, sizeof fault->text, "expected at most %d maps for %s, found %" PRIu32,
                 TERRAIN_GRID_MAXIMUM, statement->operation->name, statement->input_count);
        return TERRAIN_ERROR_RANGE;
    }
    statement->columns = statement->columns > 0 ? statement->columns : statement->input_count;
    if (statement->input_count % statement->columns != 0) {
        snprintf(fault->text, sizeof fault->text,
                 "expected rows of %" PRIu32 " maps for %s, found %" PRIu32 " maps",
                 statement->columns, statement->operation->name, statement->input_count);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (statement->names == NULL) {
        statement->names = statement->inputs;
    }
    statement->name = statement->names[0];
    return TERRAIN_SUCCESS;
}

static terrain_status recipe_check_inputs(const struct recipe_draft *draft,
                                          terrain__recipe_fault *fault)
{
    const terrain_recipe_statement *statement = &draft->step.statement;
    const uint32_t wanted = terrain__source_count(statement->operation);
    fault->part = TERRAIN__RECIPE_AT_OPERATION;
    if (statement->input_count != wanted) {
        snprintf(fault->text, sizeof fault->text,
                 "expected %" PRIu32 " maps for %s, found %" PRIu32, wanted,
                 statement->operation->name, statement->input_count);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (wanted > 0 && statement->inputs == NULL) {
        snprintf(fault->text, sizeof fault->text, "expected the names of %s's maps, found NULL",
                 statement->operation->name);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (statement->names != NULL || statement->columns != 0) {
        snprintf(fault->text, sizeof fault->text, "expected one name: %s makes one map",
                 statement->operation->name);
        return TERRAIN_ERROR_ARGUMENT;
    }
    return TERRAIN_SUCCESS;
}

/* Resolves what the arguments read, and checks what they make. */
static terrain_status recipe_link_arguments(const terrain_recipe *recipe,
                                            struct recipe_draft *draft,
                                            terrain__recipe_fault *fault)
{
    const terrain_recipe_statement *statement = &draft->step.statement;
    const bool grid = terrain__is_grid(statement->operation);
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < draft->argument_count; i++) {
        terrain__recipe_link *link = &draft->step.links[i];
        terrain_status status = TERRAIN_SUCCESS;
        link->index = grid ? 0 : i;
        link->port = &statement->operation->arguments[link->index];
        link->reads = TERRAIN__RECIPE_NONE;
        link->makes = TERRAIN__RECIPE_NONE;
        if (link->port->role != TERRAIN_PORT_ROLE_READ) {
            fault->part = TERRAIN__RECIPE_AT_NAME;
            fault->index = grid ? i : 0;
            status = recipe_check_made(draft, i, fault);
        }
        if (status == TERRAIN_SUCCESS && link->port->role != TERRAIN_PORT_ROLE_WRITE) {
            fault->part = TERRAIN__RECIPE_AT_INPUT;
            fault->index = inputs;
            status = recipe_resolve(recipe, statement->inputs[inputs++], &link->reads, fault);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

/* Links map parameter number `index` of the statement. */
static terrain_status recipe_link_parameter(const terrain_recipe *recipe,
                                            struct recipe_draft *draft, uint32_t index,
                                            terrain__recipe_fault *fault)
{
    const terrain_recipe_statement *statement = &draft->step.statement;
    const char *name = statement->map_parameters[index];
    const uint32_t number = draft->argument_count + index;
    terrain__recipe_link *link = &draft->step.links[number];
    link->reads = TERRAIN__RECIPE_NONE;
    link->makes = TERRAIN__RECIPE_NONE;
    link->port = name != NULL ? terrain__port_find(statement->operation, name, &link->index) : NULL;
    fault->part = TERRAIN__RECIPE_AT_MAP_PARAMETER;
    fault->index = index;
    if (link->port == NULL) {
        snprintf(fault->text, sizeof fault->text, "expected a map parameter of %s, found '%.70s'",
                 statement->operation->name, name != NULL ? name : "");
        return TERRAIN_ERROR_ARGUMENT;
    }
    for (uint32_t i = draft->argument_count; i < number; i++) {
        if (draft->step.links[i].port == link->port) {
            snprintf(fault->text, sizeof fault->text,
                     "expected each parameter once, found '%s' again", name);
            return TERRAIN_ERROR_ARGUMENT;
        }
    }
    fault->part = TERRAIN__RECIPE_AT_MAP;
    return link->port->role == TERRAIN_PORT_ROLE_READ
               ? recipe_resolve(recipe, statement->maps[index], &link->reads, fault)
               : recipe_check_made(draft, number, fault);
}

/* All maps of the statement. Links that make a map don't know its value yet. */
static terrain_status recipe_link(terrain_recipe *recipe, struct recipe_draft *draft,
                                  terrain__recipe_fault *fault)
{
    const terrain_recipe_statement *statement = &draft->step.statement;
    const bool grid = terrain__is_grid(statement->operation);
    terrain_status status =
        grid ? recipe_check_grid(draft, fault) : recipe_check_inputs(draft, fault);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (statement->map_count > TERRAIN__MOST_PORTS ||
        (statement->map_count > 0 &&
         (statement->map_parameters == NULL || statement->maps == NULL))) {
        snprintf(fault->text, sizeof fault->text, "expected map_count names of map parameters");
        return TERRAIN_ERROR_ARGUMENT;
    }
    draft->argument_count =
        grid ? statement->input_count : terrain__argument_count(statement->operation);
    draft->differ = grid && recipe_names_differ(recipe, statement->names, statement->input_count);
    draft->step.link_count = draft->argument_count + statement->map_count;
    draft->step.links =
        terrain__arena_take(&recipe->arena, draft->step.link_count * sizeof *draft->step.links);
    if (draft->step.links == NULL) {
        return recipe_out_of_memory(fault);
    }
    status = recipe_link_arguments(recipe, draft, fault);
    for (uint32_t i = 0; i < statement->map_count && status == TERRAIN_SUCCESS; i++) {
        status = recipe_link_parameter(recipe, draft, i, fault);
    }
    return status;
}

static terrain_status recipe_check_params(struct recipe_draft *draft, terrain__recipe_fault *fault)
{
    const terrain_operation *operation = draft->step.statement.operation;
    char text[TERRAIN__FAULT_SIZE];
    terrain_status status =
        draft->ranged != NULL
            ? terrain__params_check_rules(operation, draft->ranged, &draft->params, text)
            : terrain__params_complete(operation, draft->step.statement.params, &draft->room,
                                       &draft->params, text);
    fault->part = TERRAIN__RECIPE_AT_OPERATION;
    if (status != TERRAIN_SUCCESS) {
        snprintf(fault->text, sizeof fault->text, "%s: %s", operation->name, text);
        return status;
    }
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        if (parameter->port != NULL && terrain__params_map(draft->params, parameter) != NULL) {
            snprintf(fault->text, sizeof fault->text,
                     "expected NULL in %s.%s: maps are given by name", operation->name,
                     parameter->name);
            return TERRAIN_ERROR_ARGUMENT;
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain_status recipe_check_statement(terrain_recipe *recipe, struct recipe_draft *draft,
                                             terrain__recipe_fault *fault)
{
    const terrain_recipe_statement *statement = &draft->step.statement;
    terrain_status status = TERRAIN_SUCCESS;
    fault->part = TERRAIN__RECIPE_AT_NAME;
    fault->index = 0;
    if (statement->operation == NULL || !terrain__is_grid(statement->operation)) {
        status = recipe_check_name(statement->name, fault);
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (recipe->step_count == TERRAIN_RECIPE_STATEMENT_MAXIMUM) {
        snprintf(fault->text, sizeof fault->text, "expected at most %d statements",
                 TERRAIN_RECIPE_STATEMENT_MAXIMUM);
        return TERRAIN_ERROR_RANGE;
    }
    fault->part = TERRAIN__RECIPE_AT_OPERATION;
    if (statement->operation == NULL) {
        snprintf(fault->text, sizeof fault->text, "expected an operation, found NULL");
        return TERRAIN_ERROR_ARGUMENT;
    }
    status = recipe_link(recipe, draft, fault);
    return status == TERRAIN_SUCCESS ? recipe_check_params(draft, fault) : status;
}

/* Names that the recipe keeps. */
static bool recipe_keep_names(terrain_recipe *recipe, const char *const **names, uint32_t count)
{
    const char **copy = terrain__arena_take(&recipe->arena, count * sizeof *copy);
    if (copy == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = recipe_keep_name(recipe, (*names)[i]);
        if (copy[i] == NULL) {
            return false;
        }
    }
    *names = copy;
    return true;
}

/* Copies the complete params, and the arrays that they point at. */
static const terrain__checked *recipe_keep_params(terrain_recipe *recipe,
                                                  const terrain_operation *operation,
                                                  const terrain__checked *params)
{
    char *copy = recipe_keep(recipe, params, operation->params_size);
    for (uint32_t i = 0; copy != NULL && i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        uint32_t count;
        if (parameter->type != TERRAIN_TYPE_FLOAT_ARRAY) {
            continue;
        }
        const float *elements = terrain__params_array(copy, parameter, &count);
        elements = count > 0 ? recipe_keep(recipe, elements, count * sizeof *elements) : NULL;
        if (count > 0 && elements == NULL) {
            return NULL;
        }
        memcpy(copy + parameter->offset, &elements, sizeof elements);
    }
    return (const terrain__checked *)(const void *)copy;
}

/* Copies all that a checked statement consists of. */
static bool recipe_keep_statement(terrain_recipe *recipe, struct recipe_draft *draft)
{
    terrain__recipe_step *step = &draft->step;
    terrain_recipe_statement *statement = &step->statement;
    statement->flags = recipe_statement_given.tag; /* so that it can be added elsewhere */
    step->params = recipe_keep_params(recipe, statement->operation, draft->params);
    statement->params = step->params;
    if (step->params == NULL ||
        !recipe_keep_names(recipe, &statement->inputs, statement->input_count) ||
        !recipe_keep_names(recipe, &statement->map_parameters, statement->map_count) ||
        !recipe_keep_names(recipe, &statement->maps, statement->map_count) ||
        (statement->names != NULL &&
         !recipe_keep_names(recipe, &statement->names, statement->input_count))) {
        return false;
    }
    statement->name =
        statement->names != NULL ? statement->names[0] : recipe_keep_name(recipe, statement->name);
    return statement->name != NULL;
}

/* Makes the values of the draft's statement, those of parameters first. False: no memory, and
 * nothing is made. */
static bool recipe_add_values(terrain_recipe *recipe, struct recipe_draft *draft)
{
    terrain__recipe_step *step = &draft->step;
    uint32_t letters = 0;
    for (uint32_t i = 0; i < step->link_count; i++) {
        const char *name = recipe_made_name(draft, i);
        letters += name != NULL ? (uint32_t)strlen(name) : 0;
    }
    if (!recipe_reserve_values(recipe, step->link_count, letters)) {
        return false;
    }
    step->value = TERRAIN__RECIPE_NONE;
    for (uint32_t k = 0; k < step->link_count; k++) {
        const uint32_t i = (draft->argument_count + k) % step->link_count;
        const char *name = recipe_made_name(draft, i);
        if (name != NULL) {
            step->links[i].makes = recipe_add_value(recipe, name, recipe->step_count);
        }
        if (name != NULL && i < draft->argument_count && step->value == TERRAIN__RECIPE_NONE) {
            step->value = step->links[i].makes;
        }
    }
    return true;
}

terrain_status terrain__recipe_append(terrain_recipe *recipe,
                                      const terrain_recipe_statement *statement,
                                      const terrain__params *ranged, terrain__recipe_fault *fault)
{
    struct recipe_draft draft = {.step.statement = *statement, .ranged = ranged};
    terrain_status status = recipe_check_statement(recipe, &draft, fault);
    if (status != TERRAIN_SUCCESS) {
        terrain__arena_give_back(&recipe->arena, draft.step.links); /* nothing else was taken */
        return status;
    }
    terrain__recipe_step *step = terrain__arena_take(&recipe->arena, sizeof *step);
    if (step == NULL || !recipe_keep_statement(recipe, &draft) ||
        !terrain__recipe_reserve(recipe, &recipe->steps, recipe->step_count, 1,
                                 &recipe->step_capacity, sizeof *recipe->steps) ||
        !recipe_add_values(recipe, &draft)) {
        return recipe_out_of_memory(fault);
    }
    *step = draft.step;
    step->number = recipe->step_count;
    recipe->steps[recipe->step_count++] = step;
    return TERRAIN_SUCCESS;
}

/* ---- The public functions that append -------------------------------------------------------- */

terrain_status terrain_recipe_add_input(terrain_context *context, terrain_recipe *recipe,
                                        const char *name)
{
    terrain__recipe_fault fault;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (recipe == NULL) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT,
                                       "recipe_add_input: recipe is NULL");
    } else {
        status = terrain__recipe_append_input(recipe, name, &fault);
        if (status != TERRAIN_SUCCESS) {
            terrain__context_fail(context, status, "recipe_add_input: %s", fault.text);
        }
    }
    terrain__context_leave(context);
    return status;
}

terrain_status terrain_recipe_add(terrain_context *context, terrain_recipe *recipe,
                                  const terrain_recipe_statement *statement)
{
    terrain__recipe_fault fault;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (recipe == NULL || statement == NULL) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "recipe_add: %s is NULL",
                                       recipe == NULL ? "recipe" : "statement");
    } else {
        terrain_recipe_statement added;
        status = terrain__given_take(&recipe_statement_given, statement, &added, fault.text);
        if (status == TERRAIN_SUCCESS) {
            added.line = 0;
            status = terrain__recipe_append(recipe, &added, NULL, &fault);
        }
        if (status != TERRAIN_SUCCESS) {
            terrain__context_fail(context, status, "recipe_add: statement %" PRIu32 ": %s",
                                  recipe->step_count + 1, fault.text);
        }
    }
    terrain__context_leave(context);
    return status;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

uint32_t terrain_recipe_statement_count(const terrain_recipe *recipe)
{
    return recipe != NULL ? recipe->step_count : 0;
}

const terrain_recipe_statement *terrain_recipe_statement_at(const terrain_recipe *recipe,
                                                            uint32_t index)
{
    return recipe != NULL && index < recipe->step_count ? &recipe->steps[index]->statement : NULL;
}

uint32_t terrain_recipe_input_count(const terrain_recipe *recipe)
{
    return recipe != NULL ? recipe->input_count : 0;
}

const char *terrain_recipe_input_at(const terrain_recipe *recipe, uint32_t index)
{
    return recipe != NULL && index < recipe->input_count ? recipe->inputs[index] : NULL;
}

uint32_t terrain_recipe_map_count(const terrain_recipe *recipe)
{
    return recipe != NULL ? recipe->map_count : 0;
}

const char *terrain_recipe_map_at(const terrain_recipe *recipe, uint32_t index)
{
    return recipe != NULL && index < recipe->map_count ? recipe->values[recipe->maps[index]].name
                                                       : NULL;
}

const char *terrain_recipe_result(const terrain_recipe *recipe)
{
    return recipe != NULL && recipe->step_count > 0
               ? recipe->steps[recipe->step_count - 1]->statement.name
               : NULL;
}

uint32_t terrain_recipe_results_version(const terrain_recipe *recipe)
{
    return recipe != NULL ? recipe->results_version : 0;
}
