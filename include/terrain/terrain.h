/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* libterrain: procedural terrain. This header includes all the others.
 *
 *     terrain_heightmap *map = NULL;
 *     terrain_heightmap_create(NULL, 512, 512, &map);
 *     terrain_generate_fault_lines(NULL, map, NULL);
 *     terrain_erode_fir(NULL, map, NULL);
 *     terrain_blur_gaussian(NULL, map, NULL);
 *     … terrain_heightmap_data(map) …
 *     terrain_heightmap_destroy(map);
 *
 * Three promises hold for every call. The same call gives the same bits on every machine, compiler,
 * instruction set and number of threads. A map computed at some position of an endless world equals
 * the same window of any larger map, cell by cell. And on any error, every map is what it was
 * before.
 *
 * Structs that you fill (params, desc, statement): initialise each by its own _init function, which
 * writes the documented defaults, then change fields; or pass NULL for params to use the defaults.
 * Structs grow in later versions. A shorter struct, from an older header, gets the defaults for the
 * fields that it lacks; a longer one, from a newer header, is accepted as long as the part that
 * this library does not know is zero.
 *
 * Functions whose entry does not say since when they exist are there since 0.1; an operation's
 * _params_init as long as the operation. TERRAIN_VERSION is the last release's until the next one
 * is made, so entries may say "Since" with the number of a release that is still to come. */

#ifndef TERRAIN_TERRAIN_H
#define TERRAIN_TERRAIN_H

#include <terrain/analyze.h>
#include <terrain/base.h>
#include <terrain/blur.h>
#include <terrain/combine.h>
#include <terrain/context.h>
#include <terrain/erode.h>
#include <terrain/generate.h>
#include <terrain/heightmap.h>
#include <terrain/landform.h>
#include <terrain/mesh.h>
#include <terrain/operation.h>
#include <terrain/pack.h>
#include <terrain/recipe.h>
#include <terrain/score.h>
#include <terrain/shape.h>
#include <terrain/statistics.h>
#include <terrain/stitch.h>
#include <terrain/world.h>

#endif
