/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "image.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tool.h"

static const image_type *const image_types[] = {
    &image_png, &image_tif, &image_tiff, &image_r8,  &image_r16, &image_raw,
    &image_r32, &image_pfm, &image_obj,  &image_ply, &image_glb,
};

static const image_type *image_type_named(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name != NULL ? name : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof image_types / sizeof image_types[0]; i++) {
        if (strcasecmp(dot + 1, image_types[i]->extension) == 0) {
            return image_types[i];
        }
    }
    return NULL;
}

bool image_is_named(const char *path)
{
    return image_type_named(path) != NULL;
}

static const image_type *image_fail_name(const char *path, const char *endings)
{
    if (path[0] == '\0') {
        tool_fail(TOOL_BAD_INPUT, "expected the name of a file that ends in %s, found ''", endings);
    } else {
        tool_fail(TOOL_BAD_INPUT, "%s: expected a name that ends in %s", path, endings);
    }
    return NULL;
}

int image_check_picture(const char *path)
{
    if (path[0] == '\0') {
        image_fail_name(path, ".png");
        return TOOL_BAD_INPUT;
    }
    return image_type_named(path) == &image_png
               ? TOOL_SUCCESS
               : tool_fail(TOOL_BAD_INPUT, "%s: pictures are .png files", path);
}

const image_type *image_type_of(const char *path)
{
    const image_type *type = image_type_named(path);
    return type != NULL ? type
                        : image_fail_name(
                              path, ".png, .tif, .r8, .r16, .raw, .r32, .pfm, .obj, .ply or .glb");
}

const image_range image_mask_range = {0, 1};

const image_type *image_type_of_masks(const char *path, uint32_t count)
{
    const image_type *type = image_type_named(path);
    if (count > 1) {
        return type == &image_png ? type : image_fail_name(path, ".png");
    }
    return type == &image_png || type == &image_r8 ? type : image_fail_name(path, ".png or .r8");
}

const image_type *image_type_to_read(const char *path)
{
    const image_type *type = image_type_named(path);
    const char *dot = strrchr(path, '.');
    if (type == NULL && dot != NULL && strcmp(dot, ".terrain") == 0) {
        tool_fail(TOOL_BAD_INPUT, "%s: is a recipe, expected a map: make one by terrain run first",
                  path);
    } else if (type == NULL) {
        image_fail_name(path, ".png, .tif, .r8, .r16, .raw, .r32 or .pfm");
    } else if (type->read == NULL) {
        tool_fail(TOOL_BAD_INPUT, "%s: meshes can only be written", path);
        type = NULL;
    }
    return type;
}

/* Tells of values that stand for no data in many files, and that this one doesn't call so. */
static void image_note_nodata(const char *path, const terrain_heightmap *map)
{
    static const float usual[] = {-9999, -32768, -32767, -FLT_MAX};
    const float *row = terrain_heightmap_const_data(map);
    float found = 0;
    uint64_t count = 0;
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            const bool is_usual = row[x] == usual[0] || row[x] == usual[1] || row[x] == usual[2] ||
                                  row[x] == usual[3];
            found = is_usual ? row[x] : found;
            count += is_usual;
        }
        row += terrain_heightmap_stride(map);
    }
    if (count > 0) {
        tool_note("%s: %" PRIu64 " cells are %.9g, taken for heights; if they have no data, make "
                  "them NaN, or %.9g the nodata value of a .tif",
                  path, count, (double)found, (double)found);
    }
}

int image_read(const char *path, uint32_t width, uint32_t height, terrain_heightmap **out)
{
    image_info info;
    const int code = image_read_info(path, width, height, out, &info);
    image_place_free(info.place);
    return code;
}

int image_read_sized(const char *path, uint32_t width, uint32_t height, float cell_size,
                     terrain_heightmap **out)
{
    image_info info;
    const int code = image_read_info(path, width, height, out, &info);
    if (code == TOOL_SUCCESS && cell_size > 0) {
        terrain_heightmap_set_cell_size(*out, cell_size);
    } else if (code == TOOL_SUCCESS) {
        image_note_odd_pixels(path, &info);
    }
    image_place_free(info.place);
    return code;
}

void image_note_odd_pixels(const char *path, const image_info *info)
{
    if (info->odd_pixels[0] != '\0') {
        tool_note("%s: %s: give --cell-size", path, info->odd_pixels);
    }
}

int image_read_info(const char *path, uint32_t width, uint32_t height, terrain_heightmap **out,
                    image_info *info)
{
    const image_type *type = image_type_to_read(path);
    image_source source = {.path = path, .raw_width = width, .raw_height = height, .info = info};
    *out = NULL;
    *info = (image_info){0};
    if (type == NULL) {
        return TOOL_BAD_INPUT;
    }
    source.file = file_open(path, &source.size);
    if (source.file == NULL) {
        return TOOL_BAD_INPUT;
    }
    int code = type->read(&source, out);
    fclose(source.file);
    if (code == TOOL_SUCCESS) {
        image_note_nodata(path, *out);
    }
    if (code != TOOL_SUCCESS) {
        terrain_heightmap_destroy(*out);
        *out = NULL;
        image_place_free(info->place);
        info->place = NULL;
    }
    return code;
}

