/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain stitch: makes tiles fit that exist as files. terrain join: puts them together. */

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "file.h"
#include "pattern.h"
#include "tile_files.h"
#include "tiles.h"
#include "tool.h"

struct stitch_state {
    tile_files tiles;
    const char *output;
    const char *method;
    uint32_t overlap; /* cells that neighbours share, */
    bool has_overlap; /* if that is known */
    tiles_layout layout;
    float cell_size; /* 0: not given */
    bool has_range;
    image_range range;
    /* Parameters of the operation as they were given; NULL: not given. */
    const char *width, *bend, *curve;
    bool joins; /* all tiles to one file */
    bool relief, borders;
    float exaggeration;
};

/* ---- Arguments ------------------------------------------------------------------------------- */

static const struct option stitch_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"method", required_argument, NULL, 'm'},
    {"overlap", required_argument, NULL, 'v'},
    {"width", required_argument, NULL, 'w'},
    {"bend", required_argument, NULL, 'b'},
    {"curve", required_argument, NULL, 'a'},
    {"range", required_argument, NULL, 'r'},
    {"size", required_argument, NULL, 's'},
    {"cell-size", required_argument, NULL, 'c'},
    {"y-up", no_argument, NULL, 'y'},
    {"flip", no_argument, NULL, 'f'},
    {NULL, 0, NULL, 0},
};

static const struct option join_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"overlap", required_argument, NULL, 'v'},
    {"range", required_argument, NULL, 'r'},
    {"size", required_argument, NULL, 's'},
    {"cell-size", required_argument, NULL, 'c'},
    {"y-up", no_argument, NULL, 'y'},
    {"flip", no_argument, NULL, 'f'},
    {"relief", no_argument, NULL, 'l'},
    {"borders", no_argument, NULL, 'd'},
    {"exaggeration", required_argument, NULL, 'x'},
    {NULL, 0, NULL, 0},
};

/* What the value of an option should have been, or NULL if it is fine. */
static const char *stitch_take_value(struct stitch_state *state, int option, const char *text)
{
    switch (option) {
    case 'v':
        state->has_overlap = true;
        return tool_take_cells(text, &state->overlap);
    case 's':
        return tool_take_size(text, &state->tiles.raw_width, &state->tiles.raw_height);
    case 'c':
        return tool_take_cell_size(text, &state->cell_size);
    case 'x':
        return tool_take_exaggeration(text, &state->exaggeration);
    default:
        state->has_range = true;
        return tool_take_range(text, &state->range.low, &state->range.high);
    }
}

/* Options that need no look at their value. False: another one. */
static bool stitch_take_text(struct stitch_state *state, int option)
{
    switch (option) {
    case 'o':
        state->output = optarg;
        return true;
    case 'm':
        state->method = optarg;
        return true;
    case 'w':
        state->width = optarg;
        return true;
    case 'b':
        state->bend = optarg;
        return true;
    case 'a':
        state->curve = optarg;
        return true;
    case 'y':
        state->tiles.y_up = true;
        return true;
    case 'f':
        state->tiles.flip = true;
        return true;
    case 'l':
        state->relief = true;
        return true;
    case 'd':
        state->borders = true;
        return true;
    default:
        return false;
    }
}

/* Before much is read for nothing. */
static int stitch_check_output(const struct stitch_state *state)
{
    if (state->relief || state->borders) {
        const int code = image_check_picture(state->output);
        if (code != TOOL_SUCCESS) {
            return code;
        }
    } else if (image_type_of(state->output) == NULL) {
        return TOOL_BAD_INPUT;
    }
    if (state->joins) {
        return file_check_output(state->output);
    }
    /* The others' once it is known how many there are. */
    char *name = pattern_name(state->output, 0, 0);
    const int code = name != NULL ? file_check_output(name) : tool_fail(TOOL_TROUBLE, "no memory");
    free(name);
    return code;
}

