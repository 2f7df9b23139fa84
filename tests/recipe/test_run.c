/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a recipe computes: the same as its operations called by hand, on bounded maps and in a
 * world, no more than is needed, and all or nothing. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/operation.h"
#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/blur.h"
#include "terrain/erode.h"
#include "terrain/recipe.h"
#include "terrain/shape.h"
#include "terrain/world.h"

/* ---- Recipes from calls ---------------------------------------------------------------------- */

struct names {
    const char *name;
    const char *input;
    const char *parameter; /* of a map; NULL: none */
    const char *map;
};

static void add(terrain_recipe *recipe, const terrain_operation *operation, struct names names,
                const void *params)
{
    terrain_recipe_statement statement;
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = names.name;
    statement.operation = operation;
    statement.inputs = &names.input;
    statement.input_count = 1;
    statement.params = params;
    statement.map_parameters = &names.parameter;
    statement.maps = &names.map;
    statement.map_count = names.parameter != NULL;
    assert_int_equal(terrain_recipe_add(NULL, recipe, &statement), TERRAIN_SUCCESS);
}

static test_every_type_params every(uint32_t rounds, uint64_t seed)
{
    test_every_type_params params;
    terrain_operation_params_init(&test_every_type, &params, sizeof params);
    params.rounds = rounds;
    params.seed = seed;
    params.place = 40;
    return params;
}

/* land → a (2 rounds, leaves `before`) → b (5 rounds, masked by land) → a again (1 round, adds the
 * first a's `before`). Reads land twice, and the first a twice. */
static terrain_recipe *graph(void)
{
    terrain_recipe *recipe = NULL;
    test_every_type_params first = every(2, 7);
    test_every_type_params second = every(5, 8);
    test_every_type_params third = every(1, 9);
    const float weights[] = {1, 0.5f};
    first.weights = weights;
    first.weights_count = 2;
    assert_int_equal(terrain_recipe_create(NULL, &recipe), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_add_input(NULL, recipe, "land"), TERRAIN_SUCCESS);
    add(recipe, &test_every_type, (struct names){"a", "land", "before", "old"}, &first);
    add(recipe, &test_every_type, (struct names){"unused", "a", "mask", "land"}, &third);
    add(recipe, &test_every_type, (struct names){"b", "a", "mask", "land"}, &second);
    add(recipe, &test_every_type, (struct names){"a", "b", "addend", "old"}, &third);
    return recipe;
}

static void apply(terrain_heightmap *map, const test_every_type_params *params)
{
    assert_int_equal(terrain_operation_apply(NULL, &test_every_type, &map, 1, params),
                     TERRAIN_SUCCESS);
}

