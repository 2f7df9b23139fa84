/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* TIFF by libtiff, through stdio. */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tiffio.h>

#include "image.h"
#include "tool.h"

/* None, PackBits, LZW and Deflate make at most this many bytes of one. Others have no bound that
 * would help: flat land is a few hundred bytes in LERC, whatever its size. */
#define TIFF_MOST_EXPANSION 2048u

/* ---- stdio for libtiff ----------------------------------------------------------------------- */

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

/* The complaint of libtiff, for our own sentence; tiles are written by several threads. */
static _Thread_local char tiff_complaint[160];
static _Thread_local bool tiff_has_lost_a_tag;

static void tiff_on_error(const char *module, const char *format, va_list arguments)
{
    (void)module;
    vsnprintf(tiff_complaint, sizeof tiff_complaint, format, arguments);
}

/* ---- What GeoTIFF and GDAL add --------------------------------------------------------------- */

enum {
    TIFF_PIXEL_SCALE = 33550, /* three doubles: a pixel's width, height, and 0 */
    TIFF_TIEPOINT = 33922,    /* six: column, row, 0 of a point, and its place on the map */
    TIFF_MATRIX = 34264,      /* sixteen: from column, row, 0, 1 to the place, instead of both */
    TIFF_GEO_KEYS = 34735,    /* shorts: four of a header, then four for each key */
    TIFF_GEO_DOUBLES = 34736, /* values of keys */
    TIFF_GEO_TEXT = 34737,    /* values of keys */
    TIFF_METADATA = 42112,    /* GDAL's: XML, in which scale and offset of the heights may stand */
    TIFF_NODATA = 42113       /* GDAL's: a number as text */
};

/* GeoTIFF's keys, and values of theirs: coordinates are degrees of longitude and latitude; a place
 * is that of a pixel's middle, and not of its corner. */
enum {
    TIFF_KEY_MODEL = 1024,
    TIFF_MODEL_GEOGRAPHIC = 2,
    TIFF_KEY_RASTER = 1025,
    TIFF_RASTER_POINT = 2
};

enum { TIFF_FIELDS = 8 };

static char tiff_scale[] = "ModelPixelScale", tiff_tiepoint[] = "ModelTiepoint",
            tiff_matrix[] = "ModelTransformation", tiff_keys[] = "GeoKeyDirectory",
            tiff_doubles[] = "GeoDoubleParams", tiff_text[] = "GeoAsciiParams",
            tiff_nodata[] = "GDALNoData", tiff_metadata[] = "GDALMetadata";

static const TIFFFieldInfo tiff_fields[TIFF_FIELDS] = {
    {TIFF_PIXEL_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tiff_scale},
    {TIFF_TIEPOINT, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tiff_tiepoint},
    {TIFF_MATRIX, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tiff_matrix},
    {TIFF_GEO_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, tiff_keys},
    {TIFF_GEO_DOUBLES, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tiff_doubles},
    {TIFF_GEO_TEXT, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tiff_text},
    {TIFF_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tiff_metadata},
    {TIFF_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tiff_nodata},
};

static void tiff_add_fields(TIFF *tiff)
{
    TIFFMergeFieldInfo(tiff, tiff_fields, TIFF_FIELDS);
}

/* libtiff only warns of a tag that it can't read, and goes on without it; but heights without their
 * scale, or with numbers for no data among them, are others. */
static void tiff_on_warning(const char *module, const char *format, va_list arguments)
{
    char text[sizeof tiff_complaint];
    (void)module;
    vsnprintf(text, sizeof text, format, arguments);
    for (int i = 0; i < TIFF_FIELDS; i++) {
        if (strstr(text, tiff_fields[i].field_name) != NULL && strstr(text, "ignored") != NULL) {
            memcpy(tiff_complaint, text, sizeof text);
            tiff_has_lost_a_tag = true;
        }
    }
}

static TIFF *tiff_open(FILE *file, const char *mode)
{
    tiff_complaint[0] = '\0';
    tiff_has_lost_a_tag = false;
    TIFFSetErrorHandler(tiff_on_error);
    TIFFSetWarningHandler(tiff_on_warning);
    TIFFSetTagExtender(tiff_add_fields);
    return TIFFClientOpen("terrain", mode, (thandle_t)file, tiff_read_bytes, tiff_write_bytes,
                          tiff_seek, tiff_close, tiff_size, NULL, NULL);
}

