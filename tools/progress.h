/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A bar on stderr, if that is a terminal. */

#ifndef TERRAIN_TOOL_PROGRESS_H
#define TERRAIN_TOOL_PROGRESS_H

#include <stdbool.h>
#include <terrain/terrain.h>

typedef struct progress_bar {
    bool terminal;
    bool drawn;
    double next; /* seconds: not drawn again before */
} progress_bar;

void progress_init(progress_bar *bar);
/* The callback for a context's desc. */
terrain_progress progress_of(progress_bar *bar);
/* Takes the bar away, so that something else can be printed. */
void progress_clear(progress_bar *bar);

#endif
