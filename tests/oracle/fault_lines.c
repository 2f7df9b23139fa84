/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_fault_lines_params fault_params;

/* A line by a point on it and a unit normal, in world cells; the middle of cell (0, 0) is (0,
 * 0). */
typedef struct {
    double x, y;
    double normal_x, normal_y;
} line;

typedef struct {
    double x, y, width, height; /* the middle of the first cell, and the size */
} frame;

static double draw(const fault_params *p, uint32_t stream, uint64_t index)
{
    return terrain__unit_double(
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_fault_lines, stream), index);
}

/* The middle of the frame, and an offset along the normal; again until the line meets the frame. */
static line line_by_angle(const fault_params *p, const frame *f, uint64_t index)
{
    double half_width = f->width / 2;
    double half_height = f->height / 2;
    line l = {0, 0, 0, 0};
    for (uint64_t attempt = 0; attempt < 64; attempt++) {
        double angle =
            6.283185307179586 * draw(p, TERRAIN__DRAW_FAULT_LINES_FIRST, attempt << 32 | index);
        double share = draw(p, TERRAIN__DRAW_FAULT_LINES_SECOND, attempt << 32 | index);
        double offset = hypot(half_width, half_height) * (2 * share - 1);
        l.normal_x = cos(angle);
        l.normal_y = sin(angle);
        l.x = f->x - 0.5 + half_width + offset * l.normal_x;
        l.y = f->y - 0.5 + half_height + offset * l.normal_y;
        if (fabs(offset) <= fabs(l.normal_x) * half_width + fabs(l.normal_y) * half_height) {
            break;
        }
    }
    return l;
}

static line line_by_points(const fault_params *p, const frame *f, uint64_t index)
{
    double x = f->width * draw(p, TERRAIN__DRAW_FAULT_LINES_FIRST, 2 * index);
    double y = f->height * draw(p, TERRAIN__DRAW_FAULT_LINES_FIRST, 2 * index + 1);
    double dx = f->width * draw(p, TERRAIN__DRAW_FAULT_LINES_SECOND, 2 * index) - x;
    double dy = f->height * draw(p, TERRAIN__DRAW_FAULT_LINES_SECOND, 2 * index + 1) - y;
    double length = hypot(dx, dy);
    line l = {f->x - 0.5 + x, f->y - 0.5 + y, dy / length, -dx / length};
    return l;
}

static double profile(const fault_params *p, double t)
{
    double w = (double)p->half_width;
    double pi = 3.141592653589793;
    double side = t < 0 ? -1 : 1;
    switch (p->profile) {
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP:
        return side;
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP01:
        return t < 0 ? 0 : 1;
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE:
        return fabs(t) < w ? sin(pi * t / (2 * w)) : side;
    case TERRAIN_GENERATE_FAULT_LINES_PROFILE_COSINE:
        return fabs(t) < w ? (1 + cos(pi * t / w)) / 2 : 0;
    default:
        return fabs(t) < 6 * w ? exp(-t * t / (2 * w * w)) : 0;
    }
}

static void compute(oracle_call *call)
{
    const fault_params *p = call->params;
    oracle_map *map = &call->result;
    frame f = {(double)p->frame_x, (double)p->frame_y, p->frame_width, p->frame_height};
    if (p->frame_width == 0) {
        frame own = {(double)map->x, (double)map->y, (double)map->width, (double)map->height};
        f = own;
    }
    for (int64_t i = 0; i < map->width * map->height; i++) {
        map->cells[i] = (double)p->offset;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        line l = p->sampler == TERRAIN_GENERATE_FAULT_LINES_SAMPLER_TWO_POINTS
                     ? line_by_points(p, &f, i)
                     : line_by_angle(p, &f, i);
        double first = (double)p->displacement_first;
        double d = first + ((double)p->displacement_last - first) * i / p->count;
        for (int64_t y = 0; y < map->height; y++) {
            for (int64_t x = 0; x < map->width; x++) {
                double t = l.normal_x * ((double)(map->x + x) - l.x) +
                           l.normal_y * ((double)(map->y + y) - l.y);
                *oracle_at(map, x, y) += d * profile(p, t);
            }
        }
    }
}

/* Steps are cut to 2^-28 of the sum of displacements, each by half; smooth profiles are within 1e-6
 * of each displacement. The result is a float. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 3e-4},
    {"count=0", 5, 5, 0, 0, 0},
    {"count=1 displacement_first=-3", 67, 41, 9, -9, 1e-6},
    {"sampler=two_points profile=step01 seed=4", 67, 41, 0, 0, 3e-4},
    {"frame_x=-100 frame_y=20 frame_width=300 frame_height=200", 67, 41, -80, 50, 3e-4},
    {"offset=-40", 67, 41, 3, 0, 3e-4},
    {"profile=sine offset=1000", 67, 41, 0, 0, 6e-4},
    {"profile=cosine half_width=5 count=60", 67, 41, -7, 3, 2e-4},
    {"profile=bell count=60 frame_width=512 frame_height=512", 67, 41, 600, 0, 2e-4},
    {"profile=bell half_width=0.5 sampler=two_points", 1100, 3, 0, 0, 6e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_fault_lines = {"generate_fault_lines", compute, cases, 0};
