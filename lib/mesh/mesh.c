/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Regular meshes of heightmaps. */

#include "terrain/mesh.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/normals_kernels.h"
#include "analyze/stencil.h"
#include "core/given.h"
#include "core/heightmap.h"
#include "core/reader.h"
#include "mesh/mesh_kernels.h"

enum { MESH_RUN = TERRAIN__STENCIL_RUN, MESH_WIDEST = 1 << 24 };

/* One call. */
struct mesh {
    terrain_mesh_desc desc;
    uint32_t x, y; /* the window's first cell, in the map */
    uint32_t width;
    uint32_t height;
    float *floats;   /* the vertices that are written; or NULL */
    uint32_t *words; /* the indices that are written; or NULL */
    size_t stride;   /* floats */
};

static const terrain__given mesh_given = {
    .subject = "desc is",
    .name = "mesh_desc",
    .suffix = "",
    .tag = TERRAIN__TAG_MESH,
    .size = sizeof(terrain_mesh_desc),
    .reserved = offsetof(terrain_mesh_desc, reserved),
};

terrain_status terrain_mesh_desc_init(terrain_mesh_desc *desc, size_t size)
{
    return terrain__given_init(&mesh_given, desc, size);
}

/* ---- Checks --------------------------------------------------------------------------------- */

static terrain_status mesh_take_desc(terrain__reader *reader, const terrain_mesh_desc *desc,
                                     struct mesh *mesh)
{
    char fault[TERRAIN__FAULT_SIZE];
    terrain_status status = terrain__given_take(&mesh_given, desc, &mesh->desc, fault);
    if (status != TERRAIN_SUCCESS) {
        return terrain__reader_fail(reader, status, "%s", fault);
    }
    const struct {
        const char *name;
        uint32_t value, greatest;
    } choices[] = {{"axes", mesh->desc.axes, TERRAIN_MESH_AXES_Z_UP_LEFT},
                   {"winding", mesh->desc.winding, TERRAIN_MESH_WINDING_CLOCKWISE},
                   {"diagonal", mesh->desc.diagonal, TERRAIN_MESH_DIAGONAL_FLATTER}};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (choices[i].value > choices[i].greatest) {
            return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                        "%s is %" PRIu32 ", must be in [0, %" PRIu32 "]",
                                        choices[i].name, choices[i].value, choices[i].greatest);
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain_status mesh_take_window(terrain__reader *reader, const terrain_heightmap *map,
                                       struct mesh *mesh)
{
    const terrain_window *window = &mesh->desc.window;
    mesh->width = map->width;
    mesh->height = map->height;
    if (window->width == 0) {
        return TERRAIN_SUCCESS;
    }
    if (!terrain__heightmap_place(map, window, &mesh->x, &mesh->y)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "the window, %" PRIu32 "x%" PRIu32 " cells at (%" PRId64
                                    ", %" PRId64 "), must lie within the map, %" PRIu32 "x%" PRIu32
                                    " cells at (%" PRId64 ", %" PRId64 ")",
                                    window->width, window->height, window->x, window->y, map->width,
                                    map->height, map->x, map->y);
    }
    mesh->width = window->width;
    mesh->height = window->height;
    return TERRAIN_SUCCESS;
}

static uint64_t mesh_vertex_count(const struct mesh *mesh)
{
    return (uint64_t)mesh->width * mesh->height;
}

static uint64_t mesh_index_count(const struct mesh *mesh)
{
    return MESH_CORNERS * ((uint64_t)mesh->width - 1) * (mesh->height - 1);
}

static terrain_status mesh_check_size(terrain__reader *reader, const struct mesh *mesh)
{
    /* There are more vertices than indices in a single row only, which is no wider than that. */
    if (mesh->width > MESH_WIDEST || mesh->height > MESH_WIDEST ||
        mesh_index_count(mesh) > UINT32_MAX) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "a mesh of %lux%lu vertices is too large for indices of "
                                    "32 bits",
                                    (unsigned long)mesh->width, (unsigned long)mesh->height);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status mesh_take(terrain__reader *reader, const terrain_heightmap *map,
                                const terrain_mesh_desc *desc, struct mesh *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    if (map == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "map is NULL");
    }
    terrain_status status = mesh_take_desc(reader, desc, mesh);
    if (status == TERRAIN_SUCCESS) {
        status = mesh_take_window(reader, map, mesh);
    }
    return status == TERRAIN_SUCCESS ? mesh_check_size(reader, mesh) : status;
}

