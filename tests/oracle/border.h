/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Cells beyond the edge and means with a border rule, for the oracles of the blurs. */

#ifndef ORACLE_BORDER_H
#define ORACLE_BORDER_H

#include "oracle/oracle.h"

/* The cell of a line of `count` cells that stands for cell i, by walking to it; -1 for none. */
int64_t oracle_border_cell(int64_t i, int64_t count, terrain_border border);

/* result = the mean of map over (2 radius + 1)^2 cells, each with the weight of its column's and of
 * its row's distance, weights[distance + radius]. OPEN leaves out what lies outside. */
void oracle_weighted_mean(const oracle_map *map, oracle_map *result, const double *weights,
                          int64_t radius, terrain_border border);

#endif
