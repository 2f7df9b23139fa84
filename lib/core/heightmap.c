/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/heightmap.h"

#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "core/context.h"

bool terrain__window_in_world(int64_t x, int64_t y, uint32_t width, uint32_t height)
{
    return x >= -TERRAIN_WORLD_LIMIT && y >= -TERRAIN_WORLD_LIMIT &&
           x <= TERRAIN_WORLD_LIMIT - (int64_t)width && y <= TERRAIN_WORLD_LIMIT - (int64_t)height;
}

/* A window far from the map may be too far for a difference: compare before subtracting. */
bool terrain__heightmap_place(const terrain_heightmap *map, const terrain_window *window,
                              uint32_t *x, uint32_t *y)
{
    if (window->width == 0 || window->height == 0 || window->x < map->x || window->y < map->y ||
        window->x > map->x + map->width || window->y > map->y + map->height ||
        window->width > map->x + map->width - window->x ||
        window->height > map->y + map->height - window->y) {
        return false;
    }
    *x = (uint32_t)(window->x - map->x);
    *y = (uint32_t)(window->y - map->y);
    return true;
}

/* A map around data, or around new memory if data is NULL. */
static terrain_status heightmap_new(const terrain_allocator *allocator, float *data, uint32_t width,
                                    uint32_t height, size_t stride, terrain_heightmap **out)
{
    terrain_heightmap *map = terrain__allocate(allocator, sizeof *map, _Alignof(terrain_heightmap));
    if (map == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memset(map, 0, sizeof *map);
    map->data = data;
    map->stride = stride;
    map->width = width;
    map->height = height;
    map->cell_size = 1;
    map->allocator = *allocator;
    if (data == NULL) {
        size_t size = stride * height * sizeof(float);
        map->data = terrain__allocate(allocator, size, TERRAIN__ALIGNMENT);
        if (map->data == NULL) {
            terrain__free(allocator, map, sizeof *map);
            return TERRAIN_ERROR_MEMORY;
        }
        map->owned = true;
    }
    *out = map;
    return TERRAIN_SUCCESS;
}

/* Bytes of height rows of stride floats. */
static bool heightmap_size(size_t stride, uint32_t height, size_t *size)
{
    size_t row;
    return terrain__multiply_size(stride, sizeof(float), &row) &&
           terrain__multiply_size(row, height, size) && *size <= PTRDIFF_MAX;
}

/* An owned map, cells not set. */
static terrain_status heightmap_new_owned(const terrain_allocator *allocator, uint32_t width,
                                          uint32_t height, terrain_heightmap **out)
{
    size_t size;
    if (!heightmap_size(width, height, &size)) {
        return TERRAIN_ERROR_MEMORY;
    }
    return heightmap_new(allocator, NULL, width, height, width, out);
}

terrain_status terrain_heightmap_create(terrain_context *context, uint32_t width, uint32_t height,
                                        terrain_heightmap **out)
{
    terrain_status status = terrain__context_enter_making(context, "heightmap_create", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (width == 0 || height == 0) {
        status = terrain__context_fail(
            context, TERRAIN_ERROR_ARGUMENT,
            "heightmap_create: width is %lu, height %lu: both must be at least 1",
            (unsigned long)width, (unsigned long)height);
    } else {
        status = heightmap_new_owned(terrain__context_allocator(context), width, height, out);
        if (status != TERRAIN_SUCCESS) {
            terrain__context_fail(context, status, "heightmap_create: no memory for %lux%lu cells",
                                  (unsigned long)width, (unsigned long)height);
        } else {
            memset((*out)->data, 0, (*out)->stride * height * sizeof(float));
        }
    }
    terrain__context_leave(context);
    return status;
}

static const char *heightmap_wrap_fault(const float *data, uint32_t width, uint32_t height,
                                        size_t stride)
{
    size_t size;
    if (data == NULL) {
        return "data is NULL";
    }
    if (width == 0 || height == 0) {
        return "width and height must be at least 1";
    }
    if (stride < width) {
        return "stride must be at least width";
    }
    if ((uintptr_t)data % sizeof(float) != 0) {
        return "data must be aligned to 4 bytes";
    }
    if (!heightmap_size(stride, height, &size) || (uintptr_t)data > UINTPTR_MAX - size) {
        return "stride * height is more than the address space holds";
    }
    return NULL;
}

static terrain_status heightmap_wrap(terrain_context *context, float *data, uint32_t width,
                                     uint32_t height, size_t stride, bool read_only,
                                     terrain_heightmap **out)
{
    const char *name = read_only ? "heightmap_wrap_const" : "heightmap_wrap";
    const char *fault = heightmap_wrap_fault(data, width, height, stride);
    terrain_status status = terrain__context_enter_making(context, name, out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (fault != NULL) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "%s: %s", name, fault);
    } else {
        status =
            heightmap_new(terrain__context_allocator(context), data, width, height, stride, out);
        if (status != TERRAIN_SUCCESS) {
            terrain__context_fail(context, status, "%s: no memory", name);
        } else {
            (*out)->read_only = read_only;
        }
    }
    terrain__context_leave(context);
    return status;
}

terrain_status terrain_heightmap_wrap(terrain_context *context, float *data, uint32_t width,
                                      uint32_t height, size_t stride, terrain_heightmap **out)
{
    return heightmap_wrap(context, data, width, height, stride, false, out);
}

terrain_status terrain_heightmap_wrap_const(terrain_context *context, const float *data,
                                            uint32_t width, uint32_t height, size_t stride,
                                            terrain_heightmap **out)
{
    return heightmap_wrap(context, (float *)(uintptr_t)data, width, height, stride, true, out);
}

static terrain_status heightmap_view_checked(terrain_context *context, terrain_heightmap *map,
                                             const terrain_window *part, terrain_heightmap **out)
{
    if (map == NULL || part->width == 0 || part->height == 0) {
        return terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "heightmap_view: %s",
                                     map == NULL ? "map is NULL"
                                                 : "width and height must be at least 1");
    }
    if (part->width > map->width || part->x > map->width - part->width ||
        part->height > map->height || part->y > map->height - part->height) {
        return terrain__context_fail(
            context, TERRAIN_ERROR_RANGE,
            "heightmap_view: %lux%lu cells from (%lld, %lld) on don't lie within a map of %lux%lu",
            (unsigned long)part->width, (unsigned long)part->height, (long long)part->x,
            (long long)part->y, (unsigned long)map->width, (unsigned long)map->height);
    }
    terrain_status status =
        heightmap_new(terrain__context_allocator(context),
                      map->data + (size_t)part->y * map->stride + (size_t)part->x, part->width,
                      part->height, map->stride, out);
    if (status != TERRAIN_SUCCESS) {
        return terrain__context_fail(context, status, "heightmap_view: no memory");
    }
    (*out)->read_only = map->read_only;
    (*out)->cell_size = map->cell_size;
    (*out)->x = map->x + part->x;
    (*out)->y = map->y + part->y;
    return TERRAIN_SUCCESS;
}

