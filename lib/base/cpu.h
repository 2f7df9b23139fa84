/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Which instruction set is used. */

#ifndef TERRAIN_BASE_CPU_H
#define TERRAIN_BASE_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* The best instruction set that the build has, the machine has, and the environment's TERRAIN_ISA
 * (baseline, avx2, avx512) allows. Found at first use. */
uint32_t terrain__best_isa(void);

/* Whether the arithmetic of that instruction set's kernels, and of all below it, is what it must
 * be: canary.h. Found at first use. */
bool terrain__build_is_sound(void);

#endif
