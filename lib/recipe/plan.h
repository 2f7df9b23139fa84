/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a run computes: of which statement which window. */

#ifndef TERRAIN_RECIPE_PLAN_H
#define TERRAIN_RECIPE_PLAN_H

#include "recipe/recipe.h"

/* A value in a run. */
typedef struct terrain__recipe_slot {
    terrain__box box; /* the cells that are computed, or that are needed of an input */
    bool wanted;
    uint32_t uses;            /* reads and outputs still to come */
    terrain_heightmap *owner; /* holds the cells; NULL: not computed yet, or an input */
    terrain_heightmap map;    /* those cells, or a window of them; owns nothing */
} terrain__recipe_slot;

/* A statement in a run. */
typedef struct terrain__recipe_task {
    bool wanted;
    terrain__box work;   /* what all of its maps cover, but for a result of another size */
    terrain__box result; /* what the map that it makes covers */
} terrain__recipe_task;

typedef struct terrain__recipe_plan {
    terrain_context *context;
    const terrain_recipe *recipe;
    const terrain_recipe_run_desc *desc;
    terrain__box window; /* the desc's */
    bool world;
    terrain__recipe_slot *slots; /* one for each value */
    terrain__recipe_task *tasks; /* one for each statement */
} terrain__recipe_plan;

/* Checks the desc, all but its outputs, and gets memory. Free it in any case. */
terrain_status terrain__recipe_plan_begin(terrain__recipe_plan *plan, terrain_context *context,
                                          const terrain_recipe *recipe,
                                          const terrain_recipe_run_desc *desc);
/* The map `name` (NULL: the result) is wanted. */
terrain_status terrain__recipe_plan_want(terrain__recipe_plan *plan, const char *name,
                                         uint32_t *value);
/* All windows and uses. */
terrain_status terrain__recipe_plan_windows(terrain__recipe_plan *plan);
void terrain__recipe_plan_free(terrain__recipe_plan *plan);

/* The statement's params as a run of the recipe uses them: with the seed that the world makes of it.
 * Map fields are NULL. */
void terrain__recipe_effective_params(const terrain__recipe_step *step, uint64_t world_seed,
                                      void *params);

/* "line 3, hills: <text>". */
terrain_status terrain__recipe_fail_step(terrain_context *context, const terrain__recipe_step *step,
                                         uint32_t index, terrain_status status, const char *text);

#endif
