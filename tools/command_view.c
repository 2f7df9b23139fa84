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
    float exaggeration;
};

static int view_parse(int argc, char **argv, bool with_picture, struct view_options *options)
{
    static const struct option known[] = {
        {"output", required_argument, NULL, 'o'},
        {"size", required_argument, NULL, 's'},
        {"exaggeration", required_argument, NULL, 'e'},
        {NULL, 0, NULL, 0},
    };
    int option;
    opterr = 0;
    memset(options, 0, sizeof *options);
    while ((option = getopt_long(argc, argv, with_picture ? "o:" : "", known, NULL)) != -1) {
        if (option == 's' && tool_parse_size(optarg, &options->width, &options->height)) {
            continue;
        }
        if (option == 's') {
            return tool_fail_usage("--size is '%s', expected a size as 512x512", optarg);
        }
        if (option == 'o' && with_picture) {
            options->picture = optarg;
        } else if (option == 'e' && with_picture) {
            if (!tool_parse_float(optarg, &options->exaggeration) || options->exaggeration <= 0 ||
                options->exaggeration > 1000) {
                return tool_fail_usage("--exaggeration is '%s', expected a number above 0, at most "
                                       "1000",
                                       optarg);
            }
        } else {
            return tool_fail_usage("terrain %s: expected an option with its value, found '%s'",
                                   argv[0], argv[optind - 1]);
        }
    }
    if (argc - optind != 1) {
        return tool_fail_usage("terrain %s: expected one file, found %d", argv[0], argc - optind);
    }
    options->file = argv[optind];
    if (with_picture && options->picture == NULL) {
        return tool_fail_usage("terrain view: expected -o PICTURE.png");
    }
    return TOOL_SUCCESS;
}

int command_hash(int argc, char **argv)
{
    struct view_options options;
    terrain_heightmap *map = NULL;
    int code = view_parse(argc, argv, false, &options);
    if (code == TOOL_SUCCESS) {
        code = image_read(options.file, options.width, options.height, &map);
    }
    if (code == TOOL_SUCCESS) {
        printf("%016" PRIx64 "\n", terrain_heightmap_hash(map));
    }
    terrain_heightmap_destroy(map);
    return code;
}

int command_view(int argc, char **argv)
{
    struct view_options options;
    terrain_heightmap *map = NULL;
    const image_type *type;
    int code = view_parse(argc, argv, true, &options);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    type = image_type_of(options.picture);
    if (type != &image_png) {
        return type == NULL
                   ? TOOL_BAD_INPUT
                   : tool_fail(TOOL_BAD_INPUT, "%s: pictures are .png files", options.picture);
    }
    if (file_is_same(options.file, options.picture)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: would be lost under its own picture", options.file);
    }
    code = image_read(options.file, options.width, options.height, &map);
    if (code == TOOL_SUCCESS) {
        code = draw_picture(options.file, map, options.exaggeration, NULL, options.picture);
    }
    terrain_heightmap_destroy(map);
    return code;
}
