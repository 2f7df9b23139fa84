/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards runs at a scale: parameters without a law, or with another than they should; previews that
 * show another land; worlds that differ from runs; scales that can't be, and are taken. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/operation.h"
#include "core/params.h"
#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/terrain.h"

/* ---- Laws ------------------------------------------------------------------------------------ */

static bool is_spacing(const terrain_operation *operation, const terrain_parameter *parameter)
{
    for (uint32_t i = 0; i < terrain_operation_port_count(operation); i++) {
        const terrain_port *port = terrain_operation_port_at(operation, i);
        if (port->lattice == TERRAIN_PORT_LATTICE_COARSE &&
            port->spacing_offset == parameter->offset) {
            return true;
        }
    }
    return false;
}

/* A parameter whose law nobody has told: of a unit that is not known, or an integer without one. */
static void test_every_parameter_has_a_law(void **state)
{
    for_each_operation(operation) {
        bool own = false;
        for_each_parameter(operation, parameter) {
            const terrain_scaling law = terrain_parameter_scaling(parameter);
            if (law == TERRAIN_SCALING_NONE || law > TERRAIN_SCALING_OWN) {
                fail_msg("%s: %s has no law of scale", operation->name, parameter->name);
            }
            if (!test_is_number(parameter)) {
                assert_int_equal(law, TERRAIN_SCALING_FIXED);
            }
            assert_int_equal(is_spacing(operation, parameter), law == TERRAIN_SCALING_SPACING);
            own = own || law == TERRAIN_SCALING_OWN;
        }
        assert_int_equal(own, operation->scale != NULL);
    }
    assert_int_equal(terrain_parameter_scaling(NULL), TERRAIN_SCALING_NONE);
}

/* A number without a law of its own, as a new operation might bring it. */
static void test_missing_laws(void **state)
{
    terrain_parameter parameter = {
        .name = "new", .unit = "", .doc = "", .type = TERRAIN_TYPE_UINT32};
    assert_int_equal(terrain_parameter_scaling(&parameter), TERRAIN_SCALING_NONE);
    parameter.unit = "bushels";
    assert_int_equal(terrain_parameter_scaling(&parameter), TERRAIN_SCALING_NONE);
    parameter.type = TERRAIN_TYPE_FLOAT;
    assert_int_equal(terrain_parameter_scaling(&parameter), TERRAIN_SCALING_NONE);
    parameter.unit = "";
    assert_int_equal(terrain_parameter_scaling(&parameter), TERRAIN_SCALING_FIXED);
    parameter.unit = "cells";
    assert_int_equal(terrain_parameter_scaling(&parameter), TERRAIN_SCALING_LENGTH);
    parameter.type = TERRAIN_TYPE_FLOAT_ARRAY;
    assert_int_equal(terrain_parameter_scaling(&parameter), TERRAIN_SCALING_NONE);
}

/* What a parameter becomes, as text; "!" where there is nothing for it. */
static void scaled_text(const char *operation_name, const char *name, const char *value,
                        double scale, char text[64])
{
    test_call call = test_call_of(terrain_operation_find(operation_name));
    const terrain_parameter *parameter = terrain_operation_parameter_find(call.operation, name);
    const terrain__checked *checked;
    terrain__params room, scaled;
    char fault[TERRAIN__FAULT_SIZE];
    assert_true(test_call_set_text(&call, name, value));
    assert_int_equal(terrain__params_complete(call.operation, call.params, &room, &checked, fault),
                     TERRAIN_SUCCESS);
    strcpy(text, "!");
    if (terrain__params_scale(call.operation, checked, scale, &scaled, fault) == TERRAIN_SUCCESS) {
        terrain_value number = test_get(scaled.bytes, parameter);
        if (parameter->type == TERRAIN_TYPE_FLOAT) {
            snprintf(text, 64, "%.6g", number.f);
        } else {
            snprintf(text, 64, "%lld", (long long)number.i);
        }
    } else {
        assert_non_null(strstr(fault, "scale"));
    }
    test_call_destroy(&call);
}

