/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Heightmaps as files; the type is the name's ending.
 *
 * .png   16-bit grey. The heights that 0 and 65535 stand for are stored in the file, and used when
 *        it is read; a file without it, of 8 or 16 bits, has its grey values as heights. Those that
 *        are transparent become NaN. Masks, maps of 0 to 1, may be written with 8 bits, and two to
 *        four of them as colours: splat maps.
 * .tif   32-bit float, one channel, with the size of a cell, the place of the first one, and NaN as
 *        what has no data. Read are integers of 8 to 32 bits and float of 32 and 64, in strips or
 *        tiles; the file's own value for no data becomes NaN, and its pixel's size the cell's. What
 *        a sparse file leaves out is NaN, or 0 where it has no such value. Rows from the south are
 *        read from the north.
 * .r8    8-bit cells and nothing else; their range is not stored. Read as it is.
 * .r16   16-bit little-endian cells and nothing else; their range is not stored. Read as it is.
 * .raw   the same.
 * .r32   32-bit little-endian float cells and nothing else.
 * .pfm   portable float map.
 * .obj .ply .glb: meshes, written only. */

#ifndef TERRAIN_TOOL_IMAGE_H
#define TERRAIN_TOOL_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <terrain/terrain.h>

#include "file.h"

/* The heights that 0 and 65535, or 255, stand for. */
typedef struct image_range {
    float low;
    float high;
} image_range;

/* Where a map lies on the Earth, as a GeoTIFF says it. */
typedef struct image_place image_place;

void image_place_free(image_place *place);
/* The place of the first cell's corner, and the width of a pixel, in the file's own coordinates.
 * False if the file doesn't tell, or ties down several points. */
bool image_place_corner(const image_place *place, double corner[2], double *pixel);
/* Whether the file's rows go from the south; they were read from the north. place may be NULL. */
bool image_place_is_turned(const image_place *place);

/* What some files say besides their heights; the size of a cell is the map's. */
typedef struct image_info {
    bool has_cell_size;
    char odd_pixels[96];  /* why they are no cell size; "" if they are, or not in the file */
    uint64_t empty_cells; /* which have no height: NaN */
    image_place *place;   /* of the map; owned; NULL: the file says nothing of it */
} image_info;

/* As a picture has: red, green, blue, alpha. */
enum { IMAGE_CHANNELS = 4 };

/* What a file shall say besides its heights. */
typedef struct image_extra {
    image_range range;        /* of types that have one */
    const image_place *place; /* NULL: the map's own origin and cell size */
    bool place_is_of_world;   /* of the world's cell 0,0, and not of the map's first */
    bool flip;                /* the map's first row is the southernmost */
    bool is_mask;             /* .png: 8 bits */
    /* Masks beside the first, of its size, as colours of a .png. */
    const terrain_heightmap *more[IMAGE_CHANNELS - 1];
    uint32_t more_count;
} image_extra;

/* What a reader is given, and what it finds. */
typedef struct image_source {
    const char *path;
    FILE *file;
    uint64_t size;                  /* of the file */
    uint32_t raw_width, raw_height; /* of files without a header; 0: they are square */
    image_info *info;
} image_source;

/* One type of file. Functions return a TOOL_… code, and complain about source->path. write reports
 * errors of the file through ferror, and returns false only for what ferror doesn't know. */
typedef struct image_type {
    const char *extension;
    bool has_range; /* integers */
    int (*read)(const image_source *source, terrain_heightmap **out);
    bool (*write)(FILE *file, const terrain_heightmap *map, const image_extra *extra);
} image_type;

extern const image_type image_png, image_tif, image_tiff, image_r8, image_r16, image_raw, image_r32,
    image_pfm;
extern const image_type image_obj, image_ply, image_glb;

/* Whether a file of this name would be a map or a mesh. */
bool image_is_named(const char *path);

/* By the name's ending, in any case of letters. Complains and returns NULL if it knows none, or, to
 * read, none that can be read. */
const image_type *image_type_of(const char *path);
const image_type *image_type_to_read(const char *path);
/* Likewise, of masks to be written: maps of 0 to 1, with 8 bits; more than one as colours. */
const image_type *image_type_of_masks(const char *path, uint32_t count);
extern const image_range image_mask_range;
/* Whether a picture can be written there, by its ending. Complains if not; returns a TOOL_… code.
 */
int image_check_picture(const char *path);

/* Reads a map. width and height are for files that don't tell, 0 if not known: those must be
 * square. */
int image_read(const char *path, uint32_t width, uint32_t height, terrain_heightmap **out);
/* As image_read, of a map whose slopes count: sets the cell size that the user gave. Where that is
 * 0, it is the file's, and a file whose pixels can't be taken for it is told of. */
int image_read_sized(const char *path, uint32_t width, uint32_t height, float cell_size,
                     terrain_heightmap **out);
/* Tells of them. */
void image_note_odd_pixels(const char *path, const image_info *info);

/* As image_read, but also returns what else the file says; its place is the caller's to free. */
int image_read_info(const char *path, uint32_t width, uint32_t height, terrain_heightmap **out,
                    image_info *info);

/* Writes a map beside its place: output_rename puts it there. Tells of cells that the file can't
 * hold: in integers NaN becomes the lowest height, and what lies outside the range is cut to it; in
 * meshes what is not finite becomes 0. */
int image_write(output_file *output, const char *path, const image_type *type,
                const terrain_heightmap *map, const image_extra *extra);

/* Complains that there is no memory for a map: which, and how many bytes. TOOL_TROUBLE. */
int image_fail_memory(const char *what, uint64_t width, uint64_t height);

/* Turns the rows around: the last becomes the first. */
void image_flip(terrain_heightmap *map);

/* The lowest and the highest finite height, of one map or of all; 0 and 0 if there is none. False
 * if there is no memory. */
bool image_range_of(const terrain_heightmap *map, image_range *range);
bool image_range_of_all(const terrain_heightmap *const *maps, uint32_t count, image_range *range);

/* For readers and writers. */
int image_create(const image_source *source, uint64_t width, uint64_t height,
                 terrain_heightmap **out);
/* Some rows' cells as whole numbers of 8 or 16 bits, into `cells`; all 0 for an empty range. False
 * if there is no memory, or if the range reaches beyond +-1e30. */
bool image_pack(const terrain_heightmap *map, image_range range, uint32_t first, uint32_t rows,
                uint32_t bits, void *cells);

/* An 8-bit RGB picture of width * height pixels. */
bool image_write_rgb(FILE *file, const unsigned char *rgb, uint32_t width, uint32_t height);

#endif
