/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_fault_lines: which lines cross a patch of rows, where, and their profiles. */

#ifndef TERRAIN_GENERATE_FAULT_LINES_KERNELS_H
#define TERRAIN_GENERATE_FAULT_LINES_KERNELS_H

#include "base/kernels.h"

enum { FAULT_LINES_PATCH = 8 }; /* rows whose crossings are found together */

/* A line, in cells relative to the frame's first: a cell's distance from it is
 * (normal_x x + normal_y y) - offset. Heights are integers, in the call's unit. */
struct fault_lines_line {
    double normal_x; /* never 0 */
    double normal_y;
    double offset;
    double inverse; /* 1 / normal_x, but for its last bit */
    int32_t displacement;
    float step; /* of smooth profiles: from column to column, in reaches */
};

/* Where a line crosses the rows: all that steps need, and small, since each patch of rows reads
 * those of all its lines. */
struct fault_lines_crossing {
    double start; /* in row y, rint(start + slope y) is the first column beyond the line */
    double slope;
    int32_t left; /* the height left of the line */
    int32_t jump; /* and what is added at the line */
};

/* Columns of the map that are worked on together, relative to the frame: `width` of them, from
 * `first` on. A crossing left of `low` is as good as one there, and one right of `high`, too. */
struct fault_lines_columns {
    double low;
    double high;
    double first;
    uint32_t width;
};

/* A profile in a row: columns from `first` on of a strip, whose column 0 has distance
 * `distance`. */
struct fault_lines_span {
    float distance; /* of the strip's column 0, in reaches */
    float step;     /* from column to column */
    float displacement;
    uint32_t first;
    uint32_t count; /* a multiple of 16 */
};

/* Random lines by an angle and a distance from the frame's middle. */
struct fault_lines_drawing {
    uint64_t first, second; /* streams */
    double radius;          /* the most of the distance */
};

struct fault_lines_kernels {
    /* The normals and offsets of lines whose numbers in the streams are index[i]. */
    void (*draw)(const struct fault_lines_drawing *drawing, const uint64_t *index, uint32_t count,
                 double *normal_x, double *normal_y, double *offset);
    /* active[...] = the lines that cross the columns somewhere between rows y0 and y1. Returns
     * their number, and adds the jumps of lines that pass by on the left to *start. */
    uint32_t (*find)(uint32_t *active, const struct fault_lines_crossing *lines, uint32_t count,
                     double y0, double y1, const struct fault_lines_columns *columns,
                     int32_t *start);
    /* differences[k * stride + column] += jump where an active line crosses row y[k]; column is at
     * most `width`. */
    void (*cross)(int32_t *differences, size_t stride, const struct fault_lines_crossing *lines,
                  const uint32_t *active, uint32_t count, const double y[FAULT_LINES_PATCH],
                  const struct fault_lines_columns *columns);
    /* heights[i] += trunc(displacement * profile(distance + step * (first + i))). */
    void (*sine)(int32_t *heights, const struct fault_lines_span *span);
    void (*cosine)(int32_t *heights, const struct fault_lines_span *span);
    void (*bell)(int32_t *heights, const struct fault_lines_span *span);
    /* out[i] = unit * (start + differences[0] + ... + differences[i] + heights[i]). heights may be
     * NULL. differences[0] to [width] are 0 afterwards. */
    void (*integrate)(float *out, int32_t *differences, const int32_t *heights, uint32_t width,
                      int32_t start, float unit);
};

TERRAIN__DECLARE_KERNELS(fault_lines)

#endif
