/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_fir: smears heights along rows and columns, in both directions, with a recursive filter.
 *
 * The filter of fault-line terrains: R. Krten, Generating realistic terrain, 1994; J. Shankel,
 * Fractal terrain generation - fault formation, Game Programming Gems, 2000.
 *
 * What is computed (SMEAR; tests/oracle/fir.c has all modes in plain C), along every row, then
 * along every column, first forwards and then, from the result, backwards:
 *
 *     for each block of 64 world cells:
 *         p = h[start], where start is `warm` cells before the block, or the line's first cell
 *         for x = start + 1 ... the block's last cell:
 *             p = p + (1 - erosion) * (h[x] - p)
 *             if x is in the block:  result[x] = p
 *
 * A recursion along a line would reach without end, so it restarts for each block, so far before
 * the block that earlier heights would have lost all weight there. DOWNHILL takes max(p, h[x]);
 * CONSERVING moves a share of each fall.
 *
 * The same functions serve rows and columns, both directions and all modes. They filter many lines
 * at once, whose cells lie side by side: those of columns do, and rows are transposed before and
 * after. The way through the map: a task has a band of whole blocks of rows, and goes through it in
 * strips of whole blocks of columns, each from top to bottom.
 *
 *     map, 64 rows of a block   --transpose-->   panel: 64 lines side by side
 *                                                  |  forwards, backwards (a block behind)
 *     ring of rows: this block  <--transpose, forwards--  panel
 *     ring of rows: the block before  --backwards, 128 columns at a time-->  the map
 *
 * Strips are so narrow that the panel and the ring stay in the second-level cache. Where a strip
 * ends, the states of the recursions along its rows are kept for the next one. Rows on both sides
 * of a seam between bands go through the row passes beforehand, and are kept for both bands. */

#include "base/math.h"
#include "erode/fir_lines.h"
#include "rows/rows.h"
#include "terrain/erode.h"
#include "vector/transpose_kernels.h"

typedef terrain_erode_fir_params fir_params;

enum {
    FIR_LINES = TERRAIN__FIR_LINES,
    FIR_COLUMNS = 2 * FIR_LINES, /* columns that are filtered together */
    FIR_OVERLAP = 16 /* bands and strips are this many times what they need of neighbours */
};

static const char *const fir_mode_names[] = {"smear", "downhill", "conserving"};
static const char *const fir_mode_docs[] = {
    "all heights, higher and lower: a blur with a memory",
    "only from a higher cell: hollows fill, no cell is lowered",
    "only from a higher cell, which loses as much: the sum stays",
};

