/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Figures that tell land from noise: the call, and those that look at a cell and its neighbours.
 * How water runs is in landform_drainage.c, directions in landform_axis.c. */

#include "terrain/landform.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/math.h"
#include "core/context.h"
#include "core/given.h"
#include "core/heightmap.h"
#include "measure/landform_parts.h"
#include "vector/random.h"

/* ---- For all parts --------------------------------------------------------------------------- */

bool terrain__ground_goes_on(const terrain__ground *ground, double fraction)
{
    terrain__float_settle(&fraction);
    terrain__float_leave(ground->host);
    const bool goes_on = !terrain__context_take_cancel(ground->context) &&
                         terrain__context_report(ground->context, fraction);
    terrain__float_enter(ground->host);
    return goes_on;
}

/* C. A. R. Hoare: Algorithm 65, Find, 1961. Pivots are drawn, so that no order is a bad one. */
double terrain__landform_select(double *values, size_t count, size_t n)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1;
    while (low < high) {
        const uint64_t draw = terrain__mix((uint64_t)low, (uint64_t)high);
        const double pivot = values[low + (ptrdiff_t)(draw % (uint64_t)(high - low + 1))];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) {
                i++;
            }
            while (pivot < values[j]) {
                j--;
            }
            if (i <= j) {
                const double moved = values[i];
                values[i++] = values[j];
                values[j--] = moved;
            }
        }
        low = j < (ptrdiff_t)n ? i : low;
        high = i > (ptrdiff_t)n ? j : high;
    }
    return values[n];
}

