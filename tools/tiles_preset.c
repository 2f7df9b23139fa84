/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The form of a heightmap's file that engines expect.
 *
 * Unreal: landscapes have these sizes, 16-bit PNG or little-endian .r16, rows from the north; tiles
 * of a tiled import share their edges and are numbered from the north-west.
 * Unity: 2^n + 1 cells, 16-bit little-endian .raw, whose first row is at z = 0, the south; tiles
 * share their edges and are numbered along x and z.
 * Godot has no terrain of its own. Plugins take squares of 2^n + 1 cells which share their edges
 * (HTerrain, .raw) or regions of 2^n which don't (Terrain3D, .r16), rows from the north; a .png is
 * loaded with 8 bits, which makes terraces of the land. */

#include <stdio.h>
#include <string.h>

#include "tiles.h"
#include "tool.h"

static bool preset_is_power(uint64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

static bool preset_unreal(tiles_job *job, uint64_t side)
{
    static const uint64_t sides[] = {127, 253, 505, 1009, 2017, 4033, 8129};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        if (side == sides[i]) {
            job->overlap = 1;
            return true;
        }
    }
    return false;
}

static bool preset_unity(tiles_job *job, uint64_t side)
{
    job->overlap = 1;
    job->y_up = true;
    job->flip = true;
    return side >= 33 && side <= 4097 && preset_is_power(side - 1);
}

static bool preset_godot(tiles_job *job, uint64_t side)
{
    job->overlap = preset_is_power(side) ? 0 : 1;
    return side >= 64 && side <= 4097 && (preset_is_power(side) || preset_is_power(side - 1));
}

static const struct preset {
    const char *prefix;
    enum tiles_engine engine;
    bool (*take)(tiles_job *job, uint64_t side);
    const image_type *types[4]; /* that the engine reads as they are */
    const char *type_names;
} presets[] = {
    {"unreal-", TILES_UNREAL, preset_unreal, {&image_png, &image_r16, &image_raw}, ".png or .r16"},
    {"unity-", TILES_UNITY, preset_unity, {&image_raw, &image_r16}, ".raw"},
    {"godot-",
     TILES_GODOT,
     preset_godot,
     {&image_r16, &image_raw, &image_r32},
     ".r16, .raw or .r32, since Godot reads .png with 8 bits"},
};

enum { PRESETS = sizeof presets / sizeof presets[0] };

const char *tiles_take_preset(tiles_job *job, const char *name)
{
    for (size_t i = 0; i < PRESETS; i++) {
        const size_t length = strlen(presets[i].prefix);
        uint64_t side;
        if (strncmp(name, presets[i].prefix, length) == 0 &&
            tool_parse_uint64(name + length, &side) && presets[i].take(job, side)) {
            job->width = job->height = (uint32_t)side;
            job->engine = presets[i].engine;
            return NULL;
        }
    }
    return "unreal-N with N one of 127, 253, 505, 1009, 2017, 4033, 8129; unity-N with N one of "
           "33, 65, 129, …, 4097; or godot-N with N a power of two or one more, 64 to 4097";
}

int tiles_check_preset(const tiles_job *job)
{
    size_t i = 0;
    bool known = false;
    while (i < PRESETS && presets[i].engine != job->engine) {
        i++;
    }
    if (i == PRESETS) {
        return TOOL_SUCCESS; /* none */
    }
    known = job->is_mask; /* grey of 8 bits is what engines take */
    for (size_t k = 0; k < 4; k++) {
        known = known || presets[i].types[k] == job->type;
    }
    if (!known) {
        return tool_fail(TOOL_BAD_INPUT, "%s: expected a name that ends in %s", job->pattern,
                         presets[i].type_names);
    }
    tiles_job wanted = *job;
    if (job->width != job->height || !presets[i].take(&wanted, job->width) ||
        wanted.overlap != job->overlap) {
        return tool_fail_usage("terrain tiles: --preset says size and overlap: leave out --tile "
                               "and --overlap");
    }
    return TOOL_SUCCESS;
}

void tiles_print_preset(const tiles_job *job)
{
    const double low = (double)job->range.low, high = (double)job->range.high;
    const double cell = (double)job->cell_size / job->scale;
    if (job->is_mask) {
        return; /* nothing is entered */
    }
    if (job->engine == TILES_UNREAL) {
        /* Its unit is the centimetre; a Z scale of 100 makes 128 steps of a metre, and 32768 is at
         * the landscape's own height. */
        printf("Unreal, with heights in metres: scale X and Y %.9g, Z %.9g; location Z %.9g\n",
               100 * cell, (high - low) / 65535 * 128 * 100,
               100 * (low + (high - low) / 65535 * 32768));
    } else if (job->engine == TILES_UNITY) {
        printf("Unity: 16 bits, byte order Windows; terrain width and length %.9g, height %.9g; "
               "position Y %.9g\n",
               cell * (job->width - 1), high - low, low);
    } else if (job->engine == TILES_GODOT && job->type->has_range) {
        printf("Godot: R16 range %.9g to %.9g\n", low, high);
    }
}
