// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The same from C++11: the headers must be C++ too, and the names must link.

#include <terrain/terrain.h>

#include <cstdio>
#include <memory>
#include <vector>

struct destroy_map {
    void operator()(terrain_heightmap *map) const
    {
        terrain_heightmap_destroy(map);
    }
};

int main()
{
    std::vector<float> cells(64 * 48, 5.0f);
    terrain_heightmap *raw = nullptr;
    if (terrain_heightmap_wrap(nullptr, cells.data(), 64, 48, 64, &raw) != TERRAIN_SUCCESS) {
        return 1;
    }
    std::unique_ptr<terrain_heightmap, destroy_map> map(raw);
    terrain_context *context = nullptr;
    if (terrain_context_create(nullptr, &context) != TERRAIN_SUCCESS) {
        return 1;
    }
    terrain_shape_clamp_params clamp;
    terrain_shape_clamp_params_init(&clamp, sizeof clamp);
    clamp.maximum = -1.0f;
    const terrain_status status = terrain_shape_clamp(context, map.get(), &clamp);
    std::printf("%s, %g\n", terrain_status_name(status), static_cast<double>(cells[100]));
    terrain_context_destroy(context);
    return status == TERRAIN_SUCCESS && cells[100] == -1.0f ? 0 : 1;
}
