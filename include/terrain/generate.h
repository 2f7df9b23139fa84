/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate: overwrites every cell and reads none. */

#ifndef TERRAIN_GENERATE_H
#define TERRAIN_GENERATE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
