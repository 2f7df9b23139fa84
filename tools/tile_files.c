/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "tile_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pattern.h"
#include "system.h"
#include "tool.h"

/* Files of tile (column, row), counted from the north-west. */
static char *tile_files_name(const tile_files *tiles, const char *pattern, uint32_t column,
                             uint32_t row)
{
    return pattern_name(pattern, column, tiles->y_up ? tiles->rows - 1 - row : row);
}

static bool tile_files_exists(const char *pattern, uint32_t x, uint32_t y)
{
    char *name = pattern_name(pattern, x, y);
    bool exists = name != NULL && access(name, F_OK) == 0;
    free(name);
    return exists;
}

/* Numbers of a row or column that files have without a gap, from 0 on. */
static uint32_t tile_files_run(const char *pattern, bool along_x)
{
    uint32_t count = 0;
    while (count <= TERRAIN_GRID_MAXIMUM &&
           tile_files_exists(pattern, along_x ? count : 0, along_x ? 0 : count)) {
        count++;
    }
    return count;
}

static int tile_files_fail_gap(const tile_files *tiles, uint32_t x, uint32_t y, const char *why)
{
    return tool_fail(TOOL_BAD_INPUT, "%s: there is no tile %" PRIu32 ", %" PRIu32 "%s",
                     tiles->pattern, x, y, why);
}

/* A tile in the first row or column that is missing hides all beyond it, but not those beside it.
 */
static int tile_files_check_rim(const tile_files *tiles)
{
    static const char why[] = ", but one beyond it";
    for (uint32_t x = 1; x <= tiles->columns; x++) {
        if (tile_files_exists(tiles->pattern, x, tiles->rows)) {
            return tile_files_fail_gap(tiles, 0, tiles->rows, why);
        }
    }
    for (uint32_t y = 1; y < tiles->rows; y++) {
        if (tile_files_exists(tiles->pattern, tiles->columns, y)) {
            return tile_files_fail_gap(tiles, tiles->columns, 0, why);
        }
    }
    return TOOL_SUCCESS;
}

/* Complains unless every tile is there. */
static int tile_files_check_all(const tile_files *tiles)
{
    for (uint32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        const uint32_t x = i % tiles->columns, y = i / tiles->columns;
        if (!tile_files_exists(tiles->pattern, x, y)) {
            return tile_files_fail_gap(tiles, x, y,
                                       ", which the list beside the tiles names; with --overlap "
                                       "the list is not read");
        }
    }
    return TOOL_SUCCESS;
}

static int tile_files_count(tile_files *tiles)
{
    const bool are_given = tiles->columns > 0;
    if (!are_given) {
        tiles->columns = tile_files_run(tiles->pattern, true);
        tiles->rows = tile_files_run(tiles->pattern, false);
    }
    if (tiles->columns == 0) {
        return tile_files_fail_gap(tiles, 0, 0, "");
    }
    if ((uint64_t)tiles->columns * tiles->rows > TERRAIN_GRID_MAXIMUM) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: %" PRIu32 " x %" PRIu32 " tiles, at most %d can be handled",
                         tiles->pattern, tiles->columns, tiles->rows, TERRAIN_GRID_MAXIMUM);
    }
    return are_given ? tile_files_check_all(tiles) : tile_files_check_rim(tiles);
}

static int tile_files_read_one(tile_files *tiles, uint32_t index)
{
    const terrain_heightmap *first = tiles->maps[0];
    char *name =
        tile_files_name(tiles, tiles->pattern, index % tiles->columns, index / tiles->columns);
    terrain_heightmap *map = NULL;
    image_info info = {0};
    int code = name != NULL
                   ? image_read_info(name, tiles->raw_width, tiles->raw_height, &map, &info)
                   : tool_fail(TOOL_TROUBLE, "no memory");
    tiles->maps[index] = map;
    tiles->places[index] = info.place;
    image_note_odd_pixels(name, &info);
    if (code == TOOL_SUCCESS && index > 0 &&
        (terrain_heightmap_width(map) != terrain_heightmap_width(first) ||
         terrain_heightmap_height(map) != terrain_heightmap_height(first))) {
        code = tool_fail(TOOL_BAD_INPUT,
                         "%s: is %" PRIu32 "x%" PRIu32 ", but the first tile is %" PRIu32
                         "x%" PRIu32 ": tiles must be of one size",
                         name, terrain_heightmap_width(map), terrain_heightmap_height(map),
                         terrain_heightmap_width(first), terrain_heightmap_height(first));
    }
    if (code == TOOL_SUCCESS && tiles->flip && !image_place_is_turned(info.place)) {
        image_flip(map);
    }
    free(name);
    return code;
}

