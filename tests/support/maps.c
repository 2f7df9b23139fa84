/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "support/maps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/hosts.h"
#include "support/random.h"
#include "terrain/recipe.h"

static uint64_t hash_cell(uint64_t seed, int64_t x, int64_t y)
{
    test_random random = {seed ^ (uint64_t)x * UINT64_C(0xD6E8FEB86659FD93)};
    random.state = test_bits(&random) ^ (uint64_t)y * UINT64_C(0xA0761D6478BD642F);
    return test_bits(&random);
}

/* Floor division by a power of two. */
static int64_t shift_down(int64_t value, int bits)
{
    return value < 0 ? -((-1 - value) >> bits) - 1 : value >> bits;
}

float test_height(uint64_t seed, int64_t x, int64_t y)
{
    /* Plateaus of 16 and 4 cells and roughness of 1: up to 32 + 8 + 2, in steps of 2^-11. */
    uint64_t coarse = hash_cell(seed + 1, shift_down(x, 4), shift_down(y, 4)) >> 48;
    uint64_t middle = hash_cell(seed + 2, shift_down(x, 2), shift_down(y, 2)) >> 50;
    uint64_t fine = hash_cell(seed, x, y) >> 52;
    return (float)(uint32_t)(coarse + middle + fine) * 0x1p-11f - 21.0f;
}

float test_share(uint64_t seed, int64_t x, int64_t y)
{
    uint32_t bits = (uint32_t)(hash_cell(seed, x, y) >> 48);
    uint32_t quarter = bits >> 14;
    if (quarter == 0) {
        return 0.0f;
    }
    return quarter == 1 ? 1.0f : (float)(bits & 0x3FFF) * 0x1p-14f;
}

float test_point(uint64_t seed, int64_t x, int64_t y)
{
    return hash_cell(seed + 3, x, y) % 16 == 0 ? test_height(seed, x, y) : NAN;
}

typedef float cell_function(uint64_t seed, int64_t x, int64_t y);

static void fill(terrain_heightmap *map, uint64_t seed, cell_function *function)
{
    terrain_window window = test_window_of(map);
    float *row = terrain_heightmap_data(map);
    for (uint32_t y = 0; y < window.height; y++, row += terrain_heightmap_stride(map)) {
        for (uint32_t x = 0; x < window.width; x++) {
            row[x] = function(seed, window.x + x, window.y + y);
        }
    }
}

void test_fill_heights(terrain_heightmap *map, uint64_t seed)
{
    fill(map, seed, test_height);
}

void test_fill_shares(terrain_heightmap *map, uint64_t seed)
{
    fill(map, seed, test_share);
}

void test_fill_points(terrain_heightmap *map, uint64_t seed)
{
    fill(map, seed, test_point);
}

static float poison(void)
{
    const uint32_t bits = TEST_POISON;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void test_fill_poison(terrain_heightmap *map)
{
    terrain_window nothing = test_window_of(map);
    nothing.width = 0;
    test_poison_outside(map, &nothing);
}

void test_fill_level(terrain_heightmap *map, float height)
{
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = height;
    }
}

void test_poison_outside(terrain_heightmap *map, const terrain_window *window)
{
    terrain_window all = test_window_of(map);
    float *row = terrain_heightmap_data(map);
    for (uint32_t y = 0; y < all.height; y++, row += terrain_heightmap_stride(map)) {
        uint64_t down = (uint64_t)(all.y + y) - (uint64_t)window->y;
        for (uint32_t x = 0; x < all.width; x++) {
            uint64_t right = (uint64_t)(all.x + x) - (uint64_t)window->x;
            if (right >= window->width || down >= window->height) {
                row[x] = poison();
            }
        }
    }
}

void test_sprinkle(terrain_heightmap *map, uint64_t seed, uint32_t rarity)
{
    static const float special[] = {
        NAN, INFINITY, -INFINITY, 3.0e38f, -3.0e38f, 1.0e-42f, -0.0f, 16777217.0f,
    };
    terrain_window window = test_window_of(map);
    float *row = terrain_heightmap_data(map);
    for (uint32_t y = 0; y < window.height; y++, row += terrain_heightmap_stride(map)) {
        for (uint32_t x = 0; x < window.width; x++) {
            uint64_t bits = hash_cell(seed ^ 0x5EED, window.x + x, window.y + y);
            if ((bits >> 8) % rarity == 0) {
                row[x] = special[bits % (sizeof special / sizeof special[0])];
            }
        }
    }
}

