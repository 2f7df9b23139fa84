/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against seams. An operation that is applied to no more of the world than
 * terrain_operation_window asks for must give, within the window of the output, what it gives on
 * any larger map, to the last bit. Whatever an input covers beyond its own window is NaN here.
 *
 * E1: random windows equal the crop of larger windows. E2: they equal a bounded map farther from
 * its edges than the halo. */

#include <stdlib.h>
#include <string.h>

#include "core/operation.h"
#include "support/check.h"

/* Where seams like to hide: the signs of coordinates, 32-bit words, the last bits of floats and of
 * doubles, and the rims of the world. */
static const int64_t origins[] = {
    0,
    -1,
    -64,
    63,
    INT64_C(1) << 31,
    -(INT64_C(1) << 31),
    INT64_C(1) << 32,
    (INT64_C(1) << 40) - 5,
    -(INT64_C(1) << 40),
    (INT64_C(1) << 53) + 1,
    TERRAIN_WORLD_LIMIT - 5000,
    -TERRAIN_WORLD_LIMIT + 4000,
};

/* Every eighth round takes params of any halo up to the first one, the others of the second. */
enum { ORIGINS = sizeof origins / sizeof origins[0], MOST_HALO = 1500, USUAL_HALO = 200 };

static uint64_t cells_asked;
static uint64_t cells_computed;

static terrain_window hull(const terrain_window *a, const terrain_window *b)
{
    terrain_window result = {a->x < b->x ? a->x : b->x, a->y < b->y ? a->y : b->y, 0, 0};
    int64_t right_a = a->x + a->width;
    int64_t right_b = b->x + b->width;
    int64_t bottom_a = a->y + a->height;
    int64_t bottom_b = b->y + b->height;
    result.width = (uint32_t)((right_a > right_b ? right_a : right_b) - result.x);
    result.height = (uint32_t)((bottom_a > bottom_b ? bottom_a : bottom_b) - result.y);
    return result;
}

static bool contains(const terrain_window *outer, const terrain_window *inner)
{
    terrain_window both = hull(outer, inner);
    return memcmp(&both, outer, sizeof both) == 0;
}

/* The windows of all inputs, as the operation asks for them. */
struct inputs {
    terrain_window of_map;
    terrain_window of_other;
    terrain_window of_parameters;
};

/* False if the operation can't be used in an endless world with these params. */
static bool ask(const test_call *call, const terrain_window *out, struct inputs *inputs)
{
    const terrain_operation *operation = call->operation;
    bool other = false, parameters = false;
    if (operation->endless != NULL && operation->endless(call->params) != NULL) {
        return false;
    }
    inputs->of_map = inputs->of_other = inputs->of_parameters = *out;
    for (uint32_t i = 0; i < terrain_operation_port_count(operation); i++) {
        const terrain_port *port = terrain_operation_port_at(operation, i);
        terrain_window coarse;
        terrain_window *in = port->lattice == TERRAIN_PORT_LATTICE_COARSE ? &coarse
                             : port->offset > 0                           ? &inputs->of_parameters
                             : i == 0                                     ? &inputs->of_map
                                                                          : &inputs->of_other;
        if (port->role == TERRAIN_PORT_ROLE_WRITE) {
            continue;
        }
        if (terrain_operation_window(operation, call->params, i, out, in) != TERRAIN_SUCCESS) {
            return false;
        }
        other = other || in == &inputs->of_other;
        parameters = parameters || in == &inputs->of_parameters;
    }
    /* What is not asked for must not stretch the hull: a resampled window lies elsewhere. */
    inputs->of_other = other ? inputs->of_other : inputs->of_map;
    inputs->of_parameters = parameters ? inputs->of_parameters : inputs->of_map;
    return true;
}

/* Windows no larger than the halo promises; a larger output never needs less. */
static void check_inputs(const test_call *call, const terrain_window *out,
                         const struct inputs *inputs)
{
    uint32_t halo = 0;
    expect_status(terrain_operation_halo(call->operation, call->params, &halo), TERRAIN_SUCCESS,
                  call, NULL);
    terrain_window result;
    expect_status(
        terrain_operation_result_window(call->operation, call->params, &inputs->of_map, &result),
        TERRAIN_SUCCESS, call, NULL);
    expect(contains(&result, out), call, NULL);
    bool same_grid = memcmp(&result, &inputs->of_map, sizeof result) == 0;
    if (same_grid) {
        expect(out->x - inputs->of_map.x <= halo && out->y - inputs->of_map.y <= halo, call, NULL);
        expect(inputs->of_map.width <= (uint64_t)out->width + 2 * (uint64_t)halo, call, NULL);
        expect(inputs->of_map.height <= (uint64_t)out->height + 2 * (uint64_t)halo, call, NULL);
    }
}