void terrain__line_add(terrain__line *line, double x, double y)
{
    line->count += 1;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

double terrain__line_slope(const terrain__line *line)
{
    const double spread = line->count * line->xx - line->x * line->x;
    return spread > 0 ? (line->count * line->xy - line->x * line->y) / spread : (double)NAN;
}

/* ---- Skewness -------------------------------------------------------------------------------- */

enum { SKEWNESS_RIM = 3 };

/* NaN if one of the five is. */
static double skewness_laplacian(const terrain__ground *ground, uint32_t x, uint32_t y)
{
    const double *h = ground->heights + (size_t)y * ground->width + x;
    const size_t width = ground->width;
    return (h[-(ptrdiff_t)width] + h[width]) + (h[-1] + h[1]) - 4 * h[0];
}

/* Sums of three passes: the mean, the deviation, the third power of what is left. */
static double landform_skewness(const terrain__ground *ground)
{
    double mean = 0, deviation = 0, result = (double)NAN;
    for (int pass = 0; pass < 3; pass++) {
        double sum = 0, count = 0;
        for (uint32_t y = SKEWNESS_RIM; y + SKEWNESS_RIM < ground->height; y++) {
            for (uint32_t x = SKEWNESS_RIM; x + SKEWNESS_RIM < ground->width; x++) {
                double value = skewness_laplacian(ground, x, y);
                if (value != value) {
                    continue;
                }
                value -= mean;
                if (pass == 1) {
                    value *= value;
                } else if (pass == 2) {
                    value /= deviation;
                    value = value < -6 ? -6 : value > 6 ? 6 : value;
                    value *= value * value;
                }
                sum += value;
                count++;
            }
        }
        if (count == 0) {
            return (double)NAN;
        }
        if (pass == 0) {
            mean = sum / count;
        } else if (pass == 1) {
            deviation = terrain__sqrt(sum / count);
            deviation = deviation > 1e-12 ? deviation : 1e-12;
        } else {
            result = sum / count;
        }
    }
    return result;
}

/* ---- Landforms ------------------------------------------------------------------------------- */

/* J. Jasiewicz, T. F. Stepinski: Geomorphons, a pattern recognition approach to classification and
 * mapping of landforms, Geomorphology 182, 2013. Along each of eight lines of sight the ground is
 * higher, lower or level; the numbers of higher and of lower ones make the form. */

enum { FORMS_REACH = 20, FORMS_MOST = 8 };

/* tan 1 degree. */
#define FORMS_FLAT 0.017455064928217585

/* The form's number; rows: how many directions are lower, columns: how many are higher. */
static const char forms_table[FORMS_MOST + 1][FORMS_MOST + 2] = {
    "000778889", "007778882", "035566822", "335556222", "334552222",
    "224422222", "222222222", "222222222", "122222222"};

/* The shares of the forms in the Jacksboro map, in thousandths: flat, peak, ridge, shoulder, spur,
 * slope, hollow, footslope, valley, pit. */
static const double forms_land[TERRAIN_LANDFORM_COUNT] = {0, 42, 146, 1, 173, 298, 137, 3, 144, 56};

/* For each cell of a row: the highest and the lowest slope along a line of sight, and how many
 * lines are higher and lower. */
struct forms_row {
    double *up, *down;
    unsigned char *higher, *lower;
};

/* Looks along one line of sight from each cell of a row. */
static void forms_look(const terrain__ground *ground, uint32_t y, int dx, int dy, double scale,
                       const struct forms_row *row)
{
    const ptrdiff_t step = dy * (ptrdiff_t)ground->width + dx;
    const double unit = dx != 0 && dy != 0 ? 1.4142135623730951 : 1;
    const int reach = (int)(FORMS_REACH / unit);
    const uint32_t count = ground->width - 2 * FORMS_REACH;
    const double *centre = ground->heights + (size_t)y * ground->width + FORMS_REACH;
    for (uint32_t x = 0; x < count; x++) {
        row->up[x] = (double)-INFINITY;
        row->down[x] = (double)INFINITY;
    }
    for (int k = 1; k <= reach; k++) {
        const double *far = centre + k * step;
        const double factor = scale / (k * unit);
        for (uint32_t x = 0; x < count; x++) {
            const double slope = (far[x] - centre[x]) * factor; /* NaN changes nothing */
            row->up[x] = slope > row->up[x] ? slope : row->up[x];
            row->down[x] = slope < row->down[x] ? slope : row->down[x];
        }
    }
    for (uint32_t x = 0; x < count; x++) {
        /* arctan a + arctan b > t, without an arctan: a + b > tan t (1 - a b), while t less the
         * lower angle is below a right one. */
        const double a = row->up[x], b = row->down[x];
        const double least = FORMS_FLAT * (1 - a * b);
        row->higher[x] += (1 + b * FORMS_FLAT > 0) & (a + b > least);
        row->lower[x] += (1 - a * FORMS_FLAT > 0) & (0 - (a + b) > least);
    }
}

/* The factor that makes the mean slope 0.4, from differences across two cells, or one at the
 * rim. */
static double forms_scale(const terrain__ground *ground)
{
    const uint32_t width = ground->width, height = ground->height;
    double sum = 0, count = 0;
    for (uint32_t y = 0; y < height; y++) {
        const uint32_t north = y > 0 ? y - 1 : 0, south = y + 1 < height ? y + 1 : y;
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t west = x > 0 ? x - 1 : 0, east = x + 1 < width ? x + 1 : x;
            const double *row = ground->heights + (size_t)y * width;
            const double gx = (row[east] - row[west]) / (east - west);
            const double gy = (ground->heights[(size_t)south * width + x] -
                               ground->heights[(size_t)north * width + x]) /
                              (south - north);
            const double slope = terrain__sqrt(gx * gx + gy * gy);
            if (slope == slope) {
                sum += slope;
                count++;
            }
        }
    }
    const double mean = count > 0 ? sum / count : 0;
    return 0.4 / (mean > 1e-12 ? mean : 1e-12);
}

static double forms_log2(double value)
{
    return terrain__log(value) / TERRAIN__LN2;
}

/* The root of the divergence of Jensen and Shannon, whose logarithms are to the base of 2. */
static double forms_distance(const double *forms)
{
    double sum = 0;
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        const double p = forms[i], q = forms_land[i] / 1000, middle = 0.5 * (p + q);
        sum += p > 0 ? p * forms_log2(p / middle) : 0;
        sum += q > 0 ? q * forms_log2(q / middle) : 0;
    }
    return terrain__sqrt(sum > 0 ? 0.5 * sum : 0);
}

