/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against a call that computes something other than the operation: a mask applied wrongly,
 * an output or an input lost, a staged result that never arrives. The throw-away operation is
 * computed here a second time, cell by cell. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/generate.h"
#include "vector/random.h"

static const terrain_window place = {-20, (INT64_C(1) << 33) - 9, 37, 66};

static float at(const float *cells, int64_t x, int64_t y)
{
    x = x < 0 ? 0 : x >= place.width ? place.width - 1 : x;
    y = y < 0 ? 0 : y >= place.height ? place.height - 1 : y;
    return cells[y * place.width + x];
}

static float mean(const float *cells, int64_t x, int64_t y)
{
    float vertical = at(cells, x, y - 1) + at(cells, x, y + 1);
    float horizontal = at(cells, x + 1, y) + at(cells, x - 1, y);
    return 0.25f * (vertical + horizontal);
}

/* mask: m <= 0 keeps the old height, m >= 1 takes the new one; NaN is 0. */
static float masked(float old, float new, float m)
{
    if (!(m > 0)) {
        return old;
    }
    return m >= 1 ? new : old + m *(new - old);
}

static const float *data_of(const terrain_heightmap *map)
{
    return terrain_heightmap_const_data(map);
}

/* What the call must write into the map. The map still holds the old heights. */
static float *reference(const test_call *call)
{
    const test_every_type_params *p = call->params;
    size_t cells = (size_t)place.width * place.height;
    const float *old = data_of(call->map);
    float *from = malloc(cells * sizeof *from);
    float *to = malloc(cells * sizeof *to);
    double sum = 0;
    assert_non_null(from);
    assert_non_null(to);
    memcpy(from, old, cells * sizeof *from);
    for (uint32_t i = 0; i < p->weights_count; i++) {
        sum += (double)p->weights[i];
    }
    for (uint32_t round = 0; round < p->rounds; round++) {
        for (size_t i = 0; i < cells; i++) {
            to[i] = mean(from, (int64_t)(i % place.width), (int64_t)(i / place.width));
        }
        float *kept = from;
        from = to;
        to = kept;
    }
    for (size_t i = 0; i < cells; i++) {
        int64_t x = (int64_t)(i % place.width);
        int64_t y = (int64_t)(i / place.width);
        uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_test, 0);
        float h = from[i];
        h += p->form == TEST_FORM_OUT_OF_PLACE ? mean(old, x, y) : 0.0f;
        h += terrain__signed_float(terrain__random_cell(stream, place.x + x, place.y + y));
        h += (float)sum + (float)(place.x + x < p->place ? -p->shift : p->shift);
        h += p->addend != NULL ? data_of(p->addend)[i] : 0.0f;
        h *= p->negate != 0 ? -p->scale : p->scale;
        to[i] = p->mask != NULL ? masked(old[i], h, data_of(p->mask)[i]) : h;
    }
    free(from);
    return to;
}

static void check_call(test_call *call, terrain_context *context)
{
    size_t size = (size_t)place.width * place.height * sizeof(float);
    const test_every_type_params *p = call->params;
    float *expected = reference(call);
    uint32_t *before = test_snapshot(call->map);
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    expect(memcmp(expected, data_of(call->map), size) == 0, call, context);
    if (p->before != NULL) {
        expect(memcmp(before, data_of(p->before), size) == 0, call, context);
    }
    free(before);
    free(expected);
}

/* Random params, all combinations of maps, all ways of staging. */
static void test_results(void **state)
{
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, NULL);
    for (uint64_t seed = 0; seed < 96; seed++) {
        test_random random = {seed};
        test_call call = test_call_of(&test_every_type);
        test_every_type_params *params = call.params;
        test_call_randomize(&call, &random, &place);
        params->form = (uint32_t)(seed % 3);
        test_call_create_maps(&call, &place);
        static const char *const maps[] = {"mask", "addend", "before"};
        for (int i = 0; i < 3; i++) {
            if ((seed >> i & 1) != 0) {
                test_call_attach(&call,
                                 terrain_operation_parameter_find(&test_every_type, maps[i]));
            }
        }
        call.seed = seed;
        test_call_fill(&call);
        check_call(&call, seed % 2 == 0 ? context : NULL);
        test_call_destroy(&call);
    }
    terrain_context_destroy(context);
}