/* The tags of a place, as they are in the file. */
enum { TIFF_PLACE_TAGS = 6 };

static const struct tiff_place_tag {
    uint32_t tag;
    size_t size; /* of a value; 0: text, which ends with a 0 */
} tiff_place_tags[TIFF_PLACE_TAGS] = {
    {TIFF_PIXEL_SCALE, sizeof(double)}, {TIFF_TIEPOINT, sizeof(double)},
    {TIFF_MATRIX, sizeof(double)},      {TIFF_GEO_KEYS, sizeof(uint16_t)},
    {TIFF_GEO_DOUBLES, sizeof(double)}, {TIFF_GEO_TEXT, 0},
};

struct image_place {
    uint16_t counts[TIFF_PLACE_TAGS];
    void *values[TIFF_PLACE_TAGS]; /* owned; NULL: not in the file */
    bool is_turned;                /* the file has rows from the south */
};

void image_place_free(image_place *place)
{
    for (int i = 0; place != NULL && i < TIFF_PLACE_TAGS; i++) {
        free(place->values[i]);
    }
    free(place);
}

/* The value of a key that stands in the directory itself; 0 if it isn't there. */
static uint16_t tiff_key(const uint16_t *keys, uint16_t count, uint16_t key)
{
    for (int i = 4; i + 3 < count; i += 4) {
        if (keys[i] == key && keys[i + 1] == 0) {
            return keys[i + 3];
        }
    }
    return 0;
}

static bool tiff_place_is_of_middle(const image_place *place)
{
    const uint16_t *keys = place->values[3];
    return keys != NULL && tiff_key(keys, place->counts[3], TIFF_KEY_RASTER) == TIFF_RASTER_POINT;
}

/* Whether a matrix says that each row lies north of the one before, and nothing else is odd. */
static bool tiff_place_is_from_south(const image_place *place)
{
    const double *matrix = place->values[2];
    return matrix != NULL && place->counts[2] == 16 && matrix[0] > 0 && matrix[1] == 0 &&
           matrix[4] == 0 && matrix[5] > 0;
}

bool image_place_is_turned(const image_place *place)
{
    return place != NULL && place->is_turned;
}

/* The matrix of the map with its rows in the other order. */
static void tiff_turn_matrix(const image_place *place, uint32_t height, double matrix[16])
{
    const uint32_t last = tiff_place_is_of_middle(place) ? height - 1 : height;
    matrix[7] += matrix[5] * last;
    matrix[5] = 0 - matrix[5];
}

bool image_place_corner(const image_place *place, double corner[2], double *pixel)
{
    const double *scale = place->values[0], *tie = place->values[1], *matrix = place->values[2];
    const double half = tiff_place_is_of_middle(place) ? 0.5 : 0;
    if (matrix != NULL && place->counts[2] == 16) {
        corner[0] = matrix[3] - half * (matrix[0] + matrix[1]);
        corner[1] = matrix[7] - half * (matrix[4] + matrix[5]);
        *pixel = fabs(matrix[0]) + fabs(matrix[1]);
    } else if (scale != NULL && place->counts[0] >= 2 && tie != NULL && place->counts[1] == 6) {
        corner[0] = tie[3] - (tie[0] + half) * scale[0];
        corner[1] = tie[4] + (tie[1] + half) * fabs(scale[1]);
        *pixel = fabs(scale[0]);
    } else {
        return false;
    }
    return true;
}

/* Leaves NULL where the file says nothing. False if there is no memory. */
static bool tiff_read_place(TIFF *tiff, image_place **out)
{
    image_place *place = calloc(1, sizeof *place);
    bool good = place != NULL, any = false;
    for (int i = 0; i < TIFF_PLACE_TAGS && good; i++) {
        const struct tiff_place_tag *each = &tiff_place_tags[i];
        const void *values = NULL;
        uint16_t count = 1;
        if (each->size == 0 ? TIFFGetField(tiff, each->tag, &values) != 1
                            : TIFFGetField(tiff, each->tag, &count, &values) != 1) {
            continue;
        }
        const size_t size = each->size == 0 ? strlen(values) + 1 : each->size * count;
        place->counts[i] = count;
        place->values[i] = malloc(size > 0 ? size : 1);
        good = place->values[i] != NULL;
        if (good && size > 0) {
            memcpy(place->values[i], values, size);
        }
        any = true;
    }
    if (!good || !any) {
        image_place_free(place);
        place = NULL;
    }
    *out = place;
    return good;
}

