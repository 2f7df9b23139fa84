/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "image.h"
#include "tool.h"

/* The mean slope that slopes are stretched to, rise over run. */
#define DRAW_MEAN_SLOPE 0.45

/* The light: most of it from the north-west, the rest from both sides of it, so that ridges that
 * run along the light don't vanish (after the multidirectional relief of Mark, 1992). */
static const struct draw_light {
    float azimuth;
    float weight;
} draw_lights[] = {{315, 0.6f}, {255, 0.2f}, {15, 0.2f}};

enum { DRAW_LIGHTS = sizeof draw_lights / sizeof draw_lights[0] };

/* Altitude tints, from the lowland to the snow; a position is a share of the relief. */
static const struct draw_tint {
    float at;
    float red, green, blue;
} draw_tints[] = {
    {0.00f, 92, 132, 88},   {0.15f, 132, 164, 104}, {0.35f, 188, 196, 132}, {0.55f, 208, 184, 132},
    {0.72f, 178, 142, 106}, {0.86f, 176, 164, 156}, {1.00f, 248, 248, 250},
};

enum { DRAW_TINTS = sizeof draw_tints / sizeof draw_tints[0] };

static void draw_tint_of(float share, float tint[3])
{
    const struct draw_tint *low = &draw_tints[0];
    float t;
    for (int i = 1; i < DRAW_TINTS - 1 && draw_tints[i].at <= share; i++) {
        low = &draw_tints[i];
    }
    t = (share - low[0].at) / (low[1].at - low[0].at);
    tint[0] = low[0].red + t * (low[1].red - low[0].red);
    tint[1] = low[0].green + t * (low[1].green - low[0].green);
    tint[2] = low[0].blue + t * (low[1].blue - low[0].blue);
}

static unsigned char draw_byte(float value)
{
    value = value > 0 ? value : 0;
    return (unsigned char)(value < 255 ? value + 0.5f : 255);
}

static terrain_status draw_exaggeration(terrain_context *context, const terrain_heightmap *map,
                                        terrain_heightmap *slope, float *exaggeration)
{
    terrain_statistics *statistics = NULL;
    terrain_status status = terrain_statistics_create(context, &statistics);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_analyze_slope(context, map, slope, NULL);
    }
    if (status == TERRAIN_SUCCESS) {
        double mean;
        terrain_statistics_add(statistics, slope);
        mean = terrain_statistics_mean(statistics); /* NaN if no slope is finite */
        *exaggeration = 1;
        if (mean > 0) {
            double wanted = DRAW_MEAN_SLOPE / mean;
            *exaggeration = (float)(wanted < 1000 ? wanted : 1000);
        }
    }
    terrain_statistics_destroy(statistics);
    return status;
}

/* Light relative to that of level ground, as a factor on the tint. */
static float draw_factor(float shade, float level)
{
    float relative = shade / level;
    return relative < 1 ? 0.25f + 0.75f * relative : 1 + 0.45f * (relative - 1);
}

static void draw_pixels(const terrain_heightmap *map, terrain_heightmap *const shades[DRAW_LIGHTS],
                        image_range range, float level, unsigned char *rgb)
{
    const float span = range.high > range.low ? range.high - range.low : 1;
    const uint32_t width = terrain_heightmap_width(map);
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        const float *row = terrain_heightmap_const_data(map) + y * terrain_heightmap_stride(map);
        for (uint32_t x = 0; x < width; x++, rgb += 3) {
            float shade = 0;
            float tint[3] = {128, 128, 128};
            for (int i = 0; i < DRAW_LIGHTS; i++) {
                shade += draw_lights[i].weight *
                         terrain_heightmap_const_data(shades[i])[(size_t)y * width + x];
            }
            if (isfinite(row[x])) {
                draw_tint_of((row[x] - range.low) / span, tint);
            }
            shade = isfinite(shade) ? draw_factor(shade, level) : 1;
            for (int i = 0; i < 3; i++) {
                /* Shadows are a little bluer than the light. */
                float cool = shade < 1 ? (float)(i - 1) * 10 * (1 - shade) : 0;
                rgb[i] = draw_byte(tint[i] * shade + cool);
            }
        }
    }
}