/* Each law by what it makes of a value: lengths, places, areas, iterations; what is rounded, what
 * is cut to its range, what stays 0, and what is refused. */
static void test_laws(void **state)
{
    static const struct {
        const char *operation, *name, *value;
        double scale;
        const char *scaled;
    } cases[] = {
        {"generate_noise", "period", "100", 0.25, "25"},
        {"generate_noise", "period", "100", 4, "400"},
        {"generate_noise", "period", "100", 0.001, "0.1"},
        {"generate_noise", "amplitude", "44", 0.25, "44"},
        {"generate_noise", "octaves", "8", 0.25, "8"},
        {"generate_noise", "repeat_width", "256", 0.125, "32"},
        {"generate_noise", "repeat_width", "0", 0.125, "0"},
        {"generate_noise", "repeat_width", "100", 0.125, "!"},
        {"generate_diamond_square", "spacing", "128", 0.25, "32"},
        {"generate_diamond_square", "spacing", "128", 0.375, "!"}, /* 48 is no power of two */
        {"generate_diamond_square", "spacing", "128", 1.0 / 256, "!"},
        {"generate_voronoi", "spacing", "100", 0.25, "25"},
        {"generate_voronoi", "spacing", "100", 0.125, "!"},
        {"generate_voronoi", "spacing", "64", 1.0 / 64, "!"}, /* 1 is below its range */
        {"generate_fault_lines", "frame_x", "-1001", 0.25, "-250"},
        {"generate_fault_lines", "frame_x", "4611686018427387648", 0.5, "2305843009213693824"},
        {"generate_fault_lines", "frame_x", "-4611686018427387904", 2, "-4611686018427387904"},
        {"generate_fault_lines", "half_width", "16", 0.001, "0.5"},
        {"generate_radial", "centre_x", "257", 0.5, "129"},
        {"generate_drainage", "level", "0", 0.25, "2"},
        {"generate_drainage", "level", "2", 2, "1"},
        {"generate_drainage", "level", "0", 2, "!"},
        {"generate_drainage", "level", "0", 0.3, "!"},
        {"generate_drainage", "level", "0", 1.0 / 512, "!"},
        {"generate_drainage", "period", "8192", 0.25, "8192"},
        {"erode_coast", "reach", "32", 0.25, "8"},
        {"erode_coast", "reach", "32", 1.0 / 64, "2"},
        {"erode_coast", "reach", "32", 16, "255"},
        {"erode_coast", "shelter", "12", 1.0 / 64, "0"},
        {"erode_coast", "beach_slope", "0.03", 0.25, "0.03"},
        {"erode_coast", "contrast", "10", 0.25, "10"},
        {"erode_coast", "period", "64", 0.25, "16"},
        {"erode_coast", "period", "64", 0.3, "!"},
        {"erode_thermal", "iterations", "50", 0.25, "4"}, /* 3.125: four weaker ones */
        {"erode_thermal", "rate", "0.5", 0.25, "0.390625"},
        {"erode_thermal", "iterations", "50", 2, "200"},
        {"erode_thermal", "iterations", "0", 0.25, "0"},
        {"erode_thermal", "iterations", "100000", 8, "100000"},
        {"erode_thermal", "talus", "0.6", 0.25, "0.6"},
        {"erode_hydraulic", "iterations", "200", 0.25, "50"},
        {"erode_hydraulic", "iterations", "200", 0.001, "1"},
        {"erode_hydraulic", "evaporation", "0.005", 0.25, "0.02"},
        {"erode_hydraulic", "evaporation", "0.5", 0.25, "1"},
        {"erode_hydraulic", "capacity", "10", 0.25, "20"},
        {"erode_hydraulic", "capacity", "800", 0.25, "1000"},
        {"erode_velocity", "impact", "10", 0.001, "1000"},
        {"erode_thermal", "weathering", "1", 0.25, "1"},
        {"erode_rain", "iterations", "100", 0.25, "6"},
        {"erode_flatten", "iterations", "128", 0.25, "8"},
        {"erode_flatten", "iterations", "128", 0.01, "1"},
        {"erode_flatten", "iterations", "0", 0.25, "0"},
        {"erode_rivers", "threshold", "400", 0.5, "100"},
        {"erode_rivers", "reach", "16", 1.0 / 64, "1"},
        {"erode_fir", "erosion", "0.4", 1, "0.4"},
        {"erode_fir", "erosion", "0", 0.5, "0"},
        {"erode_fir", "erosion", "1", 0.5, "1"},
        {"blur_gaussian", "sigma", "8", 0.25, "2"},
        {"shape_breach", "most_length", "3", 0.1, "1"},
        {"shape_breach", "most_length", "0", 0.1, "0"},
        {"shape_resample", "step", "2", 0.25, "2"},
        {"analyze_distance", "reach", "32", 0.25, "8"},
        {"analyze_hillshade", "altitude", "45", 0.25, "45"},
        {"stitch_edges", "width", "32", 0.25, "8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        scaled_text(cases[i].operation, cases[i].name, cases[i].value, cases[i].scale, text);
        if (strcmp(text, cases[i].scaled) != 0) {
            fail_msg("%s %s=%s at %g: %s, must be %s", cases[i].operation, cases[i].name,
                     cases[i].value, cases[i].scale, text, cases[i].scaled);
        }
    }
}

/* fir's standard deviation, sqrt(2 e) / (1 - e), must halve. */
static void test_fir(void **state)
{
    char text[64];
    double e;
    scaled_text("erode_fir", "erosion", "0.4", 0.5, text);
    e = strtod(text, NULL);
    assert_true(fabs(sqrt(2 * e) / (1 - e) - sqrt(0.8) / 0.6 / 2) < 1e-4);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

enum { MESSAGE = 400 };

/* Makes the map, whatever the status. */
static terrain_status run_at(const char *text, double scale, uint32_t flags,
                             const terrain_window *window, terrain_heightmap **out,
                             char message[MESSAGE])
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe(text);
    terrain_recipe_run_desc desc = test_run_of(window);
    *out = test_map(window);
    desc.flags |= flags;
    desc.scale = scale;
    desc.outputs = out;
    desc.output_count = 1;
    const terrain_status status = terrain_recipe_run(context, recipe, &desc);
    snprintf(message, MESSAGE, "%s", terrain_context_message(context));
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    return status;
}

static terrain_heightmap *land_at(const char *text, double scale, uint32_t flags,
                                  const terrain_window *window)
{
    terrain_heightmap *map;
    char message[MESSAGE];
    if (run_at(text, scale, flags, window, &map, message) != TERRAIN_SUCCESS) {
        fail_msg("%s", message);
    }
    return map;
}

/* A window that begins elsewhere than at column 0 is one of a world. */
static void expect_outcome(const char *text, double scale, const terrain_window *window,
                           terrain_status status, const char *words)
{
    terrain_heightmap *map;
    char message[MESSAGE];
    const uint32_t flags = window->x != 0 ? TERRAIN_RECIPE_WORLD : 0;
    const terrain_status found = run_at(text, scale, flags, window, &map, message);
    if (found != status || strstr(message, words) == NULL) {
        fail_msg("%s with \"%s\" instead of %s with \"%s\"", terrain_status_name(found), message,
                 terrain_status_name(status), words);
    }
    terrain_heightmap_destroy(map);
}

static const char chain[] = "land = generate_noise seed=3 period=120 amplitude=60\n"
                            "cliffs = generate_voronoi seed=2 spacing=64\n"
                            "land = combine_blend land cliffs mode=add\n"
                            "worn = erode_thermal land talus=0.5\n"
                            "soft = blur_gaussian worn sigma=3\n";

/* Scale 1 that changes a bit: of a desc that tells it, and of one from before there was a scale. */
static void test_scale_one(void **state)
{
    const terrain_window window = {-40, 17, 130, 90};
    terrain_heightmap *plain = test_map(&window), *told = land_at(chain, 1, 0, &window);
    terrain_recipe *recipe = test_recipe(chain);
    terrain_recipe_run_desc desc;
    terrain_recipe_run_desc_init(&desc, offsetof(terrain_recipe_run_desc, scale));
    test_run_window(&desc, &window);
    desc.outputs = &plain;
    desc.output_count = 1;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &desc), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(plain, told));
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(plain);
    terrain_heightmap_destroy(told);
}

