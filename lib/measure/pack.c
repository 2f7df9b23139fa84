/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Packing: heights into the host's 8- and 16-bit buffers, and back. */

#include "terrain/pack.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/number.h"
#include "core/reader.h"
#include "measure/pack.h"
#include "measure/pack_kernels.h"
#include "vector/stream_kernels.h"

enum {
    PACK_TASK_CELLS = 1 << 16,
    PACK_LINE = 512, /* cells that are packed at a time where they are put together first */
    PACK_CHANNELS = 4
};

struct pack;
typedef void pack_rows(const struct pack *pack, uint32_t isa, uint32_t begin, uint32_t end);

/* One call, of either width and direction. */
struct pack {
    const terrain_heightmap *map;
    float low;
    float high;
    const void *buffer;
    size_t stride;
    size_t element; /* bytes */
    pack_rows *rows;
    terrain__reader reader;
};

static size_t pack_row(const struct pack *pack, uint32_t y)
{
    return y * pack->stride;
}

static double pack_span(const struct pack *pack)
{
    return (double)pack->high - (double)pack->low;
}

/* Bytes of one map or of several, cell by cell. */
struct pack_channels {
    const terrain_heightmap *maps[PACK_CHANNELS]; /* NULL: this channel stays */
    const terrain_heightmap *map;                 /* the first one */
    float lows[PACK_CHANNELS];
    float scales[PACK_CHANNELS];
    uint32_t count;
    bool all; /* channels have maps */
    uint8_t *buffer;
    size_t stride;
};

/* From 16 MiB on, as of floats; the rows must begin as floats do, and be written whole. NULL:
 * through the caches. */
static const struct stream_kernels *pack_stream(const struct pack_channels *pack, uint32_t isa)
{
    const bool aligned = ((uintptr_t)pack->buffer | pack->stride) % sizeof(float) == 0;
    return aligned && pack->all &&
                   terrain__should_stream((uint64_t)pack->map->width * pack->count,
                                          pack->map->height / sizeof(float))
               ? terrain__stream_kernels(isa)
               : NULL;
}

static void pack_past_caches(uint8_t *target, const float *line, uint32_t bytes,
                             const struct stream_kernels *stream)
{
    const uint32_t whole = bytes / sizeof *line;
    stream->row((float *)(void *)target, line, whole);
    memcpy(target + whole * sizeof *line, line + whole, bytes % sizeof *line);
}

static inline void pack_channels_cells(const struct pack_channels *pack,
                                       const struct pack_kernels *kernels, uint8_t *target,
                                       uint32_t x, uint32_t y, uint32_t width)
{
    if (pack->count == 1) {
        kernels->to_u8(target, pack->map->data + y * pack->map->stride + x, width, pack->lows[0],
                       pack->scales[0]);
        return;
    }
    uint8_t lines[PACK_CHANNELS][PACK_LINE];
    const uint8_t *given[PACK_CHANNELS] = {NULL};
    for (uint32_t k = 0; k < pack->count; k++) {
        const terrain_heightmap *map = pack->maps[k];
        if (map != NULL) {
            kernels->to_u8(lines[k], map->data + y * map->stride + x, width, pack->lows[k],
                           pack->scales[k]);
            given[k] = lines[k];
        }
    }
    kernels->interleave(target, given, pack->count, width);
}

static void pack_channels_rows(const struct pack_channels *pack, uint32_t isa, uint32_t begin,
                               uint32_t end)
{
    const struct pack_kernels *kernels = terrain__pack_kernels(isa);
    const uint32_t width = pack->map->width, channels = pack->count;
    const struct stream_kernels *stream = pack_stream(pack, isa);
    const uint32_t most = channels == 1 && stream == NULL ? width : PACK_LINE;
    float line[PACK_LINE * PACK_CHANNELS / sizeof(float)];
    for (uint32_t y = begin; y < end; y++) {
        uint8_t *target = pack->buffer + y * pack->stride;
        for (uint32_t x = 0, count; x < width; x += count, target += (size_t)count * channels) {
            count = width - x < most ? width - x : most;
            if (stream != NULL) {
                pack_channels_cells(pack, kernels, (uint8_t *)line, x, y, count);
                pack_past_caches(target, line, count * channels, stream);
            } else {
                pack_channels_cells(pack, kernels, target, x, y, count);
            }
        }
    }
    if (stream != NULL) {
        stream->done();
    }
}

static void pack_rows_to_u8(const struct pack *pack, uint32_t isa, uint32_t begin, uint32_t end)
{
    const struct pack_channels one = {.maps = {pack->map},
                                      .map = pack->map,
                                      .lows = {pack->low},
                                      .scales = {(float)(255 / pack_span(pack))},
                                      .count = 1,
                                      .all = true,
                                      .buffer = (uint8_t *)pack->buffer,
                                      .stride = pack->stride};
    pack_channels_rows(&one, isa, begin, end);
}

