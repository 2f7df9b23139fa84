/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards meshes: places, normals and triangles of every cell, what is written and what not,
 * limits. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/maps.h"
#include "terrain/terrain.h"

static const uint32_t sizes[][2] = {{1, 1},   {1, 7},  {9, 1},    {2, 2},   {17, 3},
                                    {18, 18}, {33, 5}, {131, 40}, {300, 20}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

#define SENTINEL (-12345.0f)

static terrain_mesh_desc defaults(void)
{
    terrain_mesh_desc desc;
    assert_int_equal(terrain_mesh_desc_init(&desc, sizeof desc), TERRAIN_SUCCESS);
    return desc;
}

static float *floats_of(size_t count)
{
    float *floats = malloc((count + 1) * sizeof *floats);
    for (size_t i = 0; i <= count; i++) {
        floats[i] = SENTINEL;
    }
    return floats;
}

static float height_at(const terrain_heightmap *map, uint32_t x, uint32_t y)
{
    return terrain_heightmap_const_data(map)[y * terrain_heightmap_stride(map) + x];
}

/* Numbers in the wrong order or with the wrong sign, a stride that is ignored, or something written
 * between vertices or behind the last one. */
static void test_positions(void **state)
{
    const float cell = 0.3f;
    for (uint32_t i = 0; i < SIZES * 4; i++) {
        const uint32_t width = sizes[i / 4][0], height = sizes[i / 4][1];
        terrain_mesh_desc desc = defaults();
        desc.axes = i % 4;
        terrain_heightmap *map = test_map_of_size(width, height, 5);
        terrain_heightmap_set_cell_size(map, cell);
        terrain_heightmap_set_origin(map, INT64_C(1) << 61, -(INT64_C(1) << 61));
        const size_t stride = 3 + i % 5, last = (size_t)width * height - 1;
        float *buffer = floats_of(last * stride + 3);
        assert_int_equal(terrain_mesh_positions(NULL, map, &desc, buffer, stride), TERRAIN_SUCCESS);
        for (size_t v = 0; v <= last; v++) {
            const float east = (float)(v % width) * cell, south = (float)(v / width) * cell;
            const float up = height_at(map, (uint32_t)(v % width), (uint32_t)(v / width));
            const float wanted[4][3] = {
                {east, up, south}, {east, 0 - south, up}, {east, up, 0 - south}, {east, south, up}};
            assert_memory_equal(buffer + v * stride, wanted[desc.axes], sizeof wanted[0]);
            for (size_t k = 3; k < stride && v < last; k++) {
                assert_true(buffer[v * stride + k] == SENTINEL);
            }
        }
        assert_true(buffer[last * stride + 3] == SENTINEL);
        free(buffer);
        terrain_heightmap_destroy(map);
    }
}

/* The three maps of analyze_normals. */
struct normals {
    terrain_heightmap *x, *y, *z;
};

static struct normals normals_of(const terrain_heightmap *map)
{
    struct normals normals;
    terrain_analyze_normals_params params;
    terrain_heightmap_clone(NULL, map, &normals.x);
    terrain_heightmap_clone(NULL, map, &normals.y);
    terrain_heightmap_clone(NULL, map, &normals.z);
    terrain_analyze_normals_params_init(&params, sizeof params);
    params.normal_y = normals.y;
    params.normal_z = normals.z;
    assert_int_equal(terrain_analyze_normals(NULL, map, normals.x, &params), TERRAIN_SUCCESS);
    return normals;
}

static void destroy_normals(struct normals *normals)
{
    terrain_heightmap_destroy(normals->x);
    terrain_heightmap_destroy(normals->y);
    terrain_heightmap_destroy(normals->z);
}

/* A normal that is not that of analyze_normals, or not of length 1, at some instruction set. */
static void test_normals(void **state)
{
    for (uint32_t i = 0; i < SIZES * test_isa_count(); i++) {
        const uint32_t width = sizes[i % SIZES][0], height = sizes[i % SIZES][1];
        terrain_context *context = test_context(test_isa_at(i / SIZES), NULL, NULL, NULL);
        terrain_heightmap *map = test_map_of_size(width, height, 6);
        terrain_heightmap_set_cell_size(map, 1.7f);
        struct normals normals = normals_of(map);
        terrain_mesh_desc desc = defaults();
        float *buffer = floats_of((size_t)width * height * 3);
        desc.axes = TERRAIN_MESH_AXES_Z_UP_LEFT;
        assert_int_equal(terrain_mesh_normals(context, map, &desc, buffer, 3), TERRAIN_SUCCESS);
        for (uint32_t v = 0; v < width * height; v++) {
            const float *normal = buffer + 3 * (size_t)v;
            const float wanted[] = {height_at(normals.x, v % width, v / width),
                                    height_at(normals.y, v % width, v / width),
                                    height_at(normals.z, v % width, v / width)};
            double square = 0;
            assert_memory_equal(normal, wanted, sizeof wanted);
            for (int k = 0; k < 3; k++) {
                square += (double)normal[k] * (double)normal[k];
            }
            assert_true(fabs(square - 1) < 6e-7);
        }
        assert_true(buffer[(size_t)width * height * 3] == SENTINEL);
        free(buffer);
        destroy_normals(&normals);
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
    }
}

/* A window whose mesh is not that part of the whole's: seams between tiles. */
static void test_windows(void **state)
{
    enum { WIDTH = 70, HEIGHT = 50 };
    test_random random = {7};
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 8);
    float *whole = floats_of(WIDTH * HEIGHT * 3);
    float *part = floats_of(WIDTH * HEIGHT * 3);
    terrain_heightmap_set_origin(map, -30, 1000);
    assert_int_equal(terrain_mesh_normals(NULL, map, NULL, whole, 3), TERRAIN_SUCCESS);
    for (int round = 0; round < 200; round++) {
        terrain_mesh_desc desc = defaults();
        terrain_window *window = &desc.window;
        uint32_t vertices, indices;
        window->x = test_between(&random, -30, -30 + WIDTH - 1);
        window->y = test_between(&random, 1000, 1000 + HEIGHT - 1);
        window->width = 1 + (uint32_t)test_below(&random, (uint64_t)(WIDTH - 30 - window->x));
        window->height = 1 + (uint32_t)test_below(&random, (uint64_t)(HEIGHT + 1000 - window->y));
        assert_int_equal(terrain_mesh_size(NULL, map, &desc, &vertices, &indices), TERRAIN_SUCCESS);
        assert_int_equal(vertices, window->width * window->height);
        assert_int_equal(indices, 6 * (window->width - 1) * (window->height - 1));
        assert_int_equal(terrain_mesh_normals(NULL, map, &desc, part, 3), TERRAIN_SUCCESS);
        for (uint32_t v = 0; v < vertices; v++) {
            size_t x = (size_t)(window->x + 30) + v % window->width;
            size_t y = (size_t)(window->y - 1000) + v / window->width;
            assert_memory_equal(part + 3 * (size_t)v, whole + 3 * (y * WIDTH + x), 12);
        }
        assert_int_equal(terrain_mesh_positions(NULL, map, &desc, part, 3), TERRAIN_SUCCESS);
        assert_true(part[0] == 0 && part[2] == 0);
        assert_true(part[1] ==
                    height_at(map, (uint32_t)(window->x + 30), (uint32_t)(window->y - 1000)));
    }
    free(whole);
    free(part);
    terrain_heightmap_destroy(map);
}

