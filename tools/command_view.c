/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain hash FILE, and terrain view FILE -o PICTURE.png, where FILE is a map or a recipe. */

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "file.h"
#include "image.h"
#include "run.h"
#include "tool.h"

enum { VIEW_MOST_WORDS = 128 };

struct view_options {
    const char *file; /* "-e": the command line has the recipe */
    const char *picture;
    uint32_t width, height;
    draw_style style;
    /* For terrain run, of a recipe: its name, the recipe, and options with their values. */
    char *words[VIEW_MOST_WORDS];
    int word_count;
    bool has_text;       /* -e */
    const char *recipes; /* the first option that only recipes have, or NULL */
};

static const struct option hash_known[] = {
    {"size", required_argument, NULL, 's'},
    {NULL, 0, NULL, 0},
};

static const struct option view_known[] = {
    {"output", required_argument, NULL, 'o'},
    {"size", required_argument, NULL, 's'},
    {"exaggeration", required_argument, NULL, 'x'},
    {"cell-size", required_argument, NULL, 'c'},
    {"sea", required_argument, NULL, 'a'},
    {"range", required_argument, NULL, 'r'},
    {"palette", required_argument, NULL, 'p'},
    {"over", required_argument, NULL, 'v'},
    {"contours", required_argument, NULL, 'n'},
    {"shadows", no_argument, NULL, 'd'},
    {"perspective", required_argument, NULL, 'P'},
    {"pixels", required_argument, NULL, 'z'},
    {"text", required_argument, NULL, 'e'},
    {"set", required_argument, NULL, 'R'},
    {"input", required_argument, NULL, 'R'},
    {"origin", required_argument, NULL, 'R'},
    {"scale", required_argument, NULL, 'R'},
    {"seed", required_argument, NULL, 'R'},
    {"threads", required_argument, NULL, 'R'},
    {"memory", required_argument, NULL, 'R'},
    {"isa", required_argument, NULL, 'R'},
    {"world", no_argument, NULL, 'R'},
    {NULL, 0, NULL, 0},
};

/* A recipe's text: in a file, from standard input, or from the command line. */
static bool view_is_recipe(const struct view_options *options)
{
    const char *dot = strrchr(options->file, '.');
    return options->has_text || strcmp(options->file, "-") == 0 ||
           (dot != NULL && strcmp(dot, ".terrain") == 0);
}

