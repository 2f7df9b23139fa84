/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against results that depend on the host's floating-point mode, and against a mode that is
 * not given back. */

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "base/float_environment.h"
#include "support/check.h"
#include "terrain/terrain.h"

static const terrain_window place = {7, -3, 41, 35};

#if defined(__SSE2__) || defined(__aarch64__)
enum { MODES = 8 };
#else
enum { MODES = 4 };
#endif

/* Mode 0 is the default; then the other roundings; then all of them with flush-to-zero, where the
 * processor has it. */
static void set_mode(int mode)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    fesetenv(FE_DFL_ENV);
    fesetround(roundings[mode % 4]);
#if defined(__SSE2__)
    if (mode >= 4) {
        _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero; denormals are zero */
    }
#elif defined(__aarch64__)
    if (mode >= 4) {
        uint64_t control;
        __asm__ volatile("mrs %0, fpcr" : "=r"(control));
        __asm__ volatile("msr fpcr, %0" : : "r"(control | 0x1000000)); /* flush to zero */
    }
#endif
}

static uint32_t control_word(void)
{
#if defined(__SSE2__)
    return _mm_getcsr();
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (uint32_t)control;
#else
    return (uint32_t)fegetround();
#endif
}

/* Without the flags that any inexact result sets, as shares of progress do. */
static uint32_t control_mode(void)
{
#if defined(__SSE2__)
    return control_word() & ~(uint32_t)_MM_EXCEPT_MASK;
#else
    return control_word();
#endif
}

/* The hash of a call with random params, or with the defaults that init writes in that mode. */
static uint64_t run_in_mode(const terrain_operation *operation, uint64_t seed, int mode,
                            terrain_context *context)
{
    test_random random = {seed};
    test_call call = test_call_of(operation);
    if (seed > 0) {
        test_call_randomize(&call, &random, &place);
    }
    test_call_create_maps(&call, &place);
    if (seed % 2 == 1) {
        test_call_attach_all(&call);
    }
    test_call_fill(&call);
    test_sprinkle(call.map, seed, 30); /* subnormals among them */

    set_mode(mode);
    uint32_t control = control_word();
    if (seed == 0) {
        terrain_operation_params_init(operation, call.params,
                                      terrain_operation_params_size(operation));
    }
    terrain_status status = test_call_apply(&call, context);
    uint32_t after = control_word();
    set_mode(0);

    expect_status(status, TERRAIN_SUCCESS, &call, context);
    expect(after == control, &call, context);
    uint64_t hash = test_call_hash(&call);
    test_call_destroy(&call);
    return hash;
}

struct hostile_host {
    int mode;
    uint32_t control; /* that the callback must find */
    uint32_t seen;
    uint32_t faults;
};

/* A host whose workers flush to zero and round upwards. */
static int32_t run_in_odd_mode(void *user, uint32_t count, void (*task)(void *job, uint32_t index),
                               void *job)
{
    struct hostile_host *host = user;
    for (uint32_t i = 0; i < count; i++) {
        set_mode(host->mode);
        uint32_t control = control_word();
        task(job, i);
        host->faults += control_word() != control;
        host->seen++;
    }
    set_mode(0);
    return 0;
}

/* Another rounding or flush-to-zero on the calling thread, or on the threads that run tasks: other
 * bits. Each mode of the caller has two seeds. */
