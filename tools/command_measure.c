/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain measure FILE: numbers to compare landscapes by, one a line. */

#include <getopt.h>
#include <stdio.h>

#include "image.h"
#include "measure.h"
#include "tool.h"

struct measure_options {
    const char *file;
    uint32_t width, height;
    float cell_size; /* 0: the file's, or 1 */
};

static int measure_parse(int argc, char **argv, struct measure_options *options)
{
    static const struct option known[] = {
        {"size", required_argument, NULL, 's'},
        {"cell-size", required_argument, NULL, 'c'},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = tool_next_option(argc, argv, known, NULL)) != -1) {
        const char *expected = NULL;
        if (option == 's') {
            expected = tool_take_size(optarg, &options->width, &options->height);
        } else if (option == 'c') {
            expected = tool_take_cell_size(optarg, &options->cell_size);
        }
        if (option == '?') {
            return tool_fail_option(argv, known);
        }
        if (expected != NULL) {
            return tool_fail_value(known, option, expected);
        }
    }
    if (argc - optind != 1) {
        return tool_fail_usage("terrain measure: expected one file, found %d", argc - optind);
    }
    options->file = argv[optind];
    return TOOL_SUCCESS;
}

int command_measure(int argc, char **argv)
{
    struct measure_options options = {NULL, 0, 0, 0};
    terrain_heightmap *map = NULL;
    measure_numbers numbers;
    int code = measure_parse(argc, argv, &options);
    if (code == TOOL_SUCCESS) {
        code =
            image_read_sized(options.file, options.width, options.height, options.cell_size, &map);
    }
    if (code == TOOL_SUCCESS) {
        terrain_status status = measure_map(NULL, map, &numbers);
        if (status != TERRAIN_SUCCESS) {
            code = tool_fail_status(NULL, status, options.file);
        }
    }
    for (int i = 0; code == TOOL_SUCCESS && i < numbers.count; i++) {
        const measure_number *number = &numbers.items[i];
        printf("%-22s %12.6g   ", number->name, number->value);
        if (number->real[0] != '\0') {
            printf("real land %s; ", number->real);
        }
        printf("%s\n", number->meaning);
    }
    terrain_heightmap_destroy(map);
    return code;
}
