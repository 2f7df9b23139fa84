/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Regular meshes: a vertex with its normal for each cell, two triangles for each square of four,
 * anticlockwise seen from above. Heights that are not finite become 0. .obj and .glb have y up and
 * z to the south, as glTF wants it; .ply has z up and y to the north, as maps do.
 *
 * A mesh is many times as large as its map, so it is made and written by bands of rows, and the
 * triangles of one row of squares serve for all: those of row y are its corners plus y * width. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "digits.h"
#include "image.h"

enum { MESH_FLOATS = 6, MESH_BAND = 32 };

struct mesh {
    const terrain_heightmap *map;
    uint32_t width, height;
    uint32_t vertex_count, index_count;
    terrain_mesh_desc desc;
    int up, south;      /* which of a vertex's three numbers they are */
    float south_sign;   /* -1 where that axis points north */
    float *vertices;    /* position and normal of each vertex of a band */
    uint32_t *row;      /* the corners of the first row of squares */
    uint32_t row_count; /* of them */
};

static void mesh_free(struct mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->row);
}

/* False if the map is too large, or there is no memory; mesh_free in any case. */
static bool mesh_begin(const terrain_heightmap *map, terrain_mesh_axes axes, struct mesh *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->map = map;
    mesh->width = terrain_heightmap_width(map);
    mesh->height = terrain_heightmap_height(map);
    mesh->up = axes == TERRAIN_MESH_AXES_Y_UP ? 1 : 2;
    mesh->south = 3 - mesh->up;
    mesh->south_sign = axes == TERRAIN_MESH_AXES_Y_UP ? 1.0f : -1.0f;
    terrain_mesh_desc_init(&mesh->desc, sizeof mesh->desc);
    mesh->desc.axes = axes;
    if (terrain_mesh_size(NULL, map, &mesh->desc, &mesh->vertex_count, &mesh->index_count) !=
        TERRAIN_SUCCESS) {
        return false;
    }
    terrain_heightmap_origin(map, &mesh->desc.window.x, &mesh->desc.window.y);
    mesh->desc.window.width = mesh->width;
    mesh->desc.window.height = mesh->height < 2 ? 1 : 2;
    mesh->row_count = mesh->height < 2 ? 0 : 6 * (mesh->width - 1);
    mesh->vertices = malloc((size_t)MESH_BAND * mesh->width * MESH_FLOATS * sizeof(float));
    mesh->row = malloc(((size_t)mesh->row_count + 1) * sizeof *mesh->row); /* there may be none */
    return mesh->vertices != NULL && mesh->row != NULL &&
           terrain_mesh_indices(NULL, map, &mesh->desc, mesh->row) == TERRAIN_SUCCESS;
}

static uint32_t mesh_band_rows(const struct mesh *mesh, uint32_t first)
{
    return mesh->height - first < MESH_BAND ? mesh->height - first : MESH_BAND;
}

/* The vertices of a band. Files don't hold what is not finite: such heights become 0, and such
 * normals point upwards. */
static bool mesh_make_band(struct mesh *mesh, uint32_t first)
{
    const uint32_t rows = mesh_band_rows(mesh, first);
    const float cell_size = terrain_heightmap_cell_size(mesh->map);
    terrain_mesh_desc desc = mesh->desc;
    desc.window.y += first;
    desc.window.height = rows;
    if (terrain_mesh_positions(NULL, mesh->map, &desc, mesh->vertices, MESH_FLOATS) !=
            TERRAIN_SUCCESS ||
        terrain_mesh_normals(NULL, mesh->map, &desc, mesh->vertices + 3, MESH_FLOATS) !=
            TERRAIN_SUCCESS) {
        return false;
    }
    for (size_t i = 0; i < (size_t)rows * mesh->width; i++) {
        float *position = mesh->vertices + MESH_FLOATS * i, *normal = position + 3;
        /* The library counts from the band's first row. The product is rounded once, as its. */
        const float south = (float)(first + (uint32_t)(i / mesh->width)) * cell_size;
        position[mesh->south] = mesh->south_sign > 0 ? south : 0 - south;
        position[mesh->up] = isfinite(position[mesh->up]) ? position[mesh->up] : 0;
        if (!isfinite(normal[0] + normal[1] + normal[2])) {
            normal[0] = normal[1] = normal[2] = 0;
            normal[mesh->up] = 1;
        }
    }
    return true;
}

/* All vertices, as 24 bytes each. */
static bool mesh_put_vertices(bytes_writer *bytes, struct mesh *mesh)
{
    for (uint32_t first = 0; first < mesh->height && !bytes->stopped; first += MESH_BAND) {
        if (!mesh_make_band(mesh, first)) {
            return false;
        }
        bytes_put_floats(bytes, mesh->vertices,
                         (size_t)mesh_band_rows(mesh, first) * mesh->width * MESH_FLOATS);
    }
    return true;
}

/* ---- Wavefront OBJ --------------------------------------------------------------------------- */

