/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Structs that a host fills: params, descs, statements. Each begins with struct_size and flags, and
 * passes through an init function, which writes the defaults and a tag. Programs and libraries of
 * different ages fit: what an older struct lacks gets its default; a newer one is taken while all
 * that this library doesn't know of it is zero. */

#ifndef TERRAIN_CORE_GIVEN_H
#define TERRAIN_CORE_GIVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base.h"

/* The tags, one for each struct. The low 16 bits of `flags` are the host's; but params have no
 * flags, and their tag takes bits 8 to 23 as well. */
enum {
    TERRAIN__TAG_CONTEXT = 0x7E010000,
    TERRAIN__TAG_STATEMENT = 0x7E020000,
    TERRAIN__TAG_RUN = 0x7E030000,
    TERRAIN__TAG_WORLD = 0x7E050000,
    TERRAIN__TAG_SCORE = 0x7E060000,
    TERRAIN__TAG_MESH = 0x7E070000,
    TERRAIN__TAG_SEAMS = 0x7E080000,
    TERRAIN__TAG_LANDFORM = 0x7E090000,
    TERRAIN__TAG_PARAMS = 0x7F000000 /* + 256 * the operation's key */
};

/* The fields that every such struct begins with. */
typedef struct terrain__head {
    uint32_t struct_size;
    uint32_t flags;
} terrain__head;

typedef struct terrain__given {
    const char *subject; /* "desc is", for messages */
    const char *name;   /* "world_desc", of which terrain_world_desc_init is the init function… */
    const char *suffix; /* …and what follows in its name, or "" */
    uint32_t tag;       /* TERRAIN__TAG_… */
    uint32_t flags;     /* those that a host may set */
    uint32_t size;      /* the struct's, as this library knows it */
    uint32_t reserved;  /* offset of a uint32_t that must be zero; 0: there is none */
    const void *defaults; /* a whole struct, of whatever head; NULL: all zero */
} terrain__given;

enum { TERRAIN__FAULT_SIZE = 256 };

/* Serves the init functions: writes the defaults into the first `size` bytes, and zeros beyond the
 * fields that this library knows. Errors: ARGUMENT. */
terrain_status terrain__given_init(const terrain__given *kind, void *out, size_t size);

/* Checks that there is a host's struct, its head, that its reserved field is zero, and that nothing
 * is set which this library doesn't know. `fault` tells what is wrong. */
terrain_status terrain__given_check(const terrain__given *kind, const void *given,
                                    char fault[TERRAIN__FAULT_SIZE]);

/* Checks a host's struct, and copies it into `full`, a struct of this library's own size, whose
 * flags are then the host's alone. NULL stands for the defaults. */
terrain_status terrain__given_take(const terrain__given *kind, const void *given, void *full,
                                   char fault[TERRAIN__FAULT_SIZE]);

/* Writes `full`, a struct of this library's own size, into a host's checked one, which keeps its
 * head. */
void terrain__given_answer(const terrain__given *kind, void *given, const void *full);

/* Whether the bytes `from` to `to` - 1 are zero. */
bool terrain__is_zero(const void *bytes, size_t from, size_t to);

#endif