int tile_files_read(tile_files *tiles)
{
    int code = pattern_check(tiles->pattern);
    if (code == TOOL_SUCCESS) {
        code = tile_files_count(tiles);
    }
    if (code != TOOL_SUCCESS) {
        return code;
    }
    tiles->maps = calloc((size_t)tiles->columns * tiles->rows, sizeof *tiles->maps);
    tiles->places = calloc((size_t)tiles->columns * tiles->rows, sizeof(image_place *));
    if (tiles->maps == NULL || tiles->places == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    for (uint32_t i = 0; i < tiles->columns * tiles->rows && code == TOOL_SUCCESS; i++) {
        code = tile_files_read_one(tiles, i);
        if (code == TOOL_SUCCESS) {
            code = tool_check_interrupt();
        }
    }
    return code;
}

bool tile_files_has(const tile_files *tiles, const char *path)
{
    bool has = false;
    for (uint32_t i = 0; i < tiles->columns * tiles->rows && !has; i++) {
        char *name = tile_files_name(tiles, tiles->pattern, i % tiles->columns, i / tiles->columns);
        has = name != NULL && file_is_same(name, path);
        free(name);
    }
    return has;
}

/* The files of a pattern by row * columns + column: zeros for what is not there. */
typedef struct tile_file_identity {
    uint64_t numbers[2];
} tile_file_identity;

static int tile_files_identify(const tile_files *tiles, const char *pattern,
                               tile_file_identity *files)
{
    for (uint32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        char *name = tile_files_name(tiles, pattern, i % tiles->columns, i / tiles->columns);
        if (name == NULL) {
            return tool_fail(TOOL_TROUBLE, "no memory");
        }
        if (!system_identity(name, files[i].numbers)) {
            files[i] = (tile_file_identity){{0, 0}};
        }
        free(name);
    }
    return TOOL_SUCCESS;
}

/* The first output in the place of a tile, unless all are in the places of their own tiles; the
 * number of tiles if there is none. */
static uint32_t tile_files_find_lost(uint32_t count, const tile_file_identity *inputs,
                                     const tile_file_identity *outputs)
{
    uint32_t lost = count, own = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < count; k++) {
            same += memcmp(&outputs[i], &inputs[k], sizeof outputs[i]) == 0;
        }
        own += same == 1 && memcmp(&outputs[i], &inputs[i], sizeof outputs[i]) == 0;
        lost = same > 0 && lost == count ? i : lost;
    }
    return own == count ? count : lost;
}

static int tile_files_check_all_outputs(const tile_files *tiles, const char *pattern)
{
    int code = TOOL_SUCCESS;
    for (uint32_t i = 0; i < tiles->columns * tiles->rows && code == TOOL_SUCCESS; i++) {
        char *name = tile_files_name(tiles, pattern, i % tiles->columns, i / tiles->columns);
        code = name != NULL ? file_check_output(name) : tool_fail(TOOL_TROUBLE, "no memory");
        free(name);
    }
    return code;
}

