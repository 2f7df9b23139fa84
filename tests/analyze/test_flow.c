/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_flow: water that is lost, made, or runs in circles; hollows that keep it;
 * directions that a method prefers. */

#include "analyze/turns.h"
#include "shape/hollows.h"
#include "terrain/analyze.h"
#include "terrain/shape.h"

enum { WIDTH = 93, HEIGHT = 70, CELLS = WIDTH * HEIGHT };

static terrain_analyze_flow_params params_of(uint32_t method, uint32_t routing)
{
    terrain_analyze_flow_params p;
    assert_int_equal(terrain_analyze_flow_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.method = method;
    p.routing = routing;
    return p;
}

static terrain_heightmap *flow(const terrain_heightmap *map, const terrain_analyze_flow_params *p)
{
    terrain_heightmap *result = blank(map);
    assert_int_equal(terrain_analyze_flow(NULL, map, result, p), TERRAIN_SUCCESS);
    return result;
}

static size_t downstream(size_t cell, uint32_t width, float direction)
{
    static const int east[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
    static const int south[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
    const int d = (int)direction;
    return (size_t)((int64_t)cell + south[d] * (int64_t)width + east[d]);
}

/* What arrives where nothing goes on is what fell, to the last unit. */
static void test_conservation(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (uint32_t k = 0; k < 12; k++) {
            terrain_analyze_flow_params p = params_of(k / 3, k % 3);
            terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 11), *result;
            terrain_heightmap *weights = hollows(WIDTH, HEIGHT, HOLLOWS_STEPS, 12);
            uint64_t fell = 0, left = 0;
            if (k / 3 >= TERRAIN_ANALYZE_FLOW_METHOD_DINF &&
                k % 3 == TERRAIN_ANALYZE_FLOW_ROUTING_CARVE) {
                p.routing = TERRAIN_ANALYZE_FLOW_ROUTING_FILL;
                p.rim = TERRAIN_RIM_CLOSED;
            }
            /* Multiples of 2^-11, so that sums are exact in a float. */
            for_each_cell(weights, x, y) {
                float w = test_at(weights, x, y) / 2048;
                w = w > 0 ? w : 0;
                *test_cell(weights, x, y) = w;
                fell += isnan(test_at(map, x, y)) ? 0 : (uint64_t)(w * 65536);
            }
            p.weights = k % 2 == 0 ? weights : NULL;
            if (p.weights == NULL) {
                fell = 0;
                for_each_cell(map, x, y) {
                    fell += isnan(test_at(map, x, y)) ? 0 : 65536;
                }
            }
            p.direction = blank(map);
            result = flow(map, &p);
            for_each_cell(p.direction, x, y) {
                if (test_at(p.direction, x, y) == 0) {
                    left += (uint64_t)((double)test_at(result, x, y) * 65536);
                }
            }
            /* Shares are rounded when they are written: by up to 2^-25 of each. */
            if (k / 3 < TERRAIN_ANALYZE_FLOW_METHOD_DINF ? left != fell
                                                         : llabs((long long)(left - fell)) > 16) {
                fail_msg("kind %d, method %u, routing %u: %llu units fell, %llu left", kind,
                         (unsigned)p.method, (unsigned)p.routing, (unsigned long long)fell,
                         (unsigned long long)left);
            }
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(weights);
            terrain_heightmap_destroy(p.direction);
            terrain_heightmap_destroy(result);
        }
    }
}

/* So little that not even a float rounds it: all of it comes to the one lowest cell. */
static void test_small(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (uint32_t method = 0; method < 4; method++) {
            terrain_analyze_flow_params p = params_of(method, 0);
            terrain_heightmap *map = hollows(15, 16, kind, 41 + method), *result;
            double cells = 0, left = 0;
            p.rim = TERRAIN_RIM_CLOSED;
            p.direction = blank(map);
            result = flow(map, &p);
            for (size_t i = 0; i < 15 * 16; i++) {
                bool ends = terrain_heightmap_data(p.direction)[i] == 0;
                cells += !isnan(terrain_heightmap_data(map)[i]);
                left += ends ? (double)terrain_heightmap_data(result)[i] : 0;
            }
            assert_true(left == cells);
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(p.direction);
            terrain_heightmap_destroy(result);
        }
    }
}

