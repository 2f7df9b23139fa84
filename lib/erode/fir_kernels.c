/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/fir_kernels.h"

#include "base/cache.h"
#include "terrain/erode.h"
#include "vector/vec.h"

/* Vectors whose recursions are interleaved: a step has a latency of about 12 cycles and a
 * throughput of 1 or 2. Lines that are too few for FIR_MANY go by FIR_FEW. */
enum { FIR_MANY = 8, FIR_FEW = TERRAIN__FIR_LINES / VEC_LANES < 8 ? 4 : 8 };

/* ---- Steps ----------------------------------------------------------------------------------- */

/* SMEAR and DOWNHILL. A constant line stays constant to the last bit, and keep = 0 gives the height
 * before. Comparisons with NaN are false. */
TERRAIN__INLINE vfloat fir_step(vfloat before, vfloat height, vfloat keep, uint32_t mode)
{
    vfloat mixed = before + keep * (height - before);
    return mode == TERRAIN_ERODE_FIR_MODE_DOWNHILL ? vf_max(mixed, height) : mixed;
}

/* CONSERVING: how much slides into a cell from the one before it. */
TERRAIN__INLINE vfloat fir_slide(vfloat before, vfloat height, vfloat give)
{
    return give * vf_max(before - height, vf_set(0));
}

TERRAIN__INLINE void fir_prefetch(struct fir_soon *soon)
{
    if (soon->cells != NULL) {
        terrain__prefetch_far(soon->cells, TERRAIN__FIR_SOON * sizeof(float));
        soon->cells += soon->stride;
    }
}

/* ---- Recursions ------------------------------------------------------------------------------ */

/* Lines x to x + vectors * VEC_LANES - 1 of a run. */
TERRAIN__INLINE void fir_warm_vectors(const struct fir_run *run, uint32_t x,
                                      const struct fir_rates *rates, uint32_t mode, int vectors)
{
    const vfloat keep = vf_set(rates->keep);
    const vfloat give = vf_set(rates->give);
    const ptrdiff_t in_step = run->in_step;
    const float *in = run->in + x;
    float *state = run->state + x;
    uint32_t count = run->count;
    vfloat p[FIR_MANY];
    for (int k = 0; k < vectors; k++) {
        p[k] = vf_load(state + k * VEC_LANES);
    }
    do {
        for (int k = 0; k < vectors; k++) {
            vfloat h = vf_load(in + k * VEC_LANES);
            p[k] = mode == TERRAIN_ERODE_FIR_MODE_CONSERVING ? h + fir_slide(p[k], h, give)
                                                             : fir_step(p[k], h, keep, mode);
        }
        in += in_step;
    } while (--count > 0);
    for (int k = 0; k < vectors; k++) {
        vf_store(state + k * VEC_LANES, p[k]);
    }
}

TERRAIN__INLINE void fir_filter_vectors(const struct fir_run *run, uint32_t x, struct fir_soon soon,
                                        const struct fir_rates *rates, uint32_t mode, int vectors)
{
    const vfloat keep = vf_set(rates->keep);
    const ptrdiff_t in_step = run->in_step, out_step = run->out_step;
    const float *in = run->in + x;
    float *out = run->out + x, *state = run->state + x;
    uint32_t count = run->count;
    vfloat p[FIR_MANY];
    for (int k = 0; k < vectors; k++) {
        p[k] = vf_load(state + k * VEC_LANES);
    }
    do {
        fir_prefetch(&soon);
        for (int k = 0; k < vectors; k++) {
            p[k] = fir_step(p[k], vf_load(in + k * VEC_LANES), keep, mode);
            vf_store(out + k * VEC_LANES, p[k]);
        }
        in += in_step;
        out += out_step;
    } while (--count > 0);
    for (int k = 0; k < vectors; k++) {
        vf_store(state + k * VEC_LANES, p[k]);
    }
}

/* A cell's final height is known only when what slides on into the next cell is: the next step
 * writes it. */
TERRAIN__INLINE void fir_conserve_vectors(const struct fir_run *run, uint32_t x,
                                          struct fir_soon soon, const struct fir_rates *rates,
                                          int vectors)
{
    const vfloat give = vf_set(rates->give);
    const ptrdiff_t in_step = run->in_step, out_step = run->out_step;
    const uint32_t count = run->count;
    const float *in = run->in + x;
    float *out = run->out + x, *state = run->state + x, *edge = run->edge + x;
    vfloat p[FIR_MANY];
    for (int k = 0; k < vectors; k++) {
        vfloat h = vf_load(in + k * VEC_LANES);
        vfloat slid = fir_slide(vf_load(state + k * VEC_LANES), h, give);
        vf_store(edge + k * VEC_LANES, slid);
        p[k] = h + slid;
    }
    for (uint32_t i = 1; i < count; i++, out += out_step) {
        in += in_step;
        fir_prefetch(&soon);
        for (int k = 0; k < vectors; k++) {
            vfloat h = vf_load(in + k * VEC_LANES);
            vfloat slid = fir_slide(p[k], h, give);
            vf_store(out + k * VEC_LANES, p[k] - slid);
            p[k] = h + slid;
        }
    }
    for (int k = 0; k < vectors; k++) {
        vf_store(out + k * VEC_LANES, p[k]);
        vf_store(state + k * VEC_LANES, p[k]);
    }
}

/* The cells from `begin` to `end` - 1, four at a time: turning them on their side and other lines'
 * steps hide the latency of a line's steps, even with its state in memory. */
