/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Horn's gradient, for the oracles of slope, normals and hillshade. */

#ifndef ORACLE_GRADIENT_H
#define ORACLE_GRADIENT_H

#include "oracle/oracle.h"

typedef struct oracle_gradient {
    double east;
    double south;
} oracle_gradient;

oracle_gradient oracle_gradient_at(const oracle_map *map, int64_t x, int64_t y);

#endif