static const terrain_parameter fir_parameters[] = {
    TERRAIN__FLOAT(fir_params, erosion, "", 0.4, 0, 1,
                   "The share of each height that comes from the cell before: 0 changes nothing.",
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__ENUM(fir_params, mode, TERRAIN_ERODE_FIR_MODE_SMEAR, fir_mode,
                  "What a cell takes over from the cell before: all heights, or falls alone."),
    TERRAIN__MASK(fir_params),
};

/* ---- Reach ----------------------------------------------------------------------------------- */

/* Cells after which a height has lost its weight in the recursion: the smallest k with rate^k <
 * 2^-25, or FIR_MOST_WARM + 1. */
static uint32_t fir_warm_of(const fir_params *p)
{
    double rate = p->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING ? 0.5 * (double)p->erosion
                                                               : (double)p->erosion;
    double weight = rate;
    uint32_t warm = 1;
    while (weight >= 0x1p-25 && warm <= FIR_MOST_WARM) {
        weight *= rate;
        warm++;
    }
    return warm;
}

static bool fir_is_identity(const fir_params *p)
{
    return 1.0f - p->erosion == 1.0f;
}

static uint32_t fir_halo(const void *params)
{
    const fir_params *p = params;
    uint32_t warm = fir_warm_of(p);
    if (fir_is_identity(p)) {
        return 0;
    }
    return warm > FIR_MOST_WARM
               ? TERRAIN__GLOBAL
               : FIR_BLOCK - 1 + warm + (p->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING);
}

/* Whole blocks, the cells on both sides of them from which recursions warm up, and for CONSERVING
 * the neighbours to which cells give. */
static void fir_window(const void *params, uint32_t input, const terrain__box *out,
                       terrain__box *in)
{
    const fir_params *p = params;
    const int64_t warm = fir_warm_of(p);
    const int64_t beside = p->mode == TERRAIN_ERODE_FIR_MODE_CONSERVING;
    (void)input;
    *in = *out;
    if (!fir_is_identity(p)) {
        in->x0 = terrain__floor_div(out->x0 - beside, FIR_BLOCK) * FIR_BLOCK - warm;
        in->y0 = terrain__floor_div(out->y0 - beside, FIR_BLOCK) * FIR_BLOCK - warm;
        in->x1 = (terrain__floor_div(out->x1 - 1, FIR_BLOCK) + 1) * FIR_BLOCK + warm + beside;
        in->y1 = (terrain__floor_div(out->y1 - 1, FIR_BLOCK) + 1) * FIR_BLOCK + warm + beside;
    }
}

struct fir_job {
    struct fir_filter filter;
    struct fir_axis across, down;
    terrain__bands bands; /* of blocks of rows */
    int64_t above, below; /* rows that a band needs from its neighbours */
    terrain__plane seams; /* these rows after the row passes, above + below of them for each seam */
    float *scratch;       /* of each task */
    size_t task_size;
    int64_t strip;       /* blocks of columns in a strip */
    size_t carried_size; /* floats that FIR_LINES rows carry from strip to strip */
    size_t stride;       /* of a strip's rows in scratch */
};

/* ---- Bands ----------------------------------------------------------------------------------- */

/* Columns that are filtered from top to bottom: whole blocks. */
struct fir_strip {
    int64_t first, last; /* its blocks */
    int64_t begin, end;  /* its columns */
};

/* A task's share: whole blocks of rows, strip by strip; or the rows around a seam, whose columns
 * are not filtered. */
struct fir_band {
    const terrain__call *call;
    const struct fir_job *job;
    const struct transpose_kernels *transpose;
    uint32_t index;
    int64_t begin, end; /* its rows */
    struct fir_strip strip;
    struct fir_lines columns; /* of the strip, after the passes over the rows */
    float *panel;             /* rows, transposed */
    float *carried;           /* from strip to strip, for each 64 rows: see fir_bundle_rows; NULL:
                               * the strip has all columns */
};

/* First row of a band; of the band after the last: the height. */
static int64_t fir_band_row(const struct fir_job *job, uint32_t band)
{
    return band == job->bands.count ? job->down.count
                                    : fir_begin(&job->down, terrain__band_begin(&job->bands, band));
}

/* Strip `index`, where strips have `blocks` blocks. */
static struct fir_strip fir_strip_of(const struct fir_axis *axis, int64_t blocks, int64_t index)
{
    struct fir_strip strip = {.first = index * blocks, .last = (index + 1) * blocks - 1};
    strip.last = strip.last < axis->blocks ? strip.last : axis->blocks - 1;
    strip.begin = fir_begin(axis, strip.first);
    strip.end = fir_end(axis, strip.last);
    return strip;
}

/* A number of columns, rounded up to whole bundles of lines. */
static size_t fir_padded(int64_t columns)
{
    return ((size_t)columns + FIR_LINES - 1) / FIR_LINES * FIR_LINES;
}

static struct fir_band fir_band_of(const terrain__call *call, uint32_t index, int64_t strip)
{
    const struct fir_job *job = call->job;
    const struct fir_axis *axis = &job->down;
    struct fir_band band = {.call = call,
                            .job = job,
                            .transpose = terrain__transpose_kernels(call->isa),
                            .index = index,
                            .begin = fir_band_row(job, index),
                            .end = fir_band_row(job, index + 1),
                            .strip = fir_strip_of(&job->across, job->strip, strip),
                            .panel = job->scratch + index * job->task_size};
    struct fir_lines *l = &band.columns;
    *l = terrain__fir_lines_of(axis, band.panel + terrain__fir_lines_size(&job->across, FIR_LINES),
                               job->stride);
    l->lines = (uint32_t)fir_padded(band.strip.end - band.strip.begin);
    if (job->carried_size > 0) {
        band.carried = l->cells + terrain__fir_lines_size(axis, job->stride);
    }
    if (band.end + job->below < l->end) {
        l->end = band.end + job->below;
    }
    if (band.begin > job->above) {
        l->first = (band.begin - job->above + axis->warm + axis->origin) / axis->block;
    }
    return band;
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Whether the columns of a block of rows are filtered forwards while its rows are turned back: the
 * usual case, in which it is whole, and only the recursion into the next block warms up in it.
 * (That one is the only block ahead in a map of two, however many rows it warms up over.) */
static bool fir_is_turned(const struct fir_band *band, int64_t block)
{
    const struct fir_job *job = band->job;
    const int64_t begin = fir_begin(&job->down, block);
    return job->filter.mode != TERRAIN_ERODE_FIR_MODE_CONSERVING && job->across.origin == 0 &&
           job->down.ahead == 1 && job->down.warm <= FIR_LINES && begin >= band->begin &&
           begin < band->end && fir_end(&job->down, block) - begin == FIR_LINES;
}

/* Turns a block of rows back into the strip's columns from x on, and filters these forwards. The
 * panel has `count` of them, and room for FIR_LINES. */
static void fir_turn_columns(const struct fir_band *band, int64_t block, float *panel, size_t x,
                             size_t count)
{
    const struct fir_lines *l = &band->columns;
    const struct fir_turned_run run = {.state = fir_state(l, block) + x,
                                       .later = fir_state(l, block + 1) + x,
                                       .start = (uint32_t)(FIR_LINES - l->axis->warm),
                                       .first_stays = block == 0,
                                       .before = l->before + x,
                                       .in = panel,
                                       .out = fir_at(l, fir_begin(l->axis, block)) + x,
                                       .out_step = l->step};
    memset(panel + count * FIR_LINES, 0, (FIR_LINES - count) * FIR_LINES * sizeof *panel);
    const struct fir_filter *filter = &band->job->filter;
    filter->kernels->turned[filter->mode](&run, &filter->rates);
}

/* Filters the strip's columns, FIR_COLUMNS at a time: forwards over the block of rows that came in,
 * unless they are already, and backwards over the block that can now be completed. */
static void fir_columns(const struct fir_band *band, int64_t block)
{
    const struct fir_axis *axis = band->columns.axis;
    const terrain__plane *target = &band->call->target;
    const size_t width = (size_t)(band->strip.end - band->strip.begin);
    const int64_t done = block - axis->ahead;
    const int64_t begin = fir_begin(axis, done);
    const bool own = done >= 0 && begin >= band->begin && begin < band->end;
    struct fir_lines l = band->columns;
    for (size_t x = 0; x < width; x += FIR_COLUMNS) {
        const size_t left = band->columns.lines - x;
        float *out = own ? terrain__plane_row(target, begin) + band->strip.begin + x : NULL;
        l.lines = (uint32_t)(left < FIR_COLUMNS ? left : FIR_COLUMNS);
        if (block < axis->blocks && fir_begin(axis, block) < l.end && !fir_is_turned(band, block)) {
            terrain__fir_forward(&band->job->filter, &l, block);
        }
        if (own && done >= l.first && x + l.lines <= width) {
            terrain__fir_backward(&band->job->filter, &l, done, out, (ptrdiff_t)target->stride);
        } else if (done >= l.first) {
            terrain__fir_backward(&band->job->filter, &l, done, fir_at(&l, begin), l.step);
            for (int64_t y = begin; own && y < fir_end(axis, done); y++, out += target->stride) {
                fir_copy(out, fir_at(&l, y), width - x);
            }
        }
        l.cells += FIR_COLUMNS;
        l.states += FIR_COLUMNS;
        l.before += FIR_COLUMNS;
        l.kept += FIR_COLUMNS;
        l.edge += FIR_COLUMNS;
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Rows to be filtered, at most FIR_LINES. */
struct fir_bundle {
    terrain__view from;
    terrain__plane to; /* from the strip's first column on */
    const float *next; /* the first row of the next bundle; NULL: there is none */
    float *carried;    /* what a strip leaves to the next one; NULL: there is only one */
    bool turned;       /* the rows are the band's block `block`: see fir_is_turned */
    int64_t block;
};

/* What is read after this block: the next block, or the first one of the next rows. Rows are too
 * far apart for the processor to predict it. */
static struct fir_soon fir_soon_of(const struct fir_bundle *bundle, const struct fir_lines *l,
                                   const struct fir_strip *strip, int64_t end)
{
    const struct fir_axis *axis = l->axis;
    struct fir_soon soon = {.stride = bundle->from.stride};
    const bool whole = axis->block == FIR_BLOCK && bundle->from.height == FIR_LINES;
    if (whole && end + FIR_BLOCK <= axis->count && end < l->end) {
        soon.cells = bundle->from.cells + end;
    } else if (whole && end >= l->end && bundle->next != NULL &&
               strip->begin + FIR_BLOCK <= axis->count) {
        soon.cells = bundle->next + strip->begin;
    }
    return soon;
}

/* Filters rows in both directions. For its last block a strip needs forward results of the next
 * strip's first cells, which that strip computes again. */
static void fir_bundle_rows(const struct fir_band *band, const struct fir_bundle *bundle)
{
    const struct fir_filter *filter = &band->job->filter;
    const struct fir_axis *axis = &band->job->across;
    const struct fir_strip *strip = &band->strip;
    const terrain__view *from = &bundle->from;
    const bool open = bundle->carried != NULL && strip->last + 1 < axis->blocks;
    const size_t begun = (size_t)(axis->ahead + 1) * FIR_LINES; /* into this strip or the next */
    struct fir_lines l = terrain__fir_lines_of(axis, band->panel, FIR_LINES);
    l.lines = FIR_LINES;
    if (open) {
        l.end = strip->end + axis->warm + 1;
        l.end = l.end < axis->count ? l.end : axis->count;
    }
    if (from->height < FIR_LINES) {
        memset(band->panel, 0,
               (size_t)terrain__fir_lines_size(axis, FIR_LINES) * sizeof *band->panel);
    }
    if (strip->first > 0) {
        fir_copy(l.states, bundle->carried, begun);
        fir_copy(l.kept, bundle->carried + begun, FIR_LINES);
    }
    for (int64_t block = strip->first; block <= strip->last + axis->ahead; block++) {
        int64_t done = block - axis->ahead;
        int64_t begin = fir_begin(axis, block);
        if (block < axis->blocks && begin < l.end) {
            int64_t end = fir_end(axis, block) < l.end ? fir_end(axis, block) : l.end;
            l.soon = fir_soon_of(bundle, &l, strip, end);
            band->transpose->cells(fir_at(&l, begin), FIR_LINES, from->cells + begin, from->stride,
                                   from->height, (uint32_t)(end - begin));
            terrain__fir_forward(filter, &l, block);
        }
        if (open && block == strip->last) {
            fir_copy(bundle->carried, l.states, begun);
        }
        if (done >= strip->first) {
            int64_t end = fir_end(axis, done);
            begin = fir_begin(axis, done);
            if (l.soon.cells != NULL) {
                l.soon.cells += TERRAIN__FIR_SOON;
            }
            terrain__fir_backward(filter, &l, done, fir_at(&l, begin), l.step);
            if (bundle->turned) {
                fir_turn_columns(band, bundle->block, fir_at(&l, begin),
                                 (size_t)(begin - strip->begin), (size_t)(end - begin));
            } else {
                band->transpose->cells(bundle->to.cells + (begin - strip->begin), bundle->to.stride,
                                       fir_at(&l, begin), FIR_LINES, (uint32_t)(end - begin),
                                       from->height);
            }
        }
    }
    if (open) {
        fir_copy(bundle->carried + begun, l.kept, FIR_LINES);
    }
}

/* Filters the band's rows from `begin` to `end` - 1, which are the bundle's: its `to`, `turned` and
 * `block` are set. */
static void fir_rows(const struct fir_band *band, int64_t begin, int64_t end,
                     struct fir_bundle bundle)
{
    const terrain__view *map = &band->call->map;
    bundle.from = *map;
    for (int64_t row = begin; row < end; row += FIR_LINES) {
        const int64_t next = row + FIR_LINES < end ? row + FIR_LINES : end;
        bundle.from.cells = terrain__view_row(map, row);
        bundle.from.height = (uint32_t)(next - row);
        bundle.next = next + FIR_LINES <= band->end ? terrain__view_row(map, next) : NULL;
        if (band->carried != NULL) {
            bundle.carried = band->carried + (size_t)(row - band->begin + FIR_LINES - 1) /
                                                 FIR_LINES * band->job->carried_size;
        }
        fir_bundle_rows(band, &bundle);
        bundle.to.cells += FIR_LINES * bundle.to.stride;
    }
}

/* ---- Seams ----------------------------------------------------------------------------------- */

/* A row among those kept around the seam before a band. */
static float *fir_seam_row(const struct fir_job *job, uint32_t band, int64_t row)
{
    int64_t offset = row - (fir_band_row(job, band) - job->above);
    return terrain__plane_row(&job->seams, (band - 1) * (job->above + job->below) + offset);
}

/* Clears the cells that fill up the last bundle of columns, from `width` on, whose results are not
 * used. */
static void fir_clear_pad(float *cells, size_t stride, int64_t rows, size_t width, size_t padded)
{
    for (int64_t row = 0; row < rows && width < padded; row++) {
        memset(cells + (size_t)row * stride + width, 0, (padded - width) * sizeof(float));
    }
}

/* Filters the rows around the seam after band `index`, which both bands need, before either
 * overwrites them. */
static void fir_seam_task(terrain__call *call, uint32_t index)
{
    const struct fir_job *job = call->job;
    const int64_t seam = fir_band_row(job, index + 1);
    const struct fir_band rows = {.call = call,
                                  .job = job,
                                  .transpose = terrain__transpose_kernels(call->isa),
                                  .begin = seam > job->above ? seam - job->above : 0,
                                  .end = seam + job->below < job->down.count ? seam + job->below
                                                                             : job->down.count,
                                  .strip = fir_strip_of(&job->across, job->across.blocks, 0),
                                  .panel = job->scratch + index * job->task_size};
    float *to = fir_seam_row(job, index + 1, rows.begin);
    fir_rows(&rows, rows.begin, rows.end,
             (struct fir_bundle){.to = {.cells = to, .stride = job->seams.stride}});
    fir_clear_pad(to, job->seams.stride, rows.end - rows.begin, (size_t)job->across.count,
                  job->seams.width);
}

/* Runs the recursions down columns that begin above the band's first block of rows. */
static void fir_enter(const struct fir_band *band)
{
    const struct fir_job *job = band->job;
    const struct fir_lines *l = &band->columns;
    const struct fir_axis *axis = l->axis;
    int64_t begin = fir_begin(axis, l->first);
    for (int64_t block = l->first; block <= l->first + axis->ahead && block < axis->blocks;
         block++) {
        int64_t start = block * axis->block - axis->origin - axis->warm;
        start = start > 0 ? start : 0;
        if (start >= begin) {
            break;
        }
        const float *row = fir_seam_row(job, band->index, start) + band->strip.begin;
        fir_copy(fir_state(l, block), row, l->lines);
        if (start + 1 < begin) {
            const struct fir_run run = {.state = fir_state(l, block),
                                        .in = row + job->seams.stride,
                                        .in_step = (ptrdiff_t)job->seams.stride,
                                        .count = (uint32_t)(begin - start - 1),
                                        .lines = l->lines};
            job->filter.kernels->warm[job->filter.mode](&run, &job->filter.rates);
        }
    }
}

/* One strip of a band, from top to bottom. */
static void fir_band_strip(const struct fir_band *band)
{
    const struct fir_job *job = band->job;
    const struct fir_axis *axis = &job->down;
    const struct fir_lines *l = &band->columns;
    const int64_t last = (band->end - 1 + axis->origin) / axis->block;
    const size_t width = (size_t)(band->strip.end - band->strip.begin);
    fir_clear_pad(l->cells, job->stride, (axis->ahead + 1) * axis->block, width, l->lines);
    fir_enter(band);
    for (int64_t block = l->first; block <= last + axis->ahead; block++) {
        int64_t begin = fir_begin(axis, block);
        if (begin >= band->begin && begin < band->end) {
            const struct fir_bundle bundle = {
                .to = {.cells = fir_at(l, begin), .stride = job->stride},
                .turned = fir_is_turned(band, block),
                .block = block};
            fir_rows(band, begin, fir_end(axis, block), bundle);
        } else {
            /* Rows of a neighbour, as far as they are needed. */
            int64_t end = fir_end(axis, block) < l->end ? fir_end(axis, block) : l->end;
            for (int64_t row = begin; row < end; row++) {
                const uint32_t seam = band->index + (row >= band->end);
                fir_copy(fir_at(l, row), fir_seam_row(job, seam, row) + band->strip.begin, width);
            }
        }
        fir_columns(band, block);
    }
}

static void fir_band_task(terrain__call *call, uint32_t index)
{
    const struct fir_job *job = call->job;
    for (int64_t strip = 0; strip * job->strip < job->across.blocks; strip++) {
        const struct fir_band band = fir_band_of(call, index, strip);
        fir_band_strip(&band);
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Shares out rows among tasks, and finds what each needs from its neighbours. Strips are as wide as
 * the second-level cache has room for their rings, besides all else that is read and written, or
 * wider, so that the part that two strips both compute is small. */
static void fir_plan(struct fir_job *job, uint32_t warm, bool alone)
{
    job->above = warm + (job->filter.mode == TERRAIN_ERODE_FIR_MODE_CONSERVING ? FIR_BLOCK : 0);
    job->below = warm + 1;
    int64_t least = (job->above + job->below) * FIR_OVERLAP / job->down.block + 1;
    const uint32_t blocks = (uint32_t)job->down.blocks;
    const uint32_t bands = alone ? 1 : terrain__bands_of(blocks, (uint32_t)least).count;
    job->bands = terrain__bands_of(blocks, (blocks - 1) / bands + 1); /* as many, of equal size */
    const struct fir_axis *across = &job->across;
    const int64_t row = (job->down.ahead + 1) * job->down.block * (int64_t)sizeof(float);
    const int64_t cached = (int64_t)(TERRAIN__CACHE_BYTES / 2) / row / across->block;
    const int64_t wide = (across->warm + 1) * FIR_OVERLAP / across->block + 1;
    const int64_t most = cached > wide ? cached : wide;
    const int64_t strips = (across->blocks - 1) / most + 1;
    job->strip = (across->blocks - 1) / strips + 1; /* of equal size */
    job->carried_size = strips > 1 ? (size_t)(across->ahead + 2) * FIR_LINES : 0;
    const int64_t widest = job->strip * across->block;
    job->stride =
        terrain__padded_stride(fir_padded(widest < across->count ? widest : across->count));
}

static terrain_status fir_prepare(terrain__call *call)
{
    const fir_params *p = call->params;
    struct fir_job *job = call->job;
    const uint32_t width = call->target.width;
    const uint32_t warm = fir_warm_of(p);
    if (fir_is_identity(p)) {
        return TERRAIN_SUCCESS;
    }
    job->filter.mode = p->mode;
    job->filter.kernels = terrain__fir_kernels(call->isa);
    job->filter.rates.keep = 1.0f - p->erosion;
    job->filter.rates.give = 0.5f * p->erosion;
    job->filter.rates.turn = 1.0f / (1.0f + p->erosion);
    job->across = terrain__fir_axis_of(call->x, width, warm);
    job->down = terrain__fir_axis_of(call->y, call->target.height, warm);
    fir_plan(job, warm, terrain__is_alone(call));
    job->seams =
        terrain__scratch_plane(call, (uint32_t)fir_padded(job->across.count + FIR_LINES - 1),
                               (uint32_t)(job->above + job->below) * (job->bands.count - 1) + 1);
    uint64_t task_size = terrain__fir_lines_size(&job->across, FIR_LINES) +
                         terrain__fir_lines_size(&job->down, job->stride) +
                         (uint64_t)job->bands.rows_per_band * job->carried_size;
    job->task_size = (size_t)task_size;
    job->scratch = terrain__scratch(call, task_size < SIZE_MAX ? job->task_size : SIZE_MAX,
                                    job->bands.count * sizeof(float));
    terrain__commit_cost(call, 1);
    terrain__expect_passes(call, 2);
    return TERRAIN_SUCCESS;
}

static terrain_status fir_run(terrain__call *call)
{
    const struct fir_job *job = call->job;
    if (fir_is_identity(call->params)) {
        return terrain__commit_copy(call);
    }
    terrain_status status = terrain__run(call, job->bands.count - 1, fir_seam_task);
    return status == TERRAIN_SUCCESS ? terrain__commit(call, job->bands.count, fir_band_task)
                                     : status;
}

/* The filter's standard deviation, sigma = sqrt(2 e) / (1 - e), scales as a length. */
static const char *fir_scale(void *params, const void *before, double scale)
{
    fir_params *p = params;
    const double e = (double)((const fir_params *)before)->erosion;
    const double sigma = terrain__sqrt(2 * e) / (1 - e) * scale;
    if (e > 0 && e < 1) {
        const double root = (terrain__sqrt(2 + 4 * sigma * sigma) - terrain__sqrt(2)) / (2 * sigma);
        p->erosion = (float)(root * root);
    }
    return NULL;
}

const terrain_operation terrain__erode_fir = {
    TERRAIN__IDENTITY(erode, fir),
    .result_version = 1,
    .summary = "Smears heights along rows and columns, as water washes them down.",
    .reference = "Krten, 1994; Shankel, Game Programming Gems, 2000",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(fir_params),
    TERRAIN__PARAMETERS(fir_parameters),
    .job_size = sizeof(struct fir_job),
    .scale = fir_scale,
    .halo = fir_halo,
    .window = fir_window,
    .prepare = fir_prepare,
    .run = fir_run,
};

TERRAIN__PUBLIC_CHANGE(erode_fir)
