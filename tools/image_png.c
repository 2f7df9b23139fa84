/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* PNG by libpng. */

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "tool.h"

/* The keyword of the tEXt chunk with "<low> <high>". */
static char png_range_key[] = "terrain:range";

/* Heights are rough in their last bits: what makes them small is the filter, and looking for
 * repetitions but runs only takes time. zlib's lowest level, its strategy Z_RLE (3), and Paeth's
 * filter alone take a ninth of the time of libpng's defaults, for files that are 0.3 % larger. */
#define PNG_GREY_LEVEL 1
#define PNG_GREY_STRATEGY 3

/* Deflate makes at most 1032 bytes of one. */
#define PNG_MOST_EXPANSION 1032u

/* ---- Errors: libpng jumps, after it has told why --------------------------------------------- */

struct png_failure {
    jmp_buf jump;
    char text[128];
};

static void png_on_error(png_structp png, png_const_charp text)
{
    struct png_failure *failure = png_get_error_ptr(png);
    snprintf(failure->text, sizeof failure->text, "%s", text);
    longjmp(failure->jump, 1);
}

static void png_on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Called after each row; some rows take long. */
static void png_on_row(png_structp png, png_uint_32 row, int pass)
{
    (void)row;
    (void)pass;
    if (tool_is_interrupted()) {
        png_error(png, "interrupted");
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Everything that a jump must not lose. */
struct png_reading {
    const image_source *source;
    png_structp png;
    png_infop info;
    void *pixels; /* bytes, or words of 16 bits */
    png_bytep *rows;
    uint32_t width, height;
    int depth;
    int colour_type; /* PNG_COLOR_TYPE_… */
    bool has_range;
    image_range range;
    struct png_failure failure;
};

/* Whether the file begins as a PNG file does, as far as it goes. Leaves it at its beginning. */
static bool png_is_signed(const image_source *source)
{
    unsigned char head[8];
    const size_t size = fread(head, 1, sizeof head, source->file);
    rewind(source->file);
    return size == 0 || png_sig_cmp(head, 0, size) == 0;
}

/* Whether the file is as long as its chunks say, up to the last one; libpng would get the memory
 * for a chunk of 2 GiB before it finds that the file ends. Leaves the file at its beginning. */
static bool png_is_whole(const image_source *source)
{
    uint64_t at = 8; /* after the signature */
    unsigned char head[8];
    bool last = false;
    while (!last && at + 12 <= source->size && fseeko(source->file, (off_t)at, SEEK_SET) == 0 &&
           fread(head, 1, sizeof head, source->file) == sizeof head) {
        at += 12 + ((uint64_t)head[0] << 24 | (uint64_t)head[1] << 16 | (uint64_t)head[2] << 8 |
                    head[3]);
        last = memcmp(head + 4, "IEND", 4) == 0;
    }
    rewind(source->file);
    return last && at <= source->size;
}

static int png_check_kind(const struct png_reading *reading)
{
    const char *path = reading->source->path;
    uint64_t bytes = (uint64_t)reading->width * reading->height * (reading->depth == 16 ? 2 : 1);
    if (reading->colour_type == PNG_COLOR_TYPE_PALETTE) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is a palette image, must be 8 or 16-bit grey", path);
    }
    if (reading->colour_type != PNG_COLOR_TYPE_GRAY) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has %s, must be 8 or 16-bit grey", path,
                         reading->colour_type == PNG_COLOR_TYPE_GRAY_ALPHA ? "an alpha channel"
                                                                           : "colours");
    }
    if (reading->depth != 8 && reading->depth != 16) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is %d-bit grey, must be 8 or 16-bit grey", path,
                         reading->depth);
    }
    if (bytes / PNG_MOST_EXPANSION > reading->source->size) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is too short for %lux%lu pixels", path,
                         (unsigned long)reading->width, (unsigned long)reading->height);
    }
    return TOOL_SUCCESS;
}

