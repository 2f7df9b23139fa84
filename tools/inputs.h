/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The files for a recipe's inputs: --input NAME=FILE. */

#ifndef TERRAIN_TOOL_INPUTS_H
#define TERRAIN_TOOL_INPUTS_H

#include "image.h"

enum { INPUTS_MOST = 64 };

typedef struct input_file {
    char *name; /* owned */
    const char *path;
    terrain_heightmap *map; /* begins at 0,0 */
    image_info info;
} input_file;

typedef struct input_files {
    input_file files[INPUTS_MOST];
    uint32_t count;
    /* As descs want them, once they are read. */
    const char *names[INPUTS_MOST];
    const terrain_heightmap *maps[INPUTS_MOST];
} input_files;

/* Takes NAME=FILE apart; *name is NULL where the text is only a file, else to be freed. Returns a
 * TOOL_… code, and complains, as do the functions below. */
int inputs_split(const char *text, char **name, const char **path);
/* The same of "NAME,NAME=FILE", the channels of one file: up to IMAGE_CHANNELS names, each to be
 * freed, after a failure, too; *count is 0 where the text is only a file. */
int inputs_split_names(const char *text, char **names, uint32_t *count, const char **path);
/* Takes an option's value. */
int inputs_take(input_files *inputs, const char *text);
/* Whether they are the recipe's inputs: asked before any file is read. */
int inputs_check(const input_files *inputs, const terrain_recipe *recipe, const char *recipe_path);
/* Reads all. width and height are of files that don't tell theirs; 0: not known. Without a
 * *cell_size that the user gave (has_cell_size), it becomes that of the files that tell theirs. */
int inputs_read(input_files *inputs, uint32_t width, uint32_t height, bool has_cell_size,
                float *cell_size);
/* Puts them at a run's scale: the cell at (x, y) becomes that at (x, y) * scale. Coarse maps stay
 * as they are, as far as their spacing takes the scale. */
int inputs_scale(input_files *inputs, terrain_context *context, const terrain_recipe *recipe,
                 double scale);
/* Where the world's cell 0,0 lies on the Earth, as the first input tells whose cells are the
 * world's. Only at scale 1. NULL: none tells. */
const image_place *inputs_place(const input_files *inputs, const terrain_recipe *recipe,
                                double scale);
/* The bytes of all inputs' cells. */
uint64_t inputs_bytes(const input_files *inputs);
void inputs_free(input_files *inputs);

#endif
