/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* TIFF by libtiff, through stdio. */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tiffio.h>

#include "image.h"
#include "tool.h"

/* The best of TIFF's usual compressions makes at most this many bytes of one. */
#define TIFF_MOST_EXPANSION 2048u

/* ---- stdio for libtiff ------------------------------------------------------------------------ */

static tmsize_t tiff_read_bytes(thandle_t file, void *bytes, tmsize_t size)
{
    return (tmsize_t)fread(bytes, 1, (size_t)size, (FILE *)file);
}

static tmsize_t tiff_write_bytes(thandle_t file, void *bytes, tmsize_t size)
{
    return (tmsize_t)fwrite(bytes, 1, (size_t)size, (FILE *)file);
}

static toff_t tiff_seek(thandle_t file, toff_t offset, int whence)
{
    if (offset > INT64_MAX || fseeko((FILE *)file, (off_t)offset, whence) != 0) {
        return (toff_t)-1;
    }
    return (toff_t)ftello((FILE *)file);
}

/* The host closes the file. */
static int tiff_close(thandle_t file)
{
    (void)file;
    return 0;
}

static toff_t tiff_size(thandle_t file)
{
    struct stat status;
    return fstat(fileno((FILE *)file), &status) == 0 ? (toff_t)status.st_size : 0;
}

/* The complaint of libtiff, for our own sentence. One image at a time. */
static char tiff_complaint[160];

static void tiff_on_error(const char *module, const char *format, va_list arguments)
{
    (void)module;
    vsnprintf(tiff_complaint, sizeof tiff_complaint, format, arguments);
}

static TIFF *tiff_open(FILE *file, const char *mode)
{
    tiff_complaint[0] = '\0';
    TIFFSetErrorHandler(tiff_on_error);
    TIFFSetWarningHandler(NULL);
    return TIFFClientOpen("terrain", mode, (thandle_t)file, tiff_read_bytes, tiff_write_bytes,
                          tiff_seek, tiff_close, tiff_size, NULL, NULL);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

struct tiff_header {
    uint32_t width, height;
    uint16_t bits, samples, format;
};

static int tiff_unsound(const image_source *source)
{
    return tool_fail(TOOL_BAD_INPUT, "%s: is no sound TIFF file%s%s", source->path,
                     tiff_complaint[0] != '\0' ? ": " : "", tiff_complaint);
}

static int tiff_read_header(const image_source *source, TIFF *tiff, struct tiff_header *header)
{
    bool grey;
    if (TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width) != 1 ||
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height) != 1) {
        return tiff_unsound(source);
    }
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &header->format);
    grey = (header->format == SAMPLEFORMAT_IEEEFP && header->bits == 32) ||
           (header->format == SAMPLEFORMAT_UINT && (header->bits == 8 || header->bits == 16)) ||
           (header->format == SAMPLEFORMAT_INT && header->bits == 16);
    if (header->samples != 1 || !grey) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: has %u channels of %u bits, must have one, of 32-bit float or 8 or "
                         "16-bit integers",
                         source->path, (unsigned)header->samples, (unsigned)header->bits);
    }
    if (TIFFIsTiled(tiff)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is stored in tiles, must be in strips", source->path);
    }
    if ((uint64_t)header->width * header->height / TIFF_MOST_EXPANSION > source->size) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is too short for %lux%lu pixels", source->path,
                         (unsigned long)header->width, (unsigned long)header->height);
    }
    return TOOL_SUCCESS;
}

/* libtiff has brought the bytes into the machine's order. */
static void tiff_convert_row(const struct tiff_header *header, const unsigned char *row,
                             float *cells)
{
    for (uint32_t x = 0; x < header->width; x++) {
        uint16_t word;
        int16_t signed_word;
        if (header->bits == 32) {
            memcpy(&cells[x], row + 4 * (size_t)x, sizeof cells[x]);
        } else if (header->bits == 8) {
            cells[x] = (float)row[x];
        } else if (header->format == SAMPLEFORMAT_INT) {
            memcpy(&signed_word, row + 2 * (size_t)x, sizeof signed_word);
            cells[x] = (float)signed_word;
        } else {
            memcpy(&word, row + 2 * (size_t)x, sizeof word);
            cells[x] = (float)word;
        }
    }
}

static int tiff_read_rows(const image_source *source, TIFF *tiff, const struct tiff_header *header,
                          terrain_heightmap *map)
{
    tmsize_t size = TIFFScanlineSize(tiff);
    unsigned char *row;
    int code = TOOL_SUCCESS;
    if (size < (tmsize_t)((uint64_t)header->width * header->bits / 8)) {
        return tiff_unsound(source);
    }
    row = malloc((size_t)size);
    if (row == NULL) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory", source->path);
    }
    for (uint32_t y = 0; y < header->height && code == TOOL_SUCCESS; y++) {
        if (TIFFReadScanline(tiff, row, y, 0) != 1) {
            code = tiff_unsound(source);
            break;
        }
        tiff_convert_row(header, row,
                         terrain_heightmap_data(map) + y * terrain_heightmap_stride(map));
    }
    free(row);
    return code;
}

static int tiff_read_map(const image_source *source, terrain_heightmap **out)
{
    struct tiff_header header;
    TIFF *tiff = tiff_open(source->file, "rm");
    int code;
    if (tiff == NULL) {
        return tiff_unsound(source);
    }
    code = tiff_read_header(source, tiff, &header);
    if (code == TOOL_SUCCESS) {
        code = image_create(source, header.width, header.height, out);
    }
    if (code == TOOL_SUCCESS) {
        code = tiff_read_rows(source, tiff, &header, *out);
    }
    TIFFClose(tiff);
    return code;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static bool tiff_write_map(FILE *file, const terrain_heightmap *map, image_range range)
{
    const uint32_t width = terrain_heightmap_width(map);
    const uint32_t height = terrain_heightmap_height(map);
    const bool big = (uint64_t)width * height * sizeof(float) > UINT64_C(0xF0000000);
    float *row = malloc(width * sizeof *row); /* libtiff may change what it is given */
    TIFF *tiff = row != NULL ? tiff_open(file, big ? "w8" : "w") : NULL;
    bool good = tiff != NULL;
    (void)range;
    if (good) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
    }
    for (uint32_t y = 0; y < height && good; y++) {
        memcpy(row, terrain_heightmap_const_data(map) + y * terrain_heightmap_stride(map),
               width * sizeof *row);
        good = TIFFWriteScanline(tiff, row, y, 0) == 1;
    }
    if (tiff != NULL) {
        good = TIFFFlush(tiff) == 1 && good;
        TIFFClose(tiff);
    }
    free(row);
    return good;
}

const image_type image_tif = {"tif", false, tiff_read_map, tiff_write_map};
const image_type image_tiff = {"tiff", false, tiff_read_map, tiff_write_map};