terrain_status terrain_heightmap_view(terrain_context *context, terrain_heightmap *map, uint32_t x,
                                      uint32_t y, uint32_t width, uint32_t height,
                                      terrain_heightmap **out)
{
    const terrain_window part = {x, y, width, height};
    terrain_status status = terrain__context_enter_making(context, "heightmap_view", out);
    if (status == TERRAIN_SUCCESS) {
        status = heightmap_view_checked(context, map, &part, out);
        terrain__context_leave(context);
    }
    return status;
}

static void heightmap_copy_cells(const terrain_heightmap *source, terrain_heightmap *target)
{
    for (uint32_t y = 0; y < source->height; y++) {
        memcpy(target->data + y * target->stride, source->data + y * source->stride,
               source->width * sizeof(float));
    }
}

static void heightmap_copy_place(const terrain_heightmap *source, terrain_heightmap *target)
{
    target->cell_size = source->cell_size;
    target->x = source->x;
    target->y = source->y;
}

terrain_status terrain_heightmap_clone(terrain_context *context, const terrain_heightmap *source,
                                       terrain_heightmap **out)
{
    terrain_status status = terrain__context_enter_making(context, "heightmap_clone", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (source == NULL) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT,
                                       "heightmap_clone: source is NULL");
    } else {
        status = heightmap_new_owned(terrain__context_allocator(context), source->width,
                                     source->height, out);
        if (status != TERRAIN_SUCCESS) {
            terrain__context_fail(context, status, "heightmap_clone: no memory");
        } else {
            heightmap_copy_cells(source, *out);
            heightmap_copy_place(source, *out);
        }
    }
    terrain__context_leave(context);
    return status;
}