/* Root mean square of the difference over the standard deviation of what is compared with: a map of
 * scale s, and the area means of scale 1, around the same places. */
static double difference_of(const char *text, uint32_t parts)
{
    const uint32_t side = 512 / parts, rim = 64 / parts;
    const terrain_window whole = {0, 0, 512, 512}, part = {0, 0, side, side};
    terrain_heightmap *fine = land_at(text, 1, 0, &whole);
    terrain_heightmap *coarse = land_at(text, 1.0 / parts, 0, &part), *means = test_map(&part);
    terrain_shape_resample_params p;
    double sum = 0, squares = 0, differences = 0, count = 0;
    terrain_shape_resample_params_init(&p, sizeof p);
    p.step = (float)parts;
    p.filter = TERRAIN_SHAPE_RESAMPLE_FILTER_AREA;
    assert_int_equal(terrain_shape_resample(NULL, fine, means, &p), TERRAIN_SUCCESS);
    assert_true(terrain_heightmap_cell_size(coarse) == (float)parts);
    for (uint32_t y = rim; y < side - rim; y++) {
        for (uint32_t x = rim; x < side - rim; x++) {
            const double a = (double)test_at(means, x, y), b = (double)test_at(coarse, x, y);
            sum += a;
            squares += a * a;
            differences += (a - b) * (a - b);
            count++;
        }
    }
    terrain_heightmap_destroy(fine);
    terrain_heightmap_destroy(coarse);
    terrain_heightmap_destroy(means);
    return sqrt(differences / count) / sqrt(squares / count - sum / count * (sum / count));
}

