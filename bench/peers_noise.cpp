// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// libnoise: in double, and of three dimensions.

#include "peers.h"

#include <libnoise/noise.h>

namespace
{

void fill(const bench_peer_maps *maps, const noise::module::Module &module)
{
    for (int y = 0; y < maps->height; y++) {
        for (int x = 0; x < maps->width; x++) {
            maps->to[y * maps->width + x] = static_cast<float>(module.GetValue(x, y, 0.5));
        }
    }
}

template <int octaves, int period> void perlin(const bench_peer_maps *maps)
{
    noise::module::Perlin module;
    module.SetOctaveCount(octaves);
    module.SetFrequency(1.0 / period);
    fill(maps, module);
}

} // namespace

#define NAME "libnoise, of 3 dimensions"

extern "C" const bench_peer bench_peers_noise[] = {
    {"generate_noise/octaves_8", NAME, perlin<8, 400>},
    {"generate_noise/octaves_1", NAME, perlin<1, 100>},
    {nullptr, nullptr, nullptr},
};
