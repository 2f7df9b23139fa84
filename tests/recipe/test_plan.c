/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against plans that promise less memory than a run takes, or another result than a run
 * gives; against recipes that take a host down; and against contexts that allocate again what they
 * had. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "support/calls.h"
#include "support/check.h"
#include "terrain/terrain.h"

static terrain_recipe_run_desc desc_of(uint32_t width, uint32_t height, bool world)
{
    terrain_recipe_run_desc desc;
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.width = width;
    desc.height = height;
    desc.flags |= world ? TERRAIN_RECIPE_WORLD : 0;
    return desc;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Runs the result of a recipe on a context that has kept nothing, and compares the most bytes that
 * it allocates with what its plan says: never less, and hardly more. */
static void check_bytes(const terrain_recipe *recipe, const terrain_recipe_run_desc *wanted,
                        const char *what)
{
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_context *planner = test_plain_context();
    terrain_recipe_plan *plan = NULL;
    terrain_recipe_run_desc desc = *wanted;
    terrain_window window;
    if (terrain_recipe_plan_create(planner, recipe, &desc, &plan) != TERRAIN_SUCCESS) {
        terrain_context_destroy(planner);
        terrain_context_destroy(context);
        return; /* these params, or this window, can't be run */
    }
    assert_int_equal(terrain_recipe_plan_window(plan, NULL, &window), TERRAIN_SUCCESS);
    terrain_heightmap *map = test_map(&window);
    const uint64_t before = allocator.live_bytes;
    const uint64_t said = terrain_recipe_plan_bytes(plan);
    desc.outputs = &map;
    desc.output_count = 1;
    /* The limit is where the plan says. */
    desc.memory_limit = said;
    terrain_status status = terrain_recipe_run(context, recipe, &desc);
    const uint64_t taken = allocator.most_bytes - before;
    assert_true(status != TERRAIN_ERROR_MEMORY);
    if (status == TERRAIN_SUCCESS && (taken > said || said - taken > 128 << 10)) {
        fail_msg("%s: takes %llu bytes, its plan says %llu", what, (unsigned long long)taken,
                 (unsigned long long)said);
    }
    terrain_context_trim(context);
    desc.memory_limit = said - 1;
    expect_refused(terrain_recipe_run(context, recipe, &desc), TERRAIN_ERROR_MEMORY, context,
                   "memory_limit is");
    terrain_heightmap_destroy(map);
    terrain_recipe_plan_destroy(plan);
    terrain_context_destroy(planner);
    terrain_context_destroy(context);
    assert_true(allocator.live == 0 && allocator.faults == 0);
}

/* A recipe that calls one operation, with all of its maps. */
static terrain_recipe *recipe_of(const terrain_operation *operation, const void *params,
                                 bool with_maps)
{
    static const char *const sources[] = {"a", "b"};
    static const char *const makes[] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"};
    const char *parameters[8], *maps[8];
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = generate_noise seed=2\n"
                                         "c = generate_noise seed=3");
    terrain_recipe_statement statement;
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = "result";
    statement.operation = operation;
    statement.params = params;
    statement.inputs = sources;
    statement.map_parameters = parameters;
    statement.maps = maps;
    for (uint32_t i = 0; i < terrain_operation_port_count(operation); i++) {
        const terrain_port *port = terrain_operation_port_at(operation, i);
        if (port->grid != 0) {
            statement.input_count = 2;
        } else if (port->offset == 0) {
            statement.input_count += port->role != TERRAIN_PORT_ROLE_WRITE;
        } else if (with_maps && statement.map_count < 8) {
            parameters[statement.map_count] = port->name;
            maps[statement.map_count] = port->role != TERRAIN_PORT_ROLE_READ ? makes[i % 8]
                                        : port->lattice == TERRAIN_PORT_LATTICE_COARSE ? "c"
                                                                                       : "b";
            statement.map_count++;
        }
    }
    if (terrain_recipe_add(NULL, recipe, &statement) != TERRAIN_SUCCESS) {
        terrain_recipe_destroy(recipe);
        return NULL;
    }
    return recipe;
}

/* How much memory a halo takes, few iterations show, too. */
static void keep_short(test_call *call)
{
    const terrain_value few = {.u = 12};
    const terrain_parameter *iterations =
        terrain_operation_parameter_find(call->operation, "iterations");
    if (iterations != NULL && test_get(call->params, iterations).u > few.u) {
        test_set(call->params, iterations, few);
    }
}

