/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Cells as bytes: .r8, .r16 and .r32 without a header, .pfm with a short one. */

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "image.h"
#include "tool.h"

/* ---- Rows of bytes --------------------------------------------------------------------------- */

static float raw_float(const unsigned char *bytes, bool big_endian)
{
    uint32_t bits = 0;
    float value;
    for (int i = 0; i < 4; i++) {
        bits |= (uint32_t)bytes[i] << (8 * (big_endian ? 3 - i : i));
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int raw_read_row(const image_source *source, unsigned char *bytes, size_t size)
{
    if (fread(bytes, 1, size, source->file) != size) {
        return tool_fail(TOOL_BAD_INPUT, "%s: ends too early", source->path);
    }
    return TOOL_SUCCESS;
}

/* ---- Without a header ------------------------------------------------------------------------ */

/* The size: what was given, or a square. */
static int raw_size(const image_source *source, uint32_t cell, uint32_t *width, uint32_t *height)
{
    uint64_t cells = source->size / cell;
    uint32_t side = 1;
    if (source->raw_width != 0) {
        *width = source->raw_width;
        *height = source->raw_height;
        if (source->size % cell == 0 && cells % *width == 0 && cells / *width == *height) {
            return TOOL_SUCCESS;
        }
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: has %llu bytes, must have %lu for each of %lux%lu heights",
                         source->path, (unsigned long long)source->size, (unsigned long)cell,
                         (unsigned long)*width, (unsigned long)*height);
    }
    while ((uint64_t)side * side < cells && side < UINT32_MAX) {
        side++;
    }
    if (source->size % cell != 0 || cells == 0 || (uint64_t)side * side != cells) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: has %llu bytes, which is not a square of heights of %lu bytes each; "
                         "give its size",
                         source->path, (unsigned long long)source->size, (unsigned long)cell);
    }
    *width = side;
    *height = side;
    return TOOL_SUCCESS;
}

static int raw_read_map(const image_source *source, uint32_t cell, terrain_heightmap **out)
{
    uint32_t width = 0, height = 0;
    int code = raw_size(source, cell, &width, &height);
    if (code == TOOL_SUCCESS) {
        code = image_create(source, width, height, out);
    }
    if (code != TOOL_SUCCESS) {
        return code;
    }
    unsigned char *bytes = malloc((size_t)width * cell);
    if (bytes == NULL) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory", source->path);
    }
    for (uint32_t y = 0; y < height && code == TOOL_SUCCESS; y++) {
        float *cells = terrain_heightmap_data(*out) + y * terrain_heightmap_stride(*out);
        code = raw_read_row(source, bytes, (size_t)width * cell);
        for (uint32_t x = 0; x < width && code == TOOL_SUCCESS; x++) {
            const unsigned char *at = bytes + (size_t)x * cell;
            cells[x] = cell == 4   ? raw_float(at, false)
                       : cell == 2 ? (float)(at[0] | at[1] << 8)
                                   : (float)at[0];
        }
    }
    free(bytes);
    return code;
}

static int r8_read(const image_source *source, terrain_heightmap **out)
{
    return raw_read_map(source, 1, out);
}

static int r16_read(const image_source *source, terrain_heightmap **out)
{
    return raw_read_map(source, 2, out);
}

static int r32_read(const image_source *source, terrain_heightmap **out)
{
    return raw_read_map(source, 4, out);
}

static bool raw_write_whole(FILE *file, const terrain_heightmap *map, image_range range,
                            uint32_t bits)
{
    const uint32_t width = terrain_heightmap_width(map);
    void *cells = malloc(width * (size_t)(bits / 8));
    bytes_writer bytes = {0};
    bool good = cells != NULL && bytes_begin(&bytes, file);
    for (uint32_t y = 0; y < terrain_heightmap_height(map) && good && !bytes.stopped; y++) {
        good = image_pack(map, range, y, 1, bits, cells);
        if (bits == 8) {
            bytes_put(&bytes, cells, width);
        } else {
            bytes_put_shorts(&bytes, cells, width);
        }
    }
    good = bytes_end(&bytes) && good;
    free(cells);
    return good;
}

static bool r8_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    return raw_write_whole(file, map, extra->range, 8);
}

static bool r16_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    return raw_write_whole(file, map, extra->range, 16);
}

static void raw_write_row(bytes_writer *bytes, const terrain_heightmap *map, uint32_t y)
{
    bytes_put_floats(bytes, terrain_heightmap_const_data(map) + y * terrain_heightmap_stride(map),
                     terrain_heightmap_width(map));
}