/* The place of a map whose first cell is (x, y) of the map that has the place. `height` is the
 * map's if its rows are written from the south, else 0. */
static void tiff_write_place(TIFF *tiff, const image_place *place, int64_t x, int64_t y,
                             uint32_t height)
{
    for (int i = 0; i < TIFF_PLACE_TAGS; i++) {
        const struct tiff_place_tag *each = &tiff_place_tags[i];
        const uint16_t count = place->counts[i];
        double moved[16];
        const void *values = place->values[i];
        if (values == NULL) {
            continue;
        }
        if ((each->tag == TIFF_TIEPOINT && count == 6) ||
            (each->tag == TIFF_MATRIX && count == 16)) {
            memcpy(moved, values, count * sizeof *moved);
            if (count == 6) { /* the tied point lies so many columns and rows nearer */
                moved[0] -= (double)x;
                moved[1] -= (double)y;
            } else {
                moved[3] += moved[0] * (double)x + moved[1] * (double)y;
                moved[7] += moved[4] * (double)x + moved[5] * (double)y;
                if (place->is_turned && height > 0) {
                    tiff_turn_matrix(place, height, moved);
                }
            }
            values = moved;
        }
        if (each->size == 0) {
            TIFFSetField(tiff, each->tag, values);
        } else {
            TIFFSetField(tiff, each->tag, count, values);
        }
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

struct tiff_header {
    uint32_t width, height;
    uint16_t bits, samples, format, photometric;
    bool tiled;
    uint32_t tile_width, tile_height; /* strips: the map's width, and 1 */
    bool has_nodata;
    double nodata;
    double absent;        /* value of cells whose block is not in the file */
    double scale, offset; /* a height is a cell's value times scale, plus offset */
};

static int tiff_unsound(const image_source *source)
{
    return tool_fail(TOOL_BAD_INPUT, "%s: is no sound TIFF file%s%s", source->path,
                     tiff_complaint[0] != '\0' ? ": " : "", tiff_complaint);
}

static bool tiff_is_number(const struct tiff_header *header)
{
    switch (header->format) {
    case SAMPLEFORMAT_IEEEFP:
        return header->bits == 32 || header->bits == 64;
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_INT:
        return header->bits == 8 || header->bits == 16 || header->bits == 32;
    default:
        return false;
    }
}

static int tiff_check_kind(const image_source *source, const struct tiff_header *header)
{
    static const char *const formats[] = {"",     "unsigned integers", "integers",     "float",
                                          "void", "complex integers",  "complex float"};
    if (header->samples != 1) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has %u channels, must have one", source->path,
                         (unsigned)header->samples);
    }
    if (header->photometric == PHOTOMETRIC_PALETTE) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is a palette image, must be grey", source->path);
    }
    if (header->photometric > PHOTOMETRIC_MINISBLACK) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has colours, must be grey", source->path);
    }
    if (!tiff_is_number(header)) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: has cells of %u-bit %s, must have integers of 8, 16 or 32 bits or "
                         "float of 32 or 64",
                         source->path, (unsigned)header->bits,
                         formats[header->format <= 6 ? header->format : 0]);
    }
    return TOOL_SUCCESS;
}

/* Smaller copies of the map, which follow it, are no matter; other maps are. Ends at the first. */
static int tiff_check_pages(const image_source *source, TIFF *tiff)
{
    for (int page = 2; TIFFReadDirectory(tiff) == 1; page++) {
        uint32_t kind = 0;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
        if ((kind & FILETYPE_MASK) != 0) {
            return tool_fail(TOOL_BAD_INPUT,
                             "%s: has a mask, which is not read; cells without data must have a "
                             "nodata value",
                             source->path);
        }
        if ((kind & FILETYPE_REDUCEDIMAGE) == 0) {
            return tool_fail(TOOL_BAD_INPUT, "%s: has %d pages or more, must have one",
                             source->path, page);
        }
        if (page == 1000) {
            return tiff_unsound(source);
        }
    }
    return TIFFSetDirectory(tiff, 0) == 1 ? TOOL_SUCCESS : tiff_unsound(source);
}

