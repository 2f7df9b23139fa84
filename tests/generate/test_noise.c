/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "generate/generated.h"
#include "terrain/generate.h"

typedef terrain_generate_noise_params params;

static params defaults(void)
{
    params p;
    terrain_generate_noise_params_init(&p, sizeof p);
    return p;
}

static terrain_heightmap *generate(const params *p, int64_t x, int64_t y, uint32_t width,
                                   uint32_t height)
{
    terrain_window window = {x, y, width, height};
    return generated(NULL, "generate_noise", p, &window);
}

/* Each basis with each fractal. */
enum { BASES = 4, KINDS = 12 };

static params kind(uint32_t index)
{
    params p = defaults();
    p.basis = index % BASES;
    p.fractal = index / BASES;
    return p;
}

/* A repeat that every basis takes. */
static uint32_t repeat_at_least_4(test_random *random)
{
    return 4 + (uint32_t)test_below(random, 300);
}

/* Guards against seams where the work is cut into patches, pieces and bands, where a coordinate's
 * or a lattice point's words carry (with period 2 a point's low word does at 2^33 cells), at the
 * edges of the world, between instruction sets, and between the ways in which displaced cells find
 * their lattice points: two warps of three are gentle, the third is beyond all tables. */
static void test_any_window_is_a_crop(void **state)
{
    static const float periods[] = {100, 2, 3, 7.3f, 33, 1000, 2.5f};
    static const float amplitudes[] = {5, 30, 3000};
    test_random random = {3};
    for (uint32_t i = 0; i < 108; i++) {
        params p = kind(i % KINDS);
        int64_t x = far_origin(i), y = far_origin(i / 6 + i);
        p.seed = test_bits(&random);
        p.period = periods[i % 7];
        p.lacunarity = i % 2 ? 2 : 1.37f;
        p.repeat_width = i % 3 == 0 ? repeat_at_least_4(&random) : 0;
        p.repeat_height = i / 2 % 4 == 0 ? repeat_at_least_4(&random) : 0;
        p.warp_amplitude = i / 4 % 2 ? 0 : amplitudes[i % 3];
        p.warp_period = 40;
        p.octaves = p.warp_amplitude > 100 ? 2 : 8;
        terrain_heightmap *whole = generate(&p, x, y, 299, 151);
        for (uint32_t k = 0; k < 6; k++) {
            terrain_context *context =
                test_context(test_isa_at(k % test_isa_count()), NULL, NULL, NULL);
            terrain_window window = {0, 0, 1 + (uint32_t)test_below(&random, k < 3 ? 299 : 20),
                                     1 + (uint32_t)test_below(&random, k < 3 ? 151 : 9)};
            window.x = x + test_between(&random, 0, 299 - window.width);
            window.y = y + test_between(&random, 0, 151 - window.height);
            assert_true(is_crop(context, "generate_noise", &p, whole, &window));
            terrain_context_destroy(context);
        }
        terrain_heightmap_destroy(whole);
    }
}

/* Guards against lost high words, which make the world repeat. */
static void test_nothing_repeats(void **state)
{
    static const int64_t shifts[] = {100,
                                     INT64_C(400) << 32,
                                     INT64_C(1) << 32,
                                     INT64_C(1) << 40,
                                     INT64_C(1) << 53,
                                     INT64_C(1) << 61};
    for (uint32_t i = 0; i < 96; i++) {
        int64_t shift = shifts[i / 16];
        params p = kind(i % BASES);
        p.period = 4;
        p.warp_amplitude = i & 8 ? 7 : 0;
        terrain_heightmap *here = generate(&p, 0, 0, 16, 16);
        terrain_heightmap *there = generate(&p, i & 4 ? shift : 0, i & 4 ? 0 : shift, 16, 16);
        assert_true(equal_cells(here, there) < 3);
        terrain_heightmap_destroy(here);
        terrain_heightmap_destroy(there);
    }
}