static void die(const char *what)
{
    fprintf(stderr, "test support: %s\n", what);
    abort();
}

terrain_heightmap *test_map(const terrain_window *window)
{
    terrain_heightmap *map = NULL;
    if (terrain_heightmap_create(NULL, window->width, window->height, &map) != TERRAIN_SUCCESS ||
        terrain_heightmap_set_origin(map, window->x, window->y) != TERRAIN_SUCCESS) {
        die("can't create a map");
    }
    return map;
}

terrain_heightmap *test_clone(const terrain_heightmap *map)
{
    terrain_heightmap *copy = NULL;
    if (terrain_heightmap_clone(NULL, map, &copy) != TERRAIN_SUCCESS) {
        die("can't copy a map");
    }
    return copy;
}

terrain_heightmap *test_map_of_size(uint32_t width, uint32_t height, uint64_t seed)
{
    terrain_window window = {0, 0, width, height};
    terrain_heightmap *map = test_map(&window);
    test_fill_heights(map, seed);
    return map;
}

terrain_heightmap *test_map_of_level(uint32_t width, uint32_t height, float level)
{
    const terrain_window window = {0, 0, width, height};
    terrain_heightmap *map = test_map(&window);
    test_fill_level(map, level);
    return map;
}

terrain_recipe *test_recipe(const char *text)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    if (terrain_recipe_parse(context, text, strlen(text), &recipe) != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n%s\n", text, terrain_context_message(context));
        abort();
    }
    terrain_context_destroy(context);
    return recipe;
}

/* Its result into the map. */
static void run_recipe(const terrain_recipe *recipe, terrain_recipe_run_desc *desc,
                       terrain_heightmap *map)
{
    terrain_context *context = test_plain_context();
    const char *name = NULL;
    desc->output_names = &name;
    desc->outputs = &map;
    desc->output_count = 1;
    if (terrain_recipe_run(context, recipe, desc) != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n", terrain_context_message(context));
        abort();
    }
    terrain_context_destroy(context);
}

terrain_heightmap *test_map_of_recipe(const char *text, uint32_t size, uint64_t seed)
{
    const terrain_window window = {0, 0, size, size};
    terrain_heightmap *map = test_map(&window);
    terrain_recipe *recipe = test_recipe(text);
    terrain_recipe_run_desc desc = test_run_of(&window);
    desc.seed = seed;
    run_recipe(recipe, &desc, map);
    terrain_recipe_destroy(recipe);
    return map;
}

terrain_heightmap *test_map_of_world(const terrain_recipe *recipe, const terrain_window *window,
                                     uint64_t seed, float cell_size)
{
    terrain_heightmap *map = test_map(window);
    terrain_recipe_run_desc desc = test_run_of_world(window);
    desc.seed = seed;
    desc.cell_size = cell_size;
    run_recipe(recipe, &desc, map);
    return map;
}

void test_run_window(terrain_recipe_run_desc *desc, const terrain_window *window)
{
    desc->x = window->x;
    desc->y = window->y;
    desc->width = window->width;
    desc->height = window->height;
}

terrain_recipe_run_desc test_run_of(const terrain_window *window)
{
    terrain_recipe_run_desc desc;
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    test_run_window(&desc, window);
    return desc;
}

terrain_recipe_run_desc test_run_of_world(const terrain_window *window)
{
    terrain_recipe_run_desc desc = test_run_of(window);
    desc.flags |= TERRAIN_RECIPE_WORLD;
    return desc;
}

terrain_window test_window_of(const terrain_heightmap *map)
{
    terrain_window window;
    terrain_heightmap_origin(map, &window.x, &window.y);
    window.width = terrain_heightmap_width(map);
    window.height = terrain_heightmap_height(map);
    return window;
}

static uint32_t canonical_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT32_C(0x7FC00000) : bits;
}

