/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a run computes: which window of which statement. */

#ifndef TERRAIN_RECIPE_PLAN_H
#define TERRAIN_RECIPE_PLAN_H

#include "core/params.h"
#include "recipe/recipe.h"

/* A value in a run. */
typedef struct terrain__recipe_slot {
    terrain__box box; /* the cells that are computed, or that are needed of an input */
    bool wanted;
    uint32_t spacing;      /* world cells between two of its own; 1 but for coarse maps */
    float cell_size;       /* of its map, unless the statement changes it */
    double scale;          /* the run's, except for coarse maps; 0: not known yet */
    uint32_t uses;         /* reads and outputs still to come */
    bool named;            /* an input that the desc names */
    void *block;           /* holds the cells; NULL: not computed yet, or an input */
    terrain_heightmap map; /* those cells, or a window of them; owns nothing */
} terrain__recipe_slot;

/* A statement in a run. */
typedef struct terrain__recipe_task {
    bool wanted;
    terrain__box work;   /* what all of its maps cover, but for a result of another size */
    terrain__box result; /* what the map that it makes covers */
    terrain__box needed; /* of its maps, what others read or the host gets */
    uint32_t spacing;    /* of the lattice that it is computed on */
    double scale;        /* that its params are at */
} terrain__recipe_task;

typedef struct terrain__recipe_plan {
    terrain_context *context;
    const char *name;      /* of the public function, for messages */
    terrain__shelf *shelf; /* for all but maps: the context's, or a lasting plan's own */
    const terrain_recipe *recipe;
    uint32_t step_count, value_count; /* the recipe's when it was planned */
    terrain_recipe_run_desc desc;
    terrain__box window; /* the desc's */
    bool world;
    bool later;                  /* the inputs' cells come when it is run */
    terrain__recipe_slot *slots; /* one for each value */
    terrain__recipe_task *tasks; /* one for each statement */
    terrain__params *scaled; /* one for each statement: its params at the run's scale; NULL: they
                                are the recipe's */
    uint32_t *inputs;        /* values, in the order of the desc's input_names */
    uint32_t *outputs;       /* values, in the order of the desc's output_names */
    uint32_t output_count;

    /* Fields that terrain_world sets after terrain__recipe_plan_begin. One flag a statement, or
     * NULL: a statement that is given is not run, unless it is `root`; `fetch` makes its maps, just
     * before they are read. */
    const bool *given;
    uint32_t root;
    terrain_status (*fetch)(struct terrain__recipe_plan *plan, uint32_t value);
    void *user;
    /* The part of the call's progress that the plan stands for. */
    double progress_from;
    double progress_to;
} terrain__recipe_plan;

/* Checks the desc, all but its outputs, and gets memory. `name` is that of the public function, for
 * messages. `later`: the inputs' cells are not there yet. Free the plan in any case. */
terrain_status terrain__recipe_plan_begin(terrain__recipe_plan *plan, const char *name,
                                          terrain_context *context, terrain__shelf *shelf,
                                          const terrain_recipe *recipe,
                                          const terrain_recipe_run_desc *desc, bool later);
/* The desc's outputs are wanted; without any, the result. */
terrain_status terrain__recipe_plan_want_outputs(terrain__recipe_plan *plan);
/* The map `name` (NULL: the result) is wanted. */
terrain_status terrain__recipe_plan_want(terrain__recipe_plan *plan, const char *name,
                                         uint32_t *value);
/* A box of the map of a value, in its own cells, is wanted; bounded, all of it is. */
void terrain__recipe_plan_want_value(terrain__recipe_plan *plan, uint32_t value,
                                     const terrain__box *box);
/* The box of the map that a link reads or makes, for its statement. */
terrain__box terrain__recipe_link_box(const terrain__recipe_plan *plan, uint32_t statement,
                                      const terrain__recipe_link *link);
/* The box of a value that an output of a planned run shows. */
terrain__box terrain__recipe_plan_output_box(const terrain__recipe_plan *plan, uint32_t value);
bool terrain__recipe_plan_is_given(const terrain__recipe_plan *plan, uint32_t statement);
/* Which statements are wanted, and how often each value is read; their params at the run's
 * scale. */
terrain_status terrain__recipe_plan_mark(terrain__recipe_plan *plan);
/* A wanted statement's params, at its scale. Map fields are NULL. */
const terrain__checked *terrain__recipe_plan_params(const terrain__recipe_plan *plan,
                                                    uint32_t statement);
