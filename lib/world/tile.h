/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A tile that is being computed: what it takes is found out in tile_prepare.c, and computed in
 * tile.c. */

#ifndef TERRAIN_WORLD_TILE_H
#define TERRAIN_WORLD_TILE_H

#include "world/world.h"

#define TILE_NONE TERRAIN__RECIPE_NONE

/* A rectangle of a statement; the last one to run, of statement NONE, is the tile. */
struct tile_job {
    terrain__box box;    /* in cells… */
    terrain__box blocks; /* …and in blocks of the statement, which are all its own */
    double weight;
    uint32_t statement;
    uint32_t pins; /* the first of its own; they end where those of the next job begin */
};

/* A block that a job needs. A block may have several. */
struct tile_pin {
    terrain__world_block *block;
    uint32_t next; /* of the same statement */
};

struct tile_layer {
    terrain__box box; /* cells around all that is pinned */
    uint64_t bytes;   /* of the blocks there */
    uint32_t pins;    /* the first; NONE */
};

struct tile_array {
    void *items;
    size_t size; /* of one */
    uint32_t count, capacity;
};

struct tile {
    terrain_world *world;
    terrain_context *context;
    const char *name;               /* the function's, for messages */
    terrain__box box;               /* the tile's cells, or those that are prepared */
    terrain_heightmap *const *maps; /* of the world's first outputs. NULL: all of them */
    uint32_t map_count;
    uint64_t limit;            /* bytes that may be pinned; 0: no limit */
    bool limits_blocks;        /* the limit is cache_bytes: not of what jobs take */
    bool prepares;             /* the tile itself is not computed, only what it reads */
    bool counts;               /* nothing is pinned, and all that is not kept is counted */
    struct tile_layer *layers; /* one for each statement */
    struct tile_array jobs;
    struct tile_array pins;
    terrain_recipe_run_desc desc;     /* of the job at hand */
    double progress;                  /* reported so far */
    double weight, done;              /* of all jobs, and of those that have run */
    uint64_t pinned;                  /* bytes of the blocks that it uses */
    uint64_t counted_pins;            /* that there would be */
    uint64_t most_maps, most_scratch; /* bytes that jobs take beside them: the context keeps both */
    uint64_t most;                    /* of one job… */
    uint32_t most_statement;          /* …and at which statement, and for which window */
    terrain__box most_box;
    terrain_status failure; /* what FAILED means */
};

static inline struct tile_job *tile_job_at(const struct tile *tile, uint32_t index)
{
    return (struct tile_job *)tile->jobs.items + index;
}

static inline struct tile_pin *tile_pin_at(const struct tile *tile, uint32_t index)
{
    return (struct tile_pin *)tile->pins.items + index;
}

/* Whether the tile shows an output of the world. */
static inline bool tile_wants(const struct tile *tile, uint32_t output)
{
    return tile->maps == NULL || (output < tile->map_count && tile->maps[output] != NULL);
}

/* Says that there is no memory. */
terrain_status terrain__tile_no_memory(struct tile *tile);

/* Refuses a tile whose blocks alone would take more than the limit, before anything is claimed. */
terrain_status terrain__tile_check_bytes(struct tile *tile);
/* Computes the bytes of terrain_world_tile_bytes. */
terrain_status terrain__tile_count_bytes(struct tile *tile, uint64_t *kept, uint64_t *needed);
/* Pins all that the tile needs, and makes jobs of what is missing. */
terrain_status terrain__tile_prepare(struct tile *tile);

/* The plan of a job, which reads what is kept. Free it in any case. */
terrain_status terrain__tile_plan(struct tile *tile, const struct tile_job *job,
                                  terrain__recipe_plan *plan);
/* Whether the job computes anything: the last one only tells what it reads, where tiles are
 * prepared. */
bool terrain__tile_is_run(const struct tile *tile, uint32_t index);

#endif
