/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/erode.h"

/* ---- Helpers --------------------------------------------------------------------------------- */

static terrain_erode_fir_params params_of(float erosion, uint32_t mode)
{
    terrain_erode_fir_params p;
    terrain_erode_fir_params_init(&p, sizeof p);
    p.erosion = erosion;
    p.mode = mode;
    return p;
}

static void erode(terrain_heightmap *map, float erosion, uint32_t mode)
{
    terrain_erode_fir_params p = params_of(erosion, mode);
    assert_int_equal(terrain_erode_fir(NULL, map, &p), TERRAIN_SUCCESS);
}

static terrain_heightmap *heights(int64_t x, int64_t y, uint32_t width, uint32_t height,
                                  uint64_t seed)
{
    terrain_window window = {x, y, width, height};
    terrain_heightmap *map = test_map(&window);
    test_fill_heights(map, seed);
    return map;
}

#define for_each_mode(mode)                                                                        \
    for (uint32_t mode = TERRAIN_ERODE_FIR_MODE_SMEAR; mode <= TERRAIN_ERODE_FIR_MODE_CONSERVING;  \
         mode++)

/* ---- The definition, cell by cell ------------------------------------------------------------ */

enum { MOST_CELLS = 1200 };

struct line {
    float before_forward[MOST_CELLS]; /* what the forward pass read */
    float from[MOST_CELLS];
    float to[MOST_CELLS];
    int64_t count;
    int64_t world; /* of cell 0 */
};

struct rule {
    uint32_t mode;
    float erosion;
    bool global;
    int64_t warm;
};

static struct rule rule_of(float erosion, uint32_t mode)
{
    struct rule rule = {mode, erosion, false, 0};
    double rate = mode == TERRAIN_ERODE_FIR_MODE_CONSERVING ? (double)erosion / 2 : (double)erosion;
    double weight = 1;
    do {
        weight *= rate;
        rule.warm++;
    } while (weight >= 0x1p-25 && rule.warm <= 1024);
    rule.global = rule.warm > 1024;
    return rule;
}

static int64_t block_of(const struct rule *rule, int64_t world)
{
    return rule->global ? 0 : (world >= 0 ? world : world - 63) / 64;
}

static float slide(const struct rule *rule, float before, float height)
{
    return 0.5f * rule->erosion * (before > height ? before - height : 0);
}

static float step(const struct rule *rule, float before, float height)
{
    float mixed = before + (1 - rule->erosion) * (height - before);
    switch (rule->mode) {
    case TERRAIN_ERODE_FIR_MODE_SMEAR:
        return mixed;
    case TERRAIN_ERODE_FIR_MODE_DOWNHILL:
        return before > height ? mixed : height;
    default:
        return height + slide(rule, before, height);
    }
}

/* What the recursion of cell `owner`'s block holds at cell `cell`. */
static float recursion(const struct rule *rule, const struct line *line, int direction,
                       int64_t owner, int64_t cell)
{
    int64_t block = block_of(rule, line->world + owner);
    int64_t start = direction > 0 ? block * 64 - rule->warm : block * 64 + 63 + rule->warm;
    float state;
    start -= line->world;
    if (direction > 0 && (start < 0 || rule->global)) {
        start = 0;
    }
    if (direction < 0 && (start >= line->count || rule->global)) {
        start = line->count - 1;
        state = line->from[start];
        if (rule->mode == TERRAIN_ERODE_FIR_MODE_SMEAR) {
            float raw = line->before_forward[start];
            state = raw + 1 / (1 + rule->erosion) * (state - raw);
        }
    } else {
        state = line->from[start];
    }
    for (int64_t i = start; i != cell;) {
        i += direction;
        state = step(rule, state, line->from[i]);
    }
    return state;
}

static void pass(const struct rule *rule, struct line *line, int direction)
{
    for (int64_t i = 0; i < line->count; i++) {
        int64_t next = i + direction;
        line->to[i] = recursion(rule, line, direction, i, i);
        if (rule->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING && next >= 0 && next < line->count) {
            line->to[i] -= slide(rule, recursion(rule, line, direction, next, i), line->from[next]);
        }
    }
}

static void both_passes(const struct rule *rule, struct line *line, float *cells, size_t stride)
{
    for (int64_t i = 0; i < line->count; i++) {
        line->from[i] = line->before_forward[i] = cells[(size_t)i * stride];
    }
    pass(rule, line, 1);
    memcpy(line->from, line->to, sizeof line->from);
    pass(rule, line, -1);
    for (int64_t i = 0; i < line->count; i++) {
        cells[(size_t)i * stride] = line->to[i];
    }
}

