/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Regular meshes: a vertex with its normal for each cell, two triangles for each square of four,
 * anticlockwise seen from above. Heights that are not finite become 0. .obj and .glb have y up and
 * z to the south, as glTF wants it; .ply has z up and y to the north, as maps do. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { MESH_FLOATS = 6 };

/* All of a mesh, in memory. */
struct mesh {
    terrain_mesh_axes axes;
    uint32_t vertex_count;
    uint32_t index_count;
    float *vertices; /* position and normal */
    uint32_t *indices;
};

static void mesh_free(struct mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
}

/* Files don't hold what is not finite: such heights become 0, and such normals point upwards. */
static void mesh_make_finite(struct mesh *mesh)
{
    const int up = mesh->axes == TERRAIN_MESH_AXES_Y_UP ? 1 : 2;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        float *position = mesh->vertices + MESH_FLOATS * i, *normal = position + 3;
        position[up] = isfinite(position[up]) ? position[up] : 0;
        if (!isfinite(normal[0] + normal[1] + normal[2])) {
            normal[0] = normal[1] = normal[2] = 0;
            normal[up] = 1;
        }
    }
}

/* False if the map is too large, or there is no memory; mesh_free in any case. */
static bool mesh_make(const terrain_heightmap *map, terrain_mesh_axes axes, struct mesh *mesh)
{
    terrain_mesh_desc desc;
    memset(mesh, 0, sizeof *mesh);
    terrain_mesh_desc_init(&desc, sizeof desc);
    desc.axes = mesh->axes = axes;
    if (terrain_mesh_size(NULL, map, &desc, &mesh->vertex_count, &mesh->index_count) !=
        TERRAIN_SUCCESS) {
        return false;
    }
    mesh->vertices = calloc(mesh->vertex_count, MESH_FLOATS * sizeof(float));
    mesh->indices = calloc((size_t)mesh->index_count + 1, sizeof(uint32_t)); /* there may be none */
    if (mesh->vertices == NULL || mesh->indices == NULL ||
        terrain_mesh_positions(NULL, map, &desc, mesh->vertices, MESH_FLOATS) != TERRAIN_SUCCESS ||
        terrain_mesh_normals(NULL, map, &desc, mesh->vertices + 3, MESH_FLOATS) !=
            TERRAIN_SUCCESS ||
        terrain_mesh_indices(NULL, map, &desc, mesh->indices) != TERRAIN_SUCCESS) {
        return false;
    }
    mesh_make_finite(mesh);
    return true;
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

static void mesh_put_vertices(FILE *file, const struct mesh *mesh)
{
    for (size_t i = 0; i < 2 * (size_t)mesh->vertex_count; i++) {
        const float *three = mesh->vertices + 3 * i;
        mesh_put_floats(file, three[0], three[1], three[2]);
    }
}

/* ---- Wavefront OBJ ---------------------------------------------------------------------------- */

static bool obj_write(FILE *file, const terrain_heightmap *map, image_range range)
{
    struct mesh mesh;
    bool made = mesh_make(map, TERRAIN_MESH_AXES_Y_UP, &mesh);
    (void)range;
    for (size_t i = 0; made && i < mesh.vertex_count; i++) {
        const float *at = mesh.vertices + MESH_FLOATS * i;
        fprintf(file, "v %.9g %.9g %.9g\n", (double)at[0], (double)at[1], (double)at[2]);
        fprintf(file, "vn %.9g %.9g %.9g\n", (double)at[3], (double)at[4], (double)at[5]);
    }
    for (size_t i = 0; made && i < mesh.index_count; i += 3) {
        const unsigned long a = mesh.indices[i] + 1ul, b = mesh.indices[i + 1] + 1ul,
                            c = mesh.indices[i + 2] + 1ul;
        fprintf(file, "f %lu//%lu %lu//%lu %lu//%lu\n", a, a, b, b, c, c);
    }
    mesh_free(&mesh);
    return made;
}

/* ---- PLY, binary ------------------------------------------------------------------------------ */

static bool ply_write(FILE *file, const terrain_heightmap *map, image_range range)
{
    struct mesh mesh;
    bool made = mesh_make(map, TERRAIN_MESH_AXES_Z_UP, &mesh);
    (void)range;
    if (made) {
        fprintf(file,
                "ply\nformat binary_little_endian 1.0\nelement vertex %lu\nproperty float x\n"
                "property float y\nproperty float z\nproperty float nx\nproperty float ny\n"
                "property float nz\nelement face %lu\n"
                "property list uchar uint vertex_indices\nend_header\n",
                (unsigned long)mesh.vertex_count, (unsigned long)mesh.index_count / 3);
        mesh_put_vertices(file, &mesh);
    }
    for (size_t i = 0; made && i < mesh.index_count; i += 3) {
        putc(3, file);
        mesh_put_words(file, mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]);
    }
    mesh_free(&mesh);
    return made;
}

