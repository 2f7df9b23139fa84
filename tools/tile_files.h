/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A grid of tiles that exist as files. */

#ifndef TERRAIN_TOOL_TILE_FILES_H
#define TERRAIN_TOOL_TILE_FILES_H

#include "image.h"

typedef struct tile_files {
    const char *pattern;
    uint32_t raw_width, raw_height; /* of files without a header; 0: they are square */
    bool y_up;                      /* numbered from the south */
    bool flip;                      /* a file's first row is the southernmost */
    uint32_t columns, rows;         /* 0: as many as there are files */
    terrain_heightmap **maps;       /* row by row from the north-west */
    image_place **places;           /* of each; NULL where its file says nothing of it */
} tile_files;

/* Each returns a TOOL_… code, and complains. */

/* Reads all tiles from (0, 0) on, of which none may be missing. They must be of one size. */
int tile_files_read(tile_files *tiles);
/* How many cells neighbours share, if the cells tell it: the one number, less than a tile's width
 * and height, for which all cells that lie over one another are equal. False if none or several
 * are. */
bool tile_files_find_overlap(const tile_files *tiles, uint32_t *overlap);
/* Gives each tile its place in the grid, whose first cell is at (x, y). What a file says of its
 * place goes first. */
int tile_files_place(const tile_files *tiles, int64_t x, int64_t y, uint32_t overlap);
/* Whether all files can be written, and no tile is lost: each replaces its own file, or none
 * replaces any. */
int tile_files_check_output(const tile_files *tiles, const char *pattern);
/* Writes them by a pattern, all of them or none, with one scale: `range`, or NULL for their
 * own. */
int tile_files_write(const tile_files *tiles, const char *pattern, const image_range *range);
/* Whether a path names one of the tiles that were read. */
bool tile_files_has(const tile_files *tiles, const char *path);
void tile_files_free(tile_files *tiles);

#endif