static bool tiff_expands_little(TIFF *tiff)
{
    uint16_t compression = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    return compression == COMPRESSION_NONE || compression == COMPRESSION_PACKBITS ||
           compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE ||
           compression == COMPRESSION_DEFLATE;
}

/* Whether a strip or a tile is in the file: GDAL leaves out those without data (SPARSE_OK). */
static bool tiff_has_block(TIFF *tiff, uint32_t block)
{
    return TIFFGetStrileOffset(tiff, block) != 0 || TIFFGetStrileByteCount(tiff, block) != 0;
}

/* How many bytes the cells in the file have. */
static double tiff_count_bytes(TIFF *tiff, const struct tiff_header *header)
{
    const uint32_t count = header->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    uint32_t rows = header->tile_height;
    double cells = 0;
    if (!header->tiled) {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    }
    for (uint32_t i = 0; i < count; i++) {
        cells += tiff_has_block(tiff, i) ? (double)header->tile_width * rows : 0;
    }
    if (!header->tiled) { /* the last strip may have fewer rows */
        cells = fmin(cells, (double)header->width * header->height);
    }
    return cells * (header->bits / 8);
}

/* The cells must come from somewhere. */
static int tiff_check_size(const image_source *source, TIFF *tiff, struct tiff_header *header)
{
    header->tiled = TIFFIsTiled(tiff) != 0;
    header->tile_width = header->width;
    header->tile_height = 1;
    if (header->tiled) {
        if (TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &header->tile_width) != 1 ||
            TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->tile_height) != 1 ||
            header->tile_width == 0 || header->tile_height == 0) {
            return tiff_unsound(source);
        }
    }
    if (tiff_expands_little(tiff) &&
        tiff_count_bytes(tiff, header) > TIFF_MOST_EXPANSION * (double)source->size) {
        return tool_fail(TOOL_BAD_INPUT, "%s: is too short for %lux%lu pixels", source->path,
                         (unsigned long)header->width, (unsigned long)header->height);
    }
    return TOOL_SUCCESS;
}

static int tiff_read_header(const image_source *source, TIFF *tiff, struct tiff_header *header)
{
    memset(header, 0, sizeof *header);
    if (TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width) != 1 ||
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height) != 1) {
        return tiff_unsound(source);
    }
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &header->format);
    if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &header->photometric) != 1) {
        header->photometric = PHOTOMETRIC_MINISBLACK;
    }
    int code = tiff_check_kind(source, header);
    return code == TOOL_SUCCESS ? tiff_check_size(source, tiff, header) : code;
}

/* GDAL, too, takes rows and columns as they are stored. */
static void tiff_note_orientation(const image_source *source, TIFF *tiff)
{
    uint16_t orientation = ORIENTATION_TOPLEFT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    if (orientation != ORIENTATION_TOPLEFT) {
        tool_note("%s: says that it lies turned or mirrored (orientation %u), but is read as it is "
                  "stored",
                  source->path, (unsigned)orientation);
    }
}

/* Which value is none, and what stands for cells that the file leaves out. */
static void tiff_read_nodata(TIFF *tiff, struct tiff_header *header)
{
    const char *text = NULL;
    char *end;
    if (TIFFGetField(tiff, TIFF_NODATA, &text) != 1 || text == NULL) {
        return;
    }
    header->nodata = strtod(text, &end);
    header->has_nodata = end != text;
    header->absent = header->has_nodata ? (double)NAN : 0;
    if (header->format == SAMPLEFORMAT_IEEEFP && header->bits == 32) {
        /* GDAL writes the digits of a double. */
        header->nodata = (double)(float)header->nodata;
    }
}

/* GDAL's scale and offset, such as whole decimetres have that are metres. */
static int tiff_read_scale(const image_source *source, TIFF *tiff, struct tiff_header *header)
{
    static const char *const roles[] = {"role=\"scale\">", "role=\"offset\">"};
    double *const values[] = {&header->scale, &header->offset};
    const char *text = NULL;
    header->scale = 1;
    if (TIFFGetField(tiff, TIFF_METADATA, &text) != 1 || text == NULL) {
        return TOOL_SUCCESS;
    }
    for (int i = 0; i < 2; i++) {
        const char *found = strstr(text, roles[i]);
        char *end;
        if (found != NULL) {
            found += strlen(roles[i]);
            *values[i] = strtod(found, &end);
            if (end == found || !isfinite(*values[i])) {
                return tool_fail(TOOL_BAD_INPUT, "%s: has a scale or an offset that is no number",
                                 source->path);
            }
        }
    }
    return TOOL_SUCCESS;
}

