/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against results that depend on the machine: on the instruction set, on threads and the
 * order of tasks, on strides and alignment, on what lies in memory beside the cells. */

#include <string.h>

#include "core/operation.h"
#include "support/check.h"

/* Rows shorter and longer than a vector, than a band, and than a strip of columns. */
static const terrain_window places[] = {
    {0, 0, 1, 1},
    {-1, -1, 2, 3},
    {5, -70, 17, 1},
    {-4294967299, 7, 1, 130},
    {1099511627770, -3, 67, 33},
    {4611686018427387904 - 131, -4611686018427387904, 131, 70},
    {-2100, 12, 4211, 5},
};

/* Seeds below it are of default params, those from it on of random ones. */
enum { PLACES = sizeof places / sizeof places[0] };

static test_call make_call(const terrain_operation *operation, uint64_t seed)
{
    test_random random = {seed * 1000 + 1};
    const terrain_window *place = &places[seed % PLACES];
    test_call call = test_call_of(operation);
    if (seed >= PLACES) {
        test_call_randomize(&call, &random, place);
    }
    test_call_create_maps(&call, place);
    terrain_heightmap_set_cell_size(call.map, seed % 2 == 0 ? 1.0f : 0.37f);
    if (seed % 3 == 1) {
        test_call_attach_all(&call);
    }
    call.seed = seed;
    return call;
}

/* The hash on a serial context of the baseline. */
static uint64_t baseline(test_call *call, bool special)
{
    terrain_context *context = test_context(TERRAIN_ISA_BASELINE, NULL, NULL, NULL);
    test_call_fill(call);
    if (special) {
        test_call_sprinkle(call, 20);
    }
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    terrain_context_destroy(context);
    return test_call_hash(call);
}

static void check_on(terrain_context *context, test_call *call, bool special, uint64_t expected,
                     const char *host)
{
    test_call_fill(call);
    if (special) {
        test_call_sprinkle(call, 20);
    }
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    if (test_call_hash(call) != expected) {
        fail_msg("other bits with %s, %s, seed %d\n    in %s",
                 test_isa_name(terrain_context_isa(context)), host, (int)call->seed,
                 test_call_text(call));
    }
}

static void check_kernels(bool special)
{
    for_each_operation(operation) {
        bool reads = terrain_operation_port_at(operation, 0)->role != TERRAIN_PORT_ROLE_WRITE;
        for (uint64_t seed = 0; seed < 3 * PLACES && (reads || !special);
             seed += test_trial_step(operation)) {
            test_call call = make_call(operation, seed);
            uint64_t expected = baseline(&call, special);
            for (uint32_t i = 1; i < test_isa_count(); i++) {
                terrain_context *context = test_context(test_isa_at(i), NULL, NULL, NULL);
                check_on(context, &call, special, expected, "serial");
                terrain_context_destroy(context);
            }
            check_on(NULL, &call, special, expected, "no context");
            test_call_destroy(&call);
        }
    }
}

/* A kernel that is not the baseline's, bit for bit. */
static void test_instruction_sets(void **state)
{
    check_kernels(false);
}

/* A kernel that treats NaN, infinity, -0, subnormals or huge numbers in its own way. */
static void test_special_heights(void **state)
{
    check_kernels(true);
}

/* A result that depends on the order of tasks, or on who runs them. */
static void test_runners(void **state)
{
    for_each_operation(operation) {
        for (uint64_t seed = 3; seed < 2 * PLACES; seed += test_trial_step(operation)) {
            test_call call = make_call(operation, seed);
            uint64_t expected = baseline(&call, false);
            for (int kind = TEST_RUN_SERIAL; kind < TEST_RUN_KINDS; kind++) {
                test_runner runner = {.kind = kind, .seed = seed};
                terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
                check_on(context, &call, false, expected, test_runner_name(kind));
                terrain_context_destroy(context);
            }
            test_call_destroy(&call);
        }
    }
}

/* The same with threads that really race. */
static void test_pools(void **state)
{
    enum { POOLS = 2 };
    terrain_pool *pools[POOLS] = {NULL};
    terrain_context *contexts[POOLS];
    for (uint32_t i = 0; i < POOLS; i++) {
        assert_int_equal(terrain_pool_create(2 + i, &pools[i]), TERRAIN_SUCCESS);
        contexts[i] = test_context_on_pool(TERRAIN_ISA_BEST, pools[i]);
    }
    for_each_operation(operation) {
        for (uint64_t seed = 3; seed < 2 * PLACES; seed += test_trial_step(operation)) {
            test_call call = make_call(operation, seed);
            uint64_t expected = baseline(&call, false);
            for (uint32_t i = 0; i < POOLS; i++) {
                check_on(contexts[i], &call, false, expected, "pool");
            }
            test_call_destroy(&call);
        }
    }
    for (uint32_t i = 0; i < POOLS; i++) {
        terrain_context_destroy(contexts[i]);
        terrain_pool_destroy(pools[i]);
    }
}