/* Tells of cells that the file can't hold: without a height, or, in integers, outside the range. */
static void image_note_lost(const char *path, const image_type *type, const terrain_heightmap *map,
                            image_range range)
{
    const bool is_mesh = type->read == NULL;
    const float *row = terrain_heightmap_const_data(map);
    uint64_t empty = 0, cut = 0;
    if (!type->has_range && !is_mesh) {
        return;
    }
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            empty += is_mesh ? !isfinite(row[x]) : isnan(row[x]);
            cut += row[x] < range.low || row[x] > range.high; /* false for NaN */
        }
        row += terrain_heightmap_stride(map);
    }
    if (empty > 0) {
        tool_note("%s: %" PRIu64 " cells have no height, and became %.9g; .tif, .r32 and .pfm keep "
                  "them as they are",
                  path, empty, is_mesh ? 0.0 : (double)range.low);
    }
    if (type->has_range && cut > 0) {
        tool_note("%s: %" PRIu64 " cells lie outside the range from %.9g to %.9g, and were cut to "
                  "it; .tif, .r32 and .pfm keep them as they are",
                  path, cut, (double)range.low, (double)range.high);
    }
}

static int image_check_channels(const char *path, const terrain_heightmap *map,
                                const image_extra *extra)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    for (uint32_t i = 0; i < extra->more_count; i++) {
        const terrain_heightmap *more = extra->more[i];
        if (terrain_heightmap_width(more) != width || terrain_heightmap_height(more) != height) {
            return tool_fail(TOOL_BAD_INPUT,
                             "%s: map %" PRIu32 " is %" PRIu32 "x%" PRIu32 ", the first %" PRIu32
                             "x%" PRIu32 ": sizes must be equal",
                             path, i + 2, terrain_heightmap_width(more),
                             terrain_heightmap_height(more), width, height);
        }
    }
    return TOOL_SUCCESS;
}

int image_write(output_file *output, const char *path, const image_type *type,
                const terrain_heightmap *map, const image_extra *extra)
{
    const image_range range = extra->range;
    if (type->has_range && (range.low < -1e30f || range.high > 1e30f)) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: heights from %.9g to %.9g don't fit; give --range within 1e30", path,
                         (double)range.low, (double)range.high);
    }
    int code = image_check_channels(path, map, extra);
    if (code == TOOL_SUCCESS) {
        code = output_begin(output, path);
    }
    if (code != TOOL_SUCCESS) {
        return code;
    }
    if (!type->write(output->file, map, extra) && !ferror(output->file)) {
        return tool_is_interrupted()
                   ? tool_check_interrupt()
                   : tool_fail(TOOL_TROUBLE,
                               "%s: can't be written: %" PRIu32 "x%" PRIu32
                               " heights are too many for it, or for the memory",
                               path, terrain_heightmap_width(map), terrain_heightmap_height(map));
    }
    code = output_close(output);
    if (code == TOOL_SUCCESS) {
        image_note_lost(path, type, map, range);
        for (uint32_t i = 0; i < extra->more_count; i++) {
            image_note_lost(path, type, extra->more[i], range);
        }
        code = tool_check_interrupt();
    }
    return code;
}

int image_fail_memory(const char *what, uint64_t width, uint64_t height)
{
    /* 2^64 bytes, and more, don't fit into integers. */
    return tool_fail(TOOL_TROUBLE, "%s: no memory for %" PRIu64 "x%" PRIu64 " heights, %.0f bytes",
                     what, width, height, 4.0 * (double)width * (double)height);
}

int image_create(const image_source *source, uint64_t width, uint64_t height,
                 terrain_heightmap **out)
{
    if (width == 0 || height == 0 || width > UINT32_MAX || height > UINT32_MAX) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has a size of %llux%llu", source->path,
                         (unsigned long long)width, (unsigned long long)height);
    }
    if (terrain_heightmap_create(NULL, (uint32_t)width, (uint32_t)height, out) != TERRAIN_SUCCESS) {
        return image_fail_memory(source->path, width, height);
    }
    return TOOL_SUCCESS;
}

void image_flip(terrain_heightmap *map)
{
    const size_t stride = terrain_heightmap_stride(map);
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    float *upper = terrain_heightmap_data(map), *lower = upper + stride * (height - 1);
    for (uint32_t y = 0; y < height / 2; y++, upper += stride, lower -= stride) {
        for (uint32_t x = 0; x < width; x++) {
            float h = upper[x];
            upper[x] = lower[x];
            lower[x] = h;
        }
    }
}

bool image_range_of_all(const terrain_heightmap *const *maps, uint32_t count, image_range *range)
{
    terrain_statistics *statistics = NULL;
    bool good = terrain_statistics_create(NULL, &statistics) == TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < count && good; i++) {
        good = terrain_statistics_add(NULL, statistics, maps[i]) == TERRAIN_SUCCESS;
    }
    range->low = range->high = 0;
    if (good && terrain_statistics_count(statistics) > 0) {
        range->low = terrain_statistics_minimum(statistics);
        range->high = terrain_statistics_maximum(statistics);
    }
    terrain_statistics_destroy(statistics);
    return good;
}

bool image_range_of(const terrain_heightmap *map, image_range *range)
{
    return image_range_of_all(&map, 1, range);
}

bool image_pack(const terrain_heightmap *map, image_range range, uint32_t first, uint32_t rows,
                uint32_t bits, void *cells)
{
    const uint32_t width = terrain_heightmap_width(map);
    const size_t stride = terrain_heightmap_stride(map);
    terrain_heightmap *part = NULL;
    if (range.low == range.high) {
        memset(cells, 0, (size_t)width * rows * (bits / 8));
        return true;
    }
    bool good =
        terrain_heightmap_wrap_const(NULL, terrain_heightmap_const_data(map) + stride * first,
                                     width, rows, stride, &part) == TERRAIN_SUCCESS;
    if (good) {
        good =
            (bits == 8 ? terrain_heightmap_pack_u8(NULL, part, range.low, range.high, cells, width)
                       : terrain_heightmap_pack_u16(NULL, part, range.low, range.high, cells,
                                                    width)) == TERRAIN_SUCCESS;
    }
    terrain_heightmap_destroy(part);
    return good;
}
