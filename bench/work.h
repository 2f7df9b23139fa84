/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A case made ready to run: its calls and its maps. */

#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include "cases.h"
#include "common.h"
#include "peers.h"

typedef struct bench_work bench_work;

/* Says why on stderr and returns NULL if the case's recipe can't be read or is too long; ends the
 * program where memory runs out. `what` need not outlive the call. */
bench_work *bench_work_create(const bench_case *what, uint32_t width, uint32_t height);
void bench_work_destroy(bench_work *work);

/* Copies the terrain to the map that the case changes, as memcpy does: what all times are compared
 * with. */
void bench_work_copy(bench_work *work);

/* Runs the case once. A case that is measured whole gets a context of its own, made
 * from `context_desc`, and maps of its own. Ends the program if a call fails. */
void bench_work_run(bench_work *work, terrain_context *context,
                    const terrain_context_desc *context_desc);

/* From now on the work is what the peer does: it reads `map`, and writes a map of its own. */
void bench_work_take_peer(bench_work *work, const bench_peer *peer);

/* Maps that the calls read and write, each time that they do: what a copy counts 2 of. */
uint32_t bench_work_traffic(const bench_work *work);

/* What the time is divided by: the value of the parameter `per`, or 1. */
uint32_t bench_work_divisor(const bench_work *work);

#endif