static terrain_heightmap *guard_map(terrain_heightmap *map, int side, test_guarded_map *guarded)
{
    terrain_window window = test_window_of(map);
    *guarded = test_guard(window.width, window.height, side);
    assert_int_equal(terrain_heightmap_set_origin(guarded->map, window.x, window.y),
                     TERRAIN_SUCCESS);
    terrain_heightmap_set_cell_size(guarded->map, terrain_heightmap_cell_size(map));
    terrain_heightmap_destroy(map);
    return guarded->map;
}

/* Replaces every map of a call by one whose rows lie at forbidden pages; runs it; puts nothing
 * back. */
static uint64_t run_guarded(test_call *call, int side, terrain_context *context)
{
    test_guarded_map guarded[TEST_ATTACHMENTS + TEST_ARGUMENTS] = {{0}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->map_count; i++) {
        call->maps[i] = guard_map(call->maps[i], side, &guarded[count++]);
    }
    for (uint32_t i = 0; i < call->attached_count; i++) {
        test_attachment *attached = &call->attached[i];
        if (attached->map != NULL) {
            attached->map = guard_map(attached->map, side, &guarded[count++]);
            test_call_attach(call, attached->parameter);
        }
    }
    test_call_fill(call);
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    uint64_t hash = test_call_hash(call);
    memset(call->maps, 0, sizeof call->maps);
    for (uint32_t i = 0; i < call->attached_count; i++) {
        call->attached[i].map = NULL;
    }
    while (count > 0) {
        test_unguard(&guarded[--count]);
    }
    return hash;
}

/* A kernel that reads or writes beyond its row: it traps here. */
static void test_guard_pages(void **state)
{
    for_each_operation(operation) {
        for (uint64_t seed = PLACES / 2; seed < PLACES + PLACES / 2;
             seed += test_trial_step(operation)) {
            test_call plain = make_call(operation, seed);
            uint64_t expected = baseline(&plain, false);
            test_call_destroy(&plain);
            for (uint32_t i = 0; i < 2 * test_isa_count(); i++) {
                test_call call = make_call(operation, seed);
                terrain_context *context = test_context(test_isa_at(i / 2), NULL, NULL, NULL);
                uint64_t found = run_guarded(&call, i % 2, context);
                expect(found == expected, &call, context);
                terrain_context_destroy(context);
                test_call_destroy(&call);
            }
        }
    }
}

/* Wraps part of a larger buffer, misaligned by `lead` floats, around the call's map. */
static terrain_heightmap *wrap_part(float *buffer, size_t stride, size_t lead,
                                    const terrain_heightmap *like)
{
    terrain_window window = test_window_of(like);
    terrain_heightmap *map = NULL;
    assert_int_equal(
        terrain_heightmap_wrap(NULL, buffer + lead, window.width, window.height, stride, &map),
        TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_set_origin(map, window.x, window.y), TERRAIN_SUCCESS);
    terrain_heightmap_set_cell_size(map, terrain_heightmap_cell_size(like));
    return map;
}

/* A result that depends on stride or alignment, or a write between the rows. */
static void test_strides(void **state)
{
    enum { STRIDE = 200, ROWS = 140 };
    static float buffer[STRIDE * ROWS];
    static float untouched[STRIDE * ROWS];
    for_each_operation(operation) {
        for (uint64_t seed = PLACES / 2; seed < PLACES + PLACES / 2; seed++) {
            test_call call = make_call(operation, seed);
            uint64_t expected = baseline(&call, false);
            size_t lead = seed % 5;
            terrain_heightmap *target = test_call_target(&call);
            if (terrain_heightmap_width(target) + lead > STRIDE ||
                terrain_heightmap_height(target) + 1 > ROWS) {
                test_call_destroy(&call);
                continue;
            }
            terrain_heightmap **slot = &call.maps[test_call_target_index(&call)];
            memset(buffer, 0x5A, sizeof buffer);
            memcpy(untouched, buffer, sizeof buffer);
            *slot = wrap_part(buffer, STRIDE, lead, target);
            test_call_fill(&call);
            expect_status(test_call_apply(&call, NULL), TERRAIN_SUCCESS, &call, NULL);
            expect(test_call_hash(&call) == expected, &call, NULL);
            terrain_window window = test_window_of(*slot);
            for (uint32_t y = 0; y < window.height; y++) {
                memcpy(&buffer[y * STRIDE + lead], &untouched[0], window.width * sizeof(float));
            }
            assert_memory_equal(buffer, untouched, sizeof buffer);
            terrain_heightmap_destroy(target);
            test_call_destroy(&call);
        }
    }
}