/* Guards against a torus that does not close: a map two and more rounds long, anywhere. */
static void test_torus(void **state)
{
    static const uint32_t widths[] = {2, 3, 5, 16, 17, 100, 129};
    static const uint32_t heights[] = {129, 100, 17, 16, 5, 3, 2};
    static const int64_t origins[] = {-40, 5, TERRAIN_WORLD_LIMIT - 1000, -(INT64_C(1) << 41)};
    for (uint32_t i = 0; i < 7 * KINDS; i++) {
        params p = kind(i % KINDS);
        p.period = i % 2 ? 9 : 120;
        p.repeat_width = widths[i / KINDS];
        p.repeat_height = heights[i / KINDS];
        if (p.basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX && p.repeat_height < 4) {
            p.repeat_height += 2;
        }
        p.seed = i;
        p.warp_amplitude = i % 3 == 0 ? 6 : 0;
        terrain_heightmap *map = generate(&p, origins[i % 4], origins[(i / 4) % 4], 290, 270);
        expect_torus(map, p.repeat_width, p.repeat_height);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against waves that are made to fit the torus by more than they have to. */
static void test_nearest_fit(void **state)
{
    static const float periods[][2] = {{40, 37.5f}, {44, 50}, {300, 150}, {2, 2}}; /* asked, made */
    for (uint32_t i = 0; i < 4; i++) {
        params p = defaults();
        p.octaves = 1;
        p.repeat_width = p.repeat_height = 150;
        p.period = periods[i][0];
        terrain_heightmap *asked = generate(&p, 0, 0, 200, 200);
        p.period = periods[i][1];
        terrain_heightmap *made = generate(&p, 0, 0, 200, 200);
        assert_true(test_maps_equal(asked, made));
        terrain_heightmap_destroy(asked);
        terrain_heightmap_destroy(made);
    }
}

/* The greatest step from cell to cell in x, and the greatest change of one. */
static void greatest_steps(const terrain_heightmap *map, double *first, double *second)
{
    *first = *second = 0;
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        for (uint32_t x = 1; x + 1 < terrain_heightmap_width(map); x++) {
            double before = at(map, x, y) - at(map, x - 1, y);
            double after = at(map, x + 1, y) - at(map, x, y);
            *first = fabs(after) > *first ? fabs(after) : *first;
            *second = fabs(after - before) > *second ? fabs(after - before) : *second;
        }
    }
}

static void transpose(terrain_heightmap *map, uint32_t size)
{
    float *cells = terrain_heightmap_data(map);
    for (uint32_t y = 0; y < size; y++) {
        for (uint32_t x = 0; x < y; x++) {
            float h = cells[y * size + x];
            cells[y * size + x] = cells[x * size + y];
            cells[x * size + y] = h;
        }
    }
}

/* Guards against cracks and creases along the lattice, at the torus' seam and far from the origin,
 * where positions lose their last bits first: one octave is smooth to the second derivative. */
static void test_smooth(void **state)
{
    static const int64_t origins[] = {-100, (INT64_C(1) << 40) - 20, -TERRAIN_WORLD_LIMIT};
    /* None, 3 waves of 41 cells, and as many waves as a seam can have; the first origin sees it. */
    static const uint32_t repeats[] = {0, 123, UINT32_MAX};
    for (uint32_t i = 0; i < 36; i++) {
        params p = kind(i % BASES);
        double steep = p.basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX ? 2 : 1;
        double first, second;
        p.octaves = 1;
        p.amplitude = 1000;
        p.period = 40;
        p.repeat_width = p.repeat_height = repeats[i / BASES % 3];
        p.seed = i;
        terrain_heightmap *map = generate(&p, origins[i / 12], origins[i / 12], 256, 256);
        for (uint32_t turn = 0; turn < 2; turn++) {
            greatest_steps(map, &first, &second);
            /* In units of amplitude / period slopes stay below 4, curvatures below 15; of SIMPLEX,
             * twice and four times. */
            assert_true(first > 1000.0 / 40 && first < steep * 4 * 1000.0 / 40);
            assert_true(second > 1 * 1000.0 / 1600 && second < steep * steep * 15 * 1000.0 / 1600);
            transpose(map, 256);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against octaves that are not within -1 and 1, or use little of that. */
static void test_bounds(void **state)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        params p = kind(i);
        p.period = 5;
        p.octaves = 1;
        p.amplitude = 10;
        p.offset = 100;
        terrain_heightmap *map = generate(&p, 0, 0, 512, 512);
        const double low = test_summarize(map).minimum, high = test_summarize(map).maximum;
        assert_true(low > (p.fractal == TERRAIN_GENERATE_NOISE_FRACTAL_FBM ? 90 : 100) - 1e-4 &&
                    high < 110 + 1e-4);
        assert_true(low < (p.fractal == TERRAIN_GENERATE_NOISE_FRACTAL_FBM ? 93 : 102));
        assert_true(high > (p.fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED ? 109.9 : 107));
        terrain_heightmap_destroy(map);
    }
}

/* Guards against octaves that change those before them, or have a wrong amplitude; and against
 * noise finer than the map can hold. */
static void test_octaves_add(void **state)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        params p = kind(i);
        double amplitude = 44;
        terrain_heightmap *before = NULL;
        for (p.octaves = 1; p.octaves <= 10; p.octaves++) {
            terrain_heightmap *map = generate(&p, 0, 0, 200, 100);
            if (before != NULL) {
                double change = test_largest_difference(before, map);
                amplitude /= 2;
                if (p.octaves <= 6) { /* 100 / 2^5 is more than 2 cells, 100 / 2^6 is not */
                    assert_true(change > 0.4 * amplitude && change < 1.00001 * amplitude);
                } else {
                    assert_true(change == 0);
                }
                terrain_heightmap_destroy(before);
            }
            before = map;
        }
        terrain_heightmap_destroy(before);
    }
}