/* Previews of another land: of operations that say by a law where things are, at 1/4. The bounds
 * are a tenth above what was measured. */
static void test_previews(void **state)
{
    static const struct {
        const char *text;
        double bound;
    } cases[] = {
        {"a = generate_noise seed=3\n", 0.0525},
        {"a = generate_noise seed=3 basis=simplex octaves=4\n", 0.019},
        {"a = generate_noise seed=3 warp_amplitude=30\n", 0.052},
        {"a = generate_diamond_square seed=3\n", 0.038},
        {"a = generate_fault_lines seed=3 profile=cosine\n", 0.19},
        {"a = generate_radial\n", 0.001},
        {"a = generate_spectral seed=3\n", 0.016},
        {"a = generate_voronoi seed=3\n", 0.0095},
        {"a = generate_drainage seed=5\n", 0.63},
        {"a = generate_noise seed=3\nb = erode_thermal a\n", 0.04},
        {"a = generate_noise seed=3\nb = erode_hydraulic a\n", 0.055},
        {"a = generate_noise seed=3 octaves=3 period=200\nb = erode_gullies a\n", 0.044},
        {"a = generate_noise seed=3 period=300\nb = erode_coast a\n", 0.0376},
        {"a = generate_noise seed=3\nb = erode_fir a\n", 0.043},
        {"a = generate_noise seed=3\nb = blur_gaussian a sigma=8\n", 0.012},
        {"a = generate_noise seed=3\nb = shape_perturb a\n", 0.095},
        {"a = generate_noise seed=3\nb = shape_terrace a\n", 0.08},
    };
    uint32_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double difference = difference_of(cases[i].text, 4);
        print_message("%.4f (%.4f) %s", difference, cases[i].bound, cases[i].text);
        failed += !(difference < cases[i].bound);
    }
    assert_int_equal(failed, 0);
}

