/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

bool bytes_begin(bytes_writer *bytes, FILE *file)
{
    *bytes = (bytes_writer){.file = file};
    bytes->at = bytes->buffer = malloc(BYTES_GATHERED + BYTES_ROOM);
    return bytes->buffer != NULL;
}

void bytes_flush(bytes_writer *bytes)
{
    bytes->stopped = bytes->stopped || tool_is_interrupted();
    if (!bytes->stopped) {
        fwrite(bytes->buffer, 1, (size_t)(bytes->at - bytes->buffer), bytes->file);
    }
    bytes->at = bytes->buffer;
}

bool bytes_end(bytes_writer *bytes)
{
    if (bytes->buffer == NULL) {
        return false;
    }
    bytes_flush(bytes);
    free(bytes->buffer);
    bytes->buffer = NULL;
    return !bytes->stopped;
}

void bytes_put(bytes_writer *bytes, const void *data, size_t count)
{
    const unsigned char *from = data;
    while (count > 0 && !bytes->stopped) {
        const size_t room = (size_t)(bytes->buffer + BYTES_GATHERED - bytes->at);
        const size_t part = count < room ? count : room;
        memcpy(bytes->at, from, part);
        bytes_advance(bytes, part);
        from += part;
        count -= part;
    }
}

static bool bytes_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, sizeof first);
    return first == 1;
}

/* Numbers of `size` bytes each, turned around on machines that have them the other way. */
static void bytes_put_numbers(bytes_writer *bytes, const void *numbers, size_t size, size_t count)
{
    const unsigned char *from = numbers;
    if (bytes_is_little_endian()) {
        bytes_put(bytes, numbers, size * count);
        return;
    }
    for (size_t i = 0; i < count && !bytes->stopped; i++, from += size) {
        for (size_t k = 0; k < size; k++) {
            bytes->at[k] = from[size - 1 - k];
        }
        bytes_advance(bytes, size);
    }
}

void bytes_put_words(bytes_writer *bytes, const uint32_t *words, size_t count)
{
    bytes_put_numbers(bytes, words, sizeof *words, count);
}

void bytes_put_shorts(bytes_writer *bytes, const uint16_t *shorts, size_t count)
{
    bytes_put_numbers(bytes, shorts, sizeof *shorts, count);
}

void bytes_put_floats(bytes_writer *bytes, const float *floats, size_t count)
{
    bytes_put_numbers(bytes, floats, sizeof *floats, count);
}
