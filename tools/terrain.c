/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The program `terrain`. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "system.h"
#include "tool.h"

static const char tool_usage[] =
    "Usage:\n"
    "  terrain ops                    lists the operations\n"
    "  terrain ops NAME               describes one, or lists those of a verb: terrain ops erode\n"
    "  terrain ops --json             describes all, for programs\n"
    "  terrain run RECIPE [OPTION]... runs a recipe; the last line printed is the result's hash\n"
    "  terrain hash FILE [--size WxH] prints the hash of a heightmap\n"
    "  terrain view FILE -o PICTURE.png [OPTION]... draws the shaded relief of a map or a recipe\n"
    "  terrain measure FILE [--size WxH] [--cell-size S]\n"
    "                                 prints its erosion score, slopes, spikes, pits, spectrum\n"
    "  terrain tiles RECIPE [OPTION]... cuts a part of the endless world into files\n"
    "  terrain stitch PATTERN -o PATTERN [OPTION]...\n"
    "                                 makes tiles fit that exist as files\n"
    "  terrain join PATTERN -o FILE [OPTION]... puts tiles together\n"
    "\n";

static const char tool_types[] =
    "The type of a file is its ending: .png (16-bit grey), .tif (float), .r16 or .raw, .r32, "
    ".pfm;\n"
    "and for writing .obj, .ply, .glb.\n";

/* The options of some commands, whose names are parted by blanks. */
static const struct tool_help {
    const char *commands;
    const char *text;
} tool_helps[] = {
    {"run",
     "Options of terrain run, whose RECIPE may be - for standard input:\n"
     "  --input NAME=FILE    the map for `input NAME`; once for each\n"
     "  --size WxH           of generated maps, and of .r16 and .r32 inputs; default: that of the\n"
     "                       first input, or 512x512\n"
     "  --cell-size S        distance of neighbouring cells, in units of height; default 1\n"
     "  --origin X,Y         world coordinates of the first cell; default 0,0\n"
     "  --scale S            a cell stands for 1/S cells of the recipe: 1/4 is a preview of a\n"
     "                       sixteenth of the cells. --size and --origin are in cells of the run,\n"
     "                       but inputs are files of scale 1, and --size is theirs\n"
     "  --world              computes that window of the endless world, which has no edge;\n"
     "                       inputs then start at 0,0\n"
     "  --seed N             the world's seed; default 0, which leaves the recipe's seeds as they "
     "are\n"
     "  --threads N          1 to 256; default: one for each processor\n"
     "  --isa LEVEL          baseline, avx2 or avx512; default: the best. The result depends on\n"
     "                       neither\n"
     "  --memory N[K|M|G]    refuses what would take more bytes than this, before it begins;\n"
     "                       default: 3/4 of the machine's; 0: no limit\n"
     "  --range LO,HI        heights that become 0 and 65535 in .png and .r16; default: the "
     "lowest\n"
     "                       and the highest\n"
     "  -o FILE              writes the result\n"
     "  -o NAME=FILE         writes the map NAME; any number of times\n"
     "  --verbose            makes all maps, and prints the lowest, the highest and the mean "
     "height "
     "of\n"
     "                       each\n"
     "\n"},
    {"view",
     "Options of terrain view: --size and --cell-size as of terrain run; of a recipe, whose name\n"
     "ends in .terrain or is -, --input, --origin, --scale, --world, --seed, --threads, --isa and\n"
     "--memory as of terrain run, too; and\n"
     "  --exaggeration E     multiplies its slopes; default: what stretches those of the land to "
     "a\n"
     "                       mountain land's\n"
     "  --sea H              what lies below is water, the deeper the darker\n"
     "  --range LO,HI        heights of the first and the last colour; default: the lowest, or "
     "the\n"
     "                       sea, and the highest\n"
     "  --palette NAME       land, the default; desert, grey; mask: black to white, without light\n"
     "  --over FILE=COLOUR   a map over it, or one of the recipe's by its name, not seen where it\n"
     "                       is 0, opaque where it is 1; any number of times. blue, red, green,\n"
     "                       yellow, orange, purple, brown, white, grey, black, or as #2060c0\n"
     "  --contours STEP      lines at multiples of STEP, each fifth stronger\n"
     "  --shadows            mountains cast shadows\n"
     "\n"},
    {"tiles",
     "Options of terrain tiles: --cell-size, --scale, --seed, --threads, --isa, --memory and "
     "--range\n"
     "as of terrain run, and\n"
     "  --range-cells X0,Y0,X1,Y1  world cells, from the first to before the last; tiles cover "
     "them\n"
     "  --tile SIZE          512 or 512x256\n"
     "  --overlap N          0, the default, or 1: neighbours share their edge cells\n"
     "  --part I/N           makes the I-th of N parts of the tiles: for as many processes\n"
     "  --preset NAME        size, overlap and direction for an engine: unreal-1009, unity-513,\n"
     "                       godot-1024, …\n"
     "  -o PATTERN           names with {x} and {y}, as 'tile_{x}_{y}.png'; they count from 0\n"
     "  --y-up               {y} counts from the south, not from the north\n"
     "  --flip               a file's first row is the southernmost\n"
     "Without --range the tiles are made twice, first to find one scale for all. A list beside "
     "them\n"
     "says which are done: called again with the same options, the command goes on where it was.\n"
     "\n"},
    {"stitch join",
     "Options of terrain stitch and terrain join: --range, --y-up and --flip as above, --size WxH "
     "of\n"
     "files without a header, and\n"
     "  --overlap N          cells that neighbours share; default 1\n"
     "  --method NAME        stitch: edges, the default; match, slopes too; blend, across "
     "--overlap\n"
     "  --width N --curve NAME --bend N\n"
     "                       stitch: parameters, see terrain ops stitch_edges and stitch_match\n"
     "  --relief             join: draws the shaded relief, as terrain view, with --exaggeration "
     "E\n"
     "  --borders            join: draws lines where tiles meet\n"
     "\n"},
};