/* An option that terrain run has, too. */
static int view_keep(struct view_options *options, const struct option *known, char *value)
{
    char *word = calloc(strlen(known->name) + 3, 1);
    if (word == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    if (options->word_count + 2 >= VIEW_MOST_WORDS) {
        free(word);
        return tool_fail(TOOL_BAD_INPUT, "expected fewer options");
    }
    memcpy(word, "--", 2);
    memcpy(word + 2, known->name, strlen(known->name));
    options->words[options->word_count++] = word;
    if (known->has_arg != no_argument) {
        word = strdup(value);
        if (word == NULL) {
            return tool_fail(TOOL_TROUBLE, "no memory");
        }
        options->words[options->word_count++] = word;
    }
    return TOOL_SUCCESS;
}

static const char *view_take_pixels(const char *text, perspective *view)
{
    return tool_take_size(text, &view->width, &view->height) == NULL && view->width <= 8192 &&
                   view->height <= 8192
               ? NULL
               : "a size as 1280x720, each from 1 to 8192";
}

/* What the value of an option should have been, or NULL if it is fine. */
static const char *view_take_value(struct view_options *options, int option, const char *text)
{
    draw_style *style = &options->style;
    switch (option) {
    case 's':
        return tool_take_size(text, &options->width, &options->height);
    case 'x':
        return tool_take_exaggeration(text, &style->exaggeration);
    case 'c':
        return tool_take_cell_size(text, &style->cell_size);
    case 'a':
        style->has_sea = true;
        return tool_parse_float(text, &style->sea) ? NULL : "a height";
    case 'r':
        style->has_range = true;
        return tool_take_range(text, &style->range.low, &style->range.high);
    case 'P':
        style->has_view = true;
        return tool_take_direction(text, &style->view.azimuth, &style->view.altitude);
    case 'z':
        return view_take_pixels(text, &style->view);
    case 'p':
        return draw_take_palette(text, &style->palette);
    default:
        return tool_parse_float(text, &style->contours) && style->contours > 0
                   ? NULL
                   : "the height between two lines, a number above 0";
    }
}

static int view_parse(int argc, char **argv, const struct option *known,
                      struct view_options *options)
{
    int option, index = 0;
    memset(options, 0, sizeof *options);
    while ((option = tool_next_option(argc, argv, known, &index)) != -1) {
        const char *expected = NULL;
        int code = TOOL_SUCCESS;
        if (option == '?') {
            return tool_fail_option(argv, known);
        }
        while (option == 'e' && known[index].val != 'e') { /* as -e it sets no index */
            index = known[index].name != NULL ? index + 1 : 0;
        }
        if (option == 'R' || option == 'e' || option == 's' || option == 'c') {
            code = view_keep(options, &known[index], optarg);
        }
        if (option == 'R') {
            options->recipes = known[index].name;
        } else if (option == 'e') {
            options->has_text = true;
        } else if (option == 'o') {
            options->picture = optarg;
        } else if (option == 'd') {
            options->style.shadows = true;
        } else if (option == 'v') {
            code = draw_take_over(&options->style, optarg);
        } else {
            expected = view_take_value(options, option, optarg);
        }
        if (expected != NULL) {
            code = tool_fail_value(known, option, expected);
        }
        if (code != TOOL_SUCCESS) {
            return code;
        }
    }
    if (argc - optind != !options->has_text) {
        return options->has_text
                   ? tool_fail_usage("terrain view: expected a file or -e, found both")
                   : tool_fail_usage("terrain %s: expected one file, found %d", argv[0],
                                     argc - optind);
    }
    options->file = options->has_text ? "-e" : argv[optind];
    if (known == view_known && options->picture == NULL) {
        return tool_fail_usage("terrain view: expected -o PICTURE.png");
    }
    if (options->style.view.width != 0 && !options->style.has_view) {
        return tool_fail_usage("terrain view: --pixels is for --perspective");
    }
    if (options->style.view.width == 0) {
        options->style.view.width = 1280;
        options->style.view.height = 720;
    }
    if (options->recipes != NULL && !view_is_recipe(options)) {
        return tool_fail_usage(
            "terrain view: --%s is for recipes, which end in .terrain, not for %s",
            options->recipes, options->file);
    }
    return TOOL_SUCCESS;
}

static void view_free(struct view_options *options)
{
    for (int i = 0; i < options->word_count; i++) {
        free(options->words[i]);
    }
    draw_free_overs(&options->style);
}

int command_hash(int argc, char **argv)
{
    struct view_options options;
    terrain_heightmap *map = NULL;
    int code = view_parse(argc, argv, hash_known, &options);
    if (code == TOOL_SUCCESS) {
        code = image_read(options.file, options.width, options.height, &map);
    }
    if (code == TOOL_SUCCESS) {
        printf("%016" PRIx64 "\n", terrain_heightmap_hash(map));
    }
    terrain_heightmap_destroy(map);
    view_free(&options);
    return code;
}

/* The recipe's result, and those of its maps that lie over it. */
static int view_run(struct view_options *options, terrain_heightmap **map)
{
    run_wanted wanted[1 + DRAW_MOST_OVERS] = {{NULL, NULL}};
    draw_over *overs[1 + DRAW_MOST_OVERS];
    char *arguments[VIEW_MOST_WORDS + 3] = {"run"};
    uint32_t count = 1;
    int argc = 1;
    for (uint32_t i = 0; i < options->style.over_count; i++) {
        const char *path = options->style.overs[i].path;
        if (strchr(path, '.') == NULL) {
            overs[count] = &options->style.overs[i];
            wanted[count++].name = path;
        } else { /* a file that is not there is told before the recipe runs */
            uint64_t size;
            FILE *there = file_open(path, &size);
            if (there == NULL) {
                return TOOL_BAD_INPUT;
            }
            fclose(there);
        }
    }
    for (int i = 0; i < options->word_count; i++) {
        arguments[argc++] = options->words[i];
    }
    char *file = strdup(options->file);
    if (file == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    if (!options->has_text) {
        arguments[argc++] = file;
    }
    optind = 0; /* getopt_long begins anew */
    int code = run_maps(argc, arguments, wanted, count);
    *map = wanted[0].map;
    for (uint32_t i = 1; i < count; i++) {
        overs[i]->map = wanted[i].map;
    }
    free(file);
    return code;
}

/* Whether a file is one that the picture is made of. */
static bool view_reads(const struct view_options *options, const char *path)
{
    bool reads = !options->has_text && file_is_same(options->file, path);
    for (uint32_t i = 0; i < options->style.over_count && !reads; i++) {
        reads = file_is_same(options->style.overs[i].path, path);
    }
    for (int i = 0; i < options->word_count && !reads; i++) { /* --input NAME=FILE */
        const char *equals = strchr(options->words[i], '=');
        reads = equals != NULL && file_is_same(equals + 1, path);
    }
    return reads;
}

static int view_draw(struct view_options *options)
{
    terrain_heightmap *map = NULL;
    int code = image_check_picture(options->picture);
    if (code == TOOL_SUCCESS && view_reads(options, options->picture)) {
        code =
            tool_fail(TOOL_BAD_INPUT, "%s: would be lost under its own picture", options->picture);
    }
    if (code == TOOL_SUCCESS) {
        code = file_check_output(options->picture);
    }
    if (code == TOOL_SUCCESS) {
        code = view_is_recipe(options)
                   ? view_run(options, &map)
                   : image_read_sized(options->file, options->width, options->height,
                                      options->style.cell_size, &map);
    }
    if (code == TOOL_SUCCESS) {
        code = draw_read_overs(&options->style, map);
    }
    if (code == TOOL_SUCCESS) {
        code = draw_picture(options->file, map, &options->style, NULL, options->picture);
    }
    terrain_heightmap_destroy(map);
    return code;
}

int command_view(int argc, char **argv)
{
    struct view_options options;
    int code = view_parse(argc, argv, view_known, &options);
    if (code == TOOL_SUCCESS) {
        code = view_draw(&options);
    }
    view_free(&options);
    return code;
}
