/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Regular meshes: a vertex for each cell, two triangles for each square of four, anticlockwise seen
 * from above. Heights that are not finite become 0. .obj and .glb have y up and z to the south, as
 * glTF wants it; .ply has z up and y to the north, as maps do. */

#include <math.h>
#include <string.h>

#include "image.h"

/* A vertex, from its cell. */
struct mesh_point {
    float east;
    float south;
    float up;
};

static struct mesh_point mesh_point_of(const terrain_heightmap *map, uint32_t x, uint32_t y)
{
    const float cell = terrain_heightmap_cell_size(map);
    float height = terrain_heightmap_const_data(map)[y * terrain_heightmap_stride(map) + x];
    struct mesh_point point = {(float)x * cell, (float)y * cell, isfinite(height) ? height : 0};
    return point;
}

static uint64_t mesh_vertex_count(const terrain_heightmap *map)
{
    return (uint64_t)terrain_heightmap_width(map) * terrain_heightmap_height(map);
}

static uint64_t mesh_triangle_count(const terrain_heightmap *map)
{
    return 2 * (uint64_t)(terrain_heightmap_width(map) - 1) * (terrain_heightmap_height(map) - 1);
}

typedef void mesh_put_vertex(FILE *file, struct mesh_point point);
typedef void mesh_put_triangle(FILE *file, uint32_t a, uint32_t b, uint32_t c);

static void mesh_put(FILE *file, const terrain_heightmap *map, mesh_put_vertex *put_vertex,
                     mesh_put_triangle *put_triangle)
{
    const uint32_t width = terrain_heightmap_width(map);
    const uint32_t height = terrain_heightmap_height(map);
    for (uint32_t y = 0; put_vertex != NULL && y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            put_vertex(file, mesh_point_of(map, x, y));
        }
    }
    for (uint32_t y = 0; put_triangle != NULL && y + 1 < height; y++) {
        for (uint32_t x = 0; x + 1 < width; x++) {
            uint32_t corner = y * width + x;
            put_triangle(file, corner, corner + width, corner + 1);
            put_triangle(file, corner + 1, corner + width, corner + width + 1);
        }
    }
}

static void mesh_put_floats(FILE *file, float a, float b, float c)
{
    unsigned char bytes[12];
    image_put_float(bytes, a);
    image_put_float(bytes + 4, b);
    image_put_float(bytes + 8, c);
    fwrite(bytes, 1, sizeof bytes, file);
}

static void mesh_put_word(FILE *file, uint32_t word)
{
    putc((int)(word & 0xFF), file);
    putc((int)(word >> 8 & 0xFF), file);
    putc((int)(word >> 16 & 0xFF), file);
    putc((int)(word >> 24), file);
}

static void mesh_put_words(FILE *file, uint32_t a, uint32_t b, uint32_t c)
{
    mesh_put_word(file, a);
    mesh_put_word(file, b);
    mesh_put_word(file, c);
}

/* ---- Wavefront OBJ ---------------------------------------------------------------------------- */

static void obj_put_vertex(FILE *file, struct mesh_point point)
{
    fprintf(file, "v %.9g %.9g %.9g\n", (double)point.east, (double)point.up, (double)point.south);
}

static void obj_put_triangle(FILE *file, uint32_t a, uint32_t b, uint32_t c)
{
    fprintf(file, "f %lu %lu %lu\n", a + 1ul, b + 1ul, c + 1ul);
}

static bool obj_write(FILE *file, const terrain_heightmap *map, image_range range)
{
    (void)range;
    if (mesh_vertex_count(map) > UINT32_MAX) {
        return false;
    }
    mesh_put(file, map, obj_put_vertex, obj_put_triangle);
    return true;
}

/* ---- PLY, binary ------------------------------------------------------------------------------ */

static void ply_put_vertex(FILE *file, struct mesh_point point)
{
    mesh_put_floats(file, point.east, -point.south, point.up);
}

static void ply_put_triangle(FILE *file, uint32_t a, uint32_t b, uint32_t c)
{
    putc(3, file);
    mesh_put_words(file, a, b, c);
}

