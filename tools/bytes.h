/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Bytes on their way into a file, gathered so that writing goes at the disk's speed. */

#ifndef TERRAIN_TOOL_BYTES_H
#define TERRAIN_TOOL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BYTES_GATHERED = 1 << 16, BYTES_ROOM = 256 };

typedef struct bytes_writer {
    FILE *file;
    unsigned char *at; /* where the next ones go: at least BYTES_ROOM of them fit */
    unsigned char *buffer;
    bool stopped; /* Ctrl-C: what follows is thrown away */
} bytes_writer;

/* False if there is no memory. */
bool bytes_begin(bytes_writer *bytes, FILE *file);
/* Writes the rest, and frees the buffer. False after Ctrl-C; errors of the file are in ferror. */
bool bytes_end(bytes_writer *bytes);
void bytes_flush(bytes_writer *bytes);

/* After at most BYTES_ROOM bytes at bytes->at: that many were put there. */
static inline void bytes_advance(bytes_writer *bytes, size_t count)
{
    bytes->at += count;
    if (bytes->at - bytes->buffer >= BYTES_GATHERED) {
        bytes_flush(bytes);
    }
}

/* Little-endian. */
void bytes_put_words(bytes_writer *bytes, const uint32_t *words, size_t count);
void bytes_put_shorts(bytes_writer *bytes, const uint16_t *shorts, size_t count);
void bytes_put_floats(bytes_writer *bytes, const float *floats, size_t count);
/* Any number of bytes as they are. */
void bytes_put(bytes_writer *bytes, const void *data, size_t count);

#endif