/* The graph by hand, in place. */
static void graph_by_hand(terrain_heightmap *map, uint64_t world_seed)
{
    terrain_heightmap *land = test_clone(map);
    terrain_heightmap *old = test_clone(map);
    test_every_type_params params = every(2, world_seed ? terrain__mix(world_seed, 7) : 7);
    const float weights[] = {1, 0.5f};
    params.weights = weights;
    params.weights_count = 2;
    params.before = old;
    apply(map, &params);
    params = every(5, world_seed ? terrain__mix(world_seed, 8) : 8);
    params.mask = land;
    apply(map, &params);
    params = every(1, world_seed ? terrain__mix(world_seed, 9) : 9);
    params.addend = old;
    apply(map, &params);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(old);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* A run of one input `land` and one output. */
struct run {
    terrain_recipe_run_desc desc;
    const char *input_name;
    const char *output_name;
    const terrain_heightmap *input;
    terrain_heightmap *output;
};

static void run_init(struct run *run, const terrain_heightmap *land, const char *name,
                     terrain_heightmap *output)
{
    terrain_recipe_run_desc_init(&run->desc, sizeof run->desc);
    run->input_name = "land";
    run->input = land;
    run->output_name = name;
    run->output = output;
    run->desc.input_names = &run->input_name;
    run->desc.inputs = &run->input;
    run->desc.input_count = land != NULL;
    run->desc.output_names = &run->output_name;
    run->desc.outputs = &run->output;
    run->desc.output_count = 1;
}

static void run_in_world(struct run *run, const terrain_window *window)
{
    run->desc.flags |= TERRAIN_RECIPE_WORLD;
    test_run_window(&run->desc, window);
}

/* A graph that mixes up its maps, changes its input, or forgets the world's seed. */
static void test_bounded(void **state)
{
    static const uint64_t world_seeds[] = {0, 1, UINT64_MAX};
    const terrain_window window = {-30, 5, 61, 37};
    terrain_recipe *recipe = graph();
    for (size_t i = 0; i < 3; i++) {
        terrain_heightmap *land = test_map(&window);
        terrain_heightmap *wanted, *found = test_map_of_size(61, 37, 3);
        uint32_t *before;
        struct run run;
        test_fill_shares(land, 4);
        terrain_heightmap_set_cell_size(land, 2.5f);
        wanted = test_clone(land);
        before = test_snapshot(land);
        graph_by_hand(wanted, world_seeds[i]);
        run_init(&run, land, i == 0 ? NULL : "a", found);
        run.desc.seed = world_seeds[i];
        assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
        assert_true(test_maps_equal(wanted, found));
        assert_true(test_unchanged(land, before));
        assert_true(terrain_heightmap_cell_size(found) == 2.5f);
        assert_int_equal(test_window_of(found).x, -30);
        terrain_heightmap_destroy(land);
        terrain_heightmap_destroy(wanted);
        terrain_heightmap_destroy(found);
    }
    terrain_recipe_destroy(recipe);
}

/* A bounded map that is cut into a world's regions: hollows that are wider than these have other
 * depths then. */
static void test_bounded_regions(void **state)
{
    const terrain_window window = {-100, 300, 700, 600};
    terrain_recipe *noise = test_recipe("a = generate_noise seed=3 period=1200 amplitude=1500\n");
    terrain_recipe *recipe = test_recipe("input land\nb = shape_fill land\n");
    terrain_heightmap *land = test_map_of_world(noise, &window, 0, 2), *found = test_map(&window);
    struct run run;
    run_init(&run, land, NULL, found);
    assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_int_equal(terrain_shape_fill(NULL, land, NULL), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(land, found));
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(found);
    terrain_recipe_destroy(noise);
    terrain_recipe_destroy(recipe);
}

/* What comes after a statement that makes a map of another size, planned for the size before it;
 * and a host that is told that size. */
static void test_bounded_sizes(void **state)
{
    static const char text[] = "input land\n"
                               "half = shape_resample land step=2\n"
                               "soft = blur_box half radius=2\n"
                               "out = shape_resample soft step=0.5\n";
    const char *names[] = {"half", "soft", "out"};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe(text);
    terrain_heightmap *land = test_map(&(terrain_window){-30, 5, 61, 37});
    terrain_heightmap *found[3], *wanted[3];
    terrain_shape_resample_params down, up;
    terrain_blur_box_params box;
    struct run run;
    test_fill_heights(land, 3);
    run_init(&run, land, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        terrain_window window;
        assert_int_equal(
            terrain_recipe_output_window(context, recipe, &run.desc, names[i], &window), 0);
        assert_int_equal(window.width, i < 2 ? 31 : 62);
        found[i] = test_map(&window);
        wanted[i] = i != 1 ? test_map(&window) : NULL;
    }
    terrain_shape_resample_params_init(&down, sizeof down);
    terrain_shape_resample_params_init(&up, sizeof up);
    terrain_blur_box_params_init(&box, sizeof box);
    down.step = 2;
    up.step = 0.5f;
    box.radius = 2;
    assert_int_equal(terrain_shape_resample(NULL, land, wanted[0], &down), TERRAIN_SUCCESS);
    wanted[1] = test_clone(wanted[0]);
    assert_int_equal(terrain_blur_box(NULL, wanted[1], &box), TERRAIN_SUCCESS);
    assert_int_equal(terrain_shape_resample(NULL, wanted[1], wanted[2], &up), TERRAIN_SUCCESS);
    run.desc.output_names = names;
    run.desc.outputs = found;
    run.desc.output_count = 3;
    if (terrain_recipe_run(context, recipe, &run.desc) != TERRAIN_SUCCESS) {
        fail_msg("%s", terrain_context_message(context));
    }
    for (int i = 0; i < 3; i++) {
        assert_true(test_maps_equal(wanted[i], found[i]));
        terrain_heightmap_destroy(wanted[i]);
        terrain_heightmap_destroy(found[i]);
    }
    terrain_heightmap_destroy(land);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Seams: a window of a world differs from the crop of a larger one, or reads what it did not ask
 * for. The input covers the exact windows that are needed, computed here by hand. */
static void test_world(void **state)
{
    static const int64_t places[] = {0, -1, INT64_C(1) << 31, -(INT64_C(1) << 32),
                                     (INT64_C(1) << 62) - 200};
    terrain_recipe *recipe = graph();
    const int64_t halo = 2 + 5 + 1; /* of the three statements on the way */
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int64_t x = places[i], y = -places[i];
        const terrain_window large = {x, y, 64, 48};
        const terrain_window small = {x + 13, y + 9, 17, 11};
        const terrain_window large_input = {x - halo, y - halo, (uint32_t)(64 + 2 * halo),
                                            (uint32_t)(48 + 2 * halo)};
        const terrain_window small_input = {x + 13 - halo, y + 9 - halo, (uint32_t)(17 + 2 * halo),
                                            (uint32_t)(11 + 2 * halo)};
        terrain_heightmap *land = test_map(&large_input);
        terrain_heightmap *poisoned = test_map(&large_input);
        terrain_heightmap *whole = test_map(&large);
        terrain_heightmap *tile = test_map(&small);
        struct run run;
        test_fill_shares(land, 4);
        test_fill_shares(poisoned, 4);
        test_poison_outside(poisoned, &small_input);
        run_init(&run, land, NULL, whole);
        run_in_world(&run, &large);
        assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
        run_init(&run, poisoned, NULL, tile);
        run_in_world(&run, &small);
        assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
        assert_true(test_windows_equal(whole, tile, &small));
        /* And the bounded map agrees away from its edges. */
        graph_by_hand(land, 0);
        assert_true(test_windows_equal(whole, land, &large));
        terrain_heightmap_destroy(land);
        terrain_heightmap_destroy(poisoned);
        terrain_heightmap_destroy(whole);
        terrain_heightmap_destroy(tile);
    }
    terrain_recipe_destroy(recipe);
}

/* Seams where maps change their grid, where one map is read through several windows, and where a
 * mask or an output goes its own way. */
static void test_tiles_of_real_operations(void **state)
{
    static const char text[] = "rock = generate_diamond_square seed=3\n"
                               "fine = shape_resample rock step=0.5\n"
                               "slope = analyze_normals fine normal_z=up\n"
                               "worn = erode_thermal fine iterations=7 mask=up\n"
                               "soft = blur_gaussian fine sigma=3\n"
                               "worn = combine_blend worn soft mode=lerp mask=slope\n"
                               "worn = shape_resample worn step=2 filter=area\n"
                               "worn = combine_blend worn rock mode=add\n";
    test_random random = {8};
    terrain_recipe *recipe = test_recipe(text);
    for (int i = 0; i < 12; i++) {
        const int64_t reach = i % 3 == 0 ? INT64_C(1) << 61 : i % 3 == 1 ? INT64_C(1) << 33 : 300;
        const terrain_window large = {test_between(&random, -reach, reach),
                                      test_between(&random, -reach, reach), 70, 60};
        const terrain_window small = {
            large.x + test_between(&random, 0, 40), large.y + test_between(&random, 0, 40),
            (uint32_t)test_between(&random, 1, 30), (uint32_t)test_between(&random, 1, 20)};
        terrain_heightmap *whole = test_map_of_world(recipe, &large, 99, 1);
        terrain_heightmap *tile = test_map_of_world(recipe, &small, 99, 1);
        assert_true(test_windows_equal(whole, tile, &small));
        terrain_heightmap_destroy(whole);
        terrain_heightmap_destroy(tile);
    }
    terrain_recipe_destroy(recipe);
}

struct seen {
    uint32_t count;
    uint32_t statements[8];
    terrain_window windows[8];
};

static void observe(void *user, uint32_t statement, const terrain_window *window)
{
    struct seen *seen = user;
    seen->statements[seen->count] = statement;
    seen->windows[seen->count++] = *window;
}

/* Work that nobody asked for: statements that do not lead to an output, windows too large. */
static void test_no_more_than_needed(void **state)
{
    const terrain_window window = {100, 200, 10, 10};
    const terrain_window input = {100 - 8, 200 - 8, 26, 26};
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map(&input);
    terrain_heightmap *out = test_map(&window);
    struct seen seen = {0};
    struct run run;
    run_init(&run, land, NULL, out);
    run_in_world(&run, &window);
    run.desc.observer.user = &seen;
    run.desc.observer.computed = observe;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.statements[0], 0);
    assert_int_equal(seen.statements[1], 2);
    assert_int_equal(seen.statements[2], 3);
    assert_int_equal(seen.windows[0].width, 26);
    assert_int_equal(seen.windows[1].width, 22);
    assert_int_equal(seen.windows[2].width, 12);
    assert_int_equal(seen.windows[2].x, 99);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
}

