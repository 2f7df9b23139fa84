/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What is measured. */

#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BENCH_BUFFER_NONE = 0,
    BENCH_BUFFER_POSITIONS = 1,
    BENCH_BUFFER_NORMALS = 2,
    BENCH_BUFFER_INDICES = 3,
    BENCH_BUFFER_FLATTER = 4, /* indices, cut along the flatter diagonal */
    BENCH_BUFFER_SHADES = 5,  /* bytes of the hillshade */
    /* No buffers, but figures: */
    BENCH_BUFFER_STATISTICS = 6,
    BENCH_BUFFER_SCORE = 7,
    BENCH_BUFFER_LANDFORM = 8,
    BENCH_BUFFER_CHANNELS = 9 /* bytes of four maps */
};

/* A case is a recipe: its statements are called one after the other, each in place where the
 * operation works in place. It may begin with the maps `map` and `other`, which hold terrain. */
typedef struct bench_case {
    const char *name;
    const char *recipe;
    const char *per; /* a parameter of the first statement that the time is divided by, or NULL */
    uint32_t extra;  /* cells that are added to the width and to the height */
    bool whole;      /* the time includes making and freeing a context and all maps */
    uint32_t buffer; /* BENCH_BUFFER_…: instead of a recipe this is made of `map` */
} bench_case;

/* The named cases, then each operation of the table with its defaults, as far as no named case has
 * the operation's name. Valid until the next call. NULL from the count on. */
const bench_case *bench_case_at(uint32_t index);

#endif