/* A mask that is not 0 to 1: beyond, it is cut, and NaN keeps the old height even if the new one is
 * NaN or infinite. */
static void test_mask_values(void **state)
{
    static const float values[] = {NAN,  -INFINITY, -1.0f, -0.0f, 0.0f,     1e-42f,
                                   0.5f, 1.0f,      2.0f,  1e30f, INFINITY, 0.99999994f};
    for (uint32_t isa = 0; isa < test_isa_count(); isa++) {
        terrain_context *context = test_context(test_isa_at(isa), NULL, NULL, NULL);
        test_call call = test_call_of(&test_every_type);
        ((test_every_type_params *)call.params)->rounds = 0;
        test_call_create_maps(&call, &place);
        test_call_attach(&call, terrain_operation_parameter_find(&test_every_type, "mask"));
        test_call_fill(&call);
        float *mask = terrain_heightmap_data(call.attached[0].map);
        for (uint32_t i = 0; i < place.width * place.height; i++) {
            mask[i] = values[i % (sizeof values / sizeof values[0])];
        }
        check_call(&call, context);
        test_call_destroy(&call);
        terrain_context_destroy(context);
    }
}

/* Params that are NULL must be the defaults. */
static void test_null_params(void **state)
{
    test_call call = test_call_of(&test_every_type);
    test_call_create_maps(&call, &place);
    test_call_fill(&call);
    float *expected = reference(&call);
    assert_int_equal(terrain_operation_apply(NULL, &test_every_type, &call.map, 1, NULL),
                     TERRAIN_SUCCESS);
    assert_memory_equal(expected, data_of(call.map),
                        (size_t)place.width * place.height * sizeof(float));
    free(expected);
    test_call_destroy(&call);
}

/* An older caller's struct, which ends after the seed: what it has counts, the rest is the default
 * and not what lies in memory behind it. */
static void test_older_params(void **state)
{
    enum { OLDER = offsetof(test_every_type_params, seed) + 8 };
    union {
        test_every_type_params params;
        unsigned char bytes[sizeof(test_every_type_params)];
    } older;
    test_call call = test_call_of(&test_every_type);
    test_every_type_params *params = call.params;
    params->place = -11;
    params->seed = 99;
    test_call_create_maps(&call, &place);
    test_call_fill(&call);
    float *expected = reference(&call);
    memset(older.bytes, 0xAA, sizeof older.bytes);
    assert_int_equal(terrain_operation_params_init(&test_every_type, &older, OLDER),
                     TERRAIN_SUCCESS);
    assert_int_equal(older.params.struct_size, OLDER);
    assert_int_equal(older.bytes[OLDER], 0xAA);
    older.params.place = -11;
    older.params.seed = 99;
    assert_int_equal(terrain_operation_apply(NULL, &test_every_type, &call.map, 1, &older),
                     TERRAIN_SUCCESS);
    assert_memory_equal(expected, data_of(call.map),
                        (size_t)place.width * place.height * sizeof(float));
    free(expected);
    test_call_destroy(&call);
}

/* An output that does not learn where it lies. */
static void test_output_origin(void **state)
{
    test_call call = test_call_of(&test_every_type);
    const test_every_type_params *params = call.params;
    int64_t x, y;
    test_call_create_maps(&call, &place);
    test_call_attach(&call, terrain_operation_parameter_find(&test_every_type, "before"));
    terrain_heightmap_set_cell_size(call.map, 3);
    assert_int_equal(terrain_heightmap_set_origin(params->before, 1, 2), TERRAIN_SUCCESS);
    test_call_fill(&call);
    assert_int_equal(test_call_apply(&call, NULL), TERRAIN_SUCCESS);
    terrain_heightmap_origin(params->before, &x, &y);
    assert_int_equal(x, place.x);
    assert_int_equal(y, place.y);
    assert_true(terrain_heightmap_cell_size(params->before) == 3.0f);
    test_call_destroy(&call);
}

/* Maps so wide or high that 32 bits have no room for what lies around them: refused before anything
 * is touched. */
