/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_fault_lines: terrain as the sum of many faults.
 *
 * R. F. Voss: Random fractal forgeries, in R. A. Earnshaw (editor): Fundamental Algorithms for
 * Computer Graphics, 1985, 805-835, for the method; R. Krten: Generating realistic terrain, Dr.
 * Dobb's Journal, July 1994, for displacements that decrease.
 *
 * A row crosses a line once, so each line adds to each row at one place: to the differences of
 * neighbours, which are then summed along the row. That takes count * height + width * height
 * operations instead of their product. Smooth profiles add their transition, a local band, cell by
 * cell. Heights are summed as integers, in a unit that follows from the params: sums are exact, in
 * any order, so that a tile gets what the whole map gets. */

#include <string.h>

#include "base/math.h"
#include "core/operation.h"
#include "generate/fault_lines_kernels.h"
#include "terrain/generate.h"
#include "vector/stream_kernels.h"

typedef terrain_generate_fault_lines_params fault_lines_params;
typedef struct fault_lines_kernels fault_lines_kernels;
typedef struct fault_lines_line fault_lines_line;
typedef struct fault_lines_crossing fault_lines_crossing;
typedef struct fault_lines_columns fault_lines_columns;
typedef struct fault_lines_span fault_lines_span;

enum {
    FAULT_LINES_MOST = 65536,
    FAULT_LINES_STRIP = 1024,  /* columns whose differences stay in the first-level cache */
    FAULT_LINES_BAND = 64,     /* rows for which one list of lines is made */
    FAULT_LINES_BATCH = 64,    /* lines that are drawn together */
    FAULT_LINES_ATTEMPTS = 64, /* at lines that meet the frame; even a third of them do */
    /* Integers from row to row of differences: kernels write whole vectors behind a strip's
     * columns. */
    FAULT_LINES_STRIDE = FAULT_LINES_STRIP + 16,
    FAULT_LINES_ROWS = FAULT_LINES_PATCH + 1 /* of a task: of differences, and one of heights */
};

/* Farther from the frame than this, in cells, lines are no longer straight, but the terrain is
 * still a function of the cell. */
#define FAULT_LINES_REACH (INT64_C(1) << 48)

static const char *const fault_lines_profile_names[] = {"step", "step01", "sine", "cosine", "bell"};
static const char *const fault_lines_profile_docs[] = {
    "-1 for t < 0, 1 otherwise: one side up, the other down",
    "0 for t < 0, 1 otherwise: one side up",
    "sin(pi t / 2 w) for |t| < w, else the sign of t: a slope",
    "(1 + cos(pi t / w)) / 2 for |t| < w, else 0: a ridge",
    "exp(-t^2 / 2 w^2) for |t| < 6 w, else 0: a ridge",
};
static const char *const fault_lines_sampler_names[] = {"angle_offset", "two_points"};
static const char *const fault_lines_sampler_docs[] = {
    "by an angle and a distance from the middle: uniform over the frame",
    "through two random points: more lines near the middle, which becomes rougher",
};

