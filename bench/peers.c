/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "peers.h"

#include <stddef.h>
#include <string.h>

static const bench_peer *const libraries[] = {
#ifdef BENCH_OPENCV
    bench_peers_opencv,
#endif
#ifdef BENCH_GDAL
    bench_peers_gdal,
#endif
#ifdef BENCH_NOISE
    bench_peers_noise,
#endif
    NULL,
};

const bench_peer *bench_peer_of(const char *beside, uint32_t index)
{
    for (size_t i = 0; libraries[i] != NULL; i++) {
        for (const bench_peer *peer = libraries[i]; peer->beside != NULL; peer++) {
            if (strcmp(peer->beside, beside) == 0 && index-- == 0) {
                return peer;
            }
        }
    }
    return NULL;
}

int bench_peers_exist(void)
{
    return libraries[0] != NULL;
}