/* Every way ends at an outlet, and each cell has what passes it when all ways are walked. */
static void test_ways(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (uint32_t k = 0; k < 12; k++) {
            terrain_analyze_flow_params p = params_of(k % 2, k / 4);
            terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 21), *result;
            uint32_t *passed = calloc(CELLS, sizeof *passed);
            uint32_t ends = 0;
            bool any = false;
            p.rim = k / 2 % 2;
            p.seed = k;
            p.direction = blank(map);
            result = flow(map, &p);
            const float *direction = terrain_heightmap_const_data(p.direction);
            for (size_t i = 0; i < CELLS; i++) {
                bool data = !isnan(terrain_heightmap_data(map)[i]);
                bool rim =
                    i % WIDTH == 0 || i % WIDTH == WIDTH - 1 || i < WIDTH || i >= CELLS - WIDTH;
                bool outlet = !data || (rim && p.rim == TERRAIN_RIM_OPEN);
                size_t cell = i, steps = 0;
                passed[i] += data;
                while (direction[cell] != 0) {
                    cell = downstream(cell, WIDTH, direction[cell]);
                    passed[cell] += data;
                    assert_true(++steps < CELLS);
                }
                ends += direction[i] == 0 && !outlet;
                any = any || outlet;
                assert_true(!outlet || direction[i] == 0);
            }
            for (size_t i = 0; i < CELLS; i++) {
                assert_true(terrain_heightmap_const_data(result)[i] == (float)passed[i]);
            }
            if (p.routing != TERRAIN_ANALYZE_FLOW_ROUTING_NONE) {
                assert_int_equal(ends, any ? 0 : 1);
            }
            free(passed);
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(p.direction);
            terrain_heightmap_destroy(result);
        }
    }
}

/* Guards against water that is lost between patches, which maps of more than 2^20 cells are
 * summed by; patches here are 64 cells, and 1 and 15 at the far sides: each cell has its own and
 * what flows to it. */
static void test_large(void **state)
{
    enum { LARGE_WIDTH = 1153, LARGE_HEIGHT = 911, LARGE_CELLS = LARGE_WIDTH * LARGE_HEIGHT };
    for (uint32_t k = 0; k < 4; k++) {
        terrain_analyze_flow_params p = params_of(k % 2, k);
        test_allocator allocator = {0}; /* whose memory is not zero */
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
        terrain_heightmap *map = hollows(LARGE_WIDTH, LARGE_HEIGHT, k % HOLLOWS_KINDS, 5), *result;
        terrain_heightmap *weights = blank(map);
        uint32_t *sums = calloc(LARGE_CELLS, sizeof *sums);
        p.routing = k == 3 ? TERRAIN_ANALYZE_FLOW_ROUTING_NONE : TERRAIN_ANALYZE_FLOW_ROUTING_FILL;
        p.rim = k == 2 ? TERRAIN_RIM_CLOSED : TERRAIN_RIM_OPEN;
        p.direction = blank(map);
        p.weights = k >= 2 ? weights : NULL;
        for (size_t i = 0; i < LARGE_CELLS; i++) {
            terrain_heightmap_data(weights)[i] = (float)(i % 7);
        }
        result = blank(map);
        assert_int_equal(terrain_analyze_flow(context, map, result, &p), TERRAIN_SUCCESS);
        const float *area = terrain_heightmap_const_data(result);
        const float *direction = terrain_heightmap_const_data(p.direction);
        for (size_t i = 0; i < LARGE_CELLS; i++) {
            const bool data = !isnan(terrain_heightmap_data(map)[i]);
            sums[i] += !data ? 0 : k >= 2 ? (uint32_t)(i % 7) : 1;
            if (direction[i] != 0) {
                sums[downstream(i, LARGE_WIDTH, direction[i])] += (uint32_t)area[i];
            }
        }
        for (size_t i = 0; i < LARGE_CELLS; i++) {
            assert_true(area[i] == (float)sums[i]);
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(weights);
        terrain_heightmap_destroy(p.direction);
        terrain_heightmap_destroy(result);
        terrain_context_destroy(context);
        free(sums);
    }
}

/* Water that runs up a filled map, or level where it could fall. */
static void test_down(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        terrain_analyze_flow_params p = params_of((uint32_t)kind % 2, 0);
        terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 31), *result;
        p.direction = blank(map);
        result = flow(map, &p);
        assert_int_equal(terrain_shape_fill(NULL, map, NULL), TERRAIN_SUCCESS);
        for (size_t i = 0; i < CELLS; i++) {
            float d = terrain_heightmap_data(p.direction)[i], h = terrain_heightmap_data(map)[i];
            size_t next = downstream(i, WIDTH, d);
            float lower = terrain_heightmap_data(map)[next];
            bool falls = isnan(lower) || lower < h;
            for (int n = 1; n <= 8 && d != 0 && !falls; n++) {
                float other = terrain_heightmap_data(map)[downstream(i, WIDTH, (float)n)];
                assert_true(lower == h && other >= h);
            }
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(p.direction);
        terrain_heightmap_destroy(result);
    }
}