/* Guards against octaves of no height that leave what others left behind. */
static void test_no_gain(void **state)
{
    for (uint32_t i = 0; i < 2 * KINDS * test_isa_count(); i++) {
        terrain_context *context = test_context(test_isa_at(i / KINDS / 2), NULL, NULL, NULL);
        terrain_window window = {0, 0, 140, 70};
        params one = kind(i % KINDS), many;
        one.warp_amplitude = i / KINDS % 2 ? 20 : 0;
        one.gain = 0;
        many = one;
        one.octaves = 1;
        terrain_heightmap *a = generated(context, "generate_noise", &one, &window);
        terrain_heightmap *b = generated(context, "generate_noise", &many, &window);
        assert_true(test_maps_equal(a, b));
        terrain_heightmap_destroy(a);
        terrain_heightmap_destroy(b);
        terrain_context_destroy(context);
    }
}

/* Guards against a feedback that does nothing, or does it to other sums. */
static void test_feedback(void **state)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        params one = kind(i), many = kind(i), none = kind(i);
        one.octaves = 1;
        none.feedback = 0;
        terrain_heightmap *a = generate(&one, 0, 0, 64, 64);
        terrain_heightmap *b = generate(&many, 0, 0, 64, 64);
        terrain_heightmap *c = generate(&none, 0, 0, 64, 64);
        assert_true(test_maps_equal(a, c) ==
                    (one.fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED));
        assert_true(test_maps_equal(b, c) ==
                    (one.fractal != TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED));
        terrain_heightmap_destroy(a);
        terrain_heightmap_destroy(b);
        terrain_heightmap_destroy(c);
    }
}