static bool ply_write(FILE *file, const terrain_heightmap *map, image_range range)
{
    (void)range;
    if (mesh_vertex_count(map) > UINT32_MAX) {
        return false;
    }
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %llu\nproperty float x\n"
            "property float y\nproperty float z\nelement face %llu\n"
            "property list uchar uint vertex_indices\nend_header\n",
            (unsigned long long)mesh_vertex_count(map),
            (unsigned long long)mesh_triangle_count(map));
    mesh_put(file, map, ply_put_vertex, ply_put_triangle);
    return true;
}

/* ---- glTF, binary: a header, a chunk of JSON, a chunk of vertices and triangles ------------------ */

static void glb_put_vertex(FILE *file, struct mesh_point point)
{
    mesh_put_floats(file, point.east, point.up, point.south);
}

static void glb_put_triangle(FILE *file, uint32_t a, uint32_t b, uint32_t c)
{
    mesh_put_words(file, a, b, c);
}

/* Bounds of the vertices, which the format asks for. */
static image_range glb_heights(const terrain_heightmap *map)
{
    image_range range = {0, 0};
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            float up = mesh_point_of(map, x, y).up;
            range.low = x + y == 0 || up < range.low ? up : range.low;
            range.high = x + y == 0 || up > range.high ? up : range.high;
        }
    }
    return range;
}

static size_t glb_json(const terrain_heightmap *map, char *json, size_t size)
{
    const unsigned long long vertices = mesh_vertex_count(map);
    const unsigned long long corners = 3 * mesh_triangle_count(map);
    const struct mesh_point last =
        mesh_point_of(map, terrain_heightmap_width(map) - 1, terrain_heightmap_height(map) - 1);
    const image_range heights = glb_heights(map);
    /* A mesh without triangles is drawn as points. */
    size_t length = (size_t)snprintf(
        json, size,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"libterrain\"},\"scene\":0,"
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}%s}]}],\"buffers\":[{\"byteLength\":%llu}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%llu,\"target\":34962}",
        corners > 0 ? ",\"indices\":1" : ",\"mode\":0", 12 * vertices + 4 * corners, 12 * vertices);
    if (corners > 0) {
        length += (size_t)snprintf(
            json + length, size - length,
            ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}",
            12 * vertices, 4 * corners);
    }
    length += (size_t)snprintf(json + length, size - length,
                               "],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
                               "\"count\":%llu,\"type\":\"VEC3\","
                               "\"min\":[0,%.9g,0],\"max\":[%.9g,%.9g,%.9g]}",
                               vertices, (double)heights.low, (double)last.east,
                               (double)heights.high, (double)last.south);
    if (corners > 0) {
        length += (size_t)snprintf(
            json + length, size - length,
            ",{\"bufferView\":1,\"componentType\":5125,\"count\":%llu,\"type\":\"SCALAR\"}",
            corners);
    }
    length += (size_t)snprintf(json + length, size - length, "]}");
    while (length % 4 != 0) {
        json[length++] = ' ';
    }
    return length;
}

static bool glb_write(FILE *file, const terrain_heightmap *map, image_range range)
{
    char json[2048];
    const size_t json_size = glb_json(map, json, sizeof json - 4);
    const uint64_t data_size = 12 * mesh_vertex_count(map) + 12 * mesh_triangle_count(map);
    const uint64_t size = 12 + 8 + json_size + 8 + data_size;
    (void)range;
    if (size > UINT32_MAX) {
        return false;
    }
    mesh_put_words(file, 0x46546C67, 2, (uint32_t)size); /* "glTF", version 2 */
    mesh_put_word(file, (uint32_t)json_size);
    mesh_put_word(file, 0x4E4F534A); /* "JSON" */
    fwrite(json, 1, json_size, file);
    mesh_put_word(file, (uint32_t)data_size);
    mesh_put_word(file, 0x004E4942); /* "BIN" */
    mesh_put(file, map, glb_put_vertex, glb_put_triangle);
    return true;
}

const image_type image_obj = {"obj", false, NULL, obj_write};
const image_type image_ply = {"ply", false, NULL, ply_write};
const image_type image_glb = {"glb", false, NULL, glb_write};