static void test_modes(void **state)
{
    for_each_operation(operation) {
        struct hostile_host host = {.mode = 7};
        terrain_context_desc desc;
        terrain_context *workers = NULL;
        terrain_context_desc_init(&desc, sizeof desc);
        desc.runner.user = &host;
        desc.runner.run = run_in_odd_mode;
        assert_int_equal(terrain_context_create(&desc, &workers), TERRAIN_SUCCESS);
        for (uint32_t seed = 0; seed < 2 * (MODES - 1); seed += test_trial_step(operation)) {
            const int mode = 1 + (int)seed / 2;
            uint32_t isa = test_isa_at(seed % test_isa_count());
            terrain_context *context = test_context(isa, NULL, NULL, NULL);
            uint64_t expected = run_in_mode(operation, seed, 0, context);
            if (run_in_mode(operation, seed, mode, context) != expected) {
                fail_msg("%s: other bits in mode %d, seed %d", terrain_operation_name(operation),
                         mode, (int)seed);
            }
            if (seed < 4 && run_in_mode(operation, seed, 0, workers) != expected) {
                fail_msg("%s: other bits of workers, seed %d", terrain_operation_name(operation),
                         (int)seed);
            }
            terrain_context_destroy(context);
        }
        assert_int_equal(host.faults, 0);
        terrain_context_destroy(workers);
    }
}

/* A default that depends on the rounding under which it was written. */
static void test_defaults(void **state)
{
    for_each_operation(operation) {
        size_t size = terrain_operation_params_size(operation);
        uint64_t expected[128];
        uint64_t found[128];
        set_mode(0);
        terrain_operation_params_init(operation, expected, size);
        for (int mode = 1; mode < MODES; mode++) {
            set_mode(mode);
            terrain_operation_params_init(operation, found, size);
            set_mode(0);
            assert_memory_equal(found, expected, size);
        }
    }
}

/* Windows and halos that depend on it. */
static void test_windows(void **state)
{
    for_each_operation(operation) {
        for (uint64_t seed = 0; seed < 12; seed++) {
            test_random random = {seed};
            test_call call = test_call_of(operation);
            test_call_randomize(&call, &random, &place);
            terrain_window expected = {0, 0, 0, 0};
            uint32_t expected_halo = 0;
            for (int mode = 0; mode < MODES; mode++) {
                terrain_window window = {0, 0, 0, 0};
                uint32_t halo = 0;
                set_mode(mode);
                uint32_t control = control_word();
                terrain_operation_halo(operation, call.params, &halo);
                terrain_operation_window(operation, call.params, 0, &place, &window);
                assert_int_equal(control_word(), control);
                set_mode(0);
                if (mode == 0) {
                    expected = window;
                    expected_halo = halo;
                }
                assert_memory_equal(&window, &expected, sizeof window);
                assert_int_equal(halo, expected_halo);
            }
            test_call_destroy(&call);
        }
    }
}

/* What the functions give that are no operations. */
struct outcome {
    uint64_t run, tile, unpacked, relief;
    uint8_t bytes[35 * 41];
    double mean, deviation, erosion, mean_slope, playability, low, high;
    uint64_t bins[7];
    terrain_landform land;
    terrain_seams seams;
    float positions[35 * 41 * 3], normals[35 * 41 * 3];
    terrain_value read, value;
    terrain_erode_thermal_params params;
    char text[TERRAIN_PARAMETER_TEXT_SIZE];
};

static const char recipe_text[] = "base = generate_noise period=8.3 amplitude=0.7\n"
                                  "land = erode_thermal base talus=0.1 iterations=3\n";

/* Of operations on regions, whose ramps decide what stands in the tile. */
static const char least_text[] = "a = generate_noise period=700 octaves=3 amplitude=300\n"
                                 "b = shape_fill a\n";
static const char basins_text[] = "a = generate_noise period=200 octaves=3 amplitude=80\n"
                                  "q = generate_noise period=700 octaves=2 amplitude=2000\n"
                                  "b = erode_stream_power a rivers=q sea=-60\n";

static uint64_t tile_of(const char *text)
{
    terrain_recipe *recipe = NULL;
    terrain_world_desc desc;
    terrain_world *world = NULL;
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_create(NULL, 256, 256, &map), 0);
    assert_int_equal(terrain_recipe_parse(NULL, text, strlen(text), &recipe), 0);
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    assert_int_equal(terrain_world_create(NULL, &desc, &world), 0);
    assert_int_equal(terrain_world_tile(NULL, world, 100, 100, map), 0);
    const uint64_t hash = terrain_heightmap_hash(map);
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(map);
    return hash;
}

