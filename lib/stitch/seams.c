/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_seams_measure: how well neighbours fit. */

#include <math.h>

#include "base/float_environment.h"
#include "base/math.h"
#include "core/given.h"
#include "core/heightmap.h"
#include "core/reader.h"
#include "terrain/stitch.h"

/* The sums over all seams and all maps. */
struct seams_sums {
    uint64_t cells;
    double worst_step, worst_kink;
    double seam, inside; /* sums of curvatures */
    uint64_t seam_count, inside_count;
};

/* A map that shares an overlap. */
struct seams_side {
    const float *cells;      /* the first cell of line 0 of the overlap */
    ptrdiff_t across, along; /* from one line to the next, and from one of its cells to the next */
};

/* Two such maps. Line i of each is the i-th of the overlap; before 0 and from `overlap` on lie
 * lines that one of them alone has. */
struct seams_pair {
    struct seams_side first, second;
    uint32_t length; /* of the lines */
    uint32_t width;  /* lines of each map */
    uint32_t overlap;
};

static double seams_at(const struct seams_side *side, int64_t line, uint32_t t)
{
    return (double)side->cells[(ptrdiff_t)line * side->across + (ptrdiff_t)t * side->along];
}

static void seams_add_steps(const struct seams_pair *pair, struct seams_sums *sums)
{
    for (uint32_t line = 0; line < pair->overlap; line++) {
        for (uint32_t t = 0; t < pair->length; t++) {
            double step = terrain__absolute(seams_at(&pair->first, line, t) -
                                            seams_at(&pair->second, line, t));
            if (isfinite(step)) {
                sums->cells++;
                sums->worst_step = step > sums->worst_step ? step : sums->worst_step;
            }
        }
    }
}

/* Across line `line`: what lies before it in the first map, on it in both, and behind it in the
 * second. */
static void seams_add_line(const struct seams_pair *pair, int64_t line, struct seams_sums *sums)
{
    for (uint32_t t = 0; t < pair->length; t++) {
        double before = seams_at(&pair->first, line - 1, t);
        double behind = seams_at(&pair->second, line + 1, t);
        double a = seams_at(&pair->first, line, t), b = seams_at(&pair->second, line, t);
        double kink = terrain__absolute((a - before) - (behind - b));
        double with_a = terrain__absolute(before - 2 * a + behind);
        double with_b = terrain__absolute(before - 2 * b + behind);
        if (isfinite(kink)) { /* as the four heights are */
            sums->worst_kink = kink > sums->worst_kink ? kink : sums->worst_kink;
            sums->seam += 0.5 * (with_a + with_b);
            sums->seam_count++;
        }
    }
}

static void seams_add_pair(const struct seams_pair *pair, struct seams_sums *sums)
{
    seams_add_steps(pair, sums);
    if (pair->width > pair->overlap) {
        seams_add_line(pair, 0, sums);
        if (pair->overlap > 1) {
            seams_add_line(pair, (int64_t)pair->overlap - 1, sums);
        }
    }
}

/* Adds the kinks of all cells that have two neighbours at `step`. */
static void seams_add_inside(const terrain_heightmap *map, bool across, struct seams_sums *sums)
{
    const ptrdiff_t step = across ? 1 : (ptrdiff_t)map->stride;
    const uint32_t x0 = across ? 1 : 0, y0 = across ? 0 : 1;
    for (uint32_t y = y0; y + y0 < map->height; y++) {
        const float *row = map->data + y * map->stride;
        double sum = 0;
        uint64_t count = 0;
        for (uint32_t x = x0; x + x0 < map->width; x++) {
            const float *cell = row + x;
            double bent =
                terrain__absolute((double)cell[-step] - 2 * (double)cell[0] + (double)cell[step]);
            bool counts = isfinite(bent);
            sum += counts ? bent : 0;
            count += counts;
        }
        sums->inside += sum;
        sums->inside_count += count;
    }
}