/* A preview that is no function of the place: windows of worlds at a scale, alone and as tiles. */
static void test_worlds(void **state)
{
    static const double scales[] = {0.25, 0.5, 2, 0.75};
    const terrain_window large = {-90, 40, 200, 150}, small = {-7, 61, 71, 40};
    static const char text[] = "land = generate_noise seed=3 period=120 amplitude=60\n"
                               "worn = erode_thermal land talus=0.5\n"
                               "cut = erode_gullies worn\n"
                               "soft = blur_gaussian cut sigma=9\n";
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        terrain_heightmap *all = land_at(text, scales[i], TERRAIN_RECIPE_WORLD, &large);
        terrain_heightmap *tile = test_map(&small);
        terrain_recipe *recipe = test_recipe(text);
        terrain_world_desc desc;
        terrain_world *world = NULL;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        desc.scale = scales[i];
        assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
        assert_int_equal(terrain_world_tile(NULL, world, small.x, small.y, tile), TERRAIN_SUCCESS);
        assert_true(test_windows_equal(all, tile, &small));
        assert_true(terrain_heightmap_cell_size(tile) == (float)(1 / scales[i]));
        terrain_world_destroy(world);
        terrain_recipe_destroy(recipe);
        terrain_heightmap_destroy(all);
        terrain_heightmap_destroy(tile);
    }
}

/* Plans that forget the scale. */
static void test_plans(void **state)
{
    const terrain_window window = {5, -6, 60, 50};
    terrain_heightmap *direct = land_at(chain, 0.25, 0, &window), *planned = test_map(&window);
    terrain_recipe *recipe = test_recipe(chain);
    terrain_recipe_plan *plan = NULL;
    terrain_recipe_run_desc desc = test_run_of(&window);
    desc.scale = 0.25;
    assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_SUCCESS);
    assert_int_equal(terrain_recipe_plan_run(NULL, plan, NULL, &planned), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(direct, planned));
    terrain_recipe_plan_destroy(plan);
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(direct);
    terrain_heightmap_destroy(planned);
}

/* ---- Coarse maps ----------------------------------------------------------------------------- */

static void add(terrain_recipe *recipe, const char *name, const terrain_operation *operation,
                const char *control, const void *params)
{
    static const char *const parameter[] = {"control"};
    terrain_recipe_statement statement;
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = name;
    statement.operation = operation;
    statement.map_parameters = parameter;
    statement.maps = &control;
    statement.map_count = control != NULL;
    statement.params = params;
    assert_int_equal(terrain_recipe_add(NULL, recipe, &statement), TERRAIN_SUCCESS);
}

/* painted = noise of period 100 on a lattice of 16 cells; land = test_coarse of painted, which at
 * the lattice's points is what painted is. */
static terrain_recipe *coarse_recipe(void)
{
    terrain_recipe *recipe = NULL;
    test_coarse_params params;
    assert_int_equal(terrain_recipe_create(NULL, &recipe), TERRAIN_SUCCESS);
    terrain_operation_params_init(&test_coarse, &params, sizeof params);
    params.control_spacing = 16;
    add(recipe, "painted", terrain_operation_find("generate_noise"), NULL, NULL);
    add(recipe, "land", &test_coarse, "painted", &params);
    return recipe;
}

static terrain_heightmap *coarse_at(double scale, const terrain_window *window)
{
    terrain_recipe *recipe = coarse_recipe();
    terrain_heightmap *map = test_map(window);
    terrain_recipe_run_desc desc = test_run_of_world(window);
    desc.scale = scale;
    desc.outputs = &map;
    desc.output_count = 1;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &desc), TERRAIN_SUCCESS);
    terrain_recipe_destroy(recipe);
    return map;
}

/* A coarse map that moves, or whose lengths are scaled though its lattice is. At 1/4 the lattice
 * has 4 cells, and its points the bits of scale 1; at 1/32 it has 2, and what is left, 1/4, is the
 * map's: every fourth point of scale 1, without its finest octaves. */