/* The chunk may stand before or after the pixels. False if it is there, but is no range. */
static bool png_find_range(struct png_reading *reading)
{
    png_textp texts = NULL;
    int count = 0;
    png_get_text(reading->png, reading->info, &texts, &count);
    for (int i = 0; i < count; i++) {
        if (strcmp(texts[i].key, png_range_key) == 0) {
            char *end;
            reading->range.low = strtof(texts[i].text, &end);
            if (*end != ' ') {
                return false;
            }
            reading->range.high = strtof(end + 1, &end);
            reading->has_range = true;
            return *end == '\0' && reading->range.low >= -1e30f && reading->range.high <= 1e30f &&
                   reading->range.low <= reading->range.high;
        }
    }
    return true;
}

/* May jump. */
static void png_read_info_all(struct png_reading *reading)
{
    /* Text is small; nothing that we read makes libpng keep more. */
    png_set_user_limits(reading->png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_chunk_malloc_max(reading->png, 1 << 20);
    /* A damaged chunk may be the heights' range: none is left out. */
    png_set_crc_action(reading->png, PNG_CRC_DEFAULT, PNG_CRC_ERROR_QUIT);
    png_init_io(reading->png, reading->source->file);
    png_set_read_status_fn(reading->png, png_on_row);
    png_read_info(reading->png, reading->info);
    reading->width = png_get_image_width(reading->png, reading->info);
    reading->height = png_get_image_height(reading->png, reading->info);
    reading->depth = png_get_bit_depth(reading->png, reading->info);
    reading->colour_type = png_get_color_type(reading->png, reading->info);
}

static int png_allocate_pixels(struct png_reading *reading)
{
    size_t row = (size_t)reading->width * (reading->depth == 16 ? 2 : 1);
    if (reading->height <= SIZE_MAX / row) {
        reading->pixels = malloc(row * reading->height);
        reading->rows = calloc(reading->height, sizeof *reading->rows);
    }
    if (reading->pixels == NULL || reading->rows == NULL) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory for %lux%lu pixels", reading->source->path,
                         (unsigned long)reading->width, (unsigned long)reading->height);
    }
    for (uint32_t y = 0; y < reading->height; y++) {
        reading->rows[y] = (png_bytep)reading->pixels + y * row;
    }
    return TOOL_SUCCESS;
}

/* Words in the machine's order, as the library packs them. May jump. */
static void png_use_own_order(png_structp png)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, sizeof first);
    if (first == 1) {
        png_set_swap(png);
    }
}

/* The grey value that the file calls transparent is none: so GDAL writes what has no data. */
static void png_empty_cells(const struct png_reading *reading, terrain_heightmap *map)
{
    const bool words = reading->depth == 16;
    const size_t cells = (size_t)reading->width * reading->height;
    png_color_16p none = NULL;
    if (png_get_tRNS(reading->png, reading->info, NULL, NULL, &none) == 0) {
        return;
    }
    const uint32_t empty = none->gray & (words ? 0xFFFFu : 0xFFu);
    for (size_t i = 0; i < cells; i++) {
        const uint32_t grey =
            words ? ((const uint16_t *)reading->pixels)[i] : ((const uint8_t *)reading->pixels)[i];
        if (grey == empty) {
            terrain_heightmap_data(map)[i] = NAN;
            reading->source->info->empty_cells++;
        }
    }
}

static int png_make_map(struct png_reading *reading, terrain_heightmap **out)
{
    const bool words = reading->depth == 16;
    const image_range plain = {0, words ? 65535 : 255};
    const image_range range = reading->has_range ? reading->range : plain;
    const size_t cells = (size_t)reading->width * reading->height;
    int code = image_create(reading->source, reading->width, reading->height, out);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    if (range.low == range.high) {
        for (size_t i = 0; i < cells; i++) {
            terrain_heightmap_data(*out)[i] = range.low;
        }
        return TOOL_SUCCESS;
    }
    terrain_status status =
        words ? terrain_heightmap_unpack_u16(NULL, reading->pixels, reading->width, range.low,
                                             range.high, *out)
              : terrain_heightmap_unpack_u8(NULL, reading->pixels, reading->width, range.low,
                                            range.high, *out);
    return status == TERRAIN_SUCCESS ? TOOL_SUCCESS
                                     : tool_fail_status(NULL, status, reading->source->path);
}

