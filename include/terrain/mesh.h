/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Regular meshes: a vertex for each cell, two triangles for each square of four, into the caller's
 * buffers.
 *
 *     uint32_t vertices, indices;
 *     terrain_mesh_size(NULL, map, NULL, &vertices, &indices);
 *     float *buffer = malloc(6 * sizeof *buffer * vertices);
 *     uint32_t *triangles = malloc(sizeof *triangles * indices);
 *     terrain_mesh_positions(NULL, map, NULL, buffer, 6);
 *     terrain_mesh_normals(NULL, map, NULL, buffer + 3, 6);
 *     terrain_mesh_indices(NULL, map, NULL, triangles);
 *
 * Vertices are numbered row by row from the north-western cell: the vertex of column c and row r
 * has the index r * width + c. The map is only read; no call needs memory. The context's runner
 * does the work; the result is the same, bit for bit, with any runner. Every call takes a NULL
 * context, and a NULL desc for the defaults.
 *
 * Errors of every call: ARGUMENT (NULL; a desc that terrain_mesh_desc_init has not initialised, or
 * whose reserved field is not 0; a buffer that is not aligned to 4 bytes; a stride below 3, or too
 * large to address); RANGE: an unknown value in the desc; a window that does not lie within the
 * map, or is wider or higher than 2^24; more than 2^32 - 1 vertices or indices; ALIAS if the buffer
 * overlaps the map; CANCELLED; BUSY. On error nothing is written. */

#ifndef TERRAIN_MESH_H
#define TERRAIN_MESH_H

#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The axes of a vertex's three coordinates. */
typedef uint32_t terrain_mesh_axes;
enum {
    /** east, up, south: right-handed, as glTF and OpenGL */
    TERRAIN_MESH_AXES_Y_UP = 0,
    /** east, north, up: right-handed, as maps and Blender */
    TERRAIN_MESH_AXES_Z_UP = 1,
    /** east, up, north: left-handed, as Unity */
    TERRAIN_MESH_AXES_Y_UP_LEFT = 2,
    /** east, south, up: left-handed, as Unreal, and as the maps of analyze_normals */
    TERRAIN_MESH_AXES_Z_UP_LEFT = 3
};

/** The order of a triangle's corners, seen from above; the same for all axes. */
typedef uint32_t terrain_mesh_winding;
enum {
    /** the front of glTF and OpenGL */
    TERRAIN_MESH_WINDING_ANTICLOCKWISE = 0,
    /** the front of Direct3D and Unity */
    TERRAIN_MESH_WINDING_CLOCKWISE = 1
};

/** Which diagonal divides a square into two triangles. */
typedef uint32_t terrain_mesh_diagonal;
enum {
    /** from the north-eastern to the south-western corner, in every square */
    TERRAIN_MESH_DIAGONAL_FIXED = 0,
    /** the diagonal whose ends differ less in height, so that ridges and valleys from north-west to
     * south-east don't become saw teeth; FIXED where both are equal or a height is NaN */
    TERRAIN_MESH_DIAGONAL_FLATTER = 1
};

typedef struct terrain_mesh_desc {
    uint32_t struct_size;
    uint32_t flags;
    /** The cells that become vertices, in world coordinates (the map's first cell lies at its
     * origin). Default: width 0, which means the whole map. */
    terrain_window window;
    terrain_mesh_axes axes;         /**< default Y_UP */
    terrain_mesh_winding winding;   /**< default ANTICLOCKWISE */
    terrain_mesh_diagonal diagonal; /**< default FIXED */
    uint32_t reserved;              /**< 0 */
} terrain_mesh_desc;

/** Writes the defaults; size is sizeof *desc. Errors: ARGUMENT. Since 0.1. */
TERRAIN_API terrain_status terrain_mesh_desc_init(terrain_mesh_desc *desc, size_t size);

/** Computes the number of vertices, width * height, and the number of indices, 6 (width - 1)
 * (height - 1), three for each triangle; a single row or column has no indices. On error both are
 * 0. Since 0.1. */
TERRAIN_API terrain_status terrain_mesh_size(terrain_context *context, const terrain_heightmap *map,
                                             const terrain_mesh_desc *desc, uint32_t *vertices,
                                             uint32_t *indices);

/** Writes three floats for each vertex, `stride` floats from one vertex to the next; the floats
 * between are not written. For column c and row r of the window:
 *
 *     east = c * cell_size, south = r * cell_size, north = 0 - south, up = the height
 *
 * each rounded once. East and south are counted from the window's first cell, not from the world's
 * origin, so they are equally exact everywhere in the world: place the mesh by the window's
 * position. NaN and infinite heights are written as they are. Since 0.1. */
TERRAIN_API terrain_status terrain_mesh_positions(terrain_context *context,
                                                  const terrain_heightmap *map,
                                                  const terrain_mesh_desc *desc, float *buffer,
                                                  size_t stride);

/** Writes the surface normal of each vertex, a unit vector, with the same bits as
 * terrain_analyze_normals (0 - y where the axis points north).
 *
 * Reads one cell beyond each vertex, wherever the map has one. So a tile's normals equal the
 * normals of the whole terrain, seams included, if the map has a ring of one cell around the
 * window; at the map's own edge the surface goes on straight. NaN among a cell's eight neighbours
 * gives NaN.
 * Since 0.1. */
TERRAIN_API terrain_status terrain_mesh_normals(terrain_context *context,
                                                const terrain_heightmap *map,
                                                const terrain_mesh_desc *desc, float *buffer,
                                                size_t stride);

/** Writes the indices of the triangles, square by square in the order of the squares' north-western
 * corners. In each square the triangle with the north-western corner comes first and begins with
 * that corner; then the triangle with the south-eastern corner, which begins with that corner.
 * Heights are read for DIAGONAL_FLATTER alone. Since 0.1. */
TERRAIN_API terrain_status terrain_mesh_indices(terrain_context *context,
                                                const terrain_heightmap *map,
                                                const terrain_mesh_desc *desc, uint32_t *buffer);

#ifdef __cplusplus
}
#endif

#endif
