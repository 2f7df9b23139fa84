/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A job of `terrain tiles`: what is asked for, and the list of what is done. */

#ifndef TERRAIN_TOOL_TILES_H
#define TERRAIN_TOOL_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "image.h"

typedef struct tiles_job {
    const char *recipe_path;
    const char *pattern;
    const image_type *type;
    uint32_t width, height, overlap;
    int64_t box[4]; /* world cells: from the first two, to before the last two */
    bool y_up;      /* tiles are numbered from the south */
    bool flip;      /* a file's first row is the southernmost */
    bool has_range;
    image_range range;
    uint64_t seed;
    float cell_size;
    uint32_t columns, rows;
} tiles_job;

/* Sets size, overlap and direction by name; false if there is none of that name. */
bool tiles_take_preset(tiles_job *job, const char *name);

/* The list beside the tiles: what they were made from, then a line for each that is in its place. A
 * tile that is in the list of an equal job need not be made again. */
typedef struct tiles_list {
    char *path;
    bool *done; /* by row * columns + column */
    uint32_t done_count;
    bool has_range; /* the list knows the heights' range */
    image_range range;
} tiles_list;

/* Reads the list, if there is one of the same job. text and size are the recipe's. Returns a TOOL_…
 * code. */
int tiles_list_read(tiles_list *list, const tiles_job *job, const char *text, size_t size);
/* Begins the file anew, with what is done; before any tile is replaced. */
int tiles_list_begin(tiles_list *list, const tiles_job *job, const char *text, size_t size);
/* A tile is in its place. */
int tiles_list_add(tiles_list *list, const tiles_job *job, uint32_t index);
void tiles_list_free(tiles_list *list);

#endif
