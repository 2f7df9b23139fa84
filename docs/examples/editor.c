/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What an editor does with a recipe: sliders from the operation table, a slider that is moved,
 * previews at a quarter of the size with a mask that is painted by hand, undo, and saving. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terrain/terrain.h>

enum { SIDE = 512 };

static void check(terrain_status status, const terrain_context *context)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", terrain_status_name(status), terrain_context_message(context));
        exit(1);
    }
}

/* The panel of a statement: a slider for each number that has an effect as things are. */
static void show_panel(const terrain_recipe_statement *statement)
{
    const terrain_operation *operation = statement->operation;
    printf("%s: %s\n", statement->name, terrain_operation_summary(operation));
    for (uint32_t i = 0; i < terrain_operation_parameter_count(operation); i++) {
        const terrain_parameter *parameter = terrain_operation_parameter(operation, i);
        char text[TERRAIN_PARAMETER_TEXT_SIZE];
        terrain_value value;
        double low, high;
        if (terrain_parameter_slider(parameter, &low, &high) != TERRAIN_SUCCESS ||
            !terrain_operation_parameter_counts(operation, parameter, statement->params)) {
            continue; /* a choice, a map, a switch; or without effect */
        }
        terrain_parameter_get(parameter, statement->params, &value);
        terrain_parameter_format(parameter, &value, text, sizeof text);
        printf("    %-10s %4s, from %g to %g\n", parameter->name, text, low, high);
    }
}

/* A slider was moved, or a number was written: a copy of the recipe with that value. The old recipe
 * stays, for undo. NULL if the value is none, with a message for whoever has written it. */
static terrain_recipe *change(terrain_context *context, const terrain_recipe *recipe,
                              uint32_t index, const char *name, const char *text)
{
    const terrain_recipe_statement *old = terrain_recipe_statement_at(recipe, index);
    const terrain_parameter *parameter = terrain_operation_parameter_find(old->operation, name);
    const size_t size = terrain_operation_params_size(old->operation);
    char low[TERRAIN_PARAMETER_TEXT_SIZE], high[TERRAIN_PARAMETER_TEXT_SIZE];
    terrain_recipe *copy = NULL;
    terrain_value value;
    if (terrain_parameter_parse(parameter, text, &value) != TERRAIN_SUCCESS) {
        terrain_parameter_format(parameter, &parameter->minimum, low, sizeof low);
        terrain_parameter_format(parameter, &parameter->maximum, high, sizeof high);
        printf("%s is no %s: it must be from %s to %s\n", text, name, low, high);
        return NULL;
    }
    void *params = malloc(size);
    if (params == NULL) {
        exit(1);
    }
    memcpy(params, old->params, size);
    terrain_parameter_set(parameter, params, &value);

    check(terrain_recipe_create(context, &copy), context);
    for (uint32_t i = 0; i < terrain_recipe_input_count(recipe); i++) {
        check(terrain_recipe_add_input(context, copy, terrain_recipe_input_at(recipe, i)), context);
    }
    for (uint32_t i = 0; i < terrain_recipe_statement_count(recipe); i++) {
        /* Field by field, since a newer library's struct may be larger than this program's. */
        const terrain_recipe_statement *from = terrain_recipe_statement_at(recipe, i);
        terrain_recipe_statement to;
        check(terrain_recipe_statement_init(&to, sizeof to), NULL);
        to.name = from->name;
        to.operation = from->operation;
        to.inputs = from->inputs;
        to.input_count = from->input_count;
        to.map_parameters = from->map_parameters;
        to.maps = from->maps;
        to.map_count = from->map_count;
        to.names = from->names;
        to.columns = from->columns;
        to.params = i == index ? params : from->params;
        check(terrain_recipe_add(context, copy, &to), context);
    }
    free(params);
    return copy;
}

/* A quarter of the size, a sixteenth of the cells. */
static void preview(terrain_context *context, const terrain_recipe *recipe,
                    const terrain_heightmap *mask)
{
    const char *input = "mask", *output = NULL; /* NULL: the result */
    terrain_heightmap *small = NULL, *land = NULL;
    terrain_shape_resample_params quarter;
    terrain_recipe_run_desc desc;
    check(terrain_shape_resample_params_init(&quarter, sizeof quarter), NULL);
    quarter.step = 4;
    quarter.filter = TERRAIN_SHAPE_RESAMPLE_FILTER_AREA;
    check(terrain_heightmap_create(context, SIDE / 4, SIDE / 4, &small), context);
    check(terrain_heightmap_create(context, SIDE / 4, SIDE / 4, &land), context);
    check(terrain_shape_resample(context, mask, small, &quarter), context);

    const terrain_heightmap *inputs = small;
    check(terrain_recipe_run_desc_init(&desc, sizeof desc), NULL);
    desc.scale = 0.25;
    desc.width = desc.height = SIDE / 4;
    desc.input_names = &input;
    desc.inputs = &inputs;
    desc.input_count = 1;
    desc.output_names = &output;
    desc.outputs = &land;
    desc.output_count = 1;
    check(terrain_recipe_run(context, recipe, &desc), context);
    printf("preview: %.3f in the middle\n",
           (double)terrain_heightmap_const_data(land)[SIDE / 8 * (SIDE / 4) + SIDE / 8]);
    terrain_heightmap_destroy(small);
    terrain_heightmap_destroy(land);
}

/* The text of a recipe, to be saved. */
static char *text_of(terrain_context *context, const terrain_recipe *recipe)
{
    size_t size;
    check(terrain_recipe_format(context, recipe, NULL, 0, &size), context);
    char *text = malloc(size);
    if (text == NULL) {
        exit(1);
    }
    check(terrain_recipe_format(context, recipe, text, size, &size), context);
    return text;
}

int main(void)
{
    static const char saved[] = "input mask\n"
                                "hills = generate_noise seed=3 period=200 amplitude=60\n"
                                "worn = erode_thermal hills iterations=40 mask=mask\n";
    terrain_context *context = NULL;
    terrain_recipe *recipe = NULL;
    terrain_heightmap *mask = NULL;
    check(terrain_context_create(NULL, &context), NULL);
    check(terrain_recipe_parse(context, saved, strlen(saved), &recipe), context);

    /* Somebody paints: the eastern half. */
    check(terrain_heightmap_create(context, SIDE, SIDE, &mask), context);
    for (int i = 0; i < SIDE * SIDE; i++) {
        terrain_heightmap_data(mask)[i] = i % SIDE < SIDE / 2 ? 0 : 1;
    }
    show_panel(terrain_recipe_statement_at(recipe, 1));
    preview(context, recipe, mask);

    change(context, recipe, 1, "talus", "0,25");
    terrain_recipe *changed = change(context, recipe, 1, "talus", "0.25");
    preview(context, changed, mask);
    char *text = text_of(context, changed);
    fputs(text, stdout);
    free(text);

    terrain_recipe_destroy(changed); /* undo: the one before is still there */
    preview(context, recipe, mask);

    terrain_heightmap_destroy(mask);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    return 0;
}
