/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Oracles: each operation once more, naive, in double precision, written from its published
 * description and its header entry, never from its kernel. A golden hash is accepted only for an
 * operation whose oracle agrees within the bound that it states. */

#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include "support/calls.h"

/* A map in double precision. Its cells beyond the edge are asked for with a border rule. */
typedef struct oracle_map {
    double *cells; /* row by row, without padding */
    int64_t width;
    int64_t height;
    int64_t x; /* world coordinates of the first cell */
    int64_t y;
    double cell_size;
} oracle_map;

static inline double *oracle_at(const oracle_map *map, int64_t x, int64_t y)
{
    return &map->cells[y * map->width + x];
}

/* A call as the oracle sees it. Params are those of the call, complete. */
typedef struct oracle_call {
    const void *params;
    oracle_map map;    /* the heights before the call */
    oracle_map other;  /* of a combine */
    oracle_map result; /* to be filled: as large as the target */
    const test_call *test;
} oracle_call;

/* The call's map_in parameter as an oracle_map, and what a map_out parameter should hold: to be
 * filled by the oracle. cells is NULL where the call has none. */
oracle_map oracle_input(const oracle_call *call, const char *name);
oracle_map oracle_output(oracle_call *call, const char *name);

/* The four maps of a 2 x 2 grid before the call (1, 2 and 3 are to be freed), and what they should
 * become, to be filled: both begin as the maps are. */
void oracle_grid(oracle_call *call, oracle_map before[4], oracle_map after[4]);

typedef struct oracle_case {
    const char *params; /* "name=value name=value" */
    uint32_t width;
    uint32_t height;
    int64_t x;
    int64_t y;
    double bound; /* the largest difference of a height; test heights are within +-21 */
} oracle_case;

typedef struct oracle {
    const char *operation;
    void (*compute)(oracle_call *call);
    const oracle_case *cases; /* the last has NULL params */
    float cell_size;          /* 0: 1 */
} oracle;

#endif
