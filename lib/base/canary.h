/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The canary: refuses builds whose float arithmetic is not that of IEEE 754. */

#ifndef TERRAIN_BASE_CANARY_H
#define TERRAIN_BASE_CANARY_H

#include <stdbool.h>
#include <stdint.h>

/* Whether float arithmetic is what it must be in the kernels of this instruction set: no
 * contraction, no reordering, no excess precision, no flushing, NaN respected. Needs the default
 * environment. */
bool terrain__canary_sings(uint32_t isa);

#endif
