/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure/landform_kernels.h"

#include <math.h>

#include "base/math.h"
#include "vector/vec.h"

/* tan 1 degree. */
#define FORMS_FLAT 0.017455064928217585

/* NaN if one of the five is. */
static inline double landform_laplacian(const double *heights, size_t width, size_t x)
{
    const double *here = heights + x;
    return (here[-(ptrdiff_t)width] + here[width]) + (here[-1] + here[1]) - 4 * here[0];
}

/* A loop for each pass: with the choice inside it would stay scalar. */
#define LANDFORM_MOMENT(what)                                                                      \
    for (size_t x = 0; x < count; x++) {                                                           \
        double value = landform_laplacian(heights, width, x);                                      \
        found += value == value;                                                                   \
        what;                                                                                      \
        added[x] = value == value ? value : 0;                                                     \
    }

static uint32_t landform_laplacians(double *restrict added, const double *heights, size_t width,
                                    uint32_t count, const struct landform_moment *moment)
{
    const double mean = moment->mean, deviation = moment->deviation;
    uint32_t found = 0;
    if (moment->pass == 0) {
        LANDFORM_MOMENT(value -= mean)
    } else if (moment->pass == 1) {
        LANDFORM_MOMENT(value -= mean; value *= value)
    } else {
        LANDFORM_MOMENT(value = (value - mean) / deviation; value = value < -6 ? -6 : value;
                        value = value > 6 ? 6 : value; value *= value * value)
    }
    return found;
}

static uint32_t landform_slopes(double *restrict slopes, const double *north, const double *here,
                                const double *south, uint32_t count, double rows)
{
    uint32_t found = 0;
    for (size_t x = 0; x < count; x++) {
        const double gx = ((here + 1)[x] - (here - 1)[x]) / 2;
        const double gy = (south[x] - north[x]) / rows;
        const double slope = terrain__sqrt(gx * gx + gy * gy);
        found += slope == slope;
        slopes[x] = slope == slope ? slope : 0;
    }
    return found;
}

enum { FORMS_VECTORS = 4 }; /* at a time: one would wait for itself */

_Static_assert(TERRAIN__FORMS_PATCH % (FORMS_VECTORS * VEC_LONGS) == 0 &&
                   TERRAIN__FORMS_SPARE >= FORMS_VECTORS * VEC_LONGS - 1,
               "whole vectors");

/* The highest and the lowest slope along one line of sight from each cell of a patch, and from some
 * cells more. */
static void forms_look(const double *heights, ptrdiff_t step, int reach, const double *factors,
                       uint32_t count, double *up, double *down)
{
    for (size_t x = 0; x < count; x += FORMS_VECTORS * VEC_LONGS) {
        const double *far = heights + x;
        vdouble centre[FORMS_VECTORS], most[FORMS_VECTORS], least[FORMS_VECTORS];
        for (int i = 0; i < FORMS_VECTORS; i++) {
            centre[i] = vd_load(heights + x + i * VEC_LONGS);
            most[i] = vd_set((double)-INFINITY);
            least[i] = vd_set((double)INFINITY);
        }
        for (int k = 0; k < reach; k++) {
            const vdouble factor = vd_set(factors[k]);
            far += step;
            for (int i = 0; i < FORMS_VECTORS; i++) {
                const vdouble slope = (vd_load(far + i * VEC_LONGS) - centre[i]) * factor;
                most[i] = vd_max(slope, most[i]); /* NaN changes nothing */
                least[i] = vd_min(slope, least[i]);
            }
        }
        for (int i = 0; i < FORMS_VECTORS; i++) {
            vd_store(up + x + i * VEC_LONGS, most[i]);
            vd_store(down + x + i * VEC_LONGS, least[i]);
        }
    }
}

static void landform_forms(uint64_t *counts, const double *heights, size_t width, uint32_t count,
                           const struct landform_sight *sight)
{
    static const signed char ways[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                           {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    double up[TERRAIN__FORMS_PATCH], down[TERRAIN__FORMS_PATCH];
    double places[TERRAIN__FORMS_PATCH] = {0};
    for (int i = 0; i < 8; i++) {
        forms_look(heights, ways[i][1] * (ptrdiff_t)width + ways[i][0],
                   i % 2 == 0 ? TERRAIN__FORMS_REACH : TERRAIN__FORMS_DIAGONAL,
                   sight->factors[i % 2], count, up, down);
        for (uint32_t x = 0; x < count; x++) {
            /* arctan a + arctan b > t, without an arctan: a + b > tan t (1 - a b), while t less
             * the lower angle is below a right one. */
            const double a = up[x], b = down[x];
            const double flat = FORMS_FLAT * (1 - a * b);
            const double higher = 1 + b * FORMS_FLAT > 0 ? 1 : 0;
            const double lower = 1 - a * FORMS_FLAT > 0 ? 9 : 0;
            places[x] += (a + b > flat ? higher : 0) + (0 - (a + b) > flat ? lower : 0);
        }
    }
    for (uint32_t x = 0; x < count; x++) {
        if (heights[x] == heights[x]) {
            counts[(uint32_t)places[x]]++;
        }
    }
}

const struct landform_kernels TERRAIN__KERNELS(landform) = {landform_laplacians, landform_slopes,
                                                            landform_forms};
