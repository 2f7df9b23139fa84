/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "image.h"
#include "tool.h"

/* The mean slope that slopes are stretched to, rise over run. */
#define DRAW_MEAN_SLOPE 0.45

/* ---- Colours --------------------------------------------------------------------------------- */

/* A colour at a share of the way from the first to the last. */
struct draw_tint {
    float at;
    float red, green, blue;
};

enum { DRAW_TINTS = 7 };

/* Altitude tints, from the lowland to the summits; snow lies where mountains are green below. */
static const struct draw_tint draw_tints[DRAW_PALETTES][DRAW_TINTS] = {
    [DRAW_LAND] = {{0.00f, 92, 132, 88},
                   {0.15f, 132, 164, 104},
                   {0.35f, 188, 196, 132},
                   {0.55f, 208, 184, 132},
                   {0.72f, 178, 142, 106},
                   {0.86f, 176, 164, 156},
                   {1.00f, 248, 248, 250}},
    [DRAW_DESERT] = {{0.00f, 196, 164, 116},
                     {0.15f, 216, 184, 132},
                     {0.35f, 222, 178, 120},
                     {0.55f, 204, 144, 92},
                     {0.72f, 180, 114, 76},
                     {0.86f, 164, 104, 78},
                     {1.00f, 196, 148, 116}},
    [DRAW_GREY] = {{0.00f, 178, 178, 178},
                   {0.15f, 183, 183, 183},
                   {0.35f, 189, 189, 189},
                   {0.55f, 195, 195, 195},
                   {0.72f, 201, 201, 201},
                   {0.86f, 206, 206, 206},
                   {1.00f, 211, 211, 211}},
    [DRAW_MASK] = {{0.00f, 0, 0, 0},
                   {0.15f, 38.25f, 38.25f, 38.25f},
                   {0.35f, 89.25f, 89.25f, 89.25f},
                   {0.55f, 140.25f, 140.25f, 140.25f},
                   {0.72f, 183.6f, 183.6f, 183.6f},
                   {0.86f, 219.3f, 219.3f, 219.3f},
                   {1.00f, 255, 255, 255}},
};

/* The sea's colours, from the shore to the deepest. */
static const struct draw_tint draw_depths[DRAW_TINTS] = {
    {0.00f, 150, 202, 210}, {0.04f, 126, 186, 202}, {0.12f, 98, 162, 192}, {0.30f, 70, 132, 174},
    {0.55f, 50, 104, 152},  {0.80f, 36, 82, 130},   {1.00f, 26, 64, 110},
};

static void draw_tint_of(const struct draw_tint tints[DRAW_TINTS], float share, float tint[3])
{
    const struct draw_tint *low = &tints[0];
    share = share > 0 ? share < 1 ? share : 1 : 0;
    for (int i = 1; i < DRAW_TINTS - 1 && tints[i].at <= share; i++) {
        low = &tints[i];
    }
    float t = (share - low[0].at) / (low[1].at - low[0].at);
    tint[0] = low[0].red + t * (low[1].red - low[0].red);
    tint[1] = low[0].green + t * (low[1].green - low[0].green);
    tint[2] = low[0].blue + t * (low[1].blue - low[0].blue);
}

static unsigned char draw_byte(float value)
{
    value = value > 0 ? value : 0;
    return (unsigned char)(value < 255 ? value + 0.5f : 255);
}

const char *draw_take_palette(const char *name, draw_palette *palette)
{
    static const char *const names[DRAW_PALETTES] = {"land", "desert", "grey", "mask"};
    for (int i = 0; i < DRAW_PALETTES; i++) {
        if (strcmp(name, names[i]) == 0) {
            *palette = (draw_palette)i;
            return NULL;
        }
    }
    return "land, desert, grey or mask";
}

/* ---- Maps that lie over the land ------------------------------------------------------------- */