/* The buffer's elements, all of 4 bytes: from its first on, to the last that is written. */
static terrain_status mesh_check_buffer(terrain__reader *reader, const terrain_heightmap *map,
                                        const void *buffer, uint64_t elements)
{
    if (buffer == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "buffer is NULL");
    }
    if ((uintptr_t)buffer % sizeof(float) != 0) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "buffer must be aligned to %u bytes", (unsigned)sizeof(float));
    }
    if (elements > PTRDIFF_MAX / sizeof(float)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "stride is too large");
    }
    if (terrain__heightmap_meets(map, buffer, (size_t)elements * sizeof(float))) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ALIAS, "buffer overlaps map");
    }
    return TERRAIN_SUCCESS;
}

/* Writes the buffer: from here on nothing can stop it. */
static terrain_status mesh_run(terrain__reader *reader, const terrain_heightmap *map,
                               struct mesh *mesh, uint32_t count, terrain__task *band)
{
    terrain_status status = terrain__reader_poll(reader, 0);
    reader->map = map;
    reader->job = mesh;
    if (status == TERRAIN_SUCCESS) {
        terrain__reader_commit(reader, count, band);
    }
    return status;
}

/* ---- Vertices ------------------------------------------------------------------------------- */

/* Columns of one row: what is known about their vertices, in the directions of analyze_normals. */
struct mesh_run {
    float east[MESH_RUN];
    float south[MESH_RUN];
    float up[MESH_RUN];
    float north[MESH_RUN];
};

static void mesh_write_run(const terrain__call *call, struct mesh_run *run, uint32_t row,
                           uint32_t column, uint32_t count)
{
    const struct mesh *mesh = call->job;
    const terrain_mesh_axes axes = mesh->desc.axes;
    const bool y_up = axes == TERRAIN_MESH_AXES_Y_UP || axes == TERRAIN_MESH_AXES_Y_UP_LEFT;
    const float *across = run->south;
    if (axes == TERRAIN_MESH_AXES_Z_UP || axes == TERRAIN_MESH_AXES_Y_UP_LEFT) {
        for (uint32_t i = 0; i < count; i++) {
            run->north[i] = 0 - run->south[i];
        }
        across = run->north;
    }
    const float *const parts[3] = {run->east, y_up ? run->up : across, y_up ? across : run->up};
    size_t vertex = (size_t)row * mesh->width + column;
    terrain__mesh_kernels(call->isa)->weave(mesh->floats + vertex * mesh->stride, mesh->stride,
                                            parts, count);
}

typedef void mesh_fill_run(const terrain__call *call, struct mesh_run *run, uint32_t row,
                           uint32_t column, uint32_t count);

static void mesh_fill_positions(const terrain__call *call, struct mesh_run *run, uint32_t row,
                                uint32_t column, uint32_t count)
{
    const struct mesh *mesh = call->job;
    const float *heights = call->map.cells + (mesh->y + row) * call->map.stride + mesh->x + column;
    memcpy(run->up, heights, count * sizeof *heights);
    for (uint32_t i = 0; i < count; i++) {
        run->east[i] = (float)(int32_t)(column + i) * call->cell_size;
        run->south[i] = (float)row * call->cell_size;
    }
}

/* Neighbours where they are, if the map has them all and the run is long enough for the kernel,
 * else in a copy. */