/* Guards against plans that tell fewer or more bytes than a run of one operation takes. */
static void test_bytes_of_operations(void **state)
{
    static const uint32_t sizes[][2] = {{64, 48}, {1, 1}, {300, 17}, {33, 150}};
    for (uint32_t k = 0; k < test_operation_count(); k++) {
        const terrain_operation *operation = test_operation_at(k);
        bool wanted = test_operation_wanted(terrain_operation_name(operation));
        for (uint64_t seed = 0; wanted && seed < 4; seed++) {
            test_random random = {seed * 77 + k};
            test_call call = test_call_of(operation);
            if (seed > 0) {
                test_call_randomize(&call, &random, &(terrain_window){0, 0, 1, 1});
            }
            keep_short(&call);
            terrain_recipe *recipe = recipe_of(operation, call.params, seed % 2 == 0);
            const uint32_t *size = sizes[seed % 4];
            const terrain_recipe_run_desc bounded = desc_of(size[0], size[1], false);
            const terrain_recipe_run_desc world = desc_of(size[0], size[1], true);
            if (recipe != NULL) {
                check_bytes(recipe, &bounded, test_call_text(&call));
                check_bytes(recipe, &world, test_call_text(&call));
            }
            terrain_recipe_destroy(recipe);
            test_call_destroy(&call);
        }
    }
}

/* Operations that a world computes on regions: where more of them meet, scratch of the size of all
 * in place of one's. */
static void test_bytes_of_regions(void **state)
{
    static const char *const texts[] = {
        "a = generate_noise\nb = shape_fill a slope=0.001",
        "a = generate_noise\nq = generate_noise amplitude=2000\n"
        "b = erode_stream_power a rivers=q iterations=1 discharge=d\nc = combine_blend b d",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        terrain_recipe *recipe = test_recipe(texts[i]);
        uint64_t bytes[2];
        for (int k = 0; k < 2; k++) { /* in four regions, and in nine */
            terrain_recipe_plan *plan = NULL;
            terrain_recipe_run_desc desc = desc_of(100, 60, true);
            desc.x = desc.y = k == 0 ? 600 : 1000;
            check_bytes(recipe, &desc, texts[i]);
            assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan),
                             TERRAIN_SUCCESS);
            bytes[k] = terrain_recipe_plan_bytes(plan);
            terrain_recipe_plan_destroy(plan);
        }
        assert_true(bytes[1] > bytes[0] && bytes[1] < bytes[0] + bytes[0] / 2);
        terrain_recipe_destroy(recipe);
    }
}

static uint64_t bytes_of(const char *text)
{
    terrain_recipe *recipe = test_recipe(text);
    const terrain_recipe_run_desc desc = desc_of(240, 200, false);
    terrain_recipe_plan *plan = NULL;
    assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_SUCCESS);
    const uint64_t bytes = terrain_recipe_plan_bytes(plan);
    terrain_recipe_plan_destroy(plan);
    terrain_recipe_destroy(recipe);
    return bytes;
}

/* Maps that nobody reads, which a run takes memory for because its plan says so: one that need not
 * be made, and one that must. */
static void test_bytes_of_unread(void **state)
{
#define STITCHED                                                                                   \
    "a = generate_noise\nb = generate_noise seed=2\na b = stitch_match a b\nc = blur_box a "       \
    "radius=5\n"
    const uint64_t map = 240 * 200 * sizeof(float);
    assert_true(bytes_of("a = generate_noise\nb = analyze_normals a normal_y=f") <
                bytes_of("a = generate_noise\nb = analyze_normals a") + map / 2);
    assert_true(bytes_of(STITCHED "d = combine_blend c a") + map / 2 <
                bytes_of(STITCHED "d = combine_blend c a\ne = combine_blend d b"));
#undef STITCHED
}

/* Guards against a plan that leaves out what its statements take themselves: many, with params that
 * the scale changes. */
