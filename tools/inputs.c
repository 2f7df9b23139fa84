/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* ---- Which ----------------------------------------------------------------------------------- */

int inputs_split(const char *text, char **name, const char **path)
{
    uint32_t count;
    *name = NULL;
    *path = text; /* also of "a,b=file": several names are none here */
    return text[strspn(text, TOOL_NAME_BYTES)] == '=' ? inputs_split_names(text, name, &count, path)
                                                      : TOOL_SUCCESS;
}

int inputs_split_names(const char *text, char **names, uint32_t *count, const char **path)
{
    const size_t size = strspn(text, TOOL_NAME_BYTES ",");
    *count = 0;
    *path = text;
    if (size == 0 || text[size] != '=') {
        return TOOL_SUCCESS;
    }
    *path = text + size + 1;
    for (size_t begin = 0, end; begin <= size; begin = end + 1) {
        end = begin + strcspn(text + begin, ",=");
        if (end == begin || *count == IMAGE_CHANNELS) {
            return tool_fail(TOOL_BAD_INPUT, "%s: expected 1 to %d names before the '='", text,
                             IMAGE_CHANNELS);
        }
        names[*count] = calloc(end - begin + 1, 1);
        if (names[*count] == NULL) {
            return tool_fail(TOOL_TROUBLE, "no memory");
        }
        memcpy(names[(*count)++], text + begin, end - begin);
    }
    return TOOL_SUCCESS;
}

int inputs_take(input_files *inputs, const char *text)
{
    input_file *file = &inputs->files[inputs->count];
    if (inputs->count == INPUTS_MOST) {
        return tool_fail(TOOL_BAD_INPUT, "expected at most %d files", INPUTS_MOST);
    }
    const int code = inputs_split(text, &file->name, &file->path);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    if (file->name == NULL) {
        return tool_fail_usage("--input is '%s', expected NAME=FILE", text);
    }
    inputs->count++;
    return image_type_to_read(file->path) != NULL ? TOOL_SUCCESS : TOOL_BAD_INPUT;
}

int inputs_check(const input_files *inputs, const terrain_recipe *recipe, const char *recipe_path)
{
    const uint32_t count = terrain_recipe_input_count(recipe);
    bool is_given[INPUTS_MOST] = {false};
    for (uint32_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->files[i].name;
        tool_nearest nearest = {name, NULL, 0};
        char hint[TOOL_HINT_SIZE];
        uint32_t k = 0;
        for (; k < count && strcmp(terrain_recipe_input_at(recipe, k), name) != 0; k++) {
            const char *each = terrain_recipe_input_at(recipe, k);
            tool_near(&nearest, each, each);
        }
        if (k == count) {
            return tool_fail(TOOL_BAD_INPUT, "--input %s=%s: '%s' is not an input of %s%s", name,
                             inputs->files[i].path, name, recipe_path,
                             tool_near_text(&nearest, "", hint));
        }
        if (k < INPUTS_MOST) {
            is_given[k] = true;
        }
    }
    for (uint32_t k = 0; k < count && k < INPUTS_MOST; k++) {
        const char *name = terrain_recipe_input_at(recipe, k);
        if (!is_given[k]) {
            return tool_fail(TOOL_BAD_INPUT, "%s: input '%s' is missing: give --input %s=FILE",
                             recipe_path, name, name);
        }
    }
    return TOOL_SUCCESS;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Finds the cell size that the files tell. Files that tell one must agree. */
static int inputs_find_cell_size(input_files *inputs, bool has_cell_size, float *cell_size)
{
    const input_file *known = NULL;
    for (uint32_t i = 0; i < inputs->count && !has_cell_size; i++) {
        const input_file *input = &inputs->files[i];
        const float size = terrain_heightmap_cell_size(input->map);
        if (input->info.has_cell_size && known != NULL && size != *cell_size) {
            return tool_fail(TOOL_BAD_INPUT,
                             "%s has cells of %.9g, but %s of %.9g; give --cell-size", known->path,
                             (double)*cell_size, input->path, (double)size);
        }
        if (input->info.has_cell_size) {
            known = input;
            *cell_size = size;
        }
    }
    for (uint32_t i = 0; i < inputs->count; i++) {
        const input_file *input = &inputs->files[i];
        const float size = terrain_heightmap_cell_size(input->map);
        if (input->info.has_cell_size && size != *cell_size) {
            tool_note("%s: has cells of %.9g, taken to be %.9g; a GeoTIFF of them keeps its place "
                      "and pixels",
                      input->path, (double)size, (double)*cell_size);
        }
        terrain_heightmap_set_cell_size(input->map, *cell_size);
    }
    return TOOL_SUCCESS;
}

/* Tells of files of one size that lie in different places, as models do that were cut one by one:
 * a recipe knows rows and columns alone. */
static void inputs_compare_places(const input_files *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const input_file *one = &inputs->files[k], *other = &inputs->files[i];
            double corner[2][2], pixel;
            if (one->info.place == NULL || other->info.place == NULL ||
                terrain_heightmap_width(one->map) != terrain_heightmap_width(other->map) ||
                terrain_heightmap_height(one->map) != terrain_heightmap_height(other->map) ||
                !image_place_corner(one->info.place, corner[0], &pixel) ||
                !image_place_corner(other->info.place, corner[1], &pixel)) {
                continue;
            }
            if (!(fabs(corner[1][0] - corner[0][0]) <= 0.01 * pixel &&
                  fabs(corner[1][1] - corner[0][1]) <= 0.01 * pixel)) {
                tool_note("%s: begins at %.9g, %.9g, but %s at %.9g, %.9g; cells are taken by row "
                          "and column, as if both lay in one place",
                          other->path, corner[1][0], corner[1][1], one->path, corner[0][0],
                          corner[0][1]);
                break;
            }
        }
    }
}

