/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode: moves or removes material. */

#ifndef TERRAIN_ERODE_H
#define TERRAIN_ERODE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
