/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze: reads a map and fills another. */

#ifndef TERRAIN_ANALYZE_H
#define TERRAIN_ANALYZE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
