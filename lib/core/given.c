/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/given.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* More than this can't be the size of a newer struct. */
#define GIVEN_MOST_SIZE 65536u

/* Params have the same layout everywhere, in units of 8 bytes; other structs end with a pointer's
 * alignment. */
static size_t given_unit(const terrain__given *kind)
{
    return kind->tag >= TERRAIN__TAG_PARAMS ? 8 : sizeof(void *);
}

static bool given_is_size(const terrain__given *kind, size_t size)
{
    return size >= sizeof(terrain__head) && size % given_unit(kind) == 0 && size <= GIVEN_MOST_SIZE;
}

/* The defaults of the first `size` bytes, which are no more than the struct has. */
static void given_write_defaults(const terrain__given *kind, void *out, size_t size)
{
    if (kind->defaults != NULL) {
        memcpy(out, kind->defaults, size);
    } else {
        memset(out, 0, size);
    }
}

terrain_status terrain__given_init(const terrain__given *kind, void *out, size_t size)
{
    const terrain__head head = {(uint32_t)size, kind->tag};
    if (out == NULL || !given_is_size(kind, size)) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    memset(out, 0, size);
    given_write_defaults(kind, out, size < kind->size ? size : kind->size);
    memcpy(out, &head, sizeof head);
    return TERRAIN_SUCCESS;
}

bool terrain__is_zero(const void *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (((const unsigned char *)bytes)[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The bits of flags that a tag may have: the others are the host's. */
#define GIVEN_TAG_BITS 0xFFFF0000u

static void given_tell_flags(const terrain__given *kind, uint32_t flags, char *fault)
{
    if (kind->flags != 0 && (flags & GIVEN_TAG_BITS) == kind->tag) {
        snprintf(fault, TERRAIN__FAULT_SIZE,
                 "flags has a bit that no version of the library knows");
    } else {
        snprintf(fault, TERRAIN__FAULT_SIZE, "%s not initialised: call terrain_%s%s_init first",
                 kind->subject, kind->name, kind->suffix);
    }
}

terrain_status terrain__given_check(const terrain__given *kind, const void *given,
                                    char fault[TERRAIN__FAULT_SIZE])
{
    terrain__head head;
    if (given == NULL) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "%s NULL", kind->subject);
        return TERRAIN_ERROR_ARGUMENT;
    }
    memcpy(&head, given, sizeof head);
    if ((head.flags & ~kind->flags) != kind->tag) {
        given_tell_flags(kind, head.flags, fault);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (!given_is_size(kind, head.struct_size)) {
        snprintf(fault, TERRAIN__FAULT_SIZE,
                 "struct_size is %" PRIu32 ", must be %" PRIu32 " or another multiple of %u in "
                 "[%u, %u]",
                 head.struct_size, kind->size, (unsigned)given_unit(kind),
                 (unsigned)sizeof(terrain__head), GIVEN_MOST_SIZE);
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (!terrain__is_zero(given, kind->size, head.struct_size)) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "a setting of a newer version of the library is used");
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (kind->reserved > 0 && head.struct_size >= kind->reserved + sizeof(uint32_t) &&
        !terrain__is_zero(given, kind->reserved, kind->reserved + sizeof(uint32_t))) {
        snprintf(fault, TERRAIN__FAULT_SIZE, "reserved fields must be zero");
        return TERRAIN_ERROR_ARGUMENT;
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain__given_take(const terrain__given *kind, const void *given, void *full,
                                   char fault[TERRAIN__FAULT_SIZE])
{
    terrain__head head = {0, 0};
    given_write_defaults(kind, full, kind->size);
    if (given != NULL) {
        terrain_status status = terrain__given_check(kind, given, fault);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        memcpy(&head, given, sizeof head);
        memcpy(full, given, head.struct_size < kind->size ? head.struct_size : kind->size);
    }
    head.struct_size = kind->size;
    head.flags &= kind->flags;
    memcpy(full, &head, sizeof head);
    return TERRAIN_SUCCESS;
}

void terrain__given_answer(const terrain__given *kind, void *given, const void *full)
{
    const size_t begin = sizeof(terrain__head);
    uint32_t size; /* the head's first field */
    memcpy(&size, given, sizeof size);
    memcpy((char *)given + begin, (const char *)full + begin,
           (size < kind->size ? size : kind->size) - begin);
}
