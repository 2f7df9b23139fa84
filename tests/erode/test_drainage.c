/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

typedef terrain_erode_drainage_params params;

enum { SPACING = 256 };

static terrain_heightmap *noise(const terrain_window *window, float period)
{
    terrain_heightmap *map = test_map(window);
    terrain_generate_noise_params p;
    terrain_generate_noise_params_init(&p, sizeof p);
    p.seed = 3;
    p.period = period;
    p.amplitude = 250;
    p.offset = 60;
    assert_int_equal(terrain_generate_noise(NULL, map, &p), TERRAIN_SUCCESS);
    return map;
}

/* The ceiling for a window: the noise on the coarse lattice. */
static terrain_heightmap *ceiling_of(const terrain_window *window)
{
    const terrain_operation *operation = terrain_operation_find("erode_drainage");
    params p;
    terrain_window coarse;
    uint32_t port = 0;
    terrain_erode_drainage_params_init(&p, sizeof p);
    p.map_spacing = SPACING;
    while (strcmp(terrain_operation_port_at(operation, port)->name, "ceiling") != 0) {
        port++;
    }
    assert_int_equal(terrain_operation_window(operation, &p, port, window, &coarse),
                     TERRAIN_SUCCESS);
    return noise(&coarse, 2048.0F / SPACING);
}

/* A land, what it was before, and what was carved into it. */
typedef struct carved {
    terrain_heightmap *before, *map, *land, *ceiling;
    terrain_heightmap *water, *receiver, *discharge;
    terrain_heightmap *land_water, *land_receiver, *land_discharge;
} carved;

static carved carve(const terrain_window *window, uint64_t seed)
{
    carved c = {noise(window, 2048), noise(window, 2048), test_map(window), ceiling_of(window),
                test_map(window),    test_map(window),    test_map(window), test_map(window),
                test_map(window),    test_map(window)};
    params p;
    terrain_generate_drainage_params same;
    terrain_erode_drainage_params_init(&p, sizeof p);
    p.seed = seed;
    p.map_spacing = SPACING;
    p.ceiling = c.ceiling;
    terrain_generate_drainage_params_init(&same, sizeof same);
    memcpy(&same.seed, &p.seed, offsetof(params, mask) - offsetof(params, seed)); /* the maps */
    memcpy(&same.map_spacing, &p.map_spacing, sizeof p - offsetof(params, map_spacing));
    p.water = c.water;
    p.receiver = c.receiver;
    p.discharge = c.discharge;
    same.water = c.land_water;
    same.receiver = c.land_receiver;
    same.discharge = c.land_discharge;
    terrain_heightmap_data(c.map)[terrain_heightmap_stride(c.map) * 5 + 7] = NAN;
    assert_int_equal(terrain_erode_drainage(NULL, c.map, &p), TERRAIN_SUCCESS);
    assert_int_equal(terrain_generate_drainage(NULL, c.land, &same), TERRAIN_SUCCESS);
    return c;
}

static void destroy(carved c)
{
    terrain_heightmap *maps[] = {c.before,        c.map,           c.land,      c.ceiling,
                                 c.water,         c.receiver,      c.discharge, c.land_water,
                                 c.land_receiver, c.land_discharge};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        terrain_heightmap_destroy(maps[i]);
    }
}

static const terrain_window places[] = {
    {3000, 2000, 300, 260},
    {-40000, 9000, 300, 260},
    {(INT64_C(1) << 45) + 77, -(INT64_C(1) << 50), 300, 260},
    {3000, 2000, 700, 20}, /* of several tiles, as the next one */
    {3000, 2000, 20, 700},
};

/* Guards against another land than generate_drainage's, heights that rise, NaN that doesn't stay,
 * a map that is not carved at all, and tiles that are carved into another one's part of the map. */
static void test_minimum(void **state)
{
    uint32_t lowered = 0, left = 0;
    for (uint64_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        const carved c = carve(&places[k], k);
        for (uint32_t y = 0; y < places[k].height; y++) {
            for (uint32_t x = 0; x < places[k].width; x++) {
                const float before = test_at(c.before, x, y), land = test_at(c.land, x, y);
                const float water = test_at(c.land_water, x, y);
                if (x == 7 && y == 5) {
                    assert_true(isnan(test_at(c.map, x, y)) && isnan(test_at(c.water, x, y)));
                    continue;
                }
                assert_true(test_at(c.map, x, y) == (land < before ? land : before));
                assert_true(test_at(c.water, x, y) == (water < before ? water : before));
                lowered += land < before;
                left += land > before;
            }
        }
        assert_true(test_maps_equal(c.receiver, c.land_receiver));
        assert_true(test_maps_equal(c.discharge, c.land_discharge));
        destroy(c);
    }
    assert_true(lowered > 20000 && left > 20000);
}

/* Guards against hollows that carving makes: a lowered cell without a lower neighbour; and against
 * rivers that know nothing of the map, so that their beds don't reach it. */
static void test_no_hollows(void **state)
{
    uint32_t lowered = 0, rivers = 0, cut = 0;
    for (uint64_t k = 0; k < 3; k++) {
        const carved c = carve(&places[k], k);
        for (uint32_t y = 1; y < 259; y++) {
            for (uint32_t x = 1; x < 299; x++) {
                const float height = test_at(c.map, x, y);
                if (test_at(c.receiver, x, y) >= 0 && height < test_at(c.before, x, y)) {
                    bool falls = false;
                    for (uint32_t n = 0; n < 9; n++) {
                        const float other = test_at(c.map, x + n % 3 - 1, y + n / 3 - 1);
                        falls |= other < height || isnan(other); /* its water may go there */
                    }
                    assert_true(falls);
                    lowered++;
                }
                rivers += test_at(c.discharge, x, y) > 20000;
                cut += test_at(c.discharge, x, y) > 20000 && height < test_at(c.before, x, y);
            }
        }
        destroy(c);
    }
    assert_true(lowered > 20000);
    assert_true(rivers > 500 && cut > rivers * 6 / 10);
}

/* Guards against a map that a refused call has changed. */
static void test_refuses(void **state)
{
    const terrain_window window = {0, 0, 64, 64}, small = {-4, -4, 9, 9};
    terrain_heightmap *map = noise(&window, 2048), *before = noise(&window, 2048);
    terrain_heightmap *ceiling = noise(&small, 8);
    params p;
    terrain_erode_drainage_params_init(&p, sizeof p);
    p.ceiling = ceiling;
    assert_int_equal(terrain_erode_drainage(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.ceiling = NULL;
    p.map_spacing = 100;
    assert_int_equal(terrain_erode_drainage(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.map_spacing = 64;
    p.hills = -1;
    assert_int_equal(terrain_erode_drainage(NULL, map, &p), TERRAIN_ERROR_RANGE);
    assert_true(test_maps_equal(map, before));
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(ceiling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimum),
        cmocka_unit_test(test_no_hollows),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