static void test_coarse_maps(void **state)
{
    const terrain_window fine = {-128, -128, 512, 512};
    terrain_heightmap *land = coarse_at(1, &fine);
    terrain_heightmap *quarter = coarse_at(0.25, &(terrain_window){-32, -32, 128, 128});
    terrain_heightmap *far = coarse_at(1.0 / 32, &(terrain_window){-4, -4, 16, 16});
    terrain_recipe *recipe = coarse_recipe();
    double most = 0, own = 0;
    assert_int_equal(terrain_recipe_map_scale(NULL, recipe, "painted", 1.0 / 32, &own),
                     TERRAIN_SUCCESS);
    assert_true(own == 0.25);
    terrain_recipe_destroy(recipe);
    for (int64_t j = 0; j < 32; j++) {
        for (int64_t i = 0; i < 32; i++) {
            assert_true(test_at(land, 16 * i, 16 * j) == test_at(quarter, 4 * i, 4 * j));
        }
    }
    for (int64_t j = 0; j < 8; j++) {
        for (int64_t i = 0; i < 8; i++) {
            const double d =
                fabs((double)test_at(land, 64 * i, 64 * j) - (double)test_at(far, 2 * i, 2 * j));
            most = d > most ? d : most;
        }
    }
    assert_true(most < 6);
    terrain_heightmap_destroy(land);
    terrain_heightmap_destroy(quarter);
    terrain_heightmap_destroy(far);
}

/* ---- Rivers ---------------------------------------------------------------------------------- */

static void rivers_at(double scale, const terrain_window *window, terrain_heightmap *maps[2])
{
    static const char *const names[] = {"land", "water"};
    terrain_recipe *recipe = test_recipe("land = generate_drainage seed=6 discharge=water\n");
    terrain_recipe_run_desc desc = test_run_of(window);
    maps[0] = test_map(window);
    maps[1] = test_map(window);
    desc.scale = scale;
    desc.output_names = names;
    desc.outputs = maps;
    desc.output_count = 2;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &desc), TERRAIN_SUCCESS);
    terrain_recipe_destroy(recipe);
}

/* Cells of rivers, those in a river of the coarser map, and those in one or beside one. */
typedef struct likeness {
    uint32_t count, within, beside;
} likeness;

static void compare_rivers(terrain_heightmap *const fine[2], uint32_t k, likeness *sum)
{
    const uint32_t side = terrain_heightmap_width(fine[0]);
    const double river = 2000.0 * k * k / 16;
    int64_t x0, y0;
    terrain_heightmap_origin(fine[0], &x0, &y0);
    const terrain_window part = {x0 / k, y0 / k, side / k, side / k};
    terrain_heightmap *coarse[2];
    rivers_at(1.0 / k, &part, coarse);
    for (uint32_t y = k; y < side - k; y++) {
        for (uint32_t x = k; x < side - k; x++) {
            bool near = false;
            if (!((double)test_at(fine[1], x, y) >= river && test_at(fine[0], x, y) > 0)) {
                continue;
            }
            for (int64_t i = 0; i < 9; i++) {
                near = near || (double)test_at(coarse[1], x / k + i % 3 - 1, y / k + i / 3 - 1) >=
                                   river / 4;
            }
            sum->count++;
            sum->within += (double)test_at(coarse[1], x / k, y / k) >= river / 4;
            sum->beside += near;
        }
    }
    terrain_heightmap_destroy(coarse[0]);
    terrain_heightmap_destroy(coarse[1]);
}

/* Guards against rivers that are elsewhere at another scale: of the cells of rivers with
 * 2000 k^2 / 16 cells' water, or more, so many lie in a cell of scale 1/k that has a fourth of
 * that, and all in it or beside it, but for a stretch here and there, on plains. */
