/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A job of `terrain tiles`: what is asked for, and the list of what is done. */

#ifndef TERRAIN_TOOL_TILES_H
#define TERRAIN_TOOL_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "image.h"

/* Whose presets there are. */
enum tiles_engine { TILES_NO_ENGINE, TILES_UNREAL, TILES_UNITY, TILES_GODOT };

typedef struct tiles_job {
    const char *recipe_path;
    uint64_t source; /* a hash of the recipe's text and of its inputs */
    const char *pattern;
    const image_type *type;
    bool is_mask; /* of 0 to 1, written with 8 bits */
    uint32_t width, height, overlap;
    enum tiles_engine engine;
    int64_t box[4]; /* world cells: from the first two, to before the last two */
    bool y_up;      /* tiles are numbered from the south */
    bool flip;      /* a file's first row is the southernmost */
    bool has_range;
    bool range_is_found; /* in the heights, not given */
    image_range range;
    uint64_t seed;
    float cell_size; /* of the recipe's cells */
    double scale;
    uint32_t columns, rows;
    uint32_t part, parts;  /* this process makes the part-th of so many parts, from 1 */
    uint32_t first, count; /* the tiles that it makes, by row * columns + column */
} tiles_job;

/* How many tiles along one axis it takes to cover the cells from `from` to before `to`. */
uint64_t tiles_along(int64_t from, int64_t to, uint32_t tile, uint32_t overlap);

/* Sets size, overlap and direction by name. NULL, or what is expected if none has that name. */
const char *tiles_take_preset(tiles_job *job, const char *name);
/* Whether the preset's engine, if there is a preset, reads files of the job's type as they are, of
 * masks as of heights.
 * Complains if not; returns a TOOL_… code. */
int tiles_check_preset(const tiles_job *job);
/* Prints what to enter in the engine's import dialogue. */
void tiles_print_preset(const tiles_job *job);

#define TILES_HASH UINT64_C(0xCBF29CE484222325)

/* What a tile's file is recognised by. */
typedef struct tiles_mark {
    uint64_t size; /* in bytes */
    uint64_t hash; /* of all of them */
} tiles_mark;

/* Reads a file for its mark. Returns a TOOL_… code, and complains. */
int tiles_mark_file(const char *path, tiles_mark *mark);

/* The list beside the tiles: what they were made from, then a line for each that is in its place. A
 * tile that is in the list of an equal job, and whose file has its mark, need not be made again. */
typedef struct tiles_list {
    char *path;
    bool *done;          /* by row * columns + column, */
    tiles_mark *marks;   /* of those that are done */
    uint32_t done_count; /* of the job's part */
    bool has_range;      /* the list knows the heights' range, */
    bool range_is_given; /* which --range gave */
    image_range range;
} tiles_list;

/* Each part has a list of its own while it is made, since files may lie where processes can't
 * append to one at the same time; the part that finds all lists complete makes one of them. */

/* Goes on with a hash, which begins as TILES_HASH. */
uint64_t tiles_hash(uint64_t hash, const void *bytes, size_t size);

/* Reads the list, if there is one of the same job. Returns a TOOL_… code. */
int tiles_list_read(tiles_list *list, const tiles_job *job);
/* Begins the file anew, with what is done; before any tile is replaced. */
int tiles_list_begin(tiles_list *list, const tiles_job *job);
/* A tile is in its place, with this mark. */
int tiles_list_add(tiles_list *list, const tiles_job *job, uint32_t index, const tiles_mark *mark);
/* After a part has been made: puts the parts' lists together if none is incomplete. Returns a
 * TOOL_… code. */
int tiles_list_join(const tiles_job *job);
/* How the tiles of a pattern lie, as the list beside them tells. */
typedef struct tiles_layout {
    bool is_known; /* there is a list */
    uint32_t width, height, overlap;
    uint32_t columns, rows; /* at most UINT32_MAX */
    bool y_up, flip;
    int64_t x, y;    /* of the first cell */
    float cell_size; /* of the tiles' cells */
} tiles_layout;

/* Reads it, and refuses tiles that are not those that the list names; what is missing is no matter.
 * No list is no failure. Returns a TOOL_… code. */
int tiles_list_read_layout(const char *pattern, tiles_layout *layout);
/* After a failure: removes the list if it tells nothing. */
void tiles_list_drop_empty(const tiles_list *list);
void tiles_list_free(tiles_list *list);

#endif