static void run_recipe(struct outcome *outcome)
{
    terrain_recipe *recipe = NULL;
    terrain_recipe_run_desc desc;
    terrain_world_desc world_desc;
    terrain_world *world = NULL;
    terrain_heightmap *map = test_map(&place);
    assert_int_equal(terrain_recipe_parse(NULL, recipe_text, strlen(recipe_text), &recipe), 0);
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    test_run_window(&desc, &place);
    desc.scale = 0.3;
    desc.cell_size = 0.7f;
    desc.outputs = &map;
    desc.output_count = 1;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &desc), 0);
    outcome->run = terrain_heightmap_hash(map);

    terrain_world_desc_init(&world_desc, sizeof world_desc);
    world_desc.recipe = recipe;
    world_desc.scale = 0.3;
    assert_int_equal(terrain_world_create(NULL, &world_desc, &world), 0);
    assert_int_equal(terrain_world_tile(NULL, world, -5, 9, map), 0);
    outcome->tile = terrain_heightmap_hash(map);
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(map);
}

static void run_measures(struct outcome *outcome, const terrain_heightmap *map)
{
    const terrain_heightmap *const pair[] = {map, map};
    terrain_statistics *statistics = NULL;
    terrain_score *score = NULL;
    terrain_landform_init(&outcome->land, sizeof outcome->land);
    assert_int_equal(terrain_landform_measure(NULL, map, &outcome->land), 0);
    terrain_seams_init(&outcome->seams, sizeof outcome->seams);
    assert_int_equal(terrain_seams_measure(NULL, pair, 2, 1, 1, &outcome->seams), 0);
    assert_int_equal(terrain_statistics_create(NULL, &statistics), 0);
    assert_int_equal(terrain_statistics_set_histogram(statistics, -0.3f, 0.4f, outcome->bins, 7),
                     0);
    assert_int_equal(terrain_statistics_add(NULL, statistics, map), 0);
    outcome->mean = terrain_statistics_mean(statistics);
    outcome->deviation = terrain_statistics_standard_deviation(statistics);
    terrain_statistics_destroy(statistics);
    assert_int_equal(terrain_score_create(NULL, NULL, &score), 0);
    assert_int_equal(terrain_score_add(NULL, score, map, NULL), 0);
    outcome->erosion = terrain_score_erosion(score);
    outcome->mean_slope = terrain_score_mean_slope(score);
    outcome->playability = terrain_score_playability(score);
    terrain_score_destroy(score);
}

static void run_buffers(struct outcome *outcome, terrain_heightmap *map)
{
    uint8_t relief[sizeof outcome->bytes];
    assert_int_equal(terrain_heightmap_pack_hillshade_u8(NULL, map, NULL, relief, 41), 0);
    for (size_t i = 0; i < sizeof relief; i++) {
        outcome->relief = 31 * outcome->relief + relief[i];
    }
    assert_int_equal(terrain_mesh_positions(NULL, map, NULL, outcome->positions, 3), 0);
    assert_int_equal(terrain_mesh_normals(NULL, map, NULL, outcome->normals, 3), 0);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, -0.3f, 0.4f, outcome->bytes, 41), 0);
    assert_int_equal(terrain_heightmap_unpack_u8(NULL, outcome->bytes, 41, -0.3f, 0.4f, map), 0);
    outcome->unpacked = terrain_heightmap_hash(map);
}

static void run_parameters(struct outcome *outcome)
{
    const terrain_operation *thermal = terrain_operation_find("erode_thermal");
    const terrain_parameter *talus = terrain_operation_parameter_find(thermal, "talus");
    const terrain_parameter *rate = terrain_operation_parameter_find(thermal, "rate");
    terrain_erode_thermal_params_init(&outcome->params, sizeof outcome->params);
    assert_int_equal(terrain_parameter_parse(talus, "0.1", &outcome->read), 0);
    assert_int_equal(
        terrain_parameter_format(talus, &outcome->read, outcome->text, sizeof outcome->text), 0);
    assert_int_equal(terrain_parameter_slider(talus, &outcome->low, &outcome->high), 0);
    outcome->value.f = 0.3; /* no float */
    assert_int_equal(terrain_parameter_set(talus, &outcome->params, &outcome->value), 0);
    outcome->params.rate = 0x1p-140f; /* subnormal */
    assert_int_equal(terrain_parameter_get(rate, &outcome->params, &outcome->value), 0);
}

