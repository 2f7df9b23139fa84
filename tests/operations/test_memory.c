/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against headers that promise less memory than calls take, or far more: what each entry of
 * an operation that follows water says, and some others', from a single cell to a million, on one
 * thread and two. */

#include <string.h>

#include "base/memory.h"
#include "support/check.h"

enum {
    KIB = 1024,
    MOST_SETTINGS = 4,
    FENCES = 64 * TERRAIN__FENCE /* under AddressSanitizer: behind each piece of a call's scratch */
};

/* What the header says: bytes a cell, of each row and column, besides, and for each 64 rows. */
struct bound {
    const char *operation;
    const char *settings[MOST_SETTINGS]; /* "name=value" */
    uint32_t cell, line, besides, band;
};

static const struct bound bounds[] = {
    {"analyze_basins", {NULL}, 45, 3 * KIB, 64 * KIB, 0},
    {"analyze_basins", {"order=yes"}, 45 + 6, 3 * KIB, 64 * KIB, 0},
    {"analyze_basins", {"order=yes", "length=yes"}, 45 + 6 + 4, 3 * KIB, 64 * KIB, 0},
    {"analyze_flow", {NULL}, 45, 3 * KIB, 64 * KIB, 0},
    {"analyze_flow", {"weights=yes", "direction=yes"}, 45, 3 * KIB, 64 * KIB, 0},
    {"analyze_flow", {"method=rho8"}, 45 + 4, 3 * KIB, 64 * KIB, 0},
    {"analyze_flow", {"method=dinf", "weights=yes"}, 73, 3 * KIB, 64 * KIB, 0},
    {"analyze_flow", {"method=mfd", "direction=yes"}, 73, 3 * KIB, 64 * KIB, 0},
    {"erode_canyons_draining", {NULL}, 202, 5 * KIB, 160 * KIB, 0},
    {"erode_canyons_draining", {"floors=yes", "reach=512"}, 202, 5 * KIB, 160 * KIB, 0},
    {"erode_rivers", {NULL}, 77, 3 * KIB, 64 * KIB + 16 * 16 * 16, 0},
    {"erode_rivers", {"reach=256", "rain=yes"}, 77, 3 * KIB, 64 * KIB + 16 * 256 * 256, 0},
    {"erode_rivers", {"method=velocity"}, 118, 3 * KIB, 64 * KIB + 16 * 16 * 16, 0},
    {"erode_stream_power", {NULL}, 61, 3 * KIB, 64 * KIB, 0},
    {"erode_stream_power", {"rivers=yes", "hardness=yes"}, 61 + 2 * 6, 3 * KIB, 64 * KIB, 0},
    {"erode_stream_power",
     {"uplift=yes", "hardness=yes", "rain=yes"},
     61 + 3 * 6 + 4 + 8,
     3 * KIB,
     64 * KIB,
     0},
    {"generate_midpoint", {NULL}, 12, 3 * KIB, 320 * KIB, 0},
    {"generate_midpoint", {"constraints=yes", "mode=recursive"}, 23, 3 * KIB, 320 * KIB, 0},
    {"generate_noise", {NULL}, 0, 0, 48 * KIB, 76 * KIB},
    {"generate_noise", {"warp_amplitude=30"}, 0, 0, 48 * KIB, 774 * KIB},
    {"generate_voronoi", {"id=yes"}, 0, 0, 0, 71 * KIB},
    {"generate_voronoi", {"spacing=4"}, 0, 0, 0, 71 * KIB},
    {"shape_breach", {"depth=yes"}, 37, 3 * KIB, 64 * KIB, 0},
    {"shape_breach", {"mask=yes"}, 37 + 4, 3 * KIB, 64 * KIB, 0},
    {"shape_strata", {"mask=yes"}, 1 + 4, 3 * KIB, 64 * KIB, 0}, /* 16 rows for each 64 are 1 */
    {"shape_fill", {"depth=yes"}, 23, 3 * KIB, 64 * KIB, 0},
    {"shape_fill", {"lakes=yes"}, 23 + 2, 3 * KIB, 64 * KIB, 0},
    {"shape_fill", {"slope=0.001", "lakes=yes"}, 23 + 22 + 2, 3 * KIB, 64 * KIB, 0},
    /* A mask takes another map, and another one for each output. */
    {"shape_fill", {"depth=yes", "lakes=yes", "mask=yes"}, 23 + 2 + 3 * 4, 3 * KIB, 64 * KIB, 0},
};

/* The most bytes that a call of a context of its own takes beside the context. */
static uint64_t bytes_of(test_call *call, terrain_pool *pool)
{
    test_allocator allocator = {0};
    terrain_context *context = NULL;
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.allocator = test_allocator_of(&allocator);
    terrain_pool_runner(pool, &desc.runner);
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_SUCCESS);
    const uint64_t before = allocator.live_bytes;
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    const uint64_t most = allocator.most_bytes - before;
    terrain_context_destroy(context);
    return most;
}

static void check_bound(const struct bound *bound, uint32_t width, uint32_t height,
                        terrain_pool *pool)
{
    const terrain_window window = {0, 0, width, height};
    const uint64_t cells = (uint64_t)width * height;
    test_call call = test_call_of(terrain_operation_find(bound->operation));
    test_call_create_maps(&call, &window);
    for (uint32_t i = 0; i < MOST_SETTINGS && bound->settings[i] != NULL; i++) {
        char name[32];
        const char *value = strchr(bound->settings[i], '=') + 1;
        const size_t length = (size_t)(value - bound->settings[i]) - 1;
        assert_true(length < sizeof name);
        memcpy(name, bound->settings[i], length);
        name[length] = '\0';
        assert_true(test_call_set_text(&call, name, value));
    }
    test_call_fill(&call);
    const uint64_t most = bytes_of(&call, pool);
    const uint64_t lines = (uint64_t)width + height, bands = height / 64 + (height % 64 > 0);
    const uint64_t said = bound->cell * cells + bound->line * lines + bound->besides +
                          bound->band * (bands < 64 ? bands : 64) + FENCES;
    const bool large = cells == UINT64_C(1) << 20;
    if (most > said || (large && most + 8 * cells < bound->cell * cells)) {
        fail_msg("%llu bytes, and %llu are said, of %ux%u cells by %s", (unsigned long long)most,
                 (unsigned long long)said, width, height, test_call_text(&call));
    }
    test_call_destroy(&call);
}

/* More bytes than are said, on small maps, thin ones and large ones; or far less on large ones. */
static void test_bounds(void **state)
{
    static const uint32_t sizes[][2] = {
        {1, 1},     {2, 2},   {16, 16},  {64, 64},  {65, 65},  {256, 256},   {100, 700},
        {300, 200}, {1, 65},  {65, 1},   {1, 1000}, {1000, 1}, {3, 1000},    {8, 4096},
        {4096, 8},  {16, 65}, {4096, 1}, {1, 4096}, {8, 5000}, {1024, 1024},
    };
    const size_t count = sizeof sizes / sizeof sizes[0] - (test_is_slow() ? 1 : 0);
    terrain_pool *pool = NULL;
    assert_int_equal(terrain_pool_create(2, &pool), TERRAIN_SUCCESS);
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        for (size_t i = 0; i < count && test_operation_wanted(bounds[k].operation); i++) {
            check_bound(&bounds[k], sizes[i][0], sizes[i][1], i % 2 == 0 ? pool : NULL);
        }
    }
    terrain_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
