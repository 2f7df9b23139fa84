/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure/pack_kernels.h"

#include "vector/vec.h"

/* Truncation rounds down here, since nothing is negative. The first comparison is false for NaN. */
static inline int32_t pack_cut(float h, float low, float scale, float most)
{
    float v = (h - low) * scale;
    v = v > 0 ? v : 0;
    v = v < most ? v : most;
    return (int32_t)(v + 0.5f);
}

/* Four vectors of cells from i on. */
static inline void pack_four_to_u8(uint8_t *target, const float *source, size_t i, float low,
                                   float scale)
{
    vfloat v[4];
    for (size_t k = 0; k < 4; k++) {
        v[k] = (vf_load(source + i + k * VEC_LANES) - vf_set(low)) * vf_set(scale);
    }
    vf_store_rounded(target + i, v);
}

/* From 0, which is constant here, the usual range of masks and shades, there is nothing to take
 * away: a third faster. The last vectors end with the row, and do some cells again. */
TERRAIN__INLINE void pack_to_u8_from(uint8_t *restrict target, const float *restrict source,
                                     uint32_t width, float low, float scale)
{
    enum { STEP = 4 * VEC_LANES };
    size_t i = 0;
    for (; i + STEP <= width; i += STEP) {
        pack_four_to_u8(target, source, i, low, scale);
    }
    if (width >= STEP && i < width) {
        pack_four_to_u8(target, source, width - STEP, low, scale);
        i = width;
    }
    for (; i < width; i++) {
        target[i] = (uint8_t)pack_cut(source[i], low, scale, 255);
    }
}

static void pack_to_u8(uint8_t *restrict target, const float *restrict source, uint32_t width,
                       float low, float scale)
{
    if (low == 0) {
        pack_to_u8_from(target, source, width, 0, scale);
    } else {
        pack_to_u8_from(target, source, width, low, scale);
    }
}

static void pack_to_u16(uint16_t *restrict target, const float *restrict source, uint32_t width,
                        float low, float scale)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = (uint16_t)pack_cut(source[i], low, scale, 65535);
    }
}

/* Of all channels: compilers write by vectors where the count is constant. */
TERRAIN__INLINE void pack_interleave_all(uint8_t *restrict target, const uint8_t *const *lines,
                                         uint32_t count, uint32_t width)
{
    const uint8_t *restrict a = lines[0], *restrict b = lines[1],
                            *restrict c = lines[count > 2 ? 2 : 0],
                            *restrict d = lines[count > 3 ? 3 : 0];
    for (size_t i = 0; i < width; i++) {
        target[i * count] = a[i];
        target[i * count + 1] = b[i];
        if (count > 2) {
            target[i * count + 2] = c[i];
        }
        if (count > 3) {
            target[i * count + 3] = d[i];
        }
    }
}

static void pack_interleave(uint8_t *restrict target, const uint8_t *const *lines, uint32_t count,
                            uint32_t width)
{
    uint32_t given = 0;
    for (uint32_t k = 0; k < count; k++) {
        given += lines[k] != NULL;
    }
    if (given == count && count == 4) {
        pack_interleave_all(target, lines, 4, width);
    } else if (given == count && count == 3) {
        pack_interleave_all(target, lines, 3, width);
    } else if (given == count && count == 2) {
        pack_interleave_all(target, lines, 2, width);
    } else {
        for (uint32_t k = 0; k < count; k++) {
            for (size_t i = 0; lines[k] != NULL && i < width; i++) {
                target[i * count + k] = lines[k][i];
            }
        }
    }
}

static void pack_from_u8(float *restrict target, const uint8_t *restrict source, uint32_t width,
                         double low, double step)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = (float)(low + (double)source[i] * step);
    }
}

static void pack_from_u16(float *restrict target, const uint16_t *restrict source, uint32_t width,
                          double low, double step)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = (float)(low + (double)source[i] * step);
    }
}

const struct pack_kernels TERRAIN__KERNELS(pack) = {pack_to_u8, pack_to_u16, pack_interleave,
                                                    pack_from_u8, pack_from_u16};
