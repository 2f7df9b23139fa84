/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "image.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "tool.h"

static const image_type *const image_types[] = {
    &image_png, &image_tif, &image_tiff, &image_r16, &image_r32,
    &image_pfm, &image_obj, &image_ply,  &image_glb,
};

const image_type *image_type_of(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name != NULL ? name : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof image_types / sizeof image_types[0]; i++) {
        if (strcasecmp(dot + 1, image_types[i]->extension) == 0) {
            return image_types[i];
        }
    }
    tool_fail(TOOL_BAD_INPUT,
              "%s: expected a name that ends in .png, .tif, .r16, .r32, .pfm, .obj, .ply or .glb",
              path);
    return NULL;
}

int image_read(const char *path, uint32_t width, uint32_t height, terrain_heightmap **out)
{
    const image_type *type = image_type_of(path);
    image_source source = {.path = path, .raw_width = width, .raw_height = height};
    int code;
    *out = NULL;
    if (type == NULL) {
        return TOOL_BAD_INPUT;
    }
    if (type->read == NULL) {
        return tool_fail(TOOL_BAD_INPUT, "%s: meshes can only be written", path);
    }
    source.file = file_open(path, &source.size);
    if (source.file == NULL) {
        return TOOL_BAD_INPUT;
    }
    code = type->read(&source, out);
    fclose(source.file);
    if (code != TOOL_SUCCESS) {
        terrain_heightmap_destroy(*out);
        *out = NULL;
    }
    return code;
}

int image_create(const image_source *source, uint64_t width, uint64_t height,
                 terrain_heightmap **out)
{
    if (width == 0 || height == 0 || width > UINT32_MAX || height > UINT32_MAX) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has a size of %llux%llu", source->path,
                         (unsigned long long)width, (unsigned long long)height);
    }
    if (terrain_heightmap_create(NULL, (uint32_t)width, (uint32_t)height, out) != TERRAIN_SUCCESS) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory for %llux%llu heights", source->path,
                         (unsigned long long)width, (unsigned long long)height);
    }
    return TOOL_SUCCESS;
}

image_range image_range_of(const terrain_heightmap *map)
{
    const float *data = terrain_heightmap_const_data(map);
    image_range range = {0, 0};
    bool any = false;
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        const float *row = data + y * terrain_heightmap_stride(map);
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            if (isfinite(row[x])) {
                range.low = !any || row[x] < range.low ? row[x] : range.low;
                range.high = !any || row[x] > range.high ? row[x] : range.high;
                any = true;
            }
        }
    }
    return range;
}

uint16_t image_quantize(float height, image_range range)
{
    double span = (double)range.high - (double)range.low;
    double share = span > 0 ? ((double)height - (double)range.low) / span : 0;
    share = share > 0 ? share : 0; /* NaN too */
    share = share < 1 ? share : 1;
    return (uint16_t)(share * 65535 + 0.5);
}

void image_put_float(unsigned char bytes[4], float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(bits >> (8 * i));
    }
}