/* A cone: water of many ways comes through all points of a circle alike, and the same way when the
 * map is turned. */
static void test_cone(void **state)
{
    enum { SIZE = 201, MIDDLE = 100 };
    terrain_analyze_flow_params p = params_of(TERRAIN_ANALYZE_FLOW_METHOD_MFD, 0);
    terrain_heightmap *map = NULL, *result;
    double low = INFINITY, high = 0;
    assert_int_equal(terrain_heightmap_create(NULL, SIZE, SIZE, &map), TERRAIN_SUCCESS);
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            terrain_heightmap_data(map)[y * SIZE + x] =
                -(float)sqrt((x - MIDDLE) * (x - MIDDLE) + (y - MIDDLE) * (y - MIDDLE));
        }
    }
    result = flow(map, &p);
    /* The mean within 2 cells of each of 64 points at a distance of 80, in proportion to it. */
    for (int k = 0; k < 64; k++) {
        double x = MIDDLE + 80 * cos(k * 0.0981747704), y = MIDDLE + 80 * sin(k * 0.0981747704);
        double sum = 0, cells = 0;
        for (int dy = -3; dy <= 3; dy++) {
            for (int dx = -3; dx <= 3; dx++) {
                int cx = (int)floor(x + 0.5) + dx, cy = (int)floor(y + 0.5) + dy;
                double r = sqrt((double)(cx - MIDDLE) * (cx - MIDDLE) +
                                (double)(cy - MIDDLE) * (cy - MIDDLE));
                sum += (double)terrain_heightmap_data(result)[cy * SIZE + cx] / r;
                cells++;
            }
        }
        sum /= cells;
        low = sum < low ? sum : low;
        high = sum > high ? sum : high;
    }
    print_message("cone: %.4f to %.4f\n", low, high);
    assert_true(high < 1.04 * low);
    terrain_heightmap_destroy(result);
    terrain_heightmap_destroy(map);
}

/* Turned and mirrored land, without ties. */
static void test_turns(void **state)
{
    for (uint32_t method = 0; method < 4; method += method == 0 ? 2 : 1) {
        terrain_analyze_flow_params p = params_of(method, TERRAIN_ANALYZE_FLOW_ROUTING_NONE);
        terrain_heightmap *map = hollows(WIDTH, HEIGHT, HOLLOWS_NOISE, 5);
        /* sums of shares round in another order */
        expect_turns("analyze_flow", map, &p, method == 0 ? 0 : 1e-3f);
        terrain_heightmap_destroy(map);
    }
}