static bool r32_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    bytes_writer bytes;
    (void)extra;
    if (!bytes_begin(&bytes, file)) {
        return false;
    }
    for (uint32_t y = 0; y < terrain_heightmap_height(map) && !bytes.stopped; y++) {
        raw_write_row(&bytes, map, y);
    }
    return bytes_end(&bytes);
}

/* ---- Portable float map: "Pf", size, scale (negative: little-endian), rows from the bottom --- */

/* The next word of the header, without the blank after it. */
static bool pfm_read_word(FILE *file, char *word, size_t size)
{
    size_t length = 0;
    int c = getc(file);
    while (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        c = getc(file);
    }
    while (c > ' ' && length + 1 < size) {
        word[length++] = (char)c;
        c = getc(file);
    }
    word[length] = '\0';
    return length > 0 && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
}

static int pfm_read_header(const image_source *source, uint64_t *width, uint64_t *height,
                           float *scale)
{
    char magic[32], columns[32], rows[32], factor[32];
    bool sound = pfm_read_word(source->file, magic, sizeof magic);
    if (sound && strcmp(magic, "PF") == 0) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has colours, must be grey", source->path);
    }
    sound =
        sound && strcmp(magic, "Pf") == 0 && pfm_read_word(source->file, columns, sizeof columns) &&
        pfm_read_word(source->file, rows, sizeof rows) &&
        pfm_read_word(source->file, factor, sizeof factor) && tool_parse_uint64(columns, width) &&
        tool_parse_uint64(rows, height) && tool_parse_float(factor, scale) && *scale != 0 &&
        *width > 0 && *height > 0 && *width <= UINT32_MAX && *height <= UINT32_MAX;
    return sound ? TOOL_SUCCESS
                 : tool_fail(TOOL_BAD_INPUT, "%s: is no sound PFM file", source->path);
}

static int pfm_check_length(const image_source *source, uint64_t width, uint64_t height)
{
    uint64_t left = source->size - (uint64_t)ftello(source->file);
    if (left % 4 == 0 && left / 4 % width == 0 && left / 4 / width == height) {
        return TOOL_SUCCESS;
    }
    return tool_fail(TOOL_BAD_INPUT,
                     "%s: has %llu bytes after its header, must have 4 for each of %llux%llu "
                     "heights",
                     source->path, (unsigned long long)left, (unsigned long long)width,
                     (unsigned long long)height);
}

static int pfm_read(const image_source *source, terrain_heightmap **out)
{
    uint64_t width = 0, height = 0;
    float scale = 1;
    int code = pfm_read_header(source, &width, &height, &scale);
    if (code == TOOL_SUCCESS) {
        code = pfm_check_length(source, width, height);
    }
    if (code == TOOL_SUCCESS) {
        code = image_create(source, width, height, out);
    }
    if (code != TOOL_SUCCESS) {
        return code;
    }
    unsigned char *bytes = malloc((size_t)width * 4);
    if (bytes == NULL) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory", source->path);
    }
    for (uint64_t y = height; y-- > 0 && code == TOOL_SUCCESS;) {
        float *cells = terrain_heightmap_data(*out) + y * terrain_heightmap_stride(*out);
        code = raw_read_row(source, bytes, (size_t)width * 4);
        for (uint64_t x = 0; x < width && code == TOOL_SUCCESS; x++) {
            cells[x] = raw_float(bytes + 4 * x, scale > 0);
        }
    }
    free(bytes);
    return code;
}

static bool pfm_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    bytes_writer bytes;
    (void)extra;
    if (!bytes_begin(&bytes, file)) {
        return false;
    }
    fprintf(file, "Pf\n%lu %lu\n-1.0\n", (unsigned long)terrain_heightmap_width(map),
            (unsigned long)terrain_heightmap_height(map));
    for (uint32_t y = terrain_heightmap_height(map); y-- > 0 && !bytes.stopped;) {
        raw_write_row(&bytes, map, y);
    }
    return bytes_end(&bytes);
}

const image_type image_r8 = {"r8", true, r8_read, r8_write};
const image_type image_r16 = {"r16", true, r16_read, r16_write};
const image_type image_raw = {"raw", true, r16_read, r16_write};
const image_type image_r32 = {"r32", false, r32_read, r32_write};
const image_type image_pfm = {"pfm", false, pfm_read, pfm_write};