static const terrain_parameter fault_lines_parameters[] = {
    TERRAIN__SEED(fault_lines_params),
    TERRAIN__INT64(fault_lines_params, frame_x, "cells", 0, -TERRAIN_WORLD_LIMIT,
                   TERRAIN_WORLD_LIMIT, "World column of the frame's first cell."),
    TERRAIN__INT64(fault_lines_params, frame_y, "cells", 0, -TERRAIN_WORLD_LIMIT,
                   TERRAIN_WORLD_LIMIT, "World row of the frame's first cell."),
    TERRAIN__UINT32(
        fault_lines_params, frame_width, "cells", 0, 0, UINT32_MAX,
        "Width of the frame, over which the lines are scattered; 0: the map's own rectangle.",
        .scaling = TERRAIN_SCALING_EXTENT),
    TERRAIN__UINT32(fault_lines_params, frame_height, "cells", 0, 0, UINT32_MAX,
                    "Height of the frame; 0 if and only if frame_width is 0.",
                    .scaling = TERRAIN_SCALING_EXTENT),
    TERRAIN__UINT32(fault_lines_params, count, "", 256, 0, FAULT_LINES_MOST, "Number of faults.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(fault_lines_params, displacement_first, "height", 2, -1e6, 1e6,
                   "Height of the first fault."),
    TERRAIN__FLOAT(fault_lines_params, displacement_last, "height", 0.5, -1e6, 1e6,
                   "Height that the faults approach linearly: one after the last would have it."),
    TERRAIN__FLOAT(fault_lines_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
    TERRAIN__ENUM(fault_lines_params, profile, TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP,
                  fault_lines_profile, "Shape of a fault, across its line."),
    TERRAIN__FLOAT(fault_lines_params, half_width, "cells", 16, 0.5, 65536,
                   "Half the width of a smooth profile.",
                   TERRAIN__WHEN(profile, 1u << TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE |
                                              1u << TERRAIN_GENERATE_FAULT_LINES_PROFILE_COSINE |
                                              1u << TERRAIN_GENERATE_FAULT_LINES_PROFILE_BELL)),
    TERRAIN__ENUM(fault_lines_params, sampler, TERRAIN_GENERATE_FAULT_LINES_SAMPLER_ANGLE_OFFSET,
                  fault_lines_sampler, "How random lines are drawn."),
};

struct fault_lines_job {
    int64_t frame_x;
    int64_t frame_y;
    double frame_width;
    double frame_height;
    double unit;  /* of heights that are integers */
    float reach;  /* cells from the line to where the profile is flat */
    int32_t left; /* of all lines */
    fault_lines_line *lines;
    fault_lines_crossing *crossings; /* of each line */
    /* For each task: */
    int32_t *rows;    /* FAULT_LINES_ROWS */
    float *map_rows;  /* one row */
    uint32_t *active; /* the lines that cross a part */
};

static bool fault_lines_is_step(const fault_lines_params *p)
{
    return p->profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP ||
           p->profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP01;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

struct fault_lines_streams {
    uint64_t first;
    uint64_t second;
};

/* The line through (x, y), in cells relative to the middle of the frame's first cell, moved along
 * its normal. A normal that is almost vertical is tilted, by less than a millionth, so that every
 * row crosses the line at a column that a double can hold. */
static void fault_lines_place(fault_lines_line *line, double x, double y, double shift)
{
    const double least = 0x1p-20;
    if (line->normal_x > -least && line->normal_x < least) {
        line->normal_x = line->normal_x < 0 ? -least : least;
    }
    line->offset = (line->normal_x * x + line->normal_y * y) + shift;
}

/* Direction and offset from the frame's middle, evenly: the only lines without a preferred place or
 * direction. The offset goes to both sides: if it were positive, the frame's middle would be on
 * every line's negative side, and the terrain a bowl. Lines that miss the frame are drawn again. */
static void fault_lines_draw_angles(const terrain__call *call,
                                    const struct fault_lines_streams *streams, uint32_t begin,
                                    uint32_t count)
{
    const struct fault_lines_job *job = call->job;
    const double width = job->frame_width / 2, height = job->frame_height / 2;
    const struct fault_lines_drawing drawing = {streams->first, streams->second,
                                                terrain__sqrt(width * width + height * height)};
    uint64_t index[FAULT_LINES_BATCH];
    double normal_x[FAULT_LINES_BATCH], normal_y[FAULT_LINES_BATCH], offset[FAULT_LINES_BATCH];
    for (uint32_t i = 0; i < count; i++) {
        index[i] = begin + i;
    }
    for (uint32_t attempt = 1; count > 0; attempt++) {
        uint32_t missed = 0;
        terrain__fault_lines_kernels(call->isa)->draw(&drawing, index, count, normal_x, normal_y,
                                                      offset);
        for (uint32_t i = 0; i < count; i++) {
            fault_lines_line *line = &job->lines[(uint32_t)index[i]];
            const double x = terrain__absolute(normal_x[i]), y = terrain__absolute(normal_y[i]);
            line->normal_x = normal_x[i];
            line->normal_y = normal_y[i];
            fault_lines_place(line, width - 0.5, height - 0.5, offset[i]);
            index[missed] = index[i] + (UINT64_C(1) << 32);
            missed += !(terrain__absolute(offset[i]) <= x * width + y * height);
        }
        count = attempt < FAULT_LINES_ATTEMPTS ? missed : 0;
    }
}

/* Through two points of the frame. */
static void fault_lines_draw_points(const struct fault_lines_job *job,
                                    const struct fault_lines_streams *streams, uint64_t index,
                                    fault_lines_line *line)
{
    double x = job->frame_width * terrain__unit_double(streams->first, 2 * index);
    double y = job->frame_height * terrain__unit_double(streams->first, 2 * index + 1);
    double dx = job->frame_width * terrain__unit_double(streams->second, 2 * index) - x;
    double dy = job->frame_height * terrain__unit_double(streams->second, 2 * index + 1) - y;
    double length = terrain__sqrt(dx * dx + dy * dy);
    line->normal_x = length > 0 ? dy / length : 1;
    line->normal_y = length > 0 ? -dx / length : 0;
    fault_lines_place(line, x - 0.5, y - 0.5, 0);
}

/* The largest power of two such that all displacements together, times it, are at most about 2^29:
 * half of what would overflow a difference of two heights. */
static double fault_lines_unit(const fault_lines_params *p)
{
    const double first = terrain__absolute((double)p->displacement_first);
    const double last = terrain__absolute((double)p->displacement_last);
    const double most = p->count * (first > last ? first : last);
    double unit = 1;
    while (most > unit * 0x1p29) {
        unit *= 2;
    }
    while (most < unit * 0x1p28 && unit > 0x1p-126) {
        unit /= 2;
    }
    return unit;
}

/* In units, rounded to what a float holds, so that kernels may multiply it. */
static int32_t fault_lines_displacement(const fault_lines_params *p, double per_unit,
                                        uint32_t index)
{
    double first = (double)p->displacement_first;
    double last = (double)p->displacement_last;
    double height = (first + (last - first) * index / p->count) * per_unit;
    return (int32_t)(float)(int32_t)(height < 0 ? height - 0.5 : height + 0.5);
}

static fault_lines_crossing fault_lines_crossing_of(const fault_lines_params *p,
                                                    const fault_lines_line *line)
{
    fault_lines_crossing crossing = {.start = line->offset / line->normal_x + 0.5,
                                     .slope = -line->normal_y / line->normal_x};
    int32_t height = line->displacement;
    bool rising = line->normal_x > 0; /* the positive side is the right one */
    switch (p->profile) {
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP01:
        crossing.left = rising ? 0 : height;
        crossing.jump = rising ? height : -height;
        break;
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP:
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE:
        crossing.left = rising ? -height : height;
        crossing.jump = -2 * crossing.left;
        break;
    default:
        break;
    }
    return crossing;
}

static void fault_lines_draw_all(terrain__call *call)
{
    const fault_lines_params *p = call->params;
    struct fault_lines_job *job = call->job;
    const struct fault_lines_streams streams = {
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_fault_lines,
                               TERRAIN__DRAW_FAULT_LINES_FIRST),
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_fault_lines,
                               TERRAIN__DRAW_FAULT_LINES_SECOND),
    };
    const double per_unit = 1 / job->unit; /* powers of two: exact */
    job->left = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        fault_lines_line *line = &job->lines[i];
        if (p->sampler == TERRAIN_GENERATE_FAULT_LINES_SAMPLER_TWO_POINTS) {
            fault_lines_draw_points(job, &streams, i, line);
        } else if (i % FAULT_LINES_BATCH == 0) {
            fault_lines_draw_angles(call, &streams, i,
                                    terrain__lesser(p->count - i, FAULT_LINES_BATCH));
        }
        line->displacement = fault_lines_displacement(p, per_unit, i);
        if (!fault_lines_is_step(p)) {
            line->inverse = 1 / line->normal_x;
            line->step = (float)(line->normal_x / (double)job->reach);
        }
        job->crossings[i] = fault_lines_crossing_of(p, line);
        job->left += job->crossings[i].left;
    }
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* A strip of columns in a band of rows. */
struct fault_lines_part {
    const terrain__call *call;
    const struct fault_lines_job *job;
    const fault_lines_kernels *kernels;
    const struct stream_kernels *stream; /* NULL: straight into the map */
    int32_t *differences;
    int32_t *heights;
    float *line; /* of the map, to be streamed */
    uint32_t *active;
    uint32_t active_count;
    int32_t start; /* height left of the strip, but for the active lines */
    uint32_t x;    /* in the map */
    uint32_t width;
    uint32_t y0;
    uint32_t y1;
};