static uint32_t *indices_of(const terrain_heightmap *map, const terrain_mesh_desc *desc,
                            uint32_t *count)
{
    uint32_t vertices;
    assert_int_equal(terrain_mesh_size(NULL, map, desc, &vertices, count), TERRAIN_SUCCESS);
    uint32_t *indices = malloc((*count + 1) * sizeof *indices);
    indices[*count] = 77;
    assert_int_equal(terrain_mesh_indices(NULL, map, desc, indices), TERRAIN_SUCCESS);
    assert_int_equal(indices[*count], 77);
    for (uint32_t i = 0; i < *count; i++) {
        assert_true(indices[i] < vertices);
    }
    return indices;
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A hole, a triangle twice or the wrong way round: each directed edge may come once; an edge's two
 * directions belong to two triangles, but along the rim; and vertices - edges + triangles is 1, as
 * of every disc. */
static void test_topology(void **state)
{
    for (uint32_t i = 0; i < SIZES * 4; i++) {
        const uint32_t width = sizes[i / 4][0], height = sizes[i / 4][1];
        terrain_mesh_desc desc = defaults();
        terrain_heightmap *map = test_map_of_size(width, height, 9);
        uint32_t count, rim = 0;
        desc.winding = i % 2;
        desc.diagonal = i / 2 % 2;
        uint32_t *indices = indices_of(map, &desc, &count);
        uint64_t *edges = malloc((count + 1) * sizeof *edges);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t next = k % 3 == 2 ? k - 2 : k + 1;
            edges[k] = (uint64_t)indices[k] << 32 | indices[next];
        }
        qsort(edges, count, sizeof *edges, compare_edges);
        for (uint32_t k = 0; k < count; k++) {
            uint64_t back = edges[k] << 32 | edges[k] >> 32;
            assert_true(k == 0 || edges[k] != edges[k - 1]);
            rim += bsearch(&back, edges, count, sizeof *edges, compare_edges) == NULL;
        }
        if (width > 1 && height > 1) {
            assert_int_equal(rim, 2 * (width - 1) + 2 * (height - 1));
            assert_int_equal(width * height - (count - rim) / 2 - rim + count / 3, 1);
        } else {
            assert_int_equal(count, 0);
        }
        free(edges);
        free(indices);
        terrain_heightmap_destroy(map);
    }
}

