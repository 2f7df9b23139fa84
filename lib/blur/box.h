/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the files of blur_box share: box.c has wide windows, box_narrow.c narrow ones. */

#ifndef TERRAIN_BLUR_BOX_H
#define TERRAIN_BLUR_BOX_H

#include "blur/box_kernels.h"
#include "rows/rows.h"
#include "rows/strips.h"

/* Cells on either side of a window's centre, the outermost of which may count in part. */
static inline uint32_t box_reach(const struct box_window *window)
{
    return window->half + (window->fraction > 0);
}

/* The sum of the weights of the window around cell i that lie within a row of `count` cells. */
static inline double box_inside(const struct box_window *window, int64_t i, int64_t count)
{
    int64_t half = window->half;
    int64_t first = i - half > 0 ? i - half : 0;
    int64_t last = i + half < count - 1 ? i + half : count - 1;
    double ends = (double)((i - half > 0) + (i + half < count - 1));
    return (double)(last - first + 1) + ends * (double)window->fraction;
}

/* A call whose window has at most BOX_DIRECT whole cells on either side, and a part of one more. */
struct box_narrow {
    struct box_window window;
    uint32_t reach;
    terrain_border border;
    terrain__rows rows; /* of the map, as they were */
    terrain__strips strips;
    /* For each band: */
    terrain__plane ring;  /* the last rows averaged across */
    terrain__plane edged; /* a strip's row, and the cells on both sides of it */
};

/* In prepare. */
void terrain__box_narrow_prepare(terrain__call *call, struct box_narrow *narrow,
                                 const struct box_window *window, terrain_border border);

/* In run. */
terrain_status terrain__box_narrow_run(terrain__call *call, const struct box_narrow *narrow);

#endif