static double fault_lines_row(const terrain__call *call, uint32_t y)
{
    const struct fault_lines_job *job = call->job;
    return (double)terrain__difference_within(call->y + y, job->frame_y, FAULT_LINES_REACH);
}

/* Sums a row's differences and heights, which may be NULL, into the map. An offset, which few have,
 * is added afterwards: in the kernel it would cost all of them a tenth of their time. */
static void fault_lines_put_row(const struct fault_lines_part *part, int32_t *differences,
                                const int32_t *heights, uint32_t y)
{
    const fault_lines_params *p = part->call->params;
    const terrain__plane *target = &part->call->target;
    float *cells = target->cells + y * target->stride + part->x;
    float *row = part->stream != NULL ? part->line : cells;
    part->kernels->integrate(row, differences, heights, part->width, part->start,
                             (float)part->job->unit);
    for (uint32_t i = 0; i < part->width && p->offset != 0; i++) {
        row[i] += p->offset;
    }
    if (part->stream != NULL) {
        part->stream->row(cells, part->line, part->width);
    }
}

/* Crossings are cut to +-FAULT_LINES_REACH, and then to the strip. */
static fault_lines_columns fault_lines_columns_of(const struct fault_lines_part *part)
{
    const double reach = (double)FAULT_LINES_REACH;
    fault_lines_columns columns;
    columns.first = (double)terrain__difference_within(part->call->x + part->x, part->job->frame_x,
                                                       2 * FAULT_LINES_REACH);
    columns.width = part->width;
    columns.low = terrain__clamp(-reach, columns.first, columns.first + part->width);
    columns.high = terrain__clamp(reach, columns.first, columns.first + part->width);
    return columns;
}

