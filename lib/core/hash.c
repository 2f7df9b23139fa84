/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* XXH64 (Yann Collet) of a map, cell by cell, so that stride and byte order don't matter. */

#include <string.h>

#include "core/heightmap.h"

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

enum { STRIPE_WORDS = 8 };

struct hash_state {
    uint64_t lane[4];
    uint64_t words; /* of 32 bits, taken in so far */
    uint32_t stripe[STRIPE_WORDS];
};

static uint64_t hash_rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t hash_round(uint64_t lane, uint64_t input)
{
    return hash_rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

/* Two words as the 64 bits that they are in little-endian memory. */
static uint64_t hash_pair(const uint32_t *words)
{
    return (uint64_t)words[1] << 32 | words[0];
}

static void hash_stripe(struct hash_state *state, const uint32_t *words)
{
    for (int i = 0; i < 4; i++) {
        state->lane[i] = hash_round(state->lane[i], hash_pair(words + 2 * i));
    }
}

static void hash_words(struct hash_state *state, const uint32_t *words, size_t count)
{
    size_t filled = (size_t)(state->words % STRIPE_WORDS);
    state->words += count;
    if (filled > 0) {
        size_t take = STRIPE_WORDS - filled < count ? STRIPE_WORDS - filled : count;
        memcpy(state->stripe + filled, words, take * sizeof *words);
        words += take;
        count -= take;
        if (filled + take < STRIPE_WORDS) {
            return;
        }
        hash_stripe(state, state->stripe);
    }
    for (; count >= STRIPE_WORDS; count -= STRIPE_WORDS, words += STRIPE_WORDS) {
        hash_stripe(state, words);
    }
    memcpy(state->stripe, words, count * sizeof *words);
}

static void hash_cells(struct hash_state *state, const float *cells, size_t count)
{
    enum { CHUNK = 256 };
    uint32_t words[CHUNK];
    while (count > 0) {
        size_t take = count < CHUNK ? count : CHUNK;
        memcpy(words, cells, take * sizeof *words);
        for (size_t i = 0; i < take; i++) {
            words[i] = (words[i] & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : words[i];
        }
        hash_words(state, words, take);
        cells += take;
        count -= take;
    }
}

static uint64_t hash_finish(const struct hash_state *state)
{
    size_t rest = (size_t)(state->words % STRIPE_WORDS);
    size_t i = 0;
    uint64_t hash;
    if (state->words >= STRIPE_WORDS) {
        hash = hash_rotate(state->lane[0], 1) + hash_rotate(state->lane[1], 7) +
               hash_rotate(state->lane[2], 12) + hash_rotate(state->lane[3], 18);
        for (int lane = 0; lane < 4; lane++) {
            hash = (hash ^ hash_round(0, state->lane[lane])) * PRIME_1 + PRIME_4;
        }
    } else {
        hash = PRIME_5;
    }
    hash += state->words * 4;
    for (; i + 2 <= rest; i += 2) {
        hash ^= hash_round(0, hash_pair(state->stripe + i));
        hash = hash_rotate(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (i < rest) {
        hash ^= state->stripe[i] * PRIME_1;
        hash = hash_rotate(hash, 23) * PRIME_2 + PRIME_3;
    }
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}

uint64_t terrain_heightmap_hash(const terrain_heightmap *map)
{
    struct hash_state state = {{PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1}, 0, {0}};
    uint32_t size[2];
    if (map == NULL) {
        return 0;
    }
    size[0] = map->width;
    size[1] = map->height;
    hash_words(&state, size, 2);
    for (uint32_t y = 0; y < map->height; y++) {
        hash_cells(&state, map->data + y * map->stride, map->width);
    }
    return hash_finish(&state);
}
