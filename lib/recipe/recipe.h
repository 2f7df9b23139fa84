/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The inside of a recipe: statements, and the maps that they make.
 *
 * A name may be replaced, so names are resolved once, when a statement is added, to values: what
 * one statement made. Values are in the order of their statements. */

#ifndef TERRAIN_RECIPE_RECIPE_H
#define TERRAIN_RECIPE_RECIPE_H

#include <stdbool.h>

#include "base/memory.h"
#include "core/operation.h"
#include "core/params.h"
#include "terrain/recipe.h"

/* No value, no statement. */
#define TERRAIN__RECIPE_NONE UINT32_MAX

typedef struct terrain__recipe_value {
    const char *name;   /* NULL: of a level, which nobody can ask for */
    uint32_t statement; /* that makes it; NONE: an input */
    uint32_t map;       /* its name's number among the recipe's maps */
} terrain__recipe_value;

/* A node of the ternary search tree of all names. A text of a megabyte may make a hundred thousand
 * names; here each is found in as many steps as it has letters, times the 63 that a letter may be
 * at most, and in a few dozen as a rule. */
typedef struct terrain__recipe_letter {
    uint32_t lower,
        higher;     /* other letters in this place: one more than the node's index; 0: none */
    uint32_t next;  /* what may follow: likewise */
    uint32_t value; /* the newest with the name that ends here; NONE */
    char letter;
} terrain__recipe_letter;

/* A map that a statement uses: an argument's, one of a grid's, or a parameter's. */
typedef struct terrain__recipe_link {
    const terrain_port *port;
    uint32_t index; /* the port's */
    uint32_t reads; /* a value; NONE if the port is only written */
    uint32_t makes; /* a value; NONE if the port is only read */
} terrain__recipe_link;

typedef struct terrain__recipe_step {
    terrain_recipe_statement statement;
    const terrain__checked *params; /* statement.params */
    terrain__recipe_link *links;    /* arguments first, in their order */
    uint32_t link_count;
    uint32_t value;  /* that the statement is named after */
    uint32_t number; /* of the statement, as the host counts */
    /* In a world's own recipe a statement may be taken apart: the host's statement of which this
     * makes a level, or what is left of it; else NULL. */
    const struct terrain__recipe_step *whole;
    bool level;
} terrain__recipe_step;

struct terrain_recipe {
    terrain__arena arena; /* of everything below */
    terrain__recipe_step **steps;
    terrain__recipe_value *values;
    terrain__recipe_letter *letters; /* the first is the root */
    uint32_t *maps;                  /* the newest value of each name */
    const char **inputs;
    uint32_t step_count, step_capacity;
    uint32_t value_count, value_capacity;
    uint32_t letter_count, letter_capacity;
    uint32_t map_count, map_capacity;
    uint32_t input_count, input_capacity;
    uint32_t results_version;
};

/* Whether an input or a statement was added since there were so many values: each makes one. */
static inline bool terrain__recipe_has_grown(const terrain_recipe *recipe, uint32_t value_count)
{
    return recipe->value_count != value_count;
}

/* What is wrong with a statement, and where. */
enum {
    TERRAIN__RECIPE_AT_NAME, /* statement.name, or of a grid statement.names[index] */
    TERRAIN__RECIPE_AT_OPERATION,
    TERRAIN__RECIPE_AT_INPUT,         /* statement.inputs[index] */
    TERRAIN__RECIPE_AT_MAP_PARAMETER, /* statement.map_parameters[index] */
    TERRAIN__RECIPE_AT_MAP            /* statement.maps[index] */
};

typedef struct terrain__recipe_fault {
    uint32_t part;
    uint32_t index;
    char text[320];
} terrain__recipe_fault;

/* terrain_recipe_create, _add_input and _add without a context, for the parser too. */
terrain_status terrain__recipe_new(const terrain_allocator *allocator, terrain_recipe **out);
terrain_status terrain__recipe_append_input(terrain_recipe *recipe, const char *name,
                                            terrain__recipe_fault *fault);
/* `ranged`, if not NULL, are the params, each of which is known to be in range; else the
 * statement's are a host's. */
terrain_status terrain__recipe_append(terrain_recipe *recipe,
                                      const terrain_recipe_statement *statement,
                                      const terrain__params *ranged, terrain__recipe_fault *fault);

/* Room for `more` elements after `count` in an array of the arena, where an outgrown one stays till
 * the end. False: no memory. */
bool terrain__recipe_reserve(terrain_recipe *recipe, void *array_pointer, uint32_t count,
                             uint32_t more, uint32_t *capacity, size_t size);

/* The newest value of that name, or of the result if name is NULL; NONE if there is none. */
uint32_t terrain__recipe_find(const terrain_recipe *recipe, const char *name);

/* " (did you mean 'hills'?)", or "" where nothing is near. nearest is fed with candidates, and how
 * each may have been written. */
typedef struct terrain__recipe_nearest {
    const char *word;
    const char *best;
    uint32_t distance;
} terrain__recipe_nearest;

void terrain__recipe_near(terrain__recipe_nearest *nearest, const char *candidate,
                          const char *written);
void terrain__recipe_near_text(const terrain__recipe_nearest *nearest, char *text, size_t size);

#endif