/* What is asked of a map parameter: a coarse one's window is in its own cells. */
static terrain_window attached_window(const test_call *call, const test_attachment *attached,
                                      const terrain_window *out, const struct inputs *inputs)
{
    terrain_window window = inputs->of_parameters;
    const terrain_port *port = attached->parameter->port;
    for (uint32_t i = 0; port->lattice == TERRAIN_PORT_LATTICE_COARSE; i++) {
        if (terrain_operation_port_at(call->operation, i) == port) {
            expect_status(terrain_operation_window(call->operation, call->params, i, out, &window),
                          TERRAIN_SUCCESS, call, NULL);
            break;
        }
    }
    return window;
}

/* Heights; of every fourth seed, with NaN, infinity and huge numbers among those of all inputs. */
static void fill(test_call *call)
{
    test_call_fill(call);
    if (call->seed % 4 == 3) {
        test_call_sprinkle(call, 200);
    }
}

/* The output over `out`, and maybe more, computed from the windows asked for and nothing else. The
 * caller destroys the call, which owns the map. */
static terrain_heightmap *compute(test_call *call, const terrain_window *out, bool attach)
{
    struct inputs inputs;
    if (!ask(call, out, &inputs)) {
        return NULL;
    }
    check_inputs(call, out, &inputs);
    terrain_window all = hull(&inputs.of_map, &inputs.of_other);
    if (attach) {
        all = hull(&all, &inputs.of_parameters);
    }
    test_call_create_maps(call, &all);
    if (attach) {
        test_call_attach_all(call);
    }
    fill(call);
    for (uint32_t i = 0; i < call->map_count; i++) {
        if (test_call_port(call, i)->role != TERRAIN_PORT_ROLE_WRITE) {
            test_poison_outside(call->maps[i], i == 0 ? &inputs.of_map : &inputs.of_other);
        }
    }
    for (uint32_t i = 0; i < call->attached_count; i++) {
        if (call->attached[i].map != NULL &&
            call->attached[i].parameter->type == TERRAIN_TYPE_MAP_IN) {
            terrain_window window = attached_window(call, &call->attached[i], out, &inputs);
            test_poison_outside(call->attached[i].map, &window);
        }
    }
    cells_asked += (uint64_t)out->width * out->height;
    cells_computed += (uint64_t)all.width * all.height;
    expect_status(test_call_apply(call, NULL), TERRAIN_SUCCESS, call, NULL);
    return test_call_target(call);
}

/* The same params again, without maps. */
static test_call another(const test_call *call)
{
    test_call copy = test_call_of(call->operation);
    memcpy(copy.params, call->params, terrain_operation_params_size(call->operation));
    copy.seed = call->seed;
    return copy;
}

static bool outputs_equal(const test_call *a, const test_call *b, const terrain_window *window)
{
    bool equal = test_windows_equal(test_call_target(a), test_call_target(b), window);
    for (uint32_t i = 0; i < a->attached_count; i++) {
        if (a->attached[i].parameter->type == TERRAIN_TYPE_MAP_OUT && a->attached[i].map != NULL) {
            for (uint32_t k = 0; k < b->attached_count; k++) {
                if (b->attached[k].parameter == a->attached[i].parameter) {
                    equal =
                        equal && test_windows_equal(a->attached[i].map, b->attached[k].map, window);
                }
            }
        }
    }
    return equal;
}

/* Every third one is of few cells: all of them are at its rim. */
static terrain_window random_inside(test_random *random, const terrain_window *outer)
{
    bool few = test_below(random, 3) == 0;
    terrain_window inner;
    inner.width = 1 + (uint32_t)test_below(random, few ? 4 : outer->width);
    inner.height = 1 + (uint32_t)test_below(random, few ? 4 : outer->height);
    inner.x = outer->x + test_between(random, 0, outer->width - inner.width);
    inner.y = outer->y + test_between(random, 0, outer->height - inner.height);
    return inner;
}

static uint32_t halo_of(const test_call *call)
{
    uint32_t halo = UINT32_MAX;
    terrain_operation_halo(call->operation, call->params, &halo);
    return halo;
}