static bool tiff_is_in_degrees(TIFF *tiff)
{
    uint16_t count = 0;
    const uint16_t *keys = NULL;
    if (TIFFGetField(tiff, TIFF_GEO_KEYS, &count, &keys) != 1) {
        return false;
    }
    return tiff_key(keys, count, TIFF_KEY_MODEL) == TIFF_MODEL_GEOGRAPHIC;
}

/* By the format, such rows would go from the south. Files that have one mean the north, and GDAL
 * takes them so. */
static void tiff_note_negative_scale(const image_source *source, double scale)
{
    if (scale < 0) {
        tool_note("%s: has a pixel height of %.9g, below 0; its rows are taken to go from the "
                  "north, as GDAL does",
                  source->path, scale);
    }
}

/* The size of a pixel, where it is a length and one for both directions. */
static void tiff_read_cell_size(const image_source *source, TIFF *tiff, terrain_heightmap *map)
{
    char *odd = source->info->odd_pixels;
    const size_t size = sizeof source->info->odd_pixels;
    uint16_t count = 0;
    const double *scale = NULL;
    double sizes[2];
    if (TIFFGetField(tiff, TIFF_MATRIX, &count, &scale) == 1 && count == 16) {
        if (scale[1] != 0 || scale[4] != 0 || !(scale[0] > 0) || scale[5] == 0) {
            snprintf(odd, size, "lies turned on the map");
            return;
        }
        sizes[0] = scale[0];
        sizes[1] = fabs(scale[5]); /* above 0: rows from the south */
    } else if (TIFFGetField(tiff, TIFF_PIXEL_SCALE, &count, &scale) == 1 && count >= 2) {
        sizes[0] = scale[0];
        sizes[1] = fabs(scale[1]);
        tiff_note_negative_scale(source, scale[1]);
    } else {
        return;
    }
    if (tiff_is_in_degrees(tiff)) {
        snprintf(odd, size, "has its pixels in degrees, which are no length of a cell");
    } else if (!(fabs(sizes[0] - sizes[1]) <= 1e-3 * fabs(sizes[0]))) {
        snprintf(odd, size, "has pixels of %.9g by %.9g, which are no squares", sizes[0], sizes[1]);
    } else if (sizes[0] >= 1e-6 && sizes[0] <= 1e9) {
        source->info->has_cell_size =
            terrain_heightmap_set_cell_size(map, (float)sizes[0]) == TERRAIN_SUCCESS;
    }
}

