/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur: averages neighbouring cells. */

#ifndef TERRAIN_BLUR_H
#define TERRAIN_BLUR_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