/* Guards against units that mix: heights scale with the amplitude, and rise with the offset. */
static void test_units(void **state)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        params p = kind(i);
        p.warp_amplitude = i % 2 ? 10 : 0;
        terrain_heightmap *a = generate(&p, 0, 0, 90, 70);
        p.amplitude = -4 * p.amplitude;
        terrain_heightmap *b = generate(&p, 0, 0, 90, 70);
        p.offset = 1000;
        terrain_heightmap *c = generate(&p, 0, 0, 90, 70);
        for (uint32_t k = 0; k < 90 * 70; k++) {
            assert_true(at(b, k % 90, k / 90) == -4 * at(a, k % 90, k / 90));
            assert_true(fabs(at(c, k % 90, k / 90) - at(b, k % 90, k / 90) - 1000) < 1e-3);
        }
        terrain_heightmap_destroy(a);
        terrain_heightmap_destroy(b);
        terrain_heightmap_destroy(c);
    }
}

/* Mean height and, of the squares of slopes, the mean in x and in y. */
struct sums {
    double mean, east, south;
};

static struct sums measure(const terrain_heightmap *map)
{
    uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    double cells = (width - 1.0) * (height - 1.0);
    struct sums sums = {0, 0, 0};
    for (uint32_t y = 0; y + 1 < height; y++) {
        for (uint32_t x = 0; x + 1 < width; x++) {
            double east = at(map, x + 1, y) - at(map, x, y);
            double south = at(map, x, y + 1) - at(map, x, y);
            sums.mean += at(map, x, y) / cells;
            sums.east += east * east / cells;
            sums.south += south * south / cells;
        }
    }
    return sums;
}

/* Guards against directions that are preferred, a mean that is not 0, and octaves that are not
 * equally steep where gain is 1 / lacunarity. */
static void test_isotropic(void **state)
{
    for (uint32_t i = 0; i < BASES; i++) {
        double steepest = 0, least = HUGE_VAL;
        for (float period = 64; period >= 8; period /= 2) {
            params p = kind(i);
            p.octaves = 1;
            p.period = period;
            p.amplitude = period;
            terrain_heightmap *map = generate(&p, 0, 0, 2048, 1024);
            struct sums sums = measure(map);
            double slope = sums.east + sums.south;
            steepest = slope > steepest ? slope : steepest;
            least = slope < least ? slope : least;
            assert_true(fabs(sums.mean) < 0.05 * (double)period);
            assert_true(fabs(sums.east / sums.south - 1) < 0.15);
            terrain_heightmap_destroy(map);
        }
        assert_true(steepest / least < 1.25);
    }
}

/* Mean square of the noise at rows (or columns) of the same place in their lattice cell: the
 * greatest by the least of them, and which is the least. */
static double phases(const terrain_heightmap *map, uint32_t period, bool columns,
                     uint32_t *flattest)
{
    double sums[16] = {0};
    double high = 0;
    for_each_cell(map, x, y) {
        sums[(columns ? x : y) % period] += at(map, x, y) * at(map, x, y);
    }
    *flattest = 0;
    for (uint32_t i = 0; i < period; i++) {
        *flattest = sums[i] < sums[*flattest] ? i : *flattest;
        high = sums[i] > high ? sums[i] : high;
    }
    return high / sums[*flattest];
}

/* Guards against a lattice that shows: Perlin's noise is flatter along its lines, the default
 * hardly. */
static void test_no_lattice(void **state)
{
    uint32_t flattest;
    for (uint32_t columns = 0; columns < 2; columns++) {
        params p = kind(TERRAIN_GENERATE_NOISE_BASIS_PERLIN);
        p.octaves = 1;
        p.period = 16;
        terrain_heightmap *perlin = generate(&p, 0, 0, 1024, 1024);
        p.basis = TERRAIN_GENERATE_NOISE_BASIS_GRADIENT;
        terrain_heightmap *ours = generate(&p, 0, 0, 1024, 1024);
        assert_true(phases(perlin, 16, columns, &flattest) > 1.7);
        assert_true(phases(ours, 16, columns, &flattest) < (columns ? 1.15 : 1.4));
        terrain_heightmap_destroy(perlin);
        terrain_heightmap_destroy(ours);
    }
}

