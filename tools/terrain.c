/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The program `terrain`. */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char tool_help[] =
    "Usage:\n"
    "  terrain ops                    lists the operations\n"
    "  terrain ops NAME               describes one\n"
    "  terrain ops --json             describes all, for programs\n"
    "  terrain run RECIPE [OPTION]... runs a recipe; the last line printed is the result's hash\n"
    "  terrain hash FILE [--size WxH] prints the hash of a heightmap\n"
    "  terrain view FILE -o PICTURE.png [--size WxH] [--exaggeration E]\n"
    "                                 draws its shaded relief; E multiplies its slopes, which by\n"
    "                                 default are stretched to those of mountain land\n"
    "  terrain measure FILE [--size WxH] [--cell-size S]\n"
    "                                 prints its erosion score, slopes, spikes, pits, spectrum\n"
    "\n"
    "Options of terrain run:\n"
    "  --input NAME=FILE    the map for `input NAME`; once for each\n"
    "  --size WxH           of generated maps, and of .r16 and .r32 inputs; default: that of the\n"
    "                       first input, or 512x512\n"
    "  --cell-size S        distance of neighbouring cells, in units of height; default 1\n"
    "  --origin X,Y         world coordinates of the first cell; default 0,0\n"
    "  --world              computes that window of the endless world, which has no edge;\n"
    "                       inputs then start at 0,0\n"
    "  --seed N             the world's seed; default 0, which leaves the recipe's seeds as they "
    "are\n"
    "  --threads N          1 to 256; default: one for each processor. The result does not depend\n"
    "                       on it,\n"
    "  --isa LEVEL          nor on the instruction set: baseline, avx2 or avx512\n"
    "  --range LO,HI        heights that become 0 and 65535 in .png and .r16; default: the lowest\n"
    "                       and the highest\n"
    "  -o FILE              writes the result\n"
    "  -o NAME=FILE         writes the map NAME; any number of times\n"
    "\n"
    "The type of a file is its ending: .png (16-bit grey), .tif (float), .r16, .r32, .pfm; and "
    "for\n"
    "writing .obj, .ply, .glb.\n";

static const struct tool_command {
    const char *name;
    int (*run)(int argc, char **argv);
} tool_commands[] = {
    {"ops", command_ops},   {"run", command_run},         {"hash", command_hash},
    {"view", command_view}, {"measure", command_measure},
};

static bool tool_asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return strcmp(argv[1], "help") == 0;
}

static int tool_dispatch(int argc, char **argv)
{
    if (argc < 2) {
        fputs(tool_help, stderr);
        return TOOL_BAD_INPUT;
    }
    if (tool_asks_for_help(argc, argv)) {
        fputs(tool_help, stdout);
        return TOOL_SUCCESS;
    }
    for (size_t i = 0; i < sizeof tool_commands / sizeof tool_commands[0]; i++) {
        if (strcmp(argv[1], tool_commands[i].name) == 0) {
            return tool_commands[i].run(argc - 1, argv + 1);
        }
    }
    if (strcmp(argv[1], "--version") == 0) {
        uint32_t version = terrain_version();
        printf("terrain %lu.%lu.%lu, results %lu\n", (unsigned long)(version / 1000000),
               (unsigned long)(version / 1000 % 1000), (unsigned long)(version % 1000),
               (unsigned long)terrain_results_version());
        return TOOL_SUCCESS;
    }
    return tool_fail_usage("expected ops, run, hash, view or measure, found '%s'", argv[1]);
}

int main(int argc, char **argv)
{
    int code = tool_dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == TOOL_SUCCESS) {
        code = tool_fail(TOOL_TROUBLE, "the output can't be written: %s", strerror(errno));
    }
    return code;
}
