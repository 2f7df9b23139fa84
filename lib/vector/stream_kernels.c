/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "vector/stream_kernels.h"

#include "vector/vec.h"

/* Whole cache lines alone: one that is also written through the caches would go back and forth. */
static void stream_row(float *to, const float *from, uint32_t width)
{
    const uint32_t line = 64 / sizeof *to;
    uint32_t i = (uint32_t)(-(uintptr_t)to / sizeof *to % line);
    i = i < width ? i : width;
    memcpy(to, from, i * sizeof *to);
    for (; i + line <= width; i += line) {
        for (uint32_t k = 0; k < line; k += VEC_LANES) {
            vf_stream(to + i + k, vf_load(from + i + k));
        }
    }
    memcpy(to + i, from + i, (width - i) * sizeof *to);
}

static void stream_done(void)
{
    vf_streamed();
}

const struct stream_kernels TERRAIN__KERNELS(stream) = {stream_row, stream_done};