static void plain_erode(terrain_heightmap *map, float erosion, uint32_t mode)
{
    static struct line line;
    struct rule rule = rule_of(erosion, mode);
    uint32_t width = terrain_heightmap_width(map);
    uint32_t height = terrain_heightmap_height(map);
    int64_t x, y;
    terrain_heightmap_origin(map, &x, &y);
    line.world = x;
    line.count = width;
    for (uint32_t i = 0; i < height; i++) {
        both_passes(&rule, &line, terrain_heightmap_data(map) + i * width, 1);
    }
    line.world = y;
    line.count = height;
    for (uint32_t i = 0; i < width; i++) {
        both_passes(&rule, &line, terrain_heightmap_data(map) + i, width);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Blocks, bands, transposed bundles or warming up that change a bit of the definition. */
static void test_equals_definition(void **state)
{
    static const struct {
        int64_t x, y;
        uint32_t width, height;
        float erosion;
    } cases[] = {
        {0, 0, 1, 1, 0.4f},        {0, 0, 1, 70, 0.4f},     {-3, 5, 70, 1, 0.4f},
        {0, 0, 64, 64, 0.4f},      {-64, 63, 65, 66, 0.6f}, {-37, 1000, 200, 131, 0.4f},
        {17, -90, 300, 40, 0.85f}, {5, 6, 3, 1100, 0.4f},   {-11, 3, 130, 720, 0.3f},
        {1, -1, 90, 100, 0.985f},  {7, 7, 40, 150, 1},      {-100, -100, 20, 900, 0.7f},
        {0, 0, 128, 128, 0.8f},    {64, 0, 70, 65, 0.97f},  {0, 32, 90, 96, 0.9f},
    };
    for_each_mode(mode) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            terrain_heightmap *map =
                heights(cases[i].x, cases[i].y, cases[i].width, cases[i].height, i);
            terrain_heightmap *plain = test_clone(map);
            erode(map, cases[i].erosion, mode);
            plain_erode(plain, cases[i].erosion, mode);
            if (!test_maps_equal(map, plain)) {
                fail_msg("case %u, mode %u", (unsigned)i, (unsigned)mode);
            }
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(plain);
        }
    }
}

/* A recursion over the whole line, in double: what restarting must not be told from. */
static void endless_line(double *h, int64_t count, double erosion, uint32_t mode)
{
    double last = h[count - 1];
    for (int direction = 1; direction >= -1; direction -= 2) {
        int64_t i = direction > 0 ? 0 : count - 1;
        if (direction < 0 && mode == TERRAIN_ERODE_FIR_MODE_SMEAR) {
            h[i] = last + (h[i] - last) / (1 + erosion);
        }
        for (int64_t left = count - 1; left > 0; left--, i += direction) {
            double fall = h[i] - h[i + direction];
            if (mode == TERRAIN_ERODE_FIR_MODE_CONSERVING) {
                double slid = fall > 0 ? 0.5 * erosion * fall : 0;
                h[i] -= slid;
                h[i + direction] += slid;
            } else if (mode == TERRAIN_ERODE_FIR_MODE_SMEAR || fall > 0) {
                h[i + direction] += erosion * fall;
            }
        }
    }
}

/* Seams where recursions restart, in any mode: the result must be that of recursions without a
 * restart, but for rounding. */
static void test_no_seams(void **state)
{
    static const float erosions[] = {0.1f, 0.4f, 0.6f, 0.9f, 0.98f, 1};
    static double h[300];
    for_each_mode(mode) {
        for (size_t i = 0; i < sizeof erosions / sizeof erosions[0]; i++) {
            const double erosion = (double)erosions[i];
            terrain_heightmap *row = heights(-29, 3, 300, 1, i);
            terrain_heightmap *column = heights(-29, 3, 1, 300, i);
            for (uint32_t k = 0; k < 300; k++) {
                *test_cell(column, 0, k) = test_at(row, k, 0);
                h[k] = (double)test_at(row, k, 0);
            }
            endless_line(h, 300, erosion, mode);
            erode(row, erosions[i], mode);
            erode(column, erosions[i], mode);
            for (uint32_t k = 0; k < 300; k++) {
                /* Heights are below 32: rounding errors of 2^-20 each, which fade by `erosion`. */
                double bound = 0x1p-20 * (2 + 2 / (1.01 - erosion));
                assert_true(fabs((double)test_at(row, k, 0) - h[k]) < bound);
                assert_true(fabs((double)test_at(column, 0, k) - h[k]) < bound);
            }
            terrain_heightmap_destroy(row);
            terrain_heightmap_destroy(column);
        }
    }
}

/* A kernel of the wrong width or weight: an impulse anywhere must become
 * ((1 - e) / (1 + e))^2 * e^(|x| + |y|), wherever in a block it lies. */