/* East and north of a vertex as it was written, whatever the axes. */
static void plan_of(const float *vertex, terrain_mesh_axes axes, double plan[2])
{
    const bool y_up = axes == TERRAIN_MESH_AXES_Y_UP || axes == TERRAIN_MESH_AXES_Y_UP_LEFT;
    const bool south = axes == TERRAIN_MESH_AXES_Y_UP || axes == TERRAIN_MESH_AXES_Z_UP_LEFT;
    plan[0] = vertex[0];
    plan[1] = (south ? -1.0 : 1.0) * vertex[y_up ? 2 : 1];
}

/* Twice the area of a triangle on the plan, positive if anticlockwise. */
static double area_of(const float *positions, const uint32_t *triangle, terrain_mesh_axes axes)
{
    double a[2], b[2], c[2];
    plan_of(positions + 3 * (size_t)triangle[0], axes, a);
    plan_of(positions + 3 * (size_t)triangle[1], axes, b);
    plan_of(positions + 3 * (size_t)triangle[2], axes, c);
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Triangles that show their backs. */
static void test_winding(void **state)
{
    terrain_heightmap *map = test_map_of_size(37, 21, 10);
    float *positions = floats_of(37 * 21 * 3);
    for (uint32_t i = 0; i < 16; i++) {
        terrain_mesh_desc desc = defaults();
        uint32_t count;
        desc.axes = i % 4;
        desc.winding = i / 4 % 2;
        desc.diagonal = i / 8;
        uint32_t *indices = indices_of(map, &desc, &count);
        assert_int_equal(terrain_mesh_positions(NULL, map, &desc, positions, 3), TERRAIN_SUCCESS);
        for (uint32_t k = 0; k < count; k += 3) {
            assert_true(area_of(positions, indices + k, desc.axes) == (desc.winding == 0 ? 1 : -1));
        }
        free(indices);
    }
    free(positions);
    terrain_heightmap_destroy(map);
}

/* Whether a square's first triangle has its north-eastern corner: then it is cut from there. */
static bool is_rising(const uint32_t *square, uint32_t ne)
{
    return square[0] == ne || square[1] == ne || square[2] == ne;
}

/* The longer diagonal, or a choice that NaN or a tie upsets. */
static void test_diagonal(void **state)
{
    enum { WIDTH = 45, HEIGHT = 30 };
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 11);
    terrain_mesh_desc desc = defaults();
    uint32_t count, falling = 0;
    test_sprinkle(map, 12, 60);
    uint32_t *fixed = indices_of(map, &desc, &count);
    desc.diagonal = TERRAIN_MESH_DIAGONAL_FLATTER;
    uint32_t *flatter = indices_of(map, &desc, &count);
    for (uint32_t i = 0; i < count / 6; i++) {
        uint32_t x = i % (WIDTH - 1), y = i / (WIDTH - 1), ne = y * WIDTH + x + 1;
        float down = fabsf(height_at(map, x, y) - height_at(map, x + 1, y + 1));
        float up = fabsf(height_at(map, x + 1, y) - height_at(map, x, y + 1));
        assert_true(is_rising(fixed + 6 * (size_t)i, ne));
        assert_int_equal(is_rising(flatter + 6 * (size_t)i, ne), !(down < up));
        falling += down < up;
    }
    assert_in_range(falling, count / 30, count / 7);
    free(flatter);
    float *cells = terrain_heightmap_data(map);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        cells[i] = (float)(i % WIDTH);
    }
    flatter = indices_of(map, &desc, &count); /* all ties */
    assert_memory_equal(flatter, fixed, count * sizeof *fixed);
    free(fixed);
    free(flatter);
    terrain_heightmap_destroy(map);
}