/* The mode of the host in all the functions that are no operations: other bits, or a mode that is
 * not given back. */
static void test_other_functions(void **state)
{
    static struct outcome expected, found;
    for (int mode = 0; mode < MODES; mode++) {
        terrain_heightmap *map = test_map(&place);
        struct outcome *outcome = mode == 0 ? &expected : &found;
        memset(outcome, 0, sizeof *outcome);
        terrain_heightmap_set_cell_size(map, 0.7f);
        assert_int_equal(terrain_generate_noise(NULL, map, NULL), 0);
        set_mode(mode);
        const uint32_t control = control_mode();
        run_recipe(outcome);
        assert_int_equal(control_mode(), control);
        run_measures(outcome, map);
        assert_int_equal(control_mode(), control);
        run_buffers(outcome, map);
        assert_int_equal(control_mode(), control);
        run_parameters(outcome);
        assert_int_equal(control_mode(), control);
        set_mode(0);
        terrain_heightmap_destroy(map);
        if (mode > 0) {
            assert_memory_equal(&found, &expected, sizeof found);
        }
    }
}

/* Whether functions that are no operations take two numbers: as bounds, as slopes, and the lower
 * one as the size of a cell. */
static void take_bounds(terrain_heightmap *map, float low, float high, terrain_status found[5])
{
    uint8_t bytes[35 * 41];
    uint64_t bins[3];
    terrain_recipe *recipe = NULL;
    terrain_recipe_plan *plan = NULL;
    terrain_recipe_run_desc run;
    terrain_score_desc desc;
    terrain_score *score = NULL;
    terrain_statistics *statistics = NULL;
    found[0] = terrain_heightmap_pack_u8(NULL, map, low, high, bytes, 41);
    terrain_statistics_create(NULL, &statistics);
    found[1] = terrain_statistics_set_histogram(statistics, low, high, bins, 3);
    terrain_statistics_destroy(statistics);
    terrain_score_desc_init(&desc, sizeof desc);
    desc.unit_slope = low;
    desc.building_slope = high;
    found[2] = terrain_score_create(NULL, &desc, &score);
    terrain_score_destroy(score);
    found[3] = terrain_heightmap_set_cell_size(map, low);
    terrain_recipe_parse(NULL, recipe_text, strlen(recipe_text), &recipe);
    terrain_recipe_run_desc_init(&run, sizeof run);
    run.cell_size = low;
    found[4] = terrain_recipe_plan_create(NULL, recipe, &run, &plan);
    terrain_recipe_plan_destroy(plan);
    terrain_recipe_destroy(recipe);
}

/* Bounds that are equal where the mode of the host flushes one to zero, and a host that dies of NaN
 * where its processor traps on it. */
static void test_bounds(void **state)
{
    static const terrain_status apart[5] = {TERRAIN_SUCCESS, TERRAIN_SUCCESS, TERRAIN_ERROR_RANGE,
                                            TERRAIN_ERROR_RANGE, TERRAIN_ERROR_RANGE};
    static const terrain_status none[5] = {TERRAIN_ERROR_RANGE, TERRAIN_ERROR_RANGE,
                                           TERRAIN_ERROR_RANGE, TERRAIN_ERROR_RANGE,
                                           TERRAIN_ERROR_RANGE};
    terrain_heightmap *map = test_map(&place);
    terrain_status found[5];
    for (int mode = 0; mode < MODES; mode++) {
        set_mode(mode);
        take_bounds(map, 0, 0x1p-149f, found);
        set_mode(0);
        assert_memory_equal(found, apart, sizeof found);
    }
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() & ~(uint32_t)_MM_MASK_INVALID);
#endif
    take_bounds(map, NAN, 1, found);
    set_mode(0);
    assert_memory_equal(found, none, sizeof found);
    terrain_heightmap_destroy(map);
}