static void test_impulse(void **state)
{
    for (int64_t origin = 0; origin < 64; origin += 21) {
        const double e = (double)0.4f;
        const double peak = (1 - e) / (1 + e);
        terrain_heightmap *map = heights(origin, -origin, 101, 101, 0);
        test_fill_level(map, 0);
        *test_cell(map, 50, 50) = 1;
        erode(map, 0.4f, TERRAIN_ERODE_FIR_MODE_SMEAR);
        for (int y = -30; y <= 30; y++) {
            for (int x = -30; x <= 30; x++) {
                double wanted = peak * peak * pow(e, abs(x) + abs(y));
                double found = (double)test_at(map, (uint32_t)(50 + x), (uint32_t)(50 + y));
                assert_true(fabs(found - wanted) < 1e-7);
            }
        }
        terrain_heightmap_destroy(map);
    }
}

/* Something that is not linear in SMEAR. */
static void test_smear_is_linear(void **state)
{
    terrain_heightmap *u = heights(3, 4, 90, 80, 1);
    terrain_heightmap *v = heights(3, 4, 90, 80, 2);
    terrain_heightmap *both = test_clone(u);
    for_each_cell(both, x, y) {
        *test_cell(both, x, y) = 2 * test_at(u, x, y) - 3 * test_at(v, x, y);
    }
    erode(u, 0.5f, TERRAIN_ERODE_FIR_MODE_SMEAR);
    erode(v, 0.5f, TERRAIN_ERODE_FIR_MODE_SMEAR);
    erode(both, 0.5f, TERRAIN_ERODE_FIR_MODE_SMEAR);
    for_each_cell(u, x, y) {
        float sum = 2 * test_at(u, x, y) - 3 * test_at(v, x, y);
        assert_true(fabsf(test_at(both, x, y) - sum) < 1e-4f);
    }
    terrain_heightmap_destroy(u);
    terrain_heightmap_destroy(v);
    terrain_heightmap_destroy(both);
}

