/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Where commands have their recipe from: a file, standard input, or the command line (-e TEXT);
 * with some parameters as the command line says (--set NAME.PARAM=VALUE). */

#ifndef TERRAIN_TOOL_RECIPE_TEXT_H
#define TERRAIN_TOOL_RECIPE_TEXT_H

#include <terrain/terrain.h>

enum { RECIPE_MOST_SETS = 64, RECIPE_WORD_SIZE = TERRAIN_RECIPE_NAME_MAXIMUM + 1 };

/* --set NAME.PARAM=VALUE. */
typedef struct recipe_set {
    const char *text;                 /* all of it, */
    const char *change;               /* and from PARAM on, which is what the recipe gets */
    char name[RECIPE_WORD_SIZE];      /* a map's */
    char parameter[RECIPE_WORD_SIZE]; /* its statement's */
    uint32_t line;                    /* where it stands in the changed text, from 1 */
    size_t column;
} recipe_set;

typedef struct recipe_text {
    const char *path; /* as messages name it; "-e" where the command line has it */
    char *text;       /* owned */
    size_t size;
    recipe_set sets[RECIPE_MOST_SETS];
    uint32_t set_count;
} recipe_text;

/* Options' values: lines of the recipe, after those of earlier ones; and a parameter's value.
 * Return a TOOL_… code, and complain, as do the functions below. */
int recipe_take_text(recipe_text *recipe, const char *text);
int recipe_take_set(recipe_text *recipe, const char *text);
/* After the options: the recipe's path, unless there was -e. */
int recipe_take_path(recipe_text *recipe, int argc, char **argv);
/* Reads and parses it. Its text is then the one that was parsed, with all that was set. */
int recipe_read(recipe_text *recipe, terrain_context *context, terrain_recipe **out);
void recipe_free(recipe_text *recipe);

#endif