static void pack_rows_to_u16(const struct pack *pack, uint32_t isa, uint32_t begin, uint32_t end)
{
    const struct pack_kernels *kernels = terrain__pack_kernels(isa);
    uint16_t *target = (uint16_t *)pack->buffer;
    float scale = (float)(65535 / pack_span(pack));
    for (uint32_t y = begin; y < end; y++) {
        kernels->to_u16(target + pack_row(pack, y), pack->map->data + y * pack->map->stride,
                        pack->map->width, pack->low, scale);
    }
}

static void pack_rows_from_u8(const struct pack *pack, uint32_t isa, uint32_t begin, uint32_t end)
{
    const struct pack_kernels *kernels = terrain__pack_kernels(isa);
    const uint8_t *source = pack->buffer;
    for (uint32_t y = begin; y < end; y++) {
        kernels->from_u8(pack->map->data + y * pack->map->stride, source + pack_row(pack, y),
                         pack->map->width, (double)pack->low, pack_span(pack) / 255);
    }
}

static void pack_rows_from_u16(const struct pack *pack, uint32_t isa, uint32_t begin, uint32_t end)
{
    const struct pack_kernels *kernels = terrain__pack_kernels(isa);
    const uint16_t *source = pack->buffer;
    for (uint32_t y = begin; y < end; y++) {
        kernels->from_u16(pack->map->data + y * pack->map->stride, source + pack_row(pack, y),
                          pack->map->width, (double)pack->low, pack_span(pack) / 65535);
    }
}

terrain_status terrain__pack_check_buffer(const terrain__reader *reader,
                                          const terrain_heightmap *map, const void *buffer,
                                          size_t stride, size_t element, uint32_t channels)
{
    if (map == NULL || buffer == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "%s is NULL",
                                    map == NULL ? "map" : "buffer");
    }
    if ((uintptr_t)buffer % element != 0) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "buffer must be aligned to %u bytes", (unsigned)element);
    }
    const uint64_t row = (uint64_t)map->width * channels;
    if (stride < row) {
        return terrain__reader_fail(
            reader, TERRAIN_ERROR_ARGUMENT, "stride is %zu, must be at least %s, %" PRIu64, stride,
            channels == 1 ? "the map's width" : "count times the maps' width", row);
    }
    if (stride > SIZE_MAX / map->height / element) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "stride is too large");
    }
    if (terrain__heightmap_meets(map, buffer,
                                 ((map->height - 1) * stride + (size_t)row) * element)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ALIAS, "buffer overlaps map");
    }
    return TERRAIN_SUCCESS;
}

static bool pack_is_bound(float value)
{
    return value >= -1e30f && value <= 1e30f;
}

/* The message begins with `which`. */
static terrain_status pack_check_range(const terrain__reader *reader, const char *which, float low,
                                       float high)
{
    char low_text[TERRAIN__NUMBER_SIZE], high_text[TERRAIN__NUMBER_SIZE];
    terrain__format_float(low_text, low);
    terrain__format_float(high_text, high);
    if (!pack_is_bound(low) || !pack_is_bound(high)) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "%slow is %s and high is %s, must be in [-1e30, 1e30]", which,
                                    low_text, high_text);
    }
    if (low == high) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "%slow and high are both %s, must differ", which, low_text);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status pack_check(const struct pack *pack, bool written)
{
    if (written && pack->map != NULL && pack->map->read_only) {
        return terrain__reader_fail(&pack->reader, TERRAIN_ERROR_ARGUMENT,
                                    "map is const, but would be written");
    }
    const terrain_status status = pack_check_range(&pack->reader, "", pack->low, pack->high);
    return status != TERRAIN_SUCCESS
               ? status
               : terrain__pack_check_buffer(&pack->reader, pack->map, pack->buffer, pack->stride,
                                            pack->element, 1);
}

/* At least so many cells each: tasks of less would hardly be worth their start. */
static terrain__bands pack_bands(const terrain_heightmap *map)
{
    return terrain__bands_of(map->height, PACK_TASK_CELLS / map->width + 1);
}

static void pack_band(terrain__call *call, uint32_t index)
{
    const struct pack *pack = call->job;
    terrain__bands bands = pack_bands(pack->map);
    pack->rows(pack, call->isa, terrain__band_begin(&bands, index),
               terrain__band_end(&bands, index));
}

static terrain_status pack_run(terrain_context *context, const char *name,
                               const terrain_heightmap *map, float low, float high,
                               const void *buffer, size_t stride, size_t element, pack_rows *rows,
                               bool written)
{
    struct pack pack = {map, low, high, buffer, stride, element, rows, {0}};
    terrain_status status = terrain__reader_enter(&pack.reader, context, name);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain__float_environment host; /* may take small bounds for equal, or trap on NaN */
    terrain__float_enter(&host);
    terrain__float_settle(&pack);
    status = pack_check(&pack, written);
    terrain__float_leave(&host);
    if (status == TERRAIN_SUCCESS) {
        pack.reader.job = &pack;
        terrain__reader_commit(&pack.reader, pack_bands(map).count, pack_band);
    }
    return terrain__reader_leave(&pack.reader, status);
}