static void fault_lines_put_steps(struct fault_lines_part *part)
{
    const struct fault_lines_job *job = part->job;
    const fault_lines_params *p = part->call->params;
    fault_lines_columns columns = fault_lines_columns_of(part);
    part->active_count = part->kernels->find(
        part->active, job->crossings, p->count, fault_lines_row(part->call, part->y0),
        fault_lines_row(part->call, part->y1 - 1), &columns, &part->start);
    for (uint32_t y = part->y0; y < part->y1; y += FAULT_LINES_PATCH) {
        uint32_t rows = part->y1 - y < FAULT_LINES_PATCH ? part->y1 - y : FAULT_LINES_PATCH;
        double at[FAULT_LINES_PATCH];
        for (uint32_t k = 0; k < FAULT_LINES_PATCH; k++) {
            at[k] = fault_lines_row(part->call, y + (k < rows ? k : rows - 1));
        }
        part->kernels->cross(part->differences, FAULT_LINES_STRIDE, job->crossings, part->active,
                             part->active_count, at, &columns);
        for (uint32_t k = 0; k < rows; k++) {
            fault_lines_put_row(part, part->differences + k * FAULT_LINES_STRIDE, NULL, y + k);
        }
        for (uint32_t k = rows; k < FAULT_LINES_PATCH; k++) {
            memset(part->differences + k * FAULT_LINES_STRIDE, 0,
                   (part->width + 1) * sizeof *part->differences);
        }
    }
}

/* Smooth profiles measure distances from column 0 of strips that begin at multiples of the strip's
 * width from the frame on. */
struct fault_lines_smooth {
    double x;      /* of the strip's column 0, relative to the frame */
    uint32_t skip; /* columns of the strip left of the part */
    double wide;   /* distance from which on the kernel's rounding can't reach the profile */
    void (*profile)(int32_t *heights, const fault_lines_span *span);
};

static struct fault_lines_smooth fault_lines_smooth_of(const struct fault_lines_part *part)
{
    const fault_lines_params *p = part->call->params;
    const struct fault_lines_job *job = part->job;
    int64_t x = part->call->x + part->x;
    struct fault_lines_smooth smooth;
    smooth.skip = (uint32_t)(((uint64_t)x - (uint64_t)job->frame_x) % FAULT_LINES_STRIP);
    smooth.x = (double)terrain__difference_within(x - smooth.skip, job->frame_x, FAULT_LINES_REACH);
    smooth.wide = (double)job->reach * 1.0001 + 0.02;
    smooth.profile = p->profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE ? part->kernels->sine
                     : p->profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_COSINE
                         ? part->kernels->cosine
                         : part->kernels->bell;
    return smooth;
}

static double fault_lines_distance(const fault_lines_line *line, double x, double y)
{
    return (line->normal_x * x + line->normal_y * y) - line->offset;
}