static int png_read_with(struct png_reading *reading, terrain_heightmap **out)
{
    if (setjmp(reading->failure.jump) != 0) {
        return tool_is_interrupted() ? tool_fail(TOOL_INTERRUPTED, "interrupted")
                                     : tool_fail(TOOL_BAD_INPUT, "%s: is no sound PNG file: %s",
                                                 reading->source->path, reading->failure.text);
    }
    png_read_info_all(reading);
    int code = png_check_kind(reading);
    if (code == TOOL_SUCCESS) {
        code = png_allocate_pixels(reading);
    }
    if (code != TOOL_SUCCESS) {
        return code;
    }
    png_use_own_order(reading->png);
    png_read_image(reading->png, reading->rows);
    png_read_end(reading->png, reading->info);
    if (!png_find_range(reading)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: its height range is not two numbers",
                         reading->source->path);
    }
    code = png_make_map(reading, out);
    if (code == TOOL_SUCCESS) {
        png_empty_cells(reading, *out);
    }
    return code;
}

static int png_read_map(const image_source *source, terrain_heightmap **out)
{
    struct png_reading *reading;
    int code = TOOL_TROUBLE;
    if (!png_is_signed(source)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is no PNG file, whatever its name", source->path);
    }
    if (!png_is_whole(source)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is no sound PNG file: it ends too early",
                         source->path);
    }
    reading = calloc(1, sizeof *reading);
    if (reading != NULL) {
        reading->source = source;
        reading->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading->failure,
                                              png_on_error, png_on_warning);
        reading->info = reading->png != NULL ? png_create_info_struct(reading->png) : NULL;
    }
    if (reading == NULL || reading->info == NULL) {
        tool_fail(TOOL_TROUBLE, "%s: no memory", source->path);
    } else {
        code = png_read_with(reading, out);
    }
    if (reading != NULL) {
        png_destroy_read_struct(&reading->png, &reading->info, NULL);
        free(reading->pixels);
        free(reading->rows);
        free(reading);
    }
    return code;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Rows of heights that are packed at once. */
#define PNG_BAND 16

struct png_writing {
    png_structp png;
    png_infop info;
    uint32_t width, height;
    struct png_failure failure;
    int depth;         /* 8 or 16 bits for each */
    uint32_t channels; /* of a pixel: 1 grey, 3 or 4 */
    /* A picture, or else heights. */
    const unsigned char *rgb;
    const terrain_heightmap *maps[IMAGE_CHANNELS];
    uint32_t map_count;
    image_range range;
    void *band; /* rows of heights that were packed */
};