/* Mean power of waves of a sixth of the 64 cells of a window, cut out by a raised cosine, in the
 * direction (x, y). */
static double power(const terrain_heightmap *map, double x, double y)
{
    enum { SIZE = 64 };
    double sum = 0;
    for (uint32_t top = 0; top < terrain_heightmap_height(map); top += SIZE) {
        for (uint32_t left = 0; left < terrain_heightmap_width(map); left += SIZE) {
            double even = 0, odd = 0;
            for (uint32_t k = 0; k < SIZE * SIZE; k++) {
                uint32_t i = k % SIZE, j = k / SIZE;
                double turn = 6.283185307179586 / SIZE;
                double phase = 6 * turn * (i * x + j * y);
                double h = at(map, left + i, top + j) * (1 - cos(turn * (i + 0.5))) *
                           (1 - cos(turn * (j + 0.5)));
                even += h * cos(phase);
                odd += h * sin(phase);
            }
            sum += even * even + odd * odd;
        }
    }
    return sum;
}

/* Guards against fine detail that runs along rows and columns: waves of two thirds of a period have
 * the same power along axes and diagonals. On squares they have not. */
static void test_round_spectrum(void **state)
{
    for (uint32_t i = 0; i < 2; i++) {
        params p = kind(i == 0 ? TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX
                               : TERRAIN_GENERATE_NOISE_BASIS_PERLIN);
        double root = sqrt(0.5);
        p.octaves = 1;
        p.period = 16;
        terrain_heightmap *map = generate(&p, 0, 0, 1024, 1024);
        double axes = power(map, 1, 0) + power(map, 0, 1);
        double diagonals = power(map, root, root) + power(map, root, -root);
        double between = power(map, cos(0.26), sin(0.26)) + power(map, sin(0.26), cos(0.26));
        if (i == 0) {
            assert_true(axes / diagonals > 0.8 && axes / diagonals < 1.25);
            assert_true(axes / between > 0.8 && axes / between < 1.25);
        } else {
            assert_true(axes / diagonals > 3);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against triangles that stand out: SIMPLEX is flatter at its lattice rows, but by
 * little. */
static void test_no_triangles(void **state)
{
    params p = kind(TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX);
    uint32_t flattest;
    p.octaves = 1;
    p.period = 16;
    terrain_heightmap *map = generate(&p, 0, 0, 1024, 1024);
    assert_true(phases(map, 16, false, &flattest) < 1.4);
    assert_true(phases(map, 16, true, &flattest) < 1.1);
    terrain_heightmap_destroy(map);
}

/* Guards against a warp that is on when it is off, moves places when it is hardly on, or does not
 * when it is; and against one that changes heights instead of places. */
static void test_warp(void **state)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        params p = kind(i);
        p.period = 30;
        terrain_heightmap *still = generate(&p, 0, 0, 300, 300);
        p.warp_octaves = 3;
        p.warp_period = 60;
        terrain_heightmap *off = generate(&p, 0, 0, 300, 300);
        p.warp_amplitude = 1e-5f;
        terrain_heightmap *hardly = generate(&p, 0, 0, 300, 300);
        p.warp_amplitude = 15;
        terrain_heightmap *warped = generate(&p, 0, 0, 300, 300);
        assert_true(test_maps_equal(still, off));
        assert_true(test_largest_difference(still, hardly) < 1e-3);
        assert_true(test_largest_difference(still, warped) > 10);
        const test_summary a = test_summarize(still), b = test_summarize(warped);
        assert_true(fabs(a.minimum - b.minimum) < 25 && fabs(a.maximum - b.maximum) < 25);
        terrain_heightmap_destroy(still);
        terrain_heightmap_destroy(off);
        terrain_heightmap_destroy(hardly);
        terrain_heightmap_destroy(warped);
    }
}

/* The least difference from the same noise displaced by whole cells, up to 12. */
static double best_match(const terrain_heightmap *warped, const params *still)
{
    double best = HUGE_VAL;
    for (int64_t k = 0; k < 25 * 25; k++) {
        terrain_heightmap *moved = generate(still, k % 25 - 12, k / 25 - 12, 8, 8);
        double difference = test_largest_difference(moved, warped);
        best = difference < best ? difference : best;
        terrain_heightmap_destroy(moved);
    }
    return best;
}

/* Guards against displacements of another size than was asked for: where they hardly change from
 * cell to cell, the map is another piece of the same noise, and not farther away. */
static void test_warp_moves(void **state)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        params p = defaults();
        p.seed = seed;
        p.octaves = 2;
        params warped = p;
        warped.warp_amplitude = 12;
        warped.warp_octaves = 1;
        warped.warp_period = 1 << 20;
        terrain_heightmap *map = generate(&warped, 0, 0, 8, 8);
        terrain_heightmap *still = generate(&p, 0, 0, 8, 8);
        assert_true(best_match(map, &p) < 1.5); /* half a cell off in each axis */
        assert_true(test_largest_difference(map, still) > best_match(map, &p));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(still);
    }
}

