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
#include "measure/landform_kernels.h"
#include "measure/landform_parts.h"

/* ---- For all parts --------------------------------------------------------------------------- */

terrain_status terrain__ground_poll(const terrain__ground *ground, double fraction)
{
    double all = ground->done + ground->share * fraction;
    terrain__float_settle(&all);
    terrain__float_leave(ground->host);
    const terrain_status status = terrain__reader_poll(ground->reader, all);
    terrain__float_enter(ground->host);
    return status;
}

terrain_status terrain__ground_poll_row(const terrain__ground *ground, uint32_t y, uint32_t rows,
                                        double done, double share)
{
    return y % terrain__reader_rows(ground->width) == 0
               ? terrain__ground_poll(ground, done + share * y / rows)
               : TERRAIN_SUCCESS;
}

terrain_status terrain__ground_run(const terrain__ground *ground, void *job, uint32_t count,
                                   terrain__task *task)
{
    ground->reader->job = job;
    terrain__float_leave(ground->host);
    const terrain_status status = terrain__reader_run(ground->reader, count, task);
    terrain__float_enter(ground->host);
    return status;
}

terrain_status terrain__ground_run_rows(const terrain__ground *ground, void *part, uint32_t begin,
                                        uint32_t end, double done, double share,
                                        terrain__task *task)
{
    const uint32_t most = terrain__reader_rows(ground->width);
    terrain__ground_rows rows = {.ground = ground, .part = part};
    for (rows.first = begin; rows.first < end; rows.first += rows.bands.rows) {
        const uint32_t count = terrain__lesser(most, end - rows.first);
        terrain_status status =
            terrain__ground_poll(ground, done + share * (rows.first - begin) / (end - begin));
        rows.bands = terrain__bands_of(count, terrain__divide_up(count, TERRAIN__GROUND_TASKS));
        if (status == TERRAIN_SUCCESS) {
            status = terrain__ground_run(ground, &rows, rows.bands.count, task);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

/* The most rows that a task gets. */
static uint32_t ground_rows_of_task(const terrain__ground *ground)
{
    return terrain__divide_up(terrain__reader_rows(ground->width), TERRAIN__GROUND_TASKS);
}

static const struct landform_kernels *landform_kernels_of(const terrain__ground *ground)
{
    return terrain__landform_kernels(terrain_context_isa(ground->reader->context));
}

/* Adds a row's numbers one after the other, and how many count. */
struct landform_mean {
    double sum, count;
};

static void landform_add(struct landform_mean *mean, const double *numbers, uint32_t size,
                         uint32_t count)
{
    double sum = mean->sum;
    for (uint32_t x = 0; x < size; x++) {
        sum += numbers[x];
    }
    mean->sum = sum;
    mean->count += count;
}

/* ---- Skewness -------------------------------------------------------------------------------- */

enum { SKEWNESS_RIM = 3 };

static terrain_status landform_skewness(const terrain__ground *ground, terrain_landform *land)
{
    const struct landform_kernels *kernels = landform_kernels_of(ground);
    const uint32_t width = ground->width, height = ground->height;
    double *row = terrain__scratchpad_take(ground->pad, width * sizeof *row);
    struct landform_moment moment = {0, 0, 0};
    land->skewness = (double)NAN;
    if (row == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    if (width <= 2 * SKEWNESS_RIM) {
        return TERRAIN_SUCCESS;
    }
    for (; moment.pass < 3; moment.pass++) {
        struct landform_mean mean = {0, 0};
        for (uint32_t y = SKEWNESS_RIM; y + SKEWNESS_RIM < height; y++) {
            const uint32_t count = width - 2 * SKEWNESS_RIM;
            const uint32_t found = kernels->laplacians(
                row, ground->heights + (size_t)y * width + SKEWNESS_RIM, width, count, &moment);
            landform_add(&mean, row, count, found);
            terrain_status status =
                terrain__ground_poll_row(ground, y, height, moment.pass / 3.0, 1 / 3.0);
            if (status != TERRAIN_SUCCESS) {
                return status;
            }
        }
        const double average = mean.count > 0 ? mean.sum / mean.count : (double)NAN;
        if (moment.pass == 0) {
            moment.mean = average;
        } else if (moment.pass == 1) {
            moment.deviation = terrain__sqrt(average);
            moment.deviation = moment.deviation > 1e-12 ? moment.deviation : 1e-12;
        } else {
            land->skewness = average;
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Landforms ------------------------------------------------------------------------------- */

/* J. Jasiewicz, T. F. Stepinski: Geomorphons, a pattern recognition approach to classification and
 * mapping of landforms, Geomorphology 182, 2013. Along each of eight lines of sight the ground is
 * higher, lower or level; the numbers of higher and of lower ones make the form. */

enum { FORMS_REACH = TERRAIN__FORMS_REACH, FORMS_LINES = 8 };

/* The form's number; rows: how many directions are lower, columns: how many are higher. */
static const char forms_table[FORMS_LINES + 1][FORMS_LINES + 2] = {
    "000778889", "007778882", "035566822", "335556222", "334552222",
    "224422222", "222222222", "222222222", "122222222"};

/* The shares of the forms in the Jacksboro map, in thousandths: flat, peak, ridge, shoulder, spur,
 * slope, hollow, footslope, valley, pit. */
static const double forms_land[TERRAIN_LANDFORM_COUNT] = {0, 42, 146, 1, 173, 298, 137, 3, 144, 56};

/* The factor that makes the mean slope 0.4, from differences across two cells, or one at the
 * rim. */
static terrain_status forms_find_scale(const terrain__ground *ground, double *scale)
{
    const struct landform_kernels *kernels = landform_kernels_of(ground);
    const uint32_t width = ground->width, height = ground->height;
    double *slopes = terrain__scratchpad_take(ground->pad, width * sizeof *slopes);
    struct landform_mean mean = {0, 0};
    if (slopes == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    for (uint32_t y = 0; y < height; y++) {
        const uint32_t above = y > 0 ? y - 1 : 0, below = y + 1 < height ? y + 1 : y;
        const double *north = ground->heights + (size_t)above * width;
        const double *here = ground->heights + (size_t)y * width;
        const double *south = ground->heights + (size_t)below * width;
        uint32_t found =
            kernels->slopes(slopes + 1, north + 1, here + 1, south + 1, width - 2, below - above);
        for (uint32_t x = 0; x < width; x += width - 1) { /* both ends */
            const double gx = x == 0 ? here[1] - here[0] : here[x] - here[x - 1];
            const double gy = (south[x] - north[x]) / (below - above);
            const double slope = terrain__sqrt(gx * gx + gy * gy);
            found += slope == slope;
            slopes[x] = slope == slope ? slope : 0;
        }
        landform_add(&mean, slopes, width, found);
        terrain_status status = terrain__ground_poll_row(ground, y, height, 0, 0.1);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    const double slope = mean.count > 0 ? mean.sum / mean.count : 0;
    *scale = 0.4 / (slope > 1e-12 ? slope : 1e-12);
    return TERRAIN_SUCCESS;
}

/* A patch's heights, those that its lines of sight reach, and those that the kernel reads. */
enum { FORMS_STRIDE = TERRAIN__FORMS_PATCH + 2 * FORMS_REACH + TERRAIN__FORMS_SPARE };

struct forms_job {
    const struct landform_kernels *kernels;
    struct landform_sight sight;
    double *patches; /* of each task: rows of FORMS_STRIDE */
    size_t patch_size;
    uint64_t counts[TERRAIN__GROUND_TASKS][TERRAIN__FORMS_PLACES];
};

/* Patches are copied: in the map the rows of a wide one have their places in few sets of the
 * cache. */
static void forms_task(terrain__call *call, uint32_t index)
{
    const terrain__ground_rows *rows = call->job;
    const terrain__ground *ground = rows->ground;
    struct forms_job *job = rows->part;
    const size_t width = ground->width;
    const uint32_t begin = rows->first + terrain__band_begin(&rows->bands, index) - FORMS_REACH;
    const uint32_t end = rows->first + terrain__band_end(&rows->bands, index) + FORMS_REACH;
    double *patch = job->patches + (terrain__is_alone(call) ? 0 : index) * job->patch_size;
    for (uint32_t x = 0; x + 2 * FORMS_REACH < width; x += TERRAIN__FORMS_PATCH) {
        const uint32_t count =
            terrain__lesser(TERRAIN__FORMS_PATCH, ground->width - x - 2 * FORMS_REACH);
        for (uint32_t y = begin; y < end; y++) {
            memcpy(patch + (size_t)(y - begin) * FORMS_STRIDE, ground->heights + y * width + x,
                   (count + 2 * FORMS_REACH) * sizeof *patch);
        }
        for (uint32_t row = FORMS_REACH; row + FORMS_REACH < end - begin; row++) {
            job->kernels->forms(job->counts[index], patch + row * FORMS_STRIDE + FORMS_REACH,
                                FORMS_STRIDE, count, &job->sight);
        }
    }
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

/* Whether there are any. */
static bool forms_take(const struct forms_job *job, terrain_landform *land)
{
    uint64_t counts[TERRAIN_LANDFORM_COUNT] = {0}, all = 0;
    for (int task = 0; task < TERRAIN__GROUND_TASKS; task++) {
        for (int i = 0; i < TERRAIN__FORMS_PLACES; i++) {
            counts[forms_table[i / 9][i % 9] - '0'] += job->counts[task][i];
            all += job->counts[task][i];
        }
    }
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT && all > 0; i++) {
        land->forms[i] = (double)counts[i] / (double)all;
    }
    return all > 0;
}

static terrain_status forms_measure(const terrain__ground *ground, terrain_landform *land)
{
    const uint32_t width = ground->width, height = ground->height;
    double scale = 0;
    land->forms_distance = (double)NAN;
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        land->forms[i] = (double)NAN;
    }
    if (width <= 2 * FORMS_REACH || height <= 2 * FORMS_REACH) {
        return TERRAIN_SUCCESS;
    }
    struct forms_job *job = terrain__arena_take(ground->arena, sizeof *job);
    if (job == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memset(job, 0, sizeof *job);
    job->kernels = landform_kernels_of(ground);
    const uint32_t rows = terrain__lesser(ground_rows_of_task(ground), height);
    job->patch_size = ((size_t)rows + 2 * FORMS_REACH) * FORMS_STRIDE;
    job->patches = terrain__arena_take(ground->arena, TERRAIN__GROUND_TASKS * job->patch_size *
                                                          sizeof *job->patches);
    if (job->patches == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memset(job->patches, 0, TERRAIN__GROUND_TASKS * job->patch_size * sizeof *job->patches);
    terrain_status status = forms_find_scale(ground, &scale);
    for (int k = 0; k < FORMS_REACH; k++) {
        job->sight.factors[0][k] = scale / (k + 1);
        job->sight.factors[1][k] = scale / ((k + 1) * 1.4142135623730951);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__ground_run_rows(ground, job, FORMS_REACH, height - FORMS_REACH, 0.1, 0.9,
                                          forms_task);
    }
    if (status == TERRAIN_SUCCESS && forms_take(job, land)) {
        land->forms_distance = forms_distance(land->forms);
    }
    return status;
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

static terrain_status landform_check(const terrain__reader *reader, const terrain_heightmap *map,
                                     const terrain_landform *land)
{
    char text[TERRAIN__FAULT_SIZE];
    if (map == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "map is NULL");
    }
    if (terrain__given_check(&landform_given, land, text) != TERRAIN_SUCCESS) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "%s", text);
    }
    if ((uint64_t)map->width * map->height > UINT32_MAX) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_UNSUPPORTED,
                                    "%lux%lu cells are too many, must be fewer than 2^32",
                                    (unsigned long)map->width, (unsigned long)map->height);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status landform_take_heights(const terrain__ground *ground)
{
    const terrain_heightmap *map = ground->reader->map;
    const double cell_size = (double)map->cell_size;
    double *heights = ground->heights;
    for (uint32_t y = 0; y < map->height; y++) {
        const float *row = map->data + y * map->stride;
        terrain_status status = terrain__ground_poll_row(ground, y, map->height, 0, 1);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t x = 0; x < map->width; x++) {
            heights[x] = row[x] - row[x] == 0 ? (double)row[x] / cell_size : (double)NAN;
        }
        heights += map->width;
    }
    return TERRAIN_SUCCESS;
}

/* The parts, and what part of the time each takes. */
static const struct landform_part {
    terrain_status (*measure)(const terrain__ground *ground, terrain_landform *land);
    double share;
} landform_parts[] = {
    {landform_skewness, 0.1},
    {terrain__landform_axis, 0.15},
    {forms_measure, 0.2},
    {terrain__landform_drainage, 0.5}, /* last: it raises the heights */
};

static terrain_status landform_measure(terrain__ground *ground, terrain_landform *land)
{
    terrain__scratchpad *pad = ground->pad;
    const size_t cells = (size_t)ground->width * ground->height;
    const size_t axis = terrain__landform_axis_bytes(ground->width, ground->height);
    const size_t drainage = terrain__landform_drainage_bytes(ground->width, ground->height);
    size_t bytes = 0;
    terrain_status status = TERRAIN_ERROR_MEMORY;
    if (terrain__multiply_size(cells, sizeof(double), &bytes) &&
        terrain__scratchpad_reserve(pad, axis > drainage ? axis : drainage)) {
        ground->heights = terrain__arena_take(ground->arena, bytes);
    }
    if (ground->heights != NULL) {
        status = landform_take_heights(ground);
    }
    for (size_t i = 0; i < sizeof landform_parts / sizeof *landform_parts; i++) {
        if (status == TERRAIN_SUCCESS) {
            ground->done += ground->share;
            ground->share = landform_parts[i].share;
            terrain__scratchpad_reset(pad);
            status = landform_parts[i].measure(ground, land);
        }
    }
    return status;
}

/* In the library's float environment, with memory that lives as long. */
static terrain_status landform_enter(terrain__reader *reader, terrain_landform *land)
{
    const terrain_allocator *allocator = terrain__context_allocator(reader->context);
    terrain__arena arena = {.allocator = *allocator};
    terrain__scratchpad pad = {.allocator = *allocator};
    terrain__float_environment host;
    terrain__ground ground = {.reader = reader,
                              .host = &host,
                              .arena = &arena,
                              .pad = &pad,
                              .width = reader->map->width,
                              .height = reader->map->height,
                              .share = 0.05};
    terrain__float_enter(&host);
    terrain_status status = landform_measure(&ground, land);
    terrain__float_leave(&host);
    terrain__arena_free(&arena);
    terrain__scratchpad_free(&pad);
    if (status == TERRAIN_ERROR_MEMORY) {
        terrain__reader_fail(reader, status, "no memory for %lux%lu cells",
                             (unsigned long)ground.width, (unsigned long)ground.height);
    }
    return status;
}

terrain_status terrain_landform_measure(terrain_context *context, const terrain_heightmap *map,
                                        terrain_landform *land)
{
    terrain_landform full;
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, "landform_measure");
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = landform_check(&reader, map, land);
    if (status == TERRAIN_SUCCESS) {
        reader.map = map;
        status = landform_enter(&reader, &full);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__given_answer(&landform_given, land, &full);
    }
    return terrain__reader_leave(&reader, status);
}