/* Whether every wanted input of a marked plan is given. */
terrain_status terrain__recipe_plan_check_inputs(terrain__recipe_plan *plan);
/* Whether every wanted statement of a marked plan can run in a world. */
terrain_status terrain__recipe_plan_check_world(const terrain__recipe_plan *plan);
/* Marks, and finds all windows. */
terrain_status terrain__recipe_plan_windows(terrain__recipe_plan *plan);
/* Cells that are computed, of all statements together. */
double terrain__recipe_plan_weight(const terrain__recipe_plan *plan);
/* What a run of a plan takes. A context keeps maps and scratch apart: of several runs, the most of
 * each. */
typedef struct terrain__recipe_bytes {
    uint64_t all;
    uint64_t maps; /* and the plan itself */
    uint64_t scratch;
    uint32_t statement; /* at which most is held at a time */
} terrain__recipe_bytes;

/* The most bytes that a run of the plan holds at a time. Fails where an operation would refuse its
 * maps. */
terrain_status terrain__recipe_plan_count_bytes(terrain__recipe_plan *plan,
                                                terrain__recipe_bytes *counted);
/* Refuses a plan that takes more than the desc's memory_limit; makes room for one that doesn't. */
terrain_status terrain__recipe_plan_limit_bytes(const terrain__recipe_plan *plan,
                                                const terrain__recipe_bytes *counted);
/* Counts and limits, if there is a limit. */
terrain_status terrain__recipe_plan_check_bytes(terrain__recipe_plan *plan);
/* Reserves the memory of a run: its maps and the scratch of its operations. */
terrain_status terrain__recipe_plan_reserve(terrain__recipe_plan *plan);
/* Runs the wanted statements. The maps of the wanted values are then in their slots. */
terrain_status terrain__recipe_plan_run(terrain__recipe_plan *plan);
/* Gives the slot a map, cells not set, that covers the box. */
terrain_status terrain__recipe_plan_create(terrain__recipe_plan *plan, terrain__recipe_slot *slot,
                                           const terrain__box *box);
/* Lets an input's slot read a map of the host's. */
void terrain__recipe_slot_lend(terrain__recipe_slot *slot, const terrain_heightmap *map);
/* Bytes of the cells of a map that covers the box; SIZE_MAX: more than there can be. */
size_t terrain__recipe_box_size(const terrain__box *box);
/* The shape of a map that covers the box; no data. */
terrain_heightmap terrain__recipe_shape(const terrain__box *box, float cell_size);
/* The part of a map that covers the box; owns nothing. */
terrain_heightmap terrain__recipe_crop(const terrain_heightmap *map, const terrain__box *box);
void terrain__recipe_plan_free(terrain__recipe_plan *plan);

/* Whether a statement of the plan is run on regions. */
bool terrain__recipe_has_regions(const terrain__recipe_plan *plan, uint32_t statement);
/* What the maps of a statement on regions must cover for a box of its output: whole regions. */
void terrain__recipe_regions_box(const terrain__recipe_plan *plan, uint32_t statement,
                                 const terrain__box *out, terrain__box *in);
/* A map of a statement on regions. */
typedef struct terrain__region_map {
    const terrain_port *port;
    terrain_heightmap *whole; /* covers the statement's work; NULL: none */
    terrain_heightmap part;   /* a region's */
    terrain_heightmap made;   /* of the cells that are needed, by all regions; no data: none */
} terrain__region_map;
/* Combines a region's cells with those that earlier regions made; regions come row by row. Before
 * the first region the map number `main`, the argument that is written, must hold infinity. */
void terrain__recipe_combine_region(terrain__combining combining, const terrain__region_map *maps,
                                    uint32_t count, uint32_t main);
/* Runs a statement on regions: `maps` are those of its links, NULL where none is given. The root
 * of a plan makes one region, with its ramp, which lies where its work does. */
terrain_status terrain__recipe_run_regions(terrain__recipe_plan *plan, uint32_t statement,
                                           terrain_heightmap *const *maps,
                                           const terrain__checked *params);

/* A statement's params as a run uses them: at its scale, and seeds mixed with the world's seed. */
const terrain__checked *terrain__recipe_effective_params(const terrain__recipe_plan *plan,
                                                         uint32_t statement, terrain__params *room);

/* "line 3, hills: <text>". */
terrain_status terrain__recipe_fail_step(terrain_context *context, const terrain__recipe_step *step,
                                         terrain_status status, const char *text);
/* A failed operation's own message, with the statement before it. */
terrain_status terrain__recipe_fail_call(const terrain__recipe_plan *plan, uint32_t statement,
                                         terrain_status status);

#endif