int tile_files_check_output(const tile_files *tiles, const char *pattern)
{
    const uint32_t count = tiles->columns * tiles->rows;
    tile_file_identity *files = calloc(count, 2 * sizeof *files);
    if (files == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    int code = tile_files_check_all_outputs(tiles, pattern);
    if (code == TOOL_SUCCESS) {
        code = tile_files_identify(tiles, tiles->pattern, files);
    }
    if (code == TOOL_SUCCESS) {
        code = tile_files_identify(tiles, pattern, files + count);
    }
    const uint32_t lost =
        code == TOOL_SUCCESS ? tile_files_find_lost(count, files, files + count) : count;
    if (lost < count) {
        char *name = tile_files_name(tiles, pattern, lost % tiles->columns, lost / tiles->columns);
        code = tool_fail(TOOL_BAD_INPUT,
                         "%s: is one of the tiles, and would be lost; expected names of other "
                         "files, or '%s' to replace each tile",
                         name != NULL ? name : pattern, tiles->pattern);
        free(name);
    }
    free(files);
    return code;
}

void tile_files_free(tile_files *tiles)
{
    const bool are_there = tiles->maps != NULL && tiles->places != NULL;
    for (uint32_t i = 0; are_there && i < tiles->columns * tiles->rows; i++) {
        terrain_heightmap_destroy(tiles->maps[i]);
        image_place_free(tiles->places[i]);
    }
    free(tiles->maps);
    free(tiles->places);
}

/* ---- Shared cells ---------------------------------------------------------------------------- */

/* Whether a rectangle of `a` from (x, y) on equals one of `b` from its first cell on. */
static bool tile_files_are_equal(const terrain_heightmap *a, uint32_t x, uint32_t y,
                                 const terrain_heightmap *b, uint32_t width, uint32_t height)
{
    for (uint32_t row = 0; row < height; row++) {
        const float *from_a =
            terrain_heightmap_const_data(a) + (y + row) * terrain_heightmap_stride(a) + x;
        const float *from_b = terrain_heightmap_const_data(b) + row * terrain_heightmap_stride(b);
        if (memcmp(from_a, from_b, width * sizeof(float)) != 0) {
            return false;
        }
    }
    return true;
}

static bool tile_files_may_share(const tile_files *tiles, uint32_t overlap)
{
    const uint32_t width = terrain_heightmap_width(tiles->maps[0]);
    const uint32_t height = terrain_heightmap_height(tiles->maps[0]);
    for (uint32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        terrain_heightmap *const *map = &tiles->maps[i];
        if (i % tiles->columns + 1 < tiles->columns &&
            !tile_files_are_equal(map[0], width - overlap, 0, map[1], overlap, height)) {
            return false;
        }
        if (i / tiles->columns + 1 < tiles->rows &&
            !tile_files_are_equal(map[0], 0, height - overlap, map[tiles->columns], width,
                                  overlap)) {
            return false;
        }
    }
    return true;
}

bool tile_files_find_overlap(const tile_files *tiles, uint32_t *overlap)
{
    const uint32_t width = terrain_heightmap_width(tiles->maps[0]);
    const uint32_t height = terrain_heightmap_height(tiles->maps[0]);
    uint32_t found = 0;
    for (uint32_t i = 1; i < width && i < height; i++) {
        if (tile_files_may_share(tiles, i)) {
            if (found != 0) {
                return false;
            }
            found = i;
        }
    }
    *overlap = found;
    return found != 0;
}

/* ---- Writing --------------------------------------------------------------------------------- */

int tile_files_place(const tile_files *tiles, int64_t x, int64_t y, uint32_t overlap)
{
    for (uint32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        terrain_heightmap *map = tiles->maps[i];
        const uint64_t east =
            (uint64_t)(i % tiles->columns) * (terrain_heightmap_width(map) - overlap);
        const uint64_t south =
            (uint64_t)(i / tiles->columns) * (terrain_heightmap_height(map) - overlap);
        if (terrain_heightmap_set_origin(map, (int64_t)((uint64_t)x + east),
                                         (int64_t)((uint64_t)y + south)) != TERRAIN_SUCCESS) {
            return tool_fail(TOOL_BAD_INPUT, "%s: tiles must lie within 2^62 of 0,0",
                             tiles->pattern);
        }
    }
    return TOOL_SUCCESS;
}

static int tile_files_write_one(const tile_files *tiles, uint32_t index, const char *name,
                                const image_type *type, image_range range, output_file *output)
{
    if (tiles->flip) {
        image_flip(tiles->maps[index]);
    }
    const image_extra extra = {.range = range, .place = tiles->places[index], .flip = tiles->flip};
    int code = image_write(output, name, type, tiles->maps[index], &extra);
    if (tiles->flip) {
        image_flip(tiles->maps[index]);
    }
    return code;
}

static int tile_files_write_all(const tile_files *tiles, const char *pattern,
                                const image_type *type, image_range range, output_file *outputs,
                                char **names)
{
    const uint32_t count = tiles->columns * tiles->rows;
    int code = TOOL_SUCCESS;
    for (uint32_t i = 0; i < count && code == TOOL_SUCCESS; i++) {
        names[i] = tile_files_name(tiles, pattern, i % tiles->columns, i / tiles->columns);
        code = names[i] == NULL
                   ? tool_fail(TOOL_TROUBLE, "no memory")
                   : tile_files_write_one(tiles, i, names[i], type, range, &outputs[i]);
    }
    if (code == TOOL_SUCCESS) {
        code = tool_flush();
    }
    for (uint32_t i = 0; i < count && code == TOOL_SUCCESS; i++) {
        code = output_rename(&outputs[i]);
    }
    return code;
}

int tile_files_write(const tile_files *tiles, const char *pattern, const image_range *range)
{
    const uint32_t count = tiles->columns * tiles->rows;
    const image_type *type = image_type_of(pattern);
    output_file *outputs = calloc(count, sizeof *outputs);
    char **names = calloc(count, sizeof *names);
    image_range scale = {0, 0};
    int code = type == NULL ? TOOL_BAD_INPUT : TOOL_SUCCESS;
    if (range != NULL) {
        scale = *range;
    }
    const terrain_heightmap *const *maps = (const terrain_heightmap *const *)tiles->maps;
    if (code == TOOL_SUCCESS && (outputs == NULL || names == NULL ||
                                 (range == NULL && !image_range_of_all(maps, count, &scale)))) {
        code = tool_fail(TOOL_TROUBLE, "no memory");
    }
    if (code == TOOL_SUCCESS) {
        code = tile_files_write_all(tiles, pattern, type, scale, outputs, names);
    }
    for (uint32_t i = 0; i < count && outputs != NULL && names != NULL; i++) {
        output_discard(&outputs[i]);
        free(names[i]);
    }
    free(outputs);
    free(names);
    return code;
}