/* Lengths of up to 1, with seven decimals: more than a picture shows. */
static char *obj_put_normal(char *at, float value)
{
    char digits[DIGITS_MOST];
    int count = 8;
    uint32_t scaled = (uint32_t)(fabs((double)value) * 1e7 + 0.5);
    if (scaled == 0) {
        *at++ = '0';
        return at;
    }
    if (value < 0) {
        *at++ = '-';
    }
    digits_put_uint(digits, 100000000 + scaled); /* a 1, then the digit before the point */
    while (digits[count] == '0') {
        count--;
    }
    *at++ = digits[1];
    if (count > 1) {
        *at++ = '.';
        memcpy(at, digits + 2, 7);
        at += count - 1;
    }
    return at;
}

/* Text of a column or of a corner, at a fixed distance from the next one's. */
struct obj_word {
    unsigned char size;
    char text[31];
};

static char *obj_put_word(char *at, const struct obj_word *word)
{
    memcpy(at, word->text, sizeof word->text); /* all of it is as quick as a part */
    return at + word->size;
}

/* Places along x are printed once for all rows. */
static void obj_make_columns(const struct mesh *mesh, struct obj_word *columns)
{
    const float cell_size = terrain_heightmap_cell_size(mesh->map);
    for (uint32_t x = 0; x < mesh->width; x++) {
        char *end = digits_put_float(columns[x].text, (float)x * cell_size);
        columns[x].size = (unsigned char)(end - columns[x].text);
    }
}

static bool obj_put_vertices(bytes_writer *bytes, struct mesh *mesh, struct obj_word *words)
{
    obj_make_columns(mesh, words);
    for (uint32_t y = 0; y < mesh->height && !bytes->stopped; y++) {
        if (y % MESH_BAND == 0 && !mesh_make_band(mesh, y)) {
            return false;
        }
        const float *vertex = mesh->vertices + (size_t)(y % MESH_BAND) * mesh->width * MESH_FLOATS;
        struct obj_word south = {0};
        south.size = (unsigned char)(digits_put_float(south.text, vertex[2]) - south.text);
        for (uint32_t x = 0; x < mesh->width; x++, vertex += MESH_FLOATS) {
            char *const start = (char *)bytes->at;
            char *at = start;
            *at++ = 'v';
            *at++ = ' ';
            at = obj_put_word(at, &words[x]);
            *at++ = ' ';
            at = digits_put_float(at, vertex[1]);
            *at++ = ' ';
            at = obj_put_word(at, &south);
            memcpy(at, "\nvn ", 4);
            at = obj_put_normal(at + 4, vertex[3]);
            *at++ = ' ';
            at = obj_put_normal(at, vertex[4]);
            *at++ = ' ';
            at = obj_put_normal(at, vertex[5]);
            *at++ = '\n';
            bytes_advance(bytes, (size_t)(at - start));
        }
    }
    return true;
}

/* " 17//17": the vertex, and its normal. */
static void obj_make_corners(uint32_t first, uint32_t count, struct obj_word *corners)
{
    for (uint32_t i = 0; i < count; i++) {
        char *at = corners[i].text;
        *at++ = ' ';
        at = digits_put_uint(at, first + i + 1);
        *at++ = '/';
        *at++ = '/';
        at = digits_put_uint(at, first + i + 1);
        corners[i].size = (unsigned char)(at - corners[i].text);
    }
}

static void obj_put_faces(bytes_writer *bytes, const struct mesh *mesh, struct obj_word *words)
{
    for (uint32_t y = 0; y + 1 < mesh->height && !bytes->stopped; y++) {
        obj_make_corners(y * mesh->width, 2 * mesh->width, words);
        for (uint32_t i = 0; i < mesh->row_count; i += 3) {
            char *const start = (char *)bytes->at;
            char *at = start;
            *at++ = 'f';
            at = obj_put_word(at, &words[mesh->row[i]]);
            at = obj_put_word(at, &words[mesh->row[i + 1]]);
            at = obj_put_word(at, &words[mesh->row[i + 2]]);
            *at++ = '\n';
            bytes_advance(bytes, (size_t)(at - start));
        }
    }
}

static bool obj_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    struct mesh mesh;
    bytes_writer bytes = {0};
    struct obj_word *words = NULL;
    bool made = mesh_begin(map, TERRAIN_MESH_AXES_Y_UP, &mesh);
    (void)extra;
    if (made) {
        words = calloc(mesh.width, 2 * sizeof *words);
        made = words != NULL && bytes_begin(&bytes, file) && obj_put_vertices(&bytes, &mesh, words);
    }
    if (made) {
        obj_put_faces(&bytes, &mesh, words);
    }
    made = bytes_end(&bytes) && made;
    free(words);
    mesh_free(&mesh);
    return made;
}

/* ---- PLY, binary ----------------------------------------------------------------------------- */