static int stitch_parse(struct stitch_state *state, int argc, char **argv,
                        const struct option *options)
{
    int option;
    while ((option = tool_next_option(argc, argv, options, NULL)) != -1) {
        const char *expected;
        if (option == '?') {
            return tool_fail_option(argv, options);
        }
        expected =
            stitch_take_text(state, option) ? NULL : stitch_take_value(state, option, optarg);
        if (expected != NULL) {
            return tool_fail_value(options, option, expected);
        }
    }
    if (argc - optind != 1) {
        return tool_fail_usage("terrain %s: expected one pattern of names, as "
                               "'tile_{x}_{y}.png', found %d",
                               argv[0], argc - optind);
    }
    if (state->output == NULL) {
        return tool_fail_usage("terrain %s: expected -o", argv[0]);
    }
    state->tiles.pattern = argv[optind];
    const int code = pattern_check(state->tiles.pattern);
    return code == TOOL_SUCCESS ? stitch_check_output(state) : code;
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

/* Reads the tiles. Without --overlap they lie as the list says that `terrain tiles` left beside
 * them. */
static int stitch_read(struct stitch_state *state)
{
    tile_files *tiles = &state->tiles;
    tiles_layout *layout = &state->layout;
    int code = state->has_overlap ? TOOL_SUCCESS : tiles_list_read_layout(tiles->pattern, layout);
    if (layout->is_known) {
        tiles->y_up = tiles->y_up || layout->y_up;
        tiles->flip = tiles->flip || layout->flip;
        tiles->columns = layout->columns;
        tiles->rows = layout->rows;
        if (tiles->raw_width == 0) {
            tiles->raw_width = layout->width;
            tiles->raw_height = layout->height;
        }
    }
    if (code == TOOL_SUCCESS) {
        code = tile_files_read(tiles);
    }
    if (code == TOOL_SUCCESS && layout->is_known) {
        const uint32_t width = terrain_heightmap_width(tiles->maps[0]);
        const uint32_t height = terrain_heightmap_height(tiles->maps[0]);
        state->overlap = layout->overlap;
        state->has_overlap = true;
        if (width != layout->width || height != layout->height) {
            code = tool_fail(TOOL_BAD_INPUT,
                             "%s: tiles are %" PRIu32 "x%" PRIu32
                             ", but the list beside them is of %" PRIu32 "x%" PRIu32
                             ": expected --overlap",
                             tiles->pattern, width, height, layout->width, layout->height);
        }
    }
    return code;
}

/* Places the tiles in the world and gives them their cell size, as they are told, as their files
 * say, or as the list does; a world without a list begins at 0, 0. */
static int stitch_place(const struct stitch_state *state)
{
    const tile_files *tiles = &state->tiles;
    const tiles_layout *layout = &state->layout;
    for (uint32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        if (state->cell_size > 0) {
            terrain_heightmap_set_cell_size(tiles->maps[i], state->cell_size);
        } else if (tiles->places[i] == NULL && layout->is_known) {
            terrain_heightmap_set_cell_size(tiles->maps[i], layout->cell_size);
        }
    }
    return tile_files_place(tiles, layout->x, layout->y, state->overlap);
}

/* ---- Seams ----------------------------------------------------------------------------------- */

static int stitch_print_seams(const struct stitch_state *state, const char *when)
{
    const tile_files *tiles = &state->tiles;
    terrain_context *context = NULL;
    terrain_seams seams;
    terrain_status status = terrain_context_create(NULL, &context);
    int code = TOOL_SUCCESS;
    if (status == TERRAIN_SUCCESS) {
        terrain_seams_init(&seams, sizeof seams);
        status = terrain_seams_measure(context, (const terrain_heightmap *const *)tiles->maps,
                                       tiles->columns, tiles->rows, state->overlap, &seams);
    }
    if (status != TERRAIN_SUCCESS) {
        code = tool_fail_status(context, status, tiles->pattern);
    } else {
        printf("%s: worst step %.6g, worst kink %.6g, curvature on seams %.6g, inside %.6g: %.4g "
               "times\n",
               when, seams.worst_step, seams.worst_kink, seams.seam_curvature,
               seams.inside_curvature, seams.ratio);
    }
    terrain_context_destroy(context);
    return code;
}

/* ---- terrain stitch -------------------------------------------------------------------------- */

/* A parameter of the operation by name, if it was given. */
static int stitch_set(const terrain_operation *operation, void *params, const char *name,
                      const char *text)
{
    const terrain_parameter *parameter = terrain_operation_parameter_find(operation, name);
    terrain_value value;
    if (text == NULL) {
        return TOOL_SUCCESS;
    }
    if (parameter == NULL) {
        return tool_fail(TOOL_BAD_INPUT, "%s has no parameter '%s'",
                         terrain_operation_name(operation), name);
    }
    terrain_status status = terrain_parameter_parse(parameter, text, &value);
    if (status == TERRAIN_ERROR_RANGE) {
        char low[TERRAIN_PARAMETER_TEXT_SIZE], high[TERRAIN_PARAMETER_TEXT_SIZE];
        terrain_parameter_format(parameter, &parameter->minimum, low, sizeof low);
        terrain_parameter_format(parameter, &parameter->maximum, high, sizeof high);
        return tool_fail(TOOL_BAD_INPUT, "%s is %s, must be in [%s, %s]", name, text, low, high);
    }
    if (status != TERRAIN_SUCCESS) {
        return tool_fail_usage("--%s is '%s', expected %s", name, text,
                               parameter->type == TERRAIN_TYPE_ENUM ? "smoother, smooth or linear"
                                                                    : "a number of cells");
    }
    terrain_parameter_set(parameter, params, &value);
    return TOOL_SUCCESS;
}

static int stitch_set_all(const struct stitch_state *state, const terrain_operation *operation,
                          void *params)
{
    char overlap[16];
    bool blends = terrain_operation_parameter_find(operation, "overlap") != NULL;
    int code = stitch_set(operation, params, "width", state->width);
    snprintf(overlap, sizeof overlap, "%" PRIu32, state->overlap);
    if (code == TOOL_SUCCESS) {
        code = stitch_set(operation, params, "bend", state->bend);
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_set(operation, params, "curve", state->curve);
    }
    if (code == TOOL_SUCCESS && blends) {
        code = stitch_set(operation, params, "overlap", overlap);
    }
    if (code == TOOL_SUCCESS && !blends && state->overlap != 1) {
        code =
            tool_fail(TOOL_BAD_INPUT, "--overlap is %" PRIu32 ", must be 1 but for --method blend",
                      state->overlap);
    }
    return code;
}

static int stitch_apply(const struct stitch_state *state, const terrain_operation *operation,
                        const void *params)
{
    const tile_files *tiles = &state->tiles;
    terrain_context *context = NULL;
    terrain_status status = terrain_context_create(NULL, &context);
    int code = TOOL_SUCCESS;
    tool_catch_interrupt(context);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_operation_apply_grid(context, operation, tiles->maps, tiles->columns,
                                              tiles->rows, params);
    }
    if (status != TERRAIN_SUCCESS) {
        code = tool_fail_status(context, status, tiles->pattern);
    }
    tool_catch_interrupt(NULL);
    terrain_context_destroy(context);
    return code;
}