static bool draw_parse_colour(const char *text, float colour[3])
{
    static const struct {
        const char *name;
        unsigned rgb;
    } colours[] = {
        {"blue", 0x2E6DA8},   {"red", 0xC8322D},    {"green", 0x3C8A46}, {"yellow", 0xE8C832},
        {"orange", 0xE08A2C}, {"purple", 0x8A4AA0}, {"brown", 0x7A5233}, {"white", 0xFFFFFF},
        {"grey", 0x808080},   {"black", 0x000000},
    };
    unsigned rgb = 0;
    bool found = text[0] == '#' && strlen(text) == 7 &&
                 strspn(text + 1, "0123456789abcdefABCDEF") == 6 &&
                 sscanf(text + 1, "%x", &rgb) == 1;
    for (size_t i = 0; i < sizeof colours / sizeof colours[0] && !found; i++) {
        found = strcmp(text, colours[i].name) == 0;
        rgb = colours[i].rgb;
    }
    for (int i = 0; i < 3; i++) {
        colour[i] = (float)(rgb >> (16 - 8 * i) & 0xFF);
    }
    return found;
}

int draw_take_over(draw_style *style, const char *text)
{
    draw_over *over = &style->overs[style->over_count];
    const char *equals = strrchr(text, '=');
    if (style->over_count == DRAW_MOST_OVERS) {
        return tool_fail(TOOL_BAD_INPUT, "expected --over at most %d times", DRAW_MOST_OVERS);
    }
    if (equals == NULL || equals == text || !draw_parse_colour(equals + 1, over->colour)) {
        return tool_fail_usage(
            "--over is '%s', expected FILE=COLOUR, a colour being blue, red, green, "
            "yellow, orange, purple, brown, white, grey, black, or as #2060c0",
            text);
    }
    over->path = calloc((size_t)(equals - text) + 1, 1);
    if (over->path == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    memcpy(over->path, text, (size_t)(equals - text));
    style->over_count++;
    return TOOL_SUCCESS;
}

int draw_read_overs(draw_style *style, const terrain_heightmap *map)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    for (uint32_t i = 0; i < style->over_count; i++) {
        draw_over *over = &style->overs[i];
        int code = over->map == NULL ? image_read(over->path, width, height, &over->map)
                                     : TOOL_SUCCESS; /* a recipe's */
        if (code != TOOL_SUCCESS) {
            return code;
        }
        if (terrain_heightmap_width(over->map) != width ||
            terrain_heightmap_height(over->map) != height) {
            return tool_fail(TOOL_BAD_INPUT,
                             "%s: is %" PRIu32 "x%" PRIu32 ", must be %" PRIu32 "x%" PRIu32
                             " as the map",
                             over->path, terrain_heightmap_width(over->map),
                             terrain_heightmap_height(over->map), width, height);
        }
    }
    return TOOL_SUCCESS;
}

void draw_free_overs(draw_style *style)
{
    for (uint32_t i = 0; i < style->over_count; i++) {
        free(style->overs[i].path);
        terrain_heightmap_destroy(style->overs[i].map);
    }
    style->over_count = 0;
}

/* ---- Light ----------------------------------------------------------------------------------- */

/* The light: most of it from the north-west, the rest from both sides of it, so that ridges that
 * run along the light don't vanish (after the multidirectional relief of Mark, 1992). */
static const struct draw_light {
    float azimuth;
    float weight;
} draw_lights[] = {{315, 0.6f}, {255, 0.2f}, {15, 0.2f}};

enum { DRAW_LIGHTS = sizeof draw_lights / sizeof draw_lights[0] };

/* The shade of level ground under light 45 degrees above the horizon. */
#define DRAW_LEVEL 0.70710678f

/* The sun that casts shadows stands lower: the tangent of 30 degrees. */
#define DRAW_SUN 0.57735027f

/* A picture that is being drawn. */
struct draw {
    const terrain_heightmap *map;
    const draw_style *style;
    uint32_t width, height;
    float exaggeration;
    image_range range;
    terrain_heightmap *shades[DRAW_LIGHTS];
    float *shadow; /* of a row and the one before: the height up to which cells lie in the shadow */
};

static float draw_height(const struct draw *draw, uint32_t x, uint32_t y)
{
    return terrain_heightmap_const_data(draw->map)[y * terrain_heightmap_stride(draw->map) + x];
}

static bool draw_is_sea(const struct draw *draw, float height)
{
    return draw->style->has_sea && height < draw->style->sea;
}