static const struct tool_command {
    const char *name;
    int (*run)(int argc, char **argv);
} tool_commands[] = {
    {"ops", command_ops},       {"run", command_run},         {"hash", command_hash},
    {"view", command_view},     {"measure", command_measure}, {"tiles", command_tiles},
    {"stitch", command_stitch}, {"join", command_join},
};

/* The usage of one command (NULL: of all): the lines that begin with its name, and those that go on
 * with its sentence. */
static void tool_print_usage(FILE *file, const char *command)
{
    static const char begin[] = "  terrain ";
    bool wanted = true;
    for (const char *line = tool_usage; *line != '\0';) {
        const size_t size = strcspn(line, "\n") + 1;
        if (strncmp(line, begin, sizeof begin - 1) == 0 && command != NULL) {
            const size_t length = strlen(command);
            const char *name = line + sizeof begin - 1;
            wanted = strncmp(name, command, length) == 0 && name[length] == ' ';
        }
        if (wanted || size == 1) {
            fwrite(line, 1, size, file);
        }
        line += size;
    }
}

/* All of it, or what concerns one command (NULL: all). */
static void tool_print_help(FILE *file, const char *command)
{
    tool_print_usage(file, command);
    for (size_t i = 0; i < sizeof tool_helps / sizeof tool_helps[0]; i++) {
        if (command == NULL || strstr(tool_helps[i].commands, command) != NULL) {
            fputs(tool_helps[i].text, file);
        }
    }
    fputs(tool_types, file);
}

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
        tool_print_usage(stderr, NULL);
        fprintf(stderr,
                "'terrain COMMAND --help' tells the options of one, 'terrain --help' all.\n");
        return TOOL_BAD_INPUT;
    }
    if (tool_asks_for_help(argc, argv)) {
        tool_print_help(stdout, argv[1][0] == '-' || strcmp(argv[1], "help") == 0 ? NULL : argv[1]);
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
    tool_nearest nearest = {argv[1], NULL, 0};
    char hint[TOOL_HINT_SIZE];
    for (size_t i = 0; i < sizeof tool_commands / sizeof tool_commands[0]; i++) {
        tool_near(&nearest, tool_commands[i].name, tool_commands[i].name);
    }
    return tool_fail_usage(
        "expected ops, run, hash, view, measure, tiles, stitch or join, found '%s'%s", argv[1],
        tool_near_text(&nearest, "", hint));
}

int main(int argc, char **argv)
{
    system_prepare_output();
    int code = tool_dispatch(argc, argv);
    if (code == TOOL_SUCCESS) {
        code = tool_flush();
    }
    return code;
}