static void test_too_large(void **state)
{
    static const char *const names[] = {"blur_gaussian", "erode_fir", "erode_gullies",
                                        "erode_shear", "generate_midpoint"};
    const uint32_t large = (UINT32_C(1) << 31) + 1;
    const uint32_t sizes[][2] = {{large, 1}, {1, large}};
    float cell = 0;
    for (size_t i = 0; i < 2; i++) {
        terrain_heightmap *map = NULL;
        if (terrain_heightmap_wrap(NULL, &cell, sizes[i][0], sizes[i][1], sizes[i][0], &map) !=
            TERRAIN_SUCCESS) {
            continue; /* more than can be addressed */
        }
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            assert_int_equal(
                terrain_operation_apply(NULL, terrain_operation_find(names[k]), &map, 1, NULL),
                TERRAIN_ERROR_UNSUPPORTED);
        }
        terrain_heightmap_destroy(map);
    }
}

/* A runner that is not used, or reports that never come. */
static void test_passes(void **state)
{
    test_runner runner = {.kind = TEST_RUN_SERIAL};
    test_progress progress = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, &progress);
    test_call call = test_call_of(&test_every_type);
    ((test_every_type_params *)call.params)->rounds = 9;
    test_call_create_maps(&call, &place);
    test_call_fill(&call);
    assert_int_equal(test_call_apply(&call, context), TERRAIN_SUCCESS);
    assert_int_equal(runner.runs, 10);
    assert_int_equal(runner.tasks, 10 * 33);
    assert_in_range(progress.reports, 9, 11);
    assert_int_equal(progress.faults, 0);
    terrain_context_destroy(context);
    test_call_destroy(&call);
}

/* A call that is one long pass, of many tasks: on the calling thread alone, it reports after each,
 * and may be cancelled there; so it may on a pool, where other threads report nothing. A task takes
 * milliseconds, so that the calling thread has some of them: natively a noise's, which is long by
 * its estimated cost; where that takes minutes, the throw-away operation's. */
static void test_long_pass(void **state)
{
    const bool is_noise = !test_is_slow();
    const terrain_window window = {0, 0, is_noise ? 2400 : 20000, is_noise ? 2200 : 128};
    const uint64_t tasks = is_noise ? 35 : 64;
    static const char *const seeds[] = {"0", "1", "2", "3"};
    test_call call =
        test_call_of(is_noise ? terrain_operation_find("generate_noise") : &test_every_type);
    terrain_pool *pool = NULL;
    assert_int_equal(terrain_pool_create(3, &pool), TERRAIN_SUCCESS);
    test_call_create_maps(&call, &window);
    test_call_fill(&call);
    if (is_noise) {
        terrain_generate_noise_params *params = call.params;
        params->octaves = 16;
        params->period = 65536;
        params->warp_amplitude = 10;
    } else {
        test_every_type_params *params = call.params;
        params->rounds = 0;
        params->form = TEST_FORM_LONG;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const bool cancels = i % 2 != 0, on_pool = i >= 2;
        test_progress progress = {.cancel_at = cancels ? 5 : 0};
        terrain_context *context = NULL;
        terrain_context_desc desc;
        terrain_context_desc_init(&desc, sizeof desc);
        desc.progress = test_progress_of(&progress);
        terrain_pool_runner(on_pool ? pool : NULL, &desc.runner);
        assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_SUCCESS);
        assert_true(test_call_set_text(&call, "seed", seeds[i]));
        const uint64_t before = terrain_heightmap_hash(call.map);
        assert_int_equal(test_call_apply(&call, context),
                         cancels ? TERRAIN_ERROR_CANCELLED : TERRAIN_SUCCESS);
        assert_true((terrain_heightmap_hash(call.map) == before) == cancels);
        assert_int_equal(progress.faults, 0);
        assert_int_equal(progress.ends, cancels ? 0 : 1);
        if (cancels) {
            char message[60];
            assert_int_equal(progress.reports, 5);
            snprintf(message, sizeof message, "%s: cancelled",
                     terrain_operation_name(call.operation));
            assert_string_equal(terrain_context_message(context), message);
        } else {
            assert_in_range(progress.reports, on_pool ? 2 : tasks, tasks);
        }
        terrain_context_destroy(context);
    }
    test_call_destroy(&call);
    terrain_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),     cmocka_unit_test(test_mask_values),
        cmocka_unit_test(test_null_params), cmocka_unit_test(test_output_origin),
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_older_params),
        cmocka_unit_test(test_too_large),   cmocka_unit_test(test_long_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
