/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The fuzz driver's image files: bytes that the program's readers take for a PNG, a TIFF, … */

#include "fuzz/images.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "image.h"
#include "tool.h"

static const image_type *const types[] = {&image_png, &image_tif, &image_r16,
                                          &image_r32, &image_pfm, &image_r8};

static void require(bool condition, const char *what)
{
    if (!condition) {
        printf("FAILED image: %s\n", what);
        abort();
    }
}

/* Readers want a file that has a descriptor. */
static FILE *file_of(const uint8_t *data, size_t size)
{
    static FILE *file;
    if (file == NULL) {
        file = tmpfile();
    }
    require(file != NULL, "no temporary file");
    rewind(file);
    require(fwrite(data, 1, size, file) == size && fflush(file) == 0, "can't write the file");
    require(ftruncate(fileno(file), (off_t)size) == 0, "can't cut the file");
    rewind(file);
    return file;
}

void fuzz_image(uint32_t type, const uint8_t *data, size_t size)
{
    const image_type *reader = types[type % (sizeof types / sizeof types[0])];
    image_info info = {0};
    image_source source = {
        .path = "fuzz", .file = file_of(data, size), .size = size, .info = &info};
    terrain_heightmap *map = NULL;
    int code = reader->read(&source, &map);
    if (code == TOOL_SUCCESS) {
        require(map != NULL && terrain_heightmap_width(map) > 0, "success without a map");
        require(terrain_heightmap_hash(map) != 1, "cells that can be read");
    } else {
        require(code == TOOL_BAD_INPUT || code == TOOL_TROUBLE, "an unknown exit code");
    }
    terrain_heightmap_destroy(map); /* as image_read does, whatever happened */
}