/* An input, read by itself or as a mask, that lacks one row or column of what is needed: it must be
 * refused, not read beyond its end. One that just suffices is taken. */
static void test_inputs_too_short(void **state)
{
    static const char *const texts[] = {
        "input land\nx = blur_box land radius=3",
        "input land\na = generate_noise\nx = combine_blend a a mask=land\nx = blur_box x radius=3",
    };
    const terrain_window window = {100, 200, 10, 20}, enough = {97, 197, 16, 26};
    const terrain_window inputs[] = {
        enough, {98, 197, 15, 26}, {97, 198, 16, 25}, {97, 197, 15, 26}, {97, 197, 16, 25}};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        terrain_recipe *recipe = test_recipe(texts[t]);
        for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
            terrain_heightmap *land = test_map(&inputs[i]);
            terrain_heightmap *out = test_map(&window);
            struct run run;
            run_init(&run, land, NULL, out);
            run_in_world(&run, &window);
            assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc),
                             i == 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE);
            terrain_heightmap_destroy(land);
            terrain_heightmap_destroy(out);
        }
        terrain_recipe_destroy(recipe);
    }
}

/* A map_out parameter must be had without the map that its statement makes. */
static void test_map_out_alone(void **state)
{
    const terrain_window window = {0, 0, 20, 20};
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map(&window);
    terrain_heightmap *out = test_map(&window);
    struct run run;
    test_fill_heights(land, 6);
    run_init(&run, land, "old", out);
    assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(land, out));
    run_init(&run, land, "land", out);
    test_fill_poison(out);
    assert_int_equal(terrain_recipe_run(NULL, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(land, out));
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
}