static void seams_add_map(const terrain_heightmap *const *maps, uint32_t columns, uint32_t rows,
                          uint32_t overlap, uint32_t index, struct seams_sums *sums)
{
    const terrain_heightmap *map = maps[index];
    if (index % columns + 1 < columns) {
        const terrain_heightmap *east = maps[index + 1];
        struct seams_pair pair = {
            .first = {map->data + (map->width - overlap), 1, (ptrdiff_t)map->stride},
            .second = {east->data, 1, (ptrdiff_t)east->stride},
            .length = map->height,
            .width = map->width,
            .overlap = overlap,
        };
        seams_add_pair(&pair, sums);
    }
    if (index / columns + 1 < rows) {
        const terrain_heightmap *south = maps[index + columns];
        struct seams_pair pair = {
            .first = {map->data + (map->height - overlap) * map->stride, (ptrdiff_t)map->stride, 1},
            .second = {south->data, (ptrdiff_t)south->stride, 1},
            .length = map->width,
            .width = map->height,
            .overlap = overlap,
        };
        seams_add_pair(&pair, sums);
    }
    if (columns > 1) {
        seams_add_inside(map, true, sums);
    }
    if (rows > 1) {
        seams_add_inside(map, false, sums);
    }
}

static void seams_conclude(const struct seams_sums *sums, terrain_seams *seams)
{
    seams->cells = sums->cells;
    seams->worst_step = sums->worst_step;
    seams->worst_kink = sums->worst_kink;
    seams->seam_curvature = sums->seam_count > 0 ? sums->seam / (double)sums->seam_count : 0;
    seams->inside_curvature =
        sums->inside_count > 0 ? sums->inside / (double)sums->inside_count : 0;
    seams->ratio = seams->inside_curvature > 0 ? seams->seam_curvature / seams->inside_curvature
                   : seams->seam_curvature > 0 ? (double)INFINITY
                                               : 1;
}

static terrain_status seams_check(const terrain__reader *reader,
                                  const terrain_heightmap *const *maps, uint32_t columns,
                                  uint32_t rows, uint32_t overlap)
{
    const uint64_t count = (uint64_t)columns * rows;
    if (maps == NULL || count == 0) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "%s",
                                    maps == NULL ? "maps is NULL" : "the grid has no maps");
    }
    if (count > TERRAIN_GRID_MAXIMUM) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "the grid has %llu maps, can have at most %d",
                                    (unsigned long long)count, TERRAIN_GRID_MAXIMUM);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (maps[i] == NULL || maps[i]->width != maps[0]->width ||
            maps[i]->height != maps[0]->height) {
            return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                        maps[i] == NULL ? "maps[%lu] is NULL"
                                                        : "maps[%lu] is not as large as maps[0]",
                                        (unsigned long)i);
        }
    }
    if (overlap == 0 || (columns > 1 && overlap > maps[0]->width) ||
        (rows > 1 && overlap > maps[0]->height)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "overlap is %lu, must be from 1 to the cells of "
                                    "a map",
                                    (unsigned long)overlap);
    }
    return TERRAIN_SUCCESS;
}

static const terrain__given seams_given = {
    .subject = "seams is",
    .name = "seams",
    .suffix = "",
    .tag = TERRAIN__TAG_SEAMS,
    .size = sizeof(terrain_seams),
};

terrain_status terrain_seams_init(terrain_seams *seams, size_t size)
{
    return terrain__given_init(&seams_given, seams, size);
}

terrain_status terrain_seams_measure(terrain_context *context, const terrain_heightmap *const *maps,
                                     uint32_t columns, uint32_t rows, uint32_t overlap,
                                     terrain_seams *seams)
{
    char fault[TERRAIN__FAULT_SIZE];
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, "seams_measure");
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = terrain__given_check(&seams_given, seams, fault);
    if (status != TERRAIN_SUCCESS) {
        terrain__reader_fail(&reader, status, "%s", fault);
    } else {
        status = seams_check(&reader, maps, columns, rows, overlap);
    }
    if (status == TERRAIN_SUCCESS) {
        struct seams_sums sums = {0};
        terrain_seams full;
        terrain__float_environment host;
        terrain__float_enter(&host);
        for (uint32_t i = 0; i < columns * rows; i++) {
            seams_add_map(maps, columns, rows, overlap, i, &sums);
        }
        seams_conclude(&sums, &full);
        terrain__float_settle(&full);
        terrain__float_leave(&host);
        terrain__given_answer(&seams_given, seams, &full);
    }
    return terrain__reader_leave(&reader, status);
}
