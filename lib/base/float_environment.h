/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The floating-point mode is an input of every float operation: rounding, flush-to-zero, traps.
 * The host may have set it to anything, for each thread. Around each call and each task the
 * library sets the default of IEEE 754 (to nearest, subnormals kept, no traps) and puts the
 * host's back, flags and all (but 64-bit ARM's, which are in a register of their own). The
 * functions are opaque to the optimiser, so that what others may read is stored before they are
 * called and loaded afterwards. But the optimiser does not know that they change arithmetic. It
 * may compute before entering what follows from values that are known by then, and after leaving
 * what only the function at hand sees: terrain__float_settle keeps it from that. */

#ifndef TERRAIN_BASE_FLOAT_ENVIRONMENT_H
#define TERRAIN_BASE_FLOAT_ENVIRONMENT_H

#include <stdint.h>

/* Emscripten has __SSE2__ too, but no such register. */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__SSE2__)
#define TERRAIN__FLOAT_X86 1
#endif

#if defined(__GNUC__) && (defined(TERRAIN__FLOAT_X86) || defined(__aarch64__) ||                   \
                          defined(__s390x__) || (defined(__arm__) && defined(__VFP_FP__)))
typedef uint64_t terrain__float_environment; /* the control register */
#else
#include <fenv.h>
typedef fenv_t terrain__float_environment;
#endif

/* Saves the thread's mode, and sets the default. */
void terrain__float_enter(terrain__float_environment *saved);
/* Sets the mode that was saved. */
void terrain__float_leave(const terrain__float_environment *saved);

/* When this is reached, the value at `here` has been computed, and nothing has been computed from
 * it. */
static inline void terrain__float_settle(const void *here)
{
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(here) : "memory");
#else
    (void)*(const volatile char *)here;
#endif
}

#endif