/* A chain of in-place statements needs one copy of its input, however long it is. */
static void test_memory_is_reused(void **state)
{
    test_allocator allocator = {0};
    terrain_context *context;
    terrain_heightmap *land = test_map_of_size(300, 200, 1);
    terrain_heightmap *out = test_map_of_size(300, 200, 2);
    terrain_recipe *recipe = NULL;
    struct run run;
    context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_recipe_create(NULL, &recipe);
    terrain_recipe_add_input(NULL, recipe, "land");
    for (int i = 0; i < 20; i++) {
        add(recipe, terrain_operation_find("shape_clamp"),
            (struct names){"land", "land", NULL, NULL}, NULL);
    }
    run_init(&run, land, NULL, out);
    assert_int_equal(terrain_recipe_run(context, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(land, out));
    assert_true(allocator.most_bytes < 300 * 200 * 4 + 200000);
    assert_true(allocator.most_bytes >= 300 * 200 * 4);
    terrain_context_destroy(context);
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* Runs with each refusal in turn; the output must stay what it was. */
static void refuse(terrain_context *context, const terrain_recipe *recipe, const struct run *run,
                   terrain_status status, const char *message)
{
    uint32_t *before = run->output != NULL ? test_snapshot(run->output) : NULL;
    terrain_status found = terrain_recipe_run(context, recipe, &run->desc);
    if (found != status || strstr(terrain_context_message(context), message) == NULL) {
        fail_msg("%s with \"%s\" instead of %s with \"%s\"", terrain_status_name(found),
                 terrain_context_message(context), terrain_status_name(status), message);
    }
    assert_true(before == NULL || test_unchanged(run->output, before));
}

/* Maps that are missing, const, of another size or each other's: each must give a status, a message
 * that says which map, and nothing written. */
static void test_refused_maps(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map_of_size(30, 20, 1);
    terrain_heightmap *out = test_map_of_size(30, 20, 2);
    terrain_heightmap *wrong = test_map_of_size(31, 20, 2);
    terrain_heightmap *constant = NULL;
    terrain_heightmap_wrap_const(NULL, terrain_heightmap_const_data(out), 30, 20, 30, &constant);
    const struct {
        terrain_heightmap *land;
        const char *name;
        terrain_heightmap *output;
        terrain_status status;
        const char *message;
    } cases[] = {
        {NULL, NULL, out, TERRAIN_ERROR_ARGUMENT, "input 'land' is missing"},
        {land, NULL, wrong, TERRAIN_ERROR_ARGUMENT, "'a' is 31x20, must be 30x20"},
        {land, NULL, constant, TERRAIN_ERROR_ARGUMENT, "'a' is const"},
        {land, "c", out, TERRAIN_ERROR_ARGUMENT, "makes no map 'c'"},
        {land, NULL, NULL, TERRAIN_ERROR_ARGUMENT, "outputs[0] is NULL"},
        {land, NULL, land, TERRAIN_ERROR_ALIAS, "overlaps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run run;
        run_init(&run, cases[i].land, cases[i].name, cases[i].output);
        refuse(context, recipe, &run, cases[i].status, cases[i].message);
    }
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_heightmap_destroy(wrong);
    terrain_heightmap_destroy(constant);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* The longest name that may be meant, cut in the message. */
static void test_longest_suggestion(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map_of_size(30, 20, 1);
    terrain_heightmap *out = test_map_of_size(30, 20, 2);
    char name[TERRAIN_RECIPE_NAME_MAXIMUM + 1] = "", suggestion[TERRAIN_RECIPE_NAME_MAXIMUM + 32];
    struct run run;
    memset(name, 'n', TERRAIN_RECIPE_NAME_MAXIMUM);
    terrain_recipe_add_input(NULL, recipe, name);
    snprintf(suggestion, sizeof suggestion, "(did you mean '%s'?)", name);
    name[40] = 'm';
    run_init(&run, land, name, out);
    refuse(context, recipe, &run, TERRAIN_ERROR_ARGUMENT, suggestion);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Bad descs that are run, or refused in the wrong words: a good one, each time changed once. */
static void test_refused_descs(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map_of_size(30, 20, 1);
    terrain_heightmap *out = test_map_of_size(30, 20, 2);
    const char *names[] = {"a", "b"};
    const char *twice[] = {"land", "land"};
    const terrain_heightmap *inputs[] = {land, land};
    terrain_heightmap *outputs[] = {out, out};
    const terrain_window here = {0, 0, 30, 20}, rim = {TERRAIN_WORLD_LIMIT - 30, 0, 30, 20};
    struct run run;
#define refused(change, status, message)                                                           \
    do {                                                                                           \
        run_init(&run, land, NULL, out);                                                           \
        change;                                                                                    \
        refuse(context, recipe, &run, status, message);                                            \
    } while (0)
    refused((run.desc.output_count = 2, run.desc.output_names = names, run.desc.outputs = outputs),
            TERRAIN_ERROR_ALIAS, "'b' overlaps");
    refused((run.desc.input_count = 2, run.desc.input_names = twice, run.desc.inputs = inputs),
            TERRAIN_ERROR_ARGUMENT, "given twice");
    refused(run.input_name = "sea", TERRAIN_ERROR_ARGUMENT, "'sea' is not an input");
    refused(run.desc.output_count = 0, TERRAIN_ERROR_ARGUMENT, "no output");
    refused(run.desc.width = 0, TERRAIN_ERROR_RANGE, "the window is 0x512");
    refused(run.desc.x = TERRAIN_WORLD_LIMIT - 511, TERRAIN_ERROR_RANGE, "within 2^62");
    refused(run.desc.cell_size = 0, TERRAIN_ERROR_RANGE, "cell_size");
    refused(run.desc.flags = 1, TERRAIN_ERROR_ARGUMENT, "not initialised");
    refused(run_in_world(&run, &here), TERRAIN_ERROR_RANGE,
            "covers x 0 to 29 and y 0 to 19, but x -8 to 37 and y -8 to 27 is needed");
    refused(run_in_world(&run, &rim), TERRAIN_ERROR_RANGE, "statement 4, a: ");
#undef refused
    assert_int_equal(terrain_recipe_run(context, NULL, &run.desc), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_recipe_run(context, recipe, NULL), TERRAIN_ERROR_ARGUMENT);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Functions that share their checks must each speak in their own name. */
static void test_who_refuses(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe("a = generate_noise\n");
    terrain_heightmap *out = test_map_of_size(30, 20, 1);
    terrain_recipe_plan *plan = NULL;
    terrain_world *world = NULL;
    terrain_world_desc world_desc;
    terrain_window window;
    struct run run;
    run_init(&run, NULL, "c", out);
    refuse(context, recipe, &run, TERRAIN_ERROR_ARGUMENT, "recipe_run: the recipe makes no map");
    expect_refused(terrain_recipe_plan_create(context, recipe, &run.desc, &plan),
                   TERRAIN_ERROR_ARGUMENT, context, "recipe_plan_create: the recipe");
    expect_refused(terrain_recipe_output_window(context, recipe, &run.desc, "c", &window),
                   TERRAIN_ERROR_ARGUMENT, context, "recipe_output_window: the recipe");
    expect_refused(terrain_recipe_check_world(context, recipe, "c"), TERRAIN_ERROR_ARGUMENT,
                   context, "recipe_check_world: the recipe");
    terrain_world_desc_init(&world_desc, sizeof world_desc);
    world_desc.recipe = recipe;
    world_desc.name = "c";
    expect_refused(terrain_world_create(context, &world_desc, &world), TERRAIN_ERROR_ARGUMENT,
                   context, "world_create: the recipe");
    run_init(&run, NULL, NULL, out);
    assert_int_equal(terrain_recipe_plan_create(context, recipe, &run.desc, &plan),
                     TERRAIN_SUCCESS);
    expect_refused(terrain_recipe_plan_run(context, plan, NULL, NULL), TERRAIN_ERROR_ARGUMENT,
                   context, "recipe_plan_run: no output");
    expect_refused(terrain_recipe_output_window(context, recipe, &run.desc, NULL, NULL),
                   TERRAIN_ERROR_ARGUMENT, context, "recipe_output_window: out is NULL");
    terrain_recipe_plan_destroy(plan);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* Inputs of unequal sizes that meet in one statement: refused before anything is computed. */
static void test_unequal_maps(void **state)
{
    terrain_context *context = test_plain_context();
    static const char text[] = "input land\ninput rock\nx = shape_clamp land mask=rock";
    terrain_recipe *recipe = NULL;
    terrain_heightmap *maps[] = {test_map_of_size(30, 20, 1), test_map_of_size(20, 30, 1)};
    terrain_heightmap *out = test_map_of_size(30, 20, 2);
    const char *names[] = {"land", "rock"};
    const terrain_heightmap *inputs[] = {maps[0], maps[1]};
    struct run run;
    assert_int_equal(terrain_recipe_parse(context, text, sizeof text - 1, &recipe), 0);
    run_init(&run, NULL, NULL, out);
    run.desc.input_count = 2;
    run.desc.input_names = names;
    run.desc.inputs = inputs;
    refuse(context, recipe, &run, TERRAIN_ERROR_ARGUMENT,
           "line 3, x: 'rock' is 20x30 at (0, 0), must be 30x20 at (0, 0)");
    terrain_heightmap *high = test_map_of_size(30, 21, 3);
    inputs[1] = high;
    refuse(context, recipe, &run, TERRAIN_ERROR_ARGUMENT, "'rock' is 30x21 at (0, 0)");
    terrain_heightmap_destroy(high);
    /* Equal sizes, but not in one place. */
    terrain_heightmap *moved = test_map_of_size(30, 20, 3);
    inputs[1] = moved;
    terrain_heightmap_set_origin(moved, 1, 0);
    refuse(context, recipe, &run, TERRAIN_ERROR_ARGUMENT, "at (1, 0), must be 30x20 at (0, 0)");
    terrain_heightmap_set_origin(moved, 0, -1);
    refuse(context, recipe, &run, TERRAIN_ERROR_ARGUMENT, "at (0, -1), must be 30x20 at (0, 0)");
    terrain_heightmap_destroy(moved);
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(maps[0]);
    terrain_heightmap_destroy(maps[1]);
    terrain_heightmap_destroy(out);
    terrain_context_destroy(context);
}

/* Memory that ends, a host that cancels, a runner that fails, each at every step: the output is
 * what it was, and nothing leaks. */
static void test_all_or_nothing(void **state)
{
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map_of_size(70, 50, 1);
    terrain_heightmap *out = test_map_of_size(70, 50, 2);
    struct run run;
    uint64_t steps = 0;
    run_init(&run, land, NULL, out);
    for (uint64_t kind = 0; kind < 3; kind++) {
        bool failed = true;
        for (uint64_t n = 1; failed; n++) {
            test_allocator allocator = {0};
            test_progress progress = {.cancel_at = kind == 1 ? n : 0};
            test_runner runner = {.kind = kind == 2 ? TEST_RUN_FAIL : TEST_RUN_SHUFFLE, .limit = n};
            terrain_context *context =
                test_context(TERRAIN_ISA_BEST, kind == 2 ? &runner : NULL, &allocator, &progress);
            uint32_t *before = test_snapshot(out);
            terrain_status status;
            allocator.fail_at = kind == 0 ? allocator.calls + n : 0;
            status = terrain_recipe_run(context, recipe, &run.desc);
            failed = status != TERRAIN_SUCCESS;
            steps += failed;
            if (failed) {
                static const terrain_status statuses[] = {
                    TERRAIN_ERROR_MEMORY, TERRAIN_ERROR_CANCELLED, TERRAIN_ERROR_RUNNER};
                static const char *const words[] = {"memory", "cancelled", "runner"};
                assert_int_equal(status, statuses[kind]);
                expect_message(context, words[kind]);
                assert_true(test_unchanged(out, before));
            } else {
                free(before);
                test_fill_heights(out, 2);
            }
            terrain_context_destroy(context);
            assert_int_equal(allocator.live + allocator.faults + progress.faults, 0);
        }
    }
    assert_true(steps > 20);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
}

/* Each statement reporting 0 to 1 of its own, instead of its part of the whole. */
static void test_progress_is_one(void **state)
{
    test_progress progress = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    terrain_recipe *recipe = graph();
    terrain_heightmap *land = test_map_of_size(70, 50, 1);
    terrain_heightmap *out = test_map_of_size(70, 50, 2);
    struct run run;
    run_init(&run, land, NULL, out);
    assert_int_equal(terrain_recipe_run(context, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_int_equal(progress.faults, 0); /* it never falls */
    assert_true(progress.last == 1);
    assert_true(progress.reports > 5);
    /* A run that ends in the middle leaves other calls their own 0 to 1. */
    for (uint64_t n = 1; n < 4; n++) {
        progress = (test_progress){.cancel_at = n};
        assert_int_equal(terrain_recipe_run(context, recipe, &run.desc), TERRAIN_ERROR_CANCELLED);
        progress = (test_progress){0};
        assert_int_equal(terrain_erode_thermal(context, land, NULL), TERRAIN_SUCCESS);
        assert_true(progress.last == 1);
    }
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* What is reported while each of four statements is computed. */
struct parts {
    uint32_t statement;
    double least[4], most[4];
};

static int32_t report_part(void *user, double fraction)
{
    struct parts *parts = user;
    const uint32_t i = parts->statement;
    if (i < 4 && fraction < 1) {
        parts->least[i] = fraction < parts->least[i] ? fraction : parts->least[i];
        parts->most[i] = fraction > parts->most[i] ? fraction : parts->most[i];
    }
    return 0;
}

static void observe_part(void *user, uint32_t statement, const terrain_window *window)
{
    struct parts *parts = user;
    (void)window;
    parts->statement = statement + 1;
}

/* A bar that jumps to a statement's end when it begins, or stands still: of four equal ones each is
 * a quarter, and moves through it. */
static void test_progress_by_parts(void **state)
{
    struct parts parts = {0, {1, 1, 1, 1}, {0}};
    const test_every_type_params params = every(30, 1);
    terrain_recipe *recipe = NULL;
    terrain_heightmap *land = test_map_of_size(70, 50, 1);
    terrain_heightmap *out = test_map_of_size(70, 50, 2);
    terrain_context *context = test_context_reporting(report_part, &parts);
    struct run run;
    assert_int_equal(terrain_recipe_create(NULL, &recipe), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_add_input(NULL, recipe, "land"), TERRAIN_SUCCESS);
    for (int i = 0; i < 4; i++) {
        add(recipe, &test_every_type, (struct names){"land", "land", NULL, NULL}, &params);
    }
    run_init(&run, land, NULL, out);
    run.desc.observer.user = &parts;
    run.desc.observer.computed = observe_part;
    assert_int_equal(terrain_recipe_run(context, recipe, &run.desc), TERRAIN_SUCCESS);
    assert_int_equal(parts.statement, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(parts.least[i] >= 0.25 * i && parts.least[i] < 0.25 * i + 0.1);
        assert_true(parts.most[i] > 0.25 * i + 0.2 && parts.most[i] <= 0.25 * i + 0.25);
    }
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

static uint32_t global_halo(const void *params)
{
    (void)params;
    return TERRAIN__GLOBAL;
}

static const char *framed_endless(const void *params)
{
    (void)params;
    return "frame_width must be given";
}

/* A global statement on the way to the result must be named; one beside the way is no obstacle. */
static void test_not_for_worlds(void **state)
{
    terrain_operation global = test_every_type;
    terrain_operation framed = test_every_type;
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = NULL;
    terrain_heightmap *land = test_map_of_size(70, 50, 1);
    terrain_heightmap *out = test_map_of_size(30, 20, 2);
    struct run run;
    global.name = "test_global";
    global.halo = global_halo;
    framed.name = "test_framed";
    framed.endless = framed_endless;
    terrain_recipe_create(NULL, &recipe);
    terrain_recipe_add_input(NULL, recipe, "land");
    add(recipe, &global, (struct names){"flood", "land", NULL, NULL}, NULL);
    add(recipe, &framed, (struct names){"faults", "land", NULL, NULL}, NULL);
    add(recipe, &test_every_type, (struct names){"soft", "land", NULL, NULL}, NULL);
    add(recipe, &test_every_type, (struct names){"out", "soft", "addend", "flood"}, NULL);
    assert_int_equal(terrain_recipe_check_world(context, recipe, "soft"), TERRAIN_SUCCESS);
    expect_refused(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_ERROR_UNSUPPORTED,
                   context, "statement 1, flood: test_global");
    expect_refused(terrain_recipe_check_world(context, recipe, "faults"), TERRAIN_ERROR_UNSUPPORTED,
                   context, "frame_width must be given");
    assert_int_equal(terrain_recipe_check_world(context, recipe, "sea"), TERRAIN_ERROR_ARGUMENT);
    run_init(&run, land, NULL, out);
    run_in_world(&run, &(terrain_window){20, 15, 30, 20});
    refuse(context, recipe, &run, TERRAIN_ERROR_UNSUPPORTED, "statement 1, flood: test_global");
    run.output_name = "soft";
    assert_int_equal(terrain_recipe_run(context, recipe, &run.desc), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(out);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* "x", of one input. */
static terrain_recipe_statement statement_of(const char *const *input,
                                             const test_every_type_params *params)
{
    terrain_recipe_statement statement;
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = "x";
    statement.operation = &test_every_type;
    statement.inputs = input;
    statement.input_count = 1;
    statement.params = params;
    return statement;
}

/* A statement that is refused must leave the recipe as it was, and say why. */
static void test_adding(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = graph();
    test_every_type_params params = every(1, 1);
    terrain_heightmap *map = test_map_of_size(3, 3, 1);
    const char *input = "land";
    const char *parameters[] = {"mask", "before"};
    const char *maps[] = {"land", "x"};
    terrain_recipe_statement statement = statement_of(&input, &params);
    statement.map_parameters = parameters;
    statement.maps = maps;
#define refused(status, text)                                                                      \
    do {                                                                                           \
        assert_int_equal(terrain_recipe_add(context, recipe, &statement), status);                 \
        expect_message(context, text);                                                             \
        assert_int_equal(terrain_recipe_statement_count(recipe), 4);                               \
        assert_int_equal(terrain_recipe_map_count(recipe), 5);                                     \
    } while (0)
    statement.map_count = 2;
    refused(TERRAIN_ERROR_ARGUMENT, "already makes 'x'");
    parameters[1] = "mask";
    refused(TERRAIN_ERROR_ARGUMENT, "'mask' again");
    parameters[1] = "scale";
    refused(TERRAIN_ERROR_ARGUMENT, "expected a map parameter of test_every_type, found 'scale'");
    statement.map_count = 0;
    params.rounds = 41;
    refused(TERRAIN_ERROR_RANGE, "rounds is 41, must be in [0, 40]");
    params.rounds = 1;
    params.mask = map;
    refused(TERRAIN_ERROR_ARGUMENT, "expected NULL in test_every_type.mask");
    params.mask = NULL;
    statement.input_count = 0;
    refused(TERRAIN_ERROR_ARGUMENT, "expected 1 maps for test_every_type, found 0");
    statement.input_count = 1;
    statement.inputs = NULL;
    refused(TERRAIN_ERROR_ARGUMENT, "expected the names of test_every_type's maps, found NULL");
    statement.inputs = &input;
    input = "sea";
    refused(TERRAIN_ERROR_ARGUMENT, "expected a map made above, found 'sea'");
    input = "land";
    statement.name = "";
    refused(TERRAIN_ERROR_ARGUMENT, "expected a name");
    statement.name = "x";
    statement.operation = NULL;
    refused(TERRAIN_ERROR_ARGUMENT, "expected an operation");
    statement.operation = &test_every_type;
    statement.flags = 0;
    refused(TERRAIN_ERROR_ARGUMENT, "not initialised");
#undef refused
    expect_refused(terrain_recipe_add(context, recipe, NULL), TERRAIN_ERROR_ARGUMENT, context,
                   "statement is NULL");
    expect_refused(terrain_recipe_add(context, NULL, &statement), TERRAIN_ERROR_ARGUMENT, context,
                   "recipe is NULL");
    expect_refused(terrain_recipe_add_input(context, NULL, "sea"), TERRAIN_ERROR_ARGUMENT, context,
                   "recipe is NULL");
    expect_refused(terrain_recipe_add_input(context, recipe, "a b"), TERRAIN_ERROR_ARGUMENT,
                   context, "recipe_add_input: expected");
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* An editor tries a statement at each key that is typed: none that is refused may stay. */
static void test_refused_adding_keeps_no_memory(void **state)
{
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_recipe *recipe = NULL;
    test_every_type_params params = every(41, 1);
    const char *input = "land";
    assert_int_equal(terrain_recipe_create(context, &recipe), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_add_input(context, recipe, input), TERRAIN_SUCCESS);
    const terrain_recipe_statement statement = statement_of(&input, &params);
    const uint64_t before = allocator.live_bytes;
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_ERROR_RANGE);
    }
    assert_true(before > 0 && allocator.live_bytes == before);
    params.rounds = 1;
    assert_int_equal(terrain_recipe_add(context, recipe, &statement), TERRAIN_SUCCESS);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    assert_true(allocator.live == 0 && allocator.faults == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_bounded_regions),
        cmocka_unit_test(test_bounded_sizes),
        cmocka_unit_test(test_world),
        cmocka_unit_test(test_tiles_of_real_operations),
        cmocka_unit_test(test_no_more_than_needed),
        cmocka_unit_test(test_inputs_too_short),
        cmocka_unit_test(test_map_out_alone),
        cmocka_unit_test(test_memory_is_reused),
        cmocka_unit_test(test_refused_maps),
        cmocka_unit_test(test_longest_suggestion),
        cmocka_unit_test(test_refused_descs),
        cmocka_unit_test(test_who_refuses),
        cmocka_unit_test(test_unequal_maps),
        cmocka_unit_test(test_all_or_nothing),
        cmocka_unit_test(test_progress_is_one),
        cmocka_unit_test(test_progress_by_parts),
        cmocka_unit_test(test_not_for_worlds),
        cmocka_unit_test(test_adding),
        cmocka_unit_test(test_refused_adding_keeps_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