/* Whether the part is on one side of the line, beyond the profile; if on its right, start rises. */
static bool fault_lines_passes(struct fault_lines_part *part,
                               const struct fault_lines_smooth *smooth, uint32_t index)
{
    const fault_lines_line *line = &part->job->lines[index];
    double x0 = smooth->x + smooth->skip;
    double x1 = x0 + part->width;
    double y0 = fault_lines_row(part->call, part->y0);
    double y1 = fault_lines_row(part->call, part->y1 - 1);
    double a = fault_lines_distance(line, x0, y0);
    double b = fault_lines_distance(line, x1, y0);
    double c = fault_lines_distance(line, x0, y1);
    double d = fault_lines_distance(line, x1, y1);
    double far = smooth->wide;
    bool positive = a >= far && b >= far && c >= far && d >= far;
    bool negative = a <= -far && b <= -far && c <= -far && d <= -far;
    if (positive ? line->normal_x > 0 : negative && line->normal_x < 0) {
        part->start += part->job->crossings[index].jump;
    }
    return positive || negative;
}

static void fault_lines_find_smooth(struct fault_lines_part *part,
                                    const struct fault_lines_smooth *smooth)
{
    const fault_lines_params *p = part->call->params;
    part->active_count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (!fault_lines_passes(part, smooth, i)) {
            part->active[part->active_count++] = i;
        }
    }
}

/* Adds a line to a row: what is left and right of the profile to the differences, the profile
 * itself to the heights. The kernel gives the flat sides too, so that the band between may be too
 * wide. */
static void fault_lines_add_smooth(const struct fault_lines_part *part,
                                   const struct fault_lines_smooth *smooth, uint32_t index,
                                   double y)
{
    const fault_lines_line *line = &part->job->lines[index];
    const fault_lines_crossing *crossing = &part->job->crossings[index];
    double distance = fault_lines_distance(line, smooth->x, y);
    double middle = -distance * line->inverse - smooth->skip;
    double half = terrain__absolute(smooth->wide * line->inverse);
    double width = part->width;
    uint32_t begin = (uint32_t)terrain__clamp(middle - half, 0, width);
    uint32_t end = (uint32_t)terrain__clamp(middle + half + 1, 0, width);
    fault_lines_span span;
    span.distance = (float)(distance / (double)part->job->reach);
    span.step = line->step;
    span.displacement = (float)line->displacement;
    span.first = smooth->skip + begin;
    span.count = (end - begin + 15) / 16 * 16;
    smooth->profile(part->heights + begin, &span);
    end = span.count < part->width - begin ? begin + span.count : part->width;
    part->differences[begin] -= crossing->left;
    part->differences[end] += crossing->left + crossing->jump;
}

static void fault_lines_put_smooth(struct fault_lines_part *part)
{
    const struct fault_lines_smooth smooth = fault_lines_smooth_of(part);
    fault_lines_find_smooth(part, &smooth);
    for (uint32_t y = part->y0; y < part->y1; y++) {
        double at = fault_lines_row(part->call, y);
        memset(part->heights, 0, FAULT_LINES_STRIDE * sizeof *part->heights);
        for (uint32_t i = 0; i < part->active_count; i++) {
            fault_lines_add_smooth(part, &smooth, part->active[i], at);
        }
        fault_lines_put_row(part, part->differences, part->heights, y);
    }
}

static void fault_lines_put(struct fault_lines_part *part, uint32_t y0, uint32_t y1)
{
    part->y0 = y0;
    part->y1 = y1;
    part->start = part->job->left;
    if (fault_lines_is_step(part->call->params)) {
        fault_lines_put_steps(part);
    } else {
        fault_lines_put_smooth(part);
    }
}

static terrain__bands fault_lines_bands(const terrain__call *call)
{
    return terrain__bands_of(call->target.height, FAULT_LINES_BAND);
}