/* A NaN that reaches farther than its neighbours' normals, or a height that is changed. */
static void test_not_finite(void **state)
{
    enum { SIZE = 40 };
    terrain_heightmap *map = test_map_of_size(SIZE, SIZE, 13);
    float *positions = floats_of(SIZE * SIZE * 3), *normals = floats_of(SIZE * SIZE * 3);
    terrain_heightmap_data(map)[20 * SIZE + 20] = NAN;
    terrain_heightmap_data(map)[3] = -INFINITY;
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, positions, 3), TERRAIN_SUCCESS);
    assert_int_equal(terrain_mesh_normals(NULL, map, NULL, normals, 3), TERRAIN_SUCCESS);
    assert_true(isnan(positions[3 * (20 * SIZE + 20) + 1]));
    assert_true(positions[3 * 3 + 1] == -INFINITY);
    for (int y = 10; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            bool near = abs(x - 20) <= 1 && abs(y - 20) <= 1 && (x != 20 || y != 20);
            assert_int_equal(isnan(normals[3 * (y * SIZE + x)]), near);
        }
    }
    free(positions);
    free(normals);
    terrain_heightmap_destroy(map);
}

/* Other bits, or cells left out, on some runner or instruction set. */
static void test_runners(void **state)
{
    enum {
        WIDTH = 150,
        HEIGHT = 77,
        FLOATS = WIDTH * HEIGHT * 6,
        INDICES = 6 * (WIDTH - 1) * (HEIGHT - 1)
    };
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 14);
    float *wanted = floats_of(FLOATS), *found = floats_of(FLOATS);
    uint32_t count;
    terrain_mesh_desc desc = defaults();
    desc.diagonal = TERRAIN_MESH_DIAGONAL_FLATTER;
    uint32_t *triangles = indices_of(map, &desc, &count), *again = malloc(INDICES * sizeof *again);
    terrain_mesh_positions(NULL, map, &desc, wanted, 6);
    terrain_mesh_normals(NULL, map, &desc, wanted + 3, 6);
    for (uint32_t i = 0; i < TEST_RUN_KINDS * test_isa_count(); i++) {
        test_runner runner = {.kind = (int)(i % TEST_RUN_KINDS), .seed = i};
        terrain_context *context =
            test_context(test_isa_at(i / TEST_RUN_KINDS), &runner, NULL, NULL);
        memset(found, 0, FLOATS * sizeof *found);
        memset(again, 0, INDICES * sizeof *again);
        assert_int_equal(terrain_mesh_positions(context, map, &desc, found, 6), TERRAIN_SUCCESS);
        assert_int_equal(terrain_mesh_normals(context, map, &desc, found + 3, 6), TERRAIN_SUCCESS);
        assert_int_equal(terrain_mesh_indices(context, map, &desc, again), TERRAIN_SUCCESS);
        assert_memory_equal(found, wanted, FLOATS * sizeof *found);
        assert_memory_equal(again, triangles, INDICES * sizeof *again);
        terrain_context_destroy(context);
    }
    free(wanted);
    free(found);
    free(triangles);
    free(again);
    terrain_heightmap_destroy(map);
}

static terrain_status size_of(uint32_t width, uint32_t height, uint32_t *vertices,
                              uint32_t *indices)
{
    static float cell;
    terrain_heightmap *map = NULL;
    terrain_status status = terrain_heightmap_wrap_const(NULL, &cell, width, height, width, &map);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_mesh_size(NULL, map, NULL, vertices, indices);
    }
    terrain_heightmap_destroy(map);
    return status;
}