terrain_status terrain__landform_forms(const terrain__ground *ground, terrain_landform *land)
{
    static const signed char ways[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                           {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const uint32_t width = ground->width, height = ground->height;
    uint64_t counts[TERRAIN_LANDFORM_COUNT] = {0}, all = 0;
    struct forms_row row;
    land->forms_distance = (double)NAN;
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        land->forms[i] = (double)NAN;
    }
    if (width <= 2 * FORMS_REACH || height <= 2 * FORMS_REACH) {
        return TERRAIN_SUCCESS;
    }
    row.up = terrain__arena_take(ground->arena, width * sizeof *row.up);
    row.down = terrain__arena_take(ground->arena, width * sizeof *row.down);
    row.higher = terrain__arena_take(ground->arena, 2 * (size_t)width);
    if (row.up == NULL || row.down == NULL || row.higher == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    row.lower = row.higher + width;
    double scale = forms_scale(ground);
    for (uint32_t y = FORMS_REACH; y < height - FORMS_REACH; y++) {
        if (y % 64 == 0 && !terrain__ground_goes_on(ground, 0.8 + 0.2 * y / height)) {
            return TERRAIN_ERROR_CANCELLED;
        }
        memset(row.higher, 0, 2 * (size_t)width);
        for (int i = 0; i < 8; i++) {
            forms_look(ground, y, ways[i][0], ways[i][1], scale, &row);
        }
        for (uint32_t x = 0; x < width - 2 * FORMS_REACH; x++) {
            const double centre = ground->heights[(size_t)y * width + x + FORMS_REACH];
            if (centre == centre) {
                counts[forms_table[row.lower[x]][row.higher[x]] - '0']++;
                all++;
            }
        }
    }
    if (all > 0) {
        for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
            land->forms[i] = (double)counts[i] / (double)all;
        }
        land->forms_distance = forms_distance(land->forms);
    }
    return TERRAIN_SUCCESS;
}

/* ---- The call -------------------------------------------------------------------------------- */

static const terrain__given landform_given = {
    .subject = "land is",
    .name = "landform",
    .suffix = "",
    .tag = TERRAIN__TAG_LANDFORM,
    .size = sizeof(terrain_landform),
};

terrain_status terrain_landform_init(terrain_landform *land, size_t size)
{
    return terrain__given_init(&landform_given, land, size);
}

static terrain_status landform_check(terrain_context *context, const terrain_heightmap *map,
                                     const terrain_landform *land)
{
    char text[TERRAIN__FAULT_SIZE];
    const char *fault = map == NULL ? "map is NULL" : NULL;
    if (fault == NULL && terrain__given_check(&landform_given, land, text) != TERRAIN_SUCCESS) {
        fault = text;
    }
    if (fault != NULL) {
        return terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "landform_measure: %s",
                                     fault);
    }
    if ((uint64_t)map->width * map->height > UINT32_MAX) {
        return terrain__context_fail(context, TERRAIN_ERROR_UNSUPPORTED,
                                     "landform_measure: %lux%lu cells are too many, must be fewer "
                                     "than 2^32",
                                     (unsigned long)map->width, (unsigned long)map->height);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status landform_measure(const terrain__ground *ground, const terrain_heightmap *map,
                                       terrain_landform *land)
{
    const double cell_size = (double)map->cell_size;
    double *heights = ground->heights;
    for (uint32_t y = 0; y < map->height; y++) {
        const float *row = map->data + y * map->stride;
        for (uint32_t x = 0; x < map->width; x++) {
            *heights++ = row[x] - row[x] == 0 ? (double)row[x] / cell_size : (double)NAN;
        }
    }
    land->skewness = landform_skewness(ground);
    terrain_status status = terrain__landform_drainage(ground, land);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__landform_axis(ground, land);
    }
    return status == TERRAIN_SUCCESS ? terrain__landform_forms(ground, land) : status;
}

terrain_status terrain_landform_measure(terrain_context *context, const terrain_heightmap *map,
                                        terrain_landform *land)
{
    terrain_landform full;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = landform_check(context, map, land);
    if (status == TERRAIN_SUCCESS) {
        terrain__arena arena = {.allocator = *terrain__context_allocator(context)};
        terrain__float_environment host;
        terrain__ground ground = {context, &host, &arena, NULL, map->width, map->height};
        size_t bytes;
        if (terrain__multiply_size((size_t)map->width * map->height, sizeof(double), &bytes)) {
            ground.heights = terrain__arena_take(&arena, bytes);
        }
        terrain__float_enter(&host);
        status =
            ground.heights == NULL ? TERRAIN_ERROR_MEMORY : landform_measure(&ground, map, &full);
        terrain__float_leave(&host);
        terrain__arena_free(&arena);
        if (status == TERRAIN_ERROR_MEMORY) {
            terrain__context_fail(context, status, "landform_measure: no memory for %lux%lu cells",
                                  (unsigned long)map->width, (unsigned long)map->height);
        } else if (status == TERRAIN_ERROR_CANCELLED) {
            terrain__context_fail(context, status, "landform_measure: cancelled");
        }
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__given_answer(&landform_given, land, &full);
    }
    terrain__context_end(context, status);
    terrain__context_leave(context);
    return status;
}