/* RHO8 on a plane that falls between two of the eight directions: its steps must go that way in the
 * mean, where D8 only knows one of them; and its choices must lie in the world. */
static void test_dither(void **state)
{
    enum { SIZE = 400 };
    terrain_analyze_flow_params p = params_of(TERRAIN_ANALYZE_FLOW_METHOD_RHO8, 0);
    terrain_heightmap *map = NULL, *shifted = NULL, *result, *again, *first;
    double east = 0, south = 0;
    assert_int_equal(terrain_heightmap_create(NULL, SIZE, SIZE, &map), TERRAIN_SUCCESS);
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        terrain_heightmap_data(map)[i] = -(float)(i % SIZE) - 0.4f * (float)(i / SIZE);
    }
    p.direction = first = blank(map);
    result = flow(map, &p);
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        float d = terrain_heightmap_data(first)[i];
        assert_true(d == 0 || d == TERRAIN_ANALYZE_FLOW_DIRECTION_EAST ||
                    d == TERRAIN_ANALYZE_FLOW_DIRECTION_SOUTH_EAST);
        east += d != 0;
        south += d == TERRAIN_ANALYZE_FLOW_DIRECTION_SOUTH_EAST;
    }
    assert_true(fabs(south / east - 0.4) < 0.01);
    /* One column and two rows farther in the same world. */
    assert_int_equal(terrain_heightmap_create(NULL, SIZE - 1, SIZE - 2, &shifted), TERRAIN_SUCCESS);
    for (uint32_t y = 0; y < SIZE - 2; y++) {
        for (uint32_t x = 0; x < SIZE - 1; x++) {
            terrain_heightmap_data(shifted)[y * (SIZE - 1) + x] =
                terrain_heightmap_data(map)[(y + 2) * SIZE + x + 1];
        }
    }
    terrain_heightmap_set_origin(shifted, 1, 2);
    p.direction = blank(shifted);
    again = flow(shifted, &p);
    for (uint32_t y = 1; y < SIZE - 3; y++) {
        for (uint32_t x = 1; x < SIZE - 2; x++) {
            assert_true(terrain_heightmap_data(p.direction)[y * (SIZE - 1) + x] ==
                        terrain_heightmap_data(first)[(y + 2) * SIZE + x + 1]);
        }
    }
    terrain_heightmap_destroy(p.direction);
    terrain_heightmap_destroy(first);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(shifted);
    terrain_heightmap_destroy(result);
    terrain_heightmap_destroy(again);
}

/* Sums beyond 2^40 units, of which a share no longer fits into 64 bits at once: rain 65536 times as
 * heavy comes the same ways. Each giving loses less than a unit, of 65536 without weights. */
static void test_heavy_rain(void **state)
{
    for (uint32_t method = 0; method < 4; method++) {
        terrain_analyze_flow_params p = params_of(method, 0);
        terrain_heightmap *map = hollows(WIDTH, HEIGHT, HOLLOWS_NOISE, 51), *rain = blank(map);
        terrain_heightmap *light = flow(map, &p), *heavy;
        float most = 0;
        test_fill_level(rain, 65536);
        p.weights = rain;
        heavy = flow(map, &p);
        for_each_cell(light, x, y) {
            const float expected = test_at(light, x, y);
            const float found = test_at(heavy, x, y) / 65536;
            if (!isnan(expected)) {
                assert_true(fabsf(found - expected) <= 0.001f * expected);
                most = found > most ? found : most;
            }
        }
        assert_true(most > 1000);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(rain);
        terrain_heightmap_destroy(light);
        terrain_heightmap_destroy(heavy);
    }
}