/* Slopes of the map, the water being level. `slope` is room for the map. */
static terrain_status draw_slopes(terrain_context *context, const struct draw *draw,
                                  terrain_heightmap *slope)
{
    terrain_shape_clamp_params clamp;
    terrain_heightmap *level = NULL;
    if (!draw->style->has_sea) {
        return terrain_analyze_slope(context, draw->map, slope, NULL);
    }
    terrain_shape_clamp_params_init(&clamp, sizeof clamp);
    clamp.low = draw->style->sea;
    terrain_status status = terrain_heightmap_clone(context, draw->map, &level);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_shape_clamp(context, level, &clamp);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain_analyze_slope(context, level, slope, NULL);
    }
    terrain_heightmap_destroy(level);
    return status;
}

/* By the slopes of the land alone: a deep sea must not flatten its islands. */
static terrain_status draw_exaggeration(terrain_context *context, struct draw *draw,
                                        terrain_heightmap *slope)
{
    terrain_statistics *statistics = NULL;
    terrain_status status = terrain_statistics_create(context, &statistics);
    if (status == TERRAIN_SUCCESS) {
        status = draw_slopes(context, draw, slope);
    }
    if (status == TERRAIN_SUCCESS) {
        float *slopes = terrain_heightmap_data(slope);
        for (uint32_t y = 0; y < draw->height; y++) {
            for (uint32_t x = 0; x < draw->width; x++, slopes++) {
                *slopes = draw_is_sea(draw, draw_height(draw, x, y)) ? NAN : *slopes;
            }
        }
        status = terrain_statistics_add(context, statistics, slope);
    }
    if (status == TERRAIN_SUCCESS) {
        double mean = terrain_statistics_mean(statistics); /* NaN if no slope is finite */
        draw->exaggeration = 1;
        if (mean > 0) {
            double wanted = DRAW_MEAN_SLOPE / mean;
            draw->exaggeration = (float)(wanted < 1000 ? wanted : 1000);
        }
    }
    terrain_statistics_destroy(statistics);
    return status;
}

static terrain_status draw_make_shades(terrain_context *context, struct draw *draw)
{
    terrain_analyze_hillshade_params params;
    terrain_status status = TERRAIN_SUCCESS;
    terrain_analyze_hillshade_params_init(&params, sizeof params);
    params.altitude = 45;
    draw->exaggeration = draw->style->exaggeration;
    for (int i = 0; i < DRAW_LIGHTS && status == TERRAIN_SUCCESS; i++) {
        status = terrain_heightmap_create(context, draw->width, draw->height, &draw->shades[i]);
        if (status == TERRAIN_SUCCESS && draw->exaggeration == 0) {
            status = draw_exaggeration(context, draw, draw->shades[0]);
        }
        params.azimuth = draw_lights[i].azimuth;
        params.exaggeration = draw->exaggeration;
        if (status == TERRAIN_SUCCESS) {
            status = terrain_analyze_hillshade(context, draw->map, draw->shades[i], &params);
        }
    }
    return status;
}

/* The light as a multiple of the light on level ground: a factor on the tint. */
static float draw_factor(const struct draw *draw, uint32_t x, uint32_t y)
{
    float shade = 0;
    for (int i = 0; i < DRAW_LIGHTS; i++) {
        shade += draw_lights[i].weight *
                 terrain_heightmap_const_data(draw->shades[i])[(size_t)y * draw->width + x];
    }
    if (!isfinite(shade)) {
        return 1;
    }
    shade /= DRAW_LEVEL;
    return shade < 1 ? 0.25f + 0.75f * shade : 1 + 0.45f * (shade - 1);
}

/* How much of the sun a cell lies out of, 0 to 1. A shadow falls from a cell to its south-eastern
 * neighbour, and sinks by the sun's slope; the water's surface takes it, not its floor. Rows come
 * from the north. */