static void mesh_fill_normals(const terrain__call *call, struct mesh_run *run, uint32_t row,
                              uint32_t column, uint32_t count)
{
    const struct mesh *mesh = call->job;
    const terrain__view *map = &call->map;
    const uint32_t x = mesh->x + column, y = mesh->y + row;
    const float scale = (float)(0.125 / (double)call->cell_size);
    float *const outputs[3] = {run->east, run->south, run->up};
    if (y > 0 && y + 1 < map->height && x > 0 && x + count < map->width &&
        count >= TERRAIN__STENCIL_LEAST) {
        const float *west = map->cells + y * map->stride + x - 1;
        const struct terrain__stencil cells = {west - map->stride, west, west + map->stride, NULL,
                                               NULL};
        terrain__normals_kernels(call->isa)->row(outputs, &cells, count, scale);
        return;
    }
    struct terrain__stencil_copy copy;
    memset(&copy, 0, sizeof copy);
    terrain__stencil_copy_cells(&copy, map, x, y, count);
    const struct terrain__stencil cells = {copy.north, copy.here, copy.south, NULL, NULL};
    terrain__normals_kernels(call->isa)->row(
        outputs, &cells, count < TERRAIN__STENCIL_LEAST ? TERRAIN__STENCIL_LEAST : count, scale);
}

static void mesh_write_band(const terrain__call *call, uint32_t index, mesh_fill_run *fill)
{
    const struct mesh *mesh = call->job;
    terrain__bands bands = terrain__bands_of(mesh->height, 1);
    struct mesh_run run;
    for (uint32_t row = terrain__band_begin(&bands, index); row < terrain__band_end(&bands, index);
         row++) {
        uint32_t count;
        for (uint32_t column = 0; column < mesh->width; column += count) {
            count = mesh->width - column < MESH_RUN ? mesh->width - column : MESH_RUN;
            fill(call, &run, row, column, count);
            mesh_write_run(call, &run, row, column, count);
        }
    }
}

static void mesh_positions_band(terrain__call *call, uint32_t index)
{
    mesh_write_band(call, index, mesh_fill_positions);
}

static void mesh_normals_band(terrain__call *call, uint32_t index)
{
    mesh_write_band(call, index, mesh_fill_normals);
}

static terrain_status mesh_write_vertices(terrain__reader *reader, const terrain_heightmap *map,
                                          struct mesh *mesh, terrain__task *band)
{
    const uint64_t last = mesh_vertex_count(mesh) - 1;
    if (mesh->stride < 3 || mesh->stride > (PTRDIFF_MAX - 3) / (last + 1)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "stride is %llu, must be at least 3, and addressable",
                                    (unsigned long long)mesh->stride);
    }
    terrain_status status = mesh_check_buffer(reader, map, mesh->floats, last * mesh->stride + 3);
    if (status == TERRAIN_SUCCESS) {
        status = mesh_run(reader, map, mesh, terrain__bands_of(mesh->height, 1).count, band);
    }
    return status;
}

static terrain_status mesh_vertices(terrain_context *context, const char *name,
                                    const terrain_heightmap *map, const terrain_mesh_desc *desc,
                                    float *buffer, size_t stride, terrain__task *band)
{
    struct mesh mesh;
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, name);
    if (status == TERRAIN_SUCCESS) {
        status = mesh_take(&reader, map, desc, &mesh);
        if (status == TERRAIN_SUCCESS) {
            mesh.floats = buffer;
            mesh.stride = stride;
            status = mesh_write_vertices(&reader, map, &mesh, band);
        }
        terrain__reader_leave(&reader, status);
    }
    return status;
}

terrain_status terrain_mesh_positions(terrain_context *context, const terrain_heightmap *map,
                                      const terrain_mesh_desc *desc, float *buffer, size_t stride)
{
    return mesh_vertices(context, "mesh_positions", map, desc, buffer, stride, mesh_positions_band);
}

terrain_status terrain_mesh_normals(terrain_context *context, const terrain_heightmap *map,
                                    const terrain_mesh_desc *desc, float *buffer, size_t stride)
{
    return mesh_vertices(context, "mesh_normals", map, desc, buffer, stride, mesh_normals_band);
}

/* ---- Triangles ------------------------------------------------------------------------------ */

/* The six corners of the first square of a row of vertices, cut by either diagonal. They differ in
 * the third corner of each triangle; clockwise, the second and the third change places. */