/* Weights beyond what can be counted, and carving for what runs to several. */
static void test_refused(void **state)
{
    terrain_analyze_flow_params p =
        params_of(TERRAIN_ANALYZE_FLOW_METHOD_MFD, TERRAIN_ANALYZE_FLOW_ROUTING_CARVE);
    terrain_heightmap *map = hollows(4, 1, HOLLOWS_NOISE, 1), *result = blank(map);
    const float weights[4] = {1e30f, -3, NAN, INFINITY};
    terrain_heightmap *rain = blank(map);
    assert_int_equal(terrain_analyze_flow(NULL, map, result, &p), TERRAIN_ERROR_RANGE);
    memcpy(terrain_heightmap_data(rain), weights, sizeof weights);
    p.routing = TERRAIN_ANALYZE_FLOW_ROUTING_FILL;
    p.weights = rain;
    assert_int_equal(terrain_analyze_flow(NULL, map, result, &p), TERRAIN_SUCCESS);
    assert_true(terrain_heightmap_data(result)[0] == 65536);
    assert_true(terrain_heightmap_data(result)[1] == 0);
    assert_true(terrain_heightmap_data(result)[2] == 0);
    assert_true(terrain_heightmap_data(result)[3] == 65536);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(rain);
    terrain_heightmap_destroy(result);
}

/* Passes that are announced and never made: progress ends short of 1, and jumps. */
static void test_progress_of_passes(void **state)
{
    terrain_analyze_flow_params p =
        params_of(TERRAIN_ANALYZE_FLOW_METHOD_D8, TERRAIN_ANALYZE_FLOW_ROUTING_NONE);
    /* So large that areas are summed by patches. */
    terrain_heightmap *map = hollows(1025, 1024, HOLLOWS_NOISE, 3), *result = blank(map);
    expect_all_passes("analyze_flow", &p, (terrain_heightmap *[]){map, result}, 2);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(result);
}

/* The water that comes to the east, to the west and to the south-east of a cell of height 0 among
 * infinitely high land, when these lie so far below it. */
static void water_below(uint32_t method, float exponent, const float depths[3], float water[3])
{
    static const int64_t places[3][2] = {{2, 1}, {0, 1}, {2, 2}};
    terrain_analyze_flow_params p = params_of(method, TERRAIN_ANALYZE_FLOW_ROUTING_NONE);
    terrain_heightmap *map = test_map_of_level(3, 3, INFINITY), *result;
    p.exponent = exponent;
    *test_cell(map, 1, 1) = 0;
    for (int k = 0; k < 3; k++) {
        *test_cell(map, places[k][0], places[k][1]) = -depths[k];
    }
    result = flow(map, &p);
    for (int k = 0; k < 3; k++) {
        water[k] = test_at(result, places[k][0], places[k][1]);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(result);
}

/* Slopes that are not told apart from none, or whose powers overflow: all water goes down the
 * steepest if that is beyond 1e18, and none down one of 2^-100 of the steepest or less. */
static void test_extreme_slopes(void **state)
{
    static const float steep[] = {3e18f, 2e18f, 4.5e18f}, less[] = {3e17f, 2e17f, 4.5e17f};
    static const float faint[] = {0x1p-101f, 1, 0}, fainter[] = {0x1p-99f, 1, 0};
    float water[3];
    for (uint32_t method = TERRAIN_ANALYZE_FLOW_METHOD_DINF;
         method <= TERRAIN_ANALYZE_FLOW_METHOD_MFD; method++) {
        water_below(method, 1, steep, water);
        assert_true(water[0] == 1 && water[1] == 1 && water[2] == 2);
        water_below(method, 1, less, water);
        assert_true(water[0] > 1.2f && water[2] > 1.2f);
    }
    water_below(TERRAIN_ANALYZE_FLOW_METHOD_MFD, 0.1f, faint, water);
    assert_true(water[0] == 1 && water[1] == 2);
    water_below(TERRAIN_ANALYZE_FLOW_METHOD_MFD, 0.1f, fainter, water);
    assert_true(water[0] > 1.0005f && water[1] > 1.998f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conservation), cmocka_unit_test(test_small),
        cmocka_unit_test(test_ways),         cmocka_unit_test(test_down),
        cmocka_unit_test(test_large),        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_turns),        cmocka_unit_test(test_dither),
        cmocka_unit_test(test_heavy_rain),   cmocka_unit_test(test_extreme_slopes),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