/* May jump. */
static void png_write_header(struct png_writing *writing, FILE *file)
{
    static const int types[] = {0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    const bool grey = writing->channels == 1;
    png_set_user_limits(writing->png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_init_io(writing->png, file);
    png_set_IHDR(writing->png, writing->info, writing->width, writing->height, writing->depth,
                 types[writing->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_write_status_fn(writing->png, png_on_row);
    if (writing->rgb == NULL) {
        png_set_compression_level(writing->png, PNG_GREY_LEVEL);
        png_set_compression_strategy(writing->png, PNG_GREY_STRATEGY);
        png_set_filter(writing->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    }
    if (grey) {
        char text[64];
        png_text range = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = png_range_key};
        range.text = text;
        range.text_length =
            (size_t)snprintf(text, sizeof text, "%.9g %.9g", (double)writing->range.low,
                             (double)writing->range.high);
        png_set_text(writing->png, writing->info, &range, 1);
    }
    png_write_info(writing->png, writing->info);
    if (grey && writing->depth == 16) {
        png_use_own_order(writing->png);
    }
}

/* Two masks are red and green. */
static bool png_pack_colours(struct png_writing *writing, uint32_t first, uint32_t rows)
{
    terrain_heightmap *parts[IMAGE_CHANNELS] = {NULL};
    const size_t row = (size_t)writing->width * writing->channels;
    bool good = true;
    memset(writing->band, 0, row * rows);
    for (uint32_t i = 0; i < writing->map_count && good; i++) {
        const terrain_heightmap *map = writing->maps[i];
        const size_t stride = terrain_heightmap_stride(map);
        good = terrain_heightmap_wrap_const(
                   NULL, terrain_heightmap_const_data(map) + stride * first, writing->width, rows,
                   stride, &parts[i]) == TERRAIN_SUCCESS;
    }
    good = good && terrain_heightmap_pack_channels_u8(NULL, (const terrain_heightmap *const *)parts,
                                                      NULL, NULL, writing->channels, writing->band,
                                                      row) == TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < writing->map_count; i++) {
        terrain_heightmap_destroy(parts[i]);
    }
    return good;
}

static bool png_pack(struct png_writing *writing, uint32_t first)
{
    const uint32_t left = writing->height - first, rows = left < PNG_BAND ? left : PNG_BAND;
    return writing->channels > 1 ? png_pack_colours(writing, first, rows)
                                 : image_pack(writing->maps[0], writing->range, first, rows,
                                              (uint32_t)writing->depth, writing->band);
}

static bool png_write_with(struct png_writing *writing, FILE *file)
{
    const size_t row = (size_t)writing->width * writing->channels * (size_t)(writing->depth / 8);
    if (setjmp(writing->failure.jump) != 0) {
        return false;
    }
    png_write_header(writing, file);
    for (uint32_t y = 0; y < writing->height; y++) {
        if (writing->rgb != NULL) {
            png_write_row(writing->png, writing->rgb + row * y);
            continue;
        }
        if (y % PNG_BAND == 0 && !png_pack(writing, y)) {
            return false;
        }
        png_write_row(writing->png, (png_const_bytep)writing->band + row * (y % PNG_BAND));
    }
    png_write_end(writing->png, writing->info);
    return true;
}

static bool png_write_all(struct png_writing *writing, FILE *file)
{
    bool good = false;
    writing->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writing->failure, png_on_error,
                                           png_on_warning);
    writing->info = writing->png != NULL ? png_create_info_struct(writing->png) : NULL;
    if (writing->info != NULL) {
        good = png_write_with(writing, file);
    }
    png_destroy_write_struct(&writing->png, &writing->info);
    return good;
}

static bool png_write_map(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    struct png_writing writing;
    memset(&writing, 0, sizeof writing);
    writing.maps[0] = map;
    memcpy(writing.maps + 1, extra->more, extra->more_count * sizeof *extra->more);
    writing.map_count = 1 + extra->more_count;
    writing.range = extra->range;
    writing.width = terrain_heightmap_width(map);
    writing.height = terrain_heightmap_height(map);
    writing.depth = extra->is_mask ? 8 : 16;
    writing.channels = writing.map_count == 2 ? 3 : writing.map_count;
    writing.band = malloc((size_t)writing.width * PNG_BAND * IMAGE_CHANNELS);
    bool good = writing.band != NULL && png_write_all(&writing, file);
    free(writing.band);
    return good;
}

bool image_write_rgb(FILE *file, const unsigned char *rgb, uint32_t width, uint32_t height)
{
    struct png_writing writing;
    memset(&writing, 0, sizeof writing);
    writing.rgb = rgb;
    writing.width = width;
    writing.height = height;
    writing.depth = 8;
    writing.channels = 3;
    return png_write_all(&writing, file);
}

const image_type image_png = {"png", true, png_read_map, png_write_map};