static void fault_lines_band(terrain__call *call, uint32_t index)
{
    const fault_lines_params *p = call->params;
    const struct fault_lines_job *job = call->job;
    terrain__bands bands = fault_lines_bands(call);
    uint32_t end = terrain__band_end(&bands, index);
    struct fault_lines_part part = {
        .call = call, .job = job, .kernels = terrain__fault_lines_kernels(call->isa)};
    uint32_t aligned = (uint32_t)(((uint64_t)call->x - (uint64_t)job->frame_x) % FAULT_LINES_STRIP);
    if (terrain__should_stream(call->target.width, call->target.height)) {
        part.stream = terrain__stream_kernels(call->isa);
    }
    part.differences = job->rows + index * FAULT_LINES_ROWS * FAULT_LINES_STRIDE;
    part.heights = part.differences + FAULT_LINES_PATCH * FAULT_LINES_STRIDE;
    part.line = job->map_rows + index * FAULT_LINES_STRIDE;
    part.active = job->active + (size_t)index * p->count;
    memset(part.differences, 0, FAULT_LINES_ROWS * FAULT_LINES_STRIDE * sizeof *part.differences);
    for (part.x = 0; part.x < call->target.width; part.x += part.width) {
        uint32_t left = call->target.width - part.x;
        part.width = FAULT_LINES_STRIP - (part.x == 0 ? aligned : 0);
        part.width = part.width < left ? part.width : left;
        for (uint32_t y = terrain__band_begin(&bands, index); y < end; y += FAULT_LINES_BAND) {
            fault_lines_put(&part, y, end - y < FAULT_LINES_BAND ? end : y + FAULT_LINES_BAND);
        }
    }
    if (part.stream != NULL) {
        part.stream->done();
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

static const char *fault_lines_check(const void *params)
{
    const fault_lines_params *p = params;
    return (p->frame_width == 0) != (p->frame_height == 0)
               ? "frame_width and frame_height must both be 0 or both be given"
               : NULL;
}

static const char *fault_lines_endless(const void *params)
{
    const fault_lines_params *p = params;
    return p->frame_width == 0 ? "frame_width and frame_height must be given" : NULL;
}

static void fault_lines_set_frame(const terrain__call *call, struct fault_lines_job *job)
{
    const fault_lines_params *p = call->params;
    bool given = p->frame_width != 0;
    job->frame_x = given ? p->frame_x : call->x;
    job->frame_y = given ? p->frame_y : call->y;
    job->frame_width = given ? p->frame_width : call->target.width;
    job->frame_height = given ? p->frame_height : call->target.height;
}

/* Nanoseconds a cell. A line costs something in each row, and a smooth one at each cell of its
 * band. */
static double fault_lines_cost(const fault_lines_params *p, const struct fault_lines_job *job,
                               uint32_t width)
{
    double band = 3 * (double)job->reach < width ? 3 * (double)job->reach : width;
    double line = fault_lines_is_step(p) ? 1.5 : 20 + 0.3 * band;
    return 0.5 + p->count * line / width;
}

static terrain_status fault_lines_prepare(terrain__call *call)
{
    const fault_lines_params *p = call->params;
    struct fault_lines_job *job = call->job;
    uint32_t tasks = fault_lines_bands(call).count;
    fault_lines_set_frame(call, job);
    job->unit = fault_lines_unit(p);
    job->reach =
        p->profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_BELL ? 6 * p->half_width : p->half_width;
    job->lines = terrain__scratch(call, p->count + 1, sizeof *job->lines);
    job->crossings = terrain__scratch(call, p->count + 1, sizeof *job->crossings);
    job->rows =
        terrain__scratch(call, tasks, FAULT_LINES_ROWS * FAULT_LINES_STRIDE * sizeof *job->rows);
    job->map_rows = terrain__scratch(call, tasks, FAULT_LINES_STRIDE * sizeof *job->map_rows);
    job->active = terrain__scratch(call, (size_t)tasks * p->count + 1, sizeof *job->active);
    terrain__commit_cost(call, fault_lines_cost(p, job, call->target.width));
    return TERRAIN_SUCCESS;
}

static terrain_status fault_lines_run(terrain__call *call)
{
    fault_lines_draw_all(call);
    return terrain__commit(call, fault_lines_bands(call).count, fault_lines_band);
}

const terrain_operation terrain__generate_fault_lines = {
    TERRAIN__IDENTITY(generate, fault_lines),
    .result_version = 1,
    .summary = "The sum of many faults along random lines.",
    .reference = "Voss: Random fractal forgeries, 1985; Krten: Generating realistic terrain, Dr. "
                 "Dobb's Journal 1994",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(fault_lines_params),
    TERRAIN__PARAMETERS(fault_lines_parameters),
    .job_size = sizeof(struct fault_lines_job),
    .check = fault_lines_check,
    .endless = fault_lines_endless,
    .prepare = fault_lines_prepare,
    .run = fault_lines_run,
};

TERRAIN__PUBLIC_CHANGE(generate_fault_lines)
