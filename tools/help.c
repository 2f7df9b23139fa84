/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What `terrain --help` and `terrain COMMAND --help` print: the commands, and the options of each,
 * in full. The manual page and the shells' completions are made of it. */

#include <stdio.h>
#include <string.h>

#include "tool.h"

enum {
    HELP_WIDTH = 92,        /* columns of a line */
    HELP_COMMAND_TEXT = 33, /* the column at which sentences about commands begin */
    HELP_OPTION_TEXT = 23
};

static const struct help_command {
    const char *name;
    const char *arguments;
    const char *text;
} help_commands[] = {
    {"ops", "", "lists the operations"},
    {"ops", " NAME", "describes one, or lists those of a verb: terrain ops erode"},
    {"ops", " --json", "describes all, for programs"},
    {"run", " RECIPE [OPTION]...", "runs a recipe; the last line printed is the result's hash"},
    {"hash", " FILE [OPTION]...", "prints the hash of a heightmap"},
    {"view", " FILE -o PICTURE.png [OPTION]...", "draws the shaded relief of a map or a recipe"},
    {"measure", " FILE [OPTION]...", "prints its slopes, spectrum, drainage and landforms"},
    {"tiles", " RECIPE -o PATTERN [OPTION]...", "cuts a part of the endless world into files"},
    {"stitch", " PATTERN -o PATTERN [OPTION]...", "makes tiles fit that exist as files"},
    {"join", " PATTERN -o FILE [OPTION]...", "puts tiles together"},
};

/* The options in the order in which they are listed, each with all commands that have it; no
 * command's name is a part of another's. Without a name: a sentence at the end. */