/* Erosion 0 that changes something; erosion 1 that is not what the header says. */
static void test_extremes(void **state)
{
    for_each_mode(mode) {
        terrain_heightmap *map = heights(-7, 9, 130, 75, 3);
        const test_summary before = test_summarize(map);
        double corners = ((double)test_at(map, 0, 0) + (double)test_at(map, 129, 0) +
                          (double)test_at(map, 0, 74) + (double)test_at(map, 129, 74)) /
                         4;
        uint32_t *snapshot = test_snapshot(map);
        erode(map, 0, mode);
        assert_true(test_unchanged(map, snapshot));
        erode(map, 1, mode);
        for (uint32_t i = 0; i < 130 * 75 && mode != TERRAIN_ERODE_FIR_MODE_CONSERVING; i++) {
            double h = (double)terrain_heightmap_data(map)[i];
            assert_true(h == (double)test_at(map, 0, 0));
            assert_true(mode == TERRAIN_ERODE_FIR_MODE_DOWNHILL ? h == before.maximum
                                                                : fabs(h - corners) < 1e-5);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Flat land that drifts, if only in the last bit. */
static void test_flat_stays_flat(void **state)
{
    for_each_mode(mode) {
        for (int i = 0; i < 20; i++) {
            terrain_heightmap *map = heights(-7, 9, 70, 75, 3);
            test_fill_level(map, 0.1f + 1000.0f / (float)(3 + i));
            uint32_t *snapshot = test_snapshot(map);
            erode(map, 0.05f * (float)i, mode);
            assert_true(test_unchanged(map, snapshot));
            terrain_heightmap_destroy(map);
        }
    }
}

/* Heights beyond those that were there; roughness that grows. */
static void test_bounds(void **state)
{
    static const float erosions[] = {0.05f, 0.3f, 0.6f, 0.95f, 0.99f};
    for_each_mode(mode) {
        for (size_t i = 0; i < sizeof erosions / sizeof erosions[0]; i++) {
            terrain_heightmap *map = heights(-100, 9, 170, 155, i);
            const test_summary before = test_summarize(map);
            erode(map, erosions[i], mode);
            const test_summary after = test_summarize(map);
            assert_true(after.minimum >= before.minimum);
            assert_true(after.maximum <= before.maximum);
            if (mode != TERRAIN_ERODE_FIR_MODE_DOWNHILL) {
                double cells = 170 * 155;
                assert_true(after.squares - after.sum * after.sum / cells <
                            before.squares - before.sum * before.sum / cells);
            }
            terrain_heightmap_destroy(map);
        }
    }
}

/* Where the transposed map, or one of the mirrored ones, of 100 x 100 cells, has its cells from. */
static float moved_at(const terrain_heightmap *map, int kind, int64_t x, int64_t y)
{
    return kind == 0   ? test_at(map, y, x)
           : kind == 1 ? test_at(map, 99 - x, y)
                       : test_at(map, x, 99 - y);
}

/* Borders that favour a direction: a mirrored or turned map must give the mirrored or turned
 * result, but for rounding, up to the edges. */
static void test_smear_has_no_direction(void **state)
{
    for (int kind = 0; kind < 3; kind++) {
        terrain_heightmap *map = heights(0, 0, 100, 100, 5);
        terrain_heightmap *turned = test_clone(map);
        for_each_cell(turned, x, y) {
            *test_cell(turned, x, y) = moved_at(map, kind, x, y);
        }
        erode(map, 0.6f, TERRAIN_ERODE_FIR_MODE_SMEAR);
        erode(turned, 0.6f, TERRAIN_ERODE_FIR_MODE_SMEAR);
        for_each_cell(map, x, y) {
            assert_true(fabsf(test_at(turned, x, y) - moved_at(map, kind, x, y)) < 2e-5f);
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(turned);
    }
}

/* DOWNHILL that lowers something, or that raises what only rises. */
static void test_downhill_only_fills(void **state)
{
    terrain_heightmap *map = heights(-30, 9, 200, 155, 6);
    terrain_heightmap *before = test_clone(map);
    erode(map, 0.5f, TERRAIN_ERODE_FIR_MODE_DOWNHILL);
    for_each_cell(map, x, y) {
        assert_true(test_at(map, x, y) >= test_at(before, x, y));
    }
    assert_true(test_summarize(map).maximum == test_summarize(before).maximum);
    assert_true(test_summarize(map).sum > test_summarize(before).sum + 155 * 200);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(before);
}

/* Material lost or made, where blocks or bands meet above all. */
static void test_conserving_conserves(void **state)
{
    static const uint32_t sizes[][2] = {{300, 200}, {90, 1500}, {64, 64}, {1, 700}, {700, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        terrain_heightmap *map = heights(-41, 22, sizes[i][0], sizes[i][1], i);
        double cells = (double)sizes[i][0] * (double)sizes[i][1];
        double before = test_summarize(map).sum;
        terrain_heightmap *old = test_clone(map);
        erode(map, 0.9f, TERRAIN_ERODE_FIR_MODE_CONSERVING);
        assert_true(test_largest_difference(map, old) > 1);
        assert_true(fabs(test_summarize(map).sum - before) <
                    10 * sqrt(cells) * 32 * (double)FLT_EPSILON);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(old);
    }
}

/* One NaN that takes more than its reach, or in the other modes more than itself. */
static void test_nan(void **state)
{
    for_each_mode(mode) {
        terrain_heightmap *map = heights(-64, -128, 320, 256, 7);
        uint32_t count = 0;
        uint32_t halo = 0;
        terrain_erode_fir_params p = params_of(0.4f, mode);
        const terrain_operation *operation = terrain_operation_find("erode_fir");
        assert_int_equal(terrain_operation_halo(operation, &p, &halo), TERRAIN_SUCCESS);
        *test_cell(map, 160, 130) = NAN;
        erode(map, 0.4f, mode);
        for_each_cell(map, x, y) {
            if (isnan(test_at(map, x, y))) {
                count++;
                assert_true(labs((long)x - 160) <= (long)halo);
                assert_true(labs((long)y - 130) <= (long)halo);
            }
        }
        assert_true(mode == TERRAIN_ERODE_FIR_MODE_SMEAR ? count > 100 : count == 1);
        terrain_heightmap_destroy(map);
    }
}

/* A halo that is not the smallest, or not enough. */
static void test_halo(void **state)
{
    static const struct {
        float erosion;
        uint32_t mode, halo;
    } cases[] = {
        {0, 0, 0},       {0.4f, 0, 63 + 19},   {0.6f, 1, 63 + 34},      {0.4f, 2, 64 + 11},
        {1, 2, 64 + 26}, {0.98f, 0, 63 + 858}, {0.985f, 0, UINT32_MAX}, {1, 0, UINT32_MAX},
    };
    const terrain_operation *operation = terrain_operation_find("erode_fir");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        terrain_erode_fir_params p = params_of(cases[i].erosion, cases[i].mode);
        uint32_t halo = 1;
        assert_int_equal(terrain_operation_halo(operation, &p, &halo), TERRAIN_SUCCESS);
        assert_int_equal(halo, cases[i].halo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_definition),
        cmocka_unit_test(test_no_seams),
        cmocka_unit_test(test_impulse),
        cmocka_unit_test(test_smear_is_linear),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_flat_stays_flat),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_smear_has_no_direction),
        cmocka_unit_test(test_downhill_only_fills),
        cmocka_unit_test(test_conserving_conserves),
        cmocka_unit_test(test_nan),
        cmocka_unit_test(test_halo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