/* ---- glTF, binary: a header, a chunk of JSON, a chunk of vertices and triangles ------------------ */

/* Bounds of the heights, which the format asks for. */
static image_range glb_heights(const struct mesh *mesh)
{
    image_range range = {mesh->vertices[1], mesh->vertices[1]};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        float up = mesh->vertices[MESH_FLOATS * i + 1];
        range.low = up < range.low ? up : range.low;
        range.high = up > range.high ? up : range.high;
    }
    return range;
}

static size_t glb_json(const struct mesh *mesh, char *json, size_t size)
{
    const unsigned long long vertices = mesh->vertex_count;
    const unsigned long long corners = mesh->index_count;
    const float *last = mesh->vertices + MESH_FLOATS * (size_t)(mesh->vertex_count - 1);
    const image_range heights = glb_heights(mesh);
    /* A mesh without triangles is drawn as points. */
    size_t length = (size_t)snprintf(
        json, size,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"libterrain\"},\"scene\":0,"
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0,\"NORMAL\":1}%s}]}],\"buffers\":[{\"byteLength\":%llu}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%llu,\"byteStride\":24,\"target\":34962}",
        corners > 0 ? ",\"indices\":2" : ",\"mode\":0", 24 * vertices + 4 * corners, 24 * vertices);
    if (corners > 0) {
        length += (size_t)snprintf(
            json + length, size - length,
            ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}",
            24 * vertices, 4 * corners);
    }
    length += (size_t)snprintf(json + length, size - length,
                               "],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
                               "\"count\":%llu,\"type\":\"VEC3\","
                               "\"min\":[0,%.9g,0],\"max\":[%.9g,%.9g,%.9g]},"
                               "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,"
                               "\"count\":%llu,\"type\":\"VEC3\"}",
                               vertices, (double)heights.low, (double)last[0], (double)heights.high,
                               (double)last[2], vertices);
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

static void glb_put(FILE *file, const struct mesh *mesh, const char *json, size_t json_size,
                    uint64_t size)
{
    mesh_put_words(file, 0x46546C67, 2, (uint32_t)size); /* "glTF", version 2 */
    mesh_put_word(file, (uint32_t)json_size);
    mesh_put_word(file, 0x4E4F534A); /* "JSON" */
    fwrite(json, 1, json_size, file);
    mesh_put_word(file, (uint32_t)(size - 28 - json_size));
    mesh_put_word(file, 0x004E4942); /* "BIN" */
    mesh_put_vertices(file, mesh);
    for (size_t i = 0; i < mesh->index_count; i++) {
        mesh_put_word(file, mesh->indices[i]);
    }
}

static bool glb_write(FILE *file, const terrain_heightmap *map, image_range range)
{
    char json[2048];
    struct mesh mesh;
    bool made = mesh_make(map, TERRAIN_MESH_AXES_Y_UP, &mesh);
    (void)range;
    if (made) {
        const size_t json_size = glb_json(&mesh, json, sizeof json - 4);
        const uint64_t size = 12 + 8 + json_size + 8 + 24 * (uint64_t)mesh.vertex_count +
                              4 * (uint64_t)mesh.index_count;
        made = size <= UINT32_MAX;
        if (made) {
            glb_put(file, &mesh, json, json_size, size);
        }
    }
    mesh_free(&mesh);
    return made;
}

const image_type image_obj = {"obj", false, NULL, obj_write};
const image_type image_ply = {"ply", false, NULL, ply_write};
const image_type image_glb = {"glb", false, NULL, glb_write};