/* Counts that wrap round. The maps have these sizes, but nobody looks at their cells. */
static void test_limits(void **state)
{
    uint32_t vertices, indices;
    assert_int_equal(size_of(1, 1, &vertices, &indices), TERRAIN_SUCCESS);
    assert_int_equal(vertices, 1);
    assert_int_equal(indices, 0);
#if SIZE_MAX > UINT32_MAX
    assert_int_equal(size_of(26755, 26755, &vertices, &indices), TERRAIN_SUCCESS);
    assert_true(vertices == UINT32_C(715830025) && indices == UINT32_C(4294659096));
    assert_int_equal(size_of(26756, 26756, &vertices, &indices), TERRAIN_ERROR_RANGE);
    assert_true(vertices == 0 && indices == 0);
    assert_int_equal(size_of(65536, 65536, &vertices, &indices), TERRAIN_ERROR_RANGE);
#endif
    assert_int_equal(size_of(1u << 24, 1, &vertices, &indices), TERRAIN_SUCCESS);
    assert_int_equal(size_of(1, 1u << 24, &vertices, &indices), TERRAIN_SUCCESS);
    assert_int_equal(size_of((1u << 24) + 1, 1, &vertices, &indices), TERRAIN_ERROR_RANGE);
    assert_int_equal(size_of(1, (1u << 24) + 1, &vertices, &indices), TERRAIN_ERROR_RANGE);
}

static void expect_window(const terrain_heightmap *map, int64_t x, int64_t y, uint32_t width,
                          uint32_t height, terrain_status wanted)
{
    terrain_mesh_desc desc = defaults();
    uint32_t vertices, indices;
    const terrain_window window = {x, y, width, height};
    desc.window = window;
    assert_int_equal(terrain_mesh_size(NULL, map, &desc, &vertices, &indices), wanted);
}

/* Positions of 8 x 6 cells that begin `distance` floats behind the buffer's first. */
static void expect_overlap(size_t distance, terrain_status wanted)
{
    float memory[4 * 48] = {0};
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, memory + distance, 8, 6, 8, &map),
                     TERRAIN_SUCCESS);
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, memory, 3), wanted);
    terrain_heightmap_destroy(map);
}

/* Positions that begin where the cells of the map end. */
static void expect_behind(void)
{
    float memory[4 * 48] = {0};
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, memory, 8, 6, 8, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, memory + 47, 3), TERRAIN_ERROR_ALIAS);
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, memory + 48, 3), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

/* Windows that leave the map, and are taken, or that lie in it, and are refused. */
static void test_refused_windows(void **state)
{
    terrain_heightmap *map = test_map_of_size(8, 6, 15);
    expect_window(map, 0, 0, 8, 6, TERRAIN_SUCCESS);
    expect_window(map, 7, 5, 1, 1, TERRAIN_SUCCESS);
    expect_window(map, 1, 0, 8, 6, TERRAIN_ERROR_RANGE);
    expect_window(map, 0, 1, 8, 6, TERRAIN_ERROR_RANGE);
    expect_window(map, -1, 0, 2, 2, TERRAIN_ERROR_RANGE);
    expect_window(map, 8, 0, 1, 1, TERRAIN_ERROR_RANGE);
    expect_window(map, 0, 0, 4, 0, TERRAIN_ERROR_RANGE);
    expect_window(map, INT64_MIN, INT64_MAX, UINT32_MAX, UINT32_MAX, TERRAIN_ERROR_RANGE);
    terrain_heightmap_set_origin(map, -TERRAIN_WORLD_LIMIT, -TERRAIN_WORLD_LIMIT);
    expect_window(map, -TERRAIN_WORLD_LIMIT, -TERRAIN_WORLD_LIMIT, 8, 6, TERRAIN_SUCCESS);
    expect_window(map, INT64_MAX, -TERRAIN_WORLD_LIMIT, 1, 1, TERRAIN_ERROR_RANGE);
    expect_window(map, -TERRAIN_WORLD_LIMIT, INT64_MAX, 1, 1, TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(map);
}

/* Buffers that are missing, in the way, badly aligned or strided, and are taken, or written. */
static void test_refused_buffers(void **state)
{
    /* More bytes than differences of pointers hold; 47 strides that wrap round to one. */
    static const size_t strides[] = {2, PTRDIFF_MAX / 144, SIZE_MAX / 47 + 1, SIZE_MAX / 8};
    terrain_heightmap *map = test_map_of_size(8, 6, 15);
    terrain_context *context = test_plain_context();
    float *buffer = floats_of(8 * 6 * 3);
    float *between = (float *)(void *)((char *)buffer + 2);
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        assert_int_equal(terrain_mesh_positions(NULL, map, NULL, buffer, strides[i]),
                         TERRAIN_ERROR_ARGUMENT);
    }
    assert_int_equal(terrain_mesh_positions(context, map, NULL, buffer, 2), TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context),
                        "mesh_positions: stride is 2, must be at least 3, and addressable");
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, NULL, 3), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_mesh_normals(NULL, NULL, NULL, buffer, 3), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_mesh_indices(NULL, map, NULL, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, terrain_heightmap_data(map), 3),
                     TERRAIN_ERROR_ALIAS);
    expect_overlap(3 * 48 - 1, TERRAIN_ERROR_ALIAS);
    expect_overlap(3 * 48, TERRAIN_SUCCESS);
    expect_behind();
    assert_int_equal(terrain_mesh_positions(context, map, NULL, between, 3),
                     TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context),
                        "mesh_positions: buffer must be aligned to 4 bytes");
    assert_int_equal(terrain_mesh_indices(NULL, map, NULL, (uint32_t *)(void *)between),
                     TERRAIN_ERROR_ARGUMENT);
    terrain_context_cancel(context);
    assert_int_equal(terrain_mesh_normals(context, map, NULL, buffer, 3), TERRAIN_ERROR_CANCELLED);
    for (int i = 0; i < 8 * 6 * 3; i++) {
        assert_true(buffer[i] == SENTINEL);
    }
    free(buffer);
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

