/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Words that are nearly right, for "did you mean". */

#include <stdio.h>
#include <string.h>

#include "recipe/recipe.h"

/* Letters to insert, delete or replace to get from one word to the other (Levenshtein). Words
 * longer than a name's bound are as far as can be. */
static uint32_t near_distance(const char *a, const char *b)
{
    uint8_t row[TERRAIN_RECIPE_NAME_MAXIMUM + 1];
    size_t a_size = strlen(a);
    size_t b_size = strlen(b);
    if (a_size > TERRAIN_RECIPE_NAME_MAXIMUM || b_size > TERRAIN_RECIPE_NAME_MAXIMUM) {
        return UINT32_MAX;
    }
    for (size_t j = 0; j <= b_size; j++) {
        row[j] = (uint8_t)j;
    }
    for (size_t i = 1; i <= a_size; i++) {
        uint8_t diagonal = row[0];
        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= b_size; j++) {
            uint8_t replaced = (uint8_t)(diagonal + (a[i - 1] != b[j - 1]));
            uint8_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = replaced <= shorter ? replaced : (uint8_t)(shorter + 1);
        }
    }
    return row[b_size];
}

void terrain__recipe_near(terrain__recipe_nearest *nearest, const char *candidate,
                          const char *written)
{
    uint32_t distance = near_distance(nearest->word, written);
    if (nearest->best == NULL || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

void terrain__recipe_near_text(const terrain__recipe_nearest *nearest, char *text, size_t size)
{
    text[0] = '\0';
    const size_t letters = strlen(nearest->word);
    if (nearest->best != NULL && nearest->distance <= letters / 3 + 1 &&
        nearest->distance < letters) {
        snprintf(text, size, " (did you mean '%s'?)", nearest->best);
    }
}
