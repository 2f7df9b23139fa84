/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain hash FILE, and terrain view FILE -o PICTURE.png. */

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "file.h"
#include "image.h"
#include "tool.h"

struct view_options {
    const char *file;
    const char *picture;
    uint32_t width, height;
    draw_style style;
};

static const struct option hash_known[] = {
    {"size", required_argument, NULL, 's'},
    {NULL, 0, NULL, 0},
};

static const struct option view_known[] = {
    {"output", required_argument, NULL, 'o'},
    {"size", required_argument, NULL, 's'},
    {"exaggeration", required_argument, NULL, 'e'},
    {"cell-size", required_argument, NULL, 'c'},
    {"sea", required_argument, NULL, 'a'},
    {"range", required_argument, NULL, 'r'},
    {"palette", required_argument, NULL, 'p'},
    {"over", required_argument, NULL, 'v'},
    {"contours", required_argument, NULL, 'n'},
    {"shadows", no_argument, NULL, 'd'},
    {NULL, 0, NULL, 0},
};

/* What the value of an option should have been, or NULL if it is fine. */
static const char *view_take_value(struct view_options *options, int option, const char *text)
{
    draw_style *style = &options->style;
    switch (option) {
    case 's':
        return tool_parse_size(text, &options->width, &options->height) ? NULL
                                                                        : "a size as 512x512";
    case 'e':
        return tool_parse_float(text, &style->exaggeration) && style->exaggeration > 0 &&
                       style->exaggeration <= 1000
                   ? NULL
                   : "a number above 0, at most 1000";
    case 'c':
        return tool_parse_cell_size(text, &style->cell_size) ? NULL : "a number from 1e-6 to 1e9";
    case 'a':
        style->has_sea = true;
        return tool_parse_float(text, &style->sea) ? NULL : "a height";
    case 'r':
        style->has_range = true;
        return tool_parse_range(text, &style->range.low, &style->range.high)
                   ? NULL
                   : "two numbers as 0,100, the lower one first";
    case 'p':
        return draw_take_palette(text, &style->palette) ? NULL : "land, desert, grey or mask";
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
    opterr = 0;
    memset(options, 0, sizeof *options);
    while ((option = getopt_long(argc, argv, known == view_known ? "o:" : "", known, &index)) !=
           -1) {
        const char *expected = NULL;
        int code = TOOL_SUCCESS;
        if (option == '?') {
            return tool_fail_usage("terrain %s: expected an option with its value, found '%s'",
                                   argv[0], argv[optind - 1]);
        }
        if (option == 'o') {
            options->picture = optarg;
        } else if (option == 'd') {
            options->style.shadows = true;
        } else if (option == 'v') {
            code = draw_take_over(&options->style, optarg);
        } else {
            expected = view_take_value(options, option, optarg);
        }
        if (expected != NULL) {
            code =
                tool_fail_usage("--%s is '%s', expected %s", known[index].name, optarg, expected);
        }
        if (code != TOOL_SUCCESS) {
            return code;
        }
    }
    if (argc - optind != 1) {
        return tool_fail_usage("terrain %s: expected one file, found %d", argv[0], argc - optind);
    }
    options->file = argv[optind];
    if (known == view_known && options->picture == NULL) {
        return tool_fail_usage("terrain view: expected -o PICTURE.png");
    }
    return TOOL_SUCCESS;
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
    return code;
}

static int view_draw(struct view_options *options)
{
    terrain_heightmap *map = NULL;
    const image_type *type = image_type_of(options->picture);
    if (type != &image_png) {
        return type == NULL
                   ? TOOL_BAD_INPUT
                   : tool_fail(TOOL_BAD_INPUT, "%s: pictures are .png files", options->picture);
    }
    if (file_is_same(options->file, options->picture)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: would be lost under its own picture", options->file);
    }
    int code = image_read(options->file, options->width, options->height, &map);
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
    draw_free_overs(&options.style);
    return code;
}