/* Guards against lattices that begin at the same place, where their lines would coincide. */
static void test_origins_differ(void **state)
{
    for (uint32_t columns = 0; columns < 2; columns++) {
        uint32_t seen = 0, different = 0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            params p = kind(TERRAIN_GENERATE_NOISE_BASIS_PERLIN);
            uint32_t flattest;
            p.octaves = 1;
            p.period = 16;
            p.seed = seed;
            terrain_heightmap *map = generate(&p, 0, 0, 512, 512);
            phases(map, 16, columns, &flattest);
            different += (seen >> flattest & 1) == 0;
            seen |= 1u << flattest;
            terrain_heightmap_destroy(map);
        }
        assert_true(different >= 4);
    }
}

static double correlation(const terrain_heightmap *a, const terrain_heightmap *b)
{
    double ab = 0, aa = 0, bb = 0;
    for_each_cell(a, x, y) {
        ab += at(a, x, y) * at(b, x, y);
        aa += at(a, x, y) * at(a, x, y);
        bb += at(b, x, y) * at(b, x, y);
    }
    return ab / sqrt(aa * bb);
}

/* Guards against seeds, octaves or directions that are copies of each other: x and y exchanged, the
 * opposite corner of the world, and octaves of equal wavelength. */
static void test_independent(void **state)
{
    params p = defaults();
    p.octaves = 1;
    p.period = 8;
    terrain_heightmap *map = generate(&p, 0, 0, 512, 512);
    terrain_heightmap *far = generate(&p, -512, -512, 512, 512);
    terrain_heightmap *turned = generate(&p, 0, 0, 512, 512);
    transpose(turned, 512);
    p.seed = 1;
    terrain_heightmap *seed = generate(&p, 0, 0, 512, 512);
    p.seed = 0;
    p.octaves = 2;
    p.lacunarity = 1;
    p.gain = 1;
    terrain_heightmap *second = generate(&p, 0, 0, 512, 512);
    float *cells = terrain_heightmap_data(second);
    for (uint32_t i = 0; i < 512 * 512; i++) {
        cells[i] -= terrain_heightmap_const_data(map)[i];
    }
    assert_true(fabs(correlation(map, far)) < 0.05);
    assert_true(fabs(correlation(map, turned)) < 0.05);
    assert_true(fabs(correlation(map, seed)) < 0.05);
    assert_true(fabs(correlation(map, second)) < 0.05);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(far);
    terrain_heightmap_destroy(turned);
    terrain_heightmap_destroy(seed);
    terrain_heightmap_destroy(second);
}