terrain_status terrain_heightmap_pack_u8(terrain_context *context, const terrain_heightmap *map,
                                         float low, float high, uint8_t *buffer, size_t stride)
{
    return pack_run(context, "heightmap_pack_u8", map, low, high, buffer, stride, sizeof *buffer,
                    pack_rows_to_u8, false);
}

terrain_status terrain_heightmap_pack_u16(terrain_context *context, const terrain_heightmap *map,
                                          float low, float high, uint16_t *buffer, size_t stride)
{
    return pack_run(context, "heightmap_pack_u16", map, low, high, buffer, stride, sizeof *buffer,
                    pack_rows_to_u16, false);
}

terrain_status terrain_heightmap_unpack_u8(terrain_context *context, const uint8_t *buffer,
                                           size_t stride, float low, float high,
                                           terrain_heightmap *map)
{
    return pack_run(context, "heightmap_unpack_u8", map, low, high, buffer, stride, sizeof *buffer,
                    pack_rows_from_u8, true);
}

terrain_status terrain_heightmap_unpack_u16(terrain_context *context, const uint16_t *buffer,
                                            size_t stride, float low, float high,
                                            terrain_heightmap *map)
{
    return pack_run(context, "heightmap_unpack_u16", map, low, high, buffer, stride, sizeof *buffer,
                    pack_rows_from_u16, true);
}

/* ---- Several maps in one buffer ------------------------------------------------------------- */

static void pack_channels_band(terrain__call *call, uint32_t index)
{
    const struct pack_channels *pack = call->job;
    const terrain__bands bands = pack_bands(pack->map);
    pack_channels_rows(pack, call->isa, terrain__band_begin(&bands, index),
                       terrain__band_end(&bands, index));
}

/* Checks map k, its range, and the buffer. */
static terrain_status pack_channels_check_map(const terrain__reader *reader,
                                              const struct pack_channels *pack, uint32_t k,
                                              float low, float high)
{
    char which[sizeof "maps[4294967295]: "];
    const terrain_heightmap *map = pack->maps[k], *first = pack->map;
    snprintf(which, sizeof which, "maps[%" PRIu32 "]: ", k);
    if (map->width != first->width || map->height != first->height) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "%s%" PRIu32 "x%" PRIu32 ", the first map is %" PRIu32
                                    "x%" PRIu32 ": sizes must be equal",
                                    which, map->width, map->height, first->width, first->height);
    }
    const terrain_status status = pack_check_range(reader, which, low, high);
    return status != TERRAIN_SUCCESS ? status
                                     : terrain__pack_check_buffer(reader, map, pack->buffer,
                                                                  pack->stride, 1, pack->count);
}

/* Checks all maps and ranges, and takes them over. */
static terrain_status pack_channels_check(const terrain__reader *reader, struct pack_channels *pack,
                                          const terrain_heightmap *const *maps, const float *lows,
                                          const float *highs)
{
    if (maps == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "maps is NULL");
    }
    if (pack->count < 1 || pack->count > PACK_CHANNELS) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_RANGE,
                                    "count is %" PRIu32 ", must be in [1, %d]", pack->count,
                                    PACK_CHANNELS);
    }
    pack->all = true;
    for (uint32_t k = 0; k < pack->count; k++) {
        const float low = lows == NULL ? 0 : lows[k], high = highs == NULL ? 1 : highs[k];
        if (maps[k] == NULL) {
            pack->all = false;
            continue;
        }
        pack->map = pack->map == NULL ? maps[k] : pack->map;
        pack->maps[k] = maps[k];
        const terrain_status status = pack_channels_check_map(reader, pack, k, low, high);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        pack->lows[k] = low;
        pack->scales[k] = (float)(255 / ((double)high - (double)low));
    }
    return pack->map == NULL
               ? terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "all maps are NULL")
               : TERRAIN_SUCCESS;
}

terrain_status terrain_heightmap_pack_channels_u8(terrain_context *context,
                                                  const terrain_heightmap *const *maps,
                                                  const float *lows, const float *highs,
                                                  uint32_t count, uint8_t *buffer, size_t stride)
{
    struct pack_channels pack = {.count = count, .buffer = buffer, .stride = stride};
    terrain__reader reader;
    terrain_status status = terrain__reader_enter(&reader, context, "heightmap_pack_channels_u8");
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain__float_environment host;
    terrain__float_enter(&host);
    status = pack_channels_check(&reader, &pack, maps, lows, highs);
    terrain__float_settle(&pack);
    terrain__float_leave(&host);
    if (status == TERRAIN_SUCCESS) {
        reader.job = &pack;
        terrain__reader_commit(&reader, pack_bands(pack.map).count, pack_channels_band);
    }
    return terrain__reader_leave(&reader, status);
}
