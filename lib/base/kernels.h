/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels: the row loops that want vectors. A file <algorithm>_kernels.c is compiled once for each
 * instruction set, with TERRAIN_KERNEL_LEVEL (0 baseline, 1 AVX2, 2 AVX-512) set by the build; a
 * compiler that sets nothing builds the baseline. Every level gives the same bits.
 *
 *   thermal_kernels.h   struct thermal_kernels, of function pointers; then
 *                       TERRAIN__DECLARE_KERNELS(thermal);
 *   thermal_kernels.c   static functions, then
 *                       const struct thermal_kernels TERRAIN__KERNELS(thermal) = {…};
 *   thermal.c           const struct thermal_kernels *kernels =
 *                       terrain__thermal_kernels(call->isa);
 *
 * Static functions and types keep plain names: an object holds one level. packaging/single.py,
 * which puts all levels into one file, appends the level to every name that a kernel file or a
 * vector header defines. */

#ifndef TERRAIN_BASE_KERNELS_H
#define TERRAIN_BASE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "terrain/context.h"

#ifndef TERRAIN_KERNEL_LEVEL
#define TERRAIN_KERNEL_LEVEL 0
#endif

#if TERRAIN_KERNEL_LEVEL == 2
#define TERRAIN__KERNELS(name) terrain__##name##_kernels_avx512
#elif TERRAIN_KERNEL_LEVEL == 1
#define TERRAIN__KERNELS(name) terrain__##name##_kernels_avx2
#else
#define TERRAIN__KERNELS(name) terrain__##name##_kernels_baseline
#endif

/* Stands before a loop whose iterations don't depend on each other, though the compiler can't know:
 * its maps are either the same cells or apart. Without it clang leaves a loop scalar wherever it
 * runs in place, four times slower. With little optimisation, or under sanitizers, it leaves some
 * all the same, which is no news to who asked for that. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define TERRAIN__INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TERRAIN__INDEPENDENT _Pragma("GCC ivdep")
#else
#define TERRAIN__INDEPENDENT
#endif

/* Stands before a loop that is as long as a vector or two: unrolled, as it would be first, it isn't
 * found to be one. */
#if defined(__clang__)
#define TERRAIN__ROLLED _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define TERRAIN__ROLLED _Pragma("GCC unroll 1")
#else
#define TERRAIN__ROLLED
#endif

/* For a function whose constant arguments decide how its loops unroll: not left to the compiler's
 * judgement, which would keep arrays of vectors in memory. */
#if defined(__GNUC__)
#define TERRAIN__INLINE static inline __attribute__((always_inline))
#else
#define TERRAIN__INLINE static inline
#endif

/* TERRAIN_HAVE_AVX2 and TERRAIN_HAVE_AVX512 are defined where the build has those objects. */
#if defined(TERRAIN_HAVE_AVX512)
#define TERRAIN__CHOOSE_KERNELS(name, isa)                                                         \
    ((isa) >= TERRAIN_ISA_AVX512 ? &terrain__##name##_kernels_avx512                               \
     : (isa) >= TERRAIN_ISA_AVX2 ? &terrain__##name##_kernels_avx2                                 \
                                 : &terrain__##name##_kernels_baseline)
#elif defined(TERRAIN_HAVE_AVX2)
#define TERRAIN__CHOOSE_KERNELS(name, isa)                                                         \
    ((isa) >= TERRAIN_ISA_AVX2 ? &terrain__##name##_kernels_avx2                                   \
                               : &terrain__##name##_kernels_baseline)
#else
#define TERRAIN__CHOOSE_KERNELS(name, isa) ((void)(isa), &terrain__##name##_kernels_baseline)
#endif

#define TERRAIN__DECLARE_KERNELS(name)                                                             \
    extern const struct name##_kernels terrain__##name##_kernels_baseline;                         \
    extern const struct name##_kernels terrain__##name##_kernels_avx2;                             \
    extern const struct name##_kernels terrain__##name##_kernels_avx512;                           \
    static inline const struct name##_kernels *terrain__##name##_kernels(uint32_t isa)             \
    {                                                                                              \
        return TERRAIN__CHOOSE_KERNELS(name, isa);                                                 \
    }

#endif