static const struct help_option {
    const char *commands;
    const char *name;
    const char *text;
} help_options[] = {
    {"run tiles", "-e TEXT",
     "a statement of the recipe, or some with line ends between them, in RECIPE's place; any "
     "number of times"},
    {"view", "-e TEXT",
     "a statement of a recipe, or some with line ends between them, in FILE's place; any number "
     "of times"},
    {"run view tiles", "--set NAME.PARAM=VALUE",
     "another value for a parameter of the statement that makes NAME; any number of times"},
    {"run view", "--input NAME=FILE", "the map for `input NAME`; once for each"},
    {"tiles", "--input NAME=FILE", "the map for `input NAME`, which starts at 0,0; once for each"},
    {"run", "--size WxH",
     "of generated maps, and of .r8, .r16 and .r32 inputs; default: that of the first input, or "
     "512x512. What is made of inputs alone has their size: another is refused, but with --world"},
    {"view", "--size WxH",
     "of what a recipe generates, and of .r8, .r16 and .r32 files; default: that of the first "
     "input, or 512x512. What is made of inputs alone has their size: another is refused, but "
     "with --world"},
    {"hash measure stitch join", "--size WxH", "of .r8, .r16 and .r32 files, which don't say it"},
    {"tiles", "--input-size WxH", "of .r8, .r16 and .r32 inputs, which don't say it"},
    {"tiles", "--range-cells X0,Y0,X1,Y1",
     "world cells, from the first to before the last; tiles cover them"},
    {"tiles", "--tile SIZE", "512 or 512x256"},
    {"tiles", "--overlap N", "0, the default, or 1: neighbours share their edge cells"},
    {"tiles", "--part I/N", "makes the I-th of N parts of the tiles: for as many processes"},
    {"tiles", "--preset NAME",
     "size, overlap and direction for an engine: unreal-1009, unity-513, godot-1024, …"},
    {"run view measure", "--cell-size S",
     "distance of neighbouring cells, in units of height; default: the file's or the inputs', or "
     "1"},
    {"tiles", "--cell-size S",
     "distance of neighbouring cells, in units of height; default: the inputs', or 1"},
    {"stitch join", "--cell-size S",
     "distance of neighbouring cells, in units of height; default: the files', what the list of "
     "terrain tiles says, or 1"},
    {"run view", "--origin X,Y", "world coordinates of the first cell; default 0,0"},
    {"run view", "--scale S",
     "a cell stands for 1/S of the recipe's cells: 1/4 is a preview of a sixteenth of the cells. "
     "--size and --origin are in cells of the run, but inputs are files of scale 1, and --size "
     "is theirs"},
    {"tiles", "--scale S",
     "a cell stands for 1/S of the recipe's cells: 1/4 is a preview of a sixteenth of the cells. "
     "--tile and --range-cells are in cells of the tiles, but inputs are files of scale 1"},
    {"run view", "--world",
     "computes that window of the endless world, which has no edge; inputs then start at 0,0"},
    {"run view tiles", "--seed N",
     "the world's seed; default 0, which leaves the recipe's seeds as they are"},
    {"run view tiles", "--threads N", "1 to 256; default: one for each processor"},
    {"run view tiles", "--isa LEVEL",
     "baseline, avx2 or avx512; default: the best. The result depends neither on it nor on "
     "--threads"},
    {"run", "--memory N[K|M|G]",
     "refuses what would take more bytes than this, with the maps that are read and made, before "
     "it computes any; default: 3/4 of the machine's; 0: no limit"},
    {"view", "--memory N[K|M|G]",
     "refuses what would take more bytes than this, with the maps that are read and made, but "
     "without the picture, before it computes any; default: 3/4 of the machine's; 0: no limit"},
    {"tiles", "--memory N[K|M|G]",
     "refuses what would take more bytes than this, before it begins; default: 3/4 of the "
     "machine's; 0: no limit"},
    {"run", "--range LO,HI",
     "heights that become 0 and 65535 in .png and .r16, 0 and 255 in .r8; what lies outside is "
     "cut to them, and counted; default: the lowest and the highest"},
    {"tiles", "--range LO,HI",
     "heights that become 0 and 65535 in .png and .r16, 0 and 255 in .r8; what lies outside is "
     "cut to them, and counted; without it the tiles are made twice, first to find one scale for "
     "all"},
    {"stitch", "--range LO,HI",
     "heights that become 0 and 65535 in .png and .r16, 0 and 255 in .r8; what lies outside is "
     "cut to them, and counted; default: the lowest and the highest of all tiles"},
    {"join", "--range LO,HI",
     "heights that become 0 and 65535 in .png and .r16, 0 and 255 in .r8, or with --relief the "
     "first and the last colour; what lies outside is cut to them, and counted in these files; "
     "default: the lowest and the highest"},
    {"stitch", "--overlap N",
     "cells that neighbours share; default: what the list of terrain tiles says, or 1"},
    {"join", "--overlap N",
     "cells that neighbours share; default: what the list of terrain tiles says, or what makes "
     "all shared cells equal. Where neither tells it, it must be given"},
    {"stitch", "--method NAME", "edges, the default; match, slopes too; blend, across --overlap"},
    {"stitch", "--width N", "how far from seams heights change: see terrain ops stitch_edges"},
    {"stitch", "--curve NAME", "smoother, smooth or linear: see terrain ops stitch_edges"},
    {"stitch", "--bend N", "for match: see terrain ops stitch_match"},
    {"view", "--range LO,HI",
     "heights of the first and the last colour; default: the lowest, or the sea, and the highest"},
    {"join", "--relief", "draws the shaded relief, as terrain view"},
    {"view", "--exaggeration E",
     "multiplies slopes; default: what stretches those of the land to a mountain land's"},
    {"join", "--exaggeration E",
     "multiplies the relief's slopes; default: what stretches those of the land to a mountain "
     "land's"},
    {"join", "--borders", "draws lines where tiles meet"},
    {"view", "--sea H", "what lies below is water, the deeper the darker"},
    {"view", "--palette NAME",
     "land, the default; desert, grey; mask: black to white, without light"},
    {"view", "--over FILE=COLOUR",
     "a map over it, or one of the recipe's by its name, not seen where it is 0, opaque where it "
     "is 1; any number of times. blue, red, green, yellow, orange, purple, brown, white, grey, "
     "black, or as #2060c0"},
    {"view", "--contours STEP", "lines at multiples of STEP, each fifth stronger"},
    {"view", "--shadows", "mountains cast shadows"},
    {"view", "--perspective AZ,ALT",
     "as a block of land, seen from this side: degrees clockwise from the north, and 5 to 90 above "
     "the horizon. 180,30 looks to the north"},
    {"view", "--pixels WxH", "size of a picture in perspective; default 1280x720"},
    {"run", "-o [NAME=]FILE", "writes the result, or the map NAME; any number of times"},
    {"run", "--mask [NAME,...=]FILE",
     "the same of a map of 0 to 1, which become 0 and 255: .png (8-bit grey) or .r8; two to four "
     "maps are the colours of one .png: red, green, blue, alpha. Any number of times"},
    {"view", "-o PICTURE.png", "writes the picture"},
    {"tiles", "-o [NAME=]PATTERN",
     "tiles of the result, or of the map NAME: names with {x} and {y}, as 'tile_{x}_{y}.png'; "
     "they count from 0. Folders, as in '{x}/{y}.png', must be there. Any number of times"},
    {"tiles", "--mask [NAME,...=]PATTERN",
     "the same of a map of 0 to 1, which become 0 and 255: .png (8-bit grey) or .r8; two to four "
     "maps are the colours of one .png: red, green, blue, alpha. Any number of times"},
    {"stitch", "-o PATTERN",
     "names of the new tiles, with {x} and {y}; the same pattern replaces the tiles"},
    {"join", "-o FILE", "writes the whole"},
    {"tiles", "--y-up", "{y} counts from the south, not from the north"},
    {"stitch join", "--y-up",
     "{y} counts from the south, not from the north; known where --overlap is, from the list of "
     "terrain tiles"},
    {"tiles", "--flip", "a file's first row is the southernmost"},
    {"stitch join", "--flip", "a file's first row is the southernmost; known as --y-up is"},
    {"run", "--verbose",
     "makes all maps, and prints the lowest, the highest and the mean height of each, and the "
     "standard deviation"},
    {"run tiles", NULL, "RECIPE may be a pipe, or - for standard input."},
    {"view", NULL,
     "A recipe is a file that ends in .terrain, or - for standard input. --set, --input, "
     "--origin, --scale, --world, --seed, --threads, --isa and --memory are for recipes alone."},
    {"tiles", NULL,
     "A list beside the tiles says which are done: called again with the same options, the "
     "command goes on where it was; with others, or without --range where it was given, it makes "
     "all of them anew."},
};

