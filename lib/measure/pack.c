/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Packing: heights into the host's 8- and 16-bit buffers, and back. */

#include "terrain/pack.h"

#include <string.h>

#include "base/float_environment.h"
#include "base/number.h"
#include "core/reader.h"
#include "measure/pack.h"
#include "measure/pack_kernels.h"
#include "vector/stream_kernels.h"

enum {
    PACK_TASK_CELLS = 1 << 16,
    PACK_LINE = 512 /* floats' worth of bytes that go past the caches at a time */
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

/* From 16 MiB on, as of floats; the rows must begin as floats do. */
static const struct stream_kernels *pack_stream(const struct pack *pack, uint32_t isa)
{
    const terrain_heightmap *map = pack->map;
    const bool aligned = ((uintptr_t)pack->buffer | pack->stride) % sizeof(float) == 0;
    return aligned && terrain__should_stream(map->width, map->height / sizeof(float))
               ? terrain__stream_kernels(isa)
               : NULL;
}

static void pack_row_past_caches(uint8_t *target, const float *source, uint32_t width, float low,
                                 float scale, const struct pack_kernels *kernels,
                                 const struct stream_kernels *stream)
{
    float line[PACK_LINE];
    for (uint32_t x = 0, count; x < width; x += count) {
        count = width - x < sizeof line ? width - x : (uint32_t)sizeof line;
        kernels->to_u8((uint8_t *)line, source + x, count, low, scale);
        uint32_t whole = count / sizeof *line;
        stream->row((float *)(void *)(target + x), line, whole);
        memcpy(target + x + whole * sizeof *line, line + whole, count % sizeof *line);
    }
}

static void pack_rows_to_u8(const struct pack *pack, uint32_t isa, uint32_t begin, uint32_t end)
{
    const struct pack_kernels *kernels = terrain__pack_kernels(isa);
    const struct stream_kernels *stream = pack_stream(pack, isa);
    float scale = (float)(255 / pack_span(pack));
    for (uint32_t y = begin; y < end; y++) {
        uint8_t *target = (uint8_t *)pack->buffer + pack_row(pack, y);
        const float *source = pack->map->data + y * pack->map->stride;
        if (stream != NULL) {
            pack_row_past_caches(target, source, pack->map->width, pack->low, scale, kernels,
                                 stream);
        } else {
            kernels->to_u8(target, source, pack->map->width, pack->low, scale);
        }
    }
    if (stream != NULL) {
        stream->done();
    }
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

/* Bytes from the first cell to the end of the last row; the sizes were checked when the map was
 * made, and a buffer of elements no wider than its cells is no larger but for its stride. */
static size_t pack_bytes(size_t width, size_t height, size_t stride, size_t element)
{
    return ((height - 1) * stride + width) * element;
}

terrain_status terrain__pack_check_buffer(const terrain__reader *reader,
                                          const terrain_heightmap *map, const void *buffer,
                                          size_t stride, size_t element)
{
    if (map == NULL || buffer == NULL) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "%s is NULL",
                                    map == NULL ? "map" : "buffer");
    }
    if ((uintptr_t)buffer % element != 0) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "buffer must be aligned to %u bytes", (unsigned)element);
    }
    if (stride < map->width) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT,
                                    "stride is %lu, must be at least the map's width, %lu",
                                    (unsigned long)stride, (unsigned long)map->width);
    }
    if (stride > SIZE_MAX / map->height / element) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ARGUMENT, "stride is too large");
    }
    const uintptr_t cells = (uintptr_t)map->data, begin = (uintptr_t)buffer;
    if (cells < begin + pack_bytes(map->width, map->height, stride, element) &&
        begin < cells + pack_bytes(map->width, map->height, map->stride, sizeof(float))) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_ALIAS, "buffer overlaps map");
    }
    return TERRAIN_SUCCESS;
}

static bool pack_is_bound(float value)
{
    return value >= -1e30f && value <= 1e30f;
}

static terrain_status pack_check(const struct pack *pack, bool written)
{
    if (written && pack->map != NULL && pack->map->read_only) {
        return terrain__reader_fail(&pack->reader, TERRAIN_ERROR_ARGUMENT,
                                    "map is const, but would be written");
    }
    char low[TERRAIN__NUMBER_SIZE], high[TERRAIN__NUMBER_SIZE];
    terrain__format_float(low, pack->low);
    terrain__format_float(high, pack->high);
    if (!pack_is_bound(pack->low) || !pack_is_bound(pack->high)) {
        return terrain__reader_fail(&pack->reader, TERRAIN_ERROR_RANGE,
                                    "low is %s and high is %s, must be in [-1e30, 1e30]", low,
                                    high);
    }
    if (pack->low == pack->high) {
        return terrain__reader_fail(&pack->reader, TERRAIN_ERROR_RANGE,
                                    "low and high are both %s, must differ", low);
    }
    return terrain__pack_check_buffer(&pack->reader, pack->map, pack->buffer, pack->stride,
                                      pack->element);
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