static void ply_put_faces(bytes_writer *bytes, const struct mesh *mesh)
{
    for (uint32_t y = 0; y + 1 < mesh->height && !bytes->stopped; y++) {
        for (uint32_t i = 0; i < mesh->row_count; i += 3) {
            *bytes->at = 3;
            for (int k = 0; k < 3; k++) {
                const uint32_t corner = mesh->row[i + (uint32_t)k] + y * mesh->width;
                for (int b = 0; b < 4; b++) {
                    bytes->at[1 + 4 * k + b] = (unsigned char)(corner >> (8 * b));
                }
            }
            bytes_advance(bytes, 13);
        }
    }
}

static bool ply_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    struct mesh mesh;
    bytes_writer bytes = {0};
    bool made = mesh_begin(map, TERRAIN_MESH_AXES_Z_UP, &mesh);
    (void)extra;
    if (made) {
        fprintf(file,
                "ply\nformat binary_little_endian 1.0\nelement vertex %lu\nproperty float x\n"
                "property float y\nproperty float z\nproperty float nx\nproperty float ny\n"
                "property float nz\nelement face %lu\n"
                "property list uchar uint vertex_indices\nend_header\n",
                (unsigned long)mesh.vertex_count, (unsigned long)mesh.index_count / 3);
        made = bytes_begin(&bytes, file) && mesh_put_vertices(&bytes, &mesh);
    }
    if (made) {
        ply_put_faces(&bytes, &mesh);
    }
    made = bytes_end(&bytes) && made;
    mesh_free(&mesh);
    return made;
}

/* ---- glTF, binary: a header, a chunk of JSON, a chunk of vertices and triangles -------------- */

/* Bounds of the heights as they are written, which the format asks for. */
static image_range glb_heights(const struct mesh *mesh)
{
    const float *row = terrain_heightmap_const_data(mesh->map);
    image_range range = {INFINITY, -INFINITY};
    for (uint32_t y = 0; y < mesh->height; y++, row += terrain_heightmap_stride(mesh->map)) {
        for (uint32_t x = 0; x < mesh->width; x++) {
            const float up = isfinite(row[x]) ? row[x] : 0;
            range.low = up < range.low ? up : range.low;
            range.high = up > range.high ? up : range.high;
        }
    }
    return range;
}

static size_t glb_json(const struct mesh *mesh, char *json, size_t size)
{
    const unsigned long long vertices = mesh->vertex_count;
    const unsigned long long corners = mesh->index_count;
    const float cell_size = terrain_heightmap_cell_size(mesh->map);
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
                               vertices, (double)heights.low,
                               (double)((float)(mesh->width - 1) * cell_size), (double)heights.high,
                               (double)((float)(mesh->height - 1) * cell_size), vertices);
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

static void glb_put_triangles(bytes_writer *bytes, const struct mesh *mesh, uint32_t *corners)
{
    for (uint32_t y = 0; y + 1 < mesh->height && !bytes->stopped; y++) {
        for (uint32_t i = 0; i < mesh->row_count; i++) {
            corners[i] = mesh->row[i] + y * mesh->width;
        }
        bytes_put_words(bytes, corners, mesh->row_count);
    }
}

static bool glb_put(bytes_writer *bytes, struct mesh *mesh, const char *json, size_t json_size,
                    uint64_t size)
{
    const uint32_t head[] = {0x46546C67, 2, (uint32_t)size};                 /* "glTF", version 2 */
    const uint32_t text[] = {(uint32_t)json_size, 0x4E4F534A};               /* "JSON" */
    const uint32_t data[] = {(uint32_t)(size - 28 - json_size), 0x004E4942}; /* "BIN" */
    uint32_t *corners = malloc(((size_t)mesh->row_count + 1) * sizeof *corners);
    bool good = corners != NULL;
    if (good) {
        bytes_put_words(bytes, head, 3);
        bytes_put_words(bytes, text, 2);
        bytes_put(bytes, json, json_size);
        bytes_put_words(bytes, data, 2);
        good = mesh_put_vertices(bytes, mesh);
    }
    if (good) {
        glb_put_triangles(bytes, mesh, corners);
    }
    free(corners);
    return good;
}

static bool glb_write(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    char json[2048];
    struct mesh mesh;
    bytes_writer bytes = {0};
    bool made = mesh_begin(map, TERRAIN_MESH_AXES_Y_UP, &mesh);
    (void)extra;
    if (made) {
        const size_t json_size = glb_json(&mesh, json, sizeof json - 4);
        const uint64_t size = 12 + 8 + json_size + 8 + 24 * (uint64_t)mesh.vertex_count +
                              4 * (uint64_t)mesh.index_count;
        made = size <= UINT32_MAX && bytes_begin(&bytes, file) &&
               glb_put(&bytes, &mesh, json, json_size, size);
    }
    made = bytes_end(&bytes) && made;
    mesh_free(&mesh);
    return made;
}

const image_type image_obj = {"obj", false, NULL, obj_write};
const image_type image_ply = {"ply", false, NULL, ply_write};
const image_type image_glb = {"glb", false, NULL, glb_write};
