/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The only state of the process: one atomic word with what was found at first use. Threads that
 * race find the same and write the same. */

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/canary.h"
#include "base/float_environment.h"
#include "terrain/context.h"

enum { CPU_KNOWN = 1 << 8, CPU_SOUND = 1 << 9, CPU_ISA_MASK = 0xFF };

static atomic_uint cpu_state;

static uint32_t cpu_machine_isa(void)
{
#if defined(TERRAIN_HAVE_AVX512)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return TERRAIN_ISA_AVX512;
    }
#endif
#if defined(TERRAIN_HAVE_AVX2)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        return TERRAIN_ISA_AVX2;
    }
#endif
    return TERRAIN_ISA_BASELINE;
}

/* An unknown name caps nothing. */
static uint32_t cpu_environment_cap(void)
{
    const char *name = getenv("TERRAIN_ISA");
    if (name != NULL && strcmp(name, "baseline") == 0) {
        return TERRAIN_ISA_BASELINE;
    }
    if (name != NULL && strcmp(name, "avx2") == 0) {
        return TERRAIN_ISA_AVX2;
    }
    return TERRAIN_ISA_BEST;
}

static uint32_t cpu_look(void)
{
    terrain__float_environment host;
    uint32_t isa = cpu_machine_isa();
    uint32_t cap = cpu_environment_cap();
    bool sound = true;
    isa = isa < cap ? isa : cap;
    terrain__float_enter(&host);
    for (uint32_t level = 0; level <= isa; level++) {
        sound = sound && terrain__canary_sings(level);
    }
    terrain__float_leave(&host);
    return CPU_KNOWN | (sound ? CPU_SOUND : 0) | isa;
}

static uint32_t cpu_known(void)
{
    uint32_t state = atomic_load_explicit(&cpu_state, memory_order_relaxed);
    if (state == 0) {
        state = cpu_look();
        atomic_store_explicit(&cpu_state, state, memory_order_relaxed);
    }
    return state;
}

uint32_t terrain__best_isa(void)
{
    return cpu_known() & CPU_ISA_MASK;
}

bool terrain__build_is_sound(void)
{
    return (cpu_known() & CPU_SOUND) != 0;
}