static void test_bytes_of_statements(void **state)
{
    enum { COUNT = 600 };
    static const char first[] = "a = generate_noise\n", other[] = "a = blur_box a radius=0\n";
    char *text = malloc(sizeof first + COUNT * sizeof other);
    assert_non_null(text);
    strcpy(text, first);
    for (int i = 0; i < COUNT; i++) {
        strcpy(text + sizeof first - 1 + (size_t)i * (sizeof other - 1), other);
    }
    terrain_recipe *recipe = test_recipe(text);
    terrain_recipe_run_desc desc = desc_of(8, 8, false);
    check_bytes(recipe, &desc, "many statements");
    desc.scale = 0.5;
    check_bytes(recipe, &desc, "many statements at a scale");
    terrain_recipe_destroy(recipe);
    free(text);
}

/* A plan made without a runner, and run with one, that takes more than the plan's limit. */
static void test_limit_with_runner(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = erode_coast a sea=1000\n");
    test_runner runner = {.kind = TEST_RUN_SERIAL};
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, &allocator, NULL);
    terrain_recipe_run_desc desc = desc_of(300, 300, false);
    terrain_heightmap *map = test_map_of_size(300, 300, 1);
    const uint64_t before = allocator.live_bytes;
    desc.memory_limit = 1 << 24;
    for (int i = 0; i < 2; i++) { /* a limit that is enough, and what suffices without a runner */
        terrain_recipe_plan *plan = NULL;
        assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_SUCCESS);
        terrain_status status = terrain_recipe_plan_run(context, plan, NULL, &map);
        assert_int_equal(status, i == 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY);
        assert_true(allocator.most_bytes - before <= desc.memory_limit);
        desc.memory_limit = terrain_recipe_plan_bytes(plan);
        terrain_context_trim(context);
        allocator.most_bytes = allocator.live_bytes;
        terrain_recipe_plan_destroy(plan);
    }
    expect_message(context, "memory_limit is");
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    terrain_recipe_destroy(recipe);
}

/* Maps that live long, are copied, taken over, cropped, resized and thrown away. */
static void test_bytes_of_recipes(void **state)
{
    static const char *const texts[] = {
        "a = generate_noise\nb = blur_box a radius=40\nc = erode_thermal b iterations=9\n"
        "d = combine_blend c a mask=b\ne = analyze_normals d normal_y=f\ng = combine_blend e f",
        "a = generate_noise\nb = shape_resample a step=0.5\nc = shape_resample b step=4\n"
        "d = shape_resample c step=0.25\ne = blur_gaussian d sigma=9",
        "a = generate_noise\nb = generate_noise seed=2\nc = generate_noise seed=3\n"
        "a b = stitch_match a b\nd = combine_blend a b\nd = combine_blend d c",
        /* maps that nobody reads: one that need not be made, and one that must */
        "a = generate_noise\nb = analyze_normals a normal_y=f\nc = blur_box b radius=5",
        "a = generate_noise\nb = generate_noise seed=2\na b = stitch_match a b\n"
        "c = blur_box a radius=5\nd = combine_blend c a",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        terrain_recipe *recipe = test_recipe(texts[i]);
        const terrain_recipe_run_desc bounded = desc_of(240, 200, false);
        const terrain_recipe_run_desc world = desc_of(240, 200, true);
        check_bytes(recipe, &bounded, texts[i]);
        check_bytes(recipe, &world, texts[i]);
        terrain_recipe_destroy(recipe);
    }
}

/* Twenty wide blurs of a small window want 41024 x 41024 cells: that must be told at once, by a
 * run, a plan and a world. */