static void test_rivers(void **state)
{
    /* Random ones. */
    static const int64_t places[][2] = {
        {11264, 317440},   {-221184, -39936},  {-238592, -566272}, {177152, 948224},
        {-51200, -439296}, {-1039360, 124928}, {-929792, 1036288}, {-324608, -246784},
        {580608, -281600}, {340992, 299008},   {-557056, -683008}, {43008, 920576},
        {281600, -488448}, {531456, -272384},  {643072, 423936},   {952320, 740352},
        {527360, 343040},  {909312, 87040},    {-963584, 738304},  {-48128, 603136},
        {953344, -501760}, {336896, -915456},  {865280, -695296},  {-787456, -244736}};
    static const struct {
        uint32_t parts;
        double within, beside;
    } cases[] = {{4, 0.94, 0.9999}, {16, 0.94, 0.996}, {64, 0.95, 0.998}};
    enum { CASES = sizeof cases / sizeof *cases };
    likeness sums[CASES] = {{0, 0, 0}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const terrain_window whole = {places[i][0], places[i][1], 1024, 1024};
        terrain_heightmap *fine[2];
        rivers_at(1, &whole, fine);
        for (size_t c = 0; c < CASES; c++) {
            compare_rivers(fine, cases[c].parts, &sums[c]);
        }
        terrain_heightmap_destroy(fine[0]);
        terrain_heightmap_destroy(fine[1]);
    }
    for (size_t c = 0; c < CASES; c++) {
        const likeness sum = sums[c];
        print_message("1/%u: %u cells of rivers, %.4f within, %.5f beside\n",
                      (unsigned)cases[c].parts, (unsigned)sum.count, (double)sum.within / sum.count,
                      (double)sum.beside / sum.count);
        assert_true(sum.count > 4000);
        assert_true(sum.within >= cases[c].within * sum.count);
        assert_true(sum.beside >= cases[c].beside * sum.count);
    }
}

/* ---- Bad input ------------------------------------------------------------------------------- */

/* Scales that are no scale, taken by a run, a plan, a question or a world. */
static void test_bad_scales(void **state)
{
    static const double bad[] = {0, -1, -0.0, NAN, INFINITY, -INFINITY, 1e30, 1e-30, 65537, 1e-5};
    const terrain_window window = {0, 0, 20, 10};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        terrain_recipe *recipe = test_recipe(chain);
        terrain_recipe_plan *plan = NULL;
        terrain_world *world = NULL;
        terrain_recipe_run_desc desc = test_run_of(&window);
        terrain_world_desc world_desc;
        terrain_window answer;
        expect_outcome(chain, bad[i], &window, TERRAIN_ERROR_RANGE, "scale");
        desc.scale = bad[i];
        assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan),
                         TERRAIN_ERROR_RANGE);
        assert_int_equal(terrain_recipe_output_window(NULL, recipe, &desc, NULL, &answer),
                         TERRAIN_ERROR_RANGE);
        terrain_world_desc_init(&world_desc, sizeof world_desc);
        world_desc.recipe = recipe;
        world_desc.scale = bad[i];
        assert_int_equal(terrain_world_create(NULL, &world_desc, &world), TERRAIN_ERROR_RANGE);
        terrain_recipe_destroy(recipe);
    }
}

/* Cells that are too small or too large only at the scale. */
static void test_bad_cells(void **state)
{
    static const struct {
        float cell_size;
        double scale;
        terrain_status status;
    } cases[] = {{1e9F, 1, TERRAIN_SUCCESS},
                 {1e9F, 0.5, TERRAIN_ERROR_RANGE},
                 {1e-6F, 1, TERRAIN_SUCCESS},
                 {1e-6F, 2, TERRAIN_ERROR_RANGE}};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe(chain);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        terrain_window answer;
        terrain_recipe_run_desc desc;
        terrain_recipe_run_desc_init(&desc, sizeof desc);
        desc.cell_size = cases[i].cell_size;
        desc.scale = cases[i].scale;
        assert_int_equal(terrain_recipe_output_window(context, recipe, &desc, NULL, &answer),
                         cases[i].status);
        assert_true(cases[i].status == TERRAIN_SUCCESS ||
                    strstr(terrain_context_message(context), "cell_size / scale") != NULL);
    }
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A parameter that has no value at the scale: the message must name statement, parameter and scale;
 * a statement that nobody needs must not stand in the way. */