/* Fewer iterations where these are what makes the halo larger than usual. */
static void shorten(test_call *call, test_random *random)
{
    uint32_t halo = halo_of(call);
    for_each_parameter(call->operation, p) {
        if (strcmp(p->name, "iterations") == 0 && halo > USUAL_HALO && halo != UINT32_MAX) {
            terrain_value value = test_get(call->params, p);
            value.u = 1 + test_below(random, value.u * USUAL_HALO / halo);
            test_set(call->params, p, value);
        }
    }
}

/* Params with which the operation works in an endless world and its halo is affordable: in round 0
 * the defaults, if they are such, otherwise random ones. */
static bool find_params(test_call *call, test_random *random, const terrain_window *window,
                        uint64_t round)
{
    struct inputs inputs;
    if (round == 0 && halo_of(call) <= MOST_HALO && ask(call, window, &inputs)) {
        return true;
    }
    for (int i = 0; i < 60; i++) {
        uint32_t most = round % 8 == 0 || i >= 40 ? MOST_HALO : USUAL_HALO;
        test_call_randomize(call, random, window);
        shorten(call, random);
        if (halo_of(call) <= most && ask(call, window, &inputs)) {
            return true;
        }
    }
    return false;
}

static terrain_window random_window(test_random *random, uint64_t round)
{
    terrain_window window;
    window.x = origins[round % ORIGINS] + test_between(random, -40, 40);
    window.y = origins[(round * 5 + 2) % ORIGINS] + test_between(random, -40, 40);
    window.width = 20 + (uint32_t)test_below(random, 90);
    window.height = 20 + (uint32_t)test_below(random, 90);
    if (window.x < -TERRAIN_WORLD_LIMIT + 2 * MOST_HALO) {
        window.x = -TERRAIN_WORLD_LIMIT + 2 * MOST_HALO;
    }
    return window;
}

/* Now and then longer than any strip or band, where the halo leaves it cheap. */
static void widen(const test_call *call, uint64_t round, terrain_window *window)
{
    uint32_t halo = halo_of(call);
    if (halo <= 64 && round % 4 == 1) {
        window->width += 2300;
    } else if (halo <= 64 && round % 4 == 3) {
        window->height += 700;
    }
}

static bool is_local(const terrain_operation *operation)
{
    uint32_t halo = UINT32_MAX;
    terrain_operation_halo(operation, NULL, &halo);
    return halo != UINT32_MAX;
}

enum { ROUNDS = 2 * ORIGINS };

/* E1: a seam between windows; a window or halo declared too small. */
static void test_windows(void **state)
{
    const uint64_t rounds = test_is_slow() ? ORIGINS : ROUNDS;
    for_each_operation(operation) {
        uint32_t compared = 0;
        cells_asked = cells_computed = 0;
        for (uint64_t round = 0; round < rounds; round++) {
            test_random random = {round * 17 + 3};
            terrain_window large = random_window(&random, round);
            test_call whole = test_call_of(operation);
            whole.seed = round;
            bool attach = round % 3 == 0;
            if (!find_params(&whole, &random, &large, round)) {
                test_call_destroy(&whole);
                continue;
            }
            widen(&whole, round, &large);
            expect(compute(&whole, &large, attach) != NULL, &whole, NULL);
            for (int tile = 0; tile < 3; tile++) {
                terrain_window small = random_inside(&random, &large);
                test_call part = another(&whole);
                expect(compute(&part, &small, attach) != NULL, &part, NULL);
                expect(outputs_equal(&whole, &part, &small), &part, NULL);
                test_call_destroy(&part);
                compared++;
            }
            test_call_destroy(&whole);
        }
        print_message("%-28s %3u tiles, %.2f cells computed for one\n",
                      terrain_operation_name(operation), (unsigned)compared,
                      cells_asked != 0 ? (double)cells_computed / (double)cells_asked : 0.0);
        if (is_local(operation) && compared < rounds) {
            fail_msg("%s: few random params work in an endless world",
                     terrain_operation_name(operation));
        }
    }
}