bool test_maps_equal(const terrain_heightmap *a, const terrain_heightmap *b)
{
    if (terrain_heightmap_width(a) != terrain_heightmap_width(b) ||
        terrain_heightmap_height(a) != terrain_heightmap_height(b)) {
        fprintf(stderr, "sizes differ\n");
        return false;
    }
    const float *row_a = terrain_heightmap_const_data(a);
    const float *row_b = terrain_heightmap_const_data(b);
    for (uint32_t y = 0; y < terrain_heightmap_height(a); y++) {
        for (uint32_t x = 0; x < terrain_heightmap_width(a); x++) {
            if (canonical_bits(row_a[x]) != canonical_bits(row_b[x])) {
                fprintf(stderr, "cell (%" PRIu32 ", %" PRIu32 "): %a and %a\n", x, y,
                        (double)row_a[x], (double)row_b[x]);
                return false;
            }
        }
        row_a += terrain_heightmap_stride(a);
        row_b += terrain_heightmap_stride(b);
    }
    return true;
}

static float at(const terrain_heightmap *map, int64_t x, int64_t y)
{
    terrain_window window = test_window_of(map);
    if (x < window.x || y < window.y || x - window.x >= window.width ||
        y - window.y >= window.height) {
        die("a window that leaves its map");
    }
    size_t index = (size_t)(y - window.y) * terrain_heightmap_stride(map) + (size_t)(x - window.x);
    return terrain_heightmap_const_data(map)[index];
}

bool test_windows_equal(const terrain_heightmap *a, const terrain_heightmap *b,
                        const terrain_window *window)
{
    for (int64_t y = window->y; y < window->y + window->height; y++) {
        for (int64_t x = window->x; x < window->x + window->width; x++) {
            if (canonical_bits(at(a, x, y)) != canonical_bits(at(b, x, y))) {
                fprintf(stderr, "world cell (%" PRId64 ", %" PRId64 "): %a and %a\n", x, y,
                        (double)at(a, x, y), (double)at(b, x, y));
                return false;
            }
        }
    }
    return true;
}

test_summary test_summarize(const terrain_heightmap *map)
{
    test_summary s = {0, 0, HUGE_VAL, -HUGE_VAL, 0};
    for_each_cell(map, x, y) {
        const double h = (double)test_at(map, x, y);
        s.sum += h;
        s.squares += h * h;
        s.minimum = fmin(s.minimum, h);
        s.maximum = fmax(s.maximum, h);
    }
    s.largest = fmax(fabs(s.minimum), fabs(s.maximum));
    return s;
}

double test_largest_difference(const terrain_heightmap *a, const terrain_heightmap *b)
{
    double most = 0;
    for_each_cell(a, x, y) {
        most = fmax(most, fabs((double)test_at(a, x, y) - (double)test_at(b, x, y)));
    }
    return most;
}

float test_lowest_around(const terrain_heightmap *map, int64_t x, int64_t y)
{
    float lowest = INFINITY;
    for (int64_t k = 0; k < 9; k++) {
        const int64_t u = x + k % 3 - 1, v = y + k / 3 - 1;
        if (k != 4 && u >= 0 && u < terrain_heightmap_width(map) && v >= 0 &&
            v < terrain_heightmap_height(map)) {
            lowest = test_at(map, u, v) < lowest ? test_at(map, u, v) : lowest;
        }
    }
    return lowest;
}

uint32_t *test_snapshot(const terrain_heightmap *map)
{
    size_t width = terrain_heightmap_width(map);
    uint32_t height = terrain_heightmap_height(map);
    uint32_t *bits = malloc(width * height * sizeof *bits);
    if (bits == NULL) {
        die("no memory");
    }
    for (uint32_t y = 0; y < height; y++) {
        memcpy(bits + y * width,
               terrain_heightmap_const_data(map) + y * terrain_heightmap_stride(map),
               width * sizeof *bits);
    }
    return bits;
}

bool test_unchanged(const terrain_heightmap *map, uint32_t *snapshot)
{
    uint32_t *now = test_snapshot(map);
    size_t cells = (size_t)terrain_heightmap_width(map) * terrain_heightmap_height(map);
    bool same = memcmp(now, snapshot, cells * sizeof *now) == 0;
    free(now);
    free(snapshot);
    return same;
}