static void test_refusals(void **state)
{
    static const char text[] = "other = generate_voronoi spacing=50\n"
                               "land = generate_diamond_square spacing=64\n";
    static const struct {
        const char *text;
        double scale;
        terrain_status status;
        const char *words;
    } cases[] = {
        {text, 1.0 / 4, TERRAIN_SUCCESS, ""},
        {text, 1.0 / 128, TERRAIN_ERROR_RANGE,
         "line 2, land: generate_diamond_square: spacing is 64, and 0.5"},
        {text, 0.75, TERRAIN_ERROR_RANGE, "at a scale of 0.75: spacing"},
        {"land = generate_diamond_square spacing=32768\n", 65536, TERRAIN_ERROR_RANGE,
         "generate_diamond_square: spacing is 32768, and "},
        {"land = generate_drainage level=8\n", 0.5, TERRAIN_ERROR_RANGE,
         "at a scale of 0.5 there is no level: a scale of 1/2 adds 1"},
        {"map = generate_noise\n"
         "a = generate_drainage control=map map_spacing=128\n"
         "b = generate_drainage control=map map_spacing=64\n"
         "c = combine_blend a b\n",
         1.0 / 16, TERRAIN_ERROR_ARGUMENT, /* two spacings that become the least one, 8 */
         "line 2, a: 'map' is needed at two scales, 1 here and 0.5 elsewhere"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_outcome(cases[i].text, cases[i].scale, &(terrain_window){0, 0, 20, 10},
                       cases[i].status, cases[i].words);
    }
}

/* Inputs that the host makes at the wrong scale: coarse ones, above all; and memory that each
 * question takes anew. */
static void test_map_scale(void **state)
{
    static const struct {
        const char *name;
        double scale, wanted;
    } cases[] = {
        {"control", 1, 1},
        {"control", 0.25, 1},
        {"control", 4, 1},
        {"control", 0x1p-10, 0x1p-2}, /* of a spacing of 8, which is the least */
        {"hill", 0.25, 0.25},
        {"unused", 0.25, 0.25},
        {"land", 0.25, 0.25},
        {NULL, 0.5, 0.5},
        {"control", 0x1p-16, 0x1p-8},
        {"hill", 0x1p16, 0x1p16},
    };
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_recipe *recipe =
        test_recipe("input unused\ninput control\ninput hill\n"
                    "land = generate_drainage control=control map_spacing=2048\n"
                    "land = combine_blend land hill mode=add\n");
    uint64_t live = 0;
    double scale = -1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            terrain_recipe_map_scale(context, recipe, cases[i].name, cases[i].scale, &scale),
            TERRAIN_SUCCESS);
        assert_true(scale == cases[i].wanted);
        assert_true(i < 2 || allocator.live_bytes == live);
        live = allocator.live_bytes;
    }
    assert_int_equal(terrain_recipe_map_scale(context, recipe, "control", 1, NULL),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_recipe_map_scale(context, NULL, "control", 1, &scale),
                     TERRAIN_ERROR_ARGUMENT);
    expect_refused(terrain_recipe_map_scale(context, recipe, "contrl", 1, &scale),
                   TERRAIN_ERROR_ARGUMENT, context, "did you mean 'control'?");
    assert_int_equal(terrain_recipe_map_scale(context, recipe, "control", 0, &scale),
                     TERRAIN_ERROR_RANGE);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A message that tells of a power with the exponent as a letter. */
static void test_far_levels(void **state)
{
    expect_outcome("land = generate_drainage level=1\n", 0.5,
                   &(terrain_window){INT64_C(1) << 60, 0, 20, 10}, TERRAIN_ERROR_RANGE,
                   "at level 2 the map must lie within 2^60 cells of the origin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_parameter_has_a_law),
        cmocka_unit_test(test_missing_laws),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_fir),
        cmocka_unit_test(test_scale_one),
        cmocka_unit_test(test_previews),
        cmocka_unit_test(test_worlds),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_coarse_maps),
        cmocka_unit_test(test_rivers),
        cmocka_unit_test(test_bad_scales),
        cmocka_unit_test(test_bad_cells),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_far_levels),
        cmocka_unit_test(test_map_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