static int stitch_by(struct stitch_state *state, const terrain_operation *operation, void *params)
{
    int code = stitch_read(state);
    if (code == TOOL_SUCCESS) {
        code = tile_files_check_output(&state->tiles, state->output);
    }
    if (code == TOOL_SUCCESS && state->layout.is_known && state->overlap == 0) {
        code =
            tool_fail(TOOL_BAD_INPUT,
                      "%s: neighbours share no cells, as the list beside the tiles says, and fit "
                      "as they are; to stitch them none the less, give --overlap",
                      state->tiles.pattern);
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_set_all(state, operation, params);
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_print_seams(state, "before");
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_apply(state, operation, params);
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_print_seams(state, "after");
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_place(state);
    }
    if (code == TOOL_SUCCESS) {
        code =
            tile_files_write(&state->tiles, state->output, state->has_range ? &state->range : NULL);
    }
    return code;
}

static int stitch_all(struct stitch_state *state)
{
    char name[64];
    snprintf(name, sizeof name, "stitch_%.40s", state->method);
    const terrain_operation *operation = terrain_operation_find(name);
    if (operation == NULL) {
        return tool_fail_usage("--method is '%s', expected edges, match or blend", state->method);
    }
    const size_t size = terrain_operation_params_size(operation);
    void *params = malloc(size);
    if (params == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    terrain_operation_params_init(operation, params, size);
    const int code = stitch_by(state, operation, params);
    free(params);
    return code;
}

int command_stitch(int argc, char **argv)
{
    struct stitch_state state = {.method = "edges", .overlap = 1};
    int code = stitch_parse(&state, argc, argv, stitch_options);
    tool_catch_interrupt(NULL);
    if (code == TOOL_SUCCESS) {
        code = pattern_check(state.output);
    }
    if (code == TOOL_SUCCESS) {
        code = stitch_all(&state);
    }
    tile_files_free(&state.tiles);
    return code;
}

/* ---- terrain join ---------------------------------------------------------------------------- */

static int join_create(const struct stitch_state *state, terrain_heightmap **joined)
{
    const tile_files *tiles = &state->tiles;
    const uint32_t width = terrain_heightmap_width(tiles->maps[0]);
    const uint32_t height = terrain_heightmap_height(tiles->maps[0]);
    uint64_t all_width, all_height;
    if (state->overlap >= width || state->overlap >= height) {
        return tool_fail(TOOL_BAD_INPUT,
                         "--overlap is %" PRIu32 ", must be less than the tiles' %" PRIu32
                         "x%" PRIu32 " cells",
                         state->overlap, width, height);
    }
    all_width = (uint64_t)tiles->columns * (width - state->overlap) + state->overlap;
    all_height = (uint64_t)tiles->rows * (height - state->overlap) + state->overlap;
    if (all_width > UINT32_MAX || all_height > UINT32_MAX ||
        terrain_heightmap_create(NULL, (uint32_t)all_width, (uint32_t)all_height, joined) !=
            TERRAIN_SUCCESS) {
        return image_fail_memory(state->output, all_width, all_height);
    }
    return TOOL_SUCCESS;
}

/* The whole lies where its first tile does. */
static int join_place(const struct stitch_state *state, terrain_heightmap *joined)
{
    const terrain_heightmap *first = state->tiles.maps[0];
    int64_t x, y;
    const int code = stitch_place(state);
    terrain_heightmap_origin(first, &x, &y);
    terrain_heightmap_set_origin(joined, x, y);
    terrain_heightmap_set_cell_size(joined, terrain_heightmap_cell_size(first));
    return code;
}

static void join_copy(const struct stitch_state *state, uint32_t index, terrain_heightmap *joined)
{
    const tile_files *tiles = &state->tiles;
    const terrain_heightmap *map = tiles->maps[index];
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    const size_t x = (size_t)(index % tiles->columns) * (width - state->overlap);
    const size_t y = (size_t)(index / tiles->columns) * (height - state->overlap);
    for (uint32_t row = 0; row < height; row++) {
        memcpy(terrain_heightmap_data(joined) + (y + row) * terrain_heightmap_stride(joined) + x,
               terrain_heightmap_const_data(map) + row * terrain_heightmap_stride(map),
               width * sizeof(float));
    }
}

static int join_write(const struct stitch_state *state, const terrain_heightmap *joined)
{
    const image_type *type = image_type_of(state->output);
    image_extra extra = {.range = state->range};
    if (!state->tiles.flip || image_place_is_turned(state->tiles.places[0])) {
        extra.place = state->tiles.places[0]; /* else it is that of the southernmost row */
    }
    output_file output = {0};
    int code = type != NULL ? TOOL_SUCCESS : TOOL_BAD_INPUT;
    if (code == TOOL_SUCCESS && !state->has_range && !image_range_of(joined, &extra.range)) {
        code = tool_fail(TOOL_TROUBLE, "no memory");
    }
    if (code == TOOL_SUCCESS) {
        code = image_write(&output, state->output, type, joined, &extra);
    }
    if (code == TOOL_SUCCESS) {
        printf("%016" PRIx64 "\n", terrain_heightmap_hash(joined));
        code = tool_flush();
    }
    if (code == TOOL_SUCCESS) {
        code = output_rename(&output);
    }
    output_discard(&output);
    return code;
}

static int join_draw(const struct stitch_state *state, terrain_heightmap *joined)
{
    const terrain_heightmap *tile = state->tiles.maps[0];
    const draw_style style = {
        .exaggeration = state->exaggeration, .has_range = state->has_range, .range = state->range};
    const draw_lines lines = {
        terrain_heightmap_width(tile) - state->overlap,
        terrain_heightmap_height(tile) - state->overlap,
    };
    printf("%016" PRIx64 "\n", terrain_heightmap_hash(joined));
    return draw_picture(state->tiles.pattern, joined, &style, state->borders ? &lines : NULL,
                        state->output);
}

static int join_all(struct stitch_state *state)
{
    terrain_heightmap *joined = NULL;
    int code = stitch_read(state);
    if (code == TOOL_SUCCESS && tile_files_has(&state->tiles, state->output)) {
        code =
            tool_fail(TOOL_BAD_INPUT, "%s: is one of the tiles, and would be lost", state->output);
    }
    if (code == TOOL_SUCCESS && !state->has_overlap &&
        state->tiles.columns * state->tiles.rows > 1 &&
        !tile_files_find_overlap(&state->tiles, &state->overlap)) {
        code = tool_fail(TOOL_BAD_INPUT,
                         "%s: neither a list beside the tiles nor their cells tell how many cells "
                         "neighbours share: expected --overlap, 0 for none",
                         state->tiles.pattern);
    }
    if (code == TOOL_SUCCESS) {
        code = join_create(state, &joined);
    }
    if (code == TOOL_SUCCESS && state->overlap > 0) {
        code = stitch_print_seams(state, "seams");
    }
    if (code == TOOL_SUCCESS) {
        code = join_place(state, joined);
    }
    for (uint32_t i = 0; code == TOOL_SUCCESS && i < state->tiles.columns * state->tiles.rows;
         i++) {
        join_copy(state, i, joined);
    }
    if (code == TOOL_SUCCESS) {
        code =
            state->relief || state->borders ? join_draw(state, joined) : join_write(state, joined);
    }
    terrain_heightmap_destroy(joined);
    return code;
}

int command_join(int argc, char **argv)
{
    struct stitch_state state = {.joins = true};
    int code = stitch_parse(&state, argc, argv, join_options);
    tool_catch_interrupt(NULL);
    if (code == TOOL_SUCCESS) {
        code = join_all(&state);
    }
    tile_files_free(&state.tiles);
    return code;
}
