/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/fir_lines.h"

#include "base/math.h"
#include "terrain/erode.h"

struct fir_axis terrain__fir_axis_of(int64_t world, int64_t count, uint32_t warm)
{
    struct fir_axis axis = {.count = count, .warm = warm};
    bool global = warm > FIR_MOST_WARM;
    axis.block = global ? count : FIR_BLOCK;
    axis.origin = global ? 0 : terrain__floor_mod(world, FIR_BLOCK);
    axis.blocks = (axis.origin + count - 1) / axis.block + 1;
    axis.ahead = (axis.block - 1 + axis.warm) / axis.block;
    if (axis.ahead > axis.blocks - 1) {
        axis.ahead = axis.blocks - 1;
    }
    return axis;
}

uint64_t terrain__fir_lines_size(const struct fir_axis *axis, uint64_t lines)
{
    return ((uint64_t)(axis->ahead + 1) * ((uint64_t)axis->block + 1) + 3) * lines;
}

struct fir_lines terrain__fir_lines_of(const struct fir_axis *axis, float *scratch, size_t step)
{
    struct fir_lines l = {.axis = axis, .cells = scratch, .end = axis->count};
    l.step = l.state_step = (ptrdiff_t)step;
    l.states = scratch + (axis->ahead + 1) * axis->block * l.step;
    l.before = l.states + (axis->ahead + 1) * l.step;
    l.kept = l.before + l.step;
    l.edge = l.kept + l.step;
    return l;
}

/* ---- One block ------------------------------------------------------------------------------- */

/* Runs the recursions into later blocks over their cells in this block. */
static void fir_warm_later(const struct fir_filter *filter, const struct fir_lines *l,
                           int64_t block, int64_t begin, int64_t end)
{
    const struct fir_axis *axis = l->axis;
    for (int64_t later = block + 1; later <= block + axis->ahead && later < axis->blocks; later++) {
        int64_t start = later * axis->block - axis->origin - axis->warm;
        int64_t from = begin;
        start = start > 0 ? start : 0;
        if (start >= end) {
            break;
        }
        if (start >= begin) {
            fir_copy(fir_state(l, later), fir_at(l, start), l->lines);
            from = start + 1;
        }
        if (from < end) {
            const struct fir_run run = {.state = fir_state(l, later),
                                        .in = fir_at(l, from),
                                        .in_step = l->step,
                                        .count = (uint32_t)(end - from),
                                        .lines = l->lines};
            filter->kernels->warm[filter->mode](&run, &filter->rates);
        }
    }
}

void terrain__fir_forward(const struct fir_filter *filter, const struct fir_lines *l, int64_t block)
{
    const struct fir_axis *axis = l->axis;
    int64_t begin = fir_begin(axis, block);
    int64_t end = fir_end(axis, block) < l->end ? fir_end(axis, block) : l->end;
    int64_t from = begin;
    fir_warm_later(filter, l, block, begin, end);
    if (end == axis->count) {
        fir_copy(l->before, fir_at(l, end - 1), l->lines);
    }
    if (block == 0) {
        fir_copy(fir_state(l, 0), fir_at(l, 0), l->lines); /* the line's first cell stays */
        from++;
    }
    if (from < end) {
        const struct fir_run run = {.state = fir_state(l, block),
                                    .edge = l->edge,
                                    .in = fir_at(l, from),
                                    .in_step = l->step,
                                    .out = fir_at(l, from),
                                    .out_step = l->step,
                                    .count = (uint32_t)(end - from),
                                    .lines = l->lines,
                                    .soon = l->soon};
        filter->kernels->filter[filter->mode](&run, &filter->rates);
        if (filter->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING && (block == 0 || block > l->first)) {
            filter->kernels->leave(fir_at(l, from - 1), l->edge, l->lines);
        }
    }
}

/* Starts the backward recursion into the block: sets its state, and returns the cell where it
 * starts. */
static int64_t fir_start_back(const struct fir_filter *filter, const struct fir_lines *l,
                              int64_t block, float *state)
{
    const struct fir_axis *axis = l->axis;
    int64_t start = (block + 1) * axis->block - axis->origin - 1 + axis->warm;
    if (start < axis->count) {
        fir_copy(state, fir_at(l, start), l->lines);
        return start;
    }
    fir_copy(state, fir_at(l, axis->count - 1), l->lines);
    if (filter->mode == TERRAIN_ERODE_FIR_MODE_SMEAR) {
        filter->kernels->turn(state, l->before, l->lines, &filter->rates);
    }
    return axis->count - 1;
}

void terrain__fir_backward(const struct fir_filter *filter, const struct fir_lines *l,
                           int64_t block, float *out, ptrdiff_t out_step)
{
    const struct fir_axis *axis = l->axis;
    float *state = fir_state(l, block + axis->ahead); /* its forward pass is over */
    int64_t begin = fir_begin(axis, block);
    int64_t last = fir_end(axis, block) - 1;
    int64_t cell = fir_start_back(filter, l, block, state);
    bool turned = cell == last;
    while (--cell > last) {
        int64_t stop = fir_begin(axis, (cell + axis->origin) / axis->block) - 1;
        stop = stop > last ? stop : last;
        const struct fir_run run = {.state = state,
                                    .in = fir_at(l, cell),
                                    .in_step = -l->step,
                                    .count = (uint32_t)(cell - stop),
                                    .lines = l->lines};
        filter->kernels->warm[filter->mode](&run, &filter->rates);
        cell = stop + 1;
    }
    if (turned) {
        fir_copy(out + (last - begin) * out_step, state, l->lines);
        last--;
    }
    if (last >= begin) {
        const struct fir_run run = {.state = state,
                                    .edge = l->edge,
                                    .in = fir_at(l, last),
                                    .in_step = -l->step,
                                    .out = out + (last - begin) * out_step,
                                    .out_step = -out_step,
                                    .count = (uint32_t)(last + 1 - begin),
                                    .lines = l->lines,
                                    .soon = l->soon};
        filter->kernels->filter[filter->mode](&run, &filter->rates);
    }
    if (filter->mode != TERRAIN_ERODE_FIR_MODE_CONSERVING) {
        return;
    }
    if (turned && last >= begin) {
        filter->kernels->leave(out + (last + 1 - begin) * out_step, l->edge, l->lines);
    }
    if (block > l->first) {
        filter->kernels->leave(out, l->kept, l->lines);
    }
    fir_copy(l->kept, l->edge, l->lines);
}