static float draw_shadow(struct draw *draw, uint32_t x, uint32_t y, float height)
{
    const float cell = terrain_heightmap_cell_size(draw->map);
    const float sink = 1.41421356f * cell * DRAW_SUN / draw->exaggeration;
    float *row = draw->shadow + (size_t)(y % 2) * draw->width;
    const float *before = draw->shadow + (size_t)((y + 1) % 2) * draw->width;
    const float here = draw_is_sea(draw, height) ? draw->style->sea : height;
    const float falls = x > 0 && y > 0 ? before[x - 1] - sink : -INFINITY;
    const float depth = falls - here;
    row[x] = here > falls ? here : falls; /* a height that is not finite lets it pass */
    /* Its edge is soft. */
    return depth > 0 ? depth < 2 * sink ? depth / (2 * sink) : 1 : 0;
}

/* ---- Contours -------------------------------------------------------------------------------- */

/* How dark the line is at a cell, 0 to 1: by the distance from it, in cells; each fifth one is
 * stronger. */
static float draw_contour(const struct draw *draw, uint32_t x, uint32_t y)
{
    const float step = draw->style->contours, height = draw_height(draw, x, y);
    const uint32_t west = x > 0 ? x - 1 : x, east = x + 1 < draw->width ? x + 1 : x;
    const uint32_t north = y > 0 ? y - 1 : y, south = y + 1 < draw->height ? y + 1 : y;
    const float gx = (draw_height(draw, east, y) - draw_height(draw, west, y)) /
                     (float)(east > west ? east - west : 1);
    const float gy = (draw_height(draw, x, south) - draw_height(draw, x, north)) /
                     (float)(south > north ? south - north : 1);
    const float slope = sqrtf(gx * gx + gy * gy);
    const float line = roundf(height / step);
    const float strength = fabsf(fmodf(line, 5)) < 0.5f ? 0.62f : 0.32f;
    const float distance = fabsf(height - line * step) / slope;
    /* Where lines would lie closer than three cells they only darken the land. */
    const float thin = step / slope < 3 ? step / slope / 3 : 1;
    return distance < 1 ? strength * thin * (1 - distance) : 0; /* false for NaN: level ground */
}

/* ---- Relief ---------------------------------------------------------------------------------- */

static void draw_ground(const struct draw *draw, float height, float tint[3])
{
    const image_range range = draw->range;
    const float low = draw->style->has_sea ? draw->style->sea : range.low;
    tint[0] = tint[1] = tint[2] = 128;
    if (!isfinite(height)) {
        return;
    }
    if (draw_is_sea(draw, height)) {
        const float deep = range.low < low ? low - range.low : range.high - low;
        draw_tint_of(draw_depths, deep > 0 ? (low - height) / deep : 0, tint);
    } else {
        const float span = range.high > low ? range.high - low : 1;
        draw_tint_of(draw_tints[draw->style->palette], (height - low) / span, tint);
    }
}

static void draw_pixel(struct draw *draw, uint32_t x, uint32_t y, unsigned char rgb[3])
{
    const draw_style *style = draw->style;
    const float height = draw_height(draw, x, y);
    float tint[3], shade = 1;
    draw_ground(draw, height, tint);
    for (uint32_t i = 0; i < style->over_count; i++) {
        const terrain_heightmap *map = style->overs[i].map;
        float share = terrain_heightmap_const_data(map)[y * terrain_heightmap_stride(map) + x];
        share = share > 0 ? share < 1 ? share : 1 : 0; /* NaN is 0 */
        for (int k = 0; k < 3; k++) {
            tint[k] += share * (style->overs[i].colour[k] - tint[k]);
        }
    }
    if (style->palette != DRAW_MASK) {
        shade = draw_factor(draw, x, y);
        if (draw_is_sea(draw, height)) {
            shade = 1 + 0.25f * (shade - 1); /* the floor shines through */
        }
        if (style->shadows) {
            shade *= 1 - 0.45f * draw_shadow(draw, x, y, height);
        }
    }
    if (style->contours > 0) {
        shade *= 1 - draw_contour(draw, x, y);
    }
    for (int i = 0; i < 3; i++) {
        /* Shadows are a little bluer than the light. */
        float cool =
            shade < 1 && style->palette != DRAW_MASK ? (float)(i - 1) * 10 * (1 - shade) : 0;
        rgb[i] = draw_byte(tint[i] * shade + cool);
    }
}

