/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What engines expect of a heightmap's file.
 *
 * Unreal: landscapes have these sizes, 16-bit PNG or little-endian .r16, rows from the north; tiles
 * of a tiled import share their edges and are numbered from the north-west.
 * Unity: 2^n + 1 cells, 16-bit little-endian .raw, whose first row is at z = 0, the south; tiles
 * share their edges and are numbered along x and z.
 * Godot has no terrain of its own. Plugins take squares of 2^n + 1 cells which share their edges
 * (HTerrain, .raw or .png) or regions of 2^n which don't (Terrain3D, .r16), rows from the north. */

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

bool tiles_take_preset(tiles_job *job, const char *name)
{
    static const struct {
        const char *prefix;
        bool (*take)(tiles_job *job, uint64_t side);
    } presets[] = {{"unreal-", preset_unreal}, {"unity-", preset_unity}, {"godot-", preset_godot}};
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        const size_t length = strlen(presets[i].prefix);
        uint64_t side;
        if (strncmp(name, presets[i].prefix, length) == 0 &&
            tool_parse_uint64(name + length, &side) && presets[i].take(job, side)) {
            job->width = job->height = (uint32_t)side;
            return true;
        }
    }
    return false;
}