/* A size that is told though one of its numbers has no place. */
static void test_refused_sizes(void **state)
{
    terrain_heightmap *map = test_map_of_size(8, 6, 15);
    terrain_context *context = test_plain_context();
    uint32_t count = 7;
    assert_int_equal(terrain_mesh_size(NULL, map, NULL, NULL, &count), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
    count = 7;
    assert_int_equal(terrain_mesh_size(context, map, NULL, &count, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context), "mesh_size: indices is NULL");
    assert_int_equal(count, 0);
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

/* Descs that are not initialised, or ask for what is not there, and are taken. */
static void test_refused_descs(void **state)
{
    terrain_heightmap *map = test_map_of_size(8, 6, 15);
    terrain_context *context = test_plain_context();
    terrain_mesh_desc desc = defaults();
    float *buffer = floats_of(8 * 6 * 3);
    uint32_t words[6 * 7 * 5];
    memset(words, 0x55, sizeof words);
    desc.axes = 4;
    assert_int_equal(terrain_mesh_indices(context, map, &desc, words), TERRAIN_ERROR_RANGE);
    assert_string_equal(terrain_context_message(context),
                        "mesh_indices: axes is 4, must be in [0, 3]");
    desc = defaults();
    desc.winding = TERRAIN_MESH_WINDING_CLOCKWISE + 1;
    assert_int_equal(terrain_mesh_indices(NULL, map, &desc, words), TERRAIN_ERROR_RANGE);
    desc = defaults();
    desc.diagonal = TERRAIN_MESH_DIAGONAL_FLATTER + 1;
    assert_int_equal(terrain_mesh_indices(NULL, map, &desc, words), TERRAIN_ERROR_RANGE);
    desc = defaults();
    desc.window = (terrain_window){-5, 0, 8, 6};
    assert_int_equal(terrain_mesh_indices(context, map, &desc, words), TERRAIN_ERROR_RANGE);
    assert_string_equal(terrain_context_message(context),
                        "mesh_indices: the window, 8x6 cells at (-5, 0), must lie within the map, "
                        "8x6 cells at (0, 0)");
    desc = defaults();
    desc.reserved = 1;
    assert_int_equal(terrain_mesh_indices(NULL, map, &desc, words), TERRAIN_ERROR_ARGUMENT);
    memset(&desc, 0, sizeof desc);
    assert_int_equal(terrain_mesh_normals(NULL, map, &desc, buffer, 3), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_mesh_desc_init(&desc, sizeof desc - 1), TERRAIN_ERROR_ARGUMENT);
    for (int i = 0; i < 8 * 6 * 3; i++) {
        assert_true(buffer[i] == SENTINEL);
    }
    assert_true(words[0] == 0x55555555u);
    free(buffer);
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),       cmocka_unit_test(test_normals),
        cmocka_unit_test(test_windows),         cmocka_unit_test(test_topology),
        cmocka_unit_test(test_winding),         cmocka_unit_test(test_diagonal),
        cmocka_unit_test(test_not_finite),      cmocka_unit_test(test_runners),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_refused_windows),
        cmocka_unit_test(test_refused_buffers), cmocka_unit_test(test_refused_sizes),
        cmocka_unit_test(test_refused_descs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
