/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Other libraries that do what a case does, for --peers: those that were there when the program was
 * built with -Dpeers=. */

#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cells of a map, row by row, and room for four times as many. */
typedef struct bench_peer_maps {
    const float *from;
    float *to;
    int width;
    int height;
} bench_peer_maps;

typedef struct bench_peer {
    const char *beside; /* the name of the case */
    const char *name;   /* of the library, and what it does otherwise than ours */
    void (*run)(const bench_peer_maps *maps); /* on one thread */
} bench_peer;

/* Each ends with an element that is all zero. */
extern const bench_peer bench_peers_gdal[];
extern const bench_peer bench_peers_noise[];
extern const bench_peer bench_peers_opencv[];

/* The peers of a case, from index 0 on; NULL from their count on. */
const bench_peer *bench_peer_of(const char *beside, uint32_t index);
/* Whether the program was built with any. */
int bench_peers_exist(void);

#ifdef __cplusplus
}
#endif

#endif