static void test_greedy_chain(void **state)
{
    char text[4000] = "m = generate_noise\n";
    terrain_context *context = test_plain_context();
    terrain_recipe_run_desc desc = desc_of(64, 64, true);
    terrain_heightmap *map = test_map(&(terrain_window){0, 0, 64, 64});
    terrain_recipe_plan *plan = NULL;
    terrain_world_desc world_desc;
    terrain_world *world = NULL;
    for (int i = 0; i < 20; i++) {
        strcat(text, "m = blur_box m radius=1024\n");
    }
    terrain_recipe *recipe = test_recipe(text);
    desc.memory_limit = UINT64_C(4) << 30;
    desc.outputs = &map;
    desc.output_count = 1;
    expect_refused(terrain_recipe_run(context, recipe, &desc), TERRAIN_ERROR_MEMORY, context,
                   "m: ");
    expect_message(context, "41024x41024 cells at (-20480");
    assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan),
                     TERRAIN_ERROR_MEMORY);
    assert_null(plan);
    desc.memory_limit = 0; /* no limit: a plan tells */
    assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan), TERRAIN_SUCCESS);
    assert_true(terrain_recipe_plan_bytes(plan) > UINT64_C(6) << 30);
    terrain_recipe_plan_destroy(plan);

    terrain_world_desc_init(&world_desc, sizeof world_desc);
    world_desc.recipe = recipe;
    world_desc.memory_limit = UINT64_C(4) << 30;
    assert_int_equal(terrain_world_create(context, &world_desc, &world), TERRAIN_SUCCESS);
    expect_refused(terrain_world_tile(context, world, 0, 0, map), TERRAIN_ERROR_MEMORY, context,
                   " cells at (");
    expect_message(context, "memory_limit is 4294967296");
    assert_true(terrain_world_cache_size(world) == 0); /* nothing was begun */
    terrain_world_destroy(world);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A tile within its limit comes; its bits don't depend on the limit. */
static void test_tile_limits(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = blur_box a radius=90\n"
                                         "c = erode_thermal b iterations=80");
    uint64_t hash = 0;
    for (uint64_t limit = 0; limit <= 12; limit++) {
        terrain_context *context = test_plain_context();
        terrain_heightmap *map = test_map(&(terrain_window){0, 0, 64, 64});
        terrain_world_desc desc;
        terrain_world *world = NULL;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        desc.memory_limit = limit << 20;
        assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_SUCCESS);
        terrain_status status = terrain_world_tile(context, world, 5, 7, map);
        if (limit == 0) {
            hash = terrain_heightmap_hash(map);
        }
        assert_int_equal(status, limit == 1                  ? TERRAIN_ERROR_MEMORY
                                 : limit == 0 || limit == 12 ? TERRAIN_SUCCESS
                                                             : status);
        assert_true(status == TERRAIN_ERROR_MEMORY || terrain_heightmap_hash(map) == hash);
        terrain_world_destroy(world);
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
    }
    terrain_recipe_destroy(recipe);
}

/* ---- A second time --------------------------------------------------------------------------- */

/* Allocations that every call makes, or the first two: whatever a context does a second time, it
 * does with the memory that it has. */
static void test_nothing_new(void **state)
{
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = blur_box a radius=9\n"
                                         "c = erode_thermal b iterations=9\nd = combine_blend c a\n"
                                         "e = analyze_normals d normal_y=f\ng = combine_blend e f");
    terrain_recipe_run_desc desc = desc_of(150, 90, true);
    terrain_heightmap *map = test_map(&(terrain_window){0, 0, 150, 90});
    terrain_world_desc world_desc;
    terrain_world *world = NULL;
    desc.outputs = &map;
    desc.output_count = 1;
    assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
    const uint64_t of_run = allocator.calls;
    assert_true(of_run < 10); /* one for all maps, one for all scratch, and the plan */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
    }
    assert_int_equal(allocator.calls, of_run);

    terrain_world_desc_init(&world_desc, sizeof world_desc);
    world_desc.recipe = recipe;
    assert_int_equal(terrain_world_create(NULL, &world_desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(context, world, 0, 0, map), TERRAIN_SUCCESS);
    const uint64_t of_tile = allocator.calls;
    for (int i = 0; i < 12; i++) { /* half of them where blocks are kept */
        if (i % 4 == 0) {
            terrain_world_trim(world);
        }
        assert_int_equal(terrain_world_tile(context, world, 150 * i, 70 * (i % 2), map),
                         TERRAIN_SUCCESS);
    }
    assert_int_equal(allocator.calls, of_tile);
    terrain_world_destroy(world);

    const uint64_t live = allocator.live;
    terrain_context_trim(context);
    assert_true(allocator.live == 1 && live > 1); /* the context */
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    assert_true(allocator.live == 0 && allocator.faults == 0);
}

#if defined(__linux__)

static long page_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Guards against memory that the second call is the first to touch. The map's own pages count
 * neither time: they are touched before. */
