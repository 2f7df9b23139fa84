// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

#include <cstdio>
#include <terrain/terrain.hpp>

int main()
try {
    terrain::context context = terrain::make_context();
    terrain::heightmap map = terrain::make_heightmap(context, 512, 512);

    auto noise = terrain::defaults(terrain_generate_noise_params_init);
    noise.seed = 7;
    noise.amplitude = 60;
    terrain::check(terrain_generate_noise(context.get(), map.get(), &noise), context);
    terrain::check(terrain_erode_thermal(context.get(), map.get(), nullptr), context);

    std::printf("height at (100, 50): %.3f\n", static_cast<double>(map(100, 50)));

    noise.octaves = 0;
    terrain::check(terrain_generate_noise(context.get(), map.get(), &noise), context);
} catch (const terrain::error &error) {
    std::printf("%s: %s\n", terrain_status_name(error.status()), error.what());
}