/* One cell, which libtiff has brought into the machine's order. */
static double tiff_cell(const struct tiff_header *header, const unsigned char *at)
{
    if (header->format == SAMPLEFORMAT_IEEEFP) {
        float single;
        double wide;
        memcpy(&single, at, sizeof single);
        if (header->bits == 32) {
            return (double)single;
        }
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    uint32_t word = *at;
    uint16_t half;
    if (header->bits == 16) {
        memcpy(&half, at, sizeof half);
        word = half;
    } else if (header->bits == 32) {
        memcpy(&word, at, sizeof word);
    }
    /* The upper half of the integers are those below 0. */
    const double whole = (double)(UINT64_C(1) << header->bits);
    return header->format == SAMPLEFORMAT_INT && (double)word >= whole / 2 ? (double)word - whole
                                                                           : (double)word;
}

/* How many cells are no heights as the file has them. */
struct tiff_tally {
    uint64_t empty;     /* have no data */
    uint64_t absent;    /* are left out by the file */
    uint64_t rounded;   /* are integers that no float is */
    uint64_t too_large; /* are beyond all floats, but finite */
};

/* The height of a cell whose value in the file is `value`: by the file's scale and offset. */
static float tiff_height(const struct tiff_header *header, double value, struct tiff_tally *tally)
{
    const double height = value * header->scale + header->offset;
    if (header->format != SAMPLEFORMAT_IEEEFP && (double)(float)value != value) {
        tally->rounded++;
    }
    if (isfinite(value) && !(fabs(height) <= (double)FLT_MAX)) {
        tally->too_large++;
        return 0;
    }
    return (float)height;
}

/* The heights of a row's cells. `row` is NULL where the file leaves the cells out. */
static void tiff_convert_row(const struct tiff_header *header, const unsigned char *row,
                             uint32_t count, float *cells, struct tiff_tally *tally)
{
    const size_t size = header->bits / 8;
    const bool inverted =
        header->photometric == PHOTOMETRIC_MINISWHITE && header->format == SAMPLEFORMAT_UINT;
    const double white = (double)((UINT64_C(1) << (header->bits & 63)) - 1);
    for (uint32_t x = 0; x < count; x++) {
        const double value = row != NULL ? tiff_cell(header, row + size * x) : header->absent;
        if (isnan(value) || (header->has_nodata && value == header->nodata)) {
            cells[x] = NAN;
            tally->empty++;
        } else {
            cells[x] = tiff_height(header, inverted ? white - value : value, tally);
        }
    }
}

/* Reads the tile, or the row of a strip, whose first cell is this. */
static bool tiff_read_block(TIFF *tiff, const struct tiff_header *header, unsigned char *block,
                            uint32_t x, uint32_t y)
{
    return header->tiled ? TIFFReadTile(tiff, block, x, y, 0, 0) > 0
                         : TIFFReadScanline(tiff, block, y, 0) == 1;
}

/* Strips, row by row, or tiles. `block` has room for one. */
static int tiff_read_blocks(const image_source *source, TIFF *tiff,
                            const struct tiff_header *header, unsigned char *block,
                            terrain_heightmap *map, struct tiff_tally *tally)
{
    const size_t row_size = (size_t)header->tile_width * (header->bits / 8);
    for (uint32_t y = 0; y < header->height;) {
        const uint32_t rows =
            header->height - y < header->tile_height ? header->height - y : header->tile_height;
        for (uint32_t x = 0; x < header->width;) {
            const uint32_t columns =
                header->width - x < header->tile_width ? header->width - x : header->tile_width;
            const bool there =
                tiff_has_block(tiff, header->tiled ? TIFFComputeTile(tiff, x, y, 0, 0)
                                                   : TIFFComputeStrip(tiff, y, 0));
            if (there && !tiff_read_block(tiff, header, block, x, y)) {
                return tiff_unsound(source);
            }
            tally->absent += there ? 0 : (uint64_t)rows * columns;
            for (uint32_t row = 0; row < rows; row++) {
                float *cells =
                    terrain_heightmap_data(map) + (y + row) * terrain_heightmap_stride(map) + x;
                tiff_convert_row(header, there ? block + row * row_size : NULL, columns, cells,
                                 tally);
            }
            x += columns;
        }
        y += rows;
        if (tool_is_interrupted()) {
            return tool_check_interrupt();
        }
    }
    return TOOL_SUCCESS;
}

static int tiff_read_cells(const image_source *source, TIFF *tiff, const struct tiff_header *header,
                           terrain_heightmap *map)
{
    const tmsize_t size = header->tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    const uint64_t needed = (uint64_t)header->tile_width * header->tile_height * (header->bits / 8);
    if (size <= 0 || (uint64_t)size < needed) {
        return tiff_unsound(source);
    }
    unsigned char *block = malloc((size_t)size);
    if (block == NULL) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory for %llu bytes of a tile", source->path,
                         (unsigned long long)size);
    }
    struct tiff_tally tally = {0};
    int code = tiff_read_blocks(source, tiff, header, block, map, &tally);
    free(block);
    source->info->empty_cells += tally.empty;
    if (code == TOOL_SUCCESS && tally.too_large > 0) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: has %" PRIu64
                         " heights beyond %.3g, the largest that a map can have; "
                         "if they are no data, give it a nodata value",
                         source->path, tally.too_large, (double)FLT_MAX);
    }
    if (code == TOOL_SUCCESS && tally.rounded > 0) {
        tool_note("%s: has %" PRIu64
                  " integers beyond 16777216 that are rounded, as a map has floats",
                  source->path, tally.rounded);
    }
    if (code == TOOL_SUCCESS && tally.absent > 0 && !header->has_nodata) {
        tool_note("%s: leaves out %" PRIu64 " cells, whose value is taken for 0; if they have no "
                  "data, give it a nodata value",
                  source->path, tally.absent);
    }
    return code;
}

/* A map's rows go from the north. */
static void tiff_turn(image_place *place, terrain_heightmap *map)
{
    image_flip(map);
    tiff_turn_matrix(place, terrain_heightmap_height(map), place->values[2]);
    place->is_turned = true;
}

