/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* combine: two maps into one. */

#ifndef TERRAIN_COMBINE_H
#define TERRAIN_COMBINE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