/* Guards against octaves that are one another's copies, shifted by less than a lattice cell. */
static void test_octaves_differ(void **state)
{
    params p = kind(TERRAIN_GENERATE_NOISE_BASIS_PERLIN);
    p.octaves = 1;
    p.period = 4;
    terrain_heightmap *first = generate(&p, 0, 0, 200, 200);
    p.octaves = 2;
    p.lacunarity = 1;
    p.gain = 1;
    for (int64_t shift = 0; shift < 81; shift++) {
        terrain_heightmap *moved = generate(&p, shift % 9 - 4, shift / 9 - 4, 200, 200);
        p.octaves = 1;
        terrain_heightmap *same = generate(&p, shift % 9 - 4, shift / 9 - 4, 200, 200);
        p.octaves = 2;
        float *cells = terrain_heightmap_data(moved);
        for (uint32_t i = 0; i < 200 * 200; i++) {
            cells[i] -= terrain_heightmap_const_data(same)[i];
        }
        assert_true(fabs(correlation(first, moved)) < 0.15);
        terrain_heightmap_destroy(moved);
        terrain_heightmap_destroy(same);
    }
    terrain_heightmap_destroy(first);
}

/* Guards against defaults that no erosion would touch, or that are all cliffs. */
static void test_default_relief(void **state)
{
    double relief = 0, slope = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        params p = defaults();
        p.seed = seed;
        terrain_heightmap *map = generate(&p, 0, 0, 512, 512);
        struct sums sums = measure(map);
        relief += relief_of(map) / 6;
        slope += sqrt(sums.east + sums.south) / 6;
        terrain_heightmap_destroy(map);
    }
    assert_true(relief > 64 && relief < 100);
    assert_true(slope > 0.3 && slope < 1);
}

/* Guards against stores past the caches that leave out cells: maps so large, aligned or not, equal
 * their parts. */
static void test_large(void **state)
{
    params p = defaults();
    p.octaves = 2;
    for (uint32_t width = 2048; width < 2050; width++) {
        p.warp_amplitude = width == 2048 ? 0 : 3;
        terrain_heightmap *whole = generate(&p, -1000, -50, width, 2053);
        terrain_window corner = {-1000 + width - 333, 1700, 333, 303};
        terrain_window middle = {-70, 900, 200, 200};
        assert_true(is_crop(NULL, "generate_noise", &p, whole, &corner));
        assert_true(is_crop(NULL, "generate_noise", &p, whole, &middle));
        terrain_heightmap_destroy(whole);
    }
}

/* Guards against a torus without room for one wave, or for two rows of triangles. */
static void test_repeat_of_one(void **state)
{
    terrain_window window = {0, 0, 4, 4};
    terrain_heightmap *map = test_map(&window);
    terrain_context *context = test_plain_context();
    for (uint32_t i = 0; i < 2; i++) {
        params p = defaults();
        p.repeat_width = i == 0;
        p.repeat_height = i == 1;
        expect_refused(terrain_generate_noise(context, map, &p), TERRAIN_ERROR_RANGE, context,
                       "at least 2");
        p.repeat_width = 2;
        p.repeat_height = 2 + i;
        p.basis = TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX;
        expect_refused(terrain_generate_noise(context, map, &p), TERRAIN_ERROR_RANGE, context,
                       "at least 4");
    }
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_window_is_a_crop),
        cmocka_unit_test(test_nothing_repeats),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_nearest_fit),
        cmocka_unit_test(test_smooth),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_octaves_add),
        cmocka_unit_test(test_no_gain),
        cmocka_unit_test(test_feedback),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_isotropic),
        cmocka_unit_test(test_no_lattice),
        cmocka_unit_test(test_round_spectrum),
        cmocka_unit_test(test_no_triangles),
        cmocka_unit_test(test_warp),
        cmocka_unit_test(test_warp_moves),
        cmocka_unit_test(test_origins_differ),
        cmocka_unit_test(test_octaves_differ),
        cmocka_unit_test(test_independent),
        cmocka_unit_test(test_default_relief),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_repeat_of_one),
    };
    return cmocka_run_group_tests_name("generate_noise", tests, NULL, NULL);
}