/* Fills rgb, 3 bytes a cell, and tells by how much slopes are multiplied. */
static terrain_status draw_relief(terrain_context *context, const terrain_heightmap *map,
                                  const draw_style *style, unsigned char *rgb, float *exaggeration)
{
    struct draw draw = {.map = map,
                        .style = style,
                        .width = terrain_heightmap_width(map),
                        .height = terrain_heightmap_height(map),
                        .range = style->range};
    terrain_status status = TERRAIN_ERROR_MEMORY;
    draw.shadow = malloc(2 * (size_t)draw.width * sizeof *draw.shadow);
    if (draw.shadow != NULL && (style->has_range || image_range_of(map, &draw.range))) {
        status = draw_make_shades(context, &draw);
    }
    for (uint32_t y = 0; y < draw.height && status == TERRAIN_SUCCESS; y++) {
        for (uint32_t x = 0; x < draw.width; x++, rgb += 3) {
            draw_pixel(&draw, x, y, rgb);
        }
        status = tool_is_interrupted() ? TERRAIN_ERROR_CANCELLED : TERRAIN_SUCCESS;
    }
    for (int i = 0; i < DRAW_LIGHTS; i++) {
        terrain_heightmap_destroy(draw.shades[i]);
    }
    free(draw.shadow);
    *exaggeration = draw.exaggeration;
    return status;
}

/* ---- Pictures -------------------------------------------------------------------------------- */

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

static int draw_write(const char *path, const unsigned char *rgb, uint32_t width, uint32_t height)
{
    output_file output;
    int code = output_begin(&output, path);
    if (code == TOOL_SUCCESS && !image_write_rgb(output.file, rgb, width, height) &&
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

/* The relief in perspective, into a file. */
static int draw_view(const char *what, const terrain_heightmap *map, const draw_style *style,
                     const unsigned char *rgb, float exaggeration, const char *path)
{
    const perspective *view = &style->view;
    perspective_land land = {.map = map,
                             .colours = rgb,
                             .exaggeration = exaggeration,
                             .has_sea = style->has_sea,
                             .sea = style->sea};
    if (terrain_heightmap_width(map) < 2 || terrain_heightmap_height(map) < 2) {
        return tool_fail(TOOL_BAD_INPUT,
                         "%s: must have two rows and two columns to be seen in perspective", what);
    }
    unsigned char *picture = malloc((size_t)view->width * view->height * 3);
    int code = TOOL_SUCCESS;
    if (picture == NULL || !image_range_of(map, &land.range) ||
        !perspective_draw(view, &land, picture)) {
        code = tool_is_interrupted() ? tool_check_interrupt()
                                     : tool_fail(TOOL_TROUBLE, "%s: no memory", what);
    }
    if (code == TOOL_SUCCESS) {
        code = draw_write(path, picture, view->width, view->height);
    }
    free(picture);
    return code;
}

int draw_picture(const char *what, terrain_heightmap *map, const draw_style *style,
                 const draw_lines *lines, const char *path)
{
    const uint32_t width = terrain_heightmap_width(map);
    const uint32_t height = terrain_heightmap_height(map);
    terrain_context *context = NULL;
    float exaggeration = 1;
    unsigned char *rgb = width <= SIZE_MAX / 3 / height ? malloc((size_t)width * height * 3) : NULL;
    terrain_status status = terrain_context_create(NULL, &context);
    int code = TOOL_SUCCESS;
    if (rgb == NULL) {
        status = TERRAIN_ERROR_MEMORY;
    }
    tool_catch_interrupt(context);
    if (style->cell_size > 0) {
        terrain_heightmap_set_cell_size(map, style->cell_size);
    }
    if (status == TERRAIN_SUCCESS) {
        status = draw_relief(context, map, style, rgb, &exaggeration);
    }
    if (status != TERRAIN_SUCCESS) {
        code = tool_fail_status(context, status, what);
    } else {
        if (lines != NULL) {
            draw_all_lines(lines, width, height, rgb);
        }
        code = style->has_view ? draw_view(what, map, style, rgb, exaggeration, path)
                               : draw_write(path, rgb, width, height);
    }
    tool_catch_interrupt(NULL);
    terrain_context_destroy(context);
    free(rgb);
    return code;
}
