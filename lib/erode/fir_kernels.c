/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/fir_kernels.h"

#include "base/cache.h"
#include "terrain/erode.h"
#include "vector/vec.h"

/* Vectors whose recursions run interleaved: a step takes about 12 cycles, its throughput is 1 or 2.
 * Lines that are too few for that run in fours. */
enum { FIR_MANY = 8, FIR_FEW = TERRAIN__FIR_LINES / VEC_LANES < 8 ? 4 : 8 };

/* ---- Steps ----------------------------------------------------------------------------------- */

/* SMEAR and DOWNHILL. A constant line stays as it is to the last bit, and keep = 0 gives the height
 * before. A comparison with NaN is false. */
TERRAIN__INLINE vfloat fir_step(vfloat before, vfloat height, vfloat keep, uint32_t mode)
{
    vfloat mixed = before + keep * (height - before);
    return mode == TERRAIN_ERODE_FIR_MODE_DOWNHILL ? vf_max(mixed, height) : mixed;
}

/* CONSERVING: what slides from a cell of height `before` into the next. */
TERRAIN__INLINE vfloat fir_slide(vfloat before, vfloat height, vfloat give)
{
    return give * vf_max(before - height, vf_set(0));
}

TERRAIN__INLINE void fir_ask(struct fir_soon *soon)
{
    if (soon->cells != NULL) {
        terrain__prefetch(soon->cells, TERRAIN__FIR_SOON * sizeof(float));
        soon->cells += soon->stride;
    }
}

/* ---- Recursions ------------------------------------------------------------------------------ */

TERRAIN__INLINE void fir_warm_vectors(float *state, const float *in, ptrdiff_t step, uint32_t count,
                                      const struct fir_rates *rates, uint32_t mode, int vectors)
{
    const vfloat keep = vf_set(rates->keep);
    const vfloat give = vf_set(rates->give);
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
        in += step;
    } while (--count > 0);
    for (int k = 0; k < vectors; k++) {
        vf_store(state + k * VEC_LANES, p[k]);
    }
}

TERRAIN__INLINE void fir_filter_vectors(float *state, const float *in, ptrdiff_t in_step,
                                        float *out, ptrdiff_t out_step, uint32_t count,
                                        const struct fir_rates *rates, struct fir_soon soon,
                                        uint32_t mode, int vectors)
{
    const vfloat keep = vf_set(rates->keep);
    vfloat p[FIR_MANY];
    for (int k = 0; k < vectors; k++) {
        p[k] = vf_load(state + k * VEC_LANES);
    }
    do {
        fir_ask(&soon);
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

/* How high a cell ends is known when it is known what slides on into the next: the step after
 * writes it. */
TERRAIN__INLINE void fir_conserve_vectors(float *state, float *edge, const float *in,
                                          ptrdiff_t in_step, float *out, ptrdiff_t out_step,
                                          uint32_t count, const struct fir_rates *rates,
                                          struct fir_soon soon, int vectors)
{
    const vfloat give = vf_set(rates->give);
    vfloat p[FIR_MANY];
    for (int k = 0; k < vectors; k++) {
        vfloat h = vf_load(in + k * VEC_LANES);
        vfloat slid = fir_slide(vf_load(state + k * VEC_LANES), h, give);
        vf_store(edge + k * VEC_LANES, slid);
        p[k] = h + slid;
    }
    for (uint32_t i = 1; i < count; i++, out += out_step) {
        in += in_step;
        fir_ask(&soon);
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

/* ---- All lines ------------------------------------------------------------------------------- */

#define FIR_LOOPS(name, mode)                                                                      \
    static void fir_warm_##name(float *state, const float *in, ptrdiff_t step, uint32_t count,     \
                                uint32_t lines, const struct fir_rates *rates)                     \
    {                                                                                              \
        uint32_t x = 0;                                                                            \
        for (; x + FIR_MANY * VEC_LANES <= lines; x += FIR_MANY * VEC_LANES) {                     \
            fir_warm_vectors(state + x, in + x, step, count, rates, mode, FIR_MANY);               \
        }                                                                                          \
        for (; x < lines; x += FIR_FEW * VEC_LANES) {                                              \
            fir_warm_vectors(state + x, in + x, step, count, rates, mode, FIR_FEW);                \
        }                                                                                          \
    }                                                                                              \
    static void fir_filter_##name(float *state, float *edge, const float *in, ptrdiff_t in_step,   \
                                  float *out, ptrdiff_t out_step, uint32_t count, uint32_t lines,  \
                                  const struct fir_rates *rates, struct fir_soon soon)             \
    {                                                                                              \
        uint32_t x = 0;                                                                            \
        for (; x + FIR_MANY * VEC_LANES <= lines; x += FIR_MANY * VEC_LANES) {                     \
            fir_filter_some(state + x, edge + x, in + x, in_step, out + x, out_step, count, rates, \
                            soon, mode, FIR_MANY);                                                 \
            soon.cells = NULL;                                                                     \
        }                                                                                          \
        for (; x < lines; x += FIR_FEW * VEC_LANES) {                                              \
            fir_filter_some(state + x, edge + x, in + x, in_step, out + x, out_step, count, rates, \
                            soon, mode, FIR_FEW);                                                  \
            soon.cells = NULL;                                                                     \
        }                                                                                          \
    }

TERRAIN__INLINE void fir_filter_some(float *state, float *edge, const float *in, ptrdiff_t in_step,
                                     float *out, ptrdiff_t out_step, uint32_t count,
                                     const struct fir_rates *rates, struct fir_soon soon,
                                     uint32_t mode, int vectors)
{
    if (mode == TERRAIN_ERODE_FIR_MODE_CONSERVING) {
        fir_conserve_vectors(state, edge, in, in_step, out, out_step, count, rates, soon, vectors);
    } else {
        fir_filter_vectors(state, in, in_step, out, out_step, count, rates, soon, mode, vectors);
    }
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
    .leave = fir_leave,
    .turn = fir_turn,
};