/* E2: a bounded map whose edge reaches farther inwards than the halo. */
static void test_bounded(void **state)
{
    for_each_operation(operation) {
        uint32_t compared = 0;
        for (uint64_t round = 0; round < ORIGINS; round++) {
            test_random random = {round * 29 + 11};
            terrain_window out = random_window(&random, round);
            const bool attach = round % 3 == 0;
            test_call world = test_call_of(operation);
            struct inputs inputs;
            uint32_t halo = 0;
            world.seed = round + 50;
            out.width = out.width / 2 + 1;
            if (!find_params(&world, &random, &out, round) || !ask(&world, &out, &inputs)) {
                test_call_destroy(&world);
                continue;
            }
            terrain_operation_halo(operation, world.params, &halo);
            expect(compute(&world, &out, attach) != NULL, &world, NULL);

            /* As much as the halo asks for on every side, and a few cells at random. */
            terrain_window bounds = hull(&inputs.of_map, &inputs.of_other);
            if (test_call_target_index(&world) == 0) {
                bounds = out;
                bounds.x -= halo;
                bounds.y -= halo;
                bounds.width += 2 * halo;
                bounds.height += 2 * halo;
            }
            if (attach) {
                bounds = hull(&bounds, &inputs.of_parameters);
            }
            int64_t more = (int64_t)test_below(&random, 9);
            bounds.x -= more;
            bounds.y -= more / 2;
            bounds.width += (uint32_t)(more + more / 2);
            bounds.height += (uint32_t)more;
            test_call bounded = another(&world);
            test_call_create_maps(&bounded, &bounds);
            if (attach) {
                test_call_attach_all(&bounded);
            }
            fill(&bounded);
            expect_status(test_call_apply(&bounded, NULL), TERRAIN_SUCCESS, &bounded, NULL);
            expect(outputs_equal(&world, &bounded, &out), &bounded, NULL);
            test_call_destroy(&bounded);
            test_call_destroy(&world);
            compared++;
        }
        if (is_local(operation) && compared < ORIGINS) {
            fail_msg("%s: few random params work in an endless world",
                     terrain_operation_name(operation));
        }
    }
}

/* Windows that leave the world, are empty, need one of more than 2^32 - 1 columns or rows, or name
 * an input that is not there. */
static void test_bad_windows(void **state)
{
    static const terrain_window bad[] = {
        {0, 0, 0, 5},
        {0, 0, 5, 0},
        {TERRAIN_WORLD_LIMIT, 0, 1, 1},
        {0, -TERRAIN_WORLD_LIMIT - 1, 1, 1},
        {INT64_MAX - 2, 0, 10, 10},
        {0, INT64_MIN, 10, 10},
        {TERRAIN_WORLD_LIMIT - 4, 0, 5, 1},
    };
    for_each_operation(operation) {
        const uint32_t ports = terrain_operation_port_count(operation);
        const bool reads = terrain_operation_port_at(operation, 0)->role != TERRAIN_PORT_ROLE_WRITE;
        terrain_window out = {0, 0, 4, 4};
        terrain_window in;
        test_call call = test_call_of(operation);
        expect_status(terrain_operation_window(operation, NULL, ports, &out, &in),
                      TERRAIN_ERROR_ARGUMENT, &call, NULL);
        for (uint32_t i = 0; i < ports; i++) {
            if (terrain_operation_port_at(operation, i)->role == TERRAIN_PORT_ROLE_WRITE) {
                expect_status(terrain_operation_window(operation, NULL, i, &out, &in),
                              TERRAIN_ERROR_ARGUMENT, &call, NULL);
            }
        }
        expect_status(terrain_operation_result_window(operation, NULL, NULL, &in),
                      TERRAIN_ERROR_ARGUMENT, &call, NULL);
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            expect_status(terrain_operation_result_window(operation, NULL, &bad[i], &in),
                          TERRAIN_ERROR_RANGE, &call, NULL);
            if (reads) {
                terrain_status status = terrain_operation_window(operation, NULL, 0, &bad[i], &in);
                expect(status == TERRAIN_ERROR_RANGE || status == TERRAIN_ERROR_UNSUPPORTED, &call,
                       NULL);
            }
        }
        uint32_t halo = 0;
        terrain_operation_halo(operation, NULL, &halo);
        for (int i = 0; i < 2 && reads && halo > 0 && halo < UINT32_MAX; i++) {
            const terrain_window wide = {0, 0, i == 0 ? UINT32_MAX : 4, i == 0 ? 4 : UINT32_MAX};
            expect_status(terrain_operation_window(operation, NULL, 0, &wide, &in),
                          TERRAIN_ERROR_RANGE, &call, NULL);
        }
        if (reads) {
            expect_status(terrain_operation_window(operation, NULL, 0, NULL, &in),
                          TERRAIN_ERROR_ARGUMENT, &call, NULL);
            expect_status(terrain_operation_window(operation, NULL, 0, &out, NULL),
                          TERRAIN_ERROR_ARGUMENT, &call, NULL);
        }
        test_call_destroy(&call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_bad_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