static void mesh_corners(const struct mesh *mesh, uint32_t first, uint32_t fixed[MESH_CORNERS],
                         uint32_t other[MESH_CORNERS])
{
    const uint32_t nw = first, ne = first + 1, sw = first + mesh->width, se = sw + 1;
    const uint32_t rising[] = {nw, sw, ne, se, ne, sw}, falling[] = {nw, sw, se, se, ne, nw};
    static const int orders[2][MESH_CORNERS] = {{0, 1, 2, 3, 4, 5}, {0, 2, 1, 3, 5, 4}};
    const int *order = orders[mesh->desc.winding];
    for (int k = 0; k < MESH_CORNERS; k++) {
        fixed[k] = rising[order[k]];
        other[k] = falling[order[k]];
    }
}

static void mesh_indices_band(terrain__call *call, uint32_t index)
{
    const struct mesh *mesh = call->job;
    const struct mesh_kernels *kernels = terrain__mesh_kernels(call->isa);
    const uint32_t squares = mesh->width - 1;
    terrain__bands bands = terrain__bands_of(mesh->height - 1, 1);
    for (uint32_t row = terrain__band_begin(&bands, index); row < terrain__band_end(&bands, index);
         row++) {
        const float *north = call->map.cells + (mesh->y + row) * call->map.stride + mesh->x;
        uint32_t *buffer = mesh->words + (size_t)row * squares * MESH_CORNERS;
        uint32_t fixed[MESH_CORNERS], other[MESH_CORNERS];
        mesh_corners(mesh, row * mesh->width, fixed, other);
        if (mesh->desc.diagonal == TERRAIN_MESH_DIAGONAL_FIXED) {
            kernels->squares(buffer, fixed, squares);
        } else {
            kernels->flatter(buffer, fixed, other, north, north + call->map.stride, squares);
        }
    }
}

static terrain_status mesh_write_indices(terrain__reader *reader, const terrain_heightmap *map,
                                         const terrain_mesh_desc *desc, uint32_t *buffer)
{
    struct mesh mesh;
    terrain_status status = mesh_take(reader, map, desc, &mesh);
    mesh.words = buffer;
    if (status == TERRAIN_SUCCESS) {
        status = mesh_check_buffer(reader, map, buffer, mesh_index_count(&mesh));
    }
    if (status == TERRAIN_SUCCESS && mesh_index_count(&mesh) > 0) {
        status = mesh_run(reader, map, &mesh, terrain__bands_of(mesh.height - 1, 1).count,
                          mesh_indices_band);
    }
    return status;
}

terrain_status terrain_mesh_indices(terrain_context *context, const terrain_heightmap *map,
                                    const terrain_mesh_desc *desc, uint32_t *buffer)
{
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, "mesh_indices");
    if (status == TERRAIN_SUCCESS) {
        status = mesh_write_indices(&reader, map, desc, buffer);
        terrain__reader_leave(&reader, status);
    }
    return status;
}

static terrain_status mesh_count(terrain__reader *reader, const terrain_heightmap *map,
                                 const terrain_mesh_desc *desc, uint32_t *vertices,
                                 uint32_t *indices)
{
    struct mesh mesh;
    if (vertices == NULL || indices == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "%s is NULL",
                                    vertices == NULL ? "vertices" : "indices");
    }
    terrain_status status = mesh_take(reader, map, desc, &mesh);
    if (status == TERRAIN_SUCCESS) {
        *vertices = (uint32_t)mesh_vertex_count(&mesh);
        *indices = (uint32_t)mesh_index_count(&mesh);
    }
    return status;
}

terrain_status terrain_mesh_size(terrain_context *context, const terrain_heightmap *map,
                                 const terrain_mesh_desc *desc, uint32_t *vertices,
                                 uint32_t *indices)
{
    terrain__reader reader;
    if (vertices != NULL) {
        *vertices = 0;
    }
    if (indices != NULL) {
        *indices = 0;
    }
    terrain_status status = terrain__reader_enter(&reader, context, "mesh_size");
    if (status == TERRAIN_SUCCESS) {
        status = mesh_count(&reader, map, desc, vertices, indices);
        terrain__reader_leave(&reader, status);
    }
    return status;
}