terrain_status draw_relief(terrain_context *context, const terrain_heightmap *map,
                           float exaggeration, unsigned char *rgb)
{
    terrain_heightmap *shades[DRAW_LIGHTS] = {NULL};
    terrain_analyze_hillshade_params params;
    terrain_status status = TERRAIN_SUCCESS;
    image_range range;
    const float level = 0.70710678f; /* of light 45 degrees above the horizon */
    terrain_analyze_hillshade_params_init(&params, sizeof params);
    params.altitude = 45;
    for (int i = 0; i < DRAW_LIGHTS && status == TERRAIN_SUCCESS; i++) {
        status = terrain_heightmap_create(context, terrain_heightmap_width(map),
                                          terrain_heightmap_height(map), &shades[i]);
        if (status == TERRAIN_SUCCESS && exaggeration == 0) {
            status = draw_exaggeration(context, map, shades[0], &exaggeration);
        }
        params.azimuth = draw_lights[i].azimuth;
        params.exaggeration = exaggeration;
        if (status == TERRAIN_SUCCESS) {
            status = terrain_analyze_hillshade(context, map, shades[i], &params);
        }
    }
    if (status == TERRAIN_SUCCESS && !image_range_of(map, &range)) {
        status = TERRAIN_ERROR_MEMORY;
    }
    if (status == TERRAIN_SUCCESS) {
        draw_pixels(map, shades, range, level, rgb);
    }
    for (int i = 0; i < DRAW_LIGHTS; i++) {
        terrain_heightmap_destroy(shades[i]);
    }
    return status;
}

/* ---- Pictures --------------------------------------------------------------------------------- */

static void draw_line(unsigned char *pixel, size_t step, uint32_t count)
{
    static const unsigned char red[3] = {220, 30, 30};
    for (uint32_t i = 0; i < count; i++) {
        memcpy(pixel + i * step, red, sizeof red);
    }
}

static void draw_all_lines(const draw_lines *lines, uint32_t width, uint32_t height,
                           unsigned char *rgb)
{
    for (uint64_t x = lines->x; x + 1 < width; x += lines->x) {
        draw_line(rgb + 3 * x, (size_t)3 * width, height);
    }
    for (uint64_t y = lines->y; y + 1 < height; y += lines->y) {
        draw_line(rgb + 3 * y * width, 3, width);
    }
}

static int draw_write(const char *path, const unsigned char *rgb, const terrain_heightmap *map)
{
    output_file output;
    int code = output_begin(&output, path);
    if (code == TOOL_SUCCESS &&
        !image_write_rgb(output.file, rgb, terrain_heightmap_width(map),
                         terrain_heightmap_height(map)) &&
        !ferror(output.file)) {
        code = tool_is_interrupted()
                   ? tool_check_interrupt()
                   : tool_fail(TOOL_TROUBLE, "%s: can't be written: no memory", path);
    }
    if (code == TOOL_SUCCESS) {
        code = output_close(&output);
    }
    if (code == TOOL_SUCCESS) {
        code = tool_check_interrupt();
    }
    if (code == TOOL_SUCCESS) {
        code = tool_flush();
    }
    if (code == TOOL_SUCCESS) {
        code = output_rename(&output);
    }
    output_discard(&output);
    return code;
}

int draw_picture(const char *what, const terrain_heightmap *map, float exaggeration,
                 const draw_lines *lines, const char *path)
{
    const uint32_t width = terrain_heightmap_width(map);
    const uint32_t height = terrain_heightmap_height(map);
    terrain_context *context = NULL;
    unsigned char *rgb = width <= SIZE_MAX / 3 / height ? malloc((size_t)width * height * 3) : NULL;
    terrain_status status = terrain_context_create(NULL, &context);
    int code = TOOL_SUCCESS;
    if (rgb == NULL) {
        status = TERRAIN_ERROR_MEMORY;
    }
    tool_catch_interrupt(context);
    if (status == TERRAIN_SUCCESS) {
        status = draw_relief(context, map, exaggeration, rgb);
    }
    if (status != TERRAIN_SUCCESS) {
        code = tool_fail_status(context, status, what);
    } else {
        if (lines != NULL) {
            draw_all_lines(lines, width, height, rgb);
        }
        code = draw_write(path, rgb, map);
    }
    tool_catch_interrupt(NULL);
    terrain_context_destroy(context);
    free(rgb);
    return code;
}