/* A further map whose cell size is compared with the first one's, or counts. */
static void test_cell_sizes(void **state)
{
    for_each_operation(operation) {
        for (uint64_t seed = 4; seed < 3 * PLACES; seed += PLACES) { /* 67 x 33 */
            test_call call = make_call(operation, seed);
            test_call_attach_all(&call);
            const uint64_t expected = baseline(&call, false);
            for (uint32_t i = 1; i < call.map_count; i++) {
                terrain_heightmap_set_cell_size(call.maps[i], 7);
            }
            for (uint32_t i = 0; i < call.attached_count; i++) {
                terrain_heightmap_set_cell_size(call.attached[i].map, 7);
            }
            check_on(NULL, &call, false, expected, "other cell sizes");
            test_call_destroy(&call);
        }
    }
}

/* ---- Large maps ----------------------------------------------------------------------------- */

/* Default params, with all outputs. */
static test_call make_call_on(const terrain_operation *operation, const terrain_window *place)
{
    test_call call = test_call_of(operation);
    test_call_create_maps(&call, place);
    for_each_parameter(operation, p) {
        if (p->type == TERRAIN_TYPE_MAP_OUT) {
            test_call_attach(&call, p);
        }
    }
    test_call_fill(&call);
    return call;
}

/* Whether a part has the cells of the whole with default params, too; and soon. */
static bool depends_on_cells_alone(const terrain_operation *operation)
{
    test_call call = test_call_of(operation);
    const bool endless = operation->endless == NULL || operation->endless(call.params) == NULL;
    test_call_destroy(&call);
    return endless && operation->levels == NULL;
}

/* Fails unless the whole has the cells that a call on that part alone gives, but for those beside
 * the part's sides that are no sides of the whole. */
static void expect_part(const test_call *whole, const terrain_window *place, uint32_t halo)
{
    const terrain_window all = test_window_of(whole->map);
    test_call part = make_call_on(whole->operation, place);
    terrain_window inner = *place;
    const bool west = place->x > all.x, east = place->x + place->width < all.x + all.width;
    const bool north = place->y > all.y, south = place->y + place->height < all.y + all.height;
    inner.x += west ? halo : 0;
    inner.y += north ? halo : 0;
    inner.width -= halo * ((uint32_t)west + east);
    inner.height -= halo * ((uint32_t)north + south);
    expect_status(test_call_apply(&part, NULL), TERRAIN_SUCCESS, &part, NULL);
    expect(test_windows_equal(test_call_target(whole), test_call_target(&part), &inner), &part,
           NULL);
    for (uint32_t i = 0; i < part.attached_count; i++) {
        expect(test_windows_equal(whole->attached[i].map, part.attached[i].map, &inner), &part,
               NULL);
    }
    test_call_destroy(&part);
}

/* Rows that go past the caches, as those of large maps do, and hold something else: at an end, or
 * where one part of a row follows another. */
static void test_large_maps(void **state)
{
    /* Rows that begin at the same place of a page, or of a line. */
    static const terrain_window large[] = {{0, 0, 2048, 2056}, {-70, 5, 2064, 2050}};
    terrain_pool *pool = NULL;
    assert_int_equal(terrain_pool_create(2, &pool), TERRAIN_SUCCESS);
    for_each_operation(operation) {
        uint32_t halo = UINT32_MAX;
        terrain_operation_halo(operation, NULL, &halo);
        if (halo > 1 || !depends_on_cells_alone(operation)) {
            continue;
        }
        for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
            const terrain_window all = large[i];
            const terrain_window parts[] = {
                {all.x, all.y, 300, 20},
                {all.x, all.y + 1000, all.width, 20},
                {all.x + all.width - 300, all.y + all.height - 20, 300, 20},
            };
            test_call whole = make_call_on(operation, &all);
            for (uint32_t k = 0; k < test_isa_count(); k++) {
                terrain_context *context = test_context_on_pool(test_isa_at(k), pool);
                test_call_fill(&whole);
                expect_status(test_call_apply(&whole, context), TERRAIN_SUCCESS, &whole, context);
                for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
                    expect_part(&whole, &parts[n], halo);
                }
                terrain_context_destroy(context);
            }
            test_call_destroy(&whole);
        }
    }
    terrain_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets), cmocka_unit_test(test_special_heights),
        cmocka_unit_test(test_runners),          cmocka_unit_test(test_pools),
        cmocka_unit_test(test_guard_pages),      cmocka_unit_test(test_strides),
        cmocka_unit_test(test_cell_sizes),       cmocka_unit_test(test_large_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