/* Two objects with ranges that differ by as much as the mode of the host may flush to zero. */
static void merge_apart(terrain_status found[2])
{
    static const float lows[2] = {0, 0x1p-149f}; /* a product of the mode's would be 0 */
    uint64_t bins[2][3];
    terrain_statistics *statistics[2] = {NULL, NULL};
    terrain_score *scores[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        terrain_score_desc desc;
        terrain_statistics_create(NULL, &statistics[i]);
        terrain_statistics_set_histogram(statistics[i], lows[i], 1, bins[i], 3);
        terrain_score_desc_init(&desc, sizeof desc);
        desc.building_slope = lows[i];
        terrain_score_create(NULL, &desc, &scores[i]);
    }
    found[0] = terrain_statistics_merge(statistics[0], statistics[1]);
    found[1] = terrain_score_merge(scores[0], scores[1]);
    for (int i = 0; i < 2; i++) {
        terrain_statistics_destroy(statistics[i]);
        terrain_score_destroy(scores[i]);
    }
}

/* Merging that takes objects for alike by the mode of the host. */
static void test_merging(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        terrain_status found[2];
        set_mode(mode);
        merge_apart(found);
        set_mode(0);
        assert_int_equal(found[0], TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(found[1], TERRAIN_ERROR_ARGUMENT);
    }
}

/* The mode of the host in tiles of operations on regions: of one, if slow, in a mode that differs
 * in all there is, rounding and flush-to-zero. */
static void test_regions(void **state)
{
    const char *texts[] = {least_text, basins_text};
    for (int i = 0; i < (test_is_slow() ? 1 : 2); i++) {
        const uint64_t expected = tile_of(texts[i]);
        for (int mode = test_is_slow() ? MODES - 1 : 1; mode < MODES; mode++) {
            set_mode(mode);
            const uint32_t control = control_mode();
            const uint64_t found = tile_of(texts[i]);
            assert_int_equal(control_mode(), control);
            set_mode(0);
            assert_true(found == expected);
        }
    }
}

static int32_t report_mode(void *user, double fraction)
{
    struct hostile_host *host = user;
    (void)fraction;
    host->seen++;
    host->faults += control_word() != host->control;
    return 0;
}

/* A callback of the host that runs in the library's mode instead of its own. */
static void test_callbacks(void **state)
{
    struct hostile_host host = {.mode = 1};
    terrain_context *context = test_context_reporting(report_mode, &host);
    set_mode(host.mode);
    host.control = control_word();
    set_mode(0);
    run_in_mode(test_operation_at(terrain_operation_count()), 0, host.mode, context);
    assert_true(host.seen > 0);
    assert_int_equal(host.faults, 0);

    terrain_heightmap *map = test_map_of_size(64, 130, 1);
    terrain_landform land;
    terrain_landform_init(&land, sizeof land);
    host.seen = 0;
    set_mode(host.mode);
    assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_SUCCESS);
    set_mode(0);
    assert_true(host.seen > 2);
    assert_int_equal(host.faults, 0);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
}

/* A save and restore that loses a flag. */
static void test_enter_and_leave(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        terrain__float_environment saved;
        volatile float tiny = 0x1p-126f;
        volatile float third = 0;
        set_mode(mode);
        uint32_t control = control_word();
        terrain__float_enter(&saved);
        assert_true(tiny * 0.5f == 0x1p-127f);
        third = 1.0f / 3.0f * tiny;
        assert_true(third > 0);
        terrain__float_leave(&saved);
        uint32_t after = control_word();
        set_mode(0);
        assert_int_equal(after, control);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),           cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_windows),         cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_enter_and_leave), cmocka_unit_test(test_other_functions),
        cmocka_unit_test(test_bounds),          cmocka_unit_test(test_merging),
        cmocka_unit_test(test_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