static int tiff_read_map(const image_source *source, terrain_heightmap **out)
{
    struct tiff_header header;
    TIFF *tiff = tiff_open(source->file, "rm");
    if (tiff == NULL) {
        return tiff_unsound(source);
    }
    int code = tiff_check_pages(source, tiff);
    if (code == TOOL_SUCCESS && tiff_has_lost_a_tag) {
        code = tiff_unsound(source);
    }
    if (code == TOOL_SUCCESS) {
        code = tiff_read_header(source, tiff, &header);
    }
    if (code == TOOL_SUCCESS) {
        code = image_create(source, header.width, header.height, out);
    }
    if (code == TOOL_SUCCESS) {
        tiff_note_orientation(source, tiff);
        tiff_read_nodata(tiff, &header);
        tiff_read_cell_size(source, tiff, *out);
        code = tiff_read_place(tiff, &source->info->place) ? TOOL_SUCCESS
                                                           : tool_fail(TOOL_TROUBLE, "no memory");
    }
    if (code == TOOL_SUCCESS) {
        code = tiff_read_scale(source, tiff, &header);
    }
    if (code == TOOL_SUCCESS) {
        code = tiff_read_cells(source, tiff, &header, *out);
    }
    if (code == TOOL_SUCCESS && source->info->place != NULL &&
        tiff_place_is_from_south(source->info->place)) {
        tiff_turn(source->info->place, *out);
    }
    TIFFClose(tiff);
    return code;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool tiff_has_empty_cells(const terrain_heightmap *map)
{
    const float *row = terrain_heightmap_const_data(map);
    for (uint32_t y = 0; y < terrain_heightmap_height(map) && !tool_is_interrupted(); y++) {
        int found = 0;
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            found |= row[x] != row[x];
        }
        if (found) {
            return true;
        }
        row += terrain_heightmap_stride(map);
    }
    return false;
}

/* Where the map lies: as a file has it that it comes from; or the corner of its first cell, with y
 * to the north, as maps of the world have it. Rows from the south take a matrix, which can say so.
 */
static void tiff_set_place(TIFF *tiff, const terrain_heightmap *map, const image_extra *extra)
{
    const double size = (double)terrain_heightmap_cell_size(map);
    const double scale[3] = {size, size, 0};
    double tiepoint[6] = {0};
    int64_t x, y;
    terrain_heightmap_origin(map, &x, &y);
    tiepoint[3] = (double)x * size;
    tiepoint[4] = 0 - (double)y * size;
    if (extra->place != NULL) {
        tiff_write_place(tiff, extra->place, extra->place_is_of_world ? x : 0,
                         extra->place_is_of_world ? y : 0,
                         extra->flip ? terrain_heightmap_height(map) : 0);
    } else if (extra->flip) {
        const double south = tiepoint[4] - (double)terrain_heightmap_height(map) * size;
        const double matrix[16] = {size, 0, 0, tiepoint[3], 0, size, 0, south, [15] = 1};
        TIFFSetField(tiff, TIFF_MATRIX, 16, matrix);
    } else {
        TIFFSetField(tiff, TIFF_PIXEL_SCALE, 3, scale);
        TIFFSetField(tiff, TIFF_TIEPOINT, 6, tiepoint);
    }
    if (tiff_has_empty_cells(map)) {
        TIFFSetField(tiff, TIFF_NODATA, "nan");
    }
}

static bool tiff_write_map(FILE *file, const terrain_heightmap *map, const image_extra *extra)
{
    const uint32_t width = terrain_heightmap_width(map);
    const uint32_t height = terrain_heightmap_height(map);
    const bool big = (uint64_t)width * height * sizeof(float) > UINT64_C(0xF0000000);
    float *row = malloc(width * sizeof *row); /* libtiff may change what it is given */
    TIFF *tiff = row != NULL ? tiff_open(file, big ? "w8" : "w") : NULL;
    bool good = tiff != NULL;
    if (good) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
        tiff_set_place(tiff, map, extra);
    }
    for (uint32_t y = 0; y < height && good; y++) {
        memcpy(row, terrain_heightmap_const_data(map) + y * terrain_heightmap_stride(map),
               width * sizeof *row);
        good = !tool_is_interrupted() && TIFFWriteScanline(tiff, row, y, 0) == 1;
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