static void test_nothing_untouched(void **state)
{
    enum { SIDE = 512, PAGES = SIDE * SIDE * 4 / 4096 };
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = blur_gaussian a sigma=9\n"
                                         "c = erode_thermal b iterations=2\nd = combine_blend c a\n"
                                         "e = shape_fill d\nf = combine_blend e a");
    terrain_recipe_run_desc desc = desc_of(SIDE, SIDE, false);
    terrain_heightmap *map = test_map(&(terrain_window){0, 0, SIDE, SIDE});
    long faults[3];
    memset(terrain_heightmap_data(map), 0, SIDE * SIDE * sizeof(float));
    desc.outputs = &map;
    desc.output_count = 1;
    for (int i = 0; i < 3; i++) {
        const long before = page_faults();
        assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
        faults[i] = page_faults() - before;
    }
    if (faults[1] > PAGES / 8 || faults[2] > PAGES / 8) {
        fail_msg("page faults: %ld, %ld, %ld", faults[0], faults[1], faults[2]);
    }
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

#else

/* Nothing counts page faults here. */
static void test_nothing_untouched(void **state)
{
    skip();
}

#endif

/* ---- Plans ----------------------------------------------------------------------------------- */

static const char mixed[] = "input land\nridge = generate_noise\nsteep = analyze_slope land\n"
                            "soft = blur_box ridge radius=5\nd = combine_blend soft land";

/* Two maps of `mixed`, there. */
static const terrain_window mixed_place = {3, 4, 60, 50};

static terrain_recipe_run_desc mixed_desc(bool world, const terrain_heightmap *const *land)
{
    static const char *const names[] = {"d", "soft"};
    static const char *const inputs[] = {"land"};
    terrain_recipe_run_desc desc =
        world ? test_run_of_world(&mixed_place) : test_run_of(&mixed_place);
    desc.output_names = names;
    desc.output_count = 2;
    desc.input_names = inputs;
    desc.input_count = 1;
    desc.inputs = land;
    return desc;
}

static terrain_recipe_plan *mixed_plan(terrain_context *context, const terrain_recipe *recipe,
                                       bool world, const terrain_heightmap *const *land)
{
    const terrain_recipe_run_desc desc = mixed_desc(world, land);
    terrain_recipe_plan *plan = NULL;
    assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan), TERRAIN_SUCCESS);
    return plan;
}

struct plan_job {
    const terrain_recipe_plan *plan;
    const terrain_heightmap *land;
    uint64_t hash;
};

/* Runs the plan on this thread, twice. */
static void *run_plan(void *user)
{
    const struct plan_job *job = user;
    terrain_context *context = test_plain_context();
    terrain_heightmap *maps[2] = {test_map(&mixed_place), test_map(&mixed_place)};
    for (int i = 0; i < 2; i++) {
        test_fill_poison(maps[0]);
        if (terrain_recipe_plan_run(context, job->plan, &job->land, maps) != TERRAIN_SUCCESS ||
            terrain_heightmap_hash(maps[0]) != job->hash) {
            abort();
        }
    }
    terrain_heightmap_destroy(maps[0]);
    terrain_heightmap_destroy(maps[1]);
    terrain_context_destroy(context);
    return NULL;
}

/* Guards against plans whose windows or cells are wrong, that need the caller's desc, run by one
 * thread alone, or give other bits. */
static void test_plans(void **state)
{
    terrain_recipe *recipe = test_recipe(mixed);
    terrain_context *context = test_plain_context();
    terrain_heightmap *own = test_map(&mixed_place);
    const terrain_heightmap *land = own;
    test_fill_heights(own, 3);
    for (uint32_t world = 0; world < 2; world++) {
        terrain_heightmap *maps[2] = {test_map(&mixed_place), test_map(&mixed_place)};
        terrain_recipe_run_desc desc = mixed_desc(world != 0, &land);
        terrain_recipe_plan *plan = NULL;
        terrain_window window;
        assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan),
                         TERRAIN_SUCCESS);
        assert_int_equal(terrain_recipe_plan_window(plan, "land", &window), TERRAIN_SUCCESS);
        assert_memory_equal(&window, &mixed_place, sizeof window);
        assert_int_equal(terrain_recipe_plan_window(plan, "soft", &window), TERRAIN_SUCCESS);
        assert_int_equal(terrain_recipe_plan_window(plan, "steep", &window),
                         TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_recipe_plan_cells(plan, 1), 0);
        assert_int_equal(terrain_recipe_plan_cells(plan, 3), 60 * 50);
        assert_int_equal(terrain_recipe_plan_cells(plan, UINT32_MAX),
                         2 * 60 * 50 + (world != 0 ? 2 * 70 * 60 - 60 * 50 : 60 * 50));
        desc.outputs = maps;
        assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
        struct plan_job job = {plan, land, terrain_heightmap_hash(maps[0])};
        memset(&desc, 0x55, sizeof desc); /* the plan keeps none of it */
        test_on_threads(4, run_plan, &job);
        terrain_recipe_plan_destroy(plan);
        terrain_heightmap_destroy(maps[0]);
        terrain_heightmap_destroy(maps[1]);
    }
    terrain_heightmap_destroy(own);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Guards against a plan that runs without its maps, or on some that lie elsewhere. A world tells
 * which window of the input it needs, and takes one that covers it; a bounded run must be told. */