static terrain_status heightmap_copy_checked(terrain_context *context,
                                             const terrain_heightmap *source,
                                             terrain_heightmap *target)
{
    if (source == NULL || target == NULL) {
        return terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "heightmap_copy: %s is NULL",
                                     source == NULL ? "source" : "target");
    }
    if (target->read_only) {
        return terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT,
                                     "heightmap_copy: target is const");
    }
    if (source->width != target->width || source->height != target->height) {
        return terrain__context_fail(
            context, TERRAIN_ERROR_ARGUMENT,
            "heightmap_copy: source is %lux%lu, target %lux%lu: sizes must be equal",
            (unsigned long)source->width, (unsigned long)source->height,
            (unsigned long)target->width, (unsigned long)target->height);
    }
    if (source->data != target->data || source->stride != target->stride) {
        if (terrain__heightmaps_overlap(source, target)) {
            return terrain__context_fail(context, TERRAIN_ERROR_ALIAS,
                                         "heightmap_copy: source and target overlap");
        }
        heightmap_copy_cells(source, target);
    }
    heightmap_copy_place(source, target);
    return TERRAIN_SUCCESS;
}

terrain_status terrain_heightmap_copy(terrain_context *context, const terrain_heightmap *source,
                                      terrain_heightmap *target)
{
    terrain_status status = terrain__context_enter(context);
    if (status == TERRAIN_SUCCESS) {
        status = heightmap_copy_checked(context, source, target);
        terrain__context_leave(context);
    }
    return status;
}

void terrain_heightmap_destroy(terrain_heightmap *map)
{
    terrain_allocator allocator;
    if (map == NULL) {
        return;
    }
    allocator = map->allocator;
    if (map->owned) {
        terrain__free(&allocator, map->data, map->stride * map->height * sizeof(float));
    }
    terrain__free(&allocator, map, sizeof *map);
}

float *terrain_heightmap_data(terrain_heightmap *map)
{
    return map != NULL && !map->read_only ? map->data : NULL;
}

const float *terrain_heightmap_const_data(const terrain_heightmap *map)
{
    return map != NULL ? map->data : NULL;
}

uint32_t terrain_heightmap_width(const terrain_heightmap *map)
{
    return map != NULL ? map->width : 0;
}

uint32_t terrain_heightmap_height(const terrain_heightmap *map)
{
    return map != NULL ? map->height : 0;
}

size_t terrain_heightmap_stride(const terrain_heightmap *map)
{
    return map != NULL ? map->stride : 0;
}

float terrain_heightmap_cell_size(const terrain_heightmap *map)
{
    return map != NULL ? map->cell_size : 0;
}

terrain_status terrain_heightmap_set_cell_size(terrain_heightmap *map, float cell_size)
{
    if (map == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    terrain__float_environment host; /* may trap on NaN */
    terrain__float_enter(&host);
    terrain__float_settle(&cell_size);
    const bool is_good = terrain__is_cell_size(cell_size);
    terrain__float_settle(&is_good);
    terrain__float_leave(&host);
    if (!is_good) {
        return TERRAIN_ERROR_RANGE;
    }
    map->cell_size = cell_size;
    return TERRAIN_SUCCESS;
}

terrain_status terrain_heightmap_set_origin(terrain_heightmap *map, int64_t x, int64_t y)
{
    if (map == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (!terrain__window_in_world(x, y, map->width, map->height)) {
        return TERRAIN_ERROR_RANGE;
    }
    map->x = x;
    map->y = y;
    return TERRAIN_SUCCESS;
}

void terrain_heightmap_origin(const terrain_heightmap *map, int64_t *x, int64_t *y)
{
    if (x != NULL) {
        *x = map != NULL ? map->x : 0;
    }
    if (y != NULL) {
        *y = map != NULL ? map->y : 0;
    }
}

/* Whether the map has a cell between two addresses, of which the first lies between the map's begin
 * and the end of its last cell. */
static bool heightmap_has_cell(const terrain_heightmap *map, uintptr_t begin, uintptr_t end)
{
    const uintptr_t row = map->stride * sizeof(float), data = (uintptr_t)map->data;
    const uintptr_t y = (begin - data) / row;
    const uintptr_t cells_end = data + y * row + map->width * sizeof(float);
    return begin < cells_end || end > data + (y + 1) * row;
}

bool terrain__heightmaps_overlap(const terrain_heightmap *a, const terrain_heightmap *b)
{
    if ((uintptr_t)a->data > (uintptr_t)b->data) {
        const terrain_heightmap *swap = a;
        a = b;
        b = swap;
    }
    const uintptr_t a_end = terrain__heightmap_end(a);
    const uintptr_t row = b->stride * sizeof(float);
    /* With equal strides all rows of b lie in the same columns of a: the first row tells. */
    const uint32_t rows = a->stride == b->stride ? 1 : b->height;
    uintptr_t begin = (uintptr_t)b->data;
    for (uint32_t y = 0; y < rows && begin < a_end; y++, begin += row) {
        if (heightmap_has_cell(a, begin, begin + b->width * sizeof(float))) {
            return true;
        }
    }
    return false;
}