static const char help_types[] =
    "The type of a file is its ending: .png (16-bit grey), .tif (float), .r8, .r16 or .raw, .r32, "
    ".pfm; and for writing .obj, .ply, .glb.";

/* Prints words from a column on, in lines of HELP_WIDTH; `at` says where the cursor is. */
static void help_print_words(FILE *file, size_t at, size_t column, const char *text)
{
    bool fits = at < column || at == 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        if (!fits || at + 1 + length > HELP_WIDTH) {
            putc('\n', file);
            at = 0;
            fits = true;
        }
        at += (size_t)fprintf(file, "%*s", at < column ? (int)(column - at) : at > column, "");
        at += fwrite(text, 1, length, file);
        text += length + (text[length] == ' ');
    }
    putc('\n', file);
}

static void help_print_usage(FILE *file, const char *command)
{
    fputs("Usage:\n", file);
    for (size_t i = 0; i < sizeof help_commands / sizeof help_commands[0]; i++) {
        const struct help_command *line = &help_commands[i];
        if (command == NULL || strcmp(command, line->name) == 0) {
            const int at = fprintf(file, "  terrain %s%s", line->name, line->arguments);
            help_print_words(file, (size_t)at, HELP_COMMAND_TEXT, line->text);
        }
    }
    putc('\n', file);
}

static void help_print_options(FILE *file, const char *command)
{
    for (size_t i = 0; i < sizeof help_options / sizeof help_options[0]; i++) {
        const struct help_option *option = &help_options[i];
        if (strstr(option->commands, command) != NULL && option->name != NULL) {
            const int at = fprintf(file, "  %s", option->name);
            help_print_words(file, (size_t)at, HELP_OPTION_TEXT, option->text);
        } else if (strstr(option->commands, command) != NULL) {
            putc('\n', file);
            help_print_words(file, 0, 0, option->text);
        }
    }
    putc('\n', file);
}

void help_print(FILE *file, const char *command)
{
    help_print_usage(file, command);
    if (command == NULL) {
        fputs("'terrain COMMAND --help' tells the options of a command.\n\n", file);
    } else if (strcmp(command, "ops") != 0) {
        help_print_options(file, command);
    }
    help_print_words(file, 0, 0, help_types);
}