static void test_plan_inputs(void **state)
{
    terrain_recipe *recipe = test_recipe(mixed);
    terrain_context *context = test_plain_context();
    terrain_heightmap *own = test_map(&mixed_place);
    terrain_heightmap *wide = test_map(&(terrain_window){2, 4, 62, 50});
    const terrain_heightmap *land = own, *beyond = wide, *none = NULL;
    test_fill_heights(own, 3);
    for (uint32_t world = 0; world < 2; world++) {
        terrain_heightmap *maps[2] = {test_map(&mixed_place), test_map(&mixed_place)};
        const terrain_recipe_run_desc untold = mixed_desc(world != 0, NULL);
        terrain_recipe_plan *plan = NULL;
        if (world == 0) {
            expect_refused(terrain_recipe_plan_create(context, recipe, &untold, &plan),
                           TERRAIN_ERROR_ARGUMENT, context, "input 'land' is NULL");
        } else {
            assert_int_equal(terrain_recipe_plan_create(context, recipe, &untold, &plan),
                             TERRAIN_SUCCESS);
        }
        terrain_recipe_plan_destroy(plan);
        plan = mixed_plan(context, recipe, world != 0, &land);
        assert_int_equal(terrain_recipe_plan_run(context, plan, NULL, maps),
                         TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_recipe_plan_run(context, plan, &none, maps),
                         TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_recipe_plan_run(context, plan, &land, NULL),
                         TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_recipe_plan_run(context, NULL, &land, maps),
                         TERRAIN_ERROR_ARGUMENT);
        terrain_heightmap_set_origin(own, 4, 4);
        assert_int_equal(terrain_recipe_plan_run(context, plan, &land, maps), TERRAIN_ERROR_RANGE);
        terrain_heightmap_set_origin(own, 3, 4);
        assert_int_equal(terrain_recipe_plan_run(context, plan, &beyond, maps),
                         world != 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE);
        assert_int_equal(terrain_recipe_plan_run(context, plan, &land, maps), TERRAIN_SUCCESS);
        terrain_recipe_plan_destroy(plan);
        terrain_heightmap_destroy(maps[0]);
        terrain_heightmap_destroy(maps[1]);
    }
    terrain_heightmap_destroy(own);
    terrain_heightmap_destroy(wide);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Guards against a plan that takes more memory each time it runs, or leaves some behind. */
static void test_plan_memory(void **state)
{
    test_allocator allocator = {0};
    terrain_recipe *recipe = test_recipe(mixed);
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_heightmap *own = test_map(&mixed_place);
    terrain_heightmap *maps[2] = {test_map(&mixed_place), test_map(&mixed_place)};
    const terrain_heightmap *land = own;
    test_fill_heights(own, 3);
    for (uint32_t world = 0; world < 2; world++) {
        terrain_recipe_plan *plan = mixed_plan(context, recipe, world != 0, &land);
        assert_int_equal(terrain_recipe_plan_run(context, plan, &land, maps), TERRAIN_SUCCESS);
        const uint64_t live = allocator.live_bytes;
        assert_int_equal(terrain_recipe_plan_run(context, plan, &land, maps), TERRAIN_SUCCESS);
        assert_true(allocator.live_bytes == live); /* it takes up what it used before */
        terrain_recipe_plan_destroy(plan);
    }
    assert_int_equal(terrain_recipe_plan_create(context, NULL, NULL, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_true(terrain_recipe_plan_bytes(NULL) == 0 && terrain_recipe_plan_cells(NULL, 0) == 0);
    terrain_recipe_plan_destroy(NULL);
    terrain_heightmap_destroy(own);
    terrain_heightmap_destroy(maps[0]);
    terrain_heightmap_destroy(maps[1]);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

/* Memory that a context has kept from a larger run, which counts against a limit: it must go. */
static void test_limit_of_kept(void **state)
{
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = blur_gaussian a sigma=9");
    const uint64_t before = allocator.live_bytes;
    terrain_recipe_run_desc desc;
    terrain_recipe_plan *plan = NULL;
    for (int k = 0; k < 2; k++) {
        const uint32_t side = k == 0 ? 900 : 100;
        terrain_heightmap *map = test_map_of_size(side, side, 1);
        desc = desc_of(side, side, false);
        desc.outputs = &map;
        desc.output_count = 1;
        assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_SUCCESS);
        desc.memory_limit = terrain_recipe_plan_bytes(plan);
        terrain_recipe_plan_destroy(plan);
        assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
        assert_true(allocator.live_bytes - before <= desc.memory_limit);
        terrain_heightmap_destroy(map);
    }
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A window for which a map of 2^32 columns or more is needed, of which only the rest is made. */
static void test_too_wide(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = shape_resample a step=64");
    terrain_recipe_run_desc desc = desc_of((UINT32_C(1) << 26) + 1, 1, true);
    terrain_recipe_plan *plan = NULL;
    assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_ERROR_RANGE);
    assert_null(plan);
    terrain_recipe_destroy(recipe);
}

/* Guards against a plan that looks at each of the 10^10 tiles of a map before it is refused. */
static void test_many_tiles(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_drainage\nb = shape_clamp a");
    terrain_recipe_run_desc desc = desc_of(1 << 26, 1 << 26, false);
    terrain_recipe_plan *plan = NULL;
    desc.memory_limit = 1 << 30;
    assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_ERROR_MEMORY);
    terrain_recipe_destroy(recipe);
}

/* Guards against operations that count wrongly in 32 bits, and make other land of large maps. */
static void test_too_large_to_count(void **state)
{
    static const struct {
        const char *text, *message;
        uint32_t width, height;
    } cases[] = {
        {"a = generate_ridges peaks=world spacing=8 depth=2 branch_spacing=1 branch_length=1 "
         "length=5 amplitude=20 least=1",
         "2^32 lines or more", 8456, 8792},
        {"a = generate_noise\nb = erode_shear a reach=31",
         "must have at most 2^31 / (reach + 1) - 64", (1 << 26) - 63, 1},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        terrain_recipe *recipe = test_recipe(cases[i].text);
        terrain_recipe_run_desc desc = desc_of(cases[i].width, cases[i].height, false);
        terrain_recipe_plan *plan = NULL;
        expect_refused(terrain_recipe_plan_create(context, recipe, &desc, &plan),
                       TERRAIN_ERROR_UNSUPPORTED, context, cases[i].message);
        assert_null(plan);
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

/* Guards against plans that no run can follow: of a map that is too large for an operation, which
 * says so. */
static void test_too_large(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = analyze_flow a");
    terrain_context *context = test_plain_context();
    terrain_recipe_run_desc desc = desc_of(1 << 15, 1 << 15, false);
    terrain_recipe_plan *plan = NULL;
    assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan), TERRAIN_SUCCESS);
    assert_string_equal(terrain_context_message(context), "");
    terrain_recipe_plan_destroy(plan);
    desc.width++;
    assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan),
                     TERRAIN_ERROR_UNSUPPORTED);
    assert_null(plan);
    expect_message(context, "line 2, b: analyze_flow: ");
    for (int k = 0; k < 4; k++) { /* too wide and too high, bounded and in a world */
        const uint32_t most = (UINT32_C(1) << 31) + 1;
        desc = desc_of(k < 2 ? most : 1, k < 2 ? 1 : most, k % 2 == 1);
        desc.output_names = (const char *[]){"a"};
        desc.output_count = 1;
        assert_int_equal(terrain_recipe_plan_create(context, recipe, &desc, &plan),
                         TERRAIN_ERROR_UNSUPPORTED);
        assert_null(plan);
        assert_string_equal(
            terrain_context_message(context),
            k < 2 ? "line 1, a: generate_noise: its map is 2147483649x1, must have at most 2^31 "
                    "columns and rows"
                  : "line 1, a: generate_noise: its map is 1x2147483649, must have at most 2^31 "
                    "columns and rows");
    }
    terrain_context_destroy(context);
    terrain_recipe_destroy(recipe);
}