/* What a file says besides its heights. */
static void inputs_print_info(const input_file *input)
{
    if (input->info.has_cell_size) {
        printf("%s: cells of %.9g\n", input->path, (double)terrain_heightmap_cell_size(input->map));
    }
    if (image_place_is_turned(input->info.place)) {
        printf("%s: rows from the south, read from the north\n", input->path);
    }
    if (input->info.empty_cells > 0) {
        printf("%s: %" PRIu64 " cells without data\n", input->path, input->info.empty_cells);
    }
}

int inputs_read(input_files *inputs, uint32_t width, uint32_t height, bool has_cell_size,
                float *cell_size)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        input_file *input = &inputs->files[i];
        const int code = image_read_info(input->path, width, height, &input->map, &input->info);
        if (code != TOOL_SUCCESS) {
            return code;
        }
        inputs_print_info(input);
        if (!has_cell_size) {
            image_note_odd_pixels(input->path, &input->info);
        }
        inputs->names[i] = input->name;
        inputs->maps[i] = input->map;
    }
    inputs_compare_places(inputs);
    return inputs_find_cell_size(inputs, has_cell_size, cell_size);
}

/* ---- Scale ----------------------------------------------------------------------------------- */

static int inputs_scale_one(input_file *input, terrain_context *context, double scale)
{
    const terrain_operation *resample = terrain_operation_find("shape_resample");
    terrain_shape_resample_params params;
    const terrain_window whole = {0, 0, terrain_heightmap_width(input->map),
                                  terrain_heightmap_height(input->map)};
    terrain_window scaled;
    terrain_heightmap *map = NULL;
    terrain_shape_resample_params_init(&params, sizeof params);
    params.step = (float)(1 / scale);
    params.filter =
        scale < 1 ? TERRAIN_SHAPE_RESAMPLE_FILTER_AREA : TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC;
    if (!(params.step >= 1.0f / 16 && params.step <= 1024)) {
        return tool_fail(TOOL_BAD_INPUT, "--scale: inputs can be scaled from 1/1024 to 16");
    }
    terrain_status status = terrain_operation_result_window(resample, &params, &whole, &scaled);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_heightmap_create(NULL, scaled.width, scaled.height, &map);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain_shape_resample(context, input->map, map, &params);
    }
    if (status != TERRAIN_SUCCESS) {
        terrain_heightmap_destroy(map);
        return tool_fail_status(context, status, input->path);
    }
    terrain_heightmap_destroy(input->map);
    input->map = map;
    return TOOL_SUCCESS;
}

int inputs_scale(input_files *inputs, terrain_context *context, const terrain_recipe *recipe,
                 double scale)
{
    for (uint32_t i = 0; i < inputs->count && scale != 1; i++) {
        double own;
        const terrain_status status =
            terrain_recipe_map_scale(context, recipe, inputs->names[i], scale, &own);
        int code = status == TERRAIN_SUCCESS
                       ? TOOL_SUCCESS
                       : tool_fail_status(context, status, inputs->files[i].path);
        if (code == TOOL_SUCCESS && own != 1) {
            code = inputs_scale_one(&inputs->files[i], context, own);
        }
        if (code != TOOL_SUCCESS) {
            return code;
        }
        inputs->maps[i] = inputs->files[i].map;
    }
    return TOOL_SUCCESS;
}

/* Whether a parameter takes the map as a coarse one: its spacing takes scales up or down, if it is
 * not at both ends of its range. */
static bool inputs_is_coarse(const terrain_recipe *recipe, const char *name)
{
    double finer, coarser;
    return terrain_recipe_map_scale(NULL, recipe, name, 2, &finer) != TERRAIN_SUCCESS ||
           terrain_recipe_map_scale(NULL, recipe, name, 0.5, &coarser) != TERRAIN_SUCCESS ||
           finer != 2 || coarser != 0.5;
}

const image_place *inputs_place(const input_files *inputs, const terrain_recipe *recipe,
                                double scale)
{
    for (uint32_t i = 0; i < inputs->count && scale == 1; i++) {
        const image_place *place = inputs->files[i].info.place;
        double corner[2], pixel;
        if (place != NULL && image_place_corner(place, corner, &pixel) &&
            !inputs_is_coarse(recipe, inputs->names[i])) {
            return place;
        }
    }
    return NULL;
}

/* ---- All ------------------------------------------------------------------------------------- */

uint64_t inputs_bytes(const input_files *inputs)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < inputs->count; i++) {
        const terrain_heightmap *map = inputs->files[i].map;
        bytes += sizeof(float) * terrain_heightmap_stride(map) * terrain_heightmap_height(map);
    }
    return bytes;
}

void inputs_free(input_files *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        free(inputs->files[i].name);
        terrain_heightmap_destroy(inputs->files[i].map);
        image_place_free(inputs->files[i].info.place);
    }
}