TERRAIN__INLINE void fir_turned_cells(const struct fir_turned_run *run, uint32_t begin,
                                      uint32_t end, const struct fir_rates *rates, uint32_t mode,
                                      bool warm)
{
    static const int32_t lines[] = {0,   64,  128, 192, 256, 320, 384, 448,
                                    512, 576, 640, 704, 768, 832, 896, 960};
    const vfloat keep = vf_set(rates->keep);
    const ptrdiff_t out_step = run->out_step;
    const uint32_t start = run->start;
    for (uint32_t cell = begin; cell < end; cell += 4) {
        for (uint32_t x = 0; x < TERRAIN__FIR_LINES; x += VEC_LANES) {
            float *out = run->out + cell * out_step + x;
            vfloat h[4], p = vf_load(run->state + x), later = vf_load(run->later + x);
            vf_load_quads(h, run->in + x * TERRAIN__FIR_LINES + cell, lines);
            for (uint32_t k = 0; k < 4; k++) {
                p = cell + k == 0 && run->first_stays ? h[k] : fir_step(p, h[k], keep, mode);
                vf_store(out + k * out_step, p);
                if (warm) {
                    later = cell + k <= start ? h[k] : fir_step(later, h[k], keep, mode);
                }
            }
            vf_store(run->state + x, p);
            if (warm) {
                vf_store(run->later + x, later);
            }
            if (cell + 4 == TERRAIN__FIR_LINES) {
                vf_store(run->before + x, h[3]);
            }
        }
    }
}

/* ---- All lines ------------------------------------------------------------------------------- */

TERRAIN__INLINE void fir_filter_some(const struct fir_run *run, uint32_t x, struct fir_soon soon,
                                     const struct fir_rates *rates, uint32_t mode, int vectors)
{
    if (mode == TERRAIN_ERODE_FIR_MODE_CONSERVING) {
        fir_conserve_vectors(run, x, soon, rates, vectors);
    } else {
        fir_filter_vectors(run, x, soon, rates, mode, vectors);
    }
}

TERRAIN__INLINE void fir_warm_lines(const struct fir_run *run, const struct fir_rates *rates,
                                    uint32_t mode)
{
    const struct fir_run own = *run;
    uint32_t x = 0;
    for (; x + FIR_MANY * VEC_LANES <= own.lines; x += FIR_MANY * VEC_LANES) {
        fir_warm_vectors(&own, x, rates, mode, FIR_MANY);
    }
    for (; x < own.lines; x += FIR_FEW * VEC_LANES) {
        fir_warm_vectors(&own, x, rates, mode, FIR_FEW);
    }
}

/* The first lines prefetch for all. The run is copied because for all the compiler knows the
 * results are written into it. */
TERRAIN__INLINE void fir_filter_lines(const struct fir_run *run, const struct fir_rates *rates,
                                      uint32_t mode)
{
    const struct fir_run own = *run;
    struct fir_soon soon = own.soon;
    uint32_t x = 0;
    for (; x + FIR_MANY * VEC_LANES <= own.lines; x += FIR_MANY * VEC_LANES) {
        fir_filter_some(&own, x, soon, rates, mode, FIR_MANY);
        soon.cells = NULL;
    }
    for (; x < own.lines; x += FIR_FEW * VEC_LANES) {
        fir_filter_some(&own, x, soon, rates, mode, FIR_FEW);
        soon.cells = NULL;
    }
}

#define FIR_LOOPS(name, mode)                                                                      \
    static void fir_warm_##name(const struct fir_run *run, const struct fir_rates *rates)          \
    {                                                                                              \
        fir_warm_lines(run, rates, mode);                                                          \
    }                                                                                              \
    static void fir_filter_##name(const struct fir_run *run, const struct fir_rates *rates)        \
    {                                                                                              \
        fir_filter_lines(run, rates, mode);                                                        \
    }

TERRAIN__INLINE void fir_turned_lines(const struct fir_turned_run *run,
                                      const struct fir_rates *rates, uint32_t mode)
{
    const struct fir_turned_run own = *run;
    const uint32_t alone = own.start / 4 * 4;
    fir_turned_cells(&own, 0, alone, rates, mode, false);
    fir_turned_cells(&own, alone, TERRAIN__FIR_LINES, rates, mode, true);
}

static void fir_turned_smear(const struct fir_turned_run *run, const struct fir_rates *rates)
{
    fir_turned_lines(run, rates, TERRAIN_ERODE_FIR_MODE_SMEAR);
}

static void fir_turned_downhill(const struct fir_turned_run *run, const struct fir_rates *rates)
{
    fir_turned_lines(run, rates, TERRAIN_ERODE_FIR_MODE_DOWNHILL);
}

FIR_LOOPS(smear, TERRAIN_ERODE_FIR_MODE_SMEAR)
FIR_LOOPS(downhill, TERRAIN_ERODE_FIR_MODE_DOWNHILL)
FIR_LOOPS(conserving, TERRAIN_ERODE_FIR_MODE_CONSERVING)

static void fir_leave(float *cells, const float *edge, uint32_t lines)
{
    for (uint32_t i = 0; i < lines; i++) {
        cells[i] -= edge[i];
    }
}

static void fir_turn(float *state, const float *before, uint32_t lines,
                     const struct fir_rates *rates)
{
    for (uint32_t i = 0; i < lines; i++) {
        state[i] = before[i] + rates->turn * (state[i] - before[i]);
    }
}

const struct fir_kernels TERRAIN__KERNELS(fir) = {
    .warm = {fir_warm_smear, fir_warm_downhill, fir_warm_conserving},
    .filter = {fir_filter_smear, fir_filter_downhill, fir_filter_conserving},
    .turned = {fir_turned_smear, fir_turned_downhill},
    .leave = fir_leave,
    .turn = fir_turn,
};