/* Guards against a plan that is counted without the memory to do so, and tells too few bytes. */
static void test_plan_without_memory(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = erode_coast a");
    terrain_recipe_run_desc desc = desc_of(90, 80, false);
    uint64_t bytes = 0;
    terrain_status status = TERRAIN_ERROR_MEMORY;
    desc.scale = 0.5; /* which takes more */
    for (uint64_t n = 0; n < 2 || status != TERRAIN_SUCCESS; n++) {
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
        terrain_recipe_plan *plan = NULL;
        allocator.fail_at = n == 0 ? 0 : allocator.calls + n;
        status = terrain_recipe_plan_create(context, recipe, &desc, &plan);
        bytes = n == 0 ? terrain_recipe_plan_bytes(plan) : bytes;
        assert_int_equal(status, plan != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY);
        assert_true(plan == NULL || terrain_recipe_plan_bytes(plan) == bytes);
        terrain_recipe_plan_destroy(plan);
        terrain_context_destroy(context);
        assert_true(n < 100 && allocator.live == 0);
    }
    terrain_recipe_destroy(recipe);
}

/* Guards against windows that are told of the first input alone, or of one that nothing reads; and
 * against a run that asks for one that it doesn't need. */
static void test_windows_of_inputs(void **state)
{
    static const char *const names[] = {"a", "b", "unread"};
    terrain_recipe *recipe = test_recipe(
        "input a\ninput b\ninput unread\nc = blur_box a radius=5\nd = combine_blend c b");
    terrain_context *context = test_plain_context();
    terrain_recipe_run_desc desc = desc_of(60, 50, true);
    terrain_recipe_plan *plan = NULL;
    terrain_window a, b, unread;
    desc.input_names = names;
    desc.input_count = 3;
    assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_plan_window(plan, "a", &a), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_plan_window(plan, "b", &b), TERRAIN_SUCCESS);
    assert_true(b.x == 0 && b.y == 0 && b.width == 60 && b.height == 50);
    assert_true(a.x < 0 && a.y < 0 && a.width > 60 && a.height > 50);
    assert_int_equal(terrain_recipe_plan_window(plan, "unread", &unread), TERRAIN_SUCCESS);
    assert_true(unread.width == 0 && unread.height == 0);

    terrain_heightmap *wide = test_map_of_size(a.width, a.height, 1);
    terrain_heightmap *own = test_map_of_size(60, 50, 2), *map = test_map_of_size(60, 50, 3);
    const terrain_heightmap *given[] = {wide, NULL, NULL};
    terrain_heightmap_set_origin(wide, a.x, a.y);
    expect_refused(terrain_recipe_plan_run(context, plan, given, &map), TERRAIN_ERROR_ARGUMENT,
                   context, "input 'b' is missing");
    given[1] = own;
    assert_int_equal(terrain_recipe_plan_run(context, plan, given, &map), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(wide);
    terrain_heightmap_destroy(own);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    terrain_recipe_plan_destroy(plan);
    terrain_recipe_destroy(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_of_operations),
        cmocka_unit_test(test_bytes_of_recipes),
        cmocka_unit_test(test_bytes_of_statements),
        cmocka_unit_test(test_bytes_of_unread),
        cmocka_unit_test(test_limit_with_runner),
        cmocka_unit_test(test_bytes_of_regions),
        cmocka_unit_test(test_greedy_chain),
        cmocka_unit_test(test_tile_limits),
        cmocka_unit_test(test_nothing_new),
        cmocka_unit_test(test_nothing_untouched),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_plan_inputs),
        cmocka_unit_test(test_plan_memory),
        cmocka_unit_test(test_windows_of_inputs),
        cmocka_unit_test(test_limit_of_kept),
        cmocka_unit_test(test_too_wide),
        cmocka_unit_test(test_many_tiles),
        cmocka_unit_test(test_too_large_to_count),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_plan_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
